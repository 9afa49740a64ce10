// SPDX-License-Identifier: Apache-2.0
/*
 * An execution in Graphviz' language: a column per thread, a row per event,
 * boxes around work-groups and devices. All places are computed here, so that
 * a picture is the same everywhere; Graphviz routes the edges and paints.
 *
 * Kinds of edges differ in colour, line and arrow head and are named, so that
 * they read in black and white too. The edges of the circle are bold.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Lengths in points. */
enum {
	NODE_HEIGHT = 24,
	ROW = 66,     /* from event to event */
	GAP = 84,     /* between columns */
	BORDER = 14,  /* around what stands in a box */
	CAPTION = 24, /* for the name of a box */
	HEAD = 30,    /* for the name of a thread */
	LEGEND_ROW = 30,
	LEGEND_WIDTH = 330,
	MAX_EDGES = 512,
};

/* How each kind of edge is drawn; a pair with several takes the look of the highest rank. */
static const struct {
	const char *colour, *style, *head;
	int rank;
} looks[OCLMM_EDGE_COUNT] = {
	[OCLMM_EDGE_SB] = {"#000000", "solid", "normal", 0},
	[OCLMM_EDGE_RF] = {"#b2182b", "dashed", "normal", 2},
	[OCLMM_EDGE_MO] = {"#2166ac", "dotted", "vee", 1},
	[OCLMM_EDGE_FR] = {"#b35806", "dashed", "empty", 4},
	[OCLMM_EDGE_SW] = {"#1b7837:#ffffff:#1b7837", "solid", "normal", 5},
	[OCLMM_EDGE_HB] = {"#636363", "solid", "vee", 3},
	[OCLMM_EDGE_S] = {"#762a83", "dotted", "diamond", 6},
	[OCLMM_EDGE_DATA] = {"#762a83", "dotted", "dot", 2},
};

/* All edges from one event to another: one arrow. */
struct arrow {
	unsigned from, to;
	unsigned kinds; /* set of 1u << enum oclmm_edge */
	enum oclmm_edge look;
	bool bold;
};

struct drawing {
	struct oclmm_text *text;
	const struct oclmm_explanation *e;
	const struct oclmm_execution *x;
	unsigned column[OCLMM_MAX_THREADS]; /* threads from left to right */
	unsigned row[OCLMM_MAX_EVENTS];     /* by event, from 1; initial writes 0 */
	unsigned rows;
	oclmm_events shown;             /* events */
	double left[OCLMM_MAX_THREADS]; /* by column: where its events begin */
	double width[OCLMM_MAX_THREADS];
	double right, top, bottom; /* of the whole; y grows upwards, the legend lies below 0 */
	struct arrow arrows[MAX_EDGES];
	unsigned arrow_count;
	unsigned used; /* kinds drawn */
};

static void say(struct drawing *d, const char *words)
{
	oclmm_text_add(d->text, words);
}

/* A string in Graphviz' quotes; a newline becomes a line of the label. */
static void quote(struct drawing *d, const char *string)
{
	say(d, "\"");
	for (; *string; string++) {
		if (*string == '"' || *string == '\\')
			oclmm_text_add(d->text, "\\");
		if (*string == '\n')
			oclmm_text_add(d->text, "\\n");
		else
			oclmm_text_add_bytes(d->text, string, 1);
	}
	say(d, "\"");
}

/* ---- what is shown ---------------------------------------------------------- */

/* A step along sb covers all that lies between. */
static bool covers(const struct drawing *d, const struct oclmm_step *s, unsigned from, unsigned to)
{
	if (s->from == from && s->to == to)
		return true;
	return s->edge == OCLMM_EDGE_SB && (s->from == from || d->x->sb[s->from] & BIT(from)) &&
	       (s->to == to || d->x->sb[to] & BIT(s->to));
}

static bool in_circle(const struct drawing *d, enum oclmm_edge edge, unsigned from, unsigned to)
{
	const struct oclmm_violation *v = d->e->violation;

	for (unsigned i = 0; v && i < v->step_count; i++)
		if (v->steps[i].edge == edge && covers(d, &v->steps[i], from, to))
			return true;
	return false;
}

static bool circle_touches(const struct drawing *d, unsigned event)
{
	const struct oclmm_violation *v = d->e->violation;

	for (unsigned i = 0; v && i < v->step_count; i++)
		if (v->steps[i].from == event || v->steps[i].to == event)
			return true;
	return false;
}

