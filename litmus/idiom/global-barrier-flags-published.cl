// SPDX-License-Identifier: Apache-2.0
/*
 * The third form as published: plain volatile flags, gathered by the first group
 * with one work-item each. A launch has at most as many groups as a group has
 * work-items.
 *
 * What the model says: each flag is written by one group and read by another
 * without an atomic: raising races with gathering, lowering with waiting. The
 * group barriers order nothing between groups, so a[] races, too.
 */
void global_barrier(volatile global uint *flags)
{
	uint me = get_local_id(0), group = get_group_id(0);

	barrier(CLK_GLOBAL_MEM_FENCE);
	if (me == 0)
		flags[group] = 1;
	if (group == 0)
		while (me < get_num_groups(0) && flags[me] != 1)
			;
	barrier(CLK_GLOBAL_MEM_FENCE);
	if (group == 0 && me < get_num_groups(0))
		flags[me] = 0;
	if (me == 0)
		while (flags[group] != 0)
			;
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
