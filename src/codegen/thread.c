// SPDX-License-Identifier: Apache-2.0
/*
 * A litmus thread becomes one function per segment between its barriers, and
 * its registers a structure that lives over them. The functions are small and
 * called once or twice: every compiler inlines them.
 */
#include "internal.h"

#include <stdio.h>

uint32_t oclmm_segments(const struct oclmm_thread *thread)
{
	uint32_t segments = 1;

	for (const struct oclmm_statement *s = thread->body; s; s = s->next)
		segments += oclmm_is_meeting(s);
	return segments;
}

/* The types, as 1u << enum oclmm_type, of expected values that stand in memory. */
struct expected {
	const struct oclmm_program *program;
	unsigned types;
};

static int note_expected(void *data, const struct oclmm_expression *e)
{
	struct expected *expected = data;

	if (e->kind == OCLMM_EXPRESSION_ATOMIC &&
	    e->atomic->comparand.kind == OCLMM_COMPARAND_MEMORY)
		expected->types |= 1u
		                   << expected->program->locations[e->atomic->object.location].type;
	return 0;
}

static unsigned expected_types(const struct oclmm_program *program, const struct oclmm_statement *s)
{
	static const struct oclmm_visitor visitor = {.expression = note_expected};
	struct expected expected = {.program = program};

	oclmm_visit_body(&visitor, s, &expected);
	return expected.types;
}

/* Whether the functions of a thread take a structure of registers; C has no empty ones. */
bool oclmm_has_state(const struct oclmm_program *program, const struct oclmm_thread *thread)
{
	return thread->register_count > 0 || oclmm_has_loop(thread->body) ||
	       expected_types(program, thread->body) != 0;
}

static void write_registers(const struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	unsigned types = expected_types(writer->program, t->body);

	oclmm_text_printf(writer->text, "struct P%u_registers%s {\n", t->id, writer->suffix);
	for (uint32_t i = 0; i < t->register_count; i++) {
		oclmm_text_printf(writer->text, "\t%s ",
		                  oclmm_type_spelling(t->registers[i].type, false));
		oclmm_write_register(writer, thread, i);
		oclmm_text_add(writer->text, ";\n");
	}
	if (oclmm_has_loop(t->body))
		oclmm_text_add(writer->text,
		               "\tuint cut; /* a loop was still running at its bound */\n");
	for (int type = 0; type < OCLMM_TYPE_COUNT; type++) {
		const char *name = oclmm_type_spelling((enum oclmm_type)type, false);

		if (types & (1u << type))
			oclmm_text_printf(writer->text, "\t%s expected_%s;\n", name, name);
	}
	oclmm_text_add(writer->text, "};\n\n");
}

void oclmm_write_parameter(const struct oclmm_writer *writer,
                           const struct oclmm_parameter *parameter)
{
	const struct oclmm_location *location = &writer->program->locations[parameter->location];

	if (oclmm_location_is_image(location)) {
		oclmm_text_add(writer->text, OCLMM_IMAGE_SPELLING " ");
		oclmm_write_location(writer, parameter->location);
		oclmm_text_add(writer->text, ", const int ");
		oclmm_write_pixel(writer, parameter->location);
		return;
	}
	if (parameter->is_volatile)
		oclmm_text_add(writer->text, "volatile ");
	if (!parameter->generic)
		oclmm_text_printf(writer->text, "%s ", oclmm_space_spelling(location->space));
	oclmm_text_add(writer->text, oclmm_type_spelling(location->type, parameter->atomic));
	oclmm_text_add(writer->text, " *");
	oclmm_write_location(writer, parameter->location);
}

/* The same name for declaration and call: `P1`, or `P1_part0` … where barriers cut it. */
static void write_function_name(const struct oclmm_writer *writer, uint32_t thread,
                                uint32_t segment)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	oclmm_text_printf(writer->text, "P%u%s", t->id, writer->suffix);
	if (oclmm_segments(t) > 1)
		oclmm_text_printf(writer->text, "_part%u", segment);
}

static void write_head(const struct oclmm_writer *writer, uint32_t segment)
{
	const struct oclmm_thread *t = &writer->program->threads[writer->thread];
	const char *comma = "";

	oclmm_text_add(writer->text, "static void ");
	write_function_name(writer, writer->thread, segment);
	oclmm_text_add(writer->text, "(");
	if (oclmm_has_state(writer->program, t)) {
		oclmm_text_printf(writer->text, "private struct P%u_registers%s *r", t->id,
		                  writer->suffix);
		comma = ", ";
	}
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		oclmm_text_add(writer->text, comma);
		oclmm_write_parameter(writer, &t->parameters[i]);
		comma = ", ";
	}
	if (oclmm_enqueues(t)) {
		oclmm_write_enqueue_parameters(writer, *comma ? ",\n\t" : "");
		comma = ", ";
	}
	oclmm_text_add(writer->text, *comma ? ")\n{\n" : "void)\n{\n");
}

