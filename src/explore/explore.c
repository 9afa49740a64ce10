// SPDX-License-Identifier: Apache-2.0
/*
 * The states that threads can reach, depth first, each once.
 *
 * What a state holds beside the bytes of its threads is what can still matter: of each object with
 * atomic accesses the writes in modification order, of each thread which of these its next read may
 * not fall behind (`seen`), and for each region up to which action of each other thread
 * happens-before has reached it (`clock`). A release hands both on by way of the write that is
 * read, as docs/model.md says under synchronizes-with: a write has heads, the release sides whose
 * sequence it belongs to.
 *
 * Two states are one where nothing that follows can tell them apart. So the key of a state names no
 * number of an action: of each access that somebody may still race with, it says who knows of it,
 * and of each view, which of the writes that can still be read it has reached.
 *
 * Where all atomic accesses are seq_cst and in one region, the order in which states are made is
 * the total order S, and each read takes the last write. Where some are and some are not, S is
 * looked for when an execution ends, and the key has the whole execution in it.
 *
 * What of this a program needs is learnt on the way: which objects have atomic accesses at all, or
 * plain ones, or loads. Whenever something new is learnt, the search starts again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"

/*
 * The total order S of the seq_cst operations of an execution: whether there is one that contains
 * happens-before and modification order, and for which the five rules of A:3.3.9.1 hold
 * (docs/model.md, section 6).
 *
 * All rules but a part of the first are edges. That part: a seq_cst read may take a weaker write
 * that does not happen before the last seq_cst write in front of the read. It depends on which
 * operations stand in front of the read alone, so orders are tried by sets of these.
 */

struct event {
	const struct done *done;
	int cell;          /* accesses; fences: -1 */
	int read, written; /* places in modification order, or -1 */
	bool sc;
	unsigned number; /* of the seq_cst ones */
};

struct total {
	const struct oclmm_explorer *x;
	struct event *events;
	const struct event **sc;
	unsigned count, sc_count;
	bool *edge; /* [from * sc_count + to] */
	bool *placed;
	struct hash *tried;
	size_t tried_capacity;
	struct oclmm_index index; /* of them */
};

static int place_of(const struct state *s, const struct oclmm_done *done, uint32_t cell)
{
	const struct cell_state *c = s->cells[cell];

	for (unsigned i = 0; i < c->count; i++)
		if (c->mo[i].done == done)
			return (int)i;
	return 0;
}

static void list_events(struct total *t, const struct state *s)
{
	for (const struct oclmm_done *d = s->last; d; d = d->before)
		t->count++;
	t->events = oclmm_calloc(t->count + 1, sizeof(*t->events));
	t->sc = oclmm_calloc(t->count + 1, sizeof(*t->sc));
	t->count = 0;
	for (const struct oclmm_done *d = s->last; d; d = d->before) {
		struct event *e = &t->events[t->count];

		if (d->plain)
			continue;
		*e = (struct event){.done = (const struct done *)d,
		                    .cell = -1,
		                    .read = -1,
		                    .written = -1,
		                    .sc = d->order == OCLMM_ORDER_SEQ_CST};
		if (d->kind != OCLMM_EXPLORED_BARRIER) {
			e->cell = (int)d->cell;
			if (d->kind != OCLMM_EXPLORED_WRITE)
				e->read = d->from ? place_of(s, d->from, d->cell) : 0;
			if (d->kind != OCLMM_EXPLORED_READ)
				e->written = place_of(s, d, d->cell);
		}
		t->count++;
	}
	for (unsigned i = 0; i < t->count; i++)
		if (t->events[i].sc) {
			t->events[i].number = t->sc_count;
			t->sc[t->sc_count++] = &t->events[i];
		}
}

static bool acts(const struct total *t, const struct event *e, unsigned region)
{
	return e->cell < 0 ? e->done->flags >> region & 1
	                   : t->x->source->cells[e->cell].region == region;
}

static bool is_sequenced(const struct event *a, const struct event *b)
{
	return a->done->is.thread == b->done->is.thread && a->done->action < b->done->action;
}

static bool happens_before(const struct total *t, const struct event *a, const struct event *b)
{
	for (unsigned r = 0; r < REGIONS; r++) {
		if (!acts(t, a, r) || !acts(t, b, r))
			continue;
		if (a->done->is.thread == b->done->is.thread
		            ? a->done->action < b->done->action
		            : b->done->view[(size_t)r * t->x->agents + a->done->is.thread] >=
		                      a->done->action)
			return true;
	}
	return false;
}

static void add_edge(struct total *t, const struct event *a, const struct event *b)
{
	t->edge[(size_t)a->number * t->sc_count + b->number] = true;
}

static bool is_fence(const struct event *e)
{
	return e->sc && e->cell < 0;
}

/* Rules 2 to 5, of an atomic access `b` whose value or place is older than that of a write `a`. */
static void add_fence_rules(struct total *t, const struct event *a, const struct event *b)
{
	for (unsigned i = 0; i < t->sc_count; i++) {
		const struct event *f = t->sc[i];

		if (!is_fence(f))
			continue;
		if (a->sc && b->read >= 0 && is_sequenced(f, b)) /* 2 */
			add_edge(t, f, a);
		if (b->sc && b->read >= 0 && a != b && is_sequenced(a, f)) /* 3 */
			add_edge(t, b, f);
		for (unsigned k = 0; k < t->sc_count; k++) /* 4 and 5 */
			if (is_fence(t->sc[k]) && k != i && is_sequenced(a, f) &&
			    is_sequenced(t->sc[k], b))
				add_edge(t, t->sc[k], f);
	}
}

static void add_edges(struct total *t)
{
	for (unsigned i = 0; i < t->sc_count; i++)
		for (unsigned k = 0; k < t->sc_count; k++) {
			const struct event *a = t->sc[i], *b = t->sc[k];

			if (i == k)
				continue;
			if (happens_before(t, a, b) ||
			    (a->cell == b->cell && a->written >= 0 && b->written > a->written))
				add_edge(t, a, b);
			if (a->cell < 0 || a->cell != b->cell || a->written < 0 || b->read < 0)
				continue;
			/* 1: the last write before the read */
			if (a->written == b->read)
				add_edge(t, a, b);
			if (a->written > b->read)
				for (unsigned w = 0; w < t->sc_count; w++)
					if (t->sc[w]->cell == b->cell &&
					    t->sc[w]->written == b->read) {
						add_edge(t, b, a);
						break;
					}
		}
	for (unsigned i = 0; i < t->count; i++)
		for (unsigned k = 0; k < t->count; k++) {
			const struct event *a = &t->events[i], *b = &t->events[k];

			if (a->cell < 0 || a->cell != b->cell || a->written < 0)
				continue;
			if ((b->read >= 0 && b->read < a->written) ||
			    (i != k && b->written >= 0 && b->written < a->written))
				add_fence_rules(t, a, b);
		}
}

/* The write that a read takes its value from, where that is no seq_cst one; NULL: the initial
 * value, or a seq_cst one, which `ret_weak` tells apart. */
static const struct event *weak_source(const struct total *t, const struct event *read,
                                       bool *ret_weak)
{
	*ret_weak = read->read >= 0;
	for (unsigned i = 0; i < t->count; i++)
		if (t->events[i].cell == read->cell && t->events[i].written == read->read) {
			*ret_weak = *ret_weak && !t->events[i].sc;
			return *ret_weak ? &t->events[i] : NULL;
		}
	return NULL;
}

/* Whether a read may stand behind those that are placed: rule 1 for weaker writes. */
static bool may_stand(const struct total *t, const struct event *read)
{
	const struct event *source, *last = NULL;
	bool weak;

	if (read->cell < 0 || read->read < 0)
		return true;
	source = weak_source(t, read, &weak);
	if (!weak)
		return true;
	for (unsigned i = 0; i < t->sc_count; i++)
		if (t->placed[i] && t->sc[i]->cell == read->cell && t->sc[i]->written >= 0 &&
		    (!last || t->sc[i]->written > last->written))
			last = t->sc[i];
	/* the initial value, and what was written plainly, happen before all others */
	return !last || (source && !happens_before(t, source, last));
}

static bool has_hash(const void *things, size_t number, const void *key)
{
	const struct hash *a = &((const struct hash *)things)[number], *b = key;

	return a->a == b->a && a->b == b->b;
}

static bool was_tried(struct total *t)
{
	struct hash h = oclmm_hash_start(0);

	for (unsigned i = 0; i < t->sc_count; i++)
		if (t->placed[i])
			oclmm_hash_sum(&h, oclmm_hash_start(i + 1));
	if (oclmm_index_find(&t->index, h.a, has_hash, t->tried, &h) != SIZE_MAX)
		return true;
	oclmm_grow(&t->tried, &t->tried_capacity, t->index.count, sizeof(*t->tried));
	t->tried[oclmm_index_add(&t->index, h.a)] = h;
	return false;
}

static bool is_next(const struct total *t, unsigned n)
{
	if (t->placed[n])
		return false;
	for (unsigned i = 0; i < t->sc_count; i++)
		if (!t->placed[i] && t->edge[(size_t)i * t->sc_count + n])
			return false;
	return may_stand(t, t->sc[n]);
}

static bool place(struct total *t, unsigned left)
{
	bool found = false;

	if (left == 0)
		return true;
	if (was_tried(t))
		return false;
	for (unsigned i = 0; i < t->sc_count && !found; i++) {
		if (!is_next(t, i))
			continue;
		t->placed[i] = true;
		found = place(t, left - 1);
		t->placed[i] = false;
		/* what changes nothing for others may as well go first */
		if (!found && t->sc[i]->written < 0)
			break;
	}
	return found;
}

/* Whether the seq_cst operations of an execution have a total order S, A:3.3.9.1. */
static bool explored_total(const struct oclmm_explorer *x, const struct state *s)
{
	struct total t = {.x = x};
	bool found;

	list_events(&t, s);
	t.edge = oclmm_calloc((size_t)t.sc_count * t.sc_count + 1, sizeof(*t.edge));
	t.placed = oclmm_calloc(t.sc_count + 1, sizeof(*t.placed));
	add_edges(&t);
	found = place(&t, t.sc_count);
	free(t.events);
	free(t.sc);
	free(t.edge);
	free(t.placed);
	oclmm_index_finish(&t.index);
	free(t.tried);
	return found;
}

/* ---- memory that is given back when the search goes back ---------------- */

enum { BLOCK = 1 << 20 };

struct block {
	struct block *before;
	size_t size, used;
	max_align_t bytes[];
};

struct mark {
	struct block *block;
	size_t used;
};

static void *cut(struct oclmm_explorer *x, size_t size)
{
	struct block *b = x->block;
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (!b || b->used + size > b->size) {
		size_t room = size > BLOCK ? size : BLOCK;

		if (x->spare && x->spare->size >= size) {
			b = x->spare;
			x->spare = NULL;
		} else {
			b = oclmm_malloc(sizeof(*b) + room);
			b->size = room;
			x->memory += room;
		}
		b->before = x->block;
		b->used = 0;
		x->block = b;
	}
	p = (char *)b->bytes + b->used;
	b->used += size;
	return p;
}

static void *copy(struct oclmm_explorer *x, const void *data, size_t size)
{
	void *p = cut(x, size);

	if (size)
		memcpy(p, data, size);
	return p;
}

static struct mark mark(const struct oclmm_explorer *x)
{
	return (struct mark){x->block, x->block ? x->block->used : 0};
}

static void release(struct oclmm_explorer *x, struct mark m)
{
	while (x->block != m.block) {
		struct block *b = x->block;

		x->block = b->before;
		if (!x->spare) {
			x->spare = b;
			continue;
		}
		x->memory -= b->size;
		free(b);
	}
	if (x->block)
		x->block->used = m.used;
}

/* ---- scopes and views --------------------------------------------------- */

static enum oclmm_scope reduced(enum oclmm_scope scope, enum oclmm_space region)
{
	if (region == OCLMM_SPACE_LOCAL && scope > OCLMM_SCOPE_WORK_GROUP)
		return OCLMM_SCOPE_WORK_GROUP;
	return scope == OCLMM_SCOPE_ALL_SVM_DEVICES ? OCLMM_SCOPE_DEVICE : scope;
}

static bool covers(const struct oclmm_explorer *x, enum oclmm_scope scope, unsigned a, unsigned b)
{
	const struct oclmm_explored_thread *threads = x->source->threads;

	switch (scope) {
	case OCLMM_SCOPE_SUB_GROUP: return threads[a].sub_group == threads[b].sub_group;
	case OCLMM_SCOPE_WORK_GROUP: return threads[a].group == threads[b].group;
	case OCLMM_SCOPE_DEVICE:
	case OCLMM_SCOPE_ALL_SVM_DEVICES: return true;
	default: return false;
	}
}

static enum oclmm_scope spelled(unsigned scope)
{
	return (enum oclmm_scope)(scope & ~(unsigned)SCOPE_LEGACY);
}

/* K7: towards another work-group a function of OpenCL 1.x may count as device-scoped. */
static enum oclmm_scope towards(const struct oclmm_explorer *x, unsigned scope, unsigned own,
                                unsigned other)
{
	if (scope & SCOPE_LEGACY && !covers(x, OCLMM_SCOPE_WORK_GROUP, own, other))
		return OCLMM_SCOPE_DEVICE;
	return spelled(scope);
}

/* Inclusive scopes, A:3.3.8. */
static bool inclusive(struct oclmm_explorer *x, unsigned a, unsigned scope_a, unsigned b,
                      unsigned scope_b, enum oclmm_space region)
{
	enum oclmm_scope p = reduced(towards(x, scope_a, a, b), region);
	enum oclmm_scope q = reduced(towards(x, scope_b, b, a), region);

	if (!covers(x, p < q ? p : q, a, b))
		return false;
	if (p != q)
		x->found->scopes_differ = true;
	return p == q || x->options.wide_scopes;
}

