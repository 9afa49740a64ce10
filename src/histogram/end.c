// SPDX-License-Identifier: Apache-2.0
#include "oclmm/histogram.h"

enum oclmm_ended oclmm_end_ended(enum oclmm_end end)
{
#define OCLMM_X(name, ended, cause, words) OCLMM_ENDED_##ended,
	static const enum oclmm_ended ended[] = {OCLMM_ENDS(OCLMM_X)};
#undef OCLMM_X

	return ended[end];
}

OCLMM_LOOK_UP(const char *, oclmm_end_cause, oclmm_end, OCLMM_ENDS, SECOND);
OCLMM_LOOK_UP(const char *, oclmm_end_words, oclmm_end, OCLMM_ENDS, THIRD);
OCLMM_LOOK_UP(const char *, oclmm_ended_word, oclmm_ended, OCLMM_ENDED, FIRST);
