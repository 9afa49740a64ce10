// SPDX-License-Identifier: Apache-2.0
/*
 * Between what is forbidden and what is not, where decorations differ in orders only: stronger
 * orders forbid more. From answers so far follow those for all that is above a forbidden one and
 * below another; the oracle is asked for what is left, and walks from there to the border.
 *
 * OpenCL 2.0 has the order S only if no seq_cst operation has scope work_group: there, and for
 * consensus, decorations with such an operation are compared among themselves only.
 */
#include <stdlib.h>

#include "internal.h"

/* Orders of the items, as indices into those of their kinds. */
struct element {
	uint8_t value[MOST_ITEMS];
	uint8_t rest; /* from this item on each is least (or, of those not forbidden, greatest) */
};
struct elements {
	struct element *elements;
	size_t count, capacity;
};

enum { CLASSES = 2 };

struct border {
	struct oclmm_tight_space *space;
	const struct decoration *cell;
	unsigned item[MOST_ITEMS], dims;        /* those that are there */
	uint8_t above[MOST_ITEMS][MOST_VALUES]; /* by value: the set of those at least as strong */
	struct elements least[OCLMM_MODEL_COUNT][CLASSES];    /* forbidden: so is what is above */
	struct elements greatest[OCLMM_MODEL_COUNT][CLASSES]; /* not: nor is what is below */
	/* the search for an element that nothing is known of */
	unsigned model, part;
	struct element now;
};

static const struct item *item_of(const struct border *border, unsigned dim)
{
	return &border->cell->item[border->item[dim]];
}

static const struct orders *orders_of(const struct border *border, unsigned dim)
{
	return &item_orders[item_of(border, dim)->kind];
}

static bool value_leq(const struct border *border, unsigned dim, unsigned a, unsigned b)
{
	return border->above[dim][a] >> b & 1;
}

static void find_above(struct border *border)
{
	for (unsigned d = 0; d < border->dims; d++) {
		const struct orders *orders = orders_of(border, d);

		for (unsigned a = 0; a < orders->count; a++)
			for (unsigned b = 0; b < orders->count; b++)
				border->above[d][a] |=
					(unsigned)order_leq(orders->order[a], orders->order[b])
					<< b;
	}
}

/* Whether a value is the least (the greatest) of its item: all others are above (below) it. */
static bool is_end(const struct border *border, unsigned dim, unsigned value, bool least)
{
	bool all = true;

	for (unsigned v = 0; v < orders_of(border, dim)->count; v++)
		all &= least ? value_leq(border, dim, value, v) : value_leq(border, dim, v, value);
	return all;
}

/* seq_cst of scope work_group. */
static bool is_narrow(const struct border *border, unsigned dim, unsigned value)
{
	return orders_of(border, dim)->order[value] == OCLMM_ORDER_SEQ_CST &&
	       item_of(border, dim)->scope == OCLMM_SCOPE_WORK_GROUP;
}

static bool has_classes(unsigned model)
{
	return model == OCLMM_MODEL_OPENCL_2_0 || model == OCLMM_MODEL_CONSENSUS;
}

static unsigned class_of(const struct border *border, unsigned model, const struct element *element)
{
	for (unsigned d = 0; has_classes(model) && d < border->dims; d++) {
		if (is_narrow(border, d, element->value[d]))
			return 1;
	}
	return 0;
}

static void add(struct border *border, unsigned model, unsigned part, bool forbidden,
                struct element element)
{
	struct elements *elements = forbidden ? &border->least[model][part]
	                                      : &border->greatest[model][part];

	element.rest = (uint8_t)border->dims;
	while (element.rest > 0 &&
	       is_end(border, element.rest - 1u, element.value[element.rest - 1], forbidden))
		element.rest--;
	oclmm_grow(&elements->elements, &elements->capacity, elements->count,
	           sizeof(*elements->elements));
	elements->elements[elements->count++] = element;
}

static void to_decoration(const struct border *border, const struct element *element,
                          struct decoration *ret_decoration)
{
	*ret_decoration = *border->cell;
	for (unsigned d = 0; d < border->dims; d++)
		ret_decoration->item[border->item[d]].order =
			orders_of(border, d)->order[element->value[d]];
}

static int ask(const struct border *border, const struct element *element)
{
	struct decoration decoration;

	to_decoration(border, element, &decoration);
	return space_ask(border->space, &decoration);
}

/* ---- what is not known ---- */

