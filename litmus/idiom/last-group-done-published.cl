// SPDX-License-Identifier: Apache-2.0
/*
 * The same as it is usually published: a fence of OpenCL 1.x between the partial
 * sum and the counter, and a legacy atomic.
 *
 * What the model says: mem_fence() is a fence of scope work_group, and so is
 * atomic_inc(). Between groups neither synchronises: the counter races with
 * itself, and the last group's reads of `partial` race with the writes.
 */
kernel void last_group_done(global const uint *a, ulong n, volatile global uint *partial,
                            volatile global uint *done, global uint *sum, local uint *cells,
                            local uint *is_last)
{
	uint groups = get_num_groups(0), mine = reduce_group(a[get_global_id(0)], cells);

	if (get_local_id(0) == 0) {
		partial[get_group_id(0)] = mine;
		mem_fence(CLK_GLOBAL_MEM_FENCE);
		*is_last = atomic_inc(done) == groups - 1;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (!*is_last)
		return;
	mine = 0;
	for (uint i = get_local_id(0); i < groups; i += get_local_size(0))
		mine += partial[i];
	mine = reduce_group(mine, cells);
	if (get_local_id(0) == 0)
		*sum = mine;
}
