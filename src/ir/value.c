// SPDX-License-Identifier: Apache-2.0
#include "oclmm/ir.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All arithmetic is done on unsigned 64-bit patterns, where C wraps, and then
 * reduced to the type: the two's complement that OpenCL prescribes for atomics
 * (C:6.15.12.7.5) and for signed integers in general. */

int64_t oclmm_value_wrap(enum oclmm_type type, int64_t bits)
{
	unsigned unused = 64 - (oclmm_type_is_floating(type) ? oclmm_type_observed_bits(type)
	                                                     : oclmm_type_bits(type));
	uint64_t high = (uint64_t)bits << unused;

	if (type == OCLMM_TYPE_BOOL)
		return bits != 0;
	if (!oclmm_type_is_signed(type))
		return (int64_t)(high >> unused);
	return (int64_t)high >> unused;
}

/* IEEE 754 binary16: a sign, five bits of exponent and ten of fraction. */
static uint64_t half_bits(int64_t value)
{
	uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	unsigned exponent = 25; /* of 1024 with the bias of 15 */

	if (left == 0)
		return 0;
	for (; left < 1024; left *= 2)
		exponent--;
	for (; left >= 2048; left /= 2)
		exponent++;
	return (value < 0 ? 0x8000u : 0) | exponent << 10 | (unsigned)(left & 1023);
}

static uint64_t bits_of_whole(enum oclmm_type type, int64_t value)
{
	float narrow = (float)value;
	double wide = (double)value;
	uint32_t word;
	uint64_t bits;

	if (type == OCLMM_TYPE_HALF)
		return half_bits(value);
	memcpy(&word, &narrow, sizeof(word));
	memcpy(&bits, &wide, sizeof(bits));
	return type == OCLMM_TYPE_FLOAT ? word : bits;
}

bool oclmm_value_is_whole(enum oclmm_type type, int64_t value)
{
	return value >= oclmm_type_least(type) && value <= (int64_t)oclmm_type_greatest(type);
}

/* Bits of the fraction. */
static unsigned fraction_of(enum oclmm_type type)
{
	return type == OCLMM_TYPE_HALF ? 10 : type == OCLMM_TYPE_FLOAT ? 23 : 52;
}

/* The number with these bits, towards zero, where it is one of the type's whole numbers: no
 * arithmetic of the machine comes near the bits, which might flush them or make a NaN quiet. */
static bool whole_of_bits(enum oclmm_type type, uint64_t bits, int64_t *ret_value)
{
	unsigned width = oclmm_type_bits(type), digits = fraction_of(type);
	uint64_t fraction = bits & ((UINT64_C(1) << digits) - 1);
	unsigned exponent = (unsigned)(bits >> digits & ((1u << (width - 1 - digits)) - 1)),
		 bias = (1u << (width - 2 - digits)) - 1;
	int64_t value = 0;

	if (exponent > bias + digits + 1)
		return false;
	if (exponent >= bias) {
		uint64_t number = (fraction | UINT64_C(1) << digits) << 1;

		value = (int64_t)(number >> (bias + digits + 1 - exponent));
	}
	if (bits >> (width - 1) & 1)
		value = -value;
	if (!oclmm_value_is_whole(type, value) || bits_of_whole(type, value) != bits)
		return false;
	*ret_value = value;
	return true;
}

/* The bits as a signed number of their width. */
static int64_t as_signed(enum oclmm_type type, uint64_t bits)
{
	unsigned unused = 64 - oclmm_type_bits(type);

	return (int64_t)(bits << unused) >> unused;
}

/*
 * Numbers and bit patterns are paired: a whole number has its own bits, and any other pattern is
 * the number that it is as an integer. Where that is a whole number of the type, the two change
 * places: the bits of the whole number are the integer that stands for the pattern.
 */
uint64_t oclmm_value_bits(enum oclmm_type type, int64_t value)
{
	uint64_t mask = ~UINT64_C(0) >> (64 - oclmm_type_bits(type)), bits = (uint64_t)value & mask;
	int64_t whole;

	if (!oclmm_type_is_floating(type))
		return bits;
	if (oclmm_value_is_whole(type, value))
		return bits_of_whole(type, value);
	return whole_of_bits(type, bits, &whole) ? (uint64_t)whole & mask : bits;
}

int64_t oclmm_value_of_bits(enum oclmm_type type, uint64_t bits)
{
	int64_t value = as_signed(type, bits);

	if (whole_of_bits(type, bits, &value) || !oclmm_value_is_whole(type, value))
		return value;
	return as_signed(type, bits_of_whole(type, value));
}

