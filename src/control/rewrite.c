// SPDX-License-Identifier: Apache-2.0
/* Steps that need new statements: one access made of two, a load made before its branch. */
#include <string.h>

#include "internal.h"

static const int64_t LOW = 0xffffffff;

/* What is built into: the copy, and where the next statement goes. */
struct builder {
	struct oclmm_program *program;
	struct oclmm_arena *arena;
	uint32_t thread;
	struct oclmm_statement **link;
	struct oclmm_position position;
};

/* ---- building blocks ---- */

static struct oclmm_expression *expression(const struct builder *b, enum oclmm_expression_kind kind,
                                           enum oclmm_type type)
{
	struct oclmm_expression *e = OCLMM_NEW(b->arena, struct oclmm_expression);

	e->kind = kind;
	e->type = type;
	e->position = b->position;
	return e;
}

static struct oclmm_expression *constant(const struct builder *b, enum oclmm_type type,
                                         int64_t value)
{
	struct oclmm_expression *e = expression(b, OCLMM_EXPRESSION_CONSTANT, type);

	e->constant = value;
	return e;
}

static struct oclmm_expression *read_register(const struct builder *b, uint32_t reg)
{
	const struct oclmm_thread *thread = &b->program->threads[b->thread];
	struct oclmm_expression *e = expression(b, OCLMM_EXPRESSION_REGISTER,
	                                        thread->registers[reg].type);

	e->reg = reg;
	return e;
}

static struct oclmm_expression *binary(const struct builder *b, enum oclmm_operator op,
                                       enum oclmm_type type, struct oclmm_expression *left,
                                       struct oclmm_expression *right)
{
	struct oclmm_expression *e = expression(b, OCLMM_EXPRESSION_BINARY, type);

	e->binary = (struct oclmm_binary){op, left, right};
	return e;
}

/* The load or the store that a call is taken apart into, with the half of its order that is
 * theirs. Objects that are not atomic (of the functions of OpenCL 1.x) are accessed plainly. */
static struct oclmm_expression *call(const struct builder *b, const struct oclmm_atomic *from,
                                     enum oclmm_operation op, struct oclmm_expression *operand)
{
	const enum oclmm_type type = b->program->locations[from->object.location].type;
	struct oclmm_expression *e = expression(b, OCLMM_EXPRESSION_ATOMIC, type);
	struct oclmm_atomic *atomic = oclmm_arena_copy(b->arena, from, sizeof(*from));
	bool load = op == OCLMM_OP_LOAD;

	atomic->op = op;
	atomic->spelling = load ? "atomic_load_explicit" : "atomic_store_explicit";
	atomic->comparand = (struct oclmm_comparand){.kind = OCLMM_COMPARAND_NONE};
	atomic->operand = operand;
	atomic->order_written = atomic->scope_written = true;
	if (from->order != OCLMM_ORDER_SEQ_CST) {
		bool half = load ? oclmm_order_acquires(from->order)
		                 : oclmm_order_releases(from->order);

		atomic->order = !half  ? OCLMM_ORDER_RELAXED
		                : load ? OCLMM_ORDER_ACQUIRE
		                       : OCLMM_ORDER_RELEASE;
	}
	atomic->failure = OCLMM_ORDER_NONE;
	e->atomic = atomic;
	return e;
}

static struct oclmm_statement *append(struct builder *b, enum oclmm_statement_kind kind)
{
	struct oclmm_statement *s = OCLMM_NEW(b->arena, struct oclmm_statement);

	s->kind = kind;
	s->position = b->position;
	s->next = *b->link;
	*b->link = s;
	b->link = &s->next;
	return s;
}

static void assign(struct builder *b, uint32_t reg, struct oclmm_expression *value)
{
	append(b, OCLMM_STATEMENT_ASSIGN)->assign = (struct oclmm_assign){reg, value};
}

static void load(struct builder *b, const struct oclmm_atomic *from, uint32_t reg)
{
	struct oclmm_expression *value;

	if (from->legacy) {
		value = expression(b, OCLMM_EXPRESSION_LOAD,
		                   b->program->locations[from->object.location].type);
		value->load = from->object;
	} else {
		value = call(b, from, OCLMM_OP_LOAD, NULL);
	}
	assign(b, reg, value);
}

static void store(struct builder *b, const struct oclmm_atomic *from,
                  struct oclmm_expression *value)
{
	if (from->legacy)
		append(b, OCLMM_STATEMENT_STORE)->store = (struct oclmm_store){from->object, value};
	else
		append(b, OCLMM_STATEMENT_EVALUATE)->effect = call(b, from, OCLMM_OP_STORE, value);
}

static struct oclmm_statement *branch(struct builder *b, struct oclmm_expression *condition)
{
	struct oclmm_statement *s = append(b, OCLMM_STATEMENT_IF);

