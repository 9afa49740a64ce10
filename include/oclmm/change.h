// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Changes of programs, as a compiler, a driver or a machine makes them that is wrong: single steps,
 * each at a place of a copy that is the caller's (oclmm_program_copy()); and what is changed, taken
 * together with where, wherever a program has such a place.
 */
#ifndef OCLMM_CHANGE_H
#define OCLMM_CHANGE_H

#include "oclmm/ir.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- what statements do ------------------------------------------------ */

/** What a statement does, the bodies inside included. Registers beyond 63 share the last bit. */
struct oclmm_effects {
	uint64_t reads, writes; /**< registers, as oclmm_register_bit() */
	unsigned accesses;      /**< to memory, in the text */
	uint32_t location;      /**< of the last of them */
	bool synchronises;      /**< a fence or a barrier */
};
uint64_t oclmm_register_bit(uint32_t reg);
struct oclmm_effects oclmm_statement_effects(const struct oclmm_statement *statement);
/** Whether one of two statements needs a register that the other one writes. */
bool oclmm_effects_depend(const struct oclmm_effects *a, const struct oclmm_effects *b);

/* ---- steps ------------------------------------------------------------- */

/* The wrong steps, from the one that a program is most alike after. X(enumerator, word, what a
 * compiler did) */
#define OCLMM_STEPS(X)                                                                             \
	X(EXCHANGE, "exchange", "two accesses of one work-item are exchanged")                     \
	X(HALVES, "halves", "an access of 64 bits is made in two halves")                          \
	X(SPLIT, "split", "a read-modify-write is made of a load and a store")                     \
	X(EARLY, "early", "an access is made before several that stand in front of it")            \
	X(LATE, "late", "an access is made after several that stand behind it")                    \
	X(HOIST, "hoist", "an access is made before the branch that it depends on")                \
	X(REUSE, "reuse", "a load is left out for the value that an earlier one read")             \
	X(DROP, "drop", "a store is left out")                                                     \
	X(RELOAD, "reload", "what a read-modify-write found is taken from a load before it")       \
	X(ALWAYS, "always", "a branch is taken whatever its condition says")                       \
	X(AGAIN, "again", "a value is loaded once more where it is stored")                        \
	X(EVERYWHERE, "everywhere", "work-items have a step each, as one compiler makes it")       \
	/* of a text that work-items share: what becomes of it that is cut wrongly at a barrier */ \
	X(BARRIER_LOST, "barrier-lost", "a barrier is left out")                                   \
	X(ACCESS_EARLY, "access-early", "an access is made before the barrier in front of it")     \
	X(ACCESS_LATE, "access-late", "an access is made behind the barrier that follows it")      \
	X(PRIVATE_LOST, "private-lost", "a private variable loses its value at a barrier")         \
	X(REST_LOST, "rest-lost", "what stands behind a barrier in its block is left out")         \
	X(REST_TWICE, "rest-twice",                                                                \
	  "what stands behind a barrier is done twice by the first work-item")                     \
	X(REST_FIRST, "rest-first",                                                                \
	  "what stands behind a barrier is done by the first work-item alone")                     \
	X(ALL_ENTER, "all-enter", "a branch is taken by all, as if lanes could not part")          \
	X(NONE_ENTERS, "none-enters", "a branch is taken by nobody")                               \
	X(TURN_TWICE, "turn-twice", "the body of a loop with a barrier is run twice in each turn") \
	X(JUMP_LOST, "jump-lost", "a break, continue or return is left out")                       \
	X(POINTER_SAME, "pointer-same", "a pointer that each work-item chooses is the same in all")

enum oclmm_moved_step {
#define OCLMM_X(name, ...) OCLMM_STEP_##name,
	OCLMM_STEPS(OCLMM_X)
#undef OCLMM_X
		OCLMM_STEP_COUNT,
	OCLMM_STEP_FIRST_OF_TEXT = OCLMM_STEP_BARRIER_LOST
};
const char *oclmm_step_word(enum oclmm_moved_step step);
const char *oclmm_step_meaning(enum oclmm_moved_step step);

/** The thread of a copy that is changed, and where what is new comes from. */
struct oclmm_edit {
	struct oclmm_program *program;
	struct oclmm_arena *arena;
	uint32_t thread;
};

/** Whether a statement can be taken apart as SPLIT, HALVES, RELOAD or ALWAYS would. */
bool oclmm_step_possible(enum oclmm_moved_step step, const struct oclmm_program *program,
                         const struct oclmm_statement *statement);
