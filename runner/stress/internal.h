// SPDX-License-Identifier: Apache-2.0
#ifndef OCLMM_STRESS_INTERNAL_H
#define OCLMM_STRESS_INTERNAL_H

#include "device.h"
#include "environment.h"
#include "stress.h"

/* Launches in flight: while the device works on one, the next is queued and the last is read. */
enum { OCLMM_SLOTS = 3 };

/* A launch in flight. */
struct oclmm_slot {
	cl_mem counters;
	cl_mem raw;
	cl_event done;          /* of the read-back; NULL when the slot is free */
	uint32_t *counts;       /* where it reads to */
	uint32_t instances;
	double queued;          /* when */
};

/* One run: a program on a device with all that this takes. */
struct oclmm_session {
	struct oclmm_device *device;
	const struct oclmm_run_request *request;
	const struct oclmm_program *program;
	struct oclmm_kernel_plan plan;
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];
	uint32_t environment_count;

	cl_program test_program;
	cl_program count_program;   /* the device's own */
	cl_kernel test;
	cl_kernel count;

	cl_mem memory;              /* locations in buffers */
	void *svm;                  /* locations in SVM with atomics */
	cl_mem codes;
	cl_mem results;
	cl_mem played;
	cl_mem meeting;
	cl_mem scratch;
	struct oclmm_slot slots[OCLMM_SLOTS];

	uint64_t *totals;           /* per outcome */
	uint64_t cut;
	uint64_t instances;         /* counted */
	uint64_t queued;            /* counted or in flight */
	uint64_t launches;
	uint64_t stimulus;
	uint32_t kept;              /* raw tuples */
	double slowest;             /* seconds that a launch took, the worst in its environments' present shape */
	double harvested;           /* when the last one was */
	struct oclmm_histogram *histogram;
};

double oclmm_clock(void);

/* layout.c: fills base and stride of a location that is not local. */
void oclmm_layout(const struct oclmm_environment *environment, const struct oclmm_program *program,
                  uint32_t location, struct oclmm_layout *layout);
/* selftest.c: whether the slots of a storage stay within `size` bytes and apart. */
int oclmm_slots_check(const struct oclmm_parameters *parameters, const struct oclmm_program *program,
                      enum oclmm_storage storage, uint64_t size, struct oclmm_error *error);

/* buffers.c */
int oclmm_buffers_create(struct oclmm_session *session, struct oclmm_error *error);
void oclmm_buffers_destroy(struct oclmm_session *session);

/* launch.c */
int oclmm_arguments_set(struct oclmm_session *session, struct oclmm_error *error);
/* Puts all objects of an environment's layout to their initial values; `slot` must be free. */
int oclmm_launch_initialise(struct oclmm_session *session, const struct oclmm_environment *environment,
                            struct oclmm_slot *slot, struct oclmm_error *error);
/* Makes the driver finish compiling for this shape, by a launch without rounds. */
int oclmm_launch_warm(struct oclmm_session *session, const struct oclmm_environment *environment,
                      struct oclmm_error *error);
int oclmm_launch_queue(struct oclmm_session *session, const struct oclmm_environment *environment,
                       struct oclmm_slot *slot, uint64_t key, struct oclmm_error *error);
/* Waits for a slot and adds its counts. \return 0, -EIO, or -ERANGE when instances were lost. */
int oclmm_launch_harvest(struct oclmm_session *session, struct oclmm_slot *slot, struct oclmm_error *error);

#endif
