// SPDX-License-Identifier: Apache-2.0
#include "scripts.h"

/* A thread's state: the line that is next, and what it has read last. */
struct at {
	uint32_t line;
	uint32_t waits; /* for the result of the line */
	uint64_t read;
};

static void begin(void *data, unsigned thread, struct oclmm_thread_bytes *state)
{
	(void)data;
	(void)thread;
	if (state->capacity < sizeof(struct at)) {
		state->capacity = sizeof(struct at);
		state->bytes = oclmm_realloc(state->bytes, state->capacity);
	}
	memset(state->bytes, 0, sizeof(struct at));
	state->size = sizeof(struct at);
}

static void advance(void *data, struct oclmm_explorer *explorer, unsigned thread,
                    struct oclmm_thread_bytes *state, uint64_t result,
                    struct oclmm_explored_step *ret_step)
{
	const struct script *script = &((const struct scripts *)data)->threads[thread];
	struct oclmm_slice *slices = ((const struct scripts *)data)->slices;
	unsigned *runs = ((const struct scripts *)data)->runs;
	struct at *at = (struct at *)(void *)state->bytes;

	if (runs)
		++*runs;
	if (at->waits) {
		const struct line *next;

		/* of a weak compare-exchange, whether it was made */
		if (script->lines[at->line].step.weak)
			result = !oclmm_explored_failed(explorer);
		next = &script->lines[++at->line];

		/* what nobody looks at is forgotten */
		at->read = at->line < script->count &&
		                           (next->kind == LINE_KEEP || next->kind == LINE_UNLESS)
		                   ? result
		                   : 0;
		at->waits = 0;
	}
	for (;;) {
		const struct line *line = &script->lines[at->line];
		uint64_t value;

		if (at->line == script->count) {
			memset(at, 0, sizeof(*at));
			ret_step->kind = OCLMM_EXPLORED_END;
			return;
		}
		switch (line->kind) {
		case LINE_STEP:
			*ret_step = line->step;
			ret_step->where = at->line;
			at->waits = 1;
			return;
		case LINE_LOAD:
			if (!oclmm_explored_read(explorer, line->step.cell, at->line, &at->read))
				return;
			break;
		case LINE_STORE:
		case LINE_KEEP:
			value = line->kind == LINE_KEEP ? at->read : line->step.operand;
			if (line->kind == LINE_KEEP && slices) {
				oclmm_explored_unneeded(explorer, value, 0, 0);
				oclmm_explored_store_of(explorer, line->step.cell, &slices[thread],
				                        0);
			}
			if (!oclmm_explored_write(explorer, line->step.cell, value, at->line))
				return;
			break;
		case LINE_FENCE:
			oclmm_explored_fence(explorer, line->step.order, line->step.scope,
			                     line->step.flags, at->line);
			break;
		case LINE_ARRIVE: {
			struct oclmm_explored_step step = line->step;

			step.where = at->line;
			if (!oclmm_explored_arrive(explorer, &step))
				return;
			break;
		}
		case LINE_UNLESS: /* reads again until it has this */
			if (at->read != line->step.operand) {
				at->line -= 2;
				at->read = 0;
			}
			break;
		}
		at->line++;
	}
}

static bool meet(void *data, struct oclmm_explorer *explorer,
                 const struct oclmm_explored_step *const *steps, unsigned count)
{
	const struct oclmm_explored_step *step = steps[0];
	uint64_t event;

	(void)data;
	(void)count;
	switch (step->more[0]) {
	case MEET_COPY:
		return oclmm_explored_copy_begin(explorer, 0, &event) && event &&
		       oclmm_explored_copy_cell(explorer, step->cell, (uint32_t)step->more[1],
		                                step->where);
	case MEET_WAIT: oclmm_explored_copy_wait(explorer, UINT64_MAX); return true;
	case MEET_REFUSED: oclmm_explored_refuse(explorer, step->where); return false;
	default: return true;
	}
}

static uint64_t collect(void *data, const struct oclmm_explored_step *const *steps, unsigned count,
                        unsigned rank)
{
	uint64_t sum = 0;

	(void)data;
	(void)rank;
	for (unsigned i = 0; i < count; i++)
		sum += steps[i]->operand;
	return sum;
}

int scripts_explore(const struct scripts *scripts, const struct oclmm_explore_options *options,
                    struct oclmm_explored **ret_found)
{
	const struct oclmm_explored_source source = {
		.data = (void *)(uintptr_t)scripts,
		.threads = scripts->places,
		.thread_count = scripts->count,
		.cells = scripts->cells,
		.cell_count = scripts->cell_count,
		.begin = begin,
		.advance = advance,
		.meet = meet,
		.collect = collect,
	};

	return oclmm_explore(&source, options, ret_found);
}
