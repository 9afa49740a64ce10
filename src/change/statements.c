// SPDX-License-Identifier: Apache-2.0
/*
 * Changes of statements that stand in one block: what a compiler or a machine does that reorders,
 * or that believes that it is alone. Between two statements that it takes together there is no
 * branch, loop, barrier, copy or wait; other statements may be there.
 */
#include <string.h>

#include "build.h"
#include "internal.h"

enum kind {
	LOAD = 1u << 0,
	STORE = 1u << 1,
	UPDATE = 1u << 2, /* its result assigned or not */
	FENCE = 1u << 3,
	PLAIN_LOAD = 1u << 4,
	PLAIN_STORE = 1u << 5,
	LOADS = LOAD | PLAIN_LOAD, /* no update */
	STORES = STORE | PLAIN_STORE,
	ACCESSES = LOADS | STORES | UPDATE,
};

/* One access of memory, or one fence; of any other statement kind is 0. */
struct access {
	unsigned kind;
	struct oclmm_atomic *atomic;     /* or NULL */
	const struct oclmm_place *place; /* or NULL: a fence */
	struct oclmm_expression *value;  /* of a store: what is stored */
	bool assigns;
	uint32_t reg; /* that takes what was read, if it assigns */
};

struct mover {
	struct oclmm_edit edit;
	const struct oclmm_mutation *change;
	size_t places;
};

/* ---- what statements are --------------------------------------------------------- */

static bool is_parameter_atomic(const struct oclmm_thread *thread, uint32_t location)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++)
		if (thread->parameters[i].location == location)
			return thread->parameters[i].atomic;
	return false;
}

/* `*p`, of no array, no image and no atomic type. */
static bool is_simple(const struct mover *m, const struct oclmm_place *place)
{
	const struct oclmm_program *program = m->edit.program;

	return !place->index && !oclmm_location_is_image(&program->locations[place->location]) &&
	       !is_parameter_atomic(&program->threads[m->edit.thread], place->location);
}

static bool is_leaf(const struct oclmm_expression *e)
{
	return e->kind == OCLMM_EXPRESSION_CONSTANT || e->kind == OCLMM_EXPRESSION_REGISTER;
}

/* A value that accesses nothing, and is no more than one operator. */
static bool is_plain_value(const struct oclmm_expression *e)
{
	return is_leaf(e) || (e->kind == OCLMM_EXPRESSION_UNARY && is_leaf(e->unary.operand)) ||
	       (e->kind == OCLMM_EXPRESSION_BINARY && is_leaf(e->binary.left) &&
	        is_leaf(e->binary.right) && e->binary.op != OCLMM_OPERATOR_MUL);
}

static unsigned kind_of_call(const struct oclmm_atomic *a, bool assigns)
{
	if (a->comparand.kind == OCLMM_COMPARAND_MEMORY)
		return 0;
	if (a->legacy)
		return UPDATE;
	switch (a->op) {
	case OCLMM_OP_LOAD: return assigns ? LOAD : 0;
	case OCLMM_OP_STORE: return STORE;
	case OCLMM_OP_FLAG_CLEAR:
	case OCLMM_OP_INIT: return 0;
	default: return UPDATE;
	}
}

static void take_call(struct access *access, struct oclmm_expression *e)
{
	if (e->kind != OCLMM_EXPRESSION_ATOMIC)
		return;
	access->kind = kind_of_call(e->atomic, access->assigns);
	access->atomic = e->atomic;
	access->place = &e->atomic->object;
	access->value = access->kind == STORE ? e->atomic->operand : NULL;
}

static struct access access_of(const struct mover *m, struct oclmm_statement *s)
{
	struct access access = {0};

