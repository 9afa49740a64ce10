// SPDX-License-Identifier: Apache-2.0
/*
 * Bugs that nobody thought of: rules drawn at random, a *what* and words that say *where*. A rule
 * is known by its seed and number, and is the same wherever these two are said.
 */
#include "draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/base.h"

/* ---- what there is to draw from ------------------------------------------- */

/* Sets of 1u << enum oclmm_function_kind. */
#define OF(kind)   (1u << OCLMM_FUNCTION_##kind)
#define UPDATES    (OF(FETCH) | OF(CAS) | OF(FLAG_SET))
#define LOADS      (OF(LOAD) | UPDATES)
#define STORES     (OF(STORE) | OF(FLAG_CLEAR) | UPDATES)
#define OPERATIONS (OF(LOAD) | OF(STORE) | OF(FLAG_CLEAR) | UPDATES)
#define LEGACY     (OF(LEGACY) | OF(LEGACY_CAS))
#define PLAIN      0 /* no function of OpenCL's */

/* Sets of 1u << enum oclmm_order. */
#define ORDER(name) (1u << OCLMM_ORDER_##name)
#define ACQUIRES    (ORDER(ACQUIRE) | ORDER(ACQ_REL))
#define RELEASES    (ORDER(RELEASE) | ORDER(ACQ_REL))
#define SIDED       (ORDER(ACQUIRE) | ORDER(RELEASE) | ORDER(ACQ_REL))
#define STRONG      (SIDED | ORDER(SEQ_CST))
#define ANY         (STRONG | ORDER(RELAXED))

/* What a change is part of; each class is drawn as often as the number says, of SHARES. */
enum class { ORDERS, FENCES, APART, MOVED, REACHED, COMPUTED, SHARED, FEATURES, CLASS_COUNT };
static const unsigned shares[CLASS_COUNT] = {30, 14, 16, 14, 8, 12, 4, 2};

enum bit {
	WHEN = 1u << 0,   /* a call can ask when it runs whether it is meant */
	NUMBER = 1u << 1, /* has a number of its own, so that the launch has to decide */
	PAIR = 1u << 2,   /* of two statements: kinds are those of one of them */
	TEXT = 1u << 3,   /* of a text that work-items share: branch, loop, switch, none of them */
	LONE = 1u << 4,   /* wherever it stands */
};

