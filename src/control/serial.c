// SPDX-License-Identifier: Apache-2.0
/*
 * An execution is serial when its threads, cut at barriers into phases, can be
 * put into an order one phase after the other: the order that an interleaving
 * keeps has no cycle between phases.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct search {
	struct oclmm_serial *serial;
	size_t capacity;
	/* outcomes of interleavings that are not serial themselves */
	int64_t *others;
	size_t other_count, other_capacity;
};

static bool has(const int64_t *values, size_t count, uint32_t width, const int64_t *wanted)
{
	for (size_t i = 0; i < count; i++) {
		if (width == 0 || memcmp(values + i * width, wanted, width * sizeof(*values)) == 0)
			return true;
	}
	return false;
}

static void add(int64_t **values, size_t *count, size_t *capacity, uint32_t width,
                const int64_t *outcome)
{
	size_t held = *count * width;

	if (has(*values, *count, width, outcome))
		return;
	for (uint32_t i = 0; i < width; i++) {
		oclmm_grow(values, capacity, held, sizeof(**values));
		(*values)[held++] = outcome[i];
	}
	++*count;
}

/* How many barriers of its own thread an event stands behind. */
static unsigned phase_of(const struct oclmm_execution *x, unsigned event)
{
	unsigned phase = 0;

	for (unsigned i = 0; i < x->count; i++)
		phase += x->event[i].barrier && x->event[i].entry &&
		         x->event[i].thread == x->event[event].thread && (x->sb[i] >> event & 1);
	return phase;
}

/* The first event of the same phase stands for it. */
static void find_phases(const struct oclmm_execution *x, unsigned *ret_phases)
{
	unsigned phases[OCLMM_MAX_EVENTS];

	for (unsigned i = 0; i < x->count; i++) {
		phases[i] = phase_of(x, i);
		ret_phases[i] = i;
		for (unsigned k = 0; k < i && ret_phases[i] == i; k++) {
			if (x->event[i].thread >= 0 && x->event[k].thread == x->event[i].thread &&
			    phases[k] == phases[i])
				ret_phases[i] = k;
		}
	}
}

static bool is_serial(const struct oclmm_execution *x)
{
	oclmm_events next[OCLMM_MAX_EVENTS] = {0};
	unsigned phase[OCLMM_MAX_EVENTS];

	find_phases(x, phase);
	for (unsigned i = 0; i < x->count; i++) {
		oclmm_events successors = control_successors(x, i);

		for (unsigned k = 0; k < x->count; k++) {
			if ((successors >> k & 1) && phase[i] != phase[k])
				next[phase[i]] |= (oclmm_events)1 << phase[k];
		}
	}
	return control_is_acyclic(next, x->count);
}

static int visit(void *data, const struct oclmm_execution *x)
{
	struct search *search = data;
	struct oclmm_serial *serial = search->serial;

	if (!x->values || !control_is_interleaving(x))
		return 0;
	if (is_serial(x))
		add(&serial->values, &serial->count, &search->capacity, serial->width, x->values);
	else
		add(&search->others, &search->other_count, &search->other_capacity, serial->width,
		    x->values);
	return 0;
}

int oclmm_serial_find(const struct oclmm_program *program, struct oclmm_serial **ret_serial)
{
	struct search search = {.serial = oclmm_calloc(1, sizeof(*search.serial))};
	const struct oclmm_visit_options options = {
		.reading = {.regime = OCLMM_MODEL_OPENCL_3_1},
		.visit = visit,
		.data = &search,
		.limit = CONTROL_CANDIDATES_MOST,
	};
	struct oclmm_serial *serial = search.serial;
	struct oclmm_error error;
	int r;

	serial->width = program->observable_count;
	r = oclmm_executions(program, &options, &error);
	for (size_t i = 0; i < search.other_count; i++)
		serial->others |= !oclmm_serial_has(serial, search.others + i * serial->width);
	free(search.others);
	if (r < 0) {
		oclmm_serial_destroy(serial);
		return r;
	}
	*ret_serial = serial;
	return 0;
}

bool oclmm_serial_has(const struct oclmm_serial *serial, const int64_t *values)
{
	return has(serial->values, serial->count, serial->width, values);
}

void oclmm_serial_destroy(struct oclmm_serial *serial)
{
	if (!serial)
		return;
	free(serial->values);
	free(serial);
}
