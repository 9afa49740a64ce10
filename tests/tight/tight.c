// SPDX-License-Identifier: Apache-2.0
/*
 * What docs/tight.md claims of the lists, held against other ways of finding out.
 *
 * usage: test_tight every       the search finds what asking for every decoration finds
 *        test_tight six         below each forbidden decoration drawn of a form of six edges stands
 *                               a test that the search finds
 *        test_tight below LIST  below each forbidden decoration drawn stands a test of the list
 *        test_tight slow LIST   the slow oracle finds the tests of the list tight, too; of a long
 *                               list, a sample
 *        test_tight gaps LIST   both would notice a list with a line too few, and one that is wrong
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lists.h"
#include "oclmm/syntax.h"
#include "reference.h"

static const enum oclmm_model models[] = {OCLMM_MODEL_OPENCL_2_0, OCLMM_MODEL_OPENCL_2_1,
                                          OCLMM_MODEL_OPENCL_3_1, OCLMM_MODEL_CONSENSUS};

static unsigned failures;

static void complain(const char *words, const char *what)
{
	fprintf(stderr, "%s: %s\n", words, what);
	failures++;
}

/* ---- every decoration ------------------------------------------------------------ */

/* One form of each kind: global in two groups, global in one, local; of both regions. */
static const char *const forms[] = {
	"W.rlx PodWW W.rlx Rfe R.rlx PodRR R.rlx Fre",
	"W.rlx PodWR R.rlx Fre.wg W.rlx PodWR R.rlx Fre.wg",
	"W.rlx.L PodWW W.rlx.L Coe.wg W.rlx PodWR R.rlx Fre.wg",
	"W.rlx PodWW W.rlx.L Rfe.wg R.rlx PodRW W.rlx Coe.wg",
};

/* Here fences are tight with one flag of two. */
static const char *const form_of_six =
	"W.rlx.L PodWW W.rlx Rfe R.rlx PodRW W.rlx Rfe R.rlx PodRR R.rlx Fre.wg";

static bool is_other(void *data, const char *name)
{
	(void)data;
	if (strcmp(form_of_six, name) == 0)
		return false;
	for (size_t i = 0; i < OCLMM_COUNT(forms); i++) {
		if (strcmp(forms[i], name) == 0)
			return false;
	}
	return true;
}

struct gathered {
	struct list list;
	unsigned forms;
	uint64_t asked, decorations;
};

static int gather(void *data, const struct oclmm_tight_form *form)
{
	struct gathered *gathered = data;
	struct list *list = &gathered->list;

	gathered->forms++;
	gathered->asked += form->asked;
	gathered->decorations += form->decorations;
	for (size_t i = 0; i < form->count; i++) {
		struct oclmm_text words = {0};

		oclmm_cycle_print(&words, &form->found[i].cycle);
		oclmm_grow(&list->lines, &list->capacity, list->count, sizeof(*list->lines));
		list->lines[list->count++] = (struct list_line){.words = oclmm_text_steal(&words),
		                                                .models = form->found[i].models};
	}
	return 0;
}

static void search(unsigned edges, bool brute, size_t remembered, struct gathered *gathered)
{
	const struct oclmm_tight_options options = {.edges = edges,
	                                            .brute = brute,
	                                            .remembered = remembered,
	                                            .skip = is_other,
	                                            .done = gather,
	                                            .data = gathered};
	struct oclmm_error error;

	if (oclmm_tight_search(&options, &error) < 0)
		complain("search", error.message);
}

static bool has_line(const struct list *list, const struct list_line *line)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->lines[i].models == line->models &&
		    strcmp(list->lines[i].words, line->words) == 0)
			return true;
	}
	return false;
}

static void compare_lists(const struct list *found, const struct list *wanted)
{
	if (found->count != wanted->count || found->count == 0)
		complain("search", "numbers of tight tests differ");
	for (size_t i = 0; i < wanted->count; i++) {
		if (!has_line(found, &wanted->lines[i]))
			complain(wanted->lines[i].words, "was not found by the search");
	}
}

