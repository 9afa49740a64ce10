// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <string.h>

/* Argument numbers of the two kernels, after the locations (oclmm/codegen.h). */
struct arguments {
	cl_uint codes, results, counters, played, meeting, last, parameters;
};

static uint32_t count_locations(const struct oclmm_program *program, enum oclmm_space space)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < program->location_count; i++)
		n += program->locations[i].space == space;
	return n;
}

static struct arguments arguments_after(uint32_t n)
{
	return (struct arguments){n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6};
}

static struct arguments test_arguments(const struct oclmm_session *session)
{
	return arguments_after(session->program->location_count);
}

static struct arguments count_arguments(const struct oclmm_session *session)
{
	return arguments_after(count_locations(session->program, OCLMM_SPACE_GLOBAL));
}

static int set(cl_kernel kernel, cl_uint index, size_t size, const void *value,
               struct oclmm_error *error)
{
	return oclmm_cl_check(error, "clSetKernelArg", clSetKernelArg(kernel, index, size, value));
}

static int set_locations(struct oclmm_session *session, cl_kernel kernel, struct oclmm_error *error)
{
	cl_uint index = 0;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->program->location_count; i++) {
		const struct oclmm_location *l = &session->program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL)
			continue;
		if (l->storage == OCLMM_STORAGE_SVM_ATOMICS)
			r = oclmm_cl_check(error, "clSetKernelArgSVMPointer",
			                   clSetKernelArgSVMPointer(kernel, index, session->svm));
		else
			r = set(kernel, index, sizeof(cl_mem), &session->memory, error);
		index++;
	}
	return r;
}

static int set_common(struct oclmm_session *session, cl_kernel kernel, struct arguments at,
                      struct oclmm_error *error)
{
	int r = set(kernel, at.codes, sizeof(cl_mem), &session->codes, error);

	if (r == 0)
		r = set(kernel, at.results, sizeof(cl_mem), &session->results, error);
	if (r == 0)
		r = set(kernel, at.played, sizeof(cl_mem), &session->played, error);
	if (r == 0)
		r = set(kernel, at.meeting, sizeof(cl_mem), &session->meeting, error);
	return r;
}

static int set_kernels(struct oclmm_session *session, const struct oclmm_kernels *kernels,
                       struct oclmm_error *error)
{
	struct arguments test = test_arguments(session), count = count_arguments(session);
	int r = set_locations(session, kernels->test, error);

	if (r == 0)
		r = set_locations(session, kernels->count, error);
	if (r == 0)
		r = set_common(session, kernels->test, test, error);
	if (r == 0)
		r = set_common(session, kernels->count, count, error);
	if (r == 0)
		r = set(kernels->test, test.last, sizeof(cl_mem), &session->scratch, error);
	return r;
}

int oclmm_arguments_set(struct oclmm_session *session, struct oclmm_error *error)
{
	int r = 0;

	for (int i = 0; r == 0 && i < OCLMM_TEXTS; i++)
		if (session->kernels[i].test)
			r = set_kernels(session, &session->kernels[i], error);
	if (r == 0 && session->side)
		r = set(session->side, 0, sizeof(cl_mem), &session->side_scratch, error);
	return r;
}

/* Local objects: one per lane. */
static int set_local(struct oclmm_session *session, cl_kernel kernel, uint32_t lanes,
                     struct oclmm_error *error)
{
	cl_uint index = count_locations(session->program, OCLMM_SPACE_GLOBAL);
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->program->location_count; i++) {
		const struct oclmm_location *l = &session->program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL)
			r = set(kernel, index++,
			        (size_t)lanes * l->elements * (oclmm_type_bits(l->type) / 8), NULL,
			        error);
	}
	return r;
}

static int enqueue(struct oclmm_session *session, cl_kernel kernel, size_t global, size_t local,
                   struct oclmm_error *error)
{
	return oclmm_cl_check(error, "clEnqueueNDRangeKernel",
	                      clEnqueueNDRangeKernel(oclmm_device_queue(session->device), kernel, 1,
	                                             NULL, &global, &local, 0, NULL, NULL));
}

/* A folded group has a row for each sub-group. */
static int enqueue_folded(struct oclmm_session *session, cl_kernel kernel,
                          const struct oclmm_parameters *p, struct oclmm_error *error)
{
	const size_t global[] = {(size_t)p->all_groups * p->sub_lanes, p->sub_groups};
	const size_t local[] = {p->sub_lanes, p->sub_groups};

	return oclmm_cl_check(error, "clEnqueueNDRangeKernel",
	                      clEnqueueNDRangeKernel(oclmm_device_queue(session->device), kernel, 2,
	                                             NULL, global, local, 0, NULL, NULL));
}

