// SPDX-License-Identifier: Apache-2.0
/* On which devices a run goes on, what its tests are held to, and what it goes on with. */
#ifndef OCLMM_RUNNER_RUN_CHOOSE_H
#define OCLMM_RUNNER_RUN_CHOOSE_H

#include "run.h"

/* ---- devices.c ---- */

/* The numbers of the devices that were asked for. */
struct run_devices {
	size_t *indices; /* malloc-ed */
	size_t count;
};
/* Finds at least one. Returns 0 or the status to leave with. */
int run_find_devices(struct run *run, struct run_devices *ret_devices);
/* Finds the one of a command that takes one, or the pair. Returns 0 or the status to leave with. */
int run_find_device(struct run *run);
/* From now on the run has this one. */
void run_take_device(struct run *run, size_t index);
/* Takes a device for this run alone, when others let it go; `*ret_lock` is a descriptor. Returns 0
 * or the status to leave with. */
int run_lock_device(const struct run *run, const struct oclmm_device_identity *identity,
                    int *ret_lock);
/* Finds who makes SPIR-V, where it is asked for. Returns 0 or the status to leave with. */
int run_find_producer(struct run *run);
/* Whether the device takes it. Returns 0 or the status to leave with. */
int run_check_il(const struct run *run);
/* Children take compiled programs from the disk, and keep them there. */
void run_programs_begin(struct run_session *session);
/* Also sees to it that they do not become too many. */
void run_programs_end(struct run_session *session);

/* ---- expected.c ---- */

/* The expected sets of a test's litmus file, NULL without; kept until the end. */
const struct oclmm_expected_file *run_expected_of(struct run *run, size_t test);
/* Whether a test forbids something, or may do so for all that is known. */
bool run_can_fail(struct run *run, size_t test);

/* ---- resume.c ---- */

/* Claims and reads the file to go on with, if any; what it was begun with is then what `wish` asks
 * for. Returns 0 or a status. */
int run_resume_read(struct run_session *session, struct run *wish);
/* Marks its items as done, once the devices are known. Returns 0 or a status. */
int run_resume(struct run_session *session);

#endif
