// SPDX-License-Identifier: Apache-2.0
/* A plant in what tells a work-item where it is in its launch. */
#include "internal.h"

/* The function that a plant is in. */
static const char *function_of(enum plant_bug bug)
{
	switch (bug) {
	case PLANT_LOCAL_IDS_SWAPPED: return "get_local_id";
	case PLANT_GROUP_IDS_SWAPPED: return "get_group_id";
	case PLANT_SIZES_SWAPPED: return "get_num_groups";
	default: return "get_global_id";
	}
}

/* `get_global_id(0)` becomes `get_global_id(1)`, and back: at the number. */
bool swap_ids(struct rewriter *rewriter, size_t token)
{
	const struct source *source = &rewriter->source;
	bool zero = token_is(source, token, "0");

	if (token < 2 || (!zero && !token_is(source, token, "1")) ||
	    !token_is(source, token - 1, "(") ||
	    !token_is(source, token - 2, function_of(rewriter->plant.bug)))
		return false;
	put(rewriter, zero ? "1" : "0");
	return true;
}
