// SPDX-License-Identifier: Apache-2.0
/* oclmm grade: judges saved results again, without a device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "oclmm/grade.h"
#include "output.h"
#include "regrade.h"
#include "saved.h"

enum {
	OPTION_ANNOTATIONS,
	OPTION_CLAIMS,
	OPTION_CONFIDENCE,
	OPTION_EXPECTATIONS,
	OPTION_BRIEF,
	OPTION_FORMAT,
	OPTION_LITMUS,
	OPTION_MODEL,
	OPTION_OUTPUT,
	OPTION_PARTIAL,
	OPTION_REQUIRE,
	OPTION_STRICT,
	OPTION_UNPROVEN,
};

static const struct option_spec options[] = {
	[OPTION_ANNOTATIONS] = {"annotations", 0, "FOR",
                                "github: failures as annotations of the litmus files"},
	[OPTION_CLAIMS] = REGRADE_CLAIMS_OPTION,
	[OPTION_CONFIDENCE] = REGRADE_CONFIDENCE_OPTION,
	[OPTION_EXPECTATIONS] = REGRADE_EXPECTATIONS_OPTION,
	[OPTION_BRIEF] = {"brief", 0, NULL, "the same as --format brief: what has to be looked at"},
	[OPTION_FORMAT] = {"format", 'f', "FORMAT", "on standard output: " RUN_OUTPUT_FORMATS},
	[OPTION_LITMUS] = REGRADE_LITMUS_OPTION,
	[OPTION_MODEL] = REGRADE_MODEL_OPTION,
	[OPTION_OUTPUT] = {"output", 'o', "FILE", "also write there: " RUN_OUTPUT_SUFFIXES},
	[OPTION_PARTIAL] = REGRADE_PARTIAL_OPTION,
	[OPTION_REQUIRE] = REGRADE_REQUIRE_OPTION,
	[OPTION_STRICT] = {"strict", 0, NULL,
                           "inconclusive tests fail (status 3), stale expectations too (1)"},
	[OPTION_UNPROVEN] = REGRADE_UNPROVEN_OPTION,
	{0},
};

enum { MAX_OUTPUTS = 8 };

struct grading {
	const struct command *command;
	/* as asked for */
	const struct oclmm_report_kind *format;
	const char *outputs[MAX_OUTPUTS];
	size_t output_count;
	struct regrade_options options;
	bool annotations;
	bool strict;
	bool unproven_property;
	/* while grading */
	struct regrade regrade;
	struct oclmm_run_header header;
	struct run_output reports[MAX_OUTPUTS + 1]; /* standard output first */
	size_t report_count;
};

static int set_option(void *data, int index, const char *value)
{
	struct grading *grading = data;

	switch (index) {
	case OPTION_ANNOTATIONS:
		return option_either("annotations", value, NULL, "github", &grading->annotations);
	case OPTION_BRIEF: grading->format = oclmm_report_kind("brief"); break;
	case OPTION_FORMAT: return run_output_format(value, &grading->format);
	case OPTION_OUTPUT:
		return run_output_option(value, grading->outputs, &grading->output_count,
		                         MAX_OUTPUTS);
	case OPTION_STRICT: grading->strict = true; break;
	case OPTION_UNPROVEN:
		return option_either("unproven", value, "skipped", "property",
		                     &grading->unproven_property);
	default:
		return regrade_option(grading->command, options[index].name, value,
		                      &grading->options);
	}
	return 0;
}

/* One line for all runs: what they differ in is told by the records. */
static void make_header(struct grading *grading)
{
	const struct oclmm_results *results = grading->regrade.results;

	grading->header = results->runs[0].header;
	grading->header.tests = 0;
	for (size_t i = 0; i < results->run_count; i++) {
		grading->header.tests += results->runs[i].header.tests;
		grading->header.whole_suite &= results->runs[i].header.whole_suite;
	}
	if (results->run_count > 1)
		grading->header.shard = grading->header.shards = 0;
	/* of several shards some may be missing */
	if (grading->options.partial)
		grading->header.whole_suite = false;
	grading->header.demand = grading->options.rules.demand;
	grading->header.strict = grading->strict;
	grading->header.unproven_property = grading->unproven_property;
}

/* Records first and confidence behind them, as in the run itself. */
static void begin_report(struct grading *grading, struct run_output *output)
{
	const struct regrade *regrade = &grading->regrade;

	run_output_begin(output,
	                 output == &grading->reports[0] ? grading->format
	                                                : oclmm_report_kind_of_file(output->name),
	                 &grading->header, false);
	for (size_t i = 0; i < regrade->count; i++)
		run_output_record(output, regrade->records[i], false);
}

static int write_all(struct grading *grading)
{
	const struct regrade *regrade = &grading->regrade;
	struct run_ending ending = {
		.command = grading->command,
		.header = &grading->header,
		.records = regrade->records,
		.count = regrade->count,
		.unfinished = regrade->results->unfinished,
		.interrupted = regrade->results->interrupted,
		.annotations = grading->annotations,
	};

	make_header(grading);
	for (size_t i = 0; i < grading->report_count; i++)
		begin_report(grading, &grading->reports[i]);
	if (grading->header.tests > regrade->count)
		ending.left_out = grading->header.tests - regrade->count;
	return run_output_end_all(&ending, grading->reports, grading->report_count);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct grading grading = {
		.command = command,
		.options.rules.demand = REGRADE_DEMAND,
		.format = oclmm_report_kind("summary"),
	};
	int first, status = options_parse(command, argc, argv, set_option, &grading, &first);

	if (status)
		return status;
	if (grading.annotations)
		status = run_output_check_annotations(command, grading.format);
	if (status == 0)
		status = regrade_open(&grading.regrade, command, &grading.options, argv + first,
		                      argc - first);
	if (status == 0) {
		run_output_standard(&grading.reports[grading.report_count++]);
		status = run_output_claim_all(command, grading.outputs, grading.output_count,
		                              grading.reports, &grading.report_count);
	}
	if (status == 0)
		status = write_all(&grading);
	for (size_t i = 0; i < grading.report_count; i++)
		run_output_close(&grading.reports[i]);
	regrade_finish(&grading.regrade);
	return status;
}

const struct command command_grade = {
	.name = "grade",
	.arguments = "RESULTS…",
	.summary = "judge saved results again, without a device",
	.description = "The tests and their expected sets are those of now: a corrected oracle "
		       "regrades old data.\n"
		       "A test that was changed since it ran counts as lost.\n"
		       "Exit status: as of oclmm run.",
	.options = options,
	.run = run,
};