static uint32_t *clock_of(const struct oclmm_explorer *x, uint32_t *view, unsigned region)
{
	return view + (size_t)region * x->agents;
}

static uint32_t *seen_of(const struct oclmm_explorer *x, uint32_t *view)
{
	return view + (size_t)REGIONS * x->agents;
}

static size_t view_size(const struct oclmm_explorer *x)
{
	return sizeof(uint32_t) * ((size_t)REGIONS * x->agents + x->atomic_count);
}

/* Where a write stands in modification order; the initial value is the first. */
static unsigned position(const struct cell_state *c, uint32_t id)
{
	for (unsigned i = c->count; i-- > 1;)
		if (c->mo[i].id == id)
			return i;
	return 0;
}

static void join(const struct oclmm_explorer *x, const struct state *s, uint32_t *view,
                 const uint32_t *other, unsigned region)
{
	uint32_t *clock = clock_of(x, view, region), *seen = seen_of(x, view);
	const uint32_t *from = clock_of(x, (uint32_t *)(uintptr_t)other, region),
		       *saw = seen_of(x, (uint32_t *)(uintptr_t)other);

	for (unsigned t = 0; t < x->agents; t++)
		if (from[t] > clock[t])
			clock[t] = from[t];
	for (unsigned a = 0; a < x->atomic_count; a++) {
		uint32_t cell = x->atomics[a];

		if (x->source->cells[cell].region == region && saw[a] != seen[a] &&
		    position(s->cells[cell], saw[a]) > position(s->cells[cell], seen[a]))
			seen[a] = saw[a];
	}
}

/* The view that a thread hands on: its own actions are in it. */
static const uint32_t *handed_on(struct oclmm_explorer *x, unsigned t,
                                 const struct thread_state *own)
{
	uint32_t *view = copy(x, own->view, view_size(x));

	for (unsigned r = 0; r < REGIONS; r++)
		clock_of(x, view, r)[t] = own->actions;
	return view;
}

/* ---- what is learnt ------------------------------------------------------ */

/* What was put there without being needed is, now that somebody looks at it. */
static void need_ignored(struct oclmm_explorer *x, uint32_t cell)
{
	for (struct ignored *i = x->ignored[cell]; i; i = i->next)
		oclmm_slice_need(i->slice, i->value);
	x->ignored[cell] = NULL;
}

/* \return whether the thread at hand need not run on */
static bool learn(struct oclmm_explorer *x, uint32_t cell, unsigned fact)
{
	bool of_keys = !(fact & ~(unsigned)(FACT_PLAIN | FACT_SHARED | FACT_READ)) &&
	               !(x->facts[cell] & FACT_ATOMIC);

	if ((x->facts[cell] & fact) == fact)
		return false;
	if (fact & FACT_ATOMIC && !(x->facts[cell] & FACT_ATOMIC)) {
		oclmm_grow(&x->atomics, &x->atomic_capacity, x->next_atomic, sizeof(*x->atomics));
		x->atomics[x->next_atomic] = cell;
		x->number_of[cell] = (uint32_t)x->next_atomic++;
	}
	x->facts[cell] |= fact;
	if (fact & FACT_READ)
		need_ignored(x, cell);
	/* what only says what belongs into keys: as long as there are none, nothing was done
	 * without it, and else the thread may run on and tell more */
	if (of_keys) {
		x->stale = x->stale || x->index.count > 0;
		return false;
	}
	return x->stale = true;
}

/* Notes what makes an object more than a counter. */
static void note_no_counter(struct oclmm_explorer *x, uint32_t cell, unsigned fact)
{
	x->stale = x->stale || (x->facts[cell] & FACT_COUNTED && !(x->facts[cell] & fact));
	x->facts[cell] |= fact;
}

static bool learn_order(struct oclmm_explorer *x, unsigned fact)
{
	if ((x->orders & fact) == fact)
		return false;
	x->orders |= fact;
	return x->stale = true;
}

static bool is_pure(const struct oclmm_explorer *x)
{
	return (x->orders & ~(unsigned)ORDERS_LAX_LOCAL) == ORDERS_SC_GLOBAL ||
	       (x->orders & ~(unsigned)ORDERS_LAX_GLOBAL) == ORDERS_SC_LOCAL;
}

/* Some operations have a place in S, and some have none, or S does not bind what a work-item does
 * in two regions. */
static bool is_mixed(const struct oclmm_explorer *x)
{
	return x->orders & (ORDERS_SC_GLOBAL | ORDERS_SC_LOCAL | ORDERS_SC_FENCE) && !is_pure(x);
}

static bool is_exact(const struct oclmm_explorer *x)
{
	return is_mixed(x) && x->mode == LOOKED_FOR;
}

static bool is_by_turn(const struct oclmm_explorer *x)
{
	return is_mixed(x) && x->mode == BY_TURN;
}

/* ---- values that decide nothing ------------------------------------------- */

void oclmm_explored_store_of(struct oclmm_explorer *x, uint32_t cell, struct oclmm_slice *slice,
                             uint32_t value)
{
	struct ignored *other = x->ignored[cell];

	if (slice->needed[value])
		return;
	if (x->facts[cell] & (FACT_ATOMIC | FACT_READ) || x->source->cells[cell].observed) {
		oclmm_slice_need(slice, value);
		/* states without it were taken for one */
		x->stale = x->stale || x->index.count > 0;
		return;
	}
	while (other && (other->slice != slice || other->value != value))
		other = other->next;
	if (other)
		return;
	other = OCLMM_NEW(x->found->arena, struct ignored);
	*other = (struct ignored){x->ignored[cell], slice, value};
	x->ignored[cell] = other;
}

/* Whether sums may be so great that they do not fit into a type: a term adds the greatest value at
 * most, and a sum of two sums is twice the greater one at most. */
static bool may_overflow(const struct oclmm_explorer *x, unsigned bits)
{
	uint64_t limit = UINT64_C(1) << (bits - 1);
	uint32_t terms = x->sums[bits / 8].terms, doublings = x->sums[bits / 8].doublings;

	return doublings >= bits || x->greatest >= (limit >> doublings) / (terms + 2);
}

void oclmm_explored_unneeded(struct oclmm_explorer *x, uint64_t size, unsigned operands,
                             unsigned bits)
{
	struct thread_state *own = x->at->threads[x->running];
	bool changed = size > x->greatest;

	if (x->whole)
		return;
	own->terms += operands == 1;
	own->doublings += operands == 2;
	if (changed)
		x->greatest = size;
	if (bits) {
		uint32_t *terms = &x->sums[bits / 8].terms,
			 *doublings = &x->sums[bits / 8].doublings;

		changed = changed || own->terms > *terms || own->doublings > *doublings ||
		          !x->sums[bits / 8].any;
		*terms = own->terms > *terms ? own->terms : *terms;
		*doublings = own->doublings > *doublings ? own->doublings : *doublings;
		x->sums[bits / 8].any = true;
	}
	for (unsigned n = 1; n < OCLMM_COUNT(x->sums) && changed; n++)
		if (x->sums[n].any && may_overflow(x, 8 * n))
			x->whole = x->stale = true;
}

/* ---- what is done --------------------------------------------------------- */

static struct oclmm_done *note(struct oclmm_explorer *x, struct state *s, unsigned t,
                               enum oclmm_explored_kind kind, uint32_t cell, uint32_t where)
{
	struct done *d = cut(x, sizeof(*d));

	memset(d, 0, sizeof(*d));
	d->is.before = s->last;
	d->is.thread = t;
	d->is.kind = kind;
	d->is.cell = cell;
	d->is.where = where;
	d->action = s->threads[t]->actions;
	s->last = &d->is;
	if (is_exact(x))
		d->view = handed_on(x, t, s->threads[t]);
	return &d->is;
}

static struct cell_state *own_cell(struct oclmm_explorer *x, struct state *s, uint32_t cell)
{
	struct cell_state *c = copy(x, s->cells[cell], sizeof(*c));

	s->cells[cell] = c;
	return c;
}

static void fail(struct oclmm_explorer *x, const struct state *s, enum oclmm_explored_fault fault,
                 const struct oclmm_explored_place *first,
                 const struct oclmm_explored_place *second)
{
	if (x->stale || x->found->fault != OCLMM_EXPLORED_SOUND)
		return;
	/* what leads there may have no total order S, and be no execution */
	if (is_exact(x) && !explored_total(x, s))
		return;
	x->found->fault = fault;
	x->found->first = *first;
	x->found->second = second ? *second : *first;
	x->failed = s->last;
}

/* An access of an agent, which knows what its clock says. */
struct access {
	unsigned agent;
	const uint32_t *clock; /* of the object's region */
	uint32_t cell;
	bool writes, atomic;
	unsigned scope;
	uint32_t where;
};

static struct oclmm_explored_place place_of_access(const struct oclmm_explorer *x, unsigned agent,
                                                   const struct oclmm_explored_place *access)
{
	struct oclmm_explored_place place = *access;

	place.thread = agent;
	place.copies = agent >= x->threads;
	if (place.copies)
		for (unsigned t = x->threads; t-- > 0;)
			if (x->source->threads[t].group == (agent - x->threads) / x->copies_at_once)
				place.thread = t;
	return place;
}

/* Looks for races of an access with earlier ones. \param ret_first whether the agent has made none
 * of its kind before \return whether the search goes on */
static bool races_with_none(struct oclmm_explorer *x, const struct state *s, const struct access *a,
                            bool *ret_first)
{
	enum oclmm_space region = x->source->cells[a->cell].region;
	const struct cell_state *c = s->cells[a->cell];

	*ret_first = true;
	for (unsigned i = 0; i < c->record_count; i++) {
		const struct record *r = &c->records[i];
		bool shielded = a->atomic && r->atomic &&
		                inclusive(x, r->thread, r->scope, a->agent, a->scope, region);
		struct oclmm_explored_place first, second;

		if (r->thread == a->agent && r->writes == a->writes && r->atomic == a->atomic &&
		    r->scope == a->scope)
			*ret_first = false;
		if (a->atomic && r->atomic && !shielded && r->thread != a->agent &&
		    learn(x, a->cell, FACT_NARROW))
			return false;
		if (r->thread == a->agent || (!a->writes && !r->writes) || shielded ||
		    a->clock[r->thread] >= r->action)
			continue;
		first = place_of_access(x, r->thread,
		                        &(struct oclmm_explored_place){.where = r->where,
		                                                       .cell = a->cell,
		                                                       .writes = r->writes,
		                                                       .atomic = r->atomic,
		                                                       .scope = spelled(r->scope)});
		second =
			place_of_access(x, a->agent,
		                        &(struct oclmm_explored_place){.where = a->where,
		                                                       .cell = a->cell,
		                                                       .writes = a->writes,
		                                                       .atomic = a->atomic,
		                                                       .scope = spelled(a->scope)});
		fail(x, s, OCLMM_EXPLORED_RACE, &first, &second);
		return false;
	}
	return true;
}

/* Notes an access for later ones. */
static void add_record(struct oclmm_explorer *x, struct state *s, const struct access *a,
                       uint32_t action)
{
	const struct cell_state *old = s->cells[a->cell];
	struct cell_state *c = own_cell(x, s, a->cell);
	struct record *records = cut(x, sizeof(*records) * (old->record_count + 1));
	unsigned count = 0;

	/* behind a plain write that races with nothing, what came before it races with nothing that
	 * does not race with it, too */
	for (unsigned i = 0; i < old->record_count; i++) {
		const struct record *r = &old->records[i];

		if ((a->writes && !a->atomic) || (r->thread == a->agent && r->writes == a->writes &&
		                                  r->atomic == a->atomic && r->scope == a->scope))
			continue;
		records[count++] = *r;
	}
	records[count++] = (struct record){.thread = (uint16_t)a->agent,
	                                   .scope = (uint8_t)a->scope,
	                                   .writes = a->writes,
	                                   .atomic = a->atomic,
	                                   .action = action,
	                                   .where = a->where};
	c->records = records;
	c->record_count = count;
}

/* Looks for races of an access with earlier ones, and notes it for later ones. */
static bool is_sound(struct oclmm_explorer *x, struct state *s, unsigned t, uint32_t cell,
                     bool writes, bool atomic, unsigned scope, uint32_t where)
{
	struct thread_state *own = s->threads[t];
	struct access access = {
		.agent = t,
		.clock = clock_of(x, own->view, x->source->cells[cell].region),
		.cell = cell,
		.writes = writes,
		.atomic = atomic,
		.scope = scope,
		.where = where,
	};
	bool first;

	if (learn(x, cell, atomic ? FACT_ATOMIC : FACT_PLAIN))
		return false;
	if (x->toucher[cell] != t + 1) {
		if (x->toucher[cell] == 0)
			x->toucher[cell] = t + 1;
		else if (learn(x, cell, FACT_SHARED))
			return false;
	}
	if (!races_with_none(x, s, &access, &first))
		return false;
	own->actions++;
	/* atomic accesses that never race among themselves are of interest to plain ones alone */
	if (!atomic || x->facts[cell] & (FACT_PLAIN | FACT_NARROW) || first)
		add_record(x, s, &access, own->actions);
	return true;
}

/* ---- writes and reads of objects with atomic accesses ------------------------ */

/* Puts a write behind the one at a place. */
static struct message *insert(struct oclmm_explorer *x, struct state *s, unsigned t, uint32_t cell,
                              unsigned behind, uint64_t value)
{
	struct cell_state *c = own_cell(x, s, cell);
	struct message *mo = cut(x, sizeof(*mo) * (c->count + 1)), *m = &mo[behind + 1];

	memcpy(mo, c->mo, sizeof(*mo) * (behind + 1));
	memcpy(m + 1, c->mo + behind + 1, sizeof(*mo) * (c->count - behind - 1));
	*m = (struct message){.id = ++x->ids, .thread = (uint16_t)t, .value = value};
	c->mo = mo;
	c->count++;
	seen_of(x, s->threads[t]->view)[x->number_of[cell]] = m->id;
	s->threads[t]->wrote[x->number_of[cell]] = m->id;
	return m;
}

