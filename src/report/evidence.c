// SPDX-License-Identifier: Apache-2.0
/*
 * The launches of a record as JSON, both ways. Blocks are arrays of numbers, equal ones that
 * follow each other one array: [how many, launches, hits and instances of the test, launches, hits
 * and instances of the first control, ...]. Instances may be missing in all.
 */
#include <errno.h>

#include "json.h"
#include "pieces.h"
#include "results.h"

/* ---- writing ---- */

static json_t *controls_array(const struct oclmm_evidence *evidence)
{
	json_t *array = json_array();

	for (size_t i = 0; i < evidence->control_count; i++)
		json_array_append_new(array, fields_write(&control_fields, &evidence->controls[i]));
	return array;
}

static json_t *count_json(uint64_t count)
{
	return json_integer((json_int_t)count);
}

static json_t *block_numbers(const struct oclmm_evidence_blocks *blocks, size_t members)
{
	json_t *numbers = json_array();

	json_array_append_new(numbers, count_json(blocks->repeat));
	for (size_t i = 0; i < members; i++) {
		json_array_append_new(numbers, count_json(blocks->members[i].launches));
		json_array_append_new(numbers, count_json(blocks->members[i].hits));
		if (blocks->instances)
			json_array_append_new(numbers, count_json(blocks->instances[i]));
	}
	return numbers;
}

static json_t *blocks_array(const struct oclmm_evidence *evidence)
{
	json_t *array = json_array();

	for (size_t i = 0; i < evidence->block_count; i++)
		json_array_append_new(array, block_numbers(&evidence->blocks[i],
		                                           1 + evidence->control_count));
	return array;
}

static json_t *outcomes_array(const struct oclmm_program *program,
                              const struct oclmm_evidence *evidence)
{
	json_t *array = json_array();

	for (size_t i = 0; i < evidence->outcome_count; i++) {
		const struct shown_line shown = {
			.values = json_values(program, evidence->outcomes[i].values),
			.count = evidence->outcomes[i].count,
		};

		json_array_append_new(array, fields_write(&shown_fields, &shown));
	}
	return array;
}

json_t *json_evidence(const struct oclmm_record *record)
{
	const struct oclmm_evidence *evidence = record->evidence;
	const struct evidence_line line = {
		.controls = controls_array(evidence),
		.blocks = blocks_array(evidence),
		.shown = outcomes_array(record->program, evidence),
		.rounds = evidence->rounds,
		.met = evidence->met,
	};

	return fields_write(&evidence_fields, &line);
}

/* ---- reading ---- */

