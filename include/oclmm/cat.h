// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Memory models in the cat language of herd and Dartagnan: the subset that
 * docs/opencl.cat and the judges use, and most of what models by others do.
 *
 *     let x = e and y = e        let rec x = e and y = e
 *     let f(x, y) = e            a function of sets or relations; f(e, e)
 *     acyclic e as name          irreflexive, empty, and ~ in front of each
 *     flag ~empty e as name      raises a flag, refuses nothing
 *     undefined_unless empty e   is the same
 *     with x from linearisations(set, relation)
 *     include "FILE"             from the folder of this file on
 *     show e, e as name          and unshow: nothing is drawn
 *
 * A `let rec` has the least solution. A name that it binds may not stand behind
 * an odd number of `~` and right sides of `\`, where there need not be one.
 *
 * Expressions, from loose to tight: `|`, `;`, `\`, `&`, `*` (product of sets),
 * prefix `~`, postfix `+`, `*`, `?`, `^-1` (also `^+`, `^*`, `^?`); `[set]`,
 * `domain(r)`, `range(r)`, names, parentheses. `_` is the set of all events,
 * and 0 is empty. Comments: `(* *)`, and from `//` to the end of the line. A
 * title may stand first.
 *
 * Names that are neither given nor bound, but known from others' files, are
 * what those say: id, unv, M, RMW (R & W), RLX, NA, fr, rfe, rfi, coe, coi,
 * fre, fri, po-loc, toid(S), fencerel(S). So basic.cat, cos.cat and stdlib.cat
 * may be included where there is no such file.
 */
#ifndef OCLMM_CAT_H
#define OCLMM_CAT_H

#include "oclmm/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
	OCLMM_CAT_MAX_EVENTS = 64,
	OCLMM_CAT_MAX_FLAGS = 16,
	OCLMM_CAT_MAX_LINEARISED = 12, /**< events that `linearisations` puts in order */
};

enum oclmm_cat_type { OCLMM_CAT_SET, OCLMM_CAT_RELATION };

/** A name that the user of a model gives a value. */
struct oclmm_cat_name {
	const char *name;
	enum oclmm_cat_type type;
};

/** A set is one word; a relation one word per event, its successors. */
typedef uint64_t oclmm_cat_relation[OCLMM_CAT_MAX_EVENTS];

struct oclmm_cat_model;

/**
 * Reads a model. `names` must live as long as the model.
 * \return 0; -EINVAL with place and reason in `error`; another negative errno
 * value when the file cannot be read.
 */
int oclmm_cat_read(const char *path, const struct oclmm_cat_name *names, unsigned name_count,
                   struct oclmm_error *error, struct oclmm_cat_model **ret_model);
/** The same for a text in memory; `path` is for messages, and its folder for `include`. */
int oclmm_cat_parse(const char *path, const char *text, size_t length,
                    const struct oclmm_cat_name *names, unsigned name_count,
                    struct oclmm_error *error, struct oclmm_cat_model **ret_model);
void oclmm_cat_destroy(struct oclmm_cat_model *model);
/** The name of its file and the hash of its text, with the files that it includes:
 * `mine.cat-5f3a91c2`. Lives as long as the model. */
const char *oclmm_cat_name(const struct oclmm_cat_model *model);
/** Removes every check and flag of a name. \return whether there was one. */
bool oclmm_cat_remove(struct oclmm_cat_model *model, const char *name);

/** What a model says of one execution. */
struct oclmm_cat_verdict {
	bool consistent;
	const char *broken; /**< the first check that failed, or NULL; lives as long as the model */
	unsigned flags;     /**< raised so far: the n-th `flag` statement has bit n */
	const char *flag;   /**< the first that was raised, or NULL; lives as long as the model */
	int from, to;       /**< a pair of the relation that raised it; -1 where there is none */
};

/** One step through the relation of a check: by a relation that the model was given, or where that
 * cannot be told, by the `let` that it stands in. */
struct oclmm_cat_step {
	unsigned from, to;
	const char *name; /**< lives as long as the model */
	bool inverse;     /**< by `name^-1` */
};

/** Why a check does not hold. All texts live as long as the model. */
struct oclmm_cat_why {
	const char *name;  /**< of the check */
	const char *check; /**< as written, up to `as`: `acyclic dep; rf` */
	uint32_t line;     /**< in the model's file */
	unsigned number;   /**< among the statements, from 0 */
	bool ordered;      /**< some check breaks under each order of a `with`: this is the last */
	/** A cycle for `acyclic` and `irreflexive`, a way from one event to another for `empty`. */
	struct oclmm_cat_step steps[OCLMM_CAT_MAX_EVENTS];
	unsigned count; /**< 0: of a set, a negated check, or where a way is too long */
};

/**
 * Evaluates an execution of `events` events. `values` has one entry for each
 * name: a pointer to one word for a set, to `events` words for a relation.
 * With `with`, consistent means: for some order.
 * \param ret_why NULL, or filled where the verdict is not consistent and a check stands behind it:
 * why that breaks; of several orders of a `with` under the last one tried
 * \return 0, or -E2BIG when there is too much to linearise.
 */
int oclmm_cat_evaluate(struct oclmm_cat_model *model, unsigned events,
                       const uint64_t *const *values, struct oclmm_cat_verdict *ret_verdict,
                       struct oclmm_cat_why *ret_why);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
