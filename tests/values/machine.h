// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * A machine that runs a program step by step, in every order of the threads'
 * steps, and makes one mistake in one kind of operation.
 */
#ifndef TESTS_VALUES_MACHINE_H
#define TESTS_VALUES_MACHINE_H

#include "mistake.h"

/** One final tuple; `met` where a thread had to come between two steps of another one. */
typedef void (*machine_seen)(void *data, const int64_t *values, bool met);

/** Whether every statement is one atomic function of registers and constants, or sets a register
 * to such a one: what the machine can run. */
bool machine_can_run(const struct oclmm_program *program);
/** Whether a program has the operation. */
bool machine_has(const struct oclmm_program *program, const struct site *site);
/** The place in the table of an atomic function of a program. */
struct site machine_site(const struct oclmm_program *program, const struct oclmm_atomic *atomic,
                         bool used);
/** Runs a program that it can run. The same tuple may be seen several times. */
void machine_run(const struct oclmm_program *program, enum mistake mistake, const struct site *site,
                 machine_seen seen, void *data);

#endif
