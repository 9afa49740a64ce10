// SPDX-License-Identifier: Apache-2.0
/*
 * Which way each arrow takes, and in which order arrows lie beside each other.
 * Places are told in half rows: row r is 2r, the passage under it 2r + 1, and
 * the initial writes stand above all.
 */
#include <stdlib.h>

#include "layout.h"

enum { FAR_UP = -1000, FAR_DOWN = 1000 };

static unsigned column_of(const struct layout *l, const struct route *r, unsigned end)
{
	return l->graph.column[end ? r->arrow->to : r->arrow->from];
}

static unsigned row_of(const struct layout *l, const struct route *r, unsigned end)
{
	return l->graph.row[end ? r->arrow->to : r->arrow->from];
}

static unsigned distance(unsigned a, unsigned b)
{
	return a > b ? a - b : b - a;
}

enum side route_side(const struct layout *l, const struct route *r, unsigned end)
{
	if (r->way == WAY_LANE)
		return r->side;
	return (column_of(l, r, 0) < column_of(l, r, 1)) == (end == 0) ? EAST : WEST;
}

static void choose_way(const struct layout *l, struct route *r)
{
	unsigned to = column_of(l, r, 1);

	if (!graph_is_initial(&l->graph, r->arrow->from)) {
		if (column_of(l, r, 0) != to) {
			r->way = WAY_ACROSS;
			r->tracked = distance(column_of(l, r, 0), to) > 1;
			return;
		}
		if (row_of(l, r, 0) + 1 == row_of(l, r, 1)) {
			r->way = WAY_DOWN;
			return;
		}
	}
	r->way = WAY_LANE;
	r->column = to;
}

/* ---- lanes ------------------------------------------------------------------------ */

/* How much goes on at a side of a column. */
static unsigned load(const struct layout *l, unsigned column, enum side side)
{
	unsigned count = l->lanes[column][side];

	for (size_t i = 0; i < l->graph.arrow_count; i++)
		for (unsigned end = 0; end < 2; end++)
			count += l->routes[i].way == WAY_ACROSS &&
			         column_of(l, &l->routes[i], end) == column &&
			         route_side(l, &l->routes[i], end) == side;
	return count;
}

/* The rows that a lane runs along; one from an initial write comes from above all. */
static unsigned lane_top(const struct layout *l, const struct route *r)
{
	unsigned a = row_of(l, r, 0), b = row_of(l, r, 1);

	return a < b ? a : b;
}

static unsigned lane_bottom(const struct layout *l, const struct route *r)
{
	unsigned a = row_of(l, r, 0), b = row_of(l, r, 1);

	return a < b ? b : a;
}

static unsigned lane_span(const struct layout *l, const struct route *r)
{
	return lane_bottom(l, r) - lane_top(l, r) + (lane_top(l, r) == 0 ? OCLMM_MAX_EVENTS : 0);
}

/* The first lane beside no other arrow's; the shorter ones, which come first, lie within. */
static void take_lane(struct layout *l, struct route *r, size_t done, struct route *const *order)
{
	r->side = load(l, r->column, EAST) < load(l, r->column, WEST) ? EAST : WEST;
	if (r->column + 1 == l->graph.column_count &&
	    load(l, r->column, EAST) == load(l, r->column, WEST))
		r->side = EAST;
	r->lane = 0;
	for (size_t i = 0; i < done; i++) {
		const struct route *other = order[i];

		if (other->column == r->column && other->side == r->side &&
		    other->lane >= r->lane && lane_top(l, other) <= lane_bottom(l, r) &&
		    lane_top(l, r) <= lane_bottom(l, other))
			r->lane = other->lane + 1;
	}
	if (r->lane >= l->lanes[r->column][r->side])
		l->lanes[r->column][r->side] = r->lane + 1;
}

static int compare_spans(const void *a, const void *b, void *data)
{
	const struct route *const *x = a, *const *y = b;
	unsigned i = lane_span(data, *x), k = lane_span(data, *y);

	if (i != k)
		return i < k ? -1 : 1;
	return *x < *y ? -1 : 1;
}

