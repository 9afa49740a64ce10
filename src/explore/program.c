// SPDX-License-Identifier: Apache-2.0
/*
 * The threads of a litmus test as a source of the explorer's steps.
 *
 * A thread's state is where it stands in its body, block in block, how often its loops have turned,
 * and its registers. A statement makes one access at most, so that it is computed again from its
 * beginning once its atomic access has a result. Registers that are observed are stored, when the
 * thread ends, in cells behind those of the program.
 */
#include <errno.h>
#include <stdlib.h>

#include "oclmm/explore.h"
#include "oclmm/ir.h"

enum { DEEPEST = 16 };

struct block {
	const struct oclmm_statement *next;
	const struct oclmm_statement *loop; /* whose body it is; NULL: of none */
	uint64_t turns;                     /* of a branch which one it is, and which body */
};

struct at {
	uint64_t waits, depth, arrived; /* at a split barrier, for which it has not waited */
	struct block blocks[DEEPEST];
	int64_t registers[];
};

/* A plain store, whose value is numbered behind a thread's registers. */
struct stored {
	const struct oclmm_store *store;
	uint32_t value;
};

struct run {
	const struct oclmm_program *program;
	struct oclmm_slice *slices; /* by thread: registers, and what is stored plainly */
	struct stored *stores;
	size_t store_count, store_capacity;
	const bool *const *needed;     /* by thread and register: it is read, or observed */
	const uint32_t *register_cell; /* by observable */
	/* what writes, and whether some execution reaches it: an atomic function or a statement */
	const void **writers;
	bool *reached;
	size_t writer_count, writer_capacity;
	bool unspecified; /* something was divided where there is no quotient */
};

struct running {
	struct run *run;
	struct oclmm_explorer *explorer;
	unsigned thread;
	struct at *at;
	struct oclmm_explored_step *step;
	bool has_result;
	bool unused; /* nobody looks at the value of the statement */
	bool idle;   /* it is not needed, so far as is known */
	int64_t result;
	bool over; /* the step is made, or the search stops */
};

/* ---- what is taken ------------------------------------------------------- */

struct look {
	const struct oclmm_program *program;
	unsigned accesses;
	bool odd;
};

static int see_expression(void *data, const struct oclmm_expression *e)
{
	struct look *look = data;

	look->odd = look->odd || oclmm_type_is_floating(e->type);
	if (e->kind == OCLMM_EXPRESSION_LOAD || e->kind == OCLMM_EXPRESSION_ATOMIC)
		look->accesses++;
	if (e->kind == OCLMM_EXPRESSION_ATOMIC &&
	    e->atomic->comparand.kind == OCLMM_COMPARAND_MEMORY)
		look->odd = true;
	return 0;
}

static bool is_plain_sailing(const struct oclmm_program *p, const struct oclmm_expression *e)
{
	static const struct oclmm_visitor visitor = {.expression = see_expression};
	struct look look = {.program = p};

	if (e)
		oclmm_visit_expression(&visitor, e, &look);
	return look.accesses <= 1 && !look.odd;
}

static bool has_access(const struct oclmm_expression *e)
{
	static const struct oclmm_visitor visitor = {.expression = see_expression};
	struct look look = {0};

	if (e)
		oclmm_visit_expression(&visitor, e, &look);
	return look.accesses > 0;
}

static bool takes_body(const struct oclmm_program *p, const struct oclmm_statement *body,
                       unsigned depth)
{
	bool takes = depth < DEEPEST;

	for (const struct oclmm_statement *s = body; s && takes; s = s->next)
		switch (s->kind) {
		case OCLMM_STATEMENT_ASSIGN: takes = is_plain_sailing(p, s->assign.value); break;
		case OCLMM_STATEMENT_STORE:
			takes = is_plain_sailing(p, s->store.value) &&
			        !has_access(s->store.place.index);
			break;
		case OCLMM_STATEMENT_EVALUATE: takes = is_plain_sailing(p, s->effect); break;
		case OCLMM_STATEMENT_FENCE:
		case OCLMM_STATEMENT_CLOCK: break;
		case OCLMM_STATEMENT_BARRIER: takes = !s->barrier.value; break;
		case OCLMM_STATEMENT_IF:
			takes = is_plain_sailing(p, s->branch.condition) &&
			        takes_body(p, s->branch.then_body, depth + 1) &&
			        takes_body(p, s->branch.else_body, depth + 1);
			break;
		case OCLMM_STATEMENT_WHILE:
			takes = is_plain_sailing(p, s->loop.condition) &&
			        takes_body(p, s->loop.body, depth + 1);
			break;
		default: takes = false; break;
		}
	return takes;
}

