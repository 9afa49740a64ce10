// SPDX-License-Identifier: Apache-2.0
/* What is changed, taken together with where, wherever a program has a place for it. */
#include "builder.h"

#include <assert.h>
#include <string.h>

/* ---- functions ----------------------------------------------------------- */

static const struct oclmm_function functions[] = {
	{"load", OCLMM_FUNCTION_LOAD, 1, 0},
	{"store", OCLMM_FUNCTION_STORE, 2, 0},
	{"exchange", OCLMM_FUNCTION_FETCH, 2, '='},
	{"fetch_add", OCLMM_FUNCTION_FETCH, 2, '+'},
	{"fetch_sub", OCLMM_FUNCTION_FETCH, 2, '-'},
	{"fetch_or", OCLMM_FUNCTION_FETCH, 2, '|'},
	{"fetch_xor", OCLMM_FUNCTION_FETCH, 2, '^'},
	{"fetch_and", OCLMM_FUNCTION_FETCH, 2, '&'},
	{"fetch_min", OCLMM_FUNCTION_FETCH, 2, '<'},
	{"fetch_max", OCLMM_FUNCTION_FETCH, 2, '>'},
	{"compare_exchange_strong", OCLMM_FUNCTION_CAS, 3, 0},
	{"compare_exchange_weak", OCLMM_FUNCTION_CAS, 3, 0},
	{"flag_test_and_set", OCLMM_FUNCTION_FLAG_SET, 1, 0},
	{"flag_clear", OCLMM_FUNCTION_FLAG_CLEAR, 1, 0},
	{"add", OCLMM_FUNCTION_LEGACY, 2, '+'},
	{"sub", OCLMM_FUNCTION_LEGACY, 2, '-'},
	{"xchg", OCLMM_FUNCTION_LEGACY, 2, '='},
	{"inc", OCLMM_FUNCTION_LEGACY, 1, '+'},
	{"dec", OCLMM_FUNCTION_LEGACY, 1, '-'},
	{"min", OCLMM_FUNCTION_LEGACY, 2, '<'},
	{"max", OCLMM_FUNCTION_LEGACY, 2, '>'},
	{"and", OCLMM_FUNCTION_LEGACY, 2, '&'},
	{"or", OCLMM_FUNCTION_LEGACY, 2, '|'},
	{"xor", OCLMM_FUNCTION_LEGACY, 2, '^'},
	{"cmpxchg", OCLMM_FUNCTION_LEGACY_CAS, 3, 0},
	{"atomic_work_item_fence", OCLMM_FUNCTION_FENCE, 3, 0},
	{"mem_fence", OCLMM_FUNCTION_MEM_FENCE, 1, 0},
	{"read_mem_fence", OCLMM_FUNCTION_MEM_FENCE, 1, 0},
	{"write_mem_fence", OCLMM_FUNCTION_MEM_FENCE, 1, 0},
	{"barrier", OCLMM_FUNCTION_BARRIER, 1, 0},
	{"work_group_barrier", OCLMM_FUNCTION_BARRIER, 1, 0},
	{"sub_group_barrier", OCLMM_FUNCTION_BARRIER, 1, 0},
	{"intel_work_group_barrier_arrive", OCLMM_FUNCTION_SPLIT_BARRIER, 1, 0},
	{"intel_work_group_barrier_wait", OCLMM_FUNCTION_SPLIT_BARRIER, 1, 0},
	{"atomic_init", OCLMM_FUNCTION_INIT, 2, 0},
};
_Static_assert(OCLMM_OP_COUNT == 15, "a new operation has a function that plants can be in");

const struct oclmm_function *oclmm_function_at(size_t index)
{
	return index < OCLMM_COUNT(functions) ? &functions[index] : NULL;
}

static const struct oclmm_function *find_function(const char *name)
{
	for (size_t i = 0; i < OCLMM_COUNT(functions); i++)
		if (strcmp(functions[i].name, name) == 0)
			return &functions[i];
	return NULL;
}

/* ---- what a call is -------------------------------------------------------- */

/* A call, with its word for each aspect; "" where it has none. */
struct call {
	const struct oclmm_function *function;
	const char *words[OCLMM_ASPECT_COUNT]; /* but FUNCTION */
};

/* From narrow to wide, as enum oclmm_scope has them from WORK_ITEM on. */
static const char *const scopes[] = {"work_item", "sub_group", "work_group", "device", "all"};
static const char *const widths[] = {"32", "64"};
/* of a fence or barrier: its flags */
static const char *const spaces[] = {"global", "local", "both", "none", "generic"};
/* `atomic_load(x)` and `barrier(flags)`, or with order and scope, or with an order alone */
static const char *const forms[] = {"short", "full", "unscoped"};
static const char *const types[] = {"int", "uint", "long", "ulong", "half", "float", "double"};

static const char *of_list(const char *const *list, size_t count, size_t index)
{
	return index < count ? list[index] : NULL;
}

static const char *order_word(enum oclmm_order order)
{
	return order == OCLMM_ORDER_NONE ? ""
	                                 : oclmm_order_spelling(order) + strlen("memory_order_");
}

const char *oclmm_aspect_word(enum oclmm_aspect aspect, size_t index)
{
	switch (aspect) {
	case OCLMM_ASPECT_FUNCTION:
		return index < OCLMM_COUNT(functions) ? functions[index].name : NULL;
	case OCLMM_ASPECT_ORDER:
		return index + 1 < OCLMM_ORDER_COUNT
		               ? order_word((enum oclmm_order)(OCLMM_ORDER_RELAXED + index))
		               : NULL;
	case OCLMM_ASPECT_SCOPE: return of_list(scopes, OCLMM_COUNT(scopes), index);
	case OCLMM_ASPECT_WIDTH: return of_list(widths, OCLMM_COUNT(widths), index);
	case OCLMM_ASPECT_SPACE: return of_list(spaces, OCLMM_COUNT(spaces), index);
	case OCLMM_ASPECT_TYPE: return of_list(types, OCLMM_COUNT(types), index);
	case OCLMM_ASPECT_FORM: return of_list(forms, OCLMM_COUNT(forms), index);
	case OCLMM_ASPECT_COUNT: break;
	}
	return NULL;
}

static const char *scope_word(enum oclmm_scope scope)
{
	return scopes[scope - OCLMM_SCOPE_WORK_ITEM];
}

static const char *flags_word(unsigned flags)
{
	bool local = flags & OCLMM_FLAG_LOCAL, global = flags & OCLMM_FLAG_GLOBAL;

	return local && global ? "both" : local ? "local" : global ? "global" : flags ? "" : "none";
}

static const char *type_word(enum oclmm_type type)
{
	const char *word = oclmm_type_spelling(type, false);

	for (size_t i = 0; i < OCLMM_COUNT(types) && type != OCLMM_TYPE_FLAG; i++)
		if (strcmp(types[i], word) == 0)
			return word;
	return "";
}

static const char *width_word(enum oclmm_type type)
{
	unsigned bits = oclmm_type_bits(type);

	return bits == 64 ? "64" : bits == 32 ? "32" : "";
}

static bool is_generic(const struct oclmm_thread *thread, uint32_t location)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++)
		if (thread->parameters[i].location == location)
			return thread->parameters[i].generic;
	return false;
}

/* Without order and scope, as the writer of kernels has it. */
static bool is_short(const struct oclmm_atomic *a)
{
	return !a->order_written && a->order == OCLMM_ORDER_SEQ_CST &&
	       a->scope == OCLMM_SCOPE_DEVICE &&
	       (!oclmm_operation_is_cas(a->op) || a->failure == OCLMM_ORDER_SEQ_CST);
}

static const char *form_of(const struct oclmm_atomic *a)
{
	if (a->legacy || a->op == OCLMM_OP_INIT || is_short(a))
		return "short";
	return a->order_written && !a->scope_written && a->scope == OCLMM_SCOPE_DEVICE ? "unscoped"
	                                                                               : "full";
}

static const struct oclmm_function *function_of(const struct oclmm_atomic *a)
{
	if (a->legacy)
		return find_function(strchr(a->spelling, '_') + 1);
	if (a->op == OCLMM_OP_INIT)
		return find_function("atomic_init");
	return find_function(oclmm_operation_stem(a->op) + strlen("atomic_"));
}

static struct call call_of(const struct oclmm_program *program, const struct oclmm_thread *thread,
                           const struct oclmm_atomic *a)
{
	const struct oclmm_location *l = &program->locations[a->object.location];
	bool ordered = !a->legacy && a->op != OCLMM_OP_INIT;

	return (struct call){
		.function = function_of(a),
		.words = {[OCLMM_ASPECT_ORDER] = ordered ? order_word(a->order) : "",
	                  [OCLMM_ASPECT_SCOPE] = ordered ? scope_word(a->scope) : "device",
	                  [OCLMM_ASPECT_WIDTH] = a->op == OCLMM_OP_INIT ? "" : width_word(l->type),
	                  [OCLMM_ASPECT_SPACE] = is_generic(thread, a->object.location) ? "generic"
	                                         : l->space == OCLMM_SPACE_LOCAL        ? "local"
	                                                                                : "global",
	                  [OCLMM_ASPECT_FORM] = form_of(a),
	                  [OCLMM_ASPECT_TYPE] = type_word(l->type)}};
}

static struct call call_of_fence(const struct oclmm_fence *fence)
{
	const struct oclmm_function *function = find_function(fence->spelling);
	bool full = function->kind == OCLMM_FUNCTION_FENCE;

	return (struct call){.function = function,
	                     .words = {[OCLMM_ASPECT_ORDER] = full ? order_word(fence->order) : "",
	                               [OCLMM_ASPECT_SCOPE] = full ? scope_word(fence->scope)
	                                                           : "device",
	                               [OCLMM_ASPECT_WIDTH] = "",
	                               [OCLMM_ASPECT_SPACE] = flags_word(fence->flags),
	                               [OCLMM_ASPECT_FORM] = full ? "full" : "short",
	                               [OCLMM_ASPECT_TYPE] = ""}};
}

static struct call call_of_barrier(const struct oclmm_barrier *barrier)
{
	bool full = barrier->scope_written;

	return (struct call){.function = find_function(barrier->spelling),
	                     .words = {[OCLMM_ASPECT_ORDER] = "",
	                               [OCLMM_ASPECT_SCOPE] = full ? scope_word(barrier->scope)
	                                                           : "work_group",
	                               [OCLMM_ASPECT_WIDTH] = "",
	                               [OCLMM_ASPECT_SPACE] = flags_word(barrier->flags),
	                               [OCLMM_ASPECT_FORM] = full ? "full" : "short",
	                               [OCLMM_ASPECT_TYPE] = ""}};
}

/* Whether the words of a change choose a call. */
static bool is_chosen(const struct oclmm_mutation *change, const struct call *call)
{
	for (int i = 0; i < OCLMM_ASPECT_COUNT; i++) {
		const char *word = i == OCLMM_ASPECT_FUNCTION ? call->function->name
		                                              : call->words[i];

		if (change->words[i] && strcmp(change->words[i], word) != 0)
			return false;
	}
	return true;
}

/* ---- what can be computed wrongly ------------------------------------------- */

static bool is_extreme(const struct oclmm_function *function)
{
	return function->update == '<' || function->update == '>';
}

static bool adds(const struct oclmm_function *function)
{
	return function->update == '+' || function->update == '-';
}

static bool is_cas(const struct oclmm_function *function)
{
	return function->kind == OCLMM_FUNCTION_CAS || function->kind == OCLMM_FUNCTION_LEGACY_CAS;
}

static bool stores_something(enum oclmm_function_kind kind)
{
	return (kind > OCLMM_FUNCTION_LOAD && kind <= OCLMM_FUNCTION_FLAG_CLEAR) ||
	       kind == OCLMM_FUNCTION_LEGACY || kind == OCLMM_FUNCTION_LEGACY_CAS;
}

/* atomic_inc and atomic_dec have none. */
static bool has_operand(const struct oclmm_function *function)
{
	return is_cas(function) || function->kind == OCLMM_FUNCTION_STORE ||
	       (function->update && function->operands > 1);
}

/* The operator that takes the place of an update's own, or 0. */
static char other_operator(enum oclmm_what what)
{
	static const char operators[] = "=+-|^&<>";

	return what >= OCLMM_WHAT_AS_EXCHANGE && what <= OCLMM_WHAT_AS_MAX
	               ? operators[what - OCLMM_WHAT_AS_EXCHANGE]
	               : 0;
}