/* Initial writes only where somebody reads them or the circle passes. */
static void choose_events(struct drawing *d)
{
	const struct oclmm_execution *x = d->x;
	unsigned next[OCLMM_MAX_THREADS] = {0};

	for (unsigned i = x->init_count; i < x->count; i++) {
		d->shown |= BIT(i);
		if (event_reads(&x->event[i]) && x->rf[i] < x->init_count)
			d->shown |= BIT(x->rf[i]);
		d->row[i] = 1 + next[x->event[i].thread]++;
		if (d->row[i] > d->rows)
			d->rows = d->row[i];
	}
	for (unsigned i = 0; i < x->init_count; i++)
		if (circle_touches(d, i))
			d->shown |= BIT(i);
}

static int compare_columns(const void *a, const void *b, void *data)
{
	const struct oclmm_program *p = data;
	unsigned i = *(const unsigned *)a, k = *(const unsigned *)b;
	const struct oclmm_placement *x = &p->threads[i].placement, *y = &p->threads[k].placement;

	if (x->host != y->host)
		return x->host ? 1 : -1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->work_group != y->work_group)
		return x->work_group < y->work_group ? -1 : 1;
	if (x->sub_group_given && y->sub_group_given && x->sub_group != y->sub_group)
		return x->sub_group < y->sub_group ? -1 : 1;
	return i < k ? -1 : 1;
}

static void sort_columns(struct drawing *d)
{
	const struct oclmm_program *p = d->e->program;

	for (unsigned i = 0; i < p->thread_count; i++)
		d->column[i] = i;
	qsort_r(d->column, p->thread_count, sizeof(*d->column), compare_columns,
	        (void *)(uintptr_t)p);
}

/* ---- places ----------------------------------------------------------------- */

static double text_width(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n * 7.3;
}

static double event_width(const struct drawing *d, unsigned event)
{
	struct oclmm_text label;
	double width;

	oclmm_text_init(&label);
	oclmm_event_print(&label, d->e->program, d->x, event);
	width = text_width(oclmm_text_string(&label)) + 16;
	oclmm_text_finish(&label);
	return width;
}

static const struct oclmm_placement *placement(const struct drawing *d, unsigned column)
{
	return &d->e->program->threads[d->column[column]].placement;
}

static bool same_device(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return a->host == b->host && (a->host || a->device == b->device);
}

static bool same_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return same_device(a, b) && (a->host || a->work_group == b->work_group);
}

static void place_columns(struct drawing *d)
{
	double at = 2 * BORDER;

	for (unsigned i = 0; i < d->e->program->thread_count; i++) {
		if (i) {
			at += GAP;
			at += same_group(placement(d, i - 1), placement(d, i)) ? 0 : 2 * BORDER;
			at += same_device(placement(d, i - 1), placement(d, i)) ? 0 : 2 * BORDER;
		}
		d->left[i] = at;
		d->width[i] = 90;
		for (unsigned k = d->x->init_count; k < d->x->count; k++)
			if (d->x->event[k].thread == (int)d->column[i] &&
			    event_width(d, k) > d->width[i])
				d->width[i] = event_width(d, k);
		at += d->width[i];
	}
	d->right = at + 2 * BORDER;
	if (d->right < LEGEND_WIDTH)
		d->right = LEGEND_WIDTH;
	d->top = 2 * BORDER + d->rows * ROW + HEAD + 2 * CAPTION;
}

/* The middle of a row; row 0 holds the names of the threads. */
static double row_y(const struct drawing *d, unsigned row)
{
	return row ? 2 * BORDER + (d->rows - row) * (double)ROW + NODE_HEIGHT
	           : d->top - 2 * CAPTION - HEAD / 2.0;
}

static void print_box(struct drawing *d, double left, double bottom, double right, double top)
{
	oclmm_text_printf(d->text, "bb=\"%.1f,%.1f,%.1f,%.1f\"; lp=\"%.1f,%.1f\"; ", left, bottom,
	                  right, top, (left + right) / 2, top - CAPTION / 2.0);
}

/* ---- nodes -------------------------------------------------------------------- */

static bool has_race(const struct drawing *d)
{
	return d->e->status == OCLMM_STATUS_UNDEFINED;
}

