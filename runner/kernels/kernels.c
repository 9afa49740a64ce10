// SPDX-License-Identifier: Apache-2.0
/* Whole kernels: from a `.cl` file to the oracle's answer. */
#include "kernels.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "process/process.h"
#include "producer/producer.h"
#include "select/select.h"

/* What the search may take, beside its time. */
enum { MEMORY_MOST = 1 << 30 };
/* A compiler on a busy machine: somebody waits for this one answer, and for no other test. */
enum { TOOL_SECONDS = 120 };

int kernel_option(const char *option, const char *value, void *target)
{
	struct kernel_options *options = target;
	struct oclmm_error error = {0};

	options->given = true;
	if (oclmm_kernel_option(&options->setup, option, value, &error) > 0)
		return 0;
	fprintf(stderr, "oclmm: %s\n", oclmm_shown(error.message).text);
	return OPTIONS_ERROR;
}

bool kernel_is_file(const char *argument)
{
	size_t length = strlen(argument);

	return length > 3 && strcmp(argument + length - 3, ".cl") == 0;
}

/* What the command line says stands for what the file says of the same. */
static int lay_over(struct oclmm_kernel_setup *setup, const struct oclmm_kernel_setup *given,
                    struct oclmm_error *error)
{
	struct oclmm_kernel_setup merged = *setup;

	if (given->kernel)
		merged.kernel = given->kernel;
	for (unsigned i = 0; i < 3; i++) {
		if (given->global[0])
			merged.global[i] = given->global[i];
		if (given->local[0])
			merged.local[i] = given->local[i];
		if (given->offset[i])
			merged.offset[i] = given->offset[i];
	}
	if (given->sub_group)
		merged.sub_group = given->sub_group;
	if (given->unroll)
		merged.unroll = given->unroll;
	if (given->legacy_scope)
		merged.legacy_scope = given->legacy_scope;
	for (unsigned i = 0; i < given->argument_count; i++) {
		size_t length = strcspn(given->arguments[i], "=") + 1;
		unsigned at = 0;

		while (at < merged.argument_count &&
		       strncmp(merged.arguments[at], given->arguments[i], length) != 0)
			at++;
		if (at == OCLMM_KERNEL_MAX_ARGUMENTS)
			return oclmm_error_set(error, -EINVAL,
			                       "--arg is given for more than %d parameters",
			                       OCLMM_KERNEL_MAX_ARGUMENTS);
		merged.arguments[at] = given->arguments[i];
		if (at == merged.argument_count)
			merged.argument_count++;
	}
	if (given->ask_count) {
		memcpy(merged.asks, given->asks, sizeof(merged.asks));
		merged.ask_count = given->ask_count;
	}
	*setup = merged;
	return 0;
}

static int refuse(const struct oclmm_error *error, int status)
{
	report_error(error);
	return status;
}

static void add_word(struct oclmm_text *text, const char *option, const char *value)
{
	oclmm_text_printf(text, " %s ", option);
	oclmm_text_add_quoted(text, value);
}

static void add_sizes(struct oclmm_text *text, const char *option, const unsigned sizes[3])
{
	if (!sizes[0] && !sizes[1] && !sizes[2])
		return;
	oclmm_text_printf(text, " %s %u", option, sizes[0]);
	for (unsigned i = 1; i < 3 && (sizes[1] || sizes[2]) && (i < 2 || sizes[2]); i++)
		oclmm_text_printf(text, ",%u", sizes[i]);
}

static void add_number(struct oclmm_text *text, const char *option, unsigned number)
{
	if (number)
		oclmm_text_printf(text, " %s %u", option, number);
}

/* The options of a launch, as a command line has them. */
static void add_setup(struct oclmm_text *text, const struct oclmm_kernel_setup *setup)
{
	for (unsigned i = 0; i < setup->argument_count; i++)
		add_word(text, "--arg", setup->arguments[i]);
	for (unsigned i = 0; i < setup->ask_count; i++)
		add_word(text, "--ask", setup->asks[i]);
	add_sizes(text, "--global", setup->global);
	if (setup->kernel)
		add_word(text, "--kernel", setup->kernel);
	if (setup->legacy_scope)
		add_word(text, "--legacy-scope",
		         setup->legacy_scope == OCLMM_SCOPE_DEVICE ? "device" : "work_group");
	add_sizes(text, "--local", setup->local);
	add_sizes(text, "--offset", setup->offset);
	add_number(text, "--sub-group", setup->sub_group);
	add_number(text, "--unroll", setup->unroll);
}

