// SPDX-License-Identifier: Apache-2.0
#include <limits.h>

#include "preamble.h"

static bool applies(const struct axis *axis, const struct syntax_token *token)
{
	for (uint32_t i = 0; i < axis->thread_count; i++) {
		if (token->unit == (int)axis->threads[i])
			return true;
	}
	return axis->thread_count == 0;
}

static bool matches(const struct axis *axis, const struct sequence *sequence,
                    const struct syntax_tokens *body, size_t at)
{
	if (at + sequence->count > body->count)
		return false;
	for (size_t i = 0; i < sequence->count; i++) {
		const struct syntax_token *token = &body->data[at + i];

		if (!syntax_token_equal(token, &sequence->data[i]) ||
		    token->unit != body->data[at].unit || !applies(axis, token))
			return false;
	}
	return true;
}

/* The longest listed sequence that stands at a place, or listed_count. */
static uint32_t find_longest(const struct axis *axis, const struct syntax_tokens *body, size_t at)
{
	uint32_t best = axis->listed_count;

	for (uint32_t i = 0; i < axis->listed_count; i++) {
		if (best < axis->listed_count && axis->listed[i].count <= axis->listed[best].count)
			continue;
		if (matches(axis, &axis->listed[i], body, at))
			best = i;
	}
	return best;
}

static void put(struct syntax_tokens *result, const struct sequence *sequence,
                const struct syntax_token *replaced)
{
	for (size_t i = 0; i < sequence->count; i++) {
		struct syntax_token token = sequence->data[i];

		token.place = replaced->place;
		token.unit = replaced->unit;
		syntax_tokens_add(result, &token);
	}
}

size_t syntax_rewrite(const struct axis *axis, const struct alternative *alternative,
                      const struct syntax_tokens *body, struct syntax_tokens *result, size_t *hits)
{
	bool begins[UCHAR_MAX + 1] = {false}; /* some listed sequence has this first letter */
	size_t places = 0;
	size_t i = 0;

	for (uint32_t k = 0; k < axis->listed_count; k++)
		begins[(unsigned char)axis->listed[k].data[0].text[0]] = true;
	syntax_tokens_reserve(result, body->count + 16);
	while (i < body->count) {
		uint32_t found = begins[(unsigned char)body->data[i].text[0]]
		                         ? find_longest(axis, body, i)
		                         : axis->listed_count;

		if (found == axis->listed_count) {
			syntax_tokens_add(result, &body->data[i++]);
			continue;
		}
		put(result, &alternative->sequences[found], &body->data[i]);
		i += axis->listed[found].count;
		places++;
		if (hits)
			hits[found]++;
	}
	return places;
}
