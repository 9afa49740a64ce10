// SPDX-License-Identifier: Apache-2.0
/*
 * The third form as published: plain volatile flags, gathered by the first group
 * with one work-item each. A launch has at most as many groups as a group has
 * work-items. In square brackets: the line of the text that a line here stands
 * for.
 *
 * What the model says: each flag is written by one group and read by another
 * without an atomic: raising races with gathering, lowering with waiting. The
 * group barriers order nothing between groups, so a[] races, too. The flag is
 * raised before the other work-items of the group have come: where they run one
 * after another, the whole is wrong after one step.
 *
 * The first group's work-items lower as many flags as they are, whatever the
 * number of groups: the array needs a word for each.
 */
void global_barrier(volatile global int *s)
{
	const int lid = get_local_id(0);
	const int gid = get_group_id(0);

	if (!lid)
		s[gid] = 1; /* ["if (!lid) s[gid]=1;"] */
	if (!gid) { /* ["if (!gid) {"] */
		if (lid < get_num_groups(0)) /* ["if (lid<get_num_groups(0))"] */
			while (!s[lid])
				; /* ["while (!s[lid]);"] */
		barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE); /* ["barrier(…);", the first] */
		s[lid] = 0; /* ["s[lid]=0;"] */
	}
	while (!lid && s[gid])
		; /* ["while (!lid && s[gid]);"] */
	barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE); /* ["barrier(…);", the second] */
}

/*
 * The benchmark as published: 2,048 work-items (`n`, a power of two) with one
 * element each, all 1 at first; 500,000 steps (`steps`); all the same at the end.
 * [text 4, "kernel void main"; its name is ours, since no kernel may be called main]
 */
kernel void neighbour_sum(volatile global int *a, global int *flags, int n, int steps)
{
	int i = get_global_id(0);

	for (int j = 0; j < steps; j++) {
		int temp = a[i] + a[(i + 1) & (n - 1)] + a[(i + 2) & (n - 1)];

		global_barrier(flags); /* ["globalSync(flags);", the first] */
		a[i] = temp;
		global_barrier(flags); /* [the second] */
	}
}
