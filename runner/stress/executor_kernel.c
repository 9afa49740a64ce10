// SPDX-License-Identifier: Apache-2.0
/* The executor of roles that a device plays: its test kernel, on the in-order queue. */
#include "internal.h"

/* Local objects: one per lane. */
static int set_local(struct oclmm_session *session, cl_kernel kernel, uint32_t lanes,
                     struct oclmm_error *error)
{
	cl_uint index = oclmm_count_locations(session->program, OCLMM_SPACE_GLOBAL);
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

/* A folded group has a row for each sub-group. */
static int enqueue(struct oclmm_session *session, cl_kernel kernel,
                   const struct oclmm_launch *launch, struct oclmm_error *error)
{
	const struct oclmm_parameters *p = launch->parameters;
	bool folded = session->folded[launch->environment - session->environments];
	const size_t rows = folded ? p->sub_groups : 1, width = folded ? p->sub_lanes : p->width;
	const size_t global[] = {(size_t)p->all_groups * width, rows}, local[] = {width, rows};

	return oclmm_kernel_enqueue(session, kernel, folded ? 2 : 1, global, local, error);
}

static int start(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_session *session = data;
	struct oclmm_arguments at = oclmm_test_arguments(session);
	unsigned text = oclmm_text_of(launch->environment, &session->plan);
	const struct oclmm_parameters *p = launch->parameters;
	struct oclmm_slot *slot = launch->slot;
	cl_kernel test = session->kernels[text].test;
	int r = set_local(session, test, p->lanes, error);

	if (r == 0)
		r = oclmm_argument_set(test, at.counters, sizeof(cl_mem), &slot->counters, error);
	if (r == 0 && (text & OCLMM_TEXT_DIRECT))
		r = oclmm_argument_set(test, at.results, sizeof(cl_mem), &slot->raw, error);
	if (r == 0)
		r = oclmm_argument_set(test, at.parameters, sizeof(*p), p, error);
	if (r < 0)
		return r;
	slot->tested++;
	r = enqueue(session, test, launch, error);
	/* others wait for it to begin */
	if (r == 0 && session->part_count > 1)
		r = oclmm_cl_check(error, "clFlush", clFlush(oclmm_device_queue(session->device)));
	return r;
}

/* What counts is queued behind it on the same in-order queue. */
const struct oclmm_executor oclmm_executor_kernel = {.name = "kernel", .start = start};
