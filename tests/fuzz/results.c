// SPDX-License-Identifier: Apache-2.0
/* A results file: read, joined, compared, and told in every form, as of tests that are gone. */
#include <string.h>

#include "fuzz.h"
#include "oclmm/page.h"
#include "oclmm/report.h"

const int fuzz_json = 1;

static int check_text(void *data, const char *text, size_t length)
{
	const struct oclmm_report_kind *kind = data;

	if (kind->for_people || kind == oclmm_report_kind("tap"))
		fuzz_check_shown(text, length);
	return 0;
}

/* As a regrading does with a record whose test is gone. */
static void lose(struct oclmm_record *record)
{
	static const struct oclmm_grade_options options;

	record->end = OCLMM_END_OTHER_TEST;
	record->expected = NULL;
	record->grade = (struct oclmm_grade){0};
	oclmm_grade(record, &options);
}

static void report(const struct oclmm_run_header *header, const struct oclmm_record *const *records,
                   size_t count)
{
	const struct oclmm_report_kind *kind;
	struct oclmm_tally tally = {0};

	for (size_t i = 0; i < count; i++)
		oclmm_tally_add(&tally, records[i]);
	for (size_t i = 0; (kind = oclmm_report_kind_at(i)); i++) {
		const struct oclmm_sink sink = {.write = check_text,
		                                .data = (void *)(uintptr_t)kind};
		struct oclmm_report report;

		oclmm_report_begin(&report, kind, sink, header);
		for (size_t k = 0; k < count; k++)
			oclmm_report_record(&report, records[k]);
		oclmm_report_judged(&report, records, count);
		FUZZ_CHECK(oclmm_report_end(&report, &tally, oclmm_tally_exit(&tally, true)) == 0);
	}
}

static void tell(struct oclmm_results *results)
{
	const struct oclmm_record **records = oclmm_calloc(results->saved_count + 1,
	                                                   sizeof(*records));
	const struct oclmm_page_options options = {.tool = "fuzz"};
	struct oclmm_text text = {0};

	for (size_t i = 0; i < results->saved_count; i++) {
		lose(&results->saved[i].record);
		records[i] = &results->saved[i].record;
	}
	report(&results->runs[0].header, records, results->saved_count);
	FUZZ_CHECK(oclmm_page_write(&text, results->runs, results->run_count, records,
	                            results->saved_count, &options, NULL) == 0);
	oclmm_text_finish(&text);
	for (size_t i = 0; i < results->saved_count; i++)
		oclmm_grade_finish(&results->saved[i].record.grade);
	free(records);
}

/* What is merged reads back, and merging it again changes nothing. */
static void join(const struct oclmm_results *results)
{
	const struct oclmm_results *const twice[] = {results, results};
	struct oclmm_results *again;
	struct oclmm_error error = {0};
	struct oclmm_text first = {0}, second = {0};

	if (oclmm_results_merge(twice, 2, true, &error, &first) < 0) {
		fuzz_check_error(&error);
	} else {
		FUZZ_CHECK(oclmm_results_parse("again", oclmm_text_string(&first), first.length,
		                               false, &error, &again) == 0);
		FUZZ_CHECK(oclmm_results_merge((const struct oclmm_results *const[]){again}, 1,
		                               true, &error, &second) == 0);
		FUZZ_CHECK(strcmp(oclmm_text_string(&first), oclmm_text_string(&second)) == 0);
		oclmm_results_destroy(again);
	}
	oclmm_text_finish(&first);
	oclmm_text_finish(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oclmm_comparison counts;
	struct oclmm_results *results;
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};

	if (oclmm_results_parse("fuzz.jsonl", (const char *)data, size, true, &error, &results) <
	    0) {
		fuzz_check_error(&error);
		return 0;
	}
	join(results);
	oclmm_results_compare(results, results, OCLMM_COMPARE_ALL, &counts, &text);
	FUZZ_CHECK(counts.regressions == 0);
	fuzz_check_shown(oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
	tell(results);
	oclmm_results_destroy(results);
	return 0;
}
