// SPDX-License-Identifier: Apache-2.0
/*
 * From paths to candidate executions and what is asked of them.
 *
 *   program ──path source──► paths per thread ──combine──► events
 *          events × rf = candidate ──judge──► readings under which some mo is consistent
 */
#ifndef OCLMM_MODEL_INTERNAL_H
#define OCLMM_MODEL_INTERNAL_H

#include "paths.h"

/* ---- settings -------------------------------------------------------- */

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

/* Whether there is such a reading: `scoped` has one world, only 2.0 says of a blocking write what
 * K17 takes up, and only 3.1 of a status what K18 does. */
static inline bool oclmm_is_reading(enum oclmm_model regime, unsigned world)
{
	return !(world & ALT_EVENTS) || (regime != OCLMM_MODEL_SCOPED &&
	                                 (!(world & ALT_K17) || regime == OCLMM_MODEL_OPENCL_2_0) &&
	                                 (!(world & ALT_K18) || regime == OCLMM_MODEL_OPENCL_3_1));
}

/* The readings that an answer needs: each setting in each world. */
struct setting_list {
	struct oclmm_reading items[MAX_SETTINGS];
	unsigned count;
	unsigned worlds[MAX_WORLDS]; /* sets of ALT_EVENTS; the first is empty */
	unsigned world_count;
};

/* ---- candidates ------------------------------------------------------ */

/* The thread of initial writes. */
enum { THREAD_INIT = -1 };

/* What the readings make of scopes and regions; settings that agree share one. */
struct view {
	enum oclmm_model regime; /* a setting with this view, for messages */
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

enum { MAX_FACTS = 256 };

enum { NO_BARRIER = MAX_EVENTS };

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
	row fences; /* without waits for copies, which order only these */
	row waits;  /* waits for copies, and enqueue_kernel: they order nothing in their own thread
	             */
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
	row unshown[MAX_EVENTS];    /* K19: from a write to who has the other name for it */
	unsigned world;             /* set of ALT_EVENTS */
	bool conditional_order;     /* 2.0's condition for S holds */
	bool conditional_order_fences; /* the same under the alternative of K10 */
	row one_way; /* K11: fences that order only loads (acquiring) or only stores (releasing) */
	bool cut;    /* some path is cut: there is no final state */
	/* a work-item passed a barrier that a cut one never reached, or they differ in who copies
	 */
	bool impossible;
	enum oclmm_undefined undefined; /* whatever rf and mo are */
	struct oclmm_position undefined_position;
	const struct oclmm_statement *undefined_statement;
	unsigned undefined_at; /* DIVERGENCE: the barrier, or NO_BARRIER where none was passed */
	struct oclmm_command_overlap overlap; /* OVERLAP */
	int undefined_thread;
	unsigned view_count;             /* 0: views are not built */
	struct view view[MAX_VIEWS + 1]; /* the last is for one in the making */
};

/*
 * The later events of its work-item that an event happens before: all, except that only fences and
 * barriers order a read of an image (A:3.3.7). Such a read may or may not see writes that stand in
 * front of it in its own work-item.
 */
static inline row oclmm_sb_ordered(const struct combination *c, unsigned e)
{
	bool image = c->of_region[OCLMM_SPACE_IMAGE] & BIT(e);

	return image ? c->sb[e] & ~(c->of_region[OCLMM_SPACE_IMAGE] & c->reads) : c->sb[e];
}

/* ---- symbol.c -------------------------------------------------------- */

/*
 * A set of values of one type, as far as an interval and single bits tell it: all values that it is
 * made of, and maybe more.
 */
struct range {
	enum oclmm_type type;
	int64_t least, greatest; /* in the order of the type */
	uint64_t may, must;      /* bits of its pattern: those not always clear, those always set */
};

bool oclmm_range_has(const struct range *range, int64_t value);
/* At most `most` of the values. \return how many; `*ret_all` says whether there are no others */
size_t oclmm_range_list(const struct range *range, size_t most, int64_t *ret_values, bool *ret_all);

/* What the case at hand knows of values that are unspecified. */
struct facts {
	struct known {
		const struct symbol *of;
		struct range range;
	} items[MAX_FACTS];
	unsigned count;
};

/* A candidate execution. */
struct candidate {
	const struct combination *c;
	unsigned rf[MAX_EVENTS];       /* by read: the write it reads from */
	int64_t value[MAX_EVENTS];     /* read values by event */
	row unspecified;               /* reads of values that are unspecified */
	struct facts *facts;           /* what is known of these; NULL: nothing */
	unsigned position[MAX_EVENTS]; /* by write: its place in mo of its cell, 0 = initial */
	row mo[MAX_EVENTS];            /* by write: mo-later writes (of the total order) */
	bool thin_air;                 /* a value depends on itself */
};

/* Happens-before of a candidate in one view; of its regions, the combination's region_count. */
struct order {
	row sw[OCLMM_SPACE_COUNT][MAX_EVENTS];
	row hb[OCLMM_SPACE_COUNT][MAX_EVENTS];
};

