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

/* What docs promise, written by hand. The third set is disputed, the fourth one's program races. */
static const char golden[] =
	"# Allowed sets of relaxed/SB.litmus, written by \"oclmm check --write\"\n"
	"\n"
	"variant 0123456789abcdef SB\n"
	"condition exists (0:r0=0 /\\ 1:r0=0)\n"
	"observation Sometimes\n"
	"values 0:r0={0,1}; 1:r0={0,1};\n"
	"allowed *> 0:r0=0; 1:r0=0;\n"
	"allowed :> 0:r0=0; 1:r0=1;\n"
	"allowed :> 0:r0=1; 1:r0=0;\n"
	"allowed :> 0:r0=1; 1:r0=1;\n"
	"\n"
	"variant 0123456789abcdef SB.order=sc\n"
	"variant 0123456789abcdef SB.order=sc.place=wg00\n"
	"condition ~exists (0:r0=0 /\\ 1:r0=0)\n"
	"observation Never\n"
	"values 0:r0={0,1}; 1:r0={0,1};\n"
	"allowed :> 0:r0=0; 1:r0=1;\n"
	"allowed :> 0:r0=1; 1:r0=0;\n"
	"allowed :> 0:r0=1; 1:r0=1;\n"
	"\n"
	"variant 0123456789abcdef SB+disputed\n"
	"condition exists (0:r0=0 /\\ 1:r0=0)\n"
	"observation Disputed\n"
	"values 0:r0={0,1}; 1:r0={0,1};\n"
	"disputed *> 0:r0=0; 1:r0=0; # K1 K8\n"
	"allowed :> 0:r0=0; 1:r0=1;\n"
	"allowed :> 0:r0=1; 1:r0=0;\n"
	"allowed :> 0:r0=1; 1:r0=1;\n"
	"\n"
	"variant 0123456789abcdef SB+racy\n"
	"condition forall (0:r0=0 /\\ 1:r0=0)\n"
	"observation Undefined\n"
	"values 0:r0={0,1}; 1:r0={0,1};\n"
	"undefined data race in opencl-2.1: P0 line 12 `W x=1 na` and P1 line 17 `R x na`: nothing "
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
	add(file, &sb, "SB.order=sc.place=wg00", OCLMM_QUANTIFIER_NOT_EXISTS, F, false);
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

/* An equal set joins the section of the first variant that has it. */
static void test_print(void **state)
{
	(void)state;
	struct oclmm_expected_file *file = make_file();
	char *text = print(file);

	assert_string_equal(text, golden);
	free(text);
	oclmm_expected_destroy(file);
}

/* Sets that differ in one thing only must not be merged. */
static void test_sets_kept_apart(void **state)
{
	struct oclmm_expected_file *file = oclmm_expected_create("x");
	struct sb sb;
	char *text;
	size_t sections = 0;

	(void)state;
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
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_expected_print_log(&text, oclmm_expected_find(file, name));
	assert_string_equal(oclmm_text_string(&text), wanted);
	oclmm_text_finish(&text);
}

/* herd7's form, as mcompare7 reads it: a negated condition has its witnesses the other way. */
static void test_log(void **state)
{
	struct oclmm_expected_file *file = make_file();

	(void)state;
	check_log(file, "SB",
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
	          "\n");
	check_log(file, "SB.order=sc",
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
	          "\n");
	check_log(file, "SB+disputed",
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
	          "\n");
	check_log(file, "SB+racy",
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
	          "Undefined=data race in opencl-2.1: P0 line 12 `W x=1 na` and "
	          "P1 line 17 `R x na`: nothing "
	          "orders the two\n"
	          "\n");
	oclmm_expected_destroy(file);
}