	if (s && s->kind == OCLMM_STATEMENT_ASSIGN) {
		access.assigns = true;
		access.reg = s->assign.reg;
		take_call(&access, s->assign.value);
		if (s->assign.value->kind == OCLMM_EXPRESSION_LOAD &&
		    is_simple(m, &s->assign.value->load)) {
			access.kind = PLAIN_LOAD;
			access.place = &s->assign.value->load;
		}
	} else if (s && s->kind == OCLMM_STATEMENT_EVALUATE) {
		take_call(&access, s->effect);
	} else if (s && s->kind == OCLMM_STATEMENT_FENCE) {
		access.kind = FENCE;
	} else if (s && s->kind == OCLMM_STATEMENT_STORE && is_simple(m, &s->store.place) &&
	           is_plain_value(s->store.value)) {
		access.kind = PLAIN_STORE;
		access.place = &s->store.place;
		access.value = s->store.value;
	}
	return access;
}

static bool same_object(const struct access *a, const struct access *b)
{
	return a->kind && b->kind && a->place && b->place &&
	       a->place->location == b->place->location &&
	       oclmm_build_is_same(a->place->index, b->place->index);
}

/* Where a change is in some calls only, the statement is such a call. */
static bool is_taken(const struct mover *m, const struct oclmm_statement *s,
                     const struct access *access)
{
	struct call call;

	if (access->kind & (PLAIN_LOAD | PLAIN_STORE)) {
		for (int i = 0; i < OCLMM_ASPECT_COUNT; i++)
			if (m->change->words[i])
				return false;
		return true;
	}
	if (access->kind == FENCE)
		call = oclmm_change_call_of_fence(&s->fence);
	else
		call = oclmm_change_call_of(m->edit.program,
		                            &m->edit.program->threads[m->edit.thread],
		                            access->atomic);
	return oclmm_change_takes(m->change, &call);
}

static bool is_one_taken(const struct mover *m, const struct oclmm_statement *s,
                         const struct access *a, const struct oclmm_statement *t,
                         const struct access *b)
{
	return is_taken(m, s, a) || is_taken(m, t, b);
}

/* What keeps the statements on both sides of it apart. */
static bool ends_line(const struct oclmm_statement *s)
{
	return s->kind == OCLMM_STATEMENT_IF || s->kind == OCLMM_STATEMENT_WHILE ||
	       s->kind == OCLMM_STATEMENT_BARRIER || s->kind == OCLMM_STATEMENT_COPY ||
	       s->kind == OCLMM_STATEMENT_WAIT;
}

/* Registers that are written behind `earlier` and before `later`. */
static uint64_t written_between(const struct oclmm_statement *earlier,
                                const struct oclmm_statement *later)
{
	uint64_t written = 0;

	for (const struct oclmm_statement *s = earlier->next; s != later; s = s->next)
		written |= oclmm_statement_effects(s).writes;
	return written;
}

/* The registers that an expression, or none, reads. */
static uint64_t reads(const struct oclmm_expression *e)
{
	struct oclmm_statement alone = {.kind = OCLMM_STATEMENT_EVALUATE,
	                                .effect = (struct oclmm_expression *)(uintptr_t)e};

	return e ? oclmm_statement_effects(&alone).reads : 0;
}

/* The nearest earlier statement of the same object, in the same line of the block that begins at
 * `first`; NULL: there is none. */
static struct oclmm_statement *find_before(const struct mover *m, struct oclmm_statement *first,
                                           struct oclmm_statement *later, struct access *ret_access)
{
	const struct access access = access_of(m, later);
	struct oclmm_statement *found = NULL;

	for (struct oclmm_statement *s = first; s != later; s = s->next) {
		const struct access before = access_of(m, s);

		if (ends_line(s))
			found = NULL;
		if (!same_object(&before, &access))
			continue;
		found = s;
		*ret_access = before;
	}
	return found;
}

/* ---- pairs that change places -------------------------------------------------- */