/* Of those that change what is stored; an or makes 0 of 0 only. */
static bool concerns_stored(enum oclmm_what what, const struct oclmm_function *function)
{
	enum oclmm_function_kind kind = function->kind;
	bool flag = kind == OCLMM_FUNCTION_FLAG_SET || kind == OCLMM_FUNCTION_FLAG_CLEAR;

	if (what == OCLMM_WHAT_NOTHING_STORED)
		return stores_something(kind);
	return stores_something(kind) && !flag &&
	       !(what == OCLMM_WHAT_ZERO_KEPT && function->update == '|');
}

bool oclmm_function_concerned(enum oclmm_what what, const struct oclmm_function *function)
{
	enum oclmm_function_kind kind = function->kind;

	if (other_operator(what))
		return function->update && function->update != other_operator(what);
	if (what == OCLMM_WHAT_NOTHING_STORED ||
	    (what >= OCLMM_WHAT_STORES_BYTE && what <= OCLMM_WHAT_ZERO_KEPT))
		return concerns_stored(what, function);
	if (what >= OCLMM_WHAT_COMPARES_BYTE && what <= OCLMM_WHAT_COMPARES_NO_TOP)
		return is_cas(function) || is_extreme(function);
	if ((what >= OCLMM_WHAT_OPERAND_8 && what <= OCLMM_WHAT_OPERAND_NEGATED) ||
	    what == OCLMM_WHAT_OPERAND_INVERTED)
		return has_operand(function);
	switch (what) {
	case OCLMM_WHAT_AS_INC: return function->update == '+';
	case OCLMM_WHAT_AS_DEC: return function->update == '-';
	case OCLMM_WHAT_OTHER_SIGN: return is_extreme(function);
	case OCLMM_WHAT_NO_CARRY_8:
	case OCLMM_WHAT_NO_CARRY_16:
	case OCLMM_WHAT_NO_CARRY_32:
	case OCLMM_WHAT_SATURATES: return adds(function);
	case OCLMM_WHAT_RETURNS_NEW:
		return function->update || kind == OCLMM_FUNCTION_FLAG_SET ||
		       kind == OCLMM_FUNCTION_LEGACY_CAS;
	case OCLMM_WHAT_RETURNS_LOW:
	case OCLMM_WHAT_RETURNS_NO_TOP:
		return function->update || kind == OCLMM_FUNCTION_LOAD ||
		       kind == OCLMM_FUNCTION_LEGACY_CAS;
	case OCLMM_WHAT_NO_RETRY: return function->update != 0;
	case OCLMM_WHAT_RESULT_EARLY: return function->update && function->operands > 1;
	case OCLMM_WHAT_REVERSED: return has_operand(function) && function->update == '-';
	/* of an exchange the operand is the new value */
	case OCLMM_WHAT_RETURNS_OPERAND:
		return has_operand(function) && function->update && function->update != '=';
	case OCLMM_WHAT_FAILURE_WRITES:
	case OCLMM_WHAT_SWAPPED:
	case OCLMM_WHAT_SAYS_SUCCESS:
	case OCLMM_WHAT_SUCCEEDS: return is_cas(function);
	case OCLMM_WHAT_EXPECTED_KEPT:
	case OCLMM_WHAT_EXPECTED_STORED:
	case OCLMM_WHAT_SAYS_FAILURE: return kind == OCLMM_FUNCTION_CAS;
	/* a weak one may fail at any time */
	case OCLMM_WHAT_FAILS:
	case OCLMM_WHAT_EXPECTS_16:
	case OCLMM_WHAT_EXPECTS_ONE_MORE:
		return is_cas(function) && strcmp(function->name, "compare_exchange_weak") != 0;
	default: return false;
	}
}

bool oclmm_what_is_mistake(enum oclmm_what what)
{
	return what >= OCLMM_WHAT_NOTHING_STORED && what <= OCLMM_WHAT_SUCCEEDS;
}

/* Those that do not look at bits; of a half there is no compare-exchange. */
static bool concerns_float(enum oclmm_what what, enum oclmm_type type)
{
	return type != OCLMM_TYPE_HALF &&
	       (what == OCLMM_WHAT_NOTHING_STORED || what == OCLMM_WHAT_AS_EXCHANGE ||
	        what == OCLMM_WHAT_AS_MIN || what == OCLMM_WHAT_AS_MAX ||
	        what == OCLMM_WHAT_RETURNS_NEW);
}

/* Whether a mistake is in a function, for an object of a type. */
static bool is_mistaken(const struct oclmm_mutation *change, const struct oclmm_function *function,
                        enum oclmm_type type)
{
	if (!oclmm_function_concerned(change->what, function) ||
	    (oclmm_type_is_floating(type) && !concerns_float(change->what, type)))
		return false;
	/* kernels count with those of 1.x, and a count that is lost hides what is wrong */
	if (!change->function[0])
		return function->kind != OCLMM_FUNCTION_LEGACY &&
		       function->kind != OCLMM_FUNCTION_LEGACY_CAS;
	return strcmp(change->function, function->name) == 0;
}

/* ---- where a statement stands ------------------------------------------------ */

/* The statements of a work-item that access memory, or order accesses, in the order of the text. */
struct spot {
	const struct oclmm_statement *statement;
	bool in_branch, in_loop;
};
struct spots {
	struct spot *items; /* the arena's */
	size_t count;
};

static int is_access(void *data, const struct oclmm_expression *e)
{
	(void)data;
	return e->kind == OCLMM_EXPRESSION_ATOMIC || e->kind == OCLMM_EXPRESSION_LOAD;
}

static bool takes_turn(const struct oclmm_statement *s)
{
	static const struct oclmm_visitor visitor = {.expression = is_access};

	return s->kind == OCLMM_STATEMENT_FENCE || s->kind == OCLMM_STATEMENT_BARRIER ||
	       s->kind == OCLMM_STATEMENT_STORE || oclmm_visit_statement(&visitor, s, NULL);
}

/* Counts them, and puts them down where there is room for it. */
static void add_spots(struct spots *spots, struct oclmm_statement *s, bool in_branch, bool in_loop)
{
	for (; s; s = s->next) {
		struct oclmm_parts parts;

		if (takes_turn(s) && spots->items)
			spots->items[spots->count] = (struct spot){s, in_branch, in_loop};
		spots->count += takes_turn(s);
		oclmm_statement_parts(s, &parts);
		for (unsigned i = 0; i < parts.body_count; i++)
			add_spots(spots, *parts.bodies[i],
			          in_branch || s->kind == OCLMM_STATEMENT_IF,
			          in_loop || s->kind == OCLMM_STATEMENT_WHILE);
	}
}

/* Those of a thread before anything is changed; none where no change asks for them. */
static struct spots find_spots(struct oclmm_arena *arena, const struct oclmm_mutation *change,
                               const struct oclmm_thread *thread)
{
	struct spots spots = {0};

	if (change->also == OCLMM_WHERE_ANYWHERE)
		return spots;
	add_spots(&spots, thread->body, false, false);
	spots.items = oclmm_arena_alloc(arena, (spots.count + 1) * sizeof(*spots.items));
	spots.count = 0;
	add_spots(&spots, thread->body, false, false);
	return spots;
}

static bool is_constant(const struct oclmm_expression *e, int64_t value)
{
	return e && e->kind == OCLMM_EXPRESSION_CONSTANT && e->constant == value;
}

/* Whether two expressions, or none, have the same text and access no memory. */
static bool is_same_value(const struct oclmm_expression *a, const struct oclmm_expression *b)
{
	if (!a || !b)
		return a == b;
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case OCLMM_EXPRESSION_CONSTANT: return a->constant == b->constant;
	case OCLMM_EXPRESSION_REGISTER: return a->reg == b->reg;
	case OCLMM_EXPRESSION_UNARY:
		return a->unary.op == b->unary.op &&
		       is_same_value(a->unary.operand, b->unary.operand);
	case OCLMM_EXPRESSION_BINARY:
		return a->binary.op == b->binary.op &&
		       is_same_value(a->binary.left, b->binary.left) &&
		       is_same_value(a->binary.right, b->binary.right);
	case OCLMM_EXPRESSION_CAST: return a->type == b->type && is_same_value(a->cast, b->cast);
	case OCLMM_EXPRESSION_LOAD:
	case OCLMM_EXPRESSION_ATOMIC: break;
	}
	return false;
}

static bool is_same(const struct oclmm_place *a, const struct oclmm_place *b)
{
	return a->location == b->location && is_same_value(a->index, b->index);
}

/* Whether a program stores to an object, or updates it by another function. */
struct reached {
	const struct oclmm_atomic *call;
	bool stored, mixed;
};

static int note_call(void *data, const struct oclmm_expression *e)
{
	struct reached *reached = data;
	const struct oclmm_atomic *a = e->kind == OCLMM_EXPRESSION_ATOMIC ? e->atomic : NULL;

	if (!a || a->legacy || a->op == OCLMM_OP_INIT ||
	    !is_same(&a->object, &reached->call->object))
		return 0;
	reached->stored |= !oclmm_operation_reads(a->op);
	reached->mixed |= oclmm_operation_reads(a->op) && oclmm_operation_writes(a->op) &&
	                  a->op != OCLMM_OP_FLAG_TEST_AND_SET && a->op != reached->call->op;
	return 0;
}

/*
 * An implementation that has a lock for each function keeps its calls apart from each other, and
 * from no other function.
 */
static struct reached find_reached(const struct oclmm_program *program,
                                   const struct oclmm_atomic *call)
{
	static const struct oclmm_visitor visitor = {.expression = note_call};
	struct reached reached = {.call = call};

	for (uint32_t t = 0; t < program->thread_count; t++)
		oclmm_visit_body(&visitor, program->threads[t].body, &reached);
	return reached;
}

/*
 * Whether a statement is where `also` says. `call` is what is changed in it, or NULL: a fence, a
 * barrier, a plain access, of `object`, or NULL.
 */
static bool is_also_there(const struct oclmm_program *program, const struct spots *spots,
                          const struct oclmm_mutation *change, const struct oclmm_statement *s,
                          const struct oclmm_atomic *call, const struct oclmm_place *object,
                          const struct oclmm_expression *stored, bool unused)
{
	size_t at = 0;

	if (change->also == OCLMM_WHERE_ANYWHERE)
		return true;
	while (at < spots->count && spots->items[at].statement != s)
		at++;
	if (at == spots->count)
		return false;
	switch (change->also) {
	case OCLMM_WHERE_BRANCH: return spots->items[at].in_branch;
	case OCLMM_WHERE_LOOP: return spots->items[at].in_loop;
	case OCLMM_WHERE_NTH: return at + 1 == change->also_number;
	case OCLMM_WHERE_LAST: return at + 1 == spots->count;
	case OCLMM_WHERE_ELEMENT: return object && object->index;
	case OCLMM_WHERE_UNUSED:
		return call && unused && oclmm_operation_reads(call->op) &&
		       oclmm_operation_writes(call->op);
	case OCLMM_WHERE_MIXED: return call && find_reached(program, call).mixed;
	case OCLMM_WHERE_STORED: return call && find_reached(program, call).stored;
	case OCLMM_WHERE_UNLIKE_ONE: return stored && !is_constant(stored, 1);
	default: return false;
	}
}

/* ---- statements of one block ----------------------------------------------- */

/*
 * Changes of statements that stand in one block: what a compiler or a machine does that reorders,
 * or that believes that it is alone. Between two statements that it takes together there is no
 * branch, loop, barrier, copy or wait; other statements may be there.
 */

enum kind {
	LOAD = 1u << 0,
	STORE = 1u << 1,
	UPDATE = 1u << 2, /* its result assigned or not */
	FENCE = 1u << 3,
	PLAIN_LOAD = 1u << 4,
	PLAIN_STORE = 1u << 5,
	LOADS = LOAD | PLAIN_LOAD, /* no update */
	STORES = STORE | PLAIN_STORE,
	ACCESSES = LOADS | STORES | UPDATE,
};

/* One access of memory, or one fence; of any other statement kind is 0. */
struct access {
	unsigned kind;
	struct oclmm_atomic *atomic;     /* or NULL */
	const struct oclmm_place *place; /* or NULL: a fence */
	struct oclmm_expression *value;  /* of a store: what is stored */
	bool assigns;
	uint32_t reg; /* that takes what was read, if it assigns */
};

struct mover {
	struct oclmm_edit edit;
	const struct oclmm_mutation *change;
	struct spots spots;
	size_t places;
};

/* ---- what statements are --------------------------------------------------------- */

