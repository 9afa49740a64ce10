// SPDX-License-Identifier: Apache-2.0
/* Single steps down. */
#include "internal.h"

struct steps {
	const struct oclmm_cycle *from;
	struct oclmm_cycle cycle; /* under change */
	void (*each)(void *data, const struct oclmm_cycle *weaker, const char *what);
	void *data;
};

static void step(struct steps *steps, unsigned access, const char *what)
{
	const struct oclmm_cycle_access *at = &steps->from->access[access];
	char word[64];

	snprintf(word, sizeof(word), "P%u-%s-%s", at->thread, cycle_location_name(at->location),
	         what);
	if (oclmm_cycle_settle(&steps->cycle, NULL) == 0)
		steps->each(steps->data, &steps->cycle, word);
	steps->cycle = *steps->from;
}

static enum oclmm_scope narrower(const struct oclmm_cycle *cycle, enum oclmm_scope scope)
{
	switch (scope ? scope : cycle_default_scope(cycle)) {
	case OCLMM_SCOPE_ALL_SVM_DEVICES: return OCLMM_SCOPE_DEVICE;
	case OCLMM_SCOPE_DEVICE: return OCLMM_SCOPE_WORK_GROUP;
	default: return OCLMM_SCOPE_NONE;
	}
}

static bool has_scope(const struct oclmm_cycle_access *access)
{
	return access->order != OCLMM_ORDER_NONE && !access->legacy && !access->host;
}

static void weaken_order(struct steps *steps, unsigned i)
{
	const struct oclmm_cycle_access *access = &steps->from->access[i];
	const enum oclmm_ordered ordered = cycle_ordered(access);
	const struct oclmm_orders *orders = oclmm_orders_of(ordered);

	for (unsigned k = 0; k < orders->count; k++) {
		if (!oclmm_order_is_below(ordered, orders->order[k], access->order))
			continue;
		steps->cycle.access[i].order = orders->order[k];
		step(steps, i, oclmm_order_short(orders->order[k]));
	}
}

static void weaken_scope(struct steps *steps, unsigned i)
{
	enum oclmm_scope scope = narrower(steps->from, steps->from->access[i].scope);

	if (!has_scope(&steps->from->access[i]) || !scope)
		return;
	steps->cycle.access[i].scope = scope;
	step(steps, i, oclmm_scope_short(scope));
}

/* A read-modify-write of which the cycle uses one side only. */
static void weaken_update(struct steps *steps, unsigned i)
{
	struct oclmm_cycle_access *access = &steps->cycle.access[i];

	if (!access->update || access->legacy || (access->reads && access->writes) ||
	    steps->from->location[access->location].type == OCLMM_TYPE_FLAG)
		return;
	access->update = access->fails = false;
	access->op = OCLMM_OP_LOAD;
	access->order = oclmm_order_part(cycle_ordered(access), access->order);
	step(steps, i, access->writes ? "store" : "load");
}

static void remove_fence(struct steps *steps, unsigned i, unsigned k)
{
	struct oclmm_cycle_access *access = &steps->cycle.access[i];

	access->fence_count--;
	memmove(&access->fences[k], &access->fences[k + 1],
	        (access->fence_count - k) * sizeof(access->fences[0]));
	step(steps, i, "nofence");
}

static void weaken_fence(struct steps *steps, unsigned i, unsigned k)
{
	const struct oclmm_cycle_fence *from = &steps->from->access[i].fences[k];
	struct oclmm_cycle_fence *fence = &steps->cycle.access[i].fences[k];
	unsigned flags = from->flags ? from->flags : cycle_regions(steps->from);
	const struct oclmm_orders *orders = oclmm_orders_of(OCLMM_ORDERED_FENCE);
	enum oclmm_scope scope = narrower(steps->from, from->scope);
	char what[32];

	if (!fence_is_barrier(from))
		remove_fence(steps, i, k);
	if (from->kind != OCLMM_CYCLE_FENCE_FENCE)
		return;
	for (unsigned n = 0; n < orders->count; n++) {
		if (!oclmm_order_is_below(OCLMM_ORDERED_FENCE, orders->order[n], from->order))
			continue;
		fence->order = orders->order[n];
		snprintf(what, sizeof(what), "fence-%s", oclmm_order_short(orders->order[n]));
		step(steps, i, what);
	}
	for (unsigned flag = OCLMM_FLAG_GLOBAL; flag <= OCLMM_FLAG_LOCAL; flag *= 2) {
		if (flags == flag || !(flags & flag))
			continue;
		fence->flags = flag;
		step(steps, i, flag == OCLMM_FLAG_GLOBAL ? "fenceG" : "fenceL");
	}
	if (scope) {
		fence->scope = scope;
		snprintf(what, sizeof(what), "fence-%s", oclmm_scope_short(scope));
		step(steps, i, what);
	}
}

static void weaken_link(struct steps *steps, unsigned i)
{
	enum oclmm_link_kind kind = steps->from->link[i].kind;

	if (kind != OCLMM_LINK_DATA && kind != OCLMM_LINK_CTRL)
		return;
	steps->cycle.link[i].kind = OCLMM_LINK_PO;
	step(steps, i, kind == OCLMM_LINK_DATA ? "nodata" : "noctrl");
}

/* One scope for all accesses of a location. */
static void weaken_location(struct steps *steps, unsigned location)
{
	const struct oclmm_cycle *from = steps->from;
	enum oclmm_scope scope = OCLMM_SCOPE_NONE;
	unsigned first = 0, count = 0;
	char what[32];

	for (unsigned i = 0; i < from->count; i++) {
		const struct oclmm_cycle_access *access = &from->access[i];
		enum oclmm_scope mine = narrower(from, access->scope);

		if (access->location != location || !has_scope(access))
			continue;
		if (!mine || (count && mine != scope))
			return;
		first = count++ ? first : i;
		scope = mine;
		steps->cycle.access[i].scope = mine;
	}
	if (count > 1) {
		snprintf(what, sizeof(what), "all-%s", oclmm_scope_short(scope));
		step(steps, first, what);
	}
	steps->cycle = *from;
}

void oclmm_cycle_weaken(const struct oclmm_cycle *cycle,
                        void (*each)(void *data, const struct oclmm_cycle *weaker,
                                     const char *what),
                        void *data)
{
	struct steps steps = {.from = cycle, .cycle = *cycle, .each = each, .data = data};

	for (unsigned i = 0; i < cycle->count; i++) {
		weaken_order(&steps, i);
		weaken_update(&steps, i);
		for (unsigned k = 0; k < cycle->access[i].fence_count; k++)
			weaken_fence(&steps, i, k);
		weaken_link(&steps, i);
	}
	for (unsigned i = 0; i < cycle->count; i++)
		weaken_scope(&steps, i);
	for (unsigned i = 0; i < cycle->location_count; i++)
		weaken_location(&steps, i);
}
