// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What the parser that bison makes calls, besides the makers of tree.h: where
 * its words come from, and where what does not form a test is refused.
 */
#ifndef OCLMM_SYNTAX_PARSE_H
#define OCLMM_SYNTAX_PARSE_H

#include "tree.h"

union OCLMM_SYNTAX_STYPE;

/** Reads the next word; the end of the file again and again. \return its kind */
int oclmm_syntax_lex(union OCLMM_SYNTAX_STYPE *value, struct syntax_parser *parser);
/** Refuses the text with bison's own words, unless it was refused before. */
void oclmm_syntax_error(struct syntax_parser *parser, const char *message);
/**
 * Refuses the word that was read last, or the end of the file. `names` are the names of the words
 * that could stand there.
 */
void syntax_refuse_word(struct syntax_parser *parser, bool at_end, const char *const *names,
                        size_t count);

#endif
