// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * The vocabulary of litmus tests, each word once: orders, scopes, types,
 * operations, operators; and what values are.
 */
#ifndef OCLMM_IR_WORDS_H
#define OCLMM_IR_WORDS_H

#include "oclmm/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- words ----------------------------------------------------------- */

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

/* The regions of the memory model, A:3.3.9: an object is global or local. And images, which only
 * fences and barriers of their own order (A:3.3.8, C:6.15.15.6). */
#define OCLMM_SPACES(X)                                                                            \
	X(GLOBAL, "G", "global")                                                                   \
	X(LOCAL, "L", "local")                                                                     \
	X(IMAGE, "I", "image")

/** How a kernel declares an image: what the host makes of a buffer, C:6.6. */
#define OCLMM_IMAGE_SPELLING "read_write image1d_buffer_t"

/* Where an object is stored, A:3.3.5 and A:5.6; decides how wide a scope reaches. X(enumerator,
 * word of the init block, empty where it needs none, whether it is shared virtual memory). */
#define OCLMM_STORAGES(X)                                                                          \
	X(BUFFER, "", false)                                                                       \
	X(SVM_ATOMICS, "svm", true)                                                                \
	X(LOCAL, "", false)                                                                        \
	X(HOST, "host", false)    /* of programs with commands: the host's own memory */           \
	X(SVM_FINE, "fine", true) /* fine-grained, without atomics */                              \
	X(SVM_COARSE, "coarse", true)                                                              \
	X(SVM_SYSTEM, "system", true) /* the host's heap, with atomics */                          \
	X(PROGRAM, "program", false)  /* a variable at program scope, C:6.7.1 */                   \
	X(IMAGE, "", false)           /* an image that kernels read and write, C:6.6 */            \
	X(PIPE, "pipe", false) /* of programs with commands: a packet per cell, C:6.15.13 */       \
	/* of programs with commands: a buffer in memory that the host gave, CL_MEM_USE_HOST_PTR   \
	 */                                                                                        \
	X(HOST_POINTER, "use_host_ptr", false)                                                     \
	/* likewise: an image with a pixel for each cell, which a kernel reads or writes, A:5.3 */ \
	X(IMAGE_2D, "image2d", false)                                                              \
	/* likewise: a buffer in memory of another API, cl_khr_external_memory */                  \
	X(EXTERNAL, "external", false)                                                             \
	/* likewise: types of cl_khr_unified_svm, which a device owns, the host, or neither */     \
	X(SVM_DEVICE, "device_svm", true)                                                          \
	X(SVM_HOST, "host_svm", true)                                                              \
	X(SVM_SHARED, "shared_svm", true)

/* Value types, C:6.3.1 and C:6.15.12.6: X(enumerator, OpenCL C spelling of a plain object, of an
 * atomic one, width in bits, least value, greatest value, suffix of a literal, extensions that the
 * atomic one needs). A type is signed when its least value is negative. The integers can be
 * declared in either form, and as registers; the private ones as registers, uchar and ushort also
 * as plain objects. */
/* clang-format off */
#define OCLMM_INTEGERS(X)                                                                          \
	X(INT, "int", "atomic_int", 32, INT32_MIN, INT32_MAX, "", "")                              \
	X(UINT, "uint", "atomic_uint", 32, 0, UINT32_MAX, "u", "")                                 \
	X(LONG, "long", "atomic_long", 64, INT64_MIN, INT64_MAX, "L",                              \
	  "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics")                               \
	X(ULONG, "ulong", "atomic_ulong", 64, 0, UINT64_MAX, "UL",                                 \
	  "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics")
/* Floating-point types, C:6.15.12.6 and cl_ext_float_atomics, narrow to wide. Whole numbers
 * are exact as far as the limits go, and so is each sum in any order. */