static void draw_event(struct drawing *d, unsigned event, double x, double y)
{
	bool racing = has_race(d) && (event == d->e->race_a || event == d->e->race_b);
	struct oclmm_text label;

	oclmm_text_init(&label);
	oclmm_event_print(&label, d->e->program, d->x, event);
	oclmm_text_printf(d->text, "e%u [pos=\"%.1f,%.1f\", width=%.2f, label=", event, x, y,
	                  event_width(d, event) / 72);
	quote(d, oclmm_text_string(&label));
	if (racing)
		say(d, ", style=\"filled,bold\", fillcolor=\"#f4d9d9\", penwidth=2.5");
	else if (event < d->x->init_count)
		say(d, ", style=rounded");
	if (!racing && circle_touches(d, event))
		say(d, ", penwidth=2.5");
	say(d, "];\n");
	oclmm_text_finish(&label);
}

static void draw_thread(struct drawing *d, unsigned column)
{
	unsigned thread = d->column[column];
	const struct oclmm_thread *t = &d->e->program->threads[thread];
	double x = d->left[column] + d->width[column] / 2;

	oclmm_text_printf(
		d->text,
		"P%u [pos=\"%.1f,%.1f\", width=1.2, shape=plaintext, fontname=\"Helvetica-Bold\", "
		"label=\"P%u",
		thread, x, row_y(d, 0), t->id);
	if (t->placement.sub_group_given)
		oclmm_text_printf(d->text, ", sub-group %u", t->placement.sub_group);
	say(d, "\"];\n");
	for (unsigned i = d->x->init_count; i < d->x->count; i++)
		if (d->x->event[i].thread == (int)thread)
			draw_event(d, i, x, row_y(d, d->row[i]));
}

/* The last column that is in one box with this one. */
static unsigned last_of(const struct drawing *d, unsigned column,
                        bool (*same)(const struct oclmm_placement *,
                                     const struct oclmm_placement *))
{
	while (column + 1 < d->e->program->thread_count &&
	       same(placement(d, column), placement(d, column + 1)))
		column++;
	return column;
}

static void draw_group(struct drawing *d, unsigned first, unsigned last)
{
	const struct oclmm_placement *p = placement(d, first);

	if (!p->host) {
		oclmm_text_printf(d->text,
		                  "subgraph cluster_g%u { label=\"work-group %u\"; "
		                  "style=\"rounded,dashed\"; color=\"#808080\"; ",
		                  first, p->work_group);
		print_box(d, d->left[first] - BORDER, BORDER,
		          d->left[last] + d->width[last] + BORDER, d->top - CAPTION);
		say(d, "\n");
	}
	for (unsigned i = first; i <= last; i++)
		draw_thread(d, i);
	if (!p->host)
		say(d, "}\n");
}

static void draw_devices(struct drawing *d)
{
	for (unsigned i = 0; i < d->e->program->thread_count;) {
		const struct oclmm_placement *p = placement(d, i);
		unsigned last = last_of(d, i, same_device);

		oclmm_text_printf(d->text, "subgraph cluster_d%u { label=\"", i);
		oclmm_text_printf(d->text, p->host ? "host" : "device %u", p->device);
		say(d, "\"; style=rounded; color=\"#808080\"; ");
		print_box(d, d->left[i] - 2 * BORDER, 0,
		          d->left[last] + d->width[last] + 2 * BORDER, d->top);
		say(d, "\n");
		for (; i <= last; i = last_of(d, i, same_group) + 1)
			draw_group(d, i, last_of(d, i, same_group));
		say(d, "}\n");
	}
}

/* Where an initial write is read: the columns of its readers, on average. */
static double readers_of(const struct drawing *d, unsigned initial)
{
	double sum = 0, count = 0;

	for (unsigned c = 0; c < d->e->program->thread_count; c++) {
		for (unsigned r = d->x->init_count; r < d->x->count; r++) {
			if (d->x->event[r].thread != (int)d->column[c] ||
			    !event_reads(&d->x->event[r]) || d->x->rf[r] != initial)
				continue;
			sum += c;
			count++;
		}
	}
	return count > 0 ? sum / count : 0;
}

/* Side by side over the boxes, in the order of their readers. */
static void draw_initial_writes(struct drawing *d)
{
	unsigned n = d->e->program->thread_count, order[OCLMM_MAX_EVENTS], count = 0;
	double boxes = d->left[n - 1] + d->width[n - 1] + 2 * BORDER;

	FOR_EACH (i, d->shown & (BIT(d->x->init_count) - 1)) {
		unsigned at = count++;

		for (; at > 0 && readers_of(d, order[at - 1]) > readers_of(d, (unsigned)i); at--)
			order[at] = order[at - 1];
		order[at] = (unsigned)i;
	}
	for (unsigned k = 0; k < count; k++)
		draw_event(d, order[k], boxes * (2 * k + 1) / (2.0 * count),
		           d->top + NODE_HEIGHT + BORDER);
	if (count)
		d->top += 2 * NODE_HEIGHT + BORDER;
}

