// SPDX-License-Identifier: Apache-2.0
/* Executions as pictures: what is shown of one, as text for Graphviz, and as SVG. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/picture.h"

#define BIT(n) ((oclmm_events)1 << (n))

/* Kinds of arrows: the edges, and the race between two accesses. */
/* An sw that orders local memory alone has a look of its own. */
enum { KIND_RACE = OCLMM_EDGE_COUNT, KIND_LOCAL_SW, KIND_COUNT };

enum head { HEAD_FULL, HEAD_HOLLOW, HEAD_OPEN, HEAD_DIAMOND, HEAD_DISC, HEAD_BOX };

/* How a kind of arrow looks; a pair of events with several takes the look of the highest rank. */
struct look {
	const char *colour, *dark;         /* on white paper, on black */
	const char *dashes;                /* of the line, as SVG has them; NULL: none */
	const char *dot_style, *dot_shape; /* Graphviz' words for line and head */
	enum head head;
	bool doubled;
	int rank;
};

/* All edges from one event to another. */
struct arrow {
	unsigned from, to;
	unsigned kinds; /* set of 1u << kind */
	unsigned look;  /* the kind whose look it has */
	bool bold;      /* of the cycle that is broken, or the race */
};

struct graph {
	const struct oclmm_explanation *e;
	const struct oclmm_execution *x;
	oclmm_events shown;
	unsigned column_count;
	unsigned thread[OCLMM_MAX_THREADS]; /* by column, from left to right */
	unsigned column[OCLMM_MAX_EVENTS];  /* by event */
	unsigned row[OCLMM_MAX_EVENTS];     /* by event, from 1; initial writes 0 */
	unsigned rows;
	struct arrow *arrows;
	size_t arrow_count, arrow_capacity;
	unsigned used; /* kinds that arrows have */
};

typedef void print_name(struct oclmm_text *text, const struct graph *graph, unsigned column);

/* ---- which events and edges are shown, and in which order the threads stand --- */

static const struct look looks[KIND_COUNT] = {
	[OCLMM_EDGE_SB] = {"#000000", "#e4e8ec", NULL, "solid", "normal", HEAD_FULL, false, 0},
	[OCLMM_EDGE_RF] = {"#b2182b", "#ff8a80", "6 3", "dashed", "normal", HEAD_FULL, false, 2},
	[OCLMM_EDGE_MO] = {"#2166ac", "#7db8f0", "2 3", "dotted", "vee", HEAD_OPEN, false, 1},
	[OCLMM_EDGE_FR] = {"#b35806", "#f0a050", "6 3", "dashed", "empty", HEAD_HOLLOW, false, 4},
	[OCLMM_EDGE_SW] = {"#1b7837", "#6fcf86", NULL, "solid", "normal", HEAD_FULL, true, 5},
	[OCLMM_EDGE_HB] = {"#636363", "#b0b0b0", NULL, "solid", "vee", HEAD_OPEN, false, 3},
	[OCLMM_EDGE_S] = {"#762a83", "#d8a0e8", "2 3", "dotted", "diamond", HEAD_DIAMOND, false, 6},
	[OCLMM_EDGE_DATA] = {"#762a83", "#d8a0e8", "2 3", "dotted", "dot", HEAD_DISC, false, 2},
	[KIND_LOCAL_SW] = {"#1b7837", "#6fcf86", "6 3", "dashed", "vee", HEAD_OPEN, false, 5},
	[KIND_RACE] = {"#b2182b", "#ff8a80", NULL, "solid", "box", HEAD_BOX, false, 7},
};

static const struct look *kind_look(unsigned kind)
{
	return &looks[kind];
}

static const char *kind_name(unsigned kind)
{
	if (kind == KIND_LOCAL_SW)
		return "sw-local";
	return kind == KIND_RACE ? "race" : oclmm_edge_name((enum oclmm_edge)kind);
}

static const char *kind_meaning(unsigned kind)
{
	if (kind == KIND_LOCAL_SW)
		return "synchronizes with, for local memory alone";
	return kind == KIND_RACE ? "nothing orders the two accesses"
	                         : oclmm_edge_meaning((enum oclmm_edge)kind);
}

static bool graph_is_initial(const struct graph *g, unsigned event)
{
	return event < g->x->init_count;
}

static const struct oclmm_thread *graph_thread(const struct graph *g, unsigned column)
{
	return &g->e->program->threads[g->thread[column]];
}

/* A step along sb covers all that lies between. */
static bool covers(const struct graph *g, const struct oclmm_step *s, unsigned from, unsigned to)
{
	if (s->from == from && s->to == to)
		return true;
	return s->edge == OCLMM_EDGE_SB && (s->from == from || g->x->sb[s->from] & BIT(from)) &&
	       (s->to == to || g->x->sb[to] & BIT(s->to));
}

static bool in_cycle(const struct graph *g, unsigned kind, unsigned from, unsigned to)
{
	const struct oclmm_violation *v = g->e->violation;

	if (kind == KIND_LOCAL_SW)
		kind = OCLMM_EDGE_SW;
	for (unsigned i = 0; v && i < v->step_count; i++)
		if (v->steps[i].edge == kind && covers(g, &v->steps[i], from, to))
			return true;
	return false;
}

static bool graph_cycle_touches(const struct graph *g, unsigned event)
{
	const struct oclmm_violation *v = g->e->violation;

	for (unsigned i = 0; v && i < v->step_count; i++)
		if (v->steps[i].from == event || v->steps[i].to == event)
			return true;
	return false;
}

