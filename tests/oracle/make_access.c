// SPDX-License-Identifier: Apache-2.0
/*
 * From the accesses of a shape to statements.
 */
#include <string.h>

#include "maker.h"

struct made_statement *append(struct made_thread *thread, enum made_kind kind)
{
	struct made_statement *statement;

	if (thread->count == MADE_MAX_STATEMENTS)
		return NULL;
	statement = &thread->statements[thread->count++];
	memset(statement, 0, sizeof(*statement));
	statement->kind = kind;
	statement->source = -1;
	statement->guard = -1;
	return statement;
}

static enum oclmm_order strongest(bool reads, bool writes)
{
	if (reads && writes)
		return OCLMM_ORDER_ACQ_REL;
	return reads ? OCLMM_ORDER_ACQUIRE : OCLMM_ORDER_RELEASE;
}

enum oclmm_order draw_order(struct maker *maker, bool reads, bool writes)
{
	static const enum oclmm_order orders[] = {OCLMM_ORDER_RELAXED, OCLMM_ORDER_ACQUIRE,
	                                          OCLMM_ORDER_RELEASE, OCLMM_ORDER_ACQ_REL,
	                                          OCLMM_ORDER_SEQ_CST};
	enum maker_style style = maker->style;

	if (chance(maker, 12))
		return orders[draw(maker, OCLMM_COUNT(orders))];
	if (style == STYLE_MIXED)
		style = (enum maker_style)draw(maker, STYLE_MIXED);
	switch (style) {
	case STYLE_RELEASE_ACQUIRE: return strongest(reads, writes);
	case STYLE_SEQ_CST: return OCLMM_ORDER_SEQ_CST;
	default: return OCLMM_ORDER_RELAXED;
	}
}

enum oclmm_scope draw_scope(struct maker *maker)
{
	static const enum oclmm_scope scopes[] = {
		OCLMM_SCOPE_SUB_GROUP, OCLMM_SCOPE_WORK_GROUP, OCLMM_SCOPE_WORK_GROUP,
		OCLMM_SCOPE_DEVICE,    OCLMM_SCOPE_DEVICE,     OCLMM_SCOPE_ALL_SVM_DEVICES};

	if (chance(maker, maker->narrow ? 60 : 92))
		return maker->scope;
	return scopes[draw(maker, OCLMM_COUNT(scopes))];
}

unsigned draw_flags(struct maker *maker)
{
	unsigned flags = 0;

	for (unsigned i = 0; i < maker->made->object_count; i++)
		flags |= maker->made->objects[i].local ? OCLMM_FLAG_LOCAL : OCLMM_FLAG_GLOBAL;
	return chance(maker, 80) ? flags : 1 + draw(maker, 3);
}

int last_result(struct maker *maker, const struct made_thread *thread, unsigned before)
{
	for (int i = (int)before - 1; i >= 0; i--)
		if (made_has_result(maker->made, &thread->statements[i]))
			return i;
	return -1;
}

static int next_value(struct maker *maker, unsigned object)
{
	if (maker->made->objects[object].flag)
		return 0;
	if (chance(maker, 10))
		return (int)draw(maker, 3);
	return ++maker->written[object];
}

static enum oclmm_operation draw_operation(struct maker *maker, char what, bool flag)
{
	static const enum oclmm_operation updates[] = {
		OCLMM_OP_EXCHANGE,  OCLMM_OP_FETCH_ADD,  OCLMM_OP_FETCH_ADD,  OCLMM_OP_FETCH_SUB,
		OCLMM_OP_FETCH_OR,  OCLMM_OP_FETCH_XOR,  OCLMM_OP_FETCH_AND,  OCLMM_OP_FETCH_MIN,
		OCLMM_OP_FETCH_MAX, OCLMM_OP_CAS_STRONG, OCLMM_OP_CAS_STRONG, OCLMM_OP_CAS_WEAK,
		OCLMM_OP_CAS_WEAK};

	_Static_assert(OCLMM_OP_COUNT == 15, "a new operation is drawn, too, or never tried");
	if (flag)
		return what == 'W' ? OCLMM_OP_FLAG_CLEAR : OCLMM_OP_FLAG_TEST_AND_SET;
	if (what == 'R' && !chance(maker, 8))
		return OCLMM_OP_LOAD;
	if (what == 'W' && !chance(maker, 12))
		return chance(maker, 2) ? OCLMM_OP_INIT : OCLMM_OP_STORE;
	return updates[draw(maker, OCLMM_COUNT(updates))];
}

static void make_atomic(struct maker *maker, struct made_statement *s, char what)
{
	s->op = draw_operation(maker, what, maker->made->objects[s->object].flag);
	s->order = draw_order(maker, oclmm_operation_reads(s->op), oclmm_operation_writes(s->op));
	s->failure = chance(maker, 50) ? OCLMM_ORDER_ACQUIRE : draw_order(maker, true, false);
	s->scope = draw_scope(maker);
	s->expected = (int)draw(maker, 2);
	if (what == 'R' && s->op != OCLMM_OP_LOAD)
		s->value = 0;
}

static void make_plain(struct maker *maker, struct made_statement *s, char what)
{
	static const enum oclmm_operation legacy[] = {OCLMM_OP_EXCHANGE,  OCLMM_OP_FETCH_ADD,
	                                              OCLMM_OP_FETCH_ADD, OCLMM_OP_FETCH_SUB,
	                                              OCLMM_OP_FETCH_OR,  OCLMM_OP_CAS_STRONG};

	s->kind = what == 'R' ? MADE_READ : MADE_WRITE;
	if ((what == 'U' || maker->legacy || chance(maker, 5)) &&
	    !maker->made->objects[s->object].array) {
		s->kind = MADE_LEGACY;
		s->op = legacy[draw(maker, OCLMM_COUNT(legacy))];
		if (maker->legacy && what == 'W')
			s->op = OCLMM_OP_EXCHANGE;
		if (maker->legacy && what == 'R' && s->op == OCLMM_OP_EXCHANGE)
			s->op = OCLMM_OP_FETCH_ADD;
		s->expected = (int)draw(maker, 2);
	}
}

void make_access(struct maker *maker, struct made_thread *thread, char what, unsigned object)
{
	const struct made_object *o = &maker->made->objects[object];
	struct made_statement *s = append(thread, MADE_ATOMIC);
	int result;

	if (s == NULL)
		return;
	s->object = object;
	result = last_result(maker, thread, thread->count - 1);
	if (what != 'R')
		s->value = next_value(maker, object);
	if (o->atomic)
		make_atomic(maker, s, what);
	else
		make_plain(maker, s, what);
	if (result < 0)
		return;
	/* plain data is read when the flag is up */
	if (chance(maker, o->atomic || maker->legacy ? 6 : 88)) {
		s->guard = result;
		s->guard_value = chance(maker, 85) ? 1 : (int)draw(maker, 3);
		s->guard_differs = chance(maker, 8);
	}
	if ((what != 'R' || o->array) && chance(maker, 18)) {
		s->source = result;
		s->adds_nothing = chance(maker, 40);
	}
}
