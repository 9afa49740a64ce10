// SPDX-License-Identifier: Apache-2.0
/*
 * Copies that a litmus work-group makes. A work-group of the launch plays one
 * of them for each lane, and all of its work-items make all of their copies,
 * one after the other, with one event: the wait is for all at once.
 */
#include "internal.h"

static void write_event(const struct oclmm_writer *writer, uint32_t thread, uint32_t event)
{
	oclmm_text_printf(writer->text, "e%u_%u", writer->plan->role_work_group[thread], event);
}

/* Whether it is the first one of its litmus work-group, whose copies are alike. */
static bool speaks(const struct oclmm_writer *writer, uint32_t thread)
{
	for (uint32_t i = 0; i < thread; i++)
		if (oclmm_roles_together(writer->plan, i, thread))
			return false;
	return oclmm_is_own(writer, thread);
}

void oclmm_write_events(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		for (uint32_t e = 0;
		     speaks(writer, i) && e < writer->program->threads[i].event_count; e++) {
			oclmm_line(writer, "event_t ");
			write_event(writer, i, e);
			oclmm_text_add(writer->text, " = 0;\n");
		}
}

/* `(global int *)at_x + oclmm_slot(p.location[0], i, mask) + 1u` */
static void write_end(const struct oclmm_writer *writer, const struct oclmm_copy *copy,
                      const struct oclmm_place *end)
{
	const struct oclmm_location *l = &writer->program->locations[end->location];

	oclmm_text_printf(writer->text, "(%s %s *)", oclmm_space_spelling(l->space),
	                  oclmm_type_spelling(l->type, false));
	oclmm_write_slots(writer, end->location);
	if (l->space == OCLMM_SPACE_LOCAL)
		oclmm_text_printf(writer->text, " + n * %uu", l->elements);
	else
		oclmm_text_printf(writer->text, " + oclmm_slot(p.location[%u], first + n, %s)",
		                  end->location,
		                  writer->options.any_count ? "mask + 1u, p.instances_inverse"
		                                            : "mask");
	oclmm_text_printf(writer->text, " + %uu",
	                  oclmm_copy_element(writer->program, copy, end, 0));
}

/* For the instances of all lanes. */
static void write_copies(struct oclmm_writer *writer, uint32_t thread,
                         const struct oclmm_copy *copy)
{
	oclmm_line(writer, "for (uint n = 0u, first = round * width + ");
	oclmm_write_group(writer, writer->plan->role_work_group[thread]);
	oclmm_text_add(writer->text, " * p.lanes; n < p.lanes; n++)\n");
	oclmm_line(writer, "\t");
	write_event(writer, thread, copy->event);
	oclmm_text_printf(writer->text, " = %s(", copy->spelling);
	write_end(writer, copy, &copy->to);
	oclmm_text_add(writer->text, ", ");
	write_end(writer, copy, &copy->from);
	oclmm_text_printf(writer->text, ", %u, ", copy->count);
	if (copy->strided)
		oclmm_text_printf(writer->text, "%u, ", copy->stride);
	write_event(writer, thread, copy->event);
	oclmm_text_add(writer->text, ");\n");
}

void oclmm_write_copy(struct oclmm_writer *writer, uint32_t thread, const struct oclmm_statement *s)
{
	if (writer->options.split)
		oclmm_open(writer, "if (part == %uu) {\n", writer->plan->role_work_group[thread]);
	if (s->kind == OCLMM_STATEMENT_COPY) {
		write_copies(writer, thread, &s->copy);
	} else {
		oclmm_line(writer, "wait_group_events(1, &");
		write_event(writer, thread, s->wait.event);
		oclmm_text_add(writer->text, ");\n");
	}
	if (writer->options.split)
		oclmm_close(writer);
}
