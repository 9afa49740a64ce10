// SPDX-License-Identifier: Apache-2.0
/* oclmm grade: judges saved results again, without a device. */
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "oclmm/cat.h"
#include "oclmm/grade.h"
#include "output.h"
#include "saved.h"

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
	struct oclmm_arena *arena;        /* of the rules that failures break */
	struct oclmm_run_header *headers; /* one for each device */
	size_t header_count;
	struct run_output reports[MAX_OUTPUTS + 1]; /* standard output first */
	size_t report_count;
};

static int add_output(const char *option, const char *value, void *target)
{
	struct grading *grading = target;

	(void)option;
	return run_output_option(value, grading->outputs, &grading->output_count, MAX_OUTPUTS);
}

static const struct option_spec options[] = {
	REGRADE_ANNOTATIONS_OPTION(struct grading),
	REGRADE_CAT_OPTION(struct grading, options.rules),
	REGRADE_CLAIMS_OPTION(struct grading, options.rules),
	REGRADE_CONFIDENCE_OPTION(struct grading, options.rules),
	REGRADE_EXPECTATIONS_OPTION(struct grading, options.rules),
	{"brief", 0, NULL, "the same as --format brief: what has to be looked at",
         SETS_BY(run_output_brief, struct grading, format)},
	{"format", 'f', "FORMAT", "on standard output: " RUN_OUTPUT_FORMATS,
         SETS_BY(run_output_format, struct grading, format)},
	REGRADE_LITMUS_OPTION(struct grading, options),
	REGRADE_MODEL_OPTION(struct grading, options.rules),
	{"output", 'o', "FILE", "also write there: " RUN_OUTPUT_SUFFIXES, SETS(add_output)},
	REGRADE_PARTIAL_OPTION(struct grading, options.partial),
	REGRADE_REQUIRE_OPTION(struct grading, options.rules),
	{"strict", 0, NULL, "inconclusive tests fail (status 3), stale expectations too (1)",
         SETS_FLAG(struct grading, strict)},
	REGRADE_STUCK_OPTION(struct grading, options.rules),
	REGRADE_UNPROVEN_OPTION(struct grading),
	{0},
};

static bool same_device(const struct oclmm_run_header *a, const struct oclmm_run_header *b)
{
	return oclmm_identity_compare(&a->identity, &b->identity) == 0 &&
	       oclmm_same_string(a->identity.device_id, b->identity.device_id) &&
	       oclmm_same_string(a->partner, b->partner);
}

/* One for all runs on a device: what they differ in is told by the records. */
static void add_header(struct grading *grading, const struct oclmm_run_header *run)
{
	struct oclmm_run_header *header = grading->headers;
	size_t i = 0;

	for (; i < grading->header_count && !same_device(&header[i], run); i++)
		;
	if (i == grading->header_count) {
		header[grading->header_count++] = *run;
		return;
	}
	header[i].tests += run->tests;
	header[i].whole_suite &= run->whole_suite;
	header[i].shard = header[i].shards = 0;
}

static void make_headers(struct grading *grading)
{
	const struct oclmm_results *results = grading->regrade.results;

	grading->headers = oclmm_calloc(results->run_count, sizeof(*grading->headers));
	for (size_t i = 0; i < results->run_count; i++)
		add_header(grading, &results->runs[i].header);
	for (size_t i = 0; i < grading->header_count; i++) {
		struct oclmm_run_header *header = &grading->headers[i];

		/* of several shards some may be missing */
		if (grading->options.partial)
			header->whole_suite = false;
		header->demand = grading->options.rules.demand;
		header->strict = grading->strict;
		header->root = getenv("GITHUB_WORKSPACE");
		header->unproven_property = grading->unproven_property;
		header->next = i + 1 < grading->header_count ? header + 1 : NULL;
	}
}

/* Records first and confidence behind them, as in the run itself. */
static void begin_report(struct grading *grading, struct run_output *output)
{
	const struct regrade *regrade = &grading->regrade;

	run_output_begin(output,
	                 output == &grading->reports[0] ? grading->format
	                                                : oclmm_report_kind_of_file(output->name),
	                 grading->headers, false);
	for (size_t i = 0; i < regrade->count; i++) {
		saved_add_next(grading->arena, regrade->records[i]);
		run_output_record(output, regrade->records[i], false);
	}
}

/* Tests of each device that have no record. */
static void count_left_out(const struct grading *grading, struct run_ending *ending)
{
	struct oclmm_tally *parts = ending->parts;

	for (size_t i = 0; i < grading->header_count; i++)
		parts[i].left_out = grading->headers[i].tests;
	for (size_t i = 0; i < ending->count; i++) {
		size_t number = oclmm_header_of(grading->headers, ending->records[i]);

		parts[number].left_out -= parts[number].left_out > 0;
	}
	for (size_t i = 0; i < grading->header_count; i++)
		ending->left_out += parts[i].left_out;
	if (grading->header_count == 1)
		ending->parts = NULL;
}

static int write_all(struct grading *grading)
{
	const struct regrade *regrade = &grading->regrade;
	struct oclmm_tally *parts;
	struct run_ending ending = {
		.command = grading->command,
		.expectations = regrade->expectations,
		.records = regrade->records,
		.count = regrade->count,
		.unfinished = regrade->results->unfinished,
		.interrupted = regrade->results->interrupted,
		.annotations = grading->annotations,
	};
	int status;

	make_headers(grading);
	parts = oclmm_calloc(grading->header_count, sizeof(*parts));
	ending.header = grading->headers;
	ending.parts = parts;
	for (size_t i = 0; i < grading->report_count; i++)
		begin_report(grading, &grading->reports[i]);
	count_left_out(grading, &ending);
	status = run_output_end_all(&ending, grading->reports, grading->report_count);
	free(parts);
	return status;
}

/* Reports are written as they come: where the disk is full nothing would be left of what was read.
 */
static int check_inputs(const struct grading *grading, char *const *names, int count)
{
	for (int i = 0; i < count; i++) {
		for (size_t k = 0; k < grading->report_count; k++) {
			const struct run_output *output = &grading->reports[k];
			struct stat from, to;

			if (output->plain && stat(names[i], &from) == 0 &&
			    fstat(output->file, &to) == 0 && from.st_dev == to.st_dev &&
			    from.st_ino == to.st_ino)
				return options_error(grading->command,
				                     "--output %s is what is graded", output->name);
		}
	}
	return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct grading grading = {
		.command = command,
		.options.rules.demand = REGRADE_DEMAND,
		.format = oclmm_report_kind("summary"),
	};
	int first, status = options_parse(command, argc, argv, &grading, &first);

	grading.arena = oclmm_arena_create();
	if (status == 0 && grading.annotations)
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
		status = check_inputs(&grading, argv + first, argc - first);
	if (status == 0)
		status = write_all(&grading);
	for (size_t i = 0; i < grading.report_count; i++)
		run_output_close(&grading.reports[i]);
	free(grading.headers);
	oclmm_arena_destroy(grading.arena);
	regrade_finish(&grading.regrade);
	oclmm_cat_destroy(grading.options.rules.model.cat);
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
	.repeatable = "litmus output",
	.one_of = (const char *const[]){"brief format", "cat model", NULL},
	.run = run,
};
