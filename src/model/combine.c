// SPDX-License-Identifier: Apache-2.0
/*
 * Puts one path of each thread together: numbers the events, adds the initial
 * writes, and prepares whatever does not depend on rf and mo.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"

static int add_initial_writes(struct combination *c, const struct path *const *paths)
{
	const struct oclmm_program *p = c->program;

	for (unsigned t = 0; t < p->thread_count; t++) {
		for (unsigned i = 0; i < paths[t]->event_count; i++) {
			const struct oclmm_event *e = &paths[t]->events[i];
			unsigned known = 0;

			if (e->kind == OCLMM_EVENT_FENCE)
				continue;
			while (known < c->count && c->init_cell[known] != e->cell)
				known++;
			if (known < c->count)
				continue;
			if (c->count == MAX_EVENTS)
				return -E2BIG;
			c->init_cell[c->count] = e->cell;
			c->event[c->count++] = (struct oclmm_event){.kind = OCLMM_EVENT_WRITE,
			                                            .thread = THREAD_INIT,
			                                            .cell = e->cell,
			                                            .location = e->location,
			                                            .element = e->element,
			                                            .region = e->region,
			                                            .storage = e->storage};
		}
	}
	c->init_count = c->count;
	return 0;
}

static int add_threads(struct combination *c, const struct path *const *paths)
{
	for (unsigned t = 0; t < c->program->thread_count; t++) {
		const struct path *path = paths[t];

		c->path[t] = path;
		c->cut |= path->cut;
		c->first[t] = c->count;
		if (c->count + path->event_count > MAX_EVENTS)
			return -E2BIG;
		for (unsigned i = 0; i < path->event_count; i++) {
			struct stored *stored = &c->stored[c->count + i];

			c->event[c->count + i] = path->events[i];
			*stored = path->stored[i];
			stored->reads <<= c->first[t];
			stored->needed <<= c->first[t];
			c->sb[c->count + i] = path->sb[i] << c->first[t];
		}
		c->count += path->event_count;
		if (path->undefined && !c->undefined) {
			c->undefined = path->undefined;
			c->undefined_position = path->undefined_position;
			c->undefined_thread = (int)t;
		}
	}
	return 0;
}

static void note_region(struct combination *c, const struct oclmm_event *e)
{
	unsigned regions = e->kind == OCLMM_EVENT_FENCE ? e->flags : 1u << e->region;

	while (regions >> c->region_count)
		c->region_count++;
}

static void classify(struct combination *c)
{
	for (unsigned i = 0; i < c->count && i < MAX_EVENTS; i++) {
		const struct oclmm_event *e = &c->event[i];

		if (e->waited || e->enqueued) {
			c->waits |= BIT(i);
		} else if (e->kind == OCLMM_EVENT_FENCE) {
			c->fences |= BIT(i);
		} else {
			if (oclmm_event_reads(e))
				c->reads |= BIT(i);
			if (oclmm_event_writes(e))
				c->writes |= BIT(i);
			if (oclmm_event_is_atomic(e))
				c->atomics |= BIT(i);
			for (unsigned k = 0; k < c->init_count; k++)
				if (c->init_cell[k] == e->cell)
					c->init_of[i] = k;
			c->of_cell[c->init_of[i]] |= BIT(i);
			c->of_region[e->region] |= BIT(i);
			c->storages |= 1u << e->storage;
		}
		note_region(c, e);
		if (e->order == OCLMM_ORDER_SEQ_CST)
			c->seq_cst |= BIT(i);
		c->pinned |= c->stored[i].needed != c->stored[i].reads;
		if (e->one_way && c->world & ALT_K11)
			c->one_way |= BIT(i);
	}
}

/*
 * The end points of synchronisation (A:3.3.9.1, A:3.3.9.2): an atomic itself
 * when its order releases (acquires), and every releasing (acquiring) fence
 * before (after) it whose flags name the location's region.
 */
