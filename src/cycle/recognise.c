// SPDX-License-Identifier: Apache-2.0
/*
 * From a program to its cycle: every order of the threads, and of each update the side that an edge
 * touches, is tried, and the test of the cycle is made again and compared.
 */
#include "internal.h"
#include "oclmm/syntax.h"

/* So many candidates: a test of a dozen updates is not worth more. */
enum { MOST_CANDIDATES = 20000 };

struct candidate {
	const struct skeleton *skeleton;
	unsigned map[OCLMM_CYCLE_MAX]; /* the program's threads in the order of the cycle */
	struct oclmm_cycle cycle;
	const struct skeleton_item *item[OCLMM_CYCLE_MAX]; /* by access */
	bool barrier_first[OCLMM_CYCLE_MAX]; /* by access: in front of a thread's first */
	const struct oclmm_cycle_fence *barrier[OCLMM_CYCLE_MAX]; /* behind a thread's last */
	bool in_write[OCLMM_CYCLE_MAX], out_write[OCLMM_CYCLE_MAX];
	unsigned tried;
};

/* ---- accesses and fences ---- */

/* The value that the outcome asks for in a register; false when it asks for none. */
static bool asks(const struct skeleton *skeleton, unsigned thread, unsigned reg, int64_t *ret_value)
{
	for (unsigned i = 0; i < skeleton->atom_count; i++) {
		const struct skeleton_atom *atom = &skeleton->atom[i];

		if (atom->is_register && atom->thread == thread && atom->index == reg) {
			*ret_value = atom->value;
			return true;
		}
	}
	return false;
}

static void take_access(struct candidate *candidate, const struct skeleton_item *item,
                        unsigned thread)
{
	struct oclmm_cycle *cycle = &candidate->cycle;
	const struct oclmm_cycle_location *location =
		&candidate->skeleton->location[item->access.location];
	struct oclmm_cycle_access *access = &cycle->access[cycle->count];

	candidate->item[cycle->count] = item;
	*access = item->access;
	if (access->legacy)
		access->scope = OCLMM_SCOPE_NONE;
	access->thread = thread;
	access->host = candidate->skeleton->thread[thread].placement.host;
	access->local = location->space == OCLMM_SPACE_LOCAL;
	access->svm = location->svm;
	access->typed = location->type != OCLMM_TYPE_FLAG;
	access->type = location->type;
	if (access->update && oclmm_operation_is_cas(access->op) &&
	    item->failure == access->order && item->failure != OCLMM_ORDER_RELAXED &&
	    item->reg != SKELETON_NONE) {
		int64_t result;

		access->fails = asks(candidate->skeleton, thread, item->reg, &result) &&
		                result == 0;
	}
	cycle->count++;
}

/* Of a barrier, the scope that is the default is not said. */
static bool take_fence(struct candidate *candidate, const struct skeleton_item *item)
{
	struct oclmm_cycle_access *access = &candidate->cycle.access[candidate->cycle.count - 1];
	struct oclmm_cycle_fence *fence;

	if (access->fence_count == OCLMM_CYCLE_FENCES)
		return false;
	fence = &access->fences[access->fence_count++];
	*fence = item->fence;
	if (fence->kind != OCLMM_CYCLE_FENCE_FENCE)
		fence->order = OCLMM_ORDER_NONE;
	if (fence->kind != OCLMM_CYCLE_FENCE_FENCE && !fence_is_barrier(fence))
		fence->scope = OCLMM_SCOPE_NONE;
	if (fence->kind == OCLMM_CYCLE_FENCE_BARRIER && fence->scope == OCLMM_SCOPE_WORK_GROUP)
		fence->scope = OCLMM_SCOPE_NONE;
	if (fence->kind == OCLMM_CYCLE_FENCE_SUB_BARRIER && fence->scope == OCLMM_SCOPE_SUB_GROUP)
		fence->scope = OCLMM_SCOPE_NONE;
	fence->inside = item->guard != candidate->item[candidate->cycle.count - 1]->guard;
	return true;
}

static bool take_thread(struct candidate *candidate, unsigned thread)
{
	const struct skeleton_thread *from = &candidate->skeleton->thread[thread];
	struct oclmm_cycle *cycle = &candidate->cycle;
	unsigned first = cycle->count, last;

	for (unsigned i = 0; i < from->count; i++) {
		const struct skeleton_item *item = &from->item[i];

		if (!item->is_fence && cycle->count == OCLMM_CYCLE_MAX)
			return false;
		if (!item->is_fence) {
			take_access(candidate, item, thread);
		} else if (cycle->count == first) {
			if (i || !fence_is_barrier(&item->fence))
				return false;
			candidate->barrier_first[first] = true;
		} else if (!take_fence(candidate, item)) {
			return false;
		}
	}
	if (cycle->count == first)
		return false;
	/* what stands behind the last access belongs to the edge that leaves */
	last = cycle->count - 1;
	candidate->barrier[last] = NULL;
	if (from->item[from->count - 1].is_fence) {
		struct oclmm_cycle_access *access = &cycle->access[last];

		if (access->fence_count != 1 || !fence_is_barrier(&access->fences[0]))
			return false;
		candidate->barrier[last] = &access->fences[--access->fence_count];
	}
	return true;
}

/* ---- edges ---- */

