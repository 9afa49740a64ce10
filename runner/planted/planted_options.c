// SPDX-License-Identifier: Apache-2.0
#include "planted_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPTION_ABLE,
	OPTION_ALL,
	OPTION_BASELINE,
	OPTION_BUDGET,
	OPTION_CLAIMS,
	OPTION_DEVICE,
	OPTION_EACH,
	OPTION_EQUIVALENTS,
	OPTION_INSTANCES,
	OPTION_JSON,
	OPTION_LIST,
	OPTION_OUTPUT,
	OPTION_PLANT,
	OPTION_PROFILE,
	OPTION_RENDER,
	OPTION_RESUME,
	OPTION_SECONDS,
	OPTION_SEED,
	OPTION_SHARD,
	OPTION_TABLE,
};

const struct option_spec planted_option_specs[] = {
	[OPTION_ABLE] = {"able", 0, NULL, "only say which tests can show each plant, by the model"},
	[OPTION_ALL] = {"all", 0, NULL, "go on after the first kill: which tests kill a plant"},
	[OPTION_BASELINE] = {"baseline", 0, "FILE",
                             "plants by line: fail only when one of these is not killed"},
	[OPTION_BUDGET] = {"budget", 'b', "SECONDS", "begin no plant after that (status 4)"},
	[OPTION_CLAIMS] = {"claims", 0, "WHICH", "claimed (default) or accepted: which tests kill"},
	[OPTION_DEVICE] = {"device", 'd', "NAME|INDEX",
                           "as listed by oclmm devices; default: the first GPU"},
	[OPTION_EACH] = {"each", 0, NULL,
                         "plants of one function, order, width, space after the other"},
	[OPTION_EQUIVALENTS] = {"equivalents", 0, "FILE",
                                "plants that cannot show (default: the suite's list)"},
	[OPTION_INSTANCES] = {"instances", 'n', "N",
                              "instances of each test, at least (default 1M)"},
	[OPTION_JSON] = {"json", 0, NULL, "JSON Lines on standard output"},
	[OPTION_LIST] = {"list", 0, NULL, "say which plants there are, and leave"},
	[OPTION_OUTPUT] = {"output", 'o', "FILE", "also write JSON Lines there"},
	[OPTION_PLANT] =
		{"plant", 0, "NAME[:N][@WORDS]",
                 "this one only; may be repeated. WORDS say in which calls: load,64,local"},
	[OPTION_PROFILE] = {"profile", 'p', "NAME",
                            "the tests of litmus/profiles/NAME (default: default)"},
	[OPTION_RENDER] = {"render", 0, "FILE", "show what --output wrote, and run nothing"},
	[OPTION_RESUME] = {"resume", 'r', "FILE",
                           "go on with a matrix that was cut short, and write there"},
	[OPTION_SECONDS] = {"seconds", 0, "SECONDS", "at most so long per plant (default 64)"},
	[OPTION_SEED] = {"seed", 's', "N", "master seed (default 1)"},
	[OPTION_SHARD] = {"shard", 0, "K/N", "plants K, K+N, K+2N and so on of the list only"},
	[OPTION_TABLE] = {"table", 0, NULL, "with --render: tables of a document"},
	{0},
};

static int add_plant(struct planted_options *options, const char *value)
{
	char message[SABOTEUR_MESSAGE], wanted[SABOTEUR_MESSAGE + 160];
	const char *names[SABOTEUR_COUNT];
	struct planted_choice choice = {0};

	if (strlen(value) < SABOTEUR_CHOICE && saboteur_parse(value, &choice.plant, message)) {
		snprintf(choice.text, sizeof(choice.text), "%s", value);
		oclmm_grow(&options->choices, &options->choice_capacity, options->choice_count,
		           sizeof(*options->choices));
		options->choices[options->choice_count++] = choice;
		return 0;
	}
	if (strlen(value) >= SABOTEUR_CHOICE)
		snprintf(message, sizeof(message), "it is longer than any");
	for (int i = 0; i < SABOTEUR_COUNT; i++)
		names[i] = saboteur_descriptions[i].name;
	/* behind a colon or @ stands what is no name */
	snprintf(wanted, sizeof(wanted), "a plant (%s%s); see --list", message,
	         suggest(value, names, strpbrk(value, ":@") ? 0 : SABOTEUR_COUNT, NULL).text);
	return option_refuse("plant", value, wanted);
}

