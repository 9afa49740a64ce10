// SPDX-License-Identifier: Apache-2.0
/* Plants that weaken memory orders (C:6.15.12.3) and scopes (C:6.15.12.4). */
#include "internal.h"

static bool is_operation(enum function_kind kind)
{
	return kind <= FUNCTION_FLAG_CLEAR;
}

static bool is_update(enum function_kind kind)
{
	return kind == FUNCTION_FETCH || kind == FUNCTION_CAS || kind == FUNCTION_FLAG_SET;
}

/* seq_cst, less the total order. A failed compare-exchange only loads. */
static enum order without_total_order(enum function_kind kind, bool failure)
{
	if (kind == FUNCTION_LOAD || failure)
		return ORDER_ACQUIRE;
	return is_update(kind) || kind == FUNCTION_FENCE ? ORDER_ACQ_REL : ORDER_RELEASE;
}

static enum order without_acquire(enum order order)
{
	return order == ORDER_ACQUIRE   ? ORDER_RELAXED
	       : order == ORDER_ACQ_REL ? ORDER_RELEASE
	                                : order;
}

static enum order without_release(enum order order)
{
	return order == ORDER_RELEASE   ? ORDER_RELAXED
	       : order == ORDER_ACQ_REL ? ORDER_ACQUIRE
	                                : order;
}

static enum order weaken_fence(enum plant_bug bug, enum order order)
{
	bool both = order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;

	switch (bug) {
	case PLANT_FENCE_WEAKENED: return order == ORDER_SEQ_CST ? ORDER_ACQ_REL : ORDER_RELAXED;
	case PLANT_FENCE_TO_ACQUIRE: return both ? ORDER_ACQUIRE : order;
	case PLANT_FENCE_TO_RELEASE: return both ? ORDER_RELEASE : order;
	default: return order;
	}
}

/* What becomes of an order that is known. */
static enum order weaken(enum plant_bug bug, enum function_kind kind, bool failure,
                         enum order order)
{
	if (!is_operation(kind) && kind != FUNCTION_FENCE)
		return order;
	if (bug == PLANT_ALL_RELAXED || plant_by_launch(bug))
		return ORDER_RELAXED;
	if (kind == FUNCTION_FENCE)
		return weaken_fence(bug, order);
	switch (bug) {
	case PLANT_SC_ACQ_REL:
		return order == ORDER_SEQ_CST ? without_total_order(kind, failure) : order;
	case PLANT_ACQUIRE_RELAXED: return without_acquire(order);
	case PLANT_RELEASE_RELAXED: return without_release(order);
	case PLANT_RMW_RELAXED:
		return is_update(kind) && order != ORDER_SEQ_CST ? ORDER_RELAXED : order;
	case PLANT_CAS_FAIL_RELAXED: return failure ? ORDER_RELAXED : order;
	default: return order;
	}
}

static enum plant_bug bug_of(const struct rewriter *rewriter)
{
	return rewriter->relaxing ? PLANT_ALL_RELAXED : rewriter->plant.bug;
}

/* Whether an argument becomes another one; its text goes to `text`. */
static bool weaken_argument(struct rewriter *rewriter, const struct call *call, unsigned argument,
                            struct oclmm_text *text)
{
	enum function_kind kind = call->function->kind;
	enum order order = call_order(&rewriter->source, call, argument), weaker;
	bool failure = argument == call->failure, changed = false;
	struct rewriter inner = *rewriter;

	if (order != ORDER_OPAQUE) {
		weaker = weaken(bug_of(rewriter), kind, failure, order);
		oclmm_text_add(text, order_names[weaker]);
		return weaker != order;
	}
	/* the compiler knows it, and works this out: (E == a ? b : E == c ? d : E) */
	inner.text = text;
	oclmm_text_add(text, "(");
	for (int i = 0; i < ORDER_COUNT; i++) {
		weaker = weaken(bug_of(rewriter), kind, failure, (enum order)i);
		if ((int)weaker == i)
			continue;
		changed = true;
		oclmm_text_add(text, "(");
		put_range(&inner, call->arguments[argument]);
		oclmm_text_printf(text, ") == %s ? %s : ", order_names[i], order_names[weaker]);
	}
	oclmm_text_add(text, "(");
	put_range(&inner, call->arguments[argument]);
	oclmm_text_add(text, "))");
	return changed;
}

