// SPDX-License-Identifier: Apache-2.0
/* oclmm explain: why an outcome is allowed, forbidden, disputed or undefined. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "kernels/kernels.h"
#include "oclmm/cat.h"
#include "oclmm/grade.h"
#include "oclmm/picture.h"
#include "oracle.h"
#include "select/select.h"

struct explaining {
	struct kernel_options kernel;
	struct oclmm_explain_options options;
	const char *outcome, *dot, *svg;
	bool json;
};

static int set_model(const char *option, const char *name, void *target)
{
	struct explaining *x = target;
	enum oclmm_model model;
	int r = option_model(option, name, &model);

	if (r == 0)
		x->options.models = 1u << model;
	return r;
}

static const struct option_spec options[] = {
	KERNEL_OPTIONS(struct explaining),
	CAT_OPTION(struct explaining, options.cat),
	{"dot", 0, "FILE", "write the execution as text for Graphviz; - is standard output",
         SETS_TEXT(struct explaining, dot)},
	{"json", 'j', NULL, "print one JSON object per test", SETS_FLAG(struct explaining, json)},
	{"limit", 0, "COUNT", "look at no more candidate executions (200,000)",
         SETS_COUNT(struct explaining, options.candidate_limit)},
	{"model", 'm', "NAME", "explain under this model instead of consensus", SETS(set_model)},
	{"no-changes", 0, NULL, "do not search for changes that turn the verdict",
         SETS_FLAG(struct explaining, options.no_changes)},
	{"outcome", 0, "OUTCOME", "this outcome instead of the final condition",
         SETS_TEXT(struct explaining, outcome)},
	{"svg", 0, "FILE", "draw the execution; - is standard output",
         SETS_TEXT(struct explaining, svg)},
	{"time-limit", 0, "SECONDS",
         "of processor time, for each of the two searches (10; 0: none)",
         SETS_LIMIT(struct explaining, options.time_limit)},
	{0},
};

/* ---- as JSON --------------------------------------------------------------------------- */

static void set_letter(json_t *object, const char *key, const struct oclmm_execution *x,
                       unsigned event)
{
	json_put_text(object, key, oclmm_event_letter(x, event).text);
}

static json_t *event_object(const struct oclmm_explanation *e, unsigned event)
{
	const struct oclmm_event *x = &e->execution->event[event];
	json_t *object = json_object();
	struct oclmm_text text = {0};

	set_letter(object, "event", e->execution, event);
	oclmm_event_print(&text, e->program, e->execution, event);
	json_put_printed(object, "text", &text);
	if (x->thread >= 0) {
		json_put_count(object, "thread", e->program->threads[x->thread].id);
		json_put_count(object, "line", x->position.line);
	}
	return object;
}

static json_t *events_array(const struct oclmm_explanation *e)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < e->execution->count; i++)
		json_array_append_new(array, event_object(e, i));
	return array;
}

static json_t *violation_object(const struct oclmm_explanation *e)
{
	const struct oclmm_violation *v = e->violation;
	json_t *object = json_object(), *steps = json_array();

	json_put_text(object, "axiom",
	              v->axiom == OCLMM_AXIOM_COUNT ? v->rule : oclmm_axiom_name(v->axiom));
	json_put_text(object, "rule", v->rule);
	json_put_text(object, "section", v->section);
	json_put_text(object, "why", v->why);
	for (unsigned i = 0; i < v->step_count; i++) {
		json_t *step = json_object();

		json_put_text(step, "edge", v->steps[i].name);
		set_letter(step, "from", e->execution, v->steps[i].from);
		set_letter(step, "to", e->execution, v->steps[i].to);
		json_put_text(step, "why", v->steps[i].why);
		json_put_text(step, "section", v->steps[i].section);
		json_array_append_new(steps, step);
	}
	json_object_set_new(object, "steps", steps);
	return object;
}

/* The names of a set of knobs, 1u << enum oclmm_knob. */
static json_t *knobs_json(unsigned knobs)
{
	json_t *array = json_array();

	for (int knob = 0; knob < OCLMM_KNOB_COUNT; knob++) {
		if (knobs & 1u << knob)
			json_array_append_new(array,
			                      json_string(oclmm_knob_name((enum oclmm_knob)knob)));
	}
	return array;
}

