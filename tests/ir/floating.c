// SPDX-License-Identifier: Apache-2.0
/*
 * Floating-point numbers, which the oracle holds as whole ones, against those of
 * this machine: within its limits a type's sums are exact, and beyond them it is
 * said that they may not be.
 */
#include "oclmm/ir.h"

#include <math.h>

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
