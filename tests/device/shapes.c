// SPDX-License-Identifier: Apache-2.0
/*
 * Launches of every shape: any number of groups, lanes and rounds, roles
 * together and split, outcomes counted by either kernel, a second queue. Tests
 * with one outcome must have it in every instance, and nothing may be lost.
 */
#include "../fixture/run.h"
#include "fixture.h"

#include "../fixture/environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Each role adds to both objects: an instance that misses a role, or has one twice, has another
 * sum. */
static const char sums[] =
	"OPENCL sums\n{ [x] = 5; uint y = 7u; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x, global atomic_uint *y) {\n"
	"  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
	"  atomic_fetch_or_explicit(y, 8u, memory_order_relaxed, memory_scope_device);\n}\n"
	"P1@wg 1, dev 0 (global atomic_int *x, global atomic_uint *y) {\n"
	"  int r0 = atomic_fetch_add_explicit(x, 2, memory_order_relaxed, memory_scope_device);\n"
	"  atomic_fetch_xor_explicit(y, 1u, memory_order_relaxed, memory_scope_device);\n}\n"
	"P2@wg 0, dev 0 (global atomic_int *x, global atomic_uint *y) {\n"
	"  int r0 = atomic_fetch_sub_explicit(x, 8, memory_order_relaxed, memory_scope_device);\n"
	"  atomic_fetch_and_explicit(y, 27u, memory_order_relaxed, memory_scope_device);\n}\n"
	"P3@wg 2, dev 0 (global atomic_int *x, global atomic_uint *y) {\n"
	"  int r0 = atomic_fetch_add_explicit(x, 4, memory_order_relaxed, "
	"memory_scope_device);\n}\n"
	"exists (x=4 /\\ y=10)\n";
static const int64_t sums_values[] = {4, 10};

/* Local objects and barriers in two litmus work-groups of different width. */
static const char local[] =
	"OPENCL local\n{ [x] = 3; [y] = 0; [z] = 0; }\n"
	"P0@wg 0, dev 0 (local int *x, local atomic_int *y) {\n"
	"  *x = 1;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  int r0 = atomic_fetch_add_explicit(y, 1, memory_order_relaxed, "
	"memory_scope_work_group);\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  int r1 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_work_group);\n}\n"
	"P1@wg 0, dev 0 (local int *x, local atomic_int *y) {\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  int r0 = *x;\n"
	"  atomic_fetch_add_explicit(y, 1, memory_order_relaxed, memory_scope_work_group);\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  int r1 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_work_group);\n}\n"
	"P2@wg 1, dev 0 (local int *z) { *z = 7; barrier(CLK_LOCAL_MEM_FENCE); int r0 = *z; }\n"
	"exists (1:r0=1 /\\ 0:r1=2 /\\ 1:r1=2 /\\ x=1 /\\ y=2 /\\ z=7 /\\ 2:r0=7)\n";
static const int64_t local_values[] = {1, 2, 2, 1, 2, 7, 7};

/* All that is observed is observed by one role, which the others do not disturb. */
static const char observer[] =
	"OPENCL observer\n{ [x] = 3; [y] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *y) {\n"
	"  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);\n}\n"
	"P1@wg 1, dev 0 (global atomic_int *x) {\n"
	"  int r0 = atomic_fetch_add_explicit(x, 4, memory_order_relaxed, memory_scope_device);\n"
	"  int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n}\n"
	"exists (1:r0=3 /\\ 1:r1=7)\n";
static const int64_t observer_values[] = {3, 7};

/* Roles that are one call where each work-item plays one of them. */
static const char alike[] =
	"OPENCL alike\n{ [x] = 0; [y] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x, local atomic_uint *y) {\n"
	"  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
	"  atomic_fetch_add_explicit(y, 2u, memory_order_relaxed, memory_scope_work_group);\n}\n"
	"P1@wg 0, dev 0 (global atomic_int *x, local atomic_uint *y) {\n"
	"  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
	"  atomic_fetch_add_explicit(y, 2u, memory_order_relaxed, memory_scope_work_group);\n}\n"
	"P2@wg 0, dev 0 (global atomic_int *x) {\n"
	"  atomic_fetch_add_explicit(x, 8, memory_order_relaxed, memory_scope_device);\n}\n"
	"P3@wg 1, dev 0 (global atomic_int *x) {\n"
	"  atomic_fetch_add_explicit(x, 8, memory_order_relaxed, memory_scope_device);\n}\n"
	"P4@wg 0, dev 0 (global atomic_int *x) {\n"
	"  atomic_fetch_add_explicit(x, 8, memory_order_relaxed, memory_scope_device);\n}\n"
	"exists (x=26 /\\ y=4)\n";
static const int64_t alike_values[] = {26, 4};

