// SPDX-License-Identifier: Apache-2.0
#include "calls.h"
#include "oclmm/base_xml.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void call_memory(void)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	int *zeros = oclmm_arena_alloc(arena, 4 * sizeof(*zeros));
	char *cut = oclmm_arena_cut(arena, 100);
	size_t capacity = 0;
	int *array = NULL;
	void *pointer;
	char *copy;

	CHECK(zeros[0] == 0 && zeros[3] == 0);
	memset(cut, 1, 100);
	CHECK_IS(oclmm_arena_strdup(arena, "abc"), "abc");
	CHECK_IS(oclmm_arena_strndup(arena, "abc", 2), "ab");
	CHECK_IS(oclmm_arena_printf(arena, "%d-%s", 7, "x"), "7-x");
	CHECK(oclmm_arena_held(arena) > 100);
	oclmm_arena_clear(arena);
	zeros = oclmm_arena_alloc(arena, sizeof(*zeros));
	CHECK(*zeros == 0);
	oclmm_arena_destroy(arena);
	pointer = oclmm_malloc(10);
	pointer = oclmm_realloc(pointer, 1000);
	memset(pointer, 1, 1000);
	free(pointer);
	pointer = oclmm_calloc(3, 5);
	CHECK(((char *)pointer)[14] == 0);
	free(pointer);
	copy = oclmm_strdup("copy");
	CHECK_IS(copy, "copy");
	free(copy);
	for (int i = 0; i < 100; i++) {
		oclmm_grow(&array, &capacity, (size_t)i, sizeof(*array));
		array[i] = i;
	}
	CHECK(capacity >= 100 && array[99] == 99);
	free(array);
}

static jmp_buf left;

static void leave(void)
{
	longjmp(left, 1);
}

static void call_no_memory(void)
{
	oclmm_on_no_memory(leave);
	if (setjmp(left) == 0) {
		oclmm_no_memory();
		CHECK(!"it returns");
	}
	oclmm_on_no_memory(NULL);
}

static void call_text(void)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_text text;
	char *string;

	oclmm_text_init(&text);
	CHECK_IS(oclmm_text_string(&text), "");
	oclmm_text_add(&text, "ab");
	oclmm_text_add_bytes(&text, "cde", 2);
	oclmm_text_printf(&text, "%c%d", 'x', 12);
	CHECK_IS(oclmm_text_string(&text), "abcdx12");
	oclmm_text_drop(&text, 2);
	CHECK(text.length == 5);
	string = oclmm_text_steal(&text);
	CHECK_IS(string, "cdx12");
	free(string);
	oclmm_text_add(&text, "kept");
	CHECK_IS(oclmm_text_keep(&text, arena), "kept");
	oclmm_text_finish(&text);
	oclmm_arena_destroy(arena);
}

/* What the functions add to an empty text. */
static void check_text(struct oclmm_text *text, const char *wanted, int line)
{
	if (!calls_check(strcmp(oclmm_text_string(text), wanted) == 0, wanted, __FILE__, line))
		calls_check(false, oclmm_text_string(text), "it is", line);
	oclmm_text_finish(text);
}
#define CHECK_TEXT(wanted) check_text(&text, wanted, __LINE__)

static void call_json(void)
{
	struct oclmm_text text = {0}, printed = {0};
	struct oclmm_json json = {.text = &text}, lines = {.text = &text, .lines = true};

	oclmm_text_add(&printed, "b");
	oclmm_json_open(&json, NULL, '{');
	oclmm_json_open(&json, "a", '[');
	oclmm_json_text(&json, NULL, &printed);
	oclmm_json_string(&json, NULL, NULL);
	oclmm_json_value(&json, NULL, "[]");
	oclmm_json_integer(&json, NULL, -1);
	oclmm_json_count(&json, NULL, UINT64_MAX);
	oclmm_json_real(&json, NULL, 0.5);
	oclmm_json_close(&json, ']');
	oclmm_json_bool(&json, "c", true);
	oclmm_json_close(&json, '}');
	CHECK_TEXT("{\"a\":[\"b\",null,[],-1,9223372036854775807,0.5],\"c\":true}");
	CHECK(!printed.data);
	oclmm_json_open(&lines, NULL, '{');
	oclmm_json_string(&lines, "a", "b");
	oclmm_json_open(&lines, "c", '[');
	oclmm_json_close(&lines, ']');
	oclmm_json_open(&lines, "d", '[');
	oclmm_json_bool(&lines, NULL, false);
	oclmm_json_close(&lines, ']');
	oclmm_json_close(&lines, '}');
	CHECK_TEXT("{\n\t\"a\": \"b\",\n\t\"c\": [],\n\t\"d\": [\n\t\tfalse\n\t]\n}");
}

