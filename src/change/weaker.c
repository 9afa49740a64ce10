// SPDX-License-Identifier: Apache-2.0
/* What one call or fence asks for, a step weaker: whoever it is of, a cycle, a decoration or a
 * program. */
#include "oclmm/change.h"

struct weaker {
	const struct oclmm_strength *from;
	unsigned steps;
	int (*each)(void *data, enum oclmm_weaker step, const struct oclmm_strength *weaker);
	void *data;
};

static bool is_wanted(const struct weaker *w, enum oclmm_weaker step)
{
	return w->steps & 1u << step;
}

static int take_orders(const struct weaker *w)
{
	const struct oclmm_orders *orders = oclmm_orders_of(w->from->kind);
	int r = 0;

	for (unsigned i = 0; r == 0 && i < orders->count; i++) {
		struct oclmm_strength to = *w->from;

		to.order = orders->order[i];
		if (oclmm_order_is_below(to.kind, to.order, w->from->order))
			r = w->each(w->data, OCLMM_WEAKER_ORDER, &to);
	}
	return r;
}

static int take_part(const struct weaker *w, enum oclmm_ordered part)
{
	struct oclmm_strength to = *w->from;

	if (to.kind != OCLMM_ORDERED_UPDATE || part == OCLMM_ORDERED_UPDATE)
		return 0;
	to.kind = part;
	to.order = oclmm_order_part(part, to.order);
	return w->each(w->data, OCLMM_WEAKER_PART, &to);
}

static int take_removed(const struct weaker *w)
{
	struct oclmm_strength to = *w->from;

	to.present = false;
	return w->each(w->data, OCLMM_WEAKER_REMOVED, &to);
}

static int take_flags(const struct weaker *w)
{
	int r = 0;

	for (unsigned flag = OCLMM_FLAG_GLOBAL; r == 0 && flag <= OCLMM_FLAG_LOCAL; flag *= 2) {
		struct oclmm_strength to = *w->from;

		to.flags = flag;
		if (w->from->flags != flag && w->from->flags & flag)
			r = w->each(w->data, OCLMM_WEAKER_FLAGS, &to);
	}
	return r;
}

static int take_scope(const struct weaker *w)
{
	struct oclmm_strength to = *w->from;

	to.scope = oclmm_scope_narrower(to.scope);
	return to.scope ? w->each(w->data, OCLMM_WEAKER_SCOPE, &to) : 0;
}

enum oclmm_scope oclmm_scope_narrower(enum oclmm_scope scope)
{
	switch (scope) {
	case OCLMM_SCOPE_ALL_SVM_DEVICES: return OCLMM_SCOPE_DEVICE;
	case OCLMM_SCOPE_DEVICE: return OCLMM_SCOPE_WORK_GROUP;
	default: return OCLMM_SCOPE_NONE;
	}
}

int oclmm_weaker_each(const struct oclmm_strength *from, unsigned steps, enum oclmm_ordered part,
                      int (*each)(void *data, enum oclmm_weaker step,
                                  const struct oclmm_strength *weaker),
                      void *data)
{
	const struct weaker w = {.from = from, .steps = steps, .each = each, .data = data};
	const bool fence = from->kind == OCLMM_ORDERED_FENCE;
	int r = 0;

	if (!from->present)
		return 0;
	if (is_wanted(&w, OCLMM_WEAKER_ORDER))
		r = take_orders(&w);
	if (r == 0 && is_wanted(&w, OCLMM_WEAKER_PART))
		r = take_part(&w, part);
	if (r == 0 && fence && is_wanted(&w, OCLMM_WEAKER_REMOVED))
		r = take_removed(&w);
	if (r == 0 && fence && is_wanted(&w, OCLMM_WEAKER_FLAGS))
		r = take_flags(&w);
	if (r == 0 && is_wanted(&w, OCLMM_WEAKER_SCOPE))
		r = take_scope(&w);
	return r;
}