/* A later release of the same kind by the same thread brings all that an earlier one does. */
static bool is_surpassed(const struct head *head, const struct head *later, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (later[i].thread == head->thread && later[i].scope == head->scope &&
		    later[i].fence == head->fence && later[i].flags == head->flags)
			return true;
	return false;
}

/*
 * The release sides whose sequence a write belongs to: its own, and those of earlier writes up to
 * which all between are read-modify-writes, or of the thread of that earlier write.
 */
static unsigned find_heads(const struct cell_state *c, unsigned at, struct head *ret_heads)
{
	unsigned count = 0;
	int only = -1; /* the one thread whose sequences go so far */

	for (unsigned i = at;; i--) {
		const struct message *m = &c->mo[i];

		for (unsigned h = 0; h < m->head_count && count < MOST_HEADS; h++)
			if ((only < 0 || m->thread == only) &&
			    !is_surpassed(&m->heads[h], ret_heads, count))
				ret_heads[count++] = m->heads[h];
		if (i == 0)
			return count;
		if (!m->rmw && only >= 0 && m->thread != only)
			return count;
		if (!m->rmw)
			only = m->thread;
	}
}

/* A write releases what its own order and the fences before it say. */
static void give_heads(struct oclmm_explorer *x, struct state *s, unsigned t, struct message *m,
                       enum oclmm_order order, unsigned scope, enum oclmm_space region)
{
	struct thread_state *own = s->threads[t];
	struct head heads[MOST_FENCES + 1];
	unsigned count = 0;

	if (oclmm_order_releases(order))
		heads[count++] = (struct head){.view = handed_on(x, t, own),
		                               .thread = (uint16_t)t,
		                               .scope = (uint8_t)scope,
		                               .flags = (uint8_t)(1u << region)};
	for (unsigned i = 0; i < own->fence_count; i++)
		if (own->fences[i].flags >> region & 1)
			heads[count++] = own->fences[i];
	m->heads = copy(x, heads, sizeof(*heads) * count);
	m->head_count = (uint8_t)count;
}

static bool knows(const struct oclmm_explorer *x, const struct state *s, const uint32_t *view,
                  const uint32_t *other, unsigned region);

/* Remembers a release side for acquire fences to come, unless that would bring nothing. */
static void add_read(const struct oclmm_explorer *x, const struct state *s, unsigned t,
                     const struct head *head, struct head *reads, unsigned *count)
{
	unsigned regions = head->fence ? head->flags : 1u << head->object;
	bool known = true;

	for (unsigned r = 0; r < REGIONS && known; r++)
		known = !(regions >> r & 1) || knows(x, s, s->threads[t]->view, head->view, r);
	for (unsigned i = 0; i < *count && !known; i++)
		known = reads[i].view == head->view && reads[i].scope == head->scope &&
		        reads[i].object == head->object;
	if (!known && head->thread != t)
		reads[(*count)++] = *head;
}

/* What a read takes with the value of a write. */
static void take_heads(struct oclmm_explorer *x, struct state *s, unsigned t, uint32_t cell,
                       unsigned at, enum oclmm_order order, unsigned scope)
{
	struct thread_state *own = s->threads[t];
	enum oclmm_space region = x->source->cells[cell].region;
	struct head heads[MOST_HEADS], *reads;
	unsigned count = find_heads(s->cells[cell], at, heads), kept = 0;

	if (count == 0)
		return;
	if (!s->cells[cell]->mo[at].credited) {
		struct cell_state *c = own_cell(x, s, cell);

		c->mo = copy(x, c->mo, sizeof(*c->mo) * c->count);
		for (unsigned i = at; i > 0; i--) {
			c->mo[i].credited = true;
			if (!c->mo[i].rmw && c->mo[i].head_count)
				break;
		}
	}
	reads = cut(x, sizeof(*reads) * (own->read_count + count));
	for (unsigned h = 0; h < count; h++) {
		struct head *head = &heads[h];

		head->object = (uint8_t)region;
		if (head->thread != t && oclmm_order_acquires(order) &&
		    inclusive(x, head->thread, head->scope, t, scope, region))
			join(x, s, own->view, head->view, region);
	}
	for (unsigned h = 0; h < own->read_count + count; h++) {
		const struct head *head = h < own->read_count ? &own->reads[h]
		                                              : &heads[h - own->read_count];
		unsigned before = kept;

		add_read(x, s, t, head, reads, &kept);
		if (kept > before && h >= own->read_count &&
		    covers(x, towards(x, head->scope, head->thread, t), head->thread, t))
			note_no_counter(x, cell, FACT_HEARD);
	}
	own->reads = reads;
	own->read_count = kept;
}

/* ---- plain accesses and fences ------------------------------------------------- */

bool oclmm_explored_read(struct oclmm_explorer *x, uint32_t cell, uint32_t where,
                         uint64_t *ret_value)
{
	struct state *s = x->at;
	const struct cell_state *c = s->cells[cell];
	struct oclmm_done *done;

	if (!is_sound(x, s, x->running, cell, false, false, OCLMM_SCOPE_NONE, where)) {
		x->stopped = true;
		return false;
	}
	if (!(x->facts[cell] & FACT_ATOMIC))
		learn(x, cell, FACT_READ);
	/* it races with nothing, so it follows all writes that there are, and reads the last */
	*ret_value = c->count ? c->mo[c->count - 1].value : c->value;
	done = note(x, s, x->running, OCLMM_EXPLORED_READ, cell, where);
	done->plain = true;
	done->read = *ret_value;
	done->from = c->count ? c->mo[c->count - 1].done : c->done;
	if (c->count)
		seen_of(x,
		        s->threads[x->running]->view)[x->number_of[cell]] = c->mo[c->count - 1].id;
	return true;
}

bool oclmm_explored_write(struct oclmm_explorer *x, uint32_t cell, uint64_t value, uint32_t where)
{
	struct state *s = x->at;
	struct oclmm_done *done;

	if (!is_sound(x, s, x->running, cell, true, false, OCLMM_SCOPE_NONE, where)) {
		x->stopped = true;
		return false;
	}
	done = note(x, s, x->running, OCLMM_EXPLORED_WRITE, cell, where);
	done->plain = true;
	done->written = value;
	x->facts[cell] |= FACT_WRITTEN;
	if (x->facts[cell] & FACT_ATOMIC) {
		struct message *m = insert(x, s, x->running, cell, s->cells[cell]->count - 1,
		                           value);

		m->done = done;
	} else {
		struct cell_state *c = own_cell(x, s, cell);

		c->value = value;
		c->done = done;
	}
	return true;
}

static unsigned last_sc(const struct cell_state *c)
{
	unsigned at = c->count - 1;

	while (at > 0 && !c->mo[at].sc)
		at--;
	return at;
}

static void advance_to(const struct cell_state *c, uint32_t *id, unsigned at)
{
	if (position(c, *id) < at)
		*id = c->mo[at].id;
}

/* A seq_cst fence, where S is as things happen: rules 2, 4 and 5 for what its thread does behind
 * it, and 3, 4 and 5 for what it did in front of it. */
static void fence_by_turn(struct oclmm_explorer *x, struct state *s, unsigned t)
{
	uint32_t *seen = seen_of(x, s->threads[t]->view);

	s->fenced = copy(x, s->fenced, x->atomic_count * sizeof(*s->fenced));
	for (unsigned a = 0; a < x->atomic_count; a++) {
		const struct cell_state *c = s->cells[x->atomics[a]];

		advance_to(c, &seen[a], last_sc(c));
		advance_to(c, &seen[a], position(c, s->fenced[a]));
		advance_to(c, &s->fenced[a], position(c, s->threads[t]->wrote[a]));
	}
}

static void acquire_by_fence(struct oclmm_explorer *x, struct state *s, unsigned t,
                             enum oclmm_scope scope, unsigned flags)
{
	struct thread_state *own = s->threads[t];

	for (unsigned i = 0; i < own->read_count; i++) {
		const struct head *h = &own->reads[i];
		bool both = flags == FLAGS_BOTH && h->fence && h->flags == FLAGS_BOTH;

		if (!(flags >> h->object & 1) ||
		    !inclusive(x, h->thread, h->scope, t, scope, (enum oclmm_space)h->object))
			continue;
		for (unsigned r = 0; r < REGIONS; r++)
			if (both || r == h->object)
				join(x, s, own->view, h->view, r);
	}
}

static void release_by_fence(struct oclmm_explorer *x, struct state *s, unsigned t,
                             enum oclmm_scope scope, unsigned flags)
{
	struct thread_state *own = s->threads[t];
	struct head *fences = cut(x, sizeof(*fences) * (own->fence_count + 1));
	unsigned count = 0;

	/* a fence stands for those before it that have its scope and no flag that it lacks */
	for (unsigned i = 0; i < own->fence_count; i++)
		if (own->fences[i].scope != scope || own->fences[i].flags & ~flags)
			fences[count++] = own->fences[i];
	if (count < MOST_FENCES)
		fences[count++] = (struct head){.view = handed_on(x, t, own),
		                                .thread = (uint16_t)t,
		                                .scope = (uint8_t)scope,
		                                .flags = (uint8_t)flags,
		                                .fence = true};
	own->fences = fences;
	own->fence_count = count;
}

void oclmm_explored_fence(struct oclmm_explorer *x, enum oclmm_order order, enum oclmm_scope scope,
                          unsigned flags, uint32_t where)
{
	struct state *s = x->at;
	struct oclmm_done *done;

	flags &= FLAGS_BOTH;
	if (order == OCLMM_ORDER_SEQ_CST && learn_order(x, ORDERS_SC_FENCE)) {
		x->stopped = true;
		return;
	}
	if (oclmm_order_acquires(order))
		acquire_by_fence(x, s, x->running, scope, flags);
	if (order == OCLMM_ORDER_SEQ_CST && is_by_turn(x))
		fence_by_turn(x, s, x->running);
	s->threads[x->running]->actions++;
	done = note(x, s, x->running, OCLMM_EXPLORED_BARRIER, 0, where);
	done->order = order;
	done->scope = scope;
	((struct done *)done)->flags = (uint8_t)flags;
	if (oclmm_order_releases(order))
		release_by_fence(x, s, x->running, scope, flags);
}

/* ---- one step of one thread -------------------------------------------------------- */

