// SPDX-License-Identifier: Apache-2.0
/*
 * The same as published. In square brackets: the line of the text (by its own
 * numbers) that a line here stands for.
 *
 * What the model says: defined, and right. The barriers order the cells of one
 * group; each group writes a vector of its own, and the host adds their elements
 * after the launch. The sizes must be kept to: groups of a power of two, at most
 * 64 work-items, and a number of elements that four divides.
 */
kernel void tree_reduction(global uint4 *input, global uint4 *output, int number)
{
	number = number / 4; /* [5] */
	unsigned int tid = get_local_id(0);
	unsigned int localSize = get_local_size(0);
	unsigned int globalSize = get_global_size(0);
	uint4 res = (uint4){0, 0, 0, 0}; /* [10] */
	local uint4 resArray[64]; /* [11] */
	unsigned int i = get_global_id(0);

	while (i < number) { /* [15] */
		res += input[i]; /* [17] */
		i += globalSize;
	}
	resArray[tid] = res; /* [20] */
	barrier(CLK_LOCAL_MEM_FENCE); /* [21] */
	for (unsigned int s = localSize >> 1; s > 0; s >>= 1) { /* [24] */
		if (tid < s)
			resArray[tid] += resArray[tid + s]; /* [28] */
		barrier(CLK_LOCAL_MEM_FENCE); /* [30] */
	}
	if (tid == 0)
		output[get_group_id(0)] = resArray[0]; /* [35] */
}
