// SPDX-License-Identifier: Apache-2.0
/* Bugs that are drawn: the same by the same name, of every kind, and only where the rule says. */
#include <stdio.h>
#include <string.h>

#include "../fixture/test.h"

#include "oclmm/syntax.h"
#include "plant/draw.h"

enum { MANY = 6000 };

static bool is_same(const struct plant *a, const struct plant *b)
{
	struct oclmm_text first = {0}, second = {0};
	bool same;

	plant_where(a, &first);
	plant_where(b, &second);
	same = a->bug == b->bug &&
	       strcmp(oclmm_text_string(&first), oclmm_text_string(&second)) == 0;
	oclmm_text_finish(&first);
	oclmm_text_finish(&second);
	return same;
}

static void draw(unsigned seed, unsigned number, struct plant *ret_plant)
{
	char choice[PLANT_CHOICE];

	snprintf(choice, sizeof(choice), "drawn-%u-%u", seed, number);
	assert_true(plant_draw_parse(choice, ret_plant));
}

TEST(is_known_by_its_name)
{
	unsigned other_number = 0, other_seed = 0;

	for (unsigned i = 1; i <= 100; i++) {
		char choice[PLANT_CHOICE], message[PLANT_MESSAGE];
		struct plant drawn, named, other;

		draw(7, i, &drawn);
		snprintf(choice, sizeof(choice), "drawn-7-%u", i);
		assert_true(plant_parse(choice, &named, message));
		assert_true(named.drawn && named.seed == 7 && named.draw == i);
		assert_true(is_same(&drawn, &named));
		draw(7, i + 1, &other);
		other_number += !is_same(&drawn, &other);
		draw(8, i, &other);
		other_seed += !is_same(&drawn, &other);
	}
	assert_true(other_number > 90 && other_seed > 90);
}

TEST(refuses_other_names)
{
	static const char *const names[] = {"drawn-",
	                                    "drawn-1",
	                                    "drawn-1-",
	                                    "drawn-1-0",
	                                    "drawn-1-2x",
	                                    "drawn-1-2@load",
	                                    "drawn--1-2",
	                                    "drawn-1-2-3",
	                                    "drawn-0x1-2",
	                                    "drawn- 1-2",
	                                    "drawn-1-99999999999999999999999"};

	for (size_t i = 0; i < OCLMM_COUNT(names); i++) {
		char message[PLANT_MESSAGE] = "";
		struct plant plant;

		assert_false(plant_parse(names[i], &plant, message));
		assert_non_null(strstr(message, "is not drawn-SEED-NUMBER"));
	}
}

/* What the kernels' own counting, or nothing but a wait without an end, would show; and what few
 * texts have: a pointer that each work-item chooses. */
static bool is_left_out(enum oclmm_what what)
{
	return what == OCLMM_WHAT_NOTHING || what == OCLMM_WHAT_UNORDERED ||
	       what == OCLMM_WHAT_COUNT_LOST || what == OCLMM_WHAT_LOAD_ONCE ||
	       (what >= OCLMM_WHAT_FLOAT_BITS && what <= OCLMM_WHAT_FLOAT_EQUAL) ||
	       what == OCLMM_WHAT_COPY_STRIDE || what == OCLMM_WHAT_SPLIT ||
	       what >= OCLMM_WHAT_POINTER_SAME;
}

