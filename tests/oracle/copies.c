// SPDX-License-Identifier: Apache-2.0
/*
 * Asynchronous copies, C:6.15.11: performed by all work-items of the group, so
 * that each element may be anybody's; begun at the call, complete at the wait.
 */
#include <string.h>

#include "run.h"

static struct event access_to(const struct run *run, const struct oclmm_copy *copy,
                              const struct oclmm_place *end, uint32_t n)
{
	const struct oclmm_location *l = &run->program->locations[end->location];
	int64_t first = end->index ? end->index->constant : 0;

	return (struct event){
		.cell = l->first_cell +
	                (uint32_t)(first + n * (l->space == OCLMM_SPACE_GLOBAL ? copy->stride : 1)),
		.space = l->space,
		.storage = l->storage,
		.copied = copy->event + 1,
	};
}

static void copy_element(struct run *run, const struct oclmm_copy *copy, uint32_t n)
{
	struct event from = access_to(run, copy, &copy->from, n),
		     to = access_to(run, copy, &copy->to, n);
	const struct value nothing = {0};
	struct value value = {0};
	bool before[MAX_PATH];
	int read;

	memcpy(before, run->before, sizeof(before));
	from.reads = true;
	value.number = from.read_value = run_guess(run, from.cell);
	read = run_add_event(run, &from);
	if (read < 0)
		return;
	value.from[read] = value.need[read] = true;
	run_add_write(run, &to, value.number, &value, &nothing);
	for (unsigned i = (unsigned)read; i < run->path.count; i++)
		run->pending[copy->event][i] = true;
	/* what follows the call is not behind them */
	memcpy(run->before, before, sizeof(before));
}

void run_copy(struct run *run, const struct oclmm_copy *copy)
{
	for (uint32_t n = 0; n < copy->count && !run->stopped; n++) {
		unsigned at = run->path.copied;

		if (at == MAX_COPIED) {
			run->too_large = run->stopped = true;
			return;
		}
		run->path.copied++;
		run->path.copies[at] = run_choose(run, 2) == 1;
		if (run->path.copies[at] && !run->stopped)
			copy_element(run, copy, n);
	}
}

void run_wait(struct run *run, const struct oclmm_wait *wait)
{
	const struct event event = {
		.fence = true,
		.flags = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL,
		.waited = wait->event + 1,
	};

	/* K12: it may wait for a work-item that a loop keeps away */
	if (run->loops && run_choose(run, 2) == 1) {
		run->path.cut = true;
		run->stopped = true;
		return;
	}
	for (unsigned i = 0; i < MAX_PATH; i++)
		run->before[i] |= run->pending[wait->event][i];
	run_add_event(run, &event);
}

/* The makers of one element, among those of the group that have come to it. */
static bool is_copied_once(const struct candidate *c, uint32_t thread, unsigned element)
{
	unsigned makers = 0;
	bool all = true;

	for (uint32_t t = 0; t < c->program->thread_count; t++) {
		const struct path *path = c->paths[t];

		if (!share_unit(&c->program->threads[t].placement,
		                &c->program->threads[thread].placement, OCLMM_SCOPE_WORK_GROUP))
			continue;
		all = all && path->copied > element;
		makers += path->copied > element && path->copies[element];
	}
	/* another one may have ended before */
	return makers == 1 || (makers == 0 && !all);
}

bool copies_once(const struct candidate *c)
{
	for (uint32_t t = 0; t < c->program->thread_count; t++)
		for (unsigned i = 0; i < c->paths[t]->copied; i++)
			if (!is_copied_once(c, t, i))
				return false;
	return true;
}

static bool same_group(const struct candidate *c, unsigned a, unsigned b)
{
	const struct event *x = &c->events[a], *y = &c->events[b];

	return x->thread >= 0 && y->thread >= 0 && x->thread != y->thread &&
	       share_unit(&c->program->threads[x->thread].placement,
	                  &c->program->threads[y->thread].placement, OCLMM_SCOPE_WORK_GROUP);
}

bool copy_synchronizes(const struct candidate *c, unsigned access, unsigned wait)
{
	return c->events[access].copied && c->events[access].copied == c->events[wait].waited &&
	       same_group(c, access, wait);
}

bool waits_together(const struct candidate *c, unsigned a, unsigned b)
{
	return c->events[a].waited && c->events[a].waited == c->events[b].waited &&
	       same_group(c, a, b);
}

static unsigned count_waits(const struct path *path)
{
	unsigned count = 0;

	for (unsigned i = 0; i < path->count; i++)
		count += path->events[i].waited != 0;
	return count;
}

bool passes_missed_wait(const struct candidate *c)
{
	for (uint32_t t = 0; t < c->program->thread_count; t++)
		for (uint32_t u = 0; u < c->program->thread_count; u++)
			if (c->paths[u]->cut &&
			    share_unit(&c->program->threads[t].placement,
			               &c->program->threads[u].placement, OCLMM_SCOPE_WORK_GROUP) &&
			    count_waits(c->paths[t]) > count_waits(c->paths[u]))
				return true;
	return false;
}
