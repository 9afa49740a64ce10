// SPDX-License-Identifier: Apache-2.0
/*
 * Value consistency (B.7) and what makes a program undefined (B.5, B.8).
 */
#include <string.h>

#include "relations.h"

/* ---- B.7 ------------------------------------------------------------- */

/** Of two accesses to one cell of which the first happens before the second. */
static bool is_coherent_pair(const struct candidate *c, unsigned a, unsigned b)
{
	const struct event *ea = &c->events[a], *eb = &c->events[b];

	if (ea->writes && eb->writes && !c->mo[a][b])
		return false;
	if (ea->writes && eb->reads && c->mo[c->rf[b]][a])
		return false;
	if (ea->reads && eb->writes && !c->mo[c->rf[a]][b])
		return false;
	if (ea->reads && eb->reads && c->mo[c->rf[b]][c->rf[a]])
		return false;
	return true;
}

/** A non-atomic read reads a visible side effect. */
static bool reads_visible(const struct view *view, unsigned read)
{
	const struct candidate *c = view->candidate;
	unsigned w = (unsigned)c->rf[read];

	/* or, of an image, what the work-item itself wrote before */
	if (!happens_before(view, w, read, read) &&
	    !(c->events[read].space == OCLMM_SPACE_IMAGE && c->sb[w][read]))
		return false;
	for (unsigned other = 0; other < c->count; other++)
		if (c->events[other].writes && same_cell(&c->events[other], &c->events[read]) &&
		    happens_before(view, w, other, read) && happens_before(view, other, read, read))
			return false;
	return true;
}

/** A read-modify-write reads the write immediately before its own in mo. */
static bool is_atomic_update(const struct candidate *c, unsigned update)
{
	unsigned w = (unsigned)c->rf[update];

	if (!c->mo[w][update])
		return false;
	for (unsigned other = 0; other < c->count; other++)
		if (c->mo[w][other] && c->mo[other][update])
			return false;
	return true;
}

static bool is_read_consistent(const struct view *view, unsigned read)
{
	const struct candidate *c = view->candidate;
	const struct event *event = &c->events[read];

	if (happens_before(view, read, (unsigned)c->rf[read], read))
		return false;
	if (event->order == OCLMM_ORDER_NONE && !reads_visible(view, read))
		return false;
	return !event->writes || is_atomic_update(c, read);
}

/*
 * Program order on one cell is in happens-before under every reading, but for images, where only
 * fences put a read behind a write.
 */
static bool is_conceivable_pair(const struct candidate *c, unsigned a, unsigned b)
{
	const struct event *ea = &c->events[a], *eb = &c->events[b];

	if (!c->sb[a][b] || !same_cell(ea, eb) || ea->space == OCLMM_SPACE_IMAGE)
		return true;
	return !(ea->reads && c->rf[a] == (int)b) && is_coherent_pair(c, a, b);
}

bool is_conceivable(const struct candidate *c)
{
	for (unsigned i = 0; i < c->count; i++)
		if (c->events[i].reads && c->events[i].writes && !is_atomic_update(c, i))
			return false;
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++)
			if (!is_conceivable_pair(c, a, b))
				return false;
	return true;
}

bool is_consistent(const struct view *view)
{
	const struct candidate *c = view->candidate;

	for (unsigned i = 0; i < c->count; i++)
		for (unsigned r = 0; r < OCLMM_SPACE_COUNT; r++)
			if (view->hb[r][i][i])
				return false;
	for (unsigned i = 0; i < c->count; i++)
		if (c->events[i].reads && !is_read_consistent(view, i))
			return false;
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++)
			if (same_cell(&c->events[a], &c->events[b]) &&
			    happens_before(view, a, b, a) && !is_coherent_pair(c, a, b))
				return false;
	return true;
}

/* ---- undefined behaviour --------------------------------------------- */

static bool conflict(const struct event *a, const struct event *b)
{
	return same_cell(a, b) && (a->writes || b->writes);
}

/**
 * May no atomic operation order two accesses? Of two kernels of a device A:3.3.9.5 guarantees
 * atomics on shared virtual memory and program-scope variables; whether these order plain data in
 * coarse-grained memory is open, and of buffers nothing is guaranteed. Between devices, and between
 * a device and the host, only fine-grained memory with atomics is consistent outside
 * synchronization points (A:3.3.5).
 */
static bool no_promise(const struct view *view, unsigned a, unsigned b)
{
	const struct candidate *c = view->candidate;
	const struct event *ea = &c->events[a], *eb = &c->events[b];

	if (ea->thread < 0 || eb->thread < 0 || ea->thread == eb->thread)
		return false;
	switch (ea->storage) {
	case OCLMM_STORAGE_BUFFER: return in_two_kernels(c, a, b) || on_two_machines(c, a, b);
	case OCLMM_STORAGE_SVM_COARSE:
	case OCLMM_STORAGE_PROGRAM:
		return on_two_machines(c, a, b) ||
		       (in_two_kernels(c, a, b) && !(is_atomic_access(ea) && is_atomic_access(eb)));
	/* K15: or the rules on memory that they share hold of it as of all other */
	case OCLMM_STORAGE_SVM_FINE:
		return !OTHER_WAY(&view->reading, K15) && on_two_machines(c, a, b);
	default: return false;
	}
}

