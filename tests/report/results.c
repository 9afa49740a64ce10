// SPDX-License-Identifier: Apache-2.0
/* Results read back: what was written comes back, what was not is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sample.h"

static char *make_text(struct sample *sample)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	sample_report(sample, &oclmm_report_json, &text);
	return oclmm_text_steal(&text);
}

static struct oclmm_results *parse(const char *text)
{
	struct oclmm_results *results = NULL;
	struct oclmm_error error = {0};

	if (oclmm_results_parse("x.jsonl", text, strlen(text), false, &error, &results) < 0)
		fail_msg("%u:%u: %s", error.position.line, error.position.column, error.message);
	return results;
}

/* A file of its own, read as those do who only look at records. */
static struct oclmm_results *read_records(const char *text)
{
	char path[] = "/tmp/oclmm-results-XXXXXX";
	struct oclmm_results *results = NULL;
	struct oclmm_error error = {0};
	int file = mkstemp(path), r;

	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	close(file);
	r = oclmm_results_read_records(path, false, &error, &results);
	unlink(path);
	if (r < 0)
		fail_msg("%u:%u: %s", error.position.line, error.position.column, error.message);
	return results;
}

static void same_text(const char *a, const char *b)
{
	assert_string_equal(a ? a : "(none)", b ? b : "(none)");
}

static void check_evidence(const struct oclmm_evidence *written, const struct oclmm_evidence *read)
{
	assert_int_equal(!read, !written);
	if (!read)
		return;
	assert_true(oclmm_evidence_fits(read, written));
	assert_int_equal(read->block_count, written->block_count);
	for (size_t i = 0; i < read->block_count; i++) {
		assert_true(read->blocks[i].repeat == written->blocks[i].repeat);
		assert_memory_equal(read->blocks[i].members, written->blocks[i].members,
		                    (1 + read->control_count) * sizeof(*read->blocks[i].members));
	}
	for (size_t i = 0; i < read->control_count; i++)
		assert_true(read->controls[i].instances == written->controls[i].instances);
	assert_int_equal(read->outcome_count, written->outcome_count);
	assert_memory_equal(read->outcomes[0].values, written->outcomes[0].values,
	                    2 * sizeof(int64_t));
	assert_true(read->outcomes[0].count == written->outcomes[0].count);
	assert_true(read->rounds == written->rounds && read->met == written->met);
}

static void check_record(const struct oclmm_record *written, const struct oclmm_record *read)
{
	same_text(read->program->name, written->program->name);
	assert_true(read->program->hash == written->program->hash);
	same_text(read->file, written->file);
	same_text(read->family, written->family);
	same_text(read->platform, written->platform);
	same_text(read->device, written->device);
	same_text(read->device_id, written->device_id);
	same_text(read->device_version, written->device_version);
	same_text(read->driver, written->driver);
	same_text(read->environment, written->environment);
	same_text(read->build_options, written->build_options);
	same_text(read->message, written->message);
	same_text(read->control, written->control);
	same_text(read->oracle, written->oracle);
	same_text(read->started, written->started);
	assert_int_equal(read->support, written->support);
	assert_int_equal(read->end, written->end);
	assert_true(read->master_seed == written->master_seed && read->seed == written->seed);
	assert_true(read->instances == written->instances && read->launches == written->launches);
	assert_true(read->seconds == written->seconds && read->attempts == written->attempts);
	assert_true(read->stimulus == written->stimulus &&
	            read->source_hash == written->source_hash);
	assert_int_equal(read->halved, written->halved);
	assert_memory_equal(&read->halved_at, &written->halved_at, sizeof(read->halved_at));
	assert_int_equal(read->grade.gates, written->grade.gates);
	assert_int_equal(read->grade.row_count, written->grade.row_count);
	same_text(read->grade.known, written->grade.known);
	check_evidence(written->evidence, read->evidence);
	for (uint32_t i = 0; i < read->grade.row_count; i++) {
		const struct oclmm_graded_row *a = &read->grade.rows[i],
					      *b = &written->grade.rows[i];

		assert_memory_equal(a->values, b->values, 2 * sizeof(*a->values));
		assert_true(a->count == b->count && a->status == b->status &&
		            a->deciding == b->deciding);
		assert_int_equal(a->witness, b->witness);
	}
}

