// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* A kernel that runs out of memory ends whom it likes, with the one signal that nobody can
 * catch. */
static const char *hint(int number)
{
	return number == SIGKILL ? ", as when the system runs out of memory" : "";
}

void process_describe(int status, const char *when, char *message, size_t size)
{
	if (status >= 0 && WIFSIGNALED(status))
		snprintf(message, size, "the driver's process was ended by signal %d (%s)%s, %s",
		         WTERMSIG(status), strsignal(WTERMSIG(status)), hint(WTERMSIG(status)),
		         when);
	else
		snprintf(message, size, "the driver left the process with status %d, %s",
		         status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1, when);
}
