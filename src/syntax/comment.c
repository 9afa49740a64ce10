// SPDX-License-Identifier: Apache-2.0
#include "preamble.h"

#include <ctype.h>
#include <string.h>

static const char *const stated_words[] = {
	[OCLMM_STATED_NOTHING] = NULL,          [OCLMM_STATED_NEVER] = "Never",
	[OCLMM_STATED_SOMETIMES] = "Sometimes", [OCLMM_STATED_ALWAYS] = "Always",
	[OCLMM_STATED_UNDEFINED] = "Undefined", [OCLMM_STATED_DISPUTED] = "Disputed",
};

const char *oclmm_stated_word(enum oclmm_stated stated)
{
	return stated_words[stated];
}

static bool parse_word(const char *word, size_t length, enum oclmm_stated *ret_stated)
{
	for (size_t i = OCLMM_STATED_NEVER; i < OCLMM_COUNT(stated_words); i++) {
		if (strlen(stated_words[i]) == length &&
		    strncmp(stated_words[i], word, length) == 0) {
			*ret_stated = (enum oclmm_stated)i;
			return true;
		}
	}
	return false;
}

/* The place of a letter of the comment's text. */
static struct oclmm_position position_of(const struct syntax_token *comment, const char *letter,
                                         size_t length)
{
	struct oclmm_position position = comment->written;
	const char *c;

	position.column += 2; /* the text begins behind the opening */
	position.length = length ? (uint32_t)length : 1;
	for (c = comment->text; c < letter; c++) {
		position.column++;
		if (*c == '\n') {
			position.line++;
			position.column = 1;
		}
	}
	return position;
}

static int read_stated(const struct syntax_source *source, const struct syntax_token *comment,
                       const char *word, struct preamble *preamble)
{
	size_t length = 0;
	struct oclmm_position position;

	while (*word == ' ' || *word == '\t')
		word++;
	while (isalnum((unsigned char)word[length]))
		length++;
	position = position_of(comment, word, length);
	if (!parse_word(word, length, &preamble->stated))
		return syntax_refuse(source, &position,
		                     "write Never, Sometimes, Always, Undefined or Disputed",
		                     "`%.*s` is not a result", length > 40 ? 40 : (int)length,
		                     word);
	preamble->stated_position = position;
	return 0;
}

static size_t skip_decoration(const char *line, size_t length)
{
	size_t i = 0;

	while (i < length && (line[i] == ' ' || line[i] == '\t'))
		i++;
	if (i < length && line[i] == '*') {
		i++;
		if (i < length && line[i] == ' ')
			i++;
	}
	return i;
}

static void add_line(struct oclmm_text *text, const char *line, size_t length)
{
	size_t skipped = skip_decoration(line, length);

	while (length > skipped && isspace((unsigned char)line[length - 1]))
		length--;
	if (length > skipped)
		oclmm_text_add_bytes(text, line + skipped, length - skipped);
	/* no blank lines at the head */
	if (text->length > 0)
		oclmm_text_add(text, "\n");
}

static const char *clean(struct oclmm_arena *arena, const char *comment, const char *stated)
{
	struct oclmm_text text = {0};
	const char *line = comment;
	const char *result = NULL;
	size_t length;

	while (*line) {
		length = strcspn(line, "\n");
		if (!stated || stated < line || stated >= line + length)
			add_line(&text, line, length);
		line += length;
		if (*line)
			line++;
	}
	length = text.length;
	while (length > 0 && isspace((unsigned char)text.data[length - 1]))
		length--;
	if (length > 0)
		result = oclmm_arena_strndup(arena, text.data, length);
	oclmm_text_finish(&text);
	return result;
}

int syntax_read_comment(const struct syntax_source *source, struct oclmm_arena *arena,
                        const struct syntax_token *comment, struct preamble *preamble)
{
	static const char word[] = "Result:";
	const char *stated = strstr(comment->text, word);
	int result = stated ? read_stated(source, comment, stated + sizeof(word) - 1, preamble) : 0;

	if (!result)
		preamble->comment = clean(arena, comment->text, stated);
	return result;
}
