// SPDX-License-Identifier: Apache-2.0
/* Whether a bug of orders that survived can show on the machine at all. */
#include "quiet.h"

#include <stdlib.h>
#include <string.h>

#include "found.h"
#include "oclmm/change.h"
#include "process/process.h"

/* What a change leaves of the order is less, and no access moves, comes apart or computes something
 * else. Barriers are not among them: kernels have some of their own. NULL: it is none of these. */
static const char *strongest_of(const struct plant *plant)
{
	switch (plant->mutation.what) {
	case OCLMM_WHAT_NO_TOTAL_ORDER:
	case OCLMM_WHAT_NO_ACQUIRE:
	case OCLMM_WHAT_NO_RELEASE:
	case OCLMM_WHAT_RMW_RELAXED:
	case OCLMM_WHAT_FAILURE_RELAXED:
	case OCLMM_WHAT_RELAXED:
	case OCLMM_WHAT_FENCE_DROPPED:
	case OCLMM_WHAT_FENCE_WEAKENED:
	case OCLMM_WHAT_FENCE_TO_ACQUIRE:
	case OCLMM_WHAT_FENCE_TO_RELEASE:
	case OCLMM_WHAT_FENCE_ONCE:
	case OCLMM_WHAT_FENCE_FLAGS:
	case OCLMM_WHAT_FENCE_EARLY:
	case OCLMM_WHAT_FENCE_LATE:
	case OCLMM_WHAT_MEM_FENCE_DROPPED: return "nothing-orders";
	case OCLMM_WHAT_SCOPE: return plant->mutation.to_sub_group ? NULL : "nothing-orders:scopes";
	default: return NULL;
	}
}

bool quiet_is_asked(const struct plant *plant)
{
	return strongest_of(plant) != NULL;
}

struct loosening {
	struct trial *trial; /* of the bug */
	struct plant plant;
	const char *choice;
	const char *sizes; /* of its launches */
	size_t *tests;     /* that can show it */
	size_t count;
	bool undecided;
};

static struct loosened *known_of(const struct loosening *l, size_t i)
{
	struct planted *planted = l->trial->planted;

	return matrix_loosened(&planted->saved, l->choice,
	                       planted->selection.chosen[l->tests[i]].variant->name, l->sizes);
}

/* A test that the device skips takes no part; one that shows something needs no more. */
static bool is_wanting(const struct loosening *l, size_t i, const struct tally *tallies)
{
	const struct loosened *known = known_of(l, i);
	const struct tally *bug = &l->trial->tallies[l->tests[i]];

	return !known->unknown && !known->seen && !bug->skipped && !tallies[l->tests[i]].skipped &&
	       (known->instances == 0 || known->instances < bug->instances);
}

static bool shows_any(const struct loosening *l)
{
	for (size_t i = 0; i < l->count; i++)
		if (known_of(l, i)->seen)
			return true;
	return false;
}

static void keep_loosened(struct loosening *l, size_t i, const struct tally *before,
                          const struct tally *after)
{
	struct loosened *known = known_of(l, i), more = *known;
	struct oclmm_text text = {0};

	more.instances = after->instances - before->instances;
	more.seen = after->seen - before->seen;
	more.unknown = after->broken;
	if (!more.instances && !more.unknown)
		return;
	known->instances += more.instances;
	known->seen += more.seen;
	known->unknown |= more.unknown;
	l->trial->planted->loosened_lines++;
	matrix_write_loosened(&text, &more);
	matrix_output_add(&l->trial->planted->output, &text);
}

/* One run of all tests that are wanting; false: there are none, or no run came about. */
static bool loosen_once(struct loosening *l, struct trial *loose, double budget)
{
	const struct planted *planted = l->trial->planted;
	size_t count = planted->selection.count, added = 0;
	struct tally *before = oclmm_calloc(count + 1, sizeof(*before));
	struct line line;
	int status = 0;

	memcpy(before, loose->tallies, count * sizeof(*before));
	line_begin(&line, planted, planted->options.seed + planted->loosened_lines, budget);
	line_add_sizes(&line, &l->trial->outcome->plant);
	for (size_t i = 0; i < l->count; i++)
		if (is_wanting(l, i, loose->tallies) && ++added)
			line_add_test(&line, planted, l->tests[i]);
	if (added > 0)
		status = trial_run(loose, &line);
	else
		free(line.words);
	/* a layer that changed nothing, or not all, has shown nothing */
	if (added > 0 && (status != 0 || !loose->outcome->loaded || loose->outcome->opaque ||
	                  (loose->outcome->tests > 0 && loose->outcome->places == 0)))
		l->undecided = true;
	for (size_t i = 0; !l->undecided && i < l->count; i++)
		keep_loosened(l, i, &before[l->tests[i]], &loose->tallies[l->tests[i]]);
	free(before);
	return added > 0 && !l->undecided;
}

