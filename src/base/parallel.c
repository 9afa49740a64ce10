// SPDX-License-Identifier: Apache-2.0
/* Work that only computes, on several processors. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "oclmm/base.h"

enum { THREADS_MOST = 256 };
/* Of each thread, as the first one has it elsewhere: musl would give 128 KiB, too few for what is
 * nested deeply. */
enum { STACK_BYTES = 8 << 20 };

struct shares {
	void (*work)(void *data, size_t index);
	void *data;
	size_t count;
	atomic_size_t next;
};

static void *take_shares(void *data)
{
	struct shares *shares = data;
	size_t index;

	while ((index = atomic_fetch_add(&shares->next, 1)) < shares->count)
		shares->work(shares->data, index);
	return NULL;
}

void oclmm_in_parallel(size_t count, unsigned threads, void (*work)(void *data, size_t index),
                       void *data)
{
	struct shares shares = {.work = work, .data = data, .count = count};
	pthread_t others[THREADS_MOST];
	pthread_attr_t attributes;
	size_t started = 0;
	long processors;

	if (threads == 0) {
		processors = sysconf(_SC_NPROCESSORS_ONLN);
		threads = processors > 0 ? (unsigned)processors : 1;
	}
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	/* this thread works, too: alone where no other can be started, as in a browser */
	while (started + 1 < threads && started + 1 < count && started < THREADS_MOST &&
	       pthread_create(&others[started], &attributes, take_shares, &shares) == 0)
		started++;
	pthread_attr_destroy(&attributes);
	take_shares(&shares);
	while (started > 0)
		pthread_join(others[--started], NULL);
}
