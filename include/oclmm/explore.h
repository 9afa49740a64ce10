// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Explores what threads may do that run step by step: the states that they can reach under the
 * memory model, each once.
 *
 * A thread is run by its source, which knows its code, until it asks for an atomic access, waits at
 * a barrier, or ends. Its state is a block of bytes; two threads whose bytes are the same go on in
 * the same way. Plain accesses and fences are made on the way by the functions below. The explorer
 * chooses what is read and where a write stands in modification order, and keeps for each thread
 * what happens before its next action. States that cannot be told apart by anything that follows
 * are one, so a loop that waits adds no states, and nothing has a fixed number of events.
 *
 * What is explored is docs/model.md under a single reading. Executions in which a read takes its
 * value from a write that waits for it are not among them (docs/kernels.md).
 */
#ifndef OCLMM_EXPLORE_H
#define OCLMM_EXPLORE_H

#include "oclmm/ir_words.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** What a thread comes to. */
enum oclmm_explored_kind {
	OCLMM_EXPLORED_END,     /**< it has ended */
	OCLMM_EXPLORED_READ,    /**< an atomic load */
	OCLMM_EXPLORED_WRITE,   /**< an atomic store of `operand` */
	OCLMM_EXPLORED_UPDATE,  /**< a read-modify-write by `op` with `operand` */
	OCLMM_EXPLORED_COMPARE, /**< a compare-exchange of `compare` for `operand` */
	OCLMM_EXPLORED_BARRIER, /**< a barrier, or a collective function that takes `operand` */
	OCLMM_EXPLORED_ENDLESS, /**< a loop that nothing which others do can end */
	OCLMM_EXPLORED_CUT,     /**< a loop that turned as often as it may */
	OCLMM_EXPLORED_FAULT,   /**< undefined behaviour, or something that is not understood */
};

struct oclmm_explored_step {
	enum oclmm_explored_kind kind;
	uint32_t cell; /**< accesses */
	enum oclmm_order order, failure;
	enum oclmm_scope scope;
	bool weak, legacy; /**< COMPARE: may fail for no reason; a function of OpenCL 1.x */
	bool is_signed;    /**< UPDATE: minimum and maximum */
	bool unused;       /**< UPDATE: the thread does the same whatever it reads */
	enum oclmm_operation op;
	uint64_t operand, compare;  /**< zero-extended */
	uint64_t more[3];           /**< what a collective function takes beside `operand` */
	unsigned flags;             /**< BARRIER: OCLMM_FLAG_ set */
	bool sub_group, collective; /**< BARRIER */
	/** BARRIER: the wait at a split barrier, at which the thread has arrived
	 * (oclmm_explored_arrive()): it goes on once all of its group have */
	bool waits;
	/** BARRIER: the same for those who come to it by the same calls, in the same turns of
	 * loops: who does not does not reach it (C:6.15.8). */
	uint64_t turn;
	/** BARRIER: a function of the sub-group that those of it may do without whom control flow
	 * keeps away. It is understood where all come to it. */
	bool non_uniform;
	uint32_t where; /**< the source's name for the instruction */
};

/** The bytes of a thread's state: malloc-ed, grown by its source. */
struct oclmm_thread_bytes {
	uint8_t *bytes;
	size_t size, capacity;
};

/** A part of memory that is read and written as one. */
struct oclmm_cell {
	uint8_t size; /**< bytes, at most 8 */
	enum oclmm_space region;
	uint64_t initial;
	bool observed; /**< its final value is part of an outcome */
};

struct oclmm_explored_thread {
	uint32_t group, sub_group; /**< numbers in the whole range */
};

struct oclmm_explorer;

