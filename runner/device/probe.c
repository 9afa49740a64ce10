// SPDX-License-Identifier: Apache-2.0
#include "probe.h"
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(OCLMM_ORDER_COUNT *OCLMM_SCOPE_COUNT <= 64, "a table's row is one word");

static const char *const standard_options[] = {OCLMM_STANDARDS(OCLMM_LIST_FIRST)};

OCLMM_LOOK_UP(const char *, oclmm_standard_word, oclmm_standard, OCLMM_STANDARDS, SECOND);
OCLMM_LOOK_UP(const char *, oclmm_probe_word, oclmm_probe, OCLMM_PROBES, FIRST);

/* One order with one scope. */
struct pair {
	enum oclmm_order order;
	enum oclmm_scope scope;
};

static bool is_fence(enum oclmm_probe probe)
{
	return probe == OCLMM_PROBE_FENCE_GLOBAL || probe == OCLMM_PROBE_FENCE_LOCAL;
}

void oclmm_probe_atomics(struct oclmm_text *text, enum oclmm_order order, enum oclmm_scope scope)
{
	const char *o = oclmm_order_spelling(order), *s = oclmm_scope_spelling(scope);

	if (oclmm_order_fits(OCLMM_ORDERED_LOAD, order))
		oclmm_text_printf(text, "\tn += atomic_load_explicit(x, %s, %s);\n", o, s);
	if (oclmm_order_fits(OCLMM_ORDERED_STORE, order))
		oclmm_text_printf(text, "\tatomic_store_explicit(x, n, %s, %s);\n", o, s);
	oclmm_text_printf(text, "\tn += atomic_fetch_add_explicit(x, 1, %s, %s);\n", o, s);
}

static void add_fence(struct oclmm_text *text, enum oclmm_probe probe, struct pair pair)
{
	oclmm_text_printf(text, "\tatomic_work_item_fence(%s, %s, %s);\n",
	                  oclmm_flags_spelling(probe == OCLMM_PROBE_FENCE_LOCAL
	                                               ? OCLMM_FLAG_LOCAL
	                                               : OCLMM_FLAG_GLOBAL),
	                  oclmm_order_spelling(pair.order), oclmm_scope_spelling(pair.scope));
}

static const char *pointer_of(enum oclmm_probe probe)
{
	switch (probe) {
	case OCLMM_PROBE_ATOMIC_LOCAL: return "local ";
	case OCLMM_PROBE_ATOMIC_GENERIC: return "";
	default: return "global ";
	}
}

/* A kernel with all of `count` pairs. A generic pointer comes in by a function's parameter. */
static void write_kernel(struct oclmm_text *text, enum oclmm_probe probe, const struct pair *pairs,
                         size_t count)
{
	const char *space = pointer_of(probe);

	oclmm_text_printf(text, "int use(%satomic_int *x, int n)\n{\n", space);
	for (size_t i = 0; i < count; i++) {
		if (is_fence(probe))
			add_fence(text, probe, pairs[i]);
		else
			oclmm_probe_atomics(text, pairs[i].order, pairs[i].scope);
	}
	oclmm_text_printf(text,
	                  "\treturn n;\n}\n\nkernel void probe(%satomic_int *x, global int *y)\n"
	                  "{\n\t*y = use(x, *y);\n}\n",
	                  *space ? space : "global ");
}

static bool builds(struct oclmm_device *device, const char *source, struct oclmm_probe_table *table)
{
	struct oclmm_error ignored;
	cl_program program = NULL;
	char *log = NULL;
	bool accepted = oclmm_device_compile(device, source, &ignored, &log, &program) == 0;

	table->builds++;
	free(log);
	if (program)
		clReleaseProgram(program);
	return accepted;
}

