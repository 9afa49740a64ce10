// SPDX-License-Identifier: Apache-2.0
/*
 * Judges one choice of rf: over all modification orders, under every reading.
 *
 * Coherence turns happens-before into edges between the writes of a location.
 * Where nothing else depends on mo (no seq_cst pair, no release sequence that
 * runs over own stores) an mo exists exactly when these edges have no cycle,
 * and orders need not be enumerated at all.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"

/* What the judging of one rf shares. */
struct case_ {
	struct search *search;
	const struct combination *c;
	struct candidate *x;
	bool seq_cst_matters;
	bool sequences_matter; /* happens-before depends on mo */
	row live;              /* views that are still possible, as bits */
	row free_cells;        /* observed cells with more than one possible last write */
	bool finished;         /* nothing more can be learned */
	enum oclmm_undefined arithmetic;
	struct oclmm_position arithmetic_position;
	unsigned arithmetic_thread;
	/* from here on large, and not cleared */
	struct mo_edges base;      /* holds in every live view */
	unsigned last[MAX_EVENTS]; /* by initial write: the last write */
	struct order order[MAX_VIEWS];
};

/* ---- recording ------------------------------------------------------- */

void oclmm_candidate_outcome(const struct candidate *x, const unsigned *last, int64_t *ret)
{
	const struct combination *c = x->c;
	const struct oclmm_program *p = c->program;

	for (uint32_t i = 0; i < p->observable_count; i++) {
		const struct oclmm_observable *o = &p->observables[i];

		if (o->is_register) {
			const struct symbol *s = c->path[o->thread]->registers[o->reg];

			ret[i] = oclmm_symbol_value(s, x->value + c->first[o->thread], NULL);
			continue;
		}

		const struct oclmm_location *l = &p->locations[o->location];
		uint32_t cell = l->first_cell + o->element;

		ret[i] = l->initial[o->element];
		for (unsigned k = 0; k < c->init_count; k++)
			if (c->init_cell[k] == cell)
				ret[i] = oclmm_event_value(x, last[k]);
	}
}

/* The number of the state that the candidate ends in, or -1 where it has none. */
static int note_state(struct case_ *k)
{
	int64_t values[MAX_EVENTS * 4];
	int64_t *tuple = values;
	uint32_t n = k->c->program->observable_count;
	struct oclmm_arena *scratch = NULL;

	/* whatever races in the beginning of an execution races in the execution, but it has no
	 * end */
	if (k->c->cut)
		return -1;
	if (n > OCLMM_COUNT(values)) {
		scratch = oclmm_arena_create();
		tuple = OCLMM_NEW_ARRAY(scratch, int64_t, n);
	}
	oclmm_candidate_outcome(k->x, k->last, tuple);

	int state = oclmm_record_state(k->search->record, tuple);

	oclmm_arena_destroy(scratch);
	return state;
}

/* Settings that take part: with K6 at its default, no value out of thin air. */
static void restrict_thin_air(const struct case_ *k, struct setting_set *set)
{
	struct setting_set mask = {{0}};

	if (!k->x->thin_air)
		return;
	for (unsigned i = 0; i < k->search->settings->count; i++)
		if (k->search->settings->items[i].alternatives & ALT_K6)
			setting_add(&mask, i);
	for (unsigned i = 0; i < SETTING_WORDS; i++)
		set->word[i] &= mask.word[i];
}

static bool seq_cst_holds(const struct case_ *k, const struct view *v, const struct order *o,
                          unsigned key)
{
	if (v->scoped)
		return oclmm_axiom_seq_cst_scoped(k->x, v, o);
	return oclmm_axiom_seq_cst(k->x, v, o,
	                           (key & 1 ? ALT_K2 : 0) | (key & 2 ? ALT_K4 : 0) |
	                                   (key & 4 ? ALT_K8 : 0));
}

