// SPDX-License-Identifier: Apache-2.0
/*
 * The outcome that is explained: of a program's states the one that its condition asks for; or
 * another one, given as text. That is read by the reader of litmus files, as the last line of the
 * program printed, and carried over to the program itself, whose lines the explanation names.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "oclmm/syntax.h"

static const char before[] = "exists (";

/* The program printed with `outcome` for its condition. \return the number of the last line. */
static uint32_t print_asked(struct oclmm_text *text, const struct oclmm_program *program,
                            const char *outcome)
{
	uint32_t line = 1;

	oclmm_program_print(text, program);
	/* the condition is the last line */
	text->length--;
	while (text->length && text->data[text->length - 1] != '\n')
		text->length--;
	text->data[text->length] = '\0';
	for (size_t i = 0; i < text->length; i++)
		line += text->data[i] == '\n';
	oclmm_text_printf(text, "%s%s)\n", before, outcome);
	return line;
}

/* Makes a place in the printed program one in the outcome. */
static void turn_error(struct oclmm_error *error, uint32_t line, const char *outcome)
{
	size_t length = strlen(outcome), skip = sizeof(before) - 1;
	uint32_t column = error->position.column;
	bool at_end = error->position.line != line || column > skip + length;

	/* what the reader stumbles over there is not the user's */
	if (at_end) {
		column = (uint32_t)(skip + length + 1);
		snprintf(error->message, sizeof(error->message), "the outcome ends too early");
		error->note[0] = '\0';
	}
	column = column > skip ? column - (uint32_t)skip : 1;
	snprintf(error->file, sizeof(error->file), "%s", "outcome");
	snprintf(error->source, sizeof(error->source), "%s", outcome);
	error->position.line = 1;
	error->position.column = column;
	if (error->position.length > length + 1 - column)
		error->position.length = 1;
}

static void carry_observables(struct oclmm_arena *arena, const struct oclmm_program *from,
                              struct oclmm_program *to)
{
	to->observable_count = from->observable_count;
	to->observables = oclmm_arena_copy(arena, from->observables,
	                                   from->observable_count * sizeof(*from->observables));
	for (uint32_t i = 0; i < to->observable_count; i++) {
		struct oclmm_observable *o = &to->observables[i];

		o->name = oclmm_arena_strdup(arena, o->name);
		if (o->is_register)
			o->reg = (uint32_t)oclmm_thread_find_register(
				&to->threads[o->thread],
				from->threads[o->thread].registers[o->reg].name);
		else
			o->location = (uint32_t)oclmm_program_find_location(
				to, from->locations[o->location].name);
	}
}

static struct oclmm_condition *copy_condition(struct oclmm_arena *arena,
                                              const struct oclmm_condition *from)
{
	struct oclmm_condition *copy;

	if (!from)
		return NULL;
	copy = oclmm_arena_copy(arena, from, sizeof(*from));
	copy->left = copy_condition(arena, from->left);
	copy->right = copy_condition(arena, from->right);
	/* places in the outcome, as turn_error() has them */
	if (copy->position.column >= sizeof(before)) {
		copy->position.line = 1;
		copy->position.column -= (uint32_t)sizeof(before) - 1;
	}
	return copy;
}

int oclmm_explain_ask(struct oclmm_arena *arena, const struct oclmm_program *program,
                      const char *outcome, struct oclmm_error *error,
                      const struct oclmm_program **ret_program)
{
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_text text = {0};
	uint32_t line;
	int result;

	if (strpbrk(outcome, "\r\n"))
		return oclmm_error_set(error, -EINVAL, "an outcome is written in one line");
	line = print_asked(&text, program, outcome);
	result = oclmm_litmus_parse(program->file ? program->file : "", oclmm_text_string(&text),
	                            text.length, NULL, error, &litmus);
	if (result < 0) {
		turn_error(error, line, outcome);
	} else {
		const struct oclmm_program *asked = litmus->variants[0].program;
		struct oclmm_program *copy = oclmm_arena_copy(arena, program, sizeof(*program));

		carry_observables(arena, asked, copy);
		copy->quantifier = OCLMM_QUANTIFIER_EXISTS;
		copy->condition = copy_condition(arena, asked->condition);
		copy->filter = copy_condition(arena, asked->filter);
		*ret_program = copy;
	}
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
	return result;
}

const struct oclmm_state *oclmm_explain_state(const struct explain *x,
                                              const struct oclmm_answer *answer)
{
	static const enum oclmm_status wanted[] = {OCLMM_STATUS_ALLOWED, OCLMM_STATUS_DISPUTED,
	                                           OCLMM_STATUS_FORBIDDEN, OCLMM_STATUS_UNDEFINED};

	for (size_t k = 0; k < OCLMM_COUNT(wanted); k++)
		for (uint32_t i = 0; i < answer->state_count; i++)
			if (program_asks_for(x->program, answer->states[i].values) &&
			    answer->states[i].status[x->e->model] == wanted[k])
				return &answer->states[i];
	return NULL;
}
