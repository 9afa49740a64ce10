// SPDX-License-Identifier: Apache-2.0
/*
 * The product over all work-groups, modulo 2^32: each group multiplies one word in
 * global memory by its part. No atomic function multiplies, so a compare-exchange
 * is tried until no other group has come between the load and the store.
 *
 * Relaxed order is enough, as for the sum: nothing but the word itself is passed
 * on, and a compare-exchange that succeeds has read the last value in the order of
 * the word. One that fails leaves what it found in `old`, so there is no second
 * load. This loop waits for nobody: whenever one group has to try again, another
 * one has succeeded. Litmus test: cas+cas, in
 * litmus/rmw.
 */
kernel SIZED void product_by_atomics(global const uint *a, ulong n, global atomic_uint *product,
                                     local uint *cells)
{
	uint mine = reduce_group(reduce_share(a, n), cells);

	if (get_local_id(0) == 0) {
		uint old = atomic_load_explicit(product, memory_order_relaxed, memory_scope_device);

		while (!atomic_compare_exchange_weak_explicit(product, &old, old * mine,
		                                              memory_order_relaxed, memory_order_relaxed,
		                                              memory_scope_device))
			;
	}
}
