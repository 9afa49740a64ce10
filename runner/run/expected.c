// SPDX-License-Identifier: Apache-2.0
/* What the tests of a run are held to: the expected sets of their litmus files, each read once. */
#include <errno.h>
#include <stdio.h>

#include "choose.h"

static void note_unused(struct run *run, const char *path, const char *reason)
{
	progress_clear(&run->session->progress);
	fprintf(stderr, "oclmm run: note: %s %s; asking the oracle\n", oclmm_shown(path).text,
	        reason);
}

static const struct oclmm_expected_file *load_expected(struct run *run, const struct chosen *test)
{
	struct run_session *session = run->session;
	struct oclmm_error error = {0};
	struct oclmm_expected_file *file = NULL;
	int r = oclmm_expected_read(test->file->expected, &error, &file);

	if (r == -EINVAL) {
		progress_clear(&run->session->progress);
		report_error(&error);
		note_unused(run, test->file->expected, "is damaged");
	}
	if (r < 0)
		file = NULL;
	oclmm_grow(&session->expected, &session->expected_capacity, session->expected_count,
	           sizeof(*session->expected));
	session->expected[session->expected_count++] = (struct run_expected){.litmus = test->litmus,
	                                                                     .file = file};
	return file;
}

static bool fits(const struct oclmm_expected_file *file, const struct chosen *test)
{
	const struct oclmm_expected *expected = oclmm_expected_find(file, test->variant->name);

	return expected && oclmm_expected_fits(expected, test->variant->program);
}

const struct oclmm_expected_file *run_expected_of(struct run *run, size_t test)
{
	const struct chosen *chosen = &run->selection.chosen[test];
	const struct run_session *session = run->session;
	const struct oclmm_expected_file *file;

	/* tests of one file stand together, so that the last one is nearly always it */
	for (size_t i = session->expected_count; i > 0; i--) {
		if (session->expected[i - 1].litmus == chosen->litmus)
			return session->expected[i - 1].file;
	}
	file = load_expected(run, chosen);
	if (file && !fits(file, chosen))
		note_unused(run, chosen->file->expected, "is not of this version of the test");
	return file;
}

bool run_can_fail(struct run *run, size_t test)
{
	const struct oclmm_expected *expected = oclmm_expected_held(
		run->context.arena, run_expected_of(run, test),
		run->selection.chosen[test].variant->program, run_model(&run->context));

	/* what is not known may well fail */
	return !expected || oclmm_expected_forbids(expected);
}
