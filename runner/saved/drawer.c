// SPDX-License-Identifier: Apache-2.0
#include "drawer.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oclmm/explain.h"

/* A picture takes milliseconds; after this time nobody waits for it any more. */
#ifndef DRAWER_TIMEOUT_MS
#define DRAWER_TIMEOUT_MS 30000
#endif
/* More than that is damage, not a picture. */
static const size_t MAX_LENGTH = 64u << 20;

struct request {
	const struct oclmm_program *program; /* an address that both processes have */
	size_t length;                       /* of the outcome behind it */
};

/* 0 when all went out. */
static int send_all(int socket, const void *data, size_t length)
{
	const char *at = data;

	while (length) {
		ssize_t sent = send(socket, at, length, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return -EPIPE;
		at += sent;
		length -= (size_t)sent;
	}
	return 0;
}

/* 0 when all came, within the timeout (-1: none) between any two parts. */
static int receive_all(int socket, void *data, size_t length, int timeout)
{
	char *at = data;

	while (length) {
		struct pollfd ready = {.fd = socket, .events = POLLIN};
		int r = poll(&ready, 1, timeout);
		ssize_t got;

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return -ETIME;
		got = recv(socket, at, length, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -EPIPE;
		at += got;
		length -= (size_t)got;
	}
	return 0;
}

/* ---- the child ---- */

static int answer(int socket, const struct oclmm_program *program, const char *outcome)
{
	struct oclmm_error error;
	struct oclmm_text svg;
	size_t length;
	int r;

	oclmm_text_init(&svg);
	/* what cannot be drawn is an empty picture */
	if (oclmm_explain_svg(program, outcome, OCLMM_MODEL_CONSENSUS, &error, &svg) < 0)
		oclmm_text_finish(&svg);
	length = svg.length;
	r = send_all(socket, &length, sizeof(length));
	if (r == 0)
		r = send_all(socket, oclmm_text_string(&svg), length);
	oclmm_text_finish(&svg);
	return r;
}

static _Noreturn void serve(int socket)
{
	struct request request;

	/* a dump of the memory of each picture that fails helps nobody */
	signal(SIGABRT, SIG_DFL);
	while (receive_all(socket, &request, sizeof(request), -1) == 0 &&
	       request.length < MAX_LENGTH) {
		char *outcome = oclmm_calloc(request.length + 1, 1);

		if (receive_all(socket, outcome, request.length, -1) < 0 ||
		    answer(socket, request.program, outcome) < 0)
			break;
		free(outcome);
	}
	/* not exit(): what the parent has not yet written is the parent's */
	_exit(0);
}

/* ---- the parent ---- */

static int start(struct drawer *drawer)
{
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0)
		return -errno;
	drawer->child = fork();
	if (drawer->child == 0) {
		close(sockets[0]);
		serve(sockets[1]);
	}
	close(sockets[1]);
	if (drawer->child < 0) {
		drawer->child = 0;
		close(sockets[0]);
		return -EAGAIN;
	}
	drawer->socket = sockets[0];
	return 0;
}

void drawer_finish(struct drawer *drawer)
{
	if (!drawer->child)
		return;
	close(drawer->socket);
	kill(drawer->child, SIGKILL);
	while (waitpid(drawer->child, NULL, 0) < 0 && errno == EINTR)
		;
	drawer->child = 0;
}

/* 0, with NULL where the child answered that there is no picture; else the child is no good. */
static int ask(struct drawer *drawer, const struct oclmm_program *program, const char *outcome,
               char **ret_svg)
{
	const struct request request = {program, strlen(outcome)};
	size_t length;
	char *svg;

	if (send_all(drawer->socket, &request, sizeof(request)) < 0 ||
	    send_all(drawer->socket, outcome, request.length) < 0 ||
	    receive_all(drawer->socket, &length, sizeof(length), DRAWER_TIMEOUT_MS) < 0 ||
	    length > MAX_LENGTH)
		return -EPIPE;
	*ret_svg = NULL;
	if (!length)
		return 0;
	svg = oclmm_calloc(length + 1, 1);
	if (receive_all(drawer->socket, svg, length, DRAWER_TIMEOUT_MS) < 0) {
		free(svg);
		return -EPIPE;
	}
	*ret_svg = svg;
	return 0;
}

char *drawer_draw(struct drawer *drawer, const struct oclmm_program *program, const char *outcome)
{
	char *svg = NULL;

	/* the second time in a fresh child: an earlier picture may have left the damage */
	for (int attempt = 0; attempt < 2; attempt++) {
		if (!drawer->child && start(drawer) < 0)
			break;
		if (ask(drawer, program, outcome, &svg) == 0)
			return svg;
		drawer_finish(drawer);
	}
	drawer->failed++;
	return NULL;
}