static const char *name_of(struct oclmm_arena *arena, const char *path,
                           const struct kernel_options *options)
{
	struct oclmm_text name = {0};

	oclmm_text_add_quoted(&name, path);
	if (options->compile)
		add_word(&name, "--build", options->compile);
	add_setup(&name, &options->setup);
	return oclmm_text_keep(&name, arena);
}

static int read_file(struct kernel_file *file, const struct kernel_options *options)
{
	struct oclmm_error error = {0};
	size_t length;

	if (oclmm_read_text(file->path, &error, &file->text, &length) < 0 ||
	    oclmm_kernel_head(file->arena, file->path, file->text, &file->setup, &file->compile,
	                      &error) < 0 ||
	    lay_over(&file->setup, &options->setup, &error) < 0)
		return refuse(&error, OCLMM_EXIT_USAGE);
	if (options->compile)
		oclmm_text_printf(&file->compile, " %s", options->compile);
	file->setup.explain = options->explains;
	file->setup.memory = MEMORY_MOST;
	file->name = name_of(file->arena, file->path, options);
	return 0;
}

int kernel_file_read(struct kernel_file *file, const char *path,
                     const struct kernel_options *options)
{
	*file = (struct kernel_file){.path = path, .arena = oclmm_arena_create()};
	return read_file(file, options);
}

int kernel_file_read_named(struct kernel_file *file, const char *name)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct kernel_options options = {0};
	struct oclmm_text compile = {0};
	struct oclmm_error error = {0};
	const char *behind = name;
	char *path = oclmm_quoted_word(&behind);
	int status = 0;

	*file = (struct kernel_file){.arena = arena,
	                             .path = oclmm_arena_strdup(arena, path ? path : "")};
	free(path);
	/* what stands behind it is in the form of a line at the head of a file */
	if (oclmm_kernel_head(arena, name, oclmm_arena_printf(arena, "oclmm:%s", behind),
	                      &options.setup, &compile, &error) < 0)
		status = refuse(&error, OCLMM_EXIT_USAGE);
	if (compile.length)
		options.compile = oclmm_arena_strdup(arena, oclmm_text_string(&compile) + 1);
	oclmm_text_finish(&compile);
	return status ? status : read_file(file, &options);
}

/* ---- a kernel among tests ---------------------------------------------------------------- */

