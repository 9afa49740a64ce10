// SPDX-License-Identifier: Apache-2.0
/*
 * Where the names of arrows stand: beside their own line, clear of events, of
 * other words and of all lines. Places are tried along the line from a
 * favourite on, first with much room around, then with less.
 */
#include <stdlib.h>

#include "layout.h"

enum { STEPS = 48, LINE_HALF = 2 * PX, OWN_ROOM = 5 * PX / 2, PLACINGS = 8 };

/* How much room a name wants. */
struct demand {
	int room;    /* to lines and words of others */
	int borders; /* to the borders of boxes */
	bool lines;  /* to lines at all */
	bool last;   /* only when widening has not helped */
};

static struct box grown(struct box b, int by)
{
	return (struct box){b.left - by, b.top - by, b.right + by, b.bottom + by};
}

static bool overlap(const struct box *a, const struct box *b)
{
	return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static bool within(const struct box *outer, const struct box *b)
{
	return b->left >= outer->left && b->right <= outer->right && b->top >= outer->top &&
	       b->bottom <= outer->bottom;
}

/* On which side of the line through p and q a point lies. */
static int side_of(struct point p, struct point q, int x, int y)
{
	int64_t cross = (int64_t)(q.x - p.x) * (y - p.y) - (int64_t)(q.y - p.y) * (x - p.x);

	return (cross > 0) - (cross < 0);
}

static bool crosses(struct point p, struct point q, const struct box *b)
{
	int sides;

	if ((p.x < b->left && q.x < b->left) || (p.x > b->right && q.x > b->right) ||
	    (p.y < b->top && q.y < b->top) || (p.y > b->bottom && q.y > b->bottom))
		return false;
	sides = side_of(p, q, b->left, b->top) + side_of(p, q, b->right, b->top) +
	        side_of(p, q, b->left, b->bottom) + side_of(p, q, b->right, b->bottom);
	return abs(sides) < 4;
}

static bool line_crosses(const struct route *r, const struct box *b)
{
	for (unsigned i = 0; i + 1 < r->point_count; i++)
		if (crosses(r->points[i], r->points[i + 1], b))
			return true;
	return false;
}

/* The heads of an arrow: two at a race. */
static bool head_touches(const struct route *r, const struct box *b)
{
	const struct point *tip = &r->points[r->point_count - 1];
	int reach = head_length(r->arrow), half = head_half_width(r->arrow);
	struct box wide = {b->left - half, b->top - half, b->right + half, b->bottom + half};
	struct point ends[2] = {r->points[r->point_count - 2], *tip};

	/* the last step is straight, and at least as long as the head */
	if (ends[0].x < tip->x - reach)
		ends[0].x = tip->x - reach;
	if (ends[0].x > tip->x + reach)
		ends[0].x = tip->x + reach;
	if (ends[0].y < tip->y - reach)
		ends[0].y = tip->y - reach;
	if (crosses(ends[0], ends[1], &wide))
		return true;
	return r->arrow->look == KIND_RACE && crosses(r->points[0], r->points[1], &wide);
}

static bool border_crosses(const struct box *border, const struct box *b)
{
	return !box_is_empty(border) && overlap(border, b) && !within(border, b);
}

/* ---- is a place free? ------------------------------------------------------------- */

static bool hits_words(const struct layout *l, const struct box *b)
{
	for (unsigned i = 0; i < l->graph.x->count; i++)
		if (l->graph.shown & BIT(i) && overlap(&l->node[i], b))
			return true;
	for (unsigned c = 0; c < l->graph.column_count; c++)
		if (overlap(&l->thread_name[c], b) ||
		    (!box_is_empty(&l->group[c]) && overlap(&l->group_name[c], b)) ||
		    (!box_is_empty(&l->device[c]) && overlap(&l->device_name[c], b)))
			return true;
	for (size_t i = 0; i < l->graph.arrow_count; i++)
		if (l->routes[i].labelled && overlap(&l->routes[i].label, b))
			return true;
	return false;
}

static bool hits_borders(const struct layout *l, const struct box *b)
{
	for (unsigned c = 0; c < l->graph.column_count; c++)
		if (border_crosses(&l->group[c], b) || border_crosses(&l->device[c], b))
			return true;
	return false;
}

static bool hits_lines(const struct layout *l, const struct route *own, const struct box *b,
                       const struct box *wide)
{
	for (size_t i = 0; i < l->graph.arrow_count; i++) {
		const struct route *r = &l->routes[i];

		if (line_crosses(r, r == own ? b : wide) || head_touches(r, r == own ? b : wide))
			return true;
	}
	return false;
}

static bool is_free(const struct layout *l, const struct route *own, struct box label,
                    const struct demand *demand)
{
	struct box near = grown(label, OWN_ROOM), wide = grown(label, demand->room + LINE_HALF);
	struct box words = grown(label, demand->room), inside = grown(label, demand->borders);

	return within(&l->field, &label) && !hits_words(l, &words) && !hits_borders(l, &inside) &&
	       !(demand->lines && hits_lines(l, own, &near, &wide));
}

/* ---- places -------------------------------------------------------------------------- */

/* The point after so many of STEPS steps along the line, by the way along both axes. */
static struct point on_line(const struct route *r, int step)
{
	int64_t length = 0, wanted;
	unsigned i;

	for (i = 0; i + 1 < r->point_count; i++)
		length += abs(r->points[i + 1].x - r->points[i].x) +
		          abs(r->points[i + 1].y - r->points[i].y);
	wanted = length * step / STEPS;
	for (i = 0; i + 1 < r->point_count; i++) {
		struct point p = r->points[i], q = r->points[i + 1];
		int64_t part = abs(q.x - p.x) + abs(q.y - p.y);

		if (part > 0 && wanted <= part)
			return (struct point){p.x + (int)((q.x - p.x) * wanted / part),
			                      p.y + (int)((q.y - p.y) * wanted / part)};
		wanted -= part;
	}
	return r->points[i];
}

/* From a point of the line to the middle of a name beside it, in halves of the name. */
static const struct {
	int x, y;
} placings[PLACINGS] = {{0, -1}, {1, -1}, {-1, -1}, {0, 1}, {1, 1}, {-1, 1}, {1, 0}, {-1, 0}};

static struct box placed(struct point at, int width, unsigned k)
{
	int off = placings[k].x && placings[k].y ? 35 * PX / 10 : 45 * PX / 10;
	int height = text_ascent(EDGE_FONT) + text_descent(EDGE_FONT);
	int x = at.x + placings[k].x * (width / 2 + off) - width / 2;
	int y = at.y + placings[k].y * (height / 2 + off) - height / 2;

	return (struct box){x, y, x + width, y + height};
}

/* Near the tail, where arrows have not crossed yet; at a short straight one, in the middle. */
static int favourite(const struct layout *l, const struct route *r)
{
	if (r->way == WAY_ACROSS)
		return r->arrow->look == KIND_RACE ? STEPS / 2 : STEPS / 4;
	return graph_is_initial(&l->graph, r->arrow->from) ? STEPS / 3 : STEPS / 2;
}

static bool try_place(const struct layout *l, struct route *r, int width, int step,
                      const struct demand *demand)
{
	struct point at = on_line(r, step);

	for (unsigned k = 0; k < PLACINGS; k++) {
		/* beside what stands upright, first to the sides */
		unsigned placing = r->way == WAY_ACROSS ? k : (k + 6) % PLACINGS;
		struct box box = placed(at, width, placing);

		if (!is_free(l, r, box, demand))
			continue;
		r->label = box;
		r->label_side = placings[placing].x;
		r->labelled = true;
		return true;
	}
	return false;
}

static bool find_place(const struct layout *l, struct route *r, int width,
                       const struct demand *demand)
{
	int start = favourite(l, r);

	for (int off = 0; off < STEPS; off++) {
		if (start + off < STEPS && try_place(l, r, width, start + off, demand))
			return true;
		if (off && start - off > 0 && try_place(l, r, width, start - off, demand))
			return true;
	}
	return false;
}

/* ---- when there is none ------------------------------------------------------------------ */

/* Wider gaps and passages wherever the arrow comes by. */
static void widen(struct layout *l, const struct route *r)
{
	unsigned from = l->graph.column[r->arrow->from], to = l->graph.column[r->arrow->to];
	unsigned first = l->graph.row[r->arrow->from], last = l->graph.row[r->arrow->to];

	if (r->way == WAY_ACROSS)
		for (unsigned c = from < to ? from : to; c < (from < to ? to : from); c++)
			l->more_gap[c + 1] += 12 * PX;
	if (r->way == WAY_ACROSS && l->more_port[first] < 16 * PX)
		l->more_port[first] += 2 * PX;
	if (r->way == WAY_ACROSS && l->more_port[last] < 16 * PX && first != last)
		l->more_port[last] += 2 * PX;
	if (graph_is_initial(&l->graph, r->arrow->from))
		l->more_top += 8 * PX;
	for (unsigned p = first < last ? first : last; p < (first < last ? last : first); p++)
		l->more_passage[p] += p ? 6 * PX : 0;
}

static bool place_label(struct layout *l, struct route *r, bool last)
{
	static const struct demand demands[] = {{9 * PX, 9 * PX, true, false},
	                                        {6 * PX, 6 * PX, true, false},
	                                        {5 * PX, 2 * PX, true, false},
	                                        {PX, PX, true, true},
	                                        {PX, PX, false, true}};
	int width = label_width(r->arrow);

	for (size_t i = 0; i < OCLMM_COUNT(demands); i++)
		if ((last || !demands[i].last) && find_place(l, r, width, &demands[i]))
			return true;
	return false;
}

bool layout_labels(struct layout *l, bool last)
{
	bool all = true;

	for (size_t i = 0; i < l->graph.arrow_count; i++)
		l->routes[i].labelled = false;
	for (int bold = 1; bold >= 0; bold--) {
		for (size_t i = 0; i < l->graph.arrow_count; i++) {
			struct route *r = &l->routes[i];

			if (r->arrow->bold != bold || place_label(l, r, last))
				continue;
			widen(l, r);
			all = false;
		}
	}
	return all;
}
