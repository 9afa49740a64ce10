// SPDX-License-Identifier: Apache-2.0
/* Arithmetic against a reference that knows numbers only: every operand is an
 * exact integer of 128 bits, and a type is a range of them. */
#include "oclmm/base_wide.h"
#include "oclmm/ir.h"

#include <math.h>

#include "../fixture/test.h"

typedef struct oclmm_wide wide;

enum { VALUES = 40 };

static wide of(int64_t value)
{
	return oclmm_wide_of_signed(value);
}

static wide plus(wide a, wide b)
{
	return oclmm_wide_add(a, b);
}

static wide minus(wide a, wide b)
{
	return oclmm_wide_subtract(a, b);
}

static wide times(wide a, wide b)
{
	return oclmm_wide_multiply(a, b);
}

static int order(wide a, wide b)
{
	return oclmm_wide_compare(a, b);
}

static bool same(wide a, wide b)
{
	return order(a, b) == 0;
}

static bool is_negative(wide a)
{
	return order(a, of(0)) < 0;
}

/* The quotient as C has it, of numbers of which neither has more than 64 bits and a sign. */
static wide divided(wide a, wide b)
{
	wide quotient = oclmm_wide_of_unsigned((is_negative(a) ? oclmm_wide_negate(a) : a).low /
	                                       (is_negative(b) ? oclmm_wide_negate(b) : b).low);

	return is_negative(a) == is_negative(b) ? quotient : oclmm_wide_negate(quotient);
}

static wide two_to(unsigned exponent)
{
	return oclmm_wide_shift_left(of(1), exponent);
}

static wide number(enum oclmm_type type, int64_t value)
{
	return oclmm_type_is_signed(type) ? of(value) : oclmm_wide_of_unsigned((uint64_t)value);
}

static wide lowest(enum oclmm_type type)
{
	return oclmm_type_is_signed(type)
	               ? oclmm_wide_negate(two_to((unsigned)oclmm_type_bits(type) - 1))
	               : of(0);
}

static wide highest(enum oclmm_type type)
{
	return plus(lowest(type), minus(two_to((unsigned)oclmm_type_bits(type)), of(1)));
}

static bool fits(enum oclmm_type type, wide exact)
{
	return order(exact, lowest(type)) >= 0 && order(exact, highest(type)) <= 0;
}

/* The number of the type that is congruent to `exact` modulo 2^width. */
static wide reduced(enum oclmm_type type, wide exact)
{
	unsigned bits = (unsigned)oclmm_type_bits(type);
	/* rounded down, so that the rest is not negative */
	wide rest = minus(exact, oclmm_wide_shift_left(oclmm_wide_shift_right(exact, bits), bits));

	return order(rest, highest(type)) > 0 ? minus(rest, two_to(bits)) : rest;
}

/* Edges of the type first, then drawn ones. */
static int64_t sample(enum oclmm_type type, unsigned index)
{
	static const int64_t near[] = {0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, -1, -2, -3, -32};

	if (index < OCLMM_COUNT(near))
		return (int64_t)reduced(type, of(near[index])).low;
	index -= (unsigned)OCLMM_COUNT(near);
	if (index < 4)
		return (int64_t)plus(lowest(type), of(index)).low;
	if (index < 8)
		return (int64_t)minus(highest(type), of(index - 4)).low;
	return (int64_t)reduced(type, of((int64_t)oclmm_random(6, index))).low;
}

/* What counts places is taken modulo the width, which is a power of two. */
static unsigned places(enum oclmm_type type, wide count)
{
	return (unsigned)count.low & ((unsigned)oclmm_type_bits(type) - 1);
}

static wide truth(bool value)
{
	return of(value);
}

static wide bitwise(enum oclmm_operator op, wide a, wide b)
{
	wide both = {a.high & b.high, a.low & b.low}, either = {a.high | b.high, a.low | b.low},
	     one = {a.high ^ b.high, a.low ^ b.low};

	return op == OCLMM_OPERATOR_AND ? both : op == OCLMM_OPERATOR_OR ? either : one;
}