/* Each row is a bug of the list (plant.h) that is as a whole what the rule is in part. */
static const struct row {
	enum class class;
	enum plant_bug bug;
	enum oclmm_what what;
	unsigned kinds, orders, bits;
} rows[] = {
	{ORDERS, PLANT_SC_ACQ_REL, OCLMM_WHAT_NO_TOTAL_ORDER, OPERATIONS, ORDER(SEQ_CST), WHEN},
	{ORDERS, PLANT_ACQUIRE_RELAXED, OCLMM_WHAT_NO_ACQUIRE, LOADS, ACQUIRES, WHEN},
	{ORDERS, PLANT_RELEASE_RELAXED, OCLMM_WHAT_NO_RELEASE, STORES, RELEASES, WHEN},
	{ORDERS, PLANT_RMW_RELAXED, OCLMM_WHAT_RMW_RELAXED, UPDATES, SIDED, WHEN},
	{ORDERS, PLANT_CAS_FAIL_RELAXED, OCLMM_WHAT_FAILURE_RELAXED, OF(CAS), STRONG, WHEN},
	{ORDERS, PLANT_ALL_RELAXED, OCLMM_WHAT_RELAXED, OPERATIONS | OF(FENCE), STRONG, WHEN},
	{ORDERS, PLANT_SCOPE_NARROWED, OCLMM_WHAT_SCOPE, OPERATIONS | OF(FENCE), ANY, WHEN},
	{FENCES, PLANT_FENCE_REMOVED, OCLMM_WHAT_FENCE_DROPPED, OF(FENCE), STRONG, WHEN},
	{FENCES, PLANT_FENCE_WEAKENED, OCLMM_WHAT_FENCE_WEAKENED, OF(FENCE), STRONG, WHEN},
	{FENCES, PLANT_FENCE_TO_ACQUIRE, OCLMM_WHAT_FENCE_TO_ACQUIRE, OF(FENCE),
         ORDER(ACQ_REL) | ORDER(SEQ_CST), WHEN},
	{FENCES, PLANT_FENCE_TO_RELEASE, OCLMM_WHAT_FENCE_TO_RELEASE, OF(FENCE),
         ORDER(ACQ_REL) | ORDER(SEQ_CST), WHEN},
	{FENCES, PLANT_FENCE_ONCE, OCLMM_WHAT_FENCE_ONCE, OF(FENCE), STRONG, 0},
	{FENCES, PLANT_FENCE_NARROWED, OCLMM_WHAT_FENCE_FLAGS, OF(FENCE), STRONG, 0},
	{FENCES, PLANT_MEM_FENCE_EMPTY, OCLMM_WHAT_MEM_FENCE_DROPPED, OF(MEM_FENCE), 0, WHEN},
	{FENCES, PLANT_BARRIER_REMOVED, OCLMM_WHAT_BARRIER_DROPPED, OF(BARRIER), 0, 0},
	{FENCES, PLANT_BARRIER_NO_FENCE, OCLMM_WHAT_BARRIER_NO_FLAGS, OF(BARRIER), 0, 0},
	{FENCES, PLANT_BARRIER_SWAPPED, OCLMM_WHAT_BARRIER_SWAPPED, OF(BARRIER), 0, 0},
	{APART, PLANT_RMW_SPLIT, OCLMM_WHAT_SPLIT_FETCH, OF(FETCH), ANY, WHEN},
	{APART, PLANT_CAS_SPLIT, OCLMM_WHAT_SPLIT_CAS, OF(CAS), ANY, WHEN},
	{APART, PLANT_LEGACY_SPLIT, OCLMM_WHAT_SPLIT_LEGACY, LEGACY, 0, WHEN},
	{APART, PLANT_EXCHANGE_STORE, OCLMM_WHAT_STORE_FOR_EXCHANGE, OF(FETCH), ANY, 0},
	{APART, PLANT_UPDATE_LOST, OCLMM_WHAT_LOST, OF(FETCH), ANY, NUMBER},
	{APART, PLANT_UPDATE_TWICE, OCLMM_WHAT_TWICE, OF(FETCH), ANY, NUMBER},
	{APART, PLANT_LOCAL_PLAIN, OCLMM_WHAT_PLAIN, OF(LOAD) | OF(STORE) | OF(FETCH) | OF(CAS),
         ANY, WHEN},
	{APART, PLANT_NO_RETRY, OCLMM_WHAT_NO_RETRY, OF(FETCH), ANY, NUMBER},
	{APART, PLANT_RESULT_EARLY, OCLMM_WHAT_RESULT_EARLY, OF(FETCH), ANY, WHEN},
	{APART, PLANT_EXPECTED_LATE, OCLMM_WHAT_EXPECTED_LATE, OF(CAS), ANY, WHEN},
	{APART, PLANT_ZERO_LOAD, OCLMM_WHAT_ZERO_LOAD, OF(FETCH), ANY, 0},
	{APART, PLANT_SAME_LOAD, OCLMM_WHAT_SAME_LOAD, OF(CAS), ANY, WHEN},
	{MOVED, PLANT_LOADS_REVERSED, OCLMM_WHAT_LOADS_REVERSED, OF(LOAD), ANY, PAIR},
	{MOVED, PLANT_LOAD_REUSED, OCLMM_WHAT_LOAD_REUSED, OF(LOAD), ANY, PAIR},
	{MOVED, PLANT_STORES_SWAPPED, OCLMM_WHAT_STORES_SWAPPED, OF(STORE), ANY, PAIR},
	{MOVED, PLANT_LOADS_SWAPPED, OCLMM_WHAT_LOADS_SWAPPED, OF(LOAD), ANY, PAIR},
	{MOVED, PLANT_LOAD_EARLY, OCLMM_WHAT_LOAD_EARLY, OF(LOAD) | OF(STORE), ANY, PAIR},
	{MOVED, PLANT_STORE_EARLY, OCLMM_WHAT_STORE_EARLY, OF(LOAD) | OF(STORE), ANY, PAIR},
	{MOVED, PLANT_UPDATE_EARLY, OCLMM_WHAT_UPDATE_EARLY, UPDATES | OF(LOAD) | OF(STORE), ANY,
         PAIR},
	{MOVED, PLANT_UPDATE_LATE, OCLMM_WHAT_UPDATE_LATE, UPDATES | OF(LOAD) | OF(STORE), ANY,
         PAIR},
	{MOVED, PLANT_PLAIN_LATE, OCLMM_WHAT_PLAIN_LATE, OF(STORE) | UPDATES | OF(FENCE), STRONG,
         PAIR},
	{MOVED, PLANT_FENCE_EARLY, OCLMM_WHAT_FENCE_EARLY, OF(FENCE), STRONG, PAIR},
	{MOVED, PLANT_FENCE_LATE, OCLMM_WHAT_FENCE_LATE, OF(FENCE), STRONG, PAIR},
	{MOVED, PLANT_GUARDED_EARLY, OCLMM_WHAT_GUARDED_EARLY, LOADS, ANY, PAIR},
	{MOVED, PLANT_STORE_INVENTED, OCLMM_WHAT_STORE_INVENTED, OF(STORE), ANY, PAIR},
	{MOVED, PLANT_STORE_FORWARDED, OCLMM_WHAT_STORE_FORWARDED, OF(LOAD) | OF(STORE), ANY, PAIR},
	{MOVED, PLANT_UPDATE_FORWARDED, OCLMM_WHAT_UPDATE_FORWARDED, OF(FETCH), ANY, PAIR},
	{MOVED, PLANT_SAME_DROPPED, OCLMM_WHAT_SAME_DROPPED, OF(STORE), ANY, PAIR},
	{MOVED, PLANT_STORE_DROPPED, OCLMM_WHAT_STORE_DROPPED, OF(STORE), ANY, PAIR},
	{MOVED, PLANT_STORE_REPEATED, OCLMM_WHAT_STORE_REPEATED, OF(STORE), ANY, PAIR},
	{MOVED, PLANT_LOAD_REPEATED, OCLMM_WHAT_LOAD_REPEATED, OF(LOAD), ANY, PAIR},
	{MOVED, PLANT_LOAD_STORED, OCLMM_WHAT_LOAD_STORED, OF(LOAD), ANY, PAIR},
	{REACHED, PLANT_PLAIN_ACCESS, OCLMM_WHAT_PLAIN_ACCESS, OF(LOAD) | OF(STORE), ANY, WHEN},
	{REACHED, PLANT_TORN, OCLMM_WHAT_TORN, OF(LOAD) | OF(STORE), ANY, NUMBER},
	{REACHED, PLANT_NEIGHBOUR_STORED, OCLMM_WHAT_NEIGHBOUR, OF(STORE), ANY, WHEN},
	{REACHED, PLANT_WORD_STORED, OCLMM_WHAT_WORD, PLAIN, 0, 0},
	{REACHED, PLANT_ELEMENT_BEFORE, OCLMM_WHAT_ELEMENT, OPERATIONS, ANY, WHEN},
	{REACHED, PLANT_INIT_LOST, OCLMM_WHAT_INIT_LOST, OF(INIT), 0, WHEN},
	{REACHED, PLANT_INIT_NARROW, OCLMM_WHAT_INIT_NARROW, OF(INIT), 0, WHEN},
#define OCLMM_X(name) {COMPUTED, PLANT_##name, OCLMM_WHAT_##name, OPERATIONS | LEGACY, ANY, WHEN},
	OCLMM_MISTAKES(OCLMM_X)
#undef OCLMM_X
	/* the first of four: in a branch, a loop, a switch, none of them */
	{SHARED, PLANT_BRANCH_BARRIER, OCLMM_WHAT_BARRIER_LOST, PLAIN, 0, TEXT},
	{SHARED, PLANT_BRANCH_HOIST, OCLMM_WHAT_ACCESS_EARLY, PLAIN, 0, TEXT},
	{SHARED, PLANT_BRANCH_SINK, OCLMM_WHAT_ACCESS_LATE, PLAIN, 0, TEXT},
	{SHARED, PLANT_BRANCH_PRIVATE, OCLMM_WHAT_PRIVATE_LOST, PLAIN, 0, TEXT},
	{SHARED, PLANT_BRANCH_REST, OCLMM_WHAT_REST_LOST, PLAIN, 0, TEXT},
	{SHARED, PLANT_BRANCH_TWICE, OCLMM_WHAT_REST_TWICE, PLAIN, 0, TEXT},
	{SHARED, PLANT_BRANCH_FIRST, OCLMM_WHAT_REST_FIRST, PLAIN, 0, TEXT},
	{SHARED, PLANT_ALL_ENTER, OCLMM_WHAT_ALL_ENTER, PLAIN, 0, LONE},
	{SHARED, PLANT_NONE_ENTERS, OCLMM_WHAT_NONE_ENTERS, PLAIN, 0, LONE},
	{SHARED, PLANT_TURN_TWICE, OCLMM_WHAT_TURN_TWICE, PLAIN, 0, LONE},
	{SHARED, PLANT_JUMP_LOST, OCLMM_WHAT_JUMP_LOST, PLAIN, 0, LONE},
	{FEATURES, PLANT_COLLECTIVE_ALONE, OCLMM_WHAT_COLLECTIVE_ALONE, PLAIN, 0, LONE},
	{FEATURES, PLANT_VARIABLE_COPIED, OCLMM_WHAT_VARIABLE_COPIED, PLAIN, 0, LONE},
	{FEATURES, PLANT_COPY_SHORT, OCLMM_WHAT_COPY_SHORT, PLAIN, 0, LONE},
	{FEATURES, PLANT_COPY_UNAWAITED, OCLMM_WHAT_COPY_UNAWAITED, PLAIN, 0, LONE},
	{FEATURES, PLANT_CHILD_EARLY, OCLMM_WHAT_CHILD_EARLY, PLAIN, 0, LONE},
	{FEATURES, PLANT_CHILD_UNAWAITED, OCLMM_WHAT_CHILD_UNAWAITED, PLAIN, 0, LONE},
	{FEATURES, PLANT_IMAGE_STALE, OCLMM_WHAT_IMAGE_STALE, PLAIN, 0, LONE},
	{FEATURES, PLANT_VARIABLE_DIRTY, OCLMM_WHAT_VARIABLE_DIRTY, PLAIN, 0, LONE},
	{FEATURES, PLANT_INITIALISER_LOST, OCLMM_WHAT_INITIALISER_LOST, PLAIN, 0, LONE},
};

