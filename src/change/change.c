// SPDX-License-Identifier: Apache-2.0
/* A change wherever a program has a place for it. */
#include <string.h>

#include "build.h"
#include "internal.h"

struct changer {
	const struct oclmm_mutation *change;
	struct oclmm_edit edit;
	struct oclmm_changed *changed;
	bool in_branch;
};

static void note(struct changer *c)
{
	c->changed->places++;
}

static void mark(struct changer *c, bool *wrong)
{
	*wrong = true;
	c->changed->marked = true;
	note(c);
}

/* ---- orders and scopes ----------------------------------------------------- */

static bool is_operation(enum oclmm_function_kind kind)
{
	return kind <= OCLMM_FUNCTION_FLAG_CLEAR;
}

static bool is_update(enum oclmm_function_kind kind)
{
	return kind == OCLMM_FUNCTION_FETCH || kind == OCLMM_FUNCTION_CAS ||
	       kind == OCLMM_FUNCTION_FLAG_SET;
}

/* seq_cst, less the total order. A failed compare-exchange only loads. */
static enum oclmm_order without_total_order(enum oclmm_function_kind kind, bool failure)
{
	if (kind == OCLMM_FUNCTION_LOAD || failure)
		return OCLMM_ORDER_ACQUIRE;
	return is_update(kind) ? OCLMM_ORDER_ACQ_REL : OCLMM_ORDER_RELEASE;
}

/* The order of an operation. */
static enum oclmm_order weaken(enum oclmm_what what, enum oclmm_function_kind kind, bool failure,
                               enum oclmm_order order)
{
	switch (what) {
	case OCLMM_WHAT_RELAXED: return OCLMM_ORDER_RELAXED;
	case OCLMM_WHAT_NO_TOTAL_ORDER:
		return order == OCLMM_ORDER_SEQ_CST ? without_total_order(kind, failure) : order;
	case OCLMM_WHAT_NO_ACQUIRE:
		return order == OCLMM_ORDER_ACQUIRE   ? OCLMM_ORDER_RELAXED
		       : order == OCLMM_ORDER_ACQ_REL ? OCLMM_ORDER_RELEASE
		                                      : order;
	case OCLMM_WHAT_NO_RELEASE:
		return order == OCLMM_ORDER_RELEASE   ? OCLMM_ORDER_RELAXED
		       : order == OCLMM_ORDER_ACQ_REL ? OCLMM_ORDER_ACQUIRE
		                                      : order;
	case OCLMM_WHAT_RMW_RELAXED:
		return is_update(kind) && order != OCLMM_ORDER_SEQ_CST ? OCLMM_ORDER_RELAXED
		                                                       : order;
	case OCLMM_WHAT_FAILURE_RELAXED: return failure ? OCLMM_ORDER_RELAXED : order;
	default: return order;
	}
}

static enum oclmm_order weaken_fence(enum oclmm_what what, enum oclmm_order order)
{
	bool both = order == OCLMM_ORDER_ACQ_REL || order == OCLMM_ORDER_SEQ_CST;

	switch (what) {
	case OCLMM_WHAT_RELAXED: return OCLMM_ORDER_RELAXED;
	case OCLMM_WHAT_FENCE_WEAKENED:
		return order == OCLMM_ORDER_SEQ_CST ? OCLMM_ORDER_ACQ_REL : OCLMM_ORDER_RELAXED;
	case OCLMM_WHAT_FENCE_TO_ACQUIRE: return both ? OCLMM_ORDER_ACQUIRE : order;
	case OCLMM_WHAT_FENCE_TO_RELEASE: return both ? OCLMM_ORDER_RELEASE : order;
	default: return order;
	}
}

/* The function that has the operation, and its orders where they are not the default ones. */
static void spell(const struct changer *c, struct oclmm_atomic *a)
{
	a->order_written |= a->order != OCLMM_ORDER_SEQ_CST || a->scope != OCLMM_SCOPE_DEVICE ||
	                    (oclmm_operation_is_cas(a->op) && a->failure != OCLMM_ORDER_SEQ_CST);
	a->spelling = oclmm_arena_printf(c->edit.arena, "%s%s", oclmm_operation_stem(a->op),
	                                 a->order_written ? "_explicit" : "");
}

