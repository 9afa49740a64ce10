// Does a counter that all work-groups wait for work as a barrier between them?
//
// oclmm: --global 2 --local 1 --arg count=0 --arg part=0,0 --arg sum=0,0
// oclmm: --ask 'sum[0] != 3 || sum[1] != 3'

#ifdef WEAK
#define ARRIVE memory_order_relaxed
#else
#define ARRIVE memory_order_acq_rel
#endif

void wait_for_all(global atomic_int *count)
{
	atomic_fetch_add_explicit(count, 1, ARRIVE, memory_scope_device);
	while (atomic_load_explicit(count, memory_order_acquire, memory_scope_device) < get_num_groups(0))
		;
}

kernel void counter_barrier(global atomic_int *count, global int *part, global int *sum)
{
	int g = get_group_id(0);

	part[g] = g + 1;
	wait_for_all(count);
	sum[g] = part[0] + part[1];
}
