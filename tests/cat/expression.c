// SPDX-License-Identifier: Apache-2.0
/*
 * Reads expressions. Every name is known when it is used, so that each
 * expression has a type at once: set or relation.
 */

#include "parse.h"

enum { MAX_DEPTH = 200 };

int cat_expect_symbol(struct cat_parser *parser, char symbol)
{
	if (!cat_is_symbol(&parser->lexer, symbol))
		return cat_refuse(&parser->lexer, parser->lexer.position, "expected %c", symbol);
	return cat_next(&parser->lexer);
}

int cat_expect_type(const struct cat_parser *parser, const struct cat_node *node,
                    enum cat_type type)
{
	if (node->type == type)
		return 0;
	return cat_refuse(&parser->lexer, node->position,
	                  type == CAT_SET ? "a set is wanted here, this is a relation"
	                                  : "a relation is wanted here, this is a set");
}

static struct cat_node *make_node(struct cat_parser *parser, enum cat_operation operation,
                                  enum cat_type type, struct oclmm_position position)
{
	struct cat_node *node = OCLMM_NEW(parser->arena, struct cat_node);
	size_t words = type == CAT_SET ? 1 : CAT_MAX_EVENTS;

	node->operation = operation;
	node->type = type;
	node->position = position;
	if (operation != CAT_REFERENCE)
		node->value = OCLMM_NEW_ARRAY(parser->arena, uint64_t, words);
	return node;
}

static int parse_reference(struct cat_parser *parser, struct cat_node **ret_node)
{
	const struct cat_lexer *lexer = &parser->lexer;

	for (struct cat_binding *b = parser->scope; b != NULL; b = b->before)
		if (cat_is_word(lexer, b->name)) {
			*ret_node = make_node(parser, CAT_REFERENCE, b->type, lexer->position);
			(*ret_node)->binding = b;
			return cat_next(&parser->lexer);
		}
	return cat_refuse(lexer, lexer->position, "nothing has the name %.*s",
	                  (int)lexer->position.length, lexer->word);
}

/** `[set]`, `domain(r)`, `range(r)`: what stands between brackets, then one operation. */
static int parse_wrapped(struct cat_parser *parser, enum cat_operation operation, char close,
                         struct cat_node **ret_node)
{
	enum cat_type inner = operation == CAT_IDENTITY ? CAT_SET : CAT_RELATION;
	struct oclmm_position position = parser->lexer.position;
	struct cat_node *operand;
	int result = cat_next(&parser->lexer);

	if (result == 0 && close == ')')
		result = cat_expect_symbol(parser, '(');
	if (result == 0)
		result = cat_parse_expression(parser, &operand);
	if (result == 0)
		result = cat_expect_type(parser, operand, inner);
	if (result == 0)
		result = cat_expect_symbol(parser, close);
	if (result != 0)
		return result;
	*ret_node = make_node(parser, operation, inner == CAT_SET ? CAT_RELATION : CAT_SET,
	                      position);
	(*ret_node)->left = operand;
	return 0;
}

static int parse_primary(struct cat_parser *parser, struct cat_node **ret_node)
{
	struct cat_lexer *lexer = &parser->lexer;
	int result;

	if (cat_is_word(lexer, "domain"))
		return parse_wrapped(parser, CAT_DOMAIN, ')', ret_node);
	if (cat_is_word(lexer, "range"))
		return parse_wrapped(parser, CAT_RANGE, ')', ret_node);
	if (cat_is_symbol(lexer, '['))
		return parse_wrapped(parser, CAT_IDENTITY, ']', ret_node);
	if (lexer->token == CAT_NAME)
		return parse_reference(parser, ret_node);
	if (!cat_is_symbol(lexer, '('))
		return cat_refuse(lexer, lexer->position, "expected an expression");
	result = cat_next(lexer);
	if (result == 0)
		result = cat_parse_expression(parser, ret_node);
	return result == 0 ? cat_expect_symbol(parser, ')') : result;
}

