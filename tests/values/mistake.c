// SPDX-License-Identifier: Apache-2.0
#include "mistake.h"

#include "oclmm/base_wide.h"

static const struct {
	const char *word, *description;
} mistakes[MISTAKE_COUNT] = {
#define MISTAKE_X(name, word, description) [MISTAKE_##name] = {word, description},
	MISTAKES(MISTAKE_X)
#undef MISTAKE_X
};

const char *mistake_word(enum mistake mistake)
{
	return mistakes[mistake].word;
}

const char *mistake_description(enum mistake mistake)
{
	return mistakes[mistake].description;
}

/* The operation that takes another one's place, or OCLMM_OP_COUNT. */
static enum oclmm_operation substitute(enum mistake mistake)
{
	switch (mistake) {
	case MISTAKE_AS_EXCHANGE: return OCLMM_OP_EXCHANGE;
	case MISTAKE_AS_ADD: return OCLMM_OP_FETCH_ADD;
	case MISTAKE_AS_SUB: return OCLMM_OP_FETCH_SUB;
	case MISTAKE_AS_OR: return OCLMM_OP_FETCH_OR;
	case MISTAKE_AS_XOR: return OCLMM_OP_FETCH_XOR;
	case MISTAKE_AS_AND: return OCLMM_OP_FETCH_AND;
	case MISTAKE_AS_MIN: return OCLMM_OP_FETCH_MIN;
	case MISTAKE_AS_MAX: return OCLMM_OP_FETCH_MAX;
	default: return OCLMM_OP_COUNT;
	}
}

/* exchange and the fetch functions */
static bool is_fetch(enum oclmm_operation op)
{
	return op >= OCLMM_OP_EXCHANGE && op <= OCLMM_OP_FETCH_MAX;
}

static bool compares(enum oclmm_operation op)
{
	return oclmm_operation_is_cas(op) || op == OCLMM_OP_FETCH_MIN || op == OCLMM_OP_FETCH_MAX;
}

static bool adds(enum oclmm_operation op)
{
	return op == OCLMM_OP_FETCH_ADD || op == OCLMM_OP_FETCH_SUB;
}

static bool has_result(const struct site *site)
{
	return oclmm_operation_reads(site->op);
}

static bool has_operand(const struct site *site)
{
	return site->type != OCLMM_TYPE_FLAG && !site->by_one && oclmm_operation_writes(site->op);
}

