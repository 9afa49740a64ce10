// SPDX-License-Identifier: Apache-2.0
/* The rewriter on odd texts: what must change, and what must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plant/rewrite.h"

#define STORE(object, order)                                                                       \
	"atomic_store_explicit(" object ", 1, memory_order_" order ", memory_scope_device);"
#define ACQUIRE        ", memory_order_acquire, memory_scope_device)"
#define LOADED(object) "atomic_load_explicit(" object ACQUIRE

#define LOAD(target, object) target " = " LOADED(object) ";"
#define ADD(object)          "atomic_fetch_add_explicit(" object ", 1, memory_order_acq_rel, S);"

static void expect(const char *choice, const char *source, const char *wanted, size_t wanted_places)
{
	char message[PLANT_MESSAGE];
	struct plant plant;
	struct oclmm_text text;
	size_t places;

	assert_true(plant_parse(choice, &plant, message));
	places = plant_rewrite(&plant, source, strlen(source), &text);
	assert_string_equal(oclmm_text_string(&text), wanted);
	assert_int_equal(places, wanted_places);
	oclmm_text_finish(&text);
}

static void expect_same(const char *choice, const char *source)
{
	expect(choice, source, source, 0);
}

static void leaves_what_is_no_call(void **state)
{
	(void)state;
	expect_same("fence-removed",
	            "/* atomic_work_item_fence(a, b, c) */ // atomic_work_item_fence(a, b, c)\n");
	expect_same("fence-removed", "printf(\"atomic_work_item_fence(a, b, c)\");");
	expect_same("fence-removed", "#pragma atomic_work_item_fence(a, b, c)\n");
	expect_same("mem-fence-empty",
	            "void mem_fence(int flags);\nvoid mem_fence(int flags) { }\n");
	expect_same("mem-fence-empty",
	            "s.mem_fence(1); p->mem_fence(1); my_mem_fence(1); mem_fence(1, 2);");
	expect_same("all-relaxed", "int atomic_load = 3; x = atomic_load + (1);");
	expect_same("barrier-no-fence", "barrier(0);");
}

static void survives_broken_text(void **state)
{
	static const char *const texts[] = {"",
	                                    "(",
	                                    ")",
	                                    "barrier(",
	                                    "barrier)",
	                                    "barrier()",
	                                    "\"",
	                                    "'",
	                                    "/*",
	                                    "#",
	                                    "#define",
	                                    "#define A(",
	                                    "barrier(1 /*",
	                                    "\\",
	                                    "barrier\\\n(1",
	                                    ",",
	                                    "atomic_store_explicit(x, 1, memory_order_release",
	                                    "mem_fence((1);",
	                                    "barrier(,1);",
	                                    "\xff\xfe barrier"};

	(void)state;
	for (int bug = 0; bug < PLANT_COUNT; bug++) {
		for (size_t i = 0; i < OCLMM_COUNT(texts); i++)
			expect_same(plant_descriptions[bug].name, texts[i]);
	}
}

static void keeps_formatting(void **state)
{
	(void)state;
	/* CRLF, a comment within the call, and no new line at the end */
	expect("release-to-relaxed",
	       "a;\r\natomic_store_explicit (x ,\r\n\t1, /* why */ memory_order_release\t, "
	       "memory_scope_device ) ;",
	       "a;\r\natomic_store_explicit (x ,\r\n\t1, /* why */ memory_order_relaxed\t, "
	       "memory_scope_device ) ;",
	       1);
	expect("mem-fence-empty", "mem_fence(f)", "((void)0)", 1);
	expect("barrier-no-fence", "if (a) barrier(CLK_LOCAL_MEM_FENCE); else barrier(b);",
	       "if (a) barrier(0); else barrier(0);", 2);
	expect("barrier-no-fence", "x=1;barrier\n(\nCLK_LOCAL_MEM_FENCE\n)\n;",
	       "x=1;barrier\n(\n0\n)\n;", 1);
}

