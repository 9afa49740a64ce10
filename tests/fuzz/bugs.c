// SPDX-License-Identifier: Apache-2.0
/* A list of bugs and their tests, litmus/bugs of a suite. */

#include "fuzz.h"
#include "select/narrow.h"

const int fuzz_json = 0;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oclmm_error error = {0};
	struct bugs bugs;

	if (bugs_read_file(&bugs, fuzz_file(data, size), &error) < 0) {
		fuzz_check_error(&error);
		bugs_finish(&bugs);
		return 0;
	}
	for (size_t i = 0; i < bugs.count; i++) {
		const struct bug *bug = &bugs.bugs[i];

		FUZZ_CHECK(bugs_find(&bugs, bug->name) == bug);
		FUZZ_CHECK(*bug->where && *bug->what && *bug->tests);
		bug_has_test(bug, "MP+rel+acq");
		bug_has_test(bug, "SB.order=rlx.place=local");
		bug_has_test(bug, bug->name);
	}
	bugs_finish(&bugs);
	return 0;
}
