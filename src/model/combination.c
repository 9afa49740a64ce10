// SPDX-License-Identifier: Apache-2.0
/*
 * One path of each thread put together: numbers the events, adds the initial writes, and prepares
 * whatever rf and mo do not change; and the views, which are what the readings make of it.
 */
#include "internal.h"

#include <errno.h>
#include <string.h>

bool oclmm_scope_covers(const struct oclmm_program *program, enum oclmm_scope scope, int a, int b)
{
	const struct oclmm_placement *p = &program->threads[a].placement;
	const struct oclmm_placement *q = &program->threads[b].placement;
	bool device = !p->host && !q->host && p->device == q->device;

	if (a == b)
		return true;
	switch (scope) {
	case OCLMM_SCOPE_SUB_GROUP: return oclmm_same_sub_group(p, q);
	case OCLMM_SCOPE_WORK_GROUP: return oclmm_same_work_group(p, q);
	case OCLMM_SCOPE_DEVICE: return device;
	case OCLMM_SCOPE_ALL_SVM_DEVICES: return true;
	default: return false;
	}
}

/* ---- events ------------------------------------------------------------ */

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
			c->undefined_statement = path->undefined_statement;
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
 * Flags and scope shall be uniform in the group (C:6.15.8), and of a text that they share all come
 * to it in the same turns, if anybody does; work-items of one sub-group meet their barriers of both
 * kinds in the same order.
 */