bool mistake_concerns(enum mistake mistake, const struct site *site)
{
	bool flag = site->type == OCLMM_TYPE_FLAG, cas = oclmm_operation_is_cas(site->op);
	bool update = oclmm_operation_reads(site->op) && oclmm_operation_writes(site->op);
	bool modern_cas = cas && site->form != FORM_LEGACY;

	if (substitute(mistake) != OCLMM_OP_COUNT)
		return is_fetch(site->op) && substitute(mistake) != site->op;
	switch (mistake) {
	case MISTAKE_NONE: return false;
	case MISTAKE_NOTHING_STORED: return oclmm_operation_writes(site->op);
	case MISTAKE_AS_INC: return site->op == OCLMM_OP_FETCH_ADD;
	case MISTAKE_AS_DEC: return site->op == OCLMM_OP_FETCH_SUB;
	case MISTAKE_STORES_BYTE:
	case MISTAKE_STORES_LOW:
	case MISTAKE_STORES_HIGH:
	case MISTAKE_STORES_NO_TOP:
	case MISTAKE_STORES_NARROW:
	case MISTAKE_STORES_NARROW_SIGN:
	case MISTAKE_ZERO_KEPT: return !flag && oclmm_operation_writes(site->op);
	case MISTAKE_COMPARES_BYTE:
	case MISTAKE_COMPARES_LOW:
	case MISTAKE_COMPARES_HIGH:
	case MISTAKE_COMPARES_NO_TOP: return compares(site->op);
	case MISTAKE_OTHER_SIGN: return !flag;
	case MISTAKE_NO_CARRY_8:
	case MISTAKE_NO_CARRY_16:
	case MISTAKE_SATURATES: return adds(site->op);
	case MISTAKE_NO_CARRY_32: return adds(site->op) && oclmm_type_bits(site->type) == 64;
	case MISTAKE_RETURNS_NEW: return update && !modern_cas;
	case MISTAKE_RETURNS_LOW:
	case MISTAKE_RETURNS_NO_TOP: return !flag && !modern_cas && has_result(site);
	case MISTAKE_OPERAND_8:
	case MISTAKE_OPERAND_16:
	case MISTAKE_OPERAND_NO_TOP:
	case MISTAKE_OPERAND_SIGN_8:
	case MISTAKE_OPERAND_SIGN_16:
	case MISTAKE_OPERAND_ONE_MORE:
	case MISTAKE_OPERAND_NEGATED:
	case MISTAKE_OPERAND_INVERTED: return has_operand(site);
	case MISTAKE_REVERSED: return has_operand(site) && site->op == OCLMM_OP_FETCH_SUB;
	case MISTAKE_RETURNS_OPERAND:
		return has_operand(site) && is_fetch(site->op) && site->op != OCLMM_OP_EXCHANGE;
	case MISTAKE_OPERAND_32:
	case MISTAKE_OPERAND_SIGN_32: return has_operand(site) && oclmm_type_bits(site->type) == 64;
	case MISTAKE_SWAPPED:
	case MISTAKE_EXPECTS_16:
	case MISTAKE_EXPECTS_ONE_MORE:
	case MISTAKE_FAILURE_WRITES:
	case MISTAKE_SAYS_SUCCESS:
	case MISTAKE_FAILS:
	case MISTAKE_SUCCEEDS: return cas;
	case MISTAKE_EXPECTED_KEPT: return cas;
	case MISTAKE_EXPECTED_STORED:
	case MISTAKE_SAYS_FAILURE: return modern_cas;
	case MISTAKE_SPLIT: return update;
	case MISTAKE_TORN: return !flag && !update;
	default: return false;
	}
}

const char *mistake_hidden(enum mistake mistake, const struct site *site)
{
	bool legacy_cas = oclmm_operation_is_cas(site->op) && site->form == FORM_LEGACY;
	/* what one of OpenCL 1.x says is its result, and nothing else */
	bool result = mistake == MISTAKE_RETURNS_NEW || mistake == MISTAKE_RETURNS_LOW ||
	              mistake == MISTAKE_RETURNS_NO_TOP || mistake == MISTAKE_RETURNS_OPERAND ||
	              mistake == MISTAKE_SAYS_FAILURE ||
	              (mistake == MISTAKE_SAYS_SUCCESS && legacy_cas);

	if (result && !site->used)
		return "nobody looks at the result";
	if (mistake == MISTAKE_SPLIT && !site->used &&
	    (site->op == OCLMM_OP_EXCHANGE || site->op == OCLMM_OP_FLAG_TEST_AND_SET))
		return "without its result it is a store, which is what is left";
	if (mistake == MISTAKE_OTHER_SIGN && site->op != OCLMM_OP_FETCH_MIN &&
	    site->op != OCLMM_OP_FETCH_MAX)
		return "of either signedness the same bits come out";
	if (mistake == MISTAKE_ZERO_KEPT &&
	    (site->op == OCLMM_OP_FETCH_OR ||
	     (site->op == OCLMM_OP_FETCH_MAX && !oclmm_type_is_signed(site->type))))
		return "it makes 0 of 0 only, which is there";
	if ((mistake == MISTAKE_FAILS || mistake == MISTAKE_EXPECTS_16 ||
	     mistake == MISTAKE_EXPECTS_ONE_MORE) &&
	    site->op == OCLMM_OP_CAS_WEAK)
		return "a weak compare-exchange may fail at any time";
	if (mistake == MISTAKE_EXPECTED_KEPT && legacy_cas)
		return "the functions of OpenCL 1.x take the expected value, not its address";
	return NULL;
}

/* ---- numbers --------------------------------------------------------- */

