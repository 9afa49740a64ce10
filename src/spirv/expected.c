// SPDX-License-Identifier: Apache-2.0
/* What a program asks for, one operation after the other. */
#include "internal.h"

struct walk {
	const struct oclmm_program *program;
	struct expected_list *list;
	bool barriers;
};

static void add(struct walk *walk, const struct expected *expected)
{
	struct expected_list *list = walk->list;

	if ((expected->kind == EXPECTED_BARRIER) != walk->barriers)
		return;
	oclmm_grow(&list->items, &list->capacity, list->count, sizeof(*list->items));
	list->items[list->count++] = *expected;
}

/* atomic_init() is a plain write (C:6.15.12.2). */
static int take_expression(void *data, const struct oclmm_expression *e)
{
	struct walk *walk = data;
	const struct oclmm_atomic *atomic;

	if (e->kind != OCLMM_EXPRESSION_ATOMIC || e->atomic->op == OCLMM_OP_INIT)
		return 0;
	atomic = e->atomic;
	add(walk, &(struct expected){
			  .kind = EXPECTED_ATOMIC,
			  .atomic = e,
			  .order = atomic->order,
			  .failure = oclmm_operation_is_cas(atomic->op) ? atomic->failure
	                                                                : OCLMM_ORDER_NONE,
			  .scope = atomic->scope,
			  .flags = 1u << walk->program->locations[atomic->object.location].space,
		  });
	return 0;
}

static int take_statement(void *data, const struct oclmm_statement *s)
{
	struct walk *walk = data;

	if (s->kind == OCLMM_STATEMENT_FENCE)
		add(walk, &(struct expected){
				  .kind = EXPECTED_FENCE,
				  .statement = s,
				  .order = s->fence.order,
				  .scope = s->fence.scope,
				  .flags = s->fence.flags,
			  });
	/* one of no memory orders none, whatever its order; a collective function is no barrier */
	if (s->kind == OCLMM_STATEMENT_BARRIER && !s->barrier.collective)
		add(walk,
		    &(struct expected){
			    .kind = EXPECTED_BARRIER,
			    .statement = s,
			    .order = s->barrier.flags ? OCLMM_ORDER_ACQ_REL : OCLMM_ORDER_NONE,
			    .scope = s->barrier.scope,
			    .sub_group = s->barrier.sub_group,
			    .flags = s->barrier.flags,
		    });
	return 0;
}

void spirv_expect(const struct oclmm_program *program, uint32_t thread, bool barriers,
                  struct expected_list *ret_list)
{
	static const struct oclmm_visitor visitor = {.expression = take_expression,
	                                             .statement = take_statement};
	struct walk walk = {.program = program, .list = ret_list, .barriers = barriers};

	*ret_list = (struct expected_list){0};
	oclmm_visit_body(&visitor, program->threads[thread].body, &walk);
}
