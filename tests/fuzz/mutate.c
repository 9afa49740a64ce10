// SPDX-License-Identifier: Apache-2.0
/*
 * Changes of an input. Bytes and words are changed in any text; of lines of JSON also values, keys
 * and whole lines, found by their quotes and commas and not by parsing, which is what makes it
 * fast.
 */
#include <string.h>

#include "fuzz.h"

static const char *const words[] = {
	"null",
	"true",
	"-1",
	"0",
	"1e308",
	"-0.0",
	"9007199254740993",
	"18446744073709551616",
	"\"\"",
	"[]",
	"{}",
	"[[[[[[[[[[]]]]]]]]]]",
	"\"\\u0000\"",
	"\"\\u001b[2J\"",
	"\"::error::\"",
	"\"\\ud800\"",
	"\xff",
	"\xe2\x80\xae",
	"\x1b[2J",
	"\n",
	"|",
	"*",
	"[",
	"(",
	"{",
	"}",
	")",
	";",
	"=",
	"/\\",
	"\\/",
	"~",
	"memory_order_seq_cst",
	"memory_scope_device",
	"atomic_int",
	"local",
	"global",
	"svm",
	"vary a: ",
	"=> ",
	"control ",
	"unroll 2",
	"barrier(",
	"if (",
	"while (",
	"P0@",
	"exists ",
	"forall ",
	"2147483648",
	"-2147483649",
	"0x",
	"1.5",
	"2099-01-31",
	"variant ",
	"states ",
	"Disputed=",
	"groups=",
	"lanes=",
	"; ",
	"4294967296",
};

struct bytes {
	uint8_t *data;
	size_t size, most;
	uint64_t key, counter;
};

static size_t draw(struct bytes *b, size_t bound)
{
	return bound ? (size_t)oclmm_random_below(b->key, b->counter++, bound) : 0;
}

/* Puts `length` bytes in the place of those from `at` to `end`; too much is left alone. */
static void replace(struct bytes *b, size_t at, size_t end, const void *with, size_t length)
{
	if (b->size - (end - at) + length > b->most)
		return;
	memmove(b->data + at + length, b->data + end, b->size - end);
	if (length)
		memcpy(b->data + at, with, length);
	b->size = b->size - (end - at) + length;
}

/* A copy of a part into another place, or in the place of another part. */
static void copy_part(struct bytes *b, size_t from, size_t to, size_t at, size_t end)
{
	uint8_t copy[512];
	size_t length = to - from < sizeof(copy) ? to - from : sizeof(copy);

	memcpy(copy, b->data + from, length);
	replace(b, at, end, copy, length);
}

static void change_bytes(struct bytes *b)
{
	size_t at = draw(b, b->size + 1), length = draw(b, 16), end;
	const char *word = words[draw(b, OCLMM_COUNT(words))];
	uint8_t byte = (uint8_t)draw(b, 256);

	end = at + length < b->size ? at + length : b->size;
	switch (draw(b, 7)) {
	case 0: replace(b, at, at, word, strlen(word)); break;
	case 1: replace(b, at, end, word, strlen(word)); break;
	case 2: replace(b, at, end, NULL, 0); break;
	case 3: replace(b, at, at < b->size ? at + 1 : at, &byte, 1); break;
	case 4:
		if (at < b->size)
			b->data[at] ^= (uint8_t)(1u << draw(b, 8));
		break;
	case 5:
		end = at + draw(b, b->size - at + 1);
		copy_part(b, at, end, draw(b, at + 1), at);
		break;
	default: b->size = draw(b, 8) ? b->size : at; break;
	}
}

/* ---- lines of JSON ---- */

/* From a byte on, the next that is one of `set`, or the end. */
static size_t next_of(const struct bytes *b, size_t at, const char *set)
{
	while (at < b->size && !strchr(set, b->data[at] ? b->data[at] : 1))
		at++;
	return at;
}

/* The end of the value that begins at a byte: a string, what is in brackets, or a word. */
static size_t end_of_value(const struct bytes *b, size_t at)
{
	size_t depth = 0;
	int quoted = 0;

	for (; at < b->size && b->data[at] != '\n'; at++) {
		uint8_t c = b->data[at];

		if (quoted) {
			at += c == '\\';
			quoted = c != '"';
		} else if (c == '"') {
			quoted = 1;
		} else if (c == '{' || c == '[') {
			depth++;
		} else if ((c == '}' || c == ']' || c == ',') && depth == 0) {
			break;
		} else if (c == '}' || c == ']') {
			depth--;
		}
	}
	return at < b->size ? at : b->size;
}

/* Some value behind a colon. Returns 0 where there is none. */
static int find_value(struct bytes *b, size_t *ret_at, size_t *ret_end)
{
	size_t colon = next_of(b, draw(b, b->size), ":");

	if (colon >= b->size)
		return 0;
	*ret_at = colon + 1;
	*ret_end = end_of_value(b, colon + 1);
	return 1;
}

static void change_value(struct bytes *b)
{
	const char *word = words[draw(b, 16)];
	size_t at, end, from, to;

	if (!find_value(b, &at, &end))
		return;
	if (draw(b, 2))
		replace(b, at, end, word, strlen(word));
	else if (find_value(b, &from, &to))
		copy_part(b, from, to, at, end);
}

/* A line, with the end of it. */
static void find_line(struct bytes *b, size_t *ret_at, size_t *ret_end)
{
	size_t at = draw(b, b->size + 1), end = next_of(b, at, "\n");

	while (at > 0 && b->data[at - 1] != '\n')
		at--;
	*ret_at = at;
	*ret_end = end < b->size ? end + 1 : end;
}

static void change_line(struct bytes *b)
{
	size_t at, end, from, to;
	uint8_t line[4096];

	find_line(b, &at, &end);
	find_line(b, &from, &to);
	if (draw(b, 3) == 0 || to - from > sizeof(line)) {
		replace(b, at, end, NULL, 0);
		return;
	}
	memcpy(line, b->data + from, to - from);
	replace(b, at, draw(b, 2) ? at : end, line, to - from);
}

/* A key and its value go, stand twice, or get another name. */
static void change_key(struct bytes *b)
{
	size_t comma = next_of(b, draw(b, b->size), ","), end;

	if (comma + 1 >= b->size)
		return;
	end = end_of_value(b, comma + 1);
	switch (draw(b, 3)) {
	case 0: replace(b, comma, end, NULL, 0); break;
	case 1: copy_part(b, comma, end, end, end); break;
	default: replace(b, comma + 1, comma + 1, "\"x", 2); break;
	}
}

size_t fuzz_mutate(uint8_t *data, size_t size, size_t most, uint64_t key, int json)
{
	struct bytes b = {.data = data, .size = size, .most = most, .key = key};

	for (size_t count = 1 + draw(&b, 4); count; count--) {
		switch (json && b.size ? draw(&b, 6) : 5) {
		case 0:
		case 1: change_value(&b); break;
		case 2: change_key(&b); break;
		case 3: change_line(&b); break;
		default: change_bytes(&b); break;
		}
	}
	return b.size;
}
