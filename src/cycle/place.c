// SPDX-License-Identifier: Apache-2.0
/* Where threads run: what is said between neighbours, put together. */
#include "internal.h"

/* Threads that share a unit have the same number in its row. */
struct units {
	unsigned device[OCLMM_CYCLE_MAX], group[OCLMM_CYCLE_MAX], sub_group[OCLMM_CYCLE_MAX];
	bool host[OCLMM_CYCLE_MAX];
};

enum oclmm_scope cycle_default_scope(const struct oclmm_cycle *cycle)
{
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		if (cycle->placement[i].host || cycle->placement[i].device)
			return OCLMM_SCOPE_ALL_SVM_DEVICES;
	}
	return OCLMM_SCOPE_DEVICE;
}

unsigned cycle_regions(const struct oclmm_cycle *cycle)
{
	unsigned regions = 0;

	for (unsigned i = 0; i < cycle->location_count; i++)
		regions |= 1u << cycle->location[i].space;
	return regions;
}

static void unite(unsigned *row, unsigned count, unsigned a, unsigned b)
{
	unsigned from = row[b], to = row[a];

	for (unsigned i = 0; i < count; i++) {
		if (row[i] == from)
			row[i] = to;
	}
}

/* What an edge says of its two threads. */
static enum oclmm_scope said(const struct oclmm_link *link)
{
	if (link->kind == OCLMM_LINK_BARRIER)
		return OCLMM_SCOPE_WORK_GROUP;
	return link->kind == OCLMM_LINK_SUB_BARRIER ? OCLMM_SCOPE_SUB_GROUP : link->near;
}

static void join(const struct oclmm_cycle *cycle, struct units *units)
{
	unsigned n = cycle->thread_count;

	for (unsigned i = 0; i < cycle->count; i++) {
		unsigned a = cycle->access[i].thread;
		unsigned b = cycle->access[cycle_next(cycle, i)].thread;
		enum oclmm_scope near = cycle->link[i].external ? said(&cycle->link[i])
		                                                : OCLMM_SCOPE_NONE;

		if (near == OCLMM_SCOPE_SUB_GROUP)
			unite(units->sub_group, n, a, b);
		if (near == OCLMM_SCOPE_SUB_GROUP || near == OCLMM_SCOPE_WORK_GROUP)
			unite(units->group, n, a, b);
		if (near && near != OCLMM_SCOPE_ALL_SVM_DEVICES)
			unite(units->device, n, a, b);
	}
}

/* Who accesses one local location is in one group. */
static void join_local(const struct oclmm_cycle *cycle, struct units *units)
{
	for (unsigned i = 0; i < cycle->count; i++) {
		for (unsigned k = 0; k < i; k++) {
			unsigned at = cycle->access[i].location;

			if (cycle->location[at].space != OCLMM_SPACE_LOCAL ||
			    cycle->access[k].location != at)
				continue;
			unite(units->group, cycle->thread_count, cycle->access[i].thread,
			      cycle->access[k].thread);
			unite(units->device, cycle->thread_count, cycle->access[i].thread,
			      cycle->access[k].thread);
		}
	}
}

/* ---- contradictions ---- */

static int check_link(const struct oclmm_cycle *cycle, const struct units *units, unsigned i,
                      struct oclmm_error *error)
{
	const struct oclmm_link *link = &cycle->link[i];
	unsigned a = cycle->access[i].thread, b = cycle->access[cycle_next(cycle, i)].thread;
	enum oclmm_scope near = link->external ? said(link) : OCLMM_SCOPE_NONE;
	const char *together = NULL;

	if (near == OCLMM_SCOPE_ALL_SVM_DEVICES && !units->host[a] && !units->host[b] &&
	    units->device[a] == units->device[b])
		together = "device";
	if (near == OCLMM_SCOPE_DEVICE && units->group[a] == units->group[b])
		together = "work-group";
	if (near == OCLMM_SCOPE_WORK_GROUP && units->sub_group[a] == units->sub_group[b] &&
	    link->kind != OCLMM_LINK_BARRIER)
		together = "sub-group";
	if (together)
		return cycle_refuse(error, &link->position, NULL,
		                    "its threads share no %s, but what else is said puts them into "
		                    "one",
		                    together);
	if (near && near != OCLMM_SCOPE_ALL_SVM_DEVICES && (units->host[a] || units->host[b]))
		return cycle_refuse(error, &link->position, NULL,
		                    "the host shares no %s with another thread",
		                    near == OCLMM_SCOPE_DEVICE ? "device" : "work-group");
	return 0;
}

static int check_local(const struct oclmm_cycle *cycle, const struct units *units,
                       struct oclmm_error *error)
{
	for (unsigned i = 0; i < cycle->count; i++) {
		const struct oclmm_cycle_access *access = &cycle->access[i];

		if (units->host[access->thread] &&
		    cycle->location[access->location].space == OCLMM_SPACE_LOCAL)
			return cycle_refuse(error, &access->position, NULL,
			                    "the host has no local memory");
	}
	return 0;
}

/* ---- barriers ---- */

static unsigned count_barriers(const struct oclmm_cycle *cycle, unsigned thread, bool sub_group,
                               struct oclmm_position *ret_first)
{
	unsigned count = 0;

