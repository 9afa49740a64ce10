// SPDX-License-Identifier: Apache-2.0
/*
 * How probable silence was. Had the device the bug as often per launch as the
 * control shows its outcome, test and control would differ by nothing but the
 * drawn order of a block: any h of its launches are hits with equal
 * probability. That is all that is used: no rate, no independence of instances
 * or blocks, nothing about drift. With one launch of each it is a fair coin per
 * hit.
 */
#include <math.h>
#include <stdlib.h>

#include "oclmm/evidence.h"

double oclmm_launches_log_escape(struct oclmm_launches test, struct oclmm_launches control)
{
	uint64_t t = test.launches, c = control.launches, h = control.hits;
	double sum = 0;

	if (test.hits || !t || !h)
		return 0;
	/* C(c, h) / C(c + t, h) two ways, whichever has fewer factors */
	if (h < t) {
		for (uint64_t i = 0; i < h; i++)
			sum += log1p(-(double)t / (double)(c + t - i));
	} else {
		for (uint64_t j = 1; j <= t; j++)
			sum += log1p(-(double)h / (double)(c + j));
	}
	return sum;
}

/* Less than a quarter as often per round as the control's roles. Launches meet in bursts, so that a
 * factor of two says little. */
static bool is_seldom(struct oclmm_meeting test, struct oclmm_meeting control)
{
	return 4 * (double)test.met * (double)control.rounds <
	       (double)control.met * (double)test.rounds;
}

/* The level at which a value is said to be seldom in the test, of all values together. */
static const double LEVEL = 1e-3;

/* Of n fair coins, that so many or more fall on one side; of very many a bound of it (Hoeffding).
 */
static double probability_of_coins(uint64_t n, uint64_t many)
{
	enum { EXACT_MOST = 4096 };
	double far = (double)many - (double)n / 2, term, sum = 0;

	if (far <= 0)
		return 1;
	if (n > EXACT_MOST)
		return exp(-2 * far * far / (double)n);
	term = exp(lgamma((double)n + 1) - lgamma((double)many + 1) -
	           lgamma((double)(n - many) + 1) - (double)n * log(2));
	for (uint64_t i = many; i <= n; i++) {
		sum += term;
		term *= (double)(n - i) / (double)(i + 1);
	}
	return sum;
}

static bool is_clear(const struct oclmm_evidence_control *control,
                     const struct oclmm_value_counts *counts)
{
	return oclmm_counts_seldom(counts->test, counts->control) &&
	       counts->fewer <= counts->blocks &&
	       (double)control->values * probability_of_coins(counts->blocks, counts->fewer) <=
	               LEVEL;
}

const struct oclmm_value_counts *oclmm_evidence_seldom(const struct oclmm_evidence *evidence,
                                                       size_t control)
{
	const struct oclmm_evidence_control *own = &evidence->controls[control];

	for (size_t i = 0; i < own->seldom_count; i++)
		if (is_clear(own, &own->seldom[i]))
			return &own->seldom[i];
	return NULL;
}

/* The part of the control's launches that the test's values are worth: that which the test showed
 * of one that it showed seldom, whether that is clear or not. A load may be a constant in most
 * launches, and then that many of them could not have shown anything. */
static double worth_of_values(const struct oclmm_evidence *evidence, size_t control)
{
	const struct oclmm_evidence_control *own = &evidence->controls[control];
	double worth = 1;

	for (size_t i = 0; i < own->seldom_count; i++) {
		const struct oclmm_value_counts *counts = &own->seldom[i];

		if (oclmm_counts_seldom(counts->test, counts->control))
			worth = fmin(worth, (double)counts->test / (double)counts->control);
	}
	return worth;
}

enum oclmm_met oclmm_evidence_met(const struct oclmm_evidence *evidence, size_t control)
{
	const struct oclmm_meeting test = evidence->meeting;
	const struct oclmm_meeting other = evidence->controls[control].meeting;

	if (!test.outcomes)
		return OCLMM_MET_UNTOLD;
	if (test.rounds && !test.met)
		return OCLMM_MET_NEVER;
	if (test.outcomes == 1 && other.outcomes > 1)
		return OCLMM_MET_ONE_OUTCOME;
	if (other.varied & ~test.varied)
		return OCLMM_MET_ONE_VALUE;
	if (oclmm_evidence_seldom(evidence, control))
		return OCLMM_MET_SELDOM_VALUE;
	if (!test.rounds || !other.rounds)
		return OCLMM_MET_UNTOLD;
	return is_seldom(test, other) ? OCLMM_MET_SELDOM : OCLMM_MET_ALIKE;
}

