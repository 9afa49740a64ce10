// SPDX-License-Identifier: Apache-2.0
/*
 * Second way: each group stores its partial sum, and the host adds those. The
 * end of the launch orders everything; no atomic is needed, and the program is
 * defined as it was published.
 */
kernel SIZED void sum_by_host(global const uint *a, ulong n, global uint *partial,
                              local uint *cells)
{
	uint mine = reduce_group(reduce_share(a, n), cells);

	if (get_local_id(0) == 0)
		partial[get_group_id(0)] = mine;
}
