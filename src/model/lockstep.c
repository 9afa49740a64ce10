// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels whose work-items share a text, run step by step: work-item after work-item up to the next
 * barrier, group after group. Where no two accesses conflict without a barrier between them, each
 * order of the work-items gives the same values, and these are the only outcome; so it is answered
 * for more work-items and statements than can be searched. A race, a barrier that not all reach and
 * the like are found on the way. What depends on an order, as the values do that atomic functions
 * give, is left to the search; but first the order at hand is followed to its end, because an
 * execution that is undefined makes the program so, and may have more work-items than a search
 * takes.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_FRAMES = 128,
	MOST_STEPS = 1 << 26,
	STEPS_OF_ONE_ORDER = 1 << 20,
	TURNS_OF_A_LOOP = 1 << 20,
};

/* Accesses of a cell that no barrier of the group has separated from those to come. */
struct trace {
	bool any;
	bool earlier;   /* one of an earlier work-group is among them: nothing separates it */
	bool many;      /* several work-items of the group */
	bool copied;    /* a copy of the group is among them */
	bool spread;    /* both sides of a release that nobody has acquired since */
	bool waited;    /* it is such a copy alone, and the group has waited for it */
	uint32_t event; /* of the copy */
	uint32_t group, item, epoch;
	const struct oclmm_statement *statement; /* the last one */
	struct oclmm_position position;
	uint32_t thread;
};

/* A compare-exchange that fails writes nothing, and is a load. */
enum access_kind { PLAIN_READ, PLAIN_WRITE, ATOMIC_LOAD, ATOMIC_WRITE, ACCESS_KINDS };

struct cell {
	int64_t value;
	bool is_set;
	struct trace trace[ACCESS_KINDS];
	enum oclmm_operation op; /* of the atomic ones that write, if all are alike and commute */
	bool mixed;              /* they do not */
};

/* A block at work. */
struct frame {
	const struct oclmm_statement *next;   /* in it */
	const struct oclmm_statement *inside; /* the branch or loop; NULL: the body of the kernel */
	uint32_t turn; /* of the loop; of a branch 0 for the first body, 1 for the other */
	const struct oclmm_statement *met; /* the last barrier of the group in it; NULL: none */
	uint32_t met_turn;
};

/* How often somebody turned in a loop in which the group met. */
struct turns {
	const struct oclmm_statement *loop; /* NULL: nobody has left it */
	const struct oclmm_statement *met;
	uint32_t thread, count, people;
};

struct item {
	uint32_t thread;
	struct frame frames[MOST_FRAMES];
	uint32_t depth;
	int64_t *registers;
	const struct oclmm_statement *met; /* the barrier that it waits at, or NULL: it has ended */
	int64_t passed, given;             /* to a collective function, and by it */
};

enum ended { GOES_ON, UNDEFINED, DEPENDS, BEYOND, UNKNOWN };

struct lockstep {
	const struct oclmm_program *program;
	struct cell *cells;
	struct item *items; /* of the group */
	uint32_t item_count, group;
	/* of global and of local memory: how often the group released, and what it has acquired of
	 * that since. Work between the halves of a split barrier follows a release that nobody
	 * knows of */
	uint32_t epoch[2], acquired[2];
	const struct oclmm_statement *arrived; /* at a split barrier to wait at; or NULL */
	bool orders;                           /* atomic functions or fences that order have run */
	bool one_order;                        /* another order may give other values */
	enum ended ended;
	struct oclmm_witness witness;
	struct turns left[MOST_FRAMES]; /* since the group met last, by depth */
	bool turns_differ;              /* which OpenCL C 2.0 leaves undefined */
	struct oclmm_witness differing;
	const struct oclmm_statement *statement; /* at work */
	const struct item *item;
	uint64_t steps, steps_most;
	struct watch *watch; /* NULL: none */
	bool played;         /* whatever races, in this order */
	enum oclmm_play order;
	const struct oclmm_copy *copy; /* that is made; NULL: work-items are at work */
};

/* In place of a work-item: a copy that the group makes. */
static const uint32_t COPIER = UINT32_MAX;

/* ---- what ends it ---- */

static void note_place(const struct lockstep *k, struct oclmm_access *ret,
                       struct oclmm_position position)
{
	ret->thread = k->item->thread;
	ret->statement = k->statement;
	ret->position = position;
}

static void end_undefined(struct lockstep *k, enum oclmm_undefined reason,
                          struct oclmm_position position, const char *why)
{
	if (k->ended)
		return;
	k->ended = UNDEFINED;
	k->witness = (struct oclmm_witness){.reason = reason};
	note_place(k, &k->witness.a, position);
	if (why)
		snprintf(k->witness.why, sizeof(k->witness.why), "%s", why);
}

static void depend(struct lockstep *k)
{
	if (!k->ended && !k->played)
		k->ended = DEPENDS;
}

/* Values may be others in another order; those of this one are right for it. */
static void depend_on_order(struct lockstep *k)
{
	k->one_order |= !k->played;
}

static const char *kind_letter(enum access_kind kind)
{
	return kind == PLAIN_READ ? "R" : kind == PLAIN_WRITE ? "W" : "atomic";
}

static void name_cell(const struct lockstep *k, uint32_t location, uint32_t element, char *text,
                      size_t size)
{
	const struct oclmm_location *l = &k->program->locations[location];

	if (l->is_array)
		snprintf(text, size, "%.60s[%u]", l->name, element);
	else
		snprintf(text, size, "%.60s", l->name);
}

static void end_race(struct lockstep *k, uint32_t location, uint32_t element, enum access_kind kind,
                     struct oclmm_position position, const struct trace *other,
                     enum access_kind other_kind)
{
	struct oclmm_witness *w = &k->witness;
	char name[80];