static const struct oclmm_environment base = {
	.groups = 8,
	.lanes = 4,
	.rounds = 16,
	.stride = 1,
	.flip_groups = 1,
	.reverse_results = 50,
	.shuffle_locations = 50,
	.shuffle_groups = 50,
	.shuffle_lanes = 50,
	.poll_every = 1,
	.poll_budget = 100,
	.stress_pattern = 4,
	.stress_lines = 8,
	.stress_stride = 16,
	.count_lanes = 16,
	.count_each = 64,
};

static struct oclmm_environment shape(uint32_t groups, uint32_t lanes, uint32_t rounds)
{
	struct oclmm_environment e = base;

	e.groups = groups;
	e.lanes = lanes;
	e.rounds = rounds;
	return e;
}

static struct oclmm_run_result run_in(struct oclmm_device *device, const struct fixture_test *test,
                                      const struct oclmm_environment *environment,
                                      uint64_t instances)
{
	struct oclmm_run_request request = {
		.program = test->program,
		.space = &test->answer->space,
		.environment = environment,
		.instances = instances,
		.seed = 11,
	};
	struct oclmm_run_result result;
	struct oclmm_error error;
	enum oclmm_end status = fixture_run_alone(device, &request, &error, &result);
	struct oclmm_text text;

	if (status != OCLMM_END_OK) {
		oclmm_text_init(&text);
		environment_print(&text, environment);
		fail_msg("status %d: %s in %s", status, error.message, oclmm_text_string(&text));
	}
	assert_int_equal(oclmm_histogram_total(result.counts.histogram), result.counts.instances);
	return result;
}

static void print_row(const struct fixture_test *test, struct oclmm_histogram_row row)
{
	for (uint32_t i = 0; i < test->program->observable_count; i++)
		print_message("%lld ", (long long)row.values[i]);
	print_message("%llu times\n", (unsigned long long)row.count);
}

/* A test with one outcome, in each of some environments. */
static void always(struct oclmm_device *device, const char *text, const int64_t *values,
                   const struct oclmm_environment *environments, size_t count)
{
	struct fixture_test test = fixture_read(text);

	fixture_require(device, &test);
	for (size_t i = 0; i < count; i++) {
		struct oclmm_run_result result = run_in(device, &test, &environments[i], 20000);

		if (oclmm_histogram_count(result.counts.histogram, values) ==
		    result.counts.instances) {
			oclmm_run_result_finish(&result);
			continue;
		}
		for (size_t k = 0; k < oclmm_histogram_rows(result.counts.histogram); k++)
			print_row(&test, oclmm_histogram_row(result.counts.histogram, k));
		fail_msg("%.20s: environment %zu: %llu of %llu instances have the one outcome",
		         text, i,
		         (unsigned long long)oclmm_histogram_count(result.counts.histogram, values),
		         (unsigned long long)result.counts.instances);
		oclmm_run_result_finish(&result);
	}
	fixture_finish(&test);
}

static void any_count(void **state)
{
	const struct oclmm_environment e[] = {
		shape(3, 5, 7),   shape(7, 3, 1), shape(5, 2, 1000), shape(96, 8, 3),
		shape(13, 31, 5), shape(4, 4, 6), shape(1000, 2, 1),
	};

	/* each of them, and each count, takes its time to compile */
	always(*state, sums, sums_values, e, OCLMM_COUNT(e));
	always(*state, local, local_values, e, 4);
	always(*state, observer, observer_values, &e[3], OCLMM_COUNT(e) - 3);
}

/* Offsets and rows change nothing, whatever text the kernel has. */
static void rows_behind_an_offset(void **state)
{
	struct oclmm_environment e[] = {
		shape(8, 4, 16), shape(8, 8, 16), shape(4, 8, 128),
		shape(3, 6, 7),  shape(4, 4, 16), shape(4, 64, 16),
	};

	for (uint32_t i = 0; i < OCLMM_COUNT(e); i++) {
		e[i].offset = i == 0 ? 1u << 30 : 1000 * i + 3;
		e[i].dimensions = i % 4;
	}
	e[2].direct = e[5].direct = 1;
	e[3].stress_groups = 3;
	e[3].stress = 5;
	e[4].split = 1;
	e[4].dimensions = e[5].dimensions = 2;
	always(*state, sums, sums_values, e, OCLMM_COUNT(e));
	always(*state, local, local_values, &e[1], 3);
	always(*state, observer, observer_values, &e[2], OCLMM_COUNT(e) - 2);
}

/* Some lanes of a group in one order and some in the other, with barriers between. */
static void orders_of_roles(void **state)
{
	struct oclmm_environment e[] = {shape(8, 8, 16), shape(8, 8, 16), shape(3, 5, 7)};

	e[0].flip_lanes = e[2].flip_lanes = 1;
	e[1].flip_lanes = 2;
	e[2].flip_rounds = 2;
	always(*state, sums, sums_values, e, OCLMM_COUNT(e));
	always(*state, local, local_values, e, OCLMM_COUNT(e));
}

