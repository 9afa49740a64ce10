// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/*
 * Results files: JSON Lines, `{"type":"run"}` first, a `{"type":"test"}` per record, and
 * `{"type":"end"}` last, so that a file cut short is known as such. The keys of each object are a
 * table, by which it is written, read and described: a new key is one row, and a member of the
 * struct that the row points into.
 */
enum field_kind {
	FIELD_TEXT,         /* const char *, not empty */
	FIELD_TEXT_OR_NULL, /* const char * or NULL */
	FIELD_TIME,         /* the same, as `2026-01-31T12:00:00Z` */
	FIELD_FORMAT,       /* uint64_t, OCLMM_RESULTS_FORMAT; the caller compares it */
	FIELD_COUNT,        /* uint64_t up to OCLMM_RESULTS_MOST */
	FIELD_COUNT_32,     /* uint32_t */
	FIELD_REAL,         /* double from 0 */
	FIELD_REAL_OR_NULL, /* the same; 0 is null */
	FIELD_PROBABILITY,  /* double, 0 to 1 */
	FIELD_FLAG,         /* bool */
	FIELD_DECIMAL,      /* uint64_t, as a text of decimal digits */
	FIELD_HEX,          /* uint64_t, as a text of 16 hexadecimal digits */
	FIELD_WORD,         /* an enum, by `words` */
	FIELD_WORD_OR_NULL, /* the same; what has no word is null, and null is read as first - 1 */
	FIELD_WORDS,        /* unsigned, set of 1u << enum; not written where empty */
	FIELD_EXIT,         /* enum oclmm_exit */
	FIELD_COUNTS,       /* uint64_t array: an object with a count for each of `words` */
	FIELD_VALUES,       /* union part, values by observable */
	FIELD_BLOCKS,       /* union part, arrays of three and more counts */
	FIELD_HALVINGS,     /* struct oclmm_halvings; not written where empty */
	FIELD_TURNS,        /* struct oclmm_turns, as a text; not written where empty */
	FIELD_LIST,         /* union part, objects by `items` */
	FIELD_OBJECT,       /* union part, an object by `items` */
	FIELD_KIND_COUNT
};

/* The words of an enum, from `first` to the one before `end`. */
struct words {
	const char *(*word)(int value);
	int first, end;
};

struct fields;

/* What is no plain value: of a line that is read, and of one that is written its text. */
union part {
	json_t *read;
	const struct oclmm_text *written; /* NULL: the key is left out */
};

/* Some versions did not write it yet: it may be missing, and then its member stays as it is. */
#define FIELD_OPTIONAL 1u
/* Older versions wrote it: it may be there, and is not written any more. */
#define FIELD_GONE 2u

struct field {
	const char *name; /* NULL ends the table */
	enum field_kind kind;
	size_t offset; /* of its member */
	const char *meaning;
	unsigned flags;
	const struct words *words;
	const struct fields *items;
};

/* One object. */
struct fields {
	const char *name; /* of the object in schema and documents; of a line, its `type` */
	bool line;        /* has the key `type` */
	const struct field *table;
};

/* A line being read, and where errors go. */
struct line {
	const char *path;
	const char *text;
	size_t length;
	const char *pieces; /* what stands in its array `outcomes`, within `text`; NULL: none */
	size_t pieces_length;
	const char *blocks; /* the same of the array `blocks` of its evidence, which is plain */
	size_t blocks_length;
	uint32_t number;
	struct oclmm_arena *arena;
	const char **kept; /* texts of the arena, by their hashes: most stand in many lines */
	struct oclmm_error *error;
};
enum { KEPT = 4096 };

/* Counts up when a reader of the old form would misread the new one. */
enum { OCLMM_RESULTS_FORMAT = 1 };

/* The statuses that a run leaves with; one that was refused writes no results. */
static const enum oclmm_exit fields_exits[] = {
#define OCLMM_X(name, number) OCLMM_EXIT_##name,
	OCLMM_EXITS(OCLMM_X)
#undef OCLMM_X
};
static const size_t fields_exit_count = OCLMM_COUNT(fields_exits);

static int OCLMM_PRINTF(4, 0) refuse(const struct line *line, uint32_t column, uint32_t length,
                                     const char *format, va_list args)
{
	struct oclmm_error *error = line->error;

	*error = (struct oclmm_error){
		.position = {.line = line->number, .column = column, .length = length}};
	vsnprintf(error->message, sizeof(error->message), format, args);
	snprintf(error->file, sizeof(error->file), "%s", line->path);
	snprintf(error->source, sizeof(error->source), "%.*s", (int)line->length, line->text);
	return -EINVAL;
}

static int OCLMM_PRINTF(4, 5) line_refuse_at(const struct line *line, uint32_t column,
                                             uint32_t length, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	refuse(line, column, length, format, args);
	va_end(args);
	return -EINVAL;
}

/* Points at the first place of `"key"` in the line, or at its begin. */
static int OCLMM_PRINTF(3, 4)
	line_refuse(const struct line *line, const char *key, const char *format, ...)
{
	char quoted[64];
	const char *found;
	va_list args;

	snprintf(quoted, sizeof(quoted), "\"%s\"", key);
	found = *key ? memmem(line->text, line->length, quoted, strlen(quoted)) : NULL;
	va_start(args, format);
	refuse(line, found ? (uint32_t)(found - line->text) + 1 : 1,
	       found ? (uint32_t)strlen(quoted) : 1, format, args);
	va_end(args);
	return -EINVAL;
}

/* ---- an object by its table ---- */

static void add_words(struct oclmm_text *text, const struct words *words)
{
	for (int i = words->first; i < words->end; i++)
		oclmm_text_printf(text, "%s%s", i > words->first ? ", " : "", words->word(i));
}

static void add_exits(struct oclmm_text *text)
{
	for (size_t i = 0; i < fields_exit_count; i++)
		oclmm_text_printf(text, "%s%d", i ? ", " : "", (int)fields_exits[i]);
}

/* What a value of a kind is, as people say it: `a whole number from 0`. */
static const char *plain_words(enum field_kind kind)
{
	switch (kind) {
	case FIELD_TEXT: return "a string that is not empty";
	case FIELD_TEXT_OR_NULL: return "a string or null";
	case FIELD_FORMAT: return "";
	case FIELD_TIME: return "a time such as 2026-01-31T12:00:00Z, or null";
	case FIELD_COUNT: return "a whole number from 0 to 2^53";
	case FIELD_COUNT_32: return "a whole number from 0 to 2^32-1";
	case FIELD_REAL: return "a number from 0";
	case FIELD_REAL_OR_NULL: return "a number from 0, or null";
	case FIELD_PROBABILITY: return "a number from 0 to 1";
	case FIELD_FLAG: return "true or false";
	case FIELD_DECIMAL: return "a string of decimal digits below 2^64";
	case FIELD_HEX: return "a string of 16 hexadecimal digits";
	case FIELD_WORD: return "one of ";
	case FIELD_WORD_OR_NULL: return "null or one of ";
	case FIELD_WORDS: return "an array of ";
	case FIELD_EXIT: return "one of ";
	case FIELD_COUNTS: return "an object with whole numbers from 0 to 2^53 for ";
	case FIELD_VALUES: return "an object of values";
	case FIELD_BLOCKS: return "an array of arrays of whole numbers from 0";
	case FIELD_HALVINGS:
		return "an array of 1 to 32 whole numbers from 0 to 2^53, each above the one "
		       "before";
	case FIELD_TURNS: return "a text of blocks and shares such as \"30:96,4000\"";
	case FIELD_LIST: return "an array of objects";
	case FIELD_OBJECT: return "an object";
	case FIELD_KIND_COUNT: break;
	}
	return "";
}

/* What a value of this field is. */
static void field_describe(struct oclmm_text *text, const struct field *field)
{
	if (field->kind == FIELD_FORMAT)
		oclmm_text_printf(text, "%d", OCLMM_RESULTS_FORMAT);
	else
		oclmm_text_add(text, plain_words(field->kind));
	if (field->kind == FIELD_EXIT)
		add_exits(text);
	else if (field->words)
		add_words(text, field->words);
}

static bool is_digits(const char *text, const char *digits, size_t length)
{
	return *text && strspn(text, digits) == strlen(text) && (!length || strlen(text) == length);
}

static bool read_number_text(const json_t *value, enum field_kind kind, uint64_t *ret_number)
{
	const char *text = json_string_value(value);

	if (!text || (kind == FIELD_HEX ? !is_digits(text, "0123456789abcdef", 16)
	                                : !is_digits(text, "0123456789", 0)))
		return false;
	errno = 0;
	*ret_number = strtoull(text, NULL, kind == FIELD_HEX ? 16 : 10);
	return errno == 0;
}

/* `2026-01-31T12:00:00Z` */
static bool is_time(const char *text)
{
	static const char form[] = "0000-00-00T00:00:00Z";

	for (size_t i = 0; i < sizeof(form); i++) {
		if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
			return false;
	}
	return true;
}

static const char *keep_text(const struct line *line, const char *text)
{
	const char **place = &line->kept[oclmm_hash(text, strlen(text)) % KEPT];

	if (!*place || strcmp(*place, text) != 0)
		*place = oclmm_arena_strdup(line->arena, text);
	return *place;
}

static bool read_text(const struct line *line, const json_t *value, enum field_kind kind,
                      const char **ret_text)
{
	const char *text = json_string_value(value);

	if (json_is_null(value) && kind != FIELD_TEXT) {
		*ret_text = NULL;
		return true;
	}
	if (!text || (kind == FIELD_TEXT && !*text) || (kind == FIELD_TIME && !is_time(text)))
		return false;
	*ret_text = keep_text(line, text);
	return true;
}

static bool read_count(const json_t *value, uint64_t most, uint64_t *ret_count)
{
	json_int_t count = json_integer_value(value);

	if (!json_is_integer(value) || count < 0 || (uint64_t)count > most)
		return false;
	*ret_count = (uint64_t)count;
	return true;
}

static bool read_count_32(const json_t *value, uint32_t *ret_count)
{
	uint64_t count;

	if (!read_count(value, UINT32_MAX, &count))
		return false;
	*ret_count = (uint32_t)count;
	return true;
}

static bool read_real(const json_t *value, enum field_kind kind, double *ret_real)
{
	double real = json_number_value(value);

	if (json_is_null(value) && kind == FIELD_REAL_OR_NULL) {
		*ret_real = 0;
		return true;
	}
	if (!json_is_number(value) || real < 0 || (kind == FIELD_PROBABILITY && real > 1))
		return false;
	*ret_real = real;
	return true;
}

static bool find_word(const struct words *words, const json_t *value, unsigned *ret_word)
{
	const char *text = json_string_value(value);

	for (int i = words->first; text && i < words->end; i++) {
		if (strcmp(words->word(i), text) == 0) {
			*ret_word = (unsigned)i;
			return true;
		}
	}
	return false;
}

/* An enum, by its number. */
static bool read_word(const json_t *value, const struct field *field, void *target)
{
	unsigned word = (unsigned)field->words->first - 1;

	if (!(field->kind == FIELD_WORD_OR_NULL && json_is_null(value)) &&
	    !find_word(field->words, value, &word))
		return false;
	memcpy(target, &word, sizeof(word));
	return true;
}

static bool read_words(const json_t *value, const struct words *words, unsigned *ret_set)
{
	unsigned set = 0;

	for (size_t i = 0; i < json_array_size(value); i++) {
		unsigned word;

		if (!find_word(words, json_array_get(value, i), &word))
			return false;
		set |= 1u << word;
	}
	*ret_set = set;
	return json_is_array(value) && set;
}

static bool read_exit(const json_t *value, enum oclmm_exit *ret_exit)
{
	for (size_t i = 0; json_is_integer(value) && i < fields_exit_count; i++) {
		if (json_integer_value(value) == (json_int_t)fields_exits[i]) {
			*ret_exit = fields_exits[i];
			return true;
		}
	}
	return false;
}

static bool read_counts(const json_t *value, const struct words *words, uint64_t *ret_counts)
{
	for (int i = words->first; i < words->end; i++) {
		if (!read_count(json_object_get(value, words->word(i)), OCLMM_RESULTS_MOST,
		                &ret_counts[i]))
			return false;
	}
	return json_object_size(value) == (size_t)(words->end - words->first);
}

static bool read_halvings(const json_t *value, struct oclmm_halvings *ret_halvings)
{
	size_t count = json_array_size(value);
	uint64_t at, before = 0;

	if (!json_is_array(value) || count < 1 || count > OCLMM_HALVINGS_MOST)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!read_count(json_array_get(value, i), OCLMM_RESULTS_MOST, &at) ||
		    (i && at <= before))
			return false;
		ret_halvings->at[i] = before = at;
	}
	ret_halvings->count = (uint32_t)count;
	return true;
}

static bool read_json(json_t *value, bool right, json_t **ret_json)
{
	*ret_json = value;
	return right;
}

/* Writes the value through `target`, or says that it is not what the field has. */
static bool read_value(const struct line *line, json_t *value, const struct field *field,
                       void *target)
{
	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_TEXT_OR_NULL:
	case FIELD_TIME: return read_text(line, value, field->kind, target);
	case FIELD_FORMAT:
	case FIELD_COUNT: return read_count(value, OCLMM_RESULTS_MOST, target);
	case FIELD_COUNT_32: return read_count_32(value, target);
	case FIELD_REAL:
	case FIELD_REAL_OR_NULL:
	case FIELD_PROBABILITY: return read_real(value, field->kind, target);
	case FIELD_FLAG: *(bool *)target = json_is_true(value); return json_is_boolean(value);
	case FIELD_DECIMAL:
	case FIELD_HEX: return read_number_text(value, field->kind, target);
	case FIELD_WORD:
	case FIELD_WORD_OR_NULL: return read_word(value, field, target);
	case FIELD_WORDS: return read_words(value, field->words, target);
	case FIELD_EXIT: return read_exit(value, target);
	case FIELD_COUNTS: return read_counts(value, field->words, target);
	case FIELD_HALVINGS: return read_halvings(value, target);
	case FIELD_TURNS:
		return json_is_string(value) && oclmm_turns_parse(json_string_value(value), target);
	case FIELD_BLOCKS:
	case FIELD_LIST: return read_json(value, json_is_array(value), target);
	case FIELD_VALUES:
	case FIELD_OBJECT: return read_json(value, json_is_object(value), target);
	case FIELD_KIND_COUNT: break;
	}
	return false;
}

