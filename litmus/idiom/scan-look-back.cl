// SPDX-License-Identifier: Apache-2.0
/*
 * Prefix sum (inclusive) in one launch, chained: each group takes a tile, scans
 * it, publishes the tile's total, and looks back over the tiles before it until
 * one has published the sum of all up to itself. The method is D. Merrill and M.
 * Garland's "Single-pass parallel prefix scan with decoupled look-back" (2016).
 *
 * Tiles are numbered in the order in which groups begin, not by get_group_id():
 * a group then waits only for groups that have begun already. Any number of groups
 * will do, as long as a group that has begun goes on while others wait.
 *
 * Orders: `total` and `prefix` are plain; the state of their tile is stored with
 * release behind them and loaded with acquire before they are read. Litmus test:
 * scan-look-back. The two values have places of their own, because somebody may
 * still read the total while the prefix is written.
 */
enum { TILE_NOTHING, TILE_TOTAL, TILE_PREFIX };

/* The sum of `value` over this work-item and all before it in the group. */
float scan_group(float value, local float *cells)
{
	uint me = get_local_id(0);

	cells[me] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint span = 1; span < get_local_size(0); span *= 2) {
		float left = me >= span ? cells[me - span] : 0.0f;

		/* all have read before anybody writes */
		barrier(CLK_LOCAL_MEM_FENCE);
		cells[me] += left;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	return cells[me];
}

/* Waits until a tile has published anything; TILE_NOTHING when it gave up. */
uint wait_tile(global atomic_uint *state, uint turns, global atomic_uint *gave_up)
{
	for (uint turn = 1; turn <= turns; turn++) {
		uint seen = atomic_load_explicit(state, memory_order_acquire, memory_scope_device);

		if (seen != TILE_NOTHING)
			return seen;
		if (turn % 256 == 0 &&
		    atomic_load_explicit(gave_up, memory_order_relaxed, memory_scope_device))
			break;
	}
	atomic_store_explicit(gave_up, 1u, memory_order_relaxed, memory_scope_device);
	return TILE_NOTHING;
}

kernel void scan_look_back(global const float *in, global float *out, ulong n, uint each,
                           global atomic_uint *next_tile, global atomic_uint *states,
                           global float *total, global float *prefix, global atomic_uint *gave_up,
                           uint turns, local float *cells, local float *values, local uint *seen,
                           local uint *shared)
{
	uint me = get_local_id(0), size = get_local_size(0), tile;
	float mine = 0.0f, before = 0.0f, tile_total;
	ulong first;

	if (me == 0)
		*shared = atomic_fetch_add_explicit(next_tile, 1u, memory_order_relaxed,
		                                    memory_scope_device);
	barrier(CLK_LOCAL_MEM_FENCE);
	tile = *shared;
	/* the tile comes in by rows of the group's size, and each work-item takes `each` in a row */
	first = (ulong)tile * size * each;
	for (uint i = me; i < size * each; i += size)
		values[i] = first + i < n ? in[first + i] : 0.0f;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = me * each; i < (me + 1) * each; i++) {
		mine += values[i];
		values[i] = mine;
	}
	mine = scan_group(mine, cells) - mine;
	tile_total = cells[size - 1];
	if (me == 0) {
		total[tile] = tile_total;
		atomic_store_explicit(&states[tile], TILE_TOTAL, memory_order_release,
		                      memory_scope_device);
	}
	/* one look at as many tiles as the group has work-items, the nearest first */
	for (uint end = tile; end > 0; end -= min(end, size)) {
		uint count = min(end, size), stop = 0;

		barrier(CLK_LOCAL_MEM_FENCE);
		if (me < count) {
			uint other = end - 1 - me;

			seen[me] = wait_tile(&states[other], turns, gave_up);
			cells[me] = seen[me] == TILE_PREFIX ? prefix[other]
			            : seen[me] == TILE_TOTAL ? total[other] : 0.0f;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (me == 0) {
			while (stop < count && seen[stop] == TILE_TOTAL)
				before += cells[stop++];
			if (stop < count)
				before += cells[stop];
			cells[0] = before;
			*shared = stop == count ? TILE_TOTAL : seen[stop];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		before = cells[0];
		if (*shared == TILE_NOTHING)
			return;
		if (*shared == TILE_PREFIX)
			break;
	}
	if (me == 0) {
		prefix[tile] = before + tile_total;
		atomic_store_explicit(&states[tile], TILE_PREFIX, memory_order_release,
		                      memory_scope_device);
	}
	/* the cells were read above, and the values of other work-items are read below */
	barrier(CLK_LOCAL_MEM_FENCE);
	cells[me] = before + mine;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = me; i < size * each && first + i < n; i += size)
		out[first + i] = values[i] + cells[i / each];
}