static bool join_threads(struct candidate *candidate, unsigned i, unsigned next)
{
	const struct oclmm_placement *a, *b;
	struct oclmm_link *link = &candidate->cycle.link[i];
	const struct oclmm_cycle_fence *barrier = candidate->barrier[i];

	a = &candidate->skeleton->thread[candidate->cycle.access[i].thread].placement;
	b = &candidate->skeleton->thread[candidate->cycle.access[next].thread].placement;
	link->external = candidate->skeleton->thread_count > 1;
	if (barrier || candidate->barrier_first[next]) {
		if (!barrier || !candidate->barrier_first[next])
			return false;
		link->kind = barrier->kind == OCLMM_CYCLE_FENCE_BARRIER ? OCLMM_LINK_BARRIER
		                                                        : OCLMM_LINK_SUB_BARRIER;
		link->flags = barrier->flags;
		link->scope = barrier->scope;
		return true;
	}
	if (!link->same || (!link->from_write && !link->to_write))
		return false;
	link->kind = !link->from_write ? OCLMM_LINK_FR
	             : link->to_write  ? OCLMM_LINK_CO
	                               : OCLMM_LINK_RF;
	if (link->external && !a->host && !b->host)
		link->near = oclmm_same_sub_group(a, b)    ? OCLMM_SCOPE_SUB_GROUP
		             : oclmm_same_work_group(a, b) ? OCLMM_SCOPE_WORK_GROUP
		             : a->device == b->device      ? OCLMM_SCOPE_DEVICE
		                                           : OCLMM_SCOPE_ALL_SVM_DEVICES;
	return true;
}

static bool sets(const struct skeleton_item *item, unsigned reg)
{
	return reg != SKELETON_NONE && (item->reg == reg || item->expected == reg);
}

static void join_inside(struct candidate *candidate, unsigned i, unsigned next)
{
	const struct skeleton_item *from = candidate->item[i], *to = candidate->item[next];
	struct oclmm_link *link = &candidate->cycle.link[i];

	link->kind = sets(from, to->data) && !link->from_write    ? OCLMM_LINK_DATA
	             : sets(from, to->guard) && !link->from_write ? OCLMM_LINK_CTRL
	                                                          : OCLMM_LINK_PO;
}

static bool join(struct candidate *candidate)
{
	struct oclmm_cycle *cycle = &candidate->cycle;

	for (unsigned i = 0; i < cycle->count; i++) {
		unsigned next = cycle_next(cycle, i);

		cycle->link[i] = (struct oclmm_link){
			.same = candidate->item[i]->access.location ==
		                candidate->item[next]->access.location,
			.from_write = candidate->out_write[i],
			.to_write = candidate->in_write[next],
		};
		if (next == 0 || cycle->access[i].thread != cycle->access[next].thread) {
			if (!join_threads(candidate, i, next))
				return false;
		} else {
			join_inside(candidate, i, next);
		}
	}
	return true;
}

/* ---- trying ---- */

static bool is_same(struct candidate *candidate, const struct oclmm_cycle *cycle)
{
	struct oclmm_litmus *litmus;
	struct skeleton made;
	unsigned back[OCLMM_CYCLE_MAX];
	bool same;

	if (oclmm_cycle_program(cycle, NULL, &litmus) < 0)
		return false;
	for (unsigned i = 0; i < candidate->skeleton->thread_count; i++)
		back[candidate->map[i]] = i;
	same = skeleton_make(litmus->variants[0].program, &made) &&
	       skeleton_same(candidate->skeleton, &made, back);
	oclmm_litmus_destroy(litmus);
	return same;
}

static bool try_sides(struct candidate *candidate, unsigned i, struct oclmm_cycle *ret_cycle)
{
	const struct oclmm_cycle_access *access = &candidate->cycle.access[i];

	if (i == candidate->cycle.count) {
		struct oclmm_cycle cycle;

		if (candidate->tried++ >= MOST_CANDIDATES || !join(candidate))
			return false;
		cycle = candidate->cycle;
		if (oclmm_cycle_settle(&cycle, NULL) < 0 || !is_same(candidate, &cycle))
			return false;
		*ret_cycle = cycle;
		return true;
	}
	if (access->fails || !access->update) {
		candidate->in_write[i] = candidate->out_write[i] = access->writes && !access->fails;
		return try_sides(candidate, i + 1, ret_cycle);
	}
	/* one side for both edges comes first */
	for (unsigned sides = 0; sides < 4; sides++) {
		candidate->in_write[i] = sides == 0 || sides == 2;
		candidate->out_write[i] = sides == 0 || sides == 3;
		if (try_sides(candidate, i + 1, ret_cycle))
			return true;
	}
	return false;
}

static bool try_order(struct candidate *candidate, unsigned next, struct oclmm_cycle *ret_cycle)
{
	unsigned count = candidate->skeleton->thread_count, before = candidate->cycle.count;

	if (next == count)
		return try_sides(candidate, 0, ret_cycle);
	for (unsigned thread = 0; thread < count; thread++) {
		bool used = next == 0 && thread > 0;

		for (unsigned i = 0; i < next; i++)
			used |= candidate->map[i] == thread;
		if (used)
			continue;
		candidate->map[next] = thread;
		memset(&candidate->cycle.access[before], 0,
		       (OCLMM_CYCLE_MAX - before) * sizeof(candidate->cycle.access[0]));
		if (take_thread(candidate, thread) && try_order(candidate, next + 1, ret_cycle))
			return true;
		memset(&candidate->barrier_first[before], 0,
		       (OCLMM_CYCLE_MAX - before) * sizeof(bool));
		candidate->cycle.count = before;
	}
	return false;
}

bool oclmm_cycle_recognise(const struct oclmm_program *program, struct oclmm_cycle *ret_cycle)
{
	struct skeleton skeleton;
	struct candidate candidate = {.skeleton = &skeleton};

	return skeleton_make(program, &skeleton) && try_order(&candidate, 0, ret_cycle);
}