	for (unsigned i = 0; i < cycle->count; i++) {
		const struct oclmm_link *link = &cycle->link[i];
		bool mine = cycle->access[i].thread == thread ||
		            cycle->access[cycle_next(cycle, i)].thread == thread;

		if (mine &&
		    link->kind == (sub_group ? OCLMM_LINK_SUB_BARRIER : OCLMM_LINK_BARRIER) &&
		    count++ == 0)
			*ret_first = link->position;
		for (unsigned k = 0; k < cycle->access[i].fence_count; k++) {
			const struct oclmm_cycle_fence *fence = &cycle->access[i].fences[k];

			if (cycle->access[i].thread == thread && fence_is_barrier(fence) &&
			    (fence->kind == OCLMM_CYCLE_FENCE_SUB_BARRIER) == sub_group &&
			    count++ == 0)
				*ret_first = fence->position;
		}
	}
	return count;
}

static int check_barriers(const struct oclmm_cycle *cycle, const struct units *units,
                          struct oclmm_error *error)
{
	for (unsigned a = 0; a < cycle->thread_count; a++) {
		for (unsigned b = 0; b < cycle->thread_count; b++) {
			struct oclmm_position at = {0};

			for (int sub = 0; sub < 2; sub++) {
				const unsigned *row = sub ? units->sub_group : units->group;
				unsigned mine = count_barriers(cycle, a, sub, &at), other = mine;

				if (row[a] == row[b])
					other = count_barriers(cycle, b, sub, &at);
				if (mine != other)
					return cycle_refuse(
						error, &at,
						"each thread of a group meets each of its "
						"barriers",
						"P%u and P%u are in one group and meet %u and %u "
						"barriers",
						a, b, mine, other);
			}
		}
	}
	return 0;
}

/* ---- numbers ---- */

/* Whether an edge keeps the devices of two threads apart. */
static bool apart(const struct oclmm_cycle *cycle, const struct units *units, unsigned a,
                  unsigned b)
{
	for (unsigned i = 0; i < cycle->count; i++) {
		unsigned from = units->device[cycle->access[i].thread];
		unsigned to = units->device[cycle->access[cycle_next(cycle, i)].thread];
		bool host = units->host[cycle->access[i].thread] ||
		            units->host[cycle->access[cycle_next(cycle, i)].thread];

		if (cycle->link[i].external && cycle->link[i].near == OCLMM_SCOPE_ALL_SVM_DEVICES &&
		    !host &&
		    ((from == units->device[a] && to == units->device[b]) ||
		     (from == units->device[b] && to == units->device[a])))
			return true;
	}
	return false;
}

static void number_device(struct oclmm_cycle *cycle, const struct units *units, unsigned thread)
{
	struct oclmm_placement *mine = &cycle->placement[thread];
	bool again = true;

	for (unsigned i = 0; i < thread; i++) {
		if (units->device[i] == units->device[thread]) {
			mine->device = cycle->placement[i].device;
			return;
		}
	}
	while (again) {
		again = false;
		for (unsigned i = 0; i < thread; i++) {
			if (cycle->placement[i].device == mine->device &&
			    apart(cycle, units, i, thread))
				again = true;
		}
		mine->device += again;
	}
}

/* The number of a thread's unit among those of the threads before it that `outer` has. */
static unsigned number(const struct oclmm_cycle *cycle, const struct units *units,
                       const unsigned *row, bool within_group, unsigned thread)
{
	unsigned next = 0;

	for (unsigned i = 0; i < thread; i++) {
		bool first = true;
		bool beside = within_group ? units->group[i] == units->group[thread]
		                           : cycle->placement[i].device ==
		                                     cycle->placement[thread].device;

		if (!beside || units->host[i])
			continue;
		if (row[i] == row[thread])
			return within_group ? cycle->placement[i].sub_group
			                    : cycle->placement[i].work_group;
		for (unsigned k = 0; k < i; k++)
			first &= row[k] != row[i];
		next += first;
	}
	return next;
}

static bool shares_sub_group(const struct oclmm_cycle *cycle, const struct units *units,
                             unsigned thread)
{
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		if (i != thread && units->sub_group[i] == units->sub_group[thread])
			return true;
	}
	return false;
}

static void write_down(struct oclmm_cycle *cycle, const struct units *units)
{
	memset(cycle->placement, 0, sizeof(cycle->placement));
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		struct oclmm_placement *placement = &cycle->placement[i];

		placement->host = units->host[i];
		if (placement->host)
			continue;
		number_device(cycle, units, i);
		placement->work_group = number(cycle, units, units->group, false, i);
		placement->sub_group_given = shares_sub_group(cycle, units, i);
		if (placement->sub_group_given)
			placement->sub_group = number(cycle, units, units->sub_group, true, i);
	}
}

/* What the host or two devices share lies in shared virtual memory. */
static void share(struct oclmm_cycle *cycle)
{
	if (cycle_default_scope(cycle) != OCLMM_SCOPE_ALL_SVM_DEVICES)
		return;
	for (unsigned i = 0; i < cycle->location_count; i++)
		cycle->location[i].svm = cycle->location[i].space == OCLMM_SPACE_GLOBAL;
}

int cycle_place(struct oclmm_cycle *cycle, struct oclmm_error *error)
{
	struct units units = {0};
	int r;

	for (unsigned i = 0; i < cycle->thread_count; i++)
		units.device[i] = units.group[i] = units.sub_group[i] = i;
	for (unsigned i = 0; i < cycle->count; i++)
		units.host[cycle->access[i].thread] |= cycle->access[i].host;
	join(cycle, &units);
	join_local(cycle, &units);
	r = check_local(cycle, &units, error);
	for (unsigned i = 0; r == 0 && i < cycle->count; i++)
		r = check_link(cycle, &units, i, error);
	if (r == 0)
		r = check_barriers(cycle, &units, error);
	if (r == 0) {
		write_down(cycle, &units);
		share(cycle);
	}
	return r;
}
