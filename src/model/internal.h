// SPDX-License-Identifier: Apache-2.0
/*
 * What the files of the model share.
 *
 *   program ──unfold──► paths per thread ──combine──► events
 *          events × rf × mo = candidate ──judge──► settings under which it is consistent
 *                                       ──record──► states, races
 *
 * A set of events is one machine word (`row`); a relation is an array of rows,
 * the n-th row holding the successors of event n.
 */
#ifndef OCLMM_MODEL_INTERNAL_H
#define OCLMM_MODEL_INTERNAL_H

#include "oclmm/model_execution.h"

typedef oclmm_events row;

#define MAX_EVENTS OCLMM_MAX_EVENTS
#define BIT(n)     ((row)1 << (n))
#define FOR_EACH   OCLMM_FOR_EACH_EVENT

/* ---- symbolic values ------------------------------------------------- */

enum symbol_kind {
	SYMBOL_CONSTANT,
	SYMBOL_READ,    /* the value that a read event of the same thread returns */
	SYMBOL_CONVERT, /* `left` as `type` */
	SYMBOL_UNARY,
	SYMBOL_BINARY,
	SYMBOL_RMW, /* what a read-modify-write stores: op(left, right) */
};

/* A value as a function of the values read by the thread. */
struct symbol {
	enum symbol_kind kind;
	enum oclmm_type type;         /* of the result */
	enum oclmm_type operand_type; /* UNARY, BINARY: the common type of the operands */
	int64_t constant;
	unsigned read; /* index of the event within its path */
	enum oclmm_operator op;
	enum oclmm_operation rmw;
	const struct symbol *left, *right;
	struct oclmm_position position;
	row reads; /* events of the path that the value depends on */
};

/* ---- events ---------------------------------------------------------- */

enum { THREAD_INIT = -1 };

/* What a write or an update stores, beside the event. Reads are events of the same thread. */
struct stored {
	const struct symbol *value;
	row reads; /* on which the value or the place depends */
	/* the same without those that a branch has pinned to a constant, K6; `value` needs no more
	 */
	row needed;
};

/* A condition that the values read must meet for a path to be taken. */
struct constraint {
	const struct symbol *symbol;
	bool truth;
};

/* Copies of a work-group in a program. */
enum { MAX_COPIES = 16 };

/* One way through a thread. */
struct path {
	struct oclmm_event *events;
	struct stored *stored; /* by event */
	unsigned event_count;
	row *sb; /* successors within the path, transitive */
	struct constraint *constraints;
	unsigned constraint_count;
	const struct symbol **registers; /* final values */
	const struct symbol **computed;  /* values whose arithmetic may be undefined */
	unsigned computed_count;
	enum oclmm_undefined undefined; /* the path itself has undefined behaviour */
	struct oclmm_position undefined_position;
	bool cut; /* in a loop, or waiting at a barrier: the beginning of longer ways */
	/* who makes each copy of the work-group, by its rank there; the same in all paths together
	 */
	uint8_t maker[MAX_COPIES];
	unsigned copy_count;
};

struct path_list {
	struct path *paths;
	unsigned count;
	bool cut; /* some path is */
};

struct walk;
struct walk *oclmm_walk_create(void);
/* Turns to a program in a world, a set of ALT_EVENTS. */
void oclmm_walk_start(struct walk *walk, struct oclmm_arena *arena,
                      const struct oclmm_program *program, unsigned world);
/* Unfolds one of its threads. \return 0, -E2BIG, -EINVAL. */
int oclmm_unfold(struct walk *walk, unsigned thread, struct oclmm_error *error,
                 struct path_list *ret_paths);

/*
 * Evaluates a symbol; `values` holds the thread's read values by path index.
 * Undefined arithmetic yields a wrapped value and is noted in `ret_undefined`
 * (may be NULL).
 */
int64_t oclmm_symbol_value(const struct symbol *symbol, const int64_t *values,
                           enum oclmm_undefined *ret_undefined);

/* ---- settings -------------------------------------------------------- */

