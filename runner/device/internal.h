// SPDX-License-Identifier: Apache-2.0
/* An opened device as the files of the room have it; others ask device.h. */
#ifndef OCLMM_RUNNER_DEVICE_INTERNAL_H
#define OCLMM_RUNNER_DEVICE_INTERNAL_H

#include "device.h"

/* Of CL/cl_ext.h: the loader returns it when no vendor is installed. */
#define PLATFORM_NOT_FOUND_KHR (-1001)

enum {
	OCLMM_SHARED_PROGRAMS = 32,
	OCLMM_PROBES = 64,
	OCLMM_SPARE_BUFFERS = 128,
	OCLMM_DEVICES_MAX = 4,
	OCLMM_DIVISIONS = 64, /* parts that a device may fall into */
};

struct oclmm_device {
	struct oclmm_device_info info;
	cl_device_id id;
	cl_context context;
	cl_command_queue queue;
	cl_command_queue extra[OCLMM_QUEUE_EXTRAS]; /* NULL until they are asked for */
	cl_device_id partner; /* for tests of two devices; NULL: this one is divided */
	struct oclmm_device_info partner_info;
	/* by number of devices less 1, NULL until they are asked for */
	struct oclmm_device *several[OCLMM_DEVICES_MAX];
	/* only where this is several devices of one context: `id` and `queue` are the first's */
	uint32_t count;
	cl_device_id ids[OCLMM_DEVICES_MAX];
	cl_command_queue queues[OCLMM_DEVICES_MAX];
	bool divided;                  /* they are parts of one */
	bool together_tried, together; /* kernels of two of its queues run at once */
	bool exporter_tried, exporter; /* another API exports memory for it, see exporter.h */
	/* a buffer over shared virtual memory is known to be one */
	bool svm_buffers_tried, svm_buffers;
	char options[256];
	char il_options[160]; /* without what concerns the text alone */
	bool builds;          /* a language version with C11 atomics was found */
	bool all_scope_named; /* the next field is known */
	bool lacks_all_scope; /* the header has no memory_scope_all_svm_devices; `options` defines
	                         it */
	/* programs given out by oclmm_device_build_shared(), the oldest replaced first */
	struct {
		uint64_t hash;
		cl_program program;
	} shared[OCLMM_SHARED_PROGRAMS];
	unsigned shared_next;
	/* calls.c: buffers of runs that are over, the last one last */
	struct {
		cl_mem buffer;
		size_t size;
	} spare[OCLMM_SPARE_BUFFERS];
	unsigned spare_count;
	size_t spare_bytes;
	/* answers of probe builds, by hash of the probe's text */
	struct {
		uint64_t hash;
		bool accepted;
	} probes[OCLMM_PROBES];
	unsigned probe_count;
	/* build.c: the cache */
	bool keeping_decided;
	bool keeps;       /* programs are cached as binaries, by … */
	char *driver_key; /* … which build of a driver it is; NULL until it is known */
	bool afresh;      /* recalls none of them */
	/* build.c: SPIR-V */
	const struct producer *producer; /* NULL: the device takes texts */
	struct {
		uint64_t hash; /* of its text; 0: none */
		struct oclmm_text module;
	} last; /* the last translation */
	struct oclmm_device_built built;
};

/* calls.c: gives all spare buffers back to the driver. */
void oclmm_buffers_forget(struct oclmm_device *device);
/* build.c: whether the compiler takes a text; remembered. */
bool oclmm_device_accepts(struct oclmm_device *device, const char *source);
/* build.c: from the text, whatever is cached. */
int oclmm_device_compile(struct oclmm_device *device, const char *source, struct oclmm_error *error,
                         char **ret_log, cl_program *ret_program);
/* build.c: whether caching programs pays. Measured once for each build of a driver, whose key the
 * device has. */
bool oclmm_programs_pay(struct oclmm_device *device);
/* driver.c: adds all that tells one build of a driver from another. \return 0, or -ENOTSUP where
 * the system does not say enough. */
int oclmm_driver_key(const struct oclmm_device_info *info, struct oclmm_text *key);

#endif
