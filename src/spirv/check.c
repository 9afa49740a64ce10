// SPDX-License-Identifier: Apache-2.0
/*
 * Whether a module says what the program says. A thread of a program is the functions `P0`, or
 * `P0_part0` and so on between its barriers; the barriers stand in the kernel, between those that
 * the kernel has for itself.
 */
#include "oclmm/spirv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opcodes.h"

/* The bits of semantics that are an order. */
enum {
	SPIRV_ORDER_BITS = OCLMM_SPIRV_ACQUIRE | OCLMM_SPIRV_RELEASE | OCLMM_SPIRV_ACQUIRE_RELEASE |
	                   OCLMM_SPIRV_SEQUENTIALLY_CONSISTENT,
	SPIRV_MEMORY_BITS = OCLMM_SPIRV_WORKGROUP_MEMORY | OCLMM_SPIRV_CROSS_WORKGROUP_MEMORY |
	                    OCLMM_SPIRV_IMAGE_MEMORY,
};

/* ---- what the program asks for ---- */

/* What a program asks of the module for one of its operations. */
struct expected {
	enum expected_kind { EXPECTED_ATOMIC, EXPECTED_FENCE, EXPECTED_BARRIER } kind;
	const struct oclmm_expression *atomic;   /* ATOMIC */
	const struct oclmm_statement *statement; /* FENCE, BARRIER */
	enum oclmm_order order, failure;         /* NONE: none, or any does */
	enum oclmm_scope scope;
	bool sub_group; /* BARRIER: of sub-groups */
	unsigned flags; /* the memory that it is about, OCLMM_FLAG_ set */
};

struct expected_list {
	struct expected *items;
	size_t count, capacity;
};

struct listing {
	const struct oclmm_program *program;
	struct expected_list *list;
	bool barriers;
};

static void add(struct listing *listing, const struct expected *expected)
{
	struct expected_list *list = listing->list;

	if ((expected->kind == EXPECTED_BARRIER) != listing->barriers)
		return;
	oclmm_grow(&list->items, &list->capacity, list->count, sizeof(*list->items));
	list->items[list->count++] = *expected;
}

/* atomic_init() is a plain write (C:6.15.12.2). */
static int take_expression(void *data, const struct oclmm_expression *e)
{
	struct listing *listing = data;
	const struct oclmm_atomic *atomic;

	if (e->kind != OCLMM_EXPRESSION_ATOMIC || e->atomic->op == OCLMM_OP_INIT)
		return 0;
	atomic = e->atomic;
	add(listing,
	    &(struct expected){
		    .kind = EXPECTED_ATOMIC,
		    .atomic = e,
		    .order = atomic->order,
		    .failure = oclmm_operation_is_cas(atomic->op) ? atomic->failure
	                                                          : OCLMM_ORDER_NONE,
		    .scope = atomic->scope,
		    .flags = 1u << listing->program->locations[atomic->object.location].space,
	    });
	return 0;
}

static int take_statement(void *data, const struct oclmm_statement *s)
{
	struct listing *listing = data;

	if (s->kind == OCLMM_STATEMENT_FENCE)
		add(listing, &(struct expected){
				     .kind = EXPECTED_FENCE,
				     .statement = s,
				     .order = s->fence.order,
				     .scope = s->fence.scope,
				     .flags = s->fence.flags,
			     });
	/* one of no memory orders none, whatever its order; a collective function is no barrier */
	if (s->kind == OCLMM_STATEMENT_BARRIER && !s->barrier.collective)
		add(listing,
		    &(struct expected){
			    .kind = EXPECTED_BARRIER,
			    .statement = s,
			    .order = s->barrier.flags ? OCLMM_ORDER_ACQ_REL : OCLMM_ORDER_NONE,
			    .scope = s->barrier.scope,
			    .sub_group = s->barrier.sub_group,
			    .flags = s->barrier.flags,
		    });
	return 0;
}

/* Of a thread, in the order of its text; `barriers`: these alone, else all but these. The caller
 * frees the items. */
static void list_expected(const struct oclmm_program *program, uint32_t thread, bool barriers,
                          struct expected_list *ret_list)
{
	static const struct oclmm_visitor visitor = {.expression = take_expression,
	                                             .statement = take_statement};
	struct listing listing = {.program = program, .list = ret_list, .barriers = barriers};

	*ret_list = (struct expected_list){0};
	oclmm_visit_body(&visitor, program->threads[thread].body, &listing);
}

/* ---- one operation of the program beside one of the module ---- */

