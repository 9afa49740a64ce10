// SPDX-License-Identifier: Apache-2.0
/*
 * The first form as published: every work-item counts itself, waits until the
 * counter equals the number of work-items, and work-item 0 sets it back.
 * In square brackets: the line of the text that a line here stands for.
 *
 * What the model says: the reads that wait are plain, volatile or not, and race
 * with the additions; those have scope work_group and race between groups; and
 * nothing orders the accesses to a[]. The program is undefined.
 *
 * What goes wrong besides: a work-item that did not look while the counter was
 * full finds it set back, and waits for a count that can never be reached again.
 */
void global_barrier(volatile global int *s)
{
	atomic_inc(s); /* ["atomic_inc(s);"] */
	while (*s != get_global_size(0))
		; /* ["while (*s!=get_global_size(0));"] */
	if (get_global_id(0) == 0)
		atomic_sub(s, get_global_size(0)); /* ["if (get_global_id(0)==0) atomic_sub(…);"] */
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
