// SPDX-License-Identifier: Apache-2.0
/*
 * The execution that a cycle stands for: what each access reads and writes, in which order the
 * writes of a location stand, and which final values show it.
 */
#include "internal.h"

struct work {
	const struct oclmm_cycle *cycle;
	struct oclmm_error *error;
	struct outcome *outcome;
	bool hard[OCLMM_CYCLE_MAX][OCLMM_CYCLE_MAX]; /* a before b in modification order */
	bool soft[OCLMM_CYCLE_MAX]
		 [OCLMM_CYCLE_MAX];  /* so says program order, unless hard says no */
	int reader[OCLMM_CYCLE_MAX]; /* the update that stands right behind a write, or -1 */
	unsigned order[OCLMM_CYCLE_MAX], placed; /* of one location */
};

/* Whether a read-modify-write leaves the value as it is, whatever it reads. */
static bool is_identity(const struct oclmm_cycle_access *access)
{
	if (!access->update || access->writes)
		return false;
	return oclmm_operation_fetches(access->op);
}

/* Whether an access gives its location a new value. */
static bool is_new(const struct oclmm_cycle *cycle, unsigned i)
{
	const struct oclmm_cycle_access *access = &cycle->access[i];

	if (access->update)
		return !access->fails && !is_identity(access);
	return access->writes;
}

static bool in_order(const struct oclmm_cycle *cycle, unsigned from, unsigned to)
{
	return cycle->access[from].thread == cycle->access[to].thread && from < to &&
	       cycle->access[from].location == cycle->access[to].location;
}

/* ---- what must stand before what ---- */

static void constrain_link(struct work *work, unsigned i)
{
	const struct oclmm_cycle *cycle = work->cycle;
	const struct oclmm_link *link = &cycle->link[i];
	unsigned next = cycle_next(cycle, i);
	int source = work->outcome->source[i];

	if (link->kind == OCLMM_LINK_CO)
		work->hard[i][next] = true;
	if (link->kind == OCLMM_LINK_FR && source >= 0)
		work->hard[source][next] = true;
	if (link->kind == OCLMM_LINK_FR && is_new(cycle, i))
		work->hard[i][next] = true;
	if (link->kind != OCLMM_LINK_RF || !is_new(cycle, next))
		return;
	work->hard[i][next] = true;
	work->reader[i] = (int)next;
}

static void constrain_thread(struct work *work)
{
	const struct oclmm_cycle *cycle = work->cycle;

	for (unsigned a = 0; a < cycle->count; a++) {
		for (unsigned b = 0; b < cycle->count; b++) {
			int from = is_new(cycle, a) ? (int)a : work->outcome->source[a];

			if (in_order(cycle, a, b) && is_new(cycle, b) && from >= 0 &&
			    from != (int)b)
				work->soft[from][b] = true;
		}
	}
}

static void find_sources(struct work *work)
{
	const struct oclmm_cycle *cycle = work->cycle;

	for (unsigned i = 0; i < cycle->count; i++) {
		bool reads_from = cycle->link[cycle_before(cycle, i)].kind == OCLMM_LINK_RF;
		bool reads_before = cycle->link[i].kind == OCLMM_LINK_FR;

		work->outcome->known[i] = reads_from || reads_before;
		work->outcome->source[i] = reads_from ? (int)cycle_before(cycle, i)
		                                      : SOURCE_UNKNOWN;
		work->reader[i] = -1;
	}
}

/* ---- the modification order of a location ---- */

static bool is_placed(const struct work *work, unsigned i)
{
	for (unsigned k = 0; k < work->placed; k++) {
		if (work->order[k] == i)
			return true;
	}
	return false;
}

static bool may_come(const struct work *work, unsigned i, bool softly)
{
	for (unsigned k = 0; k < work->cycle->count; k++) {
		if (k != i && !is_placed(work, k) &&
		    (work->hard[k][i] || (softly && work->soft[k][i])))
			return false;
	}
	return true;
}

/* The next write of a location, or -1 when none may come. */
static int choose(const struct work *work, unsigned location)
{
	const struct oclmm_cycle *cycle = work->cycle;
	int reader = work->placed ? work->reader[work->order[work->placed - 1]] : -1;

	if (reader >= 0)
		return may_come(work, (unsigned)reader, false) ? reader : -1;
	for (int softly = 1; softly >= 0; softly--) {
		for (unsigned i = 0; i < cycle->count; i++) {
			if (cycle->access[i].location == location && is_new(cycle, i) &&
			    !is_placed(work, i) && may_come(work, i, softly))
				return (int)i;
		}
	}
	return -1;
}

