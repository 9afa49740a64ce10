// SPDX-License-Identifier: Apache-2.0
/*
 * Which events and edges of an execution are shown, and in which order the
 * threads stand. Knows nothing of paper: dot.c and the layout both start here.
 */
#ifndef OCLMM_PICTURE_GRAPH_H
#define OCLMM_PICTURE_GRAPH_H

#include "oclmm/explain.h"

#define BIT(n) ((oclmm_events)1 << (n))

/* Kinds of arrows: the edges, and the race between two accesses. */
enum { KIND_RACE = OCLMM_EDGE_COUNT, KIND_COUNT };

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
const struct look *oclmm_kind_look(unsigned kind);
const char *oclmm_kind_name(unsigned kind);
const char *oclmm_kind_meaning(unsigned kind);

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

/* The explanation must have an execution. */
void oclmm_graph_make(struct graph *graph, const struct oclmm_explanation *e);
void oclmm_graph_finish(struct graph *graph);

bool oclmm_graph_cycle_touches(const struct graph *graph, unsigned event);
bool oclmm_graph_races(const struct graph *graph, unsigned event);
bool oclmm_graph_is_initial(const struct graph *graph, unsigned event);
bool oclmm_graph_is_host(const struct graph *graph, unsigned column);
/* Whether two columns are in one work-group, on one device. */
bool oclmm_graph_same_group(const struct graph *graph, unsigned a, unsigned b);
bool oclmm_graph_same_device(const struct graph *graph, unsigned a, unsigned b);

/* `rf sw`, `race`. */
void oclmm_graph_print_kinds(struct oclmm_text *text, const struct arrow *arrow);
typedef void print_name(struct oclmm_text *text, const struct graph *graph, unsigned column);
/* `P0, sub-group 1`, `work-group 0`, `device 0` or `host`. */
void oclmm_graph_print_thread(struct oclmm_text *text, const struct graph *graph, unsigned column);
void oclmm_graph_print_group(struct oclmm_text *text, const struct graph *graph, unsigned column);
void oclmm_graph_print_device(struct oclmm_text *text, const struct graph *graph, unsigned column);
/* Name of the test; outcome, verdict and rule. */
void oclmm_graph_print_verdict(struct oclmm_text *text, const struct graph *graph);

#endif
