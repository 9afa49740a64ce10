// SPDX-License-Identifier: Apache-2.0
/*
 * Explanations of random tests. Every state of every test is asked for, and
 *
 *  - the visitor of executions finds exactly the states that the oracle allows;
 *  - an explanation says what the oracle says, and what it claims holds
 *    (checker.c);
 *  - a repair leaves no undefined behaviour, a weakening gives the verdict that
 *    it names: read back from its text, and judged again.
 *
 *     property [--count N] [--seed S] [--start I] [--print 1]
 *
 * --print prints the tests and looks at none.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../oracle/made.h"
#include "../picture/look.h"
#include "checker.h"
#include "oclmm/picture.h"
#include "oclmm/syntax.h"

enum { ALL_MODELS = (1u << OCLMM_MODEL_COUNT) - 1 };

struct tally {
	uint64_t tests, refused, large;
	uint64_t statuses[4], violations[OCLMM_AXIOM_COUNT], races, unreached, changes;
};

static struct tally tally;

static int complain(const struct oclmm_program *program, const char *outcome, const char *wrong)
{
	struct oclmm_text text = {0};

	oclmm_program_print(&text, program);
	printf("%s\n%s\nwrong for \"%s\": %s\n", program->name, oclmm_text_string(&text), outcome,
	       wrong);
	oclmm_text_finish(&text);
	return 1;
}

/* ---- executions against the oracle --------------------------------------------- */

struct reached {
	const struct oclmm_answer *answer;
	bool *allowed; /* by state */
	bool unknown;
};

static int note(void *data, const struct oclmm_execution *x)
{
	struct reached *r = data;
	uint32_t n = r->answer->program->observable_count;

	if (x->broken || !x->values)
		return 0;
	for (uint32_t i = 0; i < r->answer->state_count; i++) {
		if (memcmp(r->answer->states[i].values, x->values, n * sizeof(*x->values)) == 0) {
			r->allowed[i] = true;
			return 0;
		}
	}
	r->unknown = true;
	return 0;
}

static int compare_reading(const struct oclmm_answer *answer, uint32_t reading, bool wide)
{
	struct reached r = {.answer = answer,
	                    .allowed = oclmm_calloc(answer->state_count + 1, sizeof(bool))};
	struct oclmm_visit_options o = {.reading = answer->readings[reading],
	                                .wide = wide,
	                                .visit = note,
	                                .data = &r,
	                                .limit = 20000};
	struct oclmm_error error;
	int result = oclmm_executions(answer->program, &o, &error), wrong = 0;

	if (result == 0 && r.unknown)
		wrong = complain(answer->program, "",
		                 "an execution ends in a state that the oracle does not list");
	for (uint32_t i = 0; result == 0 && !wrong && i < answer->state_count; i++)
		if (r.allowed[i] != answer->states[i].allowed_by[reading])
			wrong = complain(
				answer->program, oclmm_model_name(o.reading.regime),
				r.allowed[i]
					? "an execution ends in a state that the oracle forbids"
					: "no execution ends in a state that the oracle allows");
	free(r.allowed);
	return wrong;
}

static int compare_executions(const struct oclmm_answer *answer, uint64_t draw)
{
	int wrong = 0;

	for (uint32_t i = 0; i < answer->reading_count && !wrong; i++) {
		const struct oclmm_reading *r = &answer->readings[i];

		if (!r->alternatives || i % 7 == draw % 7)
			wrong = compare_reading(answer, i, false);
		/* the wide search adds candidates, never consistent ones; K6 guesses more widely
		 * there */
		if (!wrong && r->regime == OCLMM_MODEL_OPENCL_2_1 && !r->alternatives)
			wrong = compare_reading(answer, i, true);
	}
	return wrong;
}

/* ---- changes --------------------------------------------------------------------- */

static enum oclmm_status judge_again(const struct oclmm_explanation *e,
                                     const struct oclmm_program *changed)
{
	const struct oclmm_check_options check = {.models = 1u << e->model |
	                                                    1u << OCLMM_MODEL_CONSENSUS};
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
	struct oclmm_error error;
	struct oclmm_text text = {0};
	enum oclmm_status status = OCLMM_STATUS_FORBIDDEN;

	oclmm_program_print(&text, changed);
	if (oclmm_litmus_parse("changed", oclmm_text_string(&text), text.length, NULL, &error,
	                       &litmus) < 0) {
		printf("%s: a changed program is refused: %s\n", e->program->name, error.message);
		status = OCLMM_STATUS_UNDEFINED + 1;
	} else if (oclmm_check(litmus->variants[0].program, &check, &error, &answer) == 0) {
		if (answer->undefined[e->model])
			status = OCLMM_STATUS_UNDEFINED;
		for (uint32_t i = 0; i < answer->state_count && status != OCLMM_STATUS_UNDEFINED;
		     i++)
			if (answer->states[i].condition)
				status = answer->states[i].status[e->model];
		oclmm_answer_destroy(answer);
		oclmm_litmus_destroy(litmus);
	} else {
		oclmm_litmus_destroy(litmus);
	}
	oclmm_text_finish(&text);
	return status;
}