static bool is_parameter_atomic(const struct oclmm_thread *thread, uint32_t location)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++)
		if (thread->parameters[i].location == location)
			return thread->parameters[i].atomic;
	return false;
}

/* `*p`, of no array, no image and no atomic type. */
static bool is_simple(const struct mover *m, const struct oclmm_place *place)
{
	const struct oclmm_program *program = m->edit.program;

	return !place->index && !oclmm_location_is_image(&program->locations[place->location]) &&
	       !is_parameter_atomic(&program->threads[m->edit.thread], place->location);
}

static bool is_leaf(const struct oclmm_expression *e)
{
	return e->kind == OCLMM_EXPRESSION_CONSTANT || e->kind == OCLMM_EXPRESSION_REGISTER;
}

/* A value that accesses nothing, and is no more than one operator. */
static bool is_plain_value(const struct oclmm_expression *e)
{
	return is_leaf(e) || (e->kind == OCLMM_EXPRESSION_UNARY && is_leaf(e->unary.operand)) ||
	       (e->kind == OCLMM_EXPRESSION_BINARY && is_leaf(e->binary.left) &&
	        is_leaf(e->binary.right) && e->binary.op != OCLMM_OPERATOR_MUL);
}

static unsigned kind_of_call(const struct oclmm_atomic *a, bool assigns)
{
	if (a->comparand.kind == OCLMM_COMPARAND_MEMORY)
		return 0;
	if (a->legacy)
		return UPDATE;
	switch (a->op) {
	case OCLMM_OP_LOAD: return assigns ? LOAD : 0;
	case OCLMM_OP_STORE: return STORE;
	case OCLMM_OP_FLAG_CLEAR:
	case OCLMM_OP_INIT: return 0;
	default: return UPDATE;
	}
}

static void take_call(struct access *access, struct oclmm_expression *e)
{
	if (e->kind != OCLMM_EXPRESSION_ATOMIC)
		return;
	access->kind = kind_of_call(e->atomic, access->assigns);
	access->atomic = e->atomic;
	access->place = &e->atomic->object;
	access->value = access->kind == STORE ? e->atomic->operand : NULL;
}

static struct access access_of(const struct mover *m, struct oclmm_statement *s)
{
	struct access access = {0};

	if (s && s->kind == OCLMM_STATEMENT_ASSIGN) {
		access.assigns = true;
		access.reg = s->assign.reg;
		take_call(&access, s->assign.value);
		if (s->assign.value->kind == OCLMM_EXPRESSION_LOAD &&
		    is_simple(m, &s->assign.value->load)) {
			access.kind = PLAIN_LOAD;
			access.place = &s->assign.value->load;
		}
	} else if (s && s->kind == OCLMM_STATEMENT_EVALUATE) {
		take_call(&access, s->effect);
	} else if (s && s->kind == OCLMM_STATEMENT_FENCE) {
		access.kind = FENCE;
	} else if (s && s->kind == OCLMM_STATEMENT_STORE && is_simple(m, &s->store.place) &&
	           is_plain_value(s->store.value)) {
		access.kind = PLAIN_STORE;
		access.place = &s->store.place;
		access.value = s->store.value;
	}
	return access;
}

static bool same_object(const struct access *a, const struct access *b)
{
	return a->kind && b->kind && a->place && b->place &&
	       a->place->location == b->place->location &&
	       is_same_value(a->place->index, b->place->index);
}

/* Where a change is in some calls only, the statement is such a call. */
static bool is_taken(const struct mover *m, const struct oclmm_statement *s,
                     const struct access *access)
{
	struct call call;

	if (!is_also_there(m->edit.program, &m->spots, m->change, s, access->atomic, access->place,
	                   access->value, !access->assigns))
		return false;
	if (access->kind & (PLAIN_LOAD | PLAIN_STORE)) {
		for (int i = 0; i < OCLMM_ASPECT_COUNT; i++)
			if (m->change->words[i])
				return false;
		return true;
	}
	if (access->kind == FENCE)
		call = call_of_fence(&s->fence);
	else
		call = call_of(m->edit.program, &m->edit.program->threads[m->edit.thread],
		               access->atomic);
	return is_chosen(m->change, &call);
}

static bool is_one_taken(const struct mover *m, const struct oclmm_statement *s,
                         const struct access *a, const struct oclmm_statement *t,
                         const struct access *b)
{
	return is_taken(m, s, a) || is_taken(m, t, b);
}

/* What keeps the statements on both sides of it apart. */
static bool ends_line(const struct oclmm_statement *s)
{
	return s->kind == OCLMM_STATEMENT_IF || s->kind == OCLMM_STATEMENT_WHILE ||
	       s->kind == OCLMM_STATEMENT_BARRIER || s->kind == OCLMM_STATEMENT_COPY ||
	       s->kind == OCLMM_STATEMENT_WAIT;
}

/* Registers that are written behind `earlier` and before `later`. */
static uint64_t written_between(const struct oclmm_statement *earlier,
                                const struct oclmm_statement *later)
{
	uint64_t written = 0;

	for (const struct oclmm_statement *s = earlier->next; s != later; s = s->next)
		written |= oclmm_statement_effects(s).writes;
	return written;
}

/* The registers that an expression, or none, reads. */
static uint64_t reads(const struct oclmm_expression *e)
{
	struct oclmm_statement alone = {.kind = OCLMM_STATEMENT_EVALUATE,
	                                .effect = (struct oclmm_expression *)(uintptr_t)e};

	return e ? oclmm_statement_effects(&alone).reads : 0;
}

/* The nearest earlier statement of the same object, in the same line of the block that begins at
 * `first`; NULL: there is none. */
static struct oclmm_statement *find_before(const struct mover *m, struct oclmm_statement *first,
                                           struct oclmm_statement *later, struct access *ret_access)
{
	const struct access access = access_of(m, later);
	struct oclmm_statement *found = NULL;

	for (struct oclmm_statement *s = first; s != later; s = s->next) {
		const struct access before = access_of(m, s);

		if (ends_line(s))
			found = NULL;
		if (!same_object(&before, &access))
			continue;
		found = s;
		*ret_access = before;
	}
	return found;
}

/* ---- pairs that change places -------------------------------------------------- */

/* Which neighbours change places. */
static const struct {
	enum oclmm_what what;
	unsigned first, second;
	bool same; /* they access one object; else two */
} pairs[] = {
	{OCLMM_WHAT_LOADS_REVERSED, LOAD, LOAD, true},
	{OCLMM_WHAT_LOADS_SWAPPED, LOAD, LOAD, false},
	{OCLMM_WHAT_STORES_SWAPPED, STORE, STORE, false},
	{OCLMM_WHAT_LOAD_EARLY, STORE, LOAD, false},
	{OCLMM_WHAT_STORE_EARLY, LOAD, STORE, false},
	{OCLMM_WHAT_UPDATE_EARLY, LOAD | STORE | UPDATE, UPDATE, false},
	{OCLMM_WHAT_UPDATE_LATE, UPDATE, LOAD | STORE, false},
	{OCLMM_WHAT_PLAIN_LATE, PLAIN_STORE, STORE | UPDATE | FENCE, false},
	{OCLMM_WHAT_FENCE_EARLY, ACCESSES, FENCE, false},
	{OCLMM_WHAT_FENCE_LATE, FENCE, ACCESSES, false},
};

static bool is_pair(enum oclmm_what what, const struct access *a, const struct access *b)
{
	for (size_t i = 0; i < OCLMM_COUNT(pairs); i++)
		if (pairs[i].what == what)
			return (pairs[i].first & a->kind) && (pairs[i].second & b->kind) &&
			       same_object(a, b) == pairs[i].same;
	return false;
}

static bool are_bound(const struct oclmm_statement *s, const struct oclmm_statement *t)
{
	struct oclmm_effects a = oclmm_statement_effects(s), b = oclmm_statement_effects(t);

	return oclmm_effects_depend(&a, &b);
}

/* The link behind what was changed, or `link` itself: it changes nothing here. */
static struct oclmm_statement **swap_pair(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link, *t = s->next;
	struct access a = access_of(m, s), b = access_of(m, t);

	if (!a.kind || !b.kind || !is_pair(m->change->what, &a, &b) ||
	    !is_one_taken(m, s, &a, t, &b) || are_bound(s, t))
		return link;
	oclmm_change_step(&m->edit, OCLMM_STEP_EXCHANGE, link, &s->next);
	return &s->next;
}

/* ---- answered by what is known, or dropped --------------------------------------- */

/* The nearest earlier load of the same object whose value is still there. */
static bool reuse_load(struct mover *m, struct oclmm_statement *first,
                       struct oclmm_statement *later)
{
	const struct access load = access_of(m, later);
	struct access before;
	struct oclmm_statement *at = later;

	if (load.kind != LOAD)
		return false;
	while ((at = find_before(m, first, at, &before))) {
		uint64_t written = written_between(at, later);

		if (before.kind != LOAD || (written & oclmm_register_bit(before.reg)) ||
		    (written & reads(load.place->index)))
			continue;
		if (!is_one_taken(m, at, &before, later, &load))
			return false;
		later->assign.value =
			oclmm_build_read_register(&(struct builder){.program = m->edit.program,
		                                                    .arena = m->edit.arena,
		                                                    .thread = m->edit.thread,
		                                                    .position = later->position},
		                                  before.reg);
		return true;
	}
	return false;
}

/* The value that the work-item itself stored last, through whatever lies between. */
static bool forward_store(struct mover *m, struct oclmm_statement *first,
                          struct oclmm_statement *later)
{
	const struct access load = access_of(m, later);
	struct access store;
	struct oclmm_statement *at = load.kind & LOADS ? find_before(m, first, later, &store)
	                                               : NULL;

	if (!at || !(store.kind & STORES) || !is_one_taken(m, at, &store, later, &load) ||
	    (written_between(at, later) & (reads(store.value) | reads(load.place->index))))
		return false;
	later->assign.value = store.value;
	return true;
}

/* What an update left is known by its operand and its result. */
static struct oclmm_expression *left_by(struct mover *m, const struct access *update,
                                        uint64_t written)
{
	const struct oclmm_atomic *a = update->atomic;
	struct builder b = {m->edit.program, m->edit.arena, m->edit.thread, NULL, {0}};
	enum oclmm_operator op;

	if (update->kind != UPDATE || a->legacy || (written & reads(a->operand)))
		return NULL;
	b.position = a->object.position;
	if (a->op == OCLMM_OP_EXCHANGE)
		return a->operand;
	op = oclmm_build_operator(a->op);
	if (op == OCLMM_OPERATOR_COUNT)
		return NULL;
	if (!update->assigns || (written & oclmm_register_bit(update->reg)))
		return NULL;
	return oclmm_build_binary(&b, op, m->edit.program->locations[a->object.location].type,
	                          oclmm_build_read_register(&b, update->reg), a->operand);
}

static bool forward_update(struct mover *m, struct oclmm_statement *first,
                           struct oclmm_statement *later)
{
	const struct access load = access_of(m, later);
	struct access update;
	struct oclmm_statement *at = load.kind & LOADS ? find_before(m, first, later, &update)
	                                               : NULL;
	struct oclmm_expression *value;

	if (!at || !is_one_taken(m, at, &update, later, &load) ||
	    (written_between(at, later) & reads(load.place->index)))
		return false;
	value = left_by(m, &update, written_between(at, later));
	if (value)
		later->assign.value = value;
	return value;
}

/* The object has the value already, because the work-item stored it there or read it. */
static bool is_same_store(struct mover *m, struct oclmm_statement *first,
                          struct oclmm_statement *later)
{
	const struct access store = access_of(m, later);
	struct access before;
	struct oclmm_statement *at;

	if (!(store.kind & STORES) || !is_taken(m, later, &store))
		return false;
	at = find_before(m, first, later, &before);
	if (!at || (written_between(at, later) & (reads(store.value) | reads(store.place->index))))
		return false;
	if (before.kind & LOADS)
		return store.value->kind == OCLMM_EXPRESSION_REGISTER &&
		       store.value->reg == before.reg;
	return (before.kind & STORES) && is_same_value(before.value, store.value);
}

/* An own later store or exchange overwrites it. */
static bool is_overwritten(struct mover *m, struct oclmm_statement *earlier)
{
	const struct access store = access_of(m, earlier);

	if (!(store.kind & STORES))
		return false;
	for (struct oclmm_statement *s = earlier->next; s && !ends_line(s); s = s->next) {
		const struct access later = access_of(m, s);

		if (same_object(&later, &store))
			return ((later.kind & STORES) ||
			        (later.kind == UPDATE && later.atomic->op == OCLMM_OP_EXCHANGE)) &&
			       is_one_taken(m, earlier, &store, s, &later);
	}
	return false;
}

