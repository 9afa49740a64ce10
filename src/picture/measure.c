// SPDX-License-Identifier: Apache-2.0
/* From an arrangement to lengths: columns from left to right, then rows from top to bottom. */
#include "layout.h"

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

/* ---- words ------------------------------------------------------------------------- */

typedef void print_name(struct oclmm_text *text, const struct graph *g, unsigned column);

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

int label_width(const struct arrow *arrow)
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

int layout_lane_x(const struct layout *l, const struct route *r)
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

int layout_track_y(const struct layout *l, const struct route *r)
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
		sum += layout_lane_x(l, &l->routes[i]);
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

/* ---- the whole ---------------------------------------------------------------------------------
 */

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
void layout_measure(struct layout *l)
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

int head_length(const struct arrow *a)
{
	return a->bold ? 13 * PX : 10 * PX;
}

int head_half_width(const struct arrow *a)
{
	return a->bold ? 5 * PX : 35 * PX / 10;
}

struct point layout_port(const struct layout *l, unsigned event, enum side side, unsigned port)
{
	const struct box *node = &l->node[event];
	int count = (int)(graph_is_initial(&l->graph, event) ? l->ports[event].below
	                                                     : l->ports[event].count[side]);
	int off = (2 * (int)port - count + 1) * port_pitch(l, event) / 2;

	if (graph_is_initial(&l->graph, event))
		return (struct point){box_middle_x(node) + off, node->bottom};
	return (struct point){side == EAST ? node->right : node->left, box_middle_y(node) + off};
}
