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

/* Work-items that have as many as any; those behind them have fewer, or none. */
static uint32_t full_of(const struct oclmm_restoring *shape)
{
	uint64_t last = (uint64_t)(shape->each - 1) * shape->step, full;

	if (shape->each == 0 || last >= shape->instances)
		return 0;
	if (shape->first == 0)
		return shape->work_items;
	full = (shape->instances - last + shape->first - 1) / shape->first;
	return full < shape->work_items ? (uint32_t)full : shape->work_items;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* A launch may have a million of these, so that a division for each would be felt. */
uint32_t oclmm_restored_missing(const struct oclmm_restored *restored, const uint32_t *words)
{
	uint32_t *wanted = oclmm_calloc(restored->count, sizeof(*wanted));
	uint32_t missing = 0;

	for (uint32_t i = 0; i < restored->shape_count; i++) {
		const struct oclmm_restoring *shape = &restored->shapes[i];
		uint32_t full = smaller(full_of(shape), restored->count);
		uint32_t most = smaller(shape->work_items, restored->count);

		for (uint32_t n = 0; n < full; n++)
			wanted[n] += shape->launches * shape->each;
		for (uint32_t n = full; n < most; n++)
			wanted[n] += shape->launches * instances_of(shape, n);
	}
	for (uint32_t n = 0; n < restored->count; n++)
		missing += words[n] != wanted[n];
	free(wanted);
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
