// SPDX-License-Identifier: Apache-2.0
/* The lines of arrows, from the border of one event to the border of the other. */
#include "layout.h"

enum { CORNER = 7 * PX };

static struct point last_point(const struct route *r)
{
	return r->piece_count ? r->pieces[r->piece_count - 1].to : r->start;
}

static void straight_to(struct route *r, int x, int y)
{
	struct point from = last_point(r);

	if (from.x != x || from.y != y)
		r->pieces[r->piece_count++] = (struct piece){.to = {x, y}};
}

static void curve_to(struct route *r, struct point a, struct point b, struct point to)
{
	r->pieces[r->piece_count++] = (struct piece){true, a, b, to};
}

/* Begins and ends level. */
static void wave_to(struct route *r, int x, int y)
{
	struct point from = last_point(r);
	int reach = (x - from.x) * 2 / 5;

	if (from.y == y)
		straight_to(r, x, y);
	else
		curve_to(r, (struct point){from.x + reach, from.y}, (struct point){x - reach, y},
		         (struct point){x, y});
}

/* Begins and ends upright. */
static void fall_to(struct route *r, int x, int y)
{
	struct point from = last_point(r);
	int reach = (y - from.y) / 2;

	if (from.x == x)
		straight_to(r, x, y);
	else
		curve_to(r, (struct point){from.x, from.y + reach}, (struct point){x, y - reach},
		         (struct point){x, y});
}

/* A quarter turn about the corner point. */
static void turn_to(struct route *r, struct point corner, struct point to)
{
	struct point from = last_point(r);

	curve_to(r, (struct point){(from.x + corner.x) / 2, (from.y + corner.y) / 2},
	         (struct point){(to.x + corner.x) / 2, (to.y + corner.y) / 2}, to);
}

static void draw_down(const struct layout *l, struct route *r)
{
	const struct box *from = &l->node[r->arrow->from], *to = &l->node[r->arrow->to];

	r->start = (struct point){box_middle_x(from), from->bottom};
	straight_to(r, box_middle_x(to), to->top);
}

/* Where the only arrow from an initial write begins: over its lane, if that is under the write. */
static int only_port_x(const struct layout *l, const struct route *r, int lane)
{
	const struct box *node = &l->node[r->arrow->from];

	if (l->ports[r->arrow->from].below > 1 || lane < node->left + CORNER ||
	    lane > node->right - CORNER)
		return r->start.x;
	return lane;
}

/* Out to the lane, along it and back in; from an initial write, down to it. */
static void draw_lane(const struct layout *l, struct route *r)
{
	struct point from = layout_port(l, r->arrow->from, r->side, r->port[0]);
	struct point to = layout_port(l, r->arrow->to, r->side, r->port[1]);
	int x = layout_lane_x(l, r), in = r->side == EAST ? -CORNER : CORNER;
	int on = from.y < to.y ? CORNER : -CORNER;

	r->start = from;
	if (graph_is_initial(&l->graph, r->arrow->from)) {
		r->start.x = only_port_x(l, r, x);
		fall_to(r, x, l->column[r->column].top);
	} else {
		straight_to(r, x + in, from.y);
		turn_to(r, (struct point){x, from.y}, (struct point){x, from.y + on});
	}
	straight_to(r, x, to.y - on);
	turn_to(r, (struct point){x, to.y}, (struct point){x + in, to.y});
	straight_to(r, to.x, to.y);
}

static void draw_across(const struct layout *l, struct route *r)
{
	enum side out = route_side(l, r, 0), in = route_side(l, r, 1);
	struct point from = layout_port(l, r->arrow->from, out, r->port[0]);
	struct point to = layout_port(l, r->arrow->to, in, r->port[1]);
	int step = out == EAST ? 1 : -1, head = step * head_length(r->arrow);
	bool tail = r->arrow->look == KIND_RACE;

	r->start = from;
	if (tail)
		straight_to(r, from.x + head, from.y);
	if (r->tracked) {
		const struct box *first = &l->column[(int)l->graph.column[r->arrow->from] + step];
		const struct box *last = &l->column[(int)l->graph.column[r->arrow->to] - step];
		int y = layout_track_y(l, r);

		wave_to(r, out == EAST ? first->left : first->right, y);
		straight_to(r, out == EAST ? last->right : last->left, y);
	}
	/* the head lies level */
	wave_to(r, to.x - head, to.y);
	straight_to(r, to.x, to.y);
}

/* ---- as straight steps ---------------------------------------------------------- */

/* One coordinate of a cubic curve after i of CURVE_STEPS steps. */
static int on_curve(int a, int b, int c, int d, int i)
{
	int64_t t = i, s = CURVE_STEPS - i, n = CURVE_STEPS;

	return (int)((s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d) /
	             (n * n * n));
}

static void add_curve(struct route *r, struct point from, const struct piece *p)
{
	for (int i = 1; i <= CURVE_STEPS; i++)
		r->points[r->point_count++] =
			(struct point){on_curve(from.x, p->a.x, p->b.x, p->to.x, i),
		                       on_curve(from.y, p->a.y, p->b.y, p->to.y, i)};
}

static void flatten(struct route *r)
{
	r->points[0] = r->start;
	r->point_count = 1;
	for (unsigned i = 0; i < r->piece_count; i++) {
		const struct piece *p = &r->pieces[i];

		if (p->curved)
			add_curve(r, r->points[r->point_count - 1], p);
		else
			r->points[r->point_count++] = p->to;
	}
}

void layout_lines(struct layout *l)
{
	for (size_t i = 0; i < l->graph.arrow_count; i++) {
		struct route *r = &l->routes[i];

		r->piece_count = 0;
		switch (r->way) {
		case WAY_DOWN: draw_down(l, r); break;
		case WAY_LANE: draw_lane(l, r); break;
		case WAY_ACROSS: draw_across(l, r); break;
		}
		flatten(r);
	}
}
