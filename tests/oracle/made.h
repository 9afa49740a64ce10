// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Random litmus tests in a form that is easy to change: flat lists of
 * statements, each with an optional guard. Printed as litmus text.
 */
#ifndef ORACLE_MADE_H
#define ORACLE_MADE_H

#include "oclmm/ir.h"

enum {
	MADE_MAX_THREADS = 4,
	MADE_MAX_STATEMENTS = 8,
	MADE_MAX_OBJECTS = 5,
	MADE_MAX_NODES = 15,
};

enum made_kind {
	MADE_ATOMIC, /**< any function of OCLMM_OPERATIONS, result in `reg` if it has one */
	MADE_LEGACY, /**< its OpenCL 1.x form, on a plain object */
	MADE_READ,   /**< reg = *object */
	MADE_WRITE,  /**< *object = value */
	MADE_FENCE,
	MADE_BARRIER,
	MADE_SUM,  /**< reg = two relaxed or plain loads added up */
	MADE_TREE, /**< reg = an expression of any kind */
	MADE_WAIT, /**< while (load == 0) {}, bounded */
	/* of whole groups, like barriers */
	MADE_COLLECTIVE,
	MADE_COPY,      /**< asynchronous, number `value`: from `other` to `object` */
	MADE_COPY_WAIT, /**< for the copy of this number */
};

/** What stands at a place of an expression. */
enum made_node_kind {
	NODE_CONSTANT,
	NODE_READ,    /**< *object */
	NODE_ATOMIC,  /**< a load, or an update by what is on the left */
	NODE_COMPARE, /**< a compare-exchange that expects `*other`, for what is on the left */
	NODE_LEGACY,  /**< atomic_add(object, left) or atomic_cmpxchg(object, left, right) */
	NODE_BINARY,
	NODE_KINDS
};

/** Of node n the left side is node 2n + 1, the right side, and any index, 2n + 2. */
struct made_node {
	enum made_node_kind kind;
	unsigned object, other;
	int value;
	enum oclmm_operation op;
	enum oclmm_operator binary;
	enum oclmm_order order;
};

/** What becomes of an expression. */
enum made_use {
	USE_RESULT,  /**< reg = … */
	USE_BRANCH,  /**< if (…) reg = 1; */
	USE_STORED,  /**< an element's number and its value: x[left & 1] = right, or *x = … */
	USE_OPERAND, /**< atomic_store(x, …) */
	USE_COUNT
};

struct made_statement {
	enum made_kind kind;
	/** index into objects; `other` for MADE_SUM, MADE_TREE and MADE_COPY */
	unsigned object, other;
	enum oclmm_operation op;
	enum oclmm_order order, failure;
	enum oclmm_scope scope;
	int value;
	int expected;      /**< of a compare-exchange */
	int source;        /**< statement whose register is added to the value, or -1 */
	bool adds_nothing; /**< the source is multiplied by 0: a dependency, no change */
	int guard;         /**< statement whose register decides, or -1 */
	int guard_value;
	bool guard_differs; /**< runs when the register differs from the value */
	unsigned flags;
	bool sub_group;
	enum oclmm_barrier_part part; /**< MADE_BARRIER */
	bool joins;                   /**< MADE_COPY: its event is that of the first one */
	enum made_use use;            /**< MADE_TREE */
	struct made_node nodes[MADE_MAX_NODES]; /**< MADE_TREE, the root first */
	bool legacy; /**< MADE_FENCE: mem_fence, read_mem_fence or write_mem_fence, by order */
};

struct made_object {
	bool atomic, local, flag, array;
	enum oclmm_storage storage; /* of global objects */
	bool wide; /**< of 64 bits, and every number n stands for n · (2³² + 1) */
	enum oclmm_type type;
	int initial;
};

struct made_thread {
	struct oclmm_placement placement;
	struct made_statement statements[MADE_MAX_STATEMENTS];
	unsigned count;
};

struct made {
	struct made_object objects[MADE_MAX_OBJECTS];
	unsigned object_count;
	struct made_thread threads[MADE_MAX_THREADS];
	unsigned thread_count;
	bool observe_memory;
};

/** Makes the test of a seed. */
void made_generate(struct made *ret_made, uint64_t key);
/**
 * Gives some of the tests what was thought of later: asynchronous copies, collective functions,
 * data in memory that host and devices share. What made_generate() makes of a seed stays what it
 * was.
 */
void made_extend(struct made *made, uint64_t key);
/** Prints it as litmus text. */
void made_print(struct oclmm_text *text, const struct made *made, const char *name);
/** Does a statement access an object? */
bool made_uses_object(const struct made_statement *statement, unsigned object);
/** Does a statement give a value that others can use? */
bool made_has_result(const struct made *made, const struct made_statement *statement);

/** In made_tree.c: makes an expression of the statement's two objects; prints the statement. */
struct maker;
void make_tree(struct maker *maker, struct made_statement *statement);
void made_print_tree(struct oclmm_text *text, const struct made *made,
                     const struct made_statement *statement, unsigned index);
/** What a place of an object is called. */
const char *made_object_name(unsigned object);
/** The number that a small one stands for: in a wide object both halves change. */
long long made_number(const struct made_object *object, int value);

/** Removes a statement and whatever refers to it. */
void made_drop_statement(struct made_thread *thread, unsigned at);

/** \return true when a smaller test still shows what is looked for. */
typedef bool (*made_predicate)(const struct made *made, void *data);
/** Makes a test smaller as long as `holds` stays true. */
void made_shrink(struct made *made, made_predicate holds, void *data);

#endif
