// SPDX-License-Identifier: Apache-2.0
/*
 * oclmm shrink: kernels that a device gets wrong, made small. A statement, or a branch or loop
 * around others, is left out as long as the kernel stays legal by the oracle and the device gets it
 * wrong. Then the steps of a wrong compiler are tried: which of them gives what the device gave.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "export.h"
#include "oclmm/change.h"
#include "oclmm/grade.h"
#include "oclmm/syntax.h"
#include "process/process.h"
#include "process/tool.h"
#include "select/select.h"

struct shrinking {
	const char *device;     /* part of its name; NULL: the first */
	const char *output;     /* a folder; NULL: standard output */
	bool told;              /* on standard error alone, where there is no folder */
	double seconds;         /* for a test */
	char *folder;           /* of what is tried */
	char why[320];          /* the last one was not run; empty: nobody said why */
	enum oclmm_model model; /* that a smaller kernel is legal by */
	uint32_t tried, failed, not_run, unnamed;
};

/* ---- on the device ---- */

/* How a kernel ended there. */
enum fate {
	FATE_RIGHT,
	FATE_WRONG,   /* a forbidden outcome */
	FATE_CRASHED, /* the compiler or the kernel ended the process, or the compiler refused */
	FATE_SILENT,  /* it did not end, or was slow */
	FATE_NOT_RUN, /* for no reason of its own */
};

static char *path_in(const struct shrinking *s, const char *name)
{
	struct oclmm_text path = {0};

	oclmm_text_printf(&path, "%s/%s", s->folder, name);
	return oclmm_text_steal(&path);
}

/* Exit status; negative: none. `ret_said`: what it said, malloc-ed or NULL. */
static int run_oclmm(const char *const *arguments, double seconds, char **ret_said)
{
	const struct process_job job = {.arguments = arguments, .heard = true, .leads = true};
	double deadline = oclmm_clock() + seconds;
	struct process process;
	int r = process_start(&job, &process);

	*ret_said = NULL;
	if (r < 0)
		return r;
	while (!process_is_gone(&process) && !process_interrupted && oclmm_clock() < deadline)
		process_hear(&process, 0.05);
	r = process_is_gone(&process) && WIFEXITED(process.status) ? WEXITSTATUS(process.status)
	                                                           : -ETIME;
	*ret_said = process_said(&process);
	process_finish(&process);
	return r;
}

/* The values of an outcome in the order of the observables; false: they are not all there. */
static bool read_values(const struct oclmm_program *program, json_t *values, int64_t *ret_values)
{
	for (uint32_t i = 0; i < program->observable_count; i++) {
		json_t *value = json_object_get(values, program->observables[i].name);
		enum oclmm_type type;

		if (json_is_integer(value))
			ret_values[i] = json_integer_value(value);
		else if (!json_is_string(value) ||
		         !oclmm_value_read(json_string_value(value), &type, &ret_values[i]))
			return false;
	}
	return true;
}

/* A run without results says why in its first line, behind its own name. */
static void note_said(struct shrinking *s, const char *said)
{
	static const char name[] = "oclmm run: ";

	if (strncmp(said, name, strlen(name)) == 0)
		said += strlen(name);
	snprintf(s->why, sizeof(s->why), "%.*s", (int)strcspn(said, "\n"), said);
}

/* Of a line of results: what became of the test, and the forbidden outcome that showed most. */
static enum fate read_line(const struct oclmm_program *program, json_t *line, int64_t *ret_values)
{
	const char *verdict = json_string_value(json_object_get(line, "verdict"));
	json_t *outcome, *outcomes = json_object_get(line, "outcomes");
	json_int_t most = 0;
	size_t i;

	if (!verdict)
		return FATE_NOT_RUN;
	if (strcmp(verdict, "crash") == 0 || strcmp(verdict, "build-failed") == 0)
		return FATE_CRASHED;
	if (strcmp(verdict, "timeout") == 0)
		return FATE_SILENT;
	if (strcmp(verdict, "forbidden") != 0 && strcmp(verdict, "known") != 0)
		return strcmp(verdict, "skip") == 0 ? FATE_NOT_RUN : FATE_RIGHT;
	json_array_foreach(outcomes, i, outcome)
	{
		const char *status = json_string_value(json_object_get(outcome, "status"));
		json_int_t count = json_integer_value(json_object_get(outcome, "count"));

		if (status && strcmp(status, "forbidden") == 0 && count > most &&
		    read_values(program, json_object_get(outcome, "values"), ret_values))
			most = count;
	}
	return most ? FATE_WRONG : FATE_NOT_RUN;
}

