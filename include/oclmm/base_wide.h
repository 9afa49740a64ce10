// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Whole numbers of 128 bits, for compilers that have none, such as those for 32-bit processors:
 * sums and products of two numbers of 64 bits, signed or not, are exact in them. Part of base.h.
 */
#ifndef OCLMM_BASE_WIDE_H
#define OCLMM_BASE_WIDE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** In two's complement; what does not fit wraps. */
struct oclmm_wide {
	uint64_t high, low;
};

static inline struct oclmm_wide oclmm_wide_of_unsigned(uint64_t value)
{
	struct oclmm_wide wide = {0, value};

	return wide;
}

static inline struct oclmm_wide oclmm_wide_of_signed(int64_t value)
{
	struct oclmm_wide wide = {value < 0 ? UINT64_MAX : 0, (uint64_t)value};

	return wide;
}

static inline struct oclmm_wide oclmm_wide_add(struct oclmm_wide a, struct oclmm_wide b)
{
	struct oclmm_wide sum = {a.high + b.high, a.low + b.low};

	sum.high += sum.low < a.low;
	return sum;
}

static inline struct oclmm_wide oclmm_wide_negate(struct oclmm_wide a)
{
	struct oclmm_wide negative = {~a.high + (a.low == 0), ~a.low + 1};

	return negative;
}

static inline struct oclmm_wide oclmm_wide_subtract(struct oclmm_wide a, struct oclmm_wide b)
{
	return oclmm_wide_add(a, oclmm_wide_negate(b));
}

/** The exact product of two numbers without a sign, from those of their halves. */
static inline struct oclmm_wide oclmm_wide_product(uint64_t a, uint64_t b)
{
	uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
	uint64_t low = a_low * b_low, first = a_high * b_low, second = a_low * b_high;
	uint64_t middle = (low >> 32) + (uint32_t)first + (uint32_t)second;
	struct oclmm_wide product = {
		a_high * b_high + (first >> 32) + (second >> 32) + (middle >> 32),
		middle << 32 | (uint32_t)low,
	};

	return product;
}

static inline struct oclmm_wide oclmm_wide_multiply(struct oclmm_wide a, struct oclmm_wide b)
{
	struct oclmm_wide product = oclmm_wide_product(a.low, b.low);

	product.high += a.high * b.low + a.low * b.high;
	return product;
}

/** By fewer than 128 places. */
static inline struct oclmm_wide oclmm_wide_shift_left(struct oclmm_wide a, unsigned by)
{
	struct oclmm_wide far = {a.low << (by & 63), 0}, near = {a.high, a.low};

	if (by >= 64)
		return far;
	if (by > 0) {
		near.high = a.high << by | a.low >> (64 - by);
		near.low = a.low << by;
	}
	return near;
}

/** The same to the right, with copies of the sign: the quotient by a power of two, rounded down. */
static inline struct oclmm_wide oclmm_wide_shift_right(struct oclmm_wide a, unsigned by)
{
	uint64_t sign = a.high >> 63 ? UINT64_MAX : 0;
	struct oclmm_wide far = {sign, a.high}, near = a;

	if (by >= 64) {
		if (by > 64)
			far.low = a.high >> (by - 64) | sign << (128 - by);
		return far;
	}
	if (by > 0) {
		near.high = a.high >> by | sign << (64 - by);
		near.low = a.low >> by | a.high << (64 - by);
	}
	return near;
}

/** Orders two numbers with signs. \return negative, 0 or positive, as strcmp() */
static inline int oclmm_wide_compare(struct oclmm_wide a, struct oclmm_wide b)
{
	uint64_t sign = UINT64_C(1) << 63;

	if (a.high != b.high)
		return (a.high ^ sign) < (b.high ^ sign) ? -1 : 1;
	return a.low < b.low ? -1 : a.low > b.low;
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
