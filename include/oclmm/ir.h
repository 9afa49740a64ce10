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

#include "oclmm/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the vocabulary, each word once ---------------------------------- */

/* X(enumerator, short name, OpenCL spelling): memory orders, C:6.15.12.3.
 * NONE marks a plain (non-atomic) access. */
#define OCLMM_ORDERS(X)                                                                            \
	X(NONE, "na", "")                                                                          \
	X(RELAXED, "rlx", "memory_order_relaxed")                                                  \
	X(ACQUIRE, "acq", "memory_order_acquire")                                                  \
	X(RELEASE, "rel", "memory_order_release")                                                  \
	X(ACQ_REL, "acq_rel", "memory_order_acq_rel")                                              \
	X(SEQ_CST, "sc", "memory_order_seq_cst")

/* Memory scopes, narrow to wide, C:6.15.12.4, A:3.3.7. NONE: plain access. */
#define OCLMM_SCOPES(X)                                                                            \
	X(NONE, "na", "")                                                                          \
	X(WORK_ITEM, "wi", "memory_scope_work_item")                                               \
	X(SUB_GROUP, "sg", "memory_scope_sub_group")                                               \
	X(WORK_GROUP, "wg", "memory_scope_work_group")                                             \
	X(DEVICE, "dev", "memory_scope_device")                                                    \
	X(ALL_SVM_DEVICES, "all", "memory_scope_all_svm_devices")

/* The regions of the memory model, A:3.3.9: an object is global or local. */
#define OCLMM_SPACES(X)                                                                            \
	X(GLOBAL, "G", "global")                                                                   \
	X(LOCAL, "L", "local")

/* Where an object is stored, A:3.3.5 and A:5.6; decides how wide a scope reaches. X(enumerator,
 * word of the init block, empty where it needs none, whether it is shared virtual memory). */
#define OCLMM_STORAGES(X)                                                                          \
	X(BUFFER, "", false)                                                                       \
	X(SVM_ATOMICS, "svm", true)                                                                \
	X(LOCAL, "", false)                                                                        \
	X(HOST, "host", false)    /* of programs with commands: the host's own memory */           \
	X(SVM_FINE, "fine", true) /* fine-grained, without atomics */                              \
	X(SVM_COARSE, "coarse", true)

/* Value types, C:6.3.1 and C:6.15.12.6: X(enumerator, OpenCL C spelling of a plain object, of an
 * atomic one, width in bits, least value, greatest value, suffix of a literal, extensions that the
 * atomic one needs). A type is signed when its least value is negative. The integers can be
 * declared in either form, and as registers. */
/* clang-format off */
#define OCLMM_INTEGERS(X)                                                                          \
	X(INT, "int", "atomic_int", 32, INT32_MIN, INT32_MAX, "", "")                              \
	X(UINT, "uint", "atomic_uint", 32, 0, UINT32_MAX, "u", "")                                 \
	X(LONG, "long", "atomic_long", 64, INT64_MIN, INT64_MAX, "L",                              \
	  "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics")                               \
	X(ULONG, "ulong", "atomic_ulong", 64, 0, UINT64_MAX, "UL",                                 \
	  "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics")
/* And FLAG, atomic_flag's state, which functions return as a bool. */
#define OCLMM_TYPES(X)                                                                             \
	OCLMM_INTEGERS(X)                                                                          \
	X(FLAG, "flag", "atomic_flag", 32, 0, 1, "", "")
/* clang-format on */

/* Atomic functions, C:6.15.12.7: X(enumerator, stem, reads, writes). The CAS
 * forms write only on success. Legacy 1.x functions (C:6.15.12.8) map to the
 * same operations with oclmm_atomic.legacy set. INIT is atomic_init: a plain
 * write (C:6.15.12.2). */
