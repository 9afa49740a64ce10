// SPDX-License-Identifier: Apache-2.0
/* Programs run end to end: what must appear does, what must not does not, and nothing is lost. */
#include "../fixture/run.h"
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const int64_t weak[] = {0, 0};

/* Every processor with a store buffer shows this one; two units are needed. */
static void relaxed_store_buffering_is_seen(void **state)
{
	struct oclmm_device *device = *state;
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1"));

	/* llvmpipe's launches are too short for its threads to meet */
	if (oclmm_device_info(device)->compute_units < 2 ||
	    oclmm_device_info(device)->short_loops) {
		fixture_finish(&test);
		skip();
	}
	fixture_assert_shown(device, &test, weak, 4000000);
	fixture_finish(&test);
}

static void sequential_store_buffering_is_not(void **state)
{
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_seq_cst", "memory_scope_device", "1"));
	struct oclmm_run_result result;

	fixture_require(*state, &test);
	result = fixture_run(*state, &test, 4000000, 1);
	assert_int_equal(oclmm_histogram_count(result.counts.histogram, weak), 0);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

static void one_group_is_legal(void **state)
{
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_seq_cst", "memory_scope_work_group", "0"));
	struct oclmm_run_result result;

	fixture_require(*state, &test);
	result = fixture_run(*state, &test, 1000000, 3);
	fixture_assert_legal(&test, &result);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* The stimulus is a function of the seed, though the outcome is not. */
static void equal_seeds_give_equal_stimulus(void **state)
{
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1"));
	struct oclmm_run_result a = fixture_run(*state, &test, 1000000, 42);
	struct oclmm_run_result b = fixture_run(*state, &test, 1000000, 42);
	struct oclmm_run_result c = fixture_run(*state, &test, 1000000, 43);

	assert_int_equal(a.counts.stimulus, b.counts.stimulus);
	assert_int_not_equal(a.counts.stimulus, c.counts.stimulus);
	assert_int_equal(a.counts.source_hash, c.counts.source_hash);
	assert_int_equal(a.counts.instances, b.counts.instances);
	oclmm_run_result_finish(&a);
	oclmm_run_result_finish(&b);
	oclmm_run_result_finish(&c);
	fixture_finish(&test);
}

/* Of a small environment, so many launches from `first` on. */
static struct oclmm_run_result run_halved(struct oclmm_device *device,
                                          const struct fixture_test *test, uint64_t first,
                                          uint64_t launches, uint64_t stimulus)
{
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];
	struct oclmm_run_request request = {
		.program = test->program,
		.space = &test->answer->space,
		.environment = environments,
		.environment_count = 1,
		.launches = launches,
		.first_launch = first,
		.stimulus = stimulus,
		.halvings = {2, {3, 7}},
		.seed = 42,
	};
	struct oclmm_run_result result;
	struct oclmm_kernel_plan plan;
	struct oclmm_error error = {0};

	assert_int_equal(oclmm_kernel_plan(test->program, request.space, &error, &plan), 0);
	oclmm_environment_defaults(oclmm_device_info(device), &plan, environments);
	assert_int_equal(
		oclmm_environment_parse("groups=2 lanes=4 rounds=64", &error, environments), 0);
	assert_int_equal(fixture_run_alone(device, &request, &error, &result), OCLMM_END_OK);
	return result;
}

/* Launches that an earlier run halved are halved again; and a run that goes on behind such has
 * their size. */
static void halvings_are_repeated(void **state)
{
	enum { LARGE = 2 * 4 * 64, PARTED = 5, LAUNCHES = 10 };
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1"));
	struct oclmm_run_result whole = run_halved(*state, &test, 0, LAUNCHES, 0);
	struct oclmm_run_result first = run_halved(*state, &test, 0, PARTED, 0);
	struct oclmm_run_result second = run_halved(*state, &test, PARTED, LAUNCHES - PARTED,
	                                            first.counts.stimulus);

	assert_int_equal(whole.counts.instances, 3 * LARGE + 4 * LARGE / 2 + 3 * LARGE / 4);
	assert_int_equal(whole.counts.halved_at.count, 2);
	assert_true(whole.counts.halved_at.at[0] == 3 && whole.counts.halved_at.at[1] == 7);
	assert_int_equal(first.counts.halved_at.count, 1);
	assert_true(first.counts.halved_at.at[0] == 3);
	assert_int_equal(second.counts.halved_at.count, 1);
	assert_true(second.counts.halved_at.at[0] == 7);
	assert_int_equal(first.counts.instances + second.counts.instances, whole.counts.instances);
	assert_int_equal(second.counts.stimulus, whole.counts.stimulus);
	oclmm_run_result_finish(&whole);
	oclmm_run_result_finish(&first);
	oclmm_run_result_finish(&second);
	fixture_finish(&test);
}

static bool is_any(const void *data, const int64_t *values)
{
	(void)data;
	(void)values;
	return true;
}

/* In three environments, so many launches from `first` on; with turns as they are given. */
static struct oclmm_run_result run_in_turns(struct oclmm_device *device,
                                            const struct fixture_test *test, uint64_t first,
                                            uint64_t launches, uint64_t stimulus,
                                            const struct oclmm_turns *turns, bool given)
{
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];
	struct oclmm_run_request request = {
		.program = test->program,
		.space = &test->answer->space,
		.environment = environments,
		.environment_count = 3,
		.launches = launches,
		.first_launch = first,
		.stimulus = stimulus,
		.turns_given = given,
		.is_sought = given ? NULL : is_any,
		.halvings_given = true,
		.seed = 42,
	};
	struct oclmm_run_result result;
	struct oclmm_kernel_plan plan;
	struct oclmm_error error = {0};

	if (turns)
		request.turns = *turns;
	assert_int_equal(oclmm_kernel_plan(test->program, request.space, &error, &plan), 0);
	for (uint32_t i = 0; i < 3; i++) {
		struct oclmm_environment defaults[OCLMM_ENVIRONMENTS_MAX];

		oclmm_environment_defaults(oclmm_device_info(device), &plan, defaults);
		environments[i] = defaults[0];
		assert_int_equal(oclmm_environment_parse(i == 0   ? "groups=2 lanes=4 rounds=64"
		                                         : i == 1 ? "groups=2 lanes=4 rounds=256"
		                                                  : "groups=2 lanes=4 rounds=16",
		                                         &error, &environments[i]),
		                 0);
	}
	assert_int_equal(fixture_run_alone(device, &request, &error, &result), OCLMM_END_OK);
	return result;
}

