// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * The program of one litmus test variant: threads and their placement,
 * locations, statements, the final condition. Immutable once parsed.
 *
 * Names are OpenCL's. Section numbers are those of the unified OpenCL API
 * ("A:") and OpenCL C ("C:") specifications, 3.0.
 */
#ifndef OCLMM_IR_H
#define OCLMM_IR_H

#include "oclmm/ir_command.h"
#include "oclmm/ir_enqueue.h"
#include "oclmm/ir_words.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- the program ----------------------------------------------------- */

/** A memory object. Local objects exist once per work-group. */
struct oclmm_location {
	const char *name;
	enum oclmm_type type;
	bool atomic; /**< declared or used with an atomic type */
	enum oclmm_space space;
	enum oclmm_storage storage;
	uint32_t elements; /**< 1 for a scalar, the length for an array */
	bool is_array;
	int64_t *initial; /**< `elements` values */
	bool is_given;    /**< the init block gives it a value */
	/** 0, or 1 + the location that a shared text names: this one is what another work-group has
	 * in its place. */
	uint32_t copy_of;
	/** Elements of a structure or vector, where a shared text has an array of those; 0: it has
	 * none. */
	uint32_t unit;
	uint32_t first_cell; /**< index of element 0 among all cells of the program */
	struct oclmm_position position;
};

/** Whether an object comes to a kernel as an argument that the host made: a buffer, shared virtual
 * memory, an image. */
static inline bool oclmm_location_is_buffer(const struct oclmm_location *location)
{
	return location->space != OCLMM_SPACE_LOCAL && location->storage != OCLMM_STORAGE_PROGRAM;
}

/** Whether it is an image: an int for each element, read by read_imagei and written by
 * write_imagei, plain accesses both. */
/**
 * Whether a text can say what a variable at program scope begins with: all its elements with one
 * value other than 0, which the device gives to all others (C:6.7.1).
 */
bool oclmm_location_has_initialiser(const struct oclmm_location *location);
static inline bool oclmm_location_is_image(const struct oclmm_location *location)
{
	return location->space == OCLMM_SPACE_IMAGE;
}

struct oclmm_expression;

/** An object designated by a pointer parameter, with an index when it is an array. */
struct oclmm_place {
	uint32_t location;              /**< index into oclmm_program.locations */
	struct oclmm_expression *index; /**< NULL for element 0 */
	struct oclmm_position position;
	bool is_volatile; /**< a plain access that a compiler leaves where it stands */
	bool subscripted; /**< element 0, written `x[0]`; the canonical form has `*x` */
};

/** What a compare-exchange compares with. */
enum oclmm_comparand_kind {
	OCLMM_COMPARAND_NONE,     /**< any other function */
	OCLMM_COMPARAND_REGISTER, /**< `&r0`: a register, which takes what was read on failure */
	OCLMM_COMPARAND_MEMORY,   /**< `y`, `&a[1]`: the same in memory, by plain accesses */
	OCLMM_COMPARAND_VALUE,    /**< a value, of a legacy one; the call gives the old value */
};

struct oclmm_comparand {
	enum oclmm_comparand_kind kind;
	union {
		uint32_t reg;                   /**< REGISTER */
		struct oclmm_place place;       /**< MEMORY */
		struct oclmm_expression *value; /**< VALUE */
	};
};

/** A call of an atomic function, C:6.15.12.7; a legacy one has `legacy` set. */
struct oclmm_atomic {
	enum oclmm_operation op;
	bool legacy;          /**< OpenCL 1.x function: relaxed, work-group scope, C:6.15.12.8 */
	const char *spelling; /**< the function's name as written */
	struct oclmm_place object;
	struct oclmm_comparand comparand;
	struct oclmm_expression
		*operand;       /**< stored, added, desired value; NULL for loads, flag functions */
	enum oclmm_order order; /**< success order of a CAS; NONE for INIT */
	enum oclmm_order failure;          /**< CAS only */
	enum oclmm_scope scope;            /**< as written or by default (device); NONE for INIT */
	bool order_written, scope_written; /**< false: the default applies */
	uint32_t written;                  /**< as of oclmm_statement */
	/** In a program that was changed (change.h): the kernel has something else in its
	 * place. So it is with the same word of others. */
	bool wrong;
};

