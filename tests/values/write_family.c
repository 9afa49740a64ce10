// SPDX-License-Identifier: Apache-2.0
/* Files of two operations each on an int and on a uint, or on a long and a ulong. */
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

/* The signed object x, whose P0 uses the result, and the unsigned one y, whose P1 does. */
struct pair {
	enum oclmm_type type[2];
	struct numbers numbers[2];
};

/* The pairs of a width; where one of the two has fewer sets its last one stands again. */
static unsigned make_pairs(const struct family *family, bool wide,
                           struct pair ret_pairs[SEARCH_SETS])
{
	const enum oclmm_type types[2] = {wide ? OCLMM_TYPE_LONG : OCLMM_TYPE_INT,
	                                  wide ? OCLMM_TYPE_ULONG : OCLMM_TYPE_UINT};
	struct numbers sets[2][SEARCH_SETS];
	unsigned counts[2], count;

	for (int i = 0; i < 2; i++)
		counts[i] = search_numbers(family->op, types[i], family->by_one, sets[i]);
	count = counts[0] > counts[1] ? counts[0] : counts[1];
	for (unsigned n = 0; n < count; n++) {
		for (int i = 0; i < 2; i++) {
			ret_pairs[n].type[i] = types[i];
			ret_pairs[n].numbers[i] = sets[i][n < counts[i] ? n : counts[i] - 1];
		}
	}
	return count;
}

/* ---- pieces of text, as many as the axis `width` rewrites ------------- */

/* Between two sequences, and in front of an alternative but the first. */
static void write_next(struct oclmm_text *text, bool axis)
{
	oclmm_text_add(text, axis ? "\n    , " : "\n");
}

static void write_initial(struct oclmm_text *text, const struct pair *pair, bool axis)
{
	for (int i = 0; i < 2; i++) {
		if (i > 0)
			write_next(text, axis);
		oclmm_text_printf(text, "[%c] = ", "xy"[i]);
		write_value(text, pair->type[i], pair->numbers[i].initial);
		oclmm_text_add(text, ";");
	}
}

/* `int a = 5;`: operand of a thread's operation on an object. */
static void write_operand(struct oclmm_text *text, const struct pair *pair, int thread, int object)
{
	const struct numbers *n = &pair->numbers[object];

	oclmm_text_printf(text, "%s %c = ", oclmm_type_name(pair->type[object]),
	                  "abcd"[2 * thread + object]);
	write_literal(text, pair->type[object], thread == object ? n->used : n->unused);
	oclmm_text_add(text, ";");
}

/* Where neither order of the two may lead. */
static void write_wrong(struct oclmm_text *text, const struct family *family,
                        const struct pair *pair, int object)
{
	const struct numbers *n = &pair->numbers[object];
	enum oclmm_type type = pair->type[object];
	char name = "xy"[object];

	if (family->op != OCLMM_OP_EXCHANGE) {
		oclmm_text_printf(text, "[%c]!=", name);
		write_value(text, type, search_final(family->op, type, n));
		return;
	}
	oclmm_text_printf(text, "%d:r0=", object);
	write_value(text, type, n->initial);
	oclmm_text_printf(text, " /\\ [%c]!=", name);
	write_value(text, type, n->unused);
	oclmm_text_printf(text, " \\/ %d:r0!=", object);
	write_value(text, type, n->initial);
	oclmm_text_printf(text, " /\\ [%c]!=", name);
	write_value(text, type, n->used);
}

