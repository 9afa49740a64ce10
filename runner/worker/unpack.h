// SPDX-License-Identifier: Apache-2.0
/* What lay in a child's memory may be anything: its strings end, its flags are looked at as bytes.
 */
#ifndef OCLMM_RUNNER_WORKER_UNPACK_H
#define OCLMM_RUNNER_WORKER_UNPACK_H

#include "internal.h"

#define END_STRING(array) ((array)[sizeof(array) - 1] = '\0')

static inline bool wire_is_flag(const void *flag)
{
	return *(const unsigned char *)flag <= 1;
}

#endif
