// SPDX-License-Identifier: Apache-2.0
/* Results as one page: sorted into tests and columns, as data for the script, as markup. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/base_xml.h"
#include "oclmm/page.h"

/* A column of the page: a device with its driver, or one of several runs on it. */
struct column {
	const struct oclmm_record *record; /* one of its records, for the names */
	const char *device_id;             /* as its places have it */
	char *label;         /* the device's name, and what tells it from the others */
	const char *started; /* the first of its records, or NULL */
	uint64_t classes[OCLMM_CLASS_COUNT];
	uint64_t verdicts[OCLMM_VERDICT_COUNT];
	uint64_t instances;
	double seconds;
};

/* A record and the column that it goes to. */
struct place {
	const struct oclmm_record *record;
	const struct oclmm_run_header *run; /* of several with its seed the last that began before
	                                       it; or NULL */
	const char *device_id; /* its own; NULL also where equal devices shared its run */
	size_t column;
};

/* All records of one test in one column. */
struct cell {
	const struct place *places;
	size_t count;                      /* 0: was not run there */
	const struct oclmm_record *record; /* the gravest, which gives the cell's verdict */
	uint64_t instances, weak, forbidden, disputed;
	double seconds;
};

/* One outcome of a test, with what each column counted. */
struct outcome {
	const struct oclmm_graded_row *row; /* the gravest record's: values, status, deciding */
	uint64_t *counts;                   /* one per column */
	uint64_t total;
};

/* One variant. */
struct test {
	const struct oclmm_record *record; /* one that has the program, where there is one */
	struct oclmm_page_words words;
	struct cell *cells;       /* one per column */
	struct outcome *outcomes; /* ascending */
	size_t outcome_count;
	enum oclmm_verdict verdict; /* the gravest of all cells */
	bool bound;                 /* the program is known, so that it can be printed */
	bool differs; /* some columns showed a telling outcome, or failed, and others did not */
	char *id;     /* of its row, safe in an address */
};

/* The index of a test by its name; of several with one name the first comes first. */
struct page_name {
	const char *name;
	size_t test;
};

/* All that the page tells, in the order in which it tells it. */
struct page {
	struct oclmm_arena *arena;
	const struct oclmm_page_options *options;
	const struct oclmm_saved_run *runs;
	size_t run_count;
	const struct oclmm_run_header **headers; /* of the runs, sorted */
	struct place *places;                    /* the records, sorted by test, then by column */
	size_t place_count;
	struct column *columns;
	size_t column_count;
	struct test *tests;
	size_t test_count;
	struct page_name *names; /* of the tests, sorted */
	struct pool *strings;    /* of the data */
	struct pool *pieces;     /* of pictures */
	struct pool *shapes;     /* pictures without their words, as lists of pieces */
	size_t graphs;           /* drawn so far */
	struct oclmm_xml *markup;
};

/* How outcomes are told apart. X(enumerator, word, sign, what it means) */
#define PAGE_KINDS(X)                                                                              \
	X(ALLOWED, "allowed", "", "by the specification")                                          \
	X(WEAK, "weak", "◆", "allowed, and the asked one")                                         \
	X(FORBIDDEN, "forbidden", "✖", "forbidden by every reading of the specification: a bug")   \
	X(DISPUTED, "disputed", "?", "readings of the specification differ on it")                 \
	X(UNJUDGED, "unjudged", "≈", "not judged, because the test has a data race")
enum page_kind {
#define OCLMM_X(name, ...) PAGE_##name,
	PAGE_KINDS(OCLMM_X)
#undef OCLMM_X
		PAGE_KIND_COUNT
};

static inline const char *page_string(const char *string)
{
	return string ? string : "";
}

/* `v v-pass` */
static inline char *page_verdict_class(struct oclmm_arena *arena, enum oclmm_verdict verdict)
{
	return oclmm_arena_printf(arena, "v v-%s",
	                          oclmm_verdict_is_infrastructure(verdict)
	                                  ? "failed"
	                                  : oclmm_verdict_word(verdict));
}

/* page.css and the scripts, with the hash by which the page names these: made by embed.py */
extern const char oclmm_page_style[], oclmm_page_script[], oclmm_page_script_hash[];

/* ---- strings, each once ---------------------------------------------------- */

struct string {
	const char *bytes;
	size_t length;
};

struct pool {
	struct oclmm_arena *arena;
	struct string *strings; /* by number */
	size_t capacity;
	struct oclmm_index index;
};

