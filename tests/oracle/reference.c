// SPDX-License-Identifier: Apache-2.0
/*
 * Judges every candidate under every setting and gathers the final states.
 */
#include "reference.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "relations.h"
#include "settings.h"

/* 2.0 with and without an order S, 3.1, each with five knobs; and `scoped` */
enum { MAX_VIEW_KNOBS = 5, MAX_VIEWS = (3 << MAX_VIEW_KNOBS) + 1 };

struct judge {
	struct reference_answer *answer;
	const struct reference_limits *limits;
	uint64_t combinations;
	bool k9; /* the settings whose events these are */
	/* the candidate's views so far; settings that read happens-before alike share one */
	struct view *views;
	unsigned view_count;
};

/* ---- one candidate under one setting --------------------------------- */

/* The knobs that bear on the order S alone, or on the events themselves. */
static const unsigned of_order = 1u << OCLMM_KNOB_K2 | 1u << OCLMM_KNOB_K4 | 1u << OCLMM_KNOB_K8 |
                                 1u << OCLMM_KNOB_K9 | 1u << OCLMM_KNOB_K10;

static struct reading reading_of(const struct candidate *candidate,
                                 const struct reference_setting *setting)
{
	struct reading reading = {.knobs = setting->knobs & ~of_order};

	switch (setting->regime) {
	case REFERENCE_R20:
		reading.degraded = !order_is_required(candidate, OTHER_WAY(setting, K10));
		reading.inclusion = INCLUSION_EQUAL;
		break;
	case REFERENCE_R21: reading.inclusion = INCLUSION_EQUAL; break;
	case REFERENCE_R31: reading.inclusion = INCLUSION_WIDER; break;
	default: reading.inclusion = INCLUSION_WRITTEN; break;
	}
	/* K3 is about seq_cst, of which a degraded reading has none */
	if (reading.degraded)
		reading.knobs &= ~(1u << OCLMM_KNOB_K3);
	return reading;
}

static bool same_reading(const struct reading *a, const struct reading *b)
{
	return a->inclusion == b->inclusion && a->knobs == b->knobs && a->degraded == b->degraded;
}

static struct view *find_view(struct judge *judge, const struct candidate *candidate,
                              const struct reference_setting *setting)
{
	struct reading reading = reading_of(candidate, setting);

	for (unsigned i = 0; i < judge->view_count; i++)
		if (same_reading(&judge->views[i].reading, &reading))
			return &judge->views[i];
	make_view(candidate, &reading, &judge->views[judge->view_count]);
	return &judge->views[judge->view_count++];
}

/** Does the order of seq_cst operations exist that the setting asks for? */
static bool has_order(struct view *view, const struct reference_setting *setting)
{
	unsigned question = (OTHER_WAY(setting, K2) ? 1u : 0) | (OTHER_WAY(setting, K4) ? 2u : 0) |
	                    (OTHER_WAY(setting, K8) ? 4u : 0);

	if (view->order[question] == 0) {
		bool exists = setting->regime == REFERENCE_SCOPED
		                      ? scoped_order_exists(view)
		                      : order_exists(view, OTHER_WAY(setting, K2),
		                                     OTHER_WAY(setting, K4),
		                                     OTHER_WAY(setting, K8));

		view->order[question] = exists ? 2 : 1;
	}
	return view->order[question] == 2;
}

/* ---- final states ---------------------------------------------------- */

/** \return the state with these values, added if it is new. */
static struct reference_state *find_state(struct reference_answer *answer, const int64_t *values)
{
	uint32_t width = answer->program->observable_count;
	struct reference_state *state;

	for (unsigned i = 0; i < answer->state_count; i++)
		if (memcmp(answer->states[i].values, values, width * sizeof(*values)) == 0)
			return &answer->states[i];
	oclmm_grow(&answer->states, &answer->state_capacity, answer->state_count,
	           sizeof(*answer->states));
	state = &answer->states[answer->state_count++];
	memset(state, 0, sizeof(*state));
	state->values = oclmm_malloc((width + 1) * sizeof(*values));
	memcpy(state->values, values, width * sizeof(*values));
	return state;
}

/** The state that a candidate ends in, or NULL. */
static struct reference_state *state_of(struct judge *judge, const struct candidate *candidate)
{
	int64_t values[64];

	return find_final_state(candidate, values) ? find_state(judge->answer, values) : NULL;
}

/* ---- all candidates -------------------------------------------------- */

/** K6's default takes no part in candidates in which a value depends on itself. */
static void judge_setting(struct judge *judge, const struct candidate *candidate, unsigned setting,
                          struct reference_state *state)
{
	struct reference_answer *answer = judge->answer;
	struct view *view = find_view(judge, candidate, &answer->settings[setting]);

	if (OTHER_WAY(&view->reading, K12) && passes_missed_wait(candidate))
		return;
	if (!view->consistent || !has_order(view, &answer->settings[setting]))
		return;
	for (unsigned k6 = candidate->circular ? 1 : 0; k6 < 2; k6++) {
		answer->undefined[setting][k6] |= view->undefined;
		if (state != NULL)
			state->allowed[setting][k6] = true;
	}
}

