// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Candidate executions of a program, visited one by one: their events and
 * relations, why one is not consistent, and why two accesses race.
 */
#ifndef OCLMM_MODEL_EXECUTION_H
#define OCLMM_MODEL_EXECUTION_H

#include "oclmm/model.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- executions ------------------------------------------------------ */

enum oclmm_event_kind {
	OCLMM_EVENT_READ,
	OCLMM_EVENT_WRITE,
	OCLMM_EVENT_UPDATE, /**< read-modify-write */
	OCLMM_EVENT_FENCE,  /**< a fence, or the entry or exit of a barrier */
};

/** Something that a thread does to memory. */
struct oclmm_event {
	enum oclmm_event_kind kind;
	int thread;                 /**< index into program->threads; -1: an initial write */
	uint32_t location, element; /**< accesses */
	uint32_t cell;              /**< accesses: the same as one number, see oclmm_location */
	enum oclmm_space region;    /**< accesses */
	enum oclmm_storage storage; /**< accesses */
	enum oclmm_order order;     /**< NONE: a plain access */
	enum oclmm_scope scope;     /**< as written or by default */
	unsigned flags;             /**< fences: OCLMM_FLAG_ set */
	bool legacy;
	bool legacy_compare; /**< an `atomic_cmpxchg` that fails */
	bool one_way;        /**< read_mem_fence, write_mem_fence */
	bool barrier, entry, sub_group;
	bool collective; /**< of a barrier that is a collective function */
	bool split; /**< of a barrier: the entry is an arrival, or the exit a wait, a call of its
	               own */
	/** Of an asynchronous copy its accesses, made by one of the work-items; or the wait for
	 * one, a fence of no order. 1 + the number of the event, or 0. */
	uint32_t copied, waited;
	/** Of enqueue_kernel, a fence of no order: 1 + the thread that it starts, or 0. */
	uint32_t enqueued;
	uint32_t instance; /**< barriers: which one of its kind in the thread, from 0 */
	uint32_t sequence; /**< barriers: which one of either kind; each half of a split one counts
	                    */
	const char *label; /**< barriers: as written, or NULL */
	/** Barriers of a text that work-items share: the same for those who come to it by the same
	 * branches and turns of loops; otherwise 0. */
	uint64_t turn;
	int64_t read, written; /**< values, in an execution */
	struct oclmm_position position;
	/** That it is of, or NULL. Its position tells less where a loop was unrolled or a function
	 * called. */
	const struct oclmm_statement *statement;
};

static inline bool oclmm_event_reads(const struct oclmm_event *event)
{
	return event->kind == OCLMM_EVENT_READ || event->kind == OCLMM_EVENT_UPDATE;
}

static inline bool oclmm_event_writes(const struct oclmm_event *event)
{
	return event->kind == OCLMM_EVENT_WRITE || event->kind == OCLMM_EVENT_UPDATE;
}

static inline bool oclmm_event_is_fence(const struct oclmm_event *event)
{
	return event->kind == OCLMM_EVENT_FENCE;
}

/** Whether it is an atomic access. */
static inline bool oclmm_event_is_atomic(const struct oclmm_event *event)
{
	return !oclmm_event_is_fence(event) && event->order != OCLMM_ORDER_NONE;
}

/** Whether both are accesses, of one cell of memory. */
static inline bool oclmm_event_same_cell(const struct oclmm_event *a, const struct oclmm_event *b)
{
	return !oclmm_event_is_fence(a) && !oclmm_event_is_fence(b) && a->cell == b->cell;
}

/* The axioms in the order in which they are asked, with their names in
 * docs/model.md. X(enumerator, name, section) */
#define OCLMM_AXIOMS(X)                                                                            \
	X(ATOMICITY, "rmw atomicity", "A:3.3.9")                                                   \
	X(HAPPENS_BEFORE, "happens-before", "A:3.3.9")                                             \
	X(VISIBLE, "visible side effect", "A:3.3.9")                                               \
	X(COHERENCE, "coherence", "A:3.3.9")                                                       \
	X(SEQ_CST, "seq_cst", "A:3.3.9.1")                                                         \
	X(THIN_AIR, "no value out of thin air", "A:3.3.9.1")

enum oclmm_axiom {
#define OCLMM_X(name, ...) OCLMM_AXIOM_##name,
	OCLMM_AXIOMS(OCLMM_X)
#undef OCLMM_X
		OCLMM_AXIOM_COUNT
};
const char *oclmm_axiom_name(enum oclmm_axiom axiom);
const char *oclmm_axiom_section(enum oclmm_axiom axiom);

