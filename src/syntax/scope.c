// SPDX-License-Identifier: Apache-2.0
/* What names stand for: registers, parameters, constants, the variables of loops, and what a
 * function knows while it is at work. */
#include "scope.h"

#include <errno.h>
#include <string.h>

const struct build_name *oclmm_find_name(const struct builder *builder, const char *name)
{
	const struct build_name *found = builder->names;

	while (found && strcmp(found->name->text, name) != 0)
		found = found->outer;
	return found;
}

const struct build_name *oclmm_find_counter(const struct builder *builder, const char *name)
{
	const struct build_name *found = oclmm_find_name(builder, name);

	return found && found->kind == BUILD_COUNTER ? found : NULL;
}

/* ---- parameters and functions ---- */

/* What the text calls an object of which each work-group has one. */
static const char *name_in_text(const struct oclmm_program *program, uint32_t location)
{
	uint32_t first = program->locations[location].copy_of;

	return program->locations[first ? first - 1 : location].name;
}

int oclmm_find_object(const struct builder *builder, const char *name)
{
	const struct build_name *found = oclmm_find_name(builder, name);

	if (found && found->kind == BUILD_OBJECT)
		return (int)found->place.location;
	/* a function does not see the names of the thread that calls it */
	for (uint32_t i = 0; !builder->call && i < builder->thread->parameter_count; i++) {
		uint32_t location = builder->thread->parameters[i].location;

		if (strcmp(name_in_text(builder->program, location), name) == 0)
			return (int)location;
	}
	return -1;
}

const struct tree_function *oclmm_find_function(const struct builder *builder, const char *name)
{
	const struct tree_function *function = builder->tree->functions;

	while (function && strcmp(function->name->text, name) != 0)
		function = function->next;
	return function;
}

/* ---- registers ---- */

/** A register of the thread that stands for a variable of a function or an element of an array. */
struct build_local {
	const struct syntax_token *at; /**< its declaration */
	uint32_t element;              /**< of an array, else 0 */
	uint32_t reg;
	struct build_local *next;
};

static bool is_local(const struct builder *builder, uint32_t reg)
{
	const struct build_local *local = builder->locals;

	while (local && local->reg != reg)
		local = local->next;
	return local != NULL;
}

int oclmm_find_register(const struct builder *builder, const char *name)
{
	const struct build_name *found = oclmm_find_name(builder, name);
	int reg;

	if (found)
		return found->kind == BUILD_REGISTER ? (int)found->reg : -1;
	if (builder->call)
		return -1;
	reg = oclmm_thread_find_register(builder->thread, name);
	if (reg < 0 || is_local(builder, (uint32_t)reg))
		return -1;
	return builder->closed & UINT64_C(1) << reg ? -1 : reg;
}

int oclmm_refuse_register(const struct builder *builder, const struct syntax_token *at)
{
	const char *note = "a register is declared with its first value: `int r0 = ...;`";
	int found = oclmm_thread_find_register(builder->thread, at->text);

	if (found >= 0 && !builder->call && !is_local(builder, (uint32_t)found) &&
	    builder->closed & UINT64_C(1) << found)
		note = "its block has ended: declare it before that block";
	return REFUSE(builder, at, note, "unknown register `%s`", at->text);
}

/* The array is full at 0, 8, 16, 32 registers. */
static void make_room(struct builder *builder, struct oclmm_thread *thread)
{
	uint32_t count = thread->register_count;
	struct oclmm_register *registers;

	if (count != 0 && (count < 8 || (count & (count - 1)) != 0))
		return;
	registers = OCLMM_NEW_ARRAY(builder->arena, struct oclmm_register, count ? 2 * count : 8);
	if (count)
		memcpy(registers, thread->registers, count * sizeof(*registers));
	thread->registers = registers;
}

static int add_register(struct builder *builder, struct oclmm_thread *thread,
                        const struct syntax_token *name, enum oclmm_type type)
{
	struct oclmm_register *reg;

	if (oclmm_check_name(builder, name))
		return -EINVAL;
	if (thread->register_count == SYNTAX_MAX_REGISTERS)
		return REFUSE(builder, name, NULL, "P%u has more than %d registers", thread->id,
		              SYNTAX_MAX_REGISTERS);
	make_room(builder, thread);
	reg = &thread->registers[thread->register_count++];
	reg->name = oclmm_arena_strdup(builder->arena, name->text);
	reg->type = type;
	reg->position = name->place;
	return 0;
}

static const char *local_name(const struct builder *builder, const struct syntax_token *at)
{
	const char *function = builder->call ? builder->call->function->name->text : NULL;

	if (!function)
		return at->text;
	return oclmm_arena_printf(builder->arena, "%s_%s", function,
	                          at->text == function ? "result" : at->text);
}

/* The same register each time that a function is inlined or a loop goes round. `_` is added to the
 * name as long as another register has it. */
