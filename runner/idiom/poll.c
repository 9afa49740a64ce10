// SPDX-License-Identifier: Apache-2.0
/*
 * How many groups run at the same time, and how long a wait is. The protocol
 * stands in litmus/idiom/common.cl.
 */
#include "internal.h"

#include <errno.h>

/* A wait that has not ended after about so long will not: what it waits for is not running. */
static const double GIVE_UP_SECONDS = 4;
/* For so long a poll stays open behind the last group that came. */
static const double PATIENCE_SECONDS = 0.02;
/* The same where groups are threads, which a busy machine may keep waiting. */
static const double PATIENCE_CPU_SECONDS = 0.05;
enum {
	SHORT_TURNS = 30000, /* where loops end early */
	FIRST_GROUPS = 64,   /* per compute unit */
	MOST_GROUPS = 1 << 18,
	POLLS = 4,
	CALIBRATIONS = 3,
	CALIBRATION_MOST = 1 << 27,
};

static int begin_poll(struct idiom_session *session, uint32_t patience, struct oclmm_error *error)
{
	session->patience = patience;
	session->begun = session->ended = 0;
	return idiom_fill(session, session->poll, 0, POLL_WORDS, error);
}

static int end_poll(struct idiom_session *session, uint32_t *words, struct oclmm_error *error)
{
	int r = idiom_finish(session, error);

	session->patience = 0;
	if (r == 0)
		r = idiom_read(session, session->poll, words, POLL_WORDS * sizeof(*words), error);
	return r;
}

static int set_progress(struct idiom_session *session, struct oclmm_error *error)
{
	const cl_uint turns = UINT32_MAX;

	return IDIOM_SET(session->progress, error, IDIOM_VALUE(session->poll),
	                 IDIOM_VALUE(session->patience), IDIOM_VALUE(turns));
}

static int run_progress(struct idiom_session *session, uint32_t patience, struct oclmm_error *error,
                        double *ret_seconds)
{
	uint32_t words[POLL_WORDS];
	double begun;
	int r = begin_poll(session, patience, error);

	if (r == 0)
		r = idiom_finish(session, error);
	begun = oclmm_clock();
	if (r == 0)
		r = set_progress(session, error);
	if (r == 0)
		r = idiom_enqueue(session, session->progress, (struct idiom_shape){1, 1}, error);
	if (r == 0)
		r = end_poll(session, words, error);
	*ret_seconds = oclmm_clock() - begun;
	return r;
}

/* One group waits for others that do not come: how long for each turn? */
static int measure_rate(struct idiom_session *session, struct oclmm_error *error)
{
	double seconds = 0;
	uint32_t patience = 1000;
	int r = run_progress(session, patience, error,
	                     &seconds); /* the first launch may take longer */

	while (r == 0) {
		r = run_progress(session, patience, error, &seconds);
		if (seconds > PATIENCE_SECONDS / 4 || patience >= CALIBRATION_MOST ||
		    (session->info->short_loops && patience * 8 > SHORT_TURNS))
			break;
		patience *= 8;
	}
	/* on a busy machine a launch may be interrupted for long: the fastest one tells */
	for (int i = 0; r == 0 && i < CALIBRATIONS; i++) {
		double again;

		r = run_progress(session, patience, error, &again);
		seconds = again < seconds ? again : seconds;
	}
	session->rate = patience / (seconds > 1e-6 ? seconds : 1e-6);
	return r;
}

static uint32_t turns_in(const struct idiom_session *session, double seconds)
{
	double turns = session->rate * seconds,
	       most = session->info->short_loops ? SHORT_TURNS : 2e9;

	return (uint32_t)(turns < 1000 ? 1000 : turns > most ? most : turns);
}

int idiom_calibrate(struct idiom_session *session, struct oclmm_error *error)
{
	int r = idiom_build(session, NULL, "progress.cl", 0, &session->progress_program, error);

	if (r == 0)
		r = oclmm_kernel_create(session->progress_program, "progress", error,
		                        &session->progress);
	if (r == 0)
		r = oclmm_kernel_create(session->progress_program, "together", error,
		                        &session->together);
	if (r == 0)
		r = measure_rate(session, error);
	if (r == 0)
		session->turns = turns_in(session, GIVE_UP_SECONDS);
	return r;
}