/* Of fences that look alike the first one of a block is left. */
static bool is_fence_again(const struct mover *m, struct oclmm_statement *first,
                           struct oclmm_statement *later)
{
	const struct access fence = access_of(m, later);
	bool found = false;

	if (fence.kind != FENCE || !is_taken(m, later, &fence))
		return false;
	for (const struct oclmm_statement *s = first; s != later; s = s->next) {
		if (ends_line(s))
			found = false;
		found |= s->kind == OCLMM_STATEMENT_FENCE &&
		         strcmp(s->fence.spelling, later->fence.spelling) == 0 &&
		         s->fence.flags == later->fence.flags &&
		         s->fence.order == later->fence.order &&
		         s->fence.scope == later->fence.scope;
	}
	return found;
}

/* ---- once more ------------------------------------------------------------------ */

static struct oclmm_statement *copy_of(struct mover *m, const struct oclmm_statement *s)
{
	return oclmm_arena_copy(m->edit.arena, s, sizeof(*s));
}

/* The store, the statement behind it, and the store again. Returns as swap_pair() does. */
static struct oclmm_statement **repeat_store(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link, *behind = s, *again;
	const struct access store = access_of(m, s), next = access_of(m, s->next);

	if (!(store.kind & STORES) || !is_taken(m, s, &store))
		return link;
	if (next.kind &&
	    !(oclmm_statement_effects(s).reads & oclmm_statement_effects(s->next).writes))
		behind = s->next;
	again = copy_of(m, s);
	again->next = behind->next;
	behind->next = again;
	return &again->next;
}

/* The first place where a register's value is used: a place in an expression; NULL: there is none,
 * or something else is assigned before. `*ret_end`: nothing behind this is looked at. */
static struct oclmm_expression **find_in(struct oclmm_expression **e, uint32_t reg, bool *ret_end)
{
	struct oclmm_parts parts;

	if ((*e)->kind == OCLMM_EXPRESSION_REGISTER && (*e)->reg == reg)
		return e;
	oclmm_expression_parts(*e, &parts);
	for (unsigned i = 0; i < parts.expression_count && !*ret_end; i++) {
		struct oclmm_expression **found;

		/* behind the object's index stands the address of what is expected */
		if ((*e)->kind == OCLMM_EXPRESSION_ATOMIC &&
		    parts.expressions[i] == &(*e)->atomic->operand &&
		    (*e)->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER &&
		    (*e)->atomic->comparand.reg == reg)
			break;
		found = find_in(parts.expressions[i], reg, ret_end);
		if (found)
			return found;
	}
	*ret_end |= (*e)->kind == OCLMM_EXPRESSION_ATOMIC &&
	            (*e)->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER &&
	            (*e)->atomic->comparand.reg == reg;
	return NULL;
}

static struct oclmm_expression **find_use(struct oclmm_statement *s, uint32_t reg)
{
	bool end = false;

	while (s && !end) {
		struct oclmm_parts parts;

		if (s->kind == OCLMM_STATEMENT_BARRIER || s->kind == OCLMM_STATEMENT_COPY ||
		    s->kind == OCLMM_STATEMENT_WAIT ||
		    (s->kind == OCLMM_STATEMENT_ASSIGN && s->assign.reg == reg))
			return NULL;
		oclmm_statement_parts(s, &parts);
		for (unsigned i = 0; i < parts.expression_count && !end; i++) {
			struct oclmm_expression **found = find_in(parts.expressions[i], reg, &end);

			if (found)
				return found;
		}
		if (s->kind == OCLMM_STATEMENT_WHILE)
			return NULL;
		/* into a branch, and not behind it */
		s = s->kind == OCLMM_STATEMENT_IF ? s->branch.then_body : s->next;
	}
	return NULL;
}

/* What was loaded is loaded again where it is needed. */
static bool repeat_load(struct mover *m, struct oclmm_statement *s)
{
	const struct access load = access_of(m, s);
	struct oclmm_expression **use;

	if (load.kind != LOAD || !is_taken(m, s, &load))
		return false;
	use = find_use(s->next, load.reg);
	if (use)
		*use = oclmm_arena_copy(m->edit.arena, s->assign.value, sizeof(**use));
	return use;
}

/* `r = load; store r;`: an update that changes nothing, and comes apart. */
static struct oclmm_statement **store_loaded(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link;
	const struct access load = access_of(m, s);
	struct builder b = {m->edit.program, m->edit.arena, m->edit.thread, &s->next, s->position};
	struct oclmm_atomic relaxed;

	if (load.kind != LOAD || !is_taken(m, s, &load))
		return link;
	relaxed = *load.atomic;
	relaxed.order = OCLMM_ORDER_RELAXED;
	oclmm_build_store(&b, &relaxed, oclmm_build_read_register(&b, load.reg));
	return &s->next->next;
}

/* ---- out of a branch ---------------------------------------------------------------- */

/* The branch behind a load, and fences perhaps. */
static struct oclmm_statement *branch_behind(struct oclmm_statement *load)
{
	struct oclmm_statement *s = load->next;

	while (s && s->kind == OCLMM_STATEMENT_FENCE)
		s = s->next;
	return s && s->kind == OCLMM_STATEMENT_IF ? s : NULL;
}

/* `early = access; r0 = load; if (r0 == 1) r1 = early;`; what is plain becomes volatile, so that
 * the compiler leaves it where it is put. */
static bool load_before_branch(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link, *branch, *inner;
	const struct access load = access_of(m, s);
	struct access guarded;
	struct builder b = {m->edit.program, m->edit.arena, m->edit.thread, link, s->position};
	struct oclmm_expression *value;
	uint32_t early;

	if (!load.kind || !load.assigns)
		return false;
	branch = branch_behind(s);
	inner = branch ? branch->branch.then_body : NULL;
	guarded = access_of(m, inner);
	if (!(guarded.kind & LOADS) || !is_one_taken(m, s, &load, inner, &guarded) ||
	    (reads(inner->assign.value) & oclmm_register_bit(load.reg)))
		return false;
	value = inner->assign.value;
	if (guarded.kind == PLAIN_LOAD)
		value->load.is_volatile = true;
	early = oclmm_build_new_register(&b,
	                                 m->edit.program->locations[guarded.place->location].type);
	oclmm_build_assign(&b, early, value);
	inner->assign.value = oclmm_build_read_register(&b, early);
	return true;
}

static struct oclmm_expression *volatile_load(const struct builder *b,
                                              const struct oclmm_place *from)
{
	struct oclmm_expression *e = OCLMM_MAKE(b->arena, struct oclmm_expression,
	                                        .kind = OCLMM_EXPRESSION_LOAD,
	                                        .type = b->program->locations[from->location].type,
	                                        .position = b->position, .load = *from);

	e->load.is_volatile = true;
	return e;
}

/* `was = load; store; if (!(r0 == 1)) restore; if (r0 == 1) { }` */
static struct oclmm_statement **store_before_branch(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *branch = *link, *inner, *back;
	struct builder b = {m->edit.program, m->edit.arena, m->edit.thread, link, branch->position},
		       within;
	struct access store;
	struct oclmm_atomic relaxed = {0};
	struct oclmm_expression * not ;
	uint32_t was;

	if (branch->kind != OCLMM_STATEMENT_IF)
		return link;
	inner = branch->branch.then_body;
	store = access_of(m, inner);
	if (!(store.kind & STORES) || !is_taken(m, inner, &store))
		return link;
	was = oclmm_build_new_register(&b, m->edit.program->locations[store.place->location].type);
	if (store.atomic) {
		relaxed = *store.atomic;
		relaxed.order = OCLMM_ORDER_RELAXED;
		relaxed.scope = OCLMM_SCOPE_WORK_GROUP;
		oclmm_build_load(&b, &relaxed, was);
	} else {
		oclmm_build_assign(&b, was, volatile_load(&b, store.place));
		inner->store.place.is_volatile = true;
	}
	branch->branch.then_body = inner->next;
	inner->next = branch;
	*b.link = inner;
	b.link = &inner->next;
	not = OCLMM_MAKE(m->edit.arena, struct oclmm_expression, .kind = OCLMM_EXPRESSION_UNARY,
	                 .type = OCLMM_TYPE_INT, .position = branch->position,
	                 .unary = {OCLMM_OPERATOR_NOT, branch->branch.condition});
	back = oclmm_build_branch(&b, not );
	within = b;
	within.link = &back->branch.then_body;
	if (store.atomic) {
		oclmm_build_store(&within, &relaxed, oclmm_build_read_register(&b, was));
	} else {
		struct oclmm_statement *restore = copy_of(m, inner);

		restore->next = NULL;
		restore->store.value = oclmm_build_read_register(&b, was);
		back->branch.then_body = restore;
	}
	return &branch->next;
}

/* ---- the way through a block ------------------------------------------------------------- */

/* Whether a change takes what a statement finds before it, and so the last one first: what was
 * changed would tell nothing to those behind it. */
static bool looks_back(enum oclmm_what what)
{
	return what == OCLMM_WHAT_FENCE_ONCE || what == OCLMM_WHAT_SAME_DROPPED ||
	       what == OCLMM_WHAT_LOAD_REUSED || what == OCLMM_WHAT_STORE_FORWARDED ||
	       what == OCLMM_WHAT_UPDATE_FORWARDED;
}

static bool change_by_what_is_before(struct mover *m, struct oclmm_statement *first,
                                     struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link;
	bool drops = false;

	switch (m->change->what) {
	case OCLMM_WHAT_FENCE_ONCE: drops = is_fence_again(m, first, s); break;
	case OCLMM_WHAT_SAME_DROPPED: drops = is_same_store(m, first, s); break;
	case OCLMM_WHAT_LOAD_REUSED: return reuse_load(m, first, s);
	case OCLMM_WHAT_STORE_FORWARDED: return forward_store(m, first, s);
	default: return forward_update(m, first, s);
	}
	if (drops)
		oclmm_change_step(&m->edit, OCLMM_STEP_DROP, link, link);
	return drops;
}

static void change_backwards(struct mover *m, struct oclmm_statement **block,
                             struct oclmm_statement **link)
{
	struct oclmm_parts parts;

	if (!*link)
		return;
	change_backwards(m, block, &(*link)->next);
	oclmm_statement_parts(*link, &parts);
	for (unsigned i = 0; i < parts.body_count; i++)
		change_backwards(m, parts.bodies[i], parts.bodies[i]);
	m->places += change_by_what_is_before(m, *block, link);
}

/* The link behind what was changed, or `link` itself: nothing was. */
static struct oclmm_statement **move_on(struct mover *m, struct oclmm_statement **link)
{
	struct oclmm_statement *s = *link;

	switch (m->change->what) {
	case OCLMM_WHAT_STORE_REPEATED: return repeat_store(m, link);
	case OCLMM_WHAT_LOAD_STORED: return store_loaded(m, link);
	case OCLMM_WHAT_STORE_INVENTED: return store_before_branch(m, link);
	case OCLMM_WHAT_GUARDED_EARLY: return load_before_branch(m, link) ? &s->next : link;
	case OCLMM_WHAT_LOAD_REPEATED: return repeat_load(m, s) ? &s->next : link;
	default: return swap_pair(m, link);
	}
}

static void change_forwards(struct mover *m, struct oclmm_statement **link)
{
	while (*link) {
		struct oclmm_statement *s = *link, **behind;
		struct oclmm_parts parts;

		if (m->change->what == OCLMM_WHAT_STORE_DROPPED && is_overwritten(m, s)) {
			m->places++;
			oclmm_change_step(&m->edit, OCLMM_STEP_DROP, link, link);
			continue;
		}
		behind = move_on(m, link);
		m->places += behind != link;
		oclmm_statement_parts(s, &parts);
		for (unsigned i = 0; i < parts.body_count; i++)
			change_forwards(m, parts.bodies[i]);
		link = behind != link ? behind : &s->next;
	}
}

static bool is_of_statements(enum oclmm_what what)
{
	return what == OCLMM_WHAT_FENCE_ONCE ||
	       (what >= OCLMM_WHAT_LOADS_REVERSED && what <= OCLMM_WHAT_LOAD_STORED);
}