#define OCLMM_FLOATS(X)                                                                            \
	X(HALF, "half", "atomic_half", 16, -2048, 2048, "h", "cl_khr_fp16")                        \
	X(FLOAT, "float", "atomic_float", 32, -16777216, 16777216, "f", "")                        \
	X(DOUBLE, "double", "atomic_double", 64, -INT64_C(9007199254740992),                       \
	  INT64_C(9007199254740992), "",                                                           \
	  "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics")
/* Of registers, and of objects where oclmm_type_is_stored() says so. */
#define OCLMM_PRIVATE_INTEGERS(X)                                                                  \
	X(BOOL, "bool", "", 8, 0, 1, "", "")                                                       \
	X(CHAR, "char", "", 8, INT8_MIN, INT8_MAX, "", "")                                         \
	X(UCHAR, "uchar", "", 8, 0, UINT8_MAX, "", "")                                             \
	X(SHORT, "short", "", 16, INT16_MIN, INT16_MAX, "", "")                                    \
	X(USHORT, "ushort", "", 16, 0, UINT16_MAX, "", "")                                         \
	X(SIZE, "size_t", "", 64, 0, UINT64_MAX, "UL", "")                                         \
	X(PTRDIFF, "ptrdiff_t", "", 64, INT64_MIN, INT64_MAX, "L", "")
/* And FLAG, atomic_flag's state, which functions return as a bool. */
#define OCLMM_TYPES(X)                                                                             \
	OCLMM_INTEGERS(X)                                                                          \
	X(FLAG, "flag", "atomic_flag", 32, 0, 1, "", "")                                           \
	OCLMM_FLOATS(X)                                                                            \
	OCLMM_PRIVATE_INTEGERS(X)
/* clang-format on */

/* Atomic functions, C:6.15.12.7: X(enumerator, stem, reads, writes, takes floating-point objects).
 * The CAS forms write only on success. Legacy 1.x functions (C:6.15.12.8) map to the
 * same operations with oclmm_atomic.legacy set. INIT is atomic_init: a plain
 * write (C:6.15.12.2). FETCHES are those that compute what they store from what they read. */
#define OCLMM_FETCHES(X)                                                                           \
	X(FETCH_ADD, "atomic_fetch_add", true, true, true)                                         \
	X(FETCH_SUB, "atomic_fetch_sub", true, true, true)                                         \
	X(FETCH_OR, "atomic_fetch_or", true, true, false)                                          \
	X(FETCH_XOR, "atomic_fetch_xor", true, true, false)                                        \
	X(FETCH_AND, "atomic_fetch_and", true, true, false)                                        \
	X(FETCH_MIN, "atomic_fetch_min", true, true, true)                                         \
	X(FETCH_MAX, "atomic_fetch_max", true, true, true)
#define OCLMM_OPERATIONS(X)                                                                        \
	X(LOAD, "atomic_load", true, false, true)                                                  \
	X(STORE, "atomic_store", false, true, true)                                                \
	X(EXCHANGE, "atomic_exchange", true, true, true)                                           \
	OCLMM_FETCHES(X)                                                                           \
	X(CAS_STRONG, "atomic_compare_exchange_strong", true, true, true)                          \
	X(CAS_WEAK, "atomic_compare_exchange_weak", true, true, true)                              \
	X(FLAG_TEST_AND_SET, "atomic_flag_test_and_set", true, true, false)                        \
	X(FLAG_CLEAR, "atomic_flag_clear", false, true, false)                                     \
	X(INIT, "atomic_init", false, true, true)

/* Collective functions, C:6.15.16 and C:6.15.19: X(enumerator, what follows `work_group_` or
 * `sub_group_`). The result of the first four does not depend on how many take part, nor on who
 * they are; the others stand in texts that work-items share. */
