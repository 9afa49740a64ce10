kernel void operations(global atomic_int *x, global atomic_ulong *w, local atomic_flag *f, volatile global uint *c,
                       volatile global long *d)
{
	int e = 3;
	int r0 = atomic_fetch_or_explicit(x + 1, 5, memory_order_acq_rel, memory_scope_device);
	atomic_fetch_max(w, 7ul);
	int r1 = atomic_compare_exchange_strong_explicit(x, &e, 4, memory_order_release, memory_order_relaxed,
	                                                 memory_scope_work_group);
	atomic_store_explicit(w, 1ul, memory_order_release, memory_scope_device);
	ulong r2 = atomic_load_explicit(w, memory_order_acquire, memory_scope_device);
	int r3 = atomic_flag_test_and_set(f);
	atomic_flag_clear_explicit(f, memory_order_release, memory_scope_work_group);
	uint r4 = atomic_inc(c) + atomic_cmpxchg(c, 1u, 2u);
	long r5 = atom_sub(d, 9);
	ulong r6 = atomic_fetch_sub_explicit(w, 3ul, memory_order_relaxed, memory_scope_device);
	ulong r7 = atomic_fetch_add_explicit(w, 3ul, memory_order_relaxed, memory_scope_device);
}
