// SPDX-License-Identifier: Apache-2.0
/* What a launch has counted, once it is known that it ran. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int64_t raw_value(const struct oclmm_session *session, const void *raw, uint64_t index,
                         enum oclmm_type type)
{
	uint64_t bits = session->plan.wide ? ((const uint64_t *)raw)[index]
	                                   : ((const uint32_t *)raw)[index];

	return oclmm_value_wrap(type, (int64_t)bits);
}

/* Whether two raw entries hold the same values; the instance's number before them does not
 * count. */
static bool same_tuple(const void *raw, uint32_t a, uint32_t b, uint32_t width, size_t word)
{
	const char *first = (const char *)raw + ((size_t)a * (width + 1) + 1) * word;
	const char *second = (const char *)raw + ((size_t)b * (width + 1) + 1) * word;

	return memcmp(first, second, width * word) == 0;
}

/* Before a tuple stands the number of its instance. */
static int check_raw(const struct oclmm_session *session, const struct oclmm_slot *slot,
                     const void *raw, uint32_t count, struct oclmm_error *error)
{
	size_t step = (size_t)session->plan.observables + 1;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t instance = session->plan.wide ? ((const uint64_t *)raw)[i * step]
		                                       : ((const uint32_t *)raw)[i * step];

		if (instance >= slot->instances)
			return oclmm_error_set(error, -ERANGE,
			                       "launch %llu: foreign values were counted and not "
			                       "kept",
			                       (unsigned long long)slot->number);
	}
	return 0;
}

/* What the kernel took for foreign is no outcome that it could have counted itself: a read that
 * gives zeros would turn what is forbidden into what is not. */
static int check_foreign(const struct oclmm_session *session, const struct oclmm_slot *slot,
                         const int64_t *values, struct oclmm_error *error)
{
	const struct oclmm_outcome_space *space = session->request->space;

	if (oclmm_outcome_index(space, values) == space->size)
		return 0;
	return oclmm_error_set(error, -ERANGE,
	                       "launch %llu: foreign values were counted, and others read back",
	                       (unsigned long long)slot->number);
}

/* Tuples that the oracle did not foresee are read back one by one. They are rare, or the device is
 * ill. */
static int harvest_other(struct oclmm_session *session, struct oclmm_slot *slot, uint32_t count,
                         uint64_t *mask, struct oclmm_error *error)
{
	uint32_t width = session->plan.observables;
	size_t word = session->plan.wide ? 8 : 4, size = (size_t)count * (width + 1) * word;
	void *raw = oclmm_malloc(size);
	int64_t *values = oclmm_calloc((size_t)width + 1, sizeof(*values));
	int r;

	memset(raw, OCLMM_POISON, size);
	r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, oclmm_device_queue(session->device),
	                  slot->raw, CL_TRUE, 0, size, raw, 0, NULL, NULL);
	if (r == 0)
		r = check_raw(session, slot, raw, count, error);

	for (uint32_t i = 0, run = 1; r == 0 && i < count; i += run, run = 1) {
		for (uint32_t k = 0; k < width; k++)
			values[k] = raw_value(session, raw, (uint64_t)i * (width + 1) + k + 1,
			                      session->program->observables[k].type);
		/* on a device that is ill they may be many, and then mostly alike */
		while (i + run < count && same_tuple(raw, i, i + run, width, word))
			run++;
		r = check_foreign(session, slot, values, error);
		if (r < 0)
			break;
		oclmm_histogram_add(session->histogram, values, run);
		*mask |= UINT64_C(1) << oclmm_seen_number(&session->shown, values);
	}
	if (r == 0)
		session->kept += count;
	free(values);
	free(raw);
	return r;
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

	pace->slow = now - begin < (cpu ? SLOW_CPU : SLOW_GPU) ? 0 : pace->slow + 1;
	session->busy += now - begin;
	pace->harvested = now;
}

/* What the launch has counted: it went on from where the counters stood. */
static void take_counts(const struct oclmm_session *session, struct oclmm_slot *slot)
{
	for (uint32_t i = 0; i < session->plan.outcomes + OCLMM_TICKET_TESTED; i++) {
		uint32_t now = slot->counts[i];

		slot->counts[i] = now - slot->before[i];
		slot->before[i] = now;
	}
}

