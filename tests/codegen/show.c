// SPDX-License-Identifier: Apache-2.0
/*
 * codegen_show [--parts] [--any-count] [--split] [--direct] [--sums] [--quads] [--waits] FILE:
 * prints the kernels of a litmus file's base variant, or why there are none. With --parts, what all
 * programs have in common is left out. The outcome space is not the oracle's but one that depends
 * on the observables' types alone, with small and large values.
 */
#include "oclmm/codegen.h"
#include "oclmm/syntax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct oclmm_outcome_domain domain_of(enum oclmm_type type)
{
	static int64_t small[] = {0, 1}, scattered[] = {0, 7, 300}, wide[] = {-1, 0, 1LL << 32};

	if (oclmm_type_bits(type) == 64)
		return (struct oclmm_outcome_domain){wide, 3, 0};
	if (type == OCLMM_TYPE_UINT)
		return (struct oclmm_outcome_domain){scattered, 3, 0};
	return (struct oclmm_outcome_domain){small, 2, 0};
}

static void print_parts(const char *text)
{
	const char *start = strstr(text, "\nstruct P"), *other = strstr(text, "\nstatic void P");
	const char *end = strstr(strstr(text, "kernel void oclmm_test("),
	                         "\nstatic void oclmm_add(");
	const char *count = strstr(text, "\tfor (; done < end");

	if (!start || (other && other < start))
		start = other;
	printf("%.*s", (int)(end - start), start);
	/* of the counting kernel, what is done for each instance */
	printf("%.*s\n", (int)(strstr(count, "\n\t\t}\n") - count + 4), count);
}

static int complain(const struct oclmm_error *error)
{
	char *text = oclmm_error_format(error);

	fputs(text, stderr);
	free(text);
	return 1;
}

/* \return the number of options taken, or -1. */
static int read_options(int argc, char **argv, struct oclmm_codegen_options *options, bool *parts)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--parts"))
			*parts = true;
		else if (!strcmp(argv[i], "--any-count"))
			options->any_count = true;
		else if (!strcmp(argv[i], "--split"))
			options->split = true;
		else if (!strcmp(argv[i], "--direct"))
			options->direct = true;
		else if (!strcmp(argv[i], "--quads"))
			options->quads = true;
		else if (!strcmp(argv[i], "--waits"))
			options->waits = true;
		else if (!strcmp(argv[i], "--calm"))
			options->calm = true;
		else if (!strcmp(argv[i], "--sums"))
			options->direct = options->sums = true;
		else
			return -1;
	}
	return i - 1;
}

int main(int argc, char **argv)
{
	struct oclmm_codegen_options options = {0};
	bool parts = false;
	int taken = read_options(argc, argv, &options, &parts);
	struct oclmm_outcome_domain domains[16];
	struct oclmm_outcome_space space = {.domains = domains, .size = 1};
	const struct oclmm_program *program;
	struct oclmm_litmus *litmus;
	struct oclmm_text source;
	struct oclmm_error error;
	struct oclmm_arena *arena;
	int r;

	if (taken < 0 || argc != 2 + taken)
		return 2;
	if (oclmm_litmus_read(argv[argc - 1], NULL, &error, &litmus) < 0)
		return complain(&error);
	program = litmus->variants[0].program;
	space.observable_count = program->observable_count;
	for (uint32_t i = space.observable_count; i-- > 0;) {
		domains[i] = domain_of(program->observables[i].type);
		domains[i].stride = space.size;
		space.size *= domains[i].count;
	}
	arena = oclmm_arena_create();
	/* as a device is given it; what cannot be is refused by the generator */
	if (oclmm_has_inner_barrier(program))
		(void)oclmm_fuse(arena, program, &error, &program);
	r = oclmm_generate(program, &space, &options, &error, &source);
	oclmm_arena_destroy(arena);
	if (r < 0) {
		oclmm_litmus_destroy(litmus);
		return complain(&error);
	}
	if (parts)
		print_parts(oclmm_text_string(&source));
	else
		fputs(oclmm_text_string(&source), stdout);
	oclmm_text_finish(&source);
	oclmm_litmus_destroy(litmus);
	return 0;
}
