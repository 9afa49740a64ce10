// SPDX-License-Identifier: Apache-2.0
/*
 * Random programs before the judges.
 *
 *     judge_random [--count N] [--seed S] [--start I] [--jobs J] [--limit C]
 *                  [--oracle FILE.cat --text TEXT] [--first LINE] [--shown]
 *                  MAP...
 *
 * No judge may show a state that consensus forbids. --oracle puts a stronger
 * model in its place, FILE.cat with TEXT behind it; --first gives each map a
 * first line, a wrong one. With --shown a judge has to show something that is
 * forbidden, or the trial is worth nothing.
 */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "made.h"
#include "oclmm/syntax.h"
#include "trial.h"

struct options {
	uint64_t count, seed, start, jobs, limit;
	const char *oracle, *text, *first;
	bool shown;
};

static enum trial_result try_made(struct trial *trial, const struct made *made,
                                  struct trial_counts *counts, struct oclmm_text *text)
{
	enum trial_result result = TRIAL_TOO_LARGE;
	struct oclmm_syntax_options syntax = {0};
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error;
	struct oclmm_text source = {0};

	made_print(&source, made, "random");
	if (oclmm_litmus_parse("random.litmus", source.data, source.length, &syntax, &error,
	                       &litmus) == 0)
		result = trial_hold(trial, litmus->variants[0].program, counts, text);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&source);
	return result;
}

static bool still_shown(const struct made *made, void *data)
{
	struct trial_counts counts = {0};

	return try_made(data, made, &counts, NULL) == TRIAL_SHOWN;
}

static void report(struct trial *trial, struct made *made, uint64_t index)
{
	struct trial_counts counts = {0};
	struct oclmm_text source = {0}, text = {0};

	made_shrink(made, still_shown, trial);
	made_print(&source, made, "smallest");
	try_made(trial, made, &counts, &text);
	printf("test %" PRIu64 ", in its smallest form:\n\n%s\n%s\n", index,
	       oclmm_text_string(&source), oclmm_text_string(&text));
	oclmm_text_finish(&source);
	oclmm_text_finish(&text);
}

/** Every `jobs`-th test from the `job`-th on. \return whether something forbidden was shown. */
static bool run_job(struct trial *trial, const struct options *options, uint64_t job)
{
	struct trial_counts counts = {0};

	for (uint64_t i = job; i < options->count; i += options->jobs) {
		struct made made;

		made_generate(&made, oclmm_random(options->seed, options->start + i));
		if (try_made(trial, &made, &counts, NULL) == TRIAL_SHOWN) {
			report(trial, &made, options->start + i);
			return true;
		}
	}
	trial_print(&counts);
	return false;
}

/** A child ends when its parent `parent` does, however that ends. */
static void end_with_parent(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(1);
}

/** \return whether a job shows something, in `ret_shown`, and whether all ended well. */
static bool run_jobs(struct trial *trial, const struct options *options, bool *ret_shown)
{
	pid_t parent = getpid();
	bool good = true;
	int status;

	fflush(stdout);
	for (uint64_t job = 0; job < options->jobs; job++) {
		pid_t child = fork();

		if (child < 0) {
			perror("fork");
			return false;
		}
		if (child == 0) {
			bool shown;

			end_with_parent(parent);
			shown = run_job(trial, options, job);
			fflush(stdout);
			_exit(shown ? 3 : 0);
		}
	}
	*ret_shown = false;
	while (wait(&status) > 0) {
		good &= WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3);
		*ret_shown |= WIFEXITED(status) && WEXITSTATUS(status) == 3;
	}
	return good;
}

static int usage(void)
{
	fputs("usage: judge_random [--count N] [--seed S] [--start I] [--jobs J] [--limit C]\n"
	      "                    [--oracle FILE.cat --text TEXT] [--first LINE] [--shown]\n"
	      "                    MAP...\n",
	      stderr);
	return 2;
}

static bool parse_options(int argc, char **argv, struct options *options)
{
	static const struct option names[] = {
		{"count", required_argument, NULL, 'c'}, {"seed", required_argument, NULL, 's'},
		{"start", required_argument, NULL, 'i'}, {"jobs", required_argument, NULL, 'j'},
		{"limit", required_argument, NULL, 'l'}, {"oracle", required_argument, NULL, 'o'},
		{"text", required_argument, NULL, 't'},  {"shown", no_argument, NULL, 'w'},
		{"first", required_argument, NULL, 'f'}, {0},
	};
	int name;

	while ((name = getopt_long(argc, argv, "", names, NULL)) != -1) {
		uint64_t *number = name == 'c'   ? &options->count
		                   : name == 's' ? &options->seed
		                   : name == 'i' ? &options->start
		                   : name == 'j' ? &options->jobs
		                   : name == 'l' ? &options->limit
		                                 : NULL;
		char *end = NULL;

		if (name == 'o')
			options->oracle = optarg;
		else if (name == 't')
			options->text = optarg;
		else if (name == 'f')
			options->first = optarg;
		else if (name == 'w')
			options->shown = true;
		else if (number == NULL)
			return false;
		else
			*number = strtoull(optarg, &end, 0);
		if (end != NULL && (*end != '\0' || end == optarg))
			return false;
	}
	return optind < argc && options->jobs > 0 && options->jobs <= 256 &&
	       (options->oracle == NULL) == (options->text == NULL);
}

int main(int argc, char **argv)
{
	struct options options = {.count = 20000, .seed = 1, .jobs = 1, .limit = 3000};
	struct trial trial = {0};
	bool shown, good;

	if (!parse_options(argc, argv, &options))
		return usage();
	trial.limit = options.limit;
	good = trial_open(&trial, argv + optind, argc - optind, options.first) &&
	       (options.oracle == NULL || trial_strengthen(&trial, options.oracle, options.text)) &&
	       run_jobs(&trial, &options, &shown);
	trial_close(&trial);
	return good && shown == options.shown ? 0 : 1;
}