static int judge_candidate(struct candidate *candidate, void *data)
{
	struct judge *judge = data;
	struct reference_state *state = state_of(judge, candidate);

	if (++judge->answer->candidates > judge->limits->candidates)
		return -E2BIG;
	if (!is_conceivable(candidate))
		return 0;
	find_meetings(candidate);
	judge->view_count = 0;
	for (unsigned i = 0; i < judge->answer->setting_count; i++)
		if (OTHER_WAY(&judge->answer->settings[i], K9) == judge->k9)
			judge_setting(judge, candidate, i, state);
	return 0;
}

static int order_candidate(struct candidate *candidate, void *data)
{
	struct judge *judge = data;

	unsigned seq_cst = 0;

	for (unsigned i = 0; i < candidate->count; i++)
		seq_cst += candidate->events[i].order == OCLMM_ORDER_SEQ_CST;
	if (++judge->combinations > judge->limits->candidates || seq_cst > judge->limits->seq_cst)
		return -E2BIG;
	return enumerate_modification_orders(candidate, judge_candidate, judge);
}

/** Are there more readings than there is room for? */
static bool has_too_many_readings(unsigned knobs)
{
	return __builtin_popcount(knobs & ~of_order) > MAX_VIEW_KNOBS ||
	       __builtin_popcount(knobs) > REFERENCE_MAX_KNOBS;
}

int reference_check(const struct oclmm_program *program, const struct reference_limits *limits,
                    struct reference_answer **ret_answer)
{
	struct reference_answer *answer;
	struct judge judge;
	int result;

	if (program->observable_count > 64 || program->thread_count > OCLMM_MAX_THREADS ||
	    has_too_many_readings(knobs_that_matter(program)))
		return -E2BIG;
	answer = oclmm_calloc(1, sizeof(*answer));
	answer->program = program;
	answer->setting_count = list_settings(program, answer->settings);
	answer->knobs = knobs_that_matter(program);
	judge = (struct judge){.answer = answer, .limits = limits};
	judge.views = oclmm_calloc(MAX_VIEWS, sizeof(*judge.views));
	result = enumerate_program(program, false, order_candidate, &judge);
	for (unsigned i = 0; i < answer->setting_count; i++)
		judge.k9 |= OTHER_WAY(&answer->settings[i], K9);
	if (result == 0 && judge.k9)
		result = enumerate_program(program, true, order_candidate, &judge);
	free(judge.views);
	if (result != 0) {
		reference_destroy(answer);
		return result;
	}
	*ret_answer = answer;
	return 0;
}

void reference_destroy(struct reference_answer *answer)
{
	if (answer == NULL)
		return;
	for (unsigned i = 0; i < answer->state_count; i++)
		free(answer->states[i].values);
	free(answer->states);
	free(answer);
}

/* ---- what the models say --------------------------------------------- */

static enum reference_regime regime_of(enum oclmm_model model)
{
	switch (model) {
	case OCLMM_MODEL_OPENCL_2_0: return REFERENCE_R20;
	case OCLMM_MODEL_OPENCL_2_1: return REFERENCE_R21;
	case OCLMM_MODEL_OPENCL_3_1: return REFERENCE_R31;
	default: return REFERENCE_SCOPED;
	}
}

/** A version is answered over its own readings, consensus over those of all versions. */
static bool covers(enum oclmm_model model, enum reference_regime regime)
{
	return model == OCLMM_MODEL_CONSENSUS ? regime != REFERENCE_SCOPED
	                                      : regime == regime_of(model);
}

/** `scoped` is one reading, in which no value depends on itself. */
static unsigned readings_of_k6(enum oclmm_model model)
{
	return model == OCLMM_MODEL_SCOPED ? 1 : 2;
}

bool reference_undefined(const struct reference_answer *answer, enum oclmm_model model)
{
	for (unsigned i = 0; i < answer->setting_count; i++)
		for (unsigned k6 = 0; k6 < readings_of_k6(model); k6++)
			if (covers(model, answer->settings[i].regime) && answer->undefined[i][k6])
				return true;
	return false;
}

static enum oclmm_status verdict(const struct reference_answer *answer, enum oclmm_model model,
                                 const struct reference_state *state)
{
	bool some = false, all = true;

	for (unsigned i = 0; i < answer->setting_count; i++) {
		if (!covers(model, answer->settings[i].regime))
			continue;
		for (unsigned k6 = 0; k6 < readings_of_k6(model); k6++) {
			some |= state->allowed[i][k6];
			all &= state->allowed[i][k6];
		}
	}
	if (all)
		return OCLMM_STATUS_ALLOWED;
	return some ? OCLMM_STATUS_DISPUTED : OCLMM_STATUS_FORBIDDEN;
}

enum oclmm_status reference_status(const struct reference_answer *answer, enum oclmm_model model,
                                   const int64_t *values)
{
	size_t size = answer->program->observable_count * sizeof(*values);

	/* under `scoped` a race is reported beside the states, section I */
	if (model != OCLMM_MODEL_SCOPED && reference_undefined(answer, model))
		return OCLMM_STATUS_UNDEFINED;
	for (unsigned i = 0; i < answer->state_count; i++)
		if (memcmp(answer->states[i].values, values, size) == 0)
			return verdict(answer, model, &answer->states[i]);
	return OCLMM_STATUS_FORBIDDEN;
}
