// SPDX-License-Identifier: Apache-2.0
/* The last sentences of the reports for people. */
#include "internal.h"

#include <inttypes.h>

static const char *headline(enum oclmm_exit status, const struct oclmm_tally *tally)
{
	if (status == OCLMM_EXIT_FORBIDDEN && !tally->gating_forbidden)
		return "stale";
	switch (status) {
	case OCLMM_EXIT_PASS: return "pass";
	case OCLMM_EXIT_FORBIDDEN: return "FORBIDDEN";
	case OCLMM_EXIT_INCONCLUSIVE: return "inconclusive";
	case OCLMM_EXIT_UNFINISHED: return "unfinished";
	case OCLMM_EXIT_NOTHING: return "nothing applicable was run";
	case OCLMM_EXIT_INFRASTRUCTURE: return "incomplete";
	case OCLMM_EXIT_USAGE: break;
	}
	return "not run";
}

static void print_reasons(struct oclmm_text *text, const struct oclmm_tally *tally)
{
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		enum oclmm_verdict verdict = (enum oclmm_verdict)i;
		uint64_t count = oclmm_tally_verdict(tally, verdict);

		if (count)
			oclmm_text_printf(text, "  %-12s %6" PRIu64 "  %s\n",
			                  oclmm_verdict_word(verdict), count,
			                  oclmm_verdict_meaning(verdict));
	}
}

bool report_awaits_confidence(const struct oclmm_record *record)
{
	return record->grade.verdict == OCLMM_VERDICT_PASS && record->expected &&
	       record->grade.control.confidence == OCLMM_CONFIDENCE_NOT_JUDGED &&
	       oclmm_expected_forbids(record->expected);
}

void report_causes(struct oclmm_text *text, const struct oclmm_tally *tally)
{
	for (int i = OCLMM_CONFIDENCE_TOO_RARE; i < OCLMM_CONFIDENCE_COUNT; i++) {
		enum oclmm_confidence confidence = (enum oclmm_confidence)i;

		if (tally->confidences[i])
			oclmm_text_printf(text, "  %-12s %6" PRIu64 "  %s\n",
			                  oclmm_confidence_word(confidence), tally->confidences[i],
			                  oclmm_confidence_meaning(confidence));
	}
}

/* What the passes are worth, where that was looked at. */
static void print_silence(struct oclmm_text *text, const struct oclmm_tally *tally)
{
	uint64_t reached = tally->confidences[OCLMM_CONFIDENCE_REACHED];

	if (!reached && !oclmm_tally_verdict(tally, OCLMM_VERDICT_INCONCLUSIVE))
		return;
	oclmm_text_printf(text, "silence: 95 %% reached for %" PRIu64 ", 99.999 %% for %" PRIu64,
	                  tally->likely, tally->certain);
	if (reached)
		oclmm_text_printf(
			text,
			"\n  bugs that show in as many launches as the control did, one in "
			"each test with confidence: %.2g of %" PRIu64 " are expected to escape",
			tally->escapes, reached);
	oclmm_text_add(text, "\n");
	report_causes(text, tally);
}

static void print_what_is_missing(struct oclmm_text *text, const struct oclmm_run_header *header,
                                  const struct oclmm_tally *tally)
{
	uint64_t skipped = oclmm_tally_verdict(tally, OCLMM_VERDICT_SKIP);

	if (tally->left_out) {
		oclmm_text_printf(text, "%s left out", oclmm_counted(tally->left_out, "test").text);
		if (tally->unfinished)
			oclmm_text_printf(text, " (%" PRIu64 " that can fail)", tally->unfinished);
		if (skipped)
			oclmm_text_printf(text, " and %" PRIu64 " skipped", skipped);
	} else if (skipped) {
		oclmm_text_printf(text, "%s skipped", oclmm_counted(skipped, "test").text);
	}
	if (tally->left_out || skipped) {
		oclmm_text_add(text, ": this run does not verify conformance\n");
	} else if (!header->whole_suite || header->shards) {
		oclmm_text_add(text, "only part of the suite or of its instances was chosen: "
		                     "this run does not verify conformance\n");
	}
}

static void print_count(struct oclmm_text *text, uint64_t count, const char *what)
{
	if (count)
		oclmm_text_printf(text, ", %" PRIu64 " %s", count, what);
}