static void call_xml(void)
{
	struct oclmm_text text = {0};
	struct oclmm_xml xml = {.text = &text, .indents = true};

	oclmm_xml_open(&xml, "a");
	oclmm_xml_attribute(&xml, "b", "\"c\"");
	oclmm_xml_open(&xml, "d");
	oclmm_xml_close(&xml);
	oclmm_xml_open(&xml, "e");
	oclmm_xml_string(&xml, "<&>");
	oclmm_xml_raw(&xml, "<f/>");
	oclmm_xml_open(&xml, "p");
	oclmm_xml_close_with_tag(&xml);
	oclmm_xml_finish(&xml);
	CHECK_TEXT("<a b=\"&quot;c&quot;\">\n <d/>\n <e>&lt;&amp;&gt;<f/>  <p></p>\n </e>\n</a>\n");
	CHECK(xml.depth == 0 && !xml.open);
}

static void call_text_forms(void)
{
	static const char words[] = "one two three four five six";
	struct oclmm_text text = {0};
	char *clean = oclmm_xml_clean("a\001b"), *word;
	const char *at;

	CHECK_IS(clean, "a?b");
	free(clean);
	oclmm_text_add_xml(&text, "a<b>&\"");
	CHECK_TEXT("a&lt;b&gt;&amp;&quot;");
	oclmm_text_add_json(&text, "a\"\n");
	CHECK_TEXT("\"a\\\"\\n\"");
	oclmm_text_add_shown(&text, "a\nb");
	CHECK_TEXT("a\\nb");
	CHECK_IS(oclmm_shown("x\x1b").text, "x\\x1b");
	CHECK_IS(oclmm_counted(2, "launch").text, "2 launches");
	CHECK(oclmm_text_columns("\303\244b", 3) == 2);
	oclmm_text_add_wrapped(&text, words, 14, 0, 2);
	CHECK_TEXT("one two three\n  four five\n  six");
	oclmm_text_add_fitted(&text, words, strlen(words), 14);
	CHECK(strchr(oclmm_text_string(&text), '\n') != NULL);
	oclmm_text_finish(&text);
	oclmm_text_add_hung(&text, words, strlen(words), 14, 4);
	CHECK_HAS(oclmm_text_string(&text), "\n    four");
	oclmm_text_finish(&text);
	oclmm_text_add_fitted_lines(&text, "a\nb\n", 14);
	CHECK_TEXT("a\nb\n");
	oclmm_text_add_quoted(&text, "it's");
	at = oclmm_text_string(&text);
	word = oclmm_quoted_word(&at);
	CHECK_IS(word, "it's");
	free(word);
	oclmm_text_finish(&text);
	CHECK(oclmm_pattern_matches("MP*[!x]", "MP+rel"));
	CHECK(!oclmm_pattern_matches("MP?", "MP"));
	CHECK_IS(oclmm_suffix("a.b/c.xml"), ".xml");
}

static void call_files(const char *scratch)
{
	struct oclmm_text path = {0}, text = {0};
	struct oclmm_error error;
	char *data, now[32];
	size_t length;
	int file;

	oclmm_text_printf(&path, "%s/a/b", scratch);
	CHECK(oclmm_make_folders(oclmm_text_string(&path)) == 0);
	oclmm_text_add(&path, "/c.txt");
	unlink(oclmm_text_string(&path)); /* of an earlier run */
	CHECK(oclmm_create_file(oclmm_text_string(&path), "one", 3) == 0);
	CHECK(oclmm_create_file(oclmm_text_string(&path), "two", 3) == -EEXIST);
	/* nothing is being written */
	oclmm_remove_unfinished();
	CHECK(oclmm_write_file(oclmm_text_string(&path), "three", 5) == 0);
	CHECK(oclmm_read_file(oclmm_text_string(&path), &data, &length) == 0);
	CHECK(length == 5 && strcmp(data, "three") == 0);
	free(data);
	CHECK(oclmm_write_private_file(oclmm_text_string(&path), "four", 4) == 0);
	file = open(oclmm_text_string(&path), O_RDWR | O_APPEND);
	CHECK(oclmm_read_rest(file, &text) == 0);
	CHECK_IS(oclmm_text_string(&text), "four");
	CHECK(oclmm_write_rest(file, "five", 4) == 0);
	close(file);
	CHECK(oclmm_read_text(oclmm_text_string(&path), &error, &data, &length) == 0);
	CHECK_IS(data, "fourfive");
	free(data);
	CHECK(oclmm_read_text("/no/such/file", &error, &data, &length) == -ENOENT);
	CHECK_HAS(error.message, "/no/such/file");
	CHECK(oclmm_clock() > 0);
	CHECK(oclmm_thread_clock() >= 0);
	oclmm_print_now(now, sizeof(now));
	CHECK(strlen(now) == strlen("2026-06-15T12:00:00Z") && now[10] == 'T');
	oclmm_text_finish(&text);
	oclmm_text_finish(&path);
}

