// SPDX-License-Identifier: Apache-2.0
/* Statements and functions. */
#include "tree.h"

#include <string.h>

static unsigned deepest(const struct tree_statement *list)
{
	unsigned depth = 0;

	for (; list; list = list->next) {
		if (list->depth > depth)
			depth = list->depth;
	}
	return depth;
}

struct tree_statement *tree_statement(struct syntax_parser *parser, enum tree_statement_kind kind,
                                      const struct syntax_token *at, struct tree_statement *body,
                                      struct tree_statement *else_body)
{
	unsigned depth = tree_deeper(deepest(body), deepest(else_body));

	if (tree_too_deep(parser, at, depth, SYNTAX_MAX_NESTING, "statements are"))
		return NULL;
	return OCLMM_MAKE(parser->arena, struct tree_statement, .kind = kind, .at = at,
	                  .body = body, .else_body = else_body, .depth = depth);
}

struct tree_statement *tree_statements(struct tree_statement *first, struct tree_statement *more)
{
	struct tree_statement *last = first;

	if (!first)
		return more;
	while (last->next)
		last = last->next;
	last->next = more;
	return first;
}

struct tree_statement *tree_evaluate(struct syntax_parser *parser, enum tree_statement_kind kind,
                                     const struct syntax_token *at,
                                     struct tree_expression *expression)
{
	return tree_controlled(parser, kind, at, expression, NULL, NULL);
}

struct tree_statement *tree_controlled(struct syntax_parser *parser, enum tree_statement_kind kind,
                                       const struct syntax_token *at,
                                       struct tree_expression *condition,
                                       struct tree_statement *body,
                                       struct tree_statement *else_body)
{
	struct tree_statement *statement = tree_statement(parser, kind, at, body, else_body);

	if (statement)
		statement->expression = condition;
	return statement;
}

struct tree_statement *tree_declaration(struct syntax_parser *parser,
                                        const struct syntax_token *name,
                                        struct tree_expression *value)
{
	return tree_evaluate(parser, TREE_DECLARATION, name, value);
}

struct tree_statement *tree_array(struct syntax_parser *parser, const struct syntax_token *name,
                                  const struct syntax_token *length, struct tree_expression *values)
{
	struct tree_statement *statement = tree_evaluate(parser, TREE_ARRAY, name, values);

	statement->length = length;
	return statement;
}

struct tree_statement *tree_declare(struct tree_statement *declarators,
                                    struct tree_specifier *specifiers)
{
	for (struct tree_statement *one = declarators; one; one = one->next)
		one->specifiers = specifiers;
	return declarators;
}

/* Whether it may be evaluated twice: registers and constants alone tell which object it is. */
static bool is_pure(const struct tree_expression *e)
{
	if (!e)
		return true;
	if (e->kind == TREE_CALL || e->kind == TREE_INDEX || e->kind == TREE_DEREFERENCE ||
	    e->kind == TREE_CHOICE || e->kind == TREE_ASSIGNED)
		return false;
	return is_pure(e->left) && is_pure(e->right);
}

static struct tree_expression *one(struct syntax_parser *parser, const struct syntax_token *at)
{
	struct syntax_token *word = OCLMM_NEW(parser->arena, struct syntax_token);

	*word = *at;
	word->text = "1";
	return tree_leaf(parser, TREE_NUMBER, word);
}

static enum oclmm_operator operator_of(const struct syntax_token *at)
{
	enum oclmm_operator op = OCLMM_OPERATOR_ADD;

	/* `+=` without its last letter, and `++` without it */
	while (strncmp(oclmm_operator_spelling(op), at->text, strlen(at->text) - 1) != 0)
		op++;
	return op;
}

struct tree_statement *tree_assignment(struct syntax_parser *parser, const struct syntax_token *at,
                                       struct tree_expression *target,
                                       struct tree_expression *value)
{
	struct tree_statement *statement = tree_statement(parser, TREE_ASSIGNMENT, at, NULL, NULL);