static void test_round_trip(void **state)
{
	struct oclmm_results *results;
	struct sample sample;
	char *text;

	(void)state;
	sample_make(&sample, false);
	text = make_text(&sample);
	results = parse(text);
	assert_true(results->complete);
	assert_false(results->interrupted);
	assert_int_equal(results->run_count, 1);
	same_text(results->runs[0].header.device, "Pocket GPU");
	assert_true(results->runs[0].header.seed == 42);
	assert_int_equal(results->saved_count, SAMPLE_TESTS);
	for (size_t i = 0; i < SAMPLE_TESTS; i++)
		check_record(sample.records[i], &results->saved[i].record);
	oclmm_results_destroy(results);
	free(text);
	sample_finish(&sample);
}

/* A record that is joined with its test again is graded as it was. */
static void test_grades_again(void **state)
{
	struct oclmm_histogram *histograms[SAMPLE_TESTS];
	struct oclmm_record *records[SAMPLE_TESTS];
	struct oclmm_results *results;
	struct oclmm_tally tally = {.left_out = 2};
	struct sample sample;
	char *text;

	(void)state;
	sample_make(&sample, false);
	text = make_text(&sample);
	results = parse(text);
	for (size_t i = 0; i < SAMPLE_TESTS; i++) {
		const struct oclmm_grade_options options = {.expectations = sample.expectations,
		                                            .today = 20260615};

		assert_int_equal(oclmm_saved_bind(&results->saved[i], sample.records[i]->program,
		                                  &histograms[i]),
		                 0);
		records[i] = &results->saved[i].record;
		records[i]->expected = sample.records[i]->expected;
		oclmm_grade(records[i], &options);
	}
	oclmm_grade_confidence(records, SAMPLE_TESTS, &sample.header.demand);
	for (size_t i = 0; i < SAMPLE_TESTS; i++) {
		assert_int_equal(records[i]->grade.verdict, sample.records[i]->grade.verdict);
		assert_true(records[i]->grade.control.escape ==
		            sample.records[i]->grade.control.escape);
		assert_true(records[i]->grade.weak == sample.records[i]->grade.weak);
		oclmm_tally_add(&tally, records[i]);
	}
	assert_memory_equal(&tally, &sample.tally, sizeof(tally));
	for (size_t i = 0; i < SAMPLE_TESTS; i++) {
		oclmm_grade_finish(&records[i]->grade);
		oclmm_histogram_destroy(histograms[i]);
	}
	oclmm_results_destroy(results);
	free(text);
	sample_finish(&sample);
}

/* Replaces the first `from` of a sample's text. */
static char *damage(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	struct oclmm_text damaged;

	oclmm_text_init(&damaged);
	if (!at)
		fail_msg("no %s", from);
	oclmm_text_add_bytes(&damaged, text, (size_t)(at - text));
	oclmm_text_add(&damaged, to);
	oclmm_text_add(&damaged, at + strlen(from));
	return oclmm_text_steal(&damaged);
}

/* Before files said what failed, they said that something had; and `grade` called a test lost that
 * the oracle did not answer. */
static void test_older_ends(void **state)
{
	static const struct {
		const char *from, *to;
		enum oclmm_end end;
	} cases[] = {
		{"\"ended\":\"crash\",\"cause\":\"device-error\",", "\"ended\":\"crash\",",
	         OCLMM_END_CRASH},
		{"\"ended\":\"crash\",\"cause\":\"device-error\",",
	         "\"ended\":\"lost\",\"cause\":null,", OCLMM_END_LOST},
		{"\"ended\":\"crash\",\"cause\":\"device-error\",",
	         "\"ended\":\"timeout\",\"cause\":null,", OCLMM_END_TIMEOUT},
		{"\"ended\":\"crash\",\"cause\":\"device-error\",", "\"ended\":\"build-failed\",",
	         OCLMM_END_BUILD_FAILED},
		{"\"ended\":\"crash\",\"cause\":\"device-error\",",
	         "\"ended\":\"lost\",\"cause\":\"oracle\",", OCLMM_END_ORACLE},
	};
	struct sample sample;
	char *text;

	(void)state;
	sample_make(&sample, false);
	text = make_text(&sample);
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		char *older = damage(text, cases[i].from, cases[i].to);
		struct oclmm_results *results = parse(older);

		assert_int_equal(results->saved[6].record.end, cases[i].end);
		oclmm_results_destroy(results);
		free(older);
	}
	free(text);
	sample_finish(&sample);
}

