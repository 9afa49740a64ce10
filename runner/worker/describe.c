// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

double worker_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A kernel that runs out of memory ends whom it likes, with the one signal that nobody can
 * catch. */
static const char *hint(int number)
{
	return number == SIGKILL ? ", as when the system runs out of memory" : "";
}

void worker_describe_death(int status, const char *when, char *message, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(message, size, "the driver's process was ended by signal %d (%s)%s, %s",
		         WTERMSIG(status), strsignal(WTERMSIG(status)), hint(WTERMSIG(status)),
		         when);
	else
		snprintf(message, size, "the driver left the process with status %d, %s",
		         WIFEXITED(status) ? WEXITSTATUS(status) : -1, when);
}
