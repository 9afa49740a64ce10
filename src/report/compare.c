// SPDX-License-Identifier: Apache-2.0
/*
 * Two results files, test by test. Only what got worse is a regression: a test that ran in both
 * and shows a forbidden outcome that it did not show before, or one that the device now lacks the
 * features for. A test that is in one file alone was left out of the other, by a budget, a shard or
 * a choice, or is new; that says nothing of the device. Rates vary from run to run and only inform.
 */
#include "internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rate counts as changed beyond this many standard errors and this factor. */
static const double RATE_ERRORS = 5, RATE_FACTOR = 2;

struct side {
	const struct oclmm_saved **saved;
	size_t count;
};

struct comparison {
	struct oclmm_comparison *counts;
	struct oclmm_text *text;
	enum oclmm_compare_lines lines;
	const char *name;
	struct side before, after; /* the records of one test */
	/* tests of one file alone: the first of each */
	const char *first_not_run, *first_fresh;
};

static int compare_names(const void *a, const void *b)
{
	const struct oclmm_saved *const *x = a, *const *y = b;
	int order = strcmp((*x)->record.program->name, (*y)->record.program->name);

	return order ? order : oclmm_saved_compare(*x, *y);
}

static struct side sort(const struct oclmm_results *results)
{
	struct side side = {.count = results->saved_count};

	side.saved = oclmm_calloc(side.count + 1, sizeof(*side.saved));
	for (size_t i = 0; i < side.count; i++)
		side.saved[i] = &results->saved[i];
	qsort(side.saved, side.count, sizeof(*side.saved), compare_names);
	return side;
}

/* The test of the first record. */
static const char *front(const struct side *side)
{
	return side->saved[0]->record.program->name;
}

/* Takes the records of one test from the front. */
static struct side take(struct side *side, const char *name)
{
	struct side taken = {.saved = side->saved};

	while (taken.count < side->count &&
	       strcmp(side->saved[taken.count]->record.program->name, name) == 0)
		taken.count++;
	side->saved += taken.count;
	side->count -= taken.count;
	return taken;
}

static bool ran(const struct side *side)
{
	for (size_t i = 0; i < side->count; i++) {
		if (side->saved[i]->record.grade.instances &&
		    !oclmm_verdict_is_infrastructure(side->saved[i]->record.grade.verdict))
			return true;
	}
	return false;
}

static bool is_skipped(const struct side *side)
{
	for (size_t i = 0; i < side->count; i++) {
		if (side->saved[i]->record.grade.verdict != OCLMM_VERDICT_SKIP)
			return false;
	}
	return side->count > 0;
}

static bool has_verdict(const struct side *side, enum oclmm_verdict verdict)
{
	for (size_t i = 0; i < side->count; i++) {
		if (side->saved[i]->record.grade.verdict == verdict)
			return true;
	}
	return false;
}

static bool is_broken(const struct side *side)
{
	for (size_t i = 0; i < side->count; i++) {
		if (oclmm_verdict_is_infrastructure(side->saved[i]->record.grade.verdict))
			return true;
	}
	return false;
}

/* Whether all that is broken is excused. */
static bool is_excused(const struct side *side)
{
	for (size_t i = 0; i < side->count; i++) {
		const struct oclmm_grade *grade = &side->saved[i]->record.grade;

		if (oclmm_verdict_is_infrastructure(grade->verdict) &&
		    !oclmm_report_is_excused(grade))
			return false;
	}
	return true;
}

/* A row that was counted, and where among those of its side it stands. */
struct seen {
	const struct oclmm_record *record;
	const struct oclmm_graded_row *row;
	size_t place;
};

/* All of a test's rows on one side, sorted by their values. */
struct seen_rows {
	struct seen *rows;
	size_t count;
};

static int compare_values(const struct seen *x, const struct seen *y)
{
	uint32_t a = x->record->program->observable_count;
	int order = oclmm_compare_numbers(a, y->record->program->observable_count);

	return order ? order : oclmm_compare_values(x->row->values, y->row->values, a);
}

static int compare_seen(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;
	int order = compare_values(x, y);

	return order ? order : oclmm_compare_numbers(x->place, y->place);
}

static struct seen_rows gather_rows(const struct side *side)
{
	struct seen_rows seen = {0};
	size_t count = 0;

