// SPDX-License-Identifier: Apache-2.0
/* An environment's text form: nothing is lost on the way, and what it does not say is refused. */

#include "../fixture/test.h"

#include <errno.h>
#include <string.h>

#include "../fixture/environment.h"

TEST(text_and_back)
{
	struct oclmm_environment before, after = {0};
	struct oclmm_error error;
	struct oclmm_text text = {0};

	/* every field another number */
	for (size_t i = 0; i < sizeof(before) / sizeof(uint32_t); i++) {
		uint32_t number = (uint32_t)(oclmm_random(1, i) >> 32);

		memcpy((char *)&before + i * sizeof(number), &number, sizeof(number));
	}
	environment_print(&text, &before);
	assert_int_equal(strncmp(oclmm_text_string(&text), "groups=", 7), 0);
	assert_int_equal(oclmm_environment_parse(oclmm_text_string(&text), &error, &after), 0);
	assert_memory_equal(&before, &after, sizeof(before));
	oclmm_text_finish(&text);
}

TEST(some_fields_only)
{
	struct oclmm_environment environment = {.groups = 8, .lanes = 4};
	struct oclmm_error error;

	assert_int_equal(oclmm_environment_parse("  polls=7\tlanes=2 ", &error, &environment), 0);
	assert_int_equal(environment.groups, 8);
	assert_int_equal(environment.lanes, 2);
	assert_int_equal(environment.polls, 7);
	assert_int_equal(oclmm_environment_parse("", &error, &environment), 0);
	assert_int_equal(environment.polls, 7);
}

static void refused(const char *text, const char *word)
{
	struct oclmm_environment environment = {.groups = 8};
	struct oclmm_error error;

	assert_int_equal(oclmm_environment_parse(text, &error, &environment), -EINVAL);
	assert_non_null(strstr(error.message, word));
	assert_int_equal(environment.groups, 8);
}

TEST(bad_texts)
{
	refused("groups=1 nonsense=3", "nonsense");
	refused("groups=1 lanes", "lanes");
	refused("groups=1 lanes=", "lanes");
	refused("groups=1 lanes=-1", "lanes");
	refused("groups=1 lanes=4294967296", "lanes");
	refused("groups=1 lanes=3x", "lanes");
	refused("group=1", "group");
}

TEST(powers_of_two)
{
	static const uint32_t largest = 1u << 30;

	assert_false(oclmm_is_power(0));
	for (uint32_t power = 1; power <= largest; power *= 2) {
		assert_true(oclmm_is_power(power));
		assert_int_equal(oclmm_power_at_least(power), power);
		assert_int_equal(oclmm_power_at_most(power), power);
		if (power == 1)
			continue;
		assert_int_equal(oclmm_is_power(power + 1), 0);
		assert_int_equal(oclmm_power_at_least(power / 2 + 1), power);
		assert_int_equal(oclmm_power_at_most(power - 1), power / 2);
	}
	/* a driver may say that it has so many of something */
	assert_int_equal(oclmm_power_at_least(UINT32_MAX), largest);
	assert_int_equal(oclmm_power_at_most(UINT64_MAX), largest);
	assert_int_equal(oclmm_power_at_least(0), 1);
	assert_int_equal(oclmm_power_at_most(0), 1);
}
