// SPDX-License-Identifier: Apache-2.0
/*
 * Several pieces of work of which one goes on at a time: another has its turn
 * while this one waits for a child. They are threads, because each has a stack of
 * its own, and never run at once: what they share needs no lock, and whoever
 * forks finds all others asleep.
 */
#include "process.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* Turns are numbered, so that each thread gets one. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t drawn, called; /* numbers; the one that is called has its turn */
} turns = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local bool takes_turns;

void process_turn_begin(void)
{
	uint64_t number;
	int before = errno;

	if (!takes_turns)
		return;
	pthread_mutex_lock(&turns.lock);
	number = turns.drawn++;
	pthread_cond_broadcast(&turns.changed);
	while (turns.called != number)
		pthread_cond_wait(&turns.changed, &turns.lock);
	pthread_mutex_unlock(&turns.lock);
	errno = before;
}

void process_turn_end(void)
{
	int before = errno;

	if (!takes_turns)
		return;
	pthread_mutex_lock(&turns.lock);
	turns.called++;
	pthread_cond_broadcast(&turns.changed);
	pthread_mutex_unlock(&turns.lock);
	errno = before;
}

/* A child has none of the other threads. */
static void forget_turns(void)
{
	takes_turns = false;
}

/* ---- the threads ---- */

/* As large as that of a program usually is, wherever it runs. */
static const size_t STACK = (size_t)8 << 20;

struct work {
	void (*run)(void *data, size_t index);
	void *data;
	size_t count, over;
	bool called_off;
};

struct piece {
	struct work *work;
	size_t index;
	pthread_t thread;
};

/* A thread that ends takes locks on its way: it waits until nobody forks any more. */
static void wait_for_others(struct work *work)
{
	pthread_mutex_lock(&turns.lock);
	work->over++;
	pthread_cond_broadcast(&turns.changed);
	while (work->over < work->count)
		pthread_cond_wait(&turns.changed, &turns.lock);
	pthread_mutex_unlock(&turns.lock);
}

static void *do_piece(void *data)
{
	struct piece *piece = data;
	struct work *work = piece->work;

	takes_turns = true;
	process_turn_begin();
	if (!work->called_off)
		work->run(work->data, piece->index);
	process_turn_end();
	wait_for_others(work);
	return NULL;
}

/* Returns 0 or a negative errno value; `*ret_count` of them were started. */
static int start(struct piece *pieces, size_t count, size_t *ret_count)
{
	pthread_attr_t attributes;
	int r = -pthread_attr_init(&attributes);

	*ret_count = 0;
	if (r < 0)
		return r;
	r = -pthread_attr_setstacksize(&attributes, STACK);
	while (r == 0 && *ret_count < count) {
		struct piece *piece = &pieces[*ret_count];

		r = -pthread_create(&piece->thread, &attributes, do_piece, piece);
		*ret_count += r == 0;
	}
	pthread_attr_destroy(&attributes);
	return r;
}

/* The thread that starts the others has the first turn, until all of them wait for theirs. */
static int start_all(struct work *work, struct piece *pieces, size_t count)
{
	uint64_t first;
	int r;

	pthread_mutex_lock(&turns.lock);
	first = ++turns.drawn;
	pthread_mutex_unlock(&turns.lock);
	r = start(pieces, count, &work->count);
	pthread_mutex_lock(&turns.lock);
	while (turns.drawn < first + work->count)
		pthread_cond_wait(&turns.changed, &turns.lock);
	work->called_off = r < 0;
	turns.called++;
	pthread_cond_broadcast(&turns.changed);
	pthread_mutex_unlock(&turns.lock);
	return r;
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, forget_turns);
}

int process_together(size_t count, void (*run)(void *data, size_t index), void *data)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct work work = {.run = run, .data = data};
	struct piece *pieces;
	int r;

	if (count == 1) {
		run(data, 0);
		return 0;
	}
	pthread_once(&once, watch_forks);
	pieces = oclmm_calloc(count + 1, sizeof(*pieces));
	for (size_t i = 0; i < count; i++)
		pieces[i] = (struct piece){.work = &work, .index = i};
	r = start_all(&work, pieces, count);
	for (size_t i = 0; i < work.count; i++)
		pthread_join(pieces[i].thread, NULL);
	free(pieces);
	return r;
}