/**
 * Takes a step. `from` and `to` are the links of the two statements of EXCHANGE (the earlier one
 * first), EARLY and LATE (before, or behind, a statement that `from` is no part of), HOIST (out of
 * a branch, to stand before `to`), REUSE (of the register that `to` assigns) and AGAIN (of the load
 * `to`); for the others both are of one statement. EVERYWHERE is no single step, and nothing; steps
 * of a text that work-items share are taken in that text, see below.
 */
void oclmm_change_step(const struct oclmm_edit *edit, enum oclmm_moved_step step,
                       struct oclmm_statement **from, struct oclmm_statement **to);
/** Whether a statement stores just what a register holds. */
bool oclmm_change_stores_register(const struct oclmm_statement *statement, uint32_t *ret_register);

/* ---- what synchronises, a step weaker ------------------------------------- */

/** What one atomic function or fence asks for, whatever it stands in. */
struct oclmm_strength {
	enum oclmm_ordered kind;
	bool present; /**< a fence that is none is not */
	enum oclmm_order order;
	enum oclmm_scope scope;
	unsigned flags; /**< of a fence */
};

/** The steps down. */
enum oclmm_weaker {
	OCLMM_WEAKER_ORDER,   /**< an order next below */
	OCLMM_WEAKER_PART,    /**< an update becomes the load or store that is needed of it */
	OCLMM_WEAKER_REMOVED, /**< a fence is left out */
	OCLMM_WEAKER_FLAGS,   /**< a fence is for one kind of memory alone */
	OCLMM_WEAKER_SCOPE,   /**< the scope is the next narrower one */
};
/**
 * Calls `each` for each single step down, in the order of the steps.
 * \param steps that are wanted, a set of 1u << enum oclmm_weaker
 * \param part what is needed of an update; OCLMM_ORDERED_UPDATE: all of it
 * \return 0, or what `each` returned, where that was not 0 and ended it
 */
int oclmm_weaker_each(const struct oclmm_strength *from, unsigned steps, enum oclmm_ordered part,
                      int (*each)(void *data, enum oclmm_weaker step,
                                  const struct oclmm_strength *weaker),
                      void *data);
/** The next narrower scope, down to the work-group; OCLMM_SCOPE_NONE: there is none. */
enum oclmm_scope oclmm_scope_narrower(enum oclmm_scope scope);

/* ---- what synchronises, at one place -------------------------------------- */

/* What is adjusted: X(enumerator). All but the last three are of what stands there. */
#define OCLMM_ADJUSTMENTS(X)                                                                       \
	X(ORDER)   /* of an atomic function or a fence; value: the order */                        \
	X(FAILURE) /* of a compare-exchange; value: the order */                                   \
	X(SCOPE)   /* value: the scope */                                                          \
	X(FLAGS)   /* of a fence or a barrier; value: the flags */                                 \
	X(REMOVE)  /* a fence or a barrier */                                                      \
	X(FENCE)   /* a new one; value: the order */                                               \
	X(BARRIER) /* a new one in each thread of a group */                                       \
	X(ATOMIC)  /* an object becomes atomic; value: its location */

enum oclmm_adjustment_kind {
#define OCLMM_X(name) OCLMM_ADJUSTMENT_##name,
	OCLMM_ADJUSTMENTS(OCLMM_X)
#undef OCLMM_X
		OCLMM_ADJUSTMENT_COUNT
};

/** What is adjusted, and where: places are numbered as the text has them, alike in all copies. */
struct oclmm_adjustment {
	enum oclmm_adjustment_kind kind;
	unsigned site;
	unsigned value;
	unsigned flags;                   /**< of a new fence or barrier */
	enum oclmm_scope scope;           /**< of a new fence; of accesses that become atomic */
	unsigned gaps[OCLMM_MAX_THREADS]; /**< BARRIER: places */
	unsigned gap_count;
	unsigned cost; /**< how large a change it is for the author */
};

/** A copy of a program, and its places. */
struct oclmm_adjusted;
/** What the copy has lives in the arena; its places until it is destroyed. */
struct oclmm_adjusted *oclmm_adjusted_create(struct oclmm_arena *arena,
                                             const struct oclmm_program *original);
/** Accepts NULL. The program stays. */
void oclmm_adjusted_destroy(struct oclmm_adjusted *copy);
const struct oclmm_program *oclmm_adjusted_program(const struct oclmm_adjusted *copy);
/**
 * All single adjustments of a program that make it stronger, or weaker, the smallest first.
 * There are none of a text that work-items share.
 * \param copy of it, as it is
 * \param ret_cut there are more ways to place a barrier than are listed
 * \return malloc-ed, the caller's; NULL where there are none
 */
