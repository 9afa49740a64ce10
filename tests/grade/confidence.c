// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "../fixture/record.h"

#define A OCLMM_STATUS_ALLOWED
#define F OCLMM_STATUS_FORBIDDEN

enum { MAX_RECORDS = 8 };

/* A run of up to MAX_RECORDS tests. */
struct all {
	struct made made[MAX_RECORDS];
	struct oclmm_record *records[MAX_RECORDS];
	size_t count;
};

static struct oclmm_record *add(struct all *all, const char *name, enum oclmm_status weak,
                                uint64_t seen, uint64_t instances, const char *control)
{
	struct made *made = &all->made[all->count];

	made_init(made, name, weak, (const uint64_t[]){seen, instances - seen, 0, 0});
	made->record.control = control;
	made_grade(made, NULL);
	all->records[all->count++] = &made->record;
	return &made->record;
}

static void finish(struct all *all)
{
	for (size_t i = 0; i < all->count; i++)
		made_finish(&all->made[i]);
	all->count = 0;
}

/* Judges SB+sc by a control that was seen `seen` times in `of` instances. */
static struct oclmm_control judge(uint64_t seen, uint64_t of, uint64_t silent, double confidence,
                                  enum oclmm_verdict *ret_verdict)
{
	struct all all = {0};
	struct oclmm_record *test = add(&all, "SB+sc", F, 0, silent, "SB");
	struct oclmm_control control;

	add(&all, "SB", A, seen, of, NULL);
	oclmm_grade_confidence(all.records, all.count, confidence);
	control = test->grade.control;
	*ret_verdict = test->grade.verdict;
	/* what forbids nothing needs nothing */
	assert_int_equal(all.records[1]->grade.verdict, OCLMM_VERDICT_PASS);
	assert_int_equal(all.records[1]->grade.control.confidence, OCLMM_CONFIDENCE_NOT_NEEDED);
	finish(&all);
	return control;
}

/* 3 observations give 95 %, 12 give 99.999 %: 2 and 11 do not. */
static void test_observations(void **state)
{
	static const struct {
		uint64_t seen;
		double confidence;
		enum oclmm_confidence reached;
	} cases[] = {
		{0, 0.95, OCLMM_CONFIDENCE_NEVER_SEEN},   {2, 0.95, OCLMM_CONFIDENCE_TOO_RARE},
		{3, 0.95, OCLMM_CONFIDENCE_REACHED},      {3, 0.99999, OCLMM_CONFIDENCE_TOO_RARE},
		{11, 0.99999, OCLMM_CONFIDENCE_TOO_RARE}, {12, 0.99999, OCLMM_CONFIDENCE_REACHED},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		enum oclmm_verdict verdict;
		struct oclmm_control control = judge(cases[i].seen, 1000, 1000, cases[i].confidence,
		                                     &verdict);

		assert_int_equal(control.confidence, cases[i].reached);
		assert_int_equal(verdict, cases[i].reached == OCLMM_CONFIDENCE_REACHED
		                                  ? OCLMM_VERDICT_PASS
		                                  : OCLMM_VERDICT_INCONCLUSIVE);
		assert_int_equal(control.seen, cases[i].seen);
		assert_true(fabs(control.escape - exp(-(double)cases[i].seen)) < 1e-9);
	}
}

/* What counts is the rate per instance times the instances of the test, not of the control. */
static void test_instances_scale(void **state)
{
	enum oclmm_verdict verdict;
	struct oclmm_control control = judge(1, 1000, 3000, 0.95, &verdict);

	(void)state;
	assert_int_equal(verdict, OCLMM_VERDICT_PASS);
	assert_true(fabs(control.escape - exp(-3)) < 1e-9);
	assert_true(fabs(control.rate - 1e-3) < 1e-12);
	control = judge(30, 1000, 50, 0.95, &verdict);
	assert_int_equal(verdict, OCLMM_VERDICT_INCONCLUSIVE);
	assert_true(fabs(control.escape - exp(-1.5)) < 1e-9);
	assert_true(fabs(control.per_second - 30) < 1e-9);
}

