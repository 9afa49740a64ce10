// SPDX-License-Identifier: Apache-2.0
/*
 * What clang's analyzer, which looks at one file at a time, cannot know: that the function which
 * sets an error returns the code that it was given. analyse.py includes it in front of each file.
 */
#ifndef OCLMM_TESTS_ANALYSIS_KNOWN_H
#define OCLMM_TESTS_ANALYSIS_KNOWN_H

#include "oclmm/base.h"

#define oclmm_error_set(error, code, ...)                                                          \
	((void)(oclmm_error_set)(error, code, __VA_ARGS__), (code))

#endif
