// Does a lock that draws numbers keep increments of plain data apart? The number may be drawn with
// relaxed. What is waited for needs acquire, and what is served next release.
//
// oclmm: --global 3 --local 1 --arg l=0,0 --arg data=0
// oclmm: --ask 'data != 3'

#ifdef WEAK
#define WAIT memory_order_relaxed
#else
#define WAIT memory_order_acquire
#endif

typedef struct {
	atomic_uint next, serving;
} ticket_lock;

kernel void take_turns(global ticket_lock *l, global int *data)
{
	uint mine = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed, memory_scope_device);

	while (atomic_load_explicit(&l->serving, WAIT, memory_scope_device) != mine)
		;
	*data += 1;
	atomic_store_explicit(&l->serving, mine + 1, memory_order_release, memory_scope_device);
}