/*
 * Whether S exists under each key that is present. What the text allows (key 0) the alternatives
 * allow, for they only take constraints away; and K2 takes none where all scopes are inclusive.
 */
static unsigned keys_that_hold(const struct case_ *k, const struct view *v, const struct order *o)
{
	unsigned holds = 0;

	if (!k->seq_cst_matters || seq_cst_holds(k, v, o, 0))
		return 0xff;
	for (unsigned key = 1; key < 8; key++) {
		if (!v->present[0][key])
			continue;
		if (v->sc_all_inclusive && key & 1)
			holds |= (holds >> (key - 1) & 1) << key;
		else if (seq_cst_holds(k, v, o, key))
			holds |= 1u << key;
	}
	return holds;
}

/* The settings of a view under which the candidate is consistent. */
static struct setting_set consistent_settings(const struct case_ *k, const struct view *v,
                                              const struct order *o)
{
	struct setting_set set = {{0}};
	unsigned holds = keys_that_hold(k, v, o);

	for (unsigned key = 0; key < 8; key++) {
		if (v->present[1][key])
			setting_union(&set, &v->settings[1][key]);
		if (v->present[0][key] && holds >> key & 1)
			setting_union(&set, &v->settings[0][key]);
	}
	restrict_thin_air(k, &set);
	return set;
}

static bool is_empty(const struct setting_set *set)
{
	uint64_t any = 0;

	for (unsigned i = 0; i < SETTING_WORDS; i++)
		any |= set->word[i];
	return !any;
}

static void witness_of_path(const struct case_ *k, struct oclmm_witness *w)
{
	const struct combination *c = k->c;

	memset(w, 0, sizeof(*w));
	if (k->arithmetic) {
		w->reason = k->arithmetic;
		w->a.thread = k->arithmetic_thread;
		w->a.position = k->arithmetic_position;
		return;
	}
	w->reason = c->undefined;
	w->a.thread = (uint32_t)c->undefined_thread;
	w->a.position = c->undefined_position;
	if (c->undefined == OCLMM_UNDEFINED_DIVERGENCE)
		oclmm_access_describe(k->x, c->undefined_at, &w->a);
}

/* Races and other undefined behaviour of a consistent candidate. */
static void note_undefined(struct case_ *k, const struct view *v, const struct order *o,
                           const struct setting_set *settings)
{
	struct setting_set left = oclmm_record_still_defined(k->search->record, settings);
	struct oclmm_witness witness;
	unsigned a, b;

	if (is_empty(&left))
		return;
	if (k->c->undefined || k->arithmetic)
		witness_of_path(k, &witness);
	else if (oclmm_find_race(k->c, v, o, &a, &b))
		oclmm_witness_race(k->x, a, b, &witness);
	else
		return;
	oclmm_record_undefined(k->search->record, &left, &witness);
}

/* ---- without enumerating mo ------------------------------------------ */

/* Notes the states for every combination of possible last writes. */
static void allow_states(struct case_ *k, const row *lasts, row cells,
                         const struct setting_set *settings)
{
	if (!cells) {
		int state = note_state(k);

		if (settings)
			oclmm_record_allow(k->search->record, state, settings);
		return;
	}

	unsigned cell = (unsigned)__builtin_ctzll(cells);

	FOR_EACH (w, lasts[cell]) {
		k->last[cell] = (unsigned)w;
		allow_states(k, lasts, cells & ~BIT(cell), settings);
	}
}

static row observed_cells(const struct combination *c)
{
	const struct oclmm_program *p = c->program;
	row cells = 0;

	for (uint32_t i = 0; i < p->observable_count; i++) {
		const struct oclmm_observable *o = &p->observables[i];

		if (o->is_register)
			continue;
		for (unsigned k = 0; k < c->init_count; k++)
			if (c->init_cell[k] == p->locations[o->location].first_cell + o->element)
				cells |= BIT(k);
	}
	return cells;
}

