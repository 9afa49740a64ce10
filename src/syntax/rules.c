// SPDX-License-Identifier: Apache-2.0
#include "preamble.h"

#include <string.h>

#include "grammar.h"

/** Walks over the words of an `except` or `control` line. */
struct reader {
	const struct syntax_source *source;
	const struct item *item;
	const struct preamble *preamble;
	size_t next;
};

static bool at_end(const struct reader *reader)
{
	return reader->next >= reader->item->count;
}

static const struct syntax_token *peek(const struct reader *reader)
{
	return &reader->item->words[reader->next];
}

static int find_axis(const struct reader *reader, const struct syntax_token *at, uint32_t *ret_axis)
{
	for (uint32_t i = 0; i < reader->preamble->axis_count; i++) {
		if (strcmp(reader->preamble->axes[i].name, at->text) == 0) {
			*ret_axis = i;
			return 0;
		}
	}
	return syntax_refuse(reader->source, &at->written, "`vary` lines stand above",
	                     "there is no axis `%.40s`", at->text);
}

/* A value may be several words with no blank between them: `rlx-rlx`. */
static void read_value(struct reader *reader, struct oclmm_text *value, struct oclmm_position *at)
{
	const struct syntax_token *word = peek(reader);

	*at = word->written;
	oclmm_text_add(value, word->text);
	reader->next++;
	while (!at_end(reader) && syntax_token_touches(word, peek(reader))) {
		word = peek(reader);
		oclmm_text_add(value, word->text);
		at->length += word->written.length;
		reader->next++;
	}
}

static int find_value(const struct reader *reader, const struct axis *axis,
                      const struct oclmm_position *at, const char *value, uint32_t *ret_value)
{
	struct oclmm_text note = {0};
	uint32_t i;
	int result;

	if (strcmp(value, "base") == 0) {
		*ret_value = 0;
		return 0;
	}
	oclmm_text_add(&note, "its values are base");
	for (i = 0; i < axis->alternative_count; i++) {
		if (strcmp(axis->alternatives[i].value, value) == 0)
			break;
		oclmm_text_printf(&note, " %s", axis->alternatives[i].value);
	}
	result = i < axis->alternative_count
	                 ? 0
	                 : syntax_refuse(reader->source, at, oclmm_text_string(&note),
	                                 "the axis `%s` has no value `%.60s`", axis->name, value);
	oclmm_text_finish(&note);
	if (!result)
		*ret_value = i + 1;
	return result;
}

static int read_setting(struct reader *reader, struct pattern *pattern)
{
	const struct syntax_token *name = peek(reader);
	struct oclmm_position at;
	struct oclmm_text value = {0};
	uint32_t axis = 0, index = 0;
	int result = find_axis(reader, name, &axis);

	if (result)
		return result;
	if (pattern->given[axis])
		return syntax_refuse(reader->source, &name->written, NULL,
		                     "the axis `%s` is given twice", name->text);
	reader->next++;
	if (at_end(reader) || peek(reader)->kind != '=' || reader->next + 1 >= reader->item->count)
		return syntax_refuse(reader->source, &name->written, "write `order=rlx`, say",
		                     "`=` and a value are expected after the axis");
	reader->next++;
	read_value(reader, &value, &at);
	result = find_value(reader, &reader->preamble->axes[axis], &at, oclmm_text_string(&value),
	                    &index);
	oclmm_text_finish(&value);
	if (result)
		return result;
	pattern->given[axis] = true;
	pattern->value[axis] = index;
	return 0;
}

/* Settings up to `=>`, a quoted text or the end of the line. */
static int read_pattern(struct reader *reader, struct pattern *pattern, unsigned *count)
{
	while (!at_end(reader) && peek(reader)->kind != TOKEN_ARROW &&
	       peek(reader)->kind != TOKEN_QUOTED) {
		int result = read_setting(reader, pattern);

		if (result)
			return result;
		++*count;
	}
	return 0;
}

static const struct syntax_token *last_word(const struct item *item)
{
	return &item->words[item->count - 1];
}

int syntax_read_except(const struct syntax_source *source, const struct item *item,
                       struct preamble *preamble)
{
	struct reader reader = {source, item, preamble, 1};
	struct rule *rule = &preamble->excepts[preamble->except_count];
	unsigned count = 0;
	int result;

	rule->at = &item->words[0];
	result = read_pattern(&reader, &rule->match, &count);
	if (result)
		return result;
	if (count == 0)
		return syntax_refuse(source, &rule->at->written,
		                     "write `except order=rlx place=wg0 \"why\"`",
		                     "the exception names no combination");
	if (at_end(&reader) || peek(&reader)->kind != TOKEN_QUOTED ||
	    strcmp(peek(&reader)->text, "\"\"") == 0)
		return syntax_refuse(source, &last_word(item)->written,
		                     "write `except order=rlx \"why\"`",
		                     "an exception ends with its reason in quotes");
	if (reader.next + 1 != item->count)
		return syntax_refuse(source, &item->words[reader.next + 1].written, NULL,
		                     "unexpected `%.40s` after the reason",
		                     item->words[reader.next + 1].text);
	preamble->except_count++;
	return 0;
}

int syntax_read_control(const struct syntax_source *source, const struct item *item,
                        struct preamble *preamble)
{
	static const char form[] = "write `control order=rlx` or `control place=wg0 => order=rlx`";
	struct reader reader = {source, item, preamble, 1};
	struct rule *rule = &preamble->controls[preamble->control_count];
	struct pattern first = {0};
	unsigned count = 0, targets = 0;
	bool arrow;
	int result = read_pattern(&reader, &first, &count);

	if (result)
		return result;
	rule->at = &item->words[0];
	arrow = !at_end(&reader) && peek(&reader)->kind == TOKEN_ARROW;
	if (arrow) {
		reader.next++;
		rule->match = first;
		result = read_pattern(&reader, &rule->target, &targets);
	} else {
		rule->target = first;
		targets = count;
	}
	if (result)
		return result;
	if (!at_end(&reader))
		return syntax_refuse(source, &peek(&reader)->written, form, "unexpected `%.40s`",
		                     peek(&reader)->text);
	if (targets == 0)
		return syntax_refuse(source, &last_word(item)->written, form,
		                     "the line names no control");
	preamble->control_count++;
	return 0;
}
