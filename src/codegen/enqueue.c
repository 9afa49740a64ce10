// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels that roles enqueue. A work-item that plays their parent enqueues a
 * kernel of one work-item for each instance, which plays the child and stores
 * what it observes. One more is added to the parent's word of `played` by each
 * child at its end, and taken off by the parent, so that a child that is lost
 * or comes too late shows there. An instance whose child the device refuses
 * (C:6.15.14.1) is counted as cut.
 */
#include "internal.h"

#include <stdlib.h>

bool oclmm_enqueues(const struct oclmm_thread *thread)
{
	for (const struct oclmm_statement *s = thread->body; s; s = s->next)
		if (s->kind == OCLMM_STATEMENT_ENQUEUE)
			return true;
	return false;
}

/* Whether each event is waited for in the segment that it is of. */
bool oclmm_events_in_segments(const struct oclmm_thread *thread)
{
	uint32_t given = 0;

	for (const struct oclmm_statement *s = thread->body; s; s = s->next) {
		if (oclmm_is_meeting(s))
			given = 0;
		if (s->kind != OCLMM_STATEMENT_ENQUEUE)
			continue;
		if (s->enqueue.after && !(given >> (s->enqueue.after - 1) & 1))
			return false;
		given |= 1u << s->enqueue.child;
	}
	return true;
}

/* What both the child and the thread that enqueues it take besides objects. */
static void write_harness_parameters(const struct oclmm_writer *writer, const char *comma)
{
	oclmm_text_printf(writer->text,
	                  "%sglobal uchar *codes, global %s *results, volatile global uint "
	                  "*played, const uint mask, const uint salt, const uint ",
	                  comma, oclmm_unsigned_word(writer->plan->wide ? 64 : 32));
}

void oclmm_write_enqueue_parameters(const struct oclmm_writer *writer, const char *comma)
{
	write_harness_parameters(writer, comma);
	oclmm_text_add(writer->text, "i, private uint *started");
}

void oclmm_write_enqueue_arguments(const struct oclmm_writer *writer, const char *comma)
{
	oclmm_text_printf(
		writer->text,
		"%scodes, results, played + place * p.width + own_lane, mask, p.salt, i_P%u, "
		"&started",
		comma, writer->program->threads[writer->thread].id);
}

/* ---- the child ---- */

static void write_body(struct oclmm_writer *writer, uint32_t thread,
                       const struct oclmm_plane *planes)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	oclmm_write_state(writer, thread);
	oclmm_line(writer, "P%u%s(", t->id, writer->suffix);
	if (oclmm_has_state(writer->program, t))
		oclmm_text_printf(writer->text, "&r_P%u", t->id);
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		if (i || oclmm_has_state(writer->program, t))
			oclmm_text_add(writer->text, ", ");
		oclmm_write_location(writer, t->parameters[i].location);
	}
	oclmm_text_add(writer->text, ");\n");
	oclmm_write_child_results(writer, planes);
	oclmm_line(writer, "atomic_inc(played);\n");
}

static void write_child(struct oclmm_writer *writer, uint32_t thread,
                        const struct oclmm_plane *planes)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	struct oclmm_writer own = *writer;

	own.child = thread + 1;
	own.thread = thread;
	own.options.split = false;
	oclmm_write_thread(&own, thread);
	oclmm_text_printf(own.text, "static void oclmm_child_P%u%s(", t->id, own.suffix);
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		oclmm_text_add(own.text, i ? ", " : "");
		oclmm_write_parameter(&own, &t->parameters[i]);
	}
	write_harness_parameters(&own, t->parameter_count ? ",\n\t" : "");
	oclmm_text_printf(own.text, "i_P%u)\n{\n", t->id);
	own.depth = 1;
	write_body(&own, thread, planes);
	oclmm_text_add(own.text, "}\n\n");
}

