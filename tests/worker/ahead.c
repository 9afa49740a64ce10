// SPDX-License-Identifier: Apache-2.0
/* Building before the turn: what has its turn later is built, what cannot be is left alone, who
 * builds halts and goes on, one that crashes or hangs is followed, and nothing waits for ever. With
 * copies of this program, and with this program started anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "platform/system.h"
#include "process/process.h"
#include "worker/child.h"

/* What is set while children are started holds for them. A driver that takes the time of a compiler
 * for what it has compiled before … */
static const char FORGETFUL[] = "TEST_FORGETFUL";
/* … or that does not survive a text in which a certain value stands: "crash" or "hang". */
static const char FRAIL[] = "TEST_FRAIL";

static const char hard_test[] =
	"OPENCL hard\n{ [x] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x) {\n"
	"  atomic_store_explicit(x, 424242, memory_order_relaxed, memory_scope_work_group);\n}\n"
	"exists (x=424242)\n";

static bool is_hard(cl_program program)
{
	size_t size = 0;
	char *source;
	bool hard;

	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size), CL_SUCCESS);
	source = oclmm_calloc(size + 1, 1);
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source, NULL),
	                 CL_SUCCESS);
	hard = strstr(source, "424242");
	free(source);
	return hard;
}

static void meet(const char *end)
{
	if (strcmp(end, "crash") == 0)
		raise(SIGSEGV);
	for (;;)
		process_nap(1);
}

