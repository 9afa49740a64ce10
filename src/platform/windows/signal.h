// SPDX-License-Identifier: Apache-2.0
/*
 * Signals that Windows has no word for. Ctrl-C, Ctrl-Break and the end of a console come as SIGINT,
 * SIGTERM and SIGHUP.
 */
#ifndef OCLMM_PLATFORM_SIGNAL_H
#define OCLMM_PLATFORM_SIGNAL_H

#include_next <signal.h>
#include <sys/types.h>

#define SIGHUP  1
#define SIGKILL 9
#define SIGPIPE 13
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGXFSZ 25

typedef void (*oclmm_windows_handler)(int number);

struct sigaction {
	oclmm_windows_handler sa_handler;
};

int sigaction(int number, const struct sigaction *action, struct sigaction *ret_before);
oclmm_windows_handler oclmm_windows_signal(int number, oclmm_windows_handler handler);
#define signal oclmm_windows_signal
/* Halts a process or lets it go on, by SIGSTOP and SIGCONT; 0 asks whether it is there; all others
 * end it at once. */
int kill(pid_t process, int number);

#endif
