// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>
#include <fnmatch.h>

struct row {
	const char *pattern, *text;
	bool matches;
};

static void check(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (oclmm_pattern_matches(rows[i].pattern, rows[i].text) != rows[i].matches)
			fail_msg("%s against %s", rows[i].pattern, rows[i].text);
	}
}

static void letters_stars_and_brackets(void **state)
{
	static const struct row rows[] = {
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"NVIDIA H200*", "NVIDIA H200 NVL", true},
		{"NVIDIA H200*", "NVIDIA H100", false},
		{"580.?", "580.1", true},
		{"580.?", "580.", false},
		{"*a*b*c", "xxaxxbxxbxxc", true},
		{"*a*b*c", "xxaxxcxxb", false},
		{"SB+[a-c][!x]", "SB+by", true},
		{"SB+[a-c][!x]", "SB+bx", false},
		{"SB+[a-c][!x]", "SB+d_", false},
		{"SB+[^x]", "SB+y", true},
		{"SB+[^x]", "SB+x", false},
		{"[]x]", "]", true},
		{"[!]x]", "]", false},
		{"[!]x]", "y", true},
		{"[x-]", "-", true},
		{"[a!]", "!", true},
		{"[ab", "[ab", true},
		{"[ab", "a", false},
		{"a]", "a]", true},
		{"\\*x", "*x", true},
		{"\\*x", "yx", false},
		{"a\\", "a\\", true},
		{"*\\", "a\\", true},
		/* `\` takes a character for itself in brackets, too */
		{"[a\\]b]", "]", true},
		{"[a\\]b]", "\\", false},
		{"[\\!a]", "!", true},
		{"[a\\-c]", "b", false},
		{"[a\\]", "a", false},
		{"[a\\]", "[a]", true},
		/* classes of POSIX */
		{"r[[:digit:]]", "r7", true},
		{"r[[:digit:]]", "rx", false},
		{"r[![:digit:]_]", "rx", true},
		{"r[![:digit:]_]", "r_", false},
		{"[[:nothing:]]", "n]", true},
		{"[[.-.]-0]", "/", true},
		{"[[=a=]]", "a", true},
	};

	(void)state;
	check(rows, OCLMM_COUNT(rows));
}

static void lists(void **state)
{
	static const struct row rows[] = {
		{"@(a|b)", "a", true},
		{"@(a|b)", "b", true},
		{"@(a|b)", "", false},
		{"@(a|b)", "ab", false},
		{"?(a|b)", "", true},
		{"?(a|b)", "b", true},
		{"?(a|b)", "bb", false},
		{"*(a|bc)", "", true},
		{"*(a|bc)", "abcbca", true},
		{"*(a|bc)", "abcb", false},
		{"+(a|bc)", "", false},
		{"+(a|bc)", "bca", true},
		{"!(a|bc)", "", true},
		{"!(a|bc)", "b", true},
		{"!(a|bc)", "bc", false},
		{"x!(y)z", "xz", true},
		{"x!(y)z", "xyz", false},
		{"x!(y)z", "xyyz", true},
		{"!(*order=rlx*)", "SB.order=acq", true},
		{"!(*order=rlx*)", "SB.order=rlx.scope=wg", false},
		{"CoRR?(.by=short)?(.width=*([!.]))", "CoRR.width=ulong", true},
		{"CoRR?(.by=short)?(.width=*([!.]))", "CoRR.by=short.width=ulong", true},
		{"CoRR?(.by=short)?(.width=*([!.]))", "CoRR.width=ulong.place=far", false},
		/* in each other */
		{"@(a|b@(c|d+(e)))f", "bdeeef", true},
		{"@(a|b@(c|d+(e)))f", "bdf", false},
		{"!(!(a))", "a", true},
		{"!(!(a))", "b", false},
		{"+(+(a)|b)", "aabaab", true},
		{"+(+(a)|b)", "aabacb", false},
		/* beside stars and brackets */
		{"*@(rel|acq)*", "MP+rel+acq", true},
		{"*@(rel|acq)*", "MP+rlx", false},
		{"@([|)]|x)", ")", true},
		{"@(\\||\\))", "|", true},
		{"@(a|)b", "b", true},
		/* not closed, or behind a `\\`: letters */
		{"@(a", "@(a", true},
		{"@(a", "a", false},
		{"\\@(a)", "@(a)", true},
		{"\\@(a)", "a", false},
		{"(a|b)", "(a|b)", true},
		{"(a|b)", "a", false},
	};

	(void)state;
	check(rows, OCLMM_COUNT(rows));
}

/* Names of devices have parentheses, and whoever gives such a name need not know of lists. */
static void text_with_the_letters_of_a_pattern(void **state)
{
	static const struct row rows[] = {
		{"@(a)", "@(a)", true},
		{"a[0]", "a[0]", true},
		{"a[0]", "a0", true},
		{"Intel(R) *(TM) CPU*", "Intel(R) Core(TM) CPU", true},
		{"Intel*(R)*", "Intel(R) Arc", true},
		{"Intel*(R)*", "AMD", false},
	};

	(void)state;
	check(rows, OCLMM_COUNT(rows));
}

