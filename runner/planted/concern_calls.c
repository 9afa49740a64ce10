// SPDX-License-Identifier: Apache-2.0
#include "concern_calls.h"

/* Who waits for what has to be sent: from outside of its queue first, for the host gives up soon.
 */
static enum concern concern_of_flush(const struct oclmm_program *program)
{
	enum concern concern = CONCERN_NONE;

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_command *command = &program->threads[i].placement.command;

		if (command->callbacks | command->polls)
			return CONCERN_STRONG;
		for (uint32_t k = 0; k < program->thread_count; k++)
			if (command->waits >> k & 1 && oclmm_command_is_queued(command->kind) &&
			    program->threads[k].placement.command.queue != command->queue)
				concern = CONCERN_CHANGED;
	}
	return concern;
}

static bool is_transfer(enum oclmm_command_kind kind)
{
	return kind == OCLMM_COMMAND_FILL || kind == OCLMM_COMMAND_COPY ||
	       kind == OCLMM_COMMAND_READ || kind == OCLMM_COMMAND_WRITE;
}

/* The plant is in the calls of a command, or of a step of the host. */
static bool is_in(enum plant_bug bug, const struct oclmm_command *command)
{
	enum oclmm_command_kind kind = command->kind;
	bool queued = oclmm_command_is_queued(kind);

	switch (bug) {
	case PLANT_EVENT_EARLY: return (command->waits | command->callbacks) != 0;
	case PLANT_WAIT_LIST_IGNORED: return queued && command->waits != 0;
	case PLANT_WAIT_LIST_FIRST: return queued && (command->waits & (command->waits - 1)) != 0;
	case PLANT_ORIGIN_IGNORED: return command->sub != 0;
	case PLANT_MAP_OFFSET:
	case PLANT_MAP_EMPTY: return kind == OCLMM_COMMAND_MAP;
	case PLANT_FINISH_EARLY: return command->finishes != 0;
	case PLANT_QUEUE_UNORDERED: return queued && !command->unordered && !command->waits;
	case PLANT_BARRIER_IGNORED:
		return kind == OCLMM_COMMAND_BARRIER || kind == OCLMM_COMMAND_MARKER;
	case PLANT_ARGUMENT_KEPT:
	case PLANT_ARGUMENT_LATE:
	case PLANT_OFFSET_IGNORED:
	case PLANT_OFFSET_DOUBLED:
	case PLANT_LAUNCH_SHORT: return kind == OCLMM_COMMAND_KERNEL;
	case PLANT_TRANSFER_SHORT: return is_transfer(kind);
	case PLANT_TRANSFER_OFFSET: return is_transfer(kind) && command->sub != 0;
	case PLANT_MIGRATE_LOST: return kind == OCLMM_COMMAND_MIGRATE;
	case PLANT_BLOCKING_IGNORED: return command->blocking;
	case PLANT_WAIT_EARLY: return !queued && command->waits != 0;
	case PLANT_CALLBACK_EARLY: return command->callbacks != 0;
	case PLANT_USER_EVENT_EARLY: return kind == OCLMM_COMMAND_USER;
	default: return false;
	}
}

/* Commands have no rows, and what one does twice is done. */
static bool in_commands(enum plant_bug bug)
{
	return bug != PLANT_START_CHANGED && bug != PLANT_OFFSET_FIRST &&
	       bug != PLANT_ROWS_SWAPPED && bug != PLANT_GROUP_REPEATED;
}

/* The harness makes such calls, too, so that the other tests come after these. */
enum concern concern_of_calls(const struct plant *plant, const struct concerned *test)
{
	const struct oclmm_program *program = test->program;
	bool meant = false;

	if (!in_commands(plant->bug) || !oclmm_program_has_commands(program))
		return CONCERN_NONE;
	if (plant->bug == PLANT_FLUSH_LOST)
		return concern_of_flush(program);
	for (uint32_t i = 0; i < program->thread_count; i++)
		meant |= is_in(plant->bug, &program->threads[i].placement.command);
	if (!test->control)
		return CONCERN_CHANGED;
	return meant ? CONCERN_STRONG : CONCERN_CONTROL;
}
