// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "kernels/kernels.h"
#include "oclmm/api.h"
#include "oclmm/cat.h"
#include "oclmm/expect.h"
#include "oclmm/explore.h"
#include "oclmm/grade.h"
#include "oclmm/model.h"
#include "select/narrow.h"
#include "select/select.h"

/* ---- large tests ----------------------------------------------------------- */

/* Litmus tests whose executions are too many: explored by states, under the texts as they are
 * written. */

static void print_head(const struct oclmm_program *p, size_t states)
{
	printf("Test %s %s\nStates %zu\n", oclmm_shown(p->name).text, oclmm_log_kind(p->quantifier),
	       states);
}

static void print_end(const struct oclmm_program *p, const struct oclmm_explored *found,
                      const char *word, unsigned positive, unsigned negative)
{
	struct oclmm_text text = {0};

	oclmm_final_print(&text, p);
	printf("Witnesses\nPositive: %u Negative: %u\nCondition %s\nObservation %s %s %u %u\n",
	       positive, negative, oclmm_text_string(&text), oclmm_shown(p->name).text, word,
	       positive, negative);
	oclmm_text_finish(&text);
	printf("Hash=%016" PRIx64 "\nVariant=%s\n", oclmm_program_hash(p),
	       oclmm_shown(p->name).text);
	if (found->cut)
		printf("Cut=yes\n");
}

static const char as_written[] =
	"opencl-2.1 and opencl-3.1 without alternatives: there are too many "
	"executions for the others";

static int compare_states(const void *a, const void *b, void *count)
{
	const struct oclmm_explored_state *x = a, *y = b;

	return oclmm_compare_values((const int64_t *)x->values, (const int64_t *)y->values,
	                            *(const uint32_t *)count);
}

static void print_states(const struct oclmm_program *p, const struct oclmm_explored *found)
{
	unsigned positive = 0, negative = 0;
	struct oclmm_text text = {0};

	print_head(p, found->state_count);
	qsort_r(found->states, found->state_count, sizeof(*found->states), compare_states,
	        (void *)(uintptr_t)&p->observable_count);
	for (size_t i = 0; i < found->state_count; i++) {
		const int64_t *values = (const int64_t *)found->states[i].values;

		for (uint32_t o = 0; o < p->observable_count; o++) {
			oclmm_text_printf(&text, "%s=", p->observables[o].name);
			oclmm_value_print(&text, p->observables[o].type, values[o]);
			oclmm_text_add(&text, "; ");
		}
		oclmm_text_add(&text, "\n");
		*(oclmm_condition_holds(p, p->condition, values) ? &positive : &negative) += 1;
	}
	printf("%s%s\n", oclmm_text_string(&text), positive ? "Ok" : "No");
	oclmm_text_finish(&text);
	print_end(p, found,
	          oclmm_observation_word(
			  oclmm_observation_of(positive, negative, positive, negative)),
	          positive, negative);
	printf("Readings=%s\n\n", as_written);
}

/* Whether all final states under 2.1 and 3.1 without alternatives are known. */
static bool states_are_known(const struct oclmm_explored *found)
{
	return found && found->fault == OCLMM_EXPLORED_SOUND && !found->early &&
	       !found->scopes_differ;
}

/* oclmm check: asks the oracle. */

enum { ALL_MODELS = (1u << OCLMM_MODEL_COUNT) - 1 };

struct check {
	enum oclmm_model model;
	struct oclmm_check_options options;
	struct narrow narrow;
	struct kernel_options kernel;
	bool all_models;
	bool json;
	bool quiet;
	bool write;
	bool verify;
	struct progress progress;
	size_t done;
};

static const struct option_spec options[] = {
	{"all-models", 'a', NULL, "ask every model, and say where they differ",
         SETS_FLAG(struct check, all_models)},
	KERNEL_OPTIONS(struct check),
	NARROW_BUG_OPTION(struct check),
	CAT_OPTION(struct check, options.cat),
	NARROW_FAMILY_OPTION(struct check),
	NARROW_FEATURE_OPTION(struct check),
	{"json", 'j', NULL, "print one JSON object per test", SETS_FLAG(struct check, json)},
	{"model", 'm', "NAME", "answer under this model instead of consensus",
         SETS_BY(option_model, struct check, model)},
	{"quiet", 'q', NULL, "print nothing but errors", SETS_FLAG(struct check, quiet)},
	{"time-limit", 0, "SECONDS",
         "give up on a test after this much processor time (10; 0: never)",
         SETS_LIMIT(struct check, options.time_limit)},
	{"verify", 0, NULL, "compare with the files under expected/; differences fail",
         SETS_FLAG(struct check, verify)},
	{"write", 'w', NULL, "write the files under expected/, whole files always",
         SETS_FLAG(struct check, write)},
	{0},
};

