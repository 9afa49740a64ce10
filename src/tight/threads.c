// SPDX-License-Identifier: Apache-2.0
/* Work that several threads divide. */
#include <pthread.h>

#include "internal.h"

void threads_run(unsigned count, void *(*work)(void *data), void *data)
{
	enum { MOST_THREADS = 256 };
	pthread_t threads[MOST_THREADS];
	unsigned started = 0;

	/* where one cannot be had, the others do its part */
	while (started + 1 < count && started < MOST_THREADS &&
	       pthread_create(&threads[started], NULL, work, data) == 0)
		started++;
	work(data);
	while (started > 0)
		pthread_join(threads[--started], NULL);
}
