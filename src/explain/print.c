// SPDX-License-Identifier: Apache-2.0
/* An explanation as text for people. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

struct printing {
	struct oclmm_text *text;
	const struct oclmm_explanation *e;
	const struct oclmm_execution *x;
};

static void say(struct printing *p, const char *words)
{
	oclmm_text_add(p->text, words);
}

/* A paragraph that begins behind column `at`, broken between words; every line but the first is
 * indented. */
static void OCLMM_PRINTF(4, 5)
	paragraph(struct printing *p, unsigned at, unsigned indent, const char *format, ...);

static void paragraph(struct printing *p, unsigned at, unsigned indent, const char *format, ...)
{
	va_list arguments;
	char *words;
	int length;

	va_start(arguments, format);
	length = vasprintf(&words, format, arguments);
	va_end(arguments);
	if (length < 0)
		oclmm_no_memory();
	oclmm_text_add_wrapped(p->text, words, OCLMM_TEXT_WIDTH, at, indent);
	say(p, "\n");
	free(words);
}

/* ---- the execution ---------------------------------------------------------- */

/* `kernel (clEnqueueNDRangeKernel), queue 0`. */
static void print_command_place(struct oclmm_text *text, const struct oclmm_program *program,
                                uint32_t thread)
{
	const struct oclmm_command *command = &program->threads[thread].placement.command;

	if (command->kind == OCLMM_COMMAND_HOST)
		oclmm_text_add(text, "the host between its calls");
	else
		oclmm_text_printf(text, "%s (%s)", oclmm_command_word(command->kind),
		                  oclmm_command_function(program, thread));
	if (oclmm_command_is_queued(command->kind))
		oclmm_text_printf(text, ", queue %u%s", command->queue,
		                  command->unordered ? ", out of order" : "");
	if (command->device)
		oclmm_text_printf(text, ", device %u", command->device);
	if (command->sub)
		oclmm_text_printf(text, ", sub-buffer %u", command->sub - 1);
	if (command->recording)
		oclmm_text_printf(text, ", command buffer %u%s", command->recording - 1,
		                  command->again ? ", again" : "");
	for (uint32_t i = 0; i < OCLMM_SEMAPHORES_MOST; i++) {
		if (command->semaphores >> i & 1)
			oclmm_text_printf(text, ", semaphore %u", i);
	}
}

static void print_place(struct printing *p, uint32_t thread)
{
	const struct oclmm_thread *t = &p->e->program->threads[thread];

	if (t->placement.command.kind) {
		struct oclmm_text place = {0};

		oclmm_text_printf(&place, "P%u, ", t->id);
		print_command_place(&place, p->e->program, thread);
		oclmm_text_add_wrapped(p->text, oclmm_text_string(&place), OCLMM_TEXT_WIDTH, 2, 6);
		oclmm_text_finish(&place);
		return;
	}
	oclmm_text_printf(p->text, "P%u", t->id);
	if (t->placement.host || t->placement.child) {
		say(p, t->placement.host ? ", host thread" : ", child kernel");
		return;
	}
	oclmm_text_printf(p->text, ", device %u", t->placement.device);
	if (oclmm_program_has_queues(p->e->program))
		oclmm_text_printf(p->text, ", queue %u", t->placement.queue);
	oclmm_text_printf(p->text, ", work-group %u", t->placement.work_group);
	if (t->placement.sub_group_given)
		oclmm_text_printf(p->text, ", sub-group %u", t->placement.sub_group);
}

static void pad(struct printing *p, size_t from, unsigned width)
{
	size_t at = oclmm_text_columns(p->text->data + from, p->text->length - from);

	while (at++ < width)
		say(p, " ");
}

/* The statement of a line that began at `from`: a line below where it is too wide for the rest. */
static void print_source(struct printing *p, size_t from, uint32_t thread,
                         const struct oclmm_statement *s)
{
	struct oclmm_text source = {0};
	size_t wide;

	oclmm_statement_print(&source, p->e->program, thread, s);
	oclmm_text_printf(p->text, "line %u:", s->position.line);
	wide = oclmm_text_columns(p->text->data + from, p->text->length - from) + 1 +
	       oclmm_text_columns(oclmm_text_string(&source), source.length);
	oclmm_text_printf(p->text, "%s%s", wide > OCLMM_TEXT_WIDTH ? "\n       " : " ",
	                  oclmm_text_string(&source));
	oclmm_text_finish(&source);
}