/* Another test of the same name is not graded by mistake. */
static void test_changed_test(void **state)
{
	struct oclmm_histogram *histogram = NULL;
	struct oclmm_results *results;
	struct oclmm_program other;
	struct sample sample;
	char *text;

	(void)state;
	sample_make(&sample, false);
	text = make_text(&sample);
	results = parse(text);
	other = *sample.records[0]->program;
	other.hash++;
	assert_int_equal(oclmm_saved_bind(&results->saved[0], &other, &histogram), -ESTALE);
	other.hash--;
	other.observable_count = 1;
	assert_int_equal(oclmm_saved_bind(&results->saved[0], &other, &histogram), -EINVAL);
	assert_null(histogram);
	oclmm_results_destroy(results);
	free(text);
	sample_finish(&sample);
}

/* What a killed run leaves behind: any prefix is refused, or read in part where that was asked
 * for. */
static void test_prefixes(void **state)
{
	struct sample sample;
	char *text;
	size_t length;

	(void)state;
	sample_make(&sample, false);
	text = make_text(&sample);
	length = strlen(text);
	for (size_t cut = strcspn(text, "\n") + 1; cut < length; cut += 7) {
		struct oclmm_results *results = NULL;
		struct oclmm_error error = {0};
		int r = oclmm_results_parse("x", text, cut, false, &error, &results);

		assert_int_equal(r, text[cut - 1] == '\n' ? 0 : -EINVAL);
		if (r == 0)
			assert_false(results->complete);
		oclmm_results_destroy(results);
		assert_int_equal(oclmm_results_parse("x", text, cut, true, &error, &results), 0);
		assert_false(results->complete);
		oclmm_results_destroy(results);
	}
	free(text);
	sample_finish(&sample);
}

/* Blanks between the parts of a line, brackets and the key itself in its texts change nothing. */
static void test_outcomes_one_by_one(void **state)
{
	struct oclmm_results *wanted, *got;
	struct oclmm_text spaced;
	struct sample sample;
	bool quoted = false;
	char *text;

	(void)state;
	sample_make(&sample, false);
	text = make_text(&sample);
	oclmm_text_init(&spaced);
	for (const char *c = text; *c; c++) {
		quoted ^= *c == '"' && c[-1] != '\\';
		oclmm_text_add_bytes(&spaced, c, 1);
		if (!quoted && strchr("{}[],:", *c))
			oclmm_text_add(&spaced, " \t");
	}
	wanted = parse(text);
	got = parse(oclmm_text_string(&spaced));
	assert_int_equal(got->saved_count, wanted->saved_count);
	for (size_t i = 0; i < got->saved_count; i++) {
		assert_int_equal(got->saved[i].record.grade.row_count,
		                 wanted->saved[i].record.grade.row_count);
		assert_string_equal(got->saved[i].text, wanted->saved[i].text);
		/* as it was written: it is canonical already */
		assert_non_null(strstr(text, got->saved[i].text));
	}
	oclmm_results_destroy(wanted);
	oclmm_results_destroy(got);
	oclmm_text_finish(&spaced);
	free(text);
	sample_finish(&sample);
}

#define HALVED_AT                                                                                  \
	"\"halved_at\" is not an array of 1 to 32 whole numbers from 0 to 2^53, each above the "   \
	"one before"

