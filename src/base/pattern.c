// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- one letter ---- */

/* The longest bracket expression; it bounds the search for an end that may be missing. */
enum { BRACKETS_MOST = 256 };

static const struct {
	const char *name;
	int (*has)(int letter);
} classes[] = {
	{"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
	{"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
	{"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
};

/* Returns the place behind a class such as `[:digit:]`, and whether the letter is in it; NULL
 * where there is no class. */
static const char *take_class(const char *at, unsigned char letter, bool *found)
{
	for (size_t i = 0; strncmp(at, "[:", 2) == 0 && i < OCLMM_COUNT(classes); i++) {
		size_t length = strlen(classes[i].name);

		if (strncmp(at + 2, classes[i].name, length) == 0 &&
		    strncmp(at + 2 + length, ":]", 2) == 0) {
			*found |= classes[i].has(letter) != 0;
			return at + 2 + length + 2;
		}
	}
	return NULL;
}

/* A letter in brackets: itself, `\x`, or as POSIX also writes it, `[.x.]` or `[=x=]`. */
static unsigned char take_letter(const char **at)
{
	const char *from = *at;

	if (from[0] == '[' && (from[1] == '.' || from[1] == '=') && from[2] && from[3] == from[1] &&
	    from[4] == ']') {
		*at += 5;
		return (unsigned char)from[2];
	}
	from += from[0] == '\\' && from[1];
	*at = from + 1;
	return (unsigned char)*from;
}

/* Returns the place behind the brackets at `pattern`, and whether they match the letter; NULL
 * where they are not closed: then `[` is a letter like any other. */
static const char *take_brackets(const char *pattern, unsigned char letter, bool *ret_has)
{
	const char *at = pattern + 1, *first, *class;
	bool negated = *at == '!' || *at == '^', found = false;

	first = at += negated;
	while (*at && (*at != ']' || at == first) && at - pattern < BRACKETS_MOST) {
		unsigned char low, high;

		if ((class = take_class(at, letter, &found))) {
			at = class;
			continue;
		}
		low = high = take_letter(&at);
		if (at[0] == '-' && at[1] && at[1] != ']') {
			at++;
			high = take_letter(&at);
		}
		found |= low <= letter && letter <= high;
	}
	*ret_has = found != negated;
	return *at == ']' ? at + 1 : NULL;
}

/*
 * Returns the place behind one element of a pattern (no star), and whether it matches the letter.
 * `closing` is the pattern's last closing bracket, or NULL, so that a pattern of opening ones
 * alone costs little.
 */
static const char *take(const char *pattern, const char *closing, char letter, bool *ret_takes)
{
	const char *behind = NULL;

	if (*pattern == '[' && closing && pattern < closing)
		behind = take_brackets(pattern, (unsigned char)letter, ret_takes);
	if (behind)
		return behind;
	if (*pattern == '?') {
		*ret_takes = true;
		return pattern + 1;
	}
	pattern += pattern[0] == '\\' && pattern[1];
	*ret_takes = *pattern == letter;
	return pattern + 1;
}

/* ---- a pattern whose lists are letters ---- */

/*
 * Only the last star is gone back to: what stands before it has matched as early as it could, and
 * the star may take more. So the time is that of both lengths multiplied at worst.
 */
static bool matches_letters(const char *pattern, const char *text)
{
	const char *closing = strrchr(pattern, ']'), *behind_star = NULL, *resume = NULL;

	while (*text) {
		bool takes = false;

		if (*pattern == '*') {
			behind_star = ++pattern;
			resume = text;
			continue;
		}
		if (*pattern) {
			const char *next = take(pattern, closing, *text, &takes);

			pattern = takes ? next : pattern;
			text += takes;
		}
		if (takes)
			continue;
		if (!behind_star)
			return false;
		pattern = behind_star;
		text = ++resume;
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* ---- lists ---- */

/* Lists beyond this number are taken as letters. */
enum { LISTS_MOST = 64, LISTED_MOST = 1024 };

/* A list of alternatives in a pattern, such as `@(a|b)`. */
struct list {
	const char *open; /* the letter before the parenthesis, which says of which kind it is */
	const char *close;
	/* For `!`: for each place of the text where it may begin, whether one of its alternatives
	 * may end at each place; NULL: not known yet. */
	bool **ends;
};

/* A pattern with lists, and a text of `length`. */
struct match {
	const char *pattern, *closing, *text;
	size_t length;
	struct list lists[LISTS_MOST];
	size_t count;
	bool negated; /* some list is a `!` */
	/* For each letter of the pattern 1 + the number of the list that it opens, divides or
	 * closes. */
	unsigned char *part_of;
};

/* Places of the pattern that can be reached at one place of the text. */
struct front {
	size_t *places;
	size_t count;
	bool *has; /* by the place's number */
};

/* A list that is closed; NULL: the place is a letter. */
static struct list *list_at(struct match *match, const char *place)
{
	unsigned char number = match->part_of[place - match->pattern];

	return number && match->lists[number - 1].close ? &match->lists[number - 1] : NULL;
}

static bool is_list(const char *at)
{
	return *at && at[1] == '(' && strchr("?*+@!", *at);
}

/* Returns false where the pattern has too many lists. */
static bool find_lists(struct match *match)
{
	size_t open[LISTS_MOST], depth = 0;
	const char *at = match->pattern;
	bool ignored;

	while (*at) {
		size_t here = (size_t)(at - match->pattern);

		if (is_list(at)) {
			if (match->count == LISTS_MOST)
				return false;
			match->lists[match->count++] = (struct list){.open = at};
			match->negated |= *at == '!';
			open[depth++] = match->count;
			match->part_of[here] = match->part_of[here + 1] =
				(unsigned char)match->count;
			at += 2;
		} else if (depth && (*at == '|' || *at == ')')) {
			match->part_of[here] = (unsigned char)open[depth - 1];
			if (*at == ')')
				match->lists[open[--depth] - 1].close = at;
			at++;
		} else {
			at = *at == '[' || *at == '\\' ? take(at, match->closing, 0, &ignored)
			                               : at + 1;
		}
	}
	return true;
}

static void reach(const struct match *match, struct front *front, const char *place)
{
	size_t number = (size_t)(place - match->pattern);

	if (!front->has[number])
		front->places[front->count++] = number;
	front->has[number] = true;
}

static bool *find_ends(struct match *match, const struct list *own, size_t start);

/* What a `!` lets through that begins here, it lets through behind each end of no alternative. */
static void note_others(struct match *match, struct list *list, size_t start, bool *due)
{
	if (!list->ends)
		list->ends = oclmm_calloc(match->length + 1, sizeof(bool *));
	if (!list->ends[start])
		list->ends[start] = find_ends(match, list, start);
	for (size_t i = start; i <= match->length; i++)
		due[i] |= !list->ends[start][i];
}

/* Adds the places that are reached without reading a letter; true where the end of the pattern is
 * among them. `due` says for each list and each place of the text whether a `!` ends there. */
static bool close_front(struct match *match, const struct list *own, struct front *front,
                        size_t here, bool *due)
{
	bool ended = false;

	for (size_t i = 0; i < front->count; i++) {
		const char *place = match->pattern + front->places[i];
		struct list *list = list_at(match, place);
		bool *ends = list && due ? due + (size_t)(list - match->lists) * (match->length + 1)
		                         : NULL;

		if (list && place == list->open + 1) {
			reach(match, front, place + 1);
			for (const char *at = place; at < list->close; at++) {
				if (*at == '|' && list_at(match, at) == list)
					reach(match, front, at + 1);
			}
		} else if (!*place || (list && list == own)) {
			ended = true;
		} else if (!list) {
			if (*place == '*')
				reach(match, front, place + 1);
		} else if (ends && place == list->open && *place == '!') {
			note_others(match, list, here, ends);
			if (ends[here])
				reach(match, front, list->close + 1);
		} else {
			/* it begins, or one of its alternatives is over */
			if (strchr(place == list->open ? "?*+@" : "*+", *list->open))
				reach(match, front, list->open + 1);
			if (place != list->open || strchr("?*", *place))
				reach(match, front, list->close + 1);
		}
	}
	return ended;
}

/* Behind the next letter. */
static void step(struct match *match, const struct front *front, char letter, struct front *next)
{
	for (size_t i = 0; i < front->count; i++) {
		const char *place = match->pattern + front->places[i], *behind = place;
		bool takes = false;

		if (!*place || list_at(match, place))
			continue;
		if (*place != '*')
			behind = take(place, match->closing, letter, &takes);
		if (takes || *place == '*')
			reach(match, next, behind);
	}
}

static void empty_front(struct front *front)
{
	for (size_t i = 0; i < front->count; i++)
		front->has[front->places[i]] = false;
	front->count = 0;
}

/*
 * The places of the text at which the alternatives of a list, or the whole pattern, may end if
 * they begin at `start`. All possibilities are followed at once, letter by letter, so that no
 * pattern takes long. malloc-ed.
 */
static bool *find_ends(struct match *match, const struct list *own, size_t start)
{
	size_t places = strlen(match->pattern) + 1;
	size_t *room = oclmm_calloc(2 * places, sizeof(*room));
	bool *has = oclmm_calloc(2 * places, sizeof(*has));
	struct front front = {room, 0, has}, next = {room + places, 0, has + places}, other;
	bool *ends = oclmm_calloc(match->length + 1, sizeof(*ends)), *due = NULL;

	if (match->negated)
		due = oclmm_calloc(match->count * (match->length + 1), sizeof(*due));
	reach(match, &front, own ? own->open + 1 : match->pattern);
	for (size_t here = start; here <= match->length && (front.count || due); here++) {
		for (size_t i = 0; due && i < match->count; i++) {
			if (due[i * (match->length + 1) + here])
				reach(match, &front, match->lists[i].close + 1);
		}
		ends[here] = close_front(match, own, &front, here, due);
		step(match, &front, match->text[here], &next);
		empty_front(&front);
		other = front;
		front = next;
		next = other;
	}
	free(room);
	free(has);
	free(due);
	return ends;
}

static bool matches_lists(const char *pattern, const char *text)
{
	struct match match = {
		.pattern = pattern,
		.closing = strrchr(pattern, ']'),
		.text = text,
		.length = strlen(text),
		.part_of = oclmm_calloc(strlen(pattern) + 1, 1),
	};
	bool matches = false, *ends;

	if (match.length <= LISTED_MOST && find_lists(&match)) {
		ends = find_ends(&match, NULL, 0);
		matches = ends[match.length];
		free(ends);
	}
	for (size_t i = 0; i < match.count; i++) {
		for (size_t k = 0; match.lists[i].ends && k <= match.length; k++)
			free(match.lists[i].ends[k]);
		free(match.lists[i].ends);
	}
	free(match.part_of);
	return matches;
}

bool oclmm_pattern_matches(const char *pattern, const char *text)
{
	const char *list;

	/* most names differ from the pattern in their first letters */
	while (isalnum((unsigned char)*pattern) ||
	       (*pattern && !strchr("?*[\\", *pattern) && !is_list(pattern))) {
		if (*pattern++ != *text++)
			return false;
	}
	if (strcmp(pattern, text) == 0 || matches_letters(pattern, text))
		return true;
	for (list = pattern; *list && !is_list(list); list++)
		;
	return *list && matches_lists(pattern, text);
}
