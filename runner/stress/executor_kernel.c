// SPDX-License-Identifier: Apache-2.0
/* The executor of roles that a kernel plays, on an in-order queue of its own. */
#include "internal.h"

#include <errno.h>
#include <string.h>

/* Local objects: one per lane. */
static int set_local(struct oclmm_session *session, cl_kernel kernel, uint32_t lanes,
                     struct oclmm_error *error)
{
	cl_uint index = oclmm_count_buffers(session->program);
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->program->location_count; i++) {
		const struct oclmm_location *l = &session->program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL)
			r = oclmm_argument_set(kernel, index++,
			                       (size_t)lanes * l->elements *
			                               (oclmm_type_bits(l->type) / 8),
			                       NULL, error);
	}
	return r;
}

static int enqueue(struct oclmm_kernel_part *part, cl_kernel kernel,
                   const struct oclmm_launch *launch, struct oclmm_error *error)
{
	const struct oclmm_session *session = part->session;
	const struct oclmm_range *range = launch->range;
	int r = oclmm_kernel_enqueue_at(part->queue, kernel, range->dimensions, range->offset,
	                                range->global, range->local,
	                                part->number > 0 ? &part->done : NULL, error);

	/* others wait for it to begin */
	if (r == 0 && session->part_count > 1)
		r = OCLMM_CL_CALL(error, clFlush, part->queue);
	return r;
}

static int start(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_kernel_part *part = data;
	struct oclmm_session *session = part->session;
	struct oclmm_arguments at = oclmm_test_arguments(session);
	unsigned text = oclmm_text_of(launch->environment, &session->plan);
	const struct oclmm_parameters *p = launch->parameters;
	struct oclmm_slot *slot = launch->slot;
	cl_kernel test = part->texts[text].test;
	int r = set_local(session, test, p->lanes, error);

	if (r == 0)
		r = oclmm_argument_set(test, at.counters, sizeof(cl_mem), &slot->counters, error);
	if (r == 0 && (text & OCLMM_TEXT_DIRECT))
		r = oclmm_argument_set(test, at.results, sizeof(cl_mem), &slot->raw, error);
	if (r == 0)
		r = oclmm_argument_set(test, at.parameters, sizeof(*p), p, error);
	if (r < 0)
		return r;
	oclmm_tickets_tested(&slot->tickets, part->texts[text].mark, p->salt);
	return enqueue(part, test, launch, error);
}

/*
 * Runtimes of CPUs let threads that wait execute what they wait for, and Intel's has no other for a
 * part of a device: the kernels of two parts run at the same time only if two threads wait.
 */
static void *wait_for(void *data)
{
	struct oclmm_kernel_part *part = data;

	part->waited = clWaitForEvents(1, &part->done);
	return NULL;
}

static int start_other(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_kernel_part *part = data;
	struct oclmm_session *session = part->session;
	unsigned text = oclmm_text_of(launch->environment, &session->plan);
	const struct oclmm_parameters *p = launch->parameters;
	cl_kernel test = part->texts[text].test;
	int r = set_local(session, test, p->lanes, error), code;

	if (r == 0)
		r = oclmm_argument_set(test, oclmm_test_arguments(session).parameters, sizeof(*p),
		                       p, error);
	if (r == 0)
		r = enqueue(part, test, launch, error);
	if (r < 0)
		return r;
	code = pthread_create(&part->waiting, NULL, wait_for, part);
	return code == 0 ? 0 : oclmm_error_set(error, -EAGAIN, "no thread: %s", strerror(code));
}

/* The counting kernel asks only the first kernel's work-items whether they played. */
static int check_played(struct oclmm_kernel_part *part, const struct oclmm_launch *launch,
                        struct oclmm_error *error)
{
	const struct oclmm_parameters *p = launch->parameters;
	unsigned text = oclmm_text_of(launch->environment, &part->session->plan);
	const uint32_t wanted = OCLMM_POISON_WORD + (p->rounds ^ part->texts[text].mark) + p->salt;
	uint32_t missing = 0;
	int r = oclmm_played_take(part, error);

	for (uint32_t i = 0; r == 0 && i < p->places * p->width; i++)
		missing += part->seen[i] != wanted;
	if (r < 0 || missing == 0)
		return r;
	return oclmm_error_set(error, -ERANGE,
	                       "launch %llu: %u work-items of kernel %u did not play all their "
	                       "rounds, once",
	                       (unsigned long long)launch->slot->number, missing, part->number);
}

static int join_other(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_kernel_part *part = data;
	int code = pthread_join(part->waiting, NULL), r;

	if (code != 0)
		return oclmm_error_set(error, -EIO, "pthread_join: %s", strerror(code));
	r = oclmm_cl_check(error, "clWaitForEvents", part->waited);
	clReleaseEvent(part->done);
	part->done = NULL;
	return r < 0 ? r : check_played(part, launch, error);
}

/* What counts is queued behind it on the same in-order queue; one that meets others is waited for
 * as they are. */
static int join(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_kernel_part *part = data;

	(void)launch;
	if (part->session->plan.kernels == 1)
		return 0;
	return OCLMM_CL_CALL(error, clFinish, part->queue);
}

const struct oclmm_executor oclmm_executor_kernel = {.start = start, .join = join};
const struct oclmm_executor oclmm_executor_other_kernel = {
	.start = start_other,
	.join = join_other,
};