/* By enum oclmm_scope, SPIR-V's number. */
static const uint32_t scopes[OCLMM_SCOPE_COUNT] = {
	[OCLMM_SCOPE_NONE] = OCLMM_SPIRV_UNKNOWN,
	[OCLMM_SCOPE_ALL_SVM_DEVICES] = 0,
	[OCLMM_SCOPE_DEVICE] = 1,
	[OCLMM_SCOPE_WORK_GROUP] = 2,
	[OCLMM_SCOPE_SUB_GROUP] = 3,
	[OCLMM_SCOPE_WORK_ITEM] = 4,
};

/* By enum oclmm_order, the bits of semantics. */
static const uint32_t orders[OCLMM_ORDER_COUNT] = {
	[OCLMM_ORDER_NONE] = OCLMM_SPIRV_UNKNOWN,
	[OCLMM_ORDER_RELAXED] = 0,
	[OCLMM_ORDER_ACQUIRE] = OCLMM_SPIRV_ACQUIRE,
	[OCLMM_ORDER_RELEASE] = OCLMM_SPIRV_RELEASE,
	[OCLMM_ORDER_ACQ_REL] = OCLMM_SPIRV_ACQUIRE_RELEASE,
	[OCLMM_ORDER_SEQ_CST] = OCLMM_SPIRV_SEQUENTIALLY_CONSISTENT,
};

static const char *scope_word(uint32_t scope)
{
	for (unsigned i = OCLMM_SCOPE_WORK_ITEM; i < OCLMM_SCOPE_COUNT; i++)
		if (scopes[i] == scope)
			return oclmm_scope_spelling((enum oclmm_scope)i);
	return scope == OCLMM_SPIRV_UNKNOWN ? "a scope that is no constant" : "an unknown scope";
}

static const char *order_word(uint32_t semantics)
{
	if (semantics == OCLMM_SPIRV_UNKNOWN)
		return "an order that is no constant";
	for (unsigned i = OCLMM_ORDER_RELAXED; i < OCLMM_ORDER_COUNT; i++)
		if (orders[i] == (semantics & SPIRV_ORDER_BITS))
			return oclmm_order_spelling((enum oclmm_order)i);
	return "several orders at once";
}

/* Where integers have another one, else 0; what is subtracted is negated and added. */
static uint16_t floating_opcode(enum oclmm_operation op)
{
	switch (op) {
	case OCLMM_OP_FETCH_ADD:
	case OCLMM_OP_FETCH_SUB: return SPIRV_ATOMIC_FADD;
	case OCLMM_OP_FETCH_MIN: return SPIRV_ATOMIC_FMIN;
	case OCLMM_OP_FETCH_MAX: return SPIRV_ATOMIC_FMAX;
	default: return 0;
	}
}

/* An instruction for a function: the second one where a type is signed, or an operand is one. */
static bool is_for(const struct oclmm_expression *e, uint16_t opcode)
{
	bool is_signed = oclmm_type_is_signed(e->type);

	if (oclmm_type_is_floating(e->type) && floating_opcode(e->atomic->op))
		return opcode == floating_opcode(e->atomic->op);
	switch (e->atomic->op) {
	case OCLMM_OP_LOAD: return opcode == SPIRV_ATOMIC_LOAD;
	case OCLMM_OP_STORE: return opcode == SPIRV_ATOMIC_STORE;
	case OCLMM_OP_EXCHANGE: return opcode == SPIRV_ATOMIC_EXCHANGE;
	case OCLMM_OP_FETCH_ADD:
		return opcode == SPIRV_ATOMIC_ADD || opcode == SPIRV_ATOMIC_INCREMENT;
	case OCLMM_OP_FETCH_SUB:
		return opcode == SPIRV_ATOMIC_SUB || opcode == SPIRV_ATOMIC_DECREMENT;
	case OCLMM_OP_FETCH_OR: return opcode == SPIRV_ATOMIC_OR;
	case OCLMM_OP_FETCH_XOR: return opcode == SPIRV_ATOMIC_XOR;
	case OCLMM_OP_FETCH_AND: return opcode == SPIRV_ATOMIC_AND;
	case OCLMM_OP_FETCH_MIN:
		return opcode == (is_signed ? SPIRV_ATOMIC_SMIN : SPIRV_ATOMIC_UMIN);
	case OCLMM_OP_FETCH_MAX:
		return opcode == (is_signed ? SPIRV_ATOMIC_SMAX : SPIRV_ATOMIC_UMAX);
	case OCLMM_OP_CAS_STRONG: return opcode == SPIRV_ATOMIC_COMPARE_EXCHANGE;
	case OCLMM_OP_CAS_WEAK:
		return opcode == SPIRV_ATOMIC_COMPARE_EXCHANGE ||
		       opcode == SPIRV_ATOMIC_COMPARE_EXCHANGE_WEAK;
	case OCLMM_OP_FLAG_TEST_AND_SET: return opcode == SPIRV_ATOMIC_FLAG_TEST_AND_SET;
	case OCLMM_OP_FLAG_CLEAR: return opcode == SPIRV_ATOMIC_FLAG_CLEAR;
	case OCLMM_OP_INIT:
	case OCLMM_OP_COUNT: break;
	}
	return false;
}

