// SPDX-License-Identifier: Apache-2.0

#include "../fixture/test.h"

#include <string.h>

#include "../fixture/sb.h"
#include "oclmm/grade.h"

#define A OCLMM_STATUS_ALLOWED
#define F OCLMM_STATUS_FORBIDDEN
#define D OCLMM_STATUS_DISPUTED

/* A record with the counts of the outcomes 00, 01, 10, 11, and what it borrows from. */
struct run {
	struct sb sb;
	struct oclmm_expected_file *file;
	struct oclmm_record record;
};

static void make(struct run *run, enum oclmm_quantifier quantifier, enum oclmm_status weak,
                 const uint64_t counts[4])
{
	const enum oclmm_status statuses[] = {weak, A, A, A};

	*run = (struct run){0};
	sb_init(&run->sb, "SB", quantifier, statuses);
	run->file = oclmm_expected_create("x");
	run->record = (struct oclmm_record){
		.program = &run->sb.program,
		.support = OCLMM_CLASS_CLAIMED,
		.counts.histogram = oclmm_histogram_create(2),
	};
	for (int i = 0; i < 4; i++) {
		if (counts[i])
			oclmm_histogram_add(run->record.counts.histogram, run->sb.values[i],
			                    counts[i]);
		run->record.counts.instances += counts[i];
	}
}

static void judge(struct run *run, bool claims_accepted)
{
	const struct oclmm_grade_options options = {.claims_accepted = claims_accepted};

	assert_int_equal(oclmm_expected_add(run->file, &run->sb.answer, OCLMM_MODEL_CONSENSUS), 0);
	run->record.expected = oclmm_expected_at(run->file, 0);
	oclmm_grade(&run->record, &options);
}

static void finish(struct run *run)
{
	oclmm_grade_finish(&run->record.grade);
	oclmm_histogram_destroy(run->record.counts.histogram);
	oclmm_expected_destroy(run->file);
}

/* Rows that one arena holds for all records stay when a grade is finished. */
TEST(test_rows_of_a_shared_arena)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	const struct oclmm_grade_options options = {.arena = arena};
	const struct oclmm_graded_row *rows;
	struct run run;

	make(&run, OCLMM_QUANTIFIER_EXISTS, A, (const uint64_t[]){0, 40, 60, 0});
	assert_int_equal(oclmm_expected_add(run.file, &run.sb.answer, OCLMM_MODEL_CONSENSUS), 0);
	run.record.expected = oclmm_expected_at(run.file, 0);
	oclmm_grade(&run.record, &options);
	assert_null(run.record.grade.arena);
	assert_int_equal(run.record.grade.row_count, 4);
	rows = run.record.grade.rows;
	finish(&run);
	assert_int_equal(rows[2].count, 60);
	assert_memory_equal(rows[2].values, run.sb.values[2], sizeof(run.sb.values[2]));
	oclmm_arena_destroy(arena);
}

TEST(test_pass_lists_the_unseen)
{
	struct run run;
	const struct oclmm_grade *grade = &run.record.grade;

	make(&run, OCLMM_QUANTIFIER_EXISTS, A, (const uint64_t[]){0, 40, 60, 0});
	judge(&run, false);
	assert_int_equal(grade->verdict, OCLMM_VERDICT_PASS);
	assert_true(grade->gates);
	assert_int_equal(grade->row_count, 4);
	assert_int_equal(grade->seen_count, 2);
	assert_int_equal(grade->rows[0].count, 0);
	assert_true(grade->rows[0].witness);
	assert_int_equal(grade->rows[2].count, 60);
	assert_memory_equal(grade->rows[2].values, run.sb.values[2], sizeof(run.sb.values[2]));
	assert_int_equal(grade->weak, 0);
	finish(&run);
}

TEST(test_weak_is_counted)
{
	struct run run;

	make(&run, OCLMM_QUANTIFIER_EXISTS, A, (const uint64_t[]){7, 40, 53, 0});
	judge(&run, false);
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_PASS);
	assert_int_equal(run.record.grade.weak, 7);
	assert_int_equal(run.record.grade.holds, 7);
	assert_int_equal(run.record.grade.fails, 93);
	finish(&run);
}

