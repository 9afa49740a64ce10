// SPDX-License-Identifier: Apache-2.0
/** \file A model of cat as it is read and evaluated. */
#ifndef CAT_MODEL_H
#define CAT_MODEL_H

#include "oclmm/cat.h"

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
	CAT_NOTHING,
	CAT_CALL,
};

struct cat_function;

/** A name of the user, of `let` or of `with`. */
struct cat_binding {
	const char *name;
	enum oclmm_cat_type type;
	const uint64_t *value; /**< while an execution is evaluated */
	uint64_t *own;         /**< of `let rec`: where the value grows */
	struct cat_node *body; /**< of `let`, not of `let rec`; of a parameter: the argument */
	struct cat_function *function; /**< what has no value of its own, but with arguments */
	bool parameter;
	unsigned visited[2]; /**< while a `let rec` is checked: by which, in each polarity */
	struct cat_binding *before;
};

struct cat_node {
	enum cat_operation operation;
	enum oclmm_cat_type type;
	struct cat_node *left, *right;
	struct cat_binding *binding; /**< CAT_REFERENCE; CAT_CALL: of the function */
	/** CAT_CALL: with the arguments as bodies; `left` is its body */
	struct cat_binding **parameters;
	unsigned parameter_count;
	struct oclmm_position position;
	const char *text; /**< that the position is of */
	uint64_t *value;  /**< one word or OCLMM_CAT_MAX_EVENTS */
};

enum cat_check { CAT_ACYCLIC, CAT_IRREFLEXIVE, CAT_EMPTY };
enum cat_statement_kind { CAT_LET, CAT_LET_REC, CAT_CHECK, CAT_FLAG, CAT_WITH };

struct cat_statement {
	enum cat_statement_kind kind;
	struct cat_statement *next;
	/* LET, LET_REC: n bindings, each with a body, but functions; WITH: one, and set and
	 * relation as bodies */
	struct cat_binding **bindings;
	struct cat_node **bodies;
	unsigned count;
	/* CHECK, FLAG */
	enum cat_check check;
	bool negated;
	const char *name;
	unsigned flag;
	const char *text; /**< up to `as`, in one line */
	uint32_t line;
	unsigned number;
	bool ordered; /**< behind a `with` */
};

struct oclmm_cat_model {
	struct oclmm_arena *arena;
	const char *name;
	struct cat_binding *universe; /**< `_` */
	struct cat_binding *names;    /**< as many as the user gave */
	unsigned name_count, flag_count;
	struct cat_statement *statements, **end;
	unsigned statement_count;
	bool ordered; /**< while it is read: behind a `with` */
};

#endif
