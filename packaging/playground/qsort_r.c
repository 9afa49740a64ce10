// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

static struct {
	int (*compare)(const void *a, const void *b, void *data);
	void *data;
} sorting;

static int compare_plainly(const void *a, const void *b)
{
	return sorting.compare(a, b, sorting.data);
}

void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *a, const void *b, void *data), void *data)
{
	sorting.compare = compare;
	sorting.data = data;
	qsort(base, count, size, compare_plainly);
}
