// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Inside the reference oracle: one run of one thread. A run is repeated from
 * the start with the next sequence of choices until all sequences have been had.
 */
#ifndef ORACLE_RUN_H
#define ORACLE_RUN_H

#include "execution.h"

/** A number and the reads (of this thread) that it is computed from. */
struct value {
	int64_t number;
	bool from[MAX_PATH];
	bool need[MAX_PATH]; /**< those that no branch has made a constant, K6 */
};

struct run {
	const struct oclmm_program *program;
	const struct oclmm_thread *thread;
	uint32_t thread_index;
	const struct domain *domains;
	bool k9;        /**< a failing atomic_cmpxchg only reads */
	bool unchecked; /**< branches go either way whatever the values are */
	bool loops;     /**< some thread of the program has one */
	bool arrived;   /**< at a split barrier, and has not waited */
	struct path path;
	struct value registers[MAX_REGISTERS];
	bool before[MAX_PATH]; /**< events sequenced before whatever is evaluated next */
	bool pending[OCLMM_EVENTS_MOST][MAX_PATH]; /**< accesses of copies not yet waited for */
	bool decided[MAX_PATH];                    /**< reads that a branch so far was decided by */
	unsigned call[MAX_PATH];                   /**< by event: the call that it is of, or 0 */
	unsigned calls, inside;                    /**< how many; which one is being made */
	bool stopped;                              /**< cut, or undefined: nothing more happens */
	bool too_large;
	/* the sequence of choices: the first `chosen` repeat those of the run before */
	unsigned choice[MAX_CHOICES], bound[MAX_CHOICES];
	unsigned chosen, position;
};

/** One of `bound` ways, by choice. */
unsigned run_choose(struct run *run, unsigned bound);
/** Which way control goes. Unchecked runs take both, whatever the values are. */
bool run_decide(struct run *run, bool condition);
/** The same for a branch: what follows depends on the reads that the value is computed from. */
bool run_branch(struct run *run, const struct value *value, bool condition);
/** The path ends here in undefined arithmetic; an unchecked one goes on. */
void run_stop(struct run *run, enum oclmm_undefined trouble);
void value_add_from(struct value *value, const struct value *other);

/** Appends an event after all that are sequenced before it. \return its index, -1 when full. */
int run_add_event(struct run *run, const struct event *event);
/** An event on a place, not yet a read or a write. Stops the run when the index is outside. */
struct event run_access(struct run *run, const struct oclmm_place *place, int64_t index);
enum oclmm_type run_place_type(const struct run *run, const struct oclmm_place *place);
/** A value that a read of a cell may see. */
int64_t run_guess(struct run *run, unsigned cell);
struct value run_plain_read(struct run *run, const struct oclmm_place *place,
                            const struct value *index);
/** Makes an event a write of `number`, computed from `value` and placed by `index`. */
void run_add_write(struct run *run, struct event *event, int64_t number, const struct value *value,
                   const struct value *index);
/** A plain write (also atomic_init, and what a failed compare-exchange writes to *expected). */
void run_plain_write(struct run *run, const struct oclmm_place *place, const struct value *index,
                     const struct value *value);

/** In copies.c: a copy of the work-group, and the wait for one. */
void run_copy(struct run *run, const struct oclmm_copy *copy);
void run_wait(struct run *run, const struct oclmm_wait *wait);

/** In children.c: the call of enqueue_kernel. */
void run_enqueue(struct run *run, const struct oclmm_enqueue *enqueue);

struct value run_evaluate(struct run *run, const struct oclmm_expression *expression);
/**
 * Evaluates expressions that C leaves unsequenced: operands of one operator,
 * arguments of one call. A call in one of them and whatever stands in another are
 * indeterminately sequenced: either order, by choice. NULL has value 0.
 */
void run_evaluate_unsequenced(struct run *run, unsigned count, struct oclmm_expression *const *list,
                              struct value *values);

#endif
