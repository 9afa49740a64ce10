// SPDX-License-Identifier: Apache-2.0
/*
 * Candidate executions one by one, for explanations: every rf and every mo,
 * judged under one reading, axiom by axiom.
 *
 * Where the oracle asks whether some order exists, an explanation needs the
 * orders themselves, the failing ones above all; so nothing is pruned here but
 * what `wide` leaves out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "oclmm/cat.h"

struct visit {
	const struct oclmm_visit_options *options;
	struct search *search;
	const struct combination *c;
	struct candidate *x;
	struct mo_edges edges;
	unsigned last[MAX_EVENTS]; /* by initial write: the last write */
	int64_t *values;
	int result;
	struct order order;
	struct oclmm_execution execution;
	struct total_list total;
	struct sync_list syncs;
	struct oclmm_cat_verdict verdict; /* of a model as text */
	struct oclmm_cat_why why;
};

/* ---- in public terms ------------------------------------------------- */

static void fill_event(const struct visit *v, unsigned n, struct oclmm_event *ret)
{
	*ret = v->c->event[n];
	if (oclmm_event_reads(ret))
		ret->read = v->x->value[n];
	if (oclmm_event_writes(ret))
		ret->written = oclmm_event_value(v->x, n, NULL);
}

/* Judges what does not depend on mo. */
static void fill_events(struct visit *v)
{
	const struct combination *c = v->c;
	struct oclmm_execution *x = &v->execution;

	x->reading = v->options->reading;
	x->count = c->count;
	x->init_count = c->init_count;
	memcpy(x->sb, c->sb, sizeof(x->sb));
	memset(x->data, 0, sizeof(x->data));
	for (unsigned i = 0; i < c->count; i++) {
		fill_event(v, i, &x->event[i]);
		if (c->reads & BIT(i))
			x->rf[i] = v->x->rf[i];
		if (c->writes & BIT(i))
			FOR_EACH (r, c->stored[i].reads)
				x->data[r] |= BIT(i);
	}
	for (unsigned r = 0; r < OCLMM_SPACE_COUNT; r++)
		x->acts[r] = c->view[0].acts[r];
	memset(x->inclusive, 0, sizeof(x->inclusive));
	FOR_EACH (k, c->storages)
		memcpy(x->inclusive[k], c->view[0].inclusive[k], c->count * sizeof(row));
	memset(x->sc_inclusive, 0, sizeof(x->sc_inclusive));
	memcpy(x->sc_inclusive, c->view[0].sc_inclusive, c->count * sizeof(row));
}

/* ---- judging --------------------------------------------------------- */

/* rmw atomicity: nothing stands in mo between what an update reads and the update. */
static bool updates_are_adjacent(const struct visit *v)
{
	const struct candidate *x = v->x;

	FOR_EACH (u, v->c->reads & v->c->writes)
		if (x->position[x->rf[u]] + 1 != x->position[u])
			return false;
	return true;
}

static bool seq_cst_holds(struct visit *v)
{
	const struct view *view = &v->c->view[0];
	bool holds;

	v->total.count = 0;
	holds = oclmm_axiom_seq_cst(v->x, view, &v->order, v->options->reading.alternatives & ALT_S,
	                            &v->total);
	/* 2.0 without its condition asks for no S */
	for (unsigned key = 0; key < 8; key++)
		holds |= view->present[1][key];
	return holds;
}

static void judge(struct visit *v)
{
	const struct combination *c = v->c;
	unsigned broken = 0;

	v->syncs.count = 0;
	oclmm_order_build(v->x, &c->view[0], true, &v->order, &v->syncs);
	if (!updates_are_adjacent(v))
		broken |= 1u << OCLMM_AXIOM_ATOMICITY;
	if (!oclmm_axiom_happens_before(c, &v->order))
		broken |= 1u << OCLMM_AXIOM_HAPPENS_BEFORE;
	if (!oclmm_axiom_visible(v->x, &v->order))
		broken |= 1u << OCLMM_AXIOM_VISIBLE;
	if (!oclmm_axiom_coherence(v->x, &v->order))
		broken |= 1u << OCLMM_AXIOM_COHERENCE;
	if (!seq_cst_holds(v))
		broken |= 1u << OCLMM_AXIOM_SEQ_CST;
	if (v->x->thin_air && !(v->options->reading.alternatives & ALT_K6))
		broken |= 1u << OCLMM_AXIOM_THIN_AIR;
	v->execution.broken = broken;
}