static int refuse_value(const struct line *line, const struct field *field)
{
	struct oclmm_text text = {0};

	field_describe(&text, field);
	line_refuse(line, field->name, "\"%s\" is not %s", field->name, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return -EINVAL;
}

static bool is_known(const struct fields *fields, const char *key)
{
	for (const struct field *field = fields->table; field->name; field++) {
		if (strcmp(field->name, key) == 0)
			return true;
	}
	return fields->line && strcmp(key, "type") == 0;
}

/* `found` keys of the table are there, and no key is there twice: where the object has as many,
 * none needs to be looked up. */
static int check_keys(const struct line *line, json_t *object, const struct fields *fields,
                      size_t found)
{
	const char *key;
	json_t *value;

	if (fields->line && json_object_get(object, "type"))
		found++;
	if (json_object_size(object) == found)
		return 0;
	json_object_foreach(object, key, value)
	{
		if (!is_known(fields, key))
			return line_refuse(line, key, "unknown key \"%s\"", key);
	}
	return 0;
}

/* All keys, and no others. What is pointed to lives in the line's arena, or in the object. */
static int fields_read(const struct line *line, json_t *object, const struct fields *fields,
                       void *target)
{
	size_t found = 0;
	json_t *value;

	if (!json_is_object(object))
		return line_refuse(line, fields->name, "\"%s\" is no object", fields->name);
	for (const struct field *field = fields->table; field->name; field++) {
		value = json_object_get(object, field->name);
		if (!value && field->flags & (FIELD_OPTIONAL | FIELD_GONE))
			continue;
		if (!value)
			return line_refuse(line, "", "the key \"%s\" is missing", field->name);
		if (!read_value(line, value, field, (char *)target + field->offset))
			return refuse_value(line, field);
		found++;
	}
	return check_keys(line, object, fields, found);
}

/* ---- as they are written ---- */

/* What jansson writes takes it several times as long: it is left what is rare. */

static int add(const char *bytes, size_t length, void *data)
{
	oclmm_text_add_bytes(data, bytes, length);
	return 0;
}

/* Takes the value over. */
static void add_json(struct oclmm_text *text, json_t *value)
{
	json_dump_callback(value, add, text, JSON_COMPACT | JSON_ENCODE_ANY);
	json_decref(value);
}

/* Whether the characters of a string stand in JSON as they are. */
static bool is_plain(const char *string)
{
	for (; *string; string++) {
		unsigned char c = (unsigned char)*string;

		if (c < ' ' || c > '~' || c == '"' || c == '\\')
			return false;
	}
	return true;
}

static void add_string(struct oclmm_text *text, const char *string)
{
	json_t *value;

	if (!string) {
		oclmm_text_add(text, "null");
	} else if (is_plain(string)) {
		oclmm_text_add(text, "\"");
		oclmm_text_add(text, string);
		oclmm_text_add(text, "\"");
	} else {
		value = json_string(string);
		/* drivers and their logs need not speak UTF-8 */
		add_json(text, value ? value : json_string("(not UTF-8)"));
	}
}

static void add_count(struct oclmm_text *text, uint64_t count)
{
	char digits[24];
	size_t at = sizeof(digits);

	count = count < OCLMM_RESULTS_MOST ? count : OCLMM_RESULTS_MOST;
	do {
		digits[--at] = (char)('0' + count % 10);
		count /= 10;
	} while (count);
	oclmm_text_add_bytes(text, digits + at, sizeof(digits) - at);
}

/* 64-bit hashes and seeds are texts: many readers keep numbers as doubles. */
static void add_number(struct oclmm_text *text, uint64_t number, bool hexadecimal)
{
	oclmm_text_printf(text, hexadecimal ? "\"%016" PRIx64 "\"" : "\"%" PRIu64 "\"", number);
}

static void add_word(struct oclmm_text *text, const struct words *words, const void *source)
{
	unsigned word;

	memcpy(&word, source, sizeof(word));
	add_string(text, (int)word < words->first || (int)word >= words->end
	                         ? NULL
	                         : words->word((int)word));
}

static void add_set(struct oclmm_text *text, const struct words *words, unsigned set)
{
	const char *divider = "";

	oclmm_text_add(text, "[");
	for (int i = words->first; i < words->end; i++) {
		if (!(set & 1u << i))
			continue;
		oclmm_text_add(text, divider);
		add_string(text, words->word(i));
		divider = ",";
	}
	oclmm_text_add(text, "]");
}

/* A key of the object that was opened last. */
static void add_key(struct oclmm_text *text, const char *key)
{
	if (text->data[text->length - 1] != '{')
		oclmm_text_add(text, ",");
	add_string(text, key);
	oclmm_text_add(text, ":");
}

static void add_word_counts(struct oclmm_text *text, const struct words *words,
                            const uint64_t *counts)
{
	oclmm_text_add(text, "{");
	for (int i = words->first; i < words->end; i++) {
		add_key(text, words->word(i));
		add_count(text, counts[i]);
	}
	oclmm_text_add(text, "}");
}

static void add_halvings(struct oclmm_text *text, const struct oclmm_halvings *halvings)
{
	oclmm_text_add(text, "[");
	for (uint32_t i = 0; i < halvings->count; i++) {
		oclmm_text_add(text, i ? "," : "");
		add_count(text, halvings->at[i]);
	}
	oclmm_text_add(text, "]");
}

static void add_turns(struct oclmm_text *text, const struct oclmm_turns *turns)
{
	oclmm_text_add(text, "\"");
	oclmm_turns_print(text, turns);
	oclmm_text_add(text, "\"");
}

/* Whether the key is left out. */
static bool is_left_out(const struct field *field, const void *source)
{
	double real;

	if (field->flags & FIELD_GONE)
		return true;
	switch (field->kind) {
	case FIELD_REAL:
	case FIELD_PROBABILITY:
		/* JSON has no infinity */
		memcpy(&real, source, sizeof(real));
		return !isfinite(real);
	case FIELD_WORDS: return !*(const unsigned *)source;
	case FIELD_HALVINGS: return !((const struct oclmm_halvings *)source)->count;
	case FIELD_TURNS: return !((const struct oclmm_turns *)source)->count;
	case FIELD_VALUES:
	case FIELD_BLOCKS:
	case FIELD_LIST:
	case FIELD_OBJECT: return !((const union part *)source)->written;
	default: return false;
	}
}

static void add_value(struct oclmm_text *text, const struct field *field, const void *source)
{
	const struct oclmm_text *written;

	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_TEXT_OR_NULL:
	case FIELD_TIME: add_string(text, *(const char *const *)source); break;
	case FIELD_FORMAT:
	case FIELD_COUNT: add_count(text, *(const uint64_t *)source); break;
	case FIELD_COUNT_32: add_count(text, *(const uint32_t *)source); break;
	case FIELD_REAL:
	case FIELD_PROBABILITY: add_json(text, json_real(*(const double *)source)); break;
	case FIELD_REAL_OR_NULL:
		add_json(text, *(const double *)source > 0 ? json_real(*(const double *)source)
		                                           : json_null());
		break;
	case FIELD_FLAG: oclmm_text_add(text, *(const bool *)source ? "true" : "false"); break;
	case FIELD_DECIMAL:
	case FIELD_HEX:
		add_number(text, *(const uint64_t *)source, field->kind == FIELD_HEX);
		break;
	case FIELD_WORD:
	case FIELD_WORD_OR_NULL: add_word(text, field->words, source); break;
	case FIELD_WORDS: add_set(text, field->words, *(const unsigned *)source); break;
	case FIELD_EXIT: add_count(text, *(const enum oclmm_exit *)source); break;
	case FIELD_COUNTS: add_word_counts(text, field->words, source); break;
	case FIELD_HALVINGS: add_halvings(text, source); break;
	case FIELD_TURNS: add_turns(text, source); break;
	case FIELD_VALUES:
	case FIELD_BLOCKS:
	case FIELD_LIST:
	case FIELD_OBJECT:
		written = ((const union part *)source)->written;
		oclmm_text_add_bytes(text, written->data, written->length);
		break;
	case FIELD_KIND_COUNT: break;
	}
}

static void fields_write(struct oclmm_text *text, const struct fields *fields, const void *source)
{
	oclmm_text_add(text, "{");
	if (fields->line) {
		add_key(text, "type");
		add_string(text, fields->name);
	}
	for (const struct field *field = fields->table; field->name; field++) {
		const char *member = (const char *)source + field->offset;

		if (is_left_out(field, member))
			continue;
		add_key(text, field->name);
		add_value(text, field, member);
	}
	oclmm_text_add(text, "}");
}

/* ==== the lines: keys in the order in which they are written ==== */

/* The words of an enum, by number. */
#define WORDS(name, type, of, from, to)                                                            \
	static const char *name##_word(int value)                                                  \
	{                                                                                          \
		return of((enum type)value);                                                       \
	}                                                                                          \
	static const struct words name##_words = {name##_word, from, to}

WORDS(class, oclmm_class, oclmm_class_word, 0, OCLMM_CLASS_COUNT);
WORDS(ended, oclmm_ended, oclmm_ended_word, 0, OCLMM_ENDED_COUNT);
/* those that have one */
WORDS(cause, oclmm_end, oclmm_end_cause, OCLMM_END_BUILD_FAILED, OCLMM_END_OTHER_TEST + 1);
WORDS(proof, oclmm_proof, oclmm_proof_word, OCLMM_PROOF_RIGHT, OCLMM_PROOF_COUNT);
WORDS(verdict, oclmm_verdict, oclmm_verdict_word, 0, OCLMM_VERDICT_COUNT);
WORDS(final, oclmm_verdict, oclmm_verdict_word, OCLMM_VERDICT_PASS, OCLMM_VERDICT_INCONCLUSIVE + 1);
WORDS(confidence, oclmm_confidence, oclmm_confidence_word, OCLMM_CONFIDENCE_NOT_JUDGED + 1,
      OCLMM_CONFIDENCE_COUNT);
WORDS(status, oclmm_status, oclmm_status_word, 0, OCLMM_STATUS_UNDEFINED + 1);
WORDS(knob, oclmm_knob, oclmm_knob_name, 0, OCLMM_KNOB_COUNT);
WORDS(requirement, oclmm_requirement, oclmm_requirement_word, 0, OCLMM_REQUIREMENT_COUNT);
WORDS(kind, oclmm_control_kind, oclmm_control_kind_word, 0, OCLMM_CONTROL_KIND_COUNT);

#define ROW(key, field_kind, member, ...)                                                          \
	{                                                                                          \
		.name = key, .kind = FIELD_##field_kind, .offset = AT(member),                     \
		.meaning = __VA_ARGS__                                                             \
	}
#define END                                                                                        \
	{                                                                                          \
		.name = NULL                                                                       \
	}

/* ---- run ---- */

struct run_line {
	struct oclmm_run_header header;
	uint64_t format;
};

#define AT(member) offsetof(struct run_line, member)

static const struct field run_table[] = {
	ROW("format", FORMAT, format, "counts up when an old reader would misread the new form"),
	ROW("tool", TEXT, header.tool, "name and version of the program"),
	ROW("platform", TEXT_OR_NULL, header.identity.platform, "as OpenCL names it"),
	ROW("device", TEXT_OR_NULL, header.identity.device, "as OpenCL names it"),
	ROW("device_id", TEXT_OR_NULL, header.identity.device_id,
            "what tells equal devices apart, as in `test`; null also where several share the tests",
            .flags = FIELD_OPTIONAL),
	ROW("devices", COUNT_32, header.devices,
            "among how many equal devices the tests were divided (`--spread`)",
            .flags = FIELD_OPTIONAL),
	ROW("driver", TEXT_OR_NULL, header.identity.driver, "its version"),
	ROW("partner", TEXT_OR_NULL, header.partner,
            "the second device of a pair, on which tests of two devices ran with the first; null "
            "without",
            .flags = FIELD_OPTIONAL),
	ROW("version", TEXT_OR_NULL, header.identity.version, "`CL_DEVICE_VERSION`"),
	ROW("il", TEXT_OR_NULL, header.identity.il,
            "the tools that made SPIR-V of the kernels, which the device was given (`--il`); null: "
            "it was given OpenCL C",
            .flags = FIELD_OPTIONAL),
	ROW("claims", TEXT_OR_NULL, header.claims,
            "what the device claims, in one line: orders and scopes of atomics, orders of fences, "
            "features, and the bits of `CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES`, "
            "`CL_DEVICE_ATOMIC_FENCE_CAPABILITIES` and `CL_DEVICE_SVM_CAPABILITIES`",
            .flags = FIELD_OPTIONAL),
	ROW("variables", TEXT_OR_NULL, header.variables,
            "the variables of the environment that choose a driver, put a layer of the loader "
            "before it (`OPENCL_LAYERS`, `OCLMM_LAYER`), plant a bug (`OCLMM_PLANT`) or change "
            "what it does, with their values, as a shell takes them; empty where none is set",
            .flags = FIELD_OPTIONAL),
	ROW("seed", DECIMAL, header.seed,
            "master seed; each test derives its own from it and its name"),
	ROW("instances", COUNT, header.instances, "asked for, per test"),
	ROW("budget", REAL, header.budget, "seconds for the whole run, 0 without"),
	ROW("profile", TEXT_OR_NULL, header.profile, "name of the profile"),
	ROW("tests", COUNT, header.tests, "how many were chosen (in this shard)"),
	ROW("whole_suite", FLAG, header.whole_suite,
            "false where a profile or names chose among the tests, or `--instances` asked for "
            "fewer than a million; then the run does not verify conformance"),
	ROW("confidence", REAL, header.demand.confidence, "that a pass needs, such as 0.95"),
	ROW("require", WORD, header.demand.kinds,
            "whose controls have to give it: one kind of the two, `compiler`, `hardware` or both",
            .words = &requirement_words, .flags = FIELD_OPTIONAL),
	ROW("shard", COUNT_32, header.shard,
            "which part of the tests this is, from 1; 0 where the run is not divided"),
	ROW("shards", COUNT_32, header.shards, "of how many; 0 where the run is not divided"),
	ROW("started", TIME, header.started, "UTC"),
	END,
};
#undef AT

