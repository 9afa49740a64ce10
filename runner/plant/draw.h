// SPDX-License-Identifier: Apache-2.0
/*
 * Bugs that are drawn at random: a *what* of the engine (oclmm/change.h), and words that say where.
 *
 * May see: change.
 */
#ifndef OCLMM_RUNNER_PLANT_DRAW_H
#define OCLMM_RUNNER_PLANT_DRAW_H

#include "plant.h"

/* `drawn-SEED-NUMBER`, numbers from 1 on: the rule that these give. */
bool plant_draw_parse(const char *choice, struct plant *ret_plant);
/* Where a rule acts, in words that are divided by semicolons: `store; ulong; elements of arrays`;
 * nothing where it acts everywhere. */
void plant_where(const struct plant *plant, struct oclmm_text *text);

#endif