static void looks_into_macros(void **state)
{
	(void)state;
	expect("fence-removed", "#define F() \\\n\tatomic_work_item_fence(1, 2, 3)\nF();",
	       "#define F() \\\n\t((void)0)\nF();", 1);
	expect("fence-removed", "#  define F atomic_work_item_fence(1, 2, 3) // last\r\n",
	       "#  define F ((void)0) // last\r\n", 1);
	/* an unbalanced body does not reach beyond its line */
	expect("fence-removed", "#define OPEN (\natomic_work_item_fence(1, 2, 3);",
	       "#define OPEN (\n((void)0);", 1);
	expect_same("stores-swapped",
	            "#define S ; " STORE("x", "relaxed") " " STORE("y", "release") "\n");
	/* a directive between arguments: nobody can say what the call is */
	expect_same("mem-fence-empty", "mem_fence(\n#ifdef A\n1\n#else\n2\n#endif\n);");
}

static void weakens_what_only_the_compiler_knows(void **state)
{
	(void)state;
	expect("release-to-relaxed", "atomic_store_explicit(x, 1, R, S);",
	       "atomic_store_explicit(x, 1, ((R) == memory_order_release ? memory_order_relaxed : "
	       "(R) == "
	       "memory_order_acq_rel ? memory_order_acquire : (R)), S);",
	       1);
	expect("sc-to-acq-rel", "r = atomic_load(atomic_flag_test_and_set(f) ? x : y);",
	       "r = atomic_load_explicit(atomic_flag_test_and_set_explicit(f, "
	       "memory_order_acq_rel, "
	       "memory_scope_device) ? x : y, memory_order_acquire, memory_scope_device);",
	       2);
	expect("sc-to-acq-rel", "atomic_compare_exchange_weak(x, &e, 1)",
	       "atomic_compare_exchange_weak_explicit(x, &e, 1, memory_order_acq_rel, "
	       "memory_order_acquire, "
	       "memory_scope_device)",
	       1);
	expect("fence-narrowed:global", "mem_fence((CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE));",
	       "mem_fence(CLK_GLOBAL_MEM_FENCE);", 1);
}

static void halves_fences(void **state)
{
	(void)state;
	expect("fence-to-acquire", "atomic_work_item_fence(F, memory_order_acq_rel, S);",
	       "atomic_work_item_fence(F, memory_order_acquire, S);", 1);
	expect("fence-to-release", "atomic_work_item_fence(F, memory_order_seq_cst, S);",
	       "atomic_work_item_fence(F, memory_order_release, S);", 1);
	expect_same("fence-to-acquire", "atomic_work_item_fence(F, memory_order_release, S);");
	expect("fence-to-release", "atomic_work_item_fence(F, O, S);",
	       "atomic_work_item_fence(F, ((O) == memory_order_acq_rel ? memory_order_release : "
	       "(O) == memory_order_seq_cst ? memory_order_release : (O)), S);",
	       1);
}

static void loads_for_updates_of_nothing(void **state)
{
	(void)state;
	expect("zero-to-load", "atomic_fetch_and(x, m);",
	       "((m) == -1 ? atomic_load_explicit(x, memory_order_relaxed) : "
	       "atomic_fetch_and(x, m));",
	       1);
	expect_same("zero-to-load", "atomic_fetch_add(x, 1); atomic_fetch_min(x, 0);");
	expect("same-to-load", "r = atomic_compare_exchange_strong(x, &e, v);",
	       "r = ((v) == *(&e) ? ({ __typeof__(&*(&e)) oclmm_e = (&e); __typeof__(*oclmm_e + "
	       "0) oclmm_was = *oclmm_e; *oclmm_e = atomic_load_explicit(x, "
	       "memory_order_relaxed); oclmm_was == *oclmm_e; }) : "
	       "atomic_compare_exchange_strong(x, &e, v));",
	       1);
}

static void reaches_other_objects(void **state)
{
	(void)state;
	expect("element-before", STORE("&x[i]", "relaxed"),
	       STORE("(__typeof__(&*(&x[i])))((size_t)(&x[i]) & ~(size_t)(sizeof(*(&x[i])) == 4 ? "
	             "4 : 0))",
	             "relaxed"),
	       1);
	expect_same("element-before", "atomic_inc(x); mem_fence(F);");
}

