// SPDX-License-Identifier: Apache-2.0
/* The words of the model: names of models, knobs, verdicts. */
#include <stdio.h>
#include <string.h>

#include "oclmm/model_execution.h"

static const struct {
	const char *name, *description;
} models[] = {
#define OCLMM_X(id, name, description) [OCLMM_MODEL_##id] = {name, description},
	OCLMM_MODELS(OCLMM_X)
#undef OCLMM_X
};

static const struct {
	const char *name, *question;
} knobs[] = {
#define OCLMM_X(id, name, question) [OCLMM_KNOB_##id] = {name, question},
	OCLMM_KNOBS(OCLMM_X)
#undef OCLMM_X
};

static const struct {
	const char *name, *section;
} axioms[] = {
#define OCLMM_X(id, name, section) [OCLMM_AXIOM_##id] = {name, section},
	OCLMM_AXIOMS(OCLMM_X)
#undef OCLMM_X
};

const char *oclmm_axiom_name(enum oclmm_axiom axiom)
{
	return axioms[axiom].name;
}

const char *oclmm_axiom_section(enum oclmm_axiom axiom)
{
	return axioms[axiom].section;
}

const char *oclmm_model_name(enum oclmm_model model)
{
	return models[model].name;
}

const char *oclmm_model_description(enum oclmm_model model)
{
	return models[model].description;
}

bool oclmm_model_parse(const char *name, enum oclmm_model *ret_model)
{
	/* one text serves these versions */
	if (strcmp(name, "opencl-2.2") == 0 || strcmp(name, "opencl-3.0") == 0) {
		*ret_model = OCLMM_MODEL_OPENCL_2_1;
		return true;
	}
	for (unsigned i = 0; i < OCLMM_COUNT(models); i++) {
		if (strcmp(models[i].name, name) == 0) {
			*ret_model = (enum oclmm_model)i;
			return true;
		}
	}
	return false;
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

const char *oclmm_knob_name(enum oclmm_knob knob)
{
	return knobs[knob].name;
}

const char *oclmm_knob_question(enum oclmm_knob knob)
{
	return knobs[knob].question;
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
		"defined",         "data race",        "barrier divergence",
		"signed overflow", "division by zero", "index out of bounds",
	};

	return words[reason];
}

const char *oclmm_observation_word(enum oclmm_observation observation)
{
	static const char *const words[] = {"Never", "Sometimes", "Always", "Undefined",
	                                    "Disputed"};

	return words[observation];
}

static const struct {
	const char *name, *meaning, *section;
} edges[] = {
#define OCLMM_X(id, name, meaning, section) [OCLMM_EDGE_##id] = {name, meaning, section},
	OCLMM_EDGES(OCLMM_X)
#undef OCLMM_X
};

const char *oclmm_edge_name(enum oclmm_edge edge)
{
	return edges[edge].name;
}

const char *oclmm_edge_meaning(enum oclmm_edge edge)
{
	return edges[edge].meaning;
}

const char *oclmm_edge_section(enum oclmm_edge edge)
{
	return edges[edge].section;
}

static const struct {
	enum oclmm_axiom axiom;
	const char *name;
} rules[] = {
#define OCLMM_X(id, axiom, name) [OCLMM_RULE_##id] = {OCLMM_AXIOM_##axiom, name},
	OCLMM_RULES(OCLMM_X)
#undef OCLMM_X
};

enum oclmm_axiom oclmm_rule_axiom(enum oclmm_rule rule)
{
	return rules[rule].axiom;
}

const char *oclmm_rule_name(enum oclmm_rule rule)
{
	return rules[rule].name;
}
