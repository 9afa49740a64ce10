// SPDX-License-Identifier: Apache-2.0
/* How events are called. */

#include "internal.h"

/* a … z, then aa, ab …: events are numbered behind the initial writes. */
struct oclmm_event_letter oclmm_event_letter(const struct oclmm_execution *x, unsigned event)
{
	struct oclmm_event_letter letter;
	char *at = letter.text;

	if (event < x->init_count) {
		*at++ = 'i';
		if (event >= 10)
			*at++ = (char)('0' + event / 10 % 10);
		*at++ = (char)('0' + event % 10);
	} else {
		event -= x->init_count;
		if (event >= 26)
			*at++ = (char)('a' + event / 26 - 1);
		*at++ = (char)('a' + event % 26);
	}
	*at = '\0';
	return letter;
}

void print_object(struct oclmm_text *text, const struct oclmm_program *program,
                  const struct oclmm_event *e)
{
	const struct oclmm_location *l = &program->locations[e->location];

	oclmm_text_add(text, l->name);
	if (l->is_array)
		oclmm_text_printf(text, "[%u]", e->element);
}

static void print_flags(struct oclmm_text *text, unsigned flags)
{
	if (!flags)
		oclmm_text_add(text, "0");
	if (flags & OCLMM_FLAG_GLOBAL)
		oclmm_text_add(text, "G");
	if (flags & OCLMM_FLAG_LOCAL)
		oclmm_text_add(text, "L");
	if (flags & OCLMM_FLAG_IMAGE)
		oclmm_text_add(text, "I");
}

static void print_fence(struct oclmm_text *text, const struct oclmm_event *e)
{
	if (e->waited)
		oclmm_text_add(text, "waits for copies ");
	else if (e->barrier)
		oclmm_text_printf(text, "%s %s ", e->sub_group ? "SB" : "B",
		                  e->entry ? "entry" : "exit");
	else
		oclmm_text_add(text, "F ");
	print_flags(text, e->flags);
}

static void print_values(struct oclmm_text *text, const struct oclmm_program *program,
                         const struct oclmm_event *e)
{
	enum oclmm_type type = program->locations[e->location].type;

	oclmm_text_add(text, "=");
	if (oclmm_event_reads(e))
		oclmm_value_print(text, type, e->read);
	if (e->kind == OCLMM_EVENT_UPDATE)
		oclmm_text_add(text, "→");
	if (oclmm_event_writes(e))
		oclmm_value_print(text, type, e->written);
}

void oclmm_event_print(struct oclmm_text *text, const struct oclmm_program *program,
                       const struct oclmm_execution *x, unsigned event)
{
	static const char *const kinds[] = {"R", "W", "U", "F"};
	const struct oclmm_event *e = &x->event[event];

	oclmm_text_printf(text, "%s: ", oclmm_event_letter(x, event).text);
	if (e->enqueued) {
		oclmm_text_printf(text, "enqueues P%u", program->threads[e->enqueued - 1].id);
		return;
	}
	if (oclmm_event_is_fence(e)) {
		print_fence(text, e);
	} else {
		oclmm_text_printf(text, "%s ", kinds[e->kind]);
		print_object(text, program, e);
		print_values(text, program, e);
	}
	if (e->copied)
		oclmm_text_add(text, " of a copy");
	if (e->thread < 0 || e->copied || e->waited)
		return;
	oclmm_text_printf(text, " %s", oclmm_order_short(e->order));
	if (e->scope != OCLMM_SCOPE_NONE)
		oclmm_text_printf(text, " %s", oclmm_scope_short(e->scope));
}
