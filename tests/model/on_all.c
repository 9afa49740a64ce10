// SPDX-License-Identifier: Apache-2.0
/* Each thread takes the next few programs from a common counter. */
#include "on_all.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { AT_ONCE = 16, MAX_THREADS = 256 };

struct many {
	const struct oclmm_program *const *programs;
	size_t count;
	const struct oclmm_check_options *options;
	on_all_answered answered;
	void *data;
	atomic_size_t next;
};

static void answer_one(struct many *many, size_t i)
{
	struct oclmm_answer *answer = NULL;
	struct oclmm_error error = {0};
	int result = oclmm_check(many->programs[i], many->options, &error, &answer);

	many->answered(many->data, i, result, answer, &error);
	oclmm_answer_destroy(answer);
}

static void *work(void *data)
{
	struct many *many = data;
	size_t first;

	while ((first = atomic_fetch_add(&many->next, AT_ONCE)) < many->count)
		for (size_t i = first; i < first + AT_ONCE && i < many->count; i++)
			answer_one(many, i);
	return NULL;
}

static unsigned thread_count(unsigned wanted, size_t programs)
{
	size_t processors = wanted ? wanted : (size_t)sysconf(_SC_NPROCESSORS_ONLN);
	size_t most = programs / AT_ONCE + 1;

	most = most < MAX_THREADS ? most : MAX_THREADS;
	return (unsigned)(processors < most ? processors : most);
}

void on_all_check(const struct oclmm_program *const *programs, size_t count,
                  const struct oclmm_check_options *options, unsigned threads,
                  on_all_answered answered, void *data)
{
	struct many many = {.programs = programs,
	                    .count = count,
	                    .options = options,
	                    .answered = answered,
	                    .data = data};
	unsigned wanted = thread_count(threads, count), started = 0;
	pthread_t others[MAX_THREADS];

	/* this thread is one of them; where the system gives no more, it does all by itself */
	while (started + 1 < wanted && pthread_create(&others[started], NULL, work, &many) == 0)
		started++;
	work(&many);
	for (unsigned i = 0; i < started; i++)
		pthread_join(others[i], NULL);
}
