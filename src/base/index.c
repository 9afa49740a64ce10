// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 16 };

static struct oclmm_index_slot *make_slots(struct oclmm_arena *arena, size_t count)
{
	return arena ? OCLMM_NEW_ARRAY(arena, struct oclmm_index_slot, count)
	             : oclmm_calloc(count, sizeof(struct oclmm_index_slot));
}

static void place(struct oclmm_index *index, struct oclmm_index_slot slot)
{
	size_t at = slot.hash & (index->slot_count - 1);

	while (index->slots[at].number)
		at = (at + 1) & (index->slot_count - 1);
	index->slots[at] = slot;
}

/* At least half of the slots stay free. */
static void grow(struct oclmm_index *index)
{
	struct oclmm_index old = *index;

	index->slot_count = old.slot_count ? 2 * old.slot_count : FIRST_SLOTS;
	index->slots = make_slots(index->arena, index->slot_count);
	for (size_t i = 0; i < old.slot_count; i++)
		if (old.slots[i].number)
			place(index, old.slots[i]);
	if (!old.arena)
		free(old.slots);
}

size_t oclmm_index_find(const struct oclmm_index *index, uint64_t hash, oclmm_has_key *has,
                        const void *things, const void *key)
{
	if (!index->slot_count)
		return SIZE_MAX;
	for (size_t at = (uint32_t)hash & (index->slot_count - 1); index->slots[at].number;
	     at = (at + 1) & (index->slot_count - 1)) {
		const struct oclmm_index_slot *slot = &index->slots[at];

		if (slot->hash == (uint32_t)hash && has(things, slot->number - 1, key))
			return slot->number - 1;
	}
	return SIZE_MAX;
}

size_t oclmm_index_add(struct oclmm_index *index, uint64_t hash)
{
	if (2 * (index->count + 1) > index->slot_count)
		grow(index);
	place(index, (struct oclmm_index_slot){.hash = (uint32_t)hash,
	                                       .number = (uint32_t)(index->count + 1)});
	return index->count++;
}

void oclmm_index_clear(struct oclmm_index *index)
{
	if (index->slot_count)
		memset(index->slots, 0, index->slot_count * sizeof(*index->slots));
	index->count = 0;
}

void oclmm_index_finish(struct oclmm_index *index)
{
	if (!index->arena)
		free(index->slots);
	*index = (struct oclmm_index){0};
}
