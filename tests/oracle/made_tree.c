// SPDX-License-Identifier: Apache-2.0
/*
 * Expressions of random tests: calls and plain accesses as operands, arguments
 * and indices of each other, whose order C leaves open.
 */
#include "maker.h"

/* ---- making ---------------------------------------------------------- */

static enum oclmm_operation draw_update(struct maker *maker)
{
	static const enum oclmm_operation operations[] = {OCLMM_OP_LOAD,      OCLMM_OP_LOAD,
	                                                  OCLMM_OP_EXCHANGE,  OCLMM_OP_FETCH_ADD,
	                                                  OCLMM_OP_FETCH_ADD, OCLMM_OP_FETCH_OR};

	return operations[draw(maker, OCLMM_COUNT(operations))];
}

static enum oclmm_operator draw_binary(struct maker *maker)
{
	static const enum oclmm_operator operators[] = {
		OCLMM_OPERATOR_ADD, OCLMM_OPERATOR_ADD,         OCLMM_OPERATOR_SUB,
		OCLMM_OPERATOR_XOR, OCLMM_OPERATOR_LOGICAL_AND, OCLMM_OPERATOR_LOGICAL_OR,
		OCLMM_OPERATOR_EQ,  OCLMM_OPERATOR_LT,
	};

	return operators[draw(maker, OCLMM_COUNT(operators))];
}

static enum made_node_kind draw_kind(struct maker *maker, const struct made_object *object,
                                     unsigned at)
{
	/* the root joins two parts more often than not */
	if (at == 0 && chance(maker, 70))
		return NODE_BINARY;
	if (at > 2 && chance(maker, 78))
		return NODE_CONSTANT;
	if (chance(maker, 15))
		return NODE_BINARY;
	if (!object->atomic)
		return chance(maker, 60) || oclmm_type_bits(object->type) != 32 ? NODE_READ
		                                                                : NODE_LEGACY;
	if (chance(maker, 12))
		return NODE_READ;
	return chance(maker, 25) ? NODE_COMPARE : NODE_ATOMIC;
}

void make_tree(struct maker *maker, struct made_statement *s)
{
	static const enum oclmm_order orders[] = {OCLMM_ORDER_RELAXED, OCLMM_ORDER_ACQUIRE,
	                                          OCLMM_ORDER_RELEASE, OCLMM_ORDER_ACQ_REL,
	                                          OCLMM_ORDER_SEQ_CST};

	s->use = chance(maker, 60) ? USE_RESULT : (enum made_use)draw(maker, USE_COUNT);
	for (unsigned i = 0; i < MADE_MAX_NODES; i++) {
		struct made_node *node = &s->nodes[i];
		bool swapped = chance(maker, 40);

		node->object = swapped ? s->other : s->object;
		node->other = chance(maker, 85) && !swapped ? s->other : s->object;
		node->kind = draw_kind(maker, &maker->made->objects[node->object], i);
		node->value = (int)draw(maker, 3);
		node->op = draw_update(maker);
		node->binary = draw_binary(maker);
		node->order = orders[chance(maker, 50) ? 0 : draw(maker, OCLMM_COUNT(orders))];
	}
}

/* ---- printing -------------------------------------------------------- */

struct print {
	struct oclmm_text *text;
	const struct made *made;
	const struct made_statement *s;
};

static void print_node(const struct print *p, unsigned at);

static void print_side(const struct print *p, unsigned at)
{
	if (at < MADE_MAX_NODES)
		print_node(p, at);
	else
		oclmm_text_add(p->text, "1");
}

static void print_object(const struct print *p, unsigned object, unsigned index, bool value)
{
	bool array = p->made->objects[object].array;

	oclmm_text_printf(p->text, array ? (value ? "%s[(" : "&%s[(") : (value ? "*%s" : "%s"),
	                  made_object_name(object));
	if (!array)
		return;
	print_side(p, index);
	oclmm_text_add(p->text, ") & 1]");
}

static enum oclmm_order legal_order(enum oclmm_order order, bool writes)
{
	if (!writes && oclmm_order_releases(order) && order != OCLMM_ORDER_SEQ_CST)
		return OCLMM_ORDER_ACQUIRE;
	return order;
}

