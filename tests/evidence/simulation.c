// SPDX-License-Identifier: Apache-2.0
/*
 * Devices that have the bug: test and control show the outcome alike, launch by
 * launch. How often does the test stay silent while the statement claims more
 * confidence than that? Not more often than the statement says, whatever hits
 * do: cluster in time, in launches, drift or burst, and whenever one stops. The
 * formula that takes instances for independent fails the same simulation.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "oclmm/evidence.h"

enum { RUNS = 100000, BLOCKS = 32, MAX_CONTROLS = 3, MAX_LAUNCHES = 6 };

static const double levels[] = {0.05, 0.01, 0.001};

enum { LEVELS = OCLMM_COUNT(levels) };

/* One run of one device: what is drawn, and what the device remembers. */
struct device {
	uint64_t key, draws;
	double place; /* in the run, from 0 to 1 */
	double heat;  /* whatever the device needs from launch to launch */
	uint64_t launched;
};

static double draw(struct device *device)
{
	return (double)(oclmm_random(device->key, device->draws++) >> 11) * 0x1p-53;
}

/* How often one launch shows the outcome; the kind of device is which of these it has. */
typedef uint64_t shower(struct device *device);

/* Each launch alike: 0 to 2 observations, far apart. */
static uint64_t steady(struct device *device)
{
	return draw(device) < 0.06;
}

/* Whole launches hot or cold: a thousand observations or none. */
static uint64_t clustered(struct device *device)
{
	return draw(device) < 0.04 ? 1000 + (uint64_t)(100 * draw(device)) : 0;
}

/* Hot spells that outlast launches and blocks. */
static uint64_t bursty(struct device *device)
{
	device->heat = device->heat > 0.5 ? draw(device) > 0.1 : draw(device) < 0.01;
	return device->heat > 0.5 && draw(device) < 0.4 ? 50 : 0;
}

/* Cold at first, hot in the end, as a machine that warms up. */
static uint64_t drifting(struct device *device)
{
	double place = device->place;

	return draw(device) < 0.2 * place * place * place ? 20 : 0;
}

/* One block in 24 has an environment that shows it in every second launch. */
static uint64_t by_environment(struct device *device)
{
	uint64_t block = (uint64_t)(device->place * BLOCKS + 0.5);

	return oclmm_random_below(device->key, 1000000 + block, 24) == 0 && draw(device) < 0.5 ? 300
	                                                                                       : 0;
}

/* Every second launch finds its data where the one before left it, and shows nothing. */
static uint64_t alternating(struct device *device)
{
	return device->launched++ % 2 && draw(device) < 0.05 ? 7 : 0;
}

static const struct {
	const char *name;
	shower *show;
	bool clusters; /* a launch that is hit shows the outcome many times */
} devices[] = {
	{"steady", steady, false},
	{"clustered", clustered, true},
	{"bursty", bursty, true},
	{"drifting", drifting, true},
	{"by environment", by_environment, true},
	{"alternating", alternating, true},
};

/* How launches are laid out. */
struct plan {
	uint32_t controls, tests_per_block, controls_per_block;
	bool drawn; /* the order within a block; else the test stands first */
	bool stop;  /* look after each block, and end when the level is reached */
	uint32_t blocks;
};

struct counts {
	uint64_t escaped[LEVELS]; /* silent, and the statement says: at this level */
	uint64_t poisson[LEVELS]; /* the same by the formula for independent instances */
};

struct run {
	struct oclmm_launches members[1 + MAX_CONTROLS];
	double logs[MAX_CONTROLS];
	double least;  /* that was seen at any time, times the number of controls */
	uint64_t seen; /* observations of the first control */
	bool hit;      /* the test */
};

static void run_launch(struct run *run, struct device *device, shower *show, uint32_t member)
{
	uint64_t seen = show(device);

	run->members[member].launches++;
	run->members[member].hits += seen > 0;
	run->hit |= member == 0 && seen;
	run->seen += member == 1 ? seen : 0;
}

/* Members of a block in the order in which they run. */
static uint32_t make_order(const struct plan *plan, struct device *device, uint32_t *order)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->tests_per_block; i++)
		order[count++] = 0;
	for (uint32_t control = 1; control <= plan->controls; control++) {
		for (uint32_t i = 0; i < plan->controls_per_block; i++)
			order[count++] = control;
	}
	for (uint32_t i = count; plan->drawn && i > 1; i--) {
		uint32_t j = (uint32_t)(draw(device) * i), swap = order[i - 1];

		order[i - 1] = order[j];
		order[j] = swap;
	}
	return count;
}

static void run_block(struct run *run, const struct plan *plan, struct device *device, shower *show)
{
	uint32_t order[(1 + MAX_CONTROLS) * MAX_LAUNCHES], count = make_order(plan, device, order);

	for (uint32_t i = 0; i <= plan->controls; i++)
		run->members[i] = (struct oclmm_launches){0};
	for (uint32_t i = 0; i < count; i++)
		run_launch(run, device, show, order[i]);
	for (uint32_t i = 0; i < plan->controls; i++)
		run->logs[i] += oclmm_launches_log_escape(run->members[0], run->members[1 + i]);
}

