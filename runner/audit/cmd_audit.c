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
#include "saved/saved.h"
#include "select/narrow.h"
#include "select/shard.h"

enum audit_format {
	AUDIT_SUMMARY,
	AUDIT_TEXT,
	AUDIT_JSON,
	AUDIT_JUNIT,
	AUDIT_TAP,
	AUDIT_HTML,
	AUDIT_FORMAT_COUNT
};

/* ---- for people ---- */

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

static void print_people(const struct audit *audit, bool all, int status, struct oclmm_text *text)
{
	add_head(text, audit);
	for (size_t i = 0; i < audit->count; i++) {
		const struct audit_case *c = &audit->cases[i];

		if (!c->judged || (!all && !audit_is_notable(c->verdict)))
			continue;
		add_line(text, c);
		if (all || c->verdict != AUDIT_KNOWN)
			audit_details(text, c);
	}
	audit_sentence(text, audit, status);
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
	audit_event(&text, c->program, e);
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
		               audit_count(audit, (enum audit_verdict)v));
	json_put_count(object, "status", (uint64_t)status);
	json_put_real(object, "seconds", audit->seconds);
	json_print_line(text, object);
}

/* ---- JUnit -------------------------------------------------------------------- */

static void print_case(const struct audit_case *c, bool strict, struct oclmm_text *text)
{
	static const char *const elements[AUDIT_VERDICT_COUNT] = {
		[AUDIT_WRONG] = "failure",     [AUDIT_UNREADABLE] = "skipped",
		[AUDIT_TOO_LARGE] = "skipped", [AUDIT_NOT_BUILT] = "error",
		[AUDIT_UNDEFINED] = "skipped", [AUDIT_SKIP] = "skipped",
		[AUDIT_KNOWN] = "skipped",
	};
	const char *element = c->verdict == AUDIT_STALE && strict ? "failure"
	                                                          : elements[c->verdict];
	struct oclmm_text reason = {0}, details = {0};

	oclmm_text_add(text, "  <testcase name=\"");
	oclmm_text_add_xml(text, c->program->name);
	oclmm_text_add(text, "\" classname=\"");
	oclmm_text_add_xml(text, c->kernel                  ? "kernel"
	                         : *c->chosen->file->family ? c->chosen->file->family
	                                                    : "oclmm");
	oclmm_text_add(text, element ? "\">\n" : "\"/>\n");
	if (element) {
		audit_reason(&reason, c);
		audit_details(&details, c);
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
	size_t stale = audit_count(audit, AUDIT_STALE);
	size_t wrong = audit_count(audit, AUDIT_WRONG) + (audit->strict ? stale : 0);
	size_t errors = audit_count(audit, AUDIT_NOT_BUILT);
	size_t right = audit_count(audit, AUDIT_RIGHT) + (audit->strict ? 0 : stale);
	size_t skipped = audit_count(audit, AUDIT_UNREADABLE) +
	                 audit_count(audit, AUDIT_TOO_LARGE) + audit_count(audit, AUDIT_UNDEFINED) +
	                 audit_count(audit, AUDIT_SKIP) + audit_count(audit, AUDIT_KNOWN);
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
		                  wrong + errors + skipped + right, wrong, errors, skipped,
		                  audit->seconds);
	}
	for (size_t i = 0; i < audit->count; i++) {
		if (audit->cases[i].judged)
			print_case(&audit->cases[i], audit->strict, text);
	}
	oclmm_text_add(text, " </testsuite>\n</testsuites>\n");
	oclmm_text_finish(&name);
}

/* ---- TAP ------------------------------------------------------------------------ */

/* What was not judged is skipped; a test that was not built is not ok, and what is known is TAP's
 * TODO. */
