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
char mistaken_operator(enum plant_bug bug)
{
	static const char operators[] = "=+-|^&<>";

	return bug >= PLANT_AS_EXCHANGE && bug <= PLANT_AS_MAX ? operators[bug - PLANT_AS_EXCHANGE]
	                                                       : 0;
}

/* Of those that change what is stored; an or makes 0 of 0 only. */
static bool concerns_stored(enum plant_bug bug, const struct function *function)
{
	enum function_kind kind = function->kind;
	bool flag = kind == FUNCTION_FLAG_SET || kind == FUNCTION_FLAG_CLEAR;
	bool ors = function->update && function->update[0] == '|';

	if (bug == PLANT_NOTHING_STORED)
		return stores_something(kind);
	return stores_something(kind) && !flag && !(bug == PLANT_ZERO_KEPT && ors);
}

static bool concerns(enum plant_bug bug, const struct function *function)
{
	enum function_kind kind = function->kind;

	if (mistaken_operator(bug))
		return function->update && function->update[0] != mistaken_operator(bug);
	switch (bug) {
	case PLANT_AS_INC: return function->update && function->update[0] == '+';
	case PLANT_AS_DEC: return is_difference(function);
	case PLANT_NOTHING_STORED:
	case PLANT_STORES_BYTE:
	case PLANT_STORES_LOW:
	case PLANT_STORES_HIGH:
	case PLANT_STORES_NO_TOP:
	case PLANT_STORES_NARROW:
	case PLANT_STORES_NARROW_SIGN:
	case PLANT_ZERO_KEPT: return concerns_stored(bug, function);
	case PLANT_COMPARES_BYTE:
	case PLANT_COMPARES_LOW:
	case PLANT_COMPARES_HIGH:
	case PLANT_COMPARES_NO_TOP: return is_cas(function) || is_extreme(function);
	case PLANT_OTHER_SIGN: return is_extreme(function);
	case PLANT_NO_CARRY_8:
	case PLANT_NO_CARRY_16:
	case PLANT_NO_CARRY_32:
	case PLANT_SATURATES: return adds(function);
	case PLANT_RETURNS_NEW:
		return function->update || kind == FUNCTION_FLAG_SET || kind == FUNCTION_LEGACY_CAS;
	case PLANT_RETURNS_LOW:
	case PLANT_RETURNS_NO_TOP:
		return function->update || kind == FUNCTION_LOAD || kind == FUNCTION_LEGACY_CAS;
	case PLANT_NO_RETRY: return function->update != NULL;
	case PLANT_RESULT_EARLY: return function->update && function->operands > 1;
	case PLANT_EXPECTED_KEPT: return kind == FUNCTION_CAS;
	case PLANT_OPERAND_8:
	case PLANT_OPERAND_16:
	case PLANT_OPERAND_32:
	case PLANT_OPERAND_NO_TOP:
	case PLANT_OPERAND_SIGN_8:
	case PLANT_OPERAND_SIGN_16:
	case PLANT_OPERAND_SIGN_32:
	case PLANT_OPERAND_ONE_MORE:
	case PLANT_OPERAND_NEGATED:
	case PLANT_OPERAND_INVERTED: return has_operand(function);
	case PLANT_REVERSED: return has_operand(function) && is_difference(function);
	case PLANT_RETURNS_OPERAND: return has_operand(function) && returns_value(function);
	case PLANT_FAILURE_WRITES:
	case PLANT_SWAPPED:
	case PLANT_SAYS_SUCCESS:
	case PLANT_SUCCEEDS: return is_cas(function);
	case PLANT_EXPECTED_STORED:
	case PLANT_SAYS_FAILURE: return kind == FUNCTION_CAS;
	/* a weak one may fail at any time */
	case PLANT_FAILS:
	case PLANT_EXPECTS_16:
	case PLANT_EXPECTS_ONE_MORE:
		return is_cas(function) &&
		       strcmp(function->name, "atomic_compare_exchange_weak") != 0;
	default: return false;
	}
}

const char *plant_function(enum plant_bug bug, size_t index, bool *ret_concerned)
{
	const char *name;
	const struct function *function = function_at(index, &name);

	if (!function)
		return NULL;
	*ret_concerned = concerns(bug, function);
	return name;
}

/* Those that do not look at bits; of a half there is no compare-exchange. */
static bool concerns_float(enum plant_bug bug, const char *type)
{
	return strcmp(type, "half") != 0 &&
	       (bug == PLANT_NOTHING_STORED || bug == PLANT_AS_EXCHANGE || bug == PLANT_AS_MIN ||
	        bug == PLANT_AS_MAX || bug == PLANT_RETURNS_NEW);
}

static bool is_meant(const struct plant *plant, const struct call *call)
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
