// SPDX-License-Identifier: Apache-2.0
/* What stands before the init block: the question, comments, `vary`, `except`, `control`, `unroll`.
 */
#include "preamble.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grammar.h"
#include "scope.h"

#include <errno.h>

/* ---- names ---- */

static bool is_safe(char letter, bool first)
{
	/* a name that begins so would be an option, a hidden file or a command */
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

static const char *safe_name(struct oclmm_arena *arena, const char *name)
{
	char *safe = oclmm_arena_strdup(arena, name);
	size_t used = 0;

	for (; *name; name++) {
		/* a character of several bytes becomes one `_` */
		if (((unsigned char)*name & 0xc0) == 0x80 && used > 0)
			continue;
		safe[used] = is_safe(*name, used == 0) ? *name : '_';
		used++;
	}
	safe[used] = '\0';
	return safe;
}

static int read_name(const struct syntax_source *source, struct oclmm_arena *arena,
                     const struct syntax_tokens *tokens, struct preamble *preamble)
{
	const struct syntax_token *name = &tokens->data[1];

	if (tokens->data[0].kind != TOKEN_OPENCL)
		return oclmm_refuse(
			source, &tokens->data[0].written,
			tokens->data[0].text[0] == '\xef'
				? "the file begins with a mark of its byte order: save it as "
				  "UTF-8 without one"
				: "after them come `{ [x] = 0; }`, threads `P0 (...) { ... }`, "
				  "and a condition",
			"a litmus test begins with `OPENCL` and its name");
	if (name->kind != TOKEN_TEST_NAME)
		return oclmm_refuse(source, &tokens->data[0].written, NULL, "the test has no name");
	if (strlen(name->text) > OCLMM_TEST_NAME_MOST)
		return oclmm_refuse(source, &name->written, NULL,
		                    "the name is longer than %d letters", OCLMM_TEST_NAME_MOST);
	if (strcmp(oclmm_shown(name->text).text, name->text) != 0)
		return oclmm_refuse(source, &name->written, NULL,
		                    "the name has characters that do not stand in a line of text");
	preamble->name = name;
	preamble->safe_name = safe_name(arena, name->text);
	return 0;
}

static int read_question(const struct syntax_source *source, struct oclmm_arena *arena,
                         const struct item *item, struct preamble *preamble)
{
	const struct syntax_token *quoted = item->words;
	size_t length = strlen(quoted->text);

	if (item->count > 1)
		return oclmm_refuse(source, &item->words[1].written, NULL,
		                    "unexpected `%.40s` after the question", item->words[1].text);
	if (preamble->question)
		return oclmm_refuse(source, &quoted->written, NULL, "the test has two questions");
	/* files made by tools have an empty one */
	if (length > 2)
		preamble->question = oclmm_arena_strndup(arena, quoted->text + 1, length - 2);
	return 0;
}

/* ---- comments ---- */

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

	position.column += 2; /* the text begins behind the `(*` */
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
		return oclmm_refuse(source, &position,
		                    "write Never, Sometimes, Always, Undefined or Disputed",
		                    "`%.*s` is not a result", length > 40 ? 40 : (int)length, word);
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

static int read_comment(const struct syntax_source *source, struct oclmm_arena *arena,
                        const struct syntax_token *comment, struct preamble *preamble)
{
	static const char word[] = "Result:";
	const char *stated = strstr(comment->text, word);

	if ((stated ? read_stated(source, comment, stated + sizeof(word) - 1, preamble) : 0))
		return -EINVAL;
	preamble->comment = clean(arena, comment->text, stated);
	return 0;
}

/* ---- names of values ---- */

enum { MAX_VALUE = 40 };

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

/* Signs with a meaning; all others only separate words. */
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

static const char *value_name(struct oclmm_arena *arena, const struct sequence *sequences,
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

/* ---- `vary` ---- */

/** Walks over the words of a line. */
struct reader {
	const struct syntax_source *source;
	struct oclmm_arena *arena;
	const struct item *item;
	const struct preamble *preamble;
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

/* The word that a refusal points at: at the end of the line the last one. */
static const struct syntax_token *here(const struct reader *reader)
{
	return at_end(reader) ? &reader->item->words[reader->item->count - 1] : peek(reader);
}

#define REFUSE_HERE(reader, note, ...)                                                             \
	oclmm_refuse((reader)->source, &here(reader)->written, (note), __VA_ARGS__)

static const char vary_form[] = "write `vary order: memory_order_release => memory_order_relaxed`";

static int read_threads(struct reader *reader, struct axis *axis)
{
	axis->threads = OCLMM_NEW_ARRAY(reader->arena, uint32_t, reader->item->count);
	while (take(reader, '@')) {
		uint32_t number;

		if (at_end(reader) || !oclmm_thread_number(peek(reader)->text, &number))
			return REFUSE_HERE(reader, vary_form, "a thread is expected after `@`");
		axis->threads[axis->thread_count++] = number;
		reader->next++;
	}
	return 0;
}

static int read_head(struct reader *reader, struct axis *axis)
{
	const struct preamble *preamble = reader->preamble;

	if (at_end(reader) || !isalpha((unsigned char)peek(reader)->text[0]))
		return REFUSE_HERE(reader, vary_form, "the axis has no name");
	axis->at = peek(reader);
	axis->name = axis->at->text;
	reader->next++;
	for (uint32_t i = 0; i < preamble->axis_count; i++) {
		if (strcmp(preamble->axes[i].name, axis->name) == 0)
			return oclmm_refuse(reader->source, &axis->at->written, NULL,
			                    "two axes are called `%s`", axis->name);
	}
	if (read_threads(reader, axis))
		return -EINVAL;
	if (!take(reader, ':'))
		return REFUSE_HERE(reader, vary_form, "`:` is expected after the name of the axis");
	return 0;
}

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
		return oclmm_refuse(reader->source, &sequence->data->written, NULL,
		                    "a parenthesis of this sequence is not closed");
	return 0;
}

static bool same_sequence(const struct sequence *a, const struct sequence *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (!oclmm_tokens_equal(&a->data[i], &b->data[i]))
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
			return REFUSE_HERE(reader, vary_form,
			                   "a sequence to be rewritten is empty");
		for (uint32_t i = 0; i < axis->listed_count; i++) {
			if (same_sequence(&axis->listed[i], sequence))
				return oclmm_refuse(reader->source, &sequence->data->written, NULL,
				                    "this sequence is listed twice");
		}
		axis->listed_count++;
	} while (take(reader, ','));
	if (!take(reader, TOKEN_ARROW))
		return REFUSE_HERE(reader, vary_form,
		                   "`=>` is expected after the sequences to be rewritten");
	return 0;
}

static bool is_safe_text(const char *text, const char *punctuation)
{
	for (; *text; text++) {
		if (!isalnum((unsigned char)*text) && !strchr(punctuation, *text))
			return false;
	}
	return true;
}

static int read_label(struct reader *reader, struct alternative *alternative)
{
	const struct syntax_token *quoted = peek(reader);
	char *label;

	reader->next++;
	label = oclmm_arena_strndup(reader->arena, quoted->text + 1, strlen(quoted->text) - 2);
	if (!*label || strlen(label) > 40 || !is_safe_text(label, "_+-"))
		return oclmm_refuse(reader->source, &quoted->written,
		                    "a label has 1 to 40 letters, digits or _ + -",
		                    "this is not a label");
	if (strcmp(label, "base") == 0)
		return oclmm_refuse(reader->source, &quoted->written, NULL,
		                    "`base` is the name of the file as written");
	alternative->value = label;
	return 0;
}

static int name_alternative(struct reader *reader, const struct axis *axis,
                            struct alternative *alternative)
{
	if (!alternative->value)
		alternative->value = value_name(reader->arena, alternative->sequences,
		                                axis->listed_count);
	if (!alternative->value)
		return oclmm_refuse(reader->source, &alternative->at->written,
		                    "give it a label in front: `\"label\" ...`",
		                    "the name made of this alternative is too long");
	for (uint32_t i = 0; i < axis->alternative_count; i++) {
		if (strcmp(axis->alternatives[i].value, alternative->value) == 0)
			return oclmm_refuse(reader->source, &alternative->at->written,
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

	alternative->at = here(reader);
	alternative->sequences = OCLMM_NEW_ARRAY(reader->arena, struct sequence,
	                                         axis->listed_count + 1);
	if (!at_end(reader) && peek(reader)->kind == TOKEN_QUOTED &&
	    read_label(reader, alternative))
		return -EINVAL;
	do {
		struct sequence sequence = {0};

		if (read_sequence(reader, &sequence))
			return -EINVAL;
		if (count < axis->listed_count)
			alternative->sequences[count] = sequence;
		count++;
	} while (take(reader, ','));
	if (count != axis->listed_count)
		return oclmm_refuse(reader->source, &alternative->at->written,
		                    "commas separate sequences, `|` separates alternatives",
		                    "the axis `%s` rewrites %u sequence%s, this alternative has %u",
		                    axis->name, axis->listed_count,
		                    axis->listed_count == 1 ? "" : "s", count);
	if (name_alternative(reader, axis, alternative))
		return -EINVAL;
	axis->alternative_count++;
	return 0;
}

static int read_vary(const struct syntax_source *source, struct oclmm_arena *arena,
                     const struct item *item, struct preamble *preamble)
{
	struct reader reader = {source, arena, item, preamble, 1};
	struct axis *axis = &preamble->axes[preamble->axis_count];

	if (preamble->axis_count == SYNTAX_MAX_AXES)
		return oclmm_refuse(source, &item->words[0].written, NULL, "more than %d axes",
		                    SYNTAX_MAX_AXES);
	if (read_head(&reader, axis) || read_listed(&reader, axis))
		return -EINVAL;
	axis->alternatives = OCLMM_NEW_ARRAY(arena, struct alternative, item->count + 1);
	do {
		if (read_alternative(&reader, axis))
			return -EINVAL;
	} while (take(&reader, '|'));
	if (!at_end(&reader))
		return REFUSE_HERE(&reader, NULL, "unexpected `%.40s` in an alternative",
		                   peek(&reader)->text);
	preamble->axis_count++;
	return 0;
}

/* ---- `except` and `control` ---- */

static int find_axis(const struct reader *reader, const struct syntax_token *at, uint32_t *ret_axis)
{
	for (uint32_t i = 0; i < reader->preamble->axis_count; i++) {
		if (strcmp(reader->preamble->axes[i].name, at->text) == 0) {
			*ret_axis = i;
			return 0;
		}
	}
	return oclmm_refuse(reader->source, &at->written, "`vary` lines stand above",
	                    "there is no axis `%.40s`", at->text);
}

/* A value may be several words with no blank between them: `rlx-rlx`. */
static void read_value(struct reader *reader, struct oclmm_text *value, struct oclmm_position *at)
{
	const struct syntax_token *word = peek(reader);

	*at = word->written;
	oclmm_text_add(value, word->text);
	reader->next++;
	while (!at_end(reader) && oclmm_tokens_touch(word, peek(reader))) {
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
	                 : oclmm_refuse(reader->source, at, oclmm_text_string(&note),
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
		return oclmm_refuse(reader->source, &name->written, NULL,
		                    "the axis `%s` is given twice", name->text);
	reader->next++;
	if (at_end(reader) || peek(reader)->kind != '=' || reader->next + 1 >= reader->item->count)
		return oclmm_refuse(reader->source, &name->written, "write `order=rlx`, say",
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

static int read_except(const struct syntax_source *source, const struct item *item,
                       struct preamble *preamble)
{
	struct reader reader = {source, NULL, item, preamble, 1};
	struct rule *rule = &preamble->excepts[preamble->except_count];
	unsigned count = 0;

	rule->at = &item->words[0];
	if (read_pattern(&reader, &rule->match, &count))
		return -EINVAL;
	if (count == 0)
		return oclmm_refuse(source, &rule->at->written,
		                    "write `except order=rlx place=wg0 \"why\"`",
		                    "the exception names no combination");
	if (at_end(&reader) || peek(&reader)->kind != TOKEN_QUOTED ||
	    strcmp(peek(&reader)->text, "\"\"") == 0)
		return oclmm_refuse(source, &last_word(item)->written,
		                    "write `except order=rlx \"why\"`",
		                    "an exception ends with its reason in quotes");
	if (reader.next + 1 != item->count)
		return oclmm_refuse(source, &item->words[reader.next + 1].written, NULL,
		                    "unexpected `%.40s` after the reason",
		                    item->words[reader.next + 1].text);
	preamble->except_count++;
	return 0;
}

static int read_control(const struct syntax_source *source, const struct item *item,
                        struct preamble *preamble)
{
	static const char form[] = "write `control order=rlx` or `control place=wg0 => order=rlx`";
	struct reader reader = {source, NULL, item, preamble, 1};
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
		return oclmm_refuse(source, &peek(&reader)->written, form, "unexpected `%.40s`",
		                    peek(&reader)->text);
	if (targets == 0)
		return oclmm_refuse(source, &last_word(item)->written, form,
		                    "the line names no control");
	preamble->control_count++;
	return 0;
}

/* ---- all of it ---- */

static int read_unroll(const struct syntax_source *source, const struct item *item,
                       struct preamble *preamble)
{
	const struct syntax_token *number = &item->words[1];
	char *end;
	unsigned long value;

	if (preamble->unroll_at)
		return oclmm_refuse(source, &item->words[0].written, NULL, "two `unroll` lines");
	if (item->count != 2 || number->kind != TOKEN_NUMBER)
		return oclmm_refuse(source, &item->words[0].written, NULL, "write `unroll 2`");
	value = strtoul(number->text, &end, 10);
	if (*end || value < 1 || value > SYNTAX_MAX_UNROLL)
		return oclmm_refuse(source, &number->written, NULL, "the bound of loops is 1 to %d",
		                    SYNTAX_MAX_UNROLL);
	preamble->unroll_at = number;
	preamble->unroll = (uint32_t)value;
	return 0;
}

/* herd's own lines, such as `Com=Rf Fr`, have no meaning here. */
static bool is_foreign_line(const struct item *item)
{
	return item->count >= 2 && item->words[0].text[0] >= 'A' && item->words[0].text[0] <= 'Z' &&
	       item->words[1].kind == '=';
}

static int read_item(const struct syntax_source *source, struct oclmm_arena *arena,
                     const struct item *item, struct preamble *preamble)
{
	const struct syntax_token *first = item->words;

	if (first->kind == TOKEN_QUOTED)
		return read_question(source, arena, item, preamble);
	if (strcmp(first->text, "vary") == 0)
		return read_vary(source, arena, item, preamble);
	if (strcmp(first->text, "except") == 0)
		return read_except(source, item, preamble);
	if (strcmp(first->text, "control") == 0)
		return read_control(source, item, preamble);
	if (strcmp(first->text, "unroll") == 0)
		return read_unroll(source, item, preamble);
	if (is_foreign_line(item))
		return 0;
	if (first->text[0] == 'P' && first->text[1] >= '0' && first->text[1] <= '9')
		return oclmm_refuse(source, &first->written,
		                    "the init block comes before the threads: `{ [x] = 0; }`",
		                    "unexpected `%.40s`", first->text);
	if (first->text[0] == '#')
		return oclmm_refuse(source, &first->written, oclmm_no_preprocessor,
		                    "unexpected `#`");
	return oclmm_refuse(source, &first->written,
	                    "before the init block stand a quoted question, comments, and lines "
	                    "that begin with vary, except, control or unroll",
	                    "unexpected `%.40s`", first->text);
}

/* Counts words that an axis may put in, too. */
static bool has_loops(const struct syntax_tokens *tokens)
{
	bool shared = false;

	for (size_t i = 0; i + 2 < tokens->count; i++) {
		const struct syntax_token *token = &tokens->data[i];

		/* `for (;;)`, and any `for` where work-items share a text */
		shared |= token->kind == TOKEN_KERNEL && token[1].kind == '@';
		if (token->kind == TOKEN_WHILE ||
		    (token->kind == TOKEN_FOR && (shared || token[2].kind == ';')))
			return true;
	}
	return false;
}

/* Whether a word continues the line before it. */
static bool continues(const struct item *item, const struct syntax_token *next)
{
	if (next->written.line == item->words[item->count - 1].written.line)
		return true;
	if (next->kind == '|' || next->kind == ',' || next->kind == TOKEN_ARROW)
		return true;
	/* the reason of an exception may have a line of its own */
	return next->kind == TOKEN_QUOTED && strcmp(item->words[0].text, "except") == 0 &&
	       item->words[item->count - 1].kind != TOKEN_QUOTED;
}

/* Takes the comments out, so that the rest is lines. */
static int take_comments(const struct syntax_source *source, struct oclmm_arena *arena,
                         const struct syntax_tokens *tokens, size_t end, struct preamble *preamble,
                         struct item *ret_rest)
{
	struct syntax_token *words = OCLMM_NEW_ARRAY(arena, struct syntax_token, end + 1);
	const struct syntax_token *first = NULL;
	size_t count = 0;

	for (size_t i = 2; i < end; i++) {
		if (tokens->data[i].kind != TOKEN_COMMENT)
			words[count++] = tokens->data[i];
		else if (!first)
			first = &tokens->data[i];
	}
	/* there is a readable word behind the last */
	words[count] = tokens->data[end];
	*ret_rest = (struct item){words, count};
	return first ? read_comment(source, arena, first, preamble) : 0;
}

static int read_items(const struct syntax_source *source, struct oclmm_arena *arena,
                      const struct item *rest, struct preamble *preamble)
{
	size_t i = 0;

	while (i < rest->count) {
		struct item item = {&rest->words[i], 1};
		int result;

		while (i + item.count < rest->count &&
		       continues(&item, &rest->words[i + item.count]))
			item.count++;
		result = read_item(source, arena, &item, preamble);
		if (result)
			return result;
		i += item.count;
	}
	return 0;
}

static int refuse_missing_body(const struct syntax_source *source, const struct syntax_token *end)
{
	return oclmm_refuse(source, &end->written, "write `{ [x] = 0; }`",
	                    "the test has no init block");
}

/* An upper bound of the lines that begin with a word. */
static size_t count_word(const struct syntax_tokens *tokens, size_t end, const char *word)
{
	size_t count = 0;

	for (size_t i = 0; i < end; i++)
		count += strcmp(tokens->data[i].text, word) == 0;
	return count;
}

int oclmm_read_preamble(const struct syntax_source *source, struct oclmm_arena *arena,
                        const struct syntax_tokens *tokens, struct preamble *preamble,
                        size_t *ret_body)
{
	struct item rest;
	size_t body = 0;

	if (read_name(source, arena, tokens, preamble))
		return -EINVAL;
	while (body < tokens->count && tokens->data[body].kind != '{')
		body++;
	if (body == tokens->count)
		return refuse_missing_body(source, &tokens->data[tokens->count - 1]);
	if (body > SYNTAX_MAX_TOKENS)
		return oclmm_refuse(source, &tokens->data[SYNTAX_MAX_TOKENS].written, NULL,
		                    "more than %d words before the init block", SYNTAX_MAX_TOKENS);
	preamble->excepts = OCLMM_NEW_ARRAY(arena, struct rule, count_word(tokens, body, "except"));
	preamble->controls = OCLMM_NEW_ARRAY(arena, struct rule,
	                                     count_word(tokens, body, "control"));
	if (take_comments(source, arena, tokens, body, preamble, &rest) ||
	    read_items(source, arena, &rest, preamble))
		return -EINVAL;
	if (preamble->unroll_at && !has_loops(tokens))
		return oclmm_refuse(source, &preamble->unroll_at->written, "drop the line",
		                    "`unroll %u` bounds no loop", preamble->unroll);
	*ret_body = body;
	return 0;
}
