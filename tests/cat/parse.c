// SPDX-License-Identifier: Apache-2.0
/*
 * Reads the statements of a model.
 */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BINDINGS = 16 }; /* of one `let … and …` */

static int refuse_here(const struct cat_parser *parser, const char *message)
{
	return cat_refuse(&parser->lexer, parser->lexer.position, "%s", message);
}

static int parse_new_name(struct cat_parser *parser, const char **ret_name)
{
	static const char *const reserved[] = {"let",         "rec",    "and",   "as",   "with",
	                                       "from",        "domain", "range", "flag", "acyclic",
	                                       "irreflexive", "empty",  "_"};

	if (parser->lexer.token != CAT_NAME)
		return refuse_here(parser, "expected a name");
	for (size_t i = 0; i < OCLMM_COUNT(reserved); i++)
		if (cat_is_word(&parser->lexer, reserved[i]))
			return refuse_here(parser, "this word cannot be a name");
	*ret_name = oclmm_arena_strndup(parser->arena, parser->lexer.word,
	                                parser->lexer.position.length);
	return cat_next(&parser->lexer);
}

static struct cat_binding *make_binding(struct cat_parser *parser, const char *name,
                                        enum cat_type type)
{
	struct cat_binding *binding = OCLMM_NEW(parser->arena, struct cat_binding);

	binding->name = name;
	binding->type = type;
	return binding;
}

static void bring_into_scope(struct cat_parser *parser, struct cat_binding *binding)
{
	binding->before = parser->scope;
	parser->scope = binding;
}

