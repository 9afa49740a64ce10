// SPDX-License-Identifier: Apache-2.0
/* Questions to an answer. */
#include <string.h>

#include "internal.h"

enum oclmm_status oclmm_answer_status(const struct oclmm_answer *answer, enum oclmm_model model,
                                      const int64_t *values)
{
	size_t width = answer->program->observable_count * sizeof(*values);

	for (uint32_t i = 0; i < answer->state_count; i++)
		if (memcmp(answer->states[i].values, values, width) == 0)
			return answer->states[i].status[model];
	return answer->undefined[model] && model != OCLMM_MODEL_SCOPED ? OCLMM_STATUS_UNDEFINED
	                                                               : OCLMM_STATUS_FORBIDDEN;
}

static enum oclmm_observation word_for(bool some, bool some_not)
{
	if (!some)
		return OCLMM_OBSERVATION_NEVER;
	return some_not ? OCLMM_OBSERVATION_SOMETIMES : OCLMM_OBSERVATION_ALWAYS;
}

/* Disputed only where the disputed states change the word. */
enum oclmm_observation oclmm_observation_of(bool holds, bool fails, bool may_hold, bool may_fail)
{
	if (word_for(holds, fails) != word_for(may_hold, may_fail))
		return OCLMM_OBSERVATION_DISPUTED;
	return word_for(holds, fails);
}

enum oclmm_observation oclmm_answer_observation(const struct oclmm_answer *answer,
                                                enum oclmm_model model)
{
	bool holds = false, fails = false, may_hold = false, may_fail = false;

	if (answer->undefined[model] && model != OCLMM_MODEL_SCOPED)
		return OCLMM_OBSERVATION_UNDEFINED;
	for (uint32_t i = 0; i < answer->state_count; i++) {
		const struct oclmm_state *s = &answer->states[i];
		bool sure = s->status[model] == OCLMM_STATUS_ALLOWED;
		bool maybe = sure || s->status[model] == OCLMM_STATUS_DISPUTED;

		holds |= sure && s->condition;
		fails |= sure && !s->condition;
		may_hold |= maybe && s->condition;
		may_fail |= maybe && !s->condition;
	}
	return oclmm_observation_of(holds, fails, may_hold, may_fail);
}