static void find_sides(struct combination *c)
{
	FOR_EACH (i, c->atomics) {
		const struct oclmm_event *e = &c->event[i];
		unsigned region = 1u << e->region;

		if (c->writes & BIT(i) && oclmm_order_releases(e->order))
			c->release_side[i] |= BIT(i);
		if (c->reads & BIT(i) && oclmm_order_acquires(e->order))
			c->acquire_side[i] |= BIT(i);
		FOR_EACH (f, c->fences) {
			const struct oclmm_event *fence = &c->event[f];

			if (!(fence->flags & region))
				continue;
			if (c->writes & BIT(i) && c->sb[f] & BIT(i) &&
			    oclmm_order_releases(fence->order))
				c->release_side[i] |= BIT(f);
			if (c->reads & BIT(i) && c->sb[i] & BIT(f) &&
			    oclmm_order_acquires(fence->order))
				c->acquire_side[i] |= BIT(f);
		}
	}
}

/* ---- barriers -------------------------------------------------------- */

static bool same_sub_group(const struct combination *c, int a, int b)
{
	return oclmm_scope_covers(c->program, OCLMM_SCOPE_SUB_GROUP, a, b);
}

/* The n-th barrier event of a thread, by kind and side, or -1. */
static int find_barrier(const struct combination *c, int thread, bool sub_group, uint32_t instance,
                        bool entry)
{
	FOR_EACH (f, c->fences) {
		const struct oclmm_event *e = &c->event[f];

		if (e->barrier && e->thread == thread && e->sub_group == sub_group &&
		    e->instance == instance && e->entry == entry)
			return (int)f;
	}
	return -1;
}

