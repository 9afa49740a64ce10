// SPDX-License-Identifier: Apache-2.0
/* What launches showed, in few bits, because they are many; and how long they took. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

void oclmm_seen_finish(struct oclmm_seen *shown)
{
	free(shown->values);
	free(shown->launches);
	free(shown->counts);
	*shown = (struct oclmm_seen){0};
}

uint32_t oclmm_seen_number(struct oclmm_seen *shown, const int64_t *values)
{
	size_t size = shown->width * sizeof(*values);

	for (uint32_t i = 0; i < shown->outcomes; i++) {
		if (size == 0 ||
		    memcmp(shown->values + (size_t)i * shown->width, values, size) == 0)
			return i;
	}
	if (shown->outcomes == OCLMM_SEEN_OUTCOMES)
		return OCLMM_SEEN_OUTCOMES;
	if (!shown->values)
		shown->values = oclmm_calloc((size_t)OCLMM_SEEN_OUTCOMES * shown->width + 1,
		                             sizeof(*values));
	if (size)
		memcpy(shown->values + (size_t)shown->outcomes * shown->width, values, size);
	return shown->outcomes++;
}

void oclmm_seen_add(struct oclmm_seen *shown, uint64_t block, uint64_t mask, uint64_t instances)
{
	for (size_t i = shown->count; i > 0 && shown->launches[i - 1].block == block; i--) {
		if (shown->launches[i - 1].mask == mask) {
			shown->launches[i - 1].launches++;
			shown->launches[i - 1].instances += instances;
			return;
		}
	}
	oclmm_grow(&shown->launches, &shown->capacity, shown->count, sizeof(*shown->launches));
	shown->launches[shown->count++] = (struct oclmm_seen_launches){
		.block = block,
		.mask = mask,
		.launches = 1,
		.instances = instances,
	};
}

void oclmm_seen_count(struct oclmm_seen *shown, uint64_t block, uint32_t outcome, uint64_t count)
{
	for (size_t i = shown->counted; i > 0 && shown->counts[i - 1].block == block; i--) {
		if (shown->counts[i - 1].outcome == outcome) {
			shown->counts[i - 1].count += count;
			return;
		}
	}
	oclmm_grow(&shown->counts, &shown->count_capacity, shown->counted, sizeof(*shown->counts));
	shown->counts[shown->counted++] = (struct oclmm_seen_counts){block, outcome, count};
}

void oclmm_count_tuple(struct oclmm_session *session, uint64_t block, const int64_t *tuple,
                       uint64_t instances, uint64_t *mask)
{
	uint32_t index = oclmm_outcome_index(session->request->space, tuple), number;

	if (index == session->request->space->size) {
		session->kept += instances;
		oclmm_histogram_add(session->histogram, tuple, instances);
	} else {
		session->news |= session->totals[index] == 0;
		session->totals[index] += instances;
	}
	number = oclmm_seen_number(&session->shown, tuple);
	oclmm_seen_count(&session->shown, block, number, instances);
	*mask |= UINT64_C(1) << number;
}

/* Seconds: a GPU's driver may have a watchdog, which takes some more. With a CPU it is only
 * patience, and a busy machine is soon slow. */
static const double SLOW_GPU = 0.5, SLOW_CPU = 2;

void oclmm_note_duration(struct oclmm_session *session, const struct oclmm_slot *slot)
{
	struct oclmm_pace *pace = session->pace;
	bool cpu = (oclmm_device_info(session->device)->type & CL_DEVICE_TYPE_CPU) != 0;
	double now = oclmm_clock();
	double begin = slot->queued > pace->harvested ? slot->queued : pace->harvested;

	pace->harvested = now;
	if (slot->cold) {
		session->cold += now - begin;
		pace->cold += now - begin;
		return;
	}
	pace->slow = now - begin < (cpu ? SLOW_CPU : SLOW_GPU) ? 0 : pace->slow + 1;
	session->busy += now - begin;
}
