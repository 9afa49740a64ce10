// SPDX-License-Identifier: Apache-2.0
#include "group.h"

#include <stdlib.h>
#include <string.h>

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare(const char *name_a, const struct oclmm_record *a, const char *name_b,
                   const struct oclmm_record *b)
{
	int order = strcmp(name_a, name_b);

	if (!order)
		order = compare_text(a->device, b->device);
	if (!order)
		order = compare_text(a->device_id, b->device_id);
	if (!order)
		order = compare_text(a->driver, b->driver);
	if (!order)
		order = compare_text(a->environment, b->environment);
	return order;
}

static int compare_indices(const void *a, const void *b, void *data)
{
	struct oclmm_record *const *records = data;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	int order = compare(records[i]->program->name, records[i], records[j]->program->name,
	                    records[j]);

	return order ? order : i < j ? -1 : i > j;
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
}

void grade_groups_finish(struct grade_groups *groups)
{
	free(groups->order);
	*groups = (struct grade_groups){0};
}

static int compare_at(const struct grade_groups *groups, size_t at, const char *name,
                      const struct oclmm_record *like)
{
	const struct oclmm_record *record = groups->records[groups->order[at]];

	return compare(record->program->name, record, name, like);
}

struct grade_group grade_groups_find(const struct grade_groups *groups, const char *name,
                                     const struct oclmm_record *like)
{
	size_t low = 0, high = groups->count, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_at(groups, middle, name, like) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < groups->count && compare_at(groups, end, name, like) == 0;)
		end++;
	return (struct grade_group){.members = groups->order + low, .count = end - low};
}

bool grade_has_outcomes(const struct oclmm_record *record)
{
	return record->end == OCLMM_END_OK && record->expected && record->grade.instances &&
	       record->grade.verdict != OCLMM_VERDICT_LOST;
}
