// SPDX-License-Identifier: Apache-2.0
#include "print.h"

#include <stdlib.h>
#include <string.h>

/* ---- loops ------------------------------------------------------------ */

static int find_unroll(void *data, const struct oclmm_statement *statement)
{
	uint32_t *bound = data;

	if (statement->kind == OCLMM_STATEMENT_WHILE && statement->loop.unroll > *bound)
		*bound = statement->loop.unroll;
	return 0;
}

/* One line gives the bound of all loops, since all come from one line. */
static void print_unroll(struct oclmm_text *text, const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.statement = find_unroll};
	uint32_t bound = 0;

	for (uint32_t i = 0; i < program->thread_count; i++)
		oclmm_visit_body(&visitor, program->threads[i].body, &bound);
	if (bound)
		oclmm_text_printf(text, "unroll %u\n\n", bound);
}

/* ---- the initial state ------------------------------------------------- */

static bool is_parameter(const struct oclmm_program *program, uint32_t location)
{
	for (uint32_t i = 0; i < program->thread_count; i++) {
		for (uint32_t k = 0; k < program->threads[i].parameter_count; k++) {
			if (program->threads[i].parameters[k].location == location)
				return true;
		}
	}
	return false;
}

static void print_location(struct oclmm_text *text, const struct oclmm_program *program,
                           uint32_t index)
{
	const struct oclmm_location *location = &program->locations[index];
	const char *word = oclmm_storage_word(location->storage);

	oclmm_text_printf(text, "%s%s", word, *word ? " " : "");
	/* elsewhere the parameters tell the type */
	if (!is_parameter(program, index) && (location->type != OCLMM_TYPE_INT || location->atomic))
		oclmm_text_printf(text, "%s ",
		                  oclmm_type_spelling(location->type, location->atomic));
	if (!location->is_array) {
		oclmm_text_add(text, "[");
		oclmm_text_add(text, location->name);
		oclmm_text_add(text, "] = ");
		oclmm_value_print(text, location->type, location->initial[0]);
	} else {
		oclmm_text_printf(text, "%s[%u] = {", location->name, location->elements);
		for (uint32_t i = 0; i < location->elements; i++) {
			oclmm_text_add(text, i ? ", " : "");
			oclmm_value_print(text, location->type, location->initial[i]);
		}
		oclmm_text_add(text, "}");
	}
	oclmm_text_add(text, ";\n");
}

static void print_init(struct oclmm_text *text, const struct oclmm_program *program)
{
	oclmm_text_add(text, "{\n");
	for (uint32_t i = 0; i < program->location_count; i++)
		print_location(text, program, i);
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];

		for (uint32_t k = 0; k < thread->register_count; k++) {
			const struct oclmm_register *reg = &thread->registers[k];

			if (!reg->has_initial)
				continue;
			oclmm_text_printf(text, "%s %u:%s = ", oclmm_type_name(reg->type),
			                  thread->id, reg->name);
			oclmm_value_print(text, reg->type, reg->initial);
			oclmm_text_add(text, ";\n");
		}
	}
	oclmm_text_add(text, "}\n");
}

/* ---- what is observed -------------------------------------------------- */

/* Whether first mentions, read from left to right, follow the order of the
 * program's observables; `*next` is the one whose turn it is. */
static bool mention(const struct oclmm_operand *operand, uint32_t *next)
{
	if (operand->is_constant || operand->observable < *next)
		return true;
	return operand->observable == (*next)++;
}

static bool mentions_in_order(const struct oclmm_condition *condition, uint32_t *next)
{
	if (!condition)
		return true;
	if (condition->kind == OCLMM_CONDITION_COMPARE)
		return mention(&condition->a, next) && mention(&condition->b, next);
	return mentions_in_order(condition->left, next) &&
	       mentions_in_order(condition->right, next);
}

/* Outcomes are tuples in the order of the observables. Where the conditions
 * alone would not give that order back, a `locations` line says it. */
static void print_locations(struct oclmm_text *text, const struct oclmm_program *program)
{
	uint32_t next = 0;

	if (mentions_in_order(program->condition, &next) &&
	    mentions_in_order(program->filter, &next) && next == program->observable_count)
		return;
	oclmm_text_add(text, "locations [");
	for (uint32_t i = 0; i < program->observable_count; i++)
		oclmm_text_printf(text, "%s%s;", i ? " " : "", program->observables[i].name);
	oclmm_text_add(text, "]\n");
}

const char *oclmm_quantifier_word(enum oclmm_quantifier quantifier)
{
	static const char *const words[] = {
		[OCLMM_QUANTIFIER_EXISTS] = "exists",
		[OCLMM_QUANTIFIER_NOT_EXISTS] = "~exists",
		[OCLMM_QUANTIFIER_FORALL] = "forall",
	};

	return words[quantifier];
}

void oclmm_final_print(struct oclmm_text *text, const struct oclmm_program *program)
{
	oclmm_text_printf(text, "%s (", oclmm_quantifier_word(program->quantifier));
	oclmm_condition_print(text, program, program->condition);
	oclmm_text_add(text, ")");
}

static void print_final(struct oclmm_text *text, const struct oclmm_program *program)
{
	oclmm_text_add(text, "\n");
	print_locations(text, program);
	if (program->filter) {
		oclmm_text_add(text, "filter (");
		oclmm_condition_print(text, program, program->filter);
		oclmm_text_add(text, ")\n");
	}
	oclmm_final_print(text, program);
	oclmm_text_add(text, "\n");
}

static void print_all(struct oclmm_text *text, const struct oclmm_program *program,
                      struct oclmm_line_marks *lines)
{
	oclmm_text_printf(text, "OPENCL %s\n\n", program->name);
	print_unroll(text, program);
	print_init(text, program);
	for (uint32_t i = 0; i < program->thread_count; i++)
		oclmm_print_thread(
			&(struct oclmm_printer){text, program, &program->threads[i], lines});
	print_final(text, program);
}

void oclmm_program_print(struct oclmm_text *text, const struct oclmm_program *program)
{
	print_all(text, program, NULL);
}

void oclmm_program_print_numbered(struct oclmm_text *text, const struct oclmm_program *program)
{
	struct oclmm_line_marks lines = {0};
	struct oclmm_text plain = {0};
	const char *start, *line;
	size_t next = 0;

	print_all(&plain, program, &lines);
	start = oclmm_text_string(&plain);
	for (line = start; *line; line += strcspn(line, "\n") + 1) {
		int length = (int)strcspn(line, "\n");
		bool marked = next < lines.count && lines.marks[next].at == (size_t)(line - start);

		if (marked)
			oclmm_text_printf(text, "%4u  ", lines.marks[next++].line);
		else if (length)
			oclmm_text_add(text, "      ");
		oclmm_text_printf(text, "%.*s\n", length, line);
	}
	free(lines.marks);
	oclmm_text_finish(&plain);
}

/* The name stands in the first line; the rest is what the test means. */
uint64_t oclmm_program_hash(const struct oclmm_program *program)
{
	struct oclmm_text text = {0};
	const char *rest;
	uint64_t hash;

	oclmm_program_print(&text, program);
	rest = strchr(oclmm_text_string(&text), '\n');
	hash = oclmm_hash(rest, strlen(rest));
	oclmm_text_finish(&text);
	return hash;
}
