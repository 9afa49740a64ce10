// SPDX-License-Identifier: Apache-2.0
/*
 * The readings of the text that are evaluated: the regimes times the
 * alternatives of the knobs that can matter for this program. A knob that
 * nothing in the program touches is left at its default, so that the product
 * stays small; leaving it out changes no answer.
 */
#include "internal.h"

static unsigned relevant_alternatives(const struct traits *t)
{
	unsigned relevant = 0;

	if (t->seq_cst)
		relevant |= ALT_K2 | ALT_K8;
	if (t->seq_cst_fence)
		relevant |= ALT_K10;
	if (t->narrow_fence)
		relevant |= ALT_K4;
	if (t->seq_cst_atomic && t->both_regions)
		relevant |= ALT_K3;
	if (t->release_acquire)
		relevant |= ALT_K5;
	if (t->value_cycle)
		relevant |= ALT_K6;
	if (t->legacy)
		relevant |= ALT_K7;
	if (t->legacy_compare)
		relevant |= ALT_K9;
	if (t->one_way_fence)
		relevant |= ALT_K11;
	if (t->waits)
		relevant |= ALT_K12;
	if (t->enqueues)
		relevant |= ALT_K13;
	return relevant;
}

/* All subsets of `knobs`, the empty one first. */
static void add_subsets(struct setting_list *list, enum oclmm_model regime, unsigned knobs)
{
	unsigned alternatives = 0;

	do {
		list->items[list->count++] = (struct oclmm_reading){regime, alternatives};
		alternatives = (alternatives - knobs) & knobs;
	} while (alternatives);
}

void oclmm_settings_choose(const struct traits *traits, unsigned models, struct setting_list *ret)
{
	unsigned relevant = relevant_alternatives(traits), world = 0;
	bool consensus = models & 1u << OCLMM_MODEL_CONSENSUS, versions = false;

	ret->count = ret->world_count = 0;
	for (enum oclmm_model r = 0; r < REGIME_COUNT; r++) {
		unsigned knobs = relevant & ~(unsigned)ALT_EVENTS;

		if (!(models & 1u << r) && (!consensus || r == OCLMM_MODEL_SCOPED))
			continue;
		/* only 2.0 has conditions for the order; `scoped` is one reading */
		if (r != OCLMM_MODEL_OPENCL_2_0)
			knobs &= ~(unsigned)ALT_K10;
		add_subsets(ret, r, r == OCLMM_MODEL_SCOPED ? 0 : knobs);
		versions |= r != OCLMM_MODEL_SCOPED;
	}
	do {
		ret->worlds[ret->world_count++] = world;
		world = (world - (relevant & ALT_EVENTS)) & relevant & ALT_EVENTS;
	} while (world && versions);
}
