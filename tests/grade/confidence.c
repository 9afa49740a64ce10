// SPDX-License-Identifier: Apache-2.0

#include "../fixture/test.h"

#include <math.h>
#include <stdlib.h>

#include "../fixture/record.h"
#include "../fixture/shows.h"

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

static void judge(const struct all *all, double confidence)
{
	const struct oclmm_demand demand = {.confidence = confidence};

	oclmm_grade_confidence(all->records, all->count, &demand);
}

/* ---- launches that were not kept apart ---- */

/* However often a control was seen: all of it is one launch, and a fair coin. */
TEST(test_one_launch)
{
	static const struct {
		uint64_t seen;
		double confidence;
		enum oclmm_confidence hardware;
	} cases[] = {
		{0, 0.95, OCLMM_CONFIDENCE_NEVER_SEEN},
		{3, 0.95, OCLMM_CONFIDENCE_TOO_RARE},
		{900, 0.95, OCLMM_CONFIDENCE_TOO_RARE},
		{1, 0.5, OCLMM_CONFIDENCE_REACHED},
	};

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct all all = {0};
		struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000000, "SB");
		const struct oclmm_control *control = &test->grade.control;

		add(&all, "SB", A, cases[i].seen, 1000, NULL);
		test->counts.launches = 900;
		oclmm_grade_confidence(all.records, all.count,
		                       &(const struct oclmm_demand){
					       .confidence = cases[i].confidence});
		assert_int_equal(control->confidence, cases[i].hardware);
		assert_int_equal(control->kinds[OCLMM_CONTROL_WEAKER].confidence,
		                 cases[i].hardware);
		assert_int_equal(control->kinds[OCLMM_CONTROL_MOVED].confidence,
		                 OCLMM_CONFIDENCE_NO_CONTROL);
		assert_int_equal(test->grade.verdict, cases[i].hardware == OCLMM_CONFIDENCE_REACHED
		                                              ? OCLMM_VERDICT_PASS
		                                              : OCLMM_VERDICT_INCONCLUSIVE);
		assert_true(control->together);
		assert_true(fabs(control->escape - (cases[i].seen ? 0.5 : 1)) < 1e-9);
		assert_true(control->limit == 1);
		assert_int_equal(control->seen, cases[i].seen);
		assert_int_equal(control->instances, 1000);
		/* what forbids nothing needs nothing */
		assert_int_equal(all.records[1]->grade.verdict, OCLMM_VERDICT_PASS);
		assert_int_equal(all.records[1]->grade.control.confidence,
		                 OCLMM_CONFIDENCE_NOT_NEEDED);
		finish(&all);
	}
}

TEST(test_missing)
{
	struct all all = {0};
	struct oclmm_record *none = add(&all, "A", F, 0, 100, NULL),
			    *absent = add(&all, "B", F, 0, 100, "C");
	struct oclmm_record *failed;

	add(&all, "D", F, 0, 100, "E");
	failed = &all.made[all.count].record;
	add(&all, "E", A, 5, 100, NULL);
	failed->end = OCLMM_END_CRASH;
	oclmm_grade_finish(&failed->grade);
	made_grade(&all.made[3], NULL);
	judge(&all, 0.95);
	assert_int_equal(none->grade.verdict, OCLMM_VERDICT_INCONCLUSIVE);
	assert_int_equal(none->grade.control.confidence, OCLMM_CONFIDENCE_NO_CONTROL);
	assert_int_equal(absent->grade.control.confidence, OCLMM_CONFIDENCE_NOT_RUN);
	assert_string_equal(absent->grade.control.name, "C");
	assert_true(absent->grade.control.escape == 1);
	assert_int_equal(all.records[2]->grade.control.confidence, OCLMM_CONFIDENCE_NOT_RUN);
	finish(&all);
}

