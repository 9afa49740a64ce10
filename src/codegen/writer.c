// SPDX-License-Identifier: Apache-2.0
/*
 * Lines, names and constants of the generated text. Names carry a prefix, so that a litmus test may
 * call its objects what it likes: location `x` is `at_x`, register `r0` of P1 is `P1_r0`, the
 * harness's own functions are `oclmm_…`.
 */
#include "internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

const char *oclmm_unsigned_word(unsigned bits)
{
	return bits == 64 ? "ulong" : bits == 16 ? "ushort" : bits == 8 ? "uchar" : "uint";
}

static bool is_identifier(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

/* A name that C would not take gives way to its number. */
static void write_name(struct oclmm_text *text, const char *prefix, const char *name,
                       uint32_t number)
{
	if (is_identifier(name))
		oclmm_text_printf(text, "%s_%s", prefix, name);
	else
		oclmm_text_printf(text, "%s__%u", prefix, number);
}

void oclmm_write_object(const struct oclmm_writer *writer, const char *prefix, uint32_t location)
{
	write_name(writer->text, prefix, writer->program->locations[location].name, location);
}

/* What a kernel that stands alone calls its own, and what a parameter must not hide. */
static bool is_taken(const char *name)
{
	static const char *const taken[] = {
		"budget", "cut",    "e",      "elsewhere", "i",       "instance", "lane",
		"lanes",  "meet",   "met",    "min",       "n",       "out",      "own",
		"pair",   "pairs",  "polls",  "r",         "round",   "rounds",   "share",
		"slot",   "stress", "stride", "sub",       "scratch", "test",     "wanted",
	};

	for (size_t i = 0; i < OCLMM_COUNT(taken); i++)
		if (!strcmp(name, taken[i]))
			return true;
	return false;
}

void oclmm_write_location(const struct oclmm_writer *writer, uint32_t location)
{
	const char *name = writer->program->locations[location].name;

	if (writer->lone && is_identifier(name))
		oclmm_put(writer, "%s%s", name, is_taken(name) ? "_" : "");
	else
		oclmm_write_object(writer, "at", location);
}

bool oclmm_copies_variables(const struct oclmm_writer *writer)
{
	return writer->options.change && writer->options.change->what == OCLMM_WHAT_VARIABLE_COPIED;
}

void oclmm_write_slots(const struct oclmm_writer *writer, uint32_t location)
{
	if (writer->program->locations[location].storage != OCLMM_STORAGE_PROGRAM) {
		oclmm_write_location(writer, location);
		return;
	}
	oclmm_write_object(writer, WRITE_VARIABLE, location);
	if (oclmm_copies_variables(writer))
		oclmm_put(writer, "[(get_group_id(0) ^ get_group_id(1) ^ get_group_id(2)) & 1]");
}

void oclmm_write_register(const struct oclmm_writer *writer, uint32_t thread, uint32_t reg)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	char prefix[16];

	if (writer->lone && is_identifier(t->registers[reg].name)) {
		oclmm_put(writer, "%s%s", t->registers[reg].name,
		          is_taken(t->registers[reg].name) ? "_" : "");
		return;
	}
	snprintf(prefix, sizeof(prefix), "P%u", t->id);
	write_name(writer->text, prefix, t->registers[reg].name, reg);
}

/* The most negative numbers have no literal of their own: -N is an operator on N. */
void oclmm_write_constant(struct oclmm_text *text, enum oclmm_type type, int64_t value)
{
	const char *suffix = oclmm_type_suffix(type);

	if (oclmm_type_is_floating(type) && !oclmm_value_is_whole(type, value))
		/* by its bits: OpenCL C does not say which those of NAN are */
		oclmm_text_printf(text, "as_%s((%s)0x%llx%s)", oclmm_type_spelling(type, false),
		                  oclmm_type_bits(type) == 16   ? "ushort"
		                  : oclmm_type_bits(type) == 32 ? "uint"
		                                                : "ulong",
		                  (unsigned long long)oclmm_value_bits(type, value),
		                  oclmm_type_bits(type) == 64 ? "UL" : "u");
	else if (oclmm_type_is_floating(type))
		oclmm_text_printf(text, value < 0 ? "(%lld.0%s)" : "%lld.0%s", (long long)value,
		                  suffix);
	else if (!oclmm_type_is_signed(type))
		oclmm_text_printf(text, "%llu%s", (unsigned long long)value, suffix);
	else if (value == oclmm_type_least(type))
		oclmm_text_printf(text, "(%lld%s - 1%s)", (long long)value + 1, suffix, suffix);
	else
		oclmm_text_printf(text, value < 0 ? "(%lld%s)" : "%lld%s", (long long)value,
		                  suffix);
}

