// SPDX-License-Identifier: Apache-2.0
/* What a run counted, what it is worth, and how it is written, read, merged and shown. */
#include "calls.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../report/sample.h"

static void call_histogram(void)
{
	struct oclmm_histogram *histogram = oclmm_histogram_create(2),
			       *narrow = oclmm_histogram_create(1);
	const int64_t first[] = {0, 1}, second[] = {1, 0};
	struct oclmm_counts whole = {.launches = 3, .halved = 1, .halved_at = {1, {2}}},
			    part = {.launches = 2, .halved = 2, .halved_at = {2, {3, 4}}};
	struct oclmm_waits waits = {0};

	CHECK(oclmm_histogram_width(histogram) == 2);
	oclmm_histogram_add(histogram, second, 5);
	oclmm_histogram_add(histogram, first, 3);
	oclmm_histogram_add_cut(histogram, 2);
	CHECK(oclmm_histogram_count(histogram, first) == 3);
	CHECK(oclmm_histogram_cut(histogram) == 2 && oclmm_histogram_total(histogram) == 10);
	CHECK(oclmm_histogram_merge(histogram, narrow) == -EINVAL);
	CHECK(oclmm_histogram_merge(histogram, histogram) == 0);
	oclmm_wait_launches_add(&waits.own, 3, 5);
	oclmm_wait_launches_add(&waits.own, 1, 2);
	oclmm_waits_extend(&waits, &waits);
	CHECK(waits.own.launches == 2 && waits.own.hits == 2 && waits.own.partly == 2 &&
	      waits.own.late == 6 && waits.own.stuck == 10);
	CHECK(oclmm_counts_extend(&whole, &part) == 0 && whole.launches == 5 && whole.halved == 3);
	CHECK(whole.halved_at.count == 3 && whole.halved_at.at[2] == 4);
	part.histogram = histogram;
	CHECK(oclmm_counts_extend(&whole, &part) == -EINVAL && whole.launches == 5);
	CHECK(oclmm_histogram_rows(histogram) == 2);
	CHECK(oclmm_histogram_row(histogram, 0).count == 6);
	oclmm_histogram_destroy(histogram);
	oclmm_histogram_destroy(narrow);
}

static void call_evidence(void)
{
	static const struct oclmm_launches members[] = {{4, 0}, {4, 4}};
	static const uint64_t instances[] = {100, 100};
	static const int64_t values[] = {0, 1};
	static const uint32_t places[] = {1, 0};
	static const struct oclmm_value_counts seldom = {
		.value = 1, .test = 20, .control = 70, .blocks = 12, .fewer = 12};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *evidence = oclmm_evidence_create(arena, 2),
			      *part = oclmm_evidence_create(arena, 2);

	CHECK(oclmm_evidence_add_control(evidence, "C", OCLMM_CONTROL_WEAKER, 1) == 0);
	CHECK(oclmm_evidence_add_control(evidence, "C", OCLMM_CONTROL_WEAKER, 1) == -EEXIST);
	oclmm_evidence_add_control(part, "C", OCLMM_CONTROL_WEAKER, 1);
	CHECK(oclmm_evidence_add_blocks(evidence, 1, members) == 0);
	CHECK(oclmm_evidence_add_sized_blocks(part, 2, members, instances) == 0);
	oclmm_evidence_add_instances(evidence, 0, 400);
	oclmm_evidence_add_outcome(evidence, values, 7);
	oclmm_evidence_add_rounds(evidence, 100, 20);
	CHECK(oclmm_evidence_fits(evidence, part) && oclmm_evidence_extend(evidence, part) == 0);
	CHECK(oclmm_evidence_sum(evidence, 1).hits == 12);
	CHECK(oclmm_evidence_find(evidence, "C")->instances == 400);
	oclmm_evidence_reorder(evidence, places);
	CHECK(evidence->outcomes[0].values[0] == 1);
	/* C(4, 4) / C(8, 4), three times */
	CHECK(fabs(oclmm_launches_log_escape(members[0], members[1]) + log(70)) < 1e-9);
	CHECK(fabs(oclmm_evidence_log_escape(evidence, 0) + 3 * log(70)) < 1e-9);
	CHECK(oclmm_evidence_escape(evidence, OCLMM_CONTROL_WEAKER).hit == 1);
	CHECK(oclmm_evidence_dispersion(evidence) >= 1);
	CHECK(fabs(oclmm_detection_limit(300, 1) - 0.01) < 1e-9);
	oclmm_evidence_add_meeting(evidence, 0,
	                           (struct oclmm_meeting){.rounds = 9, .met = 4, .outcomes = 2});
	CHECK(evidence->meeting.met == 4);
	CHECK(oclmm_evidence_met(evidence, 0) == OCLMM_MET_UNTOLD);
	CHECK(oclmm_counts_seldom(2, 7) && !oclmm_counts_seldom(3, 10));
	oclmm_evidence_compare(evidence, 0, 12, 1, &seldom, 1);
	CHECK(oclmm_evidence_seldom(evidence, 0)->control == 70);
	oclmm_arena_destroy(arena);
}