static json_t *reading_object(const struct oclmm_reading *reading)
{
	json_t *object = json_object();

	json_put_text(object, "regime", oclmm_model_name(reading->regime));
	json_object_set_new(object, "alternatives", knobs_json(reading->alternatives));
	return object;
}

static json_t *readings_array(const struct oclmm_explanation *e)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < e->reading_count; i++) {
		json_t *object = reading_object(&e->readings[i].reading);

		json_put_text(object, "status", oclmm_status_word(e->readings[i].status));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *change_object(const struct oclmm_explanation *e, const struct oclmm_change *c)
{
	json_t *object = json_object(), *lines = json_array();

	json_put_text(object, "what", c->what);
	json_put_count(object, "edits", c->edits);
	json_put_text(object, "status", oclmm_status_word(c->status));
	for (unsigned i = 0; i < c->line_count; i++) {
		json_t *line = json_object();

		json_put_count(line, "thread", e->program->threads[c->lines[i].thread].id);
		json_put_count(line, "line", c->lines[i].line);
		if (c->lines[i].place)
			json_put_text(line, "place", c->lines[i].place);
		if (c->lines[i].before)
			json_put_text(line, "before", c->lines[i].before);
		if (c->lines[i].after)
			json_put_text(line, "after", c->lines[i].after);
		json_array_append_new(lines, line);
	}
	json_object_set_new(object, "lines", lines);
	return object;
}

static json_t *changes_array(const struct oclmm_explanation *e)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < e->change_count; i++)
		json_array_append_new(array, change_object(e, &e->changes[i]));
	return array;
}

static json_t *failures_object(const struct oclmm_explanation *e)
{
	json_t *object = json_object();

	for (unsigned i = 0; i < e->failure_count; i++)
		json_put_count(object, e->failures[i].name, e->failures[i].executions);
	return object;
}

static void set_outcome(json_t *object, const struct oclmm_explanation *e)
{
	struct oclmm_text text = {0};

	if (e->values)
		oclmm_outcome_print(&text, e->program, e->values);
	else
		oclmm_condition_print(&text, e->program, e->program->condition);
	json_put_printed(object, "outcome", &text);
}

/* Where no execution shows them. */
static void set_accesses(json_t *object, const struct oclmm_explanation *e)
{
	const struct oclmm_access *accesses[] = {&e->witness->a, &e->witness->b};
	json_t *array = json_array();

	for (unsigned i = 0; i < (e->witness->has_b ? 2 : 1); i++)
		json_array_append_new(
			array, json_pack("{s:I, s:I, s:s}", "thread",
		                         (json_int_t)e->program->threads[accesses[i]->thread].id,
		                         "line", (json_int_t)accesses[i]->position.line, "text",
		                         accesses[i]->text));
	json_object_set_new(object, "accesses", array);
}

static void set_race(json_t *object, const struct oclmm_explanation *e)
{
	const struct oclmm_execution *x = e->execution;

	json_object_set_new(object, "race",
	                    json_pack("[s, s]", oclmm_event_letter(x, e->race_a).text,
	                              oclmm_event_letter(x, e->race_b).text));
}

static void set_allowing(json_t *object, const struct oclmm_explanation *e)
{
	json_t *allowing = reading_object(&e->allowing);

	json_put_text(allowing, "why", e->allowing_why);
	json_object_set_new(object, "allowing", allowing);
}

static void set_only(json_t *object, const struct oclmm_explanation *e)
{
	struct oclmm_text text = {0};

	oclmm_outcome_print(&text, e->program, e->only);
	json_put_printed(object, "only", &text);
}

