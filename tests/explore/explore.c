// SPDX-License-Identifier: Apache-2.0
/* The explorer on threads that are lists of steps: which states it finds, which races, who waits,
 * and what large programs cost. */

#include "../fixture/test.h"

#include <errno.h>

#include "scripts.h"

enum { MOST_THREADS = 8, MOST_CELLS = 16, MOST_LINES = 32 };

static const struct oclmm_explored_thread apart[MOST_THREADS] = {{0, 0}, {1, 1}, {2, 2}, {3, 3},
                                                                 {4, 4}, {5, 5}, {6, 6}, {7, 7}};
static const struct oclmm_explored_thread together[MOST_THREADS];

static struct oclmm_explored *explore(const struct script *threads, unsigned count,
                                      unsigned observed, bool one_group)
{
	const struct oclmm_explore_options options = {.seconds = 60, .memory = 1 << 30};
	struct oclmm_cell cells[MOST_CELLS];
	struct oclmm_explored *found;
	struct scripts scripts = {.threads = threads,
	                          .places = one_group ? together : apart,
	                          .count = count,
	                          .cells = cells,
	                          .cell_count = MOST_CELLS};

	for (unsigned i = 0; i < MOST_CELLS; i++)
		cells[i] = (struct oclmm_cell){.size = 4, .observed = observed >> i & 1};
	assert_int_equal(scripts_explore(&scripts, &options, &found), 0);
	return found;
}

#define SCRIPT(lines)                                                                              \
	{                                                                                          \
		lines, sizeof(lines) / sizeof((lines)[0])                                          \
	}

/* A copy by two threads of what lies in 0 to 1, and what the first does before and behind the wait.
 */
static struct oclmm_explored *copy_and(struct line first, struct line before, struct line behind)
{
	const struct line p0[] = {first,  MEET(MEET_COPY, 0, 1),
	                          before, MEET(MEET_WAIT, 0, 0),
	                          behind, KEEP(2)},
			  p1[] = {FENCE(REL), MEET(MEET_COPY, 0, 1), FENCE(REL),
	                          MEET(MEET_WAIT, 0, 0)};
	const struct script threads[] = {SCRIPT(p0), SCRIPT(p1)};

	return explore(threads, 2, 4, true);
}

TEST(test_copies)
{
	const struct line nothing = FENCE(REL), read = READ(1), other = WRITE(0, 7);
	struct oclmm_explored *found = copy_and(nothing, nothing, read);

	assert_int_equal(found->fault, OCLMM_EXPLORED_SOUND);
	assert_int_equal(found->state_count, 1);
	oclmm_explored_destroy(found);
	found = copy_and(nothing, nothing, other);
	assert_int_equal(found->fault, OCLMM_EXPLORED_SOUND);
	oclmm_explored_destroy(found);
	/* before the wait neither may what it brings be read nor what it takes be overwritten */
	found = copy_and(nothing, read, nothing);
	assert_int_equal(found->fault, OCLMM_EXPLORED_RACE);
	assert_true(found->first.copies && found->first.writes && !found->second.copies);
	oclmm_explored_destroy(found);
	found = copy_and(nothing, other, nothing);
	assert_int_equal(found->fault, OCLMM_EXPLORED_RACE);
	assert_true(found->first.copies && !found->first.writes && found->second.writes);
	oclmm_explored_destroy(found);
	/* the other thread may make it, and knows nothing of what the first wrote */
	found = copy_and(other, nothing, nothing);
	assert_int_equal(found->fault, OCLMM_EXPLORED_RACE);
	assert_true(!found->first.copies && found->second.copies);
	oclmm_explored_destroy(found);
}

