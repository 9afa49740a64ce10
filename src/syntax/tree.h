// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What the grammar makes of the words of one variant: a tree that knows C's
 * precedence but neither names nor types. build.h turns it into a program.
 */
#ifndef OCLMM_SYNTAX_TREE_H
#define OCLMM_SYNTAX_TREE_H

#include "oclmm/ir.h"
#include "token.h"

/** Words before a declared name: types, address spaces, qualifiers, storage. */
struct tree_specifier {
	const struct syntax_token *at;
	struct tree_specifier *next;
};

enum tree_expression_kind {
	TREE_NUMBER,
	TREE_NAME,
	TREE_CALL,
	TREE_INDEX,       /**< left[right] */
	TREE_DEREFERENCE, /**< *left */
	TREE_ADDRESS,     /**< &left */
	TREE_CAST,        /**< (specifiers) left */
	TREE_MEMBER,      /**< left.at */
	TREE_VECTOR,      /**< (int4)(arguments) */
	TREE_UNARY,
	TREE_BINARY,
	TREE_ASSIGNED, /**< (left = right), as a value */
	TREE_CHOICE,   /**< left ? the first of arguments : the second */
	TREE_CHILD,    /**< ^{ P1(arguments); } */
};

struct tree_expression {
	enum tree_expression_kind kind;
	const struct syntax_token *at; /**< the operator, the name, the number */
	enum oclmm_operator op;
	struct tree_expression *left, *right;
	struct tree_expression *arguments; /**< of a call or choice, linked by `next` */
	uint32_t argument_count;
	struct tree_expression *next;
	struct tree_specifier *specifiers;
	bool parenthesised;
	unsigned depth;
};

enum tree_statement_kind {
	TREE_DECLARATION, /**< specifiers name [= expression] */
	TREE_ASSIGNMENT,  /**< target = expression */
	TREE_EVALUATION,
	TREE_BLOCK,
	TREE_IF,
	TREE_WHILE, /**< without an expression: for ever */
	TREE_DO,    /**< do body while (expression); `length` is its `while` */
	TREE_FOR,   /**< for (first; expression; step) body */
	TREE_BREAK,
	TREE_CONTINUE,
	TREE_SWITCH,  /**< switch (expression) { body }, with cases among its statements */
	TREE_CASE,    /**< case expression: */
	TREE_DEFAULT, /**< default: */
	TREE_RETURN,
	TREE_ARRAY,    /**< specifiers name[length] = {expression, ...} */
	TREE_POINTER,  /**< specifiers *name = expression */
	TREE_POINTERS, /**< specifiers *name[length] = {expression, ...} */
};

struct tree_statement {
	enum tree_statement_kind kind;
	const struct syntax_token *at;
	const struct syntax_token *label;
	struct tree_specifier *specifiers;
	struct tree_expression *target;
	struct tree_expression *expression;
	const struct syntax_token *length; /**< NULL: as many as there are values */
	struct tree_statement *body, *else_body;
	struct tree_statement *first, *step; /**< a declaration or an assignment; an assignment */
	struct tree_statement *next;
	unsigned depth;
};

/** A number with its sign, in the init block and in conditions. */
struct tree_constant {
	const struct syntax_token *at;
	const struct syntax_token *minus; /**< NULL: none */
	struct tree_constant *next;
};

/** One line of the init block. */
struct tree_entry {
	struct tree_specifier *specifiers;
	const struct syntax_token *thread; /**< a register of this thread, or NULL for a location */
	const struct syntax_token *name;
	bool is_array;
	const struct syntax_token *length; /**< NULL: as many as there are values */
	struct tree_constant *values;
	const struct syntax_token *address; /**< `= &y`: the name whose address is taken */
	struct tree_entry *next;
};

struct tree_parameter {
	struct tree_specifier *specifiers; /**< before and after the star */
	const struct syntax_token *name;
	bool by_value; /**< of a function: an integer, not a pointer */
	struct tree_parameter *next;
};

/** `constant int t[3] = {1, 2, 3};` or `constant int n = 3;`: values that all threads know. */
struct tree_table {
	const struct syntax_token *name;
	struct tree_specifier *specifiers;
	bool is_array;
	const struct syntax_token *length; /**< NULL: as many as there are values */
	struct tree_constant *values;
	const struct syntax_token *from, *to; /**< its first and last word */
	struct tree_table *next;
};

/** A function that threads call. */
struct tree_function {
	const struct syntax_token *name;
	struct tree_specifier *specifiers; /**< of its value; NULL: void */
	struct tree_parameter *parameters;
	struct tree_statement *body;
	const struct syntax_token *from, *to; /**< its first and last word */
	struct tree_function *next;
};

/** `wg 0`, `host`. */
struct tree_placement {
	const struct syntax_token *word;
	const struct syntax_token *number; /**< NULL for `host` */
	const struct syntax_token *range;  /**< `0..3`, of a text that work-items share */
	struct tree_placement *next;
};

struct tree_thread {
	const struct syntax_token *name;
	struct tree_placement *placement;
	struct tree_parameter *parameters;
	struct tree_statement *body;
	const struct syntax_token *kernel;    /**< the word; NULL: a thread alone */
	const struct syntax_token *from, *to; /**< the braces around the body */
	const struct build_item *item; /**< that this thread is one of a shared text, or NULL */
	struct tree_thread *next;
};

/** A value in a condition or in `locations [...]`. */
struct tree_value {
	const struct syntax_token *at;
	struct tree_constant *constant;    /**< NULL: a register or a location */
	const struct syntax_token *thread; /**< NULL: a location */
	const struct syntax_token *name;
	const struct syntax_token *element;
	struct tree_value *next;
};

enum tree_condition_kind { TREE_TRUE, TREE_COMPARE, TREE_AND, TREE_OR, TREE_NOT };

struct tree_condition {
	enum tree_condition_kind kind;
	const struct syntax_token *at;
	enum oclmm_operator op;
	struct tree_value *a, *b;
	struct tree_condition *left, *right;
	unsigned depth;
};

struct tree_file {
	struct tree_entry *entries;
	struct tree_thread *threads;
	struct tree_function *functions; /**< in the order of the text */
	struct tree_table *tables;
	struct tree_value *observed; /**< of `locations [...]` */
	const struct syntax_token *observed_at;
	struct tree_condition *filter;
	const struct syntax_token *filter_at;
	enum oclmm_quantifier quantifier;
	struct tree_condition *condition; /**< NULL: the file has none */
	const struct syntax_token *end;   /**< the end of the file */
};

/** State of one run of the parser: reads words, builds a tree in `arena`. */
struct syntax_parser {
	const struct syntax_source *source;
	struct oclmm_arena *arena;
	const struct syntax_token *tokens; /**< ends with the end-of-file word */
	size_t next;
	struct tree_file *file;
	bool refused;
	bool dartagnan;
};

/** Parses the words of a body (from the first `{`). \return 0 or -EINVAL. */
int oclmm_parse_tree(const struct syntax_source *source, struct oclmm_arena *arena,
                     const struct syntax_tokens *tokens, bool dartagnan,
                     const struct tree_file **ret_file);
/** Refuses `token`. `names` are the names of the words that could stand there; those of one class
 * (operators, say) are mentioned together. */
void oclmm_refuse_unexpected(struct syntax_parser *parser, const struct syntax_token *token,
                             const char *const *names, size_t count);
/** What to say of a `#`. */
extern const char oclmm_no_preprocessor[];

#endif
