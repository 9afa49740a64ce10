// SPDX-License-Identifier: Apache-2.0

#include "../fixture/test.h"

#include <stdlib.h>
#include <string.h>

#include "../fixture/record.h"
#include "oclmm/report.h"

#define A OCLMM_STATUS_ALLOWED
#define F OCLMM_STATUS_FORBIDDEN

/* One test as it came out of one run; no name: it was not there. */
struct outcome {
	const char *name;
	enum oclmm_status weak;
	enum oclmm_class class;
	enum oclmm_end end;
	uint64_t counts[4];
};

static int write_text(void *data, const char *bytes, size_t length)
{
	oclmm_text_add_bytes(data, bytes, length);
	return 0;
}

static struct oclmm_results *make(const struct outcome *outcome)
{
	const struct oclmm_run_header header = {.tool = "oclmm 0",
	                                        .identity.device = "A",
	                                        .identity.driver = "1"};
	const struct oclmm_grade_options options = {0};
	struct oclmm_results *results = NULL;
	struct oclmm_tally tally = {0};
	struct oclmm_error error = {0};
	struct oclmm_report report;
	struct oclmm_text text = {0};
	struct made made;

	oclmm_report_begin(&report, &oclmm_report_json,
	                   (struct oclmm_sink){.write = write_text, .data = &text}, &header);
	if (outcome->name) {
		made_init(&made, outcome->name, outcome->weak, outcome->counts);
		made.record.support = outcome->class;
		made.record.end = outcome->end;
		made_grade(&made, &options);
		oclmm_report_record(&report, &made.record);
		oclmm_tally_add(&tally, &made.record);
		made_finish(&made);
	}
	oclmm_report_end(&report, &tally, OCLMM_EXIT_PASS);
	assert_int_equal(oclmm_results_parse("made", oclmm_text_string(&text), text.length, false,
	                                     &error, &results),
	                 0);
	oclmm_text_finish(&text);
	return results;
}

/* What each comparison begins with. */
static const char devices[] = "before      A, driver 1\nafter       A, driver 1\n";

static struct oclmm_comparison compare(const struct outcome *a, const struct outcome *b,
                                       const char *wanted)
{
	struct oclmm_results *before = make(a), *after = make(b);
	struct oclmm_comparison counts;
	struct oclmm_text text = {0};

	oclmm_results_compare(before, after, OCLMM_COMPARE_NOTABLE, &counts, &text);
	assert_int_equal(strncmp(oclmm_text_string(&text), devices, strlen(devices)), 0);
	assert_string_equal(oclmm_text_string(&text) + strlen(devices), wanted);
	oclmm_text_finish(&text);
	oclmm_results_destroy(before);
	oclmm_results_destroy(after);
	return counts;
}

static const struct outcome silent = {"SB", F, OCLMM_CLASS_CLAIMED, OCLMM_END_OK, {0, 500, 500, 0}};
static const struct outcome seen = {"SB", F, OCLMM_CLASS_CLAIMED, OCLMM_END_OK, {2, 499, 499, 0}};
static const struct outcome absent;

TEST(test_forbidden)
{
	struct outcome accepted = seen;
	struct oclmm_comparison counts;

	counts =
		compare(&silent, &seen,
	                "REGRESSION  SB: shows the forbidden outcome 0:r0=0; 1:r0=0;, 2 of 1000\n");
	assert_int_equal(counts.regressions, 1);
	assert_int_equal(counts.common, 1);
	/* it was broken already */
	assert_int_equal(compare(&seen, &seen, "").regressions, 0);
	/* it was mended */
	counts = compare(&seen, &silent,
	                 "gone        SB: no longer shows the forbidden outcome 0:r0=0; 1:r0=0;, "
	                 "2 of 1000\n");
	assert_int_equal(counts.regressions, 0);
	assert_int_equal(counts.changes, 1);
	/* a new test that fails is new: whether it got worse nobody knows */
	counts = compare(&absent, &seen,
	                 "new         SB: now shows the forbidden outcome 0:r0=0; 1:r0=0;, "
	                 "2 of 1000\n"
	                 "new         SB: not run before\n");
	assert_int_equal(counts.regressions, 0);
	assert_int_equal(counts.fresh, 1);
	/* what the device does not claim does not gate */
	accepted.class = OCLMM_CLASS_ACCEPTED;
	counts = compare(&silent, &accepted,
	                 "new         SB: now shows the forbidden outcome 0:r0=0; 1:r0=0;, "
	                 "2 of 1000\n");
	assert_int_equal(counts.regressions, 0);
}

