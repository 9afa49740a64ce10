// SPDX-License-Identifier: Apache-2.0
/*
 * Private arrays and tables of constants. Each element of an array is a register of its own, so an
 * index has to be known: a constant, or the variable of a `for`.
 */
#include "build.h"

#include <errno.h>
#include <string.h>

const struct tree_specifier *build_without_const(const struct builder *builder,
                                                 const struct tree_specifier *specifiers,
                                                 const struct syntax_token **ret_const)
{
	struct tree_specifier *first = NULL, **last = &first;

	*ret_const = NULL;
	for (; specifiers; specifiers = specifiers->next) {
		if (strcmp(specifiers->at->text, "const") == 0) {
			*ret_const = specifiers->at;
			continue;
		}
		*last = oclmm_arena_copy(builder->arena, specifiers, sizeof(**last));
		(*last)->next = NULL;
		last = &(*last)->next;
	}
	return first;
}

static uint32_t count_values(const struct tree_expression *value)
{
	uint32_t count = 0;

	for (; value; value = value->next)
		count++;
	return count;
}

int build_elements(const struct builder *builder, const struct syntax_token *name,
                   const struct syntax_token *length, uint32_t values, uint32_t *ret_count)
{
	int result = 0;

	*ret_count = values;
	if (length)
		result = build_count(builder, length, SYNTAX_MAX_ELEMENTS, ret_count);
	if (!result && !*ret_count)
		return REFUSE(builder, length ? length : name, NULL,
		              "the array `%s` has no elements", name->text);
	if (!result && values > *ret_count)
		return REFUSE(builder, name, NULL, "`%s` has %u elements, and %u values",
		              name->text, *ret_count, values);
	return result;
}

/* ---- tables ---- */

static int add_table(struct builder *builder, const struct tree_table *tree)
{
	struct build_name *table = OCLMM_NEW(builder->arena, struct build_name);
	const struct tree_constant *value = tree->values;
	uint32_t i = 0;
	int result = build_register_type(builder, tree->specifiers, &table->type.type);

	if (!result)
		result = build_elements(builder, tree->name, tree->length,
		                        build_count_values(tree->values), &table->count);
	if (!result && build_find_function(builder, tree->name->text))
		result = REFUSE(builder, tree->name, NULL, "a function is called `%s`",
		                tree->name->text);
	for (const struct build_name *other = builder->tables; other && !result;
	     other = other->outer) {
		if (strcmp(other->name->text, tree->name->text) == 0)
			result = REFUSE(builder, tree->name, NULL, "`%s` is declared twice",
			                tree->name->text);
	}
	if (result)
		return result;
	table->kind = BUILD_TABLE;
	table->name = tree->name;
	table->is_array = tree->is_array;
	table->values = OCLMM_NEW_ARRAY(builder->arena, int64_t, table->count);
	for (; value && !result; value = value->next)
		result = build_constant(builder, value, table->type.type, &table->values[i++]);
	table->outer = builder->tables;
	builder->tables = table;
	return result;
}

int build_tables(struct builder *builder)
{
	const struct tree_table *tree = builder->tree->tables;
	int result = 0;

	for (; tree && !result; tree = tree->next)
		result = add_table(builder, tree);
	return result;
}

/* A name that is new here, in a thread or a function. */
static int check_new(const struct builder *builder, const struct syntax_token *at)
{
	if (build_register(builder, at->text) < 0 && build_find_parameter(builder, at->text) < 0 &&
	    !build_find_name(builder, at->text))
		return 0;
	return REFUSE(builder, at, NULL, "`%s` is declared twice", at->text);
}

int build_const(struct builder *builder, const struct syntax_token *at, enum oclmm_type type,
                int64_t value)
{
	int result = check_new(builder, at);

	if (result)
		return result;
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
	/* C reads from the top, and what is nearer hides it */
	if (!table || at < table->name || build_register(builder, at->text) >= 0 ||
	    build_find_parameter(builder, at->text) >= 0)
		return NULL;
	return table;
}

/* ---- private arrays ---- */

static int add_elements(struct builder *builder, const struct syntax_token *at,
                        struct build_name *array)
{
	const char *name = build_local_name(builder, at);
	int result = 0;

	array->regs = OCLMM_NEW_ARRAY(builder->arena, uint32_t, array->count);
	for (uint32_t i = 0; i < array->count && !result; i++)
		result = build_add_local(builder, at,
		                         oclmm_arena_printf(builder->arena, "%s_%u", name, i), i,
		                         array->type.type, &array->regs[i]);
	return result;
}

