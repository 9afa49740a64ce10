// SPDX-License-Identifier: Apache-2.0
/*
 * The chained prefix sum (scan-tiles.cl) with plain sums behind atomic states.
 *
 * Orders: `total` and `prefix` are plain; the state of their tile is stored with
 * release behind them. Who looks polls with relaxed loads and then has one acquire
 * fence, so that only the last look costs one. Litmus test: scan-look-back. The
 * two values have places of their own, because somebody may still read the total
 * while the prefix is written.
 */
void publish(global atomic_uint *states, global float *values, uint tile, uint state, float value)
{
	values[tile] = value;
	atomic_store_explicit(&states[tile], state, memory_order_release, memory_scope_device);
}

/* Waits until a tile has published anything; TILE_NOTHING when it gave up. */
uint wait_tile(global atomic_uint *state, uint turns, global atomic_uint *gave_up)
{
	for (uint turn = 1; turn <= turns; turn++) {
		uint seen = atomic_load_explicit(state, memory_order_relaxed, memory_scope_device);

		if (seen != TILE_NOTHING) {
			atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire,
			                       memory_scope_device);
			return seen;
		}
		if (turn % 256 == 0 &&
		    atomic_load_explicit(gave_up, memory_order_relaxed, memory_scope_device))
			break;
	}
	atomic_store_explicit(gave_up, 1u, memory_order_relaxed, memory_scope_device);
	return TILE_NOTHING;
}

kernel void scan_look_back(global const float *in, global float *out, ulong n,
                           global atomic_uint *next_tile, global atomic_uint *states,
                           global float *total, global float *prefix, global atomic_uint *gave_up,
                           uint turns, local float *cells, local float *values, local uint *seen,
                           local float *looked, local uint *shared, local float *before)
{
	uint me = get_local_id(0), size = get_local_size(0), tile = take_tile(next_tile, shared);
	ulong first = (ulong)tile * size * EACH;
	float sums[EACH], tile_total;
	float mine = scan_group(load_tile(in, first, n, values, sums), cells, &tile_total);

	if (me == 0) {
		*before = 0.0f;
		*shared = tile == 0 ? TILE_PREFIX : TILE_TOTAL;
		if (tile > 0)
			publish(states, total, tile, TILE_TOTAL, tile_total);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint end = tile; *shared == TILE_TOTAL && end > 0;) {
		uint count = min(end, min(size, (uint)LOOK));

		if (me < count) {
			uint other = end - 1 - me;

			seen[me] = wait_tile(&states[other], turns, gave_up);
			looked[me] = seen[me] == TILE_PREFIX ? prefix[other]
			             : seen[me] == TILE_TOTAL ? total[other] : 0.0f;
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
		publish(states, prefix, tile, TILE_PREFIX, *before + tile_total);
	store_tile(out, first, n, values, sums, *before + mine);
}
