// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Inside the reference oracle: events, paths of one thread, candidate
 * executions. Relations are plain boolean matrices.
 */
#ifndef ORACLE_EXECUTION_H
#define ORACLE_EXECUTION_H

#include "reference.h"

enum {
	MAX_PATH = 20,   /**< events of one thread */
	MAX_EVENTS = 40, /**< events of a candidate, initial writes included */
	MAX_CELLS = 12,
	MAX_VALUES = 16, /**< values that one cell can hold */
	MAX_REGISTERS = 32,
	MAX_CHOICES = 64,
	MAX_COPIED = 16, /**< elements of all asynchronous copies of a thread */
};

typedef bool relation[MAX_EVENTS][MAX_EVENTS];

enum barrier_side { BARRIER_NOT, BARRIER_ENTRY, BARRIER_EXIT };

/** An event of section A.1. A read-modify-write reads and writes. */
struct event {
	int thread; /**< index into program->threads; -1 for an initial write */
	bool reads, writes, fence;
	bool legacy;
	bool one_way; /**< read_mem_fence, write_mem_fence */
	unsigned cell;
	enum oclmm_space space; /**< the region of the cell */
	enum oclmm_storage storage;
	enum oclmm_order order; /**< NONE: non-atomic */
	enum oclmm_scope scope; /**< as written */
	unsigned flags;         /**< of a fence */
	int64_t read_value, written_value;
	enum barrier_side barrier;
	bool sub_group;    /**< of a barrier */
	bool split;        /**< of a barrier: an arrival, or the wait for the others */
	const char *label; /**< of a barrier */
	bool collective;   /**< a barrier that is a collective function of the work-group */
	/** 1 + the event of a copy: of its accesses, and of the wait for it, a fence of no order */
	unsigned copied, waited;
	/** of enqueue_kernel, a fence of no order: 1 + the thread that it starts */
	unsigned enqueued;
};

/** One way through one thread, every read having guessed its value. */
struct path {
	struct event events[MAX_PATH];
	unsigned count;
	bool sb[MAX_PATH][MAX_PATH];
	/** read -> write whose value or place is computed from it; a read-modify-write's own, too
	 */
	bool dep[MAX_PATH][MAX_PATH];
	/** dep without what a branch has made a constant, K6 */
	bool need[MAX_PATH][MAX_PATH];
	bool ctrl[MAX_PATH][MAX_PATH]; /**< read -> event behind a branch decided by it */
	int64_t registers[MAX_REGISTERS];
	enum oclmm_undefined trouble; /**< the path ends in undefined arithmetic */
	bool cut;                     /**< a loop goes on beyond its bound */
	/** Of the elements of all copies that it came to: those that it copies itself. */
	bool copies[MAX_COPIED];
	unsigned copied;
};

struct paths {
	struct path *list;
	size_t count, capacity;
};

/** The values that a read of one cell may guess. */
struct domain {
	int64_t values[MAX_VALUES];
	unsigned count;
};

/** A candidate execution, section B.1. */
struct candidate {
	const struct oclmm_program *program;
	const struct path *paths[OCLMM_MAX_THREADS];
	struct event events[MAX_EVENTS];
	unsigned count;
	relation sb, dep, need, ctrl, mo, rb;
	int rf[MAX_EVENTS]; /**< the write that a read reads from, -1 for other events */
	bool circular;      /**< dep;rf has a cycle, K6 */
	bool groundless;    /**< need;rf has one */
	/** find_meetings(): carriers X, Y of B.4; entries and exits of B.5 */
	relation carried, met;
};

typedef int (*candidate_visitor)(struct candidate *candidate, void *data);

/** \return whether the value is new. -1 when the domain is full. */
int domain_add(struct domain *domain, int64_t value);

/**
 * Adds every path of a thread, cut ones included. With `unchecked` also those
 * whose branches contradict the values read, and arithmetic never ends a path.
 * \return 0 or -E2BIG.
 */
