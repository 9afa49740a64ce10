// SPDX-License-Identifier: Apache-2.0
/* One operation of a program beside one of a module. */
#include "internal.h"

/* By enum oclmm_scope, SPIR-V's number. */
static const uint32_t scopes[OCLMM_SCOPE_COUNT] = {
	[OCLMM_SCOPE_NONE] = OCLMM_SPIRV_UNKNOWN,
	[OCLMM_SCOPE_ALL_SVM_DEVICES] = 0,
	[OCLMM_SCOPE_DEVICE] = 1,
	[OCLMM_SCOPE_WORK_GROUP] = 2,
	[OCLMM_SCOPE_SUB_GROUP] = 3,
	[OCLMM_SCOPE_WORK_ITEM] = 4,
};

/* By enum oclmm_order, the bits of semantics. */
static const uint32_t orders[OCLMM_ORDER_COUNT] = {
	[OCLMM_ORDER_NONE] = OCLMM_SPIRV_UNKNOWN,
	[OCLMM_ORDER_RELAXED] = 0,
	[OCLMM_ORDER_ACQUIRE] = OCLMM_SPIRV_ACQUIRE,
	[OCLMM_ORDER_RELEASE] = OCLMM_SPIRV_RELEASE,
	[OCLMM_ORDER_ACQ_REL] = OCLMM_SPIRV_ACQUIRE_RELEASE,
	[OCLMM_ORDER_SEQ_CST] = OCLMM_SPIRV_SEQUENTIALLY_CONSISTENT,
};

static const char *scope_word(uint32_t scope)
{
	for (unsigned i = OCLMM_SCOPE_WORK_ITEM; i < OCLMM_SCOPE_COUNT; i++)
		if (scopes[i] == scope)
			return oclmm_scope_spelling((enum oclmm_scope)i);
	return scope == OCLMM_SPIRV_UNKNOWN ? "a scope that is no constant" : "an unknown scope";
}

static const char *order_word(uint32_t semantics)
{
	if (semantics == OCLMM_SPIRV_UNKNOWN)
		return "an order that is no constant";
	for (unsigned i = OCLMM_ORDER_RELAXED; i < OCLMM_ORDER_COUNT; i++)
		if (orders[i] == (semantics & SPIRV_ORDER_BITS))
			return oclmm_order_spelling((enum oclmm_order)i);
	return "several orders at once";
}

/* Where integers have another one, else 0; what is subtracted is negated and added. */
static uint16_t floating_opcode(enum oclmm_operation op)
{
	switch (op) {
	case OCLMM_OP_FETCH_ADD:
	case OCLMM_OP_FETCH_SUB: return SPIRV_ATOMIC_FADD;
	case OCLMM_OP_FETCH_MIN: return SPIRV_ATOMIC_FMIN;
	case OCLMM_OP_FETCH_MAX: return SPIRV_ATOMIC_FMAX;
	default: return 0;
	}
}

/* An instruction for a function: the second one where a type is signed, or an operand is one. */
static bool is_for(const struct oclmm_expression *e, uint16_t opcode)
{
	bool is_signed = oclmm_type_is_signed(e->type);

	if (oclmm_type_is_floating(e->type) && floating_opcode(e->atomic->op))
		return opcode == floating_opcode(e->atomic->op);
	switch (e->atomic->op) {
	case OCLMM_OP_LOAD: return opcode == SPIRV_ATOMIC_LOAD;
	case OCLMM_OP_STORE: return opcode == SPIRV_ATOMIC_STORE;
	case OCLMM_OP_EXCHANGE: return opcode == SPIRV_ATOMIC_EXCHANGE;
	case OCLMM_OP_FETCH_ADD:
		return opcode == SPIRV_ATOMIC_ADD || opcode == SPIRV_ATOMIC_INCREMENT;
	case OCLMM_OP_FETCH_SUB:
		return opcode == SPIRV_ATOMIC_SUB || opcode == SPIRV_ATOMIC_DECREMENT;
	case OCLMM_OP_FETCH_OR: return opcode == SPIRV_ATOMIC_OR;
	case OCLMM_OP_FETCH_XOR: return opcode == SPIRV_ATOMIC_XOR;
	case OCLMM_OP_FETCH_AND: return opcode == SPIRV_ATOMIC_AND;
	case OCLMM_OP_FETCH_MIN:
		return opcode == (is_signed ? SPIRV_ATOMIC_SMIN : SPIRV_ATOMIC_UMIN);
	case OCLMM_OP_FETCH_MAX:
		return opcode == (is_signed ? SPIRV_ATOMIC_SMAX : SPIRV_ATOMIC_UMAX);
	case OCLMM_OP_CAS_STRONG: return opcode == SPIRV_ATOMIC_COMPARE_EXCHANGE;
	case OCLMM_OP_CAS_WEAK:
		return opcode == SPIRV_ATOMIC_COMPARE_EXCHANGE ||
		       opcode == SPIRV_ATOMIC_COMPARE_EXCHANGE_WEAK;
	case OCLMM_OP_FLAG_TEST_AND_SET: return opcode == SPIRV_ATOMIC_FLAG_TEST_AND_SET;
	case OCLMM_OP_FLAG_CLEAR: return opcode == SPIRV_ATOMIC_FLAG_CLEAR;
	case OCLMM_OP_INIT:
	case OCLMM_OP_COUNT: break;
	}
	return false;
}

