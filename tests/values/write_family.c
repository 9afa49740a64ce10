// SPDX-License-Identifier: Apache-2.0
/* Files of two operations each on two ints and two uints, or on longs and ulongs: two sets of
 * numbers in one test. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "write.h"

const struct family families[] = {
	{OCLMM_OP_EXCHANGE, "exchange", "exchanges", "", "=", false, false},
	{OCLMM_OP_FETCH_ADD, "fetch_add", "additions", "They wrap.", "+", false, false},
	{OCLMM_OP_FETCH_SUB, "fetch_sub", "subtractions", "They wrap.", "-", false, false},
	{OCLMM_OP_FETCH_OR, "fetch_or", "ors", "", "|", false, false},
	{OCLMM_OP_FETCH_XOR, "fetch_xor", "exclusive ors", "", "^", false, false},
	{OCLMM_OP_FETCH_AND, "fetch_and", "ands", "", "&", false, false},
	{OCLMM_OP_FETCH_MIN, "fetch_min", "minima",
         "An int is compared with its sign, a uint without.", "<", false, false},
	{OCLMM_OP_FETCH_MAX, "fetch_max", "maxima",
         "An int is compared with its sign, a uint without.", ">", false, false},
	{OCLMM_OP_EXCHANGE, "xchg", "OpenCL 1.x exchanges", "", "=", true, false},
	{OCLMM_OP_FETCH_ADD, "add", "OpenCL 1.x additions", "They wrap.", "+", true, false},
	{OCLMM_OP_FETCH_SUB, "sub", "OpenCL 1.x subtractions", "They wrap.", "-", true, false},
	{OCLMM_OP_FETCH_ADD, "inc", "OpenCL 1.x increments", "They wrap.", "+", true, true},
	{OCLMM_OP_FETCH_SUB, "dec", "OpenCL 1.x decrements", "They wrap.", "-", true, true},
	{OCLMM_OP_FETCH_OR, "or", "OpenCL 1.x ors", "", "|", true, false},
	{OCLMM_OP_FETCH_XOR, "xor", "OpenCL 1.x exclusive ors", "", "^", true, false},
	{OCLMM_OP_FETCH_AND, "and", "OpenCL 1.x ands", "", "&", true, false},
	{OCLMM_OP_FETCH_MIN, "min", "OpenCL 1.x minima",
         "An int is compared with its sign, a uint without.", "<", true, false},
	{OCLMM_OP_FETCH_MAX, "max", "OpenCL 1.x maxima",
         "An int is compared with its sign, a uint without.", ">", true, false},
};
const size_t family_count = OCLMM_COUNT(families);

void write_value(struct oclmm_text *text, enum oclmm_type type, int64_t value)
{
	oclmm_value_print(text, type, value);
}

void write_literal(struct oclmm_text *text, enum oclmm_type type, int64_t value)
{
	write_value(text, type, value);
	/* a decimal constant without it is a long (C99 6.4.4.1) */
	if (type == OCLMM_TYPE_ULONG && value < 0)
		oclmm_text_add(text, "ul");
}

void write_name(struct oclmm_text *text, const struct family *family)
{
	oclmm_text_printf(text, "%s%s+values", family->legacy ? "atomic_" : "", family->stem);
}

void write_question(struct oclmm_text *text, const struct family *family)
{
	oclmm_text_printf(text, "Two %s of values on which mistakes tell: as they should be?",
	                  family->noun);
}

/* The signed objects x and z, whose results P0 uses, and the unsigned ones y and w, whose P1 does.
 */
enum { OBJECTS = 4 };
static const char names[] = "xyzw";

struct quad {
	enum oclmm_type type[OBJECTS];
	struct numbers numbers[OBJECTS];
};

/* The quads of a width; where a type has fewer sets its last one stands again. */
static unsigned make_quads(const struct family *family, bool wide,
                           struct quad ret_quads[SEARCH_SETS])
{
	const enum oclmm_type types[2] = {wide ? OCLMM_TYPE_LONG : OCLMM_TYPE_INT,
	                                  wide ? OCLMM_TYPE_ULONG : OCLMM_TYPE_UINT};
	struct numbers sets[2][SEARCH_SETS];
	unsigned counts[2], count;

