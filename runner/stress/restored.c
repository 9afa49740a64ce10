// SPDX-License-Identifier: Apache-2.0
/*
 * Whether objects were set up again. Where the counting kernel does no more than that, no sum of
 * outcomes tells of a work-item that left some out. So each adds up how many instances it went
 * through, and the sums are read once, after the last launch.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool same_shape(const struct oclmm_parameters *p, uint32_t work_items,
                       const struct oclmm_restoring *shape)
{
	return shape->work_items == work_items && shape->each == p->count_each &&
	       shape->first == p->count_first && shape->step == p->count_step &&
	       shape->instances == p->groups * p->lanes * p->rounds;
}

void oclmm_restored_note(struct oclmm_restored *restored, const struct oclmm_parameters *p,
                         uint32_t work_items)
{
	uint32_t i = 0;

	while (i < restored->shape_count && !same_shape(p, work_items, &restored->shapes[i]))
		i++;
	if (i == restored->shape_count) {
		restored->shapes = oclmm_realloc(restored->shapes,
		                                 (i + 1) * sizeof(*restored->shapes));
		restored->shapes[i] = (struct oclmm_restoring){
			.work_items = work_items,
			.each = p->count_each,
			.first = p->count_first,
			.step = p->count_step,
			.instances = p->groups * p->lanes * p->rounds,
		};
		restored->shape_count++;
	}
	restored->shapes[i].launches++;
}

/* How many instances a work-item has in such a launch. */
static uint32_t instances_of(const struct oclmm_restoring *shape, uint32_t work_item)
{
	uint64_t first = (uint64_t)work_item * shape->first, left;

	if (work_item >= shape->work_items || first >= shape->instances)
		return 0;
	left = (shape->instances - first + shape->step - 1) / shape->step;
	return left < shape->each ? (uint32_t)left : shape->each;
}

uint32_t oclmm_restored_missing(const struct oclmm_restored *restored, const uint32_t *words)
{
	uint32_t missing = 0;

	for (uint32_t n = 0; n < restored->count; n++) {
		uint32_t wanted = 0;

		for (uint32_t i = 0; i < restored->shape_count; i++)
			wanted += restored->shapes[i].launches *
			          instances_of(&restored->shapes[i], n);
		missing += words[n] != wanted;
	}
	return missing;
}

int oclmm_restored_check(struct oclmm_session *session, struct oclmm_error *error)
{
	const struct oclmm_restored *restored = &session->restored;
	size_t size = restored->count * sizeof(uint32_t);
	uint32_t *words, missing;
	int r;

	if (restored->shape_count == 0)
		return 0;
	words = oclmm_malloc(size);
	memset(words, OCLMM_POISON, size);
	r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, oclmm_device_queue(session->device),
	                  restored->words, CL_TRUE, 0, size, words, 0, NULL, NULL);
	missing = r < 0 ? 0 : oclmm_restored_missing(restored, words);
	free(words);
	if (missing == 0)
		return r;
	return oclmm_error_set(error, -ERANGE,
	                       "%u work-items of the counting kernel did not set up all their "
	                       "objects in each launch, once",
	                       missing);
}
