// SPDX-License-Identifier: Apache-2.0
/* Arithmetic against a reference that knows numbers only: every operand is an
 * exact 128-bit integer, and a type is a range of them. */
#include "oclmm/ir.h"

#include <math.h>
#include <setjmp.h>

#include <cmocka.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

enum { VALUES = 40 };

static wide number(enum oclmm_type type, int64_t value)
{
	return oclmm_type_is_signed(type) ? (wide)value : (wide)(uint64_t)value;
}

static wide lowest(enum oclmm_type type)
{
	return oclmm_type_is_signed(type) ? -((wide)1 << (oclmm_type_bits(type) - 1)) : 0;
}

static wide highest(enum oclmm_type type)
{
	return lowest(type) + (((wide)1 << oclmm_type_bits(type)) - 1);
}

static bool fits(enum oclmm_type type, wide exact)
{
	return exact >= lowest(type) && exact <= highest(type);
}

/* The number of the type that is congruent to `exact` modulo 2^width. */
static wide reduced(enum oclmm_type type, wide exact)
{
	wide modulus = (wide)1 << oclmm_type_bits(type);
	wide rest = exact % modulus;

	if (rest < lowest(type))
		rest += modulus;
	if (rest > highest(type))
		rest -= modulus;
	return rest;
}

/* Edges of the type first, then drawn ones. */
static int64_t sample(enum oclmm_type type, unsigned index)
{
	static const int64_t near[] = {0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, -1, -2, -3, -32};

	if (index < OCLMM_COUNT(near))
		return (int64_t)reduced(type, near[index]);
	index -= (unsigned)OCLMM_COUNT(near);
	if (index < 4)
		return (int64_t)(lowest(type) + (int)index);
	if (index < 8)
		return (int64_t)(uint64_t)(highest(type) - (int)(index - 4));
	return (int64_t)reduced(type, (wide)(int64_t)oclmm_random(6, index));
}

static wide power_of_two(enum oclmm_type type, wide count)
{
	wide bits = oclmm_type_bits(type);

	return (wide)1 << ((count % bits + bits) % bits);
}

static wide floor_divided(wide a, wide b)
{
	wide quotient = a / b;

	return a % b < 0 ? quotient - 1 : quotient;
}

/* The exact result; bitwise operators work on any width of two's complement. */
static wide exact_result(enum oclmm_operator op, enum oclmm_type type, wide a, wide b)
{
	switch (op) {
	case OCLMM_OPERATOR_NEGATE: return -a;
	case OCLMM_OPERATOR_COMPLEMENT: return -a - 1;
	case OCLMM_OPERATOR_ADD: return a + b;
	case OCLMM_OPERATOR_SUB: return a - b;
	/* two ulongs leave 127 bits; only their low half is asked for */
	case OCLMM_OPERATOR_MUL:
		return type == OCLMM_TYPE_ULONG ? (wide)(uint64_t)((uwide)a * (uwide)b) : a * b;
	case OCLMM_OPERATOR_DIV: return a / b;
	case OCLMM_OPERATOR_REM: return a - a / b * b;
	case OCLMM_OPERATOR_AND: return a & b;
	case OCLMM_OPERATOR_OR: return a | b;
	case OCLMM_OPERATOR_XOR: return a ^ b;
	case OCLMM_OPERATOR_SHL: return reduced(type, a) * power_of_two(type, b);
	case OCLMM_OPERATOR_SHR: return floor_divided(a, power_of_two(type, b));
	case OCLMM_OPERATOR_NOT: return a == 0;
	case OCLMM_OPERATOR_EQ: return a == b;
	case OCLMM_OPERATOR_NE: return a != b;
	case OCLMM_OPERATOR_LT: return a < b;
	case OCLMM_OPERATOR_GT: return a > b;
	case OCLMM_OPERATOR_LE: return a <= b;
	case OCLMM_OPERATOR_GE: return a >= b;
	case OCLMM_OPERATOR_LOGICAL_AND: return a != 0 && b != 0;
	case OCLMM_OPERATOR_LOGICAL_OR: return a != 0 || b != 0;
	case OCLMM_OPERATOR_COUNT: break;
	}
	fail();
	return 0;
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
	if (divides && (b == 0 || !fits(type, a / b))) {
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
		assert_true(value == exact);
	else
		assert_true(number(type, value) == reduced(type, exact));
}

static void operators_compute_numbers(void **state)
{
	int op, type;
	unsigned i, k;

	(void)state;
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
	case OCLMM_OP_FETCH_ADD: return old + operand;
	case OCLMM_OP_FETCH_SUB: return old - operand;
	case OCLMM_OP_FETCH_OR: return old | operand;
	case OCLMM_OP_FETCH_XOR: return old ^ operand;
	case OCLMM_OP_FETCH_AND: return old & operand;
	case OCLMM_OP_FETCH_MIN: return old < operand ? old : operand;
	case OCLMM_OP_FETCH_MAX: return old > operand ? old : operand;
	case OCLMM_OP_FLAG_TEST_AND_SET: return 1;
	case OCLMM_OP_FLAG_CLEAR: return 0;
	case OCLMM_OP_STORE:
	case OCLMM_OP_EXCHANGE:
	case OCLMM_OP_CAS_STRONG:
	case OCLMM_OP_CAS_WEAK:
	case OCLMM_OP_INIT:
	case OCLMM_OP_COUNT: break;
	}
	return operand;
}

