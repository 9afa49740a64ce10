// SPDX-License-Identifier: Apache-2.0
/* What the search has found: states with the settings that allow them, and undefined settings. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct found {
	struct setting_set *allowed; /* by world */
	int64_t *values;
};

/* Witnesses of one regime: as it stands by default, and with any knob the other way. */
enum { AS_WRITTEN, OTHERWISE, WITNESS_COUNT };

struct record {
	const struct oclmm_program *program;
	const struct setting_list *settings;
	struct found *states;
	size_t count, capacity;
	int32_t *slots; /* open addressing over states; -1 free */
	size_t slot_count;
	struct oclmm_arena *arena;
	unsigned world; /* that is being searched */
	struct setting_set undefined[MAX_WORLDS];
	struct oclmm_witness witness[WITNESS_COUNT][REGIME_COUNT];
	bool has_witness[WITNESS_COUNT][REGIME_COUNT];
};

static size_t width(const struct record *r)
{
	return r->program->observable_count * sizeof(int64_t);
}

struct record *oclmm_record_create(const struct oclmm_program *program,
                                   const struct setting_list *settings, struct oclmm_arena *arena)
{
	struct record *r = oclmm_calloc(1, sizeof(*r));

	r->program = program;
	r->settings = settings;
	r->arena = arena;
	return r;
}

void oclmm_record_destroy(struct record *r)
{
	if (!r)
		return;
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
		.values = oclmm_arena_copy(r->arena, values, width(r)),
		.allowed = OCLMM_NEW_ARRAY(r->arena, struct setting_set, r->settings->world_count),
	};
	place(r, r->count);
	return (int)r->count++;
}

void oclmm_record_enter(struct record *r, unsigned world)
{
	r->world = world;
}

void oclmm_record_allow(struct record *r, int state, const struct setting_set *settings)
{
	if (state >= 0)
		setting_union(&r->states[state].allowed[r->world], settings);
}

struct setting_set oclmm_record_still_defined(const struct record *r,
                                              const struct setting_set *settings)
{
	struct setting_set left;

	for (unsigned i = 0; i < SETTING_WORDS; i++)
		left.word[i] = settings->word[i] & ~r->undefined[r->world].word[i];
	return left;
}

void oclmm_record_undefined(struct record *r, const struct setting_set *settings,
                            const struct oclmm_witness *witness)
{
	setting_union(&r->undefined[r->world], settings);
	for (unsigned i = 0; i < r->settings->count; i++) {
		const struct oclmm_reading *s = &r->settings->items[i];
		unsigned kind = s->alternatives || r->world ? OTHERWISE : AS_WRITTEN;

		if (!setting_has(settings, i) || r->has_witness[kind][s->regime])
			continue;
		r->witness[kind][s->regime] = *witness;
		r->witness[kind][s->regime].regime = s->regime;
		r->has_witness[kind][s->regime] = true;
	}
}

/* ---- the answer ------------------------------------------------------ */

static int compare_states(const void *a, const void *b, void *count)
{
	const struct found *x = a, *y = b;

	return oclmm_compare_values(x->values, y->values, *(const uint32_t *)count);
}

static void fill_space(const struct record *r, struct oclmm_answer *answer)
{
	uint32_t n = r->program->observable_count;
	struct oclmm_outcome_space *space = &answer->space;

	space->observable_count = n;
	space->domains = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_outcome_domain, n + 1);
	for (uint32_t k = 0; k < n; k++) {
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
	}
	oclmm_outcome_space_number(space);
}

/* Whether a setting is a reading in a world: `scoped` has one world only. */
static bool is_reading(const struct record *r, unsigned world, unsigned setting)
{
	return world == 0 || r->settings->items[setting].regime != OCLMM_MODEL_SCOPED;
}

static void fill_readings(const struct record *r, struct oclmm_answer *answer)
{
	const struct setting_list *list = r->settings;
	uint32_t capacity = list->count * list->world_count, n = 0;
	struct oclmm_reading *readings = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_reading,
	                                                 capacity);
	bool *undefined = OCLMM_NEW_ARRAY(answer->arena, bool, capacity);

	for (unsigned w = 0; w < list->world_count; w++)
		for (unsigned i = 0; i < list->count; i++) {
			if (!is_reading(r, w, i))
				continue;
			readings[n] = list->items[i];
			readings[n].alternatives |= list->worlds[w];
			undefined[n++] = setting_has(&r->undefined[w], i);
		}
	answer->readings = readings;
	answer->undefined_by = undefined;
	answer->reading_count = n;
}

static const bool *allowed_by(const struct record *r, const struct found *f,
                              struct oclmm_answer *answer)
{
	bool *allowed = OCLMM_NEW_ARRAY(answer->arena, bool, answer->reading_count);
	uint32_t n = 0;

	for (unsigned w = 0; w < r->settings->world_count; w++)
		for (unsigned i = 0; i < r->settings->count; i++)
			if (is_reading(r, w, i))
				allowed[n++] = setting_has(&f->allowed[w], i);
	return allowed;
}

