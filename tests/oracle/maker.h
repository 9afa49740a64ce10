// SPDX-License-Identifier: Apache-2.0
/** \file Inside the generator of random tests. */
#ifndef ORACLE_MAKER_H
#define ORACLE_MAKER_H

#include "made.h"

/** How the accesses of a test are mostly synchronised. */
enum maker_style {
	STYLE_RELAXED,
	STYLE_RELEASE_ACQUIRE,
	STYLE_SEQ_CST,
	STYLE_MIXED,
	STYLE_FENCES,
	STYLE_COUNT
};

struct maker {
	struct made *made;
	uint64_t key, counter;
	enum maker_style style;
	enum oclmm_scope scope;        /**< wide enough for all threads */
	bool narrow;                   /**< scopes are often another one */
	bool sc_fences;                /**< fences are seq_cst */
	bool legacy;                   /**< only functions and fences of OpenCL 1.x */
	int written[MADE_MAX_OBJECTS]; /**< the value written last */
};

unsigned draw(struct maker *maker, unsigned bound);
bool chance(struct maker *maker, unsigned percent);

/** Appends a statement, if there is room. \return it, or NULL. */
struct made_statement *append(struct made_thread *thread, enum made_kind kind);
/** The statement of a thread that last gave a value before a place, or -1. */
int last_result(struct maker *maker, const struct made_thread *thread, unsigned before);
enum oclmm_order draw_order(struct maker *maker, bool reads, bool writes);
enum oclmm_scope draw_scope(struct maker *maker);
unsigned draw_flags(struct maker *maker);

/** Appends an access of a skeleton: 'R', 'W' or 'U' on an object. */
void make_access(struct maker *maker, struct made_thread *thread, char what, unsigned object);
/** Inserts fences between accesses, barriers for whole groups, and a few odd things. */
void make_ornaments(struct maker *maker);
/** Makes orders legal, keeps local objects in one work-group, bounds the size. */
void make_legal(struct made *made);

#endif
