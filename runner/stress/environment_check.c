// SPDX-License-Identifier: Apache-2.0
/* What no environment may ask for: of any device and program, and of one of them. */
#include "internal.h"

#include <errno.h>
#include <inttypes.h>

#define REFUSE_UNLESS(condition, ...)                                                              \
	do {                                                                                       \
		if (!(condition))                                                                  \
			return oclmm_error_set(error, -EINVAL, __VA_ARGS__);                       \
	} while (0)

/* How many there are of everything, for any device and test. */
static int check_amounts(const struct oclmm_environment *e, struct oclmm_error *error)
{
	enum { OFFSET_MOST = 1 << 30 };

	REFUSE_UNLESS(e->groups > 0 && e->groups <= 1u << 24, "groups must be 1 to %u", 1u << 24);
	REFUSE_UNLESS(e->lanes > 0 && e->lanes <= 1u << 24, "lanes must be 1 to %u", 1u << 24);
	REFUSE_UNLESS(e->rounds > 0, "rounds must be at least 1");
	REFUSE_UNLESS((uint64_t)e->groups * e->lanes <= 1u << 24 &&
	                      (uint64_t)e->groups * e->lanes * e->rounds <= 1u << 24,
	              "more than %u instances in one launch", 1u << 24);
	REFUSE_UNLESS(e->split <= OCLMM_SPLIT_NEIGHBOURS, "split must be 0 to 3");
	REFUSE_UNLESS(e->offset <= OFFSET_MOST, "offset must be at most %d", OFFSET_MOST);
	REFUSE_UNLESS(e->dimensions <= 3, "dimensions must be 0 to 3");
	return 0;
}

/* How often a launch does something. */
static int check_percentages(const struct oclmm_environment *e, struct oclmm_error *error)
{
	const struct {
		const char *name;
		uint32_t value;
	} percentages[] = {
		{"shuffle_locations", e->shuffle_locations},
		{"shuffle_groups", e->shuffle_groups},
		{"far_groups", e->far_groups},
		{"shuffle_lanes", e->shuffle_lanes},
		{"reverse_results", e->reverse_results},
	};

	for (size_t i = 0; i < OCLMM_COUNT(percentages); i++)
		REFUSE_UNLESS(percentages[i].value <= 100, "%s must be 0 to 100, a percentage",
		              percentages[i].name);
	return 0;
}

static int check_stress(const struct oclmm_environment *e, struct oclmm_error *error)
{
	REFUSE_UNLESS(e->stress_groups <= 1u << 16, "more than %u stress groups", 1u << 16);
	REFUSE_UNLESS(e->stress <= 1u << 20 && e->pre_stress <= 1u << 16,
	              "too many stress operations");
	REFUSE_UNLESS(e->queue_groups <= 1u << 16, "more than %u groups in the second queue",
	              1u << 16);
	REFUSE_UNLESS(e->queue_stress <= 1u << 20, "queue_stress must be at most %u", 1u << 20);
	REFUSE_UNLESS(e->stress_pattern <= 4, "stress_pattern must be 0 to 4");
	REFUSE_UNLESS(oclmm_is_power(e->stress_lines) && e->stress_lines <= 1u << 16,
	              "stress_lines must be a power of two");
	REFUSE_UNLESS(e->stress_stride >= 1 && e->stress_stride <= 1u << 12,
	              "stress_stride must be 1 to 4096");
	return 0;
}

int oclmm_environment_check_alone(const struct oclmm_environment *e, struct oclmm_error *error)
{
	int r = check_amounts(e, error);

	if (r == 0)
		r = check_percentages(e, error);
	if (r == 0)
		r = check_stress(e, error);
	if (r < 0)
		return r;
	REFUSE_UNLESS(e->stride >= 1 && e->stride <= 4096, "stride must be 1 to 4096");
	REFUSE_UNLESS((uint64_t)oclmm_environment_instances(e) * e->stride <= OCLMM_SLOTS_MOST,
	              "stride=%u lets %u instances need more than 16 GiB of memory", e->stride,
	              oclmm_environment_instances(e));
	REFUSE_UNLESS(e->interleaved <= 1, "interleaved must be 0 or 1");
	REFUSE_UNLESS(e->gap % 8 == 0 && e->gap <= 1u << 20,
	              "gap must be a multiple of 8 up to 1048576");
	REFUSE_UNLESS(oclmm_is_power(e->poll_every), "poll_every must be a power of two, not %u",
	              e->poll_every);
	REFUSE_UNLESS(e->poll_budget <= 1u << 24, "poll_budget must be at most %u", 1u << 24);
	REFUSE_UNLESS(e->direct <= 1, "direct must be 0 or 1");
	REFUSE_UNLESS(e->count_chunked <= OCLMM_COUNT_QUADS, "count_chunked must be 0 to %d",
	              OCLMM_COUNT_QUADS);
	REFUSE_UNLESS(oclmm_is_power(e->count_lanes), "count_lanes must be a power of two");
	REFUSE_UNLESS(oclmm_is_power(e->count_each), "count_each must be a power of two");
	return 0;
}

