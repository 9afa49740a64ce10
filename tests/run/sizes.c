// SPDX-License-Identifier: Apache-2.0
/*
 * usage: sizes PROFILE [--print]
 *
 * Bugs of one size of groups, or of one number of groups, show only where something is launched
 * so. The default environments of a CPU and of a GPU launch tests of the profile in each class of
 * sizes, and so often that each construct has its turn: an operation in an order, an operation on a
 * type, a fence, a barrier. A construct of few tests may have to do without one of the rarer
 * classes. Where a run is asked for launches of a size, as by a rule that was drawn, each test that
 * may have such a launch has no other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/codegen.h"
#include "run/environments.h"
#include "select/select.h"
#include "stress/internal.h"

/* Two processors, as a runner of a CI service has, and an H200. */
static const struct device {
	const char *name;
	struct oclmm_device_info info;
} devices[] = {
	{"a CPU",
         {.type = CL_DEVICE_TYPE_CPU,
          .compute_units = 2,
          .max_work_group_size = 4096,
          .global_memory = UINT64_C(1) << 32,
          .local_memory = 512 << 10}},
	{"a GPU",
         {.type = CL_DEVICE_TYPE_GPU,
          .compute_units = 132,
          .max_work_group_size = 1024,
          .global_memory = UINT64_C(1) << 37,
          .local_memory = 48 << 10}},
};

/* A test's roles are in one work-group, or in several. */
enum { IN_ONE, ACROSS, PLACES };

enum { WORK_ITEMS, GROUPS };

/* Numbers that a bug may be of. */
static const struct class
{
	const char *name;
	int of;
	uint32_t least, most;
	uint32_t divisor, rest;                     /* rest OTHER: any but 0 */
	bool without[OCLMM_COUNT(devices)][PLACES]; /* it has no turn there */
} classes[] = {
/* roles of one group are two work-items at least */
#define CROWDED                                                                                    \
	{                                                                                          \
		{[IN_ONE] = true},                                                                 \
		{                                                                                  \
			[IN_ONE] = true                                                            \
		}                                                                                  \
	}
#define OTHER UINT32_MAX
	{"groups of one work-item", WORK_ITEMS, 1, 1, 1, 0, CROWDED},
	{"groups of two", WORK_ITEMS, 2, 2, 1, 0, CROWDED},
	{"groups of a multiple of three", WORK_ITEMS, 3, UINT32_MAX, 3, 0, {{0}}},
	{"groups of odd size", WORK_ITEMS, 3, UINT32_MAX, 2, 1, {{0}}},
	{"groups of no multiple of eight", WORK_ITEMS, 9, UINT32_MAX, 8, OTHER, {{0}}},
	{"groups of 32", WORK_ITEMS, 32, 32, 1, 0, {{0}}},
	{"groups of 64", WORK_ITEMS, 64, 64, 1, 0, {{0}}},
	{"groups of more than 32", WORK_ITEMS, 33, UINT32_MAX, 1, 0, {{0}}},
	{"groups of more than 256", WORK_ITEMS, 257, UINT32_MAX, 1, 0, {{0}}},
	{"launches of one group or two", GROUPS, 1, 2, 1, 0, {{0}}},
	{"launches of an odd number of groups", GROUPS, 3, UINT32_MAX, 2, 1, {{[IN_ONE] = true}}},
	{"launches of 16 groups", GROUPS, 16, 16, 1, 0, {{0}}},
	{"launches of 32 groups", GROUPS, 32, 32, 1, 0, {{0}}},
	{"launches of more than 256 groups", GROUPS, 257, UINT32_MAX, 1, 0, {{0}}},
};

static bool is_in(const struct class *class, const struct oclmm_environment *e,
                  const struct oclmm_kernel_plan *plan)
{
	uint32_t groups = oclmm_environment_places(e, plan) + e->stress_groups;
	uint32_t n = class->of == GROUPS ? groups : oclmm_environment_width(e, plan);
	uint32_t rest = n % class->divisor;

	return n >= class->least && n <= class->most &&
	       (class->rest == OTHER ? rest != 0 : rest == class->rest);
}

typedef bool sizes[OCLMM_COUNT(devices)][OCLMM_COUNT(classes)];

/* What the tests with it are launched in, counted by environments: those of a test and its controls
 * are the same. */
static struct construct {
	char text[112];
	int place;
	const struct oclmm_variant **counted; /* the last of each chain of controls */
	size_t count, capacity;
	size_t in[OCLMM_COUNT(devices)][OCLMM_COUNT(classes)]; /* of these */
} * constructs;
static size_t construct_count, construct_capacity;

/* The test that is looked at. */
static struct {
	const struct oclmm_program *program;
	const struct oclmm_variant *weakest;
	int place;
	sizes in;
} test;

