// SPDX-License-Identifier: Apache-2.0
/* What children say: too much, half of it, nonsense, or nothing any more. */

#include "../fixture/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "child.h"

/* Whatever is no whole frame is no frame. */
static void send_part(void *data, int socket)
{
	const uint32_t head[] = {HELLO, 100};

	(void)data;
	if (send(socket, head, sizeof(head), 0) < 0 || send(socket, "half", 4, 0) < 0)
		_exit(1);
}

TEST(half_a_frame_is_none)
{
	struct process process = start(send_part, NULL);

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
TEST(garbage_ends_the_talk)
{
	struct process process = start(send_garbage, NULL);

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

TEST(a_flood_is_neither_kept_nor_waited_for)
{
	struct process process = start(flood, NULL);
	char *said;

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

TEST(each_request_is_kept_by_itself)
{
	struct process process = start(print_number, NULL);

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
TEST(closed_output_is_no_news)
{
	struct process process = start(close_output, NULL);
	char *said;

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
TEST(writing_to_the_dead_is_an_error)
{
	struct process process = start(die_at_once, NULL);
	struct oclmm_text text = {0};
	char *bytes = oclmm_calloc(1 << 20, 1);
	int r = 0;

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
