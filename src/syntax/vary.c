// SPDX-License-Identifier: Apache-2.0
#include "preamble.h"

#include <ctype.h>
#include <string.h>

#include "build.h"
#include "grammar.h"

/** Walks over the words of a line. */
struct reader {
	const struct syntax_source *source;
	struct oclmm_arena *arena;
	const struct item *item;
	size_t next;
};

static const struct syntax_token *peek(const struct reader *reader)
{
	return &reader->item->words[reader->next];
}

static bool at_end(const struct reader *reader)
{
	return reader->next == reader->item->count;
}

static bool take(struct reader *reader, int kind)
{
	if (at_end(reader) || peek(reader)->kind != kind)
		return false;
	reader->next++;
	return true;
}

/* The word to blame: at the end of the line, the last one. */
static const struct syntax_token *here(const struct reader *reader)
{
	return at_end(reader) ? &reader->item->words[reader->item->count - 1] : peek(reader);
}

#define REFUSE_HERE(reader, note, ...)                                                             \
	syntax_refuse((reader)->source, &here(reader)->written, (note), __VA_ARGS__)

static const char form[] = "write `vary order: memory_order_release => memory_order_relaxed`";

/* ---- the head: name and threads ---- */

static int read_threads(struct reader *reader, struct axis *axis)
{
	axis->threads = OCLMM_NEW_ARRAY(reader->arena, uint32_t, reader->item->count);
	while (take(reader, '@')) {
		uint32_t number;

		if (at_end(reader) || !build_thread_number(peek(reader)->text, &number))
			return REFUSE_HERE(reader, form, "a thread is expected after `@`");
		axis->threads[axis->thread_count++] = number;
		reader->next++;
	}
	return 0;
}

static int read_head(struct reader *reader, const struct preamble *preamble, struct axis *axis)
{
	int result;

	if (at_end(reader) || !isalpha((unsigned char)peek(reader)->text[0]))
		return REFUSE_HERE(reader, form, "the axis has no name");
	axis->at = peek(reader);
	axis->name = axis->at->text;
	reader->next++;
	for (uint32_t i = 0; i < preamble->axis_count; i++) {
		if (strcmp(preamble->axes[i].name, axis->name) == 0)
			return syntax_refuse(reader->source, &axis->at->written, NULL,
			                     "two axes are called `%s`", axis->name);
	}
	result = read_threads(reader, axis);
	if (result)
		return result;
	if (!take(reader, ':'))
		return REFUSE_HERE(reader, form, "`:` is expected after the name of the axis");
	return 0;
}

/* ---- sequences ---- */

/* Reads words up to a `,` `|` or `=>` outside parentheses. */
static int read_sequence(struct reader *reader, struct sequence *sequence)
{
	unsigned depth = 0;

	sequence->data = peek(reader);
	for (; !at_end(reader); reader->next++) {
		int kind = peek(reader)->kind;

		if (depth == 0 && (kind == ',' || kind == '|' || kind == TOKEN_ARROW))
			break;
		if (kind == '(' || kind == '[')
			depth++;
		if ((kind == ')' || kind == ']') && depth > 0)
			depth--;
		if (kind == TOKEN_QUOTED)
			return REFUSE_HERE(reader, NULL, "a label stands before its alternative");
		sequence->count++;
	}
	if (depth > 0)
		return syntax_refuse(reader->source, &sequence->data->written, NULL,
		                     "a parenthesis of this sequence is not closed");
	return 0;
}

static bool same_sequence(const struct sequence *a, const struct sequence *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (!syntax_token_equal(&a->data[i], &b->data[i]))
			return false;
	}
	return true;
}

static int read_listed(struct reader *reader, struct axis *axis)
{
	size_t most = reader->item->count;

	axis->listed = OCLMM_NEW_ARRAY(reader->arena, struct sequence, most + 1);
	do {
		struct sequence *sequence = &axis->listed[axis->listed_count];
		int result = read_sequence(reader, sequence);

		if (result)
			return result;
		if (sequence->count == 0)
			return REFUSE_HERE(reader, form, "a sequence to be rewritten is empty");
		for (uint32_t i = 0; i < axis->listed_count; i++) {
			if (same_sequence(&axis->listed[i], sequence))
				return syntax_refuse(reader->source, &sequence->data->written, NULL,
				                     "this sequence is listed twice");
		}
		axis->listed_count++;
	} while (take(reader, ','));
	if (!take(reader, TOKEN_ARROW))
		return REFUSE_HERE(reader, form,
		                   "`=>` is expected after the sequences to be rewritten");
	return 0;
}