static bool has_string(const void *things, size_t number, const void *key)
{
	const struct string *a = &((const struct pool *)things)->strings[number], *b = key;

	return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/* The number of a string, which is copied when it is new. Numbers go up from 0. */
static size_t pool_add(struct pool *pool, const char *bytes, size_t length)
{
	const struct string string = {bytes, length};
	uint64_t hash = oclmm_hash(bytes, length);
	size_t number = oclmm_index_find(&pool->index, hash, has_string, pool, &string);

	if (number != SIZE_MAX)
		return number;
	number = oclmm_index_add(&pool->index, hash);
	oclmm_grow(&pool->strings, &pool->capacity, number, sizeof(*pool->strings));
	pool->strings[number] = (struct string){oclmm_arena_strndup(pool->arena, bytes, length),
	                                        length};
	return number;
}

/* A pool holds the empty string, as number 0. */
static struct pool *pool_create(void)
{
	struct pool *pool = oclmm_calloc(1, sizeof(*pool));

	pool->arena = oclmm_arena_create();
	pool_add(pool, "", 0);
	return pool;
}

static void pool_destroy(struct pool *pool)
{
	oclmm_index_finish(&pool->index);
	oclmm_arena_destroy(pool->arena);
	free(pool->strings);
	free(pool);
}

static size_t pool_count(const struct pool *pool)
{
	return pool->index.count;
}

static const char *pool_at(const struct pool *pool, size_t index)
{
	return pool->strings[index].bytes;
}

/* ---- records sorted into tests and columns --------------------------------- */

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
static const char *sign_of(enum oclmm_verdict verdict)
{
	return looks[verdict].sign;
}

static unsigned gravity_of(enum oclmm_verdict verdict)
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

static OCLMM_LOOK_UP(const char *, kind_word, page_kind, PAGE_KINDS, FIRST);
static OCLMM_LOOK_UP(const char *, kind_sign, page_kind, PAGE_KINDS, SECOND);
static OCLMM_LOOK_UP(const char *, kind_meaning, page_kind, PAGE_KINDS, THIRD);

/* ---- who stands where ---- */

static int compare_devices(const struct place *a, const struct place *b)
{
	int order = oclmm_identity_compare(&a->record->identity, &b->record->identity);

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

	order = order ? order : oclmm_compare_strings(run->identity.device, device);
	order = order ? order : oclmm_compare_strings(run->identity.driver, driver);
	order = order ? order : oclmm_compare_strings(run->identity.il, il);
	return order || !started ? order : oclmm_compare_strings(run->started, started);
}

/* How many of the runs do not stand behind a place in their order. */
static size_t count_runs(const struct page *page, const struct oclmm_record *record,
                         const char *started)
{
	size_t low = 0, high = page->run_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_runs(page->headers[middle], record->master_seed,
		                 record->identity.device, record->identity.driver,
		                 record->identity.il, started) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_run_of(const struct oclmm_run_header *run, const struct oclmm_record *record)
{
	return compare_runs(run, record->master_seed, record->identity.device,
	                    record->identity.driver, record->identity.il, NULL) == 0;
}

/* The run of a record, of several with its seed the last that began before it; or NULL. */
static const struct oclmm_run_header *run_of(const struct page *page,
                                             const struct oclmm_record *record)
{
	size_t end = count_runs(page, record, page_string(record->started));

	if (end > 0 && is_run_of(page->headers[end - 1], record))
		return page->headers[end - 1];
	/* its clock was set back, or the time is not known */
	if (end < page->run_count && is_run_of(page->headers[end], record))
		return page->headers[end];
	return NULL;
}

static const struct test *find_test(const struct page *page, const char *name)
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
	int order = oclmm_identity_compare(&(*x)->place->record->identity,
	                                   &(*y)->place->record->identity);

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

		if (i == index || oclmm_compare_strings(here->record->identity.device,
		                                        other->record->identity.device) != 0)
			continue;
		if (oclmm_compare_strings(here->record->identity.il, other->record->identity.il) !=
		    0)
			continue;
		if (oclmm_compare_strings(here->record->identity.driver,
		                          other->record->identity.driver) != 0)
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

	oclmm_text_add(&text, here->record->identity.device ? here->record->identity.device
	                                                    : "unnamed device");
	if (here->record->identity.il)
		oclmm_text_printf(&text, ", SPIR-V by %s", here->record->identity.il);
	if (needs.driver)
		oclmm_text_printf(&text, ", driver %s", page_string(here->record->identity.driver));
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

static size_t end_of_outcome(const struct seen *seen, size_t from, size_t count)
{
	size_t to = from + 1;

	while (to < count && compare_values(&seen[from], &seen[to]) == 0)
		to++;
	return to;
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

static void gather_outcomes(struct page *page, struct test *test)
{
	size_t rows = list_rows(page, test, NULL);
	struct seen *seen = oclmm_calloc(rows + 1, sizeof(*seen));

	list_rows(page, test, seen);
	qsort(seen, rows, sizeof(*seen), compare_seen);
	test->outcomes = OCLMM_NEW_ARRAY(page->arena, struct outcome, rows + 1);
	for (size_t from = 0, to; from < rows; from = to) {
		to = end_of_outcome(seen, from, rows);
		add_outcome(page, test, seen, from, to);
	}
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

	if (!cell->record || gravity_of(grade->verdict) < gravity_of(cell->record->grade.verdict))
		cell->record = record;
	cell->count++;
	cell->instances += grade->instances;
	cell->weak += grade->weak;
	cell->forbidden += grade->forbidden;
	cell->disputed += grade->disputed;
	cell->seconds += record->counts.seconds;
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
		if (i == from || gravity_of(record->grade.verdict) < gravity_of(test->verdict))
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
	if (find_test(page, test->record->program->name) != test)
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

	return compare_runs(*x, y->seed, y->identity.device, y->identity.driver, y->identity.il,
	                    page_string(y->started));
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
		.device_id = shared ? NULL : record->identity.device_id,
	};
}

static int gather(struct page *page, const struct oclmm_record *const *records, size_t count)
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

/* ---- all of it for the script ---------------------------------------------- */

/*
 * What the script shows stands in two elements. The first holds the lines of a results file, as the
 * report writes them: what was run, counted and judged is drawn from these, by the names of their
 * keys. The second holds what no results file has, as JSON: the tests themselves, their pictures,
 * the commands that repeat them, and which records make a cell. Each string stands there once, in
 * `strings`, and is named by its number; 0 is "nothing".
 */

/* The number of a string; 0: nothing, as of NULL. */
static size_t string_number(struct page *page, const char *string)
{
	return string ? pool_add(page->strings, string, strlen(string)) : 0;
}

/* The number of what stands in `text`, which is emptied. */
static size_t take_string(struct page *page, struct oclmm_text *text)
{
	size_t number = pool_add(page->strings, oclmm_text_string(text), text->length);

	oclmm_text_finish(text);
	return number;
}

/*
 * The execution that led to the asked outcome of a test, as a picture. Pictures of variants
 * differ in a few words, so each is cut into pieces: its tags are its shape, which stands once for
 * all tests that have it, and the words between the tags are the test's own.
 */

/* ---- which outcome ---- */

static unsigned interest(const struct outcome *outcome)
{
	bool seen = outcome->total > 0;

	if (outcome->row->status == OCLMM_STATUS_FORBIDDEN && seen)
		return 5;
	if (outcome->row->status == OCLMM_STATUS_DISPUTED && seen)
		return 4;
	if (outcome->row->status == OCLMM_STATUS_ALLOWED && outcome->row->witness)
		return seen ? 3 : 2;
	return outcome->row->status == OCLMM_STATUS_ALLOWED ? 1 : 0;
}

static const struct outcome *choose(const struct test *test, enum oclmm_page_graphs graphs)
{
	unsigned least = graphs == OCLMM_PAGE_GRAPHS_ALL ? 1 : 3, best = 0;
	const struct outcome *chosen = NULL;

	for (size_t i = 0; i < test->outcome_count; i++) {
		unsigned worth = interest(&test->outcomes[i]);

		if (worth > best && worth >= least) {
			best = worth;
			chosen = &test->outcomes[i];
		}
	}
	return chosen;
}

/* ---- shape and words ---- */

static void add_piece(struct page *page, struct oclmm_text *shape, const char *bytes, size_t length)
{
	oclmm_text_printf(shape, "%s%zu", shape->length ? "," : "",
	                  pool_add(page->pieces, bytes, length));
}

/* Where a part of a tag ends, so that the next is the same for many: how it parts, or its height.
 */
static size_t end_of_place(const char *tag, size_t from, size_t length)
{
	static const char *const parts[] = {" y=\"", " class=\"", " fill=\"", " color=\""};
	size_t end = length;

	for (size_t i = 0; i < OCLMM_COUNT(parts); i++) {
		const char *at = memmem(tag + from + 1, length - from - 1, parts[i],
		                        strlen(parts[i]));

		if (at && (size_t)(at - tag) < end)
			end = (size_t)(at - tag);
	}
	return end;
}

static void add_tag(struct page *page, struct oclmm_text *shape, const char *tag, size_t length)
{
	for (size_t from = 0, to; from < length; from = to) {
		to = end_of_place(tag, from, length);
		add_piece(page, shape, tag + from, to - from);
	}
}

/* Ends of lines between tags belong to the tag before. */
static const char *end_of_tag(const char *tag)
{
	const char *end = strchr(tag, '>');

	if (!end)
		return tag + strlen(tag);
	end++;
	return end + strspn(end, "\n");
}

/* In a shape -1 stands where a word of the test is. */
static void cut(struct page *page, const char *svg, struct oclmm_text *shape,
                struct oclmm_text *words)
{
	while (*svg) {
		const char *end = *svg == '<' ? end_of_tag(svg) : svg + strcspn(svg, "<");

		if (*svg == '<') {
			add_tag(page, shape, svg, (size_t)(end - svg));
		} else {
			oclmm_text_printf(shape, "%s-1", shape->length ? "," : "");
			oclmm_text_printf(words, ",%zu",
			                  pool_add(page->pieces, svg, (size_t)(end - svg)));
		}
		svg = end;
	}
}

static void add_picture(struct page *page, struct oclmm_json *json, const struct test *test)
{
	const struct oclmm_page_options *options = page->options;
	const struct outcome *outcome = choose(test, options->graphs);
	struct oclmm_text shape = {0}, words = {0}, name = {0};
	char *svg = NULL;

	if (test->bound && outcome && options->graph && options->graphs != OCLMM_PAGE_GRAPHS_NONE)
		svg = options->graph(options->data, test->record, outcome->row->values);
	if (!svg) {
		oclmm_json_string(json, "picture", NULL);
		return;
	}
	cut(page, svg, &shape, &words);
	oclmm_outcome_print(&name, test->record->program, outcome->row->values);
	oclmm_json_open(json, "picture", '{');
	oclmm_json_count(json, "shape",
	                 pool_add(page->shapes, oclmm_text_string(&shape), shape.length));
	oclmm_json_bool(json, "forbidden", outcome->row->status == OCLMM_STATUS_FORBIDDEN);
	oclmm_json_count(json, "name", take_string(page, &name));
	oclmm_json_open(json, "words", '[');
	if (words.length)
		oclmm_json_value(json, NULL, oclmm_text_string(&words) + 1);
	oclmm_json_close(json, ']');
	oclmm_json_close(json, '}');
	oclmm_text_finish(&shape);
	oclmm_text_finish(&words);
	free(svg);
	page->graphs++;
}

/*
 * The stimulus of the first record again, and of what it continued; what comes of it is the
 * device's. The script adds the test. Two devices that ran
 * together are known by their numbers alone, which another day may be others.
 */
static void add_command(struct page *page, struct oclmm_json *json, const struct place *place)
{
	const struct oclmm_record *record = place->record;
	const struct oclmm_run_header *run = place->run;
	struct oclmm_text words = {0};
	size_t begin, environment = 0;

	if (run && run->partner)
		return;
	oclmm_report_command(&words, run, record);
	begin = take_string(page, &words);
	if (record->environment) {
		oclmm_text_add_quoted(&words, record->environment);
		environment = take_string(page, &words);
	}
	oclmm_text_printf(&words, "--seed %" PRIu64, record->master_seed);
	oclmm_report_halvings(&words, &record->counts.halved_at);
	oclmm_report_turns(&words, &record->counts.turns);
	oclmm_text_printf(&words, " --instances %" PRIu64,
	                  record->counts.instances ? record->earlier + record->counts.instances
	                                           : 1);
	oclmm_json_open(json, "command", '{');
	oclmm_json_count(json, "begin", begin);
	oclmm_json_count(json, "environment", environment);
	oclmm_json_count(json, "end", take_string(page, &words));
	oclmm_json_close(json, '}');
}

static void add_record(const struct page *page, struct oclmm_json *json, const struct place *place)
{
	oclmm_json_count(json, NULL, (size_t)(place - page->places));
}

/* A test in one column; null where it was not run. Its records are named by their numbers in the
 * results, the gravest first; each kind of control is named by the one that says most. */
static void add_cell(struct page *page, struct oclmm_json *json, const struct cell *cell)
{
	const struct oclmm_control *control;

	if (!cell->count) {
		oclmm_json_string(json, NULL, NULL);
		return;
	}
	control = &cell->record->grade.control;
	oclmm_json_open(json, NULL, '{');
	oclmm_json_open(json, "records", '[');
	for (size_t i = 0; i < cell->count; i++) {
		if (cell->places[i].record == cell->record)
			add_record(page, json, &cell->places[i]);
	}
	for (size_t i = 0; i < cell->count; i++) {
		if (cell->places[i].record != cell->record)
			add_record(page, json, &cell->places[i]);
	}
	oclmm_json_close(json, ']');
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++) {
		if (control->kinds[i].name)
			oclmm_json_count(json,
			                 oclmm_control_kind_speaks_for((enum oclmm_control_kind)i),
			                 string_number(page, control->kinds[i].name));
	}
	if (cell->instances || oclmm_verdict_is_infrastructure(cell->record->grade.verdict))
		add_command(page, json, &cell->places[0]);
	oclmm_json_close(json, '}');
}

/* ---- one test ---- */

static void add_names(struct page *page, struct oclmm_json *json, const struct test *test)
{
	const struct oclmm_program *program = test->record->program;
	struct oclmm_text words = {0};

	oclmm_json_count(json, "name", string_number(page, program->name));
	/* most names are plain, and their identifiers as the script would make them */
	if (strcmp(test->id + 2, program->name) != 0)
		oclmm_json_count(json, "id", string_number(page, test->id));
	oclmm_json_count(json, "family", string_number(page, test->record->family));
	oclmm_json_count(json, "question", string_number(page, test->words.question));
	if (test->words.base)
		oclmm_json_count(json, "base", string_number(page, test->words.base));
	else
		oclmm_json_count(json, "comment", string_number(page, test->words.comment));
	oclmm_record_argument(&words, test->record);
	oclmm_json_count(json, "word", take_string(page, &words));
	for (uint32_t i = 0; i < program->observable_count; i++)
		oclmm_text_printf(&words, "%s%s", i ? " " : "", program->observables[i].name);
	oclmm_json_count(json, "observes", take_string(page, &words));
}

static void add_specification(struct page *page, struct oclmm_json *json, const struct test *test)
{
	const struct oclmm_record *record = test->record;
	struct oclmm_text condition = {0};

	if (!test->bound || !record->expected)
		return;
	oclmm_final_print(&condition, record->program);
	oclmm_json_open(json, "specification", '{');
	oclmm_json_count(json, "model", string_number(page, record->model));
	oclmm_json_count(json, "condition", take_string(page, &condition));
	oclmm_json_count(json, "observation",
	                 string_number(page,
	                               oclmm_observation_word(record->expected->observation)));
	if (record->expected->undefined)
		oclmm_json_count(json, "why", string_number(page, record->expected->undefined_why));
	oclmm_json_close(json, '}');
}

/* Variants of a file share most of their lines. */
static void add_lines(struct page *page, struct oclmm_json *json, const struct test *test)
{
	struct oclmm_text program = {0};
	const char *at, *end;

	if (test->bound)
		oclmm_program_print(&program, test->record->program);
	for (at = oclmm_text_string(&program); *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, "\n");
		oclmm_json_count(json, NULL, pool_add(page->strings, at, (size_t)(end - at)));
	}
	oclmm_text_finish(&program);
}