#define OCLMM_OPERATIONS(X)                                                                        \
	X(LOAD, "atomic_load", true, false)                                                        \
	X(STORE, "atomic_store", false, true)                                                      \
	X(EXCHANGE, "atomic_exchange", true, true)                                                 \
	X(FETCH_ADD, "atomic_fetch_add", true, true)                                               \
	X(FETCH_SUB, "atomic_fetch_sub", true, true)                                               \
	X(FETCH_OR, "atomic_fetch_or", true, true)                                                 \
	X(FETCH_XOR, "atomic_fetch_xor", true, true)                                               \
	X(FETCH_AND, "atomic_fetch_and", true, true)                                               \
	X(FETCH_MIN, "atomic_fetch_min", true, true)                                               \
	X(FETCH_MAX, "atomic_fetch_max", true, true)                                               \
	X(CAS_STRONG, "atomic_compare_exchange_strong", true, true)                                \
	X(CAS_WEAK, "atomic_compare_exchange_weak", true, true)                                    \
	X(FLAG_TEST_AND_SET, "atomic_flag_test_and_set", true, true)                               \
	X(FLAG_CLEAR, "atomic_flag_clear", false, true)                                            \
	X(INIT, "atomic_init", false, true)

/* Operators of expressions, as in C. */
/* clang-format off */
#define OCLMM_OPERATORS(X)                                                    \
	X(NOT, "!") X(NEGATE, "-") X(COMPLEMENT, "~")                             \
	X(ADD, "+") X(SUB, "-") X(MUL, "*") X(DIV, "/") X(REM, "%")               \
	X(AND, "&") X(OR, "|") X(XOR, "^") X(SHL, "<<") X(SHR, ">>")              \
	X(EQ, "==") X(NE, "!=") X(LT, "<") X(GT, ">") X(LE, "<=") X(GE, ">=")     \
	X(LOGICAL_AND, "&&") X(LOGICAL_OR, "||")
/* clang-format on */

enum oclmm_order {
#define OCLMM_X(name, ...) OCLMM_ORDER_##name,
	OCLMM_ORDERS(OCLMM_X)
#undef OCLMM_X
		OCLMM_ORDER_COUNT
};
enum oclmm_scope {
#define OCLMM_X(name, ...) OCLMM_SCOPE_##name,
	OCLMM_SCOPES(OCLMM_X)
#undef OCLMM_X
		OCLMM_SCOPE_COUNT
};
enum oclmm_space {
#define OCLMM_X(name, ...) OCLMM_SPACE_##name,
	OCLMM_SPACES(OCLMM_X)
#undef OCLMM_X
		OCLMM_SPACE_COUNT
};
enum oclmm_storage {
#define OCLMM_X(name, ...) OCLMM_STORAGE_##name,
	OCLMM_STORAGES(OCLMM_X)
#undef OCLMM_X
		OCLMM_STORAGE_COUNT
};
enum oclmm_type {
#define OCLMM_X(name, ...) OCLMM_TYPE_##name,
	OCLMM_TYPES(OCLMM_X)
#undef OCLMM_X
		OCLMM_TYPE_COUNT
};
enum oclmm_operation {
#define OCLMM_X(name, ...) OCLMM_OP_##name,
	OCLMM_OPERATIONS(OCLMM_X)
#undef OCLMM_X
		OCLMM_OP_COUNT
};
enum oclmm_operator {
#define OCLMM_X(name, ...) OCLMM_OPERATOR_##name,
	OCLMM_OPERATORS(OCLMM_X)
#undef OCLMM_X
		OCLMM_OPERATOR_COUNT
};

/** Fence flags: a set of regions (CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE), C:6.15.12.5. */
enum {
	OCLMM_FLAG_GLOBAL = 1u << OCLMM_SPACE_GLOBAL,
	OCLMM_FLAG_LOCAL = 1u << OCLMM_SPACE_LOCAL,
};

const char *oclmm_order_short(enum oclmm_order order);
const char *oclmm_order_spelling(enum oclmm_order order);
const char *oclmm_scope_short(enum oclmm_scope scope);
const char *oclmm_scope_spelling(enum oclmm_scope scope);
const char *oclmm_space_spelling(enum oclmm_space space);
/** What stands before an object in the init block; empty for buffers and local objects. */
const char *oclmm_storage_word(enum oclmm_storage storage);
bool oclmm_storage_is_svm(enum oclmm_storage storage);
/** The word for values of a type, in messages: `int`, `flag`. */
const char *oclmm_type_name(enum oclmm_type type);
/** The OpenCL C type of an atomic or plain object: `atomic_int`, `int`; a flag's value is an int.
 */
