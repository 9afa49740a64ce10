// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A list of blocks, newest first; objects are cut from the newest one:
 *
 *     arena -> block (used, size, bytes...) -> block -> NULL
 *
 * An object larger than a block gets a block of its own, behind the newest,
 * so that the space left in the newest is not given up.
 */
struct block {
	struct block *next;
	size_t used;
	size_t size;
	alignas(max_align_t) unsigned char bytes[];
};

struct oclmm_arena {
	struct block *newest;
	size_t held; /* bytes of all blocks */
};

enum { BLOCK_SIZE = 16 * 1024 };

struct oclmm_arena *oclmm_arena_create(void)
{
	return oclmm_calloc(1, sizeof(struct oclmm_arena));
}

void oclmm_arena_destroy(struct oclmm_arena *arena)
{
	struct block *block, *next;

	if (!arena)
		return;
	for (block = arena->newest; block; block = next) {
		next = block->next;
		free(block);
	}
	free(arena);
}

void oclmm_arena_clear(struct oclmm_arena *arena)
{
	struct block *kept = NULL, *block, *next;

	for (block = arena->newest; block; block = next) {
		next = block->next;
		if (kept || block->size != BLOCK_SIZE)
			free(block);
		else
			kept = block;
	}
	arena->newest = kept;
	arena->held = kept ? kept->size : 0;
	if (!kept)
		return;
	kept->used = 0;
	kept->next = NULL;
}

static struct block *block_create(size_t size)
{
	struct block *block = oclmm_malloc(sizeof(*block) + size);

	*block = (struct block){.size = size};
	return block;
}

static struct block *block_for(struct oclmm_arena *arena, size_t size)
{
	struct block *newest = arena->newest;
	struct block *block;

	if (newest && size <= newest->size - newest->used)
		return newest;
	block = block_create(size > BLOCK_SIZE ? size : BLOCK_SIZE);
	arena->held += block->size;
	if (size > BLOCK_SIZE && newest) {
		block->next = newest->next;
		newest->next = block;
	} else {
		block->next = newest;
		arena->newest = block;
	}
	return block;
}

size_t oclmm_arena_held(const struct oclmm_arena *arena)
{
	return arena->held;
}

void *oclmm_arena_cut(struct oclmm_arena *arena, size_t size)
{
	const size_t alignment = alignof(max_align_t);
	struct block *block;
	size_t rounded;
	void *object;

	if (size > SIZE_MAX / 2)
		oclmm_no_memory();
	/* At least one unit, so that two objects never share an address. */
	rounded = size ? (size + alignment - 1) / alignment * alignment : alignment;
	block = block_for(arena, rounded);
	object = block->bytes + block->used;
	block->used += rounded;
	return object;
}

void *oclmm_arena_alloc(struct oclmm_arena *arena, size_t size)
{
	void *object = oclmm_arena_cut(arena, size);

	memset(object, 0, size);
	return object;
}

char *oclmm_arena_strdup(struct oclmm_arena *arena, const char *text)
{
	return oclmm_arena_copy(arena, text, strlen(text) + 1);
}

char *oclmm_arena_strndup(struct oclmm_arena *arena, const char *text, size_t length)
{
	size_t present = strnlen(text, length);
	char *copy = oclmm_arena_alloc(arena, present + 1);

	memcpy(copy, text, present);
	return copy;
}

char *oclmm_arena_printf(struct oclmm_arena *arena, const char *format, ...)
{
	va_list arguments, again;
	char *text = NULL;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	if (length < 0)
		oclmm_no_memory();
	text = oclmm_arena_alloc(arena, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	va_end(arguments);
	return text;
}