/* Every test is in it once. */
static void print_counts(struct oclmm_text *text, const struct oclmm_tally *tally)
{
	uint64_t reached = tally->confidences[OCLMM_CONFIDENCE_REACHED];
	uint64_t undefined = oclmm_tally_verdict(tally, OCLMM_VERDICT_UNDEFINED);
	uint64_t skipped = oclmm_tally_verdict(tally, OCLMM_VERDICT_SKIP);
	uint64_t cannot = tally->confidences[OCLMM_CONFIDENCE_NOT_NEEDED] +
	                  tally->confidences[OCLMM_CONFIDENCE_CONTROL];
	uint64_t can = oclmm_tally_tests(tally) - cannot - undefined - skipped;

	oclmm_text_printf(text,
	                  ": of %s that can fail %" PRIu64 " with confidence (%" PRIu64
	                  " hardware, %" PRIu64 " compiler), %" PRIu64 " inconclusive",
	                  oclmm_counted(can, "test").text, reached,
	                  tally->reached[OCLMM_CONTROL_WEAKER], tally->reached[OCLMM_CONTROL_MOVED],
	                  oclmm_tally_verdict(tally, OCLMM_VERDICT_INCONCLUSIVE));
	print_count(text, oclmm_tally_verdict(tally, OCLMM_VERDICT_FORBIDDEN), "forbidden");
	print_count(text, oclmm_tally_verdict(tally, OCLMM_VERDICT_DISPUTED), "disputed");
	print_count(text, oclmm_tally_infrastructure(tally), "not run to the end");
	print_count(text, oclmm_tally_verdict(tally, OCLMM_VERDICT_KNOWN), "known to fail");
	print_count(text, oclmm_tally_verdict(tally, OCLMM_VERDICT_STALE), "stale");
	oclmm_text_printf(text,
	                  "; %" PRIu64 " cannot fail, %" PRIu64 " undefined, %" PRIu64 " skipped",
	                  cannot, undefined, skipped);
}

void report_verdict(struct oclmm_text *text, const struct oclmm_tally *tally,
                    enum oclmm_exit status)
{
	bool any = oclmm_tally_tests(tally) > 0;

	oclmm_text_printf(text, "verdict: %s", headline(status, tally));
	if (any)
		print_counts(text, tally);
	if (tally->left_out)
		oclmm_text_printf(text, "%s %" PRIu64 " left out", any ? "," : ":",
		                  tally->left_out);
	if (tally->unfinished)
		oclmm_text_printf(text, " (%" PRIu64 " that can fail)", tally->unfinished);
}

void report_verdict_lines(struct oclmm_text *text, const struct oclmm_tally *tally,
                          enum oclmm_exit status, const char *before, const char *after)
{
	oclmm_text_add(text, before);
	report_verdict(text, tally, status);
	oclmm_text_printf(text, "%s\n", after);
	if (tally->left_out)
		oclmm_text_printf(text, "%s%s left out: this run does not verify conformance%s\n",
		                  before, oclmm_counted(tally->left_out, "test").text, after);
}

static void close_one(struct oclmm_text *text, const struct oclmm_run_header *header,
                      const struct oclmm_tally *tally, enum oclmm_exit status)
{
	uint64_t excused = oclmm_tally_infrastructure(tally) - tally->gating_infrastructure;

	oclmm_text_printf(text, "%s, ", oclmm_counted(oclmm_tally_tests(tally), "test").text);
	oclmm_report_quantity(text, (double)tally->instances);
	oclmm_text_printf(text, " instances, stimulus %016" PRIx64 "\n", tally->stimulus);
	print_reasons(text, tally);
	print_silence(text, tally);
	if (status == OCLMM_EXIT_NOTHING && tally->instances)
		oclmm_text_add(text,
		               "the device claims none of what the tests need; they gate with "
		               "--claims accepted\n");
	if (excused)
		oclmm_text_printf(text,
		                  "%" PRIu64
		                  " of the tests that could not be run to the end do not "
		                  "gate: the device does not claim what they need\n",
		                  excused);
	if (tally->interrupted)
		oclmm_text_add(text, "the run was interrupted\n");
	print_what_is_missing(text, header, tally);
	report_verdict(text, tally, status);
	oclmm_text_add(text, "\n");
}

/* Each by itself. */
static void
close_parts(struct oclmm_report *report, struct oclmm_text *text, const struct oclmm_tally *tally,
            void (*part)(struct oclmm_report *report, size_t number, struct oclmm_text *text))
{
	const struct oclmm_run_header *header = report->header;

	for (size_t i = 0; i < tally->part_count; i++, header = header->next) {
		const struct oclmm_tally *own = &tally->parts[i];

		oclmm_text_add(text, i ? "\n" : "");
		part(report, i, text);
		close_one(text, header, own, oclmm_tally_exit(own, header->strict));
	}
	oclmm_text_add(text, "\n");
}

void report_closing(struct oclmm_report *report, struct oclmm_text *text,
                    const struct oclmm_tally *tally, enum oclmm_exit status,
                    void (*part)(struct oclmm_report *report, size_t number,
                                 struct oclmm_text *text))
{
	if (tally->part_count == 0) {
		part(report, 0, text);
		close_one(text, report->header, tally, status);
		return;
	}
	close_parts(report, text, tally, part);
	report_verdict(text, tally, status);
	oclmm_text_add(text, "\n");
}
