// SPDX-License-Identifier: Apache-2.0
/*
 * What the branches of a path make plain: in `if (r0 == 1) { y = r0; }` any
 * compiler writes `y = 1`, and then the store waits for no read. The
 * alternative of K6 takes such a value for the constant that it is.
 */
#include <errno.h>

#include "walk.h"

static void note(struct walk *w, const struct symbol *s, int64_t value)
{
	/* a conversion that loses no bits has one origin */
	while (s->kind == SYMBOL_CONVERT && s->type != OCLMM_TYPE_BOOL &&
	       oclmm_type_bits(s->type) >= oclmm_type_bits(s->left->type)) {
		s = s->left;
		value = oclmm_value_wrap(s->type, value);
	}
	if (s->reads && w->fact_count == MAX_CONSTRAINTS)
		oclmm_walk_fail(w, -E2BIG, w->thread->position,
		                "thread branches too often for the oracle");
	else if (s->reads)
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
	case OCLMM_OPERATOR_NOT: oclmm_walk_learn(w, s->left, !truth); break;
	case OCLMM_OPERATOR_EQ:
	case OCLMM_OPERATOR_NE:
		if (truth == (s->op == OCLMM_OPERATOR_EQ))
			learn_equal(w, s->left, s->right);
		break;
	case OCLMM_OPERATOR_LOGICAL_AND:
	case OCLMM_OPERATOR_LOGICAL_OR:
		if (truth == (s->op == OCLMM_OPERATOR_LOGICAL_AND)) {
			oclmm_walk_learn(w, s->left, truth);
			oclmm_walk_learn(w, s->right, truth);
		}
		break;
	default: break;
	}
}

void oclmm_walk_learn(struct walk *w, const struct symbol *condition, bool truth)
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
			return oclmm_walk_constant(w, s->type, w->fact[i].value);
	return NULL;
}

const struct symbol *oclmm_walk_pinned(struct walk *w, const struct symbol *s)
{
	const struct symbol *constant, *left, *right;
	struct symbol *copy;

	if (!s->reads || !w->fact_count)
		return s;
	constant = known(w, s);
	if (constant || s->kind == SYMBOL_CONSTANT || s->kind == SYMBOL_READ)
		return constant ? constant : s;
	left = s->left ? oclmm_walk_pinned(w, s->left) : NULL;
	right = s->right ? oclmm_walk_pinned(w, s->right) : NULL;
	if (left == s->left && right == s->right)
		return s;
	copy = oclmm_walk_symbol(w, s->kind, s->type, left, right);
	copy->operand_type = s->operand_type;
	copy->op = s->op;
	copy->rmw = s->rmw;
	copy->position = s->position;
	return copy->reads ? copy
	                   : oclmm_walk_constant(w, s->type, oclmm_symbol_value(copy, NULL, NULL));
}