/* Judges by a model as text, which has its own relations. */
static void judge_by_cat(struct visit *v)
{
	struct oclmm_execution *x = &v->execution;
	int from, to, result = oclmm_cat_judge(v->search, v->x, &v->verdict, &v->why);

	if (result) {
		v->result = result;
		return;
	}
	from = v->verdict.from < v->verdict.to ? v->verdict.from : v->verdict.to;
	to = v->verdict.from < v->verdict.to ? v->verdict.to : v->verdict.from;
	x->broken = !v->verdict.consistent;
	x->why = x->broken ? &v->why : NULL;
	x->flag = v->verdict.flag;
	memcpy(x->mo, v->x->mo, sizeof(x->mo));
	memset(x->sw, 0, sizeof(x->sw));
	memset(x->hb, 0, sizeof(x->hb));
	memset(x->races, 0, sizeof(x->races));
	if (from >= (int)x->init_count && to > from)
		x->races[from] = BIT(to);
}

static void fill_relations(struct visit *v)
{
	const struct combination *c = v->c;
	struct oclmm_execution *x = &v->execution;

	memcpy(x->mo, v->x->mo, sizeof(x->mo));
	memcpy(x->sw, v->order.sw, sizeof(x->sw));
	memcpy(x->hb, v->order.hb, sizeof(x->hb));
	for (unsigned a = 0; a < c->count; a++)
		x->races[a] = oclmm_races_of(c, &c->view[0], &v->order, a);
	x->synchronizations = v->syncs.items;
	x->synchronization_count = (unsigned)v->syncs.count;
	x->weak = v->total.weak;
	x->total = v->total.edges;
	x->total_count = (unsigned)v->total.count;
}

static void visit_one(struct visit *v)
{
	const struct oclmm_visit_options *o = v->options;
	uint64_t unspecified;

	v->search->candidates++;
	if (o->limit && v->search->candidates > o->limit)
		v->result = -ETIME;
	if (oclmm_search_is_late(v->search))
		v->result = -ETIME;
	if (v->result)
		return;
	v->execution.values = NULL;
	if (!v->c->cut) {
		oclmm_candidate_outcome(v->x, v->last, v->values, NULL, &unspecified);
		v->execution.values = v->values;
	}
	if (o->wanted && (v->c->cut || !o->wanted(o->data, v->values)))
		return;
	if (o->cat) {
		judge_by_cat(v);
	} else {
		judge(v);
		fill_relations(v);
	}
	if (v->result == 0)
		v->result = o->visit(o->data, &v->execution);
}

/* ---- modification orders --------------------------------------------- */

/* Whether w may come next, when `left` are still to be placed behind `previous`. */
static bool may_follow(const struct visit *v, unsigned w, row left, unsigned previous)
{
	const struct mo_edges *m = &v->edges;

	if (v->search->wide)
		return true;
	/* an update behind what it reads from, and nothing else there */
	if (v->c->event[w].kind == OCLMM_EVENT_UPDATE && v->x->rf[w] != previous)
		return false;
	FOR_EACH (u, left & ~BIT(w)) {
		if (v->c->event[u].kind == OCLMM_EVENT_UPDATE && v->x->rf[u] == previous)
			return false;
		if (m->head[u] != m->head[w] && m->after[m->head[u]] & BIT(m->head[w]))
			return false;
	}
	return true;
}

static void order_cells(struct visit *v, unsigned init);

