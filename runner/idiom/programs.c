// SPDX-License-Identifier: Apache-2.0
/* The programs by their names, for whoever is asked for one: the command, and its child. */
#include "internal.h"

#include <string.h>

/* In the order in which they are listed. */
const struct idiom_program *const idiom_programs[IDIOM_PROGRAMS + 1] = {
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

const struct idiom_program *idiom_find_program(const char *name)
{
	for (size_t i = 0; idiom_programs[i]; i++) {
		if (strcmp(idiom_programs[i]->name, name) == 0)
			return idiom_programs[i];
	}
	return NULL;
}