const char *oclmm_type_spelling(enum oclmm_type type, bool atomic);
unsigned oclmm_type_bits(enum oclmm_type type);
bool oclmm_type_is_signed(enum oclmm_type type);
int64_t oclmm_type_least(enum oclmm_type type);
uint64_t oclmm_type_greatest(enum oclmm_type type);
/** What a literal of the type ends with: `u`, `L`. */
const char *oclmm_type_suffix(enum oclmm_type type);
/** The types of a width, a set of 1u << enum oclmm_type. */
unsigned oclmm_types_of_width(unsigned bits);
/** Extensions that its atomic functions need, with blanks between them; may be empty. */
const char *oclmm_type_extensions(enum oclmm_type type);
const char *oclmm_operation_stem(enum oclmm_operation op);
bool oclmm_operation_reads(enum oclmm_operation op);
bool oclmm_operation_writes(enum oclmm_operation op);
bool oclmm_operation_is_cas(enum oclmm_operation op);
const char *oclmm_operator_spelling(enum oclmm_operator op);
/** The flags of a fence as OpenCL C writes them: `CLK_LOCAL_MEM_FENCE`, both with `|`, `0` for
 * none. */
const char *oclmm_flags_spelling(unsigned flags);
/** acquire, acq_rel or seq_cst. */
bool oclmm_order_acquires(enum oclmm_order order);
/** release, acq_rel or seq_cst. */
bool oclmm_order_releases(enum oclmm_order order);

/* ---- values ---------------------------------------------------------- */

/**
 * A value of any type, held in an int64_t: sign-extended for int, zero-extended
 * for uint and flag, the bit pattern for ulong. oclmm_value_wrap() reduces an
 * arbitrary 64-bit pattern to that form.
 */
int64_t oclmm_value_wrap(enum oclmm_type type, int64_t bits);
/** Whether a value of type `from` is also one of type `to`. */
bool oclmm_value_fits(enum oclmm_type from, int64_t value, enum oclmm_type to);
/** Prints a value of a type (ulong as unsigned) into `text`. */
void oclmm_value_print(struct oclmm_text *text, enum oclmm_type type, int64_t value);

/** Why an operator or function has no defined result. */
enum oclmm_arithmetic {
	OCLMM_ARITHMETIC_OK,
	OCLMM_ARITHMETIC_OVERFLOW, /**< signed overflow of a plain operator */
	OCLMM_ARITHMETIC_DIVISION, /**< division by zero */
};
/**
 * Applies a unary (`right` ignored) or binary operator to operands of type
 * `type`. Comparisons and logical operators give 0 or 1 (of type int). Shift
 * counts are taken modulo the width (C:6.5.10... "shift" in OpenCL C).
 */
enum oclmm_arithmetic oclmm_apply(enum oclmm_operator op, enum oclmm_type type, int64_t left,
                                  int64_t right, int64_t *ret_value);
/**
 * The value that a read-modify-write stores (C:6.15.12.7.5; atomics wrap):
 * `old` is what it read, `operand` its argument (the desired value for
 * exchange and CAS).
 */
int64_t oclmm_apply_rmw(enum oclmm_operation op, enum oclmm_type type, int64_t old,
                        int64_t operand);
/** The common type of two operands (usual arithmetic conversions). */
enum oclmm_type oclmm_common_type(enum oclmm_type a, enum oclmm_type b);

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
	int64_t *initial;    /**< `elements` values */
	uint32_t first_cell; /**< index of element 0 among all cells of the program */
	struct oclmm_position position;
};

struct oclmm_expression;

/** An object designated by a pointer parameter, with an index when it is an array. */
struct oclmm_place {
	uint32_t location;              /**< index into oclmm_program.locations */
	struct oclmm_expression *index; /**< NULL for element 0 */
	struct oclmm_position position;
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
};

enum oclmm_expression_kind {
	OCLMM_EXPRESSION_CONSTANT,
	OCLMM_EXPRESSION_REGISTER,
	OCLMM_EXPRESSION_LOAD,   /**< plain read, `*p` or `p[i]` */
	OCLMM_EXPRESSION_ATOMIC, /**< an atomic function; STORE, INIT, FLAG_CLEAR have no value */
	OCLMM_EXPRESSION_UNARY,
	OCLMM_EXPRESSION_BINARY,
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
		int64_t constant;            /**< CONSTANT */
		uint32_t reg;                /**< REGISTER */
		struct oclmm_place load;     /**< LOAD */
		struct oclmm_atomic *atomic; /**< ATOMIC */
		struct oclmm_unary unary;    /**< UNARY */
		struct oclmm_binary binary;  /**< BINARY */
	};
};

