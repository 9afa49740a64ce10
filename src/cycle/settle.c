// SPDX-License-Identifier: Apache-2.0
/* What follows from the words of a cycle: its threads, its locations, and where the threads run. */
#include "internal.h"

int oclmm_cycle_refuse(struct oclmm_error *error, const struct oclmm_position *at, const char *note,
                       const char *format, ...)
{
	va_list arguments;

	if (!error)
		return -EINVAL;
	*error = (struct oclmm_error){0};
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	if (note)
		snprintf(error->note, sizeof(error->note), "%s", note);
	if (at)
		error->position = *at;
	return -EINVAL;
}

/* ---- what others need to say, too ---------------------------------------------------- */

static const char *const stems[] = {OCLMM_LINKS(OCLMM_LIST_FIRST)};

void oclmm_link_print(struct oclmm_text *text, const struct oclmm_link *link)
{
	oclmm_text_add(text, stems[link->kind]);
	if (link_is_communication(link->kind))
		oclmm_text_add(text, link->external ? "e" : "i");
	else
		oclmm_text_printf(text, "%c%c%c", link->same ? 's' : 'd',
		                  link->from_write ? 'W' : 'R', link->to_write ? 'W' : 'R');
}

const char *oclmm_cycle_location_name(unsigned location)
{
	static const char *const names[OCLMM_CYCLE_MAX] = {"x", "y", "z", "a", "b", "c", "d", "f",
	                                                   "g", "h", "i", "j", "k", "l", "m", "n"};

	return names[location];
}

enum oclmm_scope oclmm_cycle_default_scope(const struct oclmm_cycle *cycle)
{
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		if (cycle->placement[i].host || cycle->placement[i].device)
			return OCLMM_SCOPE_ALL_SVM_DEVICES;
	}
	return OCLMM_SCOPE_DEVICE;
}

unsigned oclmm_cycle_regions(const struct oclmm_cycle *cycle)
{
	unsigned regions = 0;

	for (unsigned i = 0; i < cycle->location_count; i++)
		regions |= 1u << cycle->location[i].space;
	return regions;
}

/* ---- from edges to threads and locations --------------------------------------------- */

static int refuse_link(struct oclmm_error *error, const struct oclmm_link *link, const char *note,
                       const char *what)
{
	struct oclmm_text word = {0};
	int r;

	oclmm_link_print(&word, link);
	r = oclmm_cycle_refuse(error, &link->position, note, "%s %s", oclmm_text_string(&word),
	                       what);
	oclmm_text_finish(&word);
	return r;
}

static const char *side(bool write)
{
	return write ? "write" : "read";
}

static int refuse_sides(const struct oclmm_cycle *cycle, unsigned i, struct oclmm_error *error)
{
	const struct oclmm_link *in = &cycle->link[cycle_before(cycle, i)];
	struct oclmm_text what = {0};
	int r;

	oclmm_text_printf(&what, "begins with a %s, and ", side(cycle->link[i].from_write));
	oclmm_link_print(&what, in);
	oclmm_text_printf(&what, " before it ends in a %s", side(in->to_write));
	r = refuse_link(error, &cycle->link[i],
	                i ? "edges that meet touch one side of an access, or it is an update: U"
	                  : "the cycle does not close: its last edge leads back to the first",
	                oclmm_text_string(&what));
	oclmm_text_finish(&what);
	return r;
}

static int find_sides(struct oclmm_cycle *cycle, struct oclmm_error *error)
{
	for (unsigned i = 0; i < cycle->count; i++) {
		const struct oclmm_link *in = &cycle->link[cycle_before(cycle, i)];
		struct oclmm_cycle_access *access = &cycle->access[i];

		access->writes = in->to_write || cycle->link[i].from_write;
		access->reads = !in->to_write || !cycle->link[i].from_write;
		if (access->reads && access->writes && !access->update)
			return refuse_sides(cycle, i, error);
	}
	return 0;
}

static bool order_fits(const struct oclmm_cycle_access *access)
{
	if (access->order == OCLMM_ORDER_NONE)
		return !access->update && access->op != OCLMM_OP_FLAG_CLEAR;
	return oclmm_order_fits(cycle_ordered(access), access->order);
}

