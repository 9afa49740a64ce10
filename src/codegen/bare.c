// SPDX-License-Identifier: Apache-2.0
/*
 * Threads as functions of their own, with nothing around them: for who reads what a compiler makes
 * of a test. Each takes the objects of its thread, and stores what is observed of it when all else
 * is done. It calls atomic functions as OpenCL C has them; what these are is the text's head.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_observed(const struct oclmm_program *program, uint32_t thread, uint32_t reg)
{
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		if (o->is_register && o->thread == thread && o->reg == reg)
			return true;
	}
	return false;
}

/* What no function of this kind has. */
static const char *missing_of_statement(const struct oclmm_statement *s, bool inside)
{
	switch (s->kind) {
	case OCLMM_STATEMENT_COPY:
	case OCLMM_STATEMENT_WAIT: return "an asynchronous copy";
	case OCLMM_STATEMENT_ENQUEUE: return "a kernel that a work-item enqueues";
	case OCLMM_STATEMENT_BARRIER:
		if (s->barrier.collective)
			return "a collective function";
		if (s->barrier.part != OCLMM_BARRIER_WHOLE)
			return "a split barrier";
		return inside ? "a barrier in a branch or loop" : NULL;
	default: return NULL;
	}
}

static const char *missing_of_body(const struct oclmm_statement *s, bool inside)
{
	const char *missing = NULL;

	for (; s && !missing; s = s->next) {
		missing = missing_of_statement(s, inside);
		if (!missing && s->kind == OCLMM_STATEMENT_IF)
			missing = missing_of_body(s->branch.then_body, true);
		if (!missing && s->kind == OCLMM_STATEMENT_IF)
			missing = missing_of_body(s->branch.else_body, true);
		if (!missing && s->kind == OCLMM_STATEMENT_WHILE)
			missing = missing_of_body(s->loop.body, true);
	}
	return missing;
}

static const char *missing_of(const struct oclmm_program *program)
{
	if (oclmm_program_has_commands(program))
		return "commands of queues";
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (oclmm_location_is_image(l))
			return "an image";
		if (l->storage == OCLMM_STORAGE_PIPE)
			return "a pipe";
		if (oclmm_type_is_floating(l->type))
			return "a floating-point object";
	}
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *t = &program->threads[i];
		const char *missing = missing_of_body(t->body, false);

		if (t->placement.host)
			return "a thread of the host";
		if (t->placement.child)
			return "a kernel that a work-item enqueues";
		if (missing)
			return missing;
		for (uint32_t r = 0; r < t->register_count; r++) {
			if (oclmm_type_is_floating(t->registers[r].type))
				return "a floating-point register";
		}
	}
	return NULL;
}

static void write_head(const struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	oclmm_put(writer, "OCLMM_ENTRY void P%u%s_bare(", t->id, writer->suffix);
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const struct oclmm_parameter *p = &t->parameters[i];
		const struct oclmm_location *l = &writer->program->locations[p->location];

		oclmm_put(writer, "%s%s %s *", p->is_volatile ? "volatile " : "",
		          oclmm_space_spelling(l->space), oclmm_type_spelling(l->type, p->atomic));
		oclmm_write_location(writer, p->location);
		oclmm_put(writer, ", ");
	}
	oclmm_put(writer, "volatile global long *oclmm_out)\n{\n");
}

static void write_state(const struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	if (!has_state(writer->program, t))
		return;
	oclmm_put(writer, "\tstruct P%u_registers%s r = {0};\n", t->id, writer->suffix);
	for (uint32_t i = 0; i < t->register_count; i++) {
		if (!t->registers[i].initial)
			continue;
		oclmm_put(writer, "\tr.");
		oclmm_write_register(writer, thread, i);
		oclmm_put(writer, " = ");
		oclmm_write_constant(writer->text, t->registers[i].type, t->registers[i].initial);
		oclmm_put(writer, ";\n");
	}
}

static void write_call(const struct oclmm_writer *writer, uint32_t thread, uint32_t segment)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	const char *comma = "";

	oclmm_put(writer, "\t");
	oclmm_write_function_name(writer, thread, segment);
	oclmm_put(writer, "(");
	if (has_state(writer->program, t)) {
		oclmm_put(writer, "&r");
		comma = ", ";
	}
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		oclmm_put(writer, "%s", comma);
		oclmm_write_location(writer, t->parameters[i].location);
		comma = ", ";
	}
	oclmm_put(writer, ");\n");
}

/* Scope and flags as the call has them, and what the text's head makes of it. */
static void write_barrier(const struct oclmm_writer *writer, const struct oclmm_barrier *barrier)
{
	oclmm_put(writer, "\t%s%s(%s, %s)%s;\n", barrier->wrong ? "oclmm_wrong_barrier(" : "",
	          barrier->sub_group ? "sub_group_barrier" : "work_group_barrier",
	          oclmm_flags_spelling(barrier->flags), oclmm_scope_spelling(barrier->scope),
	          barrier->wrong ? ")" : "");
}

/* What is observed, word by word, and last whether a loop was cut. */
static void write_results(const struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	for (uint32_t i = 0; i < t->register_count; i++) {
		if (!is_observed(writer->original, thread, i))
			continue;
		oclmm_put(writer, "\toclmm_out[%u] = (long)%sr.", i,
		          oclmm_observe_opening(t->registers[i].type));
		oclmm_write_register(writer, thread, i);
		oclmm_put(writer, "%s;\n", oclmm_observe_closing(t->registers[i].type));
	}
	if (oclmm_has_loop(t->body))
		oclmm_put(writer, "\toclmm_out[%u] = (long)r.cut;\n", t->register_count);
}

static void write_bare(struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	const struct oclmm_statement *s = t->body;

	oclmm_write_thread(writer, thread);
	write_head(writer, thread);
	write_state(writer, thread);
	for (uint32_t segment = 0; segment < oclmm_segments(t); segment++) {
		write_call(writer, thread, segment);
		while (s && !is_meeting(s))
			s = s->next;
		if (s) {
			write_barrier(writer, &s->barrier);
			s = s->next;
		}
	}
	write_results(writer, thread);
	oclmm_put(writer, "}\n\n");
}

int oclmm_generate_bare(const struct oclmm_program *program, const struct oclmm_mutation *change,
                        const char *suffix, struct oclmm_error *error, struct oclmm_text *text)
{
	struct oclmm_writer writer = {.text = text,
	                              .program = program,
	                              .original = program,
	                              .suffix = suffix,
	                              .options = {.change = change}};
	const char *missing = missing_of(program);
	struct oclmm_arena *arena = NULL;

	if (missing)
		return oclmm_error_set(error, -ENOTSUP, "%s", missing);
	if (change) {
		arena = oclmm_arena_create();
		writer.program = oclmm_change_program(arena, program, change).program;
	}
	for (uint32_t i = 0; i < program->thread_count; i++)
		write_bare(&writer, i);
	oclmm_arena_destroy(arena);
	return 0;
}