	s->branch.condition = condition;
	return s;
}

static bool has_register(const struct oclmm_thread *thread, const char *name)
{
	for (uint32_t i = 0; i < thread->register_count; i++) {
		if (strcmp(thread->registers[i].name, name) == 0)
			return true;
	}
	return false;
}

/* One that nothing observes and no parameter hides. */
static uint32_t new_register(struct builder *b, enum oclmm_type type)
{
	struct oclmm_thread *thread = &b->program->threads[b->thread];
	uint32_t count = thread->register_count, number = 0;
	struct oclmm_register *registers = OCLMM_NEW_ARRAY(b->arena, struct oclmm_register,
	                                                   count + 1);
	const char *name;

	do
		name = oclmm_arena_printf(b->arena, "part%u", number++);
	while (has_register(thread, name) || oclmm_program_find_location(b->program, name) >= 0);
	if (count)
		memcpy(registers, thread->registers, count * sizeof(*registers));
	registers[count] =
		(struct oclmm_register){.name = name, .type = type, .position = b->position};
	thread->registers = registers;
	thread->register_count++;
	return count;
}

/* ---- read-modify-writes ---- */

/* The call that a statement is, where it is nothing else; what becomes of its value. */
static const struct oclmm_atomic *whole_call(const struct oclmm_statement *statement)
{
	const struct oclmm_expression *e = NULL;

	if (statement->kind == OCLMM_STATEMENT_ASSIGN)
		e = statement->assign.value;
	if (statement->kind == OCLMM_STATEMENT_EVALUATE)
		e = statement->effect;
	return e && e->kind == OCLMM_EXPRESSION_ATOMIC ? e->atomic : NULL;
}

/* Its value may stand twice in the text. */
static bool is_value(const struct oclmm_expression *e)
{
	return !e || e->kind == OCLMM_EXPRESSION_CONSTANT || e->kind == OCLMM_EXPRESSION_REGISTER;
}

bool control_can_split(const struct oclmm_statement *statement)
{
	const struct oclmm_atomic *a = whole_call(statement);

	if (!a || !oclmm_operation_reads(a->op) || !oclmm_operation_writes(a->op))
		return false;
	/* a flag can be neither loaded nor stored */
	if (a->op == OCLMM_OP_FLAG_TEST_AND_SET || a->comparand.kind == OCLMM_COMPARAND_MEMORY)
		return false;
	return is_value(a->object.index) && is_value(a->operand) &&
	       (a->comparand.kind != OCLMM_COMPARAND_VALUE || is_value(a->comparand.value));
}

static enum oclmm_operator operator_of(enum oclmm_operation op)
{
	switch (op) {
	case OCLMM_OP_FETCH_SUB: return OCLMM_OPERATOR_SUB;
	case OCLMM_OP_FETCH_OR: return OCLMM_OPERATOR_OR;
	case OCLMM_OP_FETCH_XOR: return OCLMM_OPERATOR_XOR;
	case OCLMM_OP_FETCH_AND: return OCLMM_OPERATOR_AND;
	default: return OCLMM_OPERATOR_ADD;
	}
}

/* `old` holds what was read, `result` (if any) takes the value of the call. */
static void build_compare_exchange(struct builder *b, const struct oclmm_atomic *a, uint32_t old,
                                   const uint32_t *result)
{
	bool in_register = a->comparand.kind == OCLMM_COMPARAND_REGISTER;
	struct oclmm_expression *expected = in_register ? read_register(b, a->comparand.reg)
	                                                : a->comparand.value;
	uint32_t equal = new_register(b, OCLMM_TYPE_INT);
	struct builder inner = *b;
	struct oclmm_statement *s;

	assign(b, equal,
	       binary(b, OCLMM_OPERATOR_EQ, OCLMM_TYPE_INT, read_register(b, old), expected));
	s = branch(b, read_register(b, equal));
	inner.program = b->program;
	inner.link = &s->branch.then_body;
	store(&inner, a, a->operand);
	if (in_register) {
		inner.link = &s->branch.else_body;
		assign(&inner, a->comparand.reg, read_register(b, old));
	}
	if (result)
		assign(b, *result, read_register(b, in_register ? equal : old));
}

/* The smaller or the larger of both. */
static void build_choice(struct builder *b, const struct oclmm_atomic *a, uint32_t old)
{
	enum oclmm_operator op = a->op == OCLMM_OP_FETCH_MIN ? OCLMM_OPERATOR_LT
	                                                     : OCLMM_OPERATOR_GT;
	struct oclmm_statement *s = branch(b, binary(b, op, OCLMM_TYPE_INT, a->operand,
	                                             read_register(b, old)));
	struct builder inner = *b;

	inner.link = &s->branch.then_body;
	store(&inner, a, a->operand);
	inner.link = &s->branch.else_body;
	store(&inner, a, read_register(b, old));
}