	for (int i = 0; i < 2; i++)
		counts[i] = search_numbers(family->op, types[i], family->by_one, sets[i]);
	count = counts[0] > counts[1] ? counts[0] : counts[1];
	for (unsigned n = 0; n < count; n += 2) {
		for (int i = 0; i < OBJECTS; i++) {
			unsigned set = n + (unsigned)i / 2, most = counts[i % 2] - 1;

			ret_quads[n / 2].type[i] = types[i % 2];
			ret_quads[n / 2].numbers[i] = sets[i % 2][set < most ? set : most];
		}
	}
	return (count + 1) / 2;
}

/* Where a thread's result of an object goes. */
static const char *result_of(int object)
{
	return object < 2 ? "r0" : "r1";
}

/* ---- pieces of text, as many as the axis `width` rewrites ------------- */

/* Between two sequences, and in front of an alternative but the first. */
static void write_next(struct oclmm_text *text, bool axis)
{
	oclmm_text_add(text, axis ? "\n    , " : "\n");
}

static void write_initial(struct oclmm_text *text, const struct quad *quad, bool axis)
{
	for (int i = 0; i < OBJECTS; i++) {
		if (i > 0)
			write_next(text, axis);
		oclmm_text_printf(text, "[%c] = ", names[i]);
		write_value(text, quad->type[i], quad->numbers[i].initial);
		oclmm_text_add(text, ";");
	}
}

static char operand_name(int thread, int object)
{
	return "abcdefgh"[OBJECTS * thread + object];
}

/* `int a = 5;`: operand of a thread's operation on an object. */
static void write_operand(struct oclmm_text *text, const struct quad *quad, int thread, int object)
{
	const struct numbers *n = &quad->numbers[object];

	oclmm_text_printf(text, "%s %c = ", oclmm_type_name(quad->type[object]),
	                  operand_name(thread, object));
	write_literal(text, quad->type[object], thread == object % 2 ? n->used : n->unused);
	oclmm_text_add(text, ";");
}

/* Where neither order of the two may lead. */
static void write_wrong(struct oclmm_text *text, const struct family *family,
                        const struct quad *quad, int object)
{
	const struct numbers *n = &quad->numbers[object];
	enum oclmm_type type = quad->type[object];
	char name = names[object];
	int thread = object % 2;

	if (family->op != OCLMM_OP_EXCHANGE) {
		oclmm_text_printf(text, "[%c]!=", name);
		write_value(text, type, search_final(family->op, type, n));
		return;
	}
	oclmm_text_printf(text, "%d:%s=", thread, result_of(object));
	write_value(text, type, n->initial);
	oclmm_text_printf(text, " /\\ [%c]!=", name);
	write_value(text, type, n->unused);
	oclmm_text_printf(text, " \\/ %d:%s!=", thread, result_of(object));
	write_value(text, type, n->initial);
	oclmm_text_printf(text, " /\\ [%c]!=", name);
	write_value(text, type, n->used);
}

static void write_sequences(struct oclmm_text *text, const struct family *family,
                            const struct quad *quad)
{
	write_initial(text, quad, true);
	for (int i = 0; i < OBJECTS; i++) {
		write_next(text, true);
		oclmm_text_printf(text, "%s *%c",
		                  oclmm_type_spelling(quad->type[i], !family->legacy), names[i]);
		write_next(text, true);
		oclmm_text_printf(text, "%s %s", oclmm_type_name(quad->type[i]), result_of(i));
	}
	for (int i = 0; i < 2 * OBJECTS && !family->by_one; i++) {
		write_next(text, true);
		write_operand(text, quad, i / OBJECTS, i % OBJECTS);
	}
	if (family->legacy) {
		write_next(text, true);
		oclmm_text_printf(text, "%s_%s",
		                  quad->type[0] == OCLMM_TYPE_LONG ? "atom" : "atomic",
		                  family->stem);
	}
	for (int i = 0; i < OBJECTS; i++) {
		write_next(text, true);
		write_wrong(text, family, quad, i);
	}
}

/* `32`, `32-2`, `64`; nothing for the file as written. */
static void write_label(struct oclmm_text *text, bool wide, unsigned set)
{
	oclmm_text_add(text, wide ? "64" : "32");
	if (set > 0)
		oclmm_text_printf(text, "-%u", set + 1);
}

