// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Structures and vectors of a text that work-items share, written out number by number for the
 * grammar. The words as written stay for the device.
 */
#ifndef OCLMM_SYNTAX_COMPOSITE_H
#define OCLMM_SYNTAX_COMPOSITE_H

#include "token.h"

enum { COMPOSITE_MOST = 64 };

/** A structure's description: its first and last word, and its name, by their numbers. */
struct composite_piece {
	size_t from, to, name;
};

/** A parameter of the kernel that points to one, and the elements of each. */
struct composite_unit {
	const char *name;
	uint32_t cells;
};

struct composite_words {
	struct syntax_tokens tokens; /**< what the grammar reads; empty: the text as written */
	size_t *origins;             /**< for each of them the word that it stands for */
	const struct syntax_tokens *written; /**< the text */
	struct composite_piece structures[COMPOSITE_MOST];
	size_t structure_count;
	struct composite_unit units[COMPOSITE_MOST];
	size_t unit_count;
};

/** \return 0 or -EINVAL. `ret_words` is the caller's to finish either way; what its words hold is
 * the arena's. */
int oclmm_composites_lower(const struct syntax_source *source, struct oclmm_arena *arena,
                           const struct syntax_tokens *tokens, struct composite_words *ret_words);
void oclmm_composites_finish(struct composite_words *words);

#endif
