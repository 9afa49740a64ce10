// SPDX-License-Identifier: Apache-2.0
/* oclmm export: a test as one C file for somebody who has no oclmm. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "export.h"
#include "oclmm/grade.h"
#include "process/process.h"
#include "producer/producer.h"
#include "search.h"
#include "select/select.h"

struct exporting {
	const char *device, *output, *outcome, *producer_name;
	double seconds;
	bool no_search, il;
	struct producer *producer;
};

static const struct option_spec options[] = {
	{"device", 'd', "NAME",
         "look for it on a device with NAME in its name (default: the first)",
         SETS_TEXT(struct exporting, device)},
	{"il", 0, NULL, "give the device SPIR-V, from a file NAME.spv beside the C file",
         SETS_FLAG(struct exporting, il)},
	{"no-search", 0, NULL, "run nothing: the file has the stress that suits most devices",
         SETS_FLAG(struct exporting, no_search)},
	{"outcome", 0, "OUTCOME", "ask for this outcome instead of the final condition",
         SETS_TEXT(struct exporting, outcome)},
	{"output", 'o', "FILE", "write there, in a folder as NAME.c; - is standard output (NAME.c)",
         SETS_TEXT(struct exporting, output)},
	{"producer", 0, "NAME", "the one of --il, such as llvm-spirv-14 (default: the first found)",
         SETS_TEXT(struct exporting, producer_name)},
	{"seconds", 0, "SECONDS", "search no longer than that (60)",
         SETS_SECONDS(struct exporting, seconds)},
	{0},
};

/* ---- names ---------------------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
	struct stat info;

	return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Without the suffix; malloc-ed. */
