// SPDX-License-Identifier: Apache-2.0
/*
 * Prefix sum (inclusive) in one launch, chained: each group takes a tile, scans
 * it, publishes the tile's total, and looks back over the tiles before it until
 * one has published the sum of all up to itself. The method is D. Merrill and M.
 * Garland's "Single-pass parallel prefix scan with decoupled look-back" (2016).
 *
 * EACH is the number of vectors of four of a work-item: few on a GPU, many on a
 * CPU, whose work-items are loops. Inside a tile there are two steps: each vector is
 * scanned by itself, and then the sums of the vectors are, which are a quarter of
 * the data and have room in local memory.
 *
 * This is what the two forms share, scan-look-back.cl and scan-packed.cl; the
 * program puts it before each of them. They differ in how a tile is published.
 *
 * Tiles are numbered in the order in which groups begin, not by get_group_id():
 * a group then waits only for groups that have begun already. Any number of groups
 * will do, as long as a group that has begun goes on while others wait.
 */
enum { LOOK = 32 }; /* tiles that are looked at together, at most */
enum { TILE_NOTHING, TILE_TOTAL, TILE_PREFIX };

/* ---- what each form has of its own ---- */

/* What has been published of all tiles. */
struct tiles;
void publish(const struct tiles *tiles, uint tile, uint state, float value);
/* A look without order: 0 while nothing is published, else something for collect(). */
ulong glance(const struct tiles *tiles, uint tile);
/* The state of a tile that was seen, and its value. */
uint collect(const struct tiles *tiles, uint tile, ulong seen, float *value);

/* ---- inside a tile ---- */

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

/* Which vector of the tile is a work-item's number `k`: side by side with others', or in a row. */
uint place(uint k)
{
	return SIDE_BY_SIDE ? get_local_id(0) + k * SIZE : get_local_id(0) * EACH + k;
}

/* Local memory: a gap after each 32 words, so that rows begin in different banks. */
uint padded(uint i)
{
	return i + i / 32;
}

/* A vector of which only the first `n` elements exist. */
float4 load_rest(global const float *in, ulong n)
{
	return (float4)(n > 0 ? in[0] : 0.0f, n > 1 ? in[1] : 0.0f, n > 2 ? in[2] : 0.0f,
	                n > 3 ? in[3] : 0.0f);
}

void store_rest(global float *out, ulong n, float4 value)
{
	if (n > 0)
		out[0] = value.x;
	if (n > 1)
		out[1] = value.y;
	if (n > 2)
		out[2] = value.z;
	if (n > 3)
		out[3] = value.w;
}

/* `n` is the number of elements from `in` on; a tile may reach further. */
void load_tile(global const float *in, ulong n, float4 *vectors)
{
	if (SIZE * EACH * 4 <= n) {
		for (uint k = 0; k < EACH; k++)
			vectors[k] = ((global const float4 *)in)[place(k)];
	} else {
		for (uint k = 0; k < EACH; k++) {
			ulong at = min(place(k) * 4ul, n);

			vectors[k] = load_rest(in + at, n - at);
		}
	}
}

void store_tile(global float *out, ulong n, const float4 *vectors)
{
	if (SIZE * EACH * 4 <= n) {
		for (uint k = 0; k < EACH; k++)
			((global float4 *)out)[place(k)] = vectors[k];
	} else {
		for (uint k = 0; k < EACH; k++) {
			ulong at = min(place(k) * 4ul, n);

			store_rest(out + at, n - at, vectors[k]);
		}
	}
}

