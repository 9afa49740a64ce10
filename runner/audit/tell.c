// SPDX-License-Identifier: Apache-2.0
/* What an audit found, for people and for programs. */
#include "audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/json.h"
#include "oclmm/grade.h"

static size_t count_of(const struct audit *audit, enum audit_verdict verdict)
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

/* `W x=1`, `R y=0`, `F` */
static void add_event(struct oclmm_text *text, const struct oclmm_program *program,
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

static void add_source(struct oclmm_text *text, const struct oclmm_program *program,
                       const struct oclmm_machine_execution *x, unsigned event)
{
	const struct oclmm_machine_event *e = &x->event[event], *w = &x->event[e->source];

	if (e->kind != OCLMM_MACHINE_READ)
		return;
	if (w->thread < 0)
		oclmm_text_add(text, ", reads the initial value");
	else
		oclmm_text_printf(text, ", reads from P%" PRIu32 "%s",
		                  program->threads[w->thread].id, w->barrier ? "'s barrier" : "");
}

/* The column behind the instruction. */
enum { TEXT_WIDE = 34 };

static void add_execution(struct oclmm_text *text, const struct oclmm_program *program,
                          const struct oclmm_machine_execution *x)
{
	int thread = -1;

	for (unsigned i = 0; i < x->count; i++) {
		const struct oclmm_machine_event *e = &x->event[i];
		bool again = i > 0 && x->event[i - 1].thread == e->thread &&
		             x->event[i - 1].line == e->line;

		if (e->thread < 0)
			continue;
		if (e->thread != thread)
			oclmm_text_printf(text, "    P%" PRIu32 "\n",
			                  program->threads[e->thread].id);
		thread = e->thread;
		oclmm_text_printf(text, "      %-*s ", TEXT_WIDE,
		                  again ? "" : oclmm_shown(e->text).text);
		add_event(text, program, e);
		add_source(text, program, x, i);
		oclmm_text_add(text, "\n");
	}
}

/* In which order the writes of an object take effect, where there are several. */
static void add_coherence(struct oclmm_text *text, const struct oclmm_program *program,
                          const struct oclmm_machine_execution *x)
{
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
				oclmm_text_printf(text, " (P%" PRIu32 ")",
				                  program->threads[x->event[w].thread].id);
			}
		}
		oclmm_text_add(text, "\n");
	}
}

