// SPDX-License-Identifier: Apache-2.0
/* OpenCL's functions, and which tokens are a call of one (C:6.15.8, C:6.15.9, C:6.15.12). */
#include "internal.h"

#include <string.h>

const char *const order_names[ORDER_COUNT] = {
	[ORDER_RELAXED] = "memory_order_relaxed", [ORDER_ACQUIRE] = "memory_order_acquire",
	[ORDER_RELEASE] = "memory_order_release", [ORDER_ACQ_REL] = "memory_order_acq_rel",
	[ORDER_SEQ_CST] = "memory_order_seq_cst",
};

static const struct function c11[] = {
	{"atomic_load", FUNCTION_LOAD, 1, NULL},
	{"atomic_store", FUNCTION_STORE, 2, NULL},
	{"atomic_exchange", FUNCTION_FETCH, 2, "="},
	{"atomic_fetch_add", FUNCTION_FETCH, 2, "+"},
	{"atomic_fetch_sub", FUNCTION_FETCH, 2, "-"},
	{"atomic_fetch_or", FUNCTION_FETCH, 2, "|"},
	{"atomic_fetch_xor", FUNCTION_FETCH, 2, "^"},
	{"atomic_fetch_and", FUNCTION_FETCH, 2, "&"},
	{"atomic_fetch_min", FUNCTION_FETCH, 2, "<"},
	{"atomic_fetch_max", FUNCTION_FETCH, 2, ">"},
	{"atomic_compare_exchange_strong", FUNCTION_CAS, 3, NULL},
	{"atomic_compare_exchange_weak", FUNCTION_CAS, 3, NULL},
	{"atomic_flag_test_and_set", FUNCTION_FLAG_SET, 1, NULL},
	{"atomic_flag_clear", FUNCTION_FLAG_CLEAR, 1, NULL},
};

static const struct function fences[] = {
	{"atomic_work_item_fence", FUNCTION_FENCE, 3, NULL},
	{"mem_fence", FUNCTION_MEM_FENCE, 1, NULL},
	{"read_mem_fence", FUNCTION_MEM_FENCE, 1, NULL},
	{"write_mem_fence", FUNCTION_MEM_FENCE, 1, NULL},
	{"barrier", FUNCTION_BARRIER, 1, NULL},
	{"work_group_barrier", FUNCTION_BARRIER, 1, NULL},
	{"sub_group_barrier", FUNCTION_BARRIER, 1, NULL},
	{"atomic_init", FUNCTION_INIT, 2, NULL},
};

static const struct function legacy[] = {
	{"add", FUNCTION_LEGACY, 2, "+"},          {"sub", FUNCTION_LEGACY, 2, "-"},
	{"xchg", FUNCTION_LEGACY, 2, "="},         {"inc", FUNCTION_LEGACY, 1, "+"},
	{"dec", FUNCTION_LEGACY, 1, "-"},          {"min", FUNCTION_LEGACY, 2, "<"},
	{"max", FUNCTION_LEGACY, 2, ">"},          {"and", FUNCTION_LEGACY, 2, "&"},
	{"or", FUNCTION_LEGACY, 2, "|"},           {"xor", FUNCTION_LEGACY, 2, "^"},
	{"cmpxchg", FUNCTION_LEGACY_CAS, 3, NULL},
};

const struct function *fence_at(size_t index)
{
	return index < OCLMM_COUNT(fences) ? &fences[index] : NULL;
}

const struct function *function_at(size_t index, const char **ret_name)
{
	if (index < OCLMM_COUNT(c11)) {
		*ret_name = c11[index].name + strlen("atomic_");
		return &c11[index];
	}
	index -= OCLMM_COUNT(c11);
	if (index >= OCLMM_COUNT(legacy))
		return NULL;
	*ret_name = legacy[index].name;
	return &legacy[index];
}

