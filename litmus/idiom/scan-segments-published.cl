// SPDX-License-Identifier: Apache-2.0
/*
 * The same as published: the tree stands in one array in global memory, which all
 * work-groups of the launch share.
 *
 * What the model says: barrier() orders the work-items of one group. Two groups
 * that run at the same time write the same cells, and nothing orders them: a data
 * race on every cell. With one segment the program is defined and right.
 */
kernel void scan_segment(global const float *in, global float *out, ulong n, uint half_size,
                         global float *totals, global float *cells)
{
	uint me = get_local_id(0);
	ulong first = (ulong)get_group_id(0) * 2 * half_size;

	for (uint i = me; i < 2 * half_size; i += get_local_size(0))
		cells[i] = first + i < n ? in[first + i] : 0.0f;
	for (uint pairs = half_size, span = 1; pairs > 0; pairs /= 2, span *= 2) {
		barrier(CLK_GLOBAL_MEM_FENCE);
		if (me < pairs)
			cells[(2 * me + 2) * span - 1] += cells[(2 * me + 1) * span - 1];
	}
	barrier(CLK_GLOBAL_MEM_FENCE);
	if (me == 0) {
		totals[get_group_id(0)] = cells[2 * half_size - 1];
		cells[2 * half_size - 1] = 0.0f;
	}
	for (uint pairs = 1, span = half_size; pairs <= half_size; pairs *= 2, span /= 2) {
		barrier(CLK_GLOBAL_MEM_FENCE);
		if (me < pairs) {
			uint left = (2 * me + 1) * span - 1, right = (2 * me + 2) * span - 1;
			float sum = cells[left];

			cells[left] = cells[right];
			cells[right] += sum;
		}
	}
	barrier(CLK_GLOBAL_MEM_FENCE);
	for (uint i = me; i < 2 * half_size && first + i < n; i += get_local_size(0))
		out[first + i] = cells[i] + in[first + i];
}

kernel void add_totals(global float *out, ulong n, uint half_size, global const float *totals)
{
	ulong first = (ulong)get_group_id(0) * 2 * half_size;

	if (get_group_id(0) == 0)
		return;
	for (uint i = get_local_id(0); i < 2 * half_size && first + i < n; i += get_local_size(0))
		out[first + i] += totals[get_group_id(0) - 1];
}
