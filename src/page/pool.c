// SPDX-License-Identifier: Apache-2.0
#include "pool.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	uint64_t hash;
	const char *string;
	size_t length;
};

struct pool {
	struct oclmm_arena *arena;
	struct entry *entries;
	size_t count, capacity;
	size_t *slots;     /* number + 1 of an entry; 0: free */
	size_t slot_count; /* a power of two, at least twice the entries */
};

/* The slot of a string, or the free one where it would stand. */
static size_t find(const struct pool *pool, uint64_t hash, const char *bytes, size_t length)
{
	size_t slot = (size_t)hash & (pool->slot_count - 1);

	while (pool->slots[slot]) {
		const struct entry *entry = &pool->entries[pool->slots[slot] - 1];

		if (entry->hash == hash && entry->length == length &&
		    memcmp(entry->string, bytes, length) == 0)
			break;
		slot = (slot + 1) & (pool->slot_count - 1);
	}
	return slot;
}

static void spread(struct pool *pool)
{
	free(pool->slots);
	pool->slot_count *= 2;
	pool->slots = oclmm_calloc(pool->slot_count, sizeof(*pool->slots));
	for (size_t i = 0; i < pool->count; i++) {
		const struct entry *entry = &pool->entries[i];

		pool->slots[find(pool, entry->hash, entry->string, entry->length)] = i + 1;
	}
}

struct pool *oclmm_pool_create(void)
{
	struct pool *pool = oclmm_calloc(1, sizeof(*pool));

	pool->arena = oclmm_arena_create();
	pool->slot_count = 512;
	spread(pool);
	oclmm_pool_add(pool, "", 0);
	return pool;
}

void oclmm_pool_destroy(struct pool *pool)
{
	if (!pool)
		return;
	oclmm_arena_destroy(pool->arena);
	free(pool->entries);
	free(pool->slots);
	free(pool);
}

size_t oclmm_pool_add(struct pool *pool, const char *bytes, size_t length)
{
	uint64_t hash = oclmm_hash(bytes, length);
	size_t slot = find(pool, hash, bytes, length);

	if (pool->slots[slot])
		return pool->slots[slot] - 1;
	oclmm_grow(&pool->entries, &pool->capacity, pool->count, sizeof(*pool->entries));
	pool->entries[pool->count] = (struct entry){
		.hash = hash,
		.string = oclmm_arena_strndup(pool->arena, bytes, length),
		.length = length,
	};
	pool->slots[slot] = ++pool->count;
	if (pool->count * 2 > pool->slot_count)
		spread(pool);
	return pool->count - 1;
}

size_t oclmm_pool_count(const struct pool *pool)
{
	return pool->count;
}

const char *oclmm_pool_at(const struct pool *pool, size_t index)
{
	return pool->entries[index].string;
}
