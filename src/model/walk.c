// SPDX-License-Identifier: Apache-2.0
/*
 * From the statements of a thread to its paths. The thread is run symbolically, again and again;
 * wherever the way depends on a value that is read (a branch, the success of a compare-exchange, an
 * array index) a script of decisions says which way to go, and what must hold of the values becomes
 * a constraint of the path.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHOICES = 64, MAX_PATHS = 4096, MAX_COMPUTED = 512, MAX_CONSTRAINTS = 256 };

/* The run of one path. */
struct walk {
	struct oclmm_arena *arena;
	const struct oclmm_program *program;
	const struct oclmm_thread *thread;
	unsigned thread_index;
	const struct oclmm_statement *statement; /* at work */
	unsigned world;                          /* set of ALT_EVENTS */
	/* the script: decision taken and number of ways at each choice */
	unsigned decision[MAX_CHOICES], ways[MAX_CHOICES];
	unsigned choice_count, choice_next;
	/* the path so far */
	struct oclmm_event event[MAX_EVENTS];
	struct stored stored[MAX_EVENTS];
	row before[MAX_EVENTS]; /* events sequenced before each event */
	row calls;              /* events that are the operation of an atomic function */
	row body[MAX_EVENTS];   /* by the index of those: all events of the function */
	unsigned event_count;
	struct constraint constraint[MAX_CONSTRAINTS];
	unsigned constraint_count;
	const struct symbol *computed[MAX_COMPUTED];
	unsigned computed_count;
	/* values that the branches taken so far pin to a constant */
	struct fact {
		const struct symbol *symbol;
		int64_t value;
	} fact[MAX_CONSTRAINTS];
	unsigned fact_count;
	const struct symbol **registers;
	uint32_t barriers[2]; /* of work-groups and of sub-groups, that it has come to */
	uint32_t met;         /* calls for them: a split barrier takes two */
	uint32_t arrival;     /* 1 + the number of a split barrier that it has to wait at, or 0 */
	uint64_t turn;        /* the branches and turns of loops that it is in, of a shared text */
	uint8_t maker[MAX_COPIES]; /* of each copy so far, its rank in the work-group */
	unsigned copy_count;
	row pending[OCLMM_EVENTS_MOST]; /* by event: accesses of copies that nobody waited for */
	struct oclmm_event nowhere;     /* takes writes after the path has ended */
	bool loops;                     /* some thread of the program has one */
	bool divides;                   /* the same for a quotient or remainder */
	bool has_divided;               /* the path has one */
	/* ENDED: undefined behaviour ends the path; CUT: a loop exceeded its bound; WAITING: at
	 * a barrier for a work-item that is cut */
	enum { GOING, ENDED, CUT, WAITING, IMPOSSIBLE, FAILED } state;
	int failure;
	struct oclmm_position failure_position;
	const char *failure_message;
	enum oclmm_undefined undefined;
	struct oclmm_position undefined_position;
	const struct oclmm_statement *undefined_statement;
	struct waiting waiting;
};

/* What the evaluation of an expression gives. */
struct result {
	const struct symbol *value;
	row done; /* events that it made, and those before them */
	row made; /* events it made */
};

/* A place whose index has been evaluated. */
struct target {
	const struct oclmm_place *place;
	uint32_t element;
	row reads, needed; /* what the index depends on, as struct stored has it */
};

static struct result evaluate(struct walk *w, const struct oclmm_expression *e, row before);
static void learn(struct walk *w, const struct symbol *condition, bool truth);
static const struct symbol *pin(struct walk *w, const struct symbol *s);

/* ---- decisions, symbols ------------------------------------------------ */

static void fail(struct walk *w, int code, struct oclmm_position position, const char *message)
{
	if (w->state == FAILED)
		return;
	w->state = FAILED;
	w->failure = code;
	w->failure_position = position;
	w->failure_message = message;
}

/* Undefined behaviour ends the path here. */
static void end_undefined(struct walk *w, enum oclmm_undefined reason,
                          struct oclmm_position position)
{
	if (w->state != GOING)
		return;
	w->state = ENDED;
	w->undefined = reason;
	w->undefined_position = position;
	w->undefined_statement = w->statement;
}

/* The next decision among `ways`; a new choice starts at 0. */
static unsigned choose(struct walk *w, unsigned ways)
{
	if (w->choice_next == w->choice_count) {
		if (w->choice_count == MAX_CHOICES) {
			fail(w, -E2BIG, w->thread->position,
			     "thread branches too often for the oracle");
			return 0;
		}
		w->decision[w->choice_count] = 0;
		w->ways[w->choice_count++] = ways;
	}
	return w->decision[w->choice_next++];
}

static struct symbol *new_symbol(struct walk *w, enum symbol_kind kind, enum oclmm_type type,
                                 const struct symbol *left, const struct symbol *right)
{
	struct symbol *s = OCLMM_NEW(w->arena, struct symbol);

	s->kind = kind;
	s->type = type;
	s->left = left;
	s->right = right;
	s->reads = (left ? left->reads : 0) | (right ? right->reads : 0);
	return s;
}

static const struct symbol *new_constant(struct walk *w, enum oclmm_type type, int64_t value)
{
	struct symbol *s = new_symbol(w, SYMBOL_CONSTANT, type, NULL, NULL);

	s->constant = oclmm_value_wrap(type, value);
	return s;
}

static const struct symbol *convert(struct walk *w, enum oclmm_type type,
                                    const struct symbol *value)
{
	if (value->type == type)
		return value;
	if (value->kind == SYMBOL_CONSTANT && !value->reads)
		return new_constant(w, type, value->constant);
	return new_symbol(w, SYMBOL_CONVERT, type, value, NULL);
}

