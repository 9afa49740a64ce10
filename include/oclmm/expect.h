// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Expected sets: what the oracle answered for every variant of one litmus
 * file, kept as text under expected/, so that it can be reviewed, compared
 * with a run, and read back without asking the oracle.
 *
 *     # Allowed sets of relaxed/SB.litmus, written by "oclmm check --write"
 *
 *     variant 0123456789abcdef SB.order=sc
 *     variant 89abcdef01234567 SB.order=sc.place=wg00
 *     condition exists (0:r0=0 /\ 1:r0=0)
 *     observation Disputed
 *     values 0:r0={0,1}; 1:r0={0,1};
 *     disputed *> 0:r0=0; 1:r0=0; # K1 K2
 *     allowed :> 0:r0=0; 1:r0=1;
 *     ...
 *
 * Each distinct set stands once, as a section that an empty line closes:
 *
 *  - `variant`     hash and name of each variant that has the set;
 *  - `condition`   the final condition, `observation` herd's word for it;
 *  - `values`      the values each observable can have in any candidate
 *                  execution: the outcome space of a device run;
 *  - `allowed`     a state that consensus allows; `*>` where the condition's
 *                  predicate holds in it, else `:>`;
 *  - `disputed`    a state on which the readings differ, and after `#` the
 *                  rules (knobs) that decide, and what the text of a version
 *                  answers where that is not the same: `opencl-2.1:forbidden`,
 *                  `opencl-2.0:disputed:K2+K4`;
 *  - `undefined`   why the programs have no defined behaviour;
 *  - `defined`     the versions under which they have one all the same. Then
 *                  `undefined *>` and `undefined :>` list the states that such
 *                  a version allows or disputes, after `#` as above;
 *  - `models`      what each model answers, where they do not agree;
 *  - `cut`         some execution exceeds the bound of a loop.
 *
 * States that are not listed are forbidden. Sections stand in the order of
 * their first variants, states in ascending order.
 */
#ifndef OCLMM_EXPECT_H
#define OCLMM_EXPECT_H

#include "oclmm/ir.h"
#include "oclmm/model.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** A state that is allowed or disputed under some version; all others are forbidden. */
struct oclmm_expected_state {
	const int64_t *values;
	enum oclmm_status status; /**< allowed or disputed; undefined as the program is */
	bool holds;               /**< the condition's predicate holds in it */
	unsigned deciding;        /**< disputed: set of 1u << enum oclmm_knob */
	/** What the text of each version says, by its model. */
	struct oclmm_expected_verdict {
		enum oclmm_status status;
		unsigned deciding;
	} version[OCLMM_VERSION_COUNT];
};

/** The expected set of one variant. Owned by its file. */
struct oclmm_expected {
	const char *name; /**< variant name */
	uint64_t hash;    /**< oclmm_program.hash that it was computed for */
	enum oclmm_quantifier quantifier;
	const char *condition;          /**< without the quantifier, as oclmm_condition_print() */
	uint32_t width;                 /**< number of observables */
	const char *const *observables; /**< their names */
	const enum oclmm_type *types;   /**< how their values print */
	struct oclmm_outcome_space space;
	bool may_be_cut;
	/** States that are not listed may be allowed, too: nobody found out which. They count as
	 * disputed. */
	bool open;
	bool undefined;
	unsigned defined; /**< undefined: versions under which it is not, 1u << enum oclmm_model */
	const char *undefined_why; /**< one line that names the accesses, or NULL */
	const char *models;        /**< one line, or NULL where the models agree */
	/** Observables of which the states list only some values, `nothing that is observed` where
	 * a division without a quotient decides nothing, or NULL. */
	const char *unspecified;
	const char *rules; /**< one line: why `scoped` differs; NULL unless it was asked why */
	enum oclmm_observation observation;  /**< of consensus */
	struct oclmm_expected_state *states; /**< ascending by tuple */
	uint32_t state_count;
	uint32_t allowed_count; /**< of them allowed, the rest is disputed */
	uint32_t positive;      /**< allowed states in which the predicate holds */
};

/**
 * The expected sets of one litmus file, one entry per variant: in the order in which they were
 * added, or in which they stand in the file.
 */
struct oclmm_expected_file;

/** \param litmus what the first line names, e.g. `relaxed/SB.litmus` */
struct oclmm_expected_file *oclmm_expected_create(const char *litmus);
void oclmm_expected_destroy(struct oclmm_expected_file *file);
size_t oclmm_expected_count(const struct oclmm_expected_file *file);
/** The entry of an index below the count; it is the file's. */
const struct oclmm_expected *oclmm_expected_at(const struct oclmm_expected_file *file,
                                               size_t index);
/** Finds an entry by the variant's name, or returns NULL. */
const struct oclmm_expected *oclmm_expected_find(const struct oclmm_expected_file *file,
                                                 const char *name);

