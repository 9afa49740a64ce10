// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oclmm/base.h"

static const char *const names[] = {"SB+sc+rlx",  "SB+rlx+rlx.place=local",
                                    "SB+rlx+rlx", "MP",
                                    "run",        "report"};

static const char *nearest(const char *word)
{
	return oclmm_nearest(word, names, OCLMM_COUNT(names));
}

/* Fewer changes would lead to SB+sc+rlx, in which the order is another. */
static void a_beginning_means_the_shortest_that_it_begins(void **state)
{
	(void)state;
	assert_string_equal(nearest("SB+rlx"), "SB+rlx+rlx");
	assert_string_equal(nearest("SB+rlx+rlx.pl"), "SB+rlx+rlx.place=local");
	assert_string_equal(nearest("rep"), "report");
}

static void the_case_of_letters_does_not_matter(void **state)
{
	(void)state;
	assert_string_equal(nearest("mp"), "MP");
	assert_string_equal(nearest("sb+RLX"), "SB+rlx+rlx");
}

static void otherwise_the_fewest_changes(void **state)
{
	(void)state;
	assert_string_equal(nearest("rum"), "run");
	assert_string_equal(nearest("SB+sc+rxl"), "SB+sc+rlx");
}

/* "mesage" is three changes from "image", and one from the beginning of the word that is meant. */
static void a_slip_in_a_beginning_counts_as_a_slip(void **state)
{
	static const char *const families[] = {"image", "message-passing", "message-passing-long"};

	(void)state;
	assert_string_equal(oclmm_nearest("mesage", families, OCLMM_COUNT(families)),
	                    "message-passing");
	assert_string_equal(oclmm_nearest("imaeg", families, OCLMM_COUNT(families)), "image");
	assert_string_equal(nearest("SB+rxl"), "SB+rlx+rlx");
}

static void nothing_is_near(void **state)
{
	(void)state;
	assert_null(nearest("IRIW+sc+sc"));
	assert_null(nearest("r"));
	assert_null(nearest(""));
	assert_null(oclmm_nearest("run", names, 0));
}

static void a_word_is_among_others_or_not(void **state)
{
	static const char *const words[] = {"run", "report"};

	(void)state;
	assert_true(oclmm_is_among("report", words, OCLMM_COUNT(words)));
	assert_false(oclmm_is_among("report", words, 1));
	assert_false(oclmm_is_among("ru", words, OCLMM_COUNT(words)));
	assert_false(oclmm_is_among("run", NULL, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_beginning_means_the_shortest_that_it_begins),
		cmocka_unit_test(the_case_of_letters_does_not_matter),
		cmocka_unit_test(otherwise_the_fewest_changes),
		cmocka_unit_test(a_slip_in_a_beginning_counts_as_a_slip),
		cmocka_unit_test(nothing_is_near),
		cmocka_unit_test(a_word_is_among_others_or_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