/* The text with what it includes, how it is compiled and launched, and what is asked of it. */
static uint64_t hash_of(const struct kernel_file *file)
{
	struct oclmm_text text = {0};
	uint64_t hash;

	oclmm_text_add(&text, file->text);
	oclmm_text_add(&text, oclmm_text_string(&file->whole));
	oclmm_text_add(&text, oclmm_text_string(&file->compile));
	add_setup(&text, &file->setup);
	hash = oclmm_hash(oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
	return hash;
}

static int compare_states(const void *a, const void *b, void *data)
{
	const struct oclmm_expected_state *x = a, *y = b;
	const uint32_t *width = data;

	return oclmm_compare_values(x->values, y->values, *width);
}

static void add_states(struct oclmm_expected *expected, const struct oclmm_program *program,
                       const struct oclmm_kernel_answer *answer)
{
	struct oclmm_arena *arena = answer->arena;
	bool undefined = answer->verdict == OCLMM_KERNEL_UNDEFINED;
	uint32_t count = undefined ? 0 : (uint32_t)answer->state_count;

	expected->states = OCLMM_NEW_ARRAY(arena, struct oclmm_expected_state, count + 1);
	for (uint32_t i = 0; i < count; i++) {
		struct oclmm_expected_state *state = &expected->states[i];
		int64_t *values = OCLMM_NEW_ARRAY(arena, int64_t, expected->width + 1);

		oclmm_kernel_observed(answer, answer->states[i].values, values);
		*state = (struct oclmm_expected_state){.values = values,
		                                       .status = OCLMM_STATUS_ALLOWED};
		state->holds = oclmm_condition_holds(program, program->condition, values);
		for (int v = 0; v < OCLMM_VERSION_COUNT; v++)
			state->version[v].status = OCLMM_STATUS_ALLOWED;
		expected->positive += state->holds;
	}
	expected->state_count = expected->allowed_count = count;
	qsort_r(expected->states, count, sizeof(*expected->states), compare_states,
	        &expected->width);
}

struct kernel_test kernel_test_of(const struct kernel_file *file,
                                  const struct oclmm_kernel_answer *answer)
{
	struct oclmm_arena *arena = answer->arena;
	struct oclmm_program *program = oclmm_kernel_program(answer);
	struct oclmm_expected *expected = OCLMM_NEW(arena, struct oclmm_expected);
	uint32_t width = program->observable_count;
	const char **names = OCLMM_NEW_ARRAY(arena, const char *, width + 1);
	enum oclmm_type *types = OCLMM_NEW_ARRAY(arena, enum oclmm_type, width + 1);
	struct oclmm_text asks = {0};
	bool positive, negative;

	program->name = oclmm_arena_strdup(arena, file->name);
	program->file = oclmm_arena_strdup(arena, file->path);
	program->hash = hash_of(file);
	for (uint32_t i = 0; i < width; i++) {
		names[i] = program->observables[i].name;
		types[i] = program->observables[i].type;
	}
	for (unsigned n = 0; n < file->setup.ask_count; n++)
		oclmm_text_printf(&asks, "%s%s", n ? "; " : "", file->setup.asks[n]);
	oclmm_text_add(&asks, "");
	*expected = (struct oclmm_expected){
		.name = program->name,
		.hash = program->hash,
		.quantifier = program->quantifier,
		.condition = oclmm_text_keep(&asks, arena),
		.width = width,
		.observables = names,
		.types = types,
		.undefined = answer->verdict == OCLMM_KERNEL_UNDEFINED,
		.undefined_why = answer->message,
		.open = answer->verdict == OCLMM_KERNEL_UNFINISHED || answer->cut || answer->early,
	};
	add_states(expected, program, answer);
	positive = expected->positive > 0;
	negative = expected->positive < expected->state_count;
	expected->observation = expected->undefined ? OCLMM_OBSERVATION_UNDEFINED
	                                            : oclmm_observation_of(positive, negative,
	                                                                   positive, negative);
	/* of the tuples that there may be nobody has a list */
	expected->space.size = expected->state_count + !expected->open;
	return (struct kernel_test){program, expected};
}

void kernel_file_finish(struct kernel_file *file)
{
	free(file->text);
	oclmm_text_finish(&file->compile);
	oclmm_text_finish(&file->whole);
	oclmm_arena_destroy(file->arena);
}

void kernel_file_folder(const struct kernel_file *file, struct oclmm_text *options)
{
	const char *slash = strrchr(file->path, '/');
	struct oclmm_text folder = {0};

	if (!slash)
		return;
	oclmm_text_printf(&folder, "-I%.*s/", (int)(slash - file->path), file->path);
	oclmm_text_add_quoted(options, oclmm_text_string(&folder));
	oclmm_text_add(options, " ");
	oclmm_text_finish(&folder);
}

static bool may_include(const struct kernel_file *file, const char *options)
{
	return strstr(file->text, "include") || strstr(options, "include");
}

/* Where modules are kept, as `oclmm run` keeps programs (OCLMM_PROGRAMS); malloc-ed, NULL: nowhere.
 * What a text includes is no part of the key, so that such a text is compiled each time. */
static char *keeping_folder(const struct kernel_file *file, const char *options)
{
	const char *given = getenv("OCLMM_PROGRAMS");
	struct oclmm_text path = {0};
	char *home;

	if (may_include(file, options))
		return NULL;
	if (given && strcmp(given, "off") == 0)
		return NULL;
	if (given && *given)
		return oclmm_strdup(given);
	home = cache_home();
	if (!home)
		return NULL;
	oclmm_text_printf(&path, "%s/programs", home);
	free(home);
	return oclmm_text_steal(&path);
}

/* Groups are all of one size where the program asks for it, or is one of OpenCL C 1.x. */
static int refuse_uneven_groups(const struct kernel_file *file, const char *options)
{
	const struct oclmm_kernel_setup *s = &file->setup;
	struct oclmm_error error = {0};

	if (!strstr(options, "-cl-uniform-work-group-size") && !strstr(options, "-cl-std=CL1"))
		return 0;
	for (unsigned i = 0; i < 3; i++)
		if (s->local[i] && s->global[i] % s->local[i]) {
			oclmm_error_set(&error, -EINVAL,
			                "%s: %u work-items are no whole number of groups of %u",
			                oclmm_shown(file->path).text, s->global[i], s->local[i]);
			return refuse(&error, OCLMM_EXIT_USAGE);
		}
	return 0;
}

/* The module that the compiler makes of the text. */
static int compile(struct kernel_file *file, struct oclmm_text *module)
{
	struct oclmm_text source = {0}, options = {0};
	struct oclmm_error error = {0};
	struct producer *producer = NULL;
	char *folder;
	int r = refuse_uneven_groups(file, oclmm_text_string(&file->compile));

	if (r)
		return r;
	r = producer_find(NULL, &error, &producer);
	if (r < 0)
		return refuse(&error, OCLMM_EXIT_NOTHING);
	producer_limit(producer, TOOL_SECONDS);
	oclmm_kernel_source(&source, file->path, file->text);
	if (!strstr(oclmm_text_string(&file->compile), "-cl-std"))
		oclmm_text_add(&options, "-cl-std=CL3.0 ");
	if (!strstr(oclmm_text_string(&file->compile), "__OPENCL_VERSION__"))
		oclmm_text_add(&options, "-D__OPENCL_VERSION__=300 ");
	/* drivers take an inline function for one that is there, as GNU C does */
	oclmm_text_add(&options, "-fgnu89-inline ");
	kernel_file_folder(file, &options);
	oclmm_text_add(&options, oclmm_text_string(&file->compile));
	folder = keeping_folder(file, oclmm_text_string(&options));
	if (folder && cache_prepare(folder) == 0)
		producer_keep(producer, folder);
	r = producer_translate_lines(producer, oclmm_text_string(&options),
	                             oclmm_text_string(&source), &error, module);
	if (r == 0 && may_include(file, oclmm_text_string(&options)))
		r = producer_preprocess(producer, oclmm_text_string(&options), file->text, &error,
		                        &file->whole);
	oclmm_text_finish(&source);
	oclmm_text_finish(&options);
	producer_destroy(producer);
	free(folder);
	return r < 0 ? refuse(&error, OCLMM_EXIT_USAGE) : 0;
}

static int check_file(struct kernel_file *file, double seconds,
                      struct oclmm_kernel_answer **ret_answer)
{
	struct oclmm_text module = {0};
	struct oclmm_error error = {0};
	int status = compile(file, &module);

	file->setup.seconds = seconds;
	file->setup.ended = process_ended;
	file->setup.source = file->whole.length ? oclmm_text_string(&file->whole) : file->text;
	if (status == 0 && oclmm_kernel_check(file->path, module.data, module.length, &file->setup,
	                                      &error, ret_answer) < 0)
		status = refuse(&error, OCLMM_EXIT_USAGE);
	oclmm_text_finish(&module);
	return status;
}

int kernel_file_check(struct kernel_file *file, double seconds,
                      struct oclmm_kernel_answer **ret_answer)
{
	int status = check_file(file, seconds, ret_answer);
	struct oclmm_error error = {0};

	if (status == 0 && process_interrupted) {
		oclmm_kernel_answer_destroy(*ret_answer);
		*ret_answer = NULL;
		oclmm_error_set(&error, -EINTR, "%s: interrupted", oclmm_shown(file->path).text);
		return refuse(&error, OCLMM_EXIT_INFRASTRUCTURE);
	}
	if (status || (*ret_answer)->verdict != OCLMM_KERNEL_UNREAD)
		return status;
	fputs((*ret_answer)->text, stderr);
	return OCLMM_EXIT_USAGE;
}

/* ---- the answer as JSON ------------------------------------------------------------------- */

static json_t *line_object(const struct oclmm_kernel_line *line)
{
	json_t *object = json_object();

	if (line->included)
		json_put_text(object, "file", line->file);
	json_put_count(object, "line", line->line);
	json_put_count(object, "column", line->column);
	return object;
}

static json_t *step_object(const struct oclmm_kernel_step *step)
{
	json_t *object = line_object(&step->line);

	json_put_text(object, "by", step->copies ? "copy" : "work-item");
	json_put_count(object, "group", step->group);
	if (!step->copies)
		json_put_count(object, "work_item", step->work_item);
	json_put_text(object, "what", step->what);
	if (step->object)
		json_put_text(object, "object", step->object);
	if (step->read)
		json_put_text(object, "read", step->read);
	if (step->written)
		json_put_text(object, "written", step->written);
	if (step->order)
		json_put_text(object, "order", step->order);
	if (step->scope)
		json_put_text(object, "scope", step->scope);
	if (step->from >= 0)
		json_put_count(object, "from", (uint64_t)step->from);
	return object;
}

static json_t *steps_array(const struct oclmm_kernel_step *steps, unsigned count)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < count; i++)
		json_array_append_new(array, step_object(&steps[i]));
	return array;
}