	/* orders that were not followed may forbid it */
	if (k->orders)
		depend(k);
	if (k->ended)
		return;
	end_undefined(k, OCLMM_UNDEFINED_RACE, other->position, NULL);
	name_cell(k, location, element, name, sizeof(name));
	w->a.thread = other->thread;
	w->a.statement = other->statement;
	snprintf(w->a.text, sizeof(w->a.text), "%s %s", kind_letter(other_kind), name);
	note_place(k, &w->b, position);
	snprintf(w->b.text, sizeof(w->b.text), "%s %s", kind_letter(kind), name);
	w->has_b = true;
	snprintf(w->why, sizeof(w->why),
	         "they conflict on %s in different work-items, %s, and no barrier for %s memory "
	         "stands between them",
	         name,
	         kind >= ATOMIC_LOAD || other_kind >= ATOMIC_LOAD ? "one of them is a plain access"
	                                                          : "both are plain accesses",
	         oclmm_space_spelling(k->program->locations[location].space));
}

/* ---- accesses ---- */

static uint32_t epoch_of(const struct lockstep *k, uint32_t location)
{
	return k->epoch[k->program->locations[location].space == OCLMM_SPACE_LOCAL];
}

/* What was done before this number comes before what is done now. */
static uint32_t acquired_of(const struct lockstep *k, uint32_t location)
{
	return k->acquired[k->program->locations[location].space == OCLMM_SPACE_LOCAL];
}

static uint32_t its_number(const struct lockstep *k)
{
	return k->copy ? COPIER : k->item->thread;
}

static bool is_unordered(const struct lockstep *k, const struct trace *t, uint32_t location)
{
	if (!t->any)
		return false;
	if (t->earlier || t->group != k->group)
		return true;
	return t->epoch >= acquired_of(k, location) && !t->waited &&
	       (t->many || t->item != its_number(k));
}

static void note_trace(const struct lockstep *k, struct trace *t, uint32_t location,
                       struct oclmm_position position)
{
	uint32_t epoch = epoch_of(k, location);
	bool same = t->any && t->group == k->group && t->epoch >= acquired_of(k, location) &&
	            !t->waited;

	t->earlier |= t->any && t->group != k->group;
	t->many = same && (t->many || t->item != its_number(k));
	t->copied = (same && t->copied) || k->copy;
	t->spread = same && (t->spread || t->epoch != epoch);
	t->waited = false;
	t->event = k->copy ? k->copy->event : 0;
	t->any = true;
	t->group = k->group;
	t->epoch = epoch;
	t->item = its_number(k);
	t->thread = k->item->thread;
	t->statement = k->statement;
	t->position = position;
}

/* Looks whether an access conflicts with one that nothing orders before it, and keeps it. */
static void note_access(struct lockstep *k, uint32_t location, uint32_t element, struct cell *cell,
                        enum access_kind kind, struct oclmm_position position)
{
	for (int other = 0; other < ACCESS_KINDS && !k->played; other++) {
		bool writes = kind == PLAIN_WRITE || kind == ATOMIC_WRITE || other == PLAIN_WRITE ||
		              other == ATOMIC_WRITE,
		     atomic = kind >= ATOMIC_LOAD && other >= ATOMIC_LOAD;

		if (!writes || atomic || !is_unordered(k, &cell->trace[other], location))
			continue;
		/* which part of a copy which work-item makes, nobody knows; nor, of accesses before
		 * and behind an arrival, whose are not ordered yet */
		if (k->copy || cell->trace[other].copied || cell->trace[other].spread)
			depend(k);
		else
			end_race(k, location, element, kind, position, &cell->trace[other],
			         (enum access_kind)other);
		return;
	}
	note_trace(k, &cell->trace[kind], location, position);
}

static void note_atomic(struct lockstep *k, const struct oclmm_atomic *a, uint32_t element,
                        struct cell *cell, bool writes, bool used, struct oclmm_position position)
{
	uint32_t location = a->object.location;
	const struct trace *t = &cell->trace[ATOMIC_WRITE];
	bool others = is_unordered(k, t, location),
	     loads = is_unordered(k, &cell->trace[ATOMIC_LOAD], location),
	     apart = oclmm_operation_fetches(a->op) && !used;

	if (!writes) {
		if (others)
			depend_on_order(k);
		note_access(k, location, element, cell, ATOMIC_LOAD, position);
		return;
	}
	if (loads || (others && (cell->mixed || !apart || cell->op != a->op)))
		depend_on_order(k);
	if (!t->any || !(t->group == k->group && t->epoch >= acquired_of(k, location))) {
		cell->mixed = !apart;
		cell->op = a->op;
	} else {
		cell->mixed |= !apart || cell->op != a->op;
	}
	note_access(k, location, element, cell, ATOMIC_WRITE, position);
}

/* ---- values ---- */

static int64_t evaluate(struct lockstep *k, const struct oclmm_expression *e, bool used);

/* NULL where the index is outside. */
static struct cell *find_cell(struct lockstep *k, const struct oclmm_place *place,
                              uint32_t *ret_element)
{
	const struct oclmm_location *l = &k->program->locations[place->location];
	int64_t element = place->index ? evaluate(k, place->index, true) : 0;

	if (k->ended)
		return NULL;
	if (element < 0 || element >= l->elements) {
		char why[96];

		snprintf(why, sizeof(why), "%.40s has %u elements, and this is number %lld",
		         l->name, l->elements, (long long)element);
		end_undefined(k, OCLMM_UNDEFINED_INDEX, place->position, why);
		return NULL;
	}
	*ret_element = (uint32_t)element;
	return &k->cells[l->first_cell + (uint32_t)element];
}

