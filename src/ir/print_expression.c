// SPDX-License-Identifier: Apache-2.0
#include "print.h"

#include <ctype.h>
#include <string.h>

static bool is_negative(const struct oclmm_expression *expression)
{
	return expression->kind == OCLMM_EXPRESSION_CONSTANT && expression->constant < 0 &&
	       oclmm_type_is_signed(expression->type);
}

static bool is_operation(const struct oclmm_expression *expression)
{
	return expression->kind == OCLMM_EXPRESSION_BINARY ||
	       expression->kind == OCLMM_EXPRESSION_UNARY ||
	       expression->kind == OCLMM_EXPRESSION_CAST || is_negative(expression);
}

/*
 * Every operand that is an operation itself stands in parentheses, but for a
 * chain of one operator from the left: Dartagnan's precedence is not C's, and
 * the printed text has to mean the same to both.
 */
static void print_operand(const struct oclmm_printer *printer,
                          const struct oclmm_expression *operand, bool chained)
{
	bool enclosed = !chained && is_operation(operand);

	if (enclosed)
		oclmm_text_add(printer->text, "(");
	oclmm_print_expression(printer, operand);
	if (enclosed)
		oclmm_text_add(printer->text, ")");
}

/* With the suffix that gives a decimal constant its type again (C99 6.4.4.1): a signed one that an
 * int cannot hold has none. */
static void print_constant(struct oclmm_text *text, enum oclmm_type type, int64_t value)
{
	const char *suffix = oclmm_type_suffix(type);

	oclmm_value_print(text, type, value);
	if (oclmm_type_is_floating(type))
		oclmm_text_add(text, ".0");
	else if (oclmm_type_is_signed(type) && !oclmm_value_fits(type, value, OCLMM_TYPE_INT))
		return;
	for (; *suffix; suffix++)
		oclmm_text_add_bytes(text, &(char){(char)tolower((unsigned char)*suffix)}, 1);
}

void oclmm_print_element(const struct oclmm_printer *printer, const struct oclmm_place *place)
{
	oclmm_text_printf(printer->text, "%s, ", printer->program->locations[place->location].name);
	if (place->index)
		oclmm_print_expression(printer, place->index);
	else
		oclmm_text_add(printer->text, "0");
}

/* An object as C's lvalue: `*x`, `a[1]`. */
void oclmm_print_object(const struct oclmm_printer *printer, const struct oclmm_place *place)
{
	const char *name = printer->program->locations[place->location].name;

	if (oclmm_location_is_image(&printer->program->locations[place->location])) {
		oclmm_text_add(printer->text, "read_imagei(");
		oclmm_print_element(printer, place);
		oclmm_text_add(printer->text, ").x");
		return;
	}
	if (!place->index) {
		oclmm_text_add(printer->text, "*");
		oclmm_text_add(printer->text, name);
		return;
	}
	oclmm_text_printf(printer->text, "%s[", name);
	oclmm_print_expression(printer, place->index);
	oclmm_text_add(printer->text, "]");
}

void oclmm_print_pointer(const struct oclmm_printer *printer, const struct oclmm_place *place)
{
	if (!place->index) {
		oclmm_text_add(printer->text, printer->program->locations[place->location].name);
		return;
	}
	oclmm_text_add(printer->text, "&");
	oclmm_print_object(printer, place);
}

/* The 1.x functions that step by one take no operand (C:6.15.12.8). */
static bool steps_by_one(const struct oclmm_atomic *atomic)
{
	size_t length = strlen(atomic->spelling);

	return atomic->legacy && length > 4 &&
	       (!strcmp(atomic->spelling + length - 4, "_inc") ||
	        !strcmp(atomic->spelling + length - 4, "_dec"));
}

/* What a compare-exchange compares with: a pointer since 2.0, a value before. */
static void print_comparand(const struct oclmm_printer *printer, const struct oclmm_atomic *atomic)
{
	oclmm_text_add(printer->text, ", ");
	switch (atomic->comparand.kind) {
	case OCLMM_COMPARAND_NONE: break;
	case OCLMM_COMPARAND_REGISTER:
		oclmm_text_add(printer->text, "&");
		oclmm_text_add(printer->text, oclmm_print_register(printer, atomic->comparand.reg));
		break;
	case OCLMM_COMPARAND_MEMORY: oclmm_print_pointer(printer, &atomic->comparand.place); break;
	case OCLMM_COMPARAND_VALUE: oclmm_print_expression(printer, atomic->comparand.value); break;
	}
}

static void print_atomic(const struct oclmm_printer *printer, const struct oclmm_atomic *atomic)
{
	struct oclmm_text *text = printer->text;

	oclmm_text_add(text, atomic->spelling);
	oclmm_text_add(text, "(");
	oclmm_print_pointer(printer, &atomic->object);
	if (oclmm_operation_is_cas(atomic->op))
		print_comparand(printer, atomic);
	if (atomic->operand && !steps_by_one(atomic)) {
		oclmm_text_add(text, ", ");
		oclmm_print_expression(printer, atomic->operand);
	}
	if (atomic->order_written)
		oclmm_print_argument(text, oclmm_order_spelling(atomic->order));
	if (atomic->order_written && oclmm_operation_is_cas(atomic->op))
		oclmm_print_argument(text, oclmm_order_spelling(atomic->failure));
	if (atomic->scope_written)
		oclmm_print_argument(text, oclmm_scope_spelling(atomic->scope));
	oclmm_text_add(text, ")");
}

static void print_binary(const struct oclmm_printer *printer, const struct oclmm_binary *binary)
{
	const struct oclmm_expression *left = binary->left;
	bool chained = left->kind == OCLMM_EXPRESSION_BINARY && left->binary.op == binary->op;

	print_operand(printer, left, chained);
	oclmm_text_printf(printer->text, " %s ", oclmm_operator_spelling(binary->op));
	print_operand(printer, binary->right, false);
}

void oclmm_print_expression(const struct oclmm_printer *printer,
                            const struct oclmm_expression *expression)
{
	struct oclmm_text *text = printer->text;

	switch (expression->kind) {
	case OCLMM_EXPRESSION_CONSTANT:
		print_constant(text, expression->type, expression->constant);
		break;
	case OCLMM_EXPRESSION_REGISTER:
		oclmm_text_add(text, oclmm_print_register(printer, expression->reg));
		break;
	case OCLMM_EXPRESSION_LOAD: oclmm_print_object(printer, &expression->load); break;
	case OCLMM_EXPRESSION_ATOMIC: print_atomic(printer, expression->atomic); break;
	case OCLMM_EXPRESSION_UNARY:
		oclmm_text_add(text, oclmm_operator_spelling(expression->unary.op));
		print_operand(printer, expression->unary.operand, false);
		break;
	case OCLMM_EXPRESSION_BINARY: print_binary(printer, &expression->binary); break;
	case OCLMM_EXPRESSION_CAST:
		oclmm_text_printf(text, "(%s)", oclmm_type_spelling(expression->type, false));
		print_operand(printer, expression->cast, false);
		break;
	}
}
