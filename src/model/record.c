// SPDX-License-Identifier: Apache-2.0
/* What the search has found: states with the settings that allow them, and undefined settings. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* In the order of `enum regime` and of the ALT_ bits. */
static const enum oclmm_model model_of[] = {OCLMM_MODEL_OPENCL_2_0, OCLMM_MODEL_OPENCL_2_1,
                                            OCLMM_MODEL_OPENCL_3_1, OCLMM_MODEL_SCOPED};
static const enum oclmm_knob knob_of[ALT_COUNT] = {
	OCLMM_KNOB_K2, OCLMM_KNOB_K3, OCLMM_KNOB_K4, OCLMM_KNOB_K5,
	OCLMM_KNOB_K6, OCLMM_KNOB_K7, OCLMM_KNOB_K8,
};

struct found {
	struct setting_set allowed;
	int64_t *values;
};

struct record {
	const struct oclmm_program *program;
	const struct setting_list *settings;
	struct found *states;
	size_t count, capacity;
	int32_t *slots; /* open addressing over states; -1 free */
	size_t slot_count;
	struct oclmm_arena *arena;
	struct setting_set undefined;
	struct oclmm_witness witness[REGIME_COUNT + 1]; /* by regime, default knobs; last: any */
	bool has_witness[REGIME_COUNT + 1];
};

static size_t width(const struct record *r)
{
	return r->program->observable_count * sizeof(int64_t);
}

struct record *oclmm_record_create(const struct oclmm_program *program,
                                   const struct setting_list *settings)
{
	struct record *r = oclmm_calloc(1, sizeof(*r));

	r->program = program;
	r->settings = settings;
	r->arena = oclmm_arena_create();
	return r;
}

void oclmm_record_destroy(struct record *r)
{
	if (!r)
		return;
	oclmm_arena_destroy(r->arena);
	free(r->states);
	free(r->slots);
	free(r);
}

static void place(struct record *r, size_t state)
{
	size_t slot = oclmm_hash(r->states[state].values, width(r)) & (r->slot_count - 1);

	while (r->slots[slot] >= 0)
		slot = (slot + 1) & (r->slot_count - 1);
	r->slots[slot] = (int32_t)state;
}

static void grow_slots(struct record *r)
{
	if (r->slot_count > 2 * (r->count + 1))
		return;
	r->slot_count = r->slot_count ? 2 * r->slot_count : 16;
	r->slots = oclmm_realloc(r->slots, r->slot_count * sizeof(*r->slots));
	for (size_t i = 0; i < r->slot_count; i++)
		r->slots[i] = -1;
	for (size_t i = 0; i < r->count; i++)
		place(r, i);
}

int oclmm_record_state(struct record *r, const int64_t *values)
{
	if (r->program->filter && !oclmm_condition_holds(r->program, r->program->filter, values))
		return -1;
	grow_slots(r);
	for (size_t slot = oclmm_hash(values, width(r)) & (r->slot_count - 1); r->slots[slot] >= 0;
	     slot = (slot + 1) & (r->slot_count - 1))
		if (memcmp(r->states[r->slots[slot]].values, values, width(r)) == 0)
			return r->slots[slot];
	oclmm_grow(&r->states, &r->capacity, r->count, sizeof(*r->states));
	r->states[r->count] = (struct found){
		.values = oclmm_arena_copy(r->arena, values, width(r))};
	place(r, r->count);
	return (int)r->count++;
}

bool oclmm_record_allow(struct record *r, int state, const struct setting_set *settings)
{
	return state >= 0 && setting_union(&r->states[state].allowed, settings);
}

struct setting_set oclmm_record_still_defined(const struct record *r,
                                              const struct setting_set *settings)
{
	struct setting_set left;

	for (unsigned i = 0; i < SETTING_WORDS; i++)
		left.word[i] = settings->word[i] & ~r->undefined.word[i];
	return left;
}

