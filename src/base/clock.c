// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
	struct timespec now = {0};

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double oclmm_clock(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

double oclmm_thread_clock(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void oclmm_print_now(char *text, size_t size)
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