static bool has_value(struct lockstep *k, const struct oclmm_place *place, uint32_t element,
                      const struct cell *cell)
{
	char why[192], name[80];

	if (cell->is_set)
		return true;
	name_cell(k, place->location, element, name, sizeof(name));
	snprintf(why, sizeof(why), "nobody has given %s a value, and local memory begins with none",
	         name);
	end_undefined(k, OCLMM_UNDEFINED_UNSET, place->position, why);
	return false;
}

static int64_t load(struct lockstep *k, const struct oclmm_place *place)
{
	uint32_t element;
	struct cell *cell = find_cell(k, place, &element);

	if (!cell || !has_value(k, place, element, cell))
		return 0;
	note_access(k, place->location, element, cell, PLAIN_READ, place->position);
	return cell->value;
}

static void store(struct lockstep *k, const struct oclmm_place *place, int64_t value)
{
	uint32_t element;
	struct cell *cell = find_cell(k, place, &element);

	if (!cell)
		return;
	note_access(k, place->location, element, cell, PLAIN_WRITE, place->position);
	cell->value = oclmm_value_wrap(k->program->locations[place->location].type, value);
	cell->is_set = true;
}

/* One of OpenCL 1.x stores what it found where it fails (C:6.15.12.8). */
static int64_t compare_exchange(struct lockstep *k, const struct oclmm_expression *e,
                                uint32_t element, struct cell *cell, int64_t desired, bool used)
{
	const struct oclmm_atomic *a = e->atomic;
	const struct oclmm_thread *t = &k->program->threads[k->item->thread];
	enum oclmm_type type = k->program->locations[a->object.location].type;
	bool by_register = a->comparand.kind == OCLMM_COMPARAND_REGISTER, equal;
	int64_t old = cell->value, expected = 0;

	if (by_register)
		expected = k->item->registers[a->comparand.reg];
	else if (a->comparand.kind == OCLMM_COMPARAND_VALUE)
		expected = evaluate(k, a->comparand.value, true);
	else
		depend(k);
	equal = old == oclmm_value_wrap(type, expected);
	note_atomic(k, a, element, cell, equal || a->legacy, used, e->position);
	if (equal)
		cell->value = desired;
	else if (by_register)
		k->item->registers[a->comparand.reg] =
			oclmm_value_wrap(t->registers[a->comparand.reg].type, old);
	return by_register ? equal : old;
}

static int64_t run_atomic(struct lockstep *k, const struct oclmm_expression *e, bool used)
{
	const struct oclmm_atomic *a = e->atomic;
	enum oclmm_type type = k->program->locations[a->object.location].type;
	int64_t operand = a->op == OCLMM_OP_FLAG_TEST_AND_SET, old;
	uint32_t element;
	struct cell *cell;

	if (a->operand)
		operand = oclmm_value_wrap(type, evaluate(k, a->operand, true));
	cell = find_cell(k, &a->object, &element);
	if (!cell || (oclmm_operation_reads(a->op) && !has_value(k, &a->object, element, cell)))
		return 0;
	k->orders |= a->order != OCLMM_ORDER_RELAXED && !a->legacy && a->op != OCLMM_OP_INIT;
	if (a->op == OCLMM_OP_INIT)
		note_access(k, a->object.location, element, cell, PLAIN_WRITE, e->position);
	else if (a->op != OCLMM_OP_CAS_STRONG)
		note_atomic(k, a, element, cell, a->op != OCLMM_OP_LOAD, used, e->position);
	old = cell->value;
	cell->is_set = true;
	switch (a->op) {
	case OCLMM_OP_LOAD: return old;
	case OCLMM_OP_STORE:
	case OCLMM_OP_FLAG_CLEAR:
	case OCLMM_OP_INIT: cell->value = operand; return 0;
	/* it may fail for no reason */
	case OCLMM_OP_CAS_WEAK: depend(k); return 0;
	case OCLMM_OP_CAS_STRONG: return compare_exchange(k, e, element, cell, operand, used);
	case OCLMM_OP_FLAG_TEST_AND_SET: cell->value = 1; return old;
	default: cell->value = oclmm_apply_rmw(a->op, type, old, operand); return old;
	}
}

static int64_t binary(struct lockstep *k, const struct oclmm_expression *e)
{
	const struct oclmm_binary *b = &e->binary;
	enum oclmm_type type = oclmm_operand_type(b->op, b->left->type, b->right->type);
	int64_t left = evaluate(k, b->left, true), right, value = 0;

	if (b->op == OCLMM_OPERATOR_LOGICAL_AND && !left)
		return 0;
	if (b->op == OCLMM_OPERATOR_LOGICAL_OR && left)
		return 1;
	right = evaluate(k, b->right, true);
	if (b->op == OCLMM_OPERATOR_LOGICAL_AND || b->op == OCLMM_OPERATOR_LOGICAL_OR)
		return right != 0;
	switch (oclmm_apply(b->op, type, oclmm_value_wrap(type, left),
	                    oclmm_value_wrap(type, right), &value)) {
	case OCLMM_ARITHMETIC_OK: break;
	case OCLMM_ARITHMETIC_OVERFLOW:
		end_undefined(k, OCLMM_UNDEFINED_OVERFLOW, e->position, NULL);
		break;
	/* any value at all */
	case OCLMM_ARITHMETIC_DIVISION: depend(k); break;
	}
	return value;
}

