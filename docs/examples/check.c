// SPDX-License-Identifier: Apache-2.0
/*
 * Asks liboclmm which outcomes the OpenCL memory model allows.
 *
 *     cc check.c -o check $(pkg-config --cflags --libs oclmm)
 *     ./check FILE.litmus
 */
#include <oclmm/model.h>
#include <oclmm/syntax.h>

#include <stdio.h>

static void print_answer(const struct oclmm_answer *answer)
{
	for (uint32_t i = 0; i < answer->state_count; i++) {
		struct oclmm_text text;

		oclmm_text_init(&text);
		oclmm_outcome_print(&text, answer->program, answer->states[i].values);
		printf("%s %s\n",
		       oclmm_status_word(answer->states[i].status[OCLMM_MODEL_CONSENSUS]),
		       oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
}

int main(int argc, char **argv)
{
	const struct oclmm_check_options options = {.time_limit = 60};
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
	struct oclmm_error error = {0};

	if (argc != 2 || oclmm_litmus_read(argv[1], NULL, &error, &litmus) < 0) {
		fprintf(stderr, "%s\n", error.message);
		return 2;
	}
	if (oclmm_check(litmus->variants[0].program, &options, &error, &answer) < 0) {
		fprintf(stderr, "%s\n", error.message);
		return 1;
	}
	print_answer(answer);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
	return 0;
}