/* The same name for declaration and call: `P1`, or `P1_part0` … where barriers cut it. */
void oclmm_write_function_name(const struct oclmm_writer *writer, uint32_t thread, uint32_t segment)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	oclmm_put(writer, "P%u%s", t->id, writer->suffix);
	if (oclmm_segments(t) > 1)
		oclmm_put(writer, "_part%u", segment);
}

/* ---- calls of the kernel's own ---- */

const char *oclmm_own_function(const struct oclmm_writer *writer, unsigned call)
{
	const struct oclmm_mutation *change = writer->options.change;
	bool wrong = change && (oclmm_change_own(change) & call);

	switch (call) {
	case OCLMM_OWN_BARRIER: return wrong ? "oclmm_own_barrier" : "barrier";
	case OCLMM_OWN_INC_LOCAL: return wrong ? "oclmm_own_inc_local" : "atomic_inc";
	case OCLMM_OWN_INC:
	case OCLMM_OWN_INC_USED: return wrong ? "oclmm_own_inc" : "atomic_inc";
	case OCLMM_OWN_ADD_LOCAL: return wrong ? "oclmm_own_add_local" : "atomic_add";
	default: return wrong ? "oclmm_own_add" : "atomic_add";
	}
}

/* ---- values that are observed ---- */

/* A floating-point value is observed as the number that the oracle holds it as, see
 * oclmm_value_of_bits(): by its bits, where it is no whole number. */
const char *oclmm_observe_opening(enum oclmm_type type)
{
	switch (type) {
	case OCLMM_TYPE_HALF: return "oclmm_value_half(";
	case OCLMM_TYPE_FLOAT: return "oclmm_value_float(";
	case OCLMM_TYPE_DOUBLE: return "oclmm_value_double(";
	case OCLMM_TYPE_FLAG: return "(";
	default: return "";
	}
}

const char *oclmm_observe_closing(enum oclmm_type type)
{
	return oclmm_type_is_floating(type) ? ")" : type == OCLMM_TYPE_FLAG ? " != 0)" : "";
}

/* ---- lines ---- */

static void OCLMM_PRINTF(2, 0)
	put(const struct oclmm_writer *writer, const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0)
		oclmm_no_memory();
	oclmm_text_add(writer->text, text);
	free(text);
}

static void indent(const struct oclmm_writer *writer)
{
	for (unsigned i = 0; i < writer->depth; i++)
		oclmm_text_add(writer->text, "\t");
}

void oclmm_put(const struct oclmm_writer *writer, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	put(writer, format, arguments);
	va_end(arguments);
}

void oclmm_line(const struct oclmm_writer *writer, const char *format, ...)
{
	va_list arguments;

	indent(writer);
	va_start(arguments, format);
	put(writer, format, arguments);
	va_end(arguments);
}

void oclmm_open(struct oclmm_writer *writer, const char *format, ...)
{
	va_list arguments;

	indent(writer);
	va_start(arguments, format);
	put(writer, format, arguments);
	va_end(arguments);
	writer->depth++;
}

void oclmm_close(struct oclmm_writer *writer)
{
	writer->depth--;
	oclmm_line(writer, "}\n");
}

void oclmm_else(struct oclmm_writer *writer)
{
	writer->depth--;
	oclmm_open(writer, "} else {\n");
}
