// SPDX-License-Identifier: Apache-2.0
/*
 * plant_kernel PLANT FILE...: prints what a driver with a plant would be given for each variant of
 * litmus files: a line `//// PLACES NAME`, and the kernels. With `none` they are as they should be.
 * The outcome spaces are not the oracle's but depend on the observables' types alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/codegen.h"
#include "oclmm/syntax.h"
#include "plant/plant.h"

static struct oclmm_outcome_domain domain_of(enum oclmm_type type)
{
	static int64_t small[] = {0, 1}, wide[] = {-1, 0, 1LL << 32};

	if (oclmm_type_bits(type) == 64)
		return (struct oclmm_outcome_domain){wide, 3, 0};
	return (struct oclmm_outcome_domain){small, 2, 0};
}

static int complain(const struct oclmm_error *error)
{
	char *text = oclmm_error_format(error);

	fputs(text, stderr);
	free(text);
	return 1;
}

/* A text that work-items share. */
static void print_whole(const struct oclmm_program *program, const struct oclmm_mutation *mutation)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_changed changed = {.program = oclmm_program_copy(arena, program)};
	struct oclmm_text text;

	if (mutation)
		changed = oclmm_change_program(arena, program, mutation);
	oclmm_generate_whole(changed.program, &text);
	printf("//// %zu %s\n%s", changed.places, program->name, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	oclmm_arena_destroy(arena);
}

static void print(const struct oclmm_program *program, const struct oclmm_mutation *mutation)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_outcome_space space = {.observable_count = program->observable_count};
	struct oclmm_codegen_options options = {.change = mutation};
	struct oclmm_error error = {0};
	struct oclmm_text text;

	if (program->shared) {
		oclmm_arena_destroy(arena);
		print_whole(program, mutation);
		return;
	}
	space.domains = OCLMM_NEW_ARRAY(arena, struct oclmm_outcome_domain,
	                                program->observable_count + 1);
	for (uint32_t i = 0; i < program->observable_count; i++)
		space.domains[i] = domain_of(program->observables[i].type);
	oclmm_outcome_space_number(&space);
	/* programs of host threads and the like have no kernels */
	if (oclmm_generate(program, &space, &options, &error, &text) == 0) {
		printf("//// %zu %s\n%s",
		       mutation ? oclmm_change_program(arena, program, mutation).places +
		                          (mutation->what >= OCLMM_WHAT_LOCAL_IDS)
		                : 0,
		       program->name, oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
	oclmm_arena_destroy(arena);
}

int main(int argc, char **argv)
{
	char message[PLANT_MESSAGE];
	struct plant plant;

	if (argc < 3 || !plant_parse(argv[1], &plant, message)) {
		fprintf(stderr, "%s\n", argc < 3 ? "usage: plant_kernel PLANT FILE..." : message);
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		struct oclmm_litmus *litmus;
		struct oclmm_error error = {0};

		if (oclmm_litmus_read(argv[i], NULL, &error, &litmus) < 0)
			return complain(&error);
		for (uint32_t v = 0; v < litmus->variant_count; v++)
			print(litmus->variants[v].program,
			      plant.bug == PLANT_NONE ? NULL : &plant.mutation);
		oclmm_litmus_destroy(litmus);
	}
	return 0;
}