/* Where, when it runs: what a call can ask, what the launch can tell, and the numbers drawn. */
static const struct {
	enum oclmm_where where;
	bool by_call, by_launch;
	const char *words; /* of a number: the rule's */
	unsigned numbers[4];
} whens[] = {
	{OCLMM_WHERE_BIG_GROUP, true, true, "groups of size N or more", {2, 8, 32, 64}},
	{OCLMM_WHERE_SMALL_GROUP, true, true, "groups of size N or less", {1, 2, 16, 64}},
	{OCLMM_WHERE_EXACT_GROUP, true, true, "groups of size N", {1, 2, 32, 64}},
	{OCLMM_WHERE_UNEVEN_GROUP,
         true,
         true,
         "groups of a size that is no multiple of N",
         {2, 3, 16, 32}},
	{OCLMM_WHERE_ODD_GROUP, true, false, "groups of odd number", {0}},
	{OCLMM_WHERE_FROM_GROUP, true, false, "groups from number N on", {1, 8, 64, 256}},
	{OCLMM_WHERE_MANY_GROUPS,
         true,
         true,
         "launches of group count N or more",
         {2, 16, 64, 256}},
	{OCLMM_WHERE_LONE_GROUP, false, true, "launches of group count N", {1, 2, 16, 32}},
	{OCLMM_WHERE_LANE, true, false, "the last of N work-items", {2, 3, 4, 32}},
	{OCLMM_WHERE_SHIFTED, true, false, "addresses of no multiple of N", {8, 16, 64, 128}},
	{OCLMM_WHERE_RARE, true, false, "one call of N", {2, 10, 100, 1000}},
	{OCLMM_WHERE_FIRST_LAUNCH, false, true, "the first N launches", {1, 2, 3, 8}},
	{OCLMM_WHERE_LATE_LAUNCH, false, true, "launches behind the first N", {1, 2, 8, 16}},
};

