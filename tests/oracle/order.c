// SPDX-License-Identifier: Apache-2.0
/*
 * The total order S of the seq_cst operations (B.9), rule by rule as worded,
 * on each of all permutations; and the condition that `scoped` has instead.
 */
#include <string.h>

#include "order.h"

/** Does the work-item of a fence access memory with SVM atomics? */
static bool is_beside_svm(const struct candidate *candidate, unsigned fence)
{
	for (unsigned i = 0; i < candidate->count; i++)
		if (candidate->events[i].thread == candidate->events[fence].thread &&
		    !candidate->events[i].fence &&
		    oclmm_storage_has_svm_atomics(candidate->events[i].storage))
			return true;
	return false;
}

/**
 * A fence affects no location, so that both conditions may hold of it. K10: the first never
 * does, the second does not where its work-item accesses memory with SVM atomics.
 */
bool order_is_required(const struct candidate *candidate, bool k10)
{
	bool all = true, device = true;

	for (unsigned i = 0; i < candidate->count; i++) {
		const struct event *e = &candidate->events[i];
		bool svm = !e->fence && oclmm_storage_has_svm_atomics(e->storage);

		if (e->order != OCLMM_ORDER_SEQ_CST)
			continue;
		if (e->fence && k10) {
			all = false;
			svm = is_beside_svm(candidate, i);
		}
		all &= e->scope == OCLMM_SCOPE_ALL_SVM_DEVICES && (e->fence || svm);
		device &= e->scope == OCLMM_SCOPE_DEVICE && !svm;
	}
	return all || device;
}

bool is_sc_write(const struct order_question *q, unsigned e, unsigned cell_of)
{
	const struct candidate *c = q->view->candidate;

	return is_sc(q->view, e) && c->events[e].writes &&
	       same_cell(&c->events[e], &c->events[cell_of]);
}

bool is_sc_fence_for(const struct order_question *q, unsigned x, unsigned access)
{
	const struct candidate *c = q->view->candidate;

	if (!c->events[x].fence || !is_sc(q->view, x))
		return false;
	return !q->k4 || (c->events[x].flags & (1u << c->events[access].space)) != 0;
}

/* ---- what S must contain --------------------------------------------- */

/** K8: the strong part of happens-before of one region. */
static void strong_part(const struct view *view, unsigned region, relation ret_strong)
{
	const struct candidate *c = view->candidate;
	static relation sb, hb;

	add_entries(view, region, hb);
	memset(ret_strong, 0, sizeof(relation));
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++) {
			sb[a][b] = c->sb[a][b] && view->act[region][a] && view->act[region][b];
			ret_strong[a][b] = sb[a][b] || (view->sw[region][a][b] && is_sc(view, a) &&
			                                is_sc(view, b));
		}
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned i = 0; i < c->count; i++)
			for (unsigned j = 0; sb[a][i] && j < c->count; j++)
				for (unsigned b = 0; hb[i][j] && b < c->count; b++)
					ret_strong[a][b] |= sb[j][b];
	close_transitively(c->count, ret_strong);
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++)
			if (c->events[a].fence && c->events[b].fence)
				ret_strong[a][b] |= view->hb[region][a][b];
	/* with K11 sb;hb;sb may lead where happens-before does not */
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++)
			ret_strong[a][b] = ret_strong[a][b] && view->hb[region][a][b];
}

static void find_contained(struct order_question *q)
{
	const struct candidate *c = q->view->candidate;
	static relation strong[2];

	for (unsigned r = 0; q->k8 && r < 2; r++)
		strong_part(q->view, r, strong[r]);
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++) {
			bool hb = q->k8 ? strong[0][a][b] || strong[1][a][b]
			                : q->view->hb[0][a][b] || q->view->hb[1][a][b];

			q->contained[a][b] = is_sc(q->view, a) && is_sc(q->view, b) &&
			                     (hb || c->mo[a][b]);
		}
}

/* ---- the rules on one order ------------------------------------------ */

static bool precedes(const struct order_question *q, unsigned a, unsigned b)
{
	return q->place[a] < q->place[b];
}

/** May an event stand next? Not before one that S has to have before it. */
static bool may_follow(const struct order_question *q, unsigned event)
{
	for (unsigned i = 0; i < q->count; i++)
		if (q->contained[q->list[i]][event] && !q->placed[i])
			return false;
	return true;
}

/** The last seq_cst write to the cell of `access` before `at` in S, or -1. */
static int last_write_before(const struct order_question *q, unsigned at, unsigned access)
{
	int last = -1;

	for (unsigned i = 0; i < q->count; i++)
		if (is_sc_write(q, q->list[i], access) && precedes(q, q->list[i], at) &&
		    (last < 0 || precedes(q, (unsigned)last, q->list[i])))
			last = (int)q->list[i];
	return last;
}

static bool rule_1(const struct order_question *q, unsigned b)
{
	unsigned w = (unsigned)q->view->candidate->rf[b];
	int a = last_write_before(q, b, b);

	if (a < 0)
		return !is_sc(q->view, w);
	return w == (unsigned)a ||
	       (!is_sc(q->view, w) && !happens_before(q->view, w, (unsigned)a, b));
}

