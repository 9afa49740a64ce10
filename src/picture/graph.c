// SPDX-License-Identifier: Apache-2.0
/* Which events and arrows of an execution are shown, how arrows look, and what is written at them.
 */
#include "graph.h"

#include <stdlib.h>

static const struct look looks[KIND_COUNT] = {
	[OCLMM_EDGE_SB] = {"#000000", "#e4e8ec", NULL, "solid", "normal", HEAD_FULL, false, 0},
	[OCLMM_EDGE_RF] = {"#b2182b", "#ff8a80", "6 3", "dashed", "normal", HEAD_FULL, false, 2},
	[OCLMM_EDGE_MO] = {"#2166ac", "#7db8f0", "2 3", "dotted", "vee", HEAD_OPEN, false, 1},
	[OCLMM_EDGE_FR] = {"#b35806", "#f0a050", "6 3", "dashed", "empty", HEAD_HOLLOW, false, 4},
	[OCLMM_EDGE_SW] = {"#1b7837", "#6fcf86", NULL, "solid", "normal", HEAD_FULL, true, 5},
	[OCLMM_EDGE_HB] = {"#636363", "#b0b0b0", NULL, "solid", "vee", HEAD_OPEN, false, 3},
	[OCLMM_EDGE_S] = {"#762a83", "#d8a0e8", "2 3", "dotted", "diamond", HEAD_DIAMOND, false, 6},
	[OCLMM_EDGE_DATA] = {"#762a83", "#d8a0e8", "2 3", "dotted", "dot", HEAD_DISC, false, 2},
	[KIND_RACE] = {"#b2182b", "#ff8a80", NULL, "solid", "box", HEAD_BOX, false, 7},
};

const struct look *oclmm_kind_look(unsigned kind)
{
	return &looks[kind];
}

const char *oclmm_kind_name(unsigned kind)
{
	return kind == KIND_RACE ? "race" : oclmm_edge_name((enum oclmm_edge)kind);
}

const char *oclmm_kind_meaning(unsigned kind)
{
	return kind == KIND_RACE ? "nothing orders the two accesses"
	                         : oclmm_edge_meaning((enum oclmm_edge)kind);
}

bool oclmm_graph_is_initial(const struct graph *g, unsigned event)
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

	for (unsigned i = 0; v && i < v->step_count; i++)
		if (v->steps[i].edge == kind && covers(g, &v->steps[i], from, to))
			return true;
	return false;
}

bool oclmm_graph_cycle_touches(const struct graph *g, unsigned event)
{
	const struct oclmm_violation *v = g->e->violation;

	for (unsigned i = 0; v && i < v->step_count; i++)
		if (v->steps[i].from == event || v->steps[i].to == event)
			return true;
	return false;
}

bool oclmm_graph_races(const struct graph *g, unsigned event)
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
			if (oclmm_event_reads(&x->event[i]) && oclmm_graph_is_initial(g, x->rf[i]))
				g->shown |= BIT(x->rf[i]);
		}
		if (row > g->rows)
			g->rows = row;
	}
	for (unsigned i = 0; i < x->init_count; i++)
		if (oclmm_graph_cycle_touches(g, i))
			g->shown |= BIT(i);
}

bool oclmm_graph_is_host(const struct graph *g, unsigned column)
{
	return is_host(&graph_thread(g, column)->placement);
}

bool oclmm_graph_same_device(const struct graph *g, unsigned a, unsigned b)
{
	if (oclmm_graph_is_host(g, a) || oclmm_graph_is_host(g, b))
		return oclmm_graph_is_host(g, a) && oclmm_graph_is_host(g, b);
	return oclmm_same_kernel(&graph_thread(g, a)->placement, &graph_thread(g, b)->placement);
}