/* ---- drawing ---------------------------------------------------------------- */

struct draw {
	uint64_t key, counter;
};

static unsigned below(struct draw *draw, unsigned bound)
{
	return (unsigned)oclmm_random_below(draw->key, draw->counter++, bound);
}

/* One time of N. */
static bool now(struct draw *draw, unsigned n)
{
	return below(draw, n) == 0;
}

static const struct row *draw_row(struct draw *draw)
{
	unsigned class = 0, share = 0, all = 0, count = 0, nth;

	for (unsigned i = 0; i < CLASS_COUNT; i++)
		all += shares[i];
	share = below(draw, all);
	while (share >= shares[class])
		share -= shares[class ++];
	for (size_t i = 0; i < OCLMM_COUNT(rows); i++)
		count += rows[i].class == class;
	nth = below(draw, count);
	for (size_t i = 0;; i++)
		if (rows[i].class == class && nth-- == 0)
			return &rows[i];
}

/* With these the kernels count, and a wrong count hides all else. */
static bool counts(const struct oclmm_function *function)
{
	return strcmp(function->name, "inc") == 0 ||
	       (function->kind == OCLMM_FUNCTION_LEGACY && strcmp(function->name, "add") == 0);
}

static bool is_possible(const struct row *row, const struct oclmm_function *function)
{
	if (!(row->kinds >> function->kind & 1) || counts(function))
		return false;
	if (row->what == OCLMM_WHAT_STORE_FOR_EXCHANGE)
		return function->update == '=';
	if (row->what == OCLMM_WHAT_ZERO_LOAD)
		return function->update && strchr("+-|^&", function->update);
	if (row->class == COMPUTED || row->what == OCLMM_WHAT_NO_RETRY ||
	    row->what == OCLMM_WHAT_RESULT_EARLY)
		return oclmm_function_concerned(row->what, function);
	return true;
}