/* Notes a value whose arithmetic is to be checked, and folds constants. */
static const struct symbol *compute(struct walk *w, struct symbol *s,
                                    struct oclmm_position position)
{
	s->position = position;
	s->statement = w->statement;
	if (!s->reads) {
		struct symbol_finding found;
		int64_t value = oclmm_symbol_value(s, NULL, 0, &found);

		if (!found.undefined && !found.unspecified)
			return new_constant(w, s->type, value);
	}
	w->has_divided |= s->kind == SYMBOL_BINARY &&
	                  (s->op == OCLMM_OPERATOR_DIV || s->op == OCLMM_OPERATOR_REM);
	if (w->computed_count == MAX_COMPUTED)
		fail(w, -E2BIG, position, "thread computes too much for the oracle");
	else
		w->computed[w->computed_count++] = w->divides ? pin(w, s) : s;
	return s;
}

static const struct symbol *equality(struct walk *w, const struct symbol *a, const struct symbol *b,
                                     struct oclmm_position position)
{
	/* a path that goes on has read what it compares with */
	/* NOLINTNEXTLINE(*-core.NullDereference) */
	enum oclmm_type type = oclmm_common_type(a->type, b->type);
	struct symbol *s = new_symbol(w, SYMBOL_BINARY, OCLMM_TYPE_INT, convert(w, type, a),
	                              convert(w, type, b));

	s->op = OCLMM_OPERATOR_EQ;
	s->operand_type = type;
	return compute(w, s, position);
}

/* As an unsigned number a negative index is larger than any array. */
static const struct symbol *lies_outside(struct walk *w, const struct symbol *index,
                                         uint32_t elements, struct oclmm_position position)
{
	struct symbol *s = new_symbol(w, SYMBOL_BINARY, OCLMM_TYPE_INT,
	                              convert(w, OCLMM_TYPE_ULONG, index),
	                              new_constant(w, OCLMM_TYPE_ULONG, elements));

	s->op = OCLMM_OPERATOR_GE;
	s->operand_type = OCLMM_TYPE_ULONG;
	return compute(w, s, position);
}

/* Requires that a value is true, or false; the path ends where that is impossible. */
static void require(struct walk *w, const struct symbol *condition, bool truth)
{
	if (condition->kind == SYMBOL_CONSTANT) {
		if ((condition->constant != 0) != truth && w->state == GOING)
			w->state = IMPOSSIBLE;
	} else if (w->constraint_count == MAX_CONSTRAINTS) {
		fail(w, -E2BIG, w->thread->position, "thread branches too often for the oracle");
	} else {
		w->constraint[w->constraint_count++] = (struct constraint){condition, truth};
	}
}

/* ---- what branches make plain ------------------------------------------ */

/*
 * Values that the branches of a path pin: in `if (r0 == 1) { y = r0; }` any compiler writes `y =
 * 1`, and then the store waits for no read. The alternative of K6 takes such a value as the
 * constant.
 */

/* Whether a value depends on reads; without reads only an unspecified value is not folded. */
static bool is_open(const struct symbol *s)
{
	return s->reads || s->kind != SYMBOL_CONSTANT;
}

static void note(struct walk *w, const struct symbol *s, int64_t value)
{
	/* a conversion that loses no bits has one origin */
	while (s->kind == SYMBOL_CONVERT && s->type != OCLMM_TYPE_BOOL &&
	       oclmm_type_bits(s->type) >= oclmm_type_bits(s->left->type)) {
		s = s->left;
		value = oclmm_value_wrap(s->type, value);
	}
	if (!is_open(s))
		return;
	if (w->fact_count == MAX_CONSTRAINTS)
		fail(w, -E2BIG, w->thread->position, "thread branches too often for the oracle");
	else
		w->fact[w->fact_count++] = (struct fact){s, value};
}

static bool is_plain_constant(const struct symbol *s)
{
	return s->kind == SYMBOL_CONSTANT && !s->reads;
}

static void learn_equal(struct walk *w, const struct symbol *a, const struct symbol *b)
{
	if (is_plain_constant(b))
		note(w, a, b->constant);
	else if (is_plain_constant(a))
		note(w, b, a->constant);
}

static void learn_from_operator(struct walk *w, const struct symbol *s, bool truth)
{
	switch (s->op) {
	case OCLMM_OPERATOR_NOT: learn(w, s->left, !truth); break;
	case OCLMM_OPERATOR_EQ:
	case OCLMM_OPERATOR_NE:
		if (truth == (s->op == OCLMM_OPERATOR_EQ))
			learn_equal(w, s->left, s->right);
		break;
	case OCLMM_OPERATOR_LOGICAL_AND:
	case OCLMM_OPERATOR_LOGICAL_OR:
		if (truth == (s->op == OCLMM_OPERATOR_LOGICAL_AND)) {
			learn(w, s->left, truth);
			learn(w, s->right, truth);
		}
		break;
	default: break;
	}
}

/* Notes the values that a condition pins when it is true, or false. */
static void learn(struct walk *w, const struct symbol *condition, bool truth)
{
	if (condition->kind == SYMBOL_UNARY || condition->kind == SYMBOL_BINARY)
		learn_from_operator(w, condition, truth);
	if (condition->kind == SYMBOL_CONSTANT)
		note(w, condition, condition->constant);
	else if (!truth)
		note(w, condition, 0);
}

static const struct symbol *known(struct walk *w, const struct symbol *s)
{
	for (unsigned i = 0; i < w->fact_count; i++)
		if (w->fact[i].symbol == s)
			return new_constant(w, s->type, w->fact[i].value);
	return NULL;
}