/* A control that forbids something as well needs no control of its own. */
TEST(test_control_of_another)
{
	struct all all = {0};
	const struct oclmm_demand demand = {.confidence = 0.95};
	struct oclmm_record *control;

	add(&all, "CoRR", F, 0, 100, "CoRR.swapped");
	control = add(&all, "CoRR.swapped", F, 0, 100, NULL);
	judge(&all, 0.95);
	assert_int_equal(control->grade.control.confidence, OCLMM_CONFIDENCE_CONTROL);
	assert_int_equal(control->grade.verdict, OCLMM_VERDICT_PASS);
	oclmm_grade_confidence(all.records + 1, 1, &demand);
	assert_int_equal(control->grade.control.confidence, OCLMM_CONFIDENCE_NO_CONTROL);
	assert_int_equal(control->grade.verdict, OCLMM_VERDICT_INCONCLUSIVE);
	finish(&all);
}

/* A control that ran elsewhere or otherwise says nothing. */
TEST(test_same_place_only)
{
	for (int what = 0; what < 5; what++) {
		struct all all = {0};
		struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");
		struct oclmm_record *control = add(&all, "SB", A, 50, 1000, NULL);

		if (what == 1)
			control->identity.device = "another";
		else if (what == 2)
			control->identity.driver = "1.3";
		else if (what == 3)
			control->environment = "stride=16";
		else if (what == 4)
			control->identity.device_id = "uuid";
		judge(&all, 0.95);
		assert_int_equal(test->grade.control.confidence,
		                 what ? OCLMM_CONFIDENCE_NOT_RUN : OCLMM_CONFIDENCE_TOO_RARE);
		finish(&all);
	}
}

/* Pieces of a control are summed up, and still no launches. */
TEST(test_pieces)
{
	struct all all = {0};

	add(&all, "SB+sc", F, 0, 1000, "SB");
	add(&all, "SB", A, 1, 1000, NULL);
	add(&all, "SB+sc", F, 0, 2000, "SB");
	add(&all, "SB", A, 1, 1000, NULL);
	judge(&all, 0.95);
	for (size_t i = 0; i < all.count; i += 2) {
		assert_int_equal(all.records[i]->grade.control.seen, 2);
		assert_int_equal(all.records[i]->grade.control.instances, 2000);
		assert_true(fabs(all.records[i]->grade.control.escape - 0.5) < 1e-9);
		assert_int_equal(all.records[i]->grade.verdict, OCLMM_VERDICT_INCONCLUSIVE);
	}
	finish(&all);
}

/* An outcome that the control forbids as well is no observation of what it should allow. */
TEST(test_control_that_fails)
{
	struct all all = {0};
	struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");

	add(&all, "SB", F, 20, 1000, NULL);
	judge(&all, 0.95);
	assert_int_equal(test->grade.control.confidence, OCLMM_CONFIDENCE_NEVER_SEEN);
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

TEST(test_launches)
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
		/* either kind may speak, so each has half of the level: five hits are 6.2 % */
		{5, 0, 0.95, OCLMM_CONFIDENCE_TOO_RARE, OCLMM_CONFIDENCE_NEVER_SEEN,
	         OCLMM_VERDICT_INCONCLUSIVE},
		{6, 0, 0.95, OCLMM_CONFIDENCE_REACHED, OCLMM_CONFIDENCE_NEVER_SEEN,
	         OCLMM_VERDICT_PASS},
		{0, 6, 0.95, OCLMM_CONFIDENCE_NEVER_SEEN, OCLMM_CONFIDENCE_REACHED,
	         OCLMM_VERDICT_PASS},
		{17, 18, 0.99999, OCLMM_CONFIDENCE_TOO_RARE, OCLMM_CONFIDENCE_REACHED,
	         OCLMM_VERDICT_PASS},
	};

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		struct all all = {0};
		struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");
		const struct oclmm_control *control = &test->grade.control;

		/* what the control showed in a run of its own says nothing any more */
		add(&all, "SB", A, 1000, 1000, NULL);
		test->evidence = blocks(arena, cases[i].weaker, cases[i].moved);
		oclmm_grade_confidence(all.records, all.count,
		                       &(const struct oclmm_demand){
					       .confidence = cases[i].confidence});
		assert_int_equal(test->grade.verdict, cases[i].verdict);
		assert_false(control->together);
		assert_int_equal(control->kinds[OCLMM_CONTROL_WEAKER].confidence,
		                 cases[i].hardware);
		assert_int_equal(control->kinds[OCLMM_CONTROL_MOVED].confidence, cases[i].compiler);
		assert_true(fabs(control->kinds[OCLMM_CONTROL_MOVED].escape -
		                 fmin(1, pow(2, 1 - (double)cases[i].moved))) < 1e-12);
		/* hits that stand in one place are not those of independent launches */
		assert_true(control->dispersion == 1 || cases[i].moved >= 10);
		assert_true(fabs(control->limit - fmin(1, control->dispersion * 3.0 / 32)) < 1e-12);
		finish(&all);
		oclmm_arena_destroy(arena);
	}
}

