// SPDX-License-Identifier: Apache-2.0
/* Plain accesses, and those by functions of OpenCL 1.x, become atomic ones of an order. */
#include "edit.h"

struct conversion {
	struct copy *copy;
	uint32_t location;
	enum oclmm_scope scope;
	bool possible;
};

static struct oclmm_atomic *new_atomic(struct conversion *v, enum oclmm_operation op,
                                       const struct oclmm_place *object)
{
	return OCLMM_MAKE(v->copy->arena, struct oclmm_atomic, .op = op,
	                  .spelling = op == OCLMM_OP_LOAD ? "atomic_load_explicit"
	                                                  : "atomic_store_explicit",
	                  .object = *object, .order = OCLMM_ORDER_RELAXED, .scope = v->scope,
	                  .order_written = true, .scope_written = true);
}

static void convert_legacy(struct conversion *v, struct oclmm_atomic *a)
{
	if (a->comparand.kind == OCLMM_COMPARAND_VALUE) {
		v->possible = false;
		return;
	}
	a->legacy = false;
	a->order_written = a->scope_written = false;
	copy_make_explicit(v->copy, a);
	a->scope = v->scope;
}

static void convert_expression(struct conversion *v, struct oclmm_expression *e)
{
	struct oclmm_atomic *a;

	if (e->kind == OCLMM_EXPRESSION_LOAD && e->load.location == v->location) {
		a = new_atomic(v, OCLMM_OP_LOAD, &e->load);
		e->kind = OCLMM_EXPRESSION_ATOMIC;
		e->atomic = a;
	} else if (e->kind == OCLMM_EXPRESSION_ATOMIC) {
		a = e->atomic;
		if (a->comparand.kind == OCLMM_COMPARAND_MEMORY &&
		    a->comparand.place.location == v->location)
			v->possible = false;
		if (a->legacy && a->object.location == v->location)
			convert_legacy(v, a);
	}
}

static void convert_inside(struct conversion *v, const struct oclmm_parts *parts)
{
	for (unsigned i = 0; i < parts->expression_count; i++) {
		struct oclmm_parts inner;

		oclmm_expression_parts(*parts->expressions[i], &inner);
		convert_inside(v, &inner);
		convert_expression(v, *parts->expressions[i]);
	}
}

static void convert_store(struct conversion *v, struct oclmm_statement *s)
{
	struct oclmm_expression *call =
		OCLMM_MAKE(v->copy->arena, struct oclmm_expression, .kind = OCLMM_EXPRESSION_ATOMIC,
	                   .type = v->copy->program->locations[v->location].type,
	                   .position = s->store.place.position,
	                   .atomic = new_atomic(v, OCLMM_OP_STORE, &s->store.place));

	call->atomic->operand = s->store.value;
	s->kind = OCLMM_STATEMENT_EVALUATE;
	s->effect = call;
}

static void convert_block(struct conversion *v, struct oclmm_statement *s)
{
	for (; s; s = s->next) {
		struct oclmm_parts parts;

		oclmm_statement_parts(s, &parts);
		convert_inside(v, &parts);
		if (s->kind == OCLMM_STATEMENT_STORE && s->store.place.location == v->location)
			convert_store(v, s);
		for (unsigned i = 0; i < parts.body_count; i++)
			convert_block(v, *parts.bodies[i]);
	}
}

bool copy_make_atomic(struct copy *c, const struct edit *e)
{
	struct conversion v = {
		.copy = c, .location = e->value, .scope = e->scope, .possible = true};
	struct oclmm_program *p = c->program;

	p->locations[v.location].atomic = true;
	for (uint32_t t = 0; t < p->thread_count; t++) {
		for (uint32_t i = 0; i < p->threads[t].parameter_count; i++)
			if (p->threads[t].parameters[i].location == v.location)
				p->threads[t].parameters[i].atomic = true;
		convert_block(&v, p->threads[t].body);
	}
	return v.possible;
}
