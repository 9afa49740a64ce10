// SPDX-License-Identifier: Apache-2.0
/* oclmm audit: judges the code that a compiler makes of tests, and says what it found. */
#include "audit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/json.h"
#include "oclmm/grade.h"
#include "process/process.h"
#include "select/narrow.h"
#include "select/shard.h"

enum audit_format {
	AUDIT_SUMMARY,
	AUDIT_TEXT,
	AUDIT_JSON,
	AUDIT_JUNIT,
	AUDIT_TAP,
	AUDIT_FORMAT_COUNT
};

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

void audit_reason(struct oclmm_text *text, const struct audit_case *c)
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
		audit_reason(&line, c);
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
	oclmm_text_printf(text, "# %s\n", audit_compiler_manner(audit->compiler));
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
		audit_reason(&reason, c);
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
		audit_reason(&reason, c);
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

/* ---- TAP ------------------------------------------------------------------------ */

/* What was not judged is skipped; a test that was not built is not ok. */
static void print_tap(const struct audit *audit, struct oclmm_text *text)
{
	size_t number = 0;

	oclmm_text_add(text, "TAP version 13\n");
	for (size_t i = 0; i < audit->count; i++) {
		const struct audit_case *c = &audit->cases[i];
		bool bad = c->verdict == AUDIT_WRONG || c->verdict == AUDIT_NOT_BUILT;
		struct oclmm_text reason = {0};

		if (!c->judged)
			continue;
		oclmm_text_printf(text, "%s %zu - ", bad ? "not ok" : "ok", ++number);
		oclmm_text_add_shown(text, c->program->name);
		audit_reason(&reason, c);
		for (char *hash = reason.data; hash && (hash = strchr(hash, '#'));)
			*hash = ' ';
		if (!bad && c->verdict != AUDIT_RIGHT)
			oclmm_text_printf(text, " # SKIP %s: %s", audit_verdict_word(c->verdict),
			                  oclmm_text_string(&reason));
		else if (bad)
			oclmm_text_printf(text, ": %s: %s", audit_verdict_word(c->verdict),
			                  oclmm_text_string(&reason));
		oclmm_text_add(text, "\n");
		oclmm_text_finish(&reason);
	}
	oclmm_text_printf(text, "1..%zu\n", number);
}

/* ---- which of them --------------------------------------------------------------- */

static const struct {
	const char *name, *suffix;
} formats[] = {
	[AUDIT_SUMMARY] = {"summary", ""}, [AUDIT_TEXT] = {"text", ".txt"},
	[AUDIT_JSON] = {"json", ".jsonl"}, [AUDIT_JUNIT] = {"junit", ".xml"},
	[AUDIT_TAP] = {"tap", ".tap"},
};

static const char *format_name(enum audit_format format)
{
	return formats[format].name;
}

static enum audit_format format_of_file(const char *path)
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

static void print_audit(const struct audit *audit, enum audit_format format, int status,
                        struct oclmm_text *text)
{
	switch (format) {
	case AUDIT_JSON: print_json(audit, status, text); break;
	case AUDIT_JUNIT: print_junit(audit, text); break;
	case AUDIT_TAP: print_tap(audit, text); break;
	default: print_people(audit, format == AUDIT_TEXT, status, text); break;
	}
}

enum { OUTPUTS_MOST = 8, PLANTS_MOST = 32 };

struct audit_options {
	const struct command *command;
	const char *target, *compiler, *device, *profile, *machine_model;
	const char *outputs[OUTPUTS_MOST], *plants[PLANTS_MOST];
	size_t output_count, plant_count;
	struct narrow narrow;
	struct shard shard;
	enum oclmm_model model;
	enum audit_format format;
	bool all, strict;
};

static int set_target(const char *option, const char *value, void *target)
{
	struct audit_options *options = target;

	(void)option;
	if (strcmp(value, "list") == 0) {
		audit_targets_print();
		return OPTIONS_HELP;
	}
	options->target = value;
	return 0;
}

static int set_format(const char *option, const char *value, void *target)
{
	struct audit_options *options = target;

	for (int i = 0; i < AUDIT_FORMAT_COUNT; i++) {
		if (strcmp(format_name((enum audit_format)i), value) == 0) {
			options->format = (enum audit_format)i;
			return 0;
		}
	}
	return option_refuse(option, value, "summary, text, json, junit or tap");
}

