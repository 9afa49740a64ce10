// SPDX-License-Identifier: Apache-2.0
/* A list of known failures, held against a record. */

#include "../fixture/record.h"
#include "fuzz.h"

const int fuzz_json = 0;

static bool is_named(const void *data, const char *pattern)
{
	return oclmm_pattern_matches(pattern, data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t counts[] = {1, 2, 3, 0};
	struct oclmm_expectations *expectations;
	struct oclmm_grade_options options = {.today = 20260615};
	struct oclmm_error error = {0};
	struct made made;

	if (oclmm_expectations_parse("known", (const char *)data, size, &error, &expectations) <
	    0) {
		fuzz_check_error(&error);
		return 0;
	}
	if (oclmm_expectations_check(expectations, is_named, "SB+sc+sc", &error) < 0)
		fuzz_check_error(&error);
	options.expectations = expectations;
	made_init(&made, "SB+sc+sc", OCLMM_STATUS_FORBIDDEN, counts);
	made_grade(&made, &options);
	FUZZ_CHECK(made.record.grade.verdict == OCLMM_VERDICT_FORBIDDEN ||
	           made.record.grade.verdict == OCLMM_VERDICT_KNOWN);
	made_finish(&made);
	oclmm_expectations_destroy(expectations);
	return 0;
}