/* ---- edges ---------------------------------------------------------------------- */

static void add_arrow(struct drawing *d, enum oclmm_edge edge, unsigned from, unsigned to)
{
	struct arrow *a = NULL;
	bool bold = in_circle(d, edge, from, to);

	for (unsigned i = 0; i < d->arrow_count; i++)
		if (d->arrows[i].from == from && d->arrows[i].to == to)
			a = &d->arrows[i];
	if (!a) {
		if (d->arrow_count == MAX_EDGES)
			return;
		a = &d->arrows[d->arrow_count++];
		*a = (struct arrow){.from = from, .to = to, .look = edge};
	}
	if ((bold && !a->bold) || (bold == a->bold && looks[edge].rank > looks[a->look].rank))
		a->look = edge;
	a->bold |= bold;
	a->kinds |= 1u << edge;
	d->used |= 1u << edge;
}

static void draw_look(struct drawing *d, enum oclmm_edge edge, bool bold)
{
	oclmm_text_printf(
		d->text,
		"color=\"%s\", fontcolor=\"%.7s\", style=\"%s\", arrowhead=%s, penwidth=%s",
		looks[edge].colour, looks[edge].colour, looks[edge].style, looks[edge].head,
		bold ? "3" : "1.2");
}

static void draw_arrow(struct drawing *d, const struct arrow *a)
{
	bool first = true;

	oclmm_text_printf(d->text, "e%u -> e%u [", a->from, a->to);
	draw_look(d, a->look, a->bold);
	/* names stand near the tail, where arrows have not crossed yet */
	say(d, ", taillabel=\"");
	for (unsigned k = 0; k < OCLMM_EDGE_COUNT; k++) {
		if (!(a->kinds & 1u << k))
			continue;
		oclmm_text_printf(d->text, "%s%s", first ? "" : " ",
		                  oclmm_edge_name((enum oclmm_edge)k));
		first = false;
	}
	oclmm_text_printf(d->text, "\", %s];\n",
	                  a->look == OCLMM_EDGE_SB ? "labeldistance=2, labelangle=38"
	                                           : "labeldistance=3, labelangle=14");
}

/* Of a transitive relation, the pairs with nothing between them. */
static bool is_next(const oclmm_events *relation, unsigned a, unsigned b)
{
	if (!(relation[a] & BIT(b)))
		return false;
	FOR_EACH (k, relation[a])
		if (relation[k] & BIT(b))
			return false;
	return true;
}

static void collect_reads(struct drawing *d)
{
	const struct oclmm_execution *x = d->x;

	for (unsigned r = x->init_count; r < x->count; r++) {
		if (!event_reads(&x->event[r]))
			continue;
		add_arrow(d, OCLMM_EDGE_RF, x->rf[r], r);
		FOR_EACH (w, x->mo[x->rf[r]])
			if (w != r && (is_next(x->mo, x->rf[r], (unsigned)w) ||
			               in_circle(d, OCLMM_EDGE_FR, r, (unsigned)w)))
				add_arrow(d, OCLMM_EDGE_FR, r, (unsigned)w);
	}
}

static void collect_arrows(struct drawing *d)
{
	const struct oclmm_execution *x = d->x;
	const struct oclmm_violation *v = d->e->violation;

	for (unsigned a = x->init_count; a < x->count; a++) {
		FOR_EACH (b, x->sb[a])
			if (is_next(x->sb, a, (unsigned)b))
				add_arrow(d, OCLMM_EDGE_SB, a, (unsigned)b);
		FOR_EACH (b, x->sw[OCLMM_SPACE_GLOBAL][a] | x->sw[OCLMM_SPACE_LOCAL][a])
			add_arrow(d, OCLMM_EDGE_SW, a, (unsigned)b);
		FOR_EACH (b, x->mo[a])
			if (is_next(x->mo, a, (unsigned)b))
				add_arrow(d, OCLMM_EDGE_MO, a, (unsigned)b);
	}
	collect_reads(d);
	for (unsigned i = 0; v && i < v->step_count; i++)
		if (v->steps[i].edge != OCLMM_EDGE_SB)
			add_arrow(d, v->steps[i].edge, v->steps[i].from, v->steps[i].to);
}

