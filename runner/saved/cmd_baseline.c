// SPDX-License-Identifier: Apache-2.0
/* oclmm baseline: what failed in saved results, as a list of known failures. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "oclmm/cat.h"
#include "oclmm/grade.h"
#include "saved.h"

/* Days after which a listed failure is looked at again. */
enum { DAYS = 90 };

struct baseline {
	const struct command *command;
	/* as asked for */
	const char *output, *reason, *until;
	struct regrade_options options;
	/* while writing */
	struct regrade regrade;
	char last[16];
	struct oclmm_text text;
};

static const struct option_spec options[] = {
	REGRADE_CAT_OPTION(struct baseline, options.rules),
	REGRADE_CLAIMS_OPTION(struct baseline, options.rules),
	REGRADE_LITMUS_OPTION(struct baseline, options),
	REGRADE_MODEL_OPTION(struct baseline, options.rules),
	{"output", 'o', "FILE", "write there instead of to standard output",
         SETS_TEXT(struct baseline, output)},
	REGRADE_PARTIAL_OPTION(struct baseline, options.partial),
	{"reason", 0, "TEXT", "why they are known, or the address of a bug (default: baseline)",
         SETS_TEXT(struct baseline, reason)},
	{"until", 0, "YYYY-MM-DD", "the last day on which the lines hold (default: in 90 days)",
         SETS_TEXT(struct baseline, until)},
	{0},
};

static bool is_blank(char letter)
{
	return letter == ' ' || letter == '\t' || letter == '\r';
}

/*
 * A field that matches this text alone. Most texts match themselves; what would end a field, or be
 * taken off its ends, is any letter.
 */
static void add_field(struct oclmm_text *text, const char *word)
{
	size_t length = strlen(word);
	bool itself = length > 0 && *word != '#' && !is_blank(word[0]) &&
	              !is_blank(word[length - 1]) && oclmm_pattern_matches(word, word);

	for (size_t i = 0; i < length; i++)
		itself = itself && word[i] != '|' && (unsigned char)word[i] >= ' ';
	if (itself) {
		oclmm_text_add(text, word);
		return;
	}
	for (size_t i = 0; i < length; i++) {
		bool edge = i == 0 || i + 1 == length;

		if (word[i] == '|' || (unsigned char)word[i] < ' ' || (edge && is_blank(word[i])))
			oclmm_text_add(text, "?");
		else if (strchr("*?[]\\+@!()#", word[i]))
			oclmm_text_printf(text, "\\%c", word[i]);
		else
			oclmm_text_add_bytes(text, &word[i], 1);
	}
	/* a device or driver without a name */
	if (length == 0)
		oclmm_text_add(text, "*");
}

/* Once, however many records say it. */
static void add_line(struct baseline *baseline, const struct oclmm_record *record,
                     const char *outcome)
{
	enum oclmm_verdict verdict = record->grade.verdict;
	struct oclmm_text line = {0};

	oclmm_text_add(&line, "\n");
	add_field(&line, record->identity.device ? record->identity.device : "");
	oclmm_text_add(&line, " | ");
	add_field(&line, record->identity.driver ? record->identity.driver : "");
	oclmm_text_add(&line, " | ");
	add_field(&line, record->program->name);
	oclmm_text_printf(&line, " | %s | %s | %s | %s\n", oclmm_verdict_word(verdict), outcome,
	                  baseline->reason, baseline->last);
	if (!strstr(oclmm_text_string(&baseline->text), oclmm_text_string(&line)))
		oclmm_text_add(&baseline->text, oclmm_text_string(&line) + 1);
	oclmm_text_finish(&line);
}

static void add_record(struct baseline *baseline, const struct oclmm_record *record)
{
	if (!record->grade.gates)
		return;
	if (oclmm_verdict_is_infrastructure(record->grade.verdict))
		add_line(baseline, record, "*");
	if (record->grade.verdict != OCLMM_VERDICT_FORBIDDEN)
		return;
	for (uint32_t i = 0; i < record->grade.row_count; i++) {
		const struct oclmm_graded_row *row = &record->grade.rows[i];
		struct oclmm_text outcome = {0};

		if (!row->count || row->status != OCLMM_STATUS_FORBIDDEN)
			continue;
		oclmm_outcome_print(&outcome, record->program, row->values);
		add_line(baseline, record, oclmm_text_string(&outcome));
		oclmm_text_finish(&outcome);
	}
}

static void set_last(struct baseline *baseline)
{
	time_t day = time(NULL) + (time_t)DAYS * 24 * 60 * 60;
	struct tm date;

	if (baseline->until)
		snprintf(baseline->last, sizeof(baseline->last), "%s", baseline->until);
	else if (gmtime_r(&day, &date))
		strftime(baseline->last, sizeof(baseline->last), "%Y-%m-%d", &date);
}

/* As `run` and `grade` will read it: a reason with a `|`, or what is no day, is refused here. */
static int check(struct baseline *baseline)
{
	struct oclmm_expectations *read;
	struct oclmm_error error = {0};
	int r = oclmm_expectations_parse("the list", oclmm_text_string(&baseline->text),
	                                 baseline->text.length, &error, &read);

	if (r < 0)
		return report_error(&error);
	oclmm_expectations_destroy(read);
	return 0;
}

/* Also where nothing failed: a wrong day is wrong today. */
static int check_given(struct baseline *baseline)
{
	struct oclmm_text failures = baseline->text;
	int status;

	baseline->text = (struct oclmm_text){0};
	oclmm_text_printf(&baseline->text, "* | * | * | crash | * | %s | %s\n", baseline->reason,
	                  baseline->until ? baseline->until : baseline->last);
	status = check(baseline);
	oclmm_text_finish(&baseline->text);
	baseline->text = failures;
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct baseline baseline = {
		.command = command,
		.reason = "baseline",
		.options.rules.demand = REGRADE_DEMAND,
	};
	int first, status = options_parse(command, argc, argv, &baseline, &first);

	if (status == 0) {
		set_last(&baseline);
		status = check_given(&baseline);
	}
	if (status == 0)
		status = regrade_open(&baseline.regrade, command, &baseline.options, argv + first,
		                      argc - first);
	if (status == 0) {
		oclmm_text_add(&baseline.text, "# device | driver | test | status | outcome | "
		                               "reason or URL | last day\n");
		for (size_t i = 0; i < baseline.regrade.count; i++)
			add_record(&baseline, baseline.regrade.records[i]);
		status = check(&baseline);
	}
	if (status == 0)
		status = command_write(command, baseline.output, &baseline.text);
	oclmm_text_finish(&baseline.text);
	regrade_finish(&baseline.regrade);
	oclmm_cat_destroy(baseline.options.rules.model.cat);
	return status;
}

const struct command command_baseline = {
	.name = "baseline",
	.arguments = "RESULTS…",
	.summary = "list what failed in saved results as known failures",
	.description =
		"Each forbidden outcome and each test that could not be run to the end is a line\n"
		"for --expectations of oclmm run and grade, for this device and driver. From then\n"
		"on only other failures fail a run.\n"
		"Exit status: 0 written, whatever the results say; 2 usage, or a file that is\n"
		"refused; 99 the output could not be written.",
	.options = options,
	.repeatable = "litmus",
	.run = run,
};
