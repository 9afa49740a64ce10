// SPDX-License-Identifier: Apache-2.0
#ifndef OCLMM_RUNNER_DEVICE_INTERNAL_H
#define OCLMM_RUNNER_DEVICE_INTERNAL_H

#include "device.h"

enum {
	OCLMM_SHARED_PROGRAMS = 32,
	OCLMM_PROBES = 64,
	OCLMM_DEVICES_MAX = 4,
	OCLMM_DIVISIONS = 64, /* parts that a device may fall into */
};

struct oclmm_device {
	struct oclmm_device_info info;
	cl_device_id id;
	cl_context context;
	cl_command_queue queue;
	cl_command_queue second_queue; /* NULL until it is asked for */
	cl_device_id partner;          /* for tests of two devices; NULL: this one is divided */
	struct oclmm_device_info partner_info;
	/* by number of devices less 1, NULL until they are asked for */
	struct oclmm_device *several[OCLMM_DEVICES_MAX];
	/* only where this is several devices of one context: `id` and `queue` are the first's */
	uint32_t count;
	cl_device_id ids[OCLMM_DEVICES_MAX];
	cl_command_queue queues[OCLMM_DEVICES_MAX];
	bool divided; /* they are parts of one */
	char options[128];
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
	/* answers of probe builds, by hash of the probe's text */
	struct {
		uint64_t hash;
		bool accepted;
	} probes[OCLMM_PROBES];
	unsigned probe_count;
};

/* info.c */
int oclmm_device_query(cl_platform_id platform, cl_device_id id, struct oclmm_error *error,
                       struct oclmm_device_info *ret_info);
/* claims.c: fills the orders and scopes from capabilities (3.x) or the version (2.x). */
void oclmm_device_claims(cl_device_id id, const char *extensions, struct oclmm_device_info *info);
/* open.c: sees to it that texts may name memory_scope_all_svm_devices. */
void oclmm_device_name_all_scope(struct oclmm_device *device);
/* build.c: whether the compiler takes a text; remembered. */
bool oclmm_device_accepts(struct oclmm_device *device, const char *source);

#endif
