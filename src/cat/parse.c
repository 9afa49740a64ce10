// SPDX-License-Identifier: Apache-2.0
/*
 * Reads a model: words, expressions, statements. A name is known before it is used, so that each
 * expression has a type at once: set or relation. A function has none before it is called: its body
 * is read anew for each call.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* ---- words ----------------------------------------------------------- */

enum token {
	TOKEN_END,
	TOKEN_NAME,
	TOKEN_STRING,
	TOKEN_SYMBOL, /**< one of | ; \ & * + ? ~ ( ) [ ] , = 0 and ^-1, which is '^' */
};

struct lexer {
	const char *path, *text;
	size_t length, at;
	size_t end; /**< of the word before the one that was read last */
	uint32_t line;
	size_t line_start;
	struct oclmm_error *error;
	/* the word that was read last */
	enum token token;
	char symbol;
	const char *word;
	size_t string_length; /**< of a string, which `word` is then, without its quotes */
	struct oclmm_position position;
	/* where the text is the body of a function: which, and where it is called */
	const char *function;
	uint32_t call_line;
};

/** Copies the line of a place. */
static void quote_line(const struct lexer *lexer, uint32_t line, struct oclmm_error *error)
{
	const char *at = lexer->text, *end = lexer->text + lexer->length;
	size_t length;

	for (uint32_t i = 1; i < line; i++)
		at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
	for (length = 0; at + length < end && at[length] != '\n'; length++)
		if (length + 1 == sizeof(error->source))
			return; /* too long to be shown */
	memcpy(error->source, at, length);
	error->source[length] = '\0';
}

static int refuse(const struct lexer *lexer, struct oclmm_position position, const char *format,
                  ...) OCLMM_PRINTF(3, 4);
static int refuse(const struct lexer *lexer, struct oclmm_position position, const char *format,
                  ...)
{
	struct oclmm_error *error = lexer->error;
	va_list arguments;

	memset(error, 0, sizeof(*error));
	snprintf(error->file, sizeof(error->file), "%s", lexer->path);
	error->position = position;
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	if (lexer->function)
		snprintf(error->message + strlen(error->message),
		         sizeof(error->message) - strlen(error->message),
		         "; line %" PRIu32 " calls %s", lexer->call_line, lexer->function);
	quote_line(lexer, position.line, error);
	return -EINVAL;
}

static bool is_word(const struct lexer *lexer, const char *word)
{
	return lexer->token == TOKEN_NAME && strlen(word) == lexer->position.length &&
	       memcmp(lexer->word, word, lexer->position.length) == 0;
}

static bool is_symbol(const struct lexer *lexer, char symbol)
{
	return lexer->token == TOKEN_SYMBOL && lexer->symbol == symbol;
}

static char peek(const struct lexer *lexer, size_t ahead)
{
	return lexer->at + ahead < lexer->length ? lexer->text[lexer->at + ahead] : '\0';
}

static void step(struct lexer *lexer)
{
	if (lexer->text[lexer->at++] == '\n') {
		lexer->line++;
		lexer->line_start = lexer->at;
	}
}

static struct oclmm_position here(const struct lexer *lexer, uint32_t length)
{
	return (struct oclmm_position){lexer->line, (uint32_t)(lexer->at - lexer->line_start + 1),
	                               length};
}

/** Skips a comment; they nest. */
static int skip_comment(struct lexer *lexer)
{
	struct oclmm_position start = here(lexer, 2);
	unsigned depth = 0;

	do {
		if (lexer->at >= lexer->length)
			return refuse(lexer, start, "comment without end");
		if (peek(lexer, 0) == '(' && peek(lexer, 1) == '*') {
			depth++;
			lexer->at++;
		} else if (peek(lexer, 0) == '*' && peek(lexer, 1) == ')') {
			depth--;
			lexer->at++;
		}
		step(lexer);
	} while (depth > 0);
	return 0;
}

static int skip_blanks(struct lexer *lexer)
{
	while (lexer->at < lexer->length) {
		int result = 0;

		if (peek(lexer, 0) == '(' && peek(lexer, 1) == '*')
			result = skip_comment(lexer);
		else if (peek(lexer, 0) == '/' && peek(lexer, 1) == '/')
			while (lexer->at < lexer->length && peek(lexer, 0) != '\n')
				step(lexer);
		else if (isspace((unsigned char)peek(lexer, 0)))
			step(lexer);
		else
			break;
		if (result != 0)
			return result;
	}
	return 0;
}

/** A hyphen may stand within a name, as in `po-loc`. */
static bool is_name_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

static int read_string(struct lexer *lexer)
{
	size_t length = 1;

	lexer->position = here(lexer, 1);
	while (peek(lexer, length) != '"') {
		if (lexer->at + length >= lexer->length || peek(lexer, length) == '\n')
			return refuse(lexer, lexer->position, "string without end");
		length++;
	}
	lexer->token = TOKEN_STRING;
	lexer->word = lexer->text + lexer->at + 1;
	lexer->string_length = length - 1;
	lexer->at += length + 1;
	return 0;
}