TEST(test_copies_that_nobody_waits_for)
{
	const struct line p0[] = {MEET(MEET_COPY, 0, 1)}, p1[] = {MEET(MEET_REFUSED, 0, 1)};
	const struct script threads[] = {SCRIPT(p0)}, refused[] = {SCRIPT(p1)};
	struct oclmm_explored *found = explore(threads, 1, 4, true);

	assert_int_equal(found->fault, OCLMM_EXPLORED_UNWAITED);
	assert_int_equal(found->first.thread, 0);
	oclmm_explored_destroy(found);
	found = explore(refused, 1, 4, true);
	assert_int_equal(found->fault, OCLMM_EXPLORED_FAULTED);
	oclmm_explored_destroy(found);
}

static void store_buffering(enum oclmm_order order, size_t wanted)
{
	const struct line p0[] = {STORE(0, order, 1), LOAD(1, order), KEEP(2)},
			  p1[] = {STORE(1, order, 1), LOAD(0, order), KEEP(3)};
	const struct script threads[] = {SCRIPT(p0), SCRIPT(p1)};
	struct oclmm_explored *found = explore(threads, 2, 12, false);

	assert_int_equal(found->state_count, wanted);
	assert_int_equal(found->fault, OCLMM_EXPLORED_SOUND);
	oclmm_explored_destroy(found);
}

TEST(test_store_buffering)
{
	store_buffering(RLX, 4);
	store_buffering(SC, 3);
}

/* Seq_cst accesses beside a relaxed one: the order S is looked for. */
TEST(test_mixed_orders)
{
	const struct line p0[] = {STORE(0, SC, 1), LOAD(1, SC), KEEP(2)},
			  p1[] = {STORE(1, SC, 1), LOAD(0, SC), KEEP(3)}, p2[] = {ADD(4, RLX, 1)};
	const struct script threads[] = {SCRIPT(p0), SCRIPT(p1), SCRIPT(p2)};
	struct oclmm_explored *found = explore(threads, 3, 12, false);

	assert_int_equal(found->state_count, 3);
	oclmm_explored_destroy(found);
}

TEST(test_fences)
{
	const struct line p0[] = {STORE(0, RLX, 1), FENCE(SC), LOAD(1, RLX), KEEP(2)},
			  p1[] = {STORE(1, RLX, 1), FENCE(SC), LOAD(0, RLX), KEEP(3)};
	const struct script threads[] = {SCRIPT(p0), SCRIPT(p1)};
	struct oclmm_explored *found = explore(threads, 2, 12, false);

	assert_int_equal(found->state_count, 3);
	oclmm_explored_destroy(found);
}

static void pass_message(enum oclmm_order store, enum oclmm_order load,
                         enum oclmm_explored_fault fault)
{
	const struct line p0[] = {WRITE(0, 1), STORE(1, store, 1)},
			  p1[] = {LOAD(1, load), UNLESS(1), READ(0), KEEP(2)};
	const struct script threads[] = {SCRIPT(p0), SCRIPT(p1)};
	struct oclmm_explored *found = explore(threads, 2, 4, false);

	assert_int_equal(found->fault, fault);
	if (fault == OCLMM_EXPLORED_SOUND) {
		assert_int_equal(found->state_count, 1);
		assert_int_equal(found->states[0].values[0], 1);
		assert_false(found->waits);
	} else {
		assert_int_equal(found->first.cell, 0);
		assert_int_equal(found->first.where + found->second.where, 2);
		assert_non_null(found->last);
	}
	oclmm_explored_destroy(found);
}

TEST(test_message_passing)
{
	pass_message(REL, ACQ, OCLMM_EXPLORED_SOUND);
	pass_message(RLX, ACQ, OCLMM_EXPLORED_RACE);
	pass_message(REL, RLX, OCLMM_EXPLORED_RACE);
}

TEST(test_a_wait_without_an_end)
{
	const struct line p0[] = {STORE(1, REL, 2)}, p1[] = {LOAD(1, ACQ), UNLESS(1), KEEP(2)};
	const struct script threads[] = {SCRIPT(p0), SCRIPT(p1)};
	struct oclmm_explored *found = explore(threads, 2, 4, false);

	assert_true(found->waits);
	assert_int_equal(found->waiting_count, 1);
	assert_int_equal(found->waiting[0].thread, 1);
	oclmm_explored_destroy(found);
}

