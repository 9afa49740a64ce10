// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

struct process start(void (*run)(void *data, int socket), void *data)
{
	const struct process_job job = {.run = run, .data = data, .talks = true, .heard = true};
	struct process process;

	assert_int_equal(process_start(&job, &process), 0);
	assert_true(process.pid > 0);
	return process;
}

enum process_news await(struct process *process, double seconds)
{
	struct wire_reader reader;
	uint32_t kind;

	return process_await(process, KINDS, oclmm_clock() + seconds, &kind, &reader);
}

void say_hello(int socket)
{
	if (wire_send(socket, HELLO, NULL) < 0)
		_exit(1);
}

void wait_for_ever(void)
{
	for (;;)
		pause();
}

void hello(void *data, int socket)
{
	(void)data;
	say_hello(socket);
}

void hang(void *data, int socket)
{
	(void)data;
	signal(SIGTERM, SIG_IGN);
	say_hello(socket);
	wait_for_ever();
}
