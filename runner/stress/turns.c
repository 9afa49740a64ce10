// SPDX-License-Identifier: Apache-2.0
/*
 * Which environment a block of launches is in. First all have equal turns; then time goes to them
 * by what they yield, with a floor for each, so that bugs of a kind that only one shows keep their
 * chance.
 *
 * What a share is decided by are earlier launches of those programs whose outcome is allowed, a
 * test's controls above all, and never what a test shows that may not show it: in every block a
 * test and its controls are in one environment, equally often and in an order that is drawn, so
 * that a choice which was made before the block favours none of them. Decisions are recorded, since
 * they depend on the device; a replay is given them.
 */
#include "internal.h"

#include <string.h>

/* Blocks in one environment before the next one's turn, because a change costs a launch that sets
 * up. */
enum { TURN = 4 };
/* Turns of each environment before the first decision; not measured. */
enum { TRIALS = 5 };
/* The part of the time that is shared equally, whatever environments yield. */
static const double FLOOR = 0.2;

uint32_t oclmm_turn_of(const struct oclmm_turns *turns, uint32_t environments, uint64_t block)
{
	static const char name[] = "turns of environments";
	const struct oclmm_turn *turn = NULL;
	uint64_t drawn;
	uint32_t which = 0;

	for (uint32_t i = 0; i < turns->count && turns->at[i].block <= block; i++)
		turn = &turns->at[i];
	/* one block in each, so that a short run has seen them all, then some in a row */
	if (!turn)
		return (uint32_t)((block < environments ? block : block / TURN) % environments);
	/* not by the seed: a test has the same environments in whatever company it runs */
	drawn = oclmm_random_below(oclmm_random_derive(0, name), block / TURN, OCLMM_TURN_WHOLE);
	while (which + 1 < environments && drawn >= turn->share[which])
		drawn -= turn->share[which++];
	return which;
}

uint64_t oclmm_turns_first(uint32_t environments, uint64_t block)
{
	return block + (uint64_t)TRIALS * environments;
}

/* Of turns, so that each environment has its share of the time. */
static void fill_shares(const double *parts, uint32_t count, struct oclmm_turn *turn)
{
	uint32_t left = OCLMM_TURN_WHOLE, most = 0;
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += parts[i];
	for (uint32_t i = 0; i < count; i++) {
		double share = parts[i] / sum * OCLMM_TURN_WHOLE;

		turn->share[i] = share < 1 ? 1 : (uint16_t)share;
		most = turn->share[i] > turn->share[most] ? i : most;
		left -= turn->share[i];
	}
	/* what rounding left, or took */
	turn->share[most] = (uint16_t)(turn->share[most] + left);
}

/*
 * The rest of the time goes by the fourth power of what they yield in a second: of two of which one
 * yields half as much it has a sixteenth, so that the better one is at work nearly always (H200,
 * IRIW: 0.40 of what the best one yields alone by the second power, which gives a quarter; the
 * third was not measured).
 */
static double preference(double rate)
{
	return rate * rate * rate * rate;
}

bool oclmm_turns_decide(struct oclmm_turns *turns, const struct oclmm_yield *yields, uint32_t count,
                        uint64_t block)
{
	double rates[OCLMM_ENVIRONMENTS_MAX], parts[OCLMM_ENVIRONMENTS_MAX];
	double best = 0, sum = 0, seconds = 0;
	struct oclmm_turn turn = {.block = block};
	uint64_t launches = 0, hits = 0;

	if (count < 2 || turns->count == OCLMM_TURNS_MOST ||
	    (turns->count && turns->at[turns->count - 1].block >= block))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct oclmm_yield *y = &yields[i];

		/* one more: a first hit is no rate yet */
		rates[i] = y->seconds > 0 ? ((double)y->hits + 1) / y->seconds : 0;
		best = rates[i] > best ? rates[i] : best;
		seconds += y->seconds;
		launches += y->launches;
		hits += y->hits;
	}
	if (hits == 0 || best <= 0)
		return false;
	for (uint32_t i = 0; i < count; i++)
		sum += preference(rates[i] / best);
	for (uint32_t i = 0; i < count; i++) {
		const struct oclmm_yield *y = &yields[i];
		double time = FLOOR / count + (1 - FLOOR) * preference(rates[i] / best) / sum;
		double each = y->launches && y->seconds > 0 ? y->seconds / (double)y->launches
		                                            : seconds / (double)launches;

		parts[i] = time / each;
	}
	fill_shares(parts, count, &turn);
	turns->at[turns->count++] = turn;
	return true;
}
