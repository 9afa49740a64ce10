// SPDX-License-Identifier: Apache-2.0
/* The changed programs of an explanation: lines of before and after, as they stand in a file. */
#include "printing.h"

enum { MAX_PRINTED_CHANGES = 4 };

static void print_line(struct printing *p, const struct oclmm_change_line *l)
{
	uint32_t id = p->e->program->threads[l->thread].id;

	if (l->before)
		oclmm_text_printf(p->text, "    P%u %4u - %s\n", id, l->line, l->before);
	if (l->after && l->before)
		oclmm_text_printf(p->text, "    P%u %4u + %s\n", id, l->line, l->after);
	else if (l->after)
		oclmm_text_printf(p->text, "    P%u      + %s   (after line %u)\n", id, l->after,
		                  l->line);
}

static void print_change(struct printing *p, const struct oclmm_change *c)
{
	oclmm_text_add(p->text, "\n  ");
	paragraph(p, 2, 2, "%s:", c->what);
	oclmm_text_add(p->text, "  then ");
	if (c->status == OCLMM_STATUS_UNDEFINED)
		oclmm_text_add(p->text, "the program is undefined\n");
	else
		oclmm_text_printf(p->text, "the outcome is %s\n", oclmm_status_word(c->status));
	for (unsigned i = 0; i < c->line_count; i++)
		print_line(p, &c->lines[i]);
}

static void print_no_change(struct printing *p, bool repair)
{
	paragraph(p, 0, 0, "\n%s%s.",
	          repair ? "No change of orders, scopes or flags repairs it, nor one or two new "
	                   "fences or a barrier"
	                 : "No one or two weaker orders, scopes or flags, and no fence or barrier "
	                   "less, would allow it",
	          p->e->changes_cut ? ", as far as the search went: a limit ended it" : "");
}

void print_changes(struct printing *p)
{
	const struct oclmm_explanation *e = p->e;
	bool repair = e->status == OCLMM_STATUS_UNDEFINED;

	if (!e->changes_searched)
		return;
	if (!e->change_count) {
		print_no_change(p, repair);
		return;
	}
	paragraph(p, 0, 0, "\n%s (found by trying %u changed programs%s):",
	          repair ? "What would repair it" : "What would turn the verdict, each by itself",
	          e->checks, e->changes_cut ? "; a limit ended the search" : "");
	for (unsigned i = 0; i < e->change_count && i < MAX_PRINTED_CHANGES; i++)
		print_change(p, &e->changes[i]);
	if (e->change_count > MAX_PRINTED_CHANGES)
		oclmm_text_printf(p->text, "\n  and %u more like these\n",
		                  e->change_count - MAX_PRINTED_CHANGES);
}
