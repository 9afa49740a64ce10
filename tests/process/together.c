// SPDX-License-Identifier: Apache-2.0
/* Several pieces of work by turns: never two at once, and none waits for another's child. */

#include "../fixture/test.h"

#include <errno.h>
#include <pthread.h>

#include "child.h"

enum { PIECES = 4, ROUNDS = 50 };

/* What all pieces write without a lock. */
struct shared {
	bool busy;
	unsigned overlaps, sum, passed;
	unsigned begun[PIECES];
	pthread_t thread;
};

static void step(struct shared *shared)
{
	shared->overlaps += shared->busy;
	shared->busy = true;
	/* long enough for another one to come in, were it not kept out */
	for (volatile unsigned i = 0; i < 1000; i++)
		;
	shared->sum++;
	shared->busy = false;
}

static void take_turns(void *data, size_t index)
{
	struct shared *shared = data;

	shared->begun[index]++;
	for (unsigned i = 0; i < ROUNDS; i++) {
		step(shared);
		process_nap(0);
	}
}

TEST(never_two_at_once)
{
	struct shared shared = {0};

	assert_int_equal(process_together(PIECES, take_turns, &shared), 0);
	assert_int_equal(shared.overlaps, 0);
	assert_int_equal(shared.sum, PIECES * ROUNDS);
	for (size_t i = 0; i < PIECES; i++)
		assert_int_equal(shared.begun[i], 1);
}

/* Each waits for the one behind it: with turns that nobody else gets it would wait for ever. */
static void pass_on(void *data, size_t index)
{
	struct shared *shared = data;

	while (shared->passed < PIECES - 1 - index)
		process_nap(0.001);
	shared->passed++;
}

TEST(others_go_on_during_a_nap)
{
	struct shared shared = {0};

	assert_int_equal(process_together(PIECES, pass_on, &shared), 0);
	assert_int_equal(shared.passed, PIECES);
}

/* The first has a child that hangs and hears it until all others have heard theirs. */
static void hear_children(void *data, size_t index)
{
	struct shared *shared = data;
	struct process process = start(index == 0 ? hang : hello, NULL);

	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	while (index == 0 && shared->passed < PIECES - 1)
		assert_int_equal(await(&process, 0.01), PROCESS_SILENT);
	if (index > 0)
		assert_int_equal(await(&process, PATIENCE), PROCESS_GONE);
	shared->passed++;
	process_finish(&process);
	assert_int_equal(process.pid, 0);
}

TEST(a_child_that_hangs_holds_up_nobody_else)
{
	struct shared shared = {0};

	assert_int_equal(process_together(PIECES, hear_children, &shared), 0);
	assert_int_equal(shared.passed, PIECES);
}

/* A child has the memory of all, and none of the others: whatever waits there waits alone. */
static void nap_and_speak(void *data, int socket)
{
	(void)data;
	process_nap(0.001);
	say_hello(socket);
}

static void hear_one_that_naps(void *data, size_t index)
{
	struct process process = start(nap_and_speak, NULL);

	(void)data;
	(void)index;
	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	process_finish(&process);
}

TEST(a_child_takes_no_turns)
{
	assert_int_equal(process_together(PIECES, hear_one_that_naps, NULL), 0);
}

static void note_thread(void *data, size_t index)
{
	struct shared *shared = data;

	shared->begun[index]++;
	shared->thread = pthread_self();
}

TEST(one_is_just_called)
{
	struct shared shared = {0};

	assert_int_equal(process_together(0, note_thread, &shared), 0);
	assert_int_equal(shared.begun[0], 0);
	assert_int_equal(process_together(1, note_thread, &shared), 0);
	assert_int_equal(shared.begun[0], 1);
	assert_true(pthread_equal(shared.thread, pthread_self()));
}

static void errno_stays(void *data, size_t index)
{
	(void)data;
	(void)index;
	errno = EDOM;
	process_turn_end();
	process_turn_begin();
	assert_int_equal(errno, EDOM);
}

TEST(turns_leave_errno_alone)
{
	assert_int_equal(process_together(2, errno_stays, NULL), 0);
}