/* The exact result; bitwise operators work on any width of two's complement. */
static wide exact_result(enum oclmm_operator op, enum oclmm_type type, wide a, wide b)
{
	switch (op) {
	case OCLMM_OPERATOR_NEGATE: return oclmm_wide_negate(a);
	case OCLMM_OPERATOR_COMPLEMENT: return minus(oclmm_wide_negate(a), of(1));
	case OCLMM_OPERATOR_ADD: return plus(a, b);
	case OCLMM_OPERATOR_SUB: return minus(a, b);
	/* two ulongs leave 127 bits; only their low half is asked for */
	case OCLMM_OPERATOR_MUL:
		return type == OCLMM_TYPE_ULONG ? oclmm_wide_of_unsigned(times(a, b).low)
		                                : times(a, b);
	case OCLMM_OPERATOR_DIV: return divided(a, b);
	case OCLMM_OPERATOR_REM: return minus(a, times(divided(a, b), b));
	case OCLMM_OPERATOR_AND:
	case OCLMM_OPERATOR_OR:
	case OCLMM_OPERATOR_XOR: return bitwise(op, a, b);
	case OCLMM_OPERATOR_SHL: return oclmm_wide_shift_left(reduced(type, a), places(type, b));
	case OCLMM_OPERATOR_SHR: return oclmm_wide_shift_right(a, places(type, b));
	case OCLMM_OPERATOR_NOT: return truth(same(a, of(0)));
	case OCLMM_OPERATOR_EQ: return truth(same(a, b));
	case OCLMM_OPERATOR_NE: return truth(!same(a, b));
	case OCLMM_OPERATOR_LT: return truth(order(a, b) < 0);
	case OCLMM_OPERATOR_GT: return truth(order(a, b) > 0);
	case OCLMM_OPERATOR_LE: return truth(order(a, b) <= 0);
	case OCLMM_OPERATOR_GE: return truth(order(a, b) >= 0);
	case OCLMM_OPERATOR_LOGICAL_AND: return truth(!same(a, of(0)) && !same(b, of(0)));
	case OCLMM_OPERATOR_LOGICAL_OR: return truth(!same(a, of(0)) || !same(b, of(0)));
	case OCLMM_OPERATOR_COUNT: break;
	}
	fail();
	return of(0);
}

static bool overflows(enum oclmm_operator op, enum oclmm_type type, wide exact)
{
	if (!oclmm_type_is_signed(type) || op == OCLMM_OPERATOR_SHL)
		return false;
	return !fits(type, exact);
}

static void check_operator(enum oclmm_operator op, enum oclmm_type type, int64_t left,
                           int64_t right)
{
	wide a = number(type, left), b = number(type, right), exact;
	bool divides = op == OCLMM_OPERATOR_DIV || op == OCLMM_OPERATOR_REM;
	int64_t value = INT64_C(0x5eed);
	enum oclmm_arithmetic result = oclmm_apply(op, type, left, right, &value);

	/* C:6.4: a quotient that does not fit is unspecified, like one by zero; of a remainder
	 * there is one where there is a quotient */
	if (divides && (same(b, of(0)) || !fits(type, divided(a, b)))) {
		assert_int_equal(result, OCLMM_ARITHMETIC_DIVISION);
		assert_int_equal(value, 0x5eed);
		return;
	}
	exact = exact_result(op, type, a, b);
	if (overflows(op, type, exact)) {
		assert_int_equal(result, OCLMM_ARITHMETIC_OVERFLOW);
		assert_int_equal(value, 0x5eed);
		return;
	}
	assert_int_equal(result, OCLMM_ARITHMETIC_OK);
	if (oclmm_operator_is_truth(op))
		assert_true(same(of(value), exact));
	else
		assert_true(same(number(type, value), reduced(type, exact)));
}

