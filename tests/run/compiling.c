// SPDX-License-Identifier: Apache-2.0
/*
 * How much a CPU's compiler has to do for the default profile. Such drivers build a
 * program for each text, and a kernel anew for each size of work-groups; that is most
 * of a run. No device is needed: what is compiled follows from the schedule.
 *
 *     test_compiling [--print]
 */
/* before cmocka, which has a macro of the name of one of its functions */
#include "run/schedule.h"
#include "run/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stress/internal.h"

/* A machine of two processors that a runner of a CI service may be. */
static const struct oclmm_device_info info = {
	.version = "OpenCL 3.0 of nobody",
	.type = CL_DEVICE_TYPE_CPU,
	.compute_units = 2,
	.max_work_group_size = 4096,
	.global_memory = UINT64_C(1) << 32,
	.local_memory = 512 << 10,
};
static const struct oclmm_device_identity identity;

/* Distinct strings. */
struct set {
	void *root;
	size_t count;
};

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Takes the key. */
static void add(struct set *set, struct oclmm_text *key)
{
	char *string = oclmm_text_steal(key);

	if (*(char **)tsearch(string, &set->root, compare) == string)
		set->count++;
	else
		free(string);
}

static void finish(struct set *set)
{
	tdestroy(set->root, free);
}

struct compiling {
	struct set test_programs, test_kernels, count_kernels;
	size_t tests;
};

static void add_count(struct compiling *compiling, const struct oclmm_run_request *job,
                      unsigned text, bool few_forms, uint32_t width)
{
	struct oclmm_codegen_options options = oclmm_text_options(text);
	struct oclmm_error error;
	struct oclmm_text source;

	options.split = options.sums = options.calm = false;
	options.few_forms = few_forms;
	assert_int_equal(oclmm_generate_count(job->program, job->space, &options, &error, &source),
	                 0);
	oclmm_text_printf(&source, "%u", width);
	add(&compiling->count_kernels, &source);
}

static void add_job(struct compiling *compiling, const struct oclmm_run_request *job)
{
	struct oclmm_kernel_plan plan;
	struct oclmm_error error;

	if (oclmm_kernel_plan(job->program, job->space, &error, &plan) < 0)
		return;
	for (uint32_t i = 0; i < job->environment_count; i++) {
		const struct oclmm_environment *e = &job->environment[i];
		unsigned text = oclmm_text_of(e, &plan);
		struct oclmm_parameters parameters;
		struct oclmm_text key;
		uint32_t local;

		oclmm_text_init(&key);
		oclmm_text_printf(&key, "%p %u",
		                  job->joint ? (const void *)job->joint
		                             : (const void *)job->program,
		                  text);
		add(&compiling->test_programs, &key);
		oclmm_text_init(&key);
		oclmm_text_printf(&key, "%p %p %u %u", (const void *)job->program,
		                  (const void *)job->space, text,
		                  oclmm_environment_width(e, &plan));
		add(&compiling->test_kernels, &key);
		oclmm_draw(e, job->program, &plan, 0, &parameters);
		oclmm_counting_work_items(e, &parameters, &local);
		add_count(compiling, job, text, e->direct, local);
	}
}

static void prepare(struct run_session *session, struct run *run)
{
	*session = (struct run_session){0};
	*run = (struct run){.session = session};
	run->context = (struct run_context){
		.device = &info,
		.identity = &identity,
		.launches = RUN_LAUNCHES,
		.instances = RUN_INSTANCES,
		.environments = &run->environments,
		.arena = oclmm_arena_create(),
	};
	assert_int_equal(selection_make_profile(&run->selection, "default"), 0);
	run->items = oclmm_calloc(run->selection.count, sizeof(*run->items));
	for (size_t i = 0; i < run->selection.count; i++)
		run_item_prepare(&run->items[i], &run->context, &run->selection.chosen[i],
		                 run_expected_of(run, i));
	run_schedule_make(run, run->items, run->selection.count, &run->schedule);
}

static void forget(struct run *run)
{
	run_schedule_finish(&run->schedule);
	run_schedule_forget(run);
	for (size_t i = 0; i < run->selection.count; i++)
		run_item_finish(&run->items[i]);
	free(run->items);
	run_session_finish(run->session);
	oclmm_arena_destroy(run->context.arena);
	run_environments_finish(&run->environments);
	selection_finish(&run->selection);
}

static void count(struct compiling *compiling)
{
	struct run_session session;
	struct run run;

	prepare(&session, &run);
	compiling->tests = run.selection.count;
	for (size_t i = 0; i < run.schedule.group_count; i++)
		for (size_t k = 0; k < run.schedule.groups[i].count; k++)
			add_job(compiling, &run.schedule.jobs[run.schedule.groups[i].jobs[k]]);
	forget(&run);
}

/* Hardly more than two kernels for each test: its own, one of a control, and few of a second
 * width; and one text for six tests. Tests of values have sets of their own, but the counting
 * kernels of most tests differ in their objects and in the size of groups alone. */
static void default_profile_compiles_little(void **state)
{
	struct compiling *compiling = *state;

	assert_true(compiling->tests > 1000);
	assert_true(10 * compiling->test_kernels.count <= 21 * compiling->tests);
	assert_true(compiling->test_programs.count <= compiling->tests / 6);
	assert_true(6 * compiling->count_kernels.count <= compiling->tests);
}

int main(int argc, char **argv)
{
	struct compiling compiling = {0};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(default_profile_compiles_little, &compiling),
	};
	int failed = 0;

	count(&compiling);
	if (argc > 1 && strcmp(argv[1], "--print") == 0)
		printf("%zu tests: %zu programs and %zu kernels of tests, %zu counting kernels\n",
		       compiling.tests, compiling.test_programs.count, compiling.test_kernels.count,
		       compiling.count_kernels.count);
	else
		failed = cmocka_run_group_tests(tests, NULL, NULL);
	finish(&compiling.test_programs);
	finish(&compiling.test_kernels);
	finish(&compiling.count_kernels);
	return failed;
}
