// SPDX-License-Identifier: Apache-2.0

#include "../fixture/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"

/* An equal set joins the section of the first variant that has it. */
TEST(test_print)
{
	struct oclmm_expected_file *file = make_file();
	char *text = print(file);

	assert_string_equal(text, golden);
	free(text);
	oclmm_expected_destroy(file);
}

/* Sets that differ in one thing only must not be merged. */
TEST(test_sets_kept_apart)
{
	struct oclmm_expected_file *file = oclmm_expected_create("x");
	struct sb sb;
	char *text;
	size_t sections = 0;

	add(file, &sb, "SB", OCLMM_QUANTIFIER_EXISTS, D, false);
	add(file, &sb, "quantifier", OCLMM_QUANTIFIER_NOT_EXISTS, D, false);
	add(file, &sb, "state", OCLMM_QUANTIFIER_EXISTS, A, false);
	sb_init(&sb, "rules", OCLMM_QUANTIFIER_EXISTS, (const enum oclmm_status[]){D, A, A, A});
	sb.states[0].deciding[OCLMM_MODEL_CONSENSUS] = 1u << OCLMM_KNOB_K1;
	assert_int_equal(oclmm_expected_add(file, &sb.answer, OCLMM_MODEL_CONSENSUS), 0);
	sb_init(&sb, "values", OCLMM_QUANTIFIER_EXISTS, (const enum oclmm_status[]){D, A, A, A});
	sb.domains[0].values = (int64_t[]){0, 1, 2};
	sb.domains[0].count = 3;
	assert_int_equal(oclmm_expected_add(file, &sb.answer, OCLMM_MODEL_CONSENSUS), 0);
	sb_init(&sb, "cut", OCLMM_QUANTIFIER_EXISTS, (const enum oclmm_status[]){D, A, A, A});
	sb.answer.may_be_cut = true;
	assert_int_equal(oclmm_expected_add(file, &sb.answer, OCLMM_MODEL_CONSENSUS), 0);
	text = print(file);
	for (const char *at = text; (at = strstr(at, "\n\n")); at++)
		sections++;
	/* one empty line follows the introduction, one each section */
	assert_int_equal(oclmm_expected_count(file), 6);
	assert_int_equal(sections - 1, 6);
	free(text);
	oclmm_expected_destroy(file);
}

static void check_log(const struct oclmm_expected_file *file, const char *name, const char *wanted)
{
	struct oclmm_text text = {0};

	oclmm_expected_print_log(&text, oclmm_expected_find(file, name));
	assert_string_equal(oclmm_text_string(&text), wanted);
	oclmm_text_finish(&text);
}

/* herd7's form, as mcompare7 reads it: a negated condition has its witnesses the other way. */
static const struct {
	const char *name, *log;
} logs[] = {
	{"SB", "Test SB Allowed\n"
               "States 4\n"
               "0:r0=0; 1:r0=0;\n"
               "0:r0=0; 1:r0=1;\n"
               "0:r0=1; 1:r0=0;\n"
               "0:r0=1; 1:r0=1;\n"
               "Ok\n"
               "Witnesses\n"
               "Positive: 1 Negative: 3\n"
               "Condition exists (0:r0=0 /\\ 1:r0=0)\n"
               "Observation SB Sometimes 1 3\n"
               "Hash=0123456789abcdef\n"
               "Variant=SB\n"
               "Values=0:r0={0,1}; 1:r0={0,1};\n"
               "\n"},
	{"SB.order=sc", "Test SB.order.sc Forbidden\n"
                        "States 3\n"
                        "0:r0=0; 1:r0=1;\n"
                        "0:r0=1; 1:r0=0;\n"
                        "0:r0=1; 1:r0=1;\n"
                        "Ok\n"
                        "Witnesses\n"
                        "Positive: 3 Negative: 0\n"
                        "Condition ~exists (0:r0=0 /\\ 1:r0=0)\n"
                        "Observation SB.order.sc Never 0 3\n"
                        "Hash=0123456789abcdef\n"
                        "Variant=SB.order=sc\n"
                        "Values=0:r0={0,1}; 1:r0={0,1};\n"
                        "\n"},
	{"SB+disputed", "Test SB+disputed Allowed\n"
                        "States 3\n"
                        "0:r0=0; 1:r0=1;\n"
                        "0:r0=1; 1:r0=0;\n"
                        "0:r0=1; 1:r0=1;\n"
                        "No\n"
                        "Witnesses\n"
                        "Positive: 0 Negative: 3\n"
                        "Condition exists (0:r0=0 /\\ 1:r0=0)\n"
                        "Observation SB+disputed Disputed 0 3\n"
                        "Hash=0123456789abcdef\n"
                        "Variant=SB+disputed\n"
                        "Values=0:r0={0,1}; 1:r0={0,1};\n"
                        "Disputed=0:r0=0; 1:r0=0; # K1 K8\n"
                        "\n"},
	{"SB+racy", "Test SB+racy Required\n"
                    "States 0\n"
                    "Undef\n"
                    "Witnesses\n"
                    "Positive: 0 Negative: 0\n"
                    "Condition forall (0:r0=0 /\\ 1:r0=0)\n"
                    "Observation SB+racy Undefined 0 0\n"
                    "Hash=0123456789abcdef\n"
                    "Variant=SB+racy\n"
                    "Values=0:r0={0,1}; 1:r0={0,1};\n"
                    "Undefined=data race in opencl-2.1: P0 line 12 `W x=1 na` and "
                    "P1 line 17 `R x na`: nothing "
                    "orders the two\n"
                    "\n"},
};