static double best_of(const struct run *run, const struct plan *plan)
{
	double least = 0;

	for (uint32_t i = 0; i < plan->controls; i++)
		least = fmin(least, run->logs[i]);
	return fmin(0, least + log((double)plan->controls));
}

static void run_once(const struct plan *plan, shower *show, uint64_t key, struct counts *counts)
{
	struct device device = {.key = key};
	struct run run = {0};

	for (uint32_t block = 0; block < plan->blocks && !run.hit; block++) {
		device.place = (double)block / plan->blocks;
		run_block(&run, plan, &device, show);
		if (!run.hit && plan->stop)
			run.least = fmin(run.least, best_of(&run, plan));
	}
	if (run.hit && !plan->stop)
		return;
	if (!plan->stop)
		run.least = best_of(&run, plan);
	for (size_t i = 0; i < LEVELS; i++) {
		counts->escaped[i] += run.least <= log(levels[i]);
		counts->poisson[i] += !run.hit && exp(-(double)run.seen) <= levels[i];
	}
}

static struct counts simulate(const struct plan *plan, shower *show, const char *name)
{
	struct counts counts = {0};
	uint64_t key = oclmm_random_derive(20260131, name);

	for (uint64_t i = 0; i < RUNS; i++)
		run_once(plan, show, oclmm_random(key, i), &counts);
	return counts;
}

/* The probability of `count` or more of RUNS where each has the probability `p`. */
static double tail(uint64_t count, double p)
{
	double sum = 0, n = RUNS;

	for (uint64_t k = count; k <= RUNS; k++) {
		double term = exp(lgamma(n + 1) - lgamma((double)k + 1) -
		                  lgamma(n - (double)k + 1) + (double)k * log(p) +
		                  (n - (double)k) * log1p(-p));

		sum += term;
		if ((double)k > n * p && term < 1e-30)
			break;
	}
	return sum;
}

/* More than chance allows of something that has the probability `p` at most: the lower end of
 * Clopper and Pearson's interval at 99.9999 % lies above it. */
static bool exceeds(uint64_t count, double p)
{
	return tail(count, p) < 1e-6;
}

static void check_levels(const struct counts *counts, const char *name)
{
	for (size_t i = 0; i < LEVELS; i++) {
		if (exceeds(counts->escaped[i], levels[i]))
			fail_msg("%s: %llu of %d runs escaped at %g", name,
			         (unsigned long long)counts->escaped[i], RUNS, levels[i]);
	}
}

static void test_holds(void **state)
{
	static const struct plan plans[] = {
		{1, 1, 1, true, true, BLOCKS},
		{1, 1, 1, true, false, BLOCKS},
		{1, 2, 3, true, true, BLOCKS},
		{3, 1, 1, true, true, BLOCKS},

	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(plans); i++) {
		for (size_t k = 0; k < OCLMM_COUNT(devices); k++) {
			struct counts counts = simulate(&plans[i], devices[k].show,
			                                devices[k].name);

			check_levels(&counts, devices[k].name);
		}
	}
}

/*
 * The bound is not bought by never saying anything. In pairs of rare hits, 5 % takes five hits of
 * the control before the first of the test, each a coin that falls so with p (1 - p) against p.
 */
static void test_is_sharp(void **state)
{
	static const struct plan pairs = {1, 1, 1, true, true, 1000};
	struct counts counts = simulate(&pairs, steady, "sharp");
	double expected = pow(0.94 / 1.94, 5);

	(void)state;
	assert_false(exceeds(counts.escaped[0], expected));
	assert_true(exceeds(counts.escaped[0], 0.8 * expected));
}

/* Independent instances: the same runs, and far more escape than the formula says. */
static void test_poisson_fails(void **state)
{
	static const struct plan pairs = {1, 1, 1, true, false, BLOCKS};

	(void)state;
	for (size_t k = 0; k < OCLMM_COUNT(devices); k++) {
		struct counts counts = simulate(&pairs, devices[k].show, devices[k].name);

		for (size_t i = 0; devices[k].clusters && i < LEVELS; i++) {
			if (!exceeds(counts.poisson[i], levels[i]))
				fail_msg("%s: %llu at %g", devices[k].name,
				         (unsigned long long)counts.poisson[i], levels[i]);
		}
	}
}

/* The order has to be drawn: where every second launch is mute, a test that always stands first
 * never speaks. */
static void test_fixed_order_fails(void **state)
{
	static const struct plan fixed = {1, 1, 1, false, true, 200};
	struct counts counts = simulate(&fixed, alternating, "alternating");

	(void)state;
	assert_true(exceeds(counts.escaped[0], levels[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holds),
		cmocka_unit_test(test_is_sharp),
		cmocka_unit_test(test_poisson_fails),
		cmocka_unit_test(test_fixed_order_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
