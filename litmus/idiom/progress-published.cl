// SPDX-License-Identifier: Apache-2.0
/*
 * The experiment of the text, which shows why it matters: the first `waiters`
 * work-groups (one and a half times, or twice the compute units there) wait for a
 * flag that group 10,000 raises. If the waiting groups take all places of the
 * device, that one never begins, and this kernel never ends. In square brackets:
 * the line of the text that a line here stands for.
 *
 * What the model says: the flag is not atomic, and volatile does not make it so.
 * Its write races with every read of it; and atomic_add() has scope work_group,
 * so that the additions of different groups race, too.
 */
kernel void progress(global volatile int *dst, int waiters)
{
	const int gid = get_group_id(0);
	const int index = get_local_id(0);

	if (index == 0) { /* ["if(index == 0)"] */
		if (gid < waiters) /* ["if(gid < MAX_COMPUTE_UNITS * 3 / 2)"] */
			while (dst[1] == 0)
				; /* ["while(pDst[1] == 0);"] */
		if (gid == 10000) /* ["if(gid == 10000)"] */
			dst[1] = 1; /* ["pDst[1] = 1;"] */
		atomic_add(dst, 1); /* ["atomic_add(pDst, 1);"] */
	}
}
