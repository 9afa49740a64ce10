// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * An explained execution as a picture: threads side by side, their events from
 * top to bottom, and an arrow for each edge. docs/explain.md shows how to read it.
 */
#ifndef OCLMM_PICTURE_H
#define OCLMM_PICTURE_H

#include "oclmm/explain.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Adds the execution as an `<svg>` element that is a whole file by itself and
 * can stand in a page: it names no identifiers, fetches nothing, has a title
 * and a description, and follows a reader who asks for dark colours. No name
 * of an arrow touches an event, another word, a line or the frame of a group.
 * \return 0, or -ENOENT when the explanation has no execution.
 */
int oclmm_picture_svg(struct oclmm_text *text, const struct oclmm_explanation *explanation);
/** The same as text in Graphviz' language, to be placed and painted by its tools.
 * \return as oclmm_picture_svg(). */
int oclmm_picture_dot(struct oclmm_text *text, const struct oclmm_explanation *explanation);

/**
 * All in one, for reports: explains an outcome of a program and adds its picture.
 * \param outcome as for oclmm_explain_ask(); NULL for the final condition.
 * \return 0; -ENOENT when there is no execution to draw; as oclmm_explain_ask() and
 * oclmm_explain(). `text` stays as it was then.
 */
int oclmm_picture_outcome(struct oclmm_text *text, const struct oclmm_program *program,
                          const char *outcome, enum oclmm_model model, struct oclmm_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
