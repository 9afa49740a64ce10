// SPDX-License-Identifier: Apache-2.0
/*
 * Which devices there are, and what their compilers accept, asked once per device
 * and driver and then remembered.
 *
 * May see: worker, select, cache.
 */
#ifndef OCLMM_RUNNER_SURVEY_SURVEY_H
#define OCLMM_RUNNER_SURVEY_SURVEY_H

#include "cli/cli.h"
#include "device/device.h"
#include "worker/worker.h"

/* The devices of this machine, at least one. Returns 0 or the status to leave with: said already.
 */
int devices_find(const struct command *command, const struct worker_options *options,
                 struct worker_devices *ret_devices);

/* What a device claims, in one line: `orders=rlx,acq scopes=wg …`, and the bits as the driver gives
 * them. */
void claims_print(struct oclmm_text *text, const struct oclmm_device_info *info);
/* In what a machine differs from a file that `oclmm devices --json` wrote. Zero-initialise; finish
 * the texts. */
struct claims_difference {
	bool other;                /* the device is none of the file's */
	struct oclmm_text gone;    /* devices of the file that are not there */
	struct oclmm_text missing; /* what the device claimed and does not claim any more */
};
/* Returns 0, or negative with `error` where the file cannot be read or has no device. */
int claims_expect(const char *path, const struct oclmm_device_list *list,
                  const struct oclmm_device_info *info, struct oclmm_error *error,
                  struct claims_difference *ret_difference);

#endif