static const struct fields run_fields = {"run", true, run_table};

/* ---- parts of test ---- */

struct outcome_line {
	struct oclmm_graded_row row;
	union part values;
};

#define AT(member) offsetof(struct outcome_line, member)

static const struct field outcome_table[] = {
	ROW("values", VALUES, values,
            "by observable; a value of type `ulong` beyond 2^63 is a string, and so is a "
            "floating-point one that is no whole number: `\"-0.0f\"`, `\"INFINITY\"`"),
	ROW("count", COUNT, row.count, "instances"),
	ROW("status", WORD, row.status, "what is said of it", .words = &status_words),
	ROW("deciding", WORDS, row.deciding,
            "of a disputed one: the readings that differ, see [model.md](model.md)",
            .words = &knob_words, .flags = FIELD_OPTIONAL),
	ROW("witness", FLAG, row.witness, "whether it is what the test asks for"),
	END,
};
#undef AT

static const struct fields outcome_fields = {"outcome", false, outcome_table};

struct seldom_line {
	union part value;
	uint64_t test, control, blocks, fewer;
};

#define AT(member) offsetof(struct seldom_line, member)

static const struct field seldom_table[] = {
	ROW("value", VALUES, value, "of one register or object, as in an outcome"),
	ROW("test", COUNT, test, "instances of the test with it"),
	ROW("control", COUNT, control, "the same of the control"),
	ROW("blocks", COUNT, blocks, "in which either showed it"),
	ROW("fewer", COUNT, fewer,
            "of them, those in which the test showed it less than three tenths as often"),
	END,
};
#undef AT

static const struct fields seldom_fields = {"seldom", false, seldom_table};

struct control_line {
	struct oclmm_evidence_control own;
	union part seldom;
};

#define AT(member) offsetof(struct control_line, member)

static const struct field control_table[] = {
	ROW("name", TEXT, own.name, "of the variant, or of what was made of the test"),
	ROW("kind", WORD, own.kind,
            "`weaker` (orders, scopes, fences or barriers are taken away: it speaks for the "
            "hardware) or `moved` (one wrong step of a compiler: it speaks for the compiler)",
            .words = &kind_words),
	ROW("hash", HEX, own.hash, "of the program that ran"),
	ROW("instances", COUNT, own.instances, "that were counted"),
	ROW("rounds", COUNT, own.meeting.rounds,
            "instances of its own whose outcome could have shown that its roles ran at the same "
            "time; 0 where none can",
            .flags = FIELD_OPTIONAL),
	ROW("met", COUNT, own.meeting.met, "of `rounds`, those in which they did",
            .flags = FIELD_OPTIONAL),
	ROW("outcomes", COUNT, own.meeting.outcomes,
            "how many outcomes it showed in at least one of a hundred instances, of those that the "
            "test does not forbid and all of whose values some order of its whole roles shows",
            .flags = FIELD_OPTIONAL),
	ROW("varied", COUNT, own.meeting.varied,
            "which registers and objects have more than one value in these that some order of the "
            "test's whole roles shows: the sum of 2^n for the n-th of an outcome, counted from 0",
            .flags = FIELD_OPTIONAL),
	ROW("compared", COUNT, own.compared,
            "blocks in which as many instances of the test and of it ran, and in which it was "
            "compared how often both showed each value in outcomes that the test does not forbid",
            .flags = FIELD_OPTIONAL),
	ROW("values", COUNT, own.values, "how many values of registers and objects were compared",
            .flags = FIELD_OPTIONAL),
	ROW("seldom", LIST, seldom,
            "those that it showed in one of a hundred instances or more, and the test less than "
            "three tenths as often",
            .items = &seldom_fields, .flags = FIELD_OPTIONAL),
	END,
};
#undef AT

static const struct fields control_fields = {"control", false, control_table};

struct shown_line {
	union part values;
	uint64_t count;
};

#define AT(member) offsetof(struct shown_line, member)

static const struct field shown_table[] = {
	ROW("values", VALUES, values, "by observable, as in an outcome"),
	ROW("count", COUNT, count, "in all controls together"),
	END,
};
#undef AT

static const struct fields shown_fields = {"shown", false, shown_table};

struct evidence_line {
	union part controls, blocks, shown;
	uint64_t rounds, met, outcomes, varied;
};

#define AT(member) offsetof(struct evidence_line, member)

static const struct field evidence_table[] = {
	ROW("controls", LIST, controls,
            "which ran beside the test; the record's `control` is among them",
            .items = &control_fields),
	ROW("blocks", BLOCKS, blocks,
            "in the order in which they ran: how many equal blocks follow each other, then "
            "launches, hits and instances of the test, the same of the first control, and so on; "
            "without instances where they are not known. Each launch of a block has as many of "
            "them. A launch counts where at least one of its instances did, a launch of the test "
            "only where its roles met, if `rounds` is not 0; and it is a *hit* when it "
            "showed, at least once, an outcome that the test forbids; a weaker control must also "
            "satisfy its own condition by it where the test's condition never holds, and no "
            "control has hits by values that it cannot have. A block has at most 4096 "
            "launches of each"),
	ROW("shown", LIST, shown, "the outcomes that made launches hits", .items = &shown_fields),
	ROW("rounds", COUNT, rounds,
            "instances of the test whose outcome could have shown that its roles ran at the same "
            "time; 0 where none can. Without `outcomes` those of test and controls together, and 0 "
            "where a control was hit"),
	ROW("met", COUNT, met, "of `rounds`, those in which they did"),
	ROW("outcomes", COUNT, outcomes,
            "how many different outcomes the test showed that it does not forbid; missing in older "
            "files",
            .flags = FIELD_OPTIONAL),
	ROW("varied", COUNT, varied,
            "which registers and objects have more than one value in these that some order of the "
            "test's whole roles shows: the sum of 2^n for the n-th of an outcome, counted from 0",
            .flags = FIELD_OPTIONAL),
	END,
};
#undef AT

static const struct fields evidence_fields = {"evidence", false, evidence_table};

#define AT(member) offsetof(struct oclmm_waits, member)

static const struct field waits_table[] = {
	ROW("launches", COUNT, own.launches,
            "in which waits of the test went on behind their bound, and four or more could have "
            "ended "
            "there"),
	ROW("hits", COUNT, own.hits,
            "of them, those in which fewer did end than did not, where a look by another access "
            "saw "
            "what they waited for"),
	ROW("partly", COUNT, own.partly,
            "of them, those in which more than one in 32 did not end so", .flags = FIELD_OPTIONAL),
	ROW("late", COUNT, own.late, "waits that ended behind their bound"),
	ROW("stuck", COUNT, own.stuck, "waits that did not, although that look ended them"),
	ROW("opaque_launches", COUNT, opaque.launches,
            "the same of launches in which waits load by addresses of which no compiler knows that "
            "they stay"),
	ROW("opaque_hits", COUNT, opaque.hits, "of these"),
	ROW("opaque_partly", COUNT, opaque.partly, "of these", .flags = FIELD_OPTIONAL),
	ROW("opaque_late", COUNT, opaque.late, "of these"),
	ROW("opaque_stuck", COUNT, opaque.stuck, "of these"),
	END,
};
#undef AT

static const struct fields waits_fields = {"waits", false, waits_table};

#define AT(member) offsetof(struct oclmm_code, member)

static const struct field code_table[] = {
	ROW("verdict", WORD, proof,
            "`right`: the model of the machine allows only what OpenCL allows; `wrong`: it allows "
            "more, and the test fails; `open`: the code was not judged",
            .words = &proof_words),
	ROW("message", TEXT_OR_NULL, message,
            "the outcome that is wrong, or why the code was not judged"),
	ROW("compiler", TEXT, compiler, "whose code was read, and how its text was made"),
	ROW("model", TEXT, model, "of the machine"),
	END,
};
#undef AT

static const struct fields code_fields = {"code", false, code_table};

/* ---- test and confidence ---- */

/* Also of a `confidence` line. */
struct test_line {
	struct oclmm_record record;
	const char *test;
	uint64_t hash;
	enum oclmm_ended ended;
	enum oclmm_end cause; /* where it has one */
	union part outcomes, evidence, waits, code;
	double gone; /* of keys that older files have */
};

#define AT(member) offsetof(struct test_line, member)

/* What was run and where. */
#define IDENTITY                                                                                   \
	ROW("test", TEXT, test, "name of the variant"),                                            \
		ROW("hash", HEX, hash,                                                             \
	            "of the test's canonical form: two tests with one hash mean the same"),        \
		ROW("platform", TEXT_OR_NULL, record.identity.platform, "as OpenCL names it"),     \
		ROW("device", TEXT_OR_NULL, record.identity.device, "as OpenCL names it"),         \
		ROW("device_id", TEXT_OR_NULL, record.identity.device_id,                          \
	            "what tells equal devices apart: UUID or PCI address where the driver "        \
	            "gives one, else `alike-0` of the first of several; null: there is nothing "   \
	            "to say"),                                                                     \
		ROW("driver", TEXT_OR_NULL, record.identity.driver, "its version"),                \
		ROW("il", TEXT_OR_NULL, record.identity.il,                                        \
	            "the tools that made SPIR-V of the kernel, as in `run`; null: OpenCL C",       \
	            .flags = FIELD_OPTIONAL),                                                      \
		ROW("environment", TEXT_OR_NULL, record.environment,                               \
	            "every stress parameter that does not come from the seed, as "                 \
	            "`--environment` takes it ([tuning.md](tuning.md)); null: the test has "       \
	            "no kernel, or is one whole")

static const struct field test_table[] = {
	IDENTITY,
	ROW("device_version", TEXT_OR_NULL, record.identity.version, "`CL_DEVICE_VERSION`"),
	ROW("model", TEXT_OR_NULL, record.model,
            "whose rules the device is held to: those of its version, or of `--model`. Older files "
            "were judged by what all versions agree on",
            .flags = FIELD_OPTIONAL),
	ROW("file", TEXT_OR_NULL, record.file, "the litmus file"),
	ROW("family", TEXT_OR_NULL, record.family, "its folder below `litmus/`"),
	ROW("class", WORD, record.support,
            "`claimed`: the device claims all that the test needs; `accepted`: its compiler takes "
            "it although it is not claimed; `unsupported`. Of a test whose driver crashed, what "
            "was known by then; where nothing was, `claimed`",
            .words = &class_words),
	ROW("control", TEXT_OR_NULL, record.control, "the variant that weakens this one"),
	ROW("ended", WORD, ended, "how the run of the test ended", .words = &ended_words),
	ROW("cause", WORD_OR_NULL, cause,
            "why there is no result, for programs: `build` (the compiler refuses the kernel), "
            "`producer` (the tools of `--il` make no valid SPIR-V, or not the test's), "
            "`process-ended` (a signal, or `exit()`), `hang`, `out-of-memory`, `device-lost`, "
            "`device-error` (another OpenCL call failed), `results-lost`, `oracle` (what is "
            "allowed could not be worked out), `other-test` (of `grade`: the test is another "
            "now). Null where nothing failed",
            .words = &cause_words, .flags = FIELD_OPTIONAL),
	ROW("message", TEXT_OR_NULL, record.message, "the missing feature, the error"),
	ROW("attempts", COUNT_32, record.attempts, "2 where the first attempt was lost"),
	ROW("started", TIME, record.started, "UTC"),
	ROW("seconds", REAL, record.counts.seconds, "on the device"),
	ROW("compile_seconds", REAL, record.counts.compile_seconds, "in the compiler"),
	ROW("launches", COUNT, record.counts.launches,
            "with `first_launch`, `master_seed` and `seed` the stimulus repeats, though not the "
            "outcome"),
	ROW("looked", COUNT, record.counts.looked,
            "of `launches`, those that looked at all objects: whether they begin as they must, and "
            "change as they must",
            .flags = FIELD_OPTIONAL),
	ROW("first_launch", COUNT, record.first_launch,
            "number of the first of `launches`, from 0"),
	ROW("master_seed", DECIMAL, record.master_seed, "of the run"),
	ROW("seed", DECIMAL, record.seed, "of this test, derived from the master seed"),
	ROW("stimulus", HEX, record.counts.stimulus,
            "hash of all permutations and environments that were drawn"),
	ROW("halved", COUNT_32, record.counts.halved,
            "how many times launches were made half as large, because three in a row took half a "
            "second or more, on a CPU two; where it is not 0, the stimulus depends on time, too",
            .flags = FIELD_OPTIONAL),
	ROW("halved_at", HALVINGS, record.counts.halved_at,
            "the numbers of the first launches of half the size, as many as `halved` says; "
            "`--halved-at` repeats them. Missing where there are none, and in older files",
            .flags = FIELD_OPTIONAL),
	ROW("turns", TURNS, record.counts.turns,
            "how often each environment had its turn: from a block of launches on in these shares, "
            "of 4096. Before the first one, and where it is missing (a run that ended before it "
            "could decide), equally often. `--turns` repeats them",
            .flags = FIELD_OPTIONAL),
	ROW("source", HEX, record.counts.source_hash, "hash of the kernel's text"),
	ROW("build_options", TEXT_OR_NULL, record.identity.options, "of the kernel"),
	ROW("build_log", TEXT_OR_NULL, record.build_log, "of the kernel"),
	ROW("oracle", TEXT_OR_NULL, record.oracle, "the program that answered what is allowed"),
	ROW("verdict", WORD, record.grade.verdict,
            "see [below](#verdicts); `pass` is final only in the `confidence` line",
            .words = &verdict_words),
	ROW("gates", FLAG, record.grade.gates,
            "whether this test can fail the run: its class is `claimed`, or `accepted` with "
            "`--claims accepted`"),
	ROW("known", TEXT_OR_NULL, record.grade.known,
            "reason of the expectation that holds or is stale"),
	ROW("instances", COUNT, record.counts.instances,
            "that were run. `outcomes`, `cut` and `filtered` sum up to it"),
	ROW("cut", COUNT, record.grade.cut,
            "instances whose bounded loop ended before its condition did"),
	ROW("filtered", COUNT, record.grade.filtered,
            "instances that the test's filter turns away"),
	ROW("weak", COUNT, record.grade.weak,
            "instances that ended in the asked outcome, where it is allowed"),
	ROW("forbidden", COUNT, record.grade.forbidden, "instances with a forbidden outcome"),
	ROW("disputed", COUNT, record.grade.disputed, "instances with a disputed outcome"),
	ROW("bound", REAL_OR_NULL, gone,
            "three over the instances, as if instances were independent of each other",
            .flags = FIELD_GONE),
	ROW("outcomes", LIST, outcomes,
            "each allowed outcome, even where never seen, and each other one that was seen",
            .items = &outcome_fields),
	ROW("evidence", OBJECT, evidence,
            "of a test whose launches were kept apart, next to those of its controls",
            .items = &evidence_fields, .flags = FIELD_OPTIONAL),
	ROW("waits", OBJECT, waits,
            "of a test that waits in a loop that only loads, where some wait was followed behind "
            "its bound",
            .items = &waits_fields, .flags = FIELD_OPTIONAL),
	ROW("code", OBJECT, code,
            "of a run with `--audit`: what reading the compiled code says, which is no probability",
            .items = &code_fields, .flags = FIELD_OPTIONAL),
	END,
};

