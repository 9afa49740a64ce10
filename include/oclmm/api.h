// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * The oracle as texts: a litmus file goes in, JSON comes out. For programs in
 * other languages, and for the playground's page.
 *
 * Every function takes the text of a litmus file and returns an object that
 * belongs to the library and is valid until the next call in the same thread.
 * What is refused is `{"error": {...}}`, with the
 * words of the program and the place: `text` (the message with the line and its
 * caret), `line`, `column`, `length`.
 */
#ifndef OCLMM_API_H
#define OCLMM_API_H

#include "oclmm/model.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Adds an answer as one object, as `oclmm check --json` prints it: `test`,
 * `file`, `hash`, `condition`, `observables` (names), `models`, `may_be_cut`,
 * `candidates`, `consistent` and `seconds`. Each member of `models` has the
 * `observation`, `undefined` (with the `witness` of it), and `states`: the
 * `values` of the observables, the same as `outcome` in the words of a litmus
 * file, the `status`, whether the `condition`'s predicate holds, and, where
 * readings differ, the `deciding` knobs.
 */
void oclmm_api_verdict(struct oclmm_text *text, const struct oclmm_answer *answer);
/**
 * What the model allows in one variant: `name`, `question`, `comment`,
 * `stated` (the `Result:` of the file), `variants` (names), `verdict` as
 * oclmm_api_verdict() has it, and what the names in it stand for: `models`
 * (name: description) and `knobs` (name: question on which readings differ).
 * \param variant counts from 0, which is the file as written
 */
const char *oclmm_api_check(const char *text, unsigned variant);
/**
 * Why: `text` as `oclmm explain` prints it, `svg` (null where there is nothing
 * to draw), `changes` that turn the verdict.
 * \param outcome as for oclmm_explain_ask(); empty for the final condition
 */
const char *oclmm_api_explain(const char *text, unsigned variant, const char *outcome);
/** `kernel`: the OpenCL C that a device runs. */
const char *oclmm_api_kernel(const char *text, unsigned variant);
/**
 * `expected`: the sets of all variants, as a file below expected/ has them.
 * \param name what its first line names, e.g. `relaxed/SB.litmus`
 */
const char *oclmm_api_expected(const char *text, const char *name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
