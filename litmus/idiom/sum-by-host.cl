// SPDX-License-Identifier: Apache-2.0
/*
 * Second way: each group stores its partial sum, and the host adds those. The
 * end of the launch orders everything; no atomic is needed, and the program is
 * defined as it was published.
 */
kernel void sum_by_host(global const uint *a, ulong n, ulong run, global uint *partial,
                        local uint *cells)
{
	uint mine = group_sum(sum_share(a, n, run), cells);

	if (get_local_id(0) == 0)
		partial[get_group_id(0)] = mine;
}
