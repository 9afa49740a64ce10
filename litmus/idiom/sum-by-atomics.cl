// SPDX-License-Identifier: Apache-2.0
/*
 * Reduction over all work-groups, first way: each group adds its partial sum to
 * one word in global memory. Numbers are taken modulo 2^32.
 *
 * Relaxed order is enough: nothing but the word itself is passed on, and an
 * atomic read-modify-write never loses another one. The host reads the word when
 * the launch is over, which is a synchronisation point. The scope has to be
 * device, because other groups add to the same word.
 */
kernel SIZED void sum_by_atomics(global const uint *a, ulong n, global atomic_uint *sum,
                                 local uint *cells)
{
	uint mine = reduce_group(reduce_share(a, n), cells);

	if (get_local_id(0) == 0)
		atomic_fetch_add_explicit(sum, mine, memory_order_relaxed, memory_scope_device);
}