static const char *check_changes(const struct oclmm_explanation *e)
{
	for (unsigned i = 0; i < e->change_count; i++) {
		const struct oclmm_change *c = &e->changes[i];

		tally.changes++;
		if (!c->line_count || !c->what[0])
			return "a change changes nothing";
		if (e->status == OCLMM_STATUS_UNDEFINED ? c->status == OCLMM_STATUS_UNDEFINED
		                                        : c->status == OCLMM_STATUS_FORBIDDEN)
			return "a change turns nothing";
		if (judge_again(e, c->program) != c->status)
			return "a change does not do what it says";
	}
	return NULL;
}

/* ---- one outcome -------------------------------------------------------------------- */

static void outcome_text(struct oclmm_text *text, const struct oclmm_program *program,
                         const int64_t *values)
{
	for (uint32_t i = 0; i < program->observable_count; i++) {
		oclmm_text_printf(text, "%s%s = ", i ? " /\\ " : "", program->observables[i].name);
		oclmm_value_print(text, program->observables[i].type, values[i]);
	}
	if (!program->observable_count)
		oclmm_text_add(text, "true");
}

static void count(const struct oclmm_explanation *e)
{
	tally.statuses[e->status]++;
	if (e->violation)
		tally.violations[e->violation->axiom]++;
	tally.races += e->status == OCLMM_STATUS_UNDEFINED && e->execution;
	tally.unreached += !e->reached && e->status != OCLMM_STATUS_UNDEFINED;
}

/* No word of the picture lies on anything, whatever the program; of some, for the time it takes. */
static const char *check_picture(const struct oclmm_explanation *e)
{
	static char why[256];
	static unsigned asked;
	struct look_counts counts;
	struct oclmm_text text = {0};
	const char *wrong = NULL;

	if (asked++ % 8)
		return NULL;
	if (oclmm_picture_svg(&text, e) != (e->execution ? 0 : -ENOENT))
		wrong = "there is no picture";
	else if (e->execution && !look_at(text.data, why, sizeof(why), &counts))
		wrong = why;
	oclmm_text_finish(&text);
	return wrong;
}

static const char *check_prints(const struct oclmm_explanation *e)
{
	struct oclmm_text text = {0};
	const char *wrong = NULL;

	oclmm_explanation_print(&text, e);
	if (!strstr(oclmm_text_string(&text), oclmm_status_word(e->status)))
		wrong = "the text does not name the status";
	oclmm_text_finish(&text);
	if (!wrong && oclmm_picture_dot(&text, e) != (e->execution ? 0 : -ENOENT))
		wrong = "there is no graph";
	oclmm_text_finish(&text);
	return wrong ? wrong : check_picture(e);
}

/* Whether an event of the execution shown is the access that the oracle names. */
static bool is_named(const struct oclmm_explanation *e, unsigned event,
                     const struct oclmm_access *access)
{
	const struct oclmm_event *x = &e->execution->event[event];

	return x->thread == (int)access->thread && x->statement == access->statement &&
	       x->position.column == access->position.column;
}

static const char *check_status(const struct oclmm_explanation *e, enum oclmm_status status)
{
	if (e->status != status)
		return "the status is not the oracle's";
	if (!e->reached && !e->candidates_cut && status != OCLMM_STATUS_UNDEFINED)
		return "no execution is shown, though the oracle lists the state";
	if (status == OCLMM_STATUS_UNDEFINED && e->witness->reason == OCLMM_UNDEFINED_RACE &&
	    !e->execution && !e->candidates_cut)
		return "no racing execution is shown";
	if (status == OCLMM_STATUS_UNDEFINED && e->execution && !e->candidates_cut &&
	    !(is_named(e, e->race_a, &e->witness->a) && is_named(e, e->race_b, &e->witness->b)) &&
	    !(is_named(e, e->race_a, &e->witness->b) && is_named(e, e->race_b, &e->witness->a)))
		return "the race is not the one that check names";
	return NULL;
}

static int check_outcome(const struct oclmm_program *program, const struct oclmm_state *state,
                         enum oclmm_model model, bool changes)
{
	struct oclmm_explain_options options = {.models = 1u << model,
	                                        .no_changes = !changes,
	                                        .check_limit = 400,
	                                        .candidate_limit = 20000};
	struct oclmm_arena *arena = oclmm_arena_create();
	const struct oclmm_program *asked;
	struct oclmm_explanation *e;
	struct oclmm_error error;
	struct oclmm_text text = {0};
	const char *wrong = "it cannot be asked or explained";
	int result;

