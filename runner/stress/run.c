// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum oclmm_end oclmm_end_of(int r)
{
	switch (r) {
	case 0: return OCLMM_END_OK;
	case -ENOTSUP:
	case -EINVAL: return OCLMM_END_UNSUPPORTED;
	case -ENOEXEC: return OCLMM_END_BUILD_FAILED;
	case -EBADMSG: return OCLMM_END_PRODUCER;
	case -ERANGE: return OCLMM_END_RESULTS_LOST;
	case -ENOMEM: return OCLMM_END_OUT_OF_MEMORY;
	case -ENODEV: return OCLMM_END_DEVICE_LOST;
	default: return OCLMM_END_DEVICE_ERROR;
	}
}

static int check_support(struct oclmm_session *session, struct oclmm_error *error)
{
	struct oclmm_features features;
	char missing[128];
	int r;

	if (oclmm_device_supports(session->device, session->program, missing, sizeof(missing)) ==
	    OCLMM_SUPPORT_UNSUPPORTED)
		return oclmm_error_set(error, -ENOTSUP, "the device lacks %s", missing);
	oclmm_program_features(session->program, &features);
	r = features.commands ? 0
	                      : oclmm_kernel_plan(session->program, session->request->space, error,
	                                          &session->plan);
	return r < 0 ? r
	             : oclmm_device_several(session->device, features.devices, error,
	                                    &session->device);
}

/* The first queue of a device is there; more of them are the session's. */
static int open_queue(struct oclmm_session *session, uint32_t number, struct oclmm_error *error)
{
	struct oclmm_kernel_part *part = &session->kernels[number];
	uint32_t device = session->plan.part_device[number];
	int r = 0;

	if (session->plan.part_queue[number] > 0)
		r = oclmm_device_queue_new(session->device, device, 0, error, &part->own);
	part->queue = part->own ? part->own : oclmm_device_queue_of(session->device, device);
	return r;
}

/* Who plays which roles: kernels first, because one takes its time to begin. */
static int assign_roles(struct oclmm_session *session, struct oclmm_error *error)
{
	const struct oclmm_kernel_plan *plan = &session->plan;
	int r = 0;

	if (plan->children)
		r = oclmm_device_default_queue(session->device, error);
	for (uint32_t i = 0; r == 0 && i < plan->kernels; i++) {
		session->kernels[i].session = session;
		session->kernels[i].number = i;
		session->parts[i].executor = i == 0 ? &oclmm_executor_kernel
		                                    : &oclmm_executor_other_kernel;
		session->parts[i].data = &session->kernels[i];
		r = open_queue(session, i, error);
	}
	for (uint32_t role = 0; r == 0 && role < plan->roles; role++) {
		struct oclmm_part *part = &session->parts[plan->role_part[role]];

		part->roles |= 1u << role;
		if (plan->role_part[role] < plan->kernels)
			continue;
		part->executor = &oclmm_executor_host;
		part->data = &session->hosts[role];
		r = oclmm_host_role_create(session, role, error);
	}
	session->part_count = plan->parts;
	return r < 0 ? r : oclmm_parts_check(session->parts, plan->parts, plan->roles, error);
}

/* As few instances as there can be with the same kernels and the same groups: for building
 * alone. */
static void reduce(const struct oclmm_session *session, struct oclmm_environment *environment)
{
	unsigned text = oclmm_text_of(environment, &session->plan);

	for (;;) {
		struct oclmm_environment smaller = *environment;

		if (smaller.rounds > 1)
			smaller.rounds /= 2;
		else if (smaller.groups / 2 >= session->plan.work_groups)
			smaller.groups /= 2;
		/* the counting kernel's groups become smaller when there is less to count than they
		 * hold */
		if (smaller.rounds * smaller.groups == environment->rounds * environment->groups ||
		    oclmm_environment_instances(&smaller) < smaller.count_lanes ||
		    oclmm_text_of(&smaller, &session->plan) != text)
			return;
		*environment = smaller;
	}
}

static int choose_environments(struct oclmm_session *session, struct oclmm_error *error)
{
	const struct oclmm_device_info *info = oclmm_device_info(session->device);
	int r = 0;

	if (session->request->environment) {
		session->environment_count = session->request->environment_count
		                                     ? session->request->environment_count
		                                     : 1;
		memcpy(session->environments, session->request->environment,
		       session->environment_count * sizeof(*session->environments));
	} else {
		session->environment_count = oclmm_environment_defaults(info, &session->plan,
		                                                        session->environments);
	}
	for (uint32_t i = 0; r == 0 && i < session->environment_count; i++)
		r = oclmm_environment_check(&session->environments[i], info, &session->plan, error);
	for (uint32_t i = 0;
	     r == 0 && session->request->build_only && i < session->environment_count; i++)
		reduce(session, &session->environments[i]);
	return r;
}

/* Whether an earlier environment has the same kernels at work in groups of the same shape. */
static bool is_warm(const struct oclmm_session *session, uint32_t number)
{
	const struct oclmm_environment *own = &session->environments[number];

	for (uint32_t i = 0; i < number; i++)
		if (oclmm_text_of(&session->environments[i], &session->plan) ==
		            oclmm_text_of(own, &session->plan) &&
		    oclmm_environment_width(&session->environments[i], &session->plan) ==
		            oclmm_environment_width(own, &session->plan) &&
		    oclmm_environment_dimensions(&session->environments[i]) ==
		            oclmm_environment_dimensions(own) &&
		    (session->environments[i].offset > 0) == (own->offset > 0))
			return true;
	return false;
}

