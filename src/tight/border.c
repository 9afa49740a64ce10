// SPDX-License-Identifier: Apache-2.0
/*
 * Between what is forbidden and what is not, among decorations of one cell: those with the same
 * updates and scopes. Stronger orders, more fences and more flags forbid more. From answers so far
 * follow those for all that is above a forbidden one and below another. Regions of the rest are
 * taken apart, each below a strongest element: what is not above a forbidden one has to be weaker
 * than it in some item. A region ends where its strongest element is not forbidden.
 *
 * OpenCL 2.0 has the order S only if no seq_cst operation has scope work_group: there, and for
 * consensus, decorations with such an operation are compared among themselves only.
 */
#include <stdlib.h>

#include "internal.h"

struct border {
	struct oclmm_tight_space *space;
	struct choice kinds[OCLMM_ORDERED_COUNT][2]; /* all, and without the strongest order */
	const struct cell *cell;
	unsigned model, part;
	const struct choice *choices[MOST_ITEMS];
	struct elements least;    /* forbidden, or excluded: so is what is above */
	struct elements greatest; /* not forbidden: nor is what is below */
	struct elements *found;
};

/* ---- what an item may be --------------------------------------------------------- */

/* One value is at most as strong as another one if it has no other bits. */
static unsigned bits_of(const struct item *item)
{
	if (!item->present)
		return 0;
	return (unsigned)oclmm_order_leq(OCLMM_ORDER_ACQUIRE, item->order) |
	       (unsigned)oclmm_order_leq(OCLMM_ORDER_RELEASE, item->order) << 1 |
	       (unsigned)oclmm_order_leq(OCLMM_ORDER_SEQ_CST, item->order) << 2 | item->flags << 3;
}

static void add_value(struct choice *choice, struct item item)
{
	choice->allowed |= 1u << choice->count;
	choice->bits[choice->count] = bits_of(&item);
	choice->value[choice->count++] = item;
}

/* From weak to strong: no value stands behind one that is above it. */
static void fill_choice(struct choice *choice, enum oclmm_ordered kind, unsigned regions)
{
	bool fence = kind == OCLMM_ORDERED_FENCE;

	if (fence)
		add_value(choice, (struct item){.kind = kind});
	for (unsigned flags = 0; flags <= (fence ? regions : 0); flags++) {
		if (fence && (!flags || flags & ~regions))
			continue;
		for (unsigned i = 0; i < oclmm_orders_of(kind)->count; i++)
			add_value(choice, (struct item){.kind = kind,
			                                .present = true,
			                                .order = oclmm_orders_of(kind)->order[i],
			                                .flags = flags});
	}
	for (unsigned a = 0; a < choice->count; a++) {
		for (unsigned b = 0; b < choice->count; b++) {
			bool leq = !(choice->bits[a] & ~choice->bits[b]);

			choice->above[a] |= (unsigned)leq << b;
			choice->below[b] |= (unsigned)leq << a;
		}
	}
}

static bool is_seq_cst(const struct choice *choice, unsigned value)
{
	return choice->value[value].present && choice->value[value].order == OCLMM_ORDER_SEQ_CST;
}

struct border *border_create(struct oclmm_tight_space *space)
{
	struct border *border = oclmm_calloc(1, sizeof(*border));

	border->space = space;
	for (unsigned kind = 0; kind < OCLMM_ORDERED_COUNT; kind++) {
		struct choice *all = &border->kinds[kind][0], *few = &border->kinds[kind][1];

		fill_choice(all, kind, space->regions);
		*few = *all;
		for (unsigned v = 0; v < all->count; v++) {
			if (is_seq_cst(all, v))
				few->allowed &= ~(1u << v);
		}
	}
	return border;
}

void border_destroy(struct border *border)
{
	free(border->least.elements);
	free(border->greatest.elements);
	free(border);
}

/* ---- classes --------------------------------------------------------------------- */

unsigned border_parts(unsigned model)
{
	return model == OCLMM_MODEL_OPENCL_2_0 || model == OCLMM_MODEL_CONSENSUS ? PARTS : 1;
}

/* seq_cst of scope work_group. */
static bool is_narrow(const struct border *border, unsigned dim, unsigned value)
{
	return !(border->cell->scopes & 1u << dim) && is_seq_cst(border->choices[dim], value);
}