static int64_t evaluate(struct lockstep *k, const struct oclmm_expression *e, bool used)
{
	int64_t value = 0;

	if (k->ended)
		return 0;
	switch (e->kind) {
	case OCLMM_EXPRESSION_CONSTANT: return e->constant;
	case OCLMM_EXPRESSION_REGISTER: return k->item->registers[e->reg];
	case OCLMM_EXPRESSION_LOAD: return load(k, &e->load);
	case OCLMM_EXPRESSION_ATOMIC: return run_atomic(k, e, used);
	case OCLMM_EXPRESSION_CAST: return oclmm_value_wrap(e->type, evaluate(k, e->cast, true));
	case OCLMM_EXPRESSION_BINARY: return binary(k, e);
	case OCLMM_EXPRESSION_UNARY:
		value = evaluate(k, e->unary.operand, true);
		if (oclmm_apply(e->unary.op, e->unary.operand->type,
		                oclmm_value_wrap(e->unary.operand->type, value), 0, &value))
			end_undefined(k, OCLMM_UNDEFINED_OVERFLOW, e->position, NULL);
		return value;
	}
	return value;
}

/* ---- statements ---- */

/* What work-items meet at. */
static const char *word_of(const struct oclmm_statement *met)
{
	switch (met->kind) {
	case OCLMM_STATEMENT_COPY: return "copy";
	case OCLMM_STATEMENT_WAIT: return "wait";
	default: return met->barrier.collective ? "collective function" : "barrier";
	}
}

static struct frame *enter(struct lockstep *k, struct item *item,
                           const struct oclmm_statement *body, const struct oclmm_statement *inside,
                           uint32_t turn)
{
	if (item->depth == MOST_FRAMES) {
		k->ended = BEYOND;
		return NULL;
	}
	item->frames[item->depth] = (struct frame){body, inside, turn, NULL, 0};
	return &item->frames[item->depth++];
}

/*
 * Up to OpenCL C 2.0 a barrier in a loop is executed by all "for each iteration of the loop before
 * any are allowed to continue execution beyond the barrier" (2.0, 6.13.8). A turn that some make
 * and others do not is one in which not all do. From 3.0 on they have to "if any work-item executes
 * the barrier on that iteration" (C:6.15.8).
 */
static void note_turns(struct lockstep *k, const struct turns *one, const char *other)
{
	const struct oclmm_position *at = &one->loop->position;
	struct oclmm_witness *w = &k->differing;

	if (k->turns_differ)
		return;
	k->turns_differ = true;
	*w = (struct oclmm_witness){.reason = OCLMM_UNDEFINED_DIVERGENCE};
	w->a.thread = one->thread;
	w->a.statement = one->met;
	w->a.position = one->met->position;
	snprintf(w->a.text, sizeof(w->a.text), "%s", word_of(one->met));
	snprintf(w->why, sizeof(w->why),
	         "P%u makes %u turns of the loop in line %u, column %u, and %s: OpenCL C 2.0 has "
	         "all execute its barrier \"for each iteration of the loop\"",
	         k->program->threads[one->thread].id, one->count, at->line, at->column, other);
}

/* Of a loop at this depth, in which the group has met. */
static void leave_loop(struct lockstep *k, uint32_t depth, const struct turns *turns)
{
	struct turns *first = &k->left[depth];
	char other[64];

	if (!first->loop)
		*first = *turns;
	else if (first->count != turns->count) {
		snprintf(other, sizeof(other), "P%u makes %u",
		         k->program->threads[turns->thread].id, turns->count);
		note_turns(k, first, other);
	}
	first->people++;
}

/* Who left a `do` in its first turn never came to the rest of it. */
static void forget_turns(struct lockstep *k)
{
	for (uint32_t d = 0; d < MOST_FRAMES; d++) {
		const struct turns *t = &k->left[d];

		if (t->loop && t->people < k->item_count)
			note_turns(k, t, "not all of the group do");
	}
	memset(k->left, 0, sizeof(k->left));
}

static int is_written_as(void *data, const struct oclmm_statement *s)
{
	const struct oclmm_statement *met = data;

	return s->kind == OCLMM_STATEMENT_BARRIER && s->written == met->written;
}

/* A barrier that the group met in the turn of a `do` that stands in front of its rest. */
static const struct oclmm_statement *met_before(const struct item *item,
                                                const struct oclmm_statement *loop)
{
	static const struct oclmm_visitor visitor = {.statement = is_written_as};

	uint32_t d = item->depth - 1;
	const struct frame *f = &item->frames[d];

	if (!loop->loop.of_do)
		return NULL;
	/* it may have a branch around it, for those who did not leave the first turn */
	while (d > 0 && !f->met && f->inside && f->inside->kind == OCLMM_STATEMENT_IF)
		f = &item->frames[--d];
	if (!f->met || f->met_turn != f->turn)
		return NULL;
	return oclmm_visit_body(&visitor, loop->loop.body, (void *)f->met) ? f->met : NULL;
}

static void begin_loop(struct lockstep *k, struct item *item, const struct oclmm_statement *loop)
{
	const struct oclmm_statement *met = met_before(item, loop);
	const struct turns once = {loop, met, item->thread, 1, 0};
	struct frame *frame;

	if (!evaluate(k, loop->loop.condition, true)) {
		if (met)
			leave_loop(k, item->depth, &once);
		return;
	}
	frame = enter(k, item, loop->loop.body, loop, 0);
	if (frame)
		frame->met = met;
}

/* Of a loop whose body has ended: the next turn, or out of it. */
static void turn(struct lockstep *k, struct item *item, struct frame *frame)
{
	k->statement = frame->inside;
	if (!evaluate(k, frame->inside->loop.condition, true)) {
		const struct turns turns = {frame->inside, frame->met, item->thread,
		                            frame->turn + 1 + frame->inside->loop.of_do, 0};

		item->depth--;
		if (frame->met)
			leave_loop(k, item->depth, &turns);
	} else if (++frame->turn > TURNS_OF_A_LOOP) {
		k->ended = BEYOND;
	} else {
		frame->next = frame->inside->loop.body;
	}
}

