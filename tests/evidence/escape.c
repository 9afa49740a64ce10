// SPDX-License-Identifier: Apache-2.0
/* The escape probability, by hand and against counting all ways to place the hits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "oclmm/evidence.h"

static double escape(uint64_t t, uint64_t c, uint64_t h)
{
	return exp(oclmm_launches_log_escape((struct oclmm_launches){t, 0},
	                                     (struct oclmm_launches){c, h}));
}

static void close_to(double a, double b)
{
	if (!(fabs(a - b) <= 1e-12 * fabs(b)))
		fail_msg("%.17g is not %.17g", a, b);
}

static void test_by_hand(void **state)
{
	(void)state;
	/* one of each: a fair coin */
	close_to(escape(1, 1, 1), 0.5);
	/* 1 of 3 launches is hit, and it is one of the control's two */
	close_to(escape(1, 2, 1), 2.0 / 3);
	/* both of the control's: 1 of the 3 ways to choose two of three */
	close_to(escape(1, 2, 2), 1.0 / 3);
	/* C(3, 2) / C(5, 2) = 3 / 10 */
	close_to(escape(2, 3, 2), 0.3);
	/* pooled, 17 hits of 32: C(32, 17) / C(64, 17) = 15! 32! / ... counted with whole numbers:
	 * 565722720 / 1379370175283520 */
	close_to(escape(32, 32, 17), 565722720.0 / 1379370175283520.0);
	/* nothing hit, nothing said; nothing run, nothing said; a test that was hit did not escape
	 */
	close_to(escape(5, 5, 0), 1);
	close_to(escape(0, 5, 3), 1);
	close_to(escape(5, 0, 0), 1);
	close_to(exp(oclmm_launches_log_escape((struct oclmm_launches){4, 1},
	                                       (struct oclmm_launches){4, 4})),
	         1);
}

/* Number of subsets with `hits` of `launches` bits, and of those without the test's first bits. */
static void count_ways(unsigned launches, unsigned tests, unsigned hits, uint64_t *all,
                       uint64_t *silent)
{
	for (unsigned subset = 0; subset < 1u << launches; subset++) {
		if ((unsigned)__builtin_popcount(subset) != hits)
			continue;
		++*all;
		*silent += (subset & ((1u << tests) - 1)) == 0;
	}
}

static void test_against_enumeration(void **state)
{
	(void)state;
	for (unsigned t = 0; t <= 6; t++) {
		for (unsigned c = 0; c <= 6; c++) {
			for (unsigned h = 0; h <= c; h++) {
				uint64_t all = 0, silent = 0;

				count_ways(t + c, t, h, &all, &silent);
				close_to(escape(t, c, h), (double)silent / (double)all);
			}
		}
	}
}

static struct oclmm_evidence *make(struct oclmm_arena *arena, uint32_t moved)
{
	static const char *const names[] = {"a", "b", "c"};
	struct oclmm_evidence *evidence = oclmm_evidence_create(arena, 0);

	oclmm_evidence_add_control(evidence, "w", OCLMM_CONTROL_WEAKER, 0);
	for (uint32_t i = 0; i < moved; i++)
		oclmm_evidence_add_control(evidence, names[i], OCLMM_CONTROL_MOVED, 0);
	return evidence;
}

/* Five hits in blocks of one each give 3.1 %, seventeen 7.6e-6. */
static void test_blocks(void **state)
{
	const struct oclmm_launches hit[] = {{1, 0}, {1, 1}}, silent[] = {{1, 0}, {1, 0}};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *evidence = make(arena, 0);

	(void)state;
	assert_false(oclmm_evidence_reached(evidence, OCLMM_CONTROL_WEAKER, 0.95));
	oclmm_evidence_add_blocks(evidence, 4, hit);
	oclmm_evidence_add_blocks(evidence, 20, silent);
	assert_false(oclmm_evidence_reached(evidence, OCLMM_CONTROL_WEAKER, 0.95));
	oclmm_evidence_add_blocks(evidence, 1, hit);
	assert_true(oclmm_evidence_reached(evidence, OCLMM_CONTROL_WEAKER, 0.95));
	close_to(exp(oclmm_evidence_log_escape(evidence, 0)), 1.0 / 32);
	oclmm_evidence_add_blocks(evidence, 11, hit);
	assert_false(oclmm_evidence_reached(evidence, OCLMM_CONTROL_WEAKER, 0.99999));
	oclmm_evidence_add_blocks(evidence, 1, hit);
	assert_true(oclmm_evidence_reached(evidence, OCLMM_CONTROL_WEAKER, 0.99999));
	/* nobody speaks for the other kind */
	assert_false(oclmm_evidence_reached(evidence, OCLMM_CONTROL_MOVED, 0.5));
	assert_int_equal(oclmm_evidence_escape(evidence, OCLMM_CONTROL_MOVED).controls, 0);
	oclmm_arena_destroy(arena);
}

/* The best of three controls, times three, and never more than certain. */
static void test_several(void **state)
{
	const struct oclmm_launches members[] = {{1, 0}, {1, 0}, {1, 0}, {1, 1}, {1, 0}};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *evidence = make(arena, 3);
	struct oclmm_escape one;

	(void)state;
	oclmm_evidence_add_blocks(evidence, 1, members);
	one = oclmm_evidence_escape(evidence, OCLMM_CONTROL_MOVED);
	assert_int_equal(one.controls, 3);
	assert_int_equal(one.hit, 1);
	assert_int_equal(one.best, 2);
	close_to(exp(one.log), 1);
	oclmm_evidence_add_blocks(evidence, 5, members);
	one = oclmm_evidence_escape(evidence, OCLMM_CONTROL_MOVED);
	close_to(exp(one.log), 3.0 / 64);
	assert_true(oclmm_evidence_reached(evidence, OCLMM_CONTROL_MOVED, 0.95));
	/* the silent one of the other kind pays nothing for them and says nothing */
	one = oclmm_evidence_escape(evidence, OCLMM_CONTROL_WEAKER);
	assert_true(one.controls == 1 && one.hit == 0 && one.log == 0);
	oclmm_arena_destroy(arena);
}

/* Nothing overflows or takes long where the numbers are as large as they may be. */
static void test_extremes(void **state)
{
	const struct oclmm_launches most[] = {{OCLMM_BLOCK_LAUNCHES, 0},
	                                      {OCLMM_BLOCK_LAUNCHES, OCLMM_BLOCK_LAUNCHES}};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *evidence = make(arena, 0);
	double one;

	(void)state;
	oclmm_evidence_add_blocks(evidence, UINT64_C(1) << 41, most);
	one = oclmm_evidence_log_escape(evidence, 0);
	assert_true(isfinite(one) && one < -1e12);
	assert_true(oclmm_evidence_reached(evidence, OCLMM_CONTROL_WEAKER, 0.99999));
	oclmm_arena_destroy(arena);
}

static void test_detection_limit(void **state)
{
	(void)state;
	close_to(oclmm_detection_limit(0), 1);
	close_to(oclmm_detection_limit(3), 1);
	close_to(oclmm_detection_limit(32), 3.0 / 32);
	for (uint64_t launches = 4; launches < 100000; launches *= 3) {
		double missed = pow(1 - oclmm_detection_limit(launches), (double)launches);

		assert_true(missed <= 0.05);
		assert_true(launches < 30 || missed > 0.03);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),         cmocka_unit_test(test_against_enumeration),
		cmocka_unit_test(test_blocks),          cmocka_unit_test(test_several),
		cmocka_unit_test(test_detection_limit), cmocka_unit_test(test_extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
