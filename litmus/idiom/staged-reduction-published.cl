// SPDX-License-Identifier: Apache-2.0
/*
 * The same as published: one element per work-item, however many groups that
 * makes, a volatile lock word, and waits without an end.
 *
 * What the model says: the lock word is plain, so the write that opens it races
 * with the reads that wait for it; atomic_inc() has scope work_group and races
 * between groups; and nothing orders the partial sums, which race as well.
 *
 * What devices do: the first groups wait for the last ones. A device with fewer
 * places than waiting groups, or one that runs neighbouring groups one after
 * another, never ends.
 */
kernel void staged_reduction(global const uint *a, ulong n, volatile global uint *partial,
                             volatile global uint *arrived, volatile global uint *lock, uint fan,
                             global uint *sum, volatile global uint *gave_up, uint turns,
                             volatile global uint *poll, uint patience, local uint *cells,
                             local uint *go_on)
{
	uint me = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);
	uint mine = group_sum(a[get_global_id(0)], cells);

	while (groups > 1) {
		uint next = (groups + fan - 1) / fan, to = group / fan;
		uint contributors = min(fan, groups - to * fan);

		if (me == 0) {
			partial[group] = mine;
			mem_fence(CLK_GLOBAL_MEM_FENCE);
			if (atomic_inc(&arrived[to]) == contributors - 1)
				lock[to] = 0;
			*go_on = group < next;
			if (*go_on)
				while (lock[group] != 0)
					;
		}
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		if (!*go_on)
			return;
		mine = 0;
		for (uint i = group * fan + me; i < min((group + 1) * fan, groups); i += get_local_size(0))
			mine += partial[i];
		mine = group_sum(mine, cells);
		partial += groups;
		arrived += next;
		lock += next;
		groups = next;
	}
	if (me == 0)
		*sum = mine;
}
