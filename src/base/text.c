// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void oclmm_text_init(struct oclmm_text *text)
{
	*text = (struct oclmm_text){0};
}

void oclmm_text_finish(struct oclmm_text *text)
{
	free(text->data);
	oclmm_text_init(text);
}

/* Makes room for `length` more bytes and the NUL after them. */
static char *reserve(struct oclmm_text *text, size_t length)
{
	size_t last;

	if (length > SIZE_MAX / 4 || text->length > SIZE_MAX / 4)
		oclmm_no_memory();
	last = text->length + length;
	if (text->capacity == 0 && last < 64)
		last = 63; /* most texts are a line */
	oclmm_grow(&text->data, &text->capacity, last, 1);
	return text->data + text->length;
}

void oclmm_text_add_bytes(struct oclmm_text *text, const char *bytes, size_t length)
{
	char *end = reserve(text, length);

	if (length)
		memcpy(end, bytes, length);
	end[length] = '\0';
	text->length += length;
}

void oclmm_text_add(struct oclmm_text *text, const char *string)
{
	oclmm_text_add_bytes(text, string, strlen(string));
}

void oclmm_text_printf(struct oclmm_text *text, const char *format, ...)
{
	size_t room = text->data ? text->capacity - text->length : 0;
	va_list arguments, again;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	/* most often there is room for it, and one pass is enough */
	length = vsnprintf(room ? text->data + text->length : NULL, room, format, arguments);
	if (length < 0)
		oclmm_no_memory();
	if ((size_t)length >= room)
		vsnprintf(reserve(text, (size_t)length), (size_t)length + 1, format, again);
	text->length += (size_t)length;
	va_end(again);
	va_end(arguments);
}

struct oclmm_counted oclmm_counted(uint64_t count, const char *noun)
{
	struct oclmm_counted counted;
	size_t length = strlen(noun);
	bool hisses = length > 1 && strcmp(noun + length - 2, "ch") == 0;

	snprintf(counted.text, sizeof(counted.text), "%" PRIu64 " %s%s", count, noun,
	         count == 1 ? ""
	         : hisses   ? "es"
	                    : "s");
	return counted;
}

void oclmm_text_drop(struct oclmm_text *text, size_t length)
{
	if (length == 0)
		return;
	text->length -= length;
	memmove(text->data, text->data + length, text->length + 1);
}

const char *oclmm_text_string(const struct oclmm_text *text)
{
	return text->data ? text->data : "";
}

char *oclmm_text_steal(struct oclmm_text *text)
{
	char *string = text->data ? text->data : oclmm_strdup("");

	oclmm_text_init(text);
	return string;
}

char *oclmm_text_keep(struct oclmm_text *text, struct oclmm_arena *arena)
{
	char *string = oclmm_arena_strndup(arena, oclmm_text_string(text), text->length);

	oclmm_text_finish(text);
	return string;
}
