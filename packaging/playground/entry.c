// SPDX-License-Identifier: Apache-2.0
/* Names what the page calls, so that the linker takes it out of its archive. */
#include <oclmm/api.h>

extern const struct playground_entry {
	const char *(*check)(const char *text, unsigned variant);
	const char *(*explain)(const char *text, unsigned variant, const char *outcome);
	const char *(*kernel)(const char *text, unsigned variant);
	const char *(*expected)(const char *text, const char *name);
} playground_entry;

const struct playground_entry playground_entry = {
	oclmm_api_check,
	oclmm_api_explain,
	oclmm_api_kernel,
	oclmm_api_expected,
};
