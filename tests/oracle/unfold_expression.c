// SPDX-License-Identifier: Apache-2.0
/*
 * Expressions: what they access, in which order, and what they are computed from.
 */
#include <string.h>

#include "run.h"

/** Is it a whole of its own: an access outside of calls, or the beginning of a call? */
static bool begins_unit(const struct run *run, unsigned e)
{
	return e == 0 || run->call[e] == 0 || run->call[e] != run->call[e - 1];
}

/** Is something written in one unit and accessed in the other? Else their order decides no state
 * of a defined program, and is left open where one is a plain read. */
static bool units_conflict(const struct run *run, unsigned a, unsigned b)
{
	for (unsigned i = a; i == a || (i < run->path.count && !begins_unit(run, i)); i++)
		for (unsigned j = b; j == b || (j < run->path.count && !begins_unit(run, j)); j++)
			if (same_cell(&run->path.events[i], &run->path.events[j]) &&
			    (run->path.events[i].writes || run->path.events[j].writes))
				return true;
	return false;
}

/** All of one unit before all of the other. */
static void sequence_units(struct run *run, unsigned a, unsigned b)
{
	for (unsigned i = a; i == a || (i < run->path.count && !begins_unit(run, i)); i++)
		for (unsigned j = b; j == b || (j < run->path.count && !begins_unit(run, j)); j++)
			run->path.sb[i][j] = true;
}

void run_evaluate_unsequenced(struct run *run, unsigned count, struct oclmm_expression *const *list,
                              struct value *values)
{
	bool saved[MAX_PATH], after[MAX_PATH];
	unsigned first = run->path.count;
	unsigned owner[MAX_PATH] = {0};

	memcpy(saved, run->before, sizeof(saved));
	memcpy(after, run->before, sizeof(after));
	for (unsigned i = 0; i < count; i++) {
		unsigned start = run->path.count;

		memset(&values[i], 0, sizeof(values[i]));
		memcpy(run->before, saved, sizeof(saved));
		if (list[i] != NULL)
			values[i] = run_evaluate(run, list[i]);
		for (unsigned e = start; e < run->path.count; e++)
			owner[e] = i;
		for (unsigned e = 0; e < MAX_PATH; e++)
			after[e] |= run->before[e];
	}
	memcpy(run->before, after, sizeof(after));
	for (unsigned a = first; a < run->path.count; a++)
		for (unsigned b = a + 1; b < run->path.count; b++) {
			if (owner[a] == owner[b] || !begins_unit(run, a) || !begins_unit(run, b) ||
			    ((run->call[a] == 0 || run->call[b] == 0) &&
			     !units_conflict(run, a, b)))
				continue;
			if (run_choose(run, 2) == 0)
				sequence_units(run, a, b);
			else
				sequence_units(run, b, a);
		}
}

static int stop_at_use(void *data, const struct oclmm_use *use)
{
	(void)data;
	(void)use;
	return 1;
}

static struct value evaluate_logical(struct run *run, const struct oclmm_expression *expression)
{
	static const struct oclmm_visitor uses = {.use = stop_at_use};
	struct value left = run_evaluate(run, expression->binary.left);
	bool goes_on = expression->binary.op == OCLMM_OPERATOR_LOGICAL_AND ? left.number != 0
	                                                                   : left.number == 0;
	bool taken = run_branch(run, &left, goes_on);

	/* the left side decides whether memory is accessed, as an `if` would: no value comes of it
	 */
	if (oclmm_visit_expression(&uses, expression->binary.right, NULL)) {
		memset(left.from, 0, sizeof(left.from));
		memset(left.need, 0, sizeof(left.need));
	}
	if (taken) {
		struct value right = run_evaluate(run, expression->binary.right);

		value_add_from(&left, &right);
		left.number = right.number;
	}
	left.number = left.number != 0;
	return left;
}

static struct value apply(struct run *run, const struct oclmm_expression *expression,
                          enum oclmm_operator op, enum oclmm_type type, struct value left,
                          const struct value *right)
{
	int64_t number = 0;

	value_add_from(&left, right);
	switch (oclmm_apply(op, type, oclmm_value_wrap(type, left.number),
	                    oclmm_value_wrap(type, right->number), &number)) {
	case OCLMM_ARITHMETIC_OVERFLOW: run_stop(run, OCLMM_UNDEFINED_OVERFLOW); break;
	case OCLMM_ARITHMETIC_DIVISION: run_stop(run, OCLMM_UNDEFINED_DIVISION); break;
	case OCLMM_ARITHMETIC_OK: break;
	}
	left.number = oclmm_value_wrap(expression->type, number);
	return left;
}

