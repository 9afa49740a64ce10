// SPDX-License-Identifier: Apache-2.0
#include "outcome.h"

#include <stdlib.h>

OCLMM_LOOK_UP(const char *, plant_state_word, plant_state, PLANT_STATES, FIRST);
OCLMM_LOOK_UP(const char *, plant_state_meaning, plant_state, PLANT_STATES, SECOND);
OCLMM_FIND(plant_state_find, plant_state, PLANT_STATES, FIRST);

void plant_outcome_finish(struct plant_outcome *outcome)
{
	for (size_t i = 0; i < outcome->kill_count; i++)
		free(outcome->kills[i].test);
	free(outcome->kills);
	*outcome = (struct plant_outcome){0};
}

void plant_outcome_add_kill(struct plant_outcome *outcome, const char *test, uint64_t seen,
                            uint64_t instances)
{
	oclmm_grow(&outcome->kills, &outcome->kill_capacity, outcome->kill_count,
	           sizeof(*outcome->kills));
	outcome->kills[outcome->kill_count++] = (struct kill){
		.test = oclmm_strdup(test),
		.seen = seen,
		.instances = instances,
		.instances_before = outcome->instances,
		.seconds = outcome->seconds,
	};
}

bool plant_outcome_touched(const struct plant_outcome *outcome)
{
	return outcome->places > 0 &&
	       (!plant_by_launch(outcome->plant.bug) || outcome->launches > 0);
}

/* All tests were left out for a feature, or all planted ones were refused: without sub-groups their
 * scope is no word. */
static bool is_lacking(const struct plant_outcome *outcome)
{
	return outcome->loaded && outcome->refused == outcome->tests &&
	       (outcome->skipped > 0 || outcome->refused > 0);
}

void plant_outcome_judge(struct plant_outcome *outcome)
{
	bool none = outcome->plant.bug == PLANT_NONE;

	if (outcome->kill_count > 0)
		outcome->state = outcome->equivalent ? PLANT_CONTRADICTION : PLANT_KILLED;
	else if (outcome->hopeless && outcome->equivalent)
		outcome->state = PLANT_EQUIVALENT; /* NOLINT(*-branch-clone): in this order */
	else if (outcome->hopeless)
		outcome->state = outcome->concerned ? PLANT_GAP : PLANT_UNTOUCHED;
	else if (is_lacking(outcome) && !none)
		outcome->state = PLANT_LACKING;
	else if (!outcome->loaded || outcome->tests == 0)
		outcome->state = PLANT_FAILED;
	else if (none)
		outcome->state = outcome->broken ? PLANT_NOTICED : PLANT_CLEAN;
	else if (outcome->equivalent)
		outcome->state = PLANT_EQUIVALENT;
	else if (!plant_outcome_touched(outcome))
		outcome->state = PLANT_UNTOUCHED;
	else
		outcome->state = outcome->broken ? PLANT_NOTICED : PLANT_SURVIVED;
}

bool plant_outcome_is_kill(const struct plant_outcome *outcome)
{
	/* a count that is lost is all that a bug of the counting has to show, and a launch that is
	 * lost, or does not end, all of a command that is not sent; work-items that are not where
	 * they belong do not count */
	if (outcome->state == PLANT_NOTICED)
		return outcome->plant.bug == PLANT_COUNT_LOST ||
		       outcome->plant.bug == PLANT_FLUSH_LOST ||
		       plant_in_ranges(outcome->plant.bug);
	return outcome->state == PLANT_KILLED || outcome->state == PLANT_CONTRADICTION;
}

/* It can show on the device. */
static bool is_able(const struct plant_outcome *outcome)
{
	return outcome->state != PLANT_EQUIVALENT && outcome->state != PLANT_LACKING;
}

void plant_score_add(struct plant_score *score, const struct plant_outcome *outcome)
{
	unsigned class = plant_class(outcome->plant.bug);

	score->states[outcome->state]++;
	if (outcome->plant.bug == PLANT_NONE)
		return;
	score->killed += plant_outcome_is_kill(outcome);
	score->able += is_able(outcome);
	score->class_killed[class] += plant_outcome_is_kill(outcome);
	score->class_able[class] += is_able(outcome);
	score->class_tried[class]++;
}
