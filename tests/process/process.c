// SPDX-License-Identifier: Apache-2.0
/* Children that crash, hang, are asked to go: each ends, and is told of. */

#include "../fixture/test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

TEST(a_child_speaks_and_goes)
{
	struct process process = start(hello, NULL);

	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	assert_int_equal(await(&process, PATIENCE), PROCESS_GONE);
	process_stop(&process, PATIENCE);
	assert_int_equal(process.pid, 0);
	assert_true(WIFEXITED(process.status) && WEXITSTATUS(process.status) == 0);
	assert_null(process_said(&process));
	process_finish(&process);
}

static void crash(void *data, int socket)
{
	(void)data;
	say_hello(socket);
	fputs("the reason\n", stderr);
	signal(SIGSEGV, SIG_DFL); /* not a sanitizer's */
	raise(SIGSEGV);
}

TEST(a_crash_is_told)
{
	struct process process = start(crash, NULL);
	char message[256], *said;

	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	assert_int_equal(await(&process, PATIENCE), PROCESS_GONE);
	process_stop(&process, PATIENCE);
	assert_true(WIFSIGNALED(process.status) && WTERMSIG(process.status) == SIGSEGV);
	said = process_said(&process);
	/* an emulator of processors has words of its own for a crash */
	assert_int_equal(strncmp(said, "the reason\n", strlen("the reason\n")), 0);
	free(said);
	process_describe(process.status, "while it ran", message, sizeof(message));
	assert_non_null(strstr(message, "by signal 11"));
	assert_non_null(strstr(message, "while it ran"));
	process_finish(&process);
}

static void leave(void *data, int socket)
{
	(void)socket;
	_exit(*(int *)data);
}

TEST(statuses_have_words)
{
	char message[256];
	int status = 3;
	struct process process = start(leave, &status);

	assert_int_equal(await(&process, PATIENCE), PROCESS_GONE);
	process_stop(&process, PATIENCE);
	process_describe(process.status, "too soon", message, sizeof(message));
	assert_non_null(strstr(message, "with status 3, too soon"));
	process_finish(&process);
	process_describe(-1, "stuck", message, sizeof(message));
	assert_non_null(strstr(message, "status -1, stuck"));
}

/* A parent that once ignored the ends of its children is told of this one. */
TEST(the_status_is_not_lost)
{
	int status = 7;
	struct process process;

	signal(SIGCHLD, SIG_IGN);
	process = start(leave, &status);
	process_stop(&process, PATIENCE);
	assert_true(WIFEXITED(process.status) && WEXITSTATUS(process.status) == 7);
	process_finish(&process);
}

static void spin(void *data, int socket)
{
	(void)data;
	(void)socket;
	for (;;)
		;
}

/* One that sleeps uses no processor time, and one that spins does, as far as the system tells. */
TEST(what_it_uses_is_told)
{
	struct process sleeper = start(hang, NULL), spinner = start(spin, NULL);
	double until = oclmm_clock() + PATIENCE;

	assert_int_equal(await(&sleeper, PATIENCE), PROCESS_FRAME);
	assert_true(process_used(&sleeper).memory > 0);
	while (process_used(&spinner).processor < 0.2 && oclmm_clock() < until)
		process_nap(0.01);
	assert_true(process_used(&spinner).processor >= 0.2);
	assert_true(process_used(&sleeper).processor >= 0);
	assert_true(process_used(&sleeper).processor < 0.1);
	process_stop(&spinner, 0);
	assert_true(process_used(&spinner).processor < 0);
	assert_int_equal(process_used(&spinner).memory, 0);
	process_finish(&spinner);
	process_stop(&sleeper, 0);
	process_finish(&sleeper);
}