static bool no_test(const void *data, const char *pattern)
{
	(void)data;
	(void)pattern;
	return false;
}

static void call_expectations(const char *scratch)
{
	static const char line[] = "Pocket* | * | SB* | forbidden | 0:r0=0; | bug | 2027-01-31\n";
	static const char *const outcomes[] = {"0:r0=0;"};
	const struct oclmm_suspect suspect = {.device = "Pocket 3",
	                                      .driver = "1",
	                                      .test = "SB+sc+sc",
	                                      .verdict = OCLMM_VERDICT_FORBIDDEN,
	                                      .outcomes = outcomes,
	                                      .outcome_count = 1};
	struct oclmm_expectations *expectations;
	struct oclmm_text path = {0};
	struct oclmm_error error;
	const char *reason;
	int32_t expired;

	oclmm_text_printf(&path, "%s/known", scratch);
	CHECK(oclmm_write_file(oclmm_text_string(&path), line, strlen(line)) == 0);
	if (CHECK(oclmm_expectations_read(oclmm_text_string(&path), &error, &expectations) == 0)) {
		CHECK(oclmm_expectations_check(expectations, no_test, NULL, &error) == -EINVAL);
		CHECK(oclmm_expectations_judge(expectations, &suspect, oclmm_date(2027, 1, 31),
		                               &reason, &expired) == OCLMM_VERDICT_KNOWN);
		CHECK(reason && strcmp(reason, "bug") == 0);
		CHECK(oclmm_expectations_judge(expectations, &suspect, oclmm_date(2027, 2, 1),
		                               &reason, &expired) == OCLMM_VERDICT_FORBIDDEN);
		CHECK(expired == oclmm_date(2027, 1, 31));
		CHECK(oclmm_expectations_stale(expectations, &suspect, 1, oclmm_date(2027, 1, 31),
		                               &path) == 0);
		oclmm_expectations_destroy(expectations);
	}
	CHECK(oclmm_expectations_parse("x", "no\n", 3, &error, &expectations) == -EINVAL);
	oclmm_text_finish(&path);
}

static void call_grade(struct sample *sample)
{
	struct oclmm_record *record = sample->records[1], part = *record;
	struct oclmm_text text = {0};
	struct oclmm_need *needs;
	struct made made;
	const uint64_t counts[] = {0, 5, 5, 0};

	CHECK(record->grade.verdict == OCLMM_VERDICT_FORBIDDEN && record->grade.forbidden == 2);
	CHECK(oclmm_tally_verdict(&sample->tally, OCLMM_VERDICT_SKIP) == 1);
	CHECK(oclmm_tally_tests(&sample->tally) == SAMPLE_TESTS);
	CHECK(oclmm_tally_infrastructure(&sample->tally) == 1);
	CHECK(oclmm_tally_exit(&sample->tally, true) == OCLMM_EXIT_FORBIDDEN);
	CHECK(oclmm_grade_needs(sample->records, SAMPLE_TESTS, &sample->header.demand, &needs) <=
	      SAMPLE_TESTS);
	free(needs);
	oclmm_record_argument(&text, record);
	CHECK_HAS(oclmm_text_string(&text), "SB.order=sc");
	oclmm_text_finish(&text);
	part.identity.driver = "another";
	CHECK(oclmm_identity_compare(&record->identity, &record->identity) == 0 &&
	      oclmm_identity_compare(&record->identity, &part.identity) != 0);
	CHECK(!oclmm_record_continues(record, &part));
	CHECK(oclmm_record_extend(record, &part) == -EINVAL);
	made_init(&made, "SB", OCLMM_STATUS_FORBIDDEN, counts);
	made_grade(&made, NULL);
	CHECK(made.record.grade.verdict == OCLMM_VERDICT_PASS);
	oclmm_grade_finish(&made.record.grade);
	made_finish(&made);
}

