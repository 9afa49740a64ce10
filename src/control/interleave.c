// SPDX-License-Identifier: Apache-2.0
/*
 * Which outcomes come of interleaving alone: those of candidate executions in
 * which program order, reads-from, modification order, from-reads and the order
 * of barriers have no cycle together. Races do not matter: what a wrong compiler
 * made runs all the same.
 */
#include <errno.h>

#include "internal.h"

struct search {
	const struct oclmm_program *program;
	const struct oclmm_expected *expected;
};

static bool is_wanted(void *data, const int64_t *values)
{
	const struct search *search = data;

	return values &&
	       oclmm_expected_status(search->expected, values, NULL) == OCLMM_STATUS_FORBIDDEN &&
	       (!search->program->filter ||
	        oclmm_condition_holds(search->program, search->program->filter, values));
}

oclmm_events control_successors(const struct oclmm_execution *x, unsigned event)
{
	oclmm_events next = x->sb[event] | x->mo[event];

	for (unsigned read = 0; read < x->count; read++) {
		enum oclmm_event_kind kind = x->event[read].kind;

		if (kind != OCLMM_EVENT_READ && kind != OCLMM_EVENT_UPDATE)
			continue;
		if (x->rf[read] == event)
			next |= (oclmm_events)1 << read;
		/* what it reads is overwritten only later */
		if (read == event)
			next |= x->mo[x->rf[read]] & ~((oclmm_events)1 << event);
	}
	for (unsigned to = 0; x->event[event].barrier && to < x->count; to++) {
		if (x->event[to].barrier && x->event[event].entry && !x->event[to].entry &&
		    oclmm_execution_sw(x, event) & (oclmm_events)1 << to)
			next |= (oclmm_events)1 << to;
	}
	/* a copy is made before anybody's wait for it is over */
	for (unsigned to = 0; x->event[event].copied && to < x->count; to++) {
		if (oclmm_execution_sw(x, event) & (oclmm_events)1 << to)
			next |= (oclmm_events)1 << to;
	}
	return next;
}

bool control_is_acyclic(const oclmm_events *next, unsigned count)
{
	oclmm_events left = 0;
	bool taken = true;

	for (unsigned i = 0; i < count; i++)
		left |= (oclmm_events)1 << i;
	while (left && taken) {
		taken = false;
		for (unsigned i = 0; i < count; i++) {
			if (!(left & (oclmm_events)1 << i) || next[i] & left)
				continue;
			left &= ~((oclmm_events)1 << i);
			taken = true;
		}
	}
	return !left;
}

bool control_is_interleaving(const struct oclmm_execution *x)
{
	oclmm_events next[OCLMM_MAX_EVENTS];

	for (unsigned i = 0; i < x->count; i++)
		next[i] = control_successors(x, i);
	return control_is_acyclic(next, x->count);
}

static int visit(void *data, const struct oclmm_execution *execution)
{
	(void)data;
	return control_is_interleaving(execution) ? -ECANCELED : 0;
}

bool control_reaches(const struct oclmm_program *program, const struct oclmm_expected *expected)
{
	struct search search = {program, expected};
	const struct oclmm_visit_options options = {
		.reading = {.regime = OCLMM_MODEL_OPENCL_3_1},
		.wanted = is_wanted,
		.visit = visit,
		.data = &search,
		.limit = CONTROL_CANDIDATES_MOST,
	};
	struct oclmm_error error;

	return oclmm_executions(program, &options, &error) == -ECANCELED;
}
