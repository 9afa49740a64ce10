// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fuzz.h"
#include "oclmm/syntax.h"

const struct oclmm_program *fuzz_program(const char *test)
{
	static struct oclmm_litmus *litmus;
	struct oclmm_error error = {0};

	if (!litmus)
		FUZZ_CHECK(oclmm_litmus_parse("x", test, strlen(test), NULL, &error, &litmus) == 0);
	return litmus->variants[0].program;
}
