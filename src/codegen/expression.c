// SPDX-License-Identifier: Apache-2.0
/*
 * Expressions and atomic calls. A call has the form that the program gives it: with
 * order and scope, without the scope, or without both.
 */
#include "internal.h"

#include <string.h>

static const struct oclmm_parameter *parameter_of(const struct oclmm_writer *writer,
                                                  uint32_t location)
{
	return oclmm_find_parameter(&writer->program->threads[writer->thread], location);
}

/* `volatile global ` as the thread's parameter has it; nothing for a generic pointer. */
static void write_qualifiers(const struct oclmm_writer *writer, uint32_t location, bool is_volatile)
{
	const struct oclmm_parameter *parameter = parameter_of(writer, location);

	if (is_volatile || (parameter && parameter->is_volatile))
		oclmm_text_add(writer->text, "volatile ");
	if (!parameter || !parameter->generic)
		oclmm_text_printf(writer->text, "%s ",
		                  oclmm_space_spelling(writer->program->locations[location].space));
}

static bool declared_atomic(const struct oclmm_writer *writer, uint32_t location)
{
	const struct oclmm_parameter *parameter = parameter_of(writer, location);

	return parameter ? parameter->atomic : writer->program->locations[location].atomic;
}

/*
 * `at_a + index`; of an image the element's number, `pixel_a + index`. An index that is not
 * constant may come from a value that another thread wrote: it is held inside the array, so that no
 * instance can reach another one's memory.
 */
static void write_address(const struct oclmm_writer *writer, const struct oclmm_place *place)
{
	const struct oclmm_location *location = &writer->program->locations[place->location];

	if (oclmm_location_is_image(location))
		oclmm_write_pixel(writer, place->location);
	else
		oclmm_write_location(writer, place->location);
	if (!place->index)
		return;
	oclmm_text_add(writer->text, " + ");
	if (place->index->kind == OCLMM_EXPRESSION_CONSTANT &&
	    (uint64_t)place->index->constant < location->elements) {
		oclmm_text_printf(writer->text, "%u", (unsigned)place->index->constant);
		return;
	}
	oclmm_text_add(writer->text, "min((uint)(");
	oclmm_write_expression(writer, place->index);
	oclmm_text_printf(writer->text, "), %uu)", location->elements - 1);
}

/* A pointer to the object with the type that a function of this kind takes. */
static void write_pointer(const struct oclmm_writer *writer, const struct oclmm_place *place,
                          bool atomic, bool is_volatile)
{
	struct oclmm_text *text = writer->text;
	enum oclmm_type type = writer->program->locations[place->location].type;
	bool cast = declared_atomic(writer, place->location) != atomic;

	if (cast) {
		oclmm_text_add(text, "(");
		write_qualifiers(writer, place->location, is_volatile);
		oclmm_text_add(text, oclmm_type_spelling(type, atomic));
		oclmm_text_add(text, " *)");
	}
	if (cast && place->index)
		oclmm_text_add(text, "(");
	write_address(writer, place);
	if (cast && place->index)
		oclmm_text_add(text, ")");
}

void oclmm_write_element(const struct oclmm_writer *writer, const struct oclmm_place *place)
{
	oclmm_write_location(writer, place->location);
	oclmm_text_add(writer->text, ", ");
	write_address(writer, place);
}

/* A plain read: an lvalue that may also be written, but for that of an image. */
static void write_load(const struct oclmm_writer *writer, const struct oclmm_place *place)
{
	if (!oclmm_location_is_image(&writer->program->locations[place->location])) {
		oclmm_write_object(writer, place);
		return;
	}
	oclmm_text_add(writer->text, "read_imagei(");
	oclmm_write_element(writer, place);
	oclmm_text_add(writer->text, ").x");
}

void oclmm_write_object(const struct oclmm_writer *writer, const struct oclmm_place *place)
{
	bool simple = !place->index && !declared_atomic(writer, place->location);

	oclmm_text_add(writer->text, simple ? "*" : "*(");
	write_pointer(writer, place, false, false);
	if (!simple)
		oclmm_text_add(writer->text, ")");
}

/* The 1.x functions that step by one take no operand (C:6.15.12.8). */
static bool steps_by_one(const char *spelling)
{
	size_t length = strlen(spelling);

	return length > 4 &&
	       (!strcmp(spelling + length - 4, "_inc") || !strcmp(spelling + length - 4, "_dec"));
}

static void write_legacy(const struct oclmm_writer *writer, const struct oclmm_atomic *atomic)
{
	struct oclmm_text *text = writer->text;

	oclmm_text_printf(text, "%s(", atomic->spelling);
	write_pointer(writer, &atomic->object, false, true);
	if (atomic->comparand.kind == OCLMM_COMPARAND_VALUE) {
		oclmm_text_add(text, ", ");
		oclmm_write_expression(writer, atomic->comparand.value);
	}
	if (atomic->operand && !steps_by_one(atomic->spelling)) {
		oclmm_text_add(text, ", ");
		oclmm_write_expression(writer, atomic->operand);
	}
	oclmm_text_add(text, ")");
}

/*
 * A call without order and scope stays one: compilers have other functions for
 * it. Not so where a program was made of another by changing the order.
 */
static bool is_short(const struct oclmm_atomic *atomic)
{
	return atomic->op == OCLMM_OP_INIT ||
	       (!atomic->order_written && atomic->order == OCLMM_ORDER_SEQ_CST &&
	        atomic->scope == OCLMM_SCOPE_DEVICE &&
	        (!oclmm_operation_is_cas(atomic->op) || atomic->failure == OCLMM_ORDER_SEQ_CST));
}

