// SPDX-License-Identifier: Apache-2.0
/* What a device claimed once, as --expect-claims takes it. */

#include "fuzz.h"
#include "survey/survey.h"

const int fuzz_json = 1;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* it claims next to nothing, so that most of what a file says is missing */
	struct oclmm_device_info info = {
		.platform = "Platform", .name = "Device", .version = "OpenCL 3.0", .major = 3};
	const struct oclmm_device_list list = {.devices = &info, .count = 1};
	struct claims_difference difference = {0};
	struct oclmm_error error = {0};

	if (claims_expect(fuzz_file(data, size), &list, &info, &error, &difference) < 0)
		fuzz_check_error(&error);
	oclmm_text_finish(&difference.gone);
	oclmm_text_finish(&difference.missing);
	return 0;
}
