// SPDX-License-Identifier: Apache-2.0
/* A file of sets in memory, and the words of its lines, for those who write and read it. */
#ifndef OCLMM_EXPECT_INTERNAL_H
#define OCLMM_EXPECT_INTERNAL_H

#include "oclmm/expect.h"

struct oclmm_expected_file {
	struct oclmm_arena *arena;
	const char *litmus;
	struct oclmm_expected **entries;
	size_t count;
	size_t capacity;
};

/* Appends an empty entry; the caller fills it from the file's arena. */
struct oclmm_expected *expected_append(struct oclmm_expected_file *file);

/* The word that the states, or the lack of a meaning, give the condition. */
enum oclmm_observation expected_observe(const struct oclmm_expected *expected);

/* Sets what follows from the states: how many there are of each kind. */
void expected_count_states(struct oclmm_expected *expected);

/* Prints `0:r0=0; 1:r0=1;`. */
void expected_print_state(struct oclmm_text *text, const struct oclmm_expected *expected,
                          const int64_t *values);
/* Prints `0:r0={0,1}; 1:r0={0,1};`. */
void expected_print_values(struct oclmm_text *text, const struct oclmm_expected *expected);
/* Prints ` # K1 K8 opencl-2.1:forbidden` behind a state that is not simply allowed. */
void expected_print_verdicts(struct oclmm_text *text, const struct oclmm_expected_state *state);
/* Prints `opencl-2.1 opencl-3.1` for a set of versions. */
void expected_print_versions(struct oclmm_text *text, unsigned versions);
/* Prints what stands in a file below the variants that have this set. */
void expected_print_set(struct oclmm_text *text, const struct oclmm_expected *expected);

/* The first line of a file, up to the name of the litmus file and after it. */
#define EXPECTED_INTRODUCTION     "# Allowed sets of "
#define EXPECTED_INTRODUCTION_END ", written by \"oclmm check --write\"\n"

/* How the other lines begin. */
#define EXPECTED_VARIANT     "variant "
#define EXPECTED_CONDITION   "condition "
#define EXPECTED_OBSERVATION "observation "
#define EXPECTED_VALUES      "values "
#define EXPECTED_UNDEFINED   "undefined "
#define EXPECTED_DEFINED     "defined "
#define EXPECTED_MODELS      "models "
#define EXPECTED_CUT         "cut"

/* Before a state: whether the condition's predicate holds in it, as in litmus7's histograms. */
#define EXPECTED_HOLDS "*>"
#define EXPECTED_FAILS ":>"

#endif
