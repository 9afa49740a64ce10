// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
	const struct oclmm_report_kind *kind;
	const char *files;
} kinds[] = {
#define OCLMM_X(name, word, files) {&oclmm_report_##name, files},
	OCLMM_REPORT_KINDS(OCLMM_X)
#undef OCLMM_X
};

const struct oclmm_report_kind *oclmm_report_kind_at(size_t index)
{
	return index < OCLMM_COUNT(kinds) ? kinds[index].kind : NULL;
}

const struct oclmm_report_kind *oclmm_report_kind_of_file(const char *path)
{
	const char *dot = oclmm_suffix(path);
	struct stat info;

	if (!*dot || (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
		return &oclmm_report_text;
	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++) {
		/* behind the `*` */
		const char *suffix = kinds[i].files + (*kinds[i].files == '*');
		size_t wanted = strcspn(suffix, " ,");

		if (wanted && strlen(dot) == wanted && memcmp(dot, suffix, wanted) == 0)
			return kinds[i].kind;
	}
	return NULL;
}

const struct oclmm_report_kind *oclmm_report_kind(const char *name)
{
	const struct oclmm_report_kind *kind;

	for (size_t i = 0; (kind = oclmm_report_kind_at(i)); i++) {
		if (strcmp(kind->name, name) == 0)
			return kind;
	}
	return NULL;
}

/*
 * Colours over a finished text, so that no report has to know of them: the
 * word that a line begins with, where it is a verdict's.
 */

#define RED    "\x1b[1;31m"
#define YELLOW "\x1b[33m"
#define GREEN  "\x1b[32m"
#define FAINT  "\x1b[2m"
#define PLAIN  "\x1b[0m"

static const char verdict_line[] = "verdict: ";

/* A verdict without a row is a failure of the infrastructure. */
static const char *colour_of(enum oclmm_verdict verdict)
{
	switch (verdict) {
	case OCLMM_VERDICT_PASS: return GREEN;
	case OCLMM_VERDICT_INCONCLUSIVE:
	case OCLMM_VERDICT_DISPUTED:
	case OCLMM_VERDICT_KNOWN:
	case OCLMM_VERDICT_STALE: return YELLOW;
	case OCLMM_VERDICT_UNDEFINED:
	case OCLMM_VERDICT_SKIP: return FAINT;
	default: return RED;
	}
}

/* The colour of a word that stands for a verdict, in a record's line or in the last, or NULL. */
static const char *find_colour(const char *word, size_t length)
{
	static const struct {
		const char *word, *colour;
	} others[] = {
		{"FORBIDDEN", RED}, {"pass?", FAINT}, {"incomplete", RED}, {"unfinished", YELLOW}};
	enum oclmm_verdict verdict;

	for (size_t i = 0; i < OCLMM_COUNT(others); i++) {
		if (strlen(others[i].word) == length && memcmp(others[i].word, word, length) == 0)
			return others[i].colour;
	}
	return oclmm_verdict_find(word, length, &verdict) ? colour_of(verdict) : NULL;
}

static void add_coloured_line(struct oclmm_text *text, const char *line, size_t length)
{
	size_t before = strspn(line, " "), word;
	const char *colour;

	if (strncmp(line, verdict_line, sizeof(verdict_line) - 1) == 0)
		before = sizeof(verdict_line) - 1;
	word = strcspn(line + before, " :\n");
	colour = find_colour(line + before, word);
	if (colour)
		oclmm_text_printf(text, "%.*s%s%.*s" PLAIN, (int)before, line, colour, (int)word,
		                  line + before);
	else
		word = before = 0;
	oclmm_text_add_bytes(text, line + before + word, length - before - word);
}

static void add_colours(struct oclmm_text *text)
{
	const char *line = oclmm_text_string(text);
	struct oclmm_text coloured = {0};

	while (*line) {
		size_t length = strcspn(line, "\n");

		length += line[length] == '\n';
		add_coloured_line(&coloured, line, length);
		line += length;
	}
	oclmm_text_finish(text);
	*text = coloured;
}

/* After the first error nothing more is written: a report has no holes. */
static void pass_on(struct oclmm_report *report, struct oclmm_text *text, bool record)
{
	int r = 0;

	if (report->kind->for_people && !(record && report->kind->rows_stand))
		oclmm_report_wrap(text);
	if (report->coloured)
		add_colours(text);
	if (text->length && !report->failed) {
		r = report->sink.write(report->sink.data, oclmm_text_string(text), text->length);
		if (r == 0 && report->sink.flush)
			r = report->sink.flush(report->sink.data);
		report->failed = r;
	}
	oclmm_text_finish(text);
}

void oclmm_report_begin(struct oclmm_report *report, const struct oclmm_report_kind *kind,
                        struct oclmm_sink sink, const struct oclmm_run_header *header)
{
	struct oclmm_text text = {0};

	*report = (struct oclmm_report){.kind = kind, .sink = sink, .header = header};
	if (kind->begin)
		kind->begin(report, header, &text);
	pass_on(report, &text, false);
}

void oclmm_report_record(struct oclmm_report *report, const struct oclmm_record *record)
{
	struct oclmm_text text = {0};

	if (!report->kind->record)
		return;
	report->kind->record(report, record, &text);
	pass_on(report, &text, true);
}

void oclmm_report_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                         size_t count)
{
	struct oclmm_text text = {0};

	if (!report->kind->judged)
		return;
	report->kind->judged(report, records, count, &text);
	pass_on(report, &text, false);
}

int oclmm_report_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                     enum oclmm_exit status)
{
	struct oclmm_text text = {0};

	report->kind->end(report, tally, status, &text);
	pass_on(report, &text, false);
	if (report->kind->finish)
		report->kind->finish(report);
	report->state = NULL;
	return report->failed;
}
