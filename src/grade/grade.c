// SPDX-License-Identifier: Apache-2.0
/* Counts against allowed sets: what is expected, the verdict, tests in parts, tests together. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "oclmm/grade.h"

OCLMM_LOOK_UP(const char *, oclmm_class_word, oclmm_class, OCLMM_CLASSES, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_verdict_word, oclmm_verdict, OCLMM_VERDICTS, FIRST);
OCLMM_FIND(oclmm_verdict_find, oclmm_verdict, OCLMM_VERDICTS, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_verdict_meaning, oclmm_verdict, OCLMM_VERDICTS, SECOND);
OCLMM_LOOK_UP(const char *, oclmm_confidence_word, oclmm_confidence, OCLMM_CONFIDENCES, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_confidence_meaning, oclmm_confidence, OCLMM_CONFIDENCES, SECOND);
OCLMM_LOOK_UP(const char *, oclmm_requirement_word, oclmm_requirement, OCLMM_REQUIREMENTS, FIRST);
OCLMM_FIND(oclmm_requirement_find, oclmm_requirement, OCLMM_REQUIREMENTS, FIRST);

bool oclmm_verdict_is_infrastructure(enum oclmm_verdict verdict)
{
	return verdict == OCLMM_VERDICT_BUILD_FAILED || verdict == OCLMM_VERDICT_CRASH ||
	       verdict == OCLMM_VERDICT_TIMEOUT || verdict == OCLMM_VERDICT_LOST;
}

void oclmm_record_argument(struct oclmm_text *text, const struct oclmm_record *record)
{
	struct oclmm_text word = {0};

	/* it is words of a command line already */
	if (record->whole_kernel) {
		oclmm_text_printf(text, "%s%s", *record->program->name == '-' ? "./" : "",
		                  record->program->name);
		return;
	}
	if (record->path)
		oclmm_text_printf(&word, "%s:", record->path);
	oclmm_text_add(&word, record->program->name);
	/* no option, whatever it begins with */
	oclmm_text_add(text, *oclmm_text_string(&word) == '-' ? "-- " : "");
	oclmm_text_add_quoted(text, oclmm_text_string(&word));
	oclmm_text_finish(&word);
}

/* ---- expectations ---- */

/* One line of the file. */
struct expectation {
	const char *device, *driver, *test; /* patterns */
	enum oclmm_verdict status;          /* forbidden, or one of the infrastructure's */
	const char *outcome;                /* canonical, see canonical_outcome(); NULL for `*` */
	const char *reason;
	int32_t last; /* day */
	struct oclmm_position test_at;
	const char *line;
};

struct oclmm_expectations {
	struct oclmm_arena *arena;
	const char *path;
	struct expectation *entries;
	size_t count;
	size_t capacity;
};

static int compare_parts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* `NAME=VALUE` parts without blanks, sorted, each followed by `;`. */
static char *canonical_outcome(struct oclmm_arena *arena, const char *text)
{
	char *copy = oclmm_arena_strdup(arena, text), *result, *save;
	size_t count = 0, length = strlen(text);
	char **parts = OCLMM_NEW_ARRAY(arena, char *, length + 1), *to = copy;

	for (const char *from = text; *from; from++) {
		if (*from != ' ' && *from != '\t')
			*to++ = *from;
	}
	*to = '\0';
	for (char *part = strtok_r(copy, ";", &save); part; part = strtok_r(NULL, ";", &save))
		parts[count++] = part;
	qsort(parts, count, sizeof(*parts), compare_parts);
	result = to = oclmm_arena_alloc(arena, length + 2);
	for (size_t i = 0; i < count; i++) {
		to = stpcpy(to, parts[i]);
		*to++ = ';';
	}
	return result;
}

static bool matches(const char *pattern, const char *text)
{
	return oclmm_pattern_matches(pattern, text ? text : "");
}

static bool concerns(const struct expectation *entry, const struct oclmm_suspect *suspect,
                     int32_t today)
{
	return today <= entry->last && matches(entry->device, suspect->device) &&
	       matches(entry->driver, suspect->driver) && matches(entry->test, suspect->test);
}

/* Whether the line is of this test alone. One whose test is a pattern lists what fails among many:
 * that one of them passes says nothing of the line. */
static bool names(const struct expectation *entry, const struct oclmm_suspect *suspect)
{
	return suspect->test && strcmp(entry->test, suspect->test) == 0;
}

static bool lists(const struct expectation *entry, const char *outcome)
{
	return entry->status == OCLMM_VERDICT_FORBIDDEN &&
	       (!entry->outcome || strcmp(entry->outcome, outcome) == 0);
}