static bool graph_races(const struct graph *g, unsigned event)
{
	return g->e->status == OCLMM_STATUS_UNDEFINED &&
	       (event == g->e->race_a || event == g->e->race_b);
}

/* ---- events and columns --------------------------------------------------------- */

/* A thread of the host, or what the host does between commands. */
static bool is_host(const struct oclmm_placement *p)
{
	return p->host || p->command.kind == OCLMM_COMMAND_HOST ||
	       p->command.kind == OCLMM_COMMAND_USER;
}

static int compare_columns(const void *a, const void *b, void *data)
{
	const struct oclmm_program *p = data;
	unsigned i = *(const unsigned *)a, k = *(const unsigned *)b;
	const struct oclmm_placement *x = &p->threads[i].placement, *y = &p->threads[k].placement;
	int order = oclmm_compare_numbers(is_host(x), is_host(y));

	order = order ? order : oclmm_compare_numbers(x->device, y->device);
	order = order ? order : oclmm_compare_numbers(x->queue, y->queue);
	order = order ? order : oclmm_compare_numbers(x->child, y->child);
	order = order ? order : oclmm_compare_numbers(x->work_group, y->work_group);
	if (!order && x->sub_group_given && y->sub_group_given)
		order = oclmm_compare_numbers(x->sub_group, y->sub_group);
	return order ? order : oclmm_compare_numbers(i, k);
}

static void sort_columns(struct graph *g)
{
	const struct oclmm_program *p = g->e->program;

	g->column_count = p->thread_count;
	for (unsigned i = 0; i < p->thread_count; i++)
		g->thread[i] = i;
	qsort_r(g->thread, p->thread_count, sizeof(*g->thread), compare_columns,
	        (void *)(uintptr_t)p);
}

/* Initial writes only where somebody reads them or the cycle passes. */
static void choose_events(struct graph *g)
{
	const struct oclmm_execution *x = g->x;

	for (unsigned c = 0; c < g->column_count; c++) {
		unsigned row = 0;

		for (unsigned i = x->init_count; i < x->count; i++) {
			if (x->event[i].thread != (int)g->thread[c])
				continue;
			g->shown |= BIT(i);
			g->column[i] = c;
			g->row[i] = ++row;
			if (oclmm_event_reads(&x->event[i]) && graph_is_initial(g, x->rf[i]))
				g->shown |= BIT(x->rf[i]);
		}
		if (row > g->rows)
			g->rows = row;
	}
	for (unsigned i = 0; i < x->init_count; i++)
		if (graph_cycle_touches(g, i))
			g->shown |= BIT(i);
}

static bool graph_is_host(const struct graph *g, unsigned column)
{
	return is_host(&graph_thread(g, column)->placement);
}

static bool graph_same_device(const struct graph *g, unsigned a, unsigned b)
{
	if (graph_is_host(g, a) || graph_is_host(g, b))
		return graph_is_host(g, a) && graph_is_host(g, b);
	return oclmm_same_kernel(&graph_thread(g, a)->placement, &graph_thread(g, b)->placement);
}

/* Whether two columns are in one work-group. */
static bool graph_same_group(const struct graph *g, unsigned a, unsigned b)
{
	return graph_same_device(g, a, b) &&
	       (graph_is_host(g, a) || oclmm_same_work_group(&graph_thread(g, a)->placement,
	                                                     &graph_thread(g, b)->placement));
}

/* ---- arrows ----------------------------------------------------------------------- */

static struct arrow *new_arrow(struct graph *g, unsigned kind, unsigned from, unsigned to)
{
	struct arrow *a;

	oclmm_grow(&g->arrows, &g->arrow_capacity, g->arrow_count, sizeof(*g->arrows));
	a = &g->arrows[g->arrow_count++];
	*a = (struct arrow){.from = from, .to = to, .look = kind};
	return a;
}

static void add_edge_arrow(struct graph *g, unsigned kind, unsigned from, unsigned to)
{
	struct arrow *a = NULL;
	bool bold = in_cycle(g, kind, from, to);

	for (size_t i = 0; i < g->arrow_count; i++)
		if (g->arrows[i].from == from && g->arrows[i].to == to)
			a = &g->arrows[i];
	if (!a)
		a = new_arrow(g, kind, from, to);
	if ((bold && !a->bold) ||
	    (bold == a->bold && kind_look(kind)->rank > kind_look(a->look)->rank))
		a->look = kind;
	a->bold |= bold;
	a->kinds |= 1u << kind;
	g->used |= 1u << kind;
}

/* Of a transitive relation, the pairs with nothing between them. */
static bool is_next(const struct graph *g, const oclmm_events *relation, unsigned a, unsigned b)
{
	if (!(relation[a] & BIT(b)))
		return false;
	for (unsigned k = 0; k < g->x->count; k++)
		if (relation[a] & BIT(k) && relation[k] & BIT(b))
			return false;
	return true;
}

static void collect_reads(struct graph *g)
{
	const struct oclmm_execution *x = g->x;

	for (unsigned r = x->init_count; r < x->count; r++) {
		if (!oclmm_event_reads(&x->event[r]))
			continue;
		add_edge_arrow(g, OCLMM_EDGE_RF, x->rf[r], r);
		for (unsigned w = 0; w < x->count; w++)
			if (w != r && x->mo[x->rf[r]] & BIT(w) &&
			    (is_next(g, x->mo, x->rf[r], w) || in_cycle(g, OCLMM_EDGE_FR, r, w)))
				add_edge_arrow(g, OCLMM_EDGE_FR, r, w);
	}
}

