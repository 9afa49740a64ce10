// SPDX-License-Identifier: Apache-2.0
/* Which orders and scopes are the same instructions on a machine. */
#include "same_code.h"

/* Compilers make a load of an update that leaves what it finds, and then its order tells. */
static bool leaves_all(const struct oclmm_atomic *a)
{
	return a->operand && a->operand->kind == OCLMM_EXPRESSION_CONSTANT &&
	       a->op != OCLMM_OP_EXCHANGE && oclmm_operation_reads(a->op) &&
	       (a->operand->constant == 0 || a->operand->constant == -1);
}

static bool is_far(enum oclmm_scope scope)
{
	return scope == OCLMM_SCOPE_DEVICE || scope == OCLMM_SCOPE_ALL_SVM_DEVICES;
}

/* The code of a machine, of one program. */
struct coder {
	enum code code;
	const struct oclmm_program *program;
	struct oclmm_arena *arena;
};

struct extreme {
	const struct oclmm_atomic *atomic;
	bool kept; /* it may find what it leaves */
};

/* That it finds the value, and leaves it. */
static bool keeps(const struct oclmm_atomic *extreme, int64_t value)
{
	if (!extreme->operand || extreme->operand->kind != OCLMM_EXPRESSION_CONSTANT)
		return true;
	return extreme->op == OCLMM_OP_FETCH_MAX ? value >= extreme->operand->constant
	                                         : value <= extreme->operand->constant;
}

static int find_kept(void *data, const struct oclmm_expression *e)
{
	const struct oclmm_atomic *a = e->kind == OCLMM_EXPRESSION_ATOMIC ? e->atomic : NULL;
	struct extreme *extreme = data;
	bool stored;

	if (!a || a == extreme->atomic || a->object.location != extreme->atomic->object.location ||
	    !oclmm_operation_writes(a->op))
		return 0;
	/* what is stored is the operand, or that of a minimum or maximum */
	stored = a->op == OCLMM_OP_STORE || a->op == OCLMM_OP_INIT || a->op == OCLMM_OP_EXCHANGE ||
	         a->op == OCLMM_OP_FETCH_MIN || a->op == OCLMM_OP_FETCH_MAX;
	extreme->kept |= !stored || !a->operand || a->operand->kind != OCLMM_EXPRESSION_CONSTANT ||
	                 keeps(extreme->atomic, a->operand->constant);
	return 0;
}

/*
 * A minimum or maximum that may find what it leaves. Intel's runtime loads and compares first, and
 * that is all then.
 */
static bool may_only_load(const struct coder *coder, const struct oclmm_atomic *a)
{
	static const struct oclmm_visitor visitor = {.expression = find_kept};
	const struct oclmm_location *l = &coder->program->locations[a->object.location];
	struct extreme extreme = {.atomic = a};

	if (coder->code != CODE_INTEL ||
	    (a->op != OCLMM_OP_FETCH_MIN && a->op != OCLMM_OP_FETCH_MAX))
		return false;
	if (oclmm_type_is_floating(l->type))
		return true;
	for (uint32_t i = 0; i < l->elements; i++)
		extreme.kept |= keeps(a, l->initial[i]);
	for (uint32_t i = 0; i < coder->program->thread_count; i++)
		oclmm_visit_body(&visitor, coder->program->threads[i].body, &extreme);
	return extreme.kept;
}

/* The strongest order that is the same code. */
static void strengthen(const struct coder *coder, struct oclmm_atomic *a)
{
	bool intel = coder->code == CODE_INTEL;
	bool reads = oclmm_operation_reads(a->op), writes = oclmm_operation_writes(a->op);
	bool with_mfence = intel && a->order == OCLMM_ORDER_SEQ_CST && is_far(a->scope);

	/* there any other update that leaves what it finds is locked, or a load behind what is */
	if (a->legacy || a->op == OCLMM_OP_INIT ||
	    (intel ? may_only_load(coder, a) : leaves_all(a)))
		return;
	if (reads && !writes)
		a->order = with_mfence ? OCLMM_ORDER_SEQ_CST : OCLMM_ORDER_ACQUIRE;
	/* the flag's is an xchg whatever its order */
	else if (reads || (intel && a->op == OCLMM_OP_FLAG_CLEAR))
		a->order = OCLMM_ORDER_SEQ_CST;
	else if (a->order != OCLMM_ORDER_SEQ_CST)
		a->order = OCLMM_ORDER_RELEASE;
	if (oclmm_operation_is_cas(a->op))
		a->failure = OCLMM_ORDER_SEQ_CST;
	a->scope = OCLMM_SCOPE_DEVICE;
	a->order_written = a->scope_written = true;
	a->spelling = oclmm_arena_printf(coder->arena, "%s_explicit", oclmm_operation_stem(a->op));
}

/*
 * An update has a membar on both sides by acq_rel and by seq_cst, what fails has one behind it by
 * acquire and by seq_cst, and the clearing of a flag has one before it and no other. This holds for
 * updates that leave what they find, too.
 */
