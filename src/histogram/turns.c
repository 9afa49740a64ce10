// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "oclmm/histogram.h"

static bool parse_number(const char **at, uint64_t most, uint64_t *ret_number)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*ret_number = strtoull(*at, &end, 10);
	*at = end;
	return errno == 0 && *ret_number <= most;
}

static bool parse_shares(const char **at, struct oclmm_turn *ret_turn)
{
	uint64_t share, sum = 0;
	unsigned count = 0;

	do {
		++*at;
		if (count == OCLMM_TURN_ENVIRONMENTS || !parse_number(at, OCLMM_TURN_WHOLE, &share))
			return false;
		ret_turn->share[count++] = (uint16_t)share;
		sum += share;
	} while (**at == ',');
	return count > 1 && sum == OCLMM_TURN_WHOLE;
}

bool oclmm_turns_parse(const char *text, struct oclmm_turns *ret_turns)
{
	struct oclmm_turns turns = {0};

	for (;; text++) {
		struct oclmm_turn *turn = &turns.at[turns.count];

		if (turns.count == OCLMM_TURNS_MOST ||
		    !parse_number(&text, OCLMM_TURN_BLOCK_MOST, &turn->block) || *text != ':' ||
		    !parse_shares(&text, turn) ||
		    (turns.count && turn->block <= turns.at[turns.count - 1].block))
			return false;
		turns.count++;
		if (!*text)
			break;
		if (*text != ';')
			return false;
	}
	*ret_turns = turns;
	return true;
}

void oclmm_turns_print(struct oclmm_text *text, const struct oclmm_turns *turns)
{
	for (uint32_t i = 0; i < turns->count; i++) {
		const struct oclmm_turn *turn = &turns->at[i];
		unsigned last = OCLMM_TURN_ENVIRONMENTS;

		/* an environment never has no share at all */
		while (last > 2 && turn->share[last - 1] == 0)
			last--;
		oclmm_text_printf(text, "%s%" PRIu64, i ? ";" : "", turn->block);
		for (unsigned k = 0; k < last; k++)
			oclmm_text_printf(text, "%s%u", k ? "," : ":", turn->share[k]);
	}
}