/* Returns the places that were changed in the thread. */
static size_t change_statements(const struct oclmm_edit *edit, const struct oclmm_mutation *change)
{
	struct oclmm_thread *thread = &edit->program->threads[edit->thread];
	struct mover m = {.edit = *edit,
	                  .change = change,
	                  .spots = find_spots(edit->arena, change, thread)};
	struct oclmm_statement **body = &thread->body;

	if (looks_back(change->what))
		change_backwards(&m, body, body);
	else
		change_forwards(&m, body);
	return m.places;
}

/* ---- a change of a program ------------------------------------------------- */

struct changer {
	const struct oclmm_mutation *change;
	struct oclmm_edit edit;
	struct oclmm_changed *changed;
	struct spots spots;
	const struct oclmm_statement *statement; /* that is looked at */
	bool in_branch, in_loop;
	bool assigns; /* what is changed is all that a register is given */
	size_t marks; /* that are left */
};

static void note(struct changer *c)
{
	c->changed->places++;
}

static void mark(struct changer *c, bool *wrong)
{
	*wrong = true;
	c->changed->marked = true;
	c->marks++;
	note(c);
}

/* ---- orders and scopes ----------------------------------------------------- */

static bool is_operation(enum oclmm_function_kind kind)
{
	return kind <= OCLMM_FUNCTION_FLAG_CLEAR;
}

static bool is_update(enum oclmm_function_kind kind)
{
	return kind == OCLMM_FUNCTION_FETCH || kind == OCLMM_FUNCTION_CAS ||
	       kind == OCLMM_FUNCTION_FLAG_SET;
}

/* seq_cst, less the total order. A failed compare-exchange only loads. */
static enum oclmm_order without_total_order(enum oclmm_function_kind kind, bool failure)
{
	if (kind == OCLMM_FUNCTION_LOAD || failure)
		return OCLMM_ORDER_ACQUIRE;
	return is_update(kind) ? OCLMM_ORDER_ACQ_REL : OCLMM_ORDER_RELEASE;
}

static enum oclmm_order weaken_fence(enum oclmm_what what, enum oclmm_order order)
{
	bool both = order == OCLMM_ORDER_ACQ_REL || order == OCLMM_ORDER_SEQ_CST;

	switch (what) {
	case OCLMM_WHAT_RELAXED: return OCLMM_ORDER_RELAXED;
	case OCLMM_WHAT_FENCE_WEAKENED:
		return order == OCLMM_ORDER_SEQ_CST ? OCLMM_ORDER_ACQ_REL : OCLMM_ORDER_RELAXED;
	case OCLMM_WHAT_FENCE_TO_ACQUIRE: return both ? OCLMM_ORDER_ACQUIRE : order;
	case OCLMM_WHAT_FENCE_TO_RELEASE: return both ? OCLMM_ORDER_RELEASE : order;
	default: return order;
	}
}

enum oclmm_order oclmm_weaker_order(enum oclmm_what what, enum oclmm_function_kind kind,
                                    bool failure, enum oclmm_order order)
{
	if (kind == OCLMM_FUNCTION_FENCE)
		return weaken_fence(what, order);
	switch (what) {
	case OCLMM_WHAT_UNORDERED:
	case OCLMM_WHAT_RELAXED: return OCLMM_ORDER_RELAXED;
	case OCLMM_WHAT_NO_TOTAL_ORDER:
		return order == OCLMM_ORDER_SEQ_CST ? without_total_order(kind, failure) : order;
	case OCLMM_WHAT_NO_ACQUIRE:
		return order == OCLMM_ORDER_ACQUIRE   ? OCLMM_ORDER_RELAXED
		       : order == OCLMM_ORDER_ACQ_REL ? OCLMM_ORDER_RELEASE
		                                      : order;
	case OCLMM_WHAT_NO_RELEASE:
		return order == OCLMM_ORDER_RELEASE   ? OCLMM_ORDER_RELAXED
		       : order == OCLMM_ORDER_ACQ_REL ? OCLMM_ORDER_ACQUIRE
		                                      : order;
	case OCLMM_WHAT_RMW_RELAXED:
		return is_update(kind) && order != OCLMM_ORDER_SEQ_CST ? OCLMM_ORDER_RELAXED
		                                                       : order;
	case OCLMM_WHAT_FAILURE_RELAXED: return failure ? OCLMM_ORDER_RELAXED : order;
	default: return order;
	}
}

/* The function that has the operation, and its orders where they are not the default ones. */
static void spell(const struct changer *c, struct oclmm_atomic *a)
{
	a->order_written |= a->order != OCLMM_ORDER_SEQ_CST || a->scope != OCLMM_SCOPE_DEVICE ||
	                    (oclmm_operation_is_cas(a->op) && a->failure != OCLMM_ORDER_SEQ_CST);
	a->spelling = oclmm_arena_printf(c->edit.arena, "%s%s", oclmm_operation_stem(a->op),
	                                 a->order_written ? "_explicit" : "");
}

/* Whether another order has taken the place of an operation's. */
static bool set_orders(const struct changer *c, enum oclmm_function_kind kind,
                       struct oclmm_atomic *a)
{
	enum oclmm_order order = oclmm_weaker_order(c->change->what, kind, false, a->order),
			 failure = a->failure;

	if (oclmm_operation_is_cas(a->op))
		failure = oclmm_weaker_order(c->change->what, kind, true, a->failure);
	if (order == a->order && failure == a->failure)
		return false;
	oclmm_build_set_order(c->edit.arena, a, order, failure);
	return true;
}

/* The scope at which a change lets all wider ones end. */
static bool narrow(const struct changer *c, enum oclmm_scope *scope)
{
	enum oclmm_scope narrowest = c->change->to_sub_group ? OCLMM_SCOPE_SUB_GROUP
	                                                     : OCLMM_SCOPE_WORK_GROUP;

	if (*scope <= narrowest)
		return false;
	*scope = narrowest;
	return true;
}

/* ---- atomic operations -------------------------------------------------------- */

/* Where a change is, as far as the program says. */
static bool is_there(const struct changer *c, const struct call *call, const struct oclmm_atomic *a,
                     bool unused)
{
	const struct oclmm_location *l = &c->edit.program->locations[a->object.location];

	switch (c->change->where) {
	case OCLMM_WHERE_WIDE: return oclmm_type_bits(l->type) == 64;
	case OCLMM_WHERE_SHORT: return !a->order_written;
	case OCLMM_WHERE_LOCAL: return strcmp(call->words[OCLMM_ASPECT_SPACE], "local") == 0;
	case OCLMM_WHERE_UNUSED:
		return unused && oclmm_operation_reads(a->op) && oclmm_operation_writes(a->op);
	case OCLMM_WHERE_BRANCH: return c->in_branch;
	case OCLMM_WHERE_MIXED: return find_reached(c->edit.program, a).mixed;
	case OCLMM_WHERE_STORED: return find_reached(c->edit.program, a).stored;
	case OCLMM_WHERE_OTHER: return a->op == OCLMM_OP_STORE && !is_constant(a->operand, 1);
	default: return true;
	}
}

/* A store with the half of an exchange's order that is its own. */
static void store_for_exchange(struct changer *c, struct oclmm_atomic *a)
{
	if (a->legacy) {
		mark(c, &a->wrong);
		return;
	}
	a->op = OCLMM_OP_STORE;
	if (a->order != OCLMM_ORDER_SEQ_CST)
		a->order = oclmm_order_releases(a->order) ? OCLMM_ORDER_RELEASE
		                                          : OCLMM_ORDER_RELAXED;
	spell(c, a);
	note(c);
}

/* An update that leaves what it finds, as a relaxed load. */
static void load_for_update(struct changer *c, struct oclmm_atomic *a)
{
	bool and = a->op == OCLMM_OP_FETCH_AND;

	if (a->operand->kind != OCLMM_EXPRESSION_CONSTANT || and) {
		mark(c, &a->wrong);
		return;
	}
	if (!is_constant(a->operand, 0))
		return;
	a->op = OCLMM_OP_LOAD;
	a->operand = NULL;
	a->order = OCLMM_ORDER_RELAXED;
	a->scope_written |= !a->order_written;
	spell(c, a);
	note(c);
}

/* Whether a change that leaves it to the kernel's writer is in an operation. */
static bool is_wrong(const struct changer *c, const struct oclmm_function *function,
                     const struct oclmm_atomic *a, bool unused)
{
	const struct oclmm_location *l = &c->edit.program->locations[a->object.location];
	enum oclmm_function_kind kind = function->kind;
	unsigned bits = oclmm_type_bits(l->type);
	bool fetch = kind == OCLMM_FUNCTION_FETCH, cas = kind == OCLMM_FUNCTION_CAS;
	bool legacy = kind == OCLMM_FUNCTION_LEGACY || kind == OCLMM_FUNCTION_LEGACY_CAS;
	bool load = kind == OCLMM_FUNCTION_LOAD, store = kind == OCLMM_FUNCTION_STORE;

	switch (c->change->what) {
	case OCLMM_WHAT_SPLIT: return fetch || cas;
	case OCLMM_WHAT_SPLIT_FETCH:
	case OCLMM_WHAT_LOST:
	case OCLMM_WHAT_TWICE: return fetch;
	case OCLMM_WHAT_SPLIT_CAS:
	case OCLMM_WHAT_SAME_LOAD:
	case OCLMM_WHAT_EXPECTED_LATE: return cas;
	/* GPUs have a separate instruction for updates whose result is not used */
	case OCLMM_WHAT_SPLIT_LEGACY: return legacy && (c->change->all || !unused);
	/* an atomic_flag cannot be read otherwise */
	case OCLMM_WHAT_PLAIN: return load || store || fetch || cas || legacy;
	case OCLMM_WHAT_COUNT_LOST: return kind == OCLMM_FUNCTION_LEGACY;
	case OCLMM_WHAT_LOAD_ONCE: return load && c->in_loop && c->assigns;
	case OCLMM_WHAT_PLAIN_ACCESS: return load || store;
	case OCLMM_WHAT_TORN: return (load || store) && bits > c->change->number;
	case OCLMM_WHAT_NEIGHBOUR: return store && bits == 32;
	case OCLMM_WHAT_ELEMENT: return is_operation(kind) && bits == 32;
	case OCLMM_WHAT_INIT_LOST: return kind == OCLMM_FUNCTION_INIT;
	case OCLMM_WHAT_INIT_NARROW:
		return kind == OCLMM_FUNCTION_INIT && !oclmm_type_is_floating(l->type);
	case OCLMM_WHAT_FLOAT_BITS:
		return fetch && oclmm_type_is_floating(l->type) && strchr("+-<>", function->update);
	case OCLMM_WHAT_FLOAT_ZERO:
		return oclmm_type_is_floating(l->type) && (store || function->update == '=');
	case OCLMM_WHAT_FLOAT_PAYLOAD:
	case OCLMM_WHAT_FLOAT_SUBNORMAL:
		return oclmm_type_is_floating(l->type) && (load || function->update == '=');
	case OCLMM_WHAT_FLOAT_EQUAL: return oclmm_type_is_floating(l->type) && cas;
	default: return is_mistaken(c->change, function, l->type);
	}
}

/* Orders, and scopes where these are meant, too. */
static void change_all_of(struct changer *c, enum oclmm_function_kind kind, struct oclmm_atomic *a)
{
	enum oclmm_scope scope = a->scope;
	bool narrowed = c->change->all && narrow(c, &scope);
	bool relaxed = set_orders(c, kind, a);

	if (narrowed)
		oclmm_build_set_scope(c->edit.arena, a, scope);
	if (narrowed || relaxed)
		note(c);
}