/** Operators of one character, and `^` with what it raises to. */
static int read_symbol(struct lexer *lexer)
{
	char c = peek(lexer, 0);
	uint32_t length = 1;

	if (c == '^' && peek(lexer, 1) == '-' && peek(lexer, 2) == '1') {
		length = 3;
	} else if (c == '^' && peek(lexer, 1) != '\0' && strchr("+*?", peek(lexer, 1)) != NULL) {
		c = peek(lexer, 1);
		length = 2;
	} else if (c == '\0' || strchr("|;\\&*+?~()[],=0", c) == NULL) {
		return refuse(lexer, here(lexer, 1), "this character means nothing here");
	}
	lexer->token = TOKEN_SYMBOL;
	lexer->symbol = c;
	lexer->position = here(lexer, length);
	lexer->word = lexer->text + lexer->at;
	lexer->at += length;
	return 0;
}

static int next_word(struct lexer *lexer)
{
	uint32_t length = 0;
	int result;

	lexer->end = lexer->at;
	result = skip_blanks(lexer);

	if (result != 0)
		return result;
	lexer->position = here(lexer, 1);
	if (lexer->at >= lexer->length) {
		lexer->token = TOKEN_END;
		return 0;
	}
	if (peek(lexer, 0) == '"')
		return read_string(lexer);
	if (!isalpha((unsigned char)peek(lexer, 0)) && peek(lexer, 0) != '_')
		return read_symbol(lexer);
	while (is_name_character(peek(lexer, length)))
		length++;
	lexer->token = TOKEN_NAME;
	lexer->word = lexer->text + lexer->at;
	lexer->position = here(lexer, length);
	lexer->at += length;
	return 0;
}

/* ---- expressions ----------------------------------------------------- */

struct parser {
	struct lexer lexer;
	struct oclmm_arena *arena;
	struct cat_binding *scope; /**< the name bound last */
	struct cat_binding *given; /**< the name bound last before the model's own */
	unsigned depth;            /**< of nested expressions, calls and files */
	unsigned nodes;
	uint64_t hash; /**< of all files that were read */
};

/** A function's body as it was read up to it, with the names that are known there. */
struct cat_function {
	const char **parameters;
	unsigned count;
	struct lexer lexer; /**< at the body's first word */
	size_t end;         /**< of the body in its text */
	struct cat_binding *scope;
};

static int parse_expression(struct parser *parser, struct cat_node **ret_node);

enum { MAX_DEPTH = 200, MAX_PARAMETERS = 8 };
/* Functions that call functions twice grow twofold with each. */
enum { MAX_NODES = 1 << 15 };

static int expect_symbol(struct parser *parser, char symbol)
{
	if (!is_symbol(&parser->lexer, symbol))
		return refuse(&parser->lexer, parser->lexer.position, "expected %c", symbol);
	return next_word(&parser->lexer);
}

static int expect_type(const struct parser *parser, struct cat_node *node, enum oclmm_cat_type type)
{
	/* 0 is both */
	if (node->operation == CAT_NOTHING)
		node->type = type;
	if (node->type == type)
		return 0;
	return refuse(&parser->lexer, node->position,
	              type == OCLMM_CAT_SET ? "a set is wanted here, this is a relation"
	                                    : "a relation is wanted here, this is a set");
}

static struct cat_node *make_node(struct parser *parser, enum cat_operation operation,
                                  enum oclmm_cat_type type, struct oclmm_position position)
{
	struct cat_node *node = OCLMM_NEW(parser->arena, struct cat_node);
	size_t words = type == OCLMM_CAT_SET ? 1 : OCLMM_CAT_MAX_EVENTS;

	node->operation = operation;
	node->type = type;
	node->position = position;
	node->text = parser->lexer.text;
	parser->nodes++;
	if (operation != CAT_REFERENCE && operation != CAT_CALL)
		node->value = OCLMM_NEW_ARRAY(parser->arena, uint64_t, words);
	return node;
}

static struct cat_binding *make_binding(struct parser *parser, const char *name,
                                        enum oclmm_cat_type type)
{
	struct cat_binding *binding = OCLMM_NEW(parser->arena, struct cat_binding);

	binding->name = name;
	binding->type = type;
	return binding;
}

static void bring_into_scope(struct parser *parser, struct cat_binding *binding)
{
	binding->before = parser->scope;
	parser->scope = binding;
}

/* ---- functions ------------------------------------------------------- */

/** Reads the body once more, with the names that it may use and the parameters. */
static int parse_body(struct parser *parser, struct cat_binding *binding, struct cat_node *call)
{
	const struct cat_function *function = binding->function;
	const struct lexer lexer = parser->lexer;
	struct cat_binding *scope = parser->scope;
	int result;

	parser->lexer = function->lexer;
	parser->lexer.error = lexer.error;
	parser->lexer.function = binding->name;
	parser->lexer.call_line = call->position.line;
	parser->scope = function->scope;
	for (unsigned i = 0; i < call->parameter_count; i++)
		bring_into_scope(parser, call->parameters[i]);
	result = parse_expression(parser, &call->left);
	if (result == 0 && parser->lexer.end < function->end)
		result = refuse(&parser->lexer, parser->lexer.position,
		                "the function's body ends before this");
	parser->lexer = lexer;
	parser->scope = scope;
	if (result == 0)
		call->type = call->left->type;
	return result;
}

static int parse_arguments(struct parser *parser, const struct cat_function *function,
                           struct cat_node *call)
{
	int result = expect_symbol(parser, '(');