/* Who forgets asks again, and finds the same. */
static void check_forgetful(const struct gathered *whole)
{
	enum { FEW = 50 };
	struct gathered forgetful = {.forms = 0};

	search(4, false, FEW, &forgetful);
	if (forgetful.asked <= whole->asked)
		complain("search", "has forgotten nothing");
	compare_lists(&forgetful.list, &whole->list);
	list_finish(&forgetful.list);
}

static void check_every(void)
{
	struct gathered quick = {.forms = 0}, brute = {.forms = 0};

	search(4, false, 0, &quick);
	search(4, true, 0, &brute);
	check_forgetful(&quick);
	if (quick.forms != OCLMM_COUNT(forms) || brute.asked != brute.decorations ||
	    quick.asked >= brute.asked)
		complain("search", "did not do what the test is about");
	compare_lists(&quick.list, &brute.list);
	printf("%zu tight tests, %llu of %llu decorations asked for\n", quick.list.count,
	       (unsigned long long)quick.asked, (unsigned long long)brute.asked);
	list_finish(&quick.list);
	list_finish(&brute.list);
}

/* ---- below what is drawn --------------------------------------------------------- */

/* Of a long list fewer: its forms are larger, and forbidden decorations rarer. */
enum { DRAWN = 1500, DRAWN_OF_LONG = 250, DRAWN_OF_SIX = 300, TRIES = 400, MOST_LINES = 210 };

/* Of many draws the last that the model forbids: strong ones are rare among all. */
static bool draw(struct oclmm_tight_space *space, uint64_t key, enum oclmm_model model,
                 uint64_t *ret_number)
{
	uint64_t size = oclmm_tight_space_size(space);

	for (uint64_t i = 0; i < TRIES; i++) {
		int found;

		*ret_number = oclmm_random_below(key, i, size);
		found = oclmm_tight_space_ask(space, *ret_number);
		if (found > 0 && (unsigned)found >> model & 1)
			return true;
	}
	return false;
}

/* Draws, and says how many of them were forbidden. */
static unsigned draw_below(const struct list *list, size_t draws)
{
	unsigned checked = 0;

	/* each test of the list gives a form; decorations of it are drawn at random */
	for (size_t i = 0; i < draws && list->count; i++) {
		const struct list_line *line = &list->lines[i * list->count / draws];
		enum oclmm_model model = models[i % OCLMM_COUNT(models)];
		struct oclmm_tight_space *space;
		struct oclmm_cycle form, tight;
		uint64_t number;

		if (oclmm_cycle_parse(line->words, NULL, &form) < 0) {
			complain(line->words, "is no cycle");
			continue;
		}
		space = oclmm_tight_space_create(&form, list->updates);
		if (draw(space, oclmm_random_derive(i, line->words), model, &number)) {
			checked++;
			if (descend(space, number, model, &tight) < 0 ||
			    !list_has(list, &tight, model)) {
				struct oclmm_text words = {0};

				oclmm_cycle_print(&words, &tight);
				complain(oclmm_text_string(&words), "is tight and not in the list");
				oclmm_text_finish(&words);
			}
		}
		oclmm_tight_space_destroy(space);
	}
	printf("%u forbidden decorations, each above a test of the list\n", checked);
	return checked;
}

static void check_below(const struct list *list)
{
	size_t draws = list->count > MOST_LINES ? DRAWN_OF_LONG : DRAWN;

	if (draw_below(list, draws) < draws / 4)
		complain("draws", "too few forbidden decorations were drawn");
}

static void check_six(void)
{
	struct gathered six = {.forms = 0};

	search(6, false, 0, &six);
	if (six.forms != 1 || six.list.count == 0)
		complain(form_of_six, "was not searched");
	/* of so many draws few are forbidden, one in twenty */
	if (draw_below(&six.list, DRAWN_OF_SIX) < DRAWN_OF_SIX / 50)
		complain(form_of_six, "too few forbidden decorations were drawn");
	list_finish(&six.list);
}

/* ---- the slow oracle ------------------------------------------------------------- */

