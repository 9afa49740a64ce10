// SPDX-License-Identifier: Apache-2.0
/*
 * How many groups run at the same time, and how long a wait is: asked by programs whose groups wait
 * for each other, and a program by itself. The protocol stands in litmus/idiom/common.cl.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>

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

static int begin_poll(struct idiom_session *session, uint32_t patience)
{
	session->patience = patience;
	session->begun = session->ended = 0;
	return idiom_fill(session, session->poll, 0, POLL_WORDS);
}

static int end_poll(struct idiom_session *session, uint32_t *words)
{
	int r = idiom_finish(session);

	session->patience = 0;
	if (r == 0)
		r = idiom_read(session, session->poll, words, POLL_WORDS * sizeof(*words));
	return r;
}

static int set_progress(struct idiom_session *session)
{
	const cl_uint turns = UINT32_MAX;

	return IDIOM_SET(session, session->progress, IDIOM_VALUE(session->poll),
	                 IDIOM_VALUE(session->patience), IDIOM_VALUE(turns));
}

static int run_progress(struct idiom_session *session, uint32_t patience, double *ret_seconds)
{
	uint32_t words[POLL_WORDS];
	double begun;
	int r = begin_poll(session, patience);

	if (r == 0)
		r = idiom_finish(session);
	begun = oclmm_clock();
	if (r == 0)
		r = set_progress(session);
	if (r == 0)
		r = idiom_enqueue(session, session->progress, (struct idiom_shape){1, 1});
	if (r == 0)
		r = end_poll(session, words);
	*ret_seconds = oclmm_clock() - begun;
	return r;
}

/* One group waits for others that do not come: how long for each turn? */
static int measure_rate(struct idiom_session *session)
{
	double seconds = 0;
	uint32_t patience = 1000;
	int r = run_progress(session, patience, &seconds); /* the first launch may take longer */

	while (r == 0) {
		r = run_progress(session, patience, &seconds);
		if (seconds > PATIENCE_SECONDS / 4 || patience >= CALIBRATION_MOST ||
		    (session->info->short_loops && patience * 8 > SHORT_TURNS))
			break;
		patience *= 8;
	}
	/* on a busy machine a launch may be interrupted for long: the fastest one tells */
	for (int i = 0; r == 0 && i < CALIBRATIONS; i++) {
		double again;

		r = run_progress(session, patience, &again);
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

int idiom_calibrate(struct idiom_session *session)
{
	int r = idiom_build(session, NULL, "progress.cl", 0, &session->progress_program);

	if (r == 0)
		r = oclmm_kernel_create(session->progress_program, "progress", session->error,
		                        &session->progress);
	if (r == 0)
		r = oclmm_kernel_create(session->progress_program, "together", session->error,
		                        &session->together);
	if (r == 0)
		r = measure_rate(session);
	if (r == 0)
		session->turns = turns_in(session, GIVE_UP_SECONDS);
	return r;
}

static int poll_once(struct idiom_session *session, struct idiom_shape shape, uint64_t *ret_groups)
{
	uint32_t words[POLL_WORDS];
	int r = begin_poll(session, turns_in(session, idiom_on_cpu(session) ? PATIENCE_CPU_SECONDS
	                                                                    : PATIENCE_SECONDS));

	session->alive(session->alive_data);
	session->shape = shape;
	if (r == 0)
		r = session->actions->set_arguments ? session->actions->set_arguments(session)
		                                    : set_progress(session);
	if (r == 0)
		r = idiom_enqueue(session,
		                  session->actions->set_arguments ? session->kernels[0]
		                                                  : session->progress,
		                  shape);
	if (r == 0)
		r = end_poll(session, words);
	session->patience = 0;
	if (r == 0 && words[POLL_GAVE_UP])
		r = oclmm_error_set(session->error, -ETIME,
		                    "the poll of the groups did not come to an end");
	if (r == 0)
		*ret_groups = words[POLL_COUNT];
	return r;
}

/*
 * The largest of a few polls: a group may begin late because the machine is
 * busy, but none is ever counted that did not run at the same time as the others.
 */
static int poll_groups(struct idiom_session *session, uint64_t group_size, uint64_t *ret_groups)
{
	struct idiom_shape shape = {group_size,
	                            (uint64_t)session->info->compute_units * FIRST_GROUPS};
	uint64_t most = 0, groups = 0;

	for (int i = 0; i < POLLS; i++) {
		int r;

		do {
			r = poll_once(session, shape, &groups);
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

int idiom_together(struct idiom_session *session, uint64_t group_size, bool *ret_together)
{
	const cl_uint turns = turns_in(session, PATIENCE_SECONDS);
	const struct idiom_argument arguments[] = {IDIOM_VALUE(session->poll), IDIOM_VALUE(turns)};
	uint32_t words[POLL_WORDS];
	int r = begin_poll(session, 0);

	session->alive(session->alive_data);
	if (r == 0)
		r = idiom_set_arguments(session->together, arguments, OCLMM_COUNT(arguments),
		                        session->error);
	if (r == 0)
		r = idiom_enqueue(session, session->together, (struct idiom_shape){group_size, 1});
	if (r == 0)
		r = end_poll(session, words);
	if (r == 0)
		*ret_together = words[POLL_GAVE_UP] == 0 && words[POLL_COUNT] == group_size;
	return r;
}

int idiom_co_resident_groups(struct idiom_session *session, uint64_t wanted)
{
	uint64_t found, asked = session->request->groups;
	int r = poll_groups(session, session->most.group_size, &found);

	if (r < 0)
		return r;
	session->result->co_resident = found;
	if (found == 0)
		return oclmm_error_set(session->error, -ETIME,
		                       "the poll of the groups counted none");
	if (asked != IDIOM_DEFAULT && asked > found)
		return IDIOM_REFUSE(
			session,
			"--groups %llu: only %llu groups of %llu run at the same time here, "
			"and these groups wait for each other",
			(unsigned long long)asked, (unsigned long long)found,
			(unsigned long long)session->most.group_size);
	return idiom_groups(session, wanted < found ? wanted : found);
}

/* ---- the probe by itself; and, as published, an experiment that hangs when groups are not enough
 */

enum { WORDS };

/* Of the experiment: the group that raises the flag, and how many there are. */
enum { SIGNALLER = 10000, LAUNCHED = 16384 };

static const uint64_t GROUP_SIZES[] = {1, 32, 64, 128, 256, 512, 1024, 4096};

static int probe(struct idiom_session *session)
{
	struct idiom_row *row = &session->result->rows[session->result->row_count];
	int r = poll_groups(session, session->most.group_size, &row->groups);

	row->group_size = session->most.group_size;
	if (r == 0)
		r = idiom_together(session, row->group_size, &row->together);
	if (r == 0)
		session->result->row_count++;
	return r;
}

static int probe_all(struct idiom_session *session)
{
	uint64_t most;
	int r = idiom_group_size(session, 0, 0);

	if (r < 0 || session->request->group_size != IDIOM_DEFAULT)
		return r < 0 ? r : probe(session);
	most = session->most.group_size;
	for (size_t i = 0; r == 0 && i < OCLMM_COUNT(GROUP_SIZES) && GROUP_SIZES[i] < most; i++) {
		session->most.group_size = GROUP_SIZES[i];
		r = probe(session);
	}
	session->most.group_size = most;
	return r == 0 ? probe(session) : r;
}

/* What the numbers mean for the staged reduction: its early groups wait for later ones. */
static void judge_staged(struct idiom_session *session, const struct idiom_row *row)
{
	uint64_t groups = (UINT64_C(8) << 20) / row->group_size;
	uint64_t waiting = (groups + row->group_size - 1) / row->group_size;

	if (row->group_size == 1)
		return;
	snprintf(session->result->note, sizeof(session->result->note),
	         "the staged reduction of 8 Mi elements as published has %llu groups of %llu, of "
	         "which %llu "
	         "wait "
	         "for later ones: %s",
	         (unsigned long long)groups, (unsigned long long)row->group_size,
	         (unsigned long long)waiting,
	         row->groups >= groups ? "safe here, all run at the same time"
	         : row->groups > waiting
	                 ? "it ends here if a free place goes to any group that has not begun"
	                 : "not safe here");
}

static int run_probe(struct idiom_session *session)
{
	uint64_t asked = session->request->groups;
	const struct idiom_row *last;
	int r = probe_all(session);

	if (r < 0)
		return r;
	last = &session->result->rows[session->result->row_count - 1];
	session->result->co_resident = last->groups;
	session->result->group_size = last->group_size;
	if (asked != IDIOM_DEFAULT && asked > last->groups)
		return IDIOM_REFUSE(
			session,
			"--groups %llu: only %llu groups of %llu run at the same time here",
			(unsigned long long)asked, (unsigned long long)last->groups,
			(unsigned long long)last->group_size);
	judge_staged(session, last);
	session->result->end = IDIOM_RIGHT;
	return 0;
}

static int make_buffer(struct idiom_session *session)
{
	int r = idiom_buffer(session, WORDS, 2 * sizeof(cl_uint));

	if (r == 0)
		r = idiom_fill(session, session->buffers[WORDS], 0, 2);
	return r == 0 ? idiom_finish(session) : r;
}

/* Each group adds 1 to the first word behind its wait. */
static int count_ended(struct idiom_session *session)
{
	uint32_t count = 0;
	int r = idiom_read(session, session->buffers[WORDS], &count, 4);

	if (r == 0 && count != session->most.groups)
		r = oclmm_error_set(session->error, -ETIME, "%u of %llu groups ended", count,
		                    (unsigned long long)session->most.groups);
	return r;
}

static int choose_experiment(struct idiom_session *session, cl_int *ret_waiters)
{
	uint64_t asked = session->request->groups;
	int r;

	if (asked != IDIOM_DEFAULT && asked > SIGNALLER)
		return IDIOM_REFUSE(session,
		                    "--groups %llu: group %d raises the flag, so at most that "
		                    "many can wait for it",
		                    (unsigned long long)asked, SIGNALLER);
	/* the text's first try; its second is twice the compute units */
	*ret_waiters = asked == IDIOM_DEFAULT ? (cl_int)(session->info->compute_units * 3 / 2)
	                                      : (cl_int)asked;
	r = idiom_group_size(session, 0, 0);
	return r == 0 ? idiom_groups_of(session, LAUNCHED) : r;
}

/* `waiters` groups wait for a late one of many. */
static int run_experiment(struct idiom_session *session)
{
	cl_int waiters;
	int r = choose_experiment(session, &waiters);

	if (r == 0)
		r = make_buffer(session);
	if (r == 0) {
		const struct idiom_argument arguments[] = {
			IDIOM_VALUE(session->buffers[WORDS]),
			IDIOM_VALUE(waiters),
		};

		r = idiom_set_arguments(session->kernels[0], arguments, OCLMM_COUNT(arguments),
		                        session->error);
	}
	if (r < 0)
		return r;
	session->result->group_size = session->most.group_size;
	session->result->groups = session->most.groups;
	snprintf(session->result->note, sizeof(session->result->note),
	         "the first %d groups wait for group %d of %llu", waiters, SIGNALLER,
	         (unsigned long long)session->most.groups);
	session->result->launched = true;
	session->alive(session->alive_data);
	r = idiom_enqueue(session, session->kernels[0], session->most);
	if (r == 0)
		r = idiom_finish(session);
	session->result->kernel = (double)(session->ended - session->begun) * 1e-9;
	session->result->end = IDIOM_RIGHT;
	return r == 0 ? count_ended(session) : r;
}

static const struct idiom_actions progress = {
	.file = "progress.cl",
	.kernels = {"progress"},
	.run = run_probe,
};
static const struct idiom_actions experiment = {
	.file = "progress-published.cl",
	.kernels = {"progress"},
	.waiting =
		"the waiting groups take all places, and the one that they wait for never begins",
	.run = run_experiment,
};
const struct idiom_program idiom_progress = {
	.name = "progress",
	.summary = "how many work-groups run at the same time on this device",
	.published = "--groups groups wait for group 10,000 of a launch",
	.repaired = &progress,
	.as_published = &experiment,
};
