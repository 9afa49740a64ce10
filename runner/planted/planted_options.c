// SPDX-License-Identifier: Apache-2.0
#include "planted_options.h"

#include <stdio.h>
#include <string.h>

enum {
	OPTION_ALL,
	OPTION_BASELINE,
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
	OPTION_SECONDS,
	OPTION_SEED,
};

const struct option_spec planted_option_specs[] = {
	[OPTION_ALL] = {"all", 0, NULL, "go on after the first kill: which tests kill a plant"},
	[OPTION_BASELINE] = {"baseline", 0, "FILE",
                             "plants by line: fail only when one of these is not killed"},
	[OPTION_CLAIMS] = {"claims", 0, "WHICH", "claimed (default) or accepted: which tests kill"},
	[OPTION_DEVICE] = {"device", 'd', "NAME|INDEX",
                           "as listed by oclmm devices; default: the first GPU"},
	[OPTION_EACH] = {"each", 0, NULL, "mistakes of operations in one function after the other"},
	[OPTION_EQUIVALENTS] = {"equivalents", 0, "FILE",
                                "plants that cannot show (default: the suite's list)"},
	[OPTION_INSTANCES] = {"instances", 'n', "N",
                              "instances of each test, at least (default 1M)"},
	[OPTION_JSON] = {"json", 0, NULL, "JSON Lines on standard output"},
	[OPTION_LIST] = {"list", 0, NULL, "say which plants there are, and leave"},
	[OPTION_OUTPUT] = {"output", 'o', "FILE", "also write JSON Lines there"},
	[OPTION_PLANT] = {"plant", 0, "NAME[:N]", "this one only; may be repeated"},
	[OPTION_PROFILE] = {"profile", 'p', "NAME",
                            "the tests of litmus/profiles/NAME (default: default)"},
	[OPTION_SECONDS] = {"seconds", 0, "SECONDS", "at most so long per plant (default 64)"},
	[OPTION_SEED] = {"seed", 's', "N", "master seed (default 1)"},
	{0},
};

static int add_plant(struct planted_options *options, const char *value)
{
	char message[SABOTEUR_MESSAGE], wanted[SABOTEUR_MESSAGE + 160];
	const char *names[SABOTEUR_COUNT];
	struct planted_choice choice = {0};

	if (options->choice_count == PLANTED_CHOICES)
		return option_refuse("plant", value, "one of the first 512");
	if (saboteur_parse(value, &choice.plant, message)) {
		/* what was parsed is no longer than its names and numbers */
		snprintf(choice.text, sizeof(choice.text), "%s", value);
		options->choices[options->choice_count++] = choice;
		return 0;
	}
	for (int i = 0; i < SABOTEUR_COUNT; i++)
		names[i] = saboteur_descriptions[i].name;
	/* behind a colon stands an argument, which is no name */
	snprintf(wanted, sizeof(wanted), "a plant (%s%s); see --list", message,
	         suggest(value, names, strchr(value, ':') ? 0 : SABOTEUR_COUNT, NULL).text);
	return option_refuse("plant", value, wanted);
}

static int set_word(struct planted_options *options, int index, const char *value)
{
	switch (index) {
	case OPTION_ALL: options->all = true; break;
	case OPTION_BASELINE: options->baseline = value; break;
	case OPTION_DEVICE: options->device = value; break;
	case OPTION_EACH: options->each = true; break;
	case OPTION_EQUIVALENTS: options->equivalents = value; break;
	case OPTION_JSON: options->json = true; break;
	case OPTION_LIST: options->list = true; break;
	case OPTION_OUTPUT: return option_file("output", value, ".jsonl", &options->output);
	case OPTION_PROFILE: options->profile = value; break;
	}
	return 0;
}

int planted_options_set(void *data, int index, const char *value)
{
	struct planted_options *options = data;
	bool accepted;

	switch (index) {
	case OPTION_CLAIMS:
		options->claims = value;
		return option_either("claims", value, "claimed", "accepted", &accepted);
	case OPTION_INSTANCES:
		options->instances = value;
		return option_count("instances", value, &options->instance_count);
	case OPTION_PLANT: return add_plant(options, value);
	case OPTION_SECONDS: return option_seconds("seconds", value, &options->seconds);
	case OPTION_SEED: return option_number("seed", value, &options->seed);
	default: return set_word(options, index, value);
	}
}

/* A mistake in each function, by itself. */
static void add_functions(struct planted_options *options, enum saboteur_bug bug)
{
	const char *function;
	bool concerned;

	for (size_t i = 0; (function = saboteur_function(bug, i, &concerned)); i++) {
		char choice[80];

		snprintf(choice, sizeof(choice), "%s:%s", saboteur_descriptions[bug].name,
		         function);
		if (concerned)
			add_plant(options, choice);
	}
}

static void add_bug(struct planted_options *options, enum saboteur_bug bug)
{
	char choice[80];

	if (options->each && saboteur_is_mistake(bug)) {
		add_functions(options, bug);
		return;
	}
	add_plant(options, saboteur_descriptions[bug].name);
	/* rarer still */
	if (bug != SABOTEUR_RARE_RELAXED && bug != SABOTEUR_RARE_SPLIT)
		return;
	snprintf(choice, sizeof(choice), "%s:1000000", saboteur_descriptions[bug].name);
	add_plant(options, choice);
}

void planted_options_complete(struct planted_options *options)
{
	struct planted_options named = *options;

	if (options->choice_count > 0 && !options->each)
		return;
	options->choice_count = 0;
	if (named.choice_count == 0) {
		for (int i = SABOTEUR_NONE + 1; i < SABOTEUR_COUNT; i++)
			add_bug(options, (enum saboteur_bug)i);
		return;
	}
	for (size_t i = 0; i < named.choice_count; i++) {
		const struct planted_choice *choice = &named.choices[i];

		if (saboteur_is_mistake(choice->plant.bug) && !choice->plant.function[0])
			add_functions(options, choice->plant.bug);
		else
			options->choices[options->choice_count++] = *choice;
	}
}