static const struct symbol *pin(struct walk *w, const struct symbol *s)
{
	const struct symbol *constant, *left, *right;
	struct symbol *copy;

	if (!is_open(s) || !w->fact_count)
		return s;
	constant = known(w, s);
	if (constant || s->kind == SYMBOL_CONSTANT || s->kind == SYMBOL_READ)
		return constant ? constant : s;
	left = s->left ? pin(w, s->left) : NULL;
	right = s->right ? pin(w, s->right) : NULL;
	if (left == s->left && right == s->right)
		return s;
	copy = new_symbol(w, s->kind, s->type, left, right);
	copy->pinned = s;
	copy->operand_type = s->operand_type;
	copy->op = s->op;
	copy->rmw = s->rmw;
	copy->position = s->position;
	copy->statement = s->statement;
	if (!copy->reads) {
		struct symbol_finding found;
		int64_t value = oclmm_symbol_value(copy, NULL, 0, &found);

		if (!found.unspecified)
			return new_constant(w, s->type, value);
	}
	return copy;
}

/* Decides a branch: by the value where the path knows it, otherwise by the script. The path
 * notes what follows from it. */
static bool branch(struct walk *w, const struct symbol *condition)
{
	const struct symbol *known = pin(w, condition);
	bool taken = known->constant != 0;

	if (known->kind != SYMBOL_CONSTANT) {
		taken = choose(w, 2) == 0;
		require(w, condition, taken);
	}
	learn(w, condition, taken);
	return taken;
}

/* ---- the order of calls ------------------------------------------------ */

/*
 * A function called in one part of an expression runs before or after one that is called in the
 * other part, and before or after each access that stands there: C11 6.5.2.2.
 */

/* The first of several calls, which are all ordered by now. */
static unsigned first_of(const struct walk *w, row calls)
{
	FOR_EACH (i, calls) {
		if (!(w->before[i] & calls))
			return i;
	}
	return 0;
}

static void put_before(struct walk *w, row first, row second)
{
	FOR_EACH (i, second)
		w->before[i] |= first;
}

static bool stands_before(const struct walk *w, unsigned a, unsigned b)
{
	row all = w->before[b], known = 0;

	while (all != known) {
		known = all;
		FOR_EACH (i, known)
			all |= w->before[i];
	}
	return all & BIT(a);
}

static bool conflicts(const struct walk *w, unsigned access, row body)
{
	const struct oclmm_event *x = &w->event[access];

	FOR_EACH (b, body) {
		const struct oclmm_event *y = &w->event[b];

		if (x->cell == y->cell && (oclmm_event_writes(x) || oclmm_event_writes(y)))
			return true;
	}
	return false;
}

/*
 * Accesses are plain reads here. The order of one and of a call that does not write its object
 * matters to races alone, and no race needs it. Leaving it open saves as many paths as such reads
 * have orders.
 */
static void order_accesses(struct walk *w, row accesses, row calls)
{
	FOR_EACH (c, accesses & w->calls)
		accesses &= ~w->body[c];
	FOR_EACH (c, accesses ? calls & w->calls : 0)
		FOR_EACH (a, accesses) {
			row body = w->body[c];

			if (!conflicts(w, a, body) || stands_before(w, a, c) ||
			    stands_before(w, c, a))
				continue;
			if (choose(w, 2) == 0)
				put_before(w, BIT(a), body);
			else
				put_before(w, body, BIT(a));
		}
}

static void order_calls(struct walk *w, row left, row right)
{
	row sides[2] = {left & w->calls, right & w->calls};

	while (sides[0] && sides[1]) {
		unsigned side = choose(w, 2);
		unsigned next = first_of(w, sides[side]);

		FOR_EACH (i, sides[!side])
			put_before(w, w->body[next], w->body[i]);
		sides[side] &= ~BIT(next);
	}
	order_accesses(w, left, right);
	order_accesses(w, right, left);
}

/* ---- events ------------------------------------------------------------ */

static enum oclmm_type type_of(const struct walk *w, const struct oclmm_place *place)
{
	return w->program->locations[place->location].type;
}

static struct oclmm_event *add_event(struct walk *w, enum oclmm_event_kind kind, row before,
                                     struct oclmm_position position)
{
	if (w->event_count == MAX_EVENTS) {
		fail(w, -E2BIG, position, "more than 64 events in one thread");
		return &w->nowhere;
	}

	struct oclmm_event *e = &w->event[w->event_count];

	*e = (struct oclmm_event){.kind = kind,
	                          .thread = (int)w->thread_index,
	                          .position = position,
	                          .statement = w->statement};
	w->stored[w->event_count] = (struct stored){0};
	w->before[w->event_count++] = before;
	return e;
}

static row last_event(const struct walk *w)
{
	return w->event_count ? BIT(w->event_count - 1) : 0;
}

/* An index that depends on a read is decided by the script: one way per element, one for
 * outside. */
static uint32_t choose_element(struct walk *w, const struct oclmm_place *place,
                               const struct oclmm_location *l, const struct symbol *index)
{
	if (index->kind == SYMBOL_CONSTANT) {
		if (index->constant >= 0 && (uint64_t)index->constant < l->elements)
			return (uint32_t)index->constant;
	} else {
		uint32_t element = choose(w, l->elements + 1);

		if (element < l->elements) {
			require(w,
			        equality(w, index, new_constant(w, index->type, element),
			                 place->position),
			        true);
			return element;
		}
		require(w, lies_outside(w, index, l->elements, place->position), true);
	}
	end_undefined(w, OCLMM_UNDEFINED_INDEX, place->position);
	return 0;
}

static struct target find_target(struct walk *w, const struct oclmm_place *place, struct result *r)
{
	const struct oclmm_location *l = &w->program->locations[place->location];
	struct target t = {.place = place};

	if (place->index) {
		struct result index = evaluate(w, place->index, r->done & ~r->made);

		if (w->state == GOING)
			order_calls(w, r->made, index.made);
		r->done |= index.done;
		r->made |= index.made;
		if (w->state == GOING) {
			t.reads = index.value->reads;
			t.needed = pin(w, index.value)->reads;
			t.element = choose_element(w, place, l, index.value);
		}
	}
	return t;
}