void oclmm_write_thread(struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	const struct oclmm_statement *next = t->body, *end;
	uint32_t segments = oclmm_segments(t);

	writer->thread = thread;
	writer->loops = 0;
	if (oclmm_has_state(writer->program, t))
		write_registers(writer, thread);
	for (uint32_t segment = 0; segment < segments; segment++) {
		write_head(writer, segment);
		writer->depth = 1;
		if (segment > 0 && oclmm_has_loop(t->body))
			oclmm_line(writer, "if (r->cut)\n\t\treturn;\n");
		end = oclmm_write_statements(writer, next);
		oclmm_write_releases(writer, next, end);
		next = end ? end->next : NULL;
		writer->depth = 0;
		oclmm_text_add(writer->text, "}\n\n");
	}
}

/* The object of the instance that the thread plays: a slot of the location's buffer, or of the
 * group. */
static void write_slot(const struct oclmm_writer *writer, const struct oclmm_parameter *parameter)
{
	uint32_t location = parameter->location;
	const struct oclmm_location *l = &writer->program->locations[location];
	char own[16] = "own";

	if (!writer->for_alike)
		snprintf(own, sizeof(own), "P%u", writer->program->threads[writer->thread].id);
	if (parameter->atomic != l->atomic) {
		oclmm_text_printf(writer->text, "(%s ", oclmm_space_spelling(l->space));
		oclmm_text_add(writer->text, oclmm_type_spelling(l->type, parameter->atomic));
		oclmm_text_add(writer->text, " *)(");
	}
	oclmm_write_slots(writer, location);
	if (l->space == OCLMM_SPACE_LOCAL)
		oclmm_text_printf(writer->text, " + lane_%s * %uu", own, l->elements);
	else
		oclmm_text_printf(writer->text, "%soclmm_slot(p.location[%u], i_%s, %s)",
		                  oclmm_location_is_image(l) ? ", (int)" : " + ", location, own,
		                  writer->options.any_count ? "mask + 1u, p.instances_inverse"
		                                            : "mask");
	if (parameter->atomic != l->atomic)
		oclmm_text_add(writer->text, ")");
}

/*
 * A compiler that sees where a generic pointer comes from uses the instructions of that region. So
 * it comes from either region here, by a condition that is never true, which no compiler knows.
 */
static void write_argument(const struct oclmm_writer *writer,
                           const struct oclmm_parameter *parameter)
{
	const struct oclmm_location *l = &writer->program->locations[parameter->location];
	const char *type = oclmm_type_spelling(l->type, parameter->atomic);
	bool local = l->space == OCLMM_SPACE_LOCAL;

	if (!parameter->generic) {
		write_slot(writer, parameter);
		return;
	}
	oclmm_text_printf(writer->text, "elsewhere ? (%s *)(%s %s *)%s : (%s *)(", type,
	                  local ? "global" : "local", type, local ? "codes" : "oclmm_elsewhere",
	                  type);
	write_slot(writer, parameter);
	oclmm_text_add(writer->text, ")");
}

bool oclmm_has_generic(const struct oclmm_writer *writer, enum oclmm_space space)
{
	const struct oclmm_program *program = writer->program;

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *t = &program->threads[i];

		for (uint32_t n = 0; n < t->parameter_count && oclmm_is_own(writer, i); n++)
			if (t->parameters[n].generic &&
			    program->locations[t->parameters[n].location].space == space)
				return true;
	}
	return false;
}

void oclmm_write_play(struct oclmm_writer *writer, uint32_t thread, uint32_t segment)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	const char *comma = "";

	writer->thread = thread;
	oclmm_line(writer, "%s", "");
	write_function_name(writer, thread, segment);
	oclmm_text_add(writer->text, "(");
	if (oclmm_has_state(writer->program, t)) {
		oclmm_text_printf(writer->text, "&r_P%u", t->id);
		comma = ", ";
	}
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		oclmm_text_add(writer->text, comma);
		write_argument(writer, &t->parameters[i]);
		comma = ", ";
	}
	if (oclmm_enqueues(t))
		oclmm_write_enqueue_arguments(writer, comma);
	oclmm_text_add(writer->text, ");\n");
}