/* What a floating-point type has beside numbers, in its own bits. */
struct special {
	uint64_t sign, infinity, quiet;
};

static struct special special_of(enum oclmm_type type)
{
	unsigned width = oclmm_type_bits(type), digits = fraction_of(type);
	uint64_t sign = UINT64_C(1) << (width - 1),
		 infinity = (sign - 1) & ~((UINT64_C(1) << digits) - 1);

	return (struct special){sign, infinity, infinity | UINT64_C(1) << (digits - 1)};
}

bool oclmm_value_convert(enum oclmm_type from, int64_t value, enum oclmm_type to,
                         int64_t *ret_value)
{
	struct special a, b;
	uint64_t bits, sign;

	if (!oclmm_type_is_floating(from) || !oclmm_type_is_floating(to) || from == to ||
	    oclmm_value_is_whole(from, value)) {
		*ret_value = value;
		return oclmm_value_fits(from, value, to);
	}
	a = special_of(from);
	b = special_of(to);
	bits = oclmm_value_bits(from, value);
	sign = bits & a.sign ? b.sign : 0;
	bits &= ~a.sign;
	if (bits != 0 && bits != a.infinity && bits != a.quiet)
		return false;
	*ret_value = oclmm_value_of_bits(to, sign | (bits == 0            ? 0
	                                             : bits == a.infinity ? b.infinity
	                                                                  : b.quiet));
	return true;
}

bool oclmm_value_fits(enum oclmm_type from, int64_t value, enum oclmm_type to)
{
	if (oclmm_type_is_floating(from) && !oclmm_value_is_whole(from, value))
		return from == to;
	if (value < 0 && oclmm_type_is_signed(from))
		return value >= oclmm_type_least(to);
	return (uint64_t)value <= oclmm_type_greatest(to);
}

bool oclmm_special_read(const char *text, enum oclmm_type *ret_type, int64_t *ret_value)
{
	static const struct {
		const char *name;
		enum oclmm_type type;
		uint64_t bits;
	} names[] = {
		{"0.0h", OCLMM_TYPE_HALF, 0},
		{"0.0f", OCLMM_TYPE_FLOAT, 0},
		{"0.0", OCLMM_TYPE_DOUBLE, 0},
		{"INFINITY", OCLMM_TYPE_FLOAT, 0x7f800000},
		{"NAN", OCLMM_TYPE_FLOAT, 0x7fc00000},
		{"HUGE_VAL", OCLMM_TYPE_DOUBLE, UINT64_C(0x7ff) << 52},
	};
	const bool negative = text[0] == '-';
	char type[8] = "", digits[20] = "", *end;

	for (size_t i = 0; i < OCLMM_COUNT(names); i++) {
		if (strcmp(text + negative, names[i].name) != 0)
			continue;
		*ret_type = names[i].type;
		*ret_value = oclmm_value_of_bits(
			*ret_type,
			names[i].bits | (uint64_t)negative << (oclmm_type_bits(*ret_type) - 1));
		return true;
	}
	if (sscanf(text, "as_%7[a-z]( 0%*1[xX]%19[0-9a-fA-F]", type, digits) != 2)
		return false;
	for (unsigned i = OCLMM_TYPE_HALF; i <= OCLMM_TYPE_DOUBLE; i++) {
		uint64_t bits = strtoull(digits, &end, 16);

		if (strcmp(type, oclmm_type_name((enum oclmm_type)i)) != 0)
			continue;
		if (strlen(digits) > 16 || bits > ~UINT64_C(0) >> (64 - oclmm_type_bits(i)))
			return false;
		*ret_type = (enum oclmm_type)i;
		*ret_value = oclmm_value_of_bits(*ret_type, bits);
		return true;
	}
	return false;
}

bool oclmm_value_read(const char *text, enum oclmm_type *ret_type, int64_t *ret_value)
{
	unsigned long long number;

	if (oclmm_special_read(text, ret_type, ret_value))
		return true;
	if (!*text || strspn(text, "0123456789") != strlen(text))
		return false;
	errno = 0;
	number = strtoull(text, NULL, 10);
	*ret_type = OCLMM_TYPE_ULONG;
	*ret_value = (int64_t)number;
	return errno == 0;
}

/* As OpenCL C has it, with its type: `INFINITY` is a float, and `HUGE_VAL` a double. NAN is the
 * quiet one without a sign or a payload. */
