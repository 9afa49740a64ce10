// SPDX-License-Identifier: Apache-2.0
/*
 * The experiment that shows why it matters: the first `waiters` work-groups wait
 * for a flag that the last group of the launch raises. If the waiting groups
 * take all places of the device, the last one never begins, and this kernel
 * never ends. Run it with a time limit.
 *
 * What the model says: the flag is not atomic, and volatile does not make it so.
 * Its write races with every read of it, and the program is undefined; a compiler
 * that knows it could read the flag once. `ended` is written behind the wait.
 */
kernel void progress(volatile global uint *flag, uint waiters, global uint *ended)
{
	if (get_local_id(0) != 0)
		return;
	if (get_group_id(0) < waiters)
		while (*flag == 0)
			;
	if (get_group_id(0) == get_num_groups(0) - 1)
		*flag = 1;
	ended[get_group_id(0)] = 1;
}
