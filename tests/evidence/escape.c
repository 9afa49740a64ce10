// SPDX-License-Identifier: Apache-2.0
/* The escape probability, by hand and against counting all ways to place the hits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "oclmm/evidence.h"

#include "../fixture/shows.h"

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

/* Whether the controls of a kind make the probability of escape 1 - confidence at most. */
static bool reached(const struct oclmm_evidence *evidence, enum oclmm_control_kind kind,
                    double confidence)
{
	const struct oclmm_escape escape = oclmm_evidence_escape(evidence, kind);

	return escape.controls && escape.log <= log1p(-confidence);
}

/* Five hits in blocks of one each give 3.1 %, seventeen 7.6e-6. */
static void test_blocks(void **state)
{
	const struct oclmm_launches hit[] = {{1, 0}, {1, 1}}, silent[] = {{1, 0}, {1, 0}};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *evidence = make(arena, 0);

	(void)state;
	assert_false(reached(evidence, OCLMM_CONTROL_WEAKER, 0.95));
	oclmm_evidence_add_blocks(evidence, 4, hit);
	oclmm_evidence_add_blocks(evidence, 20, silent);
	assert_false(reached(evidence, OCLMM_CONTROL_WEAKER, 0.95));
	oclmm_evidence_add_blocks(evidence, 1, hit);
	assert_true(reached(evidence, OCLMM_CONTROL_WEAKER, 0.95));
	close_to(exp(oclmm_evidence_log_escape(evidence, 0)), 1.0 / 32);
	oclmm_evidence_add_blocks(evidence, 11, hit);
	assert_false(reached(evidence, OCLMM_CONTROL_WEAKER, 0.99999));
	oclmm_evidence_add_blocks(evidence, 1, hit);
	assert_true(reached(evidence, OCLMM_CONTROL_WEAKER, 0.99999));
	/* nobody speaks for the other kind */
	assert_false(reached(evidence, OCLMM_CONTROL_MOVED, 0.5));
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
	assert_true(reached(evidence, OCLMM_CONTROL_MOVED, 0.95));
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
	assert_true(reached(evidence, OCLMM_CONTROL_WEAKER, 0.99999));
	oclmm_arena_destroy(arena);
}

static void test_detection_limit(void **state)
{
	(void)state;
	close_to(oclmm_detection_limit(0, 1), 1);
	close_to(oclmm_detection_limit(3, 1), 1);
	close_to(oclmm_detection_limit(32, 1), 3.0 / 32);
	/* that come ten at a time count as a tenth of them */
	close_to(oclmm_detection_limit(320, 10), 3.0 / 32);
	close_to(oclmm_detection_limit(20, 10), 1);
	for (uint64_t launches = 4; launches < 100000; launches *= 3) {
		double missed = pow(1 - oclmm_detection_limit(launches, 1), (double)launches);

		assert_true(missed <= 0.05);
		assert_true(launches < 30 || missed > 0.03);
	}
}

/* A test that was silent beside twenty hits of its control, and what both tell of their roles. */
static struct oclmm_evidence *make_met(struct oclmm_arena *arena, struct oclmm_meeting test,
                                       struct oclmm_meeting control)
{
	const struct oclmm_launches members[] = {{1, 0}, {1, 1}};
	struct oclmm_evidence *evidence = make(arena, 0);

	oclmm_evidence_add_blocks(evidence, 20, members);
	oclmm_evidence_add_meeting(evidence, 0, test);
	oclmm_evidence_add_meeting(evidence, 1, control);
	return evidence;
}