TEST(operators_compute_numbers)
{
	int op, type;
	unsigned i, k;

	for (op = 0; op < OCLMM_OPERATOR_COUNT; op++) {
		for (type = 0; type < OCLMM_TYPE_FLAG; type++) {
			for (i = 0; i < VALUES; i++) {
				for (k = 0; k < VALUES; k++)
					check_operator(op, type, sample(type, i), sample(type, k));
			}
		}
	}
}

static wide rmw_result(enum oclmm_operation op, wide old, wide operand)
{
	switch (op) {
	case OCLMM_OP_LOAD: return old;
	case OCLMM_OP_FETCH_ADD: return plus(old, operand);
	case OCLMM_OP_FETCH_SUB: return minus(old, operand);
	case OCLMM_OP_FETCH_OR: return bitwise(OCLMM_OPERATOR_OR, old, operand);
	case OCLMM_OP_FETCH_XOR: return bitwise(OCLMM_OPERATOR_XOR, old, operand);
	case OCLMM_OP_FETCH_AND: return bitwise(OCLMM_OPERATOR_AND, old, operand);
	case OCLMM_OP_FETCH_MIN: return order(old, operand) < 0 ? old : operand;
	case OCLMM_OP_FETCH_MAX: return order(old, operand) > 0 ? old : operand;
	case OCLMM_OP_FLAG_TEST_AND_SET: return of(1);
	case OCLMM_OP_FLAG_CLEAR: return of(0);
	case OCLMM_OP_STORE:
	case OCLMM_OP_EXCHANGE:
	case OCLMM_OP_CAS_STRONG:
	case OCLMM_OP_CAS_WEAK:
	case OCLMM_OP_INIT:
	case OCLMM_OP_COUNT: break;
	}
	return operand;
}

TEST(atomics_wrap)
{
	int op, type;
	unsigned i, k;

	for (op = 0; op < OCLMM_OP_COUNT; op++) {
		for (type = 0; type <= OCLMM_TYPE_FLAG; type++) {
			for (i = 0; i < VALUES; i++) {
				for (k = 0; k < VALUES; k++) {
					int64_t a = sample(type, i), b = sample(type, k);
					wide exact = rmw_result(op, number(type, a),
					                        number(type, b));
					int64_t value = oclmm_apply_rmw(op, type, a, b);

					assert_true(
						same(number(type, value), reduced(type, exact)));
				}
			}
		}
	}
}

TEST(wrapping_is_congruent)
{
	int type;
	unsigned i;

	for (type = 0; type < OCLMM_TYPE_COUNT; type++) {
		for (i = 0; i < 2000; i++) {
			int64_t bits = (int64_t)oclmm_random(8, i);
			int64_t value = oclmm_value_wrap(type, bits);

			if (type == OCLMM_TYPE_BOOL || oclmm_type_is_floating(type))
				continue;
			assert_true(same(number(type, value), reduced(type, of(bits))));
			assert_true(oclmm_value_wrap(type, value) == value);
		}
	}
}

/* C99 6.3.1.2: it is not the lowest bit that counts. */
TEST(bool_asks_for_zero)
{
	for (unsigned bit = 0; bit < 64; bit++)
		assert_int_equal(oclmm_value_wrap(OCLMM_TYPE_BOOL, (int64_t)(UINT64_C(1) << bit)),
		                 1);
	assert_int_equal(oclmm_value_wrap(OCLMM_TYPE_BOOL, 0), 0);
	assert_int_equal(oclmm_value_wrap(OCLMM_TYPE_UCHAR, 256), 0);
}

