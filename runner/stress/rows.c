// SPDX-License-Identifier: Apache-2.0
/* How the work-groups of a launch, and the work-items of a group, lie in rows. */
#include "internal.h"

/* The largest number that divides n and whose power is at most n. */
static size_t root_of(size_t n, cl_uint power)
{
	size_t root = 1, best = 1;

	for (; power > 1; root++) {
		if ((power == 2 ? root * root : root * root * root) > n)
			return best;
		if (n % root == 0)
			best = root;
	}
	return n;
}

void oclmm_rows(size_t count, cl_uint dimensions, size_t ret_sides[3])
{
	ret_sides[2] = dimensions > 2 ? root_of(count, 3) : 1;
	count /= ret_sides[2];
	ret_sides[1] = dimensions > 1 ? root_of(count, 2) : 1;
	ret_sides[0] = count / ret_sides[1];
}

/* A folded group has a row for each sub-group; else the device's own division of a row is asked
 * for. */
static void shape_group(const struct oclmm_session *session,
                        const struct oclmm_environment *environment,
                        const struct oclmm_parameters *p, cl_uint dimensions, size_t ret_sides[3])
{
	bool folded = session->folded[environment - session->environments];

	if (!session->plan.in_sub_groups) {
		oclmm_rows(p->width, dimensions, ret_sides);
		return;
	}
	ret_sides[0] = folded ? p->sub_lanes : p->width;
	ret_sides[1] = folded ? p->sub_groups : 1;
	ret_sides[2] = 1;
}

void oclmm_range_of(const struct oclmm_session *session,
                    const struct oclmm_environment *environment, const struct oclmm_parameters *p,
                    struct oclmm_range *ret_range)
{
	cl_uint dimensions = oclmm_environment_dimensions(environment);
	struct oclmm_range range = {
		.dimensions = dimensions,
		.offset = {p->offset_x, p->offset_y, p->offset_z},
	};
	size_t groups[3];

	shape_group(session, environment, p, dimensions, range.local);
	if (range.local[1] > 1 && dimensions == 1)
		range.dimensions = 2;
	/* few groups are to have rows, too: there the last dimension is the longest */
	oclmm_rows(p->all_groups, dimensions, groups);
	for (cl_uint i = 0; i < 3; i++)
		range.global[i] = range.local[i] * groups[i < dimensions ? dimensions - 1 - i : i];
	*ret_range = range;
}
