// SPDX-License-Identifier: Apache-2.0
/*
 * Plants in what an operation computes (C:6.15.12.7, C:6.15.12.8). The call
 * becomes a compare-exchange in a loop, indivisible as it was and of the same
 * order and scope, which stores and gives something else:
 *
 *     ({ __typeof__(&*(P)) oclmm_p = (P); T oclmm_v = (V), oclmm_old = LOAD, oclmm_new;
 *        do oclmm_new = WRONG; while (!CAS(oclmm_p, &oclmm_old, oclmm_new)); oclmm_old; })
 */
#include <stdio.h>
#include <string.h>

#include "internal.h"

#define LOW  "(~0ul >> (64 - 4 * sizeof(oclmm_old)))"
#define ALL  "(~0ul >> (64 - 8 * sizeof(oclmm_old)))"
#define HIGH "(~" LOW ")"
#define LESS "(~0ul >> (65 - 8 * sizeof(oclmm_old)))" /* all but the highest bit */

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
static const char *part(enum plant_bug bug)
{
	switch (bug) {
	case PLANT_STORES_BYTE:
	case PLANT_COMPARES_BYTE:
	case PLANT_NO_CARRY_8: return "0xfful";
	case PLANT_NO_CARRY_16: return "0xfffful";
	case PLANT_NO_CARRY_32: return "0xfffffffful";
	case PLANT_STORES_LOW:
	case PLANT_COMPARES_LOW: return LOW;
	case PLANT_STORES_HIGH:
	case PLANT_COMPARES_HIGH: return HIGH;
	case PLANT_STORES_NO_TOP:
	case PLANT_COMPARES_NO_TOP: return LESS;
	default: return NULL;
	}
}

static bool compares(enum plant_bug bug)
{
	return bug >= PLANT_COMPARES_BYTE && bug <= PLANT_COMPARES_NO_TOP;
}

/* A value as it is compared: part of it, or with its sign bit the other way round. */
static void put_key(struct rewriter *rewriter, const char *name)
{
	enum plant_bug bug = rewriter->plant.bug;

	if (bug == PLANT_COMPARES_HIGH)
		put(rewriter, "(__typeof__(oclmm_old))((ulong)%s & " HIGH ")", name);
	else if (bug == PLANT_OTHER_SIGN)
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
static const char *changed_operand(enum plant_bug bug)
{
	switch (bug) {
	case PLANT_OPERAND_8: return "oclmm_v = (ulong)oclmm_v & 0xfful; ";
	case PLANT_OPERAND_16: return "oclmm_v = (ulong)oclmm_v & 0xfffful; ";
	case PLANT_OPERAND_32: return "oclmm_v = (ulong)oclmm_v & 0xfffffffful; ";
	case PLANT_OPERAND_NO_TOP: return "oclmm_v = (ulong)oclmm_v & " LESS "; ";
	case PLANT_OPERAND_SIGN_8: return "oclmm_v = (long)(char)oclmm_v; ";
	case PLANT_OPERAND_SIGN_16: return "oclmm_v = (long)(short)oclmm_v; ";
	case PLANT_OPERAND_SIGN_32: return "oclmm_v = (long)(int)oclmm_v; ";
	case PLANT_OPERAND_ONE_MORE: return "oclmm_v = (ulong)oclmm_v + 1ul; ";
	case PLANT_OPERAND_NEGATED: return "oclmm_v = 0ul - (ulong)oclmm_v; ";
	case PLANT_OPERAND_INVERTED: return "oclmm_v = ~(ulong)oclmm_v; ";
	case PLANT_EXPECTS_16: return "oclmm_was = (ulong)oclmm_was & 0xfffful; ";
	case PLANT_EXPECTS_ONE_MORE: return "oclmm_was = (ulong)oclmm_was + 1ul; ";
	case PLANT_SWAPPED:
		return "oclmm_new = oclmm_v; oclmm_v = oclmm_was; oclmm_was = oclmm_new; ";
	default: return "";
	}
}

/* Something else is stored than the value that was computed. */
static bool changes_stored(enum plant_bug bug)
{
	return bug >= PLANT_STORES_BYTE && bug <= PLANT_ZERO_KEPT;
}

static void put_stored(struct rewriter *rewriter, const char *value)
{
	enum plant_bug bug = rewriter->plant.bug;

	if (bug == PLANT_STORES_NARROW)
		put(rewriter, "(__typeof__(oclmm_old))((ulong)(%s) & " LOW ")", value);
	else if (bug == PLANT_STORES_NARROW_SIGN)
		put(rewriter,
		    "(__typeof__(oclmm_old))(sizeof(oclmm_old) == 8 ? (long)(int)(%s) : "
		    "(long)(short)(%s))",
		    value, value);
	else if (bug == PLANT_ZERO_KEPT)
		put(rewriter, "({ oclmm_new = %s; oclmm_new == 0 ? oclmm_old : oclmm_new; })",
		    value);
	else
		put(rewriter,
		    "(__typeof__(oclmm_old))(((ulong)oclmm_old & ~%s) | ((ulong)(%s) & %s))",
		    part(bug), value, part(bug));
}

/* What an update or a store makes of oclmm_old and oclmm_v. */
static void put_wrong(struct rewriter *rewriter, const struct call *call)
{
	enum plant_bug bug = rewriter->plant.bug;
	char update = call->function->update ? call->function->update[0] : '=';

	if (mistaken_operator(bug))
		put(rewriter, "%s", operation(mistaken_operator(bug)));
	else if (bug == PLANT_NOTHING_STORED)
		put(rewriter, "oclmm_old");
	else if (bug == PLANT_REVERSED)
		put(rewriter, "(ulong)oclmm_v - (ulong)oclmm_old");
	else if (bug == PLANT_AS_INC)
		put(rewriter, "(ulong)oclmm_old >= (ulong)oclmm_v ? 0 : (ulong)oclmm_old + 1");
	else if (bug == PLANT_AS_DEC)
		put(rewriter, "oclmm_old == 0 || (ulong)oclmm_old > (ulong)oclmm_v ? oclmm_v : "
		              "(ulong)oclmm_old - 1");
	else if (changes_stored(bug))
		put_stored(rewriter, operation(update));
	else if (compares(bug) || bug == PLANT_OTHER_SIGN)
		put_extreme(rewriter, call);
	else if (bug == PLANT_SATURATES)
		put(rewriter, "%s_sat(oclmm_old, oclmm_v)", update == '+' ? "add" : "sub");
	else if (part(bug))
		put_without_carry(rewriter, call);
	else
		put(rewriter, "%s", operation(update));
}

/* Whether a compare-exchange finds what it expects. */
static void put_found(struct rewriter *rewriter)
{
	enum plant_bug bug = rewriter->plant.bug;

	if (compares(bug))
		put(rewriter, "(((ulong)oclmm_old ^ (ulong)oclmm_was) & %s) == 0", part(bug));
	else
		put(rewriter, "%s",
		    bug == PLANT_FAILS      ? "0"
		    : bug == PLANT_SUCCEEDS ? "1"
		                            : "oclmm_old == oclmm_was");
}

/* ---- the calls ------------------------------------------------------- */

/* An argument behind others, or what stands for it where it is not written. */
static void put_or(struct rewriter *rewriter, const struct call *call, unsigned argument,
                   const char *otherwise)
{
	put(rewriter, ", ");
	if (argument != CALL_ARGUMENTS)
		put_raw(rewriter, call->arguments[argument]);
	else
		put(rewriter, "%s", otherwise);
}

void put_scope(struct rewriter *rewriter, const struct call *call)
{
	put_or(rewriter, call, call->scope, "memory_scope_device");
}

void put_given_order(struct rewriter *rewriter, const struct call *call)
{
	put_or(rewriter, call, call->order, "memory_order_seq_cst");
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
		put_code(rewriter, call,
		         " oclmm_old = atomic_load_explicit(oclmm_p, memory_order_relaxed@S)");
	}
	put(rewriter, ", oclmm_new");
}

