// SPDX-License-Identifier: Apache-2.0
/* Environments: what their numbers come to, which are refused, and how they are written. */
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint32_t oclmm_power_at_least(uint32_t n)
{
	uint32_t power = 1;

	while (power < n && power < 1u << 30)
		power *= 2;
	return power;
}

uint32_t oclmm_power_at_most(uint64_t n)
{
	uint32_t power = 1;

	while ((uint64_t)power * 2 <= n && power < 1u << 30)
		power *= 2;
	return power;
}

uint32_t oclmm_environment_instances(const struct oclmm_environment *environment)
{
	return environment->groups * environment->lanes * environment->rounds;
}

uint32_t oclmm_environment_places(const struct oclmm_environment *environment,
                                  const struct oclmm_kernel_plan *plan)
{
	return environment->groups * (environment->split ? plan->work_groups : 1);
}

uint32_t oclmm_environment_width(const struct oclmm_environment *environment,
                                 const struct oclmm_kernel_plan *plan)
{
	return environment->lanes * (environment->split ? plan->crowd : 1);
}

uint64_t oclmm_environment_stress(const struct oclmm_environment *environment,
                                  const struct oclmm_kernel_plan *plan)
{
	uint64_t width = oclmm_environment_width(environment, plan);

	return width * oclmm_environment_places(environment, plan) * environment->pre_stress +
	       width * environment->stress_groups * environment->stress +
	       width * environment->queue_groups * environment->queue_stress;
}

uint32_t oclmm_environment_dimensions(const struct oclmm_environment *environment)
{
	return environment->dimensions ? environment->dimensions : 1;
}

/* Objects at program scope and images, of which devices have no more than so much. */
bool oclmm_environment_fits_alone(const struct oclmm_environment *e,
                                  const struct oclmm_kernel_plan *plan)
{
	uint64_t apart = (uint64_t)oclmm_environment_instances(e) * e->stride;

	return apart * plan->program_bytes <= OCLMM_KERNEL_PROGRAM_BYTES &&
	       apart * plan->image_elements <= OCLMM_KERNEL_IMAGE_ELEMENTS;
}

bool oclmm_environment_fits_queue(const struct oclmm_environment *e,
                                  const struct oclmm_kernel_plan *plan)
{
	return (uint64_t)oclmm_environment_instances(e) * plan->children <= OCLMM_KERNEL_CHILDREN;
}

/* As many cells as lanes in all groups; a round of the environment is one of the program's. */
void oclmm_environment_commands(struct oclmm_environment *ret_environment)
{
	*ret_environment = (struct oclmm_environment){.groups = 256,
	                                              .lanes = 64,
	                                              .rounds = 16,
	                                              .offset = 100003,
	                                              .stride = 1,
	                                              .poll_every = 1,
	                                              .stress_lines = 1,
	                                              .stress_stride = 1,
	                                              .count_lanes = 64,
	                                              .count_each = 1};
}

void oclmm_environment_count_alone(struct oclmm_environment *e,
                                   const struct oclmm_kernel_plan *plan)
{
	/* some devices end a loop after 65,535 turns */
	enum { INSTANCES = 1 << 15 };

	while (oclmm_environment_instances(e) > INSTANCES && e->rounds > 1)
		e->rounds /= 2;
	while (oclmm_environment_instances(e) > INSTANCES &&
	       e->groups / 2 >= oclmm_larger(plan->work_groups, 2))
		e->groups /= 2;
	e->direct = 0;
	e->count_chunked = 1;
	e->count_lanes = 1;
	e->count_each = oclmm_power_at_least(oclmm_environment_instances(e));
}

void oclmm_environment_shorten(struct oclmm_environment *e, const struct oclmm_device_info *info,
                               const struct oclmm_kernel_plan *plan, uint64_t enough)
{
	/* below these, starting a launch is most of it, and its groups hardly meet */
	enum { CPU_LEAST = 1 << 13, GPU_LEAST = 1 << 18, GPU_GROUPS_PER_UNIT = 8 };
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint64_t least = cpu ? CPU_LEAST : GPU_LEAST;
	uint32_t groups = cpu ? e->groups
	                      : oclmm_power_at_least(oclmm_device_units(info) *
	                                             GPU_GROUPS_PER_UNIT);

	least = enough > least ? enough : least;
	while (oclmm_environment_instances(e) / 2 >= least && e->rounds % 2 == 0)
		e->rounds /= 2;
	while (oclmm_environment_instances(e) / 2 >= least && e->groups % 2 == 0 &&
	       e->groups / 2 >= oclmm_larger(groups, plan->work_groups))
		e->groups /= 2;
}

/* ---- what no environment may ask for: of any device and program, and of one of them ---- */

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

/* ---- as one line of text, `groups=2 lanes=1 …`, for records, profiles and options ---- */

static const struct {
	const char *name;
	size_t offset;
} fields[] = {
#define OCLMM_X(field, meaning) {#field, offsetof(struct oclmm_environment, field)},
	OCLMM_ENVIRONMENT(OCLMM_X)
#undef OCLMM_X
};

static uint32_t *field_of(struct oclmm_environment *environment, size_t index)
{
	return (uint32_t *)(void *)((char *)environment + fields[index].offset);
}

static int read_setting(const char *name, size_t length, const char *value,
                        struct oclmm_environment *environment, const char **ret_end,
                        struct oclmm_error *error)
{
	for (size_t i = 0; i < OCLMM_COUNT(fields); i++) {
		unsigned long number;
		char *end;

		if (strlen(fields[i].name) != length || memcmp(fields[i].name, name, length) != 0)
			continue;
		errno = 0;
		number = strtoul(value, &end, 10);
		if (!isdigit((unsigned char)*value) || errno || number > UINT32_MAX ||
		    (*end && !isspace((unsigned char)*end)))
			return oclmm_error_set(error, -EINVAL,
			                       "'%s' is not a number that %s can have", value,
			                       fields[i].name);
		*field_of(environment, i) = (uint32_t)number;
		*ret_end = end;
		return 0;
	}
	return oclmm_error_set(error, -EINVAL, "an environment has no field '%.*s'", (int)length,
	                       name);
}

int oclmm_environment_parse(const char *text, struct oclmm_error *error,
                            struct oclmm_environment *environment)
{
	struct oclmm_environment changed = *environment;

	for (;;) {
		size_t length;
		int r;

		text += strspn(text, " \t\n");
		if (!*text)
			break;
		length = strcspn(text, "= \t\n");
		if (text[length] != '=')
			return oclmm_error_set(error, -EINVAL, "'%.*s' has no value", (int)length,
			                       text);
		r = read_setting(text, length, text + length + 1, &changed, &text, error);
		if (r < 0)
			return r;
	}
	*environment = changed;
	return 0;
}
