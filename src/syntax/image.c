// SPDX-License-Identifier: Apache-2.0
/*
 * Images that a kernel reads and writes (C:6.15.15): an int for each element, in the first channel.
 * The functions are plain accesses to an object of a region of its own.
 */
#include "expression.h"

#include <errno.h>
#include <string.h>

static const char *const functions[] = {"read_imagei", "write_imagei"};

static bool is_image(const struct builder *builder, const char *name)
{
	(void)builder;
	return strcmp(name, functions[0]) == 0 || strcmp(name, functions[1]) == 0;
}

static size_t list_names(struct oclmm_arena *arena, const char **names)
{
	(void)arena;
	memcpy(names, functions, sizeof(functions));
	return OCLMM_COUNT(functions);
}

static struct oclmm_expression *refuse_value(struct builder *builder,
                                             const struct tree_expression *call)
{
	if (strcmp(call->at->text, functions[0]) == 0)
		REFUSE(builder, call->at, "write `read_imagei(x, 0).x`",
		       "of an image only the first channel is read");
	else
		REFUSE(builder, call->at, NULL, "`%s` gives no value", call->at->text);
	return NULL;
}

/* `x, 0`: the image and the element. */
static int build_element(struct builder *builder, const struct tree_expression *call,
                         struct oclmm_place *ret_place)
{
	const struct tree_expression *image = call->arguments;
	struct oclmm_place place = {0};
	const struct oclmm_location *location;
	int found = -1;

	if (image->kind == TREE_NAME)
		found = oclmm_find_object(builder, image->at->text);
	if (found < 0 || !oclmm_location_is_image(&builder->program->locations[found]))
		return REFUSE(builder, oclmm_first_word(image),
		              "images are declared in the head of the thread: `read_write "
		              "image1d_buffer_t x`",
		              "`%s` takes an image", call->at->text);
	location = &builder->program->locations[found];
	place.location = (uint32_t)found;
	place.position = image->at->place;
	if (oclmm_read_index(builder, image->next, location, NULL, &place.index))
		return -EINVAL;
	*ret_place = place;
	return 0;
}

static struct oclmm_expression *build_read(struct builder *builder,
                                           const struct tree_expression *tree)
{
	const struct tree_expression *call = tree->left;
	struct oclmm_expression *load;
	struct oclmm_place place;

	if (oclmm_check_shared(builder, tree->at))
		return NULL;
	if (call->kind != TREE_CALL || strcmp(call->at->text, functions[0]) != 0 ||
	    strcmp(tree->at->text, "x") != 0) {
		REFUSE(builder, tree->at,
		       call->kind == TREE_CALL ? "write `read_imagei(x, 0).x`"
		                               : "there are no vectors and no structures: write an "
		                                 "object or a register for each part",
		       "only what read_imagei gives has a channel, `x`");
		return NULL;
	}
	if (call->argument_count != 2) {
		REFUSE(builder, call->at, "samplers are only for images that are not written",
		       "`%s` takes 2 arguments, not %u", call->at->text, call->argument_count);
		return NULL;
	}
	if (build_element(builder, call, &place))
		return NULL;
	load = oclmm_make_node(builder, OCLMM_EXPRESSION_LOAD, OCLMM_TYPE_INT, call->at);
	load->load = place;
	return load;
}

/* `(int4)(1, 0, 0, 0)`: the channels that the image lacks are 0. */
static int build_colour(struct builder *builder, const struct tree_expression *tree,
                        struct oclmm_expression **ret_value)
{
	const struct tree_expression *channel;

	if (tree->kind != TREE_VECTOR || tree->argument_count != 4)
		return REFUSE(builder, oclmm_first_word(tree), "write `(int4)(1, 0, 0, 0)`",
		              "what is written to an image is a vector of four");
	for (channel = tree->arguments->next; channel; channel = channel->next)
		if (channel->kind != TREE_NUMBER || strcmp(channel->at->text, "0") != 0)
			return REFUSE(builder, oclmm_first_word(channel), NULL,
			              "the image has one channel: the others are 0");
	return oclmm_read_value(builder, tree->arguments, OCLMM_TYPE_INT, ret_value);
}

static int build_write(struct builder *builder, const struct tree_statement *tree,
                       struct oclmm_statement **ret_statement)
{
	const struct tree_expression *call = tree->expression;
	struct oclmm_statement *statement = oclmm_make_statement(builder, OCLMM_STATEMENT_STORE,
	                                                         call->at);

	if (oclmm_check_shared(builder, call->at))
		return -EINVAL;
	if (strcmp(call->at->text, functions[1]) != 0)
		return REFUSE(builder, call->at, "assign `read_imagei(x, 0).x` to a register",
		              "the value of `%s` is not used", call->at->text);
	if (call->argument_count != 3)
		return REFUSE(builder, call->at, NULL, "`%s` takes 3 arguments, not %u",
		              call->at->text, call->argument_count);
	if (build_element(builder, call, &statement->store.place) ||
	    build_colour(builder, call->arguments->next->next, &statement->store.value))
		return -EINVAL;
	*ret_statement = statement;
	return 0;
}

const struct construct oclmm_images = {.has = is_image,
                                       .names = list_names,
                                       .value = refuse_value,
                                       .member = build_read,
                                       .statement = build_write};