/* Which neighbours change places. */
static const struct {
	enum oclmm_what what;
	unsigned first, second;
	bool same; /* they access one object; else two */
} pairs[] = {
	{OCLMM_WHAT_LOADS_REVERSED, LOAD, LOAD, true},
	{OCLMM_WHAT_LOADS_SWAPPED, LOAD, LOAD, false},
	{OCLMM_WHAT_STORES_SWAPPED, STORE, STORE, false},
	{OCLMM_WHAT_LOAD_EARLY, STORE, LOAD, false},
	{OCLMM_WHAT_STORE_EARLY, LOAD, STORE, false},
	{OCLMM_WHAT_UPDATE_EARLY, LOAD | STORE | UPDATE, UPDATE, false},
	{OCLMM_WHAT_UPDATE_LATE, UPDATE, LOAD | STORE, false},
	{OCLMM_WHAT_PLAIN_LATE, PLAIN_STORE, STORE | UPDATE | FENCE, false},
	{OCLMM_WHAT_FENCE_EARLY, ACCESSES, FENCE, false},
	{OCLMM_WHAT_FENCE_LATE, FENCE, ACCESSES, false},
};

static bool is_pair(enum oclmm_what what, const struct access *a, const struct access *b)
{
	for (size_t i = 0; i < OCLMM_COUNT(pairs); i++)
		if (pairs[i].what == what)
			return (pairs[i].first & a->kind) && (pairs[i].second & b->kind) &&
			       same_object(a, b) == pairs[i].same;
	return false;
}

static bool are_bound(const struct oclmm_statement *s, const struct oclmm_statement *t)
{
	struct oclmm_effects a = oclmm_statement_effects(s), b = oclmm_statement_effects(t);

	return oclmm_effects_depend(&a, &b);
}

/* The link behind what was changed, or `link` itself: it changes nothing here. */
static struct oclmm_statement **swap_pair(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link, *t = s->next;
	struct access a = access_of(m, s), b = access_of(m, t);

	if (!a.kind || !b.kind || !is_pair(m->change->what, &a, &b) ||
	    !is_one_taken(m, s, &a, t, &b) || are_bound(s, t))
		return link;
	oclmm_change_exchange(link, &s->next);
	return &s->next;
}

/* ---- answered by what is known, or dropped --------------------------------------- */

/* The nearest earlier load of the same object whose value is still there. */
static bool reuse_load(struct mover *m, struct oclmm_statement *first,
                       struct oclmm_statement *later)
{
	const struct access load = access_of(m, later);
	struct access before;
	struct oclmm_statement *at = later;

	if (load.kind != LOAD)
		return false;
	while ((at = find_before(m, first, at, &before))) {
		uint64_t written = written_between(at, later);

		if (before.kind != LOAD || (written & oclmm_register_bit(before.reg)) ||
		    (written & reads(load.place->index)))
			continue;
		if (!is_one_taken(m, at, &before, later, &load))
			return false;
		oclmm_change_reuse(&m->edit, later, before.reg);
		return true;
	}
	return false;
}

/* The value that the work-item itself stored last, through whatever lies between. */
static bool forward_store(struct mover *m, struct oclmm_statement *first,
                          struct oclmm_statement *later)
{
	const struct access load = access_of(m, later);
	struct access store;
	struct oclmm_statement *at = load.kind & LOADS ? find_before(m, first, later, &store)
	                                               : NULL;

	if (!at || !(store.kind & STORES) || !is_one_taken(m, at, &store, later, &load) ||
	    (written_between(at, later) & (reads(store.value) | reads(load.place->index))))
		return false;
	later->assign.value = store.value;
	return true;
}

