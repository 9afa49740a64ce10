// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <strings.h>

#include "oclmm/base.h"

/* Of one letter anything may be the beginning. */
enum { LEAST_BEGINNING = 2 };

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

/* Who writes the beginning of a word means that word: the shortest, for the rest was left out. */
static const char *shortest_begun(const char *word, const char *const *words, size_t count)
{
	const char *shortest = NULL;
	size_t length = strlen(word);

	for (size_t i = 0; length >= LEAST_BEGINNING && i < count; i++) {
		if (strncasecmp(word, words[i], length) == 0 &&
		    (!shortest || strlen(words[i]) < strlen(shortest)))
			shortest = words[i];
	}
	return shortest;
}

static const char *fewest_changes(const char *word, const char *const *words, size_t count)
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

const char *oclmm_nearest(const char *word, const char *const *words, size_t count)
{
	const char *begun = shortest_begun(word, words, count);

	return begun ? begun : fewest_changes(word, words, count);
}
