// SPDX-License-Identifier: Apache-2.0
/*
 * Reads a SPIR-V module, and says whether it says what a program says.
 *
 * A module is words: a head of five, then instructions, each with its length and number in its
 * first word. All that is looked at is names, constants, where functions begin, and what orders
 * memory; everything else is stepped over.
 *
 * A thread of a program is the functions `P0`, or `P0_part0` and so on between its barriers; the
 * barriers stand in the kernel, between those that the kernel has for itself.
 */
#include "oclmm/spirv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The instructions that order memory, of which a module is read and which a program asks for:
 * SPIR-V 3.49. */
enum spirv_opcode {
	SPIRV_CONTROL_BARRIER = 224,
	SPIRV_MEMORY_BARRIER = 225,
	/* SPV_INTEL_split_barrier */
	SPIRV_BARRIER_ARRIVE = 6142,
	SPIRV_BARRIER_WAIT = 6143,
	SPIRV_ATOMIC_LOAD = 227,
	SPIRV_ATOMIC_STORE = 228,
	SPIRV_ATOMIC_EXCHANGE = 229,
	SPIRV_ATOMIC_COMPARE_EXCHANGE = 230,
	SPIRV_ATOMIC_COMPARE_EXCHANGE_WEAK = 231,
	SPIRV_ATOMIC_INCREMENT = 232,
	SPIRV_ATOMIC_DECREMENT = 233,
	SPIRV_ATOMIC_ADD = 234,
	SPIRV_ATOMIC_SUB = 235,
	SPIRV_ATOMIC_SMIN = 236,
	SPIRV_ATOMIC_UMIN = 237,
	SPIRV_ATOMIC_SMAX = 238,
	SPIRV_ATOMIC_UMAX = 239,
	SPIRV_ATOMIC_AND = 240,
	SPIRV_ATOMIC_OR = 241,
	SPIRV_ATOMIC_XOR = 242,
	SPIRV_ATOMIC_FLAG_TEST_AND_SET = 318,
	SPIRV_ATOMIC_FLAG_CLEAR = 319,
	/* SPV_EXT_shader_atomic_float_min_max, …_add */
	SPIRV_ATOMIC_FMIN = 5614,
	SPIRV_ATOMIC_FMAX = 5615,
	SPIRV_ATOMIC_FADD = 6035,
};

/* ---- reading ---- */

enum { MAGIC = 0x07230203, SWAPPED_MAGIC = 0x03022307 };
/* SPIR-V 2.17, universal limits. */
enum { BOUND_MOST = 0x3fffff };
enum { HEAD_WORDS = 5 };

enum opcode {
	OP_NAME = 5,
	OP_ENTRY_POINT = 15,
	OP_CONSTANT = 43,
	OP_CONSTANT_NULL = 46,
	OP_FUNCTION = 54,
	OP_FUNCTION_END = 56,
};

/* Where an instruction has what, in words from its first one; 0: it has none. */
struct form {
	const char *name;
	uint16_t opcode;
	uint16_t words; /* at least */
	uint8_t execution, scope, semantics, unequal;
};

#define MODIFIES(name, opcode, words)                                                              \
	{                                                                                          \
		name, opcode, words, 0, 4, 5, 0                                                    \
	}

