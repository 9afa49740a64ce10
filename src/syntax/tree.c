// SPDX-License-Identifier: Apache-2.0
#include "tree.h"

/* A final condition may be a long list of outcomes, one `\/` each. */
enum { MAX_CONDITION_DEPTH = 256 };

bool tree_too_deep(struct syntax_parser *parser, const struct syntax_token *at, unsigned depth,
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

unsigned tree_deeper(unsigned a, unsigned b)
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
	unsigned depth = tree_deeper(left ? left->depth : 0, right ? right->depth : 0);

	if (tree_too_deep(parser, at, depth, SYNTAX_MAX_NESTING, "an expression is"))
		return NULL;
	return OCLMM_MAKE(parser->arena, struct tree_expression, .kind = kind, .at = at, .op = op,
	                  .left = left, .right = right, .depth = depth);
}

struct tree_expression *tree_call(struct syntax_parser *parser, enum tree_expression_kind kind,
                                  const struct syntax_token *at, struct tree_expression *arguments)
{
	struct tree_expression *call = tree_leaf(parser, kind, at);
	struct tree_expression *argument;

	call->arguments = arguments;
	for (argument = arguments; argument; argument = argument->next) {
		call->argument_count++;
		if (argument->depth >= call->depth)
			call->depth = argument->depth + 1;
	}
	if (tree_too_deep(parser, at, call->depth, SYNTAX_MAX_NESTING, "an expression is"))
		return NULL;
	return call;
}

struct tree_expression *tree_choice(struct syntax_parser *parser, const struct syntax_token *at,
                                    struct tree_expression *condition,
                                    struct tree_expression *values)
{
	struct tree_expression *choice = tree_call(parser, TREE_CHOICE, at, values);

	if (!choice)
		return NULL;
	choice->left = condition;
	choice->depth = tree_deeper(choice->depth - 1, condition->depth);
	return tree_too_deep(parser, at, choice->depth, SYNTAX_MAX_NESTING, "an expression is")
	               ? NULL
	               : choice;
}

struct tree_condition *tree_condition(struct syntax_parser *parser, enum tree_condition_kind kind,
                                      const struct syntax_token *at, struct tree_condition *left,
                                      struct tree_condition *right)
{
	unsigned depth = tree_deeper(left ? left->depth : 0, right ? right->depth : 0);

	if (tree_too_deep(parser, at, depth, MAX_CONDITION_DEPTH, "the condition is"))
		return NULL;
	return OCLMM_MAKE(parser->arena, struct tree_condition, .kind = kind, .at = at,
	                  .left = left, .right = right, .depth = depth);
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
	return OCLMM_MAKE(parser->arena, struct tree_specifier, .at = at, .next = next);
}

struct tree_constant *tree_constant(struct syntax_parser *parser, const struct syntax_token *at,
                                    const struct syntax_token *minus)
{
	return OCLMM_MAKE(parser->arena, struct tree_constant, .at = at, .minus = minus);
}

struct tree_entry *tree_entry(struct syntax_parser *parser, struct tree_specifier *specifiers,
                              const struct syntax_token *thread, const struct syntax_token *name)
{
	return OCLMM_MAKE(parser->arena, struct tree_entry, .specifiers = specifiers,
	                  .thread = thread, .name = name);
}

struct tree_entry *tree_array_entry(struct syntax_parser *parser, struct tree_specifier *specifiers,
                                    const struct syntax_token *name,
                                    const struct syntax_token *length, struct tree_constant *values)
{
	struct tree_entry *entry = tree_entry(parser, specifiers, NULL, name);

	entry->is_array = true;
	entry->length = length;
	entry->values = values;
	return entry;
}

struct tree_thread *tree_thread(struct syntax_parser *parser, const struct syntax_token *name,
                                struct tree_placement *placement, struct tree_parameter *parameters,
                                struct tree_statement *body)
{
	return OCLMM_MAKE(parser->arena, struct tree_thread, .name = name, .placement = placement,
	                  .parameters = parameters, .body = body);
}

struct tree_table *tree_table(struct syntax_parser *parser, const struct syntax_token *name,
                              struct tree_specifier *specifiers, struct tree_constant *values)
{
	if (tree_refuse_extension(parser, name, "a constant"))
		return NULL;
	return OCLMM_MAKE(parser->arena, struct tree_table, .name = name, .specifiers = specifiers,
	                  .values = values);
}

void tree_keep_table(struct tree_file *file, struct tree_table *table)
{
	table->next = file->tables;
	file->tables = table;
}

struct tree_placement *tree_placement(struct syntax_parser *parser, const struct syntax_token *word,
                                      const struct syntax_token *number)
{
	return OCLMM_MAKE(parser->arena, struct tree_placement, .word = word, .number = number);
}

struct tree_parameter *tree_parameter(struct syntax_parser *parser, struct tree_specifier *before,
                                      struct tree_specifier *after, const struct syntax_token *name)
{
	struct tree_specifier *last = before;

	while (last->next)
		last = last->next;
	last->next = after;
	return OCLMM_MAKE(parser->arena, struct tree_parameter, .specifiers = before, .name = name);
}

struct tree_parameter *tree_image(struct syntax_parser *parser, const struct syntax_token *access,
                                  const struct syntax_token *type, const struct syntax_token *name)
{
	struct tree_specifier *types = tree_specifier(parser, type, NULL);

	return tree_parameter(parser, tree_specifier(parser, access, types), NULL, name);
}

struct tree_value *tree_value(struct syntax_parser *parser, const struct syntax_token *thread,
                              const struct syntax_token *name, const struct syntax_token *element)
{
	return OCLMM_MAKE(parser->arena, struct tree_value, .at = thread ? thread : name,
	                  .thread = thread, .name = name, .element = element);
}

bool tree_observe(struct syntax_parser *parser, const struct syntax_token *at,
                  struct tree_value *values, const struct syntax_token *semicolon)
{
	if (!values && tree_refuse_extension(parser, at, "an empty list"))
		return true;
	if (semicolon && tree_refuse_extension(parser, semicolon, "a `;` here"))
		return true;
	parser->file->observed = values;
	parser->file->observed_at = at;
	return false;
}
