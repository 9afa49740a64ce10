// SPDX-License-Identifier: Apache-2.0
/* Waiting for pipes to be read. */
#ifndef OCLMM_PLATFORM_POLL_H
#define OCLMM_PLATFORM_POLL_H

struct pollfd {
	int fd;
	short events, revents;
};

enum { POLLIN = 1, POLLHUP = 16 };

int poll(struct pollfd *files, unsigned count, int milliseconds);

#endif