/* Whether another order has taken the place of an operation's. */
static bool set_orders(const struct changer *c, enum oclmm_function_kind kind,
                       struct oclmm_atomic *a)
{
	enum oclmm_order order = weaken(c->change->what, kind, false, a->order),
			 failure = a->failure;

	if (oclmm_operation_is_cas(a->op))
		failure = weaken(c->change->what, kind, true, a->failure);
	if (order == a->order && failure == a->failure)
		return false;
	/* of the default ones both are written, or none */
	a->scope_written |= !a->order_written;
	a->order = order;
	a->failure = failure;
	spell(c, a);
	return true;
}

/* The scope at which a change lets all wider ones end. */
static bool narrow(const struct changer *c, enum oclmm_scope *scope)
{
	enum oclmm_scope narrowest = c->change->to_sub_group ? OCLMM_SCOPE_SUB_GROUP
	                                                     : OCLMM_SCOPE_WORK_GROUP;

	if (*scope <= narrowest)
		return false;
	*scope = narrowest;
	return true;
}

/* ---- atomic operations -------------------------------------------------------- */

static bool is_constant(const struct oclmm_expression *e, int64_t value)
{
	return e && e->kind == OCLMM_EXPRESSION_CONSTANT && e->constant == value;
}

static bool is_same(const struct oclmm_place *a, const struct oclmm_place *b)
{
	return a->location == b->location && oclmm_build_is_same(a->index, b->index);
}

/* Whether a program stores to an object, or updates it by another function. */
struct reached {
	const struct oclmm_atomic *call;
	bool stored, mixed;
};

static int note_call(void *data, const struct oclmm_expression *e)
{
	struct reached *reached = data;
	const struct oclmm_atomic *a = e->kind == OCLMM_EXPRESSION_ATOMIC ? e->atomic : NULL;

	if (!a || a->legacy || a->op == OCLMM_OP_INIT ||
	    !is_same(&a->object, &reached->call->object))
		return 0;
	reached->stored |= !oclmm_operation_reads(a->op);
	reached->mixed |= oclmm_operation_reads(a->op) && oclmm_operation_writes(a->op) &&
	                  a->op != OCLMM_OP_FLAG_TEST_AND_SET && a->op != reached->call->op;
	return 0;
}

/*
 * An implementation that has a lock for each function keeps its calls apart from each other, and
 * from no other function.
 */
static struct reached find_reached(const struct oclmm_program *program,
                                   const struct oclmm_atomic *call)
{
	static const struct oclmm_visitor visitor = {.expression = note_call};
	struct reached reached = {.call = call};

	for (uint32_t t = 0; t < program->thread_count; t++)
		oclmm_visit_body(&visitor, program->threads[t].body, &reached);
	return reached;
}

/* Where a change is, as far as the program says. */
static bool is_there(const struct changer *c, const struct call *call, const struct oclmm_atomic *a,
                     bool unused)
{
	const struct oclmm_location *l = &c->edit.program->locations[a->object.location];

	switch (c->change->where) {
	case OCLMM_WHERE_WIDE: return oclmm_type_bits(l->type) == 64;
	case OCLMM_WHERE_SHORT: return !a->order_written;
	case OCLMM_WHERE_LOCAL: return strcmp(call->words[OCLMM_ASPECT_SPACE], "local") == 0;
	case OCLMM_WHERE_UNUSED:
		return unused && oclmm_operation_reads(a->op) && oclmm_operation_writes(a->op);
	case OCLMM_WHERE_BRANCH: return c->in_branch;
	case OCLMM_WHERE_MIXED: return find_reached(c->edit.program, a).mixed;
	case OCLMM_WHERE_STORED: return find_reached(c->edit.program, a).stored;
	case OCLMM_WHERE_OTHER: return a->op == OCLMM_OP_STORE && !is_constant(a->operand, 1);
	default: return true;
	}
}