TEST(test_no_longer_runs)
{
	struct outcome failed = silent;
	struct oclmm_comparison counts;

	counts = compare(&silent, &absent, "not run     SB: ran before, left out of this run\n");
	assert_int_equal(counts.regressions, 0);
	assert_int_equal(counts.not_run, 1);
	failed.end = OCLMM_END_UNSUPPORTED;
	assert_int_equal(compare(&silent, &failed, "REGRESSION  SB: ran before, is skipped now\n")
	                         .regressions,
	                 1);
	assert_int_equal(compare(&failed, &silent, "new         SB: runs now\n").regressions, 0);
	failed.end = OCLMM_END_CRASH;
	counts = compare(&silent, &failed, "broken      SB: could not be run to the end\n");
	assert_int_equal(counts.broken, 1);
	assert_int_equal(counts.regressions, 0);
	assert_int_equal(compare(&failed, &failed, "").broken, 0);
	counts = compare(&absent, &failed,
	                 "broken      SB: could not be run to the end; it did not run before\n"
	                 "new         SB: not run before\n");
	assert_int_equal(counts.broken, 0);
	/* what the device does not claim does not gate */
	failed.class = OCLMM_CLASS_ACCEPTED;
	counts = compare(&silent, &failed,
	                 "broken      SB: could not be run to the end; it does not gate\n");
	assert_int_equal(counts.broken, 0);
	assert_int_equal(counts.regressions, 0);
}

TEST(test_allowed)
{
	const struct outcome none = {"SB", A, OCLMM_CLASS_CLAIMED, OCLMM_END_OK, {0, 500, 500, 0}};
	const struct outcome some = {
		"SB", A, OCLMM_CLASS_CLAIMED, OCLMM_END_OK, {100, 400, 500, 0}};
	const struct outcome slightly = {
		"SB", A, OCLMM_CLASS_CLAIMED, OCLMM_END_OK, {120, 380, 500, 0}};
	const struct outcome many = {
		"SB", A, OCLMM_CLASS_CLAIMED, OCLMM_END_OK, {400, 100, 500, 0}};
	const struct outcome strong = {
		"SB", A, OCLMM_CLASS_CLAIMED, OCLMM_END_OK, {0, 500, 490, 10}};
	struct oclmm_comparison counts;

	counts = compare(
		&none, &some,
		"new         SB: now shows the allowed outcome 0:r0=0; 1:r0=0;, 100 of 1000\n");
	assert_int_equal(counts.regressions, 0);
	assert_int_equal(counts.changes, 1);
	/* what everybody shows now and then is counted and not told */
	assert_int_equal(compare(&none, &strong, "").changes, 1);
	assert_int_equal(compare(&some, &slightly, "").rates, 0);
	counts = compare(&some, &many,
	                 "rate        SB: weak outcomes 0.1 per instance before, 0.4 after\n");
	assert_int_equal(counts.rates, 1);
	assert_int_equal(counts.regressions, 0);
}

TEST(test_nothing_in_common)
{
	struct outcome other = silent;
	struct oclmm_comparison counts;

	other.name = "MP";
	counts = compare(&silent, &other,
	                 "not run     SB: ran before, left out of this run\n"
	                 "new         MP: not run before\n");
	assert_int_equal(counts.common, 0);
	assert_int_equal(counts.tests, 2);
}
