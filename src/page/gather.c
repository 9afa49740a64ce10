// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How verdicts and outcomes are called and marked. */

struct look {
	unsigned gravity;
	const char *sign;
};

/* Signs that every font of the last decades has, and that differ in shape. */
static const struct look looks[OCLMM_VERDICT_COUNT] = {
	[OCLMM_VERDICT_FORBIDDEN] = {0, "✖"},    [OCLMM_VERDICT_CRASH] = {1, "!"},
	[OCLMM_VERDICT_TIMEOUT] = {2, "!"},      [OCLMM_VERDICT_LOST] = {3, "!"},
	[OCLMM_VERDICT_BUILD_FAILED] = {4, "!"}, [OCLMM_VERDICT_STALE] = {5, "!"},
	[OCLMM_VERDICT_KNOWN] = {6, "✱"},        [OCLMM_VERDICT_DISPUTED] = {7, "?"},
	[OCLMM_VERDICT_INCONCLUSIVE] = {8, "○"}, [OCLMM_VERDICT_UNDEFINED] = {9, "≈"},
	[OCLMM_VERDICT_PASS] = {10, "✓"},        [OCLMM_VERDICT_SKIP] = {11, "–"},
};

/* A sign before a verdict, so that it is not told by its colour alone. */
const char *oclmm_page_verdict_sign(enum oclmm_verdict verdict)
{
	return looks[verdict].sign;
}

unsigned oclmm_page_gravity(enum oclmm_verdict verdict)
{
	return looks[verdict].gravity;
}

static char *identifier(struct oclmm_arena *arena, const char *name)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-=";
	struct oclmm_text text = {0};

	oclmm_text_add(&text, "t-");
	for (; *name; name++) {
		if (strchr(plain, *name))
			oclmm_text_add_bytes(&text, name, 1);
		else
			oclmm_text_printf(&text, "_%02x", (unsigned char)*name);
	}
	return oclmm_text_keep(&text, arena);
}

OCLMM_LOOK_UP(const char *, oclmm_page_kind_word, page_kind, PAGE_KINDS, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_page_kind_sign, page_kind, PAGE_KINDS, SECOND);
OCLMM_LOOK_UP(const char *, oclmm_page_kind_meaning, page_kind, PAGE_KINDS, THIRD);

/* ---- who stands where ---- */

/* Equal devices are one by what they are called. */
static int compare_kinds(const struct oclmm_record *a, const struct oclmm_record *b)
{
	int order = oclmm_compare_strings(a->device, b->device);

	order = order ? order : oclmm_compare_strings(a->driver, b->driver);
	order = order ? order : oclmm_compare_strings(a->il, b->il);
	return order ? order : oclmm_compare_strings(a->platform, b->platform);
}

static int compare_devices(const struct place *a, const struct place *b)
{
	int order = compare_kinds(a->record, b->record);

	return order ? order : oclmm_compare_strings(a->device_id, b->device_id);
}

/* A file's variants stand together, its base variant first, because its name is the shortest. */
static int compare_tests(const struct oclmm_record *a, const struct oclmm_record *b)
{
	int order = oclmm_compare_strings(a->family, b->family);

	order = order ? order : oclmm_compare_strings(a->file, b->file);
	return order ? order : strcmp(a->program->name, b->program->name);
}

