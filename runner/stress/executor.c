// SPDX-License-Identifier: Apache-2.0
#include "executor.h"

#include <errno.h>

int oclmm_parts_check(const struct oclmm_part *parts, uint32_t count, uint32_t roles,
                      struct oclmm_error *error)
{
	for (uint32_t role = 0; role < roles; role++) {
		uint32_t players = 0;

		for (uint32_t i = 0; i < count; i++)
			players += parts[i].roles >> role & 1;
		if (players != 1)
			return oclmm_error_set(error, -EINVAL, "role %u is played by %u executors",
			                       role, players);
	}
	return 0;
}

int oclmm_parts_play(const struct oclmm_part *parts, uint32_t count,
                     const struct oclmm_launch *launch, struct oclmm_error *error)
{
	uint32_t started = 0;
	int r = 0;

	while (r == 0 && started < count) {
		r = parts[started].executor->start(parts[started].data, launch, error);
		started += r == 0;
	}
	for (uint32_t i = 0; i < started; i++) {
		struct oclmm_error later;
		int joined = 0;

		if (parts[i].executor->join)
			joined = parts[i].executor->join(parts[i].data, launch,
			                                 r == 0 ? error : &later);
		r = r == 0 ? joined : r;
	}
	return r;
}
