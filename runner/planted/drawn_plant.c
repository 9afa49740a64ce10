// SPDX-License-Identifier: Apache-2.0
/* The tests of a plant that was drawn: found one by one, the surest first. */
#include "drawn_plant.h"

#include <stdlib.h>
#include <string.h>

#include "found.h"
#include "oclmm/change.h"
#include "oclmm/codegen.h"
#include "process/process.h"
#include "quiet.h"

/* A test in which a rule has a place. */
struct place {
	size_t test, length;
	size_t calls; /* that the rule changes */
};

/* Which is shorter. */
static int compare_places(const void *a, const void *b)
{
	const struct place *first = a, *second = b;

	if (first->length != second->length)
		return first->length < second->length ? -1 : 1;
	return first->test < second->test ? -1 : 1;
}

/* Of two the first is the shortest that is left, the second from anywhere: neighbours in length are
 * of one family and see much the same. */
static void spread(struct place *places, size_t count)
{
	struct place *ordered = oclmm_calloc(count + 1, sizeof(*ordered));
	bool *taken = oclmm_calloc(count + 1, sizeof(*taken));
	size_t shortest = 0, anywhere = 0;

	for (size_t i = 0; i < count; i++) {
		/* steps of the golden section come to every part soon */
		size_t at = i % 2 ? anywhere = (anywhere + count * 618 / 1000 + 1) % count
		                  : shortest;

		while (taken[at])
			at = (at + 1) % count;
		taken[at] = true;
		ordered[i] = places[at];
		while (shortest < count && taken[shortest])
			shortest++;
	}
	memcpy(places, ordered, count * sizeof(*places));
	free(taken);
	free(ordered);
}

/* Those that found such a bug come before all others, which keep their order. */
static void bring_findings(const struct trial *trial, struct place *places, size_t count)
{
	struct place *ordered = oclmm_calloc(count + 1, sizeof(*ordered));
	size_t next = 0;

	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < count; i++)
			if (has_found(trial->planted, trial->outcome->plant.bug, places[i].test) ==
			    (round == 0))
				ordered[next++] = places[i];
	memcpy(places, ordered, count * sizeof(*places));
	free(ordered);
}

/*
 * Whether a launch may have groups of the sizes of a rule. Roles of one group are work-items of it,
 * and those of several groups need as many of these.
 */
static bool fits_roles(enum oclmm_where where, uint64_t n, const struct oclmm_kernel_plan *plan)
{
	switch (where) {
	case OCLMM_WHERE_EXACT_GROUP:
	case OCLMM_WHERE_SMALL_GROUP: return n >= plan->crowd;
	case OCLMM_WHERE_LONE_GROUP: return n >= plan->work_groups;
	default: return true;
	}
}

/* Texts that work-items share say how many these are, and any number of groups plays them. */
static bool fits_shared(enum oclmm_where where, uint64_t n, uint64_t size)
{
	switch (where) {
	case OCLMM_WHERE_BIG_GROUP:
	case OCLMM_WHERE_LANE: return size >= n;
	case OCLMM_WHERE_SMALL_GROUP: return size <= n;
	case OCLMM_WHERE_EXACT_GROUP: return size == n;
	case OCLMM_WHERE_UNEVEN_GROUP: return size % n != 0;
	default: return true;
	}
}

static bool may_meet(const struct plant *plant, const struct oclmm_program *program)
{
	const struct oclmm_outcome_space space = {.observable_count = program->observable_count,
	                                          .size = 1};
	enum oclmm_where where = plant->launches ? plant->launches : plant->mutation.where;
	uint64_t n = plant->launches ? plant->launch_number : plant->mutation.number;
	const struct oclmm_shared_text *shared = program->shared;
	struct oclmm_kernel_plan plan;
	struct oclmm_error ignored;

	if (shared)
		return fits_shared(
			where, n, (uint64_t)shared->items[0] * shared->items[1] * shared->items[2]);
	/* what has a barrier inside becomes such a text */
	return oclmm_program_has_commands(program) || oclmm_has_inner_barrier(program) ||
	       oclmm_kernel_plan(program, &space, &ignored, &plan) < 0 ||
	       fits_roles(where, n, &plan);
}

