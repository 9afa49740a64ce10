// SPDX-License-Identifier: Apache-2.0
/*
 * Floating-point numbers, which the oracle holds as whole ones, against those of
 * this machine: within its limits a type's sums are exact, and beyond them it is
 * said that they may not be.
 */
#include "oclmm/ir.h"

#include <math.h>
#include <string.h>

#include "../fixture/test.h"

enum { DRAWS = 3000 };

/* Rounds to the type: to 11, 24 or 53 bits. */
static double rounded(enum oclmm_type type, double value)
{
	double unit;
	int exponent;

	if (type == OCLMM_TYPE_DOUBLE)
		return value;
	if (type == OCLMM_TYPE_FLOAT)
		return (float)value;
	frexp(value, &exponent);
	unit = ldexp(1, exponent - 11);
	return nearbyint(value / unit) * unit;
}

static double result(enum oclmm_operation op, enum oclmm_type type, double old, double operand)
{
	switch (op) {
	case OCLMM_OP_FETCH_ADD: return rounded(type, old + operand);
	case OCLMM_OP_FETCH_SUB: return rounded(type, old - operand);
	case OCLMM_OP_FETCH_MIN: return fmin(old, operand);
	case OCLMM_OP_FETCH_MAX: return fmax(old, operand);
	default: return operand;
	}
}

/* Edges of the type among them. */
static int64_t draw(enum oclmm_type type, unsigned n)
{
	int64_t most = (int64_t)oclmm_type_greatest(type);
	uint64_t bits = oclmm_random(77 + type, n);

	switch (bits % 4) {
	case 0: return most - (int64_t)(bits >> 8) % 3;
	case 1: return -most + (int64_t)(bits >> 8) % 3;
	case 2: return (int64_t)(bits >> 8) % 9 - 4;
	default: return (int64_t)(bits >> 8) % (2 * most + 1) - most;
	}
}

/* ---- by their bits ---- */

/* What a pattern is, by the machine and by the definition of binary16. */
static double number_of(enum oclmm_type type, uint64_t bits)
{
	uint32_t word = (uint32_t)bits;
	unsigned fraction = bits & 1023, exponent = bits >> 10 & 31;
	float narrow;
	double wide;

	memcpy(&narrow, &word, sizeof(narrow));
	memcpy(&wide, &bits, sizeof(wide));
	if (type != OCLMM_TYPE_HALF)
		return type == OCLMM_TYPE_FLOAT ? (double)narrow : wide;
	if (exponent == 31)
		return fraction ? NAN : INFINITY;
	wide = exponent ? ldexp(1024 + fraction, (int)exponent - 25) : ldexp(fraction, -24);
	return bits >> 15 ? -wide : wide;
}

/* A pattern stands for itself again, and a whole number, and only that, for the number. */
static void check_pattern(enum oclmm_type type, uint64_t bits)
{
	int64_t value = oclmm_value_of_bits(type, bits);
	double number = number_of(type, bits);
	bool whole = fabs(number) <= (double)oclmm_type_greatest(type) && number == floor(number) &&
	             (number != 0 || !signbit(number));

	assert_int_equal(oclmm_value_bits(type, value), bits);
	assert_int_equal(oclmm_value_is_whole(type, value), whole);
	assert_true(!whole || (double)value == number);
	assert_true(oclmm_value_wrap(type, value) == value);
}

TEST(each_pattern_has_a_value_of_its_own)
{
	static const uint64_t ends[] = {0,          1,          0x7fffff,   0x800000,   0x1000000,
	                                0x1000001,  0x3f800000, 0x4b7fffff, 0x4b800000, 0x4b800001,
	                                0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};

	/* all of them, so that none has the value of another */
	for (uint64_t bits = 0; bits < 0x10000; bits++)
		check_pattern(OCLMM_TYPE_HALF, bits);
	for (unsigned n = 0; n < OCLMM_COUNT(ends); n++) {
		check_pattern(OCLMM_TYPE_FLOAT, ends[n]);
		check_pattern(OCLMM_TYPE_FLOAT, ends[n] | 0x80000000);
		check_pattern(OCLMM_TYPE_DOUBLE, ends[n] << 29);
		check_pattern(OCLMM_TYPE_DOUBLE, ends[n] << 29 | UINT64_C(1) << 63);
		check_pattern(OCLMM_TYPE_DOUBLE, ends[n]);
	}
	for (unsigned n = 0; n < 100 * DRAWS; n++) {
		uint64_t bits = oclmm_random(78, n);

		/* small ones as often: they are where whole numbers are, as integers */
		check_pattern(OCLMM_TYPE_FLOAT, (uint32_t)bits >> (bits >> 32) % 24);
		check_pattern(OCLMM_TYPE_DOUBLE, bits >> bits % 32);
	}
}