static void print_json(struct oclmm_text *text, const struct oclmm_explanation *e)
{
	json_t *object = json_object();

	json_put_text(object, "test", e->program->name);
	json_put_text(object, "file", e->program->file);
	set_outcome(object, e);
	json_put_text(object, "model", e->text ? e->text : oclmm_model_name(e->model));
	json_put_text(object, "status", oclmm_status_word(e->status));
	json_object_set_new(object, "reading", reading_object(&e->reading));
	json_object_set_new(object, "readings", readings_array(e));
	json_object_set_new(object, "deciding", knobs_json(e->deciding));
	if (e->allowing_why)
		set_allowing(object, e);
	if (e->execution)
		json_object_set_new(object, "events", events_array(e));
	if (e->violation)
		json_object_set_new(object, "violation", violation_object(e));
	if (e->witness)
		json_put_text(object, "undefined", oclmm_undefined_word(e->witness->reason));
	if (e->witness && e->execution)
		set_race(object, e);
	else if (e->witness)
		set_accesses(object, e);
	if (e->why)
		json_put_text(object, "why", e->why);
	if (e->only)
		set_only(object, e);
	json_put_count(object, "candidates", e->candidates);
	json_put_flag(object, "candidates_cut", e->candidates_cut);
	json_object_set_new(object, "failures", failures_object(e));
	json_object_set_new(object, "changes", changes_array(e));
	json_put_count(object, "checks", e->checks);
	json_put_flag(object, "changes_cut", e->changes_cut);
	json_print_line(text, object);
}

/* ---- graphs ---------------------------------------------------------------- */

typedef int draw_function(struct oclmm_text *text, const struct oclmm_explanation *e);

/* One graph into its file; nothing when no file was named. */
static int write_graph(const struct oclmm_explanation *e, const char *path, draw_function *draw)
{
	struct oclmm_text text = {0};
	int status = OCLMM_EXIT_NOTHING;

	if (!path)
		return 0;
	if (draw(&text, e) == 0)
		status = command_write(&command_explain, strcmp(path, "-") ? path : NULL, &text);
	else
		fprintf(stderr, "oclmm explain: %s: there is no execution to draw\n",
		        oclmm_shown(e->program->name).text);
	oclmm_text_finish(&text);
	return status;
}

static int write_graphs(const struct explaining *x, const struct oclmm_explanation *e)
{
	int status = write_graph(e, x->dot, oclmm_picture_dot);

	return status ? status : write_graph(e, x->svg, oclmm_picture_svg);
}

/* ---- explanations ------------------------------------------------------------ */

static bool is_standard_output(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

static void print(const struct explaining *x, const struct oclmm_explanation *e)
{
	struct oclmm_text text = {0};

	/* a graph on standard output stands alone */
	if (is_standard_output(x->dot) || is_standard_output(x->svg))
		return;
	if (x->json)
		print_json(&text, e);
	else
		oclmm_explanation_print(&text, e);
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
}

/* An outcome from the command line that nothing can end in is a mistake. */
static bool is_mistake(const struct explaining *x, const struct oclmm_explanation *e)
{
	struct oclmm_error error = {0};

	if (!x->outcome || !e->unreachable)
		return false;
	snprintf(error.file, sizeof(error.file), "%s", "outcome");
	snprintf(error.message, sizeof(error.message), "%s", e->why);
	snprintf(error.source, sizeof(error.source), "%s", x->outcome);
	error.position = e->unreachable->position;
	report_error(&error);
	return true;
}

static int explain_asked(const struct explaining *x, const struct oclmm_program *program)
{
	struct oclmm_explanation *explanation;
	struct oclmm_error error = {0};
	int r = oclmm_explain(program, &x->options, &error, &explanation),
	    status = OCLMM_EXIT_USAGE;

	if (r < 0) {
		report_error(&error);
		return r == -ETIME ? OCLMM_EXIT_INFRASTRUCTURE : OCLMM_EXIT_USAGE;
	}
	if (!is_mistake(x, explanation)) {
		print(x, explanation);
		status = write_graphs(x, explanation);
	}
	oclmm_explanation_destroy(explanation);
	return status;
}

static int explain_program(const struct explaining *x, const struct oclmm_program *program)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_error error = {0};
	int status = 0;

	if (x->outcome && oclmm_explain_ask(arena, program, x->outcome, &error, &program) < 0)
		status = report_error(&error);
	if (status == 0)
		status = explain_asked(x, program);
	oclmm_arena_destroy(arena);
	return status;
}

/* ---- which tests ---------------------------------------------------------------- */

/* Of a file, the variant named behind it; without one, the file as written. */
static bool is_meant(const struct chosen *chosen, const char *variant)
{
	if (!variant)
		return chosen->variant == &chosen->litmus->variants[0];
	return strcmp(chosen->variant->name, variant) == 0;
}