static unsigned sw_kind(const struct oclmm_execution *x, unsigned from, unsigned to)
{
	for (unsigned space = 0; space < OCLMM_SPACE_COUNT; space++)
		if (space != OCLMM_SPACE_LOCAL && x->sw[space][from] & BIT(to))
			return OCLMM_EDGE_SW;
	return x->sw[OCLMM_SPACE_LOCAL][from] & BIT(to) ? KIND_LOCAL_SW : OCLMM_EDGE_SW;
}

/* The edges between two events of threads that stand in the execution as they are. */
static void collect_pair(struct graph *g, unsigned a, unsigned b)
{
	const struct oclmm_execution *x = g->x;

	if (is_next(g, x->sb, a, b))
		add_edge_arrow(g, OCLMM_EDGE_SB, a, b);
	if (oclmm_execution_sw(x, a) & BIT(b))
		add_edge_arrow(g, sw_kind(x, a, b), a, b);
	if (is_next(g, x->mo, a, b))
		add_edge_arrow(g, OCLMM_EDGE_MO, a, b);
}

static void collect_arrows(struct graph *g)
{
	const struct oclmm_execution *x = g->x;
	const struct oclmm_violation *v = g->e->violation;

	for (unsigned a = x->init_count; a < x->count; a++)
		for (unsigned b = x->init_count; b < x->count; b++)
			collect_pair(g, a, b);
	collect_reads(g);
	for (unsigned i = 0; v && i < v->step_count; i++)
		if (v->steps[i].edge != OCLMM_EDGE_SB)
			add_edge_arrow(g,
			               v->steps[i].edge == OCLMM_EDGE_SW
			                       ? sw_kind(x, v->steps[i].from, v->steps[i].to)
			                       : v->steps[i].edge,
			               v->steps[i].from, v->steps[i].to);
	if (g->e->status == OCLMM_STATUS_UNDEFINED) {
		struct arrow *race = new_arrow(g, KIND_RACE, g->e->race_a, g->e->race_b);

		race->bold = true;
		race->kinds = 1u << KIND_RACE;
		g->used |= race->kinds;
	}
}

static void graph_make(struct graph *g, const struct oclmm_explanation *e)
{
	*g = (struct graph){.e = e, .x = e->execution};
	sort_columns(g);
	choose_events(g);
	collect_arrows(g);
}

static void graph_finish(struct graph *g)
{
	free(g->arrows);
	*g = (struct graph){0};
}

/* `rf sw`, `race`. */
static void graph_print_kinds(struct oclmm_text *text, const struct arrow *arrow)
{
	const char *space = "";

	for (unsigned k = 0; k < KIND_COUNT; k++) {
		if (!(arrow->kinds & 1u << k))
			continue;
		oclmm_text_printf(text, "%s%s", space, kind_name(k));
		space = " ";
	}
}

/* `P0, sub-group 1`, or `host`. */
static void graph_print_thread(struct oclmm_text *text, const struct graph *g, unsigned column)
{
	const struct oclmm_thread *t = graph_thread(g, column);

	oclmm_text_printf(text, "P%u", t->id);
	if (t->placement.sub_group_given)
		oclmm_text_printf(text, ", sub-group %u", t->placement.sub_group);
}

static void graph_print_group(struct oclmm_text *text, const struct graph *g, unsigned column)
{
	const struct oclmm_placement *p = &graph_thread(g, column)->placement;

	if (p->command.kind)
		oclmm_text_add(text, oclmm_command_word(p->command.kind));
	else if (p->child)
		oclmm_text_add(text, "child kernel");
	else
		oclmm_text_printf(text, "work-group %u", p->work_group);
}

static void graph_print_device(struct oclmm_text *text, const struct graph *g, unsigned column)
{
	const struct oclmm_placement *p = &graph_thread(g, column)->placement;

	if (is_host(p))
		oclmm_text_add(text, "host");
	else
		oclmm_text_printf(text, "device %u", p->device);
	if (oclmm_program_has_queues(g->e->program) && !is_host(p))
		oclmm_text_printf(text, ", queue %u", p->queue);
}

static void graph_print_verdict(struct oclmm_text *text, const struct graph *g)
{
	const struct oclmm_explanation *e = g->e;

	if (e->values) {
		oclmm_outcome_print(text, e->program, e->values);
		oclmm_text_add(text, " ");
	}
	oclmm_text_add(text, oclmm_status_word(e->status));
	if (e->violation)
		oclmm_text_printf(text, " (%s)", e->violation->rule);
}

/* ---- for Graphviz ---------------------------------------------------------- */

/*
 * An execution in Graphviz' language, for those who want to place and paint it
 * themselves: a cluster per device and work-group, and in it the threads.
 */

/* A string in Graphviz' quotes; a newline becomes a line of the label. */
static void quote(struct oclmm_text *text, const char *string)
{
	oclmm_text_add(text, "\"");
	for (; *string; string++) {
		if (*string == '"' || *string == '\\')
			oclmm_text_add(text, "\\");
		if (*string == '\n')
			oclmm_text_add(text, "\\n");
		else
			oclmm_text_add_bytes(text, string, 1);
	}
	oclmm_text_add(text, "\"");
}

static void quote_text(struct oclmm_text *text, struct oclmm_text *words)
{
	quote(text, oclmm_text_string(words));
	oclmm_text_finish(words);
}