static void print_special(struct oclmm_text *text, enum oclmm_type type, int64_t value)
{
	struct special special = special_of(type);
	uint64_t bits = oclmm_value_bits(type, value), rest = bits & ~special.sign;
	const char *infinity = type == OCLMM_TYPE_FLOAT    ? "INFINITY"
	                       : type == OCLMM_TYPE_DOUBLE ? "HUGE_VAL"
	                                                   : NULL;

	if (rest == 0)
		oclmm_text_printf(text, "-0.0%s", oclmm_type_suffix(type));
	else if (rest == special.infinity && infinity)
		oclmm_text_printf(text, "%s%s", bits & special.sign ? "-" : "", infinity);
	else if (bits == special.quiet && type == OCLMM_TYPE_FLOAT)
		oclmm_text_add(text, "NAN");
	else
		oclmm_text_printf(text, "as_%s(0x%0*" PRIx64 ")", oclmm_type_name(type),
		                  (int)oclmm_type_bits(type) / 4, bits);
}

void oclmm_value_print(struct oclmm_text *text, enum oclmm_type type, int64_t value)
{
	/* nearly all values of tests are one digit */
	if (value >= 0 && value <= 9)
		oclmm_text_add_bytes(text, &(char){(char)('0' + value)}, 1);
	else if (oclmm_type_is_floating(type) && !oclmm_value_is_whole(type, value))
		print_special(text, type, value);
	else if (oclmm_type_is_signed(type))
		oclmm_text_printf(text, "%" PRId64, value);
	else
		oclmm_text_printf(text, "%" PRIu64, (uint64_t)value);
}

/* C99 6.3.1.1: what is narrower than int becomes one, for it holds all its values. atomic_flag's
 * state is what functions return as bool. Of the others size_t is a name of ulong. */
static enum oclmm_type promote(enum oclmm_type type)
{
	switch (type) {
	case OCLMM_TYPE_BOOL:
	case OCLMM_TYPE_CHAR:
	case OCLMM_TYPE_UCHAR:
	case OCLMM_TYPE_SHORT:
	case OCLMM_TYPE_USHORT:
	case OCLMM_TYPE_FLAG: return OCLMM_TYPE_INT;
	case OCLMM_TYPE_SIZE: return OCLMM_TYPE_ULONG;
	case OCLMM_TYPE_PTRDIFF: return OCLMM_TYPE_LONG;
	default: return type;
	}
}

/* C99 6.3.1.8: a floating-point type before an integer, else the wider type, of two as wide the
 * unsigned one. */
enum oclmm_type oclmm_common_type(enum oclmm_type a, enum oclmm_type b)
{
	a = promote(a);
	b = promote(b);
	if (oclmm_type_is_floating(a) != oclmm_type_is_floating(b))
		return oclmm_type_is_floating(a) ? a : b;
	if (oclmm_type_bits(a) != oclmm_type_bits(b))
		return oclmm_type_bits(a) > oclmm_type_bits(b) ? a : b;
	return oclmm_type_is_signed(a) ? b : a;
}

enum oclmm_type oclmm_operand_type(enum oclmm_operator op, enum oclmm_type left,
                                   enum oclmm_type right)
{
	bool shift = op == OCLMM_OPERATOR_SHL || op == OCLMM_OPERATOR_SHR;

	return oclmm_common_type(left, shift ? left : right);
}

static bool less(enum oclmm_type type, int64_t a, int64_t b)
{
	return oclmm_type_is_signed(type) ? a < b : (uint64_t)a < (uint64_t)b;
}

static bool compare(enum oclmm_operator op, enum oclmm_type type, int64_t left, int64_t right)
{
	switch (op) {
	case OCLMM_OPERATOR_EQ: return left == right;
	case OCLMM_OPERATOR_NE: return left != right;
	case OCLMM_OPERATOR_LT: return less(type, left, right);
	case OCLMM_OPERATOR_GT: return less(type, right, left);
	case OCLMM_OPERATOR_LE: return !less(type, right, left);
	case OCLMM_OPERATOR_GE: return !less(type, left, right);
	case OCLMM_OPERATOR_LOGICAL_AND: return left && right;
	case OCLMM_OPERATOR_LOGICAL_OR: return left || right;
	default: return !left; /* NOT */
	}
}

/* Sum, difference or product; false when a signed result does not fit, or a floating-point one may
 * not be exact. */