/* After the last place of the test that begins at `from`. */
static size_t end_of_test(const struct page *page, size_t from)
{
	size_t to = from + 1;

	while (to < page->place_count &&
	       compare_tests(page->places[from].record, page->places[to].record) == 0)
		to++;
	return to;
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

/* The run of a record, of several with its seed the last that began before it; or NULL. */
static const struct oclmm_run_header *run_of(const struct page *page,
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

const struct test *oclmm_page_find(const struct page *page, const char *name)
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

/* ---- columns ---- */

/*
 * The columns of the page. A device with its driver is one, unless several runs on it have tests in
 * common: those stand side by side. Runs without a test in common, such as shards, are parts of
 * one, and so are equal devices that shared a run.
 */

/* Runs of one device that are told apart; of more, all are one column. */
enum { MOST_RUNS = 64 };

struct device_run {
	uint64_t seed;
	const struct oclmm_run_header *header; /* NULL: none is there */
	const char *started;                   /* the first of its records, or NULL */
	uint64_t overlaps;                     /* set of runs that have a test in common with it */
	size_t column;
};

struct device {
	const struct place *place; /* one of its records' */
	struct device_run runs[MOST_RUNS];
	size_t run_count;
	bool one; /* too many runs to tell them apart */
};

struct devices {
	struct device **list;
	size_t count, capacity;
	size_t last; /* that was found */
};

static struct device *find_device(struct devices *devices, const struct place *place)
{
	if (devices->last < devices->count &&
	    compare_devices(devices->list[devices->last]->place, place) == 0)
		return devices->list[devices->last];
	for (size_t i = 0; i < devices->count; i++) {
		if (compare_devices(devices->list[i]->place, place) == 0) {
			devices->last = i;
			return devices->list[i];
		}
	}
	return NULL;
}

static struct device_run *find_run(struct device *device, const struct place *place)
{
	for (size_t i = 0; i < device->run_count; i++) {
		if (device->runs[i].seed == place->record->master_seed &&
		    device->runs[i].header == place->run)
			return &device->runs[i];
	}
	return NULL;
}

static void note_run(struct device *device, const struct place *place)
{
	const struct oclmm_record *record = place->record;
	struct device_run *run = find_run(device, place);

	if (!run && device->run_count == MOST_RUNS) {
		device->one = true;
		return;
	}
	if (!run) {
		run = &device->runs[device->run_count++];
		*run = (struct device_run){.seed = record->master_seed, .header = place->run};
	}
	if (record->started && (!run->started || strcmp(record->started, run->started) < 0))
		run->started = record->started;
}

static int compare_device_runs(const void *a, const void *b)
{
	const struct device_run *x = a, *y = b;
	int order = oclmm_compare_strings(x->started, y->started);

	return order ? order : oclmm_compare_numbers(x->seed, y->seed);
}

static int compare_list(const void *a, const void *b)
{
	const struct device *const *x = a, *const *y = b;
	int order = compare_kinds((*x)->place->record, (*y)->place->record);

	order = order ? order : oclmm_compare_strings((*x)->runs[0].started, (*y)->runs[0].started);
	return order ? order
	             : oclmm_compare_strings((*x)->place->device_id, (*y)->place->device_id);
}

static int gather_devices(struct page *page, struct devices *devices)
{
	for (size_t i = 0; i < page->place_count; i++) {
		const struct place *place = &page->places[i];
		struct device *device = find_device(devices, place);

		if (!device) {
			if (devices->count == OCLMM_PAGE_COLUMNS)
				return -E2BIG;
			oclmm_grow(&devices->list, &devices->capacity, devices->count,
			           sizeof(*devices->list));
			device = OCLMM_NEW(page->arena, struct device);
			device->place = place;
			devices->list[devices->count++] = device;
		}
		note_run(device, place);
	}
	for (size_t i = 0; i < devices->count; i++)
		qsort(devices->list[i]->runs, devices->list[i]->run_count,
		      sizeof(*devices->list[i]->runs), compare_device_runs);
	if (devices->count)
		qsort(devices->list, devices->count, sizeof(*devices->list), compare_list);
	return 0;
}

/* The runs of each device that have this test overlap. */
static void note_overlaps(struct page *page, struct devices *devices, size_t from, size_t to)
{
	for (size_t i = from, next; i < to; i = next) {
		struct device *device = find_device(devices, &page->places[i]);
		uint64_t here = 0;

		for (next = i;
		     next < to && compare_devices(device->place, &page->places[next]) == 0;
		     next++) {
			const struct device_run *run = find_run(device, &page->places[next]);

			here |= run ? UINT64_C(1) << (run - device->runs) : 0;
		}
		for (size_t k = 0; k < device->run_count; k++) {
			if (here >> k & 1)
				device->runs[k].overlaps |= here;
		}
	}
}

/* Each run goes to the first column of its device in which no run has a test in common with it. */
static int divide(struct page *page, struct device *device)
{
	uint64_t members[MOST_RUNS] = {0};
	size_t first = page->column_count, count = 0;

	for (size_t i = 0; i < device->run_count; i++) {
		struct device_run *run = &device->runs[i];
		size_t at = 0;

		while (!device->one && at < count && members[at] & run->overlaps)
			at++;
		if (at == count) {
			if (page->column_count == OCLMM_PAGE_COLUMNS)
				return -E2BIG;
			page->columns[page->column_count++] =
				(struct column){.record = device->place->record,
			                        .device_id = device->place->device_id,
			                        .started = run->started};
			count++;
		}
		members[at] |= UINT64_C(1) << i;
		run->column = first + at;
	}
	return 0;
}

/* ---- labels ---- */

/* So much of `2026-11-22T13:07:09Z` is the minute, and so much the second. */
enum { MINUTE = sizeof("2026-11-22T13:07") - 1, SECOND = sizeof("2026-11-22T13:07:09") - 1 };

static char *time_of(struct page *page, const char *started, size_t length)
{
	char *time = oclmm_arena_strndup(page->arena, started, length);

	if (strlen(time) > 10)
		time[10] = ' ';
	return time;
}

static bool same_time(const struct column *a, const struct column *b, size_t length)
{
	return !a->started || !b->started || strncmp(a->started, b->started, length) == 0;
}

/* What tells a column from those of the same name: the driver, which of equal devices it is, then
 * the time, then a number. */
struct needs {
	bool driver, id, time, second, number;
};

static void compare_times(const struct column *here, const struct column *other,
                          struct needs *needs)
{
	needs->time = true;
	needs->second |= same_time(here, other, MINUTE);
	needs->number |= same_time(here, other, SECOND);
}

static struct needs compare_columns(const struct page *page, size_t index)
{
	const struct column *here = &page->columns[index];
	struct needs needs = {0};

	for (size_t i = 0; i < page->column_count; i++) {
		const struct column *other = &page->columns[i];

		if (i == index ||
		    oclmm_compare_strings(here->record->device, other->record->device) != 0)
			continue;
		if (oclmm_compare_strings(here->record->il, other->record->il) != 0)
			continue;
		if (oclmm_compare_strings(here->record->driver, other->record->driver) != 0)
			needs.driver = true;
		else if (oclmm_compare_strings(here->device_id, other->device_id) != 0)
			needs.id = true;
		else
			compare_times(here, other, &needs);
	}
	return needs;
}

/* The end of a long one tells it from others as well. */
static void add_id(struct oclmm_text *text, const char *id)
{
	enum { WHOLE = 16, END = 8 };
	size_t length = strlen(id);

	if (length <= WHOLE)
		oclmm_text_printf(text, ", %s", id);
	else
		oclmm_text_printf(text, ", %.*s…%s", (int)strcspn(id, "-"), id, id + length - END);
}

static void label(struct page *page, size_t index)
{
	struct column *here = &page->columns[index];
	struct needs needs = compare_columns(page, index);
	struct oclmm_text text = {0};

	oclmm_text_add(&text, here->record->device ? here->record->device : "unnamed device");
	if (here->record->il)
		oclmm_text_printf(&text, ", SPIR-V by %s", here->record->il);
	if (needs.driver)
		oclmm_text_printf(&text, ", driver %s", page_string(here->record->driver));
	if (needs.id && here->device_id)
		add_id(&text, here->device_id);
	if (needs.time && here->started)
		oclmm_text_printf(&text, ", %s",
		                  time_of(page, here->started, needs.second ? SECOND : MINUTE));
	if (needs.number)
		oclmm_text_printf(&text, " (%zu)", index + 1);
	here->label = oclmm_text_keep(&text, page->arena);
}

/* ---- all of it ---- */

static void place_all(struct page *page, struct devices *devices)
{
	for (size_t i = 0; i < page->place_count; i++) {
		struct device *device = find_device(devices, &page->places[i]);
		const struct device_run *run = find_run(device, &page->places[i]);

		page->places[i].column = run ? run->column : device->runs[0].column;
	}
}

static int gather_columns(struct page *page)
{
	struct devices devices = {0};
	int r = gather_devices(page, &devices);

	for (size_t from = 0, to; r == 0 && from < page->place_count; from = to) {
		to = end_of_test(page, from);
		note_overlaps(page, &devices, from, to);
	}
	page->columns = OCLMM_NEW_ARRAY(page->arena, struct column, OCLMM_PAGE_COLUMNS);
	for (size_t i = 0; r == 0 && i < devices.count; i++)
		r = divide(page, devices.list[i]);
	if (r == 0)
		place_all(page, &devices);
	for (size_t i = 0; i < page->column_count; i++)
		label(page, i);
	free(devices.list);
	return r;
}

/* The outcomes of a test over all its records, each once. */

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

static int compare_first_rows(const void *a, const void *b)
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

static void gather_outcomes(struct page *page, struct test *test)
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
	qsort(worths, shown, sizeof(*worths), compare_first_rows);
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

/* Sorts records into tests and columns. */

/* The columns are 0 until they are known; then each cell's records stand side by side. */
static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	const struct oclmm_record *s = x->record, *t = y->record;
	int order = compare_tests(s, t);

	order = order ? order : oclmm_compare_numbers(x->column, y->column);
	order = order ? order : compare_devices(x, y);
	order = order ? order : oclmm_compare_strings(s->environment, t->environment);
	order = order ? order : oclmm_compare_numbers(s->first_launch, t->first_launch);
	return order ? order : oclmm_compare_numbers(s->master_seed, t->master_seed);
}

static void add_to_cell(struct cell *cell, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	if (!cell->record ||
	    oclmm_page_gravity(grade->verdict) < oclmm_page_gravity(cell->record->grade.verdict))
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
		if (i == from ||
		    oclmm_page_gravity(record->grade.verdict) < oclmm_page_gravity(test->verdict))
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
	test->id = identifier(page->arena, test->record->program->name);
	/* two files may call a test alike; the first keeps the name */
	if (oclmm_page_find(page, test->record->program->name) != test)
		test->id = oclmm_arena_printf(page->arena, "%s_%zu", test->id,
		                              (size_t)(test - page->tests) + 1);
	if (page->options->words)
		test->words = page->options->words(page->options->data, test->record);
	gather_outcomes(page, test);
	test->differs = columns_differ(page, test);
}

static int compare_names(const void *a, const void *b)
{
	const struct page_name *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : oclmm_compare_numbers(x->test, y->test);
}

static int gather_names(struct page *page)
{
	size_t count = 0;

	page->names = OCLMM_NEW_ARRAY(page->arena, struct page_name, page->place_count + 1);
	for (size_t from = 0; from < page->place_count; from = end_of_test(page, from)) {
		page->names[count] = (struct page_name){page->places[from].record->program->name,
		                                        count};
		count++;
	}
	qsort(page->names, count, sizeof(*page->names), compare_names);
	page->test_count = count;
	return page->column_count && count > OCLMM_PAGE_CELLS / page->column_count ? -E2BIG : 0;
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
	const struct oclmm_run_header *header = run_of(page, record);
	bool shared = header && header->devices > 1;

	return (struct place){
		.record = record,
		.run = header,
		.device_id = shared ? NULL : record->device_id,
	};
}

int oclmm_page_gather(struct page *page, const struct oclmm_record *const *records, size_t count)
{
	size_t test = 0;
	int r;

	page->places = OCLMM_NEW_ARRAY(page->arena, struct place, count + 1);
	page->place_count = count;
	sort_headers(page);
	for (size_t i = 0; i < count; i++)
		page->places[i] = place_of(page, records[i]);
	qsort(page->places, count, sizeof(*page->places), compare_places);
	r = gather_columns(page);
	qsort(page->places, count, sizeof(*page->places), compare_places);
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
