// SPDX-License-Identifier: Apache-2.0
/* A cycle in words. */
#include "internal.h"

static void print_type(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned i)
{
	const struct oclmm_cycle_location *location = &cycle->location[cycle->access[i].location];

	/* what is said of a location is said at its first access */
	for (unsigned k = 0; k < i; k++) {
		if (cycle->access[k].location == cycle->access[i].location)
			return;
	}
	if (location->space == OCLMM_SPACE_LOCAL)
		oclmm_text_add(text, ".L");
	if (location->type != OCLMM_TYPE_INT && location->type != OCLMM_TYPE_FLAG)
		oclmm_text_printf(text, ".%s", oclmm_type_name(location->type));
	if (location->svm && cycle_default_scope(cycle) == OCLMM_SCOPE_DEVICE)
		oclmm_text_add(text, ".svm");
}

static void print_access(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned i)
{
	const struct oclmm_cycle_access *access = &cycle->access[i];

	oclmm_text_add(text, access->update ? "U" : access->writes ? "W" : "R");
	if (access->update || access->op)
		oclmm_text_printf(text, ".%s", words_operation(access->op));
	if (access->fails)
		oclmm_text_add(text, ".fail");
	oclmm_text_printf(text, ".%s",
	                  access->legacy ? "legacy" : oclmm_order_short(access->order));
	if (access->scope && access->scope != cycle_default_scope(cycle))
		oclmm_text_printf(text, ".%s", oclmm_scope_short(access->scope));
	if (cycle->placement[access->thread].host)
		oclmm_text_add(text, ".host");
	print_type(text, cycle, i);
}

static void print_flags(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned flags)
{
	if (flags && flags != cycle_regions(cycle))
		oclmm_text_printf(text, ".%s%s", flags & OCLMM_FLAG_GLOBAL ? "G" : "",
		                  flags & OCLMM_FLAG_LOCAL ? "L" : "");
}

static void print_fences(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned i,
                         bool inside)
{
	for (unsigned k = 0; k < cycle->access[i].fence_count; k++) {
		const struct oclmm_cycle_fence *fence = &cycle->access[i].fences[k];

		if (fence->inside != inside)
			continue;
		oclmm_text_printf(text, " %s", words_fence_word(fence->kind));
		if (fence->order)
			oclmm_text_printf(text, ".%s", oclmm_order_short(fence->order));
		if (fence->no_flags)
			oclmm_text_add(text, ".none");
		print_flags(text, cycle, fence->flags);
		if (fence->scope &&
		    (fence_is_barrier(fence) || fence->scope != cycle_default_scope(cycle)))
			oclmm_text_printf(text, ".%s", oclmm_scope_short(fence->scope));
	}
}

static void print_link(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned i)
{
	const struct oclmm_link *link = &cycle->link[i];
	const struct oclmm_placement *a = &cycle->placement[cycle->access[i].thread];
	const struct oclmm_placement *b =
		&cycle->placement[cycle->access[cycle_next(cycle, i)].thread];

	words_print_link(text, link);
	if (link_is_barrier(link)) {
		print_flags(text, cycle, link->flags);
		if (link->scope)
			oclmm_text_printf(text, ".%s", oclmm_scope_short(link->scope));
	} else if (link->external && !a->host && !b->host) {
		if (oclmm_same_sub_group(a, b))
			oclmm_text_add(text, ".sg");
		else if (oclmm_same_work_group(a, b))
			oclmm_text_add(text, ".wg");
		else if (a->device != b->device)
			oclmm_text_add(text, ".all");
	}
}

void oclmm_cycle_print(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	for (unsigned i = 0; i < cycle->count; i++) {
		oclmm_text_add(text, i ? " " : "");
		print_access(text, cycle, i);
		print_fences(text, cycle, i, false);
		oclmm_text_add(text, " ");
		print_link(text, cycle, i);
		print_fences(text, cycle, i, true);
	}
}

void oclmm_cycle_print_edges(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	for (unsigned i = 0; i < cycle->count; i++) {
		oclmm_text_add(text, i ? " " : "");
		words_print_link(text, &cycle->link[i]);
	}
}