static void print_atomic(const struct print *p, const struct made_node *node, unsigned at)
{
	oclmm_text_printf(p->text, "%s_explicit(", oclmm_operation_stem(node->op));
	print_object(p, node->object, 2 * at + 2, false);
	if (node->op != OCLMM_OP_LOAD) {
		oclmm_text_add(p->text, ", ");
		print_side(p, 2 * at + 1);
	}
	oclmm_text_printf(p->text, ", %s, %s)",
	                  oclmm_order_spelling(legal_order(node->order, node->op != OCLMM_OP_LOAD)),
	                  oclmm_scope_spelling(p->s->scope));
}

static void print_compare(const struct print *p, const struct made_node *node, unsigned at)
{
	enum oclmm_order failure = oclmm_order_acquires(node->order) ? OCLMM_ORDER_ACQUIRE
	                                                             : OCLMM_ORDER_RELAXED;

	oclmm_text_printf(p->text, "atomic_compare_exchange_%s_explicit(",
	                  node->value == 2 ? "weak" : "strong");
	print_object(p, node->object, 2 * at + 2, false);
	/* an index of what is expected reads no memory */
	oclmm_text_printf(p->text, ", %s, ", made_object_name(node->other));
	print_side(p, 2 * at + 1);
	oclmm_text_printf(p->text, ", %s, %s, %s)", oclmm_order_spelling(node->order),
	                  oclmm_order_spelling(failure), oclmm_scope_spelling(p->s->scope));
}

static void print_legacy(const struct print *p, const struct made_node *node, unsigned at)
{
	bool compares = node->value == 2 && !p->made->objects[node->object].array;

	oclmm_text_add(p->text, compares ? "atomic_cmpxchg(" : "atomic_add(");
	print_object(p, node->object, 2 * at + 2, false);
	oclmm_text_add(p->text, ", ");
	print_side(p, 2 * at + 1);
	if (compares) {
		oclmm_text_add(p->text, ", ");
		print_side(p, 2 * at + 2);
	}
	oclmm_text_add(p->text, ")");
}

static void print_node(const struct print *p, unsigned at)
{
	const struct made_node *node = &p->s->nodes[at];
	const struct made_object *object = &p->made->objects[node->object];

	switch (node->kind) {
	case NODE_READ: print_object(p, node->object, 2 * at + 2, true); break;
	case NODE_ATOMIC: print_atomic(p, node, at); break;
	case NODE_COMPARE: print_compare(p, node, at); break;
	case NODE_LEGACY: print_legacy(p, node, at); break;
	case NODE_BINARY:
		oclmm_text_add(p->text, "(");
		print_side(p, 2 * at + 1);
		oclmm_text_printf(p->text, " %s ", oclmm_operator_spelling(node->binary));
		print_side(p, 2 * at + 2);
		oclmm_text_add(p->text, ")");
		break;
	default: oclmm_text_printf(p->text, "%lld", made_number(object, node->value)); break;
	}
}

void made_print_tree(struct oclmm_text *text, const struct made *made,
                     const struct made_statement *s, unsigned index)
{
	const struct print p = {text, made, s};

	switch (s->use) {
	case USE_BRANCH:
		oclmm_text_add(text, "if (");
		print_node(&p, 0);
		oclmm_text_printf(text, ") r%u = 1", index);
		break;
	case USE_STORED:
		print_object(&p, s->object, 1, true);
		oclmm_text_add(text, " = ");
		print_node(&p, made->objects[s->object].array ? 2 : 0);
		break;
	case USE_OPERAND:
		oclmm_text_add(text, "atomic_store_explicit(");
		print_object(&p, s->object, 1, false);
		oclmm_text_add(text, ", ");
		print_node(&p, made->objects[s->object].array ? 2 : 0);
		oclmm_text_printf(text, ", %s, %s)", oclmm_order_spelling(OCLMM_ORDER_RELAXED),
		                  oclmm_scope_spelling(s->scope));
		break;
	default:
		oclmm_text_printf(text, "r%u = ", index);
		print_node(&p, 0);
		break;
	}
}
