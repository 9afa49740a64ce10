// SPDX-License-Identifier: Apache-2.0
/*
 * Memory that another API makes and exports, for buffers in external memory
 * (cl_khr_external_memory), and what that API does with it: "outside" in tests. It is CUDA's
 * driver, found at run time.
 */
#ifndef OCLMM_RUNNER_DEVICE_EXPORTER_H
#define OCLMM_RUNNER_DEVICE_EXPORTER_H

#include "device.h"

/* An allocation of that API. All zero: none. */
struct oclmm_exported {
	uint64_t allocation; /* its handle there */
	uint64_t address;    /* where it is mapped there; 0: not mapped */
	size_t bytes;        /* at least what was asked for */
	int device;          /* its number there */
	/* a handle of kind CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR; -1 where a driver has imported
	 * it, and owns it */
	int file;
};

struct oclmm_exporter {
	/* After a failure, too, there may be something to destroy. */
	int (*make)(cl_device_id id, size_t bytes, struct oclmm_error *error,
	            struct oclmm_exported *ret_exported);
	/* From and to its beginning. What they do has ended when they return. */
	int (*write)(const struct oclmm_exported *exported, const void *from, size_t bytes,
	             struct oclmm_error *error);
	int (*read)(const struct oclmm_exported *exported, void *to, size_t bytes,
	            struct oclmm_error *error);
	/* Another handle of the same memory, for a second import; -1: there can be none. Who has it
	 * and imports it in vain gives it back. */
	int (*share)(const struct oclmm_exported *exported);
	void (*give_back)(int file);
	void (*destroy)(struct oclmm_exported *exported);
};

/* That of a device; NULL where there is none. */
const struct oclmm_exporter *oclmm_exporter_of(cl_device_id id);

#endif
