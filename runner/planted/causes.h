// SPDX-License-Identifier: Apache-2.0
/* What drawn plants that survived have in common. */
#ifndef OCLMM_RUNNER_PLANTED_CAUSES_H
#define OCLMM_RUNNER_PLANTED_CAUSES_H

#include "outcome.h"

/* Drawn plants that share what they change, or one word of where. */
struct cause {
	char *word;
	bool is_where;
	size_t able, survived;
	struct oclmm_text names; /* of the survivors */
};
struct causes {
	struct cause *items;
	size_t count, capacity;
};

/* The most survivors first, those of what is changed before those of where. */
void causes_find(const struct plant_score *score, struct causes *ret_causes);
void causes_finish(struct causes *causes);

#endif