int oclmm_add_hidden(struct builder *builder, const struct syntax_token *at, const char *name,
                     uint32_t element, enum oclmm_type type, uint32_t *ret_register)
{
	const struct build_local *local = builder->locals;
	struct syntax_token word = *at;

	while (local && !(local->at == at && local->element == element))
		local = local->next;
	if (local) {
		*ret_register = local->reg;
		return 0;
	}
	while (oclmm_thread_find_register(builder->thread, name) >= 0 ||
	       oclmm_program_find_location(builder->program, name) >= 0)
		name = oclmm_arena_printf(builder->arena, "%s_", name);
	word.text = name;
	if (add_register(builder, builder->thread, &word, type))
		return -EINVAL;
	*ret_register = builder->thread->register_count - 1;
	builder->locals = OCLMM_MAKE(builder->arena, struct build_local, at, element, *ret_register,
	                             builder->locals);
	return 0;
}

static int declare_local(struct builder *builder, const struct syntax_token *name,
                         enum oclmm_type type, uint32_t *ret_register)
{
	if (oclmm_find_name(builder, name->text))
		return REFUSE(builder, name, NULL, "`%s` is declared twice", name->text);
	if (oclmm_add_hidden(builder, name, local_name(builder, name), 0, type, ret_register))
		return -EINVAL;
	builder->names = OCLMM_MAKE(builder->arena, struct build_name, .kind = BUILD_REGISTER,
	                            .name = name, .type.type = type, .reg = *ret_register,
	                            .outer = builder->names);
	return 0;
}

int oclmm_declare_register(struct builder *builder, const struct syntax_token *name,
                           enum oclmm_type type, uint32_t *ret_register)
{
	int found = oclmm_thread_find_register(builder->thread, name->text);
	const struct build_block *block;

	if (builder->call)
		return declare_local(builder, name, type, ret_register);
	if (found >= 0 && is_local(builder, (uint32_t)found))
		return REFUSE(builder, name, "choose another name",
		              "`%s` is a variable of a function, or an element of an array, in P%u",
		              name->text, builder->thread->id);
	if (oclmm_find_object(builder, name->text) >= 0)
		return REFUSE(builder, name, NULL, "`%s` is a parameter already", name->text);
	if (oclmm_find_counter(builder, name->text))
		return REFUSE(builder, name, NULL, "`%s` is the variable of the loop around it",
		              name->text);
	if (oclmm_find_name(builder, name->text))
		return REFUSE(builder, name, NULL, "`%s` is declared twice", name->text);
	for (block = builder->block; block && found >= 0; block = block->outer) {
		if (block->declared & (UINT64_C(1) << found))
			return REFUSE(builder, name,
			              block == builder->block
			                      ? "assign to it without a type"
			                      : "an inner block hides no name: choose another",
			              "`%s` is declared twice", name->text);
	}
	if (found >= 0 && builder->thread->registers[found].type != type)
		return REFUSE(builder, name, "a register keeps one type in the whole thread",
		              "`%s` is %s elsewhere", name->text,
		              oclmm_type_name(builder->thread->registers[found].type));
	if (found < 0) {
		if (add_register(builder, builder->thread, name, type))
			return -EINVAL;
		found = (int)builder->thread->register_count - 1;
	}
	*ret_register = (uint32_t)found;
	return 0;
}

static int add_initial(struct builder *builder, const struct tree_entry *entry)
{
	struct oclmm_thread *thread;
	struct oclmm_register *reg;
	enum oclmm_type type = OCLMM_TYPE_INT;

	if (builder->shared)
		return REFUSE(
			builder, entry->thread, "take it as an argument: `int n`, and `n = 2;`",
			"the work-items of a shared text have no initial values of their own");
	thread = oclmm_find_thread(builder, entry->thread);
	if (!thread)
		return -EINVAL;
	if (entry->address)
		return REFUSE(
			builder, entry->address, NULL,
			"the address of an object is no initial value: registers hold no pointers");
	if (oclmm_thread_find_register(thread, entry->name->text) >= 0)
		return REFUSE(builder, entry->name, NULL, "`%s` is declared twice",
		              entry->name->text);
	if (oclmm_read_register_type(builder, entry->specifiers, &type) ||
	    add_register(builder, thread, entry->name, type))
		return -EINVAL;
	reg = &thread->registers[thread->register_count - 1];
	reg->has_initial = true;
	return entry->values ? oclmm_read_constant(builder, entry->values, type, &reg->initial) : 0;
}

static int add_initials(struct builder *builder)
{
	const struct tree_entry *entry;

	for (entry = builder->tree->entries; entry; entry = entry->next) {
		if (entry->thread && add_initial(builder, entry))
			return -EINVAL;
	}
	return 0;
}

/* ---- constants ---- */

