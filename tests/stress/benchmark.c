// SPDX-License-Identifier: Apache-2.0
/*
 * How fast a device runs tests and how often it shows what they look for,
 * beside what its memory would allow. Prints tables; nothing is judged by time.
 * A forbidden outcome is an error.
 */
#include "benchmark.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_FORBIDDEN = 1, EXIT_USAGE = 2, EXIT_SKIPPED = 77, EXIT_DEVICE = 99 };

static const struct shape shapes[] = {
	{"relaxed/MP+rlx+rlx", "", true},
	{"relaxed/SB+rlx+rlx", "", true},
	{"relaxed/LB+rlx+rlx", "", true},
	{"relaxed/R+rlx+rlx", "", true},
	{"relaxed/S+rlx+rlx", "", true},
	{"relaxed/2+2W+rlx+rlx", "", true},
	{"relaxed/IRIW+rlx+rlx+rlx+rlx", "", false},
	{"relaxed/WRC+rlx+rlx+rlx", "", false},
	{"relaxed/RWC+rlx+rlx+rlx", "", false},
	{"relaxed/ISA2+rlx+rlx+rlx", "", false},
	{"relaxed/Z6.0+rlx+rlx+rlx", "", false},
	{"relaxed/Z6.0+rlx+rlx+rlx", ".shape=Z6_1", false},
	{"relaxed/Z6.0+rlx+rlx+rlx", ".shape=Z6_2", false},
	{"relaxed/Z6.0+rlx+rlx+rlx", ".shape=Z6_3", false},
	{"relaxed/Z6.0+rlx+rlx+rlx", ".shape=Z6_4", false},
	{"relaxed/Z6.0+rlx+rlx+rlx", ".shape=Z6_5", false},
	{"coherence/CoRR", "", false},
	{"relaxed/MP+rlx+rlx", ".place=local", false},
	{"relaxed/MP+rlx+rlx", ".place=wg00-wg", false},
	{"message-passing/MP+rel+acq", "", false},
	{"seq-cst/SB+sc+sc", "", false},
};

struct options {
	const char *device;
	const char *litmus;
	const char *json;
	double seconds;
	uint64_t seed;
	unsigned random;
};

static const char usage_text[] =
	"usage: benchmark_device [--device NAME] [--litmus DIR] [--seconds S] [--seed N] [--random "
	"N] [--json FILE]\n"
	"  --device NAME  a part of the device's name, or its number (default: $OCLMM_DEVICE, else "
	"the best)\n"
	"  --litmus DIR   the folder of the tests (default: litmus)\n"
	"  --seconds S    for each shape, plus the time to compile (default: 2)\n"
	"  --seed N       of all stimulus (default: 1)\n"
	"  --random N     environments drawn at random for each two-thread shape (default: 30)\n"
	"  --json FILE    the figures once more, for programs\n";

static int usage(const char *what, const char *value)
{
	fprintf(stderr, "benchmark_device: %s%s\n%s", what, value, usage_text);
	return -EINVAL;
}

static int take_seconds(const char *text, double *ret_seconds)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !isfinite(value) || value <= 0 || value > 3600)
		return usage("--seconds takes a number above 0 up to 3600, not ", text);
	*ret_seconds = value;
	return 0;
}

static int take_number(const char *text, uint64_t most, uint64_t *ret_number)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (end == text || *end || errno || strchr(text, '-') || value > most)
		return usage("not a number in range: ", text);
	*ret_number = value;
	return 0;
}

static int take_option(int option, struct options *options)
{
	uint64_t number = 0;
	int r = 0;

	switch (option) {
	case 'd': options->device = optarg; return 0;
	case 'l': options->litmus = optarg; return 0;
	case 'j': options->json = optarg; return 0;
	case 's': return take_seconds(optarg, &options->seconds);
	case 'n': return take_number(optarg, INT64_MAX, &options->seed);
	case 'r':
		r = take_number(optarg, 10000, &number);
		options->random = (unsigned)number;
		return r;
	case 'h': fputs(usage_text, stdout); exit(0);
	default: return -EINVAL;
	}
}

static int read_options(int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{"device", required_argument, NULL, 'd'}, {"litmus", required_argument, NULL, 'l'},
		{"json", required_argument, NULL, 'j'},   {"seconds", required_argument, NULL, 's'},
		{"seed", required_argument, NULL, 'n'},   {"random", required_argument, NULL, 'r'},
		{"help", no_argument, NULL, 'h'},         {0},
	};
	int option, r = 0;

	while (r == 0 && (option = getopt_long(argc, argv, "", known, NULL)) != -1)
		r = take_option(option, options);
	if (r == 0 && optind < argc)
		r = usage("what is this: ", argv[optind]);
	return r;
}