static int order_location(struct work *work, unsigned location)
{
	const struct oclmm_cycle *cycle = work->cycle;
	unsigned count = 0, any = 0;

	work->placed = 0;
	for (unsigned i = 0; i < cycle->count; i++) {
		if (cycle->access[i].location == location && is_new(cycle, i)) {
			count++;
			any = i;
		}
	}
	while (work->placed < count) {
		int next = choose(work, location);

		if (next < 0)
			return oclmm_cycle_refuse(
				work->error, &cycle->link[any].position,
				"no values of memory show such a cycle",
				"the edges on its location put a write before itself");
		work->order[work->placed++] = (unsigned)next;
	}
	return 0;
}

/* ---- values ---- */

/* The value that an update stores behind `old`, and its operand: one that was not there before. */
static int64_t apply(const struct oclmm_cycle_access *access, int64_t old, int64_t least,
                     int64_t greatest, int64_t *ret_operand)
{
	int64_t value = greatest + 1, bit = 1;

	while (old & bit)
		bit *= 2;
	*ret_operand = value;
	switch (access->op) {
	case OCLMM_OP_FETCH_ADD: *ret_operand = value - old; break;
	case OCLMM_OP_FETCH_SUB: *ret_operand = old - value; break;
	case OCLMM_OP_FETCH_OR:
	case OCLMM_OP_FETCH_XOR: *ret_operand = bit; return old + bit;
	case OCLMM_OP_FETCH_AND: return *ret_operand = old & (old - 1);
	case OCLMM_OP_FETCH_MIN: return *ret_operand = least - 1;
	case OCLMM_OP_FLAG_TEST_AND_SET: return 1;
	case OCLMM_OP_FLAG_CLEAR: return 0;
	/* what is new is the operand itself */
	case OCLMM_OP_LOAD:
	case OCLMM_OP_STORE:
	case OCLMM_OP_EXCHANGE:
	case OCLMM_OP_FETCH_MAX:
	case OCLMM_OP_CAS_STRONG:
	case OCLMM_OP_CAS_WEAK:
	case OCLMM_OP_INIT:
	case OCLMM_OP_COUNT: break;
	}
	return value;
}

/* `min` and `and` need something to take away from. */
static int64_t first_value(const struct work *work, unsigned location)
{
	for (unsigned i = 0; i < work->cycle->count; i++) {
		const struct oclmm_cycle_access *access = &work->cycle->access[i];

		if (access->location == location && access->update && access->writes &&
		    (access->op == OCLMM_OP_FETCH_MIN || access->op == OCLMM_OP_FETCH_AND))
			return 7;
	}
	return work->placed && work->cycle->access[work->order[0]].op == OCLMM_OP_FLAG_CLEAR;
}

static int value_location(struct work *work, unsigned location)
{
	struct outcome *outcome = work->outcome;
	int64_t value = first_value(work, location), least = value, greatest = value;

	outcome->initial[location] = value;
	for (unsigned k = 0; k < work->placed; k++) {
		unsigned i = work->order[k];
		const struct oclmm_cycle_access *access = &work->cycle->access[i];
		int64_t old = value;

		if (access->update && outcome->source[i] == SOURCE_UNKNOWN)
			outcome->source[i] = k ? (int)work->order[k - 1] : SOURCE_INITIAL;
		value = apply(access, old, least, greatest, &outcome->operand[i]);
		outcome->comparand[i] = old;
		outcome->written[i] = value;
		for (unsigned other = 0; other <= k; other++) {
			int64_t there = other ? outcome->written[work->order[other - 1]]
			                      : outcome->initial[location];

			if (there == value &&
			    (other == k || access->op < OCLMM_OP_FLAG_TEST_AND_SET))
				return oclmm_cycle_refuse(
					work->error, &access->position, NULL,
					"its value cannot be told from one before it");
		}
		least = value < least ? value : least;
		greatest = value > greatest ? value : greatest;
	}
	outcome->final[location] = value;
	return 0;
}

/* ---- reads ---- */

static unsigned position_of(const struct work *work, unsigned write)
{
	unsigned k = 0;

	while (work->order[k] != write)
		k++;
	return k;
}

/* A read that is only known to be older than a write takes the value right before it. */
static void find_older(struct work *work, unsigned i)
{
	unsigned next = cycle_next(work->cycle, i), at;

	if (work->outcome->source[i] != SOURCE_UNKNOWN ||
	    work->cycle->link[i].kind != OCLMM_LINK_FR)
		return;
	at = position_of(work, next);
	work->outcome->source[i] = at ? (int)work->order[at - 1] : SOURCE_INITIAL;
}

