// SPDX-License-Identifier: Apache-2.0
/*
 * The second form as published: one work-item per group counts and waits, the
 * others wait at a barrier of the group; work-item 0 of the launch sets the
 * counter back behind that barrier. In square brackets: the line of the text
 * that a line here stands for.
 *
 * What the model says: as for the first form. The waiting reads race with the
 * additions, the additions of different groups with each other, and a[] with
 * itself between groups. Nothing makes the leader wait for the other work-items
 * of its group: it may count while they still read what neighbours then write.
 * And a leader that misses the full count waits for ever.
 */
void global_barrier(volatile global int *s)
{
	if (get_local_id(0) == 0) { /* ["if (get_local_id(0)==0) {"] */
		atomic_inc(s); /* ["atomic_inc(s);"] */
		while (*s != get_num_groups(0))
			; /* ["while (*s!=get_num_groups(0));"] */
	}
	barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE); /* ["barrier(…);"] */
	if (get_global_id(0) == 0)
		atomic_sub(s, get_num_groups(0)); /* ["if (get_global_id(0)==0) atomic_sub(…);"] */
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
