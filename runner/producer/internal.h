// SPDX-License-Identifier: Apache-2.0
/* A toolchain as find.c puts it together, and how its tools are run. */
#ifndef OCLMM_RUNNER_PRODUCER_INTERNAL_H
#define OCLMM_RUNNER_PRODUCER_INTERNAL_H

#include "producer.h"

/* How long tools may take, and how often one of them took longer. */
struct patience {
	double seconds;
	unsigned late;
};

struct producer {
	char *name;         /* of the back: `llvm-spirv-14` */
	char *front, *back; /* paths */
	bool translates;    /* the back is llvm-spirv; else llc */
	char *validator;    /* path */
	char *disassembler; /* the same; NULL: there is none */
	char *words;
	char *key; /* all that tells these tools from others */
	const char *folder;
	struct patience *patience;
};

/* The path of a program, malloc-ed; NULL where there is none. */
char *tool_find(const char *name);
/*
 * Runs a program: `input` is its standard input, `ret_output` what it writes to its standard
 * output. Nothing that it started outlives it. Returns 0, or -EBADMSG with what it said in
 * `error`; at once where tools were late too often.
 */
int tool_run(const char *const *arguments, struct patience *patience,
             const struct oclmm_text *input, struct oclmm_error *error,
             struct oclmm_text *ret_output);

#endif
