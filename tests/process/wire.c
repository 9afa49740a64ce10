// SPDX-License-Identifier: Apache-2.0
/* Frames over a socket: whole, in pieces, damaged, and with nobody there. */

#include "../fixture/test.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "process/wire.h"

enum { RUN = 1, OPENED, RESULT, KINDS = RESULT };

static void send_frame(int socket, uint32_t kind, const char *bytes)
{
	struct oclmm_text text = {0};

	oclmm_text_add(&text, bytes);
	assert_int_equal(wire_send(socket, kind, &text), 0);
	oclmm_text_finish(&text);
}

TEST(frames_come_in_order)
{
	struct wire_input input = {0};
	struct wire_reader reader;
	uint32_t kind;
	int sockets[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
	assert_int_equal(wire_receive(&input, sockets[1]), -EAGAIN);
	send_frame(sockets[0], RUN, "first");
	assert_int_equal(wire_send(sockets[0], OPENED, NULL), 0);
	send_frame(sockets[0], RESULT, "second");
	assert_true(wire_receive(&input, sockets[1]) > 0);
	assert_int_equal(wire_next(&input, KINDS, &kind, &reader), 1);
	assert_int_equal(kind, RUN);
	assert_int_equal(reader.left, 5);
	assert_memory_equal(reader.at, "first", 5);
	assert_int_equal(wire_next(&input, KINDS, &kind, &reader), 1);
	assert_int_equal(kind, OPENED);
	assert_int_equal(wire_next(&input, KINDS, &kind, &reader), 1);
	assert_memory_equal(reader.at, "second", 6);
	assert_int_equal(wire_next(&input, KINDS, &kind, &reader), 0);
	close(sockets[0]);
	assert_int_equal(wire_receive(&input, sockets[1]), 0);
	close(sockets[1]);
	oclmm_text_finish(&input.text);
}

TEST(a_gone_peer_is_an_error)
{
	int sockets[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
	close(sockets[1]);
	assert_int_equal(wire_send(sockets[0], RUN, NULL), -EPIPE);
	close(sockets[0]);
}

TEST(garbage_is_refused)
{
	const uint32_t heads[][2] = {
		{0, 0}, {KINDS + 1, 4}, {RESULT, WIRE_MAX + 1u}, {UINT32_MAX, UINT32_MAX}};

	for (size_t i = 0; i < OCLMM_COUNT(heads); i++) {
		struct wire_input input = {0};
		struct wire_reader reader;
		uint32_t kind;

		oclmm_text_add_bytes(&input.text, (const char *)heads[i], sizeof(heads[i]));
		assert_int_equal(wire_next(&input, KINDS, &kind, &reader), -EPROTO);
		oclmm_text_finish(&input.text);
	}
}

/* A frame that comes a byte at a time is given when it is whole, not before. */
TEST(pieces_make_a_frame)
{
	const uint32_t head[] = {RESULT, 4};
	const uint32_t value = 0x01020304;
	struct wire_input input = {0};
	struct wire_reader reader;
	char bytes[sizeof(head) + sizeof(value)];
	uint32_t kind, got;

	memcpy(bytes, head, sizeof(head));
	memcpy(bytes + sizeof(head), &value, sizeof(value));
	for (size_t i = 0; i < sizeof(bytes); i++) {
		assert_int_equal(wire_next(&input, KINDS, &kind, &reader), 0);
		oclmm_text_add_bytes(&input.text, &bytes[i], 1);
	}
	assert_int_equal(wire_next(&input, KINDS, &kind, &reader), 1);
	wire_get(&reader, &got, sizeof(got));
	assert_false(reader.failed);
	assert_int_equal(got, value);
	/* there is no more of it */
	wire_get(&reader, &got, 1);
	assert_true(reader.failed);
	oclmm_text_finish(&input.text);
}

/* A peer that says all and closes is heard to the end. */
TEST(waiting_ends_with_the_peer)
{
	struct wire_input input = {0};
	struct wire_reader reader;
	uint32_t kind;
	int sockets[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
	send_frame(sockets[0], RUN, "first");
	send_frame(sockets[0], RESULT, "second");
	close(sockets[0]);
	assert_int_equal(wire_wait(&input, sockets[1], KINDS, &kind, &reader), 1);
	assert_int_equal(kind, RUN);
	assert_int_equal(wire_wait(&input, sockets[1], KINDS, &kind, &reader), 1);
	assert_int_equal(kind, RESULT);
	assert_int_equal(wire_wait(&input, sockets[1], KINDS, &kind, &reader), 0);
	close(sockets[1]);
	oclmm_text_finish(&input.text);
}