static int check_access(struct oclmm_cycle *cycle, unsigned i, struct oclmm_error *error)
{
	struct oclmm_cycle_access *access = &cycle->access[i];
	bool is_cas = access->update && oclmm_operation_is_cas(access->op);

	if (!order_fits(access))
		return oclmm_cycle_refuse(error, &access->position, NULL, "a %s has no order `%s`",
		                          access->fails    ? "failing compare-exchange"
		                          : access->update ? "read-modify-write"
		                          : access->writes ? "store"
		                                           : "load",
		                          oclmm_order_short(access->order));
	if (access->fails && (!is_cas || access->writes))
		return oclmm_cycle_refuse(error, &access->position, NULL,
		                          is_cas ? "a compare-exchange that fails writes nothing"
		                                 : "only a compare-exchange fails");
	if (access->legacy && (!access->update || access->order != OCLMM_ORDER_RELAXED ||
	                       access->scope || access->fails || access->op == OCLMM_OP_CAS_WEAK ||
	                       access->op == OCLMM_OP_FLAG_TEST_AND_SET))
		return oclmm_cycle_refuse(
			error, &access->position, NULL,
			"OpenCL 1.x has updates without order and scope, and no others");
	return 0;
}

/* Turns the cycle so that its last edge leads to another thread. */
static void turn(struct oclmm_cycle *cycle)
{
	struct oclmm_cycle old = *cycle;
	unsigned first = 0;

	while (first < old.count && !old.link[cycle_before(&old, first)].external)
		first++;
	if (first == old.count)
		return;
	for (unsigned i = 0; i < old.count; i++) {
		cycle->access[i] = old.access[(first + i) % old.count];
		cycle->link[i] = old.link[(first + i) % old.count];
	}
}

static int find_threads(struct oclmm_cycle *cycle, struct oclmm_error *error)
{
	unsigned threads = 0;

	for (unsigned i = 0; i < cycle->count; i++) {
		const struct oclmm_link *link = &cycle->link[i];

		cycle->access[i].thread = threads;
		for (unsigned k = 0; k < cycle->access[i].fence_count; k++)
			cycle->access[i].fences[k].inside &= link->kind == OCLMM_LINK_CTRL;
		threads += link->external;
		if (link->external && cycle->access[i].fence_count)
			return oclmm_cycle_refuse(
				error, &cycle->access[i].fences[0].position,
				"a fence stands beside an edge of program order, such as "
				"PodWW",
				"this fence stands between two threads");
	}
	if (threads == 1)
		return refuse_link(
			error, &cycle->link[cycle->count - 1],
			"one edge more has to leave for another thread, or this one stays: "
			"write it with i",
			"leaves its thread, and no edge comes back to it");
	cycle->thread_count = threads ? threads : 1;
	return 0;
}

static int find_locations(struct oclmm_cycle *cycle, struct oclmm_error *error)
{
	unsigned changes = 0, last = 0;

	for (unsigned i = 0; i < cycle->count; i++) {
		cycle->access[i].location = changes;
		if (!cycle->link[i].same) {
			changes++;
			last = i;
		}
	}
	if (changes == 1)
		return refuse_link(error, &cycle->link[last],
		                   "two edges or more change the location, or none does",
		                   "changes the location, and no other edge changes it back");
	cycle->location_count = changes ? changes : 1;
	for (unsigned i = 0; i < cycle->count; i++)
		cycle->access[i].location %= cycle->location_count;
	return 0;
}

/* ---- what is said of a location, at any of its accesses ---- */

static int take_said(struct oclmm_cycle_location *location, const struct oclmm_cycle_access *access,
                     bool *local, bool *typed, struct oclmm_error *error)
{
	bool flag = access->op == OCLMM_OP_FLAG_TEST_AND_SET || access->op == OCLMM_OP_FLAG_CLEAR;
	enum oclmm_type type = flag ? OCLMM_TYPE_FLAG : access->type;
	enum oclmm_space space = access->local ? OCLMM_SPACE_LOCAL : OCLMM_SPACE_GLOBAL;

	if (access->local || access->global) {
		if (*local && location->space != space)
			return oclmm_cycle_refuse(error, &access->position, NULL,
			                          "its location is %s at another access",
			                          oclmm_space_spelling(location->space));
		location->space = space;
		*local = true;
	}
	if (access->typed || flag) {
		if (*typed && location->type != type)
			return oclmm_cycle_refuse(error, &access->position, NULL,
			                          "its location has type %s at another access",
			                          oclmm_type_name(location->type));
		location->type = type;
		*typed = true;
	}
	location->svm |= access->svm;
	location->atomic |= access->order != OCLMM_ORDER_NONE && !access->legacy;
	return 0;
}

