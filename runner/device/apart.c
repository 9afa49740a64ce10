// SPDX-License-Identifier: Apache-2.0
/*
 * A text built by a device's compiler in a process of its own, for who wants the code and nothing
 * else: a driver that crashes over a text takes nobody along.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"
#include "process/process.h"

static const double PATIENCE = 600; /* PoCL links a kernel in about 0.1 s */

struct apart {
	const char *device, *source;
	int file;
};

/* What the child writes: a number, the device's name, and the message or the binary. */
static void answer(const struct apart *apart, int status, const char *name, const char *bytes,
                   size_t size)
{
	FILE *file = fdopen(apart->file, "w");

	if (!file)
		return;
	fprintf(file, "%d %s\n", status, name);
	fwrite(bytes, 1, size, file);
	fclose(file);
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

	(void)socket;
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
		answer(apart, 0, oclmm_text_string(&name), oclmm_text_string(&binary),
		       binary.length);
	else
		answer(apart, r == -ENOEXEC ? ENOEXEC : ENODEV, oclmm_text_string(&name),
		       error.message, strlen(error.message));
}

static int read_answer(int file, struct oclmm_error *error, struct oclmm_text *ret_name,
                       struct oclmm_text *ret_binary)
{
	off_t size = lseek(file, 0, SEEK_END);
	char *bytes = oclmm_calloc((size_t)(size > 0 ? size : 0) + 1, 1);
	char *end = NULL, *line;
	long status = -1;
	int r;

	if (size > 0 && pread(file, bytes, (size_t)size, 0) == size)
		end = memchr(bytes, '\n', (size_t)size);
	if (end) {
		*end++ = '\0';
		status = strtol(bytes, &line, 10);
		oclmm_text_add(ret_name, line + (*line == ' '));
	}
	if (status == 0) {
		oclmm_text_add_bytes(ret_binary, end, (size_t)(bytes + size - end));
		r = 0;
	} else if (status > 0) {
		r = oclmm_error_set(error, status == ENOEXEC ? -EBADMSG : -ENODEV, "%s", end);
	} else {
		r = oclmm_error_set(error, -EBADMSG, "the driver's compiler gives no answer");
	}
	free(bytes);
	return r;
}

int oclmm_device_build_apart(const char *device, const char *source, struct oclmm_error *error,
                             struct oclmm_text *ret_name, struct oclmm_text *ret_binary)
{
	struct apart apart = {.device = device,
	                      .source = source,
	                      .file = memfd_create("binary", MFD_CLOEXEC)};
	const struct process_job job = {
		.run = build, .data = &apart, .heard = true, .leads = true, .shares = true};
	double deadline = oclmm_clock() + PATIENCE;
	struct process process;
	int r = apart.file < 0 ? -errno : process_start(&job, &process);

	if (r < 0 && process_copies_missing()) {
		close(apart.file);
		return oclmm_error_set(error, -ENODEV, "a device's compiler %s",
		                       process_copies_missing());
	}
	if (r < 0) {
		if (apart.file >= 0)
			close(apart.file);
		return oclmm_error_set(error, -ENODEV, "cannot start a process: %s", strerror(-r));
	}
	while (!process_is_gone(&process) && !process_interrupted && oclmm_clock() < deadline)
		process_hear(&process, 0.02);
	if (process.pid)
		r = oclmm_error_set(error, -EBADMSG, "the driver's compiler does not end");
	else if (WIFSIGNALED(process.status))
		r = oclmm_error_set(error, -EBADMSG, "the driver's compiler dies (signal %d)",
		                    WTERMSIG(process.status));
	process_finish(&process);
	if (r == 0)
		r = read_answer(apart.file, error, ret_name, ret_binary);
	close(apart.file);
	return r;
}