enum oclmm_statement_kind {
	OCLMM_STATEMENT_ASSIGN,   /**< register = expression (declaration or assignment) */
	OCLMM_STATEMENT_STORE,    /**< plain write `*p = e` */
	OCLMM_STATEMENT_EVALUATE, /**< expression for its effect */
	OCLMM_STATEMENT_FENCE,    /**< atomic_work_item_fence, mem_fence, read_/write_mem_fence */
	OCLMM_STATEMENT_BARRIER,  /**< barrier, work_group_barrier, sub_group_barrier */
	OCLMM_STATEMENT_IF,
	OCLMM_STATEMENT_WHILE,
};

struct oclmm_assign {
	uint32_t reg;
	struct oclmm_expression *value;
};

struct oclmm_store {
	struct oclmm_place place;
	struct oclmm_expression *value;
};

struct oclmm_fence {
	const char *spelling; /**< the function's name as written */
	unsigned flags;       /**< OCLMM_FLAG_ set */
	enum oclmm_order order;
	enum oclmm_scope scope; /**< as written or by default */
	bool scope_written;
};

struct oclmm_barrier {
	const char *spelling;   /**< the function's name as written */
	const char *label;      /**< `B1:` or NULL */
	unsigned flags;         /**< OCLMM_FLAG_ set */
	enum oclmm_scope scope; /**< as written or by default */
	bool scope_written;
	bool sub_group; /**< sub_group_barrier */
};

struct oclmm_branch {
	struct oclmm_expression *condition;
	struct oclmm_statement *then_body, *else_body; /**< NULL when empty */
};