static json_t *execution_of(const struct oclmm_kernel_execution *execution)
{
	return steps_array(execution->steps, execution->count);
}

static const char *const verdict_words[] = {
	[OCLMM_KERNEL_SOUND] = "sound",
	[OCLMM_KERNEL_UNDEFINED] = "undefined",
	[OCLMM_KERNEL_UNREAD] = "not-understood",
	[OCLMM_KERNEL_UNFINISHED] = "unfinished",
};

static void put_asks(json_t *object, const struct kernel_file *file,
                     const struct oclmm_kernel_answer *answer)
{
	json_t *asks = json_array();

	for (unsigned n = 0; n < file->setup.ask_count; n++) {
		json_t *ask = json_object();

		json_put_text(ask, "condition", file->setup.asks[n]);
		json_put_text(ask, "observation", answer->observations[n]);
		json_put_count(ask, "holds", answer->holds[n]);
		json_put_count(ask, "fails", answer->fails[n]);
		if (answer->asked[n].count)
			json_object_set_new(ask, "execution", execution_of(&answer->asked[n]));
		json_array_append_new(asks, ask);
	}
	json_object_set_new(object, "asks", asks);
}

static void print_json(const struct kernel_file *file, const struct oclmm_kernel_answer *answer)
{
	json_t *object = json_object(), *array;
	struct oclmm_text text = {0};

	json_put_text(object, "file", file->path);
	json_put_text(object, "kernel", answer->name);
	json_put_text(object, "verdict", verdict_words[answer->verdict]);
	json_put_text(object, "message", answer->message);
	if (answer->message && answer->line.line)
		json_object_set_new(object, "place", line_object(&answer->line));
	if (answer->sides[0]) {
		array = json_array();
		for (unsigned i = 0; i < 2; i++)
			json_array_append_new(array, step_object(answer->sides[i]));
		json_object_set_new(object, "race", array);
	}
	if (answer->execution.count)
		json_object_set_new(object, "execution", execution_of(&answer->execution));
	json_object_set_new(object, "waits", steps_array(answer->waiting, answer->waiting_count));
	json_object_set_new(object, "bound", json_null());
	if (answer->cut) {
		json_t *bound = line_object(&answer->cut_line);

		json_put_count(bound, "turns", answer->turns);
		json_object_set_new(object, "bound", bound);
	}
	json_put_flag(object, "early_reads", answer->early);
	json_put_count(object, "states", answer->state_count);
	put_asks(object, file, answer);
	if (file->setup.explain && answer->verdict == OCLMM_KERNEL_UNDEFINED) {
		array = json_array();
		for (unsigned i = 0; i < answer->repair_count; i++)
			json_array_append_new(array, json_string(answer->repairs[i]));
		json_object_set_new(object, "repair", array);
	}
	json_print_line(&text, object);
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
}