static const struct form forms[] = {
	{"OpControlBarrier", SPIRV_CONTROL_BARRIER, 4, 1, 2, 3, 0},
	{"OpControlBarrierArriveINTEL", SPIRV_BARRIER_ARRIVE, 4, 1, 2, 3, 0},
	{"OpControlBarrierWaitINTEL", SPIRV_BARRIER_WAIT, 4, 1, 2, 3, 0},
	{"OpMemoryBarrier", SPIRV_MEMORY_BARRIER, 3, 0, 1, 2, 0},
	MODIFIES("OpAtomicLoad", SPIRV_ATOMIC_LOAD, 6),
	{"OpAtomicStore", SPIRV_ATOMIC_STORE, 5, 0, 2, 3, 0},
	MODIFIES("OpAtomicExchange", SPIRV_ATOMIC_EXCHANGE, 7),
	{"OpAtomicCompareExchange", SPIRV_ATOMIC_COMPARE_EXCHANGE, 9, 0, 4, 5, 6},
	{"OpAtomicCompareExchangeWeak", SPIRV_ATOMIC_COMPARE_EXCHANGE_WEAK, 9, 0, 4, 5, 6},
	MODIFIES("OpAtomicIIncrement", SPIRV_ATOMIC_INCREMENT, 6),
	MODIFIES("OpAtomicIDecrement", SPIRV_ATOMIC_DECREMENT, 6),
	MODIFIES("OpAtomicIAdd", SPIRV_ATOMIC_ADD, 7),
	MODIFIES("OpAtomicISub", SPIRV_ATOMIC_SUB, 7),
	MODIFIES("OpAtomicSMin", SPIRV_ATOMIC_SMIN, 7),
	MODIFIES("OpAtomicUMin", SPIRV_ATOMIC_UMIN, 7),
	MODIFIES("OpAtomicSMax", SPIRV_ATOMIC_SMAX, 7),
	MODIFIES("OpAtomicUMax", SPIRV_ATOMIC_UMAX, 7),
	MODIFIES("OpAtomicAnd", SPIRV_ATOMIC_AND, 7),
	MODIFIES("OpAtomicOr", SPIRV_ATOMIC_OR, 7),
	MODIFIES("OpAtomicXor", SPIRV_ATOMIC_XOR, 7),
	MODIFIES("OpAtomicFlagTestAndSet", SPIRV_ATOMIC_FLAG_TEST_AND_SET, 6),
	MODIFIES("OpAtomicFMinEXT", SPIRV_ATOMIC_FMIN, 7),
	MODIFIES("OpAtomicFMaxEXT", SPIRV_ATOMIC_FMAX, 7),
	MODIFIES("OpAtomicFAddEXT", SPIRV_ATOMIC_FADD, 7),
	{"OpAtomicFlagClear", SPIRV_ATOMIC_FLAG_CLEAR, 4, 0, 2, 3, 0},
};

/* What is known of an id. */
struct id {
	const char *name;  /* by OpName */
	const char *entry; /* by OpEntryPoint */
	uint32_t value;
	bool constant;
};

struct reader {
	struct oclmm_spirv_module *module;
	struct oclmm_error *error;
	const uint32_t *words;
	size_t count, at; /* the instruction at hand */
	uint32_t length;  /* of it, in words */
	struct id *ids;
	uint32_t bound;
	uint32_t *function_ids;
	size_t capacity;
	size_t operations; /* capacity of the last function's */
	bool inside;
};

static int refuse(const struct reader *reader, const char *what)
{
	return oclmm_error_set(reader->error, -EINVAL, "no SPIR-V module: %s, word %zu", what,
	                       reader->at);
}

static int read_head(struct reader *reader)
{
	const uint32_t *head = reader->words;

	if (reader->count < HEAD_WORDS)
		return refuse(reader, "it is shorter than a head");
	if (head[0] == SWAPPED_MAGIC)
		return refuse(reader, "the bytes of its words stand the other way round");
	if (head[0] != MAGIC)
		return refuse(reader, "it does not begin with the magic number");
	reader->module->major = head[1] >> 16 & 0xff;
	reader->module->minor = head[1] >> 8 & 0xff;
	reader->bound = head[3];
	if (reader->bound == 0 || reader->bound > BOUND_MOST)
		return refuse(reader, "its ids have no bound, or one beyond what SPIR-V allows");
	reader->ids = oclmm_calloc(reader->bound, sizeof(*reader->ids));
	reader->at = HEAD_WORDS;
	return 0;
}

/* The id in a word of the instruction at hand; NULL where the instruction or the bound ends before
 * it. */
static struct id *id_at(const struct reader *reader, uint32_t word)
{
	uint32_t id = word < reader->length ? reader->words[reader->at + word] : 0;

	return id > 0 && id < reader->bound ? &reader->ids[id] : NULL;
}