static uint64_t masked(const struct oclmm_explorer *x, uint32_t cell, uint64_t value)
{
	unsigned bits = 8u * x->source->cells[cell].size;

	return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

/* The integer type of an update, by the size of its cell. */
static enum oclmm_type update_type(const struct oclmm_explorer *x,
                                   const struct oclmm_explored_step *step)
{
	switch (x->source->cells[step->cell].size) {
	case 1: return step->is_signed ? OCLMM_TYPE_CHAR : OCLMM_TYPE_UCHAR;
	case 2: return step->is_signed ? OCLMM_TYPE_SHORT : OCLMM_TYPE_USHORT;
	case 4: return step->is_signed ? OCLMM_TYPE_INT : OCLMM_TYPE_UINT;
	default: return step->is_signed ? OCLMM_TYPE_LONG : OCLMM_TYPE_ULONG;
	}
}

static uint64_t updated(const struct oclmm_explorer *x, const struct oclmm_explored_step *step,
                        uint64_t old)
{
	enum oclmm_type type = update_type(x, step);
	int64_t value = oclmm_apply_rmw(step->op, type, oclmm_value_wrap(type, (int64_t)old),
	                                oclmm_value_wrap(type, (int64_t)step->operand));

	return masked(x, step->cell, (uint64_t)value);
}

/* How a step may be taken: which write it reads, or behind which it stands. */
struct choice {
	unsigned at;
	bool fails; /* COMPARE */
};

/* The n-th way of a step. \return false: there are no more */
static bool nth_choice(const struct oclmm_explorer *x, const struct state *s, unsigned t,
                       unsigned n, struct choice *ret)
{
	const struct oclmm_explored_step *step = &s->threads[t]->step;
	const struct cell_state *c = s->cells[step->cell];
	unsigned first;

	/* an access whose object has none yet: what is learnt by it starts the search again */
	if (c->count == 0) {
		*ret = (struct choice){0};
		return n == 0;
	}
	first = position(c, seen_of(x, s->threads[t]->view)[x->number_of[step->cell]]);
	if (is_pure(x))
		first = c->count - 1;
	if (is_by_turn(x) && step->order == OCLMM_ORDER_SEQ_CST) {
		unsigned fenced = position(c, s->fenced[x->number_of[step->cell]]);

		first = last_sc(c) > first ? last_sc(c) : first;
		first = fenced > first && step->kind != OCLMM_EXPLORED_WRITE ? fenced : first;
	}
	for (unsigned i = first; i < c->count; i++) {
		const struct message *m = &c->mo[i];
		bool reads = step->kind == OCLMM_EXPLORED_READ, writes = !m->taken,
		     spurious = false;

		if (step->kind == OCLMM_EXPLORED_COMPARE) {
			bool equal = m->value == step->compare;

			reads = !equal && (!step->legacy || !m->taken);
			writes = equal && !m->taken;
			spurious = equal && step->weak;
		} else if (step->kind == OCLMM_EXPLORED_READ) {
			writes = false;
		}
		/* what was read as a part of a release sequence stays a part of it */
		if (writes && i + 1 < c->count && c->mo[i + 1].credited &&
		    c->mo[i + 1].thread != t && step->kind == OCLMM_EXPLORED_WRITE &&
		    c->mo[i + 1].head_count == 0)
			writes = false;
		if ((reads || writes) && n-- == 0) {
			*ret = (struct choice){i, step->kind == OCLMM_EXPLORED_COMPARE && reads};
			return true;
		}
		if (spurious && n-- == 0) {
			*ret = (struct choice){i, true};
			return true;
		}
	}
	return false;
}

/* Objects are numbered without end, and sets of them are a word: those beyond share its bits. */
static unsigned bit_of(const struct oclmm_explorer *x, uint32_t cell)
{
	return x->number_of[cell] % 64;
}

enum { MANY = UINT16_MAX };

/* Notes which objects a thread read before one that it writes, and whether the orders of an access
 * let a read be early. */
static void note_loads(struct oclmm_explorer *x, struct thread_state *own, unsigned t,
                       const struct oclmm_explored_step *step, enum oclmm_order order, bool writes)
{
	unsigned to = bit_of(x, step->cell);
	bool reads = step->kind != OCLMM_EXPLORED_WRITE;

	if ((reads && !oclmm_order_acquires(order)) || (writes && !oclmm_order_releases(order)))
		x->loose |= UINT64_C(1) << to;
	x->behind |= writes ? own->passed & UINT64_C(1) << to : 0;
	for (unsigned from = 0; from < 64 && writes; from++)
		if (own->loaded >> from & 1 && from != to) {
			uint16_t *by = &x->follows[from][to];
			uint32_t cell = x->atomics[from];

			/* happens-before orders no accesses to two regions */
			if (x->source->cells[cell].region != x->source->cells[step->cell].region)
				x->loose |= UINT64_C(1) << to;
			*by = *by && *by != t + 1 ? MANY : (uint16_t)(t + 1);
		}
	if (reads)
		own->loaded |= UINT64_C(1) << to;
}

/* Updates that may change places, and leave the same value in any order: 0, there are none. */
static unsigned family_of(const struct oclmm_explored_step *step)
{
	unsigned beside = step->is_signed ? 1 : 0;

	if (step->kind != OCLMM_EXPLORED_UPDATE || !step->unused)
		return 0;
	switch (step->op) {
	case OCLMM_OP_FETCH_ADD:
	case OCLMM_OP_FETCH_SUB: return 1;
	case OCLMM_OP_FETCH_AND: return 2;
	case OCLMM_OP_FETCH_OR: return 3;
	case OCLMM_OP_FETCH_XOR: return 4;
	case OCLMM_OP_FETCH_MIN: return 5 + beside;
	case OCLMM_OP_FETCH_MAX: return 7 + beside;
	default: return 0;
	}
}

static void note_family(struct oclmm_explorer *x, const struct oclmm_explored_step *step,
                        enum oclmm_order order)
{
	unsigned family = family_of(step);

	if (!family || (x->families[step->cell] && x->families[step->cell] != family))
		note_no_counter(x, step->cell, FACT_VALUED);
	if (order != OCLMM_ORDER_RELAXED)
		note_no_counter(x, step->cell, FACT_ORDERED);
	x->families[step->cell] = (uint8_t)family;
}

/* Notes whether an update brings others what they do not know: who reads it first matters then. */
static void note_sent(struct oclmm_explorer *x, const struct state *s, unsigned t, uint32_t cell,
                      const struct message *m)
{
	for (unsigned h = 0; h < m->head_count && !(x->facts[cell] & FACT_SENT); h++)
		for (unsigned u = 0; u < x->threads; u++)
			for (unsigned r = 0; r < REGIONS; r++)
				if (u != t && m->heads[h].flags >> r & 1 &&
				    covers(x, towards(x, m->heads[h].scope, t, u), t, u) &&
				    !knows(x, s, s->threads[u]->view, m->heads[h].view, r))
					note_no_counter(x, cell, FACT_SENT);
}

/*
 * A counter is only updated, by updates that may change places, and nobody looks at what they read.
 * Where all that threads share are counters, and nobody's scope is too narrow, each execution makes
 * the same accesses and ends alike.
 */
static bool has_counters_alone(const struct oclmm_explorer *x)
{
	for (uint32_t cell = 0; cell < x->source->cell_count; cell++) {
		unsigned facts = x->facts[cell];

		if ((facts & FACT_ATOMIC && facts & (FACT_VALUED | FACT_NARROW)) ||
		    (facts & FACT_PLAIN && facts & FACT_SHARED &&
		     facts & (FACT_ATOMIC | FACT_WRITTEN)))
			return false;
	}
	return true;
}

/*
 * Objects, by bit, of which it does not matter what is read when. An execution in which an update
 * of a counter reads early ends like one in which it reads in turn, if what synchronizes by it is
 * no more there: where all its updates are relaxed and bring no release side that was not known.
 */
static uint64_t find_counters(const struct oclmm_explorer *x)
{
	uint64_t counters = UINT64_MAX;

	if (has_counters_alone(x))
		return counters;
	for (unsigned a = 0; a < x->atomic_count; a++)
		if (x->facts[x->atomics[a]] & (FACT_VALUED | FACT_ORDERED | FACT_HEARD))
			counters &= ~(UINT64_C(1) << a % 64);
	return counters;
}

/*
 * Whether some read may take its value from a write that waits for it: where objects can be put in
 * a cycle such that threads, at least two, read each of them before they write the next, and some
 * access to one of them does not synchronize.
 */
static bool may_be_early(const struct oclmm_explorer *x)
{
	bool reach[64][64];
	const uint64_t counters = x->counters;

	if (x->behind & ~counters)
		return true;
	for (unsigned i = 0; i < 64; i++)
		for (unsigned k = 0; k < 64; k++)
			reach[i][k] = x->follows[i][k] && !(counters >> i & 1);
	for (unsigned via = 0; via < 64; via++)
		for (unsigned i = 0; i < 64; i++)
			for (unsigned k = 0; k < 64; k++)
				reach[i][k] = reach[i][k] || (reach[i][via] && reach[via][k]);
	for (unsigned on = 0; on < 64; on++) {
		unsigned first = 0;

		if (!((x->loose & ~counters) >> on & 1) || !reach[on][on])
			continue;
		for (unsigned i = 0; i < 64; i++)
			for (unsigned k = 0; k < 64; k++) {
				unsigned by = x->follows[i][k];

				if (!by || counters >> i & 1 || !reach[k][i] ||
				    (i != on && !(reach[on][i] && reach[i][on])))
					continue;
				if (by == MANY || (first && by != first))
					return true;
				first = by;
			}
	}
	return false;
}

static bool note_orders(struct oclmm_explorer *x, const struct oclmm_explored_step *step,
                        enum oclmm_order order)
{
	bool local = x->source->cells[step->cell].region == OCLMM_SPACE_LOCAL;
	unsigned fact = order != OCLMM_ORDER_SEQ_CST ? ORDERS_WEAK
	                : local                      ? ORDERS_SC_LOCAL
	                                             : ORDERS_SC_GLOBAL;
	unsigned kind = step->kind == OCLMM_EXPLORED_WRITE                    ? FACT_STORE
	                : step->kind == OCLMM_EXPLORED_UPDATE || step->legacy ? 0
	                                                                      : FACT_LOAD;

	return learn_order(x, fact) || learn(x, step->cell, FACT_ATOMIC | kind);
}

/* Makes the access that a thread has come to. \return false where the search ends or starts again
 */
static bool access_memory(struct oclmm_explorer *x, struct state *s, unsigned t,
                          struct choice choice, uint64_t *ret_read)
{
	struct thread_state *own = s->threads[t];
	struct oclmm_explored_step step = own->step;
	enum oclmm_space region = x->source->cells[step.cell].region;
	bool stays = step.kind == OCLMM_EXPLORED_READ || (choice.fails && !step.legacy);
	/* of OpenCL 1.x, one that fails stores what it found (docs/model.md, K9) */
	enum oclmm_order order = choice.fails ? step.failure : step.order;
	unsigned scope = step.scope;
	struct oclmm_done *done;
	struct message *m;
	uint64_t value = step.operand;
	unsigned at = choice.at;

	if (x->options.legacy_device && step.legacy && step.scope == OCLMM_SCOPE_WORK_GROUP)
		scope |= SCOPE_LEGACY;
	x->exchange_failed = choice.fails;
	if (note_orders(x, &step, order) ||
	    !is_sound(x, s, t, step.cell, !stays, true, scope, step.where))
		return false;
	/* an exchange that fails here may be made elsewhere */
	note_loads(x, own, t, &step, order, step.kind != OCLMM_EXPLORED_READ);
	note_family(x, &step, order);
	done = note(x, s, t,
	            step.kind == OCLMM_EXPLORED_COMPARE && stays ? OCLMM_EXPLORED_READ : step.kind,
	            step.cell, step.where);
	done->order = order;
	done->scope = step.scope;
	if (step.kind != OCLMM_EXPLORED_WRITE) {
		const struct message *from = &s->cells[step.cell]->mo[at];

		*ret_read = done->read = from->value;
		done->from = from->done;
		seen_of(x, own->view)[x->number_of[step.cell]] = from->id;
		take_heads(x, s, t, step.cell, at, order, scope);
	}
	if (is_exact(x)) /* what is read is known from here on */
		((struct done *)done)->view = handed_on(x, t, own);
	if (stays)
		return true;
	if (step.kind == OCLMM_EXPLORED_UPDATE)
		value = updated(x, &step, *ret_read);
	else if (choice.fails)
		value = *ret_read;
	done->written = value;
	/* an update that changes nothing and releases nothing leaves the write that it read to
	 * those who come after it, as it was */
	if (step.kind != OCLMM_EXPLORED_WRITE && value == *ret_read && !is_exact(x) &&
	    !oclmm_order_releases(order) && own->fence_count == 0) {
		own->wrote[x->number_of[step.cell]] = s->cells[step.cell]->mo[at].id;
		return true;
	}
	if (step.kind != OCLMM_EXPLORED_WRITE) {
		struct cell_state *c = own_cell(x, s, step.cell);

		c->mo = copy(x, c->mo, sizeof(*c->mo) * c->count);
		c->mo[at].taken = true;
	}
	m = insert(x, s, t, step.cell, at, value);
	m->rmw = step.kind != OCLMM_EXPLORED_WRITE;
	m->sc = order == OCLMM_ORDER_SEQ_CST;
	m->done = done;
	give_heads(x, s, t, m, order, scope, region);
	if (family_of(&step))
		note_sent(x, s, t, step.cell, m);
	return true;
}

/* ---- asynchronous copies ---- */

/* The agent that makes the n-th copy of a group at a time. */
static unsigned copier_of(const struct oclmm_explorer *x, unsigned group, unsigned n)
{
	return x->threads + group * x->copies_at_once + n;
}

static bool knows_copies(const struct oclmm_explorer *x, const struct state *s, unsigned t,
                         unsigned copier)
{
	return clock_of(x, s->threads[t]->view, OCLMM_SPACE_GLOBAL)[copier] >=
	       s->copies[copier - x->threads].made;
}

static bool has_waited(const struct oclmm_explorer *x, const struct state *s, unsigned t)
{
	for (unsigned n = 0; n < x->copies_at_once; n++)
		if (!knows_copies(x, s, t, copier_of(x, x->source->threads[t].group, n)))
			return false;
	return true;
}

bool oclmm_explored_copy_begin(struct oclmm_explorer *x, uint64_t event, uint64_t *ret_event)
{
	enum { MOST = 60 }; /* bits of an event */
	struct state *s = x->at;
	unsigned group = x->source->threads[x->members[0]].group, n = 0;

	for (; n < x->copies_at_once; n++) {
		bool is_free = true;

		for (unsigned i = 0; i < x->member_count; i++)
			is_free = is_free &&
			          knows_copies(x, s, x->members[i], copier_of(x, group, n));
		if (is_free)
			break;
	}
	if (n == x->copies_at_once) {
		/* the search starts again with more */
		x->copies_at_once += x->copies_at_once < MOST;
		x->stale = n < MOST;
		return false;
	}
	x->copier = copier_of(x, group, n);
	event = event ? event : UINT64_C(1) << n;
	s->copies = copy(x, s->copies, (x->agents - x->threads) * sizeof(*s->copies));
	s->copies[x->copier - x->threads].made++;
	s->copies[x->copier - x->threads].event = event;
	/* any of them may make each access, so only what all know comes before it */
	x->copy_view = cut(x, view_size(x));
	memset(x->copy_view, 0, view_size(x));
	for (unsigned r = 0; r < REGIONS; r++) {
		uint32_t *clock = clock_of(x, x->copy_view, r);

		for (unsigned a = 0; a < x->agents; a++) {
			clock[a] = UINT32_MAX;
			for (unsigned i = 0; i < x->member_count; i++) {
				unsigned m = x->members[i];
				uint32_t known = m == a ? s->threads[m]->actions
				                        : clock_of(x, s->threads[m]->view, r)[a];

				clock[a] = known < clock[a] ? known : clock[a];
			}
		}
	}
	*ret_event = event;
	return true;
}

static bool make_copy_access(struct oclmm_explorer *x, struct state *s, uint32_t cell, bool writes,
                             uint32_t where)
{
	struct access access = {
		.agent = x->copier,
		.clock = clock_of(x, x->copy_view, x->source->cells[cell].region),
		.cell = cell,
		.writes = writes,
		.scope = OCLMM_SCOPE_NONE,
		.where = where,
	};
	bool first;

	if (learn(x, cell, FACT_PLAIN | FACT_SHARED) || !races_with_none(x, s, &access, &first))
		return false;
	x->facts[cell] |= writes ? FACT_WRITTEN : 0;
	add_record(x, s, &access, s->copies[x->copier - x->threads].made);
	return true;
}

bool oclmm_explored_copy_cell(struct oclmm_explorer *x, uint32_t from, uint32_t to, uint32_t where)
{
	struct state *s = x->at;
	const struct cell_state *source = s->cells[from];
	struct oclmm_done *done;
	struct cell_state *c;
	uint64_t value = source->count ? source->mo[source->count - 1].value : source->value;

	if (!make_copy_access(x, s, from, false, where))
		return false;
	if (!(x->facts[from] & FACT_ATOMIC))
		learn(x, from, FACT_READ);
	done = note(x, s, x->members[0], OCLMM_EXPLORED_READ, from, where);
	done->plain = done->copies = true;
	done->read = value;
	done->from = source->count ? source->mo[source->count - 1].done : source->done;
	if (!make_copy_access(x, s, to, true, where))
		return false;
	done = note(x, s, x->members[0], OCLMM_EXPLORED_WRITE, to, where);
	done->plain = done->copies = true;
	done->written = value;
	c = own_cell(x, s, to);
	if (x->facts[to] & FACT_ATOMIC) {
		struct message *mo = cut(x, sizeof(*mo) * (c->count + 1));

		memcpy(mo, c->mo, sizeof(*mo) * c->count);
		mo[c->count] = (struct message){.id = ++x->ids,
		                                .thread = (uint16_t)x->copier,
		                                .value = value,
		                                .done = done};
		c->mo = mo;
		c->count++;
	} else {
		c->value = value;
		c->done = done;
	}
	return true;
}

void oclmm_explored_copy_wait(struct oclmm_explorer *x, uint64_t event)
{
	struct state *s = x->at;
	unsigned group = x->source->threads[x->members[0]].group;

	for (unsigned n = 0; n < x->copies_at_once; n++) {
		unsigned copier = copier_of(x, group, n);

		if (!(event & s->copies[copier - x->threads].event))
			continue;
		for (unsigned i = 0; i < x->member_count; i++) {
			uint32_t *view = s->threads[x->members[i]]->view;

			for (unsigned r = 0; r < REGIONS; r++)
				clock_of(x, view, r)[copier] = s->copies[copier - x->threads].made;
			/* what it wrote is what is read from here on */
			for (unsigned a = 0; a < x->atomic_count; a++) {
				const struct cell_state *c = s->cells[x->atomics[a]];

				for (unsigned k = position(c, seen_of(x, view)[a]) + 1;
				     k < c->count; k++)
					if (c->mo[k].thread == copier)
						seen_of(x, view)[a] = c->mo[k].id;
			}
		}
	}
}

void oclmm_explored_refuse(struct oclmm_explorer *x, uint32_t where)
{
	fail(x, x->at, OCLMM_EXPLORED_FAULTED,
	     &(struct oclmm_explored_place){.thread = x->members[0], .where = where}, NULL);
}

static bool is_missed(struct oclmm_explorer *x, const struct state *s, unsigned t);

/* Runs a thread to its next step. */
static bool advance(struct oclmm_explorer *x, struct state *s, unsigned t, uint64_t result)
{
	struct thread_state *own = s->threads[t];

	if (x->working.capacity < own->size + 64) {
		x->working.capacity = 2 * own->size + 4096;
		x->working.bytes = oclmm_realloc(x->working.bytes, x->working.capacity);
	}
	memcpy(x->working.bytes, own->bytes, own->size);
	x->working.size = own->size;
	x->at = s;
	x->running = t;
	x->stopped = false;
	memset(&own->step, 0, sizeof(own->step));
	x->source->advance(x->source->data, x, t, &x->working, result, &own->step);
	if (x->stopped || x->stale)
		return false;
	own->bytes = copy(x, x->working.bytes, x->working.size);
	own->size = x->working.size;
	own->is_hashed = false;
	if (own->step.kind == OCLMM_EXPLORED_FAULT) {
		fail(x, s, OCLMM_EXPLORED_FAULTED,
		     &(struct oclmm_explored_place){.thread = t, .where = own->step.where}, NULL);
		return false;
	}
	if (own->step.kind == OCLMM_EXPLORED_END && !has_waited(x, s, t)) {
		fail(x, s, OCLMM_EXPLORED_UNWAITED,
		     &(struct oclmm_explored_place){.thread = t, .where = own->step.where}, NULL);
		return false;
	}
	if (own->step.kind == OCLMM_EXPLORED_END && is_missed(x, s, t))
		return false;
	if (own->step.kind == OCLMM_EXPLORED_CUT && !x->found->cut) {
		x->found->cut = true;
		x->found->cut_where = own->step.where;
	}
	return true;
}

static struct thread_state *own_thread(struct oclmm_explorer *x, struct state *s, unsigned t)
{
	struct thread_state *own = copy(x, s->threads[t], sizeof(*own));

	own->view = copy(x, own->view, view_size(x));
	own->wrote = copy(x, own->wrote, x->atomic_count * sizeof(*own->wrote));
	return s->threads[t] = own;
}

bool oclmm_explored_failed(const struct oclmm_explorer *explorer)
{
	return explorer->exchange_failed;
}

/* ---- barriers ------------------------------------------------------------------------- */

static bool same_unit(const struct oclmm_explorer *x, unsigned a, unsigned b, bool sub_group)
{
	const struct oclmm_explored_thread *threads = x->source->threads;

	return sub_group ? threads[a].sub_group == threads[b].sub_group
	                 : threads[a].group == threads[b].group;
}

static void diverge(struct oclmm_explorer *x, const struct state *s, unsigned waiting,
                    unsigned other)
{
	const struct oclmm_explored_step *step = &s->threads[waiting]->step,
					 *its = &s->threads[other]->step;

	fail(x, s, OCLMM_EXPLORED_DIVERGED,
	     &(struct oclmm_explored_place){.thread = waiting, .where = step->where},
	     &(struct oclmm_explored_place){.thread = other,
	                                    .where = its->where,
	                                    .ended = its->kind == OCLMM_EXPLORED_END,
	                                    .elsewhen = its->where == step->where &&
	                                                its->turn != step->turn});
}

/* What is not understood: of those in a sub-group, some make use of a function without the others.
 */
static void part(struct oclmm_explorer *x, const struct state *s, unsigned waiting, unsigned other)
{
	const struct oclmm_explored_step *step = &s->threads[waiting]->step;

	x->source->apart(x->source->data, step, other, &s->threads[other]->step);
	fail(x, s, OCLMM_EXPLORED_FAULTED,
	     &(struct oclmm_explored_place){.thread = waiting, .where = step->where}, NULL);
}

/* Whether neither of two of a sub-group can come to where the other waits before that goes on. */
static bool is_apart(const struct oclmm_explored_step *a, const struct oclmm_explored_step *b)
{
	if (a->kind == OCLMM_EXPLORED_END || b->kind == OCLMM_EXPLORED_END)
		return true;
	return a->kind == OCLMM_EXPLORED_BARRIER && b->kind == OCLMM_EXPLORED_BARRIER &&
	       !a->waits && !b->waits &&
	       (a->where != b->where || a->turn != b->turn || a->non_uniform != b->non_uniform);
}

/* Whether all of a unit wait at one barrier; a wait in vain is a fault. */
static bool is_complete(struct oclmm_explorer *x, const struct state *s, unsigned t)
{
	const struct oclmm_explored_step *step = &s->threads[t]->step;
	bool all = true;

	for (unsigned u = 0; u < x->threads; u++) {
		const struct oclmm_explored_step *its = &s->threads[u]->step;

		if (u == t || !same_unit(x, t, u, step->sub_group))
			continue;
		if ((step->non_uniform || its->non_uniform) && same_unit(x, t, u, true) &&
		    is_apart(step, its)) {
			part(x, s, step->non_uniform ? t : u, step->non_uniform ? u : t);
			return false;
		}
		if (its->kind == OCLMM_EXPLORED_END ||
		    (its->kind == OCLMM_EXPLORED_BARRIER && its->sub_group == step->sub_group &&
		     !its->waits &&
		     (its->where != step->where || its->turn != step->turn ||
		      its->flags != step->flags || its->scope != step->scope ||
		      its->collective != step->collective))) {
			diverge(x, s, t, u);
			return false;
		}
		/* a thread at a barrier of its sub-group may reach this one later, and so may one
		 * that waits at a split barrier */
		all = all && its->kind == OCLMM_EXPLORED_BARRIER &&
		      its->sub_group == step->sub_group && !its->waits;
	}
	return all;
}

/* What others have read that a barrier does not order before what comes behind it. */
static uint64_t unordered_loads(const struct oclmm_explorer *x, const struct state *s,
                                const unsigned *members, unsigned count, unsigned own)
{
	const struct oclmm_explored_step *step = &s->threads[members[0]]->step;
	uint64_t loaded = 0, objects = 0;

	for (unsigned i = 0; i < count; i++)
		if (members[i] != own)
			loaded |= s->threads[members[i]]->loaded;
	for (unsigned a = 0; a < x->atomic_count; a++)
		if (step->collective ||
		    !(step->flags >> x->source->cells[x->atomics[a]].region & 1))
			objects |= UINT64_C(1) << a % 64;
	return loaded & objects;
}

static bool pass_barrier(struct oclmm_explorer *x, struct state *s, unsigned first)
{
	struct oclmm_explored_step step = s->threads[first]->step;
	unsigned *members = cut(x, sizeof(*members) * x->threads), count = 0;
	const struct oclmm_explored_step **steps = cut(x, sizeof(*steps) * x->threads);
	const uint32_t **entry = cut(x, sizeof(*entry) * x->threads);

	/* what it leaves unordered, S need not order as it happens here */
	if (learn_order(x, (step.flags & OCLMM_FLAG_GLOBAL ? 0 : ORDERS_LAX_GLOBAL) |
	                           (step.flags & OCLMM_FLAG_LOCAL ? 0 : ORDERS_LAX_LOCAL)))
		return false;
	for (unsigned t = 0; t < x->threads; t++)
		if (same_unit(x, first, t, step.sub_group))
			members[count++] = t;
	for (unsigned i = 0; i < count; i++) {
		struct thread_state *own = own_thread(x, s, members[i]);
		struct oclmm_done *done;

		own->passed |= unordered_loads(x, s, members, count, members[i]);
		own->actions++;
		steps[i] = copy(x, &own->step, sizeof(own->step));
		done = note(x, s, members[i], OCLMM_EXPLORED_BARRIER, 0, step.where);
		done->order = OCLMM_ORDER_ACQ_REL;
		done->scope = step.scope;
		entry[i] = handed_on(x, members[i], own);
		if (!step.collective) {
			release_by_fence(x, s, members[i], step.scope, step.flags);
			acquire_by_fence(x, s, members[i], step.scope, step.flags);
		}
	}
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < count; k++)
			for (unsigned r = 0; r < REGIONS; r++)
				if (i != k && !step.collective && step.flags >> r & 1)
					join(x, s, s->threads[members[i]]->view, entry[k], r);
	if (step.collective && x->source->meet) {
		x->at = s;
		x->members = members;
		x->member_count = count;
		if (!x->source->meet(x->source->data, x, steps, count))
			return false;
	}
	for (unsigned i = 0; i < count; i++) {
		uint64_t result = step.collective
		                          ? x->source->collect(x->source->data, steps, count, i)
		                          : 0;

		s->threads[members[i]]->actions++;
		if (!advance(x, s, members[i], result))
			return false;
	}
	return true;
}

