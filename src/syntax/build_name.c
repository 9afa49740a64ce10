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
	reg = oclmm_thread_find_register(builder->thread, name);
	if (reg < 0 || build_is_local(builder, (uint32_t)reg))
		return -1;
	return builder->closed & UINT64_C(1) << reg ? -1 : reg;
}

int build_no_register(const struct builder *builder, const struct syntax_token *at)
{
	const char *note = "a register is declared with its first value: `int r0 = ...;`";
	int found = oclmm_thread_find_register(builder->thread, at->text);

	if (found >= 0 && !builder->call && !build_is_local(builder, (uint32_t)found) &&
	    builder->closed & UINT64_C(1) << found)
		note = "its block has ended: declare it before that block";
	return REFUSE(builder, at, note, "unknown register `%s`", at->text);
}

const char *build_local_name(const struct builder *builder, const struct syntax_token *at)
{
	const char *function = builder->call ? builder->call->function->name->text : NULL;

	if (!function)
		return at->text;
	return oclmm_arena_printf(builder->arena, "%s_%s", function,
	                          at->text == function ? "result" : at->text);
}

/* The same register each time that a function is put in place or a loop goes round. `_` stands
 * behind the name as long as something else is called so. */
int build_add_local(struct builder *builder, const struct syntax_token *at, const char *name,
                    uint32_t element, enum oclmm_type type, uint32_t *ret_register)
{
	const struct build_local *local = builder->locals;
	struct syntax_token word = *at;
	int result;

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
	result = build_add_register(builder, builder->thread, &word, type);
	if (result)
		return result;
	*ret_register = builder->thread->register_count - 1;
	builder->locals = OCLMM_MAKE(builder->arena, struct build_local, at, element, *ret_register,
	                             builder->locals);
	return 0;
}

int build_declare_local(struct builder *builder, const struct syntax_token *name,
                        enum oclmm_type type, uint32_t *ret_register)
{
	int result;

	if (build_find_name(builder, name->text))
		return REFUSE(builder, name, NULL, "`%s` is declared twice", name->text);
	result = build_add_local(builder, name, build_local_name(builder, name), 0, type,
	                         ret_register);
	if (result)
		return result;
	builder->names = OCLMM_MAKE(builder->arena, struct build_name, .kind = BUILD_REGISTER,
	                            .name = name, .type.type = type, .reg = *ret_register,
	                            .outer = builder->names);
	return 0;
}
