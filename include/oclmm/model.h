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
#pragma GCC visibility push(default)

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
bool oclmm_model_find(const char *word, size_t length, enum oclmm_model *ret_model);
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

/*
 * The points on which the texts can be read in more than one way. K1 is the regime: 2.0, 2.1-3.0 or
 * 3.1. Each version is answered with all the others open. X(enumerator, short name, question,
 * whether the other reading forbids more, what is different under the reading that allows, what
 * changes). What is different is NULL where the cycle that `explain` draws shows it. What changes
 * is happens-before (HB), the order S of seq_cst operations, the events (which matter to few
 * programs), or something that only this knob changes.
 */
#define OCLMM_KNOBS(X)                                                                             \
	X(K1, "K1", "regime: inclusive scopes equal or wider, seq_cst order conditional or not",   \
	  false, NULL, ITSELF)                                                                     \
	X(K2, "K2", "seq_cst order over all operations or only between inclusive scopes", false,   \
	  NULL, S)                                                                                 \
	X(K3, "K3", "seq_cst atomics act on both regions", false, NULL, HB)                        \
	X(K4, "K4", "seq_cst fences order only the regions in their flags", false, NULL, S)        \
	X(K5, "K5", "synchronisation of two atomics needs inclusive scopes", false, NULL, HB)      \
	X(K6, "K6", "values out of thin air", false, NULL, ITSELF)                                 \
	X(K7, "K7", "work-group scope of legacy atomics across work-groups", false, NULL, HB)      \
	X(K8, "K8", "seq_cst order contains happens-before, or less as in C++20 or RC11", false,   \
	  NULL, S)                                                                                 \
	X(K9, "K9", "a failing atomic_cmpxchg reads and writes, or only reads", false,             \
	  "an atomic_cmpxchg that fails only reads there", EVENTS)                                 \
	X(K10, "K10", "how a seq_cst fence bears on 2.0's conditions for the seq_cst order",       \
	  false,                                                                                   \
	  ("no order S is asked for there: its conditions speak of locations, "                    \
	   "and a fence affects none"),                                                            \
	  ITSELF)                                                                                  \
	X(K11, "K11", "read_mem_fence and write_mem_fence order one kind of access only", false,   \
	  "read_mem_fence orders only loads there, and write_mem_fence only stores", EVENTS)       \
	X(K12, "K12", "wait_group_events is a barrier of the work-group, too", true,               \
	  "wait_group_events orders only what is copied there: it is no barrier", EVENTS)          \
	X(K13, "K13", "enqueue_kernel orders what stands before it in every kind of memory", true, \
	  "enqueue_kernel orders only fine-grained shared virtual memory there", EVENTS)           \
	X(K14, "K14", "the scope of a fence is reduced by the memory that it orders", false,       \
	  "a fence of scope all_svm_devices keeps its scope there, whatever memory it orders",     \
	  EVENTS)                                                                                  \
	X(K15, "K15", "atomics order fine-grained memory without atomics across devices", true,    \
	  ("only synchronization points of commands order fine-grained memory without "            \
	   "atomics there"),                                                                       \
	  EVENTS)                                                                                  \
	X(K16, "K16", "a collective function of a work-group is a barrier, too", true,             \
	  "a collective function orders no memory there: it is no barrier", EVENTS)                \
	X(K17, "K17", "a blocking write is complete when its call returns", false,                 \
	  "the call of a blocking write returns there before the command is complete", EVENTS)     \
	X(K18, "K18", "a status of CL_COMPLETE that the host sees orders what follows", true,      \
	  "a host that sees the status CL_COMPLETE is ordered by nothing there", EVENTS)           \
	X(K19, "K19", "a buffer over shared virtual memory is one location with it", false,        \
	  "what is written by the buffer or by the pointer is not seen by the other there",        \
	  EVENTS)

