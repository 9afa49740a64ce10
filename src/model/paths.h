// SPDX-License-Identifier: Apache-2.0
/*
 * What a thread may do: its paths, and where they come from.
 *
 * All that the search for executions knows of a thread's code is its paths. A path is one way
 * through the thread: events with their orders, scopes, regions and tags, the values that they
 * store as functions of the values read, and the conditions under which the path is taken.
 * Candidates, relations, axioms and explanations need no more of the code. Of the program they ask
 * for its locations, the placement of its threads, its commands, and what is observed.
 */
#ifndef OCLMM_MODEL_PATHS_H
#define OCLMM_MODEL_PATHS_H

#include "oclmm/model_execution.h"

/* A set of events is one machine word; a relation is an array of them, the n-th holding the
 * successors of event n. */
typedef oclmm_events row;

#define MAX_EVENTS OCLMM_MAX_EVENTS
#define BIT(n)     ((row)1 << (n))
#define FOR_EACH   OCLMM_FOR_EACH_EVENT

/* ---- symbolic values ------------------------------------------------- */

enum symbol_kind {
	SYMBOL_CONSTANT,
	SYMBOL_READ,    /* the value that a read event of the same thread returns */
	SYMBOL_CONVERT, /* `left` as `type` */
	SYMBOL_UNARY,
	SYMBOL_BINARY,
	SYMBOL_RMW, /* what a read-modify-write stores: op(left, right) */
};

/* A value as a function of the values read by the thread. */
struct symbol {
	enum symbol_kind kind;
	enum oclmm_type type;         /* of the result */
	enum oclmm_type operand_type; /* UNARY, BINARY: the common type of the operands */
	int64_t constant;
	unsigned read; /* index of the event within its path */
	enum oclmm_operator op;
	enum oclmm_operation rmw;
	const struct symbol *left, *right;
	const struct symbol *pinned; /* the one that this is, with constants in it; or NULL */
	const struct oclmm_statement *statement; /* the arithmetic that computes it */
	struct oclmm_position position;
	row reads; /* events of the path that the value depends on */
};

/* ---- paths ----------------------------------------------------------- */

/* What a write or an update stores, as a function of reads of the same thread. */
struct stored {
	const struct symbol *value;
	row reads; /* reads on which the value or the place depends */
	/* the same without those that a branch has pinned to a constant, K6; these suffice for
	 * `value` */
	row needed;
};

/* A condition that the values read must meet for a path to be taken. */
struct constraint {
	const struct symbol *symbol;
	bool truth;
};

/* Copies of a work-group in a program. */
enum { MAX_COPIES = 16 };

/* One way through a thread. */
/* Where a path ends that waits at a barrier. */
struct waiting {
	const struct oclmm_statement *at; /* NULL: it does not wait */
	bool sub_group;
	uint32_t sequence; /* barriers of both kinds that it has passed */
};

struct path {
	struct oclmm_event *events;
	struct stored *stored; /* by event */
	unsigned event_count;
	row *sb;                        /* successors within the path, transitive */
	struct constraint *constraints; /* conditions that hold where the path is taken */
	unsigned constraint_count;
	const struct symbol **registers; /* final values */
	const struct symbol **computed;  /* values whose arithmetic may be undefined */
	unsigned computed_count;
	bool divides;                   /* some value of it is a quotient or a remainder */
	enum oclmm_undefined undefined; /* the path itself has undefined behaviour */
	struct oclmm_position undefined_position;
	const struct oclmm_statement *undefined_statement;
	bool cut; /* cut in a loop, or waiting at a barrier: the beginning of longer ways */
	struct waiting waiting;
	/* who makes each copy of the work-group, by its rank there; the same in all paths together
	 */
	uint8_t maker[MAX_COPIES];
	unsigned copy_count;
};

struct path_list {
	struct path *paths;
	unsigned count;
	bool cut; /* a loop of some path exceeds its bound */
};

/* What the alternative of a knob changes. */
enum {
	CHANGES_ITSELF,
	CHANGES_HB,
	CHANGES_S,
	CHANGES_EVENTS,
#define OCLMM_X(id, word, question, forbids, sentence, what) CHANGED_BY_##id = CHANGES_##what,
	OCLMM_KNOBS(OCLMM_X)
#undef OCLMM_X
};

/* The alternatives of the knobs as oclmm_reading has them. */
enum {
#define OCLMM_X(id, ...) ALT_##id = 1u << OCLMM_KNOB_##id,
	OCLMM_KNOBS(OCLMM_X)
#undef OCLMM_X
	/* those of happens-before */
	ALT_HB = 0
#define OCLMM_X(id, ...) | (CHANGED_BY_##id == CHANGES_HB ? ALT_##id : 0)
	OCLMM_KNOBS(OCLMM_X),
#undef OCLMM_X
	/* those of seq_cst */
	ALT_S = 0
#define OCLMM_X(id, ...) | (CHANGED_BY_##id == CHANGES_S ? ALT_##id : 0)
	OCLMM_KNOBS(OCLMM_X),
#undef OCLMM_X
	/* those of the events themselves: each choice of these is a search of its own */
	ALT_EVENTS = 0
#define OCLMM_X(id, ...) | (CHANGED_BY_##id == CHANGES_EVENTS ? ALT_##id : 0)
	OCLMM_KNOBS(OCLMM_X),
#undef OCLMM_X
};

/* The rules that `scoped` takes from the text, as a part of a world. */
enum {
	BY_TEXT_SHIFT = 24,
	BY_TEXT_SCOPES = 1 << (BY_TEXT_SHIFT + OCLMM_SCOPED_SCOPES),
	BY_TEXT_ORDER = 1 << (BY_TEXT_SHIFT + OCLMM_SCOPED_ORDER),
	BY_TEXT_MEMORY = 1 << (BY_TEXT_SHIFT + OCLMM_SCOPED_MEMORY),
};
_Static_assert((int)OCLMM_KNOB_COUNT <= (int)BY_TEXT_SHIFT,
               "knobs and rules are bits of one number");

/*
 * A source of paths: all those of each thread of a program, of the arena, in a world, which is a
 * set of ALT_EVENTS. `ret_paths` has a list for each thread. \return 0; -E2BIG beyond the limits of
 * the source; -EINVAL for what it cannot read; -ENOTSUP for a program that another source reads
 */
typedef int path_source(struct oclmm_arena *arena, const struct oclmm_program *program,
                        unsigned world, struct oclmm_error *error, struct path_list *ret_paths);

/* In the order in which a program is offered to them; the last one reads statements. */
#define PATH_SOURCES(X) X(oclmm_walk)
#define OCLMM_X(source) path_source source;
PATH_SOURCES(OCLMM_X)
#undef OCLMM_X

#endif