static bool is_of_part(const struct border *border, const struct element *element)
{
	if (border->part != PART_NARROW)
		return true; /* no other value is allowed */
	for (unsigned d = 0; d < border->space->items; d++) {
		if (is_narrow(border, d, element->value[d]))
			return true;
	}
	return false;
}

static void enter_cell(struct border *border, const struct cell *cell)
{
	const struct oclmm_tight_space *space = border->space;
	bool classes = border_parts(border->model) > 1;

	border->cell = cell;
	for (unsigned i = 0; i < space->items; i++) {
		enum oclmm_ordered kind = cell_kind(space, cell, i);
		bool wide = cell->scopes >> i & 1;

		border->choices[i] =
			&border->kinds[kind][classes && border->part != PART_NARROW && !wide];
	}
	border->least.count = border->greatest.count = 0;
}

/* ---- asking ---------------------------------------------------------------------- */

void border_decoration(const struct border *border, const struct cell *cell,
                       const struct element *element, struct decoration *ret_decoration)
{
	for (unsigned i = 0; i < border->space->items; i++) {
		enum oclmm_ordered kind = cell_kind(border->space, cell, i);
		struct item *item = &ret_decoration->item[i];

		*item = border->kinds[kind][0].value[element->value[i]];
		if (item->present)
			item->scope = cell->scopes >> i & 1 ? OCLMM_SCOPE_DEVICE
			                                    : OCLMM_SCOPE_WORK_GROUP;
	}
}

int border_ask(struct border *border, const struct cell *cell, const struct element *element,
               unsigned model)
{
	struct decoration decoration;
	int models;

	border_decoration(border, cell, element, &decoration);
	models = space_ask(border->space, &decoration);
	return models < 0 ? models : models >> model & 1;
}

/* ---- what is known ------------------------------------------------------------- */

void elements_add(struct elements *elements, const struct element *element)
{
	oclmm_grow(&elements->elements, &elements->capacity, elements->count,
	           sizeof(*elements->elements));
	elements->elements[elements->count++] = *element;
}

bool elements_leq(const struct element *a, const struct element *b)
{
	return !(a->bits & ~b->bits);
}

/* Keeps only what is above no other one: those above the element go. */
static void elements_add_least(struct elements *elements, const struct element *element)
{
	size_t kept = 0;

	for (size_t i = 0; i < elements->count; i++) {
		if (elements_leq(&elements->elements[i], element))
			return; /* none is above it that is not above this one, too */
	}
	for (size_t i = 0; i < elements->count; i++) {
		if (!elements_leq(element, &elements->elements[i]))
			elements->elements[kept++] = elements->elements[i];
	}
	elements->count = kept;
	elements_add(elements, element);
}

static void set_value(const struct border *border, struct element *element, unsigned item,
                      unsigned value)
{
	unsigned shift = ITEM_BITS * item;

	element->value[item] = (uint8_t)value;
	element->bits &= ~((((uint64_t)1 << ITEM_BITS) - 1) << shift);
	element->bits |= (uint64_t)border->choices[item]->bits[value] << shift;
}

static bool is_above_any(const struct border *border, const struct element *at)
{
	for (size_t i = 0; i < border->least.count; i++) {
		if (elements_leq(&border->least.elements[i], at))
			return true;
	}
	return false;
}

static bool is_below_any(const struct border *border, const struct element *at)
{
	for (size_t i = 0; i < border->greatest.count; i++) {
		if (elements_leq(at, &border->greatest.elements[i]))
			return true;
	}
	return false;
}

/* ---- the search ------------------------------------------------------------------ */

/*
 * Down to a least one, item by item: what cannot be weaker now cannot be when others are weaker
 * still. Of an item's values the first that is forbidden is a least one.
 */
static int descend(struct border *border, struct element *at)
{
	for (unsigned d = 0; d < border->space->items; d++) {
		const struct choice *choice = border->choices[d];
		unsigned from = at->value[d], below = choice->below[from] & choice->allowed;
		int forbidden = 0;

		for (unsigned v = 0; v < from && !forbidden; v++) {
			set_value(border, at, d, v);
			if (!(below >> v & 1) || !is_of_part(border, at))
				continue;
			forbidden = border_ask(border, border->cell, at, border->model);
			if (forbidden < 0)
				return forbidden;
		}
		if (!forbidden)
			set_value(border, at, d, from);
	}
	return 0;
}