/* The alternatives of the knobs as oclmm_reading has them. */
enum {
#define OCLMM_X(id, ...) ALT_##id = 1u << OCLMM_KNOB_##id,
	OCLMM_KNOBS(OCLMM_X)
#undef OCLMM_X
	/* what happens-before depends on, and what seq_cst depends on */
	ALT_HB = ALT_K3 | ALT_K5 | ALT_K7,
	ALT_S = ALT_K2 | ALT_K4 | ALT_K8,
	/* what the events themselves depend on: each choice of these is a search of its own */
	ALT_EVENTS = ALT_K9 | ALT_K11 | ALT_K12 | ALT_K13,
};
_Static_assert((ALT_K1 | ALT_HB | ALT_S | ALT_K6 | ALT_K10 | ALT_EVENTS) ==
                       (1u << OCLMM_KNOB_COUNT) - 1,
               "each knob is of a group, or by itself");
_Static_assert(__builtin_popcount(ALT_S) == 3, "what seq_cst needs is a number below 8");

/* Regimes are the models below consensus. */
#define REGIME_COUNT OCLMM_MODEL_CONSENSUS

/*
 * Settings are readings without the part that events depend on: three regimes
 * with K2 to K8, 2.0 with K10 besides, and `scoped`.
 */
enum {
	MAX_SETTINGS = 4 * (1 << __builtin_popcount(ALT_HB | ALT_S | ALT_K6)) + 1,
	SETTING_WORDS = (MAX_SETTINGS + 63) / 64,
	MAX_WORLDS = 1 << __builtin_popcount(ALT_EVENTS),
};

struct setting_set {
	uint64_t word[SETTING_WORDS];
};

static inline void setting_add(struct setting_set *set, unsigned n)
{
	set->word[n / 64] |= (uint64_t)1 << (n % 64);
}

static inline bool setting_has(const struct setting_set *set, unsigned n)
{
	return set->word[n / 64] >> (n % 64) & 1;
}

static inline void setting_union(struct setting_set *set, const struct setting_set *more)
{
	for (unsigned i = 0; i < SETTING_WORDS; i++)
		set->word[i] |= more->word[i];
}

static inline bool setting_contains(const struct setting_set *set, const struct setting_set *part)
{
	uint64_t missing = 0;

	for (unsigned i = 0; i < SETTING_WORDS; i++)
		missing |= part->word[i] & ~set->word[i];
	return !missing;
}

/* The readings that an answer needs: each setting in each world. */
struct setting_list {
	struct oclmm_reading items[MAX_SETTINGS];
	unsigned count;
	unsigned worlds[MAX_WORLDS]; /* sets of ALT_EVENTS; the first is empty */
	unsigned world_count;
};

/* What the program contains, so that knobs without effect are left out. */
struct traits {
	bool seq_cst; /* some seq_cst access or fence */
	bool seq_cst_fence;
	bool narrow_fence; /* one of them lacks the flag of a region with accesses */
	bool seq_cst_atomic;
	bool both_regions; /* accesses and fence flags name both regions */
	bool legacy;
	bool legacy_compare;  /* an atomic_cmpxchg that may fail, K9 */
	bool one_way_fence;   /* read_mem_fence or write_mem_fence, K11 */
	bool waits;           /* a work-item waits for copies, K12 */
	bool enqueues;        /* a work-item enqueues a kernel that waits for nothing, K13 */
	bool release_acquire; /* a releasing and an acquiring atomic exist */
	bool value_cycle;     /* a value might depend on itself */
};

void oclmm_settings_choose(const struct traits *traits, unsigned models,
                           struct setting_list *ret_list);

/* ---- candidates ------------------------------------------------------ */

/* What the readings make of scopes and regions; settings that agree share one. */
struct view {
	enum oclmm_model regime; /* one that has this view, for messages */
	unsigned alternatives;   /* ALT_HB part */
	/* between threads, of storages that some access has */
	row inclusive[OCLMM_STORAGE_COUNT][MAX_EVENTS];
	bool sc_all_inclusive;        /* K2 changes nothing */
	row sc_inclusive[MAX_EVENTS]; /* between seq_cst events, each reduced by its own location */
	row acts[OCLMM_SPACE_COUNT];
	row seq_cst; /* events whose order counts as seq_cst for synchronisation in both regions */
	row racing[MAX_EVENTS]; /* conflicting and not shielded by inclusive atomics; higher events
	                           only */
	row apart[MAX_EVENTS];  /* those of them that happens-before does not keep from racing */
	/* settings by what seq_cst needs: [conditional][ALT_S part compressed to 0..7] */
	struct setting_set settings[2][8];
	bool present[2][8];
	struct setting_set all; /* their union */
	bool scoped;
};

