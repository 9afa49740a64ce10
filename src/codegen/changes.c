// SPDX-License-Identifier: Apache-2.0
/*
 * Which objects no execution leaves as they were set up. Who leaves out a role that writes to one,
 * in some work-items, shows by that.
 *
 * The writes to an element are gathered from all threads; then each order of them is gone through,
 * and each choice of those that an execution may leave out. An execution has one of these orders,
 * the element's modification order (A:3.3.4), so where none ends with the initial value, no
 * execution does.
 */
#include "internal.h"

/* The orders of more would be many. With nine none of the suite's elements would be added. */
enum { MOST_WRITES = 6 };

struct write {
	enum oclmm_operation op;
	int64_t operand;
	bool certain; /* in each execution */
};

struct change {
	const struct oclmm_program *program;
	uint32_t location, element;
	struct write writes[MOST_WRITES];
	unsigned count;
	bool unknown; /* something writes a value to the element that is not known here */

	/* of the statement at hand */
	const struct oclmm_expression *whole; /* what it evaluates, not a part of it */
	const struct oclmm_place *stored;     /* what a plain one writes to */
	bool certain, repeated;
};

static bool is_constant(const struct oclmm_expression *e)
{
	return e && e->kind == OCLMM_EXPRESSION_CONSTANT && !oclmm_type_is_floating(e->type);
}

/* ---- gathering ---- */

static bool may_be(const struct change *change, const struct oclmm_place *place)
{
	if (place->location != change->location)
		return false;
	if (place->index && !is_constant(place->index))
		return true;
	return (place->index ? place->index->constant : 0) == change->element;
}

static void add_write(struct change *change, enum oclmm_operation op,
                      const struct oclmm_place *place, const struct oclmm_expression *operand,
                      bool whole)
{
	const struct oclmm_location *l = &change->program->locations[change->location];
	bool flag = op == OCLMM_OP_FLAG_TEST_AND_SET || op == OCLMM_OP_FLAG_CLEAR;
	bool stores = flag || op == OCLMM_OP_STORE || op == OCLMM_OP_EXCHANGE ||
	              op == OCLMM_OP_INIT;

	/* of a store that is repeated only the last one counts, of an update all do */
	if (change->count == MOST_WRITES || !(flag || is_constant(operand)) ||
	    (change->repeated && !stores)) {
		change->unknown = true;
		return;
	}
	change->writes[change->count++] = (struct write){
		.op = op,
		.operand = flag ? 0 : oclmm_value_wrap(l->type, operand->constant),
		.certain = whole && change->certain && !oclmm_operation_is_cas(op) &&
	                   (!place->index || is_constant(place->index)),
	};
}

static int add_atomic(void *data, const struct oclmm_expression *e)
{
	struct change *change = data;

	if (e->kind == OCLMM_EXPRESSION_ATOMIC && oclmm_operation_writes(e->atomic->op) &&
	    may_be(change, &e->atomic->object))
		add_write(change, e->atomic->op, &e->atomic->object, e->atomic->operand,
		          e == change->whole);
	return 0;
}

/* A plain write that is no store: where a compare-exchange leaves what it read. */
static int add_use(void *data, const struct oclmm_use *use)
{
	struct change *change = data;

	change->unknown |= use->writes && !use->atomic && use->place != change->stored &&
	                   may_be(change, use->place);
	return 0;
}

static void gather_statement(struct change *change, const struct oclmm_statement *s)
{
	static const struct oclmm_visitor visitor = {.expression = add_atomic, .use = add_use};

	change->whole = s->kind == OCLMM_STATEMENT_ASSIGN     ? s->assign.value
	                : s->kind == OCLMM_STATEMENT_EVALUATE ? s->effect
	                                                      : NULL;
	change->stored = s->kind == OCLMM_STATEMENT_STORE ? &s->store.place : NULL;
	oclmm_visit_statement(&visitor, s, change);
	if (change->stored && may_be(change, change->stored))
		add_write(change, OCLMM_OP_STORE, change->stored, s->store.value, true);
	/* more than the element that it begins with */
	change->unknown |= s->kind == OCLMM_STATEMENT_COPY &&
	                   s->copy.to.location == change->location;
}

static void gather(struct change *change, const struct oclmm_statement *s, bool certain,
                   bool repeated)
{
	for (; s; s = s->next) {
		bool loop = s->kind == OCLMM_STATEMENT_WHILE;

		/* a loop that is cut ends the thread */
		certain &= !loop;
		change->certain = certain;
		change->repeated = repeated || loop;
		gather_statement(change, s);
		if (s->kind == OCLMM_STATEMENT_IF) {
			gather(change, s->branch.then_body, false, repeated);
			gather(change, s->branch.else_body, false, repeated);
		}
		if (loop)
			gather(change, s->loop.body, false, true);
	}
}

/* ---- judging ---- */

/* Whether some order of the writes that are not in `done` ends with the initial value. */
static bool may_end_as_it_began(const struct change *change, unsigned done, int64_t value)
{
	const struct oclmm_location *l = &change->program->locations[change->location];
	bool over = true;

	for (unsigned i = 0; i < change->count; i++)
		over &= done >> i & 1 || !change->writes[i].certain;
	if (over && value == l->initial[change->element])
		return true;
	for (unsigned i = 0; i < change->count; i++) {
		const struct write *w = &change->writes[i];

		if (!(done >> i & 1) &&
		    may_end_as_it_began(change, done | 1u << i,
		                        oclmm_apply_rmw(w->op, l->type, value, w->operand)))
			return true;
	}
	return false;
}

bool oclmm_is_changed(const struct oclmm_program *program, uint32_t location, uint32_t element)
{
	const struct oclmm_location *l = &program->locations[location];
	struct change change = {.program = program, .location = location, .element = element};

	if (oclmm_type_is_floating(l->type) || !l->initial)
		return false;
	/* a device may refuse to enqueue a child */
	for (uint32_t i = 0; i < program->thread_count; i++)
		gather(&change, program->threads[i].body, !program->threads[i].placement.child,
		       false);
	return change.count && !change.unknown &&
	       !may_end_as_it_began(&change, 0, l->initial[element]);
}
