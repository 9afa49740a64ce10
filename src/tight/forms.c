// SPDX-License-Identifier: Apache-2.0
/* The forms of a size: critical cycles with regions and groups. */
#include <string.h>

#include "internal.h"

struct listing {
	int (*each)(void *data, const struct oclmm_cycle *form);
	void *data;
};

/* The cycle from another access on. */
static bool rotate(const struct oclmm_cycle *cycle, unsigned by, struct oclmm_cycle *ret_cycle)
{
	*ret_cycle = *cycle;
	for (unsigned i = 0; i < cycle->count; i++) {
		ret_cycle->access[i] = cycle->access[(i + by) % cycle->count];
		ret_cycle->link[i] = cycle->link[(i + by) % cycle->count];
	}
	return oclmm_cycle_settle(ret_cycle, NULL) == 0;
}

static bool same_edges(const struct oclmm_cycle *a, const struct oclmm_cycle *b)
{
	for (unsigned i = 0; i < a->count; i++) {
		const struct oclmm_link *x = &a->link[i], *y = &b->link[i];

		if (x->kind != y->kind || x->external != y->external || x->same != y->same ||
		    x->from_write != y->from_write || x->to_write != y->to_write)
			return false;
	}
	return true;
}

static int compare_words(const struct oclmm_cycle *a, const struct oclmm_cycle *b)
{
	struct oclmm_text x = {0}, y = {0};
	int order;

	oclmm_cycle_print(&x, a);
	oclmm_cycle_print(&y, b);
	order = strcmp(oclmm_text_string(&x), oclmm_text_string(&y));
	oclmm_text_finish(&x);
	oclmm_text_finish(&y);
	return order;
}

/* Forms come before what is said on them, since each form is searched for itself. */
static int compare(const struct oclmm_cycle *a, const struct oclmm_cycle *b)
{
	struct oclmm_cycle x = *a, y = *b;
	int order = 0;

	if (space_undress(&x) && space_undress(&y))
		order = compare_words(&x, &y);
	return order ? order : compare_words(a, b);
}

bool forms_is_first(const struct oclmm_cycle *cycle)
{
	for (unsigned by = 1; by < cycle->count; by++) {
		struct oclmm_cycle other;

		if (cycle->link[by - 1].external && rotate(cycle, by, &other) &&
		    same_edges(cycle, &other) && compare(&other, cycle) < 0)
			return false;
	}
	return true;
}

void oclmm_tight_turn(struct oclmm_cycle *cycle)
{
	const struct oclmm_cycle from = *cycle;

	for (unsigned by = 1; by < from.count; by++) {
		struct oclmm_cycle other;

		if (from.link[by - 1].external && rotate(&from, by, &other) &&
		    same_edges(&from, &other) && compare(&other, cycle) < 0)
			*cycle = other;
	}
}

/* Says of each edge between threads whether they share a group, and of each location its region. */
static bool dress(struct oclmm_cycle *cycle, unsigned groups, unsigned locals)
{
	unsigned external = 0;

	for (unsigned i = 0; i < cycle->count; i++) {
		struct oclmm_cycle_access *access = &cycle->access[i];

		access->local = locals & 1u << access->location;
		access->global = !access->local;
		if (cycle->link[i].external)
			cycle->link[i].near = groups & 1u << external++ ? OCLMM_SCOPE_WORK_GROUP
			                                                : OCLMM_SCOPE_DEVICE;
	}
	return oclmm_cycle_settle(cycle, NULL) == 0;
}

static int dress_all(void *data, const struct oclmm_cycle *cycle)
{
	const struct listing *listing = data;
	int r = 0;

	for (unsigned locals = 0; r == 0 && locals < 1u << cycle->location_count; locals++) {
		for (unsigned groups = 0; r == 0 && groups < 1u << cycle->thread_count; groups++) {
			struct oclmm_cycle form = *cycle;

			if (dress(&form, groups, locals) && forms_is_first(&form))
				r = listing->each(listing->data, &form);
		}
	}
	return r;
}

int forms_all(unsigned edges, int (*each)(void *data, const struct oclmm_cycle *form), void *data)
{
	struct listing listing = {.each = each, .data = data};

	return oclmm_cycles(&(struct oclmm_cycle_size){.edges = edges}, dress_all, &listing);
}
