// SPDX-License-Identifier: Apache-2.0
/* Sorts records into tests and configurations. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_strings(const char *a, const char *b)
{
	return strcmp(page_string(a), page_string(b));
}

static int compare_places(const struct oclmm_record *a, const struct oclmm_record *b)
{
	int order = compare_strings(a->device, b->device);

	order = order ? order : compare_strings(a->driver, b->driver);
	order = order ? order : compare_strings(a->platform, b->platform);
	return order ? order : compare_strings(a->device_id, b->device_id);
}

/* A file's variants stand together, its base variant first, because its name is the shortest. */
static int compare_tests(const struct oclmm_record *a, const struct oclmm_record *b)
{
	int order = compare_strings(a->family, b->family);

	order = order ? order : compare_strings(a->file, b->file);
	return order ? order : strcmp(a->program->name, b->program->name);
}

static int compare_records(const void *a, const void *b)
{
	const struct oclmm_record *const *x = a, *const *y = b;
	int order = compare_tests(*x, *y);

	order = order ? order : compare_places(*x, *y);
	order = order ? order : compare_strings((*x)->environment, (*y)->environment);
	if (order)
		return order;
	if ((*x)->first_launch != (*y)->first_launch)
		return (*x)->first_launch < (*y)->first_launch ? -1 : 1;
	return (*x)->master_seed < (*y)->master_seed ? -1 : (*x)->master_seed > (*y)->master_seed;
}

static int compare_configurations(const void *a, const void *b)
{
	const struct configuration *x = a, *y = b;

	return compare_places(x->record, y->record);
}

static size_t find_configuration(const struct page *page, const struct oclmm_record *record)
{
	size_t i = 0;

	while (i < page->configuration_count &&
	       compare_places(page->configurations[i].record, record) != 0)
		i++;
	return i;
}

/* The shortest label that tells: the device's name, then the driver, then a number. */
static void label(struct page *page, size_t index)
{
	struct configuration *here = &page->configurations[index];
	const struct oclmm_record *record = here->record;
	bool same_device = false, same_driver = false;

	for (size_t i = 0; i < page->configuration_count; i++) {
		const struct oclmm_record *other = page->configurations[i].record;

		if (i == index || compare_strings(record->device, other->device) != 0)
			continue;
		same_device = true;
		same_driver |= compare_strings(record->driver, other->driver) == 0;
	}
	here->label = oclmm_arena_strdup(page->arena,
	                                 record->device ? record->device : "unnamed device");
	if (same_device)
		here->label = oclmm_arena_printf(page->arena, "%s, driver %s", here->label,
		                                 page_string(record->driver));
	if (same_driver)
		here->label = oclmm_arena_printf(page->arena, "%s (%zu)", here->label, index + 1);
}

static int gather_configurations(struct page *page)
{
	size_t capacity = 0;

	for (size_t i = 0; i < page->record_count; i++) {
		if (find_configuration(page, page->records[i]) < page->configuration_count)
			continue;
		if (page->configuration_count == OCLMM_PAGE_CONFIGURATIONS)
			return -E2BIG;
		oclmm_grow(&page->configurations, &capacity, page->configuration_count,
		           sizeof(*page->configurations));
		page->configurations[page->configuration_count++] = (struct configuration){
			.record = page->records[i]};
	}
	if (page->configuration_count)
		qsort(page->configurations, page->configuration_count,
		      sizeof(*page->configurations), compare_configurations);
	for (size_t i = 0; i < page->configuration_count; i++)
		label(page, i);
	return 0;
}

static void add_to_cell(struct cell *cell, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	if (!cell->count || page_gravity(grade->verdict) < page_gravity(cell->verdict))
		cell->verdict = grade->verdict;
	cell->count++;
	cell->instances += grade->instances;
	cell->weak += grade->weak;
	cell->forbidden += grade->forbidden;
	cell->disputed += grade->disputed;
	cell->seconds += record->seconds;
}

static void add_to_configuration(struct configuration *configuration, const struct cell *cell)
{
	configuration->tests++;
	configuration->verdicts[cell->verdict]++;
	configuration->classes[cell->records[0]->support]++;
	configuration->instances += cell->instances;
	configuration->seconds += cell->seconds;
}