static bool barriers_match(const struct combination *c, const struct oclmm_event *a,
                           const struct oclmm_event *b)
{
	return a->flags == b->flags && a->scope == b->scope && a->split == b->split &&
	       same_label(a->label, b->label) && a->turn == b->turn &&
	       (a->sequence == b->sequence ||
	        !oclmm_scope_covers(c->program, OCLMM_SCOPE_SUB_GROUP, a->thread, b->thread));
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

/*
 * Calls for one half of a barrier are alike in the group, as those for a whole one are. An arrival
 * synchronizes with the waits for it, where the flags of both name the region and the scopes of
 * both reach the other work-item (cl_intel_split_work_group_barrier).
 * \return false: it waits for a work-item that never arrives
 */
static bool connect_half(struct combination *c, unsigned half, int t)
{
	const struct oclmm_event *own = &c->event[half];
	int same = find_barrier(c, t, false, own->instance, own->entry);
	int other = find_barrier(c, t, false, own->instance, !own->entry);
	enum oclmm_scope scope;

	if (!own->entry && other < 0 && c->path[t]->cut)
		return false;
	if (same < 0 ? !c->path[t]->cut : !barriers_match(c, own, &c->event[same]))
		diverge(c, half, t);
	if (!own->entry || other < 0 || !c->event[other].split)
		return true;
	scope = own->scope < c->event[other].scope ? own->scope : c->event[other].scope;
	for (unsigned r = 0; r < OCLMM_SPACE_COUNT; r++)
		if (own->flags & c->event[other].flags & 1u << r &&
		    oclmm_scope_covers(c->program, scope, own->thread, t))
			c->group_sw[r][half] |= BIT(other);
	return true;
}

/* entry_i synchronizes with exit_j in every region of the flags (A:3.3.9.3, A:3.3.9.4). */
static void connect_barriers(struct combination *c)
{
	FOR_EACH (f, c->fences) {
		const struct oclmm_event *entry = &c->event[f];

		if (!entry->barrier || (!entry->entry && !entry->split))
			continue;
		for (int t = 0; t < (int)c->program->thread_count; t++) {
			bool together = oclmm_scope_covers(c->program,
			                                   entry->sub_group
			                                           ? OCLMM_SCOPE_SUB_GROUP
			                                           : OCLMM_SCOPE_WORK_GROUP,
			                                   entry->thread, t);

			if (t == entry->thread || !together)
				continue;
			if (entry->split) {
				c->impossible |= !connect_half(c, (unsigned)f, t);
				continue;
			}

			int exit = find_barrier(c, t, entry->sub_group, entry->instance, false);

			if (exit < 0 && c->path[t]->cut &&
			    find_barrier(c, t, entry->sub_group, entry->instance, true) < 0) {
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

/*
 * Two work-items of a sub-group that have passed the same barriers, and wait for each other at
 * barriers of different kinds. None of their paths is longer, so no later event shows it.
 */
static void find_mutual_waits(struct combination *c)
{
	for (uint32_t t = 0; c->cut && t < c->program->thread_count; t++)
		for (uint32_t u = 0; u < t; u++) {
			const struct waiting *a = &c->path[u]->waiting, *b = &c->path[t]->waiting;

			if (c->undefined || !a->at || !b->at || a->sequence != b->sequence ||
			    a->sub_group == b->sub_group ||
			    !oclmm_scope_covers(c->program, OCLMM_SCOPE_SUB_GROUP, (int)t, (int)u))
				continue;
			c->undefined = OCLMM_UNDEFINED_DIVERGENCE;
			c->undefined_thread = (int)u;
			c->undefined_position = a->at->position;
			c->undefined_statement = a->at;
			c->undefined_at = NO_BARRIER;
		}
}

/* ---- copies of a work-group -------------------------------------------- */

/* Whether two work-items agree on who makes the copies that both reached. */
static bool same_makers(const struct path *a, const struct path *b)
{
	unsigned count = a->copy_count < b->copy_count ? a->copy_count : b->copy_count;

	return memcmp(a->maker, b->maker, count) == 0;
}

/* A copy is complete behind each wait for it, C:6.15.11. */
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

/* K17: the call of a blocking write "copies the data referred to by ptr and enqueues". */
static bool is_read_by_call(const struct combination *c, unsigned readings,
                            const struct oclmm_event *e)
{
	return readings & OCLMM_COMMANDS_EARLY_WRITES && e->kind == OCLMM_EVENT_READ &&
	       oclmm_is_blocking_write(c->program, (uint32_t)e->thread);
}

/* What a command does before another begins, A:3.3.9.5, whatever values they read. */
static void order_commands(const struct combination *c, unsigned readings,
                           struct oclmm_command_order *ret_order, row *ret)
{
	struct oclmm_command_order *order = ret_order;

	oclmm_command_order(c->program, readings, order);
	for (unsigned a = c->init_count; a < c->count; a++)
		for (unsigned b = c->init_count; b < c->count; b++) {
			const struct oclmm_event *x = &c->event[a], *y = &c->event[b];
			enum oclmm_command_moment from = is_read_by_call(c, readings, x)
			                                         ? OCLMM_MOMENT_CALL
			                                         : OCLMM_MOMENT_END;
			enum oclmm_command_moment to = is_read_by_call(c, readings, y)
			                                       ? OCLMM_MOMENT_CALL
			                                       : OCLMM_MOMENT_BEGIN;

			if (x->thread != y->thread &&
			    order->before[oclmm_moment((uint32_t)x->thread, from)] >>
			                    oclmm_moment((uint32_t)y->thread, to) &
			            1)
				ret[a] |= BIT(b);
		}
}

void oclmm_order_commands_by(const struct combination *c, unsigned readings, row *ret)
{
	struct oclmm_command_order order;

	if (oclmm_program_has_commands(c->program))
		order_commands(c, readings, &order, ret);
}

/* K19: a driver may cache the contents of a buffer that is made over memory (A:5.2.1). */
static void find_unshown(const struct combination *c, const struct oclmm_command_order *order,
                         row *ret)
{
	FOR_EACH (a, c->writes) {
		const struct oclmm_event *x = &c->event[a];

		FOR_EACH (b, x->thread == THREAD_INIT ? 0 : c->of_cell[c->init_of[a]]) {
			const struct oclmm_event *y = &c->event[b];

			if (y->thread != THREAD_INIT && y->thread != x->thread &&
			    oclmm_command_by_buffer(c->program, (uint32_t)x->thread, x->location) !=
			            oclmm_command_by_buffer(c->program, (uint32_t)y->thread,
			                                    y->location) &&
			    !oclmm_command_is_shown(c->program, order, (uint32_t)x->thread,
			                            (uint32_t)y->thread, x->location))
				ret[a] |= BIT(b);
		}
	}
}

void oclmm_find_unshown(const struct combination *c, unsigned readings, row *ret)
{
	struct oclmm_command_order order;

	if (!oclmm_program_has_commands(c->program))
		return;
	oclmm_command_order(c->program, readings, &order);
	find_unshown(c, &order, ret);
}

static void connect_commands(struct combination *c)
{
	unsigned readings = (c->world & ALT_K17 ? OCLMM_COMMANDS_EARLY_WRITES : 0) |
	                    (c->world & ALT_K18 ? OCLMM_COMMANDS_SEEN_COMPLETE : 0);
	struct oclmm_command_order order;

	if (!oclmm_program_has_commands(c->program))
		return;
	order_commands(c, readings, &order, c->command_sw);
	if (c->world & ALT_K19)
		find_unshown(c, &order, c->unshown);
	if (!c->undefined && oclmm_command_find_overlap(c->program, &order, &c->overlap)) {
		switch (c->overlap.kind) {
		case OCLMM_OVERLAP_MAPPED:
		case OCLMM_OVERLAP_EARLY:
		case OCLMM_OVERLAP_MIGRATED: c->undefined = OCLMM_UNDEFINED_OVERLAP; break;
		case OCLMM_OVERLAP_SIGNALED:
		case OCLMM_OVERLAP_AWAITED: c->undefined = OCLMM_UNDEFINED_SEMAPHORE; break;
		case OCLMM_OVERLAP_UNACQUIRED:
		case OCLMM_OVERLAP_UNRELEASED: c->undefined = OCLMM_UNDEFINED_EXTERNAL; break;
		}
		c->undefined_thread = (int)c->overlap.thread;
		c->undefined_position = c->program->threads[c->overlap.thread].position;
	}
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

/* ---- child kernels: what comes before one, A:3.3.9.5 ------------------- */

/*
 * An access in fine-grained shared virtual memory. Item 1: what enqueues a command
 * synchronizes with it, but of a device "only in the case of fine-grained SVM". K13: always.
 */
static bool is_ordered_by_call(const struct combination *c, unsigned i)
{
	const struct oclmm_event *e = &c->event[i];

	return c->world & ALT_K13 ||
	       (e->kind != OCLMM_EVENT_FENCE && (oclmm_storage_has_svm_atomics(e->storage) ||
	                                         e->storage == OCLMM_STORAGE_SVM_FINE));
}

static bool is_global(const struct oclmm_event *e)
{
	return e->kind == OCLMM_EVENT_FENCE ? e->flags & OCLMM_FLAG_GLOBAL
	                                    : e->region == OCLMM_SPACE_GLOBAL;
}

/* Whether a thread has ended before the child begins: items 2 and 3, 13, 14. */
static bool has_ended(const struct combination *c, const struct oclmm_enqueue *enqueue,
                      uint32_t parent, uint32_t thread)
{
	const struct oclmm_placement *own = &c->program->threads[thread].placement,
				     *of = &c->program->threads[parent].placement;

	if (enqueue->after == thread + 1)
		return true;
	switch (enqueue->flag) {
	case OCLMM_ENQUEUE_WAIT_KERNEL: return oclmm_same_kernel(own, of);
	case OCLMM_ENQUEUE_WAIT_WORK_GROUP: return oclmm_same_work_group(own, of);
	default: return false;
	}
}

static row events_of(const struct combination *c, uint32_t thread)
{
	row events = 0;

	for (unsigned i = c->init_count; i < c->count; i++)
		if (c->event[i].thread == (int)thread && is_global(&c->event[i]))
			events |= BIT(i);
	return events;
}

static void connect_call(struct combination *c, unsigned call)
{
	uint32_t child = c->event[call].enqueued - 1, parent;
	const struct oclmm_enqueue *enqueue = oclmm_find_enqueue(c->program, child, &parent);
	row all = events_of(c, child), ordered = 0;

	FOR_EACH (b, all)
		if (is_ordered_by_call(c, (unsigned)b))
			ordered |= BIT(b);
	for (uint32_t t = 0; t < c->program->thread_count; t++)
		FOR_EACH (a, events_of(c, t)) {
			if (has_ended(c, enqueue, parent, t))
				c->child_sw[a] |= all;
			else if (c->sb[a] & BIT(call) && is_ordered_by_call(c, (unsigned)a))
				c->child_sw[a] |= ordered;
		}
}

static void connect_children(struct combination *c)
{
	FOR_EACH (call, c->waits)
		if (c->event[call].enqueued)
			connect_call(c, (unsigned)call);
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
	find_mutual_waits(c);
	connect_copies(c);
	connect_commands(c);
	connect_children(c);
	find_conditional_order(c);
	return 0;
}

/* ---- views ------------------------------------------------------------- */

/*
 * Inclusive scopes (A:3.3.8), and what else happens-before takes from the reading. Settings with
 * the same view share it, so that happens-before is computed once for them.
 */

/* Scope reduction: local objects are known to one work-group, what is no shared virtual memory with
 * atomics to one device. */
static enum oclmm_scope effective(enum oclmm_scope scope, enum oclmm_storage storage)
{
	if (storage == OCLMM_STORAGE_LOCAL && scope > OCLMM_SCOPE_WORK_GROUP)
		return OCLMM_SCOPE_WORK_GROUP;
	if (!oclmm_storage_has_svm_atomics(storage) && scope == OCLMM_SCOPE_ALL_SVM_DEVICES)
		return OCLMM_SCOPE_DEVICE;
	return scope;
}

/* Whether two threads are of two kernels of one device. */
static bool kernels_apart(const struct oclmm_program *program, int a, int b)
{
	return oclmm_two_kernels(&program->threads[a].placement, &program->threads[b].placement);
}

static bool scopes_include(const struct combination *c, const struct oclmm_reading *s,
                           enum oclmm_scope x, enum oclmm_scope y, int a, int b)
{
	enum oclmm_scope narrow = x < y ? x : y;

	if (x <= OCLMM_SCOPE_WORK_ITEM || y <= OCLMM_SCOPE_WORK_ITEM)
		return false;
	if (x != y && s->regime != OCLMM_MODEL_OPENCL_3_1)
		return false;
	return oclmm_scope_covers(c->program, narrow, a, b);
}

/*
 * Reduces the scopes of two events by the memory that each is used on. K14: a fence is used on no
 * memory object, so its scope stays as written. Scopes that are written alike stay alike.
 */
static void reduce(const struct combination *c, const struct oclmm_event *x,
                   enum oclmm_storage of_x, const struct oclmm_event *y, enum oclmm_storage of_y,
                   enum oclmm_scope *p, enum oclmm_scope *q)
{
	bool written = c->world & ALT_K14 && *p != *q;

	if (!written || x->kind != OCLMM_EVENT_FENCE || of_x == OCLMM_STORAGE_LOCAL)
		*p = effective(*p, of_x);
	if (!written || y->kind != OCLMM_EVENT_FENCE || of_y == OCLMM_STORAGE_LOCAL)
		*q = effective(*q, of_y);
}

/* K7: towards another work-group a legacy atomic may count as device-scoped. */
static enum oclmm_scope scope_towards(const struct combination *c, const struct oclmm_reading *s,
                                      const struct oclmm_event *e, const struct oclmm_event *other)
{
	if (s->alternatives & ALT_K7 && e->legacy &&
	    !oclmm_scope_covers(c->program, OCLMM_SCOPE_WORK_GROUP, e->thread, other->thread))
		return OCLMM_SCOPE_DEVICE;
	return e->scope;
}

static bool reduces(const struct combination *c, const struct oclmm_reading *s)
{
	return s->regime != OCLMM_MODEL_SCOPED || c->world & BY_TEXT_SCOPES;
}

static bool knows_memory(const struct combination *c, const struct oclmm_reading *s)
{
	return s->regime != OCLMM_MODEL_SCOPED || c->world & BY_TEXT_MEMORY;
}

static bool is_inclusive(const struct combination *c, const struct oclmm_reading *s, unsigned a,
                         unsigned b, enum oclmm_storage storage)
{
	const struct oclmm_event *x = &c->event[a], *y = &c->event[b];
	enum oclmm_scope p = scope_towards(c, s, x, y), q = scope_towards(c, s, y, x);

	if (x->thread == THREAD_INIT || y->thread == THREAD_INIT)
		return false;
	/* atomic operations of two kernels on one buffer are the implementation's (A:3.3.9.5) */
	if (knows_memory(c, s) && storage == OCLMM_STORAGE_BUFFER &&
	    kernels_apart(c->program, x->thread, y->thread))
		return false;
	if (reduces(c, s))
		reduce(c, x, storage, y, storage, &p, &q);
	return scopes_include(c, s, p, q, x->thread, y->thread);
}

/*
 * Inclusion of two events without a common location, as the scoped order of
 * seq_cst needs it: each access is reduced by its own location, a fence by the
 * other's; two fences count as written.
 */
static bool is_inclusive_apart(const struct combination *c, const struct oclmm_reading *s,
                               unsigned a, unsigned b)
{
	const struct oclmm_event *x = &c->event[a], *y = &c->event[b];
	bool x_fence = x->kind == OCLMM_EVENT_FENCE, y_fence = y->kind == OCLMM_EVENT_FENCE;
	enum oclmm_scope p = scope_towards(c, s, x, y), q = scope_towards(c, s, y, x);

	if (!(x_fence && y_fence)) {
		enum oclmm_storage k = x_fence ? y->storage : x->storage,
				   l = y_fence ? x->storage : y->storage;

		if (knows_memory(c, s) &&
		    (k == OCLMM_STORAGE_BUFFER || l == OCLMM_STORAGE_BUFFER) &&
		    kernels_apart(c->program, x->thread, y->thread))
			return false;
		if (reduces(c, s))
			reduce(c, x, k, y, l, &p, &q);
	}
	return scopes_include(c, s, p, q, x->thread, y->thread);
}

static bool is_total(const struct combination *c, const row *inclusive)
{
	FOR_EACH (a, c->seq_cst)
		if (c->seq_cst & ~inclusive[a] & ~BIT(a))
			return false;
	return true;
}

/* Both kinds of inclusion are symmetric, and only events with a scope are in one. */
static void find_inclusion(const struct combination *c, const struct oclmm_reading *s,
                           struct view *v)
{
	row scoped = c->atomics | c->fences;

	FOR_EACH (a, scoped) {
		FOR_EACH (b, scoped & (BIT(a) - 1)) {
			bool apart = c->event[a].thread != c->event[b].thread;

			FOR_EACH (k, apart ? c->storages : 0) {
				if (is_inclusive(c, s, a, b, (enum oclmm_storage)k)) {
					v->inclusive[k][a] |= BIT(b);
					v->inclusive[k][b] |= BIT(a);
				}
			}
			if (c->seq_cst & BIT(a) && c->seq_cst & BIT(b) &&
			    is_inclusive_apart(c, s, a, b)) {
				v->sc_inclusive[a] |= BIT(b);
				v->sc_inclusive[b] |= BIT(a);
			}
		}
	}
}

/*
 * Under 2.0, where no total order is required, seq_cst is acquire and release
 * for the whole program: neither K3 nor the pair rule for both regions applies.
 */
static bool is_degraded(const struct combination *c, const struct oclmm_reading *s)
{
	return s->regime == OCLMM_MODEL_OPENCL_2_0 &&
	       !(s->alternatives & ALT_K10 ? c->conditional_order_fences : c->conditional_order);
}

static void find_acts(const struct combination *c, const struct oclmm_reading *s, struct view *v)
{
	bool both = s->alternatives & ALT_K3 && !is_degraded(c, s);

	for (unsigned i = 0; i < c->count; i++) {
		const struct oclmm_event *e = &c->event[i];

		for (unsigned r = 0; r < c->region_count; r++) {
			bool acts = e->kind == OCLMM_EVENT_FENCE ? e->flags >> r & 1
			                                         : e->region == r;

			/* K3: seq_cst atomics as actions of both regions */
			acts |= both && r != OCLMM_SPACE_IMAGE && c->seq_cst & c->atomics & BIT(i);
			if (acts)
				v->acts[r] |= BIT(i);
		}
	}
	/* the pair rule matters only where both regions have actions */
	if (v->acts[OCLMM_SPACE_GLOBAL] && v->acts[OCLMM_SPACE_LOCAL] && !is_degraded(c, s))
		v->seq_cst = c->seq_cst;
}

bool oclmm_is_unshown(const struct combination *c, unsigned a, unsigned b)
{
	bool before = c->command_sw[a] & BIT(b), behind = c->command_sw[b] & BIT(a);

	return (before && c->unshown[a] & BIT(b)) || (behind && c->unshown[b] & BIT(a));
}

/* Whether happens-before can order no two accesses of this program; `scoped` has no kinds of
 * memory. */
static bool is_apart(const struct combination *c, const struct view *v, unsigned a, unsigned b)
{
	const struct oclmm_event *x = &c->event[a], *y = &c->event[b];
	const struct oclmm_thread *threads = c->program->threads;

	if (oclmm_is_unshown(c, a, b))
		return true;
	/* K15: the rules of this memory hold for all memory that host and devices share */
	if (c->world & ALT_K15 && x->storage == OCLMM_STORAGE_SVM_FINE)
		return false;
	return (!v->scoped || c->world & BY_TEXT_MEMORY) && x->thread != y->thread &&
	       oclmm_at_commands_only(&threads[x->thread].placement, &threads[y->thread].placement,
	                              x->storage,
	                              !oclmm_event_is_atomic(x) || !oclmm_event_is_atomic(y));
}

/*
 * Whether two accesses are of different units of execution. A copy is made by the group, beside the
 * work-item that calls it. It is complete at the wait (C:6.15.11), so that it races with what the
 * work-item does before that, and with another copy.
 */
static bool are_of_two(const struct oclmm_event *x, const struct oclmm_event *y)
{
	return x->thread != y->thread || x->copied || y->copied;
}

/* Conflicts that only happens-before can keep from being races (A:3.3.9). */
static void find_racing(const struct combination *c, struct view *v)
{
	for (unsigned a = c->init_count; a < c->count; a++) {
		const struct oclmm_event *x = &c->event[a];

		if (x->kind == OCLMM_EVENT_FENCE)
			continue;
		FOR_EACH (b, c->of_cell[c->init_of[a]]) {
			const struct oclmm_event *y = &c->event[b];
			bool shielded = oclmm_event_is_atomic(x) && oclmm_event_is_atomic(y) &&
			                v->inclusive[x->storage][a] & BIT(b);

			if (b > a && are_of_two(x, y) &&
			    (oclmm_event_writes(x) || oclmm_event_writes(y)) && !shielded) {
				v->racing[a] |= BIT(b);
				v->apart[a] |= is_apart(c, v, a, b) ? BIT(b) : 0;
			}
		}
	}
}

/* K5 changes nothing where every releasing and acquiring pair of atomics is inclusive anyway. */
static bool scope_condition_matters(const struct combination *c, const struct view *v)
{
	FOR_EACH (a, c->writes & c->atomics) {
		if (!oclmm_order_releases(c->event[a].order))
			continue;
		FOR_EACH (b, c->of_cell[c->init_of[a]] & c->reads & c->atomics)
			if (oclmm_order_acquires(c->event[b].order) &&
			    c->event[a].thread != c->event[b].thread &&
			    !(v->inclusive[c->event[a].storage][a] & BIT(b)))
				return true;
	}
	return false;
}

static bool same_view(const struct combination *c, const struct view *a, const struct view *b)
{
	size_t rows = c->count * sizeof(row);
	bool same = a->scoped == b->scoped && a->seq_cst == b->seq_cst &&
	            memcmp(a->acts, b->acts, sizeof(a->acts)) == 0 &&
	            memcmp(a->sc_inclusive, b->sc_inclusive, rows) == 0 &&
	            !((a->alternatives ^ b->alternatives) & ALT_K5);

	FOR_EACH (k, c->storages)
		same = same && memcmp(a->inclusive[k], b->inclusive[k], rows) == 0;
	return same;
}

/* Keeps the view that was made behind the last one, unless there is an equal one. */
static struct view *take_view(struct combination *c)
{
	struct view *wanted = &c->view[c->view_count];

	for (unsigned i = 0; i < c->view_count; i++)
		if (same_view(c, &c->view[i], wanted))
			return &c->view[i];
	c->view_count++;
	return wanted;
}

/* K2, K4 and K8 as a number 0 … 7. */
static unsigned seq_cst_key(unsigned alternatives)
{
	return (alternatives & ALT_K2 ? 1u : 0) | (alternatives & ALT_K4 ? 2u : 0) |
	       (alternatives & ALT_K8 ? 4u : 0);
}

/* Empties a view; only the rows of existing events are cleared. */
static void start_view(const struct combination *c, const struct oclmm_reading *s, struct view *v)
{
	size_t rows = c->count * sizeof(row);

	v->regime = s->regime;
	v->alternatives = s->alternatives & ALT_HB;
	v->scoped = s->regime == OCLMM_MODEL_SCOPED;
	v->seq_cst = 0;
	FOR_EACH (k, c->storages)
		memset(v->inclusive[k], 0, rows);
	memset(v->sc_inclusive, 0, rows);
	memset(v->racing, 0, rows);
	memset(v->apart, 0, rows);
	memset(v->acts, 0, sizeof(v->acts));
	memset(v->settings, 0, sizeof(v->settings));
	memset(v->present, 0, sizeof(v->present));
	memset(&v->all, 0, sizeof(v->all));
}

static struct view *make_view(struct combination *c, const struct oclmm_reading *s)
{
	struct view *v = &c->view[c->view_count];

	start_view(c, s, v);
	find_inclusion(c, s, v);
	v->sc_all_inclusive = is_total(c, v->sc_inclusive);
	find_acts(c, s, v);
	find_racing(c, v);
	if (!scope_condition_matters(c, v))
		v->alternatives &= ~(unsigned)ALT_K5;
	return take_view(c);
}

void oclmm_views_build(struct combination *c, const struct setting_list *settings)
{
	/* views already made, by regime and the alternatives that they depend on */
	struct view *made[REGIME_COUNT][ALT_HB + 1] = {{0}};

	c->view_count = 0;
	for (unsigned i = 0; i < settings->count; i++) {
		const struct oclmm_reading *s = &settings->items[i];
		bool degraded = is_degraded(c, s);
		/* 2.0 and 2.1 differ in seq_cst only */
		enum oclmm_model regime = s->regime == OCLMM_MODEL_OPENCL_2_0 && !degraded
		                                  ? OCLMM_MODEL_OPENCL_2_1
		                                  : s->regime;
		struct view **slot = &made[regime][s->alternatives & ALT_HB];
		unsigned key = seq_cst_key(s->alternatives);

		if (!oclmm_is_reading(s->regime, c->world))
			continue;
		if (!*slot && s->alternatives & ALT_K5) {
			struct view *without =
				made[regime][s->alternatives & ALT_HB & ~(unsigned)ALT_K5];

			if (without && !scope_condition_matters(c, without))
				*slot = without;
		}
		if (!*slot)
			*slot = make_view(c, s);
		setting_add(&(*slot)->settings[degraded][key], i);
		setting_add(&(*slot)->all, i);
		(*slot)->present[degraded][key] = true;
	}
}
