// SPDX-License-Identifier: Apache-2.0
/* Drawn, changed and fitted environments are never refused, whatever the device and the program. */

#include "../fixture/test.h"

#include <string.h>

#include "profile/candidates.h"
#include "profile/profile.h"

enum { KEYS = 4000 };

struct stream {
	uint64_t key, counter;
};

static uint32_t below(struct stream *s, uint32_t bound)
{
	return (uint32_t)oclmm_random_below(s->key, s->counter++, bound);
}

/* Any device that there might be: one unit or a thousand, little memory or much. */
static struct oclmm_device_info draw_device(struct stream *s)
{
	static const cl_device_type types[] = {
		CL_DEVICE_TYPE_CPU,
		CL_DEVICE_TYPE_GPU,
		CL_DEVICE_TYPE_ACCELERATOR,
		CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU,
	};
	struct oclmm_device_info info = {.type = types[below(s, 4)]};

	info.compute_units = 1 + below(s, 1u << below(s, 11));
	/* not always a power of two */
	info.max_work_group_size = 1 + below(s, 1u << below(s, 14));
	info.global_memory = (cl_ulong)1 << (24 + below(s, 14));
	info.local_memory = (cl_ulong)1 << (10 + below(s, 9));
	info.short_loops = below(s, 4) == 0;
	return info;
}

/* Any program that the device can run: as many lanes and as much local memory as it has, at
 * most. */
static struct oclmm_kernel_plan draw_plan(struct stream *s, const struct oclmm_device_info *info)
{
	struct oclmm_kernel_plan plan = {.roles = 1 + below(s, OCLMM_KERNEL_ROLES)};
	uint32_t lanes = 1;

	plan.work_groups = 1 + below(s, plan.roles);
	plan.crowd = 1 + below(s, plan.roles - plan.work_groups + 1);
	while (lanes < plan.crowd)
		lanes *= 2;
	if (lanes > info->max_work_group_size) {
		plan.crowd = 1;
		lanes = 1;
	}
	if (below(s, 3) == 0 && info->local_memory / lanes >= 4)
		plan.local_bytes = 4 +
		                   4 * below(s, (uint32_t)(info->local_memory / lanes / 4 < 64
		                                                   ? info->local_memory / lanes / 4
		                                                   : 64));
	while (plan.local_bytes && (uint64_t)plan.local_bytes * lanes > info->local_memory)
		plan.local_bytes -= 4;
	plan.has_local = plan.local_bytes > 0;
	if (below(s, 4) == 0) {
		plan.in_sub_groups = true;
		plan.sub_groups = 1 + below(s, plan.crowd);
		plan.sub_crowd = plan.crowd / plan.sub_groups;
	}
	return plan;
}

static void accepted(const struct oclmm_environment *e, const struct oclmm_device_info *info,
                     const struct oclmm_kernel_plan *plan, uint64_t key)
{
	struct oclmm_error error = {0};

	if (oclmm_environment_check(e, info, plan, &error) < 0)
		fail_msg("key %llu: %s", (unsigned long long)key, error.message);
}

TEST(drawn_ones_fit)
{
	for (uint64_t key = 0; key < KEYS; key++) {
		struct stream s = {.key = oclmm_random_derive(key, "drawn")};
		struct oclmm_device_info info = draw_device(&s);
		struct oclmm_kernel_plan plan = draw_plan(&s, &info);
		struct oclmm_environment e = oclmm_environment_draw(key, &info, &plan);
		struct oclmm_environment again = oclmm_environment_draw(key, &info, &plan);

		accepted(&e, &info, &plan, key);
		assert_memory_equal(&e, &again, sizeof(e));
		/* a candidate must not cost a second a launch, nor all of the device's memory */
		assert_true((uint64_t)oclmm_environment_instances(&e) * e.stride * 32 <=
		                    info.global_memory / 2 ||
		            e.rounds == 1);
	}
}

TEST(descendants_fit)
{
	for (uint64_t key = 0; key < KEYS / 8; key++) {
		struct stream s = {.key = oclmm_random_derive(key, "descendants")};
		struct oclmm_device_info info = draw_device(&s);
		struct oclmm_kernel_plan plan = draw_plan(&s, &info);
		struct oclmm_environment parent = oclmm_environment_draw(key, &info, &plan);
		struct oclmm_environment other = oclmm_environment_draw(key + KEYS, &info, &plan);

		for (uint64_t i = 0; i < 16; i++) {
			uint64_t child_key = oclmm_random(key, i);
			struct oclmm_environment child =
				oclmm_environment_mutate(child_key, &parent, &other, &info, &plan);
			struct oclmm_environment again =
				oclmm_environment_mutate(child_key, &parent, &other, &info, &plan);

			accepted(&child, &info, &plan, child_key);
			assert_memory_equal(&child, &again, sizeof(child));
			other = parent;
			parent = child;
		}
	}
}

