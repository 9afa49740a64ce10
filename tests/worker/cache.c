// SPDX-License-Identifier: Apache-2.0
/* A child says when programs came from the disk, and takes none where it is told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache/cache.h"
#include "device.h"

/* In a fresh child. Returns whether it says that binaries came from the disk. */
static bool runs_from_disk(const struct oclmm_device_identity *identity,
                           const struct oclmm_run_request *job, bool afresh)
{
	const struct worker_options options = {.limit = 600};
	const size_t number = 0;
	const struct worker_group group = {.jobs = &number, .count = 1, .afresh = afresh};
	struct worker_result result;
	struct oclmm_error error;
	struct worker *worker;
	size_t ignored;
	bool said;

	assert_int_equal(worker_start_on(identity, &options, job, 1, &error, &worker), 0);
	assert_int_equal(worker_run_group(worker, &group, &result, &ignored), OCLMM_END_OK);
	assert_int_equal(result.end, OCLMM_END_OK);
	said = strstr(result.options, "; binaries from the disk") != NULL;
	worker_result_finish(&result);
	worker_stop(worker);
	return said;
}

static void binaries_are_told(void **state)
{
	const struct oclmm_device_identity *identity = *state;
	char folder[] = "/tmp/oclmm-programs-XXXXXX";
	struct fixture_test test = fixture_read(worker_test);
	const struct oclmm_run_request job = {
		.program = test.program,
		.space = &test.answer->space,
		.instances = 1000,
	};

	assert_non_null(mkdtemp(folder));
	oclmm_device_keep_programs(OCLMM_KEEP_ALWAYS, folder);
	assert_false(runs_from_disk(identity, &job, false));
	assert_true(runs_from_disk(identity, &job, false));
	assert_false(runs_from_disk(identity, &job, true));
	assert_true(runs_from_disk(identity, &job, false));
	oclmm_device_keep_programs(OCLMM_KEEP_NEVER, NULL);
	cache_trim(folder, 0);
	assert_int_equal(rmdir(folder), 0);
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device_identity identity;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(binaries_are_told, &identity),
	};

	if (!worker_find_device(&identity))
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