/* The part of the control's launches that its test's meetings and values are worth. */
static double worth_of_launches(const struct oclmm_evidence *evidence, size_t control)
{
	double part = 1;

	switch (oclmm_evidence_met(evidence, control)) {
	case OCLMM_MET_NEVER:
	case OCLMM_MET_SELDOM_VALUE:
	case OCLMM_MET_ONE_VALUE:
	case OCLMM_MET_ONE_OUTCOME: return 0;
	case OCLMM_MET_SELDOM:
		part = (double)evidence->meeting.met /
		       (double)evidence->controls[control].meeting.met;
		break;
	case OCLMM_MET_UNTOLD:
	case OCLMM_MET_ALIKE: break;
	}
	return fmin(fmin(part, 1), worth_of_values(evidence, control));
}

double oclmm_evidence_log_escape(const struct oclmm_evidence *evidence, size_t control)
{
	double sum = 0;

	for (size_t i = 0; i < evidence->block_count; i++) {
		const struct oclmm_evidence_blocks *blocks = &evidence->blocks[i];

		sum += (double)blocks->repeat *
		       oclmm_launches_log_escape(blocks->members[0], blocks->members[1 + control]);
	}
	return sum < 0 ? sum * worth_of_launches(evidence, control) : 0;
}

struct oclmm_escape oclmm_evidence_escape(const struct oclmm_evidence *evidence,
                                          enum oclmm_control_kind kind)
{
	struct oclmm_escape escape = {0};
	double least = INFINITY;

	for (size_t i = 0; i < evidence->control_count; i++) {
		double one;

		if (evidence->controls[i].kind != kind)
			continue;
		one = oclmm_evidence_log_escape(evidence, i);
		escape.controls++;
		escape.hit += oclmm_evidence_sum(evidence, 1 + i).hits > 0;
		if (one < least) {
			least = one;
			escape.best = i;
		}
	}
	/* which of them speaks was not fixed beforehand */
	if (escape.controls)
		escape.log = fmin(0, least + log((double)escape.controls));
	return escape;
}

/* ---- the detection limit ---- */

/* Hits that a control should have before they say how launches hang together; blocks, and those
 * from one to the next, that are looked at: of more the first say enough. */
enum { HITS_LEAST = 10, BLOCKS_MOST = 1 << 14, APART_MOST = 256 };

/* How far a control's hits in each block are from what its rate lets one expect. */
static double *deviations(const struct oclmm_evidence *evidence, size_t member, double rate,
                          size_t *ret_count, double *ret_launches)
{
	size_t count = 0, capacity = 0;
	double *far = NULL, launches = 0;

	for (size_t i = 0; i < evidence->block_count; i++) {
		const struct oclmm_evidence_blocks *blocks = &evidence->blocks[i];
		const struct oclmm_launches *own = &blocks->members[member];

		for (uint64_t k = 0; own->launches && k < blocks->repeat && count < BLOCKS_MOST;
		     k++) {
			oclmm_grow(&far, &capacity, count, sizeof(*far));
			far[count++] = (double)own->hits - rate * (double)own->launches;
			launches += (double)own->launches;
		}
	}
	*ret_count = count;
	*ret_launches = launches;
	return far;
}

static double product(const double *far, size_t count, size_t apart)
{
	double sum = 0;

	for (size_t i = apart; i < count; i++)
		sum += far[i] * far[i - apart];
	return sum;
}

/*
 * The variance of the number of hits beside that of independent launches: inside of blocks, and
 * between those that follow each other for as long as these are alike beyond what chance makes
 * of so many (two standard deviations).
 */
static double dispersion_of(const struct oclmm_evidence *evidence, size_t member)
{
	const struct oclmm_launches all = oclmm_evidence_sum(evidence, member);
	double rate = (double)all.hits / (double)all.launches, own, sum, next, launches;
	size_t count;
	double *far = deviations(evidence, member, rate, &count, &launches);

	own = sum = product(far, count, 0);
	for (size_t apart = 1; apart < count / 2 && apart < APART_MOST; apart++) {
		next = product(far, count, apart);
		if (next * sqrt((double)count) < 2 * own)
			break;
		sum += 2 * next;
	}
	free(far);
	return sum / (launches * rate * (1 - rate));
}

double oclmm_evidence_dispersion(const struct oclmm_evidence *evidence)
{
	double most = 1;

	for (size_t i = 1; i <= evidence->control_count; i++) {
		const struct oclmm_launches all = oclmm_evidence_sum(evidence, i);

		if (all.hits >= HITS_LEAST && all.hits < all.launches)
			most = fmax(most, dispersion_of(evidence, i));
	}
	/* within what chance makes of a few hits they are independent */
	return most < 2 ? 1 : most;
}

double oclmm_detection_limit(uint64_t launches, double dispersion)
{
	/* (1 - 3/n)^n is below e^-3, which is below 5 % */
	double limit = launches ? 3 * dispersion / (double)launches : 1;

	return limit < 1 ? limit : 1;
}