/** A program as the explorer sees it. */
struct oclmm_explored_source {
	void *data;
	const struct oclmm_explored_thread *threads;
	unsigned thread_count;
	const struct oclmm_cell *cells;
	uint32_t cell_count;
	/** The thread's first state. */
	void (*begin)(void *data, unsigned thread, struct oclmm_thread_bytes *state);
	/** Runs a thread to its next step; `result` is what the last one read. Stops early once
	 * oclmm_explored_read() or _write() is false; what is in `ret_step` is then not looked at.
	 */
	void (*advance)(void *data, struct oclmm_explorer *explorer, unsigned thread,
	                struct oclmm_thread_bytes *state, uint64_t result,
	                struct oclmm_explored_step *ret_step);
	/** What a collective function does to memory once all have come to it, by the functions of
	 * asynchronous copies below; NULL: nothing. \return false: they need not run on */
	bool (*meet)(void *data, struct oclmm_explorer *explorer,
	             const struct oclmm_explored_step *const *steps, unsigned count);
	/** Blanks, in a copy of a thread's state, what decides nothing that follows; NULL: all
	 * does. */
	void (*forget)(void *data, unsigned thread, struct oclmm_thread_bytes *copy);
	/** What a collective function gives to the work-item of a rank. */
	uint64_t (*collect)(void *data, const struct oclmm_explored_step *const *steps,
	                    unsigned count, unsigned rank);
	/** Takes note that a thread stands at a function of its sub-group, `step`, to which another
	 * thread of it, which stands at `its`, does not come: this is OCLMM_EXPLORED_FAULTED. NULL:
	 * no step is `non_uniform`. */
	void (*apart)(void *data, const struct oclmm_explored_step *step, unsigned other,
	              const struct oclmm_explored_step *its);
};

/** Plain accesses of the thread that is being run. \return false: it need not run on */
bool oclmm_explored_read(struct oclmm_explorer *explorer, uint32_t cell, uint32_t where,
                         uint64_t *ret_value);
bool oclmm_explored_write(struct oclmm_explorer *explorer, uint32_t cell, uint64_t value,
                          uint32_t where);
/** A fence of it. */
void oclmm_explored_fence(struct oclmm_explorer *explorer, enum oclmm_order order,
                          enum oclmm_scope scope, unsigned flags, uint32_t where);

/**
 * The thread that is being run arrives at a split barrier of its group
 * (cl_intel_split_work_group_barrier), by `turn`, `where`, `flags` and `scope` of a step: a release
 * fence. Its source has it arrive again only once it has waited, and never wait otherwise.
 * \return false: it need not run on
 */
bool oclmm_explored_arrive(struct oclmm_explorer *explorer, const struct oclmm_explored_step *step);

/**
 * An asynchronous copy of the group that has met (docs/model.md): what precedes it for all of them
 * comes before its accesses, and nobody's does who has not waited for it.
 * \param event that it shares, which is returned then; or 0 \return false: they need not run on
 */
bool oclmm_explored_copy_begin(struct oclmm_explorer *explorer, uint64_t event,
                               uint64_t *ret_event);
/** Copies one cell to another, as a part of it. */
bool oclmm_explored_copy_cell(struct oclmm_explorer *explorer, uint32_t from, uint32_t to,
                              uint32_t where);
/** All who have met wait for the copies of an event. */
void oclmm_explored_copy_wait(struct oclmm_explorer *explorer, uint64_t event);
/** What those who have met do is undefined, or not understood. */
void oclmm_explored_refuse(struct oclmm_explorer *explorer, uint32_t where);

/**
 * Which values of a thread decide anything: where it goes, which object it accesses, what somebody
 * reads or asks for. A sum that decides nothing makes no two states out of one.
 */
struct oclmm_slice {
	struct oclmm_arena *arena;
	bool *needed; /**< by value */
	uint32_t count;
	struct oclmm_slice_edge **comes_of; /**< by value */
	uint32_t *stack;
};
/** Of values that are numbered from 0; none is needed. */
void oclmm_slice_begin(struct oclmm_arena *arena, uint32_t values, struct oclmm_slice *ret_slice);
/** Before anything is needed: a value comes of another one. */
void oclmm_slice_flow(struct oclmm_slice *slice, uint32_t from, uint32_t to);
/** It is needed, and all that it comes of. */
void oclmm_slice_need(struct oclmm_slice *slice, uint32_t value);

/** The thread that is being run writes a value plainly to a cell. It is needed if somebody looks at
 * that cell. */
void oclmm_explored_store_of(struct oclmm_explorer *explorer, uint32_t cell,
                             struct oclmm_slice *slice, uint32_t value);
/**
 * It has computed a value that is not needed. Other ways to the same state may have others, and
 * overflow where this one does not: where that might be, all values count as needed.
 * \param size the value without its sign \param operands how many of a sum's are themselves no more
 * than sums that are not needed: 0, 1 or 2; it is not above `size` otherwise \param bits of the
 * type that the sum must fit into, or 0
 */
void oclmm_explored_unneeded(struct oclmm_explorer *explorer, uint64_t size, unsigned operands,
                             unsigned bits);

/** Whether the compare-exchange failed whose result the thread that is being run is given: a weak
 * one may, though it read what it compares with. */
bool oclmm_explored_failed(const struct oclmm_explorer *explorer);