static void swaps_neighbours(void **state)
{
	(void)state;
	expect("stores-swapped",
	       "{ " STORE("x", "relaxed") " /* then */ " STORE("y", "release") " }",
	       "{ " STORE("y", "release") " /* then */ " STORE("x", "relaxed") " }", 1);
	expect("load-early", ";" STORE("x", "seq_cst") "\n" LOAD("int r", "y"),
	       ";" LOAD("int r", "y") "\n" STORE("x", "seq_cst"), 1);
	expect("loads-swapped", ";" LOAD("r->a", "x") LOAD("r->b", "y"),
	       ";" LOAD("r->b", "y") LOAD("r->a", "x"), 1);
	expect("loads-reversed", ";" LOAD("int a", "x") LOAD("int b", "x"),
	       ";" LOAD("int b", "x") LOAD("int a", "x"), 1);
}

static void keeps_dependencies(void **state)
{
	(void)state;
	expect_same("loads-swapped", ";" LOAD("i", "x") LOAD("r", "y + i"));
	expect_same("loads-swapped", ";" LOAD("r", "x") LOAD("r", "y"));
	expect_same("store-early",
	            ";" LOAD("r", "x") "atomic_store_explicit(y, r, memory_order_relaxed);");
	expect_same("load-early", ";" STORE("x + r", "relaxed") LOAD("r", "y"));
	expect_same("stores-swapped", ";" STORE("x", "relaxed") STORE("x", "release"));
	/* what stands between keeps them apart; so does a branch that has only one of them */
	expect_same("stores-swapped",
	            ";" STORE("x", "relaxed") "mem_fence(1);" STORE("y", "release"));
	expect_same("stores-swapped", ";if (a) " STORE("x", "relaxed") STORE("y", "release"));
	expect_same("loads-swapped", "for (;;) r = 0; for (; " LOAD("a", "x") " b++) ;");
}

static void reuses_loads(void **state)
{
	(void)state;
	expect("load-reused", "{" LOAD("int a", "x") "f();" LOAD("r->b", "x") "}",
	       "{" LOAD("int a", "x") "f();r->b = a;}", 1);
	expect_same("load-reused", "{" LOAD("int a", "x + i") "i++;" LOAD("int b", "x + i") "}");
	expect_same("load-reused", "{" LOAD("int a", "x") "a = 3;" LOAD("int b", "x") "}");
	expect_same("load-reused", "{" LOAD("int a", "x") "}{" LOAD("int b", "x") "}");
}

#define FENCE "atomic_work_item_fence(F, memory_order_release, S);"

static void moves_updates_and_fences(void **state)
{
	(void)state;
	expect("update-early", ";" STORE("x", "relaxed") ADD("y"),
	       ";" ADD("y") STORE("x", "relaxed"), 1);
	expect("update-late", ";" ADD("y") LOAD("r", "x"), ";" LOAD("r", "x") ADD("y"), 1);
	expect("fence-early", ";*x = 1;" FENCE STORE("y", "relaxed"),
	       ";" FENCE "*x = 1;" STORE("y", "relaxed"), 1);
	expect("fence-late", ";*x = 1;" FENCE STORE("y", "relaxed"),
	       ";*x = 1;" STORE("y", "relaxed") FENCE, 1);
	expect("plain-late", ";*x = 1;" STORE("y", "release"), ";" STORE("y", "release") "*x = 1;",
	       1);
	expect_same("update-late", ";r = " ADD("y") LOAD("q", "x + r"));
	expect_same("update-early", ";" STORE("x", "relaxed") ADD("x"));
	expect_same("plain-late", ";*x = f(1);" STORE("y", "release"));
	expect_same("update-late",
	            ";atomic_compare_exchange_strong(y, &e, 1); r = atomic_load(x + e);");
}

