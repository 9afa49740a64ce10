// SPDX-License-Identifier: Apache-2.0
/*
 * Counting four instances at a time: where the layout permits it and where it
 * nearly does, of values of every kind. In each test the values of an instance
 * belong together, and neighbours have different ones.
 */
#include "../fixture/run.h"
#include "fixture.h"

#include "../fixture/environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct oclmm_environment shape(uint32_t groups, uint32_t lanes, uint32_t rounds)
{
	return (struct oclmm_environment){
		.groups = groups,
		.lanes = lanes,
		.rounds = rounds,
		.stride = 1,
		.flip_lanes = 1,
		.reverse_results = 50,
		.poll_every = 1,
		.stress_lines = 1,
		.stress_stride = 1,
		.count_chunked = OCLMM_COUNT_QUADS,
		.count_lanes = 16,
		.count_each = 16,
	};
}

enum { ENVIRONMENTS = 11 };

/* The first four are counted so, all others for a reason each not. */
static void list_environments(struct oclmm_environment *e)
{
	for (int i = 0; i < ENVIRONMENTS; i++)
		e[i] = shape(8, 4, 16);
	e[1].count_each = 1024; /* one work-item alone, more than bytes can count */
	e[1].count_lanes = 1;
	e[2].count_each = 4;
	e[3].gap = 32;
	e[4].gap = 8; /* not where a vector may stand */
	e[5].stride = 2;
	e[6].interleaved = 1;
	e[7].shuffle_locations = 100;
	e[8].count_each = 2;
	e[9] = shape(3, 5, 7);
	e[10].direct = 1;
}

static struct oclmm_run_result run_in(struct oclmm_device *device, const struct fixture_test *test,
                                      const struct oclmm_outcome_space *space,
                                      const struct oclmm_environment *environment)
{
	struct oclmm_run_request request = {
		.program = test->program,
		.space = space,
		.environment = environment,
		.instances = 20000,
		.seed = 5,
	};
	struct oclmm_run_result result;
	struct oclmm_error error;
	struct oclmm_text text;

	if (fixture_run_alone(device, &request, &error, &result) != OCLMM_END_OK) {
		oclmm_text_init(&text);
		environment_print(&text, environment);
		fail_msg("%s in %s", error.message, oclmm_text_string(&text));
	}
	assert_int_equal(oclmm_histogram_total(result.counts.histogram), result.counts.instances);
	return result;
}

/* All outcomes are legal ones, and more than one kind of them is seen. */
static void run_everywhere(struct oclmm_device *device, const char *text, bool cut)
{
	struct oclmm_environment e[ENVIRONMENTS];
	struct fixture_test test = fixture_read(text);

	fixture_require(device, &test);
	list_environments(e);
	for (int i = 0; i < ENVIRONMENTS; i++) {
		struct oclmm_run_result result = run_in(device, &test, &test.answer->space, &e[i]);

		fixture_assert_legal(&test, &result);
		if (cut != (oclmm_histogram_cut(result.counts.histogram) > 0) ||
		    oclmm_histogram_rows(result.counts.histogram) + cut < 2)
			fail_msg("environment %d: %zu outcomes, %llu cut", i,
			         oclmm_histogram_rows(result.counts.histogram),
			         (unsigned long long)oclmm_histogram_cut(result.counts.histogram));
		oclmm_run_result_finish(&result);
	}
	fixture_finish(&test);
}

/* Who adds first shows in both registers, and in another object. */
#define ADDERS(added, y)                                                                           \
	"OPENCL adders\n{ [x] = 3; [y] = 0; }\n"                                                   \
	"P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"                          \
	"  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "                        \
	"memory_scope_device);\n"                                                                  \
	"  atomic_store_explicit(y, " y ", memory_order_relaxed, memory_scope_device);\n}\n"       \
	"P1@wg 0, dev 0 (global atomic_int *x) {\n"                                                \
	"  int r0 = atomic_fetch_add_explicit(x, " added ", memory_order_relaxed, "                \
	"memory_scope_device);\n}\n"                                                               \
	"exists (0:r0=3 /\\ 1:r0=4 /\\ y=3 /\\ x=6)\n"

/* Registers that fit into a byte, and some that do not. */
static void narrow_values(void **state)
{
	run_everywhere(*state, ADDERS("2", "r0"), false);
	run_everywhere(*state, ADDERS("300", "r0"), false);
	run_everywhere(*state, ADDERS("2", "0 - r0"), false);
}