static void set_register(struct lockstep *k, struct item *item, uint32_t reg, int64_t value)
{
	const struct oclmm_thread *t = &k->program->threads[item->thread];

	item->registers[reg] = oclmm_value_wrap(t->registers[reg].type, value);
}

static void run_statement(struct lockstep *k, struct item *item, const struct oclmm_statement *s)
{
	int64_t value;

	switch (s->kind) {
	case OCLMM_STATEMENT_ASSIGN:
		value = s->assign.collective ? item->given : evaluate(k, s->assign.value, true);
		set_register(k, item, s->assign.reg, value);
		break;
	case OCLMM_STATEMENT_STORE:
		value = evaluate(k, s->store.value, true);
		if (!k->ended)
			store(k, &s->store.place, value);
		break;
	case OCLMM_STATEMENT_EVALUATE: evaluate(k, s->effect, false); break;
	case OCLMM_STATEMENT_FENCE: k->orders |= s->fence.order != OCLMM_ORDER_RELAXED; break;
	case OCLMM_STATEMENT_CLOCK: break;
	case OCLMM_STATEMENT_IF:
		value = evaluate(k, s->branch.condition, true);
		enter(k, item, value ? s->branch.then_body : s->branch.else_body, s, !value);
		break;
	case OCLMM_STATEMENT_WHILE: begin_loop(k, item, s); break;
	case OCLMM_STATEMENT_BARRIER:
		if (s->barrier.value)
			item->passed = oclmm_value_wrap(OCLMM_TYPE_INT,
			                                evaluate(k, s->barrier.value, true));
		item->met = s;
		break;
	case OCLMM_STATEMENT_COPY:
	case OCLMM_STATEMENT_WAIT: item->met = s; break;
	default: depend(k); break;
	}
}

static void run_next(struct lockstep *k, struct item *item)
{
	struct frame *frame = &item->frames[item->depth - 1];
	const struct oclmm_statement *s = frame->next;

	if ((++k->steps & 0xffff) == 0 &&
	    (k->steps > (k->one_order ? STEPS_OF_ONE_ORDER : k->steps_most) ||
	     (k->watch && oclmm_watch_ended(k->watch))))
		k->ended = BEYOND;
	if (!s && frame->inside && frame->inside->kind == OCLMM_STATEMENT_WHILE) {
		turn(k, item, frame);
	} else if (!s) {
		item->depth--;
	} else {
		frame->next = s->next;
		k->statement = s;
		run_statement(k, item, s);
	}
}

static bool goes_on(const struct lockstep *k, const struct item *item)
{
	return item->depth && !item->met && !k->ended;
}

/* From where it is to the next barrier, or to the end. */
static void run_item(struct lockstep *k, struct item *item)
{
	k->item = item;
	while (goes_on(k, item))
		run_next(k, item);
}

static void run_lanes(struct lockstep *k)
{
	for (bool any = true; any;) {
		any = false;
		for (uint32_t i = 0; i < k->item_count; i++) {
			k->item = &k->items[i];
			if (goes_on(k, &k->items[i])) {
				run_next(k, &k->items[i]);
				any = true;
			}
		}
	}
}

static void run_items(struct lockstep *k)
{
	for (uint32_t i = 0; i < k->item_count; i++)
		k->items[i].met = NULL;
	if (k->order == OCLMM_PLAY_LANES)
		run_lanes(k);
	for (uint32_t i = 0; i < k->item_count && !k->ended; i++)
		run_item(k,
		         &k->items[k->order == OCLMM_PLAY_BACKWARDS ? k->item_count - 1 - i : i]);
}

/* ---- barriers ---- */

/* The first branch or loop around the barrier in which the other one is not, or in another body or
 * turn; NULL: none. */
static const struct frame *find_parting(const struct item *at, const struct item *other)
{
	for (uint32_t i = 0; i < at->depth; i++) {
		const struct frame *a = &at->frames[i], *b = &other->frames[i];

		if (!a->inside)
			continue;
		if (i >= other->depth || !b->inside || a->inside->written != b->inside->written ||
		    a->turn != b->turn)
			return a;
	}
	return NULL;
}

static void end_divergence(struct lockstep *k, const struct item *at, const struct item *other)
{
	const struct frame *parting = find_parting(at, other);
	struct oclmm_witness *w = &k->witness;
	const struct oclmm_thread *threads = k->program->threads;
	uint32_t a = threads[at->thread].id, b = threads[other->thread].id;
	const char *word = word_of(at->met);

	k->item = at;
	k->statement = at->met;
	end_undefined(k, OCLMM_UNDEFINED_DIVERGENCE, at->met->position, NULL);
	snprintf(w->a.text, sizeof(w->a.text), "%s", word);
	if (!parting && other->met)
		snprintf(w->why, sizeof(w->why), "P%u is at this %s, and P%u at %s in line %u", a,
		         word, b, other->met->kind == at->met->kind ? "that" : word_of(other->met),
		         other->met->position.line);
	else if (!parting)
		snprintf(w->why, sizeof(w->why), "P%u is at this %s, and P%u has ended", a, word,
		         b);
	else if (parting->inside->kind == OCLMM_STATEMENT_IF)
		snprintf(w->why, sizeof(w->why),
		         "P%u and P%u part at the condition in line %u, column %u: only P%u "
		         "comes to this %s",
		         a, b, parting->inside->position.line, parting->inside->position.column, a,
		         word);
	else
		snprintf(w->why, sizeof(w->why),
		         "P%u and P%u part at the loop in line %u, column %u: P%u comes to this "
		         "%s in its turn %u, and P%u does not",
		         a, b, parting->inside->position.line, parting->inside->position.column, a,
		         word, parting->turn + 1, b);
	if (other->met) {
		w->has_b = true;
		w->b.thread = other->thread;
		w->b.position = other->met->position;
		w->b.statement = other->met;
		snprintf(w->b.text, sizeof(w->b.text), "%s", word_of(other->met));
	}
}