/* Whether the functions that access a location fit its type. */
static int check_location(const struct oclmm_cycle *cycle, unsigned i, struct oclmm_error *error)
{
	const struct oclmm_cycle_access *access = &cycle->access[i];
	const struct oclmm_cycle_location *location = &cycle->location[access->location];
	const struct oclmm_position *at = &access->position;

	if (location->type == OCLMM_TYPE_FLAG && access->op != OCLMM_OP_FLAG_TEST_AND_SET &&
	    access->op != OCLMM_OP_FLAG_CLEAR)
		return oclmm_cycle_refuse(error, at, "write U.tas or W.clear",
		                          "an atomic_flag is only tested and set, and cleared");
	if (location->atomic && access->order == OCLMM_ORDER_NONE && access->reads)
		return oclmm_cycle_refuse(
			error, at, NULL,
			"a plain read of a location that other accesses use as an atomic "
			"object");
	if (location->atomic && access->legacy)
		return oclmm_cycle_refuse(
			error, at, NULL,
			"a function of OpenCL 1.x on a location that other accesses use as "
			"an atomic object");
	if (access->legacy && oclmm_type_bits(location->type) != 32)
		return oclmm_cycle_refuse(error, at, NULL, "functions of OpenCL 1.x take 32 bits");
	if (location->svm && location->space == OCLMM_SPACE_LOCAL)
		return oclmm_cycle_refuse(error, at, NULL,
		                          "a local location is not in shared virtual memory");
	return 0;
}

static int describe_locations(struct oclmm_cycle *cycle, struct oclmm_error *error)
{
	bool local[OCLMM_CYCLE_MAX] = {false}, typed[OCLMM_CYCLE_MAX] = {false};
	int r = 0;

	memset(cycle->location, 0, sizeof(cycle->location));
	for (unsigned i = 0; r == 0 && i < cycle->count; i++) {
		unsigned at = cycle->access[i].location;

		r = take_said(&cycle->location[at], &cycle->access[i], &local[at], &typed[at],
		              error);
	}
	return r;
}

/* ---- where threads run: what is said between neighbours, put together ---------------- */

/* Threads that share a unit have the same number in its row. */
struct units {
	unsigned device[OCLMM_CYCLE_MAX], group[OCLMM_CYCLE_MAX], sub_group[OCLMM_CYCLE_MAX];
	bool host[OCLMM_CYCLE_MAX];
};

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
		return oclmm_cycle_refuse(
			error, &link->position, NULL,
			"its threads share no %s, but what else is said puts them into "
			"one",
			together);
	if (near && near != OCLMM_SCOPE_ALL_SVM_DEVICES && (units->host[a] || units->host[b]))
		return oclmm_cycle_refuse(error, &link->position, NULL,
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
			return oclmm_cycle_refuse(error, &access->position, NULL,
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
					return oclmm_cycle_refuse(
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
	if (oclmm_cycle_default_scope(cycle) != OCLMM_SCOPE_ALL_SVM_DEVICES)
		return;
	for (unsigned i = 0; i < cycle->location_count; i++)
		cycle->location[i].svm = cycle->location[i].space == OCLMM_SPACE_GLOBAL;
}

static int place_threads(struct oclmm_cycle *cycle, struct oclmm_error *error)
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

/* ---- all of it ----------------------------------------------------------------------- */

int oclmm_cycle_settle(struct oclmm_cycle *cycle, struct oclmm_error *error)
{
	int r;

	r = find_sides(cycle, error);
	if (r == 0) {
		turn(cycle);
		r = find_threads(cycle, error);
	}
	if (r == 0)
		r = find_locations(cycle, error);
	if (r == 0)
		r = describe_locations(cycle, error);
	for (unsigned i = 0; r == 0 && i < cycle->count; i++) {
		r = check_access(cycle, i, error);
		if (r == 0)
			r = check_location(cycle, i, error);
	}
	return r == 0 ? place_threads(cycle, error) : r;
}