/* Of 64 bits, far from each other. */
static void wide_values(void **state)
{
	run_everywhere(*state,
	               "OPENCL wide\n{ ulong x = 253UL; [y] = 0; }\n"
	               "P0@wg 0, dev 0 (global atomic_ulong *x) {\n"
	               "  ulong r0 = atomic_fetch_add_explicit(x, 1099511627776UL, "
	               "memory_order_relaxed, memory_scope_device);\n}\n"
	               "P1@wg 0, dev 0 (global atomic_ulong *x, global atomic_int *y) {\n"
	               "  ulong r0 = atomic_fetch_add_explicit(x, 2UL, memory_order_relaxed, "
	               "memory_scope_device);\n"
	               "  atomic_store_explicit(y, r0 == 253UL, memory_order_relaxed, "
	               "memory_scope_device);\n}\n"
	               "exists (0:r0=253 /\\ 1:r0=253 /\\ y=1 /\\ x=1099511628031)\n",
	               false);
}

/* More outcomes than a work-item has bytes for. */
static void many_outcomes(void **state)
{
	run_everywhere(*state,
	               "OPENCL many\n{ [x] = 0; [y] = 0; }\n"
	               "P0@wg 0, dev 0 (global atomic_int *x) {\n"
	               "  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "
	               "memory_scope_device);\n}\n"
	               "P1@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	               "  int r0 = atomic_fetch_add_explicit(x, 2, memory_order_relaxed, "
	               "memory_scope_device);\n"
	               "  atomic_store_explicit(y, r0, memory_order_relaxed, "
	               "memory_scope_device);\n}\n"
	               "P2@wg 0, dev 0 (global atomic_int *x) {\n"
	               "  int r0 = atomic_fetch_add_explicit(x, 4, memory_order_relaxed, "
	               "memory_scope_device);\n}\n"
	               "exists (0:r0=0 /\\ 1:r0=1 /\\ 2:r0=3 /\\ y=1)\n",
	               false);
}

static void cut_loops(void **state)
{
	run_everywhere(*state,
	               "OPENCL cut\nunroll 2\n{ [x] = 0; [y] = 0; }\n"
	               "P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	               "  int r0 = 0;\n"
	               "  while (atomic_load_explicit(x, memory_order_relaxed, "
	               "memory_scope_device) == 0) {\n"
	               "    r0 = r0 + 1;\n  }\n"
	               "  atomic_store_explicit(y, 1, memory_order_relaxed, "
	               "memory_scope_device);\n}\n"
	               "P1@wg 0, dev 0 (global atomic_int *x) {\n"
	               "  atomic_store_explicit(x, 1, memory_order_relaxed, "
	               "memory_scope_device);\n}\n"
	               "exists (0:r0=1 /\\ y=1)\n",
	               true);
}

/* Of each four some have values that nobody foresaw, not even their size, and others have not. */
static void foreign_values(void **state)
{
	struct oclmm_environment e[ENVIRONMENTS];
	struct fixture_test test = fixture_read(ADDERS("300", "r0"));
	int64_t three[] = {3}, four[] = {4}, sum[] = {304};
	struct oclmm_outcome_domain domains[] = {
		{three, 1, 1}, {four, 1, 1}, {three, 1, 1}, {sum, 1, 1}};
	const struct oclmm_outcome_space space = {4, domains, 1};
	const int64_t known[] = {3, 4, 3, 304}, foreign[] = {303, 3, 303, 304};

	list_environments(e);
	for (int i = 0; i < ENVIRONMENTS; i++) {
		struct oclmm_run_result result = run_in(*state, &test, &space, &e[i]);
		uint64_t others = oclmm_histogram_count(result.counts.histogram, foreign);

		assert_int_equal(result.other_count, others);
		assert_in_range(others, 1, result.counts.instances - 1);
		assert_int_equal(oclmm_histogram_count(result.counts.histogram, known) + others,
		                 result.counts.instances);
		oclmm_run_result_finish(&result);
	}
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(narrow_values, device),
		cmocka_unit_test_prestate(wide_values, device),
		cmocka_unit_test_prestate(many_outcomes, device),
		cmocka_unit_test_prestate(cut_loops, device),
		cmocka_unit_test_prestate(foreign_values, device),
	};
	int failed;

	if (!device)
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return failed;
}
