// SPDX-License-Identifier: Apache-2.0
/* Stress that misses its area is an error of the device or of the harness, and must not pass
 * unseen. */

#include "../fixture/test.h"

#include <errno.h>
#include <string.h>

#include "stress/internal.h"

TEST(what_was_read_back)
{
	uint32_t guard[OCLMM_GUARD] = {0}, mark = 3;
	struct oclmm_error error;

	assert_int_equal(oclmm_scratch_judge(&mark, guard, &error), 0);
	assert_int_equal(oclmm_scratch_judge(NULL, guard, &error), 0);
	mark = 0;
	assert_int_equal(oclmm_scratch_judge(&mark, guard, &error), -ERANGE);
	assert_non_null(strstr(error.message, "does not reach"));
	mark = 1;
	guard[OCLMM_GUARD - 1] = 1;
	assert_int_equal(oclmm_scratch_judge(&mark, guard, &error), -ERANGE);
	assert_non_null(strstr(error.message, "past the end"));
}

/* The word that is looked at: the one of the first work-item that must have stored. */
TEST(where_a_mark_must_be)
{
	struct oclmm_session session = {0};
	struct oclmm_parameters p = {
		.places = 13,
		.all_groups = 15,
		.stress = 1,
		.stress_pattern = 1,
		.stress_lines = 8,
		.stress_stride = 10,
	};

	oclmm_scratch_note(&session, &p);
	assert_true(session.has_stressed);
	assert_int_equal(session.stressed, 50); /* place 13 is line 5 */
	/* loads leave no mark, and without operations there is none */
	session = (struct oclmm_session){0};
	p.stress_pattern = 0;
	oclmm_scratch_note(&session, &p);
	p.stress_pattern = 3;
	p.stress = 0;
	oclmm_scratch_note(&session, &p);
	p.stress = 1;
	p.all_groups = p.places;
	oclmm_scratch_note(&session, &p);
	assert_false(session.has_stressed);
	/* the testing ones begin with place 0 */
	p.pre_stress = 2;
	oclmm_scratch_note(&session, &p);
	assert_true(session.has_stressed);
	assert_int_equal(session.stressed, 0);
}