static bool is_instruction(const struct expected *expected, uint16_t opcode)
{
	switch (expected->kind) {
	case EXPECTED_ATOMIC: return is_for(expected->atomic, opcode);
	case EXPECTED_FENCE: return opcode == SPIRV_MEMORY_BARRIER;
	case EXPECTED_BARRIER: break;
	}
	return opcode == SPIRV_CONTROL_BARRIER;
}

/* A barrier of OpenCL C has no order: it acquires and releases (A:3.3.6.2), and more does. */
static bool order_fits(const struct expected *expected, uint32_t semantics)
{
	if (expected->order == OCLMM_ORDER_NONE)
		return true;
	if (semantics == OCLMM_SPIRV_UNKNOWN)
		return false;
	semantics &= SPIRV_ORDER_BITS;
	return semantics == orders[expected->order] ||
	       (expected->kind == EXPECTED_BARRIER &&
	        semantics == OCLMM_SPIRV_SEQUENTIALLY_CONSISTENT);
}

static bool tell(struct oclmm_text *why, const char *wanted, const char *what, const char *is)
{
	oclmm_text_printf(why, "%s%s, and is %s", wanted, what, is);
	return true;
}

bool spirv_differs(const struct expected *expected, const struct oclmm_spirv_operation *operation,
                   struct oclmm_text *why)
{
	uint32_t waits =
		scopes[expected->sub_group ? OCLMM_SCOPE_SUB_GROUP : OCLMM_SCOPE_WORK_GROUP];

	if (!is_instruction(expected, operation->opcode))
		return tell(why, "another instruction", "", operation->name);
	if (!order_fits(expected, operation->semantics))
		return tell(why, oclmm_order_spelling(expected->order), "",
		            order_word(operation->semantics));
	if (expected->failure != OCLMM_ORDER_NONE &&
	    (operation->unequal == OCLMM_SPIRV_UNKNOWN ||
	     (operation->unequal & SPIRV_ORDER_BITS) != orders[expected->failure]))
		return tell(why, oclmm_order_spelling(expected->failure), " on failure",
		            order_word(operation->unequal));
	if (operation->scope != scopes[expected->scope])
		return tell(why, oclmm_scope_spelling(expected->scope), "",
		            scope_word(operation->scope));
	if (expected->kind == EXPECTED_BARRIER && operation->execution != waits)
		return tell(why, scope_word(waits), " for those who wait",
		            scope_word(operation->execution));
	return false;
}

/* The bits of the memory that an operation is about. */
static uint32_t memory_of(const struct expected *expected)
{
	uint32_t bits = 0;

	if (expected->flags & OCLMM_FLAG_GLOBAL)
		bits |= OCLMM_SPIRV_CROSS_WORKGROUP_MEMORY;
	if (expected->flags & OCLMM_FLAG_LOCAL)
		bits |= OCLMM_SPIRV_WORKGROUP_MEMORY;
	if (expected->flags & OCLMM_FLAG_IMAGE)
		bits |= OCLMM_SPIRV_IMAGE_MEMORY;
	return bits;
}

/* A relaxed one orders no memory, and need not name any. */
bool spirv_names_memory(const struct expected *expected,
                        const struct oclmm_spirv_operation *operation)
{
	return !(operation->semantics & SPIRV_ORDER_BITS) ||
	       !(memory_of(expected) & ~operation->semantics);
}

bool spirv_names_just(const struct expected *expected,
                      const struct oclmm_spirv_operation *operation)
{
	return (operation->semantics & SPIRV_MEMORY_BITS) == memory_of(expected);
}