static struct oclmm_event *access(struct walk *w, enum oclmm_event_kind kind,
                                  const struct target *t, struct result *r)
{
	const struct oclmm_location *l = &w->program->locations[t->place->location];

	if (w->state != GOING)
		return &w->nowhere;

	struct oclmm_event *e = add_event(w, kind, r->done, t->place->position);

	e->cell = l->first_cell + t->element;
	e->location = t->place->location;
	e->element = t->element;
	e->region = l->space;
	e->storage = l->storage;
	if (e != &w->nowhere)
		w->stored[e - w->event] = (struct stored){.reads = t->reads, .needed = t->needed};
	r->done |= last_event(w);
	r->made |= last_event(w);
	return e;
}

static const struct symbol *value_read(struct walk *w, enum oclmm_type type)
{
	struct symbol *s = new_symbol(w, SYMBOL_READ, type, NULL, NULL);

	s->read = w->event_count ? w->event_count - 1 : 0;
	s->reads = last_event(w);
	/* where it is read from depends on the index */
	if (w->event_count)
		s->reads |= w->stored[s->read].reads;
	return s;
}

static void store(struct walk *w, struct oclmm_event *e, const struct symbol *value)
{
	struct stored *stored;

	if (e == &w->nowhere)
		return;
	stored = &w->stored[e - w->event];
	stored->value = pin(w, value);
	stored->reads |= value->reads;
	stored->needed |= stored->value->reads;
}

/* ---- atomic functions, C:6.15.12.7 ------------------------------------- */

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
	/* the walk goes on only where the call made an event */
	/* NOLINTNEXTLINE(*-core.UndefinedBinaryOperatorResult) */
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

/*
 * The result of a compare-exchange: known on each way, and still computed from the compared values,
 * so that it cannot justify them.
 */
static const struct symbol *success(struct walk *w, int64_t value, const struct symbol *old,
                                    const struct symbol *expected)
{
	struct symbol *s = new_symbol(w, SYMBOL_CONSTANT, OCLMM_TYPE_INT, old, expected);

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
	enum oclmm_type type = type_of(w, &a->object);
	bool stores = a->legacy && !(w->world & ALT_K9);
	struct oclmm_event *read = access(w, stores ? OCLMM_EVENT_UPDATE : OCLMM_EVENT_READ,
	                                  &compared->object, r);

	if (w->state != GOING)
		return;
	set_atomic(read, w, a, a->failure);
	read->legacy_compare = a->legacy;

	const struct symbol *old = value_read(w, type);

	/* a weak one may fail although the values are equal */
	if (a->op == OCLMM_OP_CAS_STRONG)
		require(w, equality(w, old, expected, e->position), false);
	r->value = a->legacy ? old : success(w, 0, old, expected);
	if (stores)
		store(w, read, old);
	if (a->legacy)
		return;
	if (a->comparand.kind == OCLMM_COMPARAND_REGISTER) {
		enum oclmm_type t = w->thread->registers[a->comparand.reg].type;

		w->registers[a->comparand.reg] = convert(w, t, old);
		return;
	}

	struct oclmm_event *back = access(w, OCLMM_EVENT_WRITE, &compared->place, r);

	if (w->state == GOING)
		store(w, back, convert(w, type_of(w, &a->comparand.place), old));
}

static void pass_compare(struct walk *w, const struct oclmm_expression *e,
                         const struct compared *compared, const struct symbol *desired,
                         struct result *r)
{
	const struct oclmm_atomic *a = e->atomic;
	enum oclmm_type type = type_of(w, &a->object);
	struct oclmm_event *update = access(w, OCLMM_EVENT_UPDATE, &compared->object, r);

	if (w->state != GOING)
		return;
	set_atomic(update, w, a, a->order);

	const struct symbol *old = value_read(w, type);

	store(w, update, convert(w, type, desired));
	require(w, equality(w, old, compared->expected, e->position), true);
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
		compared->place = find_target(w, &a->comparand.place, r);
	if (a->comparand.kind != OCLMM_COMPARAND_VALUE)
		return;
	e = evaluate(w, a->comparand.value, r->done & ~r->made);
	if (w->state == GOING)
		order_calls(w, r->made, e.made);
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
		(void)access(w, OCLMM_EVENT_READ, &compared.place, r);
		compared.expected = value_read(w, type_of(w, &a->comparand.place));
	}
	unsigned operation = w->event_count;

	if (choose(w, 2) == 0)
		pass_compare(w, e, &compared, desired, r);
	else
		fail_compare(w, e, &compared, r);
	note_call(w, first, operation);
}

static void read_modify_write(struct walk *w, const struct oclmm_atomic *a,
                              const struct target *object, const struct symbol *operand,
                              struct result *r)
{
	enum oclmm_type type = type_of(w, &a->object);
	struct oclmm_event *u = access(w, OCLMM_EVENT_UPDATE, object, r);

	if (w->state != GOING)
		return;
	set_atomic(u, w, a, a->order);
	note_call(w, w->event_count - 1, w->event_count - 1);

	const struct symbol *old = value_read(w, type);

	if (a->op == OCLMM_OP_EXCHANGE || a->op == OCLMM_OP_FLAG_TEST_AND_SET) {
		store(w, u, convert(w, type, operand));
	} else {
		struct symbol *s = new_symbol(w, SYMBOL_RMW, type, old, convert(w, type, operand));

		s->rmw = a->op;
		store(w, u, s);
	}
	r->value = a->op == OCLMM_OP_FLAG_TEST_AND_SET ? convert(w, OCLMM_TYPE_INT, old) : old;
}

