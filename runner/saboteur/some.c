// SPDX-License-Identifier: Apache-2.0
/*
 * Plants that act in some calls only: `(WHEN ? CHANGED : CALL)`, where the
 * compiler or the launch decides.
 */
#include "internal.h"

static bool splits(enum saboteur_bug bug)
{
	return bug == SABOTEUR_WIDE_SPLIT || bug == SABOTEUR_GROUP_SPLIT ||
	       bug == SABOTEUR_MANY_SPLIT || bug == SABOTEUR_RARE_SPLIT;
}

static bool is_rare(enum saboteur_bug bug)
{
	return bug == SABOTEUR_RARE_RELAXED || bug == SABOTEUR_RARE_SPLIT ||
	       bug == SABOTEUR_COUNT_LOST;
}

/* Writes the changed call, and false where there is nothing to change. */
static bool put_changed(struct rewriter *rewriter, const struct call *call, struct oclmm_text *text)
{
	struct rewriter inner = *rewriter;

	inner.text = text;
	inner.splitting = splits(rewriter->plant.bug);
	inner.relaxing = !inner.splitting;
	return inner.splitting ? rewrite_update(&inner, call) : rewrite_orders(&inner, call);
}

/* Which ones depends on the object, its value and the work-item: of 2^32 every N-th on average. */
static void put_when(struct rewriter *rewriter, const struct call *call)
{
	enum saboteur_bug bug = rewriter->plant.bug;
	unsigned long long number = rewriter->plant.number;

	if (is_rare(bug)) {
		put(rewriter, "(((uint)(size_t)");
		put_argument(rewriter, call, 0);
		put(rewriter,
		    " * 2654435761u ^ (uint)get_global_id(0) * 2246822519u) * 3266489917u >> 4) %% "
		    "%lluu == 0",
		    number);
	} else if (bug == SABOTEUR_GROUP_RELAXED || bug == SABOTEUR_GROUP_SPLIT) {
		put(rewriter, "get_local_size(0) >= %llu", number);
	} else if (bug == SABOTEUR_MANY_RELAXED || bug == SABOTEUR_MANY_SPLIT) {
		put(rewriter, "get_num_groups(0) >= %llu", number);
	} else {
		put(rewriter, "sizeof(*");
		put_argument(rewriter, call, 0);
		put(rewriter, ") == 8");
	}
}

static void put_choice(struct rewriter *rewriter, const struct call *call, const char *changed)
{
	put(rewriter, "(");
	put_when(rewriter, call);
	put(rewriter, " ? ");
	oclmm_text_add(rewriter->text, changed);
	put(rewriter, " : ");
	put_raw(rewriter, (struct range){call->name, call->close + 1});
	put(rewriter, ")");
}

/* One of the functions with which kernels count. */
static bool lose(struct rewriter *rewriter, const struct call *call)
{
	if (call->function->kind != FUNCTION_LEGACY)
		return false;
	put(rewriter, "(");
	put_when(rewriter, call);
	put(rewriter, " ? *");
	put_argument(rewriter, call, 0);
	put(rewriter, " : ");
	put_raw(rewriter, (struct range){call->name, call->close + 1});
	put(rewriter, ")");
	return true;
}

/* Without an order: `atomic_load(p)`. */
static bool relax_short(struct rewriter *rewriter, const struct call *call)
{
	struct rewriter inner = *rewriter;

	inner.relaxing = true;
	return call->function->kind <= FUNCTION_FLAG_CLEAR && !call->is_explicit &&
	       rewrite_orders(&inner, call);
}

bool rewrite_some(struct rewriter *rewriter, const struct call *call)
{
	enum saboteur_bug bug = rewriter->plant.bug;
	struct oclmm_text changed;
	bool done;

	if (bug == SABOTEUR_COUNT_LOST)
		return lose(rewriter, call);
	if (bug == SABOTEUR_SHORT_RELAXED)
		return relax_short(rewriter, call);
	/* fences have no object: in some of them only where the launch decides */
	if (bug < SABOTEUR_WIDE_RELAXED || (call->function->kind > FUNCTION_FLAG_CLEAR &&
	                                    (call->function->kind != FUNCTION_FENCE ||
	                                     is_rare(bug) || bug == SABOTEUR_WIDE_RELAXED)))
		return false;
	oclmm_text_init(&changed);
	done = put_changed(rewriter, call, &changed);
	if (done)
		put_choice(rewriter, call, oclmm_text_string(&changed));
	oclmm_text_finish(&changed);
	return done;
}