void put_exchange(struct rewriter *rewriter, const struct call *call)
{
	bool gives_up = rewriter->plant.bug == PLANT_NO_RETRY;
	char again[48] = "";

	if (gives_up && rewriter->plant.number == 1)
		snprintf(again, sizeof(again), " && false");
	else if (gives_up)
		snprintf(again, sizeof(again), " && ++oclmm_tries < %lluu",
		         (unsigned long long)rewriter->plant.number);

	if (is_legacy(call)) {
		put(rewriter,
		    "; oclmm_seen = oclmm_old; oclmm_old = %s_cmpxchg(oclmm_p, oclmm_seen, "
		    "oclmm_new); } while (oclmm_old != oclmm_seen%s); ",
		    is_atom(rewriter, call) ? "atom" : "atomic", again);
		return;
	}
	put_code(rewriter, call,
	         "; } while (!atomic_compare_exchange_strong_explicit(oclmm_p, &oclmm_old, "
	         "oclmm_new@G, memory_order_relaxed@S)%s); ",
	         again);
}

static const char *result_bits(enum plant_bug bug)
{
	return bug == PLANT_RETURNS_LOW ? LOW : LESS;
}

static void put_result(struct rewriter *rewriter, const struct call *call)
{
	enum plant_bug bug = rewriter->plant.bug;

	if (call->function->kind == FUNCTION_STORE)
		put(rewriter, "(void)0; })");
	else if (bug == PLANT_RETURNS_LOW || bug == PLANT_RETURNS_NO_TOP)
		put(rewriter, "(__typeof__(oclmm_old))((ulong)oclmm_old & %s); })",
		    result_bits(bug));
	else
		put(rewriter, "%s; })",
		    bug == PLANT_RETURNS_NEW       ? "oclmm_new"
		    : bug == PLANT_RETURNS_OPERAND ? "oclmm_v"
		    : bug == PLANT_RESULT_EARLY    ? "oclmm_first"
		                                   : "oclmm_old");
}