struct oclmm_adjustment *oclmm_adjustments_list(const struct oclmm_adjusted *copy, bool stronger,
                                                size_t *ret_count, bool *ret_cut);
/**
 * Makes them, once. What stands in the text once is changed wherever the program has it.
 * \return false where one cannot be made; then the copy is of no use
 */
bool oclmm_adjust(struct oclmm_adjusted *copy, const struct oclmm_adjustment *list, unsigned count);
/** Whether two are of one kind and place; of new statements, of one thread or group. */
bool oclmm_adjustment_is_like(const struct oclmm_adjusted *copy, const struct oclmm_adjustment *a,
                              const struct oclmm_adjustment *b);
/** `the atomic_load of P1 in line 38 with memory_order_relaxed`. */
void oclmm_adjustment_print(struct oclmm_text *text, const struct oclmm_adjusted *copy,
                            const struct oclmm_adjustment *adjustment);
/** The narrowest scope that reaches every thread of a program. */
enum oclmm_scope oclmm_adjustment_scope(const struct oclmm_program *program);

/** One line that differs. */
struct oclmm_change_line {
	uint32_t thread; /**< index into program->threads */
	uint32_t line;   /**< in the litmus file; of an inserted line, what `place` goes by */
	const char
		*place; /**< of an inserted line: `before line 12`, `at the end of P1`; else NULL */
	const char *before; /**< NULL where a line is inserted */
	const char *after;  /**< NULL where a line is removed */
};
/** The lines in which an adjusted copy differs from its program, in the arena. */
void oclmm_adjusted_lines(struct oclmm_adjusted *copy, struct oclmm_change_line **ret_lines,
                          unsigned *ret_count);

/* ---- what, and where ---------------------------------------------------- */

/* clang-format off */
/* Mistakes in what one operation computes: X(enumerator). */
#define OCLMM_MISTAKES(X)                                                                          \
	X(NOTHING_STORED) X(AS_EXCHANGE) X(AS_ADD) X(AS_SUB) X(AS_OR) X(AS_XOR) X(AS_AND)          \
	X(AS_MIN) X(AS_MAX) X(AS_INC) X(AS_DEC) X(STORES_BYTE) X(STORES_LOW) X(STORES_HIGH)        \
	X(STORES_NO_TOP) X(STORES_NARROW) X(STORES_NARROW_SIGN) X(ZERO_KEPT) X(COMPARES_BYTE)      \
	X(COMPARES_LOW) X(COMPARES_HIGH) X(COMPARES_NO_TOP) X(OTHER_SIGN) X(NO_CARRY_8)            \
	X(NO_CARRY_16) X(NO_CARRY_32) X(SATURATES) X(RETURNS_NEW) X(RETURNS_LOW)                   \
	X(RETURNS_NO_TOP) X(FAILURE_WRITES) X(EXPECTED_KEPT) X(OPERAND_8) X(OPERAND_16)            \
	X(OPERAND_32) X(OPERAND_NO_TOP) X(OPERAND_SIGN_8) X(OPERAND_SIGN_16) X(OPERAND_SIGN_32)    \
	X(OPERAND_ONE_MORE) X(OPERAND_NEGATED) X(SWAPPED) X(EXPECTS_16) X(EXPECTS_ONE_MORE)        \
	X(OPERAND_INVERTED) X(REVERSED) X(RETURNS_OPERAND) X(EXPECTED_STORED) X(SAYS_SUCCESS)      \
	X(SAYS_FAILURE) X(FAILS) X(SUCCEEDS)

