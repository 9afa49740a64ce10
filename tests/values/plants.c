// SPDX-License-Identifier: Apache-2.0
/* Every mistake of the table is a plant, in the same functions; only those that take steps are
 * plants of other names (rmw-split, cas-split, legacy-split, torn). What is written as statements
 * for a model does what the table says. */
#include <string.h>

#include "../fixture/test.h"

#include "mistake.h"
#include "oclmm/model.h"
#include "oclmm/syntax.h"
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

/* One operation alone on an object. */
static struct oclmm_litmus *write_test(const struct site *site, const struct input *input)
{
	const char *type = oclmm_type_name(site->type);
	bool cas = oclmm_operation_is_cas(site->op);
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};

	oclmm_text_printf(
		&text,
		"OPENCL t\n\"?\"\n{ [x] = %lld; }\nP0@wg 0, dev 0 (global atomic_%s *x) {\n"
		"%s e = %lld;\n%s v = %lld;\n%s r = %s_explicit(x, %sv, "
		"memory_order_relaxed, %smemory_scope_device);\n}\n"
		"locations [[x]; 0:r; 0:e;]\nexists (0:r=0)\n",
		(long long)input->old, type, type, (long long)input->expected, type,
		(long long)input->operand, cas ? "int" : type, oclmm_operation_stem(site->op),
		cas ? "&e, " : "", cas ? "memory_order_relaxed, " : "");
	if (oclmm_litmus_parse("t", text.data, text.length, NULL, &error, &litmus) < 0)
		fail_msg("%s in %s", error.message, text.data);
	oclmm_text_finish(&text);
	return litmus;
}

/* Of what the changed program does nothing is left to chance, and the table says the same. */
static void compare_effects(const struct oclmm_program *program, const struct effect *effect,
                            bool cas, const char *what)
{
	const int64_t wanted[] = {effect->stored, effect->result, effect->expected};
	static const char *const names[] = {"[x]", "0:r", "0:e"};
	const struct oclmm_check_options options = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};

	oclmm_program_print(&text, program);
	if (oclmm_litmus_parse("t", text.data, text.length, NULL, &error, &litmus) < 0)
		fail_msg("%s in %s", error.message, text.data);
	program = litmus->variants[0].program;
	assert_int_equal(oclmm_check(program, &options, &error, &answer), 0);
	assert_int_equal(answer->state_count, 1);
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const char *name = program->observables[i].name;

		for (size_t k = 0; k < (cas ? 3u : 2u); k++)
			if (strcmp(name, names[k]) == 0 && answer->states[0].values[i] != wanted[k])
				fail_msg("%s: %s is %lld, not %lld, in\n%s", what, name,
				         (long long)answer->states[0].values[i],
				         (long long)wanted[k], text.data);
	}
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
}

/* Whether the plant is written as statements there. */
static bool spell(const char *word, enum mistake mistake, const struct site *site,
                  const struct input *input)
{
	struct effect effect = mistake_effect(mistake, site, input);
	struct oclmm_litmus *litmus = write_test(site, input);
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_changed changed;
	char message[PLANT_MESSAGE];
	struct plant plant;
	bool spelled;

	assert_true(plant_parse(word, &plant, message));
	plant.mutation.spelled = true;
	changed = oclmm_change_program(arena, litmus->variants[0].program, &plant.mutation);
	spelled = changed.places > 0 && !changed.marked;
	if (spelled)
		compare_effects(changed.program, &effect, oclmm_operation_is_cas(site->op), word);
	oclmm_arena_destroy(arena);
	oclmm_litmus_destroy(litmus);
	return spelled;
}

TEST(are_spelled_as_the_table_says)
{
	static const struct input inputs[] = {
		{5, 3, 5},         {5, 3, 6},          {0, 0, 0},  {-7, 300, -7},
		{-1, -1, -1},      {7, 40000, 7},      {1, -1, 2}, {-300, 200, -301},
		{77777, 7, 77777}, {77777, -7, 12345}, {3, 3, 3},  {3, 3, 4},
	};
	static const enum oclmm_type types[] = {OCLMM_TYPE_INT, OCLMM_TYPE_UINT, OCLMM_TYPE_LONG,
	                                        OCLMM_TYPE_ULONG};
	static const enum oclmm_operation operations[] = {OCLMM_OP_EXCHANGE,  OCLMM_OP_FETCH_ADD,
	                                                  OCLMM_OP_FETCH_SUB, OCLMM_OP_FETCH_OR,
	                                                  OCLMM_OP_FETCH_XOR, OCLMM_OP_FETCH_AND,
	                                                  OCLMM_OP_FETCH_MIN, OCLMM_OP_FETCH_MAX,
	                                                  OCLMM_OP_CAS_STRONG};
	/* the others store parts of what they compute, or compute what no function does */
	static const char *const spelled[] = {
		"as-exchange",     "as-add",          "as-sub",          "as-or",
		"as-xor",          "as-and",          "as-min",          "as-max",
		"operand-8",       "operand-16",      "operand-32",      "operand-sign-8",
		"operand-sign-16", "operand-sign-32", "returns-operand", "swapped",
		"failure-writes",  "expected-kept",   "says-success",    "says-failure",
		"fails",           "succeeds",        "stores-narrow",   "stores-narrow-sign"};
	unsigned seen[MISTAKE_COUNT] = {0};

	for (int m = MISTAKE_NONE + 1; m < MISTAKE_COUNT; m++) {
		for (size_t i = 0; i < OCLMM_COUNT(operations) * OCLMM_COUNT(types); i++) {
			const struct site site = {.op = operations[i / OCLMM_COUNT(types)],
			                          .type = types[i % OCLMM_COUNT(types)],
			                          .used = true};

			if (m == MISTAKE_SPLIT || m == MISTAKE_TORN ||
			    !mistake_concerns((enum mistake)m, &site))
				continue;
			for (size_t k = 0; k < OCLMM_COUNT(inputs); k++) {
				const struct input *input = &inputs[k];
				bool negative = input->old < 0 || input->operand < 0 ||
				                input->expected < 0;

				if (!negative || oclmm_type_is_signed(site.type))
					seen[m] += spell(mistake_word((enum mistake)m),
					                 (enum mistake)m, &site, input);
			}
		}
	}
	for (int m = MISTAKE_NONE + 1; m < MISTAKE_COUNT; m++) {
		bool wanted = false;

		for (size_t i = 0; i < OCLMM_COUNT(spelled); i++)
			wanted |= strcmp(spelled[i], mistake_word((enum mistake)m)) == 0;
		if ((seen[m] > 0) != wanted)
			fail_msg("%s: written as statements %u times",
			         mistake_word((enum mistake)m), seen[m]);
	}
}