static void test_missing(void **state)
{
	struct all all = {0};
	struct oclmm_record *none = add(&all, "A", F, 0, 100, NULL),
			    *absent = add(&all, "B", F, 0, 100, "C");
	struct oclmm_record *failed;

	(void)state;
	add(&all, "D", F, 0, 100, "E");
	failed = &all.made[all.count].record;
	add(&all, "E", A, 5, 100, NULL);
	failed->end = OCLMM_END_CRASH;
	oclmm_grade_finish(&failed->grade);
	made_grade(&all.made[3], NULL);
	oclmm_grade_confidence(all.records, all.count, 0.95);
	assert_int_equal(none->grade.verdict, OCLMM_VERDICT_INCONCLUSIVE);
	assert_int_equal(none->grade.control.confidence, OCLMM_CONFIDENCE_NO_CONTROL);
	assert_int_equal(absent->grade.control.confidence, OCLMM_CONFIDENCE_NOT_RUN);
	assert_string_equal(absent->grade.control.name, "C");
	assert_true(absent->grade.control.escape == 1);
	assert_int_equal(all.records[2]->grade.control.confidence, OCLMM_CONFIDENCE_NOT_RUN);
	finish(&all);
}

/* A control that forbids something as well needs no control of its own. */
static void test_control_of_another(void **state)
{
	struct all all = {0};
	struct oclmm_record *control;

	(void)state;
	add(&all, "CoRR", F, 0, 100, "CoRR.swapped");
	control = add(&all, "CoRR.swapped", F, 0, 100, NULL);
	oclmm_grade_confidence(all.records, all.count, 0.95);
	assert_int_equal(control->grade.control.confidence, OCLMM_CONFIDENCE_CONTROL);
	assert_int_equal(control->grade.verdict, OCLMM_VERDICT_PASS);
	oclmm_grade_confidence(all.records + 1, 1, 0.95);
	assert_int_equal(control->grade.control.confidence, OCLMM_CONFIDENCE_NO_CONTROL);
	assert_int_equal(control->grade.verdict, OCLMM_VERDICT_INCONCLUSIVE);
	finish(&all);
}

/* A control that ran elsewhere or otherwise says nothing. */
static void test_same_place_only(void **state)
{
	(void)state;
	for (int what = 0; what < 5; what++) {
		struct all all = {0};
		struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");
		struct oclmm_record *control = add(&all, "SB", A, 50, 1000, NULL);

		if (what == 1)
			control->device = "another";
		else if (what == 2)
			control->driver = "1.3";
		else if (what == 3)
			control->environment = "stride=16";
		else if (what == 4)
			control->device_id = "uuid";
		oclmm_grade_confidence(all.records, all.count, 0.95);
		assert_int_equal(test->grade.control.confidence,
		                 what ? OCLMM_CONFIDENCE_NOT_RUN : OCLMM_CONFIDENCE_REACHED);
		finish(&all);
	}
}

/* A test and its control that ran in pieces are judged by the sums. */
static void test_pieces(void **state)
{
	struct all all = {0};

	(void)state;
	add(&all, "SB+sc", F, 0, 1000, "SB");
	add(&all, "SB", A, 1, 1000, NULL);
	add(&all, "SB+sc", F, 0, 2000, "SB");
	add(&all, "SB", A, 1, 1000, NULL);
	oclmm_grade_confidence(all.records, all.count, 0.95);
	for (size_t i = 0; i < all.count; i += 2) {
		assert_int_equal(all.records[i]->grade.control.seen, 2);
		assert_int_equal(all.records[i]->grade.control.instances, 2000);
		assert_true(fabs(all.records[i]->grade.control.escape - exp(-3)) < 1e-9);
		assert_int_equal(all.records[i]->grade.verdict, OCLMM_VERDICT_PASS);
	}
	finish(&all);
}

/* More records may turn an inconclusive test into a pass; a forbidden outcome stays one. */
static void test_again(void **state)
{
	struct all all = {0};
	struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");
	struct oclmm_record *bad = add(&all, "SB+bad", F, 1, 1000, "SB");

	(void)state;
	oclmm_grade_confidence(all.records, all.count, 0.95);
	assert_int_equal(test->grade.verdict, OCLMM_VERDICT_INCONCLUSIVE);
	add(&all, "SB", A, 10, 1000, NULL);
	oclmm_grade_confidence(all.records, all.count, 0.95);
	assert_int_equal(test->grade.verdict, OCLMM_VERDICT_PASS);
	assert_int_equal(bad->grade.verdict, OCLMM_VERDICT_FORBIDDEN);
	assert_int_equal(bad->grade.control.confidence, OCLMM_CONFIDENCE_NOT_JUDGED);
	finish(&all);
}

