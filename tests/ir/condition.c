// SPDX-License-Identifier: Apache-2.0
#include "oclmm/ir.h"

#include "../fixture/test.h"

static struct oclmm_observable observables[] = {
	{.is_register = true, .type = OCLMM_TYPE_INT, .name = "1:r0"},
	{.is_register = true, .type = OCLMM_TYPE_UINT, .name = "1:r1"},
	{.type = OCLMM_TYPE_ULONG, .name = "[x]"},
	{.type = OCLMM_TYPE_LONG, .name = "a[2]"},
};
static const struct oclmm_program program = {
	.observables = observables,
	.observable_count = OCLMM_COUNT(observables),
};

static struct oclmm_condition equals(uint32_t observable, enum oclmm_operator op, int64_t constant)
{
	return (struct oclmm_condition){
		.kind = OCLMM_CONDITION_COMPARE,
		.op = op,
		.a = {.observable = observable},
		.b = {.is_constant = true, .constant = constant},
	};
}

static struct oclmm_condition join(enum oclmm_condition_kind kind, struct oclmm_condition *left,
                                   struct oclmm_condition *right)
{
	return (struct oclmm_condition){.kind = kind, .left = left, .right = right};
}

static void assert_prints(const struct oclmm_condition *condition, const char *expected)
{
	struct oclmm_text text = {0};

	oclmm_condition_print(&text, &program, condition);
	assert_string_equal(oclmm_text_string(&text), expected);
	oclmm_text_finish(&text);
}

TEST(comparisons)
{
	static const struct {
		enum oclmm_operator op;
		bool less, equal, greater;
	} truth[] = {
		{OCLMM_OPERATOR_EQ, false, true, false}, {OCLMM_OPERATOR_NE, true, false, true},
		{OCLMM_OPERATOR_LT, true, false, false}, {OCLMM_OPERATOR_GT, false, false, true},
		{OCLMM_OPERATOR_LE, true, true, false},  {OCLMM_OPERATOR_GE, false, true, true},
	};
	size_t i;

	for (i = 0; i < OCLMM_COUNT(truth); i++) {
		struct oclmm_condition condition = equals(0, truth[i].op, -5);

		assert_int_equal(oclmm_condition_holds(&program, &condition,
		                                       (int64_t[]){-6, 0, 0, 0}),
		                 truth[i].less);
		assert_int_equal(oclmm_condition_holds(&program, &condition,
		                                       (int64_t[]){-5, 0, 0, 0}),
		                 truth[i].equal);
		assert_int_equal(oclmm_condition_holds(&program, &condition,
		                                       (int64_t[]){3, 0, 0, 0}),
		                 truth[i].greater);
	}
}

/* The largest ulong is held as -1, and still larger than any long. */
TEST(sides_of_different_types_compare_as_numbers)
{
	struct oclmm_condition condition = {
		.kind = OCLMM_CONDITION_COMPARE,
		.op = OCLMM_OPERATOR_GT,
		.a = {.observable = 2},
		.b = {.observable = 3},
	};

	assert_true(oclmm_condition_holds(&program, &condition, (int64_t[]){0, 0, -1, -1}));
	assert_true(oclmm_condition_holds(&program, &condition, (int64_t[]){0, 0, 0, -1}));
	assert_false(oclmm_condition_holds(&program, &condition, (int64_t[]){0, 0, 5, 5}));
	condition = equals(2, OCLMM_OPERATOR_GE, INT64_MIN); /* 2^63 */
	assert_true(oclmm_condition_holds(&program, &condition, (int64_t[]){0, 0, -1, 0}));
	assert_false(oclmm_condition_holds(&program, &condition, (int64_t[]){0, 0, INT64_MAX, 0}));
	assert_prints(&condition, "[x]>=9223372036854775808");
}

TEST(connectives)
{
	struct oclmm_condition a = equals(0, OCLMM_OPERATOR_EQ, 1),
			       b = equals(1, OCLMM_OPERATOR_EQ, 1);
	struct oclmm_condition both = join(OCLMM_CONDITION_AND, &a, &b);
	struct oclmm_condition either = join(OCLMM_CONDITION_OR, &a, &b);
	struct oclmm_condition neither = join(OCLMM_CONDITION_NOT, &either, NULL);
	struct oclmm_condition always = {.kind = OCLMM_CONDITION_TRUE};
	int bits;

	for (bits = 0; bits < 4; bits++) {
		int64_t values[] = {bits & 1, bits >> 1, 0, 0};

		assert_int_equal(oclmm_condition_holds(&program, &both, values), bits == 3);
		assert_int_equal(oclmm_condition_holds(&program, &either, values), bits != 0);
		assert_int_equal(oclmm_condition_holds(&program, &neither, values), bits == 0);
		assert_true(oclmm_condition_holds(&program, &always, values));
	}
	assert_prints(&always, "true");
}

TEST(printing_keeps_the_tree)
{
	struct oclmm_condition a = equals(0, OCLMM_OPERATOR_EQ, 1),
			       b = equals(1, OCLMM_OPERATOR_NE, 2);
	struct oclmm_condition c = equals(3, OCLMM_OPERATOR_LT, -3);
	struct oclmm_condition a_and_b = join(OCLMM_CONDITION_AND, &a, &b);
	struct oclmm_condition a_or_b = join(OCLMM_CONDITION_OR, &a, &b);
	struct oclmm_condition not_a = join(OCLMM_CONDITION_NOT, &a, NULL);
	struct oclmm_condition tree;

	assert_prints(&a_and_b, "1:r0=1 /\\ 1:r1!=2");
	tree = join(OCLMM_CONDITION_AND, &a_and_b, &c);
	assert_prints(&tree, "1:r0=1 /\\ 1:r1!=2 /\\ a[2]<-3");
	tree = join(OCLMM_CONDITION_AND, &c, &a_and_b);
	assert_prints(&tree, "a[2]<-3 /\\ (1:r0=1 /\\ 1:r1!=2)");
	tree = join(OCLMM_CONDITION_OR, &a_and_b, &c);
	assert_prints(&tree, "1:r0=1 /\\ 1:r1!=2 \\/ a[2]<-3");
	tree = join(OCLMM_CONDITION_AND, &a_or_b, &not_a);
	assert_prints(&tree, "(1:r0=1 \\/ 1:r1!=2) /\\ ~(1:r0=1)");
	tree = join(OCLMM_CONDITION_NOT, &a_or_b, NULL);
	assert_prints(&tree, "~(1:r0=1 \\/ 1:r1!=2)");
}

TEST(outcomes_print_as_herd_does)
{
	struct oclmm_text text = {0};

	oclmm_outcome_print(&text, &program, (int64_t[]){-1, 4294967295, -1, 7});
	assert_string_equal(oclmm_text_string(&text),
	                    "1:r0=-1; 1:r1=4294967295; [x]=18446744073709551615; a[2]=7;");
	oclmm_text_finish(&text);
}

TEST(locations_are_found)
{
	struct oclmm_location locations[] = {{.name = "x"}, {.name = "xy"}};
	struct oclmm_program with = {.locations = locations, .location_count = 2};

	assert_int_equal(oclmm_program_find_location(&with, "x"), 0);
	assert_int_equal(oclmm_program_find_location(&with, "xy"), 1);
	assert_int_equal(oclmm_program_find_location(&with, "y"), -1);
}