/* The entry that covers one forbidden outcome. */
static const struct expectation *find_for(const struct oclmm_expectations *expectations,
                                          const struct oclmm_suspect *suspect, int32_t today,
                                          const char *outcome)
{
	for (size_t i = 0; i < expectations->count; i++) {
		if (concerns(&expectations->entries[i], suspect, today) &&
		    lists(&expectations->entries[i], outcome))
			return &expectations->entries[i];
	}
	return NULL;
}

/*
 * The entry that covers all forbidden outcomes, of several the one that ends first.
 * NULL where one is not listed: it is a failure, whatever else is known.
 */
static const struct expectation *find_cover(const struct oclmm_expectations *expectations,
                                            const struct oclmm_suspect *suspect, int32_t today)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	const struct expectation *cover = NULL;

	for (size_t i = 0; i < suspect->outcome_count; i++) {
		const struct expectation *entry = find_for(expectations, suspect, today,
		                                           canonical_outcome(arena,
		                                                             suspect->outcomes[i]));

		if (!entry) {
			cover = NULL;
			break;
		}
		if (!cover || entry->last < cover->last)
			cover = entry;
	}
	oclmm_arena_destroy(arena);
	return cover;
}

static const struct expectation *find_rest(const struct oclmm_expectations *expectations,
                                           const struct oclmm_suspect *suspect, int32_t today,
                                           bool *ret_same)
{
	const struct expectation *last = NULL;

	*ret_same = false;
	for (size_t i = 0; i < expectations->count && !*ret_same; i++) {
		const struct expectation *entry = &expectations->entries[i];

		if (!concerns(entry, suspect, today) ||
		    (suspect->verdict == OCLMM_VERDICT_PASS && !names(entry, suspect)))
			continue;
		*ret_same = entry->status == suspect->verdict;
		last = entry;
	}
	return last;
}

enum oclmm_verdict oclmm_expectations_judge(const struct oclmm_expectations *expectations,
                                            const struct oclmm_suspect *suspect, int32_t today,
                                            const char **ret_reason, int32_t *ret_expired)
{
	const struct expectation *entry;
	bool same = true;

	*ret_reason = NULL;
	*ret_expired = 0;
	if (suspect->verdict == OCLMM_VERDICT_FORBIDDEN) {
		entry = find_cover(expectations, suspect, today);
		if (!entry) {
			/* on day 0 every line holds */
			entry = find_cover(expectations, suspect, 0);
			*ret_expired = entry ? entry->last : 0;
			return OCLMM_VERDICT_FORBIDDEN;
		}
	} else {
		entry = find_rest(expectations, suspect, today, &same);
		if (!entry || (!same && suspect->verdict != OCLMM_VERDICT_PASS))
			return suspect->verdict;
	}
	*ret_reason = entry->reason;
	return same ? OCLMM_VERDICT_KNOWN : OCLMM_VERDICT_STALE;
}

static bool is_stale(const struct expectation *entry, const struct oclmm_suspect *ended,
                     size_t count, int32_t today)
{
	bool passed = false;

	for (size_t i = 0; i < count; i++) {
		if (!concerns(entry, &ended[i], today) || ended[i].verdict == OCLMM_VERDICT_SKIP)
			continue;
		/* of one test alone: its own verdict tells */
		if (names(entry, &ended[i]))
			return false;
		if (ended[i].verdict != OCLMM_VERDICT_PASS &&
		    ended[i].verdict != OCLMM_VERDICT_INCONCLUSIVE &&
		    ended[i].verdict != OCLMM_VERDICT_STALE)
			return false;
		passed = true;
	}
	return passed;
}

size_t oclmm_expectations_stale(const struct oclmm_expectations *expectations,
                                const struct oclmm_suspect *ended, size_t count, int32_t today,
                                struct oclmm_text *ret_lines)
{
	size_t stale = 0;

	for (size_t i = 0; i < expectations->count; i++) {
		const struct expectation *entry = &expectations->entries[i];

		if (!is_stale(entry, ended, count, today))
			continue;
		stale++;
		oclmm_text_printf(ret_lines, "%s:%u: stale: no test that %s names fails any more\n",
		                  oclmm_shown(expectations->path).text, entry->test_at.line,
		                  oclmm_shown(entry->test).text);
	}
	return stale;
}

