// SPDX-License-Identifier: Apache-2.0
/*
 * An execution on paper. Threads are columns, events rows; between the columns
 * lie gaps and between the rows passages, and arrows stay in these, so that
 * none ever touches an event that it does not belong to:
 *
 *   down    to the next event of the thread, straight
 *   lane    along the side of a column: within a thread, or from an initial write
 *   across  to another column: through the gap, and by a passage past the columns between
 *
 * First everything is arranged without lengths, then measured, the lines drawn
 * and the names put beside them. Where a name finds no free place, the gap is
 * made wider and the measuring starts again.
 *
 * All lengths are whole tenths of a pixel: the same picture on every machine.
 */
#ifndef OCLMM_PICTURE_LAYOUT_H
#define OCLMM_PICTURE_LAYOUT_H

#include "graph.h"

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

/* Everything: where each event, arrow and name stands. */
void oclmm_layout_make(struct layout *layout, const struct oclmm_explanation *e);
void oclmm_layout_finish(struct layout *layout);

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

#endif
