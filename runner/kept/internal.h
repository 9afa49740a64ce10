// SPDX-License-Identifier: Apache-2.0
#ifndef OCLMM_RUNNER_KEPT_INTERNAL_H
#define OCLMM_RUNNER_KEPT_INTERNAL_H

#include <fcntl.h>

#include "kept.h"

/* What the names of all files begin with. */
#define STORE_PREFIX "kept-"

#endif
