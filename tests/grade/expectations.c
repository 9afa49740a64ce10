// SPDX-License-Identifier: Apache-2.0

#include "../fixture/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture/record.h"

#define A OCLMM_STATUS_ALLOWED
#define F OCLMM_STATUS_FORBIDDEN

static struct oclmm_expectations *parse(const char *text)
{
	struct oclmm_expectations *expectations = NULL;
	struct oclmm_error error = {0};

	if (oclmm_expectations_parse("known", text, strlen(text), &error, &expectations) < 0)
		fail_msg("%u:%u: %s", error.position.line, error.position.column, error.message);
	return expectations;
}

/* The verdict of a test on a "Pocket GPU" with driver 1.2, on 2026-06-15. */
static enum oclmm_verdict verdict_of(const char *text, enum oclmm_status weak, enum oclmm_end end,
                                     const uint64_t counts[4])
{
	struct oclmm_expectations *expectations = parse(text);
	const struct oclmm_grade_options options = {
		.expectations = expectations,
		.today = oclmm_date(2026, 6, 15),
	};
	enum oclmm_verdict verdict;
	struct made made;

	made_init(&made, "SB+sc", weak, counts);
	made.record.end = end;
	made_grade(&made, &options);
	verdict = made.record.grade.verdict;
	if (verdict == OCLMM_VERDICT_KNOWN || verdict == OCLMM_VERDICT_STALE)
		assert_string_equal(made.record.grade.known, "why");
	else
		assert_null(made.record.grade.known);
	made_finish(&made);
	oclmm_expectations_destroy(expectations);
	return verdict;
}

TEST(test_forbidden)
{
	static const struct {
		const char *text;
		enum oclmm_verdict verdict;
	} cases[] = {
		{"* | * | * | forbidden | * | why | 2026-12-31", OCLMM_VERDICT_KNOWN},
		{"Pocket* | 1.* | SB+* | forbidden | 0:r0=0; 1:r0=0; | why | 2026-06-15",
	         OCLMM_VERDICT_KNOWN},
		{"*|*|*|forbidden|1:r0=0;0:r0=0|why|2026-12-31", OCLMM_VERDICT_KNOWN},
		{"# a comment\n\n  # another\n*|*|*|forbidden|*|why|2026-12-31\r\n",
	         OCLMM_VERDICT_KNOWN},
		/* another outcome, test, device, driver, status, or too late */
		{"* | * | * | forbidden | 0:r0=0; 1:r0=1; | why | 2026-12-31",
	         OCLMM_VERDICT_FORBIDDEN},
		{"* | * | * | forbidden | 0:r0=0; | why | 2026-12-31", OCLMM_VERDICT_FORBIDDEN},
		{"* | * | MP* | forbidden | * | why | 2026-12-31", OCLMM_VERDICT_FORBIDDEN},
		{"Desk* | * | * | forbidden | * | why | 2026-12-31", OCLMM_VERDICT_FORBIDDEN},
		{"* | 2.* | * | forbidden | * | why | 2026-12-31", OCLMM_VERDICT_FORBIDDEN},
		{"* | * | * | crash | * | why | 2026-12-31", OCLMM_VERDICT_FORBIDDEN},
		{"* | * | * | forbidden | * | why | 2026-06-14", OCLMM_VERDICT_FORBIDDEN},
		{"", OCLMM_VERDICT_FORBIDDEN},
	};

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++)
		assert_int_equal(verdict_of(cases[i].text, F, OCLMM_END_OK,
		                            (const uint64_t[]){3, 5, 5, 0}),
		                 cases[i].verdict);
}

/* A known failure does not cover another one of the same test. */
TEST(test_a_different_outcome_fails)
{
	const char *one = "*|*|*|forbidden|0:r0=0; 1:r0=0;|why|2026-12-31\n";
	const char *both = "*|*|*|forbidden|0:r0=0; 1:r0=0;|why|2026-12-31\n"
			   "*|*|*|forbidden|0:r0=0; 1:r0=7;|why|2026-12-31\n";

	for (int i = 0; i < 2; i++) {
		struct oclmm_expectations *expectations = parse(i ? both : one);
		const struct oclmm_grade_options options = {.expectations = expectations,
		                                            .today = 20260615};
		struct made made;

		made_init(&made, "SB", F, (const uint64_t[]){3, 5, 5, 0});
		oclmm_histogram_add(made.record.counts.histogram, (const int64_t[]){0, 7}, 1);
		made.record.counts.instances++;
		made_grade(&made, &options);
		assert_int_equal(made.record.grade.verdict,
		                 i ? OCLMM_VERDICT_KNOWN : OCLMM_VERDICT_FORBIDDEN);
		made_finish(&made);
		oclmm_expectations_destroy(expectations);
	}
}

