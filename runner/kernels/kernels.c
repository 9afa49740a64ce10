// SPDX-License-Identifier: Apache-2.0
/* Whole kernels: from a `.cl` file to the oracle's answer. */
#include "kernels.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
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
static void lay_over(struct oclmm_kernel_setup *setup, const struct oclmm_kernel_setup *given)
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
	for (unsigned i = 0; i < given->argument_count; i++) {
		size_t length = strcspn(given->arguments[i], "=") + 1;
		unsigned at = 0;

		while (at < merged.argument_count &&
		       strncmp(merged.arguments[at], given->arguments[i], length) != 0)
			at++;
		if (at == OCLMM_KERNEL_MAX_ARGUMENTS)
			break;
		merged.arguments[at] = given->arguments[i];
		if (at == merged.argument_count)
			merged.argument_count++;
	}
	if (given->ask_count) {
		memcpy(merged.asks, given->asks, sizeof(merged.asks));
		merged.ask_count = given->ask_count;
	}
	*setup = merged;
}

static int refuse(const struct oclmm_error *error, int status)
{
	report_error(error);
	return status;
}

int kernel_file_read(struct kernel_file *file, const char *path,
                     const struct kernel_options *options)
{
	struct oclmm_error error = {0};
	size_t length;

	*file = (struct kernel_file){.path = path, .arena = oclmm_arena_create()};
	if (oclmm_read_text(path, &error, &file->text, &length) < 0 ||
	    oclmm_kernel_head(file->arena, path, file->text, &file->setup, &file->compile, &error) <
	            0)
		return refuse(&error, OCLMM_EXIT_USAGE);
	lay_over(&file->setup, &options->setup);
	if (options->compile)
		oclmm_text_printf(&file->compile, " %s", options->compile);
	file->setup.explain = options->explains;
	file->setup.memory = MEMORY_MOST;
	return 0;
}

void kernel_file_finish(struct kernel_file *file)
{
	free(file->text);
	oclmm_text_finish(&file->compile);
	oclmm_arena_destroy(file->arena);
}

/* The module that the compiler makes of the text. */
static int compile(const struct kernel_file *file, struct oclmm_text *module)
{
	struct oclmm_text source = {0}, options = {0};
	struct oclmm_error error = {0};
	struct producer *producer = NULL;
	const char *slash = strrchr(file->path, '/');
	int r = producer_find(NULL, &error, &producer);

	if (r < 0)
		return refuse(&error, OCLMM_EXIT_NOTHING);
	producer_limit(producer, TOOL_SECONDS);
	oclmm_kernel_source(&source, file->path, file->text);
	if (!strstr(oclmm_text_string(&file->compile), "-cl-std"))
		oclmm_text_add(&options, "-cl-std=CL3.0 ");
	/* drivers take an inline function for one that is there, as GNU C does */
	oclmm_text_add(&options, "-fgnu89-inline ");
	if (slash)
		oclmm_text_printf(&options, "-I%.*s ", (int)(slash - file->path), file->path);
	oclmm_text_add(&options, oclmm_text_string(&file->compile));
	r = producer_translate_lines(producer, oclmm_text_string(&options),
	                             oclmm_text_string(&source), &error, module);
	oclmm_text_finish(&source);
	oclmm_text_finish(&options);
	producer_destroy(producer);
	return r < 0 ? refuse(&error, OCLMM_EXIT_USAGE) : 0;
}

int kernel_file_check(struct kernel_file *file, double seconds,
                      struct oclmm_kernel_answer **ret_answer)
{
	struct oclmm_text module = {0};
	struct oclmm_error error = {0};
	int status = compile(file, &module);

	file->setup.seconds = seconds;
	if (status == 0 && oclmm_kernel_check(file->path, module.data, module.length, &file->setup,
	                                      &error, ret_answer) < 0)
		status = refuse(&error, OCLMM_EXIT_USAGE);
	oclmm_text_finish(&module);
	return status;
}

static int status_of(const struct oclmm_kernel_answer *answer)
{
	return answer->verdict == OCLMM_KERNEL_UNREAD       ? OCLMM_EXIT_USAGE
	       : answer->verdict == OCLMM_KERNEL_UNFINISHED ? OCLMM_EXIT_INFRASTRUCTURE
	                                                    : 0;
}

int kernel_check(const char *path, const struct kernel_options *options, double seconds, bool quiet)
{
	struct kernel_file file;
	struct oclmm_kernel_answer *answer = NULL;
	int status = kernel_file_read(&file, path, options);

	if (status == 0)
		status = kernel_file_check(&file, seconds, &answer);
	if (answer) {
		status = status_of(answer);
		if (status || !quiet)
			fputs(answer->text, status ? stderr : stdout);
		oclmm_kernel_answer_destroy(answer);
	}
	kernel_file_finish(&file);
	return status;
}
