// SPDX-License-Identifier: Apache-2.0
/*
 * A layout as SVG. Colours are attributes, so that every reader of SVG has
 * them; those for dark paper are a style sheet, which overrides them.
 */
#include "oclmm/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "layout.h"

#define SANS "Helvetica, Arial, 'DejaVu Sans', sans-serif"
#define MONO "Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

/* The colours of what is no arrow. */
#define PAPER  "#ffffff"
#define INK    "#000000"
#define BORDER "#808080"
#define RACING "#f4d9d9"

/* A length in pixels: `12`, `7.5`. */
static void paint_length(struct oclmm_text *text, int tenths)
{
	oclmm_text_printf(text, "%s%d", tenths < 0 ? "-" : "", abs(tenths) / PX);
	if (tenths % PX)
		oclmm_text_printf(text, ".%d", abs(tenths) % PX);
}

/* ` name="length"` */
static void paint_attribute(struct oclmm_text *text, const char *name, int tenths)
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

	switch (oclmm_kind_look(a->look)->head) {
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

/* The tail is cut by a head there, the tip by the other, unless that is open. */
static void add_path(struct oclmm_text *text, const struct route *r)
{
	const struct look *look = oclmm_kind_look(r->arrow->look);
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

static void add_stroke(struct oclmm_text *text, const struct route *r, const char *colour,
                       int width)
{
	const char *dashes = oclmm_kind_look(r->arrow->look)->dashes;

	oclmm_text_add(text, "<path d=\"");
	add_path(text, r);
	oclmm_text_printf(text, "\" fill=\"none\" %s", colour);
	paint_attribute(text, "stroke-width", width);
	if (dashes)
		oclmm_text_printf(text, " stroke-dasharray=\"%s\"", dashes);
	oclmm_text_add(text, "/>\n");
}

/* Line and heads, in the colour that is current. */
static void paint_arrow(struct oclmm_text *text, const struct route *r)
{
	const struct look *look = oclmm_kind_look(r->arrow->look);
	unsigned last = r->point_count - 1;
	bool bold = r->arrow->bold;

	if (look->doubled) {
		add_stroke(text, r, "stroke=\"currentColor\"", bold ? 54 : 36);
		add_stroke(text, r, "class=\"between\" stroke=\"" PAPER "\"", bold ? 18 : 14);
	} else {
		add_stroke(text, r, "stroke=\"currentColor\"", bold ? 30 : 13);
	}
	add_head(text, r->arrow, r->points[last], direction(r->points[last - 1], r->points[last]));
	if (look->head == HEAD_BOX)
		add_head(text, r->arrow, r->start, direction(r->points[1], r->start));
}

/* A straight arrow of a kind, for the legend. */
static void paint_sample(struct oclmm_text *text, unsigned kind, struct point from, int length)
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

/* ---- the picture -------------------------------------------------------------- */

struct drawing {
	struct oclmm_text *text;
	const struct layout *l;
	const struct graph *g;
};

static void say(struct drawing *d, const char *words)
{
	oclmm_text_add(d->text, words);
}

static void add_box(struct drawing *d, const struct box *b, const char *how)
{
	say(d, "<rect");
	paint_attribute(d->text, "x", b->left);
	paint_attribute(d->text, "y", b->top);
	paint_attribute(d->text, "width", b->right - b->left);
	paint_attribute(d->text, "height", b->bottom - b->top);
	oclmm_text_printf(d->text, " %s/>\n", how);
}

/* Takes the words. */
static void add_words(struct drawing *d, int x, int y, const char *how, struct oclmm_text *words)
{
	say(d, "<text");
	paint_attribute(d->text, "x", x);
	paint_attribute(d->text, "y", y);
	oclmm_text_printf(d->text, " fill=\"currentColor\" %s>", how);
	oclmm_text_add_xml(d->text, oclmm_text_string(words));
	say(d, "</text>\n");
	oclmm_text_finish(words);
}

/* The base line of words whose letters are as much above the middle of a box as below. */
static int base_line(const struct box *b, int font)
{
	return box_middle_y(b) + font * PX * 35 / 100;
}

/* Each thread with its events, then the arrows: for readers that do not see. */
static void describe(struct drawing *d, struct oclmm_text *words)
{
	const struct graph *g = d->g;

	for (unsigned c = 0; c < g->column_count; c++) {
		oclmm_graph_print_thread(words, g, c);
		oclmm_text_add(words, ": ");
		for (unsigned i = g->x->init_count; i < g->x->count; i++) {
			if (g->column[i] != c)
				continue;
			oclmm_event_print(words, g->e->program, g->x, i);
			oclmm_text_add(words, "; ");
		}
	}
	for (size_t i = 0; i < g->arrow_count; i++) {
		oclmm_text_printf(words, "%s ", oclmm_event_letter(g->x, g->arrows[i].from).text);
		oclmm_graph_print_kinds(words, &g->arrows[i]);
		oclmm_text_printf(words, " %s%s", oclmm_event_letter(g->x, g->arrows[i].to).text,
		                  i + 1 < g->arrow_count ? ", " : "");
	}
}

static void add_hidden(struct drawing *d, const char *element, struct oclmm_text *words)
{
	oclmm_text_printf(d->text, "<%s>", element);
	oclmm_text_add_xml(d->text, oclmm_text_string(words));
	oclmm_text_printf(d->text, "</%s>\n", element);
	oclmm_text_finish(words);
}

static void add_meaning(struct drawing *d)
{
	struct oclmm_text words = {0};

	oclmm_text_printf(&words, "%s: ", d->g->e->program->name);
	oclmm_graph_print_verdict(&words, d->g);
	add_hidden(d, "title", &words);
	describe(d, &words);
	add_hidden(d, "desc", &words);
}

static void add_style(struct drawing *d)
{
	say(d, "<style>@media screen and (prefers-color-scheme: dark) {\n"
	       ".oclmm-picture { color: #e4e8ec; }\n"
	       ".oclmm-picture .paper { fill: #0f1318; }\n"
	       ".oclmm-picture .between { stroke: #0f1318; }\n"
	       ".oclmm-picture .racing { fill: #4a1f24; }\n");
	for (unsigned k = 0; k < KIND_COUNT; k++)
		if (d->g->used & 1u << k)
			oclmm_text_printf(d->text, ".oclmm-picture .%s { color: %s; }\n",
			                  oclmm_kind_name(k), oclmm_kind_look(k)->dark);
	say(d, "}</style>\n");
}

/* ---- boxes and events ------------------------------------------------------------------- */

static void add_name(struct drawing *d, const struct box *b, print_name *print, unsigned column,
                     const char *how)
{
	struct oclmm_text words = {0};

	print(&words, d->g, column);
	add_words(d, b->left, base_line(b, TEXT_FONT), how, &words);
}

static void add_boxes(struct drawing *d)
{
	for (unsigned c = 0; c < d->g->column_count; c++) {
		if (!box_is_empty(&d->l->device[c])) {
			add_box(d, &d->l->device[c],
			        "class=\"device\" rx=\"10\" fill=\"none\" stroke=\"" BORDER "\"");
			add_name(d, &d->l->device_name[c], oclmm_graph_print_device, c,
			         "class=\"name\"");
		}
		if (!box_is_empty(&d->l->group[c])) {
			add_box(d, &d->l->group[c],
			        "class=\"group\" rx=\"8\" fill=\"none\" stroke=\"" BORDER
			        "\" stroke-dasharray=\"5 3\"");
			add_name(d, &d->l->group_name[c], oclmm_graph_print_group, c,
			         "class=\"name\"");
		}
		add_name(d, &d->l->thread_name[c], oclmm_graph_print_thread, c,
		         "class=\"name\" font-weight=\"bold\"");
	}
}

static void add_event(struct drawing *d, unsigned event)
{
	const struct box *node = &d->l->node[event];
	bool racing = oclmm_graph_races(d->g, event),
	     bold = racing || oclmm_graph_cycle_touches(d->g, event);
	struct oclmm_text words = {0};
	char how[128];

	snprintf(how, sizeof(how),
	         "class=\"event %s\" data-event=\"%s\" fill=\"%s\" %s"
	         "stroke=\"currentColor\" stroke-width=\"%s\"",
	         racing ? "racing" : "paper", oclmm_event_letter(d->g->x, event).text,
	         racing ? RACING : PAPER, oclmm_graph_is_initial(d->g, event) ? "rx=\"8\" " : "",
	         bold ? "2.5" : "1");
	add_box(d, node, how);
	oclmm_event_print(&words, d->g->e->program, d->g->x, event);
	add_words(d, box_middle_x(node), base_line(node, NODE_FONT),
	          "class=\"words\" text-anchor=\"middle\" font-size=\"12\" font-family=\"" MONO
	          "\"",
	          &words);
}

/* ---- threads and arrows
 * -------------------------------------------------------------------------------- */

static void open_kind(struct drawing *d, const char *class, unsigned kind, bool bold)
{
	oclmm_text_printf(d->text, "<g class=\"%s %s%s\" color=\"%s\"", class,
	                  oclmm_kind_name(kind), bold ? " bold" : "",
	                  oclmm_kind_look(kind)->colour);
}

/* What belongs to an arrow says to which. */
static void open_arrow(struct drawing *d, const char *class, const struct arrow *a)
{
	open_kind(d, class, a->look, a->bold);
	oclmm_text_printf(d->text, " data-from=\"%s\" data-to=\"%s\">\n",
	                  oclmm_event_letter(d->g->x, a->from).text,
	                  oclmm_event_letter(d->g->x, a->to).text);
}

static void add_arrow(struct drawing *d, const struct route *r)
{
	open_arrow(d, "arrow", r->arrow);
	paint_arrow(d->text, r);
	say(d, "</g>\n");
}

static void add_label(struct drawing *d, const struct route *r)
{
	struct oclmm_text words = {0};

	oclmm_graph_print_kinds(&words, r->arrow);
	open_arrow(d, "label", r->arrow);
	add_words(d,
	          r->label_side > 0   ? r->label.left
	          : r->label_side < 0 ? r->label.right
	                              : box_middle_x(&r->label),
	          r->label.top + text_ascent(EDGE_FONT),
	          r->label_side > 0   ? "font-size=\"11\""
	          : r->label_side < 0 ? "text-anchor=\"end\" font-size=\"11\""
	                              : "text-anchor=\"middle\" font-size=\"11\"",
	          &words);
	say(d, "</g>\n");
}

static void add_arrows(struct drawing *d)
{
	/* what is bold lies on top */
	for (int bold = 0; bold < 2; bold++)
		for (size_t i = 0; i < d->g->arrow_count; i++)
			if (d->g->arrows[i].bold == bold)
				add_arrow(d, &d->l->routes[i]);
	for (size_t i = 0; i < d->g->arrow_count; i++)
		if (d->l->routes[i].labelled)
			add_label(d, &d->l->routes[i]);
}

static void add_title(struct drawing *d)
{
	struct oclmm_text words = {0};

	oclmm_text_add(&words, d->g->e->program->name);
	add_words(d, d->l->title[0].left, base_line(&d->l->title[0], TEXT_FONT),
	          "class=\"name\" font-weight=\"bold\"", &words);
	oclmm_graph_print_verdict(&words, d->g);
	add_words(d, d->l->title[1].left, base_line(&d->l->title[1], TEXT_FONT), "class=\"name\"",
	          &words);
}

static void add_legend(struct drawing *d)
{
	unsigned at = 0;

	if (!d->g->used)
		return;
	for (unsigned k = 0; k < KIND_COUNT; k++) {
		struct oclmm_text words = {0};
		struct point from = {LEGEND_INDENT +
		                             (int)(at / d->l->legend_rows) * d->l->legend_width,
		                     d->l->field.bottom + LEGEND_ROW +
		                             (int)(at % d->l->legend_rows) * LEGEND_ROW};

		if (!(d->g->used & 1u << k))
			continue;
		open_kind(d, "key", k, false);
		say(d, ">\n");
		paint_sample(d->text, k, from, LEGEND_SAMPLE);
		say(d, "</g>\n");
		oclmm_text_printf(&words, "%s: %s", oclmm_kind_name(k), oclmm_kind_meaning(k));
		add_words(d, from.x + LEGEND_SAMPLE + LEGEND_TEXT, from.y + 4 * PX,
		          "class=\"meaning\" font-size=\"11\"", &words);
		at++;
	}
}

static void open_picture(struct drawing *d)
{
	const struct box whole = {0, 0, d->l->width, d->l->height};

	say(d, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"oclmm-picture\" role=\"img\"");
	paint_attribute(d->text, "width", whole.right);
	paint_attribute(d->text, "height", whole.bottom);
	say(d, " viewBox=\"0 0 ");
	paint_length(d->text, whole.right);
	say(d, " ");
	paint_length(d->text, whole.bottom);
	say(d, "\" color=\"" INK "\" font-size=\"13\" font-family=\"" SANS "\">\n");
	add_meaning(d);
	add_style(d);
	add_box(d, &whole, "class=\"paper\" fill=\"" PAPER "\"");
}

int oclmm_picture_svg(struct oclmm_text *text, const struct oclmm_explanation *e)
{
	struct layout *l;
	struct drawing d;

	if (!e->execution)
		return -ENOENT;
	l = oclmm_calloc(1, sizeof(*l));
	oclmm_layout_make(l, e);
	d = (struct drawing){text, l, &l->graph};
	open_picture(&d);
	add_title(&d);
	add_boxes(&d);
	for (unsigned i = 0; i < l->graph.x->count; i++)
		if (l->graph.shown & BIT(i))
			add_event(&d, i);
	add_arrows(&d);
	add_legend(&d);
	say(&d, "</svg>\n");
	oclmm_layout_finish(l);
	free(l);
	return 0;
}

/* ---- of an outcome, for reports -------------------------------------------------- */

static int draw(struct oclmm_text *text, const struct oclmm_program *program,
                enum oclmm_model model, struct oclmm_error *error)
{
	const struct oclmm_explain_options options = {.models = 1u << model,
	                                              .time_limit = 5,
	                                              .no_changes = true};
	struct oclmm_explanation *explanation;
	int result = oclmm_explain(program, &options, error, &explanation);

	if (result < 0)
		return result;
	result = oclmm_picture_svg(text, explanation);
	if (result < 0)
		oclmm_error_set(error, result, "there is no execution to draw");
	oclmm_explanation_destroy(explanation);
	return result;
}

int oclmm_picture_outcome(struct oclmm_text *text, const struct oclmm_program *program,
                          const char *outcome, enum oclmm_model model, struct oclmm_error *error)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	int result = outcome ? oclmm_explain_ask(arena, program, outcome, error, &program) : 0;

	if (result == 0)
		result = draw(text, program, model, error);
	oclmm_arena_destroy(arena);
	return result;
}