static bool takes(struct oclmm_device *device, enum oclmm_probe probe, const struct pair *pairs,
                  size_t count, struct oclmm_probe_table *table)
{
	struct oclmm_text text = {0};
	bool accepted;

	write_kernel(&text, probe, pairs, count);
	accepted = builds(device, oclmm_text_string(&text), table);
	oclmm_text_finish(&text);
	return accepted;
}

/* Most compilers take all or refuse a few: halves until each refused pair stands alone. */
static uint64_t search(struct oclmm_device *device, enum oclmm_probe probe,
                       const struct pair *pairs, size_t count, struct oclmm_probe_table *table)
{
	uint64_t accepted = 0;

	if (takes(device, probe, pairs, count, table)) {
		for (size_t i = 0; i < count; i++)
			accepted |= oclmm_probe_bit(pairs[i].order, pairs[i].scope);
		return accepted;
	}
	if (count == 1)
		return 0;
	return search(device, probe, pairs, count / 2, table) |
	       search(device, probe, pairs + count / 2, count - count / 2, table);
}

/*
 * All orders with the scopes that are known at all: a scope that is refused
 * with the relaxed order has no name, and the others need not be tried. The
 * scope work-item is about images alone (C:6.15.12.4).
 */
static size_t make_pairs(struct oclmm_device *device, enum oclmm_probe probe, struct pair *pairs,
                         struct oclmm_probe_table *table)
{
	size_t count = 0;

	for (int scope = OCLMM_SCOPE_SUB_GROUP; scope < OCLMM_SCOPE_COUNT; scope++) {
		const struct pair least = {OCLMM_ORDER_RELAXED, (enum oclmm_scope)scope};

		if (!takes(device, probe, &least, 1, table))
			continue;
		for (int order = OCLMM_ORDER_RELAXED; order < OCLMM_ORDER_COUNT; order++)
			pairs[count++] = (struct pair){(enum oclmm_order)order,
			                               (enum oclmm_scope)scope};
	}
	return count;
}

static void probe_standard(struct oclmm_device *device, enum oclmm_standard standard,
                           struct oclmm_probe_table *table)
{
	const struct pair least = {OCLMM_ORDER_RELAXED, OCLMM_SCOPE_WORK_GROUP};
	struct pair pairs[OCLMM_ORDER_COUNT * OCLMM_SCOPE_COUNT];

	snprintf(device->options, sizeof(device->options), "%s", standard_options[standard]);
	if (!takes(device, OCLMM_PROBE_ATOMIC_GLOBAL, &least, 1, table))
		return;
	table->unnamed[standard] = !builds(device, oclmm_scope_probe, table);
	if (table->unnamed[standard])
		oclmm_device_define_all_scope(device);
	for (int probe = 0; probe < OCLMM_PROBE_COUNT; probe++) {
		enum oclmm_probe what = (enum oclmm_probe)probe;
		size_t count = make_pairs(device, what, pairs, table);

		if (count)
			table->accepted[standard][probe] = search(device, what, pairs, count,
			                                          table);
	}
}

void oclmm_device_probe(struct oclmm_device *device, struct oclmm_probe_table *ret_table)
{
	struct oclmm_probe_table table;
	char kept[sizeof(device->options)];

	memset(&table, 0, sizeof(table));
	memcpy(kept, device->options, sizeof(kept));
	for (int standard = 0; device->info.major >= 2 && standard < OCLMM_STANDARD_COUNT;
	     standard++)
		probe_standard(device, (enum oclmm_standard)standard, &table);
	memcpy(device->options, kept, sizeof(kept));
	*ret_table = table;
}

bool oclmm_device_claims_pair(const struct oclmm_device_info *info, enum oclmm_probe probe,
                              enum oclmm_order order, enum oclmm_scope scope)
{
	unsigned orders = is_fence(probe) ? info->fence_orders_claimed : info->orders_claimed;

	if (probe == OCLMM_PROBE_ATOMIC_GENERIC && !info->generic_address_space)
		return false;
	return (orders & 1u << order) && (info->scopes_claimed & 1u << scope);
}
