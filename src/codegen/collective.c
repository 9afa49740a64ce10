// SPDX-License-Identifier: Apache-2.0
/*
 * Collective functions. All work-items of a work-group of the launch call, and
 * they play many instances: what each passes is what some thread of the test
 * passes, so that all get what the threads would get among themselves. Where a
 * work-item plays all roles the first one passes what they make together.
 */
#include "internal.h"

static const struct oclmm_barrier *call_of(const struct oclmm_writer *writer,
                                           const struct oclmm_caller *caller)
{
	const struct oclmm_thread *thread = &writer->program->threads[caller->role];

	return &oclmm_nth_meeting(thread, caller->segment)->barrier;
}

/* What changes no result. */
static const char *neutral(enum oclmm_collective collective)
{
	switch (collective) {
	case OCLMM_COLLECTIVE_ALL: return "1";
	case OCLMM_COLLECTIVE_REDUCE_MIN: return "INT_MAX";
	case OCLMM_COLLECTIVE_REDUCE_MAX: return "INT_MIN";
	default: return "0";
	}
}

static void write_operand(const struct oclmm_writer *writer, const struct oclmm_caller *callers,
                          uint32_t count)
{
	const struct oclmm_barrier *first = call_of(writer, callers);
	const char *number = first->sub_group ? "get_sub_group_local_id()" : "member";

	if (!writer->options.split) {
		oclmm_text_printf(writer->text, "%s == 0u ? ", number);
		oclmm_write_constant(writer->text, OCLMM_TYPE_INT, first->result);
		oclmm_text_add(writer->text, " : ");
	}
	for (uint32_t i = 0; i < count; i++) {
		if (writer->options.split)
			oclmm_text_printf(writer->text, "own == %uu ? ", callers[i].role);
		else if (i + 1 < count)
			oclmm_text_printf(writer->text, "%s %% %uu == %uu ? ", number, count, i);
		oclmm_write_constant(writer->text, OCLMM_TYPE_INT,
		                     call_of(writer, &callers[i])->operand);
		if (writer->options.split || i + 1 < count)
			oclmm_text_add(writer->text, " : ");
	}
	if (writer->options.split)
		oclmm_text_add(writer->text, neutral(first->collective));
}

static void write_results(const struct oclmm_writer *writer, const struct oclmm_caller *callers,
                          uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct oclmm_barrier *call = call_of(writer, &callers[i]);

		if (!call->assigns)
			continue;
		if (writer->options.split)
			oclmm_line(writer, "if (own == %uu)\n\t", callers[i].role);
		oclmm_line(writer, "r_P%u.", writer->program->threads[callers[i].role].id);
		oclmm_write_register(writer, callers[i].role, call->reg);
		oclmm_text_add(writer->text, " = given;\n");
	}
}

/* Any number but 0 is true (C:6.15.16). */
static bool is_truth(enum oclmm_collective collective)
{
	return collective == OCLMM_COLLECTIVE_ANY || collective == OCLMM_COLLECTIVE_ALL;
}

void oclmm_write_collective(struct oclmm_writer *writer, const struct oclmm_caller *callers,
                            uint32_t count)
{
	const struct oclmm_barrier *first = call_of(writer, callers);

	oclmm_open(writer, "{\n");
	oclmm_line(writer, "const int given = %s(", first->spelling);
	write_operand(writer, callers, count);
	oclmm_text_add(writer->text, is_truth(first->collective) ? ") != 0;\n" : ");\n");
	write_results(writer, callers, count);
	oclmm_close(writer);
}
