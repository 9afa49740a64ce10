// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <string.h>

enum { MAX_CELLS = 8, MAX_THREADS = 4, MAX_REGISTERS = 16, MAX_OBSERVABLES = 16 };

struct state {
	int64_t cells[MAX_CELLS];
	struct work_item {
		const struct oclmm_statement *at;
		bool half; /* the first of two steps of a statement is done */
		int64_t pending;
		int64_t registers[MAX_REGISTERS];
	} threads[MAX_THREADS];
	uint32_t last;     /* who made the last step */
	uint32_t switches; /* how often another one came to be who */
};

struct machine {
	const struct oclmm_program *program;
	enum mistake mistake;
	const struct site *site;
	machine_seen seen;
	void *data;
};

/* ---- what it can run ------------------------------------------------- */

static bool is_simple(const struct oclmm_expression *expression)
{
	return expression->kind == OCLMM_EXPRESSION_CONSTANT ||
	       expression->kind == OCLMM_EXPRESSION_REGISTER;
}

static const struct oclmm_expression *expression_of(const struct oclmm_statement *statement)
{
	if (statement->kind == OCLMM_STATEMENT_ASSIGN)
		return statement->assign.value;
	return statement->kind == OCLMM_STATEMENT_EVALUATE ? statement->effect : NULL;
}

/* The atomic function of a statement, or NULL. */
static const struct oclmm_atomic *atomic_of(const struct oclmm_statement *statement)
{
	const struct oclmm_expression *expression = expression_of(statement);

	return expression && expression->kind == OCLMM_EXPRESSION_ATOMIC ? expression->atomic
	                                                                 : NULL;
}

static bool can_run_statement(const struct oclmm_statement *statement)
{
	const struct oclmm_expression *expression = expression_of(statement);
	const struct oclmm_atomic *atomic;

	if (!expression)
		return false;
	if (expression->kind != OCLMM_EXPRESSION_ATOMIC)
		return is_simple(expression);
	atomic = expression->atomic;
	if (atomic->object.index || atomic->comparand.kind == OCLMM_COMPARAND_MEMORY ||
	    atomic->op == OCLMM_OP_INIT || (atomic->operand && !is_simple(atomic->operand)))
		return false;
	return atomic->comparand.kind != OCLMM_COMPARAND_VALUE ||
	       is_simple(atomic->comparand.value);
}

bool machine_can_run(const struct oclmm_program *program)
{
	if (program->cell_count > MAX_CELLS || program->thread_count > MAX_THREADS ||
	    program->observable_count > MAX_OBSERVABLES)
		return false;
	for (uint32_t t = 0; t < program->thread_count; t++) {
		const struct oclmm_thread *thread = &program->threads[t];

		if (thread->register_count > MAX_REGISTERS)
			return false;
		for (const struct oclmm_statement *s = thread->body; s; s = s->next) {
			if (!can_run_statement(s))
				return false;
		}
	}
	return true;
}

/* ---- sites ----------------------------------------------------------- */

struct site machine_site(const struct oclmm_program *program, const struct oclmm_atomic *atomic,
                         bool used)
{
	size_t length = strlen(atomic->spelling);
	const char *last = length > 4 ? atomic->spelling + length - 4 : "";

	return (struct site){
		.op = atomic->op,
		.type = program->locations[atomic->object.location].type,
		.form = atomic->legacy          ? FORM_LEGACY
	                : atomic->order_written ? FORM_EXPLICIT
	                                        : FORM_SHORT,
		.used = used && oclmm_operation_reads(atomic->op),
		.by_one = strcmp(last, "_inc") == 0 || strcmp(last, "_dec") == 0,
	};
}

static struct site site_of(const struct oclmm_program *program,
                           const struct oclmm_statement *statement)
{
	return machine_site(program, atomic_of(statement),
	                    statement->kind == OCLMM_STATEMENT_ASSIGN);
}

static bool same_site(const struct site *a, const struct site *b)
{
	return a->op == b->op && a->type == b->type && a->form == b->form && a->used == b->used &&
	       a->by_one == b->by_one;
}

bool machine_has(const struct oclmm_program *program, const struct site *site)
{
	for (uint32_t t = 0; t < program->thread_count; t++) {
		for (const struct oclmm_statement *s = program->threads[t].body; s; s = s->next) {
			struct site found;

			if (!atomic_of(s))
				continue;
			found = site_of(program, s);
			if (same_site(&found, site))
				return true;
		}
	}
	return false;
}

/* ---- steps ----------------------------------------------------------- */

static int64_t value_of(const struct work_item *item, const struct oclmm_expression *expression,
                        enum oclmm_type type)
{
	if (!expression)
		return 0;
	return oclmm_value_wrap(type, expression->kind == OCLMM_EXPRESSION_CONSTANT
	                                      ? expression->constant
	                                      : item->registers[expression->reg]);
}

static struct input input_of(const struct work_item *item, const struct oclmm_atomic *atomic,
                             const struct oclmm_location *location, int64_t old)
{
	struct input input = {
		.old = old,
		.operand = value_of(item, atomic->operand, location->type),
	};

	if (atomic->comparand.kind == OCLMM_COMPARAND_REGISTER)
		input.expected = oclmm_value_wrap(location->type,
		                                  item->registers[atomic->comparand.reg]);
	else if (atomic->comparand.kind == OCLMM_COMPARAND_VALUE)
		input.expected = value_of(item, atomic->comparand.value, location->type);
	return input;
}

