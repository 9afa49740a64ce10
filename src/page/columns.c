// SPDX-License-Identifier: Apache-2.0
/*
 * The columns of the page. A device with its driver is one, unless several runs on it have tests in
 * common: those stand side by side. Runs without a test in common, such as shards, are parts of
 * one, and so are equal devices that shared a run.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
	    page_compare_devices(devices->list[devices->last]->place, place) == 0)
		return devices->list[devices->last];
	for (size_t i = 0; i < devices->count; i++) {
		if (page_compare_devices(devices->list[i]->place, place) == 0) {
			devices->last = i;
			return devices->list[i];
		}
	}
	return NULL;
}

static struct device_run *find_run(const struct page *page, struct device *device,
                                   const struct oclmm_record *record)
{
	const struct oclmm_run_header *header = page_run_of(page, record);

	for (size_t i = 0; i < device->run_count; i++) {
		if (device->runs[i].seed == record->master_seed && device->runs[i].header == header)
			return &device->runs[i];
	}
	return NULL;
}

static void note_run(const struct page *page, struct device *device,
                     const struct oclmm_record *record)
{
	struct device_run *run = find_run(page, device, record);

	if (!run && device->run_count == MOST_RUNS) {
		device->one = true;
		return;
	}
	if (!run) {
		run = &device->runs[device->run_count++];
		*run = (struct device_run){.seed = record->master_seed,
		                           .header = page_run_of(page, record)};
	}
	if (record->started && (!run->started || strcmp(record->started, run->started) < 0))
		run->started = record->started;
}

static int compare_runs(const void *a, const void *b)
{
	const struct device_run *x = a, *y = b;
	int order = oclmm_compare_strings(x->started, y->started);

	return order ? order : oclmm_compare_numbers(x->seed, y->seed);
}

static int compare_list(const void *a, const void *b)
{
	const struct device *const *x = a, *const *y = b;
	int order = page_compare_kinds((*x)->place->record, (*y)->place->record);

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
		note_run(page, device, place->record);
	}
	for (size_t i = 0; i < devices->count; i++)
		qsort(devices->list[i]->runs, devices->list[i]->run_count,
		      sizeof(*devices->list[i]->runs), compare_runs);
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
		     next < to && page_compare_devices(device->place, &page->places[next]) == 0;
		     next++) {
			const struct device_run *run = find_run(page, device,
			                                        page->places[next].record);

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
		const struct device_run *run = find_run(page, device, page->places[i].record);

		page->places[i].column = run ? run->column : device->runs[0].column;
	}
}

int page_gather_columns(struct page *page)
{
	struct devices devices = {0};
	int r = gather_devices(page, &devices);

	for (size_t from = 0, to; r == 0 && from < page->place_count; from = to) {
		to = page_end_of_test(page, from);
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