struct oclmm_loop {
	struct oclmm_expression *condition;
	struct oclmm_statement *body; /**< NULL when empty */
	uint32_t unroll;              /**< at most this many iterations; more are cut */
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

/** A program with more threads is refused. */
enum { OCLMM_MAX_THREADS = 16 };

/* ---- commands: where a thread is one of a queue ----------------------- */

/* What a thread is. X(enumerator, word of a placement, function, whether it stands in a queue) */
#define OCLMM_COMMANDS(X)                                                                          \
	X(NONE, "", "", false) /* a work-item, or a thread of the host on SVM */                   \
	X(HOST, "host", "", false)                                                                 \
	X(KERNEL, "kernel", "clEnqueueNDRangeKernel", true)                                        \
	X(FILL, "fill", "clEnqueueFillBuffer", true)                                               \
	X(WRITE, "write", "clEnqueueWriteBuffer", true)                                            \
	X(READ, "read", "clEnqueueReadBuffer", true)                                               \
	X(COPY, "copy", "clEnqueueCopyBuffer", true)                                               \
	X(MAP, "map", "clEnqueueMapBuffer", true)                                                  \
	X(UNMAP, "unmap", "clEnqueueUnmapMemObject", true)                                         \
	X(MIGRATE, "migrate", "clEnqueueMigrateMemObjects", true)                                  \
	X(MARKER, "marker", "clEnqueueMarkerWithWaitList", true)                                   \
	X(BARRIER, "barrier", "clEnqueueBarrierWithWaitList", true)                                \
	X(USER, "user", "clSetUserEventStatus", false)

enum oclmm_command_kind {
#define OCLMM_X(name, ...) OCLMM_COMMAND_##name,
	OCLMM_COMMANDS(OCLMM_X)
#undef OCLMM_X
		OCLMM_COMMAND_COUNT
};
/** `kernel`, `fill`: as a placement has it; empty for NONE. */
const char *oclmm_command_word(enum oclmm_command_kind kind);
/** The function of the API, which the host calls for it; empty where there is none. */
const char *oclmm_command_function(enum oclmm_command_kind kind);
/** Whether it is enqueued in a queue. */
bool oclmm_command_is_queued(enum oclmm_command_kind kind);

/** Limits of a program of commands. */
enum {
	OCLMM_QUEUES_MOST = 4, /**< queues are numbered below this */
	OCLMM_COMMAND_OBJECTS_MOST = 16,
	OCLMM_COMMAND_REGISTERS_MOST = 64, /**< of all its threads */
};

/** A thread as a command. Threads in sets are indices, not the numbers of their names. */
struct oclmm_command {
	enum oclmm_command_kind kind;
	uint32_t queue;     /**< of those that are queued */
	bool unordered;     /**< the queue executes out of order */
	bool blocking;      /**< read, write, map: the call returns when it is complete */
	uint32_t waits;     /**< events in its wait list; of the host and user: it waits for them */
	uint32_t callbacks; /**< host: waits until callbacks of these events have run */
	uint32_t polls;     /**< host: until these are seen to be CL_COMPLETE */
	uint32_t finishes;  /**< host: queues, set of 1u << number; clFinish */
	uint32_t flushes;   /**< host: the same; clFlush */
};

/** Where a work-item runs. Equal numbers, same unit; A:3.2. */
struct oclmm_placement {
	bool host;            /**< a host thread, C11 atomics on SVM, A:3.3.9.5 */
	bool sub_group_given; /**< false: in a sub-group of its own */
	uint32_t device;
	uint32_t work_group;          /**< unique within a device */
	uint32_t sub_group;           /**< unique within a work-group */
	struct oclmm_command command; /**< in a program of commands; the rest says nothing then */
};
/** Whether two threads are work-items of one work-group; host threads are of none. */
bool oclmm_same_work_group(const struct oclmm_placement *a, const struct oclmm_placement *b);
/** The same of a sub-group; who is given none is alone in his own. */
bool oclmm_same_sub_group(const struct oclmm_placement *a, const struct oclmm_placement *b);

struct oclmm_thread {
	uint32_t id; /**< the number in `P0`; threads stand in ascending order */
	struct oclmm_placement placement;
	struct oclmm_parameter *parameters;
	uint32_t parameter_count;
	struct oclmm_register *registers;
	uint32_t register_count;
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

/** One variant of one litmus test. All of it lives in the arena that made it. */
struct oclmm_program {
	const char *name; /**< variant name, e.g. `MP+rel+acq.order=rlx-rlx` */
	const char *file; /**< path as given, for messages */
	struct oclmm_location *locations;
	uint32_t location_count;
	uint32_t cell_count; /**< sum of the locations' elements */
	struct oclmm_thread *threads;
	uint32_t thread_count;
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

/** Goes through an expression: operands, indices, what is compared with. */
int oclmm_visit_expression(const struct oclmm_visitor *visitor,
                           const struct oclmm_expression *expression, void *data);
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

/** Whether two programs observe the same things in the same order, so that outcomes carry over. */
bool oclmm_same_observables(const struct oclmm_program *a, const struct oclmm_program *b);
/** Evaluates a condition for a tuple of values, one per observable. */
bool oclmm_condition_holds(const struct oclmm_program *program,
                           const struct oclmm_condition *condition, const int64_t *values);
/** Finds a location by name, or returns -1. */
int oclmm_program_find_location(const struct oclmm_program *program, const char *name);
/** Prints a condition as the litmus format has it, e.g. `1:r0=1 /\ 1:r1=0`. */
void oclmm_condition_print(struct oclmm_text *text, const struct oclmm_program *program,
                           const struct oclmm_condition *condition);
/** Prints one outcome in herd's form: `1:r0=1; 1:r1=0;`. */
void oclmm_outcome_print(struct oclmm_text *text, const struct oclmm_program *program,
                         const int64_t *values);
/**
 * Prints a statement in one line as OpenCL C (for messages and listings); of a
 * branch or loop, its head: `if (r0)`.
 */
void oclmm_statement_print(struct oclmm_text *text, const struct oclmm_program *program,
                           uint32_t thread, const struct oclmm_statement *statement);
/**
 * Prints the whole program in canonical form: a litmus file without `vary`,
 * which parses back to an equal program. Its hash is oclmm_program.hash.
 */
void oclmm_program_print(struct oclmm_text *text, const struct oclmm_program *program);
/** The hash of that text without the name, as a program that is made here is to have it. */
uint64_t oclmm_program_hash(const struct oclmm_program *program);
/**
 * A program to be changed: locations, threads, parameters and bodies are its
 * own, everything else is shared with the original, which must outlive it.
 */
struct oclmm_program *oclmm_program_copy(struct oclmm_arena *arena,
                                         const struct oclmm_program *program);

/* ---- programs of commands ---------------------------------------------- */

/*
 * Programs whose threads are commands of queues, and the steps of the host
 * that enqueues them. Each thread is one command with all its work-items, or
 * what the host does between two calls; they are enqueued in the order of
 * their numbers, by one thread of the host. What orders them is fixed by the
 * program (A:3.3.9.5): nothing that a command reads changes it.
 */

/** Whether its threads are commands. All of them are, or none. */
bool oclmm_program_has_commands(const struct oclmm_program *program);
/** The set of objects that a thread's body uses, 1u << index of a location. */
uint64_t oclmm_command_uses(const struct oclmm_program *program, uint32_t thread);
/** Whether a step of the host uses objects through a map. */
bool oclmm_command_is_mapped(const struct oclmm_program *program, uint32_t thread);

/* Why something comes before something else. X(enumerator, section) */
#define OCLMM_COMMAND_EDGES(X)                                                                     \
	X(NONE, "")                                                                                \
	X(CALLS, "A:3.3.9")        /* the host's calls, one after the other */                     \
	X(ENQUEUED, "A:3.3.9.5")   /* (1) a command after the call that enqueues it */             \
	X(RUNS, "A:3.3.9.5")       /* (9), (10) all that a command does, between its ends */       \
	X(WAIT_LIST, "A:3.3.9.5")  /* (2), (3) */                                                  \
	X(IN_ORDER, "A:3.3.9.5")   /* (5) */                                                       \
	X(MARKER, "A:3.3.9.5")     /* (6) */                                                       \
	X(BARRIER, "A:3.3.9.5")    /* (7) */                                                       \
	X(HOST_WAITS, "A:3.3.9.5") /* (4) */                                                       \
	X(FINISH, "A:3.3.9.5")     /* (8) */                                                       \
	X(CALLBACK, "A:3.3.9.5")   /* (11) */                                                      \
	X(USER_EVENT, "A:3.3.9.5") /* (12) */                                                      \
	X(BLOCKING, "A:3.2.4")                                                                     \
	X(MAPPED, "A:5.5.4")   /* what the host does with an object, behind its map */             \
	X(UNMAPPED, "A:5.5.4") /* and before its unmapping */

enum oclmm_command_edge {
#define OCLMM_X(name, section) OCLMM_COMMAND_EDGE_##name,
	OCLMM_COMMAND_EDGES(OCLMM_X)
#undef OCLMM_X
};
const char *oclmm_command_edge_section(enum oclmm_command_edge edge);

/**
 * The moments of a thread: the host comes to it (having waited for what it
 * waits for), it begins, it is complete.
 */
enum oclmm_command_moment {
	OCLMM_MOMENT_CALL,
	OCLMM_MOMENT_BEGIN,
	OCLMM_MOMENT_END,
	OCLMM_MOMENT_COUNT
};
enum { OCLMM_MOMENTS_MOST = OCLMM_MAX_THREADS * OCLMM_MOMENT_COUNT };
/** The number of a moment of a thread. */
static inline unsigned oclmm_moment(uint32_t thread, enum oclmm_command_moment moment)
{
	return thread * OCLMM_MOMENT_COUNT + (unsigned)moment;
}

/** What comes before what in every execution. */
struct oclmm_command_order {
	unsigned count; /**< moments */
	/** by moment: why another follows it directly; NONE where it does not */
	unsigned char edge[OCLMM_MOMENTS_MOST][OCLMM_MOMENTS_MOST];
	uint64_t before[OCLMM_MOMENTS_MOST]; /**< by moment: those behind it; transitive */
};
/** Of a program with commands. A moment behind itself never comes: the program hangs. */
void oclmm_command_order(const struct oclmm_program *program,
                         struct oclmm_command_order *ret_order);
/** Whether all that thread `a` does happens before all that `b` does. */
bool oclmm_command_ordered(const struct oclmm_command_order *order, uint32_t a, uint32_t b);
/**
 * The shortest way from the end of `a` to the beginning of `b`: its moments, both ends included.
 * \return how many; 0 where there is none
 */
unsigned oclmm_command_way(const struct oclmm_command_order *order, uint32_t a, uint32_t b,
                           unsigned char ret_moments[OCLMM_MOMENTS_MOST]);

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

/** \return the index of a tuple, or `space->size` when a value is outside its domain. */
uint32_t oclmm_outcome_index(const struct oclmm_outcome_space *space, const int64_t *values);
/** Writes the tuple of an index below `space->size`. */
void oclmm_outcome_values(const struct oclmm_outcome_space *space, uint32_t index,
                          int64_t *ret_values);

#ifdef __cplusplus
}
#endif

#endif
