// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <stdlib.h>
#include <string.h>

struct oclmm_expected_file *oclmm_expected_create(const char *litmus)
{
	struct oclmm_expected_file *file = oclmm_calloc(1, sizeof(*file));

	file->arena = oclmm_arena_create();
	file->litmus = oclmm_arena_strdup(file->arena, litmus);
	return file;
}

void oclmm_expected_destroy(struct oclmm_expected_file *file)
{
	if (!file)
		return;
	oclmm_arena_destroy(file->arena);
	free(file->entries);
	free(file);
}

size_t oclmm_expected_count(const struct oclmm_expected_file *file)
{
	return file->count;
}

const struct oclmm_expected *oclmm_expected_at(const struct oclmm_expected_file *file, size_t index)
{
	return file->entries[index];
}

const struct oclmm_expected *oclmm_expected_find(const struct oclmm_expected_file *file,
                                                 const char *name)
{
	for (size_t i = 0; i < file->count; i++) {
		if (strcmp(file->entries[i]->name, name) == 0)
			return file->entries[i];
	}
	return NULL;
}

struct oclmm_expected *expected_append(struct oclmm_expected_file *file)
{
	struct oclmm_expected *expected = OCLMM_NEW(file->arena, struct oclmm_expected);

	oclmm_grow(&file->entries, &file->capacity, file->count, sizeof(struct oclmm_expected *));
	file->entries[file->count++] = expected;
	return expected;
}

void expected_count_states(struct oclmm_expected *expected)
{
	expected->allowed_count = expected->positive = 0;
	for (uint32_t i = 0; i < expected->state_count; i++) {
		const struct oclmm_expected_state *state = &expected->states[i];

		if (state->status != OCLMM_STATUS_ALLOWED)
			continue;
		expected->allowed_count++;
		expected->positive += state->holds;
	}
}

bool oclmm_expected_fits(const struct oclmm_expected *expected, const struct oclmm_program *program)
{
	if (expected->hash != program->hash || expected->width != program->observable_count)
		return false;
	for (uint32_t i = 0; i < expected->width; i++) {
		if (strcmp(expected->observables[i], program->observables[i].name) != 0)
			return false;
	}
	return true;
}

const struct oclmm_expected *oclmm_expected_for(const struct oclmm_expected_file *file,
                                                const struct oclmm_program *program)
{
	const struct oclmm_expected *expected = file ? oclmm_expected_find(file, program->name)
	                                             : NULL;

	return expected && oclmm_expected_fits(expected, program) ? expected : NULL;
}

enum oclmm_status oclmm_expected_status(const struct oclmm_expected *expected,
                                        const int64_t *values, unsigned *ret_deciding)
{
	enum oclmm_status status = OCLMM_STATUS_FORBIDDEN;
	unsigned deciding = 0;

	if (expected->undefined)
		status = OCLMM_STATUS_UNDEFINED;
	for (uint32_t i = 0; i < expected->state_count; i++) {
		const struct oclmm_expected_state *state = &expected->states[i];

		if (oclmm_compare_values(state->values, values, expected->width) == 0) {
			status = state->status;
			deciding = state->deciding;
			break;
		}
	}
	if (ret_deciding)
		*ret_deciding = deciding;
	return status;
}

enum oclmm_observation expected_observe(const struct oclmm_expected *expected)
{
	bool may[2] = {false, false}, sure[2] = {false, false};

	if (expected->undefined)
		return OCLMM_OBSERVATION_UNDEFINED;
	for (uint32_t i = 0; i < expected->state_count; i++) {
		const struct oclmm_expected_state *state = &expected->states[i];

		may[state->holds] |= state->status != OCLMM_STATUS_FORBIDDEN;
		sure[state->holds] |= state->status == OCLMM_STATUS_ALLOWED;
	}
	return oclmm_observation_of(sure[true], sure[false], may[true], may[false]);
}

const struct oclmm_expected *oclmm_expected_under(struct oclmm_arena *arena,
                                                  const struct oclmm_expected *expected,
                                                  enum oclmm_model model)
{
	struct oclmm_expected *copy;

	if (model >= OCLMM_VERSION_COUNT)
		return expected;
	copy = oclmm_arena_copy(arena, expected, sizeof(*expected));
	copy->undefined = expected->undefined && !(expected->defined & 1u << model);
	copy->defined = 0;
	if (!copy->undefined)
		copy->undefined_why = NULL;
	copy->states = OCLMM_NEW_ARRAY(arena, struct oclmm_expected_state, expected->state_count);
	copy->state_count = 0;
	for (uint32_t i = 0; i < expected->state_count && !copy->undefined; i++) {
		struct oclmm_expected_state state = expected->states[i];

		state.status = state.version[model].status;
		state.deciding = state.version[model].deciding;
		if (state.status != OCLMM_STATUS_FORBIDDEN)
			copy->states[copy->state_count++] = state;
	}
	expected_count_states(copy);
	copy->observation = expected_observe(copy);
	return copy;
}

const struct oclmm_expected *oclmm_expected_held(struct oclmm_arena *arena,
                                                 const struct oclmm_expected_file *file,
                                                 const struct oclmm_program *program,
                                                 enum oclmm_model model)
{
	const struct oclmm_expected *expected = oclmm_expected_for(file, program);

	if (!expected || (model >= OCLMM_VERSION_COUNT && model != OCLMM_MODEL_CONSENSUS))
		return NULL;
	return oclmm_expected_under(arena, expected, model);
}

bool oclmm_expected_forbids(const struct oclmm_expected *expected)
{
	if (expected->undefined)
		return false;
	/* an outcome that is asked about and never allowed is forbidden though no execution reaches
	 * it */
	return expected->state_count < expected->space.size ||
	       expected->observation == OCLMM_OBSERVATION_NEVER;
}
