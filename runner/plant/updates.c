// SPDX-License-Identifier: Apache-2.0
/*
 * Plants in read-modify-writes (C:6.15.12.7.4, C:6.15.12.7.5, C:6.15.12.8). What
 * they become is a statement expression, which evaluates each argument once:
 *
 *     ({ __typeof__(&*(P)) oclmm_p = (P); T oclmm_v = (V), oclmm_old;
 *        oclmm_old = LOAD; STORE(oclmm_old + oclmm_v); oclmm_old; })
 *
 * __typeof__ keeps the address space and the type, whatever they are.
 */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define RELAXED_LOAD "atomic_load_explicit(oclmm_p, memory_order_relaxed, memory_scope_work_group)"

bool is_legacy(const struct call *call)
{
	return call->function->kind == FUNCTION_LEGACY ||
	       call->function->kind == FUNCTION_LEGACY_CAS;
}

/* `order` as a load or a store may have it. */
static enum order half(enum order order, bool store)
{
	enum order kept = store ? ORDER_RELEASE : ORDER_ACQUIRE;

	if (order == ORDER_NONE)
		return ORDER_SEQ_CST;
	if (order == ORDER_SEQ_CST || order == ORDER_OPAQUE)
		return order;
	return order == kept || order == ORDER_ACQ_REL ? kept : ORDER_RELAXED;
}

static void put_order(struct rewriter *rewriter, const struct call *call, bool store)
{
	enum order order = half(call_order(&rewriter->source, call, call->order), store);
	enum order failure = call_order(&rewriter->source, call, call->failure);

	/* a compare-exchange may acquire although its success does not */
	if (!store && (failure == ORDER_ACQUIRE || failure == ORDER_SEQ_CST) &&
	    order == ORDER_RELAXED)
		order = failure;
	if (order != ORDER_OPAQUE) {
		put(rewriter, "%s", order_names[order]);
		return;
	}
	put(rewriter, "((");
	put_raw(rewriter, call->arguments[call->order]);
	put(rewriter, ") == memory_order_acq_rel ? %s : (",
	    order_names[store ? ORDER_RELEASE : ORDER_ACQUIRE]);
	put_raw(rewriter, call->arguments[call->order]);
	put(rewriter, ") == %s ? memory_order_relaxed : (",
	    order_names[store ? ORDER_ACQUIRE : ORDER_RELEASE]);
	put_raw(rewriter, call->arguments[call->order]);
	put(rewriter, "))");
}

static void put_order_and_scope(struct rewriter *rewriter, const struct call *call, bool store)
{
	put_order(rewriter, call, store);
	put_scope(rewriter, call);
}

void put_type(struct rewriter *rewriter, const struct call *call)
{
	put(rewriter, "__typeof__(%s)", is_legacy(call) ? "*oclmm_p + 0" : RELAXED_LOAD);
}

void put_argument(struct rewriter *rewriter, const struct call *call, unsigned argument)
{
	put(rewriter, "(");
	put_range(rewriter, call->arguments[argument]);
	put(rewriter, ")");
}

static void put_part(struct rewriter *rewriter, const struct call *call, char part)
{
	switch (part) {
	case 'T': put_type(rewriter, call); break;
	case 'O': put_old(rewriter, call); break;
	case 'S': put_scope(rewriter, call); break;
	case 'G': put_given_order(rewriter, call); break;
	default: put_argument(rewriter, call, (unsigned)(part - '0'));
	}
}