/* An order, and no scope: a form of its own as well, whose scope is the device. */
static bool is_unscoped(const struct oclmm_atomic *atomic)
{
	return atomic->order_written && !atomic->scope_written &&
	       atomic->scope == OCLMM_SCOPE_DEVICE;
}

/* The call as it stands; what a compare-exchange expects is a private object. */
static void write_call(const struct oclmm_writer *writer, const struct oclmm_atomic *atomic)
{
	struct oclmm_text *text = writer->text;
	bool cas = oclmm_operation_is_cas(atomic->op);

	oclmm_text_printf(text, "%s%s(", oclmm_operation_stem(atomic->op),
	                  is_short(atomic) ? "" : "_explicit");
	write_pointer(writer, &atomic->object, true, false);
	if (atomic->comparand.kind == OCLMM_COMPARAND_MEMORY) {
		oclmm_text_printf(text, ", &r->expected_%s",
		                  oclmm_type_spelling(
					  writer->program->locations[atomic->object.location].type,
					  false));
	} else if (atomic->comparand.kind == OCLMM_COMPARAND_REGISTER) {
		oclmm_text_add(text, ", &r->");
		oclmm_write_register(writer, writer->thread, atomic->comparand.reg);
	}
	if (atomic->operand) {
		enum oclmm_type type = writer->program->locations[atomic->object.location].type;
		/* some headers have overloads between which an int cannot decide */
		bool wide = oclmm_type_bits(type) == 64;

		oclmm_text_add(text, ", ");
		if (wide)
			oclmm_text_printf(text, "(%s)(", oclmm_type_spelling(type, false));
		oclmm_write_expression(writer, atomic->operand);
		oclmm_text_add(text, wide ? ")" : "");
	}
	if (!is_short(atomic)) {
		oclmm_text_printf(text, ", %s", oclmm_order_spelling(atomic->order));
		if (cas)
			oclmm_text_printf(text, ", %s", oclmm_order_spelling(atomic->failure));
		if (!is_unscoped(atomic))
			oclmm_text_printf(text, ", %s", oclmm_scope_spelling(atomic->scope));
	}
	oclmm_text_add(text, ")");
}

/*
 * An expected value in memory is read and, on failure, written by plain
 * accesses (C:6.15.12.7.4): spelled out, because some devices lack the
 * overloads whose second pointer is not private.
 */
static void write_cas_in_memory(const struct oclmm_writer *writer,
                                const struct oclmm_atomic *atomic)
{
	const char *type = oclmm_type_spelling(
		writer->program->locations[atomic->object.location].type, false);

	oclmm_text_printf(writer->text, "((r->expected_%s = ", type);
	oclmm_write_object(writer, &atomic->comparand.place);
	oclmm_text_add(writer->text, ", ");
	write_call(writer, atomic);
	oclmm_text_add(writer->text, ") || (");
	oclmm_write_object(writer, &atomic->comparand.place);
	oclmm_text_printf(writer->text, " = r->expected_%s, 0))", type);
}

static void write_atomic(const struct oclmm_writer *writer, const struct oclmm_atomic *atomic)
{
	if (atomic->legacy)
		write_legacy(writer, atomic);
	else if (atomic->comparand.kind == OCLMM_COMPARAND_MEMORY)
		write_cas_in_memory(writer, atomic);
	else
		write_call(writer, atomic);
}

static void write_operand(const struct oclmm_writer *writer, const struct oclmm_expression *operand)
{
	bool enclosed = operand->kind == OCLMM_EXPRESSION_BINARY ||
	                operand->kind == OCLMM_EXPRESSION_UNARY ||
	                operand->kind == OCLMM_EXPRESSION_CAST;

	if (enclosed)
		oclmm_text_add(writer->text, "(");
	oclmm_write_expression(writer, operand);
	if (enclosed)
		oclmm_text_add(writer->text, ")");
}

static void write_binary(const struct oclmm_writer *writer, const struct oclmm_binary *binary)
{
	write_operand(writer, binary->left);
	oclmm_text_printf(writer->text, " %s ", oclmm_operator_spelling(binary->op));
	write_operand(writer, binary->right);
}

void oclmm_write_expression(const struct oclmm_writer *writer,
                            const struct oclmm_expression *expression)
{
	switch (expression->kind) {
	case OCLMM_EXPRESSION_CONSTANT:
		oclmm_write_constant(writer->text, expression->type, expression->constant);
		break;
	case OCLMM_EXPRESSION_REGISTER:
		oclmm_text_add(writer->text, "r->");
		oclmm_write_register(writer, writer->thread, expression->reg);
		break;
	case OCLMM_EXPRESSION_LOAD: write_load(writer, &expression->load); break;
	case OCLMM_EXPRESSION_ATOMIC: write_atomic(writer, expression->atomic); break;
	case OCLMM_EXPRESSION_UNARY:
		oclmm_text_add(writer->text, oclmm_operator_spelling(expression->unary.op));
		write_operand(writer, expression->unary.operand);
		break;
	case OCLMM_EXPRESSION_BINARY: write_binary(writer, &expression->binary); break;
	case OCLMM_EXPRESSION_CAST:
		oclmm_text_printf(writer->text, "(%s)",
		                  oclmm_type_spelling(expression->type, false));
		write_operand(writer, expression->cast);
		break;
	}
}
