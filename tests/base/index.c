// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <stdlib.h>

#include "../fixture/test.h"

enum { THINGS = 5000 };

static bool has_number(const void *things, size_t number, const void *key)
{
	const uint64_t *keys = things;

	return keys[number] == *(const uint64_t *)key;
}

/* What hashes alike, wholly or in the bits that an index looks at. */
static uint64_t hash_well(uint64_t key)
{
	return oclmm_hash(&key, sizeof(key));
}

static uint64_t hash_alike(uint64_t key)
{
	return key % 3;
}

static uint64_t hash_high(uint64_t key)
{
	return key << 32;
}

static void fill(struct oclmm_index *index, uint64_t *keys, uint64_t (*hash)(uint64_t),
                 size_t count)
{
	for (size_t i = 0; i < count; i++) {
		keys[i] = oclmm_random(7, i);
		assert_int_equal(oclmm_index_find(index, hash(keys[i]), has_number, keys, &keys[i]),
		                 SIZE_MAX);
		assert_int_equal(oclmm_index_add(index, hash(keys[i])), i);
	}
	assert_int_equal(index->count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(oclmm_index_find(index, hash(keys[i]), has_number, keys, &keys[i]),
		                 i);
}

TEST(each_is_found_by_its_key)
{
	uint64_t *keys = oclmm_calloc(THINGS, sizeof(*keys));
	struct oclmm_index index = {0};

	fill(&index, keys, hash_well, THINGS);
	oclmm_index_clear(&index);
	assert_int_equal(index.count, 0);
	assert_int_equal(oclmm_index_find(&index, hash_well(keys[0]), has_number, keys, &keys[0]),
	                 SIZE_MAX);
	fill(&index, keys, hash_well, 10);
	oclmm_index_finish(&index);
	/* finished is empty */
	fill(&index, keys, hash_well, 20);
	oclmm_index_finish(&index);
	free(keys);
}

TEST(equal_hashes_are_told_apart)
{
	uint64_t *keys = oclmm_calloc(THINGS, sizeof(*keys));
	struct oclmm_index index = {0};

	fill(&index, keys, hash_alike, 300);
	oclmm_index_clear(&index);
	fill(&index, keys, hash_high, 300);
	oclmm_index_finish(&index);
	free(keys);
}

TEST(an_arena_may_hold_it)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	uint64_t *keys = oclmm_calloc(THINGS, sizeof(*keys));
	struct oclmm_index index = {.arena = arena};

	fill(&index, keys, hash_well, THINGS);
	free(keys);
	oclmm_arena_destroy(arena);
}
