// SPDX-License-Identifier: Apache-2.0
/** \file Macros of the body. */
#ifndef OCLMM_SYNTAX_MACRO_H
#define OCLMM_SYNTAX_MACRO_H

#include "token.h"

/** Puts in the place of each macro what it stands for, and leaves out the lines that define them.
 * \return 0 or -EINVAL; `tokens` are to be finished in both cases. */
int syntax_expand_macros(const struct syntax_source *source, struct oclmm_arena *arena,
                         bool dartagnan, struct syntax_tokens *tokens);

#endif