enum oclmm_expression_kind {
	OCLMM_EXPRESSION_CONSTANT,
	OCLMM_EXPRESSION_REGISTER,
	OCLMM_EXPRESSION_LOAD,   /**< plain read, `*p` or `p[i]` */
	OCLMM_EXPRESSION_ATOMIC, /**< an atomic function; STORE, INIT, FLAG_CLEAR have no value */
	OCLMM_EXPRESSION_UNARY,
	OCLMM_EXPRESSION_BINARY,
	OCLMM_EXPRESSION_CAST, /**< a value as one of the expression's type, C:6.4.2 */
};

struct oclmm_unary {
	enum oclmm_operator op;
	struct oclmm_expression *operand;
};

struct oclmm_binary {
	enum oclmm_operator op;
	struct oclmm_expression *left, *right;
};

/** An expression tree; `type` is the type of its value. */
struct oclmm_expression {
	enum oclmm_expression_kind kind;
	enum oclmm_type type;
	struct oclmm_position position;
	union {
		int64_t constant;              /**< CONSTANT */
		uint32_t reg;                  /**< REGISTER */
		struct oclmm_place load;       /**< LOAD */
		struct oclmm_atomic *atomic;   /**< ATOMIC */
		struct oclmm_unary unary;      /**< UNARY */
		struct oclmm_binary binary;    /**< BINARY */
		struct oclmm_expression *cast; /**< CAST: what is converted */
	};
};

enum oclmm_statement_kind {
	OCLMM_STATEMENT_ASSIGN,   /**< register = expression (declaration or assignment) */
	OCLMM_STATEMENT_STORE,    /**< plain write `*p = e` */
	OCLMM_STATEMENT_EVALUATE, /**< expression for its effect */
	OCLMM_STATEMENT_FENCE,    /**< atomic_work_item_fence, mem_fence, read_/write_mem_fence */
	OCLMM_STATEMENT_BARRIER,  /**< barrier, work_group_barrier, sub_group_barrier */
	OCLMM_STATEMENT_COPY,     /**< async_work_group_copy, async_work_group_strided_copy */
	OCLMM_STATEMENT_WAIT,     /**< wait_group_events */
	OCLMM_STATEMENT_ENQUEUE,  /**< enqueue_kernel, not in a branch or loop */
	OCLMM_STATEMENT_CLOCK,    /**< clock_read_device and its kin, whose result is not used */
	OCLMM_STATEMENT_IF,
	OCLMM_STATEMENT_WHILE,
};

struct oclmm_assign {
	uint32_t reg;
	struct oclmm_expression *value;
	/** NULL, or the collective function whose result, a constant, this is */
	const struct oclmm_barrier *collective;
};

struct oclmm_store {
	struct oclmm_place place;
	struct oclmm_expression *value;
	bool wrong; /**< as of oclmm_atomic */
};

struct oclmm_fence {
	const char *spelling; /**< the function's name as written */
	unsigned flags;       /**< OCLMM_FLAG_ set */
	enum oclmm_order order;
	enum oclmm_scope scope; /**< as written or by default */
	bool scope_written;
	bool wrong; /**< as of oclmm_atomic */
};

/** What a call does of a barrier: all of it, or one half (cl_intel_split_work_group_barrier). */
enum oclmm_barrier_part { OCLMM_BARRIER_WHOLE, OCLMM_BARRIER_ARRIVE, OCLMM_BARRIER_WAIT };

struct oclmm_barrier {
	const char *spelling;   /**< the function's name as written */
	const char *label;      /**< `B1:` or NULL */
	unsigned flags;         /**< OCLMM_FLAG_ set */
	enum oclmm_scope scope; /**< as written or by default */
	bool scope_written;
	bool sub_group; /**< sub_group_barrier */
	enum oclmm_barrier_part part;
	/** A collective function instead: a barrier that orders no memory (A:3.3.9.3) and gives a
	 * value. `flags` is 0 then. */
	enum oclmm_collective collective;
	int64_t operand; /**< what this work-item passes */
	/** The same in a text that work-items share; of a broadcast there, whose value it is, a
	 * linear local number. NULL elsewhere. */
	struct oclmm_expression *value, *from;
	int64_t result; /**< of all work-items of the group */
	bool assigns;   /**< a register takes it, by an ASSIGN behind it */
	uint32_t reg;
	bool wrong; /**< as of oclmm_atomic */
};

