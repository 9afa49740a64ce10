// SPDX-License-Identifier: Apache-2.0
/*
 * In which order tests run when time may not suffice for all: one of each
 * family in turn, first those that forbid something, each with the control that
 * its silence is held against. So what is left out comes from all families alike.
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* A test's place among those of its family. */
struct place {
	size_t index; /* in the selection */
	const char *family;
	bool forbids;
	uint64_t draw; /* decides within the family */
	size_t rank;   /* by that */
};

static bool can_fail(struct run *run, size_t test)
{
	const struct oclmm_expected *expected = oclmm_expected_held(
		run->context.arena, run_expected_of(run, test),
		run->selection.chosen[test].variant->program, run_model(&run->context));

	/* what is not known may well fail */
	return !expected || oclmm_expected_forbids(expected);
}

static int compare_families(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = oclmm_compare_numbers(!x->forbids, !y->forbids);

	order = order ? order : strcmp(x->family, y->family);
	return order ? order : oclmm_compare_numbers(x->draw, y->draw);
}

static int compare_turns(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = oclmm_compare_numbers(!x->forbids, !y->forbids);

	order = order ? order : oclmm_compare_numbers(x->rank, y->rank);
	return order ? order : oclmm_compare_numbers(x->draw, y->draw);
}

static struct place *make_places(struct run *run)
{
	size_t count = run->selection.count;
	struct place *places = oclmm_calloc(count + 1, sizeof(*places));

	for (size_t i = 0; i < count; i++)
		places[i] = (struct place){
			.index = i,
			.family = run->selection.chosen[i].file->family,
			.forbids = can_fail(run, i),
			.draw = oclmm_random_derive(run->context.seed,
		                                    run->selection.chosen[i].variant->name),
		};
	qsort(places, count, sizeof(*places), compare_families);
	for (size_t i = 1; i < count; i++) {
		if (places[i].forbids == places[i - 1].forbids &&
		    strcmp(places[i].family, places[i - 1].family) == 0)
			places[i].rank = places[i - 1].rank + 1;
	}
	qsort(places, count, sizeof(*places), compare_turns);
	return places;
}

/* The control of a test, or `count`. */
static size_t find_control(const struct selection *selection, size_t test)
{
	const struct chosen *chosen = &selection->chosen[test];
	const char *control = chosen->variant->control;

	for (size_t i = 0; control && i < selection->count; i++) {
		if (selection->chosen[i].litmus == chosen->litmus &&
		    strcmp(selection->chosen[i].variant->name, control) == 0)
			return i;
	}
	return selection->count;
}

void run_order(struct run *run)
{
	struct selection *selection = &run->selection;
	size_t count = selection->count, next = 0;
	struct place *places = make_places(run);
	struct chosen *ordered = oclmm_calloc(count + 1, sizeof(*ordered));
	bool *taken = oclmm_calloc(count + 1, sizeof(*taken));

	for (size_t i = 0; i < count; i++) {
		size_t test = places[i].index, control = find_control(selection, test);

		if (!taken[test])
			ordered[next++] = selection->chosen[test];
		taken[test] = true;
		if (control < count && !taken[control]) {
			ordered[next++] = selection->chosen[control];
			taken[control] = true;
		}
	}
	memcpy(selection->chosen, ordered, count * sizeof(*ordered));
	free(taken);
	free(ordered);
	free(places);
}

uint64_t run_count_unfinished(struct run *run)
{
	uint64_t count = 0;

	for (size_t i = 0; i < run->selection.count; i++)
		count += !run->items[i].done && can_fail(run, i);
	return count;
}