static void count(struct construct *construct)
{
	for (size_t i = 0; i < construct->count; i++)
		if (construct->counted[i] == test.weakest)
			return;
	oclmm_grow(&construct->counted, &construct->capacity, construct->count,
	           sizeof(*construct->counted));
	construct->counted[construct->count++] = test.weakest;
	for (size_t d = 0; d < OCLMM_COUNT(devices); d++)
		for (size_t c = 0; c < OCLMM_COUNT(classes); c++)
			construct->in[d][c] += test.in[d][c];
}

static void note(const char *format, ...) OCLMM_PRINTF(1, 2);

static void note(const char *format, ...)
{
	struct construct construct = {.place = test.place};
	va_list arguments;
	size_t i = 0;

	va_start(arguments, format);
	vsnprintf(construct.text, sizeof(construct.text), format, arguments);
	va_end(arguments);
	while (i < construct_count && (constructs[i].place != test.place ||
	                               strcmp(constructs[i].text, construct.text) != 0))
		i++;
	if (i == construct_count) {
		oclmm_grow(&constructs, &construct_capacity, construct_count, sizeof(*constructs));
		constructs[construct_count++] = construct;
	}
	count(&constructs[i]);
}

static int note_expression(void *data, const struct oclmm_expression *expression)
{
	const struct oclmm_atomic *atomic = expression->atomic;
	const char *stem;

	(void)data;
	if (expression->kind != OCLMM_EXPRESSION_ATOMIC || atomic->op == OCLMM_OP_INIT ||
	    atomic->legacy)
		return 0;
	stem = oclmm_operation_stem(atomic->op);
	note("%s %s", stem, oclmm_order_spelling(atomic->order));
	note("%s of %s", stem,
	     oclmm_type_name(test.program->locations[atomic->object.location].type));
	return 0;
}

static int note_statement(void *data, const struct oclmm_statement *statement)
{
	(void)data;
	if (statement->kind == OCLMM_STATEMENT_FENCE)
		note("%s %s", statement->fence.spelling,
		     oclmm_order_spelling(statement->fence.order));
	else if (statement->kind == OCLMM_STATEMENT_BARRIER)
		note("%s", statement->barrier.spelling);
	return 0;
}

/* Those of a run that is not asked for more. */
static void take_launches(const struct oclmm_environment_set *set,
                          const struct oclmm_kernel_plan *plan, bool in[OCLMM_COUNT(classes)])
{
	const struct oclmm_turns none = {0};

	for (uint64_t block = 0; set->count && block < RUN_LAUNCHES; block++) {
		uint32_t turn = oclmm_turn_of(&none, set->count, block);
		struct oclmm_environment form = oclmm_environment_form(&set->environments[turn],
		                                                       plan, set->count, block);

		for (size_t c = 0; c < OCLMM_COUNT(classes); c++)
			in[c] |= is_in(&classes[c], &form, plan);
	}
}

/* What rules that are drawn ask for, as a run is asked, and the largest group or launch of it. */
static const struct asked {
	const char *text;
	uint32_t most_lanes, most_groups;
} asked[] = {
	{"lanes=-1", 1, UINT32_MAX},          {"lanes=-2", 2, UINT32_MAX},
	{"lanes=-16", 16, UINT32_MAX},        {"lanes=32", 32, UINT32_MAX},
	{"lanes=64", 64, UINT32_MAX},         {"lanes=64-", UINT32_MAX, UINT32_MAX},
	{"lanes=!3", UINT32_MAX, UINT32_MAX}, {"lanes=!32", UINT32_MAX, UINT32_MAX},
	{"groups=2", UINT32_MAX, 2},          {"groups=16", UINT32_MAX, 16},
	{"groups=32", UINT32_MAX, 32},        {"groups=64-", UINT32_MAX, UINT32_MAX},
};

/* Tests that were asked for a size; as many for each as may have it. */
static size_t asked_for[OCLMM_COUNT(devices)][OCLMM_COUNT(asked)];
static unsigned not_given;

static void complain_of(const char *device, const char *size, const char *message)
{
	not_given += fprintf(stderr, "%s, %s: %s in %s\n", device, size, message,
	                     test.weakest->name) > 0;
}

/* A set that is narrowed to a size has this size in each environment, and the device takes it. */
static void ask_sizes(size_t d, const struct oclmm_kernel_plan *plan,
                      const struct oclmm_environment_set *usual)
{
	for (size_t i = 0; usual->count && i < OCLMM_COUNT(asked); i++) {
		struct oclmm_environment_set set = *usual;
		struct oclmm_sizes only;
		struct oclmm_error error;

		if (asked[i].most_lanes < plan->crowd || asked[i].most_groups < plan->work_groups)
			continue;
		if (oclmm_sizes_parse(asked[i].text, &error, &only) < 0) {
			complain_of(devices[d].name, asked[i].text, error.message);
			continue;
		}
		oclmm_sizes_narrow(&only, &devices[d].info, plan, &set);
		asked_for[d][i]++;
		if (!set.count)
			complain_of(devices[d].name, asked[i].text, "no launch");
		for (uint32_t k = 0; k < set.count; k++)
			if (!oclmm_sizes_met(&only, &set.environments[k], plan))
				complain_of(devices[d].name, asked[i].text, "another size");
			else if (oclmm_environment_check(&set.environments[k], &devices[d].info,
			                                 plan, &error) < 0)
				complain_of(devices[d].name, asked[i].text, error.message);
	}
}

