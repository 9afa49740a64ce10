// SPDX-License-Identifier: Apache-2.0
/* What is chosen when a plant is named: its calls, its numbers, and all ways to narrow it. */
#include <string.h>

#include "../fixture/test.h"

#include "oclmm/syntax.h"
#include "plant/plant.h"

/* One call of each kind. */
static const char calls[] =
	"OPENCL t\n\"t\"\n{ [a] = 0; [b] = 0; [c] = 0; [d] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *a, local atomic_long *b, global atomic_long *c, global "
	"atomic_int *d) {\n"
	"atomic_init(d, 1);\n"
	"int r = atomic_load_explicit(a, memory_order_acquire, memory_scope_device);\n"
	"long s = atomic_load_explicit(b, memory_order_acquire, memory_scope_work_group);\n"
	"s = atomic_fetch_min_explicit(c, 1, memory_order_acq_rel, memory_scope_sub_group);\n"
	"atomic_store(c, 2);\n"
	"atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, "
	"memory_scope_device);\n"
	"barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
	"work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n"
	"sub_group_barrier(0); }\nexists (0:r=0)\n";

/* How many of them a plant that is narrowed takes. */
static const struct {
	const char *choice;
	size_t places;
} narrowed[] = {
	{"all-relaxed", 5},
	{"all-relaxed@load", 2},
	{"all-relaxed@32", 1},
	{"all-relaxed@64", 3},
	{"all-relaxed@local", 2}, /* the fence, too */
	{"all-relaxed@local,64", 1},
	{"all-relaxed@load,global", 1},
	{"all-relaxed@acquire", 3},
	{"all-relaxed@acq_rel,sub_group,fetch_min", 1},
	{"all-relaxed@fetch_max", 0},
	{"all-relaxed@short", 1},
	{"all-relaxed@full,64", 2},
	{"all-relaxed@seq_cst,device", 1},
	{"release-to-relaxed@fetch_min", 1},
	{"scope-narrowed@64", 1},
	{"scope-narrowed:sub_group@local,load", 1},
	{"fence-removed@local,acquire", 1},
	{"fence-removed@both", 0},
	{"barrier-removed", 3},
	{"barrier-removed@barrier", 1},
	{"barrier-removed@both,short", 1},
	{"barrier-removed@device,full", 1},
	{"barrier-removed@none,sub_group_barrier", 1},
	{"all-relaxed@long", 3},
	{"all-relaxed@int,load", 1},
	{"all-relaxed@uint", 0},
	{"init-lost@global", 1},
	{"init-lost@local", 0},
	{"operand-16@store", 1},
	{"operand-16:fetch_min@32", 0},
};

TEST(takes_some_calls)
{
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus;

	if (oclmm_litmus_parse("t", calls, strlen(calls), NULL, &error, &litmus) < 0)
		fail_msg("%s", error.message);
	for (size_t i = 0; i < OCLMM_COUNT(narrowed); i++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		char message[PLANT_MESSAGE];
		struct plant plant;
		size_t places;

		assert_true(plant_parse(narrowed[i].choice, &plant, message));
		places = oclmm_change_program(arena, litmus->variants[0].program, &plant.mutation)
		                 .places;
		if (places != narrowed[i].places)
			print_message("%s\n", narrowed[i].choice);
		assert_int_equal(places, narrowed[i].places);
		oclmm_arena_destroy(arena);
	}
	oclmm_litmus_destroy(litmus);
}

static void count_choice(void *data, const char *choice)
{
	char message[PLANT_MESSAGE];
	struct plant plant;
	size_t *count = data;

	assert_true(plant_parse(choice, &plant, message));
	assert_true(plant_is_narrowed(&plant));
	(*count)++;
}

static void note_number(void *data, const char *choice)
{
	char message[PLANT_MESSAGE];
	struct plant plant;

	assert_true(plant_parse(choice, &plant, message));
	if (plant.bug == PLANT_UPDATE_LOST)
		*(uint64_t *)data = plant.mutation.number;
}

TEST(crosses)
{
	size_t count = 0;
	uint64_t number;

	plant_cross(false, count_choice, &count);
	assert_true(count > 400);
	plant_cross(false, note_number, &number);
	assert_int_equal(number, 1000);
	plant_cross(true, note_number, &number);
	assert_int_equal(number, 1);
}

TEST(reads_choices)
{
	static const char *const refused[] = {"",
	                                      "nothing",
	                                      "all-relaxed:2",
	                                      "update-lost:0",
	                                      "update-lost:x",
	                                      "update-lost:4294967296",
	                                      "fence-narrowed:both",
	                                      "legacy-split:1",
	                                      "torn:12",
	                                      "scope-narrowed:device",
	                                      "torn@",
	                                      "torn@load,",
	                                      "torn@16",
	                                      "torn@load,store",
	                                      "event-early@load",
	                                      "none@load"};
	char message[PLANT_MESSAGE];
	struct plant plant;

	for (size_t i = 0; i < OCLMM_COUNT(refused); i++)
		assert_false(plant_parse(refused[i], &plant, message));
	for (int bug = 0; bug < PLANT_COUNT; bug++) {
		assert_true(plant_parse(plant_descriptions[bug].name, &plant, message));
		assert_int_equal(plant.bug, bug);
	}
	assert_true(plant_parse("update-lost:77", &plant, message));
	assert_int_equal(plant.mutation.number, 77);
}
