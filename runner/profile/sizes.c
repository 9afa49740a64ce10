// SPDX-License-Identifier: Apache-2.0
#include "sizes.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- as text ---- */

/* What is read, and where. */
struct reader {
	const char *text, *at;
	struct oclmm_error *error;
};

static int refuse(const struct reader *reader, const char *what)
{
	int r = oclmm_error_set(reader->error, -EINVAL, "%s", what);
	size_t length = strcspn(reader->at, " \t\n");

	reader->error->position =
		(struct oclmm_position){.line = 1,
	                                .column = (uint32_t)(reader->at - reader->text) + 1,
	                                .length = (uint32_t)(length ? length : 1)};
	snprintf(reader->error->source, sizeof(reader->error->source), "%s", reader->text);
	return r;
}

static bool take_number(struct reader *reader, uint32_t *ret_number)
{
	unsigned long number;
	char *end;

	if (!isdigit((unsigned char)*reader->at))
		return false;
	errno = 0;
	number = strtoul(reader->at, &end, 10);
	if (errno || number == 0 || number > UINT32_MAX)
		return false;
	reader->at = end;
	*ret_number = (uint32_t)number;
	return true;
}

static int read_numbers(struct reader *reader, struct oclmm_numbers *ret_numbers)
{
	static const char expected[] = "numbers are 16, 16-, -16, 2-16 or !3, from 1 on";
	struct oclmm_numbers numbers = {0};
	const char *begin = reader->at;
	bool good;

	if (*reader->at == '!') {
		reader->at++;
		good = take_number(reader, &numbers.no_multiple) && numbers.no_multiple > 1;
	} else if (*reader->at == '-') {
		reader->at++;
		good = take_number(reader, &numbers.most);
	} else {
		good = take_number(reader, &numbers.least);
		numbers.most = numbers.least;
		if (good && *reader->at == '-') {
			reader->at++;
			numbers.most = 0;
			good = !isdigit((unsigned char)*reader->at) ||
			       (take_number(reader, &numbers.most) &&
			        numbers.most >= numbers.least);
		}
	}
	if (!good || (*reader->at && !isspace((unsigned char)*reader->at))) {
		reader->at = begin;
		return refuse(reader, expected);
	}
	*ret_numbers = numbers;
	return 0;
}

static bool is_given(const struct oclmm_numbers *numbers)
{
	return numbers->least || numbers->most || numbers->no_multiple;
}

int oclmm_sizes_parse(const char *text, struct oclmm_error *error, struct oclmm_sizes *ret_sizes)
{
	static const char groups[] = "groups=", lanes[] = "lanes=";
	struct reader reader = {text, text, error};
	struct oclmm_sizes sizes = {0};
	int r = 0;

	for (reader.at += strspn(reader.at, " \t\n"); r == 0 && *reader.at;
	     reader.at += r == 0 ? strspn(reader.at, " \t\n") : 0) {
		bool is_groups = strncmp(reader.at, groups, strlen(groups)) == 0;
		struct oclmm_numbers *numbers = is_groups ? &sizes.groups : &sizes.lanes;

		if (!is_groups && strncmp(reader.at, lanes, strlen(lanes)) != 0)
			return refuse(&reader, "sizes are groups=NUMBERS, lanes=NUMBERS or both");
		if (is_given(numbers))
			return refuse(&reader, "it is said twice");
		reader.at += is_groups ? strlen(groups) : strlen(lanes);
		r = read_numbers(&reader, numbers);
	}
	if (r == 0 && !is_given(&sizes.groups) && !is_given(&sizes.lanes))
		r = refuse(&reader, "sizes are groups=NUMBERS, lanes=NUMBERS or both");
	if (r == 0)
		*ret_sizes = sizes;
	return r;
}

/* ---- what launches have ---- */

static bool is_meant(const struct oclmm_numbers *numbers, uint32_t n)
{
	return n >= numbers->least && (!numbers->most || n <= numbers->most) &&
	       (!numbers->no_multiple || n % numbers->no_multiple != 0);
}

static uint32_t groups_of(const struct oclmm_environment *e, const struct oclmm_kernel_plan *plan)
{
	return oclmm_environment_places(e, plan) + e->stress_groups;
}

static bool is_met(const struct oclmm_sizes *sizes, const struct oclmm_environment *e,
                   const struct oclmm_kernel_plan *plan)
{
	return is_meant(&sizes->groups, groups_of(e, plan)) &&
	       is_meant(&sizes->lanes, oclmm_environment_width(e, plan));
}

bool oclmm_sizes_met(const struct oclmm_sizes *sizes, const struct oclmm_environment *environment,
                     const struct oclmm_kernel_plan *plan)
{
	struct oclmm_environment forms[OCLMM_FORMS];
	uint32_t count = oclmm_environment_forms(environment, plan, forms), met = 0;

	for (uint32_t i = 0; i < count; i++)
		met += is_met(sizes, &forms[i], plan);
	return met == count;
}

/* ---- launches that have them ---- */

/* The one that is meant next to a number. */
static uint32_t nearest(const struct oclmm_numbers *numbers, uint32_t n)
{
	n = n < numbers->least ? numbers->least : n;
	n = numbers->most && n > numbers->most ? numbers->most : n;
	return is_meant(numbers, n) ? n : n + 1;
}

uint32_t oclmm_sizes_groups(const struct oclmm_sizes *sizes, uint32_t groups)
{
	return nearest(&sizes->groups, groups);
}