static const struct fields test_fields = {"test", true, test_table};

static const struct field confidence_table[] = {
	IDENTITY,
	ROW("verdict", WORD, record.grade.verdict, "final", .words = &final_words),
	ROW("confidence", WORD, record.grade.control.confidence,
            "`not-needed`: the test forbids nothing; `control`: it is another test's control and "
            "there to be seen; `reached`; `too-rare`; `never-seen`; `met-seldom`: its work-items "
            "met less than a quarter as often as its control's, and too seldom; `one-value`: it "
            "showed one value only of a register or object of which its control shows several; "
            "`seldom-value`: it showed a value clearly less often than three tenths as often as "
            "its control; "
            "`one-outcome`: it "
            "showed one outcome only, where its control shows several; `never-met`: its "
            "work-items never ran at the same time, whatever its control showed; `not-run`: "
            "the control has no result here; "
            "`no-control`: there is none; `stuck`: see `waits`. Of the kind that decides: the one "
            "that is required, the "
            "one that says more where either suffices, the one that says less where both have to",
            .words = &confidence_words),
	ROW("hardware", WORD_OR_NULL, record.grade.control.kinds[OCLMM_CONTROL_WEAKER].confidence,
            "what the weaker controls say, in the same words; null where none is needed",
            .words = &confidence_words, .flags = FIELD_OPTIONAL),
	ROW("hardware_escape", PROBABILITY, record.grade.control.kinds[OCLMM_CONTROL_WEAKER].escape,
            "and the probability that such a bug escaped", .flags = FIELD_OPTIONAL),
	ROW("compiler", WORD_OR_NULL, record.grade.control.kinds[OCLMM_CONTROL_MOVED].confidence,
            "what the moved controls say", .words = &confidence_words, .flags = FIELD_OPTIONAL),
	ROW("compiler_escape", PROBABILITY, record.grade.control.kinds[OCLMM_CONTROL_MOVED].escape,
            "and the probability that such a bug escaped", .flags = FIELD_OPTIONAL),
	ROW("limit", PROBABILITY, record.grade.control.limit,
            "the detection limit: what shows in at least this fraction of launches would have been "
            "seen with 95 %, if launches hang together as `dispersion` says; 1 where the test did "
            "not meet",
            .flags = FIELD_OPTIONAL),
	ROW("dispersion", REAL, record.grade.control.dispersion,
            "how much more the number of a control's hits varies than that of independent launches "
            "would; 1: no more, or there were too few to tell",
            .flags = FIELD_OPTIONAL),
	ROW("together", FLAG, record.grade.control.together,
            "launches were not kept apart, and all count as one", .flags = FIELD_OPTIONAL),
	ROW("control", TEXT_OR_NULL, record.grade.control.name,
            "name of the control that says most"),
	ROW("seen", COUNT, record.grade.control.seen,
            "how often the controls showed what this test forbids"),
	ROW("instances", COUNT, record.grade.control.instances, "of the controls"),
	ROW("rate", REAL, gone, "`seen` per instance", .flags = FIELD_GONE),
	ROW("per_second", REAL, gone, "`seen` per second", .flags = FIELD_GONE),
	ROW("escape", PROBABILITY, record.grade.control.escape,
            "its probability; 1 where the outcome was never seen. In files without `limit`, an "
            "estimate from instances"),
	END,
};
#undef AT

static const struct fields confidence_fields = {"confidence", true, confidence_table};

/* ---- end ---- */

struct end_line {
	uint64_t tests, records, verdicts[OCLMM_VERDICT_COUNT], instances, stimulus, left_out;
	uint64_t unfinished;
	bool interrupted;
	enum oclmm_exit exit;
};

#define AT(member) offsetof(struct end_line, member)

static const struct field end_table[] = {
	ROW("tests", COUNT, tests, "tests; one in parts is one"),
	ROW("records", COUNT, records,
            "`test` lines; files written before this key was added have as many as `tests`",
            .flags = FIELD_OPTIONAL),
	ROW("verdicts", COUNTS, verdicts, "the final verdicts of the tests",
            .words = &verdict_words),
	ROW("instances", COUNT, instances, "of all tests"),
	ROW("stimulus", HEX, stimulus, "of all tests together, whatever their order"),
	ROW("left_out", COUNT, left_out, "tests that were chosen and not run"),
	ROW("unfinished", COUNT, unfinished,
            "of these, tests that forbid something; 0 with `--allow-unfinished`",
            .flags = FIELD_OPTIONAL),
	ROW("interrupted", FLAG, interrupted, "whether the run was ended early"),
	ROW("exit", EXIT, exit, "the status the program left with"),
	END,
};
#undef AT

static const struct fields end_fields = {"end", true, end_table};

/* ==== what the tables say to others: a JSON Schema, and the tables of docs/results-format.md ====
 */

/* All objects, each before those that it holds. */
static const struct fields *const objects[] = {
	&run_fields,     &test_fields,       &outcome_fields, &evidence_fields,
	&control_fields, &seldom_fields,     &shown_fields,   &waits_fields,
	&code_fields,    &confidence_fields, &end_fields,
};

static void print_table(struct oclmm_text *text, const struct fields *fields)
{
	oclmm_text_add(text, "| key | value | meaning |\n|---|---|---|\n");
	for (const struct field *field = fields->table; field->name; field++) {
		oclmm_text_printf(text, "| `%s` | ", field->name);
		field_describe(text, field);
		if (field->flags & FIELD_OPTIONAL)
			oclmm_text_add(text, "; may be missing");
		if (field->flags & FIELD_GONE)
			oclmm_text_add(text, "; only in older files");
		oclmm_text_printf(text, " | %s |\n", field->meaning);
	}
}

/* ---- as a schema ---- */

/* What the kinds without words and items are. */
static json_t *plain_schema(enum field_kind kind)
{
	static const char *const texts[FIELD_KIND_COUNT] = {
		[FIELD_TEXT] = "{\"type\":\"string\",\"minLength\":1}",
		[FIELD_TEXT_OR_NULL] = "{\"type\":[\"string\",\"null\"]}",
		[FIELD_TIME] = ("{\"type\":[\"string\",\"null\"],\"pattern\":"
	                        "\"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$\"}"),
		[FIELD_COUNT] = "{\"type\":\"integer\",\"minimum\":0,\"maximum\":9007199254740992}",
		[FIELD_COUNT_32] = "{\"type\":\"integer\",\"minimum\":0,\"maximum\":4294967295}",
		[FIELD_REAL] = "{\"type\":\"number\",\"minimum\":0}",
		[FIELD_REAL_OR_NULL] = "{\"type\":[\"number\",\"null\"],\"minimum\":0}",
		[FIELD_PROBABILITY] = "{\"type\":\"number\",\"minimum\":0,\"maximum\":1}",
		[FIELD_FLAG] = "{\"type\":\"boolean\"}",
		[FIELD_DECIMAL] = "{\"type\":\"string\",\"pattern\":\"^[0-9]{1,20}$\"}",
		[FIELD_HEX] = "{\"type\":\"string\",\"pattern\":\"^[0-9a-f]{16}$\"}",
		[FIELD_VALUES] =
			("{\"type\":\"object\",\"additionalProperties\":{\"type\":"
	                 "[\"integer\",\"string\"],\"pattern\":\"^([0-9]{1,20}|-0[.]0[fh]?|"
	                 "-?(INFINITY|HUGE_VAL)|NAN|"
	                 "as_(half|float|double)[(]0x[0-9a-f]{4,16}[)])$\"}}"),
		[FIELD_BLOCKS] =
			("{\"type\":\"array\",\"items\":{\"type\":\"array\",\"minItems\":3,"
	                 "\"items\":{\"type\":\"integer\",\"minimum\":0}}}"),
		[FIELD_HALVINGS] =
			("{\"type\":\"array\",\"minItems\":1,\"maxItems\":32,\"items\":{\"type\":"
	                 "\"integer\",\"minimum\":0,\"maximum\":9007199254740992}}"),
		[FIELD_TURNS] = "{\"type\":\"string\",\"pattern\":\"^[0-9]+(:|,)[0-9:;,]*[0-9]$\"}",
	};

	return texts[kind] ? json_loads(texts[kind], 0, NULL) : NULL;
}

static json_t *reference(const char *name)
{
	return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", name));
}

static json_t *enum_schema(const struct words *words, bool null)
{
	json_t *choices = json_array();

	if (null)
		json_array_append_new(choices, json_null());
	for (int i = words->first; i < words->end; i++)
		json_array_append_new(choices, json_string(words->word(i)));
	return json_pack("{s:o}", "enum", choices);
}

static json_t *exit_schema(void)
{
	json_t *choices = json_array();

	for (size_t i = 0; i < fields_exit_count; i++)
		json_array_append_new(choices, json_integer(fields_exits[i]));
	return json_pack("{s:o}", "enum", choices);
}

static json_t *closed_object(json_t *properties, json_t *required)
{
	return json_pack("{s:s,s:o,s:o,s:b}", "type", "object", "properties", properties,
	                 "required", required, "additionalProperties", 0);
}

static json_t *counts_schema(const struct words *words)
{
	json_t *properties = json_object(), *required = json_array();

	for (int i = words->first; i < words->end; i++) {
		json_object_set_new(properties, words->word(i), plain_schema(FIELD_COUNT));
		json_array_append_new(required, json_string(words->word(i)));
	}
	return closed_object(properties, required);
}

static json_t *value_schema(const struct field *field)
{
	switch (field->kind) {
	case FIELD_FORMAT: return json_pack("{s:i}", "const", OCLMM_RESULTS_FORMAT);
	case FIELD_WORD: return enum_schema(field->words, false);
	case FIELD_WORD_OR_NULL: return enum_schema(field->words, true);
	case FIELD_WORDS:
		return json_pack("{s:s,s:i,s:o}", "type", "array", "minItems", 1, "items",
		                 enum_schema(field->words, false));
	case FIELD_EXIT: return exit_schema();
	case FIELD_COUNTS: return counts_schema(field->words);
	case FIELD_LIST:
		return json_pack("{s:s,s:o}", "type", "array", "items",
		                 reference(field->items->name));
	case FIELD_OBJECT: return reference(field->items->name);
	default: return plain_schema(field->kind);
	}
}

static json_t *object_schema(const struct fields *fields)
{
	json_t *properties = json_object(), *required = json_array();

	if (fields->line) {
		json_object_set_new(properties, "type", json_pack("{s:s}", "const", fields->name));
		json_array_append_new(required, json_string("type"));
	}
	for (const struct field *field = fields->table; field->name; field++) {
		json_t *value = value_schema(field);

		json_object_set_new(value, "description", json_string(field->meaning));
		json_object_set_new(properties, field->name, value);
		if (!(field->flags & (FIELD_OPTIONAL | FIELD_GONE)))
			json_array_append_new(required, json_string(field->name));
	}
	return closed_object(properties, required);
}

void oclmm_results_schema(struct oclmm_text *text)
{
	json_t *schema, *lines = json_array(), *definitions = json_object();
	char *printed;

	for (size_t i = 0; i < OCLMM_COUNT(objects); i++) {
		if (objects[i]->line)
			json_array_append_new(lines, reference(objects[i]->name));
		json_object_set_new(definitions, objects[i]->name, object_schema(objects[i]));
	}
	schema = json_pack("{s:s,s:s,s:s,s:o,s:o}", "$schema",
	                   "https://json-schema.org/draft/2020-12/schema", "title",
	                   "One line of an oclmm results file", "description",
	                   "docs/results-format.md says what the keys mean.", "oneOf", lines,
	                   "$defs", definitions);
	printed = json_dumps(schema, JSON_INDENT(2));
	oclmm_text_printf(text, "%s\n", printed);
	free(printed);
	json_decref(schema);
}

int oclmm_results_table(struct oclmm_text *text, const char *name)
{
	for (size_t i = 0; i < OCLMM_COUNT(objects); i++) {
		if (strcmp(objects[i]->name, name) == 0) {
			print_table(text, objects[i]);
			return 0;
		}
	}
	return -ENOENT;
}

/*
 * The outcomes of a test line, piece by piece. A record may have millions of them: as JSON values
 * they would take a kilobyte each, so that the line is read without them, and they are read one by
 * one. Blocks are hundreds of numbers, each of which would be a JSON value.
 */

static const char KEY[] = "outcomes", BLOCKS[] = "blocks", EVIDENCE[] = "evidence";

/* ---- finding them ---- */

/* Behind a text that begins at `at`; the length where it has no end. Most of a line is the texts of
 * its environments: what looks for their quotes should not look at each character by itself. */