/** Why one seq_cst operation must stand before another in S, A:3.3.9.1. */
enum oclmm_total_rule {
	OCLMM_TOTAL_HB,     /**< S contains happens-before */
	OCLMM_TOTAL_MO,     /**< S contains modification order */
	OCLMM_TOTAL_READ,   /**< rule 1, a read from a seq_cst write */
	OCLMM_TOTAL_RULE_2, /**< fence `from`, read `a` behind it, write `to` */
	OCLMM_TOTAL_RULE_3, /**< read `from`, write `a` in front of fence `to` */
	OCLMM_TOTAL_RULE_4, /**< fence `from`, read `b` behind it; write `a` in front of fence `to`
	                     */
	OCLMM_TOTAL_RULE_5, /**< the same with a write `b` */
	OCLMM_TOTAL_SCOPED, /**< model scoped: from, or `b` behind it; to, or `a` in front of it */
	OCLMM_TOTAL_PLACED, /**< rule 1: the place in S that a read from a weaker write is given */
};
struct oclmm_total_edge {
	unsigned from, to, a, b;
	enum oclmm_total_rule rule;
};

/** Why a release side and an acquire side synchronize, A:3.3.9.1 to A:3.3.9.5. */
struct oclmm_synchronization {
	unsigned a, b;           /**< the two sides: an operation itself, or a fence beside it */
	enum oclmm_space region; /**< of the object, or of the barrier's flag */
	bool barrier;            /**< entry and exit of one barrier: the rest is unused */
	bool copy;               /**< an access of a copy, and the wait for it: likewise */
	bool command;            /**< of two commands that are ordered, A:3.3.9.5: likewise */
	bool child;              /**< what comes before a child kernel, A:3.3.9.5: likewise */
	unsigned x;              /**< the write of the release side, which heads a sequence */
	unsigned w;              /**< the member of it that is read from: x itself or another */
	unsigned y;              /**< the read of the acquire side */
};

/** A set of events is one word; a relation is an array of words, the n-th the successors of event
 * n. */
typedef uint64_t oclmm_events;

