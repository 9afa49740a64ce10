// SPDX-License-Identifier: Apache-2.0
/*
 * The same with the atomic functions of OpenCL 1.x, one element per work-item.
 *
 * What the model says: since OpenCL 2.0 atomic_add() is relaxed and of scope
 * work_group. Two additions from different groups are then not inclusive of each
 * other's scope, and race. Devices do what is meant.
 */
kernel void sum_by_atomics(global const uint *a, ulong n, volatile global uint *sum,
                           local uint *cells)
{
	uint mine = reduce_group(a[get_global_id(0)], cells);

	if (get_local_id(0) == 0)
		atomic_add(sum, mine);
}