TEST(test_log)
{
	struct oclmm_expected_file *file = make_file();

	for (size_t i = 0; i < OCLMM_COUNT(logs); i++)
		check_log(file, logs[i].name, logs[i].log);
	oclmm_expected_destroy(file);
}

TEST(test_round_trip)
{
	struct oclmm_expected_file *file;
	struct oclmm_error error = {0};
	char *text;

	assert_int_equal(oclmm_expected_parse("g", golden, strlen(golden), &error, &file), 0);
	text = print(file);
	assert_string_equal(text, golden);
	assert_int_equal(oclmm_expected_count(file), 5);
	free(text);
	oclmm_expected_destroy(file);
}

static void check_status(const struct oclmm_expected_file *file)
{
	const int64_t weak[] = {0, 0}, strong[] = {1, 1}, strange[] = {7, 0};
	const struct oclmm_expected *plain = oclmm_expected_find(file, "SB");
	const struct oclmm_expected *sc = oclmm_expected_find(file, "SB.order=sc");
	const struct oclmm_expected *disputed = oclmm_expected_find(file, "SB+disputed");
	const struct oclmm_expected *racy = oclmm_expected_find(file, "SB+racy");
	unsigned deciding = 99;

	assert_null(oclmm_expected_find(file, "SB.order.sc"));
	assert_int_equal(oclmm_expected_status(plain, weak, NULL), OCLMM_STATUS_ALLOWED);
	assert_int_equal(oclmm_expected_status(plain, strange, NULL), OCLMM_STATUS_FORBIDDEN);
	assert_false(oclmm_expected_forbids(plain));
	assert_int_equal(oclmm_expected_status(sc, weak, &deciding), OCLMM_STATUS_FORBIDDEN);
	assert_int_equal(deciding, 0);
	assert_int_equal(oclmm_expected_status(sc, strong, NULL), OCLMM_STATUS_ALLOWED);
	assert_true(oclmm_expected_forbids(sc));
	assert_int_equal(oclmm_expected_status(disputed, weak, &deciding), OCLMM_STATUS_DISPUTED);
	assert_int_equal(deciding, 1u << OCLMM_KNOB_K1 | 1u << OCLMM_KNOB_K8);
	assert_false(oclmm_expected_forbids(disputed));
	assert_int_equal(oclmm_expected_status(racy, strange, NULL), OCLMM_STATUS_UNDEFINED);
	assert_false(oclmm_expected_forbids(racy));
	assert_int_equal(disputed->space.size, 4);
	assert_int_equal(oclmm_outcome_index(&disputed->space, strange), 4);
	/* as the oracle numbers them, by whose space kernels are generated, too */
	assert_int_equal(oclmm_outcome_index(&disputed->space, (const int64_t[]){0, 1}), 1);
}

