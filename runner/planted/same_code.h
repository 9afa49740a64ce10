// SPDX-License-Identifier: Apache-2.0
/* Which orders and scopes are the same instructions on a machine. */
#ifndef OCLMM_RUNNER_PLANTED_SAME_CODE_H
#define OCLMM_RUNNER_PLANTED_SAME_CODE_H

#include "oclmm/ir.h"

enum code {
	CODE_UNKNOWN,
	CODE_X86, /* scopes are nothing; of orders a seq_cst store and a seq_cst fence tell */
	/* the same, but a seq_cst load has an mfence, and so has a fence of both sides, where they
	 * reach another work-group; a minimum that changes nothing is a load */
	CODE_INTEL,
	/* NVIDIA's: each order but relaxed is a membar of its scope before an access, behind it or
	 * both, and what is relaxed has no scope (PTX of driver 580.159.04) */
	CODE_MEMBAR,
};

/* The program with each order and scope as strong as it can be without another instruction. */
struct oclmm_program *code_of(enum code code, struct oclmm_arena *arena,
                              const struct oclmm_program *program);

#endif
