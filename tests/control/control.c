// SPDX-License-Identifier: Apache-2.0
/* Moved controls worked out by hand. */

#include "../fixture/test.h"

#include <errno.h>
#include <string.h>

#include "oclmm/control.h"
#include "oclmm/syntax.h"

/* A test from its body, and what is derived from it. */
struct derived {
	struct oclmm_litmus *litmus;
	struct oclmm_expected_file *file;
	struct oclmm_controls *controls;
};

static void ask(struct derived *d, const char *text)
{
	const struct oclmm_check_options options = {0};
	struct oclmm_answer *answer;
	struct oclmm_error error;

	*d = (struct derived){.file = oclmm_expected_create("")};
	if (oclmm_litmus_parse("t", text, strlen(text), NULL, &error, &d->litmus) < 0)
		fail_msg("%u: %s", error.position.line, error.message);
	assert_int_equal(oclmm_check(d->litmus->variants[0].program, &options, &error, &answer), 0);
	oclmm_expected_add(d->file, answer, OCLMM_MODEL_CONSENSUS);
	oclmm_answer_destroy(answer);
}

static void derive(struct derived *d, const char *text, uint32_t limit)
{
	ask(d, text);
	assert_int_equal(oclmm_controls_derive(d->litmus->variants[0].program,
	                                       oclmm_expected_at(d->file, 0), limit, &d->controls),
	                 0);
}

static void finish(struct derived *d)
{
	oclmm_controls_destroy(d->controls);
	oclmm_expected_destroy(d->file);
	oclmm_litmus_destroy(d->litmus);
}

/* The names behind `~`, in their order. */
static void check_names(const char *text, uint32_t limit, const char *const *names)
{
	struct derived d;
	uint32_t count = 0;

	derive(&d, text, limit);
	for (; names[count]; count++) {
		if (count >= d.controls->count)
			fail_msg("%s is missing", names[count]);
		assert_string_equal(strchr(d.controls->moved[count].name, '~') + 1, names[count]);
		assert_string_equal(d.controls->moved[count].program->name,
		                    d.controls->moved[count].name);
	}
	if (d.controls->count > count)
		fail_msg("and %s", d.controls->moved[count].name);
	finish(&d);
}

#define HEAD       "OPENCL T\n{ [x] = 0; [y] = 0; }\n"
#define PARAMETERS "(global atomic_int *x, global atomic_int *y) {\n"
/* clang-format off */
#define ORDERED(order) ", memory_order_" order ", memory_scope_device);\n"
#define LOAD(reg, object, order) \
	"  int " reg " = atomic_load_explicit(" object ORDERED(order)
#define STORE(object, value, order) \
	"  atomic_store_explicit(" object ", " value ORDERED(order)
/* clang-format on */

/* Either work-item may have its accesses exchanged, or both; without its data MP shows 0, too. */
TEST(test_mp)
{
	static const char text[] = HEAD "P0@wg 0 " PARAMETERS STORE("x", "1", "relaxed")
		STORE("y", "1", "release") "}\nP1@wg 1 " PARAMETERS LOAD("r0", "y", "acquire")
			LOAD("r1", "x", "relaxed") "}\nexists (1:r0=1 /\\ 1:r1=0)\n";

	check_names(text, 0,
	            (const char *const[]){"exchange-P0.1-2", "everywhere", "exchange-P1.1-2",
	                                  "drop-P0.1", NULL});
	check_names(text, 2, (const char *const[]){"exchange-P0.1-2", "everywhere", NULL});
	check_names(text, 1, (const char *const[]){"everywhere", NULL});
}

/* What is only computed does not stand in the way and is not counted; fences are. A branch that is
 * taken always loads what the register would have kept. */