TEST(test_one_forbidden_is_enough)
{
	struct run run;

	make(&run, OCLMM_QUANTIFIER_EXISTS, F, (const uint64_t[]){1, 400, 500, 99});
	judge(&run, false);
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_FORBIDDEN);
	assert_int_equal(run.record.grade.forbidden, 1);
	assert_int_equal(run.record.grade.weak, 0);
	assert_int_equal(run.record.grade.row_count, 4);
	assert_int_equal(run.record.grade.rows[0].status, F);
	finish(&run);
}

TEST(test_value_from_nowhere)
{
	struct run run;

	make(&run, OCLMM_QUANTIFIER_EXISTS, A, (const uint64_t[]){1, 1, 1, 1});
	oclmm_histogram_add(run.record.counts.histogram, (int64_t[]){0, 42}, 1);
	run.record.counts.instances++;
	judge(&run, false);
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_FORBIDDEN);
	assert_int_equal(run.record.grade.row_count, 5);
	assert_int_equal(run.record.grade.rows[2].values[1], 42);
	finish(&run);
}

TEST(test_disputed)
{
	struct run run;

	make(&run, OCLMM_QUANTIFIER_EXISTS, D, (const uint64_t[]){3, 1, 1, 1});
	judge(&run, false);
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_DISPUTED);
	assert_int_equal(run.record.grade.disputed, 3);
	assert_int_equal(run.record.grade.deciding, 1u << OCLMM_KNOB_K1 | 1u << OCLMM_KNOB_K8);
	finish(&run);

	make(&run, OCLMM_QUANTIFIER_EXISTS, D, (const uint64_t[]){0, 1, 1, 1});
	judge(&run, false);
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_PASS);
	assert_int_equal(run.record.grade.deciding, 0);
	finish(&run);
}

TEST(test_undefined_is_not_judged)
{
	struct run run;

	make(&run, OCLMM_QUANTIFIER_EXISTS, A, (const uint64_t[]){1, 1, 1, 1});
	sb_make_racy(&run.sb);
	oclmm_histogram_add(run.record.counts.histogram, (int64_t[]){77, 42}, 1);
	run.record.counts.instances++;
	judge(&run, false);
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_UNDEFINED);
	assert_int_equal(run.record.grade.row_count, 5);
	assert_int_equal(run.record.grade.forbidden, 0);
	finish(&run);
}

TEST(test_quantifiers)
{
	struct run run;

	/* ~exists: the weak row is what litmus7 stars, though it is the counter-example */
	make(&run, OCLMM_QUANTIFIER_NOT_EXISTS, A, (const uint64_t[]){5, 1, 1, 1});
	judge(&run, false);
	assert_int_equal(run.record.grade.weak, 5);
	finish(&run);
	/* forall: the rows that break it */
	make(&run, OCLMM_QUANTIFIER_FORALL, A, (const uint64_t[]){5, 1, 1, 1});
	judge(&run, false);
	assert_int_equal(run.record.grade.weak, 3);
	assert_false(run.record.grade.rows[0].witness);
	finish(&run);
}

TEST(test_lost)
{
	struct run run;

	make(&run, OCLMM_QUANTIFIER_EXISTS, A, (const uint64_t[]){0, 50, 49, 0});
	run.record.counts.instances = 100;
	judge(&run, false);
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_LOST);
	finish(&run);

	/* a cut where the program has no loop: the device dropped something */
	make(&run, OCLMM_QUANTIFIER_EXISTS, A, (const uint64_t[]){0, 50, 49, 0});
	oclmm_histogram_add_cut(run.record.counts.histogram, 1);
	run.record.counts.instances = 100;
	judge(&run, false);
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_LOST);
	finish(&run);

	make(&run, OCLMM_QUANTIFIER_EXISTS, A, (const uint64_t[]){0, 50, 49, 0});
	oclmm_histogram_add_cut(run.record.counts.histogram, 1);
	run.record.counts.instances = 100;
	run.sb.answer.may_be_cut = true;
	judge(&run, false);
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_PASS);
	assert_int_equal(run.record.grade.cut, 1);
	finish(&run);

	/* nothing ran at all */
	make(&run, OCLMM_QUANTIFIER_EXISTS, A, (const uint64_t[]){0, 0, 0, 0});
	judge(&run, false);
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_LOST);
	finish(&run);

	/* a forbidden outcome outranks what went missing */
	make(&run, OCLMM_QUANTIFIER_EXISTS, F, (const uint64_t[]){1, 50, 40, 0});
	run.record.counts.instances = 100;
	judge(&run, false);
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_FORBIDDEN);
	finish(&run);
}