static void takes_accesses_out_of_branches(void **state)
{
	(void)state;
	expect("guarded-early", ";" LOAD("int r", "y") "if (r == 1) { q = *d; }",
	       ";__typeof__(0 + *d) oclmm_early20 = *(volatile __typeof__(*(d)) *)(d); " LOAD(
		       "int r", "y") "if (r == 1) { q = oclmm_early20; }",
	       1);
	expect("store-invented", ";if (r) *d = 1;",
	       ";__typeof__(0 + *(volatile __typeof__(*(d)) *)(d)) oclmm_was5 = "
	       "*(volatile __typeof__(*(d)) *)(d); *(volatile __typeof__(*(d)) *)(d) = 1; "
	       "if (!(r)) *(volatile __typeof__(*(d)) *)(d) = oclmm_was5; if (r) ;",
	       1);
	expect_same("guarded-early", ";" LOAD("int r", "y") "if (r == 1) q = atomic_load(d + r);");
	expect_same("guarded-early", ";" LOAD("int r", "y") "f(); if (r == 1) q = *d;");
	expect_same("store-invented", ";if (r) q = *d;");
}

static void knows_what_was_stored(void **state)
{
	(void)state;
	expect("store-forwarded", "{" STORE("x", "relaxed") LOAD("r", "y") LOAD("q", "x") "}",
	       "{" STORE("x", "relaxed") LOAD("r", "y") "q = 1;}", 1);
	expect_same("store-forwarded", "{" STORE("x", "relaxed") ADD("x") LOAD("q", "x") "}");
	expect_same("store-forwarded", "{ *x = v; v = 2; q = *x; }");
	expect("store-dropped",
	       "{" STORE("x", "relaxed") STORE("y", "release") STORE("x", "relaxed") "}",
	       "{((void)0);" STORE("y", "release") STORE("x", "relaxed") "}", 1);
	expect_same("store-dropped",
	            "{" STORE("x", "relaxed") LOAD("r", "x") STORE("x", "relaxed") "}");
	expect("store-repeated", "{" STORE("x", "relaxed") LOAD("r", "y") "}",
	       "{" STORE("x", "relaxed") LOAD("r", "y") " " STORE("x", "relaxed") "}", 1);
	expect("load-repeated", "{" LOAD("int r", "x") "if (r == 1) *d = 2; }",
	       "{" LOAD("int r", "x") "if (" LOADED("x") " == 1) *d = 2; }", 1);
	expect_same("load-repeated", "{" LOAD("int r", "x") "r = 2; *d = r; }");
	expect("load-stored", "{" LOAD("int r", "x") "}",
	       "{" LOAD("int r", "x") " atomic_store_explicit(x, r, memory_order_relaxed, "
	                              "memory_scope_device);}",
	       1);
	expect_same("load-stored", "{ if (q) " LOAD("r", "x") "else " LOAD("r", "y") "}");
}

#define SIZE "get_local_size(0) * get_local_size(1) * get_local_size(2)"

static void removes_barriers_by_size(void **state)
{
	(void)state;
	expect("small-barrier:4", "if (a) barrier(FLAGS);",
	       "if (a) (" SIZE " <= 4 ? (void)0 : barrier(FLAGS));", 1);
	expect("group-barrier", "work_group_barrier(FLAGS, memory_scope_device);",
	       "(" SIZE " >= 8 ? (void)0 : work_group_barrier(FLAGS, memory_scope_device));", 1);
	expect_same("small-barrier", "mem_fence(FLAGS);");
}

static void knows_generic_pointers(void **state)
{
	(void)state;
	expect("all-relaxed@generic", "void f(atomic_int *x) { " STORE("x", "release") " }",
	       "void f(atomic_int *x) { " STORE("x", "relaxed") " }", 1);
	expect_same("all-relaxed@generic",
	            "void f(global atomic_int *x) { " STORE("x", "release") " }");
	expect_same("all-relaxed@global", "void f(atomic_int *x) { " STORE("x", "release") " }");
}

