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

#include "oclmm/syntax.h"
#include "stress/environment.h"

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
	"P1@wg 1, dev 0 (global atomic_int *x, global long *b) { int r0 = atomic_load(x); *b = 1l; "
	"}\n"
	"P2@wg 0, dev 0 (global atomic_int *x, global long *c) { c[1] = 2l; }\n"
	"P3@wg 2, dev 0 (global atomic_int *x) { atomic_store(x, 2); }\n"
	"P4@wg 1, dev 0 (global atomic_int *x) { atomic_store(x, 3); }\n"
	"exists (1:r0=1)\n";

/* Two litmus sub-groups in one work-group, one of them of two roles, and a role by itself. */
static const char sub_grouped[] =
	"OPENCL sub-grouped\n{ [x] = 0; long y = 0; }\n"
	"P0@sg 0, wg 0, dev 0 (global atomic_int *x) { atomic_store(x, 1); }\n"
	"P1@sg 1, wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_load(x); }\n"
	"P2@sg 0, wg 0, dev 0 (global atomic_int *x, global long *y) { *y = 1l; }\n"
	"P3@wg 1, dev 0 (global atomic_int *x) { atomic_store(x, 2); }\n"
	"P4@sg 1, wg 1, dev 0 (global atomic_int *x) { atomic_store(x, 3); }\n"
	"exists (1:r0=1)\n";

struct test {
	struct oclmm_litmus *litmus;
	const struct oclmm_program *program;
	struct oclmm_kernel_plan plan;
};

static struct test read_test(const char *text)
{
	static int64_t values[] = {0, 1};
	struct oclmm_outcome_domain domains[8];
	struct oclmm_outcome_space space = {.domains = domains, .size = 1};
	struct oclmm_error error;
	struct test test;

	if (oclmm_litmus_parse("text", text, strlen(text), NULL, &error, &test.litmus) < 0)
		fail_msg("%s", error.message);
	test.program = test.litmus->variants[0].program;
	space.observable_count = test.program->observable_count;
	for (uint32_t i = 0; i < space.observable_count; i++) {
		domains[i] = (struct oclmm_outcome_domain){values, 2, space.size};
		space.size *= 2;
	}
	assert_int_equal(oclmm_kernel_plan(test.program, &space, &error, &test.plan), 0);
	return test;
}

static struct oclmm_environment environment_of(uint32_t groups, uint32_t lanes, uint32_t rounds)
{
	return (struct oclmm_environment){
		.groups = groups,
		.lanes = lanes,
		.rounds = rounds,
		.stride = 1,
		.shuffle_locations = 50,
		.shuffle_groups = 50,
		.shuffle_lanes = 50,
		.poll_every = 1,
		.stress_lines = 1,
		.stress_stride = 1,
		.count_lanes = 1,
		.count_each = 1,
	};
}

static void check_one(const struct test *test, const struct oclmm_environment *environment,
                      uint64_t key)
{
	struct oclmm_parameters parameters;
	struct oclmm_error error;

	oclmm_draw(environment, test->program, &test->plan, key, &parameters);
	if (oclmm_stimulus_check(&parameters, test->program, &test->plan, &error) < 0)
		fail_msg("groups %u lanes %u rounds %u split %u sub_lanes %u stride %u interleaved "
		         "%u gap %u key %llu: %s",
		         environment->groups, environment->lanes, environment->rounds,
		         environment->split, environment->sub_lanes, environment->stride,
		         environment->interleaved, environment->gap, (unsigned long long)key,
		         error.message);
}

