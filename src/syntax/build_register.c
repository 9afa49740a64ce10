// SPDX-License-Identifier: Apache-2.0
/* Registers of a thread: those that the init block names, and room for those of its statements. */
#include "build.h"

#include <errno.h>
#include <string.h>

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

int build_add_register(struct builder *builder, struct oclmm_thread *thread,
                       const struct syntax_token *name, enum oclmm_type type)
{
	struct oclmm_register *reg;
	int result = build_check_name(builder, name);

	if (result)
		return result;
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

static int refuse_restrict(const struct builder *builder, const struct tree_specifier *specifier)
{
	while (specifier && strcmp(specifier->at->text, "restrict") != 0)
		specifier = specifier->next;
	return specifier ? REFUSE(builder, specifier->at, "it stands after the `*` of a pointer",
	                          "a register takes no `restrict`")
	                 : 0;
}

int build_register_type(const struct builder *builder, const struct tree_specifier *specifiers,
                        enum oclmm_type *ret_type)
{
	struct build_type type;
	int result = build_type(builder, specifiers, &type);

	if (result)
		return result;
	if (refuse_restrict(builder, specifiers))
		return -EINVAL;
	if (type.atomic)
		return REFUSE(builder, type.type_at, "registers are of type" SYNTAX_REGISTERS,
		              "a register cannot be atomic");
	if (type.space_at)
		return REFUSE(
			builder, type.space_at,
			"name it in the init block, and `local int *x` in the head of each thread",
			"a register takes no `%s`", type.space_at->text);
	if (specifiers && !type.type_at && !type.svm_at)
		return REFUSE(builder, specifiers->at, "registers are of type" SYNTAX_REGISTERS,
		              "a register needs a type");
	if (type.volatile_at)
		return REFUSE(builder, type.volatile_at,
		              "leave it out: no other work-item sees a register",
		              "a register takes no `%s`", type.volatile_at->text);
	if (type.svm_at)
		return REFUSE(builder, type.svm_at,
		              "registers are private, of type" SYNTAX_REGISTERS,
		              "a register takes no `%s`", type.svm_at->text);
	*ret_type = type.type;
	return 0;
}

static int build_initial(struct builder *builder, const struct tree_entry *entry)
{
	struct oclmm_thread *thread = build_find_thread(builder, entry->thread);
	struct oclmm_register *reg;
	enum oclmm_type type = OCLMM_TYPE_INT;
	int result;

	if (!thread)
		return -EINVAL;
	if (entry->address)
		return REFUSE(
			builder, entry->address, NULL,
			"the address of an object is no initial value: registers hold no pointers");
	if (oclmm_thread_find_register(thread, entry->name->text) >= 0)
		return REFUSE(builder, entry->name, NULL, "`%s` is declared twice",
		              entry->name->text);
	result = build_register_type(builder, entry->specifiers, &type);
	if (!result)
		result = build_add_register(builder, thread, entry->name, type);
	if (result)
		return result;
	reg = &thread->registers[thread->register_count - 1];
	reg->has_initial = true;
	return entry->values ? build_constant(builder, entry->values, type, &reg->initial) : 0;
}

int build_registers_of_init(struct builder *builder)
{
	const struct tree_entry *entry;
	int result = 0;

	for (entry = builder->tree->entries; entry && !result; entry = entry->next) {
		if (entry->thread)
			result = build_initial(builder, entry);
	}
	return result;
}