static bool is_race(const struct view *view, unsigned a, unsigned b)
{
	const struct candidate *c = view->candidate;
	const struct event *ea = &c->events[a], *eb = &c->events[b];

	/* a copy goes on while the work-item that began it does, C:6.15.11 */
	if (a == b || !conflict(ea, eb) || (ea->thread == eb->thread && !ea->copied && !eb->copied))
		return false;
	if (view->reading.inclusion != INCLUSION_WRITTEN && no_promise(view, a, b))
		return true;
	if (happens_before(view, a, b, a) || happens_before(view, b, a, a))
		return false;
	return !is_atomic_access(ea) || !is_atomic_access(eb) ||
	       !is_inclusive(c, &view->reading, a, ea, b, eb);
}

/**
 * The calls for barriers that a path makes, in order, written one after the other: of a split one
 * there are two. Without `sub_groups` only those of the work-group. \return how many.
 */
static unsigned list_barriers(const struct path *path, bool sub_groups, const struct event **list)
{
	unsigned count = 0;

	for (unsigned i = 0; i < path->count; i++)
		if ((path->events[i].barrier == BARRIER_ENTRY || path->events[i].split) &&
		    (sub_groups || !path->events[i].sub_group))
			list[count++] = &path->events[i];
	return count;
}

/** Barriers of the work-group, with `sub_groups` those of the sub-group too, that a path has come
 * to; `passed`: without one that it has arrived at, and not waited for. */
static unsigned count_barriers(const struct path *path, bool sub_groups, bool passed)
{
	unsigned count = 0;
	bool arrived = false;

	for (unsigned i = 0; i < path->count; i++) {
		const struct event *e = &path->events[i];

		count += e->barrier == BARRIER_ENTRY && (sub_groups || !e->sub_group);
		if (e->split)
			arrived = e->barrier == BARRIER_ENTRY;
	}
	return passed && arrived ? count - 1 : count;
}

bool is_same_barrier(const struct event *a, const struct event *b)
{
	if (a->sub_group != b->sub_group || a->flags != b->flags || a->scope != b->scope ||
	    a->split != b->split || (a->split && a->barrier != b->barrier))
		return false;
	if (a->label == NULL || b->label == NULL)
		return a->label == b->label;
	return strcmp(a->label, b->label) == 0;
}

/** Has `u` passed a barrier that `t`, cut in a loop, has not come to? */
static bool runs_ahead(const struct candidate *c, uint32_t u, uint32_t t)
{
	const struct oclmm_placement *a = &c->program->threads[t].placement;
	const struct oclmm_placement *b = &c->program->threads[u].placement;
	const struct path *of_t = c->paths[t], *of_u = c->paths[u];
	bool sub_group;
	int ahead = 0;

	if (!of_t->cut || a->host || b->host || a->device != b->device || a->queue != b->queue ||
	    a->work_group != b->work_group)
		return false;
	sub_group = a->sub_group_given && b->sub_group_given && a->sub_group == b->sub_group;
	if (count_barriers(of_u, sub_group, true) > count_barriers(of_t, sub_group, false))
		return true;
	if (!sub_group)
		return false;
	/* of both kinds together, without halves, at which nobody of a sub-group waits alone */
	for (unsigned i = 0; i < of_u->count; i++)
		ahead += of_u->events[i].barrier == BARRIER_ENTRY && !of_u->events[i].split;
	for (unsigned i = 0; i < of_t->count; i++)
		ahead -= of_t->events[i].barrier == BARRIER_ENTRY && !of_t->events[i].split;
	return ahead > 0;
}

bool passes_missed_barrier(const struct candidate *c)
{
	for (uint32_t t = 0; t < c->program->thread_count; t++)
		for (uint32_t u = 0; u < c->program->thread_count; u++)
			if (runs_ahead(c, u, t))
				return true;
	return false;
}

/** B.5: do two work-items of one group meet different barriers? */
static bool diverge(const struct candidate *c, uint32_t t, uint32_t u)
{
	const struct oclmm_placement *a = &c->program->threads[t].placement;
	const struct oclmm_placement *b = &c->program->threads[u].placement;
	const struct event *of_t[MAX_PATH], *of_u[MAX_PATH];
	bool sub_group;
	unsigned count_t, count_u;

	if (a->host || b->host || a->device != b->device || a->queue != b->queue ||
	    a->work_group != b->work_group)
		return false;
	/* work-items of one sub-group must agree on both kinds of barriers and how they
	 * interleave */
	sub_group = a->sub_group_given && b->sub_group_given && a->sub_group == b->sub_group;
	count_t = list_barriers(c->paths[t], sub_group, of_t);
	count_u = list_barriers(c->paths[u], sub_group, of_u);
	/* one that is cut may not have come to the other half yet */
	if ((count_t < count_u && !c->paths[t]->cut) || (count_u < count_t && !c->paths[u]->cut))
		return true;
	for (unsigned i = 0; i < count_t && i < count_u; i++)
		if (!is_same_barrier(of_t[i], of_u[i]))
			return true;
	return false;
}

bool is_troubled(const struct candidate *c)
{
	for (uint32_t t = 0; t < c->program->thread_count; t++) {
		if (c->paths[t]->trouble != OCLMM_UNDEFINED_NOT)
			return true;
		for (uint32_t u = 0; u < t; u++)
			if (diverge(c, t, u))
				return true;
	}
	return false;
}

bool is_undefined(const struct view *view)
{
	const struct candidate *c = view->candidate;

	if (is_troubled(c))
		return true;
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++)
			if (is_race(view, a, b))
				return true;
	return false;
}
