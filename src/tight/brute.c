// SPDX-License-Identifier: Apache-2.0
/* Every decoration of a form, without any conclusion: slow, and what the search is held against. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "internal.h"

/* So many numbers a thread takes at once. */
enum { SLICE = 1 << 12 };
/* Of so many decorations answers are kept at most, a byte for each. */
static const uint64_t most_answers = (uint64_t)1 << 32;

struct brute {
	const struct oclmm_tight_space *space; /* which no thread changes */
	uint8_t *models;                       /* that forbid, by number */
	uint64_t size;
	pthread_mutex_t lock; /* of all below */
	uint64_t next, asked;
	struct brute_found *found;
	size_t count, capacity;
	int result;
};
_Static_assert(OCLMM_TIGHT_MODELS <= UINT8_MAX, "models of an answer are a byte");

/* False when none is left, or an error ended the work. */
static bool next_slice(struct brute *brute, uint64_t *ret_first, uint64_t *ret_end)
{
	bool left;

	pthread_mutex_lock(&brute->lock);
	left = brute->result == 0 && brute->next < brute->size;
	if (left) {
		*ret_first = brute->next;
		*ret_end = brute->size - brute->next < SLICE ? brute->size : brute->next + SLICE;
		brute->next = *ret_end;
	}
	pthread_mutex_unlock(&brute->lock);
	return left;
}

/* ---- asking ---- */

static int ask_slice(struct brute *brute, struct oclmm_tight_space *space, uint64_t first,
                     uint64_t end)
{
	for (uint64_t number = first; number < end; number++) {
		struct decoration decoration;
		int models;

		space_decoration(space, number, &decoration);
		models = space_consult(space, &decoration);
		if (models < 0)
			return models;
		brute->models[number] = (uint8_t)models;
	}
	return 0;
}

static void *ask(void *data)
{
	struct brute *brute = data;
	/* the program that is asked about is written into, so each thread has one */
	struct oclmm_tight_space *space = oclmm_tight_space_create(&brute->space->form,
	                                                           brute->space->updates);
	uint64_t first, end;
	int r = 0;

	while (r == 0 && next_slice(brute, &first, &end))
		r = ask_slice(brute, space, first, end);
	pthread_mutex_lock(&brute->lock);
	brute->asked += space->asked;
	if (brute->result == 0)
		brute->result = r;
	pthread_mutex_unlock(&brute->lock);
	oclmm_tight_space_destroy(space);
	return NULL;
}

/* ---- looking up ---- */

struct looking {
	const struct brute *brute;
	unsigned models; /* that forbid none of the steps down so far */
};

static int look_up(void *data, const struct decoration *weaker)
{
	struct looking *looking = data;

	looking->models &=
		~(unsigned)looking->brute->models[space_number(looking->brute->space, weaker)];
	return looking->models == 0;
}

static unsigned tight_under(const struct brute *brute, uint64_t number)
{
	struct looking looking = {.brute = brute, .models = brute->models[number]};
	struct decoration decoration;

	if (looking.models) {
		space_decoration(brute->space, number, &decoration);
		space_steps(brute->space, &decoration, look_up, &looking);
	}
	return looking.models;
}

static void *compare(void *data)
{
	struct brute *brute = data;
	uint64_t first, end;

	while (next_slice(brute, &first, &end)) {
		for (uint64_t number = first; number < end; number++) {
			unsigned models = tight_under(brute, number);

			if (!models)
				continue;
			pthread_mutex_lock(&brute->lock);
			oclmm_grow(&brute->found, &brute->capacity, brute->count,
			           sizeof(*brute->found));
			brute->found[brute->count++] = (struct brute_found){.number = number,
			                                                    .models = models};
			pthread_mutex_unlock(&brute->lock);
		}
	}
	return NULL;
}

static int compare_found(const void *a, const void *b)
{
	const struct brute_found *x = a, *y = b;

	return oclmm_compare_numbers(x->number, y->number);
}

int brute_search(const struct oclmm_tight_space *space, unsigned threads, uint64_t *ret_asked,
                 struct brute_found **ret_found, size_t *ret_count)
{
	struct brute brute = {.space = space, .size = oclmm_tight_space_size(space)};

	if (brute.size > most_answers)
		return -EFBIG;
	brute.models = oclmm_calloc(brute.size, 1);
	pthread_mutex_init(&brute.lock, NULL);
	threads_run(threads, ask, &brute);
	brute.next = 0;
	threads_run(threads, compare, &brute);
	pthread_mutex_destroy(&brute.lock);
	free(brute.models);
	if (brute.count)
		qsort(brute.found, brute.count, sizeof(*brute.found), compare_found);
	*ret_asked = brute.asked;
	*ret_found = brute.found;
	*ret_count = brute.count;
	return brute.result;
}