/* `atomic_load(p)` is seq_cst at device scope: a weaker one has to be written out. */
static bool weaken_short(struct rewriter *rewriter, const struct call *call)
{
	enum function_kind kind = call->function->kind;
	enum order order = weaken(bug_of(rewriter), kind, false, ORDER_SEQ_CST);
	enum order failure = weaken(bug_of(rewriter), kind, true, ORDER_SEQ_CST);
	bool cas = kind == FUNCTION_CAS;

	if (order == ORDER_SEQ_CST && (!cas || failure == ORDER_SEQ_CST))
		return false;
	put(rewriter, "%s_explicit", call->function->name);
	put_range(rewriter, (struct range){call->open, call->close});
	put(rewriter, ", %s", order_names[order]);
	if (cas)
		put(rewriter, ", %s", order_names[failure]);
	put(rewriter, ", memory_scope_device)");
	return true;
}

bool rewrite_orders(struct rewriter *rewriter, const struct call *call)
{
	const char *replaced[CALL_ARGUMENTS] = {NULL};
	struct oclmm_text order, failure;
	bool changed;

	if (is_operation(call->function->kind) && !call->is_explicit)
		return weaken_short(rewriter, call);
	if (call->order == CALL_ARGUMENTS)
		return false;
	oclmm_text_init(&order);
	oclmm_text_init(&failure);
	changed = weaken_argument(rewriter, call, call->order, &order);
	if (changed)
		replaced[call->order] = oclmm_text_string(&order);
	if (call->failure != CALL_ARGUMENTS &&
	    weaken_argument(rewriter, call, call->failure, &failure)) {
		replaced[call->failure] = oclmm_text_string(&failure);
		changed = true;
	}
	if (changed)
		put_call(rewriter, call, replaced);
	oclmm_text_finish(&order);
	oclmm_text_finish(&failure);
	return changed;
}

/* The scope at which a plant lets all wider ones end. */
static const char *narrowest(const struct rewriter *rewriter)
{
	return rewriter->plant.to_sub_group ? "memory_scope_sub_group" : "memory_scope_work_group";
}

/* Adds the scope that is missing, device by default. */
static void put_with_scope(struct rewriter *rewriter, const struct call *call)
{
	put(rewriter, "%s_explicit", call->function->name);
	put_range(rewriter, (struct range){call->open, call->close});
	if (!call->is_explicit)
		put(rewriter, ", memory_order_seq_cst%s",
		    call->function->kind == FUNCTION_CAS ? ", memory_order_seq_cst" : "");
	put(rewriter, ", %s)", narrowest(rewriter));
}

/* The compiler knows it: `((E) == memory_scope_device ? NARROW : (E))`. */
static void put_narrowed(struct rewriter *rewriter, const struct call *call)
{
	put(rewriter, "((");
	put_range(rewriter, call->arguments[call->scope]);
	put(rewriter, ") == memory_scope_device ? %s : (", narrowest(rewriter));
	put_range(rewriter, call->arguments[call->scope]);
	put(rewriter, "))");
}

bool rewrite_scope(struct rewriter *rewriter, const struct call *call)
{
	static const char *const scopes[] = {
		"memory_scope_work_item",       "memory_scope_sub_group",
		"memory_scope_work_group",      "memory_scope_device",
		"memory_scope_all_svm_devices", "memory_scope_all_devices"};
	size_t kept = rewriter->plant.to_sub_group ? 2 : 3;
	const char *replaced[CALL_ARGUMENTS] = {NULL};
	struct rewriter inner = *rewriter;
	struct oclmm_text text;

	if (call->scope == CALL_ARGUMENTS) {
		/* barriers without a scope have the work-group's; legacy functions are of no
		 * scope */
		if (!is_operation(call->function->kind))
			return false;
		put_with_scope(rewriter, call);
		return true;
	}
	for (size_t i = 0; i < OCLMM_COUNT(scopes); i++) {
		if (!range_is(&rewriter->source, call->arguments[call->scope], scopes[i]))
			continue;
		if (i < kept)
			return false;
		replaced[call->scope] = narrowest(rewriter);
	}
	oclmm_text_init(&text);
	if (!replaced[call->scope]) {
		inner.text = &text;
		put_narrowed(&inner, call);
		replaced[call->scope] = oclmm_text_string(&text);
	}
	put_call(rewriter, call, replaced);
	oclmm_text_finish(&text);
	return true;
}
