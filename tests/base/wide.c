// SPDX-License-Identifier: Apache-2.0
/* Numbers of 128 bits against arithmetic bit by bit, as it is done on paper. */
#include "oclmm/base.h"
#include "oclmm/base_wide.h"

#include "../fixture/test.h"

enum { BITS = 128, VALUES = 400 };

/* The lowest bit first. */
struct bits {
	bool at[BITS];
};

static struct bits bits_of(struct oclmm_wide wide)
{
	struct bits bits;

	for (unsigned i = 0; i < BITS; i++)
		bits.at[i] = (i < 64 ? wide.low >> i : wide.high >> (i - 64)) & 1;
	return bits;
}

static void assert_same(struct oclmm_wide wide, struct bits bits)
{
	struct bits found = bits_of(wide);

	for (unsigned i = 0; i < BITS; i++)
		assert_int_equal(found.at[i], bits.at[i]);
}

static struct bits add(struct bits a, struct bits b)
{
	struct bits sum;
	unsigned carry = 0;

	for (unsigned i = 0; i < BITS; i++) {
		carry += a.at[i] + b.at[i];
		sum.at[i] = carry & 1;
		carry >>= 1;
	}
	return sum;
}

static struct bits left(struct bits a, unsigned by)
{
	struct bits moved;

	for (unsigned i = 0; i < BITS; i++)
		moved.at[i] = i >= by && a.at[i - by];
	return moved;
}

static struct bits right(struct bits a, unsigned by)
{
	struct bits moved;

	for (unsigned i = 0; i < BITS; i++)
		moved.at[i] = a.at[i + by < BITS ? i + by : BITS - 1];
	return moved;
}

static struct bits negative(struct bits a)
{
	struct bits one = {{true}};

	for (unsigned i = 0; i < BITS; i++)
		a.at[i] = !a.at[i];
	return add(a, one);
}

static struct bits multiply(struct bits a, struct bits b)
{
	struct bits product = {{false}};

	for (unsigned i = 0; i < BITS; i++) {
		if (b.at[i])
			product = add(product, left(a, i));
	}
	return product;
}

/* With the sign turned, numbers are in the order of their bits, from the highest. */
static int compare(struct bits a, struct bits b)
{
	a.at[BITS - 1] = !a.at[BITS - 1];
	b.at[BITS - 1] = !b.at[BITS - 1];
	for (unsigned i = BITS; i-- > 0;) {
		if (a.at[i] != b.at[i])
			return a.at[i] ? 1 : -1;
	}
	return 0;
}

/* Each pair of the edges of halves first, then drawn ones, some of few bits. */
static struct oclmm_wide sample(unsigned index)
{
	static const uint64_t edges[] = {0,
	                                 1,
	                                 2,
	                                 UINT32_MAX,
	                                 UINT64_C(1) << 32,
	                                 UINT64_C(1) << 63,
	                                 UINT64_MAX >> 1,
	                                 UINT64_MAX - 1,
	                                 UINT64_MAX};
	unsigned count = OCLMM_COUNT(edges);
	struct oclmm_wide wide;

	if (index < count * count) {
		wide.high = edges[index / count];
		wide.low = edges[index % count];
	} else {
		wide.high = oclmm_random(1, index) >> oclmm_random_below(2, index, 64);
		wide.low = oclmm_random(3, index) >> oclmm_random_below(4, index, 64);
		if (index & 1)
			wide.high = ~wide.high;
	}
	return wide;
}

TEST(arithmetic_is_that_of_paper)
{
	for (unsigned i = 0; i < VALUES; i++) {
		struct oclmm_wide a = sample(i);
		struct bits x = bits_of(a);

		assert_same(oclmm_wide_negate(a), negative(x));
		for (unsigned by = 0; by < BITS; by++) {
			assert_same(oclmm_wide_shift_left(a, by), left(x, by));
			assert_same(oclmm_wide_shift_right(a, by), right(x, by));
		}
		for (unsigned k = i % 7; k < VALUES; k += 7) {
			struct oclmm_wide b = sample(k);
			struct bits y = bits_of(b);
			int order = oclmm_wide_compare(a, b);

			assert_same(oclmm_wide_add(a, b), add(x, y));
			assert_same(oclmm_wide_subtract(a, b), add(x, negative(y)));
			assert_same(oclmm_wide_multiply(a, b), multiply(x, y));
			assert_int_equal(order < 0 ? -1 : order > 0, compare(x, y));
		}
	}
}

TEST(numbers_of_64_bits_fit)
{
	for (unsigned i = 0; i < VALUES; i++) {
		uint64_t a = sample(i).low, b = sample(i).high;
		struct bits x = bits_of(oclmm_wide_of_unsigned(a)),
			    s = bits_of(oclmm_wide_of_signed((int64_t)a));

		for (unsigned bit = 0; bit < BITS; bit++) {
			assert_int_equal(x.at[bit], bit < 64 && (a >> bit & 1));
			assert_int_equal(s.at[bit], a >> (bit < 63 ? bit : 63) & 1);
		}
		assert_same(oclmm_wide_product(a, b),
		            multiply(x, bits_of(oclmm_wide_of_unsigned(b))));
	}
}
