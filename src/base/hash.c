// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t oclmm_hash(const void *data, size_t length)
{
	return XXH3_64bits(data, length);
}
