// Does a consumer that sees the producer's index also see the item, and does the producer wait until a
// place is free?
//
// oclmm: --global 2 --local 1 --arg ring=0,0 --arg head=0 --arg tail=0 --arg got=0,0,0
// oclmm: --ask 'got[0] != 10 || got[1] != 11 || got[2] != 12'

#ifdef WEAK
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif
#define PLACES 2

kernel void ring_buffer(global int *ring, global atomic_uint *head, global atomic_uint *tail, global int *got)
{
	for (uint i = 0; i < 3; i++)
		if (get_global_id(0) == 0) {
			while (i - atomic_load_explicit(tail, memory_order_acquire, memory_scope_device) == PLACES)
				;
			ring[i % PLACES] = 10 + i;
			atomic_store_explicit(head, i + 1, PUBLISH, memory_scope_device);
		} else {
			while (atomic_load_explicit(head, memory_order_acquire, memory_scope_device) == i)
				;
			got[i] = ring[i % PLACES];
			atomic_store_explicit(tail, i + 1, memory_order_release, memory_scope_device);
		}
}