static void take_lanes(struct layout *l)
{
	struct route **order = oclmm_calloc(l->graph.arrow_count + 1, sizeof(struct route *));
	size_t count = 0;

	for (size_t i = 0; i < l->graph.arrow_count; i++)
		if (l->routes[i].way == WAY_LANE)
			order[count++] = &l->routes[i];
	qsort_r(order, count, sizeof(*order), compare_spans, l);
	for (size_t i = 0; i < count; i++)
		take_lane(l, order[i], i, order);
	free(order);
}

/* ---- passages ------------------------------------------------------------------------ */

/* The passage nearest to both ends, and of two the emptier one. */
static void take_passage(struct layout *l, struct route *r)
{
	unsigned best = 0, wanted = row_of(l, r, 0) + row_of(l, r, 1);
	unsigned least = FAR_DOWN;

	for (unsigned p = 0; p <= l->graph.rows; p++) {
		unsigned cost = 2 * distance(2 * p + 1, wanted) + l->tracks[p];

		if (cost < least) {
			least = cost;
			best = p;
		}
	}
	r->passage = best;
	r->track = l->tracks[best]++;
}

/* ---- ports ------------------------------------------------------------------------------ */

/* An end of an arrow at an event. */
struct ending {
	struct route *route;
	unsigned end;
	int key; /* where it leads to, from above */
};

/* Of arrows along lanes, the longer ones turn off further from the node, and outside. */
static int lane_key(const struct layout *l, const struct route *r, unsigned end)
{
	unsigned here = row_of(l, r, end), there = row_of(l, r, !end);

	return there < here ? FAR_UP + (int)lane_span(l, r) : FAR_DOWN - (int)lane_span(l, r);
}

static int ending_key(const struct layout *l, const struct route *r, unsigned end)
{
	if (r->way == WAY_LANE)
		return lane_key(l, r, end);
	return r->tracked ? (int)(2 * r->passage + 1) : (int)(2 * row_of(l, r, !end));
}

static int compare_endings(const void *a, const void *b)
{
	const struct ending *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->route != y->route)
		return x->route < y->route ? -1 : 1;
	return (int)x->end - (int)y->end;
}

static void take_ports(struct layout *l, unsigned event, enum side side)
{
	struct ending *endings = oclmm_calloc(2 * l->graph.arrow_count + 1, sizeof(*endings));
	unsigned count = 0;

	for (size_t i = 0; i < l->graph.arrow_count; i++) {
		struct route *r = &l->routes[i];

		for (unsigned end = 0; end < 2; end++) {
			unsigned here = end ? r->arrow->to : r->arrow->from;

			if (here == event && r->way != WAY_DOWN && route_side(l, r, end) == side)
				endings[count++] = (struct ending){r, end, ending_key(l, r, end)};
		}
	}
	qsort(endings, count, sizeof(*endings), compare_endings);
	for (unsigned i = 0; i < count; i++)
		endings[i].route->port[endings[i].end] = i;
	l->ports[event].count[side] = count;
	free(endings);
}

/* From left to right as the lanes lie that the arrows lead to. */
static int lane_place(const struct route *r)
{
	int out = (int)r->lane + 1;

	return (int)r->column * 1000 + (r->side == EAST ? 500 + out : -out);
}

static void take_ports_below(struct layout *l, unsigned event)
{
	for (size_t i = 0; i < l->graph.arrow_count; i++) {
		struct route *r = &l->routes[i];

		if (r->arrow->from != event)
			continue;
		l->ports[event].below++;
		r->port[0] = 0;
		for (size_t k = 0; k < l->graph.arrow_count; k++)
			if (l->routes[k].arrow->from == event &&
			    lane_place(&l->routes[k]) < lane_place(r))
				r->port[0]++;
	}
}

void layout_arrange(struct layout *l)
{
	for (size_t i = 0; i < l->graph.arrow_count; i++)
		choose_way(l, &l->routes[i]);
	take_lanes(l);
	for (size_t i = 0; i < l->graph.arrow_count; i++)
		if (l->routes[i].tracked)
			take_passage(l, &l->routes[i]);
	for (unsigned event = 0; event < l->graph.x->count; event++) {
		if (graph_is_initial(&l->graph, event)) {
			take_ports_below(l, event);
			continue;
		}
		take_ports(l, event, WEST);
		take_ports(l, event, EAST);
	}
}