/** Something that a thread did, in an execution. */
struct oclmm_done {
	const struct oclmm_done *before; /**< what was done before it, in some order; NULL: first */
	unsigned thread;
	enum oclmm_explored_kind kind; /**< READ, WRITE, UPDATE, or BARRIER for fences, too */
	bool plain;
	bool copies; /**< an asynchronous copy of the thread's group did it */
	enum oclmm_order order;
	enum oclmm_scope scope;
	uint32_t cell, where;
	uint64_t read, written;
	const struct oclmm_done *from; /**< what wrote what it read; NULL: the initial value */
};

/** How undefined behaviour came about. */
enum oclmm_explored_fault {
	OCLMM_EXPLORED_SOUND,
	OCLMM_EXPLORED_RACE,     /**< `first` and `second` race */
	OCLMM_EXPLORED_DIVERGED, /**< `first` waits at a barrier that `second` does not reach */
	OCLMM_EXPLORED_FAULTED,  /**< the thread of `first` came to OCLMM_EXPLORED_FAULT */
	OCLMM_EXPLORED_UNWAITED, /**< that of `first` ends with a copy that it did not wait for */
};

/** An access or a barrier, and whose. */
struct oclmm_explored_place {
	unsigned thread;
	uint32_t where, cell;
	bool writes, atomic, ended;
	bool copies;   /**< it is an asynchronous copy of the thread's group */
	bool reads;    /**< who waits does so at an access of `cell` */
	bool elsewhen; /**< DIVERGED: it waits there, too, in another turn or by another call */
	enum oclmm_scope scope;
};

/** A final state. */
struct oclmm_explored_state {
	const uint64_t *values;        /**< of the observed cells, in their order */
	const struct oclmm_done *last; /**< an execution that ends in it */
};

struct oclmm_explored {
	struct oclmm_arena *arena;
	enum oclmm_explored_fault fault;
	struct oclmm_explored_place first, second;
	const struct oclmm_done *last; /**< the execution of the fault, or of the wait */
	bool waits;                    /**< somebody may wait for what nobody does */
	struct oclmm_explored_place *waiting;
	unsigned waiting_count;
	struct oclmm_explored_state *states;
	size_t state_count;
	bool cut; /**< some loop turned as often as it may: `cut_where` */
	uint32_t cut_where;
	bool early;         /**< reads might take values from writes that wait for them, which is
	                       not explored */
	bool loose;         /**< some atomic access does not synchronize */
	bool scopes_differ; /**< scopes met that are inclusive for 3.1 alone */
	uint64_t visited;
	double seconds; /**< processor time */
};

struct oclmm_explore_options {
	bool wide_scopes; /**< as of 3.1: scopes that differ may be inclusive */
	/** Functions of OpenCL 1.x count as device-scoped towards other work-groups: the
	 * alternative of K7 (docs/model.md). */
	bool legacy_device;
	double seconds; /**< processor time; 0: without a limit */
	size_t memory;  /**< bytes; 0: without a limit */
	/** NULL, or what is called now and then: not 0 ends it as a time limit does. */
	int (*ended)(const void *data);
	const void *data; /**< for it */
};

/**
 * Explores a program. \return 0; -ETIME or -ENOMEM beyond a limit. What was found until then is in
 * the result all the same, which the caller destroys.
 */
int oclmm_explore(const struct oclmm_explored_source *source,
                  const struct oclmm_explore_options *options, struct oclmm_explored **ret_found);
struct oclmm_program;
/**
 * Explores a litmus test; `values` of its states are then those of the observables, and `where` of
 * what is no barrier has line and column (oclmm_explored_position()). \return as above;
 * -EOPNOTSUPP, without a result, for one with several kernels, a host, commands, images or copies,
 * where a statement makes two accesses, and where it divides without a quotient, so that a value is
 * unspecified (C:6.4)
 */
int oclmm_explore_program(const struct oclmm_program *program,
                          const struct oclmm_explore_options *options,
                          struct oclmm_explored **ret_found);
void oclmm_explored_destroy(struct oclmm_explored *found);
/** `where` for a place in a litmus file, of lines below 2^20. */
static inline uint32_t oclmm_explored_at(struct oclmm_position position)
{
	unsigned column = position.column < 4095 ? (unsigned)position.column : 4095;

	return (uint32_t)position.line << 12 | column;
}
static inline struct oclmm_position oclmm_explored_position(uint32_t where)
{
	struct oclmm_position position;

	position.line = where >> 12;
	position.column = where & 4095;
	position.length = 1;
	return position;
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
