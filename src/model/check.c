// SPDX-License-Identifier: Apache-2.0
/* The oracle's front: unfolds, combines, searches, answers. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* ---- what the program contains --------------------------------------- */

/*
 * Locations on which what is stored in a location depends; closed transitively it shows value
 * cycles. A circle within one cell is none: each of its steps goes forward in coherence.
 */
static void note_dependencies(const struct path *p, row *depends)
{
	for (unsigned i = 0; i < p->event_count; i++) {
		const struct oclmm_event *e = &p->events[i];

		if (e->kind == OCLMM_EVENT_FENCE || !oclmm_event_writes(e))
			continue;
		FOR_EACH (r, p->stored[i].reads)
			if (p->events[r].cell != e->cell)
				depends[p->events[r].location % MAX_EVENTS] |= BIT(e->location %
				                                                   MAX_EVENTS);
	}
}

/* What the events have in common. */
struct summary {
	unsigned accessed, flagged; /* regions with accesses, and in the flags of some fence */
	unsigned shared;            /* regions in the flags of every seq_cst fence */
	bool releases, acquires;    /* some atomic does */
};

static void note_fence(struct traits *t, const struct oclmm_event *e, struct summary *s)
{
	t->waits |= e->waited != 0;
	t->enqueues |= e->enqueued != 0;
	s->flagged |= e->flags;
	t->one_way_fence |= e->one_way;
	if (e->order != OCLMM_ORDER_SEQ_CST)
		return;
	t->seq_cst_fence = true;
	s->shared &= e->flags;
}

static void note_event(struct traits *t, const struct oclmm_event *e, struct summary *s)
{
	bool seq_cst = e->order == OCLMM_ORDER_SEQ_CST;

	t->seq_cst |= seq_cst;
	if (e->kind == OCLMM_EVENT_FENCE) {
		note_fence(t, e, s);
		return;
	}
	t->seq_cst_atomic |= seq_cst;
	t->legacy |= e->legacy;
	t->legacy_compare |= e->legacy_compare;
	s->accessed |= 1u << e->region;
	s->releases |= oclmm_event_writes(e) && oclmm_order_releases(e->order);
	s->acquires |= oclmm_event_reads(e) && oclmm_order_acquires(e->order);
}

static void find_traits(const struct search *search, struct traits *ret)
{
	row depends[MAX_EVENTS] = {0};
	struct summary s = {.shared = ~0u};
	unsigned regions;

	memset(ret, 0, sizeof(*ret));
	for (unsigned t = 0; t < search->program->thread_count; t++) {
		for (unsigned p = 0; p < search->paths[t].count; p++) {
			const struct path *path = &search->paths[t].paths[p];

			for (unsigned i = 0; i < path->event_count; i++)
				note_event(ret, &path->events[i], &s);
			note_dependencies(path, depends);
		}
	}
	/* no knob is about images */
	s.accessed &= ~(unsigned)OCLMM_FLAG_IMAGE;
	s.flagged &= ~(unsigned)OCLMM_FLAG_IMAGE;
	regions = s.accessed | s.flagged;
	ret->both_regions = (regions & (regions - 1)) != 0;
	ret->narrow_fence = ret->seq_cst_fence && s.accessed & ~s.shared;
	ret->release_acquire = s.releases && s.acquires;
	oclmm_closure(depends, MAX_EVENTS);
	ret->value_cycle = !oclmm_is_irreflexive(depends, MAX_EVENTS);
}

/* ---- the search ------------------------------------------------------ */

static int search_combination(struct search *s)
{
	int result = oclmm_combine(s->program, s->chosen, s->settings->worlds[s->world], s->error,
	                           &s->combination);

	if (result < 0)
		return result;
	if (s->combination.impossible)
		return 0;
	return oclmm_enumerate(s);
}

