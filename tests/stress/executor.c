// SPDX-License-Identifier: Apache-2.0
/* The seam between a launch and who plays its roles, with executors that only write down what they
 * are told. */

#include "../fixture/test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "stress/internal.h"

/* What was called, in order: `+a` a started, `-a` joined. */
static char calls[64];
static const struct oclmm_launch *told;

struct fake {
	char name;
	int start, join; /* what it answers */
};

static void note(char what, const struct fake *fake, const struct oclmm_launch *launch)
{
	size_t length = strlen(calls);

	snprintf(calls + length, sizeof(calls) - length, "%c%c ", what, fake->name);
	told = launch;
}

static int answer(const struct fake *fake, int r, struct oclmm_error *error)
{
	return r == 0 ? 0 : oclmm_error_set(error, r, "%c failed", fake->name);
}

static int fake_start(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	const struct fake *fake = data;

	note('+', fake, launch);
	return answer(fake, fake->start, error);
}

static int fake_join(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	const struct fake *fake = data;

	note('-', fake, launch);
	return answer(fake, fake->join, error);
}

static const struct oclmm_executor waiting = {fake_start, fake_join};
static const struct oclmm_executor queued = {fake_start, NULL};

static int play(struct fake *fakes, struct oclmm_error *error)
{
	const struct oclmm_part parts[] = {
		{&waiting, &fakes[0], 1},
		{&queued, &fakes[1], 2},
		{&waiting, &fakes[2], 12},
	};
	const struct oclmm_launch launch = {NULL, NULL, NULL, NULL};
	int r;

	*calls = '\0';
	r = oclmm_parts_play(parts, 3, &launch, error);
	assert_ptr_equal(told, &launch);
	return r;
}

/* All run at once: nobody is waited for before the last one has started. */
TEST(all_start_before_one_is_joined)
{
	struct fake fakes[] = {{'a', 0, 0}, {'b', 0, 0}, {'c', 0, 0}};
	struct oclmm_error error;

	assert_int_equal(play(fakes, &error), 0);
	assert_string_equal(calls, "+a +b +c -a -c ");
}

/* A thread that plays must not outlive the launch that failed. */
TEST(who_started_is_joined)
{
	struct fake fakes[] = {{'a', 0, -EIO}, {'b', 0, 0}, {'c', -ENODEV, 0}};
	struct oclmm_error error;

	assert_int_equal(play(fakes, &error), -ENODEV);
	assert_string_equal(calls, "+a +b +c -a ");
	assert_string_equal(error.message, "c failed");
}

TEST(the_first_failure_is_told)
{
	struct fake fakes[] = {{'a', 0, -ERANGE}, {'b', 0, 0}, {'c', 0, -EIO}};
	struct oclmm_error error;

	assert_int_equal(play(fakes, &error), -ERANGE);
	assert_string_equal(calls, "+a +b +c -a -c ");
	assert_string_equal(error.message, "a failed");
}

TEST(each_role_has_one_player)
{
	struct oclmm_part parts[] = {{&waiting, NULL, 1}, {&queued, NULL, 6}};
	struct oclmm_error error;

	assert_int_equal(oclmm_parts_check(parts, 2, 3, &error), 0);
	assert_int_equal(oclmm_parts_check(parts, 2, 4, &error), -EINVAL);
	assert_string_equal(error.message, "role 3 is played by 0 executors");
	parts[0].roles = 5;
	assert_int_equal(oclmm_parts_check(parts, 2, 3, &error), -EINVAL);
	assert_string_equal(error.message, "role 2 is played by 2 executors");
}
