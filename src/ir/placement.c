// SPDX-License-Identifier: Apache-2.0
#include "oclmm/ir.h"

bool oclmm_same_work_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return !a->host && !b->host && a->device == b->device && a->work_group == b->work_group;
}

bool oclmm_same_sub_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return oclmm_same_work_group(a, b) && a->sub_group_given && b->sub_group_given &&
	       a->sub_group == b->sub_group;
}
