// SPDX-License-Identifier: Apache-2.0
/*
 * The symbolic run of one path of a thread: what the files that unfold share.
 */
#ifndef OCLMM_MODEL_WALK_H
#define OCLMM_MODEL_WALK_H

#include "internal.h"

enum { MAX_CHOICES = 64, MAX_PATHS = 4096, MAX_COMPUTED = 512, MAX_CONSTRAINTS = 256 };

/* The run of one path. */
struct walk {
	struct oclmm_arena *arena;
	const struct oclmm_program *program;
	const struct oclmm_thread *thread;
	unsigned thread_index;
	const struct oclmm_statement *statement; /* at work */
	unsigned world;                          /* set of ALT_EVENTS */
	/* the script: decision taken and number of ways at each choice */
	unsigned decision[MAX_CHOICES], ways[MAX_CHOICES];
	unsigned choice_count, choice_next;
	/* the path so far */
	struct oclmm_event event[MAX_EVENTS];
	struct stored stored[MAX_EVENTS];
	row before[MAX_EVENTS]; /* events sequenced before each event */
	row calls;              /* events that are the operation of an atomic function */
	row body[MAX_EVENTS];   /* by these: all that the function does */
	unsigned event_count;
	struct constraint constraint[MAX_CONSTRAINTS];
	unsigned constraint_count;
	const struct symbol *computed[MAX_COMPUTED];
	unsigned computed_count;
	/* what the branches taken so far make plain: this value is this constant */
	struct fact {
		const struct symbol *symbol;
		int64_t value;
	} fact[MAX_CONSTRAINTS];
	unsigned fact_count;
	const struct symbol **registers;
	uint32_t barriers[2];
	uint8_t maker[MAX_COPIES]; /* of each copy so far, its rank in the work-group */
	unsigned copy_count;
	row pending[OCLMM_EVENTS_MOST]; /* by event: accesses of copies that nobody waited for */
	struct oclmm_event nowhere;     /* takes what is written after the path has ended */
	bool loops;                     /* some thread of the program has one */
	/* ENDED: undefined behaviour ends the path; CUT: a loop exceeded its bound; WAITING: at
	 * a barrier for a work-item that is cut */
	enum { GOING, ENDED, CUT, WAITING, IMPOSSIBLE, FAILED } state;
	int failure;
	struct oclmm_position failure_position;
	const char *failure_message;
	enum oclmm_undefined undefined;
	struct oclmm_position undefined_position;
};

/* What the evaluation of an expression gives. */
struct result {
	const struct symbol *value;
	row done; /* events it made, and those before it */
	row made; /* events it made */
};

/* A place whose index has been evaluated. */
struct target {
	const struct oclmm_place *place;
	uint32_t element;
	row reads, needed; /* what the index depends on, as struct stored has it */
};

void oclmm_walk_fail(struct walk *w, int code, struct oclmm_position position, const char *message);
unsigned oclmm_walk_choose(struct walk *w, unsigned ways);
struct symbol *oclmm_walk_symbol(struct walk *w, enum symbol_kind kind, enum oclmm_type type,
                                 const struct symbol *left, const struct symbol *right);
const struct symbol *oclmm_walk_constant(struct walk *w, enum oclmm_type type, int64_t value);
const struct symbol *oclmm_walk_convert(struct walk *w, enum oclmm_type type,
                                        const struct symbol *value);
const struct symbol *oclmm_walk_arithmetic(struct walk *w, struct symbol *s,
                                           struct oclmm_position position);
const struct symbol *oclmm_walk_compare(struct walk *w, const struct symbol *a,
                                        const struct symbol *b, struct oclmm_position position);
void oclmm_walk_require(struct walk *w, const struct symbol *condition, bool truth);
bool oclmm_walk_branch(struct walk *w, const struct symbol *condition);
/* In walk_fact.c: notes what a condition tells when it has this truth. */
void oclmm_walk_learn(struct walk *w, const struct symbol *condition, bool truth);
/* A value with what is known to be constant replaced by the constant. */
const struct symbol *oclmm_walk_pinned(struct walk *w, const struct symbol *value);
struct oclmm_event *oclmm_walk_event(struct walk *w, enum oclmm_event_kind kind, row before,
                                     struct oclmm_position position);
row oclmm_walk_last(const struct walk *w);
/* Evaluates the index of a place, unsequenced with what `r` has made; then accesses it. */
struct target oclmm_walk_target(struct walk *w, const struct oclmm_place *place, struct result *r);
struct oclmm_event *oclmm_walk_access(struct walk *w, enum oclmm_event_kind kind,
                                      const struct target *target, struct result *r);
const struct symbol *oclmm_walk_read(struct walk *w, enum oclmm_type type);
void oclmm_walk_store(struct walk *w, struct oclmm_event *e, const struct symbol *value);
enum oclmm_type oclmm_walk_object_type(const struct walk *w, const struct oclmm_place *place);
struct result oclmm_walk_atomic(struct walk *w, const struct oclmm_expression *e, row before);
/* In walk_copy.c: a copy that a work-group makes together, and the wait for one. */
row oclmm_walk_copy(struct walk *w, const struct oclmm_statement *s, row before);
row oclmm_walk_wait(struct walk *w, const struct oclmm_statement *s, row before);
/* The two sides of a barrier, of a statement or, under K12, of a wait. */
row oclmm_walk_barrier(struct walk *w, const struct oclmm_barrier *b, row before,
                       struct oclmm_position position);
struct result oclmm_walk_evaluate(struct walk *w, const struct oclmm_expression *e, row before);
/*
 * A function called in one part of an expression runs before or after one that is called in the
 * other part, and before or after each access that stands there: C11 6.5.2.2.
 */
void oclmm_walk_order_calls(struct walk *w, row left, row right);

#endif