TEST(draws_every_what_and_where)
{
	bool whats[OCLMM_WHAT_COUNT] = {false}, wheres[OCLMM_WHERE_COUNT] = {false},
	     aspects[OCLMM_ASPECT_COUNT] = {false};

	for (unsigned i = 1; i <= MANY; i++) {
		struct plant plant;

		draw(1, i, &plant);
		whats[plant.mutation.what] = true;
		wheres[plant.mutation.where] = wheres[plant.mutation.also] = true;
		wheres[plant.launches] = true;
		for (int k = 0; k < OCLMM_ASPECT_COUNT; k++)
			aspects[k] |= plant.mutation.words[k] != NULL;
		/* the text is changed everywhere, or asks by itself */
		assert_true(plant.launches == OCLMM_WHERE_ANYWHERE ||
		            plant.mutation.where < OCLMM_WHERE_FIRST_GUARD);
		assert_true(plant.mutation.also < OCLMM_WHERE_FIRST_GUARD);
	}
	for (int i = 0; i < OCLMM_WHAT_COUNT; i++)
		assert_int_equal(whats[i], !is_left_out((enum oclmm_what)i));
	/* words say these: 64, short, local; few tests have split barriers; UNLIKE_ONE stands for
	 * OTHER */
	for (int i = 0; i < OCLMM_WHERE_COUNT; i++)
		assert_int_equal(wheres[i],
		                 i != OCLMM_WHERE_WIDE && i != OCLMM_WHERE_SHORT &&
		                         i != OCLMM_WHERE_LOCAL && i != OCLMM_WHERE_ARRIVE &&
		                         i != OCLMM_WHERE_WAIT && i != OCLMM_WHERE_OTHER);
	for (int i = 0; i < OCLMM_ASPECT_COUNT; i++)
		assert_true(aspects[i]);
}

static const char program[] =
	"OPENCL t\n\"t\"\n{ a[2] = {0, 0}; [b] = 0; [c] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *a, global atomic_int *b, global atomic_int *c) {\n"
	"atomic_store_explicit(&a[1], 1, memory_order_release, memory_scope_device);\n"
	"atomic_store_explicit(b, 2, memory_order_release, memory_scope_device);\n"
	"int r = atomic_load_explicit(b, memory_order_acquire, memory_scope_device);\n"
	"if (r == 2) { atomic_store_explicit(c, 1, memory_order_release, memory_scope_device); }\n"
	"atomic_fetch_add_explicit(c, 1, memory_order_acq_rel, memory_scope_device);\n"
	"int s = atomic_fetch_or_explicit(c, 4, memory_order_acq_rel, memory_scope_device);\n"
	"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, "
	"memory_scope_device); }\nexists (0:r=0)\n";

static const struct {
	enum oclmm_what what;
	enum oclmm_where also;
	unsigned number;
	size_t places;
} wheres[] = {
	{OCLMM_WHAT_RELAXED, OCLMM_WHERE_ANYWHERE, 0, 7},
	{OCLMM_WHAT_RELAXED, OCLMM_WHERE_NTH, 1, 1},
	{OCLMM_WHAT_RELAXED, OCLMM_WHERE_NTH, 8, 0},
	{OCLMM_WHAT_NO_ACQUIRE, OCLMM_WHERE_NTH, 2, 0},
	{OCLMM_WHAT_NO_ACQUIRE, OCLMM_WHERE_NTH, 3, 1},
	{OCLMM_WHAT_RELAXED, OCLMM_WHERE_LAST, 0, 1},
	{OCLMM_WHAT_NO_RELEASE, OCLMM_WHERE_LAST, 0, 0},
	{OCLMM_WHAT_FENCE_DROPPED, OCLMM_WHERE_LAST, 0, 1},
	{OCLMM_WHAT_FENCE_DROPPED, OCLMM_WHERE_NTH, 1, 0},
	{OCLMM_WHAT_RELAXED, OCLMM_WHERE_BRANCH, 0, 1},
	{OCLMM_WHAT_RELAXED, OCLMM_WHERE_LOOP, 0, 0},
	{OCLMM_WHAT_RELAXED, OCLMM_WHERE_ELEMENT, 0, 1},
	{OCLMM_WHAT_RELAXED, OCLMM_WHERE_UNUSED, 0, 1},
	{OCLMM_WHAT_RELAXED, OCLMM_WHERE_MIXED, 0, 3},
	{OCLMM_WHAT_SPLIT_FETCH, OCLMM_WHERE_STORED, 0, 2},
	{OCLMM_WHAT_RELAXED, OCLMM_WHERE_UNLIKE_ONE, 0, 1},
	{OCLMM_WHAT_STORES_SWAPPED, OCLMM_WHERE_ANYWHERE, 0, 1},
	{OCLMM_WHAT_STORES_SWAPPED, OCLMM_WHERE_ELEMENT, 0, 1},
	{OCLMM_WHAT_STORES_SWAPPED, OCLMM_WHERE_BRANCH, 0, 0},
	{OCLMM_WHAT_STORE_FORWARDED, OCLMM_WHERE_NTH, 3, 1},
	{OCLMM_WHAT_STORE_FORWARDED, OCLMM_WHERE_NTH, 1, 0},
};

