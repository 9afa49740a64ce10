// SPDX-License-Identifier: Apache-2.0
/*
 * Holds the oracle against a cat file on every variant of the litmus files, or on random programs.
 *
 *     cat_suite FILE.cat REGIME FOLDER [--limit CANDIDATES] [--without CHECK] [--differs] [--own]
 *     cat_suite FILE.cat REGIME --random COUNT [--seed S] ...
 *
 * The random programs are those of tests/oracle/property. The candidates are those of the reference
 * in tests/oracle, which knows no commands; with --own they are the oracle's, and it judges them by
 * the file, as `oclmm check --cat` does.
 *
 * --without removes a check from the file. --differs is for files that are
 * wrong: there has to be a difference, and the first one suffices.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../suite/folder.h"
#include "made.h"
#include "oclmm/model.h"
#include "oclmm/syntax.h"
#include "opencl.h"

/* Seconds for one program. */
#define OWN_LIMIT 2.0

struct comparison {
	struct oclmm_cat_model *model;
	enum oclmm_model regime;
	uint64_t limit, candidates;
	unsigned long one_in; /**< beside the first variant of each file, one in so many */
	unsigned variants, too_large, different;
	unsigned long random; /**< so many random programs in place of the files, */
	uint64_t seed;        /**< of this seed */
	bool own;
	bool stop; /**< at the first difference */
};

/** The oracle's reading of the regime with no alternative. \return -1 when it has none. */
static int find_reading(const struct oclmm_answer *answer, enum oclmm_model regime)
{
	for (uint32_t i = 0; i < answer->reading_count; i++)
		if (answer->readings[i].regime == regime && answer->readings[i].alternatives == 0)
			return (int)i;
	return -1;
}

/** \return whether they differ; says in what. */
static bool compare_states(const struct comparison *comparison, const struct oclmm_answer *oracle,
                           const struct cat_answer *cat)
{
	int reading = find_reading(oracle, comparison->regime);
	const char *name = oracle->program->name;
	size_t allowed = 0;
	bool differ = false;

	if (reading < 0)
		return printf("%s: the oracle has no such reading\n", name) > 0;
	if (oracle->undefined_by[reading] != cat->undefined) {
		printf("%s: undefined for the %s only\n", name, cat->undefined ? "file" : "oracle");
		differ = true;
	}
	for (uint32_t i = 0; i < oracle->state_count; i++) {
		const struct oclmm_state *state = &oracle->states[i];
		bool by_cat = cat_opencl_allows(cat, oracle->program, state->values);
		struct oclmm_text text = {0};

		allowed += by_cat;
		if (state->allowed_by[reading] == by_cat)
			continue;
		oclmm_outcome_print(&text, oracle->program, state->values);
		printf("%s: %s allowed by the %s only\n", name, oclmm_text_string(&text),
		       by_cat ? "file" : "oracle");
		oclmm_text_finish(&text);
		differ = true;
	}
	if (allowed != cat->count)
		printf("%s: the file allows a state that the oracle does not list\n", name);
	return differ || allowed != cat->count;
}

/** The file's answer, by the oracle's candidates. \return 0; a negative errno value. */
static int ask_own(const struct comparison *comparison, const struct oclmm_program *program,
                   struct cat_answer *ret_answer)
{
	struct oclmm_check_options options = {.models = 1u << comparison->regime,
	                                      .cat = comparison->model,
	                                      .time_limit = OWN_LIMIT};
	struct oclmm_answer *answer;
	struct oclmm_error error;
	int result = oclmm_check(program, &options, &error, &answer);

	if (result != 0)
		return result;
	*ret_answer = (struct cat_answer){.undefined = answer->undefined[comparison->regime],
	                                  .candidates = answer->candidates,
	                                  .states = oclmm_calloc(answer->state_count + 1,
	                                                         sizeof(*ret_answer->states))};
	for (uint32_t i = 0; i < answer->state_count; i++)
		if (answer->states[i].allowed_by[0])
			memcpy(ret_answer->states[ret_answer->count++], answer->states[i].values,
			       program->observable_count * sizeof(int64_t));
	oclmm_answer_destroy(answer);
	return 0;
}

static void compare(struct comparison *comparison, const struct oclmm_program *program,
                    uint64_t limit)
{
	struct oclmm_check_options options = {.models = 1u << comparison->regime |
	                                                1u << OCLMM_MODEL_CONSENSUS};
	struct oclmm_answer *oracle;
	struct oclmm_error error;
	struct cat_answer cat;

	comparison->variants++;
	if ((comparison->own ? ask_own(comparison, program, &cat)
	                     : cat_opencl_check(comparison->model, program, limit, &cat)) != 0) {
		comparison->too_large++;
		return;
	}
	comparison->candidates += cat.candidates;
	if (oclmm_check(program, &options, &error, &oracle) != 0) {
		complain(program->name, "%s", error.message);
	} else {
		comparison->different += compare_states(comparison, oracle, &cat);
		oclmm_answer_destroy(oracle);
	}
	cat_opencl_finish(&cat);
}

/*
 * Programs that are about operands, many updates of one object in any order, all of them relaxed:
 * tests/values holds their numbers against a machine. And those of one text for all work-items,
 * which the oracle runs step by step where their executions are many. What is too large among them
 * says nothing, and has more candidates than can be waited for.
 */
enum { MANY_LIMIT = 700, MOST_SHARING = 4 };

static bool may_have_many(const struct oclmm_litmus *litmus)
{
	return strstr(litmus->path, "/values/") != NULL || litmus->variants[0].program->shared;
}

