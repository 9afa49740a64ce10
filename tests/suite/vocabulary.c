// SPDX-License-Identifier: Apache-2.0
/*
 * usage: vocabulary LITMUS-FOLDER
 *
 * Each word for what is done to memory, and for where and how, is used by some
 * variant: or it would be taken, printed and counted, and no device were ever
 * asked about it. What only computes (operators, types of registers) is left
 * out.
 */
#include "folder.h"

static bool operations[OCLMM_OP_COUNT], types[OCLMM_TYPE_COUNT];
static bool collectives[OCLMM_COLLECTIVE_COUNT], storages[OCLMM_STORAGE_COUNT];
static bool commands[OCLMM_COMMAND_COUNT], flags[OCLMM_ENQUEUE_FLAG_COUNT];

static int note_expression(void *data, const struct oclmm_expression *e)
{
	(void)data;
	if (e->kind == OCLMM_EXPRESSION_ATOMIC)
		operations[e->atomic->op] = true;
	return 0;
}

static int note_statement(void *data, const struct oclmm_statement *s)
{
	(void)data;
	if (s->kind == OCLMM_STATEMENT_BARRIER)
		collectives[s->barrier.collective] = true;
	else if (s->kind == OCLMM_STATEMENT_ENQUEUE)
		flags[s->enqueue.flag] = true;
	return 0;
}

static void note_program(const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.expression = note_expression,
	                                             .statement = note_statement};

	for (uint32_t i = 0; i < program->location_count; i++) {
		types[program->locations[i].type] = true;
		storages[program->locations[i].storage] = true;
	}
	for (uint32_t t = 0; t < program->thread_count; t++) {
		const struct oclmm_thread *thread = &program->threads[t];

		commands[thread->placement.command.kind] = true;
		oclmm_visit_body(&visitor, thread->body, NULL);
	}
}

static void check_file(const struct oclmm_litmus *litmus, void *data)
{
	(void)data;
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		note_program(litmus->variants[i].program);
}

static void check_list(const bool *used, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!used[i])
			complain("ir_words.h", "no test has %s", names[i]);
	}
}

int main(int argc, char **argv)
{
#define OCLMM_X(name, ...) #name,
	static const char *const operation_names[] = {OCLMM_OPERATIONS(OCLMM_X)};
	static const char *const type_names[] = {OCLMM_INTEGERS(OCLMM_X) "FLAG",
	                                         OCLMM_FLOATS(OCLMM_X)};
	static const char *const collective_names[] = {"NONE", OCLMM_COLLECTIVES(OCLMM_X)};
	static const char *const storage_names[] = {OCLMM_STORAGES(OCLMM_X)};
	static const char *const command_names[] = {OCLMM_COMMANDS(OCLMM_X)};
	static const char *const flag_names[] = {OCLMM_ENQUEUE_FLAGS(OCLMM_X)};

	if (argc != 2)
		return 2;
	visit_folder(argv[1], check_file, NULL);
	check_list(operations, operation_names, OCLMM_COUNT(operation_names));
	check_list(types, type_names, OCLMM_COUNT(type_names));
	check_list(collectives, collective_names, OCLMM_COUNT(collective_names));
	check_list(storages, storage_names, OCLMM_COUNT(storage_names));
	check_list(commands, command_names, OCLMM_COUNT(command_names));
	check_list(flags, flag_names, OCLMM_COUNT(flag_names));
	return complaints != 0;
}
