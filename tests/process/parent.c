// SPDX-License-Identifier: Apache-2.0
/* Children outlive nobody; signals, full tables of files and closed streams disturb no parent. */

#include "../fixture/test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

/* ---- the parent ---- */

static void hold(void *data, int socket)
{
	(void)data;
	say_hello(socket);
	wait_for_ever();
}

/* A child with a child of its own, both of which hold `life`; it dies without a word. */
static void die_as_parent(void *data, int socket)
{
	struct process process = start(hold, NULL);

	(void)data;
	(void)socket;
	if (await(&process, PATIENCE) != PROCESS_FRAME)
		_exit(1);
	kill(getpid(), SIGKILL);
}

TEST(a_child_ends_with_its_parent)
{
	struct pollfd wait = {.events = POLLIN};
	struct process process;
	int life[2];

	assert_int_equal(pipe(life), 0);
	process = start(die_as_parent, NULL);
	close(life[1]);
	assert_int_equal(await(&process, PATIENCE), PROCESS_GONE);
	process_stop(&process, PATIENCE);
	assert_true(WIFSIGNALED(process.status) && WTERMSIG(process.status) == SIGKILL);
	/* the end of the pipe is the end of the last one that had it open */
	wait.fd = life[0];
	assert_int_equal(poll(&wait, 1, (int)PATIENCE * 1000), 1);
	assert_true((wait.revents & POLLHUP) != 0);
	close(life[0]);
	process_finish(&process);
}

static void tell_ends(void *data, int socket)
{
	(void)data;
	for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
		if (fcntl(file, F_GETFD) < 0)
			_exit(1);
	if (socket <= STDERR_FILENO)
		_exit(2);
	printf("printed");
	fflush(stdout);
	say_hello(socket);
}

/* Were the standard streams closed, a socket could take their numbers, and be written over. */
TEST(closed_descriptors_do_no_harm)
{
	int saved[3];
	struct process process;
	char *said;

	for (int file = 0; file < 3; file++) {
		saved[file] = fcntl(file, F_DUPFD_CLOEXEC, 10);
		close(file);
	}
	process = start(tell_ends, NULL);
	for (int file = 0; file < 3; file++) {
		dup2(saved[file], file);
		close(saved[file]);
	}
	assert_true(process.socket > STDERR_FILENO && process.output > STDERR_FILENO);
	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	said = process_said(&process);
	assert_string_equal(said, "printed");
	free(said);
	process_finish(&process);
}

/* Without files to open there is no child, and nothing stays open. */
TEST(without_descriptors_there_is_no_child)
{
	const struct process_job job = {.run = hello, .talks = true, .heard = true};
	struct process process;
	struct rlimit before, few;
	int files[64], count = 0;

	getrlimit(RLIMIT_NOFILE, &before);
	few = before;
	few.rlim_cur = OCLMM_COUNT(files);
	setrlimit(RLIMIT_NOFILE, &few);
	while ((files[count] = open("/dev/null", O_RDONLY)) >= 0)
		count++;
	/* a socket can be had, a pipe besides not */
	for (int spare = 0; spare < 3; spare++)
		close(files[--count]);
	for (int i = 0; i < 10; i++)
		assert_int_equal(process_start(&job, &process), -EMFILE);
	while (count > 0)
		close(files[--count]);
	setrlimit(RLIMIT_NOFILE, &before);
	process = start(hello, NULL);
	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	process_finish(&process);
}

/* ---- signals ---- */

static void on_signal(int number)
{
	(void)number;
}

struct disturber {
	pthread_t victim;
	pthread_t thread;
	volatile bool over;
};

static void *disturb(void *data)
{
	struct disturber *disturber = data;

	while (!disturber->over) {
		pthread_kill(disturber->victim, SIGUSR1);
		process_nap(0.0005);
	}
	return NULL;
}

