// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <stdio.h>

#include "oclmm/grade.h"
#include "report.h"

static int status_of(enum idiom_end end)
{
	switch (end) {
	case IDIOM_RIGHT: return OCLMM_EXIT_PASS;
	case IDIOM_WRONG: return OCLMM_EXIT_FORBIDDEN;
	case IDIOM_REFUSED: return OCLMM_EXIT_USAGE;
	case IDIOM_GAVE_UP:
	case IDIOM_TIMEOUT: return OCLMM_EXIT_INCONCLUSIVE;
	case IDIOM_UNSUPPORTED: return OCLMM_EXIT_NOTHING;
	default: return OCLMM_EXIT_INFRASTRUCTURE;
	}
}

int idiom_worse(int a, int b)
{
	static const int order[] = {
		OCLMM_EXIT_PASS,  OCLMM_EXIT_NOTHING,        OCLMM_EXIT_INCONCLUSIVE,
		OCLMM_EXIT_USAGE, OCLMM_EXIT_INFRASTRUCTURE, OCLMM_EXIT_FORBIDDEN,
	};
	size_t rank_a = 0, rank_b = 0;

	for (size_t i = 0; i < OCLMM_COUNT(order); i++) {
		rank_a = order[i] == a ? i : rank_a;
		rank_b = order[i] == b ? i : rank_b;
	}
	return rank_a > rank_b ? a : b;
}

int idiom_say(const struct idiom_command *idiom, const struct idiom_result *result)
{
	if (idiom->json)
		idiom_report_json(idiom->run->context.device, &idiom->request, result);
	else if (result->end != IDIOM_REFUSED)
		idiom_report_text(&idiom->request, result);
	fflush(stdout);
	return status_of(result->end);
}
