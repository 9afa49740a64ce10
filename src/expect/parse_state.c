// SPDX-License-Identifier: Apache-2.0
/*
 * The values that observables have, and the states made of them. A state is held against the
 * values as it is read: as many, by the same names, each among those listed.
 */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

/* `0,1}` behind the brace: the values of one observable, ascending. */
static int take_domain(struct reader *reader, struct oclmm_arena *arena,
                       struct oclmm_outcome_domain *domain, bool *ret_unsigned)
{
	int64_t *values = NULL;
	size_t capacity = 0, count = 0;
	int r = 0;

	/* a filter that no execution passes leaves no value */
	*domain = (struct oclmm_outcome_domain){0};
	if (reader->at < reader_end(reader) && *reader->at == '}')
		return 0;
	do {
		const char *start = reader->at;

		oclmm_grow(&values, &capacity, count, sizeof(*values));
		if (!reader_value(reader, &values[count], ret_unsigned)) {
			r = reader_refuse(reader, "expected a value");
			goto out;
		}
		if (count && values[count] <= values[count - 1]) {
			reader->at = start;
			r = reader_refuse(reader, "the values are not in ascending order");
			goto out;
		}
		count++;
	} while (reader_literal(reader, ","));
	domain->values = oclmm_arena_copy(arena, values, count * sizeof(*values));
	domain->count = (uint32_t)count;
out:
	free(values);
	return r;
}

/* The observables of a set while they are read. */
struct observables {
	const char **names;
	enum oclmm_type *types;
	struct oclmm_outcome_domain *domains;
	size_t count;
	size_t capacity[3];
};

static void grow_observables(struct observables *all)
{
	oclmm_grow(&all->names, &all->capacity[0], all->count, sizeof(*all->names));
	oclmm_grow(&all->types, &all->capacity[1], all->count, sizeof(*all->types));
	oclmm_grow(&all->domains, &all->capacity[2], all->count, sizeof(*all->domains));
}

/* `0:r0={0,1};` */
static int take_observable(struct reader *reader, struct oclmm_arena *arena,
                           struct observables *all)
{
	bool is_unsigned = false;
	const char *name;
	size_t length;
	int r;

	grow_observables(all);
	reader_until(reader, "=;{} ", &name, &length);
	if (length == 0)
		return reader_refuse(reader, "expected the name of an observable");
	all->names[all->count] = oclmm_arena_strndup(arena, name, length);
	if (!reader_literal(reader, "={"))
		return reader_refuse(reader, "expected \"={\"");
	r = take_domain(reader, arena, &all->domains[all->count], &is_unsigned);
	if (r < 0)
		return r;
	if (!reader_literal(reader, "};"))
		return reader_refuse(reader, "expected \"};\"");
	all->types[all->count++] = is_unsigned ? OCLMM_TYPE_ULONG : OCLMM_TYPE_LONG;
	return 0;
}

static int take_observables(struct reader *reader, struct oclmm_arena *arena,
                            struct observables *all)
{
	uint64_t size = 1;

	while (!reader_at_end(reader)) {
		int r;

		if (all->count && !reader_literal(reader, " "))
			return reader_refuse(reader, "expected one space");
		r = take_observable(reader, arena, all);
		if (r < 0)
			return r;
		size *= all->domains[all->count - 1].count;
		if (size >= UINT32_MAX)
			return reader_refuse(reader, "too many outcomes");
	}
	return 0;
}

int parse_values(struct reader *reader, struct oclmm_arena *arena, struct oclmm_expected *set)
{
	struct observables all = {0};
	int r = take_observables(reader, arena, &all);

	if (r == 0) {
		set->width = set->space.observable_count = (uint32_t)all.count;
		set->observables = oclmm_arena_copy(arena, all.names,
		                                    all.count * sizeof(*all.names));
		set->types = oclmm_arena_copy(arena, all.types, all.count * sizeof(*all.types));
		set->space.domains = oclmm_arena_copy(arena, all.domains,
		                                      all.count * sizeof(*all.domains));
		oclmm_outcome_space_number(&set->space);
	}
	free(all.names);
	free(all.types);
	free(all.domains);
	return r;
}