static const struct oclmm_function *draw_function(struct draw *draw, const struct row *row)
{
	const struct oclmm_function *function;
	unsigned count = 0, nth;

	for (size_t i = 0; (function = oclmm_function_at(i)); i++)
		count += is_possible(row, function);
	if (count == 0)
		return NULL;
	nth = below(draw, count);
	for (size_t i = 0;; i++)
		if (is_possible(row, oclmm_function_at(i)) && nth-- == 0)
			return oclmm_function_at(i);
}

/* The orders that a function can be called with. */
static unsigned orders_of(enum oclmm_function_kind kind)
{
	switch (kind) {
	case OCLMM_FUNCTION_LOAD: return ORDER(RELAXED) | ORDER(ACQUIRE) | ORDER(SEQ_CST);
	case OCLMM_FUNCTION_STORE:
	case OCLMM_FUNCTION_FLAG_CLEAR: return ORDER(RELAXED) | ORDER(RELEASE) | ORDER(SEQ_CST);
	case OCLMM_FUNCTION_FETCH:
	case OCLMM_FUNCTION_CAS:
	case OCLMM_FUNCTION_FLAG_SET:
	case OCLMM_FUNCTION_FENCE: return ANY;
	default: return 0;
	}
}

static void draw_order(struct draw *draw, struct oclmm_mutation *m, unsigned orders)
{
	unsigned count = (unsigned)__builtin_popcount(orders), nth = count ? below(draw, count) : 0;

	for (unsigned i = 0; count && i < OCLMM_ORDER_COUNT; i++)
		if ((orders >> i & 1) && nth-- == 0)
			m->words[OCLMM_ASPECT_ORDER] = oclmm_aspect_word(OCLMM_ASPECT_ORDER,
			                                                 i - OCLMM_ORDER_RELAXED);
}

