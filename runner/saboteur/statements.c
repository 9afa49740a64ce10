// SPDX-License-Identifier: Apache-2.0
/*
 * Plants that look at neighbouring statements: what a compiler or a machine
 * that reorders would do. Only `r = atomic_load…(…);` and `atomic_store…(…);`
 * count, in a row, outside of macros; whatever lies between them (a fence, a
 * branch, a directive) keeps them apart.
 */
#include "internal.h"

struct statement {
	size_t first, last;  /* the semicolon */
	struct range target; /* of a load: what is assigned to, a declaration perhaps */
	size_t variable;     /* of a load: its last name */
	struct call call;
};

static bool is_load(const struct statement *statement)
{
	return statement->call.function->kind == FUNCTION_LOAD;
}

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

static bool statement_at(const struct source *source, size_t first, struct statement *ret)
{
	struct statement statement = {.first = first};
	size_t assignment;

	if (first >= source->count)
		return false;
	if (!call_at(source, first, &statement.call) ||
	    statement.call.function->kind != FUNCTION_STORE) {
		assignment = find_assignment(source, first);
		if (assignment == 0 || assignment + 1 >= source->count ||
		    !call_at(source, assignment + 1, &statement.call) || !is_load(&statement))
			return false;
		statement.target = (struct range){first, assignment};
		statement.variable = last_name(source, statement.target);
	}
	statement.last = statement.call.close + 1;
	if (!token_is(source, statement.last, ";"))
		return false;
	*ret = statement;
	return true;
}

static struct range call_range(const struct statement *statement)
{
	return (struct range){statement->call.name, statement->last};
}

static bool mentions(const struct source *source, struct range range, size_t name)
{
	for (size_t i = range.first; i < range.last; i++) {
		if (token_same(source, i, name))
			return true;
	}
	return false;
}

/* `user` needs what `load` reads, or names where to put it. */
static bool depends(const struct source *source, const struct statement *user,
                    const struct statement *load)
{
	if (!is_load(load))
		return false;
	if (mentions(source, call_range(user), load->variable))
		return true;
	return is_load(user) && !token_same(source, user->variable, load->variable) &&
	       mentions(source, user->target, load->variable);
}

static bool is_concerned(enum saboteur_bug bug, const struct source *source,
                         const struct statement *a, const struct statement *b)
{
	bool same = range_same(source, a->call.arguments[0], b->call.arguments[0]);

	switch (bug) {
	case SABOTEUR_LOADS_REVERSED: return is_load(a) && is_load(b) && same;
	case SABOTEUR_LOADS_SWAPPED: return is_load(a) && is_load(b) && !same;
	case SABOTEUR_STORES_SWAPPED: return !is_load(a) && !is_load(b) && !same;
	case SABOTEUR_LOAD_EARLY: return !is_load(a) && is_load(b) && !same;
	case SABOTEUR_STORE_EARLY: return is_load(a) && !is_load(b) && !same;
	default: return false;
	}
}

/* Where a plant acts in some calls only, one of the two is such a call. */
static bool is_taken(const struct rewriter *rewriter, const struct statement *a,
                     const struct statement *b)
{
	return take_call(&rewriter->plant, &rewriter->source, &a->call) == TAKEN ||
	       take_call(&rewriter->plant, &rewriter->source, &b->call) == TAKEN;
}

bool rewrite_pair(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement a, b;

	if (!statement_at(source, first, &a) || !statement_at(source, a.last + 1, &b) ||
	    !is_concerned(rewriter->plant.bug, source, &a, &b) || !is_taken(rewriter, &a, &b))
		return false;
	if (depends(source, &b, &a) || depends(source, &a, &b) ||
	    (is_load(&a) && is_load(&b) && range_same(source, a.target, b.target)))
		return false;
	put_raw(rewriter, (struct range){b.first, b.last + 1});
	put_gap(rewriter, b.first);
	put_raw(rewriter, (struct range){a.first, a.last + 1});
	*ret_next = b.last + 1;
	return true;
}

/* Something between two statements writes a name (or may, having its address). */
static bool is_written(const struct source *source, size_t name, struct range between)
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

static bool can_reuse(const struct source *source, const struct statement *earlier,
                      const struct statement *later)
{
	struct range between = {earlier->last + 1, later->first};
	struct range object = later->call.arguments[0];

	if (!is_load(earlier) || !range_same(source, earlier->call.arguments[0], object) ||
	    is_written(source, earlier->variable, between))
		return false;
	for (size_t i = object.first; i < object.last; i++) {
		if (token_is_name(source, i) && is_written(source, i, between))
			return false;
	}
	return true;
}

/* The nearest earlier load of the same object in the same block. */
static bool find_earlier(const struct source *source, const struct statement *later,
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
		    can_reuse(source, ret_earlier, later))
			return true;
	}
	return false;
}

/* `r->a` and `a[i]` as they are; of a declaration the name only. */
static struct range value_of(const struct source *source, const struct statement *load)
{
	for (size_t i = load->target.first; i < load->target.last; i++) {
		if (token_is(source, i, "->") || token_is(source, i, ".") ||
		    token_is(source, i, "["))
			return load->target;
	}
	return (struct range){load->variable, load->variable + 1};
}

bool rewrite_reuse(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement earlier, later;

	if (!statement_at(source, first, &later) || !is_load(&later) ||
	    !find_earlier(source, &later, &earlier) || !is_taken(rewriter, &earlier, &later))
		return false;
	put_raw(rewriter, later.target);
	put(rewriter, " = ");
	put_raw(rewriter, value_of(source, &earlier));
	put(rewriter, ";");
	*ret_next = later.last + 1;
	return true;
}
