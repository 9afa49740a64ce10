// SPDX-License-Identifier: Apache-2.0
/*
 * Single steps of a compiler, right or wrong: statements that change places, one access made of
 * two, a value from before, a branch that is always taken.
 */
#include <errno.h>

#include "builder.h"

OCLMM_LOOK_UP(const char *, oclmm_step_word, oclmm_moved_step, OCLMM_STEPS, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_step_meaning, oclmm_moved_step, OCLMM_STEPS, SECOND);

/* ---- what statements do ---- */

uint64_t oclmm_register_bit(uint32_t reg)
{
	return UINT64_C(1) << (reg < 63 ? reg : 63);
}

static int note_expression(void *data, const struct oclmm_expression *expression)
{
	struct oclmm_effects *effects = data;

	if (expression->kind == OCLMM_EXPRESSION_REGISTER)
		effects->reads |= oclmm_register_bit(expression->reg);
	if (expression->kind == OCLMM_EXPRESSION_ATOMIC &&
	    expression->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER) {
		effects->reads |= oclmm_register_bit(expression->atomic->comparand.reg);
		effects->writes |= oclmm_register_bit(expression->atomic->comparand.reg);
	}
	return 0;
}

static int note_use(void *data, const struct oclmm_use *use)
{
	struct oclmm_effects *effects = data;

	effects->accesses++;
	effects->location = use->place->location;
	return 0;
}

static int note_statement(void *data, const struct oclmm_statement *statement)
{
	struct oclmm_effects *effects = data;

	if (statement->kind == OCLMM_STATEMENT_ASSIGN)
		effects->writes |= oclmm_register_bit(statement->assign.reg);
	effects->synchronises |= statement->kind == OCLMM_STATEMENT_FENCE ||
	                         statement->kind == OCLMM_STATEMENT_COPY ||
	                         statement->kind == OCLMM_STATEMENT_WAIT ||
	                         statement->kind == OCLMM_STATEMENT_ENQUEUE ||
	                         statement->kind == OCLMM_STATEMENT_BARRIER;
	return 0;
}

struct oclmm_effects oclmm_statement_effects(const struct oclmm_statement *statement)
{
	static const struct oclmm_visitor visitor = {note_expression, note_use, note_statement};
	struct oclmm_statement alone = *statement;
	struct oclmm_effects effects = {0};

	alone.next = NULL;
	oclmm_visit_body(&visitor, &alone, &effects);
	return effects;
}

bool oclmm_effects_depend(const struct oclmm_effects *a, const struct oclmm_effects *b)
{
	return (a->writes & (b->reads | b->writes)) || (a->reads & b->writes);
}

/* The call that a statement is, where it is nothing else; NULL for any other. */
static const struct oclmm_atomic *call_of(const struct oclmm_statement *statement)
{
	const struct oclmm_expression *e = NULL;

	if (statement->kind == OCLMM_STATEMENT_ASSIGN)
		e = statement->assign.value;
	if (statement->kind == OCLMM_STATEMENT_EVALUATE)
		e = statement->effect;
	return e && e->kind == OCLMM_EXPRESSION_ATOMIC ? e->atomic : NULL;
}

/* Whether an expression, or none, may stand twice in the text. */
static bool is_value(const struct oclmm_expression *e)
{
	return !e || e->kind == OCLMM_EXPRESSION_CONSTANT || e->kind == OCLMM_EXPRESSION_REGISTER;
}

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
static void exchange(struct oclmm_statement **first, struct oclmm_statement **second)
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

static void move(struct oclmm_statement **from, struct oclmm_statement **to, bool behind)
{
	struct oclmm_statement *target = *to, *moved = take(from);

	if (behind)
		put(&target->next, moved);
	else
		put(to, moved);
}

/* A load takes its value from a register instead. */
static void reuse(const struct oclmm_edit *edit, struct oclmm_statement *load, uint32_t reg)
{
	const struct builder b = {.program = edit->program,
	                          .arena = edit->arena,
	                          .thread = edit->thread,
	                          .position = load->position};

	load->assign.value = oclmm_build_read_register(&b, reg);
}

static struct oclmm_expression *constant(const struct builder *b, enum oclmm_type type,
                                         int64_t value)
{
	return OCLMM_MAKE(b->arena, struct oclmm_expression, .kind = OCLMM_EXPRESSION_CONSTANT,
	                  .type = type, .position = b->position, .constant = value);
}

static struct oclmm_expression *cast(const struct builder *b, enum oclmm_type type,
                                     struct oclmm_expression *value)
{
	return OCLMM_MAKE(b->arena, struct oclmm_expression, .kind = OCLMM_EXPRESSION_CAST,
	                  .type = type, .position = b->position, .cast = value);
}

static const int64_t LOW = 0xffffffff;

/* ---- read-modify-writes ---- */

/* Whether a statement is a read-modify-write alone, and one that can be taken apart into a load
 * and a store. */
static bool can_split(const struct oclmm_statement *statement)
{
	const struct oclmm_atomic *a = call_of(statement);

	if (!a || !oclmm_operation_reads(a->op) || !oclmm_operation_writes(a->op))
		return false;
	/* a flag can be neither loaded nor stored */
	if (a->op == OCLMM_OP_FLAG_TEST_AND_SET || a->comparand.kind == OCLMM_COMPARAND_MEMORY)
		return false;
	return is_value(a->object.index) && is_value(a->operand) &&
	       (a->comparand.kind != OCLMM_COMPARAND_VALUE || is_value(a->comparand.value));
}