/* Those bits of an object that a mistake works on. */
static uint64_t bits_of(enum mistake mistake, enum oclmm_type type)
{
	unsigned width = oclmm_type_bits(type);
	uint64_t all = UINT64_MAX >> (64 - width), low = UINT64_MAX >> (64 - width / 2);

	switch (mistake) {
	case MISTAKE_STORES_BYTE:
	case MISTAKE_COMPARES_BYTE:
	case MISTAKE_OPERAND_8:
	case MISTAKE_OPERAND_SIGN_8:
	case MISTAKE_NO_CARRY_8: return 0xff;
	case MISTAKE_STORES_LOW:
	case MISTAKE_STORES_NARROW:
	case MISTAKE_STORES_NARROW_SIGN:
	case MISTAKE_COMPARES_LOW:
	case MISTAKE_RETURNS_LOW: return low;
	case MISTAKE_STORES_NO_TOP:
	case MISTAKE_COMPARES_NO_TOP:
	case MISTAKE_RETURNS_NO_TOP:
	case MISTAKE_OPERAND_NO_TOP: return all >> 1;
	case MISTAKE_STORES_HIGH:
	case MISTAKE_COMPARES_HIGH: return all & ~low;
	case MISTAKE_EXPECTS_16:
	case MISTAKE_OPERAND_16:
	case MISTAKE_OPERAND_SIGN_16:
	case MISTAKE_NO_CARRY_16: return 0xffff;
	case MISTAKE_OPERAND_32:
	case MISTAKE_OPERAND_SIGN_32:
	case MISTAKE_NO_CARRY_32: return 0xffffffff;
	default: return all;
	}
}

static enum oclmm_type other_sign(enum oclmm_type type)
{
	switch (type) {
	case OCLMM_TYPE_INT: return OCLMM_TYPE_UINT;
	case OCLMM_TYPE_UINT: return OCLMM_TYPE_INT;
	case OCLMM_TYPE_LONG: return OCLMM_TYPE_ULONG;
	case OCLMM_TYPE_ULONG: return OCLMM_TYPE_LONG;
	default: return type;
	}
}

/* min and max of two values as a mistake compares them. */
static int64_t extreme(enum mistake mistake, const struct site *site, const struct input *input)
{
	enum oclmm_type type = mistake == MISTAKE_OTHER_SIGN ? other_sign(site->type) : site->type;
	int64_t old, operand;
	bool compared_less, least = site->op == OCLMM_OP_FETCH_MIN;

	/* low bits compare as unsigned ones, high ones with the sign */
	if (mistake == MISTAKE_COMPARES_BYTE || mistake == MISTAKE_COMPARES_LOW ||
	    mistake == MISTAKE_COMPARES_NO_TOP)
		type = OCLMM_TYPE_ULONG;
	old = oclmm_value_wrap(type, input->old & (int64_t)bits_of(mistake, site->type));
	operand = oclmm_value_wrap(type, input->operand & (int64_t)bits_of(mistake, site->type));
	compared_less = oclmm_type_is_signed(type) ? operand < old
	                                           : (uint64_t)operand < (uint64_t)old;
	if (old == operand)
		return input->old;
	return compared_less == least ? input->operand : input->old;
}

static int64_t without_carry(uint64_t low, const struct site *site, const struct input *input)
{
	uint64_t a = (uint64_t)input->old, b = (uint64_t)input->operand;
	bool add = site->op == OCLMM_OP_FETCH_ADD;
	uint64_t high = add ? (a & ~low) + (b & ~low) : (a & ~low) - (b & ~low);

	return oclmm_value_wrap(site->type,
	                        (int64_t)((high & ~low) | ((add ? a + b : a - b) & low)));
}

static struct oclmm_wide widened(bool is_signed, int64_t value)
{
	return is_signed ? oclmm_wide_of_signed(value) : oclmm_wide_of_unsigned((uint64_t)value);
}

/* Whether the exact result is beyond the type; `*ret_limit` is the end on that side. */
static bool overflows(const struct site *site, const struct input *input, int64_t *ret_limit)
{
	bool is_signed = oclmm_type_is_signed(site->type);
	struct oclmm_wide exact = (site->op == OCLMM_OP_FETCH_ADD ? oclmm_wide_add
	                                                          : oclmm_wide_subtract)(
		widened(is_signed, input->old), widened(is_signed, input->operand));
	int64_t least = oclmm_type_least(site->type);
	uint64_t greatest = oclmm_type_greatest(site->type);

	if (oclmm_wide_compare(exact, oclmm_wide_of_signed(least)) < 0)
		*ret_limit = least;
	else if (oclmm_wide_compare(exact, oclmm_wide_of_unsigned(greatest)) > 0)
		*ret_limit = (int64_t)greatest;
	else
		return false;
	return true;
}

