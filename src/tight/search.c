// SPDX-License-Identifier: Apache-2.0
/* All forms of a size, on all processors. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

/* ---- one form ---- */

struct numbers {
	uint64_t *numbers;
	size_t count, capacity;
};

struct searching {
	const struct oclmm_tight_options *options;
	struct oclmm_tight_space *space;
	struct numbers candidates;
	struct oclmm_tight_form *form;
	size_t capacity;
};

static int take_candidate(void *data, const struct decoration *decoration)
{
	struct searching *searching = data;
	struct numbers *candidates = &searching->candidates;

	oclmm_grow(&candidates->numbers, &candidates->capacity, candidates->count,
	           sizeof(*candidates->numbers));
	candidates->numbers[candidates->count++] = space_number(searching->space, decoration);
	return 0;
}

/* What stays of the models when a weaker decoration is asked for. */
struct checking {
	struct oclmm_tight_space *space;
	int models;
};

static int check_step(void *data, const struct decoration *weaker)
{
	struct checking *checking = data;
	int models = space_ask(checking->space, weaker);

	if (models < 0)
		return models;
	checking->models &= ~models;
	return checking->models == 0;
}

static void take_tight(struct searching *searching, const struct decoration *decoration,
                       unsigned models)
{
	struct oclmm_tight_form *form = searching->form;
	struct oclmm_tight found = {.models = models};

	space_cycle(searching->space, decoration, &found.cycle);
	if (!forms_is_first(&found.cycle))
		return;
	oclmm_grow(&form->found, &searching->capacity, form->count, sizeof(*form->found));
	form->found[form->count++] = found;
}

static int check_candidate(struct searching *searching, uint64_t number)
{
	struct checking checking = {.space = searching->space};
	struct decoration decoration;
	int r;

	space_decoration(searching->space, number, &decoration);
	checking.models = space_ask(searching->space, &decoration);
	if (checking.models <= 0)
		return checking.models;
	r = space_steps(searching->space, &decoration, check_step, &checking);
	if (r < 0 || checking.models == 0)
		return r < 0 ? r : 0;
	take_tight(searching, &decoration, (unsigned)checking.models);
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return oclmm_compare_numbers(*x, *y);
}

static int search_border(struct searching *searching)
{
	struct numbers *candidates = &searching->candidates;
	int r = cells_search(searching->space, take_candidate, searching);

	if (candidates->count)
		qsort(candidates->numbers, candidates->count, sizeof(*candidates->numbers),
		      compare_numbers);
	for (size_t i = 0; r == 0 && i < candidates->count; i++) {
		if (i == 0 || candidates->numbers[i] != candidates->numbers[i - 1])
			r = check_candidate(searching, candidates->numbers[i]);
	}
	return r;
}

static unsigned threads_of(const struct oclmm_tight_options *options)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (options->threads)
		return options->threads;
	return processors > 0 ? (unsigned)processors : 1;
}

static int search_all(struct searching *searching)
{
	struct brute_found *found = NULL;
	size_t count = 0;
	int r = brute_search(searching->space, threads_of(searching->options),
	                     &searching->space->asked, &found, &count);

	for (size_t i = 0; r == 0 && i < count; i++) {
		struct decoration decoration;

		space_decoration(searching->space, found[i].number, &decoration);
		take_tight(searching, &decoration, found[i].models);
	}
	free(found);
	return r;
}

static int search_form(const struct oclmm_tight_options *options, const struct oclmm_cycle *cycle,
                       struct oclmm_tight_form *form)
{
	struct searching searching = {.options = options, .form = form};
	double start = oclmm_clock();
	int r = -E2BIG;

	searching.space = oclmm_tight_space_create(cycle, options->updates);
	if (!searching.space)
		return r;
	if (options->remembered)
		searching.space->remembered = options->remembered;
	form->decorations = oclmm_tight_space_size(searching.space);
	r = options->brute ? search_all(&searching) : search_border(&searching);
	form->asked = searching.space->asked;
	form->seconds = oclmm_clock() - start;
	oclmm_tight_space_destroy(searching.space);
	free(searching.candidates.numbers);
	return r;
}

/* ---- all of them ---- */

struct work {
	const struct oclmm_tight_options *options;
	struct oclmm_cycle *forms;
	size_t count, capacity;
	size_t next, stride;
	pthread_mutex_t lock;
	int result;
};

static int take_form(void *data, const struct oclmm_cycle *cycle)
{
	struct work *work = data;

	oclmm_grow(&work->forms, &work->capacity, work->count, sizeof(*work->forms));
	work->forms[work->count++] = *cycle;
	return 0;
}

static void name_form(const struct work *work, size_t index, struct oclmm_tight_form *form)
{
	struct oclmm_text text = {0};

	oclmm_cycle_print(&text, &work->forms[index]);
	strncpy(form->name, oclmm_text_string(&text), sizeof(form->name) - 1);
	oclmm_text_finish(&text);
}

/* The next form; false when none is left or an error ended the search. */
static bool next_form(struct work *work, size_t *ret_index)
{
	bool found;

	pthread_mutex_lock(&work->lock);
	found = work->result == 0 && work->next < work->count;
	if (found) {
		*ret_index = work->next;
		work->next += work->stride;
	}
	pthread_mutex_unlock(&work->lock);
	return found;
}

static void *search_forms(void *data)
{
	struct work *work = data;
	const struct oclmm_tight_options *options = work->options;
	size_t index;

	while (next_form(work, &index)) {
		struct oclmm_tight_form form = {.count = 0};
		int r = 0;

		name_form(work, index, &form);
		if (options->skip && options->skip(options->data, form.name))
			continue;
		r = search_form(options, &work->forms[index], &form);
		pthread_mutex_lock(&work->lock);
		if (r == 0 && work->result == 0)
			r = options->done(options->data, &form);
		if (work->result == 0)
			work->result = r;
		pthread_mutex_unlock(&work->lock);
		free(form.found);
	}
	return NULL;
}

int oclmm_tight_search(const struct oclmm_tight_options *options, struct oclmm_error *error)
{
	struct work work = {.options = options,
	                    .next = options->shards ? options->shard - 1 : 0,
	                    .stride = options->shards ? options->shards : 1};

	if (forms_all(options->edges, take_form, &work) < 0)
		return oclmm_error_set(error, -EINVAL, "the forms cannot be listed");
	pthread_mutex_init(&work.lock, NULL);
	/* where every decoration is asked for, the threads divide each form */
	threads_run(options->brute ? 1 : threads_of(options), search_forms, &work);
	pthread_mutex_destroy(&work.lock);
	free(work.forms);
	if (work.result == -EFBIG)
		return oclmm_error_set(
			error, work.result,
			"a form has more decorations than can be asked for one by one");
	if (work.result < 0)
		return oclmm_error_set(error, work.result, "the oracle could not answer: %s",
		                       strerror(-work.result));
	return work.result;
}