/* ---- the answer as a picture ---------------------------------------------------------------- */

static bool is_standard_output(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

static int write_picture(const struct command *command, const struct kernel_file *file,
                         const struct oclmm_kernel_answer *answer, const char *path,
                         int (*draw)(struct oclmm_text *text,
                                     const struct oclmm_kernel_answer *answer))
{
	struct oclmm_text text = {0};
	int status = 0;

	if (!path)
		return 0;
	if (draw(&text, answer) < 0) {
		fprintf(stderr,
		        "oclmm: %s: there is no execution to draw: nothing is undefined, nobody "
		        "waits for ever, and no ask holds in some ends alone\n",
		        oclmm_shown(file->path).text);
		status = OCLMM_EXIT_NOTHING;
	} else {
		status = command_write(command, is_standard_output(path) ? NULL : path, &text);
	}
	oclmm_text_finish(&text);
	return status;
}

static int status_of(const struct oclmm_kernel_answer *answer)
{
	return answer->verdict == OCLMM_KERNEL_UNREAD       ? OCLMM_EXIT_USAGE
	       : answer->verdict == OCLMM_KERNEL_UNFINISHED ? OCLMM_EXIT_INFRASTRUCTURE
	                                                    : 0;
}

int kernel_check(const struct command *command, const char *path,
                 const struct kernel_options *options, double seconds, bool quiet)
{
	struct kernel_file file;
	struct oclmm_kernel_answer *answer = NULL;
	int status = kernel_file_read(&file, path, options);

	if (status == 0)
		status = check_file(&file, seconds, &answer);
	if (answer) {
		bool drawn = is_standard_output(options->dot) || is_standard_output(options->svg);

		status = status_of(answer);
		if (options->json)
			print_json(&file, answer);
		if (status || !(quiet || drawn || options->json))
			fputs(answer->text, status ? stderr : stdout);
		if (status == 0)
			status = write_picture(command, &file, answer, options->dot,
			                       oclmm_kernel_dot);
		if (status == 0)
			status = write_picture(command, &file, answer, options->svg,
			                       oclmm_kernel_svg);
		oclmm_kernel_answer_destroy(answer);
	}
	kernel_file_finish(&file);
	return status;
}
