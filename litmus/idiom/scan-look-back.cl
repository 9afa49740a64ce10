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
struct tiles {
	global atomic_uint *states;
	global float *total, *prefix;
};

void publish(const struct tiles *tiles, uint tile, uint state, float value)
{
	global float *values = state == TILE_PREFIX ? tiles->prefix : tiles->total;

	values[tile] = value;
	atomic_store_explicit(&tiles->states[tile], state, memory_order_release,
	                      memory_scope_device);
}

ulong glance(const struct tiles *tiles, uint tile)
{
	return atomic_load_explicit(&tiles->states[tile], memory_order_relaxed,
	                            memory_scope_device);
}

uint collect(const struct tiles *tiles, uint tile, ulong seen, float *value)
{
	atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
	*value = seen == TILE_PREFIX ? tiles->prefix[tile] : tiles->total[tile];
	return (uint)seen;
}

kernel SIZED void scan_look_back(global const float *in, global float *out, ulong n,
                                 global atomic_uint *next_tile, global atomic_uint *gave_up,
                                 uint turns, local float *cells, local float *sums,
                                 global atomic_uint *states, global float *total,
                                 global float *prefix)
{
	local struct look_back look;
	const struct tiles tiles = {states, total, prefix};

	scan_tile(&tiles, in, out, n, next_tile, turns, gave_up, cells, sums, &look);
}