/* A store with the half of an exchange's order that is its own. */
static void store_for_exchange(struct changer *c, struct oclmm_atomic *a)
{
	if (a->legacy) {
		mark(c, &a->wrong);
		return;
	}
	a->op = OCLMM_OP_STORE;
	if (a->order != OCLMM_ORDER_SEQ_CST)
		a->order = oclmm_order_releases(a->order) ? OCLMM_ORDER_RELEASE
		                                          : OCLMM_ORDER_RELAXED;
	spell(c, a);
	note(c);
}

/* An update that leaves what it finds, as a relaxed load. */
static void load_for_update(struct changer *c, struct oclmm_atomic *a)
{
	bool and = a->op == OCLMM_OP_FETCH_AND;

	if (a->operand->kind != OCLMM_EXPRESSION_CONSTANT || and) {
		mark(c, &a->wrong);
		return;
	}
	if (!is_constant(a->operand, 0))
		return;
	a->op = OCLMM_OP_LOAD;
	a->operand = NULL;
	a->order = OCLMM_ORDER_RELAXED;
	a->scope_written |= !a->order_written;
	spell(c, a);
	note(c);
}

/* Whether a change that leaves it to the kernel's writer is in an operation. */
static bool is_wrong(const struct changer *c, const struct oclmm_function *function,
                     const struct oclmm_atomic *a, bool unused)
{
	const struct oclmm_location *l = &c->edit.program->locations[a->object.location];
	enum oclmm_function_kind kind = function->kind;
	unsigned bits = oclmm_type_bits(l->type);
	bool fetch = kind == OCLMM_FUNCTION_FETCH, cas = kind == OCLMM_FUNCTION_CAS;
	bool legacy = kind == OCLMM_FUNCTION_LEGACY || kind == OCLMM_FUNCTION_LEGACY_CAS;
	bool load = kind == OCLMM_FUNCTION_LOAD, store = kind == OCLMM_FUNCTION_STORE;

	switch (c->change->what) {
	case OCLMM_WHAT_SPLIT: return fetch || cas;
	case OCLMM_WHAT_SPLIT_FETCH:
	case OCLMM_WHAT_LOST:
	case OCLMM_WHAT_TWICE: return fetch;
	case OCLMM_WHAT_SPLIT_CAS:
	case OCLMM_WHAT_SAME_LOAD:
	case OCLMM_WHAT_EXPECTED_LATE: return cas;
	/* GPUs have an instruction of its own for updates whose result nobody wants */
	case OCLMM_WHAT_SPLIT_LEGACY: return legacy && (c->change->all || !unused);
	/* an atomic_flag cannot be read otherwise */
	case OCLMM_WHAT_PLAIN: return load || store || fetch || cas || legacy;
	case OCLMM_WHAT_COUNT_LOST: return kind == OCLMM_FUNCTION_LEGACY;
	case OCLMM_WHAT_PLAIN_ACCESS: return load || store;
	case OCLMM_WHAT_TORN: return (load || store) && bits > c->change->number;
	case OCLMM_WHAT_NEIGHBOUR: return store && bits == 32;
	case OCLMM_WHAT_ELEMENT: return is_operation(kind) && bits == 32;
	case OCLMM_WHAT_INIT_LOST: return kind == OCLMM_FUNCTION_INIT;
	case OCLMM_WHAT_INIT_NARROW:
		return kind == OCLMM_FUNCTION_INIT && !oclmm_type_is_floating(l->type);
	case OCLMM_WHAT_FLOAT_BITS:
		return fetch && oclmm_type_is_floating(l->type) && strchr("+-<>", function->update);
	default: return oclmm_change_is_mistaken(c->change, function, l->type);
	}
}