/* The models that forbid the outcome of a cycle, by the reference. */
static unsigned forbidding(const struct oclmm_cycle *cycle)
{
	static const struct reference_limits limits = {.candidates = 1000000, .seq_cst = 7};
	struct oclmm_litmus *litmus;
	struct reference_answer *answer;
	const struct oclmm_program *program;
	unsigned found = 0;

	if (oclmm_cycle_program(cycle, NULL, &litmus) < 0)
		exit(2);
	program = litmus->variants[0].program;
	if (reference_check(program, &limits, &answer) < 0) {
		complain(program->name, "is too large for the reference");
		oclmm_litmus_destroy(litmus);
		return 0;
	}
	for (size_t m = 0; m < OCLMM_COUNT(models); m++) {
		bool forbidden = !reference_undefined(answer, models[m]);

		for (unsigned i = 0; forbidden && i < answer->state_count; i++) {
			const int64_t *values = answer->states[i].values;

			if (oclmm_condition_holds(program, program->condition, values))
				forbidden = reference_status(answer, models[m], values) ==
				            OCLMM_STATUS_FORBIDDEN;
		}
		found |= (unsigned)forbidden << models[m];
	}
	reference_destroy(answer);
	oclmm_litmus_destroy(litmus);
	return found;
}

struct weaker {
	const struct oclmm_tight_space *space;
	unsigned models, count;
};

static void weaken(void *data, uint64_t number)
{
	struct weaker *weaker = data;
	struct oclmm_cycle cycle;

	oclmm_tight_space_cycle(weaker->space, number, &cycle);
	weaker->models &= ~forbidding(&cycle);
	weaker->count++;
}

static unsigned check_line(const struct list_line *line, bool updates)
{
	struct oclmm_tight_space *space;
	struct weaker weaker;
	struct oclmm_cycle cycle;
	uint64_t number;

	if (oclmm_cycle_parse(line->words, NULL, &cycle) < 0) {
		complain(line->words, "is no cycle");
		return 0;
	}
	space = oclmm_tight_space_create(&cycle, updates);
	weaker = (struct weaker){.space = space, .models = forbidding(&cycle)};
	if (!oclmm_tight_space_find(space, &cycle, &number))
		complain(line->words, "is no decoration of its form");
	else
		oclmm_tight_space_steps(space, number, weaken, &weaker);
	if (weaker.models != line->models)
		complain(line->words, "is tight under other models");
	oclmm_tight_space_destroy(space);
	return weaker.count;
}

static void check_slow(const struct list *list)
{
	size_t count = list->count < MOST_LINES ? list->count : MOST_LINES / 4;
	unsigned steps = 0;

	for (size_t i = 0; i < count; i++)
		steps += check_line(&list->lines[i * list->count / count], list->updates);
	printf("%zu tests and %u steps down from them\n", count, steps);
	if (steps <= count)
		complain("list", "too few steps");
}

/* ---- planted mistakes ------------------------------------------------------------ */

static unsigned count_failures(void (*check)(const struct list *list), const struct list *list)
{
	unsigned found;

	check(list);
	found = failures;
	failures = 0;
	return found;
}

static void check_gaps(struct list *list)
{
	struct list few = {.lines = list->lines,
	                   .count = list->count / 2,
	                   .updates = list->updates};
	unsigned right = list->lines[0].models;

	if (count_failures(check_below, list) || count_failures(check_slow, list))
		complain("list", "has mistakes of its own");
	/* half of the list is drawn from in the same way, and lacks what lies below of the other */
	if (count_failures(check_below, &few) == 0 && list->count > 1)
		complain("list", "half of it is taken for all");
	list->lines[0].models = right & ~(1u << OCLMM_MODEL_CONSENSUS);
	if (count_failures(check_slow, list) != 1)
		complain("list", "a wrong model is not noticed");
	list->lines[0].models = right;
}

int main(int argc, char **argv)
{
	struct list list = {0};

	if (argc == 2 && strcmp(argv[1], "every") == 0) {
		check_every();
		return failures > 0;
	}
	if (argc == 2 && strcmp(argv[1], "six") == 0) {
		check_six();
		return failures > 0;
	}
	if (argc != 3)
		return 2;
	list_read(&list, argv[2]);
	if (strcmp(argv[1], "below") == 0)
		check_below(&list);
	else if (strcmp(argv[1], "slow") == 0)
		check_slow(&list);
	else
		check_gaps(&list);
	list_finish(&list);
	return failures > 0;
}