static void test_meeting(void **state)
{
	static const struct {
		struct oclmm_meeting test, control;
		enum oclmm_met met;
		double worth; /* of its hits */
	} cases[] = {
		{{1000, 100, 3, 0}, {1000, 100, 3, 0}, OCLMM_MET_ALIKE, 1},
		{{1000, 25, 3, 0}, {1000, 100, 3, 0}, OCLMM_MET_ALIKE, 1},
		/* less than a quarter as often: as many of the hits as its meetings would have
	           taken */
		{{1000, 24, 3, 0}, {1000, 100, 3, 0}, OCLMM_MET_SELDOM, 0.24},
		{{1000, 1, 3, 0}, {1000, 1000, 3, 0}, OCLMM_MET_SELDOM, 0.001},
		/* as often as the control did until it had shown enough, though less often */
		{{10000, 100, 3, 0}, {1000, 100, 3, 0}, OCLMM_MET_SELDOM, 1},
		{{10000, 200, 3, 0}, {1000, 100, 3, 0}, OCLMM_MET_SELDOM, 1},
		/* the control met in each instance, and the test in none */
		{{1000000, 0, 2, 0}, {1000000, 1000000, 3, 0}, OCLMM_MET_NEVER, 0},
		{{1000000, 0, 1, 0}, {0, 0, 3, 0}, OCLMM_MET_NEVER, 0},
		/* a value that a compiler took for a constant, or roles in step */
		{{1000000, 1000000, 1, 0}, {1000000, 4000, 3, 0}, OCLMM_MET_ONE_OUTCOME, 0},
		{{0, 0, 1, 0}, {0, 0, 2, 0}, OCLMM_MET_ONE_OUTCOME, 0},
		/* a value that is one, among others that are not */
		{{1000000, 400000, 2, 1}, {1000000, 400000, 3, 3}, OCLMM_MET_ONE_VALUE, 0},
		{{0, 0, 4, 5}, {0, 0, 4, 3}, OCLMM_MET_ONE_VALUE, 0},
		{{1000000, 400000, 2, 1}, {1000000, 400000, 2, 1}, OCLMM_MET_ALIKE, 1},
		/* of the control there are fewer, or nobody knows it */
		{{1000000, 400000, 3, 3}, {1000000, 400000, 3, 2}, OCLMM_MET_ALIKE, 1},
		/* what the test allows is one outcome, for both */
		{{0, 0, 1, 0}, {0, 0, 1, 0}, OCLMM_MET_UNTOLD, 1},
		{{0, 0, 3, 0}, {1000, 4, 3, 0}, OCLMM_MET_UNTOLD, 1},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		struct oclmm_evidence *evidence = make_met(arena, cases[i].test, cases[i].control);

		assert_int_equal(oclmm_evidence_met(evidence, 0), cases[i].met);
		close_to(oclmm_evidence_log_escape(evidence, 0), 20 * cases[i].worth * log(0.5));
		oclmm_arena_destroy(arena);
	}
}

/* Of parts the meetings are added up; results of older versions have none. */
static void test_meeting_of_parts(void **state)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *whole = make_met(arena, (struct oclmm_meeting){100, 0, 1, 0},
	                                        (struct oclmm_meeting){100, 10, 2, 0});
	const struct oclmm_evidence *part = make_met(arena, (struct oclmm_meeting){100, 30, 2, 0},
	                                             (struct oclmm_meeting){100, 10, 3, 0});

	(void)state;
	assert_int_equal(oclmm_evidence_extend(whole, part), 0);
	assert_int_equal(whole->meeting.rounds, 200);
	assert_int_equal(whole->meeting.met, 30);
	assert_int_equal(whole->meeting.outcomes, 2);
	assert_int_equal(oclmm_evidence_met(whole, 0), OCLMM_MET_ALIKE);
	assert_int_equal(oclmm_evidence_met(make(arena, 0), 0), OCLMM_MET_UNTOLD);
	oclmm_arena_destroy(arena);
}

static struct oclmm_evidence *make_compared(struct oclmm_arena *arena, uint64_t values,
                                            const struct oclmm_value_counts *counts)
{
	struct oclmm_evidence *evidence = make_met(arena, (struct oclmm_meeting){1000, 100, 3, 0},
	                                           (struct oclmm_meeting){1000, 100, 3, 0});

	oclmm_evidence_compare(evidence, 0, counts->blocks, values, counts, 1);
	return evidence;
}

