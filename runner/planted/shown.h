// SPDX-License-Identifier: Apache-2.0
/* The kill matrix for people, or as what programs read. */
#ifndef OCLMM_RUNNER_PLANTED_SHOWN_H
#define OCLMM_RUNNER_PLANTED_SHOWN_H

#include "matrix.h"

/* For people, or a JSON object on a line of its own: `planted`, `plant`, `score`. */
enum matrix_form { MATRIX_TEXT, MATRIX_JSON };
/* What the matrix begins with. */
void matrix_head(struct oclmm_text *text, enum matrix_form form,
                 const struct matrix_header *header);
/* One plant: a line, and more for people where there is more to say. */
void matrix_plant(struct oclmm_text *text, enum matrix_form form,
                  const struct plant_outcome *outcome);
/* What it comes to; `status` is that of the program. */
void matrix_score(struct oclmm_text *text, enum matrix_form form, const struct plant_score *score,
                  int status);
/* The score of each class, and what was not killed, as tables of a document. */
void matrix_tables(struct oclmm_text *text, const struct matrix_saved *saved);

#endif