/* ---- combination.c --------------------------------------------------- */

/* Whether a scope reaches from one thread to the other, A:3.3.8; a thread always reaches itself. */
bool oclmm_scope_covers(const struct oclmm_program *program, enum oclmm_scope scope, int a, int b);
/* Builds a combination, without its views. \return 0 or -E2BIG. */
int oclmm_combine(const struct oclmm_program *program, const struct path *const *paths,
                  unsigned world, struct oclmm_error *error, struct combination *ret);
/* The order of commands by other readings, a set of OCLMM_COMMANDS_*; adds to `ret`. */
void oclmm_order_commands_by(const struct combination *c, unsigned readings, row *ret);
/* From a write by the one name of shared virtual memory, a buffer over it and its pointer, to what
 * uses it by the other, where no map shows what was written, by other readings of the order of
 * commands; adds to `ret`. */
void oclmm_find_unshown(const struct combination *c, unsigned readings, row *ret);
/* Whether one of two accesses comes before the other by commands, and that does not see it, in a
 * world of K19. */
bool oclmm_is_unshown(const struct combination *c, unsigned a, unsigned b);
/* Fills the views for the settings that are readings in its world; merges those that agree. */
void oclmm_views_build(struct combination *c, const struct setting_list *settings);

/* What evaluating a symbol finds beside the value. */
struct symbol_finding {
	enum oclmm_undefined undefined;
	bool divides;     /* something has no quotient, whether or not that matters */
	bool unspecified; /* the value is one of `range`; else these two are not set */
	struct range range;
	const struct symbol *origin; /* two values of one origin are the same; may be NULL */
};

/*
 * Evaluates a symbol of a thread, from the values that its reads have in a candidate (NULL for what
 * depends on none). Undefined arithmetic yields a wrapped value, what is unspecified 0;
 * `ret_finding` (may be NULL) says so.
 */
int64_t oclmm_symbol_value(const struct symbol *symbol, const struct candidate *x, int thread,
                           struct symbol_finding *ret_finding);
/*
 * Calls `judge` for each case of a candidate with values that are unspecified: those with few
 * values have one of them in each case, and what branches say of the others is known.
 * \return 0, or what `judge` returned to end it
 */
int oclmm_symbol_cases(struct candidate *x, int (*judge)(void *data), void *data);

/* ---- relations.c ----------------------------------------------------- */

/* Transitive closure in place. */
void oclmm_closure(row *relation, unsigned count);
/* first;second */
void oclmm_compose(const row *first, const row *second, unsigned count, row *ret);
bool oclmm_is_acyclic(const row *relation, row members);

/* ---- order.c: happens-before, and the axioms on it and on values ------ */

/* Why events synchronise, for explanations. `items` is malloc-ed and grows. */
struct sync_list {
	struct oclmm_synchronization *items;
	size_t count, capacity;
};
/*
 * Computes synchronizes-with and happens-before. `with_mo` says whether positions are valid;
 * without, only release sequences that rf alone establishes (the head itself and chains of RMWs)
 * are used. `reasons` gets what sw consists of, unless it is NULL.
 */
void oclmm_order_build(const struct candidate *x, const struct view *view, bool with_mo,
                       struct order *ret, struct sync_list *reasons);
bool oclmm_axiom_happens_before(const struct combination *c, const struct order *o);
bool oclmm_axiom_visible(const struct candidate *x, const struct order *o);
bool oclmm_axiom_coherence(const struct candidate *x, const struct order *o);
/* The events behind `a` that race with it. */
row oclmm_races_of(const struct combination *c, const struct view *view, const struct order *o,
                   unsigned a);

/* ---- seqcst.c -------------------------------------------------------- */

/* The edges of S with their reasons, for explanations; `weak`: the seq_cst reads that rule 1 leaves
 * several places. `edges` is malloc-ed and grows. */
struct total_list {
	struct oclmm_total_edge *edges;
	size_t count, capacity;
	row weak;
};
/* A total order S exists; `alternatives` is the ALT_S part. `list` may be NULL. */
bool oclmm_axiom_seq_cst(const struct candidate *x, const struct view *view, const struct order *o,
                         unsigned alternatives, struct total_list *list);

/* ---- modification.c -------------------------------------------------- */

/* Constraints on mo: edges between writes, with chains of RMWs as one piece. */
struct mo_edges {
	row after[MAX_EVENTS];
	unsigned head[MAX_EVENTS]; /* first write of the chain that a write is in */
	unsigned rank[MAX_EVENTS]; /* place in its chain */
	unsigned tail[MAX_EVENTS]; /* by head: last write of the chain */
};

/* Starts from rf, the initial writes and coherence within each work-item. \return whether some
 * order meets the edges. */
bool oclmm_mo_start(const struct candidate *x, struct mo_edges *m);
/* Adds the coherence of happens-before. \return as above */
bool oclmm_mo_add_happens_before(const struct candidate *x, const struct order *o,
                                 struct mo_edges *m);