/* C99 6.3.1.1 before it: narrow types are as int, size_t is as ulong. */
TEST(registers_are_promoted)
{
	static const enum oclmm_type as[OCLMM_TYPE_COUNT] = {
		[OCLMM_TYPE_BOOL] = OCLMM_TYPE_INT,     [OCLMM_TYPE_CHAR] = OCLMM_TYPE_INT,
		[OCLMM_TYPE_UCHAR] = OCLMM_TYPE_INT,    [OCLMM_TYPE_SHORT] = OCLMM_TYPE_INT,
		[OCLMM_TYPE_USHORT] = OCLMM_TYPE_INT,   [OCLMM_TYPE_SIZE] = OCLMM_TYPE_ULONG,
		[OCLMM_TYPE_PTRDIFF] = OCLMM_TYPE_LONG,
	};
	int a, b;

	for (a = OCLMM_TYPE_DOUBLE + 1; a < OCLMM_TYPE_COUNT; a++) {
		assert_int_equal(oclmm_type_is_stored((enum oclmm_type)a),
		                 a == OCLMM_TYPE_UCHAR || a == OCLMM_TYPE_USHORT);
		assert_int_equal(oclmm_common_type(a, a), as[a]);
		for (b = 0; b <= OCLMM_TYPE_DOUBLE; b++)
			assert_int_equal(oclmm_common_type(a, b), oclmm_common_type(as[a], b));
		for (b = OCLMM_TYPE_DOUBLE + 1; b < OCLMM_TYPE_COUNT; b++)
			assert_int_equal(oclmm_common_type(a, b), oclmm_common_type(as[a], as[b]));
	}
}

/* C99 6.3.1.8, written out: the lower triangle of a table. */
TEST(common_types_are_those_of_c)
{
	static const enum oclmm_type expected[OCLMM_TYPE_DOUBLE + 1][OCLMM_TYPE_DOUBLE + 1] = {
		[OCLMM_TYPE_INT] = {OCLMM_TYPE_INT},
		[OCLMM_TYPE_UINT] = {OCLMM_TYPE_UINT, OCLMM_TYPE_UINT},
		[OCLMM_TYPE_LONG] = {OCLMM_TYPE_LONG, OCLMM_TYPE_LONG, OCLMM_TYPE_LONG},
		[OCLMM_TYPE_ULONG] = {OCLMM_TYPE_ULONG, OCLMM_TYPE_ULONG, OCLMM_TYPE_ULONG,
	                              OCLMM_TYPE_ULONG},
		[OCLMM_TYPE_FLAG] = {OCLMM_TYPE_INT, OCLMM_TYPE_UINT, OCLMM_TYPE_LONG,
	                             OCLMM_TYPE_ULONG, OCLMM_TYPE_INT},
		[OCLMM_TYPE_HALF] = {OCLMM_TYPE_HALF, OCLMM_TYPE_HALF, OCLMM_TYPE_HALF,
	                             OCLMM_TYPE_HALF, OCLMM_TYPE_HALF, OCLMM_TYPE_HALF},
		[OCLMM_TYPE_FLOAT] = {OCLMM_TYPE_FLOAT, OCLMM_TYPE_FLOAT, OCLMM_TYPE_FLOAT,
	                              OCLMM_TYPE_FLOAT, OCLMM_TYPE_FLOAT, OCLMM_TYPE_FLOAT,
	                              OCLMM_TYPE_FLOAT},
		[OCLMM_TYPE_DOUBLE] = {OCLMM_TYPE_DOUBLE, OCLMM_TYPE_DOUBLE, OCLMM_TYPE_DOUBLE,
	                               OCLMM_TYPE_DOUBLE, OCLMM_TYPE_DOUBLE, OCLMM_TYPE_DOUBLE,
	                               OCLMM_TYPE_DOUBLE, OCLMM_TYPE_DOUBLE},
	};
	int a, b;

	for (a = 0; a <= OCLMM_TYPE_DOUBLE; a++) {
		for (b = 0; b <= a; b++) {
			assert_int_equal(oclmm_common_type(a, b), expected[a][b]);
			assert_int_equal(oclmm_common_type(b, a), expected[a][b]);
		}
	}
}