static size_t skip_string(const struct line *line, size_t at)
{
	const char *end = line->text + line->length, *quote = line->text + at, *slash;

	do {
		quote = memchr(quote + 1, '"', (size_t)(end - quote - 1));
		if (!quote)
			return line->length;
		/* behind an odd number of backslashes it is part of the text, which begins with a
		 * quote */
		for (slash = quote; slash[-1] == '\\';)
			slash--;
	} while ((quote - slash) % 2);
	return (size_t)(quote - line->text) + 1;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t skip_blanks(const struct line *line, size_t at)
{
	while (at < line->length && is_blank(line->text[at]))
		at++;
	return at;
}

/* Whether the text from `at` to `end` is the key, with an array or an object behind it, in which
 * `*ret_begin` is the first place. */
static bool is_key(const struct line *line, size_t at, size_t end, const char *key, char bracket,
                   size_t *ret_begin)
{
	size_t length = strlen(key), next = skip_blanks(line, end);

	if (end - at != length + 2 || memcmp(line->text + at + 1, key, length) != 0 ||
	    next == line->length || line->text[next] != ':')
		return false;
	next = skip_blanks(line, next + 1);
	*ret_begin = next + 1;
	return next < line->length && line->text[next] == bracket;
}

/* From `at` on, among the keys of the object that `at` is in, not of those within it. */
static bool find_key(const struct line *line, size_t at, const char *key, char bracket,
                     size_t *ret_begin)
{
	size_t depth = 0;

	while (at < line->length) {
		char c = line->text[at];

		if (c == '"') {
			size_t end = skip_string(line, at);

			if (depth == 0 && is_key(line, at, end, key, bracket, ret_begin))
				return true;
			at = end;
			continue;
		}
		if ((c == ']' || c == '}') && depth-- == 0)
			return false;
		depth += c == '[' || c == '{';
		at++;
	}
	return false;
}

/* The bracket that closes what was opened in front of `at`. */
static bool find_end(const struct line *line, size_t at, size_t *ret_end)
{
	size_t depth = 1;

	while (at < line->length) {
		char c = line->text[at];

		if (c == '"') {
			at = skip_string(line, at);
			continue;
		}
		if (c == '[' || c == '{')
			depth++;
		else if ((c == ']' || c == '}') && --depth == 0)
			break;
		at++;
	}
	*ret_end = at;
	return at < line->length;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Behind a number that JSON has, of no more digits than all counts have; NULL: it is none. */
static const char *skip_count(const char *at)
{
	enum { DIGITS = 16 };
	const char *begin = at;

	while (is_digit(*at))
		at++;
	if (at == begin || at - begin > DIGITS || (*begin == '0' && at - begin > 1))
		return NULL;
	return at;
}

/* The bracket behind arrays of counts without blanks; NULL: there is something else. */
static const char *skip_blocks(const char *at)
{
	while (*at == '[') {
		do
			at = skip_count(at + 1);
		while (at && *at == ',');
		if (!at || *at != ']')
			return NULL;
		at++;
		if (*at != ',' || at[1] != '[')
			break;
		at++;
	}
	return *at == ']' ? at : NULL;
}

/* From `at` on, behind the outcomes: where a line ends there is a byte that is none of them. */
static void find_blocks(struct line *line, size_t at)
{
	const char *end;
	size_t begin;

	if (!find_key(line, at, EVIDENCE, '{', &begin) ||
	    !find_key(line, begin, BLOCKS, '[', &begin))
		return;
	end = skip_blocks(line->text + begin);
	if (!end)
		return;
	line->blocks = line->text + begin;
	line->blocks_length = (size_t)(end - line->blocks);
}

static bool find(struct line *line)
{
	size_t at = skip_blanks(line, 0), begin, end;

	line->pieces = line->blocks = NULL;
	if (at == line->length || line->text[at] != '{' ||
	    !find_key(line, at + 1, KEY, '[', &begin) || !find_end(line, begin, &end))
		return false;
	line->pieces = line->text + begin;
	line->pieces_length = end - begin;
	find_blocks(line, end + 1);
	return true;
}

/* ---- reading ---- */

static json_t *load(const char *text, size_t length, size_t flags, json_error_t *ret_error)
{
	return json_loadb(text, length, JSON_REJECT_DUPLICATES | flags, ret_error);
}

/* The last key in front of a place in the line, for what JSON itself cannot hold. */
static int refuse_number(const struct line *line, size_t position)
{
	char key[64];
	size_t end = position < line->length ? position : line->length, start;

	while (end > 1 && !(line->text[end - 1] == '"' && line->text[end] == ':'))
		end--;
	for (start = end; start > 1 && line->text[start - 2] != '"';)
		start--;
	snprintf(key, sizeof(key), "%.*s", (int)(end - start), line->text + start - (start > 0));
	return line_refuse_at(line, (uint32_t)(start > 1 ? start - 1 : 1), 1,
	                      "\"%s\" is too large a number", key);
}

/* Parses the whole line, to say where it is wrong. */
static int refuse_json(const struct line *line)
{
	json_error_t error;
	json_t *object = load(line->text, line->length, 0, &error);

	json_decref(object);
	if (object)
		return line_refuse(line, KEY, "the elements of \"%s\" are not divided by commas",
		                   KEY);
	if (json_error_code(&error) == json_error_numeric_overflow && error.position > 0)
		return refuse_number(line, (size_t)error.position);
	return line_refuse_at(line, error.column > 0 ? (uint32_t)error.column : 1, 1,
	                      "not JSON: %s", error.text);
}

/* The line without what stands between the brackets of both. */
static json_t *load_rest(const struct line *line)
{
	const char *end = line->text + line->length, *behind = line->pieces + line->pieces_length;
	struct oclmm_text rest = {0};
	json_error_t ignored;
	json_t *object;

	oclmm_text_add_bytes(&rest, line->text, (size_t)(line->pieces - line->text));
	if (line->blocks) {
		oclmm_text_add_bytes(&rest, behind, (size_t)(line->blocks - behind));
		behind = line->blocks + line->blocks_length;
	}
	oclmm_text_add_bytes(&rest, behind, (size_t)(end - behind));
	object = load(rest.data, rest.length, 0, &ignored);
	oclmm_text_finish(&rest);
	return object;
}

/*
 * Reads a line as JSON but for what stands in its array `outcomes`, and in the array `blocks` of
 * its evidence where that is written as this program does: numbers without blanks. Both are empty
 * in the value that is returned. Returns 0, or -EINVAL with the place that is no JSON.
 */
static int pieces_load(struct line *line, json_t **ret_object)
{
	const char *nul = memchr(line->text, '\0', line->length);
	json_error_t ignored;

	/* behind a number jansson would skip it */
	if (nul)
		return line_refuse_at(line, (uint32_t)(nul - line->text) + 1, 1,
		                      "not JSON: a byte of value 0");
	*ret_object = find(line) ? load_rest(line) : load(line->text, line->length, 0, &ignored);
	return *ret_object ? 0 : refuse_json(line);
}

/* The next element of that array, from `*at`, 0 at first. Returns 1; 0 behind the last; -EINVAL. */
static int pieces_next(const struct line *line, size_t *at, json_t **ret_object)
{
	const char *text = line->pieces;
	size_t end = line->pieces ? line->pieces_length : 0;
	json_error_t error;

	while (*at < end && is_blank(text[*at]))
		++*at;
	if (!text || *at >= end)
		return 0;
	*ret_object = load(text + *at, end - *at, JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &error);
	if (!*ret_object)
		return refuse_json(line);
	*at += (size_t)error.position;
	while (*at < end && is_blank(text[*at]))
		++*at;
	if (*at >= end)
		return 1;
	/* a comma is between two */
	if (text[*at] == ',' && skip_blanks(line, (size_t)(text - line->text) + *at + 1) <
	                                (size_t)(text - line->text) + end) {
		++*at;
		return 1;
	}
	json_decref(*ret_object);
	return refuse_json(line);
}

/* How many numbers the next of the line's blocks has, from `*at`, 0 at first; 0 behind the last. */
static size_t blocks_next_size(const struct line *line, size_t at)
{
	size_t size = 0;

	for (; at < line->blocks_length && line->blocks[at] != ']'; at++)
		size += line->blocks[at] == '[' || line->blocks[at] == ',';
	return size;
}

/* Takes them. */
static void blocks_next(const struct line *line, size_t *at, uint64_t *ret_values)
{
	const char *text = line->blocks + *at;

	while (*text != ']') {
		uint64_t value = 0;

		while (is_digit(*++text))
			value = 10 * value + (uint64_t)(*text - '0');
		*ret_values++ = value;
	}
	/* the comma stands between two blocks */
	*at = (size_t)(text - line->blocks) + 2;
}

/* ---- writing ---- */

/* Adds an element, as canonical text. */
static void pieces_add(struct oclmm_text *pieces, const json_t *object)
{
	if (pieces->length)
		oclmm_text_add(pieces, ",");
	json_dump_callback(object, add, pieces, JSON_COMPACT);
}

/* Prints up to the empty array of the key, and what belongs into it. Returns what is left. */
static const char *fill(struct oclmm_text *text, const char *line, const char *empty,
                        const char *bytes, size_t length)
{
	/* quotes within a text are escaped: only the key can look so */
	const char *place = strstr(line, empty);

	if (!place)
		return line;
	place += strlen(empty) - 1;
	oclmm_text_add_bytes(text, line, (size_t)(place - line));
	oclmm_text_add_bytes(text, bytes, length);
	return place;
}

/* Prints an object whose array `outcomes`, if any, is empty, with these elements in it, and the
 * blocks of the line that it was read from, which may be NULL. */
static void pieces_print(struct oclmm_text *text, const json_t *object,
                         const struct oclmm_text *pieces, const struct line *line)
{
	char *printed = json_dumps(object, JSON_COMPACT);
	const char *rest = printed;

	if (!printed)
		return;
	rest = fill(text, rest, "\"outcomes\":[]", oclmm_text_string(pieces), pieces->length);
	if (line && line->blocks)
		rest = fill(text, rest, "\"blocks\":[]", line->blocks, line->blocks_length);
	oclmm_text_add(text, rest);
	free(printed);
}

/* ==== writing ==== */

/* A value of an outcome, under its name. */
static void add_observed(struct oclmm_text *text, const struct oclmm_observable *observable,
                         int64_t value)
{
	/* a ulong beyond 2^63 has no JSON integer in jansson, and a NaN no number in any JSON */
	bool beyond = (!oclmm_type_is_signed(observable->type) && value < 0) ||
	              (oclmm_type_is_floating(observable->type) &&
	               !oclmm_value_is_whole(observable->type, value));

	add_key(text, observable->name);
	oclmm_text_add(text, beyond ? "\"" : "");
	oclmm_value_print(text, observable->type, value);
	oclmm_text_add(text, beyond ? "\"" : "");
}

/* An outcome by observable. */
static struct oclmm_text values_text(const struct oclmm_program *program, const int64_t *values)
{
	struct oclmm_text text = {0};

	oclmm_text_add(&text, "{");
	for (uint32_t i = 0; i < program->observable_count; i++)
		add_observed(&text, &program->observables[i], values[i]);
	oclmm_text_add(&text, "}");
	return text;
}

/*
 * The launches of a record as JSON, both ways. Blocks are arrays of numbers, equal ones that
 * follow each other one array: [how many, launches, hits and instances of the test, launches, hits
 * and instances of the first control, ...]. Instances may be missing in all.
 */

static struct oclmm_text seldom_text(const struct oclmm_program *program,
                                     const struct oclmm_evidence_control *control)
{
	struct oclmm_text text = {0};

	for (size_t i = 0; i < control->seldom_count; i++) {
		const struct oclmm_value_counts *counts = &control->seldom[i];
		struct oclmm_text value = {0};
		const struct seldom_line line = {
			.value.written = &value,
			.test = counts->test,
			.control = counts->control,
			.blocks = counts->blocks,
			.fewer = counts->fewer,
		};

		oclmm_text_add(&value, "{");
		add_observed(&value, &program->observables[counts->observable], counts->value);
		oclmm_text_add(&value, "}");
		oclmm_text_add(&text, i ? "," : "[");
		fields_write(&text, &seldom_fields, &line);
		oclmm_text_finish(&value);
	}
	oclmm_text_add(&text, "]");
	return text;
}

static struct oclmm_text controls_text(const struct oclmm_program *program,
                                       const struct oclmm_evidence *evidence)
{
	struct oclmm_text text = {0};

	oclmm_text_add(&text, "[");
	for (size_t i = 0; i < evidence->control_count; i++) {
		struct oclmm_text seldom = {0};
		const struct control_line line = {
			.own = evidence->controls[i],
			.seldom.written = evidence->controls[i].seldom_count ? &seldom : NULL,
		};

		if (line.seldom.written)
			seldom = seldom_text(program, &evidence->controls[i]);
		oclmm_text_add(&text, i ? "," : "");
		fields_write(&text, &control_fields, &line);
		oclmm_text_finish(&seldom);
	}
	oclmm_text_add(&text, "]");
	return text;
}

static void add_block_count(struct oclmm_text *text, uint64_t count)
{
	oclmm_text_add(text, ",");
	add_count(text, count);
}

static void add_blocks(struct oclmm_text *text, const struct oclmm_evidence_blocks *blocks,
                       size_t members)
{
	oclmm_text_add(text, "[");
	add_count(text, blocks->repeat);
	for (size_t i = 0; i < members; i++) {
		add_block_count(text, blocks->members[i].launches);
		add_block_count(text, blocks->members[i].hits);
		if (blocks->instances)
			add_block_count(text, blocks->instances[i]);
	}
	oclmm_text_add(text, "]");
}

static struct oclmm_text blocks_text(const struct oclmm_evidence *evidence)
{
	struct oclmm_text text = {0};

	oclmm_text_add(&text, "[");
	for (size_t i = 0; i < evidence->block_count; i++) {
		oclmm_text_add(&text, i ? "," : "");
		add_blocks(&text, &evidence->blocks[i], 1 + evidence->control_count);
	}
	oclmm_text_add(&text, "]");
	return text;
}

static struct oclmm_text shown_text(const struct oclmm_program *program,
                                    const struct oclmm_evidence *evidence)
{
	struct oclmm_text text = {0};

	oclmm_text_add(&text, "[");
	for (size_t i = 0; i < evidence->outcome_count; i++) {
		struct oclmm_text values = values_text(program, evidence->outcomes[i].values);
		const struct shown_line shown = {
			.values.written = &values,
			.count = evidence->outcomes[i].count,
		};

		oclmm_text_add(&text, i ? "," : "");
		fields_write(&text, &shown_fields, &shown);
		oclmm_text_finish(&values);
	}
	oclmm_text_add(&text, "]");
	return text;
}

static struct oclmm_text evidence_text(const struct oclmm_record *record)
{
	const struct oclmm_evidence *evidence = record->evidence;
	struct oclmm_text text = {0}, controls = controls_text(record->program, evidence),
			  blocks = blocks_text(evidence),
			  shown = shown_text(record->program, evidence);
	const struct evidence_line line = {
		.controls.written = &controls,
		.blocks.written = &blocks,
		.shown.written = &shown,
		.rounds = evidence->meeting.outcomes ? evidence->meeting.rounds : evidence->rounds,
		.met = evidence->meeting.outcomes ? evidence->meeting.met : evidence->met,
		.outcomes = evidence->meeting.outcomes,
		.varied = evidence->meeting.varied,
	};

	fields_write(&text, &evidence_fields, &line);
	oclmm_text_finish(&controls);
	oclmm_text_finish(&blocks);
	oclmm_text_finish(&shown);
	return text;
}

static struct oclmm_text outcomes_text(const struct oclmm_record *record)
{
	struct oclmm_text text = {0};

	oclmm_text_add(&text, "[");
	for (uint32_t i = 0; i < record->grade.row_count; i++) {
		struct oclmm_text values = values_text(record->program,
		                                       record->grade.rows[i].values);
		const struct outcome_line outcome = {
			.row = record->grade.rows[i],
			.values.written = &values,
		};

		oclmm_text_add(&text, i ? "," : "");
		fields_write(&text, &outcome_fields, &outcome);
		oclmm_text_finish(&values);
	}
	oclmm_text_add(&text, "]");
	return text;
}

static void print_line(struct oclmm_text *text, const struct fields *fields, const void *line)
{
	fields_write(text, fields, line);
	oclmm_text_add(text, "\n");
}

static struct test_line test_line(const struct oclmm_record *record)
{
	return (struct test_line){
		.record = *record,
		.test = record->program->name,
		.hash = record->program->hash,
		.ended = oclmm_end_ended(record->end),
		.cause = record->end,
	};
}

static void json_begin(struct oclmm_report *report, const struct oclmm_run_header *header,
                       struct oclmm_text *text)
{
	report->state =
		oclmm_calloc(1, sizeof(uint64_t)); /* `test` lines, which the manifest counts */
	for (; header; header = header->next) {
		const struct run_line line = {.header = *header, .format = OCLMM_RESULTS_FORMAT};

		print_line(text, &run_fields, &line);
	}
}

static void json_record(struct oclmm_report *report, const struct oclmm_record *record,
                        struct oclmm_text *text)
{
	struct test_line line = test_line(record);
	struct oclmm_text outcomes = outcomes_text(record), evidence = {0}, waits = {0}, code = {0};

	(*(uint64_t *)report->state)++;
	line.outcomes.written = &outcomes;
	/* without rows the values of its outcomes would have no meaning */
	if (record->evidence && record->grade.row_count) {
		evidence = evidence_text(record);
		line.evidence.written = &evidence;
	}
	if (record->counts.waits.own.launches || record->counts.waits.opaque.launches) {
		fields_write(&waits, &waits_fields, &record->counts.waits);
		line.waits.written = &waits;
	}
	if (record->code.proof) {
		fields_write(&code, &code_fields, &record->code);
		line.code.written = &code;
	}
	print_line(text, &test_fields, &line);
	oclmm_text_finish(&outcomes);
	oclmm_text_finish(&evidence);
	oclmm_text_finish(&waits);
	oclmm_text_finish(&code);
}

/* Confidence is known only when all tests were run: a line of its own for each pass. */
static void json_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                        size_t record_count, struct oclmm_text *text)
{
	(void)report;
	for (size_t i = 0; i < record_count; i++) {
		struct test_line line = test_line(records[i]);

		if (line.record.grade.control.confidence != OCLMM_CONFIDENCE_NOT_JUDGED)
			print_line(text, &confidence_fields, &line);
	}
}

static void json_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                     enum oclmm_exit status, struct oclmm_text *text)
{
	struct end_line line = {
		.tests = oclmm_tally_tests(tally),
		.records = *(const uint64_t *)report->state,
		.instances = tally->instances,
		.stimulus = tally->stimulus,
		.left_out = tally->left_out,
		.unfinished = tally->unfinished,
		.interrupted = tally->interrupted,
		.exit = status,
	};

	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++)
		line.verdicts[i] = oclmm_tally_verdict(tally, (enum oclmm_verdict)i);
	print_line(text, &end_fields, &line);
}