static void add_test(struct page *page, struct oclmm_json *json, const struct test *test)
{
	oclmm_json_open(json, NULL, '{');
	add_names(page, json, test);
	add_specification(page, json, test);
	oclmm_json_open(json, "lines", '[');
	add_lines(page, json, test);
	oclmm_json_close(json, ']');
	add_picture(page, json, test);
	oclmm_json_bool(json, "differs", test->differs);
	oclmm_json_open(json, "cells", '[');
	for (size_t i = 0; i < page->column_count; i++)
		add_cell(page, json, &test->cells[i]);
	oclmm_json_close(json, ']');
	oclmm_json_close(json, '}');
}

/* ---- words ---- */

static void add_verdicts(struct page *page, struct oclmm_json *json)
{
	oclmm_json_open(json, "verdicts", '{');
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		enum oclmm_verdict verdict = (enum oclmm_verdict)i;

		oclmm_json_open(json, oclmm_verdict_word(verdict), '{');
		oclmm_json_string(json, "word", oclmm_verdict_word(verdict));
		oclmm_json_string(json, "sign", sign_of(verdict));
		oclmm_json_string(json, "look", page_verdict_class(page->arena, verdict));
		oclmm_json_count(json, "gravity", gravity_of(verdict));
		oclmm_json_bool(json, "failed",
		                verdict == OCLMM_VERDICT_FORBIDDEN ||
		                        oclmm_verdict_is_infrastructure(verdict));
		oclmm_json_string(json, "meaning", oclmm_verdict_meaning(verdict));
		oclmm_json_close(json, '}');
	}
	oclmm_json_close(json, '}');
}

static void add_words(struct page *page, struct oclmm_json *json)
{
	oclmm_json_open(json, "kinds", '{');
	for (int i = 0; i < PAGE_KIND_COUNT; i++) {
		enum page_kind kind = (enum page_kind)i;

		oclmm_json_open(json, kind_word(kind), '{');
		oclmm_json_string(json, "word", kind_word(kind));
		oclmm_json_string(json, "sign", kind_sign(kind));
		oclmm_json_string(json, "meaning", kind_meaning(kind));
		oclmm_json_close(json, '}');
	}
	oclmm_json_close(json, '}');
	oclmm_json_open(json, "confidences", '{');
	for (int i = 0; i < OCLMM_CONFIDENCE_COUNT; i++)
		oclmm_json_string(json, oclmm_confidence_word((enum oclmm_confidence)i),
		                  oclmm_confidence_meaning((enum oclmm_confidence)i));
	oclmm_json_close(json, '}');
	oclmm_json_open(json, "controls", '[');
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++)
		oclmm_json_string(json, NULL,
		                  oclmm_control_kind_speaks_for((enum oclmm_control_kind)i));
	oclmm_json_close(json, ']');
	oclmm_json_open(json, "knobs", '{');
	for (int i = 0; i < OCLMM_KNOB_COUNT; i++)
		oclmm_json_string(json, oclmm_knob_name((enum oclmm_knob)i),
		                  oclmm_knob_question((enum oclmm_knob)i));
	oclmm_json_close(json, '}');
	oclmm_json_real(json, "demand", page->options->demand.confidence);
}

static void add_pool(struct oclmm_json *json, const char *name, const struct pool *pool)
{
	oclmm_json_open(json, name, '[');
	for (size_t i = 0; i < pool_count(pool); i++) {
		oclmm_json_string(json, NULL, pool_at(pool, i));
		oclmm_text_add(json->text, "\n");
	}
	oclmm_json_close(json, ']');
}

/* They are lists of numbers already; the first is empty. */
static void add_shapes(struct oclmm_json *json, const struct pool *shapes)
{
	oclmm_json_open(json, "shapes", '[');
	for (size_t i = 0; i < pool_count(shapes); i++) {
		oclmm_json_open(json, NULL, '[');
		if (i)
			oclmm_json_value(json, NULL, pool_at(shapes, i));
		oclmm_json_close(json, ']');
		oclmm_text_add(json->text, "\n");
	}
	oclmm_json_close(json, ']');
}

/* Tests add strings to the pools as they are written, and stand behind them. */
static void write_data(struct page *page, struct oclmm_text *text)
{
	struct oclmm_text written = {0};
	struct oclmm_json json = {.text = text}, tests = {.text = &written};

	page->strings = pool_create();
	page->pieces = pool_create();
	page->shapes = pool_create();
	for (size_t i = 0; i < page->test_count; i++) {
		if (page->options->progress)
			page->options->progress(page->options->data, i, page->test_count);
		add_test(page, &tests, &page->tests[i]);
		oclmm_text_add(&written, "\n");
	}
	oclmm_json_open(&json, NULL, '{');
	add_verdicts(page, &json);
	add_words(page, &json);
	oclmm_json_open(&json, "columns", '[');
	for (size_t i = 0; i < page->column_count; i++)
		oclmm_json_string(&json, NULL, page->columns[i].label);
	oclmm_json_close(&json, ']');
	add_pool(&json, "strings", page->strings);
	add_pool(&json, "pieces", page->pieces);
	add_shapes(&json, page->shapes);
	oclmm_json_open(&json, "tests", '[');
	oclmm_text_add_bytes(text, oclmm_text_string(&written), written.length);
	oclmm_json_close(&json, ']');
	oclmm_json_close(&json, '}');
	oclmm_text_add(text, "\n");
	oclmm_text_finish(&written);
	pool_destroy(page->strings);
	pool_destroy(page->pieces);
	pool_destroy(page->shapes);
}

