// SPDX-License-Identifier: Apache-2.0
/*
 * Evaluates a model on one execution, statement by statement.
 */
#include <errno.h>
#include <string.h>

#include "tree.h"

struct evaluation {
	unsigned events;
	uint64_t all; /**< the set of all events */
	struct oclmm_cat_verdict *verdict;
};

/* ---- expressions ----------------------------------------------------- */

static const uint64_t *value_of(const struct evaluation *e, struct cat_node *node);

static unsigned first_of(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}

static void close_transitively(const struct evaluation *e, uint64_t *r)
{
	for (unsigned k = 0; k < e->events; k++)
		for (unsigned i = 0; i < e->events; i++)
			if (r[i] & 1ull << k)
				r[i] |= r[k];
}

static void compose(const struct evaluation *e, const uint64_t *a, const uint64_t *b, uint64_t *r)
{
	for (unsigned i = 0; i < e->events; i++) {
		uint64_t row = 0;

		for (uint64_t rest = a[i]; rest != 0; rest &= rest - 1)
			row |= b[first_of(rest)];
		r[i] = row;
	}
}

static void invert(const struct evaluation *e, const uint64_t *a, uint64_t *r)
{
	memset(r, 0, e->events * sizeof(*r));
	for (unsigned i = 0; i < e->events; i++)
		for (uint64_t rest = a[i]; rest != 0; rest &= rest - 1)
			r[first_of(rest)] |= 1ull << i;
}

static void combine(const struct evaluation *e, struct cat_node *node, const uint64_t *a,
                    const uint64_t *b)
{
	unsigned words = node->type == OCLMM_CAT_SET ? 1 : e->events;

	for (unsigned i = 0; i < words; i++)
		node->value[i] = node->operation == CAT_UNION        ? a[i] | b[i]
		                 : node->operation == CAT_DIFFERENCE ? a[i] & ~b[i]
		                                                     : a[i] & b[i];
}

static void apply_binary(const struct evaluation *e, struct cat_node *node)
{
	const uint64_t *a = value_of(e, node->left), *b = value_of(e, node->right);

	if (node->operation == CAT_SEQUENCE)
		compose(e, a, b, node->value);
	else if (node->operation == CAT_PRODUCT)
		for (unsigned i = 0; i < e->events; i++)
			node->value[i] = *a & 1ull << i ? *b : 0;
	else
		combine(e, node, a, b);
}

/** Closures: with or without the identity. */
static void close_relation(const struct evaluation *e, struct cat_node *node, const uint64_t *a)
{
	memcpy(node->value, a, e->events * sizeof(*a));
	if (node->operation != CAT_MAYBE)
		close_transitively(e, node->value);
	for (unsigned i = 0; node->operation != CAT_PLUS && i < e->events; i++)
		node->value[i] |= 1ull << i;
}

static void apply_unary(const struct evaluation *e, struct cat_node *node)
{
	const uint64_t *a = value_of(e, node->left);
	uint64_t *r = node->value;
	unsigned words = node->type == OCLMM_CAT_SET ? 1 : e->events;

	switch (node->operation) {
	case CAT_COMPLEMENT:
		for (unsigned i = 0; i < words; i++)
			r[i] = e->all & ~a[i];
		break;
	case CAT_IDENTITY:
		for (unsigned i = 0; i < e->events; i++)
			r[i] = *a & 1ull << i;
		break;
	case CAT_DOMAIN:
		*r = 0;
		for (unsigned i = 0; i < e->events; i++)
			*r |= a[i] != 0 ? 1ull << i : 0;
		break;
	case CAT_RANGE:
		*r = 0;
		for (unsigned i = 0; i < e->events; i++)
			*r |= a[i];
		break;
	case CAT_INVERSE: invert(e, a, r); break;
	default: close_relation(e, node, a); break;
	}
}

static const uint64_t *value_of(const struct evaluation *e, struct cat_node *node)
{
	if (node->operation == CAT_REFERENCE)
		return node->binding->value;
	if (node->right != NULL)
		apply_binary(e, node);
	else
		apply_unary(e, node);
	return node->value;
}

/* ---- statements ------------------------------------------------------ */

/** The least solution: from nothing upwards until nothing is added. */
static void solve(const struct evaluation *e, const struct cat_statement *statement)
{
	size_t size = e->events * sizeof(uint64_t);
	bool grows = true;

	for (unsigned i = 0; i < statement->count; i++) {
		memset(statement->bindings[i]->own, 0, size);
		statement->bindings[i]->value = statement->bindings[i]->own;
	}
	while (grows) {
		grows = false;
		for (unsigned i = 0; i < statement->count; i++) {
			const uint64_t *value = value_of(e, statement->bodies[i]);

			grows |= memcmp(statement->bindings[i]->own, value, size) != 0;
			memmove(statement->bindings[i]->own, value, size);
		}
	}
}