static void json_finish(struct oclmm_report *report)
{
	free(report->state);
}

const struct oclmm_report_kind oclmm_report_json = {
	.name = "json",
	.parts = true,
	.begin = json_begin,
	.record = json_record,
	.judged = json_judged,
	.end = json_end,
	.finish = json_finish,
};

/* ==== reading ==== */

static int read_observed(const struct line *line, struct oclmm_observable *observable,
                         json_t *value, int64_t *ret_value)
{
	const char *text = json_string_value(value);

	if (json_is_integer(value)) {
		*ret_value = json_integer_value(value);
		return 0;
	}
	if (text && oclmm_value_read(text, &observable->type, ret_value))
		return 0;
	if (!text || !*text || strspn(text, "0123456789") != strlen(text))
		return line_refuse(line, observable->name, "the value of \"%s\" is not a number",
		                   observable->name);
	return line_refuse(line, observable->name, "the value of \"%s\" is beyond 2^64-1",
	                   observable->name);
}

/* In the order of the program's observables. */
static int read_values(const struct line *line, struct oclmm_program *program, json_t *object,
                       int64_t *values)
{
	int r = 0;

	if (json_object_size(object) != program->observable_count)
		return line_refuse(line, "outcomes", "the outcomes do not have the same values");
	for (uint32_t i = 0; r == 0 && i < program->observable_count; i++) {
		struct oclmm_observable *observable = &program->observables[i];
		json_t *value = json_object_get(object, observable->name);

		if (!value)
			return line_refuse(line, "outcomes", "an outcome lacks \"%s\"",
			                   observable->name);
		r = read_observed(line, observable, value, &values[i]);
	}
	return r;
}

/* The observable that an object of one value names. */
static int read_seldom_value(const struct line *line, struct oclmm_program *program, json_t *object,
                             struct oclmm_value_counts *counts)
{
	for (uint32_t i = 0; json_object_size(object) == 1 && i < program->observable_count; i++) {
		struct oclmm_observable *observable = &program->observables[i];
		json_t *value = json_object_get(object, observable->name);

		counts->observable = i;
		if (value)
			return read_observed(line, observable, value, &counts->value);
	}
	return line_refuse(line, "seldom", "a seldom value is not one of the outcomes' values");
}

/* What was compared of the control that was added last. */
static int read_compared(const struct line *line, const struct control_line *control,
                         struct oclmm_program *program, struct oclmm_evidence *evidence)
{
	size_t count = json_array_size(control->seldom.read);
	struct oclmm_value_counts *seldom = OCLMM_NEW_ARRAY(line->arena, struct oclmm_value_counts,
	                                                    count + 1);

	for (size_t i = 0; i < count; i++) {
		struct seldom_line own = {0};
		int r = fields_read(line, json_array_get(control->seldom.read, i), &seldom_fields,
		                    &own);

		if (r == 0)
			r = read_seldom_value(line, program, own.value.read, &seldom[i]);
		if (r < 0)
			return r;
		if (own.fewer > own.blocks || own.blocks > control->own.compared)
			return line_refuse(line, "seldom",
			                   "a value is seldom in %llu blocks of %llu, of which "
			                   "%llu were compared",
			                   (unsigned long long)own.fewer,
			                   (unsigned long long)own.blocks,
			                   (unsigned long long)control->own.compared);
		seldom[i].test = own.test;
		seldom[i].control = own.control;
		seldom[i].blocks = own.blocks;
		seldom[i].fewer = own.fewer;
	}
	oclmm_evidence_compare(evidence, evidence->control_count - 1, control->own.compared,
	                       control->own.values, seldom, count);
	return 0;
}

static int read_control(const struct line *line, json_t *object, struct oclmm_program *program,
                        struct oclmm_evidence *evidence)
{
	struct control_line parts = {0};
	int r = fields_read(line, object, &control_fields, &parts);
	const struct oclmm_evidence_control control = parts.own;

	if (r < 0)
		return r;
	if (oclmm_evidence_add_control(evidence, control.name, control.kind, control.hash) < 0)
		return line_refuse(line, "controls", "the control \"%s\" stands twice",
		                   control.name);
	if (control.meeting.met > control.meeting.rounds)
		return line_refuse(line, "met", "the roles of \"%s\" met in %llu rounds of %llu",
		                   control.name, (unsigned long long)control.meeting.met,
		                   (unsigned long long)control.meeting.rounds);
	oclmm_evidence_add_instances(evidence, evidence->control_count - 1, control.instances);
	oclmm_evidence_add_meeting(evidence, evidence->control_count, control.meeting);
	return read_compared(line, &parts, program, evidence);
}

/* `number` counts blocks from 1, for messages. */
static int check_members(const struct line *line, size_t number,
                         const struct oclmm_launches *members, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (members[i].hits > members[i].launches)
			return line_refuse(line, "blocks",
			                   "block %zu has hits in %llu launches of %llu", number,
			                   (unsigned long long)members[i].hits,
			                   (unsigned long long)members[i].launches);
	}
	return 0;
}

static int read_numbers(const struct line *line, size_t number, json_t *numbers, uint64_t *values)
{
	for (size_t i = 0; i < json_array_size(numbers); i++) {
		json_t *value = json_array_get(numbers, i);

		if (!json_is_integer(value) || json_integer_value(value) < 0)
			return line_refuse(line, "blocks",
			                   "block %zu has a count that is no whole number from 0",
			                   number);
		values[i] = (uint64_t)json_integer_value(value);
	}
	return 0;
}

static int refuse_block(const struct line *line, size_t number, int error)
{
	if (error == -EINVAL)
		return line_refuse(line, "blocks",
		                   "block %zu has launches with different numbers of instances",
		                   number);
	return line_refuse(line, "blocks",
	                   "block %zu has too many launches; a block has at most %d", number,
	                   OCLMM_BLOCK_LAUNCHES);
}

/* Room for a block as it is read, and as it is added. */
struct block {
	uint64_t *values;
	struct oclmm_launches *launches;
	uint64_t *instances;
};

static struct block make_block(const struct line *line, size_t members)
{
	return (struct block){
		.values = OCLMM_NEW_ARRAY(line->arena, uint64_t, 1 + 3 * members),
		.launches = OCLMM_NEW_ARRAY(line->arena, struct oclmm_launches, members),
		.instances = OCLMM_NEW_ARRAY(line->arena, uint64_t, members),
	};
}

static int check_instances(const struct line *line, size_t number, const struct block *block,
                           size_t members)
{
	for (size_t i = 0; i < members; i++) {
		if (block->instances[i] < block->launches[i].launches)
			return line_refuse(line, "blocks",
			                   "block %zu has %llu launches and %llu instances", number,
			                   (unsigned long long)block->launches[i].launches,
			                   (unsigned long long)block->instances[i]);
	}
	return 0;
}

static int add_block(const struct line *line, size_t number, const struct block *block, size_t each,
                     struct oclmm_evidence *evidence)
{
	size_t count = 1 + evidence->control_count;
	int r;

	for (size_t i = 0; i < count; i++) {
		const uint64_t *of_member = block->values + 1 + each * i;

		block->launches[i] = (struct oclmm_launches){of_member[0], of_member[1]};
		block->instances[i] = each > 2 ? of_member[2] : 0;
	}
	r = check_members(line, number, block->launches, count);
	if (r == 0 && each > 2)
		r = check_instances(line, number, block, count);
	if (r < 0)
		return r;
	if (!block->values[0])
		return line_refuse(line, "blocks", "block %zu did not run: it is repeated 0 times",
		                   number);
	r = oclmm_evidence_add_sized_blocks(evidence, block->values[0], block->launches,
	                                    each > 2 ? block->instances : NULL);
	return r < 0 ? refuse_block(line, number, r) : 0;
}

static int check_size(const struct line *line, size_t number, size_t size, size_t members)
{
	if (size == 1 + 2 * members || size == 1 + 3 * members)
		return 0;
	return line_refuse(line, "blocks",
	                   "block %zu has %zu numbers, the test and its controls need "
	                   "%zu, or %zu with their instances",
	                   number, size, 1 + 2 * members, 1 + 3 * members);
}

/* From JSON values, or from the text of the line: one of the two is empty. */
static int read_blocks(const struct line *line, json_t *array, struct oclmm_evidence *evidence)
{
	size_t members = 1 + evidence->control_count, number = 0, at = 0, size;
	const struct block block = make_block(line, members);
	int r = 0;

	for (; r == 0 && number < json_array_size(array); number++) {
		json_t *numbers = json_array_get(array, number);

		size = json_array_size(numbers);
		r = check_size(line, number + 1, size, members);
		if (r == 0)
			r = read_numbers(line, number + 1, numbers, block.values);
		if (r == 0)
			r = add_block(line, number + 1, &block, (size - 1) / members, evidence);
	}
	while (r == 0 && line->blocks && (size = blocks_next_size(line, at)) > 0) {
		r = check_size(line, ++number, size, members);
		if (r < 0)
			return r;
		blocks_next(line, &at, block.values);
		r = add_block(line, number, &block, (size - 1) / members, evidence);
	}
	return r;
}