static void change_atomic(struct changer *c, struct oclmm_atomic *a, bool unused)
{
	const struct call call = call_of(c->edit.program, &c->edit.program->threads[c->edit.thread],
	                                 a);
	enum oclmm_function_kind kind = call.function->kind;
	char update = call.function->update;
	enum oclmm_scope scope = a->scope;
	bool guarded = c->change->where >= OCLMM_WHERE_FIRST_GUARD;

	if (!is_chosen(c->change, &call) || !is_there(c, &call, a, unused) ||
	    !is_also_there(c->edit.program, &c->spots, c->change, c->statement, a, &a->object,
	                   oclmm_operation_reads(a->op) ? NULL : a->operand, unused))
		return;
	switch (c->change->what) {
	case OCLMM_WHAT_RELAXED:
	case OCLMM_WHAT_NO_TOTAL_ORDER:
	case OCLMM_WHAT_NO_ACQUIRE:
	case OCLMM_WHAT_NO_RELEASE:
	case OCLMM_WHAT_RMW_RELAXED:
	case OCLMM_WHAT_FAILURE_RELAXED: {
		struct oclmm_atomic old = *a;

		if (!is_operation(kind) || !set_orders(c, kind, a))
			return;
		note(c);
		/* a constant is known before the kernel runs */
		if (guarded && !(c->change->where == OCLMM_WHERE_OTHER &&
		                 a->operand->kind == OCLMM_EXPRESSION_CONSTANT)) {
			*a = old;
			a->wrong = c->changed->marked = true;
			c->marks++;
		}
		return;
	}
	case OCLMM_WHAT_SCOPE:
		if (!is_operation(kind) || !narrow(c, &scope))
			return;
		if (guarded) {
			a->wrong = c->changed->marked = true;
			c->marks++;
		} else {
			oclmm_build_set_scope(c->edit.arena, a, scope);
		}
		note(c);
		return;
	case OCLMM_WHAT_UNORDERED:
		if (is_operation(kind))
			change_all_of(c, kind, a);
		return;
	case OCLMM_WHAT_STORE_FOR_EXCHANGE:
		if (update == '=' && unused)
			store_for_exchange(c, a);
		return;
	case OCLMM_WHAT_ZERO_LOAD:
		if (kind == OCLMM_FUNCTION_FETCH && strchr("+-|^&", update))
			load_for_update(c, a);
		return;
	default:
		if (is_wrong(c, call.function, a, unused))
			mark(c, &a->wrong);
	}
}

/* ---- fences and barriers ---------------------------------------------------- */

static bool is_for_both(unsigned flags)
{
	return (flags & OCLMM_FLAG_LOCAL) && (flags & OCLMM_FLAG_GLOBAL);
}

/* The same for what has no object. */
static bool is_also_there_too(const struct changer *c)
{
	return is_also_there(c->edit.program, &c->spots, c->change, c->statement, NULL, NULL, NULL,
	                     false);
}

/* Whether a fence is to be dropped. */
static bool change_fence(struct changer *c, struct oclmm_fence *fence)
{
	const struct call call = call_of_fence(fence);
	enum oclmm_what what = c->change->what;
	enum oclmm_where where = c->change->where;
	bool full = call.function->kind == OCLMM_FUNCTION_FENCE;
	enum oclmm_order order = full ? weaken_fence(what, fence->order) : fence->order;

	if (!is_chosen(c->change, &call) || !is_also_there_too(c))
		return false;
	if (what == (full ? OCLMM_WHAT_FENCE_DROPPED : OCLMM_WHAT_MEM_FENCE_DROPPED) ||
	    what == OCLMM_WHAT_UNORDERED) {
		if (where >= OCLMM_WHERE_FIRST_GUARD)
			mark(c, &fence->wrong);
		else
			note(c);
		return where < OCLMM_WHERE_FIRST_GUARD;
	}
	/* fences have no object: in some of them only where the launch decides */
	if (where != OCLMM_WHERE_ANYWHERE &&
	    (where <= OCLMM_WHERE_OTHER || where == OCLMM_WHERE_SHIFTED ||
	     where == OCLMM_WHERE_RARE))
		return false;
	if (order != fence->order && where != OCLMM_WHERE_ANYWHERE) {
		mark(c, &fence->wrong);
	} else if (order != fence->order) {
		fence->order = order;
		note(c);
	}
	if (what == OCLMM_WHAT_SCOPE && full && narrow(c, &fence->scope))
		note(c);
	if (what == OCLMM_WHAT_FENCE_FLAGS && is_for_both(fence->flags)) {
		fence->flags = c->change->keep_global ? OCLMM_FLAG_GLOBAL : OCLMM_FLAG_LOCAL;
		note(c);
	}
	return false;
}

/* Whether a change that is in one half of split barriers is in this barrier. */
static bool is_half(enum oclmm_where where, enum oclmm_barrier_part part)
{
	return where == OCLMM_WHERE_ARRIVE ? part == OCLMM_BARRIER_ARRIVE
	       : where == OCLMM_WHERE_WAIT ? part == OCLMM_BARRIER_WAIT
	                                   : true;
}

static void change_barrier(struct changer *c, struct oclmm_barrier *barrier)
{
	struct call call;
	unsigned known = barrier->flags & (OCLMM_FLAG_LOCAL | OCLMM_FLAG_GLOBAL);

	if (barrier->collective) {
		/* its name is what is defined otherwise */
		if (c->change->what == OCLMM_WHAT_COLLECTIVE_ALONE)
			mark(c, &barrier->wrong);
		return;
	}
	call = call_of_barrier(barrier);
	if (!is_half(c->change->where, barrier->part) || !is_chosen(c->change, &call) ||
	    !is_also_there_too(c))
		return;
	switch (c->change->what) {
	case OCLMM_WHAT_BARRIER_DROPPED: mark(c, &barrier->wrong); break;
	case OCLMM_WHAT_BARRIER_NO_FLAGS:
		if (barrier->flags)
			note(c);
		barrier->flags = 0;
		break;
	case OCLMM_WHAT_BARRIER_SWAPPED:
		if (known != OCLMM_FLAG_LOCAL && known != OCLMM_FLAG_GLOBAL)
			break;
		barrier->flags = known == OCLMM_FLAG_LOCAL ? OCLMM_FLAG_GLOBAL : OCLMM_FLAG_LOCAL;
		note(c);
		break;
	case OCLMM_WHAT_SCOPE:
		if (barrier->scope_written && narrow(c, &barrier->scope))
			note(c);
		break;
	default: break;
	}
}

/* ---- what is marked, as statements ------------------------------------------------- */

/*
 * A call that is marked becomes what its macro does (macros.c), in statements that a model reads.
 * What has no such form stays marked: flags, expected values in memory, calls within expressions,
 * and what stores a part of a value, for no other function does that in one piece.
 */
struct speller {
	struct builder b;
	const struct oclmm_mutation *change;
	const struct oclmm_statement *statement;
	const struct oclmm_atomic *a;
	enum oclmm_type type; /* of the object */
};

static struct oclmm_expression *spell_constant(const struct speller *s, enum oclmm_type type,
                                               int64_t value)
{
	return OCLMM_MAKE(s->b.arena, struct oclmm_expression, .kind = OCLMM_EXPRESSION_CONSTANT,
	                  .type = type, .position = s->b.position, .constant = value);
}

static struct oclmm_expression *spell_cast(const struct speller *s, enum oclmm_type type,
                                           struct oclmm_expression *value)
{
	return OCLMM_MAKE(s->b.arena, struct oclmm_expression, .kind = OCLMM_EXPRESSION_CAST,
	                  .type = type, .position = s->b.position, .cast = value);
}

static struct oclmm_expression *spell_register(const struct speller *s, uint32_t reg)
{
	return oclmm_build_read_register(&s->b, reg);
}

static struct oclmm_expression *are_equal(const struct speller *s, struct oclmm_expression *a,
                                          struct oclmm_expression *b)
{
	return oclmm_build_binary(&s->b, OCLMM_OPERATOR_EQ, OCLMM_TYPE_INT, a, b);
}

/* The name of an update of OpenCL 1.x, with the prefix that the call has. */
static const char *spell_legacy(const struct speller *s, enum oclmm_operation op)
{
	static const char *const stems[OCLMM_OP_COUNT] = {
		[OCLMM_OP_EXCHANGE] = "xchg", [OCLMM_OP_FETCH_ADD] = "add",
		[OCLMM_OP_FETCH_SUB] = "sub", [OCLMM_OP_FETCH_OR] = "or",
		[OCLMM_OP_FETCH_XOR] = "xor", [OCLMM_OP_FETCH_AND] = "and",
		[OCLMM_OP_FETCH_MIN] = "min", [OCLMM_OP_FETCH_MAX] = "max"};

	return oclmm_arena_printf(s->b.arena, "%.*s_%s", (int)strcspn(s->a->spelling, "_"),
	                          s->a->spelling, stems[op]);
}

/* The call, as another operation. */
static struct oclmm_expression *spell_call(const struct speller *s, enum oclmm_operation op,
                                           enum oclmm_order order, struct oclmm_expression *operand)
{
	struct oclmm_atomic *a = oclmm_arena_copy(s->b.arena, s->a, sizeof(*a));

	a->op = op;
	a->wrong = false;
	a->operand = operand;
	a->order = order;
	a->comparand = (struct oclmm_comparand){.kind = OCLMM_COMPARAND_NONE};
	a->failure = OCLMM_ORDER_NONE;
	if (a->legacy) {
		a->spelling = spell_legacy(s, op);
	} else {
		a->order_written = a->scope_written = true;
		a->spelling = oclmm_arena_printf(s->b.arena, "%s_explicit",
		                                 oclmm_operation_stem(op));
	}
	return OCLMM_MAKE(s->b.arena, struct oclmm_expression, .kind = OCLMM_EXPRESSION_ATOMIC,
	                  .type = s->type, .position = s->b.position, .atomic = a);
}

/* A compare-exchange of the register `expected`, whose macro never fails without a reason. */
static struct oclmm_expression *spell_cas(const struct speller *s, uint32_t expected,
                                          struct oclmm_expression *desired,
                                          enum oclmm_order failure)
{
	struct oclmm_expression *e = spell_call(s, OCLMM_OP_CAS_STRONG, s->a->order, desired);

	e->type = OCLMM_TYPE_INT;
	e->atomic->comparand.kind = OCLMM_COMPARAND_REGISTER;
	e->atomic->comparand.reg = expected;
	e->atomic->failure = failure;
	return e;
}

static struct oclmm_expression *relaxed_load(const struct speller *s)
{
	return spell_call(s, OCLMM_OP_LOAD, OCLMM_ORDER_RELAXED, NULL);
}

/* A register of its own that holds a value. */
static uint32_t spell_value(struct speller *s, enum oclmm_type type, struct oclmm_expression *value)
{
	uint32_t reg = oclmm_build_new_register(&s->b, type);

	oclmm_build_assign(&s->b, reg, value);
	return reg;
}

/* What the call gives. */
static void spell_result(struct speller *s, struct oclmm_expression *value)
{
	if (s->statement->kind == OCLMM_STATEMENT_ASSIGN)
		oclmm_build_assign(&s->b, s->statement->assign.reg, value);
}

static enum oclmm_operation other_operation(enum oclmm_what what)
{
	static const enum oclmm_operation operations[] = {OCLMM_OP_EXCHANGE,  OCLMM_OP_FETCH_ADD,
	                                                  OCLMM_OP_FETCH_SUB, OCLMM_OP_FETCH_OR,
	                                                  OCLMM_OP_FETCH_XOR, OCLMM_OP_FETCH_AND,
	                                                  OCLMM_OP_FETCH_MIN, OCLMM_OP_FETCH_MAX};

	return operations[what - OCLMM_WHAT_AS_EXCHANGE];
}

/* Of these what is stored is the operand itself. */
static bool stores_operand(enum oclmm_operation op)
{
	return op == OCLMM_OP_STORE || op == OCLMM_OP_EXCHANGE || oclmm_operation_is_cas(op);
}

/* The operand as the mistake has it, or NULL: it is none of the operand. */
static struct oclmm_expression *wrong_operand(const struct speller *s)
{
	struct oclmm_expression *v = s->a->operand;
	bool wide = oclmm_type_bits(s->type) == 64;
	int64_t mask = 0;

	switch (s->change->what) {
	case OCLMM_WHAT_STORES_NARROW:
		if (!stores_operand(s->a->op))
			return NULL;
		mask = wide ? 0xffffffff : 0xffff;
		break;
	case OCLMM_WHAT_STORES_NARROW_SIGN:
		if (!stores_operand(s->a->op))
			return NULL;
		return spell_cast(s, s->type,
		                  spell_cast(s, wide ? OCLMM_TYPE_INT : OCLMM_TYPE_SHORT, v));
	case OCLMM_WHAT_OPERAND_8: mask = 0xff; break;
	case OCLMM_WHAT_OPERAND_16: mask = 0xffff; break;
	case OCLMM_WHAT_OPERAND_32: mask = 0xffffffff; break;
	case OCLMM_WHAT_OPERAND_SIGN_8:
		return spell_cast(s, s->type, spell_cast(s, OCLMM_TYPE_CHAR, v));
	case OCLMM_WHAT_OPERAND_SIGN_16:
		return spell_cast(s, s->type, spell_cast(s, OCLMM_TYPE_SHORT, v));
	case OCLMM_WHAT_OPERAND_SIGN_32:
		return spell_cast(s, s->type, spell_cast(s, OCLMM_TYPE_INT, v));
	default: return NULL;
	}
	v = oclmm_build_binary(&s->b, OCLMM_OPERATOR_AND, OCLMM_TYPE_ULONG,
	                       spell_cast(s, OCLMM_TYPE_ULONG, v),
	                       spell_constant(s, OCLMM_TYPE_ULONG, mask));
	return spell_cast(s, s->type, v);
}

