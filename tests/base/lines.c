// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <errno.h>
#include <string.h>

#include "../fixture/test.h"

static void expect_line(struct oclmm_lines *lines, const char *line, uint32_t number, bool ended)
{
	assert_true(oclmm_lines_next(lines));
	assert_int_equal(lines->length, strlen(line));
	assert_memory_equal(lines->line, line, lines->length);
	assert_int_equal(lines->number, number);
	assert_int_equal(lines->ended, ended);
}

TEST(each_line_once)
{
	static const char text[] = "one\n\ntwo\nthree";
	struct oclmm_lines lines;

	oclmm_lines_begin(&lines, "some", text, strlen(text));
	expect_line(&lines, "one", 1, true);
	expect_line(&lines, "", 2, true);
	expect_line(&lines, "two", 3, true);
	expect_line(&lines, "three", 4, false);
	for (int i = 0; i < 2; i++) {
		assert_false(oclmm_lines_next(&lines));
		assert_int_equal(lines.length, 0);
		assert_int_equal(lines.number, 4);
	}
}

TEST(an_empty_text_has_none)
{
	struct oclmm_lines lines;

	oclmm_lines_begin(&lines, "none", "", 0);
	assert_false(oclmm_lines_next(&lines));
	assert_int_equal(lines.number, 0);
	oclmm_lines_begin(&lines, "end", "\n", 1);
	expect_line(&lines, "", 1, true);
	assert_false(oclmm_lines_next(&lines));
	assert_true(lines.ended);
}

TEST(a_line_becomes_a_string)
{
	char text[] = "one\ntwo";
	struct oclmm_lines lines;

	oclmm_lines_begin(&lines, "some", text, strlen(text));
	assert_true(oclmm_lines_next(&lines));
	assert_string_equal(oclmm_lines_cut(&lines, text), "one");
	assert_true(oclmm_lines_next(&lines));
	assert_string_equal(oclmm_lines_cut(&lines, text), "two");
}

TEST(a_refusal_has_place_and_line)
{
	static const char text[] = "one\ntwo words\n";
	struct oclmm_lines lines;
	struct oclmm_error error;
	char line[400];

	oclmm_lines_begin(&lines, "some", text, strlen(text));
	oclmm_lines_next(&lines);
	oclmm_lines_next(&lines);
	assert_int_equal(oclmm_lines_refuse(&lines, lines.line + 4, 5, "a note", &error, "%d words",
	                                    2),
	                 -EINVAL);
	assert_string_equal(error.file, "some");
	assert_string_equal(error.message, "2 words");
	assert_string_equal(error.source, "two words");
	assert_string_equal(error.note, "a note");
	assert_int_equal(error.position.line, 2);
	assert_int_equal(error.position.column, 5);
	assert_int_equal(error.position.length, 5);
	/* a longer one is cut, and nothing takes one column */
	memset(line, 'x', sizeof(line));
	oclmm_lines_begin(&lines, "long", line, sizeof(line));
	oclmm_lines_next(&lines);
	oclmm_lines_refuse(&lines, lines.line, 0, NULL, &error, "long");
	assert_int_equal(strlen(error.source), sizeof(error.source) - 1);
	assert_int_equal(error.position.length, 1);
	assert_string_equal(error.note, "");
}
