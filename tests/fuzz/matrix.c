// SPDX-License-Identifier: Apache-2.0
/* A matrix of planted bugs: what is read is shown, and reads back as what it was. */
#include <string.h>

#include "fuzz.h"
#include "planted/planted.h"

const int fuzz_json = 1;

/* The lines that `planted` would write of it. */
static void write_lines(struct oclmm_text *text, const struct matrix_saved *saved)
{
	struct plant_score score = {0};

	matrix_head(text, MATRIX_JSON, &saved->header);
	for (size_t i = 0; i < saved->count; i++) {
		plant_score_add(&score, &saved->outcomes[i]);
		matrix_plant(text, MATRIX_JSON, &saved->outcomes[i]);
	}
	matrix_score(text, MATRIX_JSON, &score, 0);
}

static void check_shown(const struct matrix_saved *saved)
{
	struct plant_score score = {0};
	struct oclmm_text text = {0};

	matrix_head(&text, MATRIX_TEXT, &saved->header);
	for (size_t i = 0; i < saved->count; i++) {
		plant_score_add(&score, &saved->outcomes[i]);
		matrix_plant(&text, MATRIX_TEXT, &saved->outcomes[i]);
	}
	matrix_score(&text, MATRIX_TEXT, &score, 0);
	matrix_tables(&text, saved);
	fuzz_check_shown(oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct matrix_saved saved, again;
	struct oclmm_text first = {0}, second = {0};
	struct oclmm_error error = {0};

	if (matrix_read(fuzz_file(data, size), &error, &saved) < 0) {
		fuzz_check_error(&error);
		return 0;
	}
	check_shown(&saved);
	write_lines(&first, &saved);
	FUZZ_CHECK(matrix_read(fuzz_file(first.data, first.length), &error, &again) == 0);
	write_lines(&second, &again);
	FUZZ_CHECK(strcmp(oclmm_text_string(&first), oclmm_text_string(&second)) == 0);
	oclmm_text_finish(&first);
	oclmm_text_finish(&second);
	matrix_saved_finish(&again);
	matrix_saved_finish(&saved);
	return 0;
}
