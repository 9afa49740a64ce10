// SPDX-License-Identifier: Apache-2.0
/*
 * The order of a block and the stimulus of each launch are independent, of each
 * other and of those beside them. Were they tied, a device whose bug depends on
 * the stimulus alone could show it in the launches of one member only, and a
 * test would pass by what it was given and not by what the device does.
 *
 * Every bit of what is drawn for a launch is held against its place, and
 * against every bit of the launches beside it. A tie of any two bits that
 * shifts their agreement by more than 12 % is found; by chance alone one of all
 * pairs together is found with a probability of 10^-6 at most.
 */

#include "../fixture/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/evidence.h"

#include "../fixture/shows.h"
#include "programs.h"
#include "stress/internal.h"

/* What is looked at, and what is planted instead of it. */
struct scheme {
	uint64_t (*launch_key)(uint64_t seed, uint64_t number);
	void (*order)(uint64_t seed, uint64_t launch, uint32_t members, uint32_t launches,
	              uint32_t *ret_order);
	bool one_seed; /* of test and controls, though their names differ */
};

static const struct scheme ours = {.launch_key = oclmm_launch_key, .order = oclmm_block_order};

/* The order drawn from what the first member's launch is drawn from. */
static void tied_order(uint64_t seed, uint64_t launch, uint32_t members, uint32_t launches,
                       uint32_t *ret_order)
{
	uint64_t key = oclmm_launch_key(seed, launch);
	uint32_t count = members * launches;

	for (uint32_t i = 0; i < count; i++)
		ret_order[i] = i / launches;
	for (uint32_t i = count; i > 1; i--) {
		uint32_t other = (uint32_t)oclmm_random_below(key, i, i), kept = ret_order[i - 1];

		ret_order[i - 1] = ret_order[other];
		ret_order[other] = kept;
	}
}

/* Streams that lie one step apart: what a launch draws first, the one before it drew second. */
static uint64_t shifted_key(uint64_t seed, uint64_t number)
{
	return seed + number * UINT64_C(0x9e3779b97f4a7c15);
}

/* ---- bits ---- */

enum {
	SAMPLES = 1 << 12,
	WORDS = SAMPLES / 64,
	RAW = 5, /* words of a launch's stream that are looked at beside its parameters */
	MEMBERS = 3,
	BITS = (int)sizeof(struct oclmm_parameters) * 8 + RAW * 64,
};

/* Of one launch in all samples: a row of SAMPLES bits for each bit of it. */
struct rows {
	uint64_t (*bits)[WORDS];
	uint32_t *ones;
	uint32_t count; /* of rows that vary */
};

static struct rows make_rows(uint32_t count)
{
	return (struct rows){
		.bits = oclmm_calloc(count, sizeof(uint64_t[WORDS])),
		.ones = oclmm_calloc(count, sizeof(uint32_t)),
		.count = count,
	};
}

static void drop_rows(struct rows *rows)
{
	free(rows->bits);
	free(rows->ones);
}

static void set_bytes(struct rows *rows, uint32_t first, const void *data, size_t size,
                      uint32_t sample)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < 8 * size; i++)
		rows->bits[first + i][sample / 64] |= (uint64_t)(bytes[i / 8] >> i % 8 & 1)
		                                      << sample % 64;
}

/* Only those that are often 0 and often 1. */
static void keep_varying(struct rows *rows)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < rows->count; i++) {
		uint32_t ones = 0;

		for (int w = 0; w < WORDS; w++)
			ones += (uint32_t)__builtin_popcountll(rows->bits[i][w]);
		if (ones < SAMPLES / 16 || SAMPLES - ones < SAMPLES / 16)
			continue;
		memmove(rows->bits[kept], rows->bits[i], sizeof(rows->bits[i]));
		rows->ones[kept++] = ones;
	}
	rows->count = kept;
}

/* The square of the deviation from independence, in standard deviations. */
static double deviation(const struct rows *a, uint32_t i, const struct rows *b, uint32_t k)
{
	double x = a->ones[i], y = b->ones[k], n = SAMPLES, both = 0, far;

	for (int w = 0; w < WORDS; w++)
		both += __builtin_popcountll(a->bits[i][w] & b->bits[k][w]);
	far = n * both - x * y;
	return n * far * far / (x * (n - x) * y * (n - y));
}

struct search {
	double worst; /* deviation */
	uint64_t pairs;
	char where[64];
};

static void compare(const struct rows *a, const struct rows *b, const char *where,
                    struct search *search)
{
	for (uint32_t i = 0; i < a->count; i++) {
		for (uint32_t k = 0; k < b->count; k++) {
			double far = deviation(a, i, b, k);

			search->pairs++;
			if (far <= search->worst)
				continue;
			search->worst = far;
			snprintf(search->where, sizeof(search->where), "%s, bits %u and %u", where,
			         i, k);
		}
	}
}