int unfold_thread(const struct oclmm_program *program, uint32_t thread,
                  const struct domain *domains, bool unchecked, bool k9, struct paths *paths);

/**
 * Calls `visit` for every combination of one path per thread and one source
 * per read; mo is still empty. Stops at the first non-zero result and returns it.
 */
int enumerate_reads_from(const struct oclmm_program *program, const struct paths *paths,
                         candidate_visitor visit, void *data);
/**
 * The same for a program: finds the values of its cells and the paths of its
 * threads first. \return also -E2BIG.
 */
int enumerate_program(const struct oclmm_program *program, bool k9, candidate_visitor visit,
                      void *data);
/** Calls `visit` for every modification order of a candidate; fills mo and rb. */
int enumerate_modification_orders(struct candidate *candidate, candidate_visitor visit, void *data);

/**
 * Finds the values that each cell may hold, K6: those written in candidates in
 * which no value depends on itself. \return 0 or -E2BIG.
 */
int find_domains(const struct oclmm_program *program, bool k9, struct domain *ret_domains);

/**
 * Does a work-item pass a barrier at which another one of its group, cut in a
 * loop, is missing? Then no execution begins like this.
 */
bool passes_missed_barrier(const struct candidate *candidate);

/** K12: the same of a wait for copies. */
bool passes_missed_wait(const struct candidate *candidate);

/** Each element of a copy is copied once, by one of the work-group's work-items, C:6.15.11. */
bool copies_once(const struct candidate *candidate);
/** What is copied is there for each work-item that has waited for it. */
bool copy_synchronizes(const struct candidate *candidate, unsigned access, unsigned wait);
/** Two waits of different work-items of a group for one event. */
bool waits_together(const struct candidate *candidate, unsigned a, unsigned b);

/** Is the thread one that another enqueues? */
bool is_child(const struct candidate *candidate, int thread);
/** What comes before a child kernel in global memory, A:3.3.9.5. */
bool child_synchronizes(const struct candidate *candidate, bool k13, unsigned a, unsigned b);

/** The value of an observable in the end. */
int64_t final_value(const struct candidate *candidate, const struct oclmm_observable *observable);
/** Writes the final state. \return false when the candidate does not end or the filter drops it. */
bool find_final_state(const struct candidate *candidate, int64_t *ret_values);

/** Are two work-items in one unit of this scope? */
bool share_unit(const struct oclmm_placement *a, const struct oclmm_placement *b,
                enum oclmm_scope scope);
/** Are two events of two kernels of one device? */
bool in_two_kernels(const struct candidate *candidate, unsigned a, unsigned b);
/** Is one on the host and the other on a device, or are they on two devices? */
bool on_two_machines(const struct candidate *candidate, unsigned a, unsigned b);
/** Kind, flags, scope and label of two barriers agree. */
bool is_same_barrier(const struct event *a, const struct event *b);
/** Do two work-items of a group stand at these barriers together, be they the same or not? */
bool barriers_meet(const struct candidate *candidate, unsigned entry, unsigned exit);
/**
 * B.5: entry synchronizes with the exits of the other work-items of the group
 * at the same dynamic barrier: the n-th of both, and as written the same one.
 */
bool barrier_synchronizes(const struct candidate *candidate, unsigned entry, unsigned exit);
/** Undefined whatever is read: arithmetic, or barriers that not all work-items reach. */
bool is_troubled(const struct candidate *candidate);

/** Makes a relation transitive. */
void close_transitively(unsigned count, relation r);
bool is_irreflexive(unsigned count, relation r);

static inline bool is_atomic_access(const struct event *event)
{
	return !event->fence && event->order != OCLMM_ORDER_NONE;
}

static inline bool same_cell(const struct event *a, const struct event *b)
{
	return !a->fence && !b->fence && a->cell == b->cell;
}

#endif