/* What is demanded decides, whatever the other kind says. */
TEST(test_required)
{
	static const struct {
		unsigned weaker, moved;
		enum oclmm_requirement kinds;
		enum oclmm_confidence confidence;
		const char *name;
	} cases[] = {
		{0, 6, OCLMM_REQUIRE_ANY, OCLMM_CONFIDENCE_REACHED, "SB+sc~x"},
		{6, 0, OCLMM_REQUIRE_ANY, OCLMM_CONFIDENCE_REACHED, "SB"},
		{5, 5, OCLMM_REQUIRE_ANY, OCLMM_CONFIDENCE_TOO_RARE, "SB"},
		{7, 6, OCLMM_REQUIRE_ANY, OCLMM_CONFIDENCE_REACHED, "SB"},
		{0, 5, OCLMM_REQUIRE_HARDWARE, OCLMM_CONFIDENCE_NEVER_SEEN, "SB"},
		{5, 0, OCLMM_REQUIRE_HARDWARE, OCLMM_CONFIDENCE_REACHED, "SB"},
		{17, 4, OCLMM_REQUIRE_COMPILER, OCLMM_CONFIDENCE_TOO_RARE, "SB+sc~x"},
		{4, 5, OCLMM_REQUIRE_COMPILER, OCLMM_CONFIDENCE_REACHED, "SB+sc~x"},
		{17, 4, OCLMM_REQUIRE_BOTH, OCLMM_CONFIDENCE_TOO_RARE, "SB+sc~x"},
		{0, 17, OCLMM_REQUIRE_BOTH, OCLMM_CONFIDENCE_NEVER_SEEN, "SB"},
		{5, 6, OCLMM_REQUIRE_BOTH, OCLMM_CONFIDENCE_REACHED, "SB"},
	};

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		const struct oclmm_demand demand = {.confidence = 0.95, .kinds = cases[i].kinds};
		struct oclmm_arena *arena = oclmm_arena_create();
		struct all all = {0};
		struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");
		bool reached = cases[i].confidence == OCLMM_CONFIDENCE_REACHED;

		test->evidence = blocks(arena, cases[i].weaker, cases[i].moved);
		oclmm_grade_confidence(all.records, all.count, &demand);
		assert_int_equal(test->grade.control.confidence, cases[i].confidence);
		assert_string_equal(test->grade.control.name, cases[i].name);
		assert_int_equal(test->grade.verdict,
		                 reached ? OCLMM_VERDICT_PASS : OCLMM_VERDICT_INCONCLUSIVE);
		finish(&all);
		oclmm_arena_destroy(arena);
	}
}

/* That roles never met explains silence. */
TEST(test_never_met)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct all all = {0};
	struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB"),
			    *other = add(&all, "SB+other", F, 0, 1000, "SB");

	SHOWS("makes all outcomes serial, in tests and controls", "inconclusive: never met");
	test->evidence = blocks(arena, 0, 0);
	oclmm_evidence_add_rounds(test->evidence, 1000, 0);
	judge(&all, 0.95);
	assert_int_equal(test->grade.control.confidence, OCLMM_CONFIDENCE_NEVER_MET);
	other->evidence = blocks(arena, 0, 4);
	oclmm_evidence_add_rounds(other->evidence, 1000, 0);
	judge(&all, 0.95);
	assert_int_equal(other->grade.control.kinds[OCLMM_CONTROL_WEAKER].confidence,
	                 OCLMM_CONFIDENCE_NEVER_SEEN);
	oclmm_evidence_add_rounds(test->evidence, 1000, 1);
	judge(&all, 0.95);
	assert_int_equal(test->grade.control.confidence, OCLMM_CONFIDENCE_NEVER_SEEN);
	finish(&all);
	oclmm_arena_destroy(arena);
}

