// SPDX-License-Identifier: Apache-2.0
/* A list of plants that cannot show on a device, as `planted` takes it. */

#include "fuzz.h"
#include "planted/planted.h"

const int fuzz_json = 0;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct equivalents equivalents = {0};
	struct oclmm_error error = {0};

	if (equivalents_read(&equivalents, fuzz_file(data, size), &error) < 0)
		fuzz_check_error(&error);
	for (size_t i = 0; i < equivalents.count; i++)
		equivalents_find(&equivalents, &equivalents.lines[i].plant, "A platform",
		                 "a device", "x86_64");
	equivalents_finish(&equivalents);
	return 0;
}
