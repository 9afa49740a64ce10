// SPDX-License-Identifier: Apache-2.0
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "help/help.h"
#include "oclmm/grade.h"
#include "platform/system.h"
#include "process/process.h"

static const struct command *const commands[] = {
	&command_audit,   &command_baseline, &command_check,      &command_compare,
	&command_devices, &command_explain,  &command_export,     &command_generate,
	&command_grade,   &command_idiom,    &command_list,       &command_merge,
	&command_new,     &command_planted,  &command_playground, &command_report,
	&command_run,     &command_show,     &command_shrink,     &command_tune,
};

static const struct help_commands table = {.commands = commands, .count = OCLMM_COUNT(commands)};

static void print_help(FILE *stream)
{
	fputs("usage: oclmm COMMAND [OPTION…] [ARGUMENT…]\n\n"
	      "Litmus tests for the OpenCL memory model: an oracle that says which outcomes\n"
	      "are allowed, and a runner that looks for the others on a device.\n\n"
	      "commands:\n",
	      stream);
	for (size_t i = 0; i < OCLMM_COUNT(commands); i++)
		fprintf(stream, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n"
	      "oclmm COMMAND --help  says more about one of them\n"
	      "oclmm --version       prints the version\n"
	      "oclmm --man           prints the manual page\n"
	      "oclmm --completion bash, fish or zsh: what a shell needs to complete all this\n",
	      stream);
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < OCLMM_COUNT(commands); i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	}
	return NULL;
}

/* By its number, of a digit. */
static process_service *find_service(const char *number)
{
	size_t count = 0;

	while (process_services && process_services[count])
		count++;
	return *number >= '0' && (size_t)(*number - '0') < count && !number[1]
	               ? process_services[*number - '0']
	               : NULL;
}

static int refuse_command(const char *name)
{
	const char *names[OCLMM_COUNT(commands)];

	for (size_t i = 0; i < OCLMM_COUNT(commands); i++)
		names[i] = commands[i]->name;
	fprintf(stderr, "oclmm: unknown command \"%s\"%s\n", oclmm_shown(name).text,
	        suggest(name, names, OCLMM_COUNT(names), "see oclmm --help").text);
	return OCLMM_EXIT_USAGE;
}

/* What was printed must have arrived: a full disk is not a pass. Nor does it hide a failure. */
static int flush_output(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	perror("oclmm: cannot write to standard output");
	return status == OCLMM_EXIT_FORBIDDEN || status == OCLMM_EXIT_USAGE
	               ? status
	               : OCLMM_EXIT_INFRASTRUCTURE;
}

/* What is done so far is on disk: results are written line by line. Where several threads run out
 * of memory at once one of them says it, and the others wait for the end. */
static void leave_without_memory(void)
{
	static const char message[] = "oclmm: out of memory\n";
	static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&once);
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(OCLMM_EXIT_INFRASTRUCTURE);
	_exit(OCLMM_EXIT_INFRASTRUCTURE);
}

int main(int argc, char **argv)
{
	const struct command *command;
	process_service *service;
	const char *word = argc > 1 ? argv[1] : "";
	int status, socket;

	oclmm_begin_program(argc, argv);
	process_keep_streams();
	connect_devices();
	/* a file that may not grow is a disk that is full, and told as that */
	signal(SIGXFSZ, SIG_IGN);
	oclmm_on_no_memory(leave_without_memory);
	/* for the messages of the C library only: numbers are read and printed in the C locale */
	setlocale(LC_MESSAGES, "");
	if (argc < 2) {
		print_help(stderr);
		return OCLMM_EXIT_USAGE;
	}
	if (strcmp(word, "--version") == 0) {
		printf("oclmm %s\n", OCLMM_VERSION);
		return flush_output(0);
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
	    (strcmp(word, "help") == 0 && argc == 2)) {
		print_help(stdout);
		return flush_output(0);
	}
	if (strcmp(word, "--man") == 0 || strcmp(word, "--completion") == 0 ||
	    strcmp(word, "--complete") == 0)
		return flush_output(help_print(argc, argv, &table));
	if (strcmp(word, "help") == 0) {
		command = find_command(argv[2]);
		if (!command)
			return refuse_command(argv[2]);
		options_help(command);
		return flush_output(0);
	}
	if (strcmp(word, PROCESS_CHILD) == 0 && argc == 3 && (service = find_service(argv[2])) &&
	    (socket = oclmm_inherited_socket()) >= 0) {
		service(socket);
		return 0;
	}
	command = find_command(word);
	if (!command)
		return refuse_command(word);
	process_end_by_interrupts(command->name);
	status = command->run(command, argc - 1, argv + 1);
	return flush_output(status == OPTIONS_HELP ? 0 : status);
}
