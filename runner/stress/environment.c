// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Environments: what their numbers come to, which are refused, and how they are written. */

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
static bool oclmm_environment_fits_alone(const struct oclmm_environment *e,
                                         const struct oclmm_kernel_plan *plan)
{
	uint64_t apart = (uint64_t)oclmm_environment_instances(e) * e->stride;

	return apart * plan->program_bytes <= OCLMM_KERNEL_PROGRAM_BYTES &&
	       apart * plan->image_elements <= OCLMM_KERNEL_IMAGE_ELEMENTS;
}

static bool oclmm_environment_fits_queue(const struct oclmm_environment *e,
                                         const struct oclmm_kernel_plan *plan)
{
	return (uint64_t)oclmm_environment_instances(e) * plan->children <= OCLMM_KERNEL_CHILDREN;
}

/* A global offset: any prime of more than 16 bits would do, so that no lost bit of a number stays
 * unseen. */
enum { OFFSET = 100003 };

/* As many cells as lanes in all groups; a round of the environment is one of the program's. Of half
 * as many rounds PoCL shows less (docs/performance.md); the other numbers were not measured. */
void oclmm_environment_commands(struct oclmm_environment *ret_environment)
{
	enum { GROUPS = 256, LANES = 64, ROUNDS = 16 };

	*ret_environment = (struct oclmm_environment){.groups = GROUPS,
	                                              .lanes = LANES,
	                                              .rounds = ROUNDS,
	                                              .offset = OFFSET,
	                                              .stride = 1,
	                                              .poll_every = 1,
	                                              .stress_lines = 1,
	                                              .stress_stride = 1,
	                                              .count_lanes = LANES,
	                                              .count_each = 1};
}

/* Each work-group is an instance; how many of them was not measured. */
void oclmm_environment_whole(const struct oclmm_device_info *info, uint64_t instances,
                             struct oclmm_environment *ret_environment)
{
	/* a launch of 1,024 and reading what it left take a GPU 0.3 ms, whatever is launched */
	enum { LEAST = 1024, GPU_MOST = 16384 };
	uint32_t groups = LEAST;