/* Hits on an outcome that is allowed now are no hits. */
TEST(test_no_longer_forbidden)
{
	static const int64_t other[] = {0, 1};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct all all = {0};
	struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");

	test->evidence = blocks(arena, 32, 32);
	oclmm_evidence_add_outcome(test->evidence, other, 1);
	judge(&all, 0.95);
	assert_int_equal(test->grade.control.confidence, OCLMM_CONFIDENCE_NOT_RUN);
	assert_true(test->grade.control.together);
	assert_int_equal(test->grade.verdict, OCLMM_VERDICT_INCONCLUSIVE);
	finish(&all);
	oclmm_arena_destroy(arena);
}

/* Nor are hits of a test that showed nothing forbidden, whatever was thought of them then. */
TEST(test_hits_of_the_test)
{
	static const uint64_t instances[] = {10, 10, 10};
	static const struct oclmm_launches hit[] = {{1, 1}, {1, 0}, {1, 0}};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct all all = {0};
	struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");

	test->evidence = blocks(arena, 32, 32);
	judge(&all, 0.95);
	assert_int_equal(test->grade.verdict, OCLMM_VERDICT_PASS);
	assert_int_equal(oclmm_evidence_add_sized_blocks(test->evidence, 1, hit, instances), 0);
	judge(&all, 0.95);
	assert_true(test->grade.control.together);
	assert_int_equal(test->grade.verdict, OCLMM_VERDICT_INCONCLUSIVE);
	finish(&all);
	oclmm_arena_destroy(arena);
}

/* More launches may turn an inconclusive test into a pass; a forbidden outcome stays one. */
TEST(test_again)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct all all = {0};
	struct oclmm_record *test = add(&all, "SB+sc", F, 0, 1000, "SB");
	struct oclmm_record *bad = add(&all, "SB+bad", F, 1, 1000, "SB");

	test->evidence = blocks(arena, 3, 0);
	judge(&all, 0.95);
	assert_int_equal(test->grade.verdict, OCLMM_VERDICT_INCONCLUSIVE);
	oclmm_evidence_extend(test->evidence, blocks(arena, 3, 0));
	judge(&all, 0.95);
	assert_int_equal(test->grade.verdict, OCLMM_VERDICT_PASS);
	assert_int_equal(bad->grade.verdict, OCLMM_VERDICT_FORBIDDEN);
	assert_int_equal(bad->grade.control.confidence, OCLMM_CONFIDENCE_NOT_JUDGED);
	finish(&all);
	oclmm_arena_destroy(arena);
}

/* More launches help those that ran beside their controls, first those that lack least. */
TEST(test_needs)
{
	static const unsigned hits[] = {0, 3, 5, 6};
	static const char *const names[] = {"never", "dear", "cheap", "enough"};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct all all = {0};
	const struct oclmm_demand demand = {.confidence = 0.95};
	struct oclmm_need *needs;
	double missing;

	for (size_t i = 0; i < OCLMM_COUNT(hits); i++)
		add(&all, names[i], F, 0, 1000, "SB")->evidence = blocks(arena, hits[i], 0);
	add(&all, "together", F, 0, 1000, "SB");
	add(&all, "SB", A, 100, 1000, NULL);
	add(&all, "cheap", F, 0, 1000, "SB")->evidence = blocks(arena, 5, 0);
	judge(&all, 0.95);
	assert_int_equal(oclmm_grade_needs(all.records, all.count, &demand, &needs), 3);
	/* twice 2^-5 after 1000 instances, a second each thousand: 5 % after ln 20 / ln 16 as many
	 */
	missing = 1000 * (log(20) / log(16) - 1);
	assert_int_equal(needs[0].record, 2);
	assert_int_equal(needs[0].instances, (uint64_t)ceil(missing));
	assert_true(fabs(needs[0].seconds - ceil(missing) / 1000) < 1e-9);
	assert_int_equal(needs[1].record, 1);
	assert_int_equal(needs[1].instances, (uint64_t)ceil(1000 * (log(20) / log(4) - 1)));
	assert_int_equal(needs[2].record, 0);
	assert_int_equal(needs[2].instances, 0);
	assert_true(isinf(needs[2].seconds));
	free(needs);
	finish(&all);
	oclmm_arena_destroy(arena);
}