TEST(test_filter)
{
	struct run run;
	const enum oclmm_status only_one[] = {F, F, A, A};

	make(&run, OCLMM_QUANTIFIER_EXISTS, A, (const uint64_t[]){10, 20, 30, 40});
	sb_init(&run.sb, "SB", OCLMM_QUANTIFIER_EXISTS, only_one);
	sb_add_filter(&run.sb);
	run.sb.answer.states = run.sb.states + 2;
	run.sb.answer.state_count = 2;
	judge(&run, false);
	/* 0:r0=0 was turned away: it is not forbidden */
	assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_PASS);
	assert_int_equal(run.record.grade.filtered, 30);
	assert_int_equal(run.record.grade.row_count, 2);
	assert_int_equal(run.record.grade.holds + run.record.grade.fails, 70);
	finish(&run);
}

TEST(test_ended)
{
	static const struct {
		enum oclmm_class class;
		enum oclmm_end end;
		enum oclmm_verdict verdict;
	} cases[] = {
		{OCLMM_CLASS_UNSUPPORTED, OCLMM_END_UNSUPPORTED, OCLMM_VERDICT_SKIP},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_BUILD_FAILED, OCLMM_VERDICT_BUILD_FAILED},
		{OCLMM_CLASS_ACCEPTED, OCLMM_END_BUILD_FAILED, OCLMM_VERDICT_SKIP},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_CRASH, OCLMM_VERDICT_CRASH},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_TIMEOUT, OCLMM_VERDICT_TIMEOUT},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_LOST, OCLMM_VERDICT_LOST},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_DEVICE_ERROR, OCLMM_VERDICT_CRASH},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_OUT_OF_MEMORY, OCLMM_VERDICT_CRASH},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_PROCESS_ENDED, OCLMM_VERDICT_CRASH},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_DEVICE_LOST, OCLMM_VERDICT_LOST},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_RESULTS_LOST, OCLMM_VERDICT_LOST},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_OTHER_TEST, OCLMM_VERDICT_LOST},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_HANG, OCLMM_VERDICT_TIMEOUT},
		{OCLMM_CLASS_CLAIMED, OCLMM_END_ORACLE, OCLMM_VERDICT_TIMEOUT},
	};
	const struct oclmm_grade_options options = {0};

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct oclmm_record record = {.support = cases[i].class, .end = cases[i].end};

		oclmm_grade(&record, &options);
		assert_int_equal(record.grade.verdict, cases[i].verdict);
		oclmm_grade_finish(&record.grade);
	}
}

