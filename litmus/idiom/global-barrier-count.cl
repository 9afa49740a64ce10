// SPDX-License-Identifier: Apache-2.0
/*
 * A barrier for all work-items of a launch, first form: every work-item counts
 * itself and waits until the count is complete.
 *
 * The counter is never set back, so a work-item that is late cannot miss the full
 * count: barrier k is complete at k times the number of work-items, and the count
 * goes on from there. It may run through 2^32; only differences matter.
 *
 * Orders: each addition releases what its work-item wrote, and they form one
 * release sequence, so that the load that sees the full count acquires it all.
 * Release and acquire with scope device are the weakest that do. Litmus test:
 * global-barrier-count.
 *
 * All work-items of a group wait here, each for all others. That needs a device
 * on which the work-items of a group go on while others of it wait.
 */
bool global_barrier(global atomic_uint *count, uint number, uint turns, global atomic_uint *gave_up)
{
	uint full = number * (uint)get_global_size(0);

	atomic_fetch_add_explicit(count, 1u, memory_order_release, memory_scope_device);
	for (uint turn = 1; turn <= turns; turn++) {
		uint seen = atomic_load_explicit(count, memory_order_acquire, memory_scope_device);

		if ((int)(seen - full) >= 0)
			return true;
		if (turn % 256 == 0 &&
		    atomic_load_explicit(gave_up, memory_order_relaxed, memory_scope_device))
			break;
	}
	atomic_store_explicit(gave_up, 1u, memory_order_relaxed, memory_scope_device);
	return false;
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
		if (!global_barrier(words, 2 * step + 1, turns, gave_up))
			return;
		for (uint i = get_global_id(0); i < n; i += get_global_size(0))
			a[i] = b[i];
		if (!global_barrier(words, 2 * step + 2, turns, gave_up))
			return;
		/* for the host: a device may end a loop early without a word */
		if (get_global_id(0) == 0)
			*made = step + 1;
	}
}