static void strengthen_by_membar(const struct coder *coder, struct oclmm_atomic *a)
{
	bool cas = oclmm_operation_is_cas(a->op);

	if (a->legacy || a->op == OCLMM_OP_INIT)
		return;
	if (oclmm_operation_reads(a->op) && a->order == OCLMM_ORDER_ACQ_REL)
		a->order = OCLMM_ORDER_SEQ_CST;
	if (cas && a->failure == OCLMM_ORDER_ACQUIRE)
		a->failure = OCLMM_ORDER_SEQ_CST;
	if (a->op == OCLMM_OP_FLAG_CLEAR && a->order == OCLMM_ORDER_SEQ_CST)
		a->order = OCLMM_ORDER_RELEASE;
	if (a->order == OCLMM_ORDER_RELAXED && (!cas || a->failure == OCLMM_ORDER_RELAXED))
		a->scope = OCLMM_SCOPE_DEVICE;
	a->order_written = a->scope_written = true;
	a->spelling = oclmm_arena_printf(coder->arena, "%s_explicit", oclmm_operation_stem(a->op));
}

/* No instruction, and the compiler keeps what stands on either side where it is; or an mfence. */
static void strengthen_fence(enum code code, struct oclmm_fence *fence)
{
	bool both = fence->order == OCLMM_ORDER_ACQ_REL || fence->order == OCLMM_ORDER_SEQ_CST;
	bool far = is_far(fence->scope) && fence->flags & OCLMM_FLAG_GLOBAL;

	if (code == CODE_MEMBAR) {
		if (fence->order != OCLMM_ORDER_RELAXED)
			fence->order = OCLMM_ORDER_SEQ_CST;
		return;
	}
	fence->scope = OCLMM_SCOPE_DEVICE;
	/* images are reached by calls, which stay in their order whatever stands between */
	if (code == CODE_INTEL && fence->flags == OCLMM_FLAG_IMAGE)
		fence->order = OCLMM_ORDER_RELAXED;
	else if (code == CODE_INTEL && both && far)
		fence->order = OCLMM_ORDER_SEQ_CST;
	else if (fence->order == OCLMM_ORDER_ACQUIRE || fence->order == OCLMM_ORDER_RELEASE ||
	         (code == CODE_INTEL && both))
		fence->order = OCLMM_ORDER_ACQ_REL;
}

static void strengthen_in(const struct coder *coder, struct oclmm_expression *e)
{
	struct oclmm_parts parts;

	oclmm_expression_parts(e, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++)
		strengthen_in(coder, *parts.expressions[i]);
	if (e->kind == OCLMM_EXPRESSION_ATOMIC && coder->code == CODE_MEMBAR)
		strengthen_by_membar(coder, e->atomic);
	else if (e->kind == OCLMM_EXPRESSION_ATOMIC)
		strengthen(coder, e->atomic);
}

/* Each store is the exchange whose result nobody takes. */
static void exchange_to_store(struct oclmm_statement *s)
{
	struct oclmm_atomic *a = s->kind == OCLMM_STATEMENT_EVALUATE &&
	                                         s->effect->kind == OCLMM_EXPRESSION_ATOMIC
	                                 ? s->effect->atomic
	                                 : NULL;

	if (!a || a->legacy || a->op != OCLMM_OP_EXCHANGE || a->order == OCLMM_ORDER_ACQUIRE)
		return;
	a->op = OCLMM_OP_STORE;
	if (a->order == OCLMM_ORDER_ACQ_REL)
		a->order = OCLMM_ORDER_SEQ_CST;
}

/* A work-item's last access: the membar that a failure has behind it orders nothing more. */
static void strengthen_last(struct oclmm_statement *s)
{
	struct oclmm_parts parts;
	struct oclmm_expression *e;

	while (s && s->next)
		s = s->next;
	if (!s)
		return;
	oclmm_statement_parts(s, &parts);
	for (unsigned i = 0; s->kind == OCLMM_STATEMENT_IF && i < parts.body_count; i++)
		strengthen_last(*parts.bodies[i]);
	if (parts.expression_count != 1 || parts.body_count != 0)
		return;
	e = *parts.expressions[0];
	if (e->kind == OCLMM_EXPRESSION_ATOMIC && !e->atomic->legacy &&
	    oclmm_operation_is_cas(e->atomic->op))
		e->atomic->failure = OCLMM_ORDER_SEQ_CST;
}

static void strengthen_body(const struct coder *coder, struct oclmm_statement *s)
{
	for (; s; s = s->next) {
		struct oclmm_parts parts;

		if (coder->code == CODE_MEMBAR)
			exchange_to_store(s);
		oclmm_statement_parts(s, &parts);
		for (unsigned i = 0; i < parts.expression_count; i++)
			strengthen_in(coder, *parts.expressions[i]);
		for (unsigned i = 0; i < parts.body_count; i++)
			strengthen_body(coder, *parts.bodies[i]);
		if (s->kind == OCLMM_STATEMENT_FENCE)
			strengthen_fence(coder->code, &s->fence);
	}
}

struct oclmm_program *code_of(enum code code, struct oclmm_arena *arena,
                              const struct oclmm_program *program)
{
	struct oclmm_program *copy = oclmm_program_copy(arena, program);
	const struct coder coder = {.code = code, .program = copy, .arena = arena};

	for (uint32_t i = 0; i < copy->thread_count; i++) {
		strengthen_body(&coder, copy->threads[i].body);
		if (code == CODE_MEMBAR)
			strengthen_last(copy->threads[i].body);
	}
	return copy;
}
