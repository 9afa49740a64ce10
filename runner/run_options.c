// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "run_options.h"
#include "run_output.h"

enum {
	OPTION_ANNOTATIONS,
	OPTION_ARTIFACTS,
	OPTION_BUDGET,
	OPTION_CLAIMS,
	OPTION_CONFIDENCE,
	OPTION_DEVICE,
	OPTION_EXPECTATIONS,
	OPTION_FORMAT,
	OPTION_INSTANCES,
	OPTION_NO_WAIT,
	OPTION_OUTPUT,
	OPTION_PROFILE,
	OPTION_QUICK,
	OPTION_RESUME,
	OPTION_SEED,
	OPTION_SHARD,
	OPTION_STRICT,
	OPTION_TIMEOUT,
	OPTION_VERBOSE,
};

const struct option_spec run_option_specs[] = {
	[OPTION_ANNOTATIONS] = { "annotations", 0, "FOR", "github: failures as annotations of the litmus files" },
	[OPTION_ARTIFACTS] = { "artifacts", 0, "DIR", "for each failure a folder there with what its analysis needs" },
	[OPTION_BUDGET] = { "budget", 'b', "SECONDS", "time for the whole run, shared among the tests" },
	[OPTION_CLAIMS] = { "claims", 0, "WHICH", "claimed (default) or accepted: which tests gate" },
	[OPTION_CONFIDENCE] = { "confidence", 0, "P", "that a pass needs, by its control (default 0.95)" },
	[OPTION_DEVICE] = { "device", 'd', "NAME|INDEX", "as listed by oclmm devices; default: the first GPU" },
	[OPTION_EXPECTATIONS] = { "expectations", 'e', "FILE", "failures that are known, by device and driver" },
	[OPTION_FORMAT] = { "format", 'f', "FORMAT", "on standard output: summary (default), text, json, junit, tap" },
	[OPTION_INSTANCES] = { "instances", 'n', "N", "instances of each test, at least (default 1M)" },
	[OPTION_NO_WAIT] = { "no-wait", 0, NULL, "fail where another run has the device" },
	[OPTION_OUTPUT] = { "output", 'o', "FILE", "also write there: *.jsonl, *.xml (JUnit), *.tap, else text" },
	[OPTION_PROFILE] = { "profile", 'p', "NAME", "the tests of litmus/profiles/NAME" },
	[OPTION_QUICK] = { "quick", 'q', NULL, "the same as --profile quick" },
	[OPTION_RESUME] = { "resume", 'r', "FILE", "go on with a run that was cut short, and write there" },
	[OPTION_SEED] = { "seed", 's', "N", "master seed (default: drawn, and printed)" },
	[OPTION_SHARD] = { "shard", 0, "K/N", "only the K-th of N parts of the tests; variants stay together" },
	[OPTION_STRICT] = { "strict", 0, NULL, "inconclusive tests fail (status 3)" },
	[OPTION_TIMEOUT] = { "timeout", 't', "SECONDS", "a driver silent for so long is ended (default 60)" },
	[OPTION_VERBOSE] = { "verbose", 'v', NULL, "the same as --format text" },
	{ 0 },
};

static int set_claims(struct run_options *options, const char *value)
{
	if (strcmp(value, "accepted") != 0 && strcmp(value, "claimed") != 0)
		return option_refuse("claims", value, "\"claimed\" or \"accepted\"");
	options->claims_accepted = strcmp(value, "accepted") == 0;
	return 0;
}

static int set_annotations(struct run_options *options, const char *value)
{
	if (strcmp(value, "github") != 0)
		return option_refuse("annotations", value, "\"github\"");
	options->annotations = true;
	return 0;
}

static int add_output(struct run_options *options, const char *value)
{
	if (options->output_count == RUN_OUTPUTS)
		return option_refuse("output", value, "one of the first 8");
	options->outputs[options->output_count++] = value;
	return 0;
}

/* Options that take a text, or none. */
static int set_word(struct run_options *options, int index, const char *value)
{
	switch (index) {
	case OPTION_ARTIFACTS:
		options->artifacts = value;
		break;
	case OPTION_DEVICE:
		options->device = value;
		break;
	case OPTION_EXPECTATIONS:
		options->expectations = value;
		break;
	case OPTION_NO_WAIT:
		options->no_wait = true;
		break;
	case OPTION_PROFILE:
		options->profile = value;
		break;
	case OPTION_QUICK:
		options->profile = "quick";
		break;
	case OPTION_RESUME:
		options->resume = value;
		break;
	case OPTION_STRICT:
		options->strict = true;
		break;
	case OPTION_VERBOSE:
		options->format = oclmm_report_kind("text");
		break;
	}
	return 0;
}

int run_options_set(void *data, int index, const char *value)
{
	struct run_options *options = data;

	switch (index) {
	case OPTION_ANNOTATIONS:
		return set_annotations(options, value);
	case OPTION_BUDGET:
		return option_seconds("budget", value, &options->budget);
	case OPTION_CLAIMS:
		return set_claims(options, value);
	case OPTION_CONFIDENCE:
		return option_probability("confidence", value, &options->confidence);
	case OPTION_FORMAT:
		return run_output_format(value, &options->format);
	case OPTION_INSTANCES:
		options->instances_given = true;
		return option_count("instances", value, &options->instances);
	case OPTION_OUTPUT:
		return add_output(options, value);
	case OPTION_SEED:
		options->seed_given = true;
		return option_number("seed", value, &options->seed);
	case OPTION_SHARD:
		return shard_parse(value, &options->shard);
	case OPTION_TIMEOUT:
		return option_seconds("timeout", value, &options->limit);
	default:
		return set_word(options, index, value);
	}
}