/* ---- alternatives ---- */

static int read_label(struct reader *reader, struct alternative *alternative)
{
	const struct syntax_token *quoted = peek(reader);
	char *label;

	reader->next++;
	label = oclmm_arena_strndup(reader->arena, quoted->text + 1, strlen(quoted->text) - 2);
	if (!*label || strlen(label) > 40 || !syntax_is_safe(label, "_+-"))
		return syntax_refuse(reader->source, &quoted->written,
		                     "a label has 1 to 40 letters, digits or _ + -",
		                     "this is not a label");
	if (strcmp(label, "base") == 0)
		return syntax_refuse(reader->source, &quoted->written, NULL,
		                     "`base` is the name of the file as written");
	alternative->value = label;
	return 0;
}

static int name_alternative(struct reader *reader, const struct axis *axis,
                            struct alternative *alternative)
{
	if (!alternative->value)
		alternative->value = syntax_value_name(reader->arena, alternative->sequences,
		                                       axis->listed_count);
	if (!alternative->value)
		return syntax_refuse(reader->source, &alternative->at->written,
		                     "give it a label in front: `\"label\" ...`",
		                     "the name made of this alternative is too long");
	for (uint32_t i = 0; i < axis->alternative_count; i++) {
		if (strcmp(axis->alternatives[i].value, alternative->value) == 0)
			return syntax_refuse(reader->source, &alternative->at->written,
			                     "give one of them a label in front: `\"label\" ...`",
			                     "two alternatives of the axis `%s` are called `%s`",
			                     axis->name, alternative->value);
	}
	return 0;
}

static int read_alternative(struct reader *reader, struct axis *axis)
{
	struct alternative *alternative = &axis->alternatives[axis->alternative_count];
	uint32_t count = 0;
	int result;

	alternative->at = here(reader);
	alternative->sequences = OCLMM_NEW_ARRAY(reader->arena, struct sequence,
	                                         axis->listed_count + 1);
	if (!at_end(reader) && peek(reader)->kind == TOKEN_QUOTED) {
		result = read_label(reader, alternative);
		if (result)
			return result;
	}
	do {
		struct sequence sequence = {0};

		result = read_sequence(reader, &sequence);
		if (result)
			return result;
		if (count < axis->listed_count)
			alternative->sequences[count] = sequence;
		count++;
	} while (take(reader, ','));
	if (count != axis->listed_count)
		return syntax_refuse(
			reader->source, &alternative->at->written,
			"commas separate sequences, `|` separates alternatives",
			"the axis `%s` rewrites %u sequence%s, this alternative has %u", axis->name,
			axis->listed_count, axis->listed_count == 1 ? "" : "s", count);
	result = name_alternative(reader, axis, alternative);
	if (!result)
		axis->alternative_count++;
	return result;
}

int syntax_read_vary(const struct syntax_source *source, struct oclmm_arena *arena,
                     const struct item *item, struct preamble *preamble)
{
	struct reader reader = {source, arena, item, 1};
	struct axis *axis = &preamble->axes[preamble->axis_count];
	int result;

	if (preamble->axis_count == SYNTAX_MAX_AXES)
		return syntax_refuse(source, &item->words[0].written, NULL, "more than %d axes",
		                     SYNTAX_MAX_AXES);
	result = read_head(&reader, preamble, axis);
	if (!result)
		result = read_listed(&reader, axis);
	if (result)
		return result;
	axis->alternatives = OCLMM_NEW_ARRAY(arena, struct alternative, item->count + 1);
	do {
		result = read_alternative(&reader, axis);
		if (result)
			return result;
	} while (take(&reader, '|'));
	if (!at_end(&reader))
		return REFUSE_HERE(&reader, NULL, "unexpected `%.40s` in an alternative",
		                   peek(&reader)->text);
	preamble->axis_count++;
	return 0;
}
