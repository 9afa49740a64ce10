// SPDX-License-Identifier: Apache-2.0
#include "shapes.h"

static const char *store_order(enum shape_orders o)
{
	static const char *const names[] = {"relaxed", "release", "seq_cst", "relaxed"};

	return names[o];
}

static const char *load_order(enum shape_orders o)
{
	static const char *const names[] = {"relaxed", "acquire", "seq_cst", "relaxed"};

	return names[o];
}

static void begin(struct oclmm_text *text, const char *name, unsigned locations)
{
	oclmm_text_printf(text, "OPENCL %s\n{\n", name);
	for (unsigned i = 0; i < locations; i++)
		oclmm_text_printf(text, "[x%u] = 0;\n", i);
	oclmm_text_add(text, "}\n");
}

static void begin_thread(struct oclmm_text *text, unsigned thread, unsigned locations)
{
	oclmm_text_printf(text, "P%u@wg %u, dev 0 (", thread, thread);
	for (unsigned i = 0; i < locations; i++)
		oclmm_text_printf(text, "%sglobal atomic_int *x%u", i ? ", " : "", i);
	oclmm_text_add(text, ") {\n");
}

static void store(struct oclmm_text *text, unsigned location, unsigned value, enum shape_orders o)
{
	oclmm_text_printf(
		text, "  atomic_store_explicit(x%u, %u, memory_order_%s, memory_scope_device);\n",
		location, value, store_order(o));
}

static void load(struct oclmm_text *text, unsigned reg, unsigned location, enum shape_orders o)
{
	oclmm_text_printf(
		text,
		"  int r%u = atomic_load_explicit(x%u, memory_order_%s, memory_scope_device);\n",
		reg, location, load_order(o));
}

static void fence(struct oclmm_text *text, enum shape_orders o)
{
	if (o == SHAPE_FENCES)
		oclmm_text_add(
			text,
			"  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, "
			"memory_scope_device);\n");
}

/* Direction of an access: bit 0 of the thread's digit is the first, bit 1 the second; set =
 * write. */
static bool writes(unsigned n, unsigned thread, unsigned access)
{
	return n >> (2 * thread + access) & 1;
}

bool shape_cycle(struct oclmm_text *text, unsigned threads, unsigned n, unsigned extra_loads,
                 enum shape_orders o)
{
	if (n >> (2 * threads))
		return false;
	begin(text, "cycle", threads);
	for (unsigned t = 0; t < threads; t++) {
		begin_thread(text, t, threads);
		for (unsigned a = 0; a < 2; a++) {
			unsigned location = (t + a) % threads;

			if (writes(n, t, a))
				store(text, location, 1 + a, o);
			else
				load(text, a, location, o);
			if (a == 0)
				fence(text, o);
		}
		if (t < extra_loads)
			load(text, 2, (t + 2) % threads, o);
		oclmm_text_add(text, "}\n");
	}
	oclmm_text_add(text, "exists (");
	for (unsigned t = 0; t < threads; t++) {
		/* the edge from thread t's second access to the next one's first, on location
		 * t+1 */
		unsigned next = (t + 1) % threads;
		bool from = writes(n, t, 1), to = writes(n, next, 0);

		oclmm_text_add(text, t ? " /\\ " : "");
		if (from && to)
			oclmm_text_printf(text, "[x%u]=1", next); /* t's write, of 2, comes first */
		else if (from)
			oclmm_text_printf(text, "%u:r0=2", next);
		else
			oclmm_text_printf(text, "%u:r1=0", t);
	}
	oclmm_text_add(text, ")\n");
	return true;
}

void shape_ring(struct oclmm_text *text, unsigned threads, enum shape_orders o)
{
	begin(text, "ring", threads);
	for (unsigned t = 0; t < threads; t++) {
		begin_thread(text, t, threads);
		store(text, t, 1, o);
		fence(text, o);
		load(text, 0, (t + 1) % threads, o);
		oclmm_text_add(text, "}\n");
	}
	oclmm_text_add(text, "exists (");
	for (unsigned t = 0; t < threads; t++)
		oclmm_text_printf(text, "%s%u:r0=0", t ? " /\\ " : "", t);
	oclmm_text_add(text, ")\n");
}

void shape_iriw(struct oclmm_text *text, unsigned writers, unsigned readers)
{
	begin(text, "iriw", writers);
	for (unsigned t = 0; t < writers; t++) {
		begin_thread(text, t, writers);
		store(text, t, 1, SHAPE_RELAXED);
		oclmm_text_add(text, "}\n");
	}
	for (unsigned t = 0; t < readers; t++) {
		begin_thread(text, writers + t, writers);
		for (unsigned i = 0; i < writers; i++)
			load(text, i, (t + i) % writers, SHAPE_RELAXED);
		oclmm_text_add(text, "}\n");
	}
	oclmm_text_add(text, "exists (");
	for (unsigned t = 0; t < readers; t++)
		oclmm_text_printf(text, "%s%u:r0=1 /\\ %u:r%u=0", t ? " /\\ " : "", writers + t,
		                  writers + t, writers - 1);
	oclmm_text_add(text, ")\n");
}

void shape_writers(struct oclmm_text *text, unsigned count)
{
	begin(text, "writers", 1);
	for (unsigned t = 0; t < count; t++) {
		begin_thread(text, t, 1);
		store(text, 0, t + 1, SHAPE_RELAXED);
		oclmm_text_add(text, "}\n");
	}
	begin_thread(text, count, 1);
	load(text, 0, 0, SHAPE_RELAXED);
	load(text, 1, 0, SHAPE_RELAXED);
	oclmm_text_printf(text, "}\nexists (%u:r0=1 /\\ %u:r1=0)\n", count, count);
}
