// SPDX-License-Identifier: Apache-2.0
/** \file Inside the reader of cat. */
#ifndef CAT_PARSE_H
#define CAT_PARSE_H

#include "internal.h"

struct cat_parser {
	struct cat_lexer lexer;
	struct oclmm_arena *arena;
	struct cat_binding *scope; /**< the name bound last */
	unsigned depth;            /**< of nested expressions */
};

/** \return -EINVAL unless the next word is the symbol; skips it. */
int cat_expect_symbol(struct cat_parser *parser, char symbol);
/** Reads an expression of either type. */
int cat_parse_expression(struct cat_parser *parser, struct cat_node **ret_node);
/** Refuses an expression that is not of the type. */
int cat_expect_type(const struct cat_parser *parser, const struct cat_node *node,
                    enum cat_type type);

#endif
