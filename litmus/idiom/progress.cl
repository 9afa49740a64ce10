// SPDX-License-Identifier: Apache-2.0
/*
 * How many work-groups of this size run at the same time? See take_part_in_poll()
 * in common.cl. The answer is for this kernel: one that needs more registers or
 * local memory has fewer places. The programs whose groups wait for each other
 * therefore begin with the same poll.
 */
kernel void progress(global atomic_uint *poll, uint patience, uint turns)
{
	if (get_local_id(0) == 0)
		take_part_in_poll(poll, patience, turns);
}

/*
 * Do the work-items of one group go on while others of it wait? Each one says
 * that it is there and waits for all. A CPU that runs them one after another
 * never gets to the second; GPUs that run them in step do.
 */
kernel void together(global atomic_uint *poll, uint turns)
{
	atomic_fetch_add_explicit(&poll[POLL_COUNT], 1u, memory_order_relaxed, memory_scope_device);
	wait_until(&poll[POLL_COUNT], get_local_size(0), turns, &poll[POLL_GAVE_UP]);
}