static void print_event(struct printing *p, unsigned event)
{
	const struct oclmm_event *e = &p->x->event[event];
	size_t from = p->text->length;

	say(p, "    ");
	oclmm_event_print(p->text, p->e->program, p->x, event);
	if (e->thread >= 0)
		pad(p, from, 30);
	if (e->statement)
		print_source(p, from, (uint32_t)e->thread, e->statement);
	say(p, "\n");
}

/* Initial writes that somebody reads from or that the cycle passes. */
static bool is_of_interest(const struct printing *p, unsigned initial)
{
	for (unsigned i = p->x->init_count; i < p->x->count; i++)
		if (oclmm_event_reads(&p->x->event[i]) && p->x->rf[i] == initial)
			return true;
	for (unsigned i = 0; p->e->violation && i < p->e->violation->step_count; i++)
		if (p->e->violation->steps[i].from == initial ||
		    p->e->violation->steps[i].to == initial)
			return true;
	return false;
}

static void print_events(struct printing *p)
{
	const struct oclmm_execution *x = p->x;
	bool any = false;

	for (unsigned i = 0; i < x->init_count; i++) {
		if (!is_of_interest(p, i))
			continue;
		if (!any)
			say(p, "  initial values\n");
		any = true;
		print_event(p, i);
	}
	for (unsigned t = 0; t < p->e->program->thread_count; t++) {
		say(p, "  ");
		print_place(p, t);
		say(p, "\n");
		for (unsigned i = x->init_count; i < x->count; i++)
			if (x->event[i].thread == (int)t)
				print_event(p, i);
	}
}

/* ---- an allowed outcome ------------------------------------------------------ */

static void print_steps(struct printing *p, const struct oclmm_step *steps, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		size_t from = p->text->length;

		oclmm_text_printf(p->text, "    %s -%s-> %s",
		                  oclmm_event_letter(p->x, steps[i].from).text, steps[i].name,
		                  oclmm_event_letter(p->x, steps[i].to).text);
		pad(p, from, 17);
		paragraph(p, 17, 17, "%s (%s)", steps[i].why, steps[i].section);
	}
}

static bool is_next(const oclmm_events *relation, unsigned a, unsigned b)
{
	if (!(relation[a] & BIT(b)))
		return false;
	FOR_EACH (k, relation[a])
		if (relation[k] & BIT(b))
			return false;
	return true;
}

static void add_step(struct oclmm_step *steps, unsigned *count, enum oclmm_edge edge, unsigned from,
                     unsigned to)
{
	if (*count < 4 * OCLMM_MAX_EVENTS)
		steps[(*count)++] = (struct oclmm_step){.edge = edge, .from = from, .to = to};
}

/* rf of every read, mo where threads write over each other, and sw. */
static void print_witness(struct printing *p)
{
	const struct oclmm_execution *x = p->x;
	struct oclmm_step steps[4 * OCLMM_MAX_EVENTS];
	struct oclmm_arena *arena = oclmm_arena_create();
	unsigned count = 0;

	for (unsigned r = x->init_count; r < x->count; r++)
		if (oclmm_event_reads(&x->event[r]))
			add_step(steps, &count, OCLMM_EDGE_RF, x->rf[r], r);
	for (unsigned a = x->init_count; a < x->count; a++)
		for (unsigned b = x->init_count; b < x->count; b++)
			if (oclmm_event_writes(&x->event[a]) && is_next(x->mo, a, b))
				add_step(steps, &count, OCLMM_EDGE_MO, a, b);
	for (unsigned a = x->init_count; a < x->count; a++)
		FOR_EACH (b, oclmm_execution_sw(x, a))
			add_step(steps, &count, OCLMM_EDGE_SW, a, (unsigned)b);
	oclmm_explain_steps(arena, p->e->program, x, steps, count);
	print_steps(p, steps, count);
	oclmm_arena_destroy(arena);
}

