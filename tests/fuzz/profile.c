// SPDX-License-Identifier: Apache-2.0
/* A profile, and the environments of --environment. */
#include <string.h>

#include "fuzz.h"
#include "profile/profile.h"

const int fuzz_json = 0;

static void check_set(const char *text)
{
	struct oclmm_environment_set set, again;
	struct oclmm_error error = {0};
	struct oclmm_text printed = {0};

	if (oclmm_environment_set_parse(text, &error, &set) < 0) {
		fuzz_check_error(&error);
		return;
	}
	oclmm_environment_set_print(&printed, &set);
	FUZZ_CHECK(oclmm_environment_set_parse(oclmm_text_string(&printed), &error, &again) == 0);
	FUZZ_CHECK(set.count == again.count && memcmp(set.environments, again.environments,
	                                              set.count * sizeof(*set.environments)) == 0);
	oclmm_text_finish(&printed);
}

static void check_profile(const char *text, size_t size)
{
	struct oclmm_profile profile, again;
	struct oclmm_error error = {0};
	struct oclmm_text printed = {0}, twice = {0};

	if (oclmm_profile_parse("fuzz.profile", text, size, &error, &profile) < 0) {
		fuzz_check_error(&error);
		return;
	}
	oclmm_profile_print(&printed, &profile);
	FUZZ_CHECK(oclmm_profile_parse("again", oclmm_text_string(&printed), printed.length, &error,
	                               &again) == 0);
	/* what is shown of a name is shown alike; a name that is no text is not what was read */
	oclmm_profile_print(&twice, &again);
	FUZZ_CHECK(strcmp(oclmm_text_string(&printed), oclmm_text_string(&twice)) == 0);
	oclmm_text_finish(&twice);
	oclmm_text_finish(&printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = oclmm_malloc(size + 1);

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	check_profile(text, size);
	check_set(text);
	free(text);
	return 0;
}