static void order_writes(struct visit *v, unsigned init, row left, unsigned position,
                         unsigned previous)
{
	if (!left) {
		v->last[init] = previous;
		order_cells(v, init + 1);
		return;
	}
	FOR_EACH (w, left) {
		if (v->result)
			return;
		if (!may_follow(v, (unsigned)w, left, previous))
			continue;
		v->x->position[w] = position;
		order_writes(v, init, left & ~BIT(w), position + 1, (unsigned)w);
	}
}

static void order_cells(struct visit *v, unsigned init)
{
	if (v->result)
		return;
	if (init == v->c->init_count) {
		oclmm_mo_fill(v->x);
		visit_one(v);
		return;
	}
	v->x->position[init] = 0;
	order_writes(v, init, v->c->of_cell[init] & v->c->writes & ~BIT(init), 1, init);
}

/* All modification orders of one choice of rf. */
static int visit_orders(struct search *s)
{
	struct visit *v = s->judge_data;

	if (!s->wide && !oclmm_mo_start(v->x, &v->edges))
		return 0;
	if (!s->combination.view_count)
		oclmm_views_build(&s->combination, &s->settings);
	fill_events(v);
	if (s->cat)
		oclmm_cat_describe(&s->combination, s->cat_values);
	order_cells(v, 0);
	return v->result;
}

/* A candidate takes about as many choices as it has reads, whatever the size of the program; a
 * search that takes far more has hardly any candidates. */
enum { TRIES_PER_CANDIDATE = 256 };

/* ---- the front ------------------------------------------------------- */

int oclmm_executions(const struct oclmm_program *program, const struct oclmm_visit_options *options,
                     struct oclmm_error *error)
{
	struct search *s = oclmm_search_begin(program, oclmm_watch_begin(options->time_limit),
	                                      error);
	struct setting_list *settings = &s->settings;
	struct visit *v = OCLMM_NEW(s->arena, struct visit);
	bool cut = false;
	int result;

	s->watch.ended = options->ended;
	s->watch.data = options->ended_data;
	settings->count = settings->world_count = 1;
	settings->items[0] = options->reading;
	settings->items[0].alternatives &= ~(unsigned)ALT_EVENTS;
	settings->worlds[0] = options->reading.alternatives & ALT_EVENTS;
	s->wide = options->wide;
	if (options->cat)
		oclmm_cat_judges(s, options->cat);
	s->most_tries = options->limit * TRIES_PER_CANDIDATE;
	s->judge = visit_orders;
	s->judge_data = v;
	v->options = options;
	v->search = s;
	v->c = &s->combination;
	v->x = &s->candidate;
	v->values = OCLMM_NEW_ARRAY(s->arena, int64_t, program->observable_count + 1);
	result = oclmm_search_unfold(s, settings->worlds[0], &cut);
	if (result == 0)
		result = oclmm_search(s);
	if (result == -ETIME && s->watch.by_caller && s->watch.result == -EINTR)
		result = oclmm_error_set(error, -EINTR, "test %s: interrupted", program->name);
	free(v->total.edges);
	free(v->syncs.items);
	oclmm_search_end(s);
	return result;
}

struct oclmm_execution *oclmm_execution_copy(struct oclmm_arena *arena,
                                             const struct oclmm_program *program,
                                             const struct oclmm_execution *execution)
{
	struct oclmm_execution *copy = oclmm_arena_copy(arena, execution, sizeof(*execution));

	copy->why = NULL;
	copy->synchronizations = oclmm_arena_copy(arena, execution->synchronizations,
	                                          execution->synchronization_count *
	                                                  sizeof(*copy->synchronizations));
	copy->total = oclmm_arena_copy(arena, execution->total,
	                               execution->total_count * sizeof(*copy->total));
	if (execution->values)
		copy->values = oclmm_arena_copy(arena, execution->values,
		                                program->observable_count * sizeof(*copy->values));
	return copy;
}
