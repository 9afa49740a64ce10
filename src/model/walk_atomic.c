// SPDX-License-Identifier: Apache-2.0
/* Atomic functions (C:6.15.12.7) as events and symbols. */
#include "walk.h"

static void set_atomic(struct oclmm_event *e, const struct walk *w, const struct oclmm_atomic *a,
                       enum oclmm_order order)
{
	e->order = order;
	/* host atomics reach every device, A:3.3.9.1 (end) */
	e->scope = w->thread->placement.host ? OCLMM_SCOPE_ALL_SVM_DEVICES : a->scope;
	e->legacy = a->legacy;
}

/* A call has made all events from `first` on; `operation` is the one on its object. */
static void note_call(struct walk *w, unsigned first, unsigned operation)
{
	row before = BIT(first) - 1;
	row all = w->event_count == MAX_EVENTS ? ~(row)0 : BIT(w->event_count) - 1;

	if (w->state != GOING)
		return;
	w->calls |= BIT(operation);
	w->body[operation] = all & ~before;
}

/* What a compare-exchange works on. */
struct compared {
	struct target object, place; /* `place` of an expected value in memory */
	const struct symbol *expected;
};

enum oclmm_type oclmm_walk_object_type(const struct walk *w, const struct oclmm_place *place)
{
	return w->program->locations[place->location].type;
}

/*
 * What a compare-exchange tells of its success: known on each way, and yet
 * computed from the values compared, so that it cannot justify them.
 */
static const struct symbol *success(struct walk *w, int64_t value, const struct symbol *old,
                                    const struct symbol *expected)
{
	struct symbol *s = oclmm_walk_symbol(w, SYMBOL_CONSTANT, OCLMM_TYPE_INT, old, expected);

	s->constant = value;
	return s;
}

/*
 * The failing way of a compare-exchange: a load, and `*expected` takes what was
 * read. The legacy function instead stores the old value again: it is a
 * read-modify-write either way (C:6.15.12.8, "(old == cmp) ? val : old"), but
 * for the alternative of K9.
 */
static void fail_compare(struct walk *w, const struct oclmm_expression *e,
                         const struct compared *compared, struct result *r)
{
	const struct symbol *expected = compared->expected;
	const struct oclmm_atomic *a = e->atomic;
	enum oclmm_type type = oclmm_walk_object_type(w, &a->object);
	bool stores = a->legacy && !(w->world & ALT_K9);
	struct oclmm_event *read = oclmm_walk_access(w,
	                                             stores ? OCLMM_EVENT_UPDATE : OCLMM_EVENT_READ,
	                                             &compared->object, r);

	if (w->state != GOING)
		return;
	set_atomic(read, w, a, a->failure);
	read->legacy_compare = a->legacy;

	const struct symbol *old = oclmm_walk_read(w, type);

	/* a weak one may fail although the values are equal */
	if (a->op == OCLMM_OP_CAS_STRONG)
		oclmm_walk_require(w, oclmm_walk_compare(w, old, expected, e->position), false);
	r->value = a->legacy ? old : success(w, 0, old, expected);
	if (stores)
		oclmm_walk_store(w, read, old);
	if (a->legacy)
		return;
	if (a->comparand.kind == OCLMM_COMPARAND_REGISTER) {
		enum oclmm_type t = w->thread->registers[a->comparand.reg].type;

		w->registers[a->comparand.reg] = oclmm_walk_convert(w, t, old);
		return;
	}

	struct oclmm_event *back = oclmm_walk_access(w, OCLMM_EVENT_WRITE, &compared->place, r);

	if (w->state == GOING)
		oclmm_walk_store(
			w, back,
			oclmm_walk_convert(w, oclmm_walk_object_type(w, &a->comparand.place), old));
}

static void pass_compare(struct walk *w, const struct oclmm_expression *e,
                         const struct compared *compared, const struct symbol *desired,
                         struct result *r)
{
	const struct oclmm_atomic *a = e->atomic;
	enum oclmm_type type = oclmm_walk_object_type(w, &a->object);
	struct oclmm_event *update = oclmm_walk_access(w, OCLMM_EVENT_UPDATE, &compared->object, r);

	if (w->state != GOING)
		return;
	set_atomic(update, w, a, a->order);

	const struct symbol *old = oclmm_walk_read(w, type);

	oclmm_walk_store(w, update, oclmm_walk_convert(w, type, desired));
	oclmm_walk_require(w, oclmm_walk_compare(w, old, compared->expected, e->position), true);
	r->value = a->legacy ? old : success(w, 1, old, compared->expected);
}

/* The argument for the expected value: a value of its own, or where it stands. */
static void find_expected(struct walk *w, const struct oclmm_atomic *a, struct compared *compared,
                          struct result *r)
{
	struct result e;

