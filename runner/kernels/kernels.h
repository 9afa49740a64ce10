// SPDX-License-Identifier: Apache-2.0
/*
 * Whole kernels, `.cl` files, in place of litmus files: options of a launch, what the compiler
 * makes of a file, and the oracle's answer.
 *
 * May see: select, producer, kernel.
 */
#ifndef OCLMM_RUNNER_KERNELS_KERNELS_H
#define OCLMM_RUNNER_KERNELS_KERNELS_H

#include "cli/cli.h"
#include "oclmm/expect.h"
#include "oclmm/kernel.h"

/* Options of a launch, as the command line gives them. */
struct kernel_options {
	struct oclmm_kernel_setup setup;
	bool given;          /* there is at least one */
	bool explains;       /* what is undefined: how it comes about, and what mends it */
	const char *compile; /* options of the compiler, or NULL */
	/* how the answer is given */
	bool json;
	const char *dot, *svg; /* files for the picture, `-` is standard output; or NULL */
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
		{"legacy-scope", 0, "SCOPE",                                                       \
	         "of a kernel: functions of OpenCL 1.x between groups, `device` (work_group)",     \
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
/* A file as it was read: its text, and how the comment at its head and the command line launch it.
 */
struct kernel_file {
	const char *path;
	char *text;
	struct oclmm_arena *arena;
	struct oclmm_kernel_setup setup;
	struct oclmm_text compile; /* options of the compiler */
	struct oclmm_text
		whole;    /* the text with what it includes; empty where it includes nothing */
	const char *name; /* what chooses it: the path, and the options that were given beside it */
};

/* Returns 0, or the exit status after a message. The caller finishes the file either way. */
int kernel_file_read(struct kernel_file *file, const char *path,
                     const struct kernel_options *options);
/* Reads the file that such a name chooses, with its options. */
int kernel_file_read_named(struct kernel_file *file, const char *name);
/*
 * Compiles it and asks the oracle, which may take so many seconds of processor time. Returns 0 with
 * an answer; after a message 2 where it is refused, or not understood, which leaves an answer as
 * well; 77 without a compiler.
 */
int kernel_file_check(struct kernel_file *file, double seconds,
                      struct oclmm_kernel_answer **ret_answer);
void kernel_file_finish(struct kernel_file *file);
/* Adds the option by which clang finds what the file includes beside it, and a blank. */
void kernel_file_folder(const struct kernel_file *file, struct oclmm_text *options);

/* A kernel among tests: by these it has a record, and is judged. In the answer's arena. */
struct kernel_test {
	struct oclmm_program *program;
	struct oclmm_expected *expected;
};
struct kernel_test kernel_test_of(const struct kernel_file *file,
                                  const struct oclmm_kernel_answer *answer);
/* Answers for a file, and prints it. Returns the exit status: as above, and 2 where the kernel is
 * not understood, 99 where a limit was reached. */
int kernel_check(const struct command *command, const char *path,
                 const struct kernel_options *options, double seconds, bool quiet);

#endif