static int64_t greatest_value(const struct work *work, unsigned location)
{
	int64_t greatest = work->outcome->initial[location];

	for (unsigned k = 0; k < work->placed; k++) {
		if (work->outcome->written[work->order[k]] > greatest)
			greatest = work->outcome->written[work->order[k]];
	}
	return greatest;
}

static void read_location(struct work *work, unsigned location)
{
	struct outcome *outcome = work->outcome;

	for (unsigned i = 0; i < work->cycle->count; i++) {
		const struct oclmm_cycle_access *access = &work->cycle->access[i];

		if (access->location != location)
			continue;
		find_older(work, i);
		if (outcome->source[i] >= 0)
			outcome->read[i] = outcome->written[outcome->source[i]];
		else
			outcome->read[i] = outcome->initial[location];
		if (is_identity(access)) {
			outcome->plain_operand[i] = true;
			outcome->operand[i] = access->op == OCLMM_OP_FETCH_AND   ? -1
			                      : access->op == OCLMM_OP_FETCH_MIN ? INT32_MAX
			                                                         : 0;
		}
		if (access->fails) {
			outcome->comparand[i] = outcome->source[i] >= 0 ? outcome->initial[location]
			                                                : outcome->final[location];
			outcome->operand[i] = greatest_value(work, location) + 1;
		}
	}
}

/* ---- what has to be seen ---- */

/* Whether it shows without a final value that `a` stands before `b`. */
static bool is_shown(const struct work *work, unsigned a, unsigned b)
{
	return in_order(work->cycle, a, b) ||
	       (work->outcome->known[b] && work->outcome->source[b] == (int)a);
}

static int show(struct work *work, unsigned i)
{
	const struct oclmm_cycle *cycle = work->cycle;
	const struct oclmm_link *link = &cycle->link[i];
	unsigned next = cycle_next(cycle, i), location = cycle->access[i].location;
	int before = -1;

	if (link->kind == OCLMM_LINK_CO)
		before = (int)i;
	if (link->kind == OCLMM_LINK_FR)
		before = work->outcome->source[i];
	if (before < 0 || is_shown(work, (unsigned)before, next))
		return 0;
	if (work->order[work->placed - 1] != next)
		return oclmm_cycle_refuse(work->error, &link->position,
		                          "a final value tells which write was last, and no more",
		                          "the outcome cannot show the order of these writes");
	work->outcome->is_final[location] = true;
	return 0;
}

static int settle_location(struct work *work, unsigned location)
{
	int r = order_location(work, location);

	if (r == 0)
		r = value_location(work, location);
	if (r < 0)
		return r;
	read_location(work, location);
	for (unsigned i = 0; r == 0 && i < work->cycle->count; i++) {
		if (work->cycle->access[i].location == location)
			r = show(work, i);
	}
	return r;
}

static int check_dependency(const struct work *work, unsigned i)
{
	const struct oclmm_cycle *cycle = work->cycle;
	const struct oclmm_link *link = &cycle->link[i];
	const struct oclmm_cycle_access *from = &cycle->access[i];
	const struct oclmm_cycle_access *to = &cycle->access[cycle_next(cycle, i)];

	if (link->kind != OCLMM_LINK_DATA && link->kind != OCLMM_LINK_CTRL)
		return 0;
	if (!work->outcome->known[i])
		return oclmm_cycle_refuse(work->error, &link->position, NULL,
		                          "the cycle does not say what is read here");
	if (link->kind == OCLMM_LINK_DATA &&
	    ((to->update && to->op != OCLMM_OP_EXCHANGE) || to->op == OCLMM_OP_FLAG_CLEAR ||
	     (from->update && oclmm_operation_is_cas(from->op))))
		return oclmm_cycle_refuse(
			work->error, &link->position, NULL,
			"a data dependency leads from a value to a store or exchange");
	if (link->kind == OCLMM_LINK_DATA &&
	    cycle->location[from->location].type != cycle->location[to->location].type)
		return oclmm_cycle_refuse(work->error, &link->position, NULL,
		                          "a data dependency keeps the type");
	return 0;
}

int oclmm_cycle_outcome(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                        struct outcome *ret_outcome)
{
	struct outcome outcome = {0};
	struct work work = {.cycle = cycle, .error = error, .outcome = &outcome};
	int r = 0;

	find_sources(&work);
	for (unsigned i = 0; i < cycle->count; i++)
		constrain_link(&work, i);
	constrain_thread(&work);
	for (unsigned i = 0; r == 0 && i < cycle->location_count; i++)
		r = settle_location(&work, i);
	for (unsigned i = 0; r == 0 && i < cycle->count; i++)
		r = check_dependency(&work, i);
	if (r == 0)
		*ret_outcome = outcome;
	return r;
}