static struct result run_atomic(struct walk *w, const struct oclmm_expression *e, row before)
{
	const struct oclmm_atomic *a = e->atomic;
	enum oclmm_type type = type_of(w, &a->object);
	struct result r = {.value = new_constant(w, OCLMM_TYPE_INT, 0), .done = before};
	const struct symbol *operand = new_constant(w, type, a->op == OCLMM_OP_FLAG_TEST_AND_SET);
	struct target object;
	struct oclmm_event *x;

	if (a->operand) {
		struct result o = evaluate(w, a->operand, before);

		operand = o.value;
		r.done |= o.done;
		r.made |= o.made;
	}
	if (w->state == GOING)
		object = find_target(w, &a->object, &r);
	if (w->state != GOING)
		return r;
	switch (a->op) {
	case OCLMM_OP_LOAD:
		x = access(w, OCLMM_EVENT_READ, &object, &r);
		set_atomic(x, w, a, a->order);
		note_call(w, w->event_count - 1, w->event_count - 1);
		r.value = value_read(w, type);
		break;
	case OCLMM_OP_STORE:
	case OCLMM_OP_FLAG_CLEAR:
	case OCLMM_OP_INIT:
		x = access(w, OCLMM_EVENT_WRITE, &object, &r);
		/* atomic_init is a plain write, C:6.15.12.2 */
		if (a->op != OCLMM_OP_INIT)
			set_atomic(x, w, a, a->order);
		note_call(w, w->event_count - 1, w->event_count - 1);
		store(w, x, convert(w, type, operand));
		break;
	case OCLMM_OP_CAS_STRONG:
	case OCLMM_OP_CAS_WEAK: compare_exchange(w, e, &object, operand, &r); break;
	default: read_modify_write(w, a, &object, operand, &r); break;
	}
	return r;
}

/* ---- expressions ------------------------------------------------------- */

static int stop_at_use(void *data, const struct oclmm_use *use)
{
	(void)data;
	(void)use;
	return 1;
}

static bool accesses_memory(const struct oclmm_expression *e)
{
	static const struct oclmm_visitor visitor = {.use = stop_at_use};

	return oclmm_visit_expression(&visitor, e, NULL);
}

/* `a && b` and `a || b` where b accesses memory: b happens only on one way. */
static struct result short_circuit(struct walk *w, const struct oclmm_expression *e, row before)
{
	bool is_and = e->binary.op == OCLMM_OPERATOR_LOGICAL_AND;
	struct result left = evaluate(w, e->binary.left, before);

	if (w->state != GOING)
		return left;
	if (branch(w, left.value) != is_and) {
		left.value = new_constant(w, OCLMM_TYPE_INT, !is_and);
		return left;
	}

	struct result right = evaluate(w, e->binary.right, left.done);
	struct symbol *s = new_symbol(w, SYMBOL_BINARY, OCLMM_TYPE_INT, right.value,
	                              new_constant(w, right.value->type, 0));

	s->op = OCLMM_OPERATOR_NE;
	s->operand_type = right.value->type;
	right.value = compute(w, s, e->position);
	right.made |= left.made;
	return right;
}

static struct result binary(struct walk *w, const struct oclmm_expression *e, row before)
{
	enum oclmm_operator op = e->binary.op;
	bool logical = op == OCLMM_OPERATOR_LOGICAL_AND || op == OCLMM_OPERATOR_LOGICAL_OR;

	if (logical && accesses_memory(e->binary.right))
		return short_circuit(w, e, before);

	struct result left = evaluate(w, e->binary.left, before);
	struct result right = {0};
	uint32_t computed = w->computed_count;

	if (w->state == GOING)
		right = evaluate(w, e->binary.right, before);
	if (w->state != GOING)
		return left;
	/* the operand's arithmetic counts only where the operator evaluates it */
	if (logical)
		w->computed_count = computed;
	order_calls(w, left.made, right.made);

	bool shift = op == OCLMM_OPERATOR_SHL || op == OCLMM_OPERATOR_SHR;
	enum oclmm_type type = oclmm_operand_type(op, left.value->type, right.value->type);
	struct symbol *s = new_symbol(w, SYMBOL_BINARY,
	                              oclmm_operator_is_truth(op) ? OCLMM_TYPE_INT : type,
	                              convert(w, type, left.value),
	                              shift ? right.value : convert(w, type, right.value));

	s->op = op;
	s->operand_type = type;
	left.value = compute(w, s, e->position);
	left.done |= right.done;
	left.made |= right.made;
	return left;
}

static struct result unary(struct walk *w, const struct oclmm_expression *e, row before)
{
	struct result r = evaluate(w, e->unary.operand, before);

	if (w->state != GOING)
		return r;

	enum oclmm_type type = oclmm_common_type(r.value->type, r.value->type);
	struct symbol *s = new_symbol(w, SYMBOL_UNARY,
	                              oclmm_operator_is_truth(e->unary.op) ? OCLMM_TYPE_INT : type,
	                              convert(w, type, r.value), NULL);

	s->op = e->unary.op;
	s->operand_type = type;
	r.value = compute(w, s, e->position);
	return r;
}

static struct result cast(struct walk *w, const struct oclmm_expression *e, row before)
{
	struct result r = evaluate(w, e->cast, before);

	if (w->state == GOING)
		r.value = convert(w, e->type, r.value);
	return r;
}

static struct result evaluate(struct walk *w, const struct oclmm_expression *e, row before)
{
	struct result r = {.value = NULL, .done = before};
	struct target t;

	switch (e->kind) {
	case OCLMM_EXPRESSION_CONSTANT: r.value = new_constant(w, e->type, e->constant); break;
	case OCLMM_EXPRESSION_REGISTER: r.value = w->registers[e->reg]; break;
	case OCLMM_EXPRESSION_LOAD:
		t = find_target(w, &e->load, &r);
		(void)access(w, OCLMM_EVENT_READ, &t, &r);
		r.value = value_read(w, type_of(w, &e->load));
		break;
	case OCLMM_EXPRESSION_ATOMIC: r = run_atomic(w, e, before); break;
	case OCLMM_EXPRESSION_UNARY: r = unary(w, e, before); break;
	case OCLMM_EXPRESSION_BINARY: r = binary(w, e, before); break;
	case OCLMM_EXPRESSION_CAST: r = cast(w, e, before); break;
	}
	return r;
}

