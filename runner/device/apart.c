// SPDX-License-Identifier: Apache-2.0
/*
 * A text built by a device's compiler in a process of its own, for who wants the code and nothing
 * else: a driver that crashes over a text takes nobody along.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"
#include "process/process.h"

static const double PATIENCE = 600; /* PoCL links a kernel in about 0.1 s */
/* Seconds from the end of what it says to its own. */
static const double LEAVE_SECONDS = 5;

struct apart {
	const char *device, *source;
};

/* The frames: of the program, and of the child. */
enum message { ASK = 1, ANSWER, MESSAGES = ANSWER };

/* A number, the device's name, and the message or the binary. */
static void answer(int socket, int32_t status, const struct oclmm_text *name, const char *bytes,
                   size_t size)
{
	struct oclmm_text text = {0};

	wire_put(&text, &status, sizeof(status));
	wire_put_string(&text, oclmm_text_string(name));
	wire_put(&text, bytes, size);
	wire_send(socket, ANSWER, &text);
	oclmm_text_finish(&text);
}

static int find(const struct apart *apart, struct oclmm_error *error, struct oclmm_text *name,
                struct oclmm_device **ret_device)
{
	struct oclmm_device_list list;
	int r = oclmm_devices_list(error, &list);
	int index = -1;

	if (r < 0)
		return r;
	if (list.count == 0)
		oclmm_error_set(error, -ENODEV, "there is no OpenCL device");
	else
		index = oclmm_device_choose(&list, apart->device, error);
	if (index >= 0) {
		const struct oclmm_device_info *info = &list.devices[index];

		/* PoCL has its own version in that of the device, others in the driver's */
		oclmm_text_printf(name, "%s, %s, %s", info->name, info->version, info->driver);
		r = oclmm_device_open(&list, (size_t)index, error, ret_device);
	} else {
		r = -ENODEV;
	}
	oclmm_device_list_finish(&list);
	return r;
}

static void build(void *data, int socket)
{
	const struct apart *apart = data;
	struct oclmm_text name = {0}, binary = {0};
	struct oclmm_device *device;
	struct oclmm_error error = {0};
	cl_program program = NULL;
	char *log = NULL;
	int r = find(apart, &error, &name, &device);

	if (r == 0)
		r = oclmm_device_build(device, apart->source, &error, &log, &program);
	if (r == 0) {
		oclmm_device_binary(device, apart->source, &binary);
		if (!binary.length)
			r = oclmm_error_set(&error, -ENOEXEC, "the driver gives no binary");
	} else if (r != -ENOEXEC) {
		r = -ENODEV;
	}
	if (r == 0)
		answer(socket, 0, &name, binary.data, binary.length);
	else
		answer(socket, r == -ENOEXEC ? ENOEXEC : ENODEV, &name, error.message,
		       strlen(error.message));
}

void oclmm_device_serve_apart(int socket)
{
	struct wire_input input = {0};
	struct wire_reader reader;
	struct apart apart;
	uint32_t kind;

	if (wire_wait(&input, socket, MESSAGES, &kind, &reader) <= 0 || kind != ASK)
		_exit(1);
	apart.device = wire_get_string(&reader);
	apart.source = wire_get_string(&reader);
	if (reader.failed || !apart.source)
		_exit(1);
	build(&apart, socket);
}

/* Of a child that has nothing of this program's memory. */
static void ask(int socket, const struct apart *apart)
{
	struct oclmm_text text = {0};

	wire_put_string(&text, apart->device);
	wire_put_string(&text, apart->source);
	/* one that has gone is noticed when it does not answer */
	wire_send(socket, ASK, &text);
	oclmm_text_finish(&text);
}

static int read_answer(struct wire_reader *reader, struct oclmm_error *error,
                       struct oclmm_text *ret_name, struct oclmm_text *ret_binary)
{
	int32_t status = -1;
	char *name;
	int r = 0;

	wire_get(reader, &status, sizeof(status));
	name = wire_get_string(reader);
	if (reader->failed || status < 0 || !name)
		r = oclmm_error_set(error, -EBADMSG, "the driver's compiler gives no answer");
	else if (status > 0)
		r = oclmm_error_set(error, status == ENOEXEC ? -EBADMSG : -ENODEV, "%.*s",
		                    (int)reader->left, reader->at);
	else
		oclmm_text_add_bytes(ret_binary, reader->at, reader->left);
	if (name)
		oclmm_text_add(ret_name, name);
	free(name);
	return r;
}

static int await(struct process *process, struct oclmm_error *error, struct oclmm_text *ret_name,
                 struct oclmm_text *ret_binary)
{
	struct wire_reader reader;
	uint32_t kind;

	switch (process_await(process, MESSAGES, oclmm_clock() + PATIENCE, &kind, &reader)) {
	case PROCESS_FRAME: return read_answer(&reader, error, ret_name, ret_binary);
	case PROCESS_SILENT:
	case PROCESS_INTERRUPTED:
		return oclmm_error_set(error, -EBADMSG, "the driver's compiler does not end");
	case PROCESS_GONE: break;
	}
	/* the socket closes a moment before the process ends */
	process_stop(process, LEAVE_SECONDS);
	if (process->status >= 0 && WIFSIGNALED(process->status))
		return oclmm_error_set(error, -EBADMSG, "the driver's compiler dies (signal %d)",
		                       WTERMSIG(process->status));
	return oclmm_error_set(error, -EBADMSG, "the driver's compiler gives no answer");
}

int oclmm_device_build_apart(const char *device, const char *source, struct oclmm_error *error,
                             struct oclmm_text *ret_name, struct oclmm_text *ret_binary)
{
	struct apart apart = {.device = device, .source = source};
	const struct process_job job = {.run = build,
	                                .data = &apart,
	                                .anew = oclmm_device_serve_apart,
	                                .talks = true,
	                                .heard = true,
	                                .leads = true};
	struct process process;
	int r = process_start(&job, &process);

	if (r < 0)
		return oclmm_error_set(error, -ENODEV, "cannot start a process: %s", strerror(-r));
	if (process.anew)
		ask(process.socket, &apart);
	r = await(&process, error, ret_name, ret_binary);
	process_finish(&process);
	return r;
}