static int add_output(const char *option, const char *value, void *target)
{
	struct audit_options *options = target;

	if (format_of_file(value) == AUDIT_FORMAT_COUNT)
		return option_refuse(option, value, "a file *.txt, *.jsonl, *.xml (JUnit), *.tap");
	return option_append(option, value, options->outputs, &options->output_count, OUTPUTS_MOST);
}

static int add_plant(const char *option, const char *value, void *target)
{
	struct audit_options *options = target;

	return option_append(option, value, options->plants, &options->plant_count, PLANTS_MOST);
}

static const struct option_spec specs[] = {
	{"all", 0, NULL, "all tests, not those of the profile default alone",
         SETS_FLAG(struct audit_options, all)},
	NARROW_BUG_OPTION(struct audit_options),
	{"compiler", 0, "PATH", "a clang (default: the one of this machine)",
         SETS_TEXT(struct audit_options, compiler)},
	{"device", 'd', "NAME|INDEX",
         "judge what the compiler of this device makes, as listed by oclmm devices",
         SETS_TEXT(struct audit_options, device)},
	NARROW_FAMILY_OPTION(struct audit_options),
	NARROW_FEATURE_OPTION(struct audit_options),
	{"format", 'f', "summary|text|json|junit|tap", "on standard output (default: summary)",
         SETS(set_format)},
	{"machine-model", 0, "FILE",
         "judge by the model in this cat file, not by the machine's own",
         SETS_TEXT(struct audit_options, machine_model)},
	{"model", 'm', "NAME", "what OpenCL allows: a version's model, not consensus",
         SETS_BY(option_model, struct audit_options, model)},
	{"output", 'o', "FILE",
         "also write there: *.txt, *.jsonl, *.xml (JUnit), *.tap, or no suffix: text",
         SETS(add_output)},
	{"plant", 0, "NAME|all",
         "give the compiler this bug, and say which test finds it; names as of oclmm planted",
         SETS(add_plant)},
	{"profile", 'p', "NAME", "the tests of litmus/profiles/NAME",
         SETS_TEXT(struct audit_options, profile)},
	{"shard", 0, "K/N", "only the K-th of N parts of the tests; variants stay together",
         SETS_BY(shard_parse, struct audit_options, shard)},
	{"strict", 0, NULL, "what is not readable, or too large, fails (status 3)",
         SETS_FLAG(struct audit_options, strict)},
	{"target", 0, "T[:CPU]", "the machine to compile for (default x86-64); \"list\" prints all",
         SETS(set_target)},
	{0},
};

/* 1 outranks 99, which outranks 3, then 77. */
static int status_of(const struct audit *audit, bool strict)
{
	bool judged = false, broken = false, open = false;

	for (size_t i = 0; i < audit->count; i++) {
		const struct audit_case *c = &audit->cases[i];

		if (c->judged && c->verdict == AUDIT_WRONG)
			return OCLMM_EXIT_FORBIDDEN;
		broken |= !c->judged || c->verdict == AUDIT_NOT_BUILT;
		open |= c->verdict == AUDIT_UNREADABLE || c->verdict == AUDIT_TOO_LARGE;
		judged |= c->judged && c->verdict == AUDIT_RIGHT;
	}
	if (broken)
		return OCLMM_EXIT_INFRASTRUCTURE;
	if (open && (strict || !judged))
		return OCLMM_EXIT_INCONCLUSIVE;
	return judged ? OCLMM_EXIT_PASS : OCLMM_EXIT_NOTHING;
}

static int write_all(const struct audit_options *options, const struct audit *audit, int status)
{
	struct oclmm_text text = {0};
	int failed = 0;

	for (size_t i = 0; i < options->output_count && !failed; i++) {
		print_audit(audit, format_of_file(options->outputs[i]), status, &text);
		failed = command_write(options->command, options->outputs[i], &text);
		oclmm_text_finish(&text);
	}
	print_audit(audit, options->format, status, &text);
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
	return failed && status != OCLMM_EXIT_FORBIDDEN ? failed : status;
}