static int explain_file(const struct explaining *x, const struct selection *selection,
                        const char *variant)
{
	const char **names = oclmm_calloc(selection->count + 1, sizeof(*names));
	int status = -1;

	for (size_t i = 0; i < selection->count; i++) {
		names[i] = selection->chosen[i].variant->name;
		if (status < 0 && is_meant(&selection->chosen[i], variant))
			status = explain_program(x, selection->chosen[i].variant->program);
	}
	if (status < 0)
		status = options_error(&command_explain, "the file has no variant \"%s\"%s",
		                       variant,
		                       suggest(variant, names, selection->count,
		                               "oclmm list shows those there are")
		                               .text);
	free(names);
	return status;
}

static int explain_tests(const struct explaining *x, const struct selection *selection)
{
	int status = 0;

	if (selection->count > 1 && (x->dot || x->svg))
		return options_error(&command_explain, "%zu tests match; a graph is drawn of one",
		                     selection->count);
	/* one that takes too long does not take the others along */
	for (size_t i = 0; i < selection->count; i++) {
		int one;

		if (i && !x->json)
			putchar('\n');
		one = explain_program(x, selection->chosen[i].variant->program);
		status = one ? one : status;
	}
	return status == 0 && selection->count == 0 ? OCLMM_EXIT_NOTHING : status;
}

static bool is_file(const char *argument)
{
	size_t length = strlen(argument), ending = strlen(".litmus");

	return strcmp(argument, "-") == 0 ||
	       (length > ending && strcmp(argument + length - ending, ".litmus") == 0);
}

static const char one_to_standard_output[] =
	"only one of --dot -, --json and --svg - goes to standard output";

static int explain_named(const struct command *command, const struct explaining *x, char **names,
                         int count)
{
	struct selection selection;
	bool file;
	int refused, status;

	if (count == 0)
		return options_error(command, "name a test, or a file");
	if (is_standard_output(x->dot) + is_standard_output(x->svg) + x->json > 1)
		return options_error(command, "%s", one_to_standard_output);
	file = is_file(names[0]);
	if (file && count > 2)
		return options_error(command, "after a file comes at most one variant");
	status = selection_make_readable(&selection, names, file ? 1 : count, &refused);
	if (status == 0 && file && refused == 0)
		status = explain_file(x, &selection, count == 2 ? names[1] : NULL);
	else if (status == 0 && !file)
		status = explain_tests(x, &selection);
	selection_finish(&selection);
	return refused ? refused : status;
}

static int explain_kernel(const struct command *command, struct explaining *x, char **names,
                          int count)
{
	if (count != 1 || !kernel_is_file(names[0]))
		return options_error(command, "which kernel? name one .cl file");
	if (x->outcome || x->options.cat || x->options.models)
		return options_error(command,
		                     "of a kernel's file, only --dot, --json, --svg, --time-limit "
		                     "and the options of its launch are taken");
	if (is_standard_output(x->dot) + is_standard_output(x->svg) + x->json > 1)
		return options_error(command, "%s", one_to_standard_output);
	x->kernel.explains = true;
	x->kernel.json = x->json;
	x->kernel.dot = x->dot;
	x->kernel.svg = x->svg;
	return kernel_check(command, names[0], &x->kernel, x->options.time_limit, false);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct explaining x = {.options = {.time_limit = 10}};
	int first, status = options_parse(command, argc, argv, &x, &first);

	if (status == 0 && (x.kernel.given || (first < argc && kernel_is_file(argv[first]))))
		status = explain_kernel(command, &x, argv + first, argc - first);
	else if (status == 0)
		status = explain_named(command, &x, argv + first, argc - first);
	oclmm_cat_destroy(x.options.cat);
	return status;
}

const struct command command_explain = {
	.name = "explain",
	.arguments = "FILE [VARIANT]|PATTERN…|KERNEL.cl",
	.summary = "say why an outcome is allowed or not, and draw it",
	.description = "Exit status: 0 explained; 2 usage, or something that is refused; 77 no "
		       "tests, or nothing\n"
		       "to draw; 99 the time limit passed, or a file cannot be written.",
	.options = options,
	.repeatable = "arg ask",
	.one_of = (const char *const[]){"cat model", NULL},
	.run = run,
};