static void call_reports(struct sample *sample)
{
	struct oclmm_halvings halvings = {1, {7}};
	struct oclmm_turns turns;
	struct oclmm_text text = {0};

#define OCLMM_X(kind, ...)                                                                         \
	CHECK(oclmm_report_kind(#kind) == &oclmm_report_##kind);                                   \
	sample_report(sample, &oclmm_report_##kind, &text);                                        \
	CHECK_HAS(oclmm_text_string(&text), "SB");                                                 \
	oclmm_text_finish(&text);
	OCLMM_REPORT_KINDS(OCLMM_X)
#undef OCLMM_X
	CHECK(oclmm_report_kind_of_file("a.tap") == &oclmm_report_tap);
	CHECK(oclmm_report_kind_at(0) == &oclmm_report_summary);
	CHECK(oclmm_header_of(&sample->header, sample->records[0]) == 0);
	oclmm_report_github_summary(&text, &sample->header,
	                            (const struct oclmm_record *const *)sample->records, 1,
	                            &(struct oclmm_tally){0}, OCLMM_EXIT_FORBIDDEN);
	CHECK_HAS(oclmm_text_string(&text), "### OpenCL memory model");
	oclmm_text_finish(&text);
	oclmm_report_block(&text, sample->records[0]);
	CHECK_HAS(oclmm_text_string(&text), "SB");
	oclmm_text_finish(&text);
	oclmm_report_next(&text, sample->records[0], "> ");
	CHECK(text.length == 0); /* nothing forbidden was seen */
	oclmm_text_finish(&text);
	oclmm_report_command(&text, &sample->header, sample->records[0]);
	CHECK_HAS(oclmm_text_string(&text), "oclmm run");
	oclmm_text_finish(&text);
	oclmm_report_halvings(&text, &halvings);
	CHECK_HAS(oclmm_text_string(&text), "7");
	oclmm_text_finish(&text);
	CHECK(oclmm_turns_parse("30:96,4000", &turns));
	oclmm_turns_print(&text, &turns);
	CHECK_IS(oclmm_text_string(&text), "30:96,4000");
	oclmm_text_finish(&text);
	oclmm_report_turns(&text, &turns);
	CHECK_HAS(oclmm_text_string(&text), "--turns '30:96,4000'");
	oclmm_text_finish(&text);
	oclmm_report_quantity(&text, 12.3e6);
	CHECK_IS(oclmm_text_string(&text), "12.3 M");
	oclmm_text_finish(&text);
	oclmm_results_schema(&text);
	CHECK_HAS(oclmm_text_string(&text), "\"$schema\"");
	oclmm_text_finish(&text);
	CHECK(oclmm_results_table(&text, "test") == 0);
	CHECK_HAS(oclmm_text_string(&text), "|");
	oclmm_text_finish(&text);
}

static void call_saved(struct sample *sample, struct oclmm_results *results)
{
	struct oclmm_histogram *histogram;
	struct oclmm_saved *saved = &results->saved[0];

	CHECK(results->run_count == 1 && results->saved_count == SAMPLE_TESTS);
	CHECK(oclmm_saved_compare(&saved[0], &saved[0]) == 0);
	CHECK(oclmm_saved_compare(&saved[0], &saved[1]) != 0);
	for (size_t i = 0; i < results->saved_count; i++) {
		if (strcmp(saved[i].record.program->name, "SB") != 0)
			continue;
		if (CHECK(oclmm_saved_bind(&saved[i], &sample->made[0].sb.program, &histogram) ==
		          0)) {
			CHECK(oclmm_histogram_total(histogram) == 1000000);
			oclmm_histogram_destroy(histogram);
		}
	}
}

static void call_read(struct sample *sample, const char *scratch)
{
	char *written = sample_text(sample);
	struct oclmm_results *results, *records, *joined;
	struct oclmm_text path = {0}, text = {0};
	struct oclmm_comparison counts;
	struct oclmm_error error;

	oclmm_text_printf(&path, "%s/results.jsonl", scratch);
	CHECK(oclmm_write_file(oclmm_text_string(&path), written, strlen(written)) == 0);
	free(written);
	if (!CHECK(oclmm_results_read(oclmm_text_string(&path), false, true, &error, &results) ==
	           0) ||
	    !CHECK(oclmm_results_read(oclmm_text_string(&path), false, false, &error, &records) ==
	           0))
		return;
	CHECK(records->saved_count == results->saved_count && !records->saved[0].text);
	oclmm_results_compare(records, results, OCLMM_COMPARE_ALL, &counts, &text);
	CHECK(counts.common == SAMPLE_TESTS && counts.regressions == 0 && counts.changes == 0);
	oclmm_text_finish(&text);
	oclmm_results_destroy(records);
	CHECK(oclmm_results_merge((const struct oclmm_results *const *)&results, 1, true, &error,
	                          &text) == 0);
	if (CHECK(oclmm_results_parse("x", oclmm_text_string(&text), text.length, true, &error,
	                              &records) == 0)) {
		call_saved(sample, records);
		oclmm_results_destroy(records);
	}
	oclmm_text_finish(&text);
	if (CHECK(oclmm_results_join(&results, 1, true, &error, &joined) == 0)) {
		CHECK(joined->saved_count == SAMPLE_TESTS);
		oclmm_results_destroy(joined);
	}
	oclmm_text_finish(&path);
}

static void call_page(struct sample *sample)
{
	const struct oclmm_page_options options = {.tool = "oclmm", .demand.confidence = 0.95};
	struct oclmm_page_counts counts;
	struct oclmm_text text = {0};

	CHECK(oclmm_page_write(&text, NULL, 0, (const struct oclmm_record *const *)sample->records,
	                       SAMPLE_TESTS, &options, &counts) == 0);
	CHECK(counts.columns == 1);
	CHECK_HAS(oclmm_text_string(&text), "</html>");
	oclmm_text_finish(&text);
}

void call_results(const char *scratch)
{
	struct sample sample;

	call_histogram();
	call_evidence();
	call_expectations(scratch);
	sample_make(&sample, true);
	call_grade(&sample);
	call_reports(&sample);
	call_read(&sample, scratch);
	call_page(&sample);
	sample_finish(&sample);
}
