// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <string.h>

/* Every location has a name in the init block or in a thread's head. */
static uint32_t count_names(const struct tree_file *tree)
{
	const struct tree_entry *entry;
	const struct tree_thread *thread;
	const struct tree_parameter *parameter;
	uint32_t count = 0;

	for (entry = tree->entries; entry; entry = entry->next)
		count++;
	for (thread = tree->threads; thread; thread = thread->next) {
		for (parameter = thread->parameters; parameter; parameter = parameter->next)
			count++;
	}
	return count;
}

static int add_location(struct builder *builder, const struct syntax_token *name,
                        uint32_t *ret_index)
{
	uint32_t index = builder->program->location_count;
	struct oclmm_location *location = &builder->program->locations[index];
	int result = build_check_name(builder, name);

	if (result)
		return result;
	builder->program->location_count++;
	location->name = oclmm_arena_strdup(builder->arena, name->text);
	location->elements = 1;
	location->position = name->place;
	builder->locations[index].name = name;
	*ret_index = index;
	return 0;
}

/* ---- one type and one address space ---- */

static int merge_type(struct builder *builder, uint32_t index, const struct build_type *type)
{
	struct build_location *known = &builder->locations[index];
	struct oclmm_location *location = &builder->program->locations[index];

	if (!type->type_at)
		return 0;
	if (known->type_at && location->type != type->type)
		return REFUSE(builder, type->type_at,
		              "every thread has to declare an object with one base type",
		              "`%s` is %s here and %s in line %u", location->name,
		              oclmm_type_name(type->type), oclmm_type_name(location->type),
		              known->type_at->written.line);
	if (!known->type_at)
		known->type_at = type->type_at;
	location->type = type->type;
	location->atomic = location->atomic || type->atomic;
	return 0;
}

/* A generic pointer may lead to global and to local memory (C:6.7.1), and says nothing of either.
 */
static int merge_generic(struct builder *builder, uint32_t index, const struct build_type *type)
{
	struct build_location *known = &builder->locations[index];
	const struct oclmm_location *location = &builder->program->locations[index];

	if (oclmm_location_is_image(location))
		return REFUSE(builder, type->type_at,
		              "a pointer without address space points to a global or local object",
		              "`%s` is an image in line %u", location->name,
		              known->space_at->written.line);
	if (!known->generic_at)
		known->generic_at = type->type_at;
	return 0;
}

static int merge_space(struct builder *builder, uint32_t index, const struct build_type *type)
{
	struct build_location *known = &builder->locations[index];
	struct oclmm_location *location = &builder->program->locations[index];

	if (!type->space_given)
		return merge_generic(builder, index, type);
	if (known->space_at && location->space != type->space)
		return REFUSE(builder, type->space_at, NULL, "`%s` is %s here and %s in line %u",
		              location->name, oclmm_space_spelling(type->space),
		              oclmm_space_spelling(location->space), known->space_at->written.line);
	if (known->generic_at && type->space == OCLMM_SPACE_IMAGE)
		return REFUSE(builder, type->space_at, NULL,
		              "`%s` is an image here and behind a pointer in line %u",
		              location->name, known->generic_at->written.line);
	if (known->svm_at && type->space != OCLMM_SPACE_GLOBAL)
		return REFUSE(builder, type->space_at, NULL, "`%s` is %s and cannot be %s",
		              location->name,
		              location->storage == OCLMM_STORAGE_HOST      ? "memory of the host"
		              : location->storage == OCLMM_STORAGE_PROGRAM ? "at program scope"
		              : location->storage == OCLMM_STORAGE_PIPE
		                      ? "a pipe"
		                      : "in shared virtual memory",
		              type->space == OCLMM_SPACE_LOCAL ? "local" : "an image");
	known->space_at = type->space_at;
	location->space = type->space;
	return 0;
}

/* ---- the init block ---- */

/* The lexer knows no other words than these. */
static enum oclmm_storage storage_of(const struct syntax_token *at)
{
	int storage = 0;

	while (strcmp(oclmm_storage_word((enum oclmm_storage)storage), at->text) != 0)
		storage++;
	return (enum oclmm_storage)storage;
}

static int declare_entry(struct builder *builder, const struct tree_entry *entry)
{
	struct build_type type;
	uint32_t index;
	int result = build_object_type(builder, entry->specifiers, &type);

	if (result)
		return result;
	if (type.space_given)
		return REFUSE(builder, type.space_at,
		              "write it before the parameter, in the head of the thread",
		              "the init block gives no address spaces");
	if (oclmm_program_find_location(builder->program, entry->name->text) >= 0)
		return REFUSE(builder, entry->name, NULL, "`%s` is declared twice",
		              entry->name->text);
	if (entry->address)
		return REFUSE(builder, entry->address, NULL,
		              "the address of an object is no initial value: pointers in memory "
		              "are outside the format");
	result = add_location(builder, entry->name, &index);
	if (result)
		return result;
	builder->locations[index].entry = entry;
	builder->locations[index].svm_at = type.svm_at;
	if (type.svm_at)
		builder->program->locations[index].storage = storage_of(type.svm_at);
	return merge_type(builder, index, &type);
}

