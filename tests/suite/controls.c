// SPDX-License-Identifier: Apache-2.0
#include "controls.h"

#include <stdlib.h>
#include <string.h>

/* ---- controls -------------------------------------------------------- */

static bool is_control(const struct oclmm_litmus *litmus, const struct oclmm_variant *variant)
{
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		if (litmus->variants[i].control &&
		    strcmp(litmus->variants[i].control, variant->name) == 0)
			return true;
	}
	return false;
}

/*
 * Whether the text forbids something that another choice of reads-from and
 * modification order would show. (What no candidate execution reaches, no
 * weakening shows either.)
 */
static bool forbids(const struct oclmm_answer *answer)
{
	if (answer->undefined[OCLMM_MODEL_CONSENSUS])
		return false;
	for (uint32_t i = 0; i < answer->state_count; i++) {
		if (answer->states[i].status[OCLMM_MODEL_CONSENSUS] == OCLMM_STATUS_FORBIDDEN)
			return true;
	}
	return false;
}

static bool never(const struct oclmm_answer *answer)
{
	return oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS) == OCLMM_OBSERVATION_NEVER;
}

/* Whether the condition can hold in an allowed state of a defined program. */
static bool allows_condition(const struct oclmm_answer *answer)
{
	enum oclmm_observation o = oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS);

	return o == OCLMM_OBSERVATION_SOMETIMES || o == OCLMM_OBSERVATION_ALWAYS;
}

/* The line of the family's README on a test: `* [NAME](NAME.litmus) – … (no control: why)`. */
static bool readme_says_why(const struct oclmm_litmus *litmus)
{
	struct oclmm_text path = {0}, line = {0};
	char *text, *found, *end;
	size_t length;
	bool says;

	oclmm_text_printf(&path, "%.*s/README.md", (int)(strrchr(litmus->path, '/') - litmus->path),
	                  litmus->path);
	if (oclmm_read_file(oclmm_text_string(&path), &text, &length) < 0) {
		complain(oclmm_text_string(&path), "cannot be read");
		oclmm_text_finish(&path);
		return false;
	}
	oclmm_text_printf(&line, "* [%s](", litmus->name);
	found = strstr(text, oclmm_text_string(&line));
	end = found ? found + strcspn(found, "\n") : NULL;
	found = found ? strstr(found, "(no control: ") : NULL;
	says = found && found + strlen("(no control: because") < end;
	oclmm_text_finish(&line);
	oclmm_text_finish(&path);
	free(text);
	return says;
}

/* Commands without their edge race, and show the outcome where the device runs them as it likes. */
static bool lacks_edge(const struct oclmm_litmus *litmus, const struct oclmm_variant *control,
                       const struct oclmm_answer *answer)
{
	return oclmm_program_has_commands(litmus->variants[0].program) &&
	       oclmm_program_has_commands(control->program) &&
	       answer->undefined[OCLMM_MODEL_CONSENSUS];
}

static void check_control(const struct oclmm_litmus *litmus, uint32_t index,
                          struct oclmm_answer *const *answers)
{
	const struct oclmm_variant *variant = &litmus->variants[index];
	const struct oclmm_variant *control = oclmm_litmus_find(litmus, variant->control);

	if (!control) {
		complain(variant->name, "its control %s does not exist", variant->control);
		return;
	}
	if (never(answers[index]) && answers[control - litmus->variants] &&
	    !lacks_edge(litmus, control, answers[control - litmus->variants]) &&
	    !allows_condition(answers[control - litmus->variants]))
		complain(variant->name, "its control %s does not allow it", variant->control);
	if (forbids(answers[index]))
		check_comparable(variant, answers[index], control);
}

void check_controls(const struct oclmm_litmus *litmus, struct oclmm_answer *const *answers)
{
	bool excused = readme_says_why(litmus), missing = false;

	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		const struct oclmm_variant *variant = &litmus->variants[i];

		if (!answers[i])
			continue;
		if (variant->control) {
			check_control(litmus, i, answers);
			continue;
		}
		/* a control may still forbid something else: it is there to be seen, not to be
		 * silent */
		if (!never(answers[i]) && (!forbids(answers[i]) || is_control(litmus, variant)))
			continue;
		missing = true;
		if (!excused)
			complain(variant->name,
			         "has no control, and the family's README does not say why");
	}
	if (excused && !missing)
		complain(litmus->path,
		         "has controls, though the family's README says why it has none");
}

/* ---- programs -------------------------------------------------------- */

struct known {
	uint64_t hash;
	char *name;
	bool control;
};

static struct known *programs;
static size_t program_count, program_capacity;

void note_programs(const struct oclmm_litmus *litmus)
{
	if (strstr(litmus->path, "/idiom/") || strstr(litmus->path, "/legacy/"))
		return;
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		const struct oclmm_variant *variant = &litmus->variants[i];

		oclmm_grow(&programs, &program_capacity, program_count, sizeof(*programs));
		programs[program_count++] = (struct known){
			.hash = variant->program->hash,
			.name = oclmm_strdup(variant->name),
			.control = is_control(litmus, variant),
		};
	}
}

/* By program, controls behind. */
static int compare(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->control - y->control;
}

void check_programs(void)
{
	qsort(programs, program_count, sizeof(*programs), compare);
	for (size_t i = 1; i < program_count; i++) {
		if (programs[i].hash == programs[i - 1].hash && !programs[i].control)
			complain(programs[i].name, "is the same program as %s",
			         programs[i - 1].name);
	}
	for (size_t i = 0; i < program_count; i++)
		free(programs[i].name);
	free(programs);
}
