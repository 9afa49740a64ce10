// SPDX-License-Identifier: Apache-2.0
#include "planted_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_plant(struct planted_options *options, const char *value)
{
	char message[PLANT_MESSAGE], wanted[PLANT_MESSAGE + 160];
	const char *names[PLANT_COUNT];
	struct planted_choice choice = {0};

	if (strlen(value) < PLANT_CHOICE && plant_parse(value, &choice.plant, message)) {
		snprintf(choice.text, sizeof(choice.text), "%s", value);
		oclmm_grow(&options->choices, &options->choice_capacity, options->choice_count,
		           sizeof(*options->choices));
		options->choices[options->choice_count++] = choice;
		return 0;
	}
	if (strlen(value) >= PLANT_CHOICE)
		snprintf(message, sizeof(message), "it is longer than any");
	for (int i = 0; i < PLANT_COUNT; i++)
		names[i] = plant_descriptions[i].name;
	/* behind a colon or @ stands what is no name */
	snprintf(wanted, sizeof(wanted), "a plant (%s%s); see --list", message,
	         suggest(value, names, strpbrk(value, ":@") ? 0 : PLANT_COUNT, NULL).text);
	return option_refuse("plant", value, wanted);
}

static int set_plant(const char *option, const char *value, void *target)
{
	(void)option;
	return add_plant(target, value);
}

static int set_claims(const char *option, const char *value, void *target)
{
	const char **claims = target;
	bool accepted;

	*claims = value;
	return option_either(option, value, "claimed", "accepted", &accepted);
}

static int set_instances(const char *option, const char *value, void *target)
{
	struct planted_options *options = target;

	options->instances = value;
	return option_count(option, value, &options->instance_count);
}

static int set_output(const char *option, const char *value, void *ret_path)
{
	return option_file(option, value, ".jsonl", ret_path);
}

const struct option_spec planted_option_specs[] = {
	{"able", 0, NULL, "only say which tests can show each plant, by the model",
         SETS_FLAG(struct planted_options, able)},
	{"all", 0, NULL, "go on after the first kill: which tests kill a plant",
         SETS_FLAG(struct planted_options, all)},
	{"baseline", 0, "FILE", "plants by line: fail only when one of these is not killed",
         SETS_TEXT(struct planted_options, baseline)},
	{"budget", 'b', "SECONDS", "begin no plant after that (status 4)",
         SETS_SECONDS(struct planted_options, budget)},
	{"claims", 0, "WHICH", "claimed (default) or accepted: which tests kill",
         SETS_BY(set_claims, struct planted_options, claims)},
	{"device", 'd', "NAME|INDEX", "as listed by oclmm devices; default: the first GPU",
         SETS_DEVICE(struct planted_options, device)},
	{"each", 0, NULL, "plants of one function, order, width, space after the other",
         SETS_FLAG(struct planted_options, each)},
	{"equivalents", 0, "FILE", "plants that cannot show (default: the suite's list)",
         SETS_TEXT(struct planted_options, equivalents)},
	{"instances", 'n', "N", "instances of each test, at least (default 1M)",
         SETS(set_instances)},
	{"json", 0, NULL, "JSON Lines on standard output", SETS_FLAG(struct planted_options, json)},
	{"list", 0, NULL, "say which plants there are, and leave",
         SETS_FLAG(struct planted_options, list)},
	{"output", 'o', "FILE", "also write JSON Lines there",
         SETS_BY(set_output, struct planted_options, output)},
	{"plant", 0, "NAME[:N][@WORDS]",
         "this one only; may be repeated. WORDS say in which calls: load,64,local",
         SETS(set_plant)},
	{"profile", 'p', "NAME", "the tests of litmus/profiles/NAME (default: default)",
         SETS_TEXT(struct planted_options, profile)},
	{"render", 0, "FILE", "show what --output wrote, and run nothing",
         SETS_TEXT(struct planted_options, render)},
	{"resume", 'r', "FILE", "go on with a matrix that was cut short, and write there",
         SETS_TEXT(struct planted_options, resume)},
	{"seconds", 0, "SECONDS", "at most so long per plant (default 64)",
         SETS_SECONDS(struct planted_options, seconds)},
	{"seed", 's', "N", "master seed (default 1)", SETS_NUMBER(struct planted_options, seed)},
	{"shard", 0, "K/N", "plants K, K+N, K+2N and so on of the list only",
         SETS_BY(shard_parse, struct planted_options, shard)},
	{"table", 0, NULL, "with --render: tables of a document",
         SETS_FLAG(struct planted_options, table)},
	{0},
};

