// SPDX-License-Identifier: Apache-2.0
/*
 * A barrier for all work-items of a launch, second form: work-item 0 of each group
 * counts for its group and waits, and the others wait for it at a barrier of the
 * group.
 *
 * The order goes a long way round: another work-item's write, the first group
 * barrier, the leader's release, the other leader's acquire, the second group
 * barrier, the read. The group barriers have to name global memory for that. The
 * step is transitive although barriers have scope work_group and the counter
 * scope device. Litmus test: global-barrier-leaders.
 *
 * As in the first form the counter only goes up.
 */
bool global_barrier(global atomic_uint *count, uint number, uint turns, global atomic_uint *gave_up,
                    local uint *state)
{
	uint full = number * (uint)get_num_groups(0);

	/* all of the group have written; and *state of the last time was read by all */
	barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0) {
		bool there = false;

		atomic_fetch_add_explicit(count, 1u, memory_order_release, memory_scope_device);
		for (uint turn = 1; turn <= turns && !there; turn++) {
			uint seen = atomic_load_explicit(count, memory_order_acquire, memory_scope_device);

			there = (int)(seen - full) >= 0;
			if (!there && turn % 256 == 0 &&
			    atomic_load_explicit(gave_up, memory_order_relaxed, memory_scope_device))
				break;
		}
		if (!there)
			atomic_store_explicit(gave_up, 1u, memory_order_relaxed, memory_scope_device);
		*state = there;
	}
	barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
	return *state;
}

/*
 * The benchmark: steps of a[i] = a[i] + a[i+1] + a[i+2], modulo 2^32, with i+1 and
 * i+2 taken round the end. The new values go to `b` first, because neighbours
 * still read the old ones; nobody copies them back before all have read, and
 * nobody reads before all have copied. So there are two barriers per step, and
 * between two of them no element is written by one work-item and touched by
 * another.
 */
kernel SIZED void neighbour_sum(global uint *a, global uint *b, uint n, uint steps,
                                global atomic_uint *words, global atomic_uint *gave_up, uint turns,
                                global uint *made, global atomic_uint *poll, uint patience,
                                local uint *state)
{
	if (patience > 0) {
		if (get_local_id(0) == 0)
			take_part_in_poll(poll, patience, turns);
		return;
	}
	for (uint step = 0; step < steps; step++) {
		for (uint i = get_global_id(0); i < n; i += get_global_size(0))
			b[i] = a[i] + a[(i + 1) % n] + a[(i + 2) % n];
		if (!global_barrier(words, 2 * step + 1, turns, gave_up, state))
			return;
		for (uint i = get_global_id(0); i < n; i += get_global_size(0))
			a[i] = b[i];
		if (!global_barrier(words, 2 * step + 2, turns, gave_up, state))
			return;
		/* for the host: a device may end a loop early without a word */
		if (get_global_id(0) == 0)
			*made = step + 1;
	}
}