static void print_allowed(struct printing *p)
{
	say(p, "\nAn execution that ends like this and breaks no rule:\n\n");
	print_events(p);
	say(p, "\n");
	print_witness(p);
}

/* ---- a forbidden outcome ------------------------------------------------------ */

/* One edge with the statement that it leads to below it. */
static void print_step(struct printing *p, const struct oclmm_step *s)
{
	size_t from = p->text->length;

	say(p, "      ");
	oclmm_text_add(p->text, s->name);
	pad(p, from, 11);
	paragraph(p, 11, 11, "%s (%s)", s->why, s->section);
	print_event(p, s->to);
}

static void print_violation(struct printing *p)
{
	const struct oclmm_violation *v = p->e->violation;
	bool cycle = v->step_count && v->steps[v->step_count - 1].to == v->steps[0].from;

	paragraph(p, 0, 0, "\nRule broken: %s (%s). %c%s.", v->rule, v->section,
	          v->why[0] >= 'a' && v->why[0] <= 'z' ? v->why[0] - 'a' + 'A' : v->why[0],
	          v->why + 1);
	/* of a model as text some checks have none */
	if (!v->step_count)
		return;
	say(p, cycle                ? "The cycle, each event before the next:\n\n"
	       : v->step_count == 1 ? "The edge that may not be:\n\n"
	                            : "The way that may not be:\n\n");
	print_event(p, v->steps[0].from);
	for (unsigned i = 0; i < v->step_count; i++)
		print_step(p, &v->steps[i]);
}

static void print_failures(struct printing *p)
{
	const struct oclmm_explanation *e = p->e;
	struct oclmm_text line = {0};

	oclmm_text_printf(&line, "%llu candidate execution%s that way, and %s consistent",
	                  (unsigned long long)e->candidates, e->candidates == 1 ? " ends" : "s end",
	                  e->candidates == 1 ? "it is not" : "none is");
	if (e->failure_count > 1) {
		oclmm_text_add(&line, ". They break first:");
		for (unsigned i = 0; i < e->failure_count; i++)
			oclmm_text_printf(&line, "%s %s %llu times", i ? "," : "",
			                  e->failures[i].name,
			                  (unsigned long long)e->failures[i].executions);
		oclmm_text_add(&line, "; shown is one that comes closest");
	}
	oclmm_text_add(&line, e->candidates_cut ? ". A limit ended the search." : ".");
	paragraph(p, 0, 0, "\n%s", oclmm_text_string(&line));
	oclmm_text_finish(&line);
}

static void print_forbidden(struct printing *p)
{
	if (!p->x) {
		paragraph(p, 0, 0, "\nNo execution to show: %s.",
		          p->e->candidates_cut ? "a limit ended the search" : p->e->why);
		return;
	}
	say(p, "\nTo end like this, the events would have to be related as follows:\n\n");
	print_events(p);
	if (p->e->violation)
		print_violation(p);
	print_failures(p);
}

/* ---- readings ------------------------------------------------------------------ */

static void print_reading(struct oclmm_text *text, const struct oclmm_reading *r)
{
	oclmm_text_add(text, oclmm_model_name(r->regime));
	for (unsigned k = 0; k < OCLMM_KNOB_COUNT; k++)
		if (r->alternatives & 1u << k)
			oclmm_text_printf(text, " +%s", oclmm_knob_name((enum oclmm_knob)k));
}

static enum oclmm_status plain_status(const struct oclmm_explanation *e, enum oclmm_model regime)
{
	for (unsigned i = 0; i < e->reading_count; i++)
		if (e->readings[i].reading.regime == regime && !e->readings[i].reading.alternatives)
			return e->readings[i].status;
	return OCLMM_STATUS_FORBIDDEN;
}

/* The regimes as they are, and each knob that alone changes one of them. */
static void print_readings(struct printing *p)
{
	const struct oclmm_explanation *e = p->e;

	say(p, "\nWhat the readings of the texts say (docs/model.md, section 10):\n\n");
	for (unsigned i = 0; i < e->reading_count; i++) {
		const struct oclmm_reading *r = &e->readings[i].reading;
		size_t from = p->text->length;

		if (r->alternatives & (r->alternatives - 1) ||
		    (r->alternatives && e->readings[i].status == plain_status(e, r->regime)))
			continue;
		say(p, "    ");
		print_reading(p->text, r);
		pad(p, from, 24);
		oclmm_text_printf(p->text, "%s\n", oclmm_status_word(e->readings[i].status));
	}
}

