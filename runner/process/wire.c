// SPDX-License-Identifier: Apache-2.0
#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

struct head {
	uint32_t kind;
	uint32_t size;
};

void wire_put(struct oclmm_text *text, const void *bytes, size_t size)
{
	oclmm_text_add_bytes(text, bytes, size);
}

/* The length that stands for NULL. */
static const uint32_t NO_STRING = UINT32_MAX;

void wire_put_string(struct oclmm_text *text, const char *string)
{
	uint32_t length = string ? (uint32_t)strlen(string) : NO_STRING;

	wire_put(text, &length, sizeof(length));
	if (string)
		wire_put(text, string, length);
}

/* A peer that is gone is an error here, never a signal. */
static int send_all(int socket, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t sent = send(socket, bytes, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -errno;
		bytes += sent;
		size -= (size_t)sent;
	}
	return 0;
}

int wire_send(int socket, uint32_t kind, const struct oclmm_text *text)
{
	const struct head head = {.kind = kind, .size = text ? (uint32_t)text->length : 0};
	int r = send_all(socket, (const char *)&head, sizeof(head));

	if (r == 0 && head.size)
		r = send_all(socket, text->data, head.size);
	return r;
}

void wire_get(struct wire_reader *reader, void *bytes, size_t size)
{
	if (reader->failed || reader->left < size) {
		reader->failed = true;
		memset(bytes, 0, size);
		return;
	}
	memcpy(bytes, reader->at, size);
	reader->at += size;
	reader->left -= size;
}

char *wire_get_string(struct wire_reader *reader)
{
	uint32_t length;
	char *string;

	wire_get(reader, &length, sizeof(length));
	if (reader->failed || length == NO_STRING)
		return NULL;
	if (length > reader->left) {
		reader->failed = true;
		return NULL;
	}
	string = oclmm_calloc((size_t)length + 1, 1);
	wire_get(reader, string, length);
	return string;
}

long wire_receive(struct wire_input *input, int socket)
{
	char bytes[1 << 16];
	ssize_t size;

	do {
		size = recv(socket, bytes, sizeof(bytes), MSG_DONTWAIT);
	} while (size < 0 && errno == EINTR);
	if (size < 0)
		return errno == ECONNRESET ? 0 : -errno;
	oclmm_text_add_bytes(&input->text, bytes, (size_t)size);
	return size;
}

int wire_next(struct wire_input *input, uint32_t kinds, uint32_t *ret_kind,
              struct wire_reader *ret_reader)
{
	struct head head;

	oclmm_text_drop(&input->text, input->taken);
	input->taken = 0;
	if (input->text.length < sizeof(head))
		return 0;
	memcpy(&head, input->text.data, sizeof(head));
	if (head.kind < 1 || head.kind > kinds || head.size > WIRE_MAX)
		return -EPROTO;
	if (input->text.length - sizeof(head) < head.size)
		return 0;
	input->taken = sizeof(head) + head.size;
	*ret_kind = head.kind;
	*ret_reader = (struct wire_reader){.at = input->text.data + sizeof(head),
	                                   .left = head.size};
	return 1;
}

int wire_wait(struct wire_input *input, int socket, uint32_t kinds, uint32_t *ret_kind,
              struct wire_reader *ret_reader)
{
	struct pollfd wait = {.fd = socket, .events = POLLIN};

	for (;;) {
		int r = wire_next(input, kinds, ret_kind, ret_reader);
		long size;

		if (r != 0)
			return r;
		/* one that a signal interrupts finds nothing there, and waits again */
		poll(&wait, 1, -1);
		size = wire_receive(input, socket);
		if (size <= 0 && size != -EAGAIN)
			return (int)size;
	}
}
