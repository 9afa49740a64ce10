// SPDX-License-Identifier: Apache-2.0
/* What the kernels of a session are called with. */
#include "internal.h"

uint32_t oclmm_count_buffers(const struct oclmm_program *program)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < program->location_count; i++)
		n += oclmm_location_is_buffer(&program->locations[i]);
	return n;
}

static struct oclmm_arguments arguments_after(uint32_t n)
{
	return (struct oclmm_arguments){n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7};
}

struct oclmm_arguments oclmm_test_arguments(const struct oclmm_session *session)
{
	uint32_t n = oclmm_count_buffers(session->program);

	for (uint32_t i = 0; i < session->program->location_count; i++)
		n += session->program->locations[i].space == OCLMM_SPACE_LOCAL;
	return arguments_after(n);
}

struct oclmm_arguments oclmm_count_arguments(const struct oclmm_session *session)
{
	return arguments_after(oclmm_count_buffers(session->program));
}

static int set_memory(cl_kernel kernel, cl_uint index, const struct oclmm_memory *memory,
                      struct oclmm_error *error)
{
	if (!memory->svm)
		return oclmm_argument_set(kernel, index, sizeof(cl_mem), &memory->buffer, error);
	return OCLMM_CL_CALL(error, clSetKernelArgSVMPointer, kernel, index, memory->svm);
}

/* `plays`: the kernel is one that plays, not one that counts. */
static int set_locations(struct oclmm_session *session, cl_kernel kernel, bool plays,
                         struct oclmm_error *error)
{
	cl_uint index = 0;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->program->location_count; i++) {
		const struct oclmm_location *l = &session->program->locations[i];

		if (!oclmm_location_is_buffer(l))
			continue;
		if (oclmm_location_is_image(l))
			r = oclmm_argument_set(kernel, index, sizeof(cl_mem),
			                       plays ? &session->images[i].view
			                             : &session->images[i].buffer,
			                       error);
		else if (oclmm_storage_is_svm(l->storage))
			r = set_memory(kernel, index, &(struct oclmm_memory){.svm = session->svm},
			               error);
		else
			r = set_memory(kernel, index, &session->memory, error);
		index++;
	}
	return r;
}

static int set_common(struct oclmm_session *session, cl_kernel kernel, struct oclmm_arguments at,
                      struct oclmm_error *error)
{
	int r = set_memory(kernel, at.codes, &session->codes, error);

	if (r == 0)
		r = set_memory(kernel, at.results, &session->results, error);
	if (r == 0)
		r = oclmm_argument_set(kernel, at.played, sizeof(cl_mem), &session->played, error);
	if (r == 0)
		r = set_memory(kernel, at.meeting, &session->meeting, error);
	return r;
}

/* Of a kernel beside the first one, which plays and does not count. */
static int set_other(struct oclmm_session *session, const struct oclmm_kernel_part *part,
                     cl_kernel test, struct oclmm_error *error)
{
	struct oclmm_arguments at = oclmm_test_arguments(session);
	int r = set_locations(session, test, true, error);

	if (r == 0)
		r = set_common(session, test, at, error);
	if (r == 0)
		r = oclmm_argument_set(test, at.played, sizeof(cl_mem), &part->played, error);
	/* it leaves the counters alone, but has the argument */
	if (r == 0)
		r = oclmm_argument_set(test, at.counters, sizeof(cl_mem), &part->scratch, error);
	if (r == 0)
		r = oclmm_argument_set(test, at.last, sizeof(cl_mem), &part->scratch, error);
	return r;
}

static int set_kernels(struct oclmm_session *session, const struct oclmm_kernels *kernels,
                       struct oclmm_error *error)
{
	struct oclmm_arguments test = oclmm_test_arguments(session),
			       count = oclmm_count_arguments(session);
	int r = set_locations(session, kernels->test, true, error);

	if (r == 0)
		r = set_locations(session, kernels->count, false, error);
	if (r == 0)
		r = set_common(session, kernels->test, test, error);
	if (r == 0)
		r = set_common(session, kernels->count, count, error);
	if (r == 0)
		r = oclmm_argument_set(kernels->count, count.table, sizeof(cl_mem), &session->table,
		                       error);
	if (r == 0)
		r = oclmm_argument_set(kernels->test, test.last, sizeof(cl_mem), &session->scratch,
		                       error);
	return r;
}

int oclmm_arguments_set(struct oclmm_session *session, struct oclmm_error *error)
{
	int r = 0;

	for (int i = 0; r == 0 && i < OCLMM_TEXTS; i++) {
		if (session->kernels[0].texts[i].test)
			r = set_kernels(session, &session->kernels[0].texts[i], error);
		for (uint32_t part = 1; r == 0 && part < session->plan.kernels; part++)
			if (session->kernels[part].texts[i].test)
				r = set_other(session, &session->kernels[part],
				              session->kernels[part].texts[i].test, error);
	}
	if (r == 0 && session->side)
		r = oclmm_argument_set(session->side, 0, sizeof(cl_mem), &session->side_scratch,
		                       error);
	return r;
}