/* ---- the lines of a results file ---- */

/*
 * Results repeat themselves: environments, names, keys. What stood before is not written again:
 * between two backquotes stand, to base 36, how far back it begins and how long it is. Two
 * backquotes without anything between them are one. All is ASCII; the size comes first, likewise.
 * Records of a test stand side by side, so that little is lost by not looking far back, and the
 * lines of many records are never in memory together.
 */
enum {
	PACK_LEAST = 16,       /* what a reference takes at most is shorter */
	PACK_BITS = 18,        /* of the table of places by their first bytes */
	PACK_WINDOW = 1 << 21, /* how far back is looked */
};

struct packer {
	struct oclmm_text packed;
	struct oclmm_text plain; /* what is not packed yet, and what stood before it */
	size_t begin;            /* of `plain` in all that was added */
	size_t at;               /* in `plain`: packed up to there */
	size_t *last;            /* places in all that was added, from 1; by their first bytes */
};

static void add_number_36(struct oclmm_text *text, size_t number)
{
	char digits[16];
	size_t at = sizeof(digits);

	do {
		digits[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
		number /= 36;
	} while (number);
	oclmm_text_add_bytes(text, digits + at, sizeof(digits) - at);
}

static void add_literal(struct oclmm_text *text, const char *from, const char *to)
{
	const char *quote;

	while ((quote = memchr(from, '`', (size_t)(to - from)))) {
		oclmm_text_add_bytes(text, from, (size_t)(quote + 1 - from));
		oclmm_text_add(text, "`");
		from = quote + 1;
	}
	oclmm_text_add_bytes(text, from, (size_t)(to - from));
}

/* Packs what was added, but for a rest that is too short to be looked up. */
static void pack(struct packer *packer)
{
	const char *plain = packer->plain.data;
	size_t length = packer->plain.length, at = packer->at, written = at;

	while (at + PACK_LEAST <= length) {
		size_t *place = &packer->last[oclmm_hash(plain + at, PACK_LEAST) >>
		                              (64 - PACK_BITS)],
		       from = *place > packer->begin ? *place - packer->begin : 0, same = 0;

		*place = packer->begin + at + 1;
		while (from && at + same < length && from - 1 + same < at &&
		       plain[from - 1 + same] == plain[at + same])
			same++;
		if (same < PACK_LEAST) {
			at++;
			continue;
		}
		add_literal(&packer->packed, plain + written, plain + at);
		oclmm_text_add(&packer->packed, "`");
		add_number_36(&packer->packed, at - (from - 1));
		oclmm_text_add(&packer->packed, ",");
		add_number_36(&packer->packed, same);
		oclmm_text_add(&packer->packed, "`");
		written = at += same;
	}
	add_literal(&packer->packed, plain + written, plain + at);
	packer->at = at;
}

static void pack_more(struct packer *packer)
{
	size_t dropped;

	if (packer->plain.length < (size_t)2 * PACK_WINDOW)
		return;
	pack(packer);
	dropped = packer->at - PACK_WINDOW;
	packer->plain.length -= dropped;
	memmove(packer->plain.data, packer->plain.data + dropped, packer->plain.length);
	packer->begin += dropped;
	packer->at = PACK_WINDOW;
}

/* Adds all of it to the text. */
static void pack_end(struct packer *packer, struct oclmm_text *text)
{
	pack(packer);
	add_literal(&packer->packed, packer->plain.data + packer->at,
	            packer->plain.data + packer->plain.length);
	add_number_36(text, packer->begin + packer->plain.length);
	oclmm_text_add(text, "\n");
	oclmm_text_add_bytes(text, packer->packed.data, packer->packed.length);
	oclmm_text_finish(&packer->packed);
	oclmm_text_finish(&packer->plain);
	free(packer->last);
}

/* A character of more than one byte, as \u says it, or two of them; the text is UTF-8. \return its
 * bytes */
static size_t add_escaped(struct oclmm_text *text, const char *bytes)
{
	unsigned first = (unsigned char)bytes[0], character;
	size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

	character = length == 1 ? first : first & (0x7fu >> length);
	for (size_t i = 1; i < length; i++)
		character = character << 6 | ((unsigned char)bytes[i] & 0x3fu);
	if (character >= 0x10000) {
		oclmm_text_printf(text, "\\u%04x", 0xd7c0 + (character >> 10));
		character = 0xdc00 + (character & 0x3ff);
	}
	oclmm_text_printf(text, "\\u%04x", character);
	return length;
}

/* Only strings have characters that are no ASCII, or that readers of HTML and XML take for markup:
 * there they can be escaped. */
static bool is_escaped(char c)
{
	return (unsigned char)c >= 0x80 || c == '<' || c == '>' || c == '&';
}

static int add_results(void *data, const char *bytes, size_t length)
{
	struct packer *packer = data;

	for (size_t from = 0, at = 0; at <= length;) {
		if (at < length && !is_escaped(bytes[at])) {
			at++;
			continue;
		}
		oclmm_text_add_bytes(&packer->plain, bytes + from, at - from);
		from = at += at < length ? add_escaped(&packer->plain, bytes + at) : 1;
	}
	pack_more(packer);
	return 0;
}

/* Of all runs, in a chain. */
static const struct oclmm_run_header *chain_headers(const struct page *page)
{
	struct oclmm_run_header *headers = OCLMM_NEW_ARRAY(page->arena, struct oclmm_run_header,
	                                                   page->run_count + 1);

	for (size_t i = 0; i < page->run_count; i++) {
		headers[i] = page->runs[i].header;
		headers[i].next = i + 1 < page->run_count ? &headers[i + 1] : NULL;
	}
	return page->run_count ? headers : NULL;
}

/* The records in the order of their places, each with its confidence behind it. */
static void write_results(struct page *page, struct oclmm_text *text)
{
	struct packer packer = {
		.last = oclmm_calloc((size_t)1 << PACK_BITS, sizeof(*packer.last)),
	};
	const struct oclmm_sink sink = {.write = add_results, .data = &packer};
	struct oclmm_report report;
	struct oclmm_tally tally = {0};

	oclmm_report_begin(&report, &oclmm_report_json, sink, chain_headers(page));
	for (size_t i = 0; i < page->place_count; i++) {
		oclmm_report_record(&report, page->places[i].record);
		oclmm_report_judged(&report, &page->places[i].record, 1);
		oclmm_tally_add(&tally, page->places[i].record);
	}
	oclmm_report_end(&report, &tally, oclmm_tally_exit(&tally, false));
	pack_end(&packer, text);
}

/* ---- markup ---------------------------------------------------------------- */

/*
 * HTML that is XML as well. Whatever comes from outside goes through here and is escaped; bytes
 * that XML does not have are replaced.
 */
static void add_attributes(struct oclmm_xml *markup, va_list arguments)
{
	const char *name;

	while ((name = va_arg(arguments, const char *))) {
		const char *value = va_arg(arguments, const char *);

		if (value)
			oclmm_xml_attribute(markup, name, value);
	}
}

/* Attributes are pairs of name and value, behind them NULL; those whose value is NULL are left
 * out. */
static void __attribute__((sentinel)) markup_open(struct oclmm_xml *markup, const char *name, ...)
{
	va_list arguments;

	oclmm_xml_open(markup, name);
	va_start(arguments, name);
	add_attributes(markup, arguments);
	va_end(arguments);
}

/* An element without content, such as `br`. */
static void __attribute__((sentinel)) markup_void(struct oclmm_xml *markup, const char *name, ...)
{
	va_list arguments;

	oclmm_xml_open(markup, name);
	va_start(arguments, name);
	add_attributes(markup, arguments);
	va_end(arguments);
	oclmm_xml_close(markup);
}

/* An element that holds text only; NULL: nothing. */
static void __attribute__((sentinel))
markup_element(struct oclmm_xml *markup, const char *name, const char *content, ...)
{
	va_list arguments;

	oclmm_xml_open(markup, name);
	va_start(arguments, content);
	add_attributes(markup, arguments);
	va_end(arguments);
	if (content)
		oclmm_xml_string(markup, content);
	oclmm_xml_close_with_tag(markup);
}

static void OCLMM_PRINTF(2, 3) markup_printf(struct oclmm_xml *markup, const char *format, ...)
{
	va_list arguments, again;
	char *string;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	string = oclmm_malloc((size_t)length + 1);
	vsnprintf(string, (size_t)length + 1, format, arguments);
	va_end(arguments);
	oclmm_xml_string(markup, string);
	free(string);
}

/* Where the tests ran, and how they went, by verdict. */

/* ---- words with their marks ---- */

/* Each gravity has one verdict. */
static enum oclmm_verdict verdict_of_gravity(unsigned gravity)
{
	int verdict = 0;

	while (gravity_of((enum oclmm_verdict)verdict) != gravity)
		verdict++;
	return (enum oclmm_verdict)verdict;
}

/* The tests of all columns that have this verdict. */
static uint64_t count_verdict(const struct page *page, enum oclmm_verdict verdict)
{
	uint64_t count = 0;

	for (size_t i = 0; i < page->column_count; i++)
		count += page->columns[i].verdicts[verdict];
	return count;
}

/* `pass` in a coloured box with its sign. */
static void print_verdict(const struct page *page, enum oclmm_verdict verdict)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "span", "class", page_verdict_class(page->arena, verdict), "title",
	            oclmm_verdict_meaning(verdict), NULL);
	markup_element(markup, "span", sign_of(verdict), "aria-hidden", "true", NULL);
	markup_printf(markup, " %s", oclmm_verdict_word(verdict));
	oclmm_xml_close_with_tag(markup);
}

