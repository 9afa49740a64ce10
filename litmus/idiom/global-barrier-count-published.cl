// SPDX-License-Identifier: Apache-2.0
/*
 * The first form as published: every work-item counts itself, waits until the
 * counter equals the number of work-items, and work-item 0 sets it back.
 *
 * What the model says: the reads that wait are plain, volatile or not, and race
 * with the additions; those have scope work_group and race between groups; and
 * nothing orders the accesses to a[]. The program is undefined.
 *
 * What goes wrong besides: a work-item that did not look while the counter was
 * full finds it set back, and waits for a count that can never be reached again.
 */
void global_barrier(volatile global uint *count)
{
	uint all = get_global_size(0);

	mem_fence(CLK_GLOBAL_MEM_FENCE);
	atomic_inc(count);
	while (*count != all)
		;
	if (get_global_id(0) == 0)
		atomic_sub(count, all);
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
