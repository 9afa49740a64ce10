// SPDX-License-Identifier: Apache-2.0
/* Children for tests of them. */
#ifndef OCLMM_TESTS_PROCESS_CHILD_H
#define OCLMM_TESTS_PROCESS_CHILD_H

#include "process/process.h"

/* Longer than anything here takes on the slowest machine. */
#define PATIENCE 120.0

/* The kinds of frames that a child sends. */
enum { HELLO = 1, KINDS = HELLO };

struct process start(void (*run)(void *data, int socket), void *data);
enum process_news await(struct process *process, double seconds);

/* In the child. */
void say_hello(int socket);
void wait_for_ever(void);

/* What it may do: say hello and end; or say hello, and neither end nor heed SIGTERM. */
void hello(void *data, int socket);
void hang(void *data, int socket);

#endif