/* Elements without a value of their own are 0. */
static int set_elements(struct builder *builder, const struct tree_statement *tree,
                        const struct build_name *array, struct oclmm_statement **last)
{
	const struct tree_expression *tree_value = tree->expression;
	struct build_used all = {0};
	unsigned found = 0;

	for (uint32_t i = 0; i < array->count; i++) {
		struct build_used more = {0};
		struct oclmm_expression *value = build_known(builder, tree->at, array->type.type,
		                                             0);

		if (tree_value) {
			if (build_value(builder, tree_value, array->type.type, &value))
				return -EINVAL;
			found += build_has_access(value);
			build_add_used(&more, value);
			if (build_check_used(builder, tree->at, &all, &more))
				return -EINVAL;
			tree_value = tree_value->next;
		}
		*last = build_assign(builder, tree->at, array->regs[i], value);
		last = &(*last)->next;
	}
	if (build_check_used(builder, tree->at, &builder->full->used, &all))
		return -EINVAL;
	if (found + builder->full->calls > 1)
		return REFUSE(builder, tree->at, "assign the elements one by one",
		              "the values of `%s` are evaluated in no order", tree->at->text);
	return 0;
}

int build_array(struct builder *builder, const struct tree_statement *tree,
                struct oclmm_statement **ret_first)
{
	struct build_name *array = OCLMM_NEW(builder->arena, struct build_name);
	const struct syntax_token *is_const;
	const char *name = tree->at->text;
	int result = build_extension(builder, tree->at);

	array->kind = BUILD_ARRAY;
	array->name = tree->at;
	array->is_array = true;
	if (!result)
		result = build_register_type(
			builder, build_without_const(builder, tree->specifiers, &is_const),
			&array->type.type);
	if (result)
		return result;
	array->is_const = is_const != NULL;
	if (check_new(builder, tree->at))
		return -EINVAL;
	if (array->is_const && !tree->expression)
		return REFUSE(builder, tree->at, NULL, "`%s` is const and has no value", name);
	result = build_elements(builder, tree->at, tree->length, count_values(tree->expression),
	                        &array->count);
	if (!result)
		result = add_elements(builder, tree->at, array);
	if (!result && tree->expression)
		result = set_elements(builder, tree, array, ret_first);
	array->outer = builder->names;
	builder->names = array;
	return result;
}

/* ---- elements ---- */

const struct build_name *build_find_array(const struct builder *builder,
                                          const struct tree_expression *tree)
{
	const struct tree_expression *name = tree->kind == TREE_INDEX ? tree->left : tree;
	const struct build_name *found;

	if (name->kind != TREE_NAME)
		return NULL;
	found = build_find_name(builder, name->at->text);
	if (found)
		return found->kind == BUILD_ARRAY || found->kind == BUILD_TABLE ? found : NULL;
	return find_table(builder, name->at);
}

/** The element of an array that `left[index]` designates, which has to be known. */
static int known_element(struct builder *builder, const struct tree_expression *tree,
                         const struct build_name *array, uint32_t *ret_element)
{
	const char *name = array->name->text;
	const struct oclmm_expression *index;
	int64_t value;

	if (tree->kind != TREE_INDEX && array->is_array)
		return REFUSE(builder, tree->at, "write an element of it, `t[0]` say",
		              "`%s` is an array", name);
	if (tree->kind == TREE_INDEX && !array->is_array)
		return REFUSE(builder, tree->left->at, NULL, "`%s` is not an array", name);
	*ret_element = 0;
	if (!array->is_array)
		return 0;
	index = build_expression(builder, tree->right);
	if (!index)
		return -EINVAL;
	if (!build_constant_value(index, &value))
		return REFUSE(builder, build_first_word(tree->right),
		              "write an `if` for each element", "the index of `%s` is not constant",
		              name);
	if (value < 0 || value >= array->count)
		return REFUSE(builder, build_first_word(tree->right), NULL, "`%s` has %u elements",
		              name, array->count);
	*ret_element = (uint32_t)value;
	return 0;
}

struct oclmm_expression *build_array_value(struct builder *builder,
                                           const struct tree_expression *tree,
                                           const struct build_name *array)
{
	const struct syntax_token *at = build_first_word(tree);
	uint32_t element = 0;

	if (known_element(builder, tree, array, &element))
		return NULL;
	if (array->kind == BUILD_ARRAY)
		return build_register_value(builder, at, array->regs[element]);
	return build_known(builder, at, array->type.type, array->values[element]);
}

int build_array_target(struct builder *builder, const struct tree_expression *tree,
                       const struct build_name *array, uint32_t *ret_register)
{
	uint32_t element = 0;
	int result = known_element(builder, tree, array, &element);

	if (result)
		return result;
	if (array->kind == BUILD_TABLE || array->is_const)
		return REFUSE(builder, build_first_word(tree), NULL, "`%s` is const",
		              array->name->text);
	*ret_register = array->regs[element];
	return 0;
}