static void loosen(struct loosening *l)
{
	enum { TIMES = 3 };
	const struct planted *planted = l->trial->planted;
	struct plant_outcome outcome = {.choice = l->choice, .plant = l->plant};
	struct trial loose = {
		.planted = l->trial->planted,
		.outcome = &outcome,
		.seconds = TIMES * l->trial->seconds,
		.unhurried = true,
		.goes_on = true,
		.tallies = oclmm_calloc(planted->selection.count + 1, sizeof(*loose.tallies)),
	};
	double budget = 0;

	while (!shows_any(l) && !trial_is_over(&loose) && loosen_once(l, &loose, budget))
		budget = budget > 0 ? 2 * budget : AGAIN_SECONDS;
	for (size_t i = 0; i < l->count; i++) {
		const struct loosened *known = known_of(l, i);

		l->undecided |= known->unknown || is_wanting(l, i, loose.tallies);
	}
	plant_outcome_finish(&outcome);
	trial_finish(&loose);
}

static int compare_shows(const void *a, const void *b)
{
	const struct kill *first = a, *second = b;
	double one = (double)first->seen / (double)first->instances,
	       two = (double)second->seen / (double)second->instances;

	return one != two ? (one < two ? 1 : -1) : strcmp(first->test, second->test);
}

static void take_loosening(struct loosening *l)
{
	struct plant_outcome *outcome = l->trial->outcome;

	for (size_t i = 0; i < l->count; i++) {
		const struct loosened *known = known_of(l, i);

		outcome->loosened += known->instances > 0;
		outcome->loosened_instances += known->instances;
		if (known->seen)
			kills_add(&outcome->shows, known->test,
			          (struct kill){.seen = known->seen,
			                        .instances = known->instances});
	}
	if (outcome->shows.count > 1)
		qsort(outcome->shows.items, outcome->shows.count, sizeof(*outcome->shows.items),
		      compare_shows);
	outcome->quiet = outcome->loosened > 0 && outcome->shows.count == 0 && !l->undecided;
}

/* As much time once more, in the tests in which the strongest bug shows: the surest, four of them,
 * then all. */
static void try_shown(struct trial *trial)
{
	enum { TIMES = 4 };
	struct planted *planted = trial->planted;
	struct plant_outcome *outcome = trial->outcome;
	double budget = planted->options.seconds / TIMES;
	int status = 0;

	trial->seconds += planted->options.seconds;
	for (size_t most = 1; status == 0 && outcome->shows.count > 0 && !trial_is_over(trial);
	     most *= TIMES) {
		double left = trial_time_left(trial);
		size_t kills = outcome->kills.count, added = 0;
		struct line line;

		line_begin(&line, planted, planted->options.seed + ++trial->again,
		           budget < left ? budget : left);
		line_add_sizes(&line, &outcome->plant);
		for (size_t i = 0; i < outcome->shows.count && added < most; i++)
			for (size_t k = 0; k < planted->selection.count; k++)
				if (!planted->tests[k].left_out &&
				    strcmp(planted->selection.chosen[k].variant->name,
				           outcome->shows.items[i].test) == 0) {
					line_add_test(&line, planted, k);
					added++;
				}
		/* no test on the line would be all of them */
		if (added == 0) {
			free(line.words);
			break;
		}
		status = trial_run(trial, &line);
		check_tests(trial, kills);
		if (most >= outcome->shows.count)
			budget *= 2;
	}
}

/* The tests that can show the bug, each of which the strongest bug has to change, too. */
static void find_loosened(struct loosening *l)
{
	const struct planted *planted = l->trial->planted;

	for (size_t i = 0; i < planted->selection.count; i++) {
		if (l->trial->concerns[i] > CONCERN_ABLE || planted->tests[i].left_out)
			continue;
		l->undecided |= concerned_calls(&l->plant, &planted->tests[i]) == 0;
		l->tests[l->count++] = i;
	}
}

void quiet_ask(struct trial *trial)
{
	struct planted *planted = trial->planted;
	char sizes[SIZES_SIZE], message[PLANT_MESSAGE];
	struct loosening l = {.trial = trial, .choice = strongest_of(&trial->outcome->plant)};
	double began = oclmm_clock();

	plant_outcome_judge(trial->outcome);
	if (!l.choice || trial->outcome->state != PLANT_SURVIVED || planted->as_named ||
	    process_interrupted || trial->outcome->able == 0)
		return;
	plant_parse(l.choice, &l.plant, message);
	l.sizes = sizes_of(&trial->outcome->plant, sizes);
	l.tests = oclmm_calloc(planted->selection.count + 1, sizeof(*l.tests));
	find_loosened(&l);
	if (!l.undecided)
		loosen(&l);
	take_loosening(&l);
	trial->started += oclmm_clock() - began;
	free(l.tests);
	if (!trial->outcome->quiet)
		try_shown(trial);
}
