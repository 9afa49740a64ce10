// SPDX-License-Identifier: Apache-2.0
/* One line per test, what is wrong below it, and a table by family. */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the closing table; the rest of the verdicts share `failed`. */
enum column {
	COLUMN_TESTS,
	COLUMN_PASS,
	COLUMN_INCONCLUSIVE,
	COLUMN_FORBIDDEN,
	COLUMN_DISPUTED,
	COLUMN_UNDEFINED,
	COLUMN_SKIP,
	COLUMN_LISTED,
	COLUMN_FAILED,
	COLUMN_COUNT
};

static const char *const column_names[] = {"tests",     "pass", "inconcl.", "forbidden", "disputed",
                                           "undefined", "skip", "listed",   "failed"};

struct family {
	char *name;
	uint64_t columns[COLUMN_COUNT];
	uint64_t instances;
	uint64_t weak;
};

struct summary {
	struct family *families;
	size_t count;
	size_t capacity;
};

static enum column column_of(enum oclmm_verdict verdict)
{
	switch (verdict) {
	case OCLMM_VERDICT_PASS: return COLUMN_PASS;
	case OCLMM_VERDICT_KNOWN:
	case OCLMM_VERDICT_STALE: return COLUMN_LISTED;
	case OCLMM_VERDICT_INCONCLUSIVE: return COLUMN_INCONCLUSIVE;
	case OCLMM_VERDICT_FORBIDDEN: return COLUMN_FORBIDDEN;
	case OCLMM_VERDICT_DISPUTED: return COLUMN_DISPUTED;
	case OCLMM_VERDICT_UNDEFINED: return COLUMN_UNDEFINED;
	case OCLMM_VERDICT_SKIP: return COLUMN_SKIP;
	case OCLMM_VERDICT_BUILD_FAILED:
	case OCLMM_VERDICT_CRASH:
	case OCLMM_VERDICT_TIMEOUT:
	case OCLMM_VERDICT_LOST:
	case OCLMM_VERDICT_COUNT: break;
	}
	return COLUMN_FAILED;
}

/* Past so many the table is read by nobody, and whoever made it means harm. */
enum { MOST_FAMILIES = 1000 };

static struct family *find_family(struct summary *summary, const char *name)
{
	if (summary->count >= MOST_FAMILIES)
		name = "(others)";
	for (size_t i = 0; i < summary->count; i++) {
		if (strcmp(summary->families[i].name, name) == 0)
			return &summary->families[i];
	}
	oclmm_grow(&summary->families, &summary->capacity, summary->count, sizeof(struct family));
	summary->families[summary->count] = (struct family){.name = oclmm_strdup(name)};
	return &summary->families[summary->count++];
}

static void count_record(struct summary *summary, const struct oclmm_record *record)
{
	/* what the device does not claim stands apart: it does not gate by itself */
	const char *name = record->support == OCLMM_CLASS_ACCEPTED ? "(accepted, not claimed)"
	                                                           : record->family;
	struct family *family = find_family(summary, name && *name ? name : ".");

	family->columns[COLUMN_TESTS]++;
	family->columns[column_of(record->grade.verdict)]++;
	family->instances += record->grade.instances;
	family->weak += record->grade.weak;
}

static void summary_begin(struct oclmm_report *report, const struct oclmm_run_header *header,
                          struct oclmm_text *text)
{
	report->state = oclmm_calloc(1, sizeof(struct summary));
	oclmm_text_printf(text, "%s: %s, %s, driver %s\n", oclmm_shown(header->tool).text,
	                  oclmm_shown(header->device).text, oclmm_shown(header->version).text,
	                  oclmm_shown(header->driver).text);
	oclmm_text_printf(text, "%" PRIu64 " tests, ", header->tests);
	oclmm_report_quantity(text, (double)header->instances);
	oclmm_text_printf(text, " instances each, seed %" PRIu64 "\n\n", header->seed);
}

static void print_details(struct oclmm_report *report, const struct oclmm_record *record,
                          struct oclmm_text *text)
{
	const struct oclmm_grade *grade = &record->grade;