static const struct function *find(const struct function *functions, size_t count, const char *name,
                                   size_t length)
{
	for (size_t i = 0; i < count; i++) {
		if (strlen(functions[i].name) == length &&
		    memcmp(functions[i].name, name, length) == 0)
			return &functions[i];
	}
	return NULL;
}

static const struct function *find_function(const char *name, size_t length, bool *ret_explicit)
{
	static const char suffix[] = "_explicit";
	size_t tail = sizeof(suffix) - 1;
	const struct function *function;
	const char *under;

	*ret_explicit = length > tail && memcmp(name + length - tail, suffix, tail) == 0;
	function = find(c11, OCLMM_COUNT(c11), name, length - (*ret_explicit ? tail : 0));
	if (function || *ret_explicit)
		return function;
	function = find(fences, OCLMM_COUNT(fences), name, length);
	if (function)
		return function;
	under = memchr(name, '_', length);
	if (!under || !((under - name == 6 && memcmp(name, "atomic", 6) == 0) ||
	                (under - name == 4 && memcmp(name, "atom", 4) == 0)))
		return NULL;
	return find(legacy, OCLMM_COUNT(legacy), under + 1, length - (size_t)(under + 1 - name));
}

/* Divides what stands between the parentheses at commas of its own level. */
static bool find_arguments(const struct source *source, struct call *call)
{
	size_t first = call->open + 1;

	call->count = 0;
	for (size_t i = first; i <= call->close; i++) {
		if (i < call->close && source->tokens[i].match != TOKEN_UNMATCHED) {
			i = source->tokens[i].match;
			continue;
		}
		if (i < call->close && !token_is(source, i, ","))
			continue;
		if (call->count == CALL_ARGUMENTS || i == first)
			return false;
		call->arguments[call->count++] = (struct range){first, i};
		first = i + 1;
	}
	return true;
}

/* Finds out what the arguments are; a number that does not fit is somebody else's function. */
static bool assign_arguments(struct call *call)
{
	unsigned operands = call->function->operands;
	bool cas = call->function->kind == FUNCTION_CAS;

	call->order = call->failure = call->scope = CALL_ARGUMENTS;
	switch (call->function->kind) {
	case FUNCTION_FENCE:
		call->order = 1;
		call->scope = 2;
		return call->count == 3;
	case FUNCTION_BARRIER:
		call->scope = call->count == 2 ? 1 : CALL_ARGUMENTS;
		return call->count == 1 || call->count == 2;
	case FUNCTION_MEM_FENCE:
	case FUNCTION_LEGACY:
	case FUNCTION_LEGACY_CAS:
	case FUNCTION_INIT: return call->count == operands;
	default: break;
	}
	if (!call->is_explicit)
		return call->count == operands;
	call->order = operands;
	call->failure = cas ? operands + 1 : CALL_ARGUMENTS;
	operands += 1 + cas;
	call->scope = call->count == operands + 1 ? operands : CALL_ARGUMENTS;
	return call->count == operands || call->count == operands + 1;
}

/* `return f(x)` calls; `int f(x)` declares, `f(x) {` defines, and `s.f(x)` is another f. */
static bool stands_as_call(const struct source *source, const struct call *call)
{
	static const char *const keywords[] = {"return", "else", "do", "case", "sizeof"};
	size_t before = call->name - 1;

	if (token_is(source, call->close + 1, "{") && !source->tokens[call->name].macro)
		return false;
	if (call->name == 0 || source->tokens[before].macro != source->tokens[call->name].macro)
		return true;
	if (token_is(source, before, ".") || token_is(source, before, "->") ||
	    token_is(source, before, "#"))
		return false;
	if (!token_is_name(source, before))
		return true;
	for (size_t i = 0; i < OCLMM_COUNT(keywords); i++) {
		if (token_is(source, before, keywords[i]))
			return true;
	}
	return false;
}

