// SPDX-License-Identifier: Apache-2.0
/* What the bodies of commands may hold: the copies that each of them makes. */
#include "build.h"

static bool is_host_memory(const struct oclmm_program *program, uint32_t location)
{
	return program->locations[location].storage == OCLMM_STORAGE_HOST;
}

static bool is_svm(const struct oclmm_program *program, uint32_t location)
{
	return oclmm_storage_is_svm(program->locations[location].storage);
}

/* ---- objects ---- */

static int check_objects(const struct builder *builder)
{
	const struct oclmm_program *program = builder->program;

	if (program->location_count > OCLMM_COMMAND_OBJECTS_MOST)
		return syntax_refuse(builder->source,
		                     &program->locations[OCLMM_COMMAND_OBJECTS_MOST].position, NULL,
		                     "more than %d objects in a program of commands",
		                     OCLMM_COMMAND_OBJECTS_MOST);
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];
		const char *what = l->is_array                           ? "an array"
		                   : l->atomic                           ? "atomic"
		                   : l->space == OCLMM_SPACE_LOCAL       ? "local"
		                   : l->space == OCLMM_SPACE_IMAGE       ? "an image"
		                   : l->storage == OCLMM_STORAGE_PROGRAM ? "at program scope"
		                   : oclmm_type_is_floating(l->type)     ? oclmm_type_name(l->type)
		                   : oclmm_type_is_narrow(l->type)       ? oclmm_type_name(l->type)
		                   : oclmm_type_bits(l->type) != 32      ? "of 64 bits"
		                                                         : NULL;

		if (what)
			return syntax_refuse(builder->source, &l->position,
			                     "each object stands for a buffer of many like it",
			                     "commands work on plain global int or uint, and `%s` "
			                     "is %s",
			                     l->name, what);
	}
	return 0;
}

/* ---- statements ---- */

static const struct oclmm_expression *value_of(const struct oclmm_statement *s)
{
	return s->kind == OCLMM_STATEMENT_STORE    ? s->store.value
	       : s->kind == OCLMM_STATEMENT_ASSIGN ? s->assign.value
	                                           : NULL;
}

static int check_copy(const struct builder *builder, const struct oclmm_statement *s)
{
	const struct oclmm_expression *value = value_of(s);

	if (value &&
	    (value->kind == OCLMM_EXPRESSION_CONSTANT || value->kind == OCLMM_EXPRESSION_REGISTER ||
	     value->kind == OCLMM_EXPRESSION_LOAD))
		return 0;
	return syntax_refuse(builder->source, &s->position,
	                     "write `*x = 1;`, `*x = *y;` or `int r0 = *x;`",
	                     "a command makes plain copies only");
}

/* The one statement of a transfer: where from, where to. */
static int check_transfer(const struct builder *builder, uint32_t thread)
{
	static const char *const forms[OCLMM_COMMAND_COUNT] = {
		[OCLMM_COMMAND_FILL] = "`*x = 1;`",
		[OCLMM_COMMAND_WRITE] = "`*x = *y;` from memory of the host, `host [y] = 1;`",
		[OCLMM_COMMAND_READ] = "`*y = *x;` to memory of the host, `host [y] = 0;`",
		[OCLMM_COMMAND_COPY] =
			"`*x = *y;` between two buffers, or two objects in shared virtual memory",
	};
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	enum oclmm_command_kind kind = t->placement.command.kind;
	const struct oclmm_statement *s = t->body;
	bool from_host, to_host, fits;

	fits = s && !s->next && s->kind == OCLMM_STATEMENT_STORE &&
	       s->store.value->kind == (kind == OCLMM_COMMAND_FILL ? OCLMM_EXPRESSION_CONSTANT
	                                                           : OCLMM_EXPRESSION_LOAD);
	if (fits) {
		to_host = is_host_memory(program, s->store.place.location);
		from_host = kind != OCLMM_COMMAND_FILL &&
		            is_host_memory(program, s->store.value->load.location);
		fits = to_host == (kind == OCLMM_COMMAND_READ) &&
		       from_host == (kind == OCLMM_COMMAND_WRITE);
	}
	if (fits && kind == OCLMM_COMMAND_COPY)
		fits = s->store.place.location != s->store.value->load.location &&
		       is_svm(program, s->store.place.location) ==
		               is_svm(program, s->store.value->load.location);
	if (fits)
		return 0;
	return syntax_refuse(builder->source, s ? &s->position : &t->position, NULL,
	                     "the body of a %s is one statement, %s", oclmm_command_word(kind),
	                     forms[kind]);
}