/* Shares are decided by what environments yield, told, and repeated: then the stimulus is the same,
 * whoever is sought. A part that goes on has those of the part before. */
static void turns_are_repeated(void **state)
{
	enum { PARTED = 20, LAUNCHES = 60 };
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1"));
	struct oclmm_run_result whole = run_in_turns(*state, &test, 0, LAUNCHES, 0, NULL, false);
	struct oclmm_run_result again = run_in_turns(*state, &test, 0, LAUNCHES, 0,
	                                             &whole.counts.turns, true);
	struct oclmm_run_result plain = run_in_turns(*state, &test, 0, LAUNCHES, 0, NULL, true);
	struct oclmm_run_result first = run_in_turns(*state, &test, 0, PARTED, 0,
	                                             &whole.counts.turns, true);
	struct oclmm_run_result second = run_in_turns(*state, &test, PARTED, LAUNCHES - PARTED,
	                                              first.counts.stimulus, &first.counts.turns,
	                                              true);

	assert_true(whole.counts.turns.count >= 1);
	assert_int_equal(whole.counts.turns.at[0].block, 15);
	assert_memory_equal(&again.counts.turns, &whole.counts.turns, sizeof(whole.counts.turns));
	assert_int_equal(again.counts.stimulus, whole.counts.stimulus);
	assert_int_equal(again.counts.instances, whole.counts.instances);
	assert_int_equal(plain.counts.turns.count, 0);
	assert_int_not_equal(plain.counts.stimulus, whole.counts.stimulus);
	assert_int_equal(second.counts.stimulus, whole.counts.stimulus);
	assert_int_equal(first.counts.instances + second.counts.instances, whole.counts.instances);
	oclmm_run_result_finish(&whole);
	oclmm_run_result_finish(&again);
	oclmm_run_result_finish(&plain);
	oclmm_run_result_finish(&first);
	oclmm_run_result_finish(&second);
	fixture_finish(&test);
}