static void add_gaps(struct oclmm_text *text, const struct oclmm_program *program,
                     const struct oclmm_machine_execution *x)
{
	if (!x->gap_count) {
		oclmm_text_add(
			text,
			"    no order between instructions is missing: with fences between "
			"all of them it may happen as well, so that an instruction does not do "
			"what the test asks for\n");
		return;
	}
	for (unsigned i = 0; i < x->gap_count; i++) {
		const struct oclmm_machine_event *before = &x->event[x->gap[i].before];
		const struct oclmm_machine_event *behind = &x->event[x->gap[i].behind];

		oclmm_text_printf(text, "    %s P%" PRIu32 ", between ",
		                  i ? "and in" : "an order is missing in",
		                  program->threads[before->thread].id);
		oclmm_text_printf(text, "`%s` and ", oclmm_shown(before->text).text);
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

/* Why it is what it is, in one line; nothing of one that is right. */
static void add_reason(struct oclmm_text *text, const struct audit_case *c)
{
	if (c->verdict != AUDIT_WRONG) {
		oclmm_text_add_shown(text, c->message);
		return;
	}
	add_outcome(text, c, &c->answer->executions[0]);
	if (c->answer->count > 1)
		oclmm_text_printf(text, " and %zu more", c->answer->count - 1);
}

static void add_details(struct oclmm_text *text, const struct audit_case *c)
{
	if (c->verdict == AUDIT_UNREADABLE && c->line)
		oclmm_text_printf(text, "    line %" PRIu32 " of its function: %s\n", c->line,
		                  oclmm_shown(c->source).text);
	if (c->verdict != AUDIT_WRONG)
		return;
	for (size_t i = 0; i < c->answer->count; i++) {
		const struct oclmm_machine_execution *x = &c->answer->executions[i];

		oclmm_text_add(text, "  ");
		add_outcome(text, c, x);
		oclmm_text_add(text, " # !! forbidden\n");
		add_execution(text, c->program, x);
		add_coherence(text, c->program, x);
		add_gaps(text, c->program, x);
	}
}

static void add_line(struct oclmm_text *text, const struct audit_case *c)
{
	struct oclmm_text line = {0};

	oclmm_text_printf(&line, "%-12s %s", audit_verdict_word(c->verdict),
	                  oclmm_shown(c->program->name).text);
	if (c->verdict != AUDIT_RIGHT) {
		oclmm_text_add(&line, "  ");
		add_reason(&line, c);
	} else if (c->cut) {
		oclmm_text_add(&line, "  within the bound of its loops");
	}
	oclmm_text_add_hung(text, oclmm_text_string(&line), line.length, OCLMM_TEXT_WIDTH, 13);
	oclmm_text_add(text, "\n");
	oclmm_text_finish(&line);
}

static bool is_notable(enum audit_verdict verdict)
{
	return verdict == AUDIT_WRONG || verdict == AUDIT_UNREADABLE ||
	       verdict == AUDIT_TOO_LARGE || verdict == AUDIT_NOT_BUILT;
}

static void add_head(struct oclmm_text *text, const struct audit *audit)
{
	oclmm_text_printf(text, "# %s for %s, judged by %s\n",
	                  oclmm_shown(audit_compiler_words(audit->compiler)).text,
	                  oclmm_shown(audit_compiler_target(audit->compiler)).text,
	                  audit->cat_path ? oclmm_shown(audit->cat_path).text
	                                  : oclmm_machine_model_name(
						    audit_compiler_machine(audit->compiler)));
	oclmm_text_add(text, "# each thread compiled as a function of its own\n");
}

/* `audit: wrong: of 12 tests 10 right, 2 wrong` */
static void add_sentence(struct oclmm_text *text, const struct audit *audit, int status)
{
	struct oclmm_text line = {0};
	size_t cut = 0, judged = 0;

	for (size_t i = 0; i < audit->count; i++) {
		cut += audit->cases[i].judged && audit->cases[i].verdict == AUDIT_RIGHT &&
		       audit->cases[i].cut;
		judged += audit->cases[i].judged;
	}
	oclmm_text_printf(&line, "audit: %s: of %s",
	                  status == OCLMM_EXIT_PASS        ? "right"
	                  : status == OCLMM_EXIT_FORBIDDEN ? "wrong"
	                  : status == OCLMM_EXIT_NOTHING   ? "nothing judged"
	                                                   : "not all judged",
	                  oclmm_counted(audit->count, "test").text);
	for (int v = 0; v < AUDIT_VERDICT_COUNT; v++) {
		size_t count = count_of(audit, (enum audit_verdict)v);

		if (count || v == AUDIT_RIGHT || v == AUDIT_WRONG)
			oclmm_text_printf(&line, "%s %zu %s", v ? "," : "", count,
			                  audit_verdict_word((enum audit_verdict)v));
	}
	if (cut)
		oclmm_text_printf(&line, "; %zu of those that are right within the bound of loops",
		                  cut);
	if (judged < audit->count)
		oclmm_text_printf(&line, "; interrupted before %zu", audit->count - judged);
	oclmm_text_printf(text, "%s\n", oclmm_text_string(&line));
	oclmm_text_finish(&line);
}

static void print_people(const struct audit *audit, bool all, int status, struct oclmm_text *text)
{
	add_head(text, audit);
	for (size_t i = 0; i < audit->count; i++) {
		const struct audit_case *c = &audit->cases[i];

		if (!c->judged || (!all && !is_notable(c->verdict)))
			continue;
		add_line(text, c);
		add_details(text, c);
	}
	add_sentence(text, audit, status);
}

/* ---- JSON Lines ------------------------------------------------------------- */

static json_t *values_of(const struct audit_case *c, const int64_t *values)
{
	json_t *object = json_object();

	for (uint32_t i = 0; i < c->program->observable_count; i++) {
		const struct oclmm_observable *o = &c->program->observables[i];

		json_object_set_new(object, o->name, json_integer(values[i]));
	}
	return object;
}

static json_t *event_of(const struct audit_case *c, const struct oclmm_machine_execution *x,
                        unsigned event)
{
	const struct oclmm_machine_event *e = &x->event[event];
	json_t *object = json_object();
	struct oclmm_text text = {0};

	if (e->thread >= 0)
		json_put_count(object, "thread", c->program->threads[e->thread].id);
	else
		json_put_text(object, "thread", NULL);
	json_put_text(object, "instruction", e->text);
	add_event(&text, c->program, e);
	json_put_printed(object, "event", &text);
	if (e->kind == OCLMM_MACHINE_READ)
		json_put_count(object, "reads_from", e->source);
	return object;
}

static json_t *execution_of(const struct audit_case *c, const struct oclmm_machine_execution *x)
{
	json_t *object = json_object(), *events = json_array(), *gaps = json_array();

	json_object_set_new(object, "outcome", values_of(c, x->values));
	for (unsigned i = 0; i < x->count; i++)
		json_array_append_new(events, event_of(c, x, i));
	json_object_set_new(object, "events", events);
	for (unsigned i = 0; i < x->gap_count; i++)
		json_array_append_new(gaps, json_pack("{sisi}", "behind", (int)x->gap[i].before,
		                                      "before", (int)x->gap[i].behind));
	json_object_set_new(object, "missing", gaps);
	return object;
}

static void print_json(const struct audit *audit, int status, struct oclmm_text *text)
{
	json_t *object = json_object();

	json_put_text(object, "type", "audit");
	json_put_text(object, "compiler", audit_compiler_words(audit->compiler));
	json_put_text(object, "target", audit_compiler_target(audit->compiler));
	json_put_text(object, "machine_model",
	              audit->cat_path
	                      ? audit->cat_path
	                      : oclmm_machine_model_name(audit_compiler_machine(audit->compiler)));
	json_put_text(object, "model", oclmm_model_name(audit->model));
	json_print_line(text, object);
	for (size_t i = 0; i < audit->count; i++) {
		const struct audit_case *c = &audit->cases[i];
		struct oclmm_text reason = {0};
		json_t *executions;

		if (!c->judged)
			continue;
		object = json_object();
		json_put_text(object, "type", "test");
		json_put_text(object, "name", c->program->name);
		json_put_text(object, "verdict", audit_verdict_word(c->verdict));
		add_reason(&reason, c);
		json_put_printed(object, "reason", &reason);
		json_put_flag(object, "cut", c->cut);
		if (c->verdict == AUDIT_UNREADABLE)
			json_put_text(object, "source", c->source);
		executions = json_array();
		for (size_t k = 0; c->answer && k < c->answer->count; k++)
			json_array_append_new(executions,
			                      execution_of(c, &c->answer->executions[k]));
		json_object_set_new(object, "executions", executions);
		json_print_line(text, object);
	}
	object = json_object();
	json_put_text(object, "type", "end");
	for (int v = 0; v < AUDIT_VERDICT_COUNT; v++)
		json_put_count(object, audit_verdict_word((enum audit_verdict)v),
		               count_of(audit, (enum audit_verdict)v));
	json_put_count(object, "status", (uint64_t)status);
	json_put_real(object, "seconds", audit->seconds);
	json_print_line(text, object);
}

/* ---- JUnit -------------------------------------------------------------------- */

static void print_case(const struct audit_case *c, struct oclmm_text *text)
{
	static const char *const elements[AUDIT_VERDICT_COUNT] = {
		[AUDIT_WRONG] = "failure",     [AUDIT_UNREADABLE] = "skipped",
		[AUDIT_TOO_LARGE] = "skipped", [AUDIT_NOT_BUILT] = "error",
		[AUDIT_UNDEFINED] = "skipped", [AUDIT_SKIP] = "skipped",
	};
	const char *element = elements[c->verdict];
	struct oclmm_text reason = {0}, details = {0};

	oclmm_text_add(text, "  <testcase name=\"");
	oclmm_text_add_xml(text, c->program->name);
	oclmm_text_add(text, "\" classname=\"");
	oclmm_text_add_xml(text, *c->chosen->file->family ? c->chosen->file->family : "oclmm");
	oclmm_text_add(text, element ? "\">\n" : "\"/>\n");
	if (element) {
		add_reason(&reason, c);
		add_details(&details, c);
		oclmm_text_printf(text, "   <%s message=\"%s: ", element,
		                  audit_verdict_word(c->verdict));
		oclmm_text_add_xml(text, oclmm_text_string(&reason));
		oclmm_text_add(text, "\">");
		oclmm_text_add_xml(text, oclmm_text_string(&details));
		oclmm_text_printf(text, "</%s>\n  </testcase>\n", element);
	}
	oclmm_text_finish(&reason);
	oclmm_text_finish(&details);
}

static void print_junit(const struct audit *audit, struct oclmm_text *text)
{
	size_t wrong = count_of(audit, AUDIT_WRONG), errors = count_of(audit, AUDIT_NOT_BUILT);
	size_t skipped = count_of(audit, AUDIT_UNREADABLE) + count_of(audit, AUDIT_TOO_LARGE) +
	                 count_of(audit, AUDIT_UNDEFINED) + count_of(audit, AUDIT_SKIP);
	struct oclmm_text name = {0};

	oclmm_text_printf(&name, "%s for %s", audit_compiler_words(audit->compiler),
	                  audit_compiler_target(audit->compiler));
	oclmm_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	for (int suites = 1; suites >= 0; suites--) {
		oclmm_text_printf(text, "%s<testsuite%s name=\"", suites ? "" : " ",
		                  suites ? "s" : "");
		oclmm_text_add_xml(text, suites ? "oclmm audit" : oclmm_text_string(&name));
		oclmm_text_printf(text,
		                  "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
		                  "skipped=\"%zu\" time=\"%.3f\">\n",
		                  wrong + errors + skipped + count_of(audit, AUDIT_RIGHT), wrong,
		                  errors, skipped, audit->seconds);
	}
	for (size_t i = 0; i < audit->count; i++) {
		if (audit->cases[i].judged)
			print_case(&audit->cases[i], text);
	}
	oclmm_text_add(text, " </testsuite>\n</testsuites>\n");
	oclmm_text_finish(&name);
}

/* ---- which of them --------------------------------------------------------------- */

static const struct {
	const char *name, *suffix;
} formats[] = {
	[AUDIT_SUMMARY] = {"summary", ""},
	[AUDIT_TEXT] = {"text", ".txt"},
	[AUDIT_JSON] = {"json", ".jsonl"},
	[AUDIT_JUNIT] = {"junit", ".xml"},
};

const char *audit_format_name(enum audit_format format)
{
	return formats[format].name;
}

enum audit_format audit_format_of_file(const char *path)
{
	const char *suffix = oclmm_suffix(path);

	if (!*suffix)
		return AUDIT_TEXT;
	for (int i = AUDIT_TEXT; i < AUDIT_FORMAT_COUNT; i++) {
		if (strcmp(formats[i].suffix, suffix) == 0)
			return (enum audit_format)i;
	}
	return AUDIT_FORMAT_COUNT;
}

void audit_print(const struct audit *audit, enum audit_format format, int status,
                 struct oclmm_text *text)
{
	switch (format) {
	case AUDIT_JSON: print_json(audit, status, text); break;
	case AUDIT_JUNIT: print_junit(audit, text); break;
	default: print_people(audit, format == AUDIT_TEXT, status, text); break;
	}
}
