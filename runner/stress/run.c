// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Launches in one environment before the next one's turn. */
enum { TURN = 4 };
/* Seconds that a launch may take before the next ones are made smaller. */
static const double SLOW = 0.5;

static enum oclmm_end status_of(int r)
{
	switch (r) {
	case 0: return OCLMM_END_OK;
	case -ENOTSUP:
	case -EINVAL: return OCLMM_END_UNSUPPORTED;
	case -ENOEXEC: return OCLMM_END_BUILD_FAILED;
	case -ERANGE: return OCLMM_END_RESULTS_LOST;
	case -ENOMEM: return OCLMM_END_OUT_OF_MEMORY;
	case -ENODEV: return OCLMM_END_DEVICE_LOST;
	default: return OCLMM_END_DEVICE_ERROR;
	}
}

static int check_support(struct oclmm_session *session, struct oclmm_error *error)
{
	char missing[128];
	int r;

	if (oclmm_device_supports(session->device, session->program, missing, sizeof(missing)) ==
	    OCLMM_SUPPORT_UNSUPPORTED)
		return oclmm_error_set(error, -ENOTSUP, "the device lacks %s", missing);
	r = oclmm_kernel_plan(session->program, session->request->space, error, &session->plan);
	if (r < 0)
		return r;
	return oclmm_device_several(session->device, session->plan.devices, error,
	                            &session->device);
}

/* Who plays which roles: devices first, because a kernel takes its time to begin. */
static int assign_roles(struct oclmm_session *session, struct oclmm_error *error)
{
	const struct oclmm_kernel_plan *plan = &session->plan;
	int r = 0;

	for (uint32_t i = 0; i < plan->devices; i++) {
		session->devices[i].session = session;
		session->devices[i].number = i;
		session->parts[i].executor = i == 0 ? &oclmm_executor_kernel
		                                    : &oclmm_executor_other_device;
		session->parts[i].data = &session->devices[i];
	}
	for (uint32_t role = 0; r == 0 && role < plan->roles; role++) {
		struct oclmm_part *part = &session->parts[plan->role_part[role]];

		part->roles |= 1u << role;
		if (plan->role_part[role] < plan->devices)
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
		            oclmm_environment_width(own, &session->plan))
			return true;
	return false;
}

static int prepare(struct oclmm_session *session, struct oclmm_error *error,
                   struct oclmm_run_result *result)
{
	double start = oclmm_clock();
	int r = assign_roles(session, error);

	if (r == 0)
		r = oclmm_kernels_build(session, error, result);
	if (r == 0)
		r = oclmm_buffers_create(session, error);
	if (r == 0)
		r = oclmm_arguments_set(session, error);
	/* the first one last: its objects are then set up */
	for (uint32_t i = session->environment_count; r == 0 && i-- > 0;) {
		const struct oclmm_environment *environment = &session->environments[i];

		if (is_warm(session, i))
			continue;
		r = oclmm_launch_initialise(session, environment, &session->slots[0], error);
		if (r == 0)
			r = oclmm_launch_warm(session, environment, error);
	}
	result->compile_seconds = oclmm_clock() - start;
	return r;
}

static bool is_enough(const struct oclmm_session *session, double elapsed)
{
	const struct oclmm_run_request *request = session->request;

	if (request->seconds > 0 && elapsed < request->seconds)
		return false;
	return session->queued >= request->instances && session->queued > 0;
}

