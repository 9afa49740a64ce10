// SPDX-License-Identifier: Apache-2.0
/*
 * Many programs on all processors. Each thread has an oracle of its own, which
 * keeps its memory, and takes the next few programs from a common counter.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

enum { AT_ONCE = 16, MAX_MANY_THREADS = 256 };

struct many {
	const struct oclmm_program *const *programs;
	size_t count;
	struct oclmm_check_options check;
	oclmm_answered answered;
	void *data;
	atomic_size_t next;
};

static void answer_one(struct many *many, struct oracle *oracle, struct oclmm_arena *own, size_t i)
{
	struct oclmm_answer *answer = NULL;
	struct oclmm_error error = {0};
	int result = oclmm_oracle_check(oracle, many->programs[i], &many->check, own, &error,
	                                &answer);

	many->answered(many->data, i, result, answer, &error);
	oclmm_arena_clear(own);
}

static void *work(void *data)
{
	struct many *many = data;
	struct oracle *oracle = oclmm_oracle_create();
	struct oclmm_arena *own = oclmm_arena_create();
	size_t first;

	while ((first = atomic_fetch_add(&many->next, AT_ONCE)) < many->count)
		for (size_t i = first; i < first + AT_ONCE && i < many->count; i++)
			answer_one(many, oracle, own, i);
	oclmm_arena_destroy(own);
	oclmm_oracle_destroy(oracle);
	return NULL;
}

static unsigned thread_count(unsigned wanted, size_t programs)
{
	long processors = wanted ? (long)wanted : sysconf(_SC_NPROCESSORS_ONLN);

	if (processors < 1)
		processors = 1;
	if (processors > MAX_MANY_THREADS)
		processors = MAX_MANY_THREADS;
	return (size_t)processors > programs / AT_ONCE + 1 ? (unsigned)(programs / AT_ONCE) + 1
	                                                   : (unsigned)processors;
}

int oclmm_check_many(const struct oclmm_program *const *programs, size_t count,
                     const struct oclmm_many_options *options, oclmm_answered answered, void *data)
{
	static const struct oclmm_many_options defaults;
	const struct oclmm_many_options *o = options ? options : &defaults;
	struct many many = {.programs = programs,
	                    .count = count,
	                    .check = o->check,
	                    .answered = answered,
	                    .data = data};
	unsigned wanted = thread_count(o->threads, count), started = 0;
	pthread_t threads[MAX_MANY_THREADS];

	if (o->check.models >> OCLMM_MODEL_COUNT)
		return -EINVAL;
	/* this thread is one of them; where the system gives no more, it does all by itself */
	while (started + 1 < wanted && pthread_create(&threads[started], NULL, work, &many) == 0)
		started++;
	work(&many);
	for (unsigned i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