static bool is_chosen(const struct comparison *comparison, const struct oclmm_litmus *litmus,
                      uint32_t variant)
{
	const struct oclmm_program *program = litmus->variants[variant].program;

	if (comparison->stop && comparison->different > 0)
		return false;
	/* no lack of a check shows in a text without atomics, and many work-items take long */
	if (program->shared &&
	    (comparison->stop || program->thread_count > MOST_SHARING || has_given_values(program)))
		return false;
	/* the files have no words for images */
	return !oclmm_program_has_images(program) &&
	       is_sampled(litmus, variant, comparison->one_in);
}

static void compare_file(const struct oclmm_litmus *litmus, void *data)
{
	struct comparison *comparison = data;
	bool many = may_have_many(litmus);
	uint64_t limit = many && comparison->limit > MANY_LIMIT ? MANY_LIMIT : comparison->limit;
	unsigned too_large = comparison->too_large;

	/* the reference has threads, and no commands between them */
	if (!comparison->own && oclmm_program_has_commands(litmus->variants[0].program))
		return;
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		if (is_chosen(comparison, litmus, i))
			compare(comparison, litmus->variants[i].program, limit);
	if (many)
		comparison->too_large = too_large;
}

/* ---- random programs ---- */

static bool differs(struct comparison *comparison, const struct made *made)
{
	const struct oclmm_syntax_options options = {0};
	unsigned before = comparison->different;
	struct oclmm_text source = {0};
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error;

	made_print(&source, made, "random");
	if (oclmm_litmus_parse("random.litmus", source.data, source.length, &options, &error,
	                       &litmus) == 0)
		compare(comparison, litmus->variants[0].program, comparison->limit);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&source);
	return comparison->different > before;
}

static bool still_differs(const struct made *made, void *data)
{
	return differs(data, made);
}

/** The first program that differs is made small and printed. */
static void compare_random(struct comparison *comparison)
{
	for (unsigned long i = 0; i < comparison->random; i++) {
		struct oclmm_text source = {0};
		struct made made;

		made_generate(&made, oclmm_random(comparison->seed, i));
		made_extend(&made, oclmm_random(comparison->seed, i));
		if (!differs(comparison, &made))
			continue;
		made_shrink(&made, still_differs, comparison);
		made_print(&source, &made, "smallest");
		printf("program %lu of seed %llu differs; in its smallest form:\n\n%s\n", i,
		       (unsigned long long)comparison->seed, oclmm_text_string(&source));
		oclmm_text_finish(&source);
		return;
	}
}

static int usage(void)
{
	fputs("usage: cat_suite FILE.cat REGIME FOLDER [--limit CANDIDATES] [--without CHECK]"
	      " [--differs] [--one-in N] [--own]\n"
	      "       cat_suite FILE.cat REGIME --random COUNT [--seed S] [--limit CANDIDATES]"
	      " ...\n",
	      stderr);
	return 2;
}

static int run(struct comparison *comparison, const char *file, const char *folder,
               const char *without)
{
	struct oclmm_error error;
	int result = comparison->own ? oclmm_model_read(file, &error, &comparison->model)
	                             : oclmm_cat_read(file, cat_opencl_names, CAT_OPENCL_COUNT,
	                                              &error, &comparison->model);

	if (result != 0) {
		char *text = oclmm_error_format(&error);

		fputs(text, stderr);
		free(text);
		return 1;
	}
	if (without != NULL && !oclmm_cat_remove(comparison->model, without)) {
		fprintf(stderr, "%s: no check has the name %s\n", file, without);
		return 1;
	}
	if (comparison->random > 0)
		compare_random(comparison);
	else
		visit_folder(folder, compare_file, comparison);
	oclmm_cat_destroy(comparison->model);
	printf("%u variants, %llu candidates; %u too large, %u different\n", comparison->variants,
	       (unsigned long long)comparison->candidates, comparison->too_large,
	       comparison->different);
	if (comparison->stop)
		return comparison->different == 0;
	return comparison->different > 0 || complaints > 0 || comparison->variants == 0 ||
	       /* a generator that makes only large programs would pass without testing anything */
	       comparison->too_large * (comparison->random > 0 ? 4 : 100) > comparison->variants;
}

int main(int argc, char **argv)
{
	static const struct option names[] = {
		{"limit", required_argument, NULL, 'l'}, {"without", required_argument, NULL, 'w'},
		{"differs", no_argument, NULL, 'd'},     {"one-in", required_argument, NULL, 'o'},
		{"own", no_argument, NULL, 'O'},         {"random", required_argument, NULL, 'r'},
		{"seed", required_argument, NULL, 's'},  {0},
	};
	struct comparison comparison = {.limit = 100000, .one_in = 1, .seed = 1};
	const char *without = NULL;
	int name;

	while ((name = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (name == 'l')
			comparison.limit = strtoull(optarg, NULL, 0);
		else if (name == 'w')
			without = optarg;
		else if (name == 'o')
			comparison.one_in = strtoul(optarg, NULL, 10);
		else if (name == 'O')
			comparison.own = true;
		else if (name == 'r')
			comparison.random = strtoul(optarg, NULL, 10);
		else if (name == 's')
			comparison.seed = strtoull(optarg, NULL, 10);
		else if (name == 'd')
			comparison.stop = true;
		else
			return usage();
	}
	if (argc - optind != (comparison.random > 0 ? 2 : 3) || comparison.one_in == 0 ||
	    !oclmm_model_parse(argv[optind + 1], &comparison.regime))
		return usage();
	return run(&comparison, argv[optind], argv[optind + 2], without);
}
