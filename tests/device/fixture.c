// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"
#include "../fixture/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static struct oclmm_device_list list;

struct oclmm_device *fixture_open(void)
{
	struct oclmm_device *device;
	struct oclmm_error error;
	int index;

	if (oclmm_devices_list(&error, &list) < 0)
		return NULL;
	index = oclmm_device_choose(&list, getenv("OCLMM_DEVICE"), &error);
	if (index < 0 || list.devices[index].major < 2 ||
	    oclmm_device_open(&list, (size_t)index, &error, &device) < 0) {
		oclmm_device_list_finish(&list);
		return NULL;
	}
	return device;
}

void fixture_close(struct oclmm_device *device)
{
	oclmm_device_close(device);
	oclmm_device_list_finish(&list);
}

struct fixture_test fixture_read(const char *text)
{
	struct oclmm_check_options options = {0};
	struct fixture_test test;
	struct oclmm_error error;

	if (oclmm_litmus_parse("text", text, strlen(text), NULL, &error, &test.litmus) < 0)
		fail_msg("line %u: %s", error.position.line, error.message);
	test.program = test.litmus->variants[0].program;
	if (oclmm_check(test.program, &options, &error, &test.answer) < 0)
		fail_msg("%s", error.message);
	return test;
}

void fixture_require(struct oclmm_device *device, struct fixture_test *test)
{
	char missing[128];

	if (oclmm_device_supports(device, test->program, missing, sizeof(missing)) !=
	    OCLMM_SUPPORT_UNSUPPORTED)
		return;
	print_message("skipped: the device lacks %s\n", missing);
	fixture_finish(test);
	skip();
}

void fixture_finish(struct fixture_test *test)
{
	oclmm_answer_destroy(test->answer);
	oclmm_litmus_destroy(test->litmus);
}

struct oclmm_run_result fixture_run(struct oclmm_device *device, const struct fixture_test *test,
                                    uint64_t instances, uint64_t seed)
{
	struct oclmm_run_request request = {
		.program = test->program,
		.space = &test->answer->space,
		.instances = instances,
		/* none: how large launches are is no matter of how busy the machine is */
		.halvings_given = true,
		.seed = seed,
	};
	struct oclmm_run_result result;
	struct oclmm_error error;
	enum oclmm_end status = fixture_run_alone(device, &request, &error, &result);

	if (status != OCLMM_END_OK)
		fail_msg("status %d: %s", status, error.message);
	assert_true(result.counts.instances >= instances);
	assert_int_equal(oclmm_histogram_total(result.counts.histogram), result.counts.instances);
	return result;
}

void fixture_assert_legal(const struct fixture_test *test, struct oclmm_run_result *result)
{
	for (size_t i = 0; i < oclmm_histogram_rows(result->counts.histogram); i++) {
		struct oclmm_histogram_row row = oclmm_histogram_row(result->counts.histogram, i);

		if (oclmm_answer_status(test->answer, OCLMM_MODEL_CONSENSUS, row.values) !=
		    OCLMM_STATUS_FORBIDDEN)
			continue;
		fail_msg("a forbidden outcome was seen %llu times", (unsigned long long)row.count);
	}
}

/* How long an outcome is waited for at least. */
static const double PATIENCE = 60;

static double wall_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double processor_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/*
 * Whether the units of a device that is this machine's own processors hardly met: other work
 * had so much of the machine that all threads together got little more than one processor.
 */
static bool units_were_apart(const struct oclmm_device *device, double processor, double wall)
{
	if (!(oclmm_device_info(device)->type & CL_DEVICE_TYPE_CPU) || processor > 1.2 * wall)
		return false;
	print_message("skipped: the device's units got %.1f s of processor time in %.1f s, so that "
	              "work-groups hardly ran at once\n",
	              processor, wall);
	return true;
}

/* Runs until the outcome was seen; skips the running test where nothing could be. */
static void seek(struct oclmm_device *device, struct fixture_test *test, const int64_t *values,
                 uint64_t instances, bool legal)
{
	double wall = wall_seconds(), processor = processor_seconds();
	uint64_t seen = 0;

	for (uint64_t seed = 1; seen == 0 && (seed <= 20 || wall_seconds() - wall < PATIENCE);
	     seed++) {
		struct oclmm_run_result result = fixture_run(device, test, instances, seed);

		seen = oclmm_histogram_count(result.counts.histogram, values);
		if (legal)
			fixture_assert_legal(test, &result);
		oclmm_run_result_finish(&result);
	}
	if (seen > 0)
		return;
	if (!units_were_apart(device, processor_seconds() - processor, wall_seconds() - wall))
		fail_msg("an outcome was never seen");
	fixture_finish(test);
	skip();
}

void fixture_assert_shown(struct oclmm_device *device, struct fixture_test *test,
                          const int64_t *values, uint64_t instances)
{
	seek(device, test, values, instances, true);
}

void fixture_assert_betrayed(struct oclmm_device *device, struct fixture_test *test,
                             const int64_t *values, uint64_t instances)
{
	/* what 2.0 says of seq_cst fences can be read in two ways, K10 */
	assert_int_equal(oclmm_answer_status(test->answer, OCLMM_MODEL_OPENCL_2_1, values),
	                 OCLMM_STATUS_FORBIDDEN);
	seek(device, test, values, instances, false);
}
