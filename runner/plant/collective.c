// SPDX-License-Identifier: Apache-2.0
/* Collective functions that ask nobody: of `work_group_any(x)` the `(x)` is left. */
#include "internal.h"

bool is_collective(const struct source *source, size_t token)
{
	static const char *const names[] = {
		"work_group_any",        "work_group_all",       "work_group_reduce_min",
		"work_group_reduce_max", "sub_group_any",        "sub_group_all",
		"sub_group_reduce_min",  "sub_group_reduce_max",
	};

	if (!token_is(source, token + 1, "("))
		return false;
	for (size_t i = 0; i < OCLMM_COUNT(names); i++)
		if (token_is(source, token, names[i]))
			return true;
	return false;
}
