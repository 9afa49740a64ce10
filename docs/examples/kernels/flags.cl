// Is data there once all producers have raised their flags? The last work-item is the consumer.
//
// oclmm: --global 3 --local 1 --arg flag=0,0 --arg data=0,0 --arg sum=-1
// oclmm: --ask 'sum != -1 && sum != 3'

#ifdef WEAK
#define RAISE memory_order_relaxed
#else
#define RAISE memory_order_release
#endif

kernel void flags(global atomic_int *flag, global int *data, global int *sum)
{
	int me = get_global_id(0), producers = get_global_size(0) - 1;
	uchar ready = 1;

	if (me < producers) {
		data[me] = me + 1;
		atomic_store_explicit(&flag[me], 1, RAISE, memory_scope_device);
		return;
	}
	for (int i = 0; i < producers; i++)
		ready &= atomic_load_explicit(&flag[i], memory_order_acquire, memory_scope_device);
	if (ready)
		*sum = data[0] + data[1];
}