/* Numbers from nowhere: what a profile of another device may hold. */
TEST(anything_is_made_to_fit)
{
	for (uint64_t key = 0; key < KEYS; key++) {
		struct stream s = {.key = oclmm_random_derive(key, "anything")};
		struct oclmm_device_info info = draw_device(&s);
		struct oclmm_kernel_plan plan = draw_plan(&s, &info);
		struct oclmm_environment e, again;

		for (size_t i = 0; i < sizeof(e) / sizeof(uint32_t); i++) {
			uint32_t number = (uint32_t)(oclmm_random(s.key, 1000 + i) >>
			                             (32 + below(&s, 32)));

			memcpy((char *)&e + i * sizeof(number), &number, sizeof(number));
		}
		oclmm_environment_fit(&e, &info, &plan);
		accepted(&e, &info, &plan, key);
		again = e;
		oclmm_environment_fit(&again, &info, &plan);
		assert_memory_equal(&e, &again, sizeof(e));
		oclmm_environment_bound(&e, &info, &plan);
		accepted(&e, &info, &plan, key);
	}
}

/* A profile that was tuned here must be run as it stands there. */
TEST(what_fits_is_left_alone)
{
	for (uint64_t key = 0; key < KEYS; key++) {
		struct stream s = {.key = oclmm_random_derive(key, "alone")};
		struct oclmm_device_info info = draw_device(&s);
		struct oclmm_kernel_plan plan = draw_plan(&s, &info);
		struct oclmm_environment defaults[OCLMM_ENVIRONMENTS_MAX], before;
		uint32_t count = oclmm_environment_defaults(&info, &plan, defaults);
		struct oclmm_error error;

		for (uint32_t i = 0; i < count; i++) {
			before = defaults[i];
			if (info.short_loops ||
			    oclmm_environment_check(&before, &info, &plan, &error) < 0)
				continue;
			oclmm_environment_fit(&defaults[i], &info, &plan);
			assert_memory_equal(&before, &defaults[i], sizeof(before));
		}
		before = oclmm_environment_draw(key, &info, &plan);
		defaults[0] = before;
		oclmm_environment_fit(&defaults[0], &info, &plan);
		assert_memory_equal(&before, &defaults[0], sizeof(before));
	}
}

/*
 * Every knob is turned: none has the same value in all draws. But for the size
 * of sub-groups, which is the device's own.
 */