#define OCLMM_COLLECTIVES(X)                                                                       \
	X(ANY, "any")                                                                              \
	X(ALL, "all")                                                                              \
	X(REDUCE_MIN, "reduce_min")                                                                \
	X(REDUCE_MAX, "reduce_max")                                                                \
	X(REDUCE_ADD, "reduce_add")                                                                \
	X(BROADCAST, "broadcast")                                                                  \
	X(SCAN_INCLUSIVE_ADD, "scan_inclusive_add")                                                \
	X(SCAN_INCLUSIVE_MIN, "scan_inclusive_min")                                                \
	X(SCAN_INCLUSIVE_MAX, "scan_inclusive_max")                                                \
	X(SCAN_EXCLUSIVE_ADD, "scan_exclusive_add")                                                \
	X(SCAN_EXCLUSIVE_MIN, "scan_exclusive_min")                                                \
	X(SCAN_EXCLUSIVE_MAX, "scan_exclusive_max")

/* Operators of expressions, as in C: X(enumerator, spelling, has one operand, gives 0 or 1). */
/* clang-format off */
#define OCLMM_OPERATORS(X)                                                                         \
	X(NOT, "!", true, true) X(NEGATE, "-", true, false) X(COMPLEMENT, "~", true, false)        \
	X(ADD, "+", false, false) X(SUB, "-", false, false) X(MUL, "*", false, false)              \
	X(DIV, "/", false, false) X(REM, "%", false, false)                                        \
	X(AND, "&", false, false) X(OR, "|", false, false) X(XOR, "^", false, false)               \
	X(SHL, "<<", false, false) X(SHR, ">>", false, false)                                      \
	X(EQ, "==", false, true) X(NE, "!=", false, true)                                          \
	X(LT, "<", false, true) X(GT, ">", false, true)                                            \
	X(LE, "<=", false, true) X(GE, ">=", false, true)                                          \
	X(LOGICAL_AND, "&&", false, true) X(LOGICAL_OR, "||", false, true)
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
enum oclmm_collective {
	OCLMM_COLLECTIVE_NONE,
#define OCLMM_X(name, ...) OCLMM_COLLECTIVE_##name,
	OCLMM_COLLECTIVES(OCLMM_X)
#undef OCLMM_X
		OCLMM_COLLECTIVE_COUNT
};
enum oclmm_operator {
#define OCLMM_X(name, ...) OCLMM_OPERATOR_##name,
	OCLMM_OPERATORS(OCLMM_X)
#undef OCLMM_X
		OCLMM_OPERATOR_COUNT
};

/** Fence flags: a set of regions (CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE, CLK_IMAGE_MEM_FENCE),
 * C:6.15.12.5. */
enum {
	OCLMM_FLAG_GLOBAL = 1u << OCLMM_SPACE_GLOBAL,
	OCLMM_FLAG_LOCAL = 1u << OCLMM_SPACE_LOCAL,
	OCLMM_FLAG_IMAGE = 1u << OCLMM_SPACE_IMAGE,
};

/** Words of the lists above: as events are printed (`rlx`, `dev`), and as OpenCL C spells them. */
const char *oclmm_order_short(enum oclmm_order order);
const char *oclmm_order_spelling(enum oclmm_order order);
const char *oclmm_scope_short(enum oclmm_scope scope);
const char *oclmm_scope_spelling(enum oclmm_scope scope);
const char *oclmm_space_spelling(enum oclmm_space space);
/** What stands before an object in the init block; empty for buffers and local objects. */
const char *oclmm_storage_word(enum oclmm_storage storage);
bool oclmm_storage_is_svm(enum oclmm_storage storage);
/** Whether host and devices may use it at once by atomic operations of scope all_svm_devices. */
bool oclmm_storage_has_svm_atomics(enum oclmm_storage storage);
/** Whether the host has to map it before it uses it: buffers, coarse-grained memory. */
bool oclmm_storage_is_mapped(enum oclmm_storage storage);
/** Of a type of cl_khr_unified_svm. */
bool oclmm_storage_is_unified_svm(enum oclmm_storage storage);
/** The word for values of a type, in messages: `int`, `flag`. */
const char *oclmm_type_name(enum oclmm_type type);
/** The OpenCL C type of an atomic or plain object: `atomic_int`, `int`; a flag's value is an int.
 * Empty where it has no atomic form. */