static void print_tap(const struct audit *audit, struct oclmm_text *text)
{
	size_t number = 0;

	oclmm_text_add(text, "TAP version 13\n");
	for (size_t i = 0; i < audit->count; i++) {
		const struct audit_case *c = &audit->cases[i];
		bool known = c->verdict == AUDIT_KNOWN, stale = c->verdict == AUDIT_STALE;
		bool bad = c->verdict == AUDIT_WRONG || c->verdict == AUDIT_NOT_BUILT || known ||
		           (stale && audit->strict);
		struct oclmm_text reason = {0};

		if (!c->judged)
			continue;
		oclmm_text_printf(text, "%s %zu - ", bad ? "not ok" : "ok", ++number);
		oclmm_text_add_shown(text, c->program->name);
		audit_reason(&reason, c);
		for (char *hash = reason.data; hash && (hash = strchr(hash, '#'));)
			*hash = ' ';
		if (known)
			oclmm_text_printf(text, " # TODO known: %s", oclmm_text_string(&reason));
		else if (!bad && c->verdict != AUDIT_RIGHT && !stale)
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
	[AUDIT_TAP] = {"tap", ".tap"},     [AUDIT_HTML] = {"html", ".html"},
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
	case AUDIT_HTML: audit_page(audit, status, text); break;
	default: print_people(audit, format == AUDIT_TEXT, status, text); break;
	}
}

enum { OUTPUTS_MOST = 8, PLANTS_MOST = 32 };
/* For one test, and each search of it. */
static const double SECONDS_MOST = 60;

struct audit_options {
	const struct command *command;
	const char *target, *compiler, *device, *profile, *machine_model, *expectations;
	const char *outputs[OUTPUTS_MOST], *plants[PLANTS_MOST];
	size_t output_count, plant_count;
	struct narrow narrow;
	struct shard shard;
	struct kernel_options kernel;
	enum oclmm_model model;
	enum audit_format format;
	double time_limit;
	bool all, lacks, strict;
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
	return option_refuse(option, value, "summary, text, json, junit, tap or html");
}

static int add_output(const char *option, const char *value, void *target)
{
	struct audit_options *options = target;

	if (format_of_file(value) == AUDIT_FORMAT_COUNT)
		return option_refuse(option, value,
		                     "a file *.txt, *.jsonl, *.xml (JUnit), *.tap, *.html");
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
	KERNEL_OPTIONS(struct audit_options),
	NARROW_BUG_OPTION(struct audit_options),
	{"compiler", 0, "PATH", "a clang (default: the one of this machine)",
         SETS_TEXT(struct audit_options, compiler)},
	{"device", 'd', "NAME|INDEX",
         "judge what the compiler of this device makes, as listed by oclmm devices",
         SETS_TEXT(struct audit_options, device)},
	{"expectations", 'e', "FILE", "failures that are known, by target and compiler",
         SETS_TEXT(struct audit_options, expectations)},
	NARROW_FAMILY_OPTION(struct audit_options),
	NARROW_FEATURE_OPTION(struct audit_options),
	{"format", 'f', "summary|text|json|junit|tap|html", "on standard output (default: summary)",
         SETS(set_format)},
	{"lacks", 0, NULL,
         "weaken one form of one operation after the other, and say which of it no test shows",
         SETS_FLAG(struct audit_options, lacks)},
	{"machine-model", 0, "FILE",
         "judge by the model in this cat file, not by the machine's own",
         SETS_TEXT(struct audit_options, machine_model)},
	{"model", 'm', "NAME", "what OpenCL allows: a version's model, not consensus",
         SETS_BY(option_model, struct audit_options, model)},
	{"output", 'o', "FILE",
         "also write there: *.txt, *.jsonl, *.xml (JUnit), *.tap, *.html, or no suffix: text",
         SETS(add_output)},
	{"plant", 0, "NAME|all",
         "give the compiler this bug, and say which test finds it; names as of oclmm planted",
         SETS(add_plant)},
	{"profile", 'p', "NAME", "the tests of litmus/profiles/NAME",
         SETS_TEXT(struct audit_options, profile)},
	{"shard", 0, "K/N", "only the K-th of N parts of the tests; variants stay together",
         SETS_BY(shard_parse, struct audit_options, shard)},
	{"strict", 0, NULL,
         "what is not readable, or too large, fails (status 3), and so does what is stale (1)",
         SETS_FLAG(struct audit_options, strict)},
	{"target", 0, "T[:CPU]", "the machine to compile for (default x86-64); \"list\" prints all",
         SETS(set_target)},
	{"time-limit", 0, "SECONDS",
         "give up on a test after this much processor time (60; 0: never)",
         SETS_LIMIT(struct audit_options, time_limit)},
	{0},
};

