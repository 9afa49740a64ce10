// SPDX-License-Identifier: Apache-2.0
/* The outcomes of a test line one by one: all others of its values fit into memory as JSON. */
#ifndef OCLMM_REPORT_PIECES_H
#define OCLMM_REPORT_PIECES_H

#include "fields.h"

/*
 * Reads a line as JSON but for what stands in its array `outcomes`, which is empty in the value
 * that is returned. Returns 0, or -EINVAL with the place that is no JSON.
 */
int pieces_load(struct line *line, json_t **ret_object);
/* The next element of that array, from `*at`, 0 at first. Returns 1; 0 behind the last; -EINVAL. */
int pieces_next(const struct line *line, size_t *at, json_t **ret_object);

/* Adds an element, as canonical text. */
void pieces_add(struct oclmm_text *pieces, const json_t *object);
/* Prints an object whose array `outcomes`, if any, is empty, with these elements in it. */
void pieces_print(struct oclmm_text *text, const json_t *object, const struct oclmm_text *pieces);

#endif
