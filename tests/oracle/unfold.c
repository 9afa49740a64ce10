// SPDX-License-Identifier: Apache-2.0
/*
 * Runs one thread by itself in every way: each read takes any value of its
 * cell's domain.
 */
#include <errno.h>
#include <string.h>

#include "run.h"
#include "settings.h"

/** Goes to the next sequence of choices. \return false after the last. */
static bool next_choices(struct run *run)
{
	while (run->chosen > 0) {
		unsigned last = run->chosen - 1;

		if (run->choice[last] + 1 < run->bound[last]) {
			run->choice[last]++;
			return true;
		}
		run->chosen--;
	}
	return false;
}

static void execute(struct run *run, const struct oclmm_statement *statement);

static void execute_store(struct run *run, const struct oclmm_store *store)
{
	struct oclmm_expression *const list[2] = {store->place.index, store->value};
	struct value values[2];

	run_evaluate_unsequenced(run, 2, list, values);
	if (!run->stopped)
		run_plain_write(run, &store->place, &values[0], &values[1]);
}

static void execute_assignment(struct run *run, const struct oclmm_assign *assign)
{
	struct value value = run_evaluate(run, assign->value);

	if (run->stopped)
		return;
	value.number = oclmm_value_wrap(run->thread->registers[assign->reg].type, value.number);
	run->registers[assign->reg] = value;
}

/** A relaxed fence is no event; a host fence covers global memory with scope all. */
static void execute_fence(struct run *run, const struct oclmm_fence *fence)
{
	struct event event = {
		.fence = true,
		.order = fence->order,
		.scope = fence->scope,
		.flags = fence->flags,
		.one_way = is_one_way_fence(fence),
	};

	if (event.order == OCLMM_ORDER_RELAXED)
		return;
	if (run->thread->placement.host) {
		event.scope = OCLMM_SCOPE_ALL_SVM_DEVICES;
		event.flags = OCLMM_FLAG_GLOBAL;
	}
	run_add_event(run, &event);
}

/** Arrivals and waits take turns, and no other barrier of the work-group stands between. */
static void take_turns(struct run *run, const struct oclmm_barrier *barrier)
{
	switch (barrier->part) {
	case OCLMM_BARRIER_WHOLE:
		if (run->arrived && !barrier->sub_group && !barrier->collective)
			run_stop(run, OCLMM_UNDEFINED_SPLIT_BARRIER);
		break;
	case OCLMM_BARRIER_ARRIVE:
		if (run->arrived)
			run_stop(run, OCLMM_UNDEFINED_SPLIT_BARRIER);
		run->arrived = true;
		break;
	case OCLMM_BARRIER_WAIT:
		if (!run->arrived)
			run_stop(run, OCLMM_UNDEFINED_SPLIT_BARRIER);
		run->arrived = false;
		break;
	}
}

static void execute_barrier(struct run *run, const struct oclmm_barrier *barrier)
{
	struct event event = {
		.fence = true,
		.scope = barrier->scope,
		.flags = barrier->flags,
		.sub_group = barrier->sub_group,
		.label = barrier->label,
		.collective = barrier->collective && !barrier->sub_group,
		.split = barrier->part != OCLMM_BARRIER_WHOLE,
	};

	take_turns(run, barrier);
	if (run->stopped)
		return;
	/* it may wait for a work-item that a loop keeps away */
	if (run->loops && barrier->part != OCLMM_BARRIER_ARRIVE && run_choose(run, 2) == 1) {
		run->path.cut = true;
		run->stopped = true;
		return;
	}
	event.barrier = BARRIER_ENTRY;
	event.order = OCLMM_ORDER_RELEASE;
	if (barrier->part != OCLMM_BARRIER_WAIT)
		run_add_event(run, &event);
	event.barrier = BARRIER_EXIT;
	event.order = OCLMM_ORDER_ACQUIRE;
	if (!run->stopped && barrier->part != OCLMM_BARRIER_ARRIVE)
		run_add_event(run, &event);
}

static bool is_comparison(const struct oclmm_expression *e)
{
	return e->kind == OCLMM_EXPRESSION_BINARY &&
	       (e->binary.op == OCLMM_OPERATOR_EQ || e->binary.op == OCLMM_OPERATOR_NE) &&
	       e->binary.left->kind == OCLMM_EXPRESSION_REGISTER &&
	       e->binary.right->kind == OCLMM_EXPRESSION_CONSTANT;
}

/**
 * K6: behind `if (r == 1)` r is the constant 1 to any compiler. Only such
 * comparisons of a register with a constant are known here, and a bare register.
 */
static void learn(struct run *run, const struct oclmm_expression *e, bool truth)
{
	uint32_t reg;
	int64_t number = 0;

	if (is_comparison(e)) {
		if (truth != (e->binary.op == OCLMM_OPERATOR_EQ))
			return;
		reg = e->binary.left->reg;
		number = e->binary.right->constant;
	} else if (e->kind == OCLMM_EXPRESSION_REGISTER && !truth) {
		reg = e->reg;
	} else {
		return;
	}
	/* a run that takes branches both ways has yet to see the value */
	run->registers[reg].number = oclmm_value_wrap(run->thread->registers[reg].type, number);
	memset(run->registers[reg].need, 0, sizeof(run->registers[reg].need));
}