/* An outcome that the control forbids as well is no observation of what it should allow. */
static void test_control_that_fails(void **state)
{
	struct all all = {0};
	struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");

	(void)state;
	add(&all, "SB", F, 20, 1000, NULL);
	oclmm_grade_confidence(all.records, all.count, 0.95);
	assert_int_equal(test->grade.control.confidence, OCLMM_CONFIDENCE_NEVER_SEEN);
	finish(&all);
}

static void test_needs(void **state)
{
	struct all all = {0};
	struct oclmm_need *needs;
	size_t count;

	(void)state;
	add(&all, "not-run", F, 0, 1000, "nowhere"); /* 0: last */
	add(&all, "never", F, 0, 1000, "silent");    /* 1: third */
	add(&all, "dear", F, 0, 1000, "rare");       /* 2: second */
	add(&all, "cheap", F, 0, 1000, "common");    /* 3: first */
	add(&all, "none", F, 0, 1000, NULL);         /* time does not help it */
	add(&all, "silent", A, 0, 1000, NULL);
	add(&all, "rare", A, 1, 1000, NULL);
	add(&all, "common", A, 2, 1000, NULL);
	oclmm_grade_confidence(all.records, all.count, 0.95);
	count = oclmm_grade_needs(all.records, all.count, 0.95, &needs);
	assert_int_equal(count, 4);
	assert_int_equal(needs[0].record, 3);
	assert_int_equal(needs[0].control, 7);
	/* ln 20 / 0.002 = 1498 in all, in a second each thousand */
	assert_int_equal(needs[0].instances, 498);
	assert_true(fabs(needs[0].seconds - 0.498) < 1e-9);
	assert_int_equal(needs[1].record, 2);
	assert_int_equal(needs[1].instances, 1996);
	assert_int_equal(needs[2].record, 1);
	assert_int_equal(needs[2].control, 5);
	assert_int_equal(needs[2].instances, 0);
	assert_int_equal(needs[3].record, 0);
	assert_true(needs[3].control == SIZE_MAX);
	free(needs);
	finish(&all);
}

static void test_tally(void **state)
{
	struct all all = {0};
	struct oclmm_tally tally = {0};

	(void)state;
	add(&all, "SB+sc", F, 0, 1000, "SB");
	add(&all, "SB", A, 10, 1000, NULL);
	add(&all, "none", F, 0, 1000, NULL);
	oclmm_grade_confidence(all.records, all.count, 0.99);
	for (size_t i = 0; i < all.count; i++)
		oclmm_tally_add(&tally, all.records[i]);
	assert_int_equal(tally.confidences[OCLMM_CONFIDENCE_REACHED], 1);
	assert_int_equal(tally.confidences[OCLMM_CONFIDENCE_NOT_NEEDED], 1);
	assert_int_equal(tally.confidences[OCLMM_CONFIDENCE_NO_CONTROL], 1);
	assert_int_equal(oclmm_tally_exit(&tally, false), OCLMM_EXIT_PASS);
	assert_int_equal(oclmm_tally_exit(&tally, true), OCLMM_EXIT_INCONCLUSIVE);
	finish(&all);
}

/* ---- launches that were kept apart ---- */

/* Blocks of one launch each; so many of them with a hit of the weaker and of the moved control. */
static struct oclmm_evidence *blocks(struct oclmm_arena *arena, unsigned weaker, unsigned moved)
{
	static const int64_t weak[] = {0, 0};
	struct oclmm_evidence *evidence = oclmm_evidence_create(arena, 2);

	oclmm_evidence_add_control(evidence, "SB", OCLMM_CONTROL_WEAKER, 1);
	oclmm_evidence_add_control(evidence, "SB+sc~x", OCLMM_CONTROL_MOVED, 2);
	for (unsigned i = 0; i < 32; i++) {
		const struct oclmm_launches members[] = {{1, 0}, {1, i < weaker}, {1, i < moved}};

		oclmm_evidence_add_blocks(evidence, 1, members);
	}
	if (weaker + moved)
		oclmm_evidence_add_outcome(evidence, weak, weaker + moved);
	return evidence;
}