void control_split(struct oclmm_program *copy, struct oclmm_arena *arena, uint32_t thread,
                   struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link;
	const struct oclmm_atomic *a = whole_call(statement);
	enum oclmm_type type = copy->locations[a->object.location].type;
	struct builder b = {copy, arena, thread, link, statement->position};
	bool assigns = statement->kind == OCLMM_STATEMENT_ASSIGN;
	uint32_t old = new_register(&b, type);

	*link = statement->next;
	load(&b, a, old);
	if (oclmm_operation_is_cas(a->op)) {
		build_compare_exchange(&b, a, old, assigns ? &statement->assign.reg : NULL);
		return;
	}
	if (a->op == OCLMM_OP_FETCH_MIN || a->op == OCLMM_OP_FETCH_MAX)
		build_choice(&b, a, old);
	else if (a->op == OCLMM_OP_EXCHANGE)
		store(&b, a, a->operand);
	else
		store(&b, a,
		      binary(&b, operator_of(a->op), type, read_register(&b, old), a->operand));
	if (assigns)
		assign(&b, statement->assign.reg, read_register(&b, old));
}

/* ---- halves ---- */

struct writers {
	uint32_t location;
	unsigned count;
};

static int count_writer(void *data, const struct oclmm_use *use)
{
	struct writers *writers = data;

	writers->count += use->writes && use->place->location == writers->location;
	return 0;
}

/* What another work-item sees between two halves of a store depends on what was there. */
static bool is_only_writer(const struct oclmm_program *program, uint32_t location)
{
	static const struct oclmm_visitor visitor = {.use = count_writer};
	struct writers writers = {.location = location};

	for (uint32_t t = 0; t < program->thread_count; t++)
		oclmm_visit_body(&visitor, program->threads[t].body, &writers);
	return writers.count == 1;
}

bool control_can_halve(const struct oclmm_program *program, const struct oclmm_statement *statement)
{
	const struct oclmm_atomic *a = whole_call(statement);
	const struct oclmm_location *location = a ? &program->locations[a->object.location] : NULL;

	if (!a || a->legacy || oclmm_type_bits(location->type) != 64 || location->is_array)
		return false;
	if (a->op == OCLMM_OP_STORE)
		return is_value(a->operand) && is_only_writer(program, a->object.location);
	return a->op == OCLMM_OP_LOAD && statement->kind == OCLMM_STATEMENT_ASSIGN;
}

static struct oclmm_expression *join(const struct builder *b, enum oclmm_type type,
                                     struct oclmm_expression *low, struct oclmm_expression *high)
{
	return binary(b, OCLMM_OPERATOR_OR, type,
	              binary(b, OCLMM_OPERATOR_AND, type, low, constant(b, type, LOW)),
	              binary(b, OCLMM_OPERATOR_AND, type, high, constant(b, type, ~LOW)));
}

/* As others see it: a load that reads each half at another time, a store that is half done. */
void control_halve(struct oclmm_program *copy, struct oclmm_arena *arena, uint32_t thread,
                   struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link;
	const struct oclmm_atomic *a = whole_call(statement);
	const struct oclmm_location *location = &copy->locations[a->object.location];
	struct builder b = {copy, arena, thread, link, statement->position};

	if (a->op == OCLMM_OP_LOAD) {
		uint32_t low = new_register(&b, location->type),
			 high = new_register(&b, location->type);

		*link = statement->next;
		load(&b, a, low);
		load(&b, a, high);
		assign(&b, statement->assign.reg,
		       join(&b, location->type, read_register(&b, low), read_register(&b, high)));
		return;
	}
	/* the statement itself is the second half */
	store(&b, a,
	      join(&b, location->type, a->operand,
	           constant(&b, location->type, location->initial[0])));
}

/* ---- branches ---- */

/* A load keeps its value aside, so that the branch not taken changes no register. */
void control_hoist(struct oclmm_program *copy, struct oclmm_arena *arena, uint32_t thread,
                   struct oclmm_statement **from, struct oclmm_statement **to)
{
	struct oclmm_statement *inner = *from;
	struct builder b = {copy, arena, thread, to, inner->position};
	struct oclmm_expression *value;
	uint32_t aside;

	if (inner->kind != OCLMM_STATEMENT_ASSIGN) {
		*from = inner->next;
		inner->next = *to;
		*to = inner;
		return;
	}
	aside = new_register(&b, copy->threads[thread].registers[inner->assign.reg].type);
	value = inner->assign.value;
	inner->assign.value = read_register(&b, aside);
	assign(&b, aside, value);
}
