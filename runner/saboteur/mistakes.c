// SPDX-License-Identifier: Apache-2.0
/*
 * Plants in what an operation computes (C:6.15.12.7, C:6.15.12.8). The call
 * becomes a compare-exchange in a loop, indivisible as it was and of the same
 * order and scope, which stores and gives something else:
 *
 *     ({ __typeof__(&*(P)) oclmm_p = (P); T oclmm_v = (V), oclmm_old = LOAD, oclmm_new;
 *        do oclmm_new = WRONG; while (!CAS(oclmm_p, &oclmm_old, oclmm_new)); oclmm_old; })
 */
#include <string.h>

#include "internal.h"

#define LOW  "(~0ul >> (64 - 4 * sizeof(oclmm_old)))"
#define ALL  "(~0ul >> (64 - 8 * sizeof(oclmm_old)))"
#define HIGH "(~" LOW ")"

/* ---- which functions ------------------------------------------------- */

static bool adds(const struct function *function)
{
	return function->update && strchr("+-", function->update[0]);
}

static bool is_extreme(const struct function *function)
{
	return function->update && strchr("<>", function->update[0]);
}

static bool is_cas(const struct function *function)
{
	return function->kind == FUNCTION_CAS || function->kind == FUNCTION_LEGACY_CAS;
}

static bool stores_something(enum function_kind kind)
{
	return (kind > FUNCTION_LOAD && kind <= FUNCTION_FLAG_CLEAR) || kind == FUNCTION_LEGACY ||
	       kind == FUNCTION_LEGACY_CAS;
}

/* atomic_inc and atomic_dec have none. */
static bool has_operand(const struct function *function)
{
	return is_cas(function) || function->kind == FUNCTION_STORE ||
	       (function->update && function->operands > 1);
}

/* The operator that takes the place of an update's own, or 0. */
static char substitute(enum saboteur_bug bug)
{
	static const char operators[] = "=+-|^&<>";

	return bug >= SABOTEUR_AS_EXCHANGE && bug <= SABOTEUR_AS_MAX
	               ? operators[bug - SABOTEUR_AS_EXCHANGE]
	               : 0;
}

static bool concerns(enum saboteur_bug bug, const struct function *function)
{
	enum function_kind kind = function->kind;
	bool flag = kind == FUNCTION_FLAG_SET || kind == FUNCTION_FLAG_CLEAR;

	if (substitute(bug))
		return function->update && function->update[0] != substitute(bug);
	switch (bug) {
	case SABOTEUR_NOTHING_STORED: return stores_something(kind);
	case SABOTEUR_STORES_BYTE:
	case SABOTEUR_STORES_LOW:
	case SABOTEUR_STORES_HIGH: return stores_something(kind) && !flag;
	case SABOTEUR_COMPARES_BYTE:
	case SABOTEUR_COMPARES_LOW:
	case SABOTEUR_COMPARES_HIGH: return is_cas(function) || is_extreme(function);
	case SABOTEUR_OTHER_SIGN: return is_extreme(function);
	case SABOTEUR_NO_CARRY_8:
	case SABOTEUR_NO_CARRY_16:
	case SABOTEUR_NO_CARRY_32:
	case SABOTEUR_SATURATES: return adds(function);
	case SABOTEUR_RETURNS_NEW:
		return function->update || kind == FUNCTION_FLAG_SET || kind == FUNCTION_LEGACY_CAS;
	case SABOTEUR_RETURNS_LOW:
		return function->update || kind == FUNCTION_LOAD || kind == FUNCTION_LEGACY_CAS;
	case SABOTEUR_NO_RETRY: return function->update != NULL;
	case SABOTEUR_RESULT_EARLY: return function->update && function->operands > 1;
	case SABOTEUR_EXPECTED_KEPT: return kind == FUNCTION_CAS;
	/* a weak one may fail at any time */
	case SABOTEUR_FAILS:
		return is_cas(function) &&
		       strcmp(function->name, "atomic_compare_exchange_weak") != 0;
	case SABOTEUR_OPERAND_8:
	case SABOTEUR_OPERAND_16:
	case SABOTEUR_OPERAND_32:
	case SABOTEUR_OPERAND_SIGN_8:
	case SABOTEUR_OPERAND_SIGN_16:
	case SABOTEUR_OPERAND_SIGN_32:
	case SABOTEUR_OPERAND_ONE_MORE:
	case SABOTEUR_OPERAND_NEGATED: return has_operand(function);
	case SABOTEUR_FAILURE_WRITES:
	case SABOTEUR_SWAPPED:
	case SABOTEUR_SUCCEEDS: return is_cas(function);
	case SABOTEUR_EXPECTS_16:
	case SABOTEUR_EXPECTS_ONE_MORE:
		return is_cas(function) &&
		       strcmp(function->name, "atomic_compare_exchange_weak") != 0;
	default: return false;
	}
}

