// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Kernels that a work-item enqueues (C:6.15.14, A:3.3.9.5). A child kernel
 * has one work-item, a thread of the program that begins when the flag of its
 * `enqueue_kernel` lets it, and behind the kernel whose event it waits for.
 */
#ifndef OCLMM_IR_ENQUEUE_H
#define OCLMM_IR_ENQUEUE_H

#include "oclmm/ir_words.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct oclmm_program;

/* When a child kernel may begin, C:6.15.14.4: X(enumerator, spelling) */
#define OCLMM_ENQUEUE_FLAGS(X)                                                                     \
	X(NO_WAIT, "CLK_ENQUEUE_FLAGS_NO_WAIT")         /* at once */                              \
	X(WAIT_KERNEL, "CLK_ENQUEUE_FLAGS_WAIT_KERNEL") /* when the parent kernel has ended */     \
	X(WAIT_WORK_GROUP, "CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP") /* when the work-group has */

enum oclmm_enqueue_flag {
#define OCLMM_X(name, ...) OCLMM_ENQUEUE_##name,
	OCLMM_ENQUEUE_FLAGS(OCLMM_X)
#undef OCLMM_X
		OCLMM_ENQUEUE_FLAG_COUNT
};
const char *oclmm_enqueue_spelling(enum oclmm_enqueue_flag flag);

/** A call of `enqueue_kernel`, which a work-item comes to once. */
struct oclmm_enqueue {
	uint32_t child; /**< the thread that it starts, an index */
	enum oclmm_enqueue_flag flag;
	const char *event; /**< the `clk_event_t` that it gives, or NULL */
	uint32_t after;    /**< 1 + the thread whose event it waits for, of the same parent; or 0 */
};

/** Whether some thread is a child kernel. */
bool oclmm_program_has_children(const struct oclmm_program *program);
/** The call that starts a thread, and the thread that calls; NULL: the thread is no child. */
const struct oclmm_enqueue *oclmm_find_enqueue(const struct oclmm_program *program, uint32_t child,
                                               uint32_t *ret_parent);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