	for (size_t i = 0; i < side->count; i++)
		count += side->saved[i]->record.grade.row_count;
	seen.rows = oclmm_calloc(count + 1, sizeof(*seen.rows));
	for (size_t i = 0; i < side->count; i++) {
		const struct oclmm_record *record = &side->saved[i]->record;

		for (uint32_t k = 0; k < record->grade.row_count; k++) {
			const struct oclmm_graded_row *row = &record->grade.rows[k];

			if (!row->count)
				continue;
			seen.rows[seen.count] = (struct seen){record, row, seen.count};
			seen.count++;
		}
	}
	qsort(seen.rows, seen.count, sizeof(*seen.rows), compare_seen);
	return seen;
}

/* The first of the rows with these values, or NULL. */
static const struct seen *find_row(const struct seen_rows *seen, const struct seen *wanted)
{
	size_t low = 0, high = seen->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_values(&seen->rows[middle], wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < seen->count && compare_values(&seen->rows[low], wanted) == 0 ? &seen->rows[low]
	                                                                          : NULL;
}

/* The begin of a line. */
static void say(struct comparison *comparison, const char *kind, const char *what)
{
	oclmm_text_printf(comparison->text, "%-11s %s: %s", kind,
	                  oclmm_shown(comparison->name).text, what);
}

static void inform(struct comparison *comparison, const char *kind, const char *what)
{
	if (comparison->lines == OCLMM_COMPARE_REGRESSIONS)
		return;
	say(comparison, kind, what);
	oclmm_text_add(comparison->text, "\n");
}

static void regress(struct comparison *comparison, const char *what)
{
	say(comparison, "REGRESSION", what);
	oclmm_text_add(comparison->text, "\n");
	comparison->counts->regressions++;
}

/* The outcome, and how many others are like it. */
static void say_outcome(struct comparison *comparison, const char *kind, const char *what,
                        const struct seen *seen, size_t others)
{
	say(comparison, kind, what);
	oclmm_text_printf(comparison->text, " %s outcome ", oclmm_status_word(seen->row->status));
	oclmm_report_outcome(comparison->text, seen->record, seen->row->values);
	oclmm_text_printf(comparison->text, ", %" PRIu64 " of %" PRIu64, seen->row->count,
	                  seen->record->counts.instances);
	if (others)
		oclmm_text_printf(comparison->text, ", and %s; --all prints each",
		                  oclmm_counted(others, "other").text);
	oclmm_text_add(comparison->text, "\n");
}

static void say_change(struct comparison *comparison, const struct seen *seen, bool is_after,
                       size_t others)
{
	say_outcome(comparison, is_after ? "new" : "gone",
	            is_after ? "now shows the" : "no longer shows the", seen, others);
}

/* Returns whether it is a change that is to be told beside others. */
static bool tell_outcome(struct comparison *comparison, const struct seen *seen, bool is_after)
{
	const struct oclmm_record *record = seen->record;
	const struct oclmm_graded_row *row = seen->row;
	bool gates = record->grade.gates && record->grade.verdict == OCLMM_VERDICT_FORBIDDEN;

	if (is_after && row->status == OCLMM_STATUS_FORBIDDEN && gates &&
	    ran(&comparison->before)) {
		say_outcome(comparison, "REGRESSION", "shows the", seen, 0);
		comparison->counts->regressions++;
		return false;
	}
	comparison->counts->changes++;
	if (comparison->lines == OCLMM_COMPARE_ALL)
		say_change(comparison, seen, is_after, 0);
	return comparison->lines == OCLMM_COMPARE_NOTABLE &&
	       (row->witness || row->status != OCLMM_STATUS_ALLOWED);
}

static int compare_places(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return oclmm_compare_numbers(x->place, y->place);
}

/* In one line, for the first that are alike: a test of values has thousands. */
static void tell_notable(struct comparison *comparison, const struct seen *fresh, size_t count,
                         bool is_after)
{
	for (int status = 0; status <= OCLMM_STATUS_UNDEFINED; status++) {
		const struct seen *first = NULL;
		size_t others = 0;

		for (size_t i = 0; i < count; i++) {
			if ((int)fresh[i].row->status != status)
				continue;
			others += first != NULL;
			first = first ? first : &fresh[i];
		}
		if (first)
			say_change(comparison, first, is_after, others);
	}
}

/* What one side shows and the other does not, each outcome once, in the order of the records. */
static void tell_new(struct comparison *comparison, const struct seen_rows *here,
                     const struct seen_rows *there, bool is_after)
{
	struct seen *fresh = oclmm_calloc(here->count + 1, sizeof(*fresh));
	size_t count = 0, notable = 0;

	for (size_t i = 0; i < here->count; i++) {
		const struct seen *row = &here->rows[i];

		if ((i == 0 || compare_values(row - 1, row) != 0) && !find_row(there, row))
			fresh[count++] = *row;
	}
	qsort(fresh, count, sizeof(*fresh), compare_places);
	for (size_t i = 0; i < count; i++) {
		if (tell_outcome(comparison, &fresh[i], is_after))
			fresh[notable++] = fresh[i];
	}
	tell_notable(comparison, fresh, notable, is_after);
	free(fresh);
}

static void compare_sets(struct comparison *comparison)
{
	struct seen_rows before = gather_rows(&comparison->before);
	struct seen_rows after = gather_rows(&comparison->after);

	tell_new(comparison, &after, &before, true);
	if (ran(&comparison->before))
		tell_new(comparison, &before, &after, false);
	free(before.rows);
	free(after.rows);
}

static void sum_weak(const struct side *side, double *ret_weak, double *ret_instances)
{
	*ret_weak = *ret_instances = 0;
	for (size_t i = 0; i < side->count; i++) {
		*ret_weak += (double)side->saved[i]->record.grade.weak;
		*ret_instances += (double)side->saved[i]->record.grade.instances;
	}
}

static void compare_rates(struct comparison *comparison)
{
	double weak_a, weak_b, all_a, all_b, a, b, pooled, error;

	sum_weak(&comparison->before, &weak_a, &all_a);
	sum_weak(&comparison->after, &weak_b, &all_b);
	/* from or to never seen is a change of the set, and was told */
	if (weak_a <= 0 || weak_b <= 0)
		return;
	a = weak_a / all_a;
	b = weak_b / all_b;
	pooled = (weak_a + weak_b) / (all_a + all_b);
	error = sqrt(pooled * (1 - pooled) * (1 / all_a + 1 / all_b));
	if (fabs(a - b) < RATE_ERRORS * error || (a < RATE_FACTOR * b && b < RATE_FACTOR * a))
		return;
	comparison->counts->rates++;
	if (comparison->lines == OCLMM_COMPARE_REGRESSIONS)
		return;
	say(comparison, "rate", "");
	oclmm_text_printf(comparison->text, "weak outcomes %.3g per instance before, %.3g after\n",
	                  a, b);
}

static void note_not_run(struct comparison *comparison)
{
	if (comparison->counts->not_run++ == 0)
		comparison->first_not_run = comparison->name;
	if (comparison->lines == OCLMM_COMPARE_ALL)
		inform(comparison, "not run", "ran before, was left out of this run");
}

static void note_fresh(struct comparison *comparison)
{
	if (comparison->counts->fresh++ == 0)
		comparison->first_fresh = comparison->name;
	if (comparison->lines == OCLMM_COMPARE_ALL)
		inform(comparison, "new", "was not run before");
}

static void compare_runs(struct comparison *comparison)
{
	const struct side *before = &comparison->before, *after = &comparison->after;

	if (is_broken(after) && !is_broken(before)) {
		bool gates = ran(before) && !is_excused(after);

		inform(comparison, "broken",
		       is_excused(after) ? "could not be run to the end; it does not gate"
		       : gates           ? "could not be run to the end"
		                         : "could not be run to the end; it did not run before");
		comparison->counts->broken += gates;
	} else if (ran(before) && is_skipped(after)) {
		regress(comparison, "ran before, is skipped now");
	} else if (ran(before) && !ran(after)) {
		note_not_run(comparison);
	}
	if (!before->count && after->count)
		note_fresh(comparison);
	else if (!ran(before) && ran(after))
		inform(comparison, "new", "runs now");
}

/* The same name may stand for another test than before. */
static bool same_test(const struct comparison *comparison)
{
	const struct side *before = &comparison->before, *after = &comparison->after;

	return !before->count || !after->count ||
	       before->saved[0]->record.program->hash == after->saved[0]->record.program->hash;
}

static void compare_test(struct comparison *comparison)
{
	comparison->counts->tests++;
	if (!same_test(comparison)) {
		inform(comparison, "changed",
		       "the test is another now, so nothing of it is compared");
		comparison->counts->changes++;
		if (has_verdict(&comparison->after, OCLMM_VERDICT_FORBIDDEN) &&
		    !has_verdict(&comparison->before, OCLMM_VERDICT_FORBIDDEN))
			inform(comparison, "new", "as changed it shows a forbidden outcome");
		return;
	}
	comparison->counts->common += comparison->before.count && comparison->after.count;
	compare_runs(comparison);
	if (ran(&comparison->after))
		compare_sets(comparison);
	if (ran(&comparison->before) && ran(&comparison->after))
		compare_rates(comparison);
}

/* The model by which a file was judged; files have one but for devices of several versions. */
static const char *model_of(const struct oclmm_results *results)
{
	const char *model = NULL;

	for (size_t i = 0; !model && i < results->saved_count; i++)
		model = results->saved[i].record.model;
	return model ? model : oclmm_model_name(OCLMM_MODEL_CONSENSUS);
}

/* By which door the programs of a file went to the driver; files have one but for merged ones. */
static const char *door_of(const struct oclmm_results *results)
{
	const char *il = results->run_count ? results->runs[0].header.identity.il : NULL;

	return il ? il : "OpenCL C";
}

static void compare_doors(const struct oclmm_results *before, const struct oclmm_results *after,
                          struct oclmm_text *text)
{
	const char *old = door_of(before), *now = door_of(after);

	if (strcmp(old, now) == 0)
		return;
	oclmm_text_printf(text, "%-11s by %s before", "given", oclmm_shown(old).text);
	oclmm_text_printf(text, " and by %s after: a difference may be another compiler's\n",
	                  oclmm_shown(now).text);
}

static void compare_models(const struct oclmm_results *before, const struct oclmm_results *after,
                           struct oclmm_text *text)
{
	const char *old = model_of(before), *now = model_of(after);

	if (strcmp(old, now) == 0)
		return;
	oclmm_text_printf(text, "%-11s by %s before", "judged", oclmm_shown(old).text);
	oclmm_text_printf(text,
	                  " and by %s after: what was disputed may be forbidden now, or allowed\n",
	                  oclmm_shown(now).text);
}

/* Devices and drivers of a file, each once. */
static void add_devices(const char *which, const struct oclmm_results *results,
                        struct oclmm_text *text)
{
	for (size_t i = 0; i < results->run_count; i++) {
		const struct oclmm_run_header *header = &results->runs[i].header;
		bool told = false;

		for (size_t k = 0; k < i && !told; k++) {
			const struct oclmm_run_header *other = &results->runs[k].header;

			told = oclmm_same_string(header->identity.device, other->identity.device) &&
			       oclmm_same_string(header->identity.driver, other->identity.driver);
		}
		if (told)
			continue;
		oclmm_text_printf(text, "%-11s %s", which,
		                  oclmm_shown(header->identity.device).text);
		oclmm_text_printf(text, ", driver %s\n", oclmm_shown(header->identity.driver).text);
	}
}

/* How many tests one file alone has; --all has told each. */
static void tell_alone(const struct comparison *comparison, const char *kind, uint64_t count,
                       const char *first, const char *what)
{
	if (count == 0 || comparison->lines != OCLMM_COMPARE_NOTABLE)
		return;
	oclmm_text_printf(comparison->text, "%-11s %s", kind, oclmm_shown(first).text);
	if (count > 1)
		oclmm_text_printf(comparison->text, " and %s",
		                  oclmm_counted(count - 1, "other test").text);
	oclmm_text_printf(comparison->text, ": %s%s\n", what,
	                  count > 1 ? "; --all names each" : "");
}

void oclmm_results_compare(const struct oclmm_results *before, const struct oclmm_results *after,
                           enum oclmm_compare_lines lines, struct oclmm_comparison *ret_counts,
                           struct oclmm_text *text)
{
	struct side all_before = sort(before), all_after = sort(after);
	const struct oclmm_saved **first = all_before.saved, **second = all_after.saved;
	struct comparison comparison = {.counts = ret_counts, .text = text, .lines = lines};

	*ret_counts = (struct oclmm_comparison){0};
	if (lines != OCLMM_COMPARE_REGRESSIONS) {
		add_devices("before", before, text);
		add_devices("after", after, text);
	}
	if (lines != OCLMM_COMPARE_REGRESSIONS && before->saved_count && after->saved_count)
		compare_models(before, after, text);
	if (lines != OCLMM_COMPARE_REGRESSIONS)
		compare_doors(before, after, text);
	while (all_before.count || all_after.count) {
		bool old = all_after.count == 0 ||
		           (all_before.count > 0 &&
		            strcmp(front(&all_before), front(&all_after)) <= 0);

		comparison.name = front(old ? &all_before : &all_after);
		comparison.before = take(&all_before, comparison.name);
		comparison.after = take(&all_after, comparison.name);
		compare_test(&comparison);
	}
	tell_alone(&comparison, "not run", ret_counts->not_run, comparison.first_not_run,
	           "ran before, left out of this run");
	tell_alone(&comparison, "new", ret_counts->fresh, comparison.first_fresh, "not run before");
	free(first);
	free(second);
	oclmm_report_wrap(text);
}