/* What is changed: X(enumerator). */
#define OCLMM_WHATS(X)                                                                             \
	X(NOTHING)                                                                                 \
	/* orders, scopes */                                                                       \
	X(NO_TOTAL_ORDER) X(NO_ACQUIRE) X(NO_RELEASE) X(RMW_RELAXED) X(FAILURE_RELAXED)            \
	X(RELAXED) X(SCOPE) X(UNORDERED)                                                           \
	/* fences and barriers */                                                                  \
	X(FENCE_DROPPED) X(FENCE_WEAKENED) X(FENCE_TO_ACQUIRE) X(FENCE_TO_RELEASE) X(FENCE_ONCE)   \
	X(FENCE_FLAGS) X(MEM_FENCE_DROPPED) X(BARRIER_DROPPED) X(BARRIER_NO_FLAGS)                 \
	X(BARRIER_SWAPPED)                                                                         \
	/* updates that are not indivisible, or no updates */                                      \
	X(SPLIT) X(SPLIT_FETCH) X(SPLIT_CAS) X(SPLIT_LEGACY) X(STORE_FOR_EXCHANGE) X(LOST)         \
	X(TWICE) X(PLAIN) X(NO_RETRY) X(RESULT_EARLY) X(EXPECTED_LATE) X(ZERO_LOAD) X(SAME_LOAD)   \
	X(COUNT_LOST)                                                                              \
	/* statements that change places, are dropped, made twice, answered by what is known */    \
	X(LOADS_REVERSED) X(LOADS_SWAPPED) X(STORES_SWAPPED) X(LOAD_EARLY) X(STORE_EARLY)          \
	X(UPDATE_EARLY) X(UPDATE_LATE) X(PLAIN_LATE) X(FENCE_EARLY) X(FENCE_LATE) X(LOAD_REUSED)   \
	X(GUARDED_EARLY) X(STORE_INVENTED) X(STORE_FORWARDED) X(UPDATE_FORWARDED)                  \
	X(SAME_DROPPED) X(STORE_DROPPED) X(STORE_REPEATED) X(LOAD_REPEATED) X(LOAD_STORED)         \
	/* how memory is reached */                                                                \
	X(LOAD_ONCE) X(PLAIN_ACCESS) X(TORN) X(NEIGHBOUR) X(WORD) X(ELEMENT) X(INIT_LOST)          \
	X(INIT_NARROW)                                                                             \
	OCLMM_MISTAKES(X)                                                                          \
	X(FLOAT_BITS) X(FLOAT_ZERO) X(FLOAT_PAYLOAD) X(FLOAT_SUBNORMAL) X(FLOAT_EQUAL)             \
	/* what devices have or lack, and what tells a work-item where it is */                    \
	X(COLLECTIVE_ALONE) X(VARIABLE_COPIED) X(VARIABLE_DIRTY) X(INITIALISER_LOST)               \
	X(COPY_SHORT) X(COPY_STRIDE) X(COPY_UNAWAITED) X(CHILD_EARLY) X(CHILD_UNAWAITED)           \
	X(IMAGE_STALE)                                                                             \
	/* steps of a text that work-items share, in the order of OCLMM_STEPS */                   \
	X(BARRIER_LOST) X(ACCESS_EARLY) X(ACCESS_LATE) X(PRIVATE_LOST) X(REST_LOST)                \
	X(REST_TWICE) X(REST_FIRST) X(ALL_ENTER) X(NONE_ENTERS) X(TURN_TWICE) X(JUMP_LOST)         \
	X(POINTER_SAME) X(LOCAL_IDS) X(GROUP_IDS) X(SIZES) X(GLOBAL_IDS)
/* clang-format on */

enum oclmm_what {
#define OCLMM_X(name) OCLMM_WHAT_##name,
	OCLMM_WHATS(OCLMM_X)
#undef OCLMM_X
		OCLMM_WHAT_COUNT
};
/** Whether it is one of OCLMM_MISTAKES. */
bool oclmm_what_is_mistake(enum oclmm_what what);

/* Where: X(enumerator). The first ones are known from the program; from FIRST_GUARD on, when the
 * kernel runs. */
#define OCLMM_WHERES(X)                                                                            \
	X(ANYWHERE)                                                                                \
	X(WIDE)       /* objects of 64 bits */                                                     \
	X(SHORT)      /* calls without an order */                                                 \
	X(LOCAL)      /* local memory */                                                           \
	X(UNUSED)     /* calls whose result nobody wants */                                        \
	X(BRANCH)     /* in a branch */                                                            \
	X(MIXED)      /* objects that another function updates, too */                             \
	X(STORED)     /* objects that are stored, too */                                           \
	X(LOOP)       /* in a loop, */                                                             \
	X(SWITCH)     /* in a switch, */                                                           \
	X(STRAIGHT)   /* in none of these and no branch, of a text that work-items share */        \
	X(ELEMENT)    /* elements of arrays */                                                     \
	X(NTH)        /* the N-th statement of a work-item that accesses memory, or orders that */ \
	X(LAST)       /* the last one */                                                           \
	X(UNLIKE_ONE) /* stores of what is not the constant 1 */                                   \
	X(ARRIVE)     /* arrivals at split barriers */                                             \
	X(WAIT)       /* waits at them */                                                          \
	X(OTHER)      /* stores of anything but 1 */                                               \
	X(BIG_GROUP)  /* groups of N work-items or more */                                         \
	X(SMALL_GROUP)  /* of N or less */                                                         \
	X(EXACT_GROUP)  /* of N */                                                                 \
	X(UNEVEN_GROUP) /* of no multiple of N */                                                  \
	X(ODD_GROUP)    /* groups of odd number */                                                 \
	X(FROM_GROUP)   /* groups from number N on */                                              \
	X(MANY_GROUPS)  /* launches of N groups or more */                                         \
	X(LONE_GROUP)   /* launches of N groups */                                                 \
	X(LANE)         /* the last of N work-items */                                             \
	X(SHIFTED)      /* addresses of no multiple of N */                                        \
	X(RARE)         /* one call in N */                                                        \
	X(FIRST_LAUNCH) /* the first N launches of a kernel */                                     \
	X(LATE_LAUNCH)  /* all behind them */