int oclmm_read_elements(const struct builder *builder, const struct syntax_token *name,
                        const struct syntax_token *length, uint32_t values, uint32_t *ret_count)
{
	*ret_count = values;
	/* of a shared text each work-item may have one */
	if (length &&
	    oclmm_read_count(builder, length,
	                     builder->shared ? SYNTAX_MAX_SHARED_ELEMENTS : OCLMM_LISTED_ELEMENTS,
	                     ret_count))
		return -EINVAL;
	if (!*ret_count)
		return REFUSE(builder, length ? length : name, NULL,
		              "the array `%s` has no elements", name->text);
	if (values > *ret_count)
		return REFUSE(builder, name, NULL, "`%s` has %u elements, and %u values",
		              name->text, *ret_count, values);
	return 0;
}

static int add_table(struct builder *builder, const struct tree_table *tree)
{
	struct build_name *table = OCLMM_NEW(builder->arena, struct build_name);
	const struct tree_constant *value = tree->values;

	if (oclmm_read_register_type(builder, tree->specifiers, &table->type.type) ||
	    oclmm_read_elements(builder, tree->name, tree->length, oclmm_count_values(tree->values),
	                        &table->count))
		return -EINVAL;
	if (oclmm_find_function(builder, tree->name->text))
		return REFUSE(builder, tree->name, NULL, "a function is called `%s`",
		              tree->name->text);
	for (const struct build_name *other = builder->tables; other; other = other->outer) {
		if (strcmp(other->name->text, tree->name->text) == 0)
			return REFUSE(builder, tree->name, NULL, "`%s` is declared twice",
			              tree->name->text);
	}
	table->kind = BUILD_TABLE;
	table->name = tree->name;
	table->is_array = tree->is_array;
	table->values = OCLMM_NEW_ARRAY(builder->arena, int64_t, table->count);
	for (uint32_t i = 0; value; value = value->next)
		if (oclmm_read_constant(builder, value, table->type.type, &table->values[i++]))
			return -EINVAL;
	table->outer = builder->tables;
	builder->tables = table;
	return 0;
}

static int add_tables(struct builder *builder)
{
	const struct tree_table *tree = builder->tree->tables;

	for (; tree; tree = tree->next)
		if (add_table(builder, tree))
			return -EINVAL;
	return 0;
}

/* A name that is new here, in a thread or a function. */
int oclmm_check_new(const struct builder *builder, const struct syntax_token *at)
{
	if (oclmm_find_register(builder, at->text) < 0 &&
	    oclmm_find_object(builder, at->text) < 0 && !oclmm_find_name(builder, at->text))
		return 0;
	return REFUSE(builder, at, NULL, "`%s` is declared twice", at->text);
}

int oclmm_declare_const(struct builder *builder, const struct syntax_token *at,
                        enum oclmm_type type, int64_t value)
{
	if (oclmm_check_new(builder, at))
		return -EINVAL;
	builder->names = OCLMM_MAKE(
		builder->arena, struct build_name, .kind = BUILD_TABLE, .name = at,
		.type.type = type, .count = 1, .outer = builder->names,
		.values = OCLMM_MAKE(builder->arena, int64_t, oclmm_value_wrap(type, value)));
	return 0;
}

static const struct build_name *find_table(const struct builder *builder,
                                           const struct syntax_token *at)
{
	const struct build_name *table = builder->tables;

	while (table && strcmp(table->name->text, at->text) != 0)
		table = table->outer;
	/* a nearer declaration hides it */
	if (!table || at < table->name || oclmm_find_register(builder, at->text) >= 0 ||
	    oclmm_find_object(builder, at->text) >= 0)
		return NULL;
	return table;
}

const struct build_name *oclmm_find_array(const struct builder *builder,
                                          const struct tree_expression *tree)
{
	const struct tree_expression *name = tree->kind == TREE_INDEX ? tree->left : tree;
	const struct build_name *found;

	if (name->kind != TREE_NAME)
		return NULL;
	found = oclmm_find_name(builder, name->at->text);
	if (found)
		return found->kind == BUILD_ARRAY || found->kind == BUILD_TABLE ? found : NULL;
	return find_table(builder, name->at);
}

static int add_elements(struct builder *builder, const struct syntax_token *at,
                        struct build_name *array)
{
	const char *name = local_name(builder, at);

	array->regs = OCLMM_NEW_ARRAY(builder->arena, uint32_t, array->count);
	for (uint32_t i = 0; i < array->count; i++)
		if (oclmm_add_hidden(builder, at,
		                     oclmm_arena_printf(builder->arena, "%s_%u", name, i), i,
		                     array->type.type, &array->regs[i]))
			return -EINVAL;
	return 0;
}

int oclmm_declare_array(struct builder *builder, struct build_name *array,
                        const struct syntax_token *length, uint32_t values)
{
	if (oclmm_check_new(builder, array->name) ||
	    oclmm_read_elements(builder, array->name, length, values, &array->count))
		return -EINVAL;
	return add_elements(builder, array->name, array);
}

const struct construct oclmm_init_registers = {.declare = add_initials};
const struct construct oclmm_tables = {.declare = add_tables};
