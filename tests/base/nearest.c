// SPDX-License-Identifier: Apache-2.0

#include "../fixture/test.h"

#include "oclmm/base.h"

static const char *const names[] = {"SB+sc+rlx",  "SB+rlx+rlx.place=local",
                                    "SB+rlx+rlx", "MP",
                                    "run",        "report"};

static const char *nearest(const char *word)
{
	return oclmm_nearest(word, names, OCLMM_COUNT(names));
}

/* Fewer changes would lead to SB+sc+rlx, in which the order is another. */
TEST(a_beginning_means_the_shortest_that_it_begins)
{
	assert_string_equal(nearest("SB+rlx"), "SB+rlx+rlx");
	assert_string_equal(nearest("SB+rlx+rlx.pl"), "SB+rlx+rlx.place=local");
	assert_string_equal(nearest("rep"), "report");
}

TEST(the_case_of_letters_does_not_matter)
{
	assert_string_equal(nearest("mp"), "MP");
	assert_string_equal(nearest("sb+RLX"), "SB+rlx+rlx");
}

TEST(otherwise_the_fewest_changes)
{
	assert_string_equal(nearest("rum"), "run");
	assert_string_equal(nearest("SB+sc+rxl"), "SB+sc+rlx");
}

/* "mesage" is three changes from "image", and one from the beginning of the word that is meant. */
TEST(a_slip_in_a_beginning_counts_as_a_slip)
{
	static const char *const families[] = {"image", "message-passing", "message-passing-long"};

	assert_string_equal(oclmm_nearest("mesage", families, OCLMM_COUNT(families)),
	                    "message-passing");
	assert_string_equal(oclmm_nearest("imaeg", families, OCLMM_COUNT(families)), "image");
	assert_string_equal(nearest("SB+rxl"), "SB+rlx+rlx");
}

TEST(nothing_is_near)
{
	assert_null(nearest("IRIW+sc+sc"));
	assert_null(nearest("r"));
	assert_null(nearest(""));
	assert_null(oclmm_nearest("run", names, 0));
}

TEST(a_word_is_among_others_or_not)
{
	static const char *const words[] = {"run", "report"};

	assert_true(oclmm_is_among("report", words, OCLMM_COUNT(words)));
	assert_false(oclmm_is_among("report", words, 1));
	assert_false(oclmm_is_among("ru", words, OCLMM_COUNT(words)));
	assert_false(oclmm_is_among("run", NULL, 0));
}
