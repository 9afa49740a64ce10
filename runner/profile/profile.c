// SPDX-License-Identifier: Apache-2.0
#include "profile.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "oclmm-profile 1";

enum kind { KIND_TEXT, KIND_SHAPE, KIND_NUMBER, KIND_QUANTITY };

/* All keys but the environments; each stands once. */
static const struct {
	const char *name;
	enum kind kind;
	size_t offset, size;
	const char *meaning;
} keys[] = {
#define KEY(name, kind, field, meaning)                                                            \
	{                                                                                          \
		name, kind, offsetof(struct oclmm_profile, field),                                 \
			sizeof(((struct oclmm_profile *)0)->field), meaning                        \
	}
	KEY("platform", KIND_TEXT, platform, NULL),
	KEY("device", KIND_TEXT, device, NULL),
	KEY("driver", KIND_TEXT, driver, NULL),
	KEY("shape", KIND_SHAPE, shape,
            "accesses by thread, its work-groups, spaces of the objects"),
	KEY("test", KIND_TEXT, test, "that was run to find it"),
	KEY("date", KIND_TEXT, date, NULL),
	KEY("seed", KIND_NUMBER, seed, NULL),
	KEY("seconds", KIND_QUANTITY, seconds, "that the search took"),
	KEY("candidates", KIND_NUMBER, candidates, "environments that were tried"),
	KEY("showing", KIND_NUMBER, showing, "of them, showed a weak outcome"),
	KEY("weak", KIND_QUANTITY, weak, "outcomes per second in the environments below"),
	KEY("weak-default", KIND_QUANTITY, weak_default, "the same in the default environments"),
	KEY("instances", KIND_QUANTITY, instances, "per second in the environments below"),
#undef KEY
};
enum { KEYS = OCLMM_COUNT(keys) };

/* ---- writing ---- */

/*
 * On one line, no longer than it may be where it is read, without blanks at its ends, which are not
 * read: a driver may give any name, or none.
 */
static void add_fitted(struct oclmm_text *text, const char *name, size_t size)
{
	struct oclmm_text shown = {0};
	size_t length;

	oclmm_text_add_shown(&shown, name + strspn(name, " \t"));
	length = shown.length < size ? shown.length : size - 1;
	/* between two characters */
	while (length && length < shown.length &&
	       ((unsigned char)shown.data[length] & 0xc0) == 0x80)
		length--;
	while (length && strchr(" \t", shown.data[length - 1]))
		length--;
	if (length)
		oclmm_text_add_bytes(text, shown.data, length);
	else
		oclmm_text_add(text, "?");
	oclmm_text_finish(&shown);
}

bool oclmm_profile_names(const char *name, const char *of_driver)
{
	enum { SIZE = sizeof(((struct oclmm_profile *)0)->device) };
	struct oclmm_text a = {0}, b = {0};
	bool same;

	add_fitted(&a, name, SIZE);
	add_fitted(&b, of_driver, SIZE);
	same = strcmp(oclmm_text_string(&a), oclmm_text_string(&b)) == 0;
	oclmm_text_finish(&a);
	oclmm_text_finish(&b);
	return same;
}

static void print_value(struct oclmm_text *text, const struct oclmm_profile *profile, size_t key)
{
	const char *field = (const char *)profile + keys[key].offset;
	uint64_t number;
	double quantity;

	switch (keys[key].kind) {
	case KIND_NUMBER:
		memcpy(&number, field, sizeof(number));
		oclmm_text_printf(text, "%" PRIu64, number);
		break;
	case KIND_QUANTITY:
		memcpy(&quantity, field, sizeof(quantity));
		oclmm_text_printf(text, "%.6g", quantity);
		break;
	case KIND_TEXT: add_fitted(text, field, keys[key].size); break;
	case KIND_SHAPE: oclmm_text_add(text, field); break;
	}
}

void oclmm_profile_print(struct oclmm_text *text, const struct oclmm_profile *profile)
{
	oclmm_text_printf(
		text, "%s\n# written by oclmm tune; oclmm run takes these environments in turn\n",
		head);
	for (size_t i = 0; i < KEYS; i++) {
		if (keys[i].meaning)
			oclmm_text_printf(text, "# %s: %s\n", keys[i].name, keys[i].meaning);
		oclmm_text_printf(text, "%-12s ", keys[i].name);
		print_value(text, profile, i);
		oclmm_text_add(text, "\n");
	}
	for (uint32_t i = 0; i < profile->set.count; i++) {
		oclmm_text_add(text, "environment  ");
		oclmm_environment_brief(text, &profile->set.environments[i]);
		oclmm_text_add(text, "\n");
	}
}

/* ---- reading ---- */

struct reader {
	struct oclmm_lines lines;
	bool seen[KEYS];
	struct oclmm_profile *profile;
	struct oclmm_error *error;
};

static int refuse(struct reader *reader, const char *at, size_t length, const char *message)
{
	return oclmm_lines_refuse(&reader->lines, at, length, NULL, reader->error, "%s", message);
}

