// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * From one file to its variants.
 */
#ifndef OCLMM_SYNTAX_EXPAND_H
#define OCLMM_SYNTAX_EXPAND_H

#include "preamble.h"

struct expansion {
	struct syntax_source *source;
	struct oclmm_litmus *litmus;
	struct preamble *preamble;
	struct syntax_tokens body; /**< as written, from the first `{` */
	bool dartagnan;
	const uint32_t **choices; /**< per variant, one value per axis; 0 is base */
};

/** Builds all variants of a file into litmus->variants, each with its control's name. */
int syntax_expand(struct expansion *expansion);

#endif
