// SPDX-License-Identifier: Apache-2.0
/* The words of a cycle, as `generate` takes them: what is printed says the same again. */
#include <string.h>

#include "fuzz.h"
#include "oclmm/cycle.h"
#include "oclmm/syntax.h"

const int fuzz_json = 0;

static void check_words(const struct oclmm_cycle *cycle)
{
	struct oclmm_error error = {0};
	struct oclmm_text first = {0}, second = {0};
	struct oclmm_cycle again;

	oclmm_cycle_print(&first, cycle);
	FUZZ_CHECK(oclmm_cycle_parse(oclmm_text_string(&first), &error, &again) == 0);
	oclmm_cycle_print(&second, &again);
	FUZZ_CHECK(strcmp(oclmm_text_string(&first), oclmm_text_string(&second)) == 0);
	oclmm_text_finish(&first);
	oclmm_text_finish(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_cycle cycle;
	struct oclmm_text name;
	char *words = oclmm_malloc(size + 1);

	if (size)
		memcpy(words, data, size);
	words[size] = '\0';
	if (oclmm_cycle_parse(words, &error, &cycle) < 0) {
		fuzz_check_error(&error);
	} else {
		check_words(&cycle);
		oclmm_text_init(&name);
		oclmm_cycle_name(&name, &cycle);
		oclmm_text_finish(&name);
		if (oclmm_cycle_program(&cycle, &error, &litmus) < 0)
			fuzz_check_error(&error);
		else
			oclmm_litmus_destroy(litmus);
	}
	free(words);
	return 0;
}
