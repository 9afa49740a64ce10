// SPDX-License-Identifier: Apache-2.0
/* The outcomes of a test over all its records, each once. */
#include "internal.h"

#include <stdlib.h>

/* A page shows so many outcomes of a test: those that tell something, then the most frequent. */
enum { MOST_OUTCOMES = 256 };

/* A row of a record, and what it is sorted by. */
struct seen {
	const struct oclmm_graded_row *row;
	size_t column, record; /* of the cell */
	uint32_t width;
};

static int compare_values(const struct seen *a, const struct seen *b)
{
	return oclmm_compare_values(a->row->values, b->row->values, a->width);
}

/* Rows of one outcome stand in the order of their columns and records. */
static int compare_seen(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;
	int order = compare_values(x, y);

	order = order ? order : oclmm_compare_numbers(x->column, y->column);
	return order ? order : oclmm_compare_numbers(x->record, y->record);
}

static bool is_graver(const struct oclmm_graded_row *row, const struct oclmm_graded_row *than)
{
	return row->status != than->status &&
	       (row->status == OCLMM_STATUS_FORBIDDEN ||
	        (row->status == OCLMM_STATUS_DISPUTED && than->status == OCLMM_STATUS_ALLOWED));
}

static size_t list_rows(const struct page *page, const struct test *test, struct seen *seen)
{
	size_t count = 0;

	for (size_t i = 0; i < page->column_count; i++) {
		for (size_t k = 0; k < test->cells[i].count; k++) {
			const struct oclmm_record *record = test->cells[i].places[k].record;

			/* stubs name their values in the order of the file that was read;
			 * programs in their own */
			if (record->program != test->record->program &&
			    !oclmm_same_observables(record->program, test->record->program))
				continue;
			for (uint32_t n = 0; seen && n < record->grade.row_count; n++)
				seen[count + n] = (struct seen){&record->grade.rows[n], i, k,
				                                record->program->observable_count};
			count += record->grade.row_count;
		}
	}
	return count;
}

/* ---- which are shown ---- */

/* What an outcome counts for when not all can be shown. */
struct worth {
	bool tells;
	uint64_t total;
	size_t at; /* of its first row */
};

static int compare_worths(const void *a, const void *b)
{
	const struct worth *x = a, *y = b;
	int order = oclmm_compare_numbers(y->tells, x->tells);

	order = order ? order : oclmm_compare_numbers(y->total, x->total);
	return order ? order : oclmm_compare_numbers(x->at, y->at);
}

static int compare_places(const void *a, const void *b)
{
	const struct worth *x = a, *y = b;

	return oclmm_compare_numbers(x->at, y->at);
}

static size_t end_of_outcome(const struct seen *seen, size_t from, size_t count)
{
	size_t to = from + 1;

	while (to < count && compare_values(&seen[from], &seen[to]) == 0)
		to++;
	return to;
}

static struct worth *weigh(const struct seen *seen, size_t count, size_t *ret_count)
{
	struct worth *worths = oclmm_calloc(count + 1, sizeof(*worths));
	size_t outcomes = 0;

	for (size_t from = 0, to; from < count; from = to) {
		struct worth *worth = &worths[outcomes++];

		worth->at = from;
		to = end_of_outcome(seen, from, count);
		for (size_t i = from; i < to; i++) {
			worth->tells |= seen[i].row->witness ||
			                (seen[i].row->count &&
			                 seen[i].row->status != OCLMM_STATUS_ALLOWED);
			worth->total += seen[i].row->count;
		}
	}
	*ret_count = outcomes;
	return worths;
}

static void add_outcome(struct page *page, struct test *test, const struct seen *seen, size_t from,
                        size_t to)
{
	struct outcome *outcome = &test->outcomes[test->outcome_count++];

	outcome->row = seen[from].row;
	outcome->counts = OCLMM_NEW_ARRAY(page->arena, uint64_t, page->column_count);
	for (size_t i = from; i < to; i++) {
		const struct oclmm_graded_row *row = seen[i].row;

		/* devices of other versions may have other rules: what broke one is told */
		if (row->count && is_graver(row, outcome->row))
			outcome->row = row;
		outcome->counts[seen[i].column] += row->count;
		outcome->total += row->count;
	}
}

static void leave_out(struct test *test, const struct seen *seen, size_t from, size_t to)
{
	uint64_t total = 0;

	for (size_t i = from; i < to; i++) {
		test->left_out[seen[i].column] += seen[i].row->count;
		total += seen[i].row->count;
	}
	test->left_out_kinds += total > 0;
}

void page_gather_outcomes(struct page *page, struct test *test)
{
	size_t rows = list_rows(page, test, NULL), count, shown;
	struct seen *seen = oclmm_calloc(rows + 1, sizeof(*seen));
	struct worth *worths;

	list_rows(page, test, seen);
	qsort(seen, rows, sizeof(*seen), compare_seen);
	worths = weigh(seen, rows, &count);
	shown = count < MOST_OUTCOMES ? count : MOST_OUTCOMES;
	if (count > shown)
		qsort(worths, count, sizeof(*worths), compare_worths);
	qsort(worths, shown, sizeof(*worths), compare_places);
	test->outcomes = OCLMM_NEW_ARRAY(page->arena, struct outcome, shown + 1);
	test->left_out = OCLMM_NEW_ARRAY(page->arena, uint64_t, page->column_count);
	for (size_t i = 0; i < count; i++) {
		size_t from = worths[i].at, to = end_of_outcome(seen, from, rows);

		if (i < shown)
			add_outcome(page, test, seen, from, to);
		else
			leave_out(test, seen, from, to);
	}
	free(worths);
	free(seen);
}