/* Whether `a`, or what is beyond it, decides all that begins with `now` up to `dim`. */
static bool decides(const struct border *border, const struct element *a, unsigned dim, bool above)
{
	bool beyond = a->rest <= dim;

	for (unsigned d = 0; beyond && d < dim; d++)
		beyond = above ? value_leq(border, d, a->value[d], border->now.value[d])
		               : value_leq(border, d, border->now.value[d], a->value[d]);
	return beyond;
}

static bool is_decided(const struct border *border, unsigned dim)
{
	const struct elements *least = &border->least[border->model][border->part];
	const struct elements *greatest = &border->greatest[border->model][border->part];

	for (size_t i = 0; i < least->count; i++) {
		if (decides(border, &least->elements[i], dim, true))
			return true;
	}
	for (size_t i = 0; i < greatest->count; i++) {
		if (decides(border, &greatest->elements[i], dim, false))
			return true;
	}
	return false;
}

static bool find_open(struct border *border, unsigned dim)
{
	bool classes = has_classes(border->model);

	if (is_decided(border, dim))
		return false;
	if (dim == border->dims)
		return class_of(border, border->model, &border->now) == border->part;
	for (unsigned v = orders_of(border, dim)->count; v-- > 0;) {
		if (classes && border->part == 0 && is_narrow(border, dim, v))
			continue;
		border->now.value[dim] = (uint8_t)v;
		if (find_open(border, dim + 1))
			return true;
	}
	return false;
}

/* ---- walking to the border ---- */

/* One order up or down that keeps the part and the answer; 1: moved, 0: none, negative: error. */
static int move(struct border *border, struct element *at, bool down)
{
	for (unsigned d = 0; d < border->dims; d++) {
		for (unsigned v = 0; v < orders_of(border, d)->count; v++) {
			struct element to = *at;
			int models;

			if (v == at->value[d] || !(down ? value_leq(border, d, v, at->value[d])
			                                : value_leq(border, d, at->value[d], v)))
				continue;
			to.value[d] = (uint8_t)v;
			if (class_of(border, border->model, &to) != border->part)
				continue;
			models = ask(border, &to);
			if (models < 0)
				return models;
			if (((unsigned)models >> border->model & 1) == (unsigned)down) {
				*at = to;
				return 1;
			}
		}
	}
	return 0;
}

/* What an answer says under the other models. */
static void learn(struct border *border, const struct element *element, unsigned models)
{
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		unsigned part = class_of(border, m, element);

		if (m == border->model || !(OCLMM_TIGHT_MODELS & 1u << m))
			continue;
		add(border, m, part, models & 1u << m, *element);
	}
}

static int settle(struct border *border)
{
	struct element at = border->now;
	int models = ask(border, &at), r = 1;
	bool forbidden;

	if (models < 0)
		return models;
	learn(border, &at, (unsigned)models);
	forbidden = (unsigned)models >> border->model & 1;
	while (r > 0)
		r = move(border, &at, forbidden);
	if (r < 0)
		return r;
	add(border, border->model, border->part, forbidden, at);
	return 0;
}

/* ---- the whole ---- */

static int search(struct border *border)
{
	int r = 0;

	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		for (unsigned part = 0; part < (has_classes(m) ? 2u : 1u); part++) {
			border->model = m;
			border->part = part;
			while (r == 0 && (OCLMM_TIGHT_MODELS & 1u << m) && find_open(border, 0))
				r = settle(border);
		}
	}
	return r;
}

static int give(struct border *border, int (*each)(void *data, const struct decoration *decoration),
                void *data)
{
	int r = 0;

	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		for (unsigned part = 0; part < CLASSES; part++) {
			const struct elements *least = &border->least[m][part];

			for (size_t i = 0; r == 0 && i < least->count; i++) {
				struct decoration decoration;

				to_decoration(border, &least->elements[i], &decoration);
				r = each(data, &decoration);
			}
		}
	}
	return r;
}

int border_search(struct oclmm_tight_space *space, const struct decoration *cell,
                  int (*each)(void *data, const struct decoration *decoration), void *data)
{
	struct border *border = oclmm_calloc(1, sizeof(*border));
	int r;

	border->space = space;
	border->cell = cell;
	for (unsigned i = 0; i < space->items; i++) {
		if (cell->item[i].present)
			border->item[border->dims++] = i;
	}
	find_above(border);
	r = search(border);
	if (r == 0)
		r = give(border, each, data);
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		for (unsigned part = 0; part < CLASSES; part++) {
			free(border->least[m][part].elements);
			free(border->greatest[m][part].elements);
		}
	}
	free(border);
	return r;
}
