// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * The oracle: which final states does the OpenCL memory model allow?
 *
 * Enumerates the candidate executions of a program (A:3.3.9 and its
 * subsections), judges each under every reading of the text that applies, and
 * accumulates states and data races. docs/model.md explains the axioms by the
 * names used here.
 */
#ifndef OCLMM_MODEL_H
#define OCLMM_MODEL_H

#include "oclmm/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A program with more events is refused, never answered in part. */
enum { OCLMM_MAX_EVENTS = 64 };

/* X(enumerator, name, what it is) */
#define OCLMM_MODELS(X)                                                                            \
	X(OPENCL_2_0, "opencl-2.0", "OpenCL 2.0: equal scopes, conditional seq_cst order")         \
	X(OPENCL_2_1, "opencl-2.1", "OpenCL 2.1 to 3.0: equal scopes, seq_cst order always")       \
	X(OPENCL_3_1, "opencl-3.1", "OpenCL 3.1 on: inclusive scopes, seq_cst order always")       \
	X(SCOPED, "scoped", "scoped seq_cst as in POPL'16 and Dartagnan; no scope reduction")      \
	X(CONSENSUS, "consensus", "what all readings of the Khronos texts agree on")

enum oclmm_model {
#define OCLMM_X(name, ...) OCLMM_MODEL_##name,
	OCLMM_MODELS(OCLMM_X)
#undef OCLMM_X
		OCLMM_MODEL_COUNT
};

/** How many of the models are of versions: they are the first. */
#define OCLMM_VERSION_COUNT (OCLMM_MODEL_OPENCL_3_1 + 1)
/** The models of versions, as a set of 1u << enum oclmm_model. */
#define OCLMM_MODEL_VERSIONS ((1u << OCLMM_VERSION_COUNT) - 1)

const char *oclmm_model_name(enum oclmm_model model);
const char *oclmm_model_description(enum oclmm_model model);
/** Also takes `opencl-2.2` and `opencl-3.0`, which are read like 2.1. \return false when no model
 * has this name. */
bool oclmm_model_parse(const char *name, enum oclmm_model *ret_model);
/**
 * The model for devices of an OpenCL version, CL_DEVICE_VERSION: `OpenCL 3.0 CUDA`. The verdict on
 * such a device is the one under this model. Consensus for versions before 2.0, which have no
 * memory model of their own, and where `version` is NULL or has another form.
 */
enum oclmm_model oclmm_model_of_device(const char *version);

/* The points on which the texts can be read in more than one way. X(enumerator, short
 * name, question). K1 is the regime: 2.0, 2.1-3.0 or 3.1. Each version is answered with all the
 * others open. */
#define OCLMM_KNOBS(X)                                                                             \
	X(K1, "K1", "regime: inclusive scopes equal or wider, seq_cst order conditional or not")   \
	X(K2, "K2", "seq_cst order over all operations or only between inclusive scopes")          \
	X(K3, "K3", "seq_cst atomics act on both regions")                                         \
	X(K4, "K4", "seq_cst fences order only the regions in their flags")                        \
	X(K5, "K5", "synchronisation of two atomics needs inclusive scopes")                       \
	X(K6, "K6", "values out of thin air")                                                      \
	X(K7, "K7", "work-group scope of legacy atomics across work-groups")                       \
	X(K8, "K8", "seq_cst order contains happens-before, or less as in C++20 or RC11")          \
	X(K9, "K9", "a failing atomic_cmpxchg reads and writes, or only reads")                    \
	X(K10, "K10", "how a seq_cst fence bears on 2.0's conditions for the seq_cst order")       \
	X(K11, "K11", "read_mem_fence and write_mem_fence order one kind of access only")

enum oclmm_knob {
#define OCLMM_X(name, ...) OCLMM_KNOB_##name,
	OCLMM_KNOBS(OCLMM_X)
#undef OCLMM_X
		OCLMM_KNOB_COUNT
};

const char *oclmm_knob_name(enum oclmm_knob knob);
const char *oclmm_knob_question(enum oclmm_knob knob);

/** One reading of the texts: a regime, and the knobs that are taken the other way. */
struct oclmm_reading {
	enum oclmm_model regime; /**< any model but consensus */
	unsigned alternatives;   /**< set of 1u << enum oclmm_knob, without K1 */
};
/**
 * Whether a model's verdict is taken over a reading: that of a version over those of its text,
 * consensus over all but `scoped`.
 */
bool oclmm_model_covers(enum oclmm_model model, const struct oclmm_reading *reading);