/* ---- fences, barriers -------------------------------------------------- */

/* A relaxed fence has no effect, C:6.15.12.5. */
static row add_fence(struct walk *w, const struct oclmm_statement *s, row before)
{
	struct oclmm_event *f;

	if (s->fence.order == OCLMM_ORDER_RELAXED)
		return before;
	f = add_event(w, OCLMM_EVENT_FENCE, before, s->position);
	f->order = s->fence.order;
	f->scope = s->fence.scope;
	f->flags = s->fence.flags;
	f->one_way = strcmp(s->fence.spelling, "read_mem_fence") == 0 ||
	             strcmp(s->fence.spelling, "write_mem_fence") == 0;
	return before | last_event(w);
}

/* A wait that no arrival precedes, or an arrival, or another barrier, where a wait is due. */
static bool misuses_barrier(const struct walk *w, const struct oclmm_barrier *b)
{
	return !b->sub_group && !b->collective &&
	       (w->arrival != 0) != (b->part == OCLMM_BARRIER_WAIT);
}

/* Of a text that work-items share: how they come to a statement, or into one of its bodies or
 * turns. Texts of their own meet barrier by barrier (docs/model.md, 9). */
static uint64_t turn_of(const struct walk *w, const struct oclmm_statement *s, uint64_t turn)
{
	const uint64_t words[] = {w->turn, s->written, turn};

	return w->program->shared ? oclmm_hash(words, sizeof(words)) : 0;
}

static row add_barrier_event(struct walk *w, const struct oclmm_barrier *b, bool entry, row before,
                             struct oclmm_position position)
{
	struct oclmm_event *f = add_event(w, OCLMM_EVENT_FENCE, before, position);

	f->order = entry ? OCLMM_ORDER_RELEASE : OCLMM_ORDER_ACQUIRE;
	f->scope = b->scope;
	f->flags = b->flags;
	f->collective = b->collective;
	/* K16: "complete reads and writes to memory" (A:3.2.4), of work-groups alone */
	if (w->world & ALT_K16 && b->collective && !b->sub_group)
		f->flags = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL | OCLMM_FLAG_IMAGE;
	f->barrier = true;
	f->entry = entry;
	f->split = b->part != OCLMM_BARRIER_WHOLE;
	f->sub_group = b->sub_group;
	/* a wait is of the barrier that its work-item has arrived at */
	f->instance = b->part == OCLMM_BARRIER_WAIT ? w->arrival - 1 : w->barriers[b->sub_group];
	f->sequence = w->met;
	f->label = b->label;
	f->turn = turn_of(w, w->statement, 0);
	return before | last_event(w);
}

/*
 * A barrier is a release fence at entry and an acquire fence at exit, A:3.3.9.3; a split one has
 * these in two calls (cl_intel_split_work_group_barrier, issue 4). Where a loop may keep another
 * work-item from it, this one may wait: a beginning of longer executions.
 */
static row run_barrier(struct walk *w, const struct oclmm_barrier *b, row before,
                       struct oclmm_position position)
{
	if (b->value) {
		fail(w, -E2BIG, position,
		     "a collective function whose value only a run step by step gives");
		return before;
	}
	if (w->loops && b->part != OCLMM_BARRIER_ARRIVE && choose(w, 2) == 1) {
		w->state = WAITING;
		w->waiting = (struct waiting){w->statement, b->sub_group, w->met};
		return before;
	}
	if (b->part != OCLMM_BARRIER_WAIT)
		before = add_barrier_event(w, b, true, before, position);
	if (b->part != OCLMM_BARRIER_ARRIVE && w->state == GOING)
		before = add_barrier_event(w, b, false, before, position);
	if (b->part == OCLMM_BARRIER_WAIT)
		w->arrival = 0;
	else
		w->barriers[b->sub_group]++;
	if (b->part == OCLMM_BARRIER_ARRIVE)
		w->arrival = w->barriers[b->sub_group];
	w->met++;
	return before;
}

/* The event of enqueue_kernel: what stands before it comes before the child. */
static row add_enqueue(struct walk *w, const struct oclmm_statement *s, row before)
{
	add_event(w, OCLMM_EVENT_FENCE, before, s->position)->enqueued = s->enqueue.child + 1;
	return before | last_event(w);
}

/* ---- copies ------------------------------------------------------------ */

/*
 * Copies that a work-group makes together (C:6.15.11). "The async copy is
 * performed by all work-items": each access may be anybody's, so a path says
 * who makes the copy and has the accesses where it is this work-item. They come
 * after what stands before the call, and only the wait orders what follows it.
 */

/* Work-items of the group, and how many of them stand before this one. */
static unsigned count_group(const struct walk *w, unsigned *ret_rank)
{
	unsigned count = 0;

	for (unsigned t = 0; t < w->program->thread_count; t++) {
		if (t == w->thread_index)
			*ret_rank = count;
		count += oclmm_same_work_group(&w->program->threads[t].placement,
		                               &w->thread->placement);
	}
	return count;
}

/* The n-th element of one end of the copy. */
static struct oclmm_place element(struct walk *w, const struct oclmm_copy *copy,
                                  const struct oclmm_place *end, uint32_t n)
{
	struct oclmm_expression *index = OCLMM_NEW(w->arena, struct oclmm_expression);

	index->kind = OCLMM_EXPRESSION_CONSTANT;
	index->type = OCLMM_TYPE_UINT;
	index->position = end->position;
	index->constant = oclmm_copy_element(w->program, copy, end, n);
	return (struct oclmm_place){.location = end->location,
	                            .index = index,
	                            .position = end->position};
}

