// SPDX-License-Identifier: Apache-2.0
/*
 * Wrong steps of a compiler that believes that it is alone: what it fenced, stored or left in an
 * object before is so still.
 */
#include "statement.h"

/* Of fences that look alike the first one of a block is left. */
static bool merge_fence(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement later, earlier;

	if (!statement_at(source, first, &later) || later.kind != STATEMENT_FENCE ||
	    !statement_taken(rewriter, &later))
		return false;
	for (size_t i = first; i-- > 0;) {
		if (token_is(source, i, "{") || token_is(source, i, "}") ||
		    source->tokens[i].kind == TOKEN_DIRECTIVE || source->tokens[i].macro)
			return false;
		if (!statement_at(source, i, &earlier) || earlier.kind != STATEMENT_FENCE ||
		    !range_same(source, earlier.access, later.access))
			continue;
		put(rewriter, "((void)0);");
		*ret_next = later.last + 1;
		return true;
	}
	return false;
}

/* The object has the value already, because the work-item stored it there or read it. */
static bool is_same(const struct source *source, const struct statement *earlier,
                    const struct statement *later)
{
	struct range between = {earlier->last + 1, later->first};

	if (is_any_written(source, later->object, between) ||
	    is_any_written(source, later->value, between))
		return false;
	if (statement_loads(earlier))
		return earlier->variable &&
		       range_same(source, statement_variable(source, earlier), later->value);
	return statement_stores(earlier) && range_same(source, earlier->value, later->value);
}

static bool drop_same(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement later, earlier;

	if (!statement_at(source, first, &later) || !statement_stores(&later) ||
	    !statement_taken(rewriter, &later) || !statement_before(source, &later, &earlier) ||
	    !is_same(source, &earlier, &later))
		return false;
	put(rewriter, "((void)0);");
	*ret_next = later.last + 1;
	return true;
}

/* Whether what an update left is known, by its operand and its result. */
static bool is_known(const struct source *source, const struct statement *update,
                     struct range between)
{
	const char *by = update->kind == STATEMENT_UPDATE ? update->call.function->update : NULL;

	if (!by || is_legacy(&update->call) || by[0] == '<' || by[0] == '>' ||
	    is_any_written(source, update->call.arguments[1], between))
		return false;
	return by[0] == '=' || (update->variable && !is_written(source, update->variable, between));
}

static bool forward_update(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement load, update;

	if (!statement_at(source, first, &load) || !statement_loads(&load) ||
	    !statement_before(source, &load, &update) ||
	    (!statement_taken(rewriter, &update) && !statement_taken(rewriter, &load)) ||
	    is_any_written(source, load.object, (struct range){update.last + 1, load.first}) ||
	    !is_known(source, &update, (struct range){update.last + 1, load.first}))
		return false;
	put_raw(rewriter, load.target);
	put(rewriter, " = ");
	if (update.call.function->update[0] != '=') {
		put_raw(rewriter, statement_variable(source, &update));
		put(rewriter, " %s ", update.call.function->update);
	}
	put(rewriter, "(");
	put_raw(rewriter, update.call.arguments[1]);
	put(rewriter, ");");
	*ret_next = load.last + 1;
	return true;
}

bool rewrite_known(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	switch (rewriter->plant.bug) {
	case PLANT_FENCE_ONCE: return merge_fence(rewriter, first, ret_next);
	case PLANT_SAME_DROPPED: return drop_same(rewriter, first, ret_next);
	case PLANT_UPDATE_FORWARDED: return forward_update(rewriter, first, ret_next);
	default: return false;
	}
}