/* ---- maps ---- */

/* The command by which an object is mapped where a thread stands, or NULL. */
static const struct oclmm_command *find_map(const struct oclmm_program *program, uint32_t location,
                                            uint32_t thread)
{
	const struct oclmm_command *map = NULL;

	for (uint32_t i = 0; i < thread; i++) {
		enum oclmm_command_kind kind = program->threads[i].placement.command.kind;

		if (kind != OCLMM_COMMAND_MAP && kind != OCLMM_COMMAND_UNMAP)
			continue;
		if (program->threads[i].parameters[0].location == location)
			map = kind == OCLMM_COMMAND_MAP ? &program->threads[i].placement.command
			                                : NULL;
	}
	return map;
}

/* In words: `the buffer`, `sub-buffer 0`. */
static const char *handle_of(const struct builder *builder, const struct oclmm_command *command)
{
	return command->sub ? oclmm_arena_printf(builder->arena, "sub-buffer %u", command->sub - 1)
	                    : "the buffer";
}

static int check_map(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	const struct oclmm_command *own = &t->placement.command, *by;
	bool map = own->kind == OCLMM_COMMAND_MAP;

	if (t->parameter_count != 1 || is_host_memory(program, t->parameters[0].location))
		return syntax_refuse(builder->source, &t->position, NULL, "P%u takes one buffer",
		                     t->id);
	if (!oclmm_storage_is_mapped(program->locations[t->parameters[0].location].storage))
		return syntax_refuse(builder->source, &t->position, NULL,
		                     "`%s` is fine-grained: the host uses it without a map",
		                     program->locations[t->parameters[0].location].name);
	by = find_map(program, t->parameters[0].location, thread);
	if ((by != NULL) == map)
		return syntax_refuse(builder->source, &t->position, NULL,
		                     "`%s` is %s where P%u stands",
		                     program->locations[t->parameters[0].location].name,
		                     map ? "mapped already" : "not mapped", t->id);
	if (by && by->sub != own->sub)
		return syntax_refuse(builder->source, &t->position,
		                     "an unmapping takes the object that was mapped",
		                     "`%s` is mapped by way of %s, and P%u unmaps %s",
		                     program->locations[t->parameters[0].location].name,
		                     handle_of(builder, by), t->id, handle_of(builder, own));
	return 0;
}

/* Each is ordered by its own map and unmapping. */
static bool has_one(uint64_t set)
{
	return set && !(set & (set - 1));
}

static int check_host(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	uint64_t uses = oclmm_command_uses(program, thread);

	if (!oclmm_command_is_mapped(program, thread))
		return 0;
	if (!has_one(uses))
		return syntax_refuse(builder->source, &t->position, "make two steps of it",
		                     "P%u uses more than the one object that is mapped", t->id);
	for (uint32_t i = 0; i < program->location_count; i++) {
		if (uses >> i & 1 && !find_map(program, i, thread))
			return syntax_refuse(builder->source, &t->position,
			                     "map it: `P0@map queue 0 (global int *x) {}`",
			                     "`%s` is not mapped where P%u uses it",
			                     program->locations[i].name, t->id);
	}
	return 0;
}

/* ---- sub-buffers ---- */

static int check_sub_buffer(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	bool any = false;

	if (!t->placement.command.sub)
		return 0;
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		if (is_svm(program, t->parameters[i].location))
			return syntax_refuse(builder->source, &t->parameters[i].position, NULL,
			                     "`%s` is in shared virtual memory, and only buffers "
			                     "have sub-buffers",
			                     program->locations[t->parameters[i].location].name);
		any |= !is_host_memory(program, t->parameters[i].location);
	}
	if (any && t->placement.command.kind != OCLMM_COMMAND_HOST)
		return 0;
	return syntax_refuse(builder->source, &t->position, NULL, "P%u %s", t->id,
	                     any ? "is a step of the host, which uses what it has mapped"
	                         : "uses no buffer");
}

/* ---- all of it ---- */

