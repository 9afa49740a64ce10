// SPDX-License-Identifier: Apache-2.0
/*
 * The launches of a record as JSON, both ways. Blocks are arrays of numbers, equal ones that
 * follow each other one array: [how many, launches and hits of the test, launches and hits of
 * the first control, ...].
 */
#include <errno.h>
#include <string.h>

#include "json.h"
#include "results.h"

/* ---- writing ---- */

static json_t *controls_array(const struct oclmm_evidence *evidence)
{
	json_t *array = json_array();

	for (size_t i = 0; i < evidence->control_count; i++) {
		const struct oclmm_evidence_control *control = &evidence->controls[i];
		json_t *object = json_object();

		json_object_set_new(object, "name", json_string(control->name));
		json_object_set_new(object, "kind",
		                    json_string(oclmm_control_kind_word(control->kind)));
		json_object_set_new(object, "hash", json_hex(control->hash));
		json_object_set_new(object, "instances", json_count(control->instances));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *blocks_array(const struct oclmm_evidence *evidence)
{
	json_t *array = json_array();

	for (size_t i = 0; i < evidence->block_count; i++) {
		const struct oclmm_evidence_blocks *blocks = &evidence->blocks[i];
		json_t *numbers = json_array();

		json_array_append_new(numbers, json_count(blocks->repeat));
		for (size_t k = 0; k <= evidence->control_count; k++) {
			json_array_append_new(numbers, json_count(blocks->members[k].launches));
			json_array_append_new(numbers, json_count(blocks->members[k].hits));
		}
		json_array_append_new(array, numbers);
	}
	return array;
}

static json_t *outcomes_array(const struct oclmm_program *program,
                              const struct oclmm_evidence *evidence)
{
	json_t *array = json_array();

	for (size_t i = 0; i < evidence->outcome_count; i++) {
		json_t *object = json_object();

		json_object_set_new(object, "values",
		                    json_values(program, evidence->outcomes[i].values));
		json_object_set_new(object, "count", json_count(evidence->outcomes[i].count));
		json_array_append_new(array, object);
	}
	return array;
}

json_t *json_evidence(const struct oclmm_record *record)
{
	const struct oclmm_evidence *evidence = record->evidence;
	json_t *object = json_object();

	json_object_set_new(object, "controls", controls_array(evidence));
	json_object_set_new(object, "blocks", blocks_array(evidence));
	json_object_set_new(object, "shown", outcomes_array(record->program, evidence));
	json_object_set_new(object, "rounds", json_count(evidence->rounds));
	json_object_set_new(object, "met", json_count(evidence->met));
	return object;
}

/* ---- reading ---- */

struct evidence_line {
	json_t *controls, *blocks, *shown;
	uint64_t rounds, met;
};

static const struct field evidence_fields[] = {
	{"controls", FIELD_LIST, offsetof(struct evidence_line, controls)},
	{"blocks", FIELD_LIST, offsetof(struct evidence_line, blocks)},
	{"shown", FIELD_LIST, offsetof(struct evidence_line, shown)},
	{"rounds", FIELD_COUNT, offsetof(struct evidence_line, rounds)},
	{"met", FIELD_COUNT, offsetof(struct evidence_line, met)},
	{0},
};

struct control_line {
	const char *name, *kind;
	uint64_t hash, instances;
};

static const struct field control_fields[] = {
	{"name", FIELD_TEXT, offsetof(struct control_line, name)},
	{"kind", FIELD_TEXT, offsetof(struct control_line, kind)},
	{"hash", FIELD_HEX, offsetof(struct control_line, hash)},
	{"instances", FIELD_COUNT, offsetof(struct control_line, instances)},
	{0},
};

struct shown_line {
	json_t *values;
	uint64_t count;
};

static const struct field shown_fields[] = {
	{"values", FIELD_OBJECT, offsetof(struct shown_line, values)},
	{"count", FIELD_COUNT, offsetof(struct shown_line, count)},
	{0},
};

static bool find_kind(const char *word, enum oclmm_control_kind *ret_kind)
{
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++) {
		enum oclmm_control_kind kind = (enum oclmm_control_kind)i;

		if (strcmp(oclmm_control_kind_word(kind), word) == 0) {
			*ret_kind = kind;
			return true;
		}
	}
	return false;
}

static int read_control(const struct line *line, json_t *object, struct oclmm_evidence *evidence)
{
	struct control_line control = {0};
	enum oclmm_control_kind kind;
	int r;

	if (!json_is_object(object))
		return line_refuse(line, "controls", "a control is no object");
	r = fields_read(line, object, control_fields, &control);
	if (r < 0)
		return r;
	if (!find_kind(control.kind, &kind))
		return line_refuse(line, "kind", "unknown kind of control \"%s\"", control.kind);
	if (oclmm_evidence_add_control(evidence, control.name, kind, control.hash) < 0)
		return line_refuse(line, "controls", "the control \"%s\" stands twice",
		                   control.name);
	oclmm_evidence_add_instances(evidence, evidence->control_count - 1, control.instances);
	return 0;
}

/* `number` counts blocks from 1, for messages. */
static int check_members(const struct line *line, size_t number,
                         const struct oclmm_launches *members, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (members[i].hits > members[i].launches)
			return line_refuse(line, "blocks",
			                   "block %zu has hits in %llu launches of %llu", number,
			                   (unsigned long long)members[i].hits,
			                   (unsigned long long)members[i].launches);
	}
	return 0;
}