/* What an update left is known by its operand and its result. */
static struct oclmm_expression *left_by(struct mover *m, const struct access *update,
                                        uint64_t written)
{
	const struct oclmm_atomic *a = update->atomic;
	struct builder b = {m->edit.program, m->edit.arena, m->edit.thread, NULL, {0}};
	enum oclmm_operator op;

	if (update->kind != UPDATE || a->legacy || (written & reads(a->operand)))
		return NULL;
	b.position = a->object.position;
	switch (a->op) {
	case OCLMM_OP_EXCHANGE: return a->operand;
	case OCLMM_OP_FETCH_ADD: op = OCLMM_OPERATOR_ADD; break;
	case OCLMM_OP_FETCH_SUB: op = OCLMM_OPERATOR_SUB; break;
	case OCLMM_OP_FETCH_OR: op = OCLMM_OPERATOR_OR; break;
	case OCLMM_OP_FETCH_XOR: op = OCLMM_OPERATOR_XOR; break;
	case OCLMM_OP_FETCH_AND: op = OCLMM_OPERATOR_AND; break;
	default: return NULL;
	}
	if (!update->assigns || (written & oclmm_register_bit(update->reg)))
		return NULL;
	return oclmm_build_binary(&b, op, m->edit.program->locations[a->object.location].type,
	                          oclmm_build_read_register(&b, update->reg), a->operand);
}

static bool forward_update(struct mover *m, struct oclmm_statement *first,
                           struct oclmm_statement *later)
{
	const struct access load = access_of(m, later);
	struct access update;
	struct oclmm_statement *at = load.kind & LOADS ? find_before(m, first, later, &update)
	                                               : NULL;
	struct oclmm_expression *value;

	if (!at || !is_one_taken(m, at, &update, later, &load) ||
	    (written_between(at, later) & reads(load.place->index)))
		return false;
	value = left_by(m, &update, written_between(at, later));
	if (value)
		later->assign.value = value;
	return value;
}

/* The object has the value already, because the work-item stored it there or read it. */
static bool is_same_store(struct mover *m, struct oclmm_statement *first,
                          struct oclmm_statement *later)
{
	const struct access store = access_of(m, later);
	struct access before;
	struct oclmm_statement *at;

	if (!(store.kind & STORES) || !is_taken(m, later, &store))
		return false;
	at = find_before(m, first, later, &before);
	if (!at || (written_between(at, later) & (reads(store.value) | reads(store.place->index))))
		return false;
	if (before.kind & LOADS)
		return store.value->kind == OCLMM_EXPRESSION_REGISTER &&
		       store.value->reg == before.reg;
	return (before.kind & STORES) && oclmm_build_is_same(before.value, store.value);
}

/* An own later store or exchange overwrites it. */
static bool is_overwritten(struct mover *m, struct oclmm_statement *earlier)
{
	const struct access store = access_of(m, earlier);

	if (!(store.kind & STORES))
		return false;
	for (struct oclmm_statement *s = earlier->next; s && !ends_line(s); s = s->next) {
		const struct access later = access_of(m, s);

		if (same_object(&later, &store))
			return ((later.kind & STORES) ||
			        (later.kind == UPDATE && later.atomic->op == OCLMM_OP_EXCHANGE)) &&
			       is_one_taken(m, earlier, &store, s, &later);
	}
	return false;
}

/* Of fences that look alike the first one of a block is left. */
static bool is_fence_again(const struct mover *m, struct oclmm_statement *first,
                           struct oclmm_statement *later)
{
	const struct access fence = access_of(m, later);
	bool found = false;

	if (fence.kind != FENCE || !is_taken(m, later, &fence))
		return false;
	for (const struct oclmm_statement *s = first; s != later; s = s->next) {
		if (ends_line(s))
			found = false;
		found |= s->kind == OCLMM_STATEMENT_FENCE &&
		         strcmp(s->fence.spelling, later->fence.spelling) == 0 &&
		         s->fence.flags == later->fence.flags &&
		         s->fence.order == later->fence.order &&
		         s->fence.scope == later->fence.scope;
	}
	return found;
}

/* ---- once more ------------------------------------------------------------------ */

static struct oclmm_statement *copy_of(struct mover *m, const struct oclmm_statement *s)
{
	return oclmm_arena_copy(m->edit.arena, s, sizeof(*s));
}

