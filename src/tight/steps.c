// SPDX-License-Identifier: Apache-2.0
/* Steps down from a decoration. */
#include "internal.h"

struct stepping {
	const struct oclmm_tight_space *space;
	const struct decoration *from;
	struct decoration now;
	int (*each)(void *data, const struct decoration *weaker);
	void *data;
};

static int step(struct stepping *s)
{
	int r = s->each(s->data, &s->now);

	s->now = *s->from;
	return r;
}

static int step_orders(struct stepping *s, unsigned i)
{
	const struct item *item = &s->from->item[i];
	int r = 0;

	for (unsigned k = 0; r == 0 && k < oclmm_orders_of(item->kind)->count; k++) {
		enum oclmm_order order = oclmm_orders_of(item->kind)->order[k];

		if (!oclmm_order_is_below(item->kind, order, item->order))
			continue;
		s->now.item[i].order = order;
		r = step(s);
	}
	return r;
}

/* An update becomes the load or store of which the cycle has need. */
static int step_update(struct stepping *s, unsigned i)
{
	struct item *item = &s->now.item[i];
	bool writes = s->space->writes[i];

	if (item->kind != OCLMM_ORDERED_UPDATE)
		return 0;
	item->kind = writes ? OCLMM_ORDERED_STORE : OCLMM_ORDERED_LOAD;
	item->order = oclmm_order_part(item->kind, item->order);
	return step(s);
}

static int step_fence(struct stepping *s, unsigned i)
{
	struct item *item = &s->now.item[i];
	int r;

	item->present = false;
	r = step(s);
	for (unsigned flag = OCLMM_FLAG_GLOBAL; r == 0 && flag <= OCLMM_FLAG_LOCAL; flag *= 2) {
		if (item->flags == flag || !(item->flags & flag))
			continue;
		item->flags = flag;
		r = step(s);
	}
	return r;
}

static bool is_wide(const struct stepping *s, unsigned i)
{
	return s->from->item[i].present && s->from->item[i].scope == OCLMM_SCOPE_DEVICE;
}

/* Any scopes narrower: where scopes have to be equal, one alone would not do. */
static int step_scopes(struct stepping *s)
{
	unsigned wide = 0;
	int r = 0;

	for (unsigned i = 0; i < s->space->items; i++)
		wide |= (unsigned)is_wide(s, i) << i;
	for (unsigned set = wide; r == 0 && set; set = (set - 1) & wide) {
		for (unsigned i = 0; i < s->space->items; i++) {
			if (set & 1u << i)
				s->now.item[i].scope = OCLMM_SCOPE_WORK_GROUP;
		}
		r = step(s);
	}
	return r;
}

int space_steps(const struct oclmm_tight_space *space, const struct decoration *decoration,
                int (*each)(void *data, const struct decoration *weaker), void *data)
{
	struct stepping s = {
		.space = space, .from = decoration, .now = *decoration, .each = each, .data = data};
	int r = 0;

	for (unsigned i = 0; r == 0 && i < space->items; i++) {
		if (decoration->item[i].present)
			r = step_orders(&s, i);
		if (r == 0 && i < space->accesses)
			r = step_update(&s, i);
		else if (r == 0 && decoration->item[i].present)
			r = step_fence(&s, i);
	}
	return r == 0 ? step_scopes(&s) : r;
}

struct numbering {
	const struct oclmm_tight_space *space;
	void (*each)(void *data, uint64_t weaker);
	void *data;
};

static int give_number(void *data, const struct decoration *weaker)
{
	struct numbering *numbering = data;

	numbering->each(numbering->data, space_number(numbering->space, weaker));
	return 0;
}

void oclmm_tight_space_steps(const struct oclmm_tight_space *space, uint64_t number,
                             void (*each)(void *data, uint64_t weaker), void *data)
{
	struct numbering numbering = {.space = space, .each = each, .data = data};
	struct decoration decoration;

	space_decoration(space, number, &decoration);
	space_steps(space, &decoration, give_number, &numbering);
}
