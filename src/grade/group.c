// SPDX-License-Identifier: Apache-2.0
#include "group.h"

#include <stdlib.h>
#include <string.h>

static int compare(const char *name_a, const struct oclmm_record *a, const char *name_b,
                   const struct oclmm_record *b)
{
	int order = strcmp(name_a, name_b);

	order = order ? order : oclmm_compare_strings(a->device, b->device);
	order = order ? order : oclmm_compare_strings(a->device_id, b->device_id);
	order = order ? order : oclmm_compare_strings(a->driver, b->driver);
	return order ? order : oclmm_compare_strings(a->environment, b->environment);
}

static int compare_indices(const void *a, const void *b, void *data)
{
	struct oclmm_record *const *records = data;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	int order = compare(records[i]->program->name, records[i], records[j]->program->name,
	                    records[j]);

	return order ? order : oclmm_compare_numbers(i, j);
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_controls(struct grade_groups *groups)
{
	groups->controls = oclmm_calloc(groups->count + 1, sizeof(*groups->controls));
	for (size_t i = 0; i < groups->count; i++) {
		if (groups->records[i]->control)
			groups->controls[groups->control_count++] = groups->records[i]->control;
	}
	qsort(groups->controls, groups->control_count, sizeof(*groups->controls), compare_strings);
}

bool grade_is_control(const struct grade_groups *groups, const char *name)
{
	return bsearch(&name, groups->controls, groups->control_count, sizeof(*groups->controls),
	               compare_strings) != NULL;
}

void grade_groups_make(struct grade_groups *groups, struct oclmm_record *const *records,
                       size_t count)
{
	*groups = (struct grade_groups){.records = records, .count = count};
	groups->order = oclmm_calloc(count + 1, sizeof(*groups->order));
	for (size_t i = 0; i < count; i++)
		groups->order[i] = i;
	qsort_r(groups->order, count, sizeof(*groups->order), compare_indices,
	        (void *)(uintptr_t)records);
	list_controls(groups);
}

void grade_groups_finish(struct grade_groups *groups)
{
	oclmm_arena_destroy(groups->last.arena);
	free(groups->controls);
	free(groups->order);
	*groups = (struct grade_groups){0};
}

static int compare_at(const struct grade_groups *groups, size_t at, const char *name,
                      const struct oclmm_record *like)
{
	const struct oclmm_record *record = groups->records[groups->order[at]];

	return compare(record->program->name, record, name, like);
}

/* The first place from `low` on that does not stand before the group, or that stands behind it. */
static size_t bound(const struct grade_groups *groups, size_t low, const char *name,
                    const struct oclmm_record *like, bool behind)
{
	size_t high = groups->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_at(groups, middle, name, like) < (behind ? 1 : 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct grade_group grade_groups_find(const struct grade_groups *groups, const char *name,
                                     const struct oclmm_record *like)
{
	size_t first = bound(groups, 0, name, like, false);
	size_t end = bound(groups, first, name, like, true);

	return (struct grade_group){.members = groups->order + first, .count = end - first};
}

bool grade_has_outcomes(const struct oclmm_record *record)
{
	return record->end == OCLMM_END_OK && record->expected && record->grade.instances &&
	       record->grade.verdict != OCLMM_VERDICT_LOST;
}
