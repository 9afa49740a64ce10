// SPDX-License-Identifier: Apache-2.0
/* Backwards from what is needed to all that it comes of. */
#include "oclmm/explore.h"

struct oclmm_slice_edge {
	struct oclmm_slice_edge *next;
	uint32_t from;
};

void oclmm_slice_begin(struct oclmm_arena *arena, uint32_t values, struct oclmm_slice *ret_slice)
{
	*ret_slice = (struct oclmm_slice){
		.arena = arena,
		.needed = OCLMM_NEW_ARRAY(arena, bool, values + 1),
		.count = values,
		.comes_of = OCLMM_NEW_ARRAY(arena, struct oclmm_slice_edge *, values + 1),
		.stack = OCLMM_NEW_ARRAY(arena, uint32_t, values + 1),
	};
}

void oclmm_slice_flow(struct oclmm_slice *slice, uint32_t from, uint32_t to)
{
	struct oclmm_slice_edge *edge = OCLMM_NEW(slice->arena, struct oclmm_slice_edge);

	*edge = (struct oclmm_slice_edge){slice->comes_of[to], from};
	slice->comes_of[to] = edge;
}

void oclmm_slice_need(struct oclmm_slice *slice, uint32_t value)
{
	uint32_t depth = 0;

	if (slice->needed[value])
		return;
	slice->needed[value] = true;
	slice->stack[depth++] = value;
	while (depth > 0)
		for (const struct oclmm_slice_edge *e = slice->comes_of[slice->stack[--depth]]; e;
		     e = e->next)
			if (!slice->needed[e->from]) {
				slice->needed[e->from] = true;
				slice->stack[depth++] = e->from;
			}
}
