// SPDX-License-Identifier: Apache-2.0
/*
 * A program of the machine as a filter. What goes in and comes out stands in
 * files without a name, which are gone with whoever has them open.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/process.h"

/* No kernel of ours takes a compiler so long. */
static const double LIMIT = 30;
static const double SLICE = 0.002;

struct tool {
	const char *const *arguments;
	int input, output;
};

char *tool_find(const char *name)
{
	const char *path = getenv("PATH");
	struct oclmm_text text;

	for (const char *at = path ? path : ""; *at; at += *at == ':') {
		int length = (int)strcspn(at, ":");
		struct stat info;

		oclmm_text_init(&text);
		oclmm_text_printf(&text, "%.*s/%s", length, at, name);
		at += length;
		if (length > 0 && stat(oclmm_text_string(&text), &info) == 0 &&
		    S_ISREG(info.st_mode) && access(oclmm_text_string(&text), X_OK) == 0)
			return oclmm_text_steal(&text);
		oclmm_text_finish(&text);
	}
	return NULL;
}

static void be_tool(void *data, int socket)
{
	const struct tool *tool = data;

	(void)socket;
	dup2(tool->input, STDIN_FILENO);
	dup2(tool->output, STDOUT_FILENO);
	execv(tool->arguments[0], (char *const *)tool->arguments);
	fprintf(stderr, "error: cannot execute it: %s\n", strerror(errno));
	_exit(127);
}

/* The line that speaks of an error, else the first one. */
static int complain(const struct tool *tool, struct process *process, bool late,
                    struct oclmm_error *error)
{
	const char *name = strrchr(tool->arguments[0], '/') + 1, *line;
	char *said = process_said(process);
	int r = -EBADMSG;

	line = said ? strstr(said, "error") : NULL;
	while (line && line > said && line[-1] != '\n')
		line--;
	if (!line)
		line = said ? said : "";
	if (late)
		oclmm_error_set(error, r, "%s does not end", name);
	else if (*line)
		oclmm_error_set(error, r, "%s: %.*s", name, (int)strcspn(line, "\n"), line);
	else
		oclmm_error_set(error, r, "%s fails and says nothing", name);
	free(said);
	return r;
}

/* Waits for it and hears it, lest it waits for somebody who listens. */
static int watch(const struct tool *tool, struct process *process, struct oclmm_error *error)
{
	double deadline = oclmm_clock() + LIMIT;
	bool late = false;
	int r = 0;

	while (!process_is_gone(process) && !late) {
		process_hear(process, SLICE);
		late = process_interrupted || oclmm_clock() > deadline;
	}
	if (late || !WIFEXITED(process->status) || WEXITSTATUS(process->status) != 0)
		r = complain(tool, process, late, error);
	return r;
}

static int run_between(const struct tool *tool, struct oclmm_error *error)
{
	const struct process_job job = {.run = be_tool, .data = (void *)tool, .heard = true};
	struct process process;
	int r = process_start(&job, &process);

	if (r < 0)
		return oclmm_error_set(error, -EBADMSG, "cannot start %s: %s", tool->arguments[0],
		                       strerror(-r));
	r = watch(tool, &process, error);
	process_finish(&process);
	return r;
}

static int write_all(int file, const struct oclmm_text *text)
{
	size_t done = 0;

	while (done < text->length) {
		ssize_t size = write(file, text->data + done, text->length - done);

		if (size < 0 && errno != EINTR)
			return -errno;
		done += size > 0 ? (size_t)size : 0;
	}
	return lseek(file, 0, SEEK_SET) < 0 ? -errno : 0;
}

static int read_all(int file, struct oclmm_text *text)
{
	char bytes[1 << 14];
	ssize_t size;

	if (lseek(file, 0, SEEK_SET) < 0)
		return -errno;
	while ((size = read(file, bytes, sizeof(bytes))) != 0) {
		if (size > 0)
			oclmm_text_add_bytes(text, bytes, (size_t)size);
		else if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static int transfer(const struct tool *tool, const struct oclmm_text *input,
                    struct oclmm_error *error, struct oclmm_text *output)
{
	int r = tool->input < 0 || tool->output < 0 ? -errno : write_all(tool->input, input);

	if (r < 0)
		return oclmm_error_set(error, -EBADMSG, "no file for %s: %s", tool->arguments[0],
		                       strerror(-r));
	r = run_between(tool, error);
	if (r == 0 && (r = read_all(tool->output, output)) < 0)
		r = oclmm_error_set(error, -EBADMSG, "cannot read what %s wrote: %s",
		                    tool->arguments[0], strerror(-r));
	return r;
}

int tool_run(const char *const *arguments, const struct oclmm_text *input,
             struct oclmm_error *error, struct oclmm_text *ret_output)
{
	const struct tool tool = {
		.arguments = arguments,
		.input = memfd_create("oclmm input", MFD_CLOEXEC),
		.output = memfd_create("oclmm output", MFD_CLOEXEC),
	};
	struct oclmm_text output;
	int r;

	oclmm_text_init(&output);
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