/* Where others wait for a launch to end its queue is empty anyhow; and runtimes of CPUs copy at
 * once. */
static bool reads_apart(const struct oclmm_session *session)
{
	if (session->plan.parts > 1 || session->request->build_only)
		return false;
	return session->request->read_apart ||
	       !(oclmm_device_info(session->device)->type & CL_DEVICE_TYPE_CPU);
}

static int prepare(struct oclmm_session *session, struct oclmm_error *error,
                   struct oclmm_run_result *result)
{
	double start = oclmm_clock();
	int r = assign_roles(session, error);

	if (reads_apart(session))
		session->reading = oclmm_device_reading_queue(session->device);
	if (r == 0)
		r = oclmm_kernels_build(session, error, result);
	result->build_seconds = oclmm_clock() - start;
	if (r == 0)
		r = oclmm_buffers_create(session, error);
	if (r == 0)
		r = oclmm_arguments_set(session, error);
	/* the first one last: its objects are then set up */
	for (uint32_t i = session->environment_count; r == 0 && i-- > 0;) {
		const struct oclmm_environment *environment = &session->environments[i];

		if (is_warm(session, i))
			continue;
		r = session->playing->initialise(session, environment, &session->slots[0], error);
		if (r == 0)
			r = oclmm_launch_warm(session, environment, error);
	}
	if (r == 0)
		r = OCLMM_CL_CALL(error, clFinish, oclmm_device_queue(session->device));
	result->compile_seconds = oclmm_clock() - start;
	return r;
}

static struct oclmm_histogram *make_histogram(const struct oclmm_session *session)
{
	const struct oclmm_outcome_space *space = session->request->space;
	struct oclmm_histogram *histogram = oclmm_histogram_create(space->observable_count);
	int64_t *values = oclmm_calloc((size_t)space->observable_count + 1, sizeof(*values));

	oclmm_histogram_merge(histogram, session->histogram);
	for (uint32_t i = 0; i < space->size; i++) {
		if (session->totals[i] == 0)
			continue;
		oclmm_outcome_values(space, i, values);
		oclmm_histogram_add(histogram, values, session->totals[i]);
	}
	if (session->cut > 0)
		oclmm_histogram_add_cut(histogram, session->cut);
	free(values);
	return histogram;
}

void oclmm_session_take(const struct oclmm_session *session, struct oclmm_run_result *result)
{
	if (!session->launches)
		return;
	result->histogram = make_histogram(session);
	result->instances = session->instances;
	result->launches = session->launches;
	result->stimulus = session->stimulus;
	result->halved = session->halved;
	result->other_count = session->kept;
}

/* Nothing of the run may be on the device any more when its buffers go. */
static void drain(struct oclmm_session *session)
{
	clFinish(oclmm_device_queue(session->device));
	if (session->reading)
		clFinish(session->reading);
	for (int i = 0; i < OCLMM_KERNEL_PARTS; i++)
		if (session->kernels[i].own)
			clFinish(session->kernels[i].own);
	oclmm_side_finish(session);
	for (int i = 0; i < OCLMM_SLOTS; i++)
		if (session->slots[i].done)
			clReleaseEvent(session->slots[i].done);
}

void oclmm_session_close(struct oclmm_session *session)
{
	if (session->playing && session->playing->close)
		session->playing->close(session);
	drain(session);
	oclmm_kernels_destroy(session);
	oclmm_buffers_destroy(session);
	for (uint32_t i = 0; i < OCLMM_KERNEL_ROLES; i++)
		oclmm_host_role_destroy(&session->hosts[i]);
	oclmm_histogram_destroy(session->histogram);
	oclmm_seen_finish(&session->shown);
	free(session->numbers);
	free(session->totals);
}

int oclmm_session_open(struct oclmm_session *session, struct oclmm_device *device,
                       const struct oclmm_run_request *request, struct oclmm_error *error,
                       struct oclmm_run_result *result)
{
	bool commands = oclmm_program_has_commands(request->program);
	int r;

	session->device = device;
	session->request = request;
	session->program = request->program;
	session->stimulus = request->stimulus;
	session->playing = commands ? &oclmm_playing_commands : &oclmm_playing_roles;
	r = check_support(session, error);
	if (r == 0 && commands)
		r = oclmm_commands_open(session, error, result);
	else if (r == 0)
		r = choose_environments(session, error);
	if (r < 0)
		return r;
	session->totals = oclmm_calloc((size_t)session->plan.outcomes + 1, sizeof(uint64_t));
	session->numbers = oclmm_calloc((size_t)session->plan.outcomes + 1, 1);
	session->shown.width = session->plan.observables;
	session->histogram = oclmm_histogram_create(request->space->observable_count);
	return commands ? 0 : prepare(session, error, result);
}

void oclmm_run_result_finish(struct oclmm_run_result *result)
{
	if (!result)
		return;
	oclmm_histogram_destroy(result->histogram);
	oclmm_seen_finish(&result->shown);
	free(result->build_log);
	memset(result, 0, sizeof(*result));
}
