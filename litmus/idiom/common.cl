// SPDX-License-Identifier: Apache-2.0
/*
 * What several kernels of this folder share. The program puts this text before
 * each of them, so that it is compiled with them.
 */

/*
 * Waits until a word has a value, at most `turns` times. OpenCL promises no
 * work-item that it ever runs while another one waits, so a wait without an end
 * may be one: who has waited long enough raises `gave_up` and leaves, and all
 * others see it and leave, too. Returns false then.
 *
 * The load acquires: whatever its writer did before a release of the same word
 * is seen behind it.
 */
bool wait_until(global atomic_uint *word, uint wanted, uint turns, global atomic_uint *gave_up)
{
	for (uint turn = 1; turn <= turns; turn++) {
		if (atomic_load_explicit(word, memory_order_acquire, memory_scope_device) == wanted)
			return true;
		/* now and then: it only matters when all is lost */
		if (turn % 256 == 0 &&
		    atomic_load_explicit(gave_up, memory_order_relaxed, memory_scope_device))
			break;
	}
	atomic_store_explicit(gave_up, 1u, memory_order_relaxed, memory_scope_device);
	return false;
}

/*
 * A work-item's share of the sum of `n` elements. They are taken as vectors of
 * four, `run` neighbouring ones at a time: one on a GPU, where neighbouring
 * work-items should read neighbouring vectors at the same time; all of its share
 * at once on a CPU, where each work-item is a loop.
 */
uint sum_share(global const uint *a, ulong n, ulong run)
{
	global const uint4 *vectors = (global const uint4 *)a;
	ulong count = n / 4, all = get_global_size(0);
	uint4 sum = (uint4)(0);
	uint rest = 0;

	for (ulong first = get_global_id(0) * run; first < count; first += all * run)
		for (ulong i = first; i < min(first + run, count); i++)
			sum += vectors[i];
	for (ulong i = 4 * count + get_global_id(0); i < n; i += all)
		rest += a[i];
	return sum.x + sum.y + sum.z + sum.w + rest;
}

/*
 * The sum of `value` over a work-group, as a tree in local memory: the upper
 * part of the cells is added to the lower one, half as many each time. A barrier
 * stands between the writes of one level and the reads of the next. Group sizes
 * need not be powers of two: of an odd number of cells the middle one waits.
 *
 * Every work-item of the group has to come here. `cells` may be used again at
 * once: the last barrier is for that.
 */
uint group_sum(uint value, local uint *cells)
{
	uint me = get_local_id(0), sum;

	cells[me] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint width = get_local_size(0); width > 1;) {
		uint lower = (width + 1) / 2;

		if (me + lower < width)
			cells[me] += cells[me + lower];
		barrier(CLK_LOCAL_MEM_FENCE);
		width = lower;
	}
	sum = cells[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	return sum;
}

/*
 * How many work-groups run at the same time: the discovery protocol of T.
 * Sorensen et al., "Portable inter-workgroup barrier synchronisation for GPUs"
 * (OOPSLA 2016). A poll is open at first. Each group takes a ticket lock and, if
 * the poll is still open, is counted; then it stays, so that it keeps its place
 * on the device, until the poll is closed. All that were counted run at the same
 * time therefore. Groups that come to a closed poll leave at once.
 *
 * There the first group that gets the lock a second time closes the poll. Here
 * it is kept open for as long as the count grows, and for `patience` turns more:
 * threads of a CPU begin one after the other.
 */
enum { POLL_NEXT, POLL_SERVED, POLL_CLOSED, POLL_COUNT, POLL_GAVE_UP, POLL_WORDS };

bool poll_lock(global atomic_uint *poll, uint turns)
{
	/* relaxed: the order comes from the word that is waited for */
	uint ticket = atomic_fetch_add_explicit(&poll[POLL_NEXT], 1u, memory_order_relaxed,
	                                        memory_scope_device);

	return wait_until(&poll[POLL_SERVED], ticket, turns, &poll[POLL_GAVE_UP]);
}

void poll_unlock(global atomic_uint *poll)
{
	/* only the holder writes it, so a load and a store do */
	uint ticket = atomic_load_explicit(&poll[POLL_SERVED], memory_order_relaxed, memory_scope_device);

	atomic_store_explicit(&poll[POLL_SERVED], ticket + 1, memory_order_release, memory_scope_device);
}

bool poll_is_closed(global atomic_uint *poll)
{
	return atomic_load_explicit(&poll[POLL_CLOSED], memory_order_relaxed, memory_scope_device) != 0;
}

/* Stays until the poll is closed, or the count has been calm for long enough to close it. */
void poll_stay(global atomic_uint *poll, uint patience)
{
	uint known = 0, calm = 0;

	while (calm < patience && !poll_is_closed(poll)) {
		uint count = atomic_load_explicit(&poll[POLL_COUNT], memory_order_relaxed,
		                                  memory_scope_device);

		calm = count == known ? calm + 1 : 0;
		known = count;
	}
}

/* For one work-item per group. */
void take_part_in_poll(global atomic_uint *poll, uint patience, uint turns)
{
	if (poll_is_closed(poll) || !poll_lock(poll, turns))
		return;
	if (poll_is_closed(poll)) {
		poll_unlock(poll);
		return;
	}
	atomic_fetch_add_explicit(&poll[POLL_COUNT], 1u, memory_order_relaxed, memory_scope_device);
	poll_unlock(poll);
	poll_stay(poll, patience);
	if (poll_is_closed(poll) || !poll_lock(poll, turns))
		return;
	/* under the lock: nobody is counted and shut out at the same time */
	atomic_store_explicit(&poll[POLL_CLOSED], 1u, memory_order_relaxed, memory_scope_device);
	poll_unlock(poll);
}