static bool is_instruction(const struct expected *expected, uint16_t opcode)
{
	switch (expected->kind) {
	case EXPECTED_ATOMIC: return is_for(expected->atomic, opcode);
	case EXPECTED_FENCE: return opcode == SPIRV_MEMORY_BARRIER;
	case EXPECTED_BARRIER: break;
	}
	return opcode == SPIRV_CONTROL_BARRIER;
}

/* A barrier of OpenCL C has no order: it acquires and releases (A:3.3.6.2), and more does. */
static bool order_fits(const struct expected *expected, uint32_t semantics)
{
	if (expected->order == OCLMM_ORDER_NONE)
		return true;
	if (semantics == OCLMM_SPIRV_UNKNOWN)
		return false;
	semantics &= SPIRV_ORDER_BITS;
	return semantics == orders[expected->order] ||
	       (expected->kind == EXPECTED_BARRIER &&
	        semantics == OCLMM_SPIRV_SEQUENTIALLY_CONSISTENT);
}

static bool tell(struct oclmm_text *why, const char *wanted, const char *what, const char *is)
{
	oclmm_text_printf(why, "%s%s, and is %s", wanted, what, is);
	return true;
}

/* What differs in an operation, as "what it should be, but is what". */
static bool differs(const struct expected *expected, const struct oclmm_spirv_operation *operation,
                    struct oclmm_text *why)
{
	uint32_t waits =
		scopes[expected->sub_group ? OCLMM_SCOPE_SUB_GROUP : OCLMM_SCOPE_WORK_GROUP];

	if (!is_instruction(expected, operation->opcode))
		return tell(why, "another instruction", "", operation->name);
	if (!order_fits(expected, operation->semantics))
		return tell(why, oclmm_order_spelling(expected->order), "",
		            order_word(operation->semantics));
	if (expected->failure != OCLMM_ORDER_NONE &&
	    (operation->unequal == OCLMM_SPIRV_UNKNOWN ||
	     (operation->unequal & SPIRV_ORDER_BITS) != orders[expected->failure]))
		return tell(why, oclmm_order_spelling(expected->failure), " on failure",
		            order_word(operation->unequal));
	if (operation->scope != scopes[expected->scope])
		return tell(why, oclmm_scope_spelling(expected->scope), "",
		            scope_word(operation->scope));
	if (expected->kind == EXPECTED_BARRIER && operation->execution != waits)
		return tell(why, scope_word(waits), " for those who wait",
		            scope_word(operation->execution));
	return false;
}

/* The bits of the memory that an operation is about. */
static uint32_t memory_of(const struct expected *expected)
{
	uint32_t bits = 0;

	if (expected->flags & OCLMM_FLAG_GLOBAL)
		bits |= OCLMM_SPIRV_CROSS_WORKGROUP_MEMORY;
	if (expected->flags & OCLMM_FLAG_LOCAL)
		bits |= OCLMM_SPIRV_WORKGROUP_MEMORY;
	if (expected->flags & OCLMM_FLAG_IMAGE)
		bits |= OCLMM_SPIRV_IMAGE_MEMORY;
	return bits;
}

/* Whether the semantics name the memory that the operation is about. A relaxed one orders none,
 * and need not name any. */
static bool names_memory(const struct expected *expected,
                         const struct oclmm_spirv_operation *operation)
{
	return !(operation->semantics & SPIRV_ORDER_BITS) ||
	       !(memory_of(expected) & ~operation->semantics);
}

/* Whether they name that memory and no other. */
static bool names_just(const struct expected *expected,
                       const struct oclmm_spirv_operation *operation)
{
	return (operation->semantics & SPIRV_MEMORY_BITS) == memory_of(expected);
}

enum { NAME_SIZE = 64 };

struct check {
	const struct oclmm_spirv_module *module;
	const struct oclmm_program *program;
	const char *suffix;
	struct oclmm_error *error;
	struct oclmm_spirv_found *found;
};