enum oclmm_where {
#define OCLMM_X(name) OCLMM_WHERE_##name,
	OCLMM_WHERES(OCLMM_X)
#undef OCLMM_X
		OCLMM_WHERE_COUNT,
	OCLMM_WHERE_FIRST_GUARD = OCLMM_WHERE_OTHER
};

/** By what calls are told apart: X(enumerator, what it is). */
#define OCLMM_ASPECTS(X)                                                                           \
	X(FUNCTION, "function")                                                                    \
	X(ORDER, "order")                                                                          \
	X(SCOPE, "scope")                                                                          \
	X(WIDTH, "width")                                                                          \
	X(SPACE, "space")                                                                          \
	X(FORM, "form")                                                                            \
	X(TYPE, "type")

enum oclmm_aspect {
#define OCLMM_X(name, ...) OCLMM_ASPECT_##name,
	OCLMM_ASPECTS(OCLMM_X)
#undef OCLMM_X
		OCLMM_ASPECT_COUNT
};
/** The words that an aspect is named by, with static storage; NULL behind the last. */
const char *oclmm_aspect_word(enum oclmm_aspect aspect, size_t index);

/** A change of a program, as mutation testing has them. */
struct oclmm_mutation {
	enum oclmm_what what;
	enum oclmm_where where;
	uint64_t number; /**< N of `where`, LOST, TWICE, NO_RETRY; bits of TORN */
	/** What the program has to say beside `where`, before FIRST_GUARD; kernels' own calls are
	 * left alone then. */
	enum oclmm_where also;
	uint64_t also_number; /**< N of `also` */
	bool keep_global;     /**< FENCE_FLAGS: global memory is what is left */
	bool all;             /**< SPLIT_LEGACY: unused results, too; UNORDERED: scopes, too */
	bool to_sub_group;    /**< SCOPE ends at the sub-group, not the work-group */
	/** What would be marked (oclmm_changed.marked) is written as statements that do the same,
	 * where there are such: for models, which can read these. */
	bool spelled;
	char function[40]; /**< of a mistake: in this function alone; "": in all but OpenCL 1.x's */
	/** The calls that it is in, by words of oclmm_aspect_word(); NULL: any. */
	const char *words[OCLMM_ASPECT_COUNT];
};

/** What a function does with its object, or what it is instead. */
enum oclmm_function_kind {
	OCLMM_FUNCTION_LOAD,
	OCLMM_FUNCTION_STORE,
	OCLMM_FUNCTION_FETCH, /**< and exchange */
	OCLMM_FUNCTION_CAS,
	OCLMM_FUNCTION_FLAG_SET,
	OCLMM_FUNCTION_FLAG_CLEAR,
	OCLMM_FUNCTION_FENCE,     /**< atomic_work_item_fence */
	OCLMM_FUNCTION_MEM_FENCE, /**< mem_fence, read_mem_fence, write_mem_fence */
	OCLMM_FUNCTION_BARRIER,
	OCLMM_FUNCTION_SPLIT_BARRIER, /**< half of one, which no drawn bug concerns */
	OCLMM_FUNCTION_LEGACY,        /**< OpenCL 1.x: atomic_add and atom_add alike */
	OCLMM_FUNCTION_LEGACY_CAS,
	OCLMM_FUNCTION_INIT,
};

