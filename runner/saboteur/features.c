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
	put(rewriter, declares_variable(source, token) ? "[2]" : "[get_group_id(0) & 1]");
	return true;
}

bool rewrite_token(struct rewriter *rewriter, size_t token)
{
	switch (rewriter->plant.bug) {
	case SABOTEUR_VARIABLE_COPIED: return split_variable(rewriter, token);
	default: return false;
	}
}