static void draw_word(struct draw *draw, struct oclmm_mutation *m, enum oclmm_aspect aspect,
                      unsigned count)
{
	m->words[aspect] = oclmm_aspect_word(aspect, below(draw, count));
}

/* Words of the aspect: int, uint, long, ulong, then half, float, double. */
enum { INTEGERS = 4, TYPES = 7 };

/* Floating-point objects have no bits to and, and mistakes that look at bits leave them alone. */
static bool takes_floats(const struct row *row, const struct oclmm_function *function)
{
	return row->class != COMPUTED && !(function->update && strchr("|^&", function->update));
}

/* Functions, orders, scopes, widths or types, spaces, forms: few of them at once. */
static void draw_words(struct draw *draw, const struct row *row, struct oclmm_mutation *m)
{
	const struct oclmm_function *function = draw_function(draw, row);
	bool legacy, flag, object, fence, barrier;

	if (!function)
		return;
	legacy = (1u << function->kind) & LEGACY;
	flag = function->kind == OCLMM_FUNCTION_FLAG_SET ||
	       function->kind == OCLMM_FUNCTION_FLAG_CLEAR;
	fence = function->kind == OCLMM_FUNCTION_FENCE ||
	        function->kind == OCLMM_FUNCTION_MEM_FENCE;
	barrier = function->kind == OCLMM_FUNCTION_BARRIER;
	object = !fence && !barrier;
	if (row->class == COMPUTED)
		snprintf(m->function, sizeof(m->function), "%s", function->name);
	else if (legacy || row->what == OCLMM_WHAT_PLAIN || now(draw, 2))
		m->words[OCLMM_ASPECT_FUNCTION] = function->name;
	if (row->orders && !legacy && now(draw, 4))
		draw_order(draw, m, row->orders & orders_of(function->kind));
	if (object && !flag && function->kind != OCLMM_FUNCTION_INIT && now(draw, 6))
		draw_word(draw, m, OCLMM_ASPECT_WIDTH, 2);
	else if (object && !flag && now(draw, 6))
		draw_word(draw, m, OCLMM_ASPECT_TYPE,
		          legacy                        ? INTEGERS / 2
		          : takes_floats(row, function) ? TYPES
		                                        : INTEGERS);
	if (now(draw, 6))
		draw_word(draw, m, OCLMM_ASPECT_SPACE, object ? 2 : 3);
	if (!legacy && function->kind != OCLMM_FUNCTION_MEM_FENCE &&
	    function->kind != OCLMM_FUNCTION_INIT && now(draw, 8)) {
		/* from the sub-group on; what narrows scopes, from the device on */
		bool narrows = row->what == OCLMM_WHAT_SCOPE;

		m->words[OCLMM_ASPECT_SCOPE] = oclmm_aspect_word(OCLMM_ASPECT_SCOPE,
		                                                 narrows ? 3 + below(draw, 2)
		                                                         : 1 + below(draw, 4));
	} else if (object && !legacy && function->kind != OCLMM_FUNCTION_INIT && now(draw, 8)) {
		draw_word(draw, m, OCLMM_ASPECT_FORM, 3);
	}
}

/* A form has the orders and scopes that it can be written with. */
static bool agrees(const struct oclmm_mutation *m)
{
	const char *form = m->words[OCLMM_ASPECT_FORM], *order = m->words[OCLMM_ASPECT_ORDER];

	return !form || !order || strcmp(form, "short") != 0 || strcmp(order, "seq_cst") == 0;
}