void oclmm_record_undefined(struct record *r, const struct setting_set *settings,
                            const struct oclmm_witness *witness)
{
	setting_union(&r->undefined, settings);
	for (unsigned i = 0; i < r->settings->count; i++) {
		unsigned slot = r->settings->items[i].alternatives ? REGIME_COUNT
		                                                   : r->settings->items[i].regime;

		if (!setting_has(settings, i) || r->has_witness[slot])
			continue;
		r->witness[slot] = *witness;
		r->witness[slot].regime = model_of[r->settings->items[i].regime];
		r->has_witness[slot] = true;
	}
}

/* ---- the answer ------------------------------------------------------ */

static int compare_states(const void *a, const void *b, void *count)
{
	const struct found *x = a, *y = b;

	for (uint32_t i = 0; i < *(const uint32_t *)count; i++)
		if (x->values[i] != y->values[i])
			return x->values[i] < y->values[i] ? -1 : 1;
	return 0;
}

static void fill_space(const struct record *r, struct oclmm_answer *answer)
{
	uint32_t n = r->program->observable_count;
	struct oclmm_outcome_space *space = &answer->space;

	space->observable_count = n;
	space->domains = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_outcome_domain, n + 1);
	uint64_t size = 1;

	for (uint32_t k = n; k-- > 0;) {
		struct oclmm_outcome_domain *d = &space->domains[k];

		d->values = OCLMM_NEW_ARRAY(answer->arena, int64_t, r->count + 1);
		for (size_t s = 0; s < r->count; s++) {
			int64_t value = r->states[s].values[k];
			uint32_t at = 0;

			while (at < d->count && d->values[at] < value)
				at++;
			if (at < d->count && d->values[at] == value)
				continue;
			memmove(&d->values[at + 1], &d->values[at],
			        (d->count - at) * sizeof(value));
			d->values[at] = value;
			d->count++;
		}
		d->stride = (uint32_t)size;
		/* saturates: no device could count so many outcomes apart */
		size = size * (d->count ? d->count : 1);
		if (size > UINT32_MAX)
			size = UINT32_MAX;
	}
	space->size = (uint32_t)size;
}

/* The knobs that alone turn the verdict, from default settings where there are such. */
static unsigned deciding_knobs(const struct record *r, const struct found *f)
{
	unsigned from_default = 0, from_any = 0;

	for (unsigned i = 0; i < r->settings->count; i++) {
		for (unsigned k = 0; k < i; k++) {
			const struct setting *a = &r->settings->items[i],
					     *b = &r->settings->items[k];
			unsigned differing = a->alternatives ^ b->alternatives, knob;

			if (!setting_has(&r->settings->consensus, i) ||
			    !setting_has(&r->settings->consensus, k) ||
			    setting_has(&f->allowed, i) == setting_has(&f->allowed, k))
				continue;
			if (a->regime != b->regime && !differing)
				knob = 1u << OCLMM_KNOB_K1;
			else if (a->regime == b->regime && !(differing & (differing - 1)))
				knob = 1u << knob_of[__builtin_ctz(differing)];
			else
				continue;
			from_any |= knob;
			if (!a->alternatives || !b->alternatives)
				from_default |= knob;
		}
	}
	return from_default ? from_default : from_any;
}

static enum oclmm_status consensus_status(const struct record *r, const struct found *f,
                                          unsigned *deciding)
{
	bool all = true, some = false;

	for (unsigned i = 0; i < r->settings->count; i++) {
		if (!setting_has(&r->settings->consensus, i))
			continue;
		all &= setting_has(&f->allowed, i);
		some |= setting_has(&f->allowed, i);
	}
	if (all || !some)
		return all ? OCLMM_STATUS_ALLOWED : OCLMM_STATUS_FORBIDDEN;
	*deciding = deciding_knobs(r, f);
	return OCLMM_STATUS_DISPUTED;
}