	call->parameters = OCLMM_NEW_ARRAY(parser->arena, struct cat_binding *, MAX_PARAMETERS);
	for (unsigned i = 0; result == 0 && i < function->count; i++) {
		struct cat_node *argument;

		if (i > 0)
			result = expect_symbol(parser, ',');
		if (result == 0)
			result = parse_expression(parser, &argument);
		if (result != 0)
			return result;
		/* what refuses returns less than 0 */
		/* NOLINTNEXTLINE(*-core.NullDereference) */
		call->parameters[i] = make_binding(parser, function->parameters[i], argument->type);
		call->parameters[i]->parameter = true;
		call->parameters[i]->body = argument;
		call->parameter_count++;
	}
	return result == 0 ? expect_symbol(parser, ')') : result;
}

/** `f(e, e)`, or the name alone of one that has no parameters. */
static int parse_call(struct parser *parser, struct cat_binding *binding,
                      struct cat_node **ret_node)
{
	struct cat_node *call = make_node(parser, CAT_CALL, OCLMM_CAT_RELATION,
	                                  parser->lexer.position);
	int result = next_word(&parser->lexer);

	call->binding = binding;
	if (result == 0 && binding->function->count > 0)
		result = parse_arguments(parser, binding->function, call);
	if (result == 0)
		result = parse_body(parser, binding, call);
	*ret_node = call;
	return result;
}

/*
 * What herd and Dartagnan define in the files that their models include: names of which a model
 * need not have a definition, by those that it is given.
 */
static const struct {
	const char *name, *parameter, *body;
} standard[] = {
	{"id", NULL, "[_]"},
	{"unv", NULL, "_ * _"},
	{"M", NULL, "R | W"},
	{"RMW", NULL, "R & W"},
	{"RLX", NULL, "A & (R | W) \\ (ACQ | REL | ACQ_REL | SC)"},
	{"NA", NULL, "(R | W) \\ A"},
	{"fr", NULL, "(rf^-1; co) \\ [_]"},
	{"rfe", NULL, "rf & ext"},
	{"rfi", NULL, "rf & int"},
	{"coe", NULL, "co & ext"},
	{"coi", NULL, "co & int"},
	{"fre", NULL, "fr & ext"},
	{"fri", NULL, "fr & int"},
	{"po-loc", NULL, "po & loc"},
	{"toid", "S", "[S]"},
	{"fencerel", "S", "po; [S]; po"},
};

/** A standard name as a function; NULL where there is none. */
static struct cat_binding *find_standard(struct parser *parser)
{
	struct cat_binding *binding;
	size_t i = 0;

	while (i < OCLMM_COUNT(standard) && !is_word(&parser->lexer, standard[i].name))
		i++;
	if (i == OCLMM_COUNT(standard))
		return NULL;
	binding = make_binding(parser, standard[i].name, OCLMM_CAT_RELATION);
	binding->function = OCLMM_NEW(parser->arena, struct cat_function);
	binding->function->count = standard[i].parameter != NULL;
	binding->function->parameters = OCLMM_NEW(parser->arena, const char *);
	binding->function->parameters[0] = standard[i].parameter;
	binding->function->scope = parser->given;
	binding->function->end = strlen(standard[i].body);
	binding->function->lexer = (struct lexer){.path = parser->lexer.path,
	                                          .text = standard[i].body,
	                                          .length = strlen(standard[i].body),
	                                          .line = 1,
	                                          .error = parser->lexer.error};
	next_word(&binding->function->lexer);
	return binding;
}

static int refuse_name(const struct lexer *lexer)
{
	return refuse(lexer, lexer->position, "nothing has the name %.*s%s",
	              (int)lexer->position.length, lexer->word,
	              is_word(lexer, "rmw") ? ": a read-modify-write is one event, in R and in W"
	                                    : "");
}

/* A standard name may be made of names that this model is not given: then it has no such name. */
static int parse_standard(struct parser *parser, struct cat_node **ret_node)
{
	const struct lexer lexer = parser->lexer;
	struct cat_binding *binding = find_standard(parser);
	int result;

	if (binding == NULL)
		return refuse_name(&lexer);
	result = parse_call(parser, binding, ret_node);
	return result != 0 && binding->function->count == 0 ? refuse_name(&lexer) : result;
}

static int parse_reference(struct parser *parser, struct cat_node **ret_node)
{
	const struct lexer *lexer = &parser->lexer;

	for (struct cat_binding *b = parser->scope; b != NULL; b = b->before) {
		if (!is_word(lexer, b->name))
			continue;
		if (b->function != NULL)
			return parse_call(parser, b, ret_node);
		*ret_node = make_node(parser, CAT_REFERENCE, b->type, lexer->position);
		(*ret_node)->binding = b;
		return next_word(&parser->lexer);
	}
	return parse_standard(parser, ret_node);
}

/** `[set]`, `domain(r)`, `range(r)`: what stands between brackets, then one operation. */
static int parse_wrapped(struct parser *parser, enum cat_operation operation, char close,
                         struct cat_node **ret_node)
{
	enum oclmm_cat_type inner = operation == CAT_IDENTITY ? OCLMM_CAT_SET : OCLMM_CAT_RELATION;
	struct oclmm_position position = parser->lexer.position;
	struct cat_node *operand;
	int result = next_word(&parser->lexer);