/* The store, the statement behind it, and the store again. Returns as swap_pair() does. */
static struct oclmm_statement **repeat_store(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link, *behind = s, *again;
	const struct access store = access_of(m, s), next = access_of(m, s->next);

	if (!(store.kind & STORES) || !is_taken(m, s, &store))
		return link;
	if (next.kind &&
	    !(oclmm_statement_effects(s).reads & oclmm_statement_effects(s->next).writes))
		behind = s->next;
	again = copy_of(m, s);
	again->next = behind->next;
	behind->next = again;
	return &again->next;
}

/* The first place where a register's value is used: a place in an expression; NULL: there is none,
 * or something else is assigned before. `*ret_end`: nothing behind this is looked at. */
static struct oclmm_expression **find_in(struct oclmm_expression **e, uint32_t reg, bool *ret_end)
{
	struct oclmm_parts parts;

	if ((*e)->kind == OCLMM_EXPRESSION_REGISTER && (*e)->reg == reg)
		return e;
	oclmm_expression_parts(*e, &parts);
	for (unsigned i = 0; i < parts.expression_count && !*ret_end; i++) {
		struct oclmm_expression **found;

		/* behind the object's index stands the address of what is expected */
		if ((*e)->kind == OCLMM_EXPRESSION_ATOMIC &&
		    parts.expressions[i] == &(*e)->atomic->operand &&
		    (*e)->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER &&
		    (*e)->atomic->comparand.reg == reg)
			break;
		found = find_in(parts.expressions[i], reg, ret_end);
		if (found)
			return found;
	}
	*ret_end |= (*e)->kind == OCLMM_EXPRESSION_ATOMIC &&
	            (*e)->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER &&
	            (*e)->atomic->comparand.reg == reg;
	return NULL;
}

static struct oclmm_expression **find_use(struct oclmm_statement *s, uint32_t reg)
{
	bool end = false;

	while (s && !end) {
		struct oclmm_parts parts;

		if (s->kind == OCLMM_STATEMENT_BARRIER || s->kind == OCLMM_STATEMENT_COPY ||
		    s->kind == OCLMM_STATEMENT_WAIT ||
		    (s->kind == OCLMM_STATEMENT_ASSIGN && s->assign.reg == reg))
			return NULL;
		oclmm_statement_parts(s, &parts);
		for (unsigned i = 0; i < parts.expression_count && !end; i++) {
			struct oclmm_expression **found = find_in(parts.expressions[i], reg, &end);

			if (found)
				return found;
		}
		if (s->kind == OCLMM_STATEMENT_WHILE)
			return NULL;
		/* into a branch, and not behind it */
		s = s->kind == OCLMM_STATEMENT_IF ? s->branch.then_body : s->next;
	}
	return NULL;
}

/* What was loaded is loaded again where it is needed. */
static bool repeat_load(struct mover *m, struct oclmm_statement *s)
{
	const struct access load = access_of(m, s);
	struct oclmm_expression **use;

	if (load.kind != LOAD || !is_taken(m, s, &load))
		return false;
	use = find_use(s->next, load.reg);
	if (use)
		*use = oclmm_arena_copy(m->edit.arena, s->assign.value, sizeof(**use));
	return use;
}

/* `r = load; store r;`: an update that changes nothing, and comes apart. */
static struct oclmm_statement **store_loaded(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link;
	const struct access load = access_of(m, s);
	struct builder b = {m->edit.program, m->edit.arena, m->edit.thread, &s->next, s->position};
	struct oclmm_atomic relaxed;

	if (load.kind != LOAD || !is_taken(m, s, &load))
		return link;
	relaxed = *load.atomic;
	relaxed.order = OCLMM_ORDER_RELAXED;
	oclmm_build_store(&b, &relaxed, oclmm_build_read_register(&b, load.reg));
	return &s->next->next;
}

