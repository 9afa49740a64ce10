// SPDX-License-Identifier: Apache-2.0
/* What the files of the room share: calls of OpenCL's functions in a program. */
#ifndef OCLMM_CHANGE_INTERNAL_H
#define OCLMM_CHANGE_INTERNAL_H

#include "oclmm/change.h"

/* A call, with its word for each aspect; "" where it has none. */
struct call {
	const struct oclmm_function *function;
	const char *words[OCLMM_ASPECT_COUNT]; /* but FUNCTION */
};
struct call oclmm_change_call_of(const struct oclmm_program *program,
                                 const struct oclmm_thread *thread,
                                 const struct oclmm_atomic *atomic);
struct call oclmm_change_call_of_fence(const struct oclmm_fence *fence);
struct call oclmm_change_call_of_barrier(const struct oclmm_barrier *barrier);
/* Whether the words of a change choose it. */
bool oclmm_change_takes(const struct oclmm_mutation *change, const struct call *call);
/* Whether a mistake is in a function, for an object of a type. */
bool oclmm_change_is_mistaken(const struct oclmm_mutation *change,
                              const struct oclmm_function *function, enum oclmm_type type);

/* Statements of one block that change places, are dropped, and so on. Returns the number of places
 * that were changed in the thread; 0, too, where the change is none of these. */
size_t oclmm_change_statements(const struct oclmm_edit *edit, const struct oclmm_mutation *change);
bool oclmm_change_is_of_statements(enum oclmm_what what);

#endif
