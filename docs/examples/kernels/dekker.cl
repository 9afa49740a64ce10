// Can two work-items both raise a flag, find the other one down, and enter?
//
// oclmm: --global 2 --local 1 --arg flag=0,0 --arg inside=0,0
// oclmm: --ask 'inside[0] && inside[1]'

#ifdef WEAK
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

kernel void dekker(global atomic_int *flag, global int *inside)
{
	int me = get_global_id(0);

	atomic_store_explicit(&flag[me], 1, ORDER, memory_scope_device);
	inside[me] = atomic_load_explicit(&flag[1 - me], ORDER, memory_scope_device) == 0;
}
