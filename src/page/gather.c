// SPDX-License-Identifier: Apache-2.0
/* Sorts records into tests and columns. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int page_compare_kinds(const struct oclmm_record *a, const struct oclmm_record *b)
{
	int order = oclmm_compare_strings(a->device, b->device);

	order = order ? order : oclmm_compare_strings(a->driver, b->driver);
	order = order ? order : oclmm_compare_strings(a->il, b->il);
	return order ? order : oclmm_compare_strings(a->platform, b->platform);
}

int page_compare_devices(const struct place *a, const struct place *b)
{
	int order = page_compare_kinds(a->record, b->record);

	return order ? order : oclmm_compare_strings(a->device_id, b->device_id);
}

/* A file's variants stand together, its base variant first, because its name is the shortest. */
static int compare_tests(const struct oclmm_record *a, const struct oclmm_record *b)
{
	int order = oclmm_compare_strings(a->family, b->family);

	order = order ? order : oclmm_compare_strings(a->file, b->file);
	return order ? order : strcmp(a->program->name, b->program->name);
}

/* The columns are 0 until they are known; then each cell's records stand side by side. */
static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	const struct oclmm_record *s = x->record, *t = y->record;
	int order = compare_tests(s, t);

	order = order ? order : oclmm_compare_numbers(x->column, y->column);
	order = order ? order : page_compare_devices(x, y);
	order = order ? order : oclmm_compare_strings(s->environment, t->environment);
	order = order ? order : oclmm_compare_numbers(s->first_launch, t->first_launch);
	return order ? order : oclmm_compare_numbers(s->master_seed, t->master_seed);
}

static void add_to_cell(struct cell *cell, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	if (!cell->record ||
	    page_gravity(grade->verdict) < page_gravity(cell->record->grade.verdict))
		cell->record = record;
	cell->count++;
	cell->instances += grade->instances;
	cell->weak += grade->weak;
	cell->forbidden += grade->forbidden;
	cell->disputed += grade->disputed;
	cell->seconds += record->seconds;
}

static void add_to_column(struct column *column, const struct cell *cell)
{
	column->verdicts[cell->record->grade.verdict]++;
	column->classes[cell->record->support]++;
	column->instances += cell->instances;
	column->seconds += cell->seconds;
}

static void fill_cells(struct page *page, struct test *test, size_t from, size_t to)
{
	test->cells = OCLMM_NEW_ARRAY(page->arena, struct cell, page->column_count);
	for (size_t i = from; i < to; i++) {
		const struct oclmm_record *record = page->places[i].record;
		struct cell *cell = &test->cells[page->places[i].column];

		if (!cell->count)
			cell->places = &page->places[i];
		add_to_cell(cell, record);
		if (i == from || page_gravity(record->grade.verdict) < page_gravity(test->verdict))
			test->verdict = record->grade.verdict;
		/* a saved record whose test is gone has only a stub, without threads */
		if (!test->bound && record->program->thread_count) {
			test->bound = true;
			test->record = record;
		}
	}
	for (size_t i = 0; i < page->column_count; i++) {
		if (test->cells[i].count)
			add_to_column(&page->columns[i], &test->cells[i]);
	}
}

/* An outcome whose coming or staying away says something; any allowed one comes and goes by
 * chance. */
static bool tells(const struct outcome *outcome)
{
	return outcome->row->witness || outcome->row->status == OCLMM_STATUS_FORBIDDEN ||
	       outcome->row->status == OCLMM_STATUS_DISPUTED;
}

static bool cells_differ(const struct test *test, size_t a, size_t b)
{
	enum oclmm_verdict x = test->cells[a].record->grade.verdict,
			   y = test->cells[b].record->grade.verdict;

	if (oclmm_verdict_is_infrastructure(x) != oclmm_verdict_is_infrastructure(y))
		return true;
	for (size_t k = 0; k < test->outcome_count; k++) {
		const struct outcome *outcome = &test->outcomes[k];

		if (tells(outcome) && !outcome->counts[a] != !outcome->counts[b])
			return true;
	}
	return false;
}

static bool columns_differ(const struct page *page, const struct test *test)
{
	size_t first = page->column_count;

	for (size_t i = 0; i < page->column_count; i++) {
		/* what a device cannot do at all is told with its claims */
		if (!test->cells[i].count ||
		    test->cells[i].record->grade.verdict == OCLMM_VERDICT_SKIP)
			continue;
		if (first == page->column_count)
			first = i;
		else if (cells_differ(test, first, i))
			return true;
	}
	return false;
}

/* The records `from` up to `to` are those of one test. */
static void gather_test(struct page *page, struct test *test, size_t from, size_t to)
{
	*test = (struct test){.record = page->places[from].record};
	fill_cells(page, test, from, to);
	test->id = page_identifier(page->arena, test->record->program->name);
	/* two files may call a test alike; the first keeps the name */
	if (page_find(page, test->record->program->name) != test)
		test->id = oclmm_arena_printf(page->arena, "%s_%zu", test->id,
		                              (size_t)(test - page->tests) + 1);
	if (page->options->words)
		test->words = page->options->words(page->options->data, test->record);
	page_gather_outcomes(page, test);
	test->differs = columns_differ(page, test);
}

