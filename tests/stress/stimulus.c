// SPDX-License-Identifier: Apache-2.0
/*
 * The placement of roles and slots is sound for every shape of launch: checked
 * by playing launches on the host, for programs with all kinds of placement
 * and for parameters drawn from many keys. No device is needed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "oclmm/syntax.h"

static const char across[] =
	"OPENCL across\n{ [x] = 0; [y] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) { atomic_store(x, 1); }\n"
	"P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) { int r0 = atomic_load(x); }\n"
	"exists (1:r0=1)\n";
static const char together[] =
	"OPENCL together\n{ [x] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x) { atomic_store(x, 1); }\n"
	"P1@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_load(x); }\n"
	"P2@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_load(x); }\n"
	"exists (1:r0=1 /\\ 2:r0=0)\n";
static const char mixed[] =
	"OPENCL mixed\n{ int a[3] = {1, 2, 3}; long b = 0; [x] = 0; long c[2]; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x, global int *a) { atomic_store(x, 1); a[1] = 4; }\n"
	"P1@wg 1, dev 0 (global atomic_int *x, global long *b) { int r0 = atomic_load(x); *b = 1l; }\n"
	"P2@wg 0, dev 0 (global atomic_int *x, global long *c) { c[1] = 2l; }\n"
	"P3@wg 2, dev 0 (global atomic_int *x) { atomic_store(x, 2); }\n"
	"P4@wg 1, dev 0 (global atomic_int *x) { atomic_store(x, 3); }\n"
	"exists (1:r0=1)\n";

struct test {
	struct oclmm_litmus *litmus;
	const struct oclmm_program *program;
	struct oclmm_kernel_plan plan;
};

static struct test read_test(const char *text)
{
	static int64_t values[] = { 0, 1 };
	struct oclmm_outcome_domain domains[8];
	struct oclmm_outcome_space space = { .domains = domains, .size = 1 };
	struct oclmm_error error;
	struct test test;

	if (oclmm_litmus_parse("text", text, strlen(text), NULL, &error, &test.litmus) < 0)
		fail_msg("%s", error.message);
	test.program = test.litmus->variants[0].program;
	space.observable_count = test.program->observable_count;
	for (uint32_t i = 0; i < space.observable_count; i++) {
		domains[i] = (struct oclmm_outcome_domain){ values, 2, space.size };
		space.size *= 2;
	}
	assert_int_equal(oclmm_kernel_plan(test.program, &space, &error, &test.plan), 0);
	return test;
}

static struct oclmm_environment environment_of(uint32_t groups, uint32_t lanes, uint32_t rounds)
{
	return (struct oclmm_environment){
		.groups = groups, .lanes = lanes, .rounds = rounds, .stride = 1,
		.shuffle_locations = 50, .shuffle_groups = 50, .shuffle_lanes = 50,
		.poll_every = 1, .stress_lines = 1, .stress_stride = 1, .count_lanes = 1, .count_each = 1,
	};
}

static void check_one(const struct test *test, const struct oclmm_environment *environment, uint64_t key)
{
	struct oclmm_parameters parameters;
	struct oclmm_error error;

	oclmm_draw(environment, test->program, &test->plan, key, &parameters);
	if (oclmm_stimulus_check(&parameters, test->program, &test->plan, &error) < 0)
		fail_msg("groups %u lanes %u rounds %u stride %u interleaved %u gap %u key %llu: %s",
		         environment->groups, environment->lanes, environment->rounds, environment->stride,
		         environment->interleaved, environment->gap, (unsigned long long)key, error.message);
}

static void check_layouts(const struct test *test, struct oclmm_environment environment, uint64_t key)
{
	static const uint32_t strides[] = { 1, 3, 16 }, gaps[] = { 0, 8, 4096 };

	for (size_t i = 0; i < OCLMM_COUNT(strides); i++) {
		environment.stride = strides[i];
		environment.gap = gaps[i];
		environment.interleaved = 0;
		check_one(test, &environment, key);
		environment.interleaved = 1;
		check_one(test, &environment, key);
	}
}

static void check_shapes(const char *text)
{
	struct test test = read_test(text);
	uint64_t key = 0;

	for (uint32_t groups = 1; groups <= 64; groups *= 2)
		for (uint32_t lanes = 1; lanes <= 64; lanes *= 2)
			for (uint32_t rounds = 1; rounds <= 8; rounds *= 4)
				for (int i = 0; i < 4; i++)
					if (groups >= test.plan.work_groups && lanes >= test.plan.crowd)
						check_layouts(&test, environment_of(groups, lanes, rounds), key++);
	assert_true(key > 100);
	oclmm_litmus_destroy(test.litmus);
}

static void roles_across_groups(void **state)
{
	(void)state;
	check_shapes(across);
}

static void roles_in_one_group(void **state)
{
	(void)state;
	check_shapes(together);
}

static void mixed_roles_and_sizes(void **state)
{
	(void)state;
	check_shapes(mixed);
}

/* The check itself has to notice what it is there for. */
static void broken_parameters_are_noticed(void **state)
{
	struct test test = read_test(mixed);
	struct oclmm_environment environment = environment_of(8, 8, 2);
	struct oclmm_parameters good, bad;
	struct oclmm_error error;

	(void)state;
	oclmm_draw(&environment, test.program, &test.plan, 7, &good);
	assert_int_equal(oclmm_stimulus_check(&good, test.program, &test.plan, &error), 0);
	bad = good;
	bad.group_shift[1] = bad.group_shift[0];
	assert_int_not_equal(oclmm_stimulus_check(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.lane_shift[2] = bad.lane_shift[0];
	assert_int_not_equal(oclmm_stimulus_check(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.location[0].stride = 1;
	assert_int_not_equal(oclmm_stimulus_check(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.location[1].base = bad.location[3].base;
	assert_int_not_equal(oclmm_stimulus_check(&bad, test.program, &test.plan, &error), 0);
	/* odd or even, any multiplier is as good as any other */
	bad = good;
	bad.group_multiplier = bad.location[2].multiplier = 0xfffffffe;
	bad.group_addend = bad.location[2].addend = UINT32_MAX;
	assert_int_equal(oclmm_stimulus_check(&bad, test.program, &test.plan, &error), 0);
	oclmm_litmus_destroy(test.litmus);
}

/* A draw is a pure function of its key, and another key gives another one. */
static void draws_repeat(void **state)
{
	struct test test = read_test(mixed);
	struct oclmm_environment environment = environment_of(64, 32, 4);
	struct oclmm_parameters a, b;
	int different = 0;

	(void)state;
	for (uint64_t key = 0; key < 100; key++) {
		oclmm_draw(&environment, test.program, &test.plan, key, &a);
		oclmm_draw(&environment, test.program, &test.plan, key, &b);
		assert_memory_equal(&a, &b, sizeof(a));
		oclmm_draw(&environment, test.program, &test.plan, key + 1000, &b);
		different += memcmp(&a, &b, sizeof(a)) != 0;
	}
	assert_int_equal(different, 100);
	oclmm_litmus_destroy(test.litmus);
}

static void defaults_fit(void **state)
{
	static const cl_device_type types[] = { CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU };
	static const cl_uint units[] = { 1, 2, 3, 6, 16, 132 };
	static const size_t lanes[] = { 8, 256, 1024, 4096 };
	static const char *const texts[] = { across, together, mixed };
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];
	struct oclmm_error error;

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(types) * OCLMM_COUNT(units) * OCLMM_COUNT(lanes) * 3; i++) {
		struct test test = read_test(texts[i % 3]);
		struct oclmm_device_info info = {
			.type = types[i / 3 % 2], .compute_units = units[i / 6 % 6],
			.max_work_group_size = lanes[i / 36], .global_memory = 1 << 30, .local_memory = 1 << 15,
		};
		uint32_t n = oclmm_environment_defaults(&info, &test.plan, environments);

		assert_in_range(n, 1, OCLMM_ENVIRONMENTS_MAX);
		for (uint32_t k = 0; k < n; k++)
			if (oclmm_environment_check(&environments[k], &info, &test.plan, &error) < 0)
				fail_msg("environment %u: %s", k, error.message);
		oclmm_litmus_destroy(test.litmus);
	}
}

static void bad_environments_are_refused(void **state)
{
	struct test test = read_test(mixed);
	struct oclmm_device_info info = { .max_work_group_size = 64 };
	struct oclmm_environment e;
	struct oclmm_error error;

	(void)state;
#define REFUSED(field, value, word)                                                           \
	do {                                                                                  \
		e = environment_of(8, 8, 2);                                                  \
		e.field = (value);                                                            \
		assert_true(oclmm_environment_check(&e, &info, &test.plan, &error) < 0);       \
		assert_non_null(strstr(error.message, word));                                 \
	} while (0)
	REFUSED(groups, 12, "groups");
	REFUSED(groups, 2, "groups");
	REFUSED(lanes, 1, "lanes");
	REFUSED(lanes, 128, "lanes");
	REFUSED(rounds, 0, "rounds");
	REFUSED(rounds, 1 << 30, "instances");
	REFUSED(stride, 0, "stride");
	REFUSED(gap, 4, "gap");
	REFUSED(poll_every, 3, "poll_every");
	REFUSED(stress_pattern, 5, "pattern");
	REFUSED(count_each, 0, "count_each");
	oclmm_litmus_destroy(test.litmus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roles_across_groups),
		cmocka_unit_test(roles_in_one_group),
		cmocka_unit_test(mixed_roles_and_sizes),
		cmocka_unit_test(broken_parameters_are_noticed),
		cmocka_unit_test(draws_repeat),
		cmocka_unit_test(defaults_fit),
		cmocka_unit_test(bad_environments_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
