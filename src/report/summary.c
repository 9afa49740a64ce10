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

static const char *const column_names[] = {"tests", "pass", "inconc", "forbid", "disput",
                                           "undef", "skip", "listed", "failed"};

struct family {
	char *name;
	uint64_t columns[COLUMN_COUNT];
	uint64_t instances;
	uint64_t weak;
};

/* Of one device. */
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
	const char *name = record->support == OCLMM_CLASS_ACCEPTED ? "(not claimed)"
	                                                           : record->family;
	struct family *family = find_family(summary, name && *name ? name : ".");

	family->columns[COLUMN_TESTS]++;
	family->columns[column_of(record->grade.verdict)]++;
	family->instances += record->grade.instances;
	family->weak += record->grade.weak;
}

static size_t count_headers(const struct oclmm_run_header *header)
{
	size_t count = 0;

	for (; header; header = header->next)
		count++;
	return count;
}

static void print_device(struct oclmm_text *text, const struct oclmm_run_header *header)
{
	oclmm_text_printf(text, "%s: ", oclmm_shown(header->tool).text);
	if (header->devices > 1)
		oclmm_text_printf(text, "%" PRIu32 " x ", header->devices);
	oclmm_text_printf(text, "%s, %s, driver %s\n", oclmm_shown(header->device).text,
	                  oclmm_shown(header->version).text, oclmm_shown(header->driver).text);
	if (header->il)
		oclmm_text_printf(text, "SPIR-V by %s\n", oclmm_shown(header->il).text);
}

static void print_number(struct oclmm_text *text, const struct oclmm_run_header *first,
                         size_t number)
{
	report_number(text, first, number);
	oclmm_text_add(text, first->next ? " " : "");
}

static void summary_begin(struct oclmm_report *report, const struct oclmm_run_header *header,
                          struct oclmm_text *text)
{
	size_t devices = count_headers(header);

	report->state = oclmm_calloc(devices, sizeof(struct summary));
	for (size_t i = 0; i < devices; i++) {
		print_number(text, header, i);
		print_device(text, report_header(header, i));
	}
	oclmm_text_printf(text, "%s, ", oclmm_counted(header->tests, "test").text);
	oclmm_report_quantity(text, (double)header->instances);
	oclmm_text_printf(text, " instances each, seed %" PRIu64 "\n\n", header->seed);
}

static struct summary *summary_of(const struct oclmm_report *report,
                                  const struct oclmm_record *record)
{
	struct summary *summaries = report->state;

	return &summaries[oclmm_header_of(report->header, record)];
}

static void summary_record(struct oclmm_report *report, const struct oclmm_record *record,
                           struct oclmm_text *text)
{
	count_record(summary_of(report, record), record);
	report_test_line(text, report->header, record);
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
	struct summary *summaries = report->state;
	size_t devices = count_headers(report->header);
	struct oclmm_text table = {0};

	for (size_t i = 0; i < devices; i++)
		drop_families(&summaries[i]);
	for (size_t i = 0; i < count; i++)
		count_record(summary_of(report, records[i]), records[i]);
	if (report_judged(&table, report->header, records, count))
		oclmm_text_printf(text, "\n%s", oclmm_text_string(&table));
	oclmm_text_finish(&table);
}

/* ---- the table ---- */

/* Widths of its columns, 0 of one that is left out. */
struct layout {
	int columns[COLUMN_COUNT];
	int instances, weak;
};

enum { FAMILY = 16 };

/* A column in which no family has anything is left out. */
static bool is_used(const struct summary *summary, int column)
{
	bool used = column <= COLUMN_PASS;

	for (size_t i = 0; i < summary->count; i++)
		used = used || summary->families[i].columns[column];
	return used;
}

static int width_of(const struct layout *layout)
{
	int width = FAMILY + layout->instances + layout->weak;

	for (int i = 0; i < COLUMN_COUNT; i++)
		width += layout->columns[i];
	return width;
}

/* Columns are narrow where the table is too wide; the lines of the tests have instances, too. */
static struct layout lay_out(const struct summary *summary)
{
	struct layout layout = {.instances = 10, .weak = 10};

	for (int i = 0; i < COLUMN_COUNT; i++)
		layout.columns[i] = is_used(summary, i) ? 7 : 0;
	if (width_of(&layout) <= OCLMM_TEXT_WIDTH)
		return layout;
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (layout.columns[i])
			layout.columns[i] = 1 + (int)strlen(column_names[i]);
	}
	layout.weak = 8;
	if (width_of(&layout) > OCLMM_TEXT_WIDTH)
		layout.instances = layout.weak = 0;
	return layout;
}

static void print_quantity(struct oclmm_text *text, int width, uint64_t number)
{
	struct oclmm_text quantity = {0};

	if (!width)
		return;
	oclmm_report_quantity(&quantity, (double)number);
	oclmm_text_printf(text, " %*s", width - 1, oclmm_text_string(&quantity));
	oclmm_text_finish(&quantity);
}

static void print_heading(struct oclmm_text *text, const struct layout *layout)
{
	oclmm_text_printf(text, "\n%-*s", FAMILY, "family");
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (layout->columns[i])
			oclmm_text_printf(text, " %*s", layout->columns[i] - 1, column_names[i]);
	}
	if (layout->instances)
		oclmm_text_printf(text, " %*s %*s", layout->instances - 1, "instances",
		                  layout->weak - 1, "weak");
	oclmm_text_add(text, "\n");
}

static void print_row(struct oclmm_text *text, const struct layout *layout,
                      const struct family *family)
{
	oclmm_text_printf(text, "%-*s", FAMILY, oclmm_shown(family->name).text);
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (layout->columns[i])
			oclmm_text_printf(text, " %*" PRIu64, layout->columns[i] - 1,
			                  family->columns[i]);
	}
	print_quantity(text, layout->instances, family->instances);
	print_quantity(text, layout->weak, family->weak);
	oclmm_text_add(text, "\n");
}

static void print_table(struct oclmm_text *text, const struct summary *summary)
{
	struct layout layout = lay_out(summary);

	print_heading(text, &layout);
	for (size_t i = 0; i < summary->count; i++)
		print_row(text, &layout, &summary->families[i]);
	oclmm_text_add(text, "\n");
}

static void summary_part(struct oclmm_report *report, size_t number, struct oclmm_text *text)
{
	const struct summary *summaries = report->state;

	if (report->header->next) {
		oclmm_text_add(text, number ? "" : "\n");
		print_number(text, report->header, number);
		print_device(text, report_header(report->header, number));
	}
	if (summaries[number].count)
		print_table(text, &summaries[number]);
}

static void summary_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                        enum oclmm_exit status, struct oclmm_text *text)
{
	report_closing(report, text, tally, status, summary_part);
}

static void summary_finish(struct oclmm_report *report)
{
	struct summary *summaries = report->state;
	size_t devices = count_headers(report->header);

	for (size_t i = 0; i < devices; i++) {
		drop_families(&summaries[i]);
		free(summaries[i].families);
	}
	free(summaries);
}

const struct oclmm_report_kind oclmm_report_summary = {
	.name = "summary",
	.for_people = true,
	.begin = summary_begin,
	.record = summary_record,
	.judged = summary_judged,
	.end = summary_end,
	.finish = summary_finish,
};
