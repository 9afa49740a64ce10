// Does whoever finds a node on a stack see what is in it? The last work-item looks; the others push.
//
// oclmm: --global 3 --local 1 --arg top=0 --arg nodes=0*6 --arg found=-1
// oclmm: --ask 'found != -1 && found != 40 && found != 41'

#ifdef WEAK
#define PUSH memory_order_relaxed
#else
#define PUSH memory_order_release
#endif

typedef struct {
	int next, value;
} node;

kernel void stack(global atomic_int *top, global node *nodes, global int *found)
{
	int me = get_global_id(0), old;

	if (me == 2) {
		int first = atomic_load_explicit(top, memory_order_acquire, memory_scope_device);

		if (first)
			*found = nodes[first].value;
		return;
	}
	nodes[me + 1].value = 40 + me;
	old = atomic_load_explicit(top, memory_order_relaxed, memory_scope_device);
	do
		nodes[me + 1].next = old;
	while (!atomic_compare_exchange_strong_explicit(top, &old, me + 1, PUSH, memory_order_relaxed,
	                                                memory_scope_device));
}