TEST(every_knob_varies)
{
	const struct oclmm_device_info gpu = {
		.type = CL_DEVICE_TYPE_GPU,
		.compute_units = 32,
		.max_work_group_size = 1024,
		.global_memory = (cl_ulong)8 << 30,
		.local_memory = 48 << 10,
	};
	const struct oclmm_kernel_plan two = {.roles = 2, .work_groups = 2, .crowd = 1};
	struct oclmm_environment first = oclmm_environment_draw(0, &gpu, &two);
	struct oclmm_environment varied = {0};

	for (uint64_t key = 1; key < 200; key++) {
		struct oclmm_environment e = oclmm_environment_draw(key, &gpu, &two);

#define OCLMM_X(field, meaning) varied.field |= e.field != first.field;
		OCLMM_ENVIRONMENT(OCLMM_X)
#undef OCLMM_X
	}
#define OCLMM_X(field, meaning)                                                                    \
	if (!varied.field && offsetof(struct oclmm_environment, field) !=                          \
	                             offsetof(struct oclmm_environment, sub_lanes))                \
		fail_msg("%s never varies", #field);
	OCLMM_ENVIRONMENT(OCLMM_X)
#undef OCLMM_X
}

/* ---- their text ---- */

TEST(text_and_back)
{
	for (uint64_t key = 0; key < KEYS / 4; key++) {
		struct stream s = {.key = oclmm_random_derive(key, "text")};
		struct oclmm_environment_set before = {.count = 1 +
		                                                below(&s, OCLMM_ENVIRONMENTS_MAX)},
					     after;
		struct oclmm_error error = {0};
		struct oclmm_text text = {0};

		for (uint32_t i = 0; i < before.count; i++) {
			struct oclmm_device_info info = draw_device(&s);
			struct oclmm_kernel_plan plan = draw_plan(&s, &info);

			before.environments[i] = oclmm_environment_draw(below(&s, UINT32_MAX),
			                                                &info, &plan);
		}
		oclmm_environment_set_print(&text, &before);
		assert_null(strpbrk(oclmm_text_string(&text), "'\"\\\n"));
		assert_int_equal(
			oclmm_environment_set_parse(oclmm_text_string(&text), &error, &after), 0);
		assert_int_equal(after.count, before.count);
		assert_memory_equal(after.environments, before.environments,
		                    before.count * sizeof(struct oclmm_environment));
		oclmm_text_finish(&text);
	}
}

/* Old texts leave things out: what that means may never change. */
TEST(what_is_left_out)
{
	struct oclmm_environment_set set;
	struct oclmm_error error;

	assert_int_equal(oclmm_environment_set_parse("groups=8 ;  lanes=2\tstride=4", &error, &set),
	                 0);
	assert_int_equal(set.count, 2);
	assert_int_equal(set.environments[0].groups, 8);
	assert_int_equal(set.environments[0].stride, 1);
	assert_int_equal(set.environments[1].groups, 1);
	assert_int_equal(set.environments[1].rounds, 1);
	assert_int_equal(set.environments[1].stress_pattern, 4);
	assert_int_equal(set.environments[1].stress_lines, 1);
	assert_int_equal(set.environments[1].poll_every, 1);
	assert_int_equal(set.environments[1].count_each, 1);
	assert_int_equal(set.environments[1].polls, 0);
}

static void refused_at(const char *text, const char *word, uint32_t column)
{
	struct oclmm_environment_set set = {.count = 77};
	struct oclmm_error error = {0};

	assert_int_not_equal(oclmm_environment_set_parse(text, &error, &set), 0);
	if (!strstr(error.message, word) || error.position.column != column ||
	    error.position.line != 1)
		fail_msg("'%s': %s at %u", text, error.message, error.position.column);
	assert_string_equal(error.source, text);
	assert_int_equal(set.count, 77);
}

TEST(bad_texts)
{
	refused_at("", "missing", 1);
	refused_at("groups=1;", "missing", 10);
	refused_at("groups=1 ;; lanes=1", "missing", 11);
	refused_at("groups=1 nonsense=3", "nonsense", 10);
	refused_at("groups=1; lanes", "no value", 11);
	refused_at("groups=1 lanes=-1", "lanes", 10);
	refused_at("lanes=4294967296", "lanes", 1);
	refused_at("lanes=1 groups=2 lanes=1", "twice", 18);
	refused_at("lanes=1;lanes=1;lanes=1;lanes=1;lanes=1;lanes=1;lanes=1;lanes=1;lanes=1",
	           "more than", 65);
}

/* A number that means nothing is no number that works by chance. */
TEST(numbers_out_of_bounds)
{
	static const struct {
		const char *text, *word;
	} refused[] = {
		{"count_chunked=3", "count_chunked"},
		{"shuffle_locations=101", "shuffle_locations"},
		{"shuffle_groups=101", "shuffle_groups"},
		{"shuffle_lanes=101", "shuffle_lanes"},
		{"reverse_results=101", "reverse_results"},
		{"interleaved=2", "interleaved"},
		{"direct=2", "direct"},
		{"split=4", "split"},
		{"dimensions=4", "dimensions"},
		{"stress_pattern=5", "stress_pattern"},
		{"poll_budget=16777217", "poll_budget"},
		{"offset=1073741825", "offset"},
		{"gap=12", "gap"},
		{"stride=4097", "stride"},
		{"stress_lines=3", "stress_lines"},
		{"stress_stride=4097", "stress_stride"},
		{"poll_every=6", "poll_every"},
		{"count_lanes=12", "count_lanes"},
		{"count_each=0", "count_each"},
		{"rounds=0", "rounds"},
		{"groups=0", "groups"},
		{"lanes=0", "lanes"},
		{"queue_groups=65537", "second queue"},
		{"queue_stress=1048577", "queue_stress"},
		{"stress_groups=65537", "stress groups"},
		{"pre_stress=65537", "stress operations"},
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		refused_at(refused[i].text, refused[i].word, 1);
	refused_at("groups=4096 rounds=4096 stride=257", "16 GiB", 1);
}

/* Each number is within its bounds, and all together would look like a hang. */
TEST(stress_without_an_end)
{
	static const char *const texts[] = {
		"lanes=64 stress_groups=65536 stress=1048576",
		"lanes=64 queue_groups=65536 queue_stress=1048576",
		"groups=65536 lanes=64 pre_stress=65536",
	};
	const struct oclmm_device_info info = {.type = CL_DEVICE_TYPE_GPU,
	                                       .max_work_group_size = 1024,
	                                       .compute_units = 64};
	const struct oclmm_kernel_plan plan = {.work_groups = 1, .crowd = 1, .roles = 1};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct oclmm_environment_set set;
		struct oclmm_error error = {0};

		assert_int_equal(oclmm_environment_set_parse(texts[i], &error, &set), 0);
		assert_int_not_equal(
			oclmm_environment_check(&set.environments[0], &info, &plan, &error), 0);
		assert_non_null(strstr(error.message, "stress operations in one launch"));
		oclmm_environment_fit(&set.environments[0], &info, &plan);
		accepted(&set.environments[0], &info, &plan, i);
	}
}

/* What one of two needs, both get: a test and its control run alike. */
TEST(joined_plans)
{
	struct oclmm_kernel_plan plan = {.work_groups = 2, .crowd = 1, .roles = 2};
	const struct oclmm_kernel_plan other = {
		.work_groups = 1, .crowd = 3, .roles = 3, .plain_data = true};

	oclmm_plan_join(&plan, &other);
	assert_int_equal(plan.work_groups, 2);
	assert_int_equal(plan.crowd, 3);
	assert_int_equal(plan.roles, 3);
	assert_true(plan.plain_data);
	assert_false(plan.has_local);
}