/* Asserts that a test has one outcome, in every instance. */
static void assert_always(struct oclmm_device *device, const char *text, const int64_t *values)
{
	struct fixture_test test = fixture_read(text);
	struct oclmm_run_result result = fixture_run(device, &test, 500000, 5);

	assert_int_equal(oclmm_histogram_count(result.counts.histogram, values),
	                 result.counts.instances);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

static void sums_are_exact(void **state)
{
	assert_always(
		*state,
		"OPENCL sum\n{ [x] = 0; uint y = 7u; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x, global atomic_uint *y) {\n"
		"  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "
		"memory_scope_device);\n"
		"  atomic_fetch_or_explicit(y, 8u, memory_order_relaxed, memory_scope_device);\n}\n"
		"P1@wg 1, dev 0 (global atomic_int *x, global atomic_uint *y) {\n"
		"  int r0 = atomic_fetch_add_explicit(x, 2, memory_order_relaxed, "
		"memory_scope_device);\n"
		"  atomic_fetch_xor_explicit(y, 1u, memory_order_relaxed, "
		"memory_scope_device);\n}\n"
		"P2@wg 0, dev 0 (global atomic_int *x, global atomic_uint *y) {\n"
		"  int r0 = atomic_fetch_sub_explicit(x, 8, memory_order_relaxed, "
		"memory_scope_device);\n"
		"  atomic_fetch_and_explicit(y, 27u, memory_order_relaxed, "
		"memory_scope_device);\n}\n"
		"P3@wg 2, dev 0 (global atomic_int *x, global atomic_uint *y) {\n"
		"  int r0 = atomic_fetch_add_explicit(x, 4, memory_order_relaxed, "
		"memory_scope_device);\n}\n"
		"exists (x=0 /\\ y=10)\n",
		(const int64_t[]){-1, 10});
}

static void wide_sums_are_exact(void **state)
{
	struct oclmm_device *device = *state;

	if (!oclmm_device_info(device)->int64_atomics)
		skip();
	assert_always(
		device,
		"OPENCL wide\n{ long x = 4294967295l; ulong y = 0ul; }\n"
		"P0@wg 0, dev 0 (global atomic_long *x, global atomic_ulong *y) {\n"
		"  atomic_fetch_add_explicit(x, 1l, memory_order_relaxed, memory_scope_device);\n"
		"  atomic_fetch_sub_explicit(y, 1ul, memory_order_relaxed, "
		"memory_scope_device);\n}\n"
		"P1@wg 1, dev 0 (global atomic_long *x) {\n"
		"  atomic_fetch_add_explicit(x, 4294967296l, memory_order_relaxed, "
		"memory_scope_device);\n}\n"
		"exists (x=8589934592 /\\ y=18446744073709551615)\n",
		(const int64_t[]){8589934592, -1});
}

/* Narrow values, on the device and on the host: both convert them as the reader says. */
#define NARROW                                                                                     \
	" (global atomic_int *x) {\n"                                                              \
	"  int r0 = atomic_load_explicit(x, memory_order_relaxed,\n"                               \
	"                                memory_scope_all_svm_devices);\n"                         \
	"  char c = r0 + 127;\n"                                                                   \
	"  ushort u = c;\n"                                                                        \
	"  bool b = (uchar)(r0 << 8);\n"                                                           \
	"  long l = (short)u >> (uchar)33;\n"                                                      \
	"}\n"

static void registers_are_narrow(void **state)
{
	struct oclmm_device *device = *state;

	if (!(oclmm_device_info(device)->svm_capabilities & CL_DEVICE_SVM_ATOMICS))
		skip();
	assert_always(device,
	              "OPENCL narrow\n{ svm [x] = 1; }\n"
	              "P0@wg 0, dev 0" NARROW "P1@host" NARROW
	              "exists (0:c=-128 /\\ 0:u=65408 /\\ 0:b=0 /\\ 0:l=-64 /\\\n"
	              "        1:c=-128 /\\ 1:u=65408 /\\ 1:b=0 /\\ 1:l=-64)\n",
	              (const int64_t[]){-128, 65408, 0, -64, -128, 65408, 0, -64});
}

/* The same data and flags in local memory; the barrier orders what relaxed accesses do not. */
static void local_memory_and_barriers(void **state)
{
	assert_always(*state,
	              "OPENCL barrier\n{ [x] = 3; [y] = 0; }\n"
	              "P0@wg 0, dev 0 (local int *x, local atomic_int *y) {\n"
	              "  *x = 1;\n"
	              "  barrier(CLK_LOCAL_MEM_FENCE);\n"
	              "  int r0 = atomic_fetch_add_explicit(y, 1, memory_order_relaxed, "
	              "memory_scope_work_group);\n"
	              "  barrier(CLK_LOCAL_MEM_FENCE);\n"
	              "  int r1 = atomic_load_explicit(y, memory_order_relaxed, "
	              "memory_scope_work_group);\n}\n"
	              "P1@wg 0, dev 0 (local int *x, local atomic_int *y) {\n"
	              "  barrier(CLK_LOCAL_MEM_FENCE);\n"
	              "  int r0 = *x;\n"
	              "  atomic_fetch_add_explicit(y, 1, memory_order_relaxed, "
	              "memory_scope_work_group);\n"
	              "  barrier(CLK_LOCAL_MEM_FENCE);\n"
	              "  int r1 = atomic_load_explicit(y, memory_order_relaxed, "
	              "memory_scope_work_group);\n}\n"
	              "exists (1:r0=1 /\\ 0:r1=2 /\\ 1:r1=2 /\\ x=1 /\\ y=2)\n",
	              (const int64_t[]){1, 2, 2, 1, 2});
}

/* Two groups, each with its own barrier and local object, in one program. */
static void barriers_of_two_groups(void **state)
{
	assert_always(
		*state,
		"OPENCL two\n{ [x] = 0; [y] = 0; }\n"
		"P0@wg 0, dev 0 (local int *x) { *x = 1; barrier(CLK_LOCAL_MEM_FENCE); }\n"
		"P1@wg 0, dev 0 (local int *x) { barrier(CLK_LOCAL_MEM_FENCE); int r0 = *x; }\n"
		"P2@wg 1, dev 0 (local int *y) { barrier(CLK_LOCAL_MEM_FENCE); *y = 2;\n"
		"  barrier(CLK_LOCAL_MEM_FENCE); }\n"
		"P3@wg 1, dev 0 (local int *y) { barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  barrier(CLK_LOCAL_MEM_FENCE); int r0 = *y; }\n"
		"exists (1:r0=1 /\\ 3:r0=2)\n",
		(const int64_t[]){1, 2});
}

static void bounded_loops_are_cut(void **state)
{
	struct fixture_test test = fixture_read(
		"OPENCL cut\nunroll 2\n{ [x] = 0; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x) {\n"
		"  int r0 = 0;\n"
		"  while (atomic_load_explicit(x, memory_order_relaxed, memory_scope_device) == 0) "
		"{\n"
		"    r0 = r0 + 1;\n  }\n}\n"
		"exists (0:r0=1)\n");
	struct oclmm_run_result result = fixture_run(*state, &test, 100000, 1);

	assert_int_equal(oclmm_histogram_cut(result.counts.histogram), result.counts.instances);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* Values that the outcome space does not have are kept, each with its tuple. */
static void foreign_values_are_kept(void **state)
{
	struct fixture_test test = fixture_read("OPENCL foreign\n{ [x] = 0; }\n"
	                                        "P0@wg 0, dev 0 (global atomic_int *x) {\n"
	                                        "  int r0 = atomic_fetch_add_explicit(x, -7, "
	                                        "memory_order_relaxed, memory_scope_device);\n}\n"
	                                        "P1@wg 1, dev 0 (global atomic_int *x) {\n"
	                                        "  int r0 = atomic_fetch_add_explicit(x, -7, "
	                                        "memory_order_relaxed, memory_scope_device);\n}\n"
	                                        "exists (0:r0=0 /\\ 1:r0=0 /\\ x=0)\n");
	int64_t one[] = {1};
	struct oclmm_outcome_domain domains[3] = {{one, 1, 1}, {one, 1, 1}, {one, 1, 1}};
	struct oclmm_outcome_space space = {3, domains, 1};
	struct oclmm_run_request request = {
		.program = test.program,
		.space = &space,
		.instances = 300000,
		.seed = 9,
	};
	struct oclmm_run_result result;
	struct oclmm_error error;
	const int64_t first[] = {0, -7, -14}, second[] = {-7, 0, -14};

	assert_int_equal(fixture_run_alone(*state, &request, &error, &result), OCLMM_END_OK);
	assert_int_equal(result.other_count, result.counts.instances);
	assert_int_equal(oclmm_histogram_count(result.counts.histogram, first) +
	                         oclmm_histogram_count(result.counts.histogram, second),
	                 result.counts.instances);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

struct tellings {
	uint64_t count;
	uint64_t first, last; /* instances that the first and the last one told of */
};

static void count_telling(void *data, const struct oclmm_run_result *so_far)
{
	struct tellings *tellings = data;

	if (!tellings->count++)
		tellings->first = so_far->counts.instances;
	tellings->last = so_far->counts.instances;
	assert_int_equal(so_far->other_count, so_far->counts.instances);
}

/* What nobody foresaw is told at once, and told again when some more has come: not each time, for
 * it may be millions. */
static void foreign_values_are_told_now_and_then(void **state)
{
	struct fixture_test test = fixture_read(
		"OPENCL foreign\n{ [x] = 0; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x) {\n"
		"  int r0 = atomic_load_explicit(x, memory_order_relaxed, "
		"memory_scope_device);\n}\nexists (0:r0=0)\n");
	int64_t one[] = {1};
	struct oclmm_outcome_domain domain = {one, 1, 1};
	struct oclmm_outcome_space space = {1, &domain, 1};
	struct oclmm_environment environment = {
		.groups = 4,
		.lanes = 4,
		.rounds = 64,
		.stride = 1,
		.poll_every = 1,
		.stress_lines = 1,
		.stress_stride = 1,
		.count_lanes = 4,
		.count_each = 1,
	};
	struct tellings tellings = {0};
	struct oclmm_run_request request = {
		.program = test.program,
		.space = &space,
		.environment = &environment,
		.launches = 200,
		.seed = 9,
		.news = count_telling,
		.progress_data = &tellings,
	};
	struct oclmm_run_result result;
	struct oclmm_error error;

	if (fixture_run_alone(*state, &request, &error, &result) != OCLMM_END_OK)
		fail_msg("%s", error.message);
	assert_int_equal(result.counts.launches, 200);
	assert_int_equal(result.other_count, result.counts.instances);
	assert_int_equal(tellings.first, result.counts.instances / result.counts.launches);
	/* all up to 4,096 of 1,024 each, then an eighth more each time */
	assert_in_range(tellings.count, 4, 40);
	assert_true(tellings.last > result.counts.instances - result.counts.instances / 8);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* One environment after another, with knobs that the defaults leave alone. */
static void other_environments_lose_nothing(void **state)
{
	struct oclmm_device *device = *state;
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_seq_cst", "memory_scope_device", "1"));
	struct oclmm_environment environment = {
		.groups = 16,
		.lanes = 8,
		.rounds = 64,
		.stride = 3,
		.interleaved = 1,
		.shuffle_locations = 100,
		.shuffle_groups = 100,
		.shuffle_lanes = 100,
		.flip_groups = 1,
		.flip_lanes = 2,
		.flip_rounds = 4,
		.reverse_results = 50,
		.polls = 2,
		.poll_every = 4,
		.poll_budget = 100,
		.pre_stress = 5,
		.stress_groups = 3,
		.stress = 50,
		.stress_pattern = 4,
		.stress_lines = 4,
		.stress_stride = 16,
		.count_lanes = 16,
		.count_each = 512,
	};
	struct oclmm_run_request request = {
		.program = test.program,
		.space = &test.answer->space,
		.environment = &environment,
		.instances = 500000,
		.seed = 11,
	};
	struct oclmm_run_result result;
	struct oclmm_error error;

	fixture_require(device, &test);
	for (uint32_t gap = 0; gap <= 64; gap += 64) {
		environment.gap = gap;
		environment.interleaved = gap == 0;
		if (fixture_run_alone(device, &request, &error, &result) != OCLMM_END_OK)
			fail_msg("%s", error.message);
		assert_int_equal(oclmm_histogram_total(result.counts.histogram),
		                 result.counts.instances);
		fixture_assert_legal(&test, &result);
		oclmm_run_result_finish(&result);
	}
	fixture_finish(&test);
}

static void a_time_limit_is_kept(void **state)
{
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1"));
	struct oclmm_run_request request = {
		.program = test.program,
		.space = &test.answer->space,
		.seconds = 0.3,
		.seed = 1,
	};
	struct oclmm_run_result result;
	struct oclmm_error error;

	assert_int_equal(fixture_run_alone(*state, &request, &error, &result), OCLMM_END_OK);
	assert_true(result.counts.seconds >= 0.3);
	/* the last launch may end late, and later on a busy machine; without the limit it would go
	 * on */
	assert_true(result.counts.seconds < 120);
	assert_int_equal(oclmm_histogram_total(result.counts.histogram), result.counts.instances);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

static void building_runs_nothing(void **state)
{
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1"));
	struct oclmm_run_request request = {
		.program = test.program,
		.space = &test.answer->space,
		.instances = 1000,
		.build_only = true,
	};
	struct oclmm_run_result result;
	struct oclmm_error error;

	assert_int_equal(fixture_run_alone(*state, &request, &error, &result), OCLMM_END_OK);
	assert_int_equal(result.counts.instances, 0);
	assert_int_equal(result.counts.launches, 0);
	assert_int_not_equal(result.counts.source_hash, 0);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(relaxed_store_buffering_is_seen, device),
		cmocka_unit_test_prestate(sequential_store_buffering_is_not, device),
		cmocka_unit_test_prestate(one_group_is_legal, device),
		cmocka_unit_test_prestate(equal_seeds_give_equal_stimulus, device),
		cmocka_unit_test_prestate(halvings_are_repeated, device),
		cmocka_unit_test_prestate(turns_are_repeated, device),
		cmocka_unit_test_prestate(sums_are_exact, device),
		cmocka_unit_test_prestate(wide_sums_are_exact, device),
		cmocka_unit_test_prestate(local_memory_and_barriers, device),
		cmocka_unit_test_prestate(barriers_of_two_groups, device),
		cmocka_unit_test_prestate(bounded_loops_are_cut, device),
		cmocka_unit_test_prestate(foreign_values_are_kept, device),
		cmocka_unit_test_prestate(foreign_values_are_told_now_and_then, device),
		cmocka_unit_test_prestate(other_environments_lose_nothing, device),
		cmocka_unit_test_prestate(a_time_limit_is_kept, device),
		cmocka_unit_test_prestate(building_runs_nothing, device),
		cmocka_unit_test_prestate(registers_are_narrow, device),
	};
	int failed;

	if (!device)
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return failed;
}
