// SPDX-License-Identifier: Apache-2.0
/* What became of a plant, and what all of them come to. */
#include "outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/grade.h"

static const struct {
	enum plant_bug first;
	const char *name;
} plant_classes[PLANT_CLASS_COUNT] = {
#define PLANT_X(first, name) {PLANT_##first, name},
	PLANT_CLASSES(PLANT_X)
#undef PLANT_X
};

unsigned plant_class(enum plant_bug bug)
{
	unsigned class = 0;

	while (class + 1 < PLANT_CLASS_COUNT && bug >= plant_classes[class + 1].first)
		class ++;
	return class;
}

const char *plant_class_name(unsigned class)
{
	return plant_classes[class].name;
}

OCLMM_LOOK_UP(const char *, plant_state_word, plant_state, PLANT_STATES, FIRST);

void kills_add(struct kills *kills, const char *test, struct kill kill)
{
	oclmm_grow(&kills->items, &kills->capacity, kills->count, sizeof(*kills->items));
	kill.test = oclmm_strdup(test);
	kills->items[kills->count++] = kill;
}

static void kills_finish(struct kills *kills)
{
	for (size_t i = 0; i < kills->count; i++)
		free(kills->items[i].test);
	free(kills->items);
}

static void broken_test_finish(struct broken_test *test)
{
	free(test->name);
	free(test->verdict);
}

void plant_outcome_finish(struct plant_outcome *outcome)
{
	kills_finish(&outcome->kills);
	kills_finish(&outcome->shows);
	for (size_t i = 0; i < outcome->broken_count; i++)
		broken_test_finish(&outcome->broken_tests[i]);
	free(outcome->broken_tests);
	*outcome = (struct plant_outcome){0};
}

/* The first is the one that is told of. */
static void name_broken(struct plant_outcome *outcome)
{
	if (outcome->broken_count > 0)
		snprintf(outcome->broken_text, sizeof(outcome->broken_text), "%s: %s",
		         outcome->broken_tests[0].name, outcome->broken_tests[0].verdict);
	else
		outcome->broken_text[0] = '\0';
}

void plant_outcome_add_broken(struct plant_outcome *outcome, const char *test, const char *verdict)
{
	bool refused = strcmp(verdict, oclmm_verdict_word(OCLMM_VERDICT_BUILD_FAILED)) == 0;
	size_t n = 0;

	while (n < outcome->broken_count && strcmp(outcome->broken_tests[n].name, test) != 0)
		n++;
	if (n == outcome->broken_count) {
		oclmm_grow(&outcome->broken_tests, &outcome->broken_capacity, n,
		           sizeof(*outcome->broken_tests));
		outcome->broken_tests[outcome->broken_count++] = (struct broken_test){
			.name = oclmm_strdup(test),
			.verdict = oclmm_strdup(verdict),
		};
	}
	outcome->broken_tests[n].runs++;
	outcome->broken_tests[n].refused += refused;
	outcome->broken++;
	outcome->refused += refused;
	name_broken(outcome);
}

void plant_outcome_leave_out_broken(struct plant_outcome *outcome, size_t n)
{
	struct broken_test gone = outcome->broken_tests[n];

	outcome->broken_count--;
	memmove(&outcome->broken_tests[n], &outcome->broken_tests[n + 1],
	        (outcome->broken_count - n) * sizeof(gone));
	outcome->broken -= gone.runs;
	outcome->refused -= gone.refused;
	/* one that waits for ever, too, may have been told of twice */
	outcome->tests -= gone.runs < outcome->tests ? gone.runs : outcome->tests;
	outcome->left_out++;
	broken_test_finish(&gone);
	name_broken(outcome);
}

bool plant_outcome_touched(const struct plant_outcome *outcome)
{
	return outcome->places > 0 && (!plant_by_launch(&outcome->plant) || outcome->launches > 0);
}

/* All tests were left out for a feature that they need, or that they need once they are changed, or
 * since the device does not run them to the end as it is. */
static bool is_lacking(const struct plant_outcome *outcome)
{
	return outcome->loaded && outcome->tests == 0 &&
	       (outcome->skipped > 0 || outcome->left_out > 0);
}

/*
 * The driver's compiler refused what the change made of a program, and takes the program as it is.
 * Then the bug was not there to be seen, and to say that it survived, or that the device lacks
 * something, would hide what is wrong with the change.
 */
static bool is_refused(const struct plant_outcome *outcome)
{
	/* of a second program, for some launches, nobody asked what it needs */
	return outcome->refused > 0 ||
	       (outcome->unbuilt > 0 && !outcome->plant.mutation.to_sub_group);
}

