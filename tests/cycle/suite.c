// SPDX-License-Identifier: Apache-2.0
/*
 * Every variant of the suite that is a cycle regenerates itself: the oracle says of the test that
 * is made from the cycle what it says of the one that was written. Which files are cycles, and of
 * what, stands in suite.txt beside this.
 *
 * usage: test_cycle_suite LITMUS SUITE.TXT [--promote]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/cycle.h"
#include "oclmm/syntax.h"
#include "select/suite.h"

static unsigned failures, cycles, variants;

static void complain(const char *name, const char *what)
{
	fprintf(stderr, "%s: %s\n", name, what);
	failures++;
}

static struct oclmm_answer *ask(const struct oclmm_program *program)
{
	const struct oclmm_check_options options = {.models = (1u << OCLMM_MODEL_COUNT) - 1};
	struct oclmm_answer *answer;
	struct oclmm_error error;

	if (oclmm_check(program, &options, &error, &answer) < 0) {
		complain(program->name, error.message);
		exit(1);
	}
	return answer;
}

static unsigned count_states(const struct oclmm_answer *answer, unsigned model,
                             enum oclmm_status status)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < answer->state_count; i++)
		count += answer->states[i].status[model] == status;
	return count;
}

/* Names differ, so states are counted, by model and status. */
static bool same_answers(const struct oclmm_answer *a, const struct oclmm_answer *b)
{
	bool same = a->candidates == b->candidates && a->state_count == b->state_count;

	for (unsigned model = 0; same && model < OCLMM_MODEL_COUNT; model++) {
		same = a->undefined[model] == b->undefined[model] &&
		       oclmm_answer_observation(a, (enum oclmm_model)model) ==
		               oclmm_answer_observation(b, (enum oclmm_model)model);
		for (unsigned status = 0; same && status <= OCLMM_STATUS_UNDEFINED; status++)
			same = count_states(a, model, (enum oclmm_status)status) ==
			       count_states(b, model, (enum oclmm_status)status);
	}
	return same;
}

static void check_cycle(const struct oclmm_variant *variant, const char *words)
{
	struct oclmm_cycle cycle;
	struct oclmm_litmus *litmus;
	struct oclmm_answer *written, *made;
	struct oclmm_error error;

	if (oclmm_cycle_parse(words, &error, &cycle) < 0 ||
	    oclmm_cycle_program(&cycle, &error, &litmus) < 0) {
		complain(variant->name, error.message);
		return;
	}
	written = ask(variant->program);
	made = ask(litmus->variants[0].program);
	if (!same_answers(written, made))
		complain(variant->name, "is not the same test again");
	oclmm_answer_destroy(written);
	oclmm_answer_destroy(made);
	oclmm_litmus_destroy(litmus);
}

static void check_variant(const struct oclmm_variant *variant, bool first, struct oclmm_text *list)
{
	struct oclmm_cycle cycle;
	struct oclmm_text words = {0};

	variants++;
	if (oclmm_cycle_recognise(variant->program, &cycle)) {
		cycles++;
		oclmm_cycle_print(&words, &cycle);
		check_cycle(variant, oclmm_text_string(&words));
	}
	if (first && words.length)
		oclmm_text_printf(list, "%s: %s\n", variant->name, oclmm_text_string(&words));
	oclmm_text_finish(&words);
}

static void check_file(const struct suite_file *file, struct oclmm_text *list)
{
	struct oclmm_error error;
	struct oclmm_litmus *litmus;

	if (strcmp(file->family, "idiom") == 0)
		return;
	if (oclmm_litmus_read(file->path, NULL, &error, &litmus) < 0) {
		complain(file->path, error.message);
		return;
	}
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		check_variant(&litmus->variants[i], i == 0, list);
	oclmm_litmus_destroy(litmus);
}

/* Every line that is known must have been found. */
static void compare(const char *path, const struct oclmm_text *list)
{
	char *wanted, *save;
	size_t length;

	if (oclmm_read_file(path, &wanted, &length) < 0) {
		complain(path, "cannot be read");
		return;
	}
	for (char *line = strtok_r(wanted, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		const char *found = strstr(oclmm_text_string(list), line);

		if (!found || found[strlen(line)] != '\n' ||
		    (found > oclmm_text_string(list) && found[-1] != '\n'))
			complain(line, "was the cycle of this test and is not found any more");
	}
	free(wanted);
}

int main(int argc, char **argv)
{
	struct suite_files files = {0};
	struct oclmm_error error;
	struct oclmm_text list = {0};

	if (argc < 3 || suite_add_folder(&files, argv[1], &error) < 0)
		return 2;
	for (size_t i = 0; i < files.count; i++)
		check_file(&files.files[i], &list);
	if (argc > 3)
		oclmm_write_file(argv[2], oclmm_text_string(&list), list.length);
	else
		compare(argv[2], &list);
	printf("%u of %u variants are cycles, %u failures\n", cycles, variants, failures);
	oclmm_text_finish(&list);
	suite_files_finish(&files);
	return failures > 0 || cycles == 0;
}
