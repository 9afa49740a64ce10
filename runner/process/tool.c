// SPDX-License-Identifier: Apache-2.0
/*
 * Programs of the machine as filters. Input and output are files without a name, which are gone
 * with whoever has them open.
 */
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/system.h"
#include "process.h"

/* No module of ours is as large. It stands in memory, which is the run's. */
enum { OUTPUT_MOST = 64 << 20 };
static const double SLICE = 0.002;

struct tool {
	const char *const *arguments;
	struct tool_patience *patience;
	int input, output;
};

static const char *name_of(const struct tool *tool)
{
	return strrchr(tool->arguments[0], '/') + 1;
}

/* Takes the word. */
static void take_word(struct tool_words *words, const char *word)
{
	oclmm_grow(&words->argument, &words->capacity, words->count + 1, sizeof(*words->argument));
	words->argument[words->count++] = word;
	words->argument[words->count] = NULL;
}

void tool_word(struct tool_words *words, const char *word)
{
	take_word(words, oclmm_strdup(word));
}

void tool_quoted_words(struct tool_words *words, const char *quoted)
{
	char *word;

	while ((word = oclmm_quoted_word(&quoted)))
		take_word(words, word);
}

void tool_words_finish(struct tool_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free((char *)words->argument[i]);
	free(words->argument);
	*words = (struct tool_words){0};
}

char *tool_temporary(const char *purpose)
{
	struct oclmm_text path = {0};

	oclmm_text_printf(&path, "%s/oclmm-%s-XXXXXX", oclmm_temporary_folder(), purpose);
	return oclmm_text_steal(&path);
}

/* The line that speaks of an error, else the first one. */
static int complain(const struct tool *tool, struct process *process, struct oclmm_error *error)
{
	char *said = process_said(process);
	const char *line = said ? strstr(said, "error") : NULL;

	while (line && line > said && line[-1] != '\n')
		line--;
	if (!line)
		line = said ? said : "";
	if (*line)
		oclmm_error_set(error, -EBADMSG, "%s: %.*s", name_of(tool),
		                (int)strcspn(line, "\n"), line);
	else
		oclmm_error_set(error, -EBADMSG, "%s fails and says nothing", name_of(tool));
	free(said);
	return -EBADMSG;
}

static bool is_full(const struct tool *tool)
{
	struct stat info;

	return fstat(tool->output, &info) == 0 && info.st_size >= OUTPUT_MOST;
}

/* Waits for it and hears it, lest it waits for somebody who listens. */
static int watch(const struct tool *tool, struct process *process, struct oclmm_error *error)
{
	double deadline = oclmm_clock() + tool->patience->seconds;
	bool late = false;

	while (!process_is_gone(process) && !late && !process_interrupted) {
		process_hear(process, SLICE);
		late = oclmm_clock() > deadline;
	}
	if (process_interrupted)
		return oclmm_error_set(error, -EINTR, "%s was interrupted", name_of(tool));
	if (late)
		tool->patience->late++;
	if (late)
		return oclmm_error_set(error, -EBADMSG, "%s does not end", name_of(tool));
	if (is_full(tool))
		return oclmm_error_set(error, -EBADMSG, "%s writes more than %d MiB", name_of(tool),
		                       OUTPUT_MOST >> 20);
	if (!WIFEXITED(process->status) || WEXITSTATUS(process->status) != 0)
		return complain(tool, process, error);
	return 0;
}

static int run_between(const struct tool *tool, struct oclmm_error *error)
{
	const struct process_files files = {tool->input, tool->output, OUTPUT_MOST};
	const struct process_job job = {
		.arguments = tool->arguments, .files = &files, .heard = true, .leads = true};
	struct process process;
	int r;

	if (tool->patience->late >= TOOL_LATE_MOST)
		return oclmm_error_set(error, -EBADMSG,
		                       "%s is not started: %d tools did not end before",
		                       name_of(tool), TOOL_LATE_MOST);
	r = process_start(&job, &process);
	if (r < 0)
		return oclmm_error_set(error, -EBADMSG, "cannot start %s: %s", tool->arguments[0],
		                       strerror(-r));
	r = watch(tool, &process, error);
	process_finish(&process);
	return r;
}

/* By way of files in memory. */
static int transfer(const struct tool *tool, const struct oclmm_text *input,
                    struct oclmm_error *error, struct oclmm_text *output)
{
	int r = tool->input < 0 || tool->output < 0
	                ? -errno
	                : oclmm_write_rest(tool->input, input->data, input->length);

	if (r < 0)
		return oclmm_error_set(error, -EBADMSG, "no file for %s: %s", tool->arguments[0],
		                       strerror(-r));
	lseek(tool->input, 0, SEEK_SET);
	r = run_between(tool, error);
	lseek(tool->output, 0, SEEK_SET);
	if (r == 0 && (r = oclmm_read_rest(tool->output, output)) < 0)
		r = oclmm_error_set(error, -EBADMSG, "cannot read what %s wrote: %s",
		                    tool->arguments[0], strerror(-r));
	return r;
}

int tool_run(const char *const *arguments, struct tool_patience *patience,
             const struct oclmm_text *input, struct oclmm_error *error,
             struct oclmm_text *ret_output)
{
	const struct tool tool = {
		.arguments = arguments,
		.patience = patience,
		.input = memfd_create("oclmm input", MFD_CLOEXEC),
		.output = memfd_create("oclmm output", MFD_CLOEXEC),
	};
	struct oclmm_text output = {0};
	int r;

	r = transfer(&tool, input, error, &output);
	if (tool.input >= 0)
		close(tool.input);
	if (tool.output >= 0)
		close(tool.output);
	if (r < 0)
		oclmm_text_finish(&output);
	else
		*ret_output = output;
	return r;
}
