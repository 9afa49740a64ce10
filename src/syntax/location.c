// SPDX-License-Identifier: Apache-2.0
/* Objects in memory: the init block, the heads of the threads, and who may use which. */
#include "expression.h"

#include <errno.h>
#include <string.h>

/** What is known of a location besides what the program keeps. */
struct build_location {
	const struct syntax_token *name;
	const struct syntax_token *type_at;    /**< NULL: no type written yet */
	const struct syntax_token *space_at;   /**< NULL: no parameter with an address space yet */
	const struct syntax_token *generic_at; /**< the first one without, or NULL */
	const struct syntax_token *svm_at;
	const struct tree_entry *entry; /**< NULL: declared by a parameter only */
};

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
		/* the work-items of a group have the same objects */
		if (thread->item &&
		    (thread->item->local[0] | thread->item->local[1] | thread->item->local[2]))
			continue;
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

	if (oclmm_check_name(builder, name))
		return -EINVAL;
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
		              : location->storage == OCLMM_STORAGE_HOST_POINTER
		                      ? "a buffer in memory of the host"
		              : location->storage == OCLMM_STORAGE_IMAGE_2D ? "an image"
		              : location->storage == OCLMM_STORAGE_EXTERNAL ? "external memory"
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

	if (oclmm_read_object_type(builder, entry->specifiers, &type))
		return -EINVAL;
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
	if (add_location(builder, entry->name, &index))
		return -EINVAL;
	builder->locations[index].entry = entry;
	builder->locations[index].svm_at = type.svm_at;
	builder->program->locations[index].is_given = entry->values != NULL;
	if (type.svm_at)
		builder->program->locations[index].storage = storage_of(type.svm_at);
	return merge_type(builder, index, &type);
}

static int size_array(struct builder *builder, uint32_t index)
{
	const struct tree_entry *entry = builder->locations[index].entry;
	struct oclmm_location *location = &builder->program->locations[index];
	uint32_t values = oclmm_count_values(entry->values);

	if (oclmm_read_elements(builder, entry->name, entry->length, values, &location->elements))
		return -EINVAL;
	location->is_array = true;
	if (values > OCLMM_LISTED_ELEMENTS)
		return REFUSE(builder, entry->name, NULL,
		              "the array `%s` has more than %d elements", location->name,
		              OCLMM_LISTED_ELEMENTS);
	return 0;
}

static int finish_location(struct builder *builder, uint32_t index)
{
	const struct tree_entry *entry = builder->locations[index].entry;
	struct oclmm_location *location = &builder->program->locations[index];
	const struct tree_constant *constant = entry ? entry->values : NULL;

	if (entry && entry->is_array && size_array(builder, index))
		return -EINVAL;
	location->initial = OCLMM_NEW_ARRAY(builder->arena, int64_t, location->elements);
	for (uint32_t i = 0; constant; constant = constant->next, i++) {
		if (oclmm_read_constant(builder, constant, location->type, &location->initial[i]))
			return -EINVAL;
	}
	if (location->space == OCLMM_SPACE_LOCAL)
		location->storage = OCLMM_STORAGE_LOCAL;
	if (location->space == OCLMM_SPACE_IMAGE)
		location->storage = OCLMM_STORAGE_IMAGE;
	if (oclmm_location_is_image(location) &&
	    (location->atomic || location->type != OCLMM_TYPE_INT))
		return oclmm_refuse(builder->source, &location->position, NULL,
		                    "the elements of the image `%s` are plain ints",
		                    location->name);
	location->first_cell = builder->program->cell_count;
	builder->program->cell_count += location->elements;
	return 0;
}

/* ---- the heads of the threads ---- */

/* What another work-group than the first of a shared text has in the place of a local object. */
static int add_copy(struct builder *builder, const struct tree_parameter *tree,
                    const struct build_item *item, uint32_t *ret_location)
{
	struct oclmm_program *program = builder->program;
	int first = oclmm_program_find_location(program, tree->name->text);
	struct syntax_token word = *tree->name;
	int found;

	word.text = oclmm_arena_printf(builder->arena, "%s@%u", word.text, item->group_number);
	found = oclmm_program_find_location(program, word.text);
	if (found >= 0) {
		*ret_location = (uint32_t)found;
		return 0;
	}
	if (first < 0 || add_location(builder, &word, ret_location))
		return -EINVAL;
	builder->locations[*ret_location].name = tree->name;
	builder->locations[*ret_location].entry = builder->locations[first].entry;
	program->locations[*ret_location].copy_of = (uint32_t)first + 1;
	program->locations[*ret_location].is_given = program->locations[first].is_given;
	return 0;
}