/* The forbidden outcomes that were seen. */
static const char **seen_outcomes(struct oclmm_arena *arena, const struct oclmm_record *record,
                                  size_t *ret_count)
{
	const char **outcomes = OCLMM_NEW_ARRAY(arena, const char *, record->grade.row_count + 1);

	*ret_count = 0;
	for (uint32_t i = 0; i < record->grade.row_count; i++) {
		const struct oclmm_graded_row *row = &record->grade.rows[i];
		struct oclmm_text text = {0};

		if (!row->count || row->status != OCLMM_STATUS_FORBIDDEN)
			continue;
		oclmm_outcome_print(&text, record->program, row->values);
		outcomes[(*ret_count)++] = oclmm_arena_strdup(arena, oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
	return outcomes;
}

/* Turns the verdict into `known` or `stale` where the expectations say so. */
static void apply_expectations(struct oclmm_record *record,
                               const struct oclmm_grade_options *options)
{
	struct oclmm_arena *arena;
	struct oclmm_suspect suspect;
	const char *reason;
	int32_t expired;

	if (!options->expectations)
		return;
	arena = oclmm_arena_create();
	suspect = (struct oclmm_suspect){.device = record->identity.device,
	                                 .driver = record->identity.driver,
	                                 .test = record->program->name,
	                                 .verdict = record->grade.verdict};
	if (suspect.verdict == OCLMM_VERDICT_FORBIDDEN)
		suspect.outcomes = seen_outcomes(arena, record, &suspect.outcome_count);
	record->grade.verdict = oclmm_expectations_judge(options->expectations, &suspect,
	                                                 options->today, &reason, &expired);
	oclmm_arena_destroy(arena);
	if (reason)
		record->grade.known = reason;
	if (expired)
		record->grade.expired = expired;
}

/* ---- the file of expectations ---- */

/* Each line is held against each result; this many are more than anybody looks after. */
enum { MOST_BYTES = 1 << 20 };

/* The fields of a line, in their order. */
enum field { DEVICE, DRIVER, TEST, STATUS, OUTCOME, REASON, LAST, FIELD_COUNT };

static const char *const field_names[] = {
	"device", "driver", "test", "status", "outcome", "reason", "last day",
};

/* Where the reader is. Fields point into the line, without the blanks around them. */
struct reader {
	struct oclmm_lines lines;
	const char *fields[FIELD_COUNT];
	size_t lengths[FIELD_COUNT];
	struct oclmm_expectations *expectations;
	struct oclmm_error *error;
};

static int refuse(struct reader *reader, const char *at, size_t length, const char *note,
                  const char *message)
{
	return oclmm_lines_refuse(&reader->lines, at, length, note, reader->error, "%s", message);
}

static int refuse_field(struct reader *reader, enum field field, const char *note,
                        const char *message)
{
	return refuse(reader, reader->fields[field], reader->lengths[field], note, message);
}

static bool is_blank(char letter)
{
	return letter == ' ' || letter == '\t' || letter == '\r';
}

static void set_field(struct reader *reader, enum field field, const char *begin, const char *end)
{
	while (begin < end && is_blank(*begin))
		begin++;
	while (end > begin && is_blank(end[-1]))
		end--;
	reader->fields[field] = begin;
	reader->lengths[field] = (size_t)(end - begin);
}

static int split(struct reader *reader)
{
	static const char shape[] =
		"device | driver | test | status | outcome | reason | YYYY-MM-DD";
	const char *begin = reader->lines.line, *end = reader->lines.line + reader->lines.length;
	char message[96];

	for (int field = 0; field < FIELD_COUNT; field++) {
		const char *bar = memchr(begin, '|', (size_t)(end - begin));

		if (field < FIELD_COUNT - 1 && !bar) {
			snprintf(message, sizeof(message), "the line ends before its %s",
			         field_names[field + 1]);
			return refuse(reader, end, 1, shape, message);
		}
		if (field == FIELD_COUNT - 1 && bar)
			return refuse(reader, bar, 1, shape, "more than seven fields");
		set_field(reader, (enum field)field, begin, bar ? bar : end);
		if (!reader->lengths[field]) {
			snprintf(message, sizeof(message), "the %s is empty", field_names[field]);
			return refuse_field(reader, (enum field)field,
			                    field < STATUS ? "* stands for any" : "", message);
		}
		begin = bar ? bar + 1 : end;
	}
	return 0;
}

static const char *copy_field(struct reader *reader, enum field field)
{
	return oclmm_arena_strndup(reader->expectations->arena, reader->fields[field],
	                           reader->lengths[field]);
}

static int read_status(struct reader *reader, enum oclmm_verdict *ret_status)
{
	if (oclmm_verdict_find(reader->fields[STATUS], reader->lengths[STATUS], ret_status) &&
	    (*ret_status == OCLMM_VERDICT_FORBIDDEN ||
	     oclmm_verdict_is_infrastructure(*ret_status)))
		return 0;
	return refuse_field(reader, STATUS,
	                    "there are: forbidden, build-failed, crash, timeout, lost",
	                    "unknown status");
}

static bool is_value(const char *text, size_t length)
{
	size_t at = length && *text == '-';

	/* the text may end where the value does */
	if (at == length)
		return false;
	while (at < length && text[at] >= '0' && text[at] <= '9')
		at++;
	return at == length;
}

static int read_outcome(struct reader *reader, enum oclmm_verdict status, const char **ret_outcome)
{
	const char *at = reader->fields[OUTCOME], *end = at + reader->lengths[OUTCOME];

	if (reader->lengths[OUTCOME] == 1 && *at == '*') {
		*ret_outcome = NULL;
		return 0;
	}
	if (status != OCLMM_VERDICT_FORBIDDEN)
		return refuse_field(reader, OUTCOME, "write *",
		                    "only a forbidden status has an outcome");
	while (at < end) {
		const char *stop = memchr(at, ';', (size_t)(end - at)), *equals;

		while (at < end && is_blank(*at))
			at++;
		if (at == end)
			break;
		stop = stop ? stop : end;
		equals = memchr(at, '=', (size_t)(stop - at));
		for (; stop > at && is_blank(stop[-1]);)
			stop--;
		if (!equals || equals == at || !is_value(equals + 1, (size_t)(stop - equals - 1)))
			return refuse(reader, at, (size_t)(stop - at),
			              "as the results have it: 0:r0=0; 1:r0=0;", "not an outcome");
		at = stop;
		while (at < end && (is_blank(*at) || *at == ';'))
			at++;
	}
	*ret_outcome = canonical_outcome(reader->expectations->arena, copy_field(reader, OUTCOME));
	return 0;
}

static bool is_day(int year, int month, int day)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return month >= 1 && month <= 12 && day >= 1 &&
	       day <= days[month - 1] + (month == 2 && leap);
}

/* A number of `count` digits. */
static bool read_digits(const char *text, int count, int *ret_number)
{
	int number = 0;

	for (int i = 0; i < count; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		number = 10 * number + text[i] - '0';
	}
	*ret_number = number;
	return true;
}

static int read_last(struct reader *reader, int32_t *ret_last)
{
	const char *text = copy_field(reader, LAST);
	int year, month, day;

	if (strlen(text) == strlen("YYYY-MM-DD") && text[4] == '-' && text[7] == '-' &&
	    read_digits(text, 4, &year) && read_digits(text + 5, 2, &month) &&
	    read_digits(text + 8, 2, &day) && is_day(year, month, day)) {
		*ret_last = oclmm_date(year, month, day);
		return 0;
	}
	return refuse_field(reader, LAST, "the last day on which the line holds, as YYYY-MM-DD",
	                    "not a date");
}

static int read_line(struct reader *reader)
{
	struct oclmm_expectations *expectations = reader->expectations;
	struct expectation entry;
	size_t blanks = 0;
	int r;

	while (blanks < reader->lines.length && is_blank(reader->lines.line[blanks]))
		blanks++;
	if (blanks == reader->lines.length || reader->lines.line[blanks] == '#')
		return 0;
	r = split(reader);
	if (r == 0)
		r = read_status(reader, &entry.status);
	if (r == 0)
		r = read_outcome(reader, entry.status, &entry.outcome);
	if (r == 0)
		r = read_last(reader, &entry.last);
	if (r < 0)
		return r;
	entry.device = copy_field(reader, DEVICE);
	entry.driver = copy_field(reader, DRIVER);
	entry.test = copy_field(reader, TEST);
	entry.reason = copy_field(reader, REASON);
	entry.test_at = oclmm_lines_position(&reader->lines, reader->fields[TEST],
	                                     reader->lengths[TEST]);
	entry.line = oclmm_arena_strndup(expectations->arena, reader->lines.line,
	                                 reader->lines.length);
	oclmm_grow(&expectations->entries, &expectations->capacity, expectations->count,
	           sizeof(entry));
	expectations->entries[expectations->count++] = entry;
	return 0;
}

int oclmm_expectations_parse(const char *path, const char *text, size_t length,
                             struct oclmm_error *error,
                             struct oclmm_expectations **ret_expectations)
{
	struct oclmm_expectations *expectations = oclmm_calloc(1, sizeof(*expectations));
	struct reader reader = {.expectations = expectations, .error = error};
	int r = 0;

	if (length > MOST_BYTES) {
		free(expectations);
		return oclmm_error_set(error, -EFBIG, "%s: the file is larger than %d bytes", path,
		                       MOST_BYTES);
	}
	expectations->arena = oclmm_arena_create();
	expectations->path = oclmm_arena_strdup(expectations->arena, path);
	oclmm_lines_begin(&reader.lines, path, text, length);
	while (r == 0 && oclmm_lines_next(&reader.lines))
		r = read_line(&reader);
	if (r < 0) {
		oclmm_expectations_destroy(expectations);
		return r;
	}
	*ret_expectations = expectations;
	return 0;
}

int oclmm_expectations_read(const char *path, struct oclmm_error *error,
                            struct oclmm_expectations **ret_expectations)
{
	size_t length;
	char *text;
	int r = oclmm_read_text(path, error, &text, &length);

	if (r < 0)
		return r;
	r = oclmm_expectations_parse(path, text, length, error, ret_expectations);
	free(text);
	return r;
}

int oclmm_expectations_check(const struct oclmm_expectations *expectations,
                             bool (*named)(const void *data, const char *pattern), const void *data,
                             struct oclmm_error *error)
{
	for (size_t i = 0; i < expectations->count; i++) {
		const struct expectation *entry = &expectations->entries[i];

		if (named(data, entry->test))
			continue;
		oclmm_error_set(error, -EINVAL, "no test has this name");
		snprintf(error->file, sizeof(error->file), "%s", expectations->path);
		snprintf(error->source, sizeof(error->source), "%s", entry->line);
		snprintf(error->note, sizeof(error->note),
		         "oclmm list prints all names; a line of a test that is gone can go");
		error->position = entry->test_at;
		return -EINVAL;
	}
	return 0;
}

void oclmm_expectations_destroy(struct oclmm_expectations *expectations)
{
	if (!expectations)
		return;
	oclmm_arena_destroy(expectations->arena);
	free(expectations->entries);
	free(expectations);
}

int32_t oclmm_date(int year, int month, int day)
{
	return year * 10000 + month * 100 + day;
}

int32_t oclmm_today(void)
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	return oclmm_date(utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

/* ---- the verdict of a record ---- */

static bool is_witness(enum oclmm_quantifier quantifier, bool condition)
{
	return quantifier == OCLMM_QUANTIFIER_FORALL ? !condition : condition;
}

static void add_row(struct oclmm_record *record, struct oclmm_arena *arena, const int64_t *values,
                    uint64_t count)
{
	const struct oclmm_program *program = record->program;
	struct oclmm_grade *grade = &record->grade;
	struct oclmm_graded_row *row = &grade->rows[grade->row_count++];

	row->values = oclmm_arena_copy(arena, values, program->observable_count * sizeof(*values));
	row->count = count;
	row->status = oclmm_expected_status(record->expected, values, &row->deciding);
	row->condition = oclmm_condition_holds(program, program->condition, values);
	row->witness = is_witness(program->quantifier, row->condition);
}

/* What the filter turns away was not asked for, so the oracle has no answer to it. */
static bool passes_filter(const struct oclmm_program *program, const int64_t *values)
{
	return !program->filter || oclmm_condition_holds(program, program->filter, values);
}

static bool is_listed(const struct oclmm_expected *expected, uint32_t index)
{
	return expected->states[index].status == OCLMM_STATUS_ALLOWED;
}

/* Merges what was seen with what is allowed, both ascending. */
static void make_rows(struct oclmm_record *record, struct oclmm_arena *arena)
{
	const struct oclmm_expected *expected = record->expected;
	size_t seen_count = oclmm_histogram_rows(record->counts.histogram), seen = 0;
	uint32_t listed = 0, width = expected->width;

	record->grade.rows = OCLMM_NEW_ARRAY(arena, struct oclmm_graded_row,
	                                     seen_count + expected->state_count);
	while (seen < seen_count || listed < expected->state_count) {
		struct oclmm_histogram_row row = {0};
		int order;

		if (listed < expected->state_count && !is_listed(expected, listed)) {
			listed++;
			continue;
		}
		if (seen < seen_count)
			row = oclmm_histogram_row(record->counts.histogram, seen);
		if (seen == seen_count)
			order = 1;
		else if (listed == expected->state_count)
			order = -1;
		else
			order = oclmm_compare_values(row.values, expected->states[listed].values,
			                             width);
		if (order <= 0) {
			/* a row that was declared but never seen says nothing unless it is
			 * allowed */
			if (!passes_filter(record->program, row.values))
				record->grade.filtered += row.count;
			else if (row.count || order == 0)
				add_row(record, arena, row.values, row.count);
			seen++;
		} else {
			add_row(record, arena, expected->states[listed].values, 0);
		}
		listed += order >= 0;
	}
}

static void sum_rows(struct oclmm_grade *grade)
{
	for (uint32_t i = 0; i < grade->row_count; i++) {
		const struct oclmm_graded_row *row = &grade->rows[i];

		grade->seen_count += row->count > 0;
		if (row->condition)
			grade->holds += row->count;
		else
			grade->fails += row->count;
		if (row->status == OCLMM_STATUS_FORBIDDEN) {
			grade->forbidden += row->count;
		} else if (row->witness) {
			grade->weak += row->count;
		}
		if (row->status == OCLMM_STATUS_DISPUTED && row->count) {
			grade->disputed += row->count;
			grade->deciding |= row->deciding;
		}
	}
}

static enum oclmm_verdict verdict_of_ended(const struct oclmm_record *record)
{
	switch (oclmm_end_ended(record->end)) {
	case OCLMM_ENDED_UNSUPPORTED: return OCLMM_VERDICT_SKIP;
	case OCLMM_ENDED_BUILD_FAILED:
		/* what a device does not claim, its compiler may refuse */
		if (record->support != OCLMM_CLASS_CLAIMED)
			return OCLMM_VERDICT_SKIP;
		return OCLMM_VERDICT_BUILD_FAILED;
	case OCLMM_ENDED_TIMEOUT:
		/* work-items may wait for each other, which nobody promises to run at once */
		return record->whole_kernel ? OCLMM_VERDICT_INCONCLUSIVE : OCLMM_VERDICT_TIMEOUT;
	case OCLMM_ENDED_LOST: return OCLMM_VERDICT_LOST;
	case OCLMM_ENDED_CRASH:
	case OCLMM_ENDED_OK:
	case OCLMM_ENDED_COUNT: break;
	}
	return OCLMM_VERDICT_CRASH;
}

static enum oclmm_verdict judge_rows(const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	if (record->expected->undefined)
		return OCLMM_VERDICT_UNDEFINED;
	if (grade->forbidden)
		return OCLMM_VERDICT_FORBIDDEN;
	/* which ends are allowed is not known of all, or nothing was asked */
	if (record->whole_kernel && (grade->disputed || record->expected->width == 0))
		return OCLMM_VERDICT_INCONCLUSIVE;
	if (grade->disputed)
		return OCLMM_VERDICT_DISPUTED;
	return OCLMM_VERDICT_PASS;
}

/* Instances that vanished, or a cut where no loop can be cut, mean that the device did not run the
 * test. */
static bool is_lost(const struct oclmm_record *record)
{
	uint64_t total = oclmm_histogram_total(record->counts.histogram) + record->filtered;

	if (total != record->counts.instances || total == 0)
		return true;
	return oclmm_histogram_cut(record->counts.histogram) && !record->expected->may_be_cut;
}

static void judge(struct oclmm_record *record, const struct oclmm_grade_options *options)
{
	struct oclmm_grade *grade = &record->grade;

	*grade = (struct oclmm_grade){0};
	grade->gates = record->support == OCLMM_CLASS_CLAIMED ||
	               (record->support == OCLMM_CLASS_ACCEPTED && options->claims_accepted);
	if (!record->counts.histogram || !record->expected ||
	    (record->end != OCLMM_END_OK && oclmm_histogram_total(record->counts.histogram) == 0)) {
		grade->verdict = verdict_of_ended(record);
		return;
	}
	grade->instances = record->counts.instances;
	grade->cut = oclmm_histogram_cut(record->counts.histogram);
	grade->filtered = record->filtered;
	if (!options->arena)
		grade->arena = oclmm_arena_create();
	make_rows(record, options->arena ? options->arena : grade->arena);
	sum_rows(grade);
	grade->verdict = judge_rows(record);
	/* a forbidden outcome that was seen stays one, whatever else went wrong */
	if (grade->verdict == OCLMM_VERDICT_FORBIDDEN)
		return;
	if (record->end != OCLMM_END_OK)
		grade->verdict = verdict_of_ended(record);
	else if (is_lost(record))
		grade->verdict = OCLMM_VERDICT_LOST;
}

void oclmm_grade(struct oclmm_record *record, const struct oclmm_grade_options *options)
{
	judge(record, options);
	apply_expectations(record, options);
}

void oclmm_grade_finish(struct oclmm_grade *grade)
{
	oclmm_arena_destroy(grade->arena);
	*grade = (struct oclmm_grade){0};
}

/* ---- on what it ran --------------------------------------------------------- */

int oclmm_identity_compare(const struct oclmm_identity *a, const struct oclmm_identity *b)
{
	int order = oclmm_compare_strings(a->device, b->device);

	order = order ? order : oclmm_compare_strings(a->driver, b->driver);
	order = order ? order : oclmm_compare_strings(a->il, b->il);
	return order ? order : oclmm_compare_strings(a->platform, b->platform);
}

/* ---- tests in parts -------------------------------------------------------- */

/*
 * A test may be run in parts: what a budget has left goes where confidence is
 * missing. Launches are numbered through, so that the parts of a test are the
 * launches of one longer run.
 */

/* By them it is judged. What a device claims that died may not be known. */
static bool same_claims(const struct oclmm_record *whole, const struct oclmm_record *part)
{
	return oclmm_same_string(part->identity.version, whole->identity.version) &&
	       (part->end != OCLMM_END_OK || part->support == whole->support);
}

/* Each launch changes it. The same one twice is the same launches. */
static bool is_copy(const struct oclmm_record *whole, const struct oclmm_record *part)
{
	return part->counts.launches && part->counts.stimulus == whole->counts.stimulus;
}

bool oclmm_record_continues(const struct oclmm_record *whole, const struct oclmm_record *part)
{
	return part->first_launch > 0 && whole->end == OCLMM_END_OK && !is_copy(whole, part) &&
	       part->first_launch == whole->first_launch + whole->counts.launches &&
	       part->seed == whole->seed && part->program->hash == whole->program->hash &&
	       oclmm_same_string(part->program->name, whole->program->name) &&
	       oclmm_identity_compare(&part->identity, &whole->identity) == 0 &&
	       oclmm_same_string(part->identity.device_id, whole->identity.device_id) &&
	       oclmm_same_string(part->environment, whole->environment) && same_claims(whole, part);
}

/* A part that died may have no evidence; the launches of the others still count. */
static bool same_controls(const struct oclmm_record *whole, const struct oclmm_record *part)
{
	return !whole->evidence || !part->evidence ||
	       oclmm_evidence_fits(whole->evidence, part->evidence);
}

static void fail(struct oclmm_record *whole, const struct oclmm_record *part)
{
	whole->end = part->end;
	whole->message = part->message;
}

int oclmm_record_extend(struct oclmm_record *whole, const struct oclmm_record *part)
{
	if (!oclmm_record_continues(whole, part) || !same_controls(whole, part))
		return -EINVAL;
	if (oclmm_counts_extend(&whole->counts, &part->counts) < 0)
		return -EINVAL;
	if (whole->evidence && part->evidence)
		oclmm_evidence_extend(whole->evidence, part->evidence);
	whole->filtered += part->filtered;
	if (part->attempts > whole->attempts)
		whole->attempts = part->attempts;
	if (part->end != OCLMM_END_OK)
		fail(whole, part);
	else
		/* which continues the one of the launches before */
		whole->counts.stimulus = part->counts.stimulus;
	return 0;
}

/* From the least to the most telling; infrastructure stands before `forbidden` alone. */
static int weight(enum oclmm_verdict verdict)
{
	static const enum oclmm_verdict rising[] = {
		OCLMM_VERDICT_SKIP,      OCLMM_VERDICT_PASS,         OCLMM_VERDICT_INCONCLUSIVE,
		OCLMM_VERDICT_UNDEFINED, OCLMM_VERDICT_STALE,        OCLMM_VERDICT_DISPUTED,
		OCLMM_VERDICT_KNOWN,     OCLMM_VERDICT_BUILD_FAILED, OCLMM_VERDICT_LOST,
		OCLMM_VERDICT_TIMEOUT,   OCLMM_VERDICT_CRASH,        OCLMM_VERDICT_FORBIDDEN,
	};
	int i = 0;

	while (rising[i] != verdict)
		i++;
	return i;
}

enum oclmm_verdict oclmm_verdict_worse(enum oclmm_verdict a, enum oclmm_verdict b)
{
	return weight(a) >= weight(b) ? a : b;
}

const char *oclmm_proof_word(enum oclmm_proof proof)
{
	static const char *const words[] = {"",
#define OCLMM_X(name, word) word,
	                                    OCLMM_PROOFS(OCLMM_X)
#undef OCLMM_X
	};

	return words[proof];
}

/* ---- tests together -------------------------------------------------------- */

static void add_confidence(struct oclmm_tally *tally, const struct oclmm_control *control)
{
	tally->confidences[control->confidence]++;
	tally->likely += control->escape <= 0.05;
	tally->certain += control->escape <= 1e-5;
	tally->judged += control->confidence >= OCLMM_CONFIDENCE_REACHED &&
	                 control->confidence <= OCLMM_CONFIDENCE_NEVER_MET;
	if (control->confidence != OCLMM_CONFIDENCE_REACHED)
		return;
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++)
		tally->reached[i] += control->kinds[i].confidence == OCLMM_CONFIDENCE_REACHED;
}

void oclmm_tally_add(struct oclmm_tally *tally, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;
	/* a known crash is no test that ran */
	bool ran = (record->end == OCLMM_END_OK || record->whole_kernel) &&
	           grade->verdict != OCLMM_VERDICT_SKIP &&
	           !oclmm_verdict_is_infrastructure(grade->verdict);

	tally->verdicts[record->support][grade->verdict]++;
	if (grade->verdict == OCLMM_VERDICT_PASS || grade->verdict == OCLMM_VERDICT_INCONCLUSIVE)
		add_confidence(tally, &grade->control);
	tally->gating += ran && grade->gates;
	tally->gating_reached += ran && grade->gates && grade->verdict == OCLMM_VERDICT_PASS &&
	                         grade->control.confidence == OCLMM_CONFIDENCE_REACHED;
	tally->gating_forbidden += grade->gates && grade->verdict == OCLMM_VERDICT_FORBIDDEN;
	tally->gating_inconclusive += grade->gates && grade->verdict == OCLMM_VERDICT_INCONCLUSIVE;
	if (record->whole_kernel && ran && grade->gates) {
		tally->gating_kernels += grade->verdict == OCLMM_VERDICT_PASS;
		tally->gating_kernels_open += grade->verdict == OCLMM_VERDICT_UNDEFINED ||
		                              grade->verdict == OCLMM_VERDICT_INCONCLUSIVE;
	}
	tally->gating_stuck += grade->gates && grade->control.stuck;
	tally->gating_stuck_fails += grade->gates && grade->control.stuck_fails;
	tally->gating_stale += grade->gates && grade->verdict == OCLMM_VERDICT_STALE;
	tally->gating_infrastructure += grade->gates &&
	                                oclmm_verdict_is_infrastructure(grade->verdict);
	tally->proved += record->code.proof == OCLMM_PROOF_RIGHT;
	tally->code_wrong += record->code.proof == OCLMM_PROOF_WRONG;
	tally->code_open += record->code.proof == OCLMM_PROOF_OPEN;
	tally->gating_code_wrong += record->code.proof == OCLMM_PROOF_WRONG && grade->gates &&
	                            grade->verdict != OCLMM_VERDICT_KNOWN;
	tally->instances += grade->instances;
	if (record->counts.looked) {
		tally->launches += record->counts.launches;
		tally->looked += record->counts.looked;
	}
	tally->weak += grade->weak;
	if (record->counts.stimulus)
		tally->stimulus ^= oclmm_random_derive(record->counts.stimulus,
		                                       record->program->name);
}

uint64_t oclmm_tally_verdict(const struct oclmm_tally *tally, enum oclmm_verdict verdict)
{
	uint64_t sum = 0;

	for (int class = 0; class < OCLMM_CLASS_COUNT; class ++)
		sum += tally->verdicts[class][verdict];
	return sum;
}

uint64_t oclmm_tally_tests(const struct oclmm_tally *tally)
{
	uint64_t sum = 0;

	for (int verdict = 0; verdict < OCLMM_VERDICT_COUNT; verdict++)
		sum += oclmm_tally_verdict(tally, (enum oclmm_verdict)verdict);
	return sum;
}

uint64_t oclmm_tally_infrastructure(const struct oclmm_tally *tally)
{
	uint64_t sum = 0;

	for (int verdict = 0; verdict < OCLMM_VERDICT_COUNT; verdict++) {
		if (oclmm_verdict_is_infrastructure((enum oclmm_verdict)verdict))
			sum += oclmm_tally_verdict(tally, (enum oclmm_verdict)verdict);
	}
	return sum;
}

static enum oclmm_exit exit_of_one(const struct oclmm_tally *tally, bool strict)
{
	if (tally->gating_forbidden || tally->gating_code_wrong)
		return OCLMM_EXIT_FORBIDDEN;
	if (tally->gating_stuck_fails || (strict && tally->gating_stale))
		return OCLMM_EXIT_FORBIDDEN;
	if (tally->gating_infrastructure || tally->interrupted)
		return OCLMM_EXIT_INFRASTRUCTURE;
	if (tally->unfinished)
		return OCLMM_EXIT_UNFINISHED;
	if (tally->gating_stuck || tally->gating_kernels_open ||
	    (strict && tally->gating_inconclusive))
		return OCLMM_EXIT_INCONCLUSIVE;
	if (tally->gating == 0)
		return OCLMM_EXIT_NOTHING;
	/* silence that proves nothing is no pass, however it was asked for, and tests that cannot
	 * fail prove nothing */
	return tally->gating_reached || tally->gating_kernels ? OCLMM_EXIT_PASS
	                                                      : OCLMM_EXIT_INCONCLUSIVE;
}

static int rank(enum oclmm_exit status)
{
	static const enum oclmm_exit falling[] = {
		OCLMM_EXIT_FORBIDDEN,  OCLMM_EXIT_USAGE,        OCLMM_EXIT_INFRASTRUCTURE,
		OCLMM_EXIT_UNFINISHED, OCLMM_EXIT_INCONCLUSIVE, OCLMM_EXIT_NOTHING,
		OCLMM_EXIT_PASS,
	};
	int i = 0;

	while (falling[i] != status && falling[i] != OCLMM_EXIT_PASS)
		i++;
	return i;
}

static enum oclmm_exit worse(enum oclmm_exit a, enum oclmm_exit b)
{
	return rank(a) <= rank(b) ? a : b;
}

enum oclmm_exit oclmm_tally_exit(const struct oclmm_tally *tally, bool strict)
{
	enum oclmm_exit status = OCLMM_EXIT_PASS;

	if (tally->part_count == 0)
		status = exit_of_one(tally, strict);
	for (size_t i = 0; i < tally->part_count; i++)
		status = worse(status, exit_of_one(&tally->parts[i], strict));
	if (strict && tally->stale_lines)
		status = worse(status, OCLMM_EXIT_FORBIDDEN);
	/* which device it was may not be known */
	if (tally->interrupted)
		status = worse(status, OCLMM_EXIT_INFRASTRUCTURE);
	if (tally->unfinished)
		status = worse(status, OCLMM_EXIT_UNFINISHED);
	return status;
}
