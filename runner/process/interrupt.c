// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t process_interrupted;

static void on_interrupt(int number)
{
	process_interrupted = number;
}

/* What a signal says that ends the program, with the command's name: made before it can come. */
static char farewell[64];

static void end_by(int number)
{
	size_t length = strlen(farewell);

	oclmm_remove_unfinished();
	/* whoever cannot be told is not told */
	(void)!write(STDERR_FILENO, farewell, length);
	signal(number, SIG_DFL);
	raise(number);
}

void process_end_by_interrupts(const char *command)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	const struct sigaction action = {.sa_handler = end_by};
	struct sigaction before;

	snprintf(farewell, sizeof(farewell), "oclmm %s: interrupted\n", command);
	for (size_t i = 0; i < OCLMM_COUNT(numbers); i++) {
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
}

/* Until then it is the same one: timeout(1) tells its child and then the whole group, and whoever
 * forwards Ctrl-C does so to a process that the terminal has told. */
static const double ECHO_SECONDS = 0.5;

/* The first one ends in order, a second one at once. */
static void on_request(int number)
{
	static double first[2];
	double now = oclmm_clock(), *since = &first[number == SIGTERM];

	if (*since == 0)
		*since = now;
	else if (now - *since > ECHO_SECONDS) {
		oclmm_remove_unfinished();
		signal(number, SIG_DFL);
		raise(number);
	}
	on_interrupt(number);
}

void process_catch_interrupts(void)
{
	const struct sigaction request = {.sa_handler = on_request};
	const struct sigaction always = {.sa_handler = on_interrupt};
	struct sigaction before;

	sigaction(SIGINT, &request, NULL);
	sigaction(SIGTERM, &request, NULL);
	/* the shell and the system each send one when a terminal goes */
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &always, NULL);
}

int process_ended(const void *until)
{
	if (process_interrupted)
		return -EINTR;
	return until && oclmm_clock() > *(const double *)until ? -ETIME : 0;
}

void process_nap(double seconds)
{
	const struct timespec nap = {
		.tv_sec = (time_t)seconds,
		.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9),
	};

	process_turn_end();
	nanosleep(&nap, NULL);
	process_turn_begin();
}

void process_keep_streams(void)
{
	int file;

	/* the lowest number that is free: that of standard output cannot be written to, so that
	 * whoever prints there is told that it does not arrive */
	do {
		file = open("/dev/null", O_RDWR);
		if (file == STDOUT_FILENO) {
			close(file);
			file = open("/dev/null", O_RDONLY);
		}
	} while (file >= 0 && file <= STDERR_FILENO);
	if (file > STDERR_FILENO)
		close(file);
}