/* What an update makes of a register's value, in another register. */
static uint32_t spell_update(struct speller *s, uint32_t old)
{
	enum oclmm_operator op = oclmm_build_operator(s->a->op);
	struct oclmm_expression *left = spell_register(s, old);
	struct builder inner;
	uint32_t new;

	if (s->a->op == OCLMM_OP_EXCHANGE)
		return spell_value(s, s->type, s->a->operand);
	if (op == OCLMM_OPERATOR_COUNT) {
		new = spell_value(s, s->type, left);
		op = s->a->op == OCLMM_OP_FETCH_MIN ? OCLMM_OPERATOR_LT : OCLMM_OPERATOR_GT;
		inner = s->b;
		inner.link = &oclmm_build_branch(&s->b,
		                                 oclmm_build_binary(&s->b, op, OCLMM_TYPE_INT,
		                                                    s->a->operand,
		                                                    spell_register(s, old)))
		                      ->branch.then_body;
		oclmm_build_assign(&inner, new, s->a->operand);
		return new;
	}
	/* sums wrap around */
	return spell_value(
		s, s->type,
		spell_cast(s, s->type,
	                   oclmm_build_binary(&s->b, op, OCLMM_TYPE_ULONG,
	                                      spell_cast(s, OCLMM_TYPE_ULONG, left),
	                                      spell_cast(s, OCLMM_TYPE_ULONG, s->a->operand))));
}

/* Where both are equal the first way is taken, else the second one. */
static void spell_choice(struct speller *s, struct oclmm_expression *a, struct oclmm_expression *b,
                         struct speller *ret_then, struct speller *ret_else)
{
	struct oclmm_statement *branch = oclmm_build_branch(&s->b, are_equal(s, a, b));

	*ret_then = *ret_else = *s;
	ret_then->b.link = &branch->branch.then_body;
	ret_else->b.link = &branch->branch.else_body;
}

/* So many tries of an update, each after the one before it failed. `found` holds what is there. */
static void spell_tries(struct speller *s, uint32_t found, uint64_t tries)
{
	uint32_t old = spell_value(s, s->type, spell_register(s, found)), done;
	struct speller then, other;

	done = spell_value(s, OCLMM_TYPE_INT,
	                   spell_cas(s, found, spell_register(s, spell_update(s, old)),
	                             OCLMM_ORDER_RELAXED));
	if (tries <= 1)
		return;
	spell_choice(s, spell_register(s, done), spell_constant(s, OCLMM_TYPE_INT, 0), &then,
	             &other);
	spell_tries(&then, found, tries - 1);
}

static void spell_fetch(struct speller *s)
{
	const struct oclmm_atomic *a = s->a;
	struct oclmm_expression *nothing, *call = spell_call(s, a->op, a->order, a->operand);
	struct speller then, other;
	uint32_t old;

	switch (s->change->what) {
	case OCLMM_WHAT_NO_RETRY:
		old = spell_value(s, s->type, relaxed_load(s));
		spell_tries(s, old, s->change->number);
		/* what another one left, where that one came before the last try */
		spell_result(s, spell_register(s, old));
		break;
	case OCLMM_WHAT_TWICE:
		/* nobody asks for the result */
		spell_value(s, s->type, call);
		spell_value(s, s->type, spell_call(s, a->op, a->order, a->operand));
		break;
	case OCLMM_WHAT_RESULT_EARLY:
		old = spell_value(s, s->type, relaxed_load(s));
		spell_value(s, s->type, call);
		spell_result(s, spell_register(s, old));
		break;
	case OCLMM_WHAT_ZERO_LOAD:
		nothing = spell_constant(s, OCLMM_TYPE_INT, a->op == OCLMM_OP_FETCH_AND ? -1 : 0);
		spell_choice(s, a->operand, spell_cast(s, s->type, nothing), &then, &other);
		old = spell_value(&then, s->type, relaxed_load(s));
		spell_result(&then, spell_register(s, old));
		old = spell_value(&other, s->type, call);
		spell_result(&other, spell_register(s, old));
		break;
	default: /* RETURNS_OPERAND */
		spell_value(s, s->type, call);
		spell_result(s, a->operand);
		break;
	}
}

static void spell_swap(struct speller *s)
{
	const struct oclmm_atomic *a = s->a;
	uint32_t e = a->comparand.reg, was = spell_value(s, s->type, spell_register(s, e)), done,
		 old;
	struct speller then, other;

	switch (s->change->what) {
	case OCLMM_WHAT_EXPECTED_LATE:
		done = spell_value(s, OCLMM_TYPE_INT, spell_cas(s, e, a->operand, a->failure));
		spell_choice(s, spell_register(s, done), spell_constant(s, OCLMM_TYPE_INT, 0),
		             &then, &other);
		oclmm_build_assign(&then.b, e,
		                   spell_call(s, OCLMM_OP_LOAD,
		                              oclmm_order_part(OCLMM_ORDERED_LOAD, a->failure),
		                              NULL));
		break;
	case OCLMM_WHAT_SAME_LOAD:
		done = spell_value(s, OCLMM_TYPE_INT, spell_constant(s, OCLMM_TYPE_INT, 0));
		spell_choice(s, a->operand, spell_register(s, e), &then, &other);
		oclmm_build_assign(&then.b, e, relaxed_load(s));
		oclmm_build_assign(&then.b, done,
		                   are_equal(s, spell_register(s, e), spell_register(s, was)));
		oclmm_build_assign(&other.b, done, spell_cas(s, e, a->operand, a->failure));
		break;
	case OCLMM_WHAT_SWAPPED:
		old = spell_value(s, s->type, a->operand);
		done = spell_value(s, OCLMM_TYPE_INT,
		                   spell_cas(s, old, spell_register(s, e), a->failure));
		spell_choice(s, spell_register(s, done), spell_constant(s, OCLMM_TYPE_INT, 0),
		             &then, &other);
		oclmm_build_assign(&then.b, e, spell_register(s, old));
		break;
	case OCLMM_WHAT_FAILS:
		oclmm_build_assign(&s->b, e,
		                   spell_call(s, OCLMM_OP_FETCH_OR, a->order,
		                              spell_constant(s, s->type, 0)));
		done = spell_value(s, OCLMM_TYPE_INT, spell_constant(s, OCLMM_TYPE_INT, 0));
		break;
	case OCLMM_WHAT_SUCCEEDS:
		spell_value(s, s->type, spell_call(s, OCLMM_OP_EXCHANGE, a->order, a->operand));
		done = spell_value(s, OCLMM_TYPE_INT, spell_constant(s, OCLMM_TYPE_INT, 1));
		break;
	case OCLMM_WHAT_FAILURE_WRITES:
		oclmm_build_assign(&s->b, e,
		                   spell_call(s, OCLMM_OP_EXCHANGE, a->order, a->operand));
		done = spell_value(s, OCLMM_TYPE_INT,
		                   are_equal(s, spell_register(s, e), spell_register(s, was)));
		break;
	case OCLMM_WHAT_SAYS_FAILURE:
		spell_value(s, OCLMM_TYPE_INT, spell_cas(s, e, a->operand, a->failure));
		done = spell_value(s, OCLMM_TYPE_INT, spell_constant(s, OCLMM_TYPE_INT, 0));
		break;
	case OCLMM_WHAT_SAYS_SUCCESS:
		spell_value(s, OCLMM_TYPE_INT, spell_cas(s, was, a->operand, a->failure));
		done = spell_value(s, OCLMM_TYPE_INT, spell_constant(s, OCLMM_TYPE_INT, 1));
		break;
	default: /* EXPECTED_KEPT */
		done = spell_value(s, OCLMM_TYPE_INT, spell_cas(s, was, a->operand, a->failure));
		break;
	}
	spell_result(s, spell_register(s, done));
}

/* More than are drawn. Each try doubles what a model has to look at. */
enum { MOST_TRIES = 3 };

static int reads_register(void *data, const struct oclmm_expression *e)
{
	uint32_t reg;

	return oclmm_expression_register(e, &reg) && reg == *(const uint32_t *)data;
}

/* Nobody asks for what the call of this statement gives: neither the thread nor the test. */
static bool is_result_idle(const struct changer *c, const struct oclmm_statement *statement)
{
	static const struct oclmm_visitor visitor = {.expression = reads_register};
	const struct oclmm_program *program = c->edit.program;
	uint32_t reg = statement->assign.reg;

	if (statement->kind == OCLMM_STATEMENT_EVALUATE)
		return true;
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		if (o->is_register && o->thread == c->edit.thread && o->reg == reg)
			return false;
	}
	return !oclmm_visit_body(&visitor, program->threads[c->edit.thread].body, &reg);
}

/*
 * One update of some number is lost, or done twice, and a model asks about all of them: that all
 * sums are lost may show less than that one is. But to do it again at once changes nothing of a
 * maximum for whose result nobody asks, so where some are done twice nothing shows that does not
 * where all are.
 */
static bool is_idle_again(const struct oclmm_atomic *a, bool idle)
{
	return idle && (a->op == OCLMM_OP_FETCH_OR || a->op == OCLMM_OP_FETCH_AND ||
	                a->op == OCLMM_OP_FETCH_MIN || a->op == OCLMM_OP_FETCH_MAX);
}

/* Whether a call is one of those that spell_fetch() knows, or spell_swap(). */
static bool is_spelled_fetch(const struct oclmm_mutation *change, const struct oclmm_atomic *a,
                             bool idle)
{
	return oclmm_operation_reads(a->op) && oclmm_operation_writes(a->op) && a->operand &&
	       !a->legacy && !oclmm_operation_is_cas(a->op) &&
	       ((change->what == OCLMM_WHAT_NO_RETRY && change->number <= MOST_TRIES) ||
	        (change->what == OCLMM_WHAT_TWICE && is_idle_again(a, idle)) ||
	        change->what == OCLMM_WHAT_RESULT_EARLY || change->what == OCLMM_WHAT_ZERO_LOAD ||
	        change->what == OCLMM_WHAT_RETURNS_OPERAND);
}

static bool is_spelled_swap(const struct oclmm_mutation *change, const struct oclmm_atomic *a)
{
	if (!oclmm_operation_is_cas(a->op) || a->comparand.kind != OCLMM_COMPARAND_REGISTER)
		return false;
	switch (change->what) {
	case OCLMM_WHAT_EXPECTED_LATE:
	case OCLMM_WHAT_SAME_LOAD:
	case OCLMM_WHAT_SWAPPED:
	case OCLMM_WHAT_FAILS:
	case OCLMM_WHAT_SUCCEEDS:
	case OCLMM_WHAT_FAILURE_WRITES:
	case OCLMM_WHAT_SAYS_FAILURE:
	case OCLMM_WHAT_SAYS_SUCCESS:
	case OCLMM_WHAT_EXPECTED_KEPT: return true;
	default: return false;
	}
}

static bool is_split(enum oclmm_what what)
{
	return what == OCLMM_WHAT_SPLIT || what == OCLMM_WHAT_SPLIT_FETCH ||
	       what == OCLMM_WHAT_SPLIT_CAS || what == OCLMM_WHAT_SPLIT_LEGACY;
}

/* What may stand twice in a text, and means the same there: it comes to no memory. */
static bool is_repeatable(const struct oclmm_expression *e)
{
	if (!e)
		return true;
	switch (e->kind) {
	case OCLMM_EXPRESSION_CONSTANT:
	case OCLMM_EXPRESSION_REGISTER: return true;
	case OCLMM_EXPRESSION_CAST: return is_repeatable(e->cast);
	case OCLMM_EXPRESSION_BINARY:
		return is_repeatable(e->binary.left) && is_repeatable(e->binary.right);
	default: return false;
	}
}

/* The call that a statement is, and nothing else, where it is marked; or NULL. */
static struct oclmm_atomic *marked_call(const struct oclmm_statement *statement)
{
	const struct oclmm_expression *e = statement->kind == OCLMM_STATEMENT_ASSIGN
	                                           ? statement->assign.value
	                                   : statement->kind == OCLMM_STATEMENT_EVALUATE
	                                           ? statement->effect
	                                           : NULL;

