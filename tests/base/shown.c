// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <string.h>

#include "../fixture/test.h"
#include <iconv.h>

static void assert_shown(const char *string, const char *wanted)
{
	struct oclmm_text text = {0};

	oclmm_text_add_shown(&text, string);
	assert_string_equal(oclmm_text_string(&text), wanted);
	assert_string_equal(oclmm_shown(string).text, wanted);
	oclmm_text_finish(&text);
}

TEST(plain_text_stays)
{
	assert_shown("", "");
	assert_shown(NULL, "(unknown)");
	assert_shown("SB+rel+acq, 3 \\n of 4: \"x\"\t#1 a::b",
	             "SB+rel+acq, 3 \\n of 4: \"x\"\t#1 a::b");
	assert_shown("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
	             "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST(a_line_stays_one)
{
	assert_shown("pass\nok 99 - forged\r\n", "pass\\nok 99 - forged\\r\\n");
	assert_shown("a\x0b\x0c"
	             "b",
	             "a\\x0b\\x0cb");
	/* the next line, the separators of lines and of paragraphs */
	assert_shown("a\xc2\x85\xe2\x80\xa8\xe2\x80\xa9",
	             "a\\xc2\\x85\\xe2\\x80\\xa8\\xe2\\x80\\xa9");
}

TEST(terminals_are_told_nothing)
{
	assert_shown("\x1b[2Jgone\x1b]0;t\x07", "\\x1b[2Jgone\\x1b]0;t\\x07");
	assert_shown("a\x7f\x08", "a\\x7f\\x08");
	/* what begins a sequence in one character of Latin-1 and of UTF-8 */
	assert_shown("\x9b"
	             "2J \xc2\x9b"
	             "2J",
	             "\\x9b2J \\xc2\\x9b2J");
	/* from right to left, no width, a language tag */
	assert_shown("\xe2\x80\xae"
	             "ssap",
	             "\\xe2\\x80\\xaessap");
	assert_shown("\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf",
	             "\\xe2\\x81\\xa6\\xe2\\x80\\x8b\\xef\\xbb\\xbf");
	assert_shown("\xf3\xa0\x81\x81", "\\xf3\\xa0\\x81\\x81");
}

TEST(what_is_not_utf8_is_written_out)
{
	assert_shown("\xe2\x82", "\\xe2\\x82");
	assert_shown("\xc0\x80\xed\xa0\x80", "\\xc0\\x80\\xed\\xa0\\x80");
	assert_shown("\xf4\x90\x80\x80\xff", "\\xf4\\x90\\x80\\x80\\xff");
}

TEST(commands_of_build_services_are_none)
{
	assert_shown("::error file=x::all is lost", "\\x3a:error file=x::all is lost");
	assert_shown(" \t::error::y", " \t\\x3a:error::y");
	assert_shown("x ##[error]y ##vso[z]", "x \\x23#[error]y \\x23#vso[z]");
	assert_shown("###", "\\x23\\x23#");
}

TEST(a_long_string_is_cut_with_notice)
{
	char long_one[10000];
	struct oclmm_shown shown;

	memset(long_one, 'x', sizeof(long_one) - 1);
	long_one[sizeof(long_one) - 1] = '\0';
	shown = oclmm_shown(long_one);
	assert_in_range(strlen(shown.text), 4096, sizeof(shown.text) - 1);
	assert_string_equal(shown.text + strlen(shown.text) - 4, "x\xe2\x80\xa6");
	memset(long_one, '\x9b', sizeof(long_one) - 1);
	shown = oclmm_shown(long_one);
	assert_in_range(strlen(shown.text), 4090, sizeof(shown.text) - 1);
	assert_string_equal(shown.text + strlen(shown.text) - 7, "\\x9b\xe2\x80\xa6");
}

/* Drawn bytes, near the borders of UTF-8 most often: what comes out is one line of UTF-8. */
TEST(drawn_bytes_become_a_line)
{
	static const unsigned char bytes[] = {0x01, 0x0a, 0x1b, '#',  ':',  0x7f, 0x80, 0x81,
	                                      0x9b, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xe2, 0xed,
	                                      0xef, 0xf0, 0xf3, 0xf4, 0xff, 0xbb, 'a',  0xa8};
	iconv_t converter = iconv_open("UTF-32LE", "UTF-8");

	for (uint64_t i = 0; i < 20000; i++) {
		char string[13], wide[1024], *from, *to = wide;
		size_t length = oclmm_random_below(9, 16 * i, 12), left, room = sizeof(wide);
		struct oclmm_shown shown;

		for (size_t k = 0; k < length; k++)
			string[k] =
				(char)bytes[oclmm_random_below(9, 16 * i + 1 + k, sizeof(bytes))];
		string[length] = '\0';
		shown = oclmm_shown(string);
		from = shown.text;
		left = strlen(from);
		assert_int_not_equal(iconv(converter, &from, &left, &to, &room), (size_t)-1);
		for (const char *at = wide; at < to; at += 4) {
			uint32_t character;

			memcpy(&character, at, 4);
			assert_true(character >= 0x20 && character != 0x7f);
			assert_false(character >= 0x80 && character < 0xa0);
		}
		assert_null(strstr(shown.text, "##"));
		assert_true(strncmp(shown.text, "::", 2) != 0);
	}
	iconv_close(converter);
}

static void assert_quoted(const char *word, const char *wanted)
{
	struct oclmm_text text = {0};

	oclmm_text_add_quoted(&text, word);
	assert_string_equal(oclmm_text_string(&text), wanted);
	oclmm_text_finish(&text);
}

TEST(words_are_quoted_for_a_shell)
{
	assert_quoted("SB+rel+acq_1", "SB+rel+acq_1");
	assert_quoted("", "''");
	assert_quoted("a b", "'a b'");
	assert_quoted("x'; rm -rf $HOME; '", "'x'\\''; rm -rf $HOME; '\\'''");
}

/* Each word stands in brackets. */
static void assert_words(const char *line, const char *wanted)
{
	struct oclmm_text text = {0};
	char *word;

	while ((word = oclmm_quoted_word(&line))) {
		oclmm_text_printf(&text, "[%s]", word);
		free(word);
	}
	oclmm_text_add(&text, "");
	assert_string_equal(oclmm_text_string(&text), wanted);
	oclmm_text_finish(&text);
}

TEST(words_of_a_line_are_those_of_a_shell)
{
	assert_words("", "");
	assert_words(" \t ", "");
	assert_words("a  b\tc\n", "[a][b][c]");
	assert_words("-DX='a b' -D'Y=c'", "[-DX=a b][-DY=c]");
	assert_words("'' \"\"", "[][]");
	assert_words("'it'\\''s' \"it's\"", "[it's][it's]");
	assert_words("\"a\\\"b\\n\" 'c\\d' e\\ f", "[a\"b\\n][c\\d][e f]");
	assert_words("'not closed", "[not closed]");
	assert_words("a\\", "[a\\]");
	assert_words("\303\244 b", "[\303\244][b]");
}

TEST(a_word_that_was_quoted_is_read_as_it_was)
{
	static const char *const words[] = {"",       "a",       "a b",
	                                    "a\\\"b", "\t'\\\n", "x'; rm -rf $HOME; '"};

	for (size_t i = 0; i < OCLMM_COUNT(words); i++) {
		struct oclmm_text text = {0};
		const char *at;
		char *word;

		oclmm_text_add_quoted(&text, words[i]);
		at = oclmm_text_string(&text);
		word = oclmm_quoted_word(&at);
		assert_string_equal(word, words[i]);
		assert_null(oclmm_quoted_word(&at));
		free(word);
		oclmm_text_finish(&text);
	}
}
