// SPDX-License-Identifier: Apache-2.0
/* The lattice of memory orders, written out here once more. */
#include "oclmm/ir.h"

#include <string.h>

#include "../fixture/test.h"

TEST(acquire_and_release)
{
	assert_false(oclmm_order_acquires(OCLMM_ORDER_NONE));
	assert_false(oclmm_order_acquires(OCLMM_ORDER_RELAXED));
	assert_true(oclmm_order_acquires(OCLMM_ORDER_ACQUIRE));
	assert_false(oclmm_order_acquires(OCLMM_ORDER_RELEASE));
	assert_true(oclmm_order_acquires(OCLMM_ORDER_ACQ_REL));
	assert_true(oclmm_order_acquires(OCLMM_ORDER_SEQ_CST));
	assert_false(oclmm_order_releases(OCLMM_ORDER_NONE));
	assert_false(oclmm_order_releases(OCLMM_ORDER_RELAXED));
	assert_false(oclmm_order_releases(OCLMM_ORDER_ACQUIRE));
	assert_true(oclmm_order_releases(OCLMM_ORDER_RELEASE));
	assert_true(oclmm_order_releases(OCLMM_ORDER_ACQ_REL));
	assert_true(oclmm_order_releases(OCLMM_ORDER_SEQ_CST));
}

/* A column for each order: `<` where the one of the row is weaker, `=` where it is the same. */
TEST(at_most_as_strong)
{
	static const char *const rows[OCLMM_ORDER_COUNT] = {
		[OCLMM_ORDER_NONE] = "=.....",    [OCLMM_ORDER_RELAXED] = ".=<<<<",
		[OCLMM_ORDER_ACQUIRE] = "..=.<<", [OCLMM_ORDER_RELEASE] = "...=<<",
		[OCLMM_ORDER_ACQ_REL] = "....=<", [OCLMM_ORDER_SEQ_CST] = ".....=",
	};

	for (unsigned a = 0; a < OCLMM_ORDER_COUNT; a++) {
		for (unsigned b = 0; b < OCLMM_ORDER_COUNT; b++)
			assert_int_equal(oclmm_order_leq((enum oclmm_order)a, (enum oclmm_order)b),
			                 rows[a][b] != '.');
	}
}

/* Steps from relaxed up: what is stronger stands higher. */
TEST(ranks)
{
	assert_int_equal(oclmm_order_rank(OCLMM_ORDER_RELAXED), 0);
	assert_int_equal(oclmm_order_rank(OCLMM_ORDER_ACQUIRE), 1);
	assert_int_equal(oclmm_order_rank(OCLMM_ORDER_RELEASE), 1);
	assert_int_equal(oclmm_order_rank(OCLMM_ORDER_ACQ_REL), 2);
	assert_int_equal(oclmm_order_rank(OCLMM_ORDER_SEQ_CST), 3);
}

static const enum oclmm_order written[] = {OCLMM_ORDER_RELAXED, OCLMM_ORDER_ACQUIRE,
                                           OCLMM_ORDER_RELEASE, OCLMM_ORDER_ACQ_REL,
                                           OCLMM_ORDER_SEQ_CST};

static const char letters[] = "ralbs";

/* Letters for `written`, `-` for none: which it may have; what it keeps of each; and which stand
 * right below each. */
TEST(what_has_an_order)
{
	static const struct {
		const char *fit, *part, *below[5];
	} rows[OCLMM_ORDERED_COUNT] = {
		[OCLMM_ORDERED_LOAD] = {"ra--s", "raras", {"", "r", "", "", "a"}},
		[OCLMM_ORDERED_STORE] = {"r-l-s", "rrlls", {"", "", "r", "", "l"}},
		[OCLMM_ORDERED_UPDATE] = {"ralbs", "ralbs", {"", "r", "r", "al", "b"}},
		[OCLMM_ORDERED_FENCE] = {"-albs", "-albs", {"", "", "", "al", "b"}},
	};

	for (unsigned i = 0; i < OCLMM_ORDERED_COUNT; i++) {
		enum oclmm_ordered ordered = (enum oclmm_ordered)i;

		for (unsigned k = 0; k < 5; k++) {
			enum oclmm_order part = oclmm_order_part(ordered, written[k]);
			bool fits = rows[i].fit[k] != '-';
			size_t at = strcspn(letters, (char[]){rows[i].part[k], '\0'});

			assert_int_equal(oclmm_order_fits(ordered, written[k]), fits);
			assert_int_equal(part, at < 5 ? written[at] : OCLMM_ORDER_NONE);
			for (unsigned n = 0; fits && n < 5; n++)
				assert_int_equal(rows[i].fit[n] != '-' &&
				                         oclmm_order_is_below(ordered, written[n],
				                                              written[k]),
				                 strchr(rows[i].below[k], letters[n]) != NULL);
		}
	}
	assert_int_equal(oclmm_operation_ordered(OCLMM_OP_LOAD), OCLMM_ORDERED_LOAD);
	assert_int_equal(oclmm_operation_ordered(OCLMM_OP_FLAG_CLEAR), OCLMM_ORDERED_STORE);
	assert_int_equal(oclmm_operation_ordered(OCLMM_OP_CAS_WEAK), OCLMM_ORDERED_UPDATE);
}
