// SPDX-License-Identifier: Apache-2.0
#include "tree.h"

#include <string.h>

/* A final condition may be a long list of outcomes, one `\/` each. */
enum { MAX_CONDITION_DEPTH = 256 };

static bool too_deep(struct syntax_parser *parser, const struct syntax_token *at, unsigned depth,
                     unsigned most, const char *what)
{
	if (depth <= most)
		return false;
	if (!parser->refused)
		syntax_refuse(parser->source, &at->written, NULL, "%s nested deeper than %u", what,
		              most);
	parser->refused = true;
	return true;
}

static unsigned deeper(unsigned a, unsigned b)
{
	return 1 + (a > b ? a : b);
}

bool tree_refuse_extension(struct syntax_parser *parser, const struct syntax_token *at,
                           const char *what)
{
	if (!parser->dartagnan)
		return false;
	syntax_refuse(parser->source, &at->written, NULL,
	              "%s is not in the grammar shared with Dartagnan", what);
	parser->refused = true;
	return true;
}

struct tree_expression *tree_leaf(struct syntax_parser *parser, enum tree_expression_kind kind,
                                  const struct syntax_token *at)
{
	return tree_node(parser, kind, at, 0, NULL, NULL);
}

struct tree_expression *tree_node(struct syntax_parser *parser, enum tree_expression_kind kind,
                                  const struct syntax_token *at, enum oclmm_operator op,
                                  struct tree_expression *left, struct tree_expression *right)
{
	struct tree_expression *node = OCLMM_NEW(parser->arena, struct tree_expression);

	node->kind = kind;
	node->at = at;
	node->op = op;
	node->left = left;
	node->right = right;
	node->depth = deeper(left ? left->depth : 0, right ? right->depth : 0);
	if (too_deep(parser, at, node->depth, SYNTAX_MAX_NESTING, "an expression is"))
		return NULL;
	return node;
}

struct tree_expression *tree_call(struct syntax_parser *parser, const struct syntax_token *at,
                                  struct tree_expression *arguments)
{
	struct tree_expression *call = tree_leaf(parser, TREE_CALL, at);
	struct tree_expression *argument;

	call->arguments = arguments;
	for (argument = arguments; argument; argument = argument->next) {
		call->argument_count++;
		if (argument->depth >= call->depth)
			call->depth = argument->depth + 1;
	}
	if (too_deep(parser, at, call->depth, SYNTAX_MAX_NESTING, "an expression is"))
		return NULL;
	return call;
}

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
	struct tree_statement *statement = OCLMM_NEW(parser->arena, struct tree_statement);

	statement->kind = kind;
	statement->at = at;
	statement->body = body;
	statement->else_body = else_body;
	statement->depth = deeper(deepest(body), deepest(else_body));
	if (too_deep(parser, at, statement->depth, SYNTAX_MAX_NESTING, "statements are"))
		return NULL;
	return statement;
}