/* The accesses to one element; nothing orders those of another. */
static row copy_element(struct walk *w, const struct oclmm_copy *copy, uint32_t n, row before)
{
	struct oclmm_place from = element(w, copy, &copy->from, n),
			   to = element(w, copy, &copy->to, n);
	struct result r = {.done = before};
	struct target source, destination;
	const struct symbol *value;
	struct oclmm_event *e;

	source = find_target(w, &from, &r);
	access(w, OCLMM_EVENT_READ, &source, &r)->copied = copy->event + 1;
	value = value_read(w, type_of(w, &from));
	if (w->state != GOING)
		return r.made;
	destination = find_target(w, &to, &r);
	e = access(w, OCLMM_EVENT_WRITE, &destination, &r);
	e->copied = copy->event + 1;
	if (w->state == GOING)
		store(w, e, value);
	return r.made;
}

static row run_copy(struct walk *w, const struct oclmm_statement *s, row before)
{
	const struct oclmm_copy *copy = &s->copy;
	unsigned rank = 0, maker = choose(w, count_group(w, &rank));

	if (w->copy_count == MAX_COPIES) {
		fail(w, -E2BIG, s->position, "thread copies too often for the oracle");
		return before;
	}
	w->maker[w->copy_count++] = (uint8_t)maker;
	for (uint32_t n = 0; n < copy->count && maker == rank && w->state == GOING; n++)
		w->pending[copy->event] |= copy_element(w, copy, n, before);
	return before;
}

/* K12: what work-items do before the wait happens before what they do after it. */
static row run_wait(struct walk *w, const struct oclmm_statement *s, row before)
{
	static const struct oclmm_barrier barrier = {
		.flags = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL,
		.scope = OCLMM_SCOPE_WORK_GROUP,
	};
	struct oclmm_event *e;

	before |= w->pending[s->wait.event];
	e = add_event(w, OCLMM_EVENT_FENCE, before, s->position);
	e->flags = barrier.flags;
	e->waited = s->wait.event + 1;
	before |= last_event(w);
	if (w->state == GOING && w->world & ALT_K12)
		before = run_barrier(w, &barrier, before, s->position);
	return before;
}

/* ---- statements -------------------------------------------------------- */

static row run_block(struct walk *w, const struct oclmm_statement *s, row before);

static row run_store(struct walk *w, const struct oclmm_store *s, row before)
{
	struct result r = evaluate(w, s->value, before);

	if (w->state != GOING)
		return r.done;

	const struct symbol *value = r.value;
	struct target t = find_target(w, &s->place, &r);
	struct oclmm_event *x = access(w, OCLMM_EVENT_WRITE, &t, &r);

	if (w->state == GOING)
		store(w, x, convert(w, type_of(w, &s->place), value));
	return r.done;
}

static row run_while(struct walk *w, const struct oclmm_statement *s, row before)
{
	const struct oclmm_loop *loop = &s->loop;
	uint64_t outside = w->turn;

	for (uint32_t i = 0;; i++) {
		struct result condition;

		w->statement = s;
		condition = evaluate(w, loop->condition, before);
		before = condition.done;
		if (w->state != GOING || !branch(w, condition.value) || w->state != GOING)
			return before;
		if (i == loop->unroll) {
			w->state = CUT;
			return before;
		}
		w->turn = turn_of(w, s, i);
		before = run_block(w, loop->body, before);
		w->turn = outside;
		if (w->state != GOING)
			return before;
	}
}

static row run_if(struct walk *w, const struct oclmm_statement *s, row before)
{
	struct result r = evaluate(w, s->branch.condition, before);
	uint64_t outside = w->turn;
	bool taken;

	if (w->state != GOING)
		return r.done;
	taken = branch(w, r.value);
	w->turn = turn_of(w, s, taken);
	before = run_block(w, taken ? s->branch.then_body : s->branch.else_body, r.done);
	w->turn = outside;
	return before;
}

static row run_statement(struct walk *w, const struct oclmm_statement *s, row before)
{
	struct result r;

	w->statement = s;
	switch (s->kind) {
	case OCLMM_STATEMENT_ASSIGN:
		r = evaluate(w, s->assign.value, before);
		if (w->state == GOING)
			w->registers[s->assign.reg] =
				convert(w, w->thread->registers[s->assign.reg].type, r.value);
		return r.done;
	case OCLMM_STATEMENT_STORE: return run_store(w, &s->store, before);
	case OCLMM_STATEMENT_EVALUATE: return evaluate(w, s->effect, before).done;
	case OCLMM_STATEMENT_FENCE: return add_fence(w, s, before);
	case OCLMM_STATEMENT_BARRIER:
		if (misuses_barrier(w, &s->barrier)) {
			end_undefined(w, OCLMM_UNDEFINED_SPLIT_BARRIER, s->position);
			return before;
		}
		return run_barrier(w, &s->barrier, before, s->position);
	case OCLMM_STATEMENT_COPY: return run_copy(w, s, before);
	case OCLMM_STATEMENT_WAIT: return run_wait(w, s, before);
	case OCLMM_STATEMENT_ENQUEUE: return add_enqueue(w, s, before);
	case OCLMM_STATEMENT_CLOCK: return before;
	case OCLMM_STATEMENT_IF: return run_if(w, s, before);
	case OCLMM_STATEMENT_WHILE: return run_while(w, s, before);
	}
	return before;
}

static row run_block(struct walk *w, const struct oclmm_statement *s, row before)
{
	for (; s && w->state == GOING; s = s->next)
		before = run_statement(w, s, before);
	return before;
}

/* ---- paths ------------------------------------------------------------- */