static void check_printed(enum oclmm_type type, uint64_t bits, const char *wanted)
{
	struct oclmm_text text = {0};

	oclmm_value_print(&text, type, oclmm_value_of_bits(type, bits));
	assert_string_equal(oclmm_text_string(&text), wanted);
	if (!oclmm_value_is_whole(type, oclmm_value_of_bits(type, bits))) {
		enum oclmm_type found = OCLMM_TYPE_INT;
		int64_t value = 0;

		assert_true(oclmm_special_read(wanted, &found, &value));
		assert_int_equal(found, type);
		assert_int_equal(oclmm_value_bits(type, value), bits);
	}
	oclmm_text_finish(&text);
}

TEST(values_are_printed_with_their_type)
{
	check_printed(OCLMM_TYPE_FLOAT, 0x80000000, "-0.0f");
	check_printed(OCLMM_TYPE_FLOAT, 0x7f800000, "INFINITY");
	check_printed(OCLMM_TYPE_FLOAT, 0xff800000, "-INFINITY");
	check_printed(OCLMM_TYPE_FLOAT, 0x7fc00000, "NAN");
	check_printed(OCLMM_TYPE_FLOAT, 0xffc00000, "as_float(0xffc00000)");
	check_printed(OCLMM_TYPE_FLOAT, 0x00000001, "as_float(0x00000001)");
	check_printed(OCLMM_TYPE_FLOAT, 0xc0000000, "-2");
	check_printed(OCLMM_TYPE_DOUBLE, UINT64_C(1) << 63, "-0.0");
	check_printed(OCLMM_TYPE_DOUBLE, UINT64_C(0xfff) << 52, "-HUGE_VAL");
	check_printed(OCLMM_TYPE_DOUBLE, UINT64_C(0xfff1) << 48, "as_double(0xfff1000000000000)");
	check_printed(OCLMM_TYPE_HALF, 0x8000, "-0.0h");
	check_printed(OCLMM_TYPE_HALF, 0x7c00, "as_half(0x7c00)");
}

TEST(texts_that_are_no_such_value_are_told)
{
	static const char *const texts[] = {"",
	                                    "-",
	                                    "0",
	                                    "nan",
	                                    "INFINITYx",
	                                    "as_float(",
	                                    "as_int(0x1)",
	                                    "as_float(5)",
	                                    "1.5f",
	                                    "as_half(0x)",
	                                    "as_floats(0x1)",
	                                    "as_half(0x10000)",
	                                    "as_double(0x10000000000000000)"};
	enum oclmm_type type = OCLMM_TYPE_INT;
	int64_t value = 5;

	for (size_t i = 0; i < OCLMM_COUNT(texts); i++)
		assert_false(oclmm_special_read(texts[i], &type, &value));
	assert_int_equal(type, OCLMM_TYPE_INT);
	assert_int_equal(value, 5);
}

/* As in results, of each type. */
TEST(texts_of_json_are_read)
{
	static const char *const others[] = {"", "-1", "1x", " 1", "18446744073709551616", "1.5f"};
	enum oclmm_type type = OCLMM_TYPE_INT;
	int64_t value = 5;

	assert_true(oclmm_value_read("18446744073709551615", &type, &value));
	assert_int_equal(type, OCLMM_TYPE_ULONG);
	assert_int_equal(value, -1);
	assert_true(oclmm_value_read("-0.0f", &type, &value));
	assert_int_equal(type, OCLMM_TYPE_FLOAT);
	assert_int_equal(oclmm_value_bits(type, value), 0x80000000);
	for (size_t i = 0; i < OCLMM_COUNT(others); i++)
		if (oclmm_value_read(others[i], &type, &value))
			fail_msg("%s", others[i]);
}

