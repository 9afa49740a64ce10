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

double oclmm_evidence_log_escape(const struct oclmm_evidence *evidence, size_t control)
{
	double sum = 0;

	for (size_t i = 0; i < evidence->block_count; i++) {
		const struct oclmm_evidence_blocks *blocks = &evidence->blocks[i];

		sum += (double)blocks->repeat *
		       oclmm_launches_log_escape(blocks->members[0], blocks->members[1 + control]);
	}
	return sum;
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

bool oclmm_evidence_reached(const struct oclmm_evidence *evidence, enum oclmm_control_kind kind,
                            double confidence)
{
	const struct oclmm_escape escape = oclmm_evidence_escape(evidence, kind);

	return escape.controls && escape.log <= log1p(-confidence);
}

double oclmm_detection_limit(uint64_t launches)
{
	/* (1 - 3/n)^n is below e^-3, which is below 5 % */
	return launches > 3 ? 3 / (double)launches : 1;
}
