// SPDX-License-Identifier: Apache-2.0
/*
 * The readings of the text that are evaluated: three regimes times the
 * alternatives of the knobs that can matter for this program. A knob that
 * nothing in the program touches is left at its default, so that the product
 * stays small; leaving it out changes no answer.
 */
#include <string.h>

#include "internal.h"

static unsigned relevant_alternatives(const struct traits *t)
{
	unsigned relevant = 0;

	if (t->seq_cst)
		relevant |= ALT_K2 | ALT_K8;
	if (t->seq_cst_fence)
		relevant |= ALT_K4;
	if (t->seq_cst_atomic && t->both_regions)
		relevant |= ALT_K3;
	if (t->release_acquire)
		relevant |= ALT_K5;
	if (t->value_cycle)
		relevant |= ALT_K6;
	if (t->legacy)
		relevant |= ALT_K7;
	return relevant;
}

static unsigned add(struct setting_list *list, enum regime regime, unsigned alternatives)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].regime == regime && list->items[i].alternatives == alternatives)
			return i;
	list->items[list->count] = (struct setting){regime, alternatives};
	return list->count++;
}

void oclmm_settings_choose(const struct traits *traits, unsigned models, struct setting_list *ret)
{
	static const enum oclmm_model of_regime[] = {
		[REGIME_2_0] = OCLMM_MODEL_OPENCL_2_0,
		[REGIME_2_1] = OCLMM_MODEL_OPENCL_2_1,
		[REGIME_3_1] = OCLMM_MODEL_OPENCL_3_1,
		[REGIME_SCOPED] = OCLMM_MODEL_SCOPED,
	};
	unsigned relevant = relevant_alternatives(traits);

	memset(ret, 0, sizeof(*ret));
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++)
		ret->of_model[m] = -1;
	for (enum regime r = 0; r < REGIME_COUNT; r++)
		if (models & 1u << of_regime[r])
			ret->of_model[of_regime[r]] = (int)add(ret, r, 0);
	if (!(models & 1u << OCLMM_MODEL_CONSENSUS))
		return;
	for (enum regime r = REGIME_2_0; r <= REGIME_3_1; r++)
		for (unsigned a = 0; a < 1u << ALT_COUNT; a++)
			if (!(a & ~relevant))
				setting_add(&ret->consensus, add(ret, r, a));
}