static void change_atomic(struct changer *c, struct oclmm_atomic *a, bool unused)
{
	const struct call call = oclmm_change_call_of(c->edit.program,
	                                              &c->edit.program->threads[c->edit.thread], a);
	enum oclmm_function_kind kind = call.function->kind;
	char update = call.function->update;
	bool guarded = c->change->where >= OCLMM_WHERE_FIRST_GUARD;

	if (!oclmm_change_takes(c->change, &call) || !is_there(c, &call, a, unused))
		return;
	switch (c->change->what) {
	case OCLMM_WHAT_RELAXED:
	case OCLMM_WHAT_NO_TOTAL_ORDER:
	case OCLMM_WHAT_NO_ACQUIRE:
	case OCLMM_WHAT_NO_RELEASE:
	case OCLMM_WHAT_RMW_RELAXED:
	case OCLMM_WHAT_FAILURE_RELAXED: {
		struct oclmm_atomic old = *a;

		if (!is_operation(kind) || !set_orders(c, kind, a))
			return;
		note(c);
		/* a constant is known before the kernel runs */
		if (guarded && !(c->change->where == OCLMM_WHERE_OTHER &&
		                 a->operand->kind == OCLMM_EXPRESSION_CONSTANT)) {
			*a = old;
			a->wrong = c->changed->marked = true;
		}
		return;
	}
	case OCLMM_WHAT_SCOPE:
		if (is_operation(kind) && narrow(c, &a->scope)) {
			a->scope_written = true;
			spell(c, a);
			note(c);
		}
		return;
	case OCLMM_WHAT_STORE_FOR_EXCHANGE:
		if (update == '=' && unused)
			store_for_exchange(c, a);
		return;
	case OCLMM_WHAT_ZERO_LOAD:
		if (kind == OCLMM_FUNCTION_FETCH && strchr("+-|^&", update))
			load_for_update(c, a);
		return;
	default:
		if (is_wrong(c, call.function, a, unused))
			mark(c, &a->wrong);
	}
}

/* ---- fences and barriers ---------------------------------------------------- */

static bool is_for_both(unsigned flags)
{
	return (flags & OCLMM_FLAG_LOCAL) && (flags & OCLMM_FLAG_GLOBAL);
}

/* Whether a fence is to be dropped. */
static bool change_fence(struct changer *c, struct oclmm_fence *fence)
{
	const struct call call = oclmm_change_call_of_fence(fence);
	enum oclmm_what what = c->change->what;
	enum oclmm_where where = c->change->where;
	bool full = call.function->kind == OCLMM_FUNCTION_FENCE;
	enum oclmm_order order = full ? weaken_fence(what, fence->order) : fence->order;

	if (!oclmm_change_takes(c->change, &call))
		return false;
	if (what == (full ? OCLMM_WHAT_FENCE_DROPPED : OCLMM_WHAT_MEM_FENCE_DROPPED)) {
		note(c);
		return true;
	}
	/* fences have no object: in some of them only where the launch decides */
	if (where != OCLMM_WHERE_ANYWHERE &&
	    (where <= OCLMM_WHERE_OTHER || where == OCLMM_WHERE_SHIFTED ||
	     where == OCLMM_WHERE_RARE))
		return false;
	if (order != fence->order && where != OCLMM_WHERE_ANYWHERE) {
		mark(c, &fence->wrong);
	} else if (order != fence->order) {
		fence->order = order;
		note(c);
	}
	if (what == OCLMM_WHAT_SCOPE && full && narrow(c, &fence->scope))
		note(c);
	if (what == OCLMM_WHAT_FENCE_FLAGS && is_for_both(fence->flags)) {
		fence->flags = c->change->keep_global ? OCLMM_FLAG_GLOBAL : OCLMM_FLAG_LOCAL;
		note(c);
	}
	return false;
}