/**
 * A copy that all work-items of a work-group make together, C:6.15.11: not in a branch or loop, and
 * alike in all of them. What it copies from and to are plain objects, one of them local and the
 * other global.
 */
struct oclmm_copy {
	const char *spelling;        /**< the function's name as written */
	struct oclmm_place to, from; /**< the first elements, their indices constant or NULL */
	uint32_t count;              /**< elements */
	uint32_t stride;             /**< from one element to the next in global memory */
	bool strided;                /**< async_work_group_strided_copy */
	bool joins;                  /**< its event is that of a copy before it */
	uint32_t event;              /**< of the thread's */
};

/**
 * A reading of a clock (cl_khr_kernel_clock). The text of these functions names neither memory nor
 * other work-items: nothing is ordered by one, and the model knows nothing of it.
 */
struct oclmm_clock {
	const char *spelling;   /**< the function's name as written */
	enum oclmm_scope scope; /**< whose clock it is: SUB_GROUP, WORK_GROUP or DEVICE */
};

/** Waits for the copies of an event. */
struct oclmm_wait {
	uint32_t event;
};

struct oclmm_branch {
	struct oclmm_expression *condition;
	struct oclmm_statement *then_body, *else_body; /**< NULL when empty */
};

struct oclmm_loop {
	struct oclmm_expression *condition;
	struct oclmm_statement *body; /**< NULL when empty */
	uint32_t unroll;              /**< at most this many iterations; more are cut */
	bool of_do; /**< the rest of a `do`, whose first turn stands in front of it */
};

/** A statement; blocks are lists linked by `next`. */
struct oclmm_statement {
	enum oclmm_statement_kind kind;
	struct oclmm_position position;
	/** Equal for what the test writes once and the program has several times, because a loop
	 * was unrolled; 0: nothing else is the same. */
	uint32_t written;
	struct oclmm_statement *next;
	union {
		struct oclmm_assign assign;      /**< ASSIGN */
		struct oclmm_store store;        /**< STORE */
		struct oclmm_expression *effect; /**< EVALUATE */
		struct oclmm_fence fence;        /**< FENCE */
		struct oclmm_barrier barrier;    /**< BARRIER */
		struct oclmm_copy copy;          /**< COPY */
		struct oclmm_wait wait;          /**< WAIT */
		struct oclmm_enqueue enqueue;    /**< ENQUEUE */
		struct oclmm_clock clock;        /**< CLOCK */
		struct oclmm_branch branch;      /**< IF */
		struct oclmm_loop loop;          /**< WHILE */
	};
};

/** A private variable of a thread. */
struct oclmm_register {
	const char *name;
	enum oclmm_type type;
	bool has_initial; /**< given in the init block, `0:r0 = 1;` */
	int64_t initial;  /**< 0 unless given: the value observed when never assigned */
	struct oclmm_position position;
};

/** How a thread names an object: `global atomic_int *x`. */
struct oclmm_parameter {
	uint32_t location;
	enum oclmm_type type;
	bool atomic; /**< pointer to atomic type */
	bool is_volatile;
	bool generic; /**< no address space written */
	struct oclmm_position position;
};

/** Where a work-item runs. Equal numbers, same unit; A:3.2. */
struct oclmm_placement {
	bool host;            /**< a host thread, C11 atomics on SVM, A:3.3.9.5 */
	bool sub_group_given; /**< false: in a sub-group of its own */
	uint32_t device;
	uint32_t queue;      /**< of the device: in each a kernel-instance of its own */
	uint32_t work_group; /**< unique within a kernel-instance */
	uint32_t sub_group;  /**< unique within a work-group */
	uint32_t child; /**< 1 + its index: a kernel-instance that a work-item enqueues; else 0 */
	struct oclmm_command command; /**< in a program of commands; the rest says nothing then */
};
/** Whether two threads are work-items of one kernel-instance; host threads are of none. */
bool oclmm_same_kernel(const struct oclmm_placement *a, const struct oclmm_placement *b);
/** Whether they are work-items of two kernel-instances of one device, in two of its queues. */
bool oclmm_two_kernels(const struct oclmm_placement *a, const struct oclmm_placement *b);
/**
 * Whether only synchronization points of commands order what two threads do to one object, whatever
 * their atomic operations do elsewhere; not of programs with commands. `plain`: not both accesses
 * are atomic.
 */
