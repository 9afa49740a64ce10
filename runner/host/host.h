// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Plays a thread of a program on the host, with C11 atomics. The thread is
 * compiled once to a flat list of operations; each atomic function of it is the C11 one
 * of the same name and order, and each fence C11's atomic_thread_fence, as the compiler of this
 * program maps them to the machine. The scope of both is memory_scope_all_svm_devices (A:3.3.9.1).
 *
 * May see: ir.
 */
#ifndef OCLMM_RUNNER_HOST_HOST_H
#define OCLMM_RUNNER_HOST_HOST_H

#include "oclmm/ir.h"

/** A compiled thread. Plain data: several threads of the host may play it at once. */
struct host_code;

/**
 * Compiles a thread. The program must outlive it.
 * \return 0, or -ENOTSUP with the statement that the host cannot play in `error`.
 */
int host_compile(const struct oclmm_program *program, uint32_t thread, struct oclmm_error *error,
                 struct host_code **ret_code);
/** Accepts NULL. */
void host_code_destroy(struct host_code *code);
/** How many values host_play() works with: the thread's registers come first. */
uint32_t host_code_values(const struct host_code *code);
/**
 * Plays the thread once.
 * \param objects per location of the program the address of its first element, aligned to its
 * size; those that the thread does not use may be anything
 * \param values room for host_code_values(); on return the final values of the registers
 * \return false when a bounded loop was still running at its bound
 */
bool host_play(const struct host_code *code, void *const *objects, int64_t *values);

/** The compiler that maps them and the machine: `gcc 12.2.0 x86_64`. */
const char *host_mapping(void);

#endif
