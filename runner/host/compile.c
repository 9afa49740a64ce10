// SPDX-License-Identifier: Apache-2.0
/* From the statements of a thread to a flat list of operations on numbered values. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct compiler {
	const struct oclmm_program *program;
	const struct oclmm_thread *thread;
	struct host_code *code;
	struct oclmm_error *error;
};

static uint32_t add_value(struct compiler *c, int64_t initial)
{
	struct host_code *code = c->code;

	oclmm_grow(&code->initial, &code->values_capacity, code->values, sizeof(*code->initial));
	code->initial[code->values] = initial;
	return (uint32_t)code->values++;
}

/* The pointer holds until the next one is added. */
static struct host_operation *add(struct compiler *c, enum host_kind kind, enum oclmm_type type)
{
	struct host_code *code = c->code;
	struct host_operation *o;

	oclmm_grow(&code->operations, &code->capacity, code->count, sizeof(*code->operations));
	o = &code->operations[code->count++];
	*o = (struct host_operation){.kind = kind, .call.type = type};
	return o;
}

static void copy(struct compiler *c, enum oclmm_type type, uint32_t to, uint32_t from)
{
	struct host_operation *o = add(c, HOST_COPY, type);

	o->to = to;
	o->a = from;
}

static size_t jump(struct compiler *c, enum host_kind kind, uint32_t condition)
{
	add(c, kind, OCLMM_TYPE_INT)->a = condition;
	return c->code->count - 1;
}

/* Lets an earlier jump lead to what comes next. */
static void land(struct compiler *c, size_t jump)
{
	c->code->operations[jump].target = (uint32_t)c->code->count;
}

static uint32_t expression(struct compiler *c, const struct oclmm_expression *e);

static uint32_t converted(struct compiler *c, const struct oclmm_expression *e,
                          enum oclmm_type type)
{
	uint32_t value = expression(c, e), result;

	if (e->type == type)
		return value;
	result = add_value(c, 0);
	copy(c, type, result, value);
	return result;
}

static uint32_t apply(struct compiler *c, enum oclmm_operator op, enum oclmm_type type, uint32_t a,
                      uint32_t b)
{
	uint32_t result = add_value(c, 0);
	struct host_operation *o = add(c, HOST_APPLY, type);

	o->op = op;
	o->to = result;
	o->a = a;
	o->b = b;
	return result;
}

/* The right side is evaluated only where it matters. */
static uint32_t logical(struct compiler *c, const struct oclmm_binary *e)
{
	uint32_t zero = add_value(c, 0), result = add_value(c, 0), truth;
	size_t over;

	truth = apply(c, OCLMM_OPERATOR_NE, e->left->type, expression(c, e->left), zero);
	copy(c, OCLMM_TYPE_INT, result, truth);
	if (e->op == OCLMM_OPERATOR_LOGICAL_OR)
		truth = apply(c, OCLMM_OPERATOR_NOT, OCLMM_TYPE_INT, truth, zero);
	over = jump(c, HOST_JUMP_ZERO, truth);
	truth = apply(c, OCLMM_OPERATOR_NE, e->right->type, expression(c, e->right), zero);
	copy(c, OCLMM_TYPE_INT, result, truth);
	land(c, over);
	return result;
}

static uint32_t binary(struct compiler *c, const struct oclmm_binary *e)
{
	bool shift = e->op == OCLMM_OPERATOR_SHL || e->op == OCLMM_OPERATOR_SHR;
	enum oclmm_type type = oclmm_operand_type(e->op, e->left->type, e->right->type);
	uint32_t a, b;

	if (e->op == OCLMM_OPERATOR_LOGICAL_AND || e->op == OCLMM_OPERATOR_LOGICAL_OR)
		return logical(c, e);
	a = converted(c, e->left, type);
	b = shift ? expression(c, e->right) : converted(c, e->right, type);
	return apply(c, e->op, type, a, b);
}

static uint32_t index_of(struct compiler *c, const struct oclmm_place *place)
{
	return place->index ? expression(c, place->index) : add_value(c, 0);
}

static struct host_operation *access(struct compiler *c, enum host_kind kind,
                                     const struct oclmm_place *place, uint32_t index)
{
	const struct oclmm_location *l = &c->program->locations[place->location];
	struct host_operation *o = add(c, kind, l->type);

	o->location = place->location;
	o->index = index;
	o->last = l->elements - 1;
	o->bytes = oclmm_type_bits(l->type) / 8;
	return o;
}

static uint32_t load(struct compiler *c, const struct oclmm_place *place)
{
	uint32_t index = index_of(c, place), result = add_value(c, 0);

	access(c, HOST_LOAD, place, index)->to = result;
	return result;
}

static void store(struct compiler *c, const struct oclmm_place *place, uint32_t value)
{
	uint32_t index = index_of(c, place);

	access(c, HOST_STORE, place, index)->a = value;
}

/* What is expected stands in a register or in memory, which is read and, on failure, written by
 * plain accesses (C:6.15.12.7.4). */
static uint32_t atomic(struct compiler *c, const struct oclmm_atomic *a)
{
	const struct oclmm_comparand *comparand = &a->comparand;
	enum oclmm_type type = c->program->locations[a->object.location].type;
	uint32_t operand = a->operand ? converted(c, a->operand, type) : add_value(c, 0);
	uint32_t result = add_value(c, 0), expected = add_value(c, 0), index;
	struct host_operation *o;

	if (comparand->kind == OCLMM_COMPARAND_REGISTER)
		expected = comparand->reg;
	else if (comparand->kind == OCLMM_COMPARAND_MEMORY)
		expected = load(c, &comparand->place);
	index = index_of(c, &a->object);
	o = access(c, HOST_ATOMIC, &a->object, index);
	o->call = (struct host_call){a->op, type, a->order, a->failure};
	o->to = result;
	o->a = operand;
	o->b = expected;
	if (comparand->kind == OCLMM_COMPARAND_MEMORY) {
		uint32_t failed = apply(c, OCLMM_OPERATOR_NOT, OCLMM_TYPE_INT, result, result);
		size_t over = jump(c, HOST_JUMP_ZERO, failed);

		store(c, &comparand->place, expected);
		land(c, over);
	}
	return result;
}

