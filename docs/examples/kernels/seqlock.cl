// Can a reader whose two looks at the sequence number agree have read halves of two versions?
// The number is odd while the writer is at work. The reader acquires with its first look, and by a fence
// before its second. The writer's data stands after a release fence.
//
// oclmm: --global 2 --local 1 --arg seq=0 --arg pair=0,0 --arg seen=0,0
// oclmm: --ask 'seen[0] != seen[1]'

#ifdef WEAK
#define LOOK memory_order_relaxed
#else
#define LOOK memory_order_acquire
#endif

kernel void seqlock(global atomic_uint *seq, global atomic_int *pair, global int *seen)
{
	uint before, after;
	int2 v;

	if (get_global_id(0) == 0) {
		atomic_store_explicit(seq, 1, memory_order_relaxed, memory_scope_device);
		atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
		atomic_store_explicit(&pair[0], 1, memory_order_relaxed, memory_scope_device);
		atomic_store_explicit(&pair[1], 1, memory_order_relaxed, memory_scope_device);
		atomic_store_explicit(seq, 2, memory_order_release, memory_scope_device);
		return;
	}
	do {
		before = atomic_load_explicit(seq, LOOK, memory_scope_device);
		v.x = atomic_load_explicit(&pair[0], memory_order_relaxed, memory_scope_device);
		v.y = atomic_load_explicit(&pair[1], memory_order_relaxed, memory_scope_device);
		atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
		after = atomic_load_explicit(seq, memory_order_relaxed, memory_scope_device);
	} while (before != after || before & 1);
	vstore2(v, 0, seen);
}