static void test_round_trip(void **state)
{
	(void)state;
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
		"variant 0123456789abcdef or+or\n"
		"condition exists ([x]!=3)\n"
		"observation Never\n"
		"values [x]={3};\n"
		"allowed :> [x]=3;\n"
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
	assert_int_equal(oclmm_expected_count(file), 5);
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
static void test_compare_whole_files(void **state)
{
	struct oclmm_expected_file *before = oclmm_expected_create("x");
	struct oclmm_expected_file *after = oclmm_expected_create("x");
	struct oclmm_expected_file *renamed = oclmm_expected_create("y");
	struct sb sb;

	(void)state;
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

/* One edit of a text, and where the complaint must point. */
struct edit {
	const char *from, *to;
	uint32_t line, column;
};

/* The text is a block of its own size, so that the sanitizer sees a read past its end. */
static void check_refused(const struct edit *edit, const char *text, size_t length)
{
	struct oclmm_expected_file *file = NULL;
	struct oclmm_error error = {0};
	char *block = malloc(length);

	assert_non_null(block);
	memcpy(block, text, length);
	assert_int_equal(oclmm_expected_parse("g", block, length, &error, &file), -EINVAL);
	free(block);
	assert_null(file);
	if (error.position.line != edit->line || error.position.column != edit->column)
		fail_msg("\"%s\" for \"%s\": refused at %u:%u (%s), not %u:%u", edit->to,
		         edit->from, error.position.line, error.position.column, error.message,
		         edit->line, edit->column);
	assert_true(error.message[0] != '\0');
}

static void check_edit(const struct edit *edit)
{
	const char *at = strstr(golden, edit->from);
	struct oclmm_text text;

	assert_non_null(at);
	oclmm_text_init(&text);
	oclmm_text_add_bytes(&text, golden, (size_t)(at - golden));
	oclmm_text_add(&text, edit->to);
	oclmm_text_add(&text, at + strlen(edit->from));
	check_refused(edit, text.data, text.length);
	oclmm_text_finish(&text);
}

static void test_refused(void **state)
{
	static const struct edit edits[] = {
		{"# Allowed sets", "# Allowed set", 1, 1},
		{"\n\nvariant", "\nvariant", 2, 1},
		{"variant 0123456789abcdef SB\n", "Test SB Allowed\n", 3, 1},
		{"variant 0123456789abcdef SB\n", "variant 0123456789abcdeg SB\n", 3, 9},
		{"variant 0123456789abcdef SB\n", "variant 0123456789ABCDEF SB\n", 3, 9},
		{"variant 0123456789abcdef SB\n", "variant 0123 SB\n", 3, 9},
		{"variant 0123456789abcdef SB\n", "variant 0123456789abcdef0 SB\n", 3, 9},
		{"variant 0123456789abcdef SB\n", "variant 0123456789abcdef \n", 3, 26},
		{"variant 0123456789abcdef SB\n", "", 3, 1},
		{"SB.order=sc\n", "SB\n", 12, 26},
		{"SB.order=sc.place=wg00", "SB.order=sc", 13, 26},
		{"condition exists", "Condition exists", 4, 1},
		{"condition exists", "condition never", 4, 11},
		{"condition exists (", "condition exists ", 4, 17},
		{"1:r0=0)\nobservation Some", "1:r0=0\nobservation Some", 4, 35},
		{"observation Sometimes", "observation Sometime", 5, 13},
		{"observation Sometimes", "observation Sometimes 1 3", 5, 22},
		{"observation Sometimes", "observation Never", 5, 13},
		{"observation Never", "observation Always", 15, 13},
		{"observation Disputed", "observation Sometimes", 23, 13},
		{"observation Undefined", "observation Never", 32, 13},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed > 0:r0=0; 1:r0=0;", 7, 9},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed 0:r0=0; 1:r0=0;", 7, 9},
		{"allowed *> 0:r0=0; 1:r0=0;", "forbidden *> 0:r0=0; 1:r0=0;", 7, 1},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed *> 0:r0=0; 1:r0=x;", 7, 25},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed *> 0:r0=0; 1:r1=0;", 7, 20},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed *> 0:r0=0; 1:r0=0", 7, 26},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed *> 0:r0=0; 1:r0=00;", 7, 26},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed *> 0:r0=0;  1:r0=0;", 7, 20},
		{"allowed :> 0:r0=0; 1:r0=1;\n",
	         "allowed :> 0:r0=0; 1:r0=1;\nallowed :> 0:r0=0; "
	         "1:r0=1;\n",
	         9, 1},
		{"allowed :> 0:r0=0; 1:r0=1;\nallowed :> 0:r0=1; 1:r0=0;\n",
	         "allowed :> 0:r0=1; 1:r0=0;\nallowed :> 0:r0=0; 1:r0=1;\n", 9, 1},
		{"allowed :> 0:r0=1; 1:r0=1;", "allowed :> 0:r0=1; 1:r0=1; # K1", 10, 27},
		{"# K1 K8", "# K1 K99", 25, 34},
		{"# K1 K8", "# K8 K1", 25, 32},
		{"# K1 K8", "# ", 25, 31},
		{" # K1 K8", "", 25, 28},
		{"undefined data", "undefind data", 34, 1},
		{"undefined data", "cut\nundefined data", 34, 1},
		{"undefined data", "cut yes\nundefined data", 34, 1},
		{"undefined data", "allowed :> 0:r0=0; 1:r0=0;\nundefined data", 35, 1},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(edits); i++)
		check_edit(&edits[i]);
}