	statement->target = target;
	statement->expression = value;
	if (strcmp(at->text, "=") == 0)
		return statement;
	if (tree_refuse_extension(parser, at, "an assignment with an operator"))
		return NULL;
	/* `*x++` is `*(x++)` in C: it is the pointer that moves on */
	if (!value && target->kind == TREE_DEREFERENCE && !target->parenthesised &&
	    target->at < at) {
		syntax_refuse(parser->source, &at->written, "write `(*x)++`, or `*x += 1`",
		              "this counts the pointer up or down, which the format has not");
		parser->refused = true;
		return NULL;
	}
	if (!is_pure(target->left) || !is_pure(target->right)) {
		syntax_refuse(parser->source, &at->written,
		              "write the index into a register first: `int r0 = ...;`",
		              "what stands at `%s` reads memory to find its object", at->text);
		parser->refused = true;
		return NULL;
	}
	statement->expression = tree_node(parser, TREE_BINARY, at, operator_of(at), target,
	                                  value ? value : one(parser, at));
	return statement->expression ? statement : NULL;
}

/* The first `return` that has a value, or that has none, in the list and within it. */
static const struct tree_statement *find_return(const struct tree_statement *list, bool value)
{
	for (; list; list = list->next) {
		const struct tree_statement *found = find_return(list->body, value);

		found = found ? found : find_return(list->else_body, value);
		if (!found && list->kind == TREE_RETURN && !list->expression == !value)
			found = list;
		if (found)
			return found;
	}
	return NULL;
}

/* `while (1)`, `for (;;)` */
static bool is_endless(const struct tree_statement *loop)
{
	const struct tree_expression *condition = loop->expression;

	return !condition ||
	       (condition->kind == TREE_NUMBER && strcmp(condition->at->text, "0") != 0 &&
	        strcmp(condition->at->text, "false") != 0);
}

static bool has_break(const struct tree_statement *list)
{
	for (; list; list = list->next) {
		if (list->kind == TREE_BREAK ||
		    (list->kind != TREE_WHILE && list->kind != TREE_DO && list->kind != TREE_FOR &&
		     (has_break(list->body) || has_break(list->else_body))))
			return true;
	}
	return false;
}

/* Whether the end of the list is never reached. */
static bool ends(const struct tree_statement *list)
{
	for (; list; list = list->next) {
		if (list->kind == TREE_RETURN ||
		    (list->kind == TREE_IF && ends(list->body) && ends(list->else_body)) ||
		    (list->kind == TREE_BLOCK && ends(list->body)) ||
		    (list->kind == TREE_WHILE && is_endless(list) && !has_break(list->body)))
			return true;
	}
	return false;
}

static struct tree_function *refuse_return(struct syntax_parser *parser,
                                           const struct syntax_token *at, const char *note,
                                           const char *message)
{
	syntax_refuse(parser->source, &at->written, note, "%s", message);
	parser->refused = true;
	return NULL;
}

struct tree_function *tree_function(struct syntax_parser *parser, const struct syntax_token *name,
                                    struct tree_specifier *specifiers,
                                    struct tree_parameter *parameters, struct tree_statement *body)
{
	const struct tree_statement *misfit = find_return(body, !specifiers);

	if (tree_refuse_extension(parser, name, "a function"))
		return NULL;
	if (misfit)
		return refuse_return(parser, misfit->at, NULL,
		                     specifiers ? "the function returns a value"
		                                : "a void function returns a value");
	if (specifiers && !ends(body))
		return refuse_return(parser, name, "end it with `return`, or make it `void`",
		                     "the function returns no value");
	return OCLMM_MAKE(parser->arena, struct tree_function, .name = name,
	                  .specifiers = specifiers, .parameters = parameters, .body = body);
}

void tree_keep_function(struct tree_file *file, struct tree_function *function)
{
	function->next = file->functions;
	file->functions = function;
}
