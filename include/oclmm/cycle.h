// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Tests as cycles: accesses joined by communication (reads-from, from-reads, modification order)
 * and by program order, and what OpenCL adds to each. A cycle determines a program and the outcome
 * that it asks for; docs/generate.md has the language of its words.
 */
#ifndef OCLMM_CYCLE_H
#define OCLMM_CYCLE_H

#include "oclmm/ir.h"
#include "oclmm/model.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** The most accesses of a cycle, and fences between two of them. */
enum { OCLMM_CYCLE_MAX = 16, OCLMM_CYCLE_FENCES = 3 };

/* What joins two accesses. X(enumerator, stem of its word, meaning) */
#define OCLMM_LINKS(X)                                                                             \
	X(RF, "Rf", "the read takes its value from the write")                                     \
	X(FR, "Fr", "the read takes a value that is older than the write")                         \
	X(CO, "Co", "the first write stands before the second in modification order")              \
	X(PO, "Po", "program order")                                                               \
	X(DATA, "DpData", "program order; what is written is computed from what was read")         \
	X(CTRL, "DpCtrl", "program order; a branch on what was read stands between")               \
	X(BARRIER, "Bar", "two work-items of a work-group, a barrier between")                     \
	X(SUB_BARRIER, "SubBar", "two work-items of a sub-group, a sub-group barrier between")

enum oclmm_link_kind {
#define OCLMM_X(name, ...) OCLMM_LINK_##name,
	OCLMM_LINKS(OCLMM_X)
#undef OCLMM_X
		OCLMM_LINK_COUNT
};

/** From one access to the next. */
struct oclmm_link {
	enum oclmm_link_kind kind;
	bool external;             /**< to another thread */
	bool same;                 /**< to the same location */
	bool from_write, to_write; /**< which side of an access it touches: write or read */
	/** external: the narrowest unit that both threads are in; NONE: not said */
	enum oclmm_scope near;
	unsigned flags;         /**< barriers: OCLMM_FLAG_ set */
	enum oclmm_scope scope; /**< barriers; NONE: not said */
	struct oclmm_position position;
};

/* What may stand on a program-order edge. X(enumerator, word, function) */
#define OCLMM_CYCLE_FENCES_LIST(X)                                                                 \
	X(FENCE, "F", "atomic_work_item_fence")                                                    \
	X(MEM_FENCE, "mem_fence", "mem_fence")                                                     \
	X(READ_MEM_FENCE, "read_mem_fence", "read_mem_fence")                                      \
	X(WRITE_MEM_FENCE, "write_mem_fence", "write_mem_fence")                                   \
	X(BARRIER, "barrier", "barrier")                                                           \
	X(SUB_BARRIER, "sub_group_barrier", "sub_group_barrier")

enum oclmm_cycle_fence_kind {
#define OCLMM_X(name, ...) OCLMM_CYCLE_FENCE_##name,
	OCLMM_CYCLE_FENCES_LIST(OCLMM_X)
#undef OCLMM_X
		OCLMM_CYCLE_FENCE_COUNT
};

/** A fence, or a barrier, between two accesses of one thread. */
struct oclmm_cycle_fence {
	enum oclmm_cycle_fence_kind kind;
	unsigned flags;         /**< OCLMM_FLAG_ set; 0: the regions of the test */
	bool no_flags;          /**< barriers: 0 is meant */
	enum oclmm_order order; /**< FENCE */
	enum oclmm_scope scope; /**< NONE: not said */
	bool inside; /**< behind the word of the edge: of a control dependency, in its branch */
	struct oclmm_position position;
};

/** An access, and the fences between it and the next one. */
struct oclmm_cycle_access {
	bool reads, writes; /**< the sides that its edges touch */
	bool update;        /**< by a read-modify-write: `op` */
	enum oclmm_operation op;
	bool fails;             /**< a compare-exchange that finds another value */
	bool legacy;            /**< a function of OpenCL 1.x */
	enum oclmm_order order; /**< NONE: plain */
	enum oclmm_scope scope; /**< NONE: not said */
	bool host;              /**< in a thread of the host */
	/** Said of its location, here or at another access. */
	bool local, global, svm, typed;
	enum oclmm_type type;
	struct oclmm_cycle_fence fences[OCLMM_CYCLE_FENCES];
	unsigned fence_count;
	struct oclmm_position position;
	unsigned thread, location; /**< found by oclmm_cycle_settle() */
};

