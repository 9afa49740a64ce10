// SPDX-License-Identifier: Apache-2.0
/* Reads expectation files. */
#include "expectations.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A number of so many digits. */
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
		oclmm_error_set(error, -EINVAL, "no test is called so");
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
