// atomic_load_explicit(x, memory_order_seq_cst, memory_scope_device) in a comment
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define ACQ memory_order_acquire
#define LOAD(p) atomic_load_explicit(p, ACQ, memory_scope_device)
#define ADD(p, v) \
	atomic_fetch_add_explicit(p, v, \
		memory_order_acq_rel, memory_scope_device)
#define FLAGS (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

struct pair {
	int first, second;
};

static int own_barrier(int flags)
{
	return flags; /* barrier(CLK_LOCAL_MEM_FENCE) */
}

kernel void modern(global atomic_int *x, global atomic_int *y, global int *z, volatile global int *c,
                   local atomic_int *l, global atomic_long *w)
{
	local int tile[4];
	struct pair both;
	int e = 0;

	tile[0] = tile[1] = 0;
	if (get_local_id(0) == 0)
		atomic_init(l, 0);
	if (get_local_id(0) == 0)
		atomic_store_explicit(l, 0, memory_order_relaxed, memory_scope_work_group);
	barrier(CLK_LOCAL_MEM_FENCE);
	int r0 = atomic_load_explicit( x , memory_order_seq_cst , memory_scope_device ) ; // odd
	int r1 = atomic_load_explicit( x , memory_order_relaxed,
		memory_scope_device ) ;
	both.first = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);
	atomic_store_explicit(x, 1, memory_order_release, memory_scope_device);
	atomic_store_explicit(y, 2, memory_order_seq_cst, memory_scope_device);
	both.second = atomic_load_explicit(x, memory_order_acquire, memory_scope_device);
	atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
	atomic_work_item_fence(FLAGS, memory_order_acq_rel, memory_scope_device);
	work_group_barrier(FLAGS, memory_scope_device);
	r1 += atomic_fetch_add_explicit(x + atomic_fetch_sub_explicit(y, 2, memory_order_relaxed, memory_scope_device) * 0,
	                                5, memory_order_acq_rel, memory_scope_device);
	atomic_exchange_explicit(x, 3, memory_order_acq_rel, memory_scope_device);
	if (atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_acq_rel, memory_order_acquire,
	                                            memory_scope_device))
		z[1] = atomic_cmpxchg(c, 1, 2);
	else
		(void)atomic_exchange_explicit(y, e, memory_order_relaxed, memory_scope_device);
	atomic_inc(c); mem_fence(CLK_GLOBAL_MEM_FENCE); read_mem_fence(FLAGS);
	atomic_fetch_max_explicit(l, 3, memory_order_relaxed, memory_scope_work_group);
	atomic_add(&tile[1], 4);
	atomic_store_explicit(w, 1L << 32 | 1, memory_order_relaxed, memory_scope_device);
	r1 += atomic_load(x);
	z[2] = (int)(atomic_load_explicit(w, memory_order_relaxed, memory_scope_device) >> 32);
	z[0] = r0 + r1 + both.first + both.second + LOAD(x) + ADD(y, 2) + atomic_xchg(c, 4) + own_barrier(1);
}

kernel void more(global int *d, global atomic_int *f)
{
	*d = 1;
	atomic_store_explicit(f, 1, memory_order_release, memory_scope_device);
	atomic_store_explicit(f, 2, memory_order_relaxed, memory_scope_device);
	int r0 = atomic_load_explicit(f, memory_order_acquire, memory_scope_device);
	if (r0 == 1) {
		int r1 = *d;
		*d = r1 + 1;
	}
	if (r0 == 2)
		*d = 2;
}

/* What a compiler believes that thinks itself alone. */
kernel void known(global atomic_int *a, global atomic_int *b, global atomic_long *c, global int *p, int v)
{
	atomic_store_explicit(a, v, memory_order_relaxed, memory_scope_device);
	atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
	int r = atomic_load_explicit(b, memory_order_relaxed);
	atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
	atomic_store_explicit(a, v, memory_order_relaxed, memory_scope_device);
	int s = atomic_fetch_add_explicit(b, v, memory_order_relaxed);
	int t = atomic_load_explicit(b, memory_order_acquire);
	atomic_store_explicit(b, t, memory_order_relaxed);
	v = t;
	atomic_store_explicit(a, v, memory_order_relaxed, memory_scope_device);
	int e = 0;
	if (r == 0)
		s = atomic_fetch_sub_explicit(a, s, memory_order_relaxed);
	else {
		atomic_exchange_explicit(a, s, memory_order_relaxed);
		e = 1;
	}
	atomic_fetch_or_explicit(a, s, memory_order_relaxed);
	bool done = atomic_compare_exchange_strong_explicit(a, &e, 2, memory_order_acquire, memory_order_relaxed);
	atomic_init(c, v);
	s = *p;
	t = *p;
}

/* Objects that share a word with others. */
static void small(global uchar *a, local ushort *b)
{
	*(a + 2) = 3;
	*b = (ushort)4;
}
