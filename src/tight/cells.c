// SPDX-License-Identifier: Apache-2.0
/*
 * The cells of a form, from weak to strong: those with the same updates and scopes. What stands a
 * step above something forbidden is not tight, whatever the oracle says of it. So each cell is
 * searched only where no cell a step below, with fewer updates or narrower scopes, has shown that.
 * Nothing is concluded from one cell on what another forbids.
 */
#include <stdlib.h>

#include "internal.h"

struct range {
	uint32_t first, count;
};

/* What is known to be forbidden, cell after cell; other elements may be above it. */
struct history {
	struct elements known;
	struct range *ranges; /* by cell */
};

struct cells {
	struct oclmm_tight_space *space;
	struct border *border;
	struct history history[OCLMM_MODEL_COUNT][PARTS];
	struct elements excluded, seeds, found;
	int (*each)(void *data, const struct decoration *decoration);
	void *data;
};

enum oclmm_ordered cell_kind(const struct oclmm_tight_space *space, const struct cell *cell,
                             unsigned item)
{
	if (item >= space->accesses)
		return OCLMM_ORDERED_FENCE;
	if (cell->updates & 1u << item)
		return OCLMM_ORDERED_UPDATE;
	return space->writes[item] ? OCLMM_ORDERED_STORE : OCLMM_ORDERED_LOAD;
}

static struct range *range_of(const struct cells *cells, const struct history *history,
                              const struct cell *cell)
{
	return &history->ranges[cell->updates << cells->space->items | cell->scopes];
}

static void add_range(const struct cells *cells, const struct history *history,
                      const struct cell *cell, struct elements *elements)
{
	struct range range = *range_of(cells, history, cell);

	for (uint32_t i = 0; i < range.count; i++)
		elements_add(elements, &history->known.elements[range.first + i]);
}

/*
 * A step narrows any scopes. It may make a seq_cst operation narrow, so that from a part without
 * such operations nothing is to be said of what is above.
 */
static void exclude_by_scopes(struct cells *cells, const struct cell *cell, unsigned model)
{
	struct cell below = *cell;

	while (below.scopes) {
		below.scopes = (below.scopes - 1) & cell->scopes;
		for (unsigned part = 0; part < border_parts(model); part++) {
			if (part == PART_NARROW || border_parts(model) == 1)
				add_range(cells, &cells->history[model][part], &below,
				          &cells->excluded);
		}
	}
}

/* The order stays, as that of an update: all that become it or a stronger one are above it. */
static uint8_t order_of_update(bool writes, uint8_t value)
{
	enum oclmm_order order =
		oclmm_orders_of(writes ? OCLMM_ORDERED_STORE : OCLMM_ORDERED_LOAD)->order[value];
	uint8_t i = 0;

	while (oclmm_orders_of(OCLMM_ORDERED_UPDATE)->order[i] != order)
		i++;
	return i;
}

static void find_seeds(struct cells *cells, const struct cell *cell, const struct history *history)
{
	cells->seeds.count = 0;
	for (unsigned i = 0; i < cells->space->accesses; i++) {
		struct cell below = {.updates = cell->updates & ~(1u << i), .scopes = cell->scopes};
		size_t from = cells->seeds.count;

		if (below.updates == cell->updates)
			continue;
		add_range(cells, history, &below, &cells->seeds);
		for (size_t k = from; k < cells->seeds.count; k++) {
			uint8_t *value = &cells->seeds.elements[k].value[i];

			*value = order_of_update(cells->space->writes[i], *value);
		}
	}
}

static bool is_excluded(const struct cells *cells, const struct element *element)
{
	for (size_t i = 0; i < cells->excluded.count; i++) {
		if (elements_leq(&cells->excluded.elements[i], element))
			return true;
	}
	return false;
}

/* What an update makes of what is forbidden without it is asked for: more follow from it then. */
static int exclude_by_updates(struct cells *cells, const struct cell *cell, unsigned model,
                              struct history *history)
{
	find_seeds(cells, cell, history);
	for (size_t i = 0; i < cells->seeds.count; i++) {
		const struct element *seed = &cells->seeds.elements[i];
		int forbidden;

		if (is_excluded(cells, seed))
			continue;
		elements_add(&cells->excluded, seed);
		forbidden = border_ask(cells->border, cell, seed, model);
		if (forbidden < 0)
			return forbidden;
		if (forbidden)
			elements_add(&history->known, seed);
	}
	return 0;
}

static int give(struct cells *cells, const struct cell *cell)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < cells->found.count; i++) {
		struct decoration decoration;

		border_decoration(cells->border, cell, &cells->found.elements[i], &decoration);
		r = cells->each(cells->data, &decoration);
	}
	return r;
}

static int search_part(struct cells *cells, const struct cell *cell, unsigned model, unsigned part)
{
	struct history *history = &cells->history[model][part];
	size_t first = history->known.count;
	int r;

	cells->excluded.count = cells->found.count = 0;
	exclude_by_scopes(cells, cell, model);
	r = exclude_by_updates(cells, cell, model, history);
	if (r == 0)
		r = border_search(cells->border, cell, model, part, &cells->excluded,
		                  &cells->found);
	for (size_t i = 0; i < cells->found.count; i++)
		elements_add(&history->known, &cells->found.elements[i]);
	*range_of(cells, history,
	          cell) = (struct range){.first = (uint32_t)first,
	                                 .count = (uint32_t)(history->known.count - first)};
	return r == 0 ? give(cells, cell) : r;
}

static int search_cell(struct cells *cells, const struct cell *cell)
{
	int r = 0;

	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		for (unsigned part = 0; r == 0 && part < border_parts(m); part++) {
			if (OCLMM_TIGHT_MODELS & 1u << m)
				r = search_part(cells, cell, m, part);
		}
	}
	return r;
}

static int search_all(struct cells *cells)
{
	const struct oclmm_tight_space *space = cells->space;
	struct cell cell;
	int r = 0;

	/* in ascending order sets come behind their parts */
	for (cell.updates = 0;
	     r == 0 && cell.updates < (space->updates ? 1u << space->accesses : 1);
	     cell.updates++) {
		for (cell.scopes = 0; r == 0 && cell.scopes < 1u << space->items; cell.scopes++)
			r = search_cell(cells, &cell);
	}
	return r;
}

int cells_search(struct oclmm_tight_space *space,
                 int (*each)(void *data, const struct decoration *decoration), void *data)
{
	struct cells cells = {.space = space, .each = each, .data = data};
	size_t count = (size_t)1 << (space->items + (space->updates ? space->accesses : 0));
	int r;

	cells.border = border_create(space);
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		for (unsigned part = 0; part < PARTS; part++)
			cells.history[m][part].ranges = oclmm_calloc(count, sizeof(struct range));
	}
	r = search_all(&cells);
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		for (unsigned part = 0; part < PARTS; part++) {
			free(cells.history[m][part].ranges);
			free(cells.history[m][part].known.elements);
		}
	}
	free(cells.excluded.elements);
	free(cells.seeds.elements);
	free(cells.found.elements);
	border_destroy(cells.border);
	return r;
}
