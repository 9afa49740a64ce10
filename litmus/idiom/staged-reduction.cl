// SPDX-License-Identifier: Apache-2.0
/*
 * Third way, with locks: in each stage a group adds up to `fan` partial sums of
 * the stage before, until one is left. Group g of a stage waits on a lock that
 * the last of its contributors opens:
 *
 *     stage 0   g0 g1 g2 g3   g4 g5 g6 g7        sums of the data
 *                 \  \ |  |    |  | /  /
 *     stage 1        g0           g1             fan = 4: waits for lock 0, lock 1
 *                      \_________/
 *     stage 2             g0                     the sum
 *
 * Early groups wait for later ones, so all groups of the launch have to run at
 * the same time; the program finds out how many can (`poll`), and launches no
 * more than that.
 *
 * A contributor stores its partial sum and adds 1 to the counter of its lock with
 * acq_rel: the last one has then acquired what the others released, and releases
 * all of it by opening the lock. The waiting group acquires. Litmus test:
 * staged-reduction, where each order one step weaker fails.
 */
kernel SIZED void staged_reduction(global const uint *a, ulong n, global uint *partial,
                                   global atomic_uint *arrived, global atomic_uint *lock, uint fan,
                                   global uint *sum, global atomic_uint *gave_up, uint turns,
                                   global atomic_uint *poll, uint patience, local uint *cells,
                                   local uint *go_on)
{
	uint me = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0), mine = 0;

	if (patience > 0) {
		if (me == 0)
			take_part_in_poll(poll, patience, turns);
		return;
	}
	mine = reduce_group(reduce_share(a, n), cells);
	/* the cells of a stage stand behind those of the stage before */
	while (groups > 1) {
		uint next = (groups + fan - 1) / fan, to = group / fan;
		uint contributors = min(fan, groups - to * fan);

		if (me == 0) {
			partial[group] = mine;
			if (atomic_fetch_add_explicit(&arrived[to], 1u, memory_order_acq_rel,
			                              memory_scope_device) == contributors - 1)
				atomic_store_explicit(&lock[to], 0u, memory_order_release,
				                      memory_scope_device);
			*go_on = group < next && wait_until(&lock[group], 0, turns, gave_up);
		}
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		if (!*go_on)
			return;
		mine = 0;
		for (uint i = group * fan + me; i < min((group + 1) * fan, groups); i += SIZE)
			mine += partial[i];
		/* the barriers in it also keep go_on until all have read it */
		mine = reduce_group(mine, cells);
		partial += groups;
		arrived += next;
		lock += next;
		groups = next;
	}
	if (me == 0)
		*sum = mine;
}