/* ---- out of a branch ---------------------------------------------------------------- */

/* The branch behind a load, and fences perhaps. */
static struct oclmm_statement *branch_behind(struct oclmm_statement *load)
{
	struct oclmm_statement *s = load->next;

	while (s && s->kind == OCLMM_STATEMENT_FENCE)
		s = s->next;
	return s && s->kind == OCLMM_STATEMENT_IF ? s : NULL;
}

/* `early = access; r0 = load; if (r0 == 1) r1 = early;`; what is plain becomes volatile, so that
 * the compiler leaves it where it is put. */
static bool load_before_branch(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link, *branch, *inner;
	const struct access load = access_of(m, s);
	struct access guarded;
	struct builder b = {m->edit.program, m->edit.arena, m->edit.thread, link, s->position};
	struct oclmm_expression *value;
	uint32_t early;

	if (!load.kind || !load.assigns)
		return false;
	branch = branch_behind(s);
	inner = branch ? branch->branch.then_body : NULL;
	guarded = access_of(m, inner);
	if (!(guarded.kind & LOADS) || !is_one_taken(m, s, &load, inner, &guarded) ||
	    (reads(inner->assign.value) & oclmm_register_bit(load.reg)))
		return false;
	value = inner->assign.value;
	if (guarded.kind == PLAIN_LOAD)
		value->load.is_volatile = true;
	early = oclmm_build_new_register(&b,
	                                 m->edit.program->locations[guarded.place->location].type);
	oclmm_build_assign(&b, early, value);
	inner->assign.value = oclmm_build_read_register(&b, early);
	return true;
}

static struct oclmm_expression *volatile_load(const struct builder *b,
                                              const struct oclmm_place *from)
{
	struct oclmm_expression *e = OCLMM_MAKE(b->arena, struct oclmm_expression,
	                                        .kind = OCLMM_EXPRESSION_LOAD,
	                                        .type = b->program->locations[from->location].type,
	                                        .position = b->position, .load = *from);

	e->load.is_volatile = true;
	return e;
}

/* `was = load; store; if (!(r0 == 1)) restore; if (r0 == 1) { }` */
static struct oclmm_statement **store_before_branch(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *branch = *link, *inner, *back;
	struct builder b = {m->edit.program, m->edit.arena, m->edit.thread, link, branch->position},
		       within;
	struct access store;
	struct oclmm_atomic relaxed = {0};
	struct oclmm_expression * not ;
	uint32_t was;

	if (branch->kind != OCLMM_STATEMENT_IF)
		return link;
	inner = branch->branch.then_body;
	store = access_of(m, inner);
	if (!(store.kind & STORES) || !is_taken(m, inner, &store))
		return link;
	was = oclmm_build_new_register(&b, m->edit.program->locations[store.place->location].type);
	if (store.atomic) {
		relaxed = *store.atomic;
		relaxed.order = OCLMM_ORDER_RELAXED;
		relaxed.scope = OCLMM_SCOPE_WORK_GROUP;
		oclmm_build_load(&b, &relaxed, was);
	} else {
		oclmm_build_assign(&b, was, volatile_load(&b, store.place));
		inner->store.place.is_volatile = true;
	}
	branch->branch.then_body = inner->next;
	inner->next = branch;
	*b.link = inner;
	b.link = &inner->next;
	not = OCLMM_MAKE(m->edit.arena, struct oclmm_expression, .kind = OCLMM_EXPRESSION_UNARY,
	                 .type = OCLMM_TYPE_INT, .position = branch->position,
	                 .unary = {OCLMM_OPERATOR_NOT, branch->branch.condition});
	back = oclmm_build_branch(&b, not );
	within = b;
	within.link = &back->branch.then_body;
	if (store.atomic) {
		oclmm_build_store(&within, &relaxed, oclmm_build_read_register(&b, was));
	} else {
		struct oclmm_statement *restore = copy_of(m, inner);

		restore->next = NULL;
		restore->store.value = oclmm_build_read_register(&b, was);
		back->branch.then_body = restore;
	}
	return &branch->next;
}