static void write_width(struct oclmm_text *text, const struct family *family)
{
	struct quad quads[SEARCH_SETS];
	const char *lead = "\n    => ";

	for (int wide = 0; wide < 2; wide++) {
		unsigned count = make_quads(family, wide, quads);

		for (unsigned n = 0; n < count; n++) {
			if (wide || n > 0) {
				oclmm_text_printf(text, "%s\"", lead);
				write_label(text, wide, n);
				oclmm_text_add(text, "\" ");
				lead = "\n    | ";
			} else {
				oclmm_text_add(text, "vary width: ");
			}
			write_sequences(text, family, &quads[n]);
		}
	}
	oclmm_text_add(text, "\n");
}

/* ---- calls ----------------------------------------------------------- */

/* Compilers choose instructions by operation and order, so each order stands in some call; seq_cst
 * in one of those whose result is unused, for the short form is of both kinds. */
static const char *const orders[2][OBJECTS] = {{"relaxed", "release", "acq_rel", "relaxed"},
                                               {"seq_cst", "acquire", "relaxed", "relaxed"}};

/* A thread's call for an object. */
static void write_call(struct oclmm_text *text, const struct family *family, int thread, int object,
                       bool full)
{
	char name = names[object], operand = operand_name(thread, object);

	if (family->by_one)
		oclmm_text_printf(text, "atomic_%s(%c)", family->stem, name);
	else if (family->legacy || !full)
		oclmm_text_printf(text, "atomic_%s(%c, %c)", family->stem, name, operand);
	else
		oclmm_text_printf(
			text, "atomic_%s_explicit(%c, %c, memory_order_%s, memory_scope_device)",
			family->stem, name, operand, orders[thread][object]);
}

/* The same as a load and a store. Sums are those of an unsigned type, which wraps. */
static void write_in_two(struct oclmm_text *text, const struct family *family, int thread,
                         int object)
{
	const char *scope = family->legacy ? "memory_order_relaxed, memory_scope_work_group"
	                                   : ORDER_SCOPE;
	bool used = thread == object % 2;
	char name = names[object], load[96];
	char operand[2] = {family->by_one ? '1' : operand_name(thread, object), '\0'};
	const char *old = used ? result_of(object) : load;

	snprintf(load, sizeof(load), "atomic_load_explicit(%c, %s)", name, scope);
	if (used || family->update[0] == '=')
		oclmm_text_printf(text, "%s; ", load);
	if (family->update[0] == '<')
		oclmm_text_printf(text, "if (%s < %s) ", operand, old);
	else if (family->update[0] == '>')
		oclmm_text_printf(text, "if (%s < %s) ", old, operand);
	oclmm_text_printf(text, "atomic_store_explicit(%c, ", name);
	if (strchr("<>=", family->update[0]))
		oclmm_text_add(text, operand);
	else
		oclmm_text_printf(text, "%s%s %s %s", old,
		                  strchr("+-", family->update[0]) ? " + 0ul" : "", family->update,
		                  operand);
	oclmm_text_printf(text, ", %s)", scope);
	/* and what is not less or greater is stored again, as an update does */
	if (strchr("<>", family->update[0]))
		oclmm_text_printf(text, "; else atomic_store_explicit(%c, %s, %s)", name, old,
		                  scope);
}

static void write_calls(struct oclmm_text *text, const struct family *family, const char *kind)
{
	for (int i = 0; i < 2 * OBJECTS; i++) {
		int thread = i / OBJECTS, object = i % OBJECTS;

		if (i > 0)
			write_next(text, true);
		if (family->by_one && thread == object % 2)
			oclmm_text_printf(text, "%s %s = ", thread ? "uint" : "int",
			                  result_of(object));
		if (strcmp(kind, "load-store") == 0)
			write_in_two(text, family, thread, object);
		else
			write_call(text, family, thread, object, strcmp(kind, "short") != 0);
	}
}

static void write_by(struct oclmm_text *text, const struct family *family)
{
	oclmm_text_add(text, "vary by: ");
	/* where nothing but the result tells the four calls apart it stands with them */
	write_calls(text, family, "explicit");
	oclmm_text_add(text, "\n    => ");
	if (!family->legacy) {
		oclmm_text_add(text, "\"short\" ");
		write_calls(text, family, "short");
		oclmm_text_add(text, "\n    | ");
	}
	oclmm_text_add(text, "\"load-store\" ");
	write_calls(text, family, "load-store");
	oclmm_text_add(text, "\n");
}