/* ---- split barriers ---- */

/*
 * An arrival is a release fence, and each thread keeps what it releases until all of its group have
 * waited for it. Who waits goes on alone, once all have arrived. Nobody comes further than the next
 * arrival before all have waited, so that two are kept. The n-th arrival and the n-th wait of each
 * thread of a group are of one barrier; each half has to be one call for all, in the same turns.
 */

static bool are_alike(const struct half *a, const struct half *b)
{
	return a->where == b->where && a->turn == b->turn && a->flags == b->flags &&
	       a->scope == b->scope;
}

static struct half half_of(const struct oclmm_explored_step *step)
{
	return (struct half){step->turn, step->where, (uint8_t)(step->flags & FLAGS_BOTH),
	                     (uint8_t)step->scope};
}

/* One half was reached by a thread, and not by another, which ended or came to another call. */
static void miss(struct oclmm_explorer *x, const struct state *s, unsigned t,
                 const struct half *half, unsigned other, const struct half *its)
{
	fail(x, s, OCLMM_EXPLORED_DIVERGED,
	     &(struct oclmm_explored_place){.thread = t, .where = half->where},
	     &(struct oclmm_explored_place){
		     .thread = other,
		     .where = its ? its->where : s->threads[other]->step.where,
		     .ended = !its && s->threads[other]->step.kind == OCLMM_EXPLORED_END,
		     .elsewhen = its && its->where == half->where && its->turn != half->turn});
}

/* The halves of a thread's n-th split barrier, from 1, as far as it has come to them. */
static const struct half *arrival_at(const struct thread_state *own, uint32_t n)
{
	return own->arrived >= n ? &own->arrivals[n & 1].arrived : NULL;
}

static const struct half *wait_at(const struct thread_state *own, uint32_t n,
                                  struct half *ret_current)
{
	if (own->waited >= n)
		return &own->arrivals[n & 1].waited;
	if (own->waited + 1 != n || own->step.kind != OCLMM_EXPLORED_BARRIER || !own->step.waits)
		return NULL;
	*ret_current = half_of(&own->step);
	return ret_current;
}

/* Whether a thread that has ended has left out what another of its group did; that is a fault. */
static bool is_missed(struct oclmm_explorer *x, const struct state *s, unsigned t)
{
	const struct thread_state *own = s->threads[t];
	struct half current;

	for (unsigned u = 0; u < x->threads; u++) {
		const struct thread_state *its = s->threads[u];
		const struct half *half = NULL;

		if (u == t || !same_unit(x, t, u, false))
			continue;
		if (its->arrived > own->arrived)
			half = arrival_at(its, own->arrived + 1);
		else if (its->arrived == own->arrived && own->waited < own->arrived)
			half = wait_at(its, own->arrived, &current);
		if (half) {
			miss(x, s, u, half, t, NULL);
			return true;
		}
	}
	return false;
}