void plant_outcome_judge(struct plant_outcome *outcome)
{
	bool none = outcome->plant.bug == PLANT_NONE;

	if (outcome->kills.count > 0)
		outcome->state = outcome->equivalent ? PLANT_CONTRADICTION : PLANT_KILLED;
	/* a drawn one that is listed may be nowhere all the same */
	else if (outcome->hopeless && outcome->equivalent &&
	         !(outcome->plant.drawn && outcome->concerned == 0))
		outcome->state = PLANT_EQUIVALENT; /* NOLINT(*-branch-clone): in this order */
	else if (outcome->hopeless)
		outcome->state = outcome->concerned ? PLANT_GAP : PLANT_UNTOUCHED;
	else if (is_lacking(outcome) && !none)
		outcome->state = PLANT_LACKING;
	else if (!outcome->loaded || outcome->tests == 0)
		outcome->state = PLANT_FAILED;
	else if (none)
		outcome->state = outcome->broken ? PLANT_NOTICED : PLANT_CLEAN;
	else if (is_refused(outcome))
		outcome->state = PLANT_REFUSED;
	else if (outcome->equivalent)
		outcome->state = PLANT_EQUIVALENT;
	/* what has a place in a test that can show it, and in no text, has got lost on the way */
	else if (!plant_outcome_touched(outcome) && !outcome->plant.drawn)
		outcome->state = PLANT_UNTOUCHED;
	else
		outcome->state = outcome->broken  ? PLANT_NOTICED
		                 : outcome->quiet ? PLANT_QUIET
		                                  : PLANT_SURVIVED;
}

/* The bug is in what a launch ranges over, or tells its work-items of that. */
static bool is_in_ranges(enum plant_bug bug)
{
	return bug >= PLANT_OFFSET_IGNORED && bug <= PLANT_IDS_SWAPPED;
}

bool plant_outcome_is_kill(const struct plant_outcome *outcome)
{
	/* a count that is lost is all that a bug of the counting has to show, and a launch that is
	 * lost, or does not end, all of a command that is not sent; work-items that are not where
	 * they belong do not count, nor do kernels with another launch's arguments; what variables
	 * begin with is looked at before all outcomes */
	if (outcome->state == PLANT_NOTICED)
		return outcome->plant.bug == PLANT_COUNT_LOST ||
		       outcome->plant.bug == PLANT_FLUSH_LOST ||
		       outcome->plant.bug == PLANT_QUEUE_ORDERED ||
		       outcome->plant.bug == PLANT_VARIABLE_DIRTY ||
		       outcome->plant.bug == PLANT_INITIALISER_LOST ||
		       outcome->plant.bug == PLANT_ARGUMENT_KEPT ||
		       outcome->plant.bug == PLANT_ARGUMENT_LATE ||
		       is_in_ranges(outcome->plant.bug);
	return outcome->state == PLANT_KILLED || outcome->state == PLANT_CONTRADICTION;
}

bool plant_outcome_is_able(const struct plant_outcome *outcome)
{
	/* what is drawn need not be in any test, or need not matter where it is */
	if (outcome->plant.drawn &&
	    (outcome->state == PLANT_UNTOUCHED || outcome->state == PLANT_GAP))
		return false;
	return outcome->state != PLANT_EQUIVALENT && outcome->state != PLANT_LACKING;
}

void plant_score_add(struct plant_score *score, const struct plant_outcome *outcome)
{
	unsigned class = plant_class(outcome->plant.bug);

	score->states[outcome->state]++;
	if (outcome->plant.bug == PLANT_NONE)
		return;
	score->killed += plant_outcome_is_kill(outcome);
	score->able += plant_outcome_is_able(outcome);
	score->quiet += outcome->state == PLANT_QUIET;
	score->class_killed[class] += plant_outcome_is_kill(outcome);
	score->class_able[class] += plant_outcome_is_able(outcome);
	score->class_tried[class]++;
	/* what the machine does not show is no hole of the suite */
	if (!outcome->plant.drawn || !plant_outcome_is_able(outcome) ||
	    outcome->state == PLANT_QUIET)
		return;
	oclmm_grow(&score->drawn, &score->drawn_capacity, score->drawn_count,
	           sizeof(*score->drawn));
	score->drawn[score->drawn_count] = (struct drawn_plant){
		.plant = outcome->plant,
		.killed = plant_outcome_is_kill(outcome),
	};
	snprintf(score->drawn[score->drawn_count++].choice, PLANT_CHOICE, "%s", outcome->choice);
}

void plant_score_finish(struct plant_score *score)
{
	free(score->drawn);
	*score = (struct plant_score){0};
}