static char *stem_of(const struct exporting *x, const char *name)
{
	struct oclmm_text text = {0};
	size_t length;

	if (!x->output || strcmp(x->output, "-") == 0) {
		oclmm_text_add(&text, name);
		return oclmm_text_steal(&text);
	}
	if (is_folder(x->output)) {
		oclmm_text_printf(&text, "%s/%s", x->output, name);
		return oclmm_text_steal(&text);
	}
	length = strlen(x->output);
	if (length > 2 && strcmp(x->output + length - 2, ".c") == 0)
		length -= 2;
	oclmm_text_add_bytes(&text, x->output, length);
	return oclmm_text_steal(&text);
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- one test ------------------------------------------------------------------------------- */

/* What the search came to, on standard error; `*ret_seen` gets a sentence for the file. */
static void tell(const struct export_job *job, enum search_end end, const struct oclmm_text *note,
                 struct oclmm_text *ret_seen)
{
	const char *name = oclmm_shown(job->program->name).text;
	struct oclmm_shown said = oclmm_shown(oclmm_text_string(note));

	switch (end) {
	case SEARCH_FOUND:
		oclmm_text_printf(ret_seen, "With this stress it was seen on %s.", said.text);
		fprintf(stderr, "%s: seen on %s\n", name, said.text);
		break;
	case SEARCH_NOT_SEEN:
		fprintf(stderr, "%s: not seen (%s); the stress is not reduced\n", name, said.text);
		break;
	case SEARCH_NOT_BUILT:
		fprintf(stderr, "%s: not searched, for it was not built here: %s\n", name,
		        said.text);
		break;
	case SEARCH_NOT_RUN:
		fprintf(stderr, "%s: not searched, for it did not run here: %s\n", name, said.text);
		break;
	}
}

static void search(const struct exporting *x, struct export_job *job,
                   struct export_setting *setting, struct oclmm_text *ret_seen)
{
	struct search own;
	struct oclmm_text note = {0};
	int r = search_begin(&own, x->seconds);

	own.producer = x->il ? x->producer : NULL;
	if (r < 0)
		fprintf(stderr, "oclmm export: not searched: no temporary folder: %s\n",
		        strerror(-r));
	else
		tell(job, search_least(&own, job, setting, &note), &note, ret_seen);
	search_finish(&own);
	oclmm_text_finish(&note);
}

/* What the layer that plants bugs has to be given, and how. */
static int write_planted(const char *stem, const struct oclmm_text *planted)
{
	struct oclmm_text path = {0}, quoted = {0};
	int status;

	if (!planted->length)
		return 0;
	oclmm_text_printf(&path, "%s.planted", stem);
	status = command_write(&command_export, oclmm_text_string(&path), planted);
	oclmm_text_add_quoted(&quoted, oclmm_text_string(&path));
	if (status == 0)
		fprintf(stderr,
		        "under the plant: OCLMM_PLANT_TEXTS=%s beside OPENCL_LAYERS and "
		        "OCLMM_PLANT\n",
		        oclmm_text_string(&quoted));
	oclmm_text_finish(&path);
	oclmm_text_finish(&quoted);
	return status;
}

static int write_module(const struct exporting *x, const char *stem,
                        const struct oclmm_text *kernels)
{
	struct oclmm_text path = {0}, module;
	struct oclmm_error error = {0};
	int status;

	if (producer_translate(x->producer, (struct producer_version){1, 2}, "-cl-std=CL3.0",
	                       oclmm_text_string(kernels), &error, &module) < 0) {
		report_error(&error);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	oclmm_text_printf(&path, "%s.spv", stem);
	status = command_write(&command_export, oclmm_text_string(&path), &module);
	oclmm_text_finish(&path);
	oclmm_text_finish(&module);
	return status;
}

static int write_all(const struct exporting *x, const struct export_job *job,
                     const struct export_setting *setting, const char *stem)
{
	bool printed = x->output && strcmp(x->output, "-") == 0;
	struct oclmm_text file, kernels, planted, path = {0};
	struct oclmm_error error = {0};
	int status;

	if (export_write(job, setting, &error, &file, &kernels, &planted) < 0)
		return report_error(&error);
	oclmm_text_printf(&path, "%s.c", stem);
	status = command_write(&command_export, printed ? NULL : oclmm_text_string(&path), &file);
	if (status == 0 && x->il)
		status = write_module(x, stem, &kernels);
	if (status == 0)
		status = write_planted(stem, &planted);
	if (status == 0 && !printed)
		printf("%s\n", oclmm_shown(oclmm_text_string(&path)).text);
	oclmm_text_finish(&path);
	oclmm_text_finish(&file);
	oclmm_text_finish(&kernels);
	oclmm_text_finish(&planted);
	return status;
}

static int export_asked(const struct exporting *x, const struct oclmm_program *program,
                        const char *question)
{
	const struct oclmm_check_options check = {.time_limit = 60, .stop = &process_interrupted};
	const struct oclmm_explain_options explain = {.no_changes = true, .time_limit = 10};
	struct oclmm_explanation *explanation = NULL;
	struct oclmm_answer *answer;
	struct oclmm_error error = {0};
	struct oclmm_text seen = {0}, module = {0};
	struct export_setting setting;
	struct export_job job;
	char *stem;
	int status;

	if (oclmm_check(program, &check, &error, &answer) < 0)
		return report_error(&error);
	if (oclmm_explain(program, &explain, &error, &explanation) < 0)
		explanation = NULL;
	stem = stem_of(x, program->name);
	oclmm_text_printf(&module, "%s.spv", last_name(stem));
	job = (struct export_job){.program = program,
	                          .answer = answer,
	                          .explanation = explanation,
	                          .device = x->device,
	                          .name = last_name(stem),
	                          .module = x->il ? oclmm_text_string(&module) : NULL,
	                          .question = question};
	export_setting_default(program, NULL, 0, &setting);
	if (!x->no_search)
		search(x, &job, &setting, &seen);
	job.seen = seen.length ? oclmm_text_string(&seen) : NULL;
	status = write_all(x, &job, &setting, stem);
	free(stem);
	oclmm_text_finish(&seen);
	oclmm_text_finish(&module);
	oclmm_explanation_destroy(explanation);
	oclmm_answer_destroy(answer);
	return status;
}

static int export_variant(const struct exporting *x, const struct chosen *chosen)
{
	const struct oclmm_program *program = chosen->variant->program;
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_error error = {0};
	int status = 0;

	if (x->outcome && oclmm_explain_ask(arena, program, x->outcome, &error, &program) < 0)
		status = report_error(&error);
	if (status == 0)
		status = export_asked(x, program, chosen->litmus->question);
	oclmm_arena_destroy(arena);
	return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

static int export_all(const struct exporting *x, const struct selection *selection)
{
	int worst = 0;

	if (selection->count == 0)
		return OCLMM_EXIT_NOTHING;
	if (selection->count > 1 && !is_folder(x->output))
		return options_error(&command_export,
		                     "%zu tests match; name one, or a folder with --output",
		                     selection->count);
	for (size_t i = 0; i < selection->count && !process_interrupted; i++) {
		int status = export_variant(x, &selection->chosen[i]);

		worst = status > worst ? status : worst;
	}
	return process_interrupted ? OCLMM_EXIT_INFRASTRUCTURE : worst;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct exporting x = {.seconds = 60};
	struct selection selection;
	struct oclmm_error error = {0};
	int first, status = options_parse(command, argc, argv, &x, &first);

	if (status)
		return status;
	if (first == argc)
		return options_error(command, "name a test, or a file");
	if (x.producer_name && !x.il)
		return options_error(command, "--producer is for --il");
	process_catch_interrupts();
	if (x.il && producer_find(x.producer_name, &error, &x.producer) < 0) {
		report_error(&error);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	status = selection_make(&selection, argv + first, argc - first);
	if (status == 0)
		status = export_all(&x, &selection);
	selection_finish(&selection);
	producer_destroy(x.producer);
	return status;
}

const struct command command_export = {
	.name = "export",
	.arguments = "FILE[:VARIANT]|NAME",
	.summary = "write a test as one C file that needs no oclmm",
	.description =
		"The file needs the OpenCL headers and a loader. It says what is looked for and\n"
		"which rule is broken, prints a histogram, and ends with 1 where the outcome was\n"
		"seen. It is compiled (CC, or cc) and run here with less and less stress, as long\n"
		"as the outcome comes back.\n\n"
		"Exit status: 0 written, whether the outcome was seen or not; 2 usage, or a test\n"
		"that does not stand alone; 77 no tests; 99 a file cannot be written, or\n"
		"interrupted.",
	.options = options,
	.run = run,
};
