// SPDX-License-Identifier: Apache-2.0
/* Work on all processors: each piece once, and several of them at the same time. */

#include "../fixture/test.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "oclmm/base.h"

enum { PIECES = 1000 };

static void count(void *data, size_t index)
{
	atomic_uint *counts = data;

	atomic_fetch_add(&counts[index], 1);
}

TEST(each_piece_once)
{
	for (unsigned threads = 0; threads <= 200; threads = threads * 3 + 1) {
		static atomic_uint counts[PIECES + 1];

		for (size_t i = 0; i < PIECES; i++)
			atomic_store(&counts[i], 0);
		oclmm_in_parallel(PIECES, threads, count, counts);
		for (size_t i = 0; i < PIECES; i++)
			assert_int_equal(atomic_load(&counts[i]), 1);
		assert_int_equal(atomic_load(&counts[PIECES]), 0);
	}
	oclmm_in_parallel(0, 4, count, NULL);
}

struct meeting {
	atomic_uint here;
	unsigned wanted;
};

/* Each waits for the others: one after the other they would wait for ever. */
static void meet(void *data, size_t index)
{
	struct meeting *meeting = data;

	(void)index;
	atomic_fetch_add(&meeting->here, 1);
	while (atomic_load(&meeting->here) < meeting->wanted)
		sched_yield();
}

TEST(at_the_same_time)
{
	struct meeting meeting = {.wanted = 3};

	oclmm_in_parallel(3, 3, meet, &meeting);
	assert_int_equal(atomic_load(&meeting.here), 3);
}

TEST(one_for_each_processor)
{
	struct meeting meeting = {.wanted = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1};

	oclmm_in_parallel(meeting.wanted, 0, meet, &meeting);
	assert_int_equal(atomic_load(&meeting.here), meeting.wanted);
}
