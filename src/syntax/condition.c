// SPDX-License-Identifier: Apache-2.0
/* What is asked of the final state: the condition, the filter, and the values that are observed. */
#include "scope.h"

#include <errno.h>

/* ---- observables ---- */

static bool equal(const struct oclmm_observable *a, const struct oclmm_observable *b)
{
	if (a->is_register != b->is_register)
		return false;
	if (a->is_register)
		return a->thread == b->thread && a->reg == b->reg;
	return a->location == b->location && a->element == b->element;
}

static const char *name_of(const struct builder *builder, const struct oclmm_observable *observable)
{
	const struct oclmm_thread *thread = &builder->program->threads[observable->thread];
	const struct oclmm_location *place = &builder->program->locations[observable->location];

	if (observable->is_register)
		return oclmm_arena_printf(builder->arena, "%u:%s", thread->id,
		                          thread->registers[observable->reg].name);
	return place->is_array ? oclmm_arena_printf(builder->arena, "%s[%u]", place->name,
	                                            observable->element)
	                       : oclmm_arena_printf(builder->arena, "[%s]", place->name);
}

/* The observable's index; it is added, with its name, unless it is among the first `known`. */
static uint32_t observe(struct builder *builder, const struct oclmm_observable *observable,
                        uint32_t known)
{
	struct oclmm_program *program = builder->program;
	uint32_t i;

	for (i = 0; i < known; i++) {
		if (equal(&program->observables[i], observable))
			return i;
	}
	i = program->observable_count;
	program->observables[i] = *observable;
	program->observables[i].name = name_of(builder, observable);
	return program->observable_count++;
}

static uint32_t observe_register(struct builder *builder, uint32_t thread, uint32_t reg,
                                 uint32_t known)
{
	const struct oclmm_observable observable = {
		.is_register = true,
		.thread = thread,
		.reg = reg,
		.type = builder->program->threads[thread].registers[reg].type,
	};

	return observe(builder, &observable, known);
}

static uint32_t observe_cell(struct builder *builder, uint32_t location, uint32_t element,
                             uint32_t known)
{
	const struct oclmm_observable observable = {
		.location = location,
		.element = element,
		.type = builder->program->locations[location].type,
	};

	return observe(builder, &observable, known);
}

static int find_register(struct builder *builder, const struct tree_value *value,
                         uint32_t *ret_index)
{
	struct oclmm_thread *thread;
	int reg;

	if (builder->shared)
		return REFUSE(builder, value->at,
		              "let the kernel store it in a buffer: `out[get_global_id(0)] = r0;`",
		              "what a work-item of a shared text has is not observed");
	thread = oclmm_find_thread(builder, value->thread);
	if (!thread)
		return -EINVAL;
	reg = oclmm_thread_find_register(thread, value->name->text);
	if (reg < 0)
		return REFUSE(builder, value->name, NULL, "P%u has no register `%s`", thread->id,
		              value->name->text);
	*ret_index = observe_register(builder, (uint32_t)(thread - builder->program->threads),
	                              (uint32_t)reg, builder->program->observable_count);
	return 0;
}

static int find_location(const struct builder *builder, const struct tree_value *value,
                         uint32_t *ret_location)
{
	int location = oclmm_program_find_location(builder->program, value->name->text);

	if (location < 0)
		return REFUSE(builder, value->name,
		              "registers are written with their thread: `0:r0`",
		              "there is no location `%s`", value->name->text);
	if (builder->shared && builder->program->locations[location].space == OCLMM_SPACE_LOCAL)
		return REFUSE(builder, value->name,
		              "let the kernel store it in a buffer: `out[get_group_id(0)] = s[0];`",
		              "the local object `%s` ends with its work-group", value->name->text);
	*ret_location = (uint32_t)location;
	return 0;
}

static int find_cell(struct builder *builder, const struct tree_value *value, uint32_t *ret_index)
{
	const struct oclmm_location *location;
	uint32_t index = 0, element = 0;
	int result = find_location(builder, value, &index);

	if (result)
		return result;
	location = &builder->program->locations[index];
	if (location->is_array && !value->element)
		return REFUSE(builder, value->name, "write `a[0]` for an element",
		              "`%s` is an array", location->name);
	if (!location->is_array && value->element)
		return REFUSE(builder, value->name, "write the name alone", "`%s` is not an array",
		              location->name);
	if (value->element)
		result = oclmm_read_count(builder, value->element, UINT32_MAX, &element);
	if (!result && element >= location->elements)
		return REFUSE(builder, value->element, NULL, "`%s` has %u elements", location->name,
		              location->elements);
	if (!result)
		*ret_index = observe_cell(builder, index, element,
		                          builder->program->observable_count);
	return result;
}