/* The exit status of a run of two tests, without and with --strict. */
static const struct {
	enum oclmm_verdict a;
	bool gates_a;
	enum oclmm_verdict b;
	bool gates_b;
	int normal, strict;
} exits[] = {
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_PASS, true, 0, 0},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_SKIP, false, 0, 0},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_DISPUTED, true, 0, 0},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_UNDEFINED, true, 0, 0},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_KNOWN, true, 0, 0},
	{OCLMM_VERDICT_KNOWN, true, OCLMM_VERDICT_KNOWN, true, 3, 3},
	{OCLMM_VERDICT_DISPUTED, true, OCLMM_VERDICT_UNDEFINED, true, 3, 3},
	/* one forbidden outcome is enough, whatever else went wrong */
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_FORBIDDEN, true, 1, 1},
	{OCLMM_VERDICT_SKIP, false, OCLMM_VERDICT_FORBIDDEN, true, 1, 1},
	{OCLMM_VERDICT_LOST, true, OCLMM_VERDICT_FORBIDDEN, true, 1, 1},
	{OCLMM_VERDICT_CRASH, true, OCLMM_VERDICT_FORBIDDEN, true, 1, 1},
	{OCLMM_VERDICT_INCONCLUSIVE, true, OCLMM_VERDICT_FORBIDDEN, true, 1, 1},
	/* what does not gate fails nothing and proves nothing */
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_FORBIDDEN, false, 0, 0},
	{OCLMM_VERDICT_PASS, false, OCLMM_VERDICT_FORBIDDEN, false, 77, 77},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_INCONCLUSIVE, false, 0, 0},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_STALE, false, 0, 0},
	{OCLMM_VERDICT_PASS, false, OCLMM_VERDICT_PASS, false, 77, 77},
	{OCLMM_VERDICT_SKIP, false, OCLMM_VERDICT_SKIP, true, 77, 77},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_BUILD_FAILED, false, 0, 0},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_CRASH, false, 0, 0},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_TIMEOUT, false, 0, 0},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_LOST, false, 0, 0},
	{OCLMM_VERDICT_INCONCLUSIVE, true, OCLMM_VERDICT_CRASH, false, 3, 3},
	{OCLMM_VERDICT_PASS, false, OCLMM_VERDICT_CRASH, false, 77, 77},
	{OCLMM_VERDICT_CRASH, false, OCLMM_VERDICT_CRASH, true, 99, 99},
	{OCLMM_VERDICT_CRASH, false, OCLMM_VERDICT_FORBIDDEN, true, 1, 1},
	/* infrastructure */
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_BUILD_FAILED, true, 99, 99},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_CRASH, true, 99, 99},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_TIMEOUT, true, 99, 99},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_LOST, true, 99, 99},
	{OCLMM_VERDICT_SKIP, false, OCLMM_VERDICT_LOST, true, 99, 99},
	{OCLMM_VERDICT_LOST, true, OCLMM_VERDICT_INCONCLUSIVE, true, 99, 99},
	/* doubt counts where it was asked for, and where there is nothing else */
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_INCONCLUSIVE, true, 0, 3},
	{OCLMM_VERDICT_INCONCLUSIVE, true, OCLMM_VERDICT_INCONCLUSIVE, true, 3, 3},
	{OCLMM_VERDICT_PASS, true, OCLMM_VERDICT_STALE, true, 0, 1},
	{OCLMM_VERDICT_INCONCLUSIVE, true, OCLMM_VERDICT_STALE, true, 3, 1},
};

TEST(test_exit_status)
{
	const struct oclmm_tally none = {0};

	assert_int_equal(oclmm_tally_exit(&none, false), 77);
	assert_int_equal(oclmm_tally_exit(&none, true), 77);
	for (size_t i = 0; i < OCLMM_COUNT(exits); i++) {
		struct oclmm_tally tally = {0};
		struct oclmm_record record = {0};

		/* a pass here is one with confidence; the order of the tests does not matter */
		record.grade.control.confidence = OCLMM_CONFIDENCE_REACHED;
		for (int turn = 0; turn < 2; turn++) {
			tally = (struct oclmm_tally){0};
			record.grade.verdict = turn ? exits[i].b : exits[i].a;
			record.grade.gates = turn ? exits[i].gates_b : exits[i].gates_a;
			oclmm_tally_add(&tally, &record);
			record.grade.verdict = turn ? exits[i].a : exits[i].b;
			record.grade.gates = turn ? exits[i].gates_a : exits[i].gates_b;
			oclmm_tally_add(&tally, &record);
			assert_int_equal(oclmm_tally_tests(&tally), 2);
			assert_int_equal(oclmm_tally_exit(&tally, false), exits[i].normal);
			assert_int_equal(oclmm_tally_exit(&tally, true), exits[i].strict);
		}
	}
}

