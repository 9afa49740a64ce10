// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "run_options.h"
#include "saved/output.h"
#include "saved/regrade.h"

enum {
	OPTION_ALLOW_UNFINISHED,
	OPTION_ANNOTATIONS,
	OPTION_ARTIFACTS,
	OPTION_BRIEF,
	OPTION_BUDGET,
	OPTION_BUG,
	OPTION_CACHE,
	OPTION_CLAIMS,
	OPTION_COMPILERS,
	OPTION_CONFIDENCE,
	OPTION_DEVICE,
	OPTION_ENVIRONMENT,
	OPTION_EXPECTATIONS,
	OPTION_EXPECT_CLAIMS,
	OPTION_FAMILY,
	OPTION_FEATURE,
	OPTION_FORMAT,
	OPTION_HALVED_AT,
	OPTION_IL,
	OPTION_INSTANCES,
	OPTION_MODEL,
	OPTION_NO_CONTROLS,
	OPTION_NO_PROFILE,
	OPTION_NO_WAIT,
	OPTION_OUTPUT,
	OPTION_PAIR,
	OPTION_PROFILE,
	OPTION_QUICK,
	OPTION_REQUIRE,
	OPTION_RESUME,
	OPTION_SEED,
	OPTION_SHARD,
	OPTION_SPREAD,
	OPTION_STRICT,
	OPTION_TIMEOUT,
	OPTION_UNPROVEN,
	OPTION_VERBOSE,
	OPTION_WAIT,
};

const struct option_spec run_option_specs[] = {
	[OPTION_ALLOW_UNFINISHED] = {"allow-unfinished", 0, NULL,
                                     "tests that the budget did not suffice for do not fail the "
                                     "run (status 4)"},
	[OPTION_ANNOTATIONS] = {"annotations", 0, "FOR",
                                "github: failures as annotations of the litmus files"},
	[OPTION_ARTIFACTS] = {"artifacts", 0, "DIR",
                              "for each failure a folder there with what its analysis needs"},
	[OPTION_BRIEF] = {"brief", 0, NULL, "the same as --format brief: what has to be looked at"},
	[OPTION_BUDGET] =
		{"budget", 'b', "SECONDS",
                 "time for the whole run: half shared evenly, half where confidence is missing"},
	[OPTION_BUG] = NARROW_BUG_OPTION,
	[OPTION_CACHE] =
		{"cache", 0, "WHEN",
                 "keep compiled programs on the disk: auto (default; where it pays), always, "
                 "never"},
	[OPTION_CLAIMS] = REGRADE_CLAIMS_OPTION,
	[OPTION_COMPILERS] = {"compilers", 0, "N",
                              "processes that compile beforehand (default: one per processor up to "
                              "16)"},
	[OPTION_CONFIDENCE] = REGRADE_CONFIDENCE_OPTION,
	[OPTION_DEVICE] = {"device", 'd', "NAME|INDEX|all",
                           "as listed by oclmm devices; default: the first GPU. Given several "
                           "times: on all of them at the same time"},
	[OPTION_ENVIRONMENT] = {"environment", 0, "TEXT",
                                "run in these environments, as a record has them"},
	[OPTION_EXPECTATIONS] = REGRADE_EXPECTATIONS_OPTION,
	[OPTION_EXPECT_CLAIMS] = {"expect-claims", 0, "FILE",
                                  "fail (99) where the device claims less than FILE, written by "
                                  "oclmm devices --json"},
	[OPTION_FAMILY] = NARROW_FAMILY_OPTION,
	[OPTION_FEATURE] = NARROW_FEATURE_OPTION,
	[OPTION_FORMAT] = {"format", 'f', "FORMAT", "on standard output: " RUN_OUTPUT_FORMATS},
	[OPTION_HALVED_AT] = {"halved-at", 0, "LAUNCH,…",
                              "from these launches on half the size, as a record has them, and "
                              "never for slowness"},
	[OPTION_IL] = {"il", 0, "spirv[:NAME]",
                       "give the device SPIR-V that clang and a translator make of the kernels; "
                       "NAME: llvm-spirv-14 …"},
	[OPTION_INSTANCES] = {"instances", 'n', "N",
                              "instances of each test, at least (default 1M)"},
	[OPTION_MODEL] = REGRADE_MODEL_OPTION,
	[OPTION_NO_CONTROLS] = {"no-controls", 0, NULL, "run no controls: no test can pass then"},
	[OPTION_NO_PROFILE] = {"no-profile", 0, NULL, "do not use what oclmm tune found"},
	[OPTION_NO_WAIT] = RUN_NO_WAIT_OPTION,
	[OPTION_OUTPUT] = {"output", 'o', "FILE", "also write there: " RUN_OUTPUT_SUFFIXES},
	[OPTION_PAIR] = {"pair", 0, "A,B",
                         "tests of two devices on these two; all others on A (default: parts of "
                         "one)"},
	[OPTION_PROFILE] = {"profile", 'p', "NAME|PATH",
                            "the tests of litmus/profiles/NAME; what oclmm tune wrote to PATH"},
	[OPTION_QUICK] = {"quick", 0, NULL, "the same as --profile quick"},
	[OPTION_REQUIRE] = REGRADE_REQUIRE_OPTION,
	[OPTION_RESUME] = {"resume", 'r', "FILE",
                           "go on with a run that was cut short, and write there"},
	[OPTION_SEED] = {"seed", 's', "N", "master seed (default: drawn, and printed)"},
	[OPTION_SHARD] = {"shard", 0, "K/N",
                          "only the K-th of N parts of the tests; variants stay together"},
	[OPTION_SPREAD] = {"spread", 0, NULL,
                           "divide the tests among the devices, which are equal; default: those "
                           "equal to the first GPU"},
	[OPTION_STRICT] = {"strict", 0, NULL, "inconclusive tests fail (status 3)"},
	[OPTION_TIMEOUT] = {"timeout", 't', "SECONDS",
                            "a driver silent for so long is ended (default 60)"},
	[OPTION_UNPROVEN] = REGRADE_UNPROVEN_OPTION,
	[OPTION_VERBOSE] = {"verbose", 'v', NULL, "the same as --format text"},
	[OPTION_WAIT] = RUN_WAIT_OPTION,
	{0},
};