static int find_observable(struct builder *builder, const struct tree_value *value,
                           uint32_t *ret_index)
{
	return value->thread ? find_register(builder, value, ret_index)
	                     : find_cell(builder, value, ret_index);
}

/* ---- conditions ---- */

static int build_operand(struct builder *builder, const struct tree_value *value,
                         const struct tree_value *other, struct oclmm_operand *operand)
{
	enum oclmm_type type;
	uint32_t index = 0;

	if (!value->constant)
		return find_observable(builder, value, &operand->observable);
	operand->is_constant = true;
	if (other->constant)
		return oclmm_read_number(builder, value->at, value->constant->minus != NULL, &type,
		                         &operand->constant);
	/* a constant is a value of what it is compared with */
	if (find_observable(builder, other, &index))
		return -EINVAL;
	return oclmm_read_constant(builder, value->constant,
	                           builder->program->observables[index].type, &operand->constant);
}

static struct oclmm_condition *build_condition(struct builder *builder,
                                               const struct tree_condition *tree)
{
	static const enum oclmm_condition_kind kinds[] = {
		[TREE_TRUE] = OCLMM_CONDITION_TRUE, [TREE_COMPARE] = OCLMM_CONDITION_COMPARE,
		[TREE_AND] = OCLMM_CONDITION_AND,   [TREE_OR] = OCLMM_CONDITION_OR,
		[TREE_NOT] = OCLMM_CONDITION_NOT,
	};
	struct oclmm_condition *condition = OCLMM_NEW(builder->arena, struct oclmm_condition);

	condition->kind = kinds[tree->kind];
	condition->position = tree->at->place;
	condition->op = tree->op;
	if (tree->kind == TREE_TRUE && oclmm_check_shared(builder, tree->at))
		return NULL;
	if (tree->kind == TREE_COMPARE &&
	    (build_operand(builder, tree->a, tree->b, &condition->a) ||
	     build_operand(builder, tree->b, tree->a, &condition->b)))
		return NULL;
	if (tree->left && !(condition->left = build_condition(builder, tree->left)))
		return NULL;
	if (tree->right && !(condition->right = build_condition(builder, tree->right)))
		return NULL;
	return condition;
}

static int build_list(struct builder *builder)
{
	const struct tree_value *value;

	for (value = builder->tree->observed; value; value = value->next) {
		const struct oclmm_location *location;
		uint32_t index = 0, element, known;

		if (value->thread || value->element) {
			if (find_observable(builder, value, &index))
				return -EINVAL;
			continue;
		}
		if (find_location(builder, value, &index))
			return -EINVAL;
		location = &builder->program->locations[index];
		known = builder->program->observable_count;
		for (element = 0; element < location->elements; element++)
			observe_cell(builder, index, element, known);
	}
	return 0;
}

/* A test that names nothing to observe observes everything: registers, then memory. Each is new but
 * for those that the condition has named; work-items of a shared text may be thousands. */
static void observe_everything(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	const uint32_t known = program->observable_count;

	for (uint32_t i = 0; i < program->thread_count && !builder->shared; i++) {
		for (uint32_t k = 0; k < program->threads[i].register_count; k++)
			observe_register(builder, i, k, known);
	}
	for (uint32_t i = 0; i < program->location_count; i++) {
		if (builder->shared && program->locations[i].space == OCLMM_SPACE_LOCAL)
			continue;
		for (uint32_t k = 0; k < program->locations[i].elements; k++)
			observe_cell(builder, i, k, known);
	}
}

static uint32_t count_observable(const struct oclmm_program *program)
{
	uint32_t count = program->cell_count;

	for (uint32_t i = 0; i < program->thread_count; i++)
		count += program->threads[i].register_count;
	return count;
}

static int build_final(struct builder *builder)
{
	struct oclmm_program *program = builder->program;
	const struct tree_file *tree = builder->tree;

	program->observables = OCLMM_NEW_ARRAY(builder->arena, struct oclmm_observable,
	                                       count_observable(program) + 1);
	program->quantifier = tree->quantifier;
	if (tree->condition) {
		program->condition = build_condition(builder, tree->condition);
	} else {
		program->condition = OCLMM_NEW(builder->arena, struct oclmm_condition);
		program->condition->kind = OCLMM_CONDITION_TRUE;
		program->condition->position = tree->end->place;
	}
	if (!program->condition)
		return -EINVAL;
	if (tree->filter && !(program->filter = build_condition(builder, tree->filter)))
		return -EINVAL;
	if (build_list(builder))
		return -EINVAL;
	if (program->observable_count == 0)
		observe_everything(builder);
	return 0;
}

const struct construct oclmm_final = {.check = build_final};