static int search_threads(struct search *s, unsigned thread)
{
	if (thread == s->program->thread_count)
		return oclmm_search_is_late(s) ? -ETIME : search_combination(s);
	for (unsigned i = 0; i < s->paths[thread].count; i++) {
		s->chosen[thread] = &s->paths[thread].paths[i];

		int result = search_threads(s, thread + 1);

		if (result < 0)
			return result;
	}
	return 0;
}

static struct value_sets *create_values(const struct oclmm_program *p)
{
	struct value_sets *sets = oclmm_calloc(1, sizeof(*sets));

	sets->cell_count = p->cell_count;
	sets->of_cell = oclmm_calloc(p->cell_count + 1, sizeof(*sets->of_cell));
	for (uint32_t l = 0; l < p->location_count; l++)
		for (uint32_t i = 0; i < p->locations[l].elements; i++)
			oclmm_values_add(sets, p->locations[l].first_cell + i,
			                 p->locations[l].initial[i]);
	return sets;
}

/* What the final condition asks for is worth guessing, whether it can be written or not. */
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
			oclmm_values_add(sets, i, condition->a.constant);
		if (condition->b.is_constant)
			oclmm_values_add(sets, i, condition->b.constant);
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

int oclmm_search(struct search *s)
{
	bool thin_air = s->wide;
	int result = 0;

	for (unsigned i = 0; i < s->settings->count; i++)
		thin_air |= s->settings->items[i].alternatives & ALT_K6;
	if (thin_air) {
		s->writable = create_values(s->program);
		if (s->wide)
			add_asked(s->writable, s->program->condition);
		s->collecting = true;
		result = search_threads(s, 0);
		s->collecting = false;
	}
	if (result == 0)
		result = search_threads(s, 0);
	destroy_values(s->writable);
	s->writable = NULL;
	return result;
}

int oclmm_search_unfold(struct search *s, struct oclmm_arena *arena, unsigned world, bool *cut)
{
	if (s->program->thread_count > OCLMM_MAX_THREADS)
		return oclmm_error_set(s->error, -E2BIG,
		                       "test %s has %u threads, the oracle takes up to %d",
		                       s->program->name, s->program->thread_count,
		                       OCLMM_MAX_THREADS);
	oclmm_walk_start(s->walk, arena, s->program, world);
	for (unsigned t = 0; t < s->program->thread_count; t++) {
		int result = oclmm_unfold(s->walk, t, s->error, &s->paths[t]);

		if (result < 0)
			return result;
		*cut |= s->paths[t].cut;
	}
	return 0;
}

/* ---- the front ------------------------------------------------------- */

static struct oracle *create_oracle(void)
{
	/* each question sets what it needs */
	struct oracle *oracle = oclmm_malloc(sizeof(*oracle));

	oracle->arena = oclmm_arena_create();
	oracle->walk = oclmm_walk_create();
	return oracle;
}

struct search *oclmm_oracle_start(struct oracle *oracle, const struct oclmm_program *program,
                                  double time_limit, struct oclmm_error *error)
{
	struct search *s = &oracle->search;

	/* what stands from the combination on is large and set where it is used */
	memset(s, 0, offsetof(struct search, combination));
	s->program = program;
	s->settings = &oracle->settings;
	s->walk = oracle->walk;
	s->error = error;
	s->deadline = time_limit > 0 ? oclmm_clock() + time_limit : 0;
	return s;
}

static void destroy_oracle(struct oracle *oracle)
{
	if (!oracle)
		return;
	oclmm_arena_destroy(oracle->arena);
	free(oracle->walk);
	free(oracle);
}

static int fail(const struct oclmm_program *program, struct oclmm_error *error, int code,
                double limit)
{
	if (code == -ETIME)
		return oclmm_error_set(
			error, code, "test %s takes the oracle longer than the time limit of %g s",
			program->name, limit);
	return code;
}

