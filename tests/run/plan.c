// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* Tests with and without controls, of one, two and several work-groups, and with controls that are
 * tests themselves. */
static const char *const names[] = {
	"MP+rel+acq",
	"MP+rel+acq.place*",
	"SB+sc+sc",
	"SB+sc+sc.*",
	"CoRR",
	"CoRR.place*",
	"CoWR+alias",
	"WRC+rlx+rel+acq.*",
	"MP+barrier+flag*",
	"add+add*",
	"MP+rmw-rel+rmw-acq.op=sub",
	"count+barriers.data=atomic.flags=none",
};

/* What they name. */
static struct selection selection;

int plan_read_tests(void **state)
{
	(void)state;
	return selection_make(&selection, (char **)names, OCLMM_COUNT(names));
}

int plan_forget_tests(void **state)
{
	(void)state;
	selection_finish(&selection);
	return 0;
}

static void describe_device(struct oclmm_device_info *info, uint64_t key)
{
	*info = (struct oclmm_device_info){
		.version = "OpenCL 3.0 of nobody",
		.type = oclmm_random(key, 0) % 2 ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU,
		.compute_units = 1 + (cl_uint)oclmm_random_below(key, 1, 132),
		.max_work_group_size = (size_t)256 << oclmm_random_below(key, 2, 3),
		.global_memory = UINT64_C(1) << (28 + oclmm_random_below(key, 3, 10)),
		.local_memory = 48 << 10,
	};
}

void plan_prepare(struct plan *plan, uint64_t key, uint64_t seed)
{
	struct run *run = &plan->run;

	*plan = (struct plan){0};
	run->session = &plan->session;
	describe_device(&plan->info, key);
	run->context = (struct run_context){
		.device = &plan->info,
		.identity = &plan->identity,
		.seed = seed,
		.launches = RUN_LAUNCHES,
		.instances = RUN_INSTANCES,
		.environments = &run->environments,
		.arena = oclmm_arena_create(),
	};
	/* with an order of its own */
	run->selection = selection;
	run->selection.chosen = oclmm_calloc(selection.count, sizeof(*selection.chosen));
	memcpy(run->selection.chosen, selection.chosen,
	       selection.count * sizeof(*selection.chosen));
	run->options.budget = oclmm_random(key, 4) % 2 ? 60 : 0;
	if (oclmm_random(key, 6) % 2)
		run->options.profile = "default";
	run_order(run);
	run->items = oclmm_calloc(run->selection.count, sizeof(*run->items));
	for (size_t i = 0; i < run->selection.count; i++) {
		run_item_prepare(&run->items[i], &run->context, &run->selection.chosen[i],
		                 run_expected_of(run, i));
		run->items[i].done = oclmm_random_below(key, 100 + i, 4) == 0;
	}
}

void plan_make(struct plan *plan)
{
	run_schedule_make(&plan->run, plan->run.items, plan->run.selection.count, &plan->schedule);
}

void plan_finish(struct plan *plan)
{
	struct run *run = &plan->run;

	run_schedule_finish(&plan->schedule);
	run_schedule_forget(run);
	for (size_t i = 0; i < run->selection.count; i++)
		run_item_finish(&run->items[i]);
	free(run->items);
	run_session_finish(&plan->session);
	oclmm_arena_destroy(run->context.arena);
	run_environments_finish(&run->environments);
	free(run->selection.chosen);
}