static void report_progress(const struct oclmm_session *session, double elapsed)
{
	const struct oclmm_run_request *request = session->request;
	double fraction = 1;

	if (!request->progress)
		return;
	if (request->instances > 0)
		fraction = (double)session->instances / (double)request->instances;
	if (request->seconds > 0 && elapsed / request->seconds < fraction)
		fraction = elapsed / request->seconds;
	request->progress(request->progress_data, fraction < 1 ? fraction : 1);
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

/* All that was counted, also when it is cut short. */
static void take_result(const struct oclmm_session *session, struct oclmm_run_result *result)
{
	result->histogram = make_histogram(session);
	result->instances = session->instances;
	result->launches = session->launches;
	result->stimulus = session->stimulus;
	result->other_count = session->kept;
}

/* At once: the driver may not live to the end. */
static void tell_news(struct oclmm_session *session)
{
	struct oclmm_run_result result = {0};

	if (!session->news || !session->request->news)
		return;
	session->news = false;
	take_result(session, &result);
	session->request->news(session->request->progress_data, &result);
	oclmm_run_result_finish(&result);
}

/*
 * Drivers have watchdogs that end a launch of a few seconds without a word. A
 * device this slow gets smaller launches; on all others the launches depend on
 * the seed alone. \return whether the shape changed.
 */
static bool shrink(struct oclmm_session *session)
{
	bool smaller = false;

	if (session->slowest < SLOW)
		return false;
	for (uint32_t i = 0; i < session->environment_count; i++) {
		struct oclmm_environment *e = &session->environments[i];
		unsigned text = oclmm_text_of(e, &session->plan);
		uint32_t rounds = e->rounds;

		smaller |= e->rounds > 1 || e->stress > 1;
		e->rounds = rounds > 1 ? rounds / 2 : 1;
		/* only the texts that the run began with are built */
		if (oclmm_text_of(e, &session->plan) != text)
			e->rounds = rounds;
		e->stress /= 2;
		e->queue_stress /= 2;
	}
	session->slowest = 0;
	return smaller;
}

/*
 * The environments in turn: first one launch in each, so that a short run has seen
 * them all, then some in a row, because a change costs a launch that sets up.
 */
static uint32_t environment_of(const struct oclmm_session *session, uint64_t number)
{
	return (uint32_t)((number < session->environment_count ? number : number / TURN) %
	                  session->environment_count);
}

/* Launch after launch, the slots in turn: a slot's counts are read when it is needed again. */
static int play(struct oclmm_session *session, struct oclmm_error *error)
{
	double start = oclmm_clock();
	uint64_t first = session->request->first_launch, number = first;
	int r = 0;

	while (r == 0 && !is_enough(session, oclmm_clock() - start)) {
		uint32_t which = environment_of(session, number);
		const struct oclmm_environment *environment = &session->environments[which];
		struct oclmm_slot *slot = &session->slots[number % OCLMM_SLOTS];

		r = oclmm_launch_harvest(session, slot, error);
		tell_news(session);
		report_progress(session, oclmm_clock() - start);
		/* another layout: its slots hold what the last one left there */
		if (r == 0 && (shrink(session) ||
		               ((number == first || which != environment_of(session, number - 1)) &&
		                session->environment_count > 1)))
			r = oclmm_launch_initialise(session, environment, slot, error);
		if (r == 0)
			r = oclmm_launch_queue(session, environment, slot, number, error);
		number++;
	}
	for (uint64_t i = 0; r == 0 && i < OCLMM_SLOTS; i++)
		r = oclmm_launch_harvest(session, &session->slots[(number + i) % OCLMM_SLOTS],
		                         error);
	if (r == 0)
		r = oclmm_scratch_check(session, error);
	return r;
}

/* Nothing of the run may be on the device any more when its buffers go. */
static void drain(struct oclmm_session *session)
{
	clFinish(oclmm_device_queue(session->device));
	oclmm_side_finish(session);
	for (int i = 0; i < OCLMM_SLOTS; i++)
		if (session->slots[i].done)
			clReleaseEvent(session->slots[i].done);
}

static void finish(struct oclmm_session *session)
{
	drain(session);
	oclmm_kernels_destroy(session);
	oclmm_buffers_destroy(session);
	for (uint32_t i = 0; i < OCLMM_KERNEL_ROLES; i++)
		oclmm_host_role_destroy(&session->hosts[i]);
	oclmm_histogram_destroy(session->histogram);
	free(session->totals);
}

enum oclmm_end oclmm_run(struct oclmm_device *device, const struct oclmm_run_request *request,
                         struct oclmm_error *error, struct oclmm_run_result *ret_result)
{
	struct oclmm_session session = {.device = device,
	                                .request = request,
	                                .program = request->program};
	struct oclmm_run_result result = {0};
	double start;
	int r = check_support(&session, error);

	if (r == 0)
		r = choose_environments(&session, error);
	if (r < 0) {
		*ret_result = result;
		return status_of(r);
	}
	session.stimulus = request->stimulus;
	session.totals = oclmm_calloc((size_t)session.plan.outcomes + 1, sizeof(*session.totals));
	session.histogram = oclmm_histogram_create(request->space->observable_count);
	r = prepare(&session, error, &result);
	start = oclmm_clock();
	if (r == 0 && !request->build_only)
		r = play(&session, error);
	result.seconds = oclmm_clock() - start;
	if (r == 0 || session.launches > 0)
		take_result(&session, &result);
	finish(&session);
	*ret_result = result;
	return status_of(r);
}

void oclmm_run_result_finish(struct oclmm_run_result *result)
{
	if (!result)
		return;
	oclmm_histogram_destroy(result->histogram);
	free(result->build_log);
	memset(result, 0, sizeof(*result));
}