/* Whether the worst of so many would come by chance with 10^-6 at most: a normal tail is below
 * exp(-z²/2). */
static bool is_tied(const struct search *search)
{
	return exp(-search->worst / 2) * 2 * (double)search->pairs < 1e-6;
}

static struct oclmm_environment make_environment(void)
{
	struct oclmm_environment environment = program_environment(64, 16, 4);

	environment.stress_pattern = 4;
	environment.reverse_results = 50;
	return environment;
}

/* Launches of a block and the next one: place in the order, stimulus, and that of the next one. */
static void fill(const struct scheme *scheme, const struct program_test *program, uint32_t members,
                 uint32_t sample, struct rows *places, struct rows *stimulus)
{
	const struct oclmm_environment environment = make_environment();
	uint64_t seed = oclmm_random(20261128 + members, sample), number = sample % 60;
	uint32_t order[2 * MEMBERS];

	scheme->order(seed, number, members, 1, order);
	scheme->order(seed, number + 1, members, 1, order + members);
	for (uint32_t i = 0; i < 2 * members; i++) {
		uint32_t member = order[i], next = i / members;
		uint64_t own = member && !scheme->one_seed ? oclmm_random(seed, UINT64_MAX - member)
		                                           : seed;
		uint64_t key = scheme->launch_key(own, number + next);
		uint64_t first = i % members == 0, last = i % members == members - 1;
		struct rows *rows = &stimulus[2 * member + next];
		struct oclmm_parameters p;

		oclmm_draw(&environment, program->program, &program->plan, key, &p);
		set_bytes(rows, 0, &p, sizeof(p), sample);
		for (uint32_t w = 0; w < RAW; w++) {
			uint64_t word = oclmm_random(key, w);

			set_bytes(rows, (uint32_t)sizeof(p) * 8 + w * 64, &word, sizeof(word),
			          sample);
		}
		places->bits[4 * member + 2 * next][sample / 64] |= first << sample % 64;
		places->bits[4 * member + 2 * next + 1][sample / 64] |= last << sample % 64;
	}
}

static struct search look(const struct scheme *scheme, uint32_t members)
{
	struct program_test program = program_read(program_across);
	struct rows places = make_rows(4 * MEMBERS), stimulus[2 * MEMBERS];
	struct search search = {0};

	for (int i = 0; i < 2 * MEMBERS; i++)
		stimulus[i] = make_rows(BITS);
	for (uint32_t sample = 0; sample < SAMPLES; sample++)
		fill(scheme, &program, members, sample, &places, stimulus);
	for (uint32_t i = 0; i < 2 * members; i++)
		keep_varying(&stimulus[i]);
	keep_varying(&places);
	for (uint32_t i = 0; i < 2 * members; i++)
		compare(&places, &stimulus[i], "place and stimulus", &search);
	for (uint32_t i = 0; i < members; i++)
		compare(&stimulus[2 * i], &stimulus[2 * i + 1], "a launch and the next", &search);
	for (uint32_t i = 1; i < members; i++) {
		compare(&stimulus[0], &stimulus[2 * i], "test and control", &search);
	}
	/* the first block's and the second one's: orders are told apart by three bits or one */
	assert_true(places.count >= 4 * (members - 1));
	assert_true(stimulus[0].count > 64 * RAW);
	for (int i = 0; i < 2 * MEMBERS; i++)
		drop_rows(&stimulus[i]);
	drop_rows(&places);
	oclmm_litmus_destroy(program.litmus);
	return search;
}

TEST(streams_are_independent)
{
	for (uint32_t members = 2; members <= MEMBERS; members++) {
		struct search search = look(&ours, members);

		assert_true(search.pairs > 100000);
		if (is_tied(&search))
			fail_msg("%u members: %s deviate by %.1f standard deviations", members,
			         search.where, sqrt(search.worst));
	}
}

/* Two places of one block, and those of two: the second is as random as the first. */
TEST(planted_ties_are_found)
{
	static const struct scheme planted[] = {
		{.launch_key = oclmm_launch_key, .order = tied_order},
		{.launch_key = shifted_key, .order = oclmm_block_order},
		{.launch_key = oclmm_launch_key, .order = oclmm_block_order, .one_seed = true},
	};

	for (size_t i = 0; i < OCLMM_COUNT(planted); i++) {
		struct search search = look(&planted[i], 2);

		if (!is_tied(&search))
			fail_msg("plant %zu was not found", i);
	}
}

/* ---- devices that treat test and control alike ---- */

enum { RUNS = 4000, BLOCKS = 96 };

static const double levels[] = {0.05, 0.01, 0.001};

/* What a device knows of a launch when it decides. */
struct moment {
	uint32_t kernel, pattern, place; /* in its block */
	uint32_t kernel_before, pattern_before;
	uint64_t launched; /* before it */
	uint64_t random;
};

