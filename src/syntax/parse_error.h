// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What is said when the words do not form a test.
 */
#ifndef OCLMM_SYNTAX_PARSE_ERROR_H
#define OCLMM_SYNTAX_PARSE_ERROR_H

#include "tree.h"

/**
 * Refuses `token`. `names` are the names of the words that could stand there;
 * those of one class (operators, say) are mentioned together.
 */
void syntax_report_unexpected(struct syntax_parser *parser, const struct syntax_token *token,
                              const char *const *names, size_t count);

/** What to say of a `#`. */
extern const char syntax_no_preprocessor[];

/** Refuses brackets that are nested too deep. \return 0 or -EINVAL. */
int syntax_check_nesting(const struct syntax_source *source, const struct syntax_tokens *tokens);

#endif
