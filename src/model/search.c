// SPDX-License-Identifier: Apache-2.0
/*
 * The search for candidate executions: all combinations of a path of each thread, and all ways in
 * which the reads of one can take their values. It chooses the write that each read reads from, and
 * lets values follow from writes to reads as soon as they are known, so that paths that cannot be
 * are left early.
 */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The clock of a thread is read by a system call: a third of a microsecond, where a step takes a
 * tenth of one. */
enum { STEPS_BETWEEN_LOOKS = 1024 };

/* From here on another way to the answer is tried. A tenth of a second for tests with few threads;
 * no test of the suite takes 5,000 steps. */
enum { MANY_STEPS = 1 << 18 };

struct watch oclmm_watch_begin(double time_limit)
{
	return (struct watch){.deadline = time_limit > 0 ? oclmm_thread_clock() + time_limit : 0};
}

bool oclmm_watch_ended(struct watch *watch)
{
	if (!watch->result && watch->ended) {
		watch->result = watch->ended(watch->data);
		watch->by_caller = watch->result != 0;
	}
	if (!watch->result && watch->deadline > 0 && oclmm_thread_clock() > watch->deadline)
		watch->result = -ETIME;
	return watch->result != 0;
}

bool oclmm_search_is_late(struct search *s)
{
	if (s->watch.result || s->ticks++ % STEPS_BETWEEN_LOOKS != 0)
		return s->watch.result != 0;
	if (!oclmm_watch_ended(&s->watch) && s->look_elsewhere && s->ticks > MANY_STEPS)
		s->watch.result = s->look_elsewhere(s);
	return s->watch.result != 0;
}

/* ---- values of a candidate --------------------------------------------- */

/* What a read of an unspecified value reads was found where it was written. */
static int64_t value_read(const struct candidate *x, unsigned event,
                          struct symbol_finding *ret_finding)
{
	unsigned write = x->rf[event];

	if (!ret_finding)
		return x->value[event];
	ret_finding->unspecified = false;
	if (!(x->unspecified & BIT(event)))
		return x->value[event];
	return oclmm_symbol_value(x->c->stored[write].value, x, x->c->event[write].thread,
	                          ret_finding);
}

int64_t oclmm_event_value(const struct candidate *x, unsigned event,
                          struct symbol_finding *ret_finding)
{
	const struct combination *c = x->c;
	const struct oclmm_event *e = &c->event[event];
	const struct oclmm_location *l = &c->program->locations[e->location];

	if (e->thread != THREAD_INIT && oclmm_event_writes(e))
		return oclmm_symbol_value(c->stored[event].value, x, e->thread, ret_finding);
	if (e->thread != THREAD_INIT)
		return value_read(x, event, ret_finding);
	if (ret_finding)
		ret_finding->unspecified = false;
	return l->initial[e->element];
}

void oclmm_candidate_outcome(const struct candidate *x, const unsigned *last, int64_t *ret,
                             struct symbol_finding *ret_open, uint64_t *ret_unspecified)
{
	const struct combination *c = x->c;
	const struct oclmm_program *p = c->program;

	*ret_unspecified = 0;
	for (uint32_t i = 0; i < p->observable_count; i++) {
		const struct oclmm_observable *o = &p->observables[i];
		struct symbol_finding found;

		found.unspecified = false;
		if (o->is_register) {
			ret[i] = oclmm_symbol_value(c->path[o->thread]->registers[o->reg], x,
			                            (int)o->thread, &found);
		} else {
			const struct oclmm_location *l = &p->locations[o->location];
			uint32_t cell = l->first_cell + o->element;

			ret[i] = l->initial[o->element];
			for (unsigned k = 0; k < c->init_count; k++)
				if (c->init_cell[k] == cell)
					ret[i] = oclmm_event_value(x, last[k], &found);
		}
		/* where there are more than bits, the last bit stands for the rest */
		if (found.unspecified)
			*ret_unspecified |= UINT64_C(1) << (i < 63 ? i : 63);
		if (found.unspecified && ret_open)
			ret_open[i] = found;
	}
}

/* ---- values that can be written, K6 ------------------------------------ */

/* K6: the values that may be written to each cell. */
struct value_sets {
	struct value_set {
		int64_t *values;
		size_t count, capacity;
	} * of_cell;
	uint32_t cell_count;
};

static void add_value(struct value_sets *sets, uint32_t cell, int64_t value)
{
	struct value_set *set = &sets->of_cell[cell];

	for (size_t i = 0; i < set->count; i++)
		if (set->values[i] == value)
			return;
	oclmm_grow(&set->values, &set->capacity, set->count, sizeof(value));
	set->values[set->count++] = value;
}

static struct value_sets *create_values(const struct oclmm_program *p)
{
	struct value_sets *sets = oclmm_calloc(1, sizeof(*sets));

	sets->cell_count = p->cell_count;
	sets->of_cell = oclmm_calloc(p->cell_count + 1, sizeof(*sets->of_cell));
	for (uint32_t l = 0; l < p->location_count; l++)
		for (uint32_t i = 0; i < p->locations[l].elements; i++)
			add_value(sets, p->locations[l].first_cell + i, p->locations[l].initial[i]);
	return sets;
}

