// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"
#include "oclmm/base_wide.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/*
 * Number `counter` of Steele, Lea and Flood's SplitMix64 started at `key`: its
 * state after n steps is key + n * GAMMA, so that any element is reached
 * without the ones before it.
 */
uint64_t oclmm_random(uint64_t key, uint64_t counter)
{
	uint64_t z = key + (counter + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t oclmm_random_below(uint64_t key, uint64_t counter, uint64_t bound)
{
	return oclmm_wide_product(oclmm_random(key, counter), bound).high;
}

/* The name is hashed with the key as seed: neighbouring keys must not give
 * neighbouring sub-streams, since SplitMix64's streams differ by addition. */
uint64_t oclmm_random_derive(uint64_t key, const char *name)
{
	return oclmm_random(XXH3_64bits_withSeed(name, strlen(name), key), 0);
}