/* How many there are of everything, for this device and test. */
static int check_counts(const struct oclmm_environment *e, const struct oclmm_device_info *info,
                        const struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	uint64_t width, places;

	REFUSE_UNLESS(!e->split || !plan->in_sub_groups,
	              "split is not for tests that are placed in sub-groups");
	REFUSE_UNLESS(e->split || e->groups >= plan->work_groups,
	              "the test needs at least %u groups", plan->work_groups);
	REFUSE_UNLESS(e->split || e->lanes >= plan->crowd, "the test needs at least %u lanes",
	              plan->crowd);
	places = (uint64_t)e->groups * (e->split ? plan->work_groups : 1);
	width = (uint64_t)e->lanes * (e->split ? plan->crowd : 1);
	REFUSE_UNLESS(width <= info->max_work_group_size, "the device has at most %zu lanes",
	              info->max_work_group_size);
	REFUSE_UNLESS(places * width <= 1u << 26, "more than %u work-items in one launch",
	              1u << 26);
	REFUSE_UNLESS(oclmm_environment_stress(e, plan) <= OCLMM_STRESS_MOST,
	              "more than %" PRIu64 " stress operations in one launch",
	              (uint64_t)OCLMM_STRESS_MOST);
	REFUSE_UNLESS((uint64_t)e->lanes * plan->local_bytes <= info->local_memory ||
	                      !plan->has_local,
	              "%u lanes need more local memory than the device has", e->lanes);
	return 0;
}

static int check_sub_groups(const struct oclmm_environment *e, const struct oclmm_kernel_plan *plan,
                            struct oclmm_error *error)
{
	if (!plan->in_sub_groups)
		return 0;
	if (e->sub_lanes == 0) {
		REFUSE_UNLESS(e->lanes >= (uint64_t)plan->sub_crowd * plan->sub_groups,
		              "the test needs at least %u lanes",
		              plan->sub_crowd * plan->sub_groups);
		return 0;
	}
	REFUSE_UNLESS(e->lanes % e->sub_lanes == 0, "lanes must be a multiple of sub_lanes");
	REFUSE_UNLESS(e->sub_lanes >= plan->sub_crowd, "the test needs sub-groups of at least %u",
	              plan->sub_crowd);
	REFUSE_UNLESS(e->lanes / e->sub_lanes >= plan->sub_groups,
	              "the test needs at least %u sub-groups", plan->sub_groups);
	return 0;
}

int oclmm_environment_check(const struct oclmm_environment *e, const struct oclmm_device_info *info,
                            const struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	int r = oclmm_environment_check_alone(e, error);

	if (r == 0)
		r = check_counts(e, info, plan, error);
	if (r == 0)
		r = check_sub_groups(e, plan, error);
	if (r < 0)
		return r;
	REFUSE_UNLESS(plan->image_elements == 0 || oclmm_environment_fits_alone(e, plan),
	              "%u instances need larger images than %u elements",
	              oclmm_environment_instances(e), OCLMM_KERNEL_IMAGE_ELEMENTS);
	REFUSE_UNLESS(oclmm_environment_fits_alone(e, plan),
	              "%u instances need larger variables at program scope than %u bytes",
	              oclmm_environment_instances(e), OCLMM_KERNEL_PROGRAM_BYTES);
	REFUSE_UNLESS(oclmm_environment_fits_queue(e, plan),
	              "%u instances enqueue more than %u kernels", oclmm_environment_instances(e),
	              OCLMM_KERNEL_CHILDREN);
	REFUSE_UNLESS(e->count_lanes <= info->max_work_group_size,
	              "the device does not take count_lanes=%u", e->count_lanes);
	return 0;
}
