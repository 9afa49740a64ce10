// SPDX-License-Identifier: Apache-2.0
/* What a device claims, in the words of the litmus files. */
#ifndef OCLMM_RUNNER_SURVEY_CLAIMS_H
#define OCLMM_RUNNER_SURVEY_CLAIMS_H

#include "device/device.h"

/* The words of a set, divided by `between`. */
void claims_add_orders(struct oclmm_text *text, unsigned set, char between);
void claims_add_scopes(struct oclmm_text *text, unsigned set, char between);
/* All of it in one line: `orders=rlx,acq scopes=wg …`, and the bits as the driver gives them. */
void claims_print(struct oclmm_text *text, const struct oclmm_device_info *info);

#endif