/*
 * Lines that say how much there is, against what there is: more or fewer values than observables,
 * values that no observable has, states where there are none.
 */
static void test_counts_against_content(void **state)
{
	static const struct edit edits[] = {
		{"values 0:r0={0,1}; 1:r0={0,1};", "values 0:r0={0,1};", 7, 19},
		{"values 0:r0={0,1}; 1:r0={0,1};", "values ", 7, 12},
		{"values 0:r0={0,1}; 1:r0={0,1};", "values 0:r0={0,1}; 1:r0={0,1}; 1:r1={0,1};", 7,
	         27},
		{"values 0:r0={0,1}; 1:r0={0,1};", "values 0:r0={0,1}; 1:r1={0,1};", 7, 20},
		{"values 0:r0={0,1}; 1:r0={0,1};", "values 0:r0={1,0}; 1:r0={0,1};", 6, 16},
		{"values 0:r0={0,1}; 1:r0={0,1};", "values 0:r0={0,0}; 1:r0={0,1};", 6, 16},
		{"values 0:r0={0,1}; 1:r0={0,1};", "values 0:r0={}; 1:r0={0,1};", 7, 17},
		{"values 0:r0={0,1}; 1:r0={0,1};", "values 0:r0={0,}; 1:r0={0,1};", 6, 16},
		{"values 0:r0={0,1}; 1:r0={0,1};", "values 0:r0={0,1; 1:r0={0,1};", 6, 17},
		{"values 0:r0={0,1}; 1:r0={0,1};", "values 0:r0; 1:r0={0,1};", 6, 12},
		{"values 0:r0={0,1}; 1:r0={0,1};", "values ={0,1}; 1:r0={0,1};", 6, 8},
		{"values 0:r0={0,1}; 1:r0={0,1};", "values 0:r0={0,1};1:r0={0,1};", 6, 19},
		{"values 0:r0={0,1}; 1:r0={0,1};\n", "", 6, 1},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed *> 0:r0=0;", 7, 19},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed *> 0:r0=0; 1:r0=0; 2:r0=0;", 7, 27},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed *> 0:r0=0; 1:r0=7;", 7, 25},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed *> 0:r0=0; 1:r0=-1;", 7, 25},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed *> 0:r0=0; 1:r0=18446744073709551616;", 7,
	         25},
		{"allowed *> 0:r0=0; 1:r0=0;", "allowed *>", 7, 9},
		{"disputed *> 0:r0=0; 1:r0=0;", "disputed *> 0:r0=0; 1:r0=0; 2:r0=0; 3:r0=0;", 25,
	         28},
		{"disputed *> 0:r0=0; 1:r0=0;", "disputed *> 2:r0=0;", 25, 13},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(edits); i++)
		check_edit(&edits[i]);
}

