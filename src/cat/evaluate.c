// SPDX-License-Identifier: Apache-2.0
/*
 * Evaluates a model on one execution, statement by statement.
 */
#include <errno.h>
#include <string.h>

#include "model.h"

struct evaluation {
	unsigned events;
	uint64_t all; /**< the set of all events */
	struct oclmm_cat_verdict *verdict;
	struct oclmm_cat_why *why; /**< or NULL */
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
	if (node->operation == CAT_NOTHING)
		return node->value;
	if (node->operation == CAT_CALL) {
		/* each call has parameters and a body of its own */
		for (unsigned i = 0; i < node->parameter_count; i++)
			node->parameters[i]->value = value_of(e, node->parameters[i]->body);
		return value_of(e, node->left);
	}
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

/** Events from which nothing that is left follows are left out, until all are or the rest goes
 * round. That takes less than a closure, and most edges follow the numbers of events. */
static bool is_acyclic(const struct evaluation *e, const uint64_t *r)
{
	uint64_t left = e->all, before;

	do {
		before = left;
		for (unsigned i = e->events; i-- > 0;)
			if ((r[i] & left) == 0)
				left &= ~(1ull << i);
	} while (left != 0 && left != before);
	return left == 0;
}

static bool holds(const struct evaluation *e, const struct cat_statement *statement)
{
	struct cat_node *body = statement->bodies[0];
	unsigned words = body->type == OCLMM_CAT_SET ? 1 : e->events;
	const uint64_t *value = value_of(e, body);
	bool good = true;

	if (statement->check == CAT_ACYCLIC)
		return is_acyclic(e, value) != statement->negated;
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

/* ---- why a check does not hold ------------------------------------------ */

struct way {
	const struct evaluation *e;
	struct oclmm_cat_step steps[OCLMM_CAT_MAX_EVENTS];
	unsigned count;
	bool too_long;
};

/** How much a part of an intersection tells: `hb & loc` is told by hb, `po & A * A` by po. */
static unsigned telling(const struct cat_node *node)
{
	unsigned left = 0, right = 0;

	switch (node->operation) {
	case CAT_REFERENCE: return node->binding->body ? telling(node->binding->body) : 1;
	case CAT_PRODUCT:
	case CAT_COMPLEMENT:
	case CAT_IDENTITY:
	case CAT_DOMAIN:
	case CAT_RANGE:
	case CAT_NOTHING: return 0;
	case CAT_INVERSE:
	case CAT_DIFFERENCE: return telling(node->left);
	default: break;
	}
	left = telling(node->left);
	right = node->right ? telling(node->right) : 0;
	left = left > right ? left : right;
	return left + (node->operation != CAT_INTERSECTION && left > 0);
}

static void add_step(struct way *way, unsigned from, unsigned to, const char *name, bool inverse)
{
	if (way->count == OCLMM_CAT_MAX_EVENTS) {
		way->too_long = true;
		return;
	}
	way->steps[way->count++] = (struct oclmm_cat_step){from, to, name, inverse};
}

static const uint64_t *known_value(const struct cat_node *node)
{
	while (node->operation == CAT_CALL)
		node = node->left;
	return node->operation == CAT_REFERENCE ? node->binding->value : node->value;
}

/** The shortest way through a relation, as its events behind the first. \return how many */
static unsigned shortest(const struct evaluation *e, const uint64_t *r, unsigned from, unsigned to,
                         unsigned ret_events[OCLMM_CAT_MAX_EVENTS])
{
	unsigned before[OCLMM_CAT_MAX_EVENTS] = {0}, length = 1;
	uint64_t reached = 0, front = 1ull << from;

	for (; front != 0 && length <= e->events; length++) {
		uint64_t fresh = 0;

		for (uint64_t rest = front; rest != 0; rest &= rest - 1) {
			unsigned at = first_of(rest);

			for (uint64_t next = r[at] & ~reached & ~fresh; next != 0; next &= next - 1)
				before[first_of(next)] = at;
			fresh |= r[at] & ~reached;
		}
		if (fresh & 1ull << to)
			break;
		reached |= fresh;
		front = fresh;
	}
	if (front == 0 || length > e->events)
		return 0;
	for (unsigned i = length, at = to; i-- > 0; at = before[at])
		ret_events[i] = at;
	return length;
}

/** \param name of the `let` that the relation stands in */
static void find_way(struct way *way, const struct cat_node *node, unsigned from, unsigned to,
                     const char *name);

static void find_closed_way(struct way *way, const struct cat_node *node, unsigned from,
                            unsigned to, const char *name)
{
	unsigned events[OCLMM_CAT_MAX_EVENTS], count;

	if (from == to && node->operation != CAT_PLUS)
		return;
	if (node->operation == CAT_MAYBE) {
		find_way(way, node->left, from, to, name);
		return;
	}
	count = shortest(way->e, known_value(node->left), from, to, events);
	if (count == 0)
		add_step(way, from, to, name, false);
	for (unsigned i = 0; i < count && !way->too_long; from = events[i++])
		find_way(way, node->left, from, events[i], name);
}

static void find_way(struct way *way, const struct cat_node *node, unsigned from, unsigned to,
                     const char *name)
{
	uint64_t bit = 1ull << to;

	switch (node->operation) {
	case CAT_REFERENCE:
		if (node->binding->body && node->type == OCLMM_CAT_RELATION)
			find_way(way, node->binding->body, from, to,
			         node->binding->parameter ? name : node->binding->name);
		else
			add_step(way, from, to, node->binding->name, false);
		return;
	case CAT_UNION:
		find_way(way, known_value(node->left)[from] & bit ? node->left : node->right, from,
		         to, name);
		return;
	case CAT_SEQUENCE:
		for (uint64_t rest = known_value(node->left)[from]; rest != 0; rest &= rest - 1) {
			unsigned middle = first_of(rest);

			if (!(known_value(node->right)[middle] & bit))
				continue;
			find_way(way, node->left, from, middle, name);
			find_way(way, node->right, middle, to, name);
			return;
		}
		break;
	case CAT_DIFFERENCE: find_way(way, node->left, from, to, name); return;
	case CAT_INTERSECTION:
		find_way(way,
		         telling(node->left) >= telling(node->right) ? node->left : node->right,
		         from, to, name);
		return;
	case CAT_PLUS:
	case CAT_STAR:
	case CAT_MAYBE: find_closed_way(way, node, from, to, name); return;
	case CAT_CALL: find_way(way, node->left, from, to, node->binding->name); return;
	case CAT_IDENTITY: return;
	case CAT_INVERSE:
		if (node->left->operation == CAT_REFERENCE)
			name = node->left->binding->name;
		add_step(way, from, to, name, true);
		return;
	default: break;
	}
	add_step(way, from, to, name, false);
}

static void keep_shorter(struct oclmm_cat_why *why, const struct way *way)
{
	if (way->too_long || way->count == 0 || (why->count != 0 && why->count <= way->count))
		return;
	why->count = way->count;
	memcpy(why->steps, way->steps, way->count * sizeof(*way->steps));
}

static void tell_why(const struct evaluation *e, const struct cat_statement *statement)
{
	const struct cat_node *body = statement->bodies[0];
	const uint64_t *value = known_value(body);
	struct oclmm_cat_why *why = e->why;
	unsigned events[OCLMM_CAT_MAX_EVENTS];

	*why = (struct oclmm_cat_why){.name = statement->name,
	                              .check = statement->text,
	                              .line = statement->line,
	                              .number = statement->number,
	                              .ordered = statement->ordered};
	if (statement->negated || body->type == OCLMM_CAT_SET)
		return;
	for (unsigned i = 0; i < e->events; i++) {
		struct way way = {.e = e};
		unsigned count, at = i;

		if (statement->check == CAT_ACYCLIC) {
			count = shortest(e, value, i, i, events);
			for (unsigned k = 0; k < count && !way.too_long; at = events[k++])
				find_way(&way, body, at, events[k], statement->name);
		} else if (statement->check == CAT_IRREFLEXIVE && value[i] & 1ull << i) {
			find_way(&way, body, i, i, statement->name);
		} else if (statement->check == CAT_EMPTY && value[i] != 0) {
			find_way(&way, body, i, first_of(value[i]), statement->name);
		}
		keep_shorter(why, &way);
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
				if (statement->bodies[i])
					statement->bindings[i]->value =
						value_of(e, statement->bodies[i]);
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
			if (e->why)
				tell_why(e, statement);
			return 0;
		}
	e->verdict->consistent = true;
	e->verdict->broken = NULL;
	return 0;
}

int oclmm_cat_evaluate(struct oclmm_cat_model *model, unsigned events,
                       const uint64_t *const *values, struct oclmm_cat_verdict *ret_verdict,
                       struct oclmm_cat_why *why)
{
	struct oclmm_cat_verdict verdict = {.from = -1, .to = -1};
	struct evaluation e = {.events = events, .verdict = &verdict, .why = why};
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