	if (result == 0 && close == ')')
		result = expect_symbol(parser, '(');
	if (result == 0)
		result = parse_expression(parser, &operand);
	if (result == 0)
		/* what refuses returns less than 0 */
		/* NOLINTNEXTLINE(*-core.CallAndMessage) */
		result = expect_type(parser, operand, inner);
	if (result == 0)
		result = expect_symbol(parser, close);
	if (result != 0)
		return result;
	*ret_node = make_node(parser, operation,
	                      inner == OCLMM_CAT_SET ? OCLMM_CAT_RELATION : OCLMM_CAT_SET,
	                      position);
	(*ret_node)->left = operand;
	return 0;
}

static bool begins_statement(const struct lexer *lexer)
{
	static const char *const words[] = {
		"let",   "with",    "flag", "acyclic", "irreflexive",
		"empty", "include", "show", "unshow",  "undefined_unless"};

	for (size_t i = 0; i < OCLMM_COUNT(words); i++)
		if (is_word(lexer, words[i]))
			return true;
	return lexer->token == TOKEN_END;
}

static int parse_primary(struct parser *parser, struct cat_node **ret_node)
{
	struct lexer *lexer = &parser->lexer;
	int result;

	if (is_word(lexer, "domain"))
		return parse_wrapped(parser, CAT_DOMAIN, ')', ret_node);
	if (is_word(lexer, "range"))
		return parse_wrapped(parser, CAT_RANGE, ')', ret_node);
	if (is_symbol(lexer, '['))
		return parse_wrapped(parser, CAT_IDENTITY, ']', ret_node);
	if (lexer->token == TOKEN_NAME && !begins_statement(lexer))
		return parse_reference(parser, ret_node);
	if (is_symbol(lexer, '0')) {
		*ret_node = make_node(parser, CAT_NOTHING, OCLMM_CAT_RELATION, lexer->position);
		return next_word(lexer);
	}
	if (!is_symbol(lexer, '('))
		return refuse(lexer, lexer->position, "expected an expression");
	result = next_word(lexer);
	if (result == 0)
		result = parse_expression(parser, ret_node);
	return result == 0 ? expect_symbol(parser, ')') : result;
}

/** A `*` behind a set is a product, and none of these. */
static bool is_postfix(const struct lexer *lexer, const struct cat_node *node,
                       enum cat_operation *ret_operation)
{
	if (lexer->token != TOKEN_SYMBOL)
		return false;
	switch (lexer->symbol) {
	case '+': *ret_operation = CAT_PLUS; return true;
	case '?': *ret_operation = CAT_MAYBE; return true;
	case '^': *ret_operation = CAT_INVERSE; return true;
	case '*': *ret_operation = CAT_STAR; return node->type == OCLMM_CAT_RELATION;
	default: return false;
	}
}

static int parse_postfix(struct parser *parser, struct cat_node **ret_node)
{
	struct cat_node *node;
	enum cat_operation operation;
	int result = parse_primary(parser, &node);

	/* what refuses returns less than 0 */
	/* NOLINTNEXTLINE(*-core.CallAndMessage) */
	while (result == 0 && is_postfix(&parser->lexer, node, &operation)) {
		struct cat_node *outer;

		result = expect_type(parser, node, OCLMM_CAT_RELATION);
		if (result != 0)
			return result;
		outer = make_node(parser, operation, OCLMM_CAT_RELATION, node->position);
		outer->left = node;
		node = outer;
		result = next_word(&parser->lexer);
	}
	if (result == 0)
		*ret_node = node;
	return result;
}