/* `P1, operation 2, atomic_store_explicit` */
static void print_place(struct oclmm_text *text, const struct check *check, uint32_t thread,
                        const struct expected *expected, size_t number)
{
	const char *spelling = expected->kind == EXPECTED_ATOMIC
	                               ? expected->atomic->atomic->spelling
	                       : expected->kind == EXPECTED_FENCE
	                               ? expected->statement->fence.spelling
	                               : expected->statement->barrier.spelling;

	oclmm_text_printf(text, "P%u, %s %zu, %s", check->program->threads[thread].id,
	                  expected->kind == EXPECTED_BARRIER ? "barrier" : "operation", number + 1,
	                  spelling);
}

static int differ(const struct check *check, struct oclmm_text *text)
{
	int r = oclmm_error_set(check->error, -EBADMSG, "the producer's module is not the test: %s",
	                        oclmm_text_string(text));

	oclmm_text_finish(text);
	return r;
}

static int compare(const struct check *check, uint32_t thread, const struct expected *expected,
                   size_t number, const struct oclmm_spirv_operation *operation)
{
	struct oclmm_text text = {0}, why = {0};
	if (!differs(expected, operation, &why)) {
		check->found->operations++;
		check->found->classless += !names_memory(expected, operation);
		return 0;
	}
	print_place(&text, check, thread, expected, number);
	oclmm_text_printf(&text, ": is to be %s, in word %u", oclmm_text_string(&why),
	                  operation->word);
	oclmm_text_finish(&why);
	return differ(check, &text);
}

/* ---- atomics and fences ---- */

/* The n-th of the functions that a thread has become; NULL behind the last. */
static const struct oclmm_spirv_function *part_of(const struct check *check, uint32_t thread,
                                                  uint32_t part)
{
	unsigned id = check->program->threads[thread].id;
	const struct oclmm_spirv_function *function;
	char name[NAME_SIZE];

	snprintf(name, sizeof(name), "P%u%s", id, check->suffix);
	function = oclmm_spirv_find(check->module, name);
	if (function)
		return part == 0 ? function : NULL;
	snprintf(name, sizeof(name), "P%u%s_part%u", id, check->suffix, part);
	return oclmm_spirv_find(check->module, name);
}

static int lack(const struct check *check, uint32_t thread, const struct expected *expected,
                size_t number)
{
	struct oclmm_text text = {0};

	print_place(&text, check, thread, expected, number);
	oclmm_text_add(&text, " is missing");
	return differ(check, &text);
}

static int check_function(const struct check *check, uint32_t thread,
                          const struct expected_list *list,
                          const struct oclmm_spirv_function *function, size_t *next)
{
	struct oclmm_text text = {0};
	int r = 0;

	for (size_t i = 0; r == 0 && i < function->count; i++) {
		if (*next < list->count) {
			r = compare(check, thread, &list->items[*next], *next,
			            &function->operations[i]);
			(*next)++;
			continue;
		}
		oclmm_text_printf(&text, "P%u has one more operation, %s in word %u",
		                  check->program->threads[thread].id, function->operations[i].name,
		                  function->operations[i].word);
		r = differ(check, &text);
	}
	return r;
}

static int check_thread(const struct check *check, uint32_t thread)
{
	const struct oclmm_spirv_function *function;
	struct expected_list list;
	size_t next = 0;
	int r = 0;

	list_expected(check->program, thread, false, &list);
	for (uint32_t part = 0; r == 0 && (function = part_of(check, thread, part)); part++)
		r = check_function(check, thread, &list, function, &next);
	if (r == 0 && next < list.count)
		r = lack(check, thread, &list.items[next], next);
	free(list.items);
	return r;
}

/* ---- barriers ---- */

/* Whether an operation may be a barrier of the test; `just`: it is about that memory and no other.
 */
static bool may_be(const struct expected *expected, const struct oclmm_spirv_operation *operation,
                   bool just)
{
	struct oclmm_text ignored = {0};
	bool other = differs(expected, operation, &ignored);

	oclmm_text_finish(&ignored);
	return !other && (!just || names_just(expected, operation));
}

/* What the kernel's own are like: those of local objects, at both ends of a round. */
static bool is_own(const struct oclmm_spirv_operation *operation)
{
	static const struct expected own = {.kind = EXPECTED_BARRIER,
	                                    .order = OCLMM_ORDER_ACQ_REL,
	                                    .scope = OCLMM_SCOPE_WORK_GROUP,
	                                    .flags = OCLMM_FLAG_LOCAL};

	return may_be(&own, operation, false);
}