static enum fate read_results(struct shrinking *s, const char *path,
                              const struct oclmm_program *program, int64_t *ret_values)
{
	enum fate fate = FATE_NOT_RUN;
	char *text, *save = NULL;
	size_t length;

	if (oclmm_read_file(path, &text, &length) < 0)
		return fate;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		json_t *json = json_loads(line, 0, NULL);
		const char *type = json_string_value(json_object_get(json, "type"));
		const char *message = json_string_value(json_object_get(json, "message"));

		if (type && strcmp(type, "test") == 0) {
			fate = read_line(program, json, ret_values);
			note_said(s, message ? message : "");
		}
		json_decref(json);
	}
	free(text);
	return fate;
}

/* Runs a test as it is printed here; `ret_values`: what it gave, where that was wrong. */
static enum fate try_on_device(struct shrinking *s, const struct oclmm_program *program,
                               const struct oclmm_text *text, int64_t *ret_values)
{
	enum { SECONDS = 60 };
	char *file = path_in(s, "k.litmus"), *results = path_in(s, "r.jsonl");
	const char *arguments[] = {"/proc/self/exe",
	                           "run",
	                           "--no-controls",
	                           "--instances",
	                           "64",
	                           "--timeout",
	                           "10",
	                           "--output",
	                           results,
	                           file,
	                           NULL,
	                           NULL,
	                           NULL};
	enum fate fate = FATE_NOT_RUN;
	char *said = NULL;

	if (s->device) {
		arguments[10] = "--device";
		arguments[11] = s->device;
	}
	unlink(results);
	s->tried++;
	if (oclmm_write_file(file, oclmm_text_string(text), text->length) < 0) {
		note_said(s, "no temporary file could be written");
	} else if (run_oclmm(arguments, SECONDS, &said) < 0) {
		note_said(s, "its run did not end");
	} else {
		note_said(s, said ? said : "");
		fate = read_results(s, results, program, ret_values);
	}
	free(said);
	free(file);
	free(results);
	return fate;
}

/* ---- a kernel ---- */

/* A legal one that the device gets wrong. */
struct kernel {
	struct oclmm_litmus *litmus;
	enum fate fate;
	int64_t *values;
};

static const struct oclmm_program *program_of(const struct kernel *kernel)
{
	return kernel->litmus->variants[0].program;
}

static void kernel_finish(struct kernel *kernel)
{
	oclmm_litmus_destroy(kernel->litmus);
	free(kernel->values);
	*kernel = (struct kernel){0};
}

/* Whether the oracle says that it ends in one way. */
static bool is_legal(const struct oclmm_program *program, enum oclmm_model model)
{
	const struct oclmm_check_options options = {.time_limit = 5,
	                                            .ended = process_ended,
	                                            .models = 1u << model};
	struct oclmm_answer *answer;
	struct oclmm_error ignored;
	bool legal;

	if (oclmm_check(program, &options, &ignored, &answer) < 0)
		return false;
	legal = answer->in_step && !answer->undefined[model] && answer->state_count == 1;
	oclmm_answer_destroy(answer);
	return legal;
}

/* Reads, judges and runs a test. What is no legal kernel is not run. */
static struct kernel try_kernel(struct shrinking *s, const struct oclmm_program *program)
{
	struct kernel kernel = {.fate = FATE_NOT_RUN};
	struct oclmm_text text = {0};
	struct oclmm_error ignored;

	*s->why = '\0';
	oclmm_program_print(&text, program);
	if (oclmm_litmus_parse("k", oclmm_text_string(&text), text.length, NULL, &ignored,
	                       &kernel.litmus) == 0) {
		kernel.values = oclmm_calloc((size_t)program_of(&kernel)->observable_count + 1,
		                             sizeof(int64_t));
		if (is_legal(program_of(&kernel), s->model))
			kernel.fate = try_on_device(s, program_of(&kernel), &text, kernel.values);
		else
			note_said(s, "the oracle does not say that it ends, and in one way");
	}
	oclmm_text_finish(&text);
	return kernel;
}

/* ---- making it small ---- */