/* The string that begins in a word of the instruction at hand; NULL where it does not end there. */
static const char *string_at(const struct reader *reader, uint32_t word)
{
	const char *begin;
	size_t length;

	if (word >= reader->length)
		return NULL;
	begin = (const char *)(reader->words + reader->at + word);
	length = (reader->length - word) * sizeof(uint32_t);
	return memchr(begin, '\0', length) ? oclmm_arena_strdup(reader->module->arena, begin)
	                                   : NULL;
}

static int take_name(struct reader *reader, bool entry)
{
	struct id *id = id_at(reader, entry ? 2 : 1);
	const char *name = string_at(reader, entry ? 3 : 2);

	if (!id || !name)
		return refuse(reader, "a name without an id or an end");
	if (entry)
		id->entry = name;
	else
		id->name = name;
	return 0;
}

/* Numbers of one word; scopes and semantics have no others. */
static int take_constant(struct reader *reader, bool null)
{
	struct id *id = id_at(reader, 2);

	if (!id)
		return refuse(reader, "a constant without an id");
	id->constant = null || reader->length == 4;
	id->value = null || reader->length < 4 ? 0 : reader->words[reader->at + 3];
	return 0;
}

static int begin_function(struct reader *reader)
{
	struct oclmm_spirv_module *module = reader->module;
	size_t ids = reader->capacity, functions = reader->capacity;

	if (reader->inside || !id_at(reader, 2))
		return refuse(reader, "a function inside a function, or without an id");
	oclmm_grow(&reader->function_ids, &ids, module->count, sizeof(*reader->function_ids));
	oclmm_grow(&module->functions, &functions, module->count, sizeof(*module->functions));
	reader->capacity = functions;
	reader->function_ids[module->count] = reader->words[reader->at + 2];
	module->functions[module->count++] = (struct oclmm_spirv_function){.name = ""};
	reader->operations = 0;
	reader->inside = true;
	return 0;
}

static int end_function(struct reader *reader)
{
	if (!reader->inside)
		return refuse(reader, "the end of a function that did not begin");
	reader->inside = false;
	return 0;
}

static uint32_t value_at(const struct reader *reader, uint32_t word)
{
	const struct id *id = word ? id_at(reader, word) : NULL;

	return id && id->constant ? id->value : OCLMM_SPIRV_UNKNOWN;
}

static int take_operation(struct reader *reader, const struct form *form)
{
	struct oclmm_spirv_function *function;

	if (!reader->inside)
		return refuse(reader, "an atomic operation outside of functions");
	if (reader->length < form->words)
		return refuse(reader, "an atomic operation without all its operands");
	function = &reader->module->functions[reader->module->count - 1];
	oclmm_grow(&function->operations, &reader->operations, function->count,
	           sizeof(*function->operations));
	function->operations[function->count++] = (struct oclmm_spirv_operation){
		.name = form->name,
		.opcode = form->opcode,
		.word = (uint32_t)reader->at,
		.execution = value_at(reader, form->execution),
		.scope = value_at(reader, form->scope),
		.semantics = value_at(reader, form->semantics),
		.unequal = value_at(reader, form->unequal),
	};
	return 0;
}

static int take(struct reader *reader, uint16_t opcode)
{
	switch ((enum opcode)opcode) {
	case OP_NAME: return take_name(reader, false);
	case OP_ENTRY_POINT: return take_name(reader, true);
	case OP_CONSTANT: return take_constant(reader, false);
	case OP_CONSTANT_NULL: return take_constant(reader, true);
	case OP_FUNCTION: return begin_function(reader);
	case OP_FUNCTION_END: return end_function(reader);
	}
	for (size_t i = 0; i < OCLMM_COUNT(forms); i++)
		if (forms[i].opcode == opcode)
			return take_operation(reader, &forms[i]);
	return 0;
}