static int read_control(const struct line *line, json_t *object, struct oclmm_evidence *evidence)
{
	struct oclmm_evidence_control control = {0};
	int r = fields_read(line, object, &control_fields, &control);

	if (r < 0)
		return r;
	if (oclmm_evidence_add_control(evidence, control.name, control.kind, control.hash) < 0)
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

static int read_numbers(const struct line *line, size_t number, json_t *numbers, uint64_t *values)
{
	for (size_t i = 0; i < json_array_size(numbers); i++) {
		json_t *value = json_array_get(numbers, i);

		if (!json_is_integer(value) || json_integer_value(value) < 0)
			return line_refuse(line, "blocks",
			                   "block %zu has a count that is no whole number from 0",
			                   number);
		values[i] = (uint64_t)json_integer_value(value);
	}
	return 0;
}

static int refuse_block(const struct line *line, size_t number, int error)
{
	if (error == -EINVAL)
		return line_refuse(line, "blocks",
		                   "block %zu has launches with different numbers of instances",
		                   number);
	return line_refuse(line, "blocks",
	                   "block %zu has too many launches; a block has at most %d", number,
	                   OCLMM_BLOCK_LAUNCHES);
}

/* Room for a block as it is read, and as it is added. */
struct block {
	uint64_t *values;
	struct oclmm_launches *launches;
	uint64_t *instances;
};

static struct block make_block(const struct line *line, size_t members)
{
	return (struct block){
		.values = OCLMM_NEW_ARRAY(line->arena, uint64_t, 1 + 3 * members),
		.launches = OCLMM_NEW_ARRAY(line->arena, struct oclmm_launches, members),
		.instances = OCLMM_NEW_ARRAY(line->arena, uint64_t, members),
	};
}

static int check_instances(const struct line *line, size_t number, const struct block *block,
                           size_t members)
{
	for (size_t i = 0; i < members; i++) {
		if (block->instances[i] < block->launches[i].launches)
			return line_refuse(line, "blocks",
			                   "block %zu has %llu launches and %llu instances", number,
			                   (unsigned long long)block->launches[i].launches,
			                   (unsigned long long)block->instances[i]);
	}
	return 0;
}

static int add_block(const struct line *line, size_t number, const struct block *block, size_t each,
                     struct oclmm_evidence *evidence)
{
	size_t count = 1 + evidence->control_count;
	int r;

	for (size_t i = 0; i < count; i++) {
		const uint64_t *of_member = block->values + 1 + each * i;

		block->launches[i] = (struct oclmm_launches){of_member[0], of_member[1]};
		block->instances[i] = each > 2 ? of_member[2] : 0;
	}
	r = check_members(line, number, block->launches, count);
	if (r == 0 && each > 2)
		r = check_instances(line, number, block, count);
	if (r < 0)
		return r;
	if (!block->values[0])
		return line_refuse(line, "blocks", "block %zu did not run: it is repeated 0 times",
		                   number);
	r = oclmm_evidence_add_sized_blocks(evidence, block->values[0], block->launches,
	                                    each > 2 ? block->instances : NULL);
	return r < 0 ? refuse_block(line, number, r) : 0;
}

static int check_size(const struct line *line, size_t number, size_t size, size_t members)
{
	if (size == 1 + 2 * members || size == 1 + 3 * members)
		return 0;
	return line_refuse(line, "blocks",
	                   "block %zu has %zu numbers, the test and its controls need "
	                   "%zu, or %zu with their instances",
	                   number, size, 1 + 2 * members, 1 + 3 * members);
}

/* As JSON values, or as they stand in the line: one of both has none. */
static int read_blocks(const struct line *line, json_t *array, struct oclmm_evidence *evidence)
{
	size_t members = 1 + evidence->control_count, number = 0, at = 0, size;
	const struct block block = make_block(line, members);
	int r = 0;

	for (; r == 0 && number < json_array_size(array); number++) {
		json_t *numbers = json_array_get(array, number);

		size = json_array_size(numbers);
		r = check_size(line, number + 1, size, members);
		if (r == 0)
			r = read_numbers(line, number + 1, numbers, block.values);
		if (r == 0)
			r = add_block(line, number + 1, &block, (size - 1) / members, evidence);
	}
	while (r == 0 && line->blocks && (size = blocks_next_size(line, at)) > 0) {
		r = check_size(line, ++number, size, members);
		if (r < 0)
			return r;
		blocks_next(line, &at, block.values);
		r = add_block(line, number, &block, (size - 1) / members, evidence);
	}
	return r;
}

static int read_shown(const struct line *line, json_t *object, struct oclmm_program *program,
                      struct oclmm_evidence *evidence)
{
	int64_t *values = OCLMM_NEW_ARRAY(line->arena, int64_t, program->observable_count);
	struct shown_line shown = {0};
	int r = fields_read(line, object, &shown_fields, &shown);

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
	if (r == 0)
		r = read_blocks(line, parts->blocks, evidence);
	for (size_t i = 0; r == 0 && i < json_array_size(parts->shown); i++)
		r = read_shown(line, json_array_get(parts->shown, i), program, evidence);
	return r;
}

/* Each launch counted an instance at least, each hit showed an outcome, and each outcome is that of
 * an instance. */
static int check_counts(const struct line *line, const struct oclmm_evidence *evidence)
{
	uint64_t hits = 0, shown = 0, instances = 0;

	for (size_t i = 0; i < evidence->control_count; i++) {
		const struct oclmm_evidence_control *control = &evidence->controls[i];
		const struct oclmm_launches sum = oclmm_evidence_sum(evidence, 1 + i);

		if (sum.launches > control->instances)
			return line_refuse(
				line, "controls",
				"the control \"%s\" has %llu launches and %llu instances",
				control->name, (unsigned long long)sum.launches,
				(unsigned long long)control->instances);
		hits += sum.hits;
		instances = oclmm_add_saturating(instances, control->instances);
	}
	for (size_t i = 0; i < evidence->outcome_count; i++)
		shown = oclmm_add_saturating(shown, evidence->outcomes[i].count);
	if (hits > shown)
		return line_refuse(line, "shown",
		                   "the controls have hits in %llu launches, and showed %llu "
		                   "outcomes",
		                   (unsigned long long)hits, (unsigned long long)shown);
	if (shown > instances)
		return line_refuse(line, "shown",
		                   "the controls showed %llu outcomes in %llu instances",
		                   (unsigned long long)shown, (unsigned long long)instances);
	return 0;
}

/* Instances of the test's launches that the blocks tell of. */
static uint64_t count_instances(const struct oclmm_evidence *evidence)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < evidence->block_count; i++) {
		const struct oclmm_evidence_blocks *blocks = &evidence->blocks[i];

		if (!blocks->instances)
			continue;
		if (blocks->instances[0] && blocks->repeat > UINT64_MAX / blocks->instances[0])
			return UINT64_MAX;
		sum = oclmm_add_saturating(sum, blocks->repeat * blocks->instances[0]);
	}
	return sum;
}

