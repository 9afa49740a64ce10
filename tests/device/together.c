// SPDX-License-Identifier: Apache-2.0
/* Several tests that run launch by launch in turn: each has what it would have alone. */
#include "../fixture/run.h"
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static uint64_t count_shown(const struct oclmm_run_result *result, uint64_t block)
{
	uint64_t launches = 0;

	for (size_t i = 0; i < result->shown.count; i++)
		launches += result->shown.launches[i].block == block
		                    ? result->shown.launches[i].launches
		                    : 0;
	return launches;
}

/* Each has what it would have alone, and of each block as many launches as the others. */
static void several_run_interleaved(void **state)
{
	enum { COUNT = 3, LAUNCHES = 70 };
	struct fixture_test tests[COUNT] = {
		fixture_read(FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1")),
		fixture_read(FIXTURE_SB("memory_order_seq_cst", "memory_scope_device", "1")),
		fixture_read(FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1")),
	};
	const struct oclmm_environment environment = {
		.groups = 2,
		.lanes = 1,
		.rounds = 256,
		.stride = 1,
		.polls = 10,
		.poll_every = 64,
		.poll_budget = 1000,
		.stress_lines = 1,
		.stress_stride = 1,
		.count_lanes = 16,
		.count_each = 32,
	};
	struct oclmm_run_request requests[COUNT];
	struct oclmm_run_end ends[COUNT];
	struct oclmm_run_result results[COUNT];

	for (int i = 0; i < COUNT; i++) {
		fixture_require(*state, &tests[i]);
		requests[i] = (struct oclmm_run_request){
			.program = tests[i].program,
			.space = &tests[i].answer->space,
			.environment = &environment,
			.launches = LAUNCHES,
			.halvings_given = true,
			.instances = 1,
			.seed = (uint64_t)i,
		};
	}
	oclmm_run_together(*state, requests, COUNT, 5, ends, results);
	for (int i = 0; i < COUNT; i++) {
		struct oclmm_run_result alone;

		assert_int_equal(ends[i].end, OCLMM_END_OK);
		assert_int_equal(results[i].counts.launches, LAUNCHES);
		assert_int_equal(oclmm_histogram_total(results[i].counts.histogram),
		                 LAUNCHES * 512);
		fixture_assert_legal(&tests[i], &results[i]);
		/* blocks of one launch, and behind 64 of them blocks of two */
		assert_int_equal(count_shown(&results[i], 0), 1);
		assert_int_equal(count_shown(&results[i], 63), 1);
		assert_int_equal(count_shown(&results[i], 64), 2);
		assert_int_equal(count_shown(&results[i], 66), 2);
		assert_int_equal(count_shown(&results[i], 67), 0);
		assert_int_equal(fixture_run_alone(*state, &requests[i], &ends[i].error, &alone),
		                 OCLMM_END_OK);
		assert_int_equal(alone.counts.stimulus, results[i].counts.stimulus);
		oclmm_run_result_finish(&alone);
		oclmm_run_result_finish(&results[i]);
		fixture_finish(&tests[i]);
	}
}

/* Of three: how many had begun before each of them. */
struct begun {
	uint32_t count, place[3];
};

static void note_first(void *data)
{
	struct begun *begun = data;

	begun->place[0] = begun->count++;
}

static void note_second(void *data)
{
	struct begun *begun = data;

	begun->place[1] = begun->count++;
}

static void note_third(void *data)
{
	struct begun *begun = data;

	begun->place[2] = begun->count++;
}

/* In 64 runs each begins at each place: that one does not has a chance of less than 10^-10. */
static void their_programs_are_made_in_any_order(void **state)
{
	static void (*const notes[])(void *) = {note_first, note_second, note_third};
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1"));
	bool seen[3][3] = {{false}};

	fixture_require(*state, &test);
	for (uint64_t order = 0; order < 64; order++) {
		struct begun begun = {0};
		struct oclmm_run_request requests[3];
		struct oclmm_run_end ends[3];
		struct oclmm_run_result results[3];

		for (int i = 0; i < 3; i++)
			requests[i] = (struct oclmm_run_request){
				.program = test.program,
				.space = &test.answer->space,
				.build_only = true,
				.begins = notes[i],
				.progress_data = &begun,
			};
		oclmm_run_together(*state, requests, 3, order, ends, results);
		assert_int_equal(begun.count, 3);
		for (int i = 0; i < 3; i++) {
			assert_int_equal(ends[i].end, OCLMM_END_OK);
			seen[i][begun.place[i]] = true;
			oclmm_run_result_finish(&results[i]);
		}
	}
	for (int i = 0; i < 3; i++)
		for (int place = 0; place < 3; place++)
			assert_true(seen[i][place]);
	fixture_finish(&test);
}

static bool is_always_hit(const void *data, const int64_t *values)
{
	assert_non_null(data);
	assert_non_null(values);
	return true;
}

static bool is_never_hit(const void *data, const int64_t *values)
{
	(void)data;
	(void)values;
	return false;
}

/* A control that has shown enough is left out from then on; one that has not runs to the end, and
 * so does the test. */
static void one_stops_when_it_has_shown_enough(void **state)
{
	enum { LAUNCHES = 24, ENOUGH = 5, AHEAD = 8 };
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1"));
	struct oclmm_run_request requests[3];
	struct oclmm_run_end ends[3];
	struct oclmm_run_result results[3];
	uint64_t seen = 0;

	fixture_require(*state, &test);
	for (int i = 0; i < 3; i++)
		requests[i] = (struct oclmm_run_request){
			.program = test.program,
			.space = &test.answer->space,
			.launches = LAUNCHES,
			.halvings_given = true,
			.seed = 1,
			.enough_hits = i ? ENOUGH : 0,
			.is_hit = i == 1 ? is_always_hit : is_never_hit,
			.hit_data = &test,
		};
	oclmm_run_together(*state, requests, 3, 5, ends, results);
	for (int i = 0; i < 3; i++)
		assert_int_equal(ends[i].end, OCLMM_END_OK);
	assert_int_equal(results[0].counts.launches, LAUNCHES);
	assert_int_equal(results[2].counts.launches, LAUNCHES);
	/* some were on their way meanwhile */
	assert_in_range(results[1].counts.launches, ENOUGH, ENOUGH + AHEAD);
	for (size_t i = 0; i < results[1].shown.count; i++)
		seen += results[1].shown.launches[i].launches;
	assert_int_equal(seen, results[1].counts.launches);
	/* what ran had the same stimulus: the test's own is the seed's alone */
	assert_int_equal(results[0].counts.stimulus, results[2].counts.stimulus);
	for (int i = 0; i < 3; i++)
		oclmm_run_result_finish(&results[i]);
	fixture_finish(&test);
}

/* Who is compiled as one text keeps its own kernel, whatever else stands in it and is not run. */
static void several_in_one_text(void **state)
{
	enum { COUNT = 3 };
	static const char single[] =
		"OPENCL One\n{ [x] = 0; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x) {\n"
		"  int r0 = atomic_fetch_add_explicit(x, 7, memory_order_relaxed, "
		"memory_scope_device);\n"
		"  int r1 = atomic_load_explicit(x, memory_order_relaxed, "
		"memory_scope_device);\n}\n"
		"exists (0:r0=0 /\\ 0:r1=0)\n";
	struct fixture_test tests[COUNT] = {
		fixture_read(FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1")),
		fixture_read(FIXTURE_SB("memory_order_seq_cst", "memory_scope_device", "1")),
		fixture_read(single),
	};
	struct oclmm_joint joint = {.count = COUNT};
	struct oclmm_run_request requests[COUNT - 1];
	struct oclmm_run_end ends[COUNT - 1];
	struct oclmm_run_result results[COUNT - 1];

	for (int i = 0; i < COUNT; i++) {
		fixture_require(*state, &tests[i]);
		joint.programs[i] = tests[i].program;
		joint.spaces[i] = &tests[i].answer->space;
	}
	/* the one in the middle is only compiled */
	for (int i = 0; i < COUNT - 1; i++)
		requests[i] = (struct oclmm_run_request){
			.program = tests[2 * i].program,
			.space = &tests[2 * i].answer->space,
			.joint = &joint,
			.launches = 4,
			.halvings_given = true,
			.seed = 1,
		};
	oclmm_run_together(*state, requests, COUNT - 1, 5, ends, results);
	for (int i = 0; i < COUNT - 1; i++) {
		struct oclmm_run_result alone;

		assert_int_equal(ends[i].end, OCLMM_END_OK);
		assert_int_equal(results[i].counts.launches, 4);
		assert_int_equal(oclmm_histogram_total(results[i].counts.histogram),
		                 results[i].counts.instances);
		fixture_assert_legal(&tests[2 * i], &results[i]);
		requests[i].joint = NULL;
		assert_int_equal(fixture_run_alone(*state, &requests[i], &ends[i].error, &alone),
		                 OCLMM_END_OK);
		assert_int_equal(alone.counts.source_hash, results[i].counts.source_hash);
		assert_int_equal(alone.counts.stimulus, results[i].counts.stimulus);
		oclmm_run_result_finish(&alone);
		oclmm_run_result_finish(&results[i]);
	}
	for (int i = 0; i < COUNT; i++)
		fixture_finish(&tests[i]);
}

/* One that the device cannot run in this environment costs the other nothing. */
static void one_that_fails_is_left_out(void **state)
{
	struct fixture_test good = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_work_group", "0"));
	const struct oclmm_environment none = {.groups = 0};
	struct oclmm_run_request requests[] = {
		{.program = good.program,
	         .space = &good.answer->space,
	         .environment = &none,
	         .launches = 4,
	         .seed = 1},
		{.program = good.program, .space = &good.answer->space, .launches = 4, .seed = 2},
	};
	struct oclmm_run_end ends[2];
	struct oclmm_run_result results[2];

	fixture_require(*state, &good);
	oclmm_run_together(*state, requests, 2, 1, ends, results);
	assert_int_equal(ends[0].end, OCLMM_END_UNSUPPORTED);
	assert_non_null(strstr(ends[0].error.message, "groups must be"));
	assert_null(results[0].counts.histogram);
	assert_int_equal(ends[1].end, OCLMM_END_OK);
	assert_int_equal(results[1].counts.launches, 4);
	assert_int_equal(oclmm_histogram_total(results[1].counts.histogram),
	                 results[1].counts.instances);
	oclmm_run_result_finish(&results[0]);
	oclmm_run_result_finish(&results[1]);
	fixture_finish(&good);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(several_run_interleaved, device),
		cmocka_unit_test_prestate(several_in_one_text, device),
		cmocka_unit_test_prestate(their_programs_are_made_in_any_order, device),
		cmocka_unit_test_prestate(one_stops_when_it_has_shown_enough, device),
		cmocka_unit_test_prestate(one_that_fails_is_left_out, device),
	};
	int failed;

	if (!device)
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return failed;
}
