// SPDX-License-Identifier: Apache-2.0
/*
 * The chained prefix sum (scan-tiles.cl) with state and sum in one word of 64
 * bits: the state above, the bits of the float below.
 *
 * Orders: relaxed is enough, because one access writes both and one reads both.
 * There is no second object that would have to be ordered. Litmus test:
 * scan-packed.
 */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

struct tiles {
	global atomic_ulong *words;
};

void publish(const struct tiles *tiles, uint tile, uint state, float value)
{
	atomic_store_explicit(&tiles->words[tile], (ulong)state << 32 | as_uint(value),
	                      memory_order_relaxed, memory_scope_device);
}

ulong glance(const struct tiles *tiles, uint tile)
{
	return atomic_load_explicit(&tiles->words[tile], memory_order_relaxed, memory_scope_device);
}

uint collect(const struct tiles *tiles, uint tile, ulong seen, float *value)
{
	*value = as_float((uint)seen);
	return (uint)(seen >> 32);
}

kernel SIZED void scan_packed(global const float *in, global float *out, ulong n,
                              global atomic_uint *next_tile, global atomic_uint *gave_up,
                              uint turns, local float *cells, local float *sums,
                              global atomic_ulong *words)
{
	local struct look_back look;
	const struct tiles tiles = {words};

	scan_tile(&tiles, in, out, n, next_tile, turns, gave_up, cells, sums, &look);
}
