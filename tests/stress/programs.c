// SPDX-License-Identifier: Apache-2.0
#include "programs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

const char program_across[] =
	"OPENCL across\n{ [x] = 0; [y] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) { atomic_store(x, 1); }\n"
	"P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) { int r0 = atomic_load(x); }\n"
	"exists (1:r0=1)\n";
const char program_together[] =
	"OPENCL together\n{ [x] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x) { atomic_store(x, 1); }\n"
	"P1@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_load(x); }\n"
	"P2@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_load(x); }\n"
	"exists (1:r0=1 /\\ 2:r0=0)\n";
const char program_mixed[] =
	"OPENCL mixed\n{ int a[3] = {1, 2, 3}; long b = 0; [x] = 0; long c[2]; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x, global int *a) { atomic_store(x, 1); a[1] = 4; }\n"
	"P1@wg 1, dev 0 (global atomic_int *x, global long *b) { int r0 = atomic_load(x); *b = 1l; "
	"}\n"
	"P2@wg 0, dev 0 (global atomic_int *x, global long *c) { c[1] = 2l; }\n"
	"P3@wg 2, dev 0 (global atomic_int *x) { atomic_store(x, 2); }\n"
	"P4@wg 1, dev 0 (global atomic_int *x) { atomic_store(x, 3); }\n"
	"exists (1:r0=1)\n";

const char program_sub_grouped[] =
	"OPENCL sub-grouped\n{ [x] = 0; long y = 0; }\n"
	"P0@sg 0, wg 0, dev 0 (global atomic_int *x) { atomic_store(x, 1); }\n"
	"P1@sg 1, wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_load(x); }\n"
	"P2@sg 0, wg 0, dev 0 (global atomic_int *x, global long *y) { *y = 1l; }\n"
	"P3@wg 1, dev 0 (global atomic_int *x) { atomic_store(x, 2); }\n"
	"P4@sg 1, wg 1, dev 0 (global atomic_int *x) { atomic_store(x, 3); }\n"
	"exists (1:r0=1)\n";

const char program_at_scope[] =
	"OPENCL at-scope\n{ program long a[3] = {1, 2, 3}; program [x] = 0; [y] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x, global long *a) { atomic_store(x, 1); a[1] = 4l; }\n"
	"P1@wg 1, dev 0 (global atomic_int *x, global int *y) { int r0 = atomic_load(x); *y = 1; "
	"}\n"
	"exists (1:r0=1)\n";

const char program_with_images[] =
	"OPENCL images\n{ a[3] = {1, 2, 3}; [x] = 0; [y] = 0; }\n"
	"P0@wg 0, dev 0 (read_write image1d_buffer_t a, read_write image1d_buffer_t x, "
	"global atomic_int *y) { write_imagei(a, 1, (int4)(1, 0, 0, 0)); "
	"int r0 = read_imagei(x, 0).x; atomic_store(y, 1); }\n"
	"exists (0:r0=0)\n";

struct program_test program_read(const char *text)
{
	static int64_t values[] = {0, 1};
	struct oclmm_outcome_domain domains[8];
	struct oclmm_outcome_space space = {.domains = domains, .size = 1};
	struct oclmm_error error;
	struct program_test test;

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

struct oclmm_environment program_environment(uint32_t groups, uint32_t lanes, uint32_t rounds)
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
