// SPDX-License-Identifier: Apache-2.0
/* Expressions: values, and what is sequenced before what in them. */
#include "walk.h"

/* That which none of the others is sequenced before: by now they stand in some order. */
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
 * Accesses are plain reads here, so that the order of one and of a call that does not write its
 * object makes a difference to races alone, and none that either order does not make: it is left
 * open, and saves as many paths as such reads have orders.
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
			if (oclmm_walk_choose(w, 2) == 0)
				put_before(w, BIT(a), body);
			else
				put_before(w, body, BIT(a));
		}
}

void oclmm_walk_order_calls(struct walk *w, row left, row right)
{
	row sides[2] = {left & w->calls, right & w->calls};

	while (sides[0] && sides[1]) {
		unsigned side = oclmm_walk_choose(w, 2);
		unsigned next = first_of(w, sides[side]);

		FOR_EACH (i, sides[!side])
			put_before(w, w->body[next], w->body[i]);
		sides[side] &= ~BIT(next);
	}
	order_accesses(w, left, right);
	order_accesses(w, right, left);
}

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
	struct result left = oclmm_walk_evaluate(w, e->binary.left, before);

	if (w->state != GOING)
		return left;
	if (oclmm_walk_branch(w, left.value) != is_and) {
		left.value = oclmm_walk_constant(w, OCLMM_TYPE_INT, !is_and);
		return left;
	}

	struct result right = oclmm_walk_evaluate(w, e->binary.right, left.done);
	struct symbol *s = oclmm_walk_symbol(w, SYMBOL_BINARY, OCLMM_TYPE_INT, right.value,
	                                     oclmm_walk_constant(w, right.value->type, 0));

	s->op = OCLMM_OPERATOR_NE;
	s->operand_type = right.value->type;
	right.value = oclmm_walk_arithmetic(w, s, e->position);
	right.made |= left.made;
	return right;
}

static struct result binary(struct walk *w, const struct oclmm_expression *e, row before)
{
	enum oclmm_operator op = e->binary.op;
	bool logical = op == OCLMM_OPERATOR_LOGICAL_AND || op == OCLMM_OPERATOR_LOGICAL_OR;

	if (logical && accesses_memory(e->binary.right))
		return short_circuit(w, e, before);

	struct result left = oclmm_walk_evaluate(w, e->binary.left, before);
	struct result right = {0};
	uint32_t computed = w->computed_count;

	if (w->state == GOING)
		right = oclmm_walk_evaluate(w, e->binary.right, before);
	if (w->state != GOING)
		return left;
	/* what stands there is computed only where the whole asks for it */
	if (logical)
		w->computed_count = computed;
	oclmm_walk_order_calls(w, left.made, right.made);

	bool shift = op == OCLMM_OPERATOR_SHL || op == OCLMM_OPERATOR_SHR;
	enum oclmm_type type = oclmm_operand_type(op, left.value->type, right.value->type);
	struct symbol *s = oclmm_walk_symbol(w, SYMBOL_BINARY,
	                                     oclmm_operator_is_truth(op) ? OCLMM_TYPE_INT : type,
	                                     oclmm_walk_convert(w, type, left.value),
	                                     shift ? right.value
	                                           : oclmm_walk_convert(w, type, right.value));

	s->op = op;
	s->operand_type = type;
	left.value = oclmm_walk_arithmetic(w, s, e->position);
	left.done |= right.done;
	left.made |= right.made;
	return left;
}

static struct result unary(struct walk *w, const struct oclmm_expression *e, row before)
{
	struct result r = oclmm_walk_evaluate(w, e->unary.operand, before);

	if (w->state != GOING)
		return r;

	enum oclmm_type type = oclmm_common_type(r.value->type, r.value->type);
	struct symbol *s = oclmm_walk_symbol(w, SYMBOL_UNARY,
	                                     oclmm_operator_is_truth(e->unary.op) ? OCLMM_TYPE_INT
	                                                                          : type,
	                                     oclmm_walk_convert(w, type, r.value), NULL);

	s->op = e->unary.op;
	s->operand_type = type;
	r.value = oclmm_walk_arithmetic(w, s, e->position);
	return r;
}

static struct result cast(struct walk *w, const struct oclmm_expression *e, row before)
{
	struct result r = oclmm_walk_evaluate(w, e->cast, before);

	if (w->state == GOING)
		r.value = oclmm_walk_convert(w, e->type, r.value);
	return r;
}

struct result oclmm_walk_evaluate(struct walk *w, const struct oclmm_expression *e, row before)
{
	struct result r = {.value = NULL, .done = before};
	struct target t;

	switch (e->kind) {
	case OCLMM_EXPRESSION_CONSTANT:
		r.value = oclmm_walk_constant(w, e->type, e->constant);
		break;
	case OCLMM_EXPRESSION_REGISTER: r.value = w->registers[e->reg]; break;
	case OCLMM_EXPRESSION_LOAD:
		t = oclmm_walk_target(w, &e->load, &r);
		oclmm_walk_access(w, OCLMM_EVENT_READ, &t, &r);
		r.value = oclmm_walk_read(w, oclmm_walk_object_type(w, &e->load));
		break;
	case OCLMM_EXPRESSION_ATOMIC: r = oclmm_walk_atomic(w, e, before); break;
	case OCLMM_EXPRESSION_UNARY: r = unary(w, e, before); break;
	case OCLMM_EXPRESSION_BINARY: r = binary(w, e, before); break;
	case OCLMM_EXPRESSION_CAST: r = cast(w, e, before); break;
	}
	return r;
}
