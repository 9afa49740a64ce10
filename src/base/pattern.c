// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <string.h>

/* The character that stands for itself or, in brackets, for a range's end. */
static unsigned char take(const char **at)
{
	return (unsigned char)*(*at)++;
}

/*
 * Whether a letter is in the brackets at `*pattern`, which moves behind them.
 * A bracket that is not closed is a letter like others; the caller knows of most
 * of them, so that the search for the end is paid by what it finds.
 */
static bool in_brackets(const char **pattern, char letter)
{
	const char *at = *pattern + 1, *first;
	bool negated = *at == '!' || *at == '^', found = false;
	unsigned char wanted = (unsigned char)letter;

	first = at += negated;
	while (*at && (*at != ']' || at == first)) {
		unsigned char low = take(&at), high = low;

		if (at[0] == '-' && at[1] && at[1] != ']') {
			at++;
			high = take(&at);
		}
		found |= low <= wanted && wanted <= high;
	}
	if (!*at) {
		(*pattern)++;
		return letter == '[';
	}
	*pattern = at + 1;
	return found != negated;
}

/*
 * Whether one element that is no star takes a letter; `*pattern` moves behind it.
 * `closing`: the pattern's last closing bracket, or NULL.
 */
static bool takes(const char **pattern, const char *closing, char letter)
{
	if (**pattern == '[' && closing && *pattern < closing)
		return in_brackets(pattern, letter);
	if (**pattern == '\\' && (*pattern)[1])
		(*pattern)++;
	else if (**pattern == '?')
		return take(pattern) != 0;
	return (char)take(pattern) == letter;
}

/*
 * Only the last star is gone back to: what stands before it has matched as early
 * as it could, and the star may take more. So the time is that of both lengths
 * multiplied at worst, whatever the pattern.
 */
bool oclmm_pattern_matches(const char *pattern, const char *text)
{
	const char *closing = strrchr(pattern, ']'), *behind_star = NULL, *resume = NULL;

	while (*text) {
		const char *next = pattern;

		if (*pattern == '*') {
			behind_star = ++pattern;
			resume = text;
			continue;
		}
		if (*pattern && takes(&next, closing, *text)) {
			pattern = next;
			text++;
			continue;
		}
		if (!behind_star)
			return false;
		pattern = behind_star;
		text = ++resume;
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
