// SPDX-License-Identifier: Apache-2.0
#include "paint.h"

#include <stdlib.h>

void paint_length(struct oclmm_text *text, int tenths)
{
	oclmm_text_printf(text, "%s%d", tenths < 0 ? "-" : "", abs(tenths) / PX);
	if (tenths % PX)
		oclmm_text_printf(text, ".%d", abs(tenths) % PX);
}

void paint_attribute(struct oclmm_text *text, const char *name, int tenths)
{
	oclmm_text_printf(text, " %s=\"", name);
	paint_length(text, tenths);
	oclmm_text_add(text, "\"");
}

static void add_point(struct oclmm_text *text, const char *before, struct point p)
{
	oclmm_text_add(text, before);
	paint_length(text, p.x);
	oclmm_text_add(text, " ");
	paint_length(text, p.y);
}

/* ---- heads -------------------------------------------------------------------- */

/* A point so far behind the tip, and so far aside. Heads lie level or upright. */
struct direction {
	int x, y;
};

static struct direction direction(struct point from, struct point to)
{
	return (struct direction){(to.x > from.x) - (to.x < from.x),
	                          (to.y > from.y) - (to.y < from.y)};
}

static struct point behind(struct point tip, struct direction d, int back, int aside)
{
	return (struct point){tip.x - d.x * back + d.y * aside, tip.y - d.y * back - d.x * aside};
}

static void add_shape(struct oclmm_text *text, const struct point *points, unsigned count,
                      const char *how)
{
	oclmm_text_add(text, "<path d=\"");
	for (unsigned i = 0; i < count; i++)
		add_point(text, i ? "L" : "M", points[i]);
	oclmm_text_printf(text, "%s/>\n", how);
}

static void add_disc(struct oclmm_text *text, struct point centre, int radius)
{
	oclmm_text_add(text, "<circle");
	paint_attribute(text, "cx", centre.x);
	paint_attribute(text, "cy", centre.y);
	paint_attribute(text, "r", radius);
	oclmm_text_add(text, " fill=\"currentColor\"/>\n");
}

static void add_head(struct oclmm_text *text, const struct arrow *a, struct point tip,
                     struct direction d)
{
	int length = head_length(a), half = head_half_width(a);
	struct point left = behind(tip, d, length, half), right = behind(tip, d, length, -half);
	const char *full = "Z\" fill=\"currentColor\"";

	switch (kind_look(a->look)->head) {
	case HEAD_FULL: add_shape(text, (struct point[]){left, tip, right}, 3, full); break;
	case HEAD_HOLLOW:
		add_shape(text, (struct point[]){left, tip, right}, 3,
		          "Z\" class=\"paper\" fill=\"" PAPER
		          "\" stroke=\"currentColor\" stroke-width=\"1.3\"");
		break;
	case HEAD_OPEN:
		add_shape(text, (struct point[]){left, tip, right}, 3,
		          "\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\"");
		break;
	case HEAD_DIAMOND:
		add_shape(text,
		          (struct point[]){tip, behind(tip, d, length / 2, half),
		                           behind(tip, d, length, 0),
		                           behind(tip, d, length / 2, -half)},
		          4, full);
		break;
	case HEAD_DISC: add_disc(text, behind(tip, d, length / 2, 0), half); break;
	case HEAD_BOX:
		add_shape(text,
		          (struct point[]){behind(tip, d, 0, half), left, right,
		                           behind(tip, d, 0, -half)},
		          4, full);
		break;
	}
}

/* ---- lines ---------------------------------------------------------------------- */

/* The tail is cut by a head there, the tip by the other, unless that is open. */
static void add_path(struct oclmm_text *text, const struct route *r)
{
	const struct look *look = kind_look(r->arrow->look);
	struct direction d = direction(r->points[r->point_count - 2],
	                               r->points[r->point_count - 1]);
	int cut = look->head == HEAD_OPEN ? 0 : head_length(r->arrow);

	add_point(text, "M", r->start);
	for (unsigned i = 0; i < r->piece_count; i++) {
		const struct piece *p = &r->pieces[i];

		if (p->curved) {
			add_point(text, "C", p->a);
			add_point(text, " ", p->b);
		}
		add_point(text, p->curved ? " " : "L",
		          i + 1 < r->piece_count ? p->to : behind(p->to, d, cut, 0));
	}
}

static void add_line(struct oclmm_text *text, const struct route *r, const char *colour, int width)
{
	const char *dashes = kind_look(r->arrow->look)->dashes;

	oclmm_text_add(text, "<path d=\"");
	add_path(text, r);
	oclmm_text_printf(text, "\" fill=\"none\" %s", colour);
	paint_attribute(text, "stroke-width", width);
	if (dashes)
		oclmm_text_printf(text, " stroke-dasharray=\"%s\"", dashes);
	oclmm_text_add(text, "/>\n");
}

void paint_arrow(struct oclmm_text *text, const struct route *r)
{
	const struct look *look = kind_look(r->arrow->look);
	unsigned last = r->point_count - 1;
	bool bold = r->arrow->bold;

	if (look->doubled) {
		add_line(text, r, "stroke=\"currentColor\"", bold ? 54 : 36);
		add_line(text, r, "class=\"between\" stroke=\"" PAPER "\"", bold ? 18 : 14);
	} else {
		add_line(text, r, "stroke=\"currentColor\"", bold ? 30 : 13);
	}
	add_head(text, r->arrow, r->points[last], direction(r->points[last - 1], r->points[last]));
	if (look->head == HEAD_BOX)
		add_head(text, r->arrow, r->start, direction(r->points[1], r->start));
}

void paint_sample(struct oclmm_text *text, unsigned kind, struct point from, int length)
{
	struct point to = {from.x + length, from.y};
	const struct arrow arrow = {.look = kind, .bold = kind == KIND_RACE};
	struct route route = {
		.arrow = &arrow,
		.start = from,
		.pieces = {{.to = to}},
		.piece_count = 1,
		.points = {from, to},
		.point_count = 2,
	};

	paint_arrow(text, &route);
}