/** X: a fence sequenced before the atomic read B. */
static bool rule_2(const struct order_question *q, unsigned x, unsigned b)
{
	const struct candidate *c = q->view->candidate;
	int last;

	if (!is_atomic_read(c, b) || !is_sc_fence_for(q, x, b) || !c->sb[x][b])
		return true;
	last = last_write_before(q, x, b);
	return last < 0 || !c->mo[c->rf[b]][last];
}

/** An atomic write A sequenced before the fence X. */
static bool is_before_fence(const struct order_question *q, unsigned a, unsigned x)
{
	const struct candidate *c = q->view->candidate;

	return is_atomic_write(c, a) && is_sc_fence_for(q, x, a) && c->sb[a][x];
}

static bool rule_3(const struct order_question *q, unsigned a, unsigned x, unsigned b)
{
	const struct candidate *c = q->view->candidate;

	return !(a != b && is_sc(q->view, b) && is_atomic_read(c, b) &&
	         same_cell(&c->events[a], &c->events[b]) && precedes(q, x, b) &&
	         c->mo[c->rf[b]][a]);
}

static bool rules_4_and_5(const struct order_question *q, unsigned a, unsigned x, unsigned y,
                          unsigned b)
{
	const struct candidate *c = q->view->candidate;

	if (a == b || !same_cell(&c->events[a], &c->events[b]) || !is_sc_fence_for(q, y, b) ||
	    !c->sb[y][b] || !precedes(q, x, y))
		return true;
	if (is_atomic_read(c, b) && c->mo[c->rf[b]][a])
		return false;
	return !is_atomic_write(c, b) || c->mo[a][b];
}

static bool fence_rules_hold(const struct order_question *q, unsigned x)
{
	unsigned count = q->view->candidate->count;

	for (unsigned b = 0; b < count; b++)
		if (!rule_2(q, x, b))
			return false;
	for (unsigned a = 0; a < count; a++) {
		/* the other rules are about such writes */
		if (!is_before_fence(q, a, x))
			continue;
		for (unsigned b = 0; b < count; b++) {
			if (!rule_3(q, a, x, b))
				return false;
			for (unsigned y = 0; y < q->count; y++)
				if (!rules_4_and_5(q, a, x, q->list[y], b))
					return false;
		}
	}
	return true;
}

static bool all_rules_hold(const struct order_question *q)
{
	const struct candidate *c = q->view->candidate;

	for (unsigned i = 0; i < q->count; i++) {
		unsigned e = q->list[i];

		if (c->events[e].reads && !rule_1(q, e))
			return false;
		if (c->events[e].fence && !fence_rules_hold(q, e))
			return false;
	}
	return true;
}

/** Tries every permutation that contains what it has to, from place `next` on. */
static bool try_orders(struct order_question *q, unsigned next)
{
	if (next == q->count)
		return all_rules_hold(q);
	for (unsigned i = 0; i < q->count; i++) {
		if (q->placed[i] || !may_follow(q, q->list[i]))
			continue;
		q->placed[i] = true;
		q->place[q->list[i]] = next;
		if (try_orders(q, next + 1))
			return true;
		q->placed[i] = false;
	}
	return false;
}

/** Under K8 the conditions of C++20 or those of RC11 suffice. */
bool order_exists(const struct view *view, bool k2, bool k4, bool k8)
{
	static struct order_question q;

	memset(&q, 0, sizeof(q));
	q.view = view;
	q.k4 = k4;
	q.k8 = k8;
	for (unsigned i = 0; i < view->candidate->count; i++)
		if (view->sc[i])
			q.list[q.count++] = i;
	find_contained(&q);
	if (k2 ? binding_edges_exist(&q) : try_orders(&q, 0))
		return true;
	return k8 && rc11_holds(&q, k2);
}

/* ---- scoped ---------------------------------------------------------- */

static void add_product(unsigned count, relation left, relation middle, relation right,
                        relation result)
{
	for (unsigned a = 0; a < count; a++)
		for (unsigned i = 0; i < count; i++)
			for (unsigned j = 0; left[a][i] && j < count; j++)
				for (unsigned b = 0; middle[i][j] && b < count; b++)
					result[a][b] |= right[j][b];
}

/** acyclic( SC² ∩ (Fsb?;(rb ∪ mo ∪ ghb ∪ lhb);sbF?) ∩ incl ). */
bool scoped_order_exists(const struct view *view)
{
	const struct candidate *c = view->candidate;
	static relation before, middle, after, product;

	memset(product, 0, sizeof(product));
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++) {
			before[a][b] = a == b || (c->events[a].fence && c->sb[a][b]);
			after[a][b] = a == b || (c->sb[a][b] && c->events[b].fence);
			middle[a][b] = c->rb[a][b] || c->mo[a][b] || view->hb[0][a][b] ||
			               view->hb[1][a][b];
		}
	add_product(c->count, before, middle, after, product);
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++)
			product[a][b] = product[a][b] && is_sc(view, a) && is_sc(view, b) &&
			                is_inclusive(c, &view->reading, a, NULL, b, NULL);
	close_transitively(c->count, product);
	return is_irreflexive(c->count, product);
}