/*
 * A word names tests, a path names what was tuned: by its spelling alone, so
 * that a file that happens to lie about changes nothing.
 */
static int set_profile(struct run_options *options, const char *value)
{
	static const char suffix[] = ".profile";
	size_t length = strlen(value), tail = strlen(suffix);

	if (!strchr(value, '/') && (length <= tail || strcmp(value + length - tail, suffix) != 0)) {
		if (options->profile && strcmp(options->profile, value) != 0)
			return options_error(&command_run,
			                     "either profile \"%s\" or \"%s\", not both; their "
			                     "tests can be given as names",
			                     options->profile, value);
		options->profile = value;
		return 0;
	}
	return option_append("profile", value, options->tuned, &options->tuned_count, RUN_TUNED);
}

static int set_cache(struct run_options *options, const char *value)
{
	static const char *const words[] = {
		[OCLMM_KEEP_NEVER] = "never",
		[OCLMM_KEEP_WHERE_IT_PAYS] = "auto",
		[OCLMM_KEEP_ALWAYS] = "always",
	};

	for (size_t i = 0; i < OCLMM_COUNT(words); i++) {
		if (strcmp(value, words[i]) == 0) {
			options->cache = (enum oclmm_keep)i;
			return 0;
		}
	}
	return option_refuse("cache", value, "\"auto\", \"always\" or \"never\"");
}

