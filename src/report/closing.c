// SPDX-License-Identifier: Apache-2.0
/* The last sentences of the reports for people. */
#include "internal.h"

#include <inttypes.h>

static const char *headline(enum oclmm_exit status, const struct oclmm_tally *tally)
{
	if (status == OCLMM_EXIT_FORBIDDEN && !tally->gating_forbidden)
		return "stale: listed outcomes no longer appear";
	switch (status) {
	case OCLMM_EXIT_PASS: return "pass";
	case OCLMM_EXIT_FORBIDDEN: return "FORBIDDEN outcomes were seen";
	case OCLMM_EXIT_INCONCLUSIVE: return "inconclusive";
	case OCLMM_EXIT_UNFINISHED: return "unfinished: some tests that can fail were not run";
	case OCLMM_EXIT_NOTHING: return "nothing applicable was run";
	case OCLMM_EXIT_INFRASTRUCTURE: return "incomplete: some tests could not be run to the end";
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

static void print_escape(struct oclmm_text *text, double escape)
{
	/* nobody tells smaller ones apart */
	if (escape < 1e-12)
		oclmm_text_add(text, "below 1e-12");
	else
		oclmm_text_printf(text, "%.2g", escape);
}

/* `compiler 1e-05, hardware never seen`: each kind's probability, or why there is none. */
static void print_kinds(struct oclmm_text *text, const struct oclmm_control *control)
{
	for (int i = OCLMM_CONTROL_KIND_COUNT; i-- > 0;) {
		const struct oclmm_kind_confidence *kind = &control->kinds[i];

		oclmm_text_printf(text, "%s ",
		                  oclmm_control_kind_speaks_for((enum oclmm_control_kind)i));
		if (kind->confidence == OCLMM_CONFIDENCE_REACHED ||
		    kind->confidence == OCLMM_CONFIDENCE_TOO_RARE)
			print_escape(text, kind->escape);
		else
			report_words(text, oclmm_confidence_word(kind->confidence));
		if (i)
			oclmm_text_add(text, ", ");
	}
	oclmm_text_printf(text, "; shown in fewer than %.2g of launches, if at all",
	                  control->limit);
}

void report_confidence(struct oclmm_text *text, const struct oclmm_control *control)
{
	if (control->by_launch) {
		print_kinds(text, control);
		return;
	}
	if (!control->seen) {
		oclmm_text_add(text, oclmm_confidence_meaning(control->confidence));
		if (control->name)
			oclmm_text_printf(text, " (%s)", control->name);
		return;
	}
	oclmm_text_printf(text, "control %s seen %" PRIu64 " times in ", control->name,
	                  control->seen);
	oclmm_report_quantity(text, (double)control->instances);
	if (control->per_second > 0) {
		oclmm_text_add(text, " (");
		oclmm_report_quantity(text, control->per_second);
		oclmm_text_add(text, "/s)");
	}
	oclmm_text_add(text, "; the bug would have escaped with probability ");
	print_escape(text, control->escape);
}

/* What the passes are worth, where that was looked at. */
static void print_silence(struct oclmm_text *text, const struct oclmm_tally *tally)
{
	uint64_t inconclusive = oclmm_tally_verdict(tally, OCLMM_VERDICT_INCONCLUSIVE);
	uint64_t reached = tally->confidences[OCLMM_CONFIDENCE_REACHED];
	uint64_t free_ones = tally->confidences[OCLMM_CONFIDENCE_NOT_NEEDED] +
	                     tally->confidences[OCLMM_CONFIDENCE_CONTROL];

	if (!inconclusive && !reached && !free_ones)
		return;
	oclmm_text_printf(text,
	                  "silence: %" PRIu64 " passes with confidence, %" PRIu64
	                  " that need none, %" PRIu64 " inconclusive\n",
	                  reached, free_ones, inconclusive);
	if (reached)
		oclmm_text_printf(text,
		                  "  99.999 %% for %" PRIu64
		                  "; were there a bug in each of the %" PRIu64
		                  ", as frequent as its control, %.2g would have escaped\n",
		                  tally->certain, reached, tally->escapes);
	for (int i = OCLMM_CONFIDENCE_TOO_RARE; i < OCLMM_CONFIDENCE_COUNT; i++) {
		enum oclmm_confidence confidence = (enum oclmm_confidence)i;

		if (tally->confidences[i])
			oclmm_text_printf(text, "  %-12s %6" PRIu64 "  %s\n",
			                  oclmm_confidence_word(confidence), tally->confidences[i],
			                  oclmm_confidence_meaning(confidence));
	}
}

static void print_what_is_missing(struct oclmm_text *text, const struct oclmm_run_header *header,
                                  const struct oclmm_tally *tally)
{
	uint64_t skipped = oclmm_tally_verdict(tally, OCLMM_VERDICT_SKIP);

	if (tally->left_out || skipped)
		oclmm_text_printf(text,
		                  "%" PRIu64 " tests were left out and %" PRIu64 " skipped: "
		                  "this run does not verify conformance\n",
		                  tally->left_out, skipped);
	else if (!header->whole_suite || header->shards)
		oclmm_text_add(text, "only part of the suite or of its instances was chosen: "
		                     "this run does not verify conformance\n");
}

/* What a run may claim, in one sentence. A bug here is what its control stands for. */
static void print_verdict(struct oclmm_text *text, const struct oclmm_tally *tally,
                          enum oclmm_exit status)
{
	uint64_t inconclusive = oclmm_tally_verdict(tally, OCLMM_VERDICT_INCONCLUSIVE);
	uint64_t reached = tally->confidences[OCLMM_CONFIDENCE_REACHED];
	uint64_t known = oclmm_tally_verdict(tally, OCLMM_VERDICT_KNOWN);

	oclmm_text_printf(text, "verdict: %s", headline(status, tally));
	if (status == OCLMM_EXIT_PASS || status == OCLMM_EXIT_INCONCLUSIVE) {
		oclmm_text_printf(text,
		                  ": of %" PRIu64 " tests that can fail and did not, %" PRIu64
		                  " with confidence (%" PRIu64 " hardware, %" PRIu64
		                  " compiler), %" PRIu64 " inconclusive; %" PRIu64
		                  " cannot fail, %" PRIu64 " undefined, %" PRIu64 " skipped",
		                  reached + inconclusive, reached,
		                  tally->reached[OCLMM_CONTROL_WEAKER],
		                  tally->reached[OCLMM_CONTROL_MOVED], inconclusive,
		                  tally->confidences[OCLMM_CONFIDENCE_NOT_NEEDED] +
		                          tally->confidences[OCLMM_CONFIDENCE_CONTROL],
		                  oclmm_tally_verdict(tally, OCLMM_VERDICT_UNDEFINED),
		                  oclmm_tally_verdict(tally, OCLMM_VERDICT_SKIP));
		if (known)
			oclmm_text_printf(text, ", %" PRIu64 " known failures", known);
	}
	oclmm_text_add(text, "\n");
}

void report_closing(struct oclmm_text *text, const struct oclmm_run_header *header,
                    const struct oclmm_tally *tally, enum oclmm_exit status)
{
	uint64_t excused = oclmm_tally_infrastructure(tally) - tally->gating_infrastructure;

	oclmm_text_printf(text, "%" PRIu64 " tests, ", oclmm_tally_tests(tally));
	oclmm_report_quantity(text, (double)tally->instances);
	oclmm_text_printf(text, " instances, stimulus %016" PRIx64 "\n", tally->stimulus);
	print_reasons(text, tally);
	print_silence(text, tally);
	print_verdict(text, tally, status);
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
}
