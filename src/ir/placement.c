// SPDX-License-Identifier: Apache-2.0
#include "oclmm/ir.h"

bool oclmm_same_kernel(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return !a->host && !b->host && a->device == b->device && a->queue == b->queue &&
	       a->child == b->child;
}

bool oclmm_two_kernels(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return !a->host && !b->host && a->device == b->device && a->queue != b->queue;
}

bool oclmm_same_work_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return oclmm_same_kernel(a, b) && a->work_group == b->work_group;
}

bool oclmm_same_sub_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return oclmm_same_work_group(a, b) && a->sub_group_given && b->sub_group_given &&
	       a->sub_group == b->sub_group;
}

bool oclmm_same_group(const struct oclmm_placement *a, const struct oclmm_placement *b,
                      bool sub_group)
{
	return sub_group ? oclmm_same_sub_group(a, b) : oclmm_same_work_group(a, b);
}

bool oclmm_program_has_queues(const struct oclmm_program *program)
{
	for (uint32_t i = 0; i < program->thread_count; i++)
		if (program->threads[i].placement.queue > 0)
			return true;
	return false;
}

void oclmm_placement_print(struct oclmm_text *text, const struct oclmm_placement *placement)
{
	if (placement->host) {
		oclmm_text_add(text, "host");
		return;
	}
	if (placement->child) {
		oclmm_text_add(text, "child");
		return;
	}
	if (placement->sub_group_given)
		oclmm_text_printf(text, "sg %u, ", placement->sub_group);
	oclmm_text_printf(text, "wg %u, dev %u", placement->work_group, placement->device);
	if (placement->queue > 0)
		oclmm_text_printf(text, ", queue %u", placement->queue);
}