static uint32_t expression(struct compiler *c, const struct oclmm_expression *e)
{
	switch (e->kind) {
	case OCLMM_EXPRESSION_CONSTANT: return add_value(c, e->constant);
	case OCLMM_EXPRESSION_REGISTER: {
		/* as it is now: an operand further right may change it */
		uint32_t value = add_value(c, 0);

		copy(c, e->type, value, e->reg);
		return value;
	}
	case OCLMM_EXPRESSION_LOAD: return load(c, &e->load);
	case OCLMM_EXPRESSION_ATOMIC: return atomic(c, e->atomic);
	case OCLMM_EXPRESSION_UNARY: {
		enum oclmm_type type = e->unary.operand->type;
		uint32_t value = converted(c, e->unary.operand, oclmm_common_type(type, type));

		return apply(c, e->unary.op, type, value, value);
	}
	case OCLMM_EXPRESSION_CAST: return converted(c, e->cast, e->type);
	case OCLMM_EXPRESSION_BINARY: break;
	}
	return binary(c, &e->binary);
}

static int block(struct compiler *c, const struct oclmm_statement *first);

static int branch(struct compiler *c, const struct oclmm_branch *b)
{
	size_t over = jump(c, HOST_JUMP_ZERO, expression(c, b->condition)), end;
	int r = block(c, b->then_body);

	if (!b->else_body) {
		land(c, over);
		return r;
	}
	end = jump(c, HOST_JUMP, 0);
	land(c, over);
	if (r == 0)
		r = block(c, b->else_body);
	land(c, end);
	return r;
}

/* A loop that would run past its bound ends the thread. */
static int loop(struct compiler *c, const struct oclmm_loop *l)
{
	uint32_t zero = add_value(c, 0), turn = add_value(c, 0), start;
	size_t over;
	int r;

	copy(c, OCLMM_TYPE_UINT, turn, zero);
	start = (uint32_t)c->code->count;
	over = jump(c, HOST_JUMP_ZERO, expression(c, l->condition));
	c->code->operations[jump(c, HOST_TURN, turn)].target = l->unroll;
	r = block(c, l->body);
	c->code->operations[jump(c, HOST_JUMP, 0)].target = start;
	land(c, over);
	return r;
}

static int refuse(const struct compiler *c, const struct oclmm_statement *s, const char *what)
{
	oclmm_error_set(c->error, -ENOTSUP, "the host cannot play %s", what);
	if (c->program->file)
		snprintf(c->error->file, sizeof(c->error->file), "%s", c->program->file);
	c->error->position = s->position;
	return -ENOTSUP;
}

static int statement(struct compiler *c, const struct oclmm_statement *s)
{
	switch (s->kind) {
	case OCLMM_STATEMENT_ASSIGN:
		copy(c, c->thread->registers[s->assign.reg].type, s->assign.reg,
		     expression(c, s->assign.value));
		return 0;
	case OCLMM_STATEMENT_STORE:
		store(c, &s->store.place,
		      converted(c, s->store.value,
		                c->program->locations[s->store.place.location].type));
		return 0;
	case OCLMM_STATEMENT_EVALUATE: expression(c, s->effect); return 0;
	case OCLMM_STATEMENT_FENCE:
		add(c, HOST_FENCE, OCLMM_TYPE_INT)->call.order = s->fence.order;
		return 0;
	case OCLMM_STATEMENT_BARRIER: return refuse(c, s, "a barrier");
	case OCLMM_STATEMENT_COPY: return refuse(c, s, "a copy of a work-group");
	case OCLMM_STATEMENT_WAIT: return refuse(c, s, "a wait for one");
	case OCLMM_STATEMENT_ENQUEUE: return refuse(c, s, "enqueue_kernel");
	case OCLMM_STATEMENT_CLOCK: return refuse(c, s, "a clock of a kernel");
	case OCLMM_STATEMENT_IF: return branch(c, &s->branch);
	case OCLMM_STATEMENT_WHILE: return loop(c, &s->loop);
	}
	return 0;
}

static int block(struct compiler *c, const struct oclmm_statement *first)
{
	int r = 0;

	for (; first && r == 0; first = first->next)
		r = statement(c, first);
	return r;
}

int host_compile(const struct oclmm_program *program, uint32_t thread, struct oclmm_error *error,
                 struct host_code **ret_code)
{
	struct compiler c = {program, &program->threads[thread], oclmm_calloc(1, sizeof(*c.code)),
	                     error};
	int r;

	for (uint32_t i = 0; i < c.thread->register_count; i++)
		add_value(&c, c.thread->registers[i].initial);
	r = block(&c, c.thread->body);
	add(&c, HOST_END, OCLMM_TYPE_INT);
	if (r < 0)
		host_code_destroy(c.code);
	else
		*ret_code = c.code;
	return r;
}

void host_code_destroy(struct host_code *code)
{
	if (!code)
		return;
	free(code->operations);
	free(code->initial);
	free(code);
}

uint32_t host_code_values(const struct host_code *code)
{
	return (uint32_t)code->values;
}