/* As strong as may be without what is forbidden, so that it decides much. */
static void raise(const struct border *border, struct element *at)
{
	for (unsigned d = 0; d < border->space->items; d++) {
		const struct choice *choice = border->choices[d];
		unsigned from = at->value[d], above = choice->above[from] & choice->allowed;

		for (unsigned v = choice->count; v-- > from;) {
			set_value(border, at, d, v);
			if (above >> v & 1 && !is_above_any(border, at))
				break;
		}
	}
}

/* An element that nothing decides: the border runs through what it is above or below. */
static int settle(struct border *border, const struct element *open)
{
	struct element at = *open;
	int r;

	raise(border, &at);
	r = border_ask(border, border->cell, &at, border->model);
	if (r == 0) {
		elements_add(&border->greatest, &at);
		return 0;
	}
	if (r > 0)
		r = descend(border, &at);
	if (r < 0)
		return r;
	elements_add(&border->least, &at);
	elements_add(border->found, &at);
	return 0;
}

/* For each item what it may be; `top` is the strongest of it. */
struct region {
	struct element top;
	uint16_t values[MOST_ITEMS];
};

/* What an item may be in the region, and not as strong as in `least`. */
static unsigned weaker(const struct border *border, const struct region *region, unsigned dim,
                       const struct element *least)
{
	return region->values[dim] & ~border->choices[dim]->above[least->value[dim]];
}

/* A forbidden or excluded element below the top from which the fewest ways lead down. */
static const struct element *find_obstacle(const struct border *border, const struct region *region)
{
	const struct element *best = NULL;
	unsigned fewest = ~0u;

	for (size_t i = 0; fewest > 1 && i < border->least.count; i++) {
		const struct element *least = &border->least.elements[i];
		unsigned ways = 0;

		if (!elements_leq(least, &region->top))
			continue;
		for (unsigned d = 0; d < border->space->items; d++)
			ways += weaker(border, region, d, least) != 0;
		if (ways < fewest) {
			fewest = ways;
			best = least;
		}
	}
	return best;
}

static int walk(struct border *border, struct region region);

/* The regions that are weaker than an obstacle in one item, and in none before it. */
static int go_around(struct border *border, struct region *region, struct element obstacle)
{
	int r = 0;

	for (unsigned d = 0; r == 0 && d < border->space->items; d++) {
		const struct choice *choice = border->choices[d];
		unsigned left = weaker(border, region, d, &obstacle);

		for (unsigned v = choice->count; r == 0 && left && v-- > 0;) {
			struct region part = *region;

			if (!(left >> v & 1))
				continue;
			set_value(border, &part.top, d, v);
			part.values[d] = (uint16_t)(left & choice->below[v]);
			left &= ~choice->below[v];
			r = walk(border, part);
		}
		region->values[d] &= (uint16_t)choice->above[obstacle.value[d]];
	}
	return r;
}

static int walk(struct border *border, struct region region)
{
	const struct element *obstacle = NULL;
	int r = 0;

	while (r == 0 && !obstacle) {
		if (!is_of_part(border, &region.top) || is_below_any(border, &region.top))
			return 0;
		obstacle = find_obstacle(border, &region);
		if (!obstacle)
			r = settle(border, &region.top);
	}
	return r < 0 ? r : go_around(border, &region, *obstacle);
}

int border_search(struct border *border, const struct cell *cell, unsigned model, unsigned part,
                  const struct elements *excluded, struct elements *found)
{
	struct region all = {.top = {.bits = 0}};

	border->model = model;
	border->part = part;
	border->found = found;
	enter_cell(border, cell);
	for (unsigned d = 0; d < border->space->items; d++) {
		unsigned allowed = border->choices[d]->allowed;

		all.values[d] = (uint16_t)allowed;
		set_value(border, &all.top, d, 31u - (unsigned)__builtin_clz(allowed));
	}
	for (size_t i = 0; i < excluded->count; i++)
		elements_add_least(&border->least, &excluded->elements[i]);
	return walk(border, all);
}
