// SPDX-License-Identifier: Apache-2.0
/* The outcomes of a test over all its records, each once. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static int compare_values(const struct outcome *a, const int64_t *values, uint32_t width)
{
	for (uint32_t i = 0; i < width; i++) {
		if (a->values[i] != values[i])
			return a->values[i] < values[i] ? -1 : 1;
	}
	return 0;
}

static struct outcome *find(struct page *page, struct test *test, size_t *capacity,
                            const struct oclmm_graded_row *row)
{
	uint32_t width = test->record->program->observable_count;
	size_t at = 0;

	while (at < test->outcome_count &&
	       compare_values(&test->outcomes[at], row->values, width) < 0)
		at++;
	if (at < test->outcome_count &&
	    compare_values(&test->outcomes[at], row->values, width) == 0)
		return &test->outcomes[at];
	oclmm_grow(&test->outcomes, capacity, test->outcome_count, sizeof(*test->outcomes));
	memmove(test->outcomes + at + 1, test->outcomes + at,
	        (test->outcome_count - at) * sizeof(*test->outcomes));
	test->outcome_count++;
	test->outcomes[at] = (struct outcome){.values = row->values, .row = row};
	test->outcomes[at].counts = OCLMM_NEW_ARRAY(page->arena, uint64_t,
	                                            page->configuration_count);
	return &test->outcomes[at];
}

static bool is_graver(const struct oclmm_graded_row *row, const struct oclmm_graded_row *than)
{
	return row->status != than->status &&
	       (row->status == OCLMM_STATUS_FORBIDDEN ||
	        (row->status == OCLMM_STATUS_DISPUTED && than->status == OCLMM_STATUS_ALLOWED));
}

static void add_record(struct page *page, struct test *test, size_t *capacity, size_t configuration,
                       const struct oclmm_record *record)
{
	/* stubs name their values in the order of the file that was read; programs in their own */
	if (record->program != test->record->program &&
	    !oclmm_same_observables(record->program, test->record->program))
		return;
	for (uint32_t i = 0; i < record->grade.row_count; i++) {
		const struct oclmm_graded_row *row = &record->grade.rows[i];
		struct outcome *outcome = find(page, test, capacity, row);

		/* devices of other versions may have other rules: what broke one is told */
		if (row->count && is_graver(row, outcome->row))
			outcome->row = row;
		outcome->counts[configuration] += row->count;
		outcome->total += row->count;
	}
}

void page_gather_outcomes(struct page *page, struct test *test)
{
	size_t capacity = 0;
	struct outcome *outcomes;

	for (size_t i = 0; i < page->configuration_count; i++) {
		for (size_t k = 0; k < test->cells[i].count; k++)
			add_record(page, test, &capacity, i, test->cells[i].records[k]);
	}
	/* into the arena, like the rest */
	outcomes = test->outcomes;
	test->outcomes = oclmm_arena_copy(page->arena, outcomes ? (void *)outcomes : (void *)"",
	                                  test->outcome_count * sizeof(*outcomes));
	free(outcomes);
}