enum oclmm_knob {
#define OCLMM_X(name, ...) OCLMM_KNOB_##name,
	OCLMM_KNOBS(OCLMM_X)
#undef OCLMM_X
		OCLMM_KNOB_COUNT
};

const char *oclmm_knob_name(enum oclmm_knob knob);
bool oclmm_knob_find(const char *word, size_t length, enum oclmm_knob *ret_knob);
const char *oclmm_knob_question(enum oclmm_knob knob);
/** Prints a set of 1u << enum oclmm_knob: `K1 K2`. */
void oclmm_knobs_print(struct oclmm_text *text, unsigned knobs);

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
	OCLMM_UNDEFINED_RACE,       /**< data race, A:3.3.9 and glossary */
	OCLMM_UNDEFINED_DIVERGENCE, /**< a barrier not reached by all work-items, C:6.15.8 */
	OCLMM_UNDEFINED_OVERFLOW,   /**< signed overflow of a plain operator */
	OCLMM_UNDEFINED_DIVISION,   /**< division by zero */
	OCLMM_UNDEFINED_INDEX,      /**< index outside the array */
	OCLMM_UNDEFINED_OVERLAP,    /**< a use of an object while it is mapped or migrated, A:5.5 */
	OCLMM_UNDEFINED_UNSET,      /**< a local object is read before it has a value, C:6.7.1 */
	OCLMM_UNDEFINED_SEMAPHORE,  /**< signals and waits that do not take turns, cl_khr_semaphore
	                             */
	OCLMM_UNDEFINED_EXTERNAL,   /**< external memory that is not acquired, or not released */
	/** arrivals and waits that do not take turns, cl_intel_split_work_group_barrier */
	OCLMM_UNDEFINED_SPLIT_BARRIER,
};
const char *oclmm_undefined_word(enum oclmm_undefined reason);

/** One access named in a witness. */
struct oclmm_access {
	uint32_t thread; /**< index into program->threads */
	struct oclmm_position position;
	const struct oclmm_statement *statement; /**< of the program; NULL: not known */
	char text[96];                           /**< e.g. `W x=1 rlx wg` */
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
	/** Where `undefined`: the knobs that decide whether the program is, as in oclmm_state. */
	unsigned undefined_deciding[OCLMM_MODEL_COUNT];
	struct oclmm_witness witness[OCLMM_MODEL_COUNT]; /**< valid where `undefined` */
	struct oclmm_outcome_space space;                /**< for the device's histogram */
	/** Observables, as bits, that may have any value in some execution (C:6.4, division): of
	 * theirs the states list only some. */
	uint64_t unspecified;
	/** In some execution there is no quotient where one is computed, whether or not the value
	 * is seen: a device may trap there. */
	bool divides;
	bool may_be_cut; /**< some path exceeds a loop's unroll bound */
	/** The work-items of a shared text were run step by step: no outcome depends on their
	 * order, and the only one is listed. */
	bool in_step;
	/** Undefined, as was found among the states that the program can reach, because its
	 * executions are too many: none of these was looked at to the end, and no state is listed.
	 */
	bool explored;
	uint64_t candidates; /**< candidate executions looked at */
	uint64_t consistent; /**< consistent under some setting */
	double seconds;      /**< wall clock */
};

/*
 * What `scoped` has otherwise than the text of opencl-2.1, as both stand without alternatives.
 * X(enumerator, in words)
 */
#define OCLMM_SCOPED_RULES(X)                                                                      \
	X(SCOPES, "no scope is reduced by the memory that it is used on (A:3.3.8)")                \
	X(ORDER, "seq_cst operations have an acyclic relation instead of the order S "             \
	         "(A:3.3.9.1)")                                                                    \
	X(MEMORY, "all memory is alike, and commands order none of it (A:3.3.5, A:3.3.9.5)")

