// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A compiler may say anything of any length; the results have it of every test. */
enum { LOG_READ = 64 << 20, LOG_KEPT = 16 << 10 };

static char *build_log(const struct oclmm_device *device, cl_program program)
{
	struct oclmm_text none;
	size_t size = 0;
	char *log;

	if (clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
	            CL_SUCCESS ||
	    size <= 1)
		return NULL;
	if (size > LOG_READ) {
		oclmm_text_init(&none);
		oclmm_text_printf(&none, "(the compiler's output was not read: %zu bytes)", size);
		return oclmm_text_steal(&none);
	}
	log = oclmm_calloc(size + 1, 1);
	if (clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) ==
	    CL_SUCCESS)
		return log;
	free(log);
	return NULL;
}

/* The first line that speaks of an error, or the first line. */
static int refuse(struct oclmm_error *error, const char *log)
{
	const char *line = log ? strstr(log, "error") : NULL;

	if (!line)
		return oclmm_error_set(error, -ENOEXEC,
		                       "the device's compiler refuses the kernel: %.*s",
		                       log ? (int)strcspn(log, "\n") : 0, log ? log : "");
	while (line > log && line[-1] != '\n')
		line--;
	return oclmm_error_set(error, -ENOEXEC, "the device's compiler refuses the kernel: %.*s",
	                       (int)strcspn(line, "\n"), line);
}

/* The beginning, where the first error is, and how much more there was. */
static void shorten(char **log)
{
	size_t length = *log ? strlen(*log) : 0;
	struct oclmm_text text = {0};

	if (length <= LOG_KEPT)
		return;
	oclmm_text_add_bytes(&text, *log, LOG_KEPT);
	oclmm_text_printf(&text, "\n(and %zu bytes more)\n", length - LOG_KEPT);
	free(*log);
	*log = oclmm_text_steal(&text);
}

static int create(struct oclmm_device *device, const char *source, struct oclmm_error *error,
                  cl_program *ret_program)
{
	cl_int code;

	if (device->producer)
		return oclmm_il_create(device, source, error, ret_program);
	*ret_program = clCreateProgramWithSource(device->context, 1, &source, NULL, &code);
	return oclmm_cl_made(error, "clCreateProgramWithSource", *ret_program, code);
}

int oclmm_device_compile(struct oclmm_device *device, const char *source, struct oclmm_error *error,
                         char **ret_log, cl_program *ret_program)
{
	cl_program program;
	cl_int code;
	int r = create(device, source, error, &program);

	if (r < 0)
		return r;
	code = clBuildProgram(program, device->count > 0 ? device->count : 1,
	                      device->count > 0 ? device->ids : &device->id,
	                      oclmm_il_options(device), NULL, NULL);
	*ret_log = build_log(device, program);
	if (code == CL_BUILD_PROGRAM_FAILURE)
		r = refuse(error, *ret_log);
	else
		r = oclmm_cl_check(error, "clBuildProgram", code);
	shorten(ret_log);
	if (r < 0) {
		clReleaseProgram(program);
		return r;
	}
	*ret_program = program;
	return 0;
}

int oclmm_device_build(struct oclmm_device *device, const char *source, struct oclmm_error *error,
                       char **ret_log, cl_program *ret_program)
{
	int r;

	if (oclmm_programs_recall(device, source, ret_log, ret_program))
		return 0;
	r = oclmm_device_compile(device, source, error, ret_log, ret_program);
	if (r == 0)
		oclmm_programs_keep(device, source, *ret_log, *ret_program);
	return r;
}

int oclmm_device_build_shared(struct oclmm_device *device, const char *source,
                              struct oclmm_error *error, char **ret_log, cl_program *ret_program)
{
	uint64_t hash = oclmm_hash(source, strlen(source));
	unsigned slot = device->shared_next;
	cl_program program;
	int r;

	for (unsigned i = 0; i < OCLMM_SHARED_PROGRAMS; i++) {
		if (device->shared[i].program && device->shared[i].hash == hash) {
			*ret_log = NULL;
			*ret_program = device->shared[i].program;
			return 0;
		}
	}
	r = oclmm_device_build(device, source, error, ret_log, &program);
	if (r < 0)
		return r;
	if (device->shared[slot].program)
		clReleaseProgram(device->shared[slot].program);
	device->shared[slot].program = program;
	device->shared[slot].hash = hash;
	device->shared_next = (slot + 1) % OCLMM_SHARED_PROGRAMS;
	*ret_program = program;
	return 0;
}

/* Compilers inside a driver may speak up on the process's own standard error: not while probing. */
static int silence(void)
{
	int kept = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (kept >= 0 && null >= 0)
		dup2(null, STDERR_FILENO);
	if (null >= 0)
		close(null);
	return kept;
}

static void speak_again(int kept)
{
	if (kept < 0)
		return;
	dup2(kept, STDERR_FILENO);
	close(kept);
}

bool oclmm_device_accepts(struct oclmm_device *device, const char *source)
{
	uint64_t hash = oclmm_hash(source, strlen(source));
	struct oclmm_error ignored;
	cl_program program = NULL;
	char *log = NULL;
	bool accepted;
	int kept;

	for (unsigned i = 0; i < device->probe_count; i++)
		if (device->probes[i].hash == hash)
			return device->probes[i].accepted;
	kept = silence();
	accepted = oclmm_device_compile(device, source, &ignored, &log, &program) == 0;
	speak_again(kept);
	free(log);
	if (program)
		clReleaseProgram(program);
	if (device->probe_count < OCLMM_PROBES) {
		device->probes[device->probe_count].hash = hash;
		device->probes[device->probe_count++].accepted = accepted;
	}
	return accepted;
}
