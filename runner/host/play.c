// SPDX-License-Identifier: Apache-2.0
/* A thread's operations played, its atomic functions by those of C11. */
#include "internal.h"

#include <stdatomic.h>
#include <string.h>

/*
 * ---- atomic functions ----
 *
 * A call needs a constant order, or compilers fall back to seq_cst: hence the switches.
 */
/* RETURN or DO a call with the C11 order of `order`. */
#define FOR_UPDATE(order, DO)                                                                      \
	switch (order) {                                                                           \
	case OCLMM_ORDER_RELAXED: DO(memory_order_relaxed);                                        \
	case OCLMM_ORDER_ACQUIRE: DO(memory_order_acquire);                                        \
	case OCLMM_ORDER_RELEASE: DO(memory_order_release);                                        \
	case OCLMM_ORDER_ACQ_REL: DO(memory_order_acq_rel);                                        \
	default: DO(memory_order_seq_cst);                                                         \
	}
/* The order on failure is never the stronger one (C:6.15.12.7.4). */
#define FOR_ACQUIRING_FAILURE(order, DO)                                                           \
	switch (order) {                                                                           \
	case OCLMM_ORDER_ACQUIRE: DO(memory_order_acquire);                                        \
	case OCLMM_ORDER_RELEASE: DO(memory_order_release);                                        \
	case OCLMM_ORDER_ACQ_REL: DO(memory_order_acq_rel);                                        \
	default: DO(memory_order_seq_cst);                                                         \
	}
#define FOR_LOAD(order, DO)                                                                        \
	switch (order) {                                                                           \
	case OCLMM_ORDER_RELAXED: DO(memory_order_relaxed);                                        \
	case OCLMM_ORDER_ACQUIRE: DO(memory_order_acquire);                                        \
	default: DO(memory_order_seq_cst);                                                         \
	}
#define FOR_STORE(order, DO)                                                                       \
	switch (order) {                                                                           \
	case OCLMM_ORDER_RELAXED: DO(memory_order_relaxed); break;                                 \
	case OCLMM_ORDER_RELEASE: DO(memory_order_release); break;                                 \
	default: DO(memory_order_seq_cst); break;                                                  \
	}

#define WORD       uint32_t
#define NAME(stem) stem##_32
#include "atomic_word.inc"
#undef WORD
#undef NAME
#define WORD       uint64_t
#define NAME(stem) stem##_64
#include "atomic_word.inc"

/* Values are in the form of oclmm_value_wrap(). `expected` of compare-exchanges is compared with,
 * and on failure what was read. Returns what was read; of a compare-exchange 1 on success, else 0;
 * of a store 0. */
static int64_t call_atomic(const struct host_call *call, void *object, int64_t operand,
                           int64_t *expected)
{
	return oclmm_type_bits(call->type) == 64 ? call_64(call, object, operand, expected)
	                                         : call_32(call, object, operand, expected);
}

static void fence(enum oclmm_order order)
{
#define FENCE(order)                                                                               \
	atomic_thread_fence(order);                                                                \
	break
	FOR_UPDATE(order, FENCE)
#undef FENCE
}

const char *host_mapping(void)
{
#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
#if defined(__x86_64__)
	return COMPILER " x86_64";
#elif defined(__aarch64__)
	return COMPILER " aarch64";
#elif defined(__riscv)
	return COMPILER " riscv";
#elif defined(__powerpc64__)
	return COMPILER " powerpc64";
#else
	return COMPILER;
#endif
}

/* ---- operations ---- */
/*
 * An index that another thread's value decides is held inside the array, as in
 * kernels, so that no instance can reach another one's memory.
 */
static void *object_of(const struct host_operation *o, void *const *objects, const int64_t *values)
{
	uint32_t index = o->last > 0 ? (uint32_t)values[o->index] : 0;

	if (index > o->last)
		index = o->last;
	return (char *)objects[o->location] + (size_t)index * o->bytes;
}

static int64_t load(const struct host_operation *o, const void *object)
{
	int64_t bits = o->bytes == 8 ? *(const int64_t *)object : *(const int32_t *)object;

	return oclmm_value_wrap(o->call.type, bits);
}

static void store(const struct host_operation *o, void *object, int64_t value)
{
	if (o->bytes == 8)
		*(int64_t *)object = value;
	else
		*(int32_t *)object = (int32_t)value;
}

static int64_t apply(const struct host_operation *o, const int64_t *values)
{
	int64_t value = 0; /* where none is defined */

	oclmm_apply(o->op, o->call.type, values[o->a], values[o->b], &value);
	return value;
}

bool host_play(const struct host_code *code, void *const *objects, int64_t *values)
{
	const struct host_operation *o = code->operations;

	memcpy(values, code->initial, code->values * sizeof(*values));
	for (;; o++) {
		switch (o->kind) {
		case HOST_COPY: values[o->to] = oclmm_value_wrap(o->call.type, values[o->a]); break;
		case HOST_APPLY: values[o->to] = apply(o, values); break;
		case HOST_LOAD: values[o->to] = load(o, object_of(o, objects, values)); break;
		case HOST_STORE: store(o, object_of(o, objects, values), values[o->a]); break;
		case HOST_ATOMIC:
			values[o->to] = call_atomic(&o->call, object_of(o, objects, values),
			                            values[o->a], &values[o->b]);
			break;
		case HOST_FENCE: fence(o->call.order); break;
		case HOST_JUMP: o = code->operations + o->target - 1; break;
		case HOST_JUMP_ZERO:
			if (values[o->a] == 0)
				o = code->operations + o->target - 1;
			break;
		case HOST_TURN:
			if (values[o->a]++ == o->target)
				return false;
			break;
		case HOST_END: return true;
		}
	}
}
