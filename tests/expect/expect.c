// SPDX-License-Identifier: Apache-2.0
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

#include "../fixture/sb.h"
#include "oclmm/expect.h"

#define A OCLMM_STATUS_ALLOWED
#define F OCLMM_STATUS_FORBIDDEN
#define D OCLMM_STATUS_DISPUTED

/* What docs promise, written by hand. The third entry is disputed, the fourth racy. */
static const char golden[] =
	"# Allowed sets of relaxed/SB.litmus, written by \"oclmm check --write\"\n"
	"\n"
	"Test SB Allowed\n"
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
	"\n"
	"Test SB.order.sc Forbidden\n"
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
	"\n"
	"Test SB+disputed Allowed\n"
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
	"\n"
	"Test SB+racy Required\n"
	"States 0\n"
	"Undef\n"
	"Witnesses\n"
	"Positive: 0 Negative: 0\n"
	"Condition forall (0:r0=0 /\\ 1:r0=0)\n"
	"Observation SB+racy Undefined 0 0\n"
	"Hash=0123456789abcdef\n"
	"Variant=SB+racy\n"
	"Values=0:r0={0,1}; 1:r0={0,1};\n"
	"Undefined=race in opencl-2.1: P0 line 12 `W x=1 na` and P1 line 17 `R x na`: nothing "
	"orders the two\n"
	"\n";

static void add(struct oclmm_expected_file *file, struct sb *sb, const char *name,
                enum oclmm_quantifier quantifier, enum oclmm_status weak, bool racy)
{
	sb_init(sb, name, quantifier, (const enum oclmm_status[]){weak, A, A, A});
	if (racy)
		sb_make_racy(sb);
	assert_int_equal(oclmm_expected_add(file, &sb->answer, OCLMM_MODEL_CONSENSUS), 0);
}

static struct oclmm_expected_file *make_file(void)
{
	struct oclmm_expected_file *file = oclmm_expected_create("relaxed/SB.litmus");
	struct sb sb;

	add(file, &sb, "SB", OCLMM_QUANTIFIER_EXISTS, A, false);
	add(file, &sb, "SB.order=sc", OCLMM_QUANTIFIER_NOT_EXISTS, F, false);
	add(file, &sb, "SB+disputed", OCLMM_QUANTIFIER_EXISTS, D, false);
	add(file, &sb, "SB+racy", OCLMM_QUANTIFIER_FORALL, A, true);
	return file;
}

static char *print(const struct oclmm_expected_file *file)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_expected_print(&text, file);
	return oclmm_text_steal(&text);
}

/* The golden text has the word that the model uses for a race. */
static char *make_golden(void)
{
	struct oclmm_text text;
	const char *at = strstr(golden, "Undefined=race ");

	oclmm_text_init(&text);
	oclmm_text_add_bytes(&text, golden, (size_t)(at - golden));
	oclmm_text_printf(&text, "Undefined=%s %s", oclmm_undefined_word(OCLMM_UNDEFINED_RACE),
	                  at + strlen("Undefined=race "));
	return oclmm_text_steal(&text);
}

static void test_print(void **state)
{
	(void)state;
	struct oclmm_expected_file *file = make_file();
	char *text = print(file), *wanted = make_golden();

	assert_string_equal(text, wanted);
	free(text);
	free(wanted);
	oclmm_expected_destroy(file);
}

static void test_round_trip(void **state)
{
	(void)state;
	struct oclmm_expected_file *file;
	struct oclmm_error error = {0};
	char *wanted = make_golden(), *text;

	assert_int_equal(oclmm_expected_parse("g", wanted, strlen(wanted), &error, &file), 0);
	text = print(file);
	assert_string_equal(text, wanted);
	assert_int_equal(oclmm_expected_count(file), 4);
	free(text);
	free(wanted);
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
}

