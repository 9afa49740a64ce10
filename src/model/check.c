// SPDX-License-Identifier: Apache-2.0
/*
 * The answer for a program: searches its candidates in each world, judges each of them over all
 * modification orders under every reading, and turns what is found into states and statuses.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/cat.h"
#include "oclmm/explore.h"

/* ---- which readings ---------------------------------------------------- */

/*
 * The readings that are evaluated: the regimes times the alternatives of the knobs that can matter
 * for this program. A knob that nothing in the program touches is left at its default, so that the
 * product stays small; leaving it out changes no answer.
 */
struct traits {
	unsigned relevant;          /* alternatives that some event makes matter */
	unsigned accessed, flagged; /* regions with accesses, and in the flags of some fence */
	unsigned shared;            /* regions in the flags of every seq_cst fence */
	bool seq_cst_atomic, seq_cst_fence;
	bool releases, acquires; /* some atomic does */
	bool reduced;            /* some atomic is on global memory without SVM atomics */
	bool wide_fence;         /* some fence has scope all_svm_devices */
	/* locations on which what is stored in a location depends */
	row depends[MAX_EVENTS];
};

static void note_event(struct traits *t, const struct oclmm_event *e)
{
	bool seq_cst = e->order == OCLMM_ORDER_SEQ_CST, fence = oclmm_event_is_fence(e);

	t->relevant |= (seq_cst ? ALT_K2 | ALT_K8 : 0) | (seq_cst && fence ? ALT_K10 : 0) |
	               (e->legacy ? ALT_K7 : 0) | (e->legacy_compare ? ALT_K9 : 0) |
	               (e->one_way ? ALT_K11 : 0) | (e->waited ? ALT_K12 : 0) |
	               (e->enqueued ? ALT_K13 : 0) | (e->collective && !e->sub_group ? ALT_K16 : 0);
	if (fence) {
		t->flagged |= e->flags;
		t->seq_cst_fence |= seq_cst;
		t->shared &= seq_cst ? e->flags : ~0u;
		t->wide_fence |= e->scope == OCLMM_SCOPE_ALL_SVM_DEVICES;
		return;
	}
	t->seq_cst_atomic |= seq_cst;
	t->accessed |= 1u << e->region;
	t->reduced |= oclmm_event_is_atomic(e) && e->region == OCLMM_SPACE_GLOBAL &&
	              !oclmm_storage_has_svm_atomics(e->storage);
	t->releases |= oclmm_event_writes(e) && oclmm_order_releases(e->order);
	t->acquires |= oclmm_event_reads(e) && oclmm_order_acquires(e->order);
}

/* Dependencies within one cell form no cycle: each goes forward in coherence. */
static void note_dependencies(struct traits *t, const struct path *p)
{
	for (unsigned i = 0; i < p->event_count; i++) {
		const struct oclmm_event *e = &p->events[i];

		if (!oclmm_event_writes(e))
			continue;
		FOR_EACH (r, p->stored[i].reads)
			if (p->events[r].cell != e->cell)
				t->depends[p->events[r].location % MAX_EVENTS] |= BIT(e->location %
				                                                      MAX_EVENTS);
	}
}

/* Whether host and devices, or two devices, share fine-grained memory without atomics. */
static bool is_fine_across_devices(const struct oclmm_program *program)
{
	bool fine = false, apart = false;

	if (oclmm_program_has_commands(program))
		return false;
	for (uint32_t i = 0; i < program->location_count; i++)
		fine |= program->locations[i].storage == OCLMM_STORAGE_SVM_FINE;
	for (uint32_t i = 1; i < program->thread_count; i++)
		apart |= oclmm_at_commands_only(&program->threads[0].placement,
		                                &program->threads[i].placement,
		                                OCLMM_STORAGE_SVM_FINE, true);
	return fine && apart;
}

static bool has_blocking_write(const struct oclmm_program *program)
{
	for (uint32_t t = 0; t < program->thread_count; t++)
		if (oclmm_is_blocking_write(program, t))
			return true;
	return false;
}

static bool has_poll(const struct oclmm_program *program)
{
	for (uint32_t t = 0; t < program->thread_count; t++)
		if (program->threads[t].placement.command.polls)
			return true;
	return false;
}

/* Some object in shared virtual memory is used by a buffer over it and by its pointer. */
static bool has_two_names(const struct oclmm_program *program)
{
	uint64_t by_buffer = 0, by_pointer = 0;

	for (uint32_t t = 0; oclmm_program_has_commands(program) && t < program->thread_count; t++)
		for (uint32_t i = 0; i < program->location_count; i++) {
			uint64_t used = oclmm_command_uses(program, t) & UINT64_C(1) << i;

			if (oclmm_command_by_buffer(program, t, i))
				by_buffer |= used;
			else
				by_pointer |= used;
		}
	return by_buffer & by_pointer;
}

static unsigned relevant_alternatives(const struct search *search)
{
	const unsigned image = OCLMM_FLAG_IMAGE; /* no knob is about images */
	struct traits t = {.shared = ~0u};
	unsigned regions;

	for (unsigned i = 0; i < search->program->thread_count; i++) {
		for (unsigned k = 0; k < search->paths[i].count; k++) {
			const struct path *p = &search->paths[i].paths[k];

			for (unsigned n = 0; n < p->event_count; n++)
				note_event(&t, &p->events[n]);
			note_dependencies(&t, p);
		}
	}
	regions = (t.accessed | t.flagged) & ~image;
	if (t.seq_cst_fence && t.accessed & ~image & ~t.shared)
		t.relevant |= ALT_K4;
	if (t.seq_cst_atomic && regions & (regions - 1))
		t.relevant |= ALT_K3;
	if (t.releases && t.acquires)
		t.relevant |= ALT_K5;
	if (!oclmm_is_acyclic(t.depends, ~(row)0))
		t.relevant |= ALT_K6;
	if (t.wide_fence && t.reduced)
		t.relevant |= ALT_K14;
	if (is_fine_across_devices(search->program))
		t.relevant |= ALT_K15;
	if (has_blocking_write(search->program))
		t.relevant |= ALT_K17;
	if (has_poll(search->program))
		t.relevant |= ALT_K18;
	if (has_two_names(search->program))
		t.relevant |= ALT_K19;
	return t.relevant;
}

/* All subsets of `knobs`, the empty one first. */
static void add_subsets(struct setting_list *list, enum oclmm_model regime, unsigned knobs)
{
	unsigned alternatives = 0;

	do {
		list->items[list->count++] = (struct oclmm_reading){regime, alternatives};
		alternatives = (alternatives - knobs) & knobs;
	} while (alternatives);
}

static void choose_settings(struct search *s, unsigned models)
{
	/* a model as text has one reading */
	unsigned relevant = s->cat ? 0 : relevant_alternatives(s), world = 0;
	struct setting_list *ret = &s->settings;
	bool consensus = models & 1u << OCLMM_MODEL_CONSENSUS, versions = false;

	ret->count = ret->world_count = 0;
	for (enum oclmm_model r = 0; r < REGIME_COUNT; r++) {
		unsigned knobs = relevant & ~(unsigned)ALT_EVENTS;

		if (!(models & 1u << r) && (!consensus || r == OCLMM_MODEL_SCOPED))
			continue;
		/* only 2.0 has conditions for the order; `scoped` is one reading */
		if (r != OCLMM_MODEL_OPENCL_2_0)
			knobs &= ~(unsigned)ALT_K10;
		add_subsets(ret, r, r == OCLMM_MODEL_SCOPED ? 0 : knobs);
		versions |= r != OCLMM_MODEL_SCOPED;
	}
	do {
		ret->worlds[ret->world_count++] = world | s->by_text;
		world = (world - (relevant & ALT_EVENTS)) & relevant & ALT_EVENTS;
	} while (world && versions);
}

/* ---- what is found ----------------------------------------------------- */

struct found {
	struct setting_set *allowed; /* by world */
	/* one per observable, and then `unspecified`; of an unspecified one its number in
	 * record.open */
	int64_t *values;
	uint64_t unspecified; /* observables that have one of several values */
};

/* Witnesses of one regime: for its default reading, and for a reading with some knob the other
 * way. */
enum { AS_WRITTEN, OTHERWISE, WITNESS_COUNT };

/* Two readings, by their places in the answer, that differ in one knob alone. */
struct knob_pair {
	uint32_t a, b;
	unsigned knob;
};

struct record {
	const struct oclmm_program *program;
	const struct setting_list *settings;
	struct found *states;
	size_t count, capacity;
	struct oclmm_index index; /* of the states, by their values */
	struct oclmm_arena *arena;
	unsigned world;                /* that is being searched */
	struct setting_set *undefined; /* by world */
	struct oclmm_witness witness[WITNESS_COUNT][REGIME_COUNT];
	bool has_witness[WITNESS_COUNT][REGIME_COUNT];
	bool divides; /* somewhere there is no quotient */
	struct open_value {
		struct range range;
		const struct symbol *origin;
	} * open; /* what unspecified observables may be, each once */
	size_t open_count, open_capacity;
	struct knob_pair *pairs; /* found where a state is disputed */
	size_t pair_count, pair_capacity;
	bool pairs_found;
};

/* The size of a state's key: its values, and which of them are unspecified. */
static size_t width(const struct record *r)
{
	return (r->program->observable_count + 1) * sizeof(int64_t);
}