	return e && e->kind == OCLMM_EXPRESSION_ATOMIC && e->atomic->wrong &&
	                       is_repeatable(e->atomic->operand) &&
	                       is_repeatable(e->atomic->object.index)
	               ? e->atomic
	               : NULL;
}

/* In place of the call there is another one: of another operation, or with another operand. */
static bool spell_in_place(const struct speller *s, struct oclmm_atomic *a)
{
	struct oclmm_expression *operand = a->operand ? wrong_operand(s) : NULL;

	if (operand) {
		a->operand = operand;
	} else if (s->change->what >= OCLMM_WHAT_AS_EXCHANGE &&
	           s->change->what <= OCLMM_WHAT_AS_MAX && a->operand) {
		*a = *spell_call(s, other_operation(s->change->what), a->order, a->operand)->atomic;
	} else {
		return false;
	}
	a->wrong = false;
	return true;
}

/* Leads to what follows on the statement, or what it became. False: it stays marked. */
static bool spell_out(struct changer *c, struct oclmm_statement ***link)
{
	struct oclmm_statement *statement = **link, *after = statement->next;
	struct oclmm_atomic *a = marked_call(statement);
	struct speller s = {.b = {.program = c->edit.program,
	                          .arena = c->edit.arena,
	                          .thread = c->edit.thread,
	                          .link = *link,
	                          .position = statement->position},
	                    .change = c->change,
	                    .statement = statement,
	                    .a = a};

	if (!a)
		return false;
	s.type = c->edit.program->locations[a->object.location].type;
	if (is_split(c->change->what) &&
	    oclmm_step_possible(OCLMM_STEP_SPLIT, c->edit.program, statement)) {
		a->wrong = false;
		oclmm_change_step(&c->edit, OCLMM_STEP_SPLIT, *link, *link);
	} else if (spell_in_place(&s, a)) {
		/* the statement stays */
	} else if (!oclmm_type_is_floating(s.type) &&
	           is_spelled_fetch(c->change, a, is_result_idle(c, statement))) {
		**link = after;
		spell_fetch(&s);
	} else if (!oclmm_type_is_floating(s.type) && is_spelled_swap(c->change, a)) {
		**link = after;
		spell_swap(&s);
	} else {
		return false;
	}
	while (**link != after)
		*link = &(**link)->next;
	c->marks--;
	c->changed->marked = c->marks > 0;
	return true;
}

/* ---- the way through a program -------------------------------------------------- */

static void change_expression(struct changer *c, struct oclmm_expression *e, bool unused)
{
	struct oclmm_parts parts;

	oclmm_expression_parts(e, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++)
		change_expression(c, *parts.expressions[i], false);
	/* an expected value in memory is put there by what stands beside the call */
	if (e->kind == OCLMM_EXPRESSION_ATOMIC)
		change_atomic(c, e->atomic,
		              unused && e->atomic->comparand.kind != OCLMM_COMPARAND_MEMORY);
}

static bool is_narrow_store(const struct oclmm_program *program, const struct oclmm_store *store)
{
	return oclmm_type_is_narrow(program->locations[store->place.location].type);
}

/* Whether a statement is to be dropped. */
static bool change_statement(struct changer *c, struct oclmm_statement *s)
{
	switch (s->kind) {
	case OCLMM_STATEMENT_FENCE: return change_fence(c, &s->fence);
	case OCLMM_STATEMENT_BARRIER: change_barrier(c, &s->barrier); break;
	case OCLMM_STATEMENT_STORE:
		if (c->change->what == OCLMM_WHAT_WORD &&
		    is_narrow_store(c->edit.program, &s->store) &&
		    is_also_there(c->edit.program, &c->spots, c->change, s, NULL, &s->store.place,
		                  s->store.value, false))
			mark(c, &s->store.wrong);
		break;
	case OCLMM_STATEMENT_COPY:
		if (c->change->what == OCLMM_WHAT_COPY_SHORT) {
			s->copy.count--;
			note(c);
		}
		if (c->change->what == OCLMM_WHAT_COPY_STRIDE && s->copy.stride > 1) {
			s->copy.stride = 1;
			note(c);
		}
		break;
	case OCLMM_STATEMENT_WAIT:
		if (c->change->what == OCLMM_WHAT_COPY_UNAWAITED)
			note(c);
		break;
	case OCLMM_STATEMENT_ENQUEUE:
		if (c->change->what == OCLMM_WHAT_CHILD_EARLY &&
		    s->enqueue.flag != OCLMM_ENQUEUE_NO_WAIT) {
			s->enqueue.flag = OCLMM_ENQUEUE_NO_WAIT;
			note(c);
		}
		if (c->change->what == OCLMM_WHAT_CHILD_UNAWAITED && s->enqueue.after) {
			s->enqueue.after = 0;
			note(c);
		}
		break;
	default: break;
	}
	return false;
}

static void change_block(struct changer *c, struct oclmm_statement **link)
{
	while (*link) {
		struct oclmm_statement *s = *link;
		struct oclmm_parts parts;
		bool in_branch = c->in_branch, in_loop = c->in_loop;

		oclmm_statement_parts(s, &parts);
		c->statement = s;
		c->assigns = s->kind == OCLMM_STATEMENT_ASSIGN &&
		             s->assign.value->kind == OCLMM_EXPRESSION_ATOMIC;
		for (unsigned i = 0; i < parts.expression_count; i++)
			change_expression(c, *parts.expressions[i],
			                  s->kind == OCLMM_STATEMENT_EVALUATE);
		c->in_branch |= s->kind == OCLMM_STATEMENT_IF;
		c->in_loop |= s->kind == OCLMM_STATEMENT_WHILE;
		for (unsigned i = 0; i < parts.body_count; i++)
			change_block(c, parts.bodies[i]);
		c->in_branch = in_branch;
		c->in_loop = in_loop;
		c->statement = s;
		if (c->change->spelled && spell_out(c, &link))
			continue;
		if (change_statement(c, s))
			*link = s->next;
		else
			link = &s->next;
	}
}

static void change_thread(struct changer *c)
{
	c->spots = find_spots(c->edit.arena, c->change, &c->edit.program->threads[c->edit.thread]);
	if (is_of_statements(c->change->what))
		c->changed->places += change_statements(&c->edit, c->change);
	else
		change_block(c, &c->edit.program->threads[c->edit.thread].body);
}

/* What is nowhere in a thread's text: the places are the objects. */
static size_t count_objects(const struct oclmm_program *program, enum oclmm_what what)
{
	size_t count = 0;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		count += (what == OCLMM_WHAT_VARIABLE_COPIED &&
		          l->storage == OCLMM_STORAGE_PROGRAM) ||
		         (what == OCLMM_WHAT_VARIABLE_DIRTY &&
		          l->storage == OCLMM_STORAGE_PROGRAM && !l->initial[0] &&
		          !oclmm_type_is_floating(l->type)) ||
		         (what == OCLMM_WHAT_INITIALISER_LOST &&
		          l->storage == OCLMM_STORAGE_PROGRAM &&
		          oclmm_location_has_initialiser(l)) ||
		         (what == OCLMM_WHAT_IMAGE_STALE && oclmm_location_is_image(l));
	}
	return count;
}

/* ---- texts that work-items share -------------------------------------------------- */

static bool is_narrowed(const struct oclmm_mutation *change)
{
	for (int i = 0; i < OCLMM_ASPECT_COUNT; i++)
		if (change->words[i])
			return true;
	return false;
}

static bool find_text_step(const struct oclmm_mutation *change, enum oclmm_moved_step *ret_step)
{
	static_assert(OCLMM_WHAT_POINTER_SAME - OCLMM_WHAT_BARRIER_LOST ==
	                      OCLMM_STEP_POINTER_SAME - OCLMM_STEP_FIRST_OF_TEXT,
	              "steps of a text and what they are in plants stand in the same order");
	if (change->what == OCLMM_WHAT_BARRIER_DROPPED && change->where == OCLMM_WHERE_ANYWHERE &&
	    !is_narrowed(change)) {
		*ret_step = OCLMM_STEP_BARRIER_LOST;
		return true;
	}
	if (change->what < OCLMM_WHAT_BARRIER_LOST || change->what > OCLMM_WHAT_POINTER_SAME)
		return false;
	*ret_step = (enum oclmm_moved_step)(OCLMM_STEP_FIRST_OF_TEXT +
	                                    (change->what - OCLMM_WHAT_BARRIER_LOST));
	return true;
}

/* A device is given the text; its work-items stay what they were. */
static void change_text(struct oclmm_changed *changed, struct oclmm_arena *arena,
                        const struct oclmm_mutation *change)
{
	struct oclmm_shared_text *text = oclmm_arena_copy(arena, changed->program->shared,
	                                                  sizeof(*text));
	enum oclmm_moved_step step;

	if (!find_text_step(change, &step))
		return;
	changed->places = oclmm_text_steps_take(arena, text->body, step, change->where,
	                                        &text->body);
	changed->program->shared = text;
}

struct oclmm_changed oclmm_change_program(struct oclmm_arena *arena,
                                          const struct oclmm_program *program,
                                          const struct oclmm_mutation *change)
{
	struct oclmm_changed changed = {.program = oclmm_program_copy(arena, program)};
	struct changer c = {.change = change,
	                    .edit = {.program = changed.program, .arena = arena},
	                    .changed = &changed};

	if (program->shared) {
		change_text(&changed, arena, change);
		return changed;
	}
	/* what the host does itself no driver compiles */
	for (; c.edit.thread < program->thread_count; c.edit.thread++)
		if (!program->threads[c.edit.thread].placement.host)
			change_thread(&c);
	changed.places += count_objects(program, change->what);
	return changed;
}

/* ---- calls of the kernels' own --------------------------------------------------- */

static struct call own_call(const char *space)
{
	return (struct call){.words = {[OCLMM_ASPECT_ORDER] = "",
	                               [OCLMM_ASPECT_SCOPE] = "device",
	                               [OCLMM_ASPECT_WIDTH] = "32",
	                               [OCLMM_ASPECT_SPACE] = space,
	                               [OCLMM_ASPECT_FORM] = "short",
	                               [OCLMM_ASPECT_TYPE] = "uint"}};
}

static const struct oclmm_function *named(const char *name)
{
	const struct oclmm_function *function;

	for (size_t i = 0; (function = oclmm_function_at(i)); i++)
		if (strcmp(function->name, name) == 0)
			return function;
	return NULL;
}

/* Whether a change is in a function of OpenCL 1.x. */
static bool is_in_count(const struct oclmm_mutation *change, const char *name, bool local,
                        bool used)
{
	struct call call = own_call(local ? "local" : "global");

	call.function = named(name);
	if (!is_chosen(change, &call))
		return false;
	switch (change->what) {
	case OCLMM_WHAT_SPLIT_LEGACY: return change->all || used;
	case OCLMM_WHAT_PLAIN: return local;
	case OCLMM_WHAT_COUNT_LOST: return true;
	default: return is_mistaken(change, call.function, OCLMM_TYPE_UINT);
	}
}

static bool is_in_barrier(const struct oclmm_mutation *change)
{
	struct call call = own_call("local");

	call.function = named("barrier");
	call.words[OCLMM_ASPECT_SCOPE] = "work_group";
	call.words[OCLMM_ASPECT_WIDTH] = call.words[OCLMM_ASPECT_TYPE] = "";
	return is_half(change->where, OCLMM_BARRIER_WHOLE) && is_chosen(change, &call) &&
	       (change->what == OCLMM_WHAT_BARRIER_DROPPED ||
	        change->what == OCLMM_WHAT_BARRIER_NO_FLAGS ||
	        change->what == OCLMM_WHAT_BARRIER_SWAPPED);
}

unsigned oclmm_change_own(const struct oclmm_mutation *change)
{
	if (change->also != OCLMM_WHERE_ANYWHERE)
		return 0;
	return (is_in_barrier(change) ? OCLMM_OWN_BARRIER : 0u) |
	       (is_in_count(change, "inc", true, false) ? OCLMM_OWN_INC_LOCAL : 0u) |
	       (is_in_count(change, "inc", false, false) ? OCLMM_OWN_INC : 0u) |
	       (is_in_count(change, "inc", false, true) ? OCLMM_OWN_INC_USED : 0u) |
	       (is_in_count(change, "add", true, false) ? OCLMM_OWN_ADD_LOCAL : 0u) |
	       (is_in_count(change, "add", false, false) ? OCLMM_OWN_ADD : 0u);
}