void oclmm_write_children(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	for (uint32_t i = 0; i < writer->plan->roles; i++)
		if (writer->plan->role_child[i])
			write_child(writer, i, planes);
}

/* ---- the call ---- */

static void write_type(const struct oclmm_writer *writer, const struct oclmm_parameter *parameter)
{
	const struct oclmm_location *l = &writer->program->locations[parameter->location];

	oclmm_text_printf(writer->text, "(%s%s%s%s *)", parameter->is_volatile ? "volatile " : "",
	                  parameter->generic ? "" : oclmm_space_spelling(l->space),
	                  parameter->generic ? "" : " ",
	                  oclmm_type_spelling(l->type, parameter->atomic));
}

static void write_block(const struct oclmm_writer *writer, const struct oclmm_thread *child)
{
	oclmm_text_printf(writer->text, "^{ oclmm_child_P%u%s(", child->id, writer->suffix);
	for (uint32_t i = 0; i < child->parameter_count; i++) {
		write_type(writer, &child->parameters[i]);
		oclmm_write_location(writer, child->parameters[i].location);
		oclmm_text_add(writer->text, ", ");
	}
	oclmm_text_add(writer->text, "codes, results, played, mask, salt, i); }");
}

/* The plane that says whether a child was cut. */
static uint32_t cut_plane(const struct oclmm_writer *writer, uint32_t child)
{
	struct oclmm_plane *planes = oclmm_kernel_planes(writer->program, writer->space,
	                                                 writer->plan);
	uint32_t n = 0;

	while (planes[n].kind != OCLMM_PLANE_CUT || planes[n].thread != child)
		n++;
	free(planes);
	return n;
}

/* Without one that it waits for, a kernel is not enqueued either. */
void oclmm_write_enqueue(struct oclmm_writer *writer, const struct oclmm_enqueue *enqueue)
{
	const struct oclmm_thread *threads = writer->program->threads;

	if (enqueue->event)
		oclmm_line(writer, "clk_event_t e_P%u;\n", threads[enqueue->child].id);
	oclmm_line(writer, "const bool lost_P%u = ", threads[enqueue->child].id);
	if (enqueue->after)
		oclmm_text_printf(writer->text, "lost_P%u || ", threads[enqueue->after - 1].id);
	oclmm_text_printf(writer->text, "enqueue_kernel(get_default_queue(), %s, ndrange_1D(1), ",
	                  oclmm_enqueue_spelling(enqueue->flag));
	if (enqueue->after)
		oclmm_text_printf(writer->text, "1, &e_P%u, ", threads[enqueue->after - 1].id);
	else if (enqueue->event)
		oclmm_text_add(writer->text, "0, NULL, ");
	if (enqueue->event)
		oclmm_text_printf(writer->text, "&e_P%u, ", threads[enqueue->child].id);
	else if (enqueue->after)
		oclmm_text_add(writer->text, "NULL, ");
	write_block(writer, &threads[enqueue->child]);
	oclmm_text_add(writer->text, ") != CLK_SUCCESS;\n");
	oclmm_line(writer, "*started += !lost_P%u;\n", threads[enqueue->child].id);
	oclmm_line(writer, "if (lost_P%u)\n", threads[enqueue->child].id);
	oclmm_line(writer, "\tcodes[%uu * (mask + 1u) + i] = 1;\n",
	           cut_plane(writer, enqueue->child));
}

/* Of what the segment behind `s` has enqueued, which ends at `end`. */
void oclmm_write_releases(struct oclmm_writer *writer, const struct oclmm_statement *s,
                          const struct oclmm_statement *end)
{
	for (; s != end; s = s->next) {
		unsigned id;

		if (s->kind != OCLMM_STATEMENT_ENQUEUE || !s->enqueue.event)
			continue;
		id = writer->program->threads[s->enqueue.child].id;
		oclmm_line(writer, "if (!lost_P%u)\n\t\trelease_event(e_P%u);\n", id, id);
	}
}
