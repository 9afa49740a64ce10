// SPDX-License-Identifier: Apache-2.0
/* What became of a test, in words: why, and the executions of code that is wrong. */
#include <inttypes.h>

#include "audit.h"

size_t audit_count(const struct audit *audit, enum audit_verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < audit->count; i++)
		count += audit->cases[i].judged && audit->cases[i].verdict == verdict;
	return count;
}

/* ---- one test, in words --------------------------------------------------- */

static void add_object(struct oclmm_text *text, const struct oclmm_program *program,
                       const struct oclmm_machine_event *e)
{
	const struct oclmm_location *l = &program->locations[e->location];

	oclmm_text_add_shown(text, l->name);
	if (l->is_array)
		oclmm_text_printf(text, "[%" PRIu32 "]", e->element);
}

/* How a case calls a thread of the program: P0, or work-item 0. */
static void add_thread(struct oclmm_text *text, const struct audit_case *c, uint32_t thread)
{
	oclmm_text_printf(text, "%s%" PRIu32, c->kernel ? "work-item " : "P",
	                  c->program->threads[thread].id);
}

/* `W x=1`, `R y=0`, `F` */
void audit_event(struct oclmm_text *text, const struct oclmm_program *program,
                 const struct oclmm_machine_event *e)
{
	static const char letters[] = "RWF";

	oclmm_text_printf(text, "%c", letters[e->kind]);
	if (e->kind == OCLMM_MACHINE_FENCE)
		return;
	oclmm_text_add(text, " ");
	if (e->barrier) {
		oclmm_text_add(text, "barrier");
		return;
	}
	add_object(text, program, e);
	oclmm_text_printf(text, "=");
	oclmm_value_print(text, program->locations[e->location].type, e->value);
}

static void add_source(struct oclmm_text *text, const struct audit_case *c,
                       const struct oclmm_machine_execution *x, unsigned event)
{
	const struct oclmm_machine_event *e = &x->event[event], *w = &x->event[e->source];

	if (e->kind != OCLMM_MACHINE_READ)
		return;
	if (w->thread < 0) {
		oclmm_text_add(text, ", reads the initial value");
		return;
	}
	oclmm_text_add(text, ", reads from ");
	add_thread(text, c, (uint32_t)w->thread);
	oclmm_text_add(text, w->barrier ? "'s barrier" : "");
}

/* The column behind the instruction. */
enum { TEXT_WIDE = 34 };

static void add_execution(struct oclmm_text *text, const struct audit_case *c,
                          const struct oclmm_machine_execution *x)
{
	int thread = -1;

	for (unsigned i = 0; i < x->count; i++) {
		const struct oclmm_machine_event *e = &x->event[i];
		bool again = i > 0 && x->event[i - 1].thread == e->thread &&
		             x->event[i - 1].line == e->line;

		if (e->thread < 0)
			continue;
		if (e->thread != thread) {
			oclmm_text_add(text, "    ");
			add_thread(text, c, (uint32_t)e->thread);
			oclmm_text_add(text, "\n");
		}
		thread = e->thread;
		oclmm_text_printf(text, "      %-*s ", TEXT_WIDE,
		                  again ? "" : oclmm_shown(e->text).text);
		audit_event(text, c->program, e);
		add_source(text, c, x, i);
		oclmm_text_add(text, "\n");
	}
}

/* In which order the writes of an object take effect, where there are several. */
static void add_coherence(struct oclmm_text *text, const struct audit_case *c,
                          const struct oclmm_machine_execution *x)
{
	const struct oclmm_program *program = c->program;

	for (unsigned i = 0; i < x->count; i++) {
		const struct oclmm_machine_event *e = &x->event[i];

		if (e->kind != OCLMM_MACHINE_WRITE || e->thread >= 0 ||
		    __builtin_popcountll(x->co[i]) < 2)
			continue;
		oclmm_text_add(text, "    writes of ");
		add_object(text, program, e);
		oclmm_text_add(text, " take effect in the order");
		for (int left = __builtin_popcountll(x->co[i]) - 1; left >= 0; left--) {
			for (unsigned w = 0; w < x->count; w++) {
				if (!(x->co[i] >> w & 1) || __builtin_popcountll(x->co[w]) != left)
					continue;
				oclmm_text_add(text, " ");
				oclmm_value_print(text, program->locations[e->location].type,
				                  x->event[w].value);
				oclmm_text_add(text, " (");
				add_thread(text, c, (uint32_t)x->event[w].thread);
				oclmm_text_add(text, ")");
			}
		}
		oclmm_text_add(text, "\n");
	}
}

