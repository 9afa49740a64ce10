// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <stdlib.h>

#include "../fixture/test.h"

TEST(an_unused_text_is_empty)
{
	struct oclmm_text text;
	char *stolen;

	oclmm_text_init(&text);
	assert_string_equal(oclmm_text_string(&text), "");
	stolen = oclmm_text_steal(&text);
	assert_string_equal(stolen, "");
	free(stolen);
	oclmm_text_finish(&text);
}

/* Appending in drawn pieces gives the same as one long copy. */
TEST(pieces_make_the_whole)
{
	enum { SIZE = 200000 };
	char *whole = oclmm_malloc(SIZE);
	struct oclmm_text text;
	size_t at, piece, i;

	for (i = 0; i < SIZE; i++)
		whole[i] = (char)oclmm_random_below(3, i, 256);
	oclmm_text_init(&text);
	for (at = 0, i = 0; at < SIZE; at += piece, i++) {
		piece = oclmm_random_below(4, i, 500);
		if (piece > SIZE - at)
			piece = SIZE - at;
		oclmm_text_add_bytes(&text, whole + at, piece);
		assert_int_equal(text.data[text.length], 0);
	}
	assert_int_equal(text.length, SIZE);
	assert_memory_equal(text.data, whole, SIZE);
	oclmm_text_finish(&text);
	assert_null(text.data);
	free(whole);
}

TEST(printing_appends)
{
	struct oclmm_text text;
	char *stolen;

	oclmm_text_init(&text);
	oclmm_text_add(&text, "P");
	oclmm_text_printf(&text, "%u:%s", 1u, "r0");
	oclmm_text_printf(&text, "%s", "");
	oclmm_text_printf(&text, "%300d", 5);
	assert_int_equal(text.length, 305);
	stolen = oclmm_text_steal(&text);
	assert_memory_equal(stolen, "P1:r0 ", 6);
	assert_string_equal(stolen + 303, " 5");
	assert_int_equal(text.length, 0);
	free(stolen);
}

TEST(an_arena_keeps_what_was_printed)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_text text = {0};
	char *empty = oclmm_text_keep(&text, arena), *kept;

	oclmm_text_add(&text, "P0:r0");
	kept = oclmm_text_keep(&text, arena);
	assert_string_equal(empty, "");
	assert_string_equal(kept, "P0:r0");
	assert_null(text.data);
	oclmm_text_add(&text, "next");
	oclmm_text_finish(&text);
	assert_string_equal(kept, "P0:r0");
	oclmm_arena_destroy(arena);
}

TEST(one_is_not_many)
{
	assert_string_equal(oclmm_counted(1, "test").text, "1 test");
	assert_string_equal(oclmm_counted(0, "run").text, "0 runs");
	assert_string_equal(oclmm_counted(1, "launch").text, "1 launch");
	assert_string_equal(oclmm_counted(UINT64_MAX, "launch").text,
	                    "18446744073709551615 launches");
}
