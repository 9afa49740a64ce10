// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * `audit`: judges the code that a compiler makes of tests, by the model of the machine that it is
 * for. No device takes part.
 *
 * May see: process, select, machine, plant, saved, kernels.
 */
#ifndef OCLMM_RUNNER_AUDIT_AUDIT_H
#define OCLMM_RUNNER_AUDIT_AUDIT_H

#include "cli/cli.h"
#include "kernels/kernels.h"
#include "oclmm/change.h"
#include "oclmm/expect.h"
#include "oclmm/grade.h"
#include "oclmm/machine.h"
#include "select/select.h"

/* X(enumerator, word, what it means) */
#define AUDIT_VERDICTS(X)                                                                          \
	X(RIGHT, "right", "the machine code allows only what OpenCL allows")                       \
	X(WRONG, "wrong", "it allows what every reading of OpenCL forbids")                        \
	X(KNOWN, "known", "it is wrong or not built, and listed as such")                          \
	X(STALE, "stale", "it is right, and listed as wrong or not built")                         \
	X(UNREADABLE, "unreadable", "an instruction that the reader does not know")                \
	X(TOO_LARGE, "too-large", "more executions than are looked at")                            \
	X(NOT_BUILT, "not-built", "the compiler refuses it")                                       \
	X(UNDEFINED, "undefined", "the test has no defined behaviour; not judged")                 \
	X(SKIP, "skip", "the test needs what a bare thread does not have")

enum audit_verdict {
#define OCLMM_X(name, ...) AUDIT_##name,
	AUDIT_VERDICTS(OCLMM_X)
#undef OCLMM_X
		AUDIT_VERDICT_COUNT
};
const char *audit_verdict_word(enum audit_verdict verdict);

/* ---- compilers ---------------------------------------------------------- */

/**
 * Builds a text with the compiler of a device, as oclmm_device_build_apart(); NULL in a program
 * without OpenCL.
 */
extern int (*audit_device_build)(const char *device, const char *source, struct oclmm_error *error,
                                 struct oclmm_text *ret_name, struct oclmm_text *ret_binary);

/* A compiler that makes code for a machine. */
struct audit_compiler;

/**
 * Finds a compiler.
 * \param target `x86-64`, or with a processor behind a colon
 * \param path of the compiler; NULL: the clang of this machine
 * \return 0; -EINVAL for a target that there is not; -ENOENT without a compiler, with `error` that
 * says how it is had
 */
int audit_compiler_find(const char *target, const char *path, struct oclmm_error *error,
                        struct audit_compiler **ret_compiler);
/**
 * The compiler of a device.
 * \param device a name, a number, or NULL for the best one
 * \return 0; -ENODEV without the device, or where what it gives cannot be read
 */
int audit_compiler_of_device(const char *device, struct oclmm_error *error,
                             struct audit_compiler **ret_compiler);
const char *audit_compiler_manner(const struct audit_compiler *compiler);
const struct oclmm_machine *audit_compiler_machine(const struct audit_compiler *compiler);
/** `clang 14.0.6 -O2`, and `x86-64` or `x86-64:skylake` */
const char *audit_compiler_words(const struct audit_compiler *compiler);
const char *audit_compiler_target(const struct audit_compiler *compiler);
/** The names of targets, with what they are, on standard output. */
void audit_targets_print(void);

/* ---- tests --------------------------------------------------------------- */

/* Somebody's own kernel, with what the oracle says of its launch. */
struct audit_kernel {
	struct kernel_file file;
	struct oclmm_kernel_answer *answer;
	const struct oclmm_kernel_layout *layout; /* NULL: it has none, */
	const char *lacks;                        /* for this reason */
};

/* A test and what became of it. */
struct audit_case {
	const struct chosen *chosen;       /* NULL: it is a kernel */
	const struct audit_kernel *kernel; /* or NULL */
	const struct oclmm_program *program;
	const struct oclmm_expected *expected;
	struct oclmm_assembly *assembly; /* of its batch, which several share */
	char suffix[24];
	enum audit_verdict verdict;
	bool cut;          /* paths beyond the bound of a loop were left out */
	bool judged;       /* the verdict stands */
	char message[512]; /* what is missing, the instruction, the compiler's words */
	const char *known; /* known, stale: the reason that its line gives */
	int32_t expired;   /* wrong, not built: the last day of a line that holds no more, or 0 */
	uint32_t line;     /* unreadable: of the function */
	char source[256];
	struct oclmm_machine_answer *answer; /* wrong */
};

struct audit {
	struct audit_compiler *compiler;
	bool plants;                         /* it is about bugs that the compiler is given, */
	const struct oclmm_mutation *change; /* of which this is one, or NULL */
	enum oclmm_model model;
	const char *cat_path; /* a model in place of the machine's, or NULL, and its text */
	char *cat_text;
	size_t cat_length;
	struct oclmm_arena *arena;
	struct audit_case *cases;
	size_t count;
	struct audit_kernel *kernels;
	size_t kernel_count;
	const struct oclmm_expectations *expectations; /* or NULL */
	bool strict;                                   /* what is stale or open fails */
	bool whole;         /* a profile or the suite, of which lines for many tests can be stale */
	size_t stale_lines; /* as oclmm_expectations_stale() has them */
	struct oclmm_expected_file **files; /* of expected sets */
	size_t file_count, file_capacity;
	struct oclmm_assembly **assemblies;
	size_t assembly_count, assembly_capacity;
	double seconds;
	double time_limit; /* of processor time, for one test and each search; 0: none */
};

/* Why a case is what it is, in one line; nothing of one that is right. */
void audit_reason(struct oclmm_text *text, const struct audit_case *c);
/* What is to be said beside it, in lines: of one that is wrong each execution. */
void audit_details(struct oclmm_text *text, const struct audit_case *c);
/* The parts of that: `W x=1`, and a write's place in words. */
void audit_event(struct oclmm_text *text, const struct oclmm_program *program,
                 const struct oclmm_machine_event *event);
size_t audit_count(const struct audit *audit, enum audit_verdict verdict);
/* Whether there is something to say of a case with this verdict. */
bool audit_is_notable(enum audit_verdict verdict);
/* `audit: right: of 12 tests 12 right, 0 wrong` */
void audit_sentence(struct oclmm_text *text, const struct audit *audit, int status);
/* A page that needs no server: all cases, and pictures of what is wrong. */
void audit_page(const struct audit *audit, int status, struct oclmm_text *text);
/* Finds what is expected, compiles and judges all cases. */
void audit_judge(struct audit *audit);
void audit_finish(struct audit *audit);
/*
 * Plants bugs into what the compiler is given, `all` or by their names, and says on standard output
 * which of them the cases find; those were judged before. Returns 0, or OPTIONS_ERROR for a plant
 * that there is not.
 */
int audit_plant(const struct audit *audit, const char *const *choices, size_t count);
/*
 * Weakens one form of one operation after the other (an order, a fence, a barrier, an update, of
 * one function, width, space and scope) in what the compiler is given, and says on standard output
 * which of it the cases do not show; with `all` also which they do. Returns the exit status.
 */
int audit_lacks(const struct audit *audit, bool all);

#endif