static void write_sequences(struct oclmm_text *text, const struct family *family,
                            const struct pair *pair)
{
	write_initial(text, pair, true);
	for (int i = 0; i < 2; i++) {
		write_next(text, true);
		oclmm_text_printf(text, "%s *%c",
		                  oclmm_type_spelling(pair->type[i], !family->legacy), "xy"[i]);
		write_next(text, true);
		oclmm_text_printf(text, "%s r0", oclmm_type_name(pair->type[i]));
	}
	for (int i = 0; i < 4 && !family->by_one; i++) {
		write_next(text, true);
		write_operand(text, pair, i / 2, i % 2);
	}
	if (family->legacy) {
		write_next(text, true);
		oclmm_text_printf(text, "%s_%s",
		                  pair->type[0] == OCLMM_TYPE_LONG ? "atom" : "atomic",
		                  family->stem);
	}
	for (int i = 0; i < 2; i++) {
		write_next(text, true);
		write_wrong(text, family, pair, i);
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
	struct pair pairs[SEARCH_SETS];
	const char *lead = "\n    => ";

	for (int wide = 0; wide < 2; wide++) {
		unsigned count = make_pairs(family, wide, pairs);

		for (unsigned n = 0; n < count; n++) {
			if (wide || n > 0) {
				oclmm_text_printf(text, "%s\"", lead);
				write_label(text, wide, n);
				oclmm_text_add(text, "\" ");
				lead = "\n    | ";
			} else {
				oclmm_text_add(text, "vary width: ");
			}
			write_sequences(text, family, &pairs[n]);
		}
	}
	oclmm_text_add(text, "\n");
}

/* ---- calls ----------------------------------------------------------- */

/* A thread's call for an object. */
static void write_call(struct oclmm_text *text, const struct family *family, int thread, int object,
                       bool full)
{
	char name = "xy"[object], operand = "abcd"[2 * thread + object];

	if (family->by_one)
		oclmm_text_printf(text, "atomic_%s(%c)", family->stem, name);
	else if (family->legacy || !full)
		oclmm_text_printf(text, "atomic_%s(%c, %c)", family->stem, name, operand);
	else
		oclmm_text_printf(text, "atomic_%s_explicit(%c, %c, " ORDER_SCOPE ")", family->stem,
		                  name, operand);
}

/* The same as a load and a store. Sums are those of an unsigned type, which wraps. */
static void write_in_two(struct oclmm_text *text, const struct family *family, int thread,
                         int object)
{
	const char *scope = family->legacy ? "memory_order_relaxed, memory_scope_work_group"
	                                   : ORDER_SCOPE;
	char name = "xy"[object], load[96];
	char operand[2] = {family->by_one ? '1' : "abcd"[2 * thread + object], '\0'};
	const char *old = thread == object ? "r0" : load;

	snprintf(load, sizeof(load), "atomic_load_explicit(%c, %s)", name, scope);
	if (thread == object || family->update[0] == '=')
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
	for (int i = 0; i < 4; i++) {
		if (i > 0)
			write_next(text, true);
		if (family->by_one && i / 2 == i % 2)
			oclmm_text_add(text, i % 2 ? "uint r0 = " : "int r0 = ");
		if (strcmp(kind, "load-store") == 0)
			write_in_two(text, family, i / 2, i % 2);
		else
			write_call(text, family, i / 2, i % 2, strcmp(kind, "short") != 0);
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

static void write_head(struct oclmm_text *text, const struct family *family)
{
	oclmm_text_add(text, "OPENCL ");
	write_name(text, family);
	oclmm_text_add(text, "\n\n\"");
	write_question(text, family);
	oclmm_text_add(text, "\"\n\n(* Result: Never\n *\n");
	write_paragraph(
		text,
		"Two %s of an int, x, and two of a uint, y; of each object the result of one is "
		"used and that of the other is not, because compilers may choose other "
		"instructions then. The values were searched: if one of them did another "
		"operation, looked at or stored half of a value, lost a carry, gave the new value "
		"for the old or came apart, then result and final value would fit no order of the "
		"two.%s%s The control does each in two steps, a load and a store.",
		family->noun, family->detail[0] ? " " : "", family->detail);
	oclmm_text_add(text, " *)\n\n");
}

static void write_axes(struct oclmm_text *text, const struct family *family)
{
	write_by(text, family);
	write_width(text, family);
	if (family->legacy)
		oclmm_text_add(text, "vary space: global => local\n");
	else
		oclmm_text_add(text, "vary place: wg 1, global => \"wg00\" wg 0, global | "
		                     "\"local\" wg 0, local\n");
	oclmm_text_add(text, "control by=load-store\n\n");
}

static void write_thread(struct oclmm_text *text, const struct family *family,
                         const struct pair *pair, int thread)
{
	oclmm_text_printf(text, "\nP%d@wg %d, dev 0 (global %s *x, global %s *y) {\n", thread,
	                  family->legacy ? 0 : thread,
	                  oclmm_type_spelling(pair->type[0], !family->legacy),
	                  oclmm_type_spelling(pair->type[1], !family->legacy));
	for (int i = 0; i < 2 && !family->by_one; i++) {
		oclmm_text_add(text, "  ");
		write_operand(text, pair, thread, i);
		oclmm_text_add(text, "\n");
	}
	for (int i = 0; i < 2; i++) {
		oclmm_text_add(text, "  ");
		if (i == thread)
			oclmm_text_printf(text, "%s r0 = ", oclmm_type_name(pair->type[i]));
		write_call(text, family, thread, i, true);
		oclmm_text_add(text, ";\n");
	}
	oclmm_text_add(text, "}\n");
}

void write_family(struct oclmm_text *text, const struct family *family)
{
	struct pair pairs[SEARCH_SETS];
	const struct pair *pair = pairs;

	make_pairs(family, false, pairs);
	write_head(text, family);
	write_axes(text, family);
	oclmm_text_add(text, "{\n");
	write_initial(text, pair, false);
	oclmm_text_add(text, "\n}\n");
	for (int i = 0; i < 2; i++)
		write_thread(text, family, pair, i);
	oclmm_text_add(text, "\nlocations [x; y; 0:r0; 1:r0;]\nexists (");
	write_wrong(text, family, pair, 0);
	oclmm_text_add(text, " \\/ ");
	write_wrong(text, family, pair, 1);
	oclmm_text_add(text, ")\n");
}
