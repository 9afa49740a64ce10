// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "oclmm/base.h"

/* Levenshtein's distance, two rows; words longer than the row are never near. */
static size_t distance(const char *a, const char *b)
{
	size_t row[48], length = strlen(b);

	if (length >= OCLMM_COUNT(row))
		return SIZE_MAX;
	for (size_t i = 0; i <= length; i++)
		row[i] = i;
	for (size_t k = 0; a[k]; k++) {
		size_t diagonal = row[0];

		row[0] = k + 1;
		for (size_t i = 1; i <= length; i++) {
			size_t best = diagonal + (a[k] != b[i - 1]);

			diagonal = row[i];
			if (row[i] + 1 < best)
				best = row[i] + 1;
			if (row[i - 1] + 1 < best)
				best = row[i - 1] + 1;
			row[i] = best;
		}
	}
	return row[length];
}

const char *oclmm_nearest(const char *word, const char *const *words, size_t count)
{
	const char *nearest = NULL;
	size_t best = strlen(word) / 3 + 1;

	for (size_t i = 0; i < count; i++) {
		size_t d = distance(word, words[i]);

		if (d <= best) {
			best = d - (d > 0);
			nearest = words[i];
		}
	}
	return nearest;
}
