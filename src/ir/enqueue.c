// SPDX-License-Identifier: Apache-2.0
/* Kernels that work-items enqueue, C:6.15.14. */
#include "print.h"

OCLMM_LOOK_UP(const char *, oclmm_enqueue_spelling, oclmm_enqueue_flag, OCLMM_ENQUEUE_FLAGS, FIRST);

bool oclmm_program_has_children(const struct oclmm_program *program)
{
	for (uint32_t t = 0; t < program->thread_count; t++)
		if (program->threads[t].placement.child)
			return true;
	return false;
}

const struct oclmm_enqueue *oclmm_find_enqueue(const struct oclmm_program *program, uint32_t child,
                                               uint32_t *ret_parent)
{
	for (uint32_t t = 0; t < program->thread_count; t++)
		for (const struct oclmm_statement *s = program->threads[t].body; s; s = s->next) {
			if (s->kind != OCLMM_STATEMENT_ENQUEUE || s->enqueue.child != child)
				continue;
			*ret_parent = t;
			return &s->enqueue;
		}
	return NULL;
}

static void print_waits(const struct oclmm_printer *printer, const struct oclmm_enqueue *enqueue)
{
	const struct oclmm_enqueue *before;
	uint32_t parent;

	if (!enqueue->after && !enqueue->event)
		return;
	if (enqueue->after) {
		before = oclmm_find_enqueue(printer->program, enqueue->after - 1, &parent);
		oclmm_text_printf(printer->text, "1, &%s, ", before->event);
	} else {
		oclmm_text_add(printer->text, "0, NULL, ");
	}
	oclmm_text_printf(printer->text, enqueue->event ? "&%s, " : "NULL, ", enqueue->event);
}

/* `enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ P1(x); });` */
void oclmm_print_enqueue(const struct oclmm_printer *printer, const struct oclmm_enqueue *enqueue)
{
	const struct oclmm_thread *child = &printer->program->threads[enqueue->child];

	if (enqueue->event)
		oclmm_text_printf(printer->text, "clk_event_t %s; ", enqueue->event);
	oclmm_text_printf(printer->text, "enqueue_kernel(get_default_queue(), %s, ndrange_1D(1), ",
	                  oclmm_enqueue_spelling(enqueue->flag));
	print_waits(printer, enqueue);
	oclmm_text_printf(printer->text, "^{ P%u(", child->id);
	for (uint32_t i = 0; i < child->parameter_count; i++)
		oclmm_text_printf(printer->text, "%s%s", i ? ", " : "",
		                  printer->program->locations[child->parameters[i].location].name);
	oclmm_text_add(printer->text, "); });");
}