const char *oclmm_type_spelling(enum oclmm_type type, bool atomic);
/** Whether objects in memory can have it, or registers alone. */
bool oclmm_type_is_stored(enum oclmm_type type);
/** uchar and ushort: objects of these types are plain, and no atomic function takes them. */
bool oclmm_type_is_narrow(enum oclmm_type type);
unsigned oclmm_type_bits(enum oclmm_type type);
bool oclmm_type_is_signed(enum oclmm_type type);
bool oclmm_type_is_floating(enum oclmm_type type);
/** Of the number that a value is observed as: that of an integer, and wide enough for any. */
unsigned oclmm_type_observed_bits(enum oclmm_type type);
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
/** Whether it has a form for floating-point objects, of OpenCL C or of cl_ext_float_atomics. */
bool oclmm_operation_takes_floats(enum oclmm_operation op);
bool oclmm_operation_is_cas(enum oclmm_operation op);
const char *oclmm_operator_spelling(enum oclmm_operator op);
bool oclmm_operator_is_unary(enum oclmm_operator op);
/** Whether it gives 0 or 1 of type int, whatever its operands are. */
bool oclmm_operator_is_truth(enum oclmm_operator op);
/** What a collective function gives for two work-items: 0 or 1 of any and all, which in OpenCL C
 * may be any number but 0. Of a scan it is what the later one has more; of a broadcast, `a`. */
int64_t oclmm_apply_collective(enum oclmm_collective collective, int64_t a, int64_t b);
/** What changes no result: where a scan begins. */
int64_t oclmm_collective_neutral(enum oclmm_collective collective);
bool oclmm_collective_scans(enum oclmm_collective collective);
/** Of a scan: whether a work-item's own value is left out. */
bool oclmm_collective_excludes(enum oclmm_collective collective);
/** The flags of a fence as OpenCL C writes them: `CLK_LOCAL_MEM_FENCE`, both with `|`, `0` for
 * none. */
const char *oclmm_flags_spelling(unsigned flags);

/* ---- the lattice of orders ------------------------------------------- */

/** acquire, acq_rel or seq_cst. */
bool oclmm_order_acquires(enum oclmm_order order);
/** release, acq_rel or seq_cst. */
bool oclmm_order_releases(enum oclmm_order order);
/** Whether `a` is at most as strong as `b`. Neither acquire nor release is stronger than the other;
 * NONE compares only with itself. */
bool oclmm_order_leq(enum oclmm_order a, enum oclmm_order b);
/** How many steps above relaxed it stands: 1 for acquire and release, 2 for acq_rel, 3 for
 * seq_cst. */
unsigned oclmm_order_rank(enum oclmm_order order);

/** What has an order. An update reads and writes; a compare-exchange that fails is a load. */
enum oclmm_ordered {
	OCLMM_ORDERED_LOAD,
	OCLMM_ORDERED_STORE,
	OCLMM_ORDERED_UPDATE,
	OCLMM_ORDERED_FENCE,
	OCLMM_ORDERED_COUNT
};
/** Orders, none of them stronger than one behind it. */
struct oclmm_orders {
	unsigned count;
	enum oclmm_order order[OCLMM_ORDER_COUNT];
};
/** The orders that it may have: loads do not release and stores do not acquire (C:6.15.12.7), and a
 * relaxed fence is no fence (C:6.15.12.5). */
const struct oclmm_orders *oclmm_orders_of(enum oclmm_ordered ordered);
enum oclmm_ordered oclmm_operation_ordered(enum oclmm_operation op);
bool oclmm_order_fits(enum oclmm_ordered ordered, enum oclmm_order order);
/** Whether `a` is one step weaker than `b`: none of its orders stands between them. */
bool oclmm_order_is_below(enum oclmm_ordered ordered, enum oclmm_order a, enum oclmm_order b);
/** The strongest of its orders that is at most `order`: what a load keeps of the order of an
 * update, say. NONE if there is none. */
enum oclmm_order oclmm_order_part(enum oclmm_ordered ordered, enum oclmm_order order);

/* ---- values ---------------------------------------------------------- */