/* Older files say how often, and not where. */
static void test_halved_somewhere(void **state)
{
	const struct oclmm_record *record;
	struct oclmm_results *results;
	struct oclmm_text replay;
	struct sample sample;
	char *text, *older;

	(void)state;
	sample_make(&sample, false);
	text = make_text(&sample);
	older = damage(text, ",\"halved_at\":[0,2]", "");
	results = parse(older);
	record = &results->saved[1].record;
	assert_int_equal(record->halved, 2);
	assert_int_equal(record->halved_at.count, 0);
	oclmm_text_init(&replay);
	oclmm_report_halvings(&replay, &record->halved_at);
	assert_string_equal(oclmm_text_string(&replay), "");
	oclmm_text_finish(&replay);
	oclmm_results_destroy(results);
	free(older);
	free(text);
	sample_finish(&sample);
}

/* Each damage is refused, with the line and the key. */
static void test_refused(void **state)
{
	static const struct {
		const char *from, *to, *message, *at;
		uint32_t line;
	} cases[] = {
		{"\"type\":\"run\"", "\"type\":\"runs\"",
	         "\"runs\" outside of a run: a \"run\" line comes first", "\"type\"", 1},
		{"\"format\":1", "\"format\":2", "format 2, this program reads 1", "\"format\"", 1},
		{"\"shards\":0", "\"shards\":3", "there is no shard 0 of 3", "\"shard\"", 1},
		{"\"seed\":\"42\"", "\"seed\":42",
	         "\"seed\" is not a string of decimal digits below 2^64", "\"seed\"", 1},
		{"\"seed\":\"42\"", "\"seed\":\"18446744073709551616\"",
	         "\"seed\" is not a string of decimal digits below 2^64", "\"seed\"", 1},
		{"\"file\":", "\"flie\":", "the key \"file\" is missing", "{", 2},
		{"\"file\":", "\"more\":0,\"file\":", "unknown key \"more\"", "\"more\"", 2},
		{"\"file\":", "\"file\":null,\"file\":",
	         "not JSON: duplicate object key near '\"file\"'", NULL, 2},
		{"\"class\":\"claimed\"", "\"class\":\"claims\"",
	         "\"class\" is not one of claimed, accepted, unsupported", "\"class\"", 2},
		{"\"verdict\":\"pass\"", "\"verdict\":\"good\"",
	         "\"verdict\" is not one of pass, inconclusive, forbidden, disputed, undefined, "
	         "skip, build-failed, crash, timeout, lost, known, stale",
	         "\"verdict\"", 2},
		{"\"ended\":\"ok\"", "\"ended\":\"\"",
	         "\"ended\" is not one of ok, unsupported, build-failed, crash, timeout, lost",
	         "\"ended\"", 2},
		{"\"ended\":\"crash\"", "\"ended\":\"timeout\"",
	         "\"cause\" is device-error, which does not end as timeout", "\"cause\"", 8},
		{"\"cause\":null", "\"cause\":\"hang\"",
	         "\"cause\" is hang, which does not end as ok", "\"cause\"", 2},
		{"\"count\":96", "\"count\":-1", "\"count\" is not a whole number from 0 to 2^53",
	         "\"count\"", 2},
		{"\"count\":96", "\"count\":9007199254740993",
	         "\"count\" is not a whole number from 0 to 2^53", "\"count\"", 2},
		{"\"count\":96", "\"count\":9223372036854775808", "\"count\" is too large a number",
	         "\"count\"", 2},
		{"\"count\":96", "\"count\":9007199254740992",
	         "the counts sum up to more than 2^53", "\"outcomes\"", 2},
		{"\"count\":96", "\"count\":96.0", "\"count\" is not a whole number from 0 to 2^53",
	         "\"count\"", 2},
		{"\"cut\":0", "\"cut\":9007199254740992", "the counts sum up to more than 2^53",
	         "\"outcomes\"", 2},
		{"\"seconds\":", "\"seconds\":-", "\"seconds\" is not a number from 0",
	         "\"seconds\"", 2},
		{"\"seconds\":", "\"seconds\":1e999,\"x\":", "\"seconds\" is too large a number",
	         "\"seconds\"", 2},
		{"\"attempts\":1", "\"attempts\":4294967296",
	         "\"attempts\" is not a whole number from 0 to 2^32-1", "\"attempts\"", 2},
		{"\"halved_at\":[0,2]", "\"halved_at\":[2,2]", HALVED_AT, "\"halved_at\"", 3},
		{"\"halved_at\":[0,2]", "\"halved_at\":[]", HALVED_AT, "\"halved_at\"", 3},
		{"\"halved_at\":[0,2]", "\"halved_at\":[0,-2]", HALVED_AT, "\"halved_at\"", 3},
		{"\"halved_at\":[0,2]", "\"halved_at\":2", HALVED_AT, "\"halved_at\"", 3},
		{"\"halved_at\":[0,2]",
	         "\"halved_at\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,"
	         "17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32]",
	         HALVED_AT, "\"halved_at\"", 3},
		{"\"halved_at\":[0,2]", "\"halved_at\":[2]",
	         "\"halved_at\" names 1 launches, \"halved\" counts 2", "\"halved_at\"", 3},
		{"\"halved\":2,", "", "\"halved_at\" names 2 launches, \"halved\" counts 0",
	         "\"halved_at\"", 3},
		{"\"first_launch\":0"
	         ",\"master_seed\":\"42\",\"seed\":\"18446744073709551615\","
	         "\"stimulus\":\"00000000000000aa\",\"halved\":2",
	         "\"first_launch\":1"
	         ",\"master_seed\":\"42\",\"seed\":\"18446744073709551615\","
	         "\"stimulus\":\"00000000000000aa\",\"halved\":2",
	         "\"halved_at\" has a launch before \"first_launch\"", "\"halved_at\"", 3},
		{"\"started\":\"2026-06-15T12", "\"started\":\"2026-06-15 12",
	         "\"started\" is not a time such as 2026-01-31T12:00:00Z, or null", "\"started\"",
	         1},
		{"\"tool\":\"", "\"tool\":\"\",\"x\":\"",
	         "\"tool\" is not a string that is not empty", "\"tool\"", 1},
		{"\"instances\":1000000,\"cut\"", "\"instances\":9007199254740992,\"cut\"",
	         "the instances of all tests up to here are more than 2^53", "\"instances\"", 3},
		{"\"launches\":3,", "\"launches\":9007199254740992,",
	         "the launches of all tests up to here are more than 2^53", "\"launches\"", 3},
		{"\"escape\":", "\"escape\":1.5,\"x\":", "\"escape\" is not a number from 0 to 1",
	         "\"escape\"", 11},
		{"\"skip\":", "\"skip\":-",
	         "\"verdicts\" is not an object with whole numbers from 0 "
	         "to 2^53 for pass, inconclusive, forbidden, disputed, undefined, skip, "
	         "build-failed, crash, timeout, lost, known, stale",
	         "\"verdicts\"", 14},
		{"\"skip\":", "\"skipped\":",
	         "\"verdicts\" is not an object with whole numbers from 0 "
	         "to 2^53 for pass, inconclusive, forbidden, disputed, undefined, skip, "
	         "build-failed, crash, timeout, lost, known, stale",
	         "\"verdicts\"", 14},
		{"\"exit\":", "\"exit\":2,\"x\":", "\"exit\" is not one of 0, 1, 3, 4, 77, 99",
	         "\"exit\"", 14},
		{"\"values\":{\"0:r0\":0,", "\"values\":{\"0:r0\":\"a\",",
	         "the value of \"0:r0\" is no number", "\"0:r0\"", 2},
		{"\"witness\":false},{", "\"witness\":false}{", "not JSON: ']' expected near '{'",
	         NULL, 2},
		{"\"witness\":false},{", "\"witness\":false},,{",
	         "not JSON: unexpected token near ','", NULL, 2},
		{"\"outcomes\":[", "\"outcomes\":[0,", "\"outcome\" is no object", "{", 2},
		{"],\"evidence\"", ",],\"evidence\"", "not JSON: unexpected token near ']'", NULL,
	         6},
		{"\"outcomes\":[", "\"outcomes\":[],\"outcomes\":[",
	         "not JSON: duplicate object key near '\"outcomes\"'", NULL, 2},
		{"\"outcomes\":[", "\"\\u006futcomes\":[",
	         "the key \"outcomes\" is spelled with escapes", "{", 2},
		{"\"outcomes\":[", "\"outcomes\":{\"outcomes\":[],\"x\":[",
	         "not JSON: '}' expected near end of file", NULL, 2},
		{"\"1:r0\":1},", "\"2:r0\":1},", "an outcome lacks \"1:r0\"", "\"outcomes\"", 2},
		{"\"status\":\"allowed\"", "\"status\":\"fine\"",
	         "\"status\" is not one of forbidden, allowed, disputed, undefined", "\"status\"",
	         2},
		{"\"K8\"", "\"K99\"",
	         "\"deciding\" is not an array of K1, K2, K3, K4, K5, K6, K7, K8, K9, K10, K11, "
	         "K12, K13",
	         "\"deciding\"", 4},
		{"\"kind\":\"moved\"", "\"kind\":\"other\"", "\"kind\" is not one of weaker, moved",
	         "\"kind\"", 6},
		{"\"name\":\"SB+silent~exchange-P0.1-2\"", "\"name\":\"SB\"",
	         "the control \"SB\" stands twice", "\"controls\"", 6},
		{"\"name\":\"SB\"", "\"name\":\"SB2\"", "the control \"SB\" is missing",
	         "\"controls\"", 6},
		{"[1,1,0,1,0,1,1]", "[1,1,0,1,0]",
	         "block 1 has 5 numbers, the test and its controls need 7, or 10 with their "
	         "instances",
	         "\"blocks\"", 6},
		{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,1,2,50000,1,1,50000]",
	         "block 2 has hits in 2 launches of 1", "\"blocks\"", 6},
		{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,-1,1,50000,1,1,50000]",
	         "block 2 has a count that is no whole number from 0", "\"blocks\"", 6},
		{"[19,1,0,50000,1,1,50000,1,1,50000]", "[0,1,0,50000,1,1,50000,1,1,50000]",
	         "block 2 did not run: it is repeated 0 times", "\"blocks\"", 6},
		{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,4097,1,50000,1,1,50000]",
	         "block 2 has too many launches; a block has at most 4096", "\"blocks\"", 6},
		{"[19,1,0,50000,1,1,50000,1,1,50000]",
	         "[9007199254740993,1,0,50000,1,1,50000,1,1,50000]",
	         "block 2 has too many launches; a block has at most 4096", "\"blocks\"", 6},
		{"[19,1,0,50000,1,1,50000,1,1,50000]",
	         "[99999999999999999999,1,0,50000,1,1,50000,1,1,50000]",
	         "\"blocks\" is too large a number", "\"blocks\"", 6},
		{"[19,1,0,50000,1,1,50000,1,1,50000]", "[20,1,0,50000,1,1,50000,1,1,50000]",
	         "the blocks have 21 launches of the test, which had 20", "\"blocks\"", 6},
		{"\"instances\":1000000}", "\"instances\":19}",
	         "the control \"SB\" has 20 launches and 19 instances", "\"controls\"", 6},
		{"\"count\":77", "\"count\":38",
	         "the controls have hits in 39 launches, and showed 38 outcomes", "\"shown\"", 6},
		{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,1,1,50001,1,1,50000]",
	         "block 2 has launches with different numbers of instances", "\"blocks\"", 6},
		{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,2,1,50000,1,1,50000]",
	         "block 2 has launches with different numbers of instances", "\"blocks\"", 6},
		{"\"met\":1200", "\"met\":3001", "the roles met in 3001 rounds of 3000", "\"met\"",
	         6},
		{"\"shown\":[{", "\"shown\":[0,{", "\"shown\" is no object", "\"shown\"", 6},
		{"\"rounds\":3000", "\"round\":3000", "the key \"rounds\" is missing", "{", 6},
		{"\"type\":\"confidence\"", "\"type\":\"confidents\"",
	         "unknown type \"confidents\"", "\"type\"", 11},
		{"\"records\":9", "\"records\":8",
	         "the manifest counts 8 test lines, the file has 9", "\"records\"", 14},
	};
	struct sample sample;
	char *text;

	(void)state;
	sample_make(&sample, false);
	text = make_text(&sample);
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		char *damaged = damage(text, cases[i].from, cases[i].to), *line = damaged;
		struct oclmm_results *results = NULL;
		struct oclmm_error error = {0};

		assert_int_equal(oclmm_results_parse("x", damaged, strlen(damaged), true, &error,
		                                     &results),
		                 -EINVAL);
		assert_null(results);
		assert_string_equal(error.message, cases[i].message);
		assert_string_equal(error.file, "x");
		assert_int_equal(error.position.line, cases[i].line);
		for (uint32_t k = 1; k < cases[i].line; k++)
			line = strchr(line, '\n') + 1;
		if (cases[i].at)
			assert_memory_equal(line + error.position.column - 1, cases[i].at,
			                    strlen(cases[i].at));
		free(damaged);
	}
	free(text);
	sample_finish(&sample);
}