static int set_word(struct planted_options *options, int index, const char *value)
{
	switch (index) {
	case OPTION_ABLE: options->able = true; break;
	case OPTION_ALL: options->all = true; break;
	case OPTION_BASELINE: options->baseline = value; break;
	case OPTION_DEVICE: return option_device(value, &options->device);
	case OPTION_EACH: options->each = true; break;
	case OPTION_EQUIVALENTS: options->equivalents = value; break;
	case OPTION_JSON: options->json = true; break;
	case OPTION_LIST: options->list = true; break;
	case OPTION_OUTPUT: return option_file("output", value, ".jsonl", &options->output);
	case OPTION_PROFILE: options->profile = value; break;
	case OPTION_RENDER: options->render = value; break;
	case OPTION_RESUME: options->resume = value; break;
	case OPTION_TABLE: options->table = true; break;
	}
	return 0;
}

int planted_options_set(void *data, int index, const char *value)
{
	struct planted_options *options = data;
	bool accepted;

	switch (index) {
	case OPTION_BUDGET: return option_seconds("budget", value, &options->budget);
	case OPTION_CLAIMS:
		options->claims = value;
		return option_either("claims", value, "claimed", "accepted", &accepted);
	case OPTION_INSTANCES:
		options->instances = value;
		return option_count("instances", value, &options->instance_count);
	case OPTION_PLANT: return add_plant(options, value);
	case OPTION_SECONDS: return option_seconds("seconds", value, &options->seconds);
	case OPTION_SEED: return option_number("seed", value, &options->seed);
	case OPTION_SHARD: return shard_parse(value, &options->shard);
	default: return set_word(options, index, value);
	}
}

/* A mistake in each function, by itself. */
static void add_functions(struct planted_options *options, enum saboteur_bug bug)
{
	const char *function;
	bool concerned;

	for (size_t i = 0; (function = saboteur_function(bug, i, &concerned)); i++) {
		char choice[SABOTEUR_CHOICE];

		snprintf(choice, sizeof(choice), "%s:%s", saboteur_descriptions[bug].name,
		         function);
		if (concerned)
			add_plant(options, choice);
	}
}

/* In another degree, or in calls that the table has no row for: rarer still, narrower still, behind
 * the 32nd work-item. */
static const struct {
	enum saboteur_bug bug;
	const char *more;
} degrees[] = {
	{SABOTEUR_RARE_RELAXED, ":1000000"},
	{SABOTEUR_RARE_SPLIT, ":1000000"},
	{SABOTEUR_SCOPE_NARROWED, ":sub_group"},
	{SABOTEUR_FENCE_NARROWED, ":global"},
	{SABOTEUR_GROUP_RELAXED, ":64"},
	{SABOTEUR_GROUP_SPLIT, ":64"},
	{SABOTEUR_LANE_RELAXED, ":33"},
	{SABOTEUR_LANE_SPLIT, ":33"},
	{SABOTEUR_NO_RETRY, ":2"},
	{SABOTEUR_TORN, ":16"},
	{SABOTEUR_TORN, ":8"},
	{SABOTEUR_ALL_RELAXED, "@generic"},
	{SABOTEUR_RMW_SPLIT, "@generic"},
};

static void add_bug(struct planted_options *options, enum saboteur_bug bug)
{
	char choice[SABOTEUR_CHOICE];

	if (options->each && saboteur_is_mistake(bug)) {
		add_functions(options, bug);
		return;
	}
	add_plant(options, saboteur_descriptions[bug].name);
	for (size_t i = 0; i < OCLMM_COUNT(degrees); i++) {
		if (degrees[i].bug != bug)
			continue;
		snprintf(choice, sizeof(choice), "%s%s", saboteur_descriptions[bug].name,
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
	char message[SABOTEUR_MESSAGE];
	struct saboteur_plant plant;
	bool wanted = crossing->named->choice_count == 0;

	if (!saboteur_parse(text, &plant, message))
		return;
	for (size_t i = 0; i < crossing->named->choice_count; i++)
		wanted |= saboteur_is_part(&plant, &crossing->named->choices[i].plant);
	if (wanted)
		add_plant(crossing->options, text);
}

static void add_named(struct planted_options *options, const struct planted_choice *choice)
{
	if (saboteur_is_mistake(choice->plant.bug) && !saboteur_is_narrowed(&choice->plant))
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
	for (int i = SABOTEUR_NONE + 1; i < SABOTEUR_COUNT && named.choice_count == 0; i++)
		add_bug(options, (enum saboteur_bug)i);
	for (size_t i = 0; i < named.choice_count; i++)
		add_named(options, &named.choices[i]);
	if (options->each)
		saboteur_cross(add_crossed, &crossing);
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