static void draw(char *string, const char *letters, uint64_t key, size_t most)
{
	size_t length = oclmm_random_below(key, 0, most);

	for (size_t i = 0; i < length; i++)
		string[i] = letters[oclmm_random_below(key, 1 + i, strlen(letters))];
	string[length] = '\0';
}

#ifdef FNM_EXTMATCH
/* Parentheses come in pairs; what glibc makes of others is its own affair. */
static bool is_well_read(const char *pattern)
{
	int depth = 0;

	for (const char *at = pattern; *at; at++) {
		if (*at == '\\' && at[1])
			at++;
		else if (*at == '(')
			depth++;
		else if (*at == ')' && --depth < 0)
			return false;
	}
	return depth == 0;
}

/* glibc's, in the locale of C, with lists. It reads a list that takes nothing amiss where it stands
 * behind a star, at the end. */
static void glibc_agrees(void **state)
{
	static const char *const pieces[] = {"?",   "a",    "b",      "@(",         "?(",
	                                     "*(",  "+(",   "!(",     "|",          ")",
	                                     ")",   "[ab]", "[!a]",   "[^b-c]",     "ab",
	                                     "\\*", "\\(",  "[a\\]]", "[[:alpha:]]"};
	unsigned matched = 0;

	(void)state;
	for (uint64_t key = 1; key <= 400000; key++) {
		char pattern[80] = "", text[9];
		uint64_t count = 1 + oclmm_random_below(key, 0, 8);
		bool wanted;

		for (uint64_t i = 0; i < count; i++)
			strcat(pattern,
			       pieces[oclmm_random_below(key, 1 + i, OCLMM_COUNT(pieces))]);
		draw(text, "aabbc]*", ~key, sizeof(text));
		if (!is_well_read(pattern))
			continue;
		wanted = fnmatch(pattern, text, FNM_EXTMATCH) == 0;
		matched += wanted;
		if (oclmm_pattern_matches(pattern, text) != wanted)
			fail_msg("%s against %s", pattern, text);
	}
	assert_true(matched > 1000);
}
#endif

/* The C library's, in the locale of C, without lists. */
static void the_c_library_agrees(void **state)
{
	unsigned matched = 0;

	(void)state;
	for (uint64_t key = 1; key <= 200000; key++) {
		char pattern[9], text[9];
		bool wanted;

		draw(pattern, "**?ab[]!-", key, sizeof(pattern));
		draw(text, "aabb[]-!", ~key, sizeof(text));
		/* whether ranges that run backwards are an error is the library's own affair */
		if (strchr(pattern, '[') && strchr(pattern, '-'))
			continue;
		wanted = fnmatch(pattern, text, 0) == 0;
		matched += wanted;
		if (oclmm_pattern_matches(pattern, text) != wanted)
			fail_msg("%s against %s", pattern, text);
	}
	assert_true(matched > 1000);
}

/* What would take a matcher that goes back to every star longer than anybody waits. */
static void no_pattern_takes_long(void **state)
{
	static char pattern[4001], text[20001];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	for (size_t i = 0; i + 2 < sizeof(pattern); i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[sizeof(pattern) - 2] = 'b';
	assert_false(oclmm_pattern_matches(pattern, text));
	memset(pattern, '[', sizeof(pattern) - 1);
	memset(text, '[', sizeof(text) - 2);
	*pattern = '*';
	assert_false(oclmm_pattern_matches(pattern, text));
	memset(text, 'a', sizeof(text) - 1);
	text[1000] = '\0';
	assert_false(oclmm_pattern_matches("+(+(+(+(+(a)|aa)|aaa)|aaaa)|aaaaa)b", text));
	assert_true(oclmm_pattern_matches("*!(*!(*!(*!(a)b)b)b)", text));
	for (size_t i = 0; i + 4 < sizeof(pattern); i += 4)
		memcpy(pattern + i, "*(a)", 4);
	assert_false(oclmm_pattern_matches(pattern, text));
	memcpy(pattern, "+(", 2);
	for (size_t i = 2; i + 2 < sizeof(pattern); i += 2)
		memcpy(pattern + i, "a|", 2);
	memcpy(pattern + sizeof(pattern) - 3, ")b", 3);
	assert_false(oclmm_pattern_matches(pattern, text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_stars_and_brackets),
		cmocka_unit_test(lists),
		cmocka_unit_test(text_with_the_letters_of_a_pattern),
#ifdef FNM_EXTMATCH
		cmocka_unit_test(glibc_agrees),
#endif
		cmocka_unit_test(the_c_library_agrees),
		cmocka_unit_test(no_pattern_takes_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
