// SPDX-License-Identifier: Apache-2.0
/*
 * Prefix sum (inclusive) in one launch, chained: each group takes a tile, scans
 * it, publishes the tile's total, and looks back over the tiles before it until
 * one has published the sum of all up to itself. The method is D. Merrill and M.
 * Garland's "Single-pass parallel prefix scan with decoupled look-back" (2016).
 *
 * EACH is the number of elements of a work-item: few on a GPU, many on a CPU,
 * whose work-items are loops.
 *
 * This is what the two forms share, scan-look-back.cl and scan-packed.cl; the
 * program puts it before each of them. They differ in how a tile is published.
 *
 * Tiles are numbered in the order in which groups begin, not by get_group_id():
 * a group then waits only for groups that have begun already. Any number of groups
 * will do, as long as a group that has begun goes on while others wait.
 */
enum { LOOK = 32 }; /* tiles that are looked at together */
enum { TILE_NOTHING, TILE_TOTAL, TILE_PREFIX };

/* Local memory: a work-item's elements stand in a row, and the rows in different banks. */
uint padded(uint i)
{
	return i + i / 32;
}

uint take_tile(global atomic_uint *next_tile, local uint *shared)
{
	uint tile;

	if (get_local_id(0) == 0)
		*shared = atomic_fetch_add_explicit(next_tile, 1u, memory_order_relaxed,
		                                    memory_scope_device);
	barrier(CLK_LOCAL_MEM_FENCE);
	tile = *shared;
	barrier(CLK_LOCAL_MEM_FENCE);
	return tile;
}

/* The tile comes in by rows of the group's size; then each work-item sums up its own row. */
float load_tile(global const float *in, ulong first, ulong n, local float *values, float *sums)
{
	uint me = get_local_id(0), size = get_local_size(0);
	bool whole = first + size * EACH <= n;
	float sum = 0.0f;

	for (uint i = me; i < size * EACH; i += size)
		values[padded(i)] = whole || first + i < n ? in[first + i] : 0.0f;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < EACH; k++) {
		sum += values[padded(me * EACH + k)];
		sums[k] = sum;
	}
	return sum;
}

/* The sum of `value` over the work-items before this one. `cells`: twice the group's size. */
float scan_group(float value, local float *cells, float *total)
{
	uint me = get_local_id(0), size = get_local_size(0);
	local float *from = cells, *to = cells + size;

	from[me] = value;
	for (uint span = 1; span < size; span *= 2) {
		local float *next = from;

		barrier(CLK_LOCAL_MEM_FENCE);
		to[me] = from[me] + (me >= span ? from[me - span] : 0.0f);
		from = to;
		to = next;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	*total = from[size - 1];
	return from[me] - value;
}

void store_tile(global float *out, ulong first, ulong n, local float *values, const float *sums,
                float before)
{
	uint me = get_local_id(0), size = get_local_size(0);
	bool whole = first + size * EACH <= n;

	for (uint k = 0; k < EACH; k++)
		values[padded(me * EACH + k)] = sums[k] + before;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = me; i < size * EACH; i += size)
		if (whole || first + i < n)
			out[first + i] = values[padded(i)];
}

/*
 * What work-item 0 makes of a look at `count` tiles, the nearest first: adds up
 * totals until one is a prefix. `*shared` tells all whether the look back is over.
 */
void add_looked(const local uint *seen, const local float *looked, uint count, local float *before,
                local uint *shared)
{
	float sum = *before;
	uint end = TILE_TOTAL;

	for (uint i = 0; i < count && end == TILE_TOTAL; i++) {
		sum += looked[i];
		end = seen[i];
	}
	*before = sum;
	*shared = end;
}