static int check_sum(const struct oclmm_session *session, const struct oclmm_slot *slot,
                     struct oclmm_error *error)
{
	const uint32_t *extra = slot->counts + session->plan.outcomes;
	uint64_t sum = (uint64_t)extra[OCLMM_BUCKET_OTHER] + extra[OCLMM_BUCKET_CUT];

	for (uint32_t i = 0; i < session->plan.outcomes; i++)
		sum += slot->counts[i];
	if (extra[OCLMM_BUCKET_UNPLAYED] > 0)
		return oclmm_error_set(
			error, -ERANGE,
			"launch %llu: %u work-items did not play all their rounds once, or not "
			"with the ids of the launch",
			(unsigned long long)slot->number, extra[OCLMM_BUCKET_UNPLAYED]);
	if (sum != slot->instances)
		return oclmm_error_set(error, -ERANGE,
		                       "launch %llu: %llu outcomes were counted of %u instances",
		                       (unsigned long long)slot->number, (unsigned long long)sum,
		                       slot->instances);
	return 0;
}

/* Of what the kernels looked at, after the outcomes were taken: one of these may tell more. */
static int check_looks(const struct oclmm_session *session, const struct oclmm_slot *slot,
                       struct oclmm_error *error)
{
	const uint32_t *extra = slot->counts + session->plan.outcomes;

	if (extra[OCLMM_BUCKET_UNSET] > 0)
		return oclmm_error_set(error, -ERANGE,
		                       "launch %llu: %u objects did not begin with their initial "
		                       "values",
		                       (unsigned long long)slot->number, extra[OCLMM_BUCKET_UNSET]);
	if (extra[OCLMM_BUCKET_UNCHANGED] > 0)
		return oclmm_error_set(error, -ERANGE,
		                       "launch %llu: in %u places objects kept their initial "
		                       "values, which no execution leaves: roles were not played",
		                       (unsigned long long)slot->number,
		                       extra[OCLMM_BUCKET_UNCHANGED]);
	return 0;
}

/* The bit of an outcome that was seen. */
static uint64_t bit_of(struct oclmm_session *session, uint32_t outcome)
{
	const struct oclmm_outcome_space *space = session->request->space;

	if (!session->numbers[outcome]) {
		int64_t *values = oclmm_calloc((size_t)space->observable_count + 1,
		                               sizeof(*values));

		oclmm_outcome_values(space, outcome, values);
		session->numbers[outcome] = (uint8_t)(1 +
		                                      oclmm_seen_number(&session->shown, values));
		free(values);
	}
	return UINT64_C(1) << (session->numbers[outcome] - 1);
}

/* Adds what was counted. */
static int take(struct oclmm_session *session, struct oclmm_slot *slot, struct oclmm_error *error)
{
	const uint32_t *extra = slot->counts + session->plan.outcomes;
	uint64_t mask = 0;
	int r = 0;

	if (extra[OCLMM_BUCKET_OTHER] > 0)
		r = harvest_other(session, slot, extra[OCLMM_BUCKET_OTHER], &mask, error);
	if (r < 0)
		return r;
	for (uint32_t i = 0; i < session->plan.outcomes; i++) {
		if (slot->counts[i] == 0)
			continue;
		session->news |= session->totals[i] == 0;
		session->totals[i] += slot->counts[i];
		mask |= bit_of(session, i);
	}
	if (mask)
		oclmm_seen_add(&session->shown, slot->block, mask, slot->instances);
	session->cut += extra[OCLMM_BUCKET_CUT];
	session->instances += slot->instances;
	session->launches++;
	return 0;
}

int oclmm_launch_harvest(struct oclmm_session *session, struct oclmm_slot *slot,
                         struct oclmm_error *error)
{
	int r;

	if (!slot->done)
		return 0;
	r = OCLMM_CL_CALL(error, clWaitForEvents, 1, &slot->done);
	clReleaseEvent(slot->done);
	slot->done = NULL;
	if (r == 0)
		r = oclmm_tickets_check(&slot->tickets,
		                        slot->counts[session->plan.outcomes + OCLMM_TICKET_TESTED],
		                        slot->counts[session->plan.outcomes + OCLMM_TICKET_COUNTED],
		                        slot->number, error);
	if (r < 0)
		return r;
	take_counts(session, slot);
	oclmm_note_duration(session, slot);
	r = check_sum(session, slot, error);
	if (r == 0)
		r = take(session, slot, error);
	return r < 0 ? r : check_looks(session, slot, error);
}