/* What the program says beside: where the call stands, what it is for. */
static void draw_also(struct draw *draw, const struct row *row, struct oclmm_mutation *m)
{
	static const enum oclmm_where every[] = {OCLMM_WHERE_NTH, OCLMM_WHERE_LAST,
	                                         OCLMM_WHERE_BRANCH, OCLMM_WHERE_LOOP},
				      objects[] = {OCLMM_WHERE_NTH,     OCLMM_WHERE_LAST,
	                                           OCLMM_WHERE_BRANCH,  OCLMM_WHERE_LOOP,
	                                           OCLMM_WHERE_ELEMENT, OCLMM_WHERE_UNLIKE_ONE,
	                                           OCLMM_WHERE_UNUSED,  OCLMM_WHERE_MIXED,
	                                           OCLMM_WHERE_STORED};
	unsigned count = 4;

	if (row->kinds & (OF(LOAD) | OF(STORE)))
		count = row->kinds & OF(STORE) ? 6 : 5;
	else if (row->kinds & OF(FETCH))
		count = OCLMM_COUNT(objects);
	m->also = (count > 4 ? objects : every)[below(draw, count)];
	if (m->also == OCLMM_WHERE_UNLIKE_ONE && count == OCLMM_COUNT(objects))
		m->also = OCLMM_WHERE_ELEMENT;
	if (m->also == OCLMM_WHERE_NTH)
		m->also_number = 1 + below(draw, 4);
}

static void draw_when(struct draw *draw, const struct row *row, struct plant *plant)
{
	bool by_call = row->bits & WHEN;
	unsigned i;

	do
		i = below(draw, OCLMM_COUNT(whens));
	while (by_call ? !whens[i].by_call && !whens[i].by_launch : !whens[i].by_launch);
	/* fences have no object */
	if ((row->kinds & (OF(FENCE) | OF(MEM_FENCE))) &&
	    (whens[i].where == OCLMM_WHERE_SHIFTED || whens[i].where == OCLMM_WHERE_RARE))
		return;
	if (by_call && whens[i].by_call) {
		plant->mutation.where = whens[i].where;
		plant->mutation.number = whens[i].numbers[below(draw, 4)];
	} else {
		plant->launches = whens[i].where;
		plant->launch_number = whens[i].numbers[below(draw, 4)];
	}
}

static void draw_number(struct draw *draw, struct oclmm_mutation *m)
{
	static const unsigned every[] = {10, 100, 1000, 10000}, bits[] = {8, 16, 32, 32};

	switch (m->what) {
	case OCLMM_WHAT_LOST:
	case OCLMM_WHAT_TWICE: m->number = every[below(draw, 4)]; break;
	case OCLMM_WHAT_NO_RETRY: m->number = 1 + below(draw, 2); break;
	case OCLMM_WHAT_TORN: m->number = bits[below(draw, 4)]; break;
	default: break;
	}
}

/* The rule of a seed and a number from 1 on. */
static void draw_plant(uint64_t seed, uint64_t number, struct plant *ret_plant)
{
	static const enum oclmm_where places[] = {OCLMM_WHERE_BRANCH, OCLMM_WHERE_LOOP,
	                                          OCLMM_WHERE_SWITCH, OCLMM_WHERE_STRAIGHT};
	struct draw draw = {.key = oclmm_random(oclmm_random_derive(seed, "bugs"), number)};
	const struct row *row;

	do {
		row = draw_row(&draw);
		*ret_plant = (struct plant){
			.bug = row->bug,
			.mutation = {.what = row->what},
			.drawn = true,
			.seed = seed,
			.draw = number,
		};
		draw_words(&draw, row, &ret_plant->mutation);
	} while (!agrees(&ret_plant->mutation));
	ret_plant->mutation.keep_global = row->what == OCLMM_WHAT_FENCE_FLAGS && now(&draw, 2);
	ret_plant->mutation.to_sub_group = row->what == OCLMM_WHAT_SCOPE && now(&draw, 4);
	if (row->bits & TEXT) {
		unsigned place = below(&draw, OCLMM_COUNT(places));

		ret_plant->mutation.where = places[place];
		ret_plant->bug += place;
	} else if (!(row->bits & LONE) && now(&draw, 4)) {
		draw_also(&draw, row, &ret_plant->mutation);
	}
	draw_number(&draw, &ret_plant->mutation);
	if (now(&draw, 3))
		draw_when(&draw, row, ret_plant);
}

