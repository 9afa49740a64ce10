// SPDX-License-Identifier: Apache-2.0
/*
 * Plants that act in some calls only: `(WHEN ? CHANGED : CALL)`, where the
 * compiler or the launch decides.
 */
#include <string.h>

#include "internal.h"

static bool splits(enum plant_bug bug)
{
	return bug == PLANT_WIDE_SPLIT || bug == PLANT_GROUP_SPLIT || bug == PLANT_MANY_SPLIT ||
	       bug == PLANT_ODD_SPLIT || bug == PLANT_LANE_SPLIT || bug == PLANT_SMALL_SPLIT ||
	       bug == PLANT_UNEVEN_SPLIT || bug == PLANT_EXACT_SPLIT || bug == PLANT_FROM_SPLIT ||
	       bug == PLANT_SHIFTED_SPLIT || bug == PLANT_RARE_SPLIT;
}

static bool is_rare(enum plant_bug bug)
{
	return bug == PLANT_RARE_RELAXED || bug == PLANT_RARE_SPLIT || bug == PLANT_COUNT_LOST;
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
	enum plant_bug bug = rewriter->plant.bug;
	unsigned long long number = rewriter->plant.number;

	if (is_rare(bug)) {
		put_code(rewriter, call,
		         "(((uint)(size_t)@0 * 2654435761u ^ (uint)get_global_id(0) * "
		         "2246822519u) * 3266489917u >> 4) %% %lluu == 0",
		         number);
	} else if (bug == PLANT_GROUP_RELAXED || bug == PLANT_GROUP_SPLIT) {
		put(rewriter, GROUP_SIZE " >= %llu", number);
	} else if (bug == PLANT_MANY_RELAXED || bug == PLANT_MANY_SPLIT) {
		put(rewriter, "get_num_groups(0) * get_num_groups(1) * get_num_groups(2) >= %llu",
		    number);
	} else if (bug == PLANT_SMALL_RELAXED || bug == PLANT_SMALL_SPLIT) {
		put(rewriter, GROUP_SIZE " <= %llu", number);
	} else if (bug == PLANT_UNEVEN_RELAXED || bug == PLANT_UNEVEN_SPLIT) {
		put(rewriter, GROUP_SIZE " %% %llu != 0", number);
	} else if (bug == PLANT_EXACT_RELAXED || bug == PLANT_EXACT_SPLIT) {
		put(rewriter, GROUP_SIZE " == %llu", number);
	} else if (bug == PLANT_FROM_RELAXED || bug == PLANT_FROM_SPLIT) {
		put(rewriter, GROUP_NUMBER " >= %llu", number);
	} else if (bug == PLANT_SHIFTED_RELAXED || bug == PLANT_SHIFTED_SPLIT) {
		put_code(rewriter, call, "(size_t)@0 %% %llu != 0", number);
	} else if (bug == PLANT_ODD_RELAXED || bug == PLANT_ODD_SPLIT) {
		put(rewriter, "((get_group_id(0) ^ get_group_id(1) ^ get_group_id(2)) & 1) != 0");
	} else if (bug == PLANT_LANE_RELAXED || bug == PLANT_LANE_SPLIT) {
		put(rewriter,
		    "(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * "
		    "get_local_id(2))) %% %llu == %llu",
		    number, number - 1);
	} else if (bug == PLANT_OTHER_RELAXED) {
		put_code(rewriter, call, "($1) != 1");
	} else if (bug == PLANT_ZERO_LOAD) {
		put_code(rewriter, call, "($1");
		put(rewriter, call->function->update[0] == '&' ? ") == -1" : ") == 0");
	} else {
		put_code(rewriter, call, "sizeof(*@0) == 8");
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

static bool lose_local(struct rewriter *rewriter, const struct call *call)
{
	struct rewriter inner = *rewriter;

	inner.plant = (struct plant){.bug = PLANT_NOTHING_STORED};
	return is_local(&rewriter->source, call) && rewrite_mistake(&inner, call);
}

/* A number is known before the compiler is asked. */
static bool is_number(const struct source *source, struct range range)
{
	return range.last == range.first + 1 && source->tokens[range.first].kind == TOKEN_NUMBER;
}

static void put_plain_load(struct rewriter *rewriter, const struct call *call)
{
	put(rewriter, "atomic_load_explicit(");
	put_range(rewriter, call->arguments[0]);
	put(rewriter, ", memory_order_relaxed");
	if (call->scope != CALL_ARGUMENTS) {
		put(rewriter, ", ");
		put_raw(rewriter, call->arguments[call->scope]);
	}
	put(rewriter, ")");
}

/* An update that leaves what it finds, as a relaxed load. */
static bool load_for_zero(struct rewriter *rewriter, const struct call *call)
{
	const char *update = call->function->update;
	struct oclmm_text load;
	struct rewriter inner = *rewriter;

	if (!update || !strchr("+-|^&", update[0]) || call->count < 2 || is_legacy(call))
		return false;
	if (update[0] != '&' && is_number(&rewriter->source, call->arguments[1])) {
		if (!range_is(&rewriter->source, call->arguments[1], "0"))
			return false;
		put_plain_load(rewriter, call);
		return true;
	}
	inner.text = &load;
	oclmm_text_init(&load);
	put_plain_load(&inner, call);
	put_choice(rewriter, call, oclmm_text_string(&load));
	oclmm_text_finish(&load);
	return true;
}

/* The same of a compare-exchange, which also says whether it found what it expects. */
static bool load_for_same(struct rewriter *rewriter, const struct call *call)
{
	if (call->function->kind != FUNCTION_CAS)
		return false;
	put_code(rewriter, call,
	         "(($2) == *($1) ? ({ __typeof__(&*($1)) oclmm_e = @1; "
	         "__typeof__(*oclmm_e + 0) oclmm_was = *oclmm_e; *oclmm_e = ");
	put_plain_load(rewriter, call);
	put(rewriter, "; oclmm_was == *oclmm_e; }) : ");
	put_raw(rewriter, (struct range){call->name, call->close + 1});
	put(rewriter, ")");
	return true;
}

/* One of the functions with which kernels count. */
static bool lose(struct rewriter *rewriter, const struct call *call)
{
	if (call->function->kind != FUNCTION_LEGACY)
		return false;
	put(rewriter, "(");
	put_when(rewriter, call);
	put_code(rewriter, call, " ? *@0 : ");
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

/* Machines have instructions of their own for them, which give nothing back and acquire nothing. */
static bool relax_unused(struct rewriter *rewriter, const struct call *call)
{
	struct rewriter inner = *rewriter;
	enum function_kind kind = call->function->kind;

	inner.relaxing = true;
	return (kind == FUNCTION_FETCH || kind == FUNCTION_CAS || kind == FUNCTION_FLAG_SET) &&
	       is_unused(&rewriter->source, call) && rewrite_orders(&inner, call);
}

/* The end of `if (…)`, or `else`. */
static bool is_guard(const struct source *source, size_t last)
{
	size_t open = token_is(source, last, ")") ? source->tokens[last].match : TOKEN_UNMATCHED;

	return token_is(source, last, "else") ||
	       (open != TOKEN_UNMATCHED && open > 0 && token_is(source, open - 1, "if"));
}

/* A statement that begins at `first` has ended before a token. */
static bool is_ended(const struct source *source, size_t first, size_t token)
{
	for (size_t i = first; i < token; i++) {
		if (token_is(source, i, ";") || token_is(source, i, "}"))
			return true;
	}
	return false;
}

/* Within `if (…) STATEMENT`, `if (…) { … }` or behind `else`. */
static bool is_in_branch(const struct source *source, size_t token)
{
	size_t inner = 0; /* blocks that end between here and the token */

	for (size_t i = token; i-- > 1 && !source->tokens[i].macro;) {
		if (token_is(source, i, "}"))
			inner++;
		else if (token_is(source, i, "{") && inner > 0)
			inner--;
		else if (token_is(source, i, "{") ? is_guard(source, i - 1)
		                                  : inner == 0 && is_guard(source, i) &&
		                                            !token_is(source, i + 1, "{") &&
		                                            !is_ended(source, i + 1, token))
			return true;
	}
	return false;
}

/* A predicated instruction, or one of a kind that is chosen within a branch. */
static bool split_in_branch(struct rewriter *rewriter, const struct call *call)
{
	struct rewriter inner = *rewriter;

	inner.splitting = true;
	return is_in_branch(&rewriter->source, call->name) && rewrite_update(&inner, call);
}

/*
 * The same object by the same name, which the roles of a test share. An implementation that has a
 * lock for each function keeps its calls apart from each other, and from no other function.
 */
static bool is_reached_by(const struct source *source, const struct call *call, bool store)
{
	for (size_t i = 0; i < source->count; i++) {
		struct call other;
		enum function_kind kind;

		if (!call_at(source, i, &other) || other.count == 0 || is_legacy(&other) ||
		    !range_same(source, other.arguments[0], call->arguments[0]))
			continue;
		kind = other.function->kind;
		if (store ? kind == FUNCTION_STORE || kind == FUNCTION_FLAG_CLEAR
		          : (kind == FUNCTION_FETCH || kind == FUNCTION_CAS) &&
		                    other.function != call->function)
			return true;
	}
	return false;
}

static bool split_beside(struct rewriter *rewriter, const struct call *call)
{
	struct rewriter inner = *rewriter;
	bool store = rewriter->plant.bug == PLANT_STORED_SPLIT;

	inner.splitting = true;
	return is_reached_by(&rewriter->source, call, store) && rewrite_update(&inner, call);
}

bool rewrite_some(struct rewriter *rewriter, const struct call *call)
{
	enum plant_bug bug = rewriter->plant.bug;
	struct oclmm_text changed;
	bool done;

	if (bug == PLANT_COUNT_LOST)
		return lose(rewriter, call);
	if (bug == PLANT_UNUSED_RELAXED)
		return relax_unused(rewriter, call);
	if (bug == PLANT_BRANCH_SPLIT)
		return split_in_branch(rewriter, call);
	if (bug == PLANT_MIXED_SPLIT || bug == PLANT_STORED_SPLIT)
		return split_beside(rewriter, call);
	if (bug == PLANT_SHORT_RELAXED)
		return relax_short(rewriter, call);
	if (bug == PLANT_LOCAL_LOST)
		return lose_local(rewriter, call);
	if (bug == PLANT_ZERO_LOAD)
		return load_for_zero(rewriter, call);
	if (bug == PLANT_SAME_LOAD)
		return load_for_same(rewriter, call);
	if (bug == PLANT_OTHER_RELAXED && call->function->kind != FUNCTION_STORE)
		return false;
	/* fences have no object: in some of them only where the launch decides */
	if (bug < PLANT_WIDE_RELAXED ||
	    (call->function->kind > FUNCTION_FLAG_CLEAR &&
	     (call->function->kind != FUNCTION_FENCE || is_rare(bug) || bug == PLANT_WIDE_RELAXED ||
	      bug == PLANT_SHIFTED_RELAXED)))
		return false;
	oclmm_text_init(&changed);
	done = put_changed(rewriter, call, &changed);
	if (done)
		put_choice(rewriter, call, oclmm_text_string(&changed));
	oclmm_text_finish(&changed);
	return done;
}