bool oclmm_at_commands_only(const struct oclmm_placement *a, const struct oclmm_placement *b,
                            enum oclmm_storage storage, bool plain);
/** Whether they are of one work-group. */
bool oclmm_same_work_group(const struct oclmm_placement *a, const struct oclmm_placement *b);
/** The same of a sub-group; who is given none is alone in his own. */
bool oclmm_same_sub_group(const struct oclmm_placement *a, const struct oclmm_placement *b);
/** Of one sub-group, or else of one work-group. */
bool oclmm_same_group(const struct oclmm_placement *a, const struct oclmm_placement *b,
                      bool sub_group);
/** Whether a test names queues: its kernels may be several of one device. */
bool oclmm_program_has_queues(const struct oclmm_program *program);
/** As a test has it behind the `@`: `sg 0, wg 0, dev 0`, `host`. Not of commands. */
void oclmm_placement_print(struct oclmm_text *text, const struct oclmm_placement *placement);

struct oclmm_thread {
	uint32_t id; /**< the number in `P0`; threads stand in ascending order */
	struct oclmm_placement placement;
	struct oclmm_parameter *parameters;
	uint32_t parameter_count;
	struct oclmm_register *registers;
	uint32_t register_count;
	const char **events; /**< names of events, in the order of their copies, each waited for */
	uint32_t event_count;
	struct oclmm_statement *body;
	struct oclmm_position position;
};

/** Something whose final value is observed. */
struct oclmm_observable {
	bool is_register;
	uint32_t thread; /**< index into threads, registers only */
	uint32_t reg;
	uint32_t location; /**< memory only */
	uint32_t element;
	enum oclmm_type type;
	const char *name; /**< as herd prints it: `1:r0`, `[x]`, `a[2]` */
};

enum oclmm_condition_kind {
	OCLMM_CONDITION_TRUE,
	OCLMM_CONDITION_COMPARE,
	OCLMM_CONDITION_AND,
	OCLMM_CONDITION_OR,
	OCLMM_CONDITION_NOT,
};

/** One side of a comparison: an observable or a constant. */
struct oclmm_operand {
	bool is_constant;
	int64_t constant;
	uint32_t observable; /**< index into oclmm_program.observables */
};

/** A predicate over final values, built of `/\`, `\/`, `~` and comparisons. */
struct oclmm_condition {
	enum oclmm_condition_kind kind;
	enum oclmm_operator op; /**< EQ … GE */
	struct oclmm_operand a, b;
	struct oclmm_condition *left, *right;
	struct oclmm_position position;
};

enum oclmm_quantifier {
	OCLMM_QUANTIFIER_EXISTS,
	OCLMM_QUANTIFIER_NOT_EXISTS,
	OCLMM_QUANTIFIER_FORALL,
};

/** An argument of a text that work-items share: a pointer to an object, or a value. */
struct oclmm_shared_parameter {
	const char *name;
	const char *words; /**< its type as written: `global const int *` */
	bool by_value;
	uint32_t location; /**< a pointer: its object, of the first work-group where it is local */
	enum oclmm_type type; /**< a value */
	int64_t value;        /**< a value */
};

/**
 * One text that all work-items of a kernel run. The program's threads are these work-items, group
 * by group, with their numbers in the place of calls like get_local_id(); a device is given the
 * text.
 */
struct oclmm_shared_text {
	uint32_t dimensions;          /**< 1 to 3 */
	uint32_t groups[3], items[3]; /**< work-groups, and work-items of each; 1 beyond those */
	uint32_t offset[3];           /**< of the global numbers */
	bool offset_given;
	bool generic_pointers; /**< some pointer is declared without an address space, C:6.7.1 */
	uint32_t device;
	struct oclmm_shared_parameter *parameters;
	uint32_t parameter_count;
	const char *before; /**< functions and constants, or "" */
	const char **names; /**< of these */
	uint32_t name_count;
	const char *body; /**< the statements, a tab before each line */
	uint32_t unroll;  /**< of the `unroll` line; 0: none */
};