/* The knob in which a reading of the model differs from another, if it is one alone; else 0. */
static unsigned differing_knob(enum oclmm_model model, const struct oclmm_reading *a,
                               const struct oclmm_reading *b)
{
	unsigned differing = a->alternatives ^ b->alternatives;

	if (!oclmm_model_covers(model, b))
		return 0;
	if (a->regime != b->regime)
		return differing ? 0 : 1u << OCLMM_KNOB_K1;
	return differing & (differing - 1) ? 0 : differing;
}

/* The knobs that alone turn the verdict, from default settings where there are such. */
static unsigned deciding_knobs(const struct oclmm_answer *answer, enum oclmm_model model,
                               const bool *allowed)
{
	unsigned from_default = 0, from_any = 0;

	for (unsigned i = 0; i < answer->reading_count; i++) {
		if (!oclmm_model_covers(model, &answer->readings[i]))
			continue;
		for (unsigned k = 0; k < i; k++) {
			const struct oclmm_reading *a = &answer->readings[i],
						   *b = &answer->readings[k];
			unsigned knob = allowed[i] == allowed[k] ? 0 : differing_knob(model, a, b);

			from_any |= knob;
			if (!a->alternatives || !b->alternatives)
				from_default |= knob;
		}
	}
	return from_default ? from_default : from_any;
}

static struct setting_set settings_of(const struct setting_list *list, enum oclmm_model model)
{
	struct setting_set covered = {{0}};

	for (unsigned i = 0; i < list->count; i++)
		if (oclmm_model_covers(model, &list->items[i]))
			setting_add(&covered, i);
	return covered;
}

/* Whether all the readings of a model allow a state, and whether some do. */
static void ask_readings(const struct record *r, const struct found *f, enum oclmm_model model,
                         const struct setting_set *covered, bool *ret_all, bool *ret_some)
{
	unsigned worlds = model == OCLMM_MODEL_SCOPED ? 1 : r->settings->world_count;
	uint64_t missing = 0, present = 0;

	for (unsigned w = 0; w < worlds; w++)
		for (unsigned i = 0; i < SETTING_WORDS; i++) {
			missing |= covered->word[i] & ~f->allowed[w].word[i];
			present |= covered->word[i] & f->allowed[w].word[i];
		}
	*ret_all = missing == 0;
	*ret_some = present != 0;
}

static enum oclmm_status status_of(const struct record *r, const struct found *f,
                                   enum oclmm_model model, const struct setting_set *covered,
                                   const struct oclmm_answer *answer)
{
	bool all, some;

	/* a race leaves nothing forbidden; `scoped` lists states all the same */
	if (answer->undefined[model] && model != OCLMM_MODEL_SCOPED)
		return OCLMM_STATUS_UNDEFINED;
	ask_readings(r, f, model, covered, &all, &some);
	if (all || !some)
		return all ? OCLMM_STATUS_ALLOWED : OCLMM_STATUS_FORBIDDEN;
	return OCLMM_STATUS_DISPUTED;
}

/* The first witness among the regimes of a model, of the texts as written if there is one. */
static void fill_undefined(const struct record *r, enum oclmm_model model,
                           struct oclmm_answer *answer)
{
	for (unsigned kind = 0; kind < WITNESS_COUNT; kind++)
		for (enum oclmm_model regime = 0; regime < REGIME_COUNT; regime++) {
			struct oclmm_reading reading = {.regime = regime};

			if (answer->undefined[model] || !oclmm_model_covers(model, &reading) ||
			    !r->has_witness[kind][regime])
				continue;
			answer->undefined[model] = true;
			answer->witness[model] = r->witness[kind][regime];
		}
}

static void fill_state(const struct record *r, const struct found *f, struct oclmm_answer *answer,
                       struct oclmm_state *state)
{
	state->values = oclmm_arena_copy(answer->arena, f->values, width(r));
	state->condition = oclmm_condition_holds(r->program, r->program->condition, f->values);
	state->allowed_by = allowed_by(r, f, answer);
}

static void fill_status(const struct record *r, enum oclmm_model model, struct oclmm_answer *answer,
                        struct oclmm_state *states)
{
	struct setting_set covered = settings_of(r->settings, model);

	for (size_t i = 0; i < r->count; i++) {
		struct oclmm_state *state = &states[i];

		state->status[model] = status_of(r, &r->states[i], model, &covered, answer);
		if (state->status[model] == OCLMM_STATUS_DISPUTED)
			state->deciding[model] = deciding_knobs(answer, model, state->allowed_by);
	}
}

void oclmm_record_finish(struct record *r, unsigned models, struct oclmm_answer *answer)
{
	uint32_t n = r->program->observable_count;
	struct oclmm_state *states = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_state,
	                                             r->count + 1);

	answer->models = models;
	fill_space(r, answer);
	fill_readings(r, answer);
	for (enum oclmm_model m = 0; m < OCLMM_MODEL_COUNT; m++)
		if (models & 1u << m)
			fill_undefined(r, m, answer);
	if (r->count)
		qsort_r(r->states, r->count, sizeof(*r->states), compare_states, &n);
	for (size_t i = 0; i < r->count; i++)
		fill_state(r, &r->states[i], answer, &states[i]);
	for (enum oclmm_model m = 0; m < OCLMM_MODEL_COUNT; m++)
		if (models & 1u << m)
			fill_status(r, m, answer, states);
	answer->states = states;
	answer->state_count = (uint32_t)r->count;
}
