// SPDX-License-Identifier: Apache-2.0
/* Rows have all that there is, are as alike as they can be, and the first is the longest. */

#include "../fixture/test.h"

#include "stress/internal.h"

static void sides_are(size_t count, cl_uint dimensions, size_t x, size_t y, size_t z)
{
	size_t sides[3];

	oclmm_rows(count, dimensions, sides);
	assert_int_equal(sides[0], x);
	assert_int_equal(sides[1], y);
	assert_int_equal(sides[2], z);
}

TEST(known_rows)
{
	sides_are(64, 1, 64, 1, 1);
	sides_are(64, 2, 8, 8, 1);
	sides_are(64, 3, 4, 4, 4);
	sides_are(32, 2, 8, 4, 1);
	sides_are(32, 3, 4, 4, 2);
	sides_are(33, 2, 11, 3, 1);
	sides_are(17, 2, 17, 1, 1);
	sides_are(17, 3, 17, 1, 1);
	sides_are(2, 2, 2, 1, 1);
	sides_are(1, 3, 1, 1, 1);
}

/* By trying all: the shortest side cannot be longer. */
static size_t longest_shortest(size_t count, cl_uint dimensions)
{
	size_t best = 1;

	for (size_t side = 1; side <= count; side++) {
		size_t power = dimensions == 2 ? side * side : side * side * side;

		if (count % side == 0 && power <= count)
			best = side;
	}
	return best;
}

TEST(all_are_there)
{
	for (size_t count = 1; count < 3000; count++) {
		for (cl_uint dimensions = 1; dimensions <= 3; dimensions++) {
			size_t sides[3];

			oclmm_rows(count, dimensions, sides);
			assert_int_equal(sides[0] * sides[1] * sides[2], count);
			assert_true(sides[0] >= sides[1]);
			if (dimensions < 3)
				assert_int_equal(sides[2], 1);
			if (dimensions > 1)
				assert_int_equal(sides[dimensions - 1],
				                 longest_shortest(count, dimensions));
		}
	}
}