bool call_at(const struct source *source, size_t index, struct call *ret_call)
{
	const struct token *token = &source->tokens[index];
	struct call call = {.name = index, .open = index + 1};

	if (token->kind != TOKEN_NAME || !token_is(source, call.open, "(") ||
	    source->tokens[call.open].match == TOKEN_UNMATCHED ||
	    source->tokens[call.open].macro != token->macro)
		return false;
	call.function = find_function(source->text + token->at, token->length, &call.is_explicit);
	call.close = source->tokens[call.open].match;
	if (!call.function || !stands_as_call(source, &call) || !find_arguments(source, &call) ||
	    !assign_arguments(&call))
		return false;
	*ret_call = call;
	return true;
}

static struct range strip(const struct source *source, struct range range)
{
	while (range.last - range.first > 2 && token_is(source, range.first, "(") &&
	       source->tokens[range.first].match == range.last - 1) {
		range.first++;
		range.last--;
	}
	return range;
}

bool range_is(const struct source *source, struct range range, const char *spelling)
{
	range = strip(source, range);
	return range.last - range.first == 1 && token_is(source, range.first, spelling);
}

bool range_mentions(const struct source *source, struct range range, const char *spelling)
{
	for (size_t i = range.first; i < range.last; i++) {
		if (token_is(source, i, spelling))
			return true;
	}
	return false;
}

bool range_same(const struct source *source, struct range a, struct range b)
{
	if (a.last - a.first != b.last - b.first)
		return false;
	for (size_t i = 0; i < a.last - a.first; i++) {
		if (!token_same(source, a.first + i, b.first + i))
			return false;
	}
	return true;
}

enum order call_order(const struct source *source, const struct call *call, unsigned argument)
{
	if (argument == CALL_ARGUMENTS)
		return ORDER_NONE;
	for (int i = 0; i < ORDER_COUNT; i++) {
		if (range_is(source, call->arguments[argument], order_names[i]))
			return (enum order)i;
	}
	return ORDER_OPAQUE;
}

/* The first token of the function that a token stands in: behind the last declaration of the
 * file. */
static size_t function_start(const struct source *source, size_t index)
{
	size_t start = 0, depth = 0;

	for (size_t i = 0; i < index; i++) {
		if (token_is(source, i, "{"))
			depth++;
		else if (token_is(source, i, "}") && depth > 0)
			depth--;
		if (depth == 0 && (token_is(source, i, "}") || token_is(source, i, ";")) &&
		    !source->tokens[i].macro)
			start = i + 1;
	}
	return start;
}

struct declaration {
	bool local, global;
	unsigned bits;        /* 0: no type that we know */
	const char *floating; /* `float`, `double`, `half`, or NULL */
	const char *integer;  /* `int`, `uint`, `long`, `ulong`, or NULL */
};

/* 0: no type of an atomic object or of what an OpenCL 1.x function may reach. */
static unsigned type_bits(const struct source *source, size_t token)
{
	static const char *const narrow[] = {"int",        "uint",        "float",
	                                     "atomic_int", "atomic_uint", "atomic_float",
	                                     "atomic_flag"};
	static const char *const wide[] = {"long",        "ulong",        "double",
	                                   "atomic_long", "atomic_ulong", "atomic_double"};

	for (size_t i = 0; i < OCLMM_COUNT(narrow); i++) {
		if (token_is(source, token, narrow[i]))
			return 32;
	}
	for (size_t i = 0; i < OCLMM_COUNT(wide); i++) {
		if (token_is(source, token, wide[i]))
			return 64;
	}
	return 0;
}

/* The first of two words, such as a type's and its atomic's; NULL where it is neither of any. */
static const char *first_word(const struct source *source, size_t token,
                              const char *const (*words)[2], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (token_is(source, token, words[i][0]) || token_is(source, token, words[i][1]))
			return words[i][0];
	return NULL;
}

static const char *float_word(const struct source *source, size_t token)
{
	static const char *const words[][2] = {{"float", "atomic_float"},
	                                       {"double", "atomic_double"},
	                                       {"half", "atomic_half"}};

	return first_word(source, token, words, OCLMM_COUNT(words));
}

