// SPDX-License-Identifier: Apache-2.0
#include "oclmm/histogram.h"

static const struct {
	enum oclmm_ended ended;
	const char *cause, *words;
} ends[] = {
#define OCLMM_X(name, ended, cause, words) {OCLMM_ENDED_##ended, cause, words},
	OCLMM_ENDS(OCLMM_X)
#undef OCLMM_X
};

enum oclmm_ended oclmm_end_ended(enum oclmm_end end)
{
	return ends[end].ended;
}

const char *oclmm_end_cause(enum oclmm_end end)
{
	return ends[end].cause;
}

const char *oclmm_end_words(enum oclmm_end end)
{
	return ends[end].words;
}

OCLMM_LOOK_UP(const char *, oclmm_ended_word, oclmm_ended, OCLMM_ENDED, FIRST);