/* Sets mo by the positions of the writes. */
void oclmm_mo_fill(struct candidate *x);

/* ---- cat.c: a model in cat -------------------------------------------- */

struct oclmm_cat_verdict;
struct oclmm_cat_why;
struct oclmm_cat_values;
struct search;
/* Lets a model judge a search, until oclmm_search_end(). Other searches with a model in cat
 * wait, because it is evaluated in place. */
void oclmm_cat_judges(struct search *s, struct oclmm_cat_model *model);
void oclmm_cat_leave(void);
/* Fills the sets and relations of a combination: all but rf and co. */
void oclmm_cat_describe(const struct combination *c, struct oclmm_cat_values *values);
/* What the model says of a candidate with rf, values and mo set. \return 0, or -E2BIG where it
 * would have to put too many events in order, with a message. `ret_why` may be NULL. */
int oclmm_cat_judge(struct search *s, const struct candidate *x,
                    struct oclmm_cat_verdict *ret_verdict, struct oclmm_cat_why *ret_why);

/* ---- search.c -------------------------------------------------------- */

/* What ends an answer early. */
struct watch {
	double deadline;                /* by oclmm_thread_clock(); 0 = none */
	int (*ended)(const void *data); /* of the caller; NULL = none */
	const void *data;
	int result;     /* 0; -ETIME past the deadline; or what the caller says */
	bool by_caller; /* the result is the caller's */
};
/* \param time_limit in seconds of processor time, from now on; 0 for none */
struct watch oclmm_watch_begin(double time_limit);
/* \return whether it ends; reads the clock */
bool oclmm_watch_ended(struct watch *watch);

struct search {
	const struct oclmm_program *program;
	struct oclmm_arena *arena; /* for what lives as long as the search */
	unsigned world;            /* index into settings->worlds */
	struct oclmm_error *error;
	/* Called for each candidate with rf and values set. \return 0 to go on */
	int (*judge)(struct search *search);
	void *judge_data;
	struct path_list paths[OCLMM_MAX_THREADS];
	uint64_t candidates, consistent;
	uint64_t tries, most_tries; /* of sources for reads, complete or not; 0: without a limit */
	struct watch watch;
	uint64_t ticks; /* steps taken */
	/* how much of all choices has been made, at most 1, and how much of them stands behind the
	 * choice at hand; as if all that remain led to as many */
	double done, share;
	/* NULL, or called now and then once it takes long: other than 0 ends the search */
	int (*look_elsewhere)(struct search *search);
	void *elsewhere;  /* for it */
	unsigned by_text; /* BY_TEXT_… */
	uint32_t stuck;   /* the last cell where no source fitted a read of a combination */
	bool collecting;  /* first pass of K6: only collect what can be written */
	struct oclmm_cat_model *cat; /* the model that judges in place of ours, or NULL */
	struct oclmm_cat_values *cat_values;
	bool wide; /* also what coherence within a work-item and data dependencies exclude */
	struct value_sets *writable; /* K6: values by cell, NULL when not needed */
	const struct path *chosen[OCLMM_MAX_THREADS];
	/* the members from here on are large, and set where they are used */
	struct setting_list settings;
	struct combination combination;
	struct candidate candidate;
	struct facts facts;
};

/* Makes a search ready for a program, in memory that this thread keeps from one to the next. */
struct search *oclmm_search_begin(const struct oclmm_program *program, struct watch watch,
                                  struct oclmm_error *error);
void oclmm_search_end(struct search *search);
/* The paths of all threads in a world, by the source that the program has. */
int oclmm_search_unfold(struct search *search, unsigned world, bool *cut);
/* Looks at all candidates of all combinations of these paths, under search->settings. */
int oclmm_search(struct search *search);
/* Whether the search ends early; looks at the clock now and then. */
bool oclmm_search_is_late(struct search *search);
/* The value that an event has written, or read. */
int64_t oclmm_event_value(const struct candidate *x, unsigned event,
                          struct symbol_finding *ret_finding);
/* Final values of the observables; `last` gives the mo-last write by cell's initial write. Where
 * `ret_open` is not NULL, it gets what is found of those that are unspecified. */
void oclmm_candidate_outcome(const struct candidate *x, const unsigned *last, int64_t *ret_values,
                             struct symbol_finding *ret_open, uint64_t *ret_unspecified);

/* ---- lockstep.c ---- */
/*
 * Answers a program whose work-items share a text by running it, if its outcome depends on no order
 * of them. \return 1; 0: it depends; -ENOTSUP: it does, and no search knows its functions; -ENOSYS:
 * by what a sub-group is; -E2BIG: it does not end within bounds; what the watch says. Where it
 * depends, the answer is that of one order if this is undefined, and else NULL.
 */
int oclmm_lockstep(const struct oclmm_program *program, unsigned models, struct watch *watch,
                   struct oclmm_answer **ret_answer);

#endif
