// SPDX-License-Identifier: Apache-2.0
/* What tickets say of a launch: a device that runs kernels as it likes, group by group. */
#include "stress/internal.h"
#include <string.h>

#include "../fixture/test.h"

#include <errno.h>

enum { COUNTING = 5, SALT = 0x3456789a };
static const uint32_t mark = 0x12345676, foreign = 0x0badcafe;

/* What the test kernel adds. */
static uint32_t step_of(uint32_t by, uint32_t salt)
{
	return (by ^ 2 * salt) | 2;
}

/* A group of the counting kernel adds, once for each of so many work-items. */
static uint32_t weight_of(uint32_t group, uint32_t lanes)
{
	return (1 + 65536 * group) * lanes;
}

struct device {
	struct oclmm_tickets tickets;
	uint32_t tested, counted;
};

static struct device begin(void)
{
	struct device device;

	device.tested = device.counted = oclmm_tickets_begin(&device.tickets);
	return device;
}

/* What the host queues, and what of it the device does: how often the test kernel runs, and how
 * many groups of the counting kernel. */
static void launch(struct device *device, uint32_t by, uint32_t tests, uint32_t counting)
{
	oclmm_tickets_tested(&device->tickets, mark, SALT);
	oclmm_tickets_counted(&device->tickets, COUNTING, 0, SALT);
	for (uint32_t i = 0; i < tests; i++)
		device->tested += step_of(by, SALT);
	for (uint32_t i = 0; i < counting; i++)
		device->counted += weight_of(i % COUNTING, 1) * (device->tested + 2 * SALT);
}

static void check(const struct device *device, const char *words)
{
	struct oclmm_error error = {0};
	int r = oclmm_tickets_check(&device->tickets, device->tested, device->counted, 3, &error);

	if (!words) {
		assert_int_equal(r, 0);
		return;
	}
	assert_int_equal(r, -ERANGE);
	assert_string_equal(error.message, words);
}

TEST(a_device_that_does_as_told)
{
	struct device device = begin();

	for (int i = 0; i < 1000; i++) {
		launch(&device, mark, 1, COUNTING);
		check(&device, NULL);
	}
}

TEST(groups_that_do_not_run)
{
	static const struct {
		uint32_t tests, counting;
		const char *words;
	} rows[] = {
		{0, 0, "launch 3: neither kernel ran, or what was read back is older"},
		{0, COUNTING, "launch 3: the test kernel did not run"},
		{1, 0, "launch 3: the counting kernel did not run"},
		{1, 1, "launch 3: 1 work-groups of the counting kernel ran, not 5"},
		{1, COUNTING + 1, "launch 3: 6 work-groups of the counting kernel ran, not 5"},
		{2, COUNTING, "launch 3: the test kernel ran twice"},
		{1, 2 * COUNTING, "launch 3: the counting kernel ran twice"},
	};

	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		struct device device = begin();

		launch(&device, mark, 1, COUNTING);
		launch(&device, mark, rows[i].tests, rows[i].counting);
		check(&device, rows[i].words);
	}
}

/* As many as there should be. */
TEST(groups_that_run_in_the_place_of_others)
{
	for (uint32_t absent = 0; absent < COUNTING; absent++) {
		for (uint32_t twice = 0; twice < COUNTING; twice++) {
			struct device device = begin();

			launch(&device, mark, 1, COUNTING);
			launch(&device, mark, 1, COUNTING);
			device.counted += (weight_of(twice, 1) - weight_of(absent, 1)) *
			                  (device.tested + 2 * SALT);
			check(&device, twice == absent ? NULL
			                               : "launch 3: work-groups of the counting "
			                                 "kernel ran in the place of others");
		}
	}
}

/* Where groups add once for each of their work-items: a driver that runs fewer of each. */
TEST(work_items_that_do_not_run)
{
	enum { LANES = 8 };
	static const struct {
		uint32_t lanes;
		const char *words;
	} rows[] = {
		{LANES, NULL},
		{1, "launch 3: 5 work-items of the counting kernel ran, not 40"},
		{0, "launch 3: the counting kernel did not run"},
	};

	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		struct device device = begin();

		oclmm_tickets_tested(&device.tickets, mark, SALT);
		oclmm_tickets_counted(&device.tickets, COUNTING, LANES, SALT);
		device.tested += step_of(mark, SALT);
		for (uint32_t n = 0; n < COUNTING; n++)
			device.counted += weight_of(n, rows[i].lanes) * (device.tested + 2 * SALT);
		check(&device, rows[i].words);
	}
}

TEST(kernels_out_of_order)
{
	struct device device = begin();

	launch(&device, mark, 0, COUNTING);
	device.tested += step_of(mark, SALT);
	check(&device, "launch 3: the counting kernel ran before the test kernel");
}

TEST(other_kernels_and_other_runs)
{
	static const char another[] = "launch 3: what was read back is another launch's, or "
				      "another program's kernel ran, or one with another "
				      "launch's arguments";
	struct device device = begin(), other = begin();

	/* two runs begin apart, and each with an odd number */
	assert_int_equal(device.tested & other.tested & 1, 1);
	launch(&device, foreign, 1, COUNTING);
	check(&device, another);
	/* arguments of the launch before, of one kernel or of both */
	for (uint32_t both = 0; both < 3; both++) {
		device = begin();
		launch(&device, mark, 0, 0);
		device.tested += step_of(mark, SALT - (both != 1));
		for (uint32_t n = 0; n < COUNTING; n++)
			device.counted += weight_of(n, 1) *
			                  (device.tested + 2 * (SALT - (both != 0)));
		check(&device, another);
	}
	device = begin();
	other = begin();
	launch(&device, mark, 1, COUNTING);
	launch(&other, mark, 1, COUNTING);
	device.tickets = other.tickets;
	if (device.tested != other.tested)
		check(&device, another);
	memset(&device.tested, OCLMM_POISON, sizeof(device.tested));
	memset(&device.counted, OCLMM_POISON, sizeof(device.counted));
	check(&device, "launch 3: nothing was read back");
}