/* ---- a rule in words --------------------------------------------------------- */

static const char *place_words(enum oclmm_where where)
{
	switch (where) {
	case OCLMM_WHERE_BRANCH: return "in a branch";
	case OCLMM_WHERE_LOOP: return "in a loop";
	case OCLMM_WHERE_ELEMENT: return "elements of arrays";
	case OCLMM_WHERE_LAST: return "the last statement";
	case OCLMM_WHERE_UNUSED: return "an unused result";
	case OCLMM_WHERE_MIXED: return "objects that another function updates";
	case OCLMM_WHERE_STORED: return "objects that are stored";
	case OCLMM_WHERE_UNLIKE_ONE: return "stores of another value than 1";
	default: return NULL;
	}
}

/* `N` in the words is the number. */
static void add_where(struct oclmm_text *text, const char *words, uint64_t number)
{
	const char *n = strchr(words, 'N');

	oclmm_text_add(text, text->length ? "; " : "");
	if (n)
		oclmm_text_printf(text, "%.*s%llu%s", (int)(n - words), words,
		                  (unsigned long long)number, n + 1);
	else
		oclmm_text_add(text, words);
}

static void add_when(struct oclmm_text *text, enum oclmm_where where, uint64_t number)
{
	for (size_t i = 0; i < OCLMM_COUNT(whens); i++)
		if (whens[i].where == where)
			add_where(text, whens[i].words, number);
}

/* A number that is no one's `where`. */
static void add_number(struct oclmm_text *text, const struct oclmm_mutation *m)
{
	if (m->what == OCLMM_WHAT_LOST || m->what == OCLMM_WHAT_TWICE)
		add_where(text, "one of N", m->number);
	if (m->what == OCLMM_WHAT_NO_RETRY && m->number > 1)
		add_where(text, "behind N others", m->number);
	if (m->what == OCLMM_WHAT_TORN)
		add_where(text, "parts of N bits", m->number);
	if (m->what == OCLMM_WHAT_FENCE_FLAGS)
		add_where(text, m->keep_global ? "global is left" : "local is left", 0);
	if (m->what == OCLMM_WHAT_SCOPE && m->to_sub_group)
		add_where(text, "to the sub-group", 0);
}

void plant_where(const struct plant *plant, struct oclmm_text *text)
{
	const struct oclmm_mutation *m = &plant->mutation;

	if (m->function[0])
		oclmm_text_add(text, m->function);
	for (int i = 0; i < OCLMM_ASPECT_COUNT; i++)
		if (m->words[i])
			oclmm_text_printf(text, "%s%s", text->length ? "; " : "", m->words[i]);
	if (m->also == OCLMM_WHERE_NTH)
		add_where(text, "statement N", m->also_number);
	else if (place_words(m->also))
		add_where(text, place_words(m->also), 0);
	add_number(text, m);
	add_when(text, m->where, m->number);
	add_when(text, plant->launches, plant->launch_number);
}

static bool take_digits(const char **at, uint64_t *ret_number)
{
	uint64_t number = 0;
	bool any = false;

	for (; **at >= '0' && **at <= '9'; (*at)++, any = true) {
		uint64_t digit = (uint64_t)(**at - '0');

		if (number > (UINT64_MAX - digit) / 10)
			return false;
		number = 10 * number + digit;
	}
	*ret_number = number;
	return any;
}

bool plant_draw_parse(const char *choice, struct plant *ret_plant)
{
	static const char prefix[] = "drawn-";
	uint64_t seed, number;

	if (strncmp(choice, prefix, strlen(prefix)) != 0)
		return false;
	choice += strlen(prefix);
	if (!take_digits(&choice, &seed) || *choice++ != '-' || !take_digits(&choice, &number) ||
	    *choice || number == 0)
		return false;
	draw_plant(seed, number, ret_plant);
	return true;
}
