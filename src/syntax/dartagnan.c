// SPDX-License-Identifier: Apache-2.0
/* What the grammar that is shared with Dartagnan lacks: words, names, comments. Only asked
 * for a file that is to be shared with it. */
#include "build.h"

#include <errno.h>
#include <string.h>

#include "grammar.h"

int oclmm_check_shared(const struct builder *builder, const struct syntax_token *at)
{
	if (!builder->dartagnan)
		return 0;
	return REFUSE(builder, at, NULL, "`%s` is not in the grammar shared with Dartagnan",
	              at->text);
}

/* ---- names ---- */

/* `B1` and `P1` are words of their own kind there. */
static bool is_numbered(const char *name, char letter)
{
	return name[0] == letter && name[1] && strspn(name + 1, "0123456789") == strlen(name + 1);
}

static bool is_reserved(const char *name)
{
	static const char *const words[] = {
		"C",        "OPENCL",     "wg",    "dev",   "with",   "final",   "default",
		"tso",      "cc",         "optic", "false", "struct", "char",    "intptr_t",
		"atomic_t", "spinlock_t", "SCAS",  "WCAS",  "xchg",   "cmpxchg",
	};

	return oclmm_is_among(name, words, OCLMM_COUNT(words)) || is_numbered(name, 'B') ||
	       is_numbered(name, 'P');
}

int oclmm_check_name(const struct builder *builder, const struct syntax_token *at)
{
	if (!builder->dartagnan || !is_reserved(at->text))
		return 0;
	return REFUSE(builder, at, "choose another name", "`%s` is no name for Dartagnan",
	              at->text);
}

/* ---- comments ---- */

/* The preamble ends at the first `{`, wherever it stands. */
static int check_preamble(const struct syntax_source *source, const struct syntax_token *tokens,
                          size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strchr(tokens[i].text, '{'))
			return oclmm_refuse(source, &tokens[i].written, NULL,
			                    "Dartagnan takes a `{` in here for the init block");
	}
	return 0;
}

/* How many braces of the init block are open behind a word; none: it is closed. */
static unsigned step(unsigned open, const struct syntax_token *token)
{
	if (token->kind == '{')
		return open + 1;
	return token->kind == '}' ? open - 1 : open;
}

/* A comment `(* *)` may stand behind each declaration and at the end. */
int oclmm_check_comments(const struct syntax_source *source, const struct syntax_token *preamble,
                         size_t count, const struct syntax_tokens *body)
{
	unsigned open = 1;

	if (check_preamble(source, preamble, count))
		return -EINVAL;
	for (size_t i = 1; i < body->count; i++) {
		const struct syntax_token *token = &body->data[i];
		int before = token[-1].kind;
		bool behind = open == 1 && (before == ';' || (token->kind == '}' && before != '{'));

		if (token->comments > (behind || token->kind == TOKEN_END))
			return oclmm_refuse(
				source, &token->written,
				"write it with `//`, or above the init block",
				"before this stands a comment that Dartagnan does not read");
		if (open > 0)
			open = step(open, token);
	}
	return 0;
}
