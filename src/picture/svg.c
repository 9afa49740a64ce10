// SPDX-License-Identifier: Apache-2.0
/*
 * A layout as SVG. Colours are attributes, so that every reader of SVG has
 * them; those for dark paper are a style sheet, which overrides them.
 */
#include "oclmm/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "paint.h"

#define SANS "Helvetica, Arial, 'DejaVu Sans', sans-serif"
#define MONO "Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

struct drawing {
	struct oclmm_text *text;
	const struct layout *l;
	const struct graph *g;
};

static void say(struct drawing *d, const char *words)
{
	oclmm_text_add(d->text, words);
}

/* ---- elements ---------------------------------------------------------------------- */

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

/* ---- what is told and not shown ------------------------------------------------------ */

/* Each thread with its events, then the arrows: for readers that do not see. */
static void describe(struct drawing *d, struct oclmm_text *words)
{
	const struct graph *g = d->g;

	for (unsigned c = 0; c < g->column_count; c++) {
		graph_print_thread(words, g, c);
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
		graph_print_kinds(words, &g->arrows[i]);
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
	graph_print_verdict(&words, d->g);
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
			                  kind_name(k), kind_look(k)->dark);
	say(d, "}</style>\n");
}

/* ---- boxes and events ------------------------------------------------------------------- */

typedef void print_name(struct oclmm_text *text, const struct graph *g, unsigned column);

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
			add_name(d, &d->l->device_name[c], graph_print_device, c, "class=\"name\"");
		}
		if (!box_is_empty(&d->l->group[c])) {
			add_box(d, &d->l->group[c],
			        "class=\"group\" rx=\"8\" fill=\"none\" stroke=\"" BORDER
			        "\" stroke-dasharray=\"5 3\"");
			add_name(d, &d->l->group_name[c], graph_print_group, c, "class=\"name\"");
		}
		add_name(d, &d->l->thread_name[c], graph_print_thread, c,
		         "class=\"name\" font-weight=\"bold\"");
	}
}

static void add_event(struct drawing *d, unsigned event)
{
	const struct box *node = &d->l->node[event];
	bool racing = graph_races(d->g, event), bold = racing || graph_circle_touches(d->g, event);
	struct oclmm_text words = {0};
	char how[128];

	snprintf(how, sizeof(how),
	         "class=\"event %s\" data-event=\"%s\" fill=\"%s\" %s"
	         "stroke=\"currentColor\" stroke-width=\"%s\"",
	         racing ? "racing" : "paper", oclmm_event_letter(d->g->x, event).text,
	         racing ? RACING : PAPER, graph_is_initial(d->g, event) ? "rx=\"8\" " : "",
	         bold ? "2.5" : "1");
	add_box(d, node, how);
	oclmm_event_print(&words, d->g->e->program, d->g->x, event);
	add_words(d, box_middle_x(node), base_line(node, NODE_FONT),
	          "class=\"words\" text-anchor=\"middle\" font-size=\"12\" font-family=\"" MONO
	          "\"",
	          &words);
}

/* ---- arrows -------------------------------------------------------------------------------- */

static void open_kind(struct drawing *d, const char *class, unsigned kind, bool bold)
{
	oclmm_text_printf(d->text, "<g class=\"%s %s%s\" color=\"%s\"", class, kind_name(kind),
	                  bold ? " bold" : "", kind_look(kind)->colour);
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

	graph_print_kinds(&words, r->arrow);
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

/* ---- around it --------------------------------------------------------------------------------
 */

static void add_title(struct drawing *d)
{
	struct oclmm_text words = {0};

	oclmm_text_add(&words, d->g->e->program->name);
	add_words(d, d->l->title[0].left, base_line(&d->l->title[0], TEXT_FONT),
	          "class=\"name\" font-weight=\"bold\"", &words);
	graph_print_verdict(&words, d->g);
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
		oclmm_text_printf(&words, "%s: %s", kind_name(k), kind_meaning(k));
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
	layout_make(l, e);
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
	layout_finish(l);
	free(l);
	return 0;
}
