// SPDX-License-Identifier: Apache-2.0
/* Jobs as bytes: what a child is told of them, and bytes that are none. */
#include "../fixture/test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "oclmm/syntax.h"
#include "stress/environment.h"
#include "worker/jobs.h"

enum { JOBS = 3 };

/* Two programs, of which one stands beside the other, and a third of which only the joint has. */
struct stage {
	struct oclmm_litmus *litmus[JOBS];
	struct oclmm_outcome_space space;
	struct oclmm_outcome_domain domains[2];
	struct oclmm_environment environments[2];
	struct oclmm_joint joint;
	struct oclmm_run_request jobs[JOBS];
};

static struct oclmm_litmus *read(const char *name)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	char text[1024];

	snprintf(text, sizeof(text),
	         "OPENCL %s\n{ [x] = 0; [y] = 0; }\n"
	         "P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	         "  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
	         "  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);\n"
	         "}\n"
	         "P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	         "  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);\n"
	         "  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
	         "}\n"
	         "exists (0:r0=0 /\\ 1:r0=0)\n",
	         name);
	assert_int_equal(oclmm_litmus_parse(name, text, strlen(text), NULL, &error, &litmus), 0);
	return litmus;
}

/* Holds for one outcome, which `data` is. */
static bool is_outcome(const void *data, const int64_t *values)
{
	return memcmp(data, values, 2 * sizeof(*values)) == 0;
}

static const int64_t weak[] = {0, 0}, strong[] = {1, 1};

static bool is_strong(const void *data, const int64_t *values)
{
	(void)data;
	return is_outcome(strong, values);
}

static struct stage *begin(void)
{
	static int64_t values[] = {0, 1};
	static const char *const names[] = {"one", "two", "three"};
	struct stage *stage = oclmm_calloc(1, sizeof(*stage));

	stage->space = (struct oclmm_outcome_space){.observable_count = 2,
	                                            .domains = stage->domains};
	for (int i = 0; i < 2; i++)
		stage->domains[i] = (struct oclmm_outcome_domain){.values = values, .count = 2};
	oclmm_outcome_space_number(&stage->space);
	stage->environments[0].groups = 7;
	stage->environments[1].lanes = 9;
	stage->joint = (struct oclmm_joint){.count = JOBS, .lasts = true};
	for (int i = 0; i < JOBS; i++) {
		stage->litmus[i] = read(names[i]);
		stage->joint.programs[i] = stage->litmus[i]->variants[0].program;
		stage->joint.spaces[i] = &stage->space;
		stage->jobs[i] = (struct oclmm_run_request){
			.program = stage->joint.programs[i],
			.space = &stage->space,
			.seed = 100 + (uint64_t)i,
		};
	}
	stage->joint.environments[2] = &stage->environments[1];
	stage->joint.environment_counts[2] = 1;
	stage->jobs[0].joint = stage->jobs[1].joint = &stage->joint;
	stage->jobs[0].environment = stage->environments;
	stage->jobs[0].environment_count = 2;
	stage->jobs[0].unspecified = "a value";
	stage->jobs[0].is_sought = is_outcome;
	stage->jobs[0].sought_data = weak;
	stage->jobs[1].enough_hits = 5;
	stage->jobs[1].is_hit = is_outcome;
	stage->jobs[1].has_met = is_strong;
	stage->jobs[1].hit_data = weak;
	stage->jobs[1].beside = stage->jobs[0].program;
	return stage;
}

static void end(struct stage *stage)
{
	for (int i = 0; i < JOBS; i++)
		oclmm_litmus_destroy(stage->litmus[i]);
	free(stage);
}

/* Packs some of the jobs, and unpacks the first `length` bytes of what came of it. */
static int pass(struct stage *stage, const size_t *numbers, size_t count, size_t length,
                struct oclmm_arena *arena, struct oclmm_run_request **ret_jobs)
{
	struct oclmm_text text = {0};
	struct wire_reader reader;
	size_t read = 0;
	char *bytes;
	int r;