static void change_barrier(struct changer *c, struct oclmm_barrier *barrier)
{
	struct call call;
	unsigned known = barrier->flags & (OCLMM_FLAG_LOCAL | OCLMM_FLAG_GLOBAL);

	if (barrier->collective) {
		/* its name is what is defined otherwise */
		if (c->change->what == OCLMM_WHAT_COLLECTIVE_ALONE)
			mark(c, &barrier->wrong);
		return;
	}
	call = oclmm_change_call_of_barrier(barrier);
	if (!oclmm_change_takes(c->change, &call))
		return;
	switch (c->change->what) {
	case OCLMM_WHAT_BARRIER_DROPPED: mark(c, &barrier->wrong); break;
	case OCLMM_WHAT_BARRIER_NO_FLAGS:
		if (barrier->flags)
			note(c);
		barrier->flags = 0;
		break;
	case OCLMM_WHAT_BARRIER_SWAPPED:
		if (known != OCLMM_FLAG_LOCAL && known != OCLMM_FLAG_GLOBAL)
			break;
		barrier->flags = known == OCLMM_FLAG_LOCAL ? OCLMM_FLAG_GLOBAL : OCLMM_FLAG_LOCAL;
		note(c);
		break;
	case OCLMM_WHAT_SCOPE:
		if (barrier->scope_written && narrow(c, &barrier->scope))
			note(c);
		break;
	default: break;
	}
}

/* ---- the way through a program -------------------------------------------------- */

static void change_expression(struct changer *c, struct oclmm_expression *e, bool unused)
{
	struct oclmm_parts parts;

	oclmm_expression_parts(e, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++)
		change_expression(c, *parts.expressions[i], false);
	/* an expected value in memory is put there by what stands beside the call */
	if (e->kind == OCLMM_EXPRESSION_ATOMIC)
		change_atomic(c, e->atomic,
		              unused && e->atomic->comparand.kind != OCLMM_COMPARAND_MEMORY);
}

static bool is_narrow_store(const struct oclmm_program *program, const struct oclmm_store *store)
{
	return oclmm_type_is_narrow(program->locations[store->place.location].type);
}

/* Whether a statement is to be dropped. */
static bool change_statement(struct changer *c, struct oclmm_statement *s)
{
	switch (s->kind) {
	case OCLMM_STATEMENT_FENCE: return change_fence(c, &s->fence);
	case OCLMM_STATEMENT_BARRIER: change_barrier(c, &s->barrier); break;
	case OCLMM_STATEMENT_STORE:
		if (c->change->what == OCLMM_WHAT_WORD &&
		    is_narrow_store(c->edit.program, &s->store))
			mark(c, &s->store.wrong);
		break;
	case OCLMM_STATEMENT_COPY:
		if (c->change->what == OCLMM_WHAT_COPY_SHORT) {
			s->copy.count--;
			note(c);
		}
		break;
	case OCLMM_STATEMENT_WAIT:
		if (c->change->what == OCLMM_WHAT_COPY_UNAWAITED)
			note(c);
		break;
	case OCLMM_STATEMENT_ENQUEUE:
		if (c->change->what == OCLMM_WHAT_CHILD_EARLY &&
		    s->enqueue.flag != OCLMM_ENQUEUE_NO_WAIT) {
			s->enqueue.flag = OCLMM_ENQUEUE_NO_WAIT;
			note(c);
		}
		if (c->change->what == OCLMM_WHAT_CHILD_UNAWAITED && s->enqueue.after) {
			s->enqueue.after = 0;
			note(c);
		}
		break;
	default: break;
	}
	return false;
}

static void change_block(struct changer *c, struct oclmm_statement **link)
{
	while (*link) {
		struct oclmm_statement *s = *link;
		struct oclmm_parts parts;
		bool in_branch = c->in_branch;

		oclmm_statement_parts(s, &parts);
		for (unsigned i = 0; i < parts.expression_count; i++)
			change_expression(c, *parts.expressions[i],
			                  s->kind == OCLMM_STATEMENT_EVALUATE);
		c->in_branch |= s->kind == OCLMM_STATEMENT_IF;
		for (unsigned i = 0; i < parts.body_count; i++)
			change_block(c, parts.bodies[i]);
		c->in_branch = in_branch;
		if (change_statement(c, s))
			*link = s->next;
		else
			link = &s->next;
	}
}