static bool holds(const struct evaluation *e, const struct cat_statement *statement)
{
	struct cat_node *body = statement->bodies[0];
	unsigned words = body->type == OCLMM_CAT_SET ? 1 : e->events;
	const uint64_t *value = value_of(e, body);
	oclmm_cat_relation closed;
	bool good = true;

	if (statement->check == CAT_ACYCLIC) {
		memcpy(closed, value, words * sizeof(*value));
		close_transitively(e, closed);
		value = closed;
	}
	for (unsigned i = 0; i < words; i++)
		good &= (statement->check == CAT_EMPTY ? value[i] : value[i] & 1ull << i) == 0;
	return good != statement->negated;
}

/** The pair is of what was found not to be empty: `flag ~empty r`. */
static void raise_flag(const struct evaluation *e, const struct cat_statement *statement)
{
	struct oclmm_cat_verdict *verdict = e->verdict;
	struct cat_node *body = statement->bodies[0];
	bool has_pair = body->type == OCLMM_CAT_RELATION && statement->check == CAT_EMPTY &&
	                statement->negated;
	const uint64_t *value = has_pair ? value_of(e, body) : NULL;

	verdict->flags |= 1u << statement->flag;
	if (verdict->flag)
		return;
	verdict->flag = statement->name;
	for (unsigned i = 0; has_pair && verdict->from < 0 && i < e->events; i++)
		if (value[i] != 0) {
			verdict->from = (int)i;
			verdict->to = (int)first_of(value[i]);
		}
}

static int evaluate_from(const struct evaluation *e, struct cat_statement *statement);

/* ---- with ------------------------------------------------------------ */

struct orders {
	const struct evaluation *e;
	struct cat_statement *statement;
	const uint64_t *before; /**< what the order must contain */
	oclmm_cat_relation order;
};

/** Puts one of `left` next, if nothing else of `left` must come before it, and goes on. */
static int choose_next(struct orders *orders, uint64_t left)
{
	struct oclmm_cat_verdict *verdict = orders->e->verdict;

	if (left == 0) {
		orders->statement->bindings[0]->value = orders->order;
		return evaluate_from(orders->e, orders->statement->next);
	}
	verdict->consistent = false;
	verdict->broken = "linearisations";
	for (uint64_t rest = left; rest != 0; rest &= rest - 1) {
		unsigned next = first_of(rest);
		bool first = true;
		int result;

		for (uint64_t other = left; other != 0; other &= other - 1)
			first &= (orders->before[first_of(other)] & 1ull << next) == 0;
		if (!first)
			continue;
		orders->order[next] = left & ~(1ull << next);
		result = choose_next(orders, left & ~(1ull << next));
		orders->order[next] = 0;
		if (result != 0 || verdict->consistent)
			return result;
	}
	return 0;
}

static int try_orders(const struct evaluation *e, struct cat_statement *statement)
{
	uint64_t set = *value_of(e, statement->bodies[0]);
	struct orders orders = {.e = e,
	                        .statement = statement,
	                        .before = value_of(e, statement->bodies[1])};

	if (__builtin_popcountll(set) > OCLMM_CAT_MAX_LINEARISED)
		return -E2BIG;
	return choose_next(&orders, set);
}

/** \return 0 or -E2BIG; the verdict tells whether all checks from here on hold. */
static int evaluate_from(const struct evaluation *e, struct cat_statement *statement)
{
	for (; statement != NULL; statement = statement->next)
		switch (statement->kind) {
		case CAT_LET:
			for (unsigned i = 0; i < statement->count; i++)
				statement->bindings[i]->value = value_of(e, statement->bodies[i]);
			break;
		case CAT_LET_REC: solve(e, statement); break;
		case CAT_WITH: return try_orders(e, statement);
		case CAT_FLAG:
			if (holds(e, statement))
				raise_flag(e, statement);
			break;
		case CAT_CHECK:
			if (holds(e, statement))
				break;
			e->verdict->consistent = false;
			e->verdict->broken = statement->name;
			return 0;
		}
	e->verdict->consistent = true;
	e->verdict->broken = NULL;
	return 0;
}

int oclmm_cat_evaluate(struct oclmm_cat_model *model, unsigned events,
                       const uint64_t *const *values, struct oclmm_cat_verdict *ret_verdict)
{
	struct oclmm_cat_verdict verdict = {.from = -1, .to = -1};
	struct evaluation e = {.events = events, .verdict = &verdict};
	int result;

	if (events > OCLMM_CAT_MAX_EVENTS)
		return -E2BIG;
	e.all = events == OCLMM_CAT_MAX_EVENTS ? ~0ull : (1ull << events) - 1;
	model->universe->value = &e.all;
	for (unsigned i = 0; i < model->name_count; i++)
		model->names[i].value = values[i];
	result = evaluate_from(&e, model->statements);
	if (result == 0)
		*ret_verdict = verdict;
	return result;
}
