// SPDX-License-Identifier: Apache-2.0
/*
 * A harness is one function that takes bytes, reads them as one of the program's inputs and goes as
 * far as the program would. It stops the process where something is wrong that no sanitizer sees.
 * libFuzzer calls it, or replay.c, which needs no compiler of its own.
 */
#ifndef OCLMM_TESTS_FUZZ_FUZZ_H
#define OCLMM_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "oclmm/base.h"

/* libFuzzer's names. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops unless a condition holds. */
#define FUZZ_CHECK(condition)                                                                      \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fuzz_stop(__FILE__, __LINE__, #condition);                                 \
	} while (0)
_Noreturn void fuzz_stop(const char *file, int line, const char *condition);
/* What an error has to be, wherever it comes from: a message, and one that can be printed. */
void fuzz_check_error(const struct oclmm_error *error);
/* A text for people: lines of UTF-8 without control characters. */
void fuzz_check_shown(const char *text, size_t length);
/* A path under which readers of files find these bytes, until the next call. */
const char *fuzz_file(const void *data, size_t size);
/* program.c: the program of a litmus test, one of a few; the same one at each call. */
const struct oclmm_program *fuzz_program(const char *test);

/*
 * mutate.c: changes `data` (of `size` bytes, with room for `most`) by a draw from `key`, and
 * returns the new size. `json`: lines of JSON, of which values, keys and lines are changed as such.
 */
size_t fuzz_mutate(uint8_t *data, size_t size, size_t most, uint64_t key, int json);
/* Whether the harness reads lines of JSON. */
extern const int fuzz_json;

#endif
