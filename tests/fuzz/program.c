// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fuzz.h"
#include "oclmm/syntax.h"

const struct oclmm_program *fuzz_program(const char *test)
{
	static struct {
		const char *test;
		struct oclmm_litmus *litmus;
	} known[8];
	struct oclmm_error error = {0};
	size_t i = 0;

	while (known[i].litmus && known[i].test != test)
		i++;
	if (!known[i].litmus) {
		FUZZ_CHECK(i + 1 < OCLMM_COUNT(known));
		known[i].test = test;
		FUZZ_CHECK(oclmm_litmus_parse("x", test, strlen(test), NULL, &error,
		                              &known[i].litmus) == 0);
	}
	return known[i].litmus->variants[0].program;
}
