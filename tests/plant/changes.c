// SPDX-License-Identifier: Apache-2.0
/* What plants make of a program: what must change, and what must not. */
#include <string.h>

#include "../fixture/test.h"

#include "oclmm/syntax.h"
#include "plant/plant.h"

#define STORE(object, order)                                                                       \
	"atomic_store_explicit(" object ", 1, memory_order_" order ", memory_scope_device);\n"
#define ACQUIRE              ", memory_order_acquire, memory_scope_device)"
#define LOADED(object)       "atomic_load_explicit(" object ACQUIRE
#define LOAD(target, object) target " = " LOADED(object) ";\n"
#define ADD(object)                                                                                \
	"atomic_fetch_add_explicit(" object ", 1, memory_order_acq_rel, memory_scope_device)"
#define FENCE(order)                                                                               \
	"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_" order ", "                    \
	"memory_scope_device);\n"
#define BOTH "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"

/* A thread with objects of each kind, and its statements. */
static struct oclmm_litmus *parse(const char *body)
{
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error = {0};
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_text_printf(
		&text,
		"OPENCL t\n\"t\"\n%s{ [x] = 0; [y] = 0; [d] = 0; [w] = 0; [c] = 0; [l] = 0; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y, global int *d, "
		"global atomic_long *w, global int *c, local atomic_int *l) {\n"
		"int r = 0;\nint q = 0;\nint e = 0;\n%s}\nexists (0:r=0)\n",
		strstr(body, "while") ? "unroll 2\n" : "", body);
	if (oclmm_litmus_parse("t", text.data, text.length, NULL, &error, &litmus) < 0)
		fail_msg("%s in %s", error.message, body);
	oclmm_text_finish(&text);
	return litmus;
}

/* The statements of a thread behind its declarations. */
static void print(struct oclmm_text *text, const struct oclmm_program *program)
{
	struct oclmm_text whole;
	const char *first, *last;

	oclmm_text_init(&whole);
	oclmm_program_print(&whole, program);
	first = strstr(oclmm_text_string(&whole), ") {\n");
	last = strstr(first, "\n}");
	oclmm_text_add_bytes(text, first + 4, (size_t)(last + 1 - first - 4));
	oclmm_text_finish(&whole);
}

static struct oclmm_mutation mutation_of(const char *choice)
{
	char message[PLANT_MESSAGE];
	struct plant plant;

	assert_true(plant_parse(choice, &plant, message));
	return plant.mutation;
}

static size_t change(const char *choice, const struct oclmm_program *program,
                     struct oclmm_text *text, bool *ret_marked)
{
	const struct oclmm_mutation mutation = mutation_of(choice);
	struct oclmm_arena *arena = oclmm_arena_create();
	const struct oclmm_changed changed = oclmm_change_program(arena, program, &mutation);

	print(text, changed.program);
	*ret_marked = changed.marked;
	oclmm_arena_destroy(arena);
	return changed.places;
}

/* The text of the changed program is that of another one. */
static void expect(const char *choice, const char *body, const char *wanted, size_t places)
{
	struct oclmm_litmus *litmus = parse(body), *other = parse(wanted);
	struct oclmm_text now = {0}, then = {0};
	bool marked;

	assert_int_equal(change(choice, litmus->variants[0].program, &now, &marked), places);
	print(&then, other->variants[0].program);
	assert_string_equal(oclmm_text_string(&now), oclmm_text_string(&then));
	assert_false(marked);
	oclmm_text_finish(&now);
	oclmm_text_finish(&then);
	oclmm_litmus_destroy(litmus);
	oclmm_litmus_destroy(other);
}

static void expect_same(const char *choice, const char *body)
{
	expect(choice, body, body, 0);
}

/* So many calls are left to the kernel's writer. */
static void expect_marked(const char *choice, const char *body, size_t places)
{
	struct oclmm_litmus *litmus = parse(body);
	struct oclmm_text text = {0};
	bool marked;

	assert_int_equal(change(choice, litmus->variants[0].program, &text, &marked), places);
	assert_int_equal(marked, places > 0);
	oclmm_text_finish(&text);
	oclmm_litmus_destroy(litmus);
}

