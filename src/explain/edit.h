// SPDX-License-Identifier: Apache-2.0
/* Small changes of programs: a copy, the places where it can be changed, and the difference in
 * lines. */
#ifndef OCLMM_EXPLAIN_EDIT_H
#define OCLMM_EXPLAIN_EDIT_H

#include "internal.h"

enum site_kind {
	SITE_ATOMIC, /* a call of an atomic function */
	SITE_FENCE,
	SITE_BARRIER,
	SITE_GAP, /* between two statements, or at either end of a block */
};

/* A place in a program. Copies of one program have the same places in the same order. */
struct site {
	enum site_kind kind;
	uint32_t thread;
	unsigned number; /* barriers: which one of the thread's */
	bool top;        /* gaps: not inside a branch or loop */
	struct oclmm_atomic *atomic;
	struct oclmm_statement *statement; /* fence, barrier; gaps: the one before, or NULL */
	struct oclmm_statement **link;     /* gaps: where a new statement is linked in */
};

/* A copy under change. */
struct copy {
	struct oclmm_arena *arena;
	const struct oclmm_program *original;
	struct oclmm_program *program;
	struct site *sites;
	size_t site_count, site_capacity;
	struct pair {
		const struct oclmm_statement *copy, *original;
		bool removed; /* by an edit; taken out when the copy is settled */
	} * pairs;
	size_t pair_count, pair_capacity;
};

enum edit_kind {
	EDIT_ORDER,   /* of an atomic function or a fence; value: the order */
	EDIT_FAILURE, /* of a compare-exchange */
	EDIT_SCOPE,
	EDIT_FLAGS,
	EDIT_REMOVE,  /* a fence or a barrier */
	EDIT_FENCE,   /* a new one in a gap; value: the order */
	EDIT_BARRIER, /* a new one in each thread of a group */
	EDIT_ATOMIC,  /* an object becomes atomic; value: its location */
};

struct edit {
	enum edit_kind kind;
	unsigned site;
	unsigned value;
	unsigned flags;                   /* of a new fence or barrier */
	enum oclmm_scope scope;           /* of a new fence; of the accesses that become atomic */
	unsigned gaps[OCLMM_MAX_THREADS]; /* BARRIER: sites */
	unsigned gap_count;
	unsigned cost;
};

void copy_init(struct copy *copy, struct oclmm_arena *arena, const struct oclmm_program *original);
void copy_finish(struct copy *copy);
/* Makes one edit. \return false when it cannot be made. */
bool copy_edit(struct copy *copy, const struct edit *edit);
/* Takes removed statements out; no edits afterwards. */
void copy_settle(struct copy *copy);
/* The lines that differ, owned by the copy's arena. */
void copy_compare(struct copy *copy, struct oclmm_change_line **ret_lines, unsigned *ret_count);

/* edit_atomic.c: makes an object and all accesses of it atomic. Returns false where it cannot. */
bool copy_make_atomic(struct copy *copy, const struct edit *edit);
/* Brings a call into the form that has its order and scope written. */
void copy_make_explicit(struct copy *copy, struct oclmm_atomic *atomic);
/* The pair of a statement of the copy; NULL: it is new. */
struct pair *copy_find_pair(const struct copy *copy, const struct oclmm_statement *statement);

/* Whether two places are one in the text: of a loop that was unrolled. */
bool same_words(const struct site *a, const struct site *b);
/* Whether a gap is between statements of which the text has one and the program several. */
bool is_repeated(const struct copy *copy, const struct site *gap);
/* Of a barrier, those of the group's other threads that meet it: the same kind and number. */
bool barriers_meet(const struct oclmm_program *program, const struct site *a, const struct site *b);
/* All edits that make a program stronger, or weaker; malloc-ed, the smallest first. `*ret_cut`: of
 * the ways to place barriers there are more. */
struct edit *edits_list(const struct copy *copy, bool stronger, size_t *ret_count, bool *ret_cut);
/* The narrowest scope that reaches every thread of the program. */
enum oclmm_scope edits_scope(const struct oclmm_program *program);
/* In words: `the atomic_load of P1 in line 38 with memory_order_relaxed`. */
void edit_print(struct oclmm_text *text, const struct copy *copy, const struct edit *edit);

#endif