static void atomics_wrap(void **state)
{
	int op, type;
	unsigned i, k;

	(void)state;
	for (op = 0; op < OCLMM_OP_COUNT; op++) {
		for (type = 0; type <= OCLMM_TYPE_FLAG; type++) {
			for (i = 0; i < VALUES; i++) {
				for (k = 0; k < VALUES; k++) {
					int64_t a = sample(type, i), b = sample(type, k);
					wide exact = rmw_result(op, number(type, a),
					                        number(type, b));
					int64_t value = oclmm_apply_rmw(op, type, a, b);

					assert_true(number(type, value) == reduced(type, exact));
				}
			}
		}
	}
}

static void wrapping_is_congruent(void **state)
{
	int type;
	unsigned i;

	(void)state;
	for (type = 0; type < OCLMM_TYPE_COUNT; type++) {
		for (i = 0; i < 2000; i++) {
			int64_t bits = (int64_t)oclmm_random(8, i);
			int64_t value = oclmm_value_wrap(type, bits);

			if (type == OCLMM_TYPE_BOOL || oclmm_type_is_floating(type))
				continue;
			assert_true(number(type, value) == reduced(type, bits));
			assert_true(oclmm_value_wrap(type, value) == value);
		}
	}
}

/* C99 6.3.1.2: it is not the lowest bit that counts. */
static void bool_asks_for_zero(void **state)
{
	(void)state;
	for (unsigned bit = 0; bit < 64; bit++)
		assert_int_equal(oclmm_value_wrap(OCLMM_TYPE_BOOL, (int64_t)(UINT64_C(1) << bit)),
		                 1);
	assert_int_equal(oclmm_value_wrap(OCLMM_TYPE_BOOL, 0), 0);
	assert_int_equal(oclmm_value_wrap(OCLMM_TYPE_UCHAR, 256), 0);
}

/* C99 6.3.1.1 before it: narrow types are as int, size_t is as ulong. */
static void registers_are_promoted(void **state)
{
	static const enum oclmm_type as[OCLMM_TYPE_COUNT] = {
		[OCLMM_TYPE_BOOL] = OCLMM_TYPE_INT,     [OCLMM_TYPE_CHAR] = OCLMM_TYPE_INT,
		[OCLMM_TYPE_UCHAR] = OCLMM_TYPE_INT,    [OCLMM_TYPE_SHORT] = OCLMM_TYPE_INT,
		[OCLMM_TYPE_USHORT] = OCLMM_TYPE_INT,   [OCLMM_TYPE_SIZE] = OCLMM_TYPE_ULONG,
		[OCLMM_TYPE_PTRDIFF] = OCLMM_TYPE_LONG,
	};
	int a, b;

	(void)state;
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
static void common_types_are_those_of_c(void **state)
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

	(void)state;
	for (a = 0; a <= OCLMM_TYPE_DOUBLE; a++) {
		for (b = 0; b <= a; b++) {
			assert_int_equal(oclmm_common_type(a, b), expected[a][b]);
			assert_int_equal(oclmm_common_type(b, a), expected[a][b]);
		}
	}
}

/* C99 6.5.7: the result of a shift has the type of its left operand, whatever counts. */
static void shifts_keep_their_type(void **state)
{
	(void)state;
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

static void values_print_in_their_type(void **state)
{
	(void)state;
	check_print(OCLMM_TYPE_INT, INT32_MIN, "-2147483648");
	check_print(OCLMM_TYPE_UINT, UINT32_MAX, "4294967295");
	check_print(OCLMM_TYPE_LONG, INT64_MIN, "-9223372036854775808");
	check_print(OCLMM_TYPE_ULONG, -1, "18446744073709551615");
	check_print(OCLMM_TYPE_FLAG, 1, "1");
	check_print(OCLMM_TYPE_CHAR, -128, "-128");
	check_print(OCLMM_TYPE_SIZE, -1, "18446744073709551615");
}

/* The limits of the list of types are those of the widths; a flag is 0 or 1, and so is a bool. */
static void values_fit_their_range(void **state)
{
	(void)state;
	for (unsigned f = 0; f < OCLMM_TYPE_COUNT; f++) {
		enum oclmm_type from = (enum oclmm_type)f;

		/* those of floating-point types have a test of their own */
		if (from == OCLMM_TYPE_FLAG || from == OCLMM_TYPE_BOOL ||
		    oclmm_type_is_floating(from))
			continue;
		assert_true(oclmm_type_least(from) == lowest(from));
		assert_true(oclmm_type_greatest(from) == highest(from));
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

static void halves_have_their_bits(void **state)
{
	(void)state;
	for (int64_t value = -2048; value <= 2048; value++)
		assert_true(number_of_half(oclmm_half_bits(value)) == (double)value);
	assert_int_equal(oclmm_half_bits(1), 0x3c00);
	assert_int_equal(oclmm_half_bits(65504), 0x7bff);
	assert_true(number_of_half(oclmm_half_bits(2049)) == 2048);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_compute_numbers),
		cmocka_unit_test(atomics_wrap),
		cmocka_unit_test(wrapping_is_congruent),
		cmocka_unit_test(bool_asks_for_zero),
		cmocka_unit_test(registers_are_promoted),
		cmocka_unit_test(common_types_are_those_of_c),
		cmocka_unit_test(shifts_keep_their_type),
		cmocka_unit_test(values_print_in_their_type),
		cmocka_unit_test(values_fit_their_range),
		cmocka_unit_test(halves_have_their_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