/** One variant of one litmus test. All of it lives in the arena that made it. */
struct oclmm_program {
	const char *name; /**< variant name, e.g. `MP+rel+acq.order=rlx-rlx` */
	const char *file; /**< path as given, for messages */
	struct oclmm_location *locations;
	uint32_t location_count;
	uint32_t cell_count; /**< sum of the locations' elements */
	struct oclmm_thread *threads;
	uint32_t thread_count;
	const struct oclmm_shared_text *shared; /**< NULL: each thread has a text of its own */
	struct oclmm_observable
		*observables; /**< of condition, filter and `locations [...]`, no doubles */
	uint32_t observable_count;
	enum oclmm_quantifier quantifier;
	struct oclmm_condition *condition;
	struct oclmm_condition *filter; /**< NULL when absent */
	uint64_t hash;                  /**< of the canonical printing; names the test's meaning */
};

/* ---- the way through a body ------------------------------------------- */

/** What happens to an object where a body names it. */
struct oclmm_use {
	const struct oclmm_place *place;
	bool reads, writes; /**< may do so: a compare-exchange writes on success */
	bool atomic;        /**< by an atomic function, atomic_init() among them */
};

/**
 * Calls for what a walk comes to; those that are NULL are left out. The walk
 * goes in the order of the text, but a call comes after those for everything
 * inside: operands, then the uses of objects by a node, then the node itself. A
 * result other than 0 ends the walk, which gives it back.
 */
struct oclmm_visitor {
	int (*expression)(void *data, const struct oclmm_expression *expression);
	int (*use)(void *data, const struct oclmm_use *use);
	int (*statement)(void *data, const struct oclmm_statement *statement);
};

/** Goes through an expression: operands, indices, what is compared with. `data` is for the calls.
 * \return 0, or the result that ended the walk; so do the next two. */
int oclmm_visit_expression(const struct oclmm_visitor *visitor,
                           const struct oclmm_expression *expression, void *data);
/** The register that an expression reads by itself, its operands aside: that of a register, or what
 * a compare-exchange compares with. \return whether there is one */
bool oclmm_expression_register(const struct oclmm_expression *expression, uint32_t *ret_reg);
/** Goes through the expressions of one statement; its bodies are left out. */
int oclmm_visit_statement(const struct oclmm_visitor *visitor,
                          const struct oclmm_statement *statement, void *data);
/** Goes through a list of statements and all bodies inside. */
int oclmm_visit_body(const struct oclmm_visitor *visitor, const struct oclmm_statement *first,
                     void *data);

/**
 * The parts that a node holds directly, in the order of the text: the one
 * place that says which there are. No expression is NULL; a body may be empty.
 */
struct oclmm_parts {
	struct oclmm_expression **expressions[3]; /**< indices and operands */
	struct oclmm_use uses[2];
	struct oclmm_statement **bodies[2];
	unsigned expression_count, use_count, body_count;
};

/** For a walk that changes the program; any other needs only the visitor. */
void oclmm_expression_parts(struct oclmm_expression *expression, struct oclmm_parts *ret_parts);
void oclmm_statement_parts(struct oclmm_statement *statement, struct oclmm_parts *ret_parts);

/** The element that is the n-th of a copy, at one of its ends. */
uint32_t oclmm_copy_element(const struct oclmm_program *program, const struct oclmm_copy *copy,
                            const struct oclmm_place *end, uint32_t n);
/** Whether some thread makes copies. */
bool oclmm_program_has_copies(const struct oclmm_program *program);
/** Whether some object is an image. */
bool oclmm_program_has_images(const struct oclmm_program *program);

/** Whether two programs observe the same things in the same order, so that outcomes carry over. */
bool oclmm_same_observables(const struct oclmm_program *a, const struct oclmm_program *b);
/**
 * Where the observables of one program stand among those of another, by their names.
 * \param ret_places one for each of `program`
 * \return false where `among` lacks one
 */