static void execute_while(struct run *run, const struct oclmm_loop *loop)
{
	for (uint32_t i = 0;; i++) {
		struct value condition = run_evaluate(run, loop->condition);

		bool again;

		if (run->stopped)
			return;
		again = run_branch(run, &condition, condition.number != 0);
		learn(run, loop->condition, again);
		if (!again)
			return;
		if (i == loop->unroll) {
			run->path.cut = true;
			run->stopped = true;
			return;
		}
		execute(run, loop->body);
	}
}

static void execute_if(struct run *run, const struct oclmm_branch *branch)
{
	struct value condition = run_evaluate(run, branch->condition);

	bool taken;

	if (run->stopped)
		return;
	taken = run_branch(run, &condition, condition.number != 0);
	learn(run, branch->condition, taken);
	execute(run, taken ? branch->then_body : branch->else_body);
}

/** Executes a list of statements. */
static void execute(struct run *run, const struct oclmm_statement *statement)
{
	for (; statement != NULL && !run->stopped; statement = statement->next)
		switch (statement->kind) {
		case OCLMM_STATEMENT_ASSIGN: execute_assignment(run, &statement->assign); break;
		case OCLMM_STATEMENT_STORE: execute_store(run, &statement->store); break;
		case OCLMM_STATEMENT_EVALUATE: run_evaluate(run, statement->effect); break;
		case OCLMM_STATEMENT_FENCE: execute_fence(run, &statement->fence); break;
		case OCLMM_STATEMENT_BARRIER: execute_barrier(run, &statement->barrier); break;
		case OCLMM_STATEMENT_COPY: run_copy(run, &statement->copy); break;
		case OCLMM_STATEMENT_WAIT: run_wait(run, &statement->wait); break;
		case OCLMM_STATEMENT_ENQUEUE: run_enqueue(run, &statement->enqueue); break;
		case OCLMM_STATEMENT_CLOCK: break; /* it orders nothing, and nobody has its value */
		case OCLMM_STATEMENT_IF: execute_if(run, &statement->branch); break;
		case OCLMM_STATEMENT_WHILE: execute_while(run, &statement->loop); break;
		}
}

static void begin_run(struct run *run)
{
	memset(&run->path, 0, sizeof(run->path));
	memset(run->registers, 0, sizeof(run->registers));
	run->arrived = false;
	memset(run->before, 0, sizeof(run->before));
	memset(run->pending, 0, sizeof(run->pending));
	memset(run->decided, 0, sizeof(run->decided));
	run->stopped = false;
	run->calls = run->inside = 0;
	run->position = 0;
	for (uint32_t i = 0; i < run->thread->register_count; i++)
		run->registers[i].number = run->thread->registers[i].initial;
}

/** Closes sb. \return false when the chosen orders of calls contradict each other. */
static bool close_path(struct run *run)
{
	struct path *path = &run->path;

	for (unsigned k = 0; k < path->count; k++)
		for (unsigned i = 0; i < path->count; i++)
			for (unsigned j = 0; j < path->count; j++)
				path->sb[i][j] |= path->sb[i][k] && path->sb[k][j];
	for (unsigned i = 0; i < path->count; i++)
		if (path->sb[i][i])
			return false;
	for (uint32_t i = 0; i < run->thread->register_count; i++)
		path->registers[i] = run->registers[i].number;
	return true;
}

static int find_loop(void *data, const struct oclmm_statement *statement)
{
	*(bool *)data |= statement->kind == OCLMM_STATEMENT_WHILE;
	return 0;
}

static bool has_loops(const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.statement = find_loop};
	bool loops = false;

	for (uint32_t t = 0; t < program->thread_count; t++)
		oclmm_visit_body(&visitor, program->threads[t].body, &loops);
	return loops;
}

int unfold_thread(const struct oclmm_program *program, uint32_t thread,
                  const struct domain *domains, bool unchecked, bool k9, struct paths *paths)
{
	struct run run = {
		.program = program,
		.thread = &program->threads[thread],
		.thread_index = thread,
		.domains = domains,
		.unchecked = unchecked,
		.loops = has_loops(program),
		.k9 = k9,
	};

	if (run.thread->register_count > MAX_REGISTERS)
		return -E2BIG;
	do {
		begin_run(&run);
		execute(&run, run.thread->body);
		if (run.too_large || paths->count > 20000)
			return -E2BIG;
		if (!close_path(&run))
			continue;
		oclmm_grow(&paths->list, &paths->capacity, paths->count, sizeof(*paths->list));
		paths->list[paths->count++] = run.path;
	} while (next_choices(&run));
	return 0;
}
