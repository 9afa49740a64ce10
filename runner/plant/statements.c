// SPDX-License-Identifier: Apache-2.0
/*
 * Plants that look at neighbouring statements: what a compiler or a machine
 * that reorders would do. Whatever else lies between two statements (a branch, a
 * directive) keeps them apart.
 */
#include "statement.h"

/* Sets of 1u << enum statement_kind. */
#define LOADS    (1u << STATEMENT_LOAD)
#define STORES   (1u << STATEMENT_STORE)
#define UPDATES  (1u << STATEMENT_UPDATE)
#define FENCES   (1u << STATEMENT_FENCE)
#define PLAIN    (1u << STATEMENT_PLAIN_LOAD | 1u << STATEMENT_PLAIN_STORE)
#define ACCESSES (LOADS | STORES | UPDATES | PLAIN)

/* Which pairs of neighbours change places. */
static const struct {
	enum plant_bug bug;
	unsigned first, second;
	bool same; /* they access one object; else two */
} pairs[] = {
	{PLANT_LOADS_REVERSED, LOADS, LOADS, true},
	{PLANT_LOADS_SWAPPED, LOADS, LOADS, false},
	{PLANT_STORES_SWAPPED, STORES, STORES, false},
	{PLANT_LOAD_EARLY, STORES, LOADS, false},
	{PLANT_STORE_EARLY, LOADS, STORES, false},
	{PLANT_UPDATE_EARLY, LOADS | STORES | UPDATES, UPDATES, false},
	{PLANT_UPDATE_LATE, UPDATES, LOADS | STORES, false},
	{PLANT_PLAIN_LATE, 1u << STATEMENT_PLAIN_STORE, STORES | UPDATES | FENCES, false},
	{PLANT_FENCE_EARLY, ACCESSES, FENCES, false},
	{PLANT_FENCE_LATE, FENCES, ACCESSES, false},
};

static bool is_concerned(enum plant_bug bug, const struct source *source, const struct statement *a,
                         const struct statement *b)
{
	for (size_t i = 0; i < OCLMM_COUNT(pairs); i++) {
		if (pairs[i].bug == bug)
			return (pairs[i].first >> a->kind & 1) &&
			       (pairs[i].second >> b->kind & 1) &&
			       statement_same_object(source, a, b) == pairs[i].same;
	}
	return false;
}

/* Where a plant acts in some calls only, one of the two is such a call. */
static bool is_taken(const struct rewriter *rewriter, const struct statement *a,
                     const struct statement *b)
{
	return statement_taken(rewriter, a) || statement_taken(rewriter, b);
}

bool rewrite_pair(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement a, b;

	if (!statement_at(source, first, &a) || !statement_at(source, a.last + 1, &b) ||
	    !is_concerned(rewriter->plant.bug, source, &a, &b) || !is_taken(rewriter, &a, &b))
		return false;
	if (statement_depends(source, &b, &a) || statement_depends(source, &a, &b) ||
	    (a.variable && b.variable && range_same(source, a.target, b.target)))
		return false;
	put_raw(rewriter, (struct range){b.first, b.last + 1});
	put_gap(rewriter, b.first);
	put_raw(rewriter, (struct range){a.first, a.last + 1});
	*ret_next = b.last + 1;
	return true;
}

/* The nearest earlier load of the same object in the same block, whose value is still there. */
static bool find_earlier(const struct source *source, const struct statement *later,
                         struct statement *ret_earlier)
{
	struct statement at = *later;

	while (statement_before(source, &at, ret_earlier)) {
		struct range between = {ret_earlier->last + 1, later->first};

		if (ret_earlier->kind == STATEMENT_LOAD &&
		    !is_written(source, ret_earlier->variable, between) &&
		    !is_any_written(source, later->object, between))
			return true;
		at.first = ret_earlier->first;
	}
	return false;
}

bool rewrite_reuse(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement earlier, later;

	if (!statement_at(source, first, &later) || later.kind != STATEMENT_LOAD ||
	    !find_earlier(source, &later, &earlier) || !is_taken(rewriter, &earlier, &later))
		return false;
	put_raw(rewriter, later.target);
	put(rewriter, " = ");
	put_raw(rewriter, statement_variable(source, &earlier));
	put(rewriter, ";");
	*ret_next = later.last + 1;
	return true;
}