bool oclmm_explored_arrive(struct oclmm_explorer *x, const struct oclmm_explored_step *step)
{
	struct state *s = x->at;
	unsigned t = x->running;
	struct thread_state *own = s->threads[t];
	struct half half = half_of(step);
	uint32_t n = own->arrived + 1;
	struct arrival *arrivals = cut(x, 2 * sizeof(*arrivals));
	struct oclmm_done *done;

	own->actions++;
	done = note(x, s, t, OCLMM_EXPLORED_BARRIER, 0, step->where);
	done->order = OCLMM_ORDER_RELEASE;
	done->scope = step->scope;
	for (unsigned u = 0; u < x->threads && !x->stopped; u++) {
		const struct thread_state *its = s->threads[u];
		const struct half *other = arrival_at(its, n);

		if (u == t || !same_unit(x, t, u, false))
			continue;
		if (other ? !are_alike(other, &half) : its->step.kind == OCLMM_EXPLORED_END) {
			miss(x, s, t, &half, u, other);
			x->stopped = true;
		}
	}
	if (x->stopped)
		return false;
	memset(arrivals, 0, 2 * sizeof(*arrivals));
	if (own->arrivals)
		arrivals[~n & 1] = own->arrivals[~n & 1];
	arrivals[n & 1] = (struct arrival){.view = handed_on(x, t, own),
	                                   .loaded = own->loaded,
	                                   .arrived = half};
	own->arrivals = arrivals;
	own->arrived = n;
	release_by_fence(x, s, t, step->scope, half.flags);
	return true;
}

/* Whether all have arrived where a thread waits; what keeps one of them away is a fault. */
static bool have_arrived(struct oclmm_explorer *x, const struct state *s, unsigned t)
{
	const struct thread_state *own = s->threads[t];
	struct half half = half_of(&own->step), current;
	uint32_t n = own->arrived;
	bool all = true;

	for (unsigned u = 0; u < x->threads; u++) {
		const struct thread_state *its = s->threads[u];
		const struct half *other = wait_at(its, n, &current);
		bool stays = its->step.kind == OCLMM_EXPLORED_END ||
		             (its->step.kind == OCLMM_EXPLORED_BARRIER && !its->step.sub_group &&
		              !its->step.waits && its->arrived < n);

		if (u == t || !same_unit(x, t, u, false))
			continue;
		if (other ? !are_alike(other, &half) : stays) {
			miss(x, s, t, &half, u, other);
			return false;
		}
		all = all && its->arrived >= n;
	}
	return all;
}

/* The memory that a wait orders behind an arrival: what both name, where both reach. */
static unsigned ordered(const struct oclmm_explorer *x, const struct half *arrival, unsigned a,
                        const struct half *wait, unsigned b)
{
	enum oclmm_scope scope = arrival->scope < wait->scope ? arrival->scope : wait->scope;

	return covers(x, scope, a, b) ? arrival->flags & wait->flags : 0;
}

static bool pass_wait(struct oclmm_explorer *x, struct state *s, unsigned t)
{
	struct thread_state *own = own_thread(x, s, t);
	struct half half = half_of(&own->step);
	uint32_t n = own->arrived;
	struct arrival *arrivals = copy(x, own->arrivals, 2 * sizeof(*arrivals));
	struct oclmm_done *done;

	for (unsigned u = 0; u < x->threads; u++) {
		const struct arrival *from = &s->threads[u]->arrivals[n & 1];
		unsigned regions, lacking;

		if (u == t || !same_unit(x, t, u, false))
			continue;
		regions = ordered(x, &from->arrived, u, &half, t);
		lacking = FLAGS_BOTH & ~regions;
		/* what it leaves unordered, S need not order as it happens here */
		if (learn_order(x, (lacking & OCLMM_FLAG_GLOBAL ? ORDERS_LAX_GLOBAL : 0) |
		                           (lacking & OCLMM_FLAG_LOCAL ? ORDERS_LAX_LOCAL : 0)))
			return false;
		for (unsigned a = 0; a < x->atomic_count; a++)
			if (lacking >> x->source->cells[x->atomics[a]].region & 1)
				own->passed |= from->loaded & UINT64_C(1) << a % 64;
	}
	own->actions++;
	done = note(x, s, t, OCLMM_EXPLORED_BARRIER, 0, half.where);
	done->order = OCLMM_ORDER_ACQUIRE;
	done->scope = own->step.scope;
	acquire_by_fence(x, s, t, own->step.scope, half.flags);
	for (unsigned u = 0; u < x->threads; u++) {
		const struct arrival *from = &s->threads[u]->arrivals[n & 1];
		unsigned regions;

		if (u == t || !same_unit(x, t, u, false))
			continue;
		regions = ordered(x, &from->arrived, u, &half, t);
		for (unsigned r = 0; r < REGIONS; r++)
			if (regions >> r & 1)
				join(x, s, own->view, from->view, r);
	}
	arrivals[n & 1].waited = half;
	own->arrivals = arrivals;
	own->waited = n;
	own->actions++;
	return advance(x, s, t, 0);
}

/* Who may still wait for an arrival, or be held to what its thread did there. */
static bool is_pending(const struct oclmm_explorer *x, const struct state *s, unsigned t,
                       uint32_t n)
{
	for (unsigned u = 0; u < x->threads; u++)
		if (u != t && same_unit(x, t, u, false) && s->threads[u]->waited < n)
			return true;
	return false;
}

static void hash_half(struct hash *h, const struct half *half)
{
	oclmm_hash_word(h, half->turn);
	oclmm_hash_word(h, (uint64_t)half->where | (uint64_t)half->flags << 32 |
	                           (uint64_t)half->scope << 40);
}

static struct hash hash_view(const struct oclmm_explorer *x, const struct state *s,
                             const uint32_t *view, unsigned regions);

/* How far a thread is ahead of the last of its group, and its arrivals that matter. */
static void hash_arrivals(const struct oclmm_explorer *x, const struct state *s, unsigned t,
                          struct hash *h)
{
	const struct thread_state *own = s->threads[t];
	uint32_t last = own->waited;

	for (unsigned u = 0; u < x->threads; u++)
		if (same_unit(x, t, u, false) && s->threads[u]->waited < last)
			last = s->threads[u]->waited;
	oclmm_hash_word(h, (uint64_t)(own->arrived - last) << 32 | (own->waited - last));
	for (uint32_t n = last + 1; n <= own->arrived; n++) {
		const struct arrival *a = &own->arrivals[n & 1];
		struct hash view;

		if (!is_pending(x, s, t, n))
			continue;
		hash_half(h, &a->arrived);
		if (own->waited >= n)
			hash_half(h, &a->waited);
		view = hash_view(x, s, a->view, a->arrived.flags);
		oclmm_hash_word(h, view.a);
		oclmm_hash_word(h, a->loaded);
	}
}

static bool pass_barriers(struct oclmm_explorer *x, struct state *s)
{
	for (bool again = true; again;) {
		again = false;
		for (unsigned t = 0; t < x->threads && !again; t++) {
			if (s->threads[t]->step.kind != OCLMM_EXPLORED_BARRIER)
				continue;
			again = s->threads[t]->step.waits ? have_arrived(x, s, t)
			                                  : is_complete(x, s, t);
			if (x->found->fault != OCLMM_EXPLORED_SOUND)
				return false;
			if (again && !(s->threads[t]->step.waits ? pass_wait(x, s, t)
			                                         : pass_barrier(x, s, t)))
				return false;
		}
	}
	return true;
}

/* ---- the key of a state ---------------------------------------------------------------- */

static bool is_live(const struct state *s, unsigned t)
{
	enum oclmm_explored_kind kind = s->threads[t]->step.kind;

	return kind != OCLMM_EXPLORED_END && kind != OCLMM_EXPLORED_ENDLESS &&
	       kind != OCLMM_EXPLORED_CUT;
}

/* Whether a view has all that another would bring in a region. */
static bool knows(const struct oclmm_explorer *x, const struct state *s, const uint32_t *view,
                  const uint32_t *other, unsigned region)
{
	const uint32_t *clock = clock_of(x, (uint32_t *)(uintptr_t)view, region),
		       *from = clock_of(x, (uint32_t *)(uintptr_t)other, region),
		       *seen = seen_of(x, (uint32_t *)(uintptr_t)view),
		       *saw = seen_of(x, (uint32_t *)(uintptr_t)other);

	for (unsigned t = 0; t < x->agents; t++)
		if (from[t] > clock[t])
			return false;
	/* where there are updates alone, each goes on from the last write, whatever it knows */
	for (unsigned a = 0; a < x->atomic_count; a++)
		if (saw[a] != seen[a] && x->source->cells[x->atomics[a]].region == region &&
		    x->facts[x->atomics[a]] & (FACT_LOAD | FACT_STORE) &&
		    position(s->cells[x->atomics[a]], saw[a]) >
		            position(s->cells[x->atomics[a]], seen[a]))
			return false;
	return true;
}

/*
 * Whether nobody can stand behind a write, nor read it: an update did, and what is made of the
 * object are updates and stores. Its release sides are those of the update, too.
 */
static bool is_past(const struct oclmm_explorer *x, uint32_t cell, const struct message *m)
{
	return m->taken && m->rmw && !(x->facts[cell] & FACT_LOAD) && !is_exact(x);
}

/* How many writes that somebody may still read or stand behind are older than one at a place. */
static unsigned rank_of(const struct oclmm_explorer *x, const struct state *s, unsigned a,
                        unsigned at)
{
	const struct cell_state *c = s->cells[x->atomics[a]];
	unsigned rank = 0;

	for (unsigned i = x->oldest[a]; i < at; i++)
		rank += !is_past(x, x->atomics[a], &c->mo[i]);
	return rank;
}

/* Which accesses of a region a view knows of, among those that somebody may still race with; and
 * which writes it has reached. */
static struct hash hash_view(const struct oclmm_explorer *x, const struct state *s,
                             const uint32_t *view, unsigned regions)
{
	struct hash h = oclmm_hash_start(regions);

	for (unsigned i = 0; i < x->live_count; i++) {
		const struct live_record *l = &x->live[i];

		if (regions >> l->region & 1 &&
		    clock_of(x, (uint32_t *)(uintptr_t)view, l->region)[l->thread] >= l->action)
			oclmm_hash_sum(&h, l->key);
	}
	for (unsigned a = 0; a < x->atomic_count; a++) {
		uint32_t cell = x->atomics[a];
		unsigned at;

		if (!(regions >> x->source->cells[cell].region & 1) || is_pure(x) ||
		    !(x->facts[cell] & (FACT_LOAD | FACT_STORE)))
			continue;
		at = position(s->cells[cell], seen_of(x, (uint32_t *)(uintptr_t)view)[a]);
		oclmm_hash_word(&h, rank_of(x, s, a, at));
	}
	return h;
}

static bool has_equal(const struct hash *hashes, unsigned count, struct hash hash)
{
	for (unsigned i = 0; i < count; i++)
		if (hashes[i].a == hash.a && hashes[i].b == hash.b)
			return true;
	return false;
}

static struct hash hash_heads(const struct oclmm_explorer *x, const struct state *s,
                              const struct head *heads, unsigned count)
{
	struct hash all = oclmm_hash_start(7), each[MOST_HEADS];
	unsigned kept = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct head *head = &heads[i];
		unsigned regions = head->fence ? head->flags : 1u << head->object | head->flags;
		struct hash h;
		bool known = true;

		/* what everybody knows brings nothing to anybody */
		for (unsigned t = 0; t < x->threads && known; t++)
			for (unsigned r = 0; r < REGIONS && known; r++)
				known = t == head->thread || !is_live(s, t) ||
				        !(regions >> r & 1) ||
				        knows(x, s, s->threads[t]->view, head->view, r);
		if (known)
			continue;
		h = hash_view(x, s, head->view, regions);
		oclmm_hash_word(&h, (uint64_t)head->thread | (uint64_t)head->scope << 16 |
		                            (uint64_t)head->flags << 24 |
		                            (uint64_t)head->fence << 32 |
		                            (uint64_t)head->object << 33);
		/* two that bring the same are one */
		if (has_equal(each, kept, h))
			continue;
		if (kept < MOST_HEADS)
			each[kept++] = h;
		oclmm_hash_sum(&all, h);
	}
	return all;
}

/* The accesses that somebody may still race with. */
static void find_live(struct oclmm_explorer *x, const struct state *s)
{
	x->live_count = 0;
	for (uint32_t cell = 0; cell < x->source->cell_count; cell++) {
		const struct cell_state *c = s->cells[cell];
		unsigned region = x->source->cells[cell].region;

		if (!(x->facts[cell] & FACT_SHARED) ||
		    (!(x->facts[cell] & FACT_PLAIN) && !(x->facts[cell] & FACT_NARROW)))
			continue;
		for (unsigned i = 0; i < c->record_count; i++) {
			const struct record *r = &c->records[i];
			bool live = false;

			for (unsigned t = 0; t < x->threads && !live; t++)
				live = t != r->thread && is_live(s, t) &&
				       clock_of(x, s->threads[t]->view, region)[r->thread] <
				               r->action;
			if (!live)
				continue;
			oclmm_grow(&x->live, &x->live_capacity, x->live_count, sizeof(*x->live));
			x->live[x->live_count] = (struct live_record){
				.key = oclmm_hash_start(cell),
				.region = (uint8_t)region,
				.thread = r->thread,
				.action = r->action,
			};
			oclmm_hash_word(&x->live[x->live_count].key,
			                (uint64_t)r->thread | (uint64_t)r->scope << 16 |
			                        (uint64_t)r->writes << 24 |
			                        (uint64_t)r->atomic << 25);
			x->live_count++;
		}
	}
}

