// SPDX-License-Identifier: Apache-2.0
/*
 * Single steps of a compiler, right or wrong: statements that change places, one access made of
 * two, a value from before, a branch that is always taken.
 */
#include <errno.h>

#include "build.h"

/* ---- places ---- */

static struct oclmm_statement *take(struct oclmm_statement **link)
{
	struct oclmm_statement *taken = *link;

	*link = taken->next;
	taken->next = NULL;
	return taken;
}

static void put(struct oclmm_statement **link, struct oclmm_statement *statement)
{
	statement->next = *link;
	*link = statement;
}

/* The later one first, so that the links stay where they lead. */
void oclmm_change_exchange(struct oclmm_statement **first, struct oclmm_statement **second)
{
	struct oclmm_statement *b = take(second), *a;

	if (second == &(*first)->next) {
		put(first, b);
		return;
	}
	a = take(first);
	put(first, b);
	put(second, a);
}

void oclmm_change_move(struct oclmm_statement **from, struct oclmm_statement **to, bool behind)
{
	struct oclmm_statement *target = *to, *moved = take(from);

	if (behind)
		put(&target->next, moved);
	else
		put(to, moved);
}

void oclmm_change_drop(struct oclmm_statement **link)
{
	take(link);
}

void oclmm_change_reuse(const struct oclmm_edit *edit, struct oclmm_statement *load, uint32_t reg)
{
	const struct oclmm_register *registers = edit->program->threads[edit->thread].registers;

	load->assign.value = OCLMM_MAKE(edit->arena, struct oclmm_expression,
	                                .kind = OCLMM_EXPRESSION_REGISTER,
	                                .type = registers[reg].type, .position = load->position,
	                                .reg = reg);
}

static const int64_t LOW = 0xffffffff;

/* ---- read-modify-writes ---- */

bool oclmm_change_can_split(const struct oclmm_statement *statement)
{
	const struct oclmm_atomic *a = oclmm_build_call(statement);

	if (!a || !oclmm_operation_reads(a->op) || !oclmm_operation_writes(a->op))
		return false;
	/* a flag can be neither loaded nor stored */
	if (a->op == OCLMM_OP_FLAG_TEST_AND_SET || a->comparand.kind == OCLMM_COMPARAND_MEMORY)
		return false;
	return oclmm_build_is_value(a->object.index) && oclmm_build_is_value(a->operand) &&
	       (a->comparand.kind != OCLMM_COMPARAND_VALUE ||
	        oclmm_build_is_value(a->comparand.value));
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
	struct oclmm_expression *expected = in_register
	                                            ? oclmm_build_read_register(b, a->comparand.reg)
	                                            : a->comparand.value;
	uint32_t equal = oclmm_build_new_register(b, OCLMM_TYPE_INT);
	struct builder inner = *b;
	struct oclmm_statement *s;

	oclmm_build_assign(b, equal,
	                   oclmm_build_binary(b, OCLMM_OPERATOR_EQ, OCLMM_TYPE_INT,
	                                      oclmm_build_read_register(b, old), expected));
	s = oclmm_build_branch(b, oclmm_build_read_register(b, equal));
	inner.program = b->program;
	inner.link = &s->branch.then_body;
	oclmm_build_store(&inner, a, a->operand);
	if (in_register) {
		inner.link = &s->branch.else_body;
		oclmm_build_assign(&inner, a->comparand.reg, oclmm_build_read_register(b, old));
	}
	if (result)
		oclmm_build_assign(b, *result,
		                   oclmm_build_read_register(b, in_register ? equal : old));
}

/* The smaller or the larger of both. */
static void build_choice(struct builder *b, const struct oclmm_atomic *a, uint32_t old)
{
	enum oclmm_operator op = a->op == OCLMM_OP_FETCH_MIN ? OCLMM_OPERATOR_LT
	                                                     : OCLMM_OPERATOR_GT;
	struct oclmm_statement *s =
		oclmm_build_branch(b, oclmm_build_binary(b, op, OCLMM_TYPE_INT, a->operand,
	                                                 oclmm_build_read_register(b, old)));
	struct builder inner = *b;

	inner.link = &s->branch.then_body;
	oclmm_build_store(&inner, a, a->operand);
	inner.link = &s->branch.else_body;
	oclmm_build_store(&inner, a, oclmm_build_read_register(b, old));
}

/* What an update stores. Atomic functions wrap around where a plain operator of signed numbers has
 * no value (C:6.15.12.7.5): sums and differences are those of unsigned ones. */