/* As a constant of a test takes the type of its object. */
TEST(constants_take_the_type_of_their_object)
{
	static const struct {
		enum oclmm_type from, to;
		uint64_t bits, wanted; /* 0: there is none */
	} rows[] = {
		{OCLMM_TYPE_DOUBLE, OCLMM_TYPE_FLOAT, UINT64_C(1) << 63, 0x80000000},
		{OCLMM_TYPE_DOUBLE, OCLMM_TYPE_HALF, UINT64_C(0xfff) << 52, 0xfc00},
		{OCLMM_TYPE_FLOAT, OCLMM_TYPE_DOUBLE, 0x7f800000, UINT64_C(0x7ff) << 52},
		{OCLMM_TYPE_FLOAT, OCLMM_TYPE_DOUBLE, 0x7fc00000, UINT64_C(0x7ff8) << 48},
		{OCLMM_TYPE_FLOAT, OCLMM_TYPE_DOUBLE, 0x7fc00001, 0},
		{OCLMM_TYPE_FLOAT, OCLMM_TYPE_FLOAT, 0x7fc00001, 0x7fc00001},
		{OCLMM_TYPE_FLOAT, OCLMM_TYPE_INT, 0x80000000, 0},
		{OCLMM_TYPE_FLOAT, OCLMM_TYPE_DOUBLE, 0x40400000, UINT64_C(0x4008) << 48},
	};

	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		int64_t value = oclmm_value_of_bits(rows[i].from, rows[i].bits);

		assert_int_equal(oclmm_value_convert(rows[i].from, value, rows[i].to, &value),
		                 rows[i].wanted != 0);
		if (rows[i].wanted)
			assert_int_equal(oclmm_value_bits(rows[i].to, value), rows[i].wanted);
	}
}

/* ---- whole numbers ---- */

static const enum oclmm_type types[] = {OCLMM_TYPE_HALF, OCLMM_TYPE_FLOAT, OCLMM_TYPE_DOUBLE};

TEST(updates_are_those_of_the_machine)
{
	static const enum oclmm_operation ops[] = {OCLMM_OP_STORE,     OCLMM_OP_EXCHANGE,
	                                           OCLMM_OP_FETCH_ADD, OCLMM_OP_FETCH_SUB,
	                                           OCLMM_OP_FETCH_MIN, OCLMM_OP_FETCH_MAX};

	for (unsigned n = 0; n < DRAWS; n++) {
		enum oclmm_type type = types[n % 3];
		int64_t a = draw(type, 2 * n), b = draw(type, 2 * n + 1);

		for (size_t k = 0; k < OCLMM_COUNT(ops); k++) {
			int64_t value = oclmm_apply_rmw(ops[k], type, a, b);

			if (value <= (int64_t)oclmm_type_greatest(type) &&
			    value >= oclmm_type_least(type))
				assert_true((double)value ==
				            result(ops[k], type, (double)a, (double)b));
		}
	}
}

TEST(sums_are_exact_or_refused)
{
	unsigned refused = 0;

	for (unsigned n = 0; n < DRAWS; n++) {
		enum oclmm_type type = types[n % 3];
		int64_t a = draw(type, 2 * n), b = draw(type, 2 * n + 1), value = 0, less = 0;

		if (oclmm_apply(OCLMM_OPERATOR_ADD, type, a, b, &value) == OCLMM_ARITHMETIC_OK)
			assert_true((double)value == rounded(type, (double)a + (double)b));
		else
			refused++;
		assert_int_equal(oclmm_apply(OCLMM_OPERATOR_LT, type, a, b, &less), 0);
		assert_int_equal(less, (double)a < (double)b);
	}
	assert_true(refused > DRAWS / 20 && refused < DRAWS / 2);
}

/* One more than the greatest is no longer a number of the type: the limits are the widest. */
TEST(limits_are_tight)
{
	for (size_t i = 0; i < OCLMM_COUNT(types); i++) {
		double most = (double)oclmm_type_greatest(types[i]);

		assert_true(rounded(types[i], most) == most);
		assert_true(rounded(types[i], most - 1) == most - 1);
		assert_true(rounded(types[i], most + 1) != most + 1 ||
		            types[i] == OCLMM_TYPE_DOUBLE);
		assert_int_equal(oclmm_type_least(types[i]), -(int64_t)most);
		assert_true(oclmm_type_is_floating(types[i]));
	}
	/* the sum itself is rounded, as the machine has no more bits */
	assert_true((double)(INT64_C(1) << 53) + 1 == (double)(INT64_C(1) << 53));
	assert_false(oclmm_type_is_floating(OCLMM_TYPE_FLAG));
}
