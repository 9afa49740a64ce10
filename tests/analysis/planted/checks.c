// SPDX-License-Identifier: Apache-2.0
/* A slip for each family of checks, and who has to see it: of clang-tidy without its analyzer. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define __planted 1 /* caught: clang-diagnostic-reserved-macro-identifier */

struct _Pair; /* caught: clang-diagnostic-reserved-identifier */

struct pair {
	int first, second;
};

/* caught below: clang-diagnostic-missing-prototypes */
size_t planted_size(const struct pair *pairs)
{
	return sizeof(pairs) / sizeof(*pairs); /* caught: clang-diagnostic-sizeof-pointer-div */
}

int planted_branches(int value)
{
	if (value > 0) /* caught: bugprone-branch-clone */
		return 1;
	else
		return 1;
}

int planted_same(const struct pair *pair)
{
	return pair->first == pair->first; /* caught: misc-redundant-expression */
}

int planted_equal(const char *word)
{
	if (strcmp(word, "x")) /* caught: bugprone-suspicious-string-compare */
		return 0;
	return 1;
}

int planted_part(float fraction)
{
	int part = 1;

	part += fraction; /* caught: bugprone-narrowing-conversions */
	return part;
}

int planted_home(void)
{
	return system("ls"); /* caught: cert-env33-c */
}

int planted_cancel(void)
{
	/* caught below: concurrency-thread-canceltype-asynchronous */
	return pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
}

int planted_swapped(int width, int height);
int planted_call(int width, int height)
{
	return planted_swapped(height, width); /* caught: readability-suspicious-call-argument */
}