/* What devices of each version are held to, where a knob makes it another word than the text's. */
static void print_versions(struct printing *p)
{
	bool differ = false;

	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++)
		differ |= p->e->versions >> m & 1 &&
		          p->e->by_version[m] != plain_status(p->e, (enum oclmm_model)m);
	if (!differ)
		return;
	say(p, "\nWhat that makes for devices of each version:\n\n");
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		size_t from = p->text->length;

		if (!(p->e->versions & 1u << m))
			continue;
		oclmm_text_printf(p->text, "    %s", oclmm_model_name((enum oclmm_model)m));
		pad(p, from, 24);
		oclmm_text_printf(p->text, "%s\n", oclmm_status_word(p->e->by_version[m]));
	}
}

static void print_disputed(struct printing *p)
{
	struct oclmm_text reading = {0};

	print_readings(p);
	print_versions(p);
	say(p, "\n");
	for (unsigned k = 0; k < OCLMM_KNOB_COUNT; k++) {
		if (!(p->e->deciding & 1u << k))
			continue;
		paragraph(p, 0, 0, "What decides is %s: %s.", oclmm_knob_name((enum oclmm_knob)k),
		          oclmm_knob_question((enum oclmm_knob)k));
	}
	print_reading(&reading, &p->e->reading);
	paragraph(p, 0, 0,
	          "\nWhere it is forbidden (%s), the reason is this:", oclmm_text_string(&reading));
	oclmm_text_finish(&reading);
	print_forbidden(p);
	if (!p->e->allowing_why)
		return;
	print_reading(&reading, &p->e->allowing);
	paragraph(p, 0, 0, "\nWhere it is allowed (%s), %s.", oclmm_text_string(&reading),
	          p->e->allowing_why);
	oclmm_text_finish(&reading);
}

/* ---- an undefined program --------------------------------------------------------- */

static void print_access(struct printing *p, const struct oclmm_access *a)
{
	const struct oclmm_statement *s = a->statement;
	size_t from = p->text->length;

	oclmm_text_printf(p->text, "    P%u, ", p->e->program->threads[a->thread].id);
	if (s)
		print_source(p, from, a->thread, s);
	else
		oclmm_text_printf(p->text, "line %u:", a->position.line);
	if (a->text[0])
		oclmm_text_printf(p->text, "   [%s]", a->text);
	say(p, "\n");
}

static const char *place_of(enum oclmm_undefined reason)
{
	if (reason == OCLMM_UNDEFINED_DIVERGENCE)
		return "Not every work-item of the group comes to this barrier, or one meets "
		       "another barrier instead (C:6.15.8):";
	if (reason == OCLMM_UNDEFINED_OVERLAP)
		return "What uses the object, and what it must not overlap with:";
	if (reason == OCLMM_UNDEFINED_EXTERNAL)
		return "The use of external memory, and what acquires or releases it:";
	if (reason == OCLMM_UNDEFINED_SEMAPHORE)
		return "The semaphore is used here, and before that there:";
	if (reason == OCLMM_UNDEFINED_SPLIT_BARRIER)
		return "A work-item waits here and has not arrived, or comes to another barrier "
		       "while it has to wait (cl_intel_split_work_group_barrier):";
	if (reason == OCLMM_UNDEFINED_RACE)
		return "The two accesses:";
	return "It happens here:";
}

