// SPDX-License-Identifier: Apache-2.0
/*
 * A machine whose date is set while a program runs, for LD_PRELOAD: each look at the date finds it
 * a day later or earlier, or in 1970. What counts from a fixed start is left alone, as a system
 * does. Test code only.
 */
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static void jump(time_t *seconds)
{
	static unsigned count;
	unsigned number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);

	if (number % 3 == 0)
		*seconds = 1;
	else
		*seconds += number % 3 == 1 ? 86400 : -86400;
}

EXPORT int clock_gettime(clockid_t which, struct timespec *ret_time)
{
	int r = (int)syscall(SYS_clock_gettime, which, ret_time);

	if (r == 0 && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
		jump(&ret_time->tv_sec);
	return r;
}

EXPORT time_t time(time_t *ret_time)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (ret_time)
		*ret_time = now.tv_sec;
	return now.tv_sec;
}

EXPORT int gettimeofday(struct timeval *restrict ret_time, void *restrict zone)
{
	struct timespec now;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	ret_time->tv_sec = now.tv_sec;
	ret_time->tv_usec = (suseconds_t)(now.tv_nsec / 1000);
	return 0;
}