static int size_array(struct builder *builder, uint32_t index)
{
	const struct tree_entry *entry = builder->locations[index].entry;
	struct oclmm_location *location = &builder->program->locations[index];
	uint32_t values = build_count_values(entry->values);
	int result = build_elements(builder, entry->name, entry->length, values,
	                            &location->elements);

	location->is_array = true;
	if (!result && values > SYNTAX_MAX_ELEMENTS)
		return REFUSE(builder, entry->name, NULL,
		              "the array `%s` has more than %d elements", location->name,
		              SYNTAX_MAX_ELEMENTS);
	return result;
}

static int finish_location(struct builder *builder, uint32_t index)
{
	const struct tree_entry *entry = builder->locations[index].entry;
	struct oclmm_location *location = &builder->program->locations[index];
	const struct tree_constant *constant = entry ? entry->values : NULL;
	int result = entry && entry->is_array ? size_array(builder, index) : 0;

	if (result)
		return result;
	location->initial = OCLMM_NEW_ARRAY(builder->arena, int64_t, location->elements);
	for (uint32_t i = 0; constant; constant = constant->next, i++) {
		result = build_constant(builder, constant, location->type, &location->initial[i]);
		if (result)
			return result;
	}
	if (location->space == OCLMM_SPACE_LOCAL)
		location->storage = OCLMM_STORAGE_LOCAL;
	if (location->space == OCLMM_SPACE_IMAGE)
		location->storage = OCLMM_STORAGE_IMAGE;
	if (oclmm_location_is_image(location) &&
	    (location->atomic || location->type != OCLMM_TYPE_INT))
		return syntax_refuse(builder->source, &location->position, NULL,
		                     "the elements of the image `%s` are plain ints",
		                     location->name);
	location->first_cell = builder->program->cell_count;
	builder->program->cell_count += location->elements;
	return 0;
}

/* ---- the heads of the threads ---- */

static int add_parameter(struct builder *builder, struct oclmm_thread *thread,
                         const struct tree_parameter *tree)
{
	struct oclmm_parameter *parameter = &thread->parameters[thread->parameter_count];
	struct build_type type;
	int found;
	int result = build_object_type(builder, tree->specifiers, &type);

	if (result)
		return result;
	if (type.svm_at)
		return REFUSE(builder, type.svm_at,
		              oclmm_arena_printf(builder->arena,
		                                 "write `%s [x] = 0;` in the init block",
		                                 type.svm_at->text),
		              "`%s` stands in the init block", type.svm_at->text);
	if (!type.type_at)
		return REFUSE(builder, tree->name, "write `global atomic_int *x`, say",
		              "the parameter `%s` has no type", tree->name->text);
	found = oclmm_program_find_location(builder->program, tree->name->text);
	if (found >= 0)
		parameter->location = (uint32_t)found;
	else
		result = add_location(builder, tree->name, &parameter->location);
	if (result)
		return result;
	for (uint32_t i = 0; i < thread->parameter_count; i++) {
		if (thread->parameters[i].location == parameter->location)
			return REFUSE(builder, tree->name, NULL, "two parameters are called `%s`",
			              tree->name->text);
	}
	parameter->type = type.type;
	parameter->atomic = type.atomic;
	parameter->is_volatile = type.is_volatile;
	parameter->generic = !type.space_given;
	parameter->position = tree->name->place;
	thread->parameter_count++;
	result = merge_type(builder, parameter->location, &type);
	return result ? result : merge_space(builder, parameter->location, &type);
}

static int add_parameters(struct builder *builder)
{
	const struct tree_thread *tree = builder->tree->threads;
	const struct tree_parameter *parameter;
	uint32_t most = count_names(builder->tree);

	for (uint32_t i = 0; tree; tree = tree->next, i++) {
		struct oclmm_thread *thread = &builder->program->threads[i];

		thread->parameters = OCLMM_NEW_ARRAY(builder->arena, struct oclmm_parameter,
		                                     most + 1);
		for (parameter = tree->parameters; parameter; parameter = parameter->next) {
			int result = add_parameter(builder, thread, parameter);

			if (result)
				return result;
		}
	}
	return 0;
}

int build_locations(struct builder *builder)
{
	const struct tree_entry *entry;
	uint32_t most = count_names(builder->tree) + 1;
	int result = 0;

	builder->program->locations = OCLMM_NEW_ARRAY(builder->arena, struct oclmm_location, most);
	builder->locations = OCLMM_NEW_ARRAY(builder->arena, struct build_location, most);
	for (entry = builder->tree->entries; entry && !result; entry = entry->next) {
		if (!entry->thread)
			result = declare_entry(builder, entry);
	}
	if (!result)
		result = add_parameters(builder);
	for (uint32_t i = 0; i < builder->program->location_count && !result; i++)
		result = finish_location(builder, i);
	return result;
}
