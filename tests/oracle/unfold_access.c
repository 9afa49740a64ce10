// SPDX-License-Identifier: Apache-2.0
/*
 * Choices, and the events of single accesses.
 */
#include "run.h"

unsigned run_choose(struct run *run, unsigned bound)
{
	unsigned at = run->position++;

	if (at >= MAX_CHOICES) {
		run->too_large = true;
		run->stopped = true;
		return 0;
	}
	if (at >= run->chosen) {
		run->choice[at] = 0;
		run->bound[at] = bound;
		run->chosen = at + 1;
	}
	return run->choice[at];
}

void run_stop(struct run *run, enum oclmm_undefined trouble)
{
	if (run->unchecked)
		return;
	if (!run->stopped)
		run->path.trouble = trouble;
	run->stopped = true;
}

void value_add_from(struct value *value, const struct value *other)
{
	for (unsigned i = 0; i < MAX_PATH; i++) {
		value->from[i] |= other->from[i];
		value->need[i] |= other->need[i];
	}
}

int run_add_event(struct run *run, const struct event *event)
{
	struct path *path = &run->path;
	unsigned at = path->count;

	if (at >= MAX_PATH) {
		run->too_large = true;
		run->stopped = true;
		return -1;
	}
	path->count++;
	path->events[at] = *event;
	path->events[at].thread = (int)run->thread_index;
	run->call[at] = run->inside;
	for (unsigned i = 0; i < at; i++) {
		path->sb[i][at] = run->before[i];
		path->ctrl[i][at] = run->decided[i];
	}
	run->before[at] = true;
	return (int)at;
}

bool run_decide(struct run *run, bool condition)
{
	return run->unchecked ? run_choose(run, 2) == 1 : condition;
}

bool run_branch(struct run *run, const struct value *value, bool condition)
{
	for (unsigned i = 0; i < MAX_PATH; i++)
		run->decided[i] |= value->from[i];
	return run_decide(run, condition);
}

struct event run_access(struct run *run, const struct oclmm_place *place, int64_t index)
{
	const struct oclmm_location *location = &run->program->locations[place->location];
	struct event event = {.space = location->space, .storage = location->storage};

	if (run->unchecked)
		event.cell = location->first_cell + run_choose(run, location->elements);
	else if (index < 0 || index >= (int64_t)location->elements)
		run_stop(run, OCLMM_UNDEFINED_INDEX);
	else
		event.cell = location->first_cell + (uint32_t)index;
	return event;
}

enum oclmm_type run_place_type(const struct run *run, const struct oclmm_place *place)
{
	return run->program->locations[place->location].type;
}

int64_t run_guess(struct run *run, unsigned cell)
{
	return run->domains[cell].values[run_choose(run, run->domains[cell].count)];
}

struct value run_plain_read(struct run *run, const struct oclmm_place *place,
                            const struct value *index)
{
	struct value result = *index;
	struct event event = run_access(run, place, index->number);
	int at;

	if (run->stopped)
		return result;
	event.reads = true;
	event.read_value = run_guess(run, event.cell);
	result.number = event.read_value;
	at = run_add_event(run, &event);
	if (at >= 0)
		result.from[at] = result.need[at] = true;
	return result;
}

void run_add_write(struct run *run, struct event *event, int64_t number, const struct value *value,
                   const struct value *index)
{
	int at;

	event->writes = true;
	event->written_value = number;
	at = run_add_event(run, event);
	/* its own read is among what a read-modify-write may be computed from */
	for (unsigned i = 0; at >= 0 && i <= (unsigned)at; i++) {
		run->path.dep[i][at] = value->from[i] || index->from[i];
		run->path.need[i][at] = value->need[i] || index->need[i];
	}
}

void run_plain_write(struct run *run, const struct oclmm_place *place, const struct value *index,
                     const struct value *value)
{
	struct event event = run_access(run, place, index->number);

	if (!run->stopped)
		run_add_write(run, &event,
		              oclmm_value_wrap(run_place_type(run, place), value->number), value,
		              index);
}