TEST(test_mp_with_arithmetic)
{
	static const char text[] =
		"OPENCL T\n{ [x] = 0; [y] = 0; }\n"
		"P0@wg 0 (global atomic_int *x, global atomic_int *y) {\n"
		"  int v = 1;\n"
		"  atomic_store_explicit(x, v, memory_order_relaxed);\n"
		"  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release,\n"
		"                         memory_scope_device);\n"
		"  int w = 1;\n"
		"  atomic_store_explicit(y, w, memory_order_relaxed);\n}\n"
		"P1@wg 1 (global atomic_int *x, global atomic_int *y) {\n"
		"  int r0 = atomic_load_explicit(y, memory_order_acquire);\n"
		"  int r1 = 7;\n"
		"  if (r0 == 1) {\n"
		"    r1 = atomic_load_explicit(x, memory_order_relaxed);\n  }\n}\n"
		"exists (1:r0=1 /\\ 1:r1=0)\n";

	check_names(text, 0,
	            (const char *const[]){"exchange-P0.1-3", "everywhere", "hoist-P1.3-1",
	                                  "drop-P0.1", "always-P1.2", NULL});
}

TEST(test_sb)
{
	static const char text[] = HEAD "P0@wg 0 " PARAMETERS STORE("x", "1", "seq_cst")
		LOAD("r0", "y", "seq_cst") "}\nP1@wg 1 " PARAMETERS STORE("y", "1", "seq_cst")
			LOAD("r0", "x", "seq_cst") "}\nexists (0:r0=0 /\\ 1:r0=0)\n";

	check_names(text, 0,
	            (const char *const[]){"exchange-P0.1-2", "everywhere", "exchange-P1.1-2",
	                                  "drop-P0.1", "drop-P1.1", NULL});
}

TEST(test_lb)
{
	static const char text[] = HEAD "P0@wg 0 " PARAMETERS LOAD("r0", "x", "acquire")
		STORE("y", "1", "release") "}\nP1@wg 1 " PARAMETERS LOAD("r0", "y", "acquire")
			STORE("x", "1", "release") "}\nexists (0:r0=1 /\\ 1:r0=1)\n";

	check_names(text, 0,
	            (const char *const[]){"exchange-P0.1-2", "everywhere", "exchange-P1.1-2",
	                                  NULL});
}

/* Two reads of one object. That the second takes the value of the first shows nothing. */
TEST(test_corr)
{
	static const char text[] = HEAD "P0@wg 0 " PARAMETERS STORE(
		"x", "1", "relaxed") "}\nP1@wg 1 " PARAMETERS LOAD("r0", "x", "relaxed")
		LOAD("r1", "x", "relaxed") "}\nexists (1:r0=1 /\\ 1:r1=0)\n";

	check_names(text, 0, (const char *const[]){"exchange-P1.1-2", NULL});
}

/* Own writes: in the wrong order, or the second left out. */
TEST(test_coww)
{
	static const char text[] = HEAD "P0@wg 0 " PARAMETERS STORE("x", "1", "relaxed")
		STORE("x", "2", "relaxed") "}\nP1@wg 1 " PARAMETERS "}\nexists ([x]=1)\n";

	check_names(text, 0, (const char *const[]){"exchange-P0.1-2", "drop-P0.2", NULL});
}

/* One of two additions is lost when it is a load and a store. */
TEST(test_sum)
{
	static const char text[] = HEAD
		"P0@wg 0 " PARAMETERS "  atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "
		"memory_scope_device);\n}\nP1@wg 1 " PARAMETERS
		"  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "
		"memory_scope_device);\n}\nexists ([x]=1 /\\ 1:r0=0)\n";

	check_names(text, 0,
	            (const char *const[]){"split-P0.1", "everywhere", "split-P1.1", "drop-P0.1",
	                                  NULL});
}

/* Both succeed where one compare-exchange looks first and stores later. */
TEST(test_compare_exchange)
{
#define CAS                                                                                        \
	"  int e = 0;\n  int r0 = atomic_compare_exchange_strong_explicit(x, &e, 1, "              \
	"memory_order_acquire, memory_order_relaxed, memory_scope_device);\n"
	static const char text[] = HEAD "P0@wg 0 " PARAMETERS CAS "}\nP1@wg 1 " PARAMETERS CAS
					"}\nexists (0:r0=1 /\\ 1:r0=1)\n";

	check_names(text, 0, (const char *const[]){"split-P0.1", "everywhere", "split-P1.1", NULL});
}