static void call_errors(void)
{
	static const char *const words[] = {"relaxed", "acquire", "release"};
	struct oclmm_error error;
	char *shown;

	CHECK(oclmm_error_set(&error, -EINVAL, "no %s", "such thing") == -EINVAL);
	error.position = (struct oclmm_position){3, 2, 1};
	strcpy(error.file, "f.litmus");
	shown = oclmm_error_format(&error);
	CHECK_HAS(shown, "f.litmus:3:2: error: no such thing");
	free(shown);
	CHECK_IS(oclmm_nearest("aquire", words, 3), "acquire");
	CHECK(oclmm_is_among("release", words, 3) && !oclmm_is_among("x", words, 3));
}

static void call_lines(void)
{
	char text[] = "one\ntwo words\n";
	struct oclmm_lines lines;
	struct oclmm_error error;

	oclmm_lines_begin(&lines, "f", text, strlen(text));
	CHECK(oclmm_lines_next(&lines) && lines.number == 1 && lines.length == 3);
	CHECK_IS(oclmm_lines_cut(&lines, text), "one");
	CHECK(oclmm_lines_next(&lines) && lines.number == 2);
	CHECK(oclmm_lines_position(&lines, lines.line + 4, 5).column == 5);
	CHECK(oclmm_lines_refuse(&lines, lines.line + 4, 5, NULL, &error, "no %s", "word") ==
	      -EINVAL);
	CHECK(error.position.line == 2 && strcmp(error.source, "two words") == 0);
	CHECK(!oclmm_lines_next(&lines));
}

static void square(void *data, size_t index)
{
	((size_t *)data)[index] = index * index;
}

static void call_parallel(void)
{
	size_t squares[100] = {0};

	oclmm_in_parallel(100, 3, square, squares);
	for (size_t i = 0; i < 100; i++)
		CHECK(squares[i] == i * i);
}

static bool is_letter(const void *letters, size_t number, const void *key)
{
	return ((const char *)letters)[number] == *(const char *)key;
}

static void call_index(void)
{
	static const char letters[] = "ab";
	struct oclmm_index index = {0};

	CHECK(oclmm_index_find(&index, 1, is_letter, letters, "a") == SIZE_MAX);
	CHECK(oclmm_index_add(&index, 1) == 0);
	CHECK(oclmm_index_add(&index, 1) == 1);
	CHECK(oclmm_index_find(&index, 1, is_letter, letters, "b") == 1);
	oclmm_index_clear(&index);
	CHECK(oclmm_index_find(&index, 1, is_letter, letters, "a") == SIZE_MAX);
	CHECK(oclmm_index_add(&index, 2) == 0);
	oclmm_index_finish(&index);
	CHECK(index.count == 0 && index.slots == NULL);
}

static void call_random(void)
{
	CHECK(oclmm_random(1, 2) == oclmm_random(1, 2) && oclmm_random(1, 2) != oclmm_random(1, 3));
	CHECK(oclmm_random_below(1, 2, 10) < 10);
	CHECK(oclmm_random_derive(1, "a") != oclmm_random_derive(1, "b"));
	/* XXH3 of nothing, as its authors give it */
	CHECK(oclmm_hash("", 0) == 0x2d06800538d394c2);
}

void call_base(const char *scratch)
{
	call_memory();
	call_no_memory();
	call_text();
	call_text_forms();
	call_json();
	call_xml();
	call_index();
	call_files(scratch);
	call_errors();
	call_lines();
	call_parallel();
	call_random();
}