/* Levels are counted by the smaller probability, kinds each for itself. */
TEST(test_tally)
{
	static const unsigned weaker[] = {18, 6, 0, 18}, moved[] = {0, 18, 5, 7};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_tally tally = {0};
	struct all all = {0};

	for (size_t i = 0; i < OCLMM_COUNT(weaker); i++)
		add(&all, "SB+sc", F, 0, 1000, "SB")->evidence = blocks(arena, weaker[i], moved[i]);
	add(&all, "SB", A, 10, 1000, NULL);
	add(&all, "none", F, 0, 1000, NULL);
	judge(&all, 0.9);
	for (size_t i = 0; i < all.count; i++)
		oclmm_tally_add(&tally, all.records[i]);
	assert_int_equal(tally.confidences[OCLMM_CONFIDENCE_REACHED], 4);
	assert_int_equal(tally.confidences[OCLMM_CONFIDENCE_NOT_NEEDED], 1);
	assert_int_equal(tally.confidences[OCLMM_CONFIDENCE_NO_CONTROL], 1);
	assert_int_equal(tally.reached[OCLMM_CONTROL_WEAKER], 3);
	assert_int_equal(tally.reached[OCLMM_CONTROL_MOVED], 3);
	/* twice 2^-5 is more than 5 % */
	assert_int_equal(tally.likely, 3);
	assert_int_equal(tally.certain, 3);
	assert_int_equal(tally.judged, 4);
	assert_int_equal(oclmm_tally_exit(&tally, false), OCLMM_EXIT_PASS);
	assert_int_equal(oclmm_tally_exit(&tally, true), OCLMM_EXIT_INCONCLUSIVE);
	finish(&all);
	oclmm_arena_destroy(arena);
}

/* Where no test that can fail has confidence the run is inconclusive, strict or not. */
TEST(test_nothing_proven)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_tally tally = {0};
	struct all all = {0};

	for (size_t i = 0; i < 4; i++)
		add(&all, "SB+sc", F, 0, 1000, "SB")->evidence = blocks(arena, 0, (unsigned)i);
	add(&all, "SB", A, 10, 1000, NULL);
	judge(&all, 0.95);
	for (size_t i = 0; i < all.count; i++)
		oclmm_tally_add(&tally, all.records[i]);
	assert_int_equal(tally.confidences[OCLMM_CONFIDENCE_REACHED], 0);
	assert_int_equal(oclmm_tally_exit(&tally, false), OCLMM_EXIT_INCONCLUSIVE);
	assert_int_equal(oclmm_tally_exit(&tally, true), OCLMM_EXIT_INCONCLUSIVE);
	finish(&all);
	oclmm_arena_destroy(arena);
}

/* Evidence of a test beside one control that was hit in each of 20 launches. */
static struct oclmm_evidence *met(struct oclmm_arena *arena, struct oclmm_meeting test,
                                  struct oclmm_meeting control)
{
	const struct oclmm_launches members[] = {{test.met || !test.rounds, 0}, {1, 1}};
	struct oclmm_evidence *evidence = oclmm_evidence_create(arena, 2);
	int64_t values[2] = {0, 0};

	oclmm_evidence_add_control(evidence, "SB", OCLMM_CONTROL_WEAKER, 0);
	oclmm_evidence_add_sized_blocks(evidence, 20, members, NULL);
	oclmm_evidence_add_outcome(evidence, values, 20);
	oclmm_evidence_add_meeting(evidence, 0, test);
	oclmm_evidence_add_meeting(evidence, 1, control);
	return evidence;
}

