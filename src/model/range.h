// SPDX-License-Identifier: Apache-2.0
/*
 * Sets of values of one type, as far as an interval and single bits tell them. A range holds all
 * values that it is made of, and maybe more.
 */
#ifndef OCLMM_MODEL_RANGE_H
#define OCLMM_MODEL_RANGE_H

#include "oclmm/ir.h"

struct range {
	enum oclmm_type type;
	int64_t least, greatest; /* in the order of the type */
	uint64_t may, must;      /* bits of its pattern: those not always clear, those always set */
};

bool oclmm_range_has(const struct range *range, int64_t value);
/* At most `most` of the values. \return how many; `*ret_all` says whether there are no others */
size_t oclmm_range_list(const struct range *range, size_t most, int64_t *ret_values, bool *ret_all);

#endif