/* The worst of two statuses: 2 for a refused test, 99 for one given up, 1 for a difference. */
static int worse(int a, int b)
{
	static const int order[] = {OCLMM_EXIT_USAGE, OCLMM_EXIT_INFRASTRUCTURE,
	                            OCLMM_EXIT_FORBIDDEN};

	for (size_t i = 0; i < OCLMM_COUNT(order); i++) {
		if (a == order[i] || b == order[i])
			return order[i];
	}
	return a ? a : b;
}

/* Whether the states of a test may answer in place of its executions: not where a model is named
 * that they say nothing of, nor where answers are stored. */
static bool takes_states(const struct check *check)
{
	return check->model == OCLMM_MODEL_CONSENSUS && !check->all_models && !check->json &&
	       !check->write && !check->verify && !check->options.cat;
}

/* `ret_answer` is NULL where the states were printed that the program ends in. */
static int ask_large(struct check *check, const struct oclmm_variant *variant,
                     struct oclmm_error *error, struct oclmm_answer **ret_answer)
{
	struct oclmm_check_options asked = check->options;
	struct oclmm_explored *found = NULL;
	int r;

	if (takes_states(check))
		asked.ret_explored = &found;
	r = oclmm_check(variant->program, &asked, error, ret_answer);
	if ((r == -ETIME || r == -E2BIG) && states_are_known(found)) {
		*ret_answer = NULL;
		progress_clear(&check->progress);
		if (!check->quiet)
			print_states(variant->program, found);
		r = 0;
	}
	oclmm_explored_destroy(found);
	return r;
}

static int ask(struct check *check, const struct oclmm_variant *variant,
               struct oclmm_answer **ret_answer)
{
	struct oclmm_error error = {0};
	int r;

	progress_update(&check->progress, check->done++, 0, variant->name);
	r = ask_large(check, variant, &error, ret_answer);
	if (r == 0)
		return 0;
	progress_clear(&check->progress);
	if (r == -ETIME) {
		fprintf(stderr,
		        "oclmm check: %s: not answered within %g s; --time-limit gives it more\n",
		        oclmm_shown(variant->name).text, check->options.time_limit);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	if (error.message[0])
		report_error(&error);
	else
		fprintf(stderr, "oclmm check: %s: refused: %s\n", oclmm_shown(variant->name).text,
		        strerror(-r));
	return OCLMM_EXIT_USAGE;
}

/* What a file says of its base variant is a promise to the reader, so it must be kept. */
static int check_stated(struct check *check, const struct oclmm_litmus *litmus,
                        const struct oclmm_answer *answer)
{
	enum oclmm_observation observation = oclmm_answer_observation(answer,
	                                                              OCLMM_MODEL_CONSENSUS);
	const char *answered = oclmm_observation_word(observation);
	struct oclmm_error error = {.position = litmus->stated_position};

	/* what the file says is what our model says */
	if (litmus->stated == OCLMM_STATED_NOTHING || check->options.cat ||
	    answer->program != litmus->variants[0].program ||
	    strcmp(oclmm_stated_word(litmus->stated), answered) == 0)
		return 0;
	progress_clear(&check->progress);
	snprintf(error.file, sizeof(error.file), "%s", litmus->path);
	snprintf(error.message, sizeof(error.message),
	         "the file says \"Result: %s\", the oracle says \"%s\"",
	         oclmm_stated_word(litmus->stated), answered);
	report_error(&error);
	return OCLMM_EXIT_FORBIDDEN;
}

/* Where every loop is too long, nothing is left that could be allowed. */
static void warn_of_cuts(const struct oclmm_expected *expected)
{
	if (expected->may_be_cut && !expected->undefined && expected->state_count == 0)
		fprintf(stderr,
		        "oclmm check: %s: no execution ends within its `unroll` line, so that %s "
		        "says nothing: give it more rounds\n",
		        oclmm_shown(expected->name).text,
		        oclmm_observation_word(expected->observation));
}

/* By which rules `scoped` answers otherwise than the text, where both were asked. */
static const char *name_rules(const struct check *check, const struct oclmm_answer *answer,
                              struct oclmm_text *text)
{
	const char *separator = "scoped: ";
	struct oclmm_error error;
	unsigned rules = 0;

