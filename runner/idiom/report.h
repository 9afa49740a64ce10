// SPDX-License-Identifier: Apache-2.0
/* What oclmm idiom prints of a program's run. */
#ifndef OCLMM_RUNNER_IDIOM_REPORT_H
#define OCLMM_RUNNER_IDIOM_REPORT_H

#include "idiom.h"

void idiom_report_text(const struct idiom_request *request, const struct idiom_result *result);
/* One line of JSON. */
void idiom_report_json(const struct oclmm_device_info *device, const struct idiom_request *request,
                       const struct idiom_result *result);

#endif