/* two kinds of inclusion times K3, K5, K7; those without K3 of 2.0 without S; `scoped` */
enum { MAX_VIEWS = 16 + 4 + 1 };

/* One combination of paths, with everything that rf and mo do not change. */
struct combination {
	const struct oclmm_program *program;
	const struct path *path[OCLMM_MAX_THREADS];
	unsigned first[OCLMM_MAX_THREADS]; /* event number of each thread's first event */
	struct oclmm_event event[MAX_EVENTS];
	struct stored stored[MAX_EVENTS]; /* by event */
	unsigned count;
	unsigned init_count;            /* events 0 … init_count-1 are the initial writes */
	uint32_t init_cell[MAX_EVENTS]; /* of which cell each is */
	row sb[MAX_EVENTS];
	row reads, writes, atomics, seq_cst;
	row fences; /* without waits for copies, which order nothing else */
	row waits;  /* for copies, and enqueue_kernel: they order nothing of their own thread */
	row of_region[OCLMM_SPACE_COUNT]; /* accesses */
	/* Those from 0 on that an access, a fence or a barrier is in. Images come last, and most
	 * programs have none. */
	unsigned region_count;
	unsigned storages;            /* that some access has: 1u << enum oclmm_storage */
	bool pinned;                  /* some value waits for fewer reads than it depends on, K6 */
	row of_cell[MAX_EVENTS];      /* by initial write: all events on its cell */
	unsigned init_of[MAX_EVENTS]; /* accesses: the initial write of the cell */
	row release_side[MAX_EVENTS]; /* by atomic write X: end points A of B.4 */
	row acquire_side[MAX_EVENTS]; /* by atomic read Y: end points B */
	/* from barrier to barrier, and from a copy's accesses to the waits for it */
	row group_sw[OCLMM_SPACE_COUNT][MAX_EVENTS];
	row command_sw[MAX_EVENTS]; /* in global memory, by commands that are ordered, A:3.3.9.5 */
	row child_sw[MAX_EVENTS];   /* the same, by what comes before a child kernel */
	unsigned world;             /* set of ALT_EVENTS */
	bool conditional_order;     /* 2.0's condition for S holds */
	bool conditional_order_fences; /* the same under the alternative of K10 */
	row one_way; /* K11: fences that order only loads (acquiring) or only stores (releasing) */
	bool cut;    /* some path is: there is no final state */
	/* a work-item passed a barrier that a cut one never reached, or they differ in who copies
	 */
	bool impossible;
	enum oclmm_undefined undefined; /* whatever rf and mo are */
	struct oclmm_position undefined_position;
	unsigned undefined_at; /* DIVERGENCE: the barrier */
	int undefined_thread;
	unsigned view_count;
	struct view view[MAX_VIEWS + 1]; /* the last is one in the making, where all are there */
};

/*
 * What an event is sequenced before and comes before in happens-before: all that follows, but that
 * a read of an image comes behind fences and barriers alone (A:3.3.7): writes of its own work-item
 * that stand in front of it may be visible to it or not.
 */
static inline row oclmm_sb_ordered(const struct combination *c, unsigned e)
{
	bool image = c->of_region[OCLMM_SPACE_IMAGE] & BIT(e);

	return image ? c->sb[e] & ~(c->of_region[OCLMM_SPACE_IMAGE] & c->reads) : c->sb[e];
}

/* A candidate execution. */
struct candidate {
	const struct combination *c;
	unsigned rf[MAX_EVENTS];       /* by read: the write it reads from */
	int64_t value[MAX_EVENTS];     /* read values by event */
	unsigned position[MAX_EVENTS]; /* by write: its place in mo of its cell, 0 = initial */
	row mo[MAX_EVENTS];            /* by write: mo-later writes (of the total order) */
	bool thin_air;                 /* a value depends on itself */
};

/* Happens-before of a candidate in one view; of its regions, the combination's region_count. */
struct order {
	row sw[OCLMM_SPACE_COUNT][MAX_EVENTS];
	row hb[OCLMM_SPACE_COUNT][MAX_EVENTS];
};

/* Builds a combination. \return 0 or -E2BIG. */
int oclmm_combine(const struct oclmm_program *program, const struct path *const *paths,
                  unsigned world, struct oclmm_error *error, struct combination *ret);