	if (check->options.cat || !(answer->models & 1u << OCLMM_MODEL_SCOPED) ||
	    oclmm_scoped_difference(answer->program, check->options.time_limit, &error, &rules) < 0)
		return NULL;
	for (unsigned i = 0; i < OCLMM_SCOPED_RULE_COUNT; i++) {
		if (!(rules & 1u << i))
			continue;
		oclmm_text_printf(text, "%s%s", separator,
		                  oclmm_scoped_rule_text((enum oclmm_scoped_rule)i));
		separator = "; ";
	}
	return rules ? oclmm_text_string(text) : NULL;
}

static void print_answer(struct check *check, const struct oclmm_answer *answer)
{
	struct oclmm_expected_file *file;
	struct oclmm_text text = {0}, rules = {0};
	struct oclmm_expected expected;

	if (check->quiet)
		return;
	progress_clear(&check->progress);
	if (check->json) {
		oclmm_api_verdict(&text, answer);
		oclmm_text_add(&text, "\n");
	} else {
		file = oclmm_expected_create("");
		oclmm_expected_add(file, answer, check->model);
		expected = *oclmm_expected_at(file, 0);
		expected.rules = name_rules(check, answer, &rules);
		oclmm_expected_print_log(&text, &expected);
		warn_of_cuts(&expected);
		oclmm_expected_destroy(file);
	}
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
	oclmm_text_finish(&rules);
}

static int verify(struct check *check, const struct suite_file *file,
                  const struct oclmm_expected_file *computed)
{
	struct oclmm_error error = {0};
	struct oclmm_expected_file *written;
	struct oclmm_text text = {0};
	size_t differences;

	if (oclmm_expected_read(file->expected, &error, &written) < 0) {
		progress_clear(&check->progress);
		report_error(&error);
		return OCLMM_EXIT_FORBIDDEN;
	}
	differences = oclmm_expected_compare(written, computed, &text);
	oclmm_expected_destroy(written);
	if (differences) {
		progress_clear(&check->progress);
		printf("%s: %s of it not as computed (- as written, + as computed)\n%s",
		       oclmm_shown(file->expected).text, oclmm_counted(differences, "test").text,
		       oclmm_text_string(&text));
	}
	oclmm_text_finish(&text);
	return differences ? OCLMM_EXIT_FORBIDDEN : 0;
}

static int store(struct check *check, const struct suite_file *file,
                 const struct oclmm_expected_file *computed)
{
	struct oclmm_error error = {0};

	if (check->verify)
		return verify(check, file, computed);
	if (oclmm_expected_write(computed, file->expected, &error) == 0)
		return 0;
	progress_clear(&check->progress);
	report_error(&error);
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* All variants of a file, into its file of expected sets: written only when every one was
 * answered. */
static int check_file(struct check *check, const struct suite_file *file,
                      const struct oclmm_litmus *litmus)
{
	struct oclmm_expected_file *computed = oclmm_expected_create(file->relative);
	int status = 0;

	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		struct oclmm_answer *answer;
		int one = ask(check, &litmus->variants[i], &answer);

		if (one == 0) {
			one = check_stated(check, litmus, answer);
			oclmm_expected_add(computed, answer, OCLMM_MODEL_CONSENSUS);
			if (check->json)
				print_answer(check, answer);
			oclmm_answer_destroy(answer);
		}
		status = worse(status, one);
	}
	if (status == 0)
		status = store(check, file, computed);
	oclmm_expected_destroy(computed);
	return status;
}

static int check_files(struct check *check, const struct selection *selection)
{
	int status = 0;

	for (size_t i = 0; i < selection->count; i++) {
		const struct chosen *chosen = &selection->chosen[i];

		if (i == 0 || chosen->litmus != selection->chosen[i - 1].litmus)
			status = worse(status, check_file(check, chosen->file, chosen->litmus));
	}
	return status;
}

static int check_variants(struct check *check, const struct selection *selection)
{
	int status = 0;

	for (size_t i = 0; i < selection->count; i++) {
		const struct chosen *chosen = &selection->chosen[i];
		struct oclmm_answer *answer;
		int one = ask(check, chosen->variant, &answer);

		if (one == 0 && answer) {
			print_answer(check, answer);
			one = check_stated(check, chosen->litmus, answer);
			oclmm_answer_destroy(answer);
		}
		status = worse(status, one);
	}
	return status;
}

static int check_selected(struct check *check, int argc, char **argv)
{
	struct selection selection;
	int refused = 0, status;

	if (check->all_models || check->write || check->verify)
		check->options.models = ALL_MODELS;
	check->options.models |= 1u << check->model | 1u << OCLMM_MODEL_CONSENSUS;
	/* the rest is answered, whatever cannot be read */
	status = check->write || check->verify
	                 ? selection_make(&selection, argv, argc)
	                 : selection_make_readable(&selection, argv, argc, &refused);
	if (status == 0)
		status = narrow_apply(&check->narrow, &selection);
	if (status == 0) {
		progress_begin(&check->progress, selection.count);
		status = check->write || check->verify ? check_files(check, &selection)
		                                       : check_variants(check, &selection);
		progress_clear(&check->progress);
		if (refused)
			status = refused;
		else if (status == 0 && selection.count == 0)
			status = OCLMM_EXIT_NOTHING;
	}
	selection_finish(&selection);
	return status;
}

/* Files of kernels are answered one by one, in place of litmus files. */
static int check_kernels(const struct command *command, struct check *check, int argc, char **argv)
{
	int status = 0;

	for (int i = 0; i < argc; i++) {
		if (!kernel_is_file(argv[i]))
			return options_error(command, "%s: either kernels or litmus files",
			                     oclmm_shown(argv[i]).text);
		if (check->write || check->verify || check->options.cat || check->all_models ||
		    check->model != OCLMM_MODEL_CONSENSUS)
			return options_error(command,
			                     "of a kernel's file, only --json, --quiet, "
			                     "--time-limit and the options of its launch are "
			                     "taken");
	}
	check->kernel.json = check->json;
	for (int i = 0; i < argc; i++)
		status = worse(status, kernel_check(command, argv[i], &check->kernel,
		                                    check->options.time_limit, check->quiet));
	return status;
}

/* Neither is anything chosen, nor is it a program that reads the answers. */
static bool asks_of_nothing(const struct check *check)
{
	const struct narrow *narrow = &check->narrow;

	return !narrow->family_count && !narrow->bug_count && !narrow->features && !check->json &&
	       !check->quiet && !check->write && !check->verify;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct check check = {.model = OCLMM_MODEL_CONSENSUS, .options.time_limit = 10};
	int first, status = options_parse(command, argc, argv, &check, &first);
	bool stores = check.write || check.verify, kernels = false;

	for (int i = first; status == 0 && i < argc; i++)
		kernels = kernels || kernel_is_file(argv[i]);
	if (status == 0 && (kernels || check.kernel.given))
		status = kernels ? check_kernels(command, &check, argc - first, argv + first)
		                 : options_error(command, "which kernel? name its .cl file");
	else if (status == 0 && stores && check.model != OCLMM_MODEL_CONSENSUS)
		status = options_error(
			command, "the files under expected/ hold consensus; --model does not go "
				 "with --write or --verify");
	else if (status == 0 && stores && check.options.cat)
		status = options_error(command, "the files under expected/ hold our model; --cat "
		                                "does not go with --write or --verify");
	else if (status == 0 && first == argc && asks_of_nothing(&check))
		status = options_error(command, "name a test, a file or a folder; '*' is the whole "
		                                "suite");
	else if (status == 0)
		status = check_selected(&check, argc - first, argv + first);
	oclmm_cat_destroy(check.options.cat);
	return status;
}

const struct command command_check = {
	.name = "check",
	.arguments = "[FILE|DIR|PATTERN…|KERNEL.cl]",
	.summary = "say which outcomes the memory model allows",
	.description =
		"Without names, --json, --quiet, --verify and --write are for the whole suite.\n\n"
		"Exit status: 0 answered; 1 an answer differs from `Result:` or from expected/;\n"
		"2 usage, or a file that is refused; 77 no tests; 99 the time limit passed.",
	.options = options,
	.repeatable = "arg ask bug family feature",
	.one_of = (const char *const[]){"json quiet", "verify write", NULL},
	.run = run,
};
