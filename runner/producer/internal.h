// SPDX-License-Identifier: Apache-2.0
#ifndef OCLMM_RUNNER_PRODUCER_INTERNAL_H
#define OCLMM_RUNNER_PRODUCER_INTERNAL_H

#include "producer.h"

struct producer {
	char *name;         /* of the back: `llvm-spirv-14` */
	char *front, *back; /* paths */
	bool translates;    /* the back is llvm-spirv; else llc */
	char *validator;    /* path */
	char *disassembler; /* the same; NULL: there is none */
	char *words;
	char *key; /* all that tells these tools from others */
	const char *folder;
};

/* The path of a program, malloc-ed; NULL where there is none. */
char *tool_find(const char *name);
/*
 * Runs a program: `input` is its standard input, `ret_output` what it writes to its standard
 * output. Returns 0, or -EBADMSG with what it said in `error`.
 */
int tool_run(const char *const *arguments, const struct oclmm_text *input,
             struct oclmm_error *error, struct oclmm_text *ret_output);

#endif