/* What is known fails nothing and settles nothing. 1 outranks 99, which outranks 3, then 77. */
static int status_of(const struct audit *audit)
{
	bool judged = false, broken = false, open = false, known = false;
	bool stale = audit->stale_lines > 0;

	for (size_t i = 0; i < audit->count; i++) {
		const struct audit_case *c = &audit->cases[i];

		if (c->judged && c->verdict == AUDIT_WRONG)
			return OCLMM_EXIT_FORBIDDEN;
		broken |= !c->judged || c->verdict == AUDIT_NOT_BUILT;
		open |= c->verdict == AUDIT_UNREADABLE || c->verdict == AUDIT_TOO_LARGE;
		known |= c->verdict == AUDIT_KNOWN;
		stale |= c->verdict == AUDIT_STALE;
		judged |= c->judged && (c->verdict == AUDIT_RIGHT || c->verdict == AUDIT_STALE);
	}
	if (stale && audit->strict)
		return OCLMM_EXIT_FORBIDDEN;
	if (broken)
		return OCLMM_EXIT_INFRASTRUCTURE;
	if ((open && (audit->strict || !judged)) || (known && !judged))
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
	struct oclmm_cat_model *model = NULL;
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

/* Reads a kernel and asks the oracle. Returns 0, or the exit status after a message. */
static int add_kernel(struct audit *audit, const char *path, const struct kernel_options *options)
{
	struct audit_kernel *kernel = &audit->kernels[audit->kernel_count++];
	struct audit_case *c = &audit->cases[audit->count];
	int status = kernel_file_read(&kernel->file, path, options);
	struct kernel_test test;

	if (status == 0)
		status = kernel_file_check(&kernel->file, audit->time_limit, &kernel->answer);
	if (status)
		return status;
	test = kernel_test_of(&kernel->file, kernel->answer);
	kernel->layout = oclmm_kernel_layout(kernel->answer, &kernel->lacks);
	c->kernel = kernel;
	if (kernel->layout) {
		kernel->layout->program->name = test.program->name;
		test.program = kernel->layout->program;
	}
	c->program = test.program;
	c->expected = test.expected;
	audit->count++;
	return 0;
}

static void add_kernels(struct audit *audit, const struct audit_options *options,
                        char *const *paths, size_t count, int *refused)
{
	audit->kernels = oclmm_calloc(count + 1, sizeof(*audit->kernels));
	for (size_t i = 0; i < count && !process_interrupted; i++) {
		int status = add_kernel(audit, paths[i], &options->kernel);

		if (status && *refused != OCLMM_EXIT_USAGE)
			*refused = status;
	}
}

static int audit_selection(const struct audit_options *options, const struct selection *selection,
                           char *const *kernels, size_t kernel_count,
                           const struct oclmm_expectations *expectations, int *refused)
{
	struct audit audit = {.model = options->model,
	                      .strict = options->strict,
	                      .time_limit = options->time_limit,
	                      .plants = options->lacks || options->plant_count > 0,
	                      .expectations = expectations,
	                      .whole = (options->profile || options->all) &&
	                               !narrow_any(&options->narrow) && !options->shard.count,
	                      .arena = oclmm_arena_create()};
	struct oclmm_error error = {0};
	int status = 0, r;

	if (options->device)
		r = audit_compiler_of_device(options->device, &error, &audit.compiler);
	else
		r = audit_compiler_find(options->target ? options->target : "x86-64",
		                        options->compiler, &error, &audit.compiler);

	if (r < 0) {
		report_error(&error);
		status = r == -EINVAL                        ? OCLMM_EXIT_USAGE
		         : r == -ENOENT && !selection->count ? OCLMM_EXIT_NOTHING
		                                             : OCLMM_EXIT_INFRASTRUCTURE;
	}
	if (status == 0)
		status = read_model(options, &audit);
	if (status == 0) {
		audit.cases = oclmm_calloc(selection->count + kernel_count + 1,
		                           sizeof(*audit.cases));
		audit.count = selection->count;
		for (size_t i = 0; i < audit.count; i++) {
			audit.cases[i].chosen = &selection->chosen[i];
			audit.cases[i].program = selection->chosen[i].variant->program;
		}
		add_kernels(&audit, options, kernels, kernel_count, refused);
	}
	if (status == 0 && (audit.count || !*refused)) {
		audit_judge(&audit);
		status = options->lacks ? audit_lacks(&audit, options->format == AUDIT_TEXT)
		         : options->plant_count
		                 ? audit_plant(&audit, options->plants, options->plant_count)
		                 : write_all(options, &audit, status_of(&audit));
	}
	free(audit.cat_text);
	audit_finish(&audit);
	return status;
}

/* Moves the kernels' files among names behind the others, in their order. Returns how many. */
static int kernels_last(char **names, int count)
{
	int kernels = 0;

	for (int i = 0; i + kernels < count;) {
		char *name = names[i];

		if (!kernel_is_file(name)) {
			i++;
			continue;
		}
		memmove(&names[i], &names[i + 1], (size_t)(count - i - 1) * sizeof(*names));
		names[count - 1] = name;
		kernels++;
	}
	return kernels;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct audit_options options = {.command = command,
	                                .model = OCLMM_MODEL_CONSENSUS,
	                                .time_limit = SECONDS_MOST};
	struct oclmm_expectations *expectations = NULL;
	struct selection selection = {0};
	int first, kernels, refused = 0,
			    status = options_parse(command, argc, argv, &options, &first);

	if (status)
		return status;
	if (options.all && (options.profile || first < argc))
		return options_error(command, "either --all or a profile or names, not both");
	if (options.profile && first < argc)
		return options_error(command, "either --profile or names, not both");
	if (options.lacks && options.plant_count)
		return options_error(command, "either --lacks or --plant, not both");
	if (options.device && (options.target || options.compiler))
		return options_error(command,
		                     "either --device or --target and --compiler, not both");
	kernels = kernels_last(argv + first, argc - first);
	if (options.kernel.given && !kernels)
		return options_error(command, "options of a launch are for a kernel's .cl file");
	if (kernels && (options.lacks || options.plant_count || options.device ||
	                options.model != OCLMM_MODEL_CONSENSUS))
		return options_error(command, "of a kernel's file, no --device, --lacks, --model "
		                              "or --plant");
	argc -= kernels;
	if (first == argc && !kernels && !options.all && !options.profile &&
	    !narrow_any(&options.narrow) && selection_has_profile("default"))
		options.profile = "default";
	if (options.profile)
		status = selection_make_profile(&selection, options.profile);
	else if (first < argc)
		status = selection_make_readable(&selection, argv + first, argc - first, &refused);
	else if (!kernels || options.all || narrow_any(&options.narrow))
		status = selection_make(&selection, NULL, 0);
	if (status == 0)
		status = narrow_apply(&options.narrow, &selection);
	if (status == 0)
		shard_apply(&options.shard, &selection);
	process_catch_interrupts();
	if (status == 0)
		status = saved_expectations(options.expectations, &expectations);
	if (status == 0)
		status = saved_expectations_check(expectations, &selection);
	if (status == 0 && (!refused || selection.count || kernels))
		status = audit_selection(&options, &selection, argv + argc, (size_t)kernels,
		                         expectations, &refused);
	if (refused && status != OCLMM_EXIT_INFRASTRUCTURE)
		status = refused;
	oclmm_expectations_destroy(expectations);
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
		"Without names it takes the profile default. A kernel's .cl file says how it is\n"
		"launched and what is asked of it, or the options do.\n\n"
		"right: it does not. wrong: it does, with the outcome, an execution of the code\n"
		"that shows it, and the place where an order is missing. unreadable: the\n"
		"instruction that the reader does not know. not-built: the compiler's words.\n\n"
		"Exit status: 0 right; 1 a test is wrong; 2 usage, or a file that is refused;\n"
		"3 with --strict, or where nothing else was judged, what is not readable or too\n"
		"large; 77 nothing to judge, or a kernel and no compiler; 99 a test was not\n"
		"built, or there is no compiler.",
	.options = specs,
	.repeatable = "arg ask bug family feature output plant",
	.run = run,
};