/* A link to a test where the page has it, else its name. */
static void print_link(const struct page *page, const char *name)
{
	const struct test *test = find_test(page, name);
	char *address;

	if (!test) {
		markup_element(page->markup, "code", name, NULL);
		return;
	}
	address = oclmm_arena_printf(page->arena, "#%s", test->id);
	markup_element(page->markup, "a", name, "href", address, NULL);
}

/* A count for people, `12.3 M`, with the exact number as its title. */
static void print_quantity(struct oclmm_xml *markup, const char *element, const char *class,
                           uint64_t number)
{
	struct oclmm_text text = {0};
	char exact[24];

	oclmm_report_quantity(&text, (double)number);
	snprintf(exact, sizeof(exact), "%" PRIu64, number);
	markup_element(markup, element, oclmm_text_string(&text), "class", class, "title",
	               number < 1000 ? NULL : exact, NULL);
	oclmm_text_finish(&text);
}

/* A count with its digits in groups: `1,048,576`. */
static void print_grouped(struct oclmm_xml *markup, uint64_t number)
{
	char digits[24], grouped[32];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, number), at = 0;

	for (size_t i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			grouped[at++] = ',';
		grouped[at++] = digits[i];
	}
	grouped[at] = '\0';
	oclmm_xml_string(markup, grouped);
}

static void open_table(struct oclmm_xml *markup, const char *title)
{
	markup_open(markup, "div", "class", "frame", "role", "region", "aria-label", title,
	            "tabindex", "0", NULL);
	markup_open(markup, "table", "class", "s", NULL);
	markup_element(markup, "caption", title, NULL);
}

static void head_table(struct oclmm_xml *markup, const char *const *names, size_t count)
{
	markup_open(markup, "thead", NULL);
	markup_open(markup, "tr", NULL);
	for (size_t i = 0; i < count; i++)
		markup_element(markup, "th", names[i], "scope", "col", NULL);
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_close_with_tag(markup);
	markup_open(markup, "tbody", NULL);
}

static void close_table(struct oclmm_xml *markup)
{
	for (int i = 0; i < 3; i++)
		oclmm_xml_close_with_tag(markup);
	oclmm_xml_string(markup, "\n");
}

/* `head` stands above the cell; on a narrow screen it stands in it. */
static void add_count(struct oclmm_xml *markup, const char *head, uint64_t count,
                      const char *address)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, count);
	markup_open(markup, "td", "class", "n", "data-h", head, NULL);
	if (!count)
		oclmm_xml_string(markup, "–");
	else if (address)
		markup_element(markup, "a", text, "href", address, NULL);
	else
		oclmm_xml_string(markup, text);
	oclmm_xml_close_with_tag(markup);
}

/* ---- devices ---- */

static const char *const device_heads[] = {"device",   "driver",      "platform",  "tests claimed",
                                           "accepted", "unsupported", "instances", "on the device"};

static void device_row(struct page *page, const struct column *column)
{
	const struct oclmm_record *record = column->record;
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "tr", NULL);
	markup_element(markup, "th", column->label, "scope", "row", NULL);
	markup_element(markup, "td", page_string(record->identity.driver), "data-h",
	               device_heads[1], NULL);
	markup_open(markup, "td", "data-h", device_heads[2], NULL);
	oclmm_xml_string(markup, page_string(record->identity.platform));
	if (record->identity.version)
		markup_printf(markup, " (%s)", record->identity.version);
	oclmm_xml_close_with_tag(markup);
	for (int class = 0; class < OCLMM_CLASS_COUNT; class ++)
		add_count(markup, device_heads[3 + class], column->classes[class], NULL);
	markup_open(markup, "td", "class", "n", "data-h", device_heads[6], NULL);
	print_quantity(markup, "span", NULL, column->instances);
	oclmm_xml_close_with_tag(markup);
	markup_open(markup, "td", "class", "n", "data-h", device_heads[7], NULL);
	markup_printf(markup, "%.1f s", column->seconds);
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_close_with_tag(markup);
}

/* Why a test was skipped, or NULL. */
static const char *skipped_for(const struct test *test, size_t index)
{
	const struct cell *cell = &test->cells[index];

	return cell->count && cell->record->grade.verdict == OCLMM_VERDICT_SKIP
	               ? cell->record->message
	               : NULL;
}

static void list_reasons(struct page *page, const char *label, const struct pool *reasons,
                         const size_t *counts)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "p", NULL);
	markup_printf(markup, "%s skipped tests for these reasons:", label);
	oclmm_xml_close_with_tag(markup);
	markup_open(markup, "ul", NULL);
	for (size_t i = 1; i < pool_count(reasons); i++) {
		markup_open(markup, "li", NULL);
		markup_printf(markup, "%s (%zu)", pool_at(reasons, i), counts[i]);
		oclmm_xml_close_with_tag(markup);
	}
	oclmm_xml_close_with_tag(markup);
}

static void missing_features(struct page *page, size_t index)
{
	size_t *counts = oclmm_calloc(page->test_count + 1, sizeof(*counts));
	struct pool *reasons = pool_create();

	for (size_t i = 0; i < page->test_count; i++) {
		const char *reason = skipped_for(&page->tests[i], index);

		if (reason)
			counts[pool_add(reasons, reason, strlen(reason))]++;
	}
	if (pool_count(reasons) > 1)
		list_reasons(page, page->columns[index].label, reasons, counts);
	pool_destroy(reasons);
	free(counts);
}

static void devices_section(struct page *page)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "section", "id", "devices", NULL);
	markup_element(markup, "h2", "Devices", NULL);
	markup_open(markup, "p", "class", "note", NULL);
	oclmm_xml_string(
		markup,
		"Claimed: the device declares all that the test needs, so that a failure counts. "
		"Accepted: its compiler builds the test, although the device does not declare all "
		"that it needs; a failure is reported and does not count. Unsupported: the test "
		"was skipped.");
	oclmm_xml_close_with_tag(markup);
	open_table(markup, "Where the tests ran");
	head_table(markup, device_heads, OCLMM_COUNT(device_heads));
	for (size_t i = 0; i < page->column_count; i++)
		device_row(page, &page->columns[i]);
	close_table(markup);
	for (size_t i = 0; i < page->column_count; i++)
		missing_features(page, i);
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_string(markup, "\n");
}

/* ---- verdicts ---- */

/* The verdicts that occur, gravest first. */
static size_t list_verdicts(const struct page *page, enum oclmm_verdict *ret_verdicts)
{
	size_t count = 0;

	for (unsigned gravity = 0; gravity < OCLMM_VERDICT_COUNT; gravity++) {
		enum oclmm_verdict verdict = verdict_of_gravity(gravity);

		if (count_verdict(page, verdict))
			ret_verdicts[count++] = verdict;
	}
	return count;
}

static void verdict_head(struct page *page)
{
	const char *names[1 + OCLMM_PAGE_COLUMNS + 1];
	size_t count = 0;

	names[count++] = "verdict";
	for (size_t i = 0; i < page->column_count; i++)
		names[count++] = page->columns[i].label;
	names[count++] = "what it means";
	head_table(page->markup, names, count);
}