/* Updates and stores. */
static void put_update(struct rewriter *rewriter, const struct call *call)
{
	put_object(rewriter, call, is_legacy(call) ? ACCESS_VOLATILE : ACCESS_ATOMIC);
	put_old(rewriter, call);
	put(rewriter, rewriter->plant.bug == PLANT_RESULT_EARLY
	                      ? ", oclmm_first = oclmm_old, oclmm_v = "
	                      : ", oclmm_v = ");
	if (call->count > 1)
		put_argument(rewriter, call, 1);
	else
		put(rewriter, "1"); /* atomic_inc and atomic_dec */
	put(rewriter, "%s; %s", is_legacy(call) ? ", oclmm_seen" : "",
	    changed_operand(rewriter->plant.bug));
	if (rewriter->plant.bug == PLANT_NO_RETRY && rewriter->plant.number > 1)
		put(rewriter, "uint oclmm_tries = 0; ");
	put(rewriter, "do { oclmm_new = ");
	put_wrong(rewriter, call);
	put_exchange(rewriter, call);
	put_result(rewriter, call);
}

/* What a compare-exchange stores, where it stores. */
static void put_desired(struct rewriter *rewriter)
{
	enum plant_bug bug = rewriter->plant.bug;

	put(rewriter, bug == PLANT_FAILURE_WRITES ? "oclmm_new = " : "oclmm_new = oclmm_found ? ");
	if (bug == PLANT_NOTHING_STORED)
		put(rewriter, "oclmm_old");
	else if (changes_stored(bug))
		put_stored(rewriter, "oclmm_v");
	else
		put(rewriter, "oclmm_v");
	put(rewriter, bug == PLANT_FAILURE_WRITES ? "" : " : oclmm_old");
}

static void put_cas_loop(struct rewriter *rewriter, const struct call *call)
{
	put_code(rewriter, call, ", oclmm_v = @2%s; int oclmm_found; %sdo { oclmm_found = ",
	         is_legacy(call) ? ", oclmm_seen" : "", changed_operand(rewriter->plant.bug));
	put_found(rewriter);
	put(rewriter, "; ");
	put_desired(rewriter);
	put_exchange(rewriter, call);
}

/* What the caller of a compare-exchange is told: the value that was found, and the result. */
static void put_told(struct rewriter *rewriter)
{
	switch (rewriter->plant.bug) {
	case PLANT_EXPECTED_KEPT: put(rewriter, "oclmm_found; })"); break;
	case PLANT_EXPECTED_STORED:
		put(rewriter, "*oclmm_e = oclmm_found ? oclmm_v : oclmm_old; oclmm_found; })");
		break;
	case PLANT_SAYS_SUCCESS: put(rewriter, "1; })"); break;
	case PLANT_SAYS_FAILURE: put(rewriter, "*oclmm_e = oclmm_old; 0; })"); break;
	default: put(rewriter, "if (!oclmm_found) *oclmm_e = oclmm_old; oclmm_found; })");
	}
}

static void put_cas(struct rewriter *rewriter, const struct call *call)
{
	put_object(rewriter, call, ACCESS_ATOMIC);
	put_code(rewriter, call, "__typeof__(&*($1)) oclmm_e = @1; @O, oclmm_was = *oclmm_e");
	put_cas_loop(rewriter, call);
	put_told(rewriter);
}

static void put_legacy_cas(struct rewriter *rewriter, const struct call *call)
{
	put_object(rewriter, call, ACCESS_VOLATILE);
	put_code(rewriter, call, "@O, oclmm_was = @1");
	put_cas_loop(rewriter, call);
	if (rewriter->plant.bug == PLANT_SUCCEEDS || rewriter->plant.bug == PLANT_SAYS_SUCCESS)
		put(rewriter, "oclmm_was; })");
	else
		put_result(rewriter, call);
}

/* Flags have no value that could be compared: setting is undone, clearing left out. */
static void put_flag(struct rewriter *rewriter, const struct call *call)
{
	if (rewriter->plant.bug == PLANT_RETURNS_NEW) {
		put(rewriter, "((void)");
		put_raw(rewriter, (struct range){call->name, call->close + 1});
		put(rewriter, ", 1)");
	} else if (call->function->kind == FUNCTION_FLAG_CLEAR) {
		put_code(rewriter, call, "((void)@0)");
	} else {
		put(rewriter, "({ bool oclmm_old = ");
		put_raw(rewriter, (struct range){call->name, call->close + 1});
		put_code(rewriter, call,
		         "; if (!oclmm_old) atomic_flag_clear_explicit(@0, "
		         "memory_order_relaxed@S); oclmm_old; })");
	}
}

static void put_load(struct rewriter *rewriter, const struct call *call)
{
	put_object(rewriter, call, ACCESS_ATOMIC);
	put_code(rewriter, call, "@T oclmm_old = ");
	put_raw(rewriter, (struct range){call->name, call->close + 1});
	put(rewriter, "; (__typeof__(oclmm_old))((ulong)oclmm_old & %s); })",
	    result_bits(rewriter->plant.bug));
}

bool rewrite_mistake(struct rewriter *rewriter, const struct call *call)
{
	if (!is_mistaken(rewriter, call))
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
