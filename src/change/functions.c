// SPDX-License-Identifier: Apache-2.0
/* OpenCL's functions (C:6.15.8, C:6.15.9, C:6.15.12), by what calls of them are told apart, and
 * which of them can compute something else. */
#include <string.h>

#include "internal.h"

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
	{"atomic_init", OCLMM_FUNCTION_INIT, 2, 0},
};

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

/* From narrow to wide, as enum oclmm_scope has them from WORK_ITEM on. */
static const char *const scopes[] = {"work_item", "sub_group", "work_group", "device", "all"};
static const char *const widths[] = {"32", "64"};
/* of a fence or barrier: its flags */
static const char *const spaces[] = {"global", "local", "both", "none", "generic"};
/* `atomic_load(x)` and `barrier(flags)`, or with order and scope, or with an order alone */
static const char *const forms[] = {"short", "full", "unscoped"};
static const char *const types[] = {"int", "uint", "long", "ulong"};

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

static const char *integer_word(enum oclmm_type type)
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

struct call oclmm_change_call_of(const struct oclmm_program *program,
                                 const struct oclmm_thread *thread, const struct oclmm_atomic *a)
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
	                  [OCLMM_ASPECT_TYPE] = integer_word(l->type)}};
}

struct call oclmm_change_call_of_fence(const struct oclmm_fence *fence)
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

struct call oclmm_change_call_of_barrier(const struct oclmm_barrier *barrier)
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

bool oclmm_change_takes(const struct oclmm_mutation *change, const struct call *call)
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

bool oclmm_change_is_mistaken(const struct oclmm_mutation *change,
                              const struct oclmm_function *function, enum oclmm_type type)
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