static int open_device(const struct options *options, struct oclmm_device_list *list,
                       struct oclmm_device **ret_device)
{
	struct oclmm_error error = {0};
	int index, r = oclmm_devices_list(&error, list);

	if (r < 0 || list->count == 0) {
		fprintf(stderr, "benchmark_device: %s\n",
		        r < 0 ? error.message : "there is no OpenCL device");
		return EXIT_SKIPPED;
	}
	index = oclmm_device_choose(list, options->device, &error);
	if (index < 0) {
		fprintf(stderr, "benchmark_device: %s\n", error.message);
		return EXIT_USAGE;
	}
	if (oclmm_device_open(list, (size_t)index, &error, ret_device) < 0) {
		fprintf(stderr, "benchmark_device: %s\n", error.message);
		return EXIT_DEVICE;
	}
	return 0;
}

static void say(const char *what)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K%s", what);
}

/* What a device does not take is no failure; what breaks is. */
static int measure_shapes(const struct bench *bench, struct measured *measured)
{
	bool forbidden = false, broken = false;

	for (size_t i = 0; i < OCLMM_COUNT(shapes); i++) {
		char line[160];

		snprintf(line, sizeof(line), "%zu/%zu %s%s", i + 1, OCLMM_COUNT(shapes),
		         shapes[i].file, shapes[i].variant);
		say(line);
		shape_measure(bench, &shapes[i], &measured[i]);
		forbidden |= measured[i].forbidden > 0;
		broken |= !measured[i].done && !measured[i].refused;
	}
	say("");
	return forbidden ? EXIT_FORBIDDEN : broken ? EXIT_DEVICE : 0;
}

/* The launch of a test with two threads in the first of the default environments. */
static struct oclmm_environment typical(const struct oclmm_device_info *info)
{
	const struct oclmm_kernel_plan two = {.roles = 2, .work_groups = 2, .crowd = 1};
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];

	oclmm_environment_defaults(info, &two, environments);
	return environments[0];
}

static int run(const struct options *options, struct oclmm_device *device)
{
	const struct bench bench = {device, options->litmus, options->seconds, options->seed,
	                            options->random};
	static struct measured measured[OCLMM_COUNT(shapes)];
	struct limits limits;
	struct by_hand by_hand[HAND_COUNT] = {0};
	struct oclmm_error error = {0};
	struct report report = {
		oclmm_device_info(device), &bench, &limits, by_hand, measured, OCLMM_COUNT(shapes),
	};
	const struct oclmm_environment launch = typical(report.device);
	int status, r;

	say("memory and launches");
	if (limits_measure(device, options->seconds, &launch, &error, &limits) < 0) {
		fprintf(stderr, "benchmark_device: %s\n", error.message);
		return EXIT_DEVICE;
	}
	say("kernels written by hand");
	/* a compiler that refuses its atomics refuses theirs */
	if (!limits.refused[0] &&
	    hand_measure(device, options->seconds, &launch, &error, by_hand) < 0) {
		fprintf(stderr, "benchmark_device: %s\n", error.message);
		return EXIT_DEVICE;
	}
	status = measure_shapes(&bench, measured);
	report_print(&report);
	r = options->json ? report_write_json(&report, options->json) : 0;
	if (r < 0) {
		fprintf(stderr, "benchmark_device: %s: %s\n", options->json, strerror(-r));
		return EXIT_USAGE;
	}
	return status;
}

int main(int argc, char **argv)
{
	struct options options = {
		.device = getenv("OCLMM_DEVICE"),
		.litmus = "litmus",
		.seconds = 2,
		.seed = 1,
		.random = 30,
	};
	struct oclmm_device_list list = {0};
	struct oclmm_device *device = NULL;
	int status;

	if (read_options(argc, argv, &options) < 0)
		return EXIT_USAGE;
	if (access(options.litmus, R_OK | X_OK) < 0) {
		fprintf(stderr, "benchmark_device: %s: %s\n", options.litmus, strerror(errno));
		return EXIT_USAGE;
	}
	status = open_device(&options, &list, &device);
	if (status == 0)
		status = run(&options, device);
	oclmm_device_close(device);
	oclmm_device_list_finish(&list);
	return status;
}