	if (a->comparand.kind == OCLMM_COMPARAND_REGISTER)
		compared->expected = w->registers[a->comparand.reg];
	else if (a->comparand.kind == OCLMM_COMPARAND_MEMORY)
		compared->place = oclmm_walk_target(w, &a->comparand.place, r);
	if (a->comparand.kind != OCLMM_COMPARAND_VALUE)
		return;
	e = oclmm_walk_evaluate(w, a->comparand.value, r->done & ~r->made);
	if (w->state == GOING)
		oclmm_walk_order_calls(w, r->made, e.made);
	r->done |= e.done;
	r->made |= e.made;
	compared->expected = e.value;
}

static void compare_exchange(struct walk *w, const struct oclmm_expression *e,
                             const struct target *object, const struct symbol *desired,
                             struct result *r)
{
	const struct oclmm_atomic *a = e->atomic;
	struct compared compared = {.object = *object};

	find_expected(w, a, &compared, r);
	if (w->state != GOING)
		return;

	unsigned first = w->event_count;

	if (a->comparand.kind == OCLMM_COMPARAND_MEMORY) {
		oclmm_walk_access(w, OCLMM_EVENT_READ, &compared.place, r);
		compared.expected = oclmm_walk_read(w,
		                                    oclmm_walk_object_type(w, &a->comparand.place));
	}
	unsigned operation = w->event_count;

	if (oclmm_walk_choose(w, 2) == 0)
		pass_compare(w, e, &compared, desired, r);
	else
		fail_compare(w, e, &compared, r);
	note_call(w, first, operation);
}

static void read_modify_write(struct walk *w, const struct oclmm_atomic *a,
                              const struct target *object, const struct symbol *operand,
                              struct result *r)
{
	enum oclmm_type type = oclmm_walk_object_type(w, &a->object);
	struct oclmm_event *u = oclmm_walk_access(w, OCLMM_EVENT_UPDATE, object, r);

	if (w->state != GOING)
		return;
	set_atomic(u, w, a, a->order);
	note_call(w, w->event_count - 1, w->event_count - 1);

	const struct symbol *old = oclmm_walk_read(w, type);

	if (a->op == OCLMM_OP_EXCHANGE || a->op == OCLMM_OP_FLAG_TEST_AND_SET) {
		oclmm_walk_store(w, u, oclmm_walk_convert(w, type, operand));
	} else {
		struct symbol *s = oclmm_walk_symbol(w, SYMBOL_RMW, type, old,
		                                     oclmm_walk_convert(w, type, operand));

		s->rmw = a->op;
		oclmm_walk_store(w, u, s);
	}
	r->value = a->op == OCLMM_OP_FLAG_TEST_AND_SET ? oclmm_walk_convert(w, OCLMM_TYPE_INT, old)
	                                               : old;
}

struct result oclmm_walk_atomic(struct walk *w, const struct oclmm_expression *e, row before)
{
	const struct oclmm_atomic *a = e->atomic;
	enum oclmm_type type = oclmm_walk_object_type(w, &a->object);
	struct result r = {.value = oclmm_walk_constant(w, OCLMM_TYPE_INT, 0), .done = before};
	const struct symbol *operand = oclmm_walk_constant(w, type,
	                                                   a->op == OCLMM_OP_FLAG_TEST_AND_SET);
	struct target object;
	struct oclmm_event *x;

	if (a->operand) {
		struct result o = oclmm_walk_evaluate(w, a->operand, before);

		operand = o.value;
		r.done |= o.done;
		r.made |= o.made;
	}
	if (w->state == GOING)
		object = oclmm_walk_target(w, &a->object, &r);
	if (w->state != GOING)
		return r;
	switch (a->op) {
	case OCLMM_OP_LOAD:
		x = oclmm_walk_access(w, OCLMM_EVENT_READ, &object, &r);
		set_atomic(x, w, a, a->order);
		note_call(w, w->event_count - 1, w->event_count - 1);
		r.value = oclmm_walk_read(w, type);
		break;
	case OCLMM_OP_STORE:
	case OCLMM_OP_FLAG_CLEAR:
	case OCLMM_OP_INIT:
		x = oclmm_walk_access(w, OCLMM_EVENT_WRITE, &object, &r);
		/* atomic_init is a plain write, C:6.15.12.2 */
		if (a->op != OCLMM_OP_INIT)
			set_atomic(x, w, a, a->order);
		note_call(w, w->event_count - 1, w->event_count - 1);
		oclmm_walk_store(w, x, oclmm_walk_convert(w, type, operand));
		break;
	case OCLMM_OP_CAS_STRONG:
	case OCLMM_OP_CAS_WEAK: compare_exchange(w, e, &object, operand, &r); break;
	default: read_modify_write(w, a, &object, operand, &r); break;
	}
	return r;
}