static int add_parameter(struct builder *builder, struct oclmm_thread *thread,
                         const struct tree_parameter *tree, const struct build_item *item)
{
	struct oclmm_parameter *parameter = &thread->parameters[thread->parameter_count];
	const struct tree_specifier *specifiers = tree->specifiers;
	const struct syntax_token *is_const;
	struct build_type type;
	int found;

	/* a kernel may promise not to write through a pointer */
	if (item)
		specifiers = oclmm_without_const(builder, specifiers, &is_const);
	if (oclmm_read_object_type(builder, specifiers, &type))
		return -EINVAL;
	if (type.svm_at)
		return REFUSE(builder, type.svm_at,
		              oclmm_arena_printf(builder->arena,
		                                 "write `%s [x] = 0;` in the init block",
		                                 type.svm_at->text),
		              "`%s` stands in the init block", type.svm_at->text);
	if (!type.type_at)
		return REFUSE(builder, tree->name, "write `global atomic_int *x`, say",
		              "the parameter `%s` has no type", tree->name->text);
	if (item && !type.space_given)
		return REFUSE(builder, tree->name, "write `global int *` or `local int *`, say",
		              "the parameter `%s` of a kernel has no address space",
		              tree->name->text);
	found = oclmm_program_find_location(builder->program, tree->name->text);
	if (item && item->group_number && type.space == OCLMM_SPACE_LOCAL) {
		if (add_copy(builder, tree, item, &parameter->location))
			return -EINVAL;
	} else if (found >= 0)
		parameter->location = (uint32_t)found;
	else if (add_location(builder, tree->name, &parameter->location))
		return -EINVAL;
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
	if (merge_type(builder, parameter->location, &type))
		return -EINVAL;
	return merge_space(builder, parameter->location, &type);
}

static int add_parameters(struct builder *builder)
{
	const struct tree_thread *tree = builder->tree->threads;
	const struct tree_parameter *parameter;

	for (uint32_t i = 0; tree; tree = tree->next, i++) {
		struct oclmm_thread *thread = &builder->program->threads[i];
		uint32_t count = 0;

		for (parameter = tree->parameters; parameter; parameter = parameter->next)
			count++;
		thread->parameters = OCLMM_NEW_ARRAY(builder->arena, struct oclmm_parameter,
		                                     count + 1);
		for (parameter = tree->parameters; parameter; parameter = parameter->next) {
			int result = parameter->by_value ? 0
			                                 : add_parameter(builder, thread, parameter,
			                                                 tree->item);

			if (result)
				return result;
		}
	}
	return 0;
}

/* The word of the tree that declares a parameter. */
static const struct syntax_token *parameter_name(const struct builder *builder, uint32_t thread,
                                                 uint32_t parameter)
{
	const struct tree_thread *tree = builder->tree->threads;
	const struct tree_parameter *found;

	while (thread--)
		tree = tree->next;
	found = tree->parameters;
	while (parameter--)
		found = found->next;
	return found->name;
}

static int check_host(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;

	for (uint32_t i = 0; i < program->threads[thread].parameter_count; i++) {
		const struct oclmm_parameter *parameter = &program->threads[thread].parameters[i];
		const struct oclmm_location *location = &program->locations[parameter->location];

		if (!oclmm_storage_is_svm(location->storage))
			return REFUSE(builder, parameter_name(builder, thread, i),
			              "declare it in the init block: `svm [x] = 0;`",
			              "the host thread P%u can use only shared virtual memory, and "
			              "`%s` is not",
			              program->threads[thread].id, location->name);
	}
	return 0;
}

static int check_hosts(struct builder *builder)
{
	int result = 0;

	for (uint32_t i = 0; i < builder->program->thread_count && !result; i++) {
		if (builder->program->threads[i].placement.host)
			result = check_host(builder, i);
	}
	return result;
}