static void verdict_table(struct page *page, const enum oclmm_verdict *verdicts, size_t count)
{
	struct oclmm_xml *markup = page->markup;
	char address[64];

	open_table(markup, "Tests by verdict");
	verdict_head(page);
	for (size_t i = 0; i < count; i++) {
		snprintf(address, sizeof(address), "#verdict=%s", oclmm_verdict_word(verdicts[i]));
		markup_open(markup, "tr", NULL);
		markup_open(markup, "th", "scope", "row", NULL);
		print_verdict(page, verdicts[i]);
		oclmm_xml_close_with_tag(markup);
		for (size_t k = 0; k < page->column_count; k++)
			add_count(markup, page->columns[k].label,
			          page->columns[k].verdicts[verdicts[i]], address);
		markup_element(markup, "td", oclmm_verdict_meaning(verdicts[i]), "data-h",
		               "what it means", NULL);
		oclmm_xml_close_with_tag(markup);
	}
	close_table(markup);
}

static void summary_section(struct page *page)
{
	enum oclmm_verdict verdicts[OCLMM_VERDICT_COUNT];
	size_t count = list_verdicts(page, verdicts);

	markup_open(page->markup, "section", "id", "summary", NULL);
	markup_element(page->markup, "h2", "Summary", NULL);
	verdict_table(page, verdicts, count);
	oclmm_xml_close_with_tag(page->markup);
	oclmm_xml_string(page->markup, "\n");
}

/* What should be looked at first: failures, disputes. */

/* More would not help a reader. */
enum { MOST_REASONS = 256 };

/* The outcomes that make the verdict, or the message. */
static void reason(struct page *page, const struct test *test, size_t index)
{
	const struct cell *cell = &test->cells[index];
	struct oclmm_xml *markup = page->markup;
	size_t told = 0;

	markup_open(markup, "td", "data-h", "what was seen", NULL);
	for (size_t i = 0; i < test->outcome_count; i++) {
		const struct outcome *outcome = &test->outcomes[i];
		struct oclmm_text text = {0};

		if (!outcome->counts[index] || (outcome->row->status != OCLMM_STATUS_FORBIDDEN &&
		                                outcome->row->status != OCLMM_STATUS_DISPUTED))
			continue;
		if (told++ >= MOST_REASONS)
			continue;
		oclmm_outcome_print(&text, test->record->program, outcome->row->values);
		if (told > 1)
			markup_void(markup, "br", NULL);
		markup_element(markup, "code", oclmm_text_string(&text), NULL);
		oclmm_xml_string(markup, " ");
		print_grouped(markup, outcome->counts[index]);
		oclmm_xml_string(markup, " of ");
		print_grouped(markup, cell->instances);
		oclmm_text_finish(&text);
	}
	if (told > MOST_REASONS)
		markup_printf(markup, " and %zu others", told - MOST_REASONS);
	if (cell->record->message)
		oclmm_xml_string(markup, cell->record->message);
	else if (cell->record->grade.known)
		oclmm_xml_string(markup, cell->record->grade.known);
	oclmm_xml_close_with_tag(markup);
}

static void attention_row(struct page *page, const struct test *test, size_t index)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "tr", NULL);
	markup_open(markup, "td", NULL);
	print_verdict(page, test->cells[index].record->grade.verdict);
	oclmm_xml_close_with_tag(markup);
	markup_open(markup, "th", "scope", "row", NULL);
	print_link(page, test->record->program->name);
	oclmm_xml_close_with_tag(markup);
	markup_element(markup, "td", page->columns[index].label, "data-h", "device", NULL);
	reason(page, test, index);
	oclmm_xml_close_with_tag(markup);
}

static void open_attention(struct page *page)
{
	static const char *const names[] = {"verdict", "test", "device", "what was seen"};
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "section", "id", "attention", NULL);
	markup_element(markup, "h2", "Look at these first", NULL);
	open_table(markup,
	           "Forbidden outcomes, tests that could not be run, what expectation files "
	           "list, and disputed outcomes");
	head_table(markup, names, OCLMM_COUNT(names));
}

/* All with one verdict; gives whether the table is open. */
static bool attention_rows(struct page *page, enum oclmm_verdict verdict, bool is_open)
{
	for (size_t i = 0; i < page->test_count; i++) {
		for (size_t k = 0; k < page->column_count; k++) {
			const struct cell *cell = &page->tests[i].cells[k];

			if (!cell->count || cell->record->grade.verdict != verdict)
				continue;
			if (!is_open)
				open_attention(page);
			is_open = true;
			attention_row(page, &page->tests[i], k);
		}
	}
	return is_open;
}

static void attention_section(struct page *page)
{
	bool is_open = false;

	for (unsigned gravity = 0; gravity <= gravity_of(OCLMM_VERDICT_DISPUTED); gravity++)
		is_open = attention_rows(page, verdict_of_gravity(gravity), is_open);
	if (is_open) {
		close_table(page->markup);
		oclmm_xml_close_with_tag(page->markup);
	}
}

/* Tests that every run of the page skipped, of those that had them. */

/* Everything else is graver, so that no column has it. */
static bool ran_nowhere(const struct test *test)
{
	return test->verdict == OCLMM_VERDICT_SKIP;
}

/* What the devices lack, each reason once, in the order of the columns. */
static size_t reason_of(const struct page *page, const struct test *test, struct pool *reasons)
{
	struct pool *own = pool_create();
	struct oclmm_text text = {0};
	size_t reason;

	for (size_t i = 0; i < page->column_count; i++) {
		const struct cell *cell = &test->cells[i];
		const char *message = cell->count ? page_string(cell->record->message) : "";

		if (*message)
			pool_add(own, message, strlen(message));
	}
	for (size_t i = 1; i < pool_count(own); i++)
		oclmm_text_printf(&text, "%s%s", i > 1 ? "; " : "", pool_at(own, i));
	if (pool_count(own) == 1)
		oclmm_text_add(&text, "no reason is on record");
	reason = pool_add(reasons, oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
	pool_destroy(own);
	return reason;
}

static void list_tests(struct page *page, const char *reason, const size_t *reason_of_test,
                       size_t index, size_t count)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "details", NULL);
	markup_open(markup, "summary", NULL);
	markup_printf(markup, "%s: %s", reason, oclmm_counted(count, "test").text);
	oclmm_xml_close_with_tag(markup);
	markup_open(markup, "ul", NULL);
	for (size_t i = 0; i < page->test_count; i++) {
		if (reason_of_test[i] != index)
			continue;
		markup_open(markup, "li", NULL);
		print_link(page, page->tests[i].record->program->name);
		if (page->tests[i].words.question)
			markup_printf(markup, " – %s", page->tests[i].words.question);
		oclmm_xml_close_with_tag(markup);
	}
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_close_with_tag(markup);
}

static void section(struct page *page, const struct pool *reasons, const size_t *reason_of_test)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "section", "id", "nowhere", NULL);
	markup_element(markup, "h2", "Not run anywhere yet", NULL);
	markup_element(
		markup, "p",
		"These tests were skipped wherever they were to run. They are listed by what "
		"the devices lack. What the specification allows is known all the same, for "
		"that asks no device.",
		"class", "note", NULL);
	for (size_t reason = 1; reason < pool_count(reasons); reason++) {
		size_t count = 0;

		for (size_t i = 0; i < page->test_count; i++)
			count += reason_of_test[i] == reason;
		list_tests(page, pool_at(reasons, reason), reason_of_test, reason, count);
	}
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_string(markup, "\n");
}

static void nowhere_section(struct page *page)
{
	size_t *reason_of_test = oclmm_calloc(page->test_count + 1, sizeof(*reason_of_test));
	struct pool *reasons = pool_create();

	for (size_t i = 0; i < page->test_count; i++) {
		if (ran_nowhere(&page->tests[i]))
			reason_of_test[i] = reason_of(page, &page->tests[i], reasons);
	}
	if (pool_count(reasons) > 1)
		section(page, reasons, reason_of_test);
	pool_destroy(reasons);
	free(reason_of_test);
}

/* All tests as one table, for a reader whose browser runs no scripts. */

static void plain_cell(struct page *page, const struct cell *cell)
{
	struct oclmm_xml *markup = page->markup;
	uint64_t seen = cell->weak + cell->forbidden;

	markup_open(markup, "td", NULL);
	if (cell->count) {
		enum oclmm_verdict verdict = cell->record->grade.verdict;

		markup_printf(markup, "%s %s", sign_of(verdict), oclmm_verdict_word(verdict));
		if (cell->instances) {
			struct oclmm_text text = {0};

			oclmm_report_quantity(&text, (double)seen);
			oclmm_text_add(&text, " in ");
			oclmm_report_quantity(&text, (double)cell->instances);
			markup_printf(markup, " %s", oclmm_text_string(&text));
			oclmm_text_finish(&text);
		}
	}
	oclmm_xml_close_with_tag(markup);
}

