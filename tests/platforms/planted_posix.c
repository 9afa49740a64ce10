// SPDX-License-Identifier: Apache-2.0
/* In place of the function of the C library by which a process asks to be ended with its parent. */
#include "planted.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *const planted_stays[] = {"not with its parent", NULL};
const char *const planted_refusals[] = {NULL};

int prctl(int option, ...)
{
	const char *planted = getenv(PLANTED);
	unsigned long words[4];
	va_list more;

	if (option == PR_SET_PDEATHSIG && planted && strcmp(planted, planted_stays[0]) == 0)
		return 0;
	va_start(more, option);
	for (int i = 0; i < 4; i++)
		words[i] = va_arg(more, unsigned long);
	va_end(more);
	return (int)syscall(SYS_prctl, option, words[0], words[1], words[2], words[3]);
}

bool planted_is_gone(double seconds)
{
	(void)seconds;
	return true;
}