/* Those of a list, one behind the other, as numbers of operations; returns how many are there. */
static size_t find_barriers(const struct expected_list *list,
                            const struct oclmm_spirv_function *kernel, bool just, size_t *places)
{
	size_t next = 0;

	for (size_t i = 0; i < kernel->count && next < list->count; i++)
		if (may_be(&list->items[next], &kernel->operations[i], just))
			places[next++] = i;
	return next;
}

/* One is not there: what stands in its place is the first that is nobody's. */
static int miss(const struct check *check, uint32_t thread, const struct expected *expected,
                size_t number, const struct oclmm_spirv_function *kernel, const bool *used)
{
	for (size_t i = 0; i < kernel->count; i++)
		if (kernel->operations[i].opcode == SPIRV_CONTROL_BARRIER && !used[i] &&
		    !is_own(&kernel->operations[i]))
			return compare(check, thread, expected, number, &kernel->operations[i]);
	return lack(check, thread, expected, number);
}

/*
 * The barriers of a thread stand in the kernel one behind the other. Between
 * them are the kernel's own and those of other threads: `used` notes which are
 * some thread's. What memory a barrier is about tells them apart, where the
 * producer says it.
 */
static int check_barriers(const struct check *check, uint32_t thread,
                          const struct oclmm_spirv_function *kernel, bool *used)
{
	struct expected_list list;
	size_t *places, found;
	int r = 0;

	list_expected(check->program, thread, true, &list);
	places = oclmm_calloc(list.count + 1, sizeof(*places));
	found = find_barriers(&list, kernel, true, places);
	if (found < list.count)
		found = find_barriers(&list, kernel, false, places);
	for (size_t i = 0; i < found; i++) {
		check->found->operations++;
		check->found->classless += !names_memory(&list.items[i],
		                                         &kernel->operations[places[i]]);
		used[places[i]] = true;
	}
	if (found < list.count)
		r = miss(check, thread, &list.items[found], found, kernel, used);
	free(places);
	free(list.items);
	return r;
}

static int refuse_barrier(const struct check *check, const struct oclmm_spirv_operation *operation)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "it has a barrier of another order or scope, in word %u",
	                  operation->word);
	return differ(check, &text);
}

static int check_kernel(const struct check *check, uint32_t threads)
{
	const struct oclmm_spirv_function *kernel;
	char name[NAME_SIZE];
	bool *used;
	int r = 0;

	snprintf(name, sizeof(name), "oclmm_test%s", check->suffix);
	kernel = oclmm_spirv_find(check->module, name);
	if (!kernel)
		return oclmm_error_set(check->error, -EBADMSG,
		                       "the producer's module is not the test: it has no %s", name);
	used = oclmm_calloc(kernel->count + 1, sizeof(*used));
	for (uint32_t i = 0; r == 0 && i < check->program->thread_count; i++)
		if (threads & 1u << i)
			r = check_barriers(check, i, kernel, used);
	for (size_t i = 0; r == 0 && i < kernel->count; i++)
		if (kernel->operations[i].opcode == SPIRV_CONTROL_BARRIER && !used[i] &&
		    !is_own(&kernel->operations[i]))
			r = refuse_barrier(check, &kernel->operations[i]);
	free(used);
	return r;
}

int oclmm_spirv_check(const struct oclmm_spirv_module *module, const struct oclmm_program *program,
                      uint32_t threads, const char *suffix, struct oclmm_error *error,
                      struct oclmm_spirv_found *ret_found)
{
	struct oclmm_spirv_found found = {0};
	const struct check check = {.module = module,
	                            .program = program,
	                            .suffix = suffix,
	                            .error = error,
	                            .found = &found};
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < program->thread_count; i++)
		if (threads & 1u << i)
			r = check_thread(&check, i);
	if (r == 0)
		r = check_kernel(&check, threads);
	if (r == 0)
		*ret_found = found;
	return r;
}

/* ---- how many barriers ---- */

static size_t count_calls(const char *source)
{
	static const char call[] = "barrier(";
	size_t count = 0;

	while ((source = strstr(source, call))) {
		source += strlen(call);
		count++;
	}
	return count;
}

int oclmm_spirv_check_barriers(const struct oclmm_spirv_module *module, const char *source,
                               struct oclmm_error *error)
{
	size_t wanted = count_calls(source), count = 0;

	for (size_t i = 0; i < module->count; i++)
		for (size_t k = 0; k < module->functions[i].count; k++)
			count += module->functions[i].operations[k].opcode == SPIRV_CONTROL_BARRIER;
	if (count == wanted)
		return 0;
	return oclmm_error_set(error, -EBADMSG,
	                       "the producer's module is not the test: its text has %s, and it has "
	                       "%zu",
	                       oclmm_counted(wanted, "barrier").text, count);
}
