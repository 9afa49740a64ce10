// SPDX-License-Identifier: Apache-2.0
/* A call of every function of the public headers, with arguments as a program has them. */
#ifndef OCLMM_TESTS_LIBRARY_CALLS_H
#define OCLMM_TESTS_LIBRARY_CALLS_H

#include <stdbool.h>
#include <string.h>

/* Says where an expectation does not hold, and counts it. */
bool calls_check(bool holds, const char *what, const char *file, int line);
#define CHECK(what) calls_check((what), #what, __FILE__, __LINE__)
#define CHECK_HAS(text, part)                                                                      \
	calls_check(strstr((text), (part)) != NULL, #text " has " #part, __FILE__, __LINE__)
#define CHECK_IS(text, other)                                                                      \
	calls_check(strcmp((text), (other)) == 0, #text " is " #other, __FILE__, __LINE__)

struct oclmm_litmus;

/* `suite` is the folder with the litmus files, `scratch` one to write to. */
void call_base(const char *scratch);
void call_words(void);
void call_programs(const char *suite);
void call_oracle(const char *suite, const char *scratch);
void call_cat(const char *scratch);
void call_changes(void);
void call_cycles(void);
void call_kernels(const char *suite);
void call_machine(void);
void call_results(const char *scratch);
/* A file of the suite, by folder and name. */
struct oclmm_litmus *calls_read(const char *suite, const char *name);

#endif
