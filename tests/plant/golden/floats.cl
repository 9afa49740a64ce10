kernel void floats(global atomic_float *x, local atomic_half *h, global int *unused)
{
	float r0 = atomic_fetch_add_explicit(x, -5.0f, memory_order_acq_rel, memory_scope_device);
	half r1 = atomic_fetch_max_explicit(h + 1, 7.0h, memory_order_relaxed, memory_scope_work_group);
	atomic_exchange(x, 2.0f);
	atomic_fetch_min((volatile global atomic_double *)unused, 1.0);
	atomic_fetch_sub((global atomic_int *)x, 1);
}