/* ---- the file -------------------------------------------------------- */

void write_paragraph(struct oclmm_text *text, const char *format, ...)
{
	char buffer[1024], *word, *rest;
	size_t column = 0;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(buffer, sizeof(buffer), format, arguments);
	va_end(arguments);
	for (word = strtok_r(buffer, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (column > 0 && column + 1 + strlen(word) > 78) {
			oclmm_text_add(text, "\n");
			column = 0;
		}
		column += 1 + strlen(word) + (column == 0 ? 2 : 0);
		oclmm_text_printf(text, "%s%s", column == strlen(word) + 3 ? " * " : " ", word);
	}
	oclmm_text_add(text, "\n");
}

void write_about_orders(struct oclmm_text *text)
{
	oclmm_text_add(text, " *\n");
	write_paragraph(text, "The order differs from call to call, for compilers may choose other "
	                      "instructions for each.");
}

static void write_head(struct oclmm_text *text, const struct family *family)
{
	oclmm_text_add(text, "OPENCL ");
	write_name(text, family);
	oclmm_text_add(text, "\n\n\"");
	write_question(text, family);
	oclmm_text_add(text, "\"\n\n(* Result: Never\n *\n");
	write_paragraph(
		text,
		"Two %s of each of two ints, x and z, and two uints, y and w; of each object the "
		"result of one is used and that of the other is not, because compilers may choose "
		"other instructions then. The values were searched: if one of them did another "
		"operation, looked at or stored half of a value, lost a carry, gave the new value "
		"for the old or came apart, then result and final value would fit no order of the "
		"two.%s%s The control does each in two steps, a load and a store.",
		family->noun, family->detail[0] ? " " : "", family->detail);
	if (!family->legacy)
		write_about_orders(text);
	oclmm_text_add(text, " *)\n\n");
}

static void write_axes(struct oclmm_text *text, const struct family *family)
{
	write_by(text, family);
	write_width(text, family);
	if (family->legacy)
		oclmm_text_add(text, "vary space: global => local\n");
	else
		oclmm_text_add(text, VARY_PLACE);
	oclmm_text_add(text, "control by=load-store\n\n");
}

static void write_thread(struct oclmm_text *text, const struct family *family,
                         const struct quad *quad, int thread)
{
	oclmm_text_printf(text, "\nP%d@wg %d, dev 0 (", thread, family->legacy ? 0 : thread);
	for (int i = 0; i < OBJECTS; i++)
		oclmm_text_printf(text, "%sglobal %s *%c", i > 0 ? ", " : "",
		                  oclmm_type_spelling(quad->type[i], !family->legacy), names[i]);
	oclmm_text_add(text, ") {\n");
	for (int i = 0; i < OBJECTS && !family->by_one; i++) {
		oclmm_text_add(text, "  ");
		write_operand(text, quad, thread, i);
		oclmm_text_add(text, "\n");
	}
	for (int i = 0; i < OBJECTS; i++) {
		oclmm_text_add(text, "  ");
		if (i % 2 == thread)
			oclmm_text_printf(text, "%s %s = ", oclmm_type_name(quad->type[i]),
			                  result_of(i));
		write_call(text, family, thread, i, true);
		oclmm_text_add(text, ";\n");
	}
	oclmm_text_add(text, "}\n");
}

void write_family(struct oclmm_text *text, const struct family *family)
{
	struct quad quads[SEARCH_SETS];
	const struct quad *quad = quads;

	make_quads(family, false, quads);
	write_head(text, family);
	write_axes(text, family);
	oclmm_text_add(text, "{\n");
	write_initial(text, quad, false);
	oclmm_text_add(text, "\n}\n");
	for (int i = 0; i < 2; i++)
		write_thread(text, family, quad, i);
	oclmm_text_add(text, "\nlocations [x; y; z; w; 0:r0; 0:r1; 1:r0; 1:r1;]\nexists (");
	for (int i = 0; i < OBJECTS; i++) {
		oclmm_text_add(text, i > 0 ? " \\/ " : "");
		write_wrong(text, family, quad, i);
	}
	oclmm_text_add(text, ")\n");
}