TEST(test_stale)
{
	const uint64_t silent[] = {0, 5, 5, 0};

	assert_int_equal(verdict_of("*|*|SB+sc|forbidden|*|why|2026-12-31", F, OCLMM_END_OK,
	                            silent),
	                 OCLMM_VERDICT_STALE);
	assert_int_equal(verdict_of("*|*|SB+sc|crash|*|why|2026-12-31", F, OCLMM_END_OK, silent),
	                 OCLMM_VERDICT_STALE);
	assert_int_equal(verdict_of("*|*|SB+sc|forbidden|*|why|2026-06-14", F, OCLMM_END_OK,
	                            silent),
	                 OCLMM_VERDICT_PASS);
	assert_int_equal(verdict_of("*|*|MP|forbidden|*|why|2026-12-31", F, OCLMM_END_OK, silent),
	                 OCLMM_VERDICT_PASS);
	/* a line for many tests is not stale because one of them passes */
	assert_int_equal(verdict_of("*|*|SB*|forbidden|*|why|2026-12-31", F, OCLMM_END_OK, silent),
	                 OCLMM_VERDICT_PASS);
	assert_int_equal(verdict_of("*|*|SB*|forbidden|*|why|2026-12-31\n"
	                            "*|*|SB+sc|forbidden|*|why|2026-12-31\n"
	                            "*|*|*|forbidden|*|why|2026-12-31",
	                            F, OCLMM_END_OK, silent),
	                 OCLMM_VERDICT_STALE);
	/* a test that was not run to the end says nothing about what it would show */
	assert_int_equal(verdict_of("*|*|*|forbidden|*|why|2026-12-31", F, OCLMM_END_UNSUPPORTED,
	                            silent),
	                 OCLMM_VERDICT_SKIP);
	assert_int_equal(verdict_of("*|*|*|forbidden|*|why|2026-12-31", F, OCLMM_END_TIMEOUT,
	                            silent),
	                 OCLMM_VERDICT_TIMEOUT);
}

/* A line for many tests is, when none of them fails any more. */
TEST(test_stale_lines)
{
	static const struct {
		const char *lines, *stale;
		enum oclmm_verdict a, b; /* of SB+a and SB+b; MP passes */
	} cases[] = {
		{"*|*|SB+*|forbidden|*|why|2026-12-31", "", OCLMM_VERDICT_KNOWN,
	         OCLMM_VERDICT_PASS},
		{"*|*|SB+*|forbidden|*|why|2026-12-31", "1: SB+*", OCLMM_VERDICT_INCONCLUSIVE,
	         OCLMM_VERDICT_PASS},
		{"#\n*|*|SB+*|crash|*|why|2026-12-31", "2: SB+*", OCLMM_VERDICT_PASS,
	         OCLMM_VERDICT_SKIP},
		/* nothing of it ran, or not to the end */
		{"*|*|SB+*|forbidden|*|why|2026-12-31", "", OCLMM_VERDICT_SKIP, OCLMM_VERDICT_SKIP},
		{"*|*|SB+*|forbidden|*|why|2026-12-31", "", OCLMM_VERDICT_TIMEOUT,
	         OCLMM_VERDICT_PASS},
		{"*|*|SB+*|forbidden|*|why|2026-12-31", "", OCLMM_VERDICT_FORBIDDEN,
	         OCLMM_VERDICT_PASS},
		/* of another device, too late, or of one test, whose verdict tells */
		{"Desk*|*|SB+*|forbidden|*|why|2026-12-31", "", OCLMM_VERDICT_PASS,
	         OCLMM_VERDICT_PASS},
		{"*|*|SB+*|forbidden|*|why|2026-06-14", "", OCLMM_VERDICT_PASS, OCLMM_VERDICT_PASS},
		{"*|*|SB+a|forbidden|*|why|2026-12-31", "", OCLMM_VERDICT_STALE,
	         OCLMM_VERDICT_PASS},
		/* each line by itself */
		{"*|*|SB+*|forbidden|*|why|2026-12-31\n*|*|MP*|crash|*|why|2026-12-31", "2: MP*",
	         OCLMM_VERDICT_KNOWN, OCLMM_VERDICT_PASS},
		{"*|*|*P|forbidden|*|why|2026-12-31\n*|*|?B+[ab]|crash|*|why|2026-12-31",
	         "1: *P;2: ?B+[ab]", OCLMM_VERDICT_PASS, OCLMM_VERDICT_PASS},
	};

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		const struct oclmm_suspect ended[] = {
			{.device = "Pocket", .driver = "1", .test = "SB+a", .verdict = cases[i].a},
			{.device = "Pocket", .driver = "1", .test = "SB+b", .verdict = cases[i].b},
			{.device = "Pocket", .test = "MP", .verdict = OCLMM_VERDICT_PASS},
		};
		struct oclmm_expectations *expectations = parse(cases[i].lines);
		struct oclmm_text lines = {0}, wanted = {0};
		size_t count = 0;

		for (const char *at = cases[i].stale; *at; at += *at == ';') {
			size_t number = strcspn(at, ":"), name = strcspn(at + number + 2, ";");

			oclmm_text_printf(
				&wanted,
				"known:%.*s: stale: no test that %.*s names fails any more\n",
				(int)number, at, (int)name, at + number + 2);
			at += number + 2 + name;
			count++;
		}
		assert_int_equal(oclmm_expectations_stale(expectations, ended, OCLMM_COUNT(ended),
		                                          20260615, &lines),
		                 count);
		assert_string_equal(oclmm_text_string(&lines), oclmm_text_string(&wanted));
		oclmm_text_finish(&lines);
		oclmm_text_finish(&wanted);
		oclmm_expectations_destroy(expectations);
	}
}

