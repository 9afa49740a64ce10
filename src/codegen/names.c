// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <ctype.h>
#include <stdio.h>

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

void oclmm_write_location(const struct oclmm_writer *writer, uint32_t location)
{
	write_name(writer->text, "at", writer->program->locations[location].name, location);
}

void oclmm_write_pixel(const struct oclmm_writer *writer, uint32_t location)
{
	write_name(writer->text, "pixel", writer->program->locations[location].name, location);
}

void oclmm_write_slots(const struct oclmm_writer *writer, uint32_t location)
{
	const struct oclmm_location *l = &writer->program->locations[location];

	write_name(writer->text, l->storage == OCLMM_STORAGE_PROGRAM ? "program" : "at", l->name,
	           location);
}

void oclmm_write_register(const struct oclmm_writer *writer, uint32_t thread, uint32_t reg)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	char prefix[16];

	snprintf(prefix, sizeof(prefix), "P%u", t->id);
	write_name(writer->text, prefix, t->registers[reg].name, reg);
}

/* The most negative numbers have no literal of their own: -N is an operator on N. */
void oclmm_write_constant(struct oclmm_text *text, enum oclmm_type type, int64_t value)
{
	const char *suffix = oclmm_type_suffix(type);

	if (oclmm_type_is_floating(type))
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

static void OCLMM_PRINTF(2, 0)
	write_line(const struct oclmm_writer *writer, const char *format, va_list arguments)
{
	char line[256];

	for (unsigned i = 0; i < writer->depth; i++)
		oclmm_text_add(writer->text, "\t");
	vsnprintf(line, sizeof(line), format, arguments);
	oclmm_text_add(writer->text, line);
}

void oclmm_line(const struct oclmm_writer *writer, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	write_line(writer, format, arguments);
	va_end(arguments);
}

void oclmm_open(struct oclmm_writer *writer, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	write_line(writer, format, arguments);
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

const struct oclmm_parameter *oclmm_find_parameter(const struct oclmm_thread *thread,
                                                   uint32_t location)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++)
		if (thread->parameters[i].location == location)
			return &thread->parameters[i];
	return NULL;
}