static void lasts_of(const struct case_ *k, const struct mo_edges *m, row cells, row *ret)
{
	FOR_EACH (cell, cells)
		ret[cell] = oclmm_mo_possible_last(k->x, m, (unsigned)cell);
}

/* What a view adds to the base. \return false when no order meets all of it. */
static bool add_happens_before(const struct case_ *k, const struct order *o, struct mo_edges *m)
{
	for (unsigned r = 0; r < k->c->region_count; r++)
		if (!oclmm_mo_add_coherence(k->x, m, k->c->of_region[r], o->hb[r]))
			return false;
	return oclmm_mo_is_possible(k->x, m);
}

static bool same_lasts(const row *a, const row *b, row cells)
{
	row differ = 0;

	FOR_EACH (cell, cells)
		differ |= a[cell] ^ b[cell];
	return !differ;
}

static void judge_without_mo(struct case_ *k)
{
	row cells = observed_cells(k->c), all[MAX_EVENTS], lasts[MAX_EVENTS];
	bool listed = false;

	k->search->candidates++;
	lasts_of(k, &k->base, cells, all);
	FOR_EACH (i, k->live) {
		const struct view *v = &k->c->view[i];
		struct mo_edges m = k->base;
		struct setting_set settings;

		if (!add_happens_before(k, &k->order[i], &m))
			continue;
		settings = consistent_settings(k, v, &k->order[i]);
		if (is_empty(&settings))
			continue;
		k->search->consistent++;
		lasts_of(k, &m, cells, lasts);
		allow_states(k, lasts, cells, &settings);
		listed |= same_lasts(all, lasts, cells);
		note_undefined(k, v, &k->order[i], &settings);
	}
	/* states that no view allows are listed, too */
	if (!listed)
		allow_states(k, all, cells, NULL);
}

/* ---- with mo --------------------------------------------------------- */

static void judge_order(struct case_ *k)
{
	int state = note_state(k);
	bool learned_all = !k->sequences_matter && !k->free_cells;

	k->search->candidates++;
	FOR_EACH (i, k->live) {
		const struct view *v = &k->c->view[i];
		struct order *o = &k->order[i];

		if (k->sequences_matter) {
			oclmm_order_build(k->x, v, true, o);
			if (!oclmm_axiom_happens_before(k->c, o) || !oclmm_axiom_visible(k->x, o))
				continue;
		}

		bool all_known = false;

		if (oclmm_axiom_coherence(k->x, o)) {
			struct setting_set settings = consistent_settings(k, v, o);

			if (!is_empty(&settings)) {
				k->search->consistent++;
				oclmm_record_allow(k->search->record, state, &settings);
				note_undefined(k, v, o, &settings);
			}
			all_known = setting_contains(&settings, &v->all);
		}
		learned_all &= all_known;
	}
	k->finished = learned_all || oclmm_search_is_late(k->search);
}

/* Places one cell's writes after another; then the next cell. */
static void order_cells(struct case_ *k, row cells);

static void order_writes(struct case_ *k, unsigned init, row left, unsigned position,
                         unsigned previous, row cells)
{
	if (k->finished)
		return;
	if (!left) {
		k->last[init] = previous;
		order_cells(k, cells);
		return;
	}

	/* heads that no other unplaced chain must precede */
	row heads = 0, behind = 0;

	FOR_EACH (w, left) {
		heads |= BIT(k->base.head[w]);
		behind |= k->base.after[k->base.head[w]];
	}
	FOR_EACH (head, heads & ~behind) {
		row placed = 0;
		unsigned at = position;

		for (unsigned rank = 0; rank <= k->base.rank[k->base.tail[head]]; rank++)
			FOR_EACH (w, left)
				if (k->base.head[w] == head && k->base.rank[w] == rank) {
					k->x->position[w] = at++;
					placed |= BIT(w);
				}
		order_writes(k, init, left & ~placed, at, k->base.tail[head], cells);
	}
}