static bool add_sub_mul(enum oclmm_operator op, enum oclmm_type type, int64_t left, int64_t right,
                        int64_t *ret_value)
{
	uint64_t a = (uint64_t)left, b = (uint64_t)right;
	int64_t exact;
	bool overflow;

	if (op == OCLMM_OPERATOR_ADD) {
		overflow = __builtin_add_overflow(left, right, &exact);
		a += b;
	} else if (op == OCLMM_OPERATOR_SUB) {
		overflow = __builtin_sub_overflow(left, right, &exact);
		a -= b;
	} else {
		overflow = __builtin_mul_overflow(left, right, &exact);
		a *= b;
	}
	*ret_value = oclmm_value_wrap(type, (int64_t)a);
	if (oclmm_type_is_floating(type))
		return !overflow && exact >= oclmm_type_least(type) &&
		       exact <= (int64_t)oclmm_type_greatest(type);
	return !oclmm_type_is_signed(type) || (!overflow && *ret_value == exact);
}

static enum oclmm_arithmetic divide(enum oclmm_operator op, enum oclmm_type type, int64_t left,
                                    int64_t right, int64_t *ret_value)
{
	bool quotient = op == OCLMM_OPERATOR_DIV;

	if (right == 0)
		return OCLMM_ARITHMETIC_DIVISION;
	if (!oclmm_type_is_signed(type)) {
		uint64_t a = (uint64_t)left, b = (uint64_t)right;

		*ret_value = (int64_t)(quotient ? a / b : a % b);
		return OCLMM_ARITHMETIC_OK;
	}
	/* the quotient does not fit, and where there is none there is no remainder (C99 6.5.5) */
	if (left == oclmm_type_least(type) && right == -1)
		return OCLMM_ARITHMETIC_DIVISION;
	*ret_value = quotient ? left / right : left % right;
	return OCLMM_ARITHMETIC_OK;
}

/* C:6.4, shifts: the count is its log2(width) lowest bits; a right shift of a
 * negative value fills with ones. No shift is undefined. */
static int64_t shift(enum oclmm_operator op, enum oclmm_type type, int64_t left, int64_t right)
{
	unsigned count = (unsigned)((uint64_t)right & (oclmm_type_bits(type) - 1));

	if (op == OCLMM_OPERATOR_SHL)
		return oclmm_value_wrap(type, (int64_t)((uint64_t)left << count));
	if (left >= 0 || !oclmm_type_is_signed(type))
		return (int64_t)((uint64_t)left >> count);
	return (int64_t) ~(~(uint64_t)left >> count);
}

enum oclmm_arithmetic oclmm_apply(enum oclmm_operator op, enum oclmm_type type, int64_t left,
                                  int64_t right, int64_t *ret_value)
{
	int64_t value = 0;

	type = promote(type);
	switch (op) {
	case OCLMM_OPERATOR_NEGATE:
		return oclmm_apply(OCLMM_OPERATOR_SUB, type, 0, left, ret_value);
	case OCLMM_OPERATOR_ADD:
	case OCLMM_OPERATOR_SUB:
	case OCLMM_OPERATOR_MUL:
		if (!add_sub_mul(op, type, left, right, &value))
			return OCLMM_ARITHMETIC_OVERFLOW;
		break;
	case OCLMM_OPERATOR_DIV:
	case OCLMM_OPERATOR_REM: return divide(op, type, left, right, ret_value);
	case OCLMM_OPERATOR_SHL:
	case OCLMM_OPERATOR_SHR: value = shift(op, type, left, right); break;
	case OCLMM_OPERATOR_COMPLEMENT: value = oclmm_value_wrap(type, ~left); break;
	case OCLMM_OPERATOR_AND: value = left & right; break;
	case OCLMM_OPERATOR_OR: value = left | right; break;
	case OCLMM_OPERATOR_XOR: value = left ^ right; break;
	case OCLMM_OPERATOR_EQ:
	case OCLMM_OPERATOR_NE:
	case OCLMM_OPERATOR_LT:
	case OCLMM_OPERATOR_GT:
	case OCLMM_OPERATOR_LE:
	case OCLMM_OPERATOR_GE:
	case OCLMM_OPERATOR_NOT:
	case OCLMM_OPERATOR_LOGICAL_AND:
	case OCLMM_OPERATOR_LOGICAL_OR:
	case OCLMM_OPERATOR_COUNT: value = compare(op, type, left, right); break;
	}
	*ret_value = value;
	return OCLMM_ARITHMETIC_OK;
}

bool oclmm_operation_fetches(enum oclmm_operation op)
{
#define OCLMM_X(name, ...) || op == OCLMM_OP_##name
	return false OCLMM_FETCHES(OCLMM_X);
#undef OCLMM_X
}

