// SPDX-License-Identifier: Apache-2.0
/* What the files of cycles share: from words to a test and back. */
#ifndef OCLMM_CYCLE_INTERNAL_H
#define OCLMM_CYCLE_INTERNAL_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "oclmm/cycle.h"

/* The access before, and the one behind. */
static inline unsigned cycle_before(const struct oclmm_cycle *cycle, unsigned i)
{
	return (i + cycle->count - 1) % cycle->count;
}
static inline unsigned cycle_next(const struct oclmm_cycle *cycle, unsigned i)
{
	return (i + 1) % cycle->count;
}
static inline bool fence_is_barrier(const struct oclmm_cycle_fence *fence)
{
	return fence->kind == OCLMM_CYCLE_FENCE_BARRIER ||
	       fence->kind == OCLMM_CYCLE_FENCE_SUB_BARRIER;
}
static inline bool link_is_barrier(const struct oclmm_link *link)
{
	return link->kind == OCLMM_LINK_BARRIER || link->kind == OCLMM_LINK_SUB_BARRIER;
}
static inline bool link_is_communication(enum oclmm_link_kind kind)
{
	return kind <= OCLMM_LINK_CO;
}

/* What the order of an access is one of: of a compare-exchange that fails it is a load. */
static inline enum oclmm_ordered cycle_ordered(const struct oclmm_cycle_access *access)
{
	if (access->update)
		return access->fails && oclmm_operation_is_cas(access->op) ? OCLMM_ORDERED_LOAD
		                                                           : OCLMM_ORDERED_UPDATE;
	return access->writes ? OCLMM_ORDERED_STORE : OCLMM_ORDERED_LOAD;
}

/* ---- settle.c ---- */

/* Sets message, place and note (which may be NULL). Returns -EINVAL. */
int oclmm_cycle_refuse(struct oclmm_error *error, const struct oclmm_position *at, const char *note,
                       const char *format, ...) OCLMM_PRINTF(4, 5);
/* `PodWW`. */
void oclmm_link_print(struct oclmm_text *text, const struct oclmm_link *link);
const char *oclmm_cycle_location_name(unsigned location);
/* What is meant where no scope is said. */
enum oclmm_scope oclmm_cycle_default_scope(const struct oclmm_cycle *cycle);
/* The regions of the locations. */
unsigned oclmm_cycle_regions(const struct oclmm_cycle *cycle);

/* ---- words.c ---- */

/* The word of an operation, or NULL. */
const char *oclmm_cycle_operation_word(enum oclmm_operation op);
const char *oclmm_cycle_fence_function(enum oclmm_cycle_fence_kind kind);

/* ---- outcome.c ---- */

enum { SOURCE_INITIAL = -1, SOURCE_UNKNOWN = -2 };

/* What each access reads and writes in the execution that the cycle stands for, in small numbers:
 * those of 64 bits are printed with both halves set. */
struct outcome {
	int64_t initial[OCLMM_CYCLE_MAX]; /* by location */
	bool is_final[OCLMM_CYCLE_MAX];   /* the last value of the location is asked for */
	int64_t final[OCLMM_CYCLE_MAX];   /* by location: its last value */
	int source[OCLMM_CYCLE_MAX];      /* by access: what is read */
	bool known[OCLMM_CYCLE_MAX];      /* by access: what it reads belongs to the outcome */
	int64_t read[OCLMM_CYCLE_MAX], written[OCLMM_CYCLE_MAX];
	int64_t operand[OCLMM_CYCLE_MAX];    /* of a function: stored, added, ... */
	bool plain_operand[OCLMM_CYCLE_MAX]; /* not to be widened */
	int64_t comparand[OCLMM_CYCLE_MAX];  /* of a compare-exchange */
};
int oclmm_cycle_outcome(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                        struct outcome *ret_outcome);

/* ---- name.c ---- */

/* What the test asks, in a sentence. */
const char *oclmm_cycle_question(const struct oclmm_cycle *cycle);

#endif