/* Iterates over the members of a set, which is evaluated once. */
#define OCLMM_FOR_EACH_EVENT(index, set)                                                           \
	for (oclmm_events index##_left = (set), index;                                             \
	     index##_left && ((index = (oclmm_events)__builtin_ctzll(index##_left)), true);        \
	     index##_left &= index##_left - 1)

/** A candidate execution, judged under one reading. */
struct oclmm_execution {
	struct oclmm_reading reading;
	unsigned count, init_count; /**< events 0 … init_count-1 are the initial writes */
	struct oclmm_event event[OCLMM_MAX_EVENTS];
	oclmm_events sb[OCLMM_MAX_EVENTS]; /**< transitive */
	unsigned rf[OCLMM_MAX_EVENTS];     /**< by read: the write that it reads from */
	oclmm_events mo[OCLMM_MAX_EVENTS]; /**< transitive */
	oclmm_events
		data[OCLMM_MAX_EVENTS]; /**< by read: writes whose value or object depends on it */
	oclmm_events acts[OCLMM_SPACE_COUNT]; /**< events that act in a region */
	oclmm_events sw[OCLMM_SPACE_COUNT][OCLMM_MAX_EVENTS];
	oclmm_events hb[OCLMM_SPACE_COUNT][OCLMM_MAX_EVENTS]; /**< transitive */
	/** inclusive scopes between threads, for objects of each kind of storage that is accessed
	 */
	oclmm_events inclusive[OCLMM_STORAGE_COUNT][OCLMM_MAX_EVENTS];
	oclmm_events sc_inclusive[OCLMM_MAX_EVENTS]; /**< K2, between seq_cst events */
	oclmm_events
		races[OCLMM_MAX_EVENTS]; /**< by event: later-numbered ones that it races with */
	/**
	 * What `sw` consists of, for each pair and region every way; a pair of two sides that count
	 * for both regions (A:3.3.9.1, A:3.3.9.2) may be in `sw` of the other region, too.
	 */
	struct oclmm_synchronization *synchronizations;
	unsigned synchronization_count;
	struct oclmm_total_edge *total; /**< what S must contain, without `weak` */
	unsigned total_count;
	oclmm_events weak; /**< seq_cst reads from weaker writes: rule 1 leaves them several places
	                      in S */
	unsigned broken;   /**< set of 1u << enum oclmm_axiom; 0: consistent. By a model as text
	                      any bit */
	const struct oclmm_cat_why *why; /**< by a model as text, where `broken`: its check */
	const char *flag;                /**< by a model as text: the one that it raises, or NULL */
	const int64_t *values; /**< the final state, one value per observable; NULL: cut by a loop's
	                          bound */
};

/** What an event synchronizes with, in whatever region. */
static inline oclmm_events oclmm_execution_sw(const struct oclmm_execution *x, unsigned event)
{
	oclmm_events all = 0;

	for (unsigned r = 0; r < OCLMM_SPACE_COUNT; r++)
		all |= x->sw[r][event];
	return all;
}

/* ---- why an execution is not consistent ------------------------------ */

/* Edges between events. X(enumerator, short name, what it is, section) */
#define OCLMM_EDGES(X)                                                                             \
	X(SB, "sb", "sequenced before", "A:3.3.9")                                                 \
	X(RF, "rf", "reads from", "A:3.3.9")                                                       \
	X(MO, "mo", "before in modification order", "A:3.3.9")                                     \
	X(FR, "fr", "reads a value that is overwritten by", "A:3.3.9")                             \
	X(SW, "sw", "synchronizes with", "A:3.3.9.1, A:3.3.9.2")                                   \
	X(HB, "hb", "happens before", "A:3.3.9")                                                   \
	X(S, "S", "before in the order of seq_cst operations", "A:3.3.9.1")                        \
	X(DATA, "data", "gives the value for", "A:3.3.9.1")

enum oclmm_edge {
#define OCLMM_X(name, ...) OCLMM_EDGE_##name,
	OCLMM_EDGES(OCLMM_X)
#undef OCLMM_X
		OCLMM_EDGE_COUNT
};
const char *oclmm_edge_name(enum oclmm_edge edge);
const char *oclmm_edge_meaning(enum oclmm_edge edge);
const char *oclmm_edge_section(enum oclmm_edge edge);

/** An edge from one event to another. */
struct oclmm_arrow {
	enum oclmm_edge edge;
	unsigned from, to;
};

/* What an axiom asks for in particular. X(enumerator, axiom, name as in docs/model.md) */
#define OCLMM_RULES(X)                                                                             \
	X(ATOMICITY, ATOMICITY, "rmw atomicity")                                                   \
	X(HAPPENS_BEFORE, HAPPENS_BEFORE, "happens-before")                                        \
	X(FUTURE, VISIBLE, "no read from the future")                                              \
	X(HIDDEN, VISIBLE, "visible side effect")    /* a write that a later one hides */          \
	X(UNORDERED, VISIBLE, "visible side effect") /* one that does not happen before */         \
	X(WRITE_WRITE, COHERENCE, "coherence, write-write")                                        \
	X(WRITE_READ, COHERENCE, "coherence, write-read")                                          \
	X(READ_WRITE, COHERENCE, "coherence, read-write")                                          \
	X(READ_READ, COHERENCE, "coherence, read-read")                                            \
	X(SEQ_CST, SEQ_CST, "seq_cst")                                                             \
	X(SEQ_CST_SCOPED, SEQ_CST, "seq_cst, scoped")                                              \
	X(THIN_AIR, THIN_AIR, "no value out of thin air")

enum oclmm_rule {
#define OCLMM_X(name, ...) OCLMM_RULE_##name,
	OCLMM_RULES(OCLMM_X)
#undef OCLMM_X
};
enum oclmm_axiom oclmm_rule_axiom(enum oclmm_rule rule);
const char *oclmm_rule_name(enum oclmm_rule rule);

/** seq_cst operations each of which would stand before the next in S, the last before the first. */
struct oclmm_total_cycle {
	struct oclmm_total_edge edge[OCLMM_MAX_EVENTS];
	unsigned count;
};

enum { OCLMM_MAX_OTHERS = 6 };

/** The most basic axiom that an execution breaks, and the shortest cycle that shows it. */
struct oclmm_breach {
	enum oclmm_rule rule;
	/**
	 * Edges, each from where the one before it leads, the last to where the first begins. Of
	 * OCLMM_RULE_UNORDERED only the reads-from edge that it refuses: no cycle shows what is
	 * missing.
	 */
	struct oclmm_arrow arrow[OCLMM_MAX_EVENTS];
	unsigned count;
	struct oclmm_total_cycle total; /**< seq_cst: what the arrows are the reasons for */
	/**
	 * Reads from weaker writes may stand in several places in S, and a cycle is closed
	 * wherever they do: `total`, which is the shortest, or one of the others, of which these
	 * are the first.
	 */
	bool placed;
	struct oclmm_total_cycle other[OCLMM_MAX_OTHERS];
	unsigned other_count;
	bool more; /**< there may be others beyond these */
};
/** \return false for a consistent execution, and where no cycle is short enough to be told. */
bool oclmm_execution_breach(const struct oclmm_execution *execution,
                            struct oclmm_breach *ret_breach);

/* ---- why two accesses race ------------------------------------------- */

/** What stands for one side of a synchronization (A:3.3.9.1, A:3.3.9.2). */
enum oclmm_side_kind {
	OCLMM_SIDE_THERE, /**< `event` releases (acquires): the operation or a fence beside it */
	OCLMM_SIDE_FLAGS, /**< the fence `event` would, but its flags leave out the region */
	OCLMM_SIDE_MISPLACED, /**< the fence `event` would, but stands on the other side */
	OCLMM_SIDE_NONE,
};
struct oclmm_side {
	enum oclmm_side_kind kind;
	unsigned event;
};

/** Why nothing orders a before b, though b's thread may have heard from a's. */
enum oclmm_gap_kind {
	OCLMM_GAP_NO_CONTACT,   /**< it has not, nor a's from b's, and no barrier is between them */
	OCLMM_GAP_PLAIN,        /**< y reads w, but they are not both atomic */
	OCLMM_GAP_SIDES,        /**< y reads w, but a side is missing */
	OCLMM_GAP_SCOPES,       /**< the scopes of the two sides do not include each other */
	OCLMM_GAP_REGION,       /**< the two sides synchronize in the other region */
	OCLMM_GAP_EARLY,        /**< the release stands in front of a */
	OCLMM_GAP_LATE,         /**< the acquire stands behind b */
	OCLMM_GAP_BARRIER_FLAG, /**< the barrier between them lacks the region's flag */
	OCLMM_GAP_BARRIER_GROUP, /**< they have met barriers of different groups */
	/** of a split barrier, one call lacks the flag, or does not reach the other work-item */
	OCLMM_GAP_BARRIER_HALVES,
};
struct oclmm_gap {
	enum oclmm_gap_kind kind;
	unsigned a, b; /**< the two accesses, perhaps the other way round */
	unsigned w, y; /**< not NO_CONTACT or a barrier: a write behind a, its read in front of b */
	struct oclmm_side release, acquire;
};
/** What is missing between two accesses that race in a consistent execution. */
void oclmm_execution_gap(const struct oclmm_program *program,
                         const struct oclmm_execution *execution, unsigned a, unsigned b,
                         struct oclmm_gap *ret_gap);

/* ---- visiting executions --------------------------------------------- */

struct oclmm_visit_options {
	struct oclmm_reading reading;
	/** A model that judges in place of ours, or NULL. Of `sw` and `hb` executions have none
	 * then, and of `races` one that the model's flag names. */
	struct oclmm_cat_model *cat;
	/**
	 * Also candidates that break rmw atomicity, or coherence within one
	 * work-item, and values that nothing justifies: their number explodes.
	 */
	bool wide;
	/** Chooses by final state which candidates are judged and visited; NULL: all. */
	bool (*wanted)(void *data, const int64_t *values);
	/** \return 0 to go on, anything else to stop. */
	int (*visit)(void *data, const struct oclmm_execution *execution);
	void *data;
	uint64_t limit;    /**< candidates, wanted or not; 0: none */
	double time_limit; /**< seconds of processor time; 0: none */
	/** As of oclmm_check_options: what it returns ends oclmm_executions(). */
	int (*ended)(const void *data);
	const void *ended_data; /**< for it */
};

/**
 * Visits the candidate executions of a program in a fixed order, which does not depend on the
 * reading.
 * \return 0; what `visit` stopped with; -ETIME past a limit; what `ended` returned; -E2BIG and
 * -EINVAL as oclmm_check().
 */
int oclmm_executions(const struct oclmm_program *program, const struct oclmm_visit_options *options,
                     struct oclmm_error *error);
/** \return a copy that the arena owns; without `why`. */
struct oclmm_execution *oclmm_execution_copy(struct oclmm_arena *arena,
                                             const struct oclmm_program *program,
                                             const struct oclmm_execution *execution);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