/* Short ones first: they are built and run soonest. */
static size_t find_places(struct trial *trial, struct place *places)
{
	const struct planted *planted = trial->planted;
	size_t count = 0;

	for (size_t i = 0; i < planted->selection.count; i++) {
		size_t calls = concerned_calls(&trial->outcome->plant, &planted->tests[i]);

		trial->concerns[i] = CONCERN_NONE;
		if (calls > 0 && may_meet(&trial->outcome->plant, planted->tests[i].program))
			places[count++] = (struct place){i, strlen(planted->tests[i].text), calls};
	}
	qsort(places, count, sizeof(*places), compare_places);
	spread(places, count);
	bring_findings(trial, places, count);
	return count;
}

/* The machine that the device's code is known to be like, or none, unless one was named. */
static const struct machine *machine_of(struct planted *planted)
{
	struct oclmm_error error = {0};

	if (!planted->machine_asked &&
	    machine_read(NULL, planted->header.device.platform, planted->machine.machine, &error,
	                 &planted->machine_known) < 0)
		report_error(&error);
	planted->machine_asked = true;
	return &planted->machine_known;
}

/* How sure a test is of which no model says what it may show: those that tell more come first, and
 * of these the ones with most calls that are wrong. */
static double guessed_share(enum concern level, size_t calls)
{
	static const double telling = 1e-3, naming_a_control = 1e-4, any = 1e-5;

	return (1 + 0.1 * (double)calls) * (level == CONCERN_STRONG    ? telling
	                                    : level == CONCERN_CONTROL ? naming_a_control
	                                                               : any);
}

/* Makes able what nothing was found to be better than. */
static size_t promote(struct trial *trial, const struct place *places, enum concern level,
                      size_t wanted)
{
	size_t found = 0;

	for (size_t i = 0; i < trial->outcome->asked && found < wanted; i++) {
		if (trial->concerns[places[i].test] != level)
			continue;
		trial->concerns[places[i].test] = CONCERN_ABLE;
		trial->shares[places[i].test] = guessed_share(level, places[i].calls);
		trial->counts[level]--;
		trial->counts[CONCERN_ABLE]++;
		found++;
	}
	return found;
}

/* Asks until so many more tests are found that can show it. Returns how many were found. */
static size_t find_able(struct trial *trial, const struct place *places, size_t count,
                        size_t wanted)
{
	struct plant_outcome *outcome = trial->outcome;
	size_t found = 0;

	for (; outcome->asked < count && found < wanted && !process_interrupted; outcome->asked++) {
		size_t test = places[outcome->asked].test;

		trial->planted->tests[test].share = 0;
		trial->concerns[test] = concern_of_drawn(machine_of(trial->planted),
		                                         &outcome->plant,
		                                         &trial->planted->tests[test],
		                                         planted_model(trial->planted));
		if (trial->concerns[test] > CONCERN_ABLE &&
		    trial->concerns[test] <= CONCERN_CHANGED &&
		    has_found(trial->planted, outcome->plant.bug, test))
			trial->concerns[test] = CONCERN_ABLE;
		trial->shares[test] = trial->planted->tests[test].share;
		found += trial->concerns[test] == CONCERN_ABLE;
		trial->counts[trial->concerns[test]]++;
	}
	for (enum concern level = CONCERN_STRONG; level <= CONCERN_CONTROL && found < wanted;
	     level++)
		found += promote(trial, places, level, wanted - found);
	outcome->able = trial->counts[CONCERN_ABLE];
	return found;
}

/* The tests that name no control, where no other test can show it. */
static bool take_others(struct trial *trial, const struct place *places)
{
	size_t found = 0;

	if (trial->outcome->able == 0)
		found = promote(trial, places, CONCERN_CHANGED, SIZE_MAX);
	trial->outcome->able += found;
	return found > 0;
}

static const struct equivalent by_values = {
	.argument = "the values of no test are large enough",
	.seen = "by their constants",
};

/* Adds the surest of the tests that can show it; of two that are alike, the one whose place comes
 * first. */
static size_t add_surest(struct line *line, const struct trial *trial, const struct place *places,
                         size_t most, bool *taken)
{
	size_t added = 0;

	for (; added < most; added++) {
		size_t best = SIZE_MAX;

		for (size_t i = 0; i < trial->outcome->asked; i++) {
			size_t test = places[i].test;

			if (taken[test] || trial->planted->tests[test].left_out ||
			    trial->concerns[test] != CONCERN_ABLE)
				continue;
			if (best == SIZE_MAX || sureness(trial, test) > sureness(trial, best))
				best = test;
		}
		if (best == SIZE_MAX)
			break;
		taken[best] = true;
		line_add_test(line, trial->planted, best);
	}
	return added;
}