/* Whether a scope reaches from one thread to the other, A:3.3.8; a thread always reaches itself. */
bool oclmm_scope_covers(const struct oclmm_program *program, enum oclmm_scope scope, int a, int b);
/* In children.c: fills child_sw. */
void oclmm_connect_children(struct combination *c);
/* Fills the views for the settings, that of `scoped` if asked; merges those that agree. */
void oclmm_views_build(struct combination *c, const struct setting_list *settings, bool scoped);

/* In relations.c: transitive closure in place. */
void oclmm_closure(row *relation, unsigned count);
/* first;second */
void oclmm_compose(const row *first, const row *second, unsigned count, row *ret);
bool oclmm_is_irreflexive(const row *relation, unsigned count);
bool oclmm_is_acyclic(const row *relation, row members);
/*
 * Computes synchronizes-with and happens-before. `with_mo` says whether
 * positions are valid; without, only release sequences that rf alone
 * establishes (the head itself and chains of RMWs) are used.
 */
void oclmm_order_build(const struct candidate *x, const struct view *view, bool with_mo,
                       struct order *ret);

/* Why events synchronise, for explanations. `items` is malloc-ed and grows. */
struct sync_list {
	struct oclmm_synchronization *items;
	size_t count, capacity;
};
/* The reasons behind the sw of an order that was built with mo. */
void oclmm_order_explain(const struct candidate *x, const struct view *view, struct order *o,
                         struct sync_list *list);

/* ---- modification order ---------------------------------------------- */

/* Constraints on mo: edges between writes, with chains of RMWs as one piece. */
struct mo_edges {
	row after[MAX_EVENTS];
	unsigned head[MAX_EVENTS]; /* first write of the chain that a write is in */
	unsigned rank[MAX_EVENTS]; /* place in its chain */
	unsigned tail[MAX_EVENTS]; /* by head: last write of the chain */
};

/* Starts from rf, the initial writes and coherence within each work-item. \return false when
 * impossible. */
bool oclmm_mo_start(const struct candidate *x, struct mo_edges *m);
/* Adds coherence between `accesses`, for a relation that is (part of) happens-before. */
bool oclmm_mo_add_coherence(const struct candidate *x, struct mo_edges *m, row accesses,
                            const row *relation);
/* Some order meets the edges. */
bool oclmm_mo_is_possible(const struct candidate *x, const struct mo_edges *m);
/* Writes of a cell, named by its initial write, that may be the last one. */
row oclmm_mo_possible_last(const struct candidate *x, const struct mo_edges *m, unsigned init);
/* Sets mo by the positions of the writes. */
void oclmm_mo_fill(struct candidate *x);

/* ---- axioms ---------------------------------------------------------- */

/* In axioms.c: names of axioms as docs/model.md has them. */
bool oclmm_axiom_happens_before(const struct combination *c, const struct order *o);
bool oclmm_axiom_visible(const struct candidate *x, const struct order *o);
bool oclmm_axiom_coherence(const struct candidate *x, const struct order *o);
/* In seqcst.c: a total order S exists; `alternatives` is the ALT_S part. */
bool oclmm_axiom_seq_cst(const struct candidate *x, const struct view *view, const struct order *o,
                         unsigned alternatives);
/* Whether a seq_cst fence counts for a location of this region (K4). */
bool oclmm_fence_counts(const struct combination *c, unsigned alternatives, unsigned fence,
                        enum oclmm_space region);
/* In psc.c: the other half of K8, RC11's condition. */
bool oclmm_psc_is_acyclic(const struct candidate *x, const struct view *view, const struct order *o,
                          unsigned alternatives);
bool oclmm_axiom_seq_cst_scoped(const struct candidate *x, const struct view *view,
                                const struct order *o);
/* The edges of S with their reasons, for explanations. `list` is malloc-ed and grows. */
struct total_list {
	struct oclmm_total_edge *edges;
	size_t count, capacity;
};
/* \return the seq_cst reads that rule 1 leaves several places. */
row oclmm_total_edges(const struct candidate *x, const struct view *view, const struct order *o,
                      unsigned alternatives, struct total_list *list);
/* In race.c: the events behind `a` that race with it. */
row oclmm_races_of(const struct combination *c, const struct view *view, const struct order *o,
                   unsigned a);