/* Also guesses the values of the final condition, whether they can be written or not. */
static void add_asked(struct value_sets *sets, const struct oclmm_condition *condition)
{
	if (!condition)
		return;
	add_asked(sets, condition->left);
	add_asked(sets, condition->right);
	if (condition->kind != OCLMM_CONDITION_COMPARE)
		return;
	for (uint32_t i = 0; i < sets->cell_count; i++) {
		if (condition->a.is_constant)
			add_value(sets, i, condition->a.constant);
		if (condition->b.is_constant)
			add_value(sets, i, condition->b.constant);
	}
}

static void destroy_values(struct value_sets *sets)
{
	if (!sets)
		return;
	for (uint32_t i = 0; i < sets->cell_count; i++)
		free(sets->of_cell[i].values);
	free(sets->of_cell);
	free(sets);
}

/* ---- one combination under way ----------------------------------------- */

/* One combination under way. */
struct choice {
	struct search *search;
	struct combination *c;
	struct candidate *x;
	unsigned reads[MAX_EVENTS];
	row sources[MAX_EVENTS]; /* sources of each of `reads`, whatever the others read */
	unsigned read_count;
	unsigned deepest; /* the one of `reads` that no source fitted */
	row assigned;     /* reads with rf */
	row known;        /* reads with a value */
	row taken;        /* writes that an RMW reads from */
	bool guesses;     /* K6: values that depend on themselves */
	bool divides;     /* a value may be unspecified */
	int result;
};

/* ---- values ---------------------------------------------------------- */

static bool is_determined(const struct choice *h, unsigned write)
{
	return write < h->c->init_count || !(h->c->stored[write].needed & ~h->known);
}

/* Checks the constraints that now have all their values. */
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
			struct symbol_finding found;
			int64_t value = oclmm_symbol_value(k->symbol, h->x, (int)t, &found);

			if (found.unspecified ? !k->truth && !oclmm_range_has(&found.range, 0)
			                      : (value != 0) != k->truth)
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
			struct symbol_finding found;

			if (!is_determined(h, w))
				continue;
			h->x->value[r] = oclmm_event_value(h->x, w, &found);
			h->x->unspecified &= ~BIT(r);
			h->x->unspecified |= found.unspecified ? BIT(r) : 0;
			h->known |= BIT(r);
			fresh |= BIT(r);
			progress = true;
		}
	}
	return !fresh || constraints_hold(h, fresh);
}

/*
 * Whether a value depends on itself. Values count, not events: what an exchange stores does not
 * depend on what it reads.
 */
static bool is_cyclic(const struct choice *h)
{
	const struct combination *c = h->c;
	row computed_from[MAX_EVENTS] = {0};

	/* where no value is pinned, a cycle has no first value */
	if (!c->pinned)
		return false;
	FOR_EACH (r, c->reads)
		computed_from[r] = c->stored[h->x->rf[r]].reads;
	return !oclmm_is_acyclic(computed_from, c->reads);
}

/* Checks the limits, because many choices may lead to no candidate at all. \return whether to go
 * on */
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

	if (!h->search->wide && !oclmm_mo_start(h->x, &m))
		return;
	FOR_EACH (w, h->c->writes)
		add_value(h->search->writable, h->c->event[w].cell,
		          oclmm_event_value(h->x, (unsigned)w, NULL));
}

static int judge_case(void *search)
{
	struct search *s = search;

	return s->judge(s);
}

static void complete(struct choice *h, bool thin_air)
{
	if (h->search->collecting) {
		collect(h);
		return;
	}
	h->x->thin_air = thin_air;
	h->result = h->divides ? oclmm_symbol_cases(h->x, judge_case, h->search)
	                       : h->search->judge(h->search);
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
		FOR_EACH (r, h->c->reads) {
			struct symbol_finding found;
			int64_t value = oclmm_event_value(h->x, h->x->rf[r], &found);
			bool fits = found.unspecified
			                    ? oclmm_range_has(&found.range, h->x->value[r])
			                    : value == h->x->value[r];

			if (!fits || !is_writable(h, (unsigned)r))
				return;
		}
		complete(h, true);
		return;
	}

	unsigned r = (unsigned)__builtin_ctzll(unknown);
	const struct value_set *set = &h->search->writable->of_cell[h->c->event[r].cell];
	row known = h->known;

	for (size_t i = 0; i < set->count && !h->result; i++) {
		h->x->value[r] = set->values[i];
		h->x->unspecified &= ~BIT(r);
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
static bool waits_for_itself(const struct choice *h, unsigned r)
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
			complete(h, is_cyclic(h));
		else if (h->guesses)
			guess(h);
		h->search->done += h->search->share;
		return;
	}

	unsigned r = h->reads[next];
	row known = h->known, taken = h->taken;
	/* two updates never read from one write */
	bool update = h->c->writes & BIT(r) && !h->search->wide, fits = false;
	row from = h->sources[next] & ~(update ? taken : 0);
	double share = h->search->share, each = from ? share / __builtin_popcountll(from) : 0;

	h->search->done += from ? 0 : share;
	h->search->share = each;
	h->assigned |= BIT(r);
	FOR_EACH (w, from) {
		h->x->rf[r] = (unsigned)w;
		if (update)
			h->taken = taken | BIT(w);
		if (propagate(h) && !waits_for_itself(h, r)) {
			choose_sources(h, next + 1);
			fits = true;
		} else {
			h->search->done += each;
		}
		h->known = known;
		h->taken = taken;
	}
	h->assigned &= ~BIT(r);
	h->search->share = share;
	if (!fits && next >= h->deepest) {
		h->deepest = next;
		h->search->stuck = h->c->event[r].cell;
	}
}