/* How many tests that can show it were not run yet. */
static size_t count_left(const struct trial *trial, const struct place *places, const bool *taken)
{
	size_t left = 0;

	for (size_t i = 0; i < trial->outcome->asked; i++) {
		size_t test = places[i].test;

		left += trial->concerns[test] == CONCERN_ABLE && !taken[test] &&
		        !trial->planted->tests[test].left_out;
	}
	return left;
}

/* Finds so many tests, and runs the surest of them; false: there are none. */
static bool run_surest(struct trial *trial, const struct place *places, size_t count, size_t most,
                       bool *taken, int *ret_status)
{
	/* asking takes a few thousandths of what a test takes, which is compiled */
	enum { CHOICE = 8 };
	size_t left = count_left(trial, places, taken), kills = trial->outcome->kills.count;
	struct line line;

	if (left < most * CHOICE)
		left += find_able(trial, places, count, most * CHOICE - left);
	if (left == 0 && !take_others(trial, places))
		return false;
	line_begin(&line, trial->planted, trial->planted->options.seed, 0);
	line_add_sizes(&line, &trial->outcome->plant);
	if (add_surest(&line, trial, places, most, taken) == 0) {
		free(line.words);
		return false;
	}
	/* to compile eight tests takes PoCL longer than a bug's time */
	trial->unhurried = true;
	*ret_status = trial_run(trial, &line);
	trial->unhurried = false;
	check_tests(trial, kills);
	return true;
}

/* Not all tests that can show it were left out meanwhile. */
static bool has_able(const struct trial *trial)
{
	for (size_t i = 0; i < trial->planted->selection.count; i++)
		if (trial->concerns[i] <= CONCERN_ABLE && !trial->planted->tests[i].left_out)
			return true;
	return false;
}

/* The surest tests at first, for most are killed by these; then four times as many; then the same
 * again with other random choices. */
static void run_drawn(struct trial *trial, const struct place *places, size_t count)
{
	enum { FIRST = 2, TIMES = 4, FEW = 8 };
	struct planted *planted = trial->planted;
	bool *taken = oclmm_calloc(planted->selection.count + 1, sizeof(*taken));
	double budget = AGAIN_SECONDS;
	int status = 0;

	for (size_t most = FIRST; status == 0 && !trial_is_over(trial); most *= TIMES) {
		/* one that is listed gets a few tests, which may contradict the list */
		if ((trial->outcome->equivalent && most > FEW) ||
		    !run_surest(trial, places, count, most, taken, &status))
			break;
	}
	free(taken);
	while (status == 0 && has_able(trial) && !trial->outcome->equivalent &&
	       !trial_is_over(trial)) {
		size_t kills = trial->outcome->kills.count;

		status = trial_run_some(trial, CONCERN_ABLE_SC, CONCERN_ABLE,
		                        planted->options.seed + ++trial->again,
		                        budget < trial_time_left(trial) ? budget
		                                                        : trial_time_left(trial),
		                        1, NULL);
		check_tests(trial, kills);
		budget *= 2;
	}
}

void drawn_try(struct trial *trial)
{
	struct planted *planted = trial->planted;
	struct plant_outcome *outcome = trial->outcome;
	struct place *places = oclmm_calloc(planted->selection.count + 1, sizeof(*places));
	size_t count = find_places(trial, places);

	outcome->concerned = count;
	if (!planted->options.able) {
		run_drawn(trial, places, count);
		plant_outcome_judge(outcome);
		/* whatever its time sufficed for: all that can show it */
		if (outcome->state == PLANT_SURVIVED && quiet_is_asked(&outcome->plant))
			find_able(trial, places, count, SIZE_MAX);
		quiet_ask(trial);
	} else if (find_able(trial, places, count, count) == 0) {
		take_others(trial, places);
	}
	outcome->hopeless = outcome->able == 0;
	if (outcome->hopeless && trial->counts[CONCERN_NONE] > 0 && !outcome->equivalent)
		outcome->equivalent = planted->machine_known.hides ? planted->machine_known.hides
		                                                   : &by_values;
	free(places);
}
