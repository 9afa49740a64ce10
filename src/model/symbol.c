// SPDX-License-Identifier: Apache-2.0
/*
 * Symbolic values: functions of what a thread reads.
 *
 * Some values are unspecified: the quotient and the remainder of a division by zero, and of the
 * least number by -1 (C:6.4, arithmetic operators). Such a value may be any of its type, and so may
 * what is computed from it, but where one operand decides the result. Two that come from one
 * division are not known to be the same, except as the two operands of one operator.
 */
#include "paths.h"

struct meaning {
	int64_t value; /* 0 where it is unspecified */
	bool unspecified;
};

struct evaluation {
	const int64_t *values;
	row unspecified; /* reads of unspecified values, by path index */
	enum oclmm_undefined undefined;
	bool divides;
};

static const struct meaning any = {.unspecified = true};

static struct meaning evaluate(struct evaluation *e, const struct symbol *s);

static struct meaning just(int64_t value)
{
	return (struct meaning){.value = value};
}

static void note(struct evaluation *e, enum oclmm_undefined undefined)
{
	if (!e->undefined)
		e->undefined = undefined;
}

static struct meaning apply(struct evaluation *e, const struct symbol *s, int64_t left,
                            int64_t right)
{
	int64_t value = 0;

	switch (oclmm_apply(s->op, s->operand_type, left, right, &value)) {
	case OCLMM_ARITHMETIC_OK: break;
	case OCLMM_ARITHMETIC_OVERFLOW: note(e, OCLMM_UNDEFINED_OVERFLOW); break;
	case OCLMM_ARITHMETIC_DIVISION: e->divides = true; return any;
	}
	return just(oclmm_value_wrap(s->type, value));
}

static bool is_just(const struct meaning *m, int64_t value)
{
	return !m->unspecified && m->value == value;
}

/* The result where both operands are the same value, whatever it is. */
static struct meaning apply_to_same(const struct symbol *s)
{
	switch (s->op) {
	case OCLMM_OPERATOR_SUB:
	case OCLMM_OPERATOR_XOR:
	case OCLMM_OPERATOR_NE:
	case OCLMM_OPERATOR_LT:
	case OCLMM_OPERATOR_GT: return just(0);
	case OCLMM_OPERATOR_EQ:
	case OCLMM_OPERATOR_LE:
	case OCLMM_OPERATOR_GE: return just(1);
	default: return any;
	}
}

/* Whether the sum, difference or product with some value of the type does not fit it. */
static bool may_overflow(const struct symbol *s, const struct meaning *left,
                         const struct meaning *right)
{
	if (!oclmm_type_is_signed(s->operand_type))
		return false;
	switch (s->op) {
	case OCLMM_OPERATOR_NEGATE: return true;
	case OCLMM_OPERATOR_ADD: return !is_just(left, 0) && !is_just(right, 0);
	case OCLMM_OPERATOR_SUB: return !is_just(right, 0) && s->left != s->right;
	case OCLMM_OPERATOR_MUL:
		return !is_just(left, 0) && !is_just(right, 0) && !is_just(left, 1) &&
		       !is_just(right, 1);
	default: return false;
	}
}

/* The result where at least one operand is unspecified. */
static struct meaning apply_to_any(struct evaluation *e, const struct symbol *s,
                                   const struct meaning *left, const struct meaning *right)
{
	bool zero = is_just(left, 0) || is_just(right, 0);

	if (may_overflow(s, left, right))
		note(e, OCLMM_UNDEFINED_OVERFLOW);
	if (s->left == s->right)
		return apply_to_same(s);
	if (zero && (s->op == OCLMM_OPERATOR_AND || s->op == OCLMM_OPERATOR_MUL))
		return just(0);
	return any;
}

static struct meaning binary(struct evaluation *e, const struct symbol *s)
{
	bool is_and = s->op == OCLMM_OPERATOR_LOGICAL_AND,
	     is_or = s->op == OCLMM_OPERATOR_LOGICAL_OR;
	struct meaning left = evaluate(e, s->left), right;

	/* a right side without effect is still not evaluated where C does not */
	if (is_and && is_just(&left, 0))
		return just(0);
	if (is_or && !left.unspecified && left.value)
		return just(1);
	right = evaluate(e, s->right);
	if (is_and && is_just(&right, 0))
		return just(0);
	if (is_or && !right.unspecified && right.value)
		return just(1);
	if (left.unspecified || right.unspecified)
		return apply_to_any(e, s, &left, &right);
	return apply(e, s, left.value, right.value);
}

static struct meaning update(struct evaluation *e, const struct symbol *s)
{
	struct meaning left = evaluate(e, s->left), right = evaluate(e, s->right);

	if (left.unspecified && s->rmw == OCLMM_OP_FETCH_AND && is_just(&right, 0))
		return just(0);
	if (left.unspecified || right.unspecified)
		return any;
	return just(oclmm_apply_rmw(s->rmw, s->type, left.value, right.value));
}

static struct meaning evaluate(struct evaluation *e, const struct symbol *s)
{
	struct meaning left;

	switch (s->kind) {
	case SYMBOL_CONSTANT: return just(s->constant);
	case SYMBOL_READ:
		if (e->unspecified >> s->read & 1)
			return any;
		return just(e->values[s->read]);
	case SYMBOL_CONVERT:
		left = evaluate(e, s->left);
		return left.unspecified ? any : just(oclmm_value_wrap(s->type, left.value));
	case SYMBOL_UNARY:
		left = evaluate(e, s->left);
		if (!left.unspecified)
			return apply(e, s, left.value, 0);
		if (may_overflow(s, &left, &left))
			note(e, OCLMM_UNDEFINED_OVERFLOW);
		return any;
	case SYMBOL_BINARY: return binary(e, s);
	case SYMBOL_RMW: return update(e, s);
	}
	return just(0);
}

int64_t oclmm_symbol_value(const struct symbol *symbol, const int64_t *values, row unspecified,
                           struct symbol_finding *ret_finding)
{
	struct evaluation e = {.values = values, .unspecified = unspecified};
	struct meaning m = evaluate(&e, symbol);

	if (ret_finding)
		*ret_finding = (struct symbol_finding){e.undefined, m.unspecified, e.divides};
	return m.value;
}