static void fill_undefined(const struct record *r, struct oclmm_answer *answer)
{
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		int i = r->settings->of_model[m];

		if (i < 0 || !setting_has(&r->undefined, (unsigned)i))
			continue;
		answer->undefined[m] = true;
		answer->witness[m] = r->witness[r->settings->items[i].regime];
	}
	if (!(answer->models & 1u << OCLMM_MODEL_CONSENSUS))
		return;
	for (unsigned i = 0; i < r->settings->count; i++)
		if (setting_has(&r->settings->consensus, i) && setting_has(&r->undefined, i))
			answer->undefined[OCLMM_MODEL_CONSENSUS] = true;
	for (unsigned slot = REGIME_COUNT + 1; slot-- > 0;)
		if (slot != REGIME_SCOPED && r->has_witness[slot])
			answer->witness[OCLMM_MODEL_CONSENSUS] = r->witness[slot];
}

/* The readings, in public terms. */
static void fill_readings(const struct record *r, struct oclmm_answer *answer)
{
	uint32_t n = r->settings->count;
	struct oclmm_reading *readings = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_reading,
	                                                 n + 1);
	bool *consensus = OCLMM_NEW_ARRAY(answer->arena, bool, n + 1);
	bool *undefined = OCLMM_NEW_ARRAY(answer->arena, bool, n + 1);

	for (uint32_t i = 0; i < n; i++) {
		const struct setting *s = &r->settings->items[i];

		readings[i].regime = model_of[s->regime];
		for (unsigned k = 0; k < ALT_COUNT; k++)
			if (s->alternatives & 1u << k)
				readings[i].alternatives |= 1u << knob_of[k];
		consensus[i] = setting_has(&r->settings->consensus, i);
		undefined[i] = setting_has(&r->undefined, i);
	}
	answer->readings = readings;
	answer->consensus = consensus;
	answer->undefined_by = undefined;
	answer->reading_count = n;
}

static const bool *allowed_by(const struct record *r, const struct found *f,
                              struct oclmm_answer *answer)
{
	bool *allowed = OCLMM_NEW_ARRAY(answer->arena, bool, r->settings->count + 1);

	for (uint32_t i = 0; i < r->settings->count; i++)
		allowed[i] = setting_has(&f->allowed, i);
	return allowed;
}

static void fill_state(const struct record *r, const struct found *f, struct oclmm_answer *answer,
                       struct oclmm_state *state)
{
	state->values = oclmm_arena_copy(answer->arena, f->values, width(r));
	state->condition = oclmm_condition_holds(r->program, r->program->condition, f->values);
	state->allowed_by = allowed_by(r, f, answer);
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		int i = r->settings->of_model[m];

		if (!(answer->models & 1u << m))
			continue;
		if (m == OCLMM_MODEL_CONSENSUS)
			state->status[m] = consensus_status(r, f, &state->deciding);
		else
			state->status[m] = setting_has(&f->allowed, (unsigned)i)
			                           ? OCLMM_STATUS_ALLOWED
			                           : OCLMM_STATUS_FORBIDDEN;
		/* a race leaves nothing forbidden; `scoped` lists states all the same */
		if (answer->undefined[m] && m != OCLMM_MODEL_SCOPED)
			state->status[m] = OCLMM_STATUS_UNDEFINED;
	}
	if (state->status[OCLMM_MODEL_CONSENSUS] != OCLMM_STATUS_DISPUTED)
		state->deciding = 0;
}

void oclmm_record_finish(struct record *r, unsigned models, struct oclmm_answer *answer)
{
	uint32_t n = r->program->observable_count;

	answer->models = models;
	fill_space(r, answer);
	fill_undefined(r, answer);
	fill_readings(r, answer);
	if (r->count)
		qsort_r(r->states, r->count, sizeof(*r->states), compare_states, &n);
	answer->states = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_state, r->count + 1);
	answer->state_count = (uint32_t)r->count;
	for (size_t i = 0; i < r->count; i++)
		fill_state(r, &r->states[i], answer, &answer->states[i]);
}