static int read_numbers(const struct line *line, size_t number, json_t *numbers, size_t count,
                        uint64_t *values)
{
	if (json_array_size(numbers) != count)
		return line_refuse(line, "blocks",
		                   "block %zu has %zu numbers, the test and its controls need %zu",
		                   number, json_array_size(numbers), count);
	for (size_t i = 0; i < count; i++) {
		json_t *value = json_array_get(numbers, i);

		if (!json_is_integer(value) || json_integer_value(value) < 0)
			return line_refuse(line, "blocks",
			                   "block %zu has a count that is no whole number from 0",
			                   number);
		values[i] = (uint64_t)json_integer_value(value);
	}
	return 0;
}

static int read_block(const struct line *line, size_t number, json_t *numbers,
                      struct oclmm_evidence *evidence)
{
	size_t members = 1 + evidence->control_count;
	uint64_t *values = OCLMM_NEW_ARRAY(line->arena, uint64_t, 1 + 2 * members);
	struct oclmm_launches *launches = OCLMM_NEW_ARRAY(line->arena, struct oclmm_launches,
	                                                  members);
	int r = read_numbers(line, number, numbers, 1 + 2 * members, values);

	for (size_t i = 0; r == 0 && i < members; i++)
		launches[i] = (struct oclmm_launches){values[1 + 2 * i], values[2 + 2 * i]};
	if (r == 0)
		r = check_members(line, number, launches, members);
	if (r < 0)
		return r;
	if (!values[0])
		return line_refuse(line, "blocks", "block %zu did not run: it is repeated 0 times",
		                   number);
	if (oclmm_evidence_add_blocks(evidence, values[0], launches) < 0)
		return line_refuse(line, "blocks",
		                   "block %zu has too many launches; a block has at most %d",
		                   number, OCLMM_BLOCK_LAUNCHES);
	return 0;
}

static int read_shown(const struct line *line, json_t *object, struct oclmm_program *program,
                      struct oclmm_evidence *evidence)
{
	int64_t *values = OCLMM_NEW_ARRAY(line->arena, int64_t, program->observable_count);
	struct shown_line shown = {0};
	int r;

	if (!json_is_object(object))
		return line_refuse(line, "shown", "an outcome is no object");
	r = fields_read(line, object, shown_fields, &shown);
	if (r == 0)
		r = results_read_values(line, program, shown.values, values);
	if (r == 0)
		oclmm_evidence_add_outcome(evidence, values, shown.count);
	return r;
}

static int read_parts(const struct line *line, const struct evidence_line *parts,
                      struct oclmm_program *program, struct oclmm_evidence *evidence)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < json_array_size(parts->controls); i++)
		r = read_control(line, json_array_get(parts->controls, i), evidence);
	for (size_t i = 0; r == 0 && i < json_array_size(parts->blocks); i++)
		r = read_block(line, i + 1, json_array_get(parts->blocks, i), evidence);
	for (size_t i = 0; r == 0 && i < json_array_size(parts->shown); i++)
		r = read_shown(line, json_array_get(parts->shown, i), program, evidence);
	return r;
}

/* What the evidence claims cannot be more than what the record says was done. */
static int check_whole(const struct line *line, const struct oclmm_record *record,
                       const struct evidence_line *parts, const struct oclmm_evidence *evidence)
{
	uint64_t launches = oclmm_evidence_sum(evidence, 0).launches;

	if (launches > record->launches)
		return line_refuse(line, "blocks",
		                   "the blocks have %llu launches of the test, which had %llu",
		                   (unsigned long long)launches,
		                   (unsigned long long)record->launches);
	if (record->control && !oclmm_evidence_find(evidence, record->control))
		return line_refuse(line, "controls", "the control \"%s\" is missing",
		                   record->control);
	if (parts->met > parts->rounds)
		return line_refuse(line, "met", "the roles met in %llu rounds of %llu",
		                   (unsigned long long)parts->met,
		                   (unsigned long long)parts->rounds);
	return 0;
}

int results_read_evidence(const struct line *line, json_t *object, struct oclmm_program *program,
                          struct oclmm_record *record)
{
	struct oclmm_evidence *evidence = oclmm_evidence_create(line->arena,
	                                                        program->observable_count);
	struct evidence_line parts = {0};
	int r = fields_read(line, object, evidence_fields, &parts);

	if (r == 0)
		r = read_parts(line, &parts, program, evidence);
	if (r == 0)
		r = check_whole(line, record, &parts, evidence);
	if (r < 0)
		return r;
	oclmm_evidence_add_rounds(evidence, parts.rounds, parts.met);
	record->evidence = evidence;
	return 0;
}