static void add_binding(struct cat_parser *parser, struct cat_statement *statement,
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

/** One `name = expression`; `known` is the binding when the name is recursive. */
static int parse_equation(struct cat_parser *parser, struct cat_statement *statement,
                          struct cat_binding *known)
{
	struct cat_node *body;
	const char *name;
	int result;

	if (statement->count == MAX_BINDINGS)
		return refuse_here(parser, "too many names in one let");
	result = parse_new_name(parser, &name);
	if (result == 0)
		result = cat_expect_symbol(parser, '=');
	if (result == 0)
		result = cat_parse_expression(parser, &body);
	if (result == 0 && known != NULL)
		result = cat_expect_type(parser, body, CAT_RELATION);
	if (result != 0)
		return result;
	add_binding(parser, statement,
	            known != NULL ? known : make_binding(parser, name, body->type), body);
	return 0;
}

static bool begins_statement(const struct cat_lexer *lexer)
{
	static const char *const words[] = {"let",     "with",        "flag",
	                                    "acyclic", "irreflexive", "empty"};

	for (size_t i = 0; i < OCLMM_COUNT(words); i++)
		if (cat_is_word(lexer, words[i]))
			return true;
	return lexer->token == CAT_END;
}

/**
 * Binds all names of a `let rec`, so that each may be used in every body:
 * looks ahead for `and name` up to the next statement. They are relations.
 */
static int bind_recursive(struct cat_parser *parser, struct cat_binding **ret_bindings)
{
	struct cat_lexer lexer = parser->lexer;
	unsigned count = 0;
	int result = 0;
	bool named = true;

	while (result == 0 && !begins_statement(&lexer)) {
		if (named && lexer.token == CAT_NAME && count < MAX_BINDINGS) {
			struct cat_binding *binding =
				make_binding(parser,
			                     oclmm_arena_strndup(parser->arena, lexer.word,
			                                         lexer.position.length),
			                     CAT_RELATION);

			binding->own = OCLMM_NEW_ARRAY(parser->arena, uint64_t, CAT_MAX_EVENTS);
			bring_into_scope(parser, binding);
			ret_bindings[count++] = binding;
		}
		named = cat_is_word(&lexer, "and");
		result = cat_next(&lexer);
	}
	return result;
}

static int parse_let(struct cat_parser *parser, struct cat_statement *statement)
{
	struct cat_binding *recursive[MAX_BINDINGS] = {NULL};
	int result = cat_next(&parser->lexer);

	statement->kind = CAT_LET;
	if (result == 0 && cat_is_word(&parser->lexer, "rec")) {
		statement->kind = CAT_LET_REC;
		result = cat_next(&parser->lexer);
		if (result == 0)
			result = bind_recursive(parser, recursive);
	}
	if (result == 0)
		result = parse_equation(parser, statement, recursive[0]);
	while (result == 0 && cat_is_word(&parser->lexer, "and")) {
		result = cat_next(&parser->lexer);
		if (result == 0)
			result = parse_equation(parser, statement,
			                        statement->count < MAX_BINDINGS
			                                ? recursive[statement->count]
			                                : NULL);
	}
	for (unsigned i = 0; result == 0 && statement->kind == CAT_LET && i < statement->count; i++)
		bring_into_scope(parser, statement->bindings[i]);
	return result;
}

/* ---- with ------------------------------------------------------------ */

static int expect_word(struct cat_parser *parser, const char *word)
{
	if (!cat_is_word(&parser->lexer, word))
		return cat_refuse(&parser->lexer, parser->lexer.position, "expected %s", word);
	return cat_next(&parser->lexer);
}

static int parse_argument(struct cat_parser *parser, enum cat_type type, struct cat_node **ret_node)
{
	int result = cat_parse_expression(parser, ret_node);

	return result == 0 ? cat_expect_type(parser, *ret_node, type) : result;
}

/** with NAME from linearisations(SET, RELATION) */
static int parse_with(struct cat_parser *parser, struct cat_statement *statement)
{
	struct cat_node *set, *relation;
	struct cat_binding *binding;
	const char *name;
	int result = cat_next(&parser->lexer);

	if (result == 0)
		result = parse_new_name(parser, &name);
	if (result == 0)
		result = expect_word(parser, "from");
	if (result == 0)
		result = expect_word(parser, "linearisations");
	if (result == 0)
		result = cat_expect_symbol(parser, '(');
	if (result == 0)
		result = parse_argument(parser, CAT_SET, &set);
	if (result == 0)
		result = cat_expect_symbol(parser, ',');
	if (result == 0)
		result = parse_argument(parser, CAT_RELATION, &relation);
	if (result == 0)
		result = cat_expect_symbol(parser, ')');
	if (result != 0)
		return result;
	statement->kind = CAT_WITH;
	binding = make_binding(parser, name, CAT_RELATION);
	add_binding(parser, statement, binding, set);
	statement->bodies[1] = relation;
	bring_into_scope(parser, binding);
	return 0;
}

/* ---- checks ---------------------------------------------------------- */

static int parse_kind(struct cat_parser *parser, struct cat_statement *statement)
{
	static const char *const words[] = {"acyclic", "irreflexive", "empty"};

	for (unsigned i = 0; i < OCLMM_COUNT(words); i++)
		if (cat_is_word(&parser->lexer, words[i])) {
			statement->check = (enum cat_check)i;
			statement->name = words[i];
			return cat_next(&parser->lexer);
		}
	return refuse_here(parser, "expected let, with, flag, acyclic, irreflexive or empty");
}

static int parse_check(struct cat_parser *parser, struct cat_model *model,
                       struct cat_statement *statement)
{
	int result = 0;

	statement->kind = CAT_CHECK;
	if (cat_is_word(&parser->lexer, "flag")) {
		if (model->flag_count == CAT_MAX_FLAGS)
			return refuse_here(parser, "too many flags");
		statement->kind = CAT_FLAG;
		statement->flag = model->flag_count++;
		result = cat_next(&parser->lexer);
	}
	if (result == 0 && cat_is_symbol(&parser->lexer, '~')) {
		statement->negated = true;
		result = cat_next(&parser->lexer);
	}
	if (result == 0)
		result = parse_kind(parser, statement);
	statement->bodies = OCLMM_NEW(parser->arena, struct cat_node *);
	if (result == 0)
		result = cat_parse_expression(parser, statement->bodies);
	if (result == 0 && statement->check != CAT_EMPTY)
		result = cat_expect_type(parser, statement->bodies[0], CAT_RELATION);
	if (result == 0 && cat_is_word(&parser->lexer, "as")) {
		result = cat_next(&parser->lexer);
		if (result == 0)
			result = parse_new_name(parser, &statement->name);
	}
	return result;
}

/* ---- the whole ------------------------------------------------------- */

static int parse_statements(struct cat_parser *parser, struct cat_model *model)
{
	struct cat_statement **end = &model->statements;
	int result = cat_next(&parser->lexer);

	/* the title */
	if (result == 0 && parser->lexer.token == CAT_STRING)
		result = cat_next(&parser->lexer);
	while (result == 0 && parser->lexer.token != CAT_END) {
		struct cat_statement *statement = OCLMM_NEW(parser->arena, struct cat_statement);

		if (cat_is_word(&parser->lexer, "let"))
			result = parse_let(parser, statement);
		else if (cat_is_word(&parser->lexer, "with"))
			result = parse_with(parser, statement);
		else
			result = parse_check(parser, model, statement);
		*end = statement;
		end = &statement->next;
	}
	return result;
}

static void declare_names(struct cat_parser *parser, struct cat_model *model,
                          const struct cat_name *names, unsigned count)
{
	model->names = OCLMM_NEW_ARRAY(parser->arena, struct cat_binding, count + 1);
	model->name_count = count;
	for (unsigned i = 0; i < count; i++) {
		model->names[i].name = names[i].name;
		model->names[i].type = names[i].type;
		bring_into_scope(parser, &model->names[i]);
	}
	model->universe = make_binding(parser, "_", CAT_SET);
	bring_into_scope(parser, model->universe);
}

int cat_parse(const char *path, const char *text, size_t length, const struct cat_name *names,
              unsigned name_count, struct oclmm_error *error, struct cat_model **ret_model)
{
	struct cat_parser parser = {
		.lexer = {.path = path, .text = text, .length = length, .line = 1, .error = error}};
	struct cat_model *model;
	int result;

	parser.arena = oclmm_arena_create();
	model = OCLMM_NEW(parser.arena, struct cat_model);
	model->arena = parser.arena;
	declare_names(&parser, model, names, name_count);
	result = parse_statements(&parser, model);
	if (result != 0)
		cat_destroy(model);
	else
		*ret_model = model;
	return result;
}

int cat_read(const char *path, const struct cat_name *names, unsigned name_count,
             struct oclmm_error *error, struct cat_model **ret_model)
{
	size_t length;
	char *text;
	int result = oclmm_read_file(path, &text, &length);

	if (result != 0)
		return oclmm_error_set(error, result, "cannot read %s: %s", path,
		                       strerror(-result));
	result = cat_parse(path, text, length, names, name_count, error, ret_model);
	free(text);
	return result;
}

void cat_destroy(struct cat_model *model)
{
	if (model != NULL)
		oclmm_arena_destroy(model->arena);
}

bool cat_remove(struct cat_model *model, const char *name)
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