static void write_event(struct oclmm_text *text, const struct graph *g, unsigned event)
{
	struct oclmm_text words = {0};

	oclmm_event_print(&words, g->e->program, g->x, event);
	oclmm_text_printf(text, "e%u [label=", event);
	quote_text(text, &words);
	if (graph_races(g, event))
		oclmm_text_add(text, ", style=\"filled,bold\", fillcolor=\"#f4d9d9\"");
	else if (graph_is_initial(g, event))
		oclmm_text_add(text, ", style=rounded");
	if (graph_races(g, event) || graph_cycle_touches(g, event))
		oclmm_text_add(text, ", penwidth=2.5");
	oclmm_text_add(text, "];\n");
}

static void add_thread(struct oclmm_text *text, const struct graph *g, unsigned column)
{
	struct oclmm_text words = {0};

	graph_print_thread(&words, g, column);
	oclmm_text_printf(text, "P%u [shape=plaintext, label=", g->thread[column]);
	quote_text(text, &words);
	oclmm_text_add(text, "];\n");
	for (unsigned i = g->x->init_count; i < g->x->count; i++) {
		if (g->column[i] != column)
			continue;
		write_event(text, g, i);
		/* the name of a thread stands over its first event */
		if (g->row[i] == 1)
			oclmm_text_printf(text, "P%u -> e%u [style=invis];\n", g->thread[column],
			                  i);
	}
}

static void open_cluster(struct oclmm_text *text, const struct graph *g, char kind, unsigned column,
                         const char *style, print_name *print)
{
	struct oclmm_text words = {0};

	print(&words, g, column);
	oclmm_text_printf(text,
	                  "subgraph cluster_%c%u {\nstyle=\"%s\"; color=\"#808080\"; label=", kind,
	                  column, style);
	quote_text(text, &words);
	oclmm_text_add(text, ";\n");
}

static void add_threads(struct oclmm_text *text, const struct graph *g)
{
	for (unsigned c = 0; c < g->column_count; c++) {
		bool host = graph_is_host(g, c);
		bool last = c + 1 == g->column_count;

		if (c == 0 || !graph_same_device(g, c - 1, c))
			open_cluster(text, g, 'd', c, "rounded", graph_print_device);
		if (!host && (c == 0 || !graph_same_group(g, c - 1, c)))
			open_cluster(text, g, 'g', c, "rounded,dashed", graph_print_group);
		add_thread(text, g, c);
		if (!host && (last || !graph_same_group(g, c, c + 1)))
			oclmm_text_add(text, "}\n");
		if (last || !graph_same_device(g, c, c + 1))
			oclmm_text_add(text, "}\n");
	}
}

/* Only sb and the initial writes say which event stands above which. */
static void write_arrow(struct oclmm_text *text, const struct graph *g, const struct arrow *a)
{
	const struct look *look = kind_look(a->look);
	struct oclmm_text words = {0};

	graph_print_kinds(&words, a);
	oclmm_text_printf(text, "e%u -> e%u [color=\"%s", a->from, a->to, look->colour);
	if (look->doubled)
		oclmm_text_printf(text, ":#ffffff:%s", look->colour);
	oclmm_text_printf(text,
	                  "\", fontcolor=\"%s\", style=%s, arrowhead=%s, penwidth=%s%s%s, label=",
	                  look->colour, look->dot_style, look->dot_shape, a->bold ? "3" : "1.2",
	                  a->look == KIND_RACE ? ", dir=both, arrowtail=box" : "",
	                  a->kinds & 1u << OCLMM_EDGE_SB || graph_is_initial(g, a->from)
	                          ? ""
	                          : ", constraint=false");
	quote_text(text, &words);
	oclmm_text_add(text, "];\n");
}

int oclmm_picture_dot(struct oclmm_text *text, const struct oclmm_explanation *e)
{
	struct oclmm_text words = {0};
	struct graph g;

	if (!e->execution)
		return -ENOENT;
	graph_make(&g, e);
	oclmm_text_add(text, "digraph execution {\nlabel=");
	oclmm_text_printf(&words, "%s\n", e->program->name);
	graph_print_verdict(&words, &g);
	quote_text(text, &words);
	oclmm_text_add(text, "; labelloc=t; fontname=\"Helvetica\"; fontsize=13;\n"
	                     "node [shape=box, height=0.33, fontname=\"Courier\", fontsize=12];\n"
	                     "edge [fontname=\"Helvetica\", fontsize=11];\n");
	for (unsigned i = 0; i < g.x->init_count; i++)
		if (g.shown & BIT(i))
			write_event(text, &g, i);
	add_threads(text, &g);
	for (size_t i = 0; i < g.arrow_count; i++)
		write_arrow(text, &g, &g.arrows[i]);
	oclmm_text_add(text, "}\n");
	graph_finish(&g);
	return 0;
}

/* ---- as SVG ---------------------------------------------------------------- */

/*
 * An execution as SVG: first placed, then painted. Threads are columns, events rows; between the
 * columns lie gaps and between the rows passages, and arrows stay in these, so that none ever
 * touches an event that it does not belong to:
 *
 *   down    to the next event of the thread, straight
 *   lane    along the side of a column: within a thread, or from an initial write
 *   across  to another column: through the gap, and by a passage past the columns between
 *
 * First everything is arranged without lengths, then measured, the lines drawn and the names put
 * beside them. Where a name finds no free place, the gap is made wider and the measuring starts
 * again.
 *
 * All lengths are whole tenths of a pixel: the same picture on every machine. Colours are
 * attributes, so that every reader of SVG has them; those for dark paper are a style sheet, which
 * overrides them.
 */

