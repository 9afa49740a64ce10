// SPDX-License-Identifier: Apache-2.0
/* Tests as cycles of edges, and the search for tight ones. */
#include "calls.h"

#include <errno.h>
#include <string.h>

static const char words[] = "PodWW W.rel Rfe R.acq PodRR Fre";

static int count_cycle(void *data, const struct oclmm_cycle *cycle)
{
	*(int *)data += cycle->count == 4;
	return 0;
}

static void call_texts(const struct oclmm_cycle *cycle)
{
	struct oclmm_text text = {0};
	struct oclmm_error error;

	oclmm_cycle_print(&text, cycle);
	CHECK_HAS(oclmm_text_string(&text), "rel");
	oclmm_text_finish(&text);
	oclmm_cycle_print_edges(&text, cycle);
	CHECK_IS(oclmm_text_string(&text), "PodWW Rfe PodRR Fre");
	oclmm_text_finish(&text);
	oclmm_cycle_name(&text, cycle);
	CHECK_HAS(oclmm_text_string(&text), "MP+");
	oclmm_text_finish(&text);
	oclmm_cycle_shape(&text, cycle);
	CHECK_IS(oclmm_text_string(&text), "MP");
	oclmm_text_finish(&text);
	CHECK(oclmm_cycle_body(cycle, &error, &text) == 0);
	CHECK_HAS(oclmm_text_string(&text), "exists (");
	oclmm_text_finish(&text);
	CHECK(oclmm_cycle_file(cycle, &error, &text) == 0);
	CHECK_HAS(oclmm_text_string(&text), "Result: ");
	oclmm_text_finish(&text);
}

static void call_cycle(void)
{
	const struct oclmm_cycle_size size = {.edges = 4};
	const struct oclmm_shape *shapes;
	struct oclmm_cycle cycle, again;
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	int count = 0;

	CHECK(oclmm_cycle_parse("Rfe Rfe", &error, &cycle) == -EINVAL && *error.message);
	if (!CHECK(oclmm_cycle_parse(words, &error, &cycle) == 0))
		return;
	CHECK(cycle.count == 4 && cycle.thread_count == 2 && cycle.location_count == 2);
	CHECK(oclmm_cycle_settle(&cycle, &error) == 0);
	call_texts(&cycle);
	if (CHECK(oclmm_cycle_program(&cycle, &error, &litmus) == 0)) {
		CHECK(oclmm_cycle_recognise(litmus->variants[0].program, &again));
		CHECK(again.count == cycle.count);
		oclmm_litmus_destroy(litmus);
	}
	CHECK(oclmm_cycles(&size, count_cycle, &count) == 0 && count > 0);
	CHECK(oclmm_shapes(&shapes) > 3 && *shapes->name && *shapes->edges);
}

static void note_step(void *data, uint64_t weaker)
{
	(void)weaker;
	++*(int *)data;
}

static int count_form(void *data, const struct oclmm_tight_form *form)
{
	*(int *)data += form->decorations > 0;
	return 0;
}

static void call_tight(void)
{
	int forms = 0, steps = 0;
	/* one of the forms, in two threads */
	const struct oclmm_tight_options options = {
		.edges = 4,
		.threads = 2,
		.shard = 1,
		.shards = 64,
		.done = count_form,
		.data = &forms,
	};
	struct oclmm_cycle cycle, found;
	struct oclmm_tight_space *space;
	struct oclmm_error error;
	uint64_t number = 0;

	CHECK(oclmm_tight_search(&options, &error) == 0 && forms > 0);
	CHECK(oclmm_cycle_parse(words, &error, &cycle) == 0);
	space = oclmm_tight_space_create(&cycle, false);
	if (!CHECK(space != NULL))
		return;
	CHECK(oclmm_tight_space_find(space, &cycle, &number));
	CHECK(number < oclmm_tight_space_size(space));
	oclmm_tight_space_cycle(space, number, &found);
	CHECK(found.count == cycle.count);
	oclmm_tight_turn(&found);
	CHECK(oclmm_tight_space_ask(space, number) > 0);
	oclmm_tight_space_steps(space, number, note_step, &steps);
	CHECK(steps > 0);
	oclmm_tight_space_destroy(space);
}

void call_cycles(void)
{
	call_cycle();
	call_tight();
}