bool oclmm_graph_same_group(const struct graph *g, unsigned a, unsigned b)
{
	return oclmm_graph_same_device(g, a, b) &&
	       (oclmm_graph_is_host(g, a) || oclmm_same_work_group(&graph_thread(g, a)->placement,
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

static void add_arrow(struct graph *g, unsigned kind, unsigned from, unsigned to)
{
	struct arrow *a = NULL;
	bool bold = in_cycle(g, kind, from, to);

	for (size_t i = 0; i < g->arrow_count; i++)
		if (g->arrows[i].from == from && g->arrows[i].to == to)
			a = &g->arrows[i];
	if (!a)
		a = new_arrow(g, kind, from, to);
	if ((bold && !a->bold) ||
	    (bold == a->bold && oclmm_kind_look(kind)->rank > oclmm_kind_look(a->look)->rank))
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
		add_arrow(g, OCLMM_EDGE_RF, x->rf[r], r);
		for (unsigned w = 0; w < x->count; w++)
			if (w != r && x->mo[x->rf[r]] & BIT(w) &&
			    (is_next(g, x->mo, x->rf[r], w) || in_cycle(g, OCLMM_EDGE_FR, r, w)))
				add_arrow(g, OCLMM_EDGE_FR, r, w);
	}
}

/* The edges between two events of threads that stand in the execution as they are. */
static void collect_pair(struct graph *g, unsigned a, unsigned b)
{
	const struct oclmm_execution *x = g->x;

	if (is_next(g, x->sb, a, b))
		add_arrow(g, OCLMM_EDGE_SB, a, b);
	if (oclmm_execution_sw(x, a) & BIT(b))
		add_arrow(g, OCLMM_EDGE_SW, a, b);
	if (is_next(g, x->mo, a, b))
		add_arrow(g, OCLMM_EDGE_MO, a, b);
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
			add_arrow(g, v->steps[i].edge, v->steps[i].from, v->steps[i].to);
	if (g->e->status == OCLMM_STATUS_UNDEFINED) {
		struct arrow *race = new_arrow(g, KIND_RACE, g->e->race_a, g->e->race_b);

		race->bold = true;
		race->kinds = 1u << KIND_RACE;
		g->used |= race->kinds;
	}
}

void oclmm_graph_make(struct graph *g, const struct oclmm_explanation *e)
{
	*g = (struct graph){.e = e, .x = e->execution};
	sort_columns(g);
	choose_events(g);
	collect_arrows(g);
}

void oclmm_graph_finish(struct graph *g)
{
	free(g->arrows);
	*g = (struct graph){0};
}

void oclmm_graph_print_kinds(struct oclmm_text *text, const struct arrow *arrow)
{
	const char *space = "";

	for (unsigned k = 0; k < KIND_COUNT; k++) {
		if (!(arrow->kinds & 1u << k))
			continue;
		oclmm_text_printf(text, "%s%s", space, oclmm_kind_name(k));
		space = " ";
	}
}

void oclmm_graph_print_thread(struct oclmm_text *text, const struct graph *g, unsigned column)
{
	const struct oclmm_thread *t = graph_thread(g, column);

	oclmm_text_printf(text, "P%u", t->id);
	if (t->placement.sub_group_given)
		oclmm_text_printf(text, ", sub-group %u", t->placement.sub_group);
}

void oclmm_graph_print_group(struct oclmm_text *text, const struct graph *g, unsigned column)
{
	const struct oclmm_placement *p = &graph_thread(g, column)->placement;

	if (p->command.kind)
		oclmm_text_add(text, oclmm_command_word(p->command.kind));
	else if (p->child)
		oclmm_text_add(text, "child kernel");
	else
		oclmm_text_printf(text, "work-group %u", p->work_group);
}

void oclmm_graph_print_device(struct oclmm_text *text, const struct graph *g, unsigned column)
{
	const struct oclmm_placement *p = &graph_thread(g, column)->placement;

	if (is_host(p))
		oclmm_text_add(text, "host");
	else
		oclmm_text_printf(text, "device %u", p->device);
	if (oclmm_program_has_queues(g->e->program) && !is_host(p))
		oclmm_text_printf(text, ", queue %u", p->queue);
}

void oclmm_graph_print_verdict(struct oclmm_text *text, const struct graph *g)
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
