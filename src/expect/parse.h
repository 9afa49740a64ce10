// SPDX-License-Identifier: Apache-2.0
/* Reading the observables of a set and its states, for parse.c. */
#ifndef OCLMM_EXPECT_PARSE_H
#define OCLMM_EXPECT_PARSE_H

#include "internal.h"
#include "reader.h"

/* The rest of the line behind `values `: sets the observables, their types and the space. */
int parse_values(struct reader *reader, struct oclmm_arena *arena, struct oclmm_expected *set);

/* The states of a set while they are read; `values` must have been read before. */
struct states {
	struct oclmm_expected_state *at;
	size_t count;
	size_t capacity;
};

/* Takes the current line if it says something of a state. *ret_taken: whether it does. */
int parse_state(struct reader *reader, struct oclmm_arena *arena, const struct oclmm_expected *set,
                struct states *states, bool *ret_taken);

/* The rest of the line behind `defined `: adds to a set of 1u << enum oclmm_model. */
int parse_versions(struct reader *reader, unsigned *ret_versions);

#endif
