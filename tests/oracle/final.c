// SPDX-License-Identifier: Apache-2.0
/*
 * The state that a candidate ends in.
 */
#include "execution.h"

int64_t final_value(const struct candidate *candidate, const struct oclmm_observable *observable)
{
	unsigned cell;
	int last = -1;

	if (observable->is_register)
		return candidate->paths[observable->thread]->registers[observable->reg];
	cell = candidate->program->locations[observable->location].first_cell + observable->element;
	for (unsigned w = 0; w < candidate->count; w++)
		if (candidate->events[w].writes && candidate->events[w].cell == cell &&
		    (last < 0 || candidate->mo[last][w]))
			last = (int)w;
	return candidate->events[last].written_value;
}

bool find_final_state(const struct candidate *candidate, int64_t *ret_values)
{
	const struct oclmm_program *program = candidate->program;

	for (uint32_t t = 0; t < program->thread_count; t++)
		if (candidate->paths[t]->trouble != OCLMM_UNDEFINED_NOT || candidate->paths[t]->cut)
			return false;
	for (uint32_t i = 0; i < program->observable_count; i++)
		ret_values[i] = final_value(candidate, &program->observables[i]);
	return program->filter == NULL ||
	       oclmm_condition_holds(program, program->filter, ret_values);
}
