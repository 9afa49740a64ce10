// SPDX-License-Identifier: Apache-2.0
/* The words of the model: names of models, knobs, verdicts. */
#include <stdio.h>
#include <string.h>

#include "oclmm/model_execution.h"

OCLMM_LOOK_UP(const char *, oclmm_axiom_name, oclmm_axiom, OCLMM_AXIOMS, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_axiom_section, oclmm_axiom, OCLMM_AXIOMS, SECOND);
OCLMM_LOOK_UP(const char *, oclmm_model_name, oclmm_model, OCLMM_MODELS, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_model_description, oclmm_model, OCLMM_MODELS, SECOND);
OCLMM_FIND(oclmm_model_find, oclmm_model, OCLMM_MODELS, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_knob_name, oclmm_knob, OCLMM_KNOBS, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_knob_question, oclmm_knob, OCLMM_KNOBS, SECOND);
OCLMM_FIND(oclmm_knob_find, oclmm_knob, OCLMM_KNOBS, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_edge_name, oclmm_edge, OCLMM_EDGES, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_edge_meaning, oclmm_edge, OCLMM_EDGES, SECOND);
OCLMM_LOOK_UP(const char *, oclmm_edge_section, oclmm_edge, OCLMM_EDGES, THIRD);
OCLMM_LOOK_UP(const char *, oclmm_rule_name, oclmm_rule, OCLMM_RULES, SECOND);

OCLMM_LOOK_UP(const char *, oclmm_scoped_rule_text, oclmm_scoped_rule, OCLMM_SCOPED_RULES, FIRST);

bool oclmm_model_parse(const char *name, enum oclmm_model *ret_model)
{
	/* one text serves these versions */
	if (strcmp(name, "opencl-2.2") == 0 || strcmp(name, "opencl-3.0") == 0) {
		*ret_model = OCLMM_MODEL_OPENCL_2_1;
		return true;
	}
	return oclmm_model_find(name, strlen(name), ret_model);
}

static enum oclmm_model model_of_version(unsigned major, unsigned minor)
{
	if (major < 2)
		return OCLMM_MODEL_CONSENSUS;
	if (major > 3 || (major == 3 && minor > 0))
		return OCLMM_MODEL_OPENCL_3_1;
	return major == 2 && minor == 0 ? OCLMM_MODEL_OPENCL_2_0 : OCLMM_MODEL_OPENCL_2_1;
}

enum oclmm_model oclmm_model_of_device(const char *version)
{
	unsigned major, minor;

	if (!version || sscanf(version, "OpenCL %9u.%9u", &major, &minor) != 2)
		return OCLMM_MODEL_CONSENSUS;
	return model_of_version(major, minor);
}

bool oclmm_model_covers(enum oclmm_model model, const struct oclmm_reading *reading)
{
	return model == OCLMM_MODEL_CONSENSUS ? reading->regime != OCLMM_MODEL_SCOPED
	                                      : reading->regime == model;
}

void oclmm_knobs_print(struct oclmm_text *text, unsigned set)
{
	const char *separator = "";

	for (int knob = 0; knob < OCLMM_KNOB_COUNT; knob++) {
		if (!(set & 1u << knob))
			continue;
		oclmm_text_printf(text, "%s%s", separator, oclmm_knob_name((enum oclmm_knob)knob));
		separator = " ";
	}
}

const char *oclmm_status_word(enum oclmm_status status)
{
	static const char *const words[] = {"forbidden", "allowed", "disputed", "undefined"};

	return words[status];
}

const char *oclmm_undefined_word(enum oclmm_undefined reason)
{
	static const char *const words[] = {
		"defined",
		"data race",
		"barrier divergence",
		"signed overflow",
		"division by zero",
		"index out of bounds",
		"overlapping commands",
		"a local object without a value",
		"misused semaphore",
		"misused external memory",
		"misused split barrier",
	};

	return words[reason];
}

const char *oclmm_observation_word(enum oclmm_observation observation)
{
	static const char *const words[] = {"Never", "Sometimes", "Always", "Undefined",
	                                    "Disputed"};

	return words[observation];
}

enum oclmm_axiom oclmm_rule_axiom(enum oclmm_rule rule)
{
#define OCLMM_X(id, axiom, name) [OCLMM_RULE_##id] = OCLMM_AXIOM_##axiom,
	static const enum oclmm_axiom axioms[] = {OCLMM_RULES(OCLMM_X)};
#undef OCLMM_X

	return axioms[rule];
}
