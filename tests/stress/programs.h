// SPDX-License-Identifier: Apache-2.0
/* Programs with all kinds of placement, for tests of launches that need no device. */
#ifndef OCLMM_TESTS_STRESS_PROGRAMS_H
#define OCLMM_TESTS_STRESS_PROGRAMS_H

#include "oclmm/syntax.h"
#include "stress/environment.h"

extern const char program_across[], program_together[], program_mixed[];
/* Two litmus sub-groups in one work-group, one of them of two roles, and a role by itself. */
extern const char program_sub_grouped[];
/* With variables at program scope, of 24 bytes and of 4. */
extern const char program_at_scope[];
/* With images of three elements and of one. */
extern const char program_with_images[];

struct program_test {
	struct oclmm_litmus *litmus;
	const struct oclmm_program *program;
	struct oclmm_kernel_plan plan;
};

/* Fails the running test where the text is none. Destroy the litmus file. */
struct program_test program_read(const char *text);
struct oclmm_environment program_environment(uint32_t groups, uint32_t lanes, uint32_t rounds);

#endif