struct oclmm_cycle_location {
	enum oclmm_space space;
	enum oclmm_type type;
	bool svm, atomic;
};

/** Plain data. `link[i]` leads from `access[i]` to the next, the last one to the first. */
struct oclmm_cycle {
	unsigned count;
	struct oclmm_cycle_access access[OCLMM_CYCLE_MAX];
	struct oclmm_link link[OCLMM_CYCLE_MAX];
	/* found by oclmm_cycle_settle() */
	unsigned thread_count, location_count;
	struct oclmm_placement placement[OCLMM_CYCLE_MAX];
	struct oclmm_cycle_location location[OCLMM_CYCLE_MAX];
};

/**
 * Reads a cycle from its words and settles it.
 * \return 0; -EINVAL when it is refused: `error` has the word
 */
int oclmm_cycle_parse(const char *words, struct oclmm_error *error, struct oclmm_cycle *ret_cycle);
/**
 * Finds threads, locations and placement of a cycle that was put together, or changed; it is turned
 * so that it begins with a thread. \return 0; -EINVAL when it is none, with the words in `error`
 */
int oclmm_cycle_settle(struct oclmm_cycle *cycle, struct oclmm_error *error);
/** Prints a settled cycle in words, with all that is not a default. */
void oclmm_cycle_print(struct oclmm_text *text, const struct oclmm_cycle *cycle);
/** Prints its edges only: `PodWW Rfe PodRR Fre`. */
void oclmm_cycle_print_edges(struct oclmm_text *text, const struct oclmm_cycle *cycle);
/** The test's name by the rules of the field: `MP+rel+acq`. */
void oclmm_cycle_name(struct oclmm_text *text, const struct oclmm_cycle *cycle);
/** The name of its shape: `MP`; one made of its edges when it has none of its own. */
void oclmm_cycle_shape(struct oclmm_text *text, const struct oclmm_cycle *cycle);

/** One of the shapes that have a name. */
struct oclmm_shape {
	const char *name, *edges, *question;
};
/** \return the number of shapes; `*ret_shapes` are in the order of their edges' number. */
size_t oclmm_shapes(const struct oclmm_shape **ret_shapes);

/**
 * Adds the body of the test: init block, threads, condition.
 * \return 0; -EINVAL when no outcome shows the cycle, or a function does not take what was asked
 */
int oclmm_cycle_body(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                     struct oclmm_text *text);
struct oclmm_litmus;
/**
 * The test of a cycle, with its name, as a file of one variant; free with oclmm_litmus_destroy().
 * \return 0; -EINVAL as oclmm_cycle_body(), or when it is no legal test
 */
int oclmm_cycle_program(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                        struct oclmm_litmus **ret_litmus);
/**
 * Adds a whole litmus file: name, question, the cycle in words, the oracle's answer, controls,
 * body. \return 0, or as oclmm_cycle_program() and oclmm_check()
 */
int oclmm_cycle_file(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                     struct oclmm_text *text);

/**
 * The cycle of which a program is the test: made from it again it is the same, but for names and
 * the order of threads. \return false when there is none
 */
bool oclmm_cycle_recognise(const struct oclmm_program *program, struct oclmm_cycle *ret_cycle);

/** Which cycles to enumerate; 0 leaves a number open. */
struct oclmm_cycle_size {
	unsigned edges, threads, locations;
};
/**
 * Calls for every critical cycle of a size, once for all its rotations: each thread has one access,
 * or two of different locations; each location is accessed by at most three threads, which stand
 * side by side in the cycle.
 * \return 0; what `found` ended it with
 */
int oclmm_cycles(const struct oclmm_cycle_size *size,
                 int (*found)(void *data, const struct oclmm_cycle *cycle), void *data);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
