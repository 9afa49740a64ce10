// SPDX-License-Identifier: Apache-2.0
/* A device, and a test that runs on it, for children. */
#ifndef OCLMM_TESTS_WORKER_DEVICE_H
#define OCLMM_TESTS_WORKER_DEVICE_H

#include "../device/fixture.h"
#include "worker/worker.h"

/* One work-item stores what another one loads. */
extern const char worker_test[];
/* The device that OCLMM_DEVICE names, or the best one. By a child: the program itself makes no
 * OpenCL call, or its forks could not. False where there is none. */
bool worker_find_device(struct oclmm_device_identity *ret_identity);

#endif
