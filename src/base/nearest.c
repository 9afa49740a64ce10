// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <strings.h>

#include "oclmm/base.h"

/* Every word begins with some letter: one letter says nothing. */
enum { LEAST_BEGINNING = 2 };

/* Levenshtein's distance from a word to another one, and to the nearest beginning of it. */
struct distance {
	size_t whole, beginning;
};

/* Two rows; words longer than the row are never near. */
static struct distance distance(const char *a, const char *b)
{
	size_t row[48], length = strlen(b);
	struct distance found = {SIZE_MAX, SIZE_MAX};

	if (length >= OCLMM_COUNT(row))
		return found;
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
	found.whole = row[length];
	for (size_t i = 0; i <= length; i++)
		found.beginning = row[i] < found.beginning ? row[i] : found.beginning;
	return found;
}

/* The beginning of a word means that word: of several the shortest, which leaves out least. */
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

/* The distance that counts: to the word, or to its beginning where that takes few changes. */
static size_t changes(struct distance d, size_t length)
{
	if (d.beginning < d.whole && length >= 6 && d.beginning <= length / 6)
		return d.beginning;
	return d.whole <= length / 3 + 1 ? d.whole : SIZE_MAX;
}

/* Among words that are equally near the one that goes on least. */
static const char *fewest_changes(const char *word, const char *const *words, size_t count)
{
	const char *nearest = NULL;
	size_t length = strlen(word), best = SIZE_MAX, best_whole = SIZE_MAX;

	for (size_t i = 0; i < count; i++) {
		struct distance d = distance(word, words[i]);
		size_t c = changes(d, length);

		if (c > best || (c == best && d.whole >= best_whole))
			continue;
		best = c;
		best_whole = d.whole;
		nearest = c < SIZE_MAX ? words[i] : nearest;
	}
	return nearest;
}

const char *oclmm_nearest(const char *word, const char *const *words, size_t count)
{
	const char *begun = shortest_begun(word, words, count);

	return begun ? begun : fewest_changes(word, words, count);
}

bool oclmm_is_among(const char *word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(words[i], word) == 0)
			return true;
	}
	return false;
}