static struct record *record_create(const struct oclmm_program *program,
                                    const struct setting_list *settings, struct oclmm_arena *arena)
{
	struct record *r = oclmm_calloc(1, sizeof(*r));

	r->program = program;
	r->settings = settings;
	r->arena = arena;
	r->undefined = OCLMM_NEW_ARRAY(arena, struct setting_set, settings->world_count);
	return r;
}

static void record_destroy(struct record *r)
{
	if (!r)
		return;
	free(r->states);
	free(r->open);
	free(r->pairs);
	oclmm_index_finish(&r->index);
	free(r);
}

static bool has_values(const void *things, size_t number, const void *values)
{
	const struct record *r = things;

	return memcmp(r->states[number].values, values, width(r)) == 0;
}

/* A state that some candidate reaches, consistent or not. \return its number, or -1 when filtered
 * out. */
static int record_state(struct record *r, const int64_t *values)
{
	uint64_t unspecified = (uint64_t)values[r->program->observable_count], hash;
	size_t number;

	/* a filter on unspecified values is applied when these have values */
	if (!unspecified && r->program->filter &&
	    !oclmm_condition_holds(r->program, r->program->filter, values))
		return -1;
	hash = oclmm_hash(values, width(r));
	number = oclmm_index_find(&r->index, hash, has_values, r, values);
	if (number != SIZE_MAX)
		return (int)number;
	oclmm_grow(&r->states, &r->capacity, r->count, sizeof(*r->states));
	r->states[r->count] = (struct found){
		.values = oclmm_arena_copy(r->arena, values, width(r)),
		.unspecified = unspecified,
		.allowed = OCLMM_NEW_ARRAY(r->arena, struct setting_set, r->settings->world_count),
	};
	r->count++;
	return (int)oclmm_index_add(&r->index, hash);
}

static void record_allow(struct record *r, int state, const struct setting_set *settings)
{
	if (state >= 0)
		setting_union(&r->states[state].allowed[r->world], settings);
}

/* \return the settings among `settings` that were not yet known to be undefined. */
static struct setting_set record_still_defined(const struct record *r,
                                               const struct setting_set *settings)
{
	struct setting_set left;

	for (unsigned i = 0; i < SETTING_WORDS; i++)
		left.word[i] = settings->word[i] & ~r->undefined[r->world].word[i];
	return left;
}

static void record_undefined(struct record *r, const struct setting_set *settings,
                             const struct oclmm_witness *witness)
{
	setting_union(&r->undefined[r->world], settings);
	for (unsigned i = 0; i < r->settings->count; i++) {
		const struct oclmm_reading *s = &r->settings->items[i];
		unsigned kind = s->alternatives || r->world ? OTHERWISE : AS_WRITTEN;

		if (!setting_has(settings, i) || r->has_witness[kind][s->regime])
			continue;
		r->witness[kind][s->regime] = *witness;
		r->witness[kind][s->regime].regime = s->regime;
		r->has_witness[kind][s->regime] = true;
	}
}

/* ---- witnesses --------------------------------------------------------- */

static bool find_race(const struct combination *c, const struct view *v, const struct order *o,
                      unsigned *ret_a, unsigned *ret_b)
{
	for (unsigned a = c->init_count; a < c->count; a++) {
		row races = v->racing[a] ? oclmm_races_of(c, v, o, a) : 0;

		if (!races)
			continue;
		*ret_a = a;
		*ret_b = (unsigned)__builtin_ctzll(races);
		return true;
	}
	return false;
}

static void print_cell(struct oclmm_text *text, const struct combination *c,
                       const struct oclmm_event *e)
{
	const struct oclmm_location *l = &c->program->locations[e->location];

	oclmm_text_add(text, l->name);
	if (l->is_array)
		oclmm_text_printf(text, "[%u]", e->element);
}