/* Built and read back must answer alike. */
static void test_status(void **state)
{
	(void)state;
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
static void test_forbids_what_is_never_reached(void **state)
{
	static const char text[] =
		"# Allowed sets of rmw/or+or.litmus, written by \"oclmm check --write\"\n"
		"\n"
		"Test or+or Allowed\n"
		"States 1\n"
		"[x]=3;\n"
		"No\n"
		"Witnesses\n"
		"Positive: 0 Negative: 1\n"
		"Condition exists ([x]!=3)\n"
		"Observation or+or Never 0 1\n"
		"Hash=0123456789abcdef\n"
		"Variant=or+or\n"
		"Values=[x]={3};\n"
		"\n";
	struct oclmm_error error = {0};
	struct oclmm_expected_file *file;
	const struct oclmm_expected * or ;

	(void)state;
	assert_int_equal(oclmm_expected_parse("g", text, strlen(text), &error, &file), 0);
	or = oclmm_expected_find(file, "or+or");
	assert_int_equal(or->state_count, or->space.size);
	assert_true(oclmm_expected_forbids(or));
	oclmm_expected_destroy(file);
}

static void test_fits(void **state)
{
	(void)state;
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

static void test_add_refuses(void **state)
{
	(void)state;
	struct oclmm_expected_file *file = make_file();
	struct sb sb;

	sb_init(&sb, "SB", OCLMM_QUANTIFIER_EXISTS, (const enum oclmm_status[]){A, A, A, A});
	assert_int_equal(oclmm_expected_add(file, &sb.answer, OCLMM_MODEL_CONSENSUS), -EEXIST);
	assert_int_equal(oclmm_expected_add(file, &sb.answer, OCLMM_MODEL_SCOPED), -EINVAL);
	assert_int_equal(oclmm_expected_count(file), 4);
	oclmm_expected_destroy(file);
}

static void test_models_line(void **state)
{
	(void)state;
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

static void test_compare(void **state)
{
	(void)state;
	struct oclmm_expected_file *before = make_file(), *after = oclmm_expected_create("x");
	struct oclmm_text text;
	struct sb sb;

	oclmm_text_init(&text);
	assert_int_equal(oclmm_expected_compare(before, before, &text), 0);
	assert_int_equal(text.length, 0);
	add(after, &sb, "SB", OCLMM_QUANTIFIER_EXISTS, F, false);
	add(after, &sb, "SB.order=sc", OCLMM_QUANTIFIER_NOT_EXISTS, F, false);
	add(after, &sb, "SB+racy", OCLMM_QUANTIFIER_FORALL, A, true);
	add(after, &sb, "SB+new", OCLMM_QUANTIFIER_EXISTS, A, false);
	assert_int_equal(oclmm_expected_compare(before, after, &text), 3);
	assert_string_equal(oclmm_text_string(&text), "SB:\n"
	                                              "- States 4\n"
	                                              "- 0:r0=0; 1:r0=0;\n"
	                                              "- Ok\n"
	                                              "- Positive: 1 Negative: 3\n"
	                                              "- Observation SB Sometimes 1 3\n"
	                                              "+ States 3\n"
	                                              "+ No\n"
	                                              "+ Positive: 0 Negative: 3\n"
	                                              "+ Observation SB Never 0 3\n"
	                                              "- SB+disputed\n"
	                                              "+ SB+new\n");
	oclmm_text_finish(&text);
	oclmm_expected_destroy(before);
	oclmm_expected_destroy(after);
}

static void test_files(void **state)
{
	(void)state;
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

/* Each edit of the golden text, and where the complaint must point. */
static void test_refused(void **state)
{
	static const struct {
		const char *from, *to;
		uint32_t line, column;
	} edits[] = {
		{"# Allowed sets", "# Allowed set", 1, 1},
		{"Test SB Allowed", "Test SB Allowd", 3, 9},
		{"Test SB Allowed", "Tset SB Allowed", 3, 1},
		{"States 4", "States four", 4, 8},
		{"States 4", "States 5", 9, 1},
		{"States 4", "States 3", 8, 1},
		{"0:r0=0; 1:r0=0;\n0:r0=0", "0:r0=0; 1:r1=0;\n0:r0=0", 6, 9},
		{"0:r0=0; 1:r0=0;\n0:r0=0", "0:r0=0; 1:r0=x;\n0:r0=0", 5, 14},
		{"0:r0=0; 1:r0=0;\n0:r0=0", "0:r0=0; 1:r0=99999999999999999999;\n0:r0=0", 5, 14},
		{"0:r0=0; 1:r0=0;\n0:r0=0", "0:r0=0; 1:r0=0\n0:r0=0", 5, 15},
		{"0:r0=0; 1:r0=0;\n0:r0=0", "0:r0=0;\n0:r0=0", 6, 16},
		{"0:r0=0; 1:r0=0;\n0:r0=0", "0:r0=0; 1:r0=7;\n0:r0=0", 17, 1},
		{"0:r0=0; 1:r0=0;\n0:r0=0", "0:r0=0; 1:r0=1;\n0:r0=0", 17, 1},
		{"\nOk\n", "\nNo\n", 9, 1},
		{"Positive: 1 Negative: 3", "Positive: 2 Negative: 2", 13, 26},
		{"Sometimes 1 3", "Sometime 1 3", 13, 16},
		{"Sometimes 1 3", "Sometimes 1 4", 13, 28},
		{"Hash=0123456789abcdef\nVariant=SB\n", "Hash=0123456789abcdeg\nVariant=SB\n", 14,
	         6},
		{"Hash=0123456789abcdef\nVariant=SB\n", "Hash=0123\nVariant=SB\n", 14, 6},
		{"Variant=SB\nValues=0:r0={0,1}", "Variant=SB\nValues=0:r0={1,0}", 16, 17},
		{"Variant=SB\nValues=0:r0={0,1}", "Variant=SB\nValues=0:r1={0,1}", 16, 8},
		{"Variant=SB.order=sc", "Variant=SB", 18, 8},
		{"# K1 K8", "# K1 K9", 45, 31},
		{"# K1 K8", "", 45, 26},
		{"Undefined=", "Undefind=", 57, 1},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(edits); i++) {
		const char *at = strstr(golden, edits[i].from);
		struct oclmm_expected_file *file = NULL;
		struct oclmm_error error = {0};
		struct oclmm_text text;

		assert_non_null(at);
		oclmm_text_init(&text);
		oclmm_text_add_bytes(&text, golden, (size_t)(at - golden));
		oclmm_text_add(&text, edits[i].to);
		oclmm_text_add(&text, at + strlen(edits[i].from));
		assert_int_equal(oclmm_expected_parse("g", text.data, text.length, &error, &file),
		                 -EINVAL);
		assert_null(file);
		if (error.position.line != edits[i].line ||
		    error.position.column != edits[i].column)
			fail_msg("\"%s\" for \"%s\": refused at %u:%u (%s), not %u:%u", edits[i].to,
			         edits[i].from, error.position.line, error.position.column,
			         error.message, edits[i].line, edits[i].column);
		assert_true(error.message[0] != '\0');
		oclmm_text_finish(&text);
	}
}

/* A file cut off anywhere is refused, never read in part. */
static void test_cut_off(void **state)
{
	(void)state;
	char *text = make_golden();
	size_t length = strlen(text), accepted = 0;

	for (size_t cut = 0; cut < length; cut++) {
		struct oclmm_expected_file *file;
		struct oclmm_error error = {0};
		char *part = malloc(cut + 1);

		/* a block of its own size, so that the sanitizer sees a read past its end */
		assert_non_null(part);
		memcpy(part, text, cut);
		if (oclmm_expected_parse("g", part, cut, &error, &file) == 0) {
			accepted++;
			oclmm_expected_destroy(file);
		}
		free(part);
	}
	/* the ends of whole entries, and the introduction alone */
	assert_int_equal(accepted, 4);
	free(text);
}

static void test_unsigned_and_negative(void **state)
{
	(void)state;
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
	assert_non_null(strstr(text, "0:r0=18446744073709551614; 1:r0=-9223372036854775808;\n"));
	assert_non_null(strstr(
		text, "Values=0:r0={18446744073709551614,3}; 1:r0={-9223372036854775808,5};\n"));
	assert_int_equal(oclmm_expected_parse("g", text, strlen(text), &error, &read), 0);
	assert_int_equal(oclmm_expected_compare(file, read, NULL), 0);
	assert_int_equal(oclmm_expected_status(oclmm_expected_at(read, 0), sb.values[2], NULL),
	                 OCLMM_STATUS_ALLOWED);
	free(text);
	oclmm_expected_destroy(file);
	oclmm_expected_destroy(read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_forbids_what_is_never_reached),
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_add_refuses),
		cmocka_unit_test(test_models_line),
		cmocka_unit_test(test_compare),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_unsigned_and_negative),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
