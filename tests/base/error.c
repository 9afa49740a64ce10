// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture/test.h"

static void check(const struct oclmm_error *error, const char *expected)
{
	char *formatted = oclmm_error_format(error);

	assert_string_equal(formatted, expected);
	free(formatted);
}

static struct oclmm_error make(const char *source, uint32_t column, uint32_t length)
{
	struct oclmm_error error;

	assert_int_equal(oclmm_error_set(&error, -EINVAL, "unknown %s", "word"), -EINVAL);
	strcpy(error.file, "MP.litmus");
	error.position = (struct oclmm_position){12, column, length};
	snprintf(error.source, sizeof(error.source), "%s", source);
	return error;
}

TEST(message_alone)
{
	struct oclmm_error error;

	memset(&error, '!', sizeof(error));
	assert_int_equal(oclmm_error_set(&error, -ENOENT, "cannot open %s", "x"), -ENOENT);
	check(&error, "error: cannot open x\n");
	strcpy(error.file, "a.litmus");
	check(&error, "a.litmus: error: cannot open x\n");
	strcpy(error.note, "does it exist?");
	check(&error, "a.litmus: error: cannot open x\n      does it exist?\n");
}

TEST(caret_underlines)
{
	struct oclmm_error error = make("  store(x, 1, acq);", 15, 3);

	check(&error, "MP.litmus:12:15: error: unknown word\n"
	              "   12 |   store(x, 1, acq);\n"
	              "      |               ^~~\n");
	strcpy(error.note, "use memory_order_release");
	check(&error, "MP.litmus:12:15: error: unknown word\n"
	              "   12 |   store(x, 1, acq);\n"
	              "      |               ^~~\n"
	              "      use memory_order_release\n");
}

TEST(tabs_stay_tabs)
{
	struct oclmm_error error = make("\tint\tr0 = y;", 11, 1);

	check(&error, "MP.litmus:12:11: error: unknown word\n"
	              "   12 | \tint\tr0 = y;\n"
	              "      | \t   \t     ^\n");
}

TEST(utf8_takes_one_column)
{
	/* 'é' is two bytes: the column counts bytes, the eye sees one less */
	struct oclmm_error error = make("\xc3\xa9 = \xc3\xa9\xc3\xa9 + 1", 6, 4);

	check(&error, "MP.litmus:12:6: error: unknown word\n"
	              "   12 | \xc3\xa9 = \xc3\xa9\xc3\xa9 + 1\n"
	              "      |     ^~\n");
}

TEST(edges_of_the_line)
{
	struct oclmm_error error = make("exists", 7, 1);

	check(&error, "MP.litmus:12:7: error: unknown word\n"
	              "   12 | exists\n"
	              "      |       ^\n");
	error = make("exists", 4, 99);
	check(&error, "MP.litmus:12:4: error: unknown word\n"
	              "   12 | exists\n"
	              "      |    ^~~\n");
	error = make("exists", 4, 0);
	check(&error, "MP.litmus:12:4: error: unknown word\n"
	              "   12 | exists\n"
	              "      |    ^\n");
	/* the line was cut before the place: no caret is better than a wrong one */
	error = make("exists", 8, 1);
	check(&error, "MP.litmus:12:8: error: unknown word\n");
	error = make("exists", 0, 0);
	check(&error, "MP.litmus:12: error: unknown word\n   12 | exists\n");
	error = make("", 3, 1);
	check(&error, "MP.litmus:12:3: error: unknown word\n");
}

TEST(long_messages_are_cut)
{
	struct oclmm_error error;

	oclmm_error_set(&error, -1, "%2000d", 1);
	assert_int_equal(strlen(error.message), sizeof(error.message) - 1);
}
