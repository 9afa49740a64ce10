// SPDX-License-Identifier: Apache-2.0
#include "compare.h"

#include <string.h>

struct pair {
	const struct oclmm_program *program;
	const struct oclmm_answer *fast;
	const struct reference_answer *slow;
	struct oclmm_text *text;
	bool differ;
};

/** Both answers for one state, `fast/slow` where they differ. */
static void compare_state(struct pair *pair, const int64_t *values)
{
	if (pair->text != NULL)
		oclmm_outcome_print(pair->text, pair->program, values);
	for (unsigned model = 0; model < OCLMM_MODEL_COUNT; model++) {
		enum oclmm_status fast = oclmm_answer_status(pair->fast, (enum oclmm_model)model,
		                                             values);
		enum oclmm_status slow = reference_status(pair->slow, (enum oclmm_model)model,
		                                          values);

		pair->differ |= fast != slow;
		if (pair->text == NULL)
			continue;
		oclmm_text_printf(pair->text, "  %s", oclmm_status_word(fast));
		if (fast != slow)
			oclmm_text_printf(pair->text, "/%s (!)", oclmm_status_word(slow));
	}
	if (pair->text != NULL)
		oclmm_text_add(pair->text, "\n");
}

static bool is_listed(const struct oclmm_answer *answer, const int64_t *values)
{
	size_t size = answer->program->observable_count * sizeof(*values);

	for (uint32_t i = 0; i < answer->state_count; i++)
		if (memcmp(answer->states[i].values, values, size) == 0)
			return true;
	return false;
}

static void compare_undefined(struct pair *pair)
{
	for (unsigned model = 0; model < OCLMM_MODEL_COUNT; model++) {
		bool fast = pair->fast->undefined[model];
		bool slow = reference_undefined(pair->slow, (enum oclmm_model)model);

		pair->differ |= fast != slow;
		if (pair->text == NULL)
			continue;
		oclmm_text_printf(pair->text, "%s: %s", oclmm_model_name((enum oclmm_model)model),
		                  fast ? oclmm_undefined_word(pair->fast->witness[model].reason)
		                       : "defined");
		if (fast != slow)
			oclmm_text_printf(pair->text, " / reference: %s (!)",
			                  slow ? "undefined" : "defined");
		oclmm_text_add(pair->text, "\n");
	}
}

/* ---- single readings ------------------------------------------------- */

static enum reference_regime regime_of(enum oclmm_model model)
{
	switch (model) {
	case OCLMM_MODEL_OPENCL_2_0: return REFERENCE_R20;
	case OCLMM_MODEL_OPENCL_2_1: return REFERENCE_R21;
	case OCLMM_MODEL_OPENCL_3_1: return REFERENCE_R31;
	default: return REFERENCE_SCOPED;
	}
}

static const struct reference_state *find_state(const struct reference_answer *answer,
                                                const int64_t *values)
{
	size_t size = answer->program->observable_count * sizeof(*values);

	for (unsigned i = 0; i < answer->state_count; i++)
		if (memcmp(answer->states[i].values, values, size) == 0)
			return &answer->states[i];
	return NULL;
}

static void name_reading(const struct oclmm_reading *reading, struct oclmm_text *text)
{
	oclmm_text_printf(text, "reading %s", oclmm_model_name(reading->regime));
	for (unsigned k = 0; k < OCLMM_KNOB_COUNT; k++)
		if (reading->alternatives & 1u << k)
			oclmm_text_printf(text, "+%s", oclmm_knob_name((enum oclmm_knob)k));
}

static void differ(struct pair *pair, const struct oclmm_reading *reading, const int64_t *values,
                   const char *who)
{
	pair->differ = true;
	if (pair->text == NULL)
		return;
	name_reading(reading, pair->text);
	oclmm_text_add(pair->text, ": ");
	if (values != NULL)
		oclmm_outcome_print(pair->text, pair->program, values);
	oclmm_text_printf(pair->text, " %s by the %s only (!)\n",
	                  values != NULL ? "allowed" : "undefined", who);
}

/**
 * What consensus hides: an error under one reading where another reading
 * allows the state anyway.
 */
static void compare_reading(struct pair *pair, uint32_t reading)
{
	const struct oclmm_reading *r = &pair->fast->readings[reading];
	bool k6 = r->alternatives & 1u << OCLMM_KNOB_K6;
	int setting = reference_find_setting(pair->slow, regime_of(r->regime),
	                                     r->alternatives & ~(1u << OCLMM_KNOB_K6));

	if (setting < 0) {
		differ(pair, r, NULL, "list of readings of the oracle");
		return;
	}
	if (pair->fast->undefined_by[reading] != pair->slow->undefined[setting][k6]) {
		differ(pair, r, NULL, pair->fast->undefined_by[reading] ? "oracle" : "reference");
		return;
	}
	for (uint32_t i = 0; i < pair->fast->state_count; i++) {
		const struct oclmm_state *fast = &pair->fast->states[i];
		const struct reference_state *slow = find_state(pair->slow, fast->values);
		bool allowed = slow != NULL && slow->allowed[setting][k6];

		if (fast->allowed_by[reading] != allowed)
			differ(pair, r, fast->values, allowed ? "reference" : "oracle");
	}
}

static void compare_answers(struct pair *pair)
{
	if (pair->text != NULL)
		oclmm_text_printf(pair->text,
		                  "states: oracle %u, reference %u (oracle/reference)\n",
		                  pair->fast->state_count, pair->slow->state_count);
	for (uint32_t i = 0; i < pair->fast->state_count; i++)
		compare_state(pair, pair->fast->states[i].values);
	for (unsigned i = 0; i < pair->slow->state_count; i++)
		if (!is_listed(pair->fast, pair->slow->states[i].values))
			compare_state(pair, pair->slow->states[i].values);
	compare_undefined(pair);
	for (uint32_t i = 0; i < pair->fast->reading_count; i++)
		compare_reading(pair, i);
}

static void count(const struct reference_answer *answer, struct comparison_counts *counts)
{
	bool some[4] = {false};

	counts->candidates += answer->candidates;
	for (unsigned i = 0; i < answer->state_count; i++)
		some[reference_status(answer, OCLMM_MODEL_CONSENSUS, answer->states[i].values)] =
			true;
	counts->undefined += some[OCLMM_STATUS_UNDEFINED];
	counts->disputed += some[OCLMM_STATUS_DISPUTED];
	counts->forbidden += some[OCLMM_STATUS_FORBIDDEN];
}

enum comparison compare_oracles(const struct oclmm_program *program,
                                const struct reference_limits *limits,
                                struct comparison_counts *counts, struct oclmm_text *text)
{
	struct oclmm_check_options options = {.models = (1u << OCLMM_MODEL_COUNT) - 1};
	struct pair pair = {.program = program, .text = text};
	struct reference_answer *slow;
	struct oclmm_answer *fast;
	struct oclmm_error error;
	int result = reference_check(program, limits, &slow);

	if (result != 0)
		return COMPARISON_TOO_LARGE;
	result = oclmm_check(program, &options, &error, &fast);
	if (result != 0) {
		if (text != NULL)
			oclmm_text_printf(text, "the oracle fails: %s\n", strerror(-result));
		reference_destroy(slow);
		return COMPARISON_DIFFERENT;
	}
	pair.fast = fast;
	pair.slow = slow;
	compare_answers(&pair);
	if (counts != NULL)
		count(slow, counts);
	oclmm_answer_destroy(fast);
	reference_destroy(slow);
	return pair.differ ? COMPARISON_DIFFERENT : COMPARISON_EQUAL;
}
