// SPDX-License-Identifier: Apache-2.0
/*
 * All ways in which the reads of a combination can take their values: chooses
 * the write that each read reads from, and lets values follow from writes to
 * reads as soon as they are known, so that paths that cannot be are left early.
 */
#include <errno.h>

#include "internal.h"

/* One combination under way. */
struct choice {
	struct search *search;
	struct combination *c;
	struct candidate *x;
	unsigned reads[MAX_EVENTS];
	row sources[MAX_EVENTS]; /* of each of `reads`, whatever the others do */
	unsigned read_count;
	unsigned deepest; /* of `reads` that no source fitted */
	row assigned;     /* reads with rf */
	row known;        /* reads with a value */
	row taken;        /* writes that an RMW reads from */
	bool viewed;      /* the combination has its views */
	bool guesses;     /* K6: values that depend on themselves */
	int result;
};

bool oclmm_search_is_late(struct search *s)
{
	if (s->deadline > 0 && !s->late && (s->ticks++ & 63) == 0)
		s->late = oclmm_clock() > s->deadline;
	return s->late;
}

void oclmm_values_add(struct value_sets *sets, uint32_t cell, int64_t value)
{
	struct value_set *set = &sets->of_cell[cell];

	for (size_t i = 0; i < set->count; i++)
		if (set->values[i] == value)
			return;
	oclmm_grow(&set->values, &set->capacity, set->count, sizeof(value));
	set->values[set->count++] = value;
}

/* ---- values ---------------------------------------------------------- */

static bool is_determined(const struct choice *h, unsigned write)
{
	return write < h->c->init_count || !(h->c->stored[write].needed & ~h->known);
}

/* The constraints that now have all their values. */
static bool constraints_hold(const struct choice *h, row fresh)
{
	const struct combination *c = h->c;

	for (unsigned t = 0; t < c->program->thread_count; t++) {
		const struct path *p = c->path[t];

		for (unsigned i = 0; i < p->constraint_count; i++) {
			const struct constraint *k = &p->constraints[i];
			row reads = k->symbol->reads << c->first[t];

			if (!(reads & fresh) || reads & ~h->known)
				continue;
			if ((oclmm_symbol_value(k->symbol, h->x->value + c->first[t], NULL) != 0) !=
			    k->truth)
				return false;
		}
	}
	return true;
}

/* Gives a value to every read whose write has one. \return false when a constraint fails. */
static bool propagate(struct choice *h)
{
	row fresh = 0;

	for (bool progress = true; progress;) {
		progress = false;
		FOR_EACH (r, h->assigned & ~h->known) {
			unsigned w = h->x->rf[r];

			if (!is_determined(h, w))
				continue;
			h->x->value[r] = oclmm_event_value(h->x, w);
			h->known |= BIT(r);
			fresh |= BIT(r);
			progress = true;
		}
	}
	return !fresh || constraints_hold(h, fresh);
}

/*
 * Whether a value depends on itself. It is the values that do, not the events: what an exchange
 * stores does not depend on what it reads.
 */
static bool is_circular(const struct choice *h)
{
	const struct combination *c = h->c;
	row computed_from[MAX_EVENTS] = {0};

	/* where nothing is pinned, a circle has no value to begin with */
	if (!c->pinned)
		return false;
	FOR_EACH (r, c->reads)
		computed_from[r] = c->stored[h->x->rf[r]].reads;
	return !oclmm_is_acyclic(computed_from, c->reads);
}

/* Looks at the limits, since many choices may lead to no candidate at all. \return whether to go on
 */
static bool may_go_on(struct choice *h)
{
	struct search *s = h->search;

	s->tries++;
	if (!h->result && ((s->most_tries && s->tries > s->most_tries) || oclmm_search_is_late(s)))
		h->result = -ETIME;
	return !h->result;
}

/* ---- complete choices ------------------------------------------------ */

/* What the program can write: in some order that keeps each work-item's own accesses and every
 * read-modify-write in place, which all readings ask for. */
static void collect(const struct choice *h)
{
	struct mo_edges m;

	if (!h->search->wide && (!oclmm_mo_start(h->x, &m) || !oclmm_mo_is_possible(h->x, &m)))
		return;
	FOR_EACH (w, h->c->writes)
		oclmm_values_add(h->search->writable, h->c->event[w].cell,
		                 oclmm_event_value(h->x, (unsigned)w));
}

static void complete(struct choice *h, bool thin_air)
{
	struct search *s = h->search;

	if (s->collecting) {
		collect(h);
		return;
	}
	/* values rule most combinations out before anybody asks for views */
	if (!h->viewed)
		oclmm_views_build(&s->combination, s->settings, s->world == 0);
	h->viewed = true;
	h->x->thin_air = thin_air;
	h->result = s->judge ? s->judge(s) : oclmm_judge(s);
}

