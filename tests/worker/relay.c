// SPDX-License-Identifier: Apache-2.0
/* One child after the other: each serves as often as it may, the next is there in time, and one
 * that is not well costs nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "device.h"
#include "worker/child.h"

enum { INSTANCES = 1000, LEAK = 8 << 20 };

/* A driver that loses memory with each buffer, for the children that are started while it is set.
 */
static bool leaking;

#undef clCreateBuffer
cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                      cl_int *errcode_ret)
{
	cl_mem (*next)(cl_context, cl_mem_flags, size_t, void *, cl_int *) =
		(cl_mem(*)(cl_context, cl_mem_flags, size_t, void *, cl_int *))(
			uintptr_t)dlsym(RTLD_NEXT, "clCreateBuffer");
	static void *lost;

	if (leaking) {
		void **now = oclmm_malloc(LEAK);

		memset(now, 1, LEAK);
		*now = lost;
		lost = now;
	}
	return next(context, flags, size, host_ptr, errcode_ret);
}

struct stage {
	struct oclmm_device_identity identity;
	struct fixture_test test;
	struct oclmm_run_request job;
	struct worker_relay *relay;
};

static struct stage *begin(void **state, size_t most)
{
	struct stage *stage = oclmm_calloc(1, sizeof(*stage));
	struct worker_relay_options options = {
		.identity = &stage->identity,
		.worker = {.limit = 600},
		.jobs = &stage->job,
		.count = 1,
		.most = most,
		.leak_most = leaking ? LEAK / 2 : UINT64_MAX,
		.beside = true,
	};

	stage->identity = *(const struct oclmm_device_identity *)*state;
	stage->test = fixture_read(worker_test);
	stage->job = (struct oclmm_run_request){
		.program = stage->test.program,
		.space = &stage->test.answer->space,
		.instances = INSTANCES,
	};
	stage->relay = worker_relay_create(&options);
	return stage;
}

static void end(struct stage *stage)
{
	worker_relay_destroy(stage->relay);
	/* nobody is left, neither a child at hand nor one that waits */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	fixture_finish(&stage->test);
	free(stage);
}

/* Runs the job. Returns the number of the child that did. */
static pid_t run(struct stage *stage, uint64_t *ret_instances)
{
	const struct worker_group group = {.jobs = &(size_t){0}, .count = 1};
	struct worker_result result;
	struct oclmm_error error;
	struct worker *worker = NULL;
	size_t culprit;
	pid_t pid;

	assert_int_equal(worker_relay_now(stage->relay, &error, &worker), 0);
	pid = worker->process.pid;
	worker_run_group(worker, &group, &result, &culprit);
	assert_int_equal(result.end, OCLMM_END_OK);
	*ret_instances = result.run.counts.instances;
	worker_result_finish(&result);
	return pid;
}

static void each_serves_as_often_as_it_may(void **state)
{
	struct stage *stage = begin(state, 2);
	pid_t children[5];

	for (size_t i = 0; i < OCLMM_COUNT(children); i++) {
		uint64_t instances;

		children[i] = run(stage, &instances);
		assert_true(instances >= INSTANCES);
		worker_relay_served(stage->relay, 1);
	}
	assert_int_equal(children[0], children[1]);
	assert_int_not_equal(children[1], children[2]);
	assert_int_equal(children[2], children[3]);
	assert_int_not_equal(children[3], children[4]);
	end(stage);
}

static void one_that_is_dropped_is_followed(void **state)
{
	struct stage *stage = begin(state, 100);
	uint64_t instances;
	pid_t first = run(stage, &instances);

	worker_relay_drop(stage->relay);
	assert_int_not_equal(run(stage, &instances), first);
	end(stage);
}

/* Also to a child that was started before. */
static void changed_jobs_are_known(void **state)
{
	enum { MANY = 50 };
	struct stage *stage = begin(state, 2);
	uint64_t before, after;

	run(stage, &before);
	worker_relay_served(stage->relay, 1);
	stage->job.instances = before * MANY;
	worker_relay_drop(stage->relay);
	run(stage, &after);
	assert_true(after >= before * MANY);
	end(stage);
}

/* It was started on a device that is not there: what follows is a child that is. */
static void one_that_cannot_open_is_passed_over(void **state)
{
	struct stage *stage = begin(state, 2);
	struct oclmm_device_identity there = stage->identity;
	struct oclmm_error error = {0};
	struct worker *worker = NULL;
	uint64_t instances;

	/* the first one was started when the device was there */
	run(stage, &instances);
	strcpy(stage->identity.text, "no such device");
	worker_relay_served(stage->relay, 1);
	stage->identity = there;
	worker_relay_drop(stage->relay);
	run(stage, &instances);

	strcpy(stage->identity.text, "no such device");
	worker_relay_drop(stage->relay);
	assert_true(worker_relay_now(stage->relay, &error, &worker) < 0);
	assert_null(worker);
	assert_non_null(strstr(error.message, "not there any more"));
	end(stage);
}

static void one_that_leaks_is_let_go(void **state)
{
	pid_t first[2], second;
	struct stage *stage;
	uint64_t instances;

	leaking = true;
	stage = begin(state, 100);
	for (size_t i = 0; i < OCLMM_COUNT(first); i++) {
		first[i] = run(stage, &instances);
		worker_relay_served(stage->relay, 1);
	}
	/* by what it held after its first job the second is measured */
	assert_int_equal(first[0], first[1]);
	second = run(stage, &instances);
	assert_int_not_equal(second, first[0]);
	leaking = false;
	end(stage);
}

static void memory_is_told(void **state)
{
	struct stage *stage = begin(state, 100);
	struct worker *worker = NULL;
	struct oclmm_error error;
	uint64_t instances;

	run(stage, &instances);
	assert_int_equal(worker_relay_now(stage->relay, &error, &worker), 0);
	/* a driver that is loaded holds some */
	assert_true(process_used(&worker->process).memory > 1 << 20);
	process_stop(&worker->process, 0);
	assert_true(process_used(&worker->process).memory == 0);
	worker_relay_drop(stage->relay);
	end(stage);
}

int main(void)
{
	struct oclmm_device_identity identity;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(each_serves_as_often_as_it_may, &identity),
		cmocka_unit_test_prestate(one_that_is_dropped_is_followed, &identity),
		cmocka_unit_test_prestate(changed_jobs_are_known, &identity),
		cmocka_unit_test_prestate(one_that_cannot_open_is_passed_over, &identity),
		cmocka_unit_test_prestate(one_that_leaks_is_let_go, &identity),
		cmocka_unit_test_prestate(memory_is_told, &identity),
	};

	if (!worker_find_device(&identity))
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