/** What a model says of one outcome. */
enum oclmm_status {
	OCLMM_STATUS_FORBIDDEN, /**< race-free and forbidden under every reading that applies */
	OCLMM_STATUS_ALLOWED,
	OCLMM_STATUS_DISPUTED,  /**< the readings that apply differ */
	OCLMM_STATUS_UNDEFINED, /**< the program has undefined behaviour under a reading that
	                           applies */
};
/** `forbidden`, `allowed`, `disputed`, `undefined`. */
const char *oclmm_status_word(enum oclmm_status status);

/** Why a program is undefined. */
enum oclmm_undefined {
	OCLMM_UNDEFINED_NOT,
	OCLMM_UNDEFINED_RACE,        /**< data race, A:3.3.9 and glossary */
	OCLMM_UNDEFINED_UNSEQUENCED, /**< conflicting accesses of one expression */
	OCLMM_UNDEFINED_DIVERGENCE,  /**< a barrier not reached by all work-items, C:6.15.8 */
	OCLMM_UNDEFINED_OVERFLOW,    /**< signed overflow of a plain operator */
	OCLMM_UNDEFINED_DIVISION,    /**< division by zero */
	OCLMM_UNDEFINED_INDEX,       /**< index outside the array */
};
const char *oclmm_undefined_word(enum oclmm_undefined reason);

/** One access named in a witness. */
struct oclmm_access {
	uint32_t thread; /**< index into program->threads */
	struct oclmm_position position;
	char text[96]; /**< e.g. `W x=1 rlx wg` */
};

/** Evidence that a program is undefined. */
struct oclmm_witness {
	enum oclmm_undefined reason;
	enum oclmm_model regime;  /**< the regime in which it was found */
	struct oclmm_access a, b; /**< b unused unless two accesses are concerned */
	bool has_b;
	char why[256]; /**< why nothing orders them; a sentence without full stop */
};

/** One final state and what the models say of it. */
struct oclmm_state {
	const int64_t *values;                       /**< one per observable */
	enum oclmm_status status[OCLMM_MODEL_COUNT]; /**< valid for the models asked for */
	/** disputed: the knobs that decide, a set of 1u << enum oclmm_knob; else 0 */
	unsigned deciding[OCLMM_MODEL_COUNT];
	bool condition;         /**< the final condition's predicate holds */
	const bool *allowed_by; /**< for each of the answer's readings */
};

/** The answer for one program. Owned by its arena; free with oclmm_answer_destroy(). */
struct oclmm_answer {
	struct oclmm_arena *arena;
	const struct oclmm_program *program;
	unsigned models; /**< set of 1u << enum oclmm_model that were asked for */
	/**
	 * Every state that some candidate execution reaches (consistent or not)
	 * and that passes the filter, in ascending order of the tuples. States
	 * that no candidate reaches are forbidden without being listed.
	 */
	struct oclmm_state *states;
	uint32_t state_count;
	const struct oclmm_reading *readings; /**< all that were evaluated, each once */
	const bool *undefined_by;             /**< for each reading: the program is undefined */
	uint32_t reading_count;
	bool undefined[OCLMM_MODEL_COUNT];
	struct oclmm_witness witness[OCLMM_MODEL_COUNT]; /**< valid where `undefined` */
	struct oclmm_outcome_space space;                /**< for the device's histogram */
	bool may_be_cut;     /**< some path exceeds a loop's unroll bound */
	uint64_t candidates; /**< candidate executions looked at */
	uint64_t consistent; /**< consistent under some setting */
	double seconds;      /**< wall clock */
};

struct oclmm_check_options {
	unsigned models;   /**< set of 1u << enum oclmm_model; consensus, which 0 means too, brings
	                      the versions with it */
	double time_limit; /**< seconds; 0 means none. Past it: -ETIME, no partial answer */
};

/**
 * Answers a program.
 * \return 0; -E2BIG beyond the limits above; -ETIME past the time limit;
 * -EINVAL for a program the model cannot read (`error` says which line), or for a model that
 * there is not.
 */
int oclmm_check(const struct oclmm_program *program, const struct oclmm_check_options *options,
                struct oclmm_error *error, struct oclmm_answer **ret_answer);
void oclmm_answer_destroy(struct oclmm_answer *answer);

struct oclmm_many_options {
	struct oclmm_check_options check; /**< of each program */
	unsigned threads;                 /**< 0: one for each processor there is */
};

/**
 * Gets the answer of programs[index], in one of several threads and at the same time as others.
 * \param result as of oclmm_check(); the answer is NULL, and `error` says why, unless it is 0
 * \param answer valid until the call returns
 */