static bool is_of_sub_group(const struct oclmm_statement *met)
{
	return met->kind == OCLMM_STATEMENT_BARRIER && met->barrier.sub_group;
}

/* Whether all are at one barrier; true as well where all have ended. */
static bool meet(struct lockstep *k)
{
	for (uint32_t i = 1; i < k->item_count; i++) {
		const struct item *a = &k->items[0], *b = &k->items[i];
		bool same = !a->met == !b->met;

		if (same && a->met)
			same = a->met->written == b->met->written && !find_parting(a, b) &&
			       !find_parting(b, a);
		if (same)
			continue;
		/* nobody says which of them are a sub-group, and have to meet */
		if ((a->met && is_of_sub_group(a->met)) || (b->met && is_of_sub_group(b->met))) {
			k->ended = UNKNOWN;
			return false;
		}
		/* told of who waits in the deeper place */
		if (a->met && (!b->met || a->depth >= b->depth))
			end_divergence(k, a, b);
		else
			end_divergence(k, b, a);
		return false;
	}
	return true;
}

/* ---- copies ---- */

static struct oclmm_place element_of(const struct lockstep *k, const struct oclmm_copy *copy,
                                     const struct oclmm_place *end, uint32_t n,
                                     struct oclmm_expression *index)
{
	struct oclmm_place place = *end;

	*index = (struct oclmm_expression){
		.kind = OCLMM_EXPRESSION_CONSTANT,
		.type = OCLMM_TYPE_UINT,
		.constant = oclmm_copy_element(k->program, copy, end, n),
	};
	place.index = index;
	return place;
}

/* All work-items have come to it, and its accesses are those of nobody among them. */
static void make_copy(struct lockstep *k, const struct oclmm_statement *s)
{
	const struct oclmm_copy *copy = &s->copy;

	k->item = &k->items[0];
	k->statement = s;
	k->copy = copy;
	/* what races with it, or beside it, is told by what waits order */
	k->orders = true;
	for (uint32_t n = 0; n < copy->count && !k->ended; n++) {
		struct oclmm_expression from_index, to_index;
		struct oclmm_place from = element_of(k, copy, &copy->from, n, &from_index);
		struct oclmm_place to = element_of(k, copy, &copy->to, n, &to_index);
		int64_t value = load(k, &from);

		if (!k->ended)
			store(k, &to, value);
	}
	k->copy = NULL;
}

/* The group has waited: what the copies of this event did comes before all that follows. */
static void end_copies(struct lockstep *k, uint32_t event)
{
	for (uint32_t i = 0; i < k->program->cell_count; i++)
		for (int kind = 0; kind < ACCESS_KINDS; kind++) {
			struct trace *t = &k->cells[i].trace[kind];

			if (t->any && t->item == COPIER && !t->many && t->group == k->group &&
			    t->event == event)
				t->waited = true;
		}
}

static int64_t first_of(const struct oclmm_place *place)
{
	return place->index ? place->index->constant : 0;
}

static bool same_copy(const struct oclmm_copy *a, const struct oclmm_copy *b)
{
	return a->to.location == b->to.location && a->from.location == b->from.location &&
	       first_of(&a->to) == first_of(&b->to) && first_of(&a->from) == first_of(&b->from) &&
	       a->count == b->count && a->stride == b->stride;
}

/* Whether all give a copy the same arguments (C:6.15.11). */
static bool copy_alike(struct lockstep *k)
{
	const struct oclmm_thread *threads = k->program->threads;
	const struct item *a = &k->items[0];

	for (uint32_t i = 1; i < k->item_count; i++) {
		const struct item *b = &k->items[i];
		char why[128];

		if (same_copy(&a->met->copy, &b->met->copy))
			continue;
		k->item = b;
		k->statement = b->met;
		snprintf(why, sizeof(why), "P%u and P%u give this copy other arguments",
		         threads[a->thread].id, threads[b->thread].id);
		end_undefined(k, OCLMM_UNDEFINED_DIVERGENCE, b->met->position, why);
		snprintf(k->witness.a.text, sizeof(k->witness.a.text), "copy");
		return false;
	}
	return true;
}

/* ---- collective functions ---- */

/* Whether all ask for the value of one work-item. */
static bool broadcast_alike(struct lockstep *k)
{
	const struct oclmm_thread *threads = k->program->threads;
	const struct item *a = &k->items[0];

	for (uint32_t i = 1; a->met->barrier.from && i < k->item_count; i++) {
		const struct item *b = &k->items[i];
		char why[128];

		if (a->met->barrier.from->constant == b->met->barrier.from->constant)
			continue;
		k->item = b;
		k->statement = b->met;
		snprintf(why, sizeof(why), "P%u and P%u give this broadcast other numbers",
		         threads[a->thread].id, threads[b->thread].id);
		end_undefined(k, OCLMM_UNDEFINED_DIVERGENCE, b->met->position, why);
		snprintf(k->witness.a.text, sizeof(k->witness.a.text), "%s", word_of(b->met));
		return false;
	}
	return true;
}

