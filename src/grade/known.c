// SPDX-License-Identifier: Apache-2.0
/* Holds a record against what is known of its device. */
#include "expectations.h"

#include <stdlib.h>
#include <string.h>

static int compare_parts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char *canonical_outcome(struct oclmm_arena *arena, const char *text)
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

static bool concerns(const struct expectation *entry, const struct oclmm_record *record,
                     int32_t today)
{
	return today <= entry->last && matches(entry->device, record->device) &&
	       matches(entry->driver, record->driver) &&
	       matches(entry->test, record->program->name);
}

static const char *row_outcome(const struct oclmm_record *record,
                               const struct oclmm_graded_row *row)
{
	struct oclmm_text text = {0};
	const char *canonical;

	oclmm_outcome_print(&text, record->program, row->values);
	canonical = canonical_outcome(record->grade.arena, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return canonical;
}

static bool lists(const struct expectation *entry, const char *outcome)
{
	return entry->status == OCLMM_VERDICT_FORBIDDEN &&
	       (!entry->outcome || strcmp(entry->outcome, outcome) == 0);
}

/* The entry that covers one forbidden outcome. */
static const struct expectation *find_for(const struct oclmm_expectations *expectations,
                                          const struct oclmm_record *record, int32_t today,
                                          const char *outcome)
{
	for (size_t i = 0; i < expectations->count; i++) {
		if (concerns(&expectations->entries[i], record, today) &&
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
                                            const struct oclmm_record *record, int32_t today)
{
	const struct expectation *cover = NULL;

	for (uint32_t i = 0; i < record->grade.row_count; i++) {
		const struct oclmm_graded_row *row = &record->grade.rows[i];
		const struct expectation *entry;

		if (!row->count || row->status != OCLMM_STATUS_FORBIDDEN)
			continue;
		entry = find_for(expectations, record, today, row_outcome(record, row));
		if (!entry)
			return NULL;
		if (!cover || entry->last < cover->last)
			cover = entry;
	}
	return cover;
}

static void judge_forbidden(const struct oclmm_expectations *expectations,
                            struct oclmm_record *record, int32_t today)
{
	const struct expectation *cover = find_cover(expectations, record, today);

	if (cover) {
		record->grade.verdict = OCLMM_VERDICT_KNOWN;
		record->grade.known = cover->reason;
		return;
	}
	/* on day 0 every line holds */
	cover = find_cover(expectations, record, 0);
	if (cover)
		record->grade.expired = cover->last;
}

static void judge_rest(const struct oclmm_expectations *expectations, struct oclmm_record *record,
                       int32_t today)
{
	enum oclmm_verdict verdict = record->grade.verdict;

	for (size_t i = 0; i < expectations->count; i++) {
		const struct expectation *entry = &expectations->entries[i];

		if (!concerns(entry, record, today))
			continue;
		if (entry->status == verdict) {
			record->grade.verdict = OCLMM_VERDICT_KNOWN;
			record->grade.known = entry->reason;
			return;
		}
		if (verdict == OCLMM_VERDICT_PASS) {
			record->grade.verdict = OCLMM_VERDICT_STALE;
			record->grade.known = entry->reason;
		}
	}
}

void grade_apply_expectations(struct oclmm_record *record,
                              const struct oclmm_grade_options *options)
{
	if (!options->expectations)
		return;
	if (record->grade.verdict == OCLMM_VERDICT_FORBIDDEN)
		judge_forbidden(options->expectations, record, options->today);
	else
		judge_rest(options->expectations, record, options->today);
}