static bool take(struct shrinking *s, struct kernel *kernel, const struct oclmm_shared_text *shared)
{
	struct oclmm_program program = *program_of(kernel);
	struct kernel smaller;

	program.shared = shared;
	smaller = try_kernel(s, &program);
	if (smaller.fate != kernel->fate) {
		kernel_finish(&smaller);
		return false;
	}
	kernel_finish(kernel);
	*kernel = smaller;
	return true;
}

static bool has_time(double deadline)
{
	return !process_interrupted && oclmm_clock() < deadline;
}

static bool cut_once(struct shrinking *s, struct kernel *kernel, double deadline)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_shared_text shared = *program_of(kernel)->shared;
	struct oclmm_text_cuts cuts;
	bool taken = false;

	oclmm_text_cuts_find(arena, shared.body, &cuts);
	for (size_t i = 0; i < cuts.count && !taken && has_time(deadline); i++) {
		shared.body = cuts.bodies[i];
		taken = take(s, kernel, &shared);
	}
	oclmm_arena_destroy(arena);
	return taken;
}

/* Fewer groups, and fewer work-items. */
static void make_narrow(struct shrinking *s, struct kernel *kernel, double deadline)
{
	for (int d = 0; d < 3; d++) {
		struct oclmm_shared_text shared = *program_of(kernel)->shared;

		if (shared.groups[d] > 1 && has_time(deadline)) {
			shared.groups[d] = 1;
			take(s, kernel, &shared);
		}
		for (uint32_t items = 1; has_time(deadline); items++) {
			shared = *program_of(kernel)->shared;
			if (items > 4 || items >= shared.items[d])
				break;
			shared.items[d] = items;
			if (take(s, kernel, &shared))
				break;
		}
	}
}

static bool is_named(const char *body, const char *name)
{
	return strstr(body, name) != NULL;
}

/* Arguments that nothing names any more. */
static void drop_arguments(struct shrinking *s, struct kernel *kernel, double deadline)
{
	struct oclmm_shared_text shared = *program_of(kernel)->shared;
	struct oclmm_shared_parameter *parameters = oclmm_calloc(shared.parameter_count + 1,
	                                                         sizeof(*parameters));
	uint32_t count = 0;

	for (uint32_t i = 0; i < shared.parameter_count; i++) {
		const struct oclmm_shared_parameter *p = &shared.parameters[i];

		if (!p->by_value || is_named(shared.body, p->name) ||
		    is_named(shared.before, p->name))
			parameters[count++] = *p;
	}
	if (count < shared.parameter_count && has_time(deadline)) {
		shared.parameters = parameters;
		shared.parameter_count = count;
		take(s, kernel, &shared);
	}
	free(parameters);
}

static void make_small(struct shrinking *s, struct kernel *kernel)
{
	double deadline = oclmm_clock() + s->seconds;

	while (has_time(deadline) && cut_once(s, kernel, deadline))
		;
	make_narrow(s, kernel, deadline);
	drop_arguments(s, kernel, deadline);
}

/* ---- naming it ---- */

/* Bugs that have a name, by the step that a driver takes there: those of litmus/bugs. */
static const struct {
	enum oclmm_moved_step step;
	const char *bug;
} bugs[] = {
	{OCLMM_STEP_REST_LOST, "pocl-lost-region"},
	{OCLMM_STEP_REST_TWICE, "pocl-first-twice"},
};

static const char *bug_of(enum oclmm_moved_step step)
{
	for (size_t i = 0; i < OCLMM_COUNT(bugs); i++)
		if (bugs[i].step == step)
			return bugs[i].bug;
	return NULL;
}

/* Whether a text gives what the device gave. */
static bool explains(const struct kernel *kernel, const char *body)
{
	const struct oclmm_program *program = program_of(kernel);
	struct oclmm_shared_text shared = *program->shared;
	struct oclmm_program changed = *program;
	int64_t *values = oclmm_calloc((size_t)program->observable_count + 1, sizeof(*values));
	struct oclmm_litmus *litmus;
	struct oclmm_text text = {0};
	struct oclmm_error ignored;
	bool same = false;

	shared.body = body;
	changed.shared = &shared;
	oclmm_program_print(&text, &changed);
	if (oclmm_litmus_parse("k", oclmm_text_string(&text), text.length, NULL, &ignored,
	                       &litmus) == 0) {
		for (int o = 0; o < OCLMM_PLAY_COUNT && !same; o++)
			same = oclmm_play_in_step(litmus->variants[0].program, (enum oclmm_play)o,
			                          values) == 0 &&
			       memcmp(values, kernel->values,
			              program->observable_count * sizeof(*values)) == 0;
		oclmm_litmus_destroy(litmus);
	}
	oclmm_text_finish(&text);
	free(values);
	return same;
}

