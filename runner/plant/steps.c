// SPDX-License-Identifier: Apache-2.0
/*
 * Wrong steps of a compiler in one access of memory: it is done early, dropped,
 * repeated, invented, or answered by what the work-item knows.
 */
#include "statement.h"

/* ---- out of a branch ----------------------------------------------------- */

/* `if (CONDITION) {` or without the brace. */
struct branch {
	struct range condition;
	size_t body; /* the first token of the first statement */
};

static bool branch_at(const struct source *source, size_t index, struct branch *ret_branch)
{
	size_t open = index + 1, close;

	if (!token_is(source, index, "if") || source->tokens[index].macro ||
	    !token_is(source, open, "(") || source->tokens[open].match == TOKEN_UNMATCHED)
		return false;
	close = source->tokens[open].match;
	*ret_branch = (struct branch){
		{open + 1, close},
		token_is(source, close + 1, "{") ? close + 2 : close + 1,
	};
	return ret_branch->body < source->count;
}

/* The first statement of a branch behind a load, and fences perhaps. */
static bool find_guarded(const struct source *source, const struct statement *load,
                         struct statement *ret_guarded)
{
	struct statement between = *load;
	struct branch branch;

	while (statement_at(source, between.last + 1, &between)) {
		if (between.kind != STATEMENT_FENCE)
			return false;
	}
	return branch_at(source, between.last + 1, &branch) &&
	       statement_at(source, branch.body, ret_guarded);
}

/* What is plain becomes volatile, so that the compiler leaves it where it is put. */
static void put_plain(struct rewriter *rewriter, const struct statement *statement)
{
	put(rewriter, "*(volatile __typeof__(*(");
	put_raw(rewriter, statement->object);
	put(rewriter, ")) *)(");
	put_raw(rewriter, statement->object);
	put(rewriter, ")");
}

/* `T early = ACCESS; r0 = load; if (r0 == 1) r1 = early;` */
static bool load_before_branch(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement load, guarded;

	if (!statement_at(source, first, &load) || !load.variable || load.kind == STATEMENT_FENCE ||
	    !find_guarded(source, &load, &guarded) || !statement_loads(&guarded) ||
	    range_names(source, guarded.access, load.variable) ||
	    (!statement_taken(rewriter, &load) && !statement_taken(rewriter, &guarded)))
		return false;
	/* what is plain loses its address space by the sum */
	put(rewriter, "__typeof__(0 + ");
	put_raw(rewriter, guarded.access);
	put(rewriter, ") oclmm_early%zu = ", guarded.first);
	if (statement_is_plain(&guarded))
		put_plain(rewriter, &guarded);
	else
		put_raw(rewriter, guarded.access);
	put(rewriter, "; ");
	put_raw(rewriter, (struct range){load.first, guarded.first});
	put_gap(rewriter, guarded.first);
	put_raw(rewriter, guarded.target);
	put(rewriter, " = oclmm_early%zu;", guarded.first);
	*ret_next = guarded.last + 1;
	return true;
}

static void put_relaxed_load(struct rewriter *rewriter, const struct statement *store)
{
	if (statement_is_plain(store)) {
		put_plain(rewriter, store);
		return;
	}
	put(rewriter, "atomic_load_explicit(");
	put_raw(rewriter, store->object);
	put(rewriter, ", memory_order_relaxed, memory_scope_work_group)");
}

static void put_back(struct rewriter *rewriter, const struct statement *store)
{
	if (statement_is_plain(store)) {
		put_plain(rewriter, store);
		put(rewriter, " = oclmm_was%zu;", store->first);
		return;
	}
	put(rewriter, "atomic_store_explicit(");
	put_raw(rewriter, store->object);
	put(rewriter, ", oclmm_was%zu, memory_order_relaxed, memory_scope_work_group);",
	    store->first);
}

/* `T was = load; store; if (!(r0 == 1)) restore; if (r0 == 1) { }` */
static bool store_before_branch(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement store;
	struct branch branch;

	if (!branch_at(source, first, &branch) || !statement_at(source, branch.body, &store) ||
	    !statement_stores(&store) || !statement_taken(rewriter, &store))
		return false;
	put(rewriter, "__typeof__(0 + ");
	put_relaxed_load(rewriter, &store);
	put(rewriter, ") oclmm_was%zu = ", store.first);
	put_relaxed_load(rewriter, &store);
	put(rewriter, "; ");
	if (statement_is_plain(&store)) {
		put_plain(rewriter, &store);
		put(rewriter, " = ");
		put_raw(rewriter, store.value);
	} else {
		put_raw(rewriter, store.access);
	}
	put(rewriter, "; if (!(");
	put_raw(rewriter, branch.condition);
	put(rewriter, ")) ");
	put_back(rewriter, &store);
	put(rewriter, " ");
	put_raw(rewriter, (struct range){first, branch.body});
	put(rewriter, " ;");
	*ret_next = store.last + 1;
	return true;
}

/* ---- what the work-item knows ------------------------------------------------ */

