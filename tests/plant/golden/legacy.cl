/* OpenCL 1.2: no atomic types, and orders by fences alone. */
__kernel void legacy(volatile __global int *x, __global int *z, volatile __local int *s, __global float *f)
{
	int old;

	if (get_local_id(0) == 0)
		s[0] = 0;
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	old = atomic_add(x, 2) + atom_sub(x, 1);
	atomic_inc(&s[0]);
	mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	while (atomic_cmpxchg(x + 1, 0, 1) == 2)
		;
	write_mem_fence(CLK_GLOBAL_MEM_FENCE);
	atomic_xchg(x + 1, 0);
	*f = atomic_xchg((volatile __global float *)f, 1.0f) + atomic_max(x, 7) + atomic_min(x, 3);
	barrier(CLK_GLOBAL_MEM_FENCE);
	z[0] = old + s[0] + x[0];
}