TEST(test_collective)
{
	const struct line p0[] = {SUM(3), KEEP(0)}, p1[] = {SUM(4), KEEP(1)}, p2[] = {WRITE(2, 1)};
	const struct script both[] = {SCRIPT(p0), SCRIPT(p1)}, one[] = {SCRIPT(p0), SCRIPT(p2)};
	struct oclmm_explored *found = explore(both, 2, 3, true);

	assert_int_equal(found->state_count, 1);
	assert_int_equal(found->states[0].values[0], 7);
	assert_int_equal(found->states[0].values[1], 7);
	oclmm_explored_destroy(found);
	found = explore(one, 2, 0, true);
	assert_int_equal(found->fault, OCLMM_EXPLORED_DIVERGED);
	assert_true(found->second.ended);
	oclmm_explored_destroy(found);
}

/* What took the enumeration of executions too long: 4 × 8 and 6 × 4 seq_cst accesses, 4 × 6
 * updates. */
static void large(unsigned threads, unsigned length, bool updates)
{
	struct line lines[MOST_THREADS][MOST_LINES];
	struct script scripts[MOST_THREADS];
	struct oclmm_explored *found;

	for (unsigned t = 0; t < threads; t++) {
		for (unsigned i = 0; i < length; i++) {
			const struct line store = STORE((t + i) % 4, SC, t + 1),
					  load = LOAD((t + i + 1) % 4, SC), add = ADD(0, RLX, 1);

			lines[t][i] = updates ? add : i % 2 ? load : store;
		}
		scripts[t] = (struct script){lines[t], length};
	}
	found = explore(scripts, threads, updates ? 1 : 15, false);
	if (updates) {
		assert_int_equal(found->state_count, 1);
		assert_int_equal(found->states[0].values[0], threads * length);
	} else {
		assert_true(found->state_count > 1);
	}
	print_message("%u x %u: %llu states\n", threads, length,
	              (unsigned long long)found->visited);
	oclmm_explored_destroy(found);
}

TEST(test_large)
{
	large(4, 8, false);
	large(6, 4, false);
	large(4, 6, true);
}

/* Updates by 1 that nobody looks at, and one that somebody does. */
#define COUNT(c, o)        UPDATE(c, o, OCLMM_OP_FETCH_ADD, false, true, OCLMM_SCOPE_DEVICE)
#define COUNT_NARROWLY(c)  UPDATE(c, RLX, OCLMM_OP_FETCH_ADD, false, true, OCLMM_SCOPE_WORK_GROUP)
#define COUNT_AND_LOOK(c)  UPDATE(c, RLX, OCLMM_OP_FETCH_ADD, false, false, OCLMM_SCOPE_DEVICE)
#define SET(c)             UPDATE(c, RLX, OCLMM_OP_FETCH_OR, false, true, OCLMM_SCOPE_DEVICE)
#define LEAST(c, negative) UPDATE(c, RLX, OCLMM_OP_FETCH_MIN, negative, true, OCLMM_SCOPE_DEVICE)
#define MOST(c, negative)  UPDATE(c, RLX, OCLMM_OP_FETCH_MAX, negative, true, OCLMM_SCOPE_DEVICE)
#define UPDATE(c, o, what, negative, looked, wide)                                                 \
	{                                                                                          \
		LINE_STEP,                                                                         \
		{                                                                                  \
			.kind = OCLMM_EXPLORED_UPDATE, .cell = (c), .order = (o), .scope = (wide), \
			.op = (what), .operand = 1, .is_signed = (negative), .unused = (looked)    \
		}                                                                                  \
	}

/*
 * Each thread updates a counter and then the other's, so that each may read what the other adds
 * because it read: that is of no matter where nobody looks, all updates of an object may change
 * places, and none of them synchronizes. The third object is no counter.
 */