static int read_shown(const struct line *line, json_t *object, struct oclmm_program *program,
                      struct oclmm_evidence *evidence)
{
	int64_t *values = OCLMM_NEW_ARRAY(line->arena, int64_t, program->observable_count);
	struct shown_line shown = {0};
	int r = fields_read(line, object, &shown_fields, &shown);

	if (r == 0)
		r = read_values(line, program, shown.values.read, values);
	if (r == 0)
		oclmm_evidence_add_outcome(evidence, values, shown.count);
	return r;
}

static int read_parts(const struct line *line, const struct evidence_line *parts,
                      struct oclmm_program *program, struct oclmm_evidence *evidence)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < json_array_size(parts->controls.read); i++)
		r = read_control(line, json_array_get(parts->controls.read, i), program, evidence);
	if (r == 0)
		r = read_blocks(line, parts->blocks.read, evidence);
	for (size_t i = 0; r == 0 && i < json_array_size(parts->shown.read); i++)
		r = read_shown(line, json_array_get(parts->shown.read, i), program, evidence);
	return r;
}

/* Each launch counted an instance at least, each hit showed an outcome, and each outcome is that of
 * an instance. */
static int check_counts(const struct line *line, const struct oclmm_evidence *evidence)
{
	uint64_t hits = 0, shown = 0, instances = 0;

	for (size_t i = 0; i < evidence->control_count; i++) {
		const struct oclmm_evidence_control *control = &evidence->controls[i];
		const struct oclmm_launches sum = oclmm_evidence_sum(evidence, 1 + i);

		if (sum.launches > control->instances)
			return line_refuse(
				line, "controls",
				"the control \"%s\" has %llu launches and %llu instances",
				control->name, (unsigned long long)sum.launches,
				(unsigned long long)control->instances);
		hits += sum.hits;
		instances = oclmm_add_saturating(instances, control->instances);
	}
	for (size_t i = 0; i < evidence->outcome_count; i++)
		shown = oclmm_add_saturating(shown, evidence->outcomes[i].count);
	if (hits > shown)
		return line_refuse(line, "shown",
		                   "the controls have hits in %llu launches, and showed %llu "
		                   "outcomes",
		                   (unsigned long long)hits, (unsigned long long)shown);
	if (shown > instances)
		return line_refuse(line, "shown",
		                   "the controls showed %llu outcomes in %llu instances",
		                   (unsigned long long)shown, (unsigned long long)instances);
	return 0;
}

/* Instances of the test's launches that the blocks tell of. */
static uint64_t count_instances(const struct oclmm_evidence *evidence)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < evidence->block_count; i++) {
		const struct oclmm_evidence_blocks *blocks = &evidence->blocks[i];

		if (!blocks->instances)
			continue;
		if (blocks->instances[0] && blocks->repeat > UINT64_MAX / blocks->instances[0])
			return UINT64_MAX;
		sum = oclmm_add_saturating(sum, blocks->repeat * blocks->instances[0]);
	}
	return sum;
}

/* The record's own control is a variant of the test, so a weaker one. */
static int check_control(const struct line *line, const char *name,
                         const struct oclmm_evidence *evidence)
{
	const struct oclmm_evidence_control *control = oclmm_evidence_find(evidence, name);

	if (!control)
		return line_refuse(line, "controls", "the control \"%s\" is missing", name);
	if (control->kind != OCLMM_CONTROL_WEAKER)
		return line_refuse(line, "controls",
		                   "the control \"%s\" is a variant of the test, and not %s", name,
		                   oclmm_control_kind_word(control->kind));
	return 0;
}

/* Neither cut nor filtered. */
static uint64_t count_outcomes(const struct oclmm_record *record)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < record->grade.row_count; i++)
		sum += record->grade.rows[i].count;
	return sum;
}

/* What the evidence claims cannot be more than what the record says was done. */
static int check_whole(const struct line *line, const struct oclmm_record *record,
                       const struct evidence_line *parts, const struct oclmm_evidence *evidence)
{
	uint64_t launches = oclmm_evidence_sum(evidence, 0).launches;

	if (launches > record->counts.launches)
		return line_refuse(line, "blocks",
		                   "the blocks have %llu launches of the test, which had %llu",
		                   (unsigned long long)launches,
		                   (unsigned long long)record->counts.launches);
	if (launches > count_outcomes(record))
		return line_refuse(line, "blocks",
		                   "the blocks have %llu launches of the test, which had %llu "
		                   "outcomes",
		                   (unsigned long long)launches,
		                   (unsigned long long)count_outcomes(record));
	if (count_instances(evidence) > record->counts.instances)
		return line_refuse(line, "blocks",
		                   "the blocks have %llu instances of the test, which had %llu",
		                   (unsigned long long)count_instances(evidence),
		                   (unsigned long long)record->counts.instances);
	if (parts->met > parts->rounds)
		return line_refuse(line, "met", "the roles met in %llu rounds of %llu",
		                   (unsigned long long)parts->met,
		                   (unsigned long long)parts->rounds);
	return record->control ? check_control(line, record->control, evidence) : 0;
}

/* Of a record whose other fields are there. */
static int read_evidence(const struct line *line, json_t *object, struct oclmm_program *program,
                         struct oclmm_record *record)
{
	struct oclmm_evidence *evidence = oclmm_evidence_create(line->arena,
	                                                        program->observable_count);
	struct evidence_line parts = {0};
	int r = fields_read(line, object, &evidence_fields, &parts);

	if (r == 0)
		r = read_parts(line, &parts, program, evidence);
	if (r == 0)
		r = check_counts(line, evidence);
	if (r == 0)
		r = check_whole(line, record, &parts, evidence);
	if (r < 0)
		return r;
	if (parts.outcomes)
		oclmm_evidence_add_meeting(evidence, 0,
		                           (struct oclmm_meeting){parts.rounds, parts.met,
		                                                  parts.outcomes, parts.varied});
	else
		oclmm_evidence_add_rounds(evidence, parts.rounds, parts.met);
	record->evidence = evidence;
	return 0;
}

static bool are_wait_launches(const struct oclmm_wait_launches *launches)
{
	return launches->hits <= launches->launches && launches->hits <= launches->stuck &&
	       launches->partly <= launches->launches && launches->partly <= launches->stuck &&
	       launches->launches <= oclmm_add_saturating(launches->late, launches->stuck);
}

static int read_waits(const struct line *line, json_t *object, struct oclmm_record *record)
{
	const struct oclmm_waits *waits = &record->counts.waits;
	int r = fields_read(line, object, &waits_fields, &record->counts.waits);

	if (r < 0)
		return r;
	if (!are_wait_launches(&waits->own) || !are_wait_launches(&waits->opaque))
		return line_refuse(line, "waits",
		                   "more launches than waits ended in, or more hits than launches");
	if (oclmm_add_saturating(waits->own.launches, waits->opaque.launches) >
	    record->counts.launches)
		return line_refuse(line, "waits", "waits in more launches than the test had");
	return 0;
}

/* The observables are the keys of the first outcome. */
static void name_observables(const struct line *line, json_t *outcome,
                             struct oclmm_program *program)
{
	json_t *values = json_object_get(outcome, "values"), *value;
	const char *key;

	program->observables = OCLMM_NEW_ARRAY(line->arena, struct oclmm_observable,
	                                       json_object_size(values));
	json_object_foreach(values, key, value)
		program->observables[program->observable_count++] = (struct oclmm_observable){
		.name = oclmm_arena_strdup(line->arena, key),
		.type = OCLMM_TYPE_LONG,
	};
}

static int read_outcome(const struct line *line, struct oclmm_program *program, json_t *object,
                        struct oclmm_graded_row *ret_row)
{
	int64_t *values = OCLMM_NEW_ARRAY(line->arena, int64_t, program->observable_count);
	struct outcome_line outcome = {0};
	int r = fields_read(line, object, &outcome_fields, &outcome);

	if (r == 0)
		r = read_values(line, program, outcome.values.read, values);
	if (r < 0)
		return r;
	*ret_row = outcome.row;
	ret_row->values = values;
	return 0;
}

/* Each count fits; so must their sum, or counts that are far apart could seem to add up. */
static int check_sum(const struct line *line, const struct oclmm_grade *grade)
{
	uint64_t sum = grade->cut + grade->filtered;

	for (uint32_t i = 0; i < grade->row_count && sum <= OCLMM_RESULTS_MOST; i++)
		sum += grade->rows[i].count;
	return sum <= OCLMM_RESULTS_MOST
	               ? 0
	               : line_refuse(line, "outcomes", "the counts sum up to more than 2^53");
}

/* Rows as they come: their number is not known beforehand. */
struct rows {
	struct oclmm_graded_row *rows;
	size_t count, capacity;
};

static int read_row(const struct line *line, json_t *object, struct oclmm_program *program,
                    struct rows *rows)
{
	if (rows->count == 0)
		name_observables(line, object, program);
	if (rows->count == UINT32_MAX)
		return line_refuse(line, "outcomes", "more outcomes than can be told apart");
	oclmm_grow(&rows->rows, &rows->capacity, rows->count, sizeof(*rows->rows));
	return read_outcome(line, program, object, &rows->rows[rows->count++]);
}

static int read_rows(const struct line *line, struct oclmm_program *program, struct rows *rows,
                     struct oclmm_text *pieces)
{
	json_t *object;
	size_t at = 0;
	int r;

	while ((r = pieces_next(line, &at, &object)) > 0) {
		r = read_row(line, object, program, rows);
		if (r == 0 && pieces)
			pieces_add(pieces, object);
		json_decref(object);
		if (r < 0)
			break;
	}
	return r;
}

static int read_outcomes(const struct line *line, struct oclmm_program *program,
                         struct oclmm_grade *grade, struct oclmm_text *pieces)
{
	struct rows rows = {0};
	int r = read_rows(line, program, &rows, pieces);

	if (r == 0) {
		grade->rows = oclmm_arena_copy(line->arena, rows.rows,
		                               rows.count * sizeof(*rows.rows));
		grade->row_count = (uint32_t)rows.count;
	}
	free(rows.rows);
	for (uint32_t i = 0; i < grade->row_count; i++)
		grade->seen_count += grade->rows[i].count > 0;
	return r < 0 ? r : check_sum(line, grade);
}

/* The cause says more, where there is one; what it says must be what `ended` says. */
static int read_how_it_ended(const struct line *line, const struct test_line *test,
                             enum oclmm_end *ret_end)
{
	static const enum oclmm_end unknown[OCLMM_ENDED_COUNT] = {
		[OCLMM_ENDED_OK] = OCLMM_END_OK,
		[OCLMM_ENDED_UNSUPPORTED] = OCLMM_END_UNSUPPORTED,
		[OCLMM_ENDED_BUILD_FAILED] = OCLMM_END_BUILD_FAILED,
		[OCLMM_ENDED_CRASH] = OCLMM_END_CRASH,
		[OCLMM_ENDED_TIMEOUT] = OCLMM_END_TIMEOUT,
		[OCLMM_ENDED_LOST] = OCLMM_END_LOST,
	};
	const char *cause = oclmm_end_cause(test->cause);

	*ret_end = cause ? test->cause : unknown[test->ended];
	/* earlier versions of `grade` called a test lost that the oracle did not answer */
	if (oclmm_end_ended(*ret_end) == test->ended ||
	    (*ret_end == OCLMM_END_ORACLE && test->ended == OCLMM_ENDED_LOST))
		return 0;
	return line_refuse(line, "cause", "\"cause\" is %s, which does not end as %s", cause,
	                   oclmm_ended_word(test->ended));
}

/* What a device lacks does not run on it. */
static int check_class(const struct line *line, const struct oclmm_record *record)
{
	if (record->support != OCLMM_CLASS_UNSUPPORTED || record->end != OCLMM_END_OK)
		return 0;
	return line_refuse(line, "class", "\"class\" is unsupported, and \"ended\" is ok");
}

/* A file that names such launches names all of them. */
static int check_halvings(const struct line *line, const struct oclmm_record *record)
{
	const struct oclmm_halvings *halvings = &record->counts.halved_at;

	if (halvings->count && halvings->count != record->counts.halved)
		return line_refuse(line, "halved_at",
		                   "\"halved_at\" names %u launches, \"halved\" counts %u",
		                   halvings->count, record->counts.halved);
	if (halvings->count && halvings->at[0] < record->first_launch)
		return line_refuse(line, "halved_at",
		                   "\"halved_at\" has a launch before \"first_launch\"");
	return 0;
}

/* What is kept lives in the line's arena. Adds its outcomes to `pieces`, in their canonical form,
 * where it is not NULL. */
static int read_test(const struct line *line, json_t *object, struct oclmm_text *pieces,
                     struct oclmm_saved *ret_saved)
{
	struct oclmm_program *program = OCLMM_NEW(line->arena, struct oclmm_program);
	struct test_line test = {0};
	int r = fields_read(line, object, &test_fields, &test);

	if (r == 0)
		r = read_how_it_ended(line, &test, &test.record.end);
	if (r == 0)
		r = check_class(line, &test.record);
	if (r == 0)
		r = check_halvings(line, &test.record);
	if (r == 0 && test.record.counts.looked > test.record.counts.launches)
		r = line_refuse(line, "looked", "more launches looked at objects than there were");
	if (r == 0 && json_array_size(test.outcomes.read))
		r = line_refuse(line, "", "the key \"outcomes\" is spelled with escapes");
	if (r == 0)
		r = read_outcomes(line, program, &test.record.grade, pieces);
	if (r == 0 && test.evidence.read)
		r = read_evidence(line, test.evidence.read, program, &test.record);
	if (r == 0 && test.waits.read)
		r = read_waits(line, test.waits.read, &test.record);
	if (r == 0 && test.code.read)
		r = fields_read(line, test.code.read, &code_fields, &test.record.code);
	if (r < 0)
		return r;
	program->name = test.test;
	program->hash = test.hash;
	program->file = test.record.file;
	test.record.program = program;
	test.record.whole_kernel = test.record.file &&
	                           strcmp(oclmm_suffix(test.record.file), ".cl") == 0;
	test.record.filtered = test.record.grade.filtered;
	test.record.grade.instances = test.record.end == OCLMM_END_OK ? test.record.counts.instances
	                                                              : 0;
	ret_saved->record = test.record;
	return 0;
}

