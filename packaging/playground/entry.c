// SPDX-License-Identifier: Apache-2.0
/* Names what the page calls, so that the linker takes it out of its archive. */
#include <oclmm/ask.h>

extern const struct playground_entry {
	const char *(*check)(const char *text, unsigned variant);
	const char *(*explain)(const char *text, unsigned variant, const char *outcome);
	const char *(*kernel)(const char *text, unsigned variant);
	const char *(*expected)(const char *text, const char *name);
} playground_entry;

const struct playground_entry playground_entry = {
	oclmm_ask_check,
	oclmm_ask_explain,
	oclmm_ask_kernel,
	oclmm_ask_expected,
};
