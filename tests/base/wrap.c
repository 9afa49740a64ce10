// SPDX-License-Identifier: Apache-2.0

#include "../fixture/test.h"

#include "oclmm/base.h"

static void check(const char *string, size_t column, size_t indent, const char *expected)
{
	struct oclmm_text text = {0};

	oclmm_text_add_wrapped(&text, string, OCLMM_TEXT_WIDTH, column, indent);
	assert_string_equal(oclmm_text_string(&text), expected);
	oclmm_text_finish(&text);
}

#define TEN   "123456789 "
#define SIXTY TEN TEN TEN TEN TEN TEN
#define LONG                                                                                       \
	"1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678"

TEST(fills_lines_up_to_the_width)
{
	check("", 0, 4, "");
	check("one", 0, 4, "one");
	/* the last word ends in column 80, and in 81 */
	check(SIXTY TEN "1234567890", 0, 4, SIXTY TEN "1234567890");
	check(SIXTY TEN "12345678901", 0, 4, SIXTY "123456789\n    12345678901");
	check(SIXTY "1234567890", 10, 4, SIXTY "1234567890");
	check(SIXTY "12345678901", 10, 2, TEN TEN TEN TEN TEN "123456789\n  12345678901");
}

TEST(counts_characters_and_not_bytes)
{
	check(SIXTY TEN "123456789…", 0, 0, SIXTY TEN "123456789…");
}

TEST(joins_lines_of_a_paragraph)
{
	check("a line\nand the next\n\nanother paragraph\n  kept   as it is\nand on", 0, 0,
	      "a line and the next\n\nanother paragraph\n  kept   as it is\nand on");
}

TEST(a_word_that_is_too_long_stands_alone)
{
	check("a " LONG " b", 79, 0, "a\n" LONG "\nb");
}

static void check_line(const char *line, const char *expected)
{
	struct oclmm_text text = {0};

	oclmm_text_add_fitted_lines(&text, line, OCLMM_TEXT_WIDTH);
	assert_string_equal(oclmm_text_string(&text), expected);
	oclmm_text_finish(&text);
}

TEST(breaks_only_lines_that_are_too_wide)
{
	check_line("", "");
	check_line("two   blanks  stay \n\n  as they are\n",
	           "two   blanks  stay \n\n  as they are\n");
	check_line(SIXTY TEN "1234567890", SIXTY TEN "1234567890");
	check_line(SIXTY TEN "12345678901", SIXTY "123456789\n  12345678901");
	check_line("  " SIXTY TEN "123456789\nnext", "  " SIXTY "123456789\n    123456789\nnext");
	/* characters, not bytes */
	check_line(SIXTY TEN "123456789…", SIXTY TEN "123456789…");
}

TEST(goes_on_below_the_last_column)
{
	check_line("word     12  " SIXTY "123456789",
	           "word     12  " TEN TEN TEN TEN TEN "123456789\n             123456789");
	/* not where that leaves little room */
	check_line("word  " TEN TEN TEN TEN " twelve  " TEN TEN TEN TEN,
	           "word  " TEN TEN TEN TEN " twelve  " TEN "123456789\n      " TEN TEN);
}

TEST(a_comment_goes_on_as_one)
{
	check_line("# " SIXTY TEN "1234567890", "# " SIXTY "123456789\n# 1234567890");
}

TEST(never_cuts_a_word)
{
	check_line(LONG, LONG);
	check_line(LONG " b", LONG "\n  b");
	check_line("a " LONG " b", "a\n  " LONG "\n  b");
	/* nor are there lines of blanks */
	check_line(LONG "   ", LONG);
}