static bool has_value(const struct oclmm_outcome_domain *domain, int64_t value)
{
	for (uint32_t i = 0; i < domain->count; i++) {
		if (domain->values[i] == value)
			return true;
	}
	return false;
}

/* `0:r0=0;` */
static int take_value(struct reader *reader, const struct oclmm_expected *set, uint32_t index,
                      int64_t *ret_value)
{
	bool is_unsigned = false;
	const char *start;

	if (!reader_literal(reader, set->observables[index]) || !reader_literal(reader, "="))
		return reader_refuse(reader, "expected \"%s=\"", set->observables[index]);
	start = reader->at;
	if (!reader_value(reader, ret_value, &is_unsigned))
		return reader_refuse(reader, "expected a value");
	if (!has_value(&set->space.domains[index], *ret_value)) {
		reader->at = start;
		return reader_refuse(reader, "not one of the values of \"%s\"",
		                     set->observables[index]);
	}
	return reader_literal(reader, ";") ? 0 : reader_refuse(reader, "expected \";\"");
}

static int take_tuple(struct reader *reader, const struct oclmm_expected *set, int64_t *values)
{
	for (uint32_t i = 0; i < set->width; i++) {
		int r;

		if (i && !reader_literal(reader, " "))
			return reader_refuse(reader, "expected \" %s=\"", set->observables[i]);
		r = take_value(reader, set, i, &values[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

/* A knob, up to one of `stops`. \return false, with nothing taken, when there is none. */
static bool take_knob(struct reader *reader, const char *stops, unsigned *knobs)
{
	const char *start = reader->at, *name;
	enum oclmm_knob knob;
	size_t length;

	reader_until(reader, stops, &name, &length);
	if (oclmm_knob_find(name, length, &knob)) {
		*knobs |= 1u << knob;
		return true;
	}
	reader->at = start;
	return false;
}

/* A version, up to one of `stops`. */
static bool take_model(struct reader *reader, const char *stops, unsigned *ret_model)
{
	const char *start = reader->at, *name;
	enum oclmm_model model;
	size_t length;

	reader_until(reader, stops, &name, &length);
	if (oclmm_model_find(name, length, &model) && model < OCLMM_VERSION_COUNT) {
		*ret_model = model;
		return true;
	}
	reader->at = start;
	return false;
}

int parse_versions(struct reader *reader, unsigned *ret_versions)
{
	unsigned model;

	do {
		if (!take_model(reader, " ", &model))
			return reader_refuse(reader, "expected the name of a version's model");
		*ret_versions |= 1u << model;
	} while (reader_literal(reader, " "));
	return 0;
}

/* `opencl-2.1:forbidden`, `opencl-2.0:disputed:K2+K4` */
static int take_verdict(struct reader *reader, struct oclmm_expected_state *state)
{
	struct oclmm_expected_verdict *verdict;
	unsigned model, status = 0;

	if (!take_model(reader, ":", &model))
		return reader_refuse(reader, "expected the name of a rule or of a version's model");
	verdict = &state->version[model];
	reader_literal(reader, ":");
	while (status <= OCLMM_STATUS_UNDEFINED &&
	       !reader_literal(reader, oclmm_status_word((enum oclmm_status)status)))
		status++;
	if (status > OCLMM_STATUS_UNDEFINED)
		return reader_refuse(reader, "expected \"allowed\", \"forbidden\" or \"disputed\"");
	*verdict = (struct oclmm_expected_verdict){.status = (enum oclmm_status)status};
	if (status != OCLMM_STATUS_DISPUTED)
		return 0;
	if (!reader_literal(reader, ":"))
		return reader_refuse(reader, "expected \":\" and the rules that decide");
	do {
		if (!take_knob(reader, "+ ", &verdict->deciding))
			return reader_refuse(reader, "expected the name of a rule");
	} while (reader_literal(reader, "+"));
	return 0;
}

/* ` # K1 K8 opencl-2.1:forbidden`: the knobs of a disputed state, then the versions. */
static int take_verdicts(struct reader *reader, struct oclmm_expected_state *state)
{
	int r = 0;

	if (!reader_literal(reader, " #"))
		return reader_refuse(reader, "expected \" # \" and the rules that decide");
	while (reader_literal(reader, " ") && take_knob(reader, " ", &state->deciding))
		;
	if (state->status == OCLMM_STATUS_DISPUTED && !state->deciding)
		return reader_refuse(reader, "expected the name of a rule");
	for (unsigned v = 0; v < OCLMM_VERSION_COUNT; v++)
		state->version[v] = (struct oclmm_expected_verdict){state->status, state->deciding};
	while (r == 0 && !reader_at_end(reader)) {
		r = take_verdict(reader, state);
		if (r == 0 && !reader_literal(reader, " ") && !reader_at_end(reader))
			r = reader_refuse(reader, "expected one space");
	}
	return r;
}

/* `*> 0:r0=0; 1:r0=1;`, and for a disputed state ` # K1 K8`. */
static int take_state(struct reader *reader, struct oclmm_arena *arena,
                      const struct oclmm_expected *set, struct oclmm_expected_state *state)
{
	int64_t *values = OCLMM_NEW_ARRAY(arena, int64_t, set->width);
	int r;

	state->holds = reader_literal(reader, EXPECTED_HOLDS " ");
	if (!state->holds && !reader_literal(reader, EXPECTED_FAILS " "))
		return reader_refuse(reader,
		                     "expected \"" EXPECTED_HOLDS "\" or \"" EXPECTED_FAILS "\"");
	state->values = values;
	r = take_tuple(reader, set, values);
	if (r < 0)
		return r;
	if (state->status != OCLMM_STATUS_ALLOWED)
		return take_verdicts(reader, state);
	for (unsigned v = 0; v < OCLMM_VERSION_COUNT; v++)
		state->version[v].status = OCLMM_STATUS_ALLOWED;
	return reader_at_end(reader) ? 0 : reader_refuse(reader, "unexpected text after the state");
}

static bool is_mark(const struct reader *reader)
{
	size_t left = (size_t)(reader_end(reader) - reader->at);

	return left >= strlen(EXPECTED_HOLDS) &&
	       (memcmp(reader->at, EXPECTED_HOLDS, strlen(EXPECTED_HOLDS)) == 0 ||
	        memcmp(reader->at, EXPECTED_FAILS, strlen(EXPECTED_FAILS)) == 0);
}

static bool take_status(struct reader *reader, enum oclmm_status *ret_status)
{
	static const enum oclmm_status listed[] = {OCLMM_STATUS_ALLOWED, OCLMM_STATUS_DISPUTED,
	                                           OCLMM_STATUS_UNDEFINED};

	for (size_t i = 0; i < OCLMM_COUNT(listed); i++) {
		const char *at = reader->at;

		if (reader_begins(reader, oclmm_status_word(listed[i])) &&
		    reader_literal(reader, " ") &&
		    /* `undefined` is also why a program is, in words */
		    (listed[i] != OCLMM_STATUS_UNDEFINED || is_mark(reader))) {
			*ret_status = listed[i];
			return true;
		}
		reader->at = at;
	}
	return false;
}

int parse_state(struct reader *reader, struct oclmm_arena *arena, const struct oclmm_expected *set,
                struct states *states, bool *ret_taken)
{
	struct oclmm_expected_state *state;
	enum oclmm_status status;
	int r;

	*ret_taken = take_status(reader, &status);
	if (!*ret_taken)
		return 0;
	oclmm_grow(&states->at, &states->capacity, states->count, sizeof(*states->at));
	state = &states->at[states->count];
	*state = (struct oclmm_expected_state){.status = status};
	r = take_state(reader, arena, set, state);
	if (r < 0)
		return r;
	if (states->count &&
	    oclmm_compare_values(state[-1].values, state->values, set->width) >= 0) {
		reader->at = reader->lines.line;
		return reader_refuse(reader, "the states are not in ascending order");
	}
	states->count++;
	return 0;
}