/* A reader sees one half of the writer's value and one of what was there. */
TEST(test_halves)
{
	static const char text[] =
		"OPENCL T\n{ [x] = 0; }\n"
		"P0@wg 0 (global atomic_ulong *x) {\n"
		"  atomic_store_explicit(x, 4294967297, memory_order_relaxed);\n}\n"
		"P1@wg 1 (global atomic_ulong *x) {\n"
		"  ulong r0 = atomic_load_explicit(x, memory_order_relaxed);\n}\n"
		"exists (1:r0=1 \\/ 1:r0=4294967296)\n";

	check_names(text, 0,
	            (const char *const[]){"halves-P0.1", "everywhere", "halves-P1.1", NULL});
}

/* The write moves behind the barrier, or the read before it. */
TEST(test_barrier)
{
	static const char text[] =
		"OPENCL T\n{ [x] = 0; }\nP0@wg 0 (global int *x) {\n  *x = 1;\n"
		"  barrier(CLK_GLOBAL_MEM_FENCE);\n}\nP1@wg 0 (global int *x) {\n"
		"  barrier(CLK_GLOBAL_MEM_FENCE);\n  int r0 = *x;\n}\nexists (1:r0=0)\n";

	check_names(text, 0,
	            (const char *const[]){"early-P1.2-1", "everywhere", "late-P0.1-2", "drop-P0.1",
	                                  NULL});
}

/* A value that depends on the load before it: no step makes it early, but it may be loaded
 * again. */
TEST(test_dependency)
{
	static const char text[] = HEAD "P0@wg 0 " PARAMETERS LOAD("r0", "x", "relaxed")
		STORE("y", "r0", "relaxed") "}\nP1@wg 1 " PARAMETERS STORE("x", "1", "relaxed")
			LOAD("r0", "y", "acquire") "}\nexists (0:r0=0 /\\ 1:r0=1)\n";

	check_names(text, 0, (const char *const[]){"again-P0.2-1", NULL});
}

/* Fails on a step whose name begins so. */
static void check_none(const char *text, const char *step)
{
	struct derived d;

	derive(&d, text, 0);
	for (uint32_t i = 0; i < d.controls->count; i++) {
		const char *name = strchr(d.controls->moved[i].name, '~') + 1;

		if (strncmp(name, step, strlen(step)) == 0)
			fail_msg("%s", name);
	}
	finish(&d);
}

/* What cannot be read twice: an update, which would be made twice, and an element whose index the
 * load itself replaces. */
TEST(test_nothing_to_load_again)
{
	static const char update[] = HEAD
		"P0@wg 0 " PARAMETERS
		"  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "
		"memory_scope_device);\n" STORE("y", "r0", "relaxed") "}\nP1@wg 1 " PARAMETERS LOAD(
			"r0", "y", "acquire") "}\nexists (0:r0=0 /\\ 1:r0=1)\n";
	static const char element[] =
		"OPENCL T\n{ int x[2] = {0, 0}; [y] = 0; }\n"
		"P0@wg 0 (global atomic_int *x, global atomic_int *y) {\n  int r0 = 1;\n"
		"  r0 = atomic_load_explicit(&x[r0], memory_order_relaxed);\n"
		"  atomic_store_explicit(y, r0, memory_order_relaxed);\n}\n"
		"P1@wg 1 (global atomic_int *x, global atomic_int *y) {\n"
		"  atomic_store_explicit(&x[0], 1, memory_order_relaxed);\n"
		"  int r0 = atomic_load_explicit(y, memory_order_relaxed);\n}\n"
		"exists (0:r0=0 /\\ 1:r0=1)\n";

	check_none(update, "again-");
	check_none(element, "again-");
}

/* One addition cannot find what the other left out: of it, a load before it can tell otherwise. */
TEST(test_reload)
{
	static const char text[] = HEAD
		"P0@wg 0 " PARAMETERS "  int r0 = atomic_fetch_add_explicit(x, 1, "
		"memory_order_relaxed, memory_scope_device);\n}\nP1@wg 1 " PARAMETERS
		"  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "
		"memory_scope_device);\n}\nexists ([x]=2 /\\ 0:r0=0 /\\ 1:r0=0)\n";

	check_names(text, 0,
	            (const char *const[]){"split-P0.1", "everywhere", "split-P1.1", "reload-P0.1",
	                                  "reload-P1.1", NULL});
}

/* What failed does not say what it found. */
TEST(test_failed_compare_exchange)
{
	static const char text[] = HEAD
		"P0@wg 0 " PARAMETERS STORE("x", "1", "relaxed") "}\nP1@wg 1 " PARAMETERS CAS
								 "}\nexists (1:r0=0 /\\ 1:e=0)\n";

	check_names(text, 0, (const char *const[]){"reload-P1.1", NULL});
}

