// SPDX-License-Identifier: Apache-2.0
/*
 * A sum over vectors of four: each work-item adds its share to a vector of its
 * own (reduce_vectors() in common.cl), the group adds these as a tree in local
 * memory with a barrier per level, and each group stores one partial sum for the
 * host to add.
 *
 * Defined as published, thanks to the barriers. Without them, or with the flag of
 * the other memory region, the reads of a level race with the writes of the level
 * before, also inside one warp. Litmus tests: tree-step, tree-step-no-barrier.
 */
kernel SIZED void tree_reduction(global const uint4 *a, ulong n, global uint *partial,
                                 local uint4 *cells)
{
	uint me = get_local_id(0);

	cells[me] = reduce_vectors(a, n);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint width = SIZE; width > 1;) {
		uint lower = (width + 1) / 2;

		if (me + lower < width)
			cells[me] += cells[me + lower];
		barrier(CLK_LOCAL_MEM_FENCE);
		width = lower;
	}
	if (me == 0) {
		uint4 sum = cells[0];

		partial[get_group_id(0)] = sum.x + sum.y + sum.z + sum.w;
	}
}