static int read_instructions(struct reader *reader)
{
	int r = 0;

	while (r == 0 && reader->at < reader->count) {
		uint32_t first = reader->words[reader->at];

		reader->length = first >> 16;
		if (reader->length == 0 || reader->length > reader->count - reader->at)
			return refuse(reader, "an instruction that ends where none can");
		r = take(reader, first & 0xffff);
		reader->at += reader->length;
	}
	if (r == 0 && reader->inside)
		return refuse(reader, "a function that does not end");
	return r;
}

/*
 * A name may stand behind the function. That of an entry point is of a function
 * that only calls the kernel, where the kernel itself has it, too.
 */
static void name_functions(struct reader *reader)
{
	struct oclmm_spirv_module *module = reader->module;

	if (!reader->function_ids)
		return; /* there is none */
	for (size_t i = 0; i < module->count; i++) {
		const struct id *id = &reader->ids[reader->function_ids[i]];

		if (id->name)
			module->functions[i].name = id->name;
	}
	for (size_t i = 0; i < module->count; i++) {
		const struct id *id = &reader->ids[reader->function_ids[i]];

		if (!id->name && id->entry && !oclmm_spirv_find(module, id->entry))
			module->functions[i].name = id->entry;
	}
}

int oclmm_spirv_read(const void *bytes, size_t length, struct oclmm_error *error,
                     struct oclmm_spirv_module **ret_module)
{
	struct reader reader = {.error = error, .count = length / sizeof(uint32_t)};
	uint32_t *words = oclmm_calloc(reader.count + 1, sizeof(*words));
	int r;

	if (length)
		memcpy(words, bytes, reader.count * sizeof(*words));
	reader.words = words;
	reader.module = oclmm_calloc(1, sizeof(*reader.module));
	reader.module->arena = oclmm_arena_create();
	r = length % sizeof(uint32_t) ? refuse(&reader, "it ends within a word")
	                              : read_head(&reader);
	if (r == 0)
		r = read_instructions(&reader);
	if (r == 0)
		name_functions(&reader);
	free(reader.ids);
	free(reader.function_ids);
	free(words);
	if (r < 0) {
		oclmm_spirv_destroy(reader.module);
		return r;
	}
	*ret_module = reader.module;
	return 0;
}

void oclmm_spirv_destroy(struct oclmm_spirv_module *module)
{
	if (!module)
		return;
	for (size_t i = 0; i < module->count; i++)
		free(module->functions[i].operations);
	free(module->functions);
	oclmm_arena_destroy(module->arena);
	free(module);
}

const struct oclmm_spirv_function *oclmm_spirv_find(const struct oclmm_spirv_module *module,
                                                    const char *name)
{
	for (size_t i = 0; i < module->count; i++)
		if (strcmp(module->functions[i].name, name) == 0)
			return &module->functions[i];
	return NULL;
}

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

