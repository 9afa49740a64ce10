// SPDX-License-Identifier: Apache-2.0
/* From edges to threads and locations. */
#include "internal.h"

static int refuse_link(struct oclmm_error *error, const struct oclmm_link *link, const char *note,
                       const char *what)
{
	struct oclmm_text word = {0};
	int r;

	words_print_link(&word, link);
	r = cycle_refuse(error, &link->position, note, "%s %s", oclmm_text_string(&word), what);
	oclmm_text_finish(&word);
	return r;
}

/* ---- sides ---- */

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
	words_print_link(&what, in);
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

/* ---- orders ---- */

enum oclmm_ordered cycle_ordered(const struct oclmm_cycle_access *access)
{
	if (access->update)
		return access->fails && oclmm_operation_is_cas(access->op) ? OCLMM_ORDERED_LOAD
		                                                           : OCLMM_ORDERED_UPDATE;
	return access->writes ? OCLMM_ORDERED_STORE : OCLMM_ORDERED_LOAD;
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
		return cycle_refuse(error, &access->position, NULL, "a %s has no order `%s`",
		                    access->fails    ? "failing compare-exchange"
		                    : access->update ? "read-modify-write"
		                    : access->writes ? "store"
		                                     : "load",
		                    oclmm_order_short(access->order));
	if (access->fails && (!is_cas || access->writes))
		return cycle_refuse(error, &access->position, NULL,
		                    is_cas ? "a compare-exchange that fails writes nothing"
		                           : "only a compare-exchange fails");
	if (access->legacy && (!access->update || access->order != OCLMM_ORDER_RELAXED ||
	                       access->scope || access->fails || access->op == OCLMM_OP_CAS_WEAK ||
	                       access->op == OCLMM_OP_FLAG_TEST_AND_SET))
		return cycle_refuse(
			error, &access->position, NULL,
			"OpenCL 1.x has updates without order and scope, and no others");
	return 0;
}

/* ---- threads ---- */

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
			return cycle_refuse(
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

/* ---- locations ---- */

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
			return cycle_refuse(error, &access->position, NULL,
			                    "its location is %s at another access",
			                    oclmm_space_spelling(location->space));
		location->space = space;
		*local = true;
	}
	if (access->typed || flag) {
		if (*typed && location->type != type)
			return cycle_refuse(error, &access->position, NULL,
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
		return cycle_refuse(error, at, "write U.tas or W.clear",
		                    "an atomic_flag is only tested and set, and cleared");
	if (location->atomic && access->order == OCLMM_ORDER_NONE && access->reads)
		return cycle_refuse(
			error, at, NULL,
			"a plain read of a location that other accesses use as an atomic "
			"object");
	if (location->atomic && access->legacy)
		return cycle_refuse(
			error, at, NULL,
			"a function of OpenCL 1.x on a location that other accesses use as "
			"an atomic object");
	if (access->legacy && oclmm_type_bits(location->type) != 32)
		return cycle_refuse(error, at, NULL, "functions of OpenCL 1.x take 32 bits");
	if (location->svm && location->space == OCLMM_SPACE_LOCAL)
		return cycle_refuse(error, at, NULL,
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
	return r == 0 ? cycle_place(cycle, error) : r;
}