/**
 * Adds what the oracle answered under one model (consensus for files on disk);
 * the other models that the answer holds go into the line `models`. Nothing of the
 * answer is kept by reference.
 * \return 0, -EEXIST when there is an entry of this name, -EINVAL when the
 * answer lacks the model.
 */
int oclmm_expected_add(struct oclmm_expected_file *file, const struct oclmm_answer *answer,
                       enum oclmm_model model);

/** Prints the whole file as it stands on disk. */
void oclmm_expected_print(struct oclmm_text *text, const struct oclmm_expected_file *file);
/**
 * Prints one entry in herd7's log format, for people and for mcompare7. Lines of the form
 * `Key=...` after `Hash` are ours; herd's tools read over them. `Variant=` has the full name,
 * `Test` the one that they take.
 */
void oclmm_expected_print_log(struct oclmm_text *text, const struct oclmm_expected *expected);
/**
 * Writes the file in one step (folders are made): complete or untouched. A link, which may lead out
 * of the tree, is refused (-EINVAL), like all else that is no regular file.
 */
int oclmm_expected_write(const struct oclmm_expected_file *file, const char *path,
                         struct oclmm_error *error);

/**
 * Reads a file back. Strict: what oclmm_expected_print() would not print is
 * refused. \return 0; -EINVAL with a position; -ENOENT or another errno value.
 */
int oclmm_expected_read(const char *path, struct oclmm_error *error,
                        struct oclmm_expected_file **ret_file);
/** The same for a text in memory; `path` is only for messages. */
int oclmm_expected_parse(const char *path, const char *text, size_t length,
                         struct oclmm_error *error, struct oclmm_expected_file **ret_file);

/** Whether an entry was computed for this very program (hash and observables). */
bool oclmm_expected_fits(const struct oclmm_expected *expected,
                         const struct oclmm_program *program);
/** The entry that was computed for this very program, or NULL; `file` may be NULL. */
const struct oclmm_expected *oclmm_expected_for(const struct oclmm_expected_file *file,
                                                const struct oclmm_program *program);
/**
 * Asks the oracle where no file has the answer: `*ret_file` holds one entry. No test of the suite
 * takes it a second.
 * \param options the limits, and the text that answers in place of ours; its `models` are not
 * looked at. NULL: a minute \return 0, or as oclmm_check(), always with a message
 */
int oclmm_expected_ask(const struct oclmm_program *program, enum oclmm_model model,
                       const struct oclmm_check_options *options, struct oclmm_error *error,
                       struct oclmm_expected_file **ret_file);

/**
 * The status of any tuple.
 * \param ret_deciding the deciding knobs when disputed, else 0; may be NULL
 */
enum oclmm_status oclmm_expected_status(const struct oclmm_expected *expected,
                                        const int64_t *values, unsigned *ret_deciding);
/**
 * What a device of one version is held to: a copy of the entry whose status, states, observation
 * and `undefined` are that version's, so that all functions here answer for it.
 * \param model a version's; for any other the entry itself is returned
 * \param arena owns the copy, which also refers to `expected`
 */
const struct oclmm_expected *oclmm_expected_under(struct oclmm_arena *arena,
                                                  const struct oclmm_expected *expected,
                                                  enum oclmm_model model);
/**
 * What a device is held to under a model, from a file: the entry that was computed for this very
 * program, as oclmm_expected_under() has it.
 * \param file may be NULL
 * \return NULL where the oracle has to be asked: there is no such entry, or files do not hold the
 * model
 */
const struct oclmm_expected *oclmm_expected_held(struct oclmm_arena *arena,
                                                 const struct oclmm_expected_file *file,
                                                 const struct oclmm_program *program,
                                                 enum oclmm_model model);
/** Whether some outcome would be forbidden, so that silence says something. */
bool oclmm_expected_forbids(const struct oclmm_expected *expected);

/**
 * Compares two files (before, after), entry by entry.
 * \param text gets one line per difference, `- ` before and `+ ` after; may be NULL
 * \return the number of entries that differ, are missing or are new
 */
size_t oclmm_expected_compare(const struct oclmm_expected_file *before,
                              const struct oclmm_expected_file *after, struct oclmm_text *text);

/* ---- words of herd's log format -------------------------------------- */

/** `Allowed`, `Forbidden`, `Required`: the word after the name in `Test`. */
const char *oclmm_log_kind(enum oclmm_quantifier quantifier);
/** Prints a name with those characters replaced by `.` that the herd tools refuse in one. */
void oclmm_log_name(struct oclmm_text *text, const char *name);
/** Whether the final condition as a whole holds, given how often its predicate did and did not. */
bool oclmm_log_ok(enum oclmm_quantifier quantifier, uint64_t holds, uint64_t fails);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
