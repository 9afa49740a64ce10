// SPDX-License-Identifier: Apache-2.0
/* Children that crash, hang, flood, die early, outlive nobody: each ends, and is told of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/process.h"

/* Longer than anything here takes on the slowest machine. */
static const double PATIENCE = 120;

enum { HELLO = 1, KINDS = HELLO };

static struct process start(void (*run)(void *data, int socket), void *data)
{
	const struct process_job job = {.run = run, .data = data, .talks = true, .heard = true};
	struct process process;

	assert_int_equal(process_start(&job, &process), 0);
	assert_true(process.pid > 0);
	return process;
}

static enum process_news await(struct process *process, double seconds)
{
	struct wire_reader reader;
	uint32_t kind;

	return process_await(process, KINDS, oclmm_clock() + seconds, &kind, &reader);
}

static void say_hello(int socket)
{
	if (wire_send(socket, HELLO, NULL) < 0)
		_exit(1);
}

static void wait_for_ever(void)
{
	for (;;)
		pause();
}

/* ---- ends ---- */

static void hello(void *data, int socket)
{
	(void)data;
	say_hello(socket);
}

static void a_child_speaks_and_goes(void **state)
{
	struct process process = start(hello, NULL);

	(void)state;
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

static void a_crash_is_told(void **state)
{
	struct process process = start(crash, NULL);
	char message[256], *said;

	(void)state;
	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	assert_int_equal(await(&process, PATIENCE), PROCESS_GONE);
	process_stop(&process, PATIENCE);
	assert_true(WIFSIGNALED(process.status) && WTERMSIG(process.status) == SIGSEGV);
	said = process_said(&process);
	assert_string_equal(said, "the reason\n");
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

static void statuses_have_words(void **state)
{
	char message[256];
	int status = 3;
	struct process process = start(leave, &status);

	(void)state;
	assert_int_equal(await(&process, PATIENCE), PROCESS_GONE);
	process_stop(&process, PATIENCE);
	process_describe(process.status, "too soon", message, sizeof(message));
	assert_non_null(strstr(message, "with status 3, too soon"));
	process_finish(&process);
	process_describe(-1, "stuck", message, sizeof(message));
	assert_non_null(strstr(message, "status -1, stuck"));
}

/* A parent that once ignored the ends of its children is told of this one. */
static void the_status_is_not_lost(void **state)
{
	int status = 7;
	struct process process;

	(void)state;
	signal(SIGCHLD, SIG_IGN);
	process = start(leave, &status);
	process_stop(&process, PATIENCE);
	assert_true(WIFEXITED(process.status) && WEXITSTATUS(process.status) == 7);
	process_finish(&process);
}

static void hang(void *data, int socket)
{
	(void)data;
	signal(SIGTERM, SIG_IGN);
	say_hello(socket);
	wait_for_ever();
}

static void a_hang_is_killed_at_its_limit(void **state)
{
	struct process process = start(hang, NULL);

	(void)state;
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
static void asked_to_go_it_goes(void **state)
{
	struct process first = start(read_to_the_end, NULL), second = start(hang, NULL);

	(void)state;
	assert_int_equal(await(&second, PATIENCE), PROCESS_FRAME);
	process_stop(&first, PATIENCE);
	assert_true(WIFEXITED(first.status) && WEXITSTATUS(first.status) == 0);
	process_finish(&second);
	process_finish(&first);
}

/* ---- what it says ---- */

/* Whatever is no whole frame is no frame. */
static void send_part(void *data, int socket)
{
	const uint32_t head[] = {HELLO, 100};

	(void)data;
	if (send(socket, head, sizeof(head), 0) < 0 || send(socket, "half", 4, 0) < 0)
		_exit(1);
}

static void half_a_frame_is_none(void **state)
{
	struct process process = start(send_part, NULL);

	(void)state;
	assert_int_equal(await(&process, PATIENCE), PROCESS_GONE);
	process_finish(&process);
}

static void send_garbage(void *data, int socket)
{
	uint32_t words[64];

	(void)data;
	memset(words, 0xa5, sizeof(words));
	if (send(socket, words, sizeof(words), 0) < 0)
		_exit(1);
	wait_for_ever();
}

/* One that sends what is no frame is not listened to until its limit. */
static void garbage_ends_the_talk(void **state)
{
	struct process process = start(send_garbage, NULL);

	(void)state;
	assert_int_equal(await(&process, PATIENCE), PROCESS_GONE);
	process_finish(&process);
}

/* Prints more than any pipe holds, says hello behind it, and goes on printing. */
static void flood(void *data, int socket)
{
	enum { MANY = 1 << 17 };
	bool greeted = false;

	(void)data;
	for (unsigned i = 0;; i++) {
		printf("line %u of a driver that says everything twice\n", i);
		if (!greeted && i == MANY) {
			say_hello(socket);
			greeted = true;
		}
	}
}

static void a_flood_is_neither_kept_nor_waited_for(void **state)
{
	struct process process = start(flood, NULL);
	char *said;

	(void)state;
	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	assert_int_equal(await(&process, 0.01), PROCESS_SILENT);
	process_stop(&process, 0);
	said = process_said(&process);
	assert_non_null(said);
	assert_int_equal(strlen(said), PROCESS_SAID);
	assert_non_null(strstr(said, "of a driver that says everything twice\nline "));
	free(said);
	process_forget(&process);
	assert_null(process_said(&process));
	process_finish(&process);
}

static void print_number(void *data, int socket)
{
	struct wire_input input = {0};
	struct wire_reader reader;
	uint32_t kind;

	(void)data;
	for (int i = 1; wire_wait(&input, socket, KINDS, &kind, &reader) > 0; i++) {
		printf("%d", i);
		fflush(stdout);
		say_hello(socket);
	}
}

static void each_request_is_kept_by_itself(void **state)
{
	struct process process = start(print_number, NULL);

	(void)state;
	for (int i = 1; i <= 3; i++) {
		char expected[8], *said;

		process_forget(&process);
		assert_int_equal(wire_send(process.socket, HELLO, NULL), 0);
		assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
		said = process_said(&process);
		snprintf(expected, sizeof(expected), "%d", i);
		assert_string_equal(said, expected);
		free(said);
	}
	process_finish(&process);
}

static void close_output(void *data, int socket)
{
	(void)data;
	fputs("last words", stdout);
	fflush(stdout);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	say_hello(socket);
	wait_for_ever();
}

/* A closed stream is always ready to be read: that must not look like news. */
static void closed_output_is_no_news(void **state)
{
	struct process process = start(close_output, NULL);
	char *said;

	(void)state;
	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	assert_int_equal(await(&process, 0.3), PROCESS_SILENT);
	assert_true(process.output < 0);
	said = process_said(&process);
	assert_string_equal(said, "last words");
	free(said);
	process_finish(&process);
}

static void die_at_once(void *data, int socket)
{
	(void)data;
	(void)socket;
}

/* SIGPIPE would end this test. */
static void writing_to_the_dead_is_an_error(void **state)
{
	struct process process = start(die_at_once, NULL);
	struct oclmm_text text = {0};
	char *bytes = oclmm_calloc(1 << 20, 1);
	int r = 0;

	(void)state;
	oclmm_text_add_bytes(&text, bytes, 1 << 20);
	/* it may go before, while and after this is written */
	for (int i = 0; r == 0 && i < 1000; i++)
		r = wire_send(process.socket, HELLO, &text);
	assert_true(r == -EPIPE || r == -ECONNRESET);
	assert_int_equal(await(&process, PATIENCE), PROCESS_GONE);
	oclmm_text_finish(&text);
	free(bytes);
	process_finish(&process);
}

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

static void a_child_ends_with_its_parent(void **state)
{
	struct pollfd wait = {.events = POLLIN};
	struct process process;
	int life[2];

	(void)state;
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
static void closed_descriptors_do_no_harm(void **state)
{
	int saved[3];
	struct process process;
	char *said;

	(void)state;
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
static void without_descriptors_there_is_no_child(void **state)
{
	const struct process_job job = {.run = hello, .talks = true, .heard = true};
	struct process process;
	struct rlimit before, few;
	int files[64], count = 0;

	(void)state;
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
static void signals_do_not_disturb(void **state)
{
	const struct sigaction action = {.sa_handler = on_signal};
	struct disturber disturber = {.victim = pthread_self()};
	struct process process = start(echo_many, NULL);
	struct oclmm_text text = {0};
	char *bytes = oclmm_calloc(1 << 20, 1);

	(void)state;
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

/* The whole process group gets it, as from a terminal: the child lives, and the wait for it ends.
 */
static void an_interruption_ends_the_wait(void *data, int socket)
{
	int number = *(int *)data;
	struct process process;

	setpgid(0, 0);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	process_catch_interrupts();
	process = start(hang, NULL);
	if (await(&process, PATIENCE) != PROCESS_FRAME)
		_exit(1);
	kill(0, number);
	if (await(&process, PATIENCE) != PROCESS_INTERRUPTED || process_interrupted != number)
		_exit(2);
	if (process_is_gone(&process))
		_exit(3);
	process_finish(&process);
	say_hello(socket);
	/* a second one kills, unless a terminal hangs up twice */
	kill(getpid(), number);
	_exit(4);
}

static void the_second_interruption_kills(void **state)
{
	static const struct {
		int number;
		bool again; /* it may come more than once */
	} cases[] = {{SIGINT, false}, {SIGTERM, false}, {SIGHUP, true}};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		int number = cases[i].number;
		struct process process = start(an_interruption_ends_the_wait, &number);

		assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
		assert_int_equal(await(&process, PATIENCE), PROCESS_GONE);
		process_stop(&process, PATIENCE);
		if (cases[i].again)
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

static void nohup_is_respected(void **state)
{
	struct process process = start(be_detached, NULL);

	(void)state;
	assert_int_equal(await(&process, PATIENCE), PROCESS_FRAME);
	process_finish(&process);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_speaks_and_goes),
		cmocka_unit_test(a_crash_is_told),
		cmocka_unit_test(statuses_have_words),
		cmocka_unit_test(the_status_is_not_lost),
		cmocka_unit_test(a_hang_is_killed_at_its_limit),
		cmocka_unit_test(asked_to_go_it_goes),
		cmocka_unit_test(half_a_frame_is_none),
		cmocka_unit_test(garbage_ends_the_talk),
		cmocka_unit_test(a_flood_is_neither_kept_nor_waited_for),
		cmocka_unit_test(each_request_is_kept_by_itself),
		cmocka_unit_test(closed_output_is_no_news),
		cmocka_unit_test(writing_to_the_dead_is_an_error),
		cmocka_unit_test(a_child_ends_with_its_parent),
		cmocka_unit_test(closed_descriptors_do_no_harm),
		cmocka_unit_test(without_descriptors_there_is_no_child),
		cmocka_unit_test(signals_do_not_disturb),
		cmocka_unit_test(the_second_interruption_kills),
		cmocka_unit_test(nohup_is_respected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