enum oclmm_scoped_rule {
#define OCLMM_X(name, ...) OCLMM_SCOPED_##name,
	OCLMM_SCOPED_RULES(OCLMM_X)
#undef OCLMM_X
		OCLMM_SCOPED_RULE_COUNT
};
const char *oclmm_scoped_rule_text(enum oclmm_scoped_rule rule);

struct oclmm_cat_model;
struct oclmm_explored;
/**
 * Reads a model in the cat language (`oclmm/cat.h`) that speaks of the sets and relations at the
 * head of docs/opencl.cat. Free it with oclmm_cat_destroy().
 * \return 0; -EINVAL with place and reason in `error`; another negative errno value where the file
 * cannot be read.
 */
int oclmm_model_read(const char *path, struct oclmm_error *error,
                     struct oclmm_cat_model **ret_model);

struct oclmm_check_options {
	unsigned models;   /**< set of 1u << enum oclmm_model; consensus, which 0 means too, brings
	                      the versions with it */
	double time_limit; /**< seconds of processor time; 0 means none. Past it: -ETIME, no partial
	                      answer */
	/** NULL, or what is called now and then: 0 to go on, or the value with which
	 * oclmm_check() ends, -EINTR or -ETIME. */
	int (*ended)(const void *data);
	const void *data; /**< for it */
	/**
	 * A model that takes the place of ours, or NULL: the answer under each model that is asked
	 * for is then what it says, and a flag that it raises makes the program undefined. It
	 * judges every candidate execution, also those that ours rules out beforehand. Threads
	 * that ask by one take turns.
	 */
	struct oclmm_cat_model *cat;
	/** Rules that `scoped` takes from the text of opencl-2.1 instead: a set of 1u << enum
	 * oclmm_scoped_rule. With all of them it is that text. Only where it alone is asked. */
	unsigned scoped_by_text;
	/** NULL, or where what was explored on the way is left, if it was explored whole: the final
	 * states under the texts of 2.1 as written, of a program that is not answered; those under
	 * that of 3.1 are the same unless `scopes_differ`. NULL: it was not. The caller destroys
	 * it. */
	struct oclmm_explored **ret_explored;
};

/** In which order work-items play up to a barrier. */
enum oclmm_play {
	OCLMM_PLAY_FORWARDS,  /**< one after another, as in the loop that a compiler for CPUs makes
	                       */
	OCLMM_PLAY_BACKWARDS, /**< the last one first */
	OCLMM_PLAY_LANES,     /**< a statement of each by turns, as lanes of one instruction do */
	OCLMM_PLAY_COUNT
};
/**
 * Plays a program whose work-items share a text (oclmm_program.shared) once, group after group.
 * Races do not matter: what a wrong compiler made runs all the same.
 * \param ret_values as many as there are observables
 * \return 0; -EINVAL where it is undefined for another reason, such as a barrier that not all
 * reach; -E2BIG where it takes too many steps
 */
int oclmm_play_in_step(const struct oclmm_program *program, enum oclmm_play order,
                       int64_t *ret_values);

/**
 * Answers a program. Several threads may ask at once, of programs that share what they refer to,
 * too: nothing of them is changed. A thread keeps its memory from one program to the next, so that
 * small programs cost little beside their search. \return 0; -E2BIG beyond the limits above; -ETIME
 * past the time limit; -EINVAL for a program the model cannot read (`error` says which line), or
 * for a model that there is not.
 */
int oclmm_check(const struct oclmm_program *program, const struct oclmm_check_options *options,
                struct oclmm_error *error, struct oclmm_answer **ret_answer);
void oclmm_answer_destroy(struct oclmm_answer *answer);
/**
 * By which rules of the text `scoped` would give the word for a program that opencl-2.1 gives it, a
 * set of 1u << enum oclmm_scoped_rule: as few as possible, none where the words are the same.
 * \return 0, or what oclmm_check() returns
 */
int oclmm_scoped_difference(const struct oclmm_program *program, double time_limit,
                            struct oclmm_error *error, unsigned *ret_rules);

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

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
