// SPDX-License-Identifier: Apache-2.0
/*
 * Stress outside the test: launches in a second queue that do nothing else,
 * and whether stress of either kind reaches its scratch area.
 */
#include "internal.h"

#include <errno.h>
#include <string.h>

static bool is_over(cl_event event)
{
	cl_int status = CL_QUEUED;

	/* a negative status is an error, and no less the end */
	return clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
	                      NULL) != CL_SUCCESS ||
	       status <= CL_COMPLETE;
}

/* The word of a scratch area that the first stressing work-item stores in. */
static uint32_t marked_word(const struct oclmm_parameters *p, uint32_t place)
{
	return (place & (p->stress_lines - 1)) * p->stress_stride;
}

int oclmm_side_queue(struct oclmm_session *session, const struct oclmm_environment *environment,
                     const struct oclmm_parameters *parameters, struct oclmm_slot *slot,
                     struct oclmm_error *error)
{
	size_t local = parameters->width, global = (size_t)environment->queue_groups * local;
	struct oclmm_parameters p = *parameters;
	cl_command_queue queue;
	int r;

	if (environment->queue_groups == 0 || (slot->side && !is_over(slot->side)))
		return 0;
	if (slot->side)
		clReleaseEvent(slot->side);
	slot->side = NULL;
	r = oclmm_device_second_queue(session->device, error, &queue);
	if (r < 0)
		return r;
	p.stress = environment->queue_stress;
	r = oclmm_argument_set(session->side, 1, sizeof(p), &p, error);
	if (r == 0)
		r = oclmm_kernel_enqueue(queue, session->side, 1, &global, &local, &slot->side,
		                         error);
	if (r == 0)
		r = OCLMM_CL_CALL(error, clFlush, queue);
	if (r == 0 && p.stress > 0 && p.stress_pattern > 0) {
		session->has_side_stressed = true;
		session->side_stressed = marked_word(&p, 0);
	}
	return r;
}

void oclmm_side_finish(struct oclmm_session *session)
{
	struct oclmm_error ignored;
	cl_command_queue queue;

	if (session->side && oclmm_device_second_queue(session->device, &ignored, &queue) == 0)
		clFinish(queue);
	for (int i = 0; i < OCLMM_SLOTS; i++) {
		if (session->slots[i].side)
			clReleaseEvent(session->slots[i].side);
		session->slots[i].side = NULL;
	}
}

void oclmm_scratch_note(struct oclmm_session *session, const struct oclmm_parameters *p)
{
	bool beside = p->stress > 0 && p->all_groups > p->places;

	if (p->stress_pattern == 0 || !(beside || p->pre_stress > 0))
		return;
	session->has_stressed = true;
	session->stressed = marked_word(p, beside ? p->places : 0);
}

int oclmm_scratch_judge(const uint32_t *mark, const uint32_t *guard, struct oclmm_error *error)
{
	if (mark && *mark == 0)
		return oclmm_error_set(error, -ERANGE, "stress does not reach its scratch area");
	for (int i = 0; i < OCLMM_GUARD; i++)
		if (guard[i] != 0)
			return oclmm_error_set(error, -ERANGE,
			                       "stress stored past the end of its scratch area");
	return 0;
}

static int read_words(struct oclmm_session *session, cl_mem scratch, uint64_t first, uint32_t count,
                      uint32_t *words, struct oclmm_error *error)
{
	return OCLMM_CL_CALL(error, clEnqueueReadBuffer, oclmm_device_queue(session->device),
	                     scratch, CL_TRUE, (size_t)first * 4, (size_t)count * 4, words, 0, NULL,
	                     NULL);
}

static int check_area(struct oclmm_session *session, cl_mem scratch, bool marked, uint32_t word,
                      struct oclmm_error *error)
{
	uint32_t mark = 0, guard[OCLMM_GUARD];
	int r;

	memset(guard, OCLMM_POISON, sizeof(guard));
	r = read_words(session, scratch, session->scratch_words, OCLMM_GUARD, guard, error);

	if (r == 0 && marked)
		r = read_words(session, scratch, word, 1, &mark, error);
	return r < 0 ? r : oclmm_scratch_judge(marked ? &mark : NULL, guard, error);
}

int oclmm_scratch_check(struct oclmm_session *session, struct oclmm_error *error)
{
	int r = 0;

	/* without stress nothing is stored, and nothing need be read */
	if (session->has_stressed)
		r = check_area(session, session->scratch, true, session->stressed, error);
	if (r == 0 && session->has_side_stressed) {
		oclmm_side_finish(session);
		r = check_area(session, session->side_scratch, true, session->side_stressed, error);
	}
	return r;
}