/* The sum of `value` over the work-items before this one. `cells`: twice the group's size. */
float scan_group(float value, local float *cells, float *total)
{
	uint me = get_local_id(0);
	local float *from = cells, *to = cells + SIZE;

	from[me] = value;
	for (uint span = 1; span < SIZE; span *= 2) {
		local float *next = from;

		barrier(CLK_LOCAL_MEM_FENCE);
		to[me] = from[me] + (me >= span ? from[me - span] : 0.0f);
		from = to;
		to = next;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	*total = from[SIZE - 1];
	return from[me] - value;
}

/* Each vector becomes its own prefix sum, and its cell of `sums` what all before it add up to. */
float scan_vectors(float4 *vectors, local float *sums, local float *cells)
{
	uint row = get_local_id(0) * EACH;
	float mine = 0.0f, total, before;

	for (uint k = 0; k < EACH; k++) {
		vectors[k].y += vectors[k].x;
		vectors[k].z += vectors[k].y;
		vectors[k].w += vectors[k].z;
		sums[padded(place(k))] = vectors[k].w;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < EACH; k++)
		mine += sums[padded(row + k)];
	before = scan_group(mine, cells, &total);
	for (uint k = 0; k < EACH; k++) {
		float sum = sums[padded(row + k)];

		sums[padded(row + k)] = before;
		before += sum;
	}
	return total;
}

/* ---- from tile to tile ---- */

/* Waits until a tile has published anything; 0 when it gave up. */
ulong wait_tile(const struct tiles *tiles, uint tile, uint turns, global atomic_uint *gave_up)
{
	for (uint turn = 1; turn <= turns; turn++) {
		ulong seen = glance(tiles, tile);

		if (seen != 0)
			return seen;
		if (turn % 256 == 0 &&
		    atomic_load_explicit(gave_up, memory_order_relaxed, memory_scope_device))
			break;
	}
	atomic_store_explicit(gave_up, 1u, memory_order_relaxed, memory_scope_device);
	return 0;
}

/* In local memory: what was seen of the tiles before `end`, and what is known of those behind. */
struct look_back {
	uint seen[LOOK];
	float values[LOOK];
	uint state; /* TILE_TOTAL while there is more to look at; TILE_NOTHING when a wait gave up */
	float sum;
};

/*
 * What work-item 0 makes of a look at `count` tiles, the nearest first: adds up
 * totals until one is a prefix.
 */
void add_looked(local struct look_back *look, uint count)
{
	float sum = look->sum;
	uint state = TILE_TOTAL;

	for (uint i = 0; i < LOOK; i++) {
		bool counts = i < count && state == TILE_TOTAL;

		sum += counts ? look->values[i] : 0.0f;
		state = counts ? look->seen[i] : state;
	}
	look->sum = sum;
	look->state = state;
}

/*
 * Publishes a tile's total, finds the sum of all tiles before it, and publishes
 * both together. Returns false when a wait gave up.
 */
bool chain_tile(const struct tiles *tiles, uint tile, float total, uint turns,
                global atomic_uint *gave_up, local struct look_back *look)
{
	uint me = get_local_id(0), most = min((uint)SIZE, (uint)LOOK);

	if (me == 0) {
		look->sum = 0.0f;
		look->state = tile == 0 ? TILE_PREFIX : TILE_TOTAL;
		if (tile > 0)
			publish(tiles, tile, TILE_TOTAL, total);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint end = tile; look->state == TILE_TOTAL && end > 0;) {
		uint count = min(end, most);

		if (me < count) {
			ulong seen = wait_tile(tiles, end - 1 - me, turns, gave_up);
			float value = 0.0f;

			look->seen[me] = seen ? collect(tiles, end - 1 - me, seen, &value) : TILE_NOTHING;
			look->values[me] = value;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (me == 0)
			add_looked(look, count);
		end -= count;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (me == 0 && look->state == TILE_PREFIX)
		publish(tiles, tile, TILE_PREFIX, look->sum + total);
	return look->state == TILE_PREFIX;
}

/* ---- all that a group does ---- */

/* On a GPU: the tile stays in registers. `sums` has a word for each vector and the gaps. */
void scan_side_by_side(const struct tiles *tiles, uint tile, global const float *in,
                       global float *out, ulong n, uint turns, global atomic_uint *gave_up,
                       local float *cells, local float *sums, local struct look_back *look)
{
	float4 vectors[EACH];
	float total;

	load_tile(in, n, vectors);
	total = scan_vectors(vectors, sums, cells);
	if (!chain_tile(tiles, tile, total, turns, gave_up, look))
		return;
	for (uint k = 0; k < EACH; k++)
		vectors[k] += sums[padded(place(k))] + look->sum;
	store_tile(out, n, vectors);
}

/* On a CPU: each work-item adds up its row, and reads it again from the cache to scan it. */
void scan_in_rows(const struct tiles *tiles, uint tile, global const float *in, global float *out,
                  ulong n, uint turns, global atomic_uint *gave_up, local float *cells,
                  local struct look_back *look)
{
	ulong first = min(place(0) * 4ul, n), vectors = min((n - first) / 4, (ulong)EACH);
	ulong rest = vectors < EACH ? n - first - vectors * 4 : 0;
	global const float4 *from = (global const float4 *)(in + first);
	global float4 *to = (global float4 *)(out + first);
	float4 sum = (float4)(0.0f), last = load_rest((global const float *)(from + vectors), rest);
	float total, mine, before;

	for (ulong k = 0; k < vectors; k++)
		sum += from[k];
	sum += last;
	mine = sum.x + sum.y + sum.z + sum.w;
	before = scan_group(mine, cells, &total);
	if (!chain_tile(tiles, tile, total, turns, gave_up, look))
		return;
	before += look->sum;
	for (ulong k = 0; k < vectors; k++) {
		float4 vector = from[k];

		vector.yw += vector.xz;
		vector.zw += vector.yy;
		vector += before;
		to[k] = vector;
		before = vector.w;
	}
	last.yw += last.xz;
	last.zw += last.yy;
	store_rest((global float *)(to + vectors), rest, last + before);
}

/* `cells` has two words for each work-item. */
void scan_tile(const struct tiles *tiles, global const float *in, global float *out, ulong n,
               global atomic_uint *next_tile, uint turns, global atomic_uint *gave_up,
               local float *cells, local float *sums, local struct look_back *look)
{
	uint tile = take_tile(next_tile, &look->state);
	ulong first = min((ulong)tile * SIZE * EACH * 4, n);

	if (SIDE_BY_SIDE)
		scan_side_by_side(tiles, tile, in + first, out + first, n - first, turns, gave_up,
		                  cells, sums, look);
	else
		scan_in_rows(tiles, tile, in + first, out + first, n - first, turns, gave_up, cells,
		             look);
}