/**
 * A value of any type, held in an int64_t: sign-extended where the type is signed, zero-extended
 * where it is not, the bit pattern for ulong and size_t. A floating-point one is the whole number
 * that it is, within its type's limits; any other, -0.0, infinities, NaNs and fractions, has a
 * number beyond them, by oclmm_value_of_bits(). So two values are equal where their bits are.
 * oclmm_value_wrap() converts an integer that is so
 * held to another type (C99 6.3.1, C:6.4.1): to bool by asking whether it is 0, to any other by
 * its lowest bits.
 */
int64_t oclmm_value_wrap(enum oclmm_type type, int64_t bits);

/** Whether a value of a floating-point type is one of the whole numbers within its limits. */
bool oclmm_value_is_whole(enum oclmm_type type, int64_t value);
/** The bits with which a value stands in an object of the type (IEEE 754, C:6.3.1). */
uint64_t oclmm_value_bits(enum oclmm_type type, int64_t value);
/** The value of a floating-point type that has these bits: each pattern has one of its own. */
int64_t oclmm_value_of_bits(enum oclmm_type type, uint64_t bits);
/** The value of type `to` that a constant of type `from` is there. A zero with a sign, an infinity
 * and NAN are such in each floating-point type. \return false: it has no such value */
bool oclmm_value_convert(enum oclmm_type from, int64_t value, enum oclmm_type to,
                         int64_t *ret_value);
/** Whether a value of type `from` is also one of type `to`. */
bool oclmm_value_fits(enum oclmm_type from, int64_t value, enum oclmm_type to);
/** Reads what oclmm_value_print() writes of a floating-point value that is no whole number, or such
 * a literal of OpenCL C: `-0.0f`, `INFINITY`, `HUGE_VAL`, `as_float(0x7fc00001)`. NAN is the quiet
 * one without a sign or a payload. \return false: it is none, or has more bits than its type */
bool oclmm_special_read(const char *text, enum oclmm_type *ret_type, int64_t *ret_value);
/** Reads the text that a value has in JSON, where it is no integer of JSON: what
 * oclmm_special_read() reads, or digits, of type ulong. \return false: it is neither, or beyond
 * 2^64-1 */
bool oclmm_value_read(const char *text, enum oclmm_type *ret_type, int64_t *ret_value);
/** Prints a value of a type (ulong as unsigned) into `text`. */
void oclmm_value_print(struct oclmm_text *text, enum oclmm_type type, int64_t value);

/** Why an operator or function has no defined result. */
enum oclmm_arithmetic {
	OCLMM_ARITHMETIC_OK,
	OCLMM_ARITHMETIC_OVERFLOW, /**< signed overflow of a plain operator */
	OCLMM_ARITHMETIC_DIVISION, /**< no quotient: by zero, or the least number by -1. The value
	                              is unspecified (C:6.4), and the remainder, too */
};
/**
 * Applies a unary (`right` ignored) or binary operator to operands of type
 * `type`. Comparisons and logical operators give 0 or 1 (of type int). Shift
 * counts are taken modulo the width (C:6.5.10).
 * \return OCLMM_ARITHMETIC_OK, or why there is no value: `*ret_value` is as it was then
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
/**
 * Whether it is one of C:6.15.12.7.5, `atomic_fetch_`: what it stores depends on what it reads, and
 * calls of one of them may stand in any order.
 */
bool oclmm_operation_fetches(enum oclmm_operation op);
/** The common type of two operands (usual arithmetic conversions). */
enum oclmm_type oclmm_common_type(enum oclmm_type a, enum oclmm_type b);
/** The type that a binary operator computes in: a shift in that of its left operand alone,
 * promoted; its count keeps its own. */
enum oclmm_type oclmm_operand_type(enum oclmm_operator op, enum oclmm_type left,
                                   enum oclmm_type right);

/** A program with more threads is refused. */
enum { OCLMM_MAX_THREADS = 16 };
/** And one with a thread of more events of asynchronous copies. */
enum { OCLMM_EVENTS_MOST = 8 };

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