static bool same_kernel_before(const struct moment *m)
{
	return m->pattern < 2 && m->kernel == m->kernel_before;
}

static bool another_kernel_before(const struct moment *m)
{
	return m->pattern < 2 && m->kernel != m->kernel_before;
}

static bool first_of_its_block(const struct moment *m)
{
	return m->place == 0 && m->pattern == 0;
}

static bool every_second_launch(const struct moment *m)
{
	return m->launched % 2 && m->pattern == 3;
}

static bool pattern_before(const struct moment *m)
{
	return m->pattern_before < 2 && m->random % 4 == 0;
}

static bool pattern_again(const struct moment *m)
{
	return m->pattern_before == m->pattern && m->place > 0;
}

static bool odd_pattern_late(const struct moment *m)
{
	return m->pattern % 2 && m->place > 0 && m->random % 2;
}

static bool (*const rules[])(const struct moment *) = {
	same_kernel_before, another_kernel_before, first_of_its_block, every_second_launch,
	pattern_before,     pattern_again,         odd_pattern_late,
};

struct escapes {
	uint64_t at[OCLMM_COUNT(levels)];
};

static void run_once(const struct scheme *scheme, const struct program_test *program,
                     bool (*rule)(const struct moment *), uint32_t members, uint64_t seed,
                     struct escapes *escapes)
{
	const struct oclmm_environment environment = make_environment();
	struct moment m = {.kernel_before = UINT32_MAX};
	double logs[MEMBERS] = {0}, least = 0;
	bool hit = false;

	for (uint64_t number = 0; number < BLOCKS && !hit; number++) {
		struct oclmm_launches launches[MEMBERS] = {{0}};
		uint32_t order[MEMBERS];

		scheme->order(seed, number, members, 1, order);
		for (uint32_t i = 0; i < members; i++) {
			uint64_t own = order[i] ? oclmm_random(seed, UINT64_MAX - order[i]) : seed;
			uint64_t key = scheme->launch_key(own, number);
			bool shows;

			/* drawn quickly, as oclmm_draw() draws it */
			m.pattern = (uint32_t)oclmm_random_below(key, 2, 4);
			if (number == 0) {
				struct oclmm_parameters p;

				oclmm_draw(&environment, program->program, &program->plan, key, &p);
				assert_int_equal(m.pattern, p.stress_pattern);
			}
			m.kernel = order[i];
			m.place = i;
			m.random = oclmm_random(~seed, m.launched);
			shows = rule(&m);
			launches[order[i]].launches++;
			launches[order[i]].hits += shows;
			hit |= order[i] == 0 && shows;
			m.kernel_before = m.kernel;
			m.pattern_before = m.pattern;
			m.launched++;
		}
		for (uint32_t i = 1; i < members && !hit; i++) {
			logs[i] += oclmm_launches_log_escape(launches[0], launches[i]);
			least = fmin(least, logs[i] + log((double)members - 1));
		}
	}
	for (size_t i = 0; i < OCLMM_COUNT(levels); i++)
		escapes->at[i] += least <= log(levels[i]);
}

static struct escapes run_many(const struct scheme *scheme, bool (*rule)(const struct moment *),
                               uint32_t members)
{
	struct program_test program = program_read(program_across);
	struct escapes escapes = {0};

	for (uint64_t run = 0; run < RUNS; run++)
		run_once(scheme, &program, rule, members,
		         oclmm_random(20261128, run * MEMBERS + members), &escapes);
	oclmm_litmus_destroy(program.litmus);
	return escapes;
}

/* More than the level by six standard deviations. */
static bool exceeds(uint64_t count, double level)
{
	return (double)count > RUNS * level + 6 * sqrt(RUNS * level);
}

TEST(escapes_are_as_rare_as_is_said)
{
	SHOWS("shows the bug by the stimulus, alike in test and control",
	      "passes as rarely as is said");
	SHOWS("shows it by the launch before, the place in the block, or each second launch",
	      "passes as rarely as is said");
	for (size_t rule = 0; rule < OCLMM_COUNT(rules); rule++) {
		for (uint32_t members = 2; members <= MEMBERS; members++) {
			struct escapes escapes = run_many(&ours, rules[rule], members);

			for (size_t i = 0; i < OCLMM_COUNT(levels); i++)
				if (exceeds(escapes.at[i], levels[i]))
					fail_msg("rule %zu, %u members: %llu of %d escape at %g",
					         rule, members, (unsigned long long)escapes.at[i],
					         RUNS, levels[i]);
		}
	}
}

/* The device that passed 25 of 25 runs when the order was drawn from the test's own key. */
TEST(a_tied_order_lets_a_device_escape)
{
	static const struct scheme tied = {.launch_key = oclmm_launch_key, .order = tied_order};

	assert_true(exceeds(run_many(&tied, same_kernel_before, 2).at[2], levels[2]));
}