static bool takes_program(const struct oclmm_program *p)
{
	for (uint32_t i = 0; i < p->location_count; i++) {
		const struct oclmm_location *l = &p->locations[i];

		if (l->space == OCLMM_SPACE_IMAGE || oclmm_type_is_floating(l->type) ||
		    (l->storage != OCLMM_STORAGE_BUFFER && l->storage != OCLMM_STORAGE_LOCAL))
			return false;
	}
	for (uint32_t t = 0; t < p->thread_count; t++) {
		const struct oclmm_placement *own = &p->threads[t].placement;

		if (own->host || own->child || oclmm_program_has_commands(p) ||
		    !oclmm_same_kernel(own, &p->threads[0].placement) ||
		    !takes_body(p, p->threads[t].body, 1))
			return false;
	}
	return true;
}

/* ---- computing ---------------------------------------------------------------- */

static uint64_t to_bits(enum oclmm_type type, int64_t value)
{
	unsigned bits = oclmm_type_bits(type);

	return bits < 64 ? (uint64_t)value & ((UINT64_C(1) << bits) - 1) : (uint64_t)value;
}

static int64_t fault(struct running *r, struct oclmm_position position)
{
	if (!r->over) {
		r->over = true;
		r->step->kind = OCLMM_EXPLORED_FAULT;
		r->step->where = oclmm_explored_at(position);
	}
	return 0;
}

static int64_t evaluate(struct running *r, const struct oclmm_expression *e);

static uint32_t cell_of(struct running *r, const struct oclmm_place *place)
{
	const struct oclmm_location *l = &r->run->program->locations[place->location];
	int64_t index = place->index ? evaluate(r, place->index) : 0;

	if (!r->over && (index < 0 || index >= l->elements))
		fault(r, place->position);
	return r->over ? 0 : l->first_cell + (uint32_t)index;
}

static enum oclmm_type type_at(const struct running *r, const struct oclmm_place *place)
{
	return r->run->program->locations[place->location].type;
}

static void assign(struct running *r, uint32_t reg, int64_t value)
{
	const struct oclmm_register *registers = r->run->program->threads[r->thread].registers;

	if (r->run->needed[r->thread][reg])
		r->at->registers[reg] = oclmm_value_wrap(registers[reg].type, value);
}

