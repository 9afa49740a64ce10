// Do increments of plain data keep apart under a lock?
//
// oclmm: --global 4 --local 2 --arg lock=0 --arg data=0
// oclmm: --ask 'data != 4'

#ifdef WEAK
#define GIVE_BACK memory_order_relaxed
#else
#define GIVE_BACK memory_order_release
#endif

kernel void spin_lock(global atomic_int *lock, global int *data)
{
	int expected = 0;

	while (!atomic_compare_exchange_strong_explicit(lock, &expected, 1, memory_order_acquire,
	                                                memory_order_relaxed, memory_scope_device))
		expected = 0;
	*data += 1;
	atomic_store_explicit(lock, 0, GIVE_BACK, memory_scope_device);
}
