// SPDX-License-Identifier: Apache-2.0
/* Sorting with a context, for systems whose C library has no qsort_r(). */
#include <stdlib.h>

struct sorting {
	char *base;
	size_t size;
	int (*compare)(const void *a, const void *b, void *context);
	void *context;
};

static void swap(const struct sorting *s, size_t i, size_t k)
{
	char *a = s->base + i * s->size, *b = s->base + k * s->size;

	for (size_t n = 0; n < s->size; n++) {
		char byte = a[n];

		a[n] = b[n];
		b[n] = byte;
	}
}

/* Lets an element sink to where it is the largest of those below. */
static void sink(const struct sorting *s, size_t at, size_t count)
{
	for (size_t below = 2 * at + 1; below < count; below = 2 * at + 1) {
		if (below + 1 < count &&
		    s->compare(s->base + below * s->size, s->base + (below + 1) * s->size,
		               s->context) < 0)
			below++;
		if (s->compare(s->base + at * s->size, s->base + below * s->size, s->context) >= 0)
			return;
		swap(s, at, below);
		at = below;
	}
}

/* By a heap: no order of the input makes it slow, and it takes no memory. */
void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *a, const void *b, void *context), void *context)
{
	struct sorting s = {base, size, compare, context};

	for (size_t i = count / 2; i-- > 0;)
		sink(&s, i, count);
	while (count > 1) {
		swap(&s, 0, --count);
		sink(&s, 0, count);
	}
}
