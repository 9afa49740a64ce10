// SPDX-License-Identifier: Apache-2.0
/*
 * Random tests, judged by the oracle and by the reference. A difference is
 * made as small as it goes and printed as a litmus file with both answers.
 *
 *     property [--count N] [--seed S] [--start I] [--jobs J] [--limit C]
 *              [--print] [--keep-going]
 *
 * Test I of a seed is always the same one. --print shows the tests instead.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "made.h"
#include "oclmm/syntax.h"

struct options {
	uint64_t count, seed, start, jobs;
	struct reference_limits limits;
	bool print, keep_going;
};

struct tally {
	uint64_t compared, too_large;
	struct comparison_counts counts;
};

/** Parses a made test. \return NULL when it is refused; `ret_why`, unless NULL, says why. */
static struct oclmm_litmus *parse(const struct made *made, struct oclmm_text *source,
                                  char **ret_why)
{
	struct oclmm_syntax_options options = {0};
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error;

	made_print(source, made, "random");
	if (oclmm_litmus_parse("random.litmus", source->data, source->length, &options, &error,
	                       &litmus) == 0)
		return litmus;
	if (ret_why != NULL)
		*ret_why = oclmm_error_format(&error);
	return NULL;
}

static enum comparison compare_made(const struct made *made, const struct reference_limits *limits,
                                    struct oclmm_text *text)
{
	enum comparison comparison = COMPARISON_TOO_LARGE;
	struct oclmm_text source = {0};
	struct oclmm_litmus *litmus;

	litmus = parse(made, &source, NULL);
	if (litmus != NULL)
		comparison = compare_oracles(litmus->variants[0].program, limits, NULL, text);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&source);
	return comparison;
}

static bool still_differs(const struct made *made, void *data)
{
	return compare_made(made, data, NULL) == COMPARISON_DIFFERENT;
}

static void report_difference(struct made *made, const struct options *options, uint64_t index)
{
	struct reference_limits limits = options->limits;
	struct oclmm_text source = {0}, answers = {0};

	made_shrink(made, still_differs, &limits);
	made_print(&source, made, "smallest");
	compare_made(made, &limits, &answers);
	printf("test %" PRIu64 " of seed %" PRIu64 " differs; in its smallest form:\n\n%s\n%s\n",
	       index, options->seed, oclmm_text_string(&source), oclmm_text_string(&answers));
	oclmm_text_finish(&source);
	oclmm_text_finish(&answers);
}

/** One test. \return 0, or 1 when something is wrong. */
static int try_test(const struct options *options, uint64_t index, struct tally *tally)
{
	struct oclmm_text source = {0};
	struct oclmm_litmus *litmus;
	struct made made;
	char *why = NULL;
	int result;

	made_generate(&made, oclmm_random(options->seed, index));
	made_extend(&made, oclmm_random(options->seed, index));
	litmus = parse(&made, &source, &why);
	if (options->print)
		printf("%s\n", source.data);
	result = 0;
	if (litmus == NULL) {
		printf("test %" PRIu64 " of seed %" PRIu64 " is refused: %s\n", index,
		       options->seed, why);
		result = 1;
		goto end;
	}
	switch (options->print ? COMPARISON_EQUAL
	                       : compare_oracles(litmus->variants[0].program, &options->limits,
	                                         &tally->counts, NULL)) {
	case COMPARISON_TOO_LARGE: tally->too_large++; break;
	case COMPARISON_DIFFERENT:
		report_difference(&made, options, index);
		result = 1;
		break;
	case COMPARISON_EQUAL: tally->compared++; break;
	}
end:
	free(why);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&source);
	return result;
}

/** Every `jobs`-th test from the `job`-th on. */
static int run_job(const struct options *options, uint64_t job)
{
	struct tally tally = {0};
	int failed = 0;

	for (uint64_t i = job; i < options->count; i += options->jobs) {
		failed |= try_test(options, options->start + i, &tally);
		if (failed && !options->keep_going)
			return 1;
	}
	printf("job %" PRIu64 ": %" PRIu64 " tests agree, %" PRIu64 " too large for the reference\n"
	       "  of all: %" PRIu64 " undefined, %" PRIu64 " with disputed states, %" PRIu64
	       " with forbidden ones; %" PRIu64 " candidates\n",
	       job, tally.compared, tally.too_large, tally.counts.undefined, tally.counts.disputed,
	       tally.counts.forbidden, tally.counts.candidates);
	/* a generator that makes only large tests would pass without testing anything */
	return failed || tally.too_large > options->count / options->jobs / 4 + 1;
}

/** A child ends when its parent `parent` does, however that ends. */
static void end_with_parent(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(1);
}

static int run_jobs(const struct options *options)
{
	pid_t parent = getpid();
	int failed = 0, status;

	fflush(stdout);
	for (uint64_t job = 0; job < options->jobs; job++) {
		pid_t child = fork();

		if (child < 0) {
			perror("fork");
			return 1;
		}
		if (child == 0) {
			int result;

			end_with_parent(parent);
			result = run_job(options, job);
			fflush(stdout);
			_exit(result);
		}
	}
	while (wait(&status) > 0)
		failed |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
	return failed;
}

static int usage(void)
{
	fputs("usage: property [--count N] [--seed S] [--start I] [--jobs J] [--limit C] [--print]"
	      " [--keep-going]\n",
	      stderr);
	return 2;
}

static bool parse_number(const char *text, uint64_t *ret_number)
{
	char *end;

	errno = 0;
	*ret_number = strtoull(text, &end, 0);
	return errno == 0 && end != text && *end == '\0' && *text != '-';
}

int main(int argc, char **argv)
{
	static const struct option names[] = {
		{"count", required_argument, NULL, 'c'}, {"seed", required_argument, NULL, 's'},
		{"start", required_argument, NULL, 'i'}, {"jobs", required_argument, NULL, 'j'},
		{"limit", required_argument, NULL, 'l'}, {"print", no_argument, NULL, 'p'},
		{"keep-going", no_argument, NULL, 'k'},  {0},
	};
	struct options options = {
		.count = 20000, .seed = 1, .jobs = 1, .limits = {.candidates = 3000, .seq_cst = 6}};
	int name;

	while ((name = getopt_long(argc, argv, "", names, NULL)) != -1) {
		uint64_t *number = name == 'c'   ? &options.count
		                   : name == 's' ? &options.seed
		                   : name == 'i' ? &options.start
		                   : name == 'j' ? &options.jobs
		                                 : &options.limits.candidates;

		if (name == 'p')
			options.print = true;
		else if (name == 'k')
			options.keep_going = true;
		else if (name == '?' || !parse_number(optarg, number))
			return usage();
	}
	if (optind != argc || options.jobs == 0 || options.jobs > 256)
		return usage();
	/* each test has megabytes of paths: they stay with the process */
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	printf("seed %" PRIu64 ", tests %" PRIu64 " to %" PRIu64 "\n", options.seed, options.start,
	       options.start + options.count - 1);
	return run_jobs(&options);
}
