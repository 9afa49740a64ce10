// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

_Noreturn void fuzz_stop(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, condition);
	abort();
}

void fuzz_check_shown(const char *text, size_t length)
{
	FUZZ_CHECK(strlen(text) == length);
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		FUZZ_CHECK(c >= 0x20 || c == '\n' || c == '\t');
		FUZZ_CHECK(c != 0x7f);
		/* what begins a sequence for terminals of eight bits, in UTF-8 */
		FUZZ_CHECK(!(c == 0xc2 && (unsigned char)text[i + 1] < 0xa0));
	}
	FUZZ_CHECK(!strstr(text, "##["));
}

void fuzz_check_error(const struct oclmm_error *error)
{
	char *text = oclmm_error_format(error);

	FUZZ_CHECK(*error->message);
	fuzz_check_shown(text, strlen(text));
	free(text);
}

const char *fuzz_file(const void *data, size_t size)
{
	static char path[32];
	static int file = -1;

	if (file < 0)
		file = memfd_create("fuzz", MFD_CLOEXEC);
	FUZZ_CHECK(file >= 0 && ftruncate(file, 0) == 0);
	FUZZ_CHECK(pwrite(file, data, size, 0) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	return path;
}