/* `*count`: of the threads so far. */
static int check_registers(const struct builder *builder, const struct oclmm_thread *t,
                           uint32_t *count)
{
	for (uint32_t i = 0; i < t->register_count; i++) {
		if (++*count > OCLMM_COMMAND_REGISTERS_MOST)
			return syntax_refuse(builder->source, &t->registers[i].position, NULL,
			                     "more than %d registers in a program of commands",
			                     OCLMM_COMMAND_REGISTERS_MOST);
		if (oclmm_type_bits(t->registers[i].type) != 32)
			return syntax_refuse(builder->source, &t->registers[i].position,
			                     "declare it as int or uint",
			                     "a command copies 32 bits, and a %s has %u",
			                     oclmm_type_name(t->registers[i].type),
			                     oclmm_type_bits(t->registers[i].type));
		if (t->registers[i].has_initial)
			return syntax_refuse(builder->source, &t->registers[i].position, NULL,
			                     "a register of a command has no initial value");
	}
	return 0;
}

/* The host has no end of a pipe, nor has a call that copies, maps or migrates. */
static int check_pipes(const struct builder *builder, const struct oclmm_thread *t)
{
	const struct oclmm_location *locations = builder->program->locations;

	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const struct oclmm_location *l = &locations[t->parameters[i].location];

		if (l->storage == OCLMM_STORAGE_PIPE &&
		    t->placement.command.kind != OCLMM_COMMAND_KERNEL)
			return syntax_refuse(builder->source, &t->parameters[i].position, NULL,
			                     "`%s` is a pipe, which only kernels can use", l->name);
	}
	return 0;
}

static int check_kind(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	enum oclmm_command_kind kind = t->placement.command.kind;

	switch (kind) {
	case OCLMM_COMMAND_HOST: return check_host(builder, thread);
	case OCLMM_COMMAND_FILL:
	case OCLMM_COMMAND_WRITE:
	case OCLMM_COMMAND_READ:
	case OCLMM_COMMAND_COPY: return check_transfer(builder, thread);
	default: break;
	}
	if (kind != OCLMM_COMMAND_KERNEL && t->body)
		return syntax_refuse(builder->source, &t->body->position, NULL,
		                     "a %s does nothing with memory, and has an empty body",
		                     oclmm_command_word(kind));
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const char *name = program->locations[t->parameters[i].location].name;

		if (is_host_memory(program, t->parameters[i].location))
			return syntax_refuse(builder->source, &t->parameters[i].position, NULL,
			                     "`%s` is memory of the host, which no %s can use",
			                     name, oclmm_command_word(kind));
		if (kind == OCLMM_COMMAND_MIGRATE && is_svm(program, t->parameters[i].location))
			return syntax_refuse(builder->source, &t->parameters[i].position, NULL,
			                     "`%s` is in shared virtual memory, and only buffers "
			                     "are migrated",
			                     name);
	}
	if (kind == OCLMM_COMMAND_MAP || kind == OCLMM_COMMAND_UNMAP)
		return check_map(builder, thread);
	if (kind != OCLMM_COMMAND_KERNEL && kind != OCLMM_COMMAND_MIGRATE && t->parameter_count)
		return syntax_refuse(builder->source, &t->parameters[0].position, NULL,
		                     "a %s takes no objects", oclmm_command_word(kind));
	return 0;
}

int build_check_commands(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	uint32_t registers = 0;
	int result;

	if (!oclmm_program_has_commands(program)) {
		for (uint32_t i = 0; i < program->location_count; i++) {
			const struct oclmm_location *l = &program->locations[i];

			if (is_host_memory(program, i) || l->storage == OCLMM_STORAGE_PIPE)
				return syntax_refuse(builder->source, &l->position, NULL,
				                     "`%s` is %s, and the test has no commands",
				                     l->name,
				                     is_host_memory(program, i)
				                             ? "memory of the host"
				                             : "a pipe");
		}
		return 0;
	}
	result = check_objects(builder);
	for (uint32_t i = 0; !result && i < program->thread_count; i++) {
		const struct oclmm_thread *t = &program->threads[i];

		result = check_registers(builder, t, &registers);
		for (const struct oclmm_statement *s = t->body; s && !result; s = s->next)
			result = check_copy(builder, s);
		if (!result)
			result = check_pipes(builder, t);
		if (!result)
			result = check_kind(builder, i);
		if (!result)
			result = check_sub_buffer(builder, i);
	}
	return result;
}