/* Coins: 2^-10 is below one in 1,000, and with two values it takes 11 blocks. */
static void test_seldom_values(void **state)
{
	static const struct {
		struct oclmm_value_counts counts;
		uint64_t values;
		bool seldom;
		double worth;
	} cases[] = {
		{{0, 1, 100, 1000, 10, 10}, 1, true, 0},
		{{0, 1, 299, 1000, 10, 10}, 1, true, 0},
		{{0, 1, 0, 1000, 10, 10}, 1, true, 0},
		/* three tenths */
		{{0, 1, 300, 1000, 10, 10}, 1, false, 1},
		/* of two values: too few blocks to tell, and as many hits as the test's share */
		{{0, 1, 100, 1000, 10, 10}, 2, false, 0.1},
		{{0, 1, 100, 1000, 11, 11}, 2, true, 0},
		{{0, 1, 250, 1000, 3, 2}, 1, false, 0.25},
		/* in so many blocks that they could tell, and do not */
		{{0, 1, 100, 1000, 11, 10}, 2, false, 0.1},
		{{0, 1, 250, 1000, 32, 24}, 2, false, 0.25},
		/* C(20, 17) + C(20, 18) + C(20, 19) + 1 = 1351 of 1048576; C(20, 16) = 4845 */
		{{0, 1, 100, 1000, 20, 16}, 1, false, 0.1},
		{{0, 1, 100, 1000, 20, 17}, 1, false, 0.1},
		{{0, 1, 100, 1000, 20, 18}, 1, true, 0},
		{{0, 1, 100, 1000, 20, 18}, 5, false, 0.1},
		/* very many: five standard deviations */
		{{0, 1, 100, 1000, 1000000, 502500}, 1, true, 0},
		{{0, 1, 100, 1000, 1000000, 501000}, 1, false, 0.1},
		{{0, 1, 100, 1000, UINT64_C(1) << 53, UINT64_C(1) << 53}, 1, true, 0},
	};

	(void)state;
	SHOWS("makes a constant of a load in most launches of strong kernels, by the stimulus or "
	      "by chance",
	      "inconclusive");
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		struct oclmm_evidence *evidence = make_compared(arena, cases[i].values,
		                                                &cases[i].counts);

		assert_true((oclmm_evidence_seldom(evidence, 0) != NULL) == cases[i].seldom);
		assert_int_equal(oclmm_evidence_met(evidence, 0),
		                 cases[i].seldom ? OCLMM_MET_SELDOM_VALUE : OCLMM_MET_ALIKE);
		close_to(oclmm_evidence_log_escape(evidence, 0), 20 * cases[i].worth * log(0.5));
		oclmm_arena_destroy(arena);
	}
}

/* Of a value that one part does not name, its blocks tell nothing. */
static void test_seldom_values_of_parts(void **state)
{
	static const struct oclmm_value_counts first = {0, 1, 10, 1000, 8, 8},
					       second = {0, 1, 20, 1000, 9, 8},
					       other = {1, 1, 0, 500, 12, 12};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *whole = make_compared(arena, 2, &first);
	const struct oclmm_value_counts *seldom;

	(void)state;
	assert_int_equal(oclmm_evidence_extend(whole, make_compared(arena, 3, &second)), 0);
	assert_int_equal(whole->controls[0].compared, 17);
	assert_int_equal(whole->controls[0].values, 3);
	seldom = oclmm_evidence_seldom(whole, 0);
	assert_int_equal(seldom->test, 30);
	assert_int_equal(seldom->control, 2000);
	assert_int_equal(seldom->blocks, 17);
	assert_int_equal(seldom->fewer, 16);
	assert_int_equal(oclmm_evidence_extend(whole, make_compared(arena, 2, &other)), 0);
	assert_int_equal(whole->controls[0].seldom_count, 2);
	assert_int_equal(whole->controls[0].seldom[0].blocks, 29);
	assert_int_equal(whole->controls[0].seldom[1].blocks, 29);
	assert_int_equal(whole->controls[0].seldom[1].fewer, 12);
	assert_null(oclmm_evidence_seldom(whole, 0));
	whole = oclmm_evidence_create(arena, 2);
	oclmm_evidence_add_control(whole, "c", OCLMM_CONTROL_WEAKER, 0);
	oclmm_evidence_compare(whole, 0, 12, 2, &other, 1);
	oclmm_evidence_compare(whole, 0, 9, 2, &second, 1);
	oclmm_evidence_reorder(whole, (const uint32_t[]){1, 0});
	assert_int_equal(whole->controls[0].seldom[0].observable, 0);
	assert_int_equal(whole->controls[0].seldom[1].observable, 1);
	oclmm_arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_against_enumeration),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_detection_limit),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_meeting),
		cmocka_unit_test(test_meeting_of_parts),
		cmocka_unit_test(test_seldom_values),
		cmocka_unit_test(test_seldom_values_of_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
