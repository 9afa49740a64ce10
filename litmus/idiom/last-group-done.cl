// SPDX-License-Identifier: Apache-2.0
/*
 * Third way, in one launch and without waiting: each group stores its partial
 * sum and takes a number; the group with the last number adds the partial sums.
 * No group waits for another, so this works with any number of groups on any
 * device.
 *
 * The addition to `done` is acq_rel. Its release half publishes the own partial
 * sum; its acquire half, in the last group, makes all others visible, because
 * the additions form one release sequence. Litmus test: reduction-tail.
 *
 * One work-item does this for its group. The others learn by local memory, and
 * the barrier behind it orders global memory as well, so that they see the
 * partial sums, too.
 */
kernel SIZED void last_group_done(global const uint *a, ulong n, global uint *partial,
                                  global atomic_uint *done, global uint *sum, local uint *cells,
                                  local uint *is_last)
{
	uint groups = get_num_groups(0), mine = reduce_group(reduce_share(a, n), cells);

	if (get_local_id(0) == 0) {
		partial[get_group_id(0)] = mine;
		*is_last = atomic_fetch_add_explicit(done, 1u, memory_order_acq_rel,
		                                     memory_scope_device) == groups - 1;
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	if (!*is_last)
		return;
	mine = 0;
	for (uint i = get_local_id(0); i < groups; i += SIZE)
		mine += partial[i];
	mine = reduce_group(mine, cells);
	if (get_local_id(0) == 0)
		*sum = mine;
}
