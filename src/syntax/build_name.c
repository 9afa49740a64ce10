// SPDX-License-Identifier: Apache-2.0
/* What names stand for: the variables of loops, and what a function knows while it is at work. */
#include "build.h"

#include <string.h>

const struct build_name *build_find_name(const struct builder *builder, const char *name)
{
	const struct build_name *found = builder->names;

	while (found && strcmp(found->name->text, name) != 0)
		found = found->outer;
	return found;
}

const struct build_name *build_find_counter(const struct builder *builder, const char *name)
{
	const struct build_name *found = build_find_name(builder, name);

	return found && found->kind == BUILD_COUNTER ? found : NULL;
}

bool build_is_local(const struct builder *builder, uint32_t reg)
{
	const struct build_local *local = builder->locals;

	while (local && local->reg != reg)
		local = local->next;
	return local != NULL;
}

int build_register(const struct builder *builder, const char *name)
{
	const struct build_name *found = build_find_name(builder, name);
	int reg;

	if (found)
		return found->kind == BUILD_REGISTER ? (int)found->reg : -1;
	if (builder->call)
		return -1;
	reg = build_find_register(builder->thread, name);
	return reg >= 0 && build_is_local(builder, (uint32_t)reg) ? -1 : reg;
}

/* `f_v` of the function f, with `_` behind it as long as something else is called so. */
static const char *name_local(const struct builder *builder, const struct syntax_token *at)
{
	const char *function = builder->call->function->name->text;
	char *name = at->text == function
	                     ? oclmm_arena_printf(builder->arena, "%s_result", function)
	                     : oclmm_arena_printf(builder->arena, "%s_%s", function, at->text);

	while (build_find_register(builder->thread, name) >= 0 ||
	       oclmm_program_find_location(builder->program, name) >= 0)
		name = oclmm_arena_printf(builder->arena, "%s_", name);
	return name;
}

/* The same register each time that the function is put in place: it does not call itself. */
static int find_local(struct builder *builder, const struct syntax_token *at, enum oclmm_type type,
                      uint32_t *ret_register)
{
	struct build_local *local = builder->locals;
	struct syntax_token name = *at;
	int result;

	while (local && local->at != at)
		local = local->next;
	if (local) {
		*ret_register = local->reg;
		return 0;
	}
	name.text = name_local(builder, at);
	result = build_add_register(builder, builder->thread, &name, type);
	if (result)
		return result;
	local = OCLMM_NEW(builder->arena, struct build_local);
	*local = (struct build_local){at, builder->thread->register_count - 1, builder->locals};
	builder->locals = local;
	*ret_register = local->reg;
	return 0;
}

int build_declare_local(struct builder *builder, const struct syntax_token *name,
                        enum oclmm_type type, uint32_t *ret_register)
{
	struct build_name *added;
	int result;

	if (build_find_name(builder, name->text))
		return REFUSE(builder, name, NULL, "`%s` is declared twice", name->text);
	result = find_local(builder, name, type, ret_register);
	if (result)
		return result;
	added = OCLMM_NEW(builder->arena, struct build_name);
	added->kind = BUILD_REGISTER;
	added->name = name;
	added->type.type = type;
	added->reg = *ret_register;
	added->outer = builder->names;
	builder->names = added;
	return 0;
}