/* Tests that cannot fail prove nothing, however many passed. */
TEST(test_only_such_as_cannot_fail)
{
	struct oclmm_record record = {.grade = {.verdict = OCLMM_VERDICT_PASS, .gates = true}};
	struct oclmm_tally tally = {0};

	record.grade.control.confidence = OCLMM_CONFIDENCE_NOT_NEEDED;
	for (int i = 0; i < 3; i++) {
		oclmm_tally_add(&tally, &record);
		assert_int_equal(oclmm_tally_exit(&tally, false), 3);
		assert_int_equal(oclmm_tally_exit(&tally, true), 3);
	}
	record.grade.control.confidence = OCLMM_CONFIDENCE_REACHED;
	oclmm_tally_add(&tally, &record);
	assert_int_equal(oclmm_tally_exit(&tally, false), 0);
}

TEST(test_interrupted)
{
	struct oclmm_tally tally = {.gating = 5, .interrupted = true, .left_out = 3};

	assert_int_equal(oclmm_tally_exit(&tally, false), 99);
	tally.gating_forbidden = 1;
	assert_int_equal(oclmm_tally_exit(&tally, false), 1);
}

TEST(test_unfinished)
{
	struct oclmm_tally tally = {.gating_inconclusive = 1, .unfinished = 2, .left_out = 3};

	assert_int_equal(oclmm_tally_exit(&tally, true), 4);
	tally.gating_infrastructure = 1;
	assert_int_equal(oclmm_tally_exit(&tally, false), 99);
	tally.gating_forbidden = 1;
	assert_int_equal(oclmm_tally_exit(&tally, false), 1);
}

TEST(test_classes)
{
	struct run run;

	for (int claims = 0; claims < 2; claims++) {
		make(&run, OCLMM_QUANTIFIER_EXISTS, F, (const uint64_t[]){1, 50, 40, 0});
		run.record.support = OCLMM_CLASS_ACCEPTED;
		judge(&run, claims);
		assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_FORBIDDEN);
		assert_int_equal(run.record.grade.gates, claims);
		finish(&run);
	}
}

/* A crash has no counts; whether it fails the run is a matter of the class alone. */
TEST(test_class_of_a_crash)
{
	static const struct {
		enum oclmm_class class;
		bool claims, gates;
	} cases[] = {
		{OCLMM_CLASS_CLAIMED, false, true},      {OCLMM_CLASS_CLAIMED, true, true},
		{OCLMM_CLASS_ACCEPTED, false, false},    {OCLMM_CLASS_ACCEPTED, true, true},
		{OCLMM_CLASS_UNSUPPORTED, false, false}, {OCLMM_CLASS_UNSUPPORTED, true, false},
	};
	struct run run;

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct oclmm_tally tally = {0};

		make(&run, OCLMM_QUANTIFIER_EXISTS, F, (const uint64_t[]){0, 0, 0, 0});
		run.record.end = OCLMM_END_CRASH;
		run.record.support = cases[i].class;
		judge(&run, cases[i].claims);
		assert_int_equal(run.record.grade.verdict, OCLMM_VERDICT_CRASH);
		assert_int_equal(run.record.grade.gates, cases[i].gates);
		oclmm_tally_add(&tally, &run.record);
		assert_int_equal(oclmm_tally_infrastructure(&tally), 1);
		assert_int_equal(tally.gating_infrastructure, cases[i].gates);
		assert_int_equal(oclmm_tally_exit(&tally, false), cases[i].gates ? 99 : 77);
		finish(&run);
	}
}

TEST(test_words)
{
	enum oclmm_verdict found;

	assert_string_equal(oclmm_verdict_word(OCLMM_VERDICT_BUILD_FAILED), "build-failed");
	assert_string_equal(oclmm_verdict_word(OCLMM_VERDICT_STALE), "stale");
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		const char *word = oclmm_verdict_word((enum oclmm_verdict)i);

		assert_true(oclmm_verdict_find(word, strlen(word), &found));
		assert_int_equal(found, i);
	}
	/* neither a part of a word nor more than one */
	found = OCLMM_VERDICT_COUNT;
	assert_false(oclmm_verdict_find("stale", 4, &found));
	assert_false(oclmm_verdict_find("staler", 6, &found));
	assert_int_equal(found, OCLMM_VERDICT_COUNT);
	assert_string_equal(oclmm_class_word(OCLMM_CLASS_UNSUPPORTED), "unsupported");
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++)
		assert_true(strlen(oclmm_verdict_meaning((enum oclmm_verdict)i)) > 5);
}
