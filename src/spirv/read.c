// SPDX-License-Identifier: Apache-2.0
/*
 * A module is words: a head of five, then instructions, each with its length and
 * number in its first word. All that is looked at is names, constants, where
 * functions begin, and what orders memory; everything else is stepped over.
 */
#include "oclmm/spirv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "opcodes.h"

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