static struct oclmm_expression *updated(const struct builder *b, const struct oclmm_atomic *a,
                                        enum oclmm_type type, uint32_t old)
{
	enum oclmm_operator op = operator_of(a->op);
	struct oclmm_expression *left = oclmm_build_read_register(b, old);

	if ((op == OCLMM_OPERATOR_ADD || op == OCLMM_OPERATOR_SUB) &&
	    !oclmm_type_is_floating(type) && oclmm_type_is_signed(type)) {
		type = oclmm_type_bits(type) == 64 ? OCLMM_TYPE_ULONG : OCLMM_TYPE_UINT;
		left = oclmm_build_cast(b, type, left);
	}
	return oclmm_build_binary(b, op, type, left, a->operand);
}

void oclmm_change_split(const struct oclmm_edit *edit, struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link;
	const struct oclmm_atomic *a = oclmm_build_call(statement);
	enum oclmm_type type = edit->program->locations[a->object.location].type;
	struct builder b = {edit->program, edit->arena, edit->thread, link, statement->position};
	bool assigns = statement->kind == OCLMM_STATEMENT_ASSIGN;
	uint32_t old = oclmm_build_new_register(&b, type);

	*link = statement->next;
	oclmm_build_load(&b, a, old);
	if (oclmm_operation_is_cas(a->op)) {
		build_compare_exchange(&b, a, old, assigns ? &statement->assign.reg : NULL);
		return;
	}
	if (a->op == OCLMM_OP_FETCH_MIN || a->op == OCLMM_OP_FETCH_MAX)
		build_choice(&b, a, old);
	else if (a->op == OCLMM_OP_EXCHANGE)
		oclmm_build_store(&b, a, a->operand);
	else
		oclmm_build_store(&b, a, updated(&b, a, type, old));
	if (assigns)
		oclmm_build_assign(&b, statement->assign.reg, oclmm_build_read_register(&b, old));
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

bool oclmm_change_can_halve(const struct oclmm_program *program,
                            const struct oclmm_statement *statement)
{
	const struct oclmm_atomic *a = oclmm_build_call(statement);
	const struct oclmm_location *location = a ? &program->locations[a->object.location] : NULL;

	if (!a || a->legacy || oclmm_type_is_floating(location->type) ||
	    oclmm_type_bits(location->type) != 64 || location->is_array)
		return false;
	if (a->op == OCLMM_OP_STORE)
		return oclmm_build_is_value(a->operand) &&
		       is_only_writer(program, a->object.location);
	return a->op == OCLMM_OP_LOAD && statement->kind == OCLMM_STATEMENT_ASSIGN;
}

static struct oclmm_expression *join(const struct builder *b, enum oclmm_type type,
                                     struct oclmm_expression *low, struct oclmm_expression *high)
{
	return oclmm_build_binary(b, OCLMM_OPERATOR_OR, type,
	                          oclmm_build_binary(b, OCLMM_OPERATOR_AND, type, low,
	                                             oclmm_build_constant(b, type, LOW)),
	                          oclmm_build_binary(b, OCLMM_OPERATOR_AND, type, high,
	                                             oclmm_build_constant(b, type, ~LOW)));
}

/* As others see it: a load that reads each half at another time, a store that is half done. */
void oclmm_change_halve(const struct oclmm_edit *edit, struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link;
	const struct oclmm_atomic *a = oclmm_build_call(statement);
	const struct oclmm_location *location = &edit->program->locations[a->object.location];
	struct builder b = {edit->program, edit->arena, edit->thread, link, statement->position};

	if (a->op == OCLMM_OP_LOAD) {
		uint32_t low = oclmm_build_new_register(&b, location->type),
			 high = oclmm_build_new_register(&b, location->type);

		*link = statement->next;
		oclmm_build_load(&b, a, low);
		oclmm_build_load(&b, a, high);
		oclmm_build_assign(&b, statement->assign.reg,
		                   join(&b, location->type, oclmm_build_read_register(&b, low),
		                        oclmm_build_read_register(&b, high)));
		return;
	}
	/* the statement itself is the second half */
	oclmm_build_store(&b, a,
	                  join(&b, location->type, a->operand,
	                       oclmm_build_constant(&b, location->type, location->initial[0])));
}

/* ---- branches ---- */

/* A load keeps its value aside, so that the branch not taken changes no register. */
void oclmm_change_hoist(const struct oclmm_edit *edit, struct oclmm_statement **from,
                        struct oclmm_statement **to)
{
	struct oclmm_statement *inner = *from;
	struct builder b = {edit->program, edit->arena, edit->thread, to, inner->position};
	struct oclmm_expression *value;
	uint32_t aside;

	if (inner->kind != OCLMM_STATEMENT_ASSIGN) {
		*from = inner->next;
		inner->next = *to;
		*to = inner;
		return;
	}
	aside = oclmm_build_new_register(
		&b, edit->program->threads[edit->thread].registers[inner->assign.reg].type);
	value = inner->assign.value;
	inner->assign.value = oclmm_build_read_register(&b, aside);
	oclmm_build_assign(&b, aside, value);
}

/* ---- a value from before ---- */

bool oclmm_change_can_reload(const struct oclmm_statement *statement)
{
	return statement->kind == OCLMM_STATEMENT_ASSIGN && oclmm_change_can_split(statement);
}

void oclmm_change_reload(const struct oclmm_edit *edit, struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link, *s;
	const struct oclmm_atomic *a = oclmm_build_call(statement);
	struct builder b = {edit->program, edit->arena, edit->thread, link, statement->position},
		       inner;
	uint32_t early =
		oclmm_build_new_register(&b, edit->program->locations[a->object.location].type);

	oclmm_build_load(&b, a, early);
	b.link = &statement->next;
	if (a->comparand.kind != OCLMM_COMPARAND_REGISTER) {
		oclmm_build_assign(&b, statement->assign.reg, oclmm_build_read_register(&b, early));
		return;
	}
	/* that a compare-exchange failed is told from what it found */
	s = oclmm_build_branch(
		&b, oclmm_build_binary(&b, OCLMM_OPERATOR_EQ, OCLMM_TYPE_INT,
	                               oclmm_build_read_register(&b, statement->assign.reg),
	                               oclmm_build_constant(&b, OCLMM_TYPE_INT, 0)));
	inner = b;
	inner.link = &s->branch.then_body;
	oclmm_build_assign(&inner, a->comparand.reg, oclmm_build_read_register(&b, early));
}

/* ---- a branch that is always taken ---- */

static int note_barrier(void *data, const struct oclmm_statement *statement)
{
	(void)data;
	return statement->kind == OCLMM_STATEMENT_BARRIER ? -ECANCELED : 0;
}

bool oclmm_change_can_always(const struct oclmm_statement *statement)
{
	static const struct oclmm_visitor visitor = {.statement = note_barrier};

	return statement->kind == OCLMM_STATEMENT_IF && statement->branch.then_body &&
	       !statement->branch.else_body &&
	       oclmm_visit_body(&visitor, statement->branch.then_body, NULL) == 0;
}

void oclmm_change_always(struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link, **end = &statement->branch.then_body;

	while (*end)
		end = &(*end)->next;
	*end = statement->next;
	*link = statement->branch.then_body;
}

/* ---- a value that is loaded again ---- */

/* The register that a store takes, or an update whose value is unused; NULL for any other
 * statement. */
static struct oclmm_expression **stored(struct oclmm_statement *statement)
{
	struct oclmm_expression **value = NULL;

	if (statement->kind == OCLMM_STATEMENT_STORE)
		value = &statement->store.value;
	else if (statement->kind == OCLMM_STATEMENT_EVALUATE &&
	         statement->effect->kind == OCLMM_EXPRESSION_ATOMIC)
		value = &statement->effect->atomic->operand;
	return value && *value && (*value)->kind == OCLMM_EXPRESSION_REGISTER ? value : NULL;
}

bool oclmm_change_stores_register(const struct oclmm_statement *statement, uint32_t *ret_register)
{
	struct oclmm_statement copy = *statement;
	struct oclmm_expression **value = stored(&copy);

	if (!value)
		return false;
	*ret_register = (*value)->reg;
	return true;
}

void oclmm_change_again(const struct oclmm_edit *edit, struct oclmm_statement *store,
                        struct oclmm_statement *load)
{
	struct builder b = {edit->program, edit->arena, edit->thread, &load->next, load->position};
	uint32_t reg = oclmm_build_new_register(
		&b, edit->program->threads[edit->thread].registers[load->assign.reg].type);

	oclmm_build_assign(&b, reg, load->assign.value);
	*stored(store) = oclmm_build_read_register(&b, reg);
}
