// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <time.h>

double oclmm_clock(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void oclmm_print_now(char *text, size_t size)
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