/* ---- the way through a block ------------------------------------------------------------- */

/* Whether a change takes what a statement finds before it, and so the last one first: what was
 * changed would tell nothing to those behind it. */
static bool looks_back(enum oclmm_what what)
{
	return what == OCLMM_WHAT_FENCE_ONCE || what == OCLMM_WHAT_SAME_DROPPED ||
	       what == OCLMM_WHAT_LOAD_REUSED || what == OCLMM_WHAT_STORE_FORWARDED ||
	       what == OCLMM_WHAT_UPDATE_FORWARDED;
}

static bool change_by_what_is_before(struct mover *m, struct oclmm_statement *first,
                                     struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link;
	bool drops = false;

	switch (m->change->what) {
	case OCLMM_WHAT_FENCE_ONCE: drops = is_fence_again(m, first, s); break;
	case OCLMM_WHAT_SAME_DROPPED: drops = is_same_store(m, first, s); break;
	case OCLMM_WHAT_LOAD_REUSED: return reuse_load(m, first, s);
	case OCLMM_WHAT_STORE_FORWARDED: return forward_store(m, first, s);
	default: return forward_update(m, first, s);
	}
	if (drops)
		oclmm_change_drop(link);
	return drops;
}

static void change_backwards(struct mover *m, struct oclmm_statement **block,
                             struct oclmm_statement **link)
{
	struct oclmm_parts parts;

	if (!*link)
		return;
	change_backwards(m, block, &(*link)->next);
	oclmm_statement_parts(*link, &parts);
	for (unsigned i = 0; i < parts.body_count; i++)
		change_backwards(m, parts.bodies[i], parts.bodies[i]);
	m->places += change_by_what_is_before(m, *block, link);
}

/* The link behind what was changed, or `link` itself: nothing was. */
static struct oclmm_statement **move_on(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link;

	switch (m->change->what) {
	case OCLMM_WHAT_STORE_REPEATED: return repeat_store(m, link);
	case OCLMM_WHAT_LOAD_STORED: return store_loaded(m, link);
	case OCLMM_WHAT_STORE_INVENTED: return store_before_branch(m, link);
	case OCLMM_WHAT_GUARDED_EARLY: return load_before_branch(m, link) ? &s->next : link;
	case OCLMM_WHAT_LOAD_REPEATED: return repeat_load(m, s) ? &s->next : link;
	default: return swap_pair(m, link);
	}
}

static void change_forwards(struct mover *m, struct oclmm_statement **link)
{
	while (*link) {
		struct oclmm_statement *s = *link, **behind;
		struct oclmm_parts parts;

		if (m->change->what == OCLMM_WHAT_STORE_DROPPED && is_overwritten(m, s)) {
			m->places++;
			oclmm_change_drop(link);
			continue;
		}
		behind = move_on(m, link);
		m->places += behind != link;
		oclmm_statement_parts(s, &parts);
		for (unsigned i = 0; i < parts.body_count; i++)
			change_forwards(m, parts.bodies[i]);
		link = behind != link ? behind : &s->next;
	}
}

bool oclmm_change_is_of_statements(enum oclmm_what what)
{
	return what == OCLMM_WHAT_FENCE_ONCE ||
	       (what >= OCLMM_WHAT_LOADS_REVERSED && what <= OCLMM_WHAT_LOAD_STORED);
}

size_t oclmm_change_statements(const struct oclmm_edit *edit, const struct oclmm_mutation *change)
{
	struct mover m = {.edit = *edit, .change = change};

	struct oclmm_statement **body = &edit->program->threads[edit->thread].body;

	if (looks_back(change->what))
		change_backwards(&m, body, body);
	else
		change_forwards(&m, body);
	return m.places;
}