/** A `*` behind a set is a product, and none of these. */
static bool is_postfix(const struct cat_lexer *lexer, const struct cat_node *node,
                       enum cat_operation *ret_operation)
{
	if (lexer->token != CAT_SYMBOL)
		return false;
	switch (lexer->symbol) {
	case '+': *ret_operation = CAT_PLUS; return true;
	case '?': *ret_operation = CAT_MAYBE; return true;
	case '^': *ret_operation = CAT_INVERSE; return true;
	case '*': *ret_operation = CAT_STAR; return node->type == CAT_RELATION;
	default: return false;
	}
}

static int parse_postfix(struct cat_parser *parser, struct cat_node **ret_node)
{
	struct cat_node *node;
	enum cat_operation operation;
	int result = parse_primary(parser, &node);

	while (result == 0 && is_postfix(&parser->lexer, node, &operation)) {
		struct cat_node *outer;

		result = cat_expect_type(parser, node, CAT_RELATION);
		if (result != 0)
			return result;
		outer = make_node(parser, operation, CAT_RELATION, node->position);
		outer->left = node;
		node = outer;
		result = cat_next(&parser->lexer);
	}
	if (result == 0)
		*ret_node = node;
	return result;
}

static int parse_prefix(struct cat_parser *parser, struct cat_node **ret_node)
{
	struct oclmm_position position = parser->lexer.position;
	struct cat_node *operand;
	int result;

	if (!cat_is_symbol(&parser->lexer, '~'))
		return parse_postfix(parser, ret_node);
	if (++parser->depth > MAX_DEPTH)
		return cat_refuse(&parser->lexer, position, "nested too deeply");
	result = cat_next(&parser->lexer);
	if (result == 0)
		result = parse_prefix(parser, &operand);
	parser->depth--;
	if (result != 0)
		return result;
	*ret_node = make_node(parser, CAT_COMPLEMENT, operand->type, position);
	(*ret_node)->left = operand;
	return 0;
}

/* from loose to tight */
static const struct {
	char symbol;
	enum cat_operation operation;
} infix[] = {
	{'|', CAT_UNION},        {';', CAT_SEQUENCE}, {'\\', CAT_DIFFERENCE},
	{'&', CAT_INTERSECTION}, {'*', CAT_PRODUCT},
};

static int check_operands(const struct cat_parser *parser, enum cat_operation operation,
                          const struct cat_node *left, const struct cat_node *right)
{
	enum cat_type type = operation == CAT_SEQUENCE  ? CAT_RELATION
	                     : operation == CAT_PRODUCT ? CAT_SET
	                                                : left->type;
	int result = cat_expect_type(parser, left, type);

	return result == 0 ? cat_expect_type(parser, right, type) : result;
}

static int parse_infix(struct cat_parser *parser, unsigned level, struct cat_node **ret_node)
{
	struct cat_node *left, *right, *both;
	int result;

	if (level == OCLMM_COUNT(infix))
		return parse_prefix(parser, ret_node);
	result = parse_infix(parser, level + 1, &left);
	while (result == 0 && cat_is_symbol(&parser->lexer, infix[level].symbol)) {
		enum cat_operation operation = infix[level].operation;

		result = cat_next(&parser->lexer);
		if (result == 0)
			result = parse_infix(parser, level + 1, &right);
		if (result == 0)
			result = check_operands(parser, operation, left, right);
		if (result != 0)
			return result;
		both = make_node(parser, operation,
		                 operation == CAT_PRODUCT ? CAT_RELATION : left->type,
		                 left->position);
		both->left = left;
		both->right = right;
		left = both;
	}
	if (result == 0)
		*ret_node = left;
	return result;
}

int cat_parse_expression(struct cat_parser *parser, struct cat_node **ret_node)
{
	int result;

	if (++parser->depth > MAX_DEPTH)
		return cat_refuse(&parser->lexer, parser->lexer.position, "nested too deeply");
	result = parse_infix(parser, 0, ret_node);
	parser->depth--;
	return result;
}