/* What a changed program shows is in the text; a register that is new is declared in it. */
static void expect_text(const char *choice, const char *body, const char *part)
{
	struct oclmm_litmus *litmus = parse(body);
	struct oclmm_text text = {0};
	bool marked;

	assert_int_equal(change(choice, litmus->variants[0].program, &text, &marked), 1);
	if (!strstr(oclmm_text_string(&text), part))
		fail_msg("no \"%s\" in\n%s", part, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	oclmm_litmus_destroy(litmus);
}

TEST(weakens_orders)
{
	expect("release-to-relaxed", STORE("x", "release"), STORE("x", "relaxed"), 1);
	expect("all-relaxed", "r = " ADD("x") ";\n" FENCE("seq_cst"),
	       "r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "
	       "memory_scope_device);\n" FENCE("relaxed"),
	       2);
	/* an order, and a fence that is left out; scopes where they are meant, too */
	expect("nothing-orders", "r = " ADD("x") ";\n" FENCE("seq_cst") STORE("y", "release"),
	       "r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "
	       "memory_scope_device);\n" STORE("y", "relaxed"),
	       3);
	expect("nothing-orders:scopes", STORE("x", "relaxed"),
	       "atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);", 1);
	/* without orders, and one call in another one's operand */
	expect("sc-to-acq-rel", "atomic_store(x, atomic_fetch_add(y, 1));\n",
	       "atomic_store_explicit(x, atomic_fetch_add_explicit(y, 1, memory_order_acq_rel, "
	       "memory_scope_device), memory_order_release, memory_scope_device);\n",
	       2);
	expect("sc-to-acq-rel", "q = atomic_compare_exchange_weak(x, &e, 1);\n",
	       "q = atomic_compare_exchange_weak_explicit(x, &e, 1, memory_order_acq_rel, "
	       "memory_order_acquire, memory_scope_device);\n",
	       1);
	expect("short-relaxed", "atomic_store(x, 1);\n" STORE("y", "seq_cst"),
	       STORE("x", "relaxed") STORE("y", "seq_cst"), 1);
	expect_same("release-to-relaxed", STORE("x", "seq_cst"));
	expect("fence-narrowed:global", "mem_fence(" BOTH ");\n",
	       "mem_fence(CLK_GLOBAL_MEM_FENCE);\n", 1);
	expect("fence-removed", "*d = 1;\n" FENCE("release"), "*d = 1;\n", 1);
	expect("mem-fence-empty", "*d = 1;\nread_mem_fence(CLK_GLOBAL_MEM_FENCE);\n", "*d = 1;\n",
	       1);
	expect("scope-narrowed:sub_group", STORE("x", "relaxed"),
	       "atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_sub_group);\n", 1);
}

TEST(halves_fences)
{
	expect("fence-to-acquire", FENCE("acq_rel"), FENCE("acquire"), 1);
	expect("fence-to-release", FENCE("seq_cst"), FENCE("release"), 1);
	expect_same("fence-to-acquire", FENCE("release"));
	expect("fence-once", FENCE("acquire") "*d = 1;\n" FENCE("acquire") FENCE("release"),
	       FENCE("acquire") "*d = 1;\n" FENCE("release"), 1);
}

TEST(changes_flags_of_barriers)
{
	expect("barrier-no-fence", "barrier(CLK_LOCAL_MEM_FENCE);\n", "barrier(0);\n", 1);
	expect_same("barrier-no-fence", "barrier(0);\n");
	expect("barrier-swapped", "barrier(CLK_LOCAL_MEM_FENCE);\n",
	       "barrier(CLK_GLOBAL_MEM_FENCE);\n", 1);
	expect_same("barrier-swapped", "barrier(" BOTH ");\n");
	/* they stay where they are: launches have as many */
	expect_marked("barrier-removed", "barrier(0);\n", 1);
	expect_marked("small-barrier:4", "barrier(0);\n", 1);
	expect_marked("group-barrier",
	              "work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n", 1);
	expect_same("small-barrier", "mem_fence(CLK_GLOBAL_MEM_FENCE);\n");
}

#define HALVES(first, second)                                                                      \
	"intel_work_group_barrier_arrive(" first ");\nintel_work_group_barrier_wait(" second ");\n"
#define SPLIT(first, second) HALVES("CLK_" first "_MEM_FENCE", "CLK_" second "_MEM_FENCE")

/* Each plant is in its half alone. */
TEST(changes_halves_of_barriers)
{
	expect("split-arrive-no-fence", SPLIT("LOCAL", "LOCAL"), HALVES("0", "CLK_LOCAL_MEM_FENCE"),
	       1);
	expect("split-wait-no-fence", SPLIT("LOCAL", "LOCAL"), HALVES("CLK_LOCAL_MEM_FENCE", "0"),
	       1);
	expect("split-arrive-swapped", SPLIT("LOCAL", "LOCAL"), SPLIT("GLOBAL", "LOCAL"), 1);
	expect("split-wait-swapped", SPLIT("GLOBAL", "GLOBAL"), SPLIT("GLOBAL", "LOCAL"), 1);
	expect_same("split-wait-swapped", HALVES("CLK_LOCAL_MEM_FENCE", BOTH));
	expect_marked("split-wait-removed", SPLIT("LOCAL", "LOCAL"), 1);
	expect_marked("barrier-removed", SPLIT("LOCAL", "LOCAL"), 2);
	for (const char *const *plant =
	             (const char *const[]){"split-arrive-no-fence", "split-arrive-swapped",
	                                   "split-wait-no-fence", "split-wait-swapped",
	                                   "split-wait-removed", NULL};
	     *plant; plant++)
		expect_same(*plant, "barrier(CLK_LOCAL_MEM_FENCE);\n");
}

TEST(loads_for_updates_of_nothing)
{
	expect("zero-to-load", "r = atomic_fetch_add(x, 0);\n",
	       "r = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n", 1);
	expect_marked("zero-to-load", "r = atomic_fetch_and(x, q);\n", 1);
	expect_same("zero-to-load", "atomic_fetch_add(x, 1);\natomic_fetch_min(x, 0);\n");
	expect_marked("same-to-load", "r = atomic_compare_exchange_strong(x, &e, q);\n", 1);
}

TEST(reaches_other_objects)
{
	expect_marked("element-before", STORE("x", "relaxed"), 1);
	expect_same("element-before", "atomic_inc(c);\nmem_fence(CLK_GLOBAL_MEM_FENCE);\n");
	expect_same("element-before", "atomic_store(w, 1);\n");
	expect_marked("torn", "atomic_store(w, 1);\natomic_store(x, 1);\n", 1);
	expect_marked("torn:16", "atomic_store(w, 1);\natomic_store(x, 1);\n", 2);
}

/* Of a loop whose register is given what is loaded, and of no other. */
TEST(loads_once)
{
	expect_marked("load-once", "while (r == 0) {\n" LOAD("r", "x") "}\n", 1);
	expect_same("load-once", LOAD("r", "x"));
	expect_same("load-once", "while (r == 0) {\nr = atomic_load(x) + 1;\n}\n");
}

TEST(swaps_neighbours)
{
	expect("stores-swapped", STORE("x", "relaxed") STORE("y", "release"),
	       STORE("y", "release") STORE("x", "relaxed"), 1);
	expect("load-early", STORE("x", "seq_cst") LOAD("r", "y"),
	       LOAD("r", "y") STORE("x", "seq_cst"), 1);
	expect("loads-swapped", LOAD("r", "x") LOAD("q", "y"), LOAD("q", "y") LOAD("r", "x"), 1);
	expect("loads-reversed", LOAD("r", "x") LOAD("q", "x"), LOAD("q", "x") LOAD("r", "x"), 1);
	/* each is in one pair */
	expect("stores-swapped", STORE("x", "relaxed") STORE("y", "release") STORE("x", "relaxed"),
	       STORE("y", "release") STORE("x", "relaxed") STORE("x", "relaxed"), 1);
}

TEST(keeps_dependencies)
{
	expect_same("loads-swapped", LOAD("r", "x") LOAD("r", "y"));
	expect_same("store-early",
	            LOAD("r", "x") "atomic_store_explicit(y, r, memory_order_relaxed, "
	                           "memory_scope_device);\n");
	expect_same("stores-swapped", STORE("x", "relaxed") STORE("x", "release"));
	/* what stands between keeps them apart; so does a branch that has only one of them */
	expect_same("stores-swapped",
	            STORE("x", "relaxed") "mem_fence(CLK_GLOBAL_MEM_FENCE);\n" STORE("y",
	                                                                             "release"));
	expect_same("stores-swapped",
	            "if (r) {\n" STORE("x", "relaxed") "}\n" STORE("y", "release"));
	expect_same("stores-swapped", STORE("x", "relaxed") "barrier(0);\n" STORE("y", "release"));
	expect_same("update-late",
	            "q = atomic_compare_exchange_strong(x, &e, 1);\natomic_store(y, e);\n");
}

TEST(reuses_loads)
{
	expect("load-reused", LOAD("r", "x") "*d = 1;\n" LOAD("q", "x"),
	       LOAD("r", "x") "*d = 1;\nq = r;\n", 1);
	/* each is answered by what stood before it */
	expect("load-reused", LOAD("r", "x") LOAD("q", "x") LOAD("e", "x"),
	       LOAD("r", "x") "q = r;\ne = q;\n", 2);
	expect_same("load-reused", LOAD("r", "x") "r = 3;\n" LOAD("q", "x"));
	expect_same("load-reused", LOAD("r", "x") "if (r) {\n*d = 1;\n}\n" LOAD("q", "x"));
	expect_same("load-reused", LOAD("r", "x") "barrier(0);\n" LOAD("q", "x"));
}

TEST(moves_updates_and_fences)
{
	expect("update-early", STORE("x", "relaxed") ADD("y") ";\n",
	       ADD("y") ";\n" STORE("x", "relaxed"), 1);
	expect("update-late", ADD("y") ";\n" LOAD("r", "x"), LOAD("r", "x") ADD("y") ";\n", 1);
	expect("fence-early", "*d = 1;\n" FENCE("release") STORE("y", "relaxed"),
	       FENCE("release") "*d = 1;\n" STORE("y", "relaxed"), 1);
	expect("fence-late", "*d = 1;\n" FENCE("release") STORE("y", "relaxed"),
	       "*d = 1;\n" STORE("y", "relaxed") FENCE("release"), 1);
	expect("plain-late", "*d = 1;\n" STORE("y", "release"), STORE("y", "release") "*d = 1;\n",
	       1);
	expect_same("update-late", "r = " ADD("y") ";\nq = atomic_load(x) + r;\n");
	expect_same("update-early", STORE("x", "relaxed") ADD("x") ";\n");
}

TEST(takes_accesses_out_of_branches)
{
	expect_text("guarded-early", LOAD("r", "y") "if (r == 1) {\nq = *d;\n}\n",
	            "int part0 = *d;\n  r = " LOADED(
			    "y") ";\n  if (r == 1) {\n    q = part0;\n  }\n");
	expect_text("guarded-early", LOAD("r", "y") FENCE("acquire") "if (r == 1) {\nq = *d;\n}\n",
	            "int part0 = *d;\n  r = ");
	expect_text(
		"store-invented", "if (r) {\n*d = 1;\n}\n",
		"int part0 = *d;\n  *d = 1;\n  if (!r) {\n    *d = part0;\n  }\n  if (r) {\n  }\n");
	expect_text("store-invented", "if (r) {\natomic_store(x, 1);\n}\n",
	            "int part0 = atomic_load_explicit(x, memory_order_relaxed, "
	            "memory_scope_work_group);\n");
	expect_same("guarded-early", LOAD("r", "y") "*d = 1;\nif (r == 1) {\nq = *d;\n}\n");
	expect_same("store-invented", "if (r) {\nq = *d;\n}\n");
}

TEST(knows_what_was_stored)
{
	expect("store-forwarded", STORE("x", "relaxed") LOAD("r", "y") LOAD("q", "x"),
	       STORE("x", "relaxed") LOAD("r", "y") "q = 1;\n", 1);
	expect_same("store-forwarded", STORE("x", "relaxed") ADD("x") ";\n" LOAD("q", "x"));
	expect_same("store-forwarded", "*d = e;\ne = 2;\nq = *d;\n");
	expect("update-forwarded", "r = " ADD("x") ";\n" LOAD("q", "x"),
	       "r = " ADD("x") ";\nq = r + 1;\n", 1);
	expect_same("update-forwarded", "*d = 1;\nr = *d;\n");
	expect("same-dropped", LOAD("r", "x") "atomic_store(x, r);\n", LOAD("r", "x"), 1);
	expect("same-dropped", STORE("x", "relaxed") STORE("y", "relaxed") STORE("x", "release"),
	       STORE("x", "relaxed") STORE("y", "relaxed"), 1);
	expect("store-dropped", STORE("x", "relaxed") STORE("y", "release") STORE("x", "relaxed"),
	       STORE("y", "release") STORE("x", "relaxed"), 1);
	expect("store-dropped", STORE("x", "relaxed") "r = atomic_exchange(x, 2);\n",
	       "r = atomic_exchange(x, 2);\n", 1);
	expect_same("store-dropped", STORE("x", "relaxed") LOAD("r", "x") STORE("x", "relaxed"));
	expect("store-repeated", STORE("x", "relaxed") LOAD("r", "y"),
	       STORE("x", "relaxed") LOAD("r", "y") STORE("x", "relaxed"), 1);
	expect("load-repeated", LOAD("r", "x") "if (r == 1) {\n*d = 2;\n}\n",
	       LOAD("r", "x") "if (" LOADED("x") " == 1) {\n*d = 2;\n}\n", 1);
	expect_same("load-repeated", LOAD("r", "x") "r = 2;\n*d = r;\n");
	expect("load-stored", LOAD("r", "x"),
	       LOAD("r", "x") "atomic_store_explicit(x, r, memory_order_relaxed, "
	                      "memory_scope_device);\n",
	       1);
}

TEST(knows_unused_results)
{
	expect("exchange-to-store", "atomic_exchange(x, 1);\n", "atomic_store(x, 1);\n", 1);
	expect("exchange-to-store",
	       "atomic_exchange_explicit(x, 1, memory_order_acq_rel, memory_scope_device);\n",
	       STORE("x", "release"), 1);
	expect_same("exchange-to-store", "r = atomic_exchange(x, 1);\n");
	expect_same("exchange-to-store", "atomic_store(y, atomic_exchange(x, 1));\n");
	expect_same("legacy-split", "atomic_inc(c);\nif (r) {\natomic_add(c, 1);\n}\n");
	expect_marked("legacy-split", "r = atomic_inc(c);\n", 1);
	expect_marked("legacy-split:all", "atomic_inc(c);\n", 1);
	expect("unused-relaxed", "r = " ADD("x") ";\n" ADD("y") ";\n",
	       "r = " ADD("x") ";\natomic_fetch_add_explicit(y, 1, memory_order_relaxed, "
	                       "memory_scope_device);\n",
	       1);
}

TEST(knows_where_calls_are)
{
	expect_marked("local-plain",
	              "atomic_store_explicit(l, 1, memory_order_relaxed, "
	              "memory_scope_work_group);\n",
	              1);
	expect_same("local-plain", STORE("x", "relaxed") "atomic_inc(c);\n");
	expect("branch-relaxed", "if (r) {\natomic_store(x, 1);\n}\n" STORE("y", "release"),
	       "if (r) {\natomic_store_explicit(x, 1, memory_order_relaxed, "
	       "memory_scope_device);\n}\n" STORE("y", "release"),
	       1);
	expect_marked("branch-split", "if (r) {\n" ADD("x") ";\n}\n" ADD("x") ";\n", 1);
	expect_marked("mixed-split", ADD("x") ";\natomic_exchange(x, 2);\n" ADD("y") ";\n", 2);
	expect_marked("stored-split", ADD("x") ";\natomic_store(x, 2);\n" ADD("y") ";\n", 1);
	expect("other-relaxed", "atomic_store(x, 1);\natomic_store(y, 2);\n",
	       "atomic_store(x, 1);\natomic_store_explicit(y, 2, memory_order_relaxed, "
	       "memory_scope_device);\n",
	       1);
	expect_marked("other-relaxed", "atomic_store(y, r);\n", 1);
	expect_marked("odd-relaxed", "atomic_store(y, r);\n" FENCE("release"), 2);
	expect_marked("rare-relaxed", "atomic_store(y, r);\n" FENCE("release"), 1);
	expect_same("odd-relaxed", STORE("x", "relaxed"));
	expect("wide-relaxed", "atomic_store(w, 1);\natomic_store(x, 1);\n",
	       "atomic_store_explicit(w, 1, memory_order_relaxed, memory_scope_device);\n"
	       "atomic_store(x, 1);\n",
	       1);
}

/* A mistake of operations is in no fence, and of OpenCL 1.x only where that is said. */
TEST(leaves_fences)
{
	for (int bug = 0; bug < PLANT_COUNT; bug++) {
		if (plant_is_mistake((enum plant_bug)bug))
			expect_same(plant_descriptions[bug].name,
			            "mem_fence(CLK_LOCAL_MEM_FENCE);\nbarrier(0);\n"
			            "atomic_inc(c);\n" FENCE("acquire"));
	}
	expect_marked("as-or:inc", "atomic_inc(c);\n", 1);
	expect_marked("as-or", ADD("x") ";\n", 1);
	expect_same("as-add", ADD("x") ";\n");
}

/* Whatever is planted, launches of the program fit: its meetings stay. */
TEST(keeps_meetings)
{
	struct oclmm_litmus *litmus = parse(
		STORE("x", "release") "barrier(CLK_LOCAL_MEM_FENCE);\n" LOAD(
			"r",
			"x") "work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n");

	for (int bug = 0; bug < PLANT_COUNT; bug++) {
		const struct oclmm_mutation mutation = mutation_of(plant_descriptions[bug].name);
		struct oclmm_arena *arena = oclmm_arena_create();
		const struct oclmm_program *program = litmus->variants[0].program;
		unsigned meetings = 0;

		program = oclmm_change_program(arena, program, &mutation).program;
		for (const struct oclmm_statement *s = program->threads[0].body; s; s = s->next)
			meetings += s->kind == OCLMM_STATEMENT_BARRIER;
		assert_int_equal(meetings, 2);
		oclmm_arena_destroy(arena);
	}
	oclmm_litmus_destroy(litmus);
}
