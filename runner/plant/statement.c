// SPDX-License-Identifier: Apache-2.0
#include "statement.h"

/* The `=` of a simple assignment that begins at `first`, or 0. */
static size_t find_assignment(const struct source *source, size_t first)
{
	for (size_t i = first; i < source->count && i < first + 32; i++) {
		const struct token *token = &source->tokens[i];

		if (token->kind == TOKEN_DIRECTIVE || token->macro || token_is(source, i, ";") ||
		    token_is(source, i, "{") || token_is(source, i, "}") ||
		    token_is(source, i, "(") || token_is(source, i, ","))
			return 0;
		if (token_is(source, i, "="))
			return i;
	}
	return 0;
}

static size_t find_end(const struct source *source, size_t first)
{
	for (size_t i = first; i < source->count && i < first + 64; i++) {
		if (source->tokens[i].kind == TOKEN_DIRECTIVE || source->tokens[i].macro ||
		    token_is(source, i, "{") || token_is(source, i, "}"))
			return 0;
		if (token_is(source, i, ";"))
			return i;
	}
	return 0;
}

static size_t last_name(const struct source *source, struct range target)
{
	size_t name = target.first, depth = 0;

	for (size_t i = target.first; i < target.last; i++) {
		depth += token_is(source, i, "[");
		depth -= token_is(source, i, "]") && depth > 0;
		if (depth == 0 && token_is_name(source, i))
			name = i;
	}
	return name;
}

static bool kind_of_call(const struct call *call, bool assigned, enum statement_kind *ret_kind)
{
	switch (call->function->kind) {
	case FUNCTION_LOAD: *ret_kind = STATEMENT_LOAD; return assigned;
	case FUNCTION_STORE: *ret_kind = STATEMENT_STORE; return !assigned;
	case FUNCTION_FENCE:
	case FUNCTION_MEM_FENCE: *ret_kind = STATEMENT_FENCE; return !assigned;
	case FUNCTION_FETCH:
	case FUNCTION_CAS:
	case FUNCTION_FLAG_SET:
	case FUNCTION_LEGACY:
	case FUNCTION_LEGACY_CAS: *ret_kind = STATEMENT_UPDATE; return true;
	default: return false;
	}
}

/* A call at `at`, whose result goes to what stands before it, if anything does. */
static bool take_call_statement(const struct source *source, size_t at, struct statement *statement)
{
	bool assigned = at != statement->first;

	if (!call_at(source, at, &statement->call) ||
	    !kind_of_call(&statement->call, assigned, &statement->kind))
		return false;
	statement->last = statement->call.close + 1;
	statement->access = (struct range){at, statement->last};
	if (statement->kind != STATEMENT_FENCE)
		statement->object = statement->call.arguments[0];
	if (statement->kind == STATEMENT_STORE)
		statement->value = statement->call.arguments[1];
	return token_is(source, statement->last, ";");
}

/* `= *p;` behind a target. */
static bool take_plain_load(const struct source *source, size_t at, struct statement *statement)
{
	statement->kind = STATEMENT_PLAIN_LOAD;
	statement->last = at + 2;
	statement->object = (struct range){at + 1, at + 2};
	statement->access = (struct range){at, at + 2};
	return token_is(source, at, "*") && token_is_name(source, at + 1) &&
	       token_is(source, statement->last, ";");
}

/* `*p = VALUE;` with a value that accesses nothing. */
static bool take_plain_store(const struct source *source, struct statement *statement)
{
	size_t first = statement->first;

	statement->kind = STATEMENT_PLAIN_STORE;
	statement->last = find_end(source, first);
	statement->object = (struct range){first + 1, first + 2};
	statement->value = (struct range){first + 3, statement->last};
	statement->access = (struct range){first, statement->last};
	if (!token_is(source, first, "*") || !token_is_name(source, first + 1) ||
	    !token_is(source, first + 2, "=") || statement->last <= first + 3)
		return false;
	for (size_t i = first + 3; i < statement->last; i++) {
		if (token_is(source, i, "(") || token_is(source, i, "*"))
			return false;
	}
	return true;
}

bool statement_at(const struct source *source, size_t first, struct statement *ret_statement)
{
	struct statement statement = {.first = first};
	size_t assignment;

	if (first >= source->count || source->tokens[first].macro)
		return false;
	if (take_plain_store(source, &statement) ||
	    take_call_statement(source, first, &statement)) {
		*ret_statement = statement;
		return true;
	}
	assignment = find_assignment(source, first);
	if (assignment <= first || assignment + 1 >= source->count || token_is(source, first, "*"))
		return false;
	statement = (struct statement){
		.first = first,
		.target = {first, assignment},
		.variable = last_name(source, (struct range){first, assignment}),
	};
	if (!take_call_statement(source, assignment + 1, &statement) &&
	    !take_plain_load(source, assignment + 1, &statement))
		return false;
	*ret_statement = statement;
	return true;
}

