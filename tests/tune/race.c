// SPDX-License-Identifier: Apache-2.0
/* The search on devices whose answer to each environment is known. */

#include "../fixture/test.h"

#include <math.h>
#include <string.h>

#include "device_simulated.h"
#include "profile/candidates.h"
#include "tune/tune.h"

static const struct oclmm_device_info gpu = {
	.type = CL_DEVICE_TYPE_GPU,
	.compute_units = 32,
	.max_work_group_size = 1024,
	.global_memory = (cl_ulong)8 << 30,
	.local_memory = 48 << 10,
};
static const struct oclmm_kernel_plan two = {.roles = 2, .work_groups = 2, .crowd = 1};

/* What each run costs beside running. */
static const double OVERHEAD = 0.003;

struct model {
	struct simulated device;
	double scale; /* weak outcomes per second at the best place; 0: none anywhere */
	unsigned runs, spoilt;
	unsigned over_after; /* runs until nothing works any more; 0: never */
};

/* One hill: best with 64 lanes, a stride of 2 and no stress. */
static double rate_of(const struct model *model, const struct oclmm_environment *e)
{
	double lanes = log2(e->lanes) - 6, stride = log2(e->stride) - 1;
	double stress = e->stress_groups ? 3 : 0;

	return model->scale * exp(-(lanes * lanes + stride * stride + stress) / 4);
}

static enum tune_ended run(void *data, const struct oclmm_environment *e, double seconds,
                           struct tune_sample *ret_sample)
{
	struct model *model = data;
	struct oclmm_error error;

	assert_int_equal(oclmm_environment_check(e, &gpu, &two, &error), 0);
	assert_true(seconds > 0);
	ret_sample->cost = seconds + OVERHEAD;
	if (model->over_after && model->runs >= model->over_after)
		return TUNE_OVER;
	model->runs++;
	/* some drivers cannot stand a large stride */
	if (e->stride >= 512) {
		model->spoilt++;
		return TUNE_CANDIDATE_LOST;
	}
	ret_sample->seconds = seconds;
	ret_sample->instances = 1e9 * seconds;
	ret_sample->weak = simulated_count(&model->device, rate_of(model, e), seconds);
	return TUNE_RAN;
}

static struct tune_race make(struct model *model, uint64_t seed, double seconds)
{
	return (struct tune_race){
		.info = &gpu,
		.plan = &two,
		.seed = seed,
		.seconds = seconds,
		.drawn = 24,
		.delta = 0.05,
		.run = run,
		.data = model,
	};
}

static struct oclmm_environment_set defaults(void)
{
	struct oclmm_environment_set set;

	set.count = oclmm_environment_defaults(&gpu, &two, set.environments);
	return set;
}

static double best_rate(const struct model *model, const struct oclmm_environment_set *set)
{
	double best = 0;

	for (uint32_t i = 0; i < set->count; i++)
		best = fmax(best, rate_of(model, &set->environments[i]));
	return best;
}

TEST(climbs_the_hill)
{
	const struct oclmm_environment_set known = defaults();
	int better = 0, near_top = 0;

	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct model model = {.device = {.key = seed, .noise = 0.1}, .scale = 1e8};
		struct tune_race race = make(&model, seed, 10);
		struct oclmm_environment_set found;
		uint64_t ran, showing;

		tune_race_init(&race, &known, "default");
		assert_int_equal(tune_race_run(&race), TUNE_RAN);
		/* one run more than the time, no more */
		assert_true(race.spent < 10 + 0.1);
		assert_in_range(tune_race_winners(&race, 3, 0.8, &found), 1, 3);
		better += rate_of(&model, &found.environments[0]) >= best_rate(&model, &known);
		near_top += rate_of(&model, &found.environments[0]) > 0.75 * model.scale;
		tune_race_showing(&race, &ran, &showing);
		assert_true(ran + race.lost <= race.count && showing <= ran && showing > 0);
		assert_int_equal(race.lost, model.spoilt);
		assert_true(race.first >= 0 && race.first <= race.third &&
		            race.third <= race.twelfth);
		/* a hundred million a second: seen in the first run */
		assert_true(race.twelfth < 0.1);
		tune_race_finish(&race);
	}
	assert_in_range(better, 38, 40);
	assert_in_range(near_top, 36, 40);
}

TEST(repeats_itself)
{
	const struct oclmm_environment_set known = defaults();
	struct oclmm_environment_set found[2];

	for (int i = 0; i < 2; i++) {
		struct model model = {.device = {.key = 9, .noise = 0.1}, .scale = 1e6};
		struct tune_race race = make(&model, 9, 3);

		memset(&found[i], 0, sizeof(found[i]));
		tune_race_init(&race, &known, "default");
		tune_race_run(&race);
		tune_race_winners(&race, 3, 0.8, &found[i]);
		tune_race_finish(&race);
	}
	assert_memory_equal(&found[0], &found[1], sizeof(found[0]));
}

TEST(silence_ends_in_time)
{
	const struct oclmm_environment_set known = defaults();
	struct model model = {.device = {.key = 3}};
	struct tune_race race = make(&model, 3, 2);
	struct oclmm_environment_set found = {.count = 5};
	uint64_t ran, showing;

	tune_race_init(&race, &known, "default");
	assert_int_equal(tune_race_run(&race), TUNE_RAN);
	assert_true(race.spent < 2.1);
	assert_int_equal(tune_race_winners(&race, 3, 0.8, &found), 0);
	assert_int_equal(found.count, 0);
	tune_race_showing(&race, &ran, &showing);
	/* it goes on to new ones and does not run the same again */
	assert_true(ran > 100);
	assert_int_equal(showing, 0);
	assert_true(race.first < 0 && race.third < 0 && race.twelfth < 0);
	tune_race_finish(&race);
}

TEST(the_end_of_a_device_ends_it)
{
	const struct oclmm_environment_set known = defaults();
	struct model model = {.device = {.key = 4}, .scale = 1e6, .over_after = 7};
	struct tune_race race = make(&model, 4, 1000);

	tune_race_init(&race, &known, "default");
	assert_int_equal(tune_race_run(&race), TUNE_OVER);
	assert_int_equal(model.runs, 7);
	tune_race_finish(&race);
}

/* Times to 1, 3 and 12 within runs of ten a second. */
TEST(times_are_told)
{
	const struct oclmm_environment_set known = defaults();
	struct model model = {.device = {.key = 11}, .scale = 30};
	struct tune_race race = make(&model, 11, 20);

	tune_race_init(&race, &known, "default");
	assert_int_equal(tune_race_run(&race), TUNE_RAN);
	assert_true(race.first > 0 && race.first < race.third && race.third < race.twelfth);
	assert_true(race.twelfth < race.spent);
	tune_race_finish(&race);
}
