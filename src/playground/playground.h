// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What the playground's page asks of the program: a litmus text as somebody
 * types it, and JSON as the answer. Compiled to WebAssembly for the page, and
 * natively for the tests.
 *
 * Every function takes the text of a litmus file and returns an object that is
 * valid until the next call. What is refused is `{"error": {...}}`, with the
 * words of the program and the place: `text` (the message with the line and its
 * caret), `line`, `column`, `length`.
 */
#ifndef OCLMM_PLAYGROUND_H
#define OCLMM_PLAYGROUND_H

/**
 * What the model allows in one variant: `name`, `question`, `comment`,
 * `variants` (names), `condition`, `models` (name, description, observation)
 * and `states` (outcome, whether the condition's predicate holds, the status
 * under each model, the rules on which the readings differ).
 * \param variant counts from 0, which is the file as written
 */
const char *playground_check(const char *text, unsigned variant);
/**
 * Why: `text` as `oclmm explain` prints it, `svg` (null where there is nothing
 * to draw), `changes` that turn the verdict.
 * \param outcome as for oclmm_explain_ask(); empty for the final condition
 */
const char *playground_explain(const char *text, unsigned variant, const char *outcome);
/** `kernel`: the OpenCL C that a device runs. */
const char *playground_kernel(const char *text, unsigned variant);
/** `expected`: the text of the file below expected/ that belongs to `name`. */
const char *playground_expected(const char *text, const char *name);

#endif