typedef void (*oclmm_answered)(void *data, size_t index, int result,
                               const struct oclmm_answer *answer, const struct oclmm_error *error);

/**
 * Answers many programs on all processors, each as oclmm_check() does and in no particular order.
 * Programs may share what they refer to; nothing of them is changed. Memory is kept from one
 * program to the next, so that small programs cost little beside their search.
 * \return 0 when `answered` was called for each program; -EINVAL for an unknown model
 */
int oclmm_check_many(const struct oclmm_program *const *programs, size_t count,
                     const struct oclmm_many_options *options, oclmm_answered answered, void *data);

/** The status of any tuple: listed states as listed, others forbidden (or undefined). */
enum oclmm_status oclmm_answer_status(const struct oclmm_answer *answer, enum oclmm_model model,
                                      const int64_t *values);

/** herd's word for the final condition over the allowed states of a model. */
enum oclmm_observation {
	OCLMM_OBSERVATION_NEVER, /**< the predicate holds in no allowed state */
	OCLMM_OBSERVATION_SOMETIMES,
	OCLMM_OBSERVATION_ALWAYS,
	OCLMM_OBSERVATION_UNDEFINED, /**< the program is undefined */
	OCLMM_OBSERVATION_DISPUTED,  /**< consensus: readings differ between the words above */
};
enum oclmm_observation oclmm_answer_observation(const struct oclmm_answer *answer,
                                                enum oclmm_model model);
/**
 * The word for a program that is not undefined, given whether its predicate holds, and fails, in
 * some allowed state, and in some state that is allowed or disputed.
 */
enum oclmm_observation oclmm_observation_of(bool holds, bool fails, bool may_hold, bool may_fail);
/** `Never`, `Sometimes`, `Always`, `Undefined`, `Disputed`. */
const char *oclmm_observation_word(enum oclmm_observation observation);

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
	uint32_t instance;     /**< barriers: which one of its kind in the thread, from 0 */
	uint32_t sequence;     /**< barriers: which one of either kind */
	const char *label;     /**< barriers: as written, or NULL */
	int64_t read, written; /**< values, in an execution */
	struct oclmm_position position;
};

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
	bool command;            /**< of two commands that are ordered, A:3.3.9.5: likewise */
	unsigned x;              /**< the write of the release side, which heads a sequence */
	unsigned w;              /**< the member of it that is read from: x itself or another */
	unsigned y;              /**< the read of the acquire side */
};

/** A set of events is one word; a relation is an array of words, the n-th the successors of event
 * n. */
typedef uint64_t oclmm_events;

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
	unsigned broken;   /**< set of 1u << enum oclmm_axiom; 0: consistent */
	const int64_t *values; /**< the final state, one value per observable; NULL: cut by a loop's
	                          bound */
};

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
struct oclmm_total_circle {
	struct oclmm_total_edge edge[OCLMM_MAX_EVENTS];
	unsigned count;
};

enum { OCLMM_MAX_OTHERS = 6 };

/** The most basic axiom that an execution breaks, and the shortest circle that shows it. */
struct oclmm_breach {
	enum oclmm_rule rule;
	/**
	 * Edges, each from where the one before it leads, the last to where the first begins. Of
	 * OCLMM_RULE_UNORDERED only the reads-from edge that it refuses: no circle shows what is
	 * missing.
	 */
	struct oclmm_arrow arrow[OCLMM_MAX_EVENTS];
	unsigned count;
	struct oclmm_total_circle total; /**< seq_cst: what the arrows are the reasons for */
	/**
	 * Reads from weaker writes may stand in several places in S, and a circle is closed
	 * wherever they do: `total`, which is the shortest, or one of the others, of which these
	 * are the first.
	 */
	bool placed;
	struct oclmm_total_circle other[OCLMM_MAX_OTHERS];
	unsigned other_count;
	bool more; /**< there may be others beyond these */
};
/** \return false for a consistent execution, and where no circle is short enough to be told. */
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
	double time_limit; /**< seconds; 0: none */
};

/**
 * Visits the candidate executions of a program in a fixed order, which does not depend on the
 * reading.
 * \return 0; what `visit` stopped with; -ETIME past a limit; -E2BIG and -EINVAL as oclmm_check().
 */
int oclmm_executions(const struct oclmm_program *program, const struct oclmm_visit_options *options,
                     struct oclmm_error *error);
/** \return a copy that the arena owns. */
struct oclmm_execution *oclmm_execution_copy(struct oclmm_arena *arena,
                                             const struct oclmm_program *program,
                                             const struct oclmm_execution *execution);

#ifdef __cplusplus
}
#endif

#endif
