// SPDX-License-Identifier: Apache-2.0
#include "oclmm/histogram.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum oclmm_ended oclmm_end_ended(enum oclmm_end end)
{
#define OCLMM_X(name, ended, cause, words) OCLMM_ENDED_##ended,
	static const enum oclmm_ended ended[] = {OCLMM_ENDS(OCLMM_X)};
#undef OCLMM_X

	return ended[end];
}

OCLMM_LOOK_UP(const char *, oclmm_end_cause, oclmm_end, OCLMM_ENDS, SECOND);
OCLMM_LOOK_UP(const char *, oclmm_end_words, oclmm_end, OCLMM_ENDS, THIRD);
OCLMM_LOOK_UP(const char *, oclmm_ended_word, oclmm_ended, OCLMM_ENDED, FIRST);

/*
 * A row is its values and then its count. The first `sorted` rows ascend, each tuple once. Behind
 * them stands what was added since, as it came; before that outgrows the others it is sorted and
 * merged with them. So millions of outcomes cost what sorting them costs, whatever their order,
 * and the tens that most tests have are found by a binary search.
 */
struct oclmm_histogram {
	uint32_t width;
	size_t sorted;
	size_t rows;
	size_t capacity;
	int64_t *cells;
	uint64_t cut;
};

/* As few rows as this need not be merged. */
enum { FEW = 64 };

struct oclmm_histogram *oclmm_histogram_create(uint32_t width)
{
	struct oclmm_histogram *histogram = oclmm_calloc(1, sizeof(*histogram));

	histogram->width = width;
	return histogram;
}

void oclmm_histogram_destroy(struct oclmm_histogram *histogram)
{
	if (!histogram)
		return;
	free(histogram->cells);
	free(histogram);
}

uint32_t oclmm_histogram_width(const struct oclmm_histogram *histogram)
{
	return histogram->width;
}

static size_t row_size(const struct oclmm_histogram *histogram)
{
	return ((size_t)histogram->width + 1) * sizeof(int64_t);
}

static int64_t *row_at(const struct oclmm_histogram *histogram, size_t row)
{
	return histogram->cells + row * ((size_t)histogram->width + 1);
}

static uint64_t count_at(const struct oclmm_histogram *histogram, size_t row)
{
	return (uint64_t)row_at(histogram, row)[histogram->width];
}

static void add_at(struct oclmm_histogram *histogram, size_t row, uint64_t count)
{
	row_at(histogram, row)[histogram->width] =
		(int64_t)oclmm_add_saturating(count_at(histogram, row), count);
}

static int compare_rows(const void *a, const void *b, void *width)
{
	return oclmm_compare_values(a, b, *(const uint32_t *)width);
}