static void find_oldest(struct oclmm_explorer *x, const struct state *s)
{
	for (unsigned a = 0; a < x->atomic_count; a++) {
		uint32_t cell = x->atomics[a];
		unsigned oldest = s->cells[cell]->count - 1;

		for (unsigned t = 0; t < x->threads && !is_pure(x); t++)
			if (is_live(s, t)) {
				unsigned at = position(s->cells[cell],
				                       seen_of(x, s->threads[t]->view)[a]);

				oldest = at < oldest ? at : oldest;
			}
		x->oldest[a] = oldest;
	}
}

static struct hash hash_cell(const struct oclmm_explorer *x, const struct state *s, unsigned a)
{
	uint32_t cell = x->atomics[a];
	const struct cell_state *c = s->cells[cell];
	struct hash h = oclmm_hash_start(cell);
	struct head heads[MOST_HEADS];

	if (is_by_turn(x))
		oclmm_hash_word(&h, rank_of(x, s, a, last_sc(c)));
	for (unsigned i = x->oldest[a]; i < c->count; i++) {
		const struct message *m = &c->mo[i];
		unsigned count;

		/* without loads and stores only updates are left, and they go on from the last */
		if (i + 1 < c->count && !(x->facts[cell] & (FACT_LOAD | FACT_STORE)))
			continue;
		if (is_past(x, cell, m))
			continue;
		oclmm_hash_word(&h, m->value);
		count = find_heads(c, i, heads);
		oclmm_hash_word(&h, (uint64_t)m->taken |
		                            (uint64_t)(count || m->credited ? m->thread + 1u : 0)
		                                    << 8);
		if (count) {
			struct hash all;

			for (unsigned k = 0; k < count; k++)
				heads[k].object = (uint8_t)x->source->cells[cell].region;
			all = hash_heads(x, s, heads, count);
			oclmm_hash_word(&h, all.a);
			oclmm_hash_word(&h, all.b);
		}
	}
	return h;
}

/* Of an execution in which S is still to be found: all that was done. */
static void hash_history(const struct oclmm_explorer *x, const struct state *s, struct hash *h)
{
	struct hash all = oclmm_hash_start(11);

	for (const struct oclmm_done *d = s->last; d; d = d->before) {
		struct hash one = oclmm_hash_start(d->thread);
		const struct done *own = (const struct done *)d,
				  *from = (const struct done *)d->from;

		if (d->plain)
			continue;
		oclmm_hash_word(&one, own->action);
		oclmm_hash_word(&one, d->where);
		oclmm_hash_word(&one, from ? (uint64_t)from->is.thread << 32 | from->action : ~0u);
		oclmm_hash_sum(&all, one);
	}
	for (unsigned a = 0; a < x->atomic_count; a++) {
		const struct cell_state *c = s->cells[x->atomics[a]];

		for (unsigned i = 1; i < c->count; i++) {
			const struct done *d = (const struct done *)c->mo[i].done;

			oclmm_hash_word(h, (uint64_t)d->is.thread << 32 | d->action);
		}
		oclmm_hash_word(h, 0);
	}
	oclmm_hash_word(h, all.a);
	oclmm_hash_word(h, all.b);
}

static void hash_places(const struct oclmm_explorer *x, const struct state *s, const uint32_t *ids,
                        struct hash *h)
{
	for (unsigned a = 0; a < x->atomic_count; a++) {
		unsigned at = position(s->cells[x->atomics[a]], ids[a]);

		oclmm_hash_word(h, rank_of(x, s, a, at));
	}
}

static void hash_fences(const struct oclmm_explorer *x, const struct state *s, struct hash *h)
{
	hash_places(x, s, s->fenced, h);
	for (unsigned t = 0; t < x->threads; t++)
		if (is_live(s, t))
			hash_places(x, s, s->threads[t]->wrote, h);
}

/* Of a thread's state, what may decide what follows: not before a key is made of it, as till then
 * more may be needed without beginning anew. */
static void hash_thread(struct oclmm_explorer *x, unsigned t, struct thread_state *own)
{
	struct oclmm_thread_bytes *copy = &x->blanked;

	if (own->is_hashed)
		return;
	own->is_hashed = true;
	if (!x->source->forget || x->whole) {
		own->hash = oclmm_hash_bytes(own->bytes, own->size, own->step.kind);
		return;
	}
	if (copy->capacity < own->size) {
		copy->capacity = 2 * own->size;
		copy->bytes = oclmm_realloc(copy->bytes, copy->capacity);
	}
	if (own->size)
		memcpy(copy->bytes, own->bytes, own->size);
	copy->size = own->size;
	x->source->forget(x->source->data, t, copy);
	own->hash = oclmm_hash_bytes(copy->bytes, copy->size, own->step.kind);
}

static struct hash key_of(struct oclmm_explorer *x, const struct state *s)
{
	struct hash h = oclmm_hash_start(1), more = oclmm_hash_start(2);

	find_live(x, s);
	find_oldest(x, s);
	for (unsigned t = 0; t < x->threads; t++) {
		struct thread_state *own = s->threads[t];
		struct hash one;

		hash_thread(x, t, own);
		oclmm_hash_word(&h, own->hash.a);
		oclmm_hash_word(&h, own->hash.b);
		if (own->arrived)
			hash_arrivals(x, s, t, &h);
		if (!is_live(s, t))
			continue;
		oclmm_hash_word(&h, own->loaded);
		oclmm_hash_word(&h, own->passed);
		if (!x->whole && own->terms + own->doublings)
			oclmm_hash_word(&h, (uint64_t)own->terms << 32 | own->doublings);
		one = hash_view(x, s, own->view, FLAGS_BOTH);
		oclmm_hash_word(&h, one.a);
		oclmm_hash_word(&h, one.b);
		one = hash_heads(x, s, own->fences, own->fence_count);
		oclmm_hash_word(&h, one.a);
		one = hash_heads(x, s, own->reads, own->read_count);
		oclmm_hash_word(&h, one.a);
	}
	/* which copies at a time are still to be waited for, and by whom */
	for (unsigned a = x->threads; a < x->agents; a++)
		for (unsigned t = 0; t < x->threads; t++)
			oclmm_hash_word(&h, is_live(s, t) && !knows_copies(x, s, t, a)
			                            ? s->copies[a - x->threads].event
			                            : 0);
	for (uint32_t cell = 0; cell < x->source->cell_count; cell++)
		if (!(x->facts[cell] & FACT_ATOMIC) &&
		    (x->facts[cell] & FACT_READ || x->source->cells[cell].observed))
			oclmm_hash_word(&h, s->cells[cell]->value);
	for (unsigned a = 0; a < x->atomic_count; a++) {
		struct hash one = hash_cell(x, s, a);

		oclmm_hash_word(&h, one.a);
		oclmm_hash_word(&h, one.b);
	}
	for (unsigned i = 0; i < x->live_count; i++)
		oclmm_hash_sum(&more, x->live[i].key);
	oclmm_hash_word(&h, more.a);
	if (is_by_turn(x) && x->orders & ORDERS_SC_FENCE)
		hash_fences(x, s, &h);
	if (is_exact(x))
		hash_history(x, s, &h);
	return h;
}

/* ---- states that were visited ------------------------------------------------------------ */

static bool is_visited(const void *things, size_t number, const void *key)
{
	const struct hash *a = &((const struct visited *)things)[number].key, *b = key;

	return a->a == b->a && a->b == b->b;
}

static struct visited *find_visited(struct oclmm_explorer *x, struct hash key)
{
	size_t number = oclmm_index_find(&x->index, key.a, is_visited, x->visited, &key);

	return number == SIZE_MAX ? NULL : &x->visited[number];
}

static struct visited *add_visited(struct oclmm_explorer *x, struct hash key)
{
	size_t slots = x->index.slot_count, capacity = x->visited_capacity;
	size_t number = oclmm_index_add(&x->index, key.a);

	oclmm_grow(&x->visited, &x->visited_capacity, number, sizeof(*x->visited));
	x->memory += (x->index.slot_count - slots) * sizeof(*x->index.slots) +
	             (x->visited_capacity - capacity) * sizeof(*x->visited);
	x->visited[number] =
		(struct visited){.key = key, .number = (uint32_t)number + 1, .open = true};
	return &x->visited[number];
}

/* ---- depth first --------------------------------------------------------------------------- */

/* Where something done stands among all of them. */
struct done_at {
	const struct oclmm_done *done;
	size_t index;
};

static int compare_done(const void *a, const void *b)
{
	const struct done_at *x = a, *y = b;

	return oclmm_compare_numbers((uintptr_t)x->done, (uintptr_t)y->done);
}

/* What was done, kept for as long as the result lives. It may be millions long. */
static const struct oclmm_done *keep(struct oclmm_explorer *x, const struct oclmm_done *last)
{
	struct oclmm_arena *arena = x->found->arena;
	const struct oclmm_done **order;
	struct oclmm_done *made = NULL, *all;
	struct done_at *places;
	size_t count = 0;

	for (const struct oclmm_done *d = last; d; d = d->before)
		count++;
	if (count == 0)
		return NULL;
	order = oclmm_malloc(count * sizeof(*order));
	places = oclmm_malloc(count * sizeof(*places));
	all = OCLMM_NEW_ARRAY(arena, struct oclmm_done, count);
	for (const struct oclmm_done *d = last; d; d = d->before)
		order[--count] = d;
	for (const struct oclmm_done *d = last; d; d = d->before)
		count++;
	for (size_t i = 0; i < count; i++)
		places[i] = (struct done_at){order[i], i};
	qsort(places, count, sizeof(*places), compare_done);
	for (size_t i = 0; i < count; i++) {
		const struct done_at wanted = {.done = order[i]->from};
		const struct done_at *from = wanted.done ? bsearch(&wanted, places, count,
		                                                   sizeof(*places), compare_done)
		                                         : NULL;

		all[i] = *order[i];
		all[i].before = made;
		if (from && from->index < i)
			all[i].from = &all[from->index];
		made = &all[i];
	}
	free(places);
	free(order);
	return made;
}

static void note_outcome(struct oclmm_explorer *x, const struct state *s)
{
	struct oclmm_explored *found = x->found;
	uint64_t *values = cut(x, sizeof(*values) * (x->observed + 1));
	unsigned n = 0;

	for (uint32_t cell = 0; cell < x->source->cell_count; cell++) {
		const struct cell_state *c = s->cells[cell];

		if (x->source->cells[cell].observed)
			values[n++] = c->count ? c->mo[c->count - 1].value : c->value;
	}
	for (size_t i = 0; i < found->state_count; i++)
		if (memcmp(found->states[i].values, values, n * sizeof(*values)) == 0)
			return;
	if (is_exact(x) && !explored_total(x, s))
		return;
	oclmm_grow(&x->states, &x->state_capacity, found->state_count, sizeof(*x->states));
	found->states = x->states;
	found->states[found->state_count++] = (struct oclmm_explored_state){
		.values = oclmm_arena_copy(found->arena, values, n * sizeof(*values)),
		.last = keep(x, s->last)};
}

/* Whether somebody waits at a function of its sub-group for one that never comes to it. */
static bool parts_for_ever(struct oclmm_explorer *x, const struct state *s)
{
	for (unsigned t = 0; t < x->threads; t++)
		for (unsigned u = 0; u < x->threads && s->threads[t]->step.non_uniform; u++)
			if (u != t && same_unit(x, t, u, true) &&
			    !s->threads[u]->step.non_uniform) {
				part(x, s, t, u);
				return true;
			}
	return false;
}

/* Those who wait at the end of an execution, or in states from which none leads to an end. */
static void note_wait(struct oclmm_explorer *x, const struct state *s)
{
	struct oclmm_explored *found = x->found;

	if (parts_for_ever(x, s) || found->waits || (is_exact(x) && !explored_total(x, s)))
		return;
	found->waits = true;
	found->waiting = OCLMM_NEW_ARRAY(found->arena, struct oclmm_explored_place, x->threads);
	for (unsigned t = 0; t < x->threads; t++) {
		const struct oclmm_explored_step *step = &s->threads[t]->step;

		if (step->kind != OCLMM_EXPLORED_END && step->kind != OCLMM_EXPLORED_CUT)
			found->waiting[found->waiting_count++] = (struct oclmm_explored_place){
				.thread = t,
				.where = step->where,
				.cell = step->cell,
				.reads = step->kind != OCLMM_EXPLORED_ENDLESS &&
			                 step->kind != OCLMM_EXPLORED_BARRIER,
				.ended = step->kind == OCLMM_EXPLORED_ENDLESS};
	}
	if (found->fault == OCLMM_EXPLORED_SOUND)
		found->last = keep(x, s->last);
}

struct frame {
	struct state *state;
	struct mark mark; /* of what stands behind its state */
	uint32_t number;  /* of its state, in the order of finding */
	uint32_t low;     /* the earliest on the stack that it leads to */
	bool ends;        /* an end is reached from it */
	bool alone;       /* `thread` goes first, since its access conflicts with no other */
	bool moved;       /* it leads somewhere */
	unsigned thread, choice;
};

/*
 * Whether a step is a relaxed update of what is a counter so far as is known: it may change places
 * with all that others do, since nobody looks at what it leaves before a barrier or the end, and it
 * brings nobody anything. Where that turns out to be wrong, the search starts again. S may ask for
 * another order.
 */
static bool counts(const struct oclmm_explorer *x, const struct oclmm_explored_step *step)
{
	const unsigned more = FACT_LOAD | FACT_STORE | FACT_NARROW | FACT_VALUED | FACT_ORDERED |
	                      FACT_HEARD | FACT_SENT;
	unsigned family = family_of(step), other = x->families[step->cell];

	return family && (!other || other == family) && step->order == OCLMM_ORDER_RELAXED &&
	       !(x->facts[step->cell] & more) && !is_exact(x);
}