/* As many instances, or fewer, but for a round of each work-item. */
static void set_rounds(const struct oclmm_device_info *info, uint64_t instances,
                       struct oclmm_environment *e)
{
	/* a GPU takes long for many rounds of few groups; not measured */
	enum { GPU_ROUNDS = 64 };
	uint64_t rounds = instances / ((uint64_t)e->groups * e->lanes);

	if (!(info->type & CL_DEVICE_TYPE_CPU) && rounds > GPU_ROUNDS)
		rounds = GPU_ROUNDS > e->rounds ? GPU_ROUNDS : e->rounds;
	e->rounds = rounds > 1 ? (uint32_t)rounds : 1;
}

/* Halves of it, as long as the sizes are met. */
static bool halve(const struct oclmm_sizes *sizes, const struct oclmm_kernel_plan *plan,
                  uint32_t least, uint32_t *number, const struct oclmm_environment *e)
{
	uint32_t before = *number;

	if (before % 2 || before / 2 < least)
		return false;
	*number /= 2;
	if (is_met(sizes, e, plan))
		return true;
	*number = before;
	return false;
}

/* Fewer instances, where so many need larger variables at program scope or more kernels in a
 * device's queue than there may be. */
static void shrink(const struct oclmm_sizes *sizes, const struct oclmm_device_info *info,
                   const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	struct oclmm_environment smaller = *e;
	struct oclmm_error ignored;

	while (oclmm_environment_check(&smaller, info, plan, &ignored) < 0)
		if (!halve(sizes, plan, 1, &smaller.rounds, &smaller) &&
		    !halve(sizes, plan, 1, &smaller.stride, &smaller) &&
		    !halve(sizes, plan, e->split ? 1 : plan->work_groups, &smaller.groups,
		           &smaller) &&
		    !halve(sizes, plan, e->split ? 1 : plan->crowd, &smaller.lanes, &smaller))
			return;
	*e = smaller;
}

static void change(const struct oclmm_sizes *sizes, const struct oclmm_device_info *info,
                   const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	uint32_t groups = nearest(&sizes->groups, groups_of(e, plan)),
		 lanes = nearest(&sizes->lanes, oclmm_environment_width(e, plan));
	uint64_t instances = oclmm_environment_instances(e);

	e->few_groups = 0;
	if (groups != groups_of(e, plan))
		e->stress_groups = e->stress = 0;
	/* where roles are split, a number of groups or lanes for each of them */
	if (e->split && ((groups - e->stress_groups) % plan->work_groups || lanes % plan->crowd))
		e->split = 0;
	e->groups = (groups - e->stress_groups) / (e->split ? plan->work_groups : 1);
	e->lanes = lanes / (e->split ? plan->crowd : 1);
	if (e->sub_lanes && lanes % e->sub_lanes)
		e->sub_lanes = 0;
	/* one that waits for a group that no unit is free for would wait in vain */
	if ((info->type & CL_DEVICE_TYPE_CPU) &&
	    oclmm_environment_places(e, plan) > oclmm_device_units(info))
		e->polls = 0;
	set_rounds(info, instances, e);
	shrink(sizes, info, plan, e);
}

/* What of a set has such launches: whole environments, and else some forms of them. */
static uint32_t keep_met(const struct oclmm_sizes *sizes, const struct oclmm_kernel_plan *plan,
                         const struct oclmm_environment_set *set,
                         struct oclmm_environment ret_kept[OCLMM_ENVIRONMENTS_MAX])
{
	struct oclmm_environment forms[OCLMM_FORMS];
	uint32_t kept = 0;

	for (uint32_t i = 0; i < set->count; i++) {
		const struct oclmm_environment *e = &set->environments[i];
		uint32_t count = oclmm_environment_forms(e, plan, forms);

		if (oclmm_sizes_met(sizes, e, plan)) {
			if (kept < OCLMM_ENVIRONMENTS_MAX)
				ret_kept[kept++] = *e;
			continue;
		}
		for (uint32_t k = 0; k < count && kept < OCLMM_ENVIRONMENTS_MAX; k++) {
			if (!is_met(sizes, &forms[k], plan))
				continue;
			ret_kept[kept] = forms[k];
			ret_kept[kept++].few_groups = 0;
		}
	}
	return kept;
}

/* Drops what the device or the program cannot have, unless that is all of it. */
static void keep_fitting(const struct oclmm_device_info *info, const struct oclmm_kernel_plan *plan,
                         struct oclmm_environment_set *set)
{
	struct oclmm_error ignored;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < set->count; i++)
		if (oclmm_environment_check(&set->environments[i], info, plan, &ignored) == 0)
			set->environments[kept++] = set->environments[i];
	set->count = kept ? kept : 1;
}

void oclmm_sizes_narrow(const struct oclmm_sizes *sizes, const struct oclmm_device_info *info,
                        const struct oclmm_kernel_plan *plan, struct oclmm_environment_set *set)
{
	struct oclmm_environment kept[OCLMM_ENVIRONMENTS_MAX];
	uint32_t count = keep_met(sizes, plan, set, kept);

	if (count) {
		memcpy(set->environments, kept, count * sizeof(*kept));
		set->count = count;
		return;
	}
	for (uint32_t i = 0; i < set->count; i++)
		change(sizes, info, plan, &set->environments[i]);
	keep_fitting(info, plan, set);
}
