// SPDX-License-Identifier: Apache-2.0
/* Statements and expressions for the copy of a program. */
#include "builder.h"

#include <string.h>

static struct oclmm_expression *
make_expression(const struct builder *b, enum oclmm_expression_kind kind, enum oclmm_type type)
{
	return OCLMM_MAKE(b->arena, struct oclmm_expression, .kind = kind, .type = type,
	                  .position = b->position);
}

struct oclmm_expression *oclmm_build_read_register(const struct builder *b, uint32_t reg)
{
	const struct oclmm_thread *thread = &b->program->threads[b->thread];
	struct oclmm_expression *e = make_expression(b, OCLMM_EXPRESSION_REGISTER,
	                                             thread->registers[reg].type);

	e->reg = reg;
	return e;
}

struct oclmm_expression *oclmm_build_binary(const struct builder *b, enum oclmm_operator op,
                                            enum oclmm_type type, struct oclmm_expression *left,
                                            struct oclmm_expression *right)
{
	struct oclmm_expression *e = make_expression(b, OCLMM_EXPRESSION_BINARY, type);

	e->binary = (struct oclmm_binary){op, left, right};
	return e;
}

/* The load or the store that a call is taken apart into, with the half of its order that is
 * theirs. Objects that are not atomic (of the functions of OpenCL 1.x) are accessed plainly. */
static struct oclmm_expression *make_call(const struct builder *b, const struct oclmm_atomic *from,
                                          enum oclmm_operation op, struct oclmm_expression *operand)
{
	const enum oclmm_type type = b->program->locations[from->object.location].type;
	struct oclmm_expression *e = make_expression(b, OCLMM_EXPRESSION_ATOMIC, type);
	struct oclmm_atomic *atomic = oclmm_arena_copy(b->arena, from, sizeof(*from));
	bool load = op == OCLMM_OP_LOAD;

	atomic->op = op;
	atomic->spelling = load ? "atomic_load_explicit" : "atomic_store_explicit";
	atomic->comparand = (struct oclmm_comparand){.kind = OCLMM_COMPARAND_NONE};
	atomic->operand = operand;
	atomic->order_written = atomic->scope_written = true;
	atomic->order = oclmm_order_part(oclmm_operation_ordered(op), from->order);
	atomic->failure = OCLMM_ORDER_NONE;
	e->atomic = atomic;
	return e;
}

static struct oclmm_statement *make_append(struct builder *b, enum oclmm_statement_kind kind)
{
	struct oclmm_statement *s = OCLMM_MAKE(b->arena, struct oclmm_statement, .kind = kind,
	                                       .position = b->position, .next = *b->link);

	*b->link = s;
	b->link = &s->next;
	return s;
}

void oclmm_build_assign(struct builder *b, uint32_t reg, struct oclmm_expression *value)
{
	make_append(b, OCLMM_STATEMENT_ASSIGN)->assign = (struct oclmm_assign){.reg = reg,
	                                                                       .value = value};
}

void oclmm_build_load(struct builder *b, const struct oclmm_atomic *from, uint32_t reg)
{
	struct oclmm_expression *value;

	if (from->legacy) {
		value = make_expression(b, OCLMM_EXPRESSION_LOAD,
		                        b->program->locations[from->object.location].type);
		value->load = from->object;
	} else {
		value = make_call(b, from, OCLMM_OP_LOAD, NULL);
	}
	oclmm_build_assign(b, reg, value);
}

void oclmm_build_store(struct builder *b, const struct oclmm_atomic *from,
                       struct oclmm_expression *value)
{
	if (from->legacy)
		make_append(b, OCLMM_STATEMENT_STORE)->store =
			(struct oclmm_store){.place = from->object, .value = value};
	else
		make_append(b, OCLMM_STATEMENT_EVALUATE)->effect = make_call(b, from,
		                                                             OCLMM_OP_STORE, value);
}

struct oclmm_statement *oclmm_build_branch(struct builder *b, struct oclmm_expression *condition)
{
	struct oclmm_statement *s = make_append(b, OCLMM_STATEMENT_IF);

	s->branch.condition = condition;
	return s;
}

/* One that nothing observes and no parameter hides. */
uint32_t oclmm_build_new_register(struct builder *b, enum oclmm_type type)
{
	struct oclmm_thread *thread = &b->program->threads[b->thread];
	uint32_t count = thread->register_count, number = 0;
	struct oclmm_register *registers = OCLMM_NEW_ARRAY(b->arena, struct oclmm_register,
	                                                   count + 1);
	const char *name;

	do
		name = oclmm_arena_printf(b->arena, "part%u", number++);
	while (oclmm_thread_find_register(thread, name) >= 0 ||
	       oclmm_program_find_location(b->program, name) >= 0);
	if (count)
		memcpy(registers, thread->registers, count * sizeof(*registers));
	registers[count] =
		(struct oclmm_register){.name = name, .type = type, .position = b->position};
	thread->registers = registers;
	thread->register_count++;
	return count;
}

/* ---- orders and scopes ------------------------------------------------------ */

static void spell(struct oclmm_arena *arena, struct oclmm_atomic *atomic)
{
	if (!atomic->order_written)
		atomic->spelling = oclmm_arena_printf(arena, "%s_explicit",
		                                      oclmm_operation_stem(atomic->op));
	/* the scope may be left out behind an order, and behind nothing else */
	atomic->scope_written |= !atomic->order_written;
	atomic->order_written = true;
}

void oclmm_build_set_order(struct oclmm_arena *arena, struct oclmm_atomic *atomic,
                           enum oclmm_order order, enum oclmm_order failure)
{
	spell(arena, atomic);
	atomic->order = order;
	atomic->failure = failure;
}

void oclmm_build_set_scope(struct oclmm_arena *arena, struct oclmm_atomic *atomic,
                           enum oclmm_scope scope)
{
	spell(arena, atomic);
	atomic->scope_written = true;
	atomic->scope = scope;
}

enum oclmm_operator oclmm_build_operator(enum oclmm_operation op)
{
	switch (op) {
	case OCLMM_OP_FETCH_ADD: return OCLMM_OPERATOR_ADD;
	case OCLMM_OP_FETCH_SUB: return OCLMM_OPERATOR_SUB;
	case OCLMM_OP_FETCH_OR: return OCLMM_OPERATOR_OR;
	case OCLMM_OP_FETCH_XOR: return OCLMM_OPERATOR_XOR;
	case OCLMM_OP_FETCH_AND: return OCLMM_OPERATOR_AND;
	/* written without an operator, or not split at all */
	case OCLMM_OP_LOAD:
	case OCLMM_OP_STORE:
	case OCLMM_OP_EXCHANGE:
	case OCLMM_OP_FETCH_MIN:
	case OCLMM_OP_FETCH_MAX:
	case OCLMM_OP_CAS_STRONG:
	case OCLMM_OP_CAS_WEAK:
	case OCLMM_OP_FLAG_TEST_AND_SET:
	case OCLMM_OP_FLAG_CLEAR:
	case OCLMM_OP_INIT:
	case OCLMM_OP_COUNT: break;
	}
	return OCLMM_OPERATOR_COUNT;
}
