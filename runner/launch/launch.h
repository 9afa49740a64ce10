// SPDX-License-Identifier: Apache-2.0
/*
 * Somebody's own kernel on a device, as it stands: launched again and again in a child process,
 * with memory traffic beside it, and how often each end was seen. What may be seen is not known
 * here.
 *
 * May see: process, device.
 */
#ifndef OCLMM_RUNNER_LAUNCH_LAUNCH_H
#define OCLMM_RUNNER_LAUNCH_LAUNCH_H

#include "device/device.h"

/* What a parameter is given. */
struct launch_parameter {
	enum { LAUNCH_BUFFER, LAUNCH_SCALAR, LAUNCH_LOCAL } kind;
	const void *bytes; /* NULL: LAUNCH_LOCAL */
	size_t size;
};

/* A number behind a launch: so many bytes of a buffer, 8 at most. */
struct launch_place {
	uint32_t parameter;
	size_t offset, size;
};

/* What to run. The strings, and all that is pointed to, stay the caller's. */
struct launch_request {
	const char *source, *options; /* of the compiler, with blanks between them */
	const char *kernel;
	const char *background; /* the text of a kernel of this name, for traffic */
	const struct launch_parameter *parameters;
	size_t parameter_count;
	unsigned dimensions;
	const size_t *global, *local, *offset;
	unsigned sub_group; /* what a sub-group has to be; 0: whatever it is */
	uint64_t launches;
	double seconds;                    /* after which no more are begun; 0: without an end */
	uint64_t seed;                     /* of what runs beside it */
	const struct launch_place *places; /* of the numbers that make an end */
	unsigned value_count;
};

enum launch_end {
	LAUNCH_DONE,
	LAUNCH_SILENT,  /* the device said nothing for as long as it may */
	LAUNCH_REFUSED, /* its compiler, or what it cannot do */
	LAUNCH_FAILED,
};

/* An end, and how often it was seen. */
struct launch_seen {
	uint64_t *values;
	uint64_t count;
};

struct launch_result {
	enum launch_end end;
	char message[1024]; /* unless DONE: one line, or what the compiler says */
	uint64_t launches;  /* whose ends were read */
	double seconds;
	struct launch_seen *seen;
	size_t seen_count;
	uint64_t others; /* ends beyond those that are told apart */
};

/* `limit`: seconds without a sign of life after which the child is ended; more while it builds. */
void launch_run(const struct oclmm_device_identity *device, const struct launch_request *request,
                double limit, struct launch_result *ret_result);
/* What the child does: it is asked by a frame, and answers. */
void launch_serve(int socket);
void launch_result_finish(struct launch_result *result);

#endif