/* In the order of their linear numbers (C:6.15.16). Each orders no memory. */
static void collect(struct lockstep *k, const struct oclmm_barrier *barrier)
{
	enum oclmm_collective collective = barrier->collective;
	int64_t all = oclmm_collective_neutral(collective);

	if (barrier->from)
		all = k->items[barrier->from->constant].passed;
	for (uint32_t i = 0; i < k->item_count; i++) {
		struct item *item = &k->items[i];

		if (oclmm_collective_excludes(collective))
			item->given = all;
		if (!barrier->from)
			all = oclmm_apply_collective(collective, all, item->passed);
		if (oclmm_collective_scans(collective) && !oclmm_collective_excludes(collective))
			item->given = all;
	}
	for (uint32_t i = 0; i < k->item_count && !oclmm_collective_scans(collective); i++)
		k->items[i].given = all;
}

/* All are in the same turns of the same loops. */
static void note_barrier(struct lockstep *k, const struct oclmm_statement *met)
{
	for (uint32_t i = 0; i < k->item_count; i++)
		for (uint32_t d = 0; d < k->items[i].depth; d++) {
			struct frame *f = &k->items[i].frames[d];

			f->met = met;
			f->met_turn = f->turn;
		}
	forget_turns(k);
}

/* Arrivals and waits take turns, with no other barrier between (cl_intel_split_work_group_barrier).
 */
static bool take_turns(struct lockstep *k, const struct oclmm_statement *met)
{
	if ((k->arrived != NULL) != (met->barrier.part == OCLMM_BARRIER_WAIT)) {
		k->item = &k->items[0];
		k->statement = met;
		end_undefined(k, OCLMM_UNDEFINED_SPLIT_BARRIER, met->position, NULL);
		return false;
	}
	if (met->barrier.part == OCLMM_BARRIER_ARRIVE)
		k->arrived = met;
	return true;
}

static void release(struct lockstep *k, const struct oclmm_barrier *barrier)
{
	k->epoch[0] += (barrier->flags & OCLMM_FLAG_GLOBAL) != 0;
	k->epoch[1] += (barrier->flags & OCLMM_FLAG_LOCAL) != 0;
}

/* What the group released at the barrier, at this one or where it arrived, for the memory that both
 * calls name and for all of the group. */
static void acquire(struct lockstep *k, const struct oclmm_barrier *barrier)
{
	const struct oclmm_barrier *entry = k->arrived ? &k->arrived->barrier : barrier;
	bool narrow = k->arrived && (entry->scope < OCLMM_SCOPE_WORK_GROUP ||
	                             barrier->scope < OCLMM_SCOPE_WORK_GROUP);
	unsigned flags = narrow ? 0 : entry->flags & barrier->flags;

	if (flags & OCLMM_FLAG_GLOBAL)
		k->acquired[0] = k->epoch[0];
	if (flags & OCLMM_FLAG_LOCAL)
		k->acquired[1] = k->epoch[1];
	k->arrived = NULL;
}

static void run_group(struct lockstep *k)
{
	k->arrived = NULL;
	for (;;) {
		const struct oclmm_statement *met;

		run_items(k);
		if (k->ended || !meet(k))
			return;
		met = k->items[0].met;
		if (!met)
			return;
		if (met->kind == OCLMM_STATEMENT_COPY) {
			if (copy_alike(k))
				make_copy(k, met);
			continue;
		}
		if (met->kind == OCLMM_STATEMENT_WAIT) {
			end_copies(k, met->wait.event);
			continue;
		}
		if (met->barrier.collective) {
			if (broadcast_alike(k))
				collect(k, &met->barrier);
			continue;
		}
		note_barrier(k, met);
		/* one of sub-groups orders nothing that can be told here */
		if (met->barrier.sub_group)
			continue;
		if (!take_turns(k, met))
			return;
		if (met->barrier.part != OCLMM_BARRIER_WAIT)
			release(k, &met->barrier);
		if (met->barrier.part != OCLMM_BARRIER_ARRIVE)
			acquire(k, &met->barrier);
	}
}

/* ---- the kernel ---- */

static void begin_items(struct lockstep *k, uint32_t first)
{
	for (uint32_t i = 0; i < k->item_count; i++) {
		struct item *item = &k->items[i];
		const struct oclmm_thread *t = &k->program->threads[first + i];

		item->thread = first + i;
		item->depth = 0;
		for (uint32_t r = 0; r < t->register_count; r++)
			item->registers[r] = t->registers[r].initial;
		enter(k, item, t->body, NULL, 0);
	}
}

static void begin_cells(struct lockstep *k)
{
	const struct oclmm_program *p = k->program;

	for (uint32_t i = 0; i < p->location_count; i++) {
		const struct oclmm_location *l = &p->locations[i];

		for (uint32_t e = 0; e < l->elements; e++) {
			k->cells[l->first_cell + e].value = l->initial[e];
			k->cells[l->first_cell + e].is_set = l->space != OCLMM_SPACE_LOCAL ||
			                                     l->is_given;
		}
	}
}

static void run_all(struct lockstep *k)
{
	const struct oclmm_shared_text *text = k->program->shared;
	enum { REGISTERS = 64 };
	int64_t *registers;

	k->item_count = text->items[0] * text->items[1] * text->items[2];
	k->items = oclmm_calloc(k->item_count, sizeof(*k->items));
	registers = oclmm_calloc((size_t)k->item_count * REGISTERS, sizeof(*registers));
	for (uint32_t i = 0; i < k->item_count; i++)
		k->items[i].registers = registers + (size_t)i * REGISTERS;
	for (uint32_t first = 0; first < k->program->thread_count && !k->ended;
	     first += k->item_count, k->group++) {
		begin_items(k, first);
		run_group(k);
		forget_turns(k);
	}
	free(registers);
	free(k->items);
}

/* ---- the answer ---- */

