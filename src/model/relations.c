// SPDX-License-Identifier: Apache-2.0
/* Relations between events. */
#include "internal.h"

void oclmm_closure(row *relation, unsigned count)
{
	row from = 0, to = 0;

	/* paths lead through events with both predecessors and successors, and closing adds no
	 * such event */
	for (unsigned i = 0; i < count; i++) {
		from |= relation[i] ? BIT(i) : 0;
		to |= relation[i];
	}
	FOR_EACH (k, from & to) {
		row through = relation[k];

		for (unsigned i = 0; i < count; i++)
			if (relation[i] & BIT(k))
				relation[i] |= through;
	}
}

void oclmm_compose(const row *first, const row *second, unsigned count, row *ret)
{
	for (unsigned i = 0; i < count; i++) {
		row sum = 0;

		FOR_EACH (k, first[i])
			sum |= second[k];
		ret[i] = sum;
	}
}

bool oclmm_is_acyclic(const row *relation, row members)
{
	/* remove events without successors, until nothing or only cycles remain */
	for (bool progress = true; progress && members;) {
		progress = false;
		FOR_EACH (i, members) {
			if (!(relation[i] & members)) {
				members &= ~BIT(i);
				progress = true;
			}
		}
	}
	return !members;
}