bool oclmm_observables_find(const struct oclmm_program *program, const struct oclmm_program *among,
                            uint32_t *ret_places);
/** Evaluates a condition for a tuple of values, one per observable. */
bool oclmm_condition_holds(const struct oclmm_program *program,
                           const struct oclmm_condition *condition, const int64_t *values);
/** Finds a location by name, or returns -1. */
int oclmm_program_find_location(const struct oclmm_program *program, const char *name);
/** Finds a register of a thread by name, or returns -1. */
int oclmm_thread_find_register(const struct oclmm_thread *thread, const char *name);
/** Prints a condition as the litmus format has it, e.g. `1:r0=1 /\ 1:r1=0`. */
void oclmm_condition_print(struct oclmm_text *text, const struct oclmm_program *program,
                           const struct oclmm_condition *condition);
/** Prints what is asked of the end of the program, e.g. `exists (1:r0=1)`. */
void oclmm_final_print(struct oclmm_text *text, const struct oclmm_program *program);
/** `exists`, `~exists`, `forall`. */
const char *oclmm_quantifier_word(enum oclmm_quantifier quantifier);
/** Prints one outcome in herd's form: `1:r0=1; 1:r1=0;`. */
void oclmm_outcome_print(struct oclmm_text *text, const struct oclmm_program *program,
                         const int64_t *values);
/**
 * Prints a statement in one line as OpenCL C (for messages and listings); of a
 * branch or loop, its head: `if (r0)`. Element 0 is written as the file writes it, `*x` or `x[0]`.
 */
void oclmm_statement_print(struct oclmm_text *text, const struct oclmm_program *program,
                           uint32_t thread, const struct oclmm_statement *statement);
/** Whether two threads have the same text but for their numbers and where they run: they do the
 * same with the same objects, from what the init block may put into their registers. */
bool oclmm_same_thread(const struct oclmm_program *program, uint32_t a, uint32_t b);
/** The most elements that a file lists one by one: the reader takes no more, and longer arrays,
 * which a shared text may have, are printed in another way. */
enum { OCLMM_LISTED_ELEMENTS = 256 };
/**
 * Prints the whole program in canonical form: a litmus file without `vary`,
 * which parses back to an equal program. Its hash is oclmm_program.hash.
 */
void oclmm_program_print(struct oclmm_text *text, const struct oclmm_program *program);
/** The same to be looked at: each statement and each thread's head has the number of its line in
 * the file before it, as messages and explanations name it. */
void oclmm_program_print_numbered(struct oclmm_text *text, const struct oclmm_program *program);
/** The hash of that text without the name, as a program that is made here is to have it. */
uint64_t oclmm_program_hash(const struct oclmm_program *program);
/**
 * A program to be changed: locations, threads, parameters and bodies are its
 * own, everything else is shared with the original, which must outlive it.
 */
struct oclmm_program *oclmm_program_copy(struct oclmm_arena *arena,
                                         const struct oclmm_program *program);

/* ---- outcomes -------------------------------------------------------- */

/**
 * The finite space of outcomes that a device can report: for each observable
 * the values it may take (ascending, distinct). A tuple maps to the mixed-radix
 * index Σ position(value_k) · stride_k; a tuple with any other value maps to
 * the extra index `size`. The same mapping is emitted into the kernel.
 */
struct oclmm_outcome_space {
	uint32_t observable_count;
	struct oclmm_outcome_domain {
		int64_t *values;
		uint32_t count;
		uint32_t stride;
	} * domains;
	uint32_t size; /**< number of proper outcomes; index `size` is "any other" */
};

/**
 * Sets strides and size from the counts of the domains' values: indices ascend as the tuples do.
 * UINT32_MAX is the size of what no device could count apart.
 */
void oclmm_outcome_space_number(struct oclmm_outcome_space *space);
/** \return the index of a tuple, or `space->size` when a value is outside its domain. */
uint32_t oclmm_outcome_index(const struct oclmm_outcome_space *space, const int64_t *values);
/** Writes the tuple of an index below `space->size`. */
void oclmm_outcome_values(const struct oclmm_outcome_space *space, uint32_t index,
                          int64_t *ret_values);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
