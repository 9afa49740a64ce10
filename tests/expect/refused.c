// SPDX-License-Identifier: Apache-2.0
/* Files of expected sets that are not taken: each points at what is wrong. */

#include "../fixture/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

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
	struct oclmm_text text = {0};

	assert_non_null(at);
	oclmm_text_add_bytes(&text, golden, (size_t)(at - golden));
	oclmm_text_add(&text, edit->to);
	oclmm_text_add(&text, at + strlen(edit->from));
	check_refused(edit, text.data, text.length);
	oclmm_text_finish(&text);
}

TEST(test_refused)
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

	for (size_t i = 0; i < OCLMM_COUNT(edits); i++)
		check_edit(&edits[i]);
}

/*
 * Lines that say how much there is, against what there is: more or fewer values than observables,
 * values that no observable has, states where there are none.
 */
TEST(test_counts_against_content)
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

	for (size_t i = 0; i < OCLMM_COUNT(edits); i++)
		check_edit(&edits[i]);
}

/* A disputed state wider than a set without allowed states, with very many values. */
TEST(test_disputed_wider_than_values)
{
	const struct edit edit = {"values", "disputed", 7, 20};
	struct oclmm_text text = {0};

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
TEST(test_too_many_outcomes)
{
	const struct edit edit = {"values", "values", 6, 0};
	struct edit found = edit;
	struct oclmm_text text = {0};

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
TEST(test_same_set_twice)
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

	check_edit(&edit);
}

/* A file cut off anywhere is refused, never read in part. */
TEST(test_cut_off)
{
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