static struct value evaluate_binary(struct run *run, const struct oclmm_expression *expression)
{
	enum oclmm_operator op = expression->binary.op;
	struct oclmm_expression *const sides[2] = {expression->binary.left,
	                                           expression->binary.right};
	struct value values[2];
	bool shift = op == OCLMM_OPERATOR_SHL || op == OCLMM_OPERATOR_SHR;

	run_evaluate_unsequenced(run, 2, sides, values);
	if (run->stopped)
		return values[0];
	/* a shift has the type of its left operand, other operators the common one */
	if (shift)
		return apply(run, expression, op, sides[0]->type, values[0], &values[1]);
	return apply(run, expression, op, oclmm_common_type(sides[0]->type, sides[1]->type),
	             values[0], &values[1]);
}

static struct value evaluate_unary(struct run *run, const struct oclmm_expression *expression)
{
	struct value none = {0};
	struct value operand = run_evaluate(run, expression->unary.operand);

	if (run->stopped)
		return operand;
	return apply(run, expression, expression->unary.op, expression->unary.operand->type,
	             operand, &none);
}

/** The attributes that all events of an atomic call share. Host operations have scope all. */
static void set_atomic(const struct run *run, const struct oclmm_atomic *atomic,
                       struct event *event)
{
	event->order = atomic->order;
	event->scope = run->thread->placement.host ? OCLMM_SCOPE_ALL_SVM_DEVICES : atomic->scope;
	event->legacy = atomic->legacy;
	if (atomic->legacy) {
		event->order = OCLMM_ORDER_RELAXED;
		event->scope = OCLMM_SCOPE_WORK_GROUP;
	}
}

/** What a compare-exchange that fails stores in *expected, and how. */
static void write_expected(struct run *run, const struct oclmm_atomic *atomic,
                           const struct value *index, const struct value *seen)
{
	if (atomic->comparand.kind == OCLMM_COMPARAND_MEMORY) {
		run_plain_write(run, &atomic->comparand.place, index, seen);
	} else {
		struct value *reg = &run->registers[atomic->comparand.reg];

		*reg = *seen;
		reg->number = oclmm_value_wrap(run->thread->registers[atomic->comparand.reg].type,
		                               seen->number);
	}
}

/**
 * A compare-exchange: a read-modify-write when the value read is the expected
 * one, else a read with the failure order. The weak form may fail anyway.
 */
static struct value compare_exchange(struct run *run, const struct oclmm_atomic *atomic,
                                     const struct value *args, struct event event)
{
	enum oclmm_type type = run_place_type(run, &atomic->object);
	struct value expected;
	struct value seen = args[0], result;
	bool equal;
	int at;

	if (atomic->comparand.kind == OCLMM_COMPARAND_MEMORY)
		expected = run_plain_read(run, &atomic->comparand.place, &args[2]);
	else
		expected = run->registers[atomic->comparand.reg];
	if (run->stopped)
		return expected;
	event.reads = true;
	event.read_value = run_guess(run, event.cell);
	equal = run_decide(run, event.read_value == oclmm_value_wrap(type, expected.number));
	if (equal && atomic->op == OCLMM_OP_CAS_WEAK && run_choose(run, 2) == 1)
		equal = false;
	if (equal) {
		run_add_write(run, &event, oclmm_value_wrap(type, args[1].number), &args[1],
		              &args[0]);
		at = (int)run->path.count - 1;
	} else {
		event.order = atomic->failure;
		at = run_add_event(run, &event);
	}
	if (run->stopped)
		return expected;
	seen.number = event.read_value;
	seen.from[at] = seen.need[at] = true;
	result = seen;
	value_add_from(&result, &expected);
	result.number = equal;
	if (!equal)
		write_expected(run, atomic, &args[2], &seen);
	return result;
}

/** A load whose value has been guessed. */
static struct value atomic_load_of(struct run *run, const struct value *args, struct event event)
{
	struct value result = args[0];
	int at = run_add_event(run, &event);

	result.number = event.read_value;
	if (at >= 0)
		result.from[at] = result.need[at] = true;
	return result;
}

/** Adds what the next event reads to what a value is computed from. */
static void value_add_next_read(const struct run *run, struct value *value)
{
	if (run->path.count < MAX_PATH)
		value->from[run->path.count] = value->need[run->path.count] = true;
}

/**
 * A read-modify-write that always writes (but see K9). Its value is what it read. What it stores
 * is computed from its operand and from what it read, from one of them alone where the other has
 * no part in it: an exchange, and either way of a compare-exchange.
 */