/* What the call leaves in registers. */
static void finish(const struct machine *machine, struct work_item *item, uint32_t thread,
                   const struct effect *effect)
{
	const struct oclmm_register *registers = machine->program->threads[thread].registers;
	const struct oclmm_atomic *atomic = atomic_of(item->at);

	if (atomic->comparand.kind == OCLMM_COMPARAND_REGISTER)
		item->registers[atomic->comparand.reg] = effect->expected;
	if (item->at->kind == OCLMM_STATEMENT_ASSIGN) {
		uint32_t reg = item->at->assign.reg;

		item->registers[reg] = oclmm_value_wrap(registers[reg].type, effect->result);
	}
	item->at = item->at->next;
	item->half = false;
}

/* An update in two steps: what the first one read is updated by the second one. */
static void split_step(const struct machine *machine, struct work_item *item, uint32_t thread,
                       const struct site *site, int64_t *cell)
{
	const struct oclmm_atomic *atomic = atomic_of(item->at);
	const struct oclmm_location *location =
		&machine->program->locations[atomic->object.location];
	struct input input;
	struct effect effect;

	if (!item->half) {
		item->half = true;
		item->pending = *cell;
		return;
	}
	input = input_of(item, atomic, location, item->pending);
	effect = mistake_effect(MISTAKE_NONE, site, &input);
	/* one that fails stores nothing */
	if (!oclmm_operation_is_cas(site->op) || input.old == input.expected)
		*cell = effect.stored;
	finish(machine, item, thread, &effect);
}

/* The low half, and then the high one. */
static void torn_step(const struct machine *machine, struct work_item *item, uint32_t thread,
                      int64_t *cell)
{
	const struct oclmm_atomic *atomic = atomic_of(item->at);
	const struct oclmm_location *location =
		&machine->program->locations[atomic->object.location];
	uint64_t low = UINT64_MAX >> (64 - oclmm_type_bits(location->type) / 2);
	uint64_t half = item->half ? ~low : low;
	struct effect effect = {0};

	if (atomic->op == OCLMM_OP_LOAD) {
		uint64_t before = item->half ? (uint64_t)item->pending & low : 0;

		item->pending = (int64_t)(before | ((uint64_t)*cell & half));
	} else {
		int64_t value = value_of(item, atomic->operand, location->type);

		*cell = oclmm_value_wrap(location->type, (int64_t)(((uint64_t)*cell & ~half) |
		                                                   ((uint64_t)value & half)));
	}
	if (!item->half) {
		item->half = true;
		return;
	}
	effect.result = oclmm_value_wrap(location->type, item->pending);
	finish(machine, item, thread, &effect);
}

static void atomic_step(const struct machine *machine, struct state *state, uint32_t thread)
{
	struct work_item *item = &state->threads[thread];
	const struct oclmm_atomic *atomic = atomic_of(item->at);
	const struct oclmm_location *location =
		&machine->program->locations[atomic->object.location];
	int64_t *cell = &state->cells[location->first_cell];
	struct site site = site_of(machine->program, item->at);
	enum mistake mistake = same_site(&site, machine->site) ? machine->mistake : MISTAKE_NONE;
	struct input input = input_of(item, atomic, location, *cell);
	struct effect effect;

	if (mistake == MISTAKE_SPLIT) {
		split_step(machine, item, thread, &site, cell);
	} else if (mistake == MISTAKE_TORN) {
		torn_step(machine, item, thread, cell);
	} else {
		effect = mistake_effect(mistake, &site, &input);
		*cell = effect.stored;
		finish(machine, item, thread, &effect);
	}
}

/* Registers are nobody else's: what only sets them is done at once. */
static void set_registers(const struct machine *machine, struct state *state, uint32_t thread)
{
	struct work_item *item = &state->threads[thread];
	const struct oclmm_register *registers = machine->program->threads[thread].registers;

	for (; item->at && !atomic_of(item->at); item->at = item->at->next) {
		uint32_t reg = item->at->assign.reg;

		if (item->at->kind == OCLMM_STATEMENT_ASSIGN)
			item->registers[reg] = value_of(item, item->at->assign.value,
			                                registers[reg].type);
	}
}

/* ---- all orders ------------------------------------------------------ */

static void report(const struct machine *machine, const struct state *state)
{
	const struct oclmm_program *program = machine->program;
	int64_t values[MAX_OBSERVABLES] = {0};

	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		values[i] = o->is_register
		                    ? state->threads[o->thread].registers[o->reg]
		                    : state->cells[program->locations[o->location].first_cell +
		                                   o->element];
	}
	machine->seen(machine->data, values, state->switches > program->thread_count);
}

static void explore(const struct machine *machine, const struct state *state)
{
	bool ended = true;

	for (uint32_t t = 0; t < machine->program->thread_count; t++) {
		struct state next = *state;

		if (!state->threads[t].at)
			continue;
		ended = false;
		next.switches += t != state->last;
		next.last = t;
		atomic_step(machine, &next, t);
		set_registers(machine, &next, t);
		explore(machine, &next);
	}
	if (ended)
		report(machine, state);
}

void machine_run(const struct oclmm_program *program, enum mistake mistake, const struct site *site,
                 machine_seen seen, void *data)
{
	const struct machine machine = {program, mistake, site, seen, data};
	struct state start = {.last = UINT32_MAX};

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t e = 0; e < l->elements; e++)
			start.cells[l->first_cell + e] = l->initial ? l->initial[e] : 0;
	}
	for (uint32_t t = 0; t < program->thread_count; t++) {
		const struct oclmm_thread *thread = &program->threads[t];

		start.threads[t].at = thread->body;
		for (uint32_t r = 0; r < thread->register_count; r++)
			start.threads[t].registers[r] = thread->registers[r].initial;
		set_registers(&machine, &start, t);
	}
	explore(&machine, &start);
}