	while (!(info->type & CL_DEVICE_TYPE_CPU) && groups < GPU_MOST && groups < instances)
		groups *= 2;
	oclmm_environment_commands(ret_environment);
	ret_environment->groups = groups;
	ret_environment->lanes = ret_environment->rounds = 1;
	ret_environment->offset = 0;
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
	REFUSE_UNLESS(e->few_groups <= info->max_work_group_size,
	              "few_groups must be at most %zu, the lanes that the device has",
	              info->max_work_group_size);
	REFUSE_UNLESS((uint64_t)oclmm_larger(e->lanes, e->few_groups) * plan->local_bytes <=
	                              info->local_memory ||
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

/* ---- which text they take ---------------------------------------------------- */

bool oclmm_takes_any_count(uint32_t groups, uint32_t lanes, uint32_t rounds,
                           const struct oclmm_kernel_plan *plan)
{
	return plan->in_sub_groups || !oclmm_is_power(groups) || !oclmm_is_power(lanes) ||
	       !oclmm_is_power(rounds);
}

bool oclmm_environment_any_count(const struct oclmm_environment *environment,
                                 const struct oclmm_kernel_plan *plan)
{
	return oclmm_takes_any_count(environment->groups, environment->lanes, environment->rounds,
	                             plan);
}

unsigned oclmm_text_of(const struct oclmm_environment *environment,
                       const struct oclmm_kernel_plan *plan)
{
	/* of wider groups the work-items add to a counter that they share first */
	enum { SUMS_WIDTH = 32 };
	/* On devices that count directly a kernel costs more to compile than its masks save: the
	 * text for any count serves powers of two as well. */
	bool any_count = environment->direct || oclmm_environment_any_count(environment, plan);
	unsigned text = (any_count ? OCLMM_TEXT_ANY_COUNT : 0) |
	                (environment->split ? OCLMM_TEXT_SPLIT : 0);

	if (environment->direct && plan->direct) {
		text |= OCLMM_TEXT_DIRECT;
		if (oclmm_environment_width(environment, plan) <= SUMS_WIDTH)
			text |= OCLMM_TEXT_SUMS;
	}
	if (environment->count_chunked == OCLMM_COUNT_QUADS && !(text & OCLMM_TEXT_DIRECT))
		text |= OCLMM_TEXT_QUADS;
	if (environment->count_lanes == 1 &&
	    environment->count_each >= oclmm_environment_instances(environment) &&
	    !(text & (OCLMM_TEXT_DIRECT | OCLMM_TEXT_QUADS)))
		text |= OCLMM_TEXT_ALONE;
	/* compiling takes most of a run on the devices that count so, and a part of it is stress */
	if (environment->direct && !environment->pre_stress && !environment->stress)
		text |= OCLMM_TEXT_CALM;
	return text;
}

/* ---- forms ------------------------------------------------------------------- */

/*
 * A bug may be of launches of one number of groups alone, or of groups of one size. No driver
 * compiles anything for another number of groups, and those of GPUs nothing for another size. So
 * the launches of one environment differ in these, and each test has a launch of each number.
 * Memory lies as it did, where the instances are as many.
 */
enum form {
	FORM_OWN,
	FORM_PAIRS, /* groups of two work-items, where all have one */
	FORM_FEWEST,
	FORM_SIXTEEN,
	FORM_THIRTY_TWO,
};

/* As many instances, or fewer. Where groups get wider they are a GPU's, which takes long for many
 * rounds: 512 of them would be of a launch of two groups. */
static void set_form(struct oclmm_environment *e, uint32_t groups, uint32_t lanes)
{
	enum { ROUNDS_MOST = 64 }; /* not measured */
	uint32_t most = lanes > e->lanes ? oclmm_larger(ROUNDS_MOST, e->rounds) : UINT32_MAX;
	uint64_t instances = oclmm_environment_instances(e), rounds;

	while (lanes > 1 && lanes > e->lanes && (uint64_t)groups * lanes > instances)
		lanes = oclmm_larger(lanes / 2, e->lanes);
	rounds = instances / ((uint64_t)groups * lanes);
	e->groups = groups;
	e->lanes = lanes;
	e->rounds = rounds < most ? (uint32_t)rounds : most;
}

/* \return whether there is such a form, other than the environment itself. */
static bool take_form(const struct oclmm_environment *e, const struct oclmm_kernel_plan *plan,
                      enum form form, struct oclmm_environment *ret_form)
{
	enum { FEWEST = 2, SIXTEEN = 16, THIRTY_TWO = 32 };
	uint32_t needed = oclmm_power_at_least(plan->work_groups),
		 wide = oclmm_larger(e->lanes, e->few_groups);

	*ret_form = *e;
	if (!e->few_groups || e->split || plan->in_sub_groups || plan->parts > 1)
		return false;
	switch (form) {
	case FORM_PAIRS:
		if (e->lanes == 1 && e->few_groups > 1)
			set_form(ret_form, e->groups, 2);
		break;
	case FORM_FEWEST: set_form(ret_form, oclmm_larger(FEWEST, needed), wide); break;
	case FORM_SIXTEEN: set_form(ret_form, oclmm_larger(SIXTEEN, needed), wide); break;
	case FORM_THIRTY_TWO: set_form(ret_form, oclmm_larger(THIRTY_TWO, needed), wide); break;
	default: break;
	}
	if ((ret_form->groups == e->groups && ret_form->lanes == e->lanes) ||
	    ret_form->rounds == 0 || oclmm_text_of(ret_form, plan) != oclmm_text_of(e, plan)) {
		*ret_form = *e;
		return false;
	}
	return true;
}

uint32_t oclmm_environment_forms(const struct oclmm_environment *environment,
                                 const struct oclmm_kernel_plan *plan,
                                 struct oclmm_environment ret_forms[OCLMM_FORMS])
{
	uint32_t count = 1;

	ret_forms[0] = *environment;
	for (enum form form = FORM_PAIRS; form <= FORM_THIRTY_TWO; form++)
		count += take_form(environment, plan, form, &ret_forms[count]);
	return count;
}

/* Four blocks in a row are in one environment, and a short run has few more: the fewest groups,
 * which many other environments have, come in each second turn, in which groups of two do not. */
struct oclmm_environment oclmm_environment_form(const struct oclmm_environment *environment,
                                                const struct oclmm_kernel_plan *plan,
                                                uint32_t environments, uint64_t block)
{
	static const enum form turn[][4] = {
		{FORM_OWN, FORM_PAIRS, FORM_SIXTEEN, FORM_THIRTY_TWO},
		{FORM_OWN, FORM_FEWEST, FORM_SIXTEEN, FORM_THIRTY_TWO},
	};
	struct oclmm_environment form;

	take_form(environment, plan,
	          block < environments ? FORM_PAIRS : turn[block / 4 % 2][block % 4], &form);
	return form;
}

/* ---- the defaults ---------------------------------------------------------- */

/*
 * The default environments: a few for each kind of device, because none of them serves all shapes
 * of tests. Each has a name that says what it is for. Numbers have a name, and beside it where they
 * were measured; "not measured" says that nobody compared others. docs/performance.md, "What was
 * learnt about environments", has most of the figures, docs/tuning.md how to find better ones.
 */

/* An environment that draws whether to do something does it in every second launch. */
enum { HALF = 50, ALWAYS = 100 };
/* The defaults of stress and of counting, where an environment says nothing else: not measured. */
enum { STRESS_LINES = 16, STRESS_WORDS = 64, COUNT_LANES = 64, COUNT_EACH = 64 };
/* Words from one instance to the next that put each object into a line of its own: 64 bytes. */
enum { OWN_LINE = 16 };
/* stress_pattern: each launch draws one of the four. */
enum { ANY_PATTERN = 4 };

/* What all environments have in common. */
static struct oclmm_environment plain(uint32_t groups, uint32_t lanes, uint32_t rounds)
{
	return (struct oclmm_environment){
		.groups = groups,
		.lanes = lanes,
		.rounds = rounds,
		.stride = 1,
		.flip_groups = 1,
		.reverse_results = HALF,
		.poll_every = 1,
		.poll_budget = 1 << 16,
		.stress_pattern = ANY_PATTERN,
		.stress_lines = STRESS_LINES,
		.stress_stride = STRESS_WORDS,
		.count_lanes = COUNT_LANES,
		.count_each = COUNT_EACH,
	};
}

/* With sub-groups, enough for as many full ones as the test needs, of the sizes that there are. */
static uint32_t least_lanes(const struct oclmm_device_info *info,
                            const struct oclmm_kernel_plan *plan)
{
	uint32_t most = oclmm_power_at_most(info->max_work_group_size),
		 usual = 64 < most ? 64 : most;

	if (!plan->in_sub_groups)
		return oclmm_power_at_least(plan->crowd);
	return oclmm_larger(usual, oclmm_power_at_least(plan->sub_crowd) *
	                                   oclmm_power_at_least(plan->sub_groups));
}

/* So many that a compiler makes a loop of them, or vectors: some bugs show only there. */
static uint32_t wide_lanes(const struct oclmm_device_info *info, uint32_t least)
{
	/* 16 were enough for a compilation of its own on PoCL; 64 not measured */
	enum { WIDE = 64 };
	size_t most = info->max_work_group_size;

	return oclmm_larger(least, most < WIDE ? oclmm_power_at_most((uint32_t)most) : WIDE);
}

/* Compilers leave out what a group no wider than a vector or a sub-group needs no barrier for. */
static uint32_t narrow_lanes(uint32_t lanes, uint32_t least, uint32_t vector)
{
	uint32_t narrow = oclmm_larger(least, vector);

	return narrow < lanes ? narrow : lanes;
}

/* As many work-items and instances, or nearly, of which each plays one role. */
static bool set_own_roles(const struct oclmm_kernel_plan *plan, uint32_t split,
                          struct oclmm_environment *e)
{
	uint32_t crowd = oclmm_power_at_least(plan->crowd);

	if (plan->in_sub_groups || e->lanes < crowd)
		return false;
	e->lanes /= crowd;
	e->rounds *= crowd;
	e->split = split;
	e->direct = 0;
	return true;
}

/*
 * Where roles do the same with the same objects, the work-items of an instance side by side: those
 * of a vector or warp then come to its objects by one instruction.
 */
static bool set_neighbours(const struct oclmm_device_info *info,
                           const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	return plan->alike && plan->crowd <= info->max_work_group_size &&
	       set_own_roles(plan, OCLMM_SPLIT_NEIGHBOURS, e);
}

/*
 * A CPU runs a few work-groups at a time, and the work-items of one after another: as many groups
 * as there are units, few lanes and many rounds. How far apart two rendezvous are, and how the
 * instances lie in lines, decides how often two groups are in one instance.
 *
 * Where all roles share a group nobody is met in another one: all environments have wide groups,
 * and one compilation does, but for one of barriers.
 */
enum cpu_environment {
	CPU_DENSE,       /* instances side by side in lines, a rendezvous now and then */
	CPU_SPREAD,      /* each object in a line of its own */
	CPU_INTERLEAVED, /* the objects of an instance in one line, many a rendezvous */
	CPU_FREE,        /* no rendezvous, objects at random in every second launch */
	CPU_VECTORS,     /* groups that a compiler takes apart otherwise */
	CPU_MANY_GROUPS, /* short ones, that find what others left and meet by chance */
	CPU_PATIENT,     /* long polls, for schedulers that begin some groups late */
	CPU_USUAL,       /* so many all tests have, but for the last where nothing polls; then
	                    perhaps one of neighbours */
};

/* Rounds between two rendezvous: with 64 SB shows its weak outcome in every second instance,
 * without any in one of a hundred (PoCL, two cores; docs/performance.md). The others not measured.
 */
enum { RENDEZVOUS_RARE = 64, RENDEZVOUS_USUAL = 16, RENDEZVOUS_OFTEN = 8 };
/* Turns of a poll, and what a launch has of them at most. Long ones cost nothing where groups meet
 * at once; how long each has to be was not measured. */
enum { POLLS_USUAL = 1000, POLLS_LONG = 100000, BUDGET_USUAL = 1 << 22, BUDGET_LONG = 1 << 24 };
/* Where a group that stresses memory has one of too few units, a testing group waits in vain for as
 * long as it is let. With a sixteenth of the long budget MP played 7 times as many instances a
 * second in such launches, SB 3 times as many, and their roles met as often (PoCL, two cores). */
enum { BUDGET_CROWDED = 1 << 20 };

/*
 * With many lanes the loop over a group's work-items is vectorised, a compilation of its own. Where
 * they are many anyway, a test with barriers has few there: compilers leave barriers out of groups
 * that a vector holds.
 */
static void set_vectors(const struct oclmm_device_info *info, const struct oclmm_kernel_plan *plan,
                        uint32_t instances, struct oclmm_environment *e)
{
	/* a plant that left barriers out of groups of 32 and fewer passed in groups of 64 (PoCL);
	 * in those of 8 MP+barrier+local showed it 65,600 times in a million */
	enum { VECTOR = 8 };

	if (plan->has_barrier && plan->work_groups == 1) {
		e->lanes = narrow_lanes(e->lanes, least_lanes(info, plan), VECTOR);
		/* what each keeps over a barrier is the same for all that play a role */
		set_own_roles(plan, 2, e);
	} else {
		e->lanes = wide_lanes(info, e->lanes);
	}
	e->rounds = oclmm_larger(instances / (e->groups * e->lanes), 1);
	e->poll_every = RENDEZVOUS_USUAL;
}

/* More groups than processors begin one after another, find what others left, and meet by chance,
 * the more often the shorter they are. */
static void set_many_groups(const struct oclmm_device_info *info, uint32_t instances,
                            struct oclmm_environment *e)
{
	/* For each unit; not measured. */
	enum { GROUPS_PER_UNIT = 16 };
	/* Bugs of groups from number 64 on passed with fewer (PoCL). */
	enum { MANY_GROUPS = 128 };
	/* Rounds of a group; not measured. */
	enum { SHORT_GROUP = 256 };
	/* Per cent of launches in which an instance's groups are half of all apart: neighbours are
	 * run one after the other by one thread, and showed nothing in 48 tests of 200,000
	 * instances with seq_cst operations relaxed (PoCL). That it is not all of them: not
	 * measured. */
	enum { FAR = 75 };
	uint32_t units = oclmm_device_units(info);

	e->groups = oclmm_larger(oclmm_power_at_least(GROUPS_PER_UNIT * units), MANY_GROUPS);
	e->rounds = oclmm_larger(instances / (e->groups * e->lanes), 1);
	if (e->rounds > SHORT_GROUP)
		e->rounds = SHORT_GROUP;
	e->polls = 0;
	e->far_groups = FAR;
}

/*
 * Where a scheduler begins some groups late, only long polls let them meet. These launches have an
 * odd number of groups, by one that does nothing, or a single one: drivers share groups out among
 * threads, and have less to do for one. Rate and time of SB+rlx+rlx stayed with a third group.
 */
static void set_patient(const struct oclmm_device_info *info, const struct oclmm_kernel_plan *plan,
                        struct oclmm_environment *e)
{
	e->polls = POLLS_LONG;
	e->poll_every = RENDEZVOUS_USUAL;
	if (plan->work_groups == 1)
		e->groups = 1;
	else
		e->stress_groups = 1;
	e->poll_budget = e->groups + e->stress_groups > oclmm_device_units(info) ? BUDGET_CROWDED
	                                                                         : BUDGET_LONG;
}

static uint32_t cpu_defaults(const struct oclmm_device_info *info,
                             const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	/* of a launch; not measured */
	enum { INSTANCES = 1 << 17 };
	/* where the turns of all loops of a launch are counted, rounds have to be few: not measured
	 */
	enum { LANES_SHORT_LOOPS = 32 };
	uint32_t units = oclmm_device_units(info), instances, count;
	uint32_t groups = oclmm_larger(oclmm_power_at_most(units),
	                               oclmm_power_at_least(plan->work_groups));
	uint32_t least = oclmm_larger(least_lanes(info, plan),
	                              info->short_loops ? LANES_SHORT_LOOPS : 1);
	uint32_t lanes = plan->work_groups == 1 ? wide_lanes(info, least) : least;
	uint32_t rounds = oclmm_larger(INSTANCES / (groups * lanes), 1);

	for (int i = CPU_DENSE; i <= CPU_FREE; i++) {
		e[i] = plain(groups, lanes, rounds);
		e[i].count_chunked = 1;
		e[i].direct = 1;
		/* one that waits for a group that no unit is free for would wait in vain */
		e[i].polls = groups <= units ? POLLS_USUAL : 0;
		e[i].poll_budget = BUDGET_USUAL;
	}
	e[CPU_DENSE].poll_every = RENDEZVOUS_RARE;
	e[CPU_SPREAD].poll_every = RENDEZVOUS_USUAL;
	e[CPU_SPREAD].stride = OWN_LINE;
	e[CPU_INTERLEAVED].poll_every = RENDEZVOUS_OFTEN;
	e[CPU_INTERLEAVED].interleaved = 1;
	e[CPU_FREE].polls = 0;
	e[CPU_FREE].shuffle_locations = HALF;
	e[CPU_FREE].flip_rounds = 2;
	e[CPU_VECTORS] = e[CPU_MANY_GROUPS] = e[CPU_PATIENT] = e[CPU_DENSE];
	instances = oclmm_environment_instances(&e[CPU_DENSE]);
	set_vectors(info, plan, instances, &e[CPU_VECTORS]);
	set_many_groups(info, instances, &e[CPU_MANY_GROUPS]);
	set_patient(info, plan, &e[CPU_PATIENT]);
	count = e[CPU_DENSE].polls > 0 ? CPU_USUAL : CPU_PATIENT;
	e[count] = e[CPU_DENSE];
	return count + set_neighbours(info, plan, &e[count]);
}

/*
 * Devices and threads of the host that play together run on processors of
 * their own and have nothing in common but memory: they meet all the time, each object lies
 * in a line of its own, and a launch is long against the time that a kernel takes to begin. How
 * long they wait for each other is a matter of how busy the processors are. A GPU plays a round
 * with all lanes of a warp in the time of one; few lanes show more, and many give the most
 * instances. One alone shows hardly anything, but a compiler may make less of groups of one.
 */
enum apart_environment {
	APART_DENSE,    /* few lanes, which show most */
	APART_SHUFFLED, /* the same, with objects at random in every second launch */
	APART_WIDE,     /* most of the instances, and long polls */
	APART_SINGLE,   /* groups of one work-item */
	APART_COUNT,
};

static uint32_t apart_defaults(const struct oclmm_device_info *info,
                               const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	/* On a GPU SB of two queues shows its weak outcome 503 times in 4 M instances with two
	 * lanes, 152 times with four, and never with more, nor with one in 1 M (H200;
	 * docs/performance.md, "What keeps launches of a GPU short"). */
	static const struct {
		uint32_t lanes, rounds;
	} gpu[APART_COUNT] = {
		[APART_DENSE] = {2, 1 << 12},
		[APART_SHUFFLED] = {2, 1 << 12},
		[APART_WIDE] = {32, 1 << 11},
		[APART_SINGLE] = {1, 1 << 9},
	};
	/* of a launch of a CPU, and turns of a poll: not measured */
	enum { INSTANCES = 1 << 15, POLLS = 2000, POLLS_WIDE = 20000 };
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint32_t groups = oclmm_power_at_least(plan->work_groups);

	for (int i = 0; i < APART_COUNT; i++) {
		uint32_t least = oclmm_power_at_least(plan->crowd);
		uint32_t lanes = oclmm_larger(least, cpu ? 1 : gpu[i].lanes);

		e[i] = plain(groups, lanes,
		             cpu ? oclmm_larger(INSTANCES / (groups * lanes), 1) : gpu[i].rounds);
		e[i].stride = OWN_LINE;
		e[i].polls = POLLS;
		e[i].poll_budget = BUDGET_LONG;
		e[i].count_chunked = 1;
	}
	e[APART_SHUFFLED].shuffle_locations = HALF;
	e[APART_WIDE].polls = POLLS_WIDE;
	e[APART_SINGLE].poll_every = 2;
	return APART_COUNT;
}

/* Behind an offset, and in rows. */
static void set_rows(struct oclmm_environment *e, uint32_t dimensions)
{
	e->offset = OFFSET;
	e->dimensions = dimensions > 1 ? dimensions : 0;
}

/*
 * Consumers on units of their own: of neighbouring groups one plays one role and
 * the next another, few enough that all run at once, and many rounds. A unit
 * whose cache holds old lines answers a plain load from them as long as nobody
 * on it acquires; where every work-item plays every role somebody always does. Groups
 * are no multiple of a warp here: other default ones are, and these have a text of their own
 * anyway.
 */
static bool set_apart(const struct oclmm_device_info *info, const struct oclmm_kernel_plan *plan,
                      struct oclmm_environment *e)
{
	/* No multiple of a warp, and no fewer than two; rounds, and groups for each unit: not
	 * measured, but two for each unit run at once. */
	enum { LANES = 60, ROUNDS = 64, GROUPS_PER_UNIT = 2 };

	if (!plan->plain_data || plan->in_sub_groups ||
	    (uint64_t)LANES * plan->crowd > info->max_work_group_size)
		return false;
	e->groups = oclmm_larger(oclmm_power_at_most((uint64_t)oclmm_device_units(info) *
	                                             GROUPS_PER_UNIT),
	                         oclmm_power_at_least(plan->work_groups));
	e->lanes = LANES;
	e->rounds = ROUNDS;
	e->split = 2;
	e->shuffle_lanes = HALF;
	return true;
}

/*
 * Objects that lie at random, so that the accesses of neighbours go to as many lines: instructions
 * of a work-item get apart, and what lies between two of them may be seen. Among 32 such
 * environments those behind other accesses and those beside groups of stress showed most of what
 * compilers may do wrong (H200; docs/tuning.md).
 */
static void set_scattered(struct oclmm_environment *e)
{
	/* not measured */
	enum { LINES = 1024, WORDS = 8 };

	e->rounds = 1;
	e->shuffle_locations = ALWAYS;
	e->stress_lines = LINES;
	e->stress_stride = WORDS;
}

/* Behind a few other accesses. 32 of them took 1,349 µs a launch and 4 take 256, with as many
 * controls that showed something (H200; docs/performance.md). */
static void set_behind(uint32_t lanes, struct oclmm_environment *e)
{
	enum { BEFORE = 4 };

	set_scattered(e);
	e->pre_stress = BEFORE;
	/* 262,144 instances: twice as many took 250 to 285 µs a launch on an H100, where one of a
	 * dense layout took 54 to 88 */
	e->lanes = lanes > 1 ? lanes / 2 : 1;
}

/* Beside work-groups that do nothing else: 1,024 of them with 32 accesses took 766 µs a launch, 256
 * with 8 take 158 (the same). One more makes the launch's number of groups odd. */
static void set_beside(struct oclmm_environment *e)
{
	enum { BESIDE = 8, GROUPS = 256 + 1, LINES_TIMES = 4 };

	set_scattered(e);
	e->stress_lines *= LINES_TIMES;
	e->stress_groups = GROUPS;
	e->stress = BESIDE;
}

/*
 * Groups of a warp, and as many instances: what a group shares may need no order there, and no
 * barrier. Groups take the roles in turn in either order. Where barriers stand between the roles
 * so do neighbours, and get apart without them.
 */
static void set_narrow(const struct oclmm_kernel_plan *plan, uint32_t lanes,
                       struct oclmm_environment *e)
{
	e->groups *= e->lanes / lanes;
	e->lanes = lanes;
	e->flip_groups = 1;
	if (plan->has_barrier && plan->work_groups == 1)
		e->flip_lanes = 1;
}

/*
 * A launch of one work-group where all roles share one: drivers have other ways for it, and some
 * leave its barriers out. Elsewhere groups of one work-item: compilers may make less of these.
 */
static bool set_single(const struct oclmm_kernel_plan *plan, uint32_t least,
                       struct oclmm_environment *e)
{
	/* not measured */
	enum { ROUNDS = 32 };

	if (plan->work_groups == 1) {
		e->groups = 1;
	} else if (least == 1) {
		e->lanes = 1;
		e->flip_groups = 1;
	} else {
		return false;
	}
	e->rounds = ROUNDS;
	return true;
}

/*
 * Many more groups than units, the order of roles flipped by group, warp and round, no rendezvous:
 * what was best on an H200, each for other shapes (docs/performance.md). Where all roles share a
 * work-group they are always far apart in its lanes: those of neighbours are one warp's, which runs
 * in step.
 */
enum gpu_environment {
	GPU_NATURAL,  /* dense, groups in their natural order: most of MP, SB and LB */
	GPU_WIDE,     /* dense, one round of wide groups: three and four threads, 2+2W */
	GPU_SHUFFLED, /* dense, shuffled lanes: R, and objects in two regions */
	GPU_BEHIND,   /* scattered, behind other accesses: what a compiler may do wrong */
	GPU_NARROW, /* scattered, beside stress, in groups of a warp: barriers may be nothing there
	             */
	GPU_USUAL,  /* so many all tests have; then those that only some need: a single group or
	               work-item, consumers by themselves, neighbours */
};

static uint32_t gpu_defaults(const struct oclmm_device_info *info,
                             const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	/* Groups: 16,384 with two rounds, which GPU_NATURAL has, showed 15 to 40 % more of MP, SB
	 * and LB than 8,192 with four (H200). For each unit of a smaller device, and lanes: as the
	 * search on an H200 found them. */
	enum { GROUPS_MOST = 8192, GROUPS_PER_UNIT = 48, LANES = 256, ROUNDS = 2 };
	/* Lanes are flipped in whole warps: within one the two halves would run in turn. A warp has
	 * 32 lanes on NVIDIA's GPUs. */
	enum { WARP = 32 };
	/* Work-items of a group count, with 16 instances each: tuned on an H200. */
	enum { COUNT_GPU = 16 };
	uint32_t count = GPU_USUAL;
	uint32_t most = oclmm_power_at_most(info->max_work_group_size);
	uint32_t lanes = LANES < most ? LANES : most;
	uint32_t groups = oclmm_power_at_least(oclmm_device_units(info) * GROUPS_PER_UNIT);

	groups = oclmm_larger(groups < GROUPS_MOST ? groups : GROUPS_MOST,
	                      oclmm_power_at_least(plan->work_groups));
	for (int i = GPU_NATURAL; i <= GPU_SHUFFLED; i++) {
		e[i] = plain(groups, lanes, ROUNDS);
		e[i].flip_lanes = 2 * WARP;
		e[i].flip_rounds = 2;
		e[i].shuffle_lanes = plan->work_groups == 1 ? ALWAYS : 0;
		e[i].count_chunked = OCLMM_COUNT_QUADS;
		e[i].count_lanes = lanes / 2 ? lanes / 2 : 1;
		e[i].count_each = COUNT_GPU;
	}
	e[GPU_NATURAL].groups = 2 * groups;
	/* half as much again of WRC, two to three times as much of ISA2 and Z6.0 (H200) */
	e[GPU_WIDE].lanes = 2 * lanes < most ? 2 * lanes : most;
	e[GPU_WIDE].rounds = 1;
	e[GPU_WIDE].flip_groups = 3;
	e[GPU_WIDE].flip_lanes = plan->work_groups == 1 ? 3 * WARP : 0;
	e[GPU_WIDE].reverse_results = ALWAYS;
	e[GPU_SHUFFLED].flip_groups = 0;
	e[GPU_SHUFFLED].flip_lanes = WARP;
	e[GPU_SHUFFLED].flip_rounds = 1;
	e[GPU_SHUFFLED].shuffle_lanes = ALWAYS;
	e[GPU_BEHIND] = e[GPU_NARROW] = e[GPU_SHUFFLED];
	set_behind(lanes, &e[GPU_BEHIND]);
	set_beside(&e[GPU_NARROW]);
	set_narrow(plan, narrow_lanes(lanes, least_lanes(info, plan), WARP), &e[GPU_NARROW]);
	e[count] = e[count + 1] = e[count + 2] = e[GPU_SHUFFLED];
	count += set_single(plan, least_lanes(info, plan), &e[count]);
	count += set_apart(info, plan, &e[count]);
	count += set_neighbours(info, plan, &e[count]);
	/* no compiler knows of these */
	set_rows(&e[GPU_SHUFFLED], 2);
	set_rows(&e[GPU_BEHIND], 1);
	set_rows(&e[GPU_NARROW], 3);
	return count;
}

/* Fewer instances in a launch, nearer to each other, but not so few that they hardly meet. */
static void fit_launch(const struct oclmm_kernel_plan *plan, uint32_t least_lanes,
                       struct oclmm_environment *e)
{
	/* the first things to be halved, down to these: not measured */
	enum { ROUNDS = 64, STRIDE = 4, LANES = 16 };
	const struct {
		uint32_t *number, least;
	} halves[] = {
		{&e->rounds, ROUNDS},
		{&e->stride, STRIDE},
		{&e->lanes, oclmm_larger(least_lanes, LANES)},
		{&e->rounds, 1},
		{&e->stride, 1},
		{&e->groups, oclmm_larger(plan->work_groups, 2)},
		{&e->lanes, least_lanes},
	};
	size_t i = 0;

	while (i < OCLMM_COUNT(halves) &&
	       !(oclmm_environment_fits_alone(e, plan) && oclmm_environment_fits_queue(e, plan))) {
		if (*halves[i].number / 2 >= halves[i].least)
			*halves[i].number /= 2;
		else
			i++;
	}
}

/* Few lanes where local objects would not fit, and small memory for small devices. */
static void fit(const struct oclmm_device_info *info, const struct oclmm_kernel_plan *plan,
                struct oclmm_environment *e)
{
	/* of the device's memory, for each word of an instance: not measured */
	enum { PART_OF_MEMORY = 1024 };
	/* turns of loops: not measured */
	enum { SHORT_ROUNDS = 1024, SHORT_POLLS = 16, SHORT_BUDGET = 1 << 14 };
	uint32_t least = e->split ? 1 : least_lanes(info, plan);

	while (e->lanes > least && (uint64_t)e->lanes * plan->local_bytes > info->local_memory)
		e->lanes /= 2;
	if (e->lanes < least)
		e->lanes = least;
	while (e->rounds > 1 &&
	       (uint64_t)oclmm_environment_instances(e) * e->stride * PART_OF_MEMORY >
	               info->global_memory)
		e->rounds /= 2;
	/* where all turns of all loops of a launch are counted: frequent rendezvous, few turns
	 * each */
	if (info->short_loops) {
		e->rounds = e->rounds < SHORT_ROUNDS ? e->rounds : SHORT_ROUNDS;
		e->polls = e->polls < SHORT_POLLS ? e->polls : SHORT_POLLS;
		e->poll_every = e->poll_every < RENDEZVOUS_OFTEN ? e->poll_every : RENDEZVOUS_OFTEN;
		e->poll_budget = SHORT_BUDGET;
	}
	if (e->count_lanes > info->max_work_group_size)
		e->count_lanes = oclmm_power_at_most(info->max_work_group_size);
}

uint32_t oclmm_environment_defaults(const struct oclmm_device_info *info,
                                    const struct oclmm_kernel_plan *plan,
                                    struct oclmm_environment *ret_environments)
{
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint32_t count = plan->parts > 1 ? apart_defaults(info, plan, ret_environments)
	                 : cpu           ? cpu_defaults(info, plan, ret_environments)
	                                 : gpu_defaults(info, plan, ret_environments);

	for (uint32_t i = 0; i < count; i++)
		fit(info, plan, &ret_environments[i]);
	for (uint32_t i = 0; i < count; i++)
		fit_launch(plan, ret_environments[i].split ? 1 : least_lanes(info, plan),
		           &ret_environments[i]);
	return count;
}

/* PoCL cuts kernels at barriers, and takes two to three times as long to compile groups in
 * rows: 5.4 s for a group of 64 in two, and 2.6 s in one (docs/tuning.md). */
static uint32_t cheap_rows(const struct oclmm_kernel_plan *plan, uint32_t dimensions)
{
	return plan->has_barrier || plan->has_local ? 1 : dimensions;
}

/*
 * What a wide group has on a CPU: as many as the defaults say, or others. A bug may be of one size
 * alone: that of a sub-group or a vector, what a loop of vectors leaves over, what is divided by
 * another number than two, or more than eight bits can number.
 */
static uint32_t drawn_lanes(const struct oclmm_device_info *info,
                            const struct oclmm_kernel_plan *plan, uint64_t draw,
                            const struct oclmm_environment *e)
{
	static const uint32_t lanes[] = {0, 32, 24, 0, 20, 32, 48, 16, 0, 33, 32, 12, 0, 300, 2};
	/* where all groups are that wide, two work-items would be no vector in any launch */
	size_t count = OCLMM_COUNT(lanes) - (plan->work_groups == 1);
	uint32_t drawn = lanes[draw % count];

	return plan->in_sub_groups || drawn < least_lanes(info, plan) ||
	                       drawn > info->max_work_group_size ||
	                       (e->split && drawn > e->lanes) ||
	                       (uint64_t)drawn * plan->local_bytes > info->local_memory
	               ? e->lanes
	               : drawn;
}

/* As many instances, or nearly and no more, in other groups. */
static void set_lanes(struct oclmm_environment *e, uint32_t lanes)
{
	uint64_t instances = (uint64_t)e->lanes * e->rounds;

	if (instances < lanes)
		return;
	e->rounds = oclmm_power_at_most(instances / lanes);
	e->lanes = lanes;
}

/*
 * Where each work-item of a test is a group, groups of some tests have a few: one after another
 * these play as much, and little more is compiled. Of SB+rlx+rlx two work-items showed the weak
 * outcome in 5 to 8 % of instances, three in 2 to 9 and five in 4 to 8, where one did in 2 to 5; of
 * R+rlx+rlx in 2 to 3, 2 to 3 and 1 to 2 %, and one in 1 to 2 (PoCL 3.1, two cores with a load of
 * 14).
 */
static uint32_t few_lanes(const struct oclmm_device_info *info, uint64_t draw)
{
	static const uint32_t lanes[] = {1, 1, 1, 1, 1, 2, 3, 5};
	uint32_t drawn = lanes[draw % OCLMM_COUNT(lanes)];

	return drawn > info->max_work_group_size ? 1 : drawn;
}

/*
 * Many groups, and more than eight bits can number. They have so little to do then that they meet
 * less often, so that only some tests have as many.
 */
static void set_beyond_a_byte(struct oclmm_environment *e)
{
	while (e->groups <= UINT8_MAX + 1 && e->rounds > 1) {
		e->groups *= 2;
		e->rounds /= 2;
	}
}

/* Sizes and numbers of groups that only some of the tests have: each size has its turn in some test
 * of each construct, at the cost of none. */
static void share_sizes(const struct oclmm_kernel_plan *plan, uint64_t key,
                        struct oclmm_environment *environments, uint32_t count)
{
	/* Of 16 tests three have other groups for those of one warp: two warps, one and a half, and
	 * a little more than one. The last two are another text. */
	enum { WARP = 32 };
	static const uint32_t narrow[16] = {[5] = 2 * WARP, [9] = WARP * 3 / 2, [13] = WARP + 1};
	uint32_t drawn = narrow[key % OCLMM_COUNT(narrow)];
	uint32_t lanes = environments[GPU_NATURAL].lanes;

	if (plan->parts > 1 || plan->in_sub_groups)
		return;
	if (drawn > 0 && environments[GPU_NARROW].lanes == WARP && lanes > WARP) {
		environments[GPU_NARROW].lanes = drawn;
		environments[GPU_NARROW].groups /= 2;
	}
	/* the one of single groups or work-items has them, where there is such a one */
	if (count > GPU_USUAL && !environments[GPU_USUAL].split)
		environments[GPU_USUAL].few_groups = lanes;
	else
		environments[GPU_BEHIND].few_groups = environments[GPU_BEHIND].lanes;
}

uint32_t oclmm_environment_share(const struct oclmm_device_info *info,
                                 const struct oclmm_kernel_plan *plan, uint64_t key,
                                 struct oclmm_environment *environments, uint32_t count)
{
	/* One test in four has what is compiled for it alone; of 16 draws of each a width follows.
	 * The shares were not measured: compiling is most of a run on a CPU. */
	enum { KEYS = 4, WIDTHS = 16 };
	uint32_t usual = oclmm_environment_width(&environments[0], plan), left = 0;

	if (!(info->type & CL_DEVICE_TYPE_CPU)) {
		share_sizes(plan, key, environments, count);
		return count;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t split = environments[i].split;
		/* what no other environment shows is for all tests that need it */
		bool needed = split == OCLMM_SPLIT_NEIGHBOURS || (split && plan->keeps_over);
		bool other = !needed && oclmm_environment_width(&environments[i], plan) != usual;

		if (other && key % KEYS != 0)
			continue;
		environments[left] = environments[i];
		if (other)
			set_rows(&environments[left], cheap_rows(plan, 1 + key / KEYS % 3));
		else if (key % KEYS == 1)
			set_rows(&environments[left], 1);
		else if (key % KEYS == 2)
			set_rows(&environments[left], cheap_rows(plan, 2 + key / KEYS % 2));
		if (other == (plan->work_groups > 1))
			set_lanes(&environments[left],
			          drawn_lanes(info, plan, key / WIDTHS, &environments[left]));
		else if (usual == 1 && !split && key % KEYS != 0 && !info->short_loops)
			set_lanes(&environments[left], few_lanes(info, key / WIDTHS));
		if (environments[left].far_groups > 0 && key / WIDTHS % KEYS == 1)
			set_beyond_a_byte(&environments[left]);
		/* turns of loops are few there */
		if (environments[left].far_groups > 0 && !info->short_loops)
			environments[left].few_groups = 1;
		left++;
	}
	return left;
}