static void plain_head(struct page *page)
{
	struct oclmm_xml *markup = page->markup;

	markup_element(
		markup, "p",
		"Without scripts this page shows verdicts only: how often the asked outcome, "
		"or a forbidden one, was seen, in how many instances.",
		"class", "note", NULL);
	markup_open(markup, "table", NULL);
	markup_open(markup, "thead", NULL);
	markup_open(markup, "tr", NULL);
	markup_element(markup, "th", "test", "scope", "col", NULL);
	for (size_t i = 0; i < page->column_count; i++)
		markup_element(markup, "th", page->columns[i].label, "scope", "col", NULL);
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_close_with_tag(markup);
}

/* From what needs a look, and from what no device ran. */
static bool is_linked(const struct test *test)
{
	return gravity_of(test->verdict) <= gravity_of(OCLMM_VERDICT_DISPUTED) || ran_nowhere(test);
}

static void plain_table(struct page *page)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "noscript", NULL);
	markup_open(markup, "div", "class", "frame", NULL);
	plain_head(page);
	markup_open(markup, "tbody", NULL);
	for (size_t i = 0; i < page->test_count; i++) {
		const struct test *test = &page->tests[i];

		markup_open(markup, "tr", "id", is_linked(test) ? test->id : NULL, NULL);
		markup_element(markup, "th", test->record->program->name, "scope", "row", NULL);
		for (size_t k = 0; k < page->column_count; k++)
			plain_cell(page, &test->cells[k]);
		oclmm_xml_close_with_tag(markup);
		oclmm_xml_string(markup, "\n");
	}
	for (int i = 0; i < 4; i++)
		oclmm_xml_close_with_tag(markup);
}

/* How the matrix is read. */

static void kinds_legend(struct page *page)
{
	struct oclmm_xml *markup = page->markup;

	markup_element(markup, "h3", "Outcomes", NULL);
	markup_element(markup, "p",
	               "An outcome is what one instance of a test ended with. The bars of the "
	               "details show how often each was seen, on a logarithmic scale: one instance "
	               "is a stub, all of them fill the column.",
	               NULL);
	markup_open(markup, "ul", "class", "legend", NULL);
	for (int i = 0; i < PAGE_KIND_COUNT; i++) {
		enum page_kind kind = (enum page_kind)i;

		markup_open(markup, "li", "class", kind_word(kind), NULL);
		markup_open(markup, "span", "class", "bar", "aria-hidden", "true", NULL);
		markup_element(markup, "i", NULL, NULL);
		oclmm_xml_close_with_tag(markup);
		markup_printf(markup, " %s ", kind_sign(kind));
		markup_element(markup, "b", kind_word(kind), NULL);
		markup_printf(markup, ": %s", kind_meaning(kind));
		oclmm_xml_close_with_tag(markup);
	}
	oclmm_xml_close_with_tag(markup);
}

static void evidence_bar(struct page *page, enum oclmm_control_kind kind, const char *width,
                         const char *meaning)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "li", NULL);
	markup_open(markup, "span", "class", "e", "aria-hidden", "true", NULL);
	markup_element(markup, "i", NULL, "class", oclmm_control_kind_speaks_for(kind), "style",
	               width, NULL);
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_string(markup, " ");
	markup_element(markup, "b", oclmm_control_kind_speaks_for(kind), NULL);
	markup_printf(markup, ": %s", meaning);
	oclmm_xml_close_with_tag(markup);
}

static const char silence_legend[] =
	"A test that shows nothing forbidden may run on a good device, or on a bad one that was "
	"not provoked. So each runs beside controls: programs that differ in one thing and in "
	"which the outcome is allowed. Both are launched in turn, many instances at a time. The "
	"more launches of a control showed the outcome, the longer the bar: the upper one for the "
	"compiler, the lower one for the hardware. A bar that reaches the mark stands for %g %% "
	"confidence, a full one for one chance in a million that a device with the bug stayed "
	"silent. An empty, dashed frame: no control showed anything.";

static void evidence_legend(struct page *page)
{
	struct oclmm_xml *markup = page->markup;

	markup_element(markup, "h3", "What silence is worth", NULL);
	markup_open(markup, "p", NULL);
	markup_printf(markup, silence_legend, 100 * page->options->demand.confidence);
	oclmm_xml_close_with_tag(markup);
	markup_open(markup, "ul", "class", "legend", NULL);
	evidence_bar(page, OCLMM_CONTROL_MOVED, "width:70%",
	             "the control is the test after one wrong step of a compiler, such as two "
	             "accesses exchanged");
	evidence_bar(page, OCLMM_CONTROL_WEAKER, "width:45%",
	             "the control lacks some of the test's orders, scopes, fences or barriers, "
	             "so that the machine may show the outcome");
	oclmm_xml_close_with_tag(markup);
}

static const char rows_legend[] =
	"Each test is a small program of a few threads that share memory, and asks whether they "
	"can end in a certain way. It ran in millions of instances. A row stands for a family of "
	"tests or, unfolded, for a test; a column for a device or a run on it. A family's cell "
	"counts its tests by verdict. A test's cell has its verdict, and how often the asked "
	"outcome was seen in how many instances. The table of verdicts above says what each means.";

static void legend(struct page *page)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "details", "id", "legend", NULL);
	markup_element(markup, "summary", "How to read this", NULL);
	markup_element(markup, "p", rows_legend, NULL);
	kinds_legend(page);
	evidence_legend(page);
	oclmm_xml_close_with_tag(markup);
}

/* The page as a whole. */

static void head(struct page *page, const char *title)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "head", NULL);
	markup_void(markup, "meta", "charset", "UTF-8", NULL);
	markup_void(markup, "meta", "name", "viewport", "content",
	            "width=device-width, initial-scale=1", NULL);
	/* what is not in the page is not fetched, and no other script runs, whatever a test is
	 * called */
	markup_void(markup, "meta", "http-equiv", "Content-Security-Policy", "content",
	            oclmm_arena_printf(page->arena,
	                               "default-src 'none'; style-src 'unsafe-inline'; script-src "
	                               "'sha256-%s'",
	                               oclmm_page_script_hash),
	            NULL);
	markup_void(markup, "meta", "name", "color-scheme", "content", "light dark", NULL);
	markup_element(markup, "title", title, NULL);
	markup_open(markup, "style", NULL);
	oclmm_xml_raw(markup, oclmm_page_style);
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_string(markup, "\n");
}

static uint64_t count_infrastructure(const struct page *page)
{
	uint64_t count = 0;

	for (int verdict = 0; verdict < OCLMM_VERDICT_COUNT; verdict++) {
		if (oclmm_verdict_is_infrastructure((enum oclmm_verdict)verdict))
			count += count_verdict(page, (enum oclmm_verdict)verdict);
	}
	return count;
}

/* The first thing to know. */
static void headline(struct page *page)
{
	struct oclmm_xml *markup = page->markup;
	uint64_t forbidden = count_verdict(page, OCLMM_VERDICT_FORBIDDEN),
		 failed = count_infrastructure(page);

	markup_open(markup, "p", "class", "headline", NULL);
	/* of a test that ran in several columns each is one */
	if (forbidden)
		markup_printf(
			markup, "✖ %s showed a forbidden outcome.",
			oclmm_counted(forbidden, page->column_count > 1 ? "result" : "test").text);
	else
		oclmm_xml_string(markup, "✓ No forbidden outcome was seen.");
	if (failed)
		markup_printf(markup, " ! %" PRIu64 " could not be run to the end.", failed);
	oclmm_xml_close_with_tag(markup);
}

/* What that is worth. */
static void silence(struct page *page)
{
	const struct oclmm_demand *demand = &page->options->demand;
	struct oclmm_tally tally = {0};

	for (size_t i = 0; i < page->place_count; i++)
		oclmm_tally_add(&tally, page->places[i].record);
	markup_open(page->markup, "p", NULL);
	markup_printf(page->markup,
	              "Silent %s that can fail: %" PRIu64 " with %g %% confidence (%" PRIu64
	              " hardware, %" PRIu64 " compiler), %" PRIu64
	              " inconclusive, because their controls, in which the outcome is allowed, did "
	              "not show it in enough launches either.",
	              page->column_count > 1 ? "results of tests" : "tests",
	              tally.confidences[OCLMM_CONFIDENCE_REACHED], 100 * demand->confidence,
	              tally.reached[OCLMM_CONTROL_WEAKER], tally.reached[OCLMM_CONTROL_MOVED],
	              oclmm_tally_verdict(&tally, OCLMM_VERDICT_INCONCLUSIVE));
	if (tally.proved || tally.code_wrong || tally.code_open)
		markup_printf(page->markup,
		              " Of the compiled code, which was read, %" PRIu64
		              " are proved right, %" PRIu64 " wrong, and %" PRIu64
		              " were not judged.",
		              tally.proved, tally.code_wrong, tally.code_open);
	oclmm_xml_close_with_tag(page->markup);
}

