// SPDX-License-Identifier: Apache-2.0
/* In which functions, and in which calls, an operation computes something else. */
#include <string.h>

#include "internal.h"

static bool adds(const struct function *function)
{
	return function->update && strchr("+-", function->update[0]);
}

static bool is_extreme(const struct function *function)
{
	return function->update && strchr("<>", function->update[0]);
}

static bool is_difference(const struct function *function)
{
	return function->update && function->update[0] == '-';
}

/* Of an exchange the operand is the new value. */
static bool returns_value(const struct function *function)
{
	return function->update && function->update[0] != '=';
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
char mistaken_operator(enum saboteur_bug bug)
{
	static const char operators[] = "=+-|^&<>";

	return bug >= SABOTEUR_AS_EXCHANGE && bug <= SABOTEUR_AS_MAX
	               ? operators[bug - SABOTEUR_AS_EXCHANGE]
	               : 0;
}

/* Of those that change what is stored; an or makes 0 of 0 only. */
static bool concerns_stored(enum saboteur_bug bug, const struct function *function)
{
	enum function_kind kind = function->kind;
	bool flag = kind == FUNCTION_FLAG_SET || kind == FUNCTION_FLAG_CLEAR;
	bool ors = function->update && function->update[0] == '|';

	if (bug == SABOTEUR_NOTHING_STORED)
		return stores_something(kind);
	return stores_something(kind) && !flag && !(bug == SABOTEUR_ZERO_KEPT && ors);
}

static bool concerns(enum saboteur_bug bug, const struct function *function)
{
	enum function_kind kind = function->kind;

	if (mistaken_operator(bug))
		return function->update && function->update[0] != mistaken_operator(bug);
	switch (bug) {
	case SABOTEUR_AS_INC: return function->update && function->update[0] == '+';
	case SABOTEUR_AS_DEC: return is_difference(function);
	case SABOTEUR_NOTHING_STORED:
	case SABOTEUR_STORES_BYTE:
	case SABOTEUR_STORES_LOW:
	case SABOTEUR_STORES_HIGH:
	case SABOTEUR_STORES_NO_TOP:
	case SABOTEUR_STORES_NARROW:
	case SABOTEUR_STORES_NARROW_SIGN:
	case SABOTEUR_ZERO_KEPT: return concerns_stored(bug, function);
	case SABOTEUR_COMPARES_BYTE:
	case SABOTEUR_COMPARES_LOW:
	case SABOTEUR_COMPARES_HIGH:
	case SABOTEUR_COMPARES_NO_TOP: return is_cas(function) || is_extreme(function);
	case SABOTEUR_OTHER_SIGN: return is_extreme(function);
	case SABOTEUR_NO_CARRY_8:
	case SABOTEUR_NO_CARRY_16:
	case SABOTEUR_NO_CARRY_32:
	case SABOTEUR_SATURATES: return adds(function);
	case SABOTEUR_RETURNS_NEW:
		return function->update || kind == FUNCTION_FLAG_SET || kind == FUNCTION_LEGACY_CAS;
	case SABOTEUR_RETURNS_LOW:
	case SABOTEUR_RETURNS_NO_TOP:
		return function->update || kind == FUNCTION_LOAD || kind == FUNCTION_LEGACY_CAS;
	case SABOTEUR_NO_RETRY: return function->update != NULL;
	case SABOTEUR_RESULT_EARLY: return function->update && function->operands > 1;
	case SABOTEUR_EXPECTED_KEPT: return kind == FUNCTION_CAS;
	case SABOTEUR_OPERAND_8:
	case SABOTEUR_OPERAND_16:
	case SABOTEUR_OPERAND_32:
	case SABOTEUR_OPERAND_NO_TOP:
	case SABOTEUR_OPERAND_SIGN_8:
	case SABOTEUR_OPERAND_SIGN_16:
	case SABOTEUR_OPERAND_SIGN_32:
	case SABOTEUR_OPERAND_ONE_MORE:
	case SABOTEUR_OPERAND_NEGATED:
	case SABOTEUR_OPERAND_INVERTED: return has_operand(function);
	case SABOTEUR_REVERSED: return has_operand(function) && is_difference(function);
	case SABOTEUR_RETURNS_OPERAND: return has_operand(function) && returns_value(function);
	case SABOTEUR_FAILURE_WRITES:
	case SABOTEUR_SWAPPED:
	case SABOTEUR_SAYS_SUCCESS:
	case SABOTEUR_SUCCEEDS: return is_cas(function);
	case SABOTEUR_EXPECTED_STORED:
	case SABOTEUR_SAYS_FAILURE: return kind == FUNCTION_CAS;
	/* a weak one may fail at any time */
	case SABOTEUR_FAILS:
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

bool is_mistaken(const struct rewriter *rewriter, const struct call *call)
{
	const char *type = object_float(&rewriter->source, call);

	return is_meant(&rewriter->plant, call) &&
	       (!type || concerns_float(rewriter->plant.bug, type));
}