/** One of OpenCL's functions. */
struct oclmm_function {
	const char *name; /**< as aspects have it: `fetch_add`, of OpenCL 1.x `add`, `barrier` */
	enum oclmm_function_kind kind;
	unsigned operands; /**< arguments before orders, or all */
	char update;       /**< what it makes of two values: = < (min) > (max) + - & | ^, or 0 */
};
/** NULL behind the last; those of atomic objects first. */
const struct oclmm_function *oclmm_function_at(size_t index);
/** Whether a mistake (NO_RETRY and RESULT_EARLY, too) can be in a function. */
bool oclmm_function_concerned(enum oclmm_what what, const struct oclmm_function *function);

/** What a change makes of a program. */
struct oclmm_changed {
	/** A copy: calls that no other statement says are marked as wrong (oclmm_atomic.wrong). */
	struct oclmm_program *program;
	size_t places; /**< that were changed; 0: the copy is the same */
	bool marked;   /**< some are marked, so that no model can be asked about it */
};
/**
 * Changes a program wherever it can. All threads keep their barriers, copies and waits, so that
 * they fit the launches of the program.
 */
struct oclmm_changed oclmm_change_program(struct oclmm_arena *arena,
                                          const struct oclmm_program *program,
                                          const struct oclmm_mutation *change);

/* ---- threads as one text -------------------------------------------------- */

/** Whether some thread comes to a barrier, a copy or a wait inside a branch or a loop. */
bool oclmm_has_inner_barrier(const struct oclmm_program *program);
/**
 * Makes of the threads of such a program one text that all work-items share, guarded by who they
 * are where they differ, so that a device can meet at these barriers. Where barriers stand in both
 * arms of a branch, or conditions are not what they seem, work-items may come to two barriers of
 * that text where they came to one in the program; so ask a model about the text as it prints.
 * Its threads are those of `program`, so that no model is to be asked about it as it is.
 * \param ret_program the arena's; it has the observables of `program` in the same order, all of
 * them in memory, and its outcomes; its hash and its name are those of `program`
 * \return 0, or -ENOTSUP with what stands in the way
 */
int oclmm_fuse(struct oclmm_arena *arena, const struct oclmm_program *program,
               struct oclmm_error *error, const struct oclmm_program **ret_program);

/* ---- texts that work-items share ----------------------------------------- */

/** A text that work-items share after one step, from OCLMM_STEP_FIRST_OF_TEXT on. */
struct oclmm_text_step {
	enum oclmm_moved_step step;
	enum oclmm_where where; /**< BRANCH, LOOP, SWITCH or STRAIGHT: what it is next in */
	uint32_t line;          /**< of the body, from 1: the barrier, branch, loop or jump */
	const char *body;       /**< what takes the place of oclmm_shared_text.body */
};
struct oclmm_text_steps {
	const struct oclmm_text_step *items;
	size_t count;
};
/** All steps that a body (oclmm_shared_text.body) has; they are the arena's. */
void oclmm_text_steps_find(struct oclmm_arena *arena, const char *body,
                           struct oclmm_text_steps *ret_steps);
/** Takes a step wherever there is a place for it. \return how many places that are */
size_t oclmm_text_steps_take(struct oclmm_arena *arena, const char *body,
                             enum oclmm_moved_step step, enum oclmm_where where,
                             const char **ret_body);

/** Bodies with something left out, the shortest first. */
struct oclmm_text_cuts {
	const char *const *bodies;
	size_t count;
};
/** What a body becomes without one statement, or without what stands around it: a branch, a loop.
 * Not all of them are legal. They are the arena's. */
void oclmm_text_cuts_find(struct oclmm_arena *arena, const char *body,
                          struct oclmm_text_cuts *ret_cuts);

/** Calls of the kernels' own, beside the test: a set. */
enum {
	OCLMM_OWN_BARRIER = 1u << 0,   /**< barrier(CLK_LOCAL_MEM_FENCE) */
	OCLMM_OWN_INC_LOCAL = 1u << 1, /**< atomic_inc() of a word of local memory */
	OCLMM_OWN_INC = 1u << 2,       /**< of global memory */
	OCLMM_OWN_INC_USED = 1u << 3,  /**< the same, and its result is used */
	OCLMM_OWN_ADD_LOCAL = 1u << 4, /**< atomic_add() of local memory */
	OCLMM_OWN_ADD = 1u << 5,       /**< of global memory */
};
/** Those that a change is in. */
unsigned oclmm_change_own(const struct oclmm_mutation *change);
/** Definitions of what is marked as wrong, and of what the change is in wherever it stands; to
 * stand before a kernel's text. */
void oclmm_change_macros(const struct oclmm_mutation *change, struct oclmm_text *text);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