static void fill_space(const struct lockstep *k, struct oclmm_answer *answer, int64_t *values)
{
	const struct oclmm_program *p = k->program;
	struct oclmm_outcome_space *space = &answer->space;

	space->observable_count = p->observable_count;
	space->domains = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_outcome_domain,
	                                 p->observable_count + 1);
	for (uint32_t i = 0; i < p->observable_count; i++) {
		const struct oclmm_observable *o = &p->observables[i];

		values[i] =
			o->is_register
				? 0
				: k->cells[p->locations[o->location].first_cell + o->element].value;
		space->domains[i].values = OCLMM_NEW_ARRAY(answer->arena, int64_t, 1);
		space->domains[i].values[0] = values[i];
		space->domains[i].count = 1;
	}
	oclmm_outcome_space_number(space);
}

/* Consensus is undefined where one of the versions is. */
static bool is_undefined_by(const struct lockstep *k, enum oclmm_model model)
{
	return k->ended == UNDEFINED || (k->turns_differ && (model == OCLMM_MODEL_OPENCL_2_0 ||
	                                                     model == OCLMM_MODEL_CONSENSUS));
}

/* One reading for each version: no knob is about barriers alone. */
static void fill_readings(const struct lockstep *k, struct oclmm_answer *answer)
{
	struct oclmm_reading *readings = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_reading,
	                                                 OCLMM_MODEL_COUNT);
	bool *by = OCLMM_NEW_ARRAY(answer->arena, bool, OCLMM_MODEL_COUNT);

	for (enum oclmm_model m = 0; m < OCLMM_MODEL_CONSENSUS; m++) {
		if (!(answer->models & 1u << m))
			continue;
		by[answer->reading_count] = is_undefined_by(k, m);
		readings[answer->reading_count++] = (struct oclmm_reading){.regime = m};
	}
	answer->readings = readings;
	answer->undefined_by = by;
}

static struct oclmm_answer *make_answer(const struct lockstep *k, unsigned models)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_answer *answer = OCLMM_NEW(arena, struct oclmm_answer);
	int64_t *values = OCLMM_NEW_ARRAY(arena, int64_t, k->program->observable_count + 1);
	bool *allowed;
	struct oclmm_state *state = OCLMM_NEW(arena, struct oclmm_state);

	answer->arena = arena;
	answer->program = k->program;
	answer->models = models;
	answer->in_step = true;
	answer->candidates = answer->consistent = 1;
	fill_space(k, answer, values);
	fill_readings(k, answer);
	allowed = OCLMM_NEW_ARRAY(arena, bool, answer->reading_count + 1);
	for (uint32_t i = 0; i < answer->reading_count; i++)
		allowed[i] = !answer->undefined_by[i];
	for (enum oclmm_model m = 0; m < OCLMM_MODEL_COUNT; m++) {
		if (!(models & 1u << m))
			continue;
		answer->undefined[m] = is_undefined_by(k, m);
		answer->witness[m] = k->ended == UNDEFINED ? k->witness : k->differing;
		answer->witness[m].regime = m < OCLMM_MODEL_CONSENSUS ? m : 0;
		state->status[m] = answer->undefined[m] ? OCLMM_STATUS_UNDEFINED
		                                        : OCLMM_STATUS_ALLOWED;
	}
	state->values = values;
	state->allowed_by = allowed;
	state->condition = oclmm_condition_holds(k->program, k->program->condition, values);
	answer->states = state;
	answer->state_count = k->ended != UNDEFINED &&
	                      (!k->program->filter ||
	                       oclmm_condition_holds(k->program, k->program->filter, values));
	return answer;
}

static int find_collective(void *data, const struct oclmm_statement *s)
{
	(void)data;
	return s->kind == OCLMM_STATEMENT_BARRIER && s->barrier.value;
}

/* The search knows their results where these are constants alone. */
static bool has_collectives(const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.statement = find_collective};

	return program->thread_count && oclmm_visit_body(&visitor, program->threads[0].body, NULL);
}

int oclmm_lockstep(const struct oclmm_program *program, unsigned models, struct watch *watch,
                   struct oclmm_answer **ret_answer)
{
	struct lockstep k = {.program = program, .watch = watch, .steps_most = MOST_STEPS};
	int r;

	k.cells = oclmm_calloc((size_t)program->cell_count + 1, sizeof(*k.cells));
	begin_cells(&k);
	run_all(&k);
	if (k.one_order && k.ended != UNDEFINED && !watch->result)
		k.ended = DEPENDS;
	*ret_answer = k.ended == UNDEFINED || k.ended == GOES_ON ? make_answer(&k, models) : NULL;
	if (k.one_order && k.ended == UNDEFINED)
		k.ended = DEPENDS;
	switch (k.ended) {
	case DEPENDS: r = has_collectives(program) ? -ENOTSUP : 0; break;
	case UNKNOWN: r = -ENOSYS; break;
	case BEYOND: r = watch->result ? watch->result : -E2BIG; break;
	default: r = 1; break;
	}
	free(k.cells);
	return r;
}

int oclmm_play_in_step(const struct oclmm_program *program, enum oclmm_play order,
                       int64_t *ret_values)
{
	/* a loop that a change made endless is given up soon */
	enum { STEPS = 1 << 21 };
	struct lockstep k = {
		.program = program,
		.steps_most = STEPS,
		.played = true,
		.order = order,
	};

	k.cells = oclmm_calloc((size_t)program->cell_count + 1, sizeof(*k.cells));
	begin_cells(&k);
	run_all(&k);
	for (uint32_t i = 0; i < program->observable_count && !k.ended; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		ret_values[i] =
			o->is_register
				? 0
				: k.cells[program->locations[o->location].first_cell + o->element]
					  .value;
	}
	free(k.cells);
	return k.ended == GOES_ON ? 0 : k.ended == BEYOND ? -E2BIG : -EINVAL;
}