static void describe_access(const struct candidate *x, unsigned event, struct oclmm_access *ret)
{
	static const char *const letters[] = {"R", "W", "RMW", "F"};
	const struct combination *c = x->c;
	const struct oclmm_event *e = &c->event[event];
	const struct oclmm_location *l = &c->program->locations[e->location];
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_text_printf(&text, "%s ", e->barrier ? "barrier" : letters[e->kind]);
	if (e->kind != OCLMM_EVENT_FENCE) {
		print_cell(&text, c, e);
		oclmm_text_add(&text, "=");
		oclmm_value_print(&text, l->type, oclmm_event_value(x, event, NULL));
		oclmm_text_add(&text, " ");
	}
	oclmm_text_add(&text, oclmm_order_short(e->order));
	if (e->scope != OCLMM_SCOPE_NONE)
		oclmm_text_printf(&text, " %s", oclmm_scope_short(e->scope));
	ret->thread = e->thread < 0 ? 0 : (uint32_t)e->thread;
	ret->position = e->position;
	ret->statement = e->statement;
	snprintf(ret->text, sizeof(ret->text), "%s", oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

static const char *why_unshielded(const struct oclmm_event *a, const struct oclmm_event *b)
{
	if (!oclmm_event_is_atomic(a) && !oclmm_event_is_atomic(b))
		return "both are plain accesses";
	if (!oclmm_event_is_atomic(a) || !oclmm_event_is_atomic(b))
		return "one of them is a plain access";
	if (a->scope != b->scope)
		return "their scopes are not inclusive with each other";
	return "their scope is too narrow for where they run";
}

static void witness_race(const struct candidate *x, unsigned a, unsigned b,
                         struct oclmm_witness *ret)
{
	const struct oclmm_event *ea = &x->c->event[a], *eb = &x->c->event[b];
	const struct oclmm_thread *threads = x->c->program->threads;

	memset(ret, 0, sizeof(*ret));
	ret->reason = OCLMM_UNDEFINED_RACE;
	describe_access(x, a, &ret->a);
	describe_access(x, b, &ret->b);
	ret->has_b = true;
	if (ea->thread == eb->thread) {
		snprintf(
			ret->why, sizeof(ret->why),
			"they conflict on %s, %s an asynchronous copy's, and the work-item has not "
			"waited for it",
			x->c->program->locations[ea->location].name,
			ea->copied && eb->copied ? "each" : "one of them");
		return;
	}
	if (oclmm_is_unshown(x->c, a, b)) {
		snprintf(ret->why, sizeof(ret->why),
		         "they conflict on %s, one by a buffer over it and one by its pointer, and "
		         "no map of the buffer shows one what the other writes",
		         x->c->program->locations[ea->location].name);
		return;
	}
	if (oclmm_at_commands_only(&threads[ea->thread].placement, &threads[eb->thread].placement,
	                           ea->storage,
	                           !oclmm_event_is_atomic(ea) || !oclmm_event_is_atomic(eb))) {
		bool kernels = oclmm_two_kernels(&threads[ea->thread].placement,
		                                 &threads[eb->thread].placement);
		bool host = threads[ea->thread].placement.host ||
		            threads[eb->thread].placement.host;
		bool atomic = oclmm_event_is_atomic(ea) && oclmm_event_is_atomic(eb);

		snprintf(ret->why, sizeof(ret->why),
		         "they conflict on %s, %s, and only synchronization points of commands are "
		         "sure to order what %s do to such memory",
		         x->c->program->locations[ea->location].name,
		         atomic ? "both are atomic" : why_unshielded(ea, eb),
		         kernels ? "two kernels" : (host ? "host and device" : "two devices"));
		return;
	}
	snprintf(ret->why, sizeof(ret->why),
	         "they conflict on %s in different work-items, %s, and neither happens before the "
	         "other "
	         "in %s memory",
	         x->c->program->locations[ea->location].name, why_unshielded(ea, eb),
	         oclmm_space_spelling(ea->region));
}

/* ---- one rf: what is learned ------------------------------------------- */

/*
 * Judges one choice of rf: over all modification orders, under every reading.
 *
 * Coherence turns happens-before into edges between the writes of a location.
 * Where nothing else depends on mo (no seq_cst pair, no release sequence that
 * runs over own stores) an mo exists exactly when these edges have no cycle,
 * and orders need not be enumerated at all.
 */

/* What all judgements of one rf share. */
struct judging {
	struct search *search;
	const struct combination *c;
	struct candidate *x;
	bool seq_cst_matters;
	bool sequences_matter; /* whether happens-before depends on mo */
	row live;              /* views that may still accept it, as bits */
	row free_cells;        /* observed cells with more than one possible last write */
	bool finished;         /* all is known: later orders change nothing */
	enum oclmm_undefined arithmetic;
	const struct symbol *arithmetic_at;
	unsigned arithmetic_thread;
	/* the members from here on are large, and not cleared */
	struct mo_edges base;      /* holds in every live view */
	unsigned last[MAX_EVENTS]; /* by initial write: the last write */
	struct order order[MAX_VIEWS];
};

/* Writes of a cell that may be the last one: tails of chains without successors. */
static row possible_last(const struct candidate *x, const struct mo_edges *m, unsigned init)
{
	const struct combination *c = x->c;
	row last = 0;

	FOR_EACH (w, c->of_cell[init] & c->writes)
		if (m->head[w] == w && !m->after[w])
			last |= BIT(m->tail[w]);
	return last;
}

static int64_t record_open(struct record *r, const struct symbol_finding *found)
{
	const struct range *a = &found->range;

	for (size_t i = 0; i < r->open_count; i++) {
		const struct range *b = &r->open[i].range;

		if (r->open[i].origin == found->origin && a->type == b->type &&
		    a->least == b->least && a->greatest == b->greatest && a->may == b->may &&
		    a->must == b->must)
			return (int64_t)i;
	}
	oclmm_grow(&r->open, &r->open_capacity, r->open_count, sizeof(*r->open));
	r->open[r->open_count] = (struct open_value){found->range, found->origin};
	return (int64_t)r->open_count++;
}

/* Puts the numbers of what they may be in the place of unspecified values. */
static void note_open(const struct judging *k, int64_t *tuple, uint64_t unspecified)
{
	uint32_t n = k->c->program->observable_count;
	struct symbol_finding *found = oclmm_calloc(n, sizeof(*found));

	oclmm_candidate_outcome(k->x, k->last, tuple, found, &unspecified);
	for (uint32_t i = 0; i < n && i < 64; i++)
		if (unspecified >> i & 1)
			tuple[i] = record_open(k->search->judge_data, &found[i]);
	free(found);
}

/* The number of the state that the candidate ends in, or -1 where it has none. */
static int note_state(struct judging *k)
{
	int64_t values[MAX_EVENTS * 4];
	int64_t *tuple = values;
	uint32_t n = k->c->program->observable_count;
	struct oclmm_arena *scratch = NULL;
	uint64_t unspecified;

	/* a race in the beginning of an execution is one in the whole, but a beginning has no
	 * final state; nor has a path that ended at a misused barrier */
	if (k->c->cut || k->c->undefined == OCLMM_UNDEFINED_SPLIT_BARRIER)
		return -1;
	if (n + 1 > OCLMM_COUNT(values)) {
		scratch = oclmm_arena_create();
		tuple = OCLMM_NEW_ARRAY(scratch, int64_t, n + 1);
	}
	oclmm_candidate_outcome(k->x, k->last, tuple, NULL, &unspecified);
	if (unspecified)
		note_open(k, tuple, unspecified);
	tuple[n] = (int64_t)unspecified;

	int state = record_state(k->search->judge_data, tuple);

	oclmm_arena_destroy(scratch);
	return state;
}

/* The settings that judge this candidate: with K6 at its default, none with values out of thin
 * air. */
static void restrict_thin_air(const struct judging *k, struct setting_set *set)
{
	struct setting_set mask = {{0}};

	if (!k->x->thin_air)
		return;
	for (unsigned i = 0; i < k->search->settings.count; i++)
		if (k->search->settings.items[i].alternatives & ALT_K6)
			setting_add(&mask, i);
	for (unsigned i = 0; i < SETTING_WORDS; i++)
		set->word[i] &= mask.word[i];
}

static bool seq_cst_holds(const struct judging *k, const struct view *v, const struct order *o,
                          unsigned key)
{
	return oclmm_axiom_seq_cst(k->x, v, o,
	                           (key & 1 ? ALT_K2 : 0) | (key & 2 ? ALT_K4 : 0) |
	                                   (key & 4 ? ALT_K8 : 0),
	                           NULL);
}

/*
 * Whether S exists under each key that is present. The alternatives only take constraints away, so
 * they allow what the text (key 0) allows; K2 takes none away where all scopes are inclusive.
 */
static unsigned keys_that_hold(const struct judging *k, const struct view *v, const struct order *o)
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
static struct setting_set consistent_settings(const struct judging *k, const struct view *v,
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

static void witness_of_path(const struct judging *k, struct oclmm_witness *w)
{
	const struct combination *c = k->c;

	memset(w, 0, sizeof(*w));
	if (k->arithmetic) {
		w->reason = k->arithmetic;
		w->a.thread = k->arithmetic_thread;
		w->a.position = k->arithmetic_at->position;
		w->a.statement = k->arithmetic_at->statement;
		return;
	}
	w->reason = c->undefined;
	w->a.thread = (uint32_t)c->undefined_thread;
	w->a.position = c->undefined_position;
	w->a.statement = c->undefined_statement;
	if (c->undefined == OCLMM_UNDEFINED_DIVERGENCE && c->undefined_at != NO_BARRIER)
		describe_access(k->x, c->undefined_at, &w->a);
}

static void describe_command(const struct oclmm_program *program, uint32_t thread,
                             struct oclmm_access *ret)
{
	enum oclmm_command_kind kind = program->threads[thread].placement.command.kind;
	const char *function = oclmm_command_function(program, thread);

	ret->thread = thread;
	ret->position = program->threads[thread].position;
	snprintf(ret->text, sizeof(ret->text), "%s",
	         *function ? function : oclmm_command_word(kind));
}

static void witness_overlap(const struct combination *c, struct oclmm_witness *ret)
{
	static const char *const whys[] = {
		[OCLMM_OVERLAP_MAPPED] =
			(", which may still be mapped, or be mapped already, when it begins "
	                 "(A:5.5.4)"),
		[OCLMM_OVERLAP_EARLY] =
			" by the pointer of a map that may not be complete (A:5.5.4)",
		[OCLMM_OVERLAP_MIGRATED] =
			", and nothing keeps that from overlapping with its migration (A:5.5.5)",
		[OCLMM_OVERLAP_UNACQUIRED] =
			", which may not be acquired when it begins, or be released before it ends "
			"(cl_khr_external_memory)",
		[OCLMM_OVERLAP_UNRELEASED] =
			" outside of OpenCL, where it may not be released yet, or be acquired "
			"already (cl_khr_external_memory)",
	};
	bool awaited = c->overlap.kind == OCLMM_OVERLAP_AWAITED;

	memset(ret, 0, sizeof(*ret));
	ret->reason = c->undefined;
	describe_command(c->program, c->overlap.thread, &ret->a);
	ret->has_b = c->overlap.with < c->program->thread_count;
	if (ret->has_b)
		describe_command(c->program, c->overlap.with, &ret->b);
	if (c->undefined == OCLMM_UNDEFINED_SEMAPHORE)
		snprintf(ret->why, sizeof(ret->why),
		         awaited ? "it waits for semaphore %u, and an earlier wait may take its "
		                   "signal (cl_khr_semaphore)"
		                 : "it signals semaphore %u, which is binary and may still be "
		                   "signaled (cl_khr_semaphore)",
		         c->overlap.location);
	else
		snprintf(ret->why, sizeof(ret->why), "it uses %s%s",
		         c->program->locations[c->overlap.location].name, whys[c->overlap.kind]);
}

/* Races and other undefined behaviour of a consistent candidate. */
static void note_undefined(struct judging *k, const struct view *v, const struct order *o,
                           const struct setting_set *settings)
{
	struct setting_set left = record_still_defined(k->search->judge_data, settings);
	bool of_commands = k->c->undefined == OCLMM_UNDEFINED_OVERLAP ||
	                   k->c->undefined == OCLMM_UNDEFINED_SEMAPHORE ||
	                   k->c->undefined == OCLMM_UNDEFINED_EXTERNAL;
	struct oclmm_witness witness;
	unsigned a, b;

	if (is_empty(&left))
		return;
	/* a race of commands says more than an overlap with a map */
	if (!of_commands && (k->c->undefined || k->arithmetic))
		witness_of_path(k, &witness);
	else if (find_race(k->c, v, o, &a, &b))
		witness_race(k->x, a, b, &witness);
	else if (k->c->undefined)
		witness_overlap(k->c, &witness);
	else
		return;
	record_undefined(k->search->judge_data, &left, &witness);
}

/* ---- without enumerating mo ------------------------------------------ */

/* Notes the states for every combination of possible last writes. */
static void allow_states(struct judging *k, const row *lasts, row cells,
                         const struct setting_set *settings)
{
	if (!cells) {
		int state = note_state(k);

		if (settings)
			record_allow(k->search->judge_data, state, settings);
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

static void lasts_of(const struct judging *k, const struct mo_edges *m, row cells, row *ret)
{
	FOR_EACH (cell, cells)
		ret[cell] = possible_last(k->x, m, (unsigned)cell);
}

static bool same_lasts(const row *a, const row *b, row cells)
{
	row differ = 0;

	FOR_EACH (cell, cells)
		differ |= a[cell] ^ b[cell];
	return !differ;
}

static void judge_without_mo(struct judging *k)
{
	row cells = observed_cells(k->c), all[MAX_EVENTS], lasts[MAX_EVENTS];
	bool listed = false;

	k->search->candidates++;
	lasts_of(k, &k->base, cells, all);
	FOR_EACH (i, k->live) {
		const struct view *v = &k->c->view[i];
		struct mo_edges m = k->base;
		struct setting_set settings;

		if (!oclmm_mo_add_happens_before(k->x, &k->order[i], &m))
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

static void judge_order(struct judging *k)
{
	int state = note_state(k);
	bool learned_all = !k->sequences_matter && !k->free_cells;

	k->search->candidates++;
	FOR_EACH (i, k->live) {
		const struct view *v = &k->c->view[i];
		struct order *o = &k->order[i];

		if (k->sequences_matter) {
			oclmm_order_build(k->x, v, true, o, NULL);
			if (!oclmm_axiom_happens_before(k->c, o) || !oclmm_axiom_visible(k->x, o))
				continue;
		}

		bool all_known = false;

		if (oclmm_axiom_coherence(k->x, o)) {
			struct setting_set settings = consistent_settings(k, v, o);

			if (!is_empty(&settings)) {
				k->search->consistent++;
				record_allow(k->search->judge_data, state, &settings);
				note_undefined(k, v, o, &settings);
			}
			all_known = setting_contains(&settings, &v->all);
		}
		learned_all &= all_known;
	}
	k->finished = learned_all || oclmm_search_is_late(k->search);
}

/* Places one cell's writes after another; then the next cell. */
static void order_cells(struct judging *k, row cells);

static void order_writes(struct judging *k, unsigned init, row left, unsigned position,
                         unsigned previous, row cells)
{
	if (k->finished)
		return;
	if (!left) {
		k->last[init] = previous;
		order_cells(k, cells);
		return;
	}

	/* chains that no other unplaced chain must precede */
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

static void order_cells(struct judging *k, row cells)
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

static void find_arithmetic(struct judging *k)
{
	const struct combination *c = k->c;

	for (unsigned t = 0; t < c->program->thread_count; t++) {
		const struct path *p = c->path[t];

		for (unsigned i = 0; i < p->computed_count && !k->arithmetic; i++) {
			struct symbol_finding found;

			oclmm_symbol_value(p->computed[i], k->x, (int)t, &found);
			k->arithmetic = found.undefined;
			((struct record *)k->search->judge_data)->divides |= found.divides;
			k->arithmetic_at = p->computed[i];
			k->arithmetic_thread = t;
		}
	}
}

/* Happens-before of every view, where it does not depend on mo. */
static void order_views(struct judging *k)
{
	for (unsigned i = 0; i < k->c->view_count; i++) {
		if (!k->sequences_matter) {
			oclmm_order_build(k->x, &k->c->view[i], false, &k->order[i], NULL);
			if (!oclmm_axiom_happens_before(k->c, &k->order[i]) ||
			    !oclmm_axiom_visible(k->x, &k->order[i]))
				continue;
		}
		k->live |= BIT(i);
	}
}

/*
 * Where happens-before does not depend on mo, coherence narrows the orders to those that some
 * possible view could accept.
 */
static void narrow_orders(struct judging *k)
{
	row common[MAX_EVENTS], lasts[MAX_EVENTS], cells = observed_cells(k->c);

	/* list the states before the orders that no view accepts are left out */
	lasts_of(k, &k->base, cells, lasts);
	allow_states(k, lasts, cells, NULL);
	memset(common, 0xff, sizeof(common));
	FOR_EACH (i, k->live) {
		struct mo_edges m = k->base;

		if (!oclmm_mo_add_happens_before(k->x, &k->order[i], &m)) {
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

/* Judges a candidate with rf and values set, over all its modification orders. */
static int judge(struct search *s)
{
	struct judging k;
	row all_cells = BIT(s->combination.init_count) - 1;

	memset(&k, 0, offsetof(struct judging, base));
	k.search = s;
	k.c = &s->combination;
	k.x = &s->candidate;
	k.seq_cst_matters = k.c->seq_cst & (k.c->seq_cst - 1);
	k.sequences_matter = sequences_depend_on_mo(k.c);
	if (!oclmm_mo_start(k.x, &k.base)) {
		s->candidates++;
		return 0;
	}
	/* values rule out most combinations before views are needed */
	if (!k.c->view_count)
		oclmm_views_build(&s->combination, &s->settings);
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
		row lasts = possible_last(k.x, &k.base, (unsigned)cell);

		if (lasts & (lasts - 1))
			k.free_cells |= BIT(cell);
	}
	order_cells(&k, all_cells);
	return s->watch.result ? -ETIME : 0;
}

/* ---- by a model as text ------------------------------------------------ */

struct cat_case {
	struct judging *k;
	struct setting_set all;
	int result;
};

static void witness_of_flag(const struct candidate *x, const struct oclmm_cat_verdict *verdict,
                            struct oclmm_witness *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->reason = OCLMM_UNDEFINED_RACE;
	if (verdict->from >= (int)x->c->init_count && verdict->to >= (int)x->c->init_count) {
		describe_access(x, (unsigned)verdict->from, &ret->a);
		describe_access(x, (unsigned)verdict->to, &ret->b);
		ret->has_b = true;
	}
	snprintf(ret->why, sizeof(ret->why), "the model raises its flag %s", verdict->flag);
}

static void judge_by_cat(struct cat_case *t)
{
	struct judging *k = t->k;
	struct record *record = k->search->judge_data;
	int state = note_state(k);
	struct oclmm_cat_verdict verdict;
	struct oclmm_witness witness;

	k->search->candidates++;
	t->result = oclmm_cat_judge(k->search, k->x, &verdict, NULL);
	if (t->result == 0 && oclmm_search_is_late(k->search))
		t->result = -ETIME;
	if (t->result || !verdict.consistent)
		return;
	k->search->consistent++;
	record_allow(record, state, &t->all);
	if (k->c->undefined || k->arithmetic)
		witness_of_path(k, &witness);
	else if (verdict.flags)
		witness_of_flag(k->x, &verdict, &witness);
	else
		return;
	record_undefined(record, &t->all, &witness);
}

/* Judges all orders of the writes of each cell behind the initial one. */
static void try_orders(struct cat_case *t, unsigned init, row left, unsigned position)
{
	struct judging *k = t->k;

	if (left == 0 && init + 1 < k->c->init_count) {
		init++;
		k->last[init] = init;
		k->x->position[init] = 0;
		try_orders(t, init, k->c->of_cell[init] & k->c->writes & ~BIT(init), 1);
		return;
	}
	if (left == 0) {
		oclmm_mo_fill(k->x);
		judge_by_cat(t);
		return;
	}
	FOR_EACH (w, left) {
		if (t->result)
			return;
		k->last[init] = (unsigned)w;
		k->x->position[w] = position;
		try_orders(t, init, left & ~BIT(w), position + 1);
	}
}

/* Judges a candidate with rf and values set, over every modification order there could be. */
static int judge_all_by_cat(struct search *s)
{
	struct judging k;
	struct cat_case t = {.k = &k};

	memset(&k, 0, offsetof(struct judging, base));
	k.search = s;
	k.c = &s->combination;
	k.x = &s->candidate;
	find_arithmetic(&k);
	for (unsigned i = 0; i < s->settings.count; i++)
		setting_add(&t.all, i);
	oclmm_cat_describe(k.c, s->cat_values);
	if (k.c->init_count == 0) {
		oclmm_mo_fill(k.x);
		judge_by_cat(&t);
	} else {
		k.last[0] = 0;
		k.x->position[0] = 0;
		try_orders(&t, 0, k.c->of_cell[0] & k.c->writes & ~BIT(0), 1);
	}
	return t.result;
}

/* ---- unspecified values -------------------------------------------------- */

/*
 * A state in which observables may have any value is listed with the values that make a difference:
 * those that the program asks for or shows, their neighbours, and one more. The answer says of
 * which observables it lists only some values.
 */

enum { MAX_GIVEN = 4096, LISTED_WHOLE = 16 };

struct given {
	int64_t *values;
	size_t count, capacity;
};

static void give(struct given *given, int64_t value)
{
	for (size_t i = 0; i < given->count; i++)
		if (given->values[i] == value)
			return;
	oclmm_grow(&given->values, &given->capacity, given->count, sizeof(value));
	given->values[given->count++] = value;
}

static void give_around(struct given *given, int64_t value)
{
	give(given, value);
	give(given, (int64_t)((uint64_t)value + 1));
	give(given, (int64_t)((uint64_t)value - 1));
}

static void give_asked(struct given *given, const struct oclmm_condition *condition)
{
	if (!condition)
		return;
	give_asked(given, condition->left);
	give_asked(given, condition->right);
	if (condition->kind != OCLMM_CONDITION_COMPARE)
		return;
	if (condition->a.is_constant)
		give_around(given, condition->a.constant);
	if (condition->b.is_constant)
		give_around(given, condition->b.constant);
}

static struct given find_given(const struct record *r)
{
	struct given given = {0};

	give_asked(&given, r->program->condition);
	give_asked(&given, r->program->filter);
	/* where it may be 0, it is listed as that */
	give(&given, 0);
	for (size_t i = 0; i < r->count; i++)
		for (uint32_t k = 0; k < r->program->observable_count; k++)
			if (!(r->states[i].unspecified >> (k < 63 ? k : 63) & 1))
				give(&given, r->states[i].values[k]);
	return given;
}

static bool is_given(const struct given *given, int64_t value)
{
	for (size_t i = 0; i < given->count; i++)
		if (given->values[i] == value)
			return true;
	return false;
}

/* Whether a value has so few alternatives that all are listed. */
static bool is_listed_whole(const struct range *range)
{
	int64_t values[LISTED_WHOLE];
	bool all;

	(void)oclmm_range_list(range, LISTED_WHOLE, values, &all);
	return all;
}

/* One more than all those that are given: the least natural number, if it may be that, else any. */
static bool find_other(const struct range *range, const struct given *given, int64_t *ret_value)
{
	size_t most = given->count + 1, count;
	int64_t *values, value = 0;
	bool all, found = false;

	while (is_given(given, value))
		value++;
	*ret_value = value;
	if (oclmm_range_has(range, value) && oclmm_value_wrap(range->type, value) == value)
		return true;
	values = oclmm_calloc(most, sizeof(*values));
	count = oclmm_range_list(range, most, values, &all);
	for (size_t i = 0; i < count && !found; i++) {
		*ret_value = values[i];
		found = !is_given(given, values[i]);
	}
	free(values);
	return found;
}

/* The values of an unspecified observable that are listed. */
static struct given values_of(const struct range *range, const struct given *given)
{
	struct given values = {0};
	int64_t few[LISTED_WHOLE], other;
	bool all;
	size_t count = oclmm_range_list(range, LISTED_WHOLE, few, &all);

	for (size_t i = 0; all && i < count; i++)
		give(&values, few[i]);
	for (size_t i = 0; !all && i < given->count; i++) {
		int64_t value = oclmm_value_wrap(range->type, given->values[i]);

		if (oclmm_range_has(range, value))
			give(&values, value);
	}
	if (!all && find_other(range, given, &other))
		give(&values, other);
	return values;
}

static void specify(struct record *r, const struct given *given, size_t state, int64_t *tuple,
                    uint32_t next);

/* An observable before `next` that has the same value, whatever it is. */
static bool find_same(const struct record *r, size_t state, uint32_t next, uint32_t *ret_same)
{
	const struct found *f = &r->states[state];
	const struct symbol *origin = r->open[f->values[next]].origin;

	for (*ret_same = 0; *ret_same < next; ++*ret_same)
		if (f->unspecified >> *ret_same & 1 &&
		    r->open[f->values[*ret_same]].origin == origin)
			return true;
	return false;
}

static void specify_next(struct record *r, const struct given *given, size_t state, int64_t *tuple,
                         uint32_t next)
{
	/* the list may move in memory, not what it has */
	const struct range range = r->open[r->states[state].values[next]].range;
	struct given values;
	uint32_t same;

	if (find_same(r, state, next, &same)) {
		tuple[next] = tuple[same];
		if (oclmm_range_has(&range, tuple[next]))
			specify(r, given, state, tuple, next + 1);
		return;
	}
	values = values_of(&range, given);
	for (size_t i = 0; i < values.count; i++) {
		tuple[next] = oclmm_value_wrap(r->program->observables[next].type,
		                               values.values[i]);
		specify(r, given, state, tuple, next + 1);
	}
	free(values.values);
}

/* Lists every choice of values for the observables from `next` on; the state may move in memory. */
static void specify(struct record *r, const struct given *given, size_t state, int64_t *tuple,
                    uint32_t next)
{
	uint32_t n = r->program->observable_count;
	int at;

	while (next < n && !(r->states[state].unspecified >> next & 1))
		next++;
	if (next < n) {
		specify_next(r, given, state, tuple, next);
		return;
	}
	at = record_state(r, tuple);
	for (unsigned w = 0; at >= 0 && w < r->settings->world_count; w++)
		setting_union(&r->states[at].allowed[w], &r->states[state].allowed[w]);
}

/* Too many states to list: nothing is certain about the program. */
static void give_up(struct record *r)
{
	struct oclmm_witness witness = {.reason = OCLMM_UNDEFINED_DIVISION};
	struct setting_set all = {{0}};

	for (unsigned i = 0; i < r->settings->count; i++)
		setting_add(&all, i);
	for (r->world = 0; r->world < r->settings->world_count; r->world++)
		record_undefined(r, &all, &witness);
}

static bool is_allowed_somewhere(const struct record *r, const struct found *f)
{
	for (unsigned w = 0; w < r->settings->world_count; w++)
		if (!is_empty(&f->allowed[w]))
			return true;
	return false;
}

static uint64_t not_listed_whole(const struct record *r, const struct found *f)
{
	uint64_t set = 0;

	for (uint32_t i = 0; i < r->program->observable_count && i < 63; i++)
		if (f->unspecified >> i & 1 && !is_listed_whole(&r->open[f->values[i]].range))
			set |= UINT64_C(1) << i;
	return set | (f->unspecified & UINT64_C(1) << 63);
}

/* Replaces states with unspecified values by states with values. \return which observables those
 * were */
static uint64_t specify_states(struct record *r)
{
	uint32_t n = r->program->observable_count;
	uint64_t unspecified = 0, wild = 0;
	struct given given;
	double most = 1;
	int64_t *tuple;
	size_t count = r->count, kept = 0;

	for (size_t i = 0; i < count; i++) {
		wild |= r->states[i].unspecified;
		if (r->states[i].unspecified && is_allowed_somewhere(r, &r->states[i]))
			unspecified |= not_listed_whole(r, &r->states[i]);
	}
	if (!wild)
		return 0;
	given = find_given(r);
	tuple = oclmm_calloc(n + 1, sizeof(*tuple));
	for (int i = __builtin_popcountll(wild); i > 0; i--)
		most *= (double)given.count + 1;
	if (most > MAX_GIVEN || n > 63)
		give_up(r);
	for (size_t i = 0; i < count && most <= MAX_GIVEN && n <= 63; i++) {
		memcpy(tuple, r->states[i].values, n * sizeof(*tuple));
		tuple[n] = 0;
		if (r->states[i].unspecified)
			specify(r, &given, i, tuple, 0);
	}
	for (size_t i = 0; i < r->count; i++)
		if (!r->states[i].unspecified)
			r->states[kept++] = r->states[i];
	r->count = kept;
	free(given.values);
	free(tuple);
	return unspecified;
}

/* ---- the answer -------------------------------------------------------- */

static int compare_states(const void *a, const void *b, void *count)
{
	const struct found *x = a, *y = b;

	return oclmm_compare_values(x->values, y->values, *(const uint32_t *)count);
}

static void fill_space(const struct record *r, struct oclmm_answer *answer)
{
	uint32_t n = r->program->observable_count;
	struct oclmm_outcome_space *space = &answer->space;

	space->observable_count = n;
	space->domains = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_outcome_domain, n + 1);
	for (uint32_t k = 0; k < n; k++) {
		struct oclmm_outcome_domain *d = &space->domains[k];

		d->values = OCLMM_NEW_ARRAY(answer->arena, int64_t, r->count + 1);
		for (size_t s = 0; s < r->count; s++) {
			int64_t value = r->states[s].values[k];
			uint32_t at = 0;

			while (at < d->count && d->values[at] < value)
				at++;
			if (at < d->count && d->values[at] == value)
				continue;
			memmove(&d->values[at + 1], &d->values[at],
			        (d->count - at) * sizeof(value));
			d->values[at] = value;
			d->count++;
		}
	}
	oclmm_outcome_space_number(space);
}

static bool is_reading(const struct record *r, unsigned world, unsigned setting)
{
	return oclmm_is_reading(r->settings->items[setting].regime, r->settings->worlds[world]);
}

static void fill_readings(const struct record *r, struct oclmm_answer *answer)
{
	const struct setting_list *list = r->settings;
	uint32_t capacity = list->count * list->world_count, n = 0;
	struct oclmm_reading *readings = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_reading,
	                                                 capacity);
	bool *undefined = OCLMM_NEW_ARRAY(answer->arena, bool, capacity);

	for (unsigned w = 0; w < list->world_count; w++)
		for (unsigned i = 0; i < list->count; i++) {
			if (!is_reading(r, w, i))
				continue;
			readings[n] = list->items[i];
			readings[n].alternatives |= list->worlds[w];
			undefined[n++] = setting_has(&r->undefined[w], i);
		}
	answer->readings = readings;
	answer->undefined_by = undefined;
	answer->reading_count = n;
}

static const bool *allowed_by(const struct record *r, const struct found *f,
                              struct oclmm_answer *answer)
{
	bool *allowed = OCLMM_NEW_ARRAY(answer->arena, bool, answer->reading_count);
	uint32_t n = 0;

	for (unsigned w = 0; w < r->settings->world_count; w++)
		for (unsigned i = 0; i < r->settings->count; i++)
			if (is_reading(r, w, i))
				allowed[n++] = setting_has(&f->allowed[w], i);
	return allowed;
}

/* The knob in which a reading differs from another, if it is one alone; else 0. */
static unsigned differing_knob(const struct oclmm_reading *a, const struct oclmm_reading *b)
{
	unsigned differing = a->alternatives ^ b->alternatives;

	if (a->regime != b->regime)
		return differing ? 0 : 1u << OCLMM_KNOB_K1;
	return differing & (differing - 1) ? 0 : differing;
}

/* Each pair of readings is looked at once, however many states and models ask about it. */
static void find_knob_pairs(struct record *r, const struct oclmm_answer *answer)
{
	r->pairs_found = true;
	for (unsigned i = 0; i < answer->reading_count; i++)
		for (unsigned k = 0; k < i; k++) {
			unsigned knob = differing_knob(&answer->readings[i], &answer->readings[k]);

			if (!knob)
				continue;
			oclmm_grow(&r->pairs, &r->pair_capacity, r->pair_count, sizeof(*r->pairs));
			r->pairs[r->pair_count++] = (struct knob_pair){i, k, knob};
		}
}

/* The knobs each of which alone changes what readings say, from default settings where there are
 * some. */
static unsigned deciding_knobs(struct record *r, const struct oclmm_answer *answer,
                               enum oclmm_model model, const bool *allowed)
{
	unsigned from_default = 0, from_any = 0;
	bool some = false, all = true;

	for (unsigned i = 0; i < answer->reading_count; i++)
		if (oclmm_model_covers(model, &answer->readings[i])) {
			some |= allowed[i];
			all &= allowed[i];
		}
	/* of most states they say the same, and there are many pairs of them */
	if (all || !some)
		return 0;
	if (!r->pairs_found)
		find_knob_pairs(r, answer);
	for (size_t i = 0; i < r->pair_count; i++) {
		const struct knob_pair *pair = &r->pairs[i];
		const struct oclmm_reading *a = &answer->readings[pair->a],
					   *b = &answer->readings[pair->b];

		if (allowed[pair->a] == allowed[pair->b] || !oclmm_model_covers(model, a) ||
		    !oclmm_model_covers(model, b))
			continue;
		from_any |= pair->knob;
		if (!a->alternatives || !b->alternatives)
			from_default |= pair->knob;
	}
	return from_default ? from_default : from_any;
}

/* The settings of a model that are readings in a world. */
static struct setting_set settings_of(const struct record *r, enum oclmm_model model,
                                      unsigned world)
{
	struct setting_set covered = {{0}};

	for (unsigned i = 0; i < r->settings->count; i++)
		if (oclmm_model_covers(model, &r->settings->items[i]) && is_reading(r, world, i))
			setting_add(&covered, i);
	return covered;
}

/* Whether all the readings of a model allow a state, and whether some do. */
static void judge_readings(const struct record *r, const struct found *f,
                           const struct setting_set *covered, bool *ret_all, bool *ret_some)
{
	uint64_t missing = 0, present = 0;

	for (unsigned w = 0; w < r->settings->world_count; w++)
		for (unsigned i = 0; i < SETTING_WORDS; i++) {
			missing |= covered[w].word[i] & ~f->allowed[w].word[i];
			present |= covered[w].word[i] & f->allowed[w].word[i];
		}
	*ret_all = missing == 0;
	*ret_some = present != 0;
}

static enum oclmm_status status_of(const struct record *r, const struct found *f,
                                   enum oclmm_model model, const struct setting_set *covered,
                                   const struct oclmm_answer *answer)
{
	bool all, some;

	/* a race leaves nothing forbidden; `scoped` lists states all the same */
	if (answer->undefined[model] && model != OCLMM_MODEL_SCOPED)
		return OCLMM_STATUS_UNDEFINED;
	judge_readings(r, f, covered, &all, &some);
	if (all || !some)
		return all ? OCLMM_STATUS_ALLOWED : OCLMM_STATUS_FORBIDDEN;
	return OCLMM_STATUS_DISPUTED;
}

/* The first witness among the regimes of a model, of the texts as written if there is one. */
static void fill_undefined(struct record *r, enum oclmm_model model, struct oclmm_answer *answer)
{
	for (unsigned kind = 0; kind < WITNESS_COUNT; kind++)
		for (enum oclmm_model regime = 0; regime < REGIME_COUNT; regime++) {
			struct oclmm_reading reading = {.regime = regime};

			if (answer->undefined[model] || !oclmm_model_covers(model, &reading) ||
			    !r->has_witness[kind][regime])
				continue;
			answer->undefined[model] = true;
			answer->witness[model] = r->witness[kind][regime];
			answer->undefined_deciding[model] = deciding_knobs(r, answer, model,
			                                                   answer->undefined_by);
		}
}

static void fill_status(struct record *r, enum oclmm_model model, struct oclmm_answer *answer,
                        struct oclmm_state *states)
{
	struct setting_set covered[MAX_WORLDS];

	for (unsigned w = 0; w < r->settings->world_count; w++)
		covered[w] = settings_of(r, model, w);
	for (size_t i = 0; i < r->count; i++) {
		struct oclmm_state *state = &states[i];

		state->status[model] = status_of(r, &r->states[i], model, covered, answer);
		if (state->status[model] == OCLMM_STATUS_DISPUTED)
			state->deciding[model] = deciding_knobs(r, answer, model,
			                                        state->allowed_by);
	}
}

static void record_finish(struct record *r, unsigned models, struct oclmm_answer *answer)
{
	uint32_t n = r->program->observable_count;
	struct oclmm_state *states;

	answer->models = models;
	answer->unspecified = specify_states(r);
	answer->divides = r->divides;
	states = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_state, r->count + 1);
	fill_space(r, answer);
	fill_readings(r, answer);
	for (enum oclmm_model m = 0; m < OCLMM_MODEL_COUNT; m++)
		if (models & 1u << m)
			fill_undefined(r, m, answer);
	if (r->count)
		qsort_r(r->states, r->count, sizeof(*r->states), compare_states, &n);
	for (size_t i = 0; i < r->count; i++) {
		const int64_t *values = r->states[i].values;

		states[i].values = oclmm_arena_copy(answer->arena, values, n * sizeof(*values));
		states[i].condition = oclmm_condition_holds(r->program, r->program->condition,
		                                            values);
		states[i].allowed_by = allowed_by(r, &r->states[i], answer);
	}
	for (enum oclmm_model m = 0; m < OCLMM_MODEL_COUNT; m++)
		if (models & 1u << m)
			fill_status(r, m, answer, states);
	answer->states = states;
	answer->state_count = (uint32_t)r->count;
}

/* ---- too many executions: what states tell ------------------------------------- */

/*
 * A search that takes long is told by the explorer whether the program is undefined, which it finds
 * out at once where many executions race. Of a program that is undefined under the texts as they
 * are written nothing is left to say: other readings of 2.0 and 2.1 do not matter then, and one of
 * 2.0 allows every execution that 2.1 does (A:3.3.9.1).
 */
struct states {
	const struct oclmm_program *program;
	unsigned models;                /* that are asked for */
	bool three_one;                 /* 3.1 is asked for by name */
	struct oclmm_explored **wanted; /* what was explored, for the caller; NULL: unwanted */
	double began;
	double elsewhere; /* seconds that looking at states has taken */
	unsigned looks;
	struct oclmm_explored *found; /* all of it; NULL: not known */
	bool wide;                    /* under 3.1 */
};

enum { MEMORY_MOST = 1 << 30 };
/* Seconds of a search after which the explorer gets as long as there is, and not as long as the
 * search has had; and what it gets where a search cannot begin, and nobody asked for states. */
static const double LONG_SEARCH = 1;
/* Where there is no limit. */
static const double LONG_LOOK = 60;

static int explore(struct states *k, const struct watch *watch, double seconds, bool wide,
                   struct oclmm_explored **ret_found)
{
	const struct oclmm_explore_options options = {
		.wide_scopes = wide,
		.seconds = seconds,
		.memory = MEMORY_MOST,
		.ended = watch->ended,
		.data = watch->data,
	};
	int r = oclmm_explore_program(k->program, &options, ret_found);

	if (r < 0 && r != -EOPNOTSUPP)
		oclmm_explored_destroy(*ret_found);
	return r;
}

/* Whether it matters that 3.1 alone takes scopes for inclusive that differ: whether that mends what
 * is undefined for the others or, for a caller who takes states, has other ones. \return 0 when it
 * is known */
static int explore_wide(struct states *k, const struct watch *watch, double seconds)
{
	bool undefined = k->found->fault != OCLMM_EXPLORED_SOUND, same;
	struct oclmm_explored *wide;
	int r;

	if (k->wide || !k->found->scopes_differ ||
	    (undefined ? !(k->models & 1u << OCLMM_MODEL_OPENCL_3_1) : !k->wanted))
		return 0;
	r = explore(k, watch, seconds, true, &wide);
	if (r == 0) {
		same = (wide->fault != OCLMM_EXPLORED_SOUND) == undefined &&
		       (undefined ? k->three_one : wide->state_count == k->found->state_count);
		oclmm_explored_destroy(wide);
		if (same && !undefined)
			k->found->scopes_differ = false;
		if (same)
			return 0;
	}
	if (undefined)
		k->models &= ~(1u << OCLMM_MODEL_OPENCL_3_1);
	return undefined ? 0 : r;
}

static bool states_are_undefined(const struct states *k)
{
	return k->found && k->found->fault != OCLMM_EXPLORED_SOUND &&
	       (!k->three_one || k->models & 1u << OCLMM_MODEL_OPENCL_3_1);
}

/* The time that is left of a limit. \param most where there is none */
static double time_left(const struct watch *watch, double most)
{
	const double least = 0.001; /* none at all would be no limit */
	double left = watch->deadline > 0 ? watch->deadline - oclmm_thread_clock() : most;

	return left > least ? left : least;
}

static void look_at_states(struct states *k, const struct watch *watch, double seconds)
{
	double start = oclmm_thread_clock(), left;
	int r = k->found ? 0 : explore(k, watch, seconds, k->wide, &k->found);

	left = time_left(watch, seconds);
	if (r < 0)
		k->found = NULL;
	else
		r = explore_wide(k, watch, seconds < left ? seconds : left);
	k->elsewhere += oclmm_thread_clock() - start;
	/* what was explored whole says no more the next time */
	k->looks = r == 0 || r == -EOPNOTSUPP ? 2 : k->looks + 1;
}

/* Whether a caller who takes states has all that a search could tell in its time: by the choices
 * that are left it would take many times as long. */
static bool states_have_to_do(const struct states *k, const struct search *s)
{
	const double many = 16;
	double searched = oclmm_thread_clock() - k->began - k->elsewhere;

	return k->wanted && k->found && k->found->fault == OCLMM_EXPLORED_SOUND &&
	       !k->found->early && !k->found->scopes_differ && s->watch.deadline > 0 &&
	       searched > LONG_SEARCH && s->done > 0 &&
	       searched / s->done > many * (s->watch.deadline - k->began);
}

static int look_elsewhere(struct search *s)
{
	struct states *k = s->elsewhere;
	double spent = oclmm_thread_clock() - k->began, left = time_left(&s->watch, LONG_LOOK);

	if (k->looks == 0)
		look_at_states(k, &s->watch, spent);
	else if (k->looks == 1 && spent > LONG_SEARCH)
		look_at_states(k, &s->watch, k->wanted ? left : left / 2);
	if (states_have_to_do(k, s))
		return -ETIME;
	return states_are_undefined(k) ? -ECANCELED : 0;
}

/* Finds the statement that has what stands at a place, and the atomic function, if it is one. */
struct place_search {
	uint32_t where;
	const struct oclmm_statement *statement;
	const struct oclmm_atomic *atomic;
	bool object;
	bool found;
};

static int see_use(void *data, const struct oclmm_use *use)
{
	struct place_search *s = data;

	s->object |= oclmm_explored_at(use->place->position) == s->where;
	s->found |= s->object;
	return 0;
}

static int see_expression(void *data, const struct oclmm_expression *e)
{
	struct place_search *s = data;

	s->found |= oclmm_explored_at(e->position) == s->where;
	if (e->kind == OCLMM_EXPRESSION_ATOMIC &&
	    oclmm_explored_at(e->atomic->object.position) == s->where)
		s->atomic = e->atomic;
	return 0;
}

static int see_statement(void *data, const struct oclmm_statement *statement)
{
	static const struct oclmm_visitor visitor = {.expression = see_expression, .use = see_use};
	struct place_search *s = data;

	(void)oclmm_visit_statement(&visitor, statement, s);
	s->found |= statement->kind == OCLMM_STATEMENT_BARRIER &&
	            oclmm_explored_at(statement->position) == s->where;
	if (s->found)
		s->statement = statement;
	return s->found;
}

static void print_object(struct oclmm_text *text, const struct oclmm_program *program,
                         uint32_t cell)
{
	uint32_t i = 0;

	while (cell >= program->locations[i].first_cell + program->locations[i].elements)
		i++;
	oclmm_text_add(text, program->locations[i].name);
	if (program->locations[i].is_array)
		oclmm_text_printf(text, "[%u]", cell - program->locations[i].first_cell);
}

static struct place_search find_place(const struct oclmm_program *program,
                                      const struct oclmm_explored_place *place)
{
	static const struct oclmm_visitor visitor = {.statement = see_statement};
	struct place_search s = {.where = place->where};

	oclmm_visit_body(&visitor, program->threads[place->thread].body, &s);
	return s;
}

static void describe_explored(const struct oclmm_program *program,
                              const struct oclmm_explored_place *place, struct oclmm_access *ret)
{
	struct place_search s = find_place(program, place);
	bool updates = s.atomic && place->writes && oclmm_operation_reads(s.atomic->op);
	struct oclmm_text text = {0};

	ret->thread = place->thread;
	ret->position = oclmm_explored_position(place->where);
	ret->statement = s.statement;
	oclmm_text_add(&text, updates ? "RMW " : place->writes ? "W " : "R ");
	print_object(&text, program, place->cell);
	oclmm_text_printf(&text, " %s",
	                  oclmm_order_short(place->atomic && s.atomic ? s.atomic->order
	                                                              : OCLMM_ORDER_NONE));
	if (place->atomic)
		oclmm_text_printf(&text, " %s", oclmm_scope_short(place->scope));
	snprintf(ret->text, sizeof(ret->text), "%s", oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

/* Where a barrier stands is not known to the explorer. */
static void describe_waiting(const struct oclmm_program *program,
                             const struct oclmm_explored_place *place, struct oclmm_access *ret)
{
	ret->thread = place->thread;
	ret->position = program->threads[place->thread].position;
}

static void witness_explored(const struct states *k, struct oclmm_witness *ret)
{
	const struct oclmm_explored_place *a = &k->found->first, *b = &k->found->second;
	const struct oclmm_program *p = k->program;

	memset(ret, 0, sizeof(*ret));
	switch (k->found->fault) {
	case OCLMM_EXPLORED_RACE:
		if (a->thread > b->thread)
			a = b, b = &k->found->first;
		ret->reason = OCLMM_UNDEFINED_RACE;
		ret->has_b = true;
		describe_explored(p, a, &ret->a);
		describe_explored(p, b, &ret->b);
		snprintf(ret->why, sizeof(ret->why),
		         "they conflict in different work-items, %s, and neither happens before "
		         "the other",
		         a->atomic && b->atomic   ? "their scopes are not inclusive with each other"
		         : a->atomic || b->atomic ? "one of them is a plain access"
		                                  : "both are plain accesses");
		break;
	case OCLMM_EXPLORED_DIVERGED:
		ret->reason = OCLMM_UNDEFINED_DIVERGENCE;
		ret->has_b = true;
		describe_waiting(p, a, &ret->a);
		describe_waiting(p, b, &ret->b);
		snprintf(ret->why, sizeof(ret->why),
		         "P%u waits at a barrier that P%u does not come to",
		         p->threads[a->thread].id, p->threads[b->thread].id);
		break;
	default:
		ret->a.thread = a->thread;
		ret->a.position = oclmm_explored_position(a->where);
		ret->a.statement = find_place(p, a).statement;
		ret->reason = find_place(p, a).object ? OCLMM_UNDEFINED_INDEX
		              : ret->a.statement &&
		                              ret->a.statement->kind == OCLMM_STATEMENT_BARRIER
		                      ? OCLMM_UNDEFINED_SPLIT_BARRIER
		                      : OCLMM_UNDEFINED_OVERFLOW;
	}
}

/* No states: some execution is undefined, and nobody has looked at all others. */
static struct oclmm_answer *answer_by_states(const struct states *k)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_answer *answer = OCLMM_NEW(arena, struct oclmm_answer);
	struct oclmm_reading *readings = OCLMM_NEW_ARRAY(arena, struct oclmm_reading,
	                                                 OCLMM_MODEL_COUNT);
	bool *undefined = OCLMM_NEW_ARRAY(arena, bool, OCLMM_MODEL_COUNT);
	struct oclmm_witness witness;
	const struct record none = {.program = k->program};

	witness_explored(k, &witness);
	witness.regime = k->wide ? OCLMM_MODEL_OPENCL_3_1 : OCLMM_MODEL_OPENCL_2_1;
	answer->arena = arena;
	answer->program = k->program;
	answer->models = k->models;
	answer->may_be_cut = k->found->cut;
	answer->explored = true;
	fill_space(&none, answer);
	for (enum oclmm_model m = 0; m < OCLMM_MODEL_COUNT; m++) {
		if (!(k->models & 1u << m))
			continue;
		answer->undefined[m] = true;
		answer->witness[m] = witness;
		if (m >= OCLMM_VERSION_COUNT)
			continue;
		answer->witness[m].regime = m;
		undefined[answer->reading_count] = true;
		readings[answer->reading_count++] = (struct oclmm_reading){.regime = m};
	}
	answer->readings = readings;
	answer->undefined_by = undefined;
	return answer;
}

/* Whether there is anything that states could tell: `scoped` lists states of its own. */
static bool may_look_at_states(const struct oclmm_check_options *options, unsigned models)
{
	return !(options && options->cat) && !(models & 1u << OCLMM_MODEL_SCOPED);
}

/* ---- the front ------------------------------------------------------------- */

/* The search in each world: the first tells which knobs matter, the others differ in the events. */
static int search_worlds(struct search *s, unsigned models, bool *cut)
{
	struct record *r;
	int result = oclmm_search_unfold(s, 0, cut);

	if (result < 0)
		return result;
	choose_settings(s, models);
	s->judge = s->cat ? judge_all_by_cat : judge;
	s->judge_data = r = record_create(s->program, &s->settings, s->arena);
	result = oclmm_search(s);
	while (result == 0 && ++s->world < s->settings.world_count) {
		r->world = s->world;
		result = oclmm_search_unfold(s, s->settings.worlds[s->world], cut);
		if (result == 0)
			result = oclmm_search(s);
	}
	return result;
}

static struct oclmm_answer *make_answer(const struct search *s, unsigned models, bool cut)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_answer *answer = OCLMM_NEW(arena, struct oclmm_answer);

	answer->arena = arena;
	answer->program = s->program;
	answer->may_be_cut = cut;
	answer->candidates = s->candidates;
	answer->consistent = s->consistent;
	record_finish(s->judge_data, models, answer);
	return answer;
}

static int refuse_early(const struct oclmm_program *program, double limit,
                        const struct watch *watch, struct oclmm_error *error)
{
	if (watch->result == -EINTR)
		return oclmm_error_set(error, -EINTR, "test %s: interrupted", program->name);
	if (watch->by_caller)
		return oclmm_error_set(error, -ETIME,
		                       "test %s takes the oracle longer than there is time",
		                       program->name);
	return oclmm_error_set(error, -ETIME,
	                       "test %s takes the oracle longer than the time limit of %g s",
	                       program->name, limit);
}

/* Work-items of a text that are searched, though one order of them is undefined. */
enum { MOST_SEARCHED = 4 };

/* Returns 1 with the answer; 0 where the program has to be searched, with the answer of one order
 * of its work-items where that is undefined. */
static int run_in_step(const struct oclmm_program *program, unsigned models, double start,
                       double limit, struct watch *watch, struct oclmm_error *error,
                       struct oclmm_answer **ret_answer)
{
	int r = oclmm_lockstep(program, models, watch, ret_answer);

	if (*ret_answer)
		(*ret_answer)->seconds = oclmm_clock() - start;
	/* a search could tell more, and of so many finds no end */
	if (*ret_answer && (r == -ENOTSUP || program->thread_count > MOST_SEARCHED))
		return 1;
	if (r < 0 && watch->result)
		return refuse_early(program, limit, watch, error);
	if (r == -E2BIG)
		return oclmm_error_set(error, r, "test %s does not end within what the oracle runs",
		                       program->name);
	if (r == -ENOTSUP)
		return oclmm_error_set(
			error, r,
			"test %s has collective functions, and running its work-items "
			"in one order does not tell its outcome: the oracle searches "
			"no such text",
			program->name);
	if (r == -ENOSYS)
		return oclmm_error_set(error, r,
		                       "test %s has a barrier of sub-groups that not all "
		                       "work-items of a work-group come to, and nobody says which "
		                       "of them are a sub-group",
		                       program->name);
	if (r == 0 && program->thread_count > OCLMM_MAX_THREADS)
		return oclmm_error_set(error, -E2BIG,
		                       "test %s has %u work-items, and running them in one order "
		                       "does not tell its outcome: the oracle searches those of "
		                       "up to %d",
		                       program->name, program->thread_count, OCLMM_MAX_THREADS);
	return r;
}

static struct watch watch_of(const struct oclmm_check_options *options)
{
	struct watch watch = oclmm_watch_begin(options ? options->time_limit : 0);

	if (options) {
		watch.ended = options->ended;
		watch.data = options->data;
	}
	return watch;
}

/* The answer of one order of work-items is there. */
static int take_one_order(struct search *s)
{
	(void)s;
	return -E2BIG;
}

int oclmm_check(const struct oclmm_program *program, const struct oclmm_check_options *options,
                struct oclmm_error *error, struct oclmm_answer **ret_answer)
{
	unsigned models = options && options->models ? options->models
	                                             : 1u << OCLMM_MODEL_CONSENSUS;
	double start = oclmm_clock(), limit = options ? options->time_limit : 0;
	struct states states = {.program = program,
	                        .three_one = models & 1u << OCLMM_MODEL_OPENCL_3_1,
	                        .wide = models == 1u << OCLMM_MODEL_OPENCL_3_1,
	                        .wanted = options ? options->ret_explored : NULL,
	                        .began = oclmm_thread_clock()};
	struct oclmm_answer *one_order = NULL;
	struct watch watch;
	struct search *s;
	bool cut = false;
	int result;

	if (states.wanted)
		*states.wanted = NULL;
	if (models >> OCLMM_MODEL_COUNT)
		return oclmm_error_set(error, -EINVAL, "there is no model number %d",
		                       31 - __builtin_clz(models));
	/* what consensus is formed from answers the versions, too */
	if (models & 1u << OCLMM_MODEL_CONSENSUS)
		models |= OCLMM_MODEL_VERSIONS;
	if (program->shared && !(options && options->cat)) {
		watch = watch_of(options);
		result = run_in_step(program, models, start, limit, &watch, error, &one_order);
		if (result > 0)
			*ret_answer = one_order;
		if (result)
			return result > 0 ? 0 : result;
	}
	s = oclmm_search_begin(program, watch_of(options), error);
	if (options)
		s->by_text = options->scoped_by_text << BY_TEXT_SHIFT;
	if (options && options->cat)
		oclmm_cat_judges(s, options->cat);
	states.models = models;
	s->elsewhere = &states;
	if (one_order)
		s->look_elsewhere = take_one_order;
	else
		s->look_elsewhere = may_look_at_states(options, models) ? look_elsewhere : NULL;
	result = search_worlds(s, models, &cut);
	/* too large for a search, which has hardly begun */
	if (result == -E2BIG && !one_order && s->look_elsewhere && states.looks < 2)
		look_at_states(&states, &s->watch,
		               states.wanted ? time_left(&s->watch, LONG_LOOK) : LONG_SEARCH);
	if (result == 0)
		*ret_answer = make_answer(s, models, cut);
	else if (states_are_undefined(&states) && s->watch.result != -EINTR) {
		*ret_answer = answer_by_states(&states);
		result = 0;
	} else if (one_order && (result == -E2BIG || s->watch.result == -E2BIG)) {
		*ret_answer = one_order;
		one_order = NULL;
		result = 0;
	}
	if (result == 0)
		(*ret_answer)->seconds = oclmm_clock() - start;
	if (result < 0 && states.wanted)
		*states.wanted = states.found;
	else
		oclmm_explored_destroy(states.found);
	oclmm_answer_destroy(one_order);
	record_destroy(s->judge_data);
	watch = s->watch;
	oclmm_search_end(s);
	return result == -ETIME ? refuse_early(program, limit, &watch, error) : result;
}

void oclmm_answer_destroy(struct oclmm_answer *answer)
{
	if (answer)
		oclmm_arena_destroy(answer->arena);
}

/* ---- questions to an answer -------------------------------------------- */

enum oclmm_status oclmm_answer_status(const struct oclmm_answer *answer, enum oclmm_model model,
                                      const int64_t *values)
{
	size_t width = answer->program->observable_count * sizeof(*values);
	enum oclmm_status status = OCLMM_STATUS_FORBIDDEN;

	for (uint32_t i = 0; i < answer->state_count; i++)
		if (memcmp(answer->states[i].values, values, width) == 0)
			return answer->states[i].status[model];
	/* the status of a listed state that differs only in unspecified values */
	for (uint32_t i = 0; i < answer->state_count && answer->unspecified; i++) {
		bool same = true;

		for (uint32_t k = 0; k < answer->program->observable_count; k++)
			same &= answer->unspecified >> k & 1 ||
			        answer->states[i].values[k] == values[k];
		if (same && (status == OCLMM_STATUS_FORBIDDEN ||
		             answer->states[i].status[model] == OCLMM_STATUS_ALLOWED))
			status = answer->states[i].status[model];
	}
	if (status != OCLMM_STATUS_FORBIDDEN)
		return status;
	return answer->undefined[model] && model != OCLMM_MODEL_SCOPED ? OCLMM_STATUS_UNDEFINED
	                                                               : OCLMM_STATUS_FORBIDDEN;
}

static enum oclmm_observation word_for(bool some, bool some_not)
{
	if (!some)
		return OCLMM_OBSERVATION_NEVER;
	return some_not ? OCLMM_OBSERVATION_SOMETIMES : OCLMM_OBSERVATION_ALWAYS;
}

/* Disputed only where the disputed states change the word. */
enum oclmm_observation oclmm_observation_of(bool holds, bool fails, bool may_hold, bool may_fail)
{
	if (word_for(holds, fails) != word_for(may_hold, may_fail))
		return OCLMM_OBSERVATION_DISPUTED;
	return word_for(holds, fails);
}

enum oclmm_observation oclmm_answer_observation(const struct oclmm_answer *answer,
                                                enum oclmm_model model)
{
	bool holds = false, fails = false, may_hold = false, may_fail = false;

	if (answer->undefined[model] && model != OCLMM_MODEL_SCOPED)
		return OCLMM_OBSERVATION_UNDEFINED;
	for (uint32_t i = 0; i < answer->state_count; i++) {
		const struct oclmm_state *s = &answer->states[i];
		bool sure = s->status[model] == OCLMM_STATUS_ALLOWED;
		bool maybe = sure || s->status[model] == OCLMM_STATUS_DISPUTED;

		holds |= sure && s->condition;
		fails |= sure && !s->condition;
		may_hold |= maybe && s->condition;
		may_fail |= maybe && !s->condition;
	}
	return oclmm_observation_of(holds, fails, may_hold, may_fail);
}

/* ---- where `scoped` differs -------------------------------------------------- */

/* The word that `scoped` has for a program with some rules of the text. */
static int word_by_text(const struct oclmm_program *program, unsigned rules, double time_limit,
                        struct oclmm_error *error, enum oclmm_observation *ret_word)
{
	const struct oclmm_check_options options = {
		.models = 1u << OCLMM_MODEL_SCOPED,
		.time_limit = time_limit,
		.scoped_by_text = rules,
	};
	struct oclmm_answer *answer = NULL;
	int result = oclmm_check(program, &options, error, &answer);

	*ret_word = OCLMM_OBSERVATION_UNDEFINED;
	if (result < 0 || !answer)
		return result;
	/* `scoped` lists the states of a racy program; the text does not */
	*ret_word = answer->undefined[OCLMM_MODEL_SCOPED]
	                    ? OCLMM_OBSERVATION_UNDEFINED
	                    : oclmm_answer_observation(answer, OCLMM_MODEL_SCOPED);
	oclmm_answer_destroy(answer);
	return 0;
}

int oclmm_scoped_difference(const struct oclmm_program *program, double time_limit,
                            struct oclmm_error *error, unsigned *ret_rules)
{
	const unsigned all = (1u << OCLMM_SCOPED_RULE_COUNT) - 1;
	enum oclmm_observation word, other;
	unsigned best = all;
	int result = word_by_text(program, all, time_limit, error, &word);

	for (unsigned rules = 0; result == 0 && rules < all; rules++) {
		if (__builtin_popcount(rules) >= __builtin_popcount(best))
			continue;
		result = word_by_text(program, rules, time_limit, error, &other);
		if (result == 0 && other == word)
			best = rules;
	}
	*ret_rules = best;
	return result;
}