TEST(test_counters_read_early)
{
	static const struct {
		struct line first[4], second[4];
		uint32_t count;
		bool early;
	} rows[] = {
		{{LOAD(2, RLX), COUNT(0, RLX), COUNT(1, RLX)},
	         {LOAD(2, RLX), COUNT(1, RLX), COUNT(0, RLX)},
	         3,
	         false},
		{{LOAD(2, RLX), COUNT_AND_LOOK(0), COUNT(1, RLX)},
	         {LOAD(2, RLX), COUNT_AND_LOOK(1), COUNT(0, RLX)},
	         3,
	         true},
		{{LOAD(2, RLX), COUNT(0, RLX), SET(1)},
	         {LOAD(2, RLX), COUNT(1, RLX), SET(0)},
	         3,
	         true},
		{{LOAD(2, RLX), SET(0), SET(1)}, {LOAD(2, RLX), SET(1), SET(0)}, 3, false},
		/* -1 and 1 have no least that both hold for the least */
		{{LOAD(2, RLX), LEAST(0, true), LEAST(1, false)},
	         {LOAD(2, RLX), LEAST(1, true), LEAST(0, false)},
	         3,
	         true},
		{{LOAD(2, RLX), MOST(0, true), MOST(1, false)},
	         {LOAD(2, RLX), MOST(1, true), MOST(0, false)},
	         3,
	         true},
		{{LOAD(2, RLX), LEAST(0, true), MOST(1, true)},
	         {LOAD(2, RLX), MOST(1, true), LEAST(0, true)},
	         3,
	         false},
		/* acquires */
		{{LOAD(2, RLX), COUNT(0, ACQ), COUNT(1, RLX)},
	         {LOAD(2, RLX), COUNT(1, ACQ), COUNT(0, RLX)},
	         3,
	         true},
		/* carries the release side of a fence */
		{{LOAD(2, RLX), COUNT(0, RLX), FENCE(REL), COUNT(1, RLX)},
	         {LOAD(2, RLX), COUNT(1, RLX), FENCE(REL), COUNT(0, RLX)},
	         4,
	         true},
	};

	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		const struct script threads[] = {{rows[i].first, rows[i].count},
		                                 {rows[i].second, rows[i].count}};
		struct oclmm_explored *found = explore(threads, 2, 3, false);

		assert_int_equal(found->fault, OCLMM_EXPLORED_SOUND);
		if (found->early != rows[i].early)
			fail_msg("row %zu: %d", i, found->early);
		oclmm_explored_destroy(found);
	}
}

/*
 * Where threads share nothing but counters, one execution says it all. What is no such thing takes
 * more of them: here a race that one order of the threads hides, as the second update of 1 acquires
 * what the first one released.
 */
TEST(test_counters_alone)
{
	static const struct {
		struct line first, last;
		enum oclmm_explored_fault fault;
	} rows[] = {
		{COUNT(0, RLX), COUNT(0, RLX), OCLMM_EXPLORED_SOUND},
		{COUNT_NARROWLY(0), COUNT(0, RLX), OCLMM_EXPLORED_RACE},
		{WRITE(0, 1), READ(0), OCLMM_EXPLORED_RACE},
		{READ(0), WRITE(0, 1), OCLMM_EXPLORED_RACE},
		{READ(0), COUNT(0, RLX), OCLMM_EXPLORED_RACE},
		{READ(0), READ(0), OCLMM_EXPLORED_SOUND},
	};

	for (size_t i = 0; i < 2 * OCLMM_COUNT(rows); i++) {
		const struct line first[] = {rows[i / 2].first, COUNT(1, OCLMM_ORDER_ACQ_REL)},
				  second[] = {COUNT(1, OCLMM_ORDER_ACQ_REL), rows[i / 2].last};
		const struct script threads[] = {SCRIPT(first), SCRIPT(second)},
				    other_way[] = {SCRIPT(second), SCRIPT(first)};
		struct oclmm_explored *found = explore(i % 2 ? other_way : threads, 2, 2, false);

		if (found->fault != rows[i / 2].fault)
			fail_msg("row %zu: %d", i, found->fault);
		if (found->fault == OCLMM_EXPLORED_SOUND)
			assert_int_equal(found->state_count, 1);
		oclmm_explored_destroy(found);
	}
}