TEST(acts_where_it_says)
{
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus;

	if (oclmm_litmus_parse("t", program, strlen(program), NULL, &error, &litmus) < 0)
		fail_msg("%s", error.message);
	for (size_t i = 0; i < OCLMM_COUNT(wheres); i++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		const struct oclmm_mutation mutation = {.what = wheres[i].what,
		                                        .also = wheres[i].also,
		                                        .also_number = wheres[i].number};
		size_t places =
			oclmm_change_program(arena, litmus->variants[0].program, &mutation).places;

		if (places != wheres[i].places)
			print_message("row %zu\n", i);
		assert_int_equal(places, wheres[i].places);
		/* a kernel's own calls are no statements of a test */
		assert_true(mutation.also == OCLMM_WHERE_ANYWHERE ||
		            oclmm_change_own(&mutation) == 0);
		oclmm_arena_destroy(arena);
	}
	oclmm_litmus_destroy(litmus);
}

/* What the launch decides is asked in the kernel, and the call is else what it should be. */
TEST(asks_in_the_kernel)
{
	static const struct {
		enum oclmm_what what;
		const char *lines[3];
	} whens[] = {
		{OCLMM_WHAT_NO_RELEASE,
	         {"#define oclmm_order_store_memory_order_release memory_order_relaxed\n",
	          "#define oclmm_order_update_memory_order_acq_rel memory_order_acquire\n",
	          "(oclmm_when(P, V) ? FN##_explicit(P, V, oclmm_order_store_##O, S) : CALL)\n"}},
		{OCLMM_WHAT_SCOPE,
	         {"#define oclmm_scope_memory_scope_device memory_scope_work_group\n",
	          "#define oclmm_scope_memory_scope_sub_group memory_scope_sub_group\n",
	          "(oclmm_when(P, V) ? FN##_explicit(P, O, oclmm_scope_##S) : CALL)\n"}},
		{OCLMM_WHAT_FENCE_TO_ACQUIRE,
	         {"#define oclmm_order_fence_memory_order_acq_rel memory_order_acquire\n",
	          "#define oclmm_order_fence_memory_order_release memory_order_release\n",
	          "(oclmm_when(0, 0) ? atomic_work_item_fence(FLAGS, oclmm_order_fence_##O, S) : "
	          "CALL)\n"}},
		{OCLMM_WHAT_FENCE_DROPPED,
	         {"(oclmm_when(0, 0) ? (void)0 : CALL)\n", "#define oclmm_when", ""}},
		{OCLMM_WHAT_OPERAND_16,
	         {"#define oclmm_when(P, V) (", "(oclmm_when(P, V) ? ({", " : CALL)\n"}},
	};

	for (size_t i = 0; i < OCLMM_COUNT(whens); i++) {
		const struct oclmm_mutation mutation = {.what = whens[i].what,
		                                        .where = OCLMM_WHERE_ODD_GROUP};
		struct oclmm_text text = {0};

		oclmm_change_macros(&mutation, &text);
		for (size_t k = 0; k < OCLMM_COUNT(whens[i].lines); k++)
			if (!strstr(oclmm_text_string(&text), whens[i].lines[k]))
				fail_msg("%s lacks %s", oclmm_text_string(&text),
				         whens[i].lines[k]);
		oclmm_text_finish(&text);
	}
}
