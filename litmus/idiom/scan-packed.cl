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

void publish(global atomic_ulong *words, uint tile, uint state, float value)
{
	atomic_store_explicit(&words[tile], (ulong)state << 32 | as_uint(value),
	                      memory_order_relaxed, memory_scope_device);
}

/* Waits until a tile has published anything; 0 when it gave up. */
ulong wait_tile(global atomic_ulong *word, uint turns, global atomic_uint *gave_up)
{
	for (uint turn = 1; turn <= turns; turn++) {
		ulong seen = atomic_load_explicit(word, memory_order_relaxed, memory_scope_device);

		if (seen >> 32 != TILE_NOTHING)
			return seen;
		if (turn % 256 == 0 &&
		    atomic_load_explicit(gave_up, memory_order_relaxed, memory_scope_device))
			break;
	}
	atomic_store_explicit(gave_up, 1u, memory_order_relaxed, memory_scope_device);
	return 0;
}

kernel void scan_packed(global const float *in, global float *out, ulong n,
                        global atomic_uint *next_tile, global atomic_ulong *words,
                        global atomic_uint *gave_up, uint turns, local float *cells,
                        local float *values, local uint *seen, local float *looked,
                        local uint *shared, local float *before)
{
	uint me = get_local_id(0), size = get_local_size(0), tile = take_tile(next_tile, shared);
	ulong first = (ulong)tile * size * EACH;
	float sums[EACH], tile_total;
	float mine = scan_group(load_tile(in, first, n, values, sums), cells, &tile_total);

	if (me == 0) {
		*before = 0.0f;
		*shared = tile == 0 ? TILE_PREFIX : TILE_TOTAL;
		if (tile > 0)
			publish(words, tile, TILE_TOTAL, tile_total);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint end = tile; *shared == TILE_TOTAL && end > 0;) {
		uint count = min(end, min(size, (uint)LOOK));

		if (me < count) {
			ulong word = wait_tile(&words[end - 1 - me], turns, gave_up);

			seen[me] = word >> 32;
			looked[me] = as_float((uint)word);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (me == 0)
			add_looked(seen, looked, count, before, shared);
		end -= count;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (*shared == TILE_NOTHING)
		return;
	if (me == 0)
		publish(words, tile, TILE_PREFIX, *before + tile_total);
	store_tile(out, first, n, values, sums, *before + mine);
}
