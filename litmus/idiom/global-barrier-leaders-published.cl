// SPDX-License-Identifier: Apache-2.0
/*
 * The second form as published: one work-item per group counts and waits, the
 * others wait at a barrier of the group; work-item 0 of the launch sets the
 * counter back.
 *
 * What the model says: as for the first form. The waiting reads race with the
 * additions, the additions of different groups with each other, and a[] with
 * itself between groups. A leader that misses the full count waits for ever.
 */
void global_barrier(volatile global uint *count)
{
	uint groups = get_num_groups(0);

	barrier(CLK_GLOBAL_MEM_FENCE);
	if (get_local_id(0) == 0) {
		atomic_inc(count);
		while (*count != groups)
			;
		if (get_global_id(0) == 0)
			atomic_sub(count, groups);
	}
	barrier(CLK_GLOBAL_MEM_FENCE);
}

/*
 * The benchmark, one element per work-item: steps of a[i] = a[i] + a[i+1] + a[i+2],
 * with a barrier between the reads and the write, and one behind it.
 */
kernel void neighbour_sum(global uint *a, global uint *b, uint n, uint steps, volatile global uint *words,
                          volatile global uint *gave_up, uint turns, global uint *made,
                          volatile global uint *poll, uint patience, local uint *state)
{
	uint i = get_global_id(0);

	for (uint step = 0; step < steps; step++) {
		uint sum = a[i] + a[(i + 1) % n] + a[(i + 2) % n];

		global_barrier(words);
		a[i] = sum;
		global_barrier(words);
	}
	if (i == 0)
		*made = steps;
}
