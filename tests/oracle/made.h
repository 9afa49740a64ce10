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
};

enum made_kind {
	MADE_ATOMIC, /**< any function of OCLMM_OPERATIONS, result in `reg` if it has one */
	MADE_LEGACY, /**< its OpenCL 1.x form, on a plain object */
	MADE_READ,   /**< reg = *object */
	MADE_WRITE,  /**< *object = value */
	MADE_FENCE,
	MADE_BARRIER,
	MADE_SUM,  /**< reg = two relaxed or plain loads added up */
	MADE_WAIT, /**< while (load == 0) {}, bounded */
};

struct made_statement {
	enum made_kind kind;
	unsigned object, other; /**< index into objects; `other` for MADE_SUM */
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
/** Prints it as litmus text. */
void made_print(struct oclmm_text *text, const struct made *made, const char *name);
/** Does a statement give a value that others can use? */
bool made_has_result(const struct made *made, const struct made_statement *statement);

/** Removes a statement and whatever refers to it. */
void made_drop_statement(struct made_thread *thread, unsigned at);

/** \return true when a smaller test still shows what is looked for. */
typedef bool (*made_predicate)(const struct made *made, void *data);
/** Makes a test smaller as long as `holds` stays true. */
void made_shrink(struct made *made, made_predicate holds, void *data);

#endif
