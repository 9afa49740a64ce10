// SPDX-License-Identifier: Apache-2.0
/* Disputed outcomes: the same execution under a reading that allows them. */
#include <errno.h>
#include <string.h>

#include "internal.h"

struct dispute {
	const struct oclmm_execution *shown;
	const struct oclmm_program *program;
	struct oclmm_arena *arena;
	struct oclmm_execution *same; /* what was shown, under the other reading */
};

static bool is_wanted(void *data, const int64_t *values)
{
	const struct dispute *d = data;

	return memcmp(values, d->shown->values, d->program->observable_count * sizeof(*values)) ==
	       0;
}

static bool is_same(const struct oclmm_execution *a, const struct oclmm_execution *b)
{
	if (a->count != b->count || memcmp(a->mo, b->mo, sizeof(a->mo)) != 0)
		return false;
	for (unsigned i = 0; i < a->count; i++) {
		const struct oclmm_event *e = &a->event[i], *f = &b->event[i];

		if (e->kind != f->kind || e->thread != f->thread ||
		    e->position.line != f->position.line ||
		    e->position.column != f->position.column ||
		    (oclmm_event_reads(e) && a->rf[i] != b->rf[i]))
			return false;
	}
	return true;
}

static int look(void *data, const struct oclmm_execution *x)
{
	struct dispute *d = data;

	if (!is_same(x, d->shown))
		return 0;
	d->same = oclmm_execution_copy(d->arena, d->program, x);
	return 1;
}

/* The first edge of the circle that the other reading does not have. */
static const struct oclmm_step *missing_step(const struct explain *x,
                                             const struct oclmm_execution *other)
{
	const struct oclmm_violation *v = x->e->violation;

	for (unsigned i = 0; v && i < v->step_count; i++) {
		const struct oclmm_step *s = &v->steps[i];
		oclmm_events sw = oclmm_execution_sw(other, s->from);

		if (s->edge == OCLMM_EDGE_SW && !(sw & BIT(s->to)))
			return s;
	}
	return NULL;
}

/* What is different under the reading that allows, where the circle does not show it. */
static const char *sentence_of(enum oclmm_knob knob)
{
	switch (knob) {
	/* what these change are edges of the circle, or whether there is one */
	case OCLMM_KNOB_K1:
	case OCLMM_KNOB_K2:
	case OCLMM_KNOB_K3:
	case OCLMM_KNOB_K4:
	case OCLMM_KNOB_K5:
	case OCLMM_KNOB_K6:
	case OCLMM_KNOB_K7:
	case OCLMM_KNOB_K8:
	case OCLMM_KNOB_COUNT: break;
	case OCLMM_KNOB_K9: return "an atomic_cmpxchg that fails only reads there";
	case OCLMM_KNOB_K10:
		return "no order S is asked for there: its conditions speak of locations, and a "
		       "fence affects none";
	case OCLMM_KNOB_K11:
		return "read_mem_fence orders only loads there, and write_mem_fence only stores";
	case OCLMM_KNOB_K12:
		return "wait_group_events orders only what is copied there: it is no barrier";
	case OCLMM_KNOB_K13:
		return "enqueue_kernel orders only fine-grained shared virtual memory there";
	}
	return NULL;
}

/* The sentence of a knob that alone makes the difference: of the alternative, or for those that
 * allow less, of the text without it. */
static const char *tell_knob(const struct explain *x)
{
	const unsigned forbidding = 1u << OCLMM_KNOB_K12 | 1u << OCLMM_KNOB_K13;
	unsigned deciding = x->e->deciding, alternatives = x->e->allowing.alternatives;

	if (deciding == 0 || deciding & (deciding - 1) ||
	    (deciding & forbidding ? alternatives & deciding : alternatives != deciding))
		return NULL;
	return sentence_of((enum oclmm_knob)__builtin_ctz(deciding));
}

static const char *tell(const struct explain *x, const struct oclmm_execution *other)
{
	const struct oclmm_step *missing = other ? missing_step(x, other) : NULL;
	const char *knob = tell_knob(x);

	if (knob)
		return knob;
	if (!other || other->broken)
		return "another execution that ends so is consistent there";
	if (missing)
		return oclmm_arena_printf(x->e->arena,
		                          "the same execution is consistent there, because %s does "
		                          "not synchronize with %s",
		                          oclmm_event_letter(other, missing->from).text,
		                          oclmm_event_letter(other, missing->to).text);
	switch (x->e->violation ? x->e->violation->axiom : OCLMM_AXIOM_COUNT) {
	case OCLMM_AXIOM_SEQ_CST:
		return "the same execution is consistent there: that reading does not ask for "
		       "every step of this circle in an order S";
	case OCLMM_AXIOM_THIN_AIR:
		return "the same execution is consistent there: that reading lets a value depend "
		       "on itself";
	default:
		return "the same execution is consistent there: that reading does not order what "
		       "this circle orders by happens-before";
	}
}

static bool is_allowing(const struct explain *x, uint32_t reading)
{
	return x->state->allowed_by[reading];
}

int explain_dispute(struct explain *x)
{
	struct dispute d = {.shown = x->e->execution, .program = x->program, .arena = x->e->arena};
	struct oclmm_visit_options visit = {
		.wide = x->e->violation && x->e->violation->axiom == OCLMM_AXIOM_THIN_AIR,
		.wanted = is_wanted,
		.visit = look,
		.data = &d,
		.limit = x->options->candidate_limit,
		.time_limit = x->options->time_limit,
	};
	int result;

	prefer_reading(x, is_allowing, &x->e->allowing);
	if (!d.shown)
		return 0;
	visit.reading = x->e->allowing;
	result = oclmm_executions(x->program, &visit, x->error);
	if (result < 0 && result != -ETIME)
		return result;
	x->e->allowing_why = tell(x, d.same);
	return 0;
}
