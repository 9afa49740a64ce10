// SPDX-License-Identifier: Apache-2.0
/*
 * An execution in Graphviz' language, for those who want to place and paint it
 * themselves: a cluster per device and work-group, and in it the threads.
 */
#include "oclmm/picture.h"

#include <errno.h>

#include "graph.h"

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

static void add_event(struct oclmm_text *text, const struct graph *g, unsigned event)
{
	struct oclmm_text words = {0};

	oclmm_event_print(&words, g->e->program, g->x, event);
	oclmm_text_printf(text, "e%u [label=", event);
	quote_text(text, &words);
	if (oclmm_graph_races(g, event))
		oclmm_text_add(text, ", style=\"filled,bold\", fillcolor=\"#f4d9d9\"");
	else if (oclmm_graph_is_initial(g, event))
		oclmm_text_add(text, ", style=rounded");
	if (oclmm_graph_races(g, event) || oclmm_graph_cycle_touches(g, event))
		oclmm_text_add(text, ", penwidth=2.5");
	oclmm_text_add(text, "];\n");
}

static void add_thread(struct oclmm_text *text, const struct graph *g, unsigned column)
{
	struct oclmm_text words = {0};

	oclmm_graph_print_thread(&words, g, column);
	oclmm_text_printf(text, "P%u [shape=plaintext, label=", g->thread[column]);
	quote_text(text, &words);
	oclmm_text_add(text, "];\n");
	for (unsigned i = g->x->init_count; i < g->x->count; i++) {
		if (g->column[i] != column)
			continue;
		add_event(text, g, i);
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
		bool host = oclmm_graph_is_host(g, c);
		bool last = c + 1 == g->column_count;

		if (c == 0 || !oclmm_graph_same_device(g, c - 1, c))
			open_cluster(text, g, 'd', c, "rounded", oclmm_graph_print_device);
		if (!host && (c == 0 || !oclmm_graph_same_group(g, c - 1, c)))
			open_cluster(text, g, 'g', c, "rounded,dashed", oclmm_graph_print_group);
		add_thread(text, g, c);
		if (!host && (last || !oclmm_graph_same_group(g, c, c + 1)))
			oclmm_text_add(text, "}\n");
		if (last || !oclmm_graph_same_device(g, c, c + 1))
			oclmm_text_add(text, "}\n");
	}
}

/* Only sb and the initial writes say which event stands above which. */
static void add_arrow(struct oclmm_text *text, const struct graph *g, const struct arrow *a)
{
	const struct look *look = oclmm_kind_look(a->look);
	struct oclmm_text words = {0};

	oclmm_graph_print_kinds(&words, a);
	oclmm_text_printf(text, "e%u -> e%u [color=\"%s", a->from, a->to, look->colour);
	if (look->doubled)
		oclmm_text_printf(text, ":#ffffff:%s", look->colour);
	oclmm_text_printf(text,
	                  "\", fontcolor=\"%s\", style=%s, arrowhead=%s, penwidth=%s%s%s, label=",
	                  look->colour, look->dot_style, look->dot_shape, a->bold ? "3" : "1.2",
	                  a->look == KIND_RACE ? ", dir=both, arrowtail=box" : "",
	                  a->kinds & 1u << OCLMM_EDGE_SB || oclmm_graph_is_initial(g, a->from)
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
	oclmm_graph_make(&g, e);
	oclmm_text_add(text, "digraph execution {\nlabel=");
	oclmm_text_printf(&words, "%s\n", e->program->name);
	oclmm_graph_print_verdict(&words, &g);
	quote_text(text, &words);
	oclmm_text_add(text, "; labelloc=t; fontname=\"Helvetica\"; fontsize=13;\n"
	                     "node [shape=box, height=0.33, fontname=\"Courier\", fontsize=12];\n"
	                     "edge [fontname=\"Helvetica\", fontsize=11];\n");
	for (unsigned i = 0; i < g.x->init_count; i++)
		if (g.shown & BIT(i))
			add_event(text, &g, i);
	add_threads(text, &g);
	for (size_t i = 0; i < g.arrow_count; i++)
		add_arrow(text, &g, &g.arrows[i]);
	oclmm_text_add(text, "}\n");
	oclmm_graph_finish(&g);
	return 0;
}