static bool is_writable(const struct choice *h, unsigned read)
{
	const struct value_set *set = &h->search->writable->of_cell[h->c->event[read].cell];

	for (size_t i = 0; i < set->count; i++)
		if (set->values[i] == h->x->value[read])
			return true;
	return false;
}

/* K6: values that depend on themselves, among those the program can otherwise write. */
static void guess(struct choice *h)
{
	row unknown = h->assigned & ~h->known;

	if (!may_go_on(h))
		return;
	if (!unknown) {
		FOR_EACH (r, h->c->reads)
			if (oclmm_event_value(h->x, h->x->rf[r]) != h->x->value[r] ||
			    !is_writable(h, (unsigned)r))
				return;
		complete(h, true);
		return;
	}

	unsigned r = (unsigned)__builtin_ctzll(unknown);
	const struct value_set *set = &h->search->writable->of_cell[h->c->event[r].cell];
	row known = h->known;

	for (size_t i = 0; i < set->count && !h->result; i++) {
		h->x->value[r] = set->values[i];
		h->known = known | BIT(r);
		if (constraints_hold(h, BIT(r)) && propagate(h))
			guess(h);
	}
	h->known = known;
}

/* ---- reads-from ------------------------------------------------------ */

/* Writes that the read may read from without breaking coherence within its own work-item. */
static row sources(const struct choice *h, unsigned r)
{
	const struct combination *c = h->c;
	row writes = c->of_cell[c->init_of[r]] & c->writes & ~BIT(r) & ~c->sb[r];
	row own = 0;

	if (h->search->wide)
		return c->of_cell[c->init_of[r]] & c->writes & ~BIT(r);
	FOR_EACH (w, writes)
		if (oclmm_sb_ordered(c, (unsigned)w) & BIT(r))
			own |= BIT(w);
	FOR_EACH (w, own)
		if (c->sb[w] & own)
			writes &= ~BIT(w);
	return own ? writes & ~BIT(c->init_of[r]) : writes;
}

/* Whether the value of a read waits for itself, and nothing guesses it. */
static bool is_hopeless(const struct choice *h, unsigned r)
{
	row needs = h->c->stored[h->x->rf[r]].needed, seen = 0, left;

	if (h->known & BIT(r) || h->guesses)
		return false;
	while ((left = needs & h->assigned & ~h->known & ~seen)) {
		unsigned at = (unsigned)__builtin_ctzll(left);

		seen |= BIT(at);
		needs |= h->c->stored[h->x->rf[at]].needed;
	}
	return seen & BIT(r);
}

static void choose_sources(struct choice *h, unsigned next)
{
	if (!may_go_on(h))
		return;
	if (next == h->read_count) {
		if (h->known == h->assigned)
			complete(h, is_circular(h));
		else if (h->guesses)
			guess(h);
		return;
	}

	unsigned r = h->reads[next];
	row known = h->known, taken = h->taken;
	/* two updates never read from one write */
	bool update = h->c->writes & BIT(r) && !h->search->wide, fits = false;

	h->assigned |= BIT(r);
	FOR_EACH (w, h->sources[next] & ~(update ? taken : 0)) {
		h->x->rf[r] = (unsigned)w;
		if (update)
			h->taken = taken | BIT(w);
		if (propagate(h) && !is_hopeless(h, r)) {
			choose_sources(h, next + 1);
			fits = true;
		}
		h->known = known;
		h->taken = taken;
	}
	h->assigned &= ~BIT(r);
	if (!fits && next >= h->deepest) {
		h->deepest = next;
		h->search->stuck = h->c->event[r].cell;
	}
}

/*
 * Cell by cell, for values that do not fit show there, whatever the others do; and first the cell
 * where nothing fitted the last combination, whose ways may be the same there.
 */
static void order_reads(struct choice *h)
{
	const struct combination *c = h->c;
	unsigned first = 0;

	while (first + 1 < c->init_count && c->init_cell[first] != h->search->stuck)
		first++;
	for (unsigned i = 0; i < c->init_count; i++) {
		FOR_EACH (r, c->reads & c->of_cell[(first + i) % c->init_count]) {
			h->sources[h->read_count] = sources(h, (unsigned)r);
			h->reads[h->read_count++] = (unsigned)r;
		}
	}
}

int oclmm_enumerate(struct search *s)
{
	struct choice h = {.search = s, .c = &s->combination, .x = &s->candidate};

	h.x->c = h.c;
	h.guesses = !s->collecting && s->writable;
	order_reads(&h);
	choose_sources(&h, 0);
	return h.result;
}