static void print_undefined(struct printing *p)
{
	const struct oclmm_witness *w = p->e->witness;

	paragraph(p, 0, 0,
	          "\nThe program has undefined behaviour: %s. Whatever a device does with it, no "
	          "outcome is forbidden.",
	          oclmm_undefined_word(w->reason));
	if (!p->x) {
		if (p->e->text && w->reason == OCLMM_UNDEFINED_RACE && !w->has_b) {
			paragraph(p, 0, 0, "%c%s.", w->why[0] - 'a' + 'A', w->why + 1);
			return;
		}
		paragraph(p, 0, 0, "%s", place_of(w->reason));
		say(p, "\n");
		print_access(p, &w->a);
		if (w->has_b)
			print_access(p, &w->b);
		if (w->why[0]) {
			say(p, "    ");
			paragraph(p, 4, 4, "%s", w->why);
		}
		if (p->e->why)
			paragraph(p, 0, 0, "\n%s", p->e->why);
		return;
	}
	say(p, "The two accesses:\n\n");
	print_event(p, p->e->race_a);
	print_event(p, p->e->race_b);
	paragraph(p, 0, 0, "\n%s", p->e->why);
	say(p, "\nThe execution in which they race:\n\n");
	print_events(p);
}

/* ---- changes: lines of before and after, as they stand in a file --------------------- */

enum { MAX_PRINTED_CHANGES = 4 };

static void print_line(struct printing *p, const struct oclmm_change_line *l)
{
	uint32_t id = p->e->program->threads[l->thread].id;

	if (l->before)
		oclmm_text_printf(p->text, "    P%u %4u - %s\n", id, l->line, l->before);
	if (l->after && l->before)
		oclmm_text_printf(p->text, "    P%u %4u + %s\n", id, l->line, l->after);
	else if (l->after)
		oclmm_text_printf(p->text, "    P%u      + %s   (%s)\n", id, l->after, l->place);
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

static void print_changes(struct printing *p)
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

/* The test and the outcome that is asked for. */
static void print_asked(struct oclmm_text *text, const struct oclmm_explanation *e)
{
	bool negated = !e->values && e->program->quantifier == OCLMM_QUANTIFIER_FORALL;

	oclmm_text_printf(text, "%s: %s", e->program->name, negated ? "~(" : "");
	if (e->values)
		oclmm_outcome_print(text, e->program, e->values);
	else
		oclmm_condition_print(text, e->program, e->program->condition);
	oclmm_text_add(text, negated ? ")" : "");
}

static void print_head(struct printing *p)
{
	const struct oclmm_explanation *e = p->e;
	struct oclmm_text line = {0};

	print_asked(&line, e);
	oclmm_text_printf(&line, " is %s", oclmm_status_word(e->status));
	if (e->text)
		oclmm_text_printf(&line, " under %s", e->text);
	else if (e->model != OCLMM_MODEL_CONSENSUS)
		oclmm_text_printf(&line, " under %s", oclmm_model_name(e->model));
	else if (e->status == OCLMM_STATUS_FORBIDDEN || e->status == OCLMM_STATUS_ALLOWED)
		oclmm_text_printf(&line, " under %s",
		                  e->reading_count == 1 ? "the only reading" : "every reading");
	paragraph(p, 0, 2, "%s", oclmm_text_string(&line));
	oclmm_text_finish(&line);
	if (e->values && e->states > 1)
		oclmm_text_printf(p->text, "(one of %u outcomes that the condition asks for)\n",
		                  e->states);
}

static void print_only(struct printing *p)
{
	struct oclmm_text line = {0};

	paragraph(
		p, 0, 0,
		"\nThe work-items were run step by step, from barrier to barrier. No two accesses "
		"conflict without a barrier between them, so each order of the work-items ends in "
		"the same state:");
	oclmm_outcome_print(&line, p->e->program, p->e->only);
	say(p, "\n    ");
	paragraph(p, 4, 4, "%s", oclmm_text_string(&line));
	oclmm_text_finish(&line);
}

void oclmm_explanation_print(struct oclmm_text *text, const struct oclmm_explanation *e)
{
	struct printing p = {.text = text, .e = e, .x = e->execution};

	print_head(&p);
	if (e->only) {
		print_only(&p);
		return;
	}
	switch (e->status) {
	case OCLMM_STATUS_ALLOWED:
		if (e->execution)
			print_allowed(&p);
		break;
	case OCLMM_STATUS_FORBIDDEN: print_forbidden(&p); break;
	case OCLMM_STATUS_DISPUTED: print_disputed(&p); break;
	case OCLMM_STATUS_UNDEFINED: print_undefined(&p); break;
	}
	print_changes(&p);
}
