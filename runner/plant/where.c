// SPDX-License-Identifier: Apache-2.0
/* Plants that act in some calls only: `NAME@load,64,local`. */
#include <string.h>

#include "internal.h"

static const char *const scopes[] = {"work_item", "sub_group", "work_group", "device", "all"};
static const char *const widths[] = {"32", "64"};
/* of a fence or barrier: its flags */
static const char *const spaces[] = {"global", "local", "both", "none", "generic"};
/* `atomic_load(x)` and `barrier(flags)`, or with order and scope, or with an order alone */
static const char *const forms[] = {"short", "full", "unscoped"};

static const char *const types[] = {"int", "uint", "long", "ulong"};

static const char *function_word(size_t index)
{
	const struct function *fence;
	const char *name;
	size_t count = 0;

	if (function_at(index, &name))
		return name;
	while (function_at(count, &name))
		count++;
	fence = fence_at(index - count);
	return fence ? fence->name : NULL;
}

static const char *of_list(const char *const *list, size_t count, size_t index)
{
	return index < count ? list[index] : NULL;
}

const char *plant_word(enum plant_aspect aspect, size_t index)
{
	switch (aspect) {
	case PLANT_ASPECT_FUNCTION: return function_word(index);
	case PLANT_ASPECT_ORDER:
		return index < ORDER_COUNT ? order_names[index] + strlen("memory_order_") : NULL;
	case PLANT_ASPECT_SCOPE: return of_list(scopes, OCLMM_COUNT(scopes), index);
	case PLANT_ASPECT_WIDTH: return of_list(widths, OCLMM_COUNT(widths), index);
	case PLANT_ASPECT_SPACE: return of_list(spaces, OCLMM_COUNT(spaces), index);
	case PLANT_ASPECT_TYPE: return of_list(types, OCLMM_COUNT(types), index);
	case PLANT_ASPECT_FORM: return of_list(forms, OCLMM_COUNT(forms), index);
	default: return NULL;
	}
}

/* ---- what a call is -------------------------------------------------- */

static bool has_object(const struct call *call)
{
	enum function_kind kind = call->function->kind;

	return kind != FUNCTION_FENCE && kind != FUNCTION_MEM_FENCE && kind != FUNCTION_BARRIER;
}

/* `fetch_min`, of OpenCL 1.x `min`, `barrier`. */
static const char *function_of(const struct call *call)
{
	const char *name;
	const struct function *function;

	for (size_t i = 0; (function = function_at(i, &name)); i++) {
		if (function == call->function)
			return name;
	}
	return call->function->name;
}

/* An order that a macro hides is none that has a word. */
static const char *order_of(const struct source *source, const struct call *call)
{
	enum order order = call_order(source, call, call->order);

	if (order == ORDER_NONE && call->function->kind <= FUNCTION_FLAG_CLEAR)
		order = ORDER_SEQ_CST;
	return order < ORDER_COUNT ? order_names[order] + strlen("memory_order_") : "";
}

static const char *scope_of(const struct source *source, const struct call *call)
{
	static const struct {
		const char *name;
		size_t word;
	} names[] = {
		{"memory_scope_work_item", 0},       {"memory_scope_sub_group", 1},
		{"memory_scope_work_group", 2},      {"memory_scope_device", 3},
		{"memory_scope_all_svm_devices", 4}, {"memory_scope_all_devices", 4},
	};

	if (call->scope == CALL_ARGUMENTS)
		return call->function->kind == FUNCTION_BARRIER ? "work_group" : "device";
	for (size_t i = 0; i < OCLMM_COUNT(names); i++) {
		if (range_is(source, call->arguments[call->scope], names[i].name))
			return scopes[names[i].word];
	}
	return "";
}

static const char *space_of(const struct source *source, const struct call *call)
{
	bool local, global;

	if (has_object(call)) {
		enum space space = object_space(source, call);

		return space == SPACE_LOCAL     ? "local"
		       : space == SPACE_GENERIC ? "generic"
		                                : "global";
	}
	local = range_mentions(source, call->arguments[0], "CLK_LOCAL_MEM_FENCE");
	global = range_mentions(source, call->arguments[0], "CLK_GLOBAL_MEM_FENCE");
	if (!local && !global)
		return range_is(source, call->arguments[0], "0") ? "none" : "";
	return local && global ? "both" : local ? "local" : "global";
}

static const char *form_of(const struct call *call)
{
	if (call->function->kind == FUNCTION_BARRIER)
		return call->scope == CALL_ARGUMENTS ? "short" : "full";
	if (call->function->kind == FUNCTION_FENCE)
		return "full";
	return !call->is_explicit ? "short" : call->scope == CALL_ARGUMENTS ? "unscoped" : "full";
}

static const char *aspect_of(enum plant_aspect aspect, const struct source *source,
                             const struct call *call)
{
	switch (aspect) {
	case PLANT_ASPECT_FUNCTION: return function_of(call);
	case PLANT_ASPECT_ORDER: return order_of(source, call);
	case PLANT_ASPECT_SCOPE: return scope_of(source, call);
	case PLANT_ASPECT_SPACE: return space_of(source, call);
	case PLANT_ASPECT_FORM: return form_of(call);
	case PLANT_ASPECT_TYPE: return has_object(call) ? object_integer(source, call) : "";
	default: return "";
	}
}

static enum taken take_width(const char *word, const struct source *source, const struct call *call)
{
	unsigned bits = has_object(call) ? object_bits(source, call) : 0;

	if (!has_object(call) || call->function->kind >= FUNCTION_INIT)
		return TAKEN_NOT;
	if (bits == 0)
		return TAKEN_BY_WIDTH;
	return strcmp(word, bits == 64 ? "64" : "32") == 0 ? TAKEN : TAKEN_NOT;
}

enum taken take_call(const struct plant *plant, const struct source *source,
                     const struct call *call)
{
	const char *width = plant->where[PLANT_ASPECT_WIDTH];

	for (int i = 0; i < PLANT_ASPECT_COUNT; i++) {
		enum plant_aspect aspect = (enum plant_aspect)i;

		if (plant->where[i] && aspect != PLANT_ASPECT_WIDTH &&
		    strcmp(plant->where[i], aspect_of(aspect, source, call)) != 0)
			return TAKEN_NOT;
	}
	return width ? take_width(width, source, call) : TAKEN;
}

bool plant_is_narrowed(const struct plant *plant)
{
	for (int i = 0; i < PLANT_ASPECT_COUNT; i++) {
		if (plant->where[i])
			return true;
	}
	return plant->function[0] != '\0';
}

bool plant_is_part(const struct plant *inner, const struct plant *outer)
{
	if (inner->bug != outer->bug || inner->number != outer->number ||
	    inner->keep_global != outer->keep_global || inner->all != outer->all ||
	    inner->to_sub_group != outer->to_sub_group)
		return false;
	if (outer->function[0] && strcmp(inner->function, outer->function) != 0)
		return false;
	for (int i = 0; i < PLANT_ASPECT_COUNT; i++) {
		/* words have static storage, and each its own */
		if (outer->where[i] && inner->where[i] != outer->where[i])
			return false;
	}
	return true;
}