/* Each reads early alone, and both do: of three threads the one that has no step stays as it is. */
TEST(test_everywhere)
{
	static const char text[] = HEAD "P0@wg 0 " PARAMETERS STORE(
		"x", "1", "seq_cst") "}\nP1@wg 1 " PARAMETERS LOAD("r0", "x", "seq_cst")
		LOAD("r1", "y", "seq_cst") "}\nP2@wg 2 " PARAMETERS STORE("y", "1", "seq_cst")
			LOAD("r0", "x", "seq_cst") "}\nexists (1:r0=1 /\\ 1:r1=0 /\\ 2:r0=0)\n";
	const struct oclmm_program *test, *all;
	struct derived d;

	derive(&d, text, 2);
	test = d.litmus->variants[0].program;
	assert_int_equal(d.controls->count, 2);
	assert_int_equal(d.controls->moved[1].step, OCLMM_STEP_EVERYWHERE);
	all = d.controls->moved[1].program;
	for (uint32_t t = 0; t < 3; t++) {
		const struct oclmm_statement *a = test->threads[t].body;
		const struct oclmm_statement *b = all->threads[t].body;

		assert_int_equal(a->position.line == b->position.line, t == 0);
		if (t > 0)
			assert_int_equal(a->next->position.line, b->position.line);
	}
	finish(&d);
	/* of one it is the one */
	derive(&d, text, 1);
	assert_int_equal(d.controls->count, 1);
	assert_int_equal(d.controls->moved[0].step, OCLMM_STEP_EVERYWHERE);
	finish(&d);
}

static bool has_value(const struct oclmm_outcome_domain *domain, int64_t value)
{
	for (uint32_t i = 0; i < domain->count; i++) {
		if (domain->values[i] == value)
			return true;
	}
	return false;
}

/* The half that is stored first shows what no store of the test ever wrote; the outcomes of the
 * test stay. */
TEST(test_space)
{
	static const char text[] =
		"OPENCL T\n{ [x] = 0; }\n"
		"P0@wg 0 (global atomic_long *x) {\n"
		"  atomic_store_explicit(x, 0x200000001l, memory_order_relaxed);\n"
		"}\nP1@wg 1 (global atomic_long *x) {\n"
		"  long r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
		"}\nexists (1:r0=1)\n";
	static const int64_t wanted[] = {0, 1, INT64_C(0x200000001)};
	const struct oclmm_outcome_space *usual, *space;
	struct derived d;

	derive(&d, text, 2);
	assert_int_equal(d.controls->moved[0].step, OCLMM_STEP_HALVES);
	usual = &oclmm_expected_at(d.file, 0)->space;
	space = d.controls->moved[0].space;
	assert_int_equal(usual->size, 2);
	assert_int_equal(space->observable_count, 1);
	assert_int_equal(space->size, 3);
	assert_true(d.controls->moved[0].whole);
	for (uint32_t i = 0; i < 3; i++) {
		assert_true(space->domains[0].values[i] == wanted[i]);
		assert_int_equal(oclmm_outcome_index(space, &wanted[i]), i);
	}
	for (uint32_t i = 0; i < usual->domains[0].count; i++)
		assert_true(has_value(&space->domains[0], usual->domains[0].values[i]));
	finish(&d);
}

/* A step that shows no other values leaves the test's own outcomes, so that both are counted by
 * the same kernel. */
TEST(test_same_space)
{
	static const char text[] = HEAD "P0@wg 0 " PARAMETERS STORE("x", "1", "seq_cst")
		LOAD("r0", "y", "seq_cst") "}\nP1@wg 1 " PARAMETERS STORE("y", "1", "seq_cst")
			LOAD("r0", "x", "seq_cst") "}\nexists (0:r0=0 /\\ 1:r0=0)\n";
	struct derived d;

	derive(&d, text, 0);
	assert_true(d.controls->count > 0);
	for (uint32_t i = 0; i < d.controls->count; i++)
		assert_ptr_equal(d.controls->moved[i].space, &oclmm_expected_at(d.file, 0)->space);
	finish(&d);
}

