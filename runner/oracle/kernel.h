// SPDX-License-Identifier: Apache-2.0
/* Whole kernels, `.cl` files, in place of litmus files. */
#ifndef OCLMM_RUNNER_ORACLE_KERNEL_H
#define OCLMM_RUNNER_ORACLE_KERNEL_H

#include "cli/cli.h"
#include "oclmm/kernel.h"

/* Options of a launch, as the command line gives them. */
struct kernel_options {
	struct oclmm_kernel_setup setup;
	bool given;          /* there is at least one */
	bool explains;       /* what is undefined: how it comes about, and what mends it */
	const char *compile; /* options of the compiler, or NULL */
};

#define KERNEL_OPTIONS(holder)                                                                     \
	{"arg", 0, "NAME=VALUES",                                                                  \
	 "of a kernel: what a parameter is, `x=0,0`, `n=4`; of local memory its elements",         \
	 SETS_BY(kernel_option, holder, kernel)},                                                  \
		{"ask", 0, "CONDITION", "of a kernel: whether its end can be so, `x[0] == 3`",     \
	         SETS_BY(kernel_option, holder, kernel)},                                          \
		{"build", 0, "OPTIONS", "of a kernel: options of its compiler, `-DN=2`",           \
	         SETS_TEXT(holder, kernel.compile)},                                               \
		{"global", 0, "SIZE", "of a kernel: how many work-items, `4` or `4,2`",            \
	         SETS_BY(kernel_option, holder, kernel)},                                          \
		{"kernel", 0, "NAME", "of a kernel: which one of the file",                        \
	         SETS_BY(kernel_option, holder, kernel)},                                          \
		{"local", 0, "SIZE", "of a kernel: work-items of a group (all)",                   \
	         SETS_BY(kernel_option, holder, kernel)},                                          \
		{"offset", 0, "SIZE", "of a kernel: the first global id (0)",                      \
	         SETS_BY(kernel_option, holder, kernel)},                                          \
		{"sub-group", 0, "SIZE", "of a kernel: work-items of a sub-group (the group's)",   \
	         SETS_BY(kernel_option, holder, kernel)},                                          \
	{                                                                                          \
		"unroll", 0, "N", "of a kernel: turns of a loop (as many as it takes)",            \
			SETS_BY(kernel_option, holder, kernel)                                     \
	}

/* One of them; `target` is a struct kernel_options. */
int kernel_option(const char *option, const char *value, void *target);
/* Whether an argument is the name of a kernel's file. */
bool kernel_is_file(const char *argument);
/*
 * Answers for a file. Returns the exit status: 0 answered; 2 a file or a launch that is refused; 77
 * without a compiler; 99 a limit was reached.
 */
int kernel_check(const char *path, const struct kernel_options *options, double seconds,
                 bool quiet);

#endif
