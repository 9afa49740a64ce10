// SPDX-License-Identifier: Apache-2.0
/* What is left out before it is parsed is what the shell's own rules leave out, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/base.h"
#include "select/select.h"

static void test_table(void **state)
{
	static const struct {
		const char *name, *pattern;
		bool may;
	} rows[] = {
		{"SB", "SB", true},      {"SB", "*", true},          {"SB", "S?", true},
		{"SB", "S*", true},      {"SB", "SB*", true},        {"SB", "SB.order=sc", true},
		{"SB", "SB.*", true},    {"SB", "*.order=sc", true}, {"SB", "@(SB|MP)", true},
		{"SB", "S+(B)", true},   {"SB+rlx", "SB+rlx", true}, {"SB+rlx", "SB+*", true},
		{"SB", "", false},       {"SB", "S", false},         {"SB", "MP", false},
		{"SB", "MP*", false},    {"SB", "SB+rlx", false},    {"SB", "SB+*", false},
		{"SB+rlx", "SB", false}, {"SB+rlx", "SB.*", false},  {"SB", "SBx.order=sc", false},
		{"SB", "@(SB)", true},   {"SB", "@(SB.x)", true},    {"SB", "@(SB)*", true},
		{"SB", "@(MP)", false},  {"SB", "@(S)", false},      {"SB", "@(SB+rlx)", false},
		{"SB", "@()", false},    {"SB", "@(SBx.y)", false},  {"SB+rlx", "@(SB)", false},
		{"SB", "SB\\", true}, /* nothing matches it, and that is not for us to say */
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		if (test_name_may_match(rows[i].name, rows[i].pattern) != rows[i].may)
			fail_msg("\"%s\", \"%s\"", rows[i].name, rows[i].pattern);
	}
}

static void test_names(void **state)
{
	static const struct {
		const char *name, *called;
		bool may;
	} rows[] = {
		{"SB", "SB", true},         {"SB", "SB.order=sc", true}, {"SB", "SB.", true},
		{"SB", "SB+rlx", false},    {"SB", "S", false},          {"SB", "SBx.y", false},
		{"SB", "*", false},         {"SB", "", false},           {"*", "*", true},
		{"SB.x", "SB.x.y=z", true}, {"SB.x", "SB", false},       {"SB", "sb", false},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		if (test_name_may_be(rows[i].name, rows[i].called) != rows[i].may)
			fail_msg("\"%s\", \"%s\"", rows[i].name, rows[i].called);
	}
}

/* Up to so many characters of those. */
static void draw(uint64_t *next, const char *characters, size_t most, char *text)
{
	size_t length = oclmm_random_below(1, (*next)++, most + 1);

	for (size_t i = 0; i < length; i++)
		text[i] = characters[oclmm_random_below(1, (*next)++, strlen(characters))];
	text[length] = '\0';
}

static void test_property(void **state)
{
	uint64_t next = 0;
	unsigned matched = 0, left_out = 0;

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		char name[8], part[10], pattern[16], variant[16];
		bool matches, may;

		draw(&next, "ab+@", 3, name);
		draw(&next, "aabb++@.x*?[]()!|\\", 6, part);
		snprintf(pattern, sizeof(pattern), "%s%s%s", i % 2 ? "@(" : "", part,
		         i % 2 ? ")" : "");
		snprintf(variant, sizeof(variant), "%s.x", name);
		matches = oclmm_pattern_matches(pattern, name) ||
		          oclmm_pattern_matches(pattern, variant);
		may = test_name_may_match(name, pattern);
		if (matches && !may)
			fail_msg("\"%s\" is chosen by \"%s\", and left out", name, pattern);
		matched += matches;
		left_out += !may;
	}
	/* neither is rare */
	assert_true(matched > 10000);
	assert_true(left_out > 50000);
}

static void expect_peek(const char *text, const char *name)
{
	char path[] = "/tmp/oclmm-peek-XXXXXX", *found;
	int file = mkstemp(path);
	FILE *stream = file < 0 ? NULL : fdopen(file, "w");

	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
	found = test_name_peek(path);
	remove(path);
	if (!found || !name)
		assert_ptr_equal(found, name);
	else
		assert_string_equal(found, name);
	free(found);
}

static void test_peek(void **state)
{
	char text[400];

	(void)state;
	expect_peek("OPENCL SB+rlx+rlx\n\"?\"\n", "SB+rlx+rlx");
	/* what a parser may read in another way, or refuse, is left to it */
	expect_peek("OPENCL SB", NULL);
	expect_peek("OPENCL SB{\n", NULL);
	expect_peek("OPENCL SB \n", NULL);
	expect_peek("OPENCL SB\r\n", NULL);
	expect_peek("OPENCL  SB\n", NULL);
	expect_peek("OPENCL \n", NULL);
	expect_peek("\nOPENCL SB\n", NULL);
	expect_peek("(* *) OPENCL SB\n", NULL);
	expect_peek("C SB\n", NULL);
	expect_peek("", NULL);
	snprintf(text, sizeof(text), "OPENCL %0300d\n", 1);
	expect_peek(text, NULL);
	assert_null(test_name_peek("/nonexistent"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_property),
		cmocka_unit_test(test_peek),
	};

	return cmocka_run_group_tests_name("names of tests", tests, NULL, NULL);
}