/* A thread whose next access commutes with all: no other touches the object, or it counts. */
static bool find_alone(const struct oclmm_explorer *x, const struct state *s, unsigned *ret_thread)
{
	for (unsigned t = 0; t < x->threads; t++) {
		const struct oclmm_explored_step *step = &s->threads[t]->step;
		bool shared;

		if (!is_live(s, t) || step->kind == OCLMM_EXPLORED_BARRIER)
			continue;
		shared = x->facts[step->cell] & FACT_SHARED;
		if (shared && !counts(x, step))
			continue;
		x->facts[step->cell] |= shared ? FACT_COUNTED : 0;
		*ret_thread = t;
		return true;
	}
	return false;
}

static bool is_late(const struct oclmm_explorer *x)
{
	if (x->options.ended && x->options.ended(x->options.data) != 0)
		return true;
	return x->options.seconds > 0 && oclmm_thread_clock() - x->start > x->options.seconds;
}

static bool out_of_limits(struct oclmm_explorer *x)
{
	if ((++x->ticks & 255) != 0)
		return x->late || x->full;
	if (x->options.memory && x->memory > x->options.memory)
		x->full = true;
	x->late |= is_late(x);
	return x->late || x->full;
}

/*
 * Goes on from a new state while there is one way, of a thread that goes first: the states between
 * need no keys. A turn that never ends comes to a state that has one.
 */
static bool run_alone(struct oclmm_explorer *x, struct state *s)
{
	enum { STEPS = 64 };
	struct choice choice, other;
	unsigned t;

	for (unsigned n = 0; n < STEPS && find_alone(x, s, &t) && !out_of_limits(x); n++) {
		uint64_t result = 0;

		if (!nth_choice(x, s, t, 0, &choice) || nth_choice(x, s, t, 1, &other))
			break;
		own_thread(x, s, t);
		if (!access_memory(x, s, t, choice, &result) || !advance(x, s, t, result) ||
		    !pass_barriers(x, s))
			return false;
	}
	return true;
}

static struct state *next_of(struct oclmm_explorer *x, struct frame *f, bool *ret_dead)
{
	while (f->thread < x->threads) {
		enum oclmm_explored_kind kind = f->state->threads[f->thread]->step.kind;
		struct choice choice;
		struct state *s;
		uint64_t result = 0;

		if (!is_live(f->state, f->thread) || kind == OCLMM_EXPLORED_BARRIER ||
		    !nth_choice(x, f->state, f->thread, f->choice++, &choice)) {
			if (f->alone)
				return NULL;
			f->thread++;
			f->choice = 0;
			continue;
		}
		s = copy(x, f->state, x->state_size);
		s->threads = (struct thread_state **)(s + 1);
		s->cells = (struct cell_state **)(s->threads + x->threads);
		memcpy(s->threads, f->state->threads, x->threads * sizeof(*s->threads));
		memcpy(s->cells, f->state->cells, x->source->cell_count * sizeof(*s->cells));
		own_thread(x, s, f->thread);
		*ret_dead = !access_memory(x, s, f->thread, choice, &result) ||
		            !advance(x, s, f->thread, result) || !pass_barriers(x, s) ||
		            !run_alone(x, s);
		return s;
	}
	return NULL;
}

/* What an execution that goes no further has come to. \return whether that is an end */
static bool finish(struct oclmm_explorer *x, const struct state *s)
{
	bool all = true, cut_off = false;
	unsigned waits[2], waiting = 0;

	for (unsigned t = 0; t < x->threads; t++) {
		enum oclmm_explored_kind kind = s->threads[t]->step.kind;

		if (kind == OCLMM_EXPLORED_BARRIER && waiting < 2 &&
		    (waiting == 0 ||
		     s->threads[t]->step.sub_group != s->threads[waits[0]]->step.sub_group))
			waits[waiting++] = t;

		all = all && kind == OCLMM_EXPLORED_END;
		cut_off = cut_off || kind == OCLMM_EXPLORED_CUT;
	}
	/* two wait at barriers of a sub-group and of its group, each for the other */
	if (waiting == 2 && !cut_off)
		diverge(x, s, waits[0], waits[1]);
	else if (all)
		note_outcome(x, s);
	else if (!cut_off)
		note_wait(x, s);
	return true;
}

/* Takes a state, unless it was there. */
static void enter(struct oclmm_explorer *x, struct state *s, struct mark m)
{
	struct hash key;
	struct visited *v;
	struct frame *f;

	key = key_of(x, s);
	v = find_visited(x, key);
	if (v) {
		struct frame *from = &x->frames[x->depth - 1];

		if (v->open)
			from->low = v->number < from->low ? v->number : from->low;
		/* who turns round alone keeps the others waiting for ever */
		if (v->open && from->alone) {
			from->alone = false;
			from->thread = from->choice = 0;
		}
		from->ends = from->ends || v->ends;
		release(x, m);
		return;
	}
	v = add_visited(x, key);
	oclmm_grow(&x->frames, &x->frame_capacity, x->depth, sizeof(*x->frames));
	oclmm_grow(&x->open, &x->open_capacity, x->open_count, sizeof(*x->open));
	x->open[x->open_count++] = v->number;
	f = &x->frames[x->depth++];
	*f = (struct frame){.state = s, .mark = mark(x), .number = v->number, .low = v->number};
	f->alone = find_alone(x, s, &f->thread);
}

/* Leaves a state all of whose ways have been taken. */
static void leave(struct oclmm_explorer *x, struct mark before)
{
	struct frame f = x->frames[x->depth - 1];

	if (f.low == f.number) {
		struct visited *v;

		if (!f.ends)
			note_wait(x, f.state);
		do {
			v = &x->visited[x->open[--x->open_count] - 1];
			v->open = false;
			v->ends = f.ends;
		} while (v->number != f.number);
	}
	x->depth--;
	if (x->depth > 0) {
		struct frame *from = &x->frames[x->depth - 1];

		from->low = f.low < from->low ? f.low : from->low;
		from->ends = from->ends || f.ends;
	}
	release(x, before);
}

static struct state *first_state(struct oclmm_explorer *x)
{
	const struct oclmm_explored_source *source = x->source;
	struct state *s = cut(x, x->state_size);

	memset(s, 0, x->state_size);
	s->threads = (struct thread_state **)(s + 1);
	s->cells = (struct cell_state **)(s->threads + x->threads);
	for (uint32_t cell = 0; cell < source->cell_count; cell++) {
		struct cell_state *c = cut(x, sizeof(*c));

		memset(c, 0, sizeof(*c));
		c->value = source->cells[cell].initial;
		if (x->facts[cell] & FACT_ATOMIC) {
			c->mo = cut(x, sizeof(*c->mo));
			*c->mo = (struct message){.value = c->value, .thread = UINT16_MAX};
			c->count = 1;
		}
		s->cells[cell] = c;
	}
	s->fenced = cut(x, (x->atomic_count + 1) * sizeof(*s->fenced));
	memset(s->fenced, 0, x->atomic_count * sizeof(*s->fenced));
	s->copies = cut(x, (x->agents - x->threads + 1) * sizeof(*s->copies));
	memset(s->copies, 0, (x->agents - x->threads) * sizeof(*s->copies));
	for (unsigned t = 0; t < x->threads; t++) {
		struct thread_state *own = cut(x, sizeof(*own));

		memset(own, 0, sizeof(*own));
		own->view = cut(x, view_size(x));
		memset(own->view, 0, view_size(x));
		own->wrote = cut(x, (x->atomic_count + 1) * sizeof(*own->wrote));
		memset(own->wrote, 0, x->atomic_count * sizeof(*own->wrote));
		x->working.size = 0;
		source->begin(source->data, t, &x->working);
		own->bytes = copy(x, x->working.bytes, x->working.size);
		own->size = x->working.size;
		own->step.kind = OCLMM_EXPLORED_READ; /* it has not ended */
		s->threads[t] = own;
	}
	return s;
}

static int search(struct oclmm_explorer *x)
{
	struct mark before = mark(x);
	struct state *s = first_state(x);
	bool sound = true, is_first = true;

	for (unsigned t = 0; t < x->threads && sound; t++)
		sound = advance(x, s, t, 0);
	if (sound && pass_barriers(x, s))
		enter(x, s, before);
	while (x->depth > 0 && !x->stale && x->found->fault == OCLMM_EXPLORED_SOUND &&
	       !out_of_limits(x)) {
		struct frame *f = &x->frames[x->depth - 1];
		struct mark here = f->mark;
		bool dead = false;

		s = next_of(x, f, &dead);
		if (!s) {
			if (!f->moved && finish(x, f->state)) {
				f->ends = true;
				/* it has made all accesses that there are */
				if (is_first && has_counters_alone(x))
					break;
				is_first = false;
			}
			leave(x, x->depth > 1 ? x->frames[x->depth - 2].mark : before);
			continue;
		}
		f->moved = true;
		if (dead)
			release(x, here);
		else
			enter(x, s, here);
	}
	return x->late ? -ETIME : x->full ? -ENOMEM : 0;
}

/* ---- the front ---------------------------------------------------------------------------------
 */

static void forget(struct oclmm_explorer *x)
{
	struct oclmm_explored *found = x->found;

	x->depth = 0;
	x->open_count = 0;
	oclmm_index_clear(&x->index);
	release(x, (struct mark){0});
	found->state_count = 0;
	found->waits = false;
	found->waiting_count = 0;
	found->cut = false;
	x->ids = 0;
	x->stale = false;
	memset(x->follows, 0, sizeof(x->follows));
	x->loose = 0;
	x->behind = 0;
	x->atomic_count = (unsigned)x->next_atomic;
	x->agents = x->threads + x->groups * x->copies_at_once;
}

static int search_all(struct oclmm_explorer *x)
{
	int r;

	do {
		forget(x);
		r = search(x);
		/* who begins again and again is late, too */
		if (x->stale && is_late(x))
			return -ETIME;
	} while (x->stale);
	return r;
}

static bool has_state(const struct oclmm_explored_state *states, size_t count,
                      const uint64_t *values, unsigned width)
{
	for (size_t i = 0; i < count; i++)
		if (memcmp(states[i].values, values, width * sizeof(*values)) == 0)
			return true;
	return false;
}

/*
 * Some operations are seq_cst and some are not. What was found by turn can be. If leaving S out
 * finds no more, it is all; else S is looked for.
 */
static int decide_mixed(struct oclmm_explorer *x, int r)
{
	struct oclmm_explored *found = x->found, first = *found;
	struct oclmm_explored_state *states;
	bool same;

	if (found->fault != OCLMM_EXPLORED_SOUND || r < 0)
		return r;
	states = oclmm_arena_copy(found->arena, found->states,
	                          found->state_count * sizeof(*states));
	x->mode = LEFT_OUT;
	r = search_all(x);
	same = r == 0 && found->fault == OCLMM_EXPLORED_SOUND &&
	       found->state_count == first.state_count;
	for (size_t i = 0; i < found->state_count && same; i++)
		same = has_state(states, first.state_count, found->states[i].values, x->observed);
	if (!same && r == 0) {
		found->fault = OCLMM_EXPLORED_SOUND;
		x->failed = NULL;
		x->mode = LOOKED_FOR;
		return search_all(x);
	}
	first.scopes_differ |= found->scopes_differ;
	*found = first;
	found->states = states;
	return r;
}

int oclmm_explore(const struct oclmm_explored_source *source,
                  const struct oclmm_explore_options *options, struct oclmm_explored **ret_found)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_explorer x = {
		.source = source,
		.options = *options,
		.threads = source->thread_count,
		.found = OCLMM_NEW(arena, struct oclmm_explored),
		.start = oclmm_thread_clock(),
	};
	int r;

	x.found->arena = arena;
	x.ignored = OCLMM_NEW_ARRAY(arena, struct ignored *, source->cell_count + 1);
	x.state_size = sizeof(struct state) + x.threads * sizeof(struct thread_state *) +
	               source->cell_count * sizeof(struct cell_state *);
	x.facts = oclmm_calloc(source->cell_count + 1, sizeof(*x.facts));
	x.families = oclmm_calloc(source->cell_count + 1, sizeof(*x.families));
	x.toucher = oclmm_calloc(source->cell_count + 1, sizeof(*x.toucher));
	x.number_of = oclmm_calloc(source->cell_count + 1, sizeof(*x.number_of));
	x.oldest = oclmm_calloc(source->cell_count + 1, sizeof(*x.oldest));
	for (unsigned t = 0; t < x.threads; t++)
		if (source->threads[t].group >= x.groups)
			x.groups = source->threads[t].group + 1;
	for (uint32_t i = 0; i < source->cell_count; i++)
		x.observed += source->cells[i].observed;
	r = search_all(&x);
	if (is_mixed(&x))
		r = decide_mixed(&x, r);
	if (x.found->fault != OCLMM_EXPLORED_SOUND)
		x.found->last = keep(&x, x.failed);
	x.found->visited = x.index.count;
	x.counters = find_counters(&x);
	x.found->early = may_be_early(&x);
	x.found->seconds = oclmm_thread_clock() - x.start;
	x.found->loose = (x.loose & ~x.counters) != 0;
	x.found->states = oclmm_arena_copy(arena, x.found->states,
	                                   x.found->state_count * sizeof(*x.found->states));
	release(&x, (struct mark){0});
	free(x.spare);
	free(x.states);
	oclmm_index_finish(&x.index);
	free(x.visited);
	free(x.frames);
	free(x.open);
	free(x.live);
	free(x.atomics);
	free(x.facts);
	free(x.families);
	free(x.toucher);
	free(x.number_of);
	free(x.oldest);
	free(x.working.bytes);
	free(x.blanked.bytes);
	*ret_found = x.found;
	return r;
}

void oclmm_explored_destroy(struct oclmm_explored *found)
{
	if (found)
		oclmm_arena_destroy(found->arena);
}