/* A mistake in each function, by itself. */
static void add_functions(struct planted_options *options, enum plant_bug bug)
{
	const struct oclmm_function *function;
	struct plant plant;
	char message[PLANT_MESSAGE];

	plant_parse(plant_descriptions[bug].name, &plant, message);
	for (size_t i = 0; (function = oclmm_function_at(i)); i++) {
		char choice[PLANT_CHOICE];

		snprintf(choice, sizeof(choice), "%s:%s", plant_descriptions[bug].name,
		         function->name);
		if (oclmm_function_concerned(plant.mutation.what, function))
			add_plant(options, choice);
	}
}

/* In another degree, or in calls that the table has no row for: rarer still, narrower still, behind
 * the 32nd work-item. */
static const struct {
	enum plant_bug bug;
	const char *more;
} degrees[] = {
	{PLANT_RARE_RELAXED, ":1000000"},
	{PLANT_RARE_SPLIT, ":1000000"},
	{PLANT_SCOPE_NARROWED, ":sub_group"},
	{PLANT_FENCE_NARROWED, ":global"},
	{PLANT_GROUP_RELAXED, ":64"},
	{PLANT_GROUP_SPLIT, ":64"},
	{PLANT_LANE_RELAXED, ":33"},
	{PLANT_LANE_SPLIT, ":33"},
	{PLANT_NO_RETRY, ":2"},
	{PLANT_TORN, ":16"},
	{PLANT_TORN, ":8"},
	{PLANT_ALL_RELAXED, "@generic"},
	{PLANT_RMW_SPLIT, "@generic"},
};

static void add_bug(struct planted_options *options, enum plant_bug bug)
{
	char choice[PLANT_CHOICE];

	if (options->each && plant_is_mistake(bug)) {
		add_functions(options, bug);
		return;
	}
	add_plant(options, plant_descriptions[bug].name);
	for (size_t i = 0; i < OCLMM_COUNT(degrees); i++) {
		if (degrees[i].bug != bug)
			continue;
		snprintf(choice, sizeof(choice), "%s%s", plant_descriptions[bug].name,
		         degrees[i].more);
		add_plant(options, choice);
	}
}

/* Those of the table that are of a bug that was named, or all of them. */
struct crossing {
	struct planted_options *options;
	const struct planted_options *named;
};

static void add_crossed(void *data, const char *text)
{
	const struct crossing *crossing = data;
	char message[PLANT_MESSAGE];
	struct plant plant;
	bool wanted = crossing->named->choice_count == 0;

	if (!plant_parse(text, &plant, message))
		return;
	for (size_t i = 0; i < crossing->named->choice_count; i++)
		wanted |= plant_is_part(&plant, &crossing->named->choices[i].plant);
	if (wanted)
		add_plant(crossing->options, text);
}

static void add_named(struct planted_options *options, const struct planted_choice *choice)
{
	if (plant_is_mistake(choice->plant.bug) && !plant_is_narrowed(&choice->plant))
		add_functions(options, choice->plant.bug);
	else
		add_plant(options, choice->text);
}

/* Neighbours of the list, which take about as long, go to different shards. */
static void keep_shard(struct planted_options *options)
{
	const struct shard *shard = &options->shard;
	size_t kept = 0;

	for (size_t i = 0; shard->count > 0 && i < options->choice_count; i++) {
		if (i % shard->count == shard->index - 1)
			options->choices[kept++] = options->choices[i];
	}
	if (shard->count > 0)
		options->choice_count = kept;
}

static void add_all(struct planted_options *options)
{
	struct planted_options named = *options;
	struct crossing crossing = {options, &named};

	options->choices = NULL;
	options->choice_count = options->choice_capacity = 0;
	for (int i = PLANT_NONE + 1; i < PLANT_COUNT && named.choice_count == 0; i++)
		add_bug(options, (enum plant_bug)i);
	for (size_t i = 0; i < named.choice_count; i++)
		add_named(options, &named.choices[i]);
	if (options->each)
		plant_cross(add_crossed, &crossing);
	free(named.choices);
}

void planted_options_complete(struct planted_options *options)
{
	if (options->choice_count == 0 || options->each)
		add_all(options);
	keep_shard(options);
}

void planted_options_finish(struct planted_options *options)
{
	free(options->choices);
	options->choices = NULL;
	options->choice_count = options->choice_capacity = 0;
}
