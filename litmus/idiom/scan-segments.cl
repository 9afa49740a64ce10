// SPDX-License-Identifier: Apache-2.0
/*
 * Prefix sum (inclusive), in segments. scan_segment() turns each segment into its
 * own prefix sum and stores its total. The totals are a shorter array of the same
 * kind: they are scanned in the same way, and add_totals() adds to each segment
 * the sum of all before it. Launches of one queue follow each other, so nothing
 * else is needed between the kernels.
 *
 * Inside a segment: the tree of sums is built bottom up, then the sum of all that
 * lies to the left is handed top down. A segment is twice as long as `half`, a
 * power of two that is at most the group size; what lies behind `n` counts as 0.
 *
 * Each level reads cells that other work-items wrote in the level before, hence a
 * barrier per level; and each group has cells of its own, in local memory. Litmus
 * tests: scan-step, scan-shared-scratch.
 */
kernel SIZED void scan_segment(global const float *in, global float *out, ulong n, uint half_size,
                               global float *totals, local float *cells)
{
	uint me = get_local_id(0);
	ulong first = (ulong)get_group_id(0) * 2 * half_size;

	for (uint i = me; i < 2 * half_size; i += SIZE)
		cells[i] = first + i < n ? in[first + i] : 0.0f;
	/* up: cell 2k+1 of each pair gets the sum of both */
	for (uint pairs = half_size, span = 1; pairs > 0; pairs /= 2, span *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (me < pairs)
			cells[(2 * me + 2) * span - 1] += cells[(2 * me + 1) * span - 1];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (me == 0) {
		totals[get_group_id(0)] = cells[2 * half_size - 1];
		cells[2 * half_size - 1] = 0.0f;
	}
	/* down: the left of each pair gets what is left of the pair, the right that and the left's sum */
	for (uint pairs = 1, span = half_size; pairs <= half_size; pairs *= 2, span /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (me < pairs) {
			uint left = (2 * me + 1) * span - 1, right = (2 * me + 2) * span - 1;
			float sum = cells[left];

			cells[left] = cells[right];
			cells[right] += sum;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	/* exclusive so far: the element itself is added */
	for (uint i = me; i < 2 * half_size && first + i < n; i += SIZE)
		out[first + i] = cells[i] + in[first + i];
}

/* `totals` are prefix sums by now: the one of the segment before holds all before this one. */
kernel SIZED void add_totals(global float *out, ulong n, uint half_size, global const float *totals)
{
	ulong first = (ulong)get_group_id(0) * 2 * half_size;

	if (get_group_id(0) == 0)
		return;
	for (uint i = get_local_id(0); i < 2 * half_size && first + i < n; i += SIZE)
		out[first + i] += totals[get_group_id(0) - 1];
}