/* The record's own control is a variant of the test, so a weaker one. */
static int check_control(const struct line *line, const char *name,
                         const struct oclmm_evidence *evidence)
{
	const struct oclmm_evidence_control *control = oclmm_evidence_find(evidence, name);

	if (!control)
		return line_refuse(line, "controls", "the control \"%s\" is missing", name);
	if (control->kind != OCLMM_CONTROL_WEAKER)
		return line_refuse(line, "controls",
		                   "the control \"%s\" is a variant of the test, and not %s", name,
		                   oclmm_control_kind_word(control->kind));
	return 0;
}

/* Neither cut nor filtered. */
static uint64_t count_outcomes(const struct oclmm_record *record)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < record->grade.row_count; i++)
		sum += record->grade.rows[i].count;
	return sum;
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
	if (launches > count_outcomes(record))
		return line_refuse(line, "blocks",
		                   "the blocks have %llu launches of the test, which had %llu "
		                   "outcomes",
		                   (unsigned long long)launches,
		                   (unsigned long long)count_outcomes(record));
	if (count_instances(evidence) > record->instances)
		return line_refuse(line, "blocks",
		                   "the blocks have %llu instances of the test, which had %llu",
		                   (unsigned long long)count_instances(evidence),
		                   (unsigned long long)record->instances);
	if (parts->met > parts->rounds)
		return line_refuse(line, "met", "the roles met in %llu rounds of %llu",
		                   (unsigned long long)parts->met,
		                   (unsigned long long)parts->rounds);
	return record->control ? check_control(line, record->control, evidence) : 0;
}

int results_read_evidence(const struct line *line, json_t *object, struct oclmm_program *program,
                          struct oclmm_record *record)
{
	struct oclmm_evidence *evidence = oclmm_evidence_create(line->arena,
	                                                        program->observable_count);
	struct evidence_line parts = {0};
	int r = fields_read(line, object, &evidence_fields, &parts);

	if (r == 0)
		r = read_parts(line, &parts, program, evidence);
	if (r == 0)
		r = check_counts(line, evidence);
	if (r == 0)
		r = check_whole(line, record, &parts, evidence);
	if (r < 0)
		return r;
	oclmm_evidence_add_rounds(evidence, parts.rounds, parts.met);
	record->evidence = evidence;
	return 0;
}