/* The records `from` up to `to` are those of one test. */
static void gather_test(struct page *page, struct test *test, size_t from, size_t to)
{
	*test = (struct test){.record = page->records[from]};
	test->cells = OCLMM_NEW_ARRAY(page->arena, struct cell, page->configuration_count);
	for (size_t i = from; i < to; i++) {
		const struct oclmm_record *record = page->records[i];
		struct cell *cell = &test->cells[find_configuration(page, record)];

		if (!cell->count)
			cell->records = &page->records[i];
		add_to_cell(cell, record);
		if (i == from || page_gravity(cell->verdict) < page_gravity(test->verdict))
			test->verdict = cell->verdict;
		/* a saved record whose test is gone has only a stub, without threads */
		if (!test->bound && record->program->thread_count) {
			test->bound = true;
			test->record = record;
		}
	}
	for (size_t i = 0; i < page->configuration_count; i++) {
		if (test->cells[i].count)
			add_to_configuration(&page->configurations[i], &test->cells[i]);
	}
	test->id = page_identifier(page->arena, test->record->program->name);
	/* two files may call a test alike; the first keeps the name */
	if (page_find(page, test->record->program->name) != test)
		test->id = oclmm_arena_printf(page->arena, "%s_%zu", test->id,
		                              (size_t)(test - page->tests) + 1);
	if (page->options->words)
		test->words = page->options->words(page->options->data, test->record);
	page_gather_outcomes(page, test);
}

size_t page_environment(const struct page *page, const char *environment)
{
	size_t i = 0;

	while (i < page->environment_count && strcmp(page->environments[i], environment) != 0)
		i++;
	return i;
}

static int gather_environments(struct page *page)
{
	size_t capacity = 0;

	for (size_t i = 0; i < page->record_count; i++) {
		const char *environment = page->records[i]->environment;

		if (!environment || page_environment(page, environment) < page->environment_count)
			continue;
		if (page->environment_count == OCLMM_PAGE_ENVIRONMENTS)
			return -E2BIG;
		oclmm_grow(&page->environments, &capacity, page->environment_count,
		           sizeof(*page->environments));
		page->environments[page->environment_count++] = environment;
	}
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	const struct page_name *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : x->test < y->test ? -1 : x->test > y->test;
}

/* Behind the last record of the test that begins there. */
static size_t end_of_test(const struct page *page, size_t from)
{
	size_t to = from + 1;

	while (to < page->record_count &&
	       compare_tests(page->records[from], page->records[to]) == 0)
		to++;
	return to;
}

static int gather_names(struct page *page)
{
	size_t count = 0;

	page->names = OCLMM_NEW_ARRAY(page->arena, struct page_name, page->record_count + 1);
	for (size_t from = 0; from < page->record_count; from = end_of_test(page, from)) {
		page->names[count] = (struct page_name){page->records[from]->program->name, count};
		count++;
	}
	qsort(page->names, count, sizeof(*page->names), compare_names);
	page->test_count = count;
	return page->configuration_count && count > OCLMM_PAGE_CELLS / page->configuration_count
	               ? -E2BIG
	               : 0;
}

int page_gather(struct page *page, const struct oclmm_record *const *records, size_t count)
{
	size_t test = 0;
	int r;

	page->records = OCLMM_NEW_ARRAY(page->arena, const struct oclmm_record *, count + 1);
	page->record_count = count;
	for (size_t i = 0; i < count; i++)
		page->records[i] = records[i];
	qsort(page->records, count, sizeof(*page->records), compare_records);
	r = gather_configurations(page);
	if (r == 0)
		r = gather_environments(page);
	if (r == 0)
		r = gather_names(page);
	if (r < 0)
		return r;
	page->tests = OCLMM_NEW_ARRAY(page->arena, struct test, page->test_count + 1);
	for (size_t from = 0, to; from < count; from = to) {
		to = end_of_test(page, from);
		gather_test(page, &page->tests[test++], from, to);
	}
	return 0;
}

void page_finish(struct page *page)
{
	free(page->configurations);
	free(page->environments);
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

/* An outcome whose coming or staying away says something; any allowed one comes and goes by
 * chance. */
static bool tells(const struct outcome *outcome)
{
	return outcome->row->witness || outcome->row->status == OCLMM_STATUS_FORBIDDEN ||
	       outcome->row->status == OCLMM_STATUS_DISPUTED;
}

static bool cells_differ(const struct test *test, size_t a, size_t b)
{
	enum oclmm_verdict x = test->cells[a].verdict, y = test->cells[b].verdict;

	if (oclmm_verdict_is_infrastructure(x) != oclmm_verdict_is_infrastructure(y))
		return true;
	for (size_t k = 0; k < test->outcome_count; k++) {
		const struct outcome *outcome = &test->outcomes[k];

		if (tells(outcome) && !outcome->counts[a] != !outcome->counts[b])
			return true;
	}
	return false;
}

bool page_differs(const struct page *page, const struct test *test)
{
	size_t first = page->configuration_count;

	for (size_t i = 0; i < page->configuration_count; i++) {
		/* what a device cannot do at all is told with its claims */
		if (!test->cells[i].count || test->cells[i].verdict == OCLMM_VERDICT_SKIP)
			continue;
		if (first == page->configuration_count)
			first = i;
		else if (cells_differ(test, first, i))
			return true;
	}
	return false;
}