/* Numbers of launches, each above the one before. */
static int set_halvings(struct run_options *options, const char *value)
{
	const char *at = value;

	options->halvings.count = 0;
	for (;;) {
		struct oclmm_halvings *halvings = &options->halvings;
		char *end;
		uint64_t number;

		errno = 0;
		number = strtoull(at, &end, 10);
		if (!isdigit((unsigned char)*at) || errno || (*end && *end != ',') ||
		    halvings->count == OCLMM_HALVINGS_MOST ||
		    (halvings->count && number <= halvings->at[halvings->count - 1]))
			return option_refuse("halved-at", value,
			                     "at most 32 numbers of launches that rise, such as "
			                     "12,40");
		halvings->at[halvings->count++] = number;
		if (!*end)
			return 0;
		at = end + 1;
	}
}

/* Options that take a text, or none. */
static int set_word(struct run_options *options, int index, const char *value)
{
	switch (index) {
	case OPTION_ALLOW_UNFINISHED: options->unfinished_allowed = true; break;
	case OPTION_ARTIFACTS: options->artifacts = value; break;
	case OPTION_EXPECT_CLAIMS: options->claims_expected = value; break;
	case OPTION_ENVIRONMENT: options->environment = value; break;
	case OPTION_IL: options->il = value; break;
	case OPTION_PAIR: options->pair = value; break;
	case OPTION_NO_CONTROLS: options->no_controls = true; break;
	case OPTION_NO_PROFILE: options->no_profile = true; break;
	case OPTION_NO_WAIT: options->no_wait = true; break;
	case OPTION_QUICK: return set_profile(options, "quick");
	case OPTION_RESUME: options->resume = value; break;
	case OPTION_SPREAD: options->spread = true; break;
	case OPTION_STRICT: options->strict = true; break;
	case OPTION_BRIEF: options->format = oclmm_report_kind("brief"); break;
	case OPTION_VERBOSE: options->format = oclmm_report_kind("text"); break;
	}
	return 0;
}

int run_options_set(void *data, int index, const char *value)
{
	struct run_options *options = data;

	switch (index) {
	case OPTION_ANNOTATIONS:
		return option_either("annotations", value, NULL, "github", &options->annotations);
	case OPTION_BUDGET: return option_seconds("budget", value, &options->budget);
	case OPTION_BUG: return narrow_bug(&options->narrow, value);
	case OPTION_DEVICE:
		if (option_device(value, &value))
			return OPTIONS_ERROR;
		return option_append("device", value, options->devices, &options->device_count,
		                     RUN_DEVICES);
	case OPTION_FAMILY: return narrow_family(&options->narrow, value);
	case OPTION_FEATURE: return narrow_feature(&options->narrow, value);
	case OPTION_CACHE: return set_cache(options, value);
	case OPTION_COMPILERS:
		options->compilers_given = true;
		return option_number("compilers", value, &options->compilers);
	case OPTION_HALVED_AT: return set_halvings(options, value);
	case OPTION_FORMAT: return run_output_format(value, &options->format);
	case OPTION_INSTANCES:
		options->instances_given = true;
		return option_count("instances", value, &options->instances);
	case OPTION_CLAIMS:
	case OPTION_CONFIDENCE:
	case OPTION_EXPECTATIONS:
	case OPTION_MODEL:
	case OPTION_REQUIRE:
		return regrade_rule(&command_run, run_option_specs[index].name, value,
		                    &options->rules);
	case OPTION_OUTPUT:
		return run_output_option(value, options->outputs, &options->output_count,
		                         RUN_OUTPUTS);
	case OPTION_PROFILE: return set_profile(options, value);
	case OPTION_SEED:
		options->seed_given = true;
		return option_number("seed", value, &options->seed);
	case OPTION_SHARD: return shard_parse(value, &options->shard);
	case OPTION_TIMEOUT: return option_seconds("timeout", value, &options->limit);
	case OPTION_UNPROVEN:
		return option_either("unproven", value, "skipped", "property",
		                     &options->unproven_property);
	case OPTION_WAIT: return option_seconds("wait", value, &options->wait);
	default: return set_word(options, index, value);
	}
}