/* Built and read back must answer alike. */
TEST(test_status)
{
	struct oclmm_expected_file *built = make_file(), *read;
	struct oclmm_error error = {0};
	char *text = print(built);

	check_status(built);
	assert_int_equal(oclmm_expected_parse("g", text, strlen(text), &error, &read), 0);
	check_status(read);
	free(text);
	oclmm_expected_destroy(built);
	oclmm_expected_destroy(read);
}

/* or+or: every execution ends in 3, so no state of the space is forbidden; what is asked about
 * is. */
TEST(test_forbids_what_is_never_reached)
{
	static const char text[] =
		"# Allowed sets of rmw/or+or.litmus, written by \"oclmm check --write\"\n"
		"\n"
		"variant 0123456789abcdef or+or\n"
		"condition exists ([x]!=3)\n"
		"observation Never\n"
		"values [x]={3};\n"
		"allowed :> [x]=3;\n"
		"\n";
	struct oclmm_error error = {0};
	struct oclmm_expected_file *file;
	const struct oclmm_expected * or ;

	assert_int_equal(oclmm_expected_parse("g", text, strlen(text), &error, &file), 0);
	or = oclmm_expected_find(file, "or+or");
	assert_int_equal(or->state_count, or->space.size);
	assert_true(oclmm_expected_forbids(or));
	oclmm_expected_destroy(file);
}

TEST(test_fits)
{
	struct oclmm_expected_file *file = make_file();
	const struct oclmm_expected *expected = oclmm_expected_find(file, "SB");
	struct sb sb;

	sb_init(&sb, "SB", OCLMM_QUANTIFIER_EXISTS, (const enum oclmm_status[]){A, A, A, A});
	assert_true(oclmm_expected_fits(expected, &sb.program));
	sb.program.hash++;
	assert_false(oclmm_expected_fits(expected, &sb.program));
	sb.program.hash--;
	sb.observables[1].name = "1:r1";
	assert_false(oclmm_expected_fits(expected, &sb.program));
	oclmm_expected_destroy(file);
}

TEST(test_add_refuses)
{
	struct oclmm_expected_file *file = make_file();
	struct sb sb;

	sb_init(&sb, "SB", OCLMM_QUANTIFIER_EXISTS, (const enum oclmm_status[]){A, A, A, A});
	assert_int_equal(oclmm_expected_add(file, &sb.answer, OCLMM_MODEL_CONSENSUS), -EEXIST);
	assert_int_equal(oclmm_expected_add(file, &sb.answer, OCLMM_MODEL_SCOPED), -EINVAL);
	assert_int_equal(oclmm_expected_count(file), 5);
	oclmm_expected_destroy(file);
}

TEST(test_models_line)
{
	struct oclmm_expected_file *file = oclmm_expected_create("x");
	struct sb sb;

	sb_init(&sb, "SB", OCLMM_QUANTIFIER_EXISTS, (const enum oclmm_status[]){F, A, A, A});
	sb.answer.models |= 1u << OCLMM_MODEL_OPENCL_3_1 | 1u << OCLMM_MODEL_SCOPED;
	for (int i = 0; i < 4; i++) {
		sb.states[i].status[OCLMM_MODEL_OPENCL_3_1] = i ? A : F;
		sb.states[i].status[OCLMM_MODEL_SCOPED] = A;
	}
	assert_int_equal(oclmm_expected_add(file, &sb.answer, OCLMM_MODEL_CONSENSUS), 0);
	assert_string_equal(oclmm_expected_at(file, 0)->models,
	                    "opencl-3.1:Never scoped:Sometimes");
	oclmm_expected_destroy(file);
}

TEST(test_compare)
{
	struct oclmm_expected_file *before = make_file(), *after = oclmm_expected_create("x");
	struct oclmm_text text = {0};
	struct sb sb;

	assert_int_equal(oclmm_expected_compare(before, before, &text), 0);
	assert_int_equal(text.length, 0);
	add(after, &sb, "SB", OCLMM_QUANTIFIER_EXISTS, F, false);
	add(after, &sb, "SB.order=sc", OCLMM_QUANTIFIER_NOT_EXISTS, F, false);
	add(after, &sb, "SB+racy", OCLMM_QUANTIFIER_FORALL, A, true);
	add(after, &sb, "SB+new", OCLMM_QUANTIFIER_EXISTS, A, false);
	assert_int_equal(oclmm_expected_compare(before, after, &text), 4);
	assert_string_equal(oclmm_text_string(&text), "SB:\n"
	                                              "- observation Sometimes\n"
	                                              "- allowed *> 0:r0=0; 1:r0=0;\n"
	                                              "+ observation Never\n"
	                                              "- SB+disputed\n"
	                                              "- SB.order=sc.place=wg00\n"
	                                              "+ SB+new\n");
	oclmm_text_finish(&text);
	oclmm_expected_destroy(before);
	oclmm_expected_destroy(after);
}