static const char *integer_word(const struct source *source, size_t token)
{
	static const char *const words[][2] = {{"int", "atomic_int"},
	                                       {"uint", "atomic_uint"},
	                                       {"long", "atomic_long"},
	                                       {"ulong", "atomic_ulong"}};

	return first_word(source, token, words, OCLMM_COUNT(words));
}

static bool is_type(const struct source *source, size_t token)
{
	return type_bits(source, token) || float_word(source, token);
}

static void set_type(struct declaration *declaration, const struct source *source, size_t token)
{
	declaration->bits = type_bits(source, token);
	declaration->floating = float_word(source, token);
	declaration->integer = integer_word(source, token);
}

static bool is_local_word(const struct source *source, size_t token)
{
	return token_is(source, token, "local") || token_is(source, token, "__local");
}

static bool is_global_word(const struct source *source, size_t token)
{
	return token_is(source, token, "global") || token_is(source, token, "__global");
}

/* What follows belongs to another declaration. `int *a, b` is one, `int *a, int b` are two. */
static bool ends_declaration(const struct source *source, size_t token)
{
	return token_is(source, token, ";") || token_is(source, token, "{") ||
	       token_is(source, token, ")") ||
	       (token_is(source, token, ",") && token_is_name(source, token + 1) &&
	        (token_is_name(source, token + 2) || token_is(source, token + 2, "*")));
}

/* `local int *a, b[4]` and the parameter `__local atomic_int *a`: all names of the declaration. */
static struct declaration find_declaration(const struct source *source, size_t first, size_t name)
{
	struct declaration declaration = {0};

	for (size_t i = first; i < name; i++) {
		if (is_local_word(source, i))
			declaration.local = true;
		else if (is_global_word(source, i))
			declaration.global = true;
		else if (is_type(source, i))
			set_type(&declaration, source, i);
		else if (ends_declaration(source, i))
			declaration = (struct declaration){0};
		else if ((declaration.local || declaration.bits || declaration.floating) &&
		         token_same(source, i, name))
			return declaration;
	}
	return (struct declaration){0};
}

/* What is said of the object of an atomic operation, by a cast in it or by its declaration. */
static struct declaration object_declaration(const struct source *source, const struct call *call)
{
	struct range object = call->arguments[0];
	struct declaration cast = {0}, found = {0};
	bool named = false;

	for (size_t i = object.first; i < object.last && !named; i++) {
		cast.local |= is_local_word(source, i);
		cast.global |= is_global_word(source, i);
		if (is_type(source, i))
			set_type(&cast, source, i);
		else if (token_is_name(source, i) && !is_local_word(source, i) &&
		         !is_global_word(source, i) && !token_is(source, i, "volatile")) {
			found = find_declaration(source, function_start(source, call->name), i);
			named = true;
		}
	}
	return (struct declaration){
		.local = cast.local || (found.local && !cast.bits),
		.global = cast.global || (found.global && !cast.bits),
		.bits = cast.bits ? cast.bits : found.bits,
		.floating = cast.bits || cast.floating ? cast.floating : found.floating,
		.integer = cast.bits || cast.floating ? cast.integer : found.integer,
	};
}

enum space object_space(const struct source *source, const struct call *call)
{
	struct declaration object = object_declaration(source, call);

	if (object.local)
		return SPACE_LOCAL;
	return object.bits && !object.global ? SPACE_GENERIC : SPACE_GLOBAL;
}

bool is_local(const struct source *source, const struct call *call)
{
	return object_space(source, call) == SPACE_LOCAL;
}

unsigned object_bits(const struct source *source, const struct call *call)
{
	return object_declaration(source, call).bits;
}

const char *object_float(const struct source *source, const struct call *call)
{
	return object_declaration(source, call).floating;
}

const char *object_integer(const struct source *source, const struct call *call)
{
	const char *word = object_declaration(source, call).integer;

	return word ? word : "";
}
