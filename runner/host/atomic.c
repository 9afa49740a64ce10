// SPDX-License-Identifier: Apache-2.0
/*
 * The C11 function for each operation and order. The order that a function is
 * called with must be a constant, or compilers fall back to seq_cst: hence the switches.
 */
#include "host.h"

#include <stdatomic.h>

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

int64_t host_atomic(const struct host_call *call, void *object, int64_t operand, int64_t *expected)
{
	return oclmm_type_bits(call->type) == 64 ? call_64(call, object, operand, expected)
	                                         : call_32(call, object, operand, expected);
}

void host_fence(enum oclmm_order order)
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