/* C99 6.5.7: the result of a shift has the type of its left operand, whatever counts. */
TEST(shifts_keep_their_type)
{
	assert_int_equal(oclmm_operand_type(OCLMM_OPERATOR_SHR, OCLMM_TYPE_INT, OCLMM_TYPE_ULONG),
	                 OCLMM_TYPE_INT);
	assert_int_equal(oclmm_operand_type(OCLMM_OPERATOR_SHL, OCLMM_TYPE_FLAG, OCLMM_TYPE_LONG),
	                 OCLMM_TYPE_INT);
	assert_int_equal(oclmm_operand_type(OCLMM_OPERATOR_ADD, OCLMM_TYPE_INT, OCLMM_TYPE_ULONG),
	                 OCLMM_TYPE_ULONG);
}

static void check_print(enum oclmm_type type, int64_t value, const char *expected)
{
	struct oclmm_text text = {0};

	oclmm_value_print(&text, type, value);
	assert_string_equal(oclmm_text_string(&text), expected);
	oclmm_text_finish(&text);
}

TEST(values_print_in_their_type)
{
	check_print(OCLMM_TYPE_INT, INT32_MIN, "-2147483648");
	check_print(OCLMM_TYPE_UINT, UINT32_MAX, "4294967295");
	check_print(OCLMM_TYPE_LONG, INT64_MIN, "-9223372036854775808");
	check_print(OCLMM_TYPE_ULONG, -1, "18446744073709551615");
	check_print(OCLMM_TYPE_FLAG, 1, "1");
	check_print(OCLMM_TYPE_CHAR, -128, "-128");
	check_print(OCLMM_TYPE_SIZE, -1, "18446744073709551615");
}

/* The limits of the list of types are those of the widths; a flag is 0 or 1, and so is a bool. */
TEST(values_fit_their_range)
{
	for (unsigned f = 0; f < OCLMM_TYPE_COUNT; f++) {
		enum oclmm_type from = (enum oclmm_type)f;

		/* those of floating-point types have a test of their own */
		if (from == OCLMM_TYPE_FLAG || from == OCLMM_TYPE_BOOL ||
		    oclmm_type_is_floating(from))
			continue;
		assert_true(same(of(oclmm_type_least(from)), lowest(from)));
		assert_true(same(oclmm_wide_of_unsigned(oclmm_type_greatest(from)), highest(from)));
		for (unsigned t = 0; t < OCLMM_TYPE_FLAG; t++)
			for (unsigned i = 0; i < VALUES; i++) {
				int64_t value = sample(from, i);

				assert_int_equal(oclmm_value_fits(from, value, (enum oclmm_type)t),
				                 fits((enum oclmm_type)t, number(from, value)));
			}
		assert_true(oclmm_value_fits(from, 1, OCLMM_TYPE_FLAG));
		assert_false(oclmm_value_fits(from, 2, OCLMM_TYPE_FLAG));
		assert_false(oclmm_value_fits(from, 2, OCLMM_TYPE_BOOL));
	}
	assert_false(oclmm_value_fits(OCLMM_TYPE_INT, -1, OCLMM_TYPE_FLAG));
}

/* The value of the bits, by the definition of binary16. */
static double number_of_half(uint16_t bits)
{
	int exponent = (bits >> 10 & 31) - 15;
	double size = ldexp(1 + (bits & 1023) / 1024.0, exponent);

	return bits & 0x7fff ? (bits & 0x8000 ? -size : size) : 0;
}

TEST(halves_have_their_bits)
{
	for (int64_t value = -2048; value <= 2048; value++)
		assert_true(number_of_half((uint16_t)oclmm_value_bits(OCLMM_TYPE_HALF, value)) ==
		            (double)value);
	assert_int_equal(oclmm_value_bits(OCLMM_TYPE_HALF, 1), 0x3c00);
}