/*
 * Goes cell by cell, because values that do not fit show there whatever the other cells do; and
 * begins with the cell where nothing fitted the last combination, which may be the same here.
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

static int enumerate(struct search *s)
{
	struct choice h = {.search = s, .c = &s->combination, .x = &s->candidate};

	h.x->c = h.c;
	h.x->unspecified = 0;
	h.x->facts = &s->facts;
	s->facts.count = 0;
	for (unsigned t = 0; t < s->program->thread_count; t++)
		h.divides |= h.c->path[t]->divides;
	h.guesses = !s->collecting && s->writable;
	order_reads(&h);
	choose_sources(&h, 0);
	return h.result;
}

/* ---- all combinations -------------------------------------------------- */

static int search_threads(struct search *s, unsigned thread)
{
	double share = s->share;
	int result = 0;

	if (thread == s->program->thread_count) {
		if (oclmm_search_is_late(s))
			return -ETIME;
		result = oclmm_combine(s->program, s->chosen, s->settings.worlds[s->world],
		                       s->error, &s->combination);
		if (result == 0 && !s->combination.impossible)
			return enumerate(s);
		s->done += share;
		return result;
	}
	for (unsigned i = 0; result == 0 && i < s->paths[thread].count; i++) {
		s->share = share / s->paths[thread].count;
		s->chosen[thread] = &s->paths[thread].paths[i];
		result = search_threads(s, thread + 1);
	}
	s->share = share;
	return result;
}

static int search_all(struct search *s)
{
	s->done = 0;
	s->share = 1;
	return search_threads(s, 0);
}

int oclmm_search(struct search *s)
{
	bool thin_air = s->wide;
	int result = 0;

	for (unsigned i = 0; i < s->settings.count; i++)
		thin_air |= s->settings.items[i].alternatives & ALT_K6;
	if (thin_air) {
		s->writable = create_values(s->program);
		if (s->wide)
			add_asked(s->writable, s->program->condition);
		s->collecting = true;
		result = search_all(s);
		s->collecting = false;
	}
	if (result == 0)
		result = search_all(s);
	destroy_values(s->writable);
	s->writable = NULL;
	return result;
}

int oclmm_search_unfold(struct search *s, unsigned world, bool *cut)
{
#define OCLMM_X(source) source,
	path_source *const sources[] = {PATH_SOURCES(OCLMM_X)};
#undef OCLMM_X
	int result = -ENOTSUP;

	if (s->program->thread_count > OCLMM_MAX_THREADS)
		return oclmm_error_set(s->error, -E2BIG,
		                       "test %s has %u threads, the oracle takes up to %d",
		                       s->program->name, s->program->thread_count,
		                       OCLMM_MAX_THREADS);
	for (unsigned i = 0; result == -ENOTSUP && i < OCLMM_COUNT(sources); i++)
		result = sources[i](s->arena, s->program, world, s->error, s->paths);
	for (unsigned t = 0; result == 0 && t < s->program->thread_count; t++)
		*cut |= s->paths[t].cut;
	return result;
}

/* ---- one search per thread --------------------------------------------- */

/* Its memory is kept from one question to the next, until the thread ends. */
static pthread_key_t kept;
static bool may_keep;

static void destroy_search(void *search)
{
	oclmm_arena_destroy(((struct search *)search)->arena);
	free(search);
}

static void create_key(void)
{
	may_keep = pthread_key_create(&kept, destroy_search) == 0;
}

struct search *oclmm_search_begin(const struct oclmm_program *program, struct watch watch,
                                  struct oclmm_error *error)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct oclmm_arena *arena;
	struct search *s;

	pthread_once(&once, create_key);
	s = may_keep ? pthread_getspecific(kept) : NULL;
	if (s) {
		/* a caller gets another one while this one is in use */
		pthread_setspecific(kept, NULL);
		arena = s->arena;
	} else {
		s = oclmm_malloc(sizeof(*s));
		arena = oclmm_arena_create();
	}
	memset(s, 0, offsetof(struct search, settings));
	s->arena = arena;
	s->program = program;
	s->error = error;
	s->watch = watch;
	return s;
}

void oclmm_search_end(struct search *s)
{
	if (s->cat)
		oclmm_cat_leave();
	oclmm_arena_clear(s->arena);
	if (!may_keep || pthread_getspecific(kept) || pthread_setspecific(kept, s) != 0)
		destroy_search(s);
}