static void name_cause(struct shrinking *s, const struct kernel *kernel,
                       struct oclmm_text *ret_cause)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_text_steps steps;

	oclmm_text_init(ret_cause);
	if (kernel->fate == FATE_CRASHED)
		oclmm_text_add(ret_cause, "the compiler or the kernel crashes");
	if (kernel->fate == FATE_SILENT)
		oclmm_text_add(ret_cause, "the compiler or the kernel does not end");
	oclmm_text_steps_find(arena, program_of(kernel)->shared->body, &steps);
	for (size_t i = 0; i < steps.count && !ret_cause->length; i++) {
		const struct oclmm_text_step *step = &steps.items[i];

		if (!explains(kernel, step->body))
			continue;
		oclmm_text_printf(ret_cause, "as after %s in line %u of the body: %s",
		                  oclmm_step_word(step->step), step->line,
		                  oclmm_step_meaning(step->step));
		if (bug_of(step->step))
			oclmm_text_printf(ret_cause, " (--bug %s)", bug_of(step->step));
	}
	if (!ret_cause->length) {
		oclmm_text_add(ret_cause, "no single wrong step of a compiler gives this");
		s->unnamed++;
	}
	oclmm_arena_destroy(arena);
}

/* ---- the command ---- */

static unsigned count_lines(const char *text)
{
	unsigned lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

static int write_small(const struct shrinking *s, const struct kernel *kernel, const char *name,
                       const char *cause)
{
	struct oclmm_program program = *program_of(kernel);
	struct oclmm_text text = {0}, file = {0}, path = {0};
	const char *printed, *end;
	int status;

	program.name = name;
	oclmm_program_print(&text, &program);
	/* the comment stands behind the first line */
	printed = oclmm_text_string(&text);
	end = strchr(printed, '\n');
	oclmm_text_printf(&file, "%.*s\n\n(* %s *)\n%s", (int)(end - printed), printed, cause,
	                  end + 1);
	if (s->output)
		oclmm_text_printf(&path, "%s/%s.litmus", s->output, name);
	if (s->told) {
		fputs(oclmm_text_string(&file), stderr);
		status = 0;
	} else {
		status = command_write(&command_shrink, s->output ? oclmm_text_string(&path) : NULL,
		                       &file);
	}
	oclmm_text_finish(&text);
	oclmm_text_finish(&file);
	oclmm_text_finish(&path);
	return status;
}

static int shrink(struct shrinking *s, const struct chosen *chosen)
{
	static const char *const fates[] = {"right", "wrong", "crashed", "silent", "not run"};
	const struct oclmm_program *program = chosen->variant->program;
	const char *name = chosen->variant->name;
	struct oclmm_text cause;
	struct kernel kernel;
	int status;

	if (!program->shared) {
		fprintf(stderr, "%s: its work-items do not share a text\n", oclmm_shown(name).text);
		return 0;
	}
	s->model = is_legal(program, OCLMM_MODEL_CONSENSUS) ? OCLMM_MODEL_CONSENSUS
	                                                    : OCLMM_MODEL_OPENCL_2_1;
	kernel = try_kernel(s, program);
	if (process_interrupted) {
		kernel_finish(&kernel);
		return 0;
	}
	if (kernel.fate == FATE_RIGHT || kernel.fate == FATE_NOT_RUN) {
		fprintf(stderr, "%s: %s", oclmm_shown(name).text, fates[kernel.fate]);
		if (kernel.fate == FATE_NOT_RUN && *s->why)
			fprintf(stderr, ": %s", oclmm_shown(s->why).text);
		fputs("\n", stderr);
		s->not_run += kernel.fate == FATE_NOT_RUN;
		kernel_finish(&kernel);
		return 0;
	}
	s->failed++;
	make_small(s, &kernel);
	name_cause(s, &kernel, &cause);
	fprintf(stderr, "%s: %s, %u lines: %s\n", oclmm_shown(name).text, fates[kernel.fate],
	        count_lines(program_of(&kernel)->shared->body), oclmm_text_string(&cause));
	status = write_small(s, &kernel, name, oclmm_text_string(&cause));
	oclmm_text_finish(&cause);
	kernel_finish(&kernel);
	return status;
}

static int shrink_all(struct shrinking *s, const struct selection *selection)
{
	int status = 0;

	if (selection->count == 0)
		return OCLMM_EXIT_NOTHING;
	if (s->output && oclmm_make_folders(s->output) < 0)
		return options_error(&command_shrink, "cannot write to %s", s->output);
	for (size_t i = 0; i < selection->count && !process_interrupted && status == 0; i++)
		status = shrink(s, &selection->chosen[i]);
	if (process_interrupted)
		fputs("oclmm shrink: interrupted\n", stderr);
	fprintf(stderr, "%zu tests, %u wrong, %u of them without a name, %u not run; %u tries\n",
	        selection->count, s->failed, s->unnamed, s->not_run, s->tried);
	if (process_interrupted || (s->not_run && !s->failed && !status))
		return OCLMM_EXIT_INFRASTRUCTURE;
	return status ? status : s->failed ? 1 : 0;
}

static const struct option_spec options[] = {
	{"device", 'd', "NAME", "of the device, or a part of its name (default: the first one)",
         SETS_TEXT(struct shrinking, device)},
	{"output", 'o', "DIR", "write a litmus file for each there, not to stdout",
         SETS_TEXT(struct shrinking, output)},
	{"seconds", 0, "S", "for making one test small (default: 60)",
         SETS_SECONDS(struct shrinking, seconds)},
	{0},
};

static void remove_folder(const struct shrinking *s)
{
	static const char *const names[] = {"k.litmus", "r.jsonl"};

	for (size_t i = 0; i < OCLMM_COUNT(names); i++) {
		char *path = path_in(s, names[i]);

		unlink(path);
		free(path);
	}
	rmdir(s->folder);
	free(s->folder);
}

/* A folder to try kernels in, which remove_folder() removes. \return false, with errno */
static bool make_folder(struct shrinking *s)
{
	s->folder = tool_temporary("shrink");
	if (mkdtemp(s->folder))
		return true;
	free(s->folder);
	s->folder = NULL;
	return false;
}

void export_shrink(const struct export_wrong *wrong)
{
	struct shrinking all = {.seconds = wrong->seconds, .device = wrong->device};

	if (wrong->count == 0)
		return;
	if (!make_folder(&all)) {
		fprintf(stderr, "oclmm: no temporary folder: %s\n", strerror(errno));
		return;
	}
	for (size_t i = 0; i < wrong->count && !process_interrupted; i++) {
		const char *name = wrong->tests[i]->variant->name;
		struct oclmm_text path = {0};
		struct shrinking s = all;

		s.told = !wrong->artifacts;
		if (wrong->artifacts) {
			oclmm_text_printf(&path, "%s/%s/small", wrong->artifacts, name);
			s.output = oclmm_text_string(&path);
			s.told = oclmm_make_folders(s.output) < 0;
		}
		shrink(&s, wrong->tests[i]);
		oclmm_text_finish(&path);
	}
	remove_folder(&all);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct shrinking s = {.seconds = 60};
	struct selection selection;
	int first, status = options_parse(command, argc, argv, &s, &first);

	if (status)
		return status;
	if (first == argc)
		return options_error(command, "name a test, or a file");
	status = selection_make(&selection, argv + first, argc - first);
	process_catch_interrupts();
	if (!make_folder(&s)) {
		selection_finish(&selection);
		return options_error(command, "no temporary folder: %s", strerror(errno));
	}
	if (status == 0)
		status = shrink_all(&s, &selection);
	selection_finish(&selection);
	remove_folder(&s);
	return status;
}

const struct command command_shrink = {
	.name = "shrink",
	.arguments = "FILE[:VARIANT]|NAME…",
	.summary = "make kernels small that a device gets wrong, and say why",
	.description = "Runs each test, whose work-items have to share a text, on the device. Of "
		       "one that\n"
		       "shows a forbidden outcome, crashes or does not end it leaves out "
		       "statements,\n"
		       "branches, loops and work-items as long as the oracle finds it legal "
		       "and the device\n"
		       "gets it wrong. Then it says after which single step of a wrong compiler "
		       "the kernel\n"
		       "would give what the device gave.\n\n"
		       "Exit status: 0 all are right; 1 some are wrong; 2 usage, or a file that "
		       "is refused;\n"
		       "77 no tests; 99 a test was not run, a file cannot be written, or "
		       "interrupted.",
	.options = options,
	.run = run,
};