bool statement_is_plain(const struct statement *statement)
{
	return statement->kind == STATEMENT_PLAIN_LOAD || statement->kind == STATEMENT_PLAIN_STORE;
}

bool statement_loads(const struct statement *statement)
{
	return statement->kind == STATEMENT_LOAD || statement->kind == STATEMENT_PLAIN_LOAD;
}

bool statement_stores(const struct statement *statement)
{
	return statement->kind == STATEMENT_STORE || statement->kind == STATEMENT_PLAIN_STORE;
}

bool statement_same_object(const struct source *source, const struct statement *a,
                           const struct statement *b)
{
	return a->kind != STATEMENT_FENCE && b->kind != STATEMENT_FENCE &&
	       range_same(source, a->object, b->object);
}

bool range_names(const struct source *source, struct range range, size_t name)
{
	for (size_t i = range.first; i < range.last; i++) {
		if (token_same(source, i, name))
			return true;
	}
	return false;
}

/* What a compare-exchange expects is written by it, too. */
static bool uses_expected(const struct source *source, const struct statement *user,
                          const struct statement *giver)
{
	struct range expected = giver->call.arguments[1];

	if (giver->kind != STATEMENT_UPDATE || giver->call.function->kind != FUNCTION_CAS)
		return false;
	for (size_t i = expected.first; i < expected.last; i++) {
		if (token_is_name(source, i) &&
		    range_names(source, (struct range){user->first, user->last}, i))
			return true;
	}
	return false;
}

bool statement_depends(const struct source *source, const struct statement *user,
                       const struct statement *giver)
{
	if (uses_expected(source, user, giver))
		return true;
	if (!giver->variable)
		return false;
	if (range_names(source, user->access, giver->variable))
		return true;
	return user->variable && !token_same(source, user->variable, giver->variable) &&
	       range_names(source, user->target, giver->variable);
}

bool is_written(const struct source *source, size_t name, struct range between)
{
	for (size_t i = between.first; i < between.last; i++) {
		static const char *const writes[] = {"=",  "++", "--", "+=", "-=",  "*=", "/=",
		                                     "%=", "&=", "|=", "^=", "<<=", ">>="};

		if (!token_same(source, i, name))
			continue;
		if (token_is(source, i - 1, "&") || token_is(source, i - 1, "++") ||
		    token_is(source, i - 1, "--"))
			return true;
		for (size_t k = 0; k < OCLMM_COUNT(writes); k++) {
			if (token_is(source, i + 1, writes[k]))
				return true;
		}
	}
	return false;
}

bool is_any_written(const struct source *source, struct range names, struct range between)
{
	for (size_t i = names.first; i < names.last; i++) {
		if (token_is_name(source, i) && is_written(source, i, between))
			return true;
	}
	return false;
}

bool statement_before(const struct source *source, const struct statement *later,
                      struct statement *ret_earlier)
{
	size_t parentheses = 0;

	for (size_t i = later->first - 1; i > 0; i--) {
		if (token_is(source, i, "}") || token_is(source, i, "{") ||
		    source->tokens[i].kind == TOKEN_DIRECTIVE || source->tokens[i].macro)
			return false;
		parentheses += token_is(source, i, ")");
		parentheses -= token_is(source, i, "(") && parentheses > 0;
		if (parentheses == 0 &&
		    (token_is(source, i - 1, ";") || token_is(source, i - 1, "{")) &&
		    statement_at(source, i, ret_earlier) && ret_earlier->last < later->first &&
		    statement_same_object(source, ret_earlier, later))
			return true;
	}
	return false;
}

struct range statement_variable(const struct source *source, const struct statement *statement)
{
	for (size_t i = statement->target.first; i < statement->target.last; i++) {
		if (token_is(source, i, "->") || token_is(source, i, ".") ||
		    token_is(source, i, "["))
			return statement->target;
	}
	return (struct range){statement->variable, statement->variable + 1};
}

bool statement_taken(const struct rewriter *rewriter, const struct statement *statement)
{
	if (statement_is_plain(statement))
		return !plant_is_narrowed(&rewriter->plant);
	return take_call(&rewriter->plant, &rewriter->source, &statement->call) == TAKEN;
}
