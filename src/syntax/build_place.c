// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <errno.h>
#include <string.h>

const struct oclmm_parameter *build_parameter(const struct builder *builder, uint32_t location)
{
	const struct oclmm_parameter *parameter = builder->thread->parameters;

	while (parameter->location != location)
		parameter++;
	return parameter;
}

int build_find_parameter(const struct builder *builder, const char *name)
{
	const struct build_name *found = build_find_name(builder, name);

	if (found && found->kind == BUILD_OBJECT)
		return (int)found->place.location;
	/* a function knows nothing of the thread that calls it */
	for (uint32_t i = 0; !builder->call && i < builder->thread->parameter_count; i++) {
		uint32_t location = builder->thread->parameters[i].location;

		if (strcmp(builder->program->locations[location].name, name) == 0)
			return (int)location;
	}
	return -1;
}

static int refuse_name(const struct builder *builder, const struct tree_expression *tree)
{
	bool array = build_find_array(builder, tree) != NULL;
	const struct syntax_token *at = tree->at;
	unsigned id = builder->thread->id;

	if (build_register(builder, at->text) >= 0)
		return REFUSE(builder, at, NULL, "`%s` is a register of P%u, not a pointer",
		              at->text, id);
	if (array)
		return REFUSE(builder, at, "write an element of it, `t[0]` say",
		              "`%s` is an array, not a pointer", at->text);
	if (builder->call)
		return REFUSE(builder, at, "a function names the objects that it uses in its head",
		              "`%s` is not a parameter of `%s`", at->text,
		              builder->call->function->name->text);
	if (oclmm_program_find_location(builder->program, at->text) >= 0)
		return REFUSE(builder, at, "a thread names the objects that it uses in its head",
		              "`%s` is not a parameter of P%u", at->text, id);
	return REFUSE(builder, at, "pointers are the parameters of the thread", "unknown name `%s`",
	              at->text);
}

static int build_name(struct builder *builder, const struct tree_expression *tree,
                      struct oclmm_place *place)
{
	const struct build_name *found;
	int location;

	if (tree->kind != TREE_NAME)
		return REFUSE(builder, build_first_word(tree),
		              "write `x`, or `&a[1]` for an element",
		              "this is not a pointer to an object");
	location = build_find_parameter(builder, tree->at->text);
	if (location < 0)
		return refuse_name(builder, tree);
	if (oclmm_location_is_image(&builder->program->locations[location]))
		return REFUSE(
			builder, tree->at,
			"write `read_imagei(x, 0).x`, `write_imagei(x, 0, (int4)(1, 0, 0, 0))`",
			"`%s` is an image, not a pointer", tree->at->text);
	place->location = (uint32_t)location;
	place->position = tree->at->place;
	found = build_find_name(builder, tree->at->text);
	if (found)
		place->index = found->place.index;
	return 0;
}

/* Of a pointer that a function got: elements count from the one that it points to. */
static struct oclmm_expression *add_index(struct builder *builder, struct oclmm_expression *base,
                                          struct oclmm_expression *value)
{
	struct oclmm_expression *sum = OCLMM_NEW(builder->arena, struct oclmm_expression);

	sum->position = value->position;
	sum->type = oclmm_common_type(base->type, value->type);
	if (base->kind == OCLMM_EXPRESSION_CONSTANT && value->kind == OCLMM_EXPRESSION_CONSTANT) {
		sum->kind = OCLMM_EXPRESSION_CONSTANT;
		sum->constant = base->constant + value->constant;
	} else {
		sum->kind = OCLMM_EXPRESSION_BINARY;
		sum->binary = (struct oclmm_binary){OCLMM_OPERATOR_ADD, base, value};
	}
	return sum;
}

int build_index(struct builder *builder, const struct tree_expression *tree,
                const struct oclmm_location *location, struct oclmm_expression *base,
                struct oclmm_expression **ret_index)
{
	const struct syntax_token *at = build_first_word(tree);
	struct oclmm_expression *value = build_expression(builder, tree);
	int64_t known;

	if (!value)
		return -EINVAL;
	if (oclmm_type_is_floating(value->type))
		return REFUSE(builder, at, NULL, "the index is a %s", oclmm_type_name(value->type));
	if (base)
		value = add_index(builder, base, value);
	/* `x[0]` is `*x`, array or not */
	if (!location->is_array && !oclmm_location_is_image(location)) {
		if (build_constant_value(value, &known) && known == 0)
			return 0;
		return REFUSE(builder, at,
		              oclmm_arena_printf(builder->arena,
		                                 "what has elements is declared so in the init "
		                                 "block, `%s[2];`",
		                                 location->name),
		              "`%s` is not an array: its only index is 0", location->name);
	}
	if (value->kind != OCLMM_EXPRESSION_CONSTANT) {
		*ret_index = value;
		return 0;
	}
	if (value->constant < 0 || value->constant >= location->elements)
		return REFUSE(builder, at, NULL, "`%s` has %u elements", location->name,
		              location->elements);
	/* element 0 is what the bare pointer designates: one form for both */
	*ret_index = value->constant ? value : NULL;
	return 0;
}

/* `name[index]` or `name + index`. */
static int build_element(struct builder *builder, const struct tree_expression *tree,
                         struct oclmm_place *place)
{
	const struct tree_expression *name = tree->left, *index = tree->right;
	const struct oclmm_location *location;
	int result = build_name(builder, name, place);

	if (!result)
		result = build_extension(builder, tree->at);
	if (result)
		return result;
	location = &builder->program->locations[place->location];
	return build_index(builder, index, location, place->index, &place->index);
}

int build_pointer(struct builder *builder, const struct tree_expression *tree,
                  struct oclmm_place *ret_place)
{
	struct oclmm_place place = {0};
	int result;

	if (tree->kind == TREE_ADDRESS)
		return build_object(builder, tree->left, ret_place);
	if (tree->kind == TREE_BINARY && tree->op == OCLMM_OPERATOR_ADD)
		result = build_element(builder, tree, &place);
	else
		result = build_name(builder, tree, &place);
	if (!result)
		*ret_place = place;
	return result;
}

int build_object(struct builder *builder, const struct tree_expression *tree,
                 struct oclmm_place *ret_place)
{
	struct oclmm_place place = {0};
	int result;

	if (tree->kind == TREE_DEREFERENCE)
		return build_pointer(builder, tree->left, ret_place);
	if (tree->kind == TREE_NAME && build_find_parameter(builder, tree->at->text) >= 0)
		return REFUSE(builder, tree->at, "write it without `&`",
		              "`%s` is a pointer already", tree->at->text);
	if (tree->kind == TREE_NAME && build_register(builder, tree->at->text) >= 0)
		return REFUSE(builder, tree->at,
		              "pointers are to objects; a function gives back what it returns",
		              "`%s` is a register of P%u, not an object in memory", tree->at->text,
		              (unsigned)builder->thread->id);
	if (tree->kind != TREE_INDEX)
		return REFUSE(builder, build_first_word(tree),
		              "write `*x`, or `a[1]` for an element",
		              "this is not an object in memory");
	result = build_element(builder, tree, &place);
	if (!result)
		*ret_place = place;
	return result;
}