/* Each order of two that are looked at leaves something else. */
TEST(test_counters_that_are_looked_at)
{
	const struct line lines[] = {COUNT_AND_LOOK(0), KEEP(1)}, other[] = {COUNT(0, RLX)};
	const struct script threads[] = {SCRIPT(lines), SCRIPT(other)},
			    other_way[] = {SCRIPT(other), SCRIPT(lines)};

	for (unsigned i = 0; i < 2; i++) {
		struct oclmm_explored *found = explore(i ? other_way : threads, 2, 2, false);

		assert_int_equal(found->fault, OCLMM_EXPLORED_SOUND);
		assert_int_equal(found->state_count, 2);
		oclmm_explored_destroy(found);
	}
}

/* What is read of what nobody seemed to need is learnt on the way, and nothing begins anew. */
TEST(test_learns_in_one_go)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_slice slices[2];
	unsigned runs, learning = 0;
	const struct line barrier = {LINE_STEP,
	                             {.kind = OCLMM_EXPLORED_BARRIER,
	                              .flags = OCLMM_FLAG_GLOBAL,
	                              .scope = OCLMM_SCOPE_WORK_GROUP}},
			  left[] = {READ(4), KEEP(0), KEEP(1), barrier, READ(2), READ(3)},
			  right[] = {READ(4), KEEP(2), KEEP(3), barrier, READ(0), READ(1)};
	const struct script threads[] = {SCRIPT(left), SCRIPT(right)};
	struct oclmm_cell cells[] = {
		{.size = 4}, {.size = 4}, {.size = 4}, {.size = 4}, {.size = 4}};
	const struct scripts scripts = {.threads = threads,
	                                .places = together,
	                                .count = 2,
	                                .cells = cells,
	                                .cell_count = 5,
	                                .slices = slices,
	                                .runs = &runs};
	struct oclmm_explored *found;

	for (unsigned t = 0; t < 2; t++)
		oclmm_slice_begin(arena, 1, &slices[t]);
	/* the second time all is known to be needed */
	for (unsigned n = 0; n < 2; n++) {
		runs = 0;
		assert_int_equal(
			scripts_explore(&scripts, &(struct oclmm_explore_options){0}, &found), 0);
		assert_int_equal(found->fault, OCLMM_EXPLORED_SOUND);
		assert_true(slices[0].needed[0] && slices[1].needed[0]);
		if (n > 0)
			assert_int_equal(runs, learning);
		learning = runs;
		oclmm_explored_destroy(found);
	}
	oclmm_arena_destroy(arena);
}

TEST(test_limits)
{
	struct line lines[MOST_LINES];
	struct script scripts[MOST_THREADS];
	struct oclmm_cell cells[MOST_CELLS] = {{.size = 4}};
	struct scripts all = {.threads = scripts,
	                      .places = apart,
	                      .count = MOST_THREADS,
	                      .cells = cells,
	                      .cell_count = MOST_CELLS};
	struct oclmm_explored *found;

	for (unsigned i = 0; i < MOST_CELLS; i++)
		cells[i].size = 4;
	for (unsigned t = 0; t < MOST_THREADS; t++)
		scripts[t] = (struct script){lines, MOST_LINES};
	for (unsigned i = 0; i < MOST_LINES; i++)
		lines[i] = i % 2 ? (struct line)LOAD(i % 5, RLX)
		                 : (struct line)STORE(i % 4, RLX, i);
	assert_int_equal(scripts_explore(&all, &(struct oclmm_explore_options){.seconds = 0.2},
	                                 &found),
	                 -ETIME);
	oclmm_explored_destroy(found);
	assert_int_equal(scripts_explore(&all, &(struct oclmm_explore_options){.memory = 4 << 20},
	                                 &found),
	                 -ENOMEM);
	oclmm_explored_destroy(found);
}