/* Reads the model once, so that what is wrong with it is told once. */
static int read_model(const struct audit_options *options, struct audit *audit)
{
	struct oclmm_cat_model *model;
	struct oclmm_error error = {0};
	int r;

	if (!options->machine_model)
		return 0;
	audit->cat_path = options->machine_model;
	r = oclmm_read_text(audit->cat_path, &error, &audit->cat_text, &audit->cat_length);
	if (r == 0)
		r = oclmm_machine_cat(audit_compiler_machine(audit->compiler), audit->cat_path,
		                      audit->cat_text, audit->cat_length, &error, &model);
	if (r < 0)
		return report_error(&error);
	oclmm_cat_destroy(model);
	return 0;
}

static int audit_selection(const struct audit_options *options, const struct selection *selection)
{
	struct audit audit = {.model = options->model, .arena = oclmm_arena_create()};
	struct oclmm_error error = {0};
	int status = 0, r;

	if (options->device)
		r = audit_compiler_of_device(options->device, &error, &audit.compiler);
	else
		r = audit_compiler_find(options->target ? options->target : "x86-64",
		                        options->compiler, &error, &audit.compiler);

	if (r < 0) {
		report_error(&error);
		status = r == -EINVAL ? OCLMM_EXIT_USAGE : OCLMM_EXIT_INFRASTRUCTURE;
	}
	if (status == 0)
		status = read_model(options, &audit);
	if (status == 0) {
		audit.cases = oclmm_calloc(selection->count + 1, sizeof(*audit.cases));
		audit.count = selection->count;
		for (size_t i = 0; i < audit.count; i++) {
			audit.cases[i].chosen = &selection->chosen[i];
			audit.cases[i].program = selection->chosen[i].variant->program;
		}
		audit_judge(&audit);
		status = options->plant_count
		                 ? audit_plant(&audit, options->plants, options->plant_count)
		                 : write_all(options, &audit, status_of(&audit, options->strict));
	}
	free(audit.cat_text);
	audit_finish(&audit);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct audit_options options = {.command = command, .model = OCLMM_MODEL_CONSENSUS};
	struct selection selection;
	int first, status = options_parse(command, argc, argv, &options, &first);

	if (status)
		return status;
	if (options.all && (options.profile || first < argc))
		return options_error(command, "either --all or a profile or names, not both");
	if (options.profile && first < argc)
		return options_error(command, "either --profile or names, not both");
	if (options.device && (options.target || options.compiler))
		return options_error(command,
		                     "either --device or --target and --compiler, not both");
	if (first == argc && !options.all && !options.profile && !narrow_any(&options.narrow) &&
	    selection_has_profile("default"))
		options.profile = "default";
	process_catch_interrupts();
	status = options.profile ? selection_make_profile(&selection, options.profile)
	                         : selection_make(&selection, argv + first, argc - first);
	if (status == 0)
		status = narrow_apply(&options.narrow, &selection);
	if (status == 0)
		shard_apply(&options.shard, &selection);
	if (status == 0)
		status = audit_selection(&options, &selection);
	selection_finish(&selection);
	return status;
}

const struct command command_audit = {
	.name = "audit",
	.arguments = "[FILE|DIR|PATTERN…]",
	.summary = "judge the code that a compiler makes of tests",
	.description =
		"Compiles each thread of a test as a function of its own, reads the assembly, and\n"
		"asks the memory model of the machine whether it allows what OpenCL forbids. No\n"
		"device takes part, unless --device names one whose compiler is to make the code.\n"
		"Without names it takes the profile default.\n\n"
		"right: it does not. wrong: it does, with the outcome, an execution of the code\n"
		"that shows it, and the place where an order is missing. unreadable: the\n"
		"instruction that the reader does not know. not-built: the compiler's words.\n\n"
		"Exit status: 0 right; 1 a test is wrong; 2 usage, or a file that is refused;\n"
		"3 with --strict, or where nothing else was judged, what is not readable or too\n"
		"large; 77 nothing to judge; 99 a test was not built, or there is no compiler.",
	.options = specs,
	.repeatable = "bug family feature output plant",
	.run = run,
};
