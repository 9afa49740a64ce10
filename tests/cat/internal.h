// SPDX-License-Identifier: Apache-2.0
/** \file Inside the reader and the evaluator of cat. */
#ifndef CAT_INTERNAL_H
#define CAT_INTERNAL_H

#include "cat.h"

/* ---- words ----------------------------------------------------------- */

enum cat_token {
	CAT_END,
	CAT_NAME,
	CAT_STRING,
	CAT_SYMBOL, /**< one of | ; \ & * + ? ~ ( ) [ ] , = and ^-1, which is '^' */
};

struct cat_lexer {
	const char *path, *text;
	size_t length, at;
	uint32_t line;
	size_t line_start;
	struct oclmm_error *error;
	/* the word that was read last */
	enum cat_token token;
	char symbol;
	const char *word;
	struct oclmm_position position;
};

/** Goes to the next word. \return 0 or -EINVAL. */
int cat_next(struct cat_lexer *lexer);
/** Fills the error for a place. \return -EINVAL. */
int cat_refuse(const struct cat_lexer *lexer, struct oclmm_position position, const char *format,
               ...) OCLMM_PRINTF(3, 4);
bool cat_is_word(const struct cat_lexer *lexer, const char *word);
bool cat_is_symbol(const struct cat_lexer *lexer, char symbol);

/* ---- models ---------------------------------------------------------- */

enum cat_operation {
	CAT_REFERENCE,
	CAT_UNION,
	CAT_SEQUENCE,
	CAT_DIFFERENCE,
	CAT_INTERSECTION,
	CAT_PRODUCT,
	CAT_COMPLEMENT,
	CAT_INVERSE,
	CAT_MAYBE,
	CAT_PLUS,
	CAT_STAR,
	CAT_IDENTITY,
	CAT_DOMAIN,
	CAT_RANGE,
};

/** A name of the user, of `let` or of `with`. */
struct cat_binding {
	const char *name;
	enum cat_type type;
	const uint64_t *value; /**< while an execution is evaluated */
	uint64_t *own;         /**< of `let rec`: where the value grows */
	struct cat_binding *before;
};

struct cat_node {
	enum cat_operation operation;
	enum cat_type type;
	struct cat_node *left, *right;
	struct cat_binding *binding; /**< CAT_REFERENCE */
	struct oclmm_position position;
	uint64_t *value; /**< one word or CAT_MAX_EVENTS */
};

enum cat_check { CAT_ACYCLIC, CAT_IRREFLEXIVE, CAT_EMPTY };
enum cat_statement_kind { CAT_LET, CAT_LET_REC, CAT_CHECK, CAT_FLAG, CAT_WITH };

struct cat_statement {
	enum cat_statement_kind kind;
	struct cat_statement *next;
	/* LET, LET_REC: n bindings, each with a body; WITH: one, and set and relation as bodies */
	struct cat_binding **bindings;
	struct cat_node **bodies;
	unsigned count;
	/* CHECK, FLAG */
	enum cat_check check;
	bool negated;
	const char *name;
	unsigned flag;
};

struct cat_model {
	struct oclmm_arena *arena;
	struct cat_binding *universe; /**< `_` */
	struct cat_binding *names;    /**< as many as the user gave */
	unsigned name_count, flag_count;
	struct cat_statement *statements;
};

#endif