struct reader {
	struct oclmm_results *results;
	struct line line;
	size_t run_capacity, saved_capacity;
	uint64_t instances, launches; /* of all tests */
	size_t section;               /* tests before the section at hand */
	bool in_section;              /* a `run` line came, its `end` did not */
	bool texts;                   /* whether the texts of test lines are wanted */
	const char *kept[KEPT];
};

/* `pieces` of its outcomes. */
static const char *canonical(const struct reader *reader, json_t *object,
                             const struct oclmm_text *pieces)
{
	struct oclmm_text text = {0};

	pieces_print(&text, object, pieces, &reader->line);
	return oclmm_text_keep(&text, reader->line.arena);
}

static int check_run(const struct line *line, const struct run_line *run)
{
	const struct oclmm_run_header *header = &run->header;

	if (run->format != OCLMM_RESULTS_FORMAT)
		return line_refuse(line, "format", "format %llu, this program reads %d",
		                   (unsigned long long)run->format, OCLMM_RESULTS_FORMAT);
	if (header->shard > header->shards || (!header->shard != !header->shards))
		return line_refuse(line, "shard", "there is no shard %u of %u", header->shard,
		                   header->shards);
	return 0;
}

static int read_run(struct reader *reader, json_t *object)
{
	struct oclmm_results *results = reader->results;
	struct run_line run = {0};
	int r = fields_read(&reader->line, object, &run_fields, &run);

	if (r == 0)
		r = check_run(&reader->line, &run);
	if (r < 0)
		return r;
	oclmm_grow(&results->runs, &reader->run_capacity, results->run_count,
	           sizeof(*results->runs));
	results->runs[results->run_count++] = (struct oclmm_saved_run){
		.header = run.header,
		.text = canonical(reader, object, &(struct oclmm_text){0}),
		.line = reader->line.number,
	};
	reader->in_section = true;
	return 0;
}

/* The sum over all tests of a file still has to be exact in a double. */
static int add_counts(struct reader *reader, const struct oclmm_record *record)
{
	reader->instances += record->counts.instances;
	reader->launches += record->counts.launches;
	if (reader->instances > OCLMM_RESULTS_MOST)
		return line_refuse(&reader->line, "instances",
		                   "the instances of all tests up to here are more than 2^53");
	if (reader->launches > OCLMM_RESULTS_MOST)
		return line_refuse(&reader->line, "launches",
		                   "the launches of all tests up to here are more than 2^53");
	return 0;
}

static int read_test_line(struct reader *reader, json_t *object)
{
	struct oclmm_results *results = reader->results;
	struct oclmm_saved saved = {0};
	struct oclmm_text pieces = {0};
	int r;

	r = read_test(&reader->line, object, reader->texts ? &pieces : NULL, &saved);
	if (r == 0)
		r = add_counts(reader, &saved.record);
	if (r == 0 && reader->texts)
		saved.text = canonical(reader, object, &pieces);
	oclmm_text_finish(&pieces);
	if (r < 0)
		return r;
	saved.line = reader->line.number;
	saved.line_hash = oclmm_hash(reader->line.text, reader->line.length);
	oclmm_grow(&results->saved, &reader->saved_capacity, results->saved_count,
	           sizeof(*results->saved));
	results->saved[results->saved_count++] = saved;
	return 0;
}

/* Confidence is computed from the tests by whoever reads them; here only its form is looked at. */
static int read_confidence(struct reader *reader, json_t *object)
{
	struct test_line unused = {0};

	return fields_read(&reader->line, object, &confidence_fields, &unused);
}

static int read_end(struct reader *reader, json_t *object)
{
	struct oclmm_results *results = reader->results;
	size_t records = results->saved_count - reader->section;
	struct end_line end = {.records = UINT64_MAX};
	uint64_t verdicts = 0;
	int r = fields_read(&reader->line, object, &end_fields, &end);

	if (r < 0)
		return r;
	/* a test that was run in parts is one test and several records */
	if (end.records == UINT64_MAX)
		end.records = end.tests;
	if (end.records != records)
		return line_refuse(&reader->line, "records",
		                   "the manifest counts %llu test lines, the file has %zu",
		                   (unsigned long long)end.records, records);
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++)
		verdicts = oclmm_add_saturating(verdicts, end.verdicts[i]);
	if (end.tests > end.records || verdicts > end.tests)
		return line_refuse(&reader->line, "tests",
		                   "the manifest counts %llu tests, %llu of them with verdicts, "
		                   "and %llu test lines",
		                   (unsigned long long)end.tests, (unsigned long long)verdicts,
		                   (unsigned long long)end.records);
	results->interrupted |= end.interrupted;
	results->unfinished += end.unfinished;
	reader->section = results->saved_count;
	reader->in_section = false;
	return 0;
}

static int read_object(struct reader *reader, json_t *object)
{
	const char *type = json_string_value(json_object_get(object, "type"));

	if (!type)
		return line_refuse(&reader->line, "type", "no \"type\"");
	if (strcmp(type, "run") == 0)
		return read_run(reader, object);
	if (!reader->in_section)
		return line_refuse(&reader->line, "type",
		                   "\"%s\" outside of a run: a \"run\" line comes first", type);
	if (strcmp(type, "test") == 0)
		return read_test_line(reader, object);
	if (strcmp(type, "confidence") == 0)
		return read_confidence(reader, object);
	if (strcmp(type, "end") == 0)
		return read_end(reader, object);
	return line_refuse(&reader->line, "type", "unknown type \"%s\"", type);
}

static int read_line(struct reader *reader)
{
	struct line *line = &reader->line;
	json_t *object = NULL;
	int r = pieces_load(line, &object);

	if (r < 0)
		return r;
	r = json_is_object(object) ? read_object(reader, object)
	                           : line_refuse_at(line, 1, 1, "not a JSON object");
	json_decref(object);
	return r;
}

/* The lines that end in the text, none of them in its first `begun` bytes; `*ret_rest` is where the
 * next one begins. */
static int read_whole_lines(struct reader *reader, const char *text, const char *end, size_t begun,
                            const char **ret_rest)
{
	const char *from = text + begun, *stop;
	int r = 0;

	while (r == 0 && (stop = memchr(from, '\n', (size_t)(end - from)))) {
		reader->line.text = text;
		reader->line.length = (size_t)(stop - text);
		reader->line.number++;
		r = read_line(reader);
		text = from = stop + 1;
	}
	*ret_rest = text;
	return r;
}

static int read_last_line(struct reader *reader, const char *text, const char *end, bool partial)
{
	if (text == end || partial)
		return 0;
	reader->line.text = text;
	reader->line.length = (size_t)(end - text);
	reader->line.number++;
	return line_refuse_at(&reader->line, (uint32_t)reader->line.length + 1, 1,
	                      "the last line was cut off");
}

static int read_lines(struct reader *reader, const char *text, size_t length, bool partial)
{
	const char *rest, *end = text + length;
	int r = read_whole_lines(reader, text, end, 0, &rest);

	return r < 0 ? r : read_last_line(reader, rest, end, partial);
}

/* What a line takes at most: one without an end would never end. */
static const size_t MOST_LINE = (size_t)1 << 28;

static int read_failed(const struct reader *reader, int r)
{
	return oclmm_error_set(reader->line.error, r, "cannot read %s: %s", reader->line.path,
	                       strerror(-r));
}

/* Of a file no more is held than a line, whose rest comes with the next block. */
static int read_stream(struct reader *reader, FILE *file, bool partial)
{
	static const size_t SIZE = (size_t)256 * 1024;
	char *block = oclmm_calloc(SIZE, 1);
	struct oclmm_text text = {0};
	const char *rest;
	size_t count, begun;
	int r = 0;

	errno = 0;
	while (r == 0 && (count = fread(block, 1, SIZE, file)) > 0) {
		begun = text.length;
		oclmm_text_add_bytes(&text, block, count);
		r = read_whole_lines(reader, text.data, text.data + text.length, begun, &rest);
		text.length -= (size_t)(rest - text.data);
		memmove(text.data, rest, text.length + 1);
		if (r == 0 && text.length > MOST_LINE)
			r = read_failed(reader, -EFBIG);
		errno = 0;
	}
	if (r == 0 && ferror(file))
		r = read_failed(reader, errno ? -errno : -EIO);
	rest = oclmm_text_string(&text);
	if (r == 0)
		r = read_last_line(reader, rest, rest + text.length, partial);
	oclmm_text_finish(&text);
	free(block);
	return r;
}

static int read_file(struct reader *reader, const char *path, bool partial)
{
	FILE *file = fopen(path, "re");
	int r;

	if (!file)
		return read_failed(reader, -errno);
	r = read_stream(reader, file, partial);
	fclose(file);
	return r;
}

/* From the file itself, where there is no text. */
static int parse(const char *path, const char *text, size_t length, bool partial, bool texts,
                 struct oclmm_error *error, struct oclmm_results **ret_results)
{
	struct oclmm_results *results = oclmm_calloc(1, sizeof(*results));
	struct reader reader = {.results = results, .texts = texts};
	int r;

	results->arena = oclmm_arena_create();
	reader.line = (struct line){
		.path = path,
		.text = "",
		.arena = results->arena,
		.kept = reader.kept,
		.error = error,
	};
	r = text ? read_lines(&reader, text, length, partial) : read_file(&reader, path, partial);
	if (r == 0 && !results->run_count)
		r = oclmm_error_set(error, -EINVAL, "%s: no results: it has no \"run\" line", path);
	if (r < 0) {
		oclmm_results_destroy(results);
		return r;
	}
	snprintf(results->path, sizeof(results->path), "%s", path);
	results->complete = !reader.in_section;
	*ret_results = results;
	return 0;
}

int oclmm_results_parse(const char *path, const char *text, size_t length, bool partial,
                        struct oclmm_error *error, struct oclmm_results **ret_results)
{
	return parse(path, text, length, partial, true, error, ret_results);
}

int oclmm_results_read(const char *path, bool partial, bool texts, struct oclmm_error *error,
                       struct oclmm_results **ret_results)
{
	return parse(path, NULL, 0, partial, texts, error, ret_results);
}

void oclmm_results_destroy(struct oclmm_results *results)
{
	if (!results)
		return;
	for (size_t i = 0; i < results->part_count; i++)
		oclmm_results_destroy(results->parts[i]);
	free(results->parts);
	oclmm_arena_destroy(results->arena);
	free(results->runs);
	free(results->saved);
	free(results);
}

/* ---- joining ---- */

/* Where each observable of the program stands in the stub; they are as many. */
static int map_observables(const struct oclmm_program *stub, const struct oclmm_program *program,
                           uint32_t **ret_places)
{
	uint32_t *places;

	if (stub->observable_count != program->observable_count)
		return -EINVAL;
	places = oclmm_calloc(program->observable_count + 1, sizeof(*places));
	if (!oclmm_observables_find(program, stub, places)) {
		free(places);
		return -EINVAL;
	}
	*ret_places = places;
	return 0;
}

static void add_rows(const struct oclmm_record *record, const uint32_t *places, uint32_t width,
                     struct oclmm_histogram *histogram)
{
	int64_t *values = oclmm_calloc(width + 1, sizeof(*values));

	for (uint32_t row = 0; row < record->grade.row_count; row++) {
		const struct oclmm_graded_row *graded = &record->grade.rows[row];

		for (uint32_t i = 0; i < width; i++)
			values[i] = graded->values[places[i]];
		if (graded->count)
			oclmm_histogram_add(histogram, values, graded->count);
	}
	free(values);
}

/* What was seen, in the order of the program's observables. */
static int join_counts(struct oclmm_record *record, const struct oclmm_program *program,
                       struct oclmm_histogram *histogram)
{
	uint32_t *places;
	int r;

	if (!record->grade.row_count)
		return 0;
	r = map_observables(record->program, program, &places);
	if (r < 0)
		return r;
	add_rows(record, places, program->observable_count, histogram);
	if (record->evidence)
		oclmm_evidence_reorder(record->evidence, places);
	free(places);
	return 0;
}

int oclmm_saved_bind(struct oclmm_saved *saved, const struct oclmm_program *program,
                     struct oclmm_histogram **ret_histogram)
{
	struct oclmm_record *record = &saved->record;
	struct oclmm_histogram *histogram = NULL;

	if (record->program->hash != program->hash)
		return -ESTALE;
	/* of a test that failed in its second part, the first part's counts are there */
	if (record->end == OCLMM_END_OK || record->grade.row_count) {
		histogram = oclmm_histogram_create(program->observable_count);
		if (join_counts(record, program, histogram) < 0) {
			oclmm_histogram_destroy(histogram);
			return -EINVAL;
		}
		if (record->grade.cut)
			oclmm_histogram_add_cut(histogram, record->grade.cut);
	}
	record->program = program;
	record->counts.histogram = histogram;
	record->grade = (struct oclmm_grade){0};
	*ret_histogram = histogram;
	return 0;
}

int oclmm_saved_compare(const struct oclmm_saved *a, const struct oclmm_saved *b)
{
	const struct oclmm_record *x = &a->record, *y = &b->record;
	const int orders[] = {
		strcmp(x->program->name, y->program->name),
		oclmm_compare_numbers(x->program->hash, y->program->hash),
		oclmm_compare_strings(x->identity.device, y->identity.device),
		oclmm_compare_strings(x->identity.device_id, y->identity.device_id),
		oclmm_compare_strings(x->identity.driver, y->identity.driver),
		oclmm_compare_strings(x->identity.il, y->identity.il),
		oclmm_compare_strings(x->environment, y->environment),
		oclmm_compare_numbers(x->seed, y->seed),
		/* one run of a device ends before the next begins, so that the parts of each stay
	         * side by side */
		oclmm_compare_strings(x->started, y->started),
		oclmm_compare_numbers(x->first_launch, y->first_launch),
		oclmm_compare_numbers(x->counts.launches, y->counts.launches),
		/* a part that died may not have said them */
		oclmm_compare_strings(x->identity.options, y->identity.options),
	};

	for (size_t i = 0; i < OCLMM_COUNT(orders); i++) {
		if (orders[i])
			return orders[i];
	}
	return 0;
}