TEST(test_nothing_forbidden)
{
	static const char text[] = HEAD
		"P0@wg 0 " PARAMETERS STORE("x", "1", "relaxed") "}\nP1@wg 1 " PARAMETERS LOAD(
			"r0", "x", "relaxed") "}\nexists (1:r0=1)\n";
	struct oclmm_controls *controls = NULL;
	struct derived d;

	ask(&d, text);
	assert_int_equal(oclmm_controls_derive(d.litmus->variants[0].program,
	                                       oclmm_expected_at(d.file, 0), 0, &controls),
	                 -ENOENT);
	assert_null(controls);
	finish(&d);
}

/* ---- texts that work-items share ---- */

#define KERNEL(items, body)                                                                        \
	"OPENCL T\n{ out[4]; s[4]; n = 2; }\n"                                                     \
	"kernel@wg 0, li 0.." items " (global int *out, int n, local int *s) {\n"                  \
	"  int l = get_local_id(0), a = l + 1;\n" body "  out[l] = a;\n}\n"                        \
	"locations [out;]\nexists (out[0]=-1)\n"
#define BARRIER "  barrier(CLK_LOCAL_MEM_FENCE);\n"

/* `a` is 1 2 3 4, and what each does behind the barrier adds 10. */
TEST(test_rest_of_a_branch)
{
	static const char *const names[] = {
		"private-lost-3", "private-lost-3b", "rest-lost-3", "rest-twice-3",
		"rest-first-3",   "none-enters-2",   NULL};

	check_names(KERNEL("3", "  if (n == 2) {\n" BARRIER "    a += 10;\n  }\n"), 0, names);
	check_names(KERNEL("3", "  if (n == 2) {\n" BARRIER "    a += 10;\n  }\n"), 1,
	            (const char *const[]){"private-lost-3", NULL});
}

/* What others hand on: without the barrier it is late, and an access that moves over it is, too.
 * Where work-items are lanes of one instruction both would go unseen: they stand behind. */
TEST(test_handed_on)
{
	static const char *const names[] = {"private-lost-3",
	                                    "private-lost-3b",
	                                    "private-lost-5",
	                                    "private-lost-5b",
	                                    "rest-lost-3",
	                                    "rest-lost-5",
	                                    "rest-twice-5",
	                                    "rest-first-3",
	                                    "rest-first-5",
	                                    "barrier-lost-5",
	                                    "access-early-5",
	                                    "access-late-5",
	                                    NULL};

	check_names(KERNEL("3", "  s[l] = 0;\n" BARRIER "  s[l] = a;\n" BARRIER
	                        "  a += s[(l + 1) % 4];\n"),
	            0, names);
}

/* Each writes to one of two objects, and the next one reads what it wrote. */
TEST(test_chosen_pointer)
{
	static const char *const names[] = {"private-lost-5", "rest-lost-5",
	                                    "rest-twice-5",   "rest-first-5",
	                                    "pointer-same-3", "pointer-same-3b",
	                                    "barrier-lost-5", "access-early-5",
	                                    "access-late-5",  NULL};

	check_names("OPENCL T\n{ out[4]; s[4] = {0}; u[4] = {0}; }\n"
	            "kernel@wg 0, li 0..3 (global int *out, local int *s, local int *u) {\n"
	            "  const int l = get_local_id(0);\n  int a = l + 1;\n"
	            "  local int *p = l & 1 ? s : u;\n  p[l] = a;\n" BARRIER
	            "  a += l & 1 ? u[(l + 1) % 4] : s[(l + 1) % 4];\n  out[l] = a;\n}\n"
	            "locations [out;]\nexists (out[0]=-1)\n",
	            0, names);
}

/* Alone in its group, nobody misses a barrier. The `break` in turn 0 leaves 1, without it there are
 * three turns. */
TEST(test_jump)
{
	static const char *const names[] = {"private-lost-6", "rest-lost-6",
	                                    "rest-twice-6",   "all-enter-3",
	                                    "none-enters-3",  "turn-twice-2",
	                                    "jump-lost-4",    NULL};

	check_names(KERNEL("0", "  for (int i = 0; i < 3; i++) {\n    if (i == n) {\n"
	                        "      break;\n    }\n" BARRIER "    a += 1;\n  }\n"),
	            0, names);
}