/* The value that the work-item itself stored last, through whatever lies between. */
static bool forward_store(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement earlier, later;
	struct range between;

	if (!statement_at(source, first, &later) || !statement_loads(&later) ||
	    !statement_before(source, &later, &earlier) || !statement_stores(&earlier) ||
	    (!statement_taken(rewriter, &earlier) && !statement_taken(rewriter, &later)))
		return false;
	between = (struct range){earlier.last + 1, later.first};
	if (is_any_written(source, earlier.value, between) ||
	    is_any_written(source, later.object, between))
		return false;
	put_raw(rewriter, later.target);
	put(rewriter, " = ");
	put_raw(rewriter, earlier.value);
	put(rewriter, ";");
	*ret_next = later.last + 1;
	return true;
}

/* The next statement of the block that has the object; what else is there does not matter. */
static bool find_next(const struct source *source, const struct statement *earlier,
                      struct statement *ret_later)
{
	for (size_t i = earlier->last + 1; i < source->count; i++) {
		if (token_is(source, i, "{") || token_is(source, i, "}") ||
		    source->tokens[i].kind == TOKEN_DIRECTIVE || source->tokens[i].macro)
			return false;
		if (token_is(source, i - 1, ";") && statement_at(source, i, ret_later) &&
		    statement_same_object(source, ret_later, earlier))
			return true;
	}
	return false;
}

static bool overwrites(const struct statement *statement)
{
	return statement_stores(statement) ||
	       (statement->kind == STATEMENT_UPDATE && statement->call.function->update &&
	        statement->call.function->update[0] == '=');
}

static bool drop_store(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement earlier, later;

	if (!statement_at(source, first, &earlier) || !statement_stores(&earlier) ||
	    !find_next(source, &earlier, &later) || !overwrites(&later) ||
	    (!statement_taken(rewriter, &earlier) && !statement_taken(rewriter, &later)))
		return false;
	put(rewriter, "((void)0);");
	*ret_next = earlier.last + 1;
	return true;
}

/* ---- once more ------------------------------------------------------------------ */

/* The store, the statement behind it, and the store again. */
static bool repeat_store(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement store, next;
	bool follows;

	if (!statement_at(source, first, &store) || !statement_stores(&store) ||
	    !statement_taken(rewriter, &store))
		return false;
	follows = statement_at(source, store.last + 1, &next) &&
	          !statement_depends(source, &store, &next);
	put_raw(rewriter, (struct range){first, (follows ? next.last : store.last) + 1});
	put(rewriter, " ");
	put_raw(rewriter, (struct range){first, store.last + 1});
	*ret_next = (follows ? next.last : store.last) + 1;
	return true;
}

static bool is_at(const struct source *source, size_t index, struct range what)
{
	return index + (what.last - what.first) <= source->count &&
	       range_same(source, (struct range){index, index + (what.last - what.first)}, what);
}

/* The first use of a register's value in its block, or 0. */
static size_t find_use(const struct source *source, const struct statement *load,
                       struct range variable)
{
	for (size_t i = load->last + 1; i < source->count; i++) {
		size_t behind = i + (variable.last - variable.first);

		if (token_is(source, i, "}") || source->tokens[i].kind == TOKEN_DIRECTIVE ||
		    source->tokens[i].macro)
			return 0;
		if (!is_at(source, i, variable))
			continue;
		/* assigned to, or its address is taken */
		return token_is(source, behind, "=") || token_is(source, i - 1, "&") ? 0 : i;
	}
	return 0;
}

/* What was loaded is loaded again where it is needed. */
static bool repeat_load(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement load;
	struct range variable;
	size_t use;

	if (!statement_at(source, first, &load) || load.kind != STATEMENT_LOAD ||
	    !statement_taken(rewriter, &load))
		return false;
	variable = statement_variable(source, &load);
	use = find_use(source, &load, variable);
	if (use == 0)
		return false;
	put_raw(rewriter, (struct range){first, use});
	put_gap(rewriter, use);
	put_raw(rewriter, load.access);
	*ret_next = use + (variable.last - variable.first);
	return true;
}

/* `r = load; store r;`: an update that changes nothing, and comes apart. */
static bool store_loaded(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct statement load;

	if (!statement_at(source, first, &load) || load.kind != STATEMENT_LOAD ||
	    !statement_taken(rewriter, &load) || token_is(source, first - 1, ")") ||
	    token_is(source, first, "else"))
		return false;
	put_raw(rewriter, (struct range){first, load.last + 1});
	put(rewriter, " atomic_store_explicit(");
	put_raw(rewriter, load.object);
	put(rewriter, ", ");
	put_raw(rewriter, statement_variable(source, &load));
	put(rewriter, ", memory_order_relaxed");
	put_scope(rewriter, &load.call);
	put(rewriter, ");");
	*ret_next = load.last + 1;
	return true;
}

bool rewrite_step(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	switch (rewriter->plant.bug) {
	case PLANT_GUARDED_EARLY: return load_before_branch(rewriter, first, ret_next);
	case PLANT_STORE_INVENTED: return store_before_branch(rewriter, first, ret_next);
	case PLANT_STORE_FORWARDED: return forward_store(rewriter, first, ret_next);
	case PLANT_STORE_DROPPED: return drop_store(rewriter, first, ret_next);
	case PLANT_STORE_REPEATED: return repeat_store(rewriter, first, ret_next);
	case PLANT_LOAD_REPEATED: return repeat_load(rewriter, first, ret_next);
	case PLANT_LOAD_STORED: return store_loaded(rewriter, first, ret_next);
	default: return false;
	}
}
