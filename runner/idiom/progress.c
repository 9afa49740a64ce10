// SPDX-License-Identifier: Apache-2.0
/*
 * The probe by itself: how many work-groups of several sizes run at the same
 * time; and, as published, an experiment that hangs when they are not enough.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>

enum { WORDS };

/* Of the experiment: the group that raises the flag, and how many there are. */
enum { SIGNALLER = 10000, LAUNCHED = 16384 };

static const uint64_t GROUP_SIZES[] = {1, 32, 64, 128, 256, 512, 1024, 4096};

static int probe(struct idiom_session *session, struct oclmm_error *error)
{
	struct idiom_row *row = &session->result->rows[session->result->row_count];
	int r = idiom_poll(session, session->most.group_size, &row->groups, error);

	row->group_size = session->most.group_size;
	if (r == 0)
		r = idiom_together(session, row->group_size, &row->together, error);
	if (r == 0)
		session->result->row_count++;
	return r;
}

static int probe_all(struct idiom_session *session, struct oclmm_error *error)
{
	uint64_t most;
	int r = idiom_group_size(session, 0, 0, error);

	if (r < 0 || session->request->group_size != IDIOM_DEFAULT)
		return r < 0 ? r : probe(session, error);
	most = session->most.group_size;
	for (size_t i = 0; r == 0 && i < OCLMM_COUNT(GROUP_SIZES) && GROUP_SIZES[i] < most; i++) {
		session->most.group_size = GROUP_SIZES[i];
		r = probe(session, error);
	}
	session->most.group_size = most;
	return r == 0 ? probe(session, error) : r;
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

static int run_probe(struct idiom_session *session, struct oclmm_error *error)
{
	uint64_t asked = session->request->groups;
	const struct idiom_row *last;
	int r = probe_all(session, error);

	if (r < 0)
		return r;
	last = &session->result->rows[session->result->row_count - 1];
	session->result->co_resident = last->groups;
	session->result->group_size = last->group_size;
	if (asked != IDIOM_DEFAULT && asked > last->groups)
		return oclmm_error_set(
			error, -EINVAL,
			"--groups %llu: only %llu groups of %llu run at the same time here",
			(unsigned long long)asked, (unsigned long long)last->groups,
			(unsigned long long)last->group_size);
	judge_staged(session, last);
	session->result->end = IDIOM_RIGHT;
	return 0;
}

static int make_buffer(struct idiom_session *session, struct oclmm_error *error)
{
	int r = idiom_buffer(session, WORDS, 2 * sizeof(cl_uint), error);

	if (r == 0)
		r = idiom_fill(session, session->buffers[WORDS], 0, 2, error);
	return r == 0 ? idiom_finish(session, error) : r;
}

/* Each group adds 1 to the first word behind its wait. */
static int count_ended(struct idiom_session *session, struct oclmm_error *error)
{
	uint32_t count = 0;
	int r = idiom_read(session, session->buffers[WORDS], &count, 4, error);

	if (r == 0 && count != session->most.groups)
		r = oclmm_error_set(error, -ETIME, "%u of %llu groups ended", count,
		                    (unsigned long long)session->most.groups);
	return r;
}

static int choose_experiment(struct idiom_session *session, struct oclmm_error *error,
                             cl_int *ret_waiters)
{
	uint64_t asked = session->request->groups;
	int r;

	if (asked != IDIOM_DEFAULT && asked > SIGNALLER)
		return oclmm_error_set(error, -EINVAL,
		                       "--groups %llu: group %d raises the flag, so at most that "
		                       "many can wait for it",
		                       (unsigned long long)asked, SIGNALLER);
	/* the text's first try; its second is twice the compute units */
	*ret_waiters = asked == IDIOM_DEFAULT ? (cl_int)(session->info->compute_units * 3 / 2)
	                                      : (cl_int)asked;
	r = idiom_group_size(session, 0, 0, error);
	return r == 0 ? idiom_groups_of(session, LAUNCHED, error) : r;
}

/* `waiters` groups wait for a late one of many. */
static int run_experiment(struct idiom_session *session, struct oclmm_error *error)
{
	cl_int waiters;
	int r = choose_experiment(session, error, &waiters);

	if (r == 0)
		r = make_buffer(session, error);
	if (r == 0) {
		const struct idiom_argument arguments[] = {
			IDIOM_VALUE(session->buffers[WORDS]),
			IDIOM_VALUE(waiters),
		};

		r = idiom_set_arguments(session->kernels[0], arguments, OCLMM_COUNT(arguments),
		                        error);
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
	r = idiom_enqueue(session, session->kernels[0], session->most, error);
	if (r == 0)
		r = idiom_finish(session, error);
	session->result->kernel = (double)(session->ended - session->begun) * 1e-9;
	session->result->end = IDIOM_RIGHT;
	return r == 0 ? count_ended(session, error) : r;
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
