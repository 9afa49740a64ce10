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
 * What the program knows and says before this text, so that compilers know it:
 *
 * SIZE          work-items of a group
 * SIZED         the attribute by which a kernel promises it (nothing in published forms)
 * SIDE_BY_SIDE  1 on a GPU, where work-items read neighbouring words at the same time, and 0 on
 *               a CPU, where each is a loop and has its share in one piece
 * JOIN, NEUTRAL what reduces: sums or products, and what changes none
 */

/* A work-item's share of `count` vectors, reduced. Two at a time, so that loads overlap. */
uint4 reduce_vectors(global const uint4 *a, ulong count)
{
	ulong me = get_global_id(0), all = get_global_size(0), run = (count + all - 1) / all;
	ulong step = SIDE_BY_SIDE ? all : 1;
	ulong i = SIDE_BY_SIDE ? me : min(me * run, count);
	ulong end = SIDE_BY_SIDE ? count : min(i + run, count);
	uint4 even = (uint4)(NEUTRAL), odd = (uint4)(NEUTRAL);

	for (; i + step < end; i += 2 * step) {
		even = JOIN(even, a[i]);
		odd = JOIN(odd, a[i + step]);
	}
	return JOIN(i < end ? JOIN(even, a[i]) : even, odd);
}

/* A work-item's share of `n` elements, reduced: as vectors of four, and what is left over. */
uint reduce_share(global const uint *a, ulong n)
{
	uint4 vector = reduce_vectors((global const uint4 *)a, n / 4);
	uint rest = NEUTRAL;

	for (ulong i = n / 4 * 4 + get_global_id(0); i < n; i += get_global_size(0))
		rest = JOIN(rest, a[i]);
	return JOIN(JOIN(JOIN(vector.x, vector.y), JOIN(vector.z, vector.w)), rest);
}

/*
 * `value` of all work-items of a group, reduced by a tree in local memory: the
 * upper part of the cells is joined to the lower one, half as many each time. A
 * barrier stands between the writes of one level and the reads of the next. Group
 * sizes need not be powers of two: of an odd number of cells the middle one waits.
 *
 * Every work-item of the group has to come here. `cells` may be used again at
 * once: the last barrier is for that.
 */
uint reduce_group(uint value, local uint *cells)
{
	uint me = get_local_id(0), all;

	cells[me] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint width = SIZE; width > 1;) {
		uint lower = (width + 1) / 2;

		if (me + lower < width)
			cells[me] = JOIN(cells[me], cells[me + lower]);
		barrier(CLK_LOCAL_MEM_FENCE);
		width = lower;
	}
	all = cells[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	return all;
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
