// SPDX-License-Identifier: Apache-2.0
/*
 * The commands that ask no device: which tests there are, what they say, what
 * the specification allows, and why. Shared is how answers look as JSON.
 *
 * May see: select, picture, control, grade, cycle, producer.
 */
#ifndef OCLMM_RUNNER_ORACLE_ORACLE_H
#define OCLMM_RUNNER_ORACLE_ORACLE_H

#include "cli/json.h"
#include "oclmm/model.h"

/* Prints an answer as one line of JSON: every model asked for, its states and its race. */
void check_print_json(struct oclmm_text *text, const struct oclmm_answer *answer);

/* The names of a set of knobs, 1u << enum oclmm_knob. */
json_t *knobs_json(unsigned knobs);

#endif
