// SPDX-License-Identifier: Apache-2.0
/*
 * Blocks of launches. What is compared shares a block, so that it shared its
 * conditions. One launch of each is the finest comparison; where launches are
 * very many, more of them stand in a block, and are still a small part of all.
 */
#include "internal.h"

/* Blocks of one size before they double, and how often they do. */
enum { ALIKE = 64, DOUBLINGS = 6 };

/* The size of a launch's block as a power of two, and the first launch of that size. */
static unsigned doublings(uint64_t launch, uint64_t *ret_first)
{
	unsigned n = 0;

	while (n < DOUBLINGS && launch >= ALIKE * ((UINT64_C(2) << n) - 1))
		n++;
	*ret_first = ALIKE * ((UINT64_C(1) << n) - 1);
	return n;
}

uint64_t oclmm_block_of(uint64_t launch)
{
	uint64_t first;
	unsigned n = doublings(launch, &first);

	return (uint64_t)ALIKE * n + ((launch - first) >> n);
}

uint64_t oclmm_block_end(uint64_t launch)
{
	uint64_t first;
	unsigned n = doublings(launch, &first);

	return first + (((launch - first) >> n) + 1) * (UINT64_C(1) << n);
}

void oclmm_block_order(uint64_t key, uint32_t members, uint32_t launches, uint32_t *ret_order)
{
	uint32_t count = members * launches;

	for (uint32_t i = 0; i < count; i++)
		ret_order[i] = i / launches;
	for (uint32_t i = count; i > 1; i--) {
		uint32_t other = (uint32_t)oclmm_random_below(key, i, i), kept = ret_order[i - 1];

		ret_order[i - 1] = ret_order[other];
		ret_order[other] = kept;
	}
}