/* Whatever a disk does to a file, reading it ends, with results or with a reason. */
static void test_random_damage(void **state)
{
	struct sample sample;
	char *text;
	size_t length;

	(void)state;
	sample_make(&sample, false);
	text = make_text(&sample);
	length = strlen(text);
	for (uint64_t round = 0; round < 3000; round++) {
		uint64_t key = oclmm_random_derive(round, "damage");
		char *damaged = oclmm_strdup(text);
		struct oclmm_results *results = NULL;
		struct oclmm_error error = {0};

		for (uint64_t i = 0; i < 1 + round % 3; i++)
			damaged[oclmm_random_below(key, 2 * i, length)] =
				(char)oclmm_random_below(key, 2 * i + 1, 256);
		if (oclmm_results_parse("x", damaged, length, round % 2, &error, &results) < 0)
			assert_true(error.message[0]);
		else
			assert_int_equal(results->saved_count, SAMPLE_TESTS);
		oclmm_results_destroy(results);
		free(damaged);
	}
	free(text);
	sample_finish(&sample);
}

static void test_not_results(void **state)
{
	static const char *const texts[] = {
		"", "{}\n", "[]\n", "null\n", "\n", "x\n", "{\"type\":\"end\"}\n"};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(texts); i++) {
		struct oclmm_results *results = NULL;
		struct oclmm_error error = {0};

		assert_int_equal(oclmm_results_parse("x", texts[i], strlen(texts[i]), true, &error,
		                                     &results),
		                 -EINVAL);
		assert_true(error.message[0]);
	}
}