/* A disputed state wider than a set without allowed states, with very many values. */
static void test_disputed_wider_than_values(void **state)
{
	const struct edit edit = {"values", "disputed", 7, 20};
	struct oclmm_text text;

	(void)state;
	oclmm_text_init(&text);
	oclmm_text_add(&text, "# Allowed sets of x, written by \"oclmm check --write\"\n\n"
	                      "variant 0123456789abcdef x\n"
	                      "condition exists (0:r0=0)\n"
	                      "observation Disputed\n"
	                      "values 0:r0={0};\n"
	                      "disputed *> 0:r0=0;");
	for (int i = 1; i < 1000; i++)
		oclmm_text_printf(&text, " %d:r0=0;", i);
	oclmm_text_add(&text, " # K1\n\n");
	check_refused(&edit, text.data, text.length);
	oclmm_text_finish(&text);
}

/* The space of outcomes is counted in 32 bits. */
static void test_too_many_outcomes(void **state)
{
	const struct edit edit = {"values", "values", 6, 0};
	struct edit found = edit;
	struct oclmm_text text;

	(void)state;
	oclmm_text_init(&text);
	oclmm_text_add(&text, "# Allowed sets of x, written by \"oclmm check --write\"\n\n"
	                      "variant 0123456789abcdef x\n"
	                      "condition exists (0:r0=0)\n"
	                      "observation Never\n"
	                      "values");
	for (int i = 0; i < 40; i++)
		oclmm_text_printf(&text, " %d:r0={0,1};", i);
	oclmm_text_add(&text, "\n\n");
	/* 2^32 - 1 does not fit: refused behind the 32nd observable, ten of one digit */
	found.column = (uint32_t)(strlen("values") + 10 * strlen(" 0:r0={0,1};") +
	                          22 * strlen(" 10:r0={0,1};") + 1);
	check_refused(&found, text.data, text.length);
	oclmm_text_finish(&text);
}

/* A set that stands twice would be written once. */
static void test_same_set_twice(void **state)
{
	static const struct edit edit = {"variant 0123456789abcdef SB.order=sc.place=wg00\n",
	                                 "condition ~exists (0:r0=0 /\\ 1:r0=0)\n"
	                                 "observation Never\n"
	                                 "values 0:r0={0,1}; 1:r0={0,1};\n"
	                                 "allowed :> 0:r0=0; 1:r0=1;\n"
	                                 "allowed :> 0:r0=1; 1:r0=0;\n"
	                                 "allowed :> 0:r0=1; 1:r0=1;\n"
	                                 "\n"
	                                 "variant 0123456789abcdef SB.order=sc.place=wg00\n",
	                                 13, 1};

	(void)state;
	check_edit(&edit);
}

/* A file cut off anywhere is refused, never read in part. */
static void test_cut_off(void **state)
{
	(void)state;
	size_t length = strlen(golden), accepted = 0;

	for (size_t cut = 0; cut < length; cut++) {
		struct oclmm_expected_file *file;
		struct oclmm_error error = {0};
		char *part = malloc(cut + 1);

		/* a block of its own size, so that the sanitizer sees a read past its end */
		assert_non_null(part);
		memcpy(part, golden, cut);
		if (oclmm_expected_parse("g", part, cut, &error, &file) == 0) {
			accepted++;
			oclmm_expected_destroy(file);
		}
		free(part);
	}
	/* the ends of whole sections, and the introduction alone */
	assert_int_equal(accepted, 4);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_sets_kept_apart),
		cmocka_unit_test(test_log),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_forbids_what_is_never_reached),
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_add_refuses),
		cmocka_unit_test(test_models_line),
		cmocka_unit_test(test_compare),
		cmocka_unit_test(test_compare_whole_files),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_counts_against_content),
		cmocka_unit_test(test_disputed_wider_than_values),
		cmocka_unit_test(test_too_many_outcomes),
		cmocka_unit_test(test_same_set_twice),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_unsigned_and_negative),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