#undef clBuildProgram
cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                      const char *options,
                      void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                      void *user_data)
{
	typedef cl_int build_program(cl_program, cl_uint, const cl_device_id *, const char *,
	                             void(CL_CALLBACK *)(cl_program, void *), void *);
	build_program *next = (build_program *)(uintptr_t)dlsym(RTLD_NEXT, "clBuildProgram");

	if (getenv(FORGETFUL))
		process_nap(0.05);
	if (getenv(FRAIL) && is_hard(program))
		meet(getenv(FRAIL));
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

/* The last of them that was found. */
static int last_child;

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
			last_child = atoi(entry->d_name);
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
	setenv(FORGETFUL, "1", 1);
	assert_int_equal(worker_ahead_start(jobs, JOBS, identity, 1, 3, &ahead), 0);
	assert_int_equal(count_children(&halted), 1);
	for (size_t job = 0; count_children(&halted) == 1; job++) {
		job = find_built(ahead, job, &built);
		/* the first of a process may have been slow for other reasons */
		assert_true(++found <= 3);
	}
	assert_int_equal(count_children(&halted), 3);
	worker_ahead_stop(ahead);
	unsetenv(FORGETFUL);
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

/* A text that its compiler does not survive costs the process that has it and nothing else: the
 * next one builds what follows. */
static void one_that_ends_is_followed(void **state)
{
	enum { APART = 8 };
	static const char *const ends[] = {"crash", "hang"};
	const struct oclmm_device_identity *identity = *state;
	struct fixture_test test = fixture_read(worker_test), hard = fixture_read(hard_test);
	struct oclmm_run_request *jobs = oclmm_calloc(JOBS, sizeof(*jobs));

	for (size_t i = 0; i < JOBS; i++) {
		struct fixture_test *which = i % APART == APART - 1 ? &hard : &test;

		jobs[i] = (struct oclmm_run_request){.program = which->program,
		                                     .space = &which->answer->space};
	}
	for (size_t i = 0; i < OCLMM_COUNT(ends); i++) {
		struct worker_ahead *ahead;
		struct worker_built built;
		unsigned halted;
		int first;
		size_t job;

		setenv(FRAIL, ends[i], 1);
		assert_int_equal(worker_ahead_start(jobs, JOBS, identity, 1, 1, &ahead), 0);
		assert_int_equal(count_children(&halted), 1);
		first = last_child;
		/* until it has come to a hard one before it was asked for that */
		for (job = 0; count_children(&halted) == 1 && last_child == first; job++) {
			bool is_hard_one = job % APART == APART - 1;

			assert_true(job < JOBS);
			built = worker_ahead_wait(ahead, job, is_hard_one ? 0.2 : 600);
			if (is_hard_one)
				assert_true(built.seconds == 0);
			process_nap(0.005);
		}
		for (built.seconds = 0; built.seconds == 0; job++) {
			assert_true(job < JOBS);
			built = worker_ahead_wait(ahead, job, job % APART == APART - 1 ? 0.2 : 600);
			process_nap(0.005);
		}
		worker_ahead_stop(ahead);
		assert_int_equal(count_children(&halted), 0);
		unsetenv(FRAIL);
	}
	fixture_finish(&test);
	fixture_finish(&hard);
	free(jobs);
}

/* A child started anew that says what none says. */
static const char LIES[] = "TEST_LIES";

static void lie(int socket, const char *which)
{
	struct worker_compiled compiled = {.seconds = 1, .processor = 1};
	struct wire_input input = {0};
	struct wire_reader reader;
	struct oclmm_text text = {0};
	uint32_t kind;

	while (wire_wait(&input, socket, WIRE_KINDS, &kind, &reader) > 0) {
		if (kind == WIRE_AHEAD)
			wire_send(socket, strcmp(which, "open") ? WIRE_OPENED : WIRE_TABLE, NULL);
		if (kind != WIRE_BUILD)
			continue;
		compiled.seconds = strcmp(which, "seconds") ? 1 : -1;
		compiled.processor = strcmp(which, "processor") ? 1 : (double)NAN;
		wire_put(&text, &compiled, strcmp(which, "short") ? sizeof(compiled) : 3);
		wire_send(socket, strcmp(which, "kind") ? WIRE_BUILT : WIRE_TABLE, &text);
		oclmm_text_finish(&text);
	}
}

/* A child that has ended, and that nobody has waited for. */
static void await_end(int child)
{
	char path[40], state = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", child);
	while (state != 'Z') {
		FILE *file = fopen(path, "re");

		assert_non_null(file);
		assert_int_equal(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
		fclose(file);
		process_nap(0.005);
	}
}

/* It is believed where it says what it should, and else let go. */
static void no_lie_is_believed(void **state)
{
	enum { FEW = 8 };
	static const char *const lies[] = {"none", "open", "kind", "short", "seconds", "processor"};
	const struct oclmm_device_identity *identity = *state;
	struct fixture_test test = fixture_read(worker_test);
	struct oclmm_run_request jobs[FEW];

	for (size_t i = 0; i < FEW; i++)
		jobs[i] = (struct oclmm_run_request){.program = test.program,
		                                     .space = &test.answer->space};
	for (size_t i = 0; i < OCLMM_COUNT(lies); i++) {
		struct worker_ahead *ahead;
		unsigned halted;

		setenv(LIES, lies[i], 1);
		assert_int_equal(worker_ahead_start(jobs, FEW, identity, 1, 1, &ahead), 0);
		assert_int_equal(count_children(&halted), 1);
		/* it was caught, or has built all */
		await_end(last_child);
		for (size_t job = 0; job < FEW; job++) {
			struct worker_built built = worker_ahead_wait(ahead, job, 600);

			assert_true(built.processor == (i == 0));
			assert_true((built.seconds > 0) == (i == 0));
		}
		worker_ahead_stop(ahead);
		assert_int_equal(count_children(&halted), 0);
		unsetenv(LIES);
	}
	fixture_finish(&test);
}

static struct oclmm_device_identity identity;

static int run_with(const char *children)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(jobs_are_built, &identity),
		cmocka_unit_test_prestate(others_follow_where_it_is_worth_it, &identity),
		cmocka_unit_test_prestate(they_halt_and_go_on, &identity),
		cmocka_unit_test_prestate(one_that_ends_is_followed, &identity),
		cmocka_unit_test(nobody_builds),
	};

	setenv(PROCESS_ANEW, children, 1);
	return cmocka_run_group_tests_name(children, tests, NULL, NULL);
}

static int run_liars(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(no_lie_is_believed, &identity),
	};

	return cmocka_run_group_tests_name("liars", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	static process_service *const services[] = {worker_serve, NULL};

	if (argc > 1 && strcmp(argv[1], PROCESS_CHILD) == 0) {
		if (getenv(LIES))
			lie(oclmm_inherited_socket(), getenv(LIES));
		else
			worker_serve(oclmm_inherited_socket());
		return 0;
	}
	process_services = services;
	if (!worker_find_device(&identity))
		return 77;
	/* the last leaves children anew */
	return run_with("copies") || run_with("anew") || run_liars();
}