static void knows_unused_results(void **state)
{
	(void)state;
	expect("exchange-to-store", "else atomic_exchange(x, 1);",
	       "else atomic_store_explicit(x, 1, memory_order_seq_cst, memory_scope_device);", 1);
	expect("exchange-to-store",
	       "(void)atomic_exchange_explicit(x, 1, memory_order_acq_rel, S);",
	       "(void)atomic_store_explicit(x, 1, memory_order_release, S);", 1);
	expect_same("exchange-to-store",
	            "r = (int)atomic_exchange(x, 1); return atomic_exchange(x, 2);");
	expect_same("exchange-to-store",
	            "f(atomic_exchange(x, 1)); a ? atomic_exchange(x, 1) : 0;");
	expect_same("legacy-split", ";atomic_inc(x); if (a) atomic_add(x, 1);");
	expect("unused-relaxed", ";r = " ADD("x") ADD("y"),
	       ";r = " ADD("x") "atomic_fetch_add_explicit(y, 1, memory_order_relaxed, S);", 1);
}

static void knows_local_objects(void **state)
{
	struct oclmm_text text;
	const struct plant plant = {.bug = PLANT_LOCAL_PLAIN};
	static const char *const local[] = {
		"void f(local int *c) { atomic_inc(c); }",
		"void f(global int *a, volatile __local int *c) { atomic_inc(&c[1]); }",
		"void f(int n) { local int a, c[4]; atomic_inc(c + n); }",
		"void f(void *p) { atomic_inc((local int *)p); }",
	};
	static const char *const global[] = {
		"void f(global int *c) { atomic_inc(c); }",
		"void f(local int *a, int *c) { atomic_inc(c); }",
		"void f(local int *c) { } void g(global int *c) { atomic_inc(c); }",
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(local); i++) {
		assert_int_equal(plant_rewrite(&plant, local[i], strlen(local[i]), &text), 1);
		oclmm_text_finish(&text);
	}
	for (size_t i = 0; i < OCLMM_COUNT(global); i++)
		expect_same("local-plain", global[i]);
}

/* A mistake of operations is in no fence. */
static void leaves_fences(void **state)
{
	(void)state;
	for (int bug = 0; bug < PLANT_COUNT; bug++) {
		if (plant_is_mistake((enum plant_bug)bug))
			expect_same(plant_descriptions[bug].name,
			            "mem_fence(CLK_LOCAL_MEM_FENCE); barrier(1); "
			            "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, "
			            "memory_order_acquire, memory_scope_device);");
	}
}

/* Of what no declaration says how wide it is only the compiler knows. */
static void asks_the_compiler_for_widths(void **state)
{
	(void)state;
	expect("release-to-relaxed@64", "#define S(p) " STORE("p", "release"),
	       "#define S(p) (sizeof(*(p)) == 8 ? atomic_store_explicit(p, 1, "
	       "memory_order_relaxed, memory_scope_device) : atomic_store_explicit(p, 1, "
	       "memory_order_release, memory_scope_device));",
	       1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaves_what_is_no_call),
		cmocka_unit_test(survives_broken_text),
		cmocka_unit_test(keeps_formatting),
		cmocka_unit_test(looks_into_macros),
		cmocka_unit_test(weakens_what_only_the_compiler_knows),
		cmocka_unit_test(swaps_neighbours),
		cmocka_unit_test(halves_fences),
		cmocka_unit_test(reaches_other_objects),
		cmocka_unit_test(loads_for_updates_of_nothing),
		cmocka_unit_test(keeps_dependencies),
		cmocka_unit_test(reuses_loads),
		cmocka_unit_test(moves_updates_and_fences),
		cmocka_unit_test(takes_accesses_out_of_branches),
		cmocka_unit_test(knows_what_was_stored),
		cmocka_unit_test(removes_barriers_by_size),
		cmocka_unit_test(knows_generic_pointers),
		cmocka_unit_test(knows_unused_results),
		cmocka_unit_test(knows_local_objects),
		cmocka_unit_test(leaves_fences),
		cmocka_unit_test(asks_the_compiler_for_widths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