/* What instructions that count up or down to a limit make, which compare without the sign. */
static int64_t counted(enum mistake mistake, const struct input *input)
{
	uint64_t old = (uint64_t)input->old, limit = (uint64_t)input->operand;

	if (mistake == MISTAKE_AS_INC)
		return old >= limit ? 0 : (int64_t)(old + 1);
	return old == 0 || old > limit ? (int64_t)limit : (int64_t)(old - 1);
}

/* The value that a fetch function, a store or a flag function computes. */
static int64_t new_value(enum mistake mistake, const struct site *site, const struct input *input)
{
	enum oclmm_operation instead = substitute(mistake);
	int64_t limit;

	if (instead != OCLMM_OP_COUNT)
		return oclmm_apply_rmw(instead, site->type, input->old, input->operand);
	switch (mistake) {
	case MISTAKE_AS_INC:
	case MISTAKE_AS_DEC: return counted(mistake, input);
	case MISTAKE_REVERSED:
		return oclmm_apply_rmw(site->op, site->type, input->operand, input->old);
	case MISTAKE_NO_CARRY_8:
	case MISTAKE_NO_CARRY_16:
	case MISTAKE_NO_CARRY_32: return without_carry(bits_of(mistake, site->type), site, input);
	case MISTAKE_SATURATES:
		if (overflows(site, input, &limit))
			return limit;
		break;
	case MISTAKE_OTHER_SIGN:
	case MISTAKE_COMPARES_BYTE:
	case MISTAKE_COMPARES_LOW:
	case MISTAKE_COMPARES_HIGH:
	case MISTAKE_COMPARES_NO_TOP:
		if (site->op == OCLMM_OP_FETCH_MIN || site->op == OCLMM_OP_FETCH_MAX)
			return extreme(mistake, site, input);
		break;
	default: break;
	}
	return oclmm_apply_rmw(site->op, site->type, input->old, input->operand);
}

/* The low bits, and in place of the others their sign or 0. */
static uint64_t extended(uint64_t value, uint64_t bits, bool with_sign)
{
	return with_sign && (value & (bits ^ bits >> 1)) ? value | ~bits : value & bits;
}

/* What is in the object when a new value has been stored. */
static int64_t merged(enum mistake mistake, enum oclmm_type type, int64_t old, int64_t value)
{
	uint64_t stored = UINT64_MAX;

	if (mistake == MISTAKE_NOTHING_STORED || (mistake == MISTAKE_ZERO_KEPT && value == 0))
		return old;
	if (mistake == MISTAKE_STORES_NARROW || mistake == MISTAKE_STORES_NARROW_SIGN)
		value = (int64_t)extended((uint64_t)value, bits_of(mistake, type),
		                          mistake == MISTAKE_STORES_NARROW_SIGN);
	if (mistake == MISTAKE_STORES_BYTE || mistake == MISTAKE_STORES_LOW ||
	    mistake == MISTAKE_STORES_HIGH || mistake == MISTAKE_STORES_NO_TOP)
		stored = bits_of(mistake, type);
	return oclmm_value_wrap(type,
	                        (int64_t)(((uint64_t)old & ~stored) | ((uint64_t)value & stored)));
}

static bool said(enum mistake mistake, bool found)
{
	return mistake == MISTAKE_SAYS_SUCCESS || (found && mistake != MISTAKE_SAYS_FAILURE);
}