TEST(a_hang_is_killed_at_its_limit)
{
	struct process process = start(hang, NULL);

	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	assert_int_equal(await(&process, 0.01), PROCESS_SILENT);
	assert_false(process_is_gone(&process));
	process_stop(&process, 0);
	assert_int_equal(process.pid, 0);
	assert_true(WIFSIGNALED(process.status) && WTERMSIG(process.status) == SIGKILL);
	/* nobody is there to be signalled: not the program itself either */
	process_signal(&process, SIGKILL);
	process_finish(&process);
}

static void read_to_the_end(void *data, int socket)
{
	struct wire_input input = {0};
	struct wire_reader reader;
	uint32_t kind;

	(void)data;
	if (wire_wait(&input, socket, KINDS, &kind, &reader) != 0)
		_exit(1);
}

/* Another child, forked meanwhile, has a copy of the socket: the first is told to go all the same.
 */
TEST(asked_to_go_it_goes)
{
	struct process first = start(read_to_the_end, NULL), second = start(hang, NULL);

	assert_int_equal(await(&second, PATIENCE), PROCESS_FRAME);
	process_stop(&first, PATIENCE);
	assert_true(WIFEXITED(first.status) && WEXITSTATUS(first.status) == 0);
	process_finish(&second);
	process_finish(&first);
}

/* Says the number of a child of its own, which outlives it. */
static void leave_a_child(void *data, int socket)
{
	pid_t child = fork();

	(void)data;
	if (child == 0)
		wait_for_ever();
	if (write(socket, &child, sizeof(child)) != sizeof(child))
		_exit(1);
}

static pid_t child_left_by(bool leads, struct process *process)
{
	const struct process_job job = {.run = leave_a_child, .talks = true, .leads = leads};
	pid_t child = 0;

	assert_int_equal(process_start(&job, process), 0);
	assert_int_equal(read(process->socket, &child, sizeof(child)), sizeof(child));
	process_stop(process, PATIENCE);
	assert_true(child > 0 && kill(child, 0) == 0);
	return child;
}

/* Killed, though perhaps not yet waited for by whoever has inherited it. */
static bool is_dead(pid_t child)
{
	char path[48], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)child);
	file = fopen(path, "re");
	if (!file)
		return true;
	if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 'X';
	fclose(file);
	return state == 'Z' || state == 'X';
}

TEST(a_group_ends_with_its_leader)
{
	struct process process;
	pid_t child = child_left_by(true, &process);
	double deadline = oclmm_clock() + PATIENCE;

	process_finish(&process);
	while (!is_dead(child) && oclmm_clock() < deadline)
		process_nap(0.001);
	assert_true(is_dead(child));
	/* whoever leads none leaves what it has started */
	child = child_left_by(false, &process);
	process_finish(&process);
	assert_false(is_dead(child));
	kill(child, SIGKILL);
}

/* Leaves with the number of files that are open beside its standard streams and the socket. */
static void count_files(void *data, int socket)
{
	int count = 0;

	(void)data;
	for (int file = STDERR_FILENO + 1; file < 256; file++)
		count += file != socket && fcntl(file, F_GETFD) >= 0;
	_exit(count);
}

static int files_of_child(bool talks)
{
	const struct process_job job = {.run = count_files, .talks = talks};
	struct process process;
	int status;

	assert_int_equal(process_start(&job, &process), 0);
	process_stop(&process, PATIENCE);
	assert_true(WIFEXITED(process.status));
	status = WEXITSTATUS(process.status);
	process_finish(&process);
	return status;
}

TEST(a_child_has_none_of_our_files)
{
	int files[] = {open("/dev/null", O_WRONLY), open("/dev/null", O_WRONLY | O_CLOEXEC), -1};

	/* behind the socket, too */
	files[2] = fcntl(files[0], F_DUPFD, 100);
	assert_true(files[2] >= 100);
	assert_int_equal(files_of_child(true), 0);
	assert_int_equal(files_of_child(false), 0);
	for (size_t i = 0; i < OCLMM_COUNT(files); i++)
		close(files[i]);
}