static void test_launches(void **state)
{
	static const struct {
		unsigned weaker, moved;
		double confidence;
		enum oclmm_confidence hardware, compiler;
		enum oclmm_verdict verdict;
	} cases[] = {
		{0, 0, 0.95, OCLMM_CONFIDENCE_NEVER_SEEN, OCLMM_CONFIDENCE_NEVER_SEEN,
	         OCLMM_VERDICT_INCONCLUSIVE},
		{4, 0, 0.95, OCLMM_CONFIDENCE_TOO_RARE, OCLMM_CONFIDENCE_NEVER_SEEN,
	         OCLMM_VERDICT_INCONCLUSIVE},
		{5, 0, 0.95, OCLMM_CONFIDENCE_REACHED, OCLMM_CONFIDENCE_NEVER_SEEN,
	         OCLMM_VERDICT_PASS},
		{0, 5, 0.95, OCLMM_CONFIDENCE_NEVER_SEEN, OCLMM_CONFIDENCE_REACHED,
	         OCLMM_VERDICT_PASS},
		{16, 17, 0.99999, OCLMM_CONFIDENCE_TOO_RARE, OCLMM_CONFIDENCE_REACHED,
	         OCLMM_VERDICT_PASS},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		struct all all = {0};
		struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");
		const struct oclmm_control *control = &test->grade.control;

		/* what the control showed in a run of its own says nothing any more */
		add(&all, "SB", A, 1000, 1000, NULL);
		test->evidence = blocks(arena, cases[i].weaker, cases[i].moved);
		oclmm_grade_confidence(all.records, all.count, cases[i].confidence);
		assert_int_equal(test->grade.verdict, cases[i].verdict);
		assert_true(control->by_launch);
		assert_int_equal(control->kinds[OCLMM_CONTROL_WEAKER].confidence,
		                 cases[i].hardware);
		assert_int_equal(control->kinds[OCLMM_CONTROL_MOVED].confidence, cases[i].compiler);
		assert_true(fabs(control->kinds[OCLMM_CONTROL_MOVED].escape -
		                 pow(2, -(double)cases[i].moved)) < 1e-12);
		assert_true(fabs(control->limit - 3.0 / 32) < 1e-12);
		finish(&all);
		oclmm_arena_destroy(arena);
	}
}

/* That roles never met explains silence. */
static void test_never_met(void **state)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct all all = {0};
	struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");

	(void)state;
	test->evidence = blocks(arena, 0, 0);
	oclmm_evidence_add_rounds(test->evidence, 1000, 0);
	oclmm_grade_confidence(all.records, all.count, 0.95);
	assert_int_equal(test->grade.control.confidence, OCLMM_CONFIDENCE_NEVER_MET);
	oclmm_evidence_add_rounds(test->evidence, 1000, 1);
	oclmm_grade_confidence(all.records, all.count, 0.95);
	assert_int_equal(test->grade.control.confidence, OCLMM_CONFIDENCE_NEVER_SEEN);
	finish(&all);
	oclmm_arena_destroy(arena);
}

/* Hits on an outcome that is allowed now are no hits. */
static void test_no_longer_forbidden(void **state)
{
	static const int64_t other[] = {0, 1};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct all all = {0};
	struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");

	(void)state;
	test->evidence = blocks(arena, 32, 32);
	oclmm_evidence_add_outcome(test->evidence, other, 1);
	oclmm_grade_confidence(all.records, all.count, 0.95);
	assert_int_equal(test->grade.control.confidence, OCLMM_CONFIDENCE_NOT_RUN);
	assert_int_equal(test->grade.verdict, OCLMM_VERDICT_INCONCLUSIVE);
	finish(&all);
	oclmm_arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_launches),
		cmocka_unit_test(test_never_met),
		cmocka_unit_test(test_no_longer_forbidden),
		cmocka_unit_test(test_observations),
		cmocka_unit_test(test_instances_scale),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_control_of_another),
		cmocka_unit_test(test_same_place_only),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_control_that_fails),
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_tally),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
