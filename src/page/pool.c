// SPDX-License-Identifier: Apache-2.0
#include "pool.h"

#include <stdlib.h>

/* The table's own hash falls through the cases of a switch, which compilers warn of. */
#define HASH_FUNCTION(key, length, hash) (hash) = (unsigned)oclmm_hash(key, length)
#include <uthash.h>

/* gcc 12 does not see that the table has what it allocates. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 10
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

struct entry {
	const char *string;
	size_t length, number;
	UT_hash_handle hh;
};

struct pool {
	struct oclmm_arena *arena;
	struct entry *table;    /* by string */
	struct entry **entries; /* by number */
	size_t count, capacity;
};

struct pool *oclmm_pool_create(void)
{
	struct pool *pool = oclmm_calloc(1, sizeof(*pool));

	pool->arena = oclmm_arena_create();
	oclmm_pool_add(pool, "", 0);
	return pool;
}

void oclmm_pool_destroy(struct pool *pool)
{
	HASH_CLEAR(hh, pool->table);
	oclmm_arena_destroy(pool->arena);
	free(pool->entries);
	free(pool);
}

size_t oclmm_pool_add(struct pool *pool, const char *bytes, size_t length)
{
	struct entry *entry;

	HASH_FIND(hh, pool->table, bytes, length, entry);
	if (entry)
		return entry->number;
	entry = OCLMM_NEW(pool->arena, struct entry);
	entry->string = oclmm_arena_strndup(pool->arena, bytes, length);
	entry->length = length;
	entry->number = pool->count;
	HASH_ADD_KEYPTR(hh, pool->table, entry->string, entry->length, entry);
	oclmm_grow(&pool->entries, &pool->capacity, pool->count, sizeof(*pool->entries));
	pool->entries[pool->count++] = entry;
	return entry->number;
}

size_t oclmm_pool_count(const struct pool *pool)
{
	return pool->count;
}

const char *oclmm_pool_at(const struct pool *pool, size_t index)
{
	return pool->entries[index]->string;
}
