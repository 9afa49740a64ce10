// SPDX-License-Identifier: Apache-2.0
/* One launch: drawn, played by the executors of its roles, counted, read back. */
#include "internal.h"

#include <string.h>

/* `ret_counted` may be NULL. */
static int enqueue_count(struct oclmm_session *session, struct oclmm_slot *slot,
                         const struct oclmm_environment *environment,
                         const struct oclmm_parameters *p, cl_event *ret_counted,
                         struct oclmm_error *error)
{
	struct oclmm_arguments at = oclmm_count_arguments(session);
	cl_kernel count =
		session->kernels[0].texts[oclmm_text_of(environment, &session->plan)].count;
	uint32_t local, global = oclmm_counting_work_items(environment, p, &local);
	bool counts = !(environment->direct && session->plan.direct), restores = !counts;
	int r = oclmm_argument_set(count, at.counters, sizeof(cl_mem), &slot->counters, error);

	restores |= p->only_restore;
	if (r == 0)
		r = oclmm_argument_set(count, at.last, sizeof(cl_mem),
		                       restores ? &session->restored.words : &slot->raw, error);
	if (r == 0)
		r = oclmm_argument_set(count, at.parameters, sizeof(*p), p, error);
	if (r < 0)
		return r;
	if (restores)
		oclmm_restored_note(&session->restored, p, global);
	/* where the roles count themselves */
	oclmm_tickets_counted(&slot->tickets, global / local, counts ? 0 : local, p->salt);
	return oclmm_kernel_enqueue(oclmm_device_queue(session->device), count, 1,
	                            &(size_t){global}, &(size_t){local}, ret_counted, error);
}

/* Who is not on the device's queue may begin only when nothing there uses the instances any more.
 */
static int drain(const struct oclmm_session *session, struct oclmm_error *error)
{
	if (session->part_count == 1)
		return 0;
	return OCLMM_CL_CALL(error, clFinish, oclmm_device_queue(session->device));
}

static int play(const struct oclmm_session *session, const struct oclmm_environment *environment,
                struct oclmm_slot *slot, struct oclmm_parameters *parameters,
                struct oclmm_error *error)
{
	struct oclmm_range range;
	const struct oclmm_launch launch = {environment, parameters, slot, &range};
	int r = drain(session, error);

	oclmm_range_of(session, environment, parameters, &range);
	parameters->shape = oclmm_launch_shape(range.global, range.local);
	return r < 0 ? r : oclmm_parts_play(session->parts, session->part_count, &launch, error);
}

static int initialise(struct oclmm_session *session, const struct oclmm_environment *environment,
                      struct oclmm_slot *slot, struct oclmm_error *error)
{
	struct oclmm_parameters p;

	oclmm_draw(environment, session->program, &session->plan, 0, &p);
	p.only_restore = 1;
	return enqueue_count(session, slot, environment, &p, NULL, error);
}

int oclmm_launch_warm(struct oclmm_session *session, const struct oclmm_environment *environment,
                      struct oclmm_error *error)
{
	struct oclmm_parameters p;

	oclmm_draw(environment, session->program, &session->plan, 0, &p);
	p.rounds = 0;
	p.pre_stress = p.stress = 0;
	return play(session, environment, &session->slots[0], &p, error);
}

static int look(struct oclmm_session *session, const struct oclmm_environment *environment,
                struct oclmm_slot *slot, const struct oclmm_parameters *p,
                struct oclmm_error *error)
{
	struct oclmm_parameters before = *p;

	if (!p->looks)
		return 0;
	before.only_restore = 1;
	before.initials = oclmm_initials(session->program);
	return enqueue_count(session, slot, environment, &before, NULL, error);
}

/* Equal seeds must give equal launches; the hash is how one sees that they did. */
static void note_stimulus(struct oclmm_session *session, const struct oclmm_parameters *p)
{
	struct {
		uint64_t before;
		struct oclmm_parameters parameters;
	} link;

	memset(&link, 0, sizeof(link));
	link.before = session->stimulus;
	link.parameters = *p;
	session->stimulus = oclmm_hash(&link, sizeof(link));
}

/* A launch without an event would never be counted. */
static int enqueue_read(const struct oclmm_session *session, struct oclmm_slot *slot,
                        cl_command_queue queue, const cl_event *counted, struct oclmm_error *error)
{
	size_t buckets = (size_t)session->plan.outcomes + OCLMM_BUCKET_COUNT;
	cl_int code = clEnqueueReadBuffer(queue, slot->counters, CL_FALSE, 0,
	                                  buckets * sizeof(*slot->counts), slot->counts, !!counted,
	                                  counted, &slot->done);

	return oclmm_cl_made(error, "clEnqueueReadBuffer", slot->done, code);
}

/* In a queue of its own, so that the next launch does not wait for the copy: a GPU's driver takes
 * longer over it than the kernels take to follow each other. */
static int count_and_read(struct oclmm_session *session, struct oclmm_slot *slot,
                          const struct oclmm_environment *environment,
                          const struct oclmm_parameters *p, struct oclmm_error *error)
{
	cl_command_queue queue = oclmm_device_queue(session->device);
	cl_event counted = NULL;
	int r = enqueue_count(session, slot, environment, p, session->reading ? &counted : NULL,
	                      error);

	if (r == 0 && counted)
		r = OCLMM_CL_CALL(error, clFlush, queue);
	if (r == 0)
		r = enqueue_read(session, slot, counted ? session->reading : queue,
		                 counted ? &counted : NULL, error);
	if (r == 0)
		r = OCLMM_CL_CALL(error, clFlush, counted ? session->reading : queue);
	if (counted)
		clReleaseEvent(counted);
	return r;
}

static int launch(struct oclmm_session *session, const struct oclmm_environment *environment,
                  struct oclmm_slot *slot, uint64_t number, struct oclmm_error *error)
{
	uint64_t key = oclmm_random(session->request->seed, number);
	size_t buckets = (size_t)session->plan.outcomes + OCLMM_BUCKET_COUNT;
	struct oclmm_parameters p;
	int r;

	oclmm_draw(environment, session->program, &session->plan, key, &p);
	r = oclmm_parameters_check(&p, session->program, &session->plan, error);
	if (r < 0)
		return r;
	note_stimulus(session, &p);
	p.looks = oclmm_draw_look(key, number);
	/* neighbours are far apart in each byte */
	p.salt = session->salt + (uint32_t)number * 0x9e3779b1u;
	slot->number = number;
	slot->instances = oclmm_environment_instances(environment);
	slot->queued = oclmm_clock();
	p.other_before = slot->before[session->plan.outcomes + OCLMM_BUCKET_OTHER];
	memset(slot->counts, OCLMM_POISON, buckets * sizeof(*slot->counts));
	oclmm_scratch_note(session, &p);
	r = oclmm_side_queue(session, environment, &p, slot, error);
	if (r == 0)
		r = look(session, environment, slot, &p, error);
	if (r == 0)
		r = play(session, environment, slot, &p, error);
	if (r == 0)
		r = count_and_read(session, slot, environment, &p, error);
	session->queued += slot->instances;
	return r;
}

const struct oclmm_playing oclmm_playing_roles = {.initialise = initialise, .launch = launch};