static struct value read_modify_write(struct run *run, const struct oclmm_atomic *atomic,
                                      const struct value *args, struct event event)
{
	enum oclmm_type type = run_place_type(run, &atomic->object);
	struct value result = args[0], source = args[1];
	int64_t stored;

	event.reads = true;
	event.read_value = run_guess(run, event.cell);
	if (atomic->op == OCLMM_OP_FLAG_TEST_AND_SET) {
		stored = 1;
	} else if (atomic->comparand.kind == OCLMM_COMPARAND_VALUE) {
		/* atomic_cmpxchg stores in either case: `(old == cmp) ? val : old`, A.2 */
		bool equal = run_decide(run,
		                        event.read_value == oclmm_value_wrap(type, args[3].number));

		if (!equal && run->k9)
			return atomic_load_of(run, args, event);
		stored = equal ? oclmm_value_wrap(type, args[1].number) : event.read_value;
		if (!equal) {
			memset(&source, 0, sizeof(source));
			value_add_next_read(run, &source);
		}
	} else {
		if (atomic->op != OCLMM_OP_EXCHANGE)
			value_add_next_read(run, &source);
		stored = oclmm_apply_rmw(atomic->op, type, event.read_value,
		                         oclmm_value_wrap(type, args[1].number));
	}
	run_add_write(run, &event, stored, &source, &args[0]);
	if (run->too_large)
		return result;
	result.number = event.read_value;
	result.from[run->path.count - 1] = result.need[run->path.count - 1] = true;
	return result;
}

static struct value atomic_load(struct run *run, const struct value *args, struct event event)
{
	event.reads = true;
	event.read_value = run_guess(run, event.cell);
	return atomic_load_of(run, args, event);
}

/** What the function does when its arguments have been evaluated. */
static struct value call_atomic(struct run *run, const struct oclmm_atomic *atomic,
                                const struct value *args)
{
	struct event event = run_access(run, &atomic->object, args[0].number);

	if (run->stopped)
		return args[0];
	set_atomic(run, atomic, &event);
	switch (atomic->op) {
	case OCLMM_OP_INIT:
		run_plain_write(run, &atomic->object, &args[0], &args[1]);
		return args[0];
	case OCLMM_OP_STORE:
	case OCLMM_OP_FLAG_CLEAR:
		run_add_write(run, &event,
		              oclmm_value_wrap(run_place_type(run, &atomic->object),
		                               args[1].number),
		              &args[1], &args[0]);
		return args[0];
	case OCLMM_OP_LOAD: return atomic_load(run, args, event);
	case OCLMM_OP_CAS_STRONG:
	case OCLMM_OP_CAS_WEAK:
		if (atomic->comparand.kind != OCLMM_COMPARAND_VALUE)
			return compare_exchange(run, atomic, args, event);
		return read_modify_write(run, atomic, args, event);
	default: return read_modify_write(run, atomic, args, event);
	}
}

static struct value evaluate_atomic(struct run *run, const struct oclmm_atomic *atomic)
{
	enum oclmm_comparand_kind compared = atomic->comparand.kind;
	/* [0] the object's index, [1] the operand, [2] the index of *expected, [3] legacy `cmp` */
	struct oclmm_expression *const list[4] = {
		atomic->object.index,
		atomic->operand,
		compared == OCLMM_COMPARAND_MEMORY ? atomic->comparand.place.index : NULL,
		compared == OCLMM_COMPARAND_VALUE ? atomic->comparand.value : NULL,
	};
	struct value args[4], result;

	run_evaluate_unsequenced(run, 4, list, args);
	if (run->stopped)
		return args[0];
	run->inside = ++run->calls;
	result = call_atomic(run, atomic, args);
	run->inside = 0;
	return result;
}

struct value run_evaluate(struct run *run, const struct oclmm_expression *expression)
{
	struct value result = {0};

	if (run->stopped)
		return result;
	switch (expression->kind) {
	case OCLMM_EXPRESSION_CONSTANT: result.number = expression->constant; return result;
	case OCLMM_EXPRESSION_REGISTER: return run->registers[expression->reg];
	case OCLMM_EXPRESSION_LOAD:
		if (expression->load.index != NULL)
			result = run_evaluate(run, expression->load.index);
		return run->stopped ? result : run_plain_read(run, &expression->load, &result);
	case OCLMM_EXPRESSION_ATOMIC: return evaluate_atomic(run, expression->atomic);
	case OCLMM_EXPRESSION_UNARY: return evaluate_unary(run, expression);
	case OCLMM_EXPRESSION_CAST:
		result = run_evaluate(run, expression->cast);
		result.number = oclmm_value_wrap(expression->type, result.number);
		return result;
	case OCLMM_EXPRESSION_BINARY:
		if (expression->binary.op == OCLMM_OPERATOR_LOGICAL_AND ||
		    expression->binary.op == OCLMM_OPERATOR_LOGICAL_OR)
			return evaluate_logical(run, expression);
		return evaluate_binary(run, expression);
	}
	return result;
}