/*
 * A test that did not meet is never met, whatever its control showed; one that shows a single
 * outcome where its control shows several, and one that met too seldom, have no confidence either.
 * Of those that did not meet no limit is given.
 */
TEST(test_own_meeting)
{
	static const struct {
		struct oclmm_meeting test, control;
		enum oclmm_confidence confidence;
		bool limit;
	} cases[] = {
		{{1000, 10, 3, 0}, {1000, 10, 3, 0}, OCLMM_CONFIDENCE_REACHED, true},
		{{1000, 0, 2, 0}, {1000, 1000, 3, 0}, OCLMM_CONFIDENCE_NEVER_MET, false},
		{{1000, 1000, 1, 0}, {1000, 10, 3, 0}, OCLMM_CONFIDENCE_ONE_OUTCOME, false},
		{{1000, 500, 2, 1}, {1000, 10, 3, 3}, OCLMM_CONFIDENCE_ONE_VALUE, false},
		{{1000, 1, 3, 0}, {1000, 100, 3, 0}, OCLMM_CONFIDENCE_MET_SELDOM, true},
		{{0, 0, 1, 0}, {0, 0, 1, 0}, OCLMM_CONFIDENCE_REACHED, true},
	};

	SHOWS("runs tests with strong orders on one core, one role after the other",
	      "inconclusive: never met");
	SHOWS("folds loads of strong orders to a constant", "inconclusive: one outcome");
	SHOWS("makes a constant of one load of a strong order, where other values still look as "
	      "if roles had met",
	      "inconclusive: one value");
	SHOWS("lets a test meet far less often than its control", "inconclusive: met seldom");
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		struct oclmm_record *record;
		struct all all = {0};

		record = add(&all, "SB+sc", F, 0, 1000, "SB");
		record->evidence = met(arena, cases[i].test, cases[i].control);
		judge(&all, 0.95);
		assert_int_equal(record->grade.control.confidence, cases[i].confidence);
		assert_int_equal(record->grade.verdict,
		                 cases[i].confidence == OCLMM_CONFIDENCE_REACHED
		                         ? OCLMM_VERDICT_PASS
		                         : OCLMM_VERDICT_INCONCLUSIVE);
		assert_true((record->grade.control.limit < 1) == cases[i].limit);
		finish(&all);
		oclmm_arena_destroy(arena);
	}
}

/* A value that the test showed clearly less often than its weaker control: it is no proof, and no
 * limit is given, though a moved control, with the test's orders, showed it as seldom. */
TEST(test_seldom_value)
{
	static const struct oclmm_value_counts hidden = {0, 0, 500, 8000, 16, 16};
	static const struct oclmm_launches members[] = {{1, 0}, {1, 1}, {1, 1}};
	static const int64_t values[] = {0, 0};
	const struct oclmm_meeting meeting = {1000, 10, 3, 0};

	SHOWS("makes a constant of a load in most work-items of strong kernels, and not in all",
	      "inconclusive: seldom value");
	for (int compared = 0; compared < 2; compared++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		struct oclmm_evidence *evidence = oclmm_evidence_create(arena, 2);
		struct oclmm_record *record;
		struct all all = {0};

		oclmm_evidence_add_control(evidence, "SB", OCLMM_CONTROL_WEAKER, 0);
		oclmm_evidence_add_control(evidence, "SB~moved", OCLMM_CONTROL_MOVED, 0);
		oclmm_evidence_add_sized_blocks(evidence, 20, members, NULL);
		oclmm_evidence_add_outcome(evidence, values, 40);
		for (size_t i = 0; i < 3; i++)
			oclmm_evidence_add_meeting(evidence, i, meeting);
		record = add(&all, "SB+sc", F, 0, 1000, "SB");
		record->evidence = evidence;
		oclmm_evidence_compare(evidence, 0, 16, 4, &hidden, (size_t)compared);
		judge(&all, 0.95);
		assert_int_equal(record->grade.control.confidence,
		                 compared ? OCLMM_CONFIDENCE_SELDOM_VALUE
		                          : OCLMM_CONFIDENCE_REACHED);
		assert_int_equal(record->grade.verdict,
		                 compared ? OCLMM_VERDICT_INCONCLUSIVE : OCLMM_VERDICT_PASS);
		assert_true((record->grade.control.limit < 1) == !compared);
		finish(&all);
		oclmm_arena_destroy(arena);
	}
}