static void split_roles(void **state)
{
	struct oclmm_environment e[] = {
		shape(8, 4, 16), shape(8, 4, 16),  shape(1, 1, 64), shape(3, 5, 7),
		shape(3, 5, 7),  shape(2, 1, 100), shape(8, 4, 16), shape(3, 5, 7),
	};

	e[6].split = e[7].split = OCLMM_SPLIT_NEIGHBOURS;
	e[0].split = e[2].split = e[3].split = 1;
	e[1].split = e[4].split = e[5].split = 2;
	e[1].polls = 10;
	always(*state, sums, sums_values, e, OCLMM_COUNT(e));
	always(*state, local, local_values, e, OCLMM_COUNT(e));
	always(*state, alike, alike_values, e, OCLMM_COUNT(e));
	always(*state, observer, observer_values, e, OCLMM_COUNT(e));
}

/* More rounds than a byte can count, fewer, and some that end in the middle. */
static void direct_counting(void **state)
{
	struct oclmm_environment e[] = {
		shape(8, 4, 16),  shape(2, 2, 1024), shape(3, 5, 300),
		shape(4, 2, 257), shape(8, 4, 16),   shape(3, 3, 129),
	};

	for (size_t i = 0; i < OCLMM_COUNT(e); i++)
		e[i].direct = 1;
	e[4].split = 1;
	e[5].split = 2;
	always(*state, observer, observer_values, e, OCLMM_COUNT(e));
	/* where several roles observe, it makes no difference */
	always(*state, sums, sums_values, &e[2], 4);
}

/* What the test kernel counts itself, the other one would have counted, too. */
static void direct_loses_nothing(void **state)
{
	struct fixture_test test = fixture_read(
		"OPENCL foreign\nunroll 2\n{ [x] = 0; [y] = 0; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
		"  int r0 = atomic_fetch_add_explicit(x, -7, memory_order_relaxed, "
		"memory_scope_device);\n"
		"  int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
		"  while (r0 == 12) { r0 = r0 + 0; }\n}\n"
		"P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
		"  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);\n}\n"
		"exists (0:r0=0 /\\ 0:r1=0)\n");
	int64_t one[] = {1};
	struct oclmm_outcome_domain domains[2] = {{one, 1, 1}, {one, 1, 1}};
	struct oclmm_outcome_space space = {2, domains, 1};
	struct oclmm_environment e = shape(3, 5, 300);
	struct oclmm_run_request request = {
		.program = test.program,
		.space = &space,
		.environment = &e,
		.instances = 30000,
		.seed = 9,
	};
	const int64_t values[] = {0, -7};

	e.direct = 1;
	for (uint32_t split = 0; split <= 2; split++) {
		struct oclmm_run_result result;
		struct oclmm_error error;

		e.split = split;
		assert_int_equal(fixture_run_alone(*state, &request, &error, &result),
		                 OCLMM_END_OK);
		assert_int_equal(result.other_count, result.counts.instances);
		assert_int_equal(oclmm_histogram_count(result.counts.histogram, values),
		                 result.counts.instances);
		oclmm_run_result_finish(&result);
	}
	fixture_finish(&test);
}