static struct effect compare_exchange(enum mistake mistake, const struct site *site,
                                      const struct input *input)
{
	uint64_t compared = compares(site->op) ? bits_of(mistake, site->type) : UINT64_MAX;
	bool found, legacy = site->form == FORM_LEGACY;
	struct effect effect = {.stored = input->old, .expected = input->expected};

	if (mistake != MISTAKE_COMPARES_BYTE && mistake != MISTAKE_COMPARES_LOW &&
	    mistake != MISTAKE_COMPARES_HIGH && mistake != MISTAKE_COMPARES_NO_TOP)
		compared = UINT64_MAX;
	found = (((uint64_t)input->old ^ (uint64_t)input->expected) & compared) == 0;
	found = (found && mistake != MISTAKE_FAILS) || mistake == MISTAKE_SUCCEEDS;
	if (found || mistake == MISTAKE_FAILURE_WRITES)
		effect.stored = merged(mistake, site->type, input->old, input->operand);
	if (!found && !legacy && mistake != MISTAKE_EXPECTED_KEPT &&
	    mistake != MISTAKE_SAYS_SUCCESS)
		effect.expected = input->old;
	if (found && mistake == MISTAKE_EXPECTED_STORED)
		effect.expected = input->operand;
	effect.result = legacy ? input->old : said(mistake, found);
	if (legacy && (mistake == MISTAKE_SUCCEEDS || mistake == MISTAKE_SAYS_SUCCESS))
		effect.result = input->expected;
	if (legacy && mistake == MISTAKE_RETURNS_NEW)
		effect.result = effect.stored;
	if (legacy && (mistake == MISTAKE_RETURNS_LOW || mistake == MISTAKE_RETURNS_NO_TOP))
		effect.result = oclmm_value_wrap(
			site->type, input->old & (int64_t)bits_of(mistake, site->type));
	return effect;
}

/* What reaches the operation of the numbers that were passed. */
static struct input passed_on(enum mistake mistake, enum oclmm_type type, const struct input *input)
{
	struct input passed = *input;
	uint64_t operand = (uint64_t)input->operand, bits = bits_of(mistake, type);

	switch (mistake) {
	case MISTAKE_OPERAND_8:
	case MISTAKE_OPERAND_16:
	case MISTAKE_OPERAND_NO_TOP:
	case MISTAKE_OPERAND_32: operand &= bits; break;
	case MISTAKE_OPERAND_SIGN_8:
	case MISTAKE_OPERAND_SIGN_16:
	case MISTAKE_OPERAND_SIGN_32: operand = extended(operand, bits, true); break;
	case MISTAKE_OPERAND_ONE_MORE: operand++; break;
	case MISTAKE_OPERAND_NEGATED: operand = 0 - operand; break;
	case MISTAKE_OPERAND_INVERTED: operand = ~operand; break;
	case MISTAKE_SWAPPED:
		operand = (uint64_t)input->expected;
		passed.expected = input->operand;
		break;
	case MISTAKE_EXPECTS_16:
		passed.expected = (int64_t)((uint64_t)input->expected & bits);
		break;
	case MISTAKE_EXPECTS_ONE_MORE:
		passed.expected = (int64_t)((uint64_t)input->expected + 1);
		break;
	default: return passed;
	}
	passed.operand = oclmm_value_wrap(type, (int64_t)operand);
	passed.expected = oclmm_value_wrap(type, passed.expected);
	return passed;
}

struct effect mistake_effect(enum mistake mistake, const struct site *site,
                             const struct input *input)
{
	struct effect effect = {.result = input->old, .expected = input->expected};
	struct input passed = passed_on(mistake, site->type, input);
	int64_t value;

	if (oclmm_operation_is_cas(site->op)) {
		effect = compare_exchange(mistake, site, &passed);
		/* what was passed wrongly stays as it was with the caller */
		if (effect.expected == passed.expected)
			effect.expected = input->expected;
		return effect;
	}
	value = new_value(mistake, site, &passed);
	effect.stored = merged(mistake, site->type, input->old, value);
	if (mistake == MISTAKE_RETURNS_NEW)
		effect.result = value;
	if (mistake == MISTAKE_RETURNS_OPERAND)
		effect.result = input->operand;
	if (mistake == MISTAKE_RETURNS_LOW || mistake == MISTAKE_RETURNS_NO_TOP)
		effect.result = oclmm_value_wrap(
			site->type, input->old & (int64_t)bits_of(mistake, site->type));
	return effect;
}