enum {
	PX = 10,
	NODE_FONT = 12, /* in pixels, monospaced */
	EDGE_FONT = 11,
	TEXT_FONT = 13,
	LEGEND_ROW = 20 * PX,
	LEGEND_SAMPLE = 44 * PX, /* the arrow in front of the words */
	LEGEND_INDENT = 12 * PX,
	LEGEND_TEXT = 12 * PX, /* between arrow and words */
};

struct point {
	int x, y;
};

struct box {
	int left, top, right, bottom;
};

/* Pieces of a line: straight, or a cubic curve by way of two control points. */
struct piece {
	bool curved;
	struct point a, b, to;
};

enum { MAX_PIECES = 6, CURVE_STEPS = 12, MAX_POINTS = MAX_PIECES * CURVE_STEPS + 1 };

enum side { WEST, EAST, SIDE_COUNT };
enum way { WAY_DOWN, WAY_LANE, WAY_ACROSS };

struct route {
	const struct arrow *arrow;
	/* arranged */
	enum way way;
	unsigned column; /* lane: along which column, */
	enum side side;  /* on which side, */
	unsigned lane;   /* and its number, counted from the column */
	bool tracked;    /* across: past columns, through the passage under this row, */
	unsigned passage, track;
	unsigned port[2]; /* at each end: its number among the arrows there, from above or left */
	/* drawn */
	struct point start;
	struct piece pieces[MAX_PIECES];
	unsigned piece_count;
	struct point points[MAX_POINTS]; /* the line as straight steps, node to node */
	unsigned point_count;
	struct box label; /* its name may be narrower, */
	int label_side;   /* and then keeps left (1), right (-1) or to the middle: to the line */
	bool labelled;
};

/* How many arrows end at the sides of an event, and at the bottom of an initial write. */
struct ports {
	unsigned count[SIDE_COUNT];
	unsigned below;
};

struct layout {
	struct graph graph;
	struct route *routes; /* one per arrow */
	/* arranged */
	struct ports ports[OCLMM_MAX_EVENTS];
	unsigned lanes[OCLMM_MAX_THREADS][SIDE_COUNT];
	unsigned tracks[OCLMM_MAX_EVENTS + 1]; /* by passage; 0 is above the first row */
	/* widened, for the sake of names */
	int more_gap[OCLMM_MAX_THREADS]; /* left of the column */
	int more_passage[OCLMM_MAX_EVENTS + 1];
	int more_port[OCLMM_MAX_EVENTS + 1]; /* by row, between arrows at an event */
	int more_top;
	/* measured */
	struct box node[OCLMM_MAX_EVENTS];
	struct box column[OCLMM_MAX_THREADS];
	int lane_width[OCLMM_MAX_THREADS][SIDE_COUNT];
	int passage_middle[OCLMM_MAX_EVENTS + 1];
	struct box group[OCLMM_MAX_THREADS];  /* by first column; empty: none begins there */
	struct box device[OCLMM_MAX_THREADS]; /* likewise */
	struct box thread_name[OCLMM_MAX_THREADS];
	struct box group_name[OCLMM_MAX_THREADS], device_name[OCLMM_MAX_THREADS];
	struct box title[2]; /* name, verdict */
	struct box field;    /* where events and arrows lie: between title and legend */
	unsigned legend_columns, legend_rows;
	int legend_width; /* of a column of it */
	int width, height;
};

static inline bool box_is_empty(const struct box *b)
{
	return b->right <= b->left;
}

static inline int box_middle_x(const struct box *b)
{
	return (b->left + b->right) / 2;
}

static inline int box_middle_y(const struct box *b)
{
	return (b->top + b->bottom) / 2;
}

/* Length and half the width of an arrow's head. */
static inline int head_length(const struct arrow *arrow)
{
	return arrow->bold ? 13 * PX : 10 * PX;
}

static inline int head_half_width(const struct arrow *arrow)
{
	return arrow->bold ? 5 * PX : 35 * PX / 10;
}

/* What stands above the base line of a font. */
static inline int text_ascent(int font)
{
	return font * PX * 8 / 10;
}

/* ---- how wide words are ---------------------------------------------------------------- */

/* In hundredths of an em. A character beyond ASCII may be as wide as high. */
static int letter_width(unsigned char c)
{
	if (c >= 0x80)
		return 100;
	if (strchr(" !'(),-./:;I[]fijlrt|", c))
		return 46;
	if (strchr("mwMW%@&+=<>_~^#", c))
		return 108;
	return c >= 'A' && c <= 'Z' ? 80 : 65;
}

