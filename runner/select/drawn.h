// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels drawn at random. Kind, seed and number say which one it is, and so does its name:
 * `drawn-2026-17`. So a name is all that it takes to have it again.
 */
#ifndef OCLMM_RUNNER_SELECT_DRAWN_H
#define OCLMM_RUNNER_SELECT_DRAWN_H

#include "oclmm/base.h"

enum drawn_kind {
	DRAWN_UNIFORM, /* all turn equally often */
	DRAWN_TRIPS,   /* loops turn differently often, with barriers in the turns that all have */
};

struct drawn {
	enum drawn_kind kind;
	uint64_t seed, number;
};

/* As many as can be asked for at once. */
enum { DRAWN_MOST = 1000000 };

/* Its name, malloc-ed. */
char *drawn_name(const struct drawn *drawn);
/* Its litmus file. */
void drawn_write(const struct drawn *drawn, struct oclmm_text *ret_text);
/* Whether a word names one, or several of a seed: `drawn-2026-0..999`. */
bool drawn_is_named(const char *word, struct drawn *ret_first, uint64_t *ret_last);

#endif
