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
 * First everything is arranged without lengths (arrange.c), then measured
 * (measure.c), the lines drawn (line.c) and the names put beside them
 * (label.c). Where a name finds no free place, the gap is made wider and the
 * measuring starts again (layout.c).
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
	unsigned lane;   /* and the how manieth, counted from the column */
	bool tracked;    /* across: past columns, through the passage under this row, */
	unsigned passage, track;
	unsigned port[2]; /* at each end: the how manieth of the arrows there, from above or left */
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
void layout_make(struct layout *layout, const struct oclmm_explanation *e);
void layout_finish(struct layout *layout);

/* ---- the steps, in this order ------------------------------------------------- */

void layout_arrange(struct layout *layout);
void layout_measure(struct layout *layout);
void layout_lines(struct layout *layout);
/* Puts a name at each arrow; where that cannot be done, notes what should be wider. Returns whether
 * all found a place. The last time, names may lie on lines. */
bool layout_labels(struct layout *layout, bool last);

/* ---- what several of them ask ---------------------------------------------------- */

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
int head_length(const struct arrow *arrow);
int head_half_width(const struct arrow *arrow);
/* Where an arrow meets an event: at its side, or of an initial write at the bottom. */
struct point layout_port(const struct layout *layout, unsigned event, enum side side,
                         unsigned port);
/* The side of a column that an arrow across leaves it by (end 0) or comes to it by (end 1). */
enum side route_side(const struct layout *layout, const struct route *route, unsigned end);
int layout_lane_x(const struct layout *layout, const struct route *route);
int layout_track_y(const struct layout *layout, const struct route *route);

/*
 * How wide a string is at most, in any font that a reader is likely to have:
 * by the widths of Verdana and DejaVu Sans, the widest of the common ones,
 * rounded up. Monospaced letters are 0.6 em wide in nearly all fonts.
 */
int text_width(const char *string, int font);
int text_width_bold(const char *string, int font);
int text_width_mono(const char *string, int font);
int label_width(const struct arrow *arrow);
/* What stands above the base line and below it. */
int text_ascent(int font);
int text_descent(int font);

#endif
