// SPDX-License-Identifier: Apache-2.0
/*
 * A barrier for all work-items of a launch, third form: no read-modify-write. Each
 * group raises a flag of its own; the work-items of the first group gather them,
 * meet, and lower them again; a group whose flag is down goes on.
 *
 * Orders: raising releases, gathering acquires; the barrier inside the first
 * group brings all that was gathered to all its work-items, whose lowering
 * releases it; and each leader acquires that. A flag is raised again only by the
 * group that has seen it down, so no round is mistaken for another. Litmus test:
 * global-barrier-flags.
 *
 * Work-item i of the first group takes flags i, i + group size, …: a launch may
 * have more groups than a group has work-items.
 */
bool global_barrier(global atomic_uint *flags, uint number, uint turns, global atomic_uint *gave_up,
                    local uint *state)
{
	uint me = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);

	/* all of the group have written; and *state of the last time was read by all */
	barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
	if (me == 0)
		atomic_store_explicit(&flags[group], 1u, memory_order_release, memory_scope_device);
	if (group == 0)
		for (uint i = me; i < groups; i += SIZE)
			wait_until(&flags[i], 1u, turns, gave_up);
	/* only the first group needs it, but outside of branches a barrier is in nobody's way */
	barrier(CLK_GLOBAL_MEM_FENCE);
	if (group == 0)
		for (uint i = me; i < groups; i += SIZE)
			atomic_store_explicit(&flags[i], 0u, memory_order_release, memory_scope_device);
	if (me == 0) {
		*state = wait_until(&flags[group], 0u, turns, gave_up) &&
		         !atomic_load_explicit(gave_up, memory_order_relaxed, memory_scope_device);
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