static void draw_race(struct drawing *d)
{
	if (has_race(d))
		oclmm_text_printf(d->text,
		                  "e%u -> e%u [dir=both, color=\"#b2182b\", fontcolor=\"#b2182b\", "
		                  "style=solid, "
		                  "arrowhead=box, arrowtail=box, penwidth=3, label=race];\n",
		                  d->e->race_a, d->e->race_b);
}

/* ---- the legend ------------------------------------------------------------------- */

/* Below the boxes, in two columns where there is room: an arrow of each kind and what it means. */
static void draw_legend(struct drawing *d)
{
	unsigned k = 0, columns = d->right >= 2 * LEGEND_WIDTH ? 2 : 1;
	unsigned rows = ((unsigned)__builtin_popcount(d->used) + columns - 1) / columns;

	d->bottom = -BORDER - (double)(rows * LEGEND_ROW) - CAPTION / 2.0;
	for (unsigned edge = 0; edge < OCLMM_EDGE_COUNT; edge++) {
		double x, y;

		if (!(d->used & 1u << edge))
			continue;
		x = 10 + k / rows * LEGEND_WIDTH;
		y = -CAPTION - (k % rows + 0.5) * LEGEND_ROW;
		oclmm_text_printf(
			d->text,
			"l%u [shape=point, pos=\"%.1f,%.1f\", width=0.03, height=0.03];\n"
			"m%u [shape=point, pos=\"%.1f,%.1f\", width=0.03, height=0.03];\n"
			"t%u [shape=plaintext, pos=\"%.1f,%.1f\", width=%.2f, height=0.2, "
			"fontname=\"Helvetica\", fontsize=11, label=\"%s: %s\\l\"];\nl%u -> m%u [",
			edge, x, y, edge, x + 44, y, edge, x + 66 + (LEGEND_WIDTH - 86) / 2.0, y,
			(LEGEND_WIDTH - 86) / 72.0, oclmm_edge_name((enum oclmm_edge)edge),
			oclmm_edge_meaning((enum oclmm_edge)edge), edge, edge);
		draw_look(d, (enum oclmm_edge)edge, false);
		say(d, "];\n");
		k++;
	}
}

/* ---- the front -------------------------------------------------------------------- */

static void draw_title(struct drawing *d)
{
	const struct oclmm_explanation *e = d->e;
	struct oclmm_text title;

	oclmm_text_init(&title);
	oclmm_text_printf(&title, "%s\n", e->program->name);
	if (e->values)
		oclmm_outcome_print(&title, e->program, e->values);
	oclmm_text_printf(&title, "%s%s", e->values ? " " : "", oclmm_status_word(e->status));
	if (e->violation)
		oclmm_text_printf(&title, " (%s)", e->violation->rule);
	say(d, "label=");
	quote(d, oclmm_text_string(&title));
	oclmm_text_printf(d->text, "; lp=\"%.1f,%.1f\";\n", d->right / 2, d->top + CAPTION);
	oclmm_text_finish(&title);
}

int oclmm_explanation_dot(struct oclmm_text *text, const struct oclmm_explanation *e)
{
	struct drawing *d;

	if (!e->execution)
		return -ENOENT;
	d = oclmm_calloc(1, sizeof(*d));
	*d = (struct drawing){.text = text, .e = e, .x = e->execution};
	choose_events(d);
	sort_columns(d);
	place_columns(d);
	say(d,
	    "digraph execution {\nlayout=nop; splines=true; esep=\"+7\"; fontname=\"Helvetica\"; "
	    "fontsize=13;\n"
	    "node [shape=box, fixedsize=true, height=0.33, fontname=\"Courier\", fontsize=12];\n"
	    "edge [fontname=\"Helvetica\", fontsize=11];\n");
	draw_devices(d);
	draw_initial_writes(d);
	collect_arrows(d);
	for (unsigned i = 0; i < d->arrow_count; i++)
		draw_arrow(d, &d->arrows[i]);
	draw_race(d);
	draw_legend(d);
	draw_title(d);
	oclmm_text_printf(text, "bb=\"0,%.1f,%.1f,%.1f\";\n}\n", d->bottom, d->right,
	                  d->top + 2 * CAPTION);
	free(d);
	return 0;
}