/* A compare-exchange of a floating-point object, taken apart, would compare numbers, not bits. */
static bool is_bitwise(const struct oclmm_program *program, const struct oclmm_atomic *a)
{
	return oclmm_operation_is_cas(a->op) &&
	       oclmm_type_is_floating(program->locations[a->object.location].type);
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
	enum oclmm_operator op = oclmm_build_operator(a->op);
	struct oclmm_expression *left = oclmm_build_read_register(b, old);

	if ((op == OCLMM_OPERATOR_ADD || op == OCLMM_OPERATOR_SUB) &&
	    !oclmm_type_is_floating(type) && oclmm_type_is_signed(type)) {
		type = oclmm_type_bits(type) == 64 ? OCLMM_TYPE_ULONG : OCLMM_TYPE_UINT;
		left = cast(b, type, left);
	}
	return oclmm_build_binary(b, op, type, left, a->operand);
}

static void split(const struct oclmm_edit *edit, struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link;
	const struct oclmm_atomic *a = call_of(statement);
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

/* The same for a load or store of 64 bits, which becomes two of 32. */
static bool can_halve(const struct oclmm_program *program, const struct oclmm_statement *statement)
{
	const struct oclmm_atomic *a = call_of(statement);
	const struct oclmm_location *location = a ? &program->locations[a->object.location] : NULL;

	if (!a || a->legacy || oclmm_type_is_floating(location->type) ||
	    oclmm_type_bits(location->type) != 64 || location->is_array)
		return false;
	if (a->op == OCLMM_OP_STORE)
		return is_value(a->operand) && is_only_writer(program, a->object.location);
	return a->op == OCLMM_OP_LOAD && statement->kind == OCLMM_STATEMENT_ASSIGN;
}

static struct oclmm_expression *join(const struct builder *b, enum oclmm_type type,
                                     struct oclmm_expression *low, struct oclmm_expression *high)
{
	return oclmm_build_binary(
		b, OCLMM_OPERATOR_OR, type,
		oclmm_build_binary(b, OCLMM_OPERATOR_AND, type, low, constant(b, type, LOW)),
		oclmm_build_binary(b, OCLMM_OPERATOR_AND, type, high, constant(b, type, ~LOW)));
}

/* As others see it: a load that reads each half at another time, a store that is half done. */
static void halve(const struct oclmm_edit *edit, struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link;
	const struct oclmm_atomic *a = call_of(statement);
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
	                       constant(&b, location->type, location->initial[0])));
}

/* ---- branches ---- */

/* A load keeps its value aside, so that the branch not taken changes no register. */
static void hoist(const struct oclmm_edit *edit, struct oclmm_statement **from,
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

/* A read-modify-write whose value is of a load of its own. */
static bool can_reload(const struct oclmm_statement *statement)
{
	return statement->kind == OCLMM_STATEMENT_ASSIGN && can_split(statement);
}

static void reload(const struct oclmm_edit *edit, struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link, *s;
	const struct oclmm_atomic *a = call_of(statement);
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
	                               constant(&b, OCLMM_TYPE_INT, 0)));
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

/* Whether a branch can be taken always: no other way, no barrier in it. */
static bool can_always(const struct oclmm_statement *statement)
{
	static const struct oclmm_visitor visitor = {.statement = note_barrier};

	return statement->kind == OCLMM_STATEMENT_IF && statement->branch.then_body &&
	       !statement->branch.else_body &&
	       oclmm_visit_body(&visitor, statement->branch.then_body, NULL) == 0;
}

static void take_always(struct oclmm_statement **link)
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

/* Makes a load twice, the second time for the store. */
static void load_again(const struct oclmm_edit *edit, struct oclmm_statement *store,
                       struct oclmm_statement *load)
{
	struct builder b = {edit->program, edit->arena, edit->thread, &load->next, load->position};
	uint32_t reg = oclmm_build_new_register(
		&b, edit->program->threads[edit->thread].registers[load->assign.reg].type);

	oclmm_build_assign(&b, reg, load->assign.value);
	*stored(store) = oclmm_build_read_register(&b, reg);
}

/* ---- any step ---- */

bool oclmm_step_possible(enum oclmm_moved_step step, const struct oclmm_program *program,
                         const struct oclmm_statement *statement)
{
	switch (step) {
	case OCLMM_STEP_SPLIT:
		return can_split(statement) && !is_bitwise(program, call_of(statement));
	case OCLMM_STEP_HALVES: return can_halve(program, statement);
	case OCLMM_STEP_RELOAD: return can_reload(statement);
	case OCLMM_STEP_ALWAYS: return can_always(statement);
	default: return true;
	}
}

void oclmm_change_step(const struct oclmm_edit *edit, enum oclmm_moved_step step,
                       struct oclmm_statement **from, struct oclmm_statement **to)
{
	switch (step) {
	case OCLMM_STEP_EXCHANGE: exchange(from, to); break;
	case OCLMM_STEP_LATE: move(from, to, true); break;
	case OCLMM_STEP_EARLY: move(from, to, false); break;
	case OCLMM_STEP_HOIST: hoist(edit, from, to); break;
	case OCLMM_STEP_DROP: take(from); break;
	case OCLMM_STEP_SPLIT: split(edit, from); break;
	case OCLMM_STEP_HALVES: halve(edit, from); break;
	case OCLMM_STEP_REUSE: reuse(edit, *from, (*to)->assign.reg); break;
	case OCLMM_STEP_RELOAD: reload(edit, from); break;
	case OCLMM_STEP_ALWAYS: take_always(from); break;
	case OCLMM_STEP_AGAIN: load_again(edit, *from, *to); break;
	default: break;
	}
}
