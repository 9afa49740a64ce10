// SPDX-License-Identifier: Apache-2.0
/* The way from words to a test and back: words, places, values, text, recognising. */
#ifndef OCLMM_CYCLE_INTERNAL_H
#define OCLMM_CYCLE_INTERNAL_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "oclmm/cycle.h"

/* ---- the alphabet ---- */

/* What may be said of an access, a fence or an edge, behind a point. */
enum attribute_kind {
	ATTRIBUTE_ORDER,
	ATTRIBUTE_SCOPE,
	ATTRIBUTE_TYPE,
	ATTRIBUTE_OPERATION,
	ATTRIBUTE_FLAGS, /* OCLMM_FLAG_ set; of an access: its region */
	ATTRIBUTE_SVM,
	ATTRIBUTE_HOST,
	ATTRIBUTE_LEGACY,
	ATTRIBUTE_FAIL,
};
struct attribute {
	enum attribute_kind kind;
	int value;
};
/* All attributes, whatever they are said of. */
bool words_attribute(const char *word, struct attribute *ret_attribute);
const char *words_nearest_attribute(const char *word);
/* The word of an operation, or NULL. */
const char *words_operation(enum oclmm_operation op);

bool words_link(const char *word, struct oclmm_link *ret_link);
/* `PodWW`. */
void words_print_link(struct oclmm_text *text, const struct oclmm_link *link);
bool words_fence(const char *word, enum oclmm_cycle_fence_kind *ret_kind);
const char *words_fence_word(enum oclmm_cycle_fence_kind kind);
const char *words_fence_function(enum oclmm_cycle_fence_kind kind);
/* Of edges, accesses and fences, the one that a misspelt word may stand for; malloc-ed, or NULL. */
char *words_nearest(const char *word);

/* ---- refusals ---- */

/* Sets message, place and note (which may be NULL). Returns -EINVAL. */
int cycle_refuse(struct oclmm_error *error, const struct oclmm_position *at, const char *note,
                 const char *format, ...) OCLMM_PRINTF(4, 5);

/* ---- threads and places ---- */

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
/* What is meant where no scope is said. */
enum oclmm_scope cycle_default_scope(const struct oclmm_cycle *cycle);
/* The regions of the locations. */
unsigned cycle_regions(const struct oclmm_cycle *cycle);
int cycle_place(struct oclmm_cycle *cycle, struct oclmm_error *error);
/* What the order of an access is one of: of a compare-exchange that fails it is a load. */
enum oclmm_ordered cycle_ordered(const struct oclmm_cycle_access *access);

/* ---- values ---- */

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
int cycle_outcome(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                  struct outcome *ret_outcome);

/* ---- text ---- */

const char *cycle_location_name(unsigned location);
/* Prints a small value as one of a type. */
void cycle_print_value(struct oclmm_text *text, enum oclmm_type type, int64_t value);
/* Adds one thread's statements. */
void cycle_print_thread(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                        const struct outcome *outcome, unsigned thread);
/* Adds what the registers of an access have to hold: `1:r0=1`. */
void cycle_print_atom(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                      const struct outcome *outcome, unsigned access);

/* The shape that has a name, or NULL. */
const struct oclmm_shape *cycle_find_shape(const struct oclmm_cycle *cycle);
/* What the test asks, in a sentence. */
const char *cycle_question(const struct oclmm_cycle *cycle);

/* ---- recognising ---- */

enum { SKELETON_MAX_ITEMS = 24, SKELETON_NONE = 255 };

/* One step of a thread as the recogniser sees it: names gone, registers by what sets them. */
struct skeleton_item {
	bool is_fence;
	struct oclmm_cycle_fence fence;
	struct oclmm_cycle_access access; /* `location` is the program's */
	unsigned reg, expected;           /* the registers that it sets, or SKELETON_NONE */
	int64_t operand, comparand;
	unsigned data; /* the register that the operand is computed from */
	/* the innermost branch that it stands in, by the register it looks at */
	unsigned guard;
	int64_t guard_value;
	enum oclmm_order failure;
};
struct skeleton_thread {
	struct oclmm_placement placement;
	struct skeleton_item item[SKELETON_MAX_ITEMS];
	unsigned count;
};
/* An equality of the outcome. */
struct skeleton_atom {
	bool is_register;
	unsigned thread, index; /* register, or location */
	int64_t value;
};
struct skeleton {
	struct skeleton_thread thread[OCLMM_CYCLE_MAX];
	unsigned thread_count;
	struct skeleton_atom atom[2 * OCLMM_CYCLE_MAX];
	unsigned atom_count;
	int64_t initial[OCLMM_CYCLE_MAX]; /* by location */
	struct oclmm_cycle_location location[OCLMM_CYCLE_MAX];
	unsigned location_count;
};
/* Returns false for a program of another form. */
bool skeleton_make(const struct oclmm_program *program, struct skeleton *ret_skeleton);
/* Whether two are the same when thread i of `a` is thread `map[i]` of `b`. */
bool skeleton_same(const struct skeleton *a, const struct skeleton *b, const unsigned *map);

#endif
