// SPDX-License-Identifier: Apache-2.0
/*
 * The same as published, access by access. In square brackets: the line of the
 * text that a line here stands for. `size` is its GROUP_NUMBER_OF_WORKITEMS, the
 * largest work-group of the device; `cells` is its tmpBuffer.
 *
 * What the model says: the legacy functions have scope work_group and race
 * between groups; nothing orders the partial sums with those who read them.
 *
 * What is wrong besides:
 * - A group sets the lock of its own number, in a buffer that has one word for
 *   each `size` groups: most of these words lie beyond its end.
 * - It may set its lock after the lock was opened, and then waits for ever.
 * - Only the contributor with the highest number opens a lock, without a look at
 *   the others: that they are done is luck.
 * - Only the first work-item waits; the others go on to read at once.
 * - Stage 2 reads the array that stage 1 and stage 2 write: a sum may be
 *   overwritten before it is read.
 */
kernel void staged_reduction(global int *dst, global int *src, global int *locks, int size,
                             local int *cells)
{
	const int index = get_local_id(0);
	const int group_index = get_group_id(0);
	int group_count = get_num_groups(0);
	int address_offset = group_index * size + index;
	global int *data = src; /* ["__global int *pData = pSrc1;"] */

	/* ["while(group_count >= GROUP_NUMBER_OF_WORKITEMS && group_index < group_count)"] */
	while (group_count >= size && group_index < group_count) {
		if (index == 0)
			atomic_or(&locks[group_index], 1); /* ["atomic_or(&pLocks[group_index], 1);"] */
		cells[index] = data[address_offset]; /* ["tmpBuffer[index] = pData[address_offset];"] */
		barrier(CLK_LOCAL_MEM_FENCE); /* ["barrier(CLK_LOCAL_MEM_FENCE);"] */
		if (index == 0) {
			int sum = 0;

			for (int i = 0; i < size; i++) /* ["for(int i = 0; i < …; i++)"] */
				sum += cells[i];
			dst[group_index] = sum; /* ["pDst[group_index] = sum;"] */
			if ((group_index & (size - 1)) == size - 1)
				atomic_xchg(&locks[group_index / size], 0); /* ["atomic_xchg(…, 0);"] */
		}
		group_count /= size; /* ["group_count /= GROUP_NUMBER_OF_WORKITEMS;"] */
		if (index == 0 && group_index < group_count) {
			int lock;

			do {
				lock = atomic_add(&locks[group_index], 0); /* ["lock = atomic_add(…, 0);"] */
			} while (lock != 0);
		}
		data = dst; /* ["pData = pDst;"] */
	}
	if (get_global_id(0) == 0)
		locks[0] = group_count * size; /* ["pLocks[0] = group_count * …;"] */
}
