// SPDX-License-Identifier: Apache-2.0
/* One expected set in herd7's log format, and the words that reports share with it. */
#include "internal.h"

#include <inttypes.h>
#include <string.h>

const char *oclmm_log_kind(enum oclmm_quantifier quantifier)
{
	switch (quantifier) {
	case OCLMM_QUANTIFIER_EXISTS: return "Allowed";
	case OCLMM_QUANTIFIER_NOT_EXISTS: return "Forbidden";
	case OCLMM_QUANTIFIER_FORALL: break;
	}
	return "Required";
}

void oclmm_log_name(struct oclmm_text *text, const char *name)
{
	for (; *name; name++) {
		bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
		             (*name >= '0' && *name <= '9') || strchr("_/.-+[]", *name);

		oclmm_text_add_bytes(text, plain ? name : ".", 1);
	}
}

bool oclmm_log_ok(enum oclmm_quantifier quantifier, uint64_t holds, uint64_t fails)
{
	switch (quantifier) {
	case OCLMM_QUANTIFIER_EXISTS: return holds > 0;
	case OCLMM_QUANTIFIER_NOT_EXISTS: return holds == 0;
	case OCLMM_QUANTIFIER_FORALL: break;
	}
	return fails == 0;
}

static void print_states(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	oclmm_text_printf(text, "States %u\n", expected->allowed_count);
	for (uint32_t i = 0; i < expected->state_count; i++) {
		if (expected->states[i].status != OCLMM_STATUS_ALLOWED)
			continue;
		expected_print_state(text, expected, expected->states[i].values);
		oclmm_text_add(text, "\n");
	}
}

/*
 * herd counts the states that speak for the quantified condition as positive,
 * while `Observation` counts those in which its predicate holds.
 */
static void print_witnesses(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	uint32_t holds = expected->positive, fails = expected->allowed_count - expected->positive;
	bool negated = expected->quantifier == OCLMM_QUANTIFIER_NOT_EXISTS;
	bool ok = oclmm_log_ok(expected->quantifier, holds, fails);

	oclmm_text_printf(text, "%s\n", expected->undefined ? "Undef" : ok ? "Ok" : "No");
	oclmm_text_printf(text, "Witnesses\nPositive: %u Negative: %u\n", negated ? fails : holds,
	                  negated ? holds : fails);
	oclmm_text_printf(text, "Condition %s (%s)\n", oclmm_quantifier_word(expected->quantifier),
	                  expected->condition);
	oclmm_text_add(text, "Observation ");
	oclmm_log_name(text, expected->name);
	oclmm_text_printf(text, " %s %u %u\n", oclmm_observation_word(expected->observation), holds,
	                  fails);
}

/* What is disputed, or undefined by some version only. */
static void print_disputed(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	for (uint32_t i = 0; i < expected->state_count; i++) {
		const struct oclmm_expected_state *state = &expected->states[i];

		if (state->status == OCLMM_STATUS_ALLOWED)
			continue;
		oclmm_text_add(text,
		               state->status == OCLMM_STATUS_DISPUTED ? "Disputed=" : "Version=");
		expected_print_state(text, expected, state->values);
		expected_print_verdicts(text, state);
		oclmm_text_add(text, "\n");
	}
}

static void print_undefined(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	if (!expected->undefined)
		return;
	oclmm_text_printf(text, "Undefined=%s\n",
	                  expected->undefined_why ? expected->undefined_why : "");
	if (!expected->defined)
		return;
	oclmm_text_add(text, "Defined=");
	expected_print_versions(text, expected->defined);
	oclmm_text_add(text, "\n");
}

void oclmm_expected_print_log(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	oclmm_text_add(text, "Test ");
	oclmm_log_name(text, expected->name);
	oclmm_text_printf(text, " %s\n", oclmm_log_kind(expected->quantifier));
	print_states(text, expected);
	print_witnesses(text, expected);
	oclmm_text_printf(text, "Hash=%016" PRIx64 "\n", expected->hash);
	oclmm_text_printf(text, "Variant=%s\n", expected->name);
	oclmm_text_add(text, "Values=");
	expected_print_values(text, expected);
	oclmm_text_add(text, "\n");
	print_disputed(text, expected);
	print_undefined(text, expected);
	if (expected->models)
		oclmm_text_printf(text, "Models=%s\n", expected->models);
	if (expected->may_be_cut)
		oclmm_text_add(text, "Cut=yes\n");
	oclmm_text_add(text, "\n");
}
