// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture/test.h"

/* Objects of drawn sizes: aligned, zeroed, apart, and still whole at the end. */
TEST(objects_do_not_overlap)
{
	enum { OBJECTS = 3000 };
	struct oclmm_arena *arena = oclmm_arena_create();
	unsigned char **objects = oclmm_calloc(OBJECTS, sizeof(*objects));
	size_t *sizes = oclmm_calloc(OBJECTS, sizeof(*sizes));
	size_t i, k;

	for (i = 0; i < OBJECTS; i++) {
		/* now and then one that needs a block of its own */
		sizes[i] = oclmm_random_below(1, i, i % 100 ? 200 : 60000);
		objects[i] = oclmm_arena_alloc(arena, sizes[i]);
		assert_non_null(objects[i]);
		assert_int_equal((uintptr_t)objects[i] % alignof(max_align_t), 0);
		for (k = 0; k < sizes[i]; k++)
			assert_int_equal(objects[i][k], 0);
		if (sizes[i])
			memset(objects[i], (int)(i % 251), sizes[i]);
	}
	for (i = 0; i < OBJECTS; i++) {
		for (k = 0; k < sizes[i]; k++)
			assert_int_equal(objects[i][k], i % 251);
	}
	free(objects);
	free(sizes);
	oclmm_arena_destroy(arena);
}

/* What is allocated after it was cleared is zero again, large objects and small ones. */
TEST(clearing_starts_afresh)
{
	struct oclmm_arena *arena = oclmm_arena_create();

	oclmm_arena_clear(arena);
	for (unsigned round = 0; round < 20; round++) {
		for (unsigned i = 0; i < 200; i++) {
			size_t size = i % 50 == round ? 60000 : 1 + i;
			unsigned char *object = oclmm_arena_alloc(arena, size);

			for (size_t k = 0; k < size; k++)
				assert_int_equal(object[k], 0);
			memset(object, 0xa5, size);
		}
		assert_true(oclmm_arena_held(arena) > 200 * 100);
		oclmm_arena_clear(arena);
		/* nothing but a block for what comes next */
		assert_true(oclmm_arena_held(arena) < 60000);
	}
	oclmm_arena_destroy(arena);
}

TEST(empty_objects_are_distinct)
{
	struct oclmm_arena *arena = oclmm_arena_create();

	assert_ptr_not_equal(oclmm_arena_alloc(arena, 0), oclmm_arena_alloc(arena, 0));
	oclmm_arena_destroy(arena);
	oclmm_arena_destroy(NULL);
}

TEST(strings_are_copied)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	char source[] = "work-item";
	char *copy = oclmm_arena_strdup(arena, source);
	char *part = oclmm_arena_strndup(arena, source, 4);
	char *whole = oclmm_arena_strndup(arena, source, 400);

	source[0] = '?';
	assert_string_equal(copy, "work-item");
	assert_string_equal(part, "work");
	assert_string_equal(whole, "work-item");
	assert_string_equal(oclmm_arena_printf(arena, "%d of %s", 3, copy), "3 of work-item");
	oclmm_arena_destroy(arena);
}

TEST(long_text_is_printed_whole)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	char *text = oclmm_arena_printf(arena, "%50000d|", 7);

	assert_int_equal(strlen(text), 50001);
	assert_string_equal(text + 49999, "7|");
	oclmm_arena_destroy(arena);
}

TEST(arrays_grow_by_doubling)
{
	size_t capacity = 0, count, reallocations = 0;
	uint64_t *array = NULL;

	for (count = 0; count < 100000; count++) {
		size_t before = capacity;

		oclmm_grow(&array, &capacity, count, sizeof(*array));
		assert_true(capacity > count);
		reallocations += capacity != before;
		array[count] = oclmm_random(2, count);
	}
	assert_true(reallocations < 20);
	for (count = 0; count < 100000; count++)
		assert_true(array[count] == oclmm_random(2, count));
	free(array);
}