static uint64_t size_of(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* What an atomic function gives once its access is made. */
static int64_t result_of(struct running *r, const struct oclmm_expression *e)
{
	const struct oclmm_atomic *a = e->atomic;
	enum oclmm_type type = type_at(r, &a->object);
	int64_t read = oclmm_value_wrap(type, r->result);

	if (!oclmm_operation_is_cas(a->op))
		return a->op == OCLMM_OP_FLAG_TEST_AND_SET ? read != 0 : read;
	if (a->comparand.kind == OCLMM_COMPARAND_VALUE)
		return read;
	if (!oclmm_explored_failed(r->explorer))
		return 1;
	assign(r, a->comparand.reg, read);
	return 0;
}

static void reach(struct running *r, const void *writer)
{
	for (size_t i = 0; i < r->run->writer_count; i++)
		if (r->run->writers[i] == writer)
			r->run->reached[i] = true;
}

static int64_t make_access(struct running *r, const struct oclmm_expression *e)
{
	const struct oclmm_atomic *a = e->atomic;
	enum oclmm_type type = type_at(r, &a->object);
	struct oclmm_explored_step step = {.order = a->order,
	                                   .failure = a->failure,
	                                   .scope = a->scope,
	                                   .legacy = a->legacy,
	                                   .weak = a->op == OCLMM_OP_CAS_WEAK,
	                                   .op = a->op,
	                                   .unused = r->unused,
	                                   .is_signed = oclmm_type_is_signed(type),
	                                   .where = oclmm_explored_at(a->object.position)};

	if (r->has_result) {
		r->has_result = false;
		return result_of(r, e);
	}
	step.cell = cell_of(r, &a->object);
	if (a->operand)
		step.operand = to_bits(type, oclmm_value_wrap(type, evaluate(r, a->operand)));
	if (a->comparand.kind == OCLMM_COMPARAND_REGISTER)
		step.compare = to_bits(type,
		                       oclmm_value_wrap(type, r->at->registers[a->comparand.reg]));
	else if (a->comparand.kind == OCLMM_COMPARAND_VALUE)
		step.compare = to_bits(type,
		                       oclmm_value_wrap(type, evaluate(r, a->comparand.value)));
	if (r->over)
		return 0;
	if (a->op == OCLMM_OP_INIT) {
		r->over = !oclmm_explored_write(r->explorer, step.cell, step.operand, step.where);
		return 0;
	}
	switch (a->op) {
	case OCLMM_OP_LOAD: step.kind = OCLMM_EXPLORED_READ; break;
	case OCLMM_OP_STORE:
	case OCLMM_OP_FLAG_CLEAR: step.kind = OCLMM_EXPLORED_WRITE; break;
	case OCLMM_OP_CAS_STRONG:
	case OCLMM_OP_CAS_WEAK: step.kind = OCLMM_EXPLORED_COMPARE; break;
	case OCLMM_OP_FLAG_TEST_AND_SET:
		step.kind = OCLMM_EXPLORED_UPDATE;
		step.op = OCLMM_OP_EXCHANGE;
		step.operand = 1;
		break;
	default: step.kind = OCLMM_EXPLORED_UPDATE; break;
	}
	if (a->legacy)
		step.failure = step.order;
	reach(r, a);
	*r->step = step;
	r->at->waits = 1;
	r->over = true;
	return 0;
}

static int64_t load(struct running *r, const struct oclmm_place *place)
{
	uint32_t cell = cell_of(r, place);
	uint64_t value = 0;

	if (!r->over)
		r->over = !oclmm_explored_read(r->explorer, cell,
		                               oclmm_explored_at(place->position), &value);
	return oclmm_value_wrap(type_at(r, place), (int64_t)value);
}

/* Whether an operand is no more than a sum that decides nothing. */
static bool is_idle_sum(const struct running *r, const struct oclmm_expression *e)
{
	switch (e->kind) {
	case OCLMM_EXPRESSION_REGISTER: return !r->run->slices[r->thread].needed[e->reg];
	case OCLMM_EXPRESSION_CAST: return is_idle_sum(r, e->cast);
	case OCLMM_EXPRESSION_UNARY:
	case OCLMM_EXPRESSION_BINARY: return true;
	default: return false;
	}
}

/* Tells of what is computed for nothing how great it may become. */
static void note_idle(struct running *r, const struct oclmm_expression *left, int64_t a,
                      const struct oclmm_expression *right, int64_t b, enum oclmm_type type)
{
	bool first = is_idle_sum(r, left), second = right && is_idle_sum(r, right);
	uint64_t size = first ? 0 : size_of(a);

	if (right && !second && size_of(b) > size)
		size = size_of(b);
	oclmm_explored_unneeded(r->explorer, size, first && second ? 2 : 1, oclmm_type_bits(type));
}

static int64_t apply(struct running *r, const struct oclmm_expression *e)
{
	bool unary = e->kind == OCLMM_EXPRESSION_UNARY;
	enum oclmm_operator op = unary ? e->unary.op : e->binary.op;
	const struct oclmm_expression *left = unary ? e->unary.operand : e->binary.left;
	enum oclmm_type type = unary ? oclmm_common_type(left->type, left->type)
	                             : oclmm_operand_type(op, left->type, e->binary.right->type);
	int64_t a = evaluate(r, left), b = 0, value = 0;

	if (r->over)
		return 0;
	if (op == OCLMM_OPERATOR_LOGICAL_AND || op == OCLMM_OPERATOR_LOGICAL_OR) {
		if ((a != 0) == (op == OCLMM_OPERATOR_LOGICAL_OR))
			return a != 0;
		return evaluate(r, e->binary.right) != 0;
	}
	if (!unary)
		b = evaluate(r, e->binary.right);
	if (r->over)
		return 0;
	if (op != OCLMM_OPERATOR_SHL && op != OCLMM_OPERATOR_SHR)
		b = oclmm_value_wrap(type, b);
	if (r->idle)
		note_idle(r, left, oclmm_value_wrap(type, a), unary ? NULL : e->binary.right, b,
		          type);
	switch (oclmm_apply(op, type, oclmm_value_wrap(type, a), b, &value)) {
	case OCLMM_ARITHMETIC_OK: return value;
	case OCLMM_ARITHMETIC_OVERFLOW: break;
	/* any value at all, and a state holds one */
	case OCLMM_ARITHMETIC_DIVISION: r->run->unspecified |= !r->over; break;
	}
	return fault(r, e->position);
}

static int64_t evaluate(struct running *r, const struct oclmm_expression *e)
{
	if (r->over)
		return 0;
	switch (e->kind) {
	case OCLMM_EXPRESSION_CONSTANT: return e->constant;
	case OCLMM_EXPRESSION_REGISTER: return r->at->registers[e->reg];
	case OCLMM_EXPRESSION_LOAD: return load(r, &e->load);
	case OCLMM_EXPRESSION_ATOMIC: return make_access(r, e);
	case OCLMM_EXPRESSION_CAST: return oclmm_value_wrap(e->type, evaluate(r, e->cast));
	case OCLMM_EXPRESSION_UNARY:
	case OCLMM_EXPRESSION_BINARY: return apply(r, e);
	}
	return 0;
}

/* ---- statements ------------------------------------------------------------------- */

static uint32_t label_number(const struct oclmm_program *p, const char *label)
{
	uint32_t n = 1;

	if (!label)
		return 0;
	for (uint32_t t = 0; t < p->thread_count; t++)
		for (const struct oclmm_statement *s = p->threads[t].body; s; s = s->next, n++)
			if (s->kind == OCLMM_STATEMENT_BARRIER && s->barrier.label &&
			    strcmp(s->barrier.label, label) == 0)
				return n;
	return UINT32_MAX;
}

static void enter(struct running *r, const struct oclmm_statement *body,
                  const struct oclmm_statement *loop, uint64_t turns)
{
	r->at->blocks[r->at->depth++] = (struct block){.next = body, .loop = loop, .turns = turns};
}

static uint32_t stored_value(const struct run *run, const struct oclmm_store *store)
{
	size_t i = 0;

	while (run->stores[i].store != store)
		i++;
	return run->stores[i].value;
}

static void store(struct running *r, const struct oclmm_store *store)
{
	enum oclmm_type type = type_at(r, &store->place);
	struct oclmm_slice *slice = &r->run->slices[r->thread];
	uint32_t number = stored_value(r->run, store), cell;
	int64_t value;

	/* its statement is found by what it holds */
	reach(r, store);
	r->idle = !slice->needed[number];
	value = evaluate(r, store->value);
	r->idle = false;
	cell = cell_of(r, &store->place);
	if (!r->over)
		oclmm_explored_store_of(r->explorer, cell, slice, number);
	if (!r->over)
		r->over = !oclmm_explored_write(r->explorer, cell,
		                                to_bits(type, oclmm_value_wrap(type, value)),
		                                oclmm_explored_at(store->place.position));
}

static void fence(struct running *r, const struct oclmm_fence *f)
{
	if (f->order != OCLMM_ORDER_RELAXED)
		oclmm_explored_fence(r->explorer, f->order, f->scope, f->flags, 0);
}

/* Of a text that work-items share: by which branches and turns they come to a statement. Texts of
 * their own meet barrier by barrier (docs/model.md, 9). */
static uint64_t turn_of(const struct running *r, const struct oclmm_statement *s)
{
	uint64_t words[2 * DEEPEST + 1], count = 0;

	if (!r->run->program->shared)
		return 0;
	words[count++] = s->written;
	for (uint64_t i = 0; i < r->at->depth; i++) {
		const struct block *block = &r->at->blocks[i];

		words[count++] = block->loop ? block->loop->written : 0;
		words[count++] = block->turns;
	}
	return oclmm_hash(words, count * sizeof(*words));
}

static void barrier(struct running *r, const struct oclmm_statement *s)
{
	const struct oclmm_barrier *b = &s->barrier;
	bool waits = b->part == OCLMM_BARRIER_WAIT;
	struct oclmm_explored_step step;

	if (r->has_result) {
		r->has_result = false;
		return;
	}
	/* arrivals and waits take turns, with no other barrier of the group between */
	if (!b->sub_group && !b->collective && (r->at->arrived != 0) != waits) {
		r->step->kind = OCLMM_EXPLORED_FAULT;
		r->step->where = oclmm_explored_at(s->position);
		r->over = true;
		return;
	}
	step = (struct oclmm_explored_step){
		.kind = OCLMM_EXPLORED_BARRIER,
		.waits = waits,
		.flags = b->flags,
		.scope = b->scope,
		.sub_group = b->sub_group,
		.collective = b->collective,
		.turn = turn_of(r, s),
		.where = label_number(r->run->program, b->label),
	};
	if (b->part == OCLMM_BARRIER_ARRIVE) {
		r->at->arrived = 1;
		r->over = !oclmm_explored_arrive(r->explorer, &step);
		return;
	}
	r->at->arrived = waits ? 0 : r->at->arrived;
	*r->step = step;
	r->at->waits = 1;
	r->over = true;
}

/* Whether nobody looks at what the atomic function of a statement gives. */
static bool is_unused(const struct running *r, const struct oclmm_statement *s)
{
	const struct oclmm_expression *e = s->kind == OCLMM_STATEMENT_EVALUATE ? s->effect : NULL;

	if (s->kind == OCLMM_STATEMENT_ASSIGN && !r->run->needed[r->thread][s->assign.reg])
		e = s->assign.value;
	while (e && e->kind == OCLMM_EXPRESSION_CAST)
		e = e->cast;
	return e && e->kind == OCLMM_EXPRESSION_ATOMIC;
}

static void execute(struct running *r, struct block *top)
{
	const struct oclmm_statement *s = top->next;
	int64_t value;

	r->unused = is_unused(r, s);
	switch (s->kind) {
	case OCLMM_STATEMENT_ASSIGN:
		r->idle = !r->run->slices[r->thread].needed[s->assign.reg];
		value = evaluate(r, s->assign.value);
		if (!r->over && r->idle && !is_idle_sum(r, s->assign.value))
			oclmm_explored_unneeded(r->explorer, size_of(value), 0, 0);
		r->idle = false;
		if (!r->over)
			assign(r, s->assign.reg, value);
		break;
	case OCLMM_STATEMENT_STORE: store(r, &s->store); break;
	case OCLMM_STATEMENT_EVALUATE: evaluate(r, s->effect); break;
	case OCLMM_STATEMENT_FENCE: fence(r, &s->fence); break;
	case OCLMM_STATEMENT_BARRIER: barrier(r, s); break;
	case OCLMM_STATEMENT_CLOCK: break;
	case OCLMM_STATEMENT_IF:
		value = evaluate(r, s->branch.condition);
		if (!r->over)
			enter(r, value ? s->branch.then_body : s->branch.else_body, NULL,
			      (uint64_t)s->written << 1 | (value == 0));
		break;
	default: enter(r, NULL, s, 0); break;
	}
	if (!r->over)
		top->next = s->next;
}

static void finish(struct running *r)
{
	const struct oclmm_program *p = r->run->program;

	for (uint32_t i = 0; i < p->observable_count && !r->over; i++) {
		const struct oclmm_observable *o = &p->observables[i];

		if (o->is_register && o->thread == r->thread)
			r->over = !oclmm_explored_write(r->explorer, r->run->register_cell[i],
			                                (uint64_t)r->at->registers[o->reg], 0);
	}
	memset(r->at->registers, 0,
	       p->threads[r->thread].register_count * sizeof(*r->at->registers));
	r->step->kind = OCLMM_EXPLORED_END;
	r->over = true;
}

static void leave(struct running *r, struct block *top)
{
	*top = (struct block){0};
	if (--r->at->depth == 0)
		finish(r);
}

/* A loop's condition, when its body has ended or is to begin. */
static void turn(struct running *r, struct block *top)
{
	const struct oclmm_loop *loop = &top->loop->loop;
	bool again = evaluate(r, loop->condition) != 0;

	if (r->over)
		return;
	if (!again) {
		leave(r, top);
	} else if (top->turns == loop->unroll) {
		r->step->kind = OCLMM_EXPLORED_CUT;
		r->step->where = oclmm_explored_at(top->loop->position);
		r->over = true;
	} else {
		top->turns++;
		top->next = loop->body;
	}
}

/* ---- the source ---------------------------------------------------------------------- */

static void begin(void *data, unsigned thread, struct oclmm_thread_bytes *state)
{
	struct run *run = data;
	const struct oclmm_thread *t = &run->program->threads[thread];
	size_t size = sizeof(struct at) + t->register_count * sizeof(int64_t);
	struct at *at;

	if (state->capacity < size) {
		state->capacity = size;
		state->bytes = oclmm_realloc(state->bytes, size);
	}
	memset(state->bytes, 0, size);
	state->size = size;
	at = (struct at *)(void *)state->bytes;
	at->depth = 1;
	at->blocks[0].next = t->body;
	for (uint32_t i = 0; i < t->register_count; i++)
		at->registers[i] = t->registers[i].initial;
}

static void advance(void *data, struct oclmm_explorer *explorer, unsigned thread,
                    struct oclmm_thread_bytes *state, uint64_t result,
                    struct oclmm_explored_step *ret_step)
{
	struct running r = {.run = data,
	                    .explorer = explorer,
	                    .thread = thread,
	                    .at = (struct at *)(void *)state->bytes,
	                    .step = ret_step,
	                    .result = (int64_t)result};

	r.has_result = r.at->waits;
	r.at->waits = 0;
	while (!r.over) {
		struct block *top = &r.at->blocks[r.at->depth - 1];

		if (top->next)
			execute(&r, top);
		else if (top->loop)
			turn(&r, top);
		else
			leave(&r, top);
	}
}

/* Of the collective functions that a litmus test has, it knows the result. */
static uint64_t collect(void *data, const struct oclmm_explored_step *const *steps, unsigned count,
                        unsigned rank)
{
	(void)data;
	(void)steps;
	(void)count;
	(void)rank;
	return 0;
}

static int see_register(void *data, const struct oclmm_expression *e)
{
	bool *needed = data;
	uint32_t reg;

	if (oclmm_expression_register(e, &reg))
		needed[reg] = true;
	return 0;
}

static void add_writer(struct run *run, const void *writer)
{
	oclmm_grow(&run->writers, &run->writer_capacity, run->writer_count, sizeof(*run->writers));
	run->writers[run->writer_count++] = writer;
}

static int see_writer(void *data, const struct oclmm_expression *e)
{
	struct run *run = data;

	if (e->kind != OCLMM_EXPRESSION_ATOMIC || !oclmm_operation_writes(e->atomic->op) ||
	    e->atomic->op == OCLMM_OP_INIT)
		return 0;
	add_writer(run, e->atomic);
	return 0;
}

static int see_store(void *data, const struct oclmm_statement *s)
{
	if (s->kind == OCLMM_STATEMENT_STORE)
		add_writer(data, &s->store);
	return 0;
}

/* A write that no execution reaches may be one that each of two reads would let happen. */
static void find_writers(struct run *run)
{
	static const struct oclmm_visitor visitor = {.expression = see_writer,
	                                             .statement = see_store};

	for (uint32_t t = 0; t < run->program->thread_count; t++)
		oclmm_visit_body(&visitor, run->program->threads[t].body, run);
	run->reached = oclmm_calloc(run->writer_count + 1, sizeof(*run->reached));
}

static const bool *const *find_needed(struct oclmm_arena *arena, const struct oclmm_program *p)
{
	static const struct oclmm_visitor visitor = {.expression = see_register};
	bool **needed = OCLMM_NEW_ARRAY(arena, bool *, p->thread_count + 1);

	for (uint32_t t = 0; t < p->thread_count; t++) {
		needed[t] = OCLMM_NEW_ARRAY(arena, bool, p->threads[t].register_count + 1);
		oclmm_visit_body(&visitor, p->threads[t].body, needed[t]);
	}
	for (uint32_t i = 0; i < p->observable_count; i++)
		if (p->observables[i].is_register)
			needed[p->observables[i].thread][p->observables[i].reg] = true;
	return (const bool *const *)needed;
}

/* ---- which values are needed ------------------------------------------------- */

struct slicing {
	struct run *run;
	struct oclmm_slice *slice;
	const struct oclmm_register *registers;
	uint32_t next; /* number of a stored value */
	bool needs;    /* the second time: what is needed, and not what comes of what */
};

static int need_register(void *data, const struct oclmm_expression *e)
{
	const struct slicing *s = data;
	uint32_t reg;

	if (!s->needs)
		return 0;
	if (oclmm_expression_register(e, &reg))
		oclmm_slice_need(s->slice, reg);
	return 0;
}

static void need_all(struct slicing *s, const struct oclmm_expression *e)
{
	static const struct oclmm_visitor visitor = {.expression = need_register};

	if (e)
		oclmm_visit_expression(&visitor, e, s);
}

/* Whether an operator does no more than to make its result of its operands, and one that stays as
 * small as they are. */
static bool is_computed(enum oclmm_operator op)
{
	switch (op) {
	case OCLMM_OPERATOR_ADD:
	case OCLMM_OPERATOR_SUB:
	case OCLMM_OPERATOR_AND:
	case OCLMM_OPERATOR_OR:
	case OCLMM_OPERATOR_XOR: return true;
	default: return false;
	}
}

/* Whether a conversion leaves a number as it is, if it fits. */
static bool is_kept(enum oclmm_type from, enum oclmm_type to)
{
	return oclmm_type_is_signed(from) == oclmm_type_is_signed(to) ||
	       (oclmm_type_is_signed(to) && oclmm_type_bits(to) > oclmm_type_bits(from));
}

/* A value of a type comes of an expression. */
static void flow(struct slicing *s, const struct oclmm_expression *e, uint32_t to,
                 enum oclmm_type type)
{
	bool is_simple = is_kept(e->type, type);

	if (is_simple && e->kind == OCLMM_EXPRESSION_CONSTANT)
		return;
	if (is_simple && e->kind == OCLMM_EXPRESSION_REGISTER) {
		if (!s->needs)
			oclmm_slice_flow(s->slice, e->reg, to);
		return;
	}
	if (is_simple && e->kind == OCLMM_EXPRESSION_CAST) {
		flow(s, e->cast, to, e->type);
		return;
	}
	if (is_simple && e->kind == OCLMM_EXPRESSION_BINARY && is_computed(e->binary.op)) {
		enum oclmm_type own = oclmm_operand_type(e->binary.op, e->binary.left->type,
		                                         e->binary.right->type);

		/* below 0 it would wrap */
		if (oclmm_type_is_signed(own) || e->binary.op != OCLMM_OPERATOR_SUB) {
			flow(s, e->binary.left, to, own);
			flow(s, e->binary.right, to, own);
			return;
		}
	}
	need_all(s, e);
}

static int slice_statement(void *data, const struct oclmm_statement *s)
{
	struct slicing *slicing = data;
	struct run *run = slicing->run;

	switch (s->kind) {
	case OCLMM_STATEMENT_ASSIGN:
		flow(slicing, s->assign.value, s->assign.reg,
		     slicing->registers[s->assign.reg].type);
		break;
	case OCLMM_STATEMENT_STORE:
		need_all(slicing, s->store.place.index);
		flow(slicing, s->store.value, slicing->next,
		     run->program->locations[s->store.place.location].type);
		if (!slicing->needs) {
			oclmm_grow(&run->stores, &run->store_capacity, run->store_count,
			           sizeof(*run->stores));
			run->stores[run->store_count++] = (struct stored){&s->store, slicing->next};
		}
		slicing->next++;
		break;
	case OCLMM_STATEMENT_EVALUATE: need_all(slicing, s->effect); break;
	case OCLMM_STATEMENT_IF: need_all(slicing, s->branch.condition); break;
	case OCLMM_STATEMENT_WHILE: need_all(slicing, s->loop.condition); break;
	default: break;
	}
	return 0;
}

static int count_statement(void *data, const struct oclmm_statement *s)
{
	(void)s;
	++*(uint32_t *)data;
	return 0;
}

/* \return whether some register is looked at for nothing */
static bool find_slices(struct oclmm_arena *arena, struct run *run)
{
	static const struct oclmm_visitor visitor = {.statement = slice_statement},
					  counter = {.statement = count_statement};
	const struct oclmm_program *p = run->program;
	bool idle = false;

	run->slices = OCLMM_NEW_ARRAY(arena, struct oclmm_slice, p->thread_count + 1);
	for (uint32_t t = 0; t < p->thread_count; t++) {
		struct slicing s = {.run = run,
		                    .slice = &run->slices[t],
		                    .registers = p->threads[t].registers};
		uint32_t values = p->threads[t].register_count;

		oclmm_visit_body(&counter, p->threads[t].body, &values);
		oclmm_slice_begin(arena, values, s.slice);
		for (int pass = 0; pass < 2; pass++) {
			s.needs = pass == 1;
			s.next = p->threads[t].register_count;
			oclmm_visit_body(&visitor, p->threads[t].body, &s);
		}
		for (uint32_t i = 0; i < p->observable_count; i++)
			if (p->observables[i].is_register && p->observables[i].thread == t)
				oclmm_slice_need(s.slice, p->observables[i].reg);
		for (uint32_t i = 0; i < p->threads[t].register_count; i++)
			idle = idle || (run->needed[t][i] && !s.slice->needed[i]);
	}
	return idle;
}

static void forget(void *data, unsigned thread, struct oclmm_thread_bytes *copy)
{
	const struct run *run = data;
	struct at *at = (struct at *)(void *)copy->bytes;

	for (uint32_t i = 0; i < run->program->threads[thread].register_count; i++)
		if (!run->slices[thread].needed[i])
			at->registers[i] = 0;
}

static uint32_t place_threads(const struct oclmm_program *p, struct oclmm_explored_thread *threads)
{
	for (uint32_t t = 0; t < p->thread_count; t++) {
		const struct oclmm_placement *own = &p->threads[t].placement;

		threads[t].group = threads[t].sub_group = t;
		for (uint32_t u = t; u-- > 0;) {
			const struct oclmm_placement *other = &p->threads[u].placement;

			if (other->work_group != own->work_group)
				continue;
			threads[t].group = threads[u].group;
			if (own->sub_group_given && other->sub_group_given &&
			    own->sub_group == other->sub_group)
				threads[t].sub_group = threads[u].sub_group;
		}
	}
	return p->thread_count;
}

/* The values of the observables in place of those of the cells. */
static void order_values(struct oclmm_explored *found, const struct oclmm_program *p,
                         const struct oclmm_cell *cells, const uint32_t *cell_of_observable)
{
	for (size_t i = 0; i < found->state_count; i++) {
		uint64_t *values = OCLMM_NEW_ARRAY(found->arena, uint64_t, p->observable_count + 1);

		for (uint32_t o = 0; o < p->observable_count; o++) {
			uint32_t rank = 0;

			for (uint32_t c = 0; c < cell_of_observable[o]; c++)
				rank += cells[c].observed;
			values[o] = (uint64_t)oclmm_value_wrap(
				p->observables[o].type, (int64_t)found->states[i].values[rank]);
		}
		found->states[i].values = values;
	}
}

int oclmm_explore_program(const struct oclmm_program *program,
                          const struct oclmm_explore_options *options,
                          struct oclmm_explored **ret_found)
{
	struct oclmm_arena *arena;
	struct oclmm_cell *cells;
	struct oclmm_explored_thread *threads;
	uint32_t count = program->cell_count, *cell;
	struct run run = {.program = program};
	struct oclmm_explored_source source = {
		.data = &run, .begin = begin, .advance = advance, .collect = collect};
	int r;

	if (!takes_program(program))
		return -EOPNOTSUPP;
	arena = oclmm_arena_create();
	cells = OCLMM_NEW_ARRAY(arena, struct oclmm_cell, count + program->observable_count + 1);
	cell = OCLMM_NEW_ARRAY(arena, uint32_t, program->observable_count + 1);
	threads = OCLMM_NEW_ARRAY(arena, struct oclmm_explored_thread, program->thread_count + 1);
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t k = 0; k < l->elements; k++)
			cells[l->first_cell + k] =
				(struct oclmm_cell){.size = (uint8_t)(oclmm_type_bits(l->type) / 8),
			                            .region = l->space,
			                            .initial = to_bits(l->type, l->initial[k])};
	}
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		cell[i] = o->is_register ? count++
		                         : program->locations[o->location].first_cell + o->element;
		if (o->is_register)
			cells[cell[i]].size = 8;
		cells[cell[i]].observed = true;
	}
	run.needed = find_needed(arena, program);
	find_writers(&run);
	if (find_slices(arena, &run))
		source.forget = forget;
	run.register_cell = cell;
	source.thread_count = place_threads(program, threads);
	source.threads = threads;
	source.cells = cells;
	source.cell_count = count;
	r = oclmm_explore(&source, options, ret_found);
	for (size_t i = 0; i < run.writer_count; i++)
		(*ret_found)->early |= !run.reached[i] && (*ret_found)->loose;
	free(run.writers);
	free(run.reached);
	free(run.stores);
	order_values(*ret_found, program, cells, cell);
	oclmm_arena_destroy(arena);
	if (run.unspecified) {
		oclmm_explored_destroy(*ret_found);
		return -EOPNOTSUPP;
	}
	return r;
}
