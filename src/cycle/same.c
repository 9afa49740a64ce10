// SPDX-License-Identifier: Apache-2.0
/* Whether two skeletons are one test. */
#include "internal.h"

struct pairing {
	const struct skeleton *a, *b;
	const unsigned *map;
	unsigned location[OCLMM_CYCLE_MAX];           /* of a, in b; SKELETON_NONE: not met */
	unsigned reg[OCLMM_CYCLE_MAX][SKELETON_NONE]; /* by thread of a */
};

static bool same_location(struct pairing *pairing, unsigned a, unsigned b)
{
	const struct oclmm_cycle_location *in_a = &pairing->a->location[a];
	const struct oclmm_cycle_location *in_b = &pairing->b->location[b];

	if (pairing->location[a] != SKELETON_NONE)
		return pairing->location[a] == b;
	for (unsigned i = 0; i < OCLMM_CYCLE_MAX; i++) {
		if (pairing->location[i] == b)
			return false;
	}
	pairing->location[a] = b;
	return in_a->space == in_b->space && in_a->type == in_b->type && in_a->svm == in_b->svm &&
	       in_a->atomic == in_b->atomic && pairing->a->initial[a] == pairing->b->initial[b];
}

/* A register is known by what sets it. */
static bool same_register(const struct pairing *pairing, unsigned thread, unsigned a, unsigned b)
{
	if (a == SKELETON_NONE || b == SKELETON_NONE)
		return a == b;
	return pairing->reg[thread][a] == b;
}

static bool same_fence(const struct oclmm_cycle_fence *a, const struct oclmm_cycle_fence *b)
{
	return a->kind == b->kind && a->flags == b->flags && a->order == b->order &&
	       a->scope == b->scope;
}

static bool same_access(struct pairing *pairing, const struct skeleton_item *a,
                        const struct skeleton_item *b)
{
	const struct oclmm_cycle_access *x = &a->access, *y = &b->access;

	return x->reads == y->reads && x->writes == y->writes && x->op == y->op &&
	       x->order == y->order && x->scope == y->scope && x->legacy == y->legacy &&
	       a->failure == b->failure && a->operand == b->operand &&
	       a->comparand == b->comparand && same_location(pairing, x->location, y->location);
}

static bool same_item(struct pairing *pairing, unsigned thread, const struct skeleton_item *a,
                      const struct skeleton_item *b)
{
	if (a->is_fence != b->is_fence || !same_register(pairing, thread, a->guard, b->guard) ||
	    a->guard_value != b->guard_value)
		return false;
	if (a->is_fence)
		return same_fence(&a->fence, &b->fence);
	if (!same_access(pairing, a, b) || !same_register(pairing, thread, a->data, b->data))
		return false;
	/* a result that nobody looks at may be kept or not */
	if (a->reg != SKELETON_NONE)
		pairing->reg[thread][a->reg] = b->reg;
	if (a->expected != SKELETON_NONE)
		pairing->reg[thread][a->expected] = b->expected;
	return true;
}

static bool same_thread(struct pairing *pairing, unsigned thread)
{
	const struct skeleton_thread *a = &pairing->a->thread[thread];
	const struct skeleton_thread *b = &pairing->b->thread[pairing->map[thread]];

	if (a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++) {
		if (!same_item(pairing, thread, &a->item[i], &b->item[i]))
			return false;
	}
	return true;
}

static bool same_places(const struct pairing *pairing)
{
	for (unsigned i = 0; i < pairing->a->thread_count; i++) {
		const struct oclmm_placement *a = &pairing->a->thread[i].placement;
		const struct oclmm_placement *b = &pairing->b->thread[pairing->map[i]].placement;

		for (unsigned k = 0; k < i; k++) {
			const struct oclmm_placement *c = &pairing->a->thread[k].placement;
			const struct oclmm_placement *d =
				&pairing->b->thread[pairing->map[k]].placement;

			if (oclmm_same_work_group(a, c) != oclmm_same_work_group(b, d) ||
			    oclmm_same_sub_group(a, c) != oclmm_same_sub_group(b, d) ||
			    (!a->host && !c->host &&
			     (a->device == c->device) != (b->device == d->device)))
				return false;
		}
		if (a->host != b->host)
			return false;
	}
	return true;
}

static bool has_atom(const struct pairing *pairing, const struct skeleton_atom *atom)
{
	unsigned thread = atom->is_register ? pairing->map[atom->thread] : 0;
	unsigned index = atom->is_register ? pairing->reg[atom->thread][atom->index]
	                                   : pairing->location[atom->index];

	for (unsigned i = 0; i < pairing->b->atom_count; i++) {
		const struct skeleton_atom *other = &pairing->b->atom[i];

		if (other->is_register == atom->is_register && other->thread == thread &&
		    other->index == index && other->value == atom->value)
			return true;
	}
	return false;
}

bool skeleton_same(const struct skeleton *a, const struct skeleton *b, const unsigned *map)
{
	struct pairing pairing = {.a = a, .b = b, .map = map};

	for (unsigned i = 0; i < OCLMM_CYCLE_MAX; i++) {
		pairing.location[i] = SKELETON_NONE;
		for (unsigned k = 0; k < SKELETON_NONE; k++)
			pairing.reg[i][k] = SKELETON_NONE;
	}
	if (a->thread_count != b->thread_count || a->atom_count != b->atom_count)
		return false;
	for (unsigned i = 0; i < a->thread_count; i++) {
		if (!same_thread(&pairing, i))
			return false;
	}
	for (unsigned i = 0; i < a->atom_count; i++) {
		if (!has_atom(&pairing, &a->atom[i]))
			return false;
	}
	return same_places(&pairing);
}