/* Nothing that stands in the file escapes: not its first line, not the order of its variants. */
TEST(test_compare_whole_files)
{
	struct oclmm_expected_file *before = oclmm_expected_create("x");
	struct oclmm_expected_file *after = oclmm_expected_create("x");
	struct oclmm_expected_file *renamed = oclmm_expected_create("y");
	struct sb sb;

	assert_int_equal(oclmm_expected_compare(before, renamed, NULL), 1);
	add(before, &sb, "SB", OCLMM_QUANTIFIER_EXISTS, F, false);
	add(before, &sb, "SB2", OCLMM_QUANTIFIER_EXISTS, F, false);
	add(after, &sb, "SB2", OCLMM_QUANTIFIER_EXISTS, F, false);
	add(after, &sb, "SB", OCLMM_QUANTIFIER_EXISTS, F, false);
	assert_int_equal(oclmm_expected_compare(before, after, NULL), 1);
	oclmm_expected_destroy(before);
	oclmm_expected_destroy(after);
	oclmm_expected_destroy(renamed);
}

TEST(test_files)
{
	struct oclmm_expected_file *file = make_file(), *read;
	struct oclmm_error error = {0};
	char folder[] = "/tmp/oclmm-expect-XXXXXX", above[64], path[96];

	assert_non_null(mkdtemp(folder));
	snprintf(above, sizeof(above), "%s/relaxed", folder);
	snprintf(path, sizeof(path), "%s/SB.expected", above);
	assert_int_equal(oclmm_expected_read(path, &error, &read), -ENOENT);
	assert_non_null(strstr(error.message, path));
	assert_int_equal(oclmm_expected_write(file, path, &error), 0);
	assert_int_equal(oclmm_expected_read(path, &error, &read), 0);
	assert_int_equal(oclmm_expected_compare(file, read, NULL), 0);
	oclmm_expected_destroy(file);
	oclmm_expected_destroy(read);
	unlink(path);
	rmdir(above);
	rmdir(folder);
}

TEST(test_unsigned_and_negative)
{
	struct oclmm_expected_file *file = oclmm_expected_create("x"), *read;
	struct oclmm_error error = {0};
	struct sb sb;
	char *text;

	sb_init(&sb, "V", OCLMM_QUANTIFIER_EXISTS, (const enum oclmm_status[]){A, A, A, A});
	sb.observables[0].type = OCLMM_TYPE_ULONG;
	sb.observables[1].type = OCLMM_TYPE_LONG;
	sb.domains[0].values = (int64_t[]){-2, 3}; /* ordered as int64_t; prints as 2^64-2 */
	sb.domains[1].values = (int64_t[]){INT64_MIN, 5};
	for (int i = 0; i < 4; i++) {
		sb.values[i][0] = i >> 1 ? 3 : -2;
		sb.values[i][1] = i & 1 ? 5 : INT64_MIN;
	}
	assert_int_equal(oclmm_expected_add(file, &sb.answer, OCLMM_MODEL_CONSENSUS), 0);
	text = print(file);
	assert_non_null(
		strstr(text, "allowed *> 0:r0=18446744073709551614; 1:r0=-9223372036854775808;\n"));
	assert_non_null(strstr(
		text, "values 0:r0={18446744073709551614,3}; 1:r0={-9223372036854775808,5};\n"));
	assert_int_equal(oclmm_expected_parse("g", text, strlen(text), &error, &read), 0);
	assert_int_equal(oclmm_expected_compare(file, read, NULL), 0);
	assert_int_equal(oclmm_expected_status(oclmm_expected_at(read, 0), sb.values[2], NULL),
	                 OCLMM_STATUS_ALLOWED);
	free(text);
	oclmm_expected_destroy(file);
	oclmm_expected_destroy(read);
}