	outcome_text(&text, program, state->values);
	if (oclmm_explain_ask(arena, program, oclmm_text_string(&text), &error, &asked) == 0 &&
	    oclmm_explain(asked, &options, &error, &e) == 0) {
		wrong = check_status(e, state->status[model]);
		if (!wrong)
			wrong = check_explanation(e);
		if (!wrong)
			wrong = check_changes(e);
		if (!wrong)
			wrong = check_prints(e);
		count(e);
		oclmm_explanation_destroy(e);
	}
	result = wrong ? complain(program, oclmm_text_string(&text), wrong) : 0;
	oclmm_text_finish(&text);
	oclmm_arena_destroy(arena);
	return result;
}

/* ---- one test ------------------------------------------------------------------------- */

static int check_program(const struct oclmm_program *program, uint64_t draw)
{
	const struct oclmm_check_options check = {.models = ALL_MODELS};
	struct oclmm_answer *answer;
	struct oclmm_error error;
	int wrong;

	if (oclmm_check(program, &check, &error, &answer) < 0)
		return 0;
	if (answer->candidates > 2000) {
		tally.large++;
		oclmm_answer_destroy(answer);
		return 0;
	}
	wrong = compare_executions(answer, draw);
	for (uint32_t i = 0; i < answer->state_count && !wrong; i++) {
		wrong = check_outcome(program, &answer->states[i], OCLMM_MODEL_CONSENSUS,
		                      i == draw % answer->state_count);
		if (!wrong)
			wrong = check_outcome(
				program, &answer->states[i],
				(enum oclmm_model)((draw + i) % OCLMM_MODEL_CONSENSUS), false);
	}
	oclmm_answer_destroy(answer);
	tally.tests++;
	return wrong;
}

static int check_test(uint64_t seed, uint64_t index)
{
	uint64_t draw = oclmm_random(seed, index);
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error;
	struct oclmm_text source = {0};
	struct made made;
	int wrong = 0;

	made_generate(&made, draw);
	made_print(&source, &made, "random");
	if (oclmm_litmus_parse("random.litmus", source.data, source.length, NULL, &error,
	                       &litmus) == 0)
		wrong = check_program(litmus->variants[0].program, draw >> 32);
	else
		tally.refused++;
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&source);
	if (wrong)
		printf("test %" PRIu64 " of seed %" PRIu64 "\n", index, seed);
	return wrong;
}

static void print_test(uint64_t seed, uint64_t index)
{
	struct oclmm_text source = {0};
	struct made made;

	made_generate(&made, oclmm_random(seed, index));
	made_print(&source, &made, "random");
	fputs(oclmm_text_string(&source), stdout);
	oclmm_text_finish(&source);
}

static void print_tally(void)
{
	printf("%" PRIu64 " tests, %" PRIu64 " too large, %" PRIu64 " refused\n"
	       "outcomes: %" PRIu64 " forbidden, %" PRIu64 " allowed, %" PRIu64
	       " disputed, %" PRIu64 " undefined "
	       "(%" PRIu64 " races shown)\nchanges: %" PRIu64 "\nbroken rules:",
	       tally.tests, tally.large, tally.refused, tally.statuses[OCLMM_STATUS_FORBIDDEN],
	       tally.statuses[OCLMM_STATUS_ALLOWED], tally.statuses[OCLMM_STATUS_DISPUTED],
	       tally.statuses[OCLMM_STATUS_UNDEFINED], tally.races, tally.changes);
	for (unsigned i = 0; i < OCLMM_AXIOM_COUNT; i++)
		printf(" %s %" PRIu64 ";", oclmm_axiom_name((enum oclmm_axiom)i),
		       tally.violations[i]);
	printf("\n");
}

/* A generator gone wrong, or explanations that never name some rule, would test nothing. */
static int is_worthless(uint64_t tests)
{
	return tally.large + tally.refused > tests / 4 + 1 || !tally.races || !tally.changes ||
	       (tests >= 300 &&
	        (!tally.violations[OCLMM_AXIOM_COHERENCE] ||
	         !tally.violations[OCLMM_AXIOM_SEQ_CST] || !tally.violations[OCLMM_AXIOM_VISIBLE]));
}

int main(int argc, char **argv)
{
	uint64_t tests = 300, seed = 1, start = 0, print = 0;

	for (int i = 1; i + 1 < argc; i += 2) {
		uint64_t *number = strcmp(argv[i], "--count") == 0   ? &tests
		                   : strcmp(argv[i], "--seed") == 0  ? &seed
		                   : strcmp(argv[i], "--start") == 0 ? &start
		                   : strcmp(argv[i], "--print") == 0 ? &print
		                                                     : NULL;

		if (!number) {
			fputs("usage: property [--count N] [--seed S] [--start I] [--print 1]\n",
			      stderr);
			return 2;
		}
		*number = strtoull(argv[i + 1], NULL, 0);
	}
	for (uint64_t i = 0; print && i < tests; i++)
		print_test(seed, start + i);
	if (print)
		return 0;
	for (uint64_t i = 0; i < tests; i++)
		if (check_test(seed, start + i))
			return 1;
	print_tally();
	return is_worthless(tests);
}
