// SPDX-License-Identifier: Apache-2.0
/* From the text of a litmus file to its variants. */
#include "oclmm/syntax.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grammar.h"
#include "preamble.h"
#include "scope.h"

/* ---- the text ---- */

static struct oclmm_position position_of(const char *text, size_t offset)
{
	struct oclmm_position position = {1, 1, 1};

	for (size_t i = 0; i < offset; i++) {
		position.column++;
		if (text[i] == '\n') {
			position.line++;
			position.column = 1;
		}
	}
	return position;
}

static bool is_control(unsigned char c)
{
	return c < ' ' ? c != '\n' && c != '\t' && c != '\r' : c == 0x7f;
}

/* Refuses what is no text, so that messages may quote it. */
static int check_text(const struct syntax_source *source)
{
	struct oclmm_position at;
	size_t i = 0;

	if (source->length > SYNTAX_MAX_BYTES)
		return oclmm_refuse(source, NULL, NULL, "the file is larger than %d bytes",
		                    SYNTAX_MAX_BYTES);
	while (i < source->length && !is_control((unsigned char)source->text[i]))
		i++;
	if (i == source->length)
		return 0;
	at = position_of(source->text, i);
	return oclmm_refuse(source, &at, NULL, "a control character (byte %u)",
	                    (unsigned char)source->text[i]);
}

/* ---- the body ---- */

static bool begins_thread(const struct syntax_token *token, uint32_t *ret_number)
{
	return oclmm_thread_number(token->text, ret_number) &&
	       (token[1].kind == '@' || token[1].kind == '(');
}

/* Tells each word of the body which thread it belongs to: from the name of the
 * thread to the brace that closes its body. */
static void mark_threads(struct syntax_tokens *body)
{
	int unit = SYNTAX_NO_THREAD;
	unsigned depth = 0;
	bool outside = true;
	uint32_t number;

	for (size_t i = 0; i < body->count; i++) {
		struct syntax_token *token = &body->data[i];

		if (outside && depth == 0 && token->kind != TOKEN_END &&
		    begins_thread(token, &number)) {
			unit = (int)number;
			outside = false;
		}
		token->unit = unit;
		if (token->kind == '{' || token->kind == TOKEN_BLOCK)
			depth++;
		if (token->kind == '}' && depth > 0 && --depth == 0) {
			unit = SYNTAX_NO_THREAD;
			outside = true;
		}
	}
}

/* ---- what Dartagnan reads ---- */

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
static unsigned count_open(unsigned open, const struct syntax_token *token)
{
	if (token->kind == '{')
		return open + 1;
	return token->kind == '}' ? open - 1 : open;
}

/* A comment `(* *)` may stand behind each declaration and at the end. */
static int check_comments(const struct syntax_source *source, const struct syntax_token *preamble,
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
			open = count_open(open, token);
	}
	return 0;
}

/* ---- the file ---- */

static int read_tokens(struct syntax_source *source, const struct syntax_tokens *tokens,
                       bool dartagnan, struct oclmm_litmus *litmus)
{
	struct preamble *preamble = OCLMM_NEW(litmus->arena, struct preamble);
	struct expansion expansion = {
		.source = source,
		.litmus = litmus,
		.preamble = preamble,
		.dartagnan = dartagnan,
	};
	size_t body;
	int result = oclmm_read_preamble(source, litmus->arena, tokens, preamble, &body);

	if (result)
		return result;
	expansion.body.data = &tokens->data[body];
	expansion.body.count = tokens->count - body;
	if (expansion.body.count > SYNTAX_MAX_TOKENS)
		return oclmm_refuse(source, &tokens->data[body + SYNTAX_MAX_TOKENS].written, NULL,
		                    "the test is longer than %d words", SYNTAX_MAX_TOKENS);
	mark_threads(&expansion.body);
	if (dartagnan)
		result = check_comments(source, tokens->data, body, &expansion.body);
	if (result)
		return result;
	litmus->name = preamble->safe_name;
	litmus->question = preamble->question;
	litmus->comment = preamble->comment;
	litmus->stated = preamble->stated;
	litmus->stated_position = preamble->stated_position;
	return oclmm_expand_variants(&expansion);
}

