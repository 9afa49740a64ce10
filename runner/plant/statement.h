// SPDX-License-Identifier: Apache-2.0
/* Statements that plants move, drop or repeat: one access of memory, or one fence, each. */
#ifndef OCLMM_RUNNER_PLANT_STATEMENT_H
#define OCLMM_RUNNER_PLANT_STATEMENT_H

#include "internal.h"

enum statement_kind {
	STATEMENT_LOAD,        /* `r = atomic_load…(…);` */
	STATEMENT_STORE,       /* `atomic_store…(…);` */
	STATEMENT_UPDATE,      /* a read-modify-write, its result assigned or not */
	STATEMENT_FENCE,       /* of any kind, but no barrier */
	STATEMENT_PLAIN_LOAD,  /* `r = *p;` */
	STATEMENT_PLAIN_STORE, /* `*p = …;` */
};

struct statement {
	enum statement_kind kind;
	size_t first, last;  /* the semicolon */
	struct range target; /* what is assigned to, a declaration perhaps; or empty */
	size_t variable;     /* its last name; 0: nothing is assigned to */
	struct range object; /* a pointer to what is accessed; of a fence empty */
	struct range value;  /* of a store: what is stored; else empty */
	struct range access; /* `atomic_load…(…)`, `*p`, or the whole statement but its semicolon */
	struct call call; /* of the kinds that are no plain access */
};

/* Recognises a statement at its first token, outside of macros. */
bool statement_at(const struct source *source, size_t first, struct statement *ret_statement);
bool statement_is_plain(const struct statement *statement);
bool statement_loads(const struct statement *statement); /* plain or atomic, and no update */
bool statement_stores(const struct statement *statement);
bool statement_same_object(const struct source *source, const struct statement *a,
                           const struct statement *b);
/* `user` needs what `giver` reads, or names where to put it. */
bool statement_depends(const struct source *source, const struct statement *user,
                       const struct statement *giver);
bool range_names(const struct source *source, struct range range, size_t name);
/* Something between two statements writes a name (or may, having its address). */
bool is_written(const struct source *source, size_t name, struct range between);
bool is_any_written(const struct source *source, struct range names, struct range between);
/* The nearest earlier statement of the same block that has the object of `later`. */
bool statement_before(const struct source *source, const struct statement *later,
                      struct statement *ret_earlier);
/* `r->a` and `a[i]` as they are; of a declaration the name only. */
struct range statement_variable(const struct source *source, const struct statement *statement);
/* Where a plant acts in some calls only, the statement is such a call. */
bool statement_taken(const struct rewriter *rewriter, const struct statement *statement);

#endif
