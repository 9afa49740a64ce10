// SPDX-License-Identifier: Apache-2.0
/* What the oracle answers, as the page shows it. */
#ifndef OCLMM_ASK_VERDICT_H
#define OCLMM_ASK_VERDICT_H

#include "json.h"
#include "oclmm/explain.h"

void ask_put_error(struct json *json, const struct oclmm_error *error);
void ask_put_verdict(struct json *json, const struct oclmm_answer *answer);
void ask_put_explanation(struct json *json, const struct oclmm_explanation *e);

#endif