static void echo_many(void *data, int socket)
{
	struct wire_input input = {0};
	struct wire_reader reader;
	uint32_t kind;

	(void)data;
	while (wire_wait(&input, socket, KINDS, &kind, &reader) > 0)
		say_hello(socket);
}

/* Calls that a signal interrupts are begun again, without SA_RESTART. */
TEST(signals_do_not_disturb)
{
	const struct sigaction action = {.sa_handler = on_signal};
	struct disturber disturber = {.victim = pthread_self()};
	struct process process = start(echo_many, NULL);
	struct oclmm_text text = {0};
	char *bytes = oclmm_calloc(1 << 20, 1);

	oclmm_text_add_bytes(&text, bytes, 1 << 20);
	sigaction(SIGUSR1, &action, NULL);
	assert_int_equal(pthread_create(&disturber.thread, NULL, disturb, &disturber), 0);
	for (int i = 0; i < 50; i++) {
		assert_int_equal(wire_send(process.socket, HELLO, &text), 0);
		assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	}
	process_stop(&process, PATIENCE);
	disturber.over = true;
	pthread_join(disturber.thread, NULL);
	assert_true(WIFEXITED(process.status) && WEXITSTATUS(process.status) == 0);
	oclmm_text_finish(&text);
	free(bytes);
	process_finish(&process);
}

/* What a child leaves with on a machine that is too busy for "at once", which is half a second. */
enum { LATE = 5, LATE_MOST = 100 };

/* The whole process group gets it, as from a terminal: the child lives, and the wait for it ends.
 */
static void an_interruption_ends_the_wait(void *data, int socket)
{
	int number = *(int *)data;
	struct process process;
	double began;

	setpgid(0, 0);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	process_catch_interrupts();
	process = start(hang, NULL);
	if (await(&process, PATIENCE) != PROCESS_FRAME)
		_exit(1);
	began = oclmm_clock();
	kill(0, number);
	if (await(&process, PATIENCE) != PROCESS_INTERRUPTED || process_interrupted != number)
		_exit(2);
	if (process_is_gone(&process))
		_exit(3);
	process_finish(&process);
	say_hello(socket);
	/* one that follows at once is the same, sent to the group and to the process */
	if (oclmm_clock() - began > 0.4)
		_exit(LATE);
	kill(getpid(), number);
	say_hello(socket);
	/* a second one kills, unless a terminal hangs up twice */
	process_nap(0.7);
	kill(getpid(), number);
	_exit(4);
}

TEST(the_second_interruption_kills)
{
	static const struct {
		int number;
		bool again; /* it may come more than once */
	} cases[] = {{SIGINT, false}, {SIGTERM, false}, {SIGHUP, true}};

	for (size_t i = 0, late = 0; i < OCLMM_COUNT(cases);) {
		int number = cases[i].number;
		struct process process = start(an_interruption_ends_the_wait, &number);
		enum process_news news;

		assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
		news = await(&process, PATIENCE);
		if (news == PROCESS_FRAME)
			news = await(&process, PATIENCE);
		assert_int_equal(news, PROCESS_GONE);
		process_stop(&process, PATIENCE);
		if (WIFEXITED(process.status) && WEXITSTATUS(process.status) == LATE) {
			process_finish(&process);
			assert_true(++late < LATE_MOST);
			continue;
		}
		if (cases[i++].again)
			assert_true(WIFEXITED(process.status) && WEXITSTATUS(process.status) == 4);
		else
			assert_true(WIFSIGNALED(process.status) &&
			            WTERMSIG(process.status) == number);
		process_finish(&process);
	}
}

static void be_detached(void *data, int socket)
{
	(void)data;
	signal(SIGHUP, SIG_IGN);
	process_catch_interrupts();
	kill(getpid(), SIGHUP);
	if (process_interrupted)
		_exit(1);
	say_hello(socket);
}

TEST(nohup_is_respected)
{
	struct process process = start(be_detached, NULL);

	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	process_finish(&process);
}