const char *saboteur_function(enum saboteur_bug bug, size_t index, bool *ret_concerned)
{
	const char *name;
	const struct function *function = function_at(index, &name);

	if (!function)
		return NULL;
	*ret_concerned = concerns(bug, function);
	return name;
}

/* Those that do not look at bits; of a half there is no compare-exchange. */
static bool concerns_float(enum saboteur_bug bug, const char *type)
{
	return strcmp(type, "half") != 0 &&
	       (bug == SABOTEUR_NOTHING_STORED || bug == SABOTEUR_AS_EXCHANGE ||
	        bug == SABOTEUR_AS_MIN || bug == SABOTEUR_AS_MAX || bug == SABOTEUR_RETURNS_NEW);
}

static bool is_meant(const struct saboteur_plant *plant, const struct call *call)
{
	const char *name;

	if (!concerns(plant->bug, call->function))
		return false;
	/* kernels count with those of 1.x, and a count that is lost hides what is wrong */
	if (!plant->function[0])
		return !is_legacy(call);
	for (size_t i = 0;; i++) {
		const struct function *function = function_at(i, &name);

		if (strcmp(name, plant->function) == 0)
			return function == call->function;
	}
}

/* ---- values, as OpenCL C --------------------------------------------- */

static const char *operation(char update)
{
	switch (update) {
	case '+': return "(ulong)oclmm_old + (ulong)oclmm_v";
	case '-': return "(ulong)oclmm_old - (ulong)oclmm_v";
	case '|': return "oclmm_old | oclmm_v";
	case '^': return "oclmm_old ^ oclmm_v";
	case '&': return "oclmm_old & oclmm_v";
	case '<': return "oclmm_v < oclmm_old ? oclmm_v : oclmm_old";
	case '>': return "oclmm_old < oclmm_v ? oclmm_v : oclmm_old";
	default: return "oclmm_v";
	}
}

/* The bits that are compared, stored or added by themselves; NULL for all. */
static const char *part(enum saboteur_bug bug)
{
	switch (bug) {
	case SABOTEUR_STORES_BYTE:
	case SABOTEUR_COMPARES_BYTE:
	case SABOTEUR_NO_CARRY_8: return "0xfful";
	case SABOTEUR_NO_CARRY_16: return "0xfffful";
	case SABOTEUR_NO_CARRY_32: return "0xfffffffful";
	case SABOTEUR_STORES_LOW:
	case SABOTEUR_COMPARES_LOW: return LOW;
	case SABOTEUR_STORES_HIGH:
	case SABOTEUR_COMPARES_HIGH: return HIGH;
	default: return NULL;
	}
}

static bool compares(enum saboteur_bug bug)
{
	return bug >= SABOTEUR_COMPARES_BYTE && bug <= SABOTEUR_COMPARES_HIGH;
}

static bool stores(enum saboteur_bug bug)
{
	return bug >= SABOTEUR_STORES_BYTE && bug <= SABOTEUR_STORES_HIGH;
}

/* A value as it is compared: part of it, or with its sign bit the other way round. */
static void put_key(struct rewriter *rewriter, const char *name)
{
	enum saboteur_bug bug = rewriter->plant.bug;

	if (bug == SABOTEUR_COMPARES_HIGH)
		put(rewriter, "(__typeof__(oclmm_old))((ulong)%s & " HIGH ")", name);
	else if (bug == SABOTEUR_OTHER_SIGN)
		put(rewriter,
		    "(((ulong)%s & " ALL ") ^ ((__typeof__(oclmm_old))-1 < 0 ? 0ul : "
		    "1ul << (8 * sizeof(oclmm_old) - 1)))",
		    name);
	else
		put(rewriter, "((ulong)%s & %s)", name, part(bug));
}