static void run_thread(struct walk *w)
{
	w->choice_next = 0;
	w->event_count = w->constraint_count = w->computed_count = w->fact_count = 0;
	w->has_divided = false;
	w->calls = 0;
	w->barriers[0] = w->barriers[1] = w->met = 0;
	w->arrival = 0;
	w->turn = 0;
	w->waiting.at = NULL;
	w->copy_count = 0;
	memset(w->pending, 0, sizeof(w->pending));
	w->state = GOING;
	w->undefined = OCLMM_UNDEFINED_NOT;
	w->registers = OCLMM_NEW_ARRAY(w->arena, const struct symbol *,
	                               w->thread->register_count + 1);
	for (uint32_t i = 0; i < w->thread->register_count; i++)
		w->registers[i] = new_constant(w, w->thread->registers[i].type,
		                               w->thread->registers[i].initial);
	run_block(w, w->thread->body, 0);
}

static void keep_path(struct walk *w, struct path *p)
{
	unsigned n = w->event_count;

	/* a branch may have pinned an unspecified value */
	for (uint32_t i = 0; w->divides && i < w->thread->register_count; i++)
		w->registers[i] = pin(w, w->registers[i]);
	*p = (struct path){.event_count = n,
	                   .constraint_count = w->constraint_count,
	                   .computed_count = w->computed_count,
	                   .registers = w->registers,
	                   .divides = w->has_divided,
	                   .undefined = w->undefined,
	                   .cut = w->state == CUT || w->state == WAITING,
	                   .waiting = w->waiting,
	                   .undefined_position = w->undefined_position,
	                   .undefined_statement = w->undefined_statement,
	                   .copy_count = w->copy_count};
	memcpy(p->maker, w->maker, w->copy_count);
	p->events = oclmm_arena_copy(w->arena, w->event, n * sizeof(*w->event));
	p->stored = oclmm_arena_copy(w->arena, w->stored, n * sizeof(*w->stored));
	p->constraints = oclmm_arena_copy(w->arena, w->constraint,
	                                  w->constraint_count * sizeof(*w->constraint));
	p->computed = oclmm_arena_copy(w->arena, w->computed,
	                               w->computed_count * sizeof(*w->computed));
	p->sb = OCLMM_NEW_ARRAY(w->arena, row, n + 1);
	for (unsigned i = 0; i < n; i++)
		FOR_EACH (j, w->before[i])
			p->sb[j] |= BIT(i);
	oclmm_closure(p->sb, n);
}

/* Moves the script to the next way. \return false when all have been taken. */
static bool next_script(struct walk *w)
{
	while (w->choice_count &&
	       w->decision[w->choice_count - 1] + 1 >= w->ways[w->choice_count - 1])
		w->choice_count--;
	if (!w->choice_count)
		return false;
	w->decision[w->choice_count - 1]++;
	return true;
}

static int report_failure(const struct walk *w, struct oclmm_error *error)
{
	oclmm_error_set(error, w->failure, "%s", w->failure_message);
	if (w->program->file)
		snprintf(error->file, sizeof(error->file), "%s", w->program->file);
	error->position = w->failure_position;
	return w->failure;
}

static int find_loop(void *data, const struct oclmm_statement *s)
{
	*(bool *)data |= s->kind == OCLMM_STATEMENT_WHILE;
	return 0;
}

static bool has_loops(const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.statement = find_loop};
	bool loops = false;

	for (uint32_t t = 0; t < program->thread_count; t++)
		oclmm_visit_body(&visitor, program->threads[t].body, &loops);
	return loops;
}

static int find_division(void *data, const struct oclmm_expression *e)
{
	*(bool *)data |= e->kind == OCLMM_EXPRESSION_BINARY &&
	                 (e->binary.op == OCLMM_OPERATOR_DIV || e->binary.op == OCLMM_OPERATOR_REM);
	return 0;
}

static bool has_division(const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.expression = find_division};
	bool divides = false;

	for (uint32_t t = 0; t < program->thread_count; t++)
		oclmm_visit_body(&visitor, program->threads[t].body, &divides);
	return divides;
}

/* \return 0 or -E2BIG. */
static int unfold_thread(struct walk *w, unsigned thread, struct oclmm_error *error,
                         struct path_list *ret_paths)
{
	struct path_list list = {0};
	size_t capacity = 0;
	struct path *paths = NULL;
	int result = 0;

	w->thread_index = thread;
	w->choice_count = 0;
	w->thread = &w->program->threads[thread];
	do {
		run_thread(w);
		if (w->state == FAILED) {
			result = report_failure(w, error);
			break;
		}
		list.cut |= w->state == CUT;
		if (w->state == IMPOSSIBLE)
			continue;
		if (list.count == MAX_PATHS) {
			fail(w, -E2BIG, w->thread->position,
			     "thread has too many paths for the oracle");
			result = report_failure(w, error);
			break;
		}
		oclmm_grow(&paths, &capacity, list.count, sizeof(*paths));
		keep_path(w, &paths[list.count++]);
	} while (next_script(w));
	if (result == 0) {
		list.paths = oclmm_arena_copy(w->arena, paths, list.count * sizeof(*paths));
		*ret_paths = list;
	}
	free(paths);
	return result;
}

int oclmm_walk(struct oclmm_arena *arena, const struct oclmm_program *program, unsigned world,
               struct oclmm_error *error, struct path_list *ret_paths)
{
	struct walk w; /* large, so each run sets only what it uses */
	int result = 0;

	w.arena = arena;
	w.program = program;
	w.world = world;
	w.loops = has_loops(program);
	w.divides = has_division(program);
	w.undefined_position = (struct oclmm_position){0};
	w.undefined_statement = NULL;
	for (unsigned t = 0; result == 0 && t < program->thread_count; t++)
		result = unfold_thread(&w, t, error, &ret_paths[t]);
	return result;
}