static int compare_names(const void *a, const void *b)
{
	const struct page_name *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : oclmm_compare_numbers(x->test, y->test);
}

size_t page_end_of_test(const struct page *page, size_t from)
{
	size_t to = from + 1;

	while (to < page->place_count &&
	       compare_tests(page->places[from].record, page->places[to].record) == 0)
		to++;
	return to;
}

static int gather_names(struct page *page)
{
	size_t count = 0;

	page->names = OCLMM_NEW_ARRAY(page->arena, struct page_name, page->place_count + 1);
	for (size_t from = 0; from < page->place_count; from = page_end_of_test(page, from)) {
		page->names[count] = (struct page_name){page->places[from].record->program->name,
		                                        count};
		count++;
	}
	qsort(page->names, count, sizeof(*page->names), compare_names);
	page->test_count = count;
	return page->column_count && count > OCLMM_PAGE_CELLS / page->column_count ? -E2BIG : 0;
}

static int compare_runs(const struct oclmm_run_header *run, uint64_t seed, const char *device,
                        const char *driver, const char *il, const char *started)
{
	int order = oclmm_compare_numbers(run->seed, seed);

	order = order ? order : oclmm_compare_strings(run->device, device);
	order = order ? order : oclmm_compare_strings(run->driver, driver);
	order = order ? order : oclmm_compare_strings(run->il, il);
	return order || !started ? order : oclmm_compare_strings(run->started, started);
}

static int compare_headers(const void *a, const void *b)
{
	const struct oclmm_run_header *const *x = a,
					     *y = *(const struct oclmm_run_header *const *)b;

	return compare_runs(*x, y->seed, y->device, y->driver, y->il, page_string(y->started));
}

static void sort_headers(struct page *page)
{
	page->headers = OCLMM_NEW_ARRAY(page->arena, const struct oclmm_run_header *,
	                                page->run_count + 1);
	for (size_t i = 0; i < page->run_count; i++)
		page->headers[i] = &page->runs[i].header;
	qsort(page->headers, page->run_count, sizeof(*page->headers), compare_headers);
}

static struct place place_of(const struct page *page, const struct oclmm_record *record)
{
	const struct oclmm_run_header *header = page_run_of(page, record);
	bool shared = header && header->devices > 1;

	return (struct place){.record = record, .device_id = shared ? NULL : record->device_id};
}

int page_gather(struct page *page, const struct oclmm_record *const *records, size_t count)
{
	size_t test = 0;
	int r;

	page->places = OCLMM_NEW_ARRAY(page->arena, struct place, count + 1);
	page->place_count = count;
	sort_headers(page);
	for (size_t i = 0; i < count; i++)
		page->places[i] = place_of(page, records[i]);
	qsort(page->places, count, sizeof(*page->places), compare_places);
	r = page_gather_columns(page);
	qsort(page->places, count, sizeof(*page->places), compare_places);
	if (r == 0)
		r = gather_names(page);
	if (r < 0)
		return r;
	page->tests = OCLMM_NEW_ARRAY(page->arena, struct test, page->test_count + 1);
	for (size_t from = 0, to; from < count; from = to) {
		to = page_end_of_test(page, from);
		gather_test(page, &page->tests[test++], from, to);
	}
	return 0;
}

void page_finish(struct page *page)
{
	pool_destroy(page->strings);
	pool_destroy(page->pieces);
	pool_destroy(page->shapes);
	oclmm_arena_destroy(page->arena);
}

const struct test *page_find(const struct page *page, const char *name)
{
	size_t low = 0, high = page->test_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(page->names[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < page->test_count && strcmp(page->names[low].name, name) == 0
	               ? &page->tests[page->names[low].test]
	               : NULL;
}

/* How many of the runs do not stand behind a place in their order. */
static size_t count_runs(const struct page *page, const struct oclmm_record *record,
                         const char *started)
{
	size_t low = 0, high = page->run_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_runs(page->headers[middle], record->master_seed, record->device,
		                 record->driver, record->il, started) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_run_of(const struct oclmm_run_header *run, const struct oclmm_record *record)
{
	return compare_runs(run, record->master_seed, record->device, record->driver, record->il,
	                    NULL) == 0;
}

const struct oclmm_run_header *page_run_of(const struct page *page,
                                           const struct oclmm_record *record)
{
	size_t end = count_runs(page, record, page_string(record->started));

	if (end > 0 && is_run_of(page->headers[end - 1], record))
		return page->headers[end - 1];
	/* its clock went back meanwhile, or nobody knows when */
	if (end < page->run_count && is_run_of(page->headers[end], record))
		return page->headers[end];
	return NULL;
}
