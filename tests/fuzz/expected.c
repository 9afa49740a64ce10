// SPDX-License-Identifier: Apache-2.0
/* A file of expected sets: what is read is what would be written. */
#include <string.h>

#include "fuzz.h"
#include "oclmm/expect.h"

const int fuzz_json = 0;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oclmm_expected_file *file;
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};

	if (oclmm_expected_parse("fuzz.expected", (const char *)data, size, &error, &file) < 0) {
		fuzz_check_error(&error);
		return 0;
	}
	oclmm_expected_print(&text, file);
	FUZZ_CHECK(text.length == size && memcmp(oclmm_text_string(&text), data, size) == 0);
	for (size_t i = 0; i < oclmm_expected_count(file); i++)
		oclmm_expected_print_log(&text, oclmm_expected_at(file, i));
	FUZZ_CHECK(oclmm_expected_compare(file, file, &text) == 0);
	oclmm_text_finish(&text);
	oclmm_expected_destroy(file);
	return 0;
}
