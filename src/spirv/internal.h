// SPDX-License-Identifier: Apache-2.0
/* Numbers of SPIR-V, and what a program asks of a module. */
#ifndef OCLMM_SPIRV_INTERNAL_H
#define OCLMM_SPIRV_INTERNAL_H

#include "oclmm/spirv.h"

/* Numbers of instructions, SPIR-V 3.49. */
enum spirv_opcode {
	SPIRV_CONTROL_BARRIER = 224,
	SPIRV_MEMORY_BARRIER = 225,
	SPIRV_ATOMIC_LOAD = 227,
	SPIRV_ATOMIC_STORE = 228,
	SPIRV_ATOMIC_EXCHANGE = 229,
	SPIRV_ATOMIC_COMPARE_EXCHANGE = 230,
	SPIRV_ATOMIC_COMPARE_EXCHANGE_WEAK = 231,
	SPIRV_ATOMIC_INCREMENT = 232,
	SPIRV_ATOMIC_DECREMENT = 233,
	SPIRV_ATOMIC_ADD = 234,
	SPIRV_ATOMIC_SUB = 235,
	SPIRV_ATOMIC_SMIN = 236,
	SPIRV_ATOMIC_UMIN = 237,
	SPIRV_ATOMIC_SMAX = 238,
	SPIRV_ATOMIC_UMAX = 239,
	SPIRV_ATOMIC_AND = 240,
	SPIRV_ATOMIC_OR = 241,
	SPIRV_ATOMIC_XOR = 242,
	SPIRV_ATOMIC_FLAG_TEST_AND_SET = 318,
	SPIRV_ATOMIC_FLAG_CLEAR = 319,
	/* SPV_EXT_shader_atomic_float_min_max, …_add */
	SPIRV_ATOMIC_FMIN = 5614,
	SPIRV_ATOMIC_FMAX = 5615,
	SPIRV_ATOMIC_FADD = 6035,
};

/* The bits of semantics that are an order. */
enum {
	SPIRV_ORDER_BITS = OCLMM_SPIRV_ACQUIRE | OCLMM_SPIRV_RELEASE | OCLMM_SPIRV_ACQUIRE_RELEASE |
	                   OCLMM_SPIRV_SEQUENTIALLY_CONSISTENT,
	SPIRV_MEMORY_BITS = OCLMM_SPIRV_WORKGROUP_MEMORY | OCLMM_SPIRV_CROSS_WORKGROUP_MEMORY |
	                    OCLMM_SPIRV_IMAGE_MEMORY,
};

/* What a program asks of the module for one of its operations. */
struct expected {
	enum expected_kind { EXPECTED_ATOMIC, EXPECTED_FENCE, EXPECTED_BARRIER } kind;
	const struct oclmm_expression *atomic;   /* ATOMIC */
	const struct oclmm_statement *statement; /* FENCE, BARRIER */
	enum oclmm_order order, failure;         /* NONE: none, or any does */
	enum oclmm_scope scope;
	bool sub_group; /* BARRIER: of sub-groups */
	unsigned flags; /* the memory that it is about, OCLMM_FLAG_ set */
};

struct expected_list {
	struct expected *items;
	size_t count, capacity;
};

/* expected.c: of a thread, in the order of its text; `barriers`: these alone, else all but these.
 * The caller frees the items. */
void spirv_expect(const struct oclmm_program *program, uint32_t thread, bool barriers,
                  struct expected_list *ret_list);

/* compare.c: what differs in an operation, as "what it should be, but is what"; false where nothing
 * does. */
bool spirv_differs(const struct expected *expected, const struct oclmm_spirv_operation *operation,
                   struct oclmm_text *why);
/* Whether the semantics name the memory that the operation is about. */
bool spirv_names_memory(const struct expected *expected,
                        const struct oclmm_spirv_operation *operation);
/* Whether they name that memory and no other. */
bool spirv_names_just(const struct expected *expected,
                      const struct oclmm_spirv_operation *operation);

#endif