void put_code(struct rewriter *rewriter, const struct call *call, const char *format, ...)
{
	char code[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(code, sizeof(code), format, arguments);
	va_end(arguments);
	for (const char *at = code; *at;) {
		size_t length = strcspn(at, "@$");

		oclmm_text_add_bytes(rewriter->text, at, length);
		at += length;
		if (*at == '@')
			put_part(rewriter, call, at[1]);
		else if (*at == '$')
			put_raw(rewriter, call->arguments[at[1] - '0']);
		at += *at ? 2 : 0;
	}
}

void put_object(struct rewriter *rewriter, const struct call *call, enum access access)
{
	put_code(rewriter, call, "({ __typeof__(&*($0)) oclmm_p = @0; ");
	if (access == ACCESS_VOLATILE)
		put(rewriter, "volatile __typeof__(*oclmm_p) *oclmm_m = oclmm_p; ");
	if (access == ACCESS_PLAIN) {
		put_code(rewriter, call, "__local @T *oclmm_m = (__local @T *)oclmm_p; ");
	}
}

static void put_load(struct rewriter *rewriter, const struct call *call, enum access access)
{
	if (access != ACCESS_ATOMIC) {
		put(rewriter, "*oclmm_m");
		return;
	}
	put(rewriter, "atomic_load_explicit(oclmm_p, ");
	put_order_and_scope(rewriter, call, false);
	put(rewriter, ")");
}

static void put_store(struct rewriter *rewriter, const struct call *call, enum access access,
                      const char *value)
{
	if (access != ACCESS_ATOMIC) {
		put(rewriter, "*oclmm_m = %s", value);
		return;
	}
	put(rewriter, "atomic_store_explicit(oclmm_p, %s, ", value);
	put_order_and_scope(rewriter, call, true);
	put(rewriter, ")");
}

/* What an update makes of oclmm_old and oclmm_v. */
static const char *new_value(const struct call *call)
{
	switch (call->function->update[0]) {
	case '+': return "oclmm_old + oclmm_v";
	case '-': return "oclmm_old - oclmm_v";
	case '&': return "oclmm_old & oclmm_v";
	case '|': return "oclmm_old | oclmm_v";
	case '^': return "oclmm_old ^ oclmm_v";
	case '<': return "oclmm_old < oclmm_v ? oclmm_old : oclmm_v";
	case '>': return "oclmm_old > oclmm_v ? oclmm_old : oclmm_v";
	default: return "oclmm_v";
	}
}

static void put_fetch(struct rewriter *rewriter, const struct call *call, enum access access)
{
	put_object(rewriter, call, access);
	put_code(rewriter, call, "@T oclmm_v = ");
	if (call->count > 1)
		put_argument(rewriter, call, 1);
	else
		put(rewriter, "1"); /* atomic_inc and atomic_dec */
	put(rewriter, ", oclmm_old = ");
	put_load(rewriter, call, access);
	put(rewriter, "; ");
	put_store(rewriter, call, access, new_value(call));
	put(rewriter, "; oclmm_old; })");
}

static void put_cas(struct rewriter *rewriter, const struct call *call, enum access access)
{
	put_object(rewriter, call, access);
	put_code(rewriter, call,
	         "__typeof__(&*($1)) oclmm_e = @1; @T oclmm_v = @2, oclmm_was = *oclmm_e, "
	         "oclmm_old = ");
	put_load(rewriter, call, access);
	put(rewriter, "; if (oclmm_old == oclmm_was) ");
	put_store(rewriter, call, access, "oclmm_v");
	put(rewriter, "; else *oclmm_e = oclmm_old; oclmm_old == oclmm_was; })");
}

/* atomic_cmpxchg takes the value it expects, and gives the old one. */
static void put_legacy_cas(struct rewriter *rewriter, const struct call *call, enum access access)
{
	put_object(rewriter, call, access);
	put_code(rewriter, call, "@T oclmm_was = @1, oclmm_v = @2, oclmm_old = ");
	put_load(rewriter, call, access);
	put(rewriter, "; if (oclmm_old == oclmm_was) ");
	put_store(rewriter, call, access, "oclmm_v");
	put(rewriter, "; oclmm_old; })");
}

bool is_unused(const struct source *source, const struct call *call)
{
	static const char *const before[] = {";", "{", "}", "else", "do"};
	static const char *const keywords[] = {"if", "while", "for"};
	size_t last = call->name - 1, open;

	if (call->name == 0 || !token_is(source, call->close + 1, ";") ||
	    source->tokens[last].macro != source->tokens[call->name].macro)
		return false;
	for (size_t i = 0; i < OCLMM_COUNT(before); i++) {
		if (token_is(source, last, before[i]))
			return true;
	}
	if (!token_is(source, last, ")") || source->tokens[last].match == TOKEN_UNMATCHED)
		return false;
	open = source->tokens[last].match;
	for (size_t i = 0; i < OCLMM_COUNT(keywords); i++) {
		if (open > 0 && token_is(source, open - 1, keywords[i]))
			return true;
	}
	return last - open == 2 && token_is(source, open + 1, "void");
}

static bool store_exchange(struct rewriter *rewriter, const struct call *call)
{
	if (!call->function->update || call->function->update[0] != '=' ||
	    !is_unused(&rewriter->source, call))
		return false;
	if (is_legacy(call)) {
		put_code(rewriter, call, "*(volatile __typeof__(*($0)) *)@0 = @1");
		return true;
	}
	put(rewriter, "atomic_store_explicit(");
	put_range(rewriter, call->arguments[0]);
	put(rewriter, ", ");
	put_range(rewriter, call->arguments[1]);
	put(rewriter, ", ");
	put_order_and_scope(rewriter, call, true);
	put(rewriter, ")");
	return true;
}

static void put_update(struct rewriter *rewriter, const struct call *call)
{
	put_code(rewriter, call, "%s_explicit(oclmm_p, oclmm_v@G@S)", call->function->name);
}

/* One of N does not take place, or takes place twice. Which ones depends on the object and the
 * work-item: any update is safe most of the time. */
static void lose_or_repeat(struct rewriter *rewriter, const struct call *call, bool repeats)
{
	put_object(rewriter, call, ACCESS_ATOMIC);
	put_code(rewriter, call,
	         "@T oclmm_v = @1; ((((uint)(size_t)oclmm_p >> 2) * 2654435761u ^ "
	         "(uint)get_global_id(0) * 40503u) >> 8) %% %lluu ? ",
	         (unsigned long long)rewriter->plant.number);
	put_update(rewriter, call);
	put(rewriter, " : ");
	if (repeats) {
		put(rewriter, "(");
		put_update(rewriter, call);
		put(rewriter, ", ");
		put_update(rewriter, call);
		put(rewriter, ")");
	} else {
		put_load(rewriter, call, ACCESS_ATOMIC);
	}
	put(rewriter, "; })");
}

/* GPUs have an instruction of its own for updates whose result nobody wants. */
static bool splits_legacy(const struct rewriter *rewriter, const struct call *call)
{
	return rewriter->plant.all || !is_unused(&rewriter->source, call);
}

/* What was found is gone, and something else is given. */
static void put_late(struct rewriter *rewriter, const struct call *call)
{
	const char *const replaced[CALL_ARGUMENTS] = {"oclmm_p", "oclmm_e"};

	put_object(rewriter, call, ACCESS_ATOMIC);
	put_code(rewriter, call, "__typeof__(&*($1)) oclmm_e = @1; int oclmm_done = ");
	put_call(rewriter, call, replaced);
	put(rewriter, "; if (!oclmm_done) *oclmm_e = ");
	put_load(rewriter, call, ACCESS_ATOMIC);
	put(rewriter, "; oclmm_done; })");
}

bool rewrite_update(struct rewriter *rewriter, const struct call *call)
{
	enum function_kind kind = call->function->kind;
	enum plant_bug bug = rewriter->plant.bug;

	if (bug == PLANT_EXCHANGE_STORE)
		return store_exchange(rewriter, call);
	if (bug == PLANT_EXPECTED_LATE && kind == FUNCTION_CAS)
		put_late(rewriter, call);
	else if ((bug == PLANT_RMW_SPLIT || rewriter->splitting) && kind == FUNCTION_FETCH)
		put_fetch(rewriter, call, ACCESS_ATOMIC);
	else if ((bug == PLANT_CAS_SPLIT || rewriter->splitting) && kind == FUNCTION_CAS)
		put_cas(rewriter, call, ACCESS_ATOMIC);
	else if ((bug == PLANT_UPDATE_LOST || bug == PLANT_UPDATE_TWICE) && kind == FUNCTION_FETCH)
		lose_or_repeat(rewriter, call, bug == PLANT_UPDATE_TWICE);
	else if (bug == PLANT_LEGACY_SPLIT && kind == FUNCTION_LEGACY &&
	         splits_legacy(rewriter, call))
		put_fetch(rewriter, call, ACCESS_VOLATILE);
	else if (bug == PLANT_LEGACY_SPLIT && kind == FUNCTION_LEGACY_CAS &&
	         splits_legacy(rewriter, call))
		put_legacy_cas(rewriter, call, ACCESS_VOLATILE);
	else
		return false;
	return true;
}

bool rewrite_init(struct rewriter *rewriter, const struct call *call)
{
	struct rewriter inner = *rewriter;
	const char *replaced[CALL_ARGUMENTS] = {0};
	struct oclmm_text value;

	if (call->function->kind != FUNCTION_INIT)
		return false;
	if (rewriter->plant.bug == PLANT_INIT_LOST) {
		put_code(rewriter, call, "((void)@0)");
		return true;
	}
	if (object_float(&rewriter->source, call))
		return false;
	inner.text = &value;
	oclmm_text_init(&value);
	put(&inner, "(");
	put_range(&inner, call->arguments[1]);
	put(&inner, ") & (sizeof(*(");
	put_raw(&inner, call->arguments[0]);
	put(&inner, ")) == 8 ? 0xffffffffu : 0xffffu)");
	replaced[1] = oclmm_text_string(&value);
	put_call(rewriter, call, replaced);
	oclmm_text_finish(&value);
	return true;
}

bool rewrite_local(struct rewriter *rewriter, const struct call *call)
{
	switch (call->function->kind) {
	case FUNCTION_LOAD:
	case FUNCTION_STORE:
	case FUNCTION_FETCH:
	case FUNCTION_CAS:
	case FUNCTION_LEGACY:
	case FUNCTION_LEGACY_CAS: break;
	default: /* an atomic_flag cannot be read otherwise */ return false;
	}
	if (!is_local(&rewriter->source, call))
		return false;
	if (call->function->kind == FUNCTION_CAS) {
		put_cas(rewriter, call, ACCESS_PLAIN);
	} else if (call->function->kind == FUNCTION_LEGACY_CAS) {
		put_legacy_cas(rewriter, call, ACCESS_PLAIN);
	} else if (call->function->update) {
		put_fetch(rewriter, call, ACCESS_PLAIN);
	} else {
		put_object(rewriter, call, ACCESS_PLAIN);
		put(rewriter, "*oclmm_m");
		if (call->function->kind == FUNCTION_STORE) {
			put_code(rewriter, call, " = @1; (void)0");
		}
		put(rewriter, "; })");
	}
	return true;
}
