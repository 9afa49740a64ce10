// SPDX-License-Identifier: Apache-2.0
/*
 * Objects that a launch finds as they were set up show that a role was not played. So no execution
 * may leave one that is looked at so: of all tests of a folder, each such object is observed beside
 * what the test observes, and the oracle asked for its values.
 */
#include <stdio.h>
#include <stdlib.h>

#include "oclmm/codegen.h"
#include "oclmm/model.h"

#include "folder.h"

/* Room for what a test observes, and for what the second word of the table has bits for. */
enum { MOST_OBSERVED = 60, MOST_LOOKED_AT = 32 };

struct found {
	unsigned variants, elements;
};

/** The bits of the elements that are looked at, in the order of locations and elements. */
static uint64_t looked_at(const struct oclmm_program *program)
{
	static int64_t zero[] = {0};
	struct oclmm_outcome_domain domains[MOST_OBSERVED];
	const struct oclmm_outcome_space space = {program->observable_count, domains, 1};
	uint64_t *table, bits;
	size_t words;

	for (uint32_t i = 0; i < program->observable_count; i++)
		domains[i] = (struct oclmm_outcome_domain){zero, 1, 1};
	table = oclmm_count_table(program, &space, &words);
	bits = table[1];
	free(table);
	return bits;
}

static void judge(const struct oclmm_program *program, uint32_t first)
{
	const struct oclmm_check_options options = {.models = 1u << OCLMM_MODEL_CONSENSUS};
	struct oclmm_answer *answer;
	struct oclmm_error error;

	if (oclmm_check(program, &options, &error, &answer) != 0) {
		complain(program->name, "%s", error.message);
		return;
	}
	for (uint32_t r = 0; r < answer->reading_count; r++)
		for (uint32_t i = 0; i < answer->state_count && !answer->undefined_by[r]; i++)
			for (uint32_t o = first; o < program->observable_count; o++) {
				const struct oclmm_observable *kept = &program->observables[o];
				int64_t initial =
					program->locations[kept->location].initial[kept->element];

				if (answer->states[i].allowed_by[r] &&
				    answer->states[i].values[o] == initial)
					complain(program->name, "%s may keep its initial value",
					         program->locations[kept->location].name);
			}
	oclmm_answer_destroy(answer);
}

static void look(const struct oclmm_program *program, struct found *found)
{
	struct oclmm_observable all[MOST_OBSERVED + MOST_LOOKED_AT];
	struct oclmm_program more = *program;
	uint64_t bits;
	unsigned bit = 0;

	if (program->observable_count > MOST_OBSERVED) {
		complain(program->name, "more is observed than this test has room for");
		return;
	}
	bits = looked_at(program);
	for (uint32_t i = 0; i < program->observable_count; i++)
		all[i] = program->observables[i];
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t e = 0; l->space != OCLMM_SPACE_LOCAL && e < l->elements; e++, bit++)
			if (bit < MOST_LOOKED_AT && bits >> bit & 1)
				all[more.observable_count++] =
					(struct oclmm_observable){.location = i,
				                                  .element = e,
				                                  .type = l->type,
				                                  .name = l->name};
	}
	found->variants += more.observable_count > program->observable_count;
	found->elements += more.observable_count - program->observable_count;
	more.observables = all;
	if (more.observable_count > program->observable_count)
		judge(&more, program->observable_count);
}

static void look_at_file(const struct oclmm_litmus *litmus, void *data)
{
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		if (!oclmm_program_has_commands(litmus->variants[i].program) &&
		    !litmus->variants[i].program->shared)
			look(litmus->variants[i].program, data);
}

int main(int argc, char **argv)
{
	struct found found = {0};

	if (argc != 2)
		return 2;
	visit_folder(argv[1], look_at_file, &found);
	printf("%u objects of %u variants are looked at\n", found.elements, found.variants);
	return complaints > 0 || found.elements == 0;
}