	worker_jobs_pack(&text, stage->jobs, numbers, count);
	if (length > text.length)
		length = text.length;
	/* so that whoever reads beyond them is seen */
	bytes = oclmm_malloc(length ? length : 1);
	memcpy(bytes, text.data, length);
	reader = (struct wire_reader){.at = bytes, .left = length};
	r = worker_jobs_unpack(&reader, arena, ret_jobs, &read);
	if (r == 0) {
		assert_int_equal(read, count);
		assert_int_equal(reader.left, 0);
	}
	free(bytes);
	oclmm_text_finish(&text);
	return r;
}

TEST(what_a_job_has_arrives)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct stage *stage = begin();
	struct oclmm_run_request *jobs;

	assert_int_equal(pass(stage, (size_t[]){1, 0}, 2, SIZE_MAX, arena, &jobs), 0);
	assert_string_equal(jobs[0].program->name, "two");
	assert_int_equal(jobs[0].seed, 101);
	assert_null(jobs[0].environment);
	assert_null(jobs[0].unspecified);
	assert_string_equal(jobs[1].program->name, "one");
	assert_string_equal(jobs[1].unspecified, "a value");
	assert_int_equal(jobs[1].environment_count, 2);
	assert_memory_equal(jobs[1].environment, stage->environments, sizeof(stage->environments));
	assert_int_equal(jobs[1].space->size, 4);
	oclmm_arena_destroy(arena);
	end(stage);
}

/* By its address a session finds a program in its joint. */
TEST(what_was_one_is_one_again)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct stage *stage = begin();
	struct oclmm_run_request *jobs;
	const struct oclmm_joint *joint;

	assert_int_equal(pass(stage, (size_t[]){0, 1}, 2, SIZE_MAX, arena, &jobs), 0);
	joint = jobs[0].joint;
	assert_ptr_equal(joint, jobs[1].joint);
	assert_int_equal(joint->count, JOBS);
	assert_true(joint->lasts);
	assert_ptr_equal(joint->programs[0], jobs[0].program);
	assert_ptr_equal(joint->spaces[0], jobs[0].space);
	assert_ptr_equal(joint->programs[1], jobs[1].program);
	assert_string_equal(joint->programs[2]->name, "three");
	assert_null(joint->environments[0]);
	assert_memory_equal(joint->environments[2], &stage->environments[1],
	                    sizeof(stage->environments[1]));
	assert_ptr_equal(jobs[1].beside, jobs[0].program);
	oclmm_arena_destroy(arena);
	end(stage);
}

TEST(what_is_asked_of_outcomes_is_answered)
{
	static const int64_t beyond[] = {0, 2};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct stage *stage = begin();
	struct oclmm_run_request *jobs;

	assert_int_equal(pass(stage, (size_t[]){0, 1}, 2, SIZE_MAX, arena, &jobs), 0);
	assert_true(jobs[0].is_sought(jobs[0].sought_data, weak));
	assert_false(jobs[0].is_sought(jobs[0].sought_data, strong));
	assert_true(jobs[1].is_hit(jobs[1].hit_data, weak));
	assert_false(jobs[1].is_hit(jobs[1].hit_data, strong));
	assert_false(jobs[1].is_hit(jobs[1].hit_data, beyond));
	assert_true(jobs[1].has_met(jobs[1].hit_data, strong));
	assert_false(jobs[1].has_met(jobs[1].hit_data, weak));
	/* nobody asks */
	assert_null(jobs[0].is_hit);
	assert_null(jobs[1].is_sought);
	/* alone it stands beside nothing */
	assert_int_equal(pass(stage, (size_t[]){1}, 1, SIZE_MAX, arena, &jobs), 0);
	assert_non_null(jobs[0].is_hit);
	assert_null(jobs[0].has_met);
	assert_null(jobs[0].beside);
	oclmm_arena_destroy(arena);
	end(stage);
}

TEST(what_is_cut_short_is_refused)
{
	struct stage *stage = begin();

	for (size_t length = 0;; length++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		struct oclmm_run_request *jobs;
		int r = pass(stage, (size_t[]){0, 1}, 2, length, arena, &jobs);

		oclmm_arena_destroy(arena);
		if (r == 0) {
			assert_true(length > 1000);
			break;
		}
		assert_int_equal(r, -EPROTO);
	}
	end(stage);
}