/* What its instruction asks for: half of a barrier is half of its fence. */
static enum oclmm_order order_of_barrier(const struct oclmm_barrier *barrier)
{
	switch (barrier->part) {
	case OCLMM_BARRIER_ARRIVE: return OCLMM_ORDER_RELEASE;
	case OCLMM_BARRIER_WAIT: return OCLMM_ORDER_ACQUIRE;
	case OCLMM_BARRIER_WHOLE: break;
	}
	return OCLMM_ORDER_ACQ_REL;
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
		add(listing, &(struct expected){
				     .kind = EXPECTED_BARRIER,
				     .statement = s,
				     .order = s->barrier.flags ? order_of_barrier(&s->barrier)
		                                               : OCLMM_ORDER_NONE,
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
	switch (expected->statement ? expected->statement->barrier.part : OCLMM_BARRIER_WHOLE) {
	case OCLMM_BARRIER_ARRIVE: return opcode == SPIRV_BARRIER_ARRIVE;
	case OCLMM_BARRIER_WAIT: return opcode == SPIRV_BARRIER_WAIT;
	case OCLMM_BARRIER_WHOLE: break;
	}
	return opcode == SPIRV_CONTROL_BARRIER;
}

static bool is_barrier(const struct oclmm_spirv_operation *operation)
{
	return operation->opcode == SPIRV_CONTROL_BARRIER ||
	       operation->opcode == SPIRV_BARRIER_ARRIVE || operation->opcode == SPIRV_BARRIER_WAIT;
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

/* It stands before the one that it should follow. */
static int misplace(const struct check *check, uint32_t thread, const struct expected *expected,
                    size_t number, const struct oclmm_spirv_operation *operation)
{
	struct oclmm_text text = {0};

	print_place(&text, check, thread, expected, number);
	oclmm_text_printf(&text, ": stands before barrier %zu, in word %u", number,
	                  operation->word);
	return differ(check, &text);
}

/* One is not there: what stands in its place is the first that is nobody's. */
static int miss(const struct check *check, uint32_t thread, const struct expected *expected,
                size_t number, const struct oclmm_spirv_function *kernel, const bool *used)
{
	for (size_t i = 0; i < kernel->count; i++) {
		const struct oclmm_spirv_operation *operation = &kernel->operations[i];

		if (!is_barrier(operation) || used[i] || is_own(operation))
			continue;
		if (may_be(expected, operation, false))
			return misplace(check, thread, expected, number, operation);
		return compare(check, thread, expected, number, operation);
	}
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
		if (is_barrier(&kernel->operations[i]) && !used[i] &&
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

static size_t count_calls(const char *source, const char *call)
{
	size_t count = 0;

	while ((source = strstr(source, call))) {
		source += strlen(call);
		count++;
	}
	return count;
}

static size_t count_operations(const struct oclmm_spirv_module *module, uint16_t opcode)
{
	size_t count = 0;

	for (size_t i = 0; i < module->count; i++)
		for (size_t k = 0; k < module->functions[i].count; k++)
			count += module->functions[i].operations[k].opcode == opcode;
	return count;
}

int oclmm_spirv_check_barriers(const struct oclmm_spirv_module *module, const char *source,
                               struct oclmm_error *error)
{
	static const struct {
		const char *call, *what;
		uint16_t opcode;
	} kinds[] = {
		{"barrier(", "barrier", SPIRV_CONTROL_BARRIER},
		{"barrier_arrive(", "arrival", SPIRV_BARRIER_ARRIVE},
		{"barrier_wait(", "wait", SPIRV_BARRIER_WAIT},
	};

	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++) {
		size_t wanted = count_calls(source, kinds[i].call),
		       count = count_operations(module, kinds[i].opcode);

		if (count != wanted)
			return oclmm_error_set(
				error, -EBADMSG,
				"the producer's module is not the test: its text has %s, and it "
				"has %zu",
				oclmm_counted(wanted, kinds[i].what).text, count);
	}
	return 0;
}

/* ---- what is for debuggers ---- */

void oclmm_spirv_strip(struct oclmm_text *module)
{
	enum { EXT_INST_IMPORT = 11, EXT_INST = 12, LOOP_MERGE = 246, SELECTION_MERGE = 247 };
	enum { SETS = 16 };
	uint32_t *words = (uint32_t *)(void *)module->data, sets[SETS];
	size_t count = module->length / sizeof(*words), kept = HEAD_WORDS;
	unsigned set_count = 0;

	for (size_t at = HEAD_WORDS; at < count;) {
		uint32_t length = words[at] >> 16, opcode = words[at] & 0xffff;
		bool drops = opcode == LOOP_MERGE || opcode == SELECTION_MERGE;

		if (length == 0 || length > count - at)
			return;
		if (opcode == EXT_INST_IMPORT && length > 2 && set_count < SETS &&
		    strncmp((const char *)&words[at + 2], "OpenCL.std",
		            (length - 2) * sizeof(*words)) != 0) {
			sets[set_count++] = words[at + 1];
			drops = true;
		}
		for (unsigned i = 0; opcode == EXT_INST && length > 3 && i < set_count; i++)
			drops = drops || words[at + 3] == sets[i];
		if (!drops) {
			memmove(&words[kept], &words[at], length * sizeof(*words));
			kept += length;
		}
		at += length;
	}
	if (count > HEAD_WORDS)
		module->length = kept * sizeof(*words);
}