static bool verifies_conformance(const struct page *page)
{
	for (size_t i = 0; i < page->run_count; i++) {
		if (!page->runs[i].header.whole_suite)
			return false;
	}
	return page->run_count && !count_verdict(page, OCLMM_VERDICT_SKIP) &&
	       !count_infrastructure(page);
}

static void run_line(struct page *page, const struct oclmm_run_header *run)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "li", NULL);
	markup_printf(markup, "%s on %s", page_string(run->tool),
	              page_string(run->identity.device));
	if (run->started)
		markup_printf(markup, ", %s", run->started);
	markup_printf(markup, ", seed %" PRIu64 ", %s, ", run->seed,
	              oclmm_counted(run->tests, "test").text);
	print_quantity(markup, "span", NULL, run->instances);
	oclmm_xml_string(markup, " instances asked for each");
	if (run->profile)
		markup_printf(markup, ", profile %s", run->profile);
	if (run->shards)
		markup_printf(markup, ", shard %" PRIu32 " of %" PRIu32, run->shard, run->shards);
	oclmm_xml_close_with_tag(markup);
}

static void runs(struct page *page)
{
	struct oclmm_xml *markup = page->markup;

	if (!verifies_conformance(page))
		markup_element(markup, "p",
		               "Not all of the suite was run to the end: this does not verify "
		               "conformance.",
		               "class", "note", NULL);
	if (!page->run_count)
		return;
	markup_open(markup, "details", NULL);
	markup_open(markup, "summary", NULL);
	oclmm_xml_string(markup, oclmm_counted(page->run_count, "run").text);
	oclmm_xml_close_with_tag(markup);
	markup_open(markup, "ul", NULL);
	for (size_t i = 0; i < page->run_count; i++)
		run_line(page, &page->runs[i].header);
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_close_with_tag(markup);
}

/* ---- the tests ---- */

static void choice(struct page *page, const char *name, const char *title,
                   const char *const *values, size_t count)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "label", NULL);
	markup_printf(markup, "%s ", title);
	markup_open(markup, "select", "name", name, NULL);
	markup_element(markup, "option", "any", "value", "", NULL);
	for (size_t i = 0; i < count; i++)
		markup_element(markup, "option", values[i], "value", values[i], NULL);
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_close_with_tag(markup);
}

static void choose_verdict(struct page *page)
{
	const char *words[OCLMM_VERDICT_COUNT];
	size_t count = 0;

	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		if (count_verdict(page, (enum oclmm_verdict)i))
			words[count++] = oclmm_verdict_word((enum oclmm_verdict)i);
	}
	choice(page, "verdict", "verdict", words, count);
}

/* Hidden until the script is there to serve it. */
static void filter_form(struct page *page)
{
	static const char *const kinds[] = {"forbidden", "disputed", "weak", "unjudged", "differs"};
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "form", "id", "filter", "role", "search", "hidden", "hidden", NULL);
	markup_open(markup, "label", NULL);
	oclmm_xml_string(markup, "search ");
	markup_void(markup, "input", "type", "search", "name", "q", "placeholder",
	            "name or question", NULL);
	oclmm_xml_close_with_tag(markup);
	choose_verdict(page);
	/* the families are the script's to fill in, as it has them */
	choice(page, "family", "family", NULL, 0);
	choice(page, "seen", "seen", kinds, page->column_count > 1 ? 5 : 4);
	markup_element(markup, "button", "open all shown", "type", "button", "id", "open", NULL);
	markup_element(markup, "button", "close all", "type", "button", "id", "close", NULL);
	markup_element(markup, "output", "", "id", "shown", "aria-live", "polite", NULL);
	oclmm_xml_close_with_tag(markup);
}

static void differences(struct page *page)
{
	struct oclmm_xml *markup = page->markup;
	size_t count = 0;

	if (page->column_count < 2)
		return;
	for (size_t i = 0; i < page->test_count; i++)
		count += page->tests[i].differs;
	markup_open(markup, "p", "id", "differences", NULL);
	markup_open(markup, "a", "href", "#seen=differs", NULL);
	markup_printf(markup, "The columns differ in %s", oclmm_counted(count, "test").text);
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_string(markup,
	                 ": one showed a weak, disputed or forbidden outcome, or failed, and "
	                 "another did not. A difference is no error; the specification allows "
	                 "more than any one device does.");
	oclmm_xml_close_with_tag(markup);
}

static void tests(struct page *page)
{
	struct oclmm_xml *markup = page->markup;
	struct oclmm_text data = {0};

	markup_open(markup, "section", "id", "tests", "tabindex", "-1", NULL);
	markup_element(markup, "h2", "Tests", NULL);
	legend(page);
	differences(page);
	filter_form(page);
	markup_open(markup, "div", "id", "matrix", "class", "frame", "role", "region", "aria-label",
	            "Tests and devices", "tabindex", "0", "hidden", "hidden", NULL);
	oclmm_xml_close_with_tag(markup);
	plain_table(page);
	oclmm_xml_close_with_tag(markup);
	write_results(page, &data);
	markup_open(markup, "script", "type", "text/plain", "id", "results", NULL);
	oclmm_xml_raw(markup, oclmm_text_string(&data));
	oclmm_xml_close_with_tag(markup);
	oclmm_text_finish(&data);
	write_data(page, &data);
	markup_open(markup, "script", "type", "application/json", "id", "data", NULL);
	oclmm_xml_raw(markup, oclmm_text_string(&data));
	oclmm_xml_close_with_tag(markup);
	oclmm_text_finish(&data);
}

static void body(struct page *page, const char *title)
{
	struct oclmm_xml *markup = page->markup;

	markup_open(markup, "body", NULL);
	markup_element(markup, "a", "to the tests", "class", "skip", "href", "#tests", NULL);
	markup_open(markup, "header", NULL);
	markup_element(markup, "h1", title, NULL);
	headline(page);
	markup_element(markup, "p",
	               "Small programs whose threads share memory ran millions of times on each "
	               "device. This page shows how each of them ended, how often, and which ends "
	               "the OpenCL specification allows.",
	               NULL);
	silence(page);
	runs(page);
	oclmm_xml_close_with_tag(markup);
	markup_open(markup, "main", NULL);
	attention_section(page);
	devices_section(page);
	summary_section(page);
	nowhere_section(page);
	tests(page);
	oclmm_xml_close_with_tag(markup);
	markup_open(markup, "footer", NULL);
	markup_printf(markup, "Written by %s.",
	              page->options->tool ? page->options->tool : "oclmm");
	oclmm_xml_close_with_tag(markup);
	markup_open(markup, "script", NULL);
	oclmm_xml_raw(markup, oclmm_page_script);
	oclmm_xml_close_with_tag(markup);
	oclmm_xml_close_with_tag(markup);
}

int oclmm_page_write(struct oclmm_text *text, const struct oclmm_saved_run *saved_runs,
                     size_t run_count, const struct oclmm_record *const *records, size_t count,
                     const struct oclmm_page_options *options, struct oclmm_page_counts *ret_counts)
{
	struct oclmm_xml markup = {.text = text};
	struct page page = {
		.options = options, .runs = saved_runs, .run_count = run_count, .markup = &markup};
	const char *title = options->title ? options->title : "OpenCL memory model: results";
	int r;

	page.arena = oclmm_arena_create();
	r = gather(&page, records, count);
	if (r < 0) {
		oclmm_arena_destroy(page.arena);
		return r;
	}
	oclmm_text_add(text, "<!DOCTYPE html>\n");
	markup_open(page.markup, "html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml",
	            NULL);
	head(&page, title);
	body(&page, title);
	oclmm_xml_close_with_tag(page.markup);
	oclmm_xml_finish(page.markup);
	if (ret_counts)
		*ret_counts = (struct oclmm_page_counts){
			.tests = page.test_count,
			.columns = page.column_count,
			.graphs = page.graphs,
		};
	oclmm_arena_destroy(page.arena);
	return 0;
}