static int read_number(struct reader *reader, const char *at, size_t length, size_t key)
{
	char *field = (char *)reader->profile + keys[key].offset;
	char text[32] = "", *end;

	if (length >= sizeof(text) || strspn(at, "0123456789.eE+") < length || *at == '+' ||
	    *at == 'e' || *at == 'E')
		return refuse(reader, at, length, "this is not a number");
	memcpy(text, at, length);
	errno = 0;
	if (keys[key].kind == KIND_NUMBER) {
		unsigned long long number = strtoull(text, &end, 10);
		uint64_t value = number;

		memcpy(field, &value, sizeof(value));
	} else {
		double quantity = strtod(text, &end);

		if (!isfinite(quantity))
			errno = ERANGE;
		memcpy(field, &quantity, sizeof(quantity));
	}
	return *end || errno ? refuse(reader, at, length, "this is not a number that fits here")
	                     : 0;
}

static int read_text(struct reader *reader, const char *at, size_t length, size_t key)
{
	char *field = (char *)reader->profile + keys[key].offset;

	if (length >= keys[key].size)
		return refuse(reader, at, length, "this is too long");
	memcpy(field, at, length);
	field[length] = '\0';
	if (keys[key].kind == KIND_SHAPE && !oclmm_shape_is_valid(field))
		return refuse(reader, at, length, "this is no shape, such as WaWb-RbRa.01.g");
	return 0;
}

static int read_environment(struct reader *reader, const char *at, size_t length)
{
	struct oclmm_environment_set *set = &reader->profile->set, one;
	struct oclmm_error error;
	char *text = oclmm_calloc(length + 1, 1);
	int r;

	memcpy(text, at, length);
	r = oclmm_environment_set_parse(text, &error, &one);
	free(text);
	if (r < 0)
		return refuse(reader, at + error.position.column - 1, error.position.length,
		              error.message);
	if (one.count != 1)
		return refuse(reader, at + strcspn(at, ";"), 1, "one environment to a line");
	if (set->count == OCLMM_ENVIRONMENTS_MAX)
		return refuse(reader, reader->lines.line, reader->lines.length,
		              "more environments than a run takes");
	set->environments[set->count++] = one.environments[0];
	return 0;
}

static int read_line(struct reader *reader)
{
	const char *end = reader->lines.line + reader->lines.length, *name = reader->lines.line,
		   *value;
	size_t name_length = 0, length;

	while (name + name_length < end && name[name_length] != ' ' && name[name_length] != '\t')
		name_length++;
	for (value = name + name_length; value < end && (*value == ' ' || *value == '\t');)
		value++;
	for (length = (size_t)(end - value);
	     length && (value[length - 1] == ' ' || value[length - 1] == '\t');)
		length--;
	if (!length)
		return refuse(reader, end, 1, "here a value is missing");
	if (name_length == strlen("environment") && memcmp(name, "environment", name_length) == 0)
		return read_environment(reader, value, length);
	for (size_t i = 0; i < KEYS; i++) {
		if (strlen(keys[i].name) != name_length ||
		    memcmp(keys[i].name, name, name_length) != 0)
			continue;
		if (reader->seen[i])
			return refuse(reader, name, name_length, "this stands here twice");
		reader->seen[i] = true;
		return keys[i].kind == KIND_TEXT || keys[i].kind == KIND_SHAPE
		               ? read_text(reader, value, length, i)
		               : read_number(reader, value, length, i);
	}
	return refuse(reader, name, name_length, "a profile has no such line");
}

static int check_complete(struct reader *reader)
{
	char message[64];

	for (size_t i = 0; i < KEYS; i++) {
		if (reader->seen[i])
			continue;
		snprintf(message, sizeof(message), "the line '%s' is missing", keys[i].name);
		return refuse(reader, reader->lines.line, 1, message);
	}
	if (reader->profile->set.count == 0)
		return refuse(reader, reader->lines.line, 1, "there is no environment");
	return 0;
}

int oclmm_profile_parse(const char *path, const char *text, size_t length,
                        struct oclmm_error *error, struct oclmm_profile *ret_profile)
{
	struct oclmm_profile profile = {0};
	struct reader reader = {.profile = &profile, .error = error};
	struct oclmm_lines *lines = &reader.lines;
	int r = 0;

	snprintf(profile.path, sizeof(profile.path), "%s", path);
	oclmm_lines_begin(lines, path, text, length);
	if (!oclmm_lines_next(lines) || lines->length != strlen(head) ||
	    memcmp(lines->line, head, lines->length) != 0) {
		lines->number = 1;
		return refuse(&reader, lines->line, lines->length,
		              "a profile begins with 'oclmm-profile 1'");
	}
	while (r == 0 && lines->ended && oclmm_lines_next(lines)) {
		if (memchr(lines->line, '\0', lines->length))
			r = refuse(&reader, memchr(lines->line, '\0', lines->length), 1,
			           "a byte 0 in a text");
		else if (lines->length && lines->line[0] != '#')
			r = read_line(&reader);
	}
	/* a file without its last line's end was cut short */
	if (r == 0 && !lines->ended)
		r = refuse(&reader, lines->line + lines->length, 1, "the file ends within a line");
	if (r == 0)
		r = check_complete(&reader);
	if (r == 0)
		*ret_profile = profile;
	return r;
}

int oclmm_profile_read(const char *path, struct oclmm_error *error,
                       struct oclmm_profile *ret_profile)
{
	char *text;
	size_t length;
	int r = oclmm_read_text(path, error, &text, &length);

	if (r < 0)
		return r;
	r = oclmm_profile_parse(path, text, length, error, ret_profile);
	free(text);
	return r;
}