/* A store has none: it exchanges. */
static char operator_of(const struct call *call)
{
	return call->function->update ? call->function->update[0] : '=';
}

static void put_extreme(struct rewriter *rewriter, const struct call *call)
{
	bool least = operator_of(call) == '<';

	put_key(rewriter, least ? "oclmm_v" : "oclmm_old");
	put(rewriter, " < ");
	put_key(rewriter, least ? "oclmm_old" : "oclmm_v");
	put(rewriter, " ? oclmm_v : oclmm_old");
}

static void put_without_carry(struct rewriter *rewriter, const struct call *call)
{
	const char *bits = part(rewriter->plant.bug);
	char sign = operator_of(call);

	put(rewriter,
	    "((((ulong)oclmm_old & ~%s) %c ((ulong)oclmm_v & ~%s)) & ~%s) | (((ulong)oclmm_old "
	    "%c (ulong)oclmm_v) & %s)",
	    bits, sign, bits, bits, sign, bits);
}

/* Changes what was passed, behind the declarations. */
static const char *changed_operand(enum saboteur_bug bug)
{
	switch (bug) {
	case SABOTEUR_OPERAND_8: return "oclmm_v = (ulong)oclmm_v & 0xfful; ";
	case SABOTEUR_OPERAND_16: return "oclmm_v = (ulong)oclmm_v & 0xfffful; ";
	case SABOTEUR_OPERAND_32: return "oclmm_v = (ulong)oclmm_v & 0xfffffffful; ";
	case SABOTEUR_OPERAND_SIGN_8: return "oclmm_v = (long)(char)oclmm_v; ";
	case SABOTEUR_OPERAND_SIGN_16: return "oclmm_v = (long)(short)oclmm_v; ";
	case SABOTEUR_OPERAND_SIGN_32: return "oclmm_v = (long)(int)oclmm_v; ";
	case SABOTEUR_OPERAND_ONE_MORE: return "oclmm_v = (ulong)oclmm_v + 1ul; ";
	case SABOTEUR_OPERAND_NEGATED: return "oclmm_v = 0ul - (ulong)oclmm_v; ";
	case SABOTEUR_EXPECTS_16: return "oclmm_was = (ulong)oclmm_was & 0xfffful; ";
	case SABOTEUR_EXPECTS_ONE_MORE: return "oclmm_was = (ulong)oclmm_was + 1ul; ";
	case SABOTEUR_SWAPPED:
		return "oclmm_new = oclmm_v; oclmm_v = oclmm_was; oclmm_was = oclmm_new; ";
	default: return "";
	}
}

/* What an update or a store makes of oclmm_old and oclmm_v. */
static void put_wrong(struct rewriter *rewriter, const struct call *call)
{
	enum saboteur_bug bug = rewriter->plant.bug;
	char update = call->function->update ? call->function->update[0] : '=';

	if (substitute(bug))
		put(rewriter, "%s", operation(substitute(bug)));
	else if (bug == SABOTEUR_NOTHING_STORED)
		put(rewriter, "oclmm_old");
	else if (stores(bug))
		put(rewriter, "((ulong)oclmm_old & ~%s) | ((ulong)(%s) & %s)", part(bug),
		    operation(update), part(bug));
	else if (compares(bug) || bug == SABOTEUR_OTHER_SIGN)
		put_extreme(rewriter, call);
	else if (bug == SABOTEUR_SATURATES)
		put(rewriter, "%s_sat(oclmm_old, oclmm_v)", update == '+' ? "add" : "sub");
	else if (part(bug))
		put_without_carry(rewriter, call);
	else
		put(rewriter, "%s", operation(update));
}

/* Whether a compare-exchange finds what it expects. */
static void put_found(struct rewriter *rewriter)
{
	enum saboteur_bug bug = rewriter->plant.bug;

	if (compares(bug))
		put(rewriter, "(((ulong)oclmm_old ^ (ulong)oclmm_was) & %s) == 0", part(bug));
	else
		put(rewriter, "%s",
		    bug == SABOTEUR_FAILS      ? "0"
		    : bug == SABOTEUR_SUCCEEDS ? "1"
		                               : "oclmm_old == oclmm_was");
}