static void direct_counts_what_is_cut(void **state)
{
	struct fixture_test test = fixture_read(
		"OPENCL cut\nunroll 2\n{ [x] = 0; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x) {\n"
		"  int r0 = 0;\n"
		"  while (atomic_load_explicit(x, memory_order_relaxed, memory_scope_device) == 0) "
		"{\n"
		"    r0 = r0 + 1;\n  }\n}\n"
		"exists (0:r0=1)\n");
	struct oclmm_environment e = shape(3, 5, 130);
	struct oclmm_run_result result;

	e.direct = 1;
	result = run_in(*state, &test, &e, 10000);
	assert_int_equal(oclmm_histogram_cut(result.counts.histogram), result.counts.instances);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* Texts of all kinds in one run: each finds the counters as it needs them. */
static void environments_in_turn(void **state)
{
	struct fixture_test test = fixture_read(observer);
	struct oclmm_environment e[] = {
		shape(8, 4, 16), shape(8, 4, 16), shape(3, 5, 7),
		shape(3, 5, 7),  shape(2, 2, 16), shape(2, 2, 16),
	};
	struct oclmm_run_request request = {
		.program = test.program,
		.space = &test.answer->space,
		.environment = e,
		.environment_count = OCLMM_COUNT(e),
		.instances = 60000,
		.seed = 3,
	};
	struct oclmm_run_result result;
	struct oclmm_error error;

	e[1].direct = e[3].direct = e[5].direct = 1;
	e[4].split = e[5].split = 1;
	if (fixture_run_alone(*state, &request, &error, &result) != OCLMM_END_OK)
		fail_msg("%s", error.message);
	/* at least four launches in each */
	assert_true(result.counts.launches >= 4 * OCLMM_COUNT(e));
	assert_int_equal(oclmm_histogram_count(result.counts.histogram, observer_values),
	                 result.counts.instances);
	oclmm_run_result_finish(&result);
	/* a short run has one in each */
	request.instances = 2 * 512 + 2 * 105 + 2 * 64;
	if (fixture_run_alone(*state, &request, &error, &result) != OCLMM_END_OK)
		fail_msg("%s", error.message);
	assert_int_equal(result.counts.launches, OCLMM_COUNT(e));
	assert_int_equal(result.counts.instances, request.instances);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* Stress from beside the test, in the same launch and in another queue, changes no sum. */
static void a_second_queue(void **state)
{
	struct oclmm_environment e[] = {shape(8, 4, 16), shape(3, 5, 7), shape(8, 4, 16),
	                                shape(8, 4, 16)};

	for (size_t i = 0; i < OCLMM_COUNT(e); i++) {
		e[i].queue_groups = 2 + (uint32_t)i;
		e[i].queue_stress = 200;
		e[i].stress_pattern = (uint32_t)i + 1;
	}
	e[2].stress_groups = 3;
	e[2].stress = 30;
	e[3].pre_stress = 5;
	always(*state, sums, sums_values, e, OCLMM_COUNT(e));
}

/* Every store pattern leaves its mark, and none goes beyond the area: the run itself checks it. */
static void stress_reaches_its_area(void **state)
{
	struct oclmm_environment e[8];

	for (uint32_t i = 0; i < OCLMM_COUNT(e); i++) {
		e[i] = shape(4 + i % 3, 4, 4);
		e[i].stress_pattern = i % 4;
		e[i].stress_lines = 1u << i;
		e[i].stress_stride = 1 + i;
		e[i].stress_groups = i % 2 ? 5 : 0;
		e[i].stress = 1 + i;
		e[i].pre_stress = i % 2 ? 0 : 1 + i;
	}
	always(*state, sums, sums_values, e, OCLMM_COUNT(e));
}

/* Placement in sub-groups, where the device has them. */
static void sub_groups(void **state)
{
	const struct oclmm_environment e[] = {shape(8, 64, 4), shape(3, 64, 5), shape(5, 96, 3)};

	always(*state,
	       "OPENCL sub\n{ [x] = 0; [y] = 0; [z] = 5; }\n"
	       "P0@sg 0, wg 0, dev 0 (global int *x, global atomic_int *z) {\n"
	       "  *x = 1;\n"
	       "  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"
	       "  int r1 = atomic_fetch_add_explicit(z, 1, memory_order_relaxed, "
	       "memory_scope_device);\n"
	       "  work_group_barrier(CLK_GLOBAL_MEM_FENCE);\n}\n"
	       "P1@sg 0, wg 0, dev 0 (global int *x, global int *y, global atomic_int *z) {\n"
	       "  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"
	       "  int r0 = *x;\n"
	       "  *y = r0;\n"
	       "  work_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"
	       "  int r1 = atomic_fetch_add_explicit(z, 2, memory_order_relaxed, "
	       "memory_scope_device);\n}\n"
	       "P2@sg 1, wg 0, dev 0 (global int *y) {\n"
	       "  work_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"
	       "  int r0 = *y;\n}\n"
	       "P3@sg 0, wg 1, dev 0 (global atomic_int *z) {\n"
	       "  int r1 = atomic_fetch_add_explicit(z, 4, memory_order_relaxed, "
	       "memory_scope_device);\n"
	       "  sub_group_barrier(0);\n}\n"
	       "exists (1:r0=1 /\\ 2:r0=1 /\\ x=1 /\\ z=12)\n",
	       (const int64_t[]){1, 1, 1, 12}, e, OCLMM_COUNT(e));
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(any_count, device),
		cmocka_unit_test_prestate(rows_behind_an_offset, device),
		cmocka_unit_test_prestate(orders_of_roles, device),
		cmocka_unit_test_prestate(split_roles, device),
		cmocka_unit_test_prestate(direct_counting, device),
		cmocka_unit_test_prestate(direct_loses_nothing, device),
		cmocka_unit_test_prestate(direct_counts_what_is_cut, device),
		cmocka_unit_test_prestate(environments_in_turn, device),
		cmocka_unit_test_prestate(a_second_queue, device),
		cmocka_unit_test_prestate(stress_reaches_its_area, device),
		cmocka_unit_test_prestate(sub_groups, device),
	};
	int failed;

	if (!device)
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return failed;
}