/* Finds two racing events. */
bool oclmm_find_race(const struct combination *c, const struct view *view, const struct order *o,
                     unsigned *ret_a, unsigned *ret_b);
void oclmm_witness_race(const struct candidate *x, unsigned a, unsigned b,
                        struct oclmm_witness *ret);
void oclmm_access_describe(const struct candidate *x, unsigned event, struct oclmm_access *ret);

/* ---- the search ------------------------------------------------------ */

/* States found so far, and undefinedness per setting. */
struct record;
struct record *oclmm_record_create(const struct oclmm_program *program,
                                   const struct setting_list *settings, struct oclmm_arena *arena);
void oclmm_record_destroy(struct record *record);
/* A state that some candidate reaches, consistent or not. \return its number, or -1 when filtered
 * out. */
int oclmm_record_state(struct record *record, const int64_t *values);
/* The world that what follows is about. */
void oclmm_record_enter(struct record *record, unsigned world);
void oclmm_record_allow(struct record *record, int state, const struct setting_set *settings);
/* \return the settings among `settings` that were not yet known to be undefined. */
struct setting_set oclmm_record_still_defined(const struct record *record,
                                              const struct setting_set *settings);
void oclmm_record_undefined(struct record *record, const struct setting_set *settings,
                            const struct oclmm_witness *witness);
/* Turns the record into an answer's states, space and statuses. */
void oclmm_record_finish(struct record *record, unsigned models, struct oclmm_answer *answer);

struct search {
	const struct oclmm_program *program;
	const struct setting_list *settings;
	struct traits traits;
	struct record *record;
	struct walk *walk;
	unsigned world; /* index into settings->worlds */
	struct oclmm_error *error;
	struct path_list paths[OCLMM_MAX_THREADS];
	uint64_t candidates, consistent;
	uint64_t tries, most_tries; /* of sources for reads, complete or not; 0: without a limit */
	double deadline;            /* monotonic seconds; 0 = none */
	unsigned ticks;             /* since the clock was last looked at */
	bool late;                  /* the deadline has passed */
	uint32_t stuck;  /* the last cell where no source fitted a read of a combination */
	bool collecting; /* first pass of K6: only collect what can be written */
	bool wide;       /* also what coherence within a work-item and data dependencies exclude */
	int (*judge)(struct search *search); /* instead of oclmm_judge(), unless NULL */
	void *judge_data;
	struct value_sets *writable; /* K6: values by cell, NULL when not needed */
	const struct path *chosen[OCLMM_MAX_THREADS];
	struct combination combination;
	struct candidate candidate;
};

/* The memory of a search, to be used for one program after another. */
struct oracle {
	struct oclmm_arena *arena; /* of what lives as long as one search */
	struct walk *walk;
	struct setting_list settings;
	struct search search;
};
/* This thread's, whose memory is there already, or a new one where that one is in use. */
struct oracle *oclmm_oracle_take(void);
void oclmm_oracle_give(struct oracle *oracle);
/* Makes the search ready for a program. `time_limit` in seconds, 0 for none. */
struct search *oclmm_oracle_start(struct oracle *oracle, const struct oclmm_program *program,
                                  double time_limit, struct oclmm_error *error);

/* Whether the deadline has passed; looks at the clock now and then. */
bool oclmm_search_is_late(struct search *search);
/* In check.c: the paths of all threads, and the search through their combinations. */
int oclmm_search_unfold(struct search *search, struct oclmm_arena *arena, unsigned world,
                        bool *cut);
int oclmm_search(struct search *search);
/* Looks at all candidates of one combination. */
int oclmm_enumerate(struct search *search);
/* In judge.c: judges a candidate with rf and values set, and all its modification orders. */
int oclmm_judge(struct search *search);

/* K6: the values that may be written to each cell. */
struct value_sets {
	struct value_set {
		int64_t *values;
		size_t count, capacity;
	} * of_cell;
	uint32_t cell_count;
};
void oclmm_values_add(struct value_sets *sets, uint32_t cell, int64_t value);

/* final values of the observables of a candidate; `last` gives the mo-last write by cell's initial
 * write */
void oclmm_candidate_outcome(const struct candidate *x, const unsigned *last, int64_t *ret_values);
int64_t oclmm_event_value(const struct candidate *x, unsigned event);

#endif