static void add_gaps(struct oclmm_text *text, const struct audit_case *c,
                     const struct oclmm_machine_execution *x)
{
	if (!x->gap_count) {
		oclmm_text_add(
			text,
			"    no order between instructions is missing: with fences between "
			"all of them it may happen as well, so that an instruction does not do ");
		oclmm_text_printf(text, "what the %s asks for\n", c->kernel ? "kernel" : "test");
		return;
	}
	for (unsigned i = 0; i < x->gap_count; i++) {
		const struct oclmm_machine_event *before = &x->event[x->gap[i].before];
		const struct oclmm_machine_event *behind = &x->event[x->gap[i].behind];

		oclmm_text_printf(text, "    %s ", i ? "and in" : "an order is missing in");
		add_thread(text, c, (uint32_t)before->thread);
		oclmm_text_printf(text, ", between `%s` and ", oclmm_shown(before->text).text);
		oclmm_text_printf(text, "`%s`\n", oclmm_shown(behind->text).text);
	}
}

static void add_outcome(struct oclmm_text *text, const struct audit_case *c,
                        const struct oclmm_machine_execution *x)
{
	struct oclmm_text outcome = {0};

	oclmm_outcome_print(&outcome, c->program, x->values);
	oclmm_text_add_shown(text, oclmm_text_string(&outcome));
	oclmm_text_finish(&outcome);
}

void audit_reason(struct oclmm_text *text, const struct audit_case *c)
{
	size_t began = text->length;

	if (c->answer) {
		add_outcome(text, c, &c->answer->executions[0]);
		if (c->answer->count > 1)
			oclmm_text_printf(text, " and %zu more", c->answer->count - 1);
	} else {
		oclmm_text_add_shown(text, c->message);
	}
	if (c->known) {
		oclmm_text_add(text, text->length > began ? ": " : "");
		oclmm_text_add_shown(text, c->known);
	}
	if (c->expired)
		oclmm_text_printf(text, " (known until %04d-%02d-%02d)", c->expired / 10000,
		                  c->expired / 100 % 100, c->expired % 100);
}

void audit_details(struct oclmm_text *text, const struct audit_case *c)
{
	if (c->verdict == AUDIT_UNREADABLE && c->line)
		oclmm_text_printf(text, "    line %" PRIu32 " of its function: %s\n", c->line,
		                  oclmm_shown(c->source).text);
	for (size_t i = 0; c->answer && i < c->answer->count; i++) {
		const struct oclmm_machine_execution *x = &c->answer->executions[i];

		oclmm_text_add(text, "  ");
		add_outcome(text, c, x);
		oclmm_text_add(text, " # !! forbidden\n");
		add_execution(text, c, x);
		add_coherence(text, c, x);
		add_gaps(text, c, x);
	}
}

bool audit_is_notable(enum audit_verdict verdict)
{
	return verdict != AUDIT_RIGHT && verdict != AUDIT_UNDEFINED && verdict != AUDIT_SKIP;
}

/* `audit: wrong: of 12 tests 10 right, 2 wrong` */
void audit_sentence(struct oclmm_text *text, const struct audit *audit, int status)
{
	struct oclmm_text line = {0};
	size_t cut = 0, judged = 0;

	for (size_t i = 0; i < audit->count; i++) {
		cut += audit->cases[i].judged && audit->cases[i].verdict == AUDIT_RIGHT &&
		       audit->cases[i].cut;
		judged += audit->cases[i].judged;
	}
	oclmm_text_printf(&line, "audit: %s: of %s",
	                  status == OCLMM_EXIT_PASS ? "right"
	                  : status == OCLMM_EXIT_FORBIDDEN && !audit_count(audit, AUDIT_WRONG)
	                          ? "stale"
	                  : status == OCLMM_EXIT_FORBIDDEN ? "wrong"
	                  : status == OCLMM_EXIT_NOTHING   ? "nothing judged"
	                                                   : "not all judged",
	                  oclmm_counted(audit->count, "test").text);
	for (int v = 0; v < AUDIT_VERDICT_COUNT; v++) {
		size_t count = audit_count(audit, (enum audit_verdict)v);

		if (count || v == AUDIT_RIGHT || v == AUDIT_WRONG)
			oclmm_text_printf(&line, "%s %zu %s", v ? "," : "", count,
			                  audit_verdict_word((enum audit_verdict)v));
	}
	if (audit->stale_lines)
		oclmm_text_printf(&line, ", %s of known failures stale",
		                  oclmm_counted(audit->stale_lines, "line").text);
	if (cut)
		oclmm_text_printf(&line, "; %zu of those that are right within the bound of loops",
		                  cut);
	if (judged < audit->count)
		oclmm_text_printf(&line, "; interrupted before %zu", audit->count - judged);
	oclmm_text_printf(text, "%s\n", oclmm_text_string(&line));
	oclmm_text_finish(&line);
}