/* Programs of roles that one launch plays, whose groups may have any size. */
static bool take(const struct chosen *chosen, struct run_environments *environments)
{
	struct oclmm_kernel_plan plan;

	test.program = chosen->variant->program;
	if (oclmm_program_has_commands(test.program) || test.program->shared ||
	    run_plan(test.program, &plan) < 0 || plan.parts > 1 || plan.in_sub_groups)
		return false;
	test.weakest = run_weakest(chosen->litmus, chosen->variant);
	test.place = plan.work_groups == 1 ? IN_ONE : ACROSS;
	memset(test.in, 0, sizeof(test.in));
	for (size_t d = 0; d < OCLMM_COUNT(devices); d++) {
		struct oclmm_environment_set set;

		run_environments_choose(&environments[d], &devices[d].info, chosen, &set);
		take_launches(&set, &plan, test.in[d]);
		ask_sizes(d, &plan, &set);
	}
	return true;
}

static void take_all(const struct selection *selection)
{
	static const struct oclmm_visitor visitor = {.expression = note_expression,
	                                             .statement = note_statement};
	struct run_environments environments[OCLMM_COUNT(devices)] = {0};

	for (size_t d = 0; d < OCLMM_COUNT(devices); d++)
		environments[d].instances = RUN_INSTANCES;
	for (size_t i = 0; i < selection->count; i++) {
		if (!take(&selection->chosen[i], environments))
			continue;
		note("all");
		for (uint32_t t = 0; t < test.program->thread_count; t++)
			oclmm_visit_body(&visitor, test.program->threads[t].body, NULL);
	}
	for (size_t d = 0; d < OCLMM_COUNT(devices); d++)
		run_environments_finish(&environments[d]);
}

static const struct construct *all_of(int place)
{
	for (size_t i = 0; i < construct_count; i++)
		if (constructs[i].place == place && strcmp(constructs[i].text, "all") == 0)
			return &constructs[i];
	fprintf(stderr, "no test is played %s\n",
	        place == IN_ONE ? "in one group" : "across groups");
	exit(1);
}

/* Names are drawn from by a hash, so that of so many turns hardly any construct has none. */
enum { TURNS = 10, LEAST_SHARE = 100 };

static unsigned check(size_t d, size_t c, int place, bool print)
{
	const struct construct *all = all_of(place);
	size_t in = all->in[d][c];
	unsigned wrong = 0;

	if (print)
		printf("%s, %s: %s for %zu of %zu\n", devices[d].name,
		       place == IN_ONE ? "in one group" : "across groups", classes[c].name, in,
		       all->count);
	if (classes[c].without[d][place])
		return 0;
	if (in * LEAST_SHARE < all->count)
		wrong += fprintf(stderr, "%s: %s for %zu of %zu tests only\n", devices[d].name,
		                 classes[c].name, in, all->count) > 0;
	for (size_t i = 0; i < construct_count; i++)
		if (constructs[i].place == place && constructs[i].in[d][c] == 0 &&
		    constructs[i].count * in >= TURNS * all->count)
			wrong += fprintf(stderr, "%s: no %s for %s, which %zu have\n",
			                 devices[d].name, classes[c].name, constructs[i].text,
			                 constructs[i].count) > 0;
	return wrong;
}

int main(int argc, char **argv)
{
	struct selection selection = {0};
	unsigned wrong = 0;

	if (argc < 2 || selection_make_profile(&selection, argv[1]) != 0)
		return 2;
	take_all(&selection);
	for (size_t d = 0; d < OCLMM_COUNT(devices); d++)
		for (int place = IN_ONE; place < PLACES; place++)
			for (size_t c = 0; c < OCLMM_COUNT(classes); c++)
				wrong += check(d, c, place, argc > 2);
	for (size_t d = 0; d < OCLMM_COUNT(devices); d++)
		for (size_t i = 0; i < OCLMM_COUNT(asked); i++) {
			if (argc > 2)
				printf("%s, %s: asked of %zu\n", devices[d].name, asked[i].text,
				       asked_for[d][i]);
			wrong += asked_for[d][i] == 0;
		}
	wrong += not_given;
	for (size_t i = 0; i < construct_count; i++)
		free(constructs[i].counted);
	free(constructs);
	selection_finish(&selection);
	return wrong != 0;
}
