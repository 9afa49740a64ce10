// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>
#include <fnmatch.h>

static void patterns_of_the_shell(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool matches;
	} cases[] = {
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
		{"[]x]", "]", true},
		{"[x-]", "-", true},
		{"[ab", "[ab", true},
		{"[ab", "a", false},
		{"a]", "a]", true},
		{"\\*x", "*x", true},
		{"\\*x", "yx", false},
		{"a\\", "a\\", true},
		/* no more than that: what other shells know are letters */
		{"@(a)", "a", false},
		{"@(a)", "@(a)", true},
		{"+(a)", "aaa", false},
		{"Intel*(R)*", "Intel(R) Arc", true},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		if (oclmm_pattern_matches(cases[i].pattern, cases[i].text) != cases[i].matches)
			fail_msg("%s against %s", cases[i].pattern, cases[i].text);
	}
}

static void draw(char *string, const char *letters, uint64_t key, size_t most)
{
	size_t length = oclmm_random_below(key, 0, most);

	for (size_t i = 0; i < length; i++)
		string[i] = letters[oclmm_random_below(key, 1 + i, strlen(letters))];
	string[length] = '\0';
}

/* The C library's, in the locale of C, without its extensions. */
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
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_of_the_shell),
		cmocka_unit_test(the_c_library_agrees),
		cmocka_unit_test(no_pattern_takes_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
