// SPDX-License-Identifier: Apache-2.0
/* Asynchronous copies, C:6.15.11. */
#include "print.h"

static uint32_t first_element(const struct oclmm_place *place)
{
	return place->index ? (uint32_t)place->index->constant : 0;
}

uint32_t oclmm_copy_element(const struct oclmm_program *program, const struct oclmm_copy *copy,
                            const struct oclmm_place *end, uint32_t n)
{
	bool global = program->locations[end->location].space == OCLMM_SPACE_GLOBAL;

	return first_element(end) + n * (global ? copy->stride : 1);
}

bool oclmm_program_has_copies(const struct oclmm_program *program)
{
	for (uint32_t t = 0; t < program->thread_count; t++)
		if (program->threads[t].event_count)
			return true;
	return false;
}

static bool same_place(const struct oclmm_place *a, const struct oclmm_place *b)
{
	return a->location == b->location && first_element(a) == first_element(b);
}

bool oclmm_same_copy(const struct oclmm_copy *a, const struct oclmm_copy *b)
{
	return same_place(&a->to, &b->to) && same_place(&a->from, &b->from) &&
	       a->count == b->count && a->stride == b->stride && a->strided == b->strided &&
	       a->joins == b->joins && a->event == b->event;
}

/* `event_t e = async_work_group_copy(l, x, 1, 0);` */
void oclmm_print_copy(const struct oclmm_printer *printer, const struct oclmm_copy *copy)
{
	const char *event = printer->thread->events[copy->event];

	oclmm_text_printf(printer->text, "%s%s = %s(", copy->joins ? "" : "event_t ", event,
	                  copy->spelling);
	oclmm_print_pointer(printer, &copy->to);
	oclmm_text_add(printer->text, ", ");
	oclmm_print_pointer(printer, &copy->from);
	oclmm_text_printf(printer->text, ", %u", copy->count);
	if (copy->strided)
		oclmm_text_printf(printer->text, ", %u", copy->stride);
	oclmm_text_printf(printer->text, ", %s);", copy->joins ? event : "0");
}

void oclmm_print_wait(const struct oclmm_printer *printer, const struct oclmm_wait *wait)
{
	oclmm_text_printf(printer->text, "wait_group_events(1, &%s);",
	                  printer->thread->events[wait->event]);
}