/* Whether it is among the rows that are sorted, and where. */
static bool find(const struct oclmm_histogram *histogram, const int64_t *values, size_t *ret_row)
{
	size_t low = 0, high = histogram->sorted;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = oclmm_compare_values(row_at(histogram, middle), values,
		                                 histogram->width);

		if (order == 0) {
			*ret_row = middle;
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static void append(struct oclmm_histogram *histogram, const int64_t *values, uint64_t count)
{
	oclmm_grow(&histogram->cells, &histogram->capacity, histogram->rows, row_size(histogram));
	if (histogram->width)
		memcpy(row_at(histogram, histogram->rows), values,
		       histogram->width * sizeof(*values));
	row_at(histogram, histogram->rows)[histogram->width] = (int64_t)count;
	histogram->rows++;
}

/* The same, of what is not below the last row; all are sorted, before and after. */
static void append_sorted(struct oclmm_histogram *histogram, const int64_t *values, uint64_t count)
{
	if (histogram->rows > 0 && oclmm_compare_values(row_at(histogram, histogram->rows - 1),
	                                                values, histogram->width) == 0)
		add_at(histogram, histogram->rows - 1, count);
	else
		append(histogram, values, count);
	histogram->sorted = histogram->rows;
}

/* Rows of `a` to `a_end` and of `b` to `b_end`, which both ascend, to the end of `merged`. */
static void merge_rows(struct oclmm_histogram *merged, const struct oclmm_histogram *a,
                       size_t a_end, const struct oclmm_histogram *b, size_t b_at, size_t b_end)
{
	size_t a_at = 0;

	while (a_at < a_end || b_at < b_end) {
		bool from_a = b_at == b_end ||
		              (a_at < a_end &&
		               oclmm_compare_values(row_at(a, a_at), row_at(b, b_at),
		                                    merged->width) <= 0);
		const struct oclmm_histogram *from = from_a ? a : b;
		size_t at = from_a ? a_at++ : b_at++;

		append_sorted(merged, row_at(from, at), count_at(from, at));
	}
}

static void replace_rows(struct oclmm_histogram *histogram, const struct oclmm_histogram *by)
{
	free(histogram->cells);
	histogram->cells = by->cells;
	histogram->rows = histogram->sorted = by->rows;
	histogram->capacity = by->capacity;
}

static void tidy(struct oclmm_histogram *histogram)
{
	struct oclmm_histogram merged = {.width = histogram->width};
	size_t added = histogram->rows - histogram->sorted;

	if (added == 0)
		return;
	qsort_r(row_at(histogram, histogram->sorted), added, row_size(histogram), compare_rows,
	        &histogram->width);
	merge_rows(&merged, histogram, histogram->sorted, histogram, histogram->sorted,
	           histogram->rows);
	replace_rows(histogram, &merged);
}

static bool is_last(const struct oclmm_histogram *histogram, const int64_t *values)
{
	return histogram->rows == 0 || oclmm_compare_values(row_at(histogram, histogram->rows - 1),
	                                                    values, histogram->width) < 0;
}

void oclmm_histogram_add(struct oclmm_histogram *histogram, const int64_t *values, uint64_t count)
{
	size_t row;

	if (histogram->sorted == histogram->rows && is_last(histogram, values)) {
		append_sorted(histogram, values, count);
	} else if (find(histogram, values, &row)) {
		add_at(histogram, row, count);
	} else {
		append(histogram, values, count);
		if (histogram->rows - histogram->sorted >= histogram->sorted + FEW)
			tidy(histogram);
	}
}

void oclmm_histogram_add_cut(struct oclmm_histogram *histogram, uint64_t count)
{
	histogram->cut = oclmm_add_saturating(histogram->cut, count);
}

uint64_t oclmm_histogram_cut(const struct oclmm_histogram *histogram)
{
	return histogram->cut;
}

uint64_t oclmm_histogram_count(struct oclmm_histogram *histogram, const int64_t *values)
{
	size_t row;

	tidy(histogram);
	return find(histogram, values, &row) ? count_at(histogram, row) : 0;
}

uint64_t oclmm_histogram_total(const struct oclmm_histogram *histogram)
{
	uint64_t total = histogram->cut;

	for (size_t i = 0; i < histogram->rows; i++)
		total = oclmm_add_saturating(total, count_at(histogram, i));
	return total;
}

int oclmm_histogram_merge(struct oclmm_histogram *to, struct oclmm_histogram *from)
{
	struct oclmm_histogram merged = {.width = to->width};

	if (to->width != from->width)
		return -EINVAL;
	tidy(to);
	tidy(from);
	merge_rows(&merged, to, to->rows, from, 0, from->rows);
	oclmm_histogram_add_cut(to, from->cut);
	replace_rows(to, &merged);
	return 0;
}

size_t oclmm_histogram_rows(struct oclmm_histogram *histogram)
{
	tidy(histogram);
	return histogram->rows;
}

struct oclmm_histogram_row oclmm_histogram_row(struct oclmm_histogram *histogram, size_t index)
{
	tidy(histogram);
	return (struct oclmm_histogram_row){
		.values = row_at(histogram, index),
		.count = count_at(histogram, index),
	};
}

/* ---- waits ---- */

void oclmm_wait_launches_add(struct oclmm_wait_launches *launches, uint64_t late, uint64_t stuck)
{
	/* One or two do not show which are more frequent. On two busy cores one wait in 500 of
	 * those that nothing kept was stuck, in bursts. */
	enum { LEAST = 4, PART = 32 };

	if (oclmm_add_saturating(late, stuck) < LEAST)
		return;
	launches->launches = oclmm_add_saturating(launches->launches, 1);
	launches->hits = oclmm_add_saturating(launches->hits, stuck > late);
	launches->partly = oclmm_add_saturating(launches->partly, stuck > late / (PART - 1));
	launches->late = oclmm_add_saturating(launches->late, late);
	launches->stuck = oclmm_add_saturating(launches->stuck, stuck);
}

static void extend(struct oclmm_wait_launches *whole, const struct oclmm_wait_launches *part)
{
	whole->launches = oclmm_add_saturating(whole->launches, part->launches);
	whole->hits = oclmm_add_saturating(whole->hits, part->hits);
	whole->partly = oclmm_add_saturating(whole->partly, part->partly);
	whole->late = oclmm_add_saturating(whole->late, part->late);
	whole->stuck = oclmm_add_saturating(whole->stuck, part->stuck);
}

void oclmm_waits_extend(struct oclmm_waits *whole, const struct oclmm_waits *part)
{
	extend(&whole->own, &part->own);
	extend(&whole->opaque, &part->opaque);
}

/* ---- parts of a run ---- */

/* One list, unless one of them is not known. */
static void extend_halvings(struct oclmm_counts *whole, const struct oclmm_counts *part)
{
	struct oclmm_halvings *halvings = &whole->halved_at;
	bool known = halvings->count == whole->halved && part->halved_at.count == part->halved &&
	             part->halved <= OCLMM_HALVINGS_MOST - halvings->count;

	whole->halved += part->halved;
	for (uint32_t i = 0; known && i < part->halved; i++)
		halvings->at[halvings->count++] = part->halved_at.at[i];
	if (!known)
		halvings->count = 0;
}

int oclmm_counts_extend(struct oclmm_counts *whole, const struct oclmm_counts *part)
{
	if (part->histogram &&
	    (!whole->histogram || oclmm_histogram_merge(whole->histogram, part->histogram) < 0))
		return -EINVAL;
	oclmm_waits_extend(&whole->waits, &part->waits);
	whole->instances += part->instances;
	whole->launches += part->launches;
	whole->looked += part->looked;
	whole->seconds += part->seconds;
	whole->compile_seconds += part->compile_seconds;
	extend_halvings(whole, part);
	/* which begins with those of the launches before */
	whole->turns = part->turns;
	return 0;
}
