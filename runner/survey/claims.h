// SPDX-License-Identifier: Apache-2.0
/* What a device claims, in the words of the litmus files. */
#ifndef OCLMM_RUNNER_SURVEY_CLAIMS_H
#define OCLMM_RUNNER_SURVEY_CLAIMS_H

#include "cli/json.h"
#include "device/device.h"

/* The words of a set, divided by `between`. */
void claims_add_orders(struct oclmm_text *text, unsigned set, char between);
void claims_add_scopes(struct oclmm_text *text, unsigned set, char between);
/* Of CL_DEVICE_SVM_CAPABILITIES: coarse, fine, system, atomics. */
void claims_add_svm(struct oclmm_text *text, unsigned set, char between);
/* All of it in one line: `orders=rlx,acq scopes=wg …`, and the bits as the driver gives them. */
void claims_print(struct oclmm_text *text, const struct oclmm_device_info *info);
/* The same as keys of an object. */
void claims_set_json(json_t *object, const struct oclmm_device_info *info);
/*
 * What a file that `oclmm devices --json` wrote says of a device, and the device
 * does not claim any more, is added to `missing`. Returns 0, or negative with
 * `error` where the file cannot be read or does not have the device.
 */
int claims_expect(const char *path, const struct oclmm_device_info *info, struct oclmm_error *error,
                  struct oclmm_text *missing);

#endif