/* What compare looks at is the same, and the texts were not made. */
static void test_records_alone(void **state)
{
	struct oclmm_results *whole, *alone;
	struct sample sample;
	char *text;

	(void)state;
	sample_make(&sample, false);
	text = make_text(&sample);
	whole = parse(text);
	alone = read_records(text);
	assert_int_equal(alone->run_count, whole->run_count);
	assert_int_equal(alone->saved_count, whole->saved_count);
	assert_null(alone->runs[0].text);
	for (size_t i = 0; i < whole->saved_count; i++) {
		struct oclmm_grade *a = &alone->saved[i].record.grade,
				   *b = &whole->saved[i].record.grade;

		assert_non_null(whole->saved[i].text);
		assert_null(alone->saved[i].text);
		assert_int_equal(oclmm_saved_compare(&alone->saved[i], &whole->saved[i]), 0);
		assert_int_equal(a->verdict, b->verdict);
		assert_int_equal(a->row_count, b->row_count);
		for (uint32_t k = 0; k < a->row_count; k++)
			assert_true(a->rows[k].count == b->rows[k].count);
	}
	oclmm_results_destroy(alone);
	oclmm_results_destroy(whole);
	free(text);
	sample_finish(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),          cmocka_unit_test(test_records_alone),
		cmocka_unit_test(test_grades_again),        cmocka_unit_test(test_changed_test),
		cmocka_unit_test(test_older_ends),          cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_halved_somewhere),    cmocka_unit_test(test_refused),
		cmocka_unit_test(test_outcomes_one_by_one), cmocka_unit_test(test_not_results),
		cmocka_unit_test(test_random_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