/* The search in each world: the first tells which knobs matter, the others differ in the events. */
static int search_worlds(struct oracle *oracle, unsigned models, bool *cut)
{
	struct search *s = &oracle->search;
	int result = oclmm_search_unfold(s, oracle->arena, 0, cut);

	if (result < 0)
		return result;
	find_traits(s, &s->traits);
	oclmm_settings_choose(&s->traits, models, &oracle->settings);
	s->record = oclmm_record_create(s->program, &oracle->settings, oracle->arena);
	result = oclmm_search(s);
	for (s->world = 1; result == 0 && s->world < oracle->settings.world_count; s->world++) {
		oclmm_record_enter(s->record, s->world);
		result = oclmm_search_unfold(s, oracle->arena, oracle->settings.worlds[s->world],
		                             cut);
		if (result == 0)
			result = oclmm_search(s);
	}
	return result;
}

static struct oclmm_answer *make_answer(const struct search *s, unsigned models, bool cut,
                                        struct oclmm_arena *own)
{
	struct oclmm_answer *answer = OCLMM_NEW(own, struct oclmm_answer);

	answer->arena = own;
	answer->program = s->program;
	answer->may_be_cut = cut;
	answer->candidates = s->candidates;
	answer->consistent = s->consistent;
	oclmm_record_finish(s->record, models, answer);
	return answer;
}

/* As oclmm_check(); the answer is made in `own`. */
static int check_with(struct oracle *oracle, const struct oclmm_program *program,
                      const struct oclmm_check_options *o, struct oclmm_arena *own,
                      struct oclmm_error *error, struct oclmm_answer **ret_answer)
{
	unsigned models = o->models ? o->models : 1u << OCLMM_MODEL_CONSENSUS;
	double start = oclmm_clock();
	struct search *s;
	bool cut = false;
	int result;

	if (models >> OCLMM_MODEL_COUNT)
		return oclmm_error_set(error, -EINVAL, "there is no model number %d",
		                       31 - __builtin_clz(models));
	/* what consensus is taken over answers the versions, too */
	if (models & 1u << OCLMM_MODEL_CONSENSUS)
		models |= OCLMM_MODEL_VERSIONS;
	s = oclmm_oracle_start(oracle, program, o->time_limit, error);
	result = search_worlds(oracle, models, &cut);
	if (result == 0) {
		*ret_answer = make_answer(s, models, cut, own);
		(*ret_answer)->seconds = oclmm_clock() - start;
	}
	oclmm_record_destroy(s->record);
	oclmm_arena_clear(oracle->arena);
	return result < 0 ? fail(program, error, result, o->time_limit) : 0;
}

/* ---- one oracle per thread --------------------------------------------- */

/* Its memory is kept from one question to the next, until the thread ends. */
static pthread_key_t kept;
static bool may_keep;

static void destroy_kept(void *oracle)
{
	destroy_oracle(oracle);
}

static void create_key(void)
{
	may_keep = pthread_key_create(&kept, destroy_kept) == 0;
}

struct oracle *oclmm_oracle_take(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct oracle *oracle;

	pthread_once(&once, create_key);
	oracle = may_keep ? pthread_getspecific(kept) : NULL;
	if (!oracle)
		return create_oracle();
	pthread_setspecific(kept, NULL);
	return oracle;
}

void oclmm_oracle_give(struct oracle *oracle)
{
	if (!may_keep || pthread_setspecific(kept, oracle) != 0)
		destroy_oracle(oracle);
}

int oclmm_check(const struct oclmm_program *program, const struct oclmm_check_options *options,
                struct oclmm_error *error, struct oclmm_answer **ret_answer)
{
	static const struct oclmm_check_options defaults;
	struct oracle *oracle = oclmm_oracle_take();
	struct oclmm_arena *own = oclmm_arena_create();
	int result = check_with(oracle, program, options ? options : &defaults, own, error,
	                        ret_answer);

	if (result < 0)
		oclmm_arena_destroy(own);
	oclmm_oracle_give(oracle);
	return result;
}

void oclmm_answer_destroy(struct oclmm_answer *answer)
{
	if (answer)
		oclmm_arena_destroy(answer->arena);
}