static int compare_names(const void *a, const void *b)
{
	const struct oclmm_variant *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* Files have hundreds of variants, and each is asked for its control. */
static void sort_variants(struct oclmm_litmus *litmus)
{
	litmus->by_name = OCLMM_NEW_ARRAY(litmus->arena, const struct oclmm_variant *,
	                                  litmus->variant_count);
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		litmus->by_name[i] = &litmus->variants[i];
	qsort(litmus->by_name, litmus->variant_count, sizeof(*litmus->by_name), compare_names);
}

static struct oclmm_litmus *create(const char *path, const char *text, size_t length)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_litmus *litmus = OCLMM_NEW(arena, struct oclmm_litmus);

	litmus->arena = arena;
	litmus->path = oclmm_arena_strdup(arena, path);
	litmus->text = oclmm_arena_strndup(arena, text, length);
	return litmus;
}

int oclmm_litmus_parse(const char *path, const char *text, size_t length,
                       const struct oclmm_syntax_options *options, struct oclmm_error *error,
                       struct oclmm_litmus **ret_litmus)
{
	struct syntax_source source = {
		.path = path, .text = text, .length = length, .error = error};
	struct syntax_tokens tokens;
	struct oclmm_litmus *litmus;
	int result = check_text(&source);

	if (result)
		return result;
	litmus = create(path, text, length);
	source.path = litmus->path;
	source.text = litmus->text;
	result = oclmm_lex(&source, litmus->arena, &tokens);
	if (!result) {
		result = oclmm_expand_macros(&source, litmus->arena, options && options->dartagnan,
		                             &tokens);
		if (!result)
			result = read_tokens(&source, &tokens, options && options->dartagnan,
			                     litmus);
		oclmm_tokens_finish(&tokens);
	}
	if (result) {
		oclmm_litmus_destroy(litmus);
		return result;
	}
	sort_variants(litmus);
	*ret_litmus = litmus;
	return 0;
}

/* No more than what is refused for its size, however large the file is. */
static int read_bounded(const char *path, struct oclmm_error *error, struct oclmm_text *text)
{
	char block[16 * 1024];
	FILE *file = fopen(path, "re");
	size_t length = 1;
	int r = file ? 0 : -errno;

	errno = 0;
	while (r == 0 && length > 0 && text->length <= SYNTAX_MAX_BYTES) {
		length = fread(block, 1, sizeof(block), file);
		oclmm_text_add_bytes(text, block, length);
	}
	if (file && ferror(file))
		r = errno ? -errno : -EIO;
	if (file)
		fclose(file);
	return r < 0 ? oclmm_error_set(error, r, "cannot read %s: %s", path, strerror(-r)) : 0;
}

int oclmm_litmus_read(const char *path, const struct oclmm_syntax_options *options,
                      struct oclmm_error *error, struct oclmm_litmus **ret_litmus)
{
	struct oclmm_text text = {0};
	int result = read_bounded(path, error, &text);

	if (result == 0)
		result = oclmm_litmus_parse(path, oclmm_text_string(&text), text.length, options,
		                            error, ret_litmus);
	oclmm_text_finish(&text);
	return result;
}

void oclmm_litmus_destroy(struct oclmm_litmus *litmus)
{
	if (litmus)
		oclmm_arena_destroy(litmus->arena);
}

const struct oclmm_variant *oclmm_litmus_find(const struct oclmm_litmus *litmus, const char *name)
{
	const struct oclmm_variant key = {.name = name}, *wanted = &key, **found;

	found = bsearch(&wanted, litmus->by_name, litmus->variant_count, sizeof(*found),
	                compare_names);
	return found ? *found : NULL;
}
