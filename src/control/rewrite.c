// SPDX-License-Identifier: Apache-2.0
/* Steps that need new statements: one access made of two, a load made before its branch. */
#include "build.h"

static const int64_t LOW = 0xffffffff;

/* ---- read-modify-writes ---- */

bool control_can_split(const struct oclmm_statement *statement)
{
	const struct oclmm_atomic *a = control_call(statement);

	if (!a || !oclmm_operation_reads(a->op) || !oclmm_operation_writes(a->op))
		return false;
	/* a flag can be neither loaded nor stored */
	if (a->op == OCLMM_OP_FLAG_TEST_AND_SET || a->comparand.kind == OCLMM_COMPARAND_MEMORY)
		return false;
	return control_is_value(a->object.index) && control_is_value(a->operand) &&
	       (a->comparand.kind != OCLMM_COMPARAND_VALUE || control_is_value(a->comparand.value));
}

static enum oclmm_operator operator_of(enum oclmm_operation op)
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

/* `old` holds what was read, `result` (if any) takes the value of the call. */
static void build_compare_exchange(struct builder *b, const struct oclmm_atomic *a, uint32_t old,
                                   const uint32_t *result)
{
	bool in_register = a->comparand.kind == OCLMM_COMPARAND_REGISTER;
	struct oclmm_expression *expected = in_register ? control_read_register(b, a->comparand.reg)
	                                                : a->comparand.value;
	uint32_t equal = control_new_register(b, OCLMM_TYPE_INT);
	struct builder inner = *b;
	struct oclmm_statement *s;

	control_assign(b, equal,
	               control_binary(b, OCLMM_OPERATOR_EQ, OCLMM_TYPE_INT,
	                              control_read_register(b, old), expected));
	s = control_branch(b, control_read_register(b, equal));
	inner.program = b->program;
	inner.link = &s->branch.then_body;
	control_store(&inner, a, a->operand);
	if (in_register) {
		inner.link = &s->branch.else_body;
		control_assign(&inner, a->comparand.reg, control_read_register(b, old));
	}
	if (result)
		control_assign(b, *result, control_read_register(b, in_register ? equal : old));
}

/* The smaller or the larger of both. */
static void build_choice(struct builder *b, const struct oclmm_atomic *a, uint32_t old)
{
	enum oclmm_operator op = a->op == OCLMM_OP_FETCH_MIN ? OCLMM_OPERATOR_LT
	                                                     : OCLMM_OPERATOR_GT;
	struct oclmm_statement *s = control_branch(b,
	                                           control_binary(b, op, OCLMM_TYPE_INT, a->operand,
	                                                          control_read_register(b, old)));
	struct builder inner = *b;

	inner.link = &s->branch.then_body;
	control_store(&inner, a, a->operand);
	inner.link = &s->branch.else_body;
	control_store(&inner, a, control_read_register(b, old));
}

/* What an update stores. Atomic functions wrap around where a plain operator of signed numbers has
 * no value (C:6.15.12.7.5): sums and differences are those of unsigned ones. */
static struct oclmm_expression *updated(const struct builder *b, const struct oclmm_atomic *a,
                                        enum oclmm_type type, uint32_t old)
{
	enum oclmm_operator op = operator_of(a->op);
	struct oclmm_expression *left = control_read_register(b, old);

	if ((op == OCLMM_OPERATOR_ADD || op == OCLMM_OPERATOR_SUB) &&
	    !oclmm_type_is_floating(type) && oclmm_type_is_signed(type)) {
		type = oclmm_type_bits(type) == 64 ? OCLMM_TYPE_ULONG : OCLMM_TYPE_UINT;
		left = control_cast(b, type, left);
	}
	return control_binary(b, op, type, left, a->operand);
}

void control_split(struct oclmm_program *copy, struct oclmm_arena *arena, uint32_t thread,
                   struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link;
	const struct oclmm_atomic *a = control_call(statement);
	enum oclmm_type type = copy->locations[a->object.location].type;
	struct builder b = {copy, arena, thread, link, statement->position};
	bool assigns = statement->kind == OCLMM_STATEMENT_ASSIGN;
	uint32_t old = control_new_register(&b, type);

	*link = statement->next;
	control_load(&b, a, old);
	if (oclmm_operation_is_cas(a->op)) {
		build_compare_exchange(&b, a, old, assigns ? &statement->assign.reg : NULL);
		return;
	}
	if (a->op == OCLMM_OP_FETCH_MIN || a->op == OCLMM_OP_FETCH_MAX)
		build_choice(&b, a, old);
	else if (a->op == OCLMM_OP_EXCHANGE)
		control_store(&b, a, a->operand);
	else
		control_store(&b, a, updated(&b, a, type, old));
	if (assigns)
		control_assign(&b, statement->assign.reg, control_read_register(&b, old));
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
	const struct oclmm_atomic *a = control_call(statement);
	const struct oclmm_location *location = a ? &program->locations[a->object.location] : NULL;

	if (!a || a->legacy || oclmm_type_is_floating(location->type) ||
	    oclmm_type_bits(location->type) != 64 || location->is_array)
		return false;
	if (a->op == OCLMM_OP_STORE)
		return control_is_value(a->operand) && is_only_writer(program, a->object.location);
	return a->op == OCLMM_OP_LOAD && statement->kind == OCLMM_STATEMENT_ASSIGN;
}

static struct oclmm_expression *join(const struct builder *b, enum oclmm_type type,
                                     struct oclmm_expression *low, struct oclmm_expression *high)
{
	return control_binary(
		b, OCLMM_OPERATOR_OR, type,
		control_binary(b, OCLMM_OPERATOR_AND, type, low, control_constant(b, type, LOW)),
		control_binary(b, OCLMM_OPERATOR_AND, type, high, control_constant(b, type, ~LOW)));
}

/* As others see it: a load that reads each half at another time, a store that is half done. */
void control_halve(struct oclmm_program *copy, struct oclmm_arena *arena, uint32_t thread,
                   struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link;
	const struct oclmm_atomic *a = control_call(statement);
	const struct oclmm_location *location = &copy->locations[a->object.location];
	struct builder b = {copy, arena, thread, link, statement->position};

	if (a->op == OCLMM_OP_LOAD) {
		uint32_t low = control_new_register(&b, location->type),
			 high = control_new_register(&b, location->type);

		*link = statement->next;
		control_load(&b, a, low);
		control_load(&b, a, high);
		control_assign(&b, statement->assign.reg,
		               join(&b, location->type, control_read_register(&b, low),
		                    control_read_register(&b, high)));
		return;
	}
	/* the statement itself is the second half */
	control_store(&b, a,
	              join(&b, location->type, a->operand,
	                   control_constant(&b, location->type, location->initial[0])));
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
	aside = control_new_register(&b, copy->threads[thread].registers[inner->assign.reg].type);
	value = inner->assign.value;
	inner->assign.value = control_read_register(&b, aside);
	control_assign(&b, aside, value);
}
