// SPDX-License-Identifier: Apache-2.0
/* Plants in what some devices have and others lack. */
#include "internal.h"

/* ---- variables at program scope ---------------------------------------- */

/* `global TYPE NAME [ N ] ;`, at its name: no pointer, and in no list of parameters. */
static bool declares_variable(const struct source *source, size_t name)
{
	return name >= 2 && token_is(source, name - 2, "global") &&
	       token_is_name(source, name - 1) && token_is_name(source, name) &&
	       token_is(source, name + 1, "[") && token_is(source, name + 3, "]") &&
	       token_is(source, name + 4, ";");
}

static bool is_variable(const struct source *source, size_t name)
{
	if (!token_is_name(source, name))
		return false;
	for (size_t i = 0; i < name; i++)
		if (token_same(source, i, name) && declares_variable(source, i))
			return true;
	return false;
}

/* Two copies, and a work-group has the one of its number's last bit. */
static bool split_variable(struct rewriter *rewriter, size_t token)
{
	const struct source *source = &rewriter->source;

	if (!declares_variable(source, token) && !is_variable(source, token))
		return false;
	put_raw(rewriter, (struct range){token, token + 1});
	put(rewriter, declares_variable(source, token) ? "[2]"
	                                               : "[(get_group_id(0) ^ get_group_id(1) ^ "
	                                                 "get_group_id(2)) & 1]");
	return true;
}

/* ---- asynchronous copies ------------------------------------------------ */

size_t find_open(const struct source *source, size_t token, unsigned *ret_commas)
{
	*ret_commas = 0;
	while (token-- > 0) {
		const struct token *t = &source->tokens[token];

		if (token_is(source, token, "("))
			return token;
		if (token_is(source, token, ")") && t->match != TOKEN_UNMATCHED)
			token = t->match;
		else if (token_is(source, token, ","))
			++*ret_commas;
	}
	return 0;
}

/* The comma behind the number of elements. */
static bool shorten_copy(struct rewriter *rewriter, size_t token)
{
	const struct source *source = &rewriter->source;
	unsigned commas;
	size_t open;

	if (!token_is(source, token, ","))
		return false;
	open = find_open(source, token, &commas);
	if (commas != 2 || open == 0 ||
	    (!token_is(source, open - 1, "async_work_group_copy") &&
	     !token_is(source, open - 1, "async_work_group_strided_copy")))
		return false;
	put(rewriter, " - 1,");
	return true;
}

/* `wait_group_events(1, &e)` becomes `(void)(1, &e)`. */
static bool drop_wait(struct rewriter *rewriter, size_t token)
{
	if (!token_is(&rewriter->source, token, "wait_group_events") ||
	    !token_is(&rewriter->source, token + 1, "("))
		return false;
	put(rewriter, "(void)");
	return true;
}

/* ---- images ------------------------------------------------------------- */

/* `read_imagei(x, 0).x` becomes `0 * read_imagei(x, 0).x`. */
static bool forget_image(struct rewriter *rewriter, size_t token)
{
	if (!token_is(&rewriter->source, token, "read_imagei"))
		return false;
	put(rewriter, "0 * ");
	put_raw(rewriter, (struct range){token, token + 1});
	return true;
}

bool rewrite_token(struct rewriter *rewriter, size_t token)
{
	switch (rewriter->plant.bug) {
	case PLANT_VARIABLE_COPIED: return split_variable(rewriter, token);
	case PLANT_COPY_SHORT: return shorten_copy(rewriter, token);
	case PLANT_COPY_UNAWAITED: return drop_wait(rewriter, token);
	case PLANT_CHILD_EARLY: return start_at_once(rewriter, token);
	case PLANT_CHILD_UNAWAITED: return drop_events(rewriter, token);
	case PLANT_IMAGE_STALE: return forget_image(rewriter, token);
	case PLANT_COLLECTIVE_ALONE: return is_collective(&rewriter->source, token);
	case PLANT_LOCAL_IDS_SWAPPED:
	case PLANT_GROUP_IDS_SWAPPED:
	case PLANT_SIZES_SWAPPED:
	case PLANT_IDS_SWAPPED: return swap_ids(rewriter, token);
	default: return false;
	}
}
