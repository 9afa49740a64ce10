// SPDX-License-Identifier: Apache-2.0
#include "preamble.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/ir.h"

enum { MAX_VALUE = 40 };

bool syntax_is_safe(const char *text, const char *punctuation)
{
	for (; *text; text++) {
		if (!isalnum((unsigned char)*text) && !strchr(punctuation, *text))
			return false;
	}
	return true;
}

static bool is_safe(char letter, bool first)
{
	/* in front these would make an option, a hidden file or a command */
	if (first && strchr("-.=", letter))
		return false;
	return isalnum((unsigned char)letter) || strchr("_+.=-", letter);
}

bool oclmm_is_test_name(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < length; i++) {
		if (!is_safe(name[i], i == 0))
			return false;
	}
	return length > 0 && length <= OCLMM_TEST_NAME_MOST;
}

const char *syntax_safe_name(struct oclmm_arena *arena, const char *name)
{
	char *safe = oclmm_arena_strdup(arena, name);
	size_t used = 0;

	for (; *name; name++) {
		/* a letter of several bytes gives one sign */
		if (((unsigned char)*name & 0xc0) == 0x80 && used > 0)
			continue;
		safe[used] = is_safe(*name, used == 0) ? *name : '_';
		used++;
	}
	safe[used] = '\0';
	return safe;
}

/* The short name of a word of the vocabulary, or NULL. */
static const char *find_short(const char *word)
{
	for (unsigned i = OCLMM_ORDER_RELAXED; i < OCLMM_ORDER_COUNT; i++) {
		if (strcmp(oclmm_order_spelling((enum oclmm_order)i), word) == 0)
			return oclmm_order_short((enum oclmm_order)i);
	}
	for (unsigned i = OCLMM_SCOPE_WORK_ITEM; i < OCLMM_SCOPE_COUNT; i++) {
		if (strcmp(oclmm_scope_spelling((enum oclmm_scope)i), word) == 0)
			return oclmm_scope_short((enum oclmm_scope)i);
	}
	return NULL;
}

/* Signs that make a difference; all others only separate. */
static const char *sign_name(const char *text)
{
	static const struct {
		const char *sign, *name;
	} signs[] = {
		{"*", "p"},   {"!", "not"}, {"==", "eq"},  {"!=", "ne"}, {"<", "lt"},
		{">", "gt"},  {"<=", "le"}, {">=", "ge"},  {"+", "+"},   {"-", "m"},
		{"^", "xor"}, {"~", "inv"}, {"&&", "and"}, {"||", "or"},
	};

	for (size_t i = 0; i < OCLMM_COUNT(signs); i++) {
		if (strcmp(signs[i].sign, text) == 0)
			return signs[i].name;
	}
	return "";
}

static const char *flag_name(const char *word)
{
	if (strcmp(word, "CLK_GLOBAL_MEM_FENCE") == 0)
		return "G";
	return strcmp(word, "CLK_LOCAL_MEM_FENCE") == 0 ? "L" : NULL;
}

/* `wg 1` gives wg1, `global atomic_int` gives global_atomic_int, and the two
 * fence flags together give GL. */
static void add_sequence(struct oclmm_text *text, const struct sequence *sequence)
{
	bool after_word = false; /* only blanks since the last word */
	size_t start = text->length;
	bool after_sign = false; /* a sign without a name since the last word */

	for (size_t i = 0; i < sequence->count; i++) {
		const char *word = sequence->data[i].text;
		const char *flag = flag_name(word);
		const char *short_name = flag ? flag : find_short(word);
		bool is_word = isalpha((unsigned char)word[0]) || word[0] == '_';
		bool is_number = isdigit((unsigned char)word[0]);

		if (!is_word && !is_number) {
			after_sign = after_sign || (text->length > start && !*sign_name(word));
			after_word = false;
			oclmm_text_add(text, sign_name(word));
			continue;
		}
		if (!flag && (after_sign || (is_word && after_word)))
			oclmm_text_add(text, "_");
		oclmm_text_add(text, short_name ? short_name : word);
		after_word = !flag;
		after_sign = false;
	}
}

static char *sequence_name(const struct sequence *sequence)
{
	struct oclmm_text text = {0};

	add_sequence(&text, sequence);
	/* an empty statement, say: signs alone */
	if (text.length == 0)
		oclmm_text_add(&text, "none");
	return oclmm_text_steal(&text);
}

const char *syntax_value_name(struct oclmm_arena *arena, const struct sequence *sequences,
                              uint32_t count)
{
	struct oclmm_text all = {0};
	char *first = sequence_name(&sequences[0]);
	const char *result = NULL;
	bool equal = true;

	for (uint32_t i = 0; i < count; i++) {
		char *name = sequence_name(&sequences[i]);

		equal = equal && strcmp(first, name) == 0;
		oclmm_text_printf(&all, "%s%s", i > 0 ? "-" : "", name);
		free(name);
	}
	if (equal && strlen(first) <= MAX_VALUE)
		result = oclmm_arena_strdup(arena, first);
	else if (!equal && all.length <= MAX_VALUE)
		result = oclmm_text_keep(&all, arena);
	oclmm_text_finish(&all);
	free(first);
	return result;
}