static int poll_once(struct idiom_session *session, struct idiom_shape shape, uint64_t *ret_groups,
                     struct oclmm_error *error)
{
	uint32_t words[POLL_WORDS];
	int r = begin_poll(session,
	                   turns_in(session, idiom_on_cpu(session) ? PATIENCE_CPU_SECONDS
	                                                           : PATIENCE_SECONDS),
	                   error);

	session->alive(session->alive_data);
	session->shape = shape;
	if (r == 0)
		r = session->actions->set_arguments
		            ? session->actions->set_arguments(session, error)
		            : set_progress(session, error);
	if (r == 0)
		r = idiom_enqueue(session,
		                  session->actions->set_arguments ? session->kernels[0]
		                                                  : session->progress,
		                  shape, error);
	if (r == 0)
		r = end_poll(session, words, error);
	session->patience = 0;
	if (r == 0 && words[POLL_GAVE_UP])
		r = oclmm_error_set(error, -ETIME, "the poll of the groups did not come to an end");
	if (r == 0)
		*ret_groups = words[POLL_COUNT];
	return r;
}

/*
 * The largest of a few polls: a group may begin late because the machine is
 * busy, but none is ever counted that did not run at the same time as the others.
 */
int idiom_poll(struct idiom_session *session, uint64_t group_size, uint64_t *ret_groups,
               struct oclmm_error *error)
{
	struct idiom_shape shape = {group_size,
	                            (uint64_t)session->info->compute_units * FIRST_GROUPS};
	uint64_t most = 0, groups = 0;

	for (int i = 0; i < POLLS; i++) {
		int r;

		do {
			r = poll_once(session, shape, &groups, error);
			if (r < 0)
				return r;
			/* all of them: there may be more */
		} while (groups == shape.groups && shape.groups < MOST_GROUPS &&
		         (shape.groups *= 4));
		most = groups > most ? groups : most;
		/* no more threads than processors: nothing larger will come */
		if (idiom_on_cpu(session) && most >= session->info->compute_units)
			break;
	}
	*ret_groups = most;
	return 0;
}

int idiom_together(struct idiom_session *session, uint64_t group_size, bool *ret_together,
                   struct oclmm_error *error)
{
	const cl_uint turns = turns_in(session, PATIENCE_SECONDS);
	const struct idiom_argument arguments[] = {IDIOM_VALUE(session->poll), IDIOM_VALUE(turns)};
	uint32_t words[POLL_WORDS];
	int r = begin_poll(session, 0, error);

	session->alive(session->alive_data);
	if (r == 0)
		r = idiom_set_arguments(session->together, arguments, OCLMM_COUNT(arguments),
		                        error);
	if (r == 0)
		r = idiom_enqueue(session, session->together, (struct idiom_shape){group_size, 1},
		                  error);
	if (r == 0)
		r = end_poll(session, words, error);
	if (r == 0)
		*ret_together = words[POLL_GAVE_UP] == 0 && words[POLL_COUNT] == group_size;
	return r;
}

int idiom_co_resident_groups(struct idiom_session *session, uint64_t wanted,
                             struct oclmm_error *error)
{
	uint64_t found, asked = session->request->groups;
	int r = idiom_poll(session, session->most.group_size, &found, error);

	if (r < 0)
		return r;
	session->result->co_resident = found;
	if (found == 0)
		return oclmm_error_set(error, -ETIME, "the poll of the groups counted none");
	if (asked != IDIOM_DEFAULT && asked > found)
		return oclmm_error_set(
			error, -EINVAL,
			"--groups %llu: only %llu groups of %llu run at the same time here, "
			"and these groups wait for each other",
			(unsigned long long)asked, (unsigned long long)found,
			(unsigned long long)session->most.group_size);
	return idiom_groups(session, wanted < found ? wanted : found, error);
}
