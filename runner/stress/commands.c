// SPDX-License-Identifier: Apache-2.0
/*
 * Programs of commands in a session: what a launch of the kernels is for
 * others. A launch is played to its end before the next one; its cells are
 * counted here.
 */
#include "internal.h"

#include "commands/commands.h"

#include <stdlib.h>
#include <string.h>

/* Cells of an object that are compared at once. */
enum { CHUNK = 256 };

/* As many cells as lanes in all groups; a round of the environment is one of the program's. */
void oclmm_environment_commands(struct oclmm_environment *ret_environment)
{
	*ret_environment = (struct oclmm_environment){.groups = 256,
	                                              .lanes = 64,
	                                              .rounds = 16,
	                                              .offset = 100003,
	                                              .stride = 1,
	                                              .poll_every = 1,
	                                              .stress_lines = 1,
	                                              .stress_stride = 1,
	                                              .count_lanes = 64,
	                                              .count_each = 1};
}

/* An environment as it is for commands. */
static struct commands_shape shape_of(const struct oclmm_environment *e)
{
	return (struct commands_shape){
		.cells = e->groups * e->lanes,
		.rounds = e->rounds,
		.offset = e->offset,
	};
}

int oclmm_commands_open(struct oclmm_session *session, struct oclmm_error *error,
                        struct oclmm_run_result *result)
{
	struct commands_shape shape;
	double start = oclmm_clock();
	int r;

	if (session->request->environment)
		session->environments[0] = *session->request->environment;
	else
		oclmm_environment_commands(&session->environments[0]);
	session->environment_count = 1;
	session->plan = (struct oclmm_kernel_plan){
		.outcomes = session->request->space->size,
		.observables = session->program->observable_count,
	};
	shape = shape_of(&session->environments[0]);
	r = commands_create(session->device, session->program, &shape, error, &result->build_log,
	                    &result->source_hash, &session->commands);
	result->compile_seconds = oclmm_clock() - start;
	return r;
}

static void close(struct oclmm_session *session)
{
	commands_destroy(session->commands);
}

/* ---- counting ---- */

struct counting {
	struct oclmm_session *session;
	const uint32_t **values; /* by observable, of the round at hand */
	int64_t *tuple;
	uint32_t base;
	uint64_t mask; /* of outcomes that were seen */
};

/* Whether an object's next cells are all like the first of them. */
static bool is_uniform(const uint32_t *cells, uint32_t count)
{
	uint32_t different = 0;

	for (uint32_t i = 1; i < count; i++)
		different |= cells[i] ^ cells[0];
	return different == 0;
}

static void count_cell(struct counting *counting, uint32_t cell, uint32_t times)
{
	struct oclmm_session *session = counting->session;
	const struct oclmm_outcome_space *space = session->request->space;
	uint32_t index;

	for (uint32_t k = 0; k < space->observable_count; k++)
		counting->tuple[k] = oclmm_value_wrap(session->program->observables[k].type,
		                                      (int32_t)(counting->values[k][cell] -
		                                                counting->base));
	index = oclmm_outcome_index(space, counting->tuple);
	if (index == space->size) {
		session->kept += times;
		oclmm_histogram_add(session->histogram, counting->tuple, times);
	} else {
		session->news |= session->totals[index] == 0;
		session->totals[index] += times;
	}
	counting->mask |= UINT64_C(1) << oclmm_seen_number(&session->shown, counting->tuple);
}

static void count_chunk(struct counting *counting, uint32_t first, uint32_t count)
{
	uint32_t observables = counting->session->program->observable_count;
	bool uniform = true;

	for (uint32_t k = 0; uniform && k < observables; k++)
		uniform = is_uniform(counting->values[k] + first, count);
	if (uniform) {
		count_cell(counting, first, count);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		count_cell(counting, first + i, 1);
}

static void count_round(struct counting *counting, uint32_t round, uint32_t cells)
{
	struct oclmm_session *session = counting->session;

	for (uint32_t k = 0; k < session->program->observable_count; k++)
		counting->values[k] = commands_values(session->commands, k, round);
	for (uint32_t i = 0; i < cells; i += CHUNK)
		count_chunk(counting, i, cells - i < CHUNK ? cells - i : CHUNK);
}

static void count_launch(struct oclmm_session *session, struct oclmm_slot *slot,
                         const struct commands_shape *shape, uint32_t base)
{
	size_t width = (size_t)session->program->observable_count + 1;
	struct counting counting = {
		.session = session,
		.values = oclmm_calloc(width, sizeof(const uint32_t *)),
		.tuple = oclmm_calloc(width, sizeof(int64_t)),
		.base = base,
	};

	for (uint32_t i = 0; i < shape->rounds; i++)
		count_round(&counting, i, shape->cells);
	oclmm_seen_add(&session->shown, slot->block, counting.mask, slot->instances);
	session->instances += slot->instances;
	session->launches++;
	free(counting.values);
	free(counting.tuple);
}

/* ---- a launch ---- */

/*
 * None in one launch of ten; else up to some milliseconds: a GPU's driver may keep commands for
 * so long. Most are shorter, the smaller of two draws. A CPU's driver begins with commands at once,
 * and its lag is processor time.
 */
static uint32_t draw_lag(const struct oclmm_device_info *info, uint64_t random)
{
	enum { NONE = 10, LEAST = 12, LENGTHS = 11, LENGTHS_CPU = 8 };
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint32_t lengths = cpu ? LENGTHS_CPU : LENGTHS;
	uint32_t first = random / NONE % lengths, second = random / NONE / lengths % lengths;

	return random % NONE == 0 ? 0 : 1u << (LEAST + (cpu || first < second ? first : second));
}

static int launch(struct oclmm_session *session, const struct oclmm_environment *environment,
                  struct oclmm_slot *slot, uint64_t number, struct oclmm_error *error)
{
	uint64_t key = oclmm_random(session->request->seed, number);
	struct commands_shape shape = shape_of(environment);
	struct {
		uint64_t before;
		struct commands_draw draw;
		struct commands_shape shape;
	} link;
	int r;

	memset(&link, 0, sizeof(link));
	link.before = session->stimulus;
	link.shape = shape;
	link.draw.rotation = (uint32_t)oclmm_random(key, 1) % OCLMM_QUEUES_MOST;
	link.draw.first = (uint32_t)oclmm_random(key, 2) % shape.rounds;
	link.draw.lag = draw_lag(oclmm_device_info(session->device), oclmm_random(key, 3));
	session->stimulus = oclmm_hash(&link, sizeof(link));
	/* far from 0, so that no value of the program is one of another base */
	link.draw.base = oclmm_fresh_number() | 0x10000u;
	slot->number = number;
	slot->instances = shape.cells * shape.rounds;
	slot->queued = oclmm_clock();
	session->queued += slot->instances;
	r = commands_play(session->commands, &link.draw, shape.rounds, error);
	if (r < 0)
		return r;
	oclmm_note_duration(session, slot);
	count_launch(session, slot, &shape, link.draw.base);
	return 0;
}

const struct oclmm_playing oclmm_playing_commands = {.launch = launch, .close = close};