static void check_layouts(const struct test *test, struct oclmm_environment environment,
                          uint64_t key)
{
	static const uint32_t strides[] = {1, 3, 16}, gaps[] = {0, 8, 4096};

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
					if (groups >= test.plan.work_groups &&
					    lanes >= test.plan.crowd)
						check_layouts(&test,
						              environment_of(groups, lanes, rounds),
						              key++);
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

/* Numbers of which nothing can be said but that they are there. */
static void check_counts(const char *text, uint32_t split)
{
	static const uint32_t counts[] = {1,  2,  3,  5,  6,   7,   12,  13,  17,
	                                  31, 32, 96, 97, 100, 127, 251, 256, 1000};
	struct test test = read_test(text);
	uint32_t checked = 0;

	for (uint64_t key = 0; key < 400; key++) {
		uint32_t groups = counts[oclmm_random_below(1, 3 * key, OCLMM_COUNT(counts))];
		uint32_t lanes = counts[oclmm_random_below(1, 3 * key + 1, OCLMM_COUNT(counts))];
		uint32_t rounds = counts[oclmm_random_below(1, 3 * key + 2, OCLMM_COUNT(counts))];
		struct oclmm_environment e = environment_of(groups, lanes, rounds);

		/* as many as the check gets through quickly */
		if (groups * lanes > 10000 || groups * lanes * rounds > 20000 ||
		    (!split && (groups < test.plan.work_groups || lanes < test.plan.crowd)))
			continue;
		e.split = split;
		e.stride = 1 + (uint32_t)(key % 3);
		e.interleaved = key % 2;
		check_one(&test, &e, key);
		checked++;
	}
	assert_true(checked > 100);
	oclmm_litmus_destroy(test.litmus);
}

static void any_count(void **state)
{
	(void)state;
	check_counts(across, 0);
	check_counts(together, 0);
	check_counts(mixed, 0);
}

static void split_roles(void **state)
{
	(void)state;
	for (uint32_t split = 1; split <= 2; split++) {
		check_counts(across, split);
		check_counts(together, split);
		check_counts(mixed, split);
	}
}

/* Sub-groups of every size and number, powers of two or not. */
static void roles_in_sub_groups(void **state)
{
	struct test test = read_test(sub_grouped);
	struct oclmm_environment e;
	uint32_t checked = 0;

	(void)state;
	assert_true(test.plan.in_sub_groups);
	for (uint32_t size = 1; size <= 20; size++) {
		for (uint32_t number = 1; number <= 9; number++) {
			if (size < test.plan.sub_crowd || number < test.plan.sub_groups)
				continue;
			for (uint32_t groups = 2; groups <= 5; groups++) {
				e = environment_of(groups, size * number, 3);
				e.sub_lanes = size;
				check_one(&test, &e, checked++);
			}
		}
	}
	assert_true(checked > 100);
	oclmm_litmus_destroy(test.litmus);
}

/* The largest launches, whose products would not fit into 32 bits if a factor were drawn
 * carelessly. */
static void large_counts(void **state)
{
	static const uint32_t shapes[][3] = {
		{1, 2, 8388608}, {16777213, 1, 1}, {8191, 1024, 2},
		{65537, 255, 1}, {2, 5, 1677721},
	};
	struct test test = read_test(across);

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(shapes); i++) {
		struct oclmm_environment e = environment_of(shapes[i][0], shapes[i][1],
		                                            shapes[i][2]);
		struct oclmm_parameters p;
		struct oclmm_error error;

		e.split = shapes[i][0] < 2;
		e.shuffle_groups = e.shuffle_lanes = e.shuffle_locations = 100;
		for (uint64_t key = 0; key < 1000; key++) {
			oclmm_draw(&e, test.program, &test.plan, key, &p);
			if (oclmm_parameters_check(&p, test.program, &test.plan, &error) < 0)
				fail_msg("shape %zu key %llu: %s", i, (unsigned long long)key,
				         error.message);
			assert_true((uint64_t)p.location[0].multiplier *
			                            oclmm_environment_instances(&e) <=
			                    UINT32_MAX ||
			            !oclmm_environment_any_count(&e, &test.plan));
		}
		check_one(&test, &e, i);
	}
	oclmm_litmus_destroy(test.litmus);
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

/* The same where counts are not powers of two, and with the quick check as well. */
static void broken_factors_are_noticed(void **state)
{
	struct test test = read_test(mixed);
	struct oclmm_environment environment = environment_of(9, 6, 2);
	struct oclmm_parameters good, bad;
	struct oclmm_error error;

	(void)state;
	oclmm_draw(&environment, test.program, &test.plan, 7, &good);
	assert_int_equal(oclmm_stimulus_check(&good, test.program, &test.plan, &error), 0);
#define NOTICED(field, value)                                                                      \
	do {                                                                                       \
		bad = good;                                                                        \
		bad.field = (value);                                                               \
		assert_int_not_equal(                                                              \
			oclmm_parameters_check(&bad, test.program, &test.plan, &error), 0);        \
	} while (0)
	NOTICED(group_multiplier, 3);
	NOTICED(group_multiplier, 0);
	NOTICED(group_multiplier, 477218588 + 9); /* coprime, but 9 times it does not fit */
	NOTICED(group_addend, 9);
	NOTICED(groups_inverse, good.groups_inverse + 1);
	NOTICED(instances_inverse, 0);
	NOTICED(location[0].multiplier, 2);
	NOTICED(location[0].addend, 108);
	NOTICED(group_shift[1], good.group_shift[0]);
	NOTICED(group_shift[2], 9);
	NOTICED(lane_shift[2], good.lane_shift[0]);
	NOTICED(lane_shift[2], 6);
	NOTICED(lane_addend, 6);
#undef NOTICED
	/* what a bad factor leads to, seen by playing */
	bad = good;
	bad.groups_inverse = good.groups_inverse / 2;
	bad.group_multiplier = 8;
	assert_int_not_equal(oclmm_stimulus_check(&bad, test.program, &test.plan, &error), 0);
	oclmm_litmus_destroy(test.litmus);
}

static void broken_sub_groups_are_noticed(void **state)
{
	struct test test = read_test(sub_grouped);
	struct oclmm_environment environment = environment_of(4, 12, 2);
	struct oclmm_parameters good, bad;
	struct oclmm_error error;

	(void)state;
	environment.sub_lanes = 4;
	oclmm_draw(&environment, test.program, &test.plan, 7, &good);
	assert_int_equal(oclmm_stimulus_check(&good, test.program, &test.plan, &error), 0);
	bad = good;
	bad.sub_shift[1] = bad.sub_shift[0];
	assert_int_not_equal(oclmm_stimulus_check(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.sub_shift[2] = (bad.sub_shift[0] + 1) % 3;
	assert_int_not_equal(oclmm_stimulus_check(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.lane_shift[2] = bad.lane_shift[0];
	assert_int_not_equal(oclmm_stimulus_check(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.lane_addend = 4;
	assert_int_not_equal(oclmm_stimulus_check(&bad, test.program, &test.plan, &error), 0);
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
	static const cl_device_type types[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU};
	static const cl_uint units[] = {1, 2, 3, 6, 16, 132};
	static const size_t lanes[] = {8, 256, 1024, 4096};
	static const char *const texts[] = {across, together, mixed, sub_grouped};
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];
	struct oclmm_error error;

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(types) * OCLMM_COUNT(units) * OCLMM_COUNT(lanes) * 4;
	     i++) {
		struct test test = read_test(texts[i % 4]);
		struct oclmm_device_info info = {
			.type = types[i / 4 % 2],
			.compute_units = units[i / 8 % 6],
			.max_work_group_size = lanes[i / 48],
			.global_memory = 1 << 30,
			.local_memory = 1 << 15,
		};
		uint32_t n = oclmm_environment_defaults(&info, &test.plan, environments);

		assert_in_range(n, 1, OCLMM_ENVIRONMENTS_MAX);
		for (uint32_t k = 0; k < n; k++)
			if (oclmm_environment_check(&environments[k], &info, &test.plan, &error) <
			    0)
				fail_msg("environment %u: %s", k, error.message);
		oclmm_litmus_destroy(test.litmus);
	}
}

/* A CPU's defaults have a group of many work-items, more groups than units, and long polls. */
static void cpu_defaults_are_many_kinds(void **state)
{
	static const cl_uint units[] = {2, 3, 16, 100};
	struct test test = read_test(across);

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(units); i++) {
		struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
		struct oclmm_device_info info = {
			.type = CL_DEVICE_TYPE_CPU,
			.compute_units = units[i],
			.max_work_group_size = 4096,
			.global_memory = 1 << 30,
			.local_memory = 1 << 15,
		};
		uint32_t n = oclmm_environment_defaults(&info, &test.plan, e);
		bool wide = false, crowded = false, patient = false;

		for (uint32_t k = 0; k < n; k++) {
			wide |= e[k].lanes >= 16 && e[k].polls > 0;
			crowded |= e[k].groups >= 8 * units[i];
			patient |= e[k].polls >= 100000;
			/* who waits for groups that cannot run yet waits in vain */
			assert_true(e[k].polls == 0 || e[k].groups <= units[i]);
		}
		assert_true(wide && crowded && patient);
	}
	oclmm_litmus_destroy(test.litmus);
}

/* One key in four has groups of two widths on a CPU, the others one; a GPU has what it has. */
static void cpu_environments_are_shared_out(void **state)
{
	struct test test = read_test(across);
	struct oclmm_device_info info = {
		.type = CL_DEVICE_TYPE_CPU,
		.compute_units = 2,
		.max_work_group_size = 4096,
		.global_memory = 1 << 30,
		.local_memory = 1 << 15,
	};
	uint32_t wide = 0;

	(void)state;
	for (uint64_t key = 0; key < 100; key++) {
		struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
		uint32_t n = oclmm_environment_defaults(&info, &test.plan, e), widths = 1;
		bool crowded = false, patient = false;

		n = oclmm_environment_share(&info, &test.plan, key, e, n);
		for (uint32_t k = 0; k < n; k++) {
			widths += e[k].lanes != e[0].lanes;
			crowded |= e[k].groups >= 8 * info.compute_units;
			patient |= e[k].polls >= 100000;
		}
		assert_true(crowded && patient && e[0].lanes < 16);
		assert_int_equal(widths, key % 4 == 0 ? 2 : 1);
		wide += widths == 2;
	}
	assert_int_equal(wide, 25);
	info.type = CL_DEVICE_TYPE_GPU;
	for (uint64_t key = 0; key < 4; key++) {
		struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
		uint32_t n = oclmm_environment_defaults(&info, &test.plan, e);

		assert_int_equal(oclmm_environment_share(&info, &test.plan, key, e, n), n);
	}
	oclmm_litmus_destroy(test.litmus);
}

/* One counting work-item for all instances, of which a text without bounds must have as many as it
 * looks at. */
static void counted_alone(struct oclmm_environment e, const struct test *test,
                          const struct oclmm_device_info *info)
{
	struct oclmm_parameters p;
	struct oclmm_error error;
	uint32_t instances;

	oclmm_environment_count_alone(&e, &test->plan);
	if (oclmm_environment_check(&e, info, &test->plan, &error) < 0)
		fail_msg("%s", error.message);
	oclmm_draw(&e, test->program, &test->plan, 1, &p);
	instances = oclmm_environment_instances(&e);
	assert_in_range(instances, 1, 1 << 15);
	assert_int_equal(p.count_first, p.count_each);
	assert_int_equal(p.count_step, 1);
	if (oclmm_environment_any_count(&e, &test->plan))
		assert_true(p.count_each >= instances);
	else
		assert_int_equal(p.count_each, instances);
	assert_int_equal(e.direct, 0);
	/* how many sub-groups there are, only a device can tell */
	if (!test->plan.in_sub_groups &&
	    oclmm_stimulus_check(&p, test->program, &test->plan, &error) < 0)
		fail_msg("%s", error.message);
}

static void counting_alone(void **state)
{
	static const struct oclmm_device_info devices[] = {
		{.type = CL_DEVICE_TYPE_CPU,
	         .compute_units = 2,
	         .max_work_group_size = 4096,
	         .global_memory = 1 << 30,
	         .local_memory = 1 << 15},
		{.type = CL_DEVICE_TYPE_GPU,
	         .compute_units = 132,
	         .max_work_group_size = 1024,
	         .global_memory = 1 << 30,
	         .local_memory = 1 << 15},
	};
	static const char *const texts[] = {across, together, mixed, sub_grouped};
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(texts) * OCLMM_COUNT(devices); i++) {
		const struct oclmm_device_info *info = &devices[i % OCLMM_COUNT(devices)];
		struct test test = read_test(texts[i / OCLMM_COUNT(devices)]);
		uint32_t n = oclmm_environment_defaults(info, &test.plan, environments);

		for (uint32_t k = 0; k < n; k++) {
			counted_alone(environments[k], &test, info);
			environments[k].groups = 100;
			environments[k].rounds = 3;
			counted_alone(environments[k], &test, info);
		}
		oclmm_litmus_destroy(test.litmus);
	}
}

static void bad_environments_are_refused(void **state)
{
	struct test test = read_test(mixed);
	struct oclmm_device_info info = {.max_work_group_size = 64};
	struct oclmm_environment e;
	struct oclmm_error error;

	(void)state;
#define REFUSED(field, value, word)                                                                \
	do {                                                                                       \
		e = environment_of(8, 8, 2);                                                       \
		e.field = (value);                                                                 \
		assert_true(oclmm_environment_check(&e, &info, &test.plan, &error) < 0);           \
		assert_non_null(strstr(error.message, word));                                      \
	} while (0)
	REFUSED(groups, 0, "groups");
	REFUSED(groups, 2, "groups");
	REFUSED(groups, 1 << 25, "groups");
	REFUSED(lanes, 0, "lanes");
	REFUSED(lanes, 1, "lanes");
	REFUSED(lanes, 128, "lanes");
	REFUSED(rounds, 0, "rounds");
	REFUSED(rounds, 1 << 30, "instances");
	REFUSED(stride, 0, "stride");
	REFUSED(gap, 4, "gap");
	REFUSED(poll_every, 3, "poll_every");
	REFUSED(stress_pattern, 5, "pattern");
	REFUSED(count_each, 0, "count_each");
	REFUSED(split, 3, "split");
	REFUSED(direct, 2, "direct");
	REFUSED(queue_groups, (1 << 16) + 1, "queue");
	REFUSED(queue_stress, (1 << 20) + 1, "queue_stress");
	oclmm_litmus_destroy(test.litmus);
}

/* Where roles are split, a group is as wide as its lanes times the roles in it. */
static void bad_splits_are_refused(void **state)
{
	struct test test = read_test(mixed), sub = read_test(sub_grouped);
	struct oclmm_device_info info = {.max_work_group_size = 64, .local_memory = 1 << 15};
	struct oclmm_environment e = environment_of(1, 32, 2);
	struct oclmm_error error;

	(void)state;
	e.split = 1;
	assert_int_equal(oclmm_environment_check(&e, &info, &test.plan, &error), 0);
	e.lanes = 33;
	assert_true(oclmm_environment_check(&e, &info, &test.plan, &error) < 0);
	assert_non_null(strstr(error.message, "64 lanes"));
	e = environment_of(2, 12, 2);
	assert_int_equal(oclmm_environment_check(&e, &info, &sub.plan, &error), 0);
	e.split = 1;
	assert_true(oclmm_environment_check(&e, &info, &sub.plan, &error) < 0);
	assert_non_null(strstr(error.message, "split"));
	e.split = 0;
	e.sub_lanes = 5;
	assert_true(oclmm_environment_check(&e, &info, &sub.plan, &error) < 0);
	e.sub_lanes = 12;
	assert_true(oclmm_environment_check(&e, &info, &sub.plan, &error) < 0);
	assert_non_null(strstr(error.message, "2 sub-groups"));
	e.sub_lanes = 1;
	assert_true(oclmm_environment_check(&e, &info, &sub.plan, &error) < 0);
	assert_non_null(strstr(error.message, "sub-groups of at least 2"));
	oclmm_litmus_destroy(test.litmus);
	oclmm_litmus_destroy(sub.litmus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roles_across_groups),
		cmocka_unit_test(roles_in_one_group),
		cmocka_unit_test(mixed_roles_and_sizes),
		cmocka_unit_test(any_count),
		cmocka_unit_test(split_roles),
		cmocka_unit_test(roles_in_sub_groups),
		cmocka_unit_test(large_counts),
		cmocka_unit_test(broken_parameters_are_noticed),
		cmocka_unit_test(broken_factors_are_noticed),
		cmocka_unit_test(broken_sub_groups_are_noticed),
		cmocka_unit_test(draws_repeat),
		cmocka_unit_test(defaults_fit),
		cmocka_unit_test(cpu_defaults_are_many_kinds),
		cmocka_unit_test(cpu_environments_are_shared_out),
		cmocka_unit_test(counting_alone),
		cmocka_unit_test(bad_environments_are_refused),
		cmocka_unit_test(bad_splits_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
