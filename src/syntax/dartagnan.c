// SPDX-License-Identifier: Apache-2.0
/*
 * What Dartagnan's grammar lacks, beyond words of ours that are refused where
 * they are read. Only asked for a file that is to be shared with it.
 */
#include "build.h"

#include <string.h>

#include "grammar.h"

int build_extension(const struct builder *builder, const struct syntax_token *at)
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

int build_check_name(const struct builder *builder, const struct syntax_token *at)
{
	if (!builder->dartagnan || !is_reserved(at->text))
		return 0;
	return REFUSE(builder, at, "choose another name", "`%s` is no name for Dartagnan",
	              at->text);
}

/* ---- barriers ---- */

int build_check_label(const struct builder *builder, const struct syntax_token *barrier,
                      const struct syntax_token *label)
{
	static const char note[] =
		"write `B1: barrier(...)`, with one number for all threads of the group";

	if (!builder->dartagnan)
		return 0;
	if (!label)
		return REFUSE(builder, barrier, note,
		              "Dartagnan wants a label `B1:` before a barrier");
	/* it reads a number: B1 and B01 are one label there, and two here */
	if (!is_numbered(label->text, 'B') || (label->text[1] == '0' && label->text[2]) ||
	    strlen(label->text) > 9)
		return REFUSE(builder, label, note,
		              "`%.40s` is no label of a barrier for Dartagnan", label->text);
	return 0;
}

/* ---- places and numbers ---- */

int build_check_place(const struct builder *builder, const struct tree_placement *tree)
{
	static const char *const words[] = {"wg", "dev"};

	for (size_t i = 0; builder->dartagnan && i < OCLMM_COUNT(words); i++, tree = tree->next) {
		bool last = i + 1 == OCLMM_COUNT(words);

		if (strcmp(tree->word->text, words[i]) == 0 && last == !tree->next &&
		    (last || tree->number[1].kind == ','))
			continue;
		return REFUSE(builder, tree->word, "write `@wg 0, dev 0`",
		              "Dartagnan reads places only as `wg`, a comma, and `dev`");
	}
	return 0;
}

int build_check_number(const struct builder *builder, const struct syntax_token *at, bool negative)
{
	bool hexadecimal = strncmp(at->text, "0x", 2) == 0;
	const char *digits = hexadecimal ? at->text + 2 : at->text;
	size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");

	if (!builder->dartagnan || (!digits[length] && !(negative && hexadecimal)))
		return 0;
	return build_extension(builder, at);
}

/* ---- comments ---- */

/* The preamble ends at the first `{`, wherever it stands. */
int build_check_preamble(const struct syntax_source *source, const struct syntax_token *tokens,
                         size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strchr(tokens[i].text, '{'))
			return syntax_refuse(source, &tokens[i].written, NULL,
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
int build_check_comments(const struct syntax_source *source, const struct syntax_tokens *body)
{
	unsigned open = 1;

	for (size_t i = 1; i < body->count; i++) {
		const struct syntax_token *token = &body->data[i];
		int before = token[-1].kind;
		bool behind = open == 1 && (before == ';' || (token->kind == '}' && before != '{'));

		if (token->comments > (behind || token->kind == TOKEN_END))
			return syntax_refuse(
				source, &token->written,
				"write it with `//`, or above the init block",
				"before this stands a comment that Dartagnan does not read");
		if (open > 0)
			open = step(open, token);
	}
	return 0;
}
