// SPDX-License-Identifier: Apache-2.0
/*
 * Pipes in programs of commands: one kernel writes a packet for each cell, one
 * other takes them out. So which packet it is does not matter, where the order
 * of packets would be left to the implementation (C:6.15.13.3).
 */
#include "build.h"

/* What the kernels do with a pipe. */
struct ends {
	uint32_t writes, reads; /* statements */
	uint64_t writers, readers;
};

static const struct oclmm_expression *value_of(const struct oclmm_statement *s)
{
	return s->kind == OCLMM_STATEMENT_STORE ? s->store.value : s->assign.value;
}

static void find_ends(const struct oclmm_program *program, uint32_t location, struct ends *ends)
{
	*ends = (struct ends){0};
	for (uint32_t i = 0; i < program->thread_count; i++) {
		for (const struct oclmm_statement *s = program->threads[i].body; s; s = s->next) {
			const struct oclmm_expression *value = value_of(s);

			if (s->kind == OCLMM_STATEMENT_STORE &&
			    s->store.place.location == location) {
				ends->writes++;
				ends->writers |= UINT64_C(1) << i;
			}
			if (value->kind == OCLMM_EXPRESSION_LOAD &&
			    value->load.location == location) {
				ends->reads++;
				ends->readers |= UINT64_C(1) << i;
			}
		}
	}
}

static int check_pipe(const struct builder *builder, uint32_t location)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_location *l = &program->locations[location];
	struct ends ends;

	if (l->initial[0] != 0)
		return syntax_refuse(builder->source, &l->position, "begin with 0: no packet",
		                     "the pipe `%s` is empty at first", l->name);
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		if (!o->is_register && o->location == location)
			return syntax_refuse(builder->source, &l->position,
			                     "take its packets in a kernel, and ask for those",
			                     "nobody sees what is left in the pipe `%s`", l->name);
	}
	find_ends(program, location, &ends);
	if (ends.writers & ends.readers)
		return syntax_refuse(builder->source, &l->position, NULL,
		                     "a kernel cannot read from and write to the same pipe, `%s`",
		                     l->name);
	if (ends.writes > 1 || ends.reads > 1)
		return syntax_refuse(builder->source, &l->position,
		                     "the order of several is left to the implementation",
		                     "one packet of the pipe `%s` is written, and one is read",
		                     l->name);
	return 0;
}

int build_check_pipes(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	int result = 0;

	for (uint32_t i = 0; i < program->location_count && !result; i++) {
		if (program->locations[i].storage == OCLMM_STORAGE_PIPE)
			result = check_pipe(builder, i);
	}
	return result;
}
