// SPDX-License-Identifier: Apache-2.0
/*
 * What is read of a test line without making JSON values of it: its outcomes, one by one, for they
 * may be more than fit into memory, and its blocks, for they are most of a usual line.
 */
#ifndef OCLMM_REPORT_PIECES_H
#define OCLMM_REPORT_PIECES_H

#include "fields.h"

/*
 * Reads a line as JSON but for what stands in its array `outcomes`, and in the array `blocks` of
 * its evidence where that is written as this program does: numbers without blanks. Both are empty
 * in the value that is returned. Returns 0, or -EINVAL with the place that is no JSON.
 */
int pieces_load(struct line *line, json_t **ret_object);
/* The next element of that array, from `*at`, 0 at first. Returns 1; 0 behind the last; -EINVAL. */
int pieces_next(const struct line *line, size_t *at, json_t **ret_object);

/* How many numbers the next of the line's blocks has, from `*at`, 0 at first; 0 behind the last. */
size_t blocks_next_size(const struct line *line, size_t at);
/* Takes them. */
void blocks_next(const struct line *line, size_t *at, uint64_t *ret_values);

/* Adds an element, as canonical text. */
void pieces_add(struct oclmm_text *pieces, const json_t *object);
/* Prints an object whose array `outcomes`, if any, is empty, with these elements in it, and the
 * blocks of the line that it was read from, which may be NULL. */
void pieces_print(struct oclmm_text *text, const json_t *object, const struct oclmm_text *pieces,
                  const struct line *line);

#endif