/* ---- the calls ------------------------------------------------------- */

void put_scope(struct rewriter *rewriter, const struct call *call)
{
	put(rewriter, ", ");
	if (call->scope != CALL_ARGUMENTS)
		put_raw(rewriter, call->arguments[call->scope]);
	else
		put(rewriter, "memory_scope_device");
}

/* atom_add and its like are for 64 bits, and so must be what takes their place. */
static bool is_atom(const struct rewriter *rewriter, const struct call *call)
{
	const struct token *token = &rewriter->source.tokens[call->name];

	return memcmp(rewriter->source.text + token->at, "atom_", 5) == 0;
}

void put_old(struct rewriter *rewriter, const struct call *call)
{
	put_type(rewriter, call);
	if (is_legacy(call)) {
		put(rewriter, " oclmm_old = *oclmm_m");
	} else {
		put(rewriter, " oclmm_old = atomic_load_explicit(oclmm_p, memory_order_relaxed");
		put_scope(rewriter, call);
		put(rewriter, ")");
	}
	put(rewriter, ", oclmm_new");
}

void put_exchange(struct rewriter *rewriter, const struct call *call)
{
	const char *again = rewriter->plant.bug == SABOTEUR_NO_RETRY ? " && false" : "";

	if (is_legacy(call)) {
		put(rewriter,
		    "; oclmm_seen = oclmm_old; oclmm_old = %s_cmpxchg(oclmm_p, oclmm_seen, "
		    "oclmm_new); } while (oclmm_old != oclmm_seen%s); ",
		    is_atom(rewriter, call) ? "atom" : "atomic", again);
		return;
	}
	put(rewriter, "; } while (!atomic_compare_exchange_strong_explicit(oclmm_p, &oclmm_old, "
	              "oclmm_new, ");
	if (call->order != CALL_ARGUMENTS)
		put_raw(rewriter, call->arguments[call->order]);
	else
		put(rewriter, "memory_order_seq_cst");
	put(rewriter, ", memory_order_relaxed");
	put_scope(rewriter, call);
	put(rewriter, ")%s); ", again);
}

static void put_result(struct rewriter *rewriter, const struct call *call)
{
	enum saboteur_bug bug = rewriter->plant.bug;

	if (call->function->kind == FUNCTION_STORE)
		put(rewriter, "(void)0; })");
	else if (bug == SABOTEUR_RETURNS_LOW)
		put(rewriter, "(__typeof__(oclmm_old))((ulong)oclmm_old & " LOW "); })");
	else
		put(rewriter, "%s; })",
		    bug == SABOTEUR_RETURNS_NEW    ? "oclmm_new"
		    : bug == SABOTEUR_RESULT_EARLY ? "oclmm_first"
		                                   : "oclmm_old");
}

/* Updates and stores. */
static void put_update(struct rewriter *rewriter, const struct call *call)
{
	put_object(rewriter, call, is_legacy(call) ? ACCESS_VOLATILE : ACCESS_ATOMIC);
	put_old(rewriter, call);
	put(rewriter, rewriter->plant.bug == SABOTEUR_RESULT_EARLY
	                      ? ", oclmm_first = oclmm_old, oclmm_v = "
	                      : ", oclmm_v = ");
	if (call->count > 1)
		put_argument(rewriter, call, 1);
	else
		put(rewriter, "1"); /* atomic_inc and atomic_dec */
	put(rewriter, "%s; %sdo { oclmm_new = ", is_legacy(call) ? ", oclmm_seen" : "",
	    changed_operand(rewriter->plant.bug));
	put_wrong(rewriter, call);
	put_exchange(rewriter, call);
	put_result(rewriter, call);
}

/* What a compare-exchange stores, where it stores. */
static void put_desired(struct rewriter *rewriter)
{
	enum saboteur_bug bug = rewriter->plant.bug;

	put(rewriter,
	    bug == SABOTEUR_FAILURE_WRITES ? "oclmm_new = " : "oclmm_new = oclmm_found ? ");
	if (bug == SABOTEUR_NOTHING_STORED)
		put(rewriter, "oclmm_old");
	else if (stores(bug))
		put(rewriter,
		    "(__typeof__(oclmm_old))(((ulong)oclmm_old & ~%s) | ((ulong)oclmm_v & %s))",
		    part(bug), part(bug));
	else
		put(rewriter, "oclmm_v");
	put(rewriter, bug == SABOTEUR_FAILURE_WRITES ? "" : " : oclmm_old");
}