static int parse_prefix(struct parser *parser, struct cat_node **ret_node)
{
	struct oclmm_position position = parser->lexer.position;
	struct cat_node *operand;
	int result;

	if (!is_symbol(&parser->lexer, '~'))
		return parse_postfix(parser, ret_node);
	if (++parser->depth > MAX_DEPTH)
		return refuse(&parser->lexer, position, "nested too deeply");
	result = next_word(&parser->lexer);
	if (result == 0)
		result = parse_prefix(parser, &operand);
	parser->depth--;
	if (result != 0)
		return result;
	/* what refuses returns less than 0 */
	/* NOLINTNEXTLINE(*-core.NullDereference) */
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

static int check_operands(const struct parser *parser, enum cat_operation operation,
                          struct cat_node *left, struct cat_node *right)
{
	enum oclmm_cat_type type = operation == CAT_SEQUENCE        ? OCLMM_CAT_RELATION
	                           : operation == CAT_PRODUCT       ? OCLMM_CAT_SET
	                           : left->operation == CAT_NOTHING ? right->type
	                                                            : left->type;
	int result = expect_type(parser, left, type);

	return result == 0 ? expect_type(parser, right, type) : result;
}

static int parse_infix(struct parser *parser, unsigned level, struct cat_node **ret_node)
{
	struct cat_node *left, *right, *both;
	int result;

	if (level == OCLMM_COUNT(infix))
		return parse_prefix(parser, ret_node);
	result = parse_infix(parser, level + 1, &left);
	while (result == 0 && is_symbol(&parser->lexer, infix[level].symbol)) {
		enum cat_operation operation = infix[level].operation;

		result = next_word(&parser->lexer);
		if (result == 0)
			result = parse_infix(parser, level + 1, &right);
		if (result == 0)
			result = check_operands(parser, operation, left, right);
		if (result != 0)
			return result;
		both = make_node(parser, operation,
		                 operation == CAT_PRODUCT ? OCLMM_CAT_RELATION : left->type,
		                 left->position);
		both->left = left;
		both->right = right;
		left = both;
	}
	if (result == 0)
		*ret_node = left;
	return result;
}

static int parse_expression(struct parser *parser, struct cat_node **ret_node)
{
	int result;

	if (++parser->depth > MAX_DEPTH)
		return refuse(&parser->lexer, parser->lexer.position, "nested too deeply");
	if (parser->nodes > MAX_NODES)
		return refuse(&parser->lexer, parser->lexer.position,
		              "with what its functions call, this is too large");
	result = parse_infix(parser, 0, ret_node);
	parser->depth--;
	return result;
}

/* ---- statements ------------------------------------------------------ */

enum { MAX_BINDINGS = 16 }; /* of one `let … and …` */

static int refuse_here(const struct parser *parser, const char *message)
{
	return refuse(&parser->lexer, parser->lexer.position, "%s", message);
}

static int parse_new_name(struct parser *parser, const char **ret_name)
{
	static const char *const reserved[] = {"rec", "and", "as", "from", "domain", "range", "_"};

	if (parser->lexer.token != TOKEN_NAME)
		return refuse_here(parser, "expected a name");
	if (begins_statement(&parser->lexer))
		return refuse_here(parser, "this word cannot be a name");
	for (size_t i = 0; i < OCLMM_COUNT(reserved); i++)
		if (is_word(&parser->lexer, reserved[i]))
			return refuse_here(parser, "this word cannot be a name");
	*ret_name = oclmm_arena_strndup(parser->arena, parser->lexer.word,
	                                parser->lexer.position.length);
	return next_word(&parser->lexer);
}

static void add_binding(struct parser *parser, struct cat_statement *statement,
                        struct cat_binding *binding, struct cat_node *body)
{
	if (statement->bindings == NULL) {
		statement->bindings = OCLMM_NEW_ARRAY(parser->arena, struct cat_binding *,
		                                      MAX_BINDINGS);
		statement->bodies = OCLMM_NEW_ARRAY(parser->arena, struct cat_node *, MAX_BINDINGS);
	}
	statement->bindings[statement->count] = binding;
	statement->bodies[statement->count++] = body;
}

/* ---- let ------------------------------------------------------------- */

/** Goes on to the next statement, to a `~` before it, or to an `and`. \param ret_end of the word
 * before. */
static int skip_expression(struct parser *parser, size_t *ret_end)
{
	struct lexer *lexer = &parser->lexer;
	int result = 0;

	while (result == 0 && !begins_statement(lexer) && !is_word(lexer, "and")) {
		struct lexer ahead = *lexer;

		if (is_symbol(lexer, '~') && next_word(&ahead) == 0 && begins_statement(&ahead))
			break;
		result = next_word(lexer);
	}
	*ret_end = lexer->end;
	return result;
}

/** `(x, y) = expression`, behind the name. */
static int parse_function(struct parser *parser, struct cat_statement *statement, const char *name)
{
	struct cat_binding *binding = make_binding(parser, name, OCLMM_CAT_RELATION);
	struct cat_function *function = OCLMM_NEW(parser->arena, struct cat_function);
	int result;

	function->parameters = OCLMM_NEW_ARRAY(parser->arena, const char *, MAX_PARAMETERS);
	do {
		result = next_word(&parser->lexer);
		if (result == 0 && function->count == MAX_PARAMETERS)
			return refuse_here(parser, "too many parameters");
		if (result == 0)
			result = parse_new_name(parser, &function->parameters[function->count++]);
	} while (result == 0 && is_symbol(&parser->lexer, ','));
	if (result == 0)
		result = expect_symbol(parser, ')');
	if (result == 0)
		result = expect_symbol(parser, '=');
	function->lexer = parser->lexer;
	function->scope = parser->scope;
	if (result == 0)
		result = skip_expression(parser, &function->end);
	if (result != 0)
		return result;
	binding->function = function;
	add_binding(parser, statement, binding, NULL);
	return 0;
}

/** One `name = expression`; `known` is the binding when the name is recursive. */
static int parse_equation(struct parser *parser, struct cat_statement *statement,
                          struct cat_binding *known)
{
	enum oclmm_cat_type type;
	struct cat_node *body = NULL;
	const char *name = NULL;
	int result;

	if (statement->count == MAX_BINDINGS)
		return refuse_here(parser, "too many names in one let");
	result = parse_new_name(parser, &name);
	if (result == 0 && is_symbol(&parser->lexer, '('))
		return known != NULL ? refuse_here(parser, "a function cannot call itself")
		                     : parse_function(parser, statement, name);
	if (result == 0)
		result = expect_symbol(parser, '=');
	if (result == 0)
		result = parse_expression(parser, &body);
	if (result != 0)
		return result;
	/* what refuses returns less than 0 */
	/* NOLINTNEXTLINE(*-core.NullDereference) */
	type = body->type;
	if (known != NULL)
		result = expect_type(parser, body, OCLMM_CAT_RELATION);
	if (result != 0)
		return result;
	add_binding(parser, statement, known != NULL ? known : make_binding(parser, name, type),
	            body);
	return 0;
}

/**
 * Binds all names of a `let rec`, so that each may be used in every body:
 * looks ahead for `and name` up to the next statement. They are relations.
 */
static int bind_recursive(struct parser *parser, struct cat_binding **ret_bindings)
{
	struct lexer lexer = parser->lexer;
	unsigned count = 0;
	int result = 0;
	bool named = true;

	while (result == 0 && !begins_statement(&lexer)) {
		if (named && lexer.token == TOKEN_NAME && count < MAX_BINDINGS) {
			struct cat_binding *binding =
				make_binding(parser,
			                     oclmm_arena_strndup(parser->arena, lexer.word,
			                                         lexer.position.length),
			                     OCLMM_CAT_RELATION);

			binding->own = OCLMM_NEW_ARRAY(parser->arena, uint64_t,
			                               OCLMM_CAT_MAX_EVENTS);
			bring_into_scope(parser, binding);
			ret_bindings[count++] = binding;
		}
		named = is_word(&lexer, "and");
		result = next_word(&lexer);
	}
	return result;
}

/**
 * A name of a `let rec` that stands behind an odd number of complements: what it has then takes
 * away from what it is, and there may be no least solution. \return NULL where none does
 */
static const struct cat_node *find_falling(const struct cat_node *node, bool inverted,
                                           unsigned number)
{
	struct cat_binding *binding = node->binding;
	const struct cat_node *found;

	if (node->operation == CAT_REFERENCE && binding->own)
		return inverted && binding->visited[0] == number ? node : NULL;
	if (node->operation == CAT_REFERENCE) {
		if (!binding->parameter || binding->visited[inverted] == number)
			return NULL;
		binding->visited[inverted] = number;
		return find_falling(binding->body, inverted, number);
	}
	if (node->operation == CAT_NOTHING)
		return NULL;
	found = find_falling(node->left, inverted != (node->operation == CAT_COMPLEMENT), number);
	if (found == NULL && node->right != NULL)
		found = find_falling(node->right, inverted != (node->operation == CAT_DIFFERENCE),
		                     number);
	return found;
}

static int check_recursion(struct parser *parser, const struct cat_statement *statement,
                           unsigned number)
{
	for (unsigned i = 0; i < statement->count; i++)
		statement->bindings[i]->visited[0] = number;
	for (unsigned i = 0; i < statement->count; i++) {
		const struct cat_node *found = find_falling(statement->bodies[i], false, number);

		/* in a function's body the place is in another text, perhaps */
		if (found != NULL)
			return refuse(
				&parser->lexer,
				found->text == parser->lexer.text ? found->position
								  : statement->bodies[i]->position,
				"%s stands behind ~ or \\ in its own let rec: no solution is the "
				"least",
				found->binding->name);
	}
	return 0;
}

static int parse_let(struct parser *parser, struct cat_statement *statement)
{
	struct cat_binding *recursive[MAX_BINDINGS] = {NULL};
	int result = next_word(&parser->lexer);

	statement->kind = CAT_LET;
	if (result == 0 && is_word(&parser->lexer, "rec")) {
		statement->kind = CAT_LET_REC;
		result = next_word(&parser->lexer);
		if (result == 0)
			result = bind_recursive(parser, recursive);
	}
	if (result == 0)
		result = parse_equation(parser, statement, recursive[0]);
	while (result == 0 && is_word(&parser->lexer, "and")) {
		result = next_word(&parser->lexer);
		if (result == 0)
			result = parse_equation(parser, statement,
			                        statement->count < MAX_BINDINGS
			                                ? recursive[statement->count]
			                                : NULL);
	}
	if (result == 0 && statement->kind == CAT_LET_REC)
		result = check_recursion(parser, statement, parser->nodes);
	for (unsigned i = 0; result == 0 && statement->kind == CAT_LET && i < statement->count;
	     i++) {
		statement->bindings[i]->body = statement->bodies[i];
		bring_into_scope(parser, statement->bindings[i]);
	}
	return result;
}

/* ---- with ------------------------------------------------------------ */

static int expect_word(struct parser *parser, const char *word)
{
	if (!is_word(&parser->lexer, word))
		return refuse(&parser->lexer, parser->lexer.position, "expected %s", word);
	return next_word(&parser->lexer);
}

static int parse_argument(struct parser *parser, enum oclmm_cat_type type,
                          struct cat_node **ret_node)
{
	int result = parse_expression(parser, ret_node);

	return result == 0 ? expect_type(parser, *ret_node, type) : result;
}

/** with NAME from linearisations(SET, RELATION) */
static int parse_with(struct parser *parser, struct cat_statement *statement)
{
	struct cat_node *set, *relation;
	struct cat_binding *binding;
	const char *name;
	int result = next_word(&parser->lexer);

	if (result == 0)
		result = parse_new_name(parser, &name);
	if (result == 0)
		result = expect_word(parser, "from");
	if (result == 0)
		result = expect_word(parser, "linearisations");
	if (result == 0)
		result = expect_symbol(parser, '(');
	if (result == 0)
		result = parse_argument(parser, OCLMM_CAT_SET, &set);
	if (result == 0)
		result = expect_symbol(parser, ',');
	if (result == 0)
		result = parse_argument(parser, OCLMM_CAT_RELATION, &relation);
	if (result == 0)
		result = expect_symbol(parser, ')');
	if (result != 0)
		return result;
	statement->kind = CAT_WITH;
	binding = make_binding(parser, name, OCLMM_CAT_RELATION);
	add_binding(parser, statement, binding, set);
	statement->bodies[1] = relation;
	bring_into_scope(parser, binding);
	return 0;
}

/* ---- checks ---------------------------------------------------------- */

static int parse_kind(struct parser *parser, struct cat_statement *statement)
{
	static const char *const words[] = {"acyclic", "irreflexive", "empty"};

	for (unsigned i = 0; i < OCLMM_COUNT(words); i++)
		if (is_word(&parser->lexer, words[i])) {
			statement->check = (enum cat_check)i;
			statement->name = words[i];
			return next_word(&parser->lexer);
		}
	return refuse_here(parser, "expected let, with, flag, acyclic, irreflexive, "
	                           "empty, undefined_unless, show or include");
}

/** What stands between two places of the text, without comments, its white space as single blanks.
 */
static const char *copy_source(struct parser *parser, size_t from, size_t to)
{
	const char *text = parser->lexer.text;
	struct oclmm_text copy = {0};
	unsigned depth = 0;
	bool blank = false;

	for (size_t i = from; i < to; i++) {
		bool opens = i + 1 < to && text[i] == '(' && text[i + 1] == '*';
		bool line = depth == 0 && i + 1 < to && text[i] == '/' && text[i + 1] == '/';
		bool closes = depth > 0 && i + 1 < to && text[i] == '*' && text[i + 1] == ')';

		depth += opens;
		depth -= closes;
		while (line && i < to && text[i] != '\n')
			i++;
		if (line || opens || closes || depth > 0 || isspace((unsigned char)text[i])) {
			blank = true;
			i += opens || closes;
			continue;
		}
		if (blank)
			oclmm_text_add(&copy, " ");
		oclmm_text_add_bytes(&copy, text + i, 1);
		blank = false;
	}
	return oclmm_text_keep(&copy, parser->arena);
}

static int parse_check(struct parser *parser, struct oclmm_cat_model *model,
                       struct cat_statement *statement)
{
	size_t begin = (size_t)(parser->lexer.word - parser->lexer.text);
	int result = 0;

	statement->kind = CAT_CHECK;
	statement->line = parser->lexer.position.line;
	if (is_word(&parser->lexer, "flag") || is_word(&parser->lexer, "undefined_unless")) {
		/* herd's word for the contrary: what has to hold */
		statement->negated = is_word(&parser->lexer, "undefined_unless");
		if (model->flag_count == OCLMM_CAT_MAX_FLAGS)
			return refuse_here(parser, "too many flags");
		statement->kind = CAT_FLAG;
		statement->flag = model->flag_count++;
		result = next_word(&parser->lexer);
	}
	if (result == 0 && is_symbol(&parser->lexer, '~')) {
		statement->negated = !statement->negated;
		result = next_word(&parser->lexer);
	}
	if (result == 0)
		result = parse_kind(parser, statement);
	statement->bodies = OCLMM_NEW(parser->arena, struct cat_node *);
	if (result == 0)
		result = parse_expression(parser, statement->bodies);
	if (result == 0 && statement->check != CAT_EMPTY)
		result = expect_type(parser, statement->bodies[0], OCLMM_CAT_RELATION);
	if (result == 0)
		statement->text = copy_source(parser, begin, parser->lexer.end);
	if (result == 0 && is_word(&parser->lexer, "as")) {
		result = next_word(&parser->lexer);
		if (result == 0)
			result = parse_new_name(parser, &statement->name);
	}
	return result;
}

/* ---- the whole ------------------------------------------------------- */

static int parse_statements(struct parser *parser, struct oclmm_cat_model *model);

/** A file that a text names, from the folder of the text on. */
static const char *path_of(struct parser *parser)
{
	const struct lexer *lexer = &parser->lexer;
	const char *name = oclmm_arena_strndup(parser->arena, lexer->word, lexer->string_length);
	const char *end = strrchr(lexer->path, '/');

	return name[0] == '/' || end == NULL
	               ? name
	               : oclmm_arena_printf(parser->arena, "%.*s%s", (int)(end + 1 - lexer->path),
	                                    lexer->path, name);
}

/** Whether a file that is not there holds nothing but standard names. */
static bool is_standard_file(const struct lexer *lexer)
{
	static const char *const files[] = {"basic.cat", "cos.cat", "stdlib.cat"};

	for (size_t i = 0; i < OCLMM_COUNT(files); i++)
		if (strlen(files[i]) == lexer->string_length &&
		    memcmp(files[i], lexer->word, lexer->string_length) == 0)
			return true;
	return false;
}

/** include "FILE" */
static int parse_include(struct parser *parser, struct oclmm_cat_model *model)
{
	int result = next_word(&parser->lexer);
	struct lexer lexer = parser->lexer;
	const char *path;
	size_t length;
	char *text;

	if (result != 0)
		return result;
	if (lexer.token != TOKEN_STRING)
		return refuse_here(parser, "expected the name of a file in quotes");
	path = path_of(parser);
	result = oclmm_read_file(path, &text, &length);
	if (result == -ENOENT && is_standard_file(&lexer))
		return next_word(&parser->lexer);
	if (result != 0)
		return refuse(&lexer, lexer.position, "cannot read %s: %s", path,
		              strerror(-result));
	if (++parser->depth > MAX_DEPTH) {
		free(text);
		return refuse(&lexer, lexer.position, "nested too deeply");
	}
	parser->hash = oclmm_hash((uint64_t[]){parser->hash, oclmm_hash(text, length)},
	                          2 * sizeof(parser->hash));
	/* functions of the file are read from it later */
	parser->lexer = (struct lexer){
		.path = path,
		.text = memcpy(OCLMM_NEW_ARRAY(parser->arena, char, length + 1), text, length),
		.length = length,
		.line = 1,
		.error = lexer.error};
	free(text);
	result = parse_statements(parser, model);
	parser->depth--;
	if (result != 0)
		return result;
	parser->lexer = lexer;
	return next_word(&parser->lexer);
}

/** The title: a string, or up to two words on a line of their own. */
static int skip_title(struct parser *parser)
{
	struct lexer ahead = parser->lexer;
	uint32_t line = ahead.position.line;
	int result = 0;

	for (unsigned words = 0; result == 0 && words < 2 && ahead.position.line == line; words++) {
		if (ahead.token == TOKEN_STRING) {
			parser->lexer = ahead;
			return next_word(&parser->lexer);
		}
		if (ahead.token != TOKEN_NAME || begins_statement(&ahead))
			return 0;
		result = next_word(&ahead);
	}
	if (result == 0 && ahead.position.line != line)
		parser->lexer = ahead;
	return result;
}

static int parse_statement(struct parser *parser, struct oclmm_cat_model *model,
                           struct cat_statement *statement)
{
	if (is_word(&parser->lexer, "let"))
		return parse_let(parser, statement);
	if (is_word(&parser->lexer, "with"))
		return parse_with(parser, statement);
	return parse_check(parser, model, statement);
}

static int parse_statements(struct parser *parser, struct oclmm_cat_model *model)
{
	int result = next_word(&parser->lexer);

	if (result == 0)
		result = skip_title(parser);
	while (result == 0 && parser->lexer.token != TOKEN_END) {
		struct cat_statement *statement;
		size_t end;

		if (is_word(&parser->lexer, "include")) {
			result = parse_include(parser, model);
			continue;
		}
		/* what herd draws */
		if (is_word(&parser->lexer, "show") || is_word(&parser->lexer, "unshow")) {
			result = next_word(&parser->lexer);
			if (result == 0)
				result = skip_expression(parser, &end);
			continue;
		}
		statement = OCLMM_NEW(parser->arena, struct cat_statement);
		statement->number = model->statement_count++;
		statement->ordered = model->ordered;
		result = parse_statement(parser, model, statement);
		model->ordered |= statement->kind == CAT_WITH;
		*model->end = statement;
		model->end = &statement->next;
	}
	return result;
}

static void declare_names(struct parser *parser, struct oclmm_cat_model *model,
                          const struct oclmm_cat_name *names, unsigned count)
{
	model->names = OCLMM_NEW_ARRAY(parser->arena, struct cat_binding, count + 1);
	model->name_count = count;
	for (unsigned i = 0; i < count; i++) {
		model->names[i].name = names[i].name;
		model->names[i].type = names[i].type;
		bring_into_scope(parser, &model->names[i]);
	}
	model->universe = make_binding(parser, "_", OCLMM_CAT_SET);
	bring_into_scope(parser, model->universe);
	parser->given = parser->scope;
}

int oclmm_cat_parse(const char *path, const char *text, size_t length,
                    const struct oclmm_cat_name *names, unsigned name_count,
                    struct oclmm_error *error, struct oclmm_cat_model **ret_model)
{
	struct parser parser = {
		.lexer = {.path = path, .text = text, .length = length, .line = 1, .error = error}};
	struct oclmm_cat_model *model;
	int result;

	parser.arena = oclmm_arena_create();
	model = OCLMM_NEW(parser.arena, struct oclmm_cat_model);
	model->arena = parser.arena;
	model->end = &model->statements;
	parser.hash = oclmm_hash(text, length);
	declare_names(&parser, model, names, name_count);
	result = parse_statements(&parser, model);
	model->name = oclmm_arena_printf(model->arena, "%s-%08x",
	                                 strrchr(path, '/') ? strrchr(path, '/') + 1 : path,
	                                 (unsigned)parser.hash);
	if (result != 0)
		oclmm_cat_destroy(model);
	else
		*ret_model = model;
	return result;
}

int oclmm_cat_read(const char *path, const struct oclmm_cat_name *names, unsigned name_count,
                   struct oclmm_error *error, struct oclmm_cat_model **ret_model)
{
	size_t length;
	char *text;
	int result = oclmm_read_file(path, &text, &length);

	if (result != 0)
		return oclmm_error_set(error, result, "cannot read %s: %s", path,
		                       strerror(-result));
	result = oclmm_cat_parse(path, text, length, names, name_count, error, ret_model);
	free(text);
	return result;
}

const char *oclmm_cat_name(const struct oclmm_cat_model *model)
{
	return model->name;
}

void oclmm_cat_destroy(struct oclmm_cat_model *model)
{
	if (model != NULL)
		oclmm_arena_destroy(model->arena);
}

bool oclmm_cat_remove(struct oclmm_cat_model *model, const char *name)
{
	struct cat_statement **at = &model->statements;
	bool found = false;

	while (*at != NULL) {
		const struct cat_statement *s = *at;
		bool check = s->kind == CAT_CHECK || s->kind == CAT_FLAG;

		if (check && strcmp(s->name, name) == 0) {
			*at = s->next;
			found = true;
		} else {
			at = &(*at)->next;
		}
	}
	return found;
}