/* Of UTF-8, the first byte of each character counts. */
static bool begins_letter(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/*
 * How wide a string is at most, in any font that a reader is likely to have:
 * by the widths of Verdana and DejaVu Sans, the widest of the common ones,
 * rounded up. Monospaced letters are 0.6 em wide in nearly all fonts.
 */
static int text_width(const char *string, int font)
{
	int hundredths = 0;

	for (; *string; string++)
		if (begins_letter(*string))
			hundredths += letter_width((unsigned char)*string);
	return (hundredths * font * PX + 99) / 100;
}

static int text_width_bold(const char *string, int font)
{
	return text_width(string, font) * 115 / 100;
}

static int text_width_mono(const char *string, int font)
{
	int hundredths = 0;

	for (; *string; string++)
		if (begins_letter(*string))
			hundredths += (unsigned char)*string < 0x80 ? 61 : 100;
	return (hundredths * font * PX + 99) / 100;
}

static int text_descent(int font)
{
	return font * PX / 4;
}

/*
 * Which way each arrow takes, and in which order arrows lie beside each other.
 * Places are told in half rows: row r is 2r, the passage under it 2r + 1, and
 * the initial writes stand above all.
 */

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

static enum side route_side(const struct layout *l, const struct route *r, unsigned end)
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

static void arrange(struct layout *l)
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

/* From an arrangement to lengths: columns from left to right, then rows from top to bottom. */

enum {
	MARGIN = 10 * PX,
	BORDER = 11 * PX, /* between a box and what stands in it */
	GAP = 72 * PX,    /* between columns, without lanes and borders */
	COLUMN_LEAST = 76 * PX,
	NODE_PAD = 8 * PX,    /* between words and the border of a node */
	NODE_LEAST = 25 * PX, /* its height */
	PORT = 8 * PX,        /* between arrows at a node */
	LANE_FIRST = 21 * PX, /* from a column to its first lane */
	LANE_PAD = 7 * PX,    /* between lanes, beside a name */
	TRACK = 12 * PX,
	PASSAGE = 38 * PX,     /* between rows */
	LINE = 18 * PX,        /* of words */
	TOP = 36 * PX,         /* between initial writes and boxes */
	INITIAL_GAP = 24 * PX, /* between initial writes */
};

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int name_width(const struct layout *l, print_name *print, unsigned column, bool bold)
{
	struct oclmm_text text = {0};
	int width;

	print(&text, &l->graph, column);
	width = bold ? text_width_bold(oclmm_text_string(&text), TEXT_FONT)
	             : text_width(oclmm_text_string(&text), TEXT_FONT);
	oclmm_text_finish(&text);
	return width;
}

static int event_width(const struct layout *l, unsigned event)
{
	struct oclmm_text text = {0};
	int width;

	oclmm_event_print(&text, l->graph.e->program, l->graph.x, event);
	width = text_width_mono(oclmm_text_string(&text), NODE_FONT) + 2 * NODE_PAD;
	oclmm_text_finish(&text);
	return width;
}

static int label_width(const struct arrow *arrow)
{
	struct oclmm_text text = {0};
	int width;

	graph_print_kinds(&text, arrow);
	width = text_width(oclmm_text_string(&text), EDGE_FONT);
	oclmm_text_finish(&text);
	return width;
}

/* ---- from left to right --------------------------------------------------------------- */

static bool begins_group(const struct layout *l, unsigned c)
{
	return !graph_is_host(&l->graph, c) && (c == 0 || !graph_same_group(&l->graph, c - 1, c));
}

static bool begins_device(const struct layout *l, unsigned c)
{
	return c == 0 || !graph_same_device(&l->graph, c - 1, c);
}

static int column_width(const struct layout *l, unsigned c)
{
	int width = larger(COLUMN_LEAST, name_width(l, graph_print_thread, c, true));

	if (begins_group(l, c))
		width = larger(width, name_width(l, graph_print_group, c, false));
	if (begins_device(l, c))
		width = larger(width, name_width(l, graph_print_device, c, false));
	for (unsigned i = l->graph.x->init_count; i < l->graph.x->count; i++)
		if (l->graph.column[i] == c)
			width = larger(width, event_width(l, i));
	return width;
}

/* Between lanes is room for the widest of their names. */
static void measure_lanes(struct layout *l)
{
	for (unsigned c = 0; c < l->graph.column_count; c++)
		for (unsigned s = 0; s < SIDE_COUNT; s++)
			l->lane_width[c][s] = 0;
	for (size_t i = 0; i < l->graph.arrow_count; i++) {
		const struct route *r = &l->routes[i];
		int *width = &l->lane_width[r->column][r->side];

		if (r->way == WAY_LANE)
			*width = larger(*width, label_width(r->arrow) + LANE_PAD);
	}
}

static int lanes_width(const struct layout *l, unsigned c, enum side side)
{
	unsigned count = l->lanes[c][side];

	return count ? LANE_FIRST + (int)count * l->lane_width[c][side] : 0;
}

static int lane_x(const struct layout *l, const struct route *r)
{
	int out = LANE_FIRST + (int)r->lane * l->lane_width[r->column][r->side];

	return r->side == EAST ? l->column[r->column].right + out : l->column[r->column].left - out;
}

/* Boxes end where the next column is in another one. */
static int end_boxes(struct layout *l, unsigned c, unsigned group, unsigned device, int at)
{
	bool last = c + 1 == l->graph.column_count;

	if (!graph_is_host(&l->graph, c) &&
	    (last || begins_group(l, c + 1) || graph_is_host(&l->graph, c + 1))) {
		at += BORDER;
		l->group[group].right = at;
	}
	if (last || begins_device(l, c + 1)) {
		at += BORDER;
		l->device[device].right = at;
	}
	return at;
}

static int measure_columns(struct layout *l, int at)
{
	unsigned group = 0, device = 0;

	for (unsigned c = 0; c < l->graph.column_count; c++) {
		l->group[c] = l->device[c] = (struct box){0};
		at += c ? GAP + l->more_gap[c] : 0;
		if (begins_device(l, c)) {
			l->device[device = c].left = at;
			at += BORDER;
		}
		if (begins_group(l, c)) {
			l->group[group = c].left = at;
			at += BORDER;
		}
		at += lanes_width(l, c, WEST);
		l->column[c].left = at;
		at += column_width(l, c);
		l->column[c].right = at;
		at += lanes_width(l, c, EAST);
		at = end_boxes(l, c, group, device, at);
	}
	return at;
}

/* ---- from top to bottom ------------------------------------------------------------------ */

static int port_pitch(const struct layout *l, unsigned event)
{
	return PORT + l->more_port[l->graph.row[event]];
}

static int row_height(const struct layout *l, unsigned row)
{
	int height = NODE_LEAST;

	for (unsigned i = l->graph.x->init_count; i < l->graph.x->count; i++)
		for (unsigned s = 0; l->graph.row[i] == row && s < SIDE_COUNT; s++)
			height = larger(height,
			                (int)l->ports[i].count[s] * port_pitch(l, i) + 6 * PX);
	return height;
}

static void place_row(struct layout *l, unsigned row, int top, int bottom)
{
	for (unsigned i = l->graph.x->init_count; i < l->graph.x->count; i++) {
		const struct box *column = &l->column[l->graph.column[i]];

		if (l->graph.row[i] == row)
			l->node[i] = (struct box){column->left, top, column->right, bottom};
	}
}

static int place_passage(struct layout *l, unsigned passage, int at)
{
	bool outside = passage == 0 || passage == l->graph.rows;
	int height = (!outside             ? PASSAGE
	              : l->tracks[passage] ? 12 * PX
	                                   : 4 * PX) +
	             (int)l->tracks[passage] * TRACK + l->more_passage[passage];

	l->passage_middle[passage] = at + height / 2;
	return at + height;
}

static int place_rows(struct layout *l, int at)
{
	at = place_passage(l, 0, at);
	for (unsigned row = 1; row <= l->graph.rows; row++) {
		int bottom = at + row_height(l, row);

		place_row(l, row, at, bottom);
		at = place_passage(l, row, bottom);
	}
	return at;
}

static int track_y(const struct layout *l, const struct route *r)
{
	int count = (int)l->tracks[r->passage];

	return l->passage_middle[r->passage] + (2 * (int)r->track - count + 1) * TRACK / 2;
}

/* The names of boxes stand over the column that is first in them, where no arrow comes by. */
static int place_names(struct layout *l, int top)
{
	bool groups = false;
	int at = top + LINE + 2 * PX;

	for (unsigned c = 0; c < l->graph.column_count; c++)
		groups |= begins_group(l, c);
	for (unsigned c = 0; c < l->graph.column_count; c++) {
		const struct box *column = &l->column[c];
		struct box line = {column->left, top, column->right, top + LINE};

		l->device[c].top = top;
		if (begins_device(l, c))
			l->device_name[c] = line;
		line.top = l->group[c].top = at;
		line.bottom = at + LINE;
		if (begins_group(l, c))
			l->group_name[c] = line;
		line.top = groups ? at + LINE : at;
		line.bottom = line.top + LINE;
		l->thread_name[c] = line;
	}
	return at + LINE + (groups ? LINE : 0);
}

static int place_boxes(struct layout *l, int top)
{
	int at = place_names(l, top);

	at = place_rows(l, at);
	for (unsigned c = 0; c < l->graph.column_count; c++) {
		l->column[c].top = top;
		l->column[c].bottom = at;
		l->group[c].bottom = at + BORDER / 2;
		l->device[c].bottom = at + BORDER / 2 + BORDER;
	}
	return at + BORDER / 2 + BORDER;
}

/* ---- initial writes -------------------------------------------------------------------------- */

static int initial_width(const struct layout *l, unsigned event)
{
	return larger(event_width(l, event), (int)l->ports[event].below * PORT + 2 * NODE_PAD);
}

/* Over the lanes that its arrows lead to. */
static int wanted_x(const struct layout *l, unsigned event)
{
	int sum = 0, count = 0;

	for (size_t i = 0; i < l->graph.arrow_count; i++) {
		if (l->routes[i].arrow->from != event)
			continue;
		sum += lane_x(l, &l->routes[i]);
		count++;
	}
	return count ? sum / count : 0;
}

static unsigned sort_initial_writes(const struct layout *l, unsigned order[OCLMM_MAX_EVENTS])
{
	unsigned count = 0;

	for (unsigned i = 0; i < l->graph.x->init_count; i++) {
		unsigned at;

		if (!(l->graph.shown & BIT(i)))
			continue;
		for (at = count++; at > 0 && wanted_x(l, order[at - 1]) > wanted_x(l, i); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	return count;
}

/* Side by side, each as near to its place as the ones before it let it. Returns where they end. */
static int place_initial_writes(struct layout *l, int top)
{
	unsigned order[OCLMM_MAX_EVENTS], count = sort_initial_writes(l, order);
	int at = MARGIN;

	for (unsigned k = 0; k < count; k++) {
		int width = initial_width(l, order[k]);
		int left = larger(at, wanted_x(l, order[k]) - width / 2);

		l->node[order[k]] = (struct box){left, top, left + width, top + NODE_LEAST};
		at = left + width + INITIAL_GAP;
	}
	return count ? at - INITIAL_GAP : 0;
}

static bool has_initial_writes(const struct layout *l)
{
	return l->graph.shown & (BIT(l->graph.x->init_count) - 1);
}

static int measure_title(struct layout *l)
{
	struct oclmm_text text = {0};
	int name = text_width_bold(l->graph.e->program->name, TEXT_FONT), verdict;

	graph_print_verdict(&text, &l->graph);
	verdict = text_width(oclmm_text_string(&text), TEXT_FONT);
	oclmm_text_finish(&text);
	l->title[0] = (struct box){MARGIN, MARGIN, MARGIN + name, MARGIN + LINE};
	l->title[1] = (struct box){MARGIN, MARGIN + LINE, MARGIN + verdict, MARGIN + 2 * LINE};
	return larger(name, verdict) + 2 * MARGIN;
}

static void measure_legend(struct layout *l, int width)
{
	unsigned entries = (unsigned)__builtin_popcount(l->graph.used);

	l->legend_width = 0;
	for (unsigned k = 0; k < KIND_COUNT; k++)
		if (l->graph.used & 1u << k)
			l->legend_width = larger(l->legend_width,
			                         text_width(kind_name(k), EDGE_FONT) +
			                                 text_width(": ", EDGE_FONT) +
			                                 text_width(kind_meaning(k), EDGE_FONT));
	l->legend_width += LEGEND_INDENT + LEGEND_SAMPLE + LEGEND_TEXT;
	l->legend_columns = entries > 2 && width >= 2 * l->legend_width + 2 * MARGIN ? 2 : 1;
	l->legend_rows = (entries + l->legend_columns - 1) / l->legend_columns;
}

static void measure_height(struct layout *l)
{
	int at = l->title[1].bottom + BORDER;

	l->field.top = at;
	place_initial_writes(l, at);
	if (has_initial_writes(l))
		at += NODE_LEAST + TOP + l->more_top;
	at = place_boxes(l, at);
	l->field.bottom = at;
	l->height = at + BORDER + (int)l->legend_rows * LEGEND_ROW + MARGIN;
}

/* Twice, where the title is wider than what lies under it, to put that in the middle. */
static void measure(struct layout *l)
{
	int title = measure_title(l), right;

	measure_lanes(l);
	right = measure_columns(l, MARGIN) + MARGIN;
	right = larger(right, place_initial_writes(l, 0) + MARGIN);
	measure_legend(l, larger(right, title));
	l->width = larger(larger(right, title), l->legend_width + 2 * MARGIN);
	measure_columns(l, MARGIN + (l->width - right) / 2);
	measure_height(l);
	l->field.left = MARGIN / 2;
	l->field.right = l->width - MARGIN / 2;
}

static struct point port_place(const struct layout *l, unsigned event, enum side side,
                               unsigned port)
{
	const struct box *node = &l->node[event];
	int count = (int)(graph_is_initial(&l->graph, event) ? l->ports[event].below
	                                                     : l->ports[event].count[side]);
	int off = (2 * (int)port - count + 1) * port_pitch(l, event) / 2;

	if (graph_is_initial(&l->graph, event))
		return (struct point){box_middle_x(node) + off, node->bottom};
	return (struct point){side == EAST ? node->right : node->left, box_middle_y(node) + off};
}

/* The lines of arrows, from the border of one event to the border of the other. */

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
	struct point from = port_place(l, r->arrow->from, r->side, r->port[0]);
	struct point to = port_place(l, r->arrow->to, r->side, r->port[1]);
	int x = lane_x(l, r), in = r->side == EAST ? -CORNER : CORNER;
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
	struct point from = port_place(l, r->arrow->from, out, r->port[0]);
	struct point to = port_place(l, r->arrow->to, in, r->port[1]);
	int step = out == EAST ? 1 : -1, head = step * head_length(r->arrow);
	bool tail = r->arrow->look == KIND_RACE;

	r->start = from;
	if (tail)
		straight_to(r, from.x + head, from.y);
	if (r->tracked) {
		const struct box *first = &l->column[(int)l->graph.column[r->arrow->from] + step];
		const struct box *last = &l->column[(int)l->graph.column[r->arrow->to] - step];
		int y = track_y(l, r);

		wave_to(r, out == EAST ? first->left : first->right, y);
		straight_to(r, out == EAST ? last->right : last->left, y);
	}
	/* the head lies level */
	wave_to(r, to.x - head, to.y);
	straight_to(r, to.x, to.y);
}

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

static void draw_lines(struct layout *l)
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

/*
 * Where the names of arrows stand: beside their own line, clear of events, of
 * other words and of all lines. Places are tried along the line from a
 * favourite on, first with much room around, then with less.
 */

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

/* The point after `step` of STEPS steps along the line. */
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

/* Puts a name at each arrow; where that cannot be done, notes what should be wider. Returns whether
 * all found a place. The last time, names may lie on lines. */
static bool place_labels(struct layout *l, bool last)
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

/* ---- all of it ------------------------------------------------------------------------- */

/* How often gaps are made wider. One round does for most pictures; dense ones take a few. */
enum { MAX_ROUNDS = 40 };

/* Everything: where each event, arrow and name stands. */
static void lay_out(struct layout *l, const struct oclmm_explanation *e)
{
	bool done = false;

	*l = (struct layout){0};
	graph_make(&l->graph, e);
	l->routes = oclmm_calloc(l->graph.arrow_count + 1, sizeof(*l->routes));
	for (size_t i = 0; i < l->graph.arrow_count; i++)
		l->routes[i].arrow = &l->graph.arrows[i];
	arrange(l);
	for (int round = 0; !done && round <= MAX_ROUNDS; round++) {
		measure(l);
		draw_lines(l);
		done = place_labels(l, round == MAX_ROUNDS);
	}
}

static void layout_finish(struct layout *l)
{
	free(l->routes);
	graph_finish(&l->graph);
}

/* ---- painting --------------------------------------------------------------------------- */

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

static void add_stroke(struct oclmm_text *text, const struct route *r, const char *colour,
                       int width)
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

/* Line and heads, in the colour that is current. */
static void paint_arrow(struct oclmm_text *text, const struct route *r)
{
	const struct look *look = kind_look(r->arrow->look);
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
	bool racing = graph_races(d->g, event), bold = racing || graph_cycle_touches(d->g, event);
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

/* ---- threads and arrows
 * -------------------------------------------------------------------------------- */

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
	lay_out(l, e);
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