static bool same_label(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/*
 * Flags and scope shall be uniform in the group (C:6.15.8), and work-items of
 * one sub-group meet their barriers of both kinds in the same order.
 */
static bool barriers_match(const struct combination *c, const struct oclmm_event *a,
                           const struct oclmm_event *b)
{
	return a->flags == b->flags && a->scope == b->scope && same_label(a->label, b->label) &&
	       (a->sequence == b->sequence || !same_sub_group(c, a->thread, b->thread));
}

static void diverge(struct combination *c, unsigned at, int missing_thread)
{
	if (c->undefined)
		return;
	c->undefined = OCLMM_UNDEFINED_DIVERGENCE;
	c->undefined_position = c->event[at].position;
	c->undefined_thread = missing_thread;
	c->undefined_at = at;
}

/* entry_i synchronizes with exit_j in every region of the flags (A:3.3.9.3, A:3.3.9.4). */
static void connect_barriers(struct combination *c)
{
	FOR_EACH (f, c->fences) {
		const struct oclmm_event *entry = &c->event[f];

		if (!entry->barrier || !entry->entry)
			continue;
		for (int t = 0; t < (int)c->program->thread_count; t++) {
			bool together = oclmm_scope_covers(c->program,
			                                   entry->sub_group
			                                           ? OCLMM_SCOPE_SUB_GROUP
			                                           : OCLMM_SCOPE_WORK_GROUP,
			                                   entry->thread, t);

			if (t == entry->thread || !together)
				continue;

			int exit = find_barrier(c, t, entry->sub_group, entry->instance, false);

			if (exit < 0 && c->path[t]->cut) {
				c->impossible = true;
				return;
			}
			if (exit < 0 || !barriers_match(c, entry, &c->event[exit])) {
				diverge(c, (unsigned)f, t);
				continue;
			}
			for (unsigned r = 0; r < OCLMM_SPACE_COUNT; r++)
				if (entry->flags & 1u << r)
					c->group_sw[r][f] |= BIT(exit);
		}
	}
}

/* ---- copies of a work-group -------------------------------------------- */

/* Whether two work-items agree on who makes the copies that both have come to. */
static bool same_makers(const struct path *a, const struct path *b)
{
	unsigned count = a->copy_count < b->copy_count ? a->copy_count : b->copy_count;

	return memcmp(a->maker, b->maker, count) == 0;
}

/* What is copied is there behind each wait for it, C:6.15.11. */
static void connect_copies(struct combination *c)
{
	for (int t = 0; t < (int)c->program->thread_count; t++)
		for (int u = 0; u < t; u++)
			c->impossible |= !same_makers(c->path[t], c->path[u]) &&
			                 oclmm_scope_covers(c->program, OCLMM_SCOPE_WORK_GROUP, t,
			                                    u);
	FOR_EACH (a, c->waits ? c->reads | c->writes : 0) {
		const struct oclmm_event *e = &c->event[a];

		if (!e->copied)
			continue;
		FOR_EACH (b, c->waits)
			if (c->event[b].waited == e->copied && c->event[b].thread != e->thread &&
			    oclmm_scope_covers(c->program, OCLMM_SCOPE_WORK_GROUP, e->thread,
			                       c->event[b].thread))
				c->group_sw[e->region][a] |= BIT(b);
	}
}

/* ---- commands -------------------------------------------------------- */

/* What a command has done before another begins, A:3.3.9.5; whatever each of them reads. */
static void connect_commands(struct combination *c)
{
	struct oclmm_command_order order;

	if (!oclmm_program_has_commands(c->program))
		return;
	oclmm_command_order(c->program, &order);
	for (unsigned a = c->init_count; a < c->count; a++)
		for (unsigned b = c->init_count; b < c->count; b++)
			if (oclmm_command_ordered(&order, (uint32_t)c->event[a].thread,
			                          (uint32_t)c->event[b].thread))
				c->command_sw[a] |= BIT(b);
}

/* ---- OpenCL 2.0's condition for the total order (A20:3.3.6.1) --------- */

/* Whether a work-item accesses an object in memory with SVM atomics. */
static bool accesses_svm(const struct combination *c, int thread)
{
	FOR_EACH (i, c->reads | c->writes)
		if (c->event[i].thread == thread &&
		    oclmm_storage_has_svm_atomics(c->event[i].storage))
			return true;
	return false;
}

/*
 * A fence affects no location itself. As written it meets both conditions; K10:
 * it never meets the first, and the second only where its work-item accesses
 * nothing that the second excludes.
 */
static void find_conditional_order(struct combination *c)
{
	bool all_svm = true, all_device = true, fences_svm = true, fences_device = true;

	FOR_EACH (i, c->seq_cst) {
		const struct oclmm_event *e = &c->event[i];
		bool fence = e->kind == OCLMM_EVENT_FENCE;
		bool svm = !fence && oclmm_storage_has_svm_atomics(e->storage);
		bool other = !fence && !oclmm_storage_has_svm_atomics(e->storage);

		all_svm &= e->scope == OCLMM_SCOPE_ALL_SVM_DEVICES && !other;
		all_device &= e->scope == OCLMM_SCOPE_DEVICE && !svm;
		fences_svm &= !fence;
		fences_device &= !fence || !accesses_svm(c, e->thread);
	}
	c->conditional_order = all_svm || all_device;
	c->conditional_order_fences = (all_svm && fences_svm) || (all_device && fences_device);
}

int oclmm_combine(const struct oclmm_program *program, const struct path *const *paths,
                  unsigned world, struct oclmm_error *error, struct combination *c)
{
	/* views are large and filled later */
	memset(c, 0, offsetof(struct combination, view));
	c->world = world;
	c->view_count = 0;
	c->program = program;
	if (add_initial_writes(c, paths) < 0 || add_threads(c, paths) < 0)
		return oclmm_error_set(error, -E2BIG,
		                       "test %s has more than %d events, initial writes included",
		                       program->name, MAX_EVENTS);
	classify(c);
	find_sides(c);
	connect_barriers(c);
	connect_copies(c);
	connect_commands(c);
	oclmm_connect_children(c);
	find_conditional_order(c);
	return 0;
}
