// SPDX-License-Identifier: Apache-2.0
/* Building before the turn: what has its turn later is built, what cannot be is left alone, who
 * builds halts and goes on, and nothing waits for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device.h"
#include "process/process.h"

/* A driver that takes the time of a compiler for what it has compiled before; for the children that
 * are started while it is set. */
static bool forgetful;

#undef clBuildProgram
cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                      const char *options,
                      void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                      void *user_data)
{
	typedef cl_int build_program(cl_program, cl_uint, const cl_device_id *, const char *,
	                             void(CL_CALLBACK *)(cl_program, void *), void *);
	build_program *next = (build_program *)(uintptr_t)dlsym(RTLD_NEXT, "clBuildProgram");

	if (forgetful)
		process_nap(0.05);
	return next(program, num_devices, device_list, options, pfn_notify, user_data);
}

/* More than can be asked for, with a nap before each, until a process has started. */
enum { JOBS = 100000 };

/* The first that was built beforehand; one that is asked for before anybody had it is not. */
static size_t find_built(struct worker_ahead *ahead, size_t job, struct worker_built *ret_built)
{
	for (; job < JOBS; job++) {
		*ret_built = worker_ahead_wait(ahead, job, 600);
		if (ret_built->seconds > 0)
			return job;
		process_nap(0.005);
	}
	fail();
	return job;
}

static void jobs_are_built(void **state)
{
	const struct oclmm_device_identity *identity = *state;
	struct fixture_test test = fixture_read(worker_test);
	struct oclmm_run_request *jobs = oclmm_calloc(JOBS, sizeof(*jobs));
	struct worker_ahead *ahead;
	struct worker_built built;

	/* the first lacks a space */
	for (size_t i = 0; i < JOBS; i++)
		jobs[i] = (struct oclmm_run_request){.program = test.program,
		                                     .space = i ? &test.answer->space : NULL};
	assert_int_equal(worker_ahead_start(jobs, JOBS, identity, 2, 2, &ahead), 0);
	assert_true(worker_ahead_wait(ahead, 0, 600).seconds == 0);
	find_built(ahead, 1, &built);
	assert_true(built.processor > 0);
	worker_ahead_stop(ahead);
	fixture_finish(&test);
	free(jobs);
}

/* The children of this process, and how many of them are halted. */
static unsigned count_children(unsigned *ret_halted)
{
	struct dirent *entry;
	DIR *folder = opendir("/proc");
	unsigned children = 0;

	assert_non_null(folder);
	*ret_halted = 0;
	while ((entry = readdir(folder))) {
		char path[300], state = 0;
		int parent = 0;
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		file = fopen(path, "re");
		if (file && fscanf(file, "%*d (%*[^)]) %c %d", &state, &parent) == 2 &&
		    parent == getpid()) {
			children++;
			*ret_halted += state == 'T';
		}
		if (file)
			fclose(file);
	}
	closedir(folder);
	return children;
}

/* Waits until as many of them as are wanted have been halted. */
static void await_halted(unsigned wanted)
{
	unsigned halted;

	while (count_children(&halted), halted != wanted)
		process_nap(0.005);
}

/* One finds out that there is something to compile; then there are as many as were asked for. */
static void others_follow_where_it_is_worth_it(void **state)
{
	const struct oclmm_device_identity *identity = *state;
	struct fixture_test test = fixture_read(worker_test);
	struct oclmm_run_request *jobs = oclmm_calloc(JOBS, sizeof(*jobs));
	const struct oclmm_run_request nothing[2] = {{0}};
	struct worker_ahead *ahead;
	struct worker_built built;
	unsigned halted, found = 0;

	for (size_t i = 0; i < JOBS; i++)
		jobs[i] = (struct oclmm_run_request){.program = test.program,
		                                     .space = &test.answer->space};
	forgetful = true;
	assert_int_equal(worker_ahead_start(jobs, JOBS, identity, 1, 3, &ahead), 0);
	assert_int_equal(count_children(&halted), 1);
	for (size_t job = 0; count_children(&halted) == 1; job++) {
		job = find_built(ahead, job, &built);
		/* the first of a process may have been slow for other reasons */
		assert_true(++found <= 3);
	}
	assert_int_equal(count_children(&halted), 3);
	worker_ahead_stop(ahead);
	forgetful = false;
	/* nothing to build is worth nobody */
	assert_int_equal(worker_ahead_start(nothing, 2, identity, 1, 3, &ahead), 0);
	for (size_t job = 0; job < 2; job++)
		worker_ahead_wait(ahead, job, 600);
	assert_int_equal(count_children(&halted), 1);
	worker_ahead_stop(ahead);
	fixture_finish(&test);
	free(jobs);
}

static void they_halt_and_go_on(void **state)
{
	const struct oclmm_device_identity *identity = *state;
	struct fixture_test test = fixture_read(worker_test);
	struct oclmm_run_request *jobs = oclmm_calloc(JOBS, sizeof(*jobs));
	struct worker_ahead *ahead;
	struct worker_built built;

	for (size_t i = 0; i < JOBS; i++)
		jobs[i] = (struct oclmm_run_request){.program = test.program,
		                                     .space = &test.answer->space};
	assert_int_equal(worker_ahead_start(jobs, JOBS, identity, 2, 2, &ahead), 0);
	/* two runs play, and one is over */
	worker_ahead_pause(ahead, true);
	worker_ahead_pause(ahead, true);
	worker_ahead_pause(ahead, false);
	await_halted(2);
	worker_ahead_pause(ahead, false);
	await_halted(0);
	find_built(ahead, find_built(ahead, 0, &built) + 1, &built);
	/* and are ended while they halt */
	worker_ahead_pause(ahead, true);
	worker_ahead_stop(ahead);
	fixture_finish(&test);
	free(jobs);
}

/* Without the device, and without processes, nothing is built and nothing waits. */
static void nobody_builds(void **state)
{
	struct oclmm_device_identity nowhere = {.text = "no such device"};
	struct fixture_test test = fixture_read(worker_test);
	const struct oclmm_run_request job = {.program = test.program,
	                                      .space = &test.answer->space};
	struct worker_ahead *ahead;

	(void)state;
	for (unsigned processes = 0; processes <= 2; processes += 2) {
		assert_int_equal(
			worker_ahead_start(&job, 1, &nowhere, processes, processes, &ahead), 0);
		assert_true(worker_ahead_wait(ahead, 0, 600).seconds == 0);
		worker_ahead_stop(ahead);
	}
	worker_ahead_stop(NULL);
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device_identity identity;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(jobs_are_built, &identity),
		cmocka_unit_test_prestate(others_follow_where_it_is_worth_it, &identity),
		cmocka_unit_test_prestate(they_halt_and_go_on, &identity),
		cmocka_unit_test(nobody_builds),
	};

	if (!worker_find_device(&identity))
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