static void put_cas_loop(struct rewriter *rewriter, const struct call *call)
{
	put(rewriter, ", oclmm_v = ");
	put_argument(rewriter, call, 2);
	put(rewriter,
	    "%s; int oclmm_found; %sdo { oclmm_found = ", is_legacy(call) ? ", oclmm_seen" : "",
	    changed_operand(rewriter->plant.bug));
	put_found(rewriter);
	put(rewriter, "; ");
	put_desired(rewriter);
	put_exchange(rewriter, call);
}

static void put_cas(struct rewriter *rewriter, const struct call *call)
{
	put_object(rewriter, call, ACCESS_ATOMIC);
	put(rewriter, "__typeof__(&*(");
	put_raw(rewriter, call->arguments[1]);
	put(rewriter, ")) oclmm_e = ");
	put_argument(rewriter, call, 1);
	put(rewriter, "; ");
	put_old(rewriter, call);
	put(rewriter, ", oclmm_was = *oclmm_e");
	put_cas_loop(rewriter, call);
	if (rewriter->plant.bug != SABOTEUR_EXPECTED_KEPT)
		put(rewriter, "if (!oclmm_found) *oclmm_e = oclmm_old; ");
	put(rewriter, "oclmm_found; })");
}

static void put_legacy_cas(struct rewriter *rewriter, const struct call *call)
{
	put_object(rewriter, call, ACCESS_VOLATILE);
	put_old(rewriter, call);
	put(rewriter, ", oclmm_was = ");
	put_argument(rewriter, call, 1);
	put_cas_loop(rewriter, call);
	if (rewriter->plant.bug == SABOTEUR_SUCCEEDS)
		put(rewriter, "oclmm_was; })");
	else
		put_result(rewriter, call);
}

/* Flags have no value that could be compared: setting is undone, clearing left out. */
static void put_flag(struct rewriter *rewriter, const struct call *call)
{
	if (rewriter->plant.bug == SABOTEUR_RETURNS_NEW) {
		put(rewriter, "((void)");
		put_raw(rewriter, (struct range){call->name, call->close + 1});
		put(rewriter, ", 1)");
	} else if (call->function->kind == FUNCTION_FLAG_CLEAR) {
		put(rewriter, "((void)");
		put_argument(rewriter, call, 0);
		put(rewriter, ")");
	} else {
		put(rewriter, "({ bool oclmm_old = ");
		put_raw(rewriter, (struct range){call->name, call->close + 1});
		put(rewriter, "; if (!oclmm_old) atomic_flag_clear_explicit(");
		put_argument(rewriter, call, 0);
		put(rewriter, ", memory_order_relaxed");
		put_scope(rewriter, call);
		put(rewriter, "); oclmm_old; })");
	}
}

static void put_load(struct rewriter *rewriter, const struct call *call)
{
	put_object(rewriter, call, ACCESS_ATOMIC);
	put_type(rewriter, call);
	put(rewriter, " oclmm_old = ");
	put_raw(rewriter, (struct range){call->name, call->close + 1});
	put(rewriter, "; (__typeof__(oclmm_old))((ulong)oclmm_old & " LOW "); })");
}

bool rewrite_mistake(struct rewriter *rewriter, const struct call *call)
{
	const char *type = object_float(&rewriter->source, call);

	if (!is_meant(&rewriter->plant, call) ||
	    (type && !concerns_float(rewriter->plant.bug, type)))
		return false;
	switch (call->function->kind) {
	case FUNCTION_LOAD: put_load(rewriter, call); break;
	case FUNCTION_CAS: put_cas(rewriter, call); break;
	case FUNCTION_LEGACY_CAS: put_legacy_cas(rewriter, call); break;
	case FUNCTION_FLAG_SET:
	case FUNCTION_FLAG_CLEAR: put_flag(rewriter, call); break;
	default: put_update(rewriter, call);
	}
	return true;
}
