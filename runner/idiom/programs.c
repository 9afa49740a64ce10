// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <string.h>

const struct idiom_program *const idiom_programs[] = {
	&idiom_sum_by_atomics,
	&idiom_product_by_atomics,
	&idiom_sum_by_host,
	&idiom_last_group_done,
	&idiom_staged_reduction,
	&idiom_tree_reduction,
	&idiom_global_barrier_count,
	&idiom_global_barrier_leaders,
	&idiom_global_barrier_flags,
	&idiom_scan_segments,
	&idiom_scan_look_back,
	&idiom_scan_packed,
	&idiom_progress,
};
const size_t idiom_program_count = OCLMM_COUNT(idiom_programs);

const struct idiom_program *idiom_find(const char *name)
{
	for (size_t i = 0; i < idiom_program_count; i++) {
		if (strcmp(idiom_programs[i]->name, name) == 0)
			return idiom_programs[i];
	}
	return NULL;
}