static int declare_locations(struct builder *builder)
{
	const struct tree_entry *entry;
	uint32_t most = count_names(builder->tree) + 1;

	builder->program->locations = OCLMM_NEW_ARRAY(builder->arena, struct oclmm_location, most);
	builder->locations = OCLMM_NEW_ARRAY(builder->arena, struct build_location, most);
	for (entry = builder->tree->entries; entry; entry = entry->next) {
		if (!entry->thread && !oclmm_is_value_argument(builder, entry->name) &&
		    declare_entry(builder, entry))
			return -EINVAL;
	}
	if (add_parameters(builder))
		return -EINVAL;
	for (uint32_t i = 0; i < builder->program->location_count; i++)
		if (finish_location(builder, i))
			return -EINVAL;
	return check_hosts(builder);
}

/* ---- local objects and variables at program scope ---- */

/** Looks for an access of an object. */
struct search {
	uint32_t location;
	const struct oclmm_position *found; /**< the first access, or NULL */
};

static int note_use(void *data, const struct oclmm_use *use)
{
	struct search *search = data;

	if (use->place->location != search->location)
		return 0;
	search->found = &use->place->position;
	return 1;
}

static const struct oclmm_position *find_use(const struct oclmm_thread *thread, uint32_t location)
{
	static const struct oclmm_visitor visitor = {.use = note_use};
	struct search search = {.location = location};

	oclmm_visit_body(&visitor, thread->body, &search);
	return search.found;
}

static bool lists(const struct oclmm_thread *thread, uint32_t location)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++) {
		if (thread->parameters[i].location == location)
			return true;
	}
	return false;
}

static void drop_parameter(struct oclmm_thread *thread, uint32_t location)
{
	uint32_t i, kept = 0;

	for (i = 0; i < thread->parameter_count; i++) {
		if (thread->parameters[i].location != location)
			thread->parameters[kept++] = thread->parameters[i];
	}
	thread->parameter_count = kept;
}

/* Whether two threads that use an object use the same one: each work-group has its own local
 * objects, each device its own variables at program scope (A:3.3.5). */
static bool shares_instance(const struct oclmm_location *location, const struct oclmm_thread *a,
                            const struct oclmm_thread *b)
{
	if (location->space == OCLMM_SPACE_LOCAL)
		return oclmm_same_work_group(&a->placement, &b->placement);
	return a->placement.device == b->placement.device;
}

/* The first thread that uses an object; without any, the first that lists it. */
static int find_owner(const struct builder *builder, uint32_t location,
                      const struct oclmm_thread **ret_owner)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_location *object = &program->locations[location];
	const struct oclmm_thread *owner = NULL, *listed = NULL;
	bool local = object->space == OCLMM_SPACE_LOCAL;

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];
		const struct oclmm_position *use = find_use(thread, location);

		if (!listed && lists(thread, location))
			listed = thread;
		if (use && owner && !shares_instance(object, owner, thread))
			return oclmm_refuse(builder->source, use,
			                    local ? "each work-group has its own local objects"
			                          : "each device has its own variables at program "
			                            "scope",
			                    "the %s `%s` is used from two %s, by P%u and P%u",
			                    local ? "local object" : "variable", object->name,
			                    local ? "work-groups" : "devices", owner->id,
			                    thread->id);
		if (use && !owner)
			owner = thread;
	}
	*ret_owner = owner ? owner : listed;
	return 0;
}

/* A work-group that lists a local object without using it, or a device such a variable, has an
 * instance that nobody accesses. Dropping it leaves one instance of each object. */
static int settle(struct builder *builder, uint32_t location)
{
	struct oclmm_program *program = builder->program;
	const struct oclmm_thread *owner = NULL;
	int result = find_owner(builder, location, &owner);

	for (uint32_t i = 0; i < program->thread_count && !result && owner; i++) {
		if (!shares_instance(&program->locations[location], owner, &program->threads[i]))
			drop_parameter(&program->threads[i], location);
	}
	return result;
}

static int settle_instances(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	int result = 0;

	/* there each work-group has its own already */
	if (builder->shared)
		return 0;
	for (uint32_t i = 0; i < program->location_count && !result; i++) {
		if (program->locations[i].space == OCLMM_SPACE_LOCAL ||
		    program->locations[i].storage == OCLMM_STORAGE_PROGRAM)
			result = settle(builder, i);
	}
	return result;
}

const struct construct oclmm_locations = {.declare = declare_locations, .check = settle_instances};
