// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base_wide.h"
#include "oclmm/ir.h"

#include <string.h>

/* A constant has the type of what it is compared with; the reader saw to it
 * that it fits. */
static enum oclmm_type operand_type(const struct oclmm_program *program,
                                    const struct oclmm_operand *a,
                                    const struct oclmm_operand *other)
{
	if (!a->is_constant)
		return program->observables[a->observable].type;
	if (!other->is_constant)
		return program->observables[other->observable].type;
	return OCLMM_TYPE_LONG;
}

static struct oclmm_wide widen(enum oclmm_type type, int64_t value)
{
	return oclmm_type_is_signed(type) ? oclmm_wide_of_signed(value)
	                                  : oclmm_wide_of_unsigned((uint64_t)value);
}

/* Comparisons in conditions are of numbers, without C's conversions: what a
 * test asks of its outcome must not depend on which side is unsigned. */
static bool compare(const struct oclmm_program *program, const struct oclmm_condition *condition,
                    const int64_t *values)
{
	const struct oclmm_operand *a = &condition->a, *b = &condition->b;
	int order = oclmm_wide_compare(widen(operand_type(program, a, b),
	                                     a->is_constant ? a->constant : values[a->observable]),
	                               widen(operand_type(program, b, a),
	                                     b->is_constant ? b->constant : values[b->observable]));

	switch (condition->op) {
	case OCLMM_OPERATOR_EQ: return order == 0;
	case OCLMM_OPERATOR_NE: return order != 0;
	case OCLMM_OPERATOR_LT: return order < 0;
	case OCLMM_OPERATOR_GT: return order > 0;
	case OCLMM_OPERATOR_LE: return order <= 0;
	case OCLMM_OPERATOR_GE: return order >= 0;
	default: return false;
	}
}

bool oclmm_condition_holds(const struct oclmm_program *program,
                           const struct oclmm_condition *condition, const int64_t *values)
{
	switch (condition->kind) {
	case OCLMM_CONDITION_TRUE: return true;
	case OCLMM_CONDITION_COMPARE: return compare(program, condition, values);
	case OCLMM_CONDITION_AND:
		return oclmm_condition_holds(program, condition->left, values) &&
		       oclmm_condition_holds(program, condition->right, values);
	case OCLMM_CONDITION_OR:
		return oclmm_condition_holds(program, condition->left, values) ||
		       oclmm_condition_holds(program, condition->right, values);
	case OCLMM_CONDITION_NOT: return !oclmm_condition_holds(program, condition->left, values);
	}
	return false;
}

static void print_operand(struct oclmm_text *text, const struct oclmm_program *program,
                          const struct oclmm_operand *a, const struct oclmm_operand *other)
{
	if (a->is_constant)
		oclmm_value_print(text, operand_type(program, a, other), a->constant);
	else
		oclmm_text_add(text, program->observables[a->observable].name);
}

static void print_compare(struct oclmm_text *text, const struct oclmm_program *program,
                          const struct oclmm_condition *condition)
{
	print_operand(text, program, &condition->a, &condition->b);
	/* herd's own printing has a single sign here */
	if (condition->op == OCLMM_OPERATOR_EQ)
		oclmm_text_add(text, "=");
	else
		oclmm_text_add(text, oclmm_operator_spelling(condition->op));
	print_operand(text, program, &condition->b, &condition->a);
}

/* How tightly each kind binds: `~`, then `/\`, then `\/`. */
static int binding(enum oclmm_condition_kind kind)
{
	switch (kind) {
	case OCLMM_CONDITION_OR: return 1;
	case OCLMM_CONDITION_AND: return 2;
	case OCLMM_CONDITION_NOT: return 3;
	default: return 4;
	}
}

static void print(struct oclmm_text *text, const struct oclmm_program *program,
                  const struct oclmm_condition *condition, int least)
{
	int own = binding(condition->kind);

	if (own < least)
		oclmm_text_add(text, "(");
	switch (condition->kind) {
	case OCLMM_CONDITION_TRUE: oclmm_text_add(text, "true"); break;
	case OCLMM_CONDITION_COMPARE: print_compare(text, program, condition); break;
	case OCLMM_CONDITION_AND:
	case OCLMM_CONDITION_OR:
		print(text, program, condition->left, own);
		oclmm_text_add(text, condition->kind == OCLMM_CONDITION_AND ? " /\\ " : " \\/ ");
		print(text, program, condition->right, own + 1);
		break;
	case OCLMM_CONDITION_NOT:
		/* `~` before a comparison would be read by eye as `~` of its left side */
		oclmm_text_add(text, "~(");
		print(text, program, condition->left, 0);
		oclmm_text_add(text, ")");
		break;
	}
	if (own < least)
		oclmm_text_add(text, ")");
}

void oclmm_condition_print(struct oclmm_text *text, const struct oclmm_program *program,
                           const struct oclmm_condition *condition)
{
	print(text, program, condition, 0);
}

void oclmm_outcome_print(struct oclmm_text *text, const struct oclmm_program *program,
                         const int64_t *values)
{
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *observable = &program->observables[i];

		oclmm_text_printf(text, "%s%s=", i ? " " : "", observable->name);
		oclmm_value_print(text, observable->type, values[i]);
		oclmm_text_add(text, ";");
	}
}

bool oclmm_program_has_images(const struct oclmm_program *program)
{
	for (uint32_t i = 0; i < program->location_count; i++)
		if (oclmm_location_is_image(&program->locations[i]))
			return true;
	return false;
}

int oclmm_thread_find_register(const struct oclmm_thread *thread, const char *name)
{
	for (uint32_t i = 0; i < thread->register_count; i++) {
		if (strcmp(thread->registers[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

int oclmm_program_find_location(const struct oclmm_program *program, const char *name)
{
	for (uint32_t i = 0; i < program->location_count; i++) {
		if (!strcmp(program->locations[i].name, name))
			return (int)i;
	}
	return -1;
}