/*
 * Waits that keep an old value in far more launches than those with loads that cannot be folded are
 * stuck, whatever else the test shows and forbids; a few launches, or both alike, are not.
 */
TEST(test_stuck)
{
	static const struct {
		struct oclmm_wait_launches own, opaque;
		bool stuck;
	} cases[] = {
		{{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, false},
		{{20, 20, 20, 0, 400}, {20, 2, 2, 400, 30}, true},
		{{8, 8, 8, 0, 400}, {8, 0, 0, 400, 0}, true},  /* 1 of 12,870 */
		{{7, 7, 7, 0, 400}, {7, 0, 0, 400, 0}, false}, /* 1 of 3,432 */
		/* nothing to hold it against */
		{{20, 20, 20, 0, 400}, {0, 0, 0, 0, 0}, false},
		/* the device is like that */
		{{40, 40, 40, 0, 400}, {40, 40, 40, 0, 400}, false},
		/* more, and not far more */
		{{900, 300, 300, 900, 400}, {900, 150, 150, 900, 400}, false},
		{{20, 2, 2, 400, 30}, {20, 20, 20, 0, 400}, false},
		{{1000, 1000, 1000, 0, 9000}, {1000, 0, 0, 9000, 0}, true},
		/* in some of a launch's work-items: 1 of 184,756, 1 of 48,620 */
		{{10, 0, 10, 900, 90}, {10, 0, 0, 900, 0}, true},
		{{9, 0, 9, 900, 90}, {9, 0, 0, 900, 0}, false},
		{{40, 4, 40, 3600, 360}, {40, 1, 9, 3600, 30}, true},
		{{40, 4, 40, 3600, 360}, {40, 1, 11, 3600, 30}, false},
		{{40, 4, 20, 3600, 360}, {40, 4, 20, 3600, 360}, false},
	};

	SHOWS("reads a polled location once, and keeps what it saw", "inconclusive: stuck");
	SHOWS("the same in some of the work-items", "inconclusive: stuck");
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		for (int forbids = 0; forbids < 2; forbids++) {
			struct oclmm_arena *arena = oclmm_arena_create();
			struct oclmm_demand demand = {.confidence = 0.95, .stuck_fails = true};
			struct oclmm_record *record;
			struct oclmm_tally tally = {0};
			struct all all = {0};

			record = add(&all, "SB+sc", forbids ? F : OCLMM_STATUS_ALLOWED, 0, 1000,
			             "SB");
			record->support = OCLMM_CLASS_CLAIMED;
			record->grade.gates = true;
			record->counts.waits = (struct oclmm_waits){cases[i].own, cases[i].opaque};
			record->evidence = met(arena, (struct oclmm_meeting){1000, 10, 3, 0},
			                       (struct oclmm_meeting){1000, 10, 3, 0});
			oclmm_grade_confidence(all.records, all.count, &demand);
			assert_true(record->grade.control.stuck == cases[i].stuck);
			assert_true((record->grade.control.confidence == OCLMM_CONFIDENCE_STUCK) ==
			            cases[i].stuck);
			assert_int_equal(record->grade.verdict, cases[i].stuck
			                                                ? OCLMM_VERDICT_INCONCLUSIVE
			                                                : OCLMM_VERDICT_PASS);
			/* a test with confidence beside it makes no pass of that */
			oclmm_tally_add(&tally, record);
			tally.gating_reached += cases[i].stuck;
			tally.gating_reached += !forbids;
			assert_int_equal(oclmm_tally_exit(&tally, false), cases[i].stuck ? 1 : 0);
			record->grade.control.stuck_fails = false;
			tally = (struct oclmm_tally){.gating_reached = 1};
			oclmm_tally_add(&tally, record);
			assert_int_equal(oclmm_tally_exit(&tally, false), cases[i].stuck ? 3 : 0);
			finish(&all);
			oclmm_arena_destroy(arena);
		}
	}
}
