// SPDX-License-Identifier: Apache-2.0
/* Every mistake of the table is a plant, in the same functions; only those that take steps are
 * plants of other names (rmw-split, cas-split, legacy-split, torn). */
#include <string.h>

#include "../fixture/test.h"

#include "mistake.h"
#include "plant/plant.h"

/* The function that a plant names, as the table has it; of several types any will do. */
static struct site site_of(const char *name)
{
	static const struct {
		const char *name;
		enum oclmm_operation op;
	} legacy[] = {
		{"add", OCLMM_OP_FETCH_ADD},      {"sub", OCLMM_OP_FETCH_SUB},
		{"xchg", OCLMM_OP_EXCHANGE},      {"inc", OCLMM_OP_FETCH_ADD},
		{"dec", OCLMM_OP_FETCH_SUB},      {"min", OCLMM_OP_FETCH_MIN},
		{"max", OCLMM_OP_FETCH_MAX},      {"and", OCLMM_OP_FETCH_AND},
		{"or", OCLMM_OP_FETCH_OR},        {"xor", OCLMM_OP_FETCH_XOR},
		{"cmpxchg", OCLMM_OP_CAS_STRONG},
	};
	struct site site = {.type = OCLMM_TYPE_LONG, .used = true};

	if (strncmp(name, "flag_", 5) == 0)
		site.type = OCLMM_TYPE_FLAG;
	for (size_t i = 0; i < OCLMM_COUNT(legacy); i++) {
		if (strcmp(legacy[i].name, name) == 0) {
			site.op = legacy[i].op;
			site.form = FORM_LEGACY;
			site.by_one = !strcmp(name, "inc") || !strcmp(name, "dec");
			return site;
		}
	}
	for (int op = 0; op < OCLMM_OP_COUNT; op++) {
		if (strcmp(oclmm_operation_stem((enum oclmm_operation)op) + 7, name) == 0)
			site.op = (enum oclmm_operation)op;
	}
	return site;
}

static enum plant_bug find_plant(const char *word)
{
	for (int i = 0; i < PLANT_COUNT; i++) {
		if (strcmp(plant_descriptions[i].name, word) == 0)
			return (enum plant_bug)i;
	}
	return PLANT_COUNT;
}

TEST(mistakes_are_plants)
{
	unsigned count = 0;

	for (int m = MISTAKE_NONE + 1; m < MISTAKE_COUNT; m++) {
		enum plant_bug bug = find_plant(mistake_word((enum mistake)m));

		if (m == MISTAKE_SPLIT || m == MISTAKE_TORN)
			continue;
		assert_int_not_equal(bug, PLANT_COUNT);
		assert_true(plant_is_mistake(bug));
		count++;
	}
	for (int i = 0; i < PLANT_COUNT; i++)
		count -= plant_is_mistake((enum plant_bug)i);
	assert_int_equal(count, 0);
}

TEST(in_the_same_functions)
{
	for (int m = MISTAKE_NONE + 1; m < MISTAKE_COUNT; m++) {
		enum plant_bug bug = find_plant(mistake_word((enum mistake)m));
		const struct oclmm_function *function;
		char message[PLANT_MESSAGE];
		struct plant plant;

		if (bug == PLANT_COUNT || !plant_is_mistake(bug))
			continue;
		assert_true(plant_parse(mistake_word((enum mistake)m), &plant, message));
		/* those of atomic objects and of OpenCL 1.x stand before all others */
		for (size_t i = 0;
		     (function = oclmm_function_at(i)) && function->kind != OCLMM_FUNCTION_FENCE;
		     i++) {
			const char *name = function->name;
			bool concerned = oclmm_function_concerned(plant.mutation.what, function);
			struct site site = site_of(name);
			bool wanted = mistake_concerns((enum mistake)m, &site) &&
			              !mistake_hidden((enum mistake)m, &site);

			if (concerned != wanted)
				print_message("%s:%s\n", mistake_word((enum mistake)m), name);
			assert_int_equal(concerned, wanted);
		}
	}
}