	for (uint32_t i = 0; i < grade->row_count; i++) {
		const struct oclmm_graded_row *row = &grade->rows[i];

		if (!row->count ||
		    (row->status != OCLMM_STATUS_FORBIDDEN && row->status != OCLMM_STATUS_DISPUTED))
			continue;
		oclmm_text_printf(text, "    %" PRIu64 " x ", row->count);
		report_outcome(text, record, row->values);
		report_row_comment(text, row);
		oclmm_text_add(text, "\n");
	}
	if (grade->verdict == OCLMM_VERDICT_FORBIDDEN ||
	    oclmm_verdict_is_infrastructure(grade->verdict)) {
		oclmm_text_printf(text, "    stimulus %016" PRIx64 ", replay: ", record->stimulus);
		report_replay(text, report->header, record);
		oclmm_text_add(text, "\n");
	}
}

static void summary_record(struct oclmm_report *report, const struct oclmm_record *record,
                           struct oclmm_text *text)
{
	const struct oclmm_grade *grade = &record->grade;
	enum oclmm_verdict verdict = grade->verdict;

	count_record(report->state, record);
	oclmm_text_printf(text, "%-12s %-52s",
	                  verdict == OCLMM_VERDICT_FORBIDDEN ? "FORBIDDEN"
	                  : report_awaits_confidence(record) ? "pass?"
	                                                     : oclmm_verdict_word(verdict),
	                  oclmm_shown(record->program->name).text);
	if (record->support == OCLMM_CLASS_ACCEPTED)
		oclmm_text_add(text, " (not claimed)");
	if (grade->instances) {
		oclmm_text_add(text, " ");
		oclmm_report_quantity(text, (double)grade->instances);
		if (grade->forbidden)
			oclmm_text_printf(text, ", %" PRIu64 " forbidden", grade->forbidden);
		if (grade->weak || !grade->forbidden)
			oclmm_text_printf(text, ", %" PRIu64 " weak", grade->weak);
		if (grade->weak && record->seconds > 0) {
			oclmm_text_add(text, " (");
			oclmm_report_quantity(text, (double)grade->weak / record->seconds);
			oclmm_text_add(text, "/s)");
		}
	}
	if (record->message && (!grade->instances || record->end != OCLMM_END_OK))
		oclmm_text_printf(text, " %s", oclmm_shown(record->message).text);
	if (grade->known)
		oclmm_text_printf(text, " [%s]", oclmm_shown(grade->known).text);
	report_expired(text, grade);
	oclmm_text_add(text, "\n");
	print_details(report, record, text);
}

static void drop_families(struct summary *summary)
{
	for (size_t i = 0; i < summary->count; i++)
		free(summary->families[i].name);
	summary->count = 0;
}

/* Verdicts may have become inconclusive since their lines were written, so all is counted again. */
static void summary_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                           size_t count, struct oclmm_text *text)
{
	struct summary *summary = report->state;
	bool first = true;

	drop_families(summary);
	for (size_t i = 0; i < count; i++) {
		count_record(summary, records[i]);
		if (records[i]->grade.control.confidence < OCLMM_CONFIDENCE_REACHED)
			continue;
		if (first)
			oclmm_text_add(text, "\n");
		report_judged_line(text, records[i]);
		first = false;
	}
}

static void print_table_row(struct oclmm_text *text, const struct family *family)
{
	oclmm_text_printf(text, "%-24s", oclmm_shown(family->name).text);
	for (int column = 0; column < COLUMN_COUNT; column++)
		oclmm_text_printf(text, " %9" PRIu64, family->columns[column]);
	oclmm_text_printf(text, " %15" PRIu64 " %12" PRIu64 "\n", family->instances, family->weak);
}

static void summary_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                        enum oclmm_exit status, struct oclmm_text *text)
{
	const struct summary *summary = report->state;

	if (summary->count) {
		oclmm_text_printf(text, "\n%-24s", "family");
		for (int column = 0; column < COLUMN_COUNT; column++)
			oclmm_text_printf(text, " %9s", column_names[column]);
		oclmm_text_printf(text, " %15s %12s\n", "instances", "weak");
		for (size_t i = 0; i < summary->count; i++)
			print_table_row(text, &summary->families[i]);
		oclmm_text_add(text, "\n");
	}
	report_closing(text, report->header, tally, status);
}

static void summary_finish(struct oclmm_report *report)
{
	struct summary *summary = report->state;

	drop_families(summary);
	free(summary->families);
	free(summary);
}

const struct oclmm_report_kind oclmm_report_summary = {
	.name = "summary",
	.description = "one line per test and a table by family",
	.for_people = true,
	.begin = summary_begin,
	.record = summary_record,
	.judged = summary_judged,
	.end = summary_end,
	.finish = summary_finish,
};