TEST(test_infrastructure)
{
	const uint64_t none[] = {0, 0, 0, 0};
	struct oclmm_tally tally = {0};
	struct oclmm_record record = {.end = OCLMM_END_CRASH};

	assert_int_equal(verdict_of("*|*|*|crash|*|why|2026-12-31", F, OCLMM_END_CRASH, none),
	                 OCLMM_VERDICT_KNOWN);
	assert_int_equal(verdict_of("*|*|*|timeout|*|why|2026-12-31", F, OCLMM_END_CRASH, none),
	                 OCLMM_VERDICT_CRASH);
	/* a run of nothing but known crashes ran nothing */
	record.grade = (struct oclmm_grade){.verdict = OCLMM_VERDICT_KNOWN, .gates = true};
	record.program = &(const struct oclmm_program){.name = "SB"};
	oclmm_tally_add(&tally, &record);
	assert_int_equal(oclmm_tally_exit(&tally, false), OCLMM_EXIT_NOTHING);
}

static char *read_golden(const char *name, const char *suffix)
{
	const char *folder = getenv("OCLMM_GOLDEN");
	size_t length;
	char path[512], *text;

	assert_non_null(folder);
	snprintf(path, sizeof(path), "%s/%s.%s", folder, name, suffix);
	if (oclmm_read_file(path, &text, &length) < 0)
		fail_msg("cannot read %s", path);
	return text;
}

/* What is refused, word for word, and where. */
TEST(test_refused)
{
	static const char *const names[] = {
		"few-fields", "many-fields",      "empty-field", "status",
		"outcome",    "outcome-of-crash", "date",        "day",
	};

	for (size_t i = 0; i < OCLMM_COUNT(names); i++) {
		char *text = read_golden(names[i], "expectations"),
		     *wanted = read_golden(names[i], "golden");
		struct oclmm_expectations *expectations = NULL;
		struct oclmm_error error = {0};
		char *message, path[64];

		snprintf(path, sizeof(path), "%s.expectations", names[i]);
		assert_int_equal(oclmm_expectations_parse(path, text, strlen(text), &error,
		                                          &expectations),
		                 -EINVAL);
		assert_null(expectations);
		message = oclmm_error_format(&error);
		assert_string_equal(message, wanted);
		free(message);
		free(wanted);
		free(text);
	}
}

/* Any text is read to its end or refused at a place of its own. */
TEST(test_random_damage)
{
	static const char text[] =
		"# known\nPocket* | 1.* | SB.* | forbidden | 0:r0=0; 1:r0=-1; | why | 2026-12-31\n"
		"*|*|*|crash|*|why|2026-02-28\n";
	static const char letters[] = "|;=*# \n\t-0aZ\xff";

	for (uint64_t round = 0; round < 5000; round++) {
		uint64_t key = oclmm_random_derive(round, "damage");
		struct oclmm_expectations *expectations = NULL;
		struct oclmm_error error = {0};
		char damaged[sizeof(text)];

		memcpy(damaged, text, sizeof(text));
		for (uint64_t i = 0; i < 1 + round % 4; i++)
			damaged[oclmm_random_below(key, 2 * i, sizeof(text) - 1)] =
				letters[oclmm_random_below(key, 2 * i + 1, sizeof(letters) - 1)];
		if (oclmm_expectations_parse("x", damaged, sizeof(text) - 1, &error,
		                             &expectations) < 0) {
			char *message = oclmm_error_format(&error);

			assert_in_range(error.position.line, 1, 8);
			assert_in_range(error.position.column, 1, sizeof(text));
			free(message);
		}
		oclmm_expectations_destroy(expectations);
	}
}

TEST(test_no_file)
{
	struct oclmm_expectations *expectations;
	struct oclmm_error error = {0};

	assert_int_equal(oclmm_expectations_read("/nonexistent/known", &error, &expectations),
	                 -ENOENT);
	assert_non_null(strstr(error.message, "/nonexistent/known"));
}