static void order_cells(struct case_ *k, row cells)
{
	if (!cells) {
		oclmm_mo_fill(k->x);
		judge_order(k);
		return;
	}

	unsigned init = (unsigned)__builtin_ctzll(cells);

	order_writes(k, init, k->c->of_cell[init] & k->c->writes, 0, init, cells & ~BIT(init));
}

/* ---- one rf ---------------------------------------------------------- */

/* A release sequence that runs over own stores: X releases, and its thread stores again. */
static bool sequences_depend_on_mo(const struct combination *c)
{
	FOR_EACH (x, c->writes & c->atomics)
		if (c->release_side[x] &&
		    c->sb[x] & c->of_cell[c->init_of[x]] & c->writes & ~c->reads)
			return true;
	return false;
}

static void find_arithmetic(struct case_ *k)
{
	const struct combination *c = k->c;

	for (unsigned t = 0; t < c->program->thread_count; t++) {
		const struct path *p = c->path[t];

		for (unsigned i = 0; i < p->computed_count && !k->arithmetic; i++) {
			oclmm_symbol_value(p->computed[i], k->x->value + c->first[t],
			                   &k->arithmetic);
			k->arithmetic_position = p->computed[i]->position;
			k->arithmetic_thread = t;
		}
	}
}

/* Happens-before of every view, where mo has no part in it. */
static void order_views(struct case_ *k)
{
	for (unsigned i = 0; i < k->c->view_count; i++) {
		if (!k->sequences_matter) {
			oclmm_order_build(k->x, &k->c->view[i], false, &k->order[i]);
			if (!oclmm_axiom_happens_before(k->c, &k->order[i]) ||
			    !oclmm_axiom_visible(k->x, &k->order[i]))
				continue;
		}
		k->live |= BIT(i);
	}
}

/*
 * Where mo has no part in happens-before, coherence narrows the orders to be
 * tried to those that every view still possible could accept.
 */
static void narrow_orders(struct case_ *k)
{
	row common[MAX_EVENTS], lasts[MAX_EVENTS], cells = observed_cells(k->c);

	/* the states are listed before those that no view accepts are left out */
	lasts_of(k, &k->base, cells, lasts);
	allow_states(k, lasts, cells, NULL);
	memset(common, 0xff, sizeof(common));
	FOR_EACH (i, k->live) {
		struct mo_edges m = k->base;

		if (!add_happens_before(k, &k->order[i], &m)) {
			k->live &= ~BIT(i);
			continue;
		}
		FOR_EACH (w, k->c->writes)
			common[w] &= m.after[w];
	}
	if (k->live)
		FOR_EACH (w, k->c->writes)
			k->base.after[w] = common[w];
}

int oclmm_judge(struct search *s)
{
	struct case_ k;
	row all_cells = BIT(s->combination.init_count) - 1;

	memset(&k, 0, offsetof(struct case_, base));
	k.search = s;
	k.c = &s->combination;
	k.x = &s->candidate;
	k.seq_cst_matters = k.c->seq_cst & (k.c->seq_cst - 1);
	k.sequences_matter = sequences_depend_on_mo(k.c);
	if (!oclmm_mo_start(k.x, &k.base) || !oclmm_mo_is_possible(k.x, &k.base)) {
		s->candidates++;
		return 0;
	}
	find_arithmetic(&k);
	order_views(&k);
	if (!k.seq_cst_matters && !k.sequences_matter) {
		judge_without_mo(&k);
		return 0;
	}
	if (!k.sequences_matter) {
		narrow_orders(&k);
		if (!k.live) {
			s->candidates++;
			return 0;
		}
	}
	FOR_EACH (cell, observed_cells(k.c)) {
		row lasts = oclmm_mo_possible_last(k.x, &k.base, (unsigned)cell);

		if (lasts & (lasts - 1))
			k.free_cells |= BIT(cell);
	}
	order_cells(&k, all_cells);
	return s->late ? -ETIME : 0;
}