/* Whether it may be evaluated twice: registers and constants alone tell which object it is. */
static bool is_pure(const struct tree_expression *e)
{
	if (!e)
		return true;
	if (e->kind == TREE_CALL || e->kind == TREE_INDEX || e->kind == TREE_DEREFERENCE)
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

struct tree_condition *tree_condition(struct syntax_parser *parser, enum tree_condition_kind kind,
                                      const struct syntax_token *at, struct tree_condition *left,
                                      struct tree_condition *right)
{
	struct tree_condition *condition = OCLMM_NEW(parser->arena, struct tree_condition);

	condition->kind = kind;
	condition->at = at;
	condition->left = left;
	condition->right = right;
	condition->depth = deeper(left ? left->depth : 0, right ? right->depth : 0);
	if (too_deep(parser, at, condition->depth, MAX_CONDITION_DEPTH, "the condition is"))
		return NULL;
	return condition;
}

struct tree_condition *tree_compare(struct syntax_parser *parser, const struct syntax_token *at,
                                    enum oclmm_operator op, struct tree_value *a,
                                    struct tree_value *b)
{
	struct tree_condition *condition = tree_condition(parser, TREE_COMPARE, at, NULL, NULL);

	condition->op = op;
	condition->a = a;
	condition->b = b;
	return condition;
}

struct tree_specifier *tree_specifier(struct syntax_parser *parser, const struct syntax_token *at,
                                      struct tree_specifier *next)
{
	struct tree_specifier *specifier = OCLMM_NEW(parser->arena, struct tree_specifier);

	specifier->at = at;
	specifier->next = next;
	return specifier;
}

struct tree_constant *tree_constant(struct syntax_parser *parser, const struct syntax_token *at,
                                    const struct syntax_token *minus)
{
	struct tree_constant *constant = OCLMM_NEW(parser->arena, struct tree_constant);

	constant->at = at;
	constant->minus = minus;
	return constant;
}

struct tree_entry *tree_entry(struct syntax_parser *parser, struct tree_specifier *specifiers,
                              const struct syntax_token *thread, const struct syntax_token *name)
{
	struct tree_entry *entry = OCLMM_NEW(parser->arena, struct tree_entry);

	entry->specifiers = specifiers;
	entry->thread = thread;
	entry->name = name;
	return entry;
}

struct tree_thread *tree_thread(struct syntax_parser *parser, const struct syntax_token *name,
                                struct tree_placement *placement, struct tree_parameter *parameters,
                                struct tree_statement *body)
{
	struct tree_thread *thread = OCLMM_NEW(parser->arena, struct tree_thread);

	thread->name = name;
	thread->placement = placement;
	thread->parameters = parameters;
	thread->body = body;
	return thread;
}

struct tree_table *tree_table(struct syntax_parser *parser, const struct syntax_token *name,
                              struct tree_specifier *specifiers, struct tree_constant *values)
{
	struct tree_table *table = OCLMM_NEW(parser->arena, struct tree_table);

	if (tree_refuse_extension(parser, name, "a constant"))
		return NULL;
	table->name = name;
	table->specifiers = specifiers;
	table->values = values;
	return table;
}

/* A `return` somewhere within, but for the last statement of the list where that is allowed. */
static const struct tree_statement *find_return(const struct tree_statement *list, bool last_may)
{
	for (; list; list = list->next) {
		const struct tree_statement *found = find_return(list->body, false);

		found = found ? found : find_return(list->else_body, false);
		if (found)
			return found;
		if (list->kind == TREE_RETURN && (list->next || !last_may))
			return list;
	}
	return NULL;
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
	const struct tree_statement *early = find_return(body, true), *last = body;
	struct tree_function *function;

	if (tree_refuse_extension(parser, name, "a function"))
		return NULL;
	while (last && last->next)
		last = last->next;
	if (early)
		return refuse_return(parser, early->at,
		                     "write an `if` around the statements that are left out",
		                     "`return` is the last statement of a function");
	if (specifiers && !(last && last->kind == TREE_RETURN && last->expression))
		return refuse_return(parser, name, "end it with `return`, or make it `void`",
		                     "the function returns no value");
	if (!specifiers && last && last->kind == TREE_RETURN && last->expression)
		return refuse_return(parser, last->at, NULL, "a void function returns a value");
	function = OCLMM_NEW(parser->arena, struct tree_function);
	function->name = name;
	function->specifiers = specifiers;
	function->parameters = parameters;
	function->body = body;
	return function;
}

struct tree_placement *tree_placement(struct syntax_parser *parser, const struct syntax_token *word,
                                      const struct syntax_token *number)
{
	struct tree_placement *placement = OCLMM_NEW(parser->arena, struct tree_placement);

	placement->word = word;
	placement->number = number;
	return placement;
}

struct tree_parameter *tree_parameter(struct syntax_parser *parser, struct tree_specifier *before,
                                      struct tree_specifier *after, const struct syntax_token *name)
{
	struct tree_parameter *parameter = OCLMM_NEW(parser->arena, struct tree_parameter);
	struct tree_specifier *last = before;

	while (last->next)
		last = last->next;
	last->next = after;
	parameter->specifiers = before;
	parameter->name = name;
	return parameter;
}

struct tree_value *tree_value(struct syntax_parser *parser, const struct syntax_token *thread,
                              const struct syntax_token *name, const struct syntax_token *element)
{
	struct tree_value *value = OCLMM_NEW(parser->arena, struct tree_value);

	value->at = thread ? thread : name;
	value->thread = thread;
	value->name = name;
	value->element = element;
	return value;
}