int64_t oclmm_apply_rmw(enum oclmm_operation op, enum oclmm_type type, int64_t old, int64_t operand)
{
	uint64_t a = (uint64_t)old, b = (uint64_t)operand;

	switch (op) {
	case OCLMM_OP_LOAD: return old;
	case OCLMM_OP_FETCH_ADD: return oclmm_value_wrap(type, (int64_t)(a + b));
	case OCLMM_OP_FETCH_SUB: return oclmm_value_wrap(type, (int64_t)(a - b));
	case OCLMM_OP_FETCH_OR: return oclmm_value_wrap(type, (int64_t)(a | b));
	case OCLMM_OP_FETCH_XOR: return oclmm_value_wrap(type, (int64_t)(a ^ b));
	case OCLMM_OP_FETCH_AND: return oclmm_value_wrap(type, (int64_t)(a & b));
	case OCLMM_OP_FETCH_MIN: return less(type, old, operand) ? old : operand;
	case OCLMM_OP_FETCH_MAX: return less(type, old, operand) ? operand : old;
	case OCLMM_OP_FLAG_TEST_AND_SET: return 1;
	case OCLMM_OP_FLAG_CLEAR: return 0;
	case OCLMM_OP_STORE:
	case OCLMM_OP_EXCHANGE:
	case OCLMM_OP_CAS_STRONG: /* that succeeds */
	case OCLMM_OP_CAS_WEAK:
	case OCLMM_OP_INIT:
	case OCLMM_OP_COUNT: break;
	}
	return oclmm_value_wrap(type, operand);
}

int64_t oclmm_apply_collective(enum oclmm_collective collective, int64_t a, int64_t b)
{
	switch (collective) {
	case OCLMM_COLLECTIVE_ANY: return a || b;
	case OCLMM_COLLECTIVE_ALL: return a && b;
	case OCLMM_COLLECTIVE_REDUCE_MIN:
	case OCLMM_COLLECTIVE_SCAN_INCLUSIVE_MIN:
	case OCLMM_COLLECTIVE_SCAN_EXCLUSIVE_MIN: return a < b ? a : b;
	case OCLMM_COLLECTIVE_REDUCE_MAX:
	case OCLMM_COLLECTIVE_SCAN_INCLUSIVE_MAX:
	case OCLMM_COLLECTIVE_SCAN_EXCLUSIVE_MAX: return a > b ? a : b;
	case OCLMM_COLLECTIVE_REDUCE_ADD:
	case OCLMM_COLLECTIVE_SCAN_INCLUSIVE_ADD:
	case OCLMM_COLLECTIVE_SCAN_EXCLUSIVE_ADD: return oclmm_value_wrap(OCLMM_TYPE_INT, a + b);
	case OCLMM_COLLECTIVE_BROADCAST: return a;
	case OCLMM_COLLECTIVE_NONE:
	case OCLMM_COLLECTIVE_COUNT: break;
	}
	return 0;
}

int64_t oclmm_collective_neutral(enum oclmm_collective collective)
{
	switch (collective) {
	case OCLMM_COLLECTIVE_ALL: return 1;
	case OCLMM_COLLECTIVE_REDUCE_MIN:
	case OCLMM_COLLECTIVE_SCAN_INCLUSIVE_MIN:
	case OCLMM_COLLECTIVE_SCAN_EXCLUSIVE_MIN: return INT32_MAX;
	case OCLMM_COLLECTIVE_REDUCE_MAX:
	case OCLMM_COLLECTIVE_SCAN_INCLUSIVE_MAX:
	case OCLMM_COLLECTIVE_SCAN_EXCLUSIVE_MAX: return INT32_MIN;
	default: return 0;
	}
}

bool oclmm_collective_excludes(enum oclmm_collective collective)
{
	return collective == OCLMM_COLLECTIVE_SCAN_EXCLUSIVE_ADD ||
	       collective == OCLMM_COLLECTIVE_SCAN_EXCLUSIVE_MIN ||
	       collective == OCLMM_COLLECTIVE_SCAN_EXCLUSIVE_MAX;
}

bool oclmm_collective_scans(enum oclmm_collective collective)
{
	return collective == OCLMM_COLLECTIVE_SCAN_INCLUSIVE_ADD ||
	       collective == OCLMM_COLLECTIVE_SCAN_INCLUSIVE_MIN ||
	       collective == OCLMM_COLLECTIVE_SCAN_INCLUSIVE_MAX ||
	       oclmm_collective_excludes(collective);
}