static void change_thread(struct changer *c)
{
	if (oclmm_change_is_of_statements(c->change->what))
		c->changed->places += oclmm_change_statements(&c->edit, c->change);
	else
		change_block(c, &c->edit.program->threads[c->edit.thread].body);
}

/* What is nowhere in a thread's text: the places are the objects. */
static size_t count_objects(const struct oclmm_program *program, enum oclmm_what what)
{
	size_t count = 0;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		count += (what == OCLMM_WHAT_VARIABLE_COPIED &&
		          l->storage == OCLMM_STORAGE_PROGRAM) ||
		         (what == OCLMM_WHAT_IMAGE_STALE && oclmm_location_is_image(l));
	}
	return count;
}

struct oclmm_changed oclmm_change_program(struct oclmm_arena *arena,
                                          const struct oclmm_program *program,
                                          const struct oclmm_mutation *change)
{
	struct oclmm_changed changed = {.program = oclmm_program_copy(arena, program)};
	struct changer c = {.change = change,
	                    .edit = {.program = changed.program, .arena = arena},
	                    .changed = &changed};

	for (; c.edit.thread < program->thread_count; c.edit.thread++)
		change_thread(&c);
	changed.places += count_objects(program, change->what);
	return changed;
}

/* ---- calls of the kernels' own --------------------------------------------------- */

static struct call own_call(const char *space)
{
	return (struct call){.words = {[OCLMM_ASPECT_ORDER] = "",
	                               [OCLMM_ASPECT_SCOPE] = "device",
	                               [OCLMM_ASPECT_WIDTH] = "32",
	                               [OCLMM_ASPECT_SPACE] = space,
	                               [OCLMM_ASPECT_FORM] = "short",
	                               [OCLMM_ASPECT_TYPE] = "uint"}};
}

static const struct oclmm_function *named(const char *name)
{
	const struct oclmm_function *function;

	for (size_t i = 0; (function = oclmm_function_at(i)); i++)
		if (strcmp(function->name, name) == 0)
			return function;
	return NULL;
}

/* Whether a change is in a function of OpenCL 1.x. */
static bool is_in_count(const struct oclmm_mutation *change, const char *name, bool local,
                        bool used)
{
	struct call call = own_call(local ? "local" : "global");

	call.function = named(name);
	if (!oclmm_change_takes(change, &call))
		return false;
	switch (change->what) {
	case OCLMM_WHAT_SPLIT_LEGACY: return change->all || used;
	case OCLMM_WHAT_PLAIN: return local;
	case OCLMM_WHAT_COUNT_LOST: return true;
	default: return oclmm_change_is_mistaken(change, call.function, OCLMM_TYPE_UINT);
	}
}

static bool is_in_barrier(const struct oclmm_mutation *change)
{
	struct call call = own_call("local");

	call.function = named("barrier");
	call.words[OCLMM_ASPECT_SCOPE] = "work_group";
	call.words[OCLMM_ASPECT_WIDTH] = call.words[OCLMM_ASPECT_TYPE] = "";
	return oclmm_change_takes(change, &call) && (change->what == OCLMM_WHAT_BARRIER_DROPPED ||
	                                             change->what == OCLMM_WHAT_BARRIER_NO_FLAGS ||
	                                             change->what == OCLMM_WHAT_BARRIER_SWAPPED);
}

unsigned oclmm_change_own(const struct oclmm_mutation *change)
{
	return (is_in_barrier(change) ? OCLMM_OWN_BARRIER : 0u) |
	       (is_in_count(change, "inc", true, false) ? OCLMM_OWN_INC_LOCAL : 0u) |
	       (is_in_count(change, "inc", false, false) ? OCLMM_OWN_INC : 0u) |
	       (is_in_count(change, "inc", false, true) ? OCLMM_OWN_INC_USED : 0u) |
	       (is_in_count(change, "add", true, false) ? OCLMM_OWN_ADD_LOCAL : 0u) |
	       (is_in_count(change, "add", false, false) ? OCLMM_OWN_ADD : 0u);
}