static int enqueue_test(struct oclmm_session *session, struct oclmm_slot *slot,
                        const struct oclmm_environment *environment,
                        const struct oclmm_parameters *p, struct oclmm_error *error)
{
	struct arguments at = test_arguments(session);
	unsigned text = oclmm_text_of(environment, &session->plan);
	cl_kernel test = session->kernels[text].test;
	int r = set_local(session, test, p->lanes, error);

	if (r == 0)
		r = set(test, at.counters, sizeof(cl_mem), &slot->counters, error);
	if (r == 0 && (text & OCLMM_TEXT_DIRECT))
		r = set(test, at.results, sizeof(cl_mem), &slot->raw, error);
	if (r == 0)
		r = set(test, at.parameters, sizeof(*p), p, error);
	if (r < 0)
		return r;
	slot->tested++;
	if (session->folded[environment - session->environments])
		return enqueue_folded(session, test, p, error);
	return enqueue(session, test, (size_t)p->all_groups * p->width, p->width, error);
}

static int enqueue_count(struct oclmm_session *session, struct oclmm_slot *slot,
                         const struct oclmm_environment *environment,
                         const struct oclmm_parameters *p, struct oclmm_error *error)
{
	struct arguments at = count_arguments(session);
	cl_kernel count = session->kernels[oclmm_text_of(environment, &session->plan)].count;
	uint32_t local, global = oclmm_counting_work_items(environment, p, &local);
	int r = set(count, at.counters, sizeof(cl_mem), &slot->counters, error);

	if (r == 0)
		r = set(count, at.last, sizeof(cl_mem), &slot->raw, error);
	if (r == 0)
		r = set(count, at.parameters, sizeof(*p), p, error);
	if (r < 0)
		return r;
	slot->counted += slot->tested;
	return enqueue(session, count, global, local, error);
}

int oclmm_launch_initialise(struct oclmm_session *session,
                            const struct oclmm_environment *environment, struct oclmm_slot *slot,
                            struct oclmm_error *error)
{
	struct oclmm_parameters p;

	oclmm_draw(environment, session->program, &session->plan, 0, &p);
	p.only_restore = 1;
	return enqueue_count(session, slot, environment, &p, error);
}

int oclmm_launch_warm(struct oclmm_session *session, const struct oclmm_environment *environment,
                      struct oclmm_error *error)
{
	struct oclmm_parameters p;
	int r;

	oclmm_draw(environment, session->program, &session->plan, 0, &p);
	p.rounds = 0;
	p.pre_stress = p.stress = 0;
	r = enqueue_test(session, &session->slots[0], environment, &p, error);
	if (r == 0)
		r = oclmm_cl_check(error, "clFinish",
		                   clFinish(oclmm_device_queue(session->device)));
	return r;
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

int oclmm_launch_queue(struct oclmm_session *session, const struct oclmm_environment *environment,
                       struct oclmm_slot *slot, uint64_t number, struct oclmm_error *error)
{
	uint64_t key = oclmm_random(session->request->seed, number);
	cl_command_queue queue = oclmm_device_queue(session->device);
	size_t buckets = (size_t)session->plan.outcomes + OCLMM_BUCKET_COUNT;
	struct oclmm_parameters p;
	int r;

	oclmm_draw(environment, session->program, &session->plan, key, &p);
	r = oclmm_parameters_check(&p, session->program, &session->plan, error);
	if (r < 0)
		return r;
	note_stimulus(session, &p);
	slot->number = number;
	slot->instances = oclmm_environment_instances(environment);
	slot->queued = oclmm_clock();
	/* kernels that do not count themselves clear the counters */
	if (oclmm_text_of(environment, &session->plan) & OCLMM_TEXT_DIRECT)
		p.other_before = slot->before[session->plan.outcomes + OCLMM_BUCKET_OTHER];
	else
		memset(slot->before, 0, buckets * sizeof(*slot->before));
	memset(slot->counts, OCLMM_POISON, buckets * sizeof(*slot->counts));
	oclmm_scratch_note(session, &p);
	r = oclmm_side_queue(session, environment, &p, slot, error);
	if (r == 0)
		r = enqueue_test(session, slot, environment, &p, error);
	if (r == 0)
		r = enqueue_count(session, slot, environment, &p, error);
	if (r == 0)
		r = oclmm_cl_check(error, "clEnqueueReadBuffer",
		                   clEnqueueReadBuffer(queue, slot->counters, CL_FALSE, 0,
		                                       buckets * sizeof(*slot->counts),
		                                       slot->counts, 0, NULL, &slot->done));
	if (r == 0)
		r = oclmm_cl_check(error, "clFlush", clFlush(queue));
	session->queued += slot->instances;
	return r;
}
